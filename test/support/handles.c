/* Handles of the frames for tests (handles.h). */
#include "handles.h"

#include <math.h>
#include <sodium.h>
#include <string.h>

/* What crosses the border is known by its type word (include/border.py). */
static void mark(const void *handle, const char *type) {
    unsigned char digest[crypto_hash_sha256_BYTES];
    uint64_t word = 0;
    crypto_hash_sha256(digest, (const unsigned char *)type, strlen(type));
    for (int i = 0; i < 8; i++) word = word << 8 | digest[i];
    *(uint64_t *)(uintptr_t)handle = word;
}

/* --- statistic ---------------------------------------------------------------------- */

void pvgt_statistic_free(pvg_statistic *statistic) {
    pvgi_statistic_free(statistic);
}

int64_t pvgt_statistic_rows(const pvg_statistic *statistic) {
    return statistic ? statistic->rows : 0;
}

int64_t pvgt_statistic_columns(const pvg_statistic *statistic) {
    return statistic ? statistic->columns : 0;
}

static const pvg_guarantee *statistic_guarantee_inner(const pvg_statistic *statistic) {
    return statistic ? &statistic->guarantee : NULL;
}

const pvg_guarantee *pvgt_statistic_guarantee(const pvg_statistic *statistic) {
    const pvg_guarantee *lent = statistic_guarantee_inner(statistic);
    if (lent) mark(lent, "pvg_guarantee");
    return lent;
}

int32_t pvgt_statistic_copy_deviation(double *out, const pvg_statistic *statistic) {
    const char *name = "pvgt_statistic_copy_deviation";
    if (!out) return pvgi_fail_null(name, "out");
    if (!statistic) return pvgi_fail_null(name, "statistic");
    return pvgi_statistic_deviations(out, statistic, name);
}

int32_t pvgt_statistic_values_exact(double *out, const pvg_statistic *statistic,
                                    const pvg_graph *graph, const pvg_run *run) {
    const char *name = "pvgt_statistic_values_exact";
    pvgi_run running;
    if (!out) return pvgi_fail_null(name, "out");
    if (!statistic) return pvgi_fail_null(name, "statistic");
    if (!graph) return pvgi_fail_null(name, "graph");
    PVGI_TRY(pvgi_run_begin(&running, run));
    PVGI_TRY(pvgi_statistic_check(statistic, graph->order, name));
    const size_t cells = (size_t)statistic->rows * (size_t)statistic->columns;
    pvgi_scratch scratch;
    double *own = pvgi_alloc(cells, sizeof *own); /* out stays untouched on failure */
    if (!own) return pvgi_fail_nomem();
    int32_t status = pvgi_statistic_scratch(&scratch, statistic, graph->order, &running);
    if (status == PVG_OK)
        status = pvgi_statistic_draw(own, statistic, graph, &scratch, NULL, &running);
    if (status == PVG_OK) memcpy(out, own, cells * sizeof *own);
    pvgi_statistic_scratch_free(&scratch);
    pvgi_free(own);
    return status;
}

static int32_t statistic_lines_inner(pvg_preview **out, const pvg_statistic *statistic,
                                     int64_t order, int64_t common) {
    const char *name = "pvgt_statistic_lines";
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!statistic) return pvgi_fail_null(name, "statistic");
    if (order == 0) order = statistic->order;
    PVGI_REQUIRE(order >= 1 && order <= INT32_MAX, "%s: order is not in [1, 2^31)", name);
    PVGI_REQUIRE(statistic->order == 0 || order == statistic->order,
                 "%s: the statistic is for %lld nodes, not %lld", name,
                 (long long)statistic->order, (long long)order);
    PVGI_REQUIRE(common >= 0, "%s: common is negative", name);
    const pvgi_guess guess = {.common = common};
    return pvgi_statistic_lines(out, statistic, order, &guess, false);
}

int32_t pvgt_statistic_lines(pvg_preview **out, const pvg_statistic *statistic,
                             int64_t order, int64_t common) {
    const int32_t status = statistic_lines_inner(out, statistic, order, common);
    if (out && *out) mark(*out, "pvg_preview");
    return status;
}

int64_t pvgt_statistic_parts(const pvg_statistic *statistic) {
    return statistic ? pvgi_statistic_joined_parts(statistic) : 0;
}

int32_t pvgt_statistic_part(int64_t *first, int64_t *rows, int64_t *columns,
                            const pvg_statistic *statistic, int64_t part) {
    const char *name = "pvgt_statistic_part";
    int64_t offset;
    if (!statistic) return pvgi_fail_null(name, "statistic");
    PVGI_REQUIRE(part >= 0 && part < pvgi_statistic_joined_parts(statistic),
                 "%s: there is no part %lld", name, (long long)part);
    const pvg_statistic *found = pvgi_statistic_joined_part(statistic, part, &offset);
    if (first) *first = offset;
    if (rows) *rows = found->rows;
    if (columns) *columns = found->columns;
    return PVG_OK;
}

int32_t pvgt_statistic_new_histogram(pvg_statistic **out,
                                     const pvg_histogram_config *config,
                                     const pvg_target *target,
                                     const pvg_histogram_nodes *nodes) {
    return pvgi_statistic_new_histogram(out, "pvgt_statistic_new_histogram", config,
                                        target, nodes);
}

