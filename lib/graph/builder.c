/* A graph from edges that come in pieces.
 *
 * Edges are kept as words in blocks of 1 MiB, which the engine of build.c reads as they
 * are: nothing is copied, and what a piece is leaves no trace but its first position.
 *
 * Where repeats are merged there may be far more edges than the graph has, so a full
 * block is sorted and joins the runs: sorted edges without repeats, each run more than
 * twice as long as the next. A run has at most the edges of the graph, all runs together
 * at most twice as many. Merging frees the blocks it has read while it writes others.
 * O(count log(count / block)) time; 8 bytes for each edge, or 16 for each that is kept,
 * and 8 for each piece, beside a few blocks. */
#include "graph_internal.h"

#include <string.h>

enum { BLOCK = PVGI_EDGES_PER_BLOCK, FIRST_BLOCK = 1 << 9, RUNS_MAX = 64 };

struct pvg_graph_builder {
    PVGI_HANDLE;
    int64_t order;
    uint32_t policy;
    pvgi_edges recent;         /* in the order they came; MERGE: less than a block */
    pvgi_edges runs[RUNS_MAX]; /* MERGE: sorted, ever shorter */
    int32_t run_count;
    int64_t *starts; /* of the pieces, in recent; not for MERGE */
    int64_t pieces, starts_capacity;
};

/* --- edges in blocks --------------------------------------------------------------- */

void pvgi_graph_edges_free(pvgi_edges *e) {
    for (int64_t i = 0; i < e->block_count; i++) pvgi_free(e->blocks[i]);
    pvgi_free(e->blocks);
    *e = (pvgi_edges){0};
}

static int32_t list_grow(pvgi_edges *e) {
    if (e->block_count < e->block_capacity) return PVG_OK;
    const int64_t capacity = e->block_capacity < 8 ? 8 : 2 * e->block_capacity;
    uint64_t **blocks = pvgi_grow(e->blocks, (size_t)capacity, sizeof *blocks);
    if (!blocks) return pvgi_fail_nomem();
    e->blocks = blocks;
    e->block_capacity = capacity;
    return PVG_OK;
}

/* Room for one more edge: the first block grows up to full size, others have it. */
static int32_t edges_grow(pvgi_edges *e) {
    const int64_t used = e->count - (e->block_count > 0 ? e->block_count - 1 : 0) * BLOCK;
    if (e->block_count > 0 && used < e->last_capacity) return PVG_OK;
    if (e->block_count == 0 || used == BLOCK) {
        PVGI_TRY(list_grow(e));
        const int64_t capacity = e->block_count == 0 ? FIRST_BLOCK : BLOCK;
        uint64_t *block = pvgi_alloc((size_t)capacity, sizeof *block);
        if (!block) return pvgi_fail_nomem();
        e->blocks[e->block_count++] = block;
        e->last_capacity = capacity;
        return PVG_OK;
    }
    uint64_t **last = &e->blocks[e->block_count - 1];
    uint64_t *larger = pvgi_grow(*last, 2 * (size_t)e->last_capacity, sizeof *larger);
    if (!larger) return pvgi_fail_nomem();
    *last = larger;
    e->last_capacity *= 2;
    return PVG_OK;
}

int32_t pvgi_graph_edges_push(pvgi_edges *e, uint64_t edge) {
    PVGI_TRY(edges_grow(e));
    e->blocks[e->count / BLOCK][e->count % BLOCK] = edge;
    e->count++;
    return PVG_OK;
}

/* --- merging --- */

/* Sorts `count` words by eight counting passes, those that change nothing left out. */
static int32_t sort_words(uint64_t *words, int64_t count) {
    uint64_t *spare = pvgi_alloc((size_t)count, sizeof *spare);
    if (!spare) return pvgi_fail_nomem();
    uint64_t *from = words, *to = spare;
    for (int shift = 0; shift < 64; shift += 8) {
        int32_t places[256] = {0}, sum = 0;
        for (int64_t i = 0; i < count; i++) places[from[i] >> shift & 255]++;
        if (places[from[0] >> shift & 255] == count) continue;
        for (int digit = 0; digit < 256; digit++) {
            const int32_t here = places[digit];
            places[digit] = sum;
            sum += here;
        }
        for (int64_t i = 0; i < count; i++)
            to[places[from[i] >> shift & 255]++] = from[i];
        uint64_t *other = from;
        from = to;
        to = other;
    }
    if (from != words) memcpy(words, from, (size_t)count * sizeof *words);
    pvgi_free(spare);
    return PVG_OK;
}

