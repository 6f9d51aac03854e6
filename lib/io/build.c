/* Pairs in the order of a file -> graph, and which line to blame if they are not one.
 *
 * A mirrored list (Matrix Market general, METIS, TUDataset) is well formed if the arcs u
 * < v and the arcs u > v are the same set without repeats: both halves are built as
 * graphs and compared, which costs what building from all arcs would. */
#include "io/io_internal.h"

#include <string.h>

static int32_t parse_pairs_again(pvgi_io_pairs *out, pvgi_io_call *call,
                                 const pvgi_io_source *source, const void *rules) {
    return pvgi_io_pairs_parse(out, call, source, rules);
}

static size_t locate_pair(const pvgi_io_call *call, const pvgi_io_source *source,
                          const void *rules, int64_t index) {
    return pvgi_io_pairs_locate(call, source, rules, index);
}

pvgi_io_blame pvgi_io_blame_pairs(const pvgi_io_source *source,
                                  const pvgi_io_pairs_rules *rules) {
    return (pvgi_io_blame){source, rules, parse_pairs_again, locate_pair};
}

/* Place of arc u -> v among the columns of a graph that has the edge. */
static int64_t place_of(const pvg_graph *graph, uint64_t u, uint64_t v) {
    const int64_t start = graph->offsets[u];
    return start + pvgi_graph_row_find(graph->columns + start,
                                       graph->offsets[u + 1] - start, (int32_t)v);
}

static bool test_bit(const uint64_t *bits, int64_t i) {
    return bits[i / 64] >> (i % 64) & 1;
}

/* First arc that repeats an earlier one or has no mirror; -1 if there is none. */
static int64_t first_bad_arc(bool *repeated, const pvgi_io_pairs *arcs,
                             const pvg_graph *graph, uint64_t *seen) {
    int64_t bad = -1;
    *repeated = false;
    for (int64_t i = 0; i < arcs->count; i++) {
        const int64_t place =
            place_of(graph, arcs->data[i] >> 32, arcs->data[i] & UINT32_MAX);
        if (test_bit(seen, place)) {
            bad = i;
            *repeated = true;
            break;
        }
        seen[place / 64] |= (uint64_t)1 << (place % 64);
    }
    /* a missing mirror counts if it is earlier; arcs after a repeat must be seen too */
    for (int64_t i = bad < 0 ? 0 : bad; i < arcs->count; i++) {
        const int64_t place =
            place_of(graph, arcs->data[i] >> 32, arcs->data[i] & UINT32_MAX);
        seen[place / 64] |= (uint64_t)1 << (place % 64);
    }
    const int64_t last = bad < 0 ? arcs->count : bad;
    for (int64_t i = 0; i < last; i++)
        if (!test_bit(seen,
                      place_of(graph, arcs->data[i] & UINT32_MAX, arcs->data[i] >> 32))) {
            *repeated = false;
            return i;
        }
    return bad;
}

/* The slow path of a malformed mirrored list: parses it again and names the line. */
static int32_t blame_arc(pvgi_io_call *call, int64_t order, const pvgi_io_blame *blame) {
    pvgi_io_pairs arcs = {0};
    pvg_graph *graph = NULL;
    uint64_t *copy = NULL, *seen = NULL;
    bool repeated;
    int32_t status;
    PVGI_TRY_DONE(blame->parse(&arcs, call, blame->source, blame->rules));
    copy = pvgi_alloc((size_t)arcs.count, sizeof *copy);
    seen = pvgi_alloc_zero((size_t)arcs.count / 32 + 1, sizeof *seen);
    if (!copy || !seen) {
        pvgi_free(copy);
        status = pvgi_fail_nomem();
        goto done;
    }
    memcpy(copy, arcs.data, (size_t)arcs.count * sizeof *copy);
    PVGI_TRY_DONE(pvgi_graph_from_packed(&graph, NULL, order, copy, arcs.count,
                                         PVG_EDGES_MERGE, &call->run));
    const int64_t bad = first_bad_arc(&repeated, &arcs, graph, seen);
    if (bad < 0) {
        status = pvgi_fail(PVG_E_INTERNAL, "io: no bad edge in a refused list");
        goto done;
    }
    status = pvgi_io_fail(blame->source, PVG_E_FORMAT,
                          blame->locate(call, blame->source, blame->rules, bad),
                          repeated ? "a repeated edge; PVG_EDGES_MERGE keeps one"
                                   : "an edge that is not listed in the other direction; "
                                     "PVG_EDGES_MERGE adds it");
done:
    pvgi_io_pairs_free(&arcs);
    pvgi_graph_free(graph);
    pvgi_free(seen);
    return status;
}

/* Moves the arcs u < v to the front and turns the others round; returns how many lead. */
static int64_t split_arcs(pvgi_io_pairs *arcs) {
    int64_t low = 0, high = arcs->count;
    while (low < high) {
        const uint64_t arc = arcs->data[low];
        if (arc >> 32 < (arc & UINT32_MAX)) {
            low++;
            continue;
        }
        arcs->data[low] = arcs->data[--high];
        arcs->data[high] = arc << 32 | arc >> 32;
    }
    return low;
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
    uint64_t *back = NULL;
    bool good = false;
    int32_t status = PVG_OK;
    const int64_t count = split_arcs(arcs);
    if (2 * count == arcs->count) {
        back = pvgi_alloc((size_t)count, sizeof *back);
        if (!back) return pvgi_fail_nomem();
        memcpy(back, arcs->data + count, (size_t)count * sizeof *back);
        uint64_t *front = arcs->data;
        arcs->data = NULL;
        status = pvgi_graph_from_packed(&upper, NULL, order, front, count,
                                        PVG_EDGES_STRICT, &call->run);
        if (status == PVG_OK) {
            status = pvgi_graph_from_packed(&lower, NULL, order, back, count,
                                            PVG_EDGES_STRICT, &call->run);
            back = NULL;
        }
        good = status == PVG_OK && same_graph(upper, lower);
    }
    pvgi_free(back);
    pvgi_graph_free(lower);
    if (good) {
        *out = upper;
        return PVG_OK;
    }
    pvgi_graph_free(upper);
    if (status != PVG_OK && status != PVG_E_ARGUMENT) return status;
    return blame_arc(call, order, blame);
}

int32_t pvgi_io_build(pvg_graph **out, pvgi_io_call *call, pvgi_io_pairs *pairs,
                      int64_t order, bool mirrored, const pvgi_io_blame *blame) {
    const uint32_t merge = call->options.policy & PVG_EDGES_MERGE;
    if (mirrored && !merge)
        return pvgi_graph_declare(out, build_mirrored(out, call, pairs, order, blame));
    int64_t bad = -1;
    uint64_t *data = pairs->data;
    pairs->data = NULL;
    const int32_t status =
        pvgi_graph_from_packed(out, &bad, order, data, pairs->count, merge, &call->run);
    if (status != PVG_E_ARGUMENT || bad < 0) return pvgi_graph_declare(out, status);
    return pvgi_io_fail(blame->source, PVG_E_FORMAT,
                        blame->locate(call, blame->source, blame->rules, bad),
                        "a repeated edge; PVG_EDGES_MERGE keeps one");
}