int32_t pvgt_statistic_new_degrees(pvg_statistic **out, const pvg_degrees_config *config,
                                   const pvg_target *target, const int32_t *groups) {
    return pvgi_statistic_new_degrees(out, "pvgt_statistic_new_degrees", config, target,
                                      groups);
}

int32_t pvgt_statistic_new_triangles(pvg_statistic **out,
                                     const pvg_triangles_config *config,
                                     const pvg_target *target) {
    return pvgi_statistic_new_triangles(out, "pvgt_statistic_new_triangles", config,
                                        target);
}

int32_t pvgt_statistic_new_stars(pvg_statistic **out, const pvg_stars_config *config,
                                 const pvg_target *target) {
    return pvgi_statistic_new_stars(out, "pvgt_statistic_new_stars", config, target);
}

int32_t pvgt_statistic_new_scalars(pvg_statistic **out, const pvg_scalars_config *config,
                                   const pvg_target *target, const int32_t *scalars,
                                   const double *weights) {
    return pvgi_statistic_new_scalars(out, "pvgt_statistic_new_scalars", config, target,
                                      scalars, weights);
}

int32_t pvgt_statistic_new_spectrum(pvg_statistic **out, int64_t order,
                                    const pvg_target *target) {
    return pvgi_statistic_new_spectrum(out, "pvgt_statistic_new_spectrum", order, target);
}

int32_t pvgt_statistic_new_joined(pvg_statistic **out, pvg_statistic **parts,
                                  int64_t count) {
    return pvgi_statistic_new_joined(out, "pvgt_statistic_new_joined", parts, count);
}

int32_t pvgt_statistic_new_synthesis(pvg_statistic **out,
                                     const pvg_synthesis_config *config,
                                     const pvg_target *target, const int32_t *blocks) {
    return pvgi_statistic_new_synthesis(out, "pvgt_statistic_new_synthesis", config,
                                        target, blocks);
}

/* --- perturb ------------------------------------------------------------------------ */

void pvgt_perturber_free(pvg_perturber *perturber) {
    pvgi_perturb_free(perturber);
}

int32_t pvgt_perturber_input(const pvg_perturber *perturber) {
    return perturber ? perturber->method->input : 0;
}

static const pvg_guarantee *perturber_guarantee_inner(const pvg_perturber *perturber) {
    return perturber ? &perturber->guarantee : NULL;
}

const pvg_guarantee *pvgt_perturber_guarantee(const pvg_perturber *perturber) {
    const pvg_guarantee *lent = perturber_guarantee_inner(perturber);
    if (lent) mark(lent, "pvg_guarantee");
    return lent;
}

int32_t pvgt_perturber_new_features(pvg_perturber **out,
                                    const pvg_features_config *config,
                                    const pvg_target *target, const double *low,
                                    const double *high) {
    return pvgi_perturb_new_features(out, "pvgt_perturber_new_features", config, target,
                                     low, high);
}

int64_t pvgt_perturber_sampled(const pvg_perturber *perturber) {
    const pvgi_feature_state *state =
        perturber ? pvgi_perturb_features_state(perturber) : NULL;
    return state ? state->config.sampled : 0;
}

int32_t pvgt_perturber_feature_variance(double *out, const pvg_perturber *perturber,
                                        int64_t column, double value) {
    const char *name = "pvgt_perturber_feature_variance";
    if (!out) return pvgi_fail_null(name, "out");
    if (!perturber) return pvgi_fail_null(name, "perturber");
    const pvgi_feature_state *state = pvgi_perturb_features_state(perturber);
    PVGI_REQUIRE(state, "%s: the perturber is not one for features", name);
    PVGI_REQUIRE(column >= 0 && column < state->config.columns,
                 "%s: column is not in 0..columns-1", name);
    const int64_t range = pvgi_perturb_range(state, column);
    PVGI_REQUIRE(value >= state->low[range] && value <= state->high[range],
                 "%s: value is not in the range of the column", name);
    *out = pvgi_perturb_feature_variance(state, column, value);
    return PVG_OK;
}

int32_t pvgt_perturber_new_response(pvg_perturber **out,
                                    const pvg_response_config *config,
                                    const pvg_target *target) {
    return pvgi_perturb_new_response(out, "pvgt_perturber_new_response", config, target);
}

/* What estimates are about. */
static int32_t find_response(const pvgi_response **out, const pvg_perturber *perturber,
                             const char *name) {
    if (!perturber) return pvgi_fail_null(name, "perturber");
    *out = pvgi_perturb_response_of(perturber);
    PVGI_REQUIRE(*out, "%s: the perturber is not one of randomised response on pairs",
                 name);
    return PVG_OK;
}

int32_t pvgt_perturber_preview_edges(double *expected, double *most,
                                     const pvg_perturber *perturber, int64_t order) {
    const char *name = "pvgt_perturber_preview_edges";
    double mean, tail;
    if (!perturber) return pvgi_fail_null(name, "perturber");
    const pvgi_response *response = pvgi_perturb_response_of(perturber);
    PVGI_REQUIRE(response || pvgi_perturb_is_lapgraph(perturber),
                 "%s: the perturber is not randomised response on pairs or LapGraph",
                 name);
    PVGI_REQUIRE(order >= 0 && order <= PVGI_GRAPH_ORDER_MAX,
                 "%s: order is not in [0, 2^31 - 1]", name);
    if (response) {
        mean = pvgi_perturb_response_expected(response, order);
        tail = pvgi_perturb_most(mean, pvgi_perturb_pairs(order));
    } else {
        pvgi_perturb_lapgraph_expected(&mean, &tail, perturber, order);
    }
    if (expected) *expected = mean;
    if (most) *most = tail;
    return PVG_OK;
}

