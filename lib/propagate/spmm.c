/* Sparse times dense, out = post (A + self) pre P(X) + mean: panels, chunks, threads.
 *
 * The adjacency matrix has no stored values: weights sit at the nodes. The dense matrix
 * is packed into panels of 128 bytes a row, weighted on the way, so that a neighbour
 * costs one contiguous, aligned read that is added to registers, and so that what is read
 * arcs / order times, a panel, is small: a wide matrix is read from a nearer cache than
 * it fits in as a whole. Narrower panels read the indices too often, wider ones run out
 * of registers. Time O((arcs + order) columns); one extra copy of the matrix. Chunks are
 * cut by arcs, not by threads. */
#include "propagate_internal.h"

#include <math.h>
#include <string.h>

enum {
    CHUNK_ARCS = 1 << 15, /* neighbours in a chunk of rows, roughly */
    ROW_COST = 8,         /* what a row costs besides its neighbours, in arcs */
    WIDTH = 4,            /* vectors in a packed panel */
    AHEAD = 24            /* neighbours to prefetch */
};
/* What stays in a second cache next to everything else. */
#define NEAR_BYTES ((size_t)384 << 10)

pvgi_node_weight pvgi_propagate_weight(const pvg_layers_config *c, int64_t degree) {
    const double d = (double)degree;
    switch (c->operation) {
    case PVG_OPERATOR_SYMMETRIC: {
        const double root = 1 / sqrt(d + c->tau);
        return (pvgi_node_weight){root, c->self_weight, root};
    }
    case PVG_OPERATOR_FLOOR: {
        const double root = 1 / sqrt(fmax(d, c->floor));
        return (pvgi_node_weight){root, fmax(c->floor - d, 0), root};
    }
    case PVG_OPERATOR_LAPLACIAN:
        return (pvgi_node_weight){1, c->floor - d, 1 / c->floor};
    case PVG_OPERATOR_ROW:
        return (pvgi_node_weight){1, 1, 1 / (d + c->tau)};
    default:
        return (pvgi_node_weight){1, 0, 1};
    }
}

int32_t pvgi_propagate_panel(const pvgi_spmm *s, int64_t index, int64_t *start) {
    const int64_t full = s->padded / s->lanes / s->width;
    int64_t rest = s->padded / s->lanes % s->width;
    *start = (index < full ? index : full) * s->width * s->lanes;
    if (index < full) return s->width;
    /* what is left, by halves: the binary digits of rest */
    for (int32_t vectors = s->width / 2; vectors > 0; vectors /= 2) {
        if (rest < vectors) continue;
        if (index-- == full) return vectors;
        *start += vectors * s->lanes;
        rest -= vectors;
    }
    return 0;
}

static int64_t panel_count(const pvgi_spmm *s) {
    const int64_t vectors = s->padded / s->lanes;
    return vectors / s->width + __builtin_popcountll((uint64_t)(vectors % s->width));
}

static bool has_pre(const pvg_layers_config *c) {
    return c->operation == PVG_OPERATOR_SYMMETRIC || c->operation == PVG_OPERATOR_FLOOR;
}

/* A narrow matrix needs no packing if its rows are whole vectors and neighbours have no
 * weights. (Weighting while adding was tried: slower than packing.) */
static void set_shape(pvgi_spmm *s, const pvgi_spmm_wish *wish) {
    *s = (pvgi_spmm){.graph = wish->graph,
                     .order = wish->graph->order,
                     .columns = wish->columns,
                     .element = wish->element,
                     .lanes = (int32_t)(PVGI_SPMM_VECTOR / wish->element),
                     .width = WIDTH,
                     .rows = wish->rows};
    s->padded = (s->columns + s->lanes - 1) / s->lanes * s->lanes;
    const size_t n = (size_t)s->order;
    s->direct = wish->apart && wish->rows == PVGI_ROWS_KEPT && s->padded == s->columns &&
                __builtin_popcountll((uint64_t)(s->columns / s->lanes)) == 1 &&
                s->columns <= PVGI_SPMM_WIDEST * s->lanes && !has_pre(wish->config);
    if (s->direct) s->width = (int32_t)(s->columns / s->lanes);
    const int64_t full = s->width * s->lanes;
    const int64_t widest = s->padded < full ? s->padded : full;
    s->ahead = n * (size_t)widest * s->element <= NEAR_BYTES ? 0 : AHEAD;
}

static int64_t pack_chunks(int64_t order) {
    return (order + PVGI_SPMM_PACK_ROWS - 1) / PVGI_SPMM_PACK_ROWS;
}

size_t pvgi_propagate_spmm_bytes(const pvgi_spmm_wish *wish) {
    pvgi_spmm s;
    set_shape(&s, wish);
    const size_t n = (size_t)s.order, padded = (size_t)s.padded;
    size_t bytes = 3 * n * sizeof(double);
    if (!s.direct)
        bytes = pvgi_size_add(bytes, pvgi_size_mul(pvgi_size_mul(n, padded), s.element));
    if (wish->mean)
        bytes = pvgi_size_add(
            bytes,
            pvgi_size_mul(((size_t)pack_chunks(s.order) + 1) * sizeof(double), padded));
    return bytes;
}

static void set_weights(pvgi_spmm *s, const pvgi_spmm_wish *wish) {
    const int64_t *offsets = s->graph->offsets;
    s->self = s->pre + s->order;
    s->post = s->self + s->order;
    for (int64_t u = 0; u < s->order; u++) {
        const pvgi_node_weight w =
            pvgi_propagate_weight(wish->config, offsets[u + 1] - offsets[u]);
        s->pre[u] = w.pre;
        s->self[u] = w.self;
        s->post[u] = w.post * wish->scale;
    }
}

