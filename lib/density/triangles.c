/* Triangles of one graph of any size, and the largest number of common neighbours of any
 * two of its nodes, adjacent or not: what noise on triangles follows.
 *
 * Triangles: density/triangles.inc, after each node has listed its neighbours before it.
 *
 * Common neighbours: u - w - v. A pair has at most as many as the smaller of its degrees,
 * so nodes are taken by falling degree, and none whose degree does not exceed the best so
 * far. They are taken in stages, each four times as many as all before: node w lists its
 * neighbours among those of the stages so far, and node u counts the v < u in the lists
 * of its neighbours w. O(sum of d^2) at most; where few nodes have most of the edges a
 * stage or two do, and the rest of the graph is not even renumbered. Which pairs a thread
 * skips depends on timing, the maximum does not. */
#include "density_internal.h"

#include <string.h>

#define TRIANGLES_START int64_t
#include "triangles.inc"

enum { NODES_PER_CHUNK = 1024, WALKED_PER_CHUNK = 16, FIRST_STAGE = 64 };

typedef struct {
    const pvg_graph *graph;
    int64_t order;
    int32_t *place;     /* of each node, by falling degree */
    int32_t *old;       /* the node at each place */
    int64_t *start;     /* order + 1: lists */
    int32_t *column;    /* not of public size */
    int32_t *counter;   /* order for each worker */
    int64_t first, end; /* places of a stage */
    _Atomic int64_t common, triangles;
} job;

static int64_t degree_of(const pvg_graph *graph, int64_t v) {
    return graph->offsets[v + 1] - graph->offsets[v];
}

static int64_t chunks_of(int64_t order) {
    return (order + NODES_PER_CHUNK - 1) / NODES_PER_CHUNK;
}

static int64_t end_of_chunk(const job *j, int64_t chunk) {
    const int64_t end = (chunk + 1) * NODES_PER_CHUNK;
    return end < j->order ? end : j->order;
}

/* Counting sort, equal degrees by number; start serves as the counters. */
static void place_nodes(job *j) {
    const int64_t n = j->order;
    memset(j->start, 0, ((size_t)n + 1) * sizeof *j->start);
    for (int64_t v = 0; v < n; v++) j->start[n - degree_of(j->graph, v)]++;
    for (int64_t i = 0; i < n; i++) j->start[i + 1] += j->start[i];
    for (int64_t v = 0; v < n; v++) {
        const int64_t at = j->start[n - 1 - degree_of(j->graph, v)]++;
        j->place[v] = (int32_t)at;
        j->old[at] = (int32_t)v;
    }
}

/* --- triangles -------------------------------------------------------------------- */

/* start[i + 1]: neighbours before place i. */
static int32_t count_before(void *context, int64_t chunk, uint32_t worker) {
    const job *j = context;
    (void)worker;
    for (int64_t v = chunk * NODES_PER_CHUNK; v < end_of_chunk(j, chunk); v++) {
        int64_t before = 0;
        for (int64_t i = j->graph->offsets[v]; i < j->graph->offsets[v + 1]; i++)
            before += j->place[j->graph->columns[i]] < j->place[v];
        j->start[j->place[v] + 1] = before;
    }
    return PVG_OK;
}

static int32_t write_before(void *context, int64_t chunk, uint32_t worker) {
    const job *j = context;
    (void)worker;
    for (int64_t v = chunk * NODES_PER_CHUNK; v < end_of_chunk(j, chunk); v++) {
        const int32_t own = j->place[v];
        int64_t at = j->start[own];
        const int64_t end = j->start[own + 1];
        /* half of them are written, at random: no branch but the end of the list */
        for (int64_t i = j->graph->offsets[v]; at < end; i++) {
            const int32_t other = j->place[j->graph->columns[i]];
            j->column[at] = other;
            at += other < own;
        }
    }
    return PVG_OK;
}

static int32_t count_at(void *context, int64_t chunk, uint32_t worker) {
    job *j = context;
    uint8_t *mark = (uint8_t *)(j->counter + (int64_t)worker * j->order);
    uint64_t found = 0;
    for (int64_t u = chunk * NODES_PER_CHUNK; u < end_of_chunk(j, chunk); u++)
        found +=
            mark_triangles(mark, j->start, j->column, (int32_t)u, j->start[j->order]);
    atomic_fetch_add_explicit(&j->triangles, (int64_t)found, memory_order_relaxed);
    return PVG_OK;
}

