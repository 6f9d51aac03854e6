/* Whole numbers about the shape of a graph that one edge moves by one or two.
 *
 * Components by union with path halving, degeneracy by taking away a node of least degree
 * again and again (Batagelj, Zaversnik 2003): both O(order + edges). */
#include "statistic_internal.h"

static int64_t degree_of(const pvg_graph *graph, int64_t v) {
    return graph->offsets[v + 1] - graph->offsets[v];
}

/* After node v of n. */
static int32_t look(pvgi_run *run, int64_t v, int64_t n) {
    return (v & 0x7FFF) == 0x7FFF ? pvgi_run_report(run, (double)v / (double)n) : PVG_OK;
}

static int32_t root(int32_t *parent, int32_t v) {
    while (parent[v] != v) {
        parent[v] = parent[parent[v]];
        v = parent[v];
    }
    return v;
}

static int32_t components(int64_t *out, const pvg_graph *graph, pvgi_scratch *scratch,
                          pvgi_run *run) {
    const int64_t n = graph->order;
    int32_t *parent = pvgi_statistic_take(scratch, (size_t)n, sizeof *parent);
    if (!parent) return PVG_E_INTERNAL;
    int64_t left = n;
    for (int64_t v = 0; v < n; v++) parent[v] = (int32_t)v;
    for (int64_t v = 0; v < n; v++) {
        PVGI_TRY(look(run, v, n));
        for (int64_t i = graph->offsets[v]; i < graph->offsets[v + 1]; i++) {
            if (graph->columns[i] >= v) break; /* rows ascend; each edge once */
            const int32_t a = root(parent, (int32_t)v),
                          b = root(parent, graph->columns[i]);
            if (a == b) continue;
            parent[a > b ? a : b] = a > b ? b : a;
            left--;
        }
    }
    *out = left;
    return PVG_OK;
}

/* Nodes in one array sorted by what is left of their degrees; a bucket of the array for
 * each degree. */
static int32_t degeneracy(int64_t *out, const pvg_graph *graph, pvgi_scratch *scratch,
                          pvgi_run *run) {
    const int64_t n = graph->order;
    int64_t most = 0;
    for (int64_t v = 0; v < n; v++)
        if (degree_of(graph, v) > most) most = degree_of(graph, v);
    /* the largest degree is private, its bound n is not */
    int64_t *bucket = pvgi_statistic_take_zero(scratch, (size_t)n + 2, sizeof *bucket);
    int32_t *node = pvgi_statistic_take(scratch, (size_t)n, sizeof *node);
    int32_t *place = pvgi_statistic_take(scratch, (size_t)n, sizeof *place);
    int32_t *left = pvgi_statistic_take(scratch, (size_t)n, sizeof *left);
    int64_t core = 0;
    if (!bucket || !node || !place || !left) return PVG_E_INTERNAL;
    for (int64_t v = 0; v < n; v++) bucket[degree_of(graph, v) + 1]++;
    for (int64_t d = 0; d <= most; d++) bucket[d + 1] += bucket[d];
    for (int64_t v = 0; v < n; v++) {
        left[v] = (int32_t)degree_of(graph, v);
        place[v] = (int32_t)bucket[left[v]]++;
        node[place[v]] = (int32_t)v;
    }
    for (int64_t d = most + 1; d > 0; d--) bucket[d] = bucket[d - 1];
    bucket[0] = 0;
    for (int64_t i = 0; i < n; i++) {
        const int32_t v = node[i];
        if (left[v] > core) core = left[v];
        PVGI_TRY(look(run, i, n));
        for (int64_t k = graph->offsets[v]; k < graph->offsets[v + 1]; k++) {
            const int32_t u = graph->columns[k];
            if (left[u] <= left[v]) continue;
            /* to the front of its bucket, which then begins one later */
            const int64_t front = bucket[left[u]];
            const int32_t other = node[front];
            node[place[u]] = other;
            place[other] = place[u];
            node[front] = u;
            place[u] = (int32_t)front;
            bucket[left[u]]++;
            left[u]--;
        }
    }
    *out = core;
    return PVG_OK;
}

static int64_t nodes_of_degree(const pvg_graph *graph, int64_t degree) {
    int64_t found = 0;
    for (int64_t v = 0; v < graph->order; v++) found += degree_of(graph, v) == degree;
    return found;
}

static int64_t largest_degree(const pvg_graph *graph) {
    int64_t most = 0;
    for (int64_t v = 0; v < graph->order; v++)
        if (degree_of(graph, v) > most) most = degree_of(graph, v);
    return most;
}

size_t pvgi_statistic_shape_bytes(int32_t scalar, int64_t order) {
    const size_t n = (size_t)order;
    switch (scalar) {
    case PVG_SCALAR_COMPONENTS:
    case PVG_SCALAR_CYCLES:
        return pvgi_scratch_bytes(n, sizeof(int32_t));
    case PVG_SCALAR_DEGENERACY:
        return pvgi_size_add(pvgi_scratch_bytes(n + 2, sizeof(int64_t)),
                             pvgi_size_mul(3, pvgi_scratch_bytes(n, sizeof(int32_t))));
    }
    return 0; /* no memory */
}

int32_t pvgi_statistic_shape(int64_t *out, int32_t scalar, const pvg_graph *graph,
                             pvgi_scratch *scratch, pvgi_run *run) {
    int32_t status = PVG_OK;
    *out = 0;
    switch ((enum pvg_scalar)scalar) {
    case PVG_SCALAR_EDGES:
        *out = graph->size;
        break;
    case PVG_SCALAR_COMPONENTS:
        status = components(out, graph, scratch, run);
        break;
    case PVG_SCALAR_CYCLES:
        status = components(out, graph, scratch, run);
        *out += graph->size - graph->order;
        break;
    case PVG_SCALAR_LARGEST_DEGREE:
        *out = largest_degree(graph);
        break;
    case PVG_SCALAR_DEGENERACY:
        status = degeneracy(out, graph, scratch, run);
        break;
    case PVG_SCALAR_ISOLATED:
        *out = nodes_of_degree(graph, 0);
        break;
    case PVG_SCALAR_LEAVES:
        *out = nodes_of_degree(graph, 1);
        break;
    case PVG_SCALAR_RADIUS: /* not a matter of shape: radius.c */
        break;
    }
    return status;
}
