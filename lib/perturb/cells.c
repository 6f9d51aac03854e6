/* Every pair of nodes answers on its own: a present edge stays with one chance, an absent
 * one appears with another. Present edges toss a coin each; absent ones are found by
 * skipping over all pairs i < j, row by row, with geometric gaps, hits on present edges
 * being passed over (their coin has decided). O(order + edges + hits) time; memory is
 * that of the result and half of it again while it is made.
 *
 * Pairs are cut at rows into chunks of about equally many pairs, each with a stream of
 * its own; a gap that runs over the end of a chunk is dropped, as the law has no memory.
 */
#include "perturb_internal.h"

#include <math.h>
#include <string.h>

/* Chunks: small enough to share, large enough to be worth a stream. */
enum { HITS_PER_CHUNK = 1 << 13, ROWS_PER_CHUNK = 1 << 12, CHUNKS_MAX = 1 << 14 };

typedef struct {
    int32_t *columns; /* j > i of the rows i of the chunk, ascending in each */
    int64_t used, capacity;
} part;

typedef struct {
    const pvg_graph *graph;
    const pvgi_cell_rates *rates;
    const pvgi_stream *call;
    int64_t chunks;
    part *parts;
    int32_t *counts; /* of each row */
} job;

/* One chunk while it is drawn. */
typedef struct {
    const job *j;
    part *to;
    pvgi_stream stream;
    uint64_t pairs; /* of the chunk: no gap needs to be longer */
} walk;

/* --- public numbers ------------------------------------------------------------- */

pvgi_cell_rates pvgi_perturb_rates(uint64_t keep, uint64_t add, int halvings) {
    const int up = 64 - halvings;
    const uint64_t keep_low = halvings ? keep << up : 0;
    const uint64_t add_low = halvings ? add << up : 0;
    return (pvgi_cell_rates){.keep = {keep >> halvings, keep_low},
                             .add = pvgi_rng_skip(add >> halvings, add_low),
                             .add_chance = ldexp((double)add, -64 - halvings)};
}

/* X is binomial with this mean. Bernstein: P(X >= mean + t) <= exp(-t^2 / (2 (mean +
 * t/3))) is exp(-L) or less at t = sqrt(2 L mean) + 2 L / 3; L = 64 ln 2 and a little
 * more. */
double pvgi_perturb_most(double mean, int64_t pairs) {
    const double l = 44.4;
    const double most = ceil(mean + sqrt(2.0 * l * mean) + 2.0 * l / 3.0);
    return most < (double)pairs ? most : (double)pairs;
}

/* Pairs in the rows before `row`, of all rows if row = order. */
static int64_t pairs_before(int64_t order, int64_t row) {
    return row % 2 ? row * ((2 * order - row - 1) / 2) : row / 2 * (2 * order - row - 1);
}

int64_t pvgi_perturb_pairs(int64_t order) {
    return pairs_before(order, order);
}

static int64_t chunks_of(int64_t order, const pvgi_cell_rates *rates) {
    const double hits = (double)pvgi_perturb_pairs(order) * rates->add_chance;
    const double wish = 1.0 + hits / HITS_PER_CHUNK + (double)order / ROWS_PER_CHUNK;
    const int64_t chunks = wish < CHUNKS_MAX ? (int64_t)wish : CHUNKS_MAX;
    return chunks < order ? chunks : order;
}

