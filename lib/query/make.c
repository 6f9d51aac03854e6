/* Makes embedders and propagators: every setting and array is checked here. */
#include "query_internal.h"

#include <math.h>

static const pvgi_rule embedder_rules[] = {
    PVGI_ENUM(pvg_embedder_config, joint, PVG_JOINT_ELLIPSOID, "PVG_JOINT"),
    PVGI_ENUM(pvg_embedder_config, scaling, PVG_SCALING_PER_NODE, "PVG_SCALING"),
    PVGI_BOOL(pvg_embedder_config, append_order),
    PVGI_BOOL(pvg_embedder_config, saturate),
};
static const pvgi_shape embedder_shape = PVGI_SHAPE(pvg_embedder_config, embedder_rules);
static const pvgi_rule propagator_rules[] = {
    PVGI_ENUM(pvg_propagator_config, method, PVG_PROPAGATION_HOPS, "PVG_PROPAGATION"),
    PVGI_ENUM(pvg_propagator_config, hide, PVGI_HIDE_NODE, "PVGI_HIDE"),
    PVGI_BOOL(pvg_propagator_config, published),
    PVGI_COUNT(pvg_propagator_config, scale),
    PVGI_BOOL(pvg_propagator_config, l1_rows),
    PVGI_ZERO(pvg_propagator_config, reserved),
};
static const pvgi_shape propagator_shape =
    PVGI_SHAPE(pvg_propagator_config, propagator_rules);

int32_t pvgi_query_new_embedder(pvg_embedder **out, const char *name,
                                const pvg_patterns *patterns,
                                const pvg_embedder_config *config,
                                const pvg_target *target, const double *weights,
                                const pvg_run *run) {
    pvg_embedder_config c;
    pvg_target t;
    pvgi_run running;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!patterns) return pvgi_fail_null(name, "patterns");
    PVGI_TRY(pvgi_mechanism_import_target(&t, name, target));
    PVGI_TRY(pvgi_mechanism_check_beta(name, &t));
    PVGI_TRY(pvgi_config_read(&c, &embedder_shape, config, name, "config"));
    const pvg_assumption assumption = {sizeof assumption, c.degrees, 100, c.degree_bound,
                                       0};
    pvgi_assumption checked;
    PVGI_TRY(pvgi_sensitivity_assumption(&checked, name, "config", &assumption));
    if (pvgi_mechanism_is_smooth(t.noise) && c.degrees == PVG_DEGREES_TRUNCATED)
        return pvgi_fail(PVG_E_PRIVACY,
                         "%s: smooth noise on truncated graphs has no sound bound here; "
                         "truncation alone makes the sensitivity constant",
                         name);
    if (c.joint == PVG_JOINT_ONE_WAY || c.joint == PVG_JOINT_ELLIPSOID)
        PVGI_REQUIRE(
            pvgi_mechanism_law(t.noise)->joint && t.allocation == PVG_ALLOCATION_OPTIMAL,
            "%s: joint noise needs another law, or the optimal allocation", name);
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_query_embedder_new(out, patterns, &c, &t, weights, &running);
}

/* The budget of a propagator: what a mechanism would say of it. */
static int32_t check_target(const char *name, const pvg_target *t,
                            const pvg_propagator_config *c) {
    const double one = 1.0;
    pvg_mechanism *trial;
    PVGI_REQUIRE(t->noise == PVG_NOISE_DEFAULT || t->noise == PVG_NOISE_GAUSSIAN ||
                     (c->l1_rows && t->noise == PVG_NOISE_LAPLACE),
                 "%s: noise is neither default nor gaussian", name);
    if (c->scale > 0.0) {
        PVGI_REQUIRE(t->epsilon == 0.0 && t->parameter == 0.0,
                     "%s: scale is given, and a budget as well", name);
        PVGI_REQUIRE(t->delta >= 0.0 && t->delta < 1.0, "%s: delta is not in [0, 1)",
                     name);
        PVGI_REQUIRE(t->allow_seeded == 0 || t->allow_seeded == 1,
                     "%s: allow_seeded is neither 0 nor 1", name);
        return PVG_OK;
    }
    PVGI_TRY(pvgi_mechanism_new(&trial, name, t, &one, NULL, NULL, NULL, NULL, 1));
    pvg_mechanism_free(trial);
    return PVG_OK;
}

static int32_t check_propagator(const char *name, const pvg_propagator_config *c,
                                const pvg_layers *layers, int64_t columns) {
    PVGI_REQUIRE(!c->published || c->method == PVG_PROPAGATION_AUTO ||
                     c->method == PVG_PROPAGATION_PERTURBED,
                 "%s: the published method is PVG_PROPAGATION_PERTURBED", name);
    PVGI_REQUIRE(columns >= 1, "%s: columns is less than 1", name);
    PVGI_REQUIRE(layers->dimension == 0 || layers->dimension == columns,
                 "%s: columns is %lld, the weights of the layers have %lld", name,
                 (long long)columns, (long long)layers->dimension);
    return PVG_OK;
}

int32_t pvgi_query_new_propagator(pvg_propagator **out, const char *name,
                                  const pvg_layers *layers,
                                  const pvg_assumption *assumption, int64_t columns,
                                  const pvg_propagator_config *config,
                                  const pvg_target *target) {
    pvg_propagator_config c;
    pvg_target t;
    pvg_assumption p;
    pvgi_assumption checked;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!layers) return pvgi_fail_null(name, "layers");
    if (!target) return pvgi_fail_null(name, "target");
    PVGI_TRY(pvgi_config_read(&c, &propagator_shape, config, name, "config"));
    PVGI_TRY(pvgi_config_import(&t, sizeof t, target, "pvg_target"));
    PVGI_TRY(pvgi_sensitivity_assumption(&checked, name, "assumption", assumption));
    PVGI_TRY(pvgi_config_import(&p, sizeof p, assumption, "pvg_assumption"));
    PVGI_TRY(check_propagator(name, &c, layers, columns));
    if (c.l1_rows) {
        PVGI_TRY(pvgi_query_hop_check(name, layers, &c, &p));
        if (t.noise == PVG_NOISE_DEFAULT && t.epsilon > 0.0 && t.delta == 0.0)
            t.noise = PVG_NOISE_LAPLACE;
    }
    PVGI_TRY(check_target(name, &t, &c));
    PVGI_REQUIRE(columns <= INT64_MAX / 64 / p.order / layers->config.depth,
                 "%s: columns is too large", name);
    return pvgi_query_propagator_new(out, layers, &p, &checked, columns, &c, &t);
}