static int32_t perturber_lines_inner(pvg_preview **out, const pvg_perturber *perturber,
                                     int64_t order) {
    const char *name = "pvgt_perturber_lines";
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!perturber) return pvgi_fail_null(name, "perturber");
    PVGI_REQUIRE(order >= 1 && order <= PVGI_GRAPH_ORDER_MAX,
                 "%s: order is not in [1, 2^31 - 1]", name);
    PVGI_REQUIRE(perturber->order == 0 || perturber->order == order,
                 "%s: the perturber is for %lld nodes, not %lld", name,
                 (long long)perturber->order, (long long)order);
    return pvgi_perturb_lines(out, perturber, order, false);
}

int32_t pvgt_perturber_lines(pvg_preview **out, const pvg_perturber *perturber,
                             int64_t order) {
    const int32_t status = perturber_lines_inner(out, perturber, order);
    if (out && *out) mark(*out, "pvg_preview");
    return status;
}

int32_t pvgt_perturber_new_lapgraph(pvg_perturber **out,
                                    const pvg_lapgraph_config *config,
                                    const pvg_target *target) {
    return pvgi_perturb_new_lapgraph(out, "pvgt_perturber_new_lapgraph", config, target);
}

int32_t pvgt_perturber_estimate_edges(double *out, double *variance,
                                      const pvg_perturber *perturber,
                                      const pvg_graph *released) {
    const char *name = "pvgt_perturber_estimate_edges";
    const pvgi_response *response;
    PVGI_TRY(find_response(&response, perturber, name));
    if (!released) return pvgi_fail_null(name, "released");
    return pvgi_perturb_estimate_edges(out, variance, response, released, name);
}

int32_t pvgt_perturber_estimate_degrees(double *out, double *variances,
                                        const pvg_perturber *perturber,
                                        const pvg_graph *released) {
    const char *name = "pvgt_perturber_estimate_degrees";
    const pvgi_response *response;
    PVGI_TRY(find_response(&response, perturber, name));
    if (!released) return pvgi_fail_null(name, "released");
    return pvgi_perturb_estimate_degrees(out, variances, response, released, name);
}

int32_t pvgt_perturber_estimate_triangles(double *out, double *variance,
                                          const pvg_perturber *perturber,
                                          const pvg_graph *released, const pvg_run *run) {
    const char *name = "pvgt_perturber_estimate_triangles";
    const pvgi_response *response;
    pvgi_run r;
    PVGI_TRY(find_response(&response, perturber, name));
    if (!released) return pvgi_fail_null(name, "released");
    PVGI_TRY(pvgi_run_begin(&r, run));
    return pvgi_perturb_estimate_triangles(out, variance, response, released, &r, name);
}

int32_t pvgt_perturber_new_labels(pvg_perturber **out, const pvg_labels_config *config,
                                  const pvg_target *target) {
    return pvgi_perturb_new_labels(out, "pvgt_perturber_new_labels", config, target);
}

int64_t pvgt_perturber_classes(const pvg_perturber *perturber) {
    return perturber ? pvgi_perturb_labels_classes(perturber) : 0;
}

int32_t pvgt_perturber_copy_transition(double *out, const pvg_perturber *perturber) {
    const char *name = "pvgt_perturber_copy_transition";
    if (!out) return pvgi_fail_null(name, "out");
    if (!perturber) return pvgi_fail_null(name, "perturber");
    PVGI_REQUIRE(pvgi_perturb_labels_classes(perturber) > 0,
                 "%s: the perturber is not one for labels", name);
    pvgi_perturb_labels_transition(out, perturber);
    return PVG_OK;
}

int32_t pvgt_perturber_label_histogram(double *estimates, double *variances,
                                       const pvg_perturber *perturber,
                                       const int32_t *released, int64_t count) {
    const char *name = "pvgt_perturber_label_histogram";
    if (!estimates) return pvgi_fail_null(name, "estimates");
    if (!perturber) return pvgi_fail_null(name, "perturber");
    const int64_t classes = pvgi_perturb_labels_classes(perturber);
    PVGI_REQUIRE(classes > 0, "%s: the perturber is not one for labels", name);
    PVGI_REQUIRE(count >= 0, "%s: count is negative", name);
    if (!released && count > 0) return pvgi_fail_null(name, "released");
    for (int64_t i = 0; i < count; i++)
        PVGI_REQUIRE(released[i] >= -1 && released[i] < classes,
                     "%s: released[%lld] is not in -1..classes-1", name, (long long)i);
    return pvgi_perturb_labels_histogram(estimates, variances, perturber, released,
                                         count);
}

int32_t pvgt_perturber_new_dprr(pvg_perturber **out, const pvg_dprr_config *config,
                                const pvg_target *target) {
    return pvgi_perturb_new_dprr(out, "pvgt_perturber_new_dprr", config, target);
}

int32_t pvgt_perturber_new_subset(pvg_perturber **out, const pvg_lists_config *config,
                                  const pvg_target *target) {
    return pvgi_perturb_new_subset(out, "pvgt_perturber_new_subset", config, target);
}

