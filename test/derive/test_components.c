/* derive: synthetic graphs have the released number of components, more and fewer than
 * stubs paired at random leave, as far as it stands clear of its noise. */
#include "derive/derive_internal.h"
#include "handles.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>

void setUp(void) {}
void tearDown(void) {}

enum { ORDER = 3000 };

static int64_t components_of(const pvg_graph *graph) {
    int64_t count = graph->order;
    int32_t parent[ORDER];
    for (int32_t v = 0; v < graph->order; v++) parent[v] = v;
    for (int32_t v = 0; v < graph->order; v++)
        for (int64_t k = graph->offsets[v]; k < graph->offsets[v + 1]; k++) {
            int32_t a = v, b = graph->columns[k];
            while (parent[a] != a) a = parent[a];
            while (parent[b] != b) b = parent[b];
            if (a != b) {
                parent[a > b ? a : b] = a > b ? b : a;
                count--;
            }
        }
    return count;
}

/* A random tree on the first nodes, some cycles in it, and pairs of the others. */
static pvg_graph *tree_and_pairs(int64_t tree, int64_t cycles) {
    int64_t from[2 * ORDER], to[2 * ORDER], count = 0;
    uint64_t seed = 11;
    pvg_graph *graph;
    for (int64_t v = 1; v < tree; v++) {
        const int64_t a = pvgt_below(&seed, v), b = pvgt_below(&seed, v);
        from[count] = v; /* few nodes have most leaves */
        to[count++] = a < b ? a : b;
    }
    for (int64_t i = 0; i < cycles; i++) {
        from[count] = pvgt_below(&seed, tree / 2);
        to[count] = tree / 2 + pvgt_below(&seed, tree / 2);
        count++;
    }
    for (int64_t v = tree; v + 1 < ORDER; v += 2) {
        from[count] = v;
        to[count++] = v + 1;
    }
    PVGT_OK(pvg_graph_from_edges(&graph, ORDER, from, to, count, PVG_EDGES_MERGE, NULL));
    return graph;
}

/* Of a graph made from what is known of this one, with `told` more components. */
static int64_t made(const pvg_graph *graph, double epsilon, double told, uint64_t seed) {
    const pvg_target target = {
        .size = sizeof target, .epsilon = epsilon, .allow_seeded = 1};
    const pvg_synthesis_config config = {.size = sizeof config, .order = ORDER};
    pvg_statistic *statistic;
    pvg_rng *rng;
    pvg_graph *out;
    int64_t at, found, sums[2] = {0, 0};
    PVGT_OK(pvg_rng_new_seeded(&rng, seed));
    PVGT_OK(pvgt_statistic_new_synthesis(&statistic, &config, &target, NULL));
    double *values = malloc((size_t)pvgt_statistic_columns(statistic) * sizeof *values);
    PVGT_OK(pvgt_statistic_values_exact(values, statistic, graph, NULL));
    pvgi_statistic_joined_part(statistic, 4, &at);
    TEST_ASSERT_EQUAL_INT64(components_of(graph), (int64_t)values[at]);
    values[at] += told;
    PVGT_OK(pvgt_synthesis_draw(&out, statistic, values, NULL, rng, NULL));
    found = components_of(out);
    TEST_ASSERT_EQUAL_INT64(graph->size, out->size);
    for (int64_t v = 0; v < ORDER; v++) { /* degrees stay */
        const int64_t d = out->offsets[v + 1] - out->offsets[v];
        const int64_t e = graph->offsets[v + 1] - graph->offsets[v];
        sums[0] += d * d * d;
        sums[1] += e * e * e;
    }
    TEST_ASSERT_EQUAL_INT64(sums[1], sums[0]);
    pvg_graph_free(out);
    free(values);
    pvgt_statistic_free(statistic);
    pvg_rng_free(rng);
    return found;
}

/* Connected, with cycles to spare: one component, where stubs by themselves leave
 * dozens. Triangles are settled afterwards and may cut something off. */
static void what_is_connected_stays_so(void) {
    pvg_graph *graph = tree_and_pairs(ORDER, 1500);
    for (uint64_t seed = 1; seed <= 3; seed++) {
        const int64_t found = made(graph, 500.0, 0.0, seed);
        PVGT_CHECK(found <= 3, "%lld components", (long long)found);
    }
    pvg_graph_free(graph);
}

/* More of them than there would be: as many as are released. */
static void crumbs_are_as_many_as_released(void) {
    pvg_graph *graph = tree_and_pairs(2000, 1500);
    for (int told = 0; told <= 80; told += 40) {
        const int64_t found = made(graph, 500.0, told, 1);
        PVGT_CHECK(llabs(found - 501 - told) <= 4, "%lld for %d", (long long)found,
                   501 + told);
    }
    pvg_graph_free(graph);
}

/* Far below its noise a number is next to none: not many crumbs are made up. */
static void noise_is_no_crumbs(void) {
    pvg_graph *graph = tree_and_pairs(ORDER, 1500);
    const int64_t found = made(graph, 0.1, 300.0, 1); /* the deviation is 707 */
    PVGT_CHECK(found < 150, "%lld components", (long long)found);
    pvg_graph_free(graph);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(what_is_connected_stays_so);
    RUN_TEST(crumbs_are_as_many_as_released);
    RUN_TEST(noise_is_no_crumbs);
    return pvgt_end(UNITY_END());
}
