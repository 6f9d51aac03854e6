/* Entry file of sensitivity: every exported function of privgraph/sensitivity.h. */
#include "sensitivity_internal.h"

/* A constant that a switch does not name would get the bound of another one. */
#pragma GCC diagnostic error "-Wswitch-enum"

#include <math.h>

static int32_t check_errors(const char *function, const pvg_patterns *patterns,
                            const double *relative_error) {
    for (int64_t i = 0; relative_error && i < patterns->count; i++)
        PVGI_REQUIRE(relative_error[i] >= 0.0 && relative_error[i] <= 1.0,
                     "%s: relative_error[%lld] is not in [0, 1]", function, (long long)i);
    return PVG_OK;
}

static int32_t begin(pvgi_assumption *out, const char *function, const double *result,
                     const pvg_patterns *patterns, const pvg_assumption *assumption,
                     const double *relative_error) {
    if (!patterns) return pvgi_fail_null(function, "patterns");
    if (!result && patterns->count > 0) return pvgi_fail_null(function, "out");
    PVGI_TRY(pvgi_sensitivity_assumption(out, function, "assumption", assumption));
    return check_errors(function, patterns, relative_error);
}

static int32_t check_smooth(const char *function, const pvgi_assumption *assumption,
                            double beta, int64_t max_degree) {
    PVGI_REQUIRE(assumption->doubling == 1.0,
                 "%s: a truncated graph has a constant sensitivity, not a smooth one",
                 function);
    PVGI_REQUIRE(isfinite(beta) && beta > 0.0, "%s: beta is not a positive finite number",
                 function);
    /* never say how large it is: it is private */
    PVGI_REQUIRE(max_degree >= 0, "%s: max_degree is negative", function);
    return PVG_OK;
}

/* One bound for every pattern: what the five functions share. */
typedef struct {
    enum { EDGE, RANGE, EDGE_PUBLISHED, SMOOTH, SMOOTH_PUBLISHED } kind;
    pvgi_assumption assumption;
    const double *relative_error;
    double beta;
    int64_t max_degree;
} question;

static double answer(const question *q, const pvgi_sensitivity_plan *plan, int64_t i) {
    const double error = q->relative_error ? q->relative_error[i] : 0.0;
    switch (q->kind) {
    case RANGE:
        return pvgi_sensitivity_range_at(plan, i, &q->assumption);
    case EDGE_PUBLISHED:
        return pvgi_sensitivity_published_at(plan, i, q->assumption.degree,
                                             q->assumption.order);
    case SMOOTH:
        return pvgi_sensitivity_smooth_at(plan, i, &q->assumption, error, q->beta,
                                          q->max_degree);
    case SMOOTH_PUBLISHED:
        return pvgi_sensitivity_smooth_published_at(plan, i, &q->assumption, q->beta,
                                                    q->max_degree);
    case EDGE:
        return pvgi_sensitivity_at(plan, i, &q->assumption, error);
    }
    return INFINITY;
}

static int32_t answer_all(double *out, const question *q, const pvg_patterns *patterns) {
    pvgi_sensitivity_plan plan;
    PVGI_TRY(pvgi_sensitivity_plan_new(&plan, patterns));
    for (int64_t i = 0; i < plan.count; i++) out[i] = answer(q, &plan, i);
    pvgi_sensitivity_plan_free(&plan);
    return PVG_OK;
}

int32_t pvg_sensitivity_edge(double *out, const pvg_patterns *patterns,
                             const pvg_assumption *assumption,
                             const double *relative_error) {
    question q = {.kind = EDGE, .relative_error = relative_error};
    PVGI_TRY(begin(&q.assumption, "pvg_sensitivity_edge", out, patterns, assumption,
                   relative_error));
    return answer_all(out, &q, patterns);
}

int32_t pvg_sensitivity_range(double *out, const pvg_patterns *patterns,
                              const pvg_assumption *assumption) {
    question q = {.kind = RANGE};
    PVGI_TRY(
        begin(&q.assumption, "pvg_sensitivity_range", out, patterns, assumption, NULL));
    return answer_all(out, &q, patterns);
}

