/* Compiles the bounds of a pattern list: per component the range and the first-edge sums
 * of several edge orders. Equal sums are kept once, and of the others only those that are
 * the smallest at some degree bound of a fixed list: one or two remain, each valid on its
 * own, so which ones remain changes tightness only. */
#include "sensitivity_internal.h"

#include <math.h>
#include <string.h>

/* Degree bounds at which sums are compared. */
static const double probes[] = {1,  2,  3,  4,  5,   6,    7,     8,      10,
                                12, 16, 24, 50, 100, 1000, 10000, 1000000};
enum { PROBES = sizeof probes / sizeof probes[0] };

typedef struct {
    pvgi_bound_sum best[PROBES]; /* with the smallest value at each probe */
    double value[PROBES];
} contest;

static void enter(contest *c, const pvgi_bound_sum *sum) {
    for (int i = 0; i < PROBES; i++) {
        const double value =
            pvgi_sensitivity_sum_at(sum->term, sum->terms, probes[i], 1.0);
        if (value < c->value[i]) {
            c->value[i] = value;
            c->best[i] = *sum;
        }
    }
}

static bool same(const pvgi_bound_sum *a, const pvgi_bound_sum *b) {
    return a->terms == b->terms &&
           memcmp(a->term, b->term, (size_t)a->terms * sizeof a->term[0]) == 0;
}

/* Appends count items to an array that grows; PVG_E_NOMEM leaves it as it was. */
static int32_t append(void **array, int64_t *used, const void *items, int64_t count,
                      size_t bytes) {
    /* capacities are powers of two, so they follow from the number used */
    int64_t capacity = 16, before = 0;
    while (capacity < *used + count) capacity *= 2;
    if (*array) {
        before = 16;
        while (before < *used) before *= 2;
    }
    if (capacity > before) {
        void *larger = pvgi_grow(*array, (size_t)capacity, bytes);
        if (!larger) return pvgi_fail_nomem();
        *array = larger;
    }
    memcpy((char *)*array + (size_t)*used * bytes, items, (size_t)count * bytes);
    *used += count;
    return PVG_OK;
}

static int32_t add_alternative(pvgi_sensitivity_plan *plan, pvgi_bound_part *part,
                               const pvgi_bound_sum *sum) {
    const pvgi_bound_alternative alternative = {plan->term_count, sum->terms};
    PVGI_TRY(append((void **)&plan->term, &plan->term_count, sum->term, sum->terms,
                    sizeof sum->term[0]));
    PVGI_TRY(append((void **)&plan->alternative, &plan->alternative_count, &alternative,
                    1, sizeof alternative));
    part->alternatives++;
    return PVG_OK;
}

static int32_t add_part(pvgi_sensitivity_plan *plan, const pvgi_small *component,
                        contest *c) {
    pvgi_bound_part part = {.first_alternative = plan->alternative_count};
    pvgi_bound_sum sum;
    pvgi_sensitivity_component_range(&part.range, component);
    for (int i = 0; i < PROBES; i++) c->value[i] = INFINITY;
    for (int32_t which = 0; pvgi_sensitivity_first_edge(&sum, component, which); which++)
        enter(c, &sum);
    for (int i = 0; i < PROBES; i++) {
        int j = 0;
        while (j < i && !same(&c->best[i], &c->best[j])) j++;
        if (j == i) PVGI_TRY(add_alternative(plan, &part, &c->best[i]));
    }
    return append((void **)&plan->part, &plan->part_count, &part, 1, sizeof part);
}

static int32_t add_pattern(pvgi_sensitivity_plan *plan, const pvgi_pattern *pattern,
                           contest *c) {
    pvgi_bound_pattern *planned = &plan->pattern[plan->count];
    *planned = (pvgi_bound_pattern){.first_part = plan->part_count,
                                    .order = pattern->graph.order,
                                    .size = pattern->size};
    for (int32_t i = 0; i < pattern->components; i++) {
        pvgi_small component;
        uint32_t vertices = 0;
        for (int32_t v = 0; v < pattern->graph.order; v++)
            if (pattern->component[v] == i) vertices |= pvgi_mask_of(v);
        if (pvgi_mask_count(vertices) < 2) continue; /* density 1 whatever the graph */
        pvgi_pattern_induce(&component, NULL, &pattern->graph, vertices);
        PVGI_TRY(add_part(plan, &component, c));
        planned->parts++;
    }
    plan->count++;
    return PVG_OK;
}

int32_t pvgi_sensitivity_plan_new(pvgi_sensitivity_plan *out,
                                  const pvg_patterns *patterns) {
    memset(out, 0, sizeof *out);
    contest *c = pvgi_alloc(1, sizeof *c);
    out->pattern = pvgi_alloc_zero((size_t)patterns->count, sizeof *out->pattern);
    int32_t status = c && out->pattern ? PVG_OK : pvgi_fail_nomem();
    for (int64_t i = 0; i < patterns->count && status == PVG_OK; i++)
        status = add_pattern(out, &patterns->pattern[i], c);
    pvgi_free(c);
    if (status != PVG_OK) pvgi_sensitivity_plan_free(out);
    return status;
}

void pvgi_sensitivity_plan_free(pvgi_sensitivity_plan *plan) {
    pvgi_free(plan->pattern);
    pvgi_free(plan->part);
    pvgi_free(plan->alternative);
    pvgi_free(plan->term);
    memset(plan, 0, sizeof *plan);
}

static const pvgi_rule assumption_rules[] = {
    PVGI_FIELD(pvg_assumption, order, 1, INT32_MAX, PVGI_CLOSED, "in [1, 2^31 - 1]"),
    PVGI_ENUM(pvg_assumption, degrees, PVG_DEGREES_TRUNCATED, "PVG_DEGREES"),
    PVGI_COUNT(pvg_assumption, degree_bound),
    PVGI_COUNT(pvg_assumption, least_degree),
};
static const pvgi_shape assumption_shape = PVGI_SHAPE(pvg_assumption, assumption_rules);

int32_t pvgi_sensitivity_assumption(pvgi_assumption *out, const char *function,
                                    const char *argument, const pvg_assumption *caller) {
    pvg_assumption p;
    if (!caller) return pvgi_fail_null(function, argument);
    PVGI_TRY(pvgi_config_read(&p, &assumption_shape, caller, function, argument));
    if (p.degrees == PVG_DEGREES_ANY)
        PVGI_REQUIRE(p.degree_bound == 0,
                     "%s: %s->degree_bound is set, but degrees is PVG_DEGREES_ANY",
                     function, argument);
    else
        PVGI_REQUIRE(p.degree_bound >= 1, "%s: %s->degree_bound is less than 1", function,
                     argument);
    if (p.least_degree > 0) {
        PVGI_REQUIRE(p.degrees == PVG_DEGREES_PROMISED,
                     "%s: %s->least_degree is set, but degrees is not "
                     "PVG_DEGREES_PROMISED",
                     function, argument);
        PVGI_REQUIRE(p.least_degree < p.degree_bound && p.least_degree < p.order - 1,
                     "%s: %s->least_degree is not below degree_bound and order - 1",
                     function, argument);
    }
    const bool bounded = p.degrees != PVG_DEGREES_ANY && p.degree_bound < p.order - 1;
    out->order = (double)p.order;
    out->least = (double)p.least_degree;
    out->degree = bounded ? (double)p.degree_bound : (double)(p.order - 1);
    /* a truncation at n - 1 or more changes nothing */
    out->doubling = bounded && p.degrees == PVG_DEGREES_TRUNCATED ? 2.0 : 1.0;
    return PVG_OK;
}