static int32_t count_triangles(job *j, pvgi_run *run) {
    const int64_t chunks = chunks_of(j->order);
    const pvgi_phase before = pvgi_run_enter(run, 0.0, 0.2);
    int32_t status = pvgi_run_chunks(run, chunks, count_before, j);
    pvgi_run_leave(run, before);
    PVGI_TRY(status);
    j->start[0] = 0;
    for (int64_t i = 0; i < j->order; i++) j->start[i + 1] += j->start[i];
    const pvgi_stage rest[] = {{write_before, chunks, 0.25, NULL},
                               {count_at, chunks, 0.75, NULL}};
    (void)pvgi_run_enter(run, 0.2, 0.8);
    status = pvgi_run_stages(run, rest, 2, 1, j);
    pvgi_run_leave(run, before);
    return status;
}

/* --- common neighbours ----------------------------------------------------------- */

/* Node w lists its neighbours at places before `end`, ascending. */
static void list_first(job *j) {
    const pvg_graph *graph = j->graph;
    int64_t *next = j->start + 1; /* where a list goes on; in the end, ends */
    memset(j->start, 0, ((size_t)j->order + 1) * sizeof *j->start);
    for (int64_t u = 0; u < j->end; u++)
        for (int64_t i = graph->offsets[j->old[u]]; i < graph->offsets[j->old[u] + 1];
             i++)
            next[graph->columns[i]]++;
    int64_t sum = 0;
    for (int64_t w = 0; w < j->order; w++) {
        const int64_t count = next[w];
        next[w] = sum;
        sum += count;
    }
    for (int64_t u = 0; u < j->end; u++)
        for (int64_t i = graph->offsets[j->old[u]]; i < graph->offsets[j->old[u] + 1];
             i++)
            j->column[next[graph->columns[i]]++] = (int32_t)u;
}

/* What u has in common with a node before it, at most. */
static int64_t most_common(const job *j, int32_t *counter, int64_t u) {
    const pvg_graph *graph = j->graph;
    const int32_t *row = graph->columns + graph->offsets[j->old[u]];
    const int64_t degree = degree_of(graph, j->old[u]);
    int32_t most = 0;
    for (int64_t i = 0; i < degree; i++) {
        const int32_t *at = j->column + j->start[row[i]];
        const int32_t *end = j->column + j->start[row[i] + 1];
        for (; at < end && *at < u; at++) counter[*at]++;
    }
    if (u <= 4 * degree) { /* counters in a row */
        for (int64_t v = 0; v < u; v++) most = counter[v] > most ? counter[v] : most;
        memset(counter, 0, (size_t)u * sizeof *counter);
        return most;
    }
    for (int64_t i = 0; i < degree; i++) {
        const int32_t *at = j->column + j->start[row[i]];
        const int32_t *end = j->column + j->start[row[i] + 1];
        for (; at < end && *at < u; at++) {
            most = counter[*at] > most ? counter[*at] : most;
            counter[*at] = 0;
        }
    }
    return most;
}

static int32_t walk(void *context, int64_t chunk, uint32_t worker) {
    job *j = context;
    int32_t *counter = j->counter + (int64_t)worker * j->order;
    const int64_t first = j->first + chunk * WALKED_PER_CHUNK;
    const int64_t end =
        first + WALKED_PER_CHUNK < j->end ? first + WALKED_PER_CHUNK : j->end;
    for (int64_t u = first; u < end; u++) {
        int64_t best = atomic_load_explicit(&j->common, memory_order_relaxed);
        if (degree_of(j->graph, j->old[u]) <= best) break; /* so have all that follow */
        const int64_t most = most_common(j, counter, u);
        while (best < most &&
               !atomic_compare_exchange_weak_explicit(
                   &j->common, &best, most, memory_order_relaxed, memory_order_relaxed))
            ;
    }
    return PVG_OK;
}

