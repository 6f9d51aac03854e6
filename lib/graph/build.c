/* Edges in any order -> compressed rows, in O(order + count), without atomics.
 *
 * 1. partition the edges u < v by ranges of u ("buckets" of consecutive rows);
 * 2. in every bucket count, scatter and sort the rows, drop repeats: the upper half;
 * 3. partition the upper half by ranges of v, keeping the order of u;
 * 4. in every bucket write each row: smaller neighbours (they arrive sorted), then
 * larger.
 *
 * Of many edges, 3 and 4 are done for a quarter of the rows at a time, the last rows
 * first: the partition of a quarter takes the memory of one, and rows of u end where the
 * last one left them.
 *
 * A bucket is small enough for a core's cache, so no step waits for memory at random
 * places. What a chunk or bucket is depends on order and count only, and rows are sets in
 * ascending order: the result is the same for every number of threads. Scratch: 12 bytes
 * per edge and 8 per node; input that is the engine's own goes block by block as it is
 * placed, unless the caller asks which edge is refused: then it is kept to tell. */
#include "graph_internal.h"

#include <string.h>

enum {
    BUCKETS_MAX = 256,       /* write streams a core's L1 and TLB hold */
    BUCKET_TARGET = 1 << 12, /* edges or rows worth a bucket of their own */
    CHUNK_EDGES = PVGI_EDGES_PER_BLOCK,
    QUARTERS = 4,
    MANY =
        1 << 21, /* edges: where memory counts more than going through rows four times */
    BLOCK = 512  /* edges decoded at a time */
};

typedef enum { FROM_PAIRS, FROM_PACKED, FROM_BLOCKS, FROM_ROWS } source_kind;

typedef struct {
    source_kind kind;
    int64_t order, count;
    const int64_t *sources, *targets; /* FROM_PAIRS */
    const uint64_t *packed;           /* FROM_PACKED */
    uint64_t **blocks;                /* FROM_BLOCKS: CHUNK_EDGES each but the last */
    const int64_t *offsets;           /* FROM_ROWS */
    const int32_t *columns;
    uint32_t policy;
} edge_source;

/* Where edges land: entry (row, column) goes to the slice of bucket row >> shift. */
typedef struct {
    int shift;
    int64_t buckets, chunks;
    int64_t *places; /* chunks x buckets: counts, then where the chunk writes next */
    int64_t *starts; /* buckets + 1: slices of entries */
    uint64_t *entries;
} partition;

typedef struct {
    edge_source source;
    partition parts;
    int64_t *bad;       /* per chunk: position of the edge it refused */
    int32_t *upper;     /* larger neighbours of every node */
    int64_t *upper_end; /* where the row of u ends in upper; it starts where that of u - 1
                           ends, the first of a bucket at upper_start */
    int64_t *upper_start; /* per bucket: its slice of upper */
    int64_t *kept;        /* per bucket: edges without repeats */
    int64_t *row_start;   /* per bucket: where its rows start in the result */
    int64_t first, last;  /* buckets of the quarter whose rows are written */
    bool used_up;         /* nobody reads the input again */
    pvg_graph *graph;
} build;

/* --- reading edges --------------------------------------------------------------- */

/* What is at position i. Loops come back as EDGE_LOOP; the order of the ends is u < v. */
typedef enum { EDGE_GOOD, EDGE_LOOP, EDGE_OUTSIDE } edge_verdict;

static inline edge_verdict judge(uint64_t *edge, uint64_t u, uint64_t v, uint64_t order) {
    if (u >= order || v >= order) return EDGE_OUTSIDE;
    const uint64_t low = u < v ? u : v,
                   high = u < v ? v : u; /* no branch: it would be random */
    *edge = pvgi_edge_pack(low, high);
    return u == v ? EDGE_LOOP : EDGE_GOOD;
}