/* First row of a chunk: the first with at least chunk / chunks of all pairs before it. */
static int64_t first_row(const job *j, int64_t chunk) {
    const int64_t order = j->graph->order;
    const unsigned __int128 wish =
        (unsigned __int128)pvgi_perturb_pairs(order) * (uint64_t)chunk;
    int64_t low = 0, high = order;
    if (chunk == j->chunks) return order;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if ((unsigned __int128)pairs_before(order, middle) * (uint64_t)j->chunks < wish)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* --- drawing -------------------------------------------------------------------- */

static inline int64_t next_gap(walk *w) {
    return (int64_t)pvgi_rng_draw_skip(&w->j->rates->add, &w->stream, w->pairs);
}

static inline bool stays(walk *w) {
    const uint64_t *keep = w->j->rates->keep;
    return pvgi_rng_draw_chance(&w->stream, keep[0], keep[1]);
}

static int32_t make_room(part *to, int64_t more) {
    if (to->capacity - to->used >= more) return PVG_OK;
    const int64_t capacity = to->capacity + to->capacity / 2 + more;
    int32_t *columns = pvgi_grow(to->columns, (size_t)capacity, sizeof *columns);
    if (!columns) return pvgi_fail_nomem();
    to->columns = columns;
    to->capacity = capacity;
    return PVG_OK;
}

/* The first entry of the row beyond the diagonal. */
static const int32_t *upper_part(const pvg_graph *graph, int64_t row) {
    const int32_t *low = graph->columns + graph->offsets[row];
    int64_t count = graph->offsets[row + 1] - graph->offsets[row];
    while (count > 0) {
        const int64_t half = count / 2;
        if (low[half] < row) {
            low += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return low;
}

/* One row; *gap pairs lie between its first pair and the next hit. */
static int32_t draw_row(walk *w, int64_t row, int64_t *gap) {
    const pvg_graph *graph = w->j->graph;
    const int64_t width = graph->order - 1 - row;
    const int32_t *edge = upper_part(graph, row);
    const int32_t *const end = graph->columns + graph->offsets[row + 1];
    const int64_t before = w->to->used;
    PVGI_TRY(make_room(w->to, end - edge));
    while (*gap < width) {
        const int32_t hit = (int32_t)(row + 1 + *gap);
        for (; edge < end && *edge < hit; edge++)
            if (stays(w)) w->to->columns[w->to->used++] = *edge;
        if (edge == end || *edge != hit) {
            PVGI_TRY(make_room(w->to, end - edge + 1));
            w->to->columns[w->to->used++] = hit;
        }
        *gap += 1 + next_gap(w);
    }
    *gap -= width;
    for (; edge < end; edge++)
        if (stays(w)) w->to->columns[w->to->used++] = *edge;
    w->j->counts[row] = (int32_t)(w->to->used - before);
    return PVG_OK;
}

static int32_t draw_chunk(void *context, int64_t chunk, uint32_t worker) {
    const job *j = context;
    const int64_t first = first_row(j, chunk), last = first_row(j, chunk + 1);
    const int64_t order = j->graph->order;
    walk w = {.j = j, .to = &j->parts[chunk]};
    int32_t status = PVG_OK;
    (void)worker;
    w.pairs = (uint64_t)(pairs_before(order, last) - pairs_before(order, first));
    const double hits = (double)w.pairs * j->rates->add_chance;
    int64_t capacity = (int64_t)(hits + 6.0 * sqrt(hits)) + 64;
    for (int64_t row = first; row < last; row++)
        capacity +=
            j->graph->columns + j->graph->offsets[row + 1] - upper_part(j->graph, row);
    PVGI_TRY(make_room(w.to, capacity));
    pvgi_rng_stream_open_chunk(&w.stream, j->call, (uint64_t)chunk);
    int64_t gap = next_gap(&w);
    for (int64_t row = first; row < last && status == PVG_OK; row++)
        status = draw_row(&w, row, &gap);
    pvgi_wipe(&w, sizeof w);
    return status;
}

/* --- from rows beyond the diagonal to a graph ----------------------------------- */

/* offsets[v + 1] is where row v starts, then moves on as the row fills, and ends where
 * row v + 1 starts. Rows come in ascending order, so the entries below the diagonal of a
 * row are complete, and ascending, when its own turn comes. */
static void fill(pvg_graph *graph, const part *from, const int32_t *counts, int64_t first,
                 int64_t last) {
    int64_t *const cursor = graph->offsets + 1;
    const int32_t *next = from->columns;
    for (int64_t row = first; row < last; next += counts[row], row++) {
        memcpy(graph->columns + cursor[row], next, (size_t)counts[row] * sizeof *next);
        cursor[row] += counts[row];
        for (int32_t i = 0; i < counts[row]; i++)
            graph->columns[cursor[next[i]]++] = (int32_t)row;
    }
}

static int32_t assemble(pvg_graph **out, job *j, pvgi_run *run) {
    const int64_t order = j->graph->order;
    int64_t size = 0, sum = 0;
    for (int64_t c = 0; c < j->chunks; c++) size += j->parts[c].used;
    pvg_graph *graph = pvgi_graph_alloc(order, size);
    if (!graph) return pvgi_fail_nomem();
    *out = graph;
    graph->offsets[0] = 0;
    for (int64_t row = 0; row < order; row++) graph->offsets[row + 1] = j->counts[row];
    for (int64_t c = 0; c < j->chunks; c++)
        for (int64_t i = 0; i < j->parts[c].used; i++)
            graph->offsets[j->parts[c].columns[i] + 1]++;
    for (int64_t row = 0; row < order; row++) {
        const int64_t degree = graph->offsets[row + 1];
        graph->offsets[row + 1] = sum;
        sum += degree;
    }
    for (int64_t c = 0; c < j->chunks; c++) {
        fill(graph, &j->parts[c], j->counts, first_row(j, c), first_row(j, c + 1));
        pvgi_free(j->parts[c].columns);
        j->parts[c].columns = NULL;
        PVGI_TRY(pvgi_run_report(run, (double)c / (double)j->chunks));
    }
    return PVG_OK;
}

size_t pvgi_perturb_cells_scratch(int64_t order, double most) {
    const double bytes =
        4.0 * most + 4.0 * (double)order + (double)(CHUNKS_MAX * sizeof(part));
    return bytes < 0x1p62 ? (size_t)bytes : SIZE_MAX;
}

int32_t pvgi_perturb_cells(pvg_graph **out, const pvg_graph *graph,
                           const pvgi_cell_rates *rates, const pvgi_stream *call,
                           pvgi_run *run) {
    job j = {.graph = graph, .rates = rates, .call = call};
    pvg_graph *made = NULL;
    int32_t status = PVG_E_NOMEM;
    j.chunks = chunks_of(graph->order, rates);
    j.parts = pvgi_alloc_zero((size_t)j.chunks, sizeof *j.parts);
    j.counts = pvgi_alloc((size_t)graph->order, sizeof *j.counts);
    if (!j.parts || !j.counts) {
        status = pvgi_fail_nomem();
        goto done;
    }
    pvgi_run_phase(run, 0.0, 0.7);
    PVGI_TRY_DONE(pvgi_run_chunks(run, j.chunks, draw_chunk, &j));
    pvgi_run_phase(run, 0.7, 0.3);
    PVGI_TRY_DONE(assemble(&made, &j, run));
    *out = made;
    made = NULL;
done:
    pvgi_graph_free(made);
    for (int64_t c = 0; j.parts && c < j.chunks; c++) pvgi_free(j.parts[c].columns);
    pvgi_free(j.parts);
    pvgi_free(j.counts);
    return status;
}
