/* Two graphs that trees cannot tell apart, but cycles can: a ring of six nodes, and two
 * triangles. In both every node has two neighbours, so every tree on m vertices has
 * 6 * 2^(m-1) homomorphisms into either; a graph neural network that passes messages
 * sees no difference (1-WL). Closed walks of length three exist only in a triangle. */
#include <inttypes.h>
#include <privgraph.h>
#include <stdio.h>
#include <stdlib.h>

enum { PATTERNS_MOST = 16 };

/* Counts of the named patterns in both graphs; prints them and returns how many differ.
 */
static int count_differences(const char *names, const pvg_graph *ring,
                             const pvg_graph *triangles) {
    pvg_patterns *patterns = NULL;
    pvg_density *density = NULL;
    uint64_t in_ring[PATTERNS_MOST], in_triangles[PATTERNS_MOST];
    int differences = 0;
    /* Small counts: the high halves are not asked for. */
    if (pvg_patterns_from_names(&patterns, names) != PVG_OK ||
        pvg_density_new(&density, patterns, NULL) != PVG_OK ||
        pvg_density_pattern_count(density) > PATTERNS_MOST ||
        pvg_density_count_graph_exact(in_ring, NULL, density, ring, NULL) != PVG_OK ||
        pvg_density_count_graph_exact(in_triangles, NULL, density, triangles, NULL) !=
            PVG_OK) {
        fprintf(stderr, "%s: %s\n", names, pvg_error_message());
        exit(EXIT_FAILURE);
    }
    for (int64_t i = 0; i < pvg_density_pattern_count(density); i++) {
        char name[64] = "";
        size_t length = 0;
        (void)pvg_patterns_copy_name(name, sizeof name, &length, patterns, i);
        printf("%-10s %8" PRIu64 " %14" PRIu64 "%s\n", name, in_ring[i], in_triangles[i],
               in_ring[i] == in_triangles[i] ? "" : "   <- differs");
        differences += in_ring[i] != in_triangles[i];
    }
    pvg_density_free(density);
    pvg_patterns_free(patterns);
    return differences;
}

int main(void) {
    const int64_t from[] = {0, 1, 2, 3, 4, 5}, to[] = {1, 2, 0, 4, 5, 3};
    pvg_graph *ring = NULL, *triangles = NULL;
    if (pvg_graph_new_cycle(&ring, 6) != PVG_OK ||
        pvg_graph_from_edges(&triangles, 6, from, to, 6, PVG_EDGES_STRICT, NULL) !=
            PVG_OK) {
        fprintf(stderr, "graphs: %s\n", pvg_error_message());
        return EXIT_FAILURE;
    }
    printf("pattern    one ring  two triangles   (exact counts)\n");
    const int by_trees =
        count_differences("edge,path3,path4,star3,path5,star4,path8", ring, triangles);
    const int by_cycles =
        count_differences("cycle3,cycle4,cycle5,cycle6,clique4", ring, triangles);
    printf("trees tell them apart: %s; cycles: %s\n", by_trees ? "yes" : "no",
           by_cycles ? "yes" : "no");
    pvg_graph_free(ring);
    pvg_graph_free(triangles);
    return by_trees == 0 && by_cycles > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