/* The next edge of a run; a block that has been read goes at once. */
typedef struct {
    pvgi_edges *run;
    int64_t at;
} reader;

static uint64_t reader_take(reader *r) {
    uint64_t **block = &r->run->blocks[r->at / BLOCK];
    const uint64_t edge = (*block)[r->at % BLOCK];
    if (++r->at % BLOCK == 0) {
        pvgi_free(*block);
        *block = NULL;
    }
    return edge;
}

static uint64_t reader_peek(const reader *r) {
    return r->at < r->run->count ? r->run->blocks[r->at / BLOCK][r->at % BLOCK]
                                 : UINT64_MAX; /* no edge: ends are below 2^31 */
}

/* out = a and b, ascending, each edge once; a and b are empty afterwards. */
static int32_t merge_runs(pvgi_edges *out, pvgi_edges *a, pvgi_edges *b) {
    reader first = {a, 0}, second = {b, 0};
    pvgi_edges merged = {0};
    int32_t status = PVG_OK;
    for (;;) {
        const uint64_t x = reader_peek(&first), y = reader_peek(&second);
        if (x == UINT64_MAX && y == UINT64_MAX) break;
        if (x <= y) (void)reader_take(&first);
        if (y <= x) (void)reader_take(&second);
        PVGI_TRY_DONE(pvgi_graph_edges_push(&merged, x < y ? x : y));
    }
done:
    pvgi_graph_edges_free(a);
    pvgi_graph_edges_free(b);
    if (status == PVG_OK)
        *out = merged;
    else
        pvgi_graph_edges_free(&merged);
    return status;
}

static int32_t merge_last(pvg_graph_builder *b) {
    pvgi_edges *last = &b->runs[b->run_count - 1];
    pvgi_edges merged = {0};
    const int32_t status = merge_runs(&merged, last - 1, last);
    b->runs[--b->run_count - 1] = merged;
    return status;
}

/* What came lately becomes a run. */
static int32_t settle(pvg_graph_builder *b) {
    pvgi_edges run = b->recent;
    if (run.count == 0) return PVG_OK;
    uint64_t *words = run.blocks[0];
    PVGI_TRY(sort_words(words, run.count));
    int64_t kept = 1;
    for (int64_t i = 1; i < run.count; i++)
        if (words[i] != words[kept - 1]) words[kept++] = words[i];
    run.count = kept;
    b->recent = (pvgi_edges){0};
    b->runs[b->run_count++] = run;
    while (b->run_count > 1 &&
           b->runs[b->run_count - 2].count <= 2 * b->runs[b->run_count - 1].count)
        PVGI_TRY(merge_last(b));
    return PVG_OK;
}

/* --- the builder --- */

int32_t pvgi_graph_builder_new(pvg_graph_builder **out, int64_t order, uint32_t policy) {
    pvg_graph_builder *b = pvgi_alloc_zero(1, sizeof *b);
    if (!b) return pvgi_fail_nomem();
    b->order = order;
    b->policy = policy;
    *out = b;
    return PVG_OK;
}

static void empty(pvg_graph_builder *b) {
    pvgi_graph_edges_free(&b->recent);
    for (int32_t i = 0; i < b->run_count; i++) pvgi_graph_edges_free(&b->runs[i]);
    pvgi_free(b->starts);
    b->starts = NULL;
    b->run_count = 0;
    b->pieces = b->starts_capacity = 0;
}

void pvgi_graph_builder_free(pvg_graph_builder *builder) {
    if (!builder) return;
    empty(builder);
    pvgi_free(builder);
}

/* A piece as it lies in the caller's memory. */
typedef struct {
    const void *sources, *targets;
    int64_t count;
    bool narrow;
} piece;

static uint64_t end_at(const void *ends, int64_t i, bool narrow) {
    return narrow ? (uint64_t)(int64_t)((const int32_t *)ends)[i]
                  : (uint64_t)((const int64_t *)ends)[i];
}

