/* Largest number of common neighbours of any two nodes, adjacent or not, and the number
 * of triangles.
 *
 * Nodes are renamed by falling degree, rows sorted by the new names. Node u walks all
 * u - w - v with v < u and counts them by v: O(sum of d^2) at most, O(order) counters for
 * each worker. A pair has at most min(d_u, d_v) common neighbours, so nodes are taken
 * from the largest degree on and those whose degree does not exceed the best so far are
 * not walked at all. Which pairs a thread skips depends on timing, the maximum does not.
 * Triangles u > w > v: u marks its row below u and every such w looks its row below w up:
 * O(m^1.5), because a row below its own node has at most sqrt(2 m) entries. */
#include "statistic_internal.h"

#include <stdatomic.h>
#include <string.h>

enum { WALKED_PER_CHUNK = 64, MARKED_PER_CHUNK = 1024 };

typedef struct {
    int64_t order;
    int64_t *offsets; /* order + 1, of renamed rows */
    int32_t *columns;
    int64_t *below;         /* of row u, how many columns are < u */
    int32_t *counters;      /* order for each worker */
    _Atomic int64_t common; /* best so far */
    int64_t *triangles;     /* per worker */
} job;

/* Names by falling degree: counting sort, equal degrees by number. */
static int32_t rename_nodes(int32_t *name, const pvg_graph *graph, pvgi_room *room) {
    const int64_t n = graph->order;
    int64_t *at = pvgi_statistic_take_zero(room, (size_t)n + 1, sizeof *at);
    if (!at) return PVG_E_INTERNAL;
    for (int64_t v = 0; v < n; v++) /* degree d in place n - 1 - d */
        at[n - (graph->offsets[v + 1] - graph->offsets[v])]++;
    for (int64_t i = 0; i < n; i++) at[i + 1] += at[i];
    for (int64_t v = 0; v < n; v++)
        name[v] = (int32_t)at[n - 1 - (graph->offsets[v + 1] - graph->offsets[v])]++;
    return PVG_OK;
}

/* Renamed rows come out ascending if arcs are dealt out in the order of their new
 * targets. */
static int32_t rename_rows(job *j, const pvg_graph *graph, pvgi_room *room) {
    const int64_t n = graph->order;
    int32_t *name = pvgi_statistic_take(room, (size_t)n, sizeof *name);
    int32_t *old = pvgi_statistic_take(room, (size_t)n, sizeof *old);
    int64_t *next = pvgi_statistic_take(room, (size_t)n, sizeof *next);
    if (!name || !old || !next) return PVG_E_INTERNAL;
    PVGI_TRY(rename_nodes(name, graph, room));
    for (int64_t v = 0; v < n; v++) old[name[v]] = (int32_t)v;
    j->offsets[0] = 0;
    for (int64_t u = 0; u < n; u++) {
        const int64_t v = old[u];
        next[u] = j->offsets[u];
        j->offsets[u + 1] = j->offsets[u] + graph->offsets[v + 1] - graph->offsets[v];
    }
    for (int64_t u = 0; u < n; u++) {
        const int64_t v = old[u];
        j->below[u] = next[u] - j->offsets[u]; /* all dealt so far are < u */
        for (int64_t i = graph->offsets[v]; i < graph->offsets[v + 1]; i++) {
            const int32_t w = name[graph->columns[i]];
            j->columns[next[w]++] = (int32_t)u;
        }
    }
    return PVG_OK;
}

/* For triangles alone: of each renamed row what is below it, in any order. Half of the
 * arcs, and written one after the other. */
static int32_t rename_below(job *j, const pvg_graph *graph, pvgi_room *room) {
    const int64_t n = graph->order;
    int32_t *name = pvgi_statistic_take(room, (size_t)n, sizeof *name);
    int32_t *old = pvgi_statistic_take(room, (size_t)n, sizeof *old);
    int64_t at = 0;
    if (!name || !old) return PVG_E_INTERNAL;
    PVGI_TRY(rename_nodes(name, graph, room));
    for (int64_t v = 0; v < n; v++) old[name[v]] = (int32_t)v;
    for (int64_t u = 0; u < n; u++) {
        const int64_t v = old[u];
        j->offsets[u] = at;
        for (int64_t i = graph->offsets[v]; i < graph->offsets[v + 1]; i++) {
            const int32_t w = name[graph->columns[i]];
            j->columns[at] = w;
            at += w < u;
        }
        j->below[u] = at - j->offsets[u];
    }
    return PVG_OK;
}

static int32_t walk(void *context, int64_t chunk, uint32_t worker) {
    job *j = context;
    int32_t *counters = j->counters + (int64_t)worker * j->order;
    const int64_t first = chunk * WALKED_PER_CHUNK;
    int64_t last = first + WALKED_PER_CHUNK;
    if (last > j->order) last = j->order;
    int64_t best = atomic_load_explicit(&j->common, memory_order_relaxed);
    for (int64_t u = first; u < last; u++) {
        const int32_t *row = j->columns + j->offsets[u];
        const int64_t degree = j->offsets[u + 1] - j->offsets[u];
        if (degree <= best) break; /* so have all that follow */
        int32_t most = 0;
        for (int64_t i = 0; i < degree; i++) {
            const int32_t *other = j->columns + j->offsets[row[i]];
            const int32_t *end = j->columns + j->offsets[row[i] + 1];
            for (; other < end && *other < u; other++) {
                const int32_t now = ++counters[*other];
                most = now > most ? now : most;
            }
        }
        for (int64_t i = 0; i < degree; i++) {
            const int32_t *other = j->columns + j->offsets[row[i]];
            const int32_t *end = j->columns + j->offsets[row[i] + 1];
            for (; other < end && *other < u; other++) counters[*other] = 0;
        }
        if (most > best) best = most;
    }
    int64_t seen = atomic_load_explicit(&j->common, memory_order_relaxed);
    while (seen < best && !atomic_compare_exchange_weak_explicit(&j->common, &seen, best,
                                                                 memory_order_relaxed,
                                                                 memory_order_relaxed))
        ;
    return PVG_OK;
}

