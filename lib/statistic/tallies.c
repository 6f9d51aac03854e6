/* Tallies: how many edges lie in each public cell.
 *
 * Every pair {u, v} has one cell that is known without the edges, (group of the receiver,
 * kind of the sender) or the pair of kinds. Toggling an edge moves the count of its cell
 * by one and no other, so the L1 and L2 change of the whole vector is 1 whatever its
 * length, and one discrete Laplace number of rate epsilon per cell is epsilon-DP. With
 * weights, or with both ends counting, the change is the largest total of one pair. Sums
 * and noise are integers in steps of one public grid.
 *
 * Who sends: nodes are ranked once, by (priority, then lower number first), and a word
 * per node holds rank and kind, so that an arc costs one load, one comparison and one
 * increment without a branch. Up to 16 kinds are counted in bytes of registers, 255 arcs
 * at a time. O(order log order) to make, O(arcs + cells) to draw. */
#include "statistic_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS_PER_CHUNK = 8192, NODES_PER_CHUNK = 1024, DEFAULT_GRID = -10 };
/* Accumulators of all workers together, in cells. */
#define ACCUMULATED_MAX (INT64_C(1) << 22)

typedef struct {
    pvg_tallies_config config;
    pvgi_joint law;
    int64_t *keys;    /* rank << 32 | kind; kind = config.kinds: counts nowhere */
    uint32_t *packed; /* rank << 8 | kind, if that is all there is to say; or NULL */
    int32_t *groups;  /* or NULL */
    int64_t *weights; /* order x kinds, in grid steps, or NULL */
    double *ranges;   /* of each kind: the largest |sum| a cell can have, from above */
} state;

/* --- ranks ----------------------------------------------------------------------- */

typedef struct {
    double priority;
    int64_t node;
} ranked;

/* Lowest rank first: lower priority, then higher number. */
static int by_rank(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    if (x->priority != y->priority) return x->priority < y->priority ? -1 : 1;
    return x->node > y->node ? -1 : x->node < y->node;
}

/* Whether ranks have 24 bits, kinds 4, and every node has a kind. */
static bool fits_packed(const state *s, const pvg_tallies_nodes *nodes) {
    if (nodes->weights || s->config.kinds > 16 || s->config.order > 1 << 24) return false;
    for (int64_t v = 0; nodes->kinds && v < s->config.order; v++)
        if (nodes->kinds[v] < 0) return false;
    return s->config.cells != PVG_TALLIES_BETWEEN;
}

static int32_t fill_packed(state *s, const pvg_tallies_nodes *nodes) {
    if (!fits_packed(s, nodes)) return PVG_OK;
    s->packed = pvgi_alloc((size_t)s->config.order, sizeof *s->packed);
    if (!s->packed) return pvgi_fail_nomem();
    for (int64_t v = 0; v < s->config.order; v++)
        s->packed[v] = (uint32_t)(s->keys[v] >> 32 << 8 | (s->keys[v] & 15));
    return PVG_OK;
}

static int32_t fill_keys(state *s, const pvg_tallies_nodes *nodes) {
    const int64_t order = s->config.order;
    ranked *all = NULL;
    if (nodes->priorities) {
        all = pvgi_alloc((size_t)order, sizeof *all);
        if (!all) return pvgi_fail_nomem();
        for (int64_t v = 0; v < order; v++) all[v] = (ranked){nodes->priorities[v], v};
        qsort(all, (size_t)order, sizeof *all, by_rank);
    }
    for (int64_t rank = 0; rank < order; rank++) {
        const int64_t v = all ? all[rank].node : order - 1 - rank;
        int64_t kind = nodes->kinds ? nodes->kinds[v] : 0;
        if (kind < 0) kind = s->config.kinds;
        s->keys[v] = rank << 32 | kind;
    }
    pvgi_free(all);
    return PVG_OK;
}

/* --- how far one edge moves the vector --------------------------------------------- */

/* Weights in grid steps, towards zero, and the largest and second largest norms of rows.
 */
typedef struct {
    double l1[2], l2[2];
} norms;

