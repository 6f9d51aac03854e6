/* Counting for edge histograms, and adding noise to what was counted.
 *
 * A word per node holds rank and kind, so that an arc costs one load, one comparison and
 * one increment without a branch. Up to 16 kinds are counted in bytes of registers, 255
 * arcs at a time. O(arcs + cells). */
#include "histogram.h"

#include <math.h>
#include <string.h>

enum { CELLS_PER_CHUNK = 8192, NODES_PER_CHUNK = 1024 };
/* Accumulators of all workers together, in cells. */
#define ACCUMULATED_MAX (INT64_C(1) << 22)

typedef pvgi_histogram_state state;

typedef struct {
    const state *s;
    const pvg_graph *graph;
    const pvgi_stream *call; /* NULL: no noise */
    double *out;
    int64_t *scratch; /* one row or one accumulator for each worker */
    int64_t stride;
    int64_t rows_per_chunk;
    /* of a part of a graph: the number of its first row, and how many the whole has */
    int64_t first, whole;
    const pvg_parts *parts; /* or NULL */
    int64_t after;          /* borrowed rows from this one on are behind the own ones */
} job;

enum { PACKED_ARCS = 255 };

/* The same with counts in the bytes of two words; a branch on the kinds, which are
 * public. */
static inline void receive_packed(int64_t *row, const job *j, int64_t v) {
    const uint32_t *keys = j->s->packed;
    const int64_t own =
        j->s->config.cells == PVG_HISTOGRAM_BOTH_WAYS ? -1 : (int64_t)keys[v];
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
    const int64_t own =
        s->config.cells == PVG_HISTOGRAM_BOTH_WAYS ? -1 : (int64_t)keys[v];
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
static int32_t histogram_rows(void *context, int64_t chunk, uint32_t worker) {
    const job *j = context;
    const int64_t kinds = j->s->config.kinds, rows = j->graph->order;
    /* chunks of the whole graph: where two processes share one, each draws all its noise
     * and uses that of its own rows */
    const int64_t number = j->first / j->rows_per_chunk + chunk;
    const int64_t begin = number * j->rows_per_chunk;
    const int64_t end =
        begin + j->rows_per_chunk < j->whole ? begin + j->rows_per_chunk : j->whole;
    const int64_t first = begin > j->first ? begin - j->first : 0;
    const int64_t last = end - j->first < rows ? end - j->first : rows;
    int64_t *noise = j->scratch + worker * j->stride,
            *row = noise + j->rows_per_chunk * kinds;
    prepare(noise, (end - begin) * kinds, j, number);
    noise += (j->first + first - begin) * kinds;
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
static int32_t histogram_sums(void *context, int64_t chunk, uint32_t worker) {
    const job *j = context;
    const state *s = j->s;
    const int64_t width = s->config.kinds + 1, order = s->config.order;
    const int64_t first = chunk * NODES_PER_CHUNK;
    const int64_t last =
        first + NODES_PER_CHUNK < order ? first + NODES_PER_CHUNK : order;
    int64_t *sums = j->scratch + worker * j->stride;
    for (int64_t v = first; v < last; v++) {
        if (s->groups) {
            if (s->groups[v] >= 0) receive(sums + s->groups[v] * width, j, v);
            continue;
        }
        const int64_t own = s->keys[v] & INT32_MAX;
        for (int64_t i = j->graph->offsets[v]; i < j->graph->offsets[v + 1]; i++) {
            const int32_t u = j->graph->columns[i];
            const int64_t other = s->keys[u] & INT32_MAX;
            const bool behind = u > v && (u < order || u >= j->after);
            if (behind && own < width - 1) /* an edge counts at its first end */
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
    int64_t *noise = j->scratch + worker * j->stride;
    /* scratch now holds noise; sums were added up in out, which holds int64 exactly */
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
    return pvgi_scratch_bytes(row_workers(order, kinds, run),
                              pvgi_size_mul((size_t)row_stride(kinds), sizeof(int64_t)));
}

static int32_t draw_rows(job *j, pvgi_scratch *scratch, pvgi_run *run) {
    const int64_t kinds = j->s->config.kinds, rows = j->graph->order;
    j->rows_per_chunk = rows_per_chunk(kinds);
    j->stride = row_stride(kinds);
    /* how far they reach beyond the beginning of their first chunk */
    const int64_t reach = j->first % j->rows_per_chunk + rows;
    j->scratch =
        pvgi_statistic_take(scratch, row_workers(reach, kinds, run),
                            pvgi_size_mul((size_t)j->stride, sizeof *j->scratch));
    if (!j->scratch) return PVG_E_INTERNAL;
    if (rows == 0) return PVG_OK;
    return pvgi_run_chunks(run, chunks_of(reach, j->rows_per_chunk), histogram_rows, j);
}

/* Sums of all workers, into the bytes of out. Integers: the order does not matter. */
static void add_up(job *j, size_t workers, int64_t rows) {
    const int64_t kinds = j->s->config.kinds, width = kinds + 1;
    for (int64_t r = 0; r < rows; r++)
        for (int64_t k = 0; k < kinds; k++) {
            int64_t sum = 0;
            for (size_t w = 0; w < workers; w++)
                sum += j->scratch[(int64_t)w * j->stride + r * width + k];
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
    const size_t sums = pvgi_scratch_bytes(
        sum_workers(s, run),
        pvgi_size_mul((size_t)(sum_rows(s) * (kinds + 1)), sizeof(int64_t)));
    const size_t noise = pvgi_scratch_bytes(
        finish_workers(s, run),
        pvgi_size_mul((size_t)(rows_per_chunk(kinds) * kinds), sizeof(int64_t)));
    return sums > noise ? sums : noise;
}

static int32_t draw_sums(job *j, pvgi_scratch *scratch, pvgi_run *run) {
    const state *s = j->s;
    const int64_t kinds = s->config.kinds, rows = sum_rows(s);
    const uint32_t threads = run->config.threads;
    const size_t workers = sum_workers(s, run), start = scratch->used;
    j->stride = rows * (kinds + 1);
    j->scratch = pvgi_statistic_take_zero(
        scratch, workers, pvgi_size_mul((size_t)j->stride, sizeof *j->scratch));
    if (!j->scratch) return PVG_E_INTERNAL;
    pvgi_run_phase(run, 0.0, 0.8);
    if (workers == 1) run->config.threads = 1;
    const int32_t status = pvgi_run_chunks(
        run, chunks_of(s->config.order, NODES_PER_CHUNK), histogram_sums, j);
    run->config.threads = threads;
    PVGI_TRY(status);
    add_up(j, workers, rows);
    if (j->parts) { /* process 0 draws the noise of all */
        PVGI_TRY(pvgi_graph_parts_combine(j->parts, (int64_t *)(void *)j->out,
                                          rows * kinds, PVG_COMBINE_SUM));
        if (j->parts->config.process > 0) return PVG_OK;
    }

    pvgi_run_phase(run, 0.8, 0.2);
    scratch->used = start;
    j->rows_per_chunk = rows_per_chunk(kinds);
    j->stride = j->rows_per_chunk * kinds;
    j->scratch =
        pvgi_statistic_take(scratch, finish_workers(s, run),
                            pvgi_size_mul((size_t)j->stride, sizeof *j->scratch));
    if (!j->scratch) return PVG_E_INTERNAL;
    return pvgi_run_chunks(run, chunks_of(rows, j->rows_per_chunk), finish_sums, j);
}

static bool adds_up(const state *s) {
    return s->groups || s->config.cells == PVG_HISTOGRAM_BETWEEN;
}

size_t pvgi_statistic_histogram_bytes(const pvg_statistic *statistic, int64_t order,
                                      const pvgi_run *run) {
    const state *s = statistic->state;
    return adds_up(s) ? sums_bytes(s, run)
                      : pvgi_statistic_hop_bytes(order, s->config.kinds, run);
}

int32_t pvgi_statistic_histogram_draw(double *out, const pvg_statistic *statistic,
                                      const pvg_graph *graph, pvgi_scratch *scratch,
                                      const pvgi_stream *call, pvgi_run *run) {
    const state *s = statistic->state;
    job j = {.s = s, .graph = graph, .call = call, .out = out, .whole = graph->order};
    return adds_up(s) ? draw_sums(&j, scratch, run) : draw_rows(&j, scratch, run);
}

/* --- graphs in parts --------------------------------------------------------------- */

static size_t word_bytes(const state *s) {
    return s->packed ? sizeof *s->packed : sizeof *s->keys;
}

size_t pvgi_statistic_histogram_parts_bytes(const pvg_statistic *statistic, int64_t own,
                                            int64_t borrowed, const pvgi_run *run) {
    const state *s = statistic->state;
    state here = *s;
    here.config.order = own;
    const size_t local = (size_t)own + (size_t)borrowed;
    const size_t weights = s->weights ? pvgi_size_mul((size_t)s->config.kinds, 8) : 0;
    const size_t tables = pvgi_size_add(pvgi_scratch_bytes(local, word_bytes(s)),
                                        pvgi_scratch_bytes(local, weights));
    return pvgi_size_add(tables, adds_up(s)
                                     ? sums_bytes(&here, run)
                                     : pvgi_statistic_hop_bytes(own + 2 * PVG_PARTS_ROWS,
                                                                s->config.kinds, run));
}

/* What is public of the nodes, by local numbers; ranks stay those of the whole. */
static int32_t take_local(state *here, const state *s, const pvg_parts *parts,
                          pvgi_scratch *scratch) {
    const int64_t local = parts->config.own + parts->config.borrowed;
    const size_t kinds = (size_t)s->config.kinds;
    *here = *s;
    here->config.order = parts->config.own;
    if (s->groups) here->groups = s->groups + parts->config.first;
    void *words = pvgi_statistic_take(scratch, (size_t)local, word_bytes(s));
    here->weights =
        pvgi_statistic_take(scratch, (size_t)local, s->weights ? kinds * 8 : 0);
    if (!words || !here->weights) return PVG_E_INTERNAL;
    if (s->packed) {
        here->packed = words;
        here->keys = NULL;
        for (int64_t i = 0; i < local; i++)
            here->packed[i] = s->packed[pvgi_graph_parts_number(parts, i)];
    } else {
        here->keys = words;
        for (int64_t i = 0; i < local; i++)
            here->keys[i] = s->keys[pvgi_graph_parts_number(parts, i)];
    }
    if (!s->weights) {
        here->weights = NULL;
        return PVG_OK;
    }
    for (int64_t i = 0; i < local; i++)
        memcpy(here->weights + (size_t)i * kinds,
               s->weights + (size_t)pvgi_graph_parts_number(parts, i) * kinds,
               kinds * sizeof *s->weights);
    return PVG_OK;
}

int32_t pvgi_statistic_histogram_draw_parts(double *out, const pvg_statistic *statistic,
                                            const pvg_parts *parts, pvgi_scratch *scratch,
                                            const pvgi_stream *call, pvgi_run *run) {
    const pvg_parts_config *c = &parts->config;
    state here;
    PVGI_TRY(take_local(&here, statistic->state, parts, scratch));
    job j = {.s = &here,
             .graph = &parts->rows,
             .call = call,
             .out = out,
             .first = c->first,
             .whole = c->order,
             .parts = parts,
             .after = c->own};
    while (j.after < c->own + c->borrowed && c->borrows[j.after - c->own] < c->first)
        j.after++;
    if (!adds_up(&here)) return draw_rows(&j, scratch, run);
    PVGI_TRY(draw_sums(&j, scratch, run));
    return pvgi_graph_parts_share(
        parts, out, (size_t)(statistic->rows * statistic->columns) * sizeof *out);
}

/* --- message passing --------------------------------------------------------------- */

/* One hop both ways: rows of integers in steps of the law, order x columns; of a part of
 * a graph those that it borrows as well. */
int32_t pvgi_statistic_hop(double *out, int64_t *rows, int64_t columns,
                           const pvgi_joint *law, const pvg_graph *graph,
                           const pvg_parts *parts, pvgi_scratch *scratch,
                           const pvgi_stream *call, pvgi_run *run) {
    const state s = {.config = {.cells = PVG_HISTOGRAM_BOTH_WAYS,
                                .order = graph->order,
                                .kinds = columns},
                     .law = *law,
                     .weights = rows};
    job j = {.s = &s,
             .graph = graph,
             .call = call,
             .out = out,
             .first = parts ? parts->config.first : 0,
             .whole = parts ? parts->config.order : graph->order};
    if (parts)
        PVGI_TRY(pvgi_graph_parts_borrow(parts, rows,
                                         pvgi_size_mul((size_t)columns, sizeof *rows)));
    return draw_rows(&j, scratch, run);
}