int32_t pvg_sensitivity_edge_published(double *out, const pvg_patterns *patterns,
                                       const pvg_assumption *assumption) {
    question q = {.kind = EDGE_PUBLISHED};
    PVGI_TRY(begin(&q.assumption, "pvg_sensitivity_edge_published", out, patterns,
                   assumption, NULL));
    return answer_all(out, &q, patterns);
}

int32_t pvg_sensitivity_smooth_exact(double *out, const pvg_patterns *patterns,
                                     const pvg_assumption *assumption,
                                     const double *relative_error, double beta,
                                     int64_t max_degree) {
    const char *name = "pvg_sensitivity_smooth_exact";
    question q = {.kind = SMOOTH,
                  .relative_error = relative_error,
                  .beta = beta,
                  .max_degree = max_degree};
    PVGI_TRY(begin(&q.assumption, name, out, patterns, assumption, relative_error));
    PVGI_TRY(check_smooth(name, &q.assumption, beta, max_degree));
    return answer_all(out, &q, patterns);
}

int32_t pvg_sensitivity_smooth_published(double *out, const pvg_patterns *patterns,
                                         const pvg_assumption *assumption, double beta,
                                         int64_t max_degree) {
    const char *name = "pvg_sensitivity_smooth_published";
    question q = {.kind = SMOOTH_PUBLISHED, .beta = beta, .max_degree = max_degree};
    PVGI_TRY(begin(&q.assumption, name, out, patterns, assumption, NULL));
    PVGI_TRY(check_smooth(name, &q.assumption, beta, max_degree));
    return answer_all(out, &q, patterns);
}

/* --- message passing ------------------------------------------------------------ */

static int32_t begin_layers(pvgi_assumption *out, const char *function,
                            const double *result, const pvg_layers *layers,
                            const pvg_assumption *assumption, int32_t notion) {
    if (!result) return pvgi_fail_null(function, "out");
    if (!layers) return pvgi_fail_null(function, "layers");
    PVGI_REQUIRE(notion >= PVG_NOTION_EDGE && notion <= PVG_NOTION_PERSON_ABSENT,
                 "%s: notion is %d, not one of PVG_NOTION_*", function, (int)notion);
    return pvgi_sensitivity_assumption(out, function, "assumption", assumption);
}

int32_t pvg_sensitivity_lipschitz(double *out, const pvg_layers *layers,
                                  const pvg_assumption *assumption) {
    pvgi_assumption p;
    PVGI_TRY(begin_layers(&p, "pvg_sensitivity_lipschitz", out, layers, assumption,
                          PVG_NOTION_EDGE));
    pvgi_sensitivity_gammas(out, layers, &p);
    return PVG_OK;
}

int32_t pvg_sensitivity_layers(double *out, const pvg_layers *layers,
                               const pvg_assumption *assumption, int32_t notion) {
    const char *name = "pvg_sensitivity_layers";
    pvgi_assumption p;
    PVGI_TRY(begin_layers(&p, name, out, layers, assumption, notion));
    return pvgi_sensitivity_shifts(out, layers, &p, notion, name);
}

int32_t pvg_sensitivity_layers_published(double *out, const pvg_layers *layers,
                                         const pvg_assumption *assumption,
                                         int32_t notion) {
    const char *name = "pvg_sensitivity_layers_published";
    pvgi_assumption p;
    PVGI_TRY(begin_layers(&p, name, out, layers, assumption, notion));
    PVGI_REQUIRE(notion == PVG_NOTION_EDGE || notion == PVG_NOTION_NODE_REMOVED,
                 "%s: notion is neither PVG_NOTION_EDGE nor PVG_NOTION_NODE_REMOVED",
                 name);
    const pvg_layers_config *c = &layers->config;
    PVGI_REQUIRE(c->operation == PVG_OPERATOR_SYMMETRIC && c->tau == 1.0 &&
                     c->self_weight == 1.0 && c->activation == PVG_ACTIVATION_NONE &&
                     !layers->weights,
                 "%s: the paper's layers are PVG_OPERATOR_SYMMETRIC with tau 1, without "
                 "weights or activation",
                 name);
    const double value = pvgi_sensitivity_layer_published(layers, &p, notion);
    for (int64_t k = 0; k < c->depth; k++) out[k] = value;
    return PVG_OK;
}
