/* A program outside the tree that knows the library through pkg-config only. Prints
 * "consumer ok" if the library it runs with is the one whose headers it saw. */
#include <privgraph.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    const int64_t from[] = {0, 1, 2}, to[] = {1, 2, 0};
    char version[64];
    int64_t limit = 0;
    pvg_graph *graph = NULL;
    pvg_run run = {0};
    run.size = sizeof run;
    run.threads = 2;
    snprintf(version, sizeof version, "%d.%d.%d", PRIVGRAPH_VERSION_MAJOR,
             PRIVGRAPH_VERSION_MINOR, PRIVGRAPH_VERSION_PATCH);
    if (strcmp(version, pvg_version_string()) != 0) return 1;
    if (strcmp(version, EXPECTED_VERSION) != 0) return 2;
    if (pvg_constant_value(&limit, "PVG_THREADS_MAX") != PVG_OK) return 3;
    if (limit != PVG_THREADS_MAX) return 4;
    if (pvg_constant_value(&limit, "PVG_NONE") != PVG_E_ARGUMENT) return 5;
    if (strstr(pvg_error_message(), "PVG_NONE") == NULL) return 6;
    if (pvg_graph_from_edges(&graph, 4, from, to, 3, PVG_EDGES_STRICT, &run) != PVG_OK)
        return 7;
    if (pvg_graph_order(graph) != 4 || pvg_graph_size(graph) != 3) return 8;
    pvg_graph_free(graph);
    puts("consumer ok");
    return 0;
}
