/* Graphs through files: a public graph is made, written in four formats and read back.
 *
 *     files [FOLDER]      FOLDER: where the files go; default: the current one
 *
 * The number of nodes is public in every guarantee, so it must be declared: an edge list
 * states it in a first line "# order N", the other formats in their headers. */
#include <inttypes.h>
#include <privgraph.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 512 };

static int give_up(const char *step) {
    fprintf(stderr, "%s: %s\n", step, pvg_error_message());
    return EXIT_FAILURE;
}

/* Rows lent by the graphs; nothing is copied. */
static int same(const pvg_graph *a, const pvg_graph *b) {
    const int64_t *a_rows = NULL, *b_rows = NULL;
    const int32_t *a_columns = NULL, *b_columns = NULL;
    const size_t order = (size_t)pvg_graph_order(a), size = (size_t)pvg_graph_size(a);
    if (pvg_graph_order(b) != (int64_t)order || pvg_graph_size(b) != (int64_t)size)
        return 0;
    return pvg_graph_view_csr(&a_rows, &a_columns, a) == PVG_OK &&
           pvg_graph_view_csr(&b_rows, &b_columns, b) == PVG_OK &&
           memcmp(a_rows, b_rows, (order + 1) * sizeof *a_rows) == 0 &&
           memcmp(a_columns, b_columns, 2 * size * sizeof *a_columns) == 0;
}

/* The name tells the format, for writing and for reading. */
static int through_file(const pvg_graph *graph, const char *folder, const char *name) {
    char path[PATH_BYTES];
    pvg_graph *again = NULL;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (pvg_graph_write(path, graph, NULL, NULL) != PVG_OK) return give_up("write");
    if (pvg_graph_read(&again, path, NULL, NULL) != PVG_OK) return give_up("read");
    printf("%-14s %" PRId64 " nodes, %" PRId64 " edges, %s\n", name,
           pvg_graph_order(again), pvg_graph_size(again),
           same(graph, again) ? "the same" : "NOT THE SAME");
    const int result = same(graph, again) ? EXIT_SUCCESS : EXIT_FAILURE;
    pvg_graph_free(again);
    remove(path);
    return result;
}

int main(int count, char **arguments) {
    static const char *const names[] = {"example.txt", "example.mtx", "example.g6",
                                        "example.s6"};
    const char *folder = count > 1 ? arguments[1] : ".";
    pvg_rng *rng = NULL;
    pvg_graph *graph = NULL;
    int result = EXIT_SUCCESS;
    /* Seeded: the graph is public, and the same every time. */
    if (pvg_rng_new_seeded(&rng, 1) != PVG_OK ||
        pvg_graph_draw_preferential(&graph, 500, 3, rng, NULL) != PVG_OK)
        result = give_up("graph");
    for (size_t i = 0; i < sizeof names / sizeof names[0] && result == EXIT_SUCCESS; i++)
        result = through_file(graph, folder, names[i]);
    pvg_graph_free(graph);
    pvg_rng_free(rng);
    return result;
}