/* All of a piece is looked at before any of it is taken. */
static int32_t check_piece(const pvg_graph_builder *b, const piece *p) {
    const uint64_t order = (uint64_t)b->order;
    const bool drop = (b->policy & PVG_EDGES_DROP_LOOPS) != 0;
    for (int64_t i = 0; i < p->count; i++) {
        const uint64_t u = end_at(p->sources, i, p->narrow),
                       v = end_at(p->targets, i, p->narrow);
        PVGI_REQUIRE(u < order && v < order,
                     "piece %lld, edge %lld: an end is not in 0..order-1",
                     (long long)b->pieces, (long long)i);
        PVGI_REQUIRE(u != v || drop, "piece %lld, edge %lld is a self loop",
                     (long long)b->pieces, (long long)i);
    }
    return PVG_OK;
}

static int32_t note_start(pvg_graph_builder *b) {
    if (b->pieces == b->starts_capacity) {
        const int64_t capacity = b->starts_capacity < 8 ? 8 : 2 * b->starts_capacity;
        int64_t *starts = pvgi_grow(b->starts, (size_t)capacity, sizeof *starts);
        if (!starts) return pvgi_fail_nomem();
        b->starts = starts;
        b->starts_capacity = capacity;
    }
    b->starts[b->pieces] = b->recent.count;
    return PVG_OK;
}

/* Loops that are dropped stay where positions have to be told, and go in the engine. */
static int32_t take_piece(pvg_graph_builder *b, const piece *p) {
    const bool merging = (b->policy & PVG_EDGES_MERGE) != 0;
    for (int64_t i = 0; i < p->count; i++) {
        const uint64_t u = end_at(p->sources, i, p->narrow),
                       v = end_at(p->targets, i, p->narrow);
        if (merging && u == v) continue;
        PVGI_TRY(pvgi_graph_edges_push(&b->recent,
                                       pvgi_edge_pack(u < v ? u : v, u < v ? v : u)));
        if (merging && b->recent.count == BLOCK) PVGI_TRY(settle(b));
    }
    return PVG_OK;
}

int32_t pvgi_graph_builder_add(pvg_graph_builder *builder, const void *sources,
                               const void *targets, int64_t count, bool narrow) {
    const piece p = {sources, targets, count, narrow};
    PVGI_TRY(check_piece(builder, &p));
    int32_t status = PVG_OK;
    if (!(builder->policy & PVG_EDGES_MERGE)) status = note_start(builder);
    if (status == PVG_OK) status = take_piece(builder, &p);
    if (status == PVG_OK)
        builder->pieces++;
    else /* half of it may be in the runs */
        empty(builder);
    return status;
}

/* Says which edge of which piece the engine refused. */
static int32_t refuse(const pvg_graph_builder *b, int64_t bad) {
    int64_t low = 0, high = b->pieces; /* last piece that starts at or before bad */
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (b->starts[middle] <= bad)
            low = middle;
        else
            high = middle;
    }
    return pvgi_fail(PVG_E_ARGUMENT, "piece %lld, edge %lld repeats an earlier one",
                     (long long)low, (long long)(bad - b->starts[low]));
}

int32_t pvgi_graph_builder_finish(pvg_graph **out, pvg_graph_builder *builder,
                                  pvgi_run *run) {
    pvgi_edges all = {0};
    int64_t bad = -1;
    int32_t status = PVG_OK;
    if (builder->policy & PVG_EDGES_MERGE) {
        PVGI_TRY_DONE(settle(builder));
        while (builder->run_count > 1) PVGI_TRY_DONE(merge_last(builder));
        all = builder->runs[0];
        builder->runs[0] = (pvgi_edges){0};
    } else {
        all = builder->recent;
        builder->recent = (pvgi_edges){0};
    }
    status = pvgi_graph_from_blocks(out, &bad, builder->order, all.blocks, all.count,
                                    builder->policy, run);
    if (!(builder->policy & PVG_EDGES_INFERRED)) pvgi_graph_declare(out, status);
    if (status == PVG_E_ARGUMENT && bad >= 0) status = refuse(builder, bad);
    if (all.count == 0) pvgi_graph_edges_free(&all);
    pvgi_free(all.blocks);
done:
    empty(builder);
    return status;
}