int32_t pvgt_perturber_new_slots(pvg_perturber **out, const pvg_slots_config *config,
                                 const pvg_target *target, const int32_t *blocks,
                                 const double *similarities) {
    return pvgi_perturb_new_slots(out, "pvgt_perturber_new_slots", config, target, blocks,
                                  similarities);
}

int32_t pvgt_perturber_new_blink(pvg_perturber **out, const pvg_blink_config *config,
                                 const pvg_target *target) {
    return pvgi_perturb_new_blink(out, "pvgt_perturber_new_blink", config, target);
}

int32_t pvgt_perturber_new_graphprivatizer(pvg_perturber **out,
                                           const pvg_graphprivatizer_config *config,
                                           const pvg_target *target,
                                           const pvg_features *features) {
    if (out) *out = NULL;
    if (!features)
        return pvgi_fail_null("pvgt_perturber_new_graphprivatizer", "features");
    return pvgi_perturb_new_graphprivatizer(out, "pvgt_perturber_new_graphprivatizer",
                                            config, target, features);
}

/* --- query -------------------------------------------------------------------------- */

int32_t pvgt_embedder_new(pvg_embedder **out, const pvg_patterns *patterns,
                          const pvg_embedder_config *config, const pvg_target *target,
                          const double *weights, const pvg_run *run) {
    return pvgi_query_new_embedder(out, "pvgt_embedder_new", patterns, config, target,
                                   weights, run);
}

void pvgt_embedder_free(pvg_embedder *embedder) {
    pvgi_query_embedder_free(embedder);
}

int64_t pvgt_embedder_columns(const pvg_embedder *embedder) {
    return embedder ? embedder->plan.count + (embedder->config.append_order != 0) : 0;
}

int32_t pvgt_embedder_preview(double *sensitivities, double *ranges, double *scales,
                              const pvg_embedder *embedder, int64_t order) {
    const char *name = "pvgt_embedder_preview";
    if (!embedder) return pvgi_fail_null(name, "embedder");
    PVGI_REQUIRE(order >= 1, "%s: order is less than 1", name);
    if (scales && pvgi_mechanism_is_smooth(embedder->target.noise))
        return pvgi_fail(PVG_E_PRIVACY, "%s: the scale of smooth noise is private", name);
    return pvgi_query_preview(embedder, order, sensitivities, ranges, scales, 0.0);
}

int32_t pvgt_embedder_covariance(double *out, const pvg_embedder *embedder,
                                 int64_t order) {
    const char *name = "pvgt_embedder_covariance";
    if (!out) return pvgi_fail_null(name, "out");
    if (!embedder) return pvgi_fail_null(name, "embedder");
    PVGI_REQUIRE(order >= 1, "%s: order is less than 1", name);
    if (pvgi_mechanism_is_smooth(embedder->target.noise))
        return pvgi_fail(PVG_E_PRIVACY, "%s: the scale of smooth noise is private", name);
    return pvgi_query_covariance(out, embedder, order);
}

int32_t pvgt_embedder_compare_exact(double *out, const double *values, int64_t rows,
                                    const double *first, const double *second,
                                    const pvg_embedder *embedder, int64_t order) {
    const char *name = "pvgt_embedder_compare_exact";
    if (!embedder) return pvgi_fail_null(name, "embedder");
    PVGI_REQUIRE(rows >= 0, "%s: rows is negative", name);
    PVGI_REQUIRE(order >= 1, "%s: order is less than 1", name);
    if (!out && rows > 0) return pvgi_fail_null(name, "out");
    if (!values && rows > 0) return pvgi_fail_null(name, "values");
    if (!first) return pvgi_fail_null(name, "first");
    if (!second) return pvgi_fail_null(name, "second");
    if (pvgi_mechanism_is_smooth(embedder->target.noise))
        return pvgi_fail(PVG_E_PRIVACY, "%s: the scale of smooth noise is private", name);
    return pvgi_query_compare(out, embedder, order, values, rows, first, second);
}

static int32_t embedder_lines_inner(pvg_preview **out, const pvg_embedder *embedder,
                                    int64_t order, const pvg_run *run) {
    const char *name = "pvgt_embedder_lines";
    pvgi_run running;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!embedder) return pvgi_fail_null(name, "embedder");
    PVGI_REQUIRE(order >= 1, "%s: order is less than 1", name);
    if (pvgi_mechanism_is_smooth(embedder->target.noise))
        return pvgi_fail(PVG_E_PRIVACY, "%s: the scale of smooth noise is private", name);
    PVGI_REQUIRE(embedder->target.epsilon > 0.0,
                 "%s: the embedder's target has a parameter, no epsilon", name);
    const pvgi_preview_question question = {
        .function = name,
        .patterns = embedder->patterns,
        .target = &embedder->target,
        .count = embedder->plan.count,
        .order = order,
        .degree_bound = embedder->config.degree_bound,
        .measure = pvgi_query_preview,
        .context = embedder,
    };
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_preview_build(out, &question, &running);
}

int32_t pvgt_embedder_lines(pvg_preview **out, const pvg_embedder *embedder,
                            int64_t order, const pvg_run *run) {
    const int32_t status = embedder_lines_inner(out, embedder, order, run);
    if (out && *out) mark(*out, "pvg_preview");
    return status;
}