/* Neighbours of the nodes at places before `end`. */
static int64_t arcs_before(const job *j, int64_t end) {
    int64_t arcs = 0;
    for (int64_t u = 0; u < end; u++) arcs += degree_of(j->graph, j->old[u]);
    return arcs;
}

static int32_t find_common(job *j, pvgi_run *run) {
    const pvgi_phase whole = pvgi_run_enter(run, 0.0, 1.0);
    double reached = 0.0;
    for (j->end = 0; j->end < j->order; reached += 0.5 * (1.0 - reached)) {
        const int64_t best = atomic_load_explicit(&j->common, memory_order_relaxed);
        j->first = j->end;
        if (degree_of(j->graph, j->old[j->first]) <= best) break;
        j->end = j->end == 0 ? FIRST_STAGE : 4 * j->end;
        if (j->end > j->order) j->end = j->order;
        while (degree_of(j->graph, j->old[j->end - 1]) <= best) j->end--;
        pvgi_free(j->column);
        j->column = pvgi_alloc((size_t)arcs_before(j, j->end), sizeof *j->column);
        if (!j->column) return pvgi_fail_nomem();
        list_first(j);
        const int64_t chunks =
            (j->end - j->first + WALKED_PER_CHUNK - 1) / WALKED_PER_CHUNK;
        (void)pvgi_run_enter(run, reached, 0.5 * (1.0 - reached));
        const int32_t status = pvgi_run_chunks(run, chunks, walk, j);
        pvgi_run_leave(run, whole);
        PVGI_TRY(status);
    }
    return PVG_OK;
}

/* --- both ------------------------------------------------------------------------ */

static size_t round_up(size_t bytes) {
    return bytes > SIZE_MAX - 63 ? SIZE_MAX : (bytes + 63) / 64 * 64;
}

size_t pvgi_density_triangles_bytes(int64_t order, const pvgi_run *run) {
    const size_t n = (size_t)order;
    const size_t workers = pvgi_run_workers(run, chunks_of(order) * NODES_PER_CHUNK);
    const size_t lists = pvgi_size_add(round_up(pvgi_size_mul(n + 1, sizeof(int64_t))),
                                       2 * round_up(pvgi_size_mul(n, sizeof(int32_t))));
    return pvgi_size_add(
        lists, round_up(pvgi_size_mul(pvgi_size_mul(workers, n), sizeof(int32_t))));
}

int32_t pvgi_density_triangles(int64_t *common, int64_t *triangles,
                               const pvg_graph *graph, void *scratch, pvgi_run *run) {
    const size_t n = (size_t)graph->order;
    job j = {.graph = graph, .order = graph->order, .start = scratch};
    const size_t workers = pvgi_run_workers(run, chunks_of(j.order) * NODES_PER_CHUNK);
    int32_t status = PVG_OK;
    if (common) *common = 0;
    if (triangles) *triangles = 0;
    if (graph->order < 2) return PVG_OK;
    j.place = (int32_t *)(void *)((char *)scratch + round_up((n + 1) * sizeof *j.start));
    j.old = (int32_t *)(void *)((char *)j.place + round_up(n * sizeof *j.place));
    j.counter = (int32_t *)(void *)((char *)j.old + round_up(n * sizeof *j.old));
    memset(j.counter, 0, workers * n * sizeof *j.counter);
    atomic_init(&j.common, 0);
    atomic_init(&j.triangles, 0);
    place_nodes(&j);
    const pvgi_phase whole = pvgi_run_enter(run, 0.0, common ? 0.5 : 1.0);
    if (triangles) {
        j.column = pvgi_alloc((size_t)graph->size + 1, sizeof *j.column);
        status = j.column ? count_triangles(&j, run) : pvgi_fail_nomem();
    }
    pvgi_run_leave(run, whole);
    (void)pvgi_run_enter(run, 0.5, 0.5);
    if (common && status == PVG_OK) status = find_common(&j, run);
    pvgi_run_leave(run, whole);
    pvgi_free(j.column);
    if (status != PVG_OK) return status;
    if (triangles) *triangles = atomic_load_explicit(&j.triangles, memory_order_relaxed);
    if (common) *common = atomic_load_explicit(&j.common, memory_order_relaxed);
    return PVG_OK;
}