static inline edge_verdict edge_at(uint64_t *edge, const edge_source *source,
                                   source_kind kind, int64_t i, int64_t row) {
    const uint64_t order = (uint64_t)source->order;
    if (kind == FROM_PAIRS)
        return judge(edge, (uint64_t)source->sources[i], (uint64_t)source->targets[i],
                     order);
    if (kind == FROM_PACKED)
        return judge(edge, source->packed[i] >> 32, source->packed[i] & UINT32_MAX,
                     order);
    if (kind == FROM_BLOCKS) {
        const uint64_t packed = source->blocks[i / CHUNK_EDGES][i % CHUNK_EDGES];
        return judge(edge, packed >> 32, packed & UINT32_MAX, order);
    }
    return judge(edge, (uint64_t)row, (uint64_t)(int64_t)source->columns[i], order);
}

typedef struct {
    int64_t position, end, row; /* row: of position, for FROM_ROWS */
} edge_cursor;

static edge_cursor chunk_cursor(const edge_source *source, int64_t chunk) {
    edge_cursor at = {.position = chunk * CHUNK_EDGES};
    at.end = at.position + CHUNK_EDGES < source->count ? at.position + CHUNK_EDGES
                                                       : source->count;
    if (source->kind == FROM_ROWS) { /* last row that starts at or before position */
        int64_t low = 0, high = source->order;
        while (high - low > 1) {
            const int64_t middle = low + (high - low) / 2;
            if (source->offsets[middle] <= at.position)
                low = middle;
            else
                high = middle;
        }
        at.row = low;
    }
    return at;
}

/* Reads up to BLOCK edges; returns how many, -1 at an edge the policy refuses (then
 * at->position is its place). kind is a constant where this is inlined. */
static inline int read_block(uint64_t block[BLOCK], const edge_source *source,
                             source_kind kind, edge_cursor *at) {
    const bool drop = (source->policy & PVG_EDGES_DROP_LOOPS) != 0;
    int used = 0;
    for (; at->position < at->end && used < BLOCK; at->position++) {
        if (kind == FROM_ROWS)
            while (source->offsets[at->row + 1] <= at->position) at->row++;
        const edge_verdict verdict =
            edge_at(&block[used], source, kind, at->position, at->row);
        used += verdict == EDGE_GOOD;
        if (verdict == EDGE_OUTSIDE || (verdict == EDGE_LOOP && !drop)) return -1;
    }
    return used;
}

static int read_edges(uint64_t block[BLOCK], const edge_source *source, edge_cursor *at) {
    switch (source->kind) {
    case FROM_PAIRS:
        return read_block(block, source, FROM_PAIRS, at);
    case FROM_PACKED:
        return read_block(block, source, FROM_PACKED, at);
    case FROM_BLOCKS:
        return read_block(block, source, FROM_BLOCKS, at);
    case FROM_ROWS:
        break;
    }
    return read_block(block, source, FROM_ROWS, at);
}

/* --- partitions ------------------------------------------------------------------ */

/* Counts, given per chunk and bucket, become places, bucket by bucket. */
static void partition_places(partition *parts) {
    int64_t place = 0;
    for (int64_t bucket = 0; bucket < parts->buckets; bucket++) {
        parts->starts[bucket] = place;
        for (int64_t chunk = 0; chunk < parts->chunks; chunk++) {
            int64_t *cell = &parts->places[chunk * parts->buckets + bucket];
            const int64_t count = *cell;
            *cell = place;
            place += count;
        }
    }
    parts->starts[parts->buckets] = place;
}

static inline int64_t bucket_of(const partition *parts, uint64_t entry) {
    return (int64_t)(entry >> 32 >> parts->shift);
}

static inline int64_t first_row(const build *work, int64_t bucket) {
    const int64_t row = bucket << work->parts.shift;
    return row < work->graph->order ? row : work->graph->order;
}

/* --- step 1: by smaller end ------------------------------------------------------ */