static int32_t embedder_guarantee_inner(pvg_guarantee **out, const pvg_embedder *embedder,
                                        const int64_t *orders, int64_t count) {
    const char *name = "pvgt_embedder_guarantee";
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!embedder) return pvgi_fail_null(name, "embedder");
    PVGI_REQUIRE(count >= 0, "%s: count is negative", name);
    if (!orders && count > 0) return pvgi_fail_null(name, "orders");
    for (int64_t i = 0; i < count; i++)
        PVGI_REQUIRE(orders[i] >= 0, "%s: orders[%lld] is negative", name, (long long)i);
    pvg_guarantee *guarantee = pvgi_alloc_zero(1, sizeof *guarantee);
    if (!guarantee) return pvgi_fail_nomem();
    const int32_t status =
        pvgi_query_embedder_guarantee(guarantee, embedder, orders, count);
    if (status == PVG_OK)
        *out = guarantee;
    else
        pvg_guarantee_free(guarantee);
    return status;
}

int32_t pvgt_embedder_guarantee(pvg_guarantee **out, const pvg_embedder *embedder,
                                const int64_t *orders, int64_t count) {
    const int32_t status = embedder_guarantee_inner(out, embedder, orders, count);
    if (out && *out) mark(*out, "pvg_guarantee");
    return status;
}

int32_t pvgt_propagator_new(pvg_propagator **out, const pvg_layers *layers,
                            const pvg_assumption *assumption, int64_t columns,
                            const pvg_propagator_config *config,
                            const pvg_target *target) {
    return pvgi_query_new_propagator(out, "pvgt_propagator_new", layers, assumption,
                                     columns, config, target);
}

void pvgt_propagator_free(pvg_propagator *propagator) {
    pvgi_query_propagator_free(propagator);
}

int32_t pvgt_propagator_preview(pvg_propagation_preview *out,
                                const pvg_propagator *propagator) {
    const char *name = "pvgt_propagator_preview";
    const pvg_propagator *p = propagator;
    if (!out) return pvgi_fail_null(name, "out");
    if (!p) return pvgi_fail_null(name, "propagator");
    pvg_propagation_preview own = {
        .method = p->method,
        .columns = p->columns * (p->method == PVG_PROPAGATION_HOPS ? p->depth : 1),
        .mu = p->mu,
        .epsilon = pvgi_guarantee_epsilon(&p->guarantee, p->target.delta),
        .scale = p->scale,
        .grid = ldexp(1.0, p->grid),
        .output_noise = p->output_noise,
        .other_noise = p->other_noise,
        .sensitivity = p->sensitivity};
    for (int64_t k = 1; k < p->depth; k++) own.gamma = fmax(own.gamma, p->gammas[k]);
    return pvgi_config_export(out, &own, sizeof own, "pvg_propagation_preview");
}

static int32_t propagator_lines_inner(pvg_preview **out,
                                      const pvg_propagator *propagator) {
    const char *name = "pvgt_propagator_lines";
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!propagator) return pvgi_fail_null(name, "propagator");
    return pvgi_query_propagator_lines(out, propagator, name, false);
}

int32_t pvgt_propagator_lines(pvg_preview **out, const pvg_propagator *propagator) {
    const int32_t status = propagator_lines_inner(out, propagator);
    if (out && *out) mark(*out, "pvg_preview");
    return status;
}

static const pvg_guarantee *propagator_guarantee_inner(const pvg_propagator *propagator) {
    return propagator ? &propagator->guarantee : NULL;
}

const pvg_guarantee *pvgt_propagator_guarantee(const pvg_propagator *propagator) {
    const pvg_guarantee *lent = propagator_guarantee_inner(propagator);
    if (lent) mark(lent, "pvg_guarantee");
    return lent;
}

int64_t pvgt_propagator_depth(const pvg_propagator *propagator) {
    return propagator ? propagator->depth : 0;
}

int32_t pvgt_propagator_copy_layers(double *gammas, double *shifts, double *scales,
                                    const pvg_propagator *propagator) {
    const pvg_propagator *p = propagator;
    if (!p) return pvgi_fail_null("pvgt_propagator_copy_layers", "propagator");
    const size_t bytes = (size_t)p->depth * sizeof(double);
    if (gammas) memcpy(gammas, p->gammas, bytes);
    if (shifts) memcpy(shifts, p->shifts, bytes);
    for (int64_t k = 0; scales && k < p->depth; k++)
        scales[k] =
            p->method == PVG_PROPAGATION_OUTPUT && k + 1 < p->depth ? 0.0 : p->scale;
    return PVG_OK;
}

/* --- release ------------------------------------------------------------------------ */

static int32_t embed(const char *function, pvg_release **out,
                     const pvg_embedder *embedder, const pvgi_hosts *hosts,
                     uint32_t declared, const pvgi_payer *payer) {
    pvgi_embed_job job;
    if (!embedder) return pvgi_fail_null(function, "embedder");
    pvgi_draw draw = pvgi_query_embedding(&job, embedder, hosts, NULL);
    draw.declared = declared;
    return pvgi_release_draw(out, function, &draw, payer);
}

/* 0 without a ledger: no name, and so about any object. */
static const uint64_t *named(const uint64_t *object, const pvg_ledger *ledger) {
    return ledger || *object != 0 ? object : NULL;
}

