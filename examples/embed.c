/* Embedding the library in a host with its own memory and patience: an allocator that
 * counts, a long call on two threads that reports progress, and a limit on its scratch.
 */
#include <inttypes.h>
#include <privgraph.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* The hooks may be called from several threads at once. */
static void *host_allocate(void *context, size_t bytes) {
    atomic_fetch_add((atomic_long *)context, 1);
    return malloc(bytes);
}

static void host_release(void *context, void *block) {
    atomic_fetch_sub((atomic_long *)context, 1);
    free(block);
}

/* Comes from the calling thread, at most ten times a second, so not at all in a call as
 * short as this one on a fast machine. Returning non-zero would cancel the call. */
static int32_t show_progress(void *context, double fraction) {
    (void)context;
    fprintf(stderr, "%3.0f %%\n", 100 * fraction);
    return 0;
}

static int give_up(const char *step) {
    fprintf(stderr, "%s: %s\n", step, pvg_error_message());
    return EXIT_FAILURE;
}

/* A ring with chords, as two arrays of end points. */
static void fill_edges(int64_t *from, int64_t *to, int64_t order) {
    for (int64_t v = 0; v < order; v++) {
        from[2 * v] = v;
        to[2 * v] = (v + 1) % order;
        from[2 * v + 1] = v;
        to[2 * v + 1] = (v + 7) % order;
    }
}

int main(void) {
    enum { ORDER = 1000000, EDGES = 2 * ORDER };
    static atomic_long live_blocks;
    static int64_t from[EDGES], to[EDGES];
    pvg_graph *graph = NULL;
    pvg_allocator allocator = {0};
    pvg_run run = {0};

    allocator.size = sizeof allocator;
    allocator.context = &live_blocks;
    allocator.allocate = host_allocate;
    allocator.release = host_release;
    if (pvg_allocator_set(&allocator) != PVG_OK) return give_up("allocator");

    fill_edges(from, to, ORDER);
    run.size = sizeof run;
    run.threads = 2;
    run.progress = show_progress;
    if (pvg_graph_from_edges(&graph, ORDER, from, to, EDGES, PVG_EDGES_STRICT, &run) !=
        PVG_OK)
        return give_up("graph");
    printf("built: %" PRId64 " nodes, %" PRId64 " edges, %ld blocks of host memory\n",
           pvg_graph_order(graph), pvg_graph_size(graph), atomic_load(&live_blocks));
    pvg_graph_free(graph);

    /* A call that would need more scratch memory than it may have fails before it takes
     * any. */
    run.scratch_limit = 1000;
    int32_t status =
        pvg_graph_from_edges(&graph, ORDER, from, to, EDGES, PVG_EDGES_STRICT, &run);
    printf("limited: %s, %s\n", pvg_status_name(status), pvg_error_message());
    printf("%ld blocks left\n", atomic_load(&live_blocks));
    return status == PVG_E_LIMIT && !graph && atomic_load(&live_blocks) == 0
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
