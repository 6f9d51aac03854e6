/* Degree truncation. Every pair of nodes has a priority, a public bijective hash of
 * their numbers within the graph; an edge stays if it is among the `bound` first of both
 * ends. One edge more pushes at most one other out at each end (docs/guarantees.md, T).
 * Two passes over the edges of nodes above the bound, O(d log bound) for one of degree
 * d, and 8 bytes per node. Memory depends on public numbers only, but for the nodes that
 * a part of a graph borrows: processes tell each other the last priority that their
 * nodes keep. */
#include "graph_internal.h"

enum { CHUNK_NODES = 1 << 12 };

/* The finaliser of SplitMix64 (Steele, Lea, Flood 2014) on the pair as one word, shifted
 * by a fixed constant: different pairs have different priorities. They are part of what
 * truncation means and never change. */
static inline uint64_t priority(int64_t u, int64_t v) {
    uint64_t z = u < v ? pvgi_edge_pack((uint64_t)u, (uint64_t)v)
                       : pvgi_edge_pack((uint64_t)v, (uint64_t)u);
    z += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

typedef struct {
    const pvg_graph *graph;
    const int64_t *starts;  /* of the graphs of a set; NULL: one graph */
    const pvg_parts *parts; /* of which the graph is the rows of one; NULL: it is whole */
    int64_t count, bound;
    uint64_t *last; /* of every node, borrowed ones too: the last priority it keeps */
    uint64_t *heaps;
} truncation;

/* First node of the graph that the node is in: pairs are numbered within it. */
static int64_t start_of(const truncation *rule, int64_t node) {
    int64_t low = 0, high = rule->count;
    if (!rule->starts) return 0;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (rule->starts[middle] <= node)
            low = middle;
        else
            high = middle;
    }
    return rule->starts[low];
}

/* Of a node and a neighbour. first: of the graph that both are in. */
static inline uint64_t priority_of(const truncation *rule, int64_t first, int64_t node,
                                   int64_t other) {
    if (!rule->parts) return priority(node - first, other - first);
    return priority(pvgi_graph_parts_number(rule->parts, node),
                    pvgi_graph_parts_number(rule->parts, other));
}

/* Puts value in place of the root of a heap whose root is the largest. */
static void sift(uint64_t *heap, int64_t count, int64_t root, uint64_t value) {
    for (;;) {
        int64_t child = 2 * root + 1;
        if (child >= count) break;
        if (child + 1 < count && heap[child + 1] > heap[child]) child++;
        if (heap[child] <= value) break;
        heap[root] = heap[child];
        root = child;
    }
    heap[root] = value;
}

/* The priority number `bound`, ascending, in the row of a node of larger degree. */
static uint64_t last_kept(const truncation *rule, int64_t node, uint64_t *heap) {
    const pvg_graph *graph = rule->graph;
    const int64_t first = start_of(rule, node), bound = rule->bound;
    const int32_t *row = graph->columns + graph->offsets[node];
    const int64_t degree = graph->offsets[node + 1] - graph->offsets[node];
    for (int64_t i = 0; i < bound; i++) heap[i] = priority_of(rule, first, node, row[i]);
    for (int64_t i = bound / 2; i-- > 0;) sift(heap, bound, i, heap[i]);
    for (int64_t i = bound; i < degree; i++) {
        const uint64_t value = priority_of(rule, first, node, row[i]);
        if (value < heap[0]) sift(heap, bound, 0, value);
    }
    return heap[0];
}

static int32_t find_last(void *context, int64_t chunk, uint32_t worker) {
    const truncation *rule = context;
    const int64_t first = chunk * CHUNK_NODES;
    int64_t end = first + CHUNK_NODES;
    if (end > rule->graph->order) end = rule->graph->order;
    uint64_t *heap = rule->heaps + (size_t)worker * (size_t)rule->bound;
    for (int64_t node = first; node < end; node++) {
        const int64_t degree =
            rule->graph->offsets[node + 1] - rule->graph->offsets[node];
        rule->last[node] =
            degree > rule->bound ? last_kept(rule, node, heap) : UINT64_MAX;
    }
    return PVG_OK;
}

