/* density: counts of patterns with cycles on hosts where they are known: complete and
 * bipartite ones, traces of powers, copies side by side; and on larger ones, where other
 * code counts, with any number of threads and within every limit. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "elim_help.h"

#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

enum { M = PVGI_PATTERN_ORDER };

/* Complete hosts: proper colourings, known for cycles, cliques and wheels. */
static void test_complete_hosts(void) {
    static pvgt_host host;
    pvgi_small patterns[3 + 8 + 4];
    int32_t count = 0;
    for (int32_t k = 3; k <= 10; k++) patterns[count++] = pvgt_cycle(k);
    for (int32_t k = 4; k <= 7; k++) patterns[count++] = pvgt_clique(k);
    for (int32_t k = 4; k <= 6; k++) { /* wheel: a cycle and a vertex joined to all */
        patterns[count] = pvgt_cycle(k);
        patterns[count].order = k + 1;
        for (int32_t v = 0; v < k; v++) pvgi_pattern_join(&patterns[count], v, k);
        count++;
    }
    pvgt_engine used;
    pvgt_engine_open(&used, patterns, count);
    for (int32_t n = 1; n <= 24; n++) {
        pvgt_host_clear(&host, n);
        for (int32_t u = 0; u < n; u++)
            for (int32_t v = 0; v < u; v++) pvgt_host_join(&host, u, v);
        pvgt_host_finish(&host, 3);
        pvgt_engine_run(&used, &host);
        int32_t at = 0;
        for (int32_t k = 3; k <= 10; k++, at++) { /* (n-1)^k + (-1)^k (n-1) */
            int64_t power = 1;
            for (int32_t i = 0; i < k; i++) power *= n - 1;
            power += k % 2 ? 1 - n : n - 1;
            PVGT_CHECK(used.exact[at] == (pvgi_u128)power, "cycle %d in clique %d", k, n);
        }
        for (int32_t k = 4; k <= 7; k++, at++) {
            int64_t falling = 1;
            for (int32_t i = 0; i < k; i++) falling *= n > i ? n - i : 0;
            PVGT_CHECK(used.exact[at] == (pvgi_u128)falling, "clique %d in clique %d", k,
                       n);
        }
        for (int32_t k = 4; k <= 6; k++, at++) { /* n times the cycle in n - 1 colours */
            int64_t power = 1;
            for (int32_t i = 0; i < k; i++) power *= n - 2;
            power = (power + (k % 2 ? 2 - n : n - 2)) * n;
            PVGT_CHECK(used.exact[at] == (pvgi_u128)power, "wheel %d in clique %d", k, n);
        }
    }
    pvgt_engine_close(&used);
}

/* Complete bipartite hosts: odd cycles never, even ones 2 (ab)^(k/2). */
static void test_bipartite_hosts(void) {
    static pvgt_host host;
    pvgi_small patterns[8];
    for (int32_t k = 3; k <= 10; k++) patterns[k - 3] = pvgt_cycle(k);
    pvgt_engine used;
    pvgt_engine_open(&used, patterns, 8);
    for (int32_t a = 1; a <= 8; a++)
        for (int32_t b = 1; b <= 8; b++) {
            pvgt_host_clear(&host, a + b);
            for (int32_t u = 0; u < a; u++)
                for (int32_t v = 0; v < b; v++) pvgt_host_join(&host, u, a + v);
            pvgt_host_finish(&host, 0);
            pvgt_engine_run(&used, &host);
            for (int32_t k = 3; k <= 10; k++) {
                pvgi_u128 expected = 2;
                for (int32_t i = 0; i < k / 2; i++) expected *= (pvgi_u128)(a * b);
                if (k % 2) expected = 0;
                PVGT_CHECK(used.exact[k - 3] == expected, "cycle %d in %d x %d", k, a, b);
            }
        }
    pvgt_engine_close(&used);
}