static int32_t count_edges(void *context, int64_t chunk, uint32_t worker) {
    build *work = context;
    int64_t *counts = work->parts.places + chunk * work->parts.buckets;
    edge_cursor at = chunk_cursor(&work->source, chunk);
    uint64_t block[BLOCK];
    (void)worker;
    memset(counts, 0, (size_t)work->parts.buckets * sizeof *counts);
    while (at.position < at.end) {
        const int used = read_edges(block, &work->source, &at);
        if (used < 0) {
            work->bad[chunk] = at.position;
            return PVG_E_ARGUMENT;
        }
        for (int i = 0; i < used; i++) counts[bucket_of(&work->parts, block[i])]++;
    }
    return PVG_OK;
}

static int32_t place_edges(void *context, int64_t chunk, uint32_t worker) {
    build *work = context;
    int64_t *places = work->parts.places + chunk * work->parts.buckets;
    edge_cursor at = chunk_cursor(&work->source, chunk);
    uint64_t block[BLOCK];
    (void)worker;
    while (at.position < at.end) {
        const int used = read_edges(block, &work->source, &at);
        for (int i = 0; i < used; i++)
            work->parts.entries[places[bucket_of(&work->parts, block[i])]++] = block[i];
    }
    if (work->used_up && work->source.kind == FROM_BLOCKS) {
        pvgi_free(work->source.blocks[chunk]);
        work->source.blocks[chunk] = NULL;
    }
    return PVG_OK;
}

/* --- step 2: upper half ---------------------------------------------------------- */

static int32_t sort_bucket(void *context, int64_t bucket, uint32_t worker) {
    build *work = context;
    const int64_t start = work->parts.starts[bucket],
                  end = work->parts.starts[bucket + 1];
    const int64_t first = first_row(work, bucket), last = first_row(work, bucket + 1);
    const uint64_t *entries = work->parts.entries;
    int64_t *place = work->upper_end;
    (void)worker;
    if (first == last) {
        work->kept[bucket] = 0;
        return PVG_OK;
    }
    memset(place + first, 0, (size_t)(last - first) * sizeof *place);
    for (int64_t i = start; i < end; i++) place[entries[i] >> 32]++;
    int64_t sum = start;
    for (int64_t row = first; row < last; row++) {
        const int64_t degree = place[row];
        place[row] = sum;
        sum += degree;
    }
    for (int64_t i = start; i < end; i++)
        work->upper[place[entries[i] >> 32]++] = (int32_t)(entries[i] & UINT32_MAX);

    int64_t from = start, to = start;
    for (int64_t row = first; row < last; row++) {
        const int64_t row_end = place[row];
        int32_t previous = -1;
        pvgi_graph_row_sort(work->upper + from, row_end - from);
        for (; from < row_end; from++) {
            const int32_t column = work->upper[from];
            work->upper[to] = column;
            to += column != previous;
            previous = column;
        }
        place[row] = to;
    }
    work->kept[bucket] = to - start;
    return PVG_OK;
}

/* --- step 3: the upper half by larger end ---------------------------------------- */

typedef struct {
    const int32_t *begin;
    int64_t count;
} upper_row;

static inline upper_row row_of(const build *work, int64_t bucket, int64_t first,
                               int64_t row) {
    const int64_t from =
        row == first ? work->upper_start[bucket] : work->upper_end[row - 1];
    return (upper_row){work->upper + from, work->upper_end[row] - from};
}

static int32_t count_mirrored(void *context, int64_t bucket, uint32_t worker) {
    build *work = context;
    int64_t *counts = work->parts.places + bucket * work->parts.buckets;
    const int64_t first = first_row(work, bucket), last = first_row(work, bucket + 1);
    (void)worker;
    memset(counts, 0, (size_t)work->parts.buckets * sizeof *counts);
    for (int64_t row = first; row < last; row++) {
        const upper_row larger = row_of(work, bucket, first, row);
        for (int64_t i = 0; i < larger.count; i++)
            counts[larger.begin[i] >> work->parts.shift]++;
    }
    return PVG_OK;
}

