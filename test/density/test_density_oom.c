/* density: every entry point survives the failure of its 1st, 2nd, 3rd ... allocation. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

/* Inputs are made once, outside the walks. */
static pvg_patterns *patterns;
static pvg_density *density;
static pvg_graph *small, *large, *dense;
static pvg_graphset *set;
enum { COUNT = 6, LARGE = 33000, DENSE = 50 };

static int32_t compile(void *context) {
    pvg_density *made = (pvg_density *)context;
    const int32_t status = pvg_density_new(&made, patterns, NULL);
    TEST_ASSERT_TRUE((status == PVG_OK) == (made != NULL));
    pvg_density_free(made);
    return status;
}

static bool untouched(const void *bytes, size_t count) {
    const unsigned char *p = bytes;
    while (count > 0 && *p == 0x5A) p++, count--;
    return count == 0;
}

/* The call under test writes to these. */
static double values[DENSE * COUNT]; /* at most DENSE rows */
static uint64_t low[4 * COUNT], high[4 * COUNT];

static int32_t judged(int32_t status) {
    TEST_ASSERT_TRUE(status == PVG_OK ||
                     (untouched(values, sizeof values) && untouched(low, sizeof low) &&
                      untouched(high, sizeof high)));
    memset(values, 0x5A, sizeof values);
    memset(low, 0x5A, sizeof low);
    memset(high, 0x5A, sizeof high);
    return status;
}

static int32_t evaluate(void *context) {
    (void)context;
    return judged(pvg_density_evaluate_exact(values, density, set, NULL));
}

static int32_t evaluate_threads(void *context) {
    const pvg_run run = {.size = sizeof run, .threads = 2};
    (void)context;
    return judged(pvg_density_evaluate_exact(values, density, set, &run));
}

static int32_t evaluate_graph(void *context) {
    return judged(pvg_density_evaluate_graph_exact(values, density, context, NULL));
}

static int32_t count(void *context) {
    (void)context;
    return judged(pvg_density_count_exact(low, high, density, set, NULL));
}

static int32_t count_graph(void *context) {
    return judged(pvg_density_count_graph_exact(low, high, density, context, NULL));
}

static int32_t rooted(void *context) {
    return judged(pvg_density_rooted_exact(values, density, NULL, context, NULL));
}

static int32_t edges(void *context) {
    const int64_t from[] = {0, 1}, to[] = {1, 2};
    return judged(pvg_density_edge_exact(low, high, density, context, from, to, 2, NULL));
}

static int32_t cost(void *context) {
    double operations, seconds;
    (void)context;
    return judged(pvg_density_cost(&operations, &seconds, density, 40, 5));
}

static void test_walks(void) {
    judged(PVG_OK);
    pvgt_oom_walk("new", compile, patterns, 10);
    pvgt_oom_walk("cost", cost, NULL, 2);
    pvgt_oom_walk("evaluate", evaluate, NULL, 10);
    pvgt_oom_walk("evaluate, 2 threads", evaluate_threads, NULL, 20);
    pvgt_oom_walk("evaluate_graph", evaluate_graph, small, 10);
    pvgt_oom_walk("evaluate_graph, large", evaluate_graph, large, 15);
    pvgt_oom_walk("count", count, NULL, 15);
    pvgt_oom_walk("count_graph", count_graph, small, 15);
    pvgt_oom_walk("rooted", rooted, small, 20);
    pvgt_oom_walk("evaluate_graph, dense", evaluate_graph, dense, 15);
    pvgt_oom_walk("count_graph, dense", count_graph, dense, 15);
    pvgt_oom_walk("rooted, dense", rooted, dense, 20);
    pvgt_oom_walk("edge", edges, small, 10);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    /* a triangle beside an edge, then connected ones; star20 does not fit in a double */
    PVGT_OK(pvg_patterns_from_graph6(&patterns, "DwC\n", 4));
    pvg_patterns *more, *all;
    PVGT_OK(pvg_patterns_from_names(&more, "path5,cycle4,clique4,star20,wheel4"));
    PVGT_OK(pvg_patterns_concat(&all, patterns, more));
    pvg_patterns_free(patterns);
    pvg_patterns_free(more);
    patterns = all;
    PVGT_OK(pvg_density_new(&density, patterns, NULL));
    PVGT_OK(pvg_graph_new_clique(&small, 8));
    PVGT_OK(pvg_graph_new_path(&large, LARGE));
    PVGT_OK(pvg_graph_new_clique(&dense, DENSE)); /* matrix products */
    pvg_graphset_builder *builder;
    PVGT_OK(pvg_graphset_builder_new(&builder, 0));
    for (int i = 0; i < 4; i++)
        PVGT_OK(pvg_graphset_builder_add(builder, small, -1, NULL, NULL));
    PVGT_OK(pvg_graphset_builder_finish(&set, builder));
    pvg_graphset_builder_free(builder);
    RUN_TEST(test_walks);
    pvg_patterns_free(patterns);
    pvg_density_free(density);
    pvg_graph_free(small);
    pvg_graph_free(large);
    pvg_graph_free(dense);
    pvg_graphset_free(set);
    return pvgt_end(UNITY_END());
}
