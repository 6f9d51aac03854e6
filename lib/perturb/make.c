/* Makes perturbers: every setting and array is checked here, whoever asks. */
#include "perturb_internal.h"

#include <math.h>

/* --- what configs may hold --------------------------------------------------------- */

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
                 "%s: ranges is neither 1 nor columns", name);
    for (int64_t i = 0; i < config->ranges; i++)
        PVGI_REQUIRE(isfinite(low[i]) && isfinite(high[i]) && low[i] < high[i] &&
                         isfinite(2.0 * (high[i] - low[i])),
                     "%s: low[%lld] < high[%lld] does not hold, or they are too large",
                     name, (long long)i, (long long)i);
    return PVG_OK;
}

static int32_t check_slots(const char *name, const pvg_slots_config *c,
                           const pvg_target *target, const int32_t *blocks,
                           const double *similarities) {
    PVGI_REQUIRE(c->node_epsilon >= 0.0 &&
                     c->node_epsilon <
                         pvgi_perturb_lists_budget(c->lists, target->epsilon),
                 "%s: node-epsilon is not in [0, epsilon%s)", name,
                 c->lists == PVG_LISTS_WHOLE ? " / 4" : "");
    const bool in_blocks = c->kernel == PVG_SLOTS_KERNEL_BLOCKS;
    const bool similar = c->kernel == PVG_SLOTS_KERNEL_SIMILARITY;
    PVGI_REQUIRE(in_blocks || (c->node_epsilon == 0.0 && c->by_size == 0),
                 "%s: node-epsilon and by-size are for blocks only", name);
    PVGI_REQUIRE(in_blocks == (blocks != NULL), "%s: blocks is %s", name,
                 in_blocks ? "NULL" : "not NULL, and the kernel has none");
    PVGI_REQUIRE(similar == (similarities != NULL), "%s: similarities is %s", name,
                 similar ? "NULL" : "not NULL, and the kernel has none");
    for (int64_t v = 0; v < c->order && in_blocks; v++)
        PVGI_REQUIRE(blocks[v] >= 0 && blocks[v] < c->order,
                     "%s: blocks[%lld] is not in 0..order-1: each node needs a block",
                     name, (long long)v);
    if (similar && c->order > PVG_SIMILARITY_ORDER_MAX)
        return pvgi_fail(PVG_E_LIMIT, "%s: order is above %d", name,
                         PVG_SIMILARITY_ORDER_MAX);
    for (int64_t i = 0; i < c->order * c->order && similar; i++)
        PVGI_REQUIRE(similarities[i] >= 0.0 && similarities[i] <= 1.0,
                     "%s: similarities[%lld] is not in [0, 1]", name, (long long)i);
    return PVG_OK;
}

int32_t pvgi_perturb_new_features(pvg_perturber **out, const char *name,
                                  const pvg_features_config *config,
                                  const pvg_target *target, const double *low,
                                  const double *high) {
    pvg_features_config c;
    pvg_target t;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!config) return pvgi_fail_null(name, "config");
    PVGI_TRY(pvgi_config_read(&c, &features_shape, config, name, "config"));
    const bool bits = c.method != PVG_FEATURES_NOISE;
    PVGI_REQUIRE(c.sampled <= c.columns, "%s: sampled is above columns", name);
    PVGI_REQUIRE(c.sampled == 0 || c.method == PVG_FEATURES_MULTIBIT,
                 "%s: sampled is for method=multibit", name);
    PVGI_REQUIRE(bits || c.sparse == 0, "%s: sparse is not for method=noise", name);
    PVGI_TRY(check_ranges(name, &c, low, high));
    PVGI_TRY(
        pvgi_perturb_target(&t, name, target, bits ? 0 : pvgi_mechanism_laws(false)));
    return pvgi_perturb_features_new(out, &c, &t, low, high);
}

int32_t pvgi_perturb_new_response(pvg_perturber **out, const char *name,
                                  const pvg_response_config *config,
                                  const pvg_target *target) {
    pvg_response_config c;
    pvg_target t;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    PVGI_TRY(pvgi_config_read(&c, &response_shape, config, name, "config"));
    PVGI_TRY(pvgi_perturb_target(&t, name, target, 0));
    return pvgi_perturb_response_new(out, &c, &t, name);
}

int32_t pvgi_perturb_new_lapgraph(pvg_perturber **out, const char *name,
                                  const pvg_lapgraph_config *config,
                                  const pvg_target *target) {
    pvg_lapgraph_config c;
    pvg_target t;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    PVGI_TRY(pvgi_config_read(&c, &lapgraph_shape, config, name, "config"));
    PVGI_TRY(pvgi_perturb_target(&t, name, target, 0));
    return pvgi_perturb_lapgraph_new(out, &c, &t, name);
}

int32_t pvgi_perturb_new_labels(pvg_perturber **out, const char *name,
                                const pvg_labels_config *config,
                                const pvg_target *target) {
    pvg_labels_config c;
    pvg_target t;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!config) return pvgi_fail_null(name, "config");
    PVGI_TRY(pvgi_config_read(&c, &labels_shape, config, name, "config"));
    PVGI_TRY(pvgi_perturb_target(&t, name, target, 0));
    return pvgi_perturb_labels_new(out, &c, &t);
}

int32_t pvgi_perturb_new_dprr(pvg_perturber **out, const char *name,
                              const pvg_dprr_config *config, const pvg_target *target) {
    pvg_dprr_config c;
    pvg_target t;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    PVGI_TRY(pvgi_config_read(&c, &dprr_shape, config, name, "config"));
    PVGI_REQUIRE(c.split == PVG_DPRR_SPLIT_SHARE || c.degree_share == 0.0,
                 "%s: degree-share is not for a balanced split", name);
    PVGI_TRY(pvgi_perturb_target(&t, name, target, 0));
    return pvgi_perturb_dprr_new(out, &c, &t);
}

int32_t pvgi_perturb_new_subset(pvg_perturber **out, const char *name,
                                const pvg_lists_config *config,
                                const pvg_target *target) {
    pvg_lists_config c;
    pvg_target t;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    PVGI_TRY(pvgi_config_read(&c, &lists_shape, config, name, "config"));
    PVGI_TRY(pvgi_perturb_target(&t, name, target, 0));
    return pvgi_perturb_subset_new(out, &c, &t);
}

int32_t pvgi_perturb_new_slots(pvg_perturber **out, const char *name,
                               const pvg_slots_config *config, const pvg_target *target,
                               const int32_t *blocks, const double *similarities) {
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

int32_t pvgi_perturb_new_blink(pvg_perturber **out, const char *name,
                               const pvg_blink_config *config, const pvg_target *target) {
    pvg_blink_config c;
    pvg_target t;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    PVGI_TRY(pvgi_config_read(&c, &blink_shape, config, name, "config"));
    PVGI_TRY(pvgi_perturb_target(&t, name, target, 0));
    return pvgi_perturb_blink_new(out, &c, &t);
}

int32_t pvgi_perturb_new_graphprivatizer(pvg_perturber **out, const char *name,
                                         const pvg_graphprivatizer_config *config,
                                         const pvg_target *target,
                                         const pvg_features *features) {
    pvg_graphprivatizer_config c;
    pvg_target t;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    PVGI_TRY(pvgi_config_read(&c, &graphprivatizer_shape, config, name, "config"));
    PVGI_TRY(pvgi_perturb_target(&t, name, target, 0));
    if (features) PVGI_TRY(pvgi_graph_features_sound(name, "features", features));
    return pvgi_perturb_graphprivatizer_new(out, &c, &t, features);
}
