/* Edges kept by the greedy cap: against a plain walk over sorted pairs, and on all graphs
 * of up to five nodes, all replacements of a node and all caps: no two that differ in one
 * node are farther apart than the cap, and some are as far. The noise has the scale that
 * the cap asks for, and no other. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

enum { MOST = 5 };

static int64_t exact_of(const pvg_query *query, const pvg_graph *graph) {
    const pvg_input in = {.size = sizeof in, .graph = graph};
    double value = -1.0;
    PVGT_OK(pvg_query_values_exact(&value, query, &in, NULL));
    return (int64_t)value;
}

static pvg_query *query_of(int64_t cap, int64_t key, double epsilon) {
    const pvg_target target = {.size = sizeof target, .allow_seeded = 1};
    pvg_query *query = NULL;
    char text[128];
    snprintf(text, sizeof text, "capped-edges cap=%lld key=%lld epsilon=%.17g",
             (long long)cap, (long long)key, epsilon);
    PVGT_OK(pvg_query_new(&query, text, NULL, &target, NULL));
    return query;
}

/* Pairs of n nodes by number; the graph with those in `mask`. */
static pvg_graph *graph_of(int n, uint32_t mask) {
    int64_t from[MOST * MOST], to[MOST * MOST], count = 0;
    pvg_graph *graph = NULL;
    int bit = 0;
    for (int u = 0; u < n; u++)
        for (int v = u + 1; v < n; v++, bit++)
            if (mask >> bit & 1) from[count] = u, to[count++] = v;
    PVGT_OK(pvg_graph_from_edges(&graph, n, from, to, count, PVG_EDGES_STRICT, NULL));
    return graph;
}

/* Bits of the pairs of one node. */
static uint32_t pairs_of(int n, int node) {
    uint32_t mask = 0;
    int bit = 0;
    for (int u = 0; u < n; u++)
        for (int v = u + 1; v < n; v++, bit++)
            if (u == node || v == node) mask |= 1u << bit;
    return mask;
}

static int64_t kept[1 << (MOST * (MOST - 1) / 2)];

/* The largest change over all graphs and replacements of a node. */
static int64_t worst(int n) {
    const uint32_t graphs = 1u << (n * (n - 1) / 2);
    int64_t most = 0;
    for (int node = 0; node < n; node++) {
        const uint32_t own = pairs_of(n, node);
        for (uint32_t rest = 0; rest < graphs; rest++) {
            if (rest & own) continue;
            int64_t low = kept[rest], high = kept[rest];
            for (uint32_t part = own; part > 0; part = (part - 1) & own) {
                low = kept[rest | part] < low ? kept[rest | part] : low;
                high = kept[rest | part] > high ? kept[rest | part] : high;
            }
            if (high - low > most) most = high - low;
        }
    }
    return most;
}

static void a_node_moves_it_by_the_cap(void) {
    for (int n = 2; n <= MOST; n++)
        for (int64_t key = 0; key < (n < MOST ? 6 : 2); key++)
            for (int64_t cap = 1; cap < n; cap++) {
                pvg_query *query = query_of(cap, key, 1);
                const uint32_t graphs = 1u << (n * (n - 1) / 2);
                for (uint32_t mask = 0; mask < graphs; mask++) {
                    pvg_graph *graph = graph_of(n, mask);
                    kept[mask] = exact_of(query, graph);
                    pvg_graph_free(graph);
                }
                const int64_t most = worst(n);
                PVGT_CHECK(most == cap, "n=%d key=%d cap=%d: %d", n, (int)key, (int)cap,
                           (int)most);
                pvg_query_free(query);
            }
}

/* --- a plain walk ------------------------------------------------------------------ */

typedef struct {
    uint64_t rank;
    int64_t u, v;
} edge;

