/* Entry file of derive: every exported function of privgraph/derive.h. */
#include "derive_internal.h"

#include <math.h>
#include <string.h>

/* --- degree distributions ----------------------------------------------------------- */

/* The shape of released diagrams, and their numbers. */
static int32_t read_distributions(pvgi_degree_shape *out, int64_t *order,
                                  const char *name, const pvg_statistic *statistic) {
    PVGI_REQUIRE(pvgi_statistic_degrees_shape(out, statistic),
                 "%s: the query is not one of degrees", name);
    if (out->order > 0) {
        PVGI_REQUIRE(*order == 0 || *order == out->order,
                     "%s: order %lld is not that of the query", name, (long long)*order);
        *order = out->order;
    }
    PVGI_REQUIRE(*order >= 1 && *order <= PVGI_GRAPH_ORDER_MAX,
                 "%s: order is not in [1, 2^31)", name);
    return PVG_OK;
}

/* Levels of a query of capped degrees; *levels stays NULL for another kind. */
static int32_t read_levels(double **levels, int64_t *count, int64_t *order,
                           const char *name, const pvg_statistic *statistic,
                           const double *values) {
    pvgi_bands_shape shape;
    if (!pvgi_statistic_bands_shape(&shape, statistic)) return PVG_OK;
    PVGI_REQUIRE(*order == 0 || *order == shape.order,
                 "%s: order %lld is not that of the query", name, (long long)*order);
    *order = shape.order;
    return pvgi_derive_levels(levels, count, &shape, values);
}

int32_t pvg_estimate_sequence(int64_t *out, const pvg_query *query,
                              const pvg_release *release, int64_t order) {
    const char *name = "pvg_estimate_sequence";
    const pvg_statistic *statistic = NULL;
    const double *values = NULL;
    pvgi_degree_shape distributions = {0};
    if (!out) return pvgi_fail_null(name, "out");
    double *levels = NULL;
    int64_t count = 0;
    PVGI_TRY(pvgi_query_read_numbers(&statistic, &values, name, query, release));
    PVGI_TRY(read_levels(&levels, &count, &order, name, statistic, values));
    if (levels) {
        pvgi_derive_level_degrees(out, order, levels, count);
        pvgi_free(levels);
        return pvgi_derive_graphical(out, order);
    }
    PVGI_TRY(read_distributions(&distributions, &order, name, statistic));
    return pvgi_derive_sequence(out, &distributions, values, order);
}

int32_t pvg_estimate_moments(double *out, int64_t count, const pvg_query *query,
                             const pvg_release *release, int64_t order) {
    const char *name = "pvg_estimate_moments";
    const pvg_statistic *statistic = NULL;
    const double *values = NULL;
    pvgi_degree_shape distributions = {0};
    if (!out) return pvgi_fail_null(name, "out");
    PVGI_REQUIRE(count >= 0 && count <= PVGI_DERIVE_MOMENTS,
                 "%s: count is not in [0, 64]", name);
    double *levels = NULL;
    int64_t most = 0;
    PVGI_TRY(pvgi_query_read_numbers(&statistic, &values, name, query, release));
    PVGI_TRY(read_levels(&levels, &most, &order, name, statistic, values));
    if (levels) {
        pvgi_derive_level_moments(out, count, levels, most, order);
        pvgi_free(levels);
        return PVG_OK;
    }
    PVGI_TRY(read_distributions(&distributions, &order, name, statistic));
    return pvgi_derive_moments(out, count, &distributions, values, order);
}

int32_t pvg_estimate_densities(double *out, const pvg_patterns *patterns,
                               const pvg_query *query, const pvg_release *release,
                               int64_t order) {
    const char *name = "pvg_estimate_densities";
    const pvg_statistic *statistic = NULL;
    const double *values = NULL;
    pvgi_degree_shape distributions = {0};
    if (!out) return pvgi_fail_null(name, "out");
    if (!patterns) return pvgi_fail_null(name, "patterns");
    for (int64_t i = 0; i < patterns->count; i++)
        PVGI_REQUIRE(pvgi_pattern_is_forest(&patterns->pattern[i].graph),
                     "%s: pattern %lld has a cycle", name, (long long)i);
    PVGI_TRY(pvgi_query_read_numbers(&statistic, &values, name, query, release));
    PVGI_TRY(read_distributions(&distributions, &order, name, statistic));
    return pvgi_derive_densities(out, patterns, &distributions, values, order);
}

