/* Sequences, moments and densities from released diagrams.
 *
 * hom(T) of a forest T is estimated by prod over vertices x of M_(deg x) / M_1^edges, M_k
 * the k-th power sums of the degrees: exact for stars, and the mean of the configuration
 * model for other trees. */
#include "derive_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where nodes of groups go, falling degrees first: a list of nodes group by group. */
typedef struct {
    int64_t *starts; /* groups + 1 */
    int32_t *nodes;
} listing;

static int32_t list_nodes(listing *out, const pvgi_degree_shape *d, int64_t order) {
    out->starts = pvgi_alloc_zero((size_t)d->groups + 2, sizeof *out->starts);
    out->nodes = pvgi_alloc((size_t)order, sizeof *out->nodes);
    if (!out->starts || !out->nodes) return pvgi_fail_nomem();
    int64_t *next = out->starts + 1; /* next[g] becomes starts[g + 1] */
    for (int64_t v = 0; v < order; v++) {
        const int64_t g = d->group ? d->group[v] : 0;
        if (g >= 0) next[g + 1]++;
    }
    for (int64_t g = 0; g < d->groups; g++) next[g + 1] += next[g];
    for (int64_t v = 0; v < order; v++) {
        const int64_t g = d->group ? d->group[v] : 0;
        if (g >= 0) out->nodes[next[g]++] = (int32_t)v;
    }
    return PVG_OK;
}

static void drop_listing(listing *l) {
    pvgi_free(l->starts);
    pvgi_free(l->nodes);
}

/* Real degrees of all groups, one after the other. */
static int32_t fit_all(double *degrees, const listing *l, const pvgi_degree_shape *d,
                       const double *values, int64_t order) {
    const int64_t columns = d->levels + d->ranks + 1;
    for (int64_t g = 0; g < d->groups; g++)
        PVGI_TRY(pvgi_derive_fit(degrees + l->starts[g], values + g * columns, d->levels,
                                 d->ranks, l->starts[g + 1] - l->starts[g], -1.0,
                                 (double)(order - 1), d->deviation));
    return PVG_OK;
}

static int falling_slots(const void *a, const void *b) {
    const int64_t *x = a, *y = b;
    if (x[0] != y[0]) return x[0] > y[0] ? -1 : 1;
    return (x[1] > y[1]) - (x[1] < y[1]);
}

/* Makes the degrees of all nodes graphical as one sequence. */
static int32_t settle(int64_t *out, int64_t order) {
    int64_t *pairs = pvgi_alloc((size_t)order, 2 * sizeof *pairs);
    int64_t *all = pvgi_alloc((size_t)order, sizeof *all);
    int32_t status = pairs && all ? PVG_OK : pvgi_fail_nomem();
    if (status == PVG_OK) {
        for (int64_t v = 0; v < order; v++) {
            pairs[2 * v] = out[v];
            pairs[2 * v + 1] = v;
        }
        qsort(pairs, (size_t)order, 2 * sizeof *pairs, falling_slots);
        for (int64_t i = 0; i < order; i++) all[i] = pairs[2 * i];
        status = pvgi_derive_graphical(all, order);
    }
    for (int64_t i = 0; status == PVG_OK && i < order; i++)
        out[pairs[2 * i + 1]] = all[i];
    pvgi_free(pairs);
    pvgi_free(all);
    return status;
}

int32_t pvgi_derive_sequence(int64_t *out, const pvgi_degree_shape *d,
                             const double *values, int64_t order) {
    listing l = {0};
    int32_t status = list_nodes(&l, d, order);
    double *degrees = pvgi_alloc((size_t)order, sizeof *degrees);
    int64_t *whole = pvgi_alloc_zero((size_t)order, sizeof *whole);
    int64_t *result = pvgi_alloc_zero((size_t)order, sizeof *result);
    if (status == PVG_OK && !(degrees && whole && result)) status = pvgi_fail_nomem();
    if (status == PVG_OK) status = fit_all(degrees, &l, d, values, order);
    for (int64_t g = 0; g < d->groups && status == PVG_OK; g++) {
        const int64_t first = l.starts[g], size = l.starts[g + 1] - first;
        status = pvgi_derive_round(whole + first, degrees + first, size, -1, order - 1);
        for (int64_t i = first; status == PVG_OK && i < first + size; i++)
            result[l.nodes[i]] = whole[i];
    }
    if (status == PVG_OK) status = settle(result, order);
    if (status == PVG_OK) memcpy(out, result, (size_t)order * sizeof *out);
    drop_listing(&l);
    pvgi_free(degrees);
    pvgi_free(whole);
    pvgi_free(result);
    return status;
}

int32_t pvgi_derive_moments(double *out, int64_t count, const pvgi_degree_shape *d,
                            const double *values, int64_t order) {
    listing l = {0};
    int32_t status = list_nodes(&l, d, order);
    double *degrees = pvgi_alloc_zero((size_t)order, sizeof *degrees);
    if (status == PVG_OK && !degrees) status = pvgi_fail_nomem();
    if (status == PVG_OK) status = fit_all(degrees, &l, d, values, order);
    if (status == PVG_OK) {
        for (int64_t k = 0; k < count; k++) out[k] = 0.0;
        for (int64_t i = 0; i < order; i++) {
            double power = 1.0;
            for (int64_t k = 0; k < count; k++, power *= degrees[i]) out[k] += power;
        }
    }
    drop_listing(&l);
    pvgi_free(degrees);
    return status;
}

int32_t pvgi_derive_densities(double *out, const pvg_patterns *patterns,
                              const pvgi_degree_shape *d, const double *values,
                              int64_t order) {
    double moments[PVGI_PATTERN_ORDER + 1];
    PVGI_TRY(pvgi_derive_moments(moments, PVGI_PATTERN_ORDER, d, values, order));
    for (int64_t i = 0; i < patterns->count; i++) {
        const pvgi_pattern *p = &patterns->pattern[i];
        double logarithm = 0.0; /* moments of 31 degrees of 10^9 overflow products */
        bool none = p->size > 0 && !(moments[1] > 0.0);
        for (int32_t x = 0; x < p->graph.order && !none; x++)
            logarithm +=
                log(moments[pvgi_mask_count(p->graph.adjacency[x])]) - log((double)order);
        if (p->size > 0 && !none) logarithm -= (double)p->size * log(moments[1]);
        out[i] = none ? 0.0 : exp(logarithm);
    }
    return PVG_OK;
}
