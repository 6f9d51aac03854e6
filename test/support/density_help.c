/* See density_help.h. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "density_help.h"

#include <stdlib.h>
#include <string.h>

pvgi_small pvgt_numbered(int32_t n, uint64_t code) {
    pvgi_small graph = {.order = n};
    for (int32_t v = 1; v < n; v++)
        for (int32_t u = 0; u < v; u++, code >>= 1)
            if (code & 1) pvgi_pattern_join(&graph, u, v);
    return graph;
}

pvgi_small pvgt_cycle(int32_t n) {
    pvgi_small graph = {.order = n};
    for (int32_t v = 0; v < n; v++) pvgi_pattern_join(&graph, v, (v + 1) % n);
    return graph;
}

pvgi_small pvgt_clique(int32_t n) {
    pvgi_small graph = {.order = n};
    for (int32_t u = 0; u < n; u++)
        for (int32_t v = 0; v < u; v++) pvgi_pattern_join(&graph, u, v);
    return graph;
}

pvgi_small pvgt_cube(void) {
    pvgi_small cube = {.order = 8};
    for (int32_t u = 0; u < 8; u++)
        for (int32_t v = 0; v < u; v++)
            if (((u ^ v) & ((u ^ v) - 1)) == 0) pvgi_pattern_join(&cube, u, v);
    return cube;
}

pvgi_small pvgt_grid(int32_t rows, int32_t columns) {
    pvgi_small grid = {.order = rows * columns};
    for (int32_t v = 0; v < grid.order; v++) {
        if (v % columns > 0) pvgi_pattern_join(&grid, v - 1, v);
        if (v >= columns) pvgi_pattern_join(&grid, v - columns, v);
    }
    return grid;
}

pvgi_small pvgt_beside(const pvgi_small *g, const pvgi_small *h) {
    pvgi_small out = *g;
    out.order += h->order;
    for (int32_t v = 0; v < h->order; v++)
        out.adjacency[g->order + v] = h->adjacency[v] << g->order;
    return out;
}

pvgi_small pvgt_random_tree(int32_t n, uint64_t *state) {
    pvgi_small tree = {.order = n};
    for (int32_t v = 1; v < n; v++)
        pvgi_pattern_join(&tree, v, (int32_t)pvgt_below(state, v));
    return tree;
}

pvgi_small pvgt_partial_ktree(int32_t n, int32_t k, int64_t keep, uint64_t *seed) {
    pvgi_small full = {.order = n}, out = {.order = n};
    int32_t cliques[64][8] = {{0}}, count = 1;
    for (int32_t i = 0; i < k; i++) cliques[0][i] = i;
    for (int32_t u = 0; u < k; u++)
        for (int32_t v = 0; v < u; v++) pvgi_pattern_join(&full, u, v);
    for (int32_t v = k; v < n; v++) {
        const int32_t base = (int32_t)pvgt_below(seed, count);
        for (int32_t i = 0; i < k; i++) pvgi_pattern_join(&full, v, cliques[base][i]);
        for (int32_t i = 0; i < k && count < 64; i++, count++) {
            memcpy(cliques[count], cliques[base], sizeof cliques[0]);
            cliques[count][i] = v;
        }
    }
    for (int32_t u = 0; u < n; u++)
        for (int32_t v = 0; v < u; v++)
            if ((full.adjacency[u] >> v & 1) && pvgt_below(seed, 16) < keep)
                pvgi_pattern_join(&out, u, v);
    return out;
}

bool pvgt_has_cycle_and_is_connected(const pvgi_small *graph) {
    return pvgi_pattern_is_connected(graph) && !pvgi_pattern_is_forest(graph);
}

pvgi_small pvgt_random_pattern(int32_t n, int32_t k, int64_t keep, uint64_t *seed) {
    for (;;) {
        const pvgi_small graph = pvgt_partial_ktree(n, k, keep, seed);
        if (pvgt_has_cycle_and_is_connected(&graph)) return graph;
    }
}

const char *pvgt_graph6(const pvgi_small *graph) {
    static char out[4][PVGI_GRAPH6_BYTES];
    static int next;
    next = (next + 1) % 4;
    pvgi_pattern_to_graph6(out[next], graph);
    return out[next];
}

pvg_graph *pvgt_random_graph(int64_t order, int64_t edges, uint64_t *state) {
    int64_t *from = calloc((size_t)edges + 1, sizeof *from);
    int64_t *to = calloc((size_t)edges + 1, sizeof *to);
    pvg_graph *graph;
    for (int64_t i = 0; i < edges; i++) {
        /* squares: some nodes get many neighbours */
        const int64_t r = pvgt_below(state, order);
        from[i] = r * r / order;
        to[i] = pvgt_below(state, order);
    }
    PVGT_OK(pvg_graph_from_edges(&graph, order, from, to, edges,
                                 PVG_EDGES_MERGE | PVG_EDGES_DROP_LOOPS, NULL));
    free(from);
    free(to);
    return graph;
}