/* --- capped edges and degrees ------------------------------------------------------ */

int32_t pvg_estimate_least_edges(double *out, int64_t row, double confidence,
                                 const pvg_query *query, const pvg_release *release,
                                 int64_t order) {
    const char *name = "pvg_estimate_least_edges";
    const pvg_statistic *statistic = NULL;
    const double *values = NULL;
    pvgi_capped_shape shape;
    if (!out) return pvgi_fail_null(name, "out");
    PVGI_TRY(pvgi_query_read_numbers(&statistic, &values, name, query, release));
    PVGI_REQUIRE(pvgi_statistic_capped_shape(&shape, statistic) ||
                     pvgi_statistic_capped_triangles_shape(&shape, statistic),
                 "%s: the query is not one of capped-edges with cap=auto, or of "
                 "capped-triangles",
                 name);
    PVGI_REQUIRE(row >= 0 && row < shape.rows, "%s: row is not in [0, %lld)", name,
                 (long long)shape.rows);
    PVGI_REQUIRE(confidence > 0.0 && confidence < 1.0, "%s: confidence is not in (0, 1)",
                 name);
    if (shape.order > 0) {
        PVGI_REQUIRE(order == 0 || order == shape.order,
                     "%s: order %lld is not that of the query", name, (long long)order);
        order = shape.order;
    }
    PVGI_REQUIRE(order >= 1 && order <= PVGI_GRAPH_ORDER_MAX,
                 "%s: order is not in [1, 2^31)", name);
    PVGI_REQUIRE(release->content.rows == shape.rows,
                 "%s: the release is one of a set of graphs", name);
    const double cap = values[2 * row], edges = values[2 * row + 1];
    PVGI_REQUIRE(cap >= 1.0 && isfinite(cap) && isfinite(edges),
                 "%s: row %lld is no cap and count", name, (long long)row);
    *out = pvgi_derive_least_edges(&shape, order, cap, edges, confidence);
    return PVG_OK;
}

int32_t pvg_estimate_degree_law(double *noise, double *geometric, const pvg_query *query,
                                const pvg_release *release) {
    const char *name = "pvg_estimate_degree_law";
    const pvg_statistic *statistic = NULL;
    const double *values = NULL;
    pvgi_bands_shape shape;
    double *levels = NULL;
    int64_t count = 0, order = 0;
    PVGI_TRY(pvgi_query_read_numbers(&statistic, &values, name, query, release));
    PVGI_TRY(read_levels(&levels, &count, &order, name, statistic, values));
    PVGI_REQUIRE(pvgi_statistic_bands_shape(&shape, statistic),
                 "%s: the query is not one of capped-degrees", name);
    if (noise) *noise = sqrt(8.0) * (double)count / (shape.epsilon * (double)order);
    if (geometric) *geometric = pvgi_derive_geometric_distance(levels, count, order);
    pvgi_free(levels);
    return PVG_OK;
}

/* --- perturbed graphs, labels, features --------------------------------------------- */

static int32_t read_response(const pvgi_response **out, const pvg_graph **graph,
                             const char *name, const pvg_query *query,
                             const pvg_release *release) {
    PVGI_TRY(pvgi_query_answers(name, query, release));
    const bool perturbs = query->kind->frame == PVGI_FRAME_PERTURBED;
    *out = perturbs ? pvgi_perturb_response_of(query->state) : NULL;
    PVGI_REQUIRE(*out, "%s: the query is not randomised response on pairs", name);
    PVGI_REQUIRE(release->content.graph, "%s: the release holds no single graph", name);
    *graph = release->content.graph;
    return PVG_OK;
}