static int32_t release_draw_embeddings_inner(pvg_release **out,
                                             const pvg_embedder *embedder,
                                             const pvg_graphset *set,
                                             const uint64_t *objects, pvg_rng *rng,
                                             pvg_ledger *ledger, const pvg_run *run) {
    const char *name = "pvgt_release_draw_embeddings";
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!set) return pvgi_fail_null(name, "set");
    pvgi_hosts hosts = {set->count, set->starts, set->offsets, set->columns};
    if (embedder && embedder->config.degrees == PVG_DEGREES_TRUNCATED)
        PVGI_TRY(pvgi_graph_set_rows(&hosts.starts, &hosts.offsets, &hosts.columns, set));
    const pvgi_payer payer = {.ledger = ledger,
                              .objects = objects,
                              .count = set->count,
                              .rng = rng,
                              .run = run};
    return embed(name, out, embedder, &hosts, set->declared, &payer);
}

int32_t pvgt_release_draw_embeddings(pvg_release **out, const pvg_embedder *embedder,
                                     const pvg_graphset *set, const uint64_t *objects,
                                     pvg_rng *rng, pvg_ledger *ledger,
                                     const pvg_run *run) {
    const int32_t status =
        release_draw_embeddings_inner(out, embedder, set, objects, rng, ledger, run);
    if (out && *out) mark(*out, "pvg_release");
    return status;
}

static int32_t release_draw_embedding_inner(pvg_release **out,
                                            const pvg_embedder *embedder,
                                            const pvg_graph *graph, uint64_t object,
                                            pvg_rng *rng, pvg_ledger *ledger,
                                            const pvg_run *run) {
    const char *name = "pvgt_release_draw_embedding";
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!graph) return pvgi_fail_null(name, "graph");
    const int64_t starts[2] = {0, graph->order};
    const pvgi_hosts hosts = {1, starts, graph->offsets, graph->columns};
    const pvgi_payer payer = {.ledger = ledger,
                              .objects = named(&object, ledger),
                              .count = 1,
                              .rng = rng,
                              .run = run};
    return embed(name, out, embedder, &hosts, graph->declared, &payer);
}

int32_t pvgt_release_draw_embedding(pvg_release **out, const pvg_embedder *embedder,
                                    const pvg_graph *graph, uint64_t object, pvg_rng *rng,
                                    pvg_ledger *ledger, const pvg_run *run) {
    const int32_t status =
        release_draw_embedding_inner(out, embedder, graph, object, rng, ledger, run);
    if (out && *out) mark(*out, "pvg_release");
    return status;
}

static int32_t release_draw_propagation_inner(pvg_release **out,
                                              const pvg_propagator *propagator,
                                              const pvg_graph *graph,
                                              const pvg_features *features,
                                              uint64_t object, pvg_rng *rng,
                                              pvg_ledger *ledger, const pvg_run *run) {
    const char *name = "pvgt_release_draw_propagation";
    pvgi_propagation_job job;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!propagator) return pvgi_fail_null(name, "propagator");
    if (!graph) return pvgi_fail_null(name, "graph");
    if (!features) return pvgi_fail_null(name, "features");
    pvgi_draw draw = pvgi_query_propagation(&job, propagator, graph, features);
    const pvgi_payer payer = {.ledger = ledger,
                              .objects = named(&object, ledger),
                              .count = 1,
                              .rng = rng,
                              .run = run};
    pvg_guarantee price = {0};
    PVGI_TRY(pvgi_query_propagator_price(&price, propagator, ledger, object));
    draw.price = &price;
    const int32_t status = pvgi_release_draw(out, name, &draw, &payer);
    pvgi_guarantee_drop(&price);
    return status;
}

int32_t pvgt_release_draw_propagation(pvg_release **out, const pvg_propagator *propagator,
                                      const pvg_graph *graph,
                                      const pvg_features *features, uint64_t object,
                                      pvg_rng *rng, pvg_ledger *ledger,
                                      const pvg_run *run) {
    const int32_t status = release_draw_propagation_inner(
        out, propagator, graph, features, object, rng, ledger, run);
    if (out && *out) mark(*out, "pvg_release");
    return status;
}

static int32_t perturb(const char *function, pvg_release **out,
                       const pvg_perturber *perturber, int32_t kind,
                       const pvgi_perturb_input *input, const pvg_graphset *set,
                       const pvgi_payer *payer) {
    static const char *const kinds[] = {"", "graphs", "features", "labels"};
    pvgi_perturb_job job;
    if (!perturber) return pvgi_fail_null(function, "perturber");
    PVGI_REQUIRE(perturber->method->input == kind, "%s: the perturber is one for %s",
                 function, kinds[perturber->method->input]);
    if (!set && !input->graph && !input->features && !input->labels)
        return pvgi_fail_null(function,
                              kind == PVG_PERTURBS_GRAPH ? "graph" : kinds[kind]);
    pvgi_draw draw = pvgi_query_perturbation(&job, perturber, input, set);
    return pvgi_release_draw(out, function, &draw, payer);
}

static int32_t release_draw_graph_inner(pvg_release **out, const pvg_perturber *perturber,
                                        const pvg_graph *graph, uint64_t object,
                                        pvg_rng *rng, pvg_ledger *ledger,
                                        const pvg_run *run) {
    const char *name = "pvgt_release_draw_graph";
    const pvgi_perturb_input input = {.graph = graph};
    const pvgi_payer payer = {.ledger = ledger,
                              .objects = named(&object, ledger),
                              .count = 1,
                              .rng = rng,
                              .run = run};
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    return perturb(name, out, perturber, PVG_PERTURBS_GRAPH, &input, NULL, &payer);
}

