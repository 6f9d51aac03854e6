/* What densities allocate, measured, against the bound from public numbers: random, dense
 * and complete graphs, patterns with cycles up to treewidth 4, one and more threads. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "density/density_internal.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

static pvg_graph *random_graph(int64_t order, int64_t percent, uint64_t *state) {
    int64_t *from = malloc((size_t)(order * order) * sizeof *from);
    int64_t *to = malloc((size_t)(order * order) * sizeof *to), count = 0;
    pvg_graph *graph = NULL;
    for (int64_t u = 0; u < order; u++)
        for (int64_t v = u + 1; v < order; v++)
            if (pvgt_below(state, 100) < percent) from[count] = u, to[count++] = v;
    PVGT_OK(pvg_graph_from_edges(&graph, order, from, to, count, PVG_EDGES_STRICT, NULL));
    free(from);
    free(to);
    return graph;
}

static int64_t largest_degree(const pvg_graph *graph) {
    int64_t most = 0;
    for (int64_t v = 0; v < graph->order; v++)
        if (graph->offsets[v + 1] - graph->offsets[v] > most)
            most = graph->offsets[v + 1] - graph->offsets[v];
    return most;
}

/* Peak of what one evaluation allocates, over the bound for this order and degree. */
static double share_of(const pvg_density *density, const pvg_graph *graph, int64_t degree,
                       uint32_t threads) {
    const pvgi_density_tuning tuning = pvgi_density_default_tuning();
    const pvg_run wanted = {.size = sizeof wanted, .threads = threads};
    const int64_t starts[3] = {0, graph->order, graph->order};
    const pvgi_hosts hosts = {1, starts, graph->offsets, graph->columns};
    double values[16];
    size_t bound = 0;
    pvgi_run run;
    PVGT_OK(pvgi_run_begin(&run, &wanted));
    PVGT_OK(pvgi_density_scratch_bound(&bound, density, starts, 1, degree, threads));
    const size_t before = pvgt_peak_begin();
    PVGT_OK(pvgi_density_evaluate(values, NULL, false, density, &hosts, &tuning, &run));
    const size_t taken = pvgt_peak_bytes(before);
    PVGT_CHECK(taken <= bound, "order %lld, degree %lld, %u threads: %zu above %zu",
               (long long)graph->order, (long long)degree, threads, taken, bound);
    return (double)taken / (double)bound;
}

static void bounds_hold(void) {
    static const char *const lists[] = {
        "triangle",
        "cycle4,cycle5,cycle6",
        "clique4,clique5",
        "edge,path4,star3",
        "triangle,cycle4,clique4,wheel5,cycle7",
        "Kh`HGcG@GC_H\nQhCKAC`CGO_`?_?O_CG?`?AC?CG\nOh`HGcG@GC_H?G?C_@G?H\n"}; /* grids */
    static const int64_t orders[] = {1, 2, 5, 9, 17, 40, 90};
    uint64_t state = 5;
    double closest = 0.0;
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
        pvg_patterns *patterns = NULL;
        pvg_density *density = NULL;
        if (strchr(lists[l], '\n'))
            PVGT_OK(pvg_patterns_from_graph6(&patterns, lists[l], strlen(lists[l])));
        else
            PVGT_OK(pvg_patterns_from_names(&patterns, lists[l]));
        PVGT_OK(pvg_density_new(&density, patterns, NULL));
        for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
            for (int64_t percent = 0; percent <= 100; percent += 20) {
                if (l == 5 && orders[i] > 40) continue; /* tables over four vertices */
                pvg_graph *graph = random_graph(orders[i], percent, &state);
                for (uint32_t threads = 1; threads <= 3; threads += 2) {
                    const double own =
                        share_of(density, graph, largest_degree(graph), threads);
                    share_of(density, graph, INT64_MAX, threads);
                    if (own > closest) closest = own;
                }
                pvg_graph_free(graph);
            }
        pvg_density_free(density);
        pvg_patterns_free(patterns);
    }
    TEST_ASSERT_TRUE(closest > 1e-3); /* the bound is generous, not beyond reason */
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(bounds_hold);
    return pvgt_end(UNITY_END());
}