int32_t pvg_estimate_edges(double *out, double *variance, const pvg_query *query,
                           const pvg_release *release) {
    const char *name = "pvg_estimate_edges";
    const pvgi_response *response = NULL;
    const pvg_graph *graph = NULL;
    PVGI_TRY(read_response(&response, &graph, name, query, release));
    return pvgi_perturb_estimate_edges(out, variance, response, graph, name);
}

int32_t pvg_estimate_degrees(double *out, double *variances, const pvg_query *query,
                             const pvg_release *release) {
    const char *name = "pvg_estimate_degrees";
    const pvgi_response *response = NULL;
    const pvg_graph *graph = NULL;
    PVGI_TRY(read_response(&response, &graph, name, query, release));
    return pvgi_perturb_estimate_degrees(out, variances, response, graph, name);
}

int32_t pvg_estimate_triangles(double *out, double *variance, const pvg_query *query,
                               const pvg_release *release, const pvg_run *run) {
    const char *name = "pvg_estimate_triangles";
    const pvgi_response *response = NULL;
    const pvg_graph *graph = NULL;
    pvgi_run running;
    PVGI_TRY(read_response(&response, &graph, name, query, release));
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_perturb_estimate_triangles(out, variance, response, graph, &running,
                                           name);
}

/* Classes of a query of labels. */
static int32_t read_classes(int64_t *out, const char *name, const pvg_query *query) {
    if (!query) return pvgi_fail_null(name, "query");
    *out = query->kind->frame == PVGI_FRAME_PERTURBED
               ? pvgi_perturb_labels_classes(query->state)
               : 0;
    PVGI_REQUIRE(*out > 0, "%s: the query is not one of labels", name);
    return PVG_OK;
}

int32_t pvg_estimate_labels(double *estimates, double *variances, const pvg_query *query,
                            const pvg_release *release) {
    const char *name = "pvg_estimate_labels";
    int64_t classes = 0;
    if (!estimates) return pvgi_fail_null(name, "estimates");
    PVGI_TRY(read_classes(&classes, name, query));
    PVGI_TRY(pvgi_query_answers(name, query, release));
    const pvg_labels *labels = release->content.labels;
    PVGI_REQUIRE(labels, "%s: the release holds no labels", name);
    for (int64_t i = 0; i < labels->count; i++)
        PVGI_REQUIRE(labels->values[i] >= -1 && labels->values[i] < classes,
                     "%s: label %lld of the release is not below %lld", name,
                     (long long)i, (long long)classes);
    return pvgi_perturb_labels_histogram(estimates, variances, query->state,
                                         labels->values, labels->count);
}

int32_t pvg_estimate_transition(double *out, const pvg_query *query) {
    const char *name = "pvg_estimate_transition";
    int64_t classes = 0;
    if (!out) return pvgi_fail_null(name, "out");
    PVGI_TRY(read_classes(&classes, name, query));
    pvgi_perturb_labels_transition(out, query->state);
    return PVG_OK;
}

int32_t pvg_estimate_variance(double *out, const pvg_query *query, int64_t column,
                              double value) {
    const char *name = "pvg_estimate_variance";
    if (!out) return pvgi_fail_null(name, "out");
    if (!query) return pvgi_fail_null(name, "query");
    const pvgi_feature_state *state = query->kind->frame == PVGI_FRAME_PERTURBED
                                          ? pvgi_perturb_features_state(query->state)
                                          : NULL;
    PVGI_REQUIRE(state, "%s: the query is not one of features", name);
    PVGI_REQUIRE(column >= 0 && column < state->config.columns,
                 "%s: column is not in 0..columns-1", name);
    const int64_t range = pvgi_perturb_range(state, column);
    PVGI_REQUIRE(value >= state->low[range] && value <= state->high[range],
                 "%s: value is not in the range of the column", name);
    *out = pvgi_perturb_feature_variance(state, column, value);
    return PVG_OK;
}

/* --- smoothing ---------------------------------------------------------------------- */