static int32_t truncated_row(int64_t *degree, int32_t *row, const void *context,
                             int64_t node) {
    const truncation *rule = context;
    const pvg_graph *graph = rule->graph;
    const uint64_t own = rule->last[node];
    const int64_t first = own < UINT64_MAX || rule->starts ? start_of(rule, node) : 0;
    int64_t used = 0;
    for (int64_t i = graph->offsets[node]; i < graph->offsets[node + 1]; i++) {
        const int32_t other = graph->columns[i];
        const uint64_t both = own < rule->last[other] ? own : rule->last[other];
        if (both < UINT64_MAX && priority_of(rule, first, node, other) > both) continue;
        if (row) row[used] = other;
        used++;
    }
    *degree = used;
    return PVG_OK;
}

static int32_t no_row(int64_t *degree, int32_t *row, const void *context, int64_t node) {
    (void)row;
    (void)context;
    (void)node;
    *degree = 0;
    return PVG_OK;
}

static int32_t truncate(pvg_graph **out, truncation *rule, pvgi_run *run) {
    const int64_t order = rule->graph->order;
    const int64_t chunks = (order + CHUNK_NODES - 1) / CHUNK_NODES;
    const size_t known =
        (size_t)order + (rule->parts ? (size_t)rule->parts->config.borrowed : 0);
    if (rule->bound >= order && !rule->parts) /* nobody is above it */
        return pvgi_graph_copy(out, order, rule->graph->offsets, rule->graph->columns, 0);
    if (rule->bound == 0) return pvgi_graph_from_rows(out, order, no_row, rule, run);
    const uint32_t workers = pvgi_run_workers(run, chunks);
    const size_t heaps = pvgi_size_mul((size_t)rule->bound, workers);
    PVGI_TRY(pvgi_run_reserve(
        run, pvgi_size_mul(pvgi_size_add(known, heaps), sizeof(uint64_t))));
    rule->last = pvgi_alloc(known, sizeof *rule->last);
    rule->heaps = pvgi_alloc(heaps, sizeof *rule->heaps);
    int32_t status = PVG_OK;
    if (!rule->last || !rule->heaps) {
        status = pvgi_fail_nomem();
        goto done;
    }
    PVGI_TRY_DONE(pvgi_run_chunks(run, chunks, find_last, rule));
    if (rule->parts)
        PVGI_TRY_DONE(
            pvgi_graph_parts_borrow(rule->parts, rule->last, sizeof *rule->last));
    status = pvgi_graph_from_rows(out, order, truncated_row, rule, run);
done:
    pvgi_free(rule->last);
    pvgi_free(rule->heaps);
    return status;
}

int32_t pvgi_graph_truncate(pvg_graph **out, const pvg_graph *graph,
                            const int64_t *starts, int64_t count, int64_t bound,
                            pvgi_run *run) {
    truncation rule = {.graph = graph, .starts = starts, .count = count, .bound = bound};
    PVGI_TRY(truncate(out, &rule, run));
    (*out)->declared = graph->declared;
    return PVG_OK;
}

int32_t pvgi_graph_truncate_parts(pvg_graph **out, const pvg_parts *parts, int64_t bound,
                                  pvgi_run *run) {
    const int64_t order = parts->config.order;
    truncation rule = {.graph = &parts->rows,
                       .parts = parts,
                       .count = 1,
                       .bound = bound < order ? bound : order};
    PVGI_TRY(truncate(out, &rule, run));
    (*out)->declared = parts->rows.declared;
    return PVG_OK;
}

size_t pvgi_graph_truncate_bytes(int64_t order, int64_t bound, const pvgi_run *run) {
    const uint32_t workers =
        pvgi_run_workers(run, (order + CHUNK_NODES - 1) / CHUNK_NODES);
    const size_t nodes = (size_t)order + 1;
    const size_t degree = (size_t)(bound < order ? bound : order);
    const size_t scratch = pvgi_size_add(nodes, pvgi_size_mul(degree, workers));
    return pvgi_size_add(pvgi_size_mul(pvgi_size_add(scratch, nodes), sizeof(uint64_t)),
                         pvgi_size_mul(pvgi_size_mul(nodes, degree), sizeof(int32_t)));
}
