/* Front desk of perturb: every exported function of privgraph/perturb.h. */
#include "perturb_internal.h"

#include <math.h>

void pvg_perturber_free(pvg_perturber *perturber) {
    pvgi_perturb_free(perturber);
}

int32_t pvg_perturber_input(const pvg_perturber *perturber) {
    return perturber ? perturber->method->input : 0;
}

const pvg_guarantee *pvg_perturber_guarantee(const pvg_perturber *perturber) {
    return perturber ? &perturber->guarantee : NULL;
}

/* --- what configs may hold ------------------------------------------------------- */

static const pvgi_rule features_rules[] = {
    PVGI_ENUM(pvg_features_config, method, PVG_FEATURES_NOISE, "PVG_FEATURES"),
    PVGI_FIELD(pvg_features_config, columns, 1, PVG_MECHANISM_DIMENSION_MAX, PVGI_CLOSED,
               "in [1, 2^24]"),
    PVGI_COUNT(pvg_features_config, sampled),
    PVGI_BOOL(pvg_features_config, refuse),
    PVGI_BOOL(pvg_features_config, sparse),
};
static const pvgi_rule response_rules[] = {
    PVGI_ZERO(pvg_response_config, reserved),
    PVGI_FIELD(pvg_response_config, keep, 0, 1, PVGI_OPEN_HIGH, "in [0, 1)"),
    PVGI_COUNT(pvg_response_config, edge_limit),
};
static const pvgi_rule lapgraph_rules[] = {
    PVGI_ZERO(pvg_lapgraph_config, reserved),
    PVGI_FIELD(pvg_lapgraph_config, count_share, 0, 1, PVGI_OPEN_HIGH, "in [0, 1)"),
    PVGI_COUNT(pvg_lapgraph_config, edge_limit),
};
static const pvgi_rule labels_rules[] = {
    PVGI_BOOL(pvg_labels_config, refuse),
    PVGI_FIELD(pvg_labels_config, classes, 2, INT32_MAX, PVGI_CLOSED, "in [2, 2^31 - 1]"),
};
static const pvgi_rule dprr_rules[] = {
    PVGI_ZERO(pvg_dprr_config, reserved),
    PVGI_ENUM(pvg_dprr_config, reports, PVG_DPRR_REPORTS_PUBLISHED, "PVG_DPRR"),
    PVGI_ENUM(pvg_dprr_config, split, PVG_DPRR_SPLIT_BALANCED, "PVG_DPRR_SPLIT"),
    PVGI_FIELD(pvg_dprr_config, degree_share, 0, 1, PVGI_OPEN_HIGH, "in [0, 1)"),
    PVGI_COUNT(pvg_dprr_config, edge_limit),
};
static const pvgi_rule lists_rules[] = {
    PVGI_ENUM(pvg_lists_config, lists, PVG_LISTS_WHOLE, "PVG_LISTS"),
};
static const pvgi_rule slots_rules[] = {
    PVGI_ZERO(pvg_slots_config, reserved),
    PVGI_ENUM(pvg_slots_config, lists, PVG_LISTS_WHOLE, "PVG_LISTS"),
    PVGI_ENUM(pvg_slots_config, kernel, PVG_SLOTS_KERNEL_SIMILARITY, "PVG_SLOTS"),
    PVGI_ENUM(pvg_slots_config, repeats, PVG_SLOTS_REPEATS_REDRAW, "PVG_SLOTS"),
    PVGI_BOOL(pvg_slots_config, by_size),
    PVGI_FIELD(pvg_slots_config, order, 2, INT32_MAX, PVGI_CLOSED, "in [2, 2^31 - 1]"),
};
static const pvgi_rule blink_rules[] = {
    PVGI_ENUM(pvg_blink_config, reports, PVG_BLINK_PUBLISHED, "PVG_BLINK"),
    PVGI_FIELD(pvg_blink_config, degree_share, 0, 1, PVGI_OPEN_HIGH, "in [0, 1)"),
    PVGI_COUNT(pvg_blink_config, edge_limit),
};
static const pvgi_rule graphprivatizer_rules[] = {
    PVGI_ZERO(pvg_graphprivatizer_config, reserved),
    PVGI_ENUM(pvg_graphprivatizer_config, strategy, PVG_GP_STRATEGY_THRESHOLD, "PVG_GP"),
    PVGI_ENUM(pvg_graphprivatizer_config, similarity, PVG_GP_SIMILARITY_EUCLIDEAN,
              "PVG_GP"),
    PVGI_FIELD(pvg_graphprivatizer_config, alpha, 0, 1, PVGI_CLOSED, "in [0, 1]"),
    PVGI_FIELD(pvg_graphprivatizer_config, threshold, -1, 1, PVGI_CLOSED, "in [-1, 1]"),
};
#define SHAPE(name)                                                                      \
    static const pvgi_shape name##_shape = PVGI_SHAPE(pvg_##name##_config, name##_rules)
