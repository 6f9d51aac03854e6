/* Largest adjacency eigenvalue between two proven bounds, and all eigenvalues.
 *
 * Radius r. Below: |Ax| / |x| for any x. Above: with y = T_k(A/s) 1, T_k the Chebyshev
 * polynomial, and v >= 0 the unit eigenvector of r, <1, v> = |v|_1 >= |v|_2 = 1, so
 * |y| >= <y, v> >= T_k(r/s) if r >= s: r <= s cosh(arcosh(|y|) / k), whatever the other
 * eigenvalues are. Both hold for every graph. With s the lower bound so far, either
 * nothing lies far above s and |y| <= about sqrt n, so that the bounds meet as k grows:
 * the upper one is s (1 + (ln(2 sqrt n) / k)^2 / 2); or y points where A is larger, and
 * the lower bound rises. k doubles until they are within 2 TOLERANCE.
 *
 * Rounding. A step of the recurrence y' = 2 A y/s - y'' errs by at most g |y|, with
 * g = u (log2 n + 12) (2 r/s + 1) as sums go in pairs; that is passed on by
 * U_(k-1-j)(A/s), of norm at most (k - j) T_(k-1-j)(r/s), and T_i T_j <= T_(i+j) beyond
 * 1. As |y_j| <= sqrt n T_j(r/s), the error of y is at most k^2 sqrt n g T_k(r/s): the
 * bound holds with |y| / (1 - k^2 sqrt n g), r in it replaced by the upper bound so far.
 *
 * The loop is capped all the same, in case the argument fails to see something: beyond
 * that nothing is told (PVG_E_NUMERIC), and the record says so.
 *
 * One step is one pass over the arcs and gives both bounds. Start: sqrt of the largest
 * degree and the mean degree are below r, the largest degree above. */
#include "statistic_internal.h"

#include <math.h>
#include <string.h>

#define TOLERANCE PVGI_RADIUS_TOLERANCE

typedef struct {
    const pvg_graph *graph;
    const double *now;
    double *next;  /* holds y'' and gets y' */
    double factor; /* 2/s, or 1/s for the first step */
    double *sums;  /* per chunk of rows: |y'|^2, |A y|^2, |y|^2 */
    bool first;
} job;

/* Each climb raises the lower bound by 1/4 tolerance or doubles the degree allowed; real
 * graphs need one or two. */
enum { ROWS_PER_CHUNK = 4096, CLIMBS = 64 };

/* Sum of x over a row, in pairs: error u log2(count) sum |x|, for any count. */
static double sum_row(const double *x, const int32_t *row, int64_t count) {
    double stack[64];
    int depth = 0;
    if (count <= 8) {
        double sum = 0.0;
        for (int64_t i = 0; i < count; i++) sum += x[row[i]];
        return sum;
    }
    /* blocks of 8, carried like binary digits */
    int64_t blocks = 0;
    for (int64_t i = 0; i < count; i += 8, blocks++) {
        double sum = 0.0;
        const int64_t end = i + 8 < count ? i + 8 : count;
        for (int64_t k = i; k < end; k++) sum += x[row[k]];
        for (int64_t digit = blocks; digit & 1; digit >>= 1) sum += stack[--depth];
        stack[depth++] = sum;
    }
    double sum = 0.0;
    while (depth > 0) sum += stack[--depth];
    return sum;
}

static int32_t step(void *context, int64_t chunk, uint32_t worker) {
    const job *j = context;
    const pvg_graph *g = j->graph;
    const int64_t first = chunk * ROWS_PER_CHUNK;
    const int64_t last =
        first + ROWS_PER_CHUNK < g->order ? first + ROWS_PER_CHUNK : g->order;
    double squares = 0.0, cross = 0.0, old = 0.0;
    (void)worker;
    for (int64_t v = first; v < last; v++) {
        const double sum = sum_row(j->now, g->columns + g->offsets[v],
                                   g->offsets[v + 1] - g->offsets[v]);
        const double y = j->first ? j->factor * sum : j->factor * sum - j->next[v];
        j->next[v] = y;
        squares += y * y;
        cross += sum * sum;
        old += j->now[v] * j->now[v];
    }
    j->sums[3 * chunk] = squares;
    j->sums[3 * chunk + 1] = cross;
    j->sums[3 * chunk + 2] = old;
    return PVG_OK;
}

