/* Tools of the generators: words, bounded integers, logarithms, geometric skips, edge
 * lists.
 *
 * Geometric skips: P(skip >= k) = (1 - p)^k, as floor(log(U) / log(1 - p)) for U uniform
 * on (0, 1]; the cost of a random graph is then that of its edges, not of its pairs. */
#include "draw.h"

#include <math.h>

/* log((1 + s) / (1 - s)) = 2 (s + s^3/3 + s^5/5 + ...), |s| <= 0.1716: the first term
 * left out is below 2^-57 of the sum. */
static double twice_atanh(double s) {
    const double square = s * s;
    double sum = 0.0;
    for (int k = 23; k >= 3; k -= 2) sum = (sum + 1.0 / k) * square;
    return 2.0 * (s + s * sum);
}

double pvgi_graph_draw_log(double x) {
    int exponent;
    double fraction = frexp(x, &exponent); /* exact */
    if (fraction < 0.70710678118654752) {
        fraction *= 2.0;
        exponent--;
    }
    return exponent * 0.69314718055994531 +
           twice_atanh((fraction - 1.0) / (fraction + 1.0));
}

double pvgi_graph_draw_log_complement(double p) {
    return p < 0.25 ? -twice_atanh(p / (2.0 - p)) : pvgi_graph_draw_log(1.0 - p);
}

int64_t pvgi_graph_draw_skip(pvgi_stream *stream, double log_complement, int64_t limit) {
    const double skip =
        pvgi_graph_draw_log(pvgi_graph_draw_unit(stream)) / log_complement;
    return skip < (double)limit ? (int64_t)skip : limit; /* also where skip is infinite */
}

/* --- edge lists ------------------------------------------------------------------ */

int32_t pvgi_graph_edges_reserve(pvgi_edge_list *list, int64_t capacity,
                                 const pvgi_run *run) {
    PVGI_TRY(pvgi_run_reserve(run, pvgi_size_mul((size_t)capacity, sizeof *list->edges)));
    uint64_t *edges = pvgi_grow(list->edges, (size_t)capacity, sizeof *edges);
    if (!edges) return pvgi_fail_nomem();
    list->edges = edges;
    list->capacity = capacity;
    return PVG_OK;
}

int32_t pvgi_graph_edges_grow(pvgi_edge_list *list, pvgi_run *run) {
    PVGI_TRY(pvgi_run_report(run, 0.0));
    return pvgi_graph_edges_reserve(list, list->capacity + list->capacity / 2 + 64, run);
}

int32_t pvgi_graph_edges_finish(pvg_graph **out, pvgi_edge_list *list, int64_t order,
                                int32_t status, pvgi_run *run) {
    if (status == PVG_OK)
        status = pvgi_graph_from_packed(out, NULL, order, list->edges, list->count,
                                        PVG_EDGES_STRICT, run);
    else
        pvgi_free(list->edges);
    *list = (pvgi_edge_list){0};
    /* A generator that makes a loop or a repeat is wrong, and the caller's arguments are
     * not. */
    if (status == PVG_E_ARGUMENT) status = PVG_E_INTERNAL;
    return pvgi_graph_declare(out, status);
}