static int32_t kprop(const char *name, double *out, const pvg_graph *rows,
                     const double *values, int64_t columns, int64_t rounds,
                     const pvg_run *run) {
    pvgi_run own;
    PVGI_REQUIRE(columns >= 0 && columns <= PVG_MECHANISM_DIMENSION_MAX,
                 "%s: columns is not in [0, %d]", name, PVG_MECHANISM_DIMENSION_MAX);
    PVGI_REQUIRE(rounds >= 0, "%s: rounds is negative", name);
    const int64_t cells = rows->order * columns;
    if (!out && cells > 0) return pvgi_fail_null(name, "out");
    if (!values && cells > 0) return pvgi_fail_null(name, "values");
    for (int64_t i = 0; i < cells; i++)
        PVGI_REQUIRE(isfinite(values[i]), "%s: values[%lld] is not finite", name,
                     (long long)i);
    PVGI_TRY(pvgi_run_begin(&own, run));
    return pvgi_derive_kprop(out, rows, values, columns, rounds, &own);
}

int32_t pvg_kprop_graph(double *out, const pvg_graph *graph, const double *values,
                        int64_t columns, int64_t rounds, const pvg_run *run) {
    const char *name = "pvg_kprop_graph";
    if (!graph) return pvgi_fail_null(name, "graph");
    return kprop(name, out, graph, values, columns, rounds, run);
}

int32_t pvg_kprop_lists(double *out, const int64_t *offsets, const int32_t *targets,
                        int64_t count, const double *values, int64_t columns,
                        int64_t rounds, const pvg_run *run) {
    const char *name = "pvg_kprop_lists";
    if (!offsets) return pvgi_fail_null(name, "offsets");
    PVGI_REQUIRE(count >= 0 && count <= PVGI_GRAPH_ORDER_MAX,
                 "%s: count is not in [0, 2^31 - 1]", name);
    PVGI_TRY(pvgi_graph_offsets_check("offsets", offsets, count));
    const int64_t entries = offsets[count];
    if (!targets && entries > 0) return pvgi_fail_null(name, "targets");
    for (int64_t i = 0; i < entries; i++)
        PVGI_REQUIRE(targets[i] >= 0 && targets[i] < count,
                     "%s: targets[%lld] is not in 0..count-1", name, (long long)i);
    /* read only; the arrays stay the caller's */
    const pvg_graph rows = {.order = count,
                            .offsets = (int64_t *)(uintptr_t)offsets,
                            .columns = (int32_t *)(uintptr_t)targets};
    return kprop(name, out, &rows, values, columns, rounds, run);
}

/* --- synthetic graphs --------------------------------------------------------------- */

static const pvgi_rule wiring_rules[] = {
    PVGI_ZERO(pvg_wiring_config, reserved),
    PVGI_FIELD(pvg_wiring_config, mixing, -INFINITY, 10, PVGI_CLOSED, "at most 10"),
};
static const pvgi_shape wiring_shape = PVGI_SHAPE(pvg_wiring_config, wiring_rules);

int32_t pvg_synthesis_graph(pvg_graph **out, const pvg_query *query,
                            const pvg_release *release, const pvg_wiring_config *config,
                            pvg_rng *rng, const pvg_run *run) {
    const char *name = "pvg_synthesis_graph";
    const pvg_statistic *statistic = NULL;
    const double *values = NULL;
    pvg_wiring_config own;
    pvgi_run running;
    pvgi_stream call;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    PVGI_TRY(pvgi_query_read_numbers(&statistic, &values, name, query, release));
    PVGI_REQUIRE(pvgi_statistic_is_synthesis(statistic),
                 "%s: the query is not one of synthesis", name);
    if (!rng) return pvgi_fail_null(name, "rng");
    PVGI_TRY(pvgi_config_read(&own, &wiring_shape, config, name, "config"));
    PVGI_TRY(pvgi_run_begin(&running, run));
    PVGI_TRY(pvgi_rng_stream_open(&call, rng));
    const double mixing = own.mixing == 0.0  ? PVGI_DERIVE_MIXING
                          : own.mixing < 0.0 ? 0.0
                                             : own.mixing;
    const int32_t status =
        pvgi_derive_synthesize(out, statistic, values, mixing, &call, &running);
    pvgi_rng_stream_close(&call);
    return status;
}

/* --- from lists ------------------------------------------------------------------- */