static void raise(double largest[2], double value) {
    if (value > largest[0]) {
        largest[1] = largest[0];
        largest[0] = value;
    } else if (value > largest[1])
        largest[1] = value;
}

static int32_t fill_weights(norms *out, state *s, const double *weights,
                            const char *function) {
    const int64_t kinds = s->config.kinds;
    const int grid = ilogb(s->config.grid);
    for (int64_t v = 0; v < s->config.order; v++) {
        double sum = 0.0, squares = 0.0;
        for (int64_t k = 0; k < kinds; k++) {
            const double w = trunc(ldexp(weights[v * kinds + k], -grid));
            if (!(fabs(w) <= 0x1p30))
                return pvgi_fail(PVG_E_LIMIT,
                                 "%s: nodes->weights[%lld] is above 2^30 grid steps",
                                 function, (long long)(v * kinds + k));
            s->weights[v * kinds + k] = (int64_t)w;
            sum += fabs(w); /* exact below 2^53, which the margin below covers */
            squares += w * w;
        }
        raise(out->l1, sum * (1.0 + 0x1p-52 * (double)kinds));
        raise(out->l2, sqrt(squares) * (1.0 + 0x1p-52 * (double)(kinds + 4)));
    }
    return PVG_OK;
}

/* The joint change of one edge, in grid steps. */
static int32_t measure(double *l1, double *l2, state *s, const pvg_tallies_nodes *nodes,
                       const char *function) {
    const bool both = s->config.cells == PVG_TALLIES_BOTH_WAYS;
    norms n = {{1.0, 1.0}, {1.0, 1.0}};
    if (nodes->weights) {
        n = (norms){0};
        PVGI_TRY(fill_weights(&n, s, nodes->weights, function));
    }
    PVGI_REQUIRE(n.l1[0] > 0.0, "%s: all weights are 0 on the grid", function);
    *l1 = both ? n.l1[0] + n.l1[1] : n.l1[0];
    /* rows of two receivers, which are one row if they share a group */
    *l2 = !both                  ? n.l2[0]
          : s->config.groups > 0 ? n.l2[0] + n.l2[1]
                                 : hypot(n.l2[0], n.l2[1]) * (1.0 + 0x1p-50);
    return PVG_OK;
}

/* How far a cell of each kind can be from 0, over all its rows: pairs of a receiver, or
 * of a group of them, and a sender of the kind. Cells between kinds: pairs of them. */
static int32_t fill_ranges(state *s) {
    const int64_t kinds = s->config.kinds, order = s->config.order;
    double receivers = 1.0; /* of the largest group */
    s->ranges = pvgi_alloc_zero((size_t)kinds, sizeof *s->ranges);
    if (!s->ranges) return pvgi_fail_nomem();
    for (int64_t v = 0; v < order; v++)
        if (s->weights)
            for (int64_t k = 0; k < kinds; k++)
                s->ranges[k] += fabs((double)s->weights[v * kinds + k]) * s->config.grid;
        else if ((s->keys[v] & INT32_MAX) < kinds)
            s->ranges[s->keys[v] & INT32_MAX] += 1.0;
    if (s->groups) {
        int64_t *sizes = pvgi_alloc_zero((size_t)s->config.groups, sizeof *sizes);
        if (!sizes) return pvgi_fail_nomem();
        for (int64_t v = 0; v < order; v++)
            if (s->groups[v] >= 0 && (double)++sizes[s->groups[v]] > receivers)
                receivers = (double)sizes[s->groups[v]];
        pvgi_free(sizes);
    }
    if (s->config.cells == PVG_TALLIES_BETWEEN) {
        double first = 0.0, second = 0.0; /* the two most frequent kinds */
        for (int64_t k = 0; k < kinds; k++)
            if (s->ranges[k] > first) {
                second = first;
                first = s->ranges[k];
            } else if (s->ranges[k] > second)
                second = s->ranges[k];
        for (int64_t k = 0; k < kinds; k++) {
            const double own = s->ranges[k], other = own == first ? second : first;
            s->ranges[k] = fmax(own * (own - 1.0) / 2.0, own * other);
        }
        return PVG_OK;
    }
    for (int64_t k = 0; k < kinds; k++) {
        double senders = s->ranges[k]; /* a lone node does not send to itself */
        if (order < 2) senders = 0.0;
        s->ranges[k] = senders * receivers;
    }
    return PVG_OK;
}

