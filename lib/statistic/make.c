/* Makes statistics: every setting and array is checked here, whoever asks. */
#include "statistic_internal.h"

#include <math.h>
#include <string.h>

/* --- edge histograms -------------------------------------------------------------- */

static const pvgi_rule histogram_rules[] = {
    PVGI_ENUM(pvg_histogram_config, cells, PVG_HISTOGRAM_BOTH_WAYS, "PVG_HISTOGRAM"),
    PVGI_FIELD(pvg_histogram_config, order, 1, INT32_MAX, PVGI_CLOSED, "in [1, 2^31)"),
    PVGI_FIELD(pvg_histogram_config, kinds, 1, INT32_MAX, PVGI_CLOSED, "in [1, 2^31)"),
    PVGI_FIELD(pvg_histogram_config, groups, 0, INT32_MAX, PVGI_CLOSED, "in [0, 2^31)"),
};
static const pvgi_shape histogram_shape =
    PVGI_SHAPE(pvg_histogram_config, histogram_rules);
static const pvgi_rule nodes_rules[] = {PVGI_ZERO(pvg_histogram_nodes, reserved)};
static const pvgi_shape nodes_shape = PVGI_SHAPE(pvg_histogram_nodes, nodes_rules);

static int32_t check_histogram(const char *name, const pvg_histogram_config *c) {
    PVGI_REQUIRE(c->cells != PVG_HISTOGRAM_BETWEEN || c->groups == 0,
                 "%s: cells between kinds have no groups", name);
    const int64_t rows = c->cells == PVG_HISTOGRAM_BETWEEN ? c->kinds
                         : c->groups > 0                   ? c->groups
                                                           : c->order;
    if (rows > INT32_MAX / c->kinds)
        return pvgi_fail(PVG_E_LIMIT, "%s: more than 2^31 - 1 cells", name);
    PVGI_REQUIRE(c->grid == 0.0 ||
                     (isnormal(c->grid) && c->grid >= 0x1p-40 && c->grid <= 0x1p40 &&
                      ldexp(1.0, ilogb(c->grid)) == c->grid),
                 "%s: grid is neither 0 nor a power of two in [2^-40, 2^40]", name);
    return PVG_OK;
}

static int32_t check_numbers(const char *name, const char *what, const int32_t *values,
                             int64_t order, int64_t bound) {
    for (int64_t v = 0; values && v < order; v++)
        PVGI_REQUIRE(values[v] >= -1 && values[v] < bound,
                     "%s: %s[%lld] is not in [-1, %lld)", name, what, (long long)v,
                     (long long)bound);
    return PVG_OK;
}

static int32_t check_tallied(const char *name, const pvg_histogram_config *c,
                             const pvg_histogram_nodes *n) {
    PVGI_REQUIRE(!n->priorities || c->cells == PVG_HISTOGRAM_RECEIVED,
                 "%s: priorities are for cells=received", name);
    for (int64_t v = 0; n->priorities && v < c->order; v++)
        PVGI_REQUIRE(!isnan(n->priorities[v]), "%s: priorities[%lld] is NaN", name,
                     (long long)v);
    PVGI_REQUIRE(!n->weights || !n->kinds, "%s: kinds and weights are both given", name);
    PVGI_REQUIRE(!n->weights || c->cells != PVG_HISTOGRAM_BETWEEN,
                 "%s: cells between kinds have no weights", name);
    PVGI_REQUIRE(n->weights || c->grid == 0.0, "%s: grid is for weights", name);
    PVGI_REQUIRE((n->groups != NULL) == (c->groups > 0),
                 "%s: groups and groups do not agree", name);
    PVGI_TRY(check_numbers(name, "kinds", n->kinds, c->order, c->kinds));
    PVGI_TRY(check_numbers(name, "groups", n->groups, c->order, c->groups));
    for (int64_t i = 0; n->weights && i < c->order * c->kinds; i++)
        PVGI_REQUIRE(isfinite(n->weights[i]), "%s: weights[%lld] is not finite", name,
                     (long long)i);
    return PVG_OK;
}