static int32_t mark(void *context, int64_t chunk, uint32_t worker) {
    job *j = context;
    uint8_t *marks = (uint8_t *)(j->counters + (int64_t)worker * j->order);
    const int64_t first = chunk * MARKED_PER_CHUNK;
    int64_t last = first + MARKED_PER_CHUNK, found = 0;
    if (last > j->order) last = j->order;
    for (int64_t u = first; u < last; u++) {
        const int32_t *row = j->columns + j->offsets[u];
        for (int64_t i = 0; i < j->below[u]; i++) marks[row[i]] = 1;
        for (int64_t i = 0; i < j->below[u]; i++) {
            const int64_t w = row[i];
            const int32_t *other = j->columns + j->offsets[w];
            for (int64_t k = 0; k < j->below[w]; k++) found += marks[other[k]];
        }
        for (int64_t i = 0; i < j->below[u]; i++) marks[row[i]] = 0;
    }
    j->triangles[worker] += found;
    return PVG_OK;
}

static int64_t walks_of(int64_t order) {
    return (order + WALKED_PER_CHUNK - 1) / WALKED_PER_CHUNK;
}

size_t pvgi_statistic_common_bytes(int64_t order, const pvgi_run *run) {
    const size_t n = (size_t)order;
    const size_t workers = pvgi_run_workers(run, walks_of(order));
    const size_t words = pvgi_size_add(
        pvgi_size_mul(2, pvgi_room_bytes(n + 1, sizeof(int64_t))), /* offsets, places */
        pvgi_size_mul(2, pvgi_room_bytes(n, sizeof(int64_t))));    /* below, next */
    return pvgi_size_add(
        pvgi_size_add(words, pvgi_size_mul(2, pvgi_room_bytes(n, sizeof(int32_t)))),
        pvgi_size_add(pvgi_room_bytes(pvgi_size_mul(workers, n), sizeof(int32_t)),
                      pvgi_room_bytes(workers, sizeof(int64_t))));
}

static int32_t run_job(job *j, int64_t *common, int64_t *triangles,
                       const pvg_graph *graph, pvgi_room *room, pvgi_run *run) {
    const int64_t walks = walks_of(j->order);
    const int64_t marks = (j->order + MARKED_PER_CHUNK - 1) / MARKED_PER_CHUNK;
    const size_t workers = pvgi_run_workers(run, walks);
    const size_t order = (size_t)j->order;
    j->offsets = pvgi_statistic_take(room, order + 1, sizeof *j->offsets);
    j->below = pvgi_statistic_take(room, order, sizeof *j->below);
    j->counters = pvgi_statistic_take_zero(room, pvgi_size_mul(workers, order),
                                           sizeof *j->counters);
    j->triangles = pvgi_statistic_take_zero(room, workers, sizeof *j->triangles);
    if (!j->offsets || !j->below || !j->counters || !j->triangles) return PVG_E_INTERNAL;
    /* one more than half: an arc is written before it is known to be above */
    const int64_t arcs = common ? 2 * graph->size : graph->size + 1;
    j->columns = pvgi_alloc((size_t)arcs, sizeof *j->columns);
    if (!j->columns) return pvgi_fail_nomem();
    PVGI_TRY(common ? rename_rows(j, graph, room) : rename_below(j, graph, room));
    pvgi_run_phase(run, 0.05, 0.7);
    if (common) PVGI_TRY(pvgi_run_chunks(run, walks, walk, j));
    pvgi_run_phase(run, 0.75, 0.25);
    if (triangles) {
        PVGI_TRY(pvgi_run_chunks(run, marks, mark, j));
        *triangles = 0;
        for (size_t w = 0; w < workers; w++) *triangles += j->triangles[w];
    }
    if (common) *common = atomic_load_explicit(&j->common, memory_order_relaxed);
    return PVG_OK;
}

int32_t pvgi_statistic_common(int64_t *common, int64_t *triangles, const pvg_graph *graph,
                              pvgi_room *room, pvgi_run *run) {
    job j = {.order = graph->order};
    if (common) *common = 0;
    if (triangles) *triangles = 0;
    if (graph->order < 2) return PVG_OK;
    atomic_init(&j.common, 0);
    const int32_t status = run_job(&j, common, triangles, graph, room, run);
    pvgi_free(j.columns);
    return status;
}

int32_t pvgi_statistic_common_exact(int64_t *common, int64_t *triangles,
                                    const pvg_graph *graph, pvgi_run *run) {
    pvgi_room room;
    int32_t status = pvgi_statistic_room_new(
        &room, pvgi_statistic_common_bytes(graph->order, run), run);
    if (status == PVG_OK)
        status = pvgi_statistic_common(common, triangles, graph, &room, run);
    pvgi_statistic_room_free(&room);
    return status;
}