int32_t pvgt_release_draw_graph(pvg_release **out, const pvg_perturber *perturber,
                                const pvg_graph *graph, uint64_t object, pvg_rng *rng,
                                pvg_ledger *ledger, const pvg_run *run) {
    const int32_t status =
        release_draw_graph_inner(out, perturber, graph, object, rng, ledger, run);
    if (out && *out) mark(*out, "pvg_release");
    return status;
}

static int32_t release_draw_graphs_inner(pvg_release **out,
                                         const pvg_perturber *perturber,
                                         const pvg_graphset *set, const uint64_t *objects,
                                         pvg_rng *rng, pvg_ledger *ledger,
                                         const pvg_run *run) {
    const char *name = "pvgt_release_draw_graphs";
    const pvgi_perturb_input none = {0};
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!set) return pvgi_fail_null(name, "set");
    const pvgi_payer payer = {.ledger = ledger,
                              .objects = objects,
                              .count = set->count,
                              .rng = rng,
                              .run = run};
    return perturb(name, out, perturber, PVG_PERTURBS_GRAPH, &none, set, &payer);
}

int32_t pvgt_release_draw_graphs(pvg_release **out, const pvg_perturber *perturber,
                                 const pvg_graphset *set, const uint64_t *objects,
                                 pvg_rng *rng, pvg_ledger *ledger, const pvg_run *run) {
    const int32_t status =
        release_draw_graphs_inner(out, perturber, set, objects, rng, ledger, run);
    if (out && *out) mark(*out, "pvg_release");
    return status;
}

static int32_t release_draw_features_inner(pvg_release **out,
                                           const pvg_perturber *perturber,
                                           const pvg_features *features, uint64_t object,
                                           pvg_rng *rng, pvg_ledger *ledger,
                                           const pvg_run *run) {
    const char *name = "pvgt_release_draw_features";
    const pvgi_perturb_input input = {.features = features};
    const pvgi_payer payer = {.ledger = ledger,
                              .objects = named(&object, ledger),
                              .count = 1,
                              .rng = rng,
                              .run = run};
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    return perturb(name, out, perturber, PVG_PERTURBS_FEATURES, &input, NULL, &payer);
}

int32_t pvgt_release_draw_features(pvg_release **out, const pvg_perturber *perturber,
                                   const pvg_features *features, uint64_t object,
                                   pvg_rng *rng, pvg_ledger *ledger, const pvg_run *run) {
    const int32_t status =
        release_draw_features_inner(out, perturber, features, object, rng, ledger, run);
    if (out && *out) mark(*out, "pvg_release");
    return status;
}

static int32_t release_draw_labels_inner(pvg_release **out,
                                         const pvg_perturber *perturber,
                                         const pvg_labels *labels, uint64_t object,
                                         pvg_rng *rng, pvg_ledger *ledger,
                                         const pvg_run *run) {
    const char *name = "pvgt_release_draw_labels";
    const pvgi_perturb_input input = {.labels = labels};
    const pvgi_payer payer = {.ledger = ledger,
                              .objects = named(&object, ledger),
                              .count = 1,
                              .rng = rng,
                              .run = run};
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    return perturb(name, out, perturber, PVG_PERTURBS_LABELS, &input, NULL, &payer);
}

int32_t pvgt_release_draw_labels(pvg_release **out, const pvg_perturber *perturber,
                                 const pvg_labels *labels, uint64_t object, pvg_rng *rng,
                                 pvg_ledger *ledger, const pvg_run *run) {
    const int32_t status =
        release_draw_labels_inner(out, perturber, labels, object, rng, ledger, run);
    if (out && *out) mark(*out, "pvg_release");
    return status;
}

static int32_t release_draw_statistic_inner(pvg_release **out,
                                            const pvg_statistic *statistic,
                                            const pvg_graph *graph, uint64_t object,
                                            pvg_rng *rng, pvg_ledger *ledger,
                                            const pvg_run *run) {
    const char *name = "pvgt_release_draw_statistic";
    pvgi_statistic_job job;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!statistic) return pvgi_fail_null(name, "statistic");
    if (!graph) return pvgi_fail_null(name, "graph");
    pvgi_draw draw = pvgi_query_statistic(&job, statistic, graph, NULL);
    const pvgi_payer payer = {.ledger = ledger,
                              .objects = named(&object, ledger),
                              .count = 1,
                              .rng = rng,
                              .run = run};
    return pvgi_release_draw(out, name, &draw, &payer);
}

int32_t pvgt_release_draw_statistic(pvg_release **out, const pvg_statistic *statistic,
                                    const pvg_graph *graph, uint64_t object, pvg_rng *rng,
                                    pvg_ledger *ledger, const pvg_run *run) {
    const int32_t status =
        release_draw_statistic_inner(out, statistic, graph, object, rng, ledger, run);
    if (out && *out) mark(*out, "pvg_release");
    return status;
}

static int32_t release_draw_statistics_inner(pvg_release **out,
                                             const pvg_statistic *statistic,
                                             const pvg_graphset *set,
                                             const uint64_t *objects, pvg_rng *rng,
                                             pvg_ledger *ledger, const pvg_run *run) {
    const char *name = "pvgt_release_draw_statistics";
    pvgi_statistic_job job;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!statistic) return pvgi_fail_null(name, "statistic");
    if (!set) return pvgi_fail_null(name, "set");
    pvgi_draw draw = pvgi_query_statistic(&job, statistic, NULL, set);
    const pvgi_payer payer = {.ledger = ledger,
                              .objects = objects,
                              .count = set->count,
                              .rng = rng,
                              .run = run};
    return pvgi_release_draw(out, name, &draw, &payer);
}