/* --- counting -------------------------------------------------------------------- */

typedef struct {
    const state *s;
    const pvg_graph *graph;
    const pvgi_stream *call; /* NULL: no noise */
    double *out;
    int64_t *room; /* one row or one accumulator for each worker */
    int64_t stride;
    int64_t rows_per_chunk;
} job;

enum { PACKED_ARCS = 255 };

/* The same with counts in the bytes of two words; a branch on the kinds, which are
 * public. */
static inline void receive_packed(int64_t *row, const job *j, int64_t v) {
    const uint32_t *keys = j->s->packed;
    const int64_t own =
        j->s->config.cells == PVG_TALLIES_BOTH_WAYS ? -1 : (int64_t)keys[v];
    const int64_t kinds = j->s->config.kinds;
    const int32_t *u = j->graph->columns + j->graph->offsets[v];
    const int32_t *end = j->graph->columns + j->graph->offsets[v + 1];
    while (u < end) {
        const int32_t *stop = end - u > PACKED_ARCS ? u + PACKED_ARCS : end;
        uint64_t low = 0, high = 0;
        if (kinds <= 8)
            for (; u < stop; u++) {
                const uint32_t key = keys[*u];
                low += (uint64_t)((int64_t)key > own) << 8 * (key & 7);
            }
        else
            for (; u < stop; u++) {
                const uint32_t key = keys[*u];
                const uint64_t one = (uint64_t)((int64_t)key > own) << 8 * (key & 7);
                const uint64_t upper = 0 - (uint64_t)(key >> 3 & 1);
                low += one & ~upper;
                high += one & upper;
            }
        for (int64_t k = 0; k < kinds && k < 8; k++, low >>= 8) row[k] += low & 255;
        for (int64_t k = 8; k < kinds; k++, high >>= 8) row[k] += high & 255;
    }
}

/* Adds what node v receives to row, which has kinds + 1 entries. */
static inline void receive(int64_t *row, const job *j, int64_t v) {
    const state *s = j->s;
    if (s->packed) {
        receive_packed(row, j, v);
        return;
    }
    const int64_t *keys = s->keys, kinds = s->config.kinds;
    const int64_t own = s->config.cells == PVG_TALLIES_BOTH_WAYS ? -1 : (int64_t)keys[v];
    const int32_t *end = j->graph->columns + j->graph->offsets[v + 1];
    if (s->weights) {
        for (const int32_t *u = j->graph->columns + j->graph->offsets[v]; u < end; u++) {
            if (keys && keys[*u] <= own) continue;
            const int64_t *w = s->weights + *u * kinds;
            for (int64_t k = 0; k < kinds; k++) row[k] += w[k];
        }
        return;
    }
    for (const int32_t *u = j->graph->columns + j->graph->offsets[v]; u < end; u++) {
        const int64_t key = keys[*u];
        row[key > own ? key & INT32_MAX : kinds]++;
    }
}

/* A sum in grid steps as a number. */
static inline double in_units(int64_t sum, const pvgi_joint *law) {
    return law->grid == 0 ? (double)sum : ldexp((double)sum, law->grid);
}

/* Noise of the cells of a chunk, or zeros; in row, before anything private is read. */
static void prepare(int64_t *row, int64_t count, const job *j, int64_t chunk) {
    if (!j->call) {
        memset(row, 0, (size_t)count * sizeof *row);
        return;
    }
    pvgi_stream stream;
    pvgi_rng_stream_open_chunk(&stream, j->call, (uint64_t)chunk);
    pvgi_mechanism_joint_noise(row, count, &j->s->law, &stream);
    pvgi_rng_stream_close(&stream);
}

