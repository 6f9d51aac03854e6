/* Windows: a graph is cut into regions without a common node, windows are drawn inside a
 * region breadth-first and shuffled, and each node has a row of few public directions.
 * Searches meet neighbours in random order: in the order of their numbers all windows
 * near a hub would hold the same few of its neighbours, and what a network learns there
 * would depend on numbers that mean nothing (docs/measured/protocols.md).
 * O(order + arcs) for a cut, O(arcs met) for a window. */
#include "reconstruct.h"

#include "base/blas.h"

#include <math.h>
#include <string.h>

/* A number of the standard normal law: noise of an experiment, which protects nobody. */
double pvgi_audit_normal(pvgi_stream *stream) {
    const double u = 1 - pvgi_rng_draw_unit(stream), v = pvgi_rng_draw_unit(stream);
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

/* A random node with part & mask, or the next one that has it; -1: none. */
static int64_t draw_node(const int32_t *part, int64_t order, int32_t mask,
                         pvgi_stream *stream) {
    const int64_t from = (int64_t)pvgi_rng_draw_below(stream, (uint64_t)order);
    int64_t v = from;
    for (int tries = 0; tries < 64; tries++) {
        if (part[v] & mask) return v;
        v = (int64_t)pvgi_rng_draw_below(stream, (uint64_t)order);
    }
    for (int64_t i = 0; i < order; i++)
        if (part[(from + i) % order] & mask) return (from + i) % order;
    return -1;
}

static void shuffle(int64_t *nodes, int64_t count, pvgi_stream *stream) {
    for (int64_t i = count - 1; i > 0; i--) {
        const int64_t j = (int64_t)pvgi_rng_draw_below(stream, (uint64_t)(i + 1));
        const int64_t kept = nodes[i];
        nodes[i] = nodes[j];
        nodes[j] = kept;
    }
}

/* Where a search may go: nodes with part & mask that have no stamp yet. */
typedef struct {
    const pvg_graph *graph;
    const int32_t *part;
    int32_t mask;
    const int64_t *seen; /* NULL: nobody has */
    int64_t stamp;
} region;

/* Neighbours of u there in random order, at most `capacity`; of more, a random set. */
static int64_t take_neighbours(int64_t *to, int64_t capacity, const region *r, int64_t u,
                               pvgi_stream *stream) {
    const pvg_graph *g = r->graph;
    int64_t met = 0;
    for (int64_t e = g->offsets[u]; e < g->offsets[u + 1]; e++) {
        const int64_t w = g->columns[e];
        if (!(r->part[w] & r->mask) || (r->seen && r->seen[w] == r->stamp)) continue;
        const int64_t at =
            met < capacity ? met
                           : (int64_t)pvgi_rng_draw_below(stream, (uint64_t)(met + 1));
        if (at < capacity) to[at] = w;
        met++;
    }
    if (met > capacity) met = capacity;
    shuffle(to, met, stream);
    return met;
}

void pvgi_audit_cut(int32_t *part, int64_t *queue, const pvg_graph *graph, int32_t from,
                    int32_t number, int64_t first, pvgi_stream *stream) {
    const region open = {.graph = graph, .part = part, .mask = from};
    int64_t head = 0, tail = 0;
    while (tail < first) {
        if (head == tail) {
            const int64_t v = draw_node(part, graph->order, from, stream);
            if (v < 0) return;
            part[v] = number;
            queue[tail++] = v;
            continue;
        }
        int64_t more =
            take_neighbours(queue + tail, first - tail, &open, queue[head++], stream);
        for (; more > 0; more--) part[queue[tail++]] = number;
    }
}

/* `width` nodes breadth-first from v; false if there are not as many. */
static bool search(int64_t *nodes, int64_t width, const region *r, int64_t *seen,
                   int64_t v, pvgi_stream *stream) {
    int64_t count = 1;
    nodes[0] = v;
    seen[v] = r->stamp;
    for (int64_t i = 0; i < count && count < width; i++) {
        int64_t more = take_neighbours(nodes + count, width - count, r, nodes[i], stream);
        for (; more > 0; more--) seen[nodes[count++]] = r->stamp;
    }
    return count == width;
}

static void read_truth(uint8_t *truth, const pvg_graph *graph, const int64_t *nodes,
                       int64_t width) {
    for (int64_t i = 0; i < width; i++) {
        const int64_t from = graph->offsets[nodes[i]];
        const int64_t count = graph->offsets[nodes[i] + 1] - from;
        for (int64_t j = i + 1; j < width; j++)
            *truth++ =
                pvgi_graph_row_find(graph->columns + from, count, (int32_t)nodes[j]) >= 0;
    }
}

int32_t pvgi_audit_windows(pvgi_windows *out, const pvg_graph *graph, const int32_t *part,
                           int32_t mask, int64_t count, int64_t width, bool ordered,
                           pvgi_stream *stream) {
    enum { TRIES = 2000 };
    int64_t *seen = pvgi_alloc_zero((size_t)graph->order, sizeof *seen);
    region open = {.graph = graph, .part = part, .mask = mask, .seen = seen};
    *out =
        (pvgi_windows){.count = count, .width = width, .pairs = width * (width - 1) / 2};
    out->nodes = pvgi_alloc((size_t)count, (size_t)width * sizeof *out->nodes);
    out->truth = pvgi_alloc((size_t)count, (size_t)out->pairs);
    int32_t status = seen && out->nodes && out->truth ? PVG_OK : pvgi_fail_nomem();
    for (int64_t k = 0; k < count && status == PVG_OK; k++) {
        int64_t *nodes = out->nodes + k * width;
        bool found = false;
        for (int tries = 0; tries < TRIES && !found; tries++) {
            const int64_t v = draw_node(part, graph->order, mask, stream);
            if (v < 0) break;
            open.stamp++;
            found = search(nodes, width, &open, seen, v, stream);
        }
        if (!found) {
            status =
                pvgi_fail(PVG_E_ARGUMENT,
                          "pvg_attack_reconstruct: a region of the graph has no %lld "
                          "connected nodes for a window",
                          (long long)width);
            break;
        }
        if (!ordered) shuffle(nodes, width, stream);
        read_truth(out->truth + k * out->pairs, graph, nodes, width);
    }
    pvgi_free(seen);
    return status;
}

void pvgi_audit_windows_free(pvgi_windows *windows) {
    pvgi_free(windows->nodes);
    pvgi_free(windows->truth);
    *windows = (pvgi_windows){0};
}

int32_t pvgi_audit_signal(double *out, int64_t directions, const double *rows,
                          int64_t columns, int64_t order, const int32_t *part,
                          int32_t mask, double sigma, pvgi_stream *stream) {
    double *basis = pvgi_alloc((size_t)columns, (size_t)directions * sizeof *basis);
    double *mean = pvgi_alloc_zero((size_t)(columns + directions), sizeof *mean);
    double *moved = mean ? mean + columns : NULL, known = 0;
    if (!basis || !mean) {
        pvgi_free(basis);
        pvgi_free(mean);
        return pvgi_fail_nomem();
    }
    for (int64_t i = 0; i < columns * directions; i++)
        basis[i] = pvgi_audit_normal(stream);
    for (int64_t v = 0; v < order; v++) {
        if (!(part[v] & mask)) continue;
        known++;
        for (int64_t j = 0; j < columns; j++) mean[j] += rows[v * columns + j];
    }
    for (int64_t j = 0; j < columns && known > 0; j++) mean[j] /= known;
    pvgi_blas_multiply(moved, mean, false, basis, false, 1, columns, directions, false);
    pvgi_blas_multiply(out, rows, false, basis, false, order, columns, directions, false);
    for (int64_t v = 0; v < order; v++) {
        double *row = out + v * directions, square = 0, before = 0;
        for (int64_t j = 0; j < directions; j++) {
            before += row[j] * row[j];
            row[j] -= moved[j];
            square += row[j] * row[j];
        }
        /* a row that is the mean but for rounding has no direction */
        const double scale = square > 1e-20 * before ? 1 / sqrt(square) : 0;
        for (int64_t j = 0; j < directions; j++)
            row[j] = row[j] * scale + (sigma > 0 ? sigma * pvgi_audit_normal(stream) : 0);
    }
    pvgi_free(basis);
    pvgi_free(mean);
    return PVG_OK;
}

double pvgi_audit_window_area(double *precision, const double *scores,
                              const uint8_t *truth, int64_t pairs) {
    double right = 0, positives = 0, sum = 0;
    for (int64_t p = 0; p < pairs; p++) positives += truth[p];
    const double negatives = (double)pairs - positives;
    for (int64_t p = 0; p < pairs; p++) {
        if (!truth[p]) continue;
        double above = 0, edges = 0;
        for (int64_t q = 0; q < pairs; q++) {
            above += scores[q] >= scores[p];
            edges += truth[q] && scores[q] >= scores[p];
            if (!truth[q])
                right += scores[p] > scores[q] ? 1 : scores[p] == scores[q] ? .5 : 0;
        }
        sum += edges / above;
    }
    *precision = positives > 0 ? sum / positives : NAN;
    return positives > 0 && negatives > 0 ? right / (positives * negatives) : NAN;
}
