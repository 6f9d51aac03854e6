/* Front desk of sensitivity: every exported function of privgraph/sensitivity.h. */
#include "sensitivity_internal.h"

#include <math.h>

static const int64_t order_max = INT64_C(0x7FFFFFFF);

static int32_t import_premise(pvgi_premise *out, const char *function,
                              const pvg_premise *caller) {
    pvg_premise p;
    if (!caller) return pvgi_fail_null(function, "premise");
    PVGI_TRY(pvgi_config_import(&p, sizeof p, caller, "pvg_premise"));
    PVGI_REQUIRE(p.order >= 1 && p.order <= order_max,
                 "%s: premise->order is not in [1, 2^31 - 1]", function);
    PVGI_REQUIRE(p.degrees >= PVG_DEGREES_ANY && p.degrees <= PVG_DEGREES_TRUNCATED,
                 "%s: premise->degrees is %d, not one of PVG_DEGREES_*", function,
                 (int)p.degrees);
    if (p.degrees == PVG_DEGREES_ANY)
        PVGI_REQUIRE(p.degree_bound == 0,
                     "%s: premise->degree_bound is set, but degrees is PVG_DEGREES_ANY",
                     function);
    else
        PVGI_REQUIRE(p.degree_bound >= 1, "%s: premise->degree_bound is less than 1",
                     function);
    const bool bounded = p.degrees != PVG_DEGREES_ANY && p.degree_bound < p.order - 1;
    out->order = (double)p.order;
    out->degree = bounded ? (double)p.degree_bound : (double)(p.order - 1);
    /* a truncation at n - 1 or more changes nothing */
    out->doubling = bounded && p.degrees == PVG_DEGREES_TRUNCATED ? 2.0 : 1.0;
    return PVG_OK;
}

static int32_t check_errors(const char *function, const pvg_patterns *patterns,
                            const double *relative_error) {
    for (int64_t i = 0; relative_error && i < patterns->count; i++)
        PVGI_REQUIRE(relative_error[i] >= 0.0 && relative_error[i] <= 1.0,
                     "%s: relative_error[%lld] is not in [0, 1]", function, (long long)i);
    return PVG_OK;
}

static int32_t begin(pvgi_premise *out, const char *function, const double *result,
                     const pvg_patterns *patterns, const pvg_premise *premise,
                     const double *relative_error) {
    if (!patterns) return pvgi_fail_null(function, "patterns");
    if (!result && patterns->count > 0) return pvgi_fail_null(function, "out");
    PVGI_TRY(import_premise(out, function, premise));
    return check_errors(function, patterns, relative_error);
}

static int32_t check_smooth(const char *function, const pvgi_premise *premise,
                            double beta, int64_t max_degree) {
    PVGI_REQUIRE(premise->doubling == 1.0,
                 "%s: a truncated graph has a constant sensitivity, not a smooth one",
                 function);
    PVGI_REQUIRE(isfinite(beta) && beta > 0.0, "%s: beta is not a positive finite number",
                 function);
    /* never say how large it is: it is private */
    PVGI_REQUIRE(max_degree >= 0, "%s: max_degree is negative", function);
    return PVG_OK;
}

int32_t pvg_sensitivity_edge(double *out, const pvg_patterns *patterns,
                             const pvg_premise *premise, const double *relative_error) {
    pvgi_premise p;
    PVGI_TRY(begin(&p, "pvg_sensitivity_edge", out, patterns, premise, relative_error));
    for (int64_t i = 0; i < patterns->count; i++)
        out[i] = pvgi_sensitivity_of_pattern(&patterns->pattern[i], &p,
                                             relative_error ? relative_error[i] : 0.0);
    return PVG_OK;
}

int32_t pvg_sensitivity_range(double *out, const pvg_patterns *patterns,
                              const pvg_premise *premise) {
    pvgi_premise p;
    PVGI_TRY(begin(&p, "pvg_sensitivity_range", out, patterns, premise, NULL));
    for (int64_t i = 0; i < patterns->count; i++)
        out[i] = pvgi_sensitivity_range_of(&patterns->pattern[i], &p);
    return PVG_OK;
}

int32_t pvg_sensitivity_edge_published(double *out, const pvg_patterns *patterns,
                                       const pvg_premise *premise) {
    pvgi_premise p;
    PVGI_TRY(begin(&p, "pvg_sensitivity_edge_published", out, patterns, premise, NULL));
    for (int64_t i = 0; i < patterns->count; i++)
        out[i] = pvgi_sensitivity_published_of(&patterns->pattern[i], p.degree, p.order);
    return PVG_OK;
}

int32_t pvg_sensitivity_smooth_exact(double *out, const pvg_patterns *patterns,
                                     const pvg_premise *premise,
                                     const double *relative_error, double beta,
                                     int64_t max_degree) {
    const char *name = "pvg_sensitivity_smooth_exact";
    pvgi_premise p;
    PVGI_TRY(begin(&p, name, out, patterns, premise, relative_error));
    PVGI_TRY(check_smooth(name, &p, beta, max_degree));
    for (int64_t i = 0; i < patterns->count; i++)
        out[i] = pvgi_sensitivity_smooth_of(&patterns->pattern[i], &p,
                                            relative_error ? relative_error[i] : 0.0,
                                            beta, max_degree);
    return PVG_OK;
}

int32_t pvg_sensitivity_smooth_published(double *out, const pvg_patterns *patterns,
                                         const pvg_premise *premise, double beta,
                                         int64_t max_degree) {
    const char *name = "pvg_sensitivity_smooth_published";
    pvgi_premise p;
    PVGI_TRY(begin(&p, name, out, patterns, premise, NULL));
    PVGI_TRY(check_smooth(name, &p, beta, max_degree));
    for (int64_t i = 0; i < patterns->count; i++)
        out[i] = pvgi_sensitivity_smooth_published_of(&patterns->pattern[i], &p, beta,
                                                      max_degree);
    return PVG_OK;
}
