/* density: cycles by eigenvalues, only where a bound on their error allows it. */
#include "entries.h" /* from inside: handles here may never have left the library */

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

/* --- the bound --------------------------------------------------------------------- */

enum { ACCEPT_INTEGER, ACCEPT_COUNT, REFUSED, KINDS };
enum { LENGTHS = 10 };

/* Counts, bounds and what is made of them against exact integers. */
static void check_bounds(int64_t seen[KINDS], const pvg_graph *graph, const char *what) {
    static const int32_t lengths[LENGTHS] = {4, 5, 6, 7, 8, 9, 12, 15, 16, 17};
    const pvgi_host host = {graph->order, 0, graph->offsets, graph->columns};
    pvg_density *density = pvgt_density_of_names(
        "cycle4,cycle5,cycle6,cycle7,cycle8,cycle9,cycle12,cycle15,cycle16,cycle17");
    double counts[LENGTHS], errors[LENGTHS];
    double *scratch = malloc(pvgi_density_eigen_bytes(graph->order));
    uint64_t low[LENGTHS], high[LENGTHS];
    PVGT_OK(pvgi_density_eigen_cycles(counts, errors, lengths, LENGTHS, &host, scratch));
    PVGT_OK(pvg_density_count_graph_exact(low, high, density, graph, NULL));
    for (int32_t i = 0; i < LENGTHS; i++) {
        const long double exact = (long double)high[i] * 0x1p64L + (long double)low[i];
        const long double off = fabsl((long double)counts[i] - exact);
        const double taken = pvgi_density_eigen_accept(counts[i], errors[i]);
        PVGT_CHECK(off <= (long double)errors[i] + exact * 0x1p-63L,
                   "%s cycle%d: %.17g, off by %Lg, bound %g", what, lengths[i], counts[i],
                   off, errors[i]);
        if (isnan(taken)) {
            seen[REFUSED]++;
        } else if (errors[i] < 0.5) {
            PVGT_CHECK((long double)taken == exact, "%s cycle%d: %.17g", what, lengths[i],
                       taken);
            seen[ACCEPT_INTEGER]++;
        } else {
            PVGT_CHECK(fabsl((long double)taken - exact) <=
                           (long double)PVGI_EIGEN_TOLERANCE * exact,
                       "%s cycle%d: %.17g", what, lengths[i], taken);
            seen[ACCEPT_COUNT]++;
        }
    }
    free(scratch);
    pvg_density_free(density);
}

/* Sides of a and b nodes, pairs across joined with chance in_1000 / 1000. */
static pvg_graph *two_sides(int64_t a, int64_t b, int64_t in_1000, uint64_t *state) {
    int64_t *from = calloc((size_t)(a * b) + 1, sizeof *from);
    int64_t *to = calloc((size_t)(a * b) + 1, sizeof *to), edges = 0;
    pvg_graph *graph;
    for (int64_t u = 0; u < a; u++)
        for (int64_t v = 0; v < b; v++)
            if (pvgt_below(state, 1000) < in_1000) from[edges] = u, to[edges++] = a + v;
    PVGT_OK(pvg_graph_from_edges(&graph, a + b, from, to, edges, PVG_EDGES_STRICT, NULL));
    free(from);
    free(to);
    return graph;
}

static void test_bounds(void) {
    int64_t dense[KINDS] = {0}, sides[KINDS] = {0}, sparse[KINDS] = {0};
    uint64_t state = 71;
    char what[60];
    for (int32_t round = 0; round < 12; round++) {
        const int64_t n = 1 + pvgt_below(&state, 150);
        pvg_graph *graph = pvgt_uniform_graph(n, 200 + 60 * round, &state);
        snprintf(what, sizeof what, "dense, round %d, n %d", round, (int)n);
        check_bounds(dense, graph, what);
        pvg_graph_free(graph);
        graph = two_sides(n / 2, n - n / 2, 1000 - 70 * round, &state);
        snprintf(what, sizeof what, "two sides, round %d, n %d", round, (int)n);
        check_bounds(sides, graph, what);
        pvg_graph_free(graph);
        graph = pvgt_random_graph(n, 2 * n, &state);
        snprintf(what, sizeof what, "sparse, round %d, n %d", round, (int)n);
        check_bounds(sparse, graph, what);
        pvg_graph_free(graph);
    }
    /* the bound allows what it should and refuses what it must: no odd cycle of a graph
     * with two sides has a relative error */
    TEST_ASSERT_TRUE(dense[ACCEPT_INTEGER] > 20 && dense[ACCEPT_COUNT] > 20);
    TEST_ASSERT_TRUE(sides[REFUSED] > 10 && sides[ACCEPT_COUNT] > 10);
    TEST_ASSERT_TRUE(sparse[ACCEPT_INTEGER] > 20);
}