pvg_graph *pvgt_to_graph(const pvgi_small *small) {
    int64_t from[496], to[496], count = 0;
    for (int32_t v = 0; v < small->order; v++)
        for (int32_t u = 0; u < v; u++)
            if (small->adjacency[v] >> u & 1) {
                from[count] = u;
                to[count++] = v;
            }
    pvg_graph *graph;
    PVGT_OK(pvg_graph_from_edges(&graph, small->order, from, to, count, PVG_EDGES_STRICT,
                                 NULL));
    return graph;
}

pvg_patterns *pvgt_to_patterns(const pvgi_small *list, int64_t count) {
    pvgi_pattern_builder builder = {0};
    pvg_patterns *patterns;
    for (int64_t i = 0; i < count; i++) {
        pvgi_pattern pattern;
        PVGT_OK(pvgi_pattern_examine(&pattern, &list[i], "test"));
        PVGT_OK(pvgi_pattern_list_add(&builder, &pattern));
    }
    PVGT_OK(pvgi_pattern_list_finish(&patterns, &builder));
    return patterns;
}

pvg_graphset *pvgt_to_set(pvg_graph *const *graphs, int64_t count) {
    pvg_graphset_builder *builder;
    pvg_graphset *set;
    PVGT_OK(pvg_graphset_builder_new(&builder, 0));
    for (int64_t i = 0; i < count; i++)
        PVGT_OK(pvg_graphset_builder_add(builder, graphs[i], -1, NULL, NULL));
    PVGT_OK(pvg_graphset_builder_finish(&set, builder));
    pvg_graphset_builder_free(builder);
    return set;
}

pvg_density *pvgt_to_density(const pvgi_small *list, int64_t count) {
    pvg_patterns *patterns = pvgt_to_patterns(list, count);
    pvg_density *density;
    PVGT_OK(pvg_density_new(&density, patterns, NULL));
    pvg_patterns_free(patterns);
    return density;
}

pvg_density *pvgt_density_of_names(const char *names) {
    pvg_patterns *patterns;
    pvg_density *density;
    PVGT_OK(pvg_patterns_from_names(&patterns, names));
    PVGT_OK(pvg_density_new(&density, patterns, NULL));
    pvg_patterns_free(patterns);
    return density;
}

pvg_graph *pvgt_uniform_graph(int64_t order, int64_t in_1000, uint64_t *state) {
    const size_t pairs = (size_t)(order * order) / 2 + 1;
    int64_t *from = calloc(pairs, sizeof *from), *to = calloc(pairs, sizeof *to);
    int64_t edges = 0;
    pvg_graph *graph;
    for (int64_t v = 0; v < order; v++)
        for (int64_t u = 0; u < v; u++)
            if (pvgt_below(state, 1000) < in_1000) from[edges] = u, to[edges++] = v;
    PVGT_OK(pvg_graph_from_edges(&graph, order, from, to, edges, PVG_EDGES_STRICT, NULL));
    free(from);
    free(to);
    return graph;
}
