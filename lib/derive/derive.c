/* Front desk of derive: every exported function of privgraph/derive.h. */
#include "derive_internal.h"

#include <math.h>

/* The shape of released diagrams, and their numbers. */
static int32_t read_diagrams(pvgi_diagrams *out, int64_t *order, const char *name,
                             const pvg_statistic *statistic, const double *values) {
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

int32_t pvg_degrees_sequence(int64_t *out, const pvg_statistic *statistic,
                             const double *values, int64_t order) {
    const char *name = "pvg_degrees_sequence";
    pvgi_diagrams diagrams;
    if (!out) return pvgi_fail_null(name, "out");
    PVGI_TRY(read_diagrams(&diagrams, &order, name, statistic, values));
    return pvgi_derive_sequence(out, &diagrams, values, order);
}

int32_t pvg_degrees_moments(double *out, int64_t count, const pvg_statistic *statistic,
                            const double *values, int64_t order) {
    const char *name = "pvg_degrees_moments";
    pvgi_diagrams diagrams;
    if (!out) return pvgi_fail_null(name, "out");
    PVGI_REQUIRE(count >= 0 && count <= PVGI_DERIVE_MOMENTS,
                 "%s: count is not in [0, 64]", name);
    PVGI_TRY(read_diagrams(&diagrams, &order, name, statistic, values));
    return pvgi_derive_moments(out, count, &diagrams, values, order);
}

int32_t pvg_degrees_densities(double *out, const pvg_patterns *patterns,
                              const pvg_statistic *statistic, const double *values,
                              int64_t order) {
    const char *name = "pvg_degrees_densities";
    pvgi_diagrams diagrams;
    if (!out) return pvgi_fail_null(name, "out");
    if (!patterns) return pvgi_fail_null(name, "patterns");
    for (int64_t i = 0; i < patterns->count; i++)
        PVGI_REQUIRE(pvgi_pattern_is_forest(&patterns->pattern[i].graph),
                     "%s: pattern %lld has a cycle", name, (long long)i);
    PVGI_TRY(read_diagrams(&diagrams, &order, name, statistic, values));
    return pvgi_derive_densities(out, patterns, &diagrams, values, order);
}

static const pvgi_rule wiring_rules[] = {
    PVGI_ZERO(pvg_wiring_config, reserved),
    PVGI_FIELD(pvg_wiring_config, mixing, -INFINITY, 10, PVGI_CLOSED, "at most 10"),
};
static const pvgi_shape wiring_shape = PVGI_SHAPE(pvg_wiring_config, wiring_rules);

int32_t pvg_synthesis_draw(pvg_graph **out, const pvg_statistic *statistic,
                           const double *values, const pvg_wiring_config *config,
                           pvg_rng *rng, const pvg_run *run) {
    const char *name = "pvg_synthesis_draw";
    pvg_wiring_config own;
    pvgi_run running;
    pvgi_stream call;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!statistic) return pvgi_fail_null(name, "statistic");
    if (!values) return pvgi_fail_null(name, "values");
    if (!rng) return pvgi_fail_null(name, "rng");
    PVGI_REQUIRE(pvgi_statistic_is_synthesis(statistic),
                 "%s: the statistic is not one of pvg_statistic_new_synthesis", name);
    PVGI_TRY(pvgi_config_read(&own, &wiring_shape, config, name, "config"));
    for (int64_t i = 0; i < pvg_statistic_columns(statistic); i++)
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
