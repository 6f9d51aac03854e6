/* density: cycles by eigenvalues, only where a bound on their error allows it. */
#include "density_help.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

/* --- cycles by eigenvalues -----------------------------------------------------------
 */

static pvg_density *cycles_by(int32_t eigenvalues) {
    pvg_patterns *patterns;
    pvg_density *density;
    pvg_density_config config = {.size = sizeof config, .cycle_eigenvalues = eigenvalues};
    PVGT_OK(pvg_patterns_from_names(
        &patterns, "triangle,cycle4,cycle5,cycle9,cycle16,path3,wheel5"));
    PVGT_OK(pvg_density_new(&density, patterns, &config));
    pvg_patterns_free(patterns);
    return density;
}

/* Densities by eigenvalues are those by walks up to rounding; other patterns and graphs
 * beyond the limit keep their bits. */
static void test_eigenvalues(void) {
    enum { COUNT = 7 };
    pvg_density *walks = cycles_by(0), *eigen = cycles_by(1);
    pvg_graphset_builder *builder;
    pvg_graphset *set;
    double expected[6 * COUNT], found[6 * COUNT], bound;
    static const int32_t orders[6] = {1, 2, 12, 60, 120, 2100};
    pvg_run run = {.size = sizeof run, .threads = 2};
    uint64_t seed = 21;
    PVGT_OK(pvg_graphset_builder_new(&builder, 0));
    for (int32_t i = 0; i < 6; i++) {
        pvg_graph *graph;
        static int64_t from[20000], to[20000];
        int64_t edges = 0;
        for (int64_t v = 1; v < orders[i]; v++)
            for (int64_t k = 0; k < 4; k++, edges++)
                from[edges] = v, to[edges] = pvgt_below(&seed, v);
        PVGT_OK(pvg_graph_from_edges(&graph, orders[i], from, to, edges, PVG_EDGES_MERGE,
                                     NULL));
        PVGT_OK(pvg_graphset_builder_add(builder, graph, 0, NULL, NULL));
        pvg_graph_free(graph);
    }
    PVGT_OK(pvg_graphset_builder_finish(&set, builder));
    PVGT_OK(pvg_density_evaluate_exact(expected, walks, set, &run));
    PVGT_OK(pvg_density_evaluate_exact(found, eigen, set, &run));
    bool differ = false;
    for (int32_t i = 0; i < 6 * COUNT; i++) {
        const bool is_cycle = i % COUNT >= 1 && i % COUNT <= 4;
        const double error = found[i] - expected[i];
        differ = differ || error != 0;
        PVGT_CHECK(error <= 1e-11 && -error <= 1e-11 && found[i] >= 0,
                   "graph %d pattern %d: %.17g, not %.17g", i / COUNT, i % COUNT,
                   found[i], expected[i]);
        if (is_cycle && expected[i] > 0)
            PVGT_CHECK(found[i] > 0.999999 * expected[i] &&
                           found[i] < 1.000001 * expected[i],
                       "graph %d pattern %d: %.17g, not %.17g", i / COUNT, i % COUNT,
                       found[i], expected[i]);
        if (!is_cycle || i / COUNT == 5)
            PVGT_CHECK(error == 0, "graph %d pattern %d", i / COUNT, i % COUNT);
    }
    TEST_ASSERT_TRUE(differ); /* else nothing was tested */
    PVGT_OK(pvg_density_relative_error(&bound, walks, 1, 100, 50));
    PVGT_OK(pvg_density_relative_error(&bound, eigen, 0, 100, 50));
    PVGT_OK(pvg_density_relative_error(&bound, eigen, 6, 100, 50));
    PVGT_FAILS(PVG_E_NUMERIC, "pattern 1 is counted by eigenvalues",
               pvg_density_relative_error(&bound, eigen, 1, 100, 50));
    run.scratch_limit = 20000;
    PVGT_FAILS(PVG_E_LIMIT, "scratch",
               pvg_density_evaluate_exact(found, eigen, set, &run));
    pvg_graphset_builder_free(builder);
    pvg_graphset_free(set);
    pvg_density_free(walks);
    pvg_density_free(eigen);
}

typedef struct {
    const pvg_density *density;
    const pvg_graph *graph;
} eigen_input;

static int32_t eigen_body(void *context) {
    const eigen_input *in = context;
    double out[7];
    return pvg_density_evaluate_graph_exact(out, in->density, in->graph, NULL);
}

static void test_eigenvalues_oom(void) {
    pvg_density *density = cycles_by(1);
    pvg_graph *graph;
    PVGT_OK(pvg_graph_new_clique(&graph, 9));
    eigen_input in = {density, graph};
    pvgt_oom_walk("eigenvalues", eigen_body, &in, 6);
    pvg_graph_free(graph);
    pvg_density_free(density);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(test_eigenvalues);
    RUN_TEST(test_eigenvalues_oom);
    return pvgt_end(UNITY_END());
}