/* Written from the description: the finaliser of splitmix64. */
static uint64_t scramble(uint64_t x) {
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static int by_rank(const void *a, const void *b) {
    const edge *x = a, *y = b;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static void as_a_plain_walk(void) {
    enum { NODES = 60, EDGES = NODES * (NODES - 1) / 2 };
    static edge edges[EDGES];
    uint64_t state = 11;
    for (int round = 0; round < 200; round++) {
        const int64_t cap = 1 + round % 9, key = round / 9;
        const uint64_t dense = 1 + (uint64_t)round % 8;
        int64_t from[EDGES], to[EDGES], count = 0, degree[NODES] = {0}, expected = 0;
        for (int64_t u = 0; u < NODES; u++)
            for (int64_t v = u + 1; v < NODES; v++) {
                state = scramble(state + UINT64_C(0x9e3779b97f4a7c15));
                if (state % 16 >= dense) continue;
                edges[count] = (edge){
                    scramble(((uint64_t)u << 32 | (uint64_t)v) ^ scramble((uint64_t)key)),
                    u, v};
                from[count] = v, to[count++] = u;
            }
        qsort(edges, (size_t)count, sizeof *edges, by_rank);
        for (int64_t i = 0; i < count; i++)
            if (degree[edges[i].u] < cap && degree[edges[i].v] < cap) {
                degree[edges[i].u]++;
                degree[edges[i].v]++;
                expected++;
            }
        pvg_graph *graph = NULL;
        pvg_query *query = query_of(cap, key, 1);
        PVGT_OK(
            pvg_graph_from_edges(&graph, NODES, from, to, count, PVG_EDGES_STRICT, NULL));
        const int64_t got = exact_of(query, graph);
        PVGT_CHECK(got == expected, "round %d: %d, not %d", round, (int)got,
                   (int)expected);
        pvg_query_free(query);
        pvg_graph_free(graph);
    }
}

/* --- noise ------------------------------------------------------------------------- */

/* Counts of |noise| 0, 1, ... against the discrete Laplace law of that rate: the square
 * root of how far the sum of squares is from what it should be. */
static double distance(const int64_t *counts, int64_t cells, int64_t draws, double rate) {
    double sum = 0.0;
    const double q = exp(-rate), zero = (1.0 - q) / (1.0 + q);
    for (int64_t k = 0; k < cells; k++) {
        const bool last = k + 1 == cells;
        const double p = last     ? 2.0 * zero * pow(q, (double)k) / (1.0 - q)
                         : k == 0 ? zero
                                  : 2.0 * zero * pow(q, (double)k);
        const double mean = p * (double)draws;
        sum += ((double)counts[k] - mean) * ((double)counts[k] - mean) / mean;
    }
    return sum;
}

static void noise_has_the_scale_of_the_cap(void) {
    enum { DRAWS = 20000, CELLS = 12 };
    pvg_graph *graph = graph_of(5, 0x2f5);
    const int64_t cap = 3;
    const double epsilon = 1.5;
    pvg_query *query = query_of(cap, 0, epsilon);
    const int64_t exact = exact_of(query, graph);
    const pvg_input in = {.size = sizeof in, .graph = graph};
    int64_t counts[CELLS] = {0};
    pvg_rng *rng = NULL;
    PVGT_OK(pvg_rng_new_seeded(&rng, 4));
    for (int i = 0; i < DRAWS; i++) {
        pvg_release *release = NULL;
        const double *values;
        PVGT_OK(pvg_release_draw(&release, query, &in, rng, NULL, NULL));
        PVGT_OK(pvg_release_view(&values, release));
        const int64_t off = llabs((long long)values[0] - (long long)exact);
        counts[off < CELLS ? off : CELLS - 1]++;
        pvg_release_free(release);
    }
    const double rate = epsilon / (double)cap;
    /* chi^2 with 11 degrees of freedom: above 40 once in 30,000 */
    PVGT_CHECK(distance(counts, CELLS, DRAWS, rate) < 40.0, "%g",
               distance(counts, CELLS, DRAWS, rate));
    TEST_ASSERT_TRUE(distance(counts, CELLS, DRAWS, rate * 1.06) > 40.0);
    TEST_ASSERT_TRUE(distance(counts, CELLS, DRAWS, rate * 0.94) > 40.0);
    TEST_ASSERT_TRUE(distance(counts, CELLS, DRAWS, epsilon / (double)(cap - 1)) > 400.0);
    pvg_rng_free(rng);
    pvg_query_free(query);
    pvg_graph_free(graph);
}

/* --- what it promises -------------------------------------------------------------- */

static void a_node_is_hidden(void) {
    pvg_query *query = query_of(4, 0, 1);
    pvg_guarantee *guarantee = NULL;
    pvg_tradeoff *preview = NULL;
    pvg_ledger *edges = NULL, *nodes = NULL;
    pvg_release *release = NULL;
    pvg_graph *graph = graph_of(5, 0x3ff);
    const pvg_input in = {.size = sizeof in, .graph = graph, .object = "net"};
    const pvg_ledger_config by_edge = {
        .size = sizeof by_edge, .notion = PVG_NOTION_EDGE, .epsilon = 5};
    const pvg_ledger_config by_node = {
        .size = sizeof by_node, .notion = PVG_NOTION_NODE, .epsilon = 5};
    const pvg_preview_config big = {.size = sizeof big, .order = 1000};
    double epsilon;
    PVGT_OK(pvg_query_guarantee(&guarantee, query, NULL, 0));
    TEST_ASSERT_EQUAL_INT32(PVG_NOTION_NODE, pvg_guarantee_notion(guarantee));
    PVGT_OK(pvg_guarantee_epsilon(&epsilon, guarantee, 0.0));
    TEST_ASSERT_TRUE(epsilon <= 1.0 && epsilon > 0.999999);
    pvg_guarantee_free(guarantee);
    PVGT_OK(pvg_query_preview(&preview, query, &big, NULL));
    pvg_tradeoff_line line = {.size = sizeof line};
    PVGT_OK(pvg_tradeoff_copy_line(&line, preview, 0));
    TEST_ASSERT_TRUE(line.range == 2000.0 && line.sensitivity == 4.0);
    TEST_ASSERT_EQUAL_INT32(PVG_VERDICT_INFORMATIVE, line.verdict);
    pvg_tradeoff_free(preview);
    PVGT_OK(pvg_ledger_new(&edges, &by_edge));
    PVGT_OK(pvg_ledger_new(&nodes, &by_node));
    PVGT_OK(pvg_release_draw(&release, query, &in, NULL, nodes, NULL));
    pvg_release_free(release);
    release = NULL;
    /* an edge is one of the edges of a node: a ledger of edges pays once */
    PVGT_OK(pvg_release_draw(&release, query, &in, NULL, edges, NULL));
    pvg_release_free(release);
    PVGT_OK(pvg_ledger_spent(&epsilon, edges, pvg_ledger_object("net"), 0.0));
    TEST_ASSERT_TRUE(epsilon <= 1.0 && epsilon > 0.999999);
    release = NULL;
    pvg_query *none = NULL;
    PVGT_FAILS(PVG_E_ARGUMENT, "cap must be given",
               pvg_query_new(&none, "capped-edges epsilon=1", NULL, NULL, NULL));
    PVGT_FAILS(
        PVG_E_ARGUMENT, "cannot be joined",
        pvg_query_new(&none, "capped-edges cap=2 + stars epsilon=1", NULL, NULL, NULL));
    pvg_ledger_free(edges);
    pvg_ledger_free(nodes);
    pvg_query_free(query);
    pvg_graph_free(graph);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(a_node_moves_it_by_the_cap);
    RUN_TEST(as_a_plain_walk);
    RUN_TEST(noise_has_the_scale_of_the_cap);
    RUN_TEST(a_node_is_hidden);
    return pvgt_end(UNITY_END());
}
