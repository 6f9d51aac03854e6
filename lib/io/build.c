/* Pairs in the order of a file -> graph, and which line to blame if they are not one.
 *
 * A mirrored list (Matrix Market general, METIS, TUDataset) is well formed if the arcs u
 * < v and the arcs u > v are the same set without repeats: both halves are built as
 * graphs and compared, which costs what building from all arcs would. */
#include "io/pack.h"

#include <string.h>

enum { BLAME_MOST = 1 << 24 };

/* Place of arc u -> v among the columns of a graph that has the edge. */
static int64_t place_of(const pvg_graph *graph, uint64_t u, uint64_t v) {
    const int64_t start = graph->offsets[u];
    return start + pvgi_graph_row_find(graph->columns + start,
                                       graph->offsets[u + 1] - start, (int32_t)v);
}

static bool test_bit(const uint64_t *bits, int64_t i) {
    return bits[i / 64] >> (i % 64) & 1;
}

static uint64_t pair_at(const pvgi_edges *edges, int64_t i) {
    return edges->blocks[i / PVGI_EDGES_PER_BLOCK][i % PVGI_EDGES_PER_BLOCK];
}

/* Place of a pair in the graph, of its edge if directions do not matter. */
static int64_t place_of_pair(const pvg_graph *graph, uint64_t pair, bool directed) {
    const uint64_t u = pair >> 32, v = pair & UINT32_MAX;
    return directed || u < v ? place_of(graph, u, v) : place_of(graph, v, u);
}

/* First pair that repeats an earlier one; -1 if there is none. */
static int64_t first_repeat(const pvgi_io_pairs *pairs, const pvg_graph *graph,
                            uint64_t *seen) {
    int64_t bad = -1;
    for (int64_t i = 0; i < pairs->kept.count; i++) {
        const int64_t place =
            place_of_pair(graph, pair_at(&pairs->kept, i), pairs->directed);
        if (bad < 0 && test_bit(seen, place)) bad = i;
        seen[place / 64] |= (uint64_t)1 << (place % 64); /* those behind a repeat too */
    }
    return bad;
}

/* First arc before `last` whose mirror was not seen. */
static int64_t first_alone(const pvgi_io_pairs *arcs, int64_t last,
                           const pvg_graph *graph, const uint64_t *seen) {
    for (int64_t i = 0; i < last; i++) {
        const uint64_t arc = pair_at(&arcs->kept, i);
        if (!test_bit(seen, place_of(graph, arc & UINT32_MAX, arc >> 32))) return i;
    }
    return -1;
}

static int32_t copy_edges(pvgi_edges *out, const pvgi_edges *edges) {
    for (int64_t i = 0; i < edges->count; i++)
        PVGI_TRY(pvgi_graph_edges_push(out, pair_at(edges, i)));
    return PVG_OK;
}

/* The graph of edges, which are used up. */
static int32_t build_edges(pvg_graph **out, int64_t order, pvgi_edges *edges,
                           uint32_t policy, pvgi_run *run) {
    const int32_t status = pvgi_graph_from_blocks(out, NULL, order, edges->blocks,
                                                  edges->count, policy, run);
    if (edges->count > 0) edges->block_count = 0; /* the engine has freed them */
    pvgi_graph_edges_free(edges);
    return status;
}

/* The slow path of a malformed list: parses `most` of its pairs again and names the line
 * of the first bad one. Of a part of a list only repeats are told. */
static int32_t blame_pair(pvgi_io_call *call, int64_t order, int64_t most,
                          const pvgi_io_blame *blame) {
    pvgi_io_pairs pairs = {0};
    pvgi_edges copy = {0};
    pvg_graph *graph = NULL;
    uint64_t *seen = NULL;
    const char *reason = "a repeated edge; PVG_EDGES_MERGE keeps one";
    int32_t status;
    PVGI_TRY_DONE(blame->parse(&pairs, blame->feed, blame->rules, most));
    seen = pvgi_alloc_zero((size_t)pairs.kept.count / 32 + 1, sizeof *seen);
    if (!seen) {
        status = pvgi_fail_nomem();
        goto done;
    }
    status = copy_edges(&copy, &pairs.kept);
    if (status == PVG_OK)
        status = build_edges(&graph, order, &copy, PVG_EDGES_MERGE, &call->run);
    if (status != PVG_OK) goto done;
    int64_t bad = first_repeat(&pairs, graph, seen);
    if (most == INT64_MAX && pairs.directed) {
        const int64_t alone =
            first_alone(&pairs, bad < 0 ? pairs.kept.count : bad, graph, seen);
        if (alone >= 0) {
            bad = alone;
            reason = "an edge that is not listed in the other direction; "
                     "PVG_EDGES_MERGE adds it";
        }
    }
    status = bad < 0 ? pvgi_fail(PVG_E_IO, "%.200s: changed while it was read",
                                 blame->feed->text.name)
                     : blame->fail(blame->feed, blame->rules, bad, reason);
done:
    pvgi_io_pairs_free(&pairs);
    pvgi_graph_edges_free(&copy);
    pvgi_graph_free(graph);
    pvgi_free(seen);
    return status;
}

static bool same_graph(const pvg_graph *a, const pvg_graph *b) {
    return a->order == b->order && a->size == b->size &&
           memcmp(a->offsets, b->offsets, ((size_t)a->order + 1) * sizeof *a->offsets) ==
               0 &&
           memcmp(a->columns, b->columns, (size_t)a->size * 2 * sizeof *a->columns) == 0;
}

static int32_t build_mirrored(pvg_graph **out, pvgi_io_call *call, pvgi_io_pairs *arcs,
                              int64_t order, const pvgi_io_blame *blame) {
    pvg_graph *upper = NULL, *lower = NULL;
    bool good = false;
    int32_t status = PVG_OK;
    if (arcs->kept.count == arcs->back.count) {
        status = build_edges(&upper, order, &arcs->kept, PVG_EDGES_STRICT, &call->run);
        if (status == PVG_OK)
            status =
                build_edges(&lower, order, &arcs->back, PVG_EDGES_STRICT, &call->run);
        good = status == PVG_OK && same_graph(upper, lower);
    }
    pvgi_graph_free(lower);
    if (good) {
        *out = upper;
        return PVG_OK;
    }
    pvgi_graph_free(upper);
    if (status != PVG_OK && status != PVG_E_ARGUMENT) return status;
    pvgi_io_pairs_free(arcs);
    return blame_pair(call, order, INT64_MAX, blame);
}

int32_t pvgi_io_build(pvg_graph **out, pvgi_io_call *call, pvgi_io_pairs *pairs,
                      int64_t order, bool mirrored, const pvgi_io_blame *blame) {
    const uint32_t merge = call->options.policy & PVG_EDGES_MERGE;
    const int64_t repeat = pairs->repeat;
    if (call->pack) return pvgi_io_pack_rows(call->pack, order, repeat, blame);
    if (!merge && repeat >= 0) {
        /* an earlier arc may lack its mirror; not looked for among endless repeats */
        const bool all = mirrored && pairs->pairs <= BLAME_MOST;
        pvgi_io_pairs_free(pairs);
        return blame_pair(call, order, all ? INT64_MAX : repeat + 1, blame);
    }
    if (mirrored && !merge)
        return pvgi_graph_declare(out, build_mirrored(out, call, pairs, order, blame));
    const int32_t status = build_edges(out, order, &pairs->kept, merge, &call->run);
    if (status != PVG_E_ARGUMENT) return pvgi_graph_declare(out, status);
    return blame_pair(call, order, INT64_MAX, blame);
}