/* Those of a quarter are the last of each row that are left. Where a row ends by now is
 * kept where its offset will be: later quarters have no row of this one or behind it. */
static int32_t place_mirrored(void *context, int64_t bucket, uint32_t worker) {
    build *work = context;
    int64_t *places = work->parts.places + bucket * work->parts.buckets;
    const int64_t base = work->parts.starts[work->first];
    const int64_t first = first_row(work, bucket), last = first_row(work, bucket + 1);
    const int64_t least = first_row(work, work->first);
    (void)worker;
    for (int64_t row = first; row < last; row++) {
        const int64_t from = row_of(work, bucket, first, row).begin - work->upper;
        int64_t end = work->graph->offsets[row];
        for (; end > from && work->upper[end - 1] >= least; end--) {
            const int32_t column = work->upper[end - 1];
            work->parts.entries[places[column >> work->parts.shift]++ - base] =
                pvgi_edge_pack((uint64_t)column, (uint64_t)row);
        }
        work->graph->offsets[row] = end;
    }
    return PVG_OK;
}

/* --- step 4: whole rows ---------------------------------------------------------- */

static int32_t write_rows(void *context, int64_t chunk, uint32_t worker) {
    build *work = context;
    const int64_t bucket = work->first + chunk;
    const int64_t base = work->parts.starts[work->first];
    const int64_t start = work->parts.starts[bucket] - base,
                  end = work->parts.starts[bucket + 1] - base;
    const int64_t first = first_row(work, bucket), last = first_row(work, bucket + 1);
    const uint64_t *entries = work->parts.entries;
    int64_t *place = work->graph->offsets;
    int32_t *columns = work->graph->columns;
    (void)worker;
    if (first == last) return PVG_OK;
    memset(place + first, 0, (size_t)(last - first) * sizeof *place);
    for (int64_t i = start; i < end; i++) place[entries[i] >> 32]++;
    int64_t sum = work->row_start[bucket];
    for (int64_t row = first; row < last; row++) {
        const int64_t degree = place[row] + row_of(work, bucket, first, row).count;
        place[row] = sum;
        sum += degree;
    }
    for (int64_t i = start; i < end; i++)
        columns[place[entries[i] >> 32]++] = (int32_t)(entries[i] & UINT32_MAX);
    int64_t row_start = work->row_start[bucket];
    for (int64_t row = first; row < last; row++) {
        const upper_row larger = row_of(work, bucket, first, row);
        const int64_t middle = place[row];
        memcpy(columns + middle, larger.begin, (size_t)larger.count * sizeof *columns);
        place[row] = row_start;
        row_start = middle + larger.count;
    }
    return PVG_OK;
}

/* --- all together ---------------------------------------------------------------- */

static void plan(build *work) {
    const int64_t order = work->source.order, count = work->source.count;
    int64_t wanted = (count > order ? count : order) / BUCKET_TARGET;
    wanted = wanted < 1 ? 1 : wanted > BUCKETS_MAX ? BUCKETS_MAX : wanted;
    work->parts.shift = 0;
    while ((order - 1) >> work->parts.shift >= wanted) work->parts.shift++;
    work->parts.buckets = order > 0 ? ((order - 1) >> work->parts.shift) + 1 : 1;
    work->parts.chunks = count / CHUNK_EDGES + (count % CHUNK_EDGES != 0);
}