int32_t pvgi_statistic_new_histogram(pvg_statistic **out, const char *name,
                                     const pvg_histogram_config *config,
                                     const pvg_target *target,
                                     const pvg_histogram_nodes *nodes) {
    const uint32_t laws = pvgi_mechanism_laws(true);
    pvg_histogram_config c;
    pvg_histogram_nodes n;
    pvg_target t;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!config) return pvgi_fail_null(name, "config");
    PVGI_TRY(pvgi_config_read(&c, &histogram_shape, config, name, "config"));
    PVGI_TRY(pvgi_config_read(&n, &nodes_shape, nodes, name, "nodes"));
    PVGI_TRY(pvgi_statistic_target(&t, name, target, laws));
    PVGI_TRY(check_histogram(name, &c));
    PVGI_TRY(check_tallied(name, &c, &n));
    return pvgi_statistic_histogram_new(out, &c, &t, &n, name);
}

/* --- degree distributions --------------------------------------------------------- */

/* Groups of nodes: NULL or numbers in [least, count). */
static int32_t check_groups(const char *name, const char *what, const int32_t *groups,
                            int64_t order, int64_t least, int64_t count) {
    PVGI_REQUIRE((groups != NULL) == (count > 0), "%s: %s and their number do not agree",
                 name, what);
    PVGI_REQUIRE(!groups || order >= 1, "%s: %s need an order", name, what);
    for (int64_t v = 0; groups && v < order; v++)
        PVGI_REQUIRE(groups[v] >= least && groups[v] < count,
                     "%s: %s[%lld] is not in [%lld, %lld)", name, what, (long long)v,
                     (long long)least, (long long)count);
    return PVG_OK;
}

static const pvgi_rule degrees_rules[] = {
    PVGI_ZERO(pvg_degrees_config, reserved),
    PVGI_FIELD(pvg_degrees_config, order, 0, INT32_MAX, PVGI_CLOSED, "in [0, 2^31)"),
    PVGI_FIELD(pvg_degrees_config, levels, 0, INT32_MAX, PVGI_CLOSED, "in [0, 2^31)"),
    PVGI_FIELD(pvg_degrees_config, ranks, -1, INT32_MAX, PVGI_CLOSED, "in [-1, 2^31)"),
    PVGI_FIELD(pvg_degrees_config, groups, 0, INT32_MAX, PVGI_CLOSED, "in [0, 2^31)"),
};
static const pvgi_shape degrees_shape = PVGI_SHAPE(pvg_degrees_config, degrees_rules);

int32_t pvgi_statistic_new_degrees(pvg_statistic **out, const char *name,
                                   const pvg_degrees_config *config,
                                   const pvg_target *target, const int32_t *groups) {
    const uint32_t laws = 1u << PVG_NOISE_LAPLACE | 1u << PVG_NOISE_GAUSSIAN |
                          1u << PVG_NOISE_DISCRETE_GAUSSIAN;
    pvg_degrees_config c;
    pvg_target t;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!config) return pvgi_fail_null(name, "config");
    PVGI_TRY(pvgi_config_read(&c, &degrees_shape, config, name, "config"));
    PVGI_TRY(pvgi_statistic_target(&t, name, target, laws));
    PVGI_REQUIRE(c.ranks >= (c.order > 0 ? -1 : 0) && c.ranks <= INT32_MAX,
                 "%s: ranks is not in [%d, 2^31)", name, c.order > 0 ? -1 : 0);
    PVGI_REQUIRE(c.groups >= 0 && c.groups <= INT32_MAX, "%s: groups is not in [0, 2^31)",
                 name);
    PVGI_TRY(check_groups(name, "groups", groups, c.order, -1, c.groups));
    if (c.groups == 0) c.groups = 1;
    return pvgi_statistic_degrees_new(out, &c, &t, groups, name);
}

/* --- triangles, scalars, spectra --------------------------------------------------- */

/* A target of statistics that have no other noise than their own: pure epsilon. */
static int32_t import_pure(pvg_target *out, const char *name, const pvg_target *target) {
    PVGI_TRY(pvgi_statistic_target(out, name, target, 1u << PVG_NOISE_LAPLACE));
    /* the native parameter of pure noise is epsilon */
    if (out->parameter > 0.0) out->epsilon = out->parameter;
    out->parameter = out->delta = 0.0;
    return PVG_OK;
}