/* Each node its own row. */
static int32_t tally_rows(void *context, int64_t chunk, uint32_t worker) {
    const job *j = context;
    const int64_t kinds = j->s->config.kinds, order = j->s->config.order;
    const int64_t first = chunk * j->rows_per_chunk;
    const int64_t last =
        first + j->rows_per_chunk < order ? first + j->rows_per_chunk : order;
    int64_t *noise = j->room + worker * j->stride,
            *row = noise + j->rows_per_chunk * kinds;
    prepare(noise, (last - first) * kinds, j, chunk);
    for (int64_t v = first; v < last; v++, noise += kinds) {
        const int64_t *sums = noise;
        double *out = j->out + v * kinds;
        if (j->s->packed)
            receive_packed(noise, j, v);
        else { /* needs one more entry, for what counts nowhere */
            memcpy(row, noise, (size_t)kinds * sizeof *row);
            receive(row, j, v);
            sums = row;
        }
        if (j->s->law.grid == 0)
            for (int64_t k = 0; k < kinds; k++) out[k] = (double)sums[k];
        else
            for (int64_t k = 0; k < kinds; k++) out[k] = in_units(sums[k], &j->s->law);
    }
    return PVG_OK;
}

/* Groups, or pairs of kinds: sums of a worker, one more entry at the end of each row. */
static int32_t tally_sums(void *context, int64_t chunk, uint32_t worker) {
    const job *j = context;
    const state *s = j->s;
    const int64_t width = s->config.kinds + 1, order = s->config.order;
    const int64_t first = chunk * NODES_PER_CHUNK;
    const int64_t last =
        first + NODES_PER_CHUNK < order ? first + NODES_PER_CHUNK : order;
    int64_t *sums = j->room + worker * j->stride;
    for (int64_t v = first; v < last; v++) {
        if (s->groups) {
            if (s->groups[v] >= 0) receive(sums + s->groups[v] * width, j, v);
            continue;
        }
        const int64_t own = s->keys[v] & INT32_MAX;
        for (int64_t i = j->graph->offsets[v]; i < j->graph->offsets[v + 1]; i++) {
            const int32_t u = j->graph->columns[i];
            const int64_t other = s->keys[u] & INT32_MAX;
            if (u > v && own < width - 1)
                sums[other < own ? other * width + own : own * width + other]++;
        }
    }
    return PVG_OK;
}

/* Noise on the sums, a chunk of rows at a time; of pairs of kinds the upper half. */
static int32_t finish_sums(void *context, int64_t chunk, uint32_t worker) {
    const job *j = context;
    const state *s = j->s;
    const int64_t kinds = s->config.kinds;
    const int64_t rows = s->groups ? s->config.groups : kinds;
    const int64_t first = chunk * j->rows_per_chunk;
    const int64_t last =
        first + j->rows_per_chunk < rows ? first + j->rows_per_chunk : rows;
    int64_t *noise = j->room + worker * j->stride;
    /* room now holds noise; sums were added up in out, which holds int64 exactly */
    prepare(noise, (last - first) * kinds, j, chunk);
    for (int64_t r = first; r < last; r++)
        for (int64_t k = s->groups ? 0 : r; k < kinds; k++) {
            double *cell = j->out + r * kinds + k;
            int64_t sum;
            memcpy(&sum, cell, sizeof sum);
            *cell = in_units(sum + noise[(r - first) * kinds + k], &s->law);
            if (!s->groups) j->out[k * kinds + r] = *cell;
        }
    return PVG_OK;
}

static int64_t chunks_of(int64_t count, int64_t size) {
    return (count + size - 1) / size;
}

static int64_t rows_per_chunk(int64_t kinds) {
    const int64_t rows = CELLS_PER_CHUNK / kinds;
    return rows > 0 ? rows : 1;
}

static int64_t row_stride(int64_t kinds) {
    return (rows_per_chunk(kinds) + 1) * kinds + 8;
}

static size_t row_workers(int64_t order, int64_t kinds, const pvgi_run *run) {
    return pvgi_run_workers(run, chunks_of(order, rows_per_chunk(kinds)));
}

size_t pvgi_statistic_hop_bytes(int64_t order, int64_t kinds, const pvgi_run *run) {
    return pvgi_room_bytes(row_workers(order, kinds, run),
                           pvgi_size_mul((size_t)row_stride(kinds), sizeof(int64_t)));
}