static int32_t make_scratch(build *work, bool owned, const pvgi_run *run) {
    partition *parts = &work->parts;
    const size_t edges = (size_t)work->source.count, nodes = (size_t)work->source.order;
    const size_t buckets = (size_t)parts->buckets, chunks = (size_t)parts->chunks;
    const size_t cells = pvgi_size_mul(chunks > buckets ? chunks : buckets, buckets);
    const size_t words = owned ? 2 : 1; /* the input too, if it is ours */
    size_t bytes = pvgi_size_mul(edges, words * sizeof(uint64_t) + sizeof(int32_t));
    bytes = pvgi_size_add(bytes, pvgi_size_mul(nodes, sizeof(int64_t)));
    bytes = pvgi_size_add(
        bytes, pvgi_size_mul(cells + 4 * buckets + chunks + 1, sizeof(int64_t)));
    PVGI_TRY(pvgi_run_reserve(run, bytes));
    parts->places = pvgi_alloc(cells, sizeof(int64_t));
    parts->starts = pvgi_alloc(buckets + 1, sizeof(int64_t));
    parts->entries = pvgi_alloc(edges, sizeof(uint64_t));
    work->bad = pvgi_alloc(chunks, sizeof(int64_t));
    work->upper = pvgi_alloc(edges, sizeof(int32_t));
    work->upper_end = pvgi_alloc(nodes, sizeof(int64_t));
    work->upper_start = pvgi_alloc(buckets, sizeof(int64_t));
    work->kept = pvgi_alloc(buckets, sizeof(int64_t));
    work->row_start = pvgi_alloc(buckets, sizeof(int64_t));
    if (!parts->places || !parts->starts || !parts->entries || !work->bad ||
        !work->upper || !work->upper_end || !work->upper_start || !work->kept ||
        !work->row_start)
        return pvgi_fail_nomem();
    return PVG_OK;
}

static void free_scratch(build *work) {
    void *blocks[] = {work->parts.places, work->parts.starts, work->parts.entries,
                      work->bad,          work->upper,        work->upper_end,
                      work->upper_start,  work->kept,         work->row_start};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) pvgi_free(blocks[i]);
}

/* The lowest edge a chunk refused. Chunks are handed out in order, so every lower chunk
 * has finished and found none. */
static int32_t refuse_edge(const build *work, int64_t *bad) {
    int64_t chunk = 0;
    while (chunk < work->parts.chunks && work->bad[chunk] < 0) chunk++;
    if (chunk == work->parts.chunks)
        return pvgi_fail(PVG_E_INTERNAL, "build: no refused edge");
    const edge_source *source = &work->source;
    edge_cursor at = chunk_cursor(source, chunk);
    uint64_t block[BLOCK];
    while (read_edges(block, source, &at) >= 0) {
    }
    *bad = at.position;
    uint64_t edge;
    return edge_at(&edge, source, source->kind, at.position, at.row) == EDGE_LOOP
               ? pvgi_fail(PVG_E_ARGUMENT, "edge %lld is a self loop",
                           (long long)at.position)
               : pvgi_fail(PVG_E_ARGUMENT, "edge %lld: an end is not in 0..order-1",
                           (long long)at.position);
}

/* Some edge is repeated: finds the first that repeats an earlier one, marking each edge
 * at its place in the sorted upper half. */
static int32_t refuse_repeat(const build *work, int64_t *bad, const pvgi_run *run) {
    const edge_source *source = &work->source;
    const size_t words = (size_t)source->count / 64 + 1;
    if (work->used_up) return pvgi_fail(PVG_E_ARGUMENT, "an edge repeats an earlier one");
    PVGI_TRY(pvgi_run_reserve(run, words * sizeof(uint64_t)));
    uint64_t *seen = pvgi_alloc_zero(words, sizeof(uint64_t));
    if (!seen) return pvgi_fail_nomem();
    for (int64_t i = 0; i < source->count; i++) {
        uint64_t edge;
        if (edge_at(&edge, source, source->kind, i, 0) != EDGE_GOOD) continue;
        const int64_t u = (int64_t)(edge >> 32), bucket = u >> work->parts.shift;
        const upper_row larger = row_of(work, bucket, first_row(work, bucket), u);
        const int64_t place =
            larger.begin - work->upper +
            pvgi_graph_row_find(larger.begin, larger.count, (int32_t)(edge & UINT32_MAX));
        const uint64_t bit = (uint64_t)1 << (place % 64);
        if (seen[place / 64] & bit) {
            *bad = i;
            break;
        }
        seen[place / 64] |= bit;
    }
    pvgi_free(seen);
    return pvgi_fail(PVG_E_ARGUMENT, "edge %lld repeats an earlier one", (long long)*bad);
}