/* Cycles are traces of powers, on sparse and dense hosts. */
static void test_traces(void) {
    static pvgt_host host;
    static pvgi_u128 power[PVGT_HOST_MOST][PVGT_HOST_MOST],
        next[PVGT_HOST_MOST][PVGT_HOST_MOST];
    pvgi_small patterns[12];
    uint64_t seed = 15;
    for (int32_t k = 3; k <= 14; k++) patterns[k - 3] = pvgt_cycle(k);
    pvgt_engine used;
    pvgt_engine_open(&used, patterns, 12);
    for (int32_t turn = 0; turn < pvgt_turns(12); turn++) {
        const int32_t n = 1 + (int32_t)pvgt_below(&seed, PVGT_HOST_MOST);
        if (turn % 2)
            pvgt_host_molecule(&host, n, &seed);
        else
            pvgt_host_random(&host, n, 50 * (turn + 1), &seed);
        for (int32_t u = 0; u < n; u++)
            for (int32_t v = 0; v < n; v++) power[u][v] = host.joined[u][v];
        pvgt_engine_run(&used, &host);
        for (int32_t k = 2; k <= 15; k++) {
            pvgi_u128 trace = 0;
            for (int32_t u = 0; u < n; u++) trace += power[u][u];
            if (k > 3)
                PVGT_CHECK(used.exact[k - 4] == trace, "cycle %d: %.17g, not %.17g, %s",
                           k - 1, (double)used.exact[k - 4], (double)trace,
                           pvgt_host_shown(&host));
            memset(next, 0, sizeof next);
            for (int32_t u = 0; u < n; u++)
                for (int32_t w = 0; w < n; w++)
                    for (int32_t v = 0; v < n && power[u][w]; v++)
                        if (host.joined[w][v]) next[u][v] += power[u][w];
            memcpy(power, next, sizeof power);
        }
    }
    pvgt_engine_close(&used);
}

/* Many copies of a host side by side: counts times the number of copies. Large enough for
 * the code that goes source by source. */
static void test_many_copies(void) {
    enum { COPIES = 90 };
    static pvgt_host host;
    static int64_t offsets[COPIES * PVGT_HOST_MOST + 1];
    static int32_t columns[COPIES * PVGT_HOST_MOST * PVGT_HOST_MOST];
    enum { COUNT = 14 };
    pvgi_small patterns[COUNT];
    uint64_t seed = 18;
    for (int32_t k = 3; k <= 10; k++) patterns[k - 3] = pvgt_cycle(k);
    for (int32_t k = 4; k <= 5; k++) patterns[k + 4] = pvgt_clique(k);
    for (int32_t k = 0; k < 2; k++)
        patterns[10 + k] = pvgt_random_pattern(9, 2 + k, 9, &seed);
    patterns[12] = (pvgi_small){.order = 6}; /* three and three, all joined */
    for (int32_t u = 0; u < 6; u++)
        for (int32_t v = 0; v < u; v++)
            if (u % 2 != v % 2) pvgi_pattern_join(&patterns[12], u, v);
    patterns[13] = pvgt_cube();
    pvgt_engine used;
    pvgt_engine_open(&used, patterns, COUNT);
    for (int32_t turn = 0; turn < (pvgt_turns(4) < 4 ? 2 : 4); turn++) {
        pvgi_u128 expected[COUNT];
        int64_t count = 0;
        if (turn % 2)
            pvgt_host_molecule(&host, PVGT_HOST_MOST, &seed);
        else
            pvgt_host_random(&host, PVGT_HOST_MOST, 40 + 30 * turn, &seed);
        pvgt_engine_run(&used, &host);
        memcpy(expected, used.exact, sizeof expected);
        for (int32_t c = 0; c < COPIES; c++)
            for (int32_t u = 0; u < PVGT_HOST_MOST; u++) {
                offsets[c * PVGT_HOST_MOST + u] = count;
                for (int32_t v = 0; v < PVGT_HOST_MOST; v++)
                    if (host.joined[u][v]) columns[count++] = c * PVGT_HOST_MOST + v;
            }
        offsets[COPIES * PVGT_HOST_MOST] = count;
        host.host = (pvgi_host){COPIES * PVGT_HOST_MOST, 0, offsets, columns};
        pvgt_engine_run(&used, &host);
        for (int32_t i = 0; i < COUNT; i++)
            PVGT_CHECK(used.exact[i] == COPIES * expected[i], "pattern %s, %s",
                       pvgt_graph6(&patterns[i]), pvgt_host_shown(&host));
    }
    pvgt_engine_close(&used);
}

