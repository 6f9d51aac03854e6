/* Sparse times dense, out = post (A + self) pre P(X) + mean: panels, chunks, threads.
 *
 * The adjacency matrix has no stored values: weights sit at the nodes. The dense matrix
 * is taken in panels of 128 bytes a row. A panel is packed, weighted on the way, so that
 * a neighbour costs one contiguous, aligned read that is added to registers, and so that
 * what is read arcs / order times is small: a wide matrix is read from a nearer cache
 * than it fits in as a whole. Narrower panels read the indices too often, wider ones run
 * out of registers; weighting while adding is slower than packing. A panel's columns of
 * the result depend on the same columns of the matrix only, so all panels share one table
 * and the result may overwrite the matrix. Time O((arcs + order) columns), memory
 * O(order). Chunks are cut by arcs, not by threads.
 *
 * Of a graph in parts each process packs its own rows and borrows those of neighbours, so
 * that weights of nodes stay with their owners; then it adds up as if it had them all. */
#include "propagate_internal.h"

#include <math.h>
#include <string.h>

enum {
    CHUNK_ARCS = 1 << 15, /* neighbours in a chunk of rows, roughly */
    ROW_COST = 8,         /* what a row costs besides its neighbours, in arcs */
    WIDTH = 4,            /* vectors in a packed panel */
    AHEAD = 16,           /* neighbours to prefetch, twice as many if of one line */
    LINE = 64             /* bytes */
};
/* What stays in a second cache next to everything else. */
#define NEAR_BYTES ((size_t)384 << 10)

/* An operator as three numbers of each node:
 *     out_u = post_u ( sum over neighbours v of pre_v x_v + self_u pre_u x_u )
 * Inlined with a known operation: plain loops that compilers turn into vectors. */
static inline __attribute__((always_inline)) void
weigh(pvgi_spmm *s, const pvgi_spmm_wish *wish, const enum pvg_operator operation) {
    const pvg_layers_config c = *wish->config;
    const int64_t *offsets = s->graph->offsets;
    double *restrict pre = s->pre, *restrict self = s->self, *restrict post = s->post;
    for (int64_t u = 0; u < s->order; u++) {
        const double degree = (int32_t)(offsets[u + 1] - offsets[u]);
        switch (operation) {
        case PVG_OPERATOR_SYMMETRIC:
            pre[u] = 1 / sqrt(degree + c.tau);
            self[u] = c.self_weight;
            post[u] = pre[u] * wish->scale;
            break;
        case PVG_OPERATOR_FLOOR:
            pre[u] = 1 / sqrt(degree > c.floor ? degree : c.floor);
            self[u] = degree > c.floor ? 0 : c.floor - degree;
            post[u] = pre[u] * wish->scale;
            break;
        case PVG_OPERATOR_LAPLACIAN:
            pre[u] = 1;
            self[u] = c.floor - degree;
            post[u] = 1 / c.floor * wish->scale;
            break;
        case PVG_OPERATOR_ROW:
            pre[u] = 1;
            self[u] = 1;
            post[u] = 1 / (degree + c.tau) * wish->scale;
            break;
        case PVG_OPERATOR_SUM:
            pre[u] = 1;
            self[u] = 0;
            post[u] = wish->scale;
            break;
        }
    }
}