static void free_input(edge_source *source) {
    pvgi_free((uint64_t *)source->packed);
    source->packed = NULL;
    for (int64_t i = 0; source->blocks && i * CHUNK_EDGES < source->count; i++)
        pvgi_free(source->blocks[i]);
    source->blocks = NULL;
}

/* Steps 1 and 2. */
static int32_t build_upper(build *work, int64_t *bad, pvgi_run *run) {
    partition *parts = &work->parts;
    for (int64_t chunk = 0; chunk < parts->chunks; chunk++) work->bad[chunk] = -1;
    if (parts->chunks == 0) memset(parts->places, 0, (size_t)parts->buckets * 8);
    pvgi_run_phase(run, 0.0, 0.15);
    const int32_t status = pvgi_run_chunks(run, parts->chunks, count_edges, work);
    if (status == PVG_E_ARGUMENT) return refuse_edge(work, bad);
    PVGI_TRY(status);
    partition_places(parts);
    const int64_t edges = parts->starts[parts->buckets];
    pvgi_run_phase(run, 0.15, 0.25);
    PVGI_TRY(pvgi_run_chunks(run, parts->chunks, place_edges, work));
    if (work->used_up) {
        free_input(&work->source);
        if (work->source.count >= MANY) pvgi_memory_trim();
    }
    memcpy(work->upper_start, parts->starts, (size_t)parts->buckets * sizeof(int64_t));
    pvgi_run_phase(run, 0.4, 0.3);
    PVGI_TRY(pvgi_run_chunks(run, parts->buckets, sort_bucket, work));
    int64_t kept = 0;
    for (int64_t bucket = 0; bucket < parts->buckets; bucket++)
        kept += work->kept[bucket];
    work->graph->size = kept;
    if (kept < edges && !(work->source.policy & PVG_EDGES_MERGE))
        return refuse_repeat(work, bad, run);
    return PVG_OK;
}

/* Buckets of the quarter that ends at `last`: as many as have a quarter of the edges, and
 * one at least. */
static int64_t begin_quarter(const partition *parts, int64_t last) {
    const int64_t edges = parts->starts[parts->buckets];
    const int64_t most = edges < MANY ? edges : edges / QUARTERS + 1;
    int64_t first = last - 1;
    while (first > 0 && parts->starts[last] - parts->starts[first - 1] <= most) first--;
    return first;
}

/* A quarter's entries at most. */
static int64_t longest_quarter(const partition *parts) {
    int64_t most = 0;
    for (int64_t last = parts->buckets; last > 0;) {
        const int64_t first = begin_quarter(parts, last);
        const int64_t entries = parts->starts[last] - parts->starts[first];
        most = entries > most ? entries : most;
        last = first;
    }
    return most;
}

static int32_t allocate_rows(build *work) {
    partition *parts = &work->parts;
    pvg_graph *graph = work->graph;
    parts->entries = pvgi_alloc((size_t)longest_quarter(parts), sizeof(uint64_t));
    graph->offsets = pvgi_alloc((size_t)graph->order + 1, sizeof(int64_t));
    graph->columns = pvgi_alloc(2 * (size_t)graph->size, sizeof(int32_t));
    return parts->entries && graph->offsets && graph->columns ? PVG_OK
                                                              : pvgi_fail_nomem();
}