/* Two loops over opposite vertices (elim/cubes.inc): what all maps, dense tables and
 * elimination count, with copies of nodes too, for any number of threads. */
static void test_cubes(void) {
    static pvgt_host host;
    static const int32_t orders[] = {4, 8, 9, 14, 20, 20};
    const pvgi_small cube = pvgt_cube(), pair[2] = {cube, pvgt_cycle(4)};
    uint64_t seed = 29;
    pvgt_engine used;
    pvgt_engine_open(&used, pair, 2);
    TEST_ASSERT_TRUE(used.plan->pattern[0].cube && !used.plan->pattern[1].cube);
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        pvgt_host_random(&host, orders[i], i == 5 ? 150 : 500, &seed);
        if (i == 4) { /* three copies of each of the first nodes */
            for (int32_t u = 0; u < 4; u++)
                for (int32_t v = 0; v < 20; v++)
                    host.joined[10 + 2 * u][v] = host.joined[v][10 + 2 * u] =
                        host.joined[u][v];
            pvgt_host_finish(&host, 3);
        }
        pvgt_engine_run(&used, &host);
        int32_t image[M];
        if (orders[i] < 10)
            PVGT_CHECK(used.exact[0] == pvgt_count_maps(&cube, &host, image, 0),
                       "host %d", (int)i);
        PVGT_CHECK(used.exact[0] == pvgt_count_dense(&cube, &host), "host %d", (int)i);
    }
    const int32_t order = pvgt_turns(500) < 500 ? 250 : 500;
    pvg_graph *graph = pvgt_random_graph(order, 5 * order, &seed);
    const pvgi_host large = {order, 0, graph->offsets, graph->columns};
    pvgi_u128 exact[2][2];
    double first[1], out[1];
    int64_t which;
    for (int32_t i = 0; i < 2; i++) {
        used.plan->pattern[0].cube = i == 0;
        PVGT_OK(pvgi_density_elim_count_exact(exact[i], &which, NULL, used.plan, &large,
                                              used.scratch));
    }
    PVGT_CHECK(exact[0][0] == exact[1][0] && exact[0][0] > 0, "by elimination");
    pvgt_engine_close(&used);
    pvg_density *density = pvgt_to_density(&cube, 1);
    PVGT_OK(pvg_density_evaluate_graph_exact(first, density, graph, NULL));
    const uint32_t stride = pvgt_turns(4) < 4 ? 2 : 1; /* of threads */
    for (uint64_t limit = 0; limit < 1u << 26; limit = limit ? 16 * limit : 8000)
        for (uint32_t threads = 1; threads <= 3; threads += stride) {
            const pvg_run run = {
                .size = sizeof run, .threads = threads, .scratch_limit = limit};
            const int32_t status =
                pvg_density_evaluate_graph_exact(out, density, graph, &run);
            PVGT_CHECK(status == PVG_OK ? memcmp(first, out, sizeof out) == 0
                                        : limit && status == PVG_E_LIMIT,
                       "%u threads, limit %d", threads, (int)limit);
        }
    pvg_graph_free(graph);
    pvg_density_free(density);
}

/* A network with hubs, large enough for slices: the counts of the generic join, with any
 * number of threads and within every limit, or refused. */