static int32_t draw_rows(job *j, pvgi_room *room, pvgi_run *run) {
    const int64_t kinds = j->s->config.kinds, order = j->s->config.order;
    j->rows_per_chunk = rows_per_chunk(kinds);
    j->stride = row_stride(kinds);
    j->room = pvgi_statistic_take(room, row_workers(order, kinds, run),
                                  pvgi_size_mul((size_t)j->stride, sizeof *j->room));
    if (!j->room) return PVG_E_INTERNAL;
    return pvgi_run_chunks(run, chunks_of(order, j->rows_per_chunk), tally_rows, j);
}

/* Sums of all workers, into the bytes of out. Integers: the order does not matter. */
static void add_up(job *j, size_t workers, int64_t rows) {
    const int64_t kinds = j->s->config.kinds, width = kinds + 1;
    for (int64_t r = 0; r < rows; r++)
        for (int64_t k = 0; k < kinds; k++) {
            int64_t sum = 0;
            for (size_t w = 0; w < workers; w++)
                sum += j->room[(int64_t)w * j->stride + r * width + k];
            memcpy(j->out + r * kinds + k, &sum, sizeof sum);
        }
}

static int64_t sum_rows(const state *s) {
    return s->groups ? s->config.groups : s->config.kinds;
}

/* Threads that add up, each for itself: where accumulators are large one is enough. */
static size_t sum_workers(const state *s, const pvgi_run *run) {
    const int64_t stride = sum_rows(s) * (s->config.kinds + 1);
    const size_t workers =
        pvgi_run_workers(run, chunks_of(s->config.order, NODES_PER_CHUNK));
    return (int64_t)workers > ACCUMULATED_MAX / stride ? 1 : workers;
}

static size_t finish_workers(const state *s, const pvgi_run *run) {
    return pvgi_run_workers(run, chunks_of(sum_rows(s), rows_per_chunk(s->config.kinds)));
}

/* Sums, and after them noise in the same place. */
static size_t sums_bytes(const state *s, const pvgi_run *run) {
    const int64_t kinds = s->config.kinds;
    const size_t sums = pvgi_room_bytes(
        sum_workers(s, run),
        pvgi_size_mul((size_t)(sum_rows(s) * (kinds + 1)), sizeof(int64_t)));
    const size_t noise = pvgi_room_bytes(
        finish_workers(s, run),
        pvgi_size_mul((size_t)(rows_per_chunk(kinds) * kinds), sizeof(int64_t)));
    return sums > noise ? sums : noise;
}

static int32_t draw_sums(job *j, pvgi_room *room, pvgi_run *run) {
    const state *s = j->s;
    const int64_t kinds = s->config.kinds, rows = sum_rows(s);
    const uint32_t threads = run->config.threads;
    const size_t workers = sum_workers(s, run), start = room->used;
    j->stride = rows * (kinds + 1);
    j->room = pvgi_statistic_take_zero(room, workers,
                                       pvgi_size_mul((size_t)j->stride, sizeof *j->room));
    if (!j->room) return PVG_E_INTERNAL;
    pvgi_run_phase(run, 0.0, 0.8);
    if (workers == 1) run->config.threads = 1;
    const int32_t status =
        pvgi_run_chunks(run, chunks_of(s->config.order, NODES_PER_CHUNK), tally_sums, j);
    run->config.threads = threads;
    PVGI_TRY(status);
    add_up(j, workers, rows);

    pvgi_run_phase(run, 0.8, 0.2);
    room->used = start;
    j->rows_per_chunk = rows_per_chunk(kinds);
    j->stride = j->rows_per_chunk * kinds;
    j->room = pvgi_statistic_take(room, finish_workers(s, run),
                                  pvgi_size_mul((size_t)j->stride, sizeof *j->room));
    if (!j->room) return PVG_E_INTERNAL;
    return pvgi_run_chunks(run, chunks_of(rows, j->rows_per_chunk), finish_sums, j);
}