SHAPE(features);
SHAPE(response);
SHAPE(lapgraph);
SHAPE(labels);
SHAPE(dprr);
SHAPE(lists);
SHAPE(slots);
SHAPE(blink);
SHAPE(graphprivatizer);

/* The same range for all columns, or one for each; low < high and not too far apart. */
static int32_t check_ranges(const char *name, const pvg_features_config *config,
                            const double *low, const double *high) {
    if (!low) return pvgi_fail_null(name, "low");
    if (!high) return pvgi_fail_null(name, "high");
    PVGI_REQUIRE(config->ranges == 1 || config->ranges == config->columns,
                 "%s: config->ranges is neither 1 nor config->columns", name);
    for (int64_t i = 0; i < config->ranges; i++)
        PVGI_REQUIRE(isfinite(low[i]) && isfinite(high[i]) && low[i] < high[i] &&
                         isfinite(2.0 * (high[i] - low[i])),
                     "%s: low[%lld] < high[%lld] does not hold, or they are too large",
                     name, (long long)i, (long long)i);
    return PVG_OK;
}

int32_t pvg_perturber_new_features(pvg_perturber **out, const pvg_features_config *config,
                                   const pvg_target *target, const double *low,
                                   const double *high) {
    const char *name = "pvg_perturber_new_features";
    pvg_features_config c;
    pvg_target t;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!config) return pvgi_fail_null(name, "config");
    PVGI_TRY(pvgi_config_read(&c, &features_shape, config, name, "config"));
    const bool bits = c.method != PVG_FEATURES_NOISE;
    PVGI_REQUIRE(c.sampled <= c.columns, "%s: config->sampled is above config->columns",
                 name);
    PVGI_REQUIRE(c.sampled == 0 || c.method == PVG_FEATURES_MULTIBIT,
                 "%s: config->sampled is for PVG_FEATURES_MULTIBIT", name);
    PVGI_REQUIRE(bits || c.sparse == 0,
                 "%s: config->sparse is not for PVG_FEATURES_NOISE", name);
    PVGI_TRY(check_ranges(name, &c, low, high));
    PVGI_TRY(
        pvgi_perturb_target(&t, name, target, bits ? 0 : pvgi_mechanism_laws(false)));
    return pvgi_perturb_features_new(out, &c, &t, low, high);
}

int64_t pvg_perturber_sampled(const pvg_perturber *perturber) {
    const pvgi_feature_state *state =
        perturber ? pvgi_perturb_features_state(perturber) : NULL;
    return state ? state->config.sampled : 0;
}