static void test_slices(void) {
    enum { COUNT = 6, ORDER = 600 };
    uint64_t seed = 23;
    pvgi_small graphs[COUNT];
    const pvgi_small *list[COUNT];
    pvgi_elim_plan *plan;
    pvgi_elim_scratch *scratch;
    pvg_graph *graph = pvgt_random_graph(ORDER, 2400, &seed);
    int64_t which;
    const pvgi_host host = {ORDER, 0, graph->offsets, graph->columns};
    double real[2][COUNT], out[COUNT], first[COUNT];
    pvgi_u128 exact[2][COUNT];
    for (int32_t i = 0; i < COUNT; i++) {
        graphs[i] = i == 2  ? pvgt_cube()
                    : i < 2 ? (pvgi_small){.order = 6}
                            : pvgt_random_pattern(7 + i, 3, 12 + i, &seed);
        for (int32_t u = 0; u < 6 && i < 2; u++)
            for (int32_t v = 0; v < u; v++) /* three and three, a prism */
                if (i == 0 ? u % 2 != v % 2 : u / 3 == v / 3 || u == v + 3)
                    pvgi_pattern_join(&graphs[i], u, v);
        list[i] = &graphs[i];
    }
    PVGT_OK(pvgi_density_elim_compile(&plan, list, COUNT));
    PVGT_OK(pvgi_density_elim_scratch_new(&scratch, plan, 0));
    for (int32_t i = 0; i < 2; i++) {
        scratch->slices_least = i ? 1 : INT32_MAX;
        PVGT_OK(pvgi_density_elim_count(real[i], NULL, plan, &host, scratch));
        PVGT_OK(
            pvgi_density_elim_count_exact(exact[i], &which, NULL, plan, &host, scratch));
    }
    PVGT_CHECK(scratch->slices > 4, "%d steps by slices", (int)scratch->slices);
    for (int32_t i = 0; i < COUNT; i++)
        PVGT_CHECK(exact[0][i] == exact[1][i] &&
                       fabs(real[0][i] - real[1][i]) <= 1e-12 * real[0][i],
                   "pattern %d: %.17g, not %.17g", i, real[1][i], real[0][i]);
    pvgi_density_elim_scratch_free(scratch);
    pvgi_density_elim_free(plan);
    pvg_density *density = pvgt_to_density(graphs, COUNT);
    PVGT_OK(pvg_density_evaluate_graph_exact(first, density, graph, NULL));
    int32_t refused = 0, passed = 0;
    const uint64_t stride =
        pvgt_turns(4) < 4 ? 2 : 1; /* of threads; 8^stride of limits */
    for (uint64_t limit = 0; limit < 1u << 29;
         limit = limit ? limit << 3 * stride : 20000)
        for (uint32_t threads = 1; threads <= 3; threads += (uint32_t)stride) {
            const pvg_run run = {
                .size = sizeof run, .threads = threads, .scratch_limit = limit};
            const int32_t status =
                pvg_density_evaluate_graph_exact(out, density, graph, &run);
            PVGT_CHECK(status == PVG_OK || (limit && status == PVG_E_LIMIT), "limit %d",
                       (int)limit);
            PVGT_CHECK(status != PVG_OK || memcmp(first, out, sizeof out) == 0,
                       "%u threads, limit %d", threads, (int)limit);
            refused += status != PVG_OK;
            passed += status == PVG_OK;
        }
    PVGT_CHECK(refused > 2 && passed > 2, "%d refused, %d passed", refused, passed);
    pvg_graph_free(graph);
    pvg_density_free(density);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(test_complete_hosts);
    RUN_TEST(test_bipartite_hosts);
    RUN_TEST(test_traces);
    RUN_TEST(test_many_copies);
    RUN_TEST(test_cubes);
    RUN_TEST(test_slices);
    return pvgt_end(UNITY_END());
}