static bool adds_up(const state *s) {
    return s->groups || s->config.cells == PVG_TALLIES_BETWEEN;
}

static size_t bytes(const pvg_statistic *statistic, int64_t order, const pvgi_run *run) {
    const state *s = statistic->state;
    return adds_up(s) ? sums_bytes(s, run)
                      : pvgi_statistic_hop_bytes(order, s->config.kinds, run);
}

static int32_t draw(double *out, const pvg_statistic *statistic, const pvg_graph *graph,
                    pvgi_room *room, const pvgi_stream *call, pvgi_run *run) {
    const state *s = statistic->state;
    job j = {.s = s, .graph = graph, .call = call, .out = out};
    return adds_up(s) ? draw_sums(&j, room, run) : draw_rows(&j, room, run);
}

/* One hop both ways: rows of integers in steps of the law, order x columns. */
int32_t pvgi_statistic_hop(double *out, int64_t *rows, int64_t columns,
                           const pvgi_joint *law, const pvg_graph *graph, pvgi_room *room,
                           const pvgi_stream *call, pvgi_run *run) {
    const state s = {.config = {.cells = PVG_TALLIES_BOTH_WAYS,
                                .order = graph->order,
                                .kinds = columns},
                     .law = *law,
                     .weights = rows};
    job j = {.s = &s, .graph = graph, .call = call, .out = out};
    return draw_rows(&j, room, run);
}

/* --- the statistic --------------------------------------------------------------- */

static void deviation(double *out, const pvg_statistic *statistic) {
    const state *s = statistic->state;
    const double each = pvgi_mechanism_joint_deviation(&s->law);
    for (int64_t k = 0; k < statistic->columns; k++) out[k] = each;
}

static void plan(pvgi_tradeoff_point *out, const pvg_statistic *statistic, int64_t column,
                 int64_t order, int64_t common, double times) {
    const state *s = statistic->state;
    (void)order;
    (void)common;
    *out = (pvgi_tradeoff_point){0};
    if (s->ranges[column] == 0.0) return; /* no such pair; there is noise all the same */
    out->range = s->ranges[column];
    out->change = ldexp(s->law.steps, s->law.grid);
    out->noise = pvgi_mechanism_joint_deviation_at(&s->law, times);
}

static void label(char out[PVGI_TRADEOFF_LABEL], const pvg_statistic *statistic,
                  int64_t column) {
    (void)statistic;
    snprintf(out, PVGI_TRADEOFF_LABEL, "kind %lld", (long long)column);
}

static void drop(void *memory) {
    state *s = memory;
    pvgi_free(s->ranges);
    pvgi_free(s->keys);
    pvgi_free(s->packed);
    pvgi_free(s->groups);
    pvgi_free(s->weights);
}

static const pvgi_statistic_kind kind = {.word = "tallies",
                                         .bytes = bytes,
                                         .draw = draw,
                                         .deviation = deviation,
                                         .drop = drop,
                                         .plan = plan,
                                         .label = label};

const pvgi_joint *pvgi_statistic_tallies_law(const pvg_statistic *statistic) {
    if (statistic->kind != &kind) return NULL;
    const state *s = statistic->state;
    const bool own = s->config.cells == PVG_TALLIES_RECEIVED && !s->groups && !s->weights;
    return own ? &s->law : NULL;
}

static int32_t fill(state *s, int64_t rows, const pvg_target *target,
                    const pvg_tallies_nodes *nodes, const char *function) {
    const size_t order = (size_t)s->config.order;
    double l1 = 0.0, l2 = 0.0;
    s->keys = pvgi_alloc(order, sizeof *s->keys);
    if (!s->keys) return pvgi_fail_nomem();
    if (nodes->groups) {
        s->groups = pvgi_alloc(order, sizeof *s->groups);
        if (!s->groups) return pvgi_fail_nomem();
        memcpy(s->groups, nodes->groups, order * sizeof *s->groups);
    }
    if (nodes->weights) {
        s->weights = pvgi_alloc(order * (size_t)s->config.kinds, sizeof *s->weights);
        if (!s->weights) return pvgi_fail_nomem();
    }
    PVGI_TRY(fill_keys(s, nodes));
    PVGI_TRY(fill_packed(s, nodes));
    PVGI_TRY(measure(&l1, &l2, s, nodes, function));
    PVGI_TRY(fill_ranges(s));
    const double grid = s->weights ? s->config.grid : 1.0;
    const pvg_joint_config joint = {.size = sizeof joint,
                                    .dimension = rows * s->config.kinds,
                                    .l1 = l1 * grid,
                                    .l2 = l2 * grid,
                                    .grid = grid};
    return pvgi_mechanism_joint(&s->law, function, &joint, target);
}