/* What one step tells: |y'|^2, and |A y| / |y| of the vector before. */
static int32_t advance(double *squares, double *quotient, job *j, pvgi_run *run) {
    const int64_t chunks = (j->graph->order + ROWS_PER_CHUNK - 1) / ROWS_PER_CHUNK;
    double cross = 0.0, old = 0.0;
    *squares = 0.0;
    PVGI_TRY(pvgi_run_chunks(run, chunks, step, j));
    for (int64_t c = 0; c < chunks; c++) {
        *squares += j->sums[3 * c];
        cross += j->sums[3 * c + 1];
        old += j->sums[3 * c + 2];
    }
    *quotient = old > 0.0 ? sqrt(cross / old) : 0.0;
    return PVG_OK;
}

/* The state of the search: low <= r <= high. */
typedef struct {
    double low, high;
    double *y[2], *sums;
} search;

/* One polynomial of rising degree, at most `most`, with s = low. */
static int32_t climb(search *b, const pvg_graph *graph, int64_t most, pvgi_run *run) {
    const double n = (double)graph->order, s = b->low;
    job j = {.graph = graph, .sums = b->sums};
    for (int64_t v = 0; v < graph->order; v++) b->y[0][v] = 1.0;
    for (int64_t k = 1; k <= most; k++) {
        double squares, quotient;
        j.now = b->y[(k - 1) & 1];
        j.next = b->y[k & 1];
        j.first = k == 1;
        j.factor = k == 1 ? 1.0 / s : 2.0 / s;
        PVGI_TRY(advance(&squares, &quotient, &j, run));
        /* sums of n products of rounded sums: relative error far below 2^-30 */
        quotient -= b->high * 0x1p-30;
        if (quotient > b->low) b->low = quotient;
        const double g = 0x1p-53 * (log2(n) + 12.0) * (2.0 * b->high / s + 1.0);
        const double lost = (double)k * (double)k * sqrt(n) * g;
        if (lost < 0.5) {
            const double length = sqrt(squares) * (1.0 + 0x1p-30) / (1.0 - lost);
            const double above = s *
                                 cosh(acosh(length > 1.0 ? length : 1.0) / (double)k) *
                                 (1.0 + 0x1p-40);
            if (above < b->high) b->high = above;
        }
        if (b->high - b->low <= 2.0 * TOLERANCE) return PVG_OK;
        if (squares > 0x1p400 || (k >= 8 && b->low > 1.05 * s)) return PVG_OK;
    }
    return PVG_OK;
}

/* Bounds that are within 2 TOLERANCE; graph has edges. */
static int32_t enclose(search *b, const pvg_graph *graph, pvgi_run *run) {
    const double n = (double)graph->order;
    int64_t largest = 0;
    for (int64_t v = 0; v < graph->order; v++) {
        const int64_t d = graph->offsets[v + 1] - graph->offsets[v];
        if (d > largest) largest = d;
    }
    b->high = (double)largest;
    b->low = sqrt((double)largest) * (1.0 - 0x1p-50);
    if (2.0 * (double)graph->size / n > b->low)
        b->low = 2.0 * (double)graph->size / n * (1.0 - 0x1p-50);
    double patience = 2.0;
    for (int climbs = 0; b->high - b->low > 2.0 * TOLERANCE; climbs++) {
        if (climbs == CLIMBS)
            return pvgi_fail(PVG_E_NUMERIC, "pvg_statistic: the bounds on the radius do "
                                            "not meet");
        const double s = b->low;
        const double steps =
            ceil(patience * log(2.0 * sqrt(n)) * sqrt(b->high / (2.0 * TOLERANCE)));
        PVGI_TRY(climb(b, graph, (int64_t)steps + 8, run));
        if (b->low < s + 0.25 * TOLERANCE) patience *= 2.0;
    }
    return PVG_OK;
}

static size_t chunks_of(int64_t order) {
    return (size_t)order / ROWS_PER_CHUNK + 1;
}

size_t pvgi_statistic_radius_bytes(int64_t order) {
    return pvgi_size_add(pvgi_size_mul(2, pvgi_room_bytes((size_t)order, sizeof(double))),
                         pvgi_room_bytes(3 * chunks_of(order), sizeof(double)));
}

int32_t pvgi_statistic_radius(double *out, const pvg_graph *graph, pvgi_room *room,
                              pvgi_run *run) {
    search b = {0};
    *out = 0.0;
    if (graph->size == 0) return PVG_OK;
    const size_t order = (size_t)graph->order;
    b.y[0] = pvgi_statistic_take(room, order, sizeof *b.y[0]);
    b.y[1] = pvgi_statistic_take(room, order, sizeof *b.y[1]);
    b.sums = pvgi_statistic_take(room, 3 * chunks_of(graph->order), sizeof *b.sums);
    if (!b.y[0] || !b.y[1] || !b.sums) return PVG_E_INTERNAL;
    PVGI_TRY(enclose(&b, graph, run));
    *out = 0.5 * (b.low + b.high);
    return PVG_OK;
}