int32_t pvgt_release_draw_statistics(pvg_release **out, const pvg_statistic *statistic,
                                     const pvg_graphset *set, const uint64_t *objects,
                                     pvg_rng *rng, pvg_ledger *ledger,
                                     const pvg_run *run) {
    const int32_t status =
        release_draw_statistics_inner(out, statistic, set, objects, rng, ledger, run);
    if (out && *out) mark(*out, "pvg_release");
    return status;
}

/* --- derive ------------------------------------------------------------------------- */

#include <math.h>
#include <string.h>

/* The shape of released diagrams, and their numbers. */
static int32_t read_distributions(pvgi_degree_shape *out, int64_t *order,
                                  const char *name, const pvg_statistic *statistic,
                                  const double *values) {
    if (!statistic) return pvgi_fail_null(name, "statistic");
    if (!values) return pvgi_fail_null(name, "values");
    PVGI_REQUIRE(pvgi_statistic_degrees_shape(out, statistic),
                 "%s: the statistic is not one of degrees", name);
    if (out->order > 0) {
        PVGI_REQUIRE(*order == 0 || *order == out->order,
                     "%s: order %lld is not that of the statistic", name,
                     (long long)*order);
        *order = out->order;
    }
    PVGI_REQUIRE(*order >= 1 && *order <= PVGI_GRAPH_ORDER_MAX,
                 "%s: order is not in [1, 2^31)", name);
    const int64_t cells = out->groups * (out->levels + out->ranks + 1);
    for (int64_t i = 0; i < cells; i++)
        PVGI_REQUIRE(isfinite(values[i]), "%s: values[%lld] is not finite", name,
                     (long long)i);
    return PVG_OK;
}

int32_t pvgt_degrees_sequence(int64_t *out, const pvg_statistic *statistic,
                              const double *values, int64_t order) {
    const char *name = "pvgt_degrees_sequence";
    pvgi_degree_shape distributions = {0};
    if (!out) return pvgi_fail_null(name, "out");
    PVGI_TRY(read_distributions(&distributions, &order, name, statistic, values));
    return pvgi_derive_sequence(out, &distributions, values, order);
}

int32_t pvgt_degrees_moments(double *out, int64_t count, const pvg_statistic *statistic,
                             const double *values, int64_t order) {
    const char *name = "pvgt_degrees_moments";
    pvgi_degree_shape distributions = {0};
    if (!out) return pvgi_fail_null(name, "out");
    PVGI_REQUIRE(count >= 0 && count <= PVGI_DERIVE_MOMENTS,
                 "%s: count is not in [0, 64]", name);
    PVGI_TRY(read_distributions(&distributions, &order, name, statistic, values));
    return pvgi_derive_moments(out, count, &distributions, values, order);
}

int32_t pvgt_degrees_densities(double *out, const pvg_patterns *patterns,
                               const pvg_statistic *statistic, const double *values,
                               int64_t order) {
    const char *name = "pvgt_degrees_densities";
    pvgi_degree_shape distributions = {0};
    if (!out) return pvgi_fail_null(name, "out");
    if (!patterns) return pvgi_fail_null(name, "patterns");
    for (int64_t i = 0; i < patterns->count; i++)
        PVGI_REQUIRE(pvgi_pattern_is_forest(&patterns->pattern[i].graph),
                     "%s: pattern %lld has a cycle", name, (long long)i);
    PVGI_TRY(read_distributions(&distributions, &order, name, statistic, values));
    return pvgi_derive_densities(out, patterns, &distributions, values, order);
}

static const pvgi_rule wiring_rules[] = {
    PVGI_ZERO(pvg_wiring_config, reserved),
    PVGI_FIELD(pvg_wiring_config, mixing, -INFINITY, 10, PVGI_CLOSED, "at most 10"),
};
static const pvgi_shape wiring_shape = PVGI_SHAPE(pvg_wiring_config, wiring_rules);

static int32_t synthesis_draw_inner(pvg_graph **out, const pvg_statistic *statistic,
                                    const double *values, const pvg_wiring_config *config,
                                    pvg_rng *rng, const pvg_run *run) {
    const char *name = "pvgt_synthesis_draw";
    pvg_wiring_config own;
    pvgi_run running;
    pvgi_stream call;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!statistic) return pvgi_fail_null(name, "statistic");
    if (!values) return pvgi_fail_null(name, "values");
    if (!rng) return pvgi_fail_null(name, "rng");
    PVGI_REQUIRE(pvgi_statistic_is_synthesis(statistic),
                 "%s: the statistic is not one of pvgt_statistic_new_synthesis", name);
    PVGI_TRY(pvgi_config_read(&own, &wiring_shape, config, name, "config"));
    for (int64_t i = 0; i < pvgt_statistic_columns(statistic); i++)
        PVGI_REQUIRE(isfinite(values[i]), "%s: values[%lld] is not finite", name,
                     (long long)i);
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

int32_t pvgt_synthesis_draw(pvg_graph **out, const pvg_statistic *statistic,
                            const double *values, const pvg_wiring_config *config,
                            pvg_rng *rng, const pvg_run *run) {
    const int32_t status = synthesis_draw_inner(out, statistic, values, config, rng, run);
    if (out && *out) mark(*out, "pvg_graph");
    return status;
}
