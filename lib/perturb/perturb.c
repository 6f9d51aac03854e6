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

int32_t pvg_perturber_new_features(pvg_perturber **out, const pvg_features_config *config,
                                   const pvg_target *target, const double *low,
                                   const double *high) {
    return pvgi_perturb_new_features(out, "pvg_perturber_new_features", config, target,
                                     low, high);
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
    return pvgi_perturb_new_response(out, "pvg_perturber_new_response", config, target);
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
    return pvgi_perturb_new_lapgraph(out, "pvg_perturber_new_lapgraph", config, target);
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
    return pvgi_perturb_new_labels(out, "pvg_perturber_new_labels", config, target);
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
    return pvgi_perturb_new_dprr(out, "pvg_perturber_new_dprr", config, target);
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
    return pvgi_perturb_new_subset(out, "pvg_perturber_new_subset", config, target);
}

int32_t pvg_perturber_new_slots(pvg_perturber **out, const pvg_slots_config *config,
                                const pvg_target *target, const int32_t *blocks,
                                const double *similarities) {
    return pvgi_perturb_new_slots(out, "pvg_perturber_new_slots", config, target, blocks,
                                  similarities);
}

int32_t pvg_perturber_new_blink(pvg_perturber **out, const pvg_blink_config *config,
                                const pvg_target *target) {
    return pvgi_perturb_new_blink(out, "pvg_perturber_new_blink", config, target);
}

int32_t pvg_perturber_new_graphprivatizer(pvg_perturber **out,
                                          const pvg_graphprivatizer_config *config,
                                          const pvg_target *target,
                                          const pvg_features *features) {
    if (out) *out = NULL;
    if (!features) return pvgi_fail_null("pvg_perturber_new_graphprivatizer", "features");
    return pvgi_perturb_new_graphprivatizer(out, "pvg_perturber_new_graphprivatizer",
                                            config, target, features);
}