/* Cycles and cliques have eigenvalues in closed form, many of them equal. */
static void test_multiple_eigenvalues(void) {
    int64_t seen[KINDS] = {0};
    pvg_graph *graph;
    PVGT_OK(pvg_graph_new_clique(&graph, 120));
    check_bounds(seen, graph, "clique");
    pvg_graph_free(graph);
    PVGT_OK(pvg_graph_new_cycle(&graph, 128));
    check_bounds(seen, graph, "ring");
    pvg_graph_free(graph);
    PVGT_OK(pvg_graph_new_path(&graph, 1));
    check_bounds(seen, graph, "one node");
    pvg_graph_free(graph);
}

static void test_accept(void) {
    const double infinite = (double)INFINITY;
    TEST_ASSERT_EQUAL_DOUBLE(100, pvgi_density_eigen_accept(100.3, 0.4));
    TEST_ASSERT_EQUAL_DOUBLE(0, pvgi_density_eigen_accept(-0.2, 0.3));
    TEST_ASSERT_FALSE(signbit(pvgi_density_eigen_accept(-0.2, 0.3)));
    TEST_ASSERT_EQUAL_DOUBLE(1e18, pvgi_density_eigen_accept(1e18, 1e8));
    TEST_ASSERT_TRUE(isnan(pvgi_density_eigen_accept(1e18, 1e10)));
    TEST_ASSERT_TRUE(isnan(pvgi_density_eigen_accept(100.3, 0.6)));
    TEST_ASSERT_TRUE(isnan(pvgi_density_eigen_accept(-1e9, 1e9)));
    TEST_ASSERT_TRUE(isnan(pvgi_density_eigen_accept(5, infinite)));
    TEST_ASSERT_TRUE(isnan(pvgi_density_eigen_accept((double)NAN, (double)NAN)));
}

/* --- densities --------------------------------------------------------------------- */

/* The density by eigenvalues and that by walks are each within their public bound; other
 * patterns and graphs beyond the limit keep their bits. */
static void test_densities(void) {
    enum { COUNT = 7, GRAPHS = 7 };
    pvg_density *walks = cycles_by(0), *eigen = cycles_by(1);
    pvg_graphset_builder *builder;
    pvg_graphset *set;
    double expected[GRAPHS * COUNT], found[GRAPHS * COUNT], bound[2];
    static const int32_t orders[GRAPHS] = {1, 2, 12, 60, 120, 90, 2100};
    int64_t degree[GRAPHS];
    pvg_run run = {.size = sizeof run, .threads = 2};
    uint64_t seed = 21;
    PVGT_OK(pvg_graphset_builder_new(&builder, 0));
    for (int32_t i = 0; i < GRAPHS; i++) {
        pvg_graph *graph = i == 5 ? pvgt_uniform_graph(orders[i], 500, &seed)
                                  : pvgt_random_graph(orders[i], 4 * orders[i], &seed);
        degree[i] = pvg_graph_max_degree_exact(graph);
        PVGT_OK(pvg_graphset_builder_add(builder, graph, 0, NULL, NULL));
        pvg_graph_free(graph);
    }
    PVGT_OK(pvg_graphset_builder_finish(&set, builder));
    PVGT_OK(pvg_density_evaluate_exact(expected, walks, set, &run));
    PVGT_OK(pvg_density_evaluate_exact(found, eigen, set, &run));
    bool differ = false;
    for (int32_t i = 0; i < GRAPHS * COUNT; i++) {
        const int32_t g = i / COUNT, p = i % COUNT;
        const bool is_cycle = p >= 1 && p <= 4;
        const double error = fabs(found[i] - expected[i]);
        PVGT_OK(pvg_density_relative_error(&bound[0], walks, p, orders[g], degree[g]));
        PVGT_OK(pvg_density_relative_error(&bound[1], eigen, p, orders[g], degree[g]));
        differ = differ || error != 0;
        PVGT_CHECK(error <= 1.001 * (bound[0] + bound[1]) * expected[i],
                   "graph %d pattern %d: %.17g, not %.17g", g, p, found[i], expected[i]);
        if (!is_cycle || orders[g] > 2048) {
            PVGT_CHECK(error == 0 && bound[0] == bound[1], "graph %d pattern %d", g, p);
        } else {
            PVGT_CHECK(bound[1] > bound[0] && bound[1] < 0x1p-29, "graph %d pattern %d",
                       g, p);
        }
    }
    TEST_ASSERT_TRUE(differ); /* else nothing was tested */
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
    RUN_TEST(test_bounds);
    RUN_TEST(test_multiple_eigenvalues);
    RUN_TEST(test_accept);
    RUN_TEST(test_densities);
    RUN_TEST(test_eigenvalues_oom);
    return pvgt_end(UNITY_END());
}
