/* Graphs made row by row (counted, then written, rows in parallel), and the operations
 * that are one rule per row: import of compressed rows, induced subgraph, renaming.
 * O(order + edges), and a logarithmic factor where rows are sorted or
 * searched. */
#include "graph_internal.h"

#include <stdatomic.h>
#include <string.h>

enum { CHUNK_ROWS = 1 << 12, SHORT_ROW = 24, MIRROR_CHUNKS = 4 };

static inline int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* --- one row -------------------------------------------------------------------- */

int64_t pvgi_graph_row_find(const int32_t *row, int64_t count, int32_t value) {
    int64_t low = 0, high = count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (row[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && row[low] == value ? low : -1;
}

static void insertion_sort(int32_t *row, int64_t count) {
    for (int64_t i = 1; i < count; i++) {
        const int32_t value = row[i];
        int64_t j = i;
        for (; j > 0 && row[j - 1] > value; j--) row[j] = row[j - 1];
        row[j] = value;
    }
}

/* Radix exchange: splits by one bit in place, as deep as there are bits below it. */
static void exchange_sort(int32_t *row, int64_t count, int bit) {
    while (count > SHORT_ROW && bit >= 0) {
        const int32_t mask = (int32_t)1 << bit--;
        int64_t low = 0, high = count;
        while (low < high) {
            if (!(row[low] & mask)) {
                low++;
            } else {
                const int32_t value = row[low];
                row[low] = row[--high];
                row[high] = value;
            }
        }
        exchange_sort(row, low, bit);
        row += low;
        count -= low;
    }
    insertion_sort(row, count);
}

void pvgi_graph_row_sort(int32_t *row, int64_t count) {
    if (count <= SHORT_ROW) {
        insertion_sort(row, count);
        return;
    }
    int32_t differ = 0;
    bool sorted = true;
    for (int64_t i = 1; i < count; i++) {
        differ |= row[i] ^ row[0];
        sorted &= row[i - 1] <= row[i];
    }
    int bit = 30; /* values are not negative */
    while (bit > 0 && !(differ >> bit)) bit--;
    if (!sorted) exchange_sort(row, count, bit);
}

/* --- handles -------------------------------------------------------------------- */

void pvgi_graph_free(pvg_graph *graph) {
    if (!graph) return;
    if (graph->keeper) {
        graph->keeper->drop(graph->kept);
    } else {
        pvgi_free(graph->offsets);
        pvgi_free(graph->columns);
    }
    pvgi_free(graph);
}

pvg_graph *pvgi_graph_alloc(int64_t order, int64_t size) {
    pvg_graph *graph = pvgi_alloc_zero(1, sizeof *graph);
    if (!graph) return NULL;
    graph->order = order;
    graph->size = size;
    /* columns first: where they cannot be had, nothing else should be tried */
    graph->columns = pvgi_alloc(pvgi_size_mul(2, (size_t)size), sizeof *graph->columns);
    if (graph->columns) graph->offsets = pvgi_alloc((size_t)order + 1, sizeof(int64_t));
    if (graph->offsets && graph->columns) return graph;
    pvgi_graph_free(graph);
    return NULL;
}

int32_t pvgi_graph_declare(pvg_graph *const *made, int32_t status) {
    if (status == PVG_OK) (*made)->declared = PVGI_DECLARED_NODES;
    return status;
}

/* offsets and columns are those of a part of a larger graph whose nodes start at shift.
 */
int32_t pvgi_graph_copy(pvg_graph **out, int64_t order, const int64_t *offsets,
                        const int32_t *columns, int64_t shift) {
    const int64_t first = offsets[0], entries = offsets[order] - first;
    pvg_graph *graph = pvgi_graph_alloc(order, entries / 2);
    if (!graph) return pvgi_fail_nomem();
    for (int64_t i = 0; i <= order; i++) graph->offsets[i] = offsets[i] - first;
    for (int64_t i = 0; i < entries; i++)
        graph->columns[i] = (int32_t)(columns[first + i] - shift);
    *out = graph;
    return PVG_OK;
}

void pvgi_graph_copy_edges(int64_t *sources, int64_t *targets, const pvg_graph *graph) {
    int64_t used = 0;
    for (int64_t node = 0; node < graph->order; node++)
        for (int64_t i = graph->offsets[node]; i < graph->offsets[node + 1]; i++) {
            if (graph->columns[i] <= node) continue;
            sources[used] = node;
            targets[used++] = graph->columns[i];
        }
}

/* --- rows from a rule ----------------------------------------------------------- */

typedef struct {
    pvg_graph *graph;
    pvgi_row_fn function;
    const void *context;
} rows_job;

static int32_t count_rows(void *context, int64_t chunk, uint32_t worker) {
    const rows_job *job = context;
    const int64_t last = smaller((chunk + 1) * CHUNK_ROWS, job->graph->order);
    (void)worker;
    for (int64_t node = chunk * CHUNK_ROWS; node < last; node++)
        PVGI_TRY(job->function(&job->graph->offsets[node], NULL, job->context, node));
    return PVG_OK;
}

static int32_t fill_rows(void *context, int64_t chunk, uint32_t worker) {
    const rows_job *job = context;
    const pvg_graph *graph = job->graph;
    const int64_t last = smaller((chunk + 1) * CHUNK_ROWS, graph->order);
    int64_t degree;
    (void)worker;
    for (int64_t node = chunk * CHUNK_ROWS; node < last; node++)
        PVGI_TRY(job->function(&degree, graph->columns + graph->offsets[node],
                               job->context, node));
    return PVG_OK;
}

static int32_t make_rows(rows_job *job, pvgi_run *run) {
    pvg_graph *graph = job->graph;
    const int64_t chunks = (graph->order + CHUNK_ROWS - 1) / CHUNK_ROWS;
    graph->offsets = pvgi_alloc((size_t)graph->order + 1, sizeof *graph->offsets);
    if (!graph->offsets) return pvgi_fail_nomem();
    pvgi_run_phase(run, 0.0, 0.4);
    PVGI_TRY(pvgi_run_chunks(run, chunks, count_rows, job));
    int64_t sum = 0;
    for (int64_t node = 0; node < graph->order; node++) {
        const int64_t degree = graph->offsets[node];
        graph->offsets[node] = sum;
        sum += degree;
    }
    graph->offsets[graph->order] = sum;
    graph->size = sum / 2;
    graph->columns = pvgi_alloc((size_t)sum, sizeof *graph->columns);
    if (!graph->columns) return pvgi_fail_nomem();
    pvgi_run_phase(run, 0.4, 0.4);
    return pvgi_run_chunks(run, chunks, fill_rows, job);
}

int32_t pvgi_graph_from_rows(pvg_graph **out, int64_t order, pvgi_row_fn function,
                             const void *context, pvgi_run *run) {
    rows_job job = {.graph = pvgi_alloc_zero(1, sizeof *job.graph),
                    .function = function,
                    .context = context};
    if (!job.graph) return pvgi_fail_nomem();
    job.graph->order = order;
    const int32_t status = make_rows(&job, run);
    if (status == PVG_OK)
        *out = job.graph;
    else
        pvgi_graph_free(job.graph);
    return status;
}

/* --- compressed rows without merging -------------------------------------------- */

int32_t pvgi_graph_offsets_check(const char *name, const int64_t *offsets,
                                 int64_t count) {
    PVGI_REQUIRE(offsets[0] == 0, "%s[0] is not 0", name);
    for (int64_t i = 0; i < count; i++)
        PVGI_REQUIRE(offsets[i] <= offsets[i + 1], "%s[%lld] is less than %s[%lld]", name,
                     (long long)(i + 1), name, (long long)i);
    return PVG_OK;
}

typedef struct {
    int64_t order;
    const int64_t *offsets;
    const int32_t *columns;
    bool drop_loops;
} exact_rows;

static int32_t exact_row(int64_t *degree, int32_t *row, const void *context,
                         int64_t node) {
    const exact_rows *input = context;
    int64_t used = 0;
    for (int64_t i = input->offsets[node]; i < input->offsets[node + 1]; i++) {
        const int64_t column = input->columns[i];
        PVGI_REQUIRE(column >= 0 && column < input->order,
                     "columns[%lld] is not in 0..order-1", (long long)i);
        PVGI_REQUIRE(column != node || input->drop_loops, "columns[%lld] is a self loop",
                     (long long)i);
        if (column == node) continue;
        if (row) row[used] = (int32_t)column;
        used++;
    }
    *degree = used;
    if (!row) return PVG_OK;
    pvgi_graph_row_sort(row, used);
    for (int64_t i = 1; i < used; i++)
        PVGI_REQUIRE(row[i - 1] != row[i], "row %lld has a repeated entry",
                     (long long)node);
    return PVG_OK;
}

static int32_t check_mirrors(void *context, int64_t chunk, uint32_t worker) {
    const pvg_graph *graph = context;
    const int64_t last = smaller((chunk + 1) * CHUNK_ROWS, graph->order);
    const int64_t *offsets = graph->offsets;
    (void)worker;
    for (int64_t node = chunk * CHUNK_ROWS; node < last; node++)
        for (int64_t i = offsets[node]; i < offsets[node + 1]; i++) {
            const int32_t other = graph->columns[i];
            PVGI_REQUIRE(pvgi_graph_row_find(graph->columns + offsets[other],
                                             offsets[other + 1] - offsets[other],
                                             (int32_t)node) >= 0,
                         "row %lld has an entry without its mirror", (long long)node);
        }
    return PVG_OK;
}

/* The same faster, where it holds. If every entry below the diagonal has its mirror and
 * there are as many above, all have theirs. Going through the rows in order, the mirrors
 * in a row above the diagonal come in order too, so a cursor per row finds each at once.
 * */
typedef struct {
    const pvg_graph *graph;
    int32_t *cursors; /* order per worker */
    _Atomic int64_t found;
} mirror_job;

static int32_t follow_mirrors(void *context, int64_t chunk, uint32_t worker) {
    mirror_job *job = context;
    const pvg_graph *graph = job->graph;
    const int64_t order = graph->order, *offsets = graph->offsets;
    const int64_t first = order * chunk / MIRROR_CHUNKS;
    const int64_t last = order * (chunk + 1) / MIRROR_CHUNKS;
    int32_t *cursor = job->cursors + order * worker;
    int64_t found = 0;
    for (int64_t node = 0; node < last;
         node++) { /* first entry above it, from first on */
        const int32_t *row = graph->columns + offsets[node];
        const int64_t least = node < first ? first - 1 : node;
        int64_t low = 0, high = offsets[node + 1] - offsets[node];
        while (low < high) {
            const int64_t middle = low + (high - low) / 2;
            if (row[middle] <= least)
                low = middle + 1;
            else
                high = middle;
        }
        cursor[node] = (int32_t)low;
    }
    for (int64_t node = first; node < last; node++)
        for (int64_t i = offsets[node]; i < offsets[node + 1]; i++) {
            const int64_t other = graph->columns[i];
            if (other > node) break;
            const int64_t at = offsets[other] + cursor[other]++;
            if (at >= offsets[other + 1] || graph->columns[at] != node) return PVG_OK;
            found++;
        }
    atomic_fetch_add(&job->found, found);
    return PVG_OK;
}

/* Whether all entries have their mirrors; false also where memory is short. */
static int32_t has_mirrors(bool *all, const pvg_graph *graph, pvgi_run *run) {
    mirror_job job = {.graph = graph};
    const uint32_t workers = pvgi_run_workers(run, MIRROR_CHUNKS);
    const size_t bytes = pvgi_size_mul(pvgi_size_mul((size_t)graph->order, workers), 4);
    const uint64_t limit = run->config.scratch_limit;
    *all = false;
    if (limit != 0 && bytes > limit) return PVG_OK;
    job.cursors = pvgi_alloc(bytes, 1);
    if (!job.cursors) return pvgi_fail_nomem();
    const int32_t status = pvgi_run_chunks(run, MIRROR_CHUNKS, follow_mirrors, &job);
    *all = 2 * atomic_load(&job.found) == graph->offsets[graph->order];
    pvgi_free(job.cursors);
    return status;
}

int32_t pvgi_graph_from_exact_rows(pvg_graph **out, int64_t order, const int64_t *offsets,
                                   const int32_t *columns, uint32_t policy,
                                   pvgi_run *run) {
    const exact_rows input = {.order = order,
                              .offsets = offsets,
                              .columns = columns,
                              .drop_loops = (policy & PVG_EDGES_DROP_LOOPS) != 0};
    pvg_graph *graph = NULL;
    PVGI_TRY(pvgi_graph_from_rows(&graph, order, exact_row, &input, run));
    pvgi_run_phase(run, 0.8, 0.2);
    bool mirrors;
    int32_t status = has_mirrors(&mirrors, graph, run);
    if (status == PVG_OK && !mirrors) /* says which row lacks one */
        status = pvgi_run_chunks(run, (order + CHUNK_ROWS - 1) / CHUNK_ROWS,
                                 check_mirrors, graph);
    if (status == PVG_OK)
        *out = graph;
    else
        pvgi_graph_free(graph);
    return status;
}

/* --- induced subgraph and renaming ---------------------------------------------- */

typedef struct {
    const pvg_graph *graph;
    const int32_t *nodes; /* new -> old */
    int32_t *names;       /* old -> new, -1: left out */
} selection;

static int32_t selected_row(int64_t *degree, int32_t *row, const void *context,
                            int64_t node) {
    const selection *chosen = context;
    const pvg_graph *graph = chosen->graph;
    const int32_t old = chosen->nodes[node];
    int64_t used = 0;
    for (int64_t i = graph->offsets[old]; i < graph->offsets[old + 1]; i++) {
        const int32_t name = chosen->names[graph->columns[i]];
        if (name < 0) continue;
        if (row) row[used] = name;
        used++;
    }
    if (row) pvgi_graph_row_sort(row, used);
    *degree = used;
    return PVG_OK;
}

/* Fills both directions from whichever the caller gave; forward[i] = given[i]. */
static int32_t name_nodes(int32_t *forward, int32_t *backward, const char *name,
                          const int64_t *given, int64_t count, int64_t order) {
    memset(backward, 0xFF, (size_t)order * sizeof *backward);
    for (int64_t i = 0; i < count; i++) {
        PVGI_REQUIRE(given[i] >= 0 && given[i] < order, "%s[%lld] is not in 0..order-1",
                     name, (long long)i);
        PVGI_REQUIRE(backward[given[i]] < 0, "%s[%lld] repeats %s[%lld]", name,
                     (long long)i, name, (long long)backward[given[i]]);
        forward[i] = (int32_t)given[i];
        backward[given[i]] = (int32_t)i;
    }
    return PVG_OK;
}

static int32_t select_nodes(pvg_graph **out, const pvg_graph *graph, const int64_t *given,
                            int64_t count, bool given_names, pvgi_run *run) {
    const char *name = given_names ? "new_name" : "nodes";
    PVGI_TRY(pvgi_run_reserve(
        run, pvgi_size_mul((size_t)(graph->order + count), sizeof(int32_t))));
    int32_t *forward = pvgi_alloc((size_t)count, sizeof *forward);
    int32_t *backward = pvgi_alloc((size_t)graph->order, sizeof *backward);
    int32_t status = PVG_E_NOMEM;
    if (!forward || !backward) {
        status = pvgi_fail_nomem();
        goto done;
    }
    PVGI_TRY_DONE(name_nodes(forward, backward, name, given, count, graph->order));
    const selection chosen = {.graph = graph,
                              .nodes = given_names ? backward : forward,
                              .names = given_names ? forward : backward};
    status = pvgi_graph_from_rows(out, count, selected_row, &chosen, run);
done:
    pvgi_free(forward);
    pvgi_free(backward);
    return status;
}

/* Passes on how the nodes of a graph are known to one made from it. */
static int32_t inherit(pvg_graph *const *made, const pvg_graph *graph, int32_t status) {
    if (status == PVG_OK) (*made)->declared = graph->declared;
    return status;
}

/* An induced subgraph inherits too: nodes can be named only by who knows the order. */
int32_t pvgi_graph_induce(pvg_graph **out, const pvg_graph *graph, const int64_t *nodes,
                          int64_t count, pvgi_run *run) {
    return inherit(out, graph, select_nodes(out, graph, nodes, count, false, run));
}

int32_t pvgi_graph_relabel(pvg_graph **out, const pvg_graph *graph,
                           const int64_t *new_name, pvgi_run *run) {
    return inherit(out, graph,
                   select_nodes(out, graph, new_name, graph->order, true, run));
}