static const pvgi_rule triangles_rules[] = {
    PVGI_ZERO(pvg_triangles_config, reserved),
    PVGI_FIELD(pvg_triangles_config, order, 0, INT32_MAX, PVGI_CLOSED, "in [0, 2^31)"),
    PVGI_FIELD(pvg_triangles_config, floor, 0, INT32_MAX, PVGI_CLOSED, "in [0, 2^31)"),
    PVGI_FIELD(pvg_triangles_config, bound_share, 0, 1, PVGI_OPEN_HIGH, "in [0, 1)"),
};
static const pvgi_shape triangles_shape =
    PVGI_SHAPE(pvg_triangles_config, triangles_rules);

int32_t pvgi_statistic_new_triangles(pvg_statistic **out, const char *name,
                                     const pvg_triangles_config *config,
                                     const pvg_target *target) {
    pvg_triangles_config c;
    pvg_target t;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    PVGI_TRY(pvgi_config_read(&c, &triangles_shape, config, name, "config"));
    PVGI_TRY(import_pure(&t, name, target));
    if (c.floor == 0) c.floor = PVGI_LADDER_FLOOR;
    return pvgi_statistic_triangles_new(out, &c, &t, name);
}

static const pvgi_rule stars_rules[] = {
    PVGI_FIELD(pvg_stars_config, leaves, 0, 3, PVGI_CLOSED, "0, 2 or 3"),
    PVGI_FIELD(pvg_stars_config, order, 0, INT32_MAX, PVGI_CLOSED, "in [0, 2^31)"),
    PVGI_FIELD(pvg_stars_config, floor, 0, INT32_MAX, PVGI_CLOSED, "in [0, 2^31)"),
    PVGI_FIELD(pvg_stars_config, bound_share, 0, 1, PVGI_OPEN_HIGH, "in [0, 1)"),
};
static const pvgi_shape stars_shape = PVGI_SHAPE(pvg_stars_config, stars_rules);

int32_t pvgi_statistic_new_stars(pvg_statistic **out, const char *name,
                                 const pvg_stars_config *config,
                                 const pvg_target *target) {
    pvg_stars_config c;
    pvg_target t;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    PVGI_TRY(pvgi_config_read(&c, &stars_shape, config, name, "config"));
    PVGI_TRY(import_pure(&t, name, target));
    if (c.leaves == 0) c.leaves = 2;
    if (c.floor == 0) c.floor = PVGI_STARS_FLOOR;
    PVGI_REQUIRE(c.leaves >= 2, "%s: leaves is not 0, 2 or 3", name);
    PVGI_REQUIRE(c.floor >= c.leaves, "%s: floor is below leaves", name);
    return pvgi_statistic_stars_new(out, &c, &t, name);
}

static const pvgi_rule scalars_rules[] = {
    PVGI_ZERO(pvg_scalars_config, reserved),
    PVGI_FIELD(pvg_scalars_config, order, 0, INT32_MAX, PVGI_CLOSED, "in [0, 2^31)"),
    PVGI_FIELD(pvg_scalars_config, count, 1, PVG_SCALARS_MAX, PVGI_CLOSED, "in [1, 16]"),
};
static const pvgi_shape scalars_shape = PVGI_SHAPE(pvg_scalars_config, scalars_rules);

int32_t pvgi_statistic_new_scalars(pvg_statistic **out, const char *name,
                                   const pvg_scalars_config *config,
                                   const pvg_target *target, const int32_t *scalars,
                                   const double *weights) {
    pvg_scalars_config c;
    pvg_target t;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!config) return pvgi_fail_null(name, "config");
    if (!scalars) return pvgi_fail_null(name, "scalars");
    PVGI_TRY(pvgi_config_read(&c, &scalars_shape, config, name, "config"));
    PVGI_TRY(import_pure(&t, name, target));
    for (int64_t i = 0; i < c.count; i++) {
        PVGI_REQUIRE(scalars[i] >= PVG_SCALAR_EDGES && scalars[i] <= PVG_SCALAR_LEAVES,
                     "%s: scalars[%lld] is not one of PVG_SCALAR_*", name, (long long)i);
        PVGI_REQUIRE(!weights || (weights[i] > 0.0 && isfinite(weights[i])),
                     "%s: weights[%lld] is not positive and finite", name, (long long)i);
    }
    return pvgi_statistic_scalars_new(out, &c, &t, scalars, weights, name);
}