static int32_t read_lists(pvgi_list_read *out, const pvg_statistic **statistic,
                          const double **values, const char *name, const pvg_query *query,
                          const pvg_release *release) {
    PVGI_TRY(pvgi_query_read_numbers(statistic, values, name, query, release));
    PVGI_REQUIRE((*statistic)->kind->read, "%s: the query is not about lists", name);
    (*statistic)->kind->read(out, *statistic);
    return PVG_OK;
}

int32_t pvg_estimate_list_intervals(double *low, double *high, double confidence,
                                    const pvg_query *query, const pvg_release *release) {
    const char *name = "pvg_estimate_list_intervals";
    const pvg_statistic *statistic;
    const double *values;
    pvgi_list_read read;
    if (!low) return pvgi_fail_null(name, "low");
    if (!high) return pvgi_fail_null(name, "high");
    PVGI_REQUIRE(confidence >= 0.0 && confidence < 1.0, "%s: confidence is not in [0, 1)",
                 name);
    PVGI_TRY(read_lists(&read, &statistic, &values, name, query, release));
    pvgi_derive_list_intervals(low, high, values, statistic, &read, confidence);
    return PVG_OK;
}

int32_t pvg_estimate_list_counts(double *out, const pvg_query *query,
                                 const pvg_release *release) {
    const char *name = "pvg_estimate_list_counts";
    const pvg_statistic *statistic;
    const double *values;
    pvgi_list_read read;
    if (!out) return pvgi_fail_null(name, "out");
    PVGI_TRY(read_lists(&read, &statistic, &values, name, query, release));
    PVGI_REQUIRE(read.law && read.first == 1,
                 "%s: the query is not one of list-top with counts", name);
    return pvgi_derive_list_counts(
        out, values, statistic->rows, pvgi_mechanism_joint_deviation(read.law),
        statistic->order > 0 ? (double)statistic->order : (double)INFINITY);
}

int32_t pvg_estimate_list_directions(double *vectors, double *weights, int64_t *found,
                                     int64_t most, const pvg_query *query,
                                     const pvg_release *release, const pvg_run *run) {
    const char *name = "pvg_estimate_list_directions";
    const pvg_statistic *statistic;
    const double *values;
    pvgi_list_read read;
    pvgi_run running;
    if (!vectors) return pvgi_fail_null(name, "vectors");
    if (!weights) return pvgi_fail_null(name, "weights");
    if (!found) return pvgi_fail_null(name, "found");
    PVGI_REQUIRE(most >= 1, "%s: most is less than 1", name);
    PVGI_TRY(read_lists(&read, &statistic, &values, name, query, release));
    PVGI_REQUIRE(read.pairs > 0, "%s: the query is not one of list-pairs", name);
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_derive_list_directions(vectors, weights, found, most, values, read.pairs,
                                       pvgi_mechanism_joint_deviation(read.law),
                                       &running);
}

int32_t pvg_recommend_own(int32_t *out, double *scores, int64_t count,
                          const double *vectors, const double *weights,
                          int64_t directions, int64_t places, const int32_t *own,
                          int64_t own_count) {
    const char *name = "pvg_recommend_own";
    PVGI_REQUIRE(count >= 0 && directions >= 0 && own_count >= 0,
                 "%s: count, directions or own_count is negative", name);
    PVGI_REQUIRE(places >= 1 && places <= PVGI_GRAPH_ORDER_MAX,
                 "%s: places is not in [1, 2^31)", name);
    if (count > 0 && !out) return pvgi_fail_null(name, "out");
    if (directions > 0 && !vectors) return pvgi_fail_null(name, "vectors");
    if (directions > 0 && !weights) return pvgi_fail_null(name, "weights");
    if (own_count > 0 && !own) return pvgi_fail_null(name, "own");
    for (int64_t i = 0; i < own_count; i++)
        PVGI_REQUIRE(own[i] >= 0 && own[i] < places,
                     "%s: own[%lld] is not in 0..places-1", name, (long long)i);
    return pvgi_derive_recommend(out, scores, count, vectors, weights, directions, places,
                                 own, own_count);
}