/* Steps 3 and 4. */
static int32_t build_rows(build *work, pvgi_run *run) {
    partition *parts = &work->parts;
    pvg_graph *graph = work->graph;
    pvgi_free(parts->entries);
    parts->entries = NULL;
    parts->chunks = parts->buckets;
    pvgi_run_phase(run, 0.7, 0.05);
    PVGI_TRY(pvgi_run_chunks(run, parts->buckets, count_mirrored, work));
    partition_places(parts);
    PVGI_TRY(allocate_rows(work));
    int64_t start = 0;
    for (int64_t bucket = 0; bucket < parts->buckets; bucket++) {
        work->row_start[bucket] = start;
        start += work->kept[bucket] + parts->starts[bucket + 1] - parts->starts[bucket];
    }
    if (graph->order > 0)
        memcpy(graph->offsets, work->upper_end, (size_t)graph->order * sizeof(int64_t));
    graph->offsets[graph->order] = start;
    for (work->last = parts->buckets; work->last > 0; work->last = work->first) {
        work->first = begin_quarter(parts, work->last);
        const double all = (double)parts->buckets;
        const double done = 0.75 + 0.25 * (1.0 - (double)work->last / all);
        const double share = 0.25 * (double)(work->last - work->first) / all;
        pvgi_run_phase(run, done, 0.4 * share);
        PVGI_TRY(pvgi_run_chunks(run, work->last, place_mirrored, work));
        pvgi_run_phase(run, done + 0.4 * share, 0.6 * share);
        PVGI_TRY(pvgi_run_chunks(run, work->last - work->first, write_rows, work));
    }
    return PVG_OK;
}

static int32_t build_graph(pvg_graph **out, int64_t *bad, const edge_source *source,
                           bool owned, pvgi_run *run) {
    const bool told = bad && !(source->policy & PVG_EDGES_MERGE);
    build work = {.source = *source, .used_up = owned && !told};
    int64_t position = -1;
    int32_t status;
    work.graph = pvgi_alloc_zero(1, sizeof *work.graph);
    if (!work.graph) {
        status = pvgi_fail_nomem();
        goto done;
    }
    work.graph->order = source->order;
    plan(&work);
    PVGI_TRY_DONE(make_scratch(&work, owned, run));
    PVGI_TRY_DONE(build_upper(&work, &position, run));
    if (owned) free_input(&work.source);
    PVGI_TRY_DONE(build_rows(&work, run));
    *out = work.graph;
    work.graph = NULL;
done:
    if (owned) free_input(&work.source);
    free_scratch(&work);
    pvgi_graph_free(work.graph);
    if (bad) *bad = position;
    return status;
}

int32_t pvgi_graph_from_packed(pvg_graph **out, int64_t *bad, int64_t order,
                               uint64_t *edges, int64_t count, uint32_t policy,
                               pvgi_run *run) {
    const edge_source source = {.kind = FROM_PACKED,
                                .order = order,
                                .count = count,
                                .packed = edges,
                                .policy = policy};
    return build_graph(out, bad, &source, true, run);
}

int32_t pvgi_graph_from_blocks(pvg_graph **out, int64_t *bad, int64_t order,
                               uint64_t **blocks, int64_t count, uint32_t policy,
                               pvgi_run *run) {
    const edge_source source = {.kind = FROM_BLOCKS,
                                .order = order,
                                .count = count,
                                .blocks = blocks,
                                .policy = policy};
    return build_graph(out, bad, &source, true, run);
}

int32_t pvgi_graph_from_pairs(pvg_graph **out, int64_t *bad, int64_t order,
                              const int64_t *sources, const int64_t *targets,
                              int64_t count, uint32_t policy, pvgi_run *run) {
    const edge_source source = {.kind = FROM_PAIRS,
                                .order = order,
                                .count = count,
                                .sources = sources,
                                .targets = targets,
                                .policy = policy};
    return build_graph(out, bad, &source, false, run);
}

int32_t pvgi_graph_from_merged_rows(pvg_graph **out, int64_t *bad, int64_t order,
                                    const int64_t *offsets, const int32_t *columns,
                                    uint32_t policy, pvgi_run *run) {
    const edge_source source = {.kind = FROM_ROWS,
                                .order = order,
                                .count = offsets[order],
                                .offsets = offsets,
                                .columns = columns,
                                .policy = policy | PVG_EDGES_MERGE};
    return build_graph(out, bad, &source, false, run);
}