int32_t pvgi_propagate_spmm_begin(pvgi_spmm *s, const pvgi_spmm_wish *wish) {
    set_shape(s, wish);
    const size_t n = (size_t)s->order, padded = (size_t)s->padded;
    s->pre = pvgi_alloc(3 * n, sizeof *s->pre);
    bool room = s->pre != NULL;
    if (!s->direct) {
        s->packed = pvgi_alloc(pvgi_size_mul(n, padded), s->element);
        room = room && s->packed;
    }
    if (wish->mean) {
        s->partial = pvgi_alloc(pvgi_size_mul((size_t)pack_chunks(s->order), padded),
                                sizeof *s->partial);
        s->mean = pvgi_alloc(padded, sizeof *s->mean);
        room = room && s->partial && s->mean;
    }
    if (!room) {
        pvgi_propagate_spmm_end(s);
        return pvgi_fail_nomem();
    }
    set_weights(s, wish);
    s->table = s->packed;
    return PVG_OK;
}

void pvgi_propagate_spmm_end(pvgi_spmm *s) {
    pvgi_free(s->pre);
    pvgi_free(s->packed);
    pvgi_free(s->partial);
    pvgi_free(s->mean);
    *s = (pvgi_spmm){0};
}

double pvgi_propagate_careful_factor(const double *row, int64_t columns, pvgi_rows rows) {
    double largest = 0, sum = 0;
    int exponent = 0;
    for (int64_t j = 0; j < columns; j++) largest = fmax(largest, fabs(row[j]));
    /* rows that small count as zero; and if projected, small ones stay as they are */
    if (largest < (rows == PVGI_ROWS_PROJECTED ? 0x1p-100 : 0x1p-500)) return 1;
    frexp(largest, &exponent);
    for (int64_t j = 0; j < columns; j++) {
        const double scaled = ldexp(row[j], -exponent);
        sum += scaled * scaled;
    }
    return ldexp(1 / sqrt(sum), -exponent);
}

/* --- running -------------------------------------------------------------------- */

typedef struct {
    pvgi_spmm *s;
    const pvgi_spmm_kernels *kernels;
    const void *x;
    void *out;
    int64_t row_chunks;
    pvgi_finish_fn finish;
    void *context;
} job;

static int32_t pack_chunk(void *context, int64_t chunk, uint32_t worker) {
    const job *j = context;
    const int64_t first = chunk * PVGI_SPMM_PACK_ROWS;
    const int64_t after = first + PVGI_SPMM_PACK_ROWS;
    double *sums = j->s->partial ? j->s->partial + chunk * j->s->padded : NULL;
    (void)worker;
    if (sums) memset(sums, 0, (size_t)j->s->padded * sizeof *sums);
    j->kernels->pack(j->s, j->x, first, after < j->s->order ? after : j->s->order, sums);
    return PVG_OK;
}

/* First row whose work, with that of all rows before it, reaches `work`. */
static int64_t row_of_work(const pvgi_spmm *s, int64_t work) {
    int64_t low = 0, high = s->order;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (s->graph->offsets[middle] + ROW_COST * middle < work)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Panel by panel, so that threads work in the same panel at about the same time. */
static int32_t sum_chunk(void *context, int64_t chunk, uint32_t worker) {
    const job *j = context;
    const pvgi_spmm *s = j->s;
    const int64_t part = chunk % j->row_chunks;
    const int64_t first = row_of_work(s, part * CHUNK_ARCS);
    const int64_t last =
        part + 1 == j->row_chunks ? s->order : row_of_work(s, (part + 1) * CHUNK_ARCS);
    int64_t start;
    const int32_t vectors = pvgi_propagate_panel(s, chunk / j->row_chunks, &start);
    const int64_t to = start + vectors * s->lanes;
    (void)worker;
    if (first >= last) return PVG_OK;
    j->kernels->sum(s, j->out, start, vectors, first, last);
    if (j->finish)
        j->finish(j->context, j->out, first, last, start,
                  to < s->columns ? to : s->columns);
    return PVG_OK;
}

/* mean = factor times the sums of all packed chunks, added in their order. */
static void add_means(pvgi_spmm *s, double factor) {
    memset(s->mean, 0, (size_t)s->padded * sizeof *s->mean);
    for (int64_t chunk = 0; chunk < pack_chunks(s->order); chunk++)
        for (int64_t j = 0; j < s->columns; j++)
            s->mean[j] += s->partial[chunk * s->padded + j];
    for (int64_t j = 0; j < s->columns; j++) s->mean[j] *= factor;
}

int32_t pvgi_propagate_spmm(void *out, pvgi_spmm *s, const void *x, double mean_weight,
                            pvgi_finish_fn finish, void *context, pvgi_run *run) {
    if (s->order == 0 || s->columns == 0) return PVG_OK;
    const int64_t work = s->graph->offsets[s->order] + ROW_COST * s->order;
    job j = {.s = s,
             .kernels = pvgi_propagate_kernels(pvgi_cpu_level(), s->element),
             .x = x,
             .out = out,
             .row_chunks = work / CHUNK_ARCS + 1,
             .finish = finish,
             .context = context};
    const double start = run->phase_start, share = run->phase_share;
    pvgi_run_phase(run, start, 0.2 * share);
    if (s->direct)
        s->table = x;
    else
        PVGI_TRY(pvgi_run_chunks(run, pack_chunks(s->order), pack_chunk, &j));
    if (s->mean) add_means(s, mean_weight / (double)s->order);
    pvgi_run_phase(run, start + 0.2 * share, 0.8 * share);
    const int32_t status =
        pvgi_run_chunks(run, j.row_chunks * panel_count(s), sum_chunk, &j);
    pvgi_run_phase(run, start, share);
    return status;
}