/* Records what is promised. */
static void promise(pvg_statistic *statistic, const pvg_target *target) {
    const state *s = statistic->state;
    pvg_guarantee *g = &statistic->guarantee;
    const bool own = !s->groups && s->config.cells == PVG_TALLIES_RECEIVED;
    g->notion = PVG_NOTION_EDGE;
    g->spent = s->law.spent;
    g->delta = target->delta;
    g->noise = pvgi_statistic_noise_word(target->noise);
    g->sensitivity = ldexp(s->law.steps, s->law.grid);
    g->scale = s->law.scale;
    g->order = s->config.order;
    g->claim = "release.tally";
    pvgi_guarantee_premise(g, PVGI_PREMISE_NODES);
    pvgi_guarantee_premise(
        g, "priorities, kinds, groups and weights of nodes are public, or "
           "released before and paid for; none was computed from "
           "private edges");
    if (own) {
        g->also_notion = PVG_NOTION_EDGE_LDP;
        g->also = g->spent;
        pvgi_guarantee_premise(g,
                               "both ends of a pair go by the same table of priorities "
                               "and kinds, so that one of them receives: relationship-DP "
                               "with the same epsilon");
    }
}

/* Columns: one for each kind of node, or number of a weight, all alike. */
static int32_t describe(pvg_statistic *statistic) {
    const state *s = statistic->state;
    const double n = (double)s->config.order;
    const bool between = s->config.cells == PVG_TALLIES_BETWEEN;
    const char *name = s->weights ? "sum over neighbours that are counted"
                       : between  ? "edges between nodes of two kinds"
                                  : "neighbours of a kind that are counted";
    const double most = s->groups || between ? n * (n - 1.0) : n - 1.0;
    pvgi_columns *c = pvgi_guarantee_columns_begin();
    pvgi_guarantee_columns_add(
        c, &(pvgi_column){.count = s->config.kinds,
                          .name = name,
                          .unit = s->weights ? "weights of nodes"
                                  : between  ? "edges; below the diagonal the same again"
                                             : "edges",
                          .noise = pvgi_statistic_noise_word(s->law.noise)});
    pvgi_guarantee_columns_law(c, &s->law, s->weights ? (double)NAN : 0.0,
                               s->weights ? (double)NAN : most);
    return pvgi_guarantee_columns_close(&statistic->guarantee, c);
}

int32_t pvgi_statistic_tallies_new(pvg_statistic **out, const pvg_tallies_config *config,
                                   const pvg_target *target,
                                   const pvg_tallies_nodes *nodes, const char *function) {
    const pvg_guarantee empty = {0};
    pvg_statistic *statistic;
    PVGI_TRY(pvgi_statistic_make(&statistic, &kind, target, &empty, sizeof(state)));
    state *s = statistic->state;
    s->config = *config;
    if (s->config.grid == 0.0) s->config.grid = ldexp(1.0, DEFAULT_GRID);
    statistic->order = config->order;
    statistic->fixed = true;
    statistic->columns = config->kinds;
    statistic->rows = config->cells == PVG_TALLIES_BETWEEN ? config->kinds
                      : config->groups > 0                 ? config->groups
                                                           : config->order;
    int32_t status = fill(s, statistic->rows, target, nodes, function);
    if (status == PVG_OK) status = describe(statistic);
    if (status != PVG_OK) {
        pvgi_statistic_free(statistic);
        return status;
    }
    promise(statistic, target);
    *out = statistic;
    return PVG_OK;
}