int32_t pvgi_statistic_new_spectrum(pvg_statistic **out, const char *name, int64_t order,
                                    const pvg_target *target) {
    pvg_target t;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    PVGI_REQUIRE(order >= 1, "%s: order is not positive", name);
    PVGI_TRY(import_pure(&t, name, target));
    return pvgi_statistic_spectrum_new(out, order, &t, name);
}

/* --- joined ------------------------------------------------------------------------ */

int32_t pvgi_statistic_new_joined(pvg_statistic **out, const char *name,
                                  pvg_statistic **parts, int64_t count) {
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!parts) return pvgi_fail_null(name, "parts");
    PVGI_REQUIRE(count >= 1 && count <= 1 << 20, "%s: count is not in [1, 2^20]", name);
    for (int64_t i = 0; i < count; i++) {
        PVGI_REQUIRE(parts[i], "%s: parts[%lld] is NULL", name, (long long)i);
        PVGI_REQUIRE(pvgi_statistic_joined_parts(parts[i]) == 0,
                     "%s: parts[%lld] is a joined statistic itself", name, (long long)i);
    }
    return pvgi_statistic_joined_new(out, parts, count, name);
}

/* Shares that are not told follow from the number of blocks, which is public. With one
 * block the counts between blocks are the number of edges: how much of epsilon it gets
 * follows from the released degrees, unless a share is told (synthesis.c,
 * docs/measured/structure.md). */
static int32_t check_shares(const char *name, pvg_synthesis_config *c) {
    const bool one = c->blocks <= 1;
    const bool none =
        c->degrees_share == 0.0 && c->between_share == 0.0 && c->triangles_share == 0.0;
    if (none && c->assortativity_share == 0.0) c->assortativity_share = 0.05;
    if (none && one && c->assortativity_share < 0.05 + 0x1p-40) {
        c->triangles_share = 0.56;
        c->components_share = 0.02;
        c->spare_share = 0.5;
    }
    if (c->degrees_share == 0.0) c->degrees_share = one ? 0.29 : 0.47;
    if (c->between_share == 0.0) c->between_share = one ? 0.08 : 0.16;
    if (c->triangles_share == 0.0) c->triangles_share = one ? 0.5 : 0.32;
    const double sum = c->degrees_share + c->between_share + c->triangles_share +
                       c->assortativity_share + c->components_share;
    PVGI_REQUIRE(c->degrees_share > 0.0 && c->between_share > 0.0 &&
                     c->triangles_share > 0.0 && c->assortativity_share >= 0.0 &&
                     sum <= 1.0 + 0x1p-40,
                 "%s: *-share are not positive with a sum of at most 1", name);
    return PVG_OK;
}

static const pvgi_rule synthesis_rules[] = {
    PVGI_ZERO(pvg_synthesis_config, reserved),
    PVGI_FIELD(pvg_synthesis_config, order, 1, INT32_MAX, PVGI_CLOSED, "in [1, 2^31)"),
    PVGI_FIELD(pvg_synthesis_config, blocks, 0, 4096, PVGI_CLOSED, "in [0, 4096]"),
    PVGI_FIELD(pvg_synthesis_config, levels, 0, INT32_MAX, PVGI_CLOSED, "in [0, 2^31)"),
    PVGI_FIELD(pvg_synthesis_config, floor, 0, INT32_MAX, PVGI_CLOSED, "in [0, 2^31)"),
};
static const pvgi_shape synthesis_shape =
    PVGI_SHAPE(pvg_synthesis_config, synthesis_rules);

int32_t pvgi_statistic_new_synthesis(pvg_statistic **out, const char *name,
                                     const pvg_synthesis_config *config,
                                     const pvg_target *target, const int32_t *blocks) {
    pvg_synthesis_config c;
    pvg_target t;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!config) return pvgi_fail_null(name, "config");
    PVGI_TRY(pvgi_config_read(&c, &synthesis_shape, config, name, "config"));
    PVGI_TRY(import_pure(&t, name, target));
    PVGI_TRY(check_groups(name, "blocks", blocks, c.order, 0, c.blocks));
    PVGI_TRY(check_shares(name, &c));
    if (c.levels == 0) c.levels = 96;
    return pvgi_statistic_synthesis_new(out, &c, &t, blocks, name);
}