static void set_weights(pvgi_spmm *s, const pvgi_spmm_wish *wish) {
    switch ((enum pvg_operator)wish->config->operation) {
    case PVG_OPERATOR_SYMMETRIC:
        weigh(s, wish, PVG_OPERATOR_SYMMETRIC);
        return;
    case PVG_OPERATOR_FLOOR:
        weigh(s, wish, PVG_OPERATOR_FLOOR);
        return;
    case PVG_OPERATOR_LAPLACIAN:
        weigh(s, wish, PVG_OPERATOR_LAPLACIAN);
        return;
    case PVG_OPERATOR_ROW:
        weigh(s, wish, PVG_OPERATOR_ROW);
        return;
    case PVG_OPERATOR_SUM:
        weigh(s, wish, PVG_OPERATOR_SUM);
        return;
    }
    for (int64_t u = 0; u < s->order; u++) /* not another one by mistake */
        s->pre[u] = s->self[u] = s->post[u] = NAN;
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

/* Columns of the widest panel, in whole vectors. */
static size_t panel_columns(const pvgi_spmm *s) {
    const int64_t full = s->width * s->lanes;
    return (size_t)(s->padded < full ? s->padded : full);
}

static bool has_pre(const pvg_layers_config *c) {
    return c->operation == PVG_OPERATOR_SYMMETRIC || c->operation == PVG_OPERATOR_FLOOR;
}

/* A narrow matrix needs no packing if its rows are whole vectors and neighbours have no
 * weights. */
static void set_shape(pvgi_spmm *s, const pvgi_spmm_wish *wish) {
    *s =
        (pvgi_spmm){.graph = wish->graph,
                    .order = wish->graph->order,
                    .columns = wish->columns,
                    .parts = wish->parts,
                    .rows_known = wish->graph->order +
                                  (wish->parts ? wish->parts->config.borrowed : 0),
                    .whole = wish->parts ? wish->parts->config.order : wish->graph->order,
                    .element = wish->element,
                    .lanes = (int32_t)(PVGI_SPMM_VECTOR / wish->element),
                    .width = wish->width ? wish->width : WIDTH,
                    .rows = wish->rows};
    s->padded = (s->columns + s->lanes - 1) / s->lanes * s->lanes;
    const size_t n = (size_t)s->rows_known;
    s->direct = wish->apart && !wish->parts && wish->rows == PVGI_ROWS_KEPT &&
                s->padded == s->columns &&
                __builtin_popcountll((uint64_t)(s->columns / s->lanes)) == 1 &&
                s->columns <= PVGI_SPMM_WIDEST * s->lanes && !has_pre(wish->config);
    if (s->direct) s->width = (int32_t)(s->columns / s->lanes);
    const size_t row = panel_columns(s) * s->element;
    if (n * row > NEAR_BYTES) s->ahead = row > LINE ? AHEAD : 2 * AHEAD;
}

static int64_t pack_chunks(int64_t order) {
    return (order + PVGI_SPMM_PACK_ROWS - 1) / PVGI_SPMM_PACK_ROWS;
}

/* Numbers of a node: weights, and the factor of P. */
static size_t node_numbers(const pvgi_spmm *s) {
    return s->rows == PVGI_ROWS_KEPT ? 3 : 4;
}

size_t pvgi_propagate_spmm_bytes(const pvgi_spmm_wish *wish) {
    pvgi_spmm s;
    set_shape(&s, wish);
    const size_t n = (size_t)s.order, panel = panel_columns(&s);
    const size_t known = wish->borrows_most > 0
                             ? pvgi_size_add(n, (size_t)wish->borrows_most)
                             : (size_t)s.rows_known;
    size_t bytes = node_numbers(&s) * n * sizeof(double);
    if (!s.direct) bytes = pvgi_size_add(bytes, pvgi_size_mul(known, panel * s.element));
    if (wish->mean) bytes += ((size_t)pack_chunks(s.order) + 1) * sizeof(double) * panel;
    if (wish->mean) bytes += panel * sizeof(pvgi_sum);
    return bytes;
}

int32_t pvgi_propagate_spmm_begin(pvgi_spmm *s, const pvgi_spmm_wish *wish) {
    set_shape(s, wish);
    const size_t n = (size_t)s->order, panel = panel_columns(s);
    s->pre = pvgi_alloc(node_numbers(s) * n, sizeof *s->pre);
    bool scratch = s->pre != NULL;
    if (!s->direct) {
        s->packed = pvgi_alloc((size_t)s->rows_known * panel, s->element);
        scratch = scratch && s->packed;
    }
    if (wish->mean) {
        s->partial =
            pvgi_alloc((size_t)pack_chunks(s->order) * panel, sizeof *s->partial);
        s->mean = pvgi_alloc(panel, sizeof *s->mean);
        s->sums = pvgi_alloc(panel, sizeof *s->sums);
        scratch = scratch && s->partial && s->mean && s->sums;
    }
    if (!scratch) {
        pvgi_propagate_spmm_end(s);
        return pvgi_fail_nomem();
    }
    s->self = s->pre + s->order;
    s->post = s->self + s->order;
    if (s->rows != PVGI_ROWS_KEPT) s->factor = s->post + s->order;
    set_weights(s, wish);
    s->table = s->packed;
    return PVG_OK;
}

void pvgi_propagate_spmm_end(pvgi_spmm *s) {
    pvgi_free(s->pre);
    pvgi_free(s->packed);
    pvgi_free(s->partial);
    pvgi_free(s->mean);
    pvgi_free(s->sums);
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
    double mean_factor;
    pvgi_finish_fn finish;
    void *context;
} job;

static int32_t pack_chunk(void *context, int64_t chunk, uint32_t worker) {
    const job *j = context;
    const pvgi_spmm *s = j->s;
    const int64_t chunks = pack_chunks(s->order), part = chunk % chunks;
    const int64_t first = part * PVGI_SPMM_PACK_ROWS, after = first + PVGI_SPMM_PACK_ROWS;
    const size_t panel = panel_columns(s);
    double *sums = s->partial ? s->partial + (size_t)part * panel : NULL;
    int64_t start;
    const int32_t vectors = pvgi_propagate_panel(s, chunk / chunks, &start);
    (void)worker;
    if (sums) memset(sums, 0, panel * sizeof *sums);
    j->kernels->pack(s, j->x, start, vectors, first, after < s->order ? after : s->order,
                     sums);
    return PVG_OK;
}

/* The sums of all packed chunks, added without rounding: those of other processes may
 * come to them. */
static void add_chunks(const job *j) {
    const pvgi_spmm *s = j->s;
    const size_t columns = panel_columns(s);
    memset(s->sums, 0, columns * sizeof *s->sums);
    for (int64_t chunk = 0; chunk < pack_chunks(s->order); chunk++)
        for (size_t i = 0; i < columns; i++)
            pvgi_sum_add(&s->sums[i], s->partial[(size_t)chunk * columns + i]);
}

static void take_mean(const job *j) {
    const pvgi_spmm *s = j->s;
    for (size_t i = 0; i < panel_columns(s); i++)
        s->mean[i] = pvgi_sum_round(&s->sums[i]) * j->mean_factor;
}

static int32_t mean_chunk(void *context, int64_t panel, uint32_t worker) {
    (void)panel;
    (void)worker;
    add_chunks(context);
    take_mean(context);
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

/* --- parts ------------------------------------------------------------------------- */

static int32_t mean_of_parts(const job *j) {
    const pvgi_spmm *s = j->s;
    const int64_t columns = (int64_t)panel_columns(s);
    add_chunks(j);
    for (int64_t i = 0; i < columns; i++) pvgi_sum_carry(&s->sums[i]);
    PVGI_TRY(pvgi_graph_parts_combine(s->parts, s->sums->digit, columns * PVGI_SUM_DIGITS,
                                      PVG_COMBINE_SUM));
    take_mean(j);
    return PVG_OK;
}

/* One panel: its chunks are numbered after those of the panels before it. */
typedef struct {
    job *j;
    int64_t panel;
} one_panel;

static int32_t pack_one(void *context, int64_t chunk, uint32_t worker) {
    const one_panel *one = context;
    return pack_chunk(one->j, one->panel * pack_chunks(one->j->s->order) + chunk, worker);
}

static int32_t sum_one(void *context, int64_t chunk, uint32_t worker) {
    const one_panel *one = context;
    return sum_chunk(one->j, one->panel * one->j->row_chunks + chunk, worker);
}

/* Panel by panel, as processes speak with each other from the calling thread only. */
static int32_t run_parts(job *j, pvgi_run *run) {
    const pvgi_spmm *s = j->s;
    const int64_t panels = panel_count(s);
    const double share = 1.0 / (double)panels;
    for (int64_t panel = 0; panel < panels; panel++) {
        one_panel one = {j, panel};
        int64_t start;
        const int64_t vectors = pvgi_propagate_panel(s, panel, &start);
        const double at = (double)panel * share;
        const pvgi_phase before = pvgi_run_enter(run, at, 0.1 * share);
        int32_t status = pvgi_run_chunks(run, pack_chunks(s->order), pack_one, &one);
        pvgi_run_leave(run, before);
        if (status == PVG_OK && s->mean) status = mean_of_parts(j);
        PVGI_TRY(status);
        PVGI_TRY(pvgi_graph_parts_borrow(s->parts, s->packed,
                                         (size_t)(vectors * s->lanes) * s->element));
        pvgi_run_enter(run, at + 0.1 * share, 0.9 * share);
        status = pvgi_run_chunks(run, j->row_chunks, sum_one, &one);
        pvgi_run_leave(run, before);
        PVGI_TRY(status);
    }
    return PVG_OK;
}

int32_t pvgi_propagate_spmm(void *out, pvgi_spmm *s, const void *x, double mean_weight,
                            pvgi_finish_fn finish, void *context, pvgi_run *run) {
    if ((s->order == 0 && !s->parts) || s->columns == 0) return PVG_OK;
    const int64_t work = s->graph->offsets[s->order] + ROW_COST * s->order;
    job j = {.s = s,
             .kernels = pvgi_propagate_kernels(pvgi_cpu_level(), s->element),
             .x = x,
             .out = out,
             .row_chunks = work / CHUNK_ARCS + 1,
             .mean_factor = mean_weight / (double)s->whole,
             .finish = finish,
             .context = context};
    if (s->direct) s->table = x;
    if (s->parts) return run_parts(&j, run);
    const pvgi_stage stages[] = {
        {pack_chunk, s->direct ? 0 : pack_chunks(s->order), 0.1, NULL},
        {mean_chunk, s->mean ? 1 : 0, 0, NULL},
        {sum_chunk, j.row_chunks, 0.9, NULL},
    };
    return pvgi_run_stages(run, stages, 3, panel_count(s), &j);
}