int32_t pvg_perturber_feature_variance(double *out, const pvg_perturber *perturber,
                                       int64_t column, double value) {
    const char *name = "pvg_perturber_feature_variance";
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

int32_t pvg_perturber_new_response(pvg_perturber **out, const pvg_response_config *config,
                                   const pvg_target *target) {
    const char *name = "pvg_perturber_new_response";
    pvg_response_config c;
    pvg_target t;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    PVGI_TRY(pvgi_config_read(&c, &response_shape, config, name, "config"));
    PVGI_TRY(pvgi_perturb_target(&t, name, target, 0));
    return pvgi_perturb_response_new(out, &c, &t, name);
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

int32_t pvg_perturber_preview_edges(double *expected, double *most,
                                    const pvg_perturber *perturber, int64_t order) {
    const char *name = "pvg_perturber_preview_edges";
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

int32_t pvg_perturber_tradeoff(pvg_tradeoff **out, const pvg_perturber *perturber,
                               int64_t order) {
    const char *name = "pvg_perturber_tradeoff";
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!perturber) return pvgi_fail_null(name, "perturber");
    PVGI_REQUIRE(order >= 1 && order <= PVGI_GRAPH_ORDER_MAX,
                 "%s: order is not in [1, 2^31 - 1]", name);
    PVGI_REQUIRE(perturber->order == 0 || perturber->order == order,
                 "%s: the perturber is for %lld nodes, not %lld", name,
                 (long long)perturber->order, (long long)order);
    return pvgi_perturb_tradeoff(out, perturber, order);
}

int32_t pvg_perturber_new_lapgraph(pvg_perturber **out, const pvg_lapgraph_config *config,
                                   const pvg_target *target) {
    const char *name = "pvg_perturber_new_lapgraph";
    pvg_lapgraph_config c;
    pvg_target t;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    PVGI_TRY(pvgi_config_read(&c, &lapgraph_shape, config, name, "config"));
    PVGI_TRY(pvgi_perturb_target(&t, name, target, 0));
    return pvgi_perturb_lapgraph_new(out, &c, &t, name);
}

int32_t pvg_perturber_estimate_edges(double *out, double *variance,
                                     const pvg_perturber *perturber,
                                     const pvg_graph *released) {
    const char *name = "pvg_perturber_estimate_edges";
    const pvgi_response *response;
    PVGI_TRY(find_response(&response, perturber, name));
    if (!released) return pvgi_fail_null(name, "released");
    return pvgi_perturb_estimate_edges(out, variance, response, released, name);
}

int32_t pvg_perturber_estimate_degrees(double *out, double *variances,
                                       const pvg_perturber *perturber,
                                       const pvg_graph *released) {
    const char *name = "pvg_perturber_estimate_degrees";
    const pvgi_response *response;
    PVGI_TRY(find_response(&response, perturber, name));
    if (!released) return pvgi_fail_null(name, "released");
    return pvgi_perturb_estimate_degrees(out, variances, response, released, name);
}

int32_t pvg_perturber_estimate_triangles(double *out, double *variance,
                                         const pvg_perturber *perturber,
                                         const pvg_graph *released, const pvg_run *run) {
    const char *name = "pvg_perturber_estimate_triangles";
    const pvgi_response *response;
    pvgi_run r;
    PVGI_TRY(find_response(&response, perturber, name));
    if (!released) return pvgi_fail_null(name, "released");
    PVGI_TRY(pvgi_run_begin(&r, run));
    return pvgi_perturb_estimate_triangles(out, variance, response, released, &r, name);
}

int32_t pvg_perturber_new_labels(pvg_perturber **out, const pvg_labels_config *config,
                                 const pvg_target *target) {
    const char *name = "pvg_perturber_new_labels";
    pvg_labels_config c;
    pvg_target t;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!config) return pvgi_fail_null(name, "config");
    PVGI_TRY(pvgi_config_read(&c, &labels_shape, config, name, "config"));
    PVGI_TRY(pvgi_perturb_target(&t, name, target, 0));
    return pvgi_perturb_labels_new(out, &c, &t);
}

int64_t pvg_perturber_classes(const pvg_perturber *perturber) {
    return perturber ? pvgi_perturb_labels_classes(perturber) : 0;
}

int32_t pvg_perturber_copy_transition(double *out, const pvg_perturber *perturber) {
    const char *name = "pvg_perturber_copy_transition";
    if (!out) return pvgi_fail_null(name, "out");
    if (!perturber) return pvgi_fail_null(name, "perturber");
    PVGI_REQUIRE(pvgi_perturb_labels_classes(perturber) > 0,
                 "%s: the perturber is not one for labels", name);
    pvgi_perturb_labels_transition(out, perturber);
    return PVG_OK;
}

int32_t pvg_perturber_label_histogram(double *estimates, double *variances,
                                      const pvg_perturber *perturber,
                                      const int32_t *released, int64_t count) {
    const char *name = "pvg_perturber_label_histogram";
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

int32_t pvg_perturber_new_dprr(pvg_perturber **out, const pvg_dprr_config *config,
                               const pvg_target *target) {
    const char *name = "pvg_perturber_new_dprr";
    pvg_dprr_config c;
    pvg_target t;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    PVGI_TRY(pvgi_config_read(&c, &dprr_shape, config, name, "config"));
    PVGI_REQUIRE(c.split == PVG_DPRR_SPLIT_SHARE || c.degree_share == 0.0,
                 "%s: config->degree_share is not for a balanced split", name);
    PVGI_TRY(pvgi_perturb_target(&t, name, target, 0));
    return pvgi_perturb_dprr_new(out, &c, &t);
}

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
    return pvgi_perturb_kprop(out, rows, values, columns, rounds, &own);
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

int32_t pvg_perturber_new_subset(pvg_perturber **out, const pvg_lists_config *config,
                                 const pvg_target *target) {
    const char *name = "pvg_perturber_new_subset";
    pvg_lists_config c;
    pvg_target t;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    PVGI_TRY(pvgi_config_read(&c, &lists_shape, config, name, "config"));
    PVGI_TRY(pvgi_perturb_target(&t, name, target, 0));
    return pvgi_perturb_subset_new(out, &c, &t);
}

static int32_t check_slots(const char *name, const pvg_slots_config *c,
                           const pvg_target *target, const int32_t *blocks,
                           const double *similarities) {
    PVGI_REQUIRE(c->node_epsilon >= 0.0 &&
                     c->node_epsilon <
                         pvgi_perturb_lists_budget(c->lists, target->epsilon),
                 "%s: config->node_epsilon is not in [0, target->epsilon%s)", name,
                 c->lists == PVG_LISTS_WHOLE ? " / 4" : "");
    const bool in_blocks = c->kernel == PVG_SLOTS_KERNEL_BLOCKS;
    const bool similar = c->kernel == PVG_SLOTS_KERNEL_SIMILARITY;
    PVGI_REQUIRE(in_blocks || (c->node_epsilon == 0.0 && c->by_size == 0),
                 "%s: config->node_epsilon and config->by_size are for blocks only",
                 name);
    PVGI_REQUIRE(in_blocks == (blocks != NULL), "%s: blocks is %s", name,
                 in_blocks ? "NULL" : "not NULL, and the kernel has none");
    PVGI_REQUIRE(similar == (similarities != NULL), "%s: similarities is %s", name,
                 similar ? "NULL" : "not NULL, and the kernel has none");
    for (int64_t v = 0; v < c->order && in_blocks; v++)
        PVGI_REQUIRE(blocks[v] >= 0 && blocks[v] < c->order,
                     "%s: blocks[%lld] is not in 0..order-1: each node needs a block",
                     name, (long long)v);
    if (similar && c->order > PVG_SIMILARITY_ORDER_MAX)
        return pvgi_fail(PVG_E_LIMIT, "%s: config->order is above %d", name,
                         PVG_SIMILARITY_ORDER_MAX);
    for (int64_t i = 0; i < c->order * c->order && similar; i++)
        PVGI_REQUIRE(similarities[i] >= 0.0 && similarities[i] <= 1.0,
                     "%s: similarities[%lld] is not in [0, 1]", name, (long long)i);
    return PVG_OK;
}

int32_t pvg_perturber_new_slots(pvg_perturber **out, const pvg_slots_config *config,
                                const pvg_target *target, const int32_t *blocks,
                                const double *similarities) {
    const char *name = "pvg_perturber_new_slots";
    pvg_slots_config c;
    pvg_target t;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!config) return pvgi_fail_null(name, "config");
    PVGI_TRY(pvgi_config_read(&c, &slots_shape, config, name, "config"));
    PVGI_TRY(pvgi_perturb_target(&t, name, target, 0));
    PVGI_TRY(check_slots(name, &c, &t, blocks, similarities));
    return similarities ? pvgi_perturb_similar_new(out, &c, &t, similarities)
                        : pvgi_perturb_slots_new(out, &c, &t, blocks, name);
}

int32_t pvg_perturber_new_blink(pvg_perturber **out, const pvg_blink_config *config,
                                const pvg_target *target) {
    const char *name = "pvg_perturber_new_blink";
    pvg_blink_config c;
    pvg_target t;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    PVGI_TRY(pvgi_config_read(&c, &blink_shape, config, name, "config"));
    PVGI_TRY(pvgi_perturb_target(&t, name, target, 0));
    return pvgi_perturb_blink_new(out, &c, &t);
}

int32_t pvg_perturber_new_graphprivatizer(pvg_perturber **out,
                                          const pvg_graphprivatizer_config *config,
                                          const pvg_target *target,
                                          const pvg_features *features) {
    const char *name = "pvg_perturber_new_graphprivatizer";
    pvg_graphprivatizer_config c;
    pvg_target t;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    PVGI_TRY(pvgi_config_read(&c, &graphprivatizer_shape, config, name, "config"));
    PVGI_TRY(pvgi_perturb_target(&t, name, target, 0));
    if (!features) return pvgi_fail_null(name, "features");
    PVGI_TRY(pvgi_graph_features_sound(name, "features", features));
    return pvgi_perturb_graphprivatizer_new(out, &c, &t, features);
}
