/* density: counts of patterns with cycles against oracles that share nothing with the
 * engine: all maps one by one, and elimination over dense tables in a fixed order. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "elim_help.h"

#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

enum { M = PVGI_PATTERN_ORDER };

/* All connected patterns with a cycle on at most `most` vertices, up to isomorphism. */
static int64_t all_patterns(pvgi_small *out, int32_t most, int64_t room) {
    int64_t count = 0;
    for (int32_t n = 3; n <= most; n++)
        for (uint64_t code = 0; code < (uint64_t)1 << (n * (n - 1) / 2); code++) {
            pvgi_small graph = pvgt_numbered(n, code), canonical;
            if (!pvgt_has_cycle_and_is_connected(&graph)) continue;
            pvgi_pattern_canonical(&canonical, &graph);
            bool known = false;
            for (int64_t i = 0; i < count && !known; i++)
                known = pvgi_pattern_equal(&out[i], &canonical);
            if (known || count == room) continue;
            out[count++] = canonical;
        }
    return count;
}

static void compare_with_brute(pvgt_engine *used, const pvgi_small *patterns,
                               const pvgt_host *host) {
    int32_t image[M];
    pvgt_engine_run(used, host);
    for (int64_t i = 0; i < used->count; i++) {
        const uint64_t expected = pvgt_count_maps(&patterns[i], host, image, 0);
        PVGT_CHECK(used->exact[i] == expected, "pattern %s: %llu, not %llu, %s",
                   pvgt_graph6(&patterns[i]), (unsigned long long)used->exact[i],
                   (unsigned long long)expected, pvgt_host_shown(host));
    }
}

static void test_all_small(void) {
    static pvgi_small patterns[32];
    static pvgt_host host;
    pvgt_engine used;
    const int64_t count = all_patterns(patterns, 5, 32);
    TEST_ASSERT_EQUAL_INT64(23, count);
    pvgt_engine_open(&used, patterns, count);
    for (int32_t n = 0; n <= (pvgt_turns(3) < 3 ? 4 : 5); n++)
        for (uint64_t code = 0; code < (uint64_t)1 << (n * (n - 1) / 2); code++) {
            pvgt_host_clear(&host, n);
            uint64_t rest = code;
            for (int32_t v = 1; v < n; v++)
                for (int32_t u = 0; u < v; u++, rest >>= 1)
                    if (rest & 1) pvgt_host_join(&host, u, v);
            pvgt_host_finish(&host, 0);
            compare_with_brute(&used, patterns, &host);
        }
    uint64_t seed = 11;
    for (int32_t turn = 0; turn < pvgt_turns(60); turn++) {
        pvgt_host_random(&host, 6 + turn % 3, 150 + 100 * (turn % 8), &seed);
        compare_with_brute(&used, patterns, &host);
    }
    pvgt_engine_close(&used);
}

static void test_random_small(void) {
    static pvgt_host host;
    uint64_t seed = 12;
    for (int32_t turn = 0; turn < pvgt_turns(30); turn++) {
        pvgi_small patterns[12];
        pvgt_engine used;
        for (int32_t i = 0; i < 12; i++)
            patterns[i] = pvgt_random_pattern(6 + i % 2, 2 + i % 4, 9 + i % 7, &seed);
        pvgt_engine_open(&used, patterns, 12);
        for (int32_t i = 0; i < 6; i++) {
            pvgt_host_random(&host, 4 + i % 5, 200 + 120 * i, &seed);
            compare_with_brute(&used, patterns, &host);
        }
        pvgt_engine_close(&used);
    }
}

/* Patterns in which rows are passed on: squares at an edge, and chains side by side. */
static void test_rows_are_passed_on(void) {
    static const struct {
        const char *name;
        int32_t order, edges[12][2], count;
    } cases[] = {
        {"square on a triangle", 5, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 4}, {4, 1}}, 6},
        {"two squares at an edge",
         6,
         {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {1, 4}, {4, 5}, {5, 0}},
         7},
        {"house of two chains",
         7,
         {{0, 1}, {0, 2}, {2, 3}, {0, 4}, {4, 3}, {3, 1}, {1, 5}, {5, 6}, {6, 0}},
         9},
        {"square with a leaf", 5, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {3, 4}}, 5},
        {"three chains, one on a triangle",
         6,
         {{5, 0}, {0, 4}, {5, 1}, {1, 4}, {5, 3}, {3, 4}, {5, 2}, {2, 3}},
         8}};
    static pvgt_host host;
    uint64_t seed = 21;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        pvgi_small pattern = {.order = cases[c].order};
        pvgt_engine used;
        for (int32_t i = 0; i < cases[c].count; i++) {
            const int32_t u = cases[c].edges[i][0], v = cases[c].edges[i][1];
            pattern.adjacency[u] |= pvgi_mask_of(v);
            pattern.adjacency[v] |= pvgi_mask_of(u);
        }
        pvgt_engine_open(&used, &pattern, 1);
        for (int32_t turn = 0; turn < pvgt_turns(12); turn++) {
            pvgt_host_random(&host, 5 + turn % 4, 200 + 60 * turn, &seed);
            compare_with_brute(&used, &pattern, &host);
        }
        PVGT_CHECK(used.scratch->passes > 0, "%s: nothing was passed on", cases[c].name);
        PVGT_CHECK((used.scratch->folds > 0) == (c >= 3), "%s", cases[c].name);
        PVGT_CHECK((used.scratch->corners > 0) == (c == 3), "%s", cases[c].name);
        pvgt_engine_close(&used);
    }
}

/* Petersen's graph, K_4,4, K_5,5 and others of width 4 and 5 with vertices fixed, in
 * hosts with and without nodes to merge, against dense elimination. */
static void test_fixed_vertices(void) {
    static pvgt_host host;
    uint64_t seed = 31;
    pvgi_small patterns[8] = {{.order = 10}, {.order = 8}, {.order = 10}};
    pvgt_engine used;
    for (int32_t i = 0; i < 5; i++) {
        pvgi_pattern_join(&patterns[0], i, (i + 1) % 5);
        pvgi_pattern_join(&patterns[0], i, i + 5);
        pvgi_pattern_join(&patterns[0], i + 5, (i + 2) % 5 + 5);
        for (int32_t k = 0; k < 5; k++) {
            if (i < 4 && k < 4) pvgi_pattern_join(&patterns[1], i, k + 4);
            pvgi_pattern_join(&patterns[2], i, k + 5);
        }
    }
    for (int32_t i = 3; i < 8; i++)
        patterns[i] = pvgt_random_pattern(7 + i % 3, 4 + i % 2, 14 + i % 3, &seed);
    pvgt_engine_open(&used, patterns, 8);
    const int64_t before = pvgt_fixed_made;
    for (int32_t turn = 0; turn < pvgt_turns(10); turn++) {
        pvgt_host_random(&host, 5 + turn % 5, 400 + 60 * turn, &seed);
        if (turn % 2) { /* twins, in a larger set */
            const int32_t order = host.order;
            static pvgt_host twins;
            pvgt_host_clear(&twins, order + 3);
            for (int32_t u = 0; u < order; u++)
                for (int32_t v = 0; v < u; v++)
                    if (host.joined[u][v]) pvgt_host_join(&twins, u, v);
            for (int32_t k = 0; k < 3; k++)
                for (int32_t v = 0; v < order; v++)
                    if (host.joined[0][v]) pvgt_host_join(&twins, order + k, v);
            host = twins;
            pvgt_host_finish(&host, turn % 3);
        }
        pvgt_engine_run(&used, &host);
        for (int32_t i = 0; i < 8; i++)
            PVGT_CHECK(used.exact[i] == pvgt_count_dense(&patterns[i], &host),
                       "%s: %llu, %s", pvgt_graph6(&patterns[i]),
                       (unsigned long long)used.exact[i], pvgt_host_shown(&host));
    }
    PVGT_CHECK(pvgt_fixed_made > before, "none was counted with fixed vertices");
    pvgt_engine_close(&used);
}

/* Petersen's graph in K_64, where its count is its chromatic polynomial and passes 2^53:
 * true in 128 bits, the same bits with three threads. */
static void test_fixed_vertices_large(void) {
    enum { ORDER = 64 };
    static const int64_t polynomial[] = {1, -12, 67, -230, 529, -814, 775, -352};
    static pvgt_host host;
    pvgi_small petersen = {.order = 10};
    pvgt_host_random(&host, ORDER, 1000, &(uint64_t){1});
    for (int32_t i = 0; i < 5; i++) {
        pvgi_pattern_join(&petersen, i, (i + 1) % 5);
        pvgi_pattern_join(&petersen, i, i + 5);
        pvgi_pattern_join(&petersen, i + 5, (i + 2) % 5 + 5);
    }
    __int128 wanted = 0;
    for (int32_t i = 0; i < 8; i++) wanted = wanted * ORDER + polynomial[i];
    wanted *= ORDER * (ORDER - 1) * (ORDER - 2);
    for (int32_t i = 0; i < 2; i++) {
        pvgt_engine used;
        pvgi_run run;
        pvgi_u128 exact;
        double real;
        int64_t which;
        const pvg_run three = {.size = sizeof three, .threads = 3};
        PVGT_OK(pvgi_run_begin(&run, i ? &three : NULL));
        pvgt_engine_open(&used, &petersen, 1);
        pvgi_density_elim_set_crew(used.scratch, i ? &run : NULL);
        PVGT_OK(
            pvgi_density_elim_count(&real, NULL, used.plan, &host.host, used.scratch));
        PVGT_OK(pvgi_density_elim_count_exact(&exact, &which, NULL, used.plan, &host.host,
                                              used.scratch));
        PVGT_CHECK(used.scratch->fixed == 2, "%d", (int)used.scratch->fixed);
        PVGT_CHECK(exact >> 53 != 0 && exact == (pvgi_u128)wanted &&
                       real == (double)exact,
                   "%.17g, not %.17g", real, (double)wanted);
        pvgi_density_elim_set_crew(used.scratch, NULL);
        pvgt_engine_close(&used);
    }
}

/* Patterns of 8 to 16 vertices on hosts up to 40 nodes against dense elimination. */
static void test_against_dense(void) {
    static pvgt_host host;
    uint64_t seed = 13;
    for (int32_t turn = 0; turn < pvgt_turns(9); turn++) {
        pvgi_small patterns[8];
        pvgt_engine used;
        const int32_t width = 2 + turn % 2;
        for (int32_t i = 0; i < 8; i++)
            patterns[i] =
                pvgt_random_pattern(8 + (turn + i) % 9, width, 9 + i % 8, &seed);
        pvgt_engine_open(&used, patterns, 8);
        for (int32_t i = 0; i < 4; i++) {
            if (i < 2)
                pvgt_host_molecule(&host, (width == 2 ? 20 : 10) + 5 * turn % 20, &seed);
            else
                pvgt_host_random(&host, (width == 2 ? 12 : 6) + 2 * turn % 16,
                                 i == 2 ? 120 : 300, &seed);
            pvgt_engine_run(&used, &host);
            for (int32_t p = 0; p < 8; p++) {
                const pvgi_u128 expected = pvgt_count_dense(&patterns[p], &host);
                PVGT_CHECK(used.exact[p] == expected, "pattern %s: %.17g, not %.17g, %s",
                           pvgt_graph6(&patterns[p]), (double)used.exact[p],
                           (double)expected, pvgt_host_shown(&host));
            }
        }
        pvgt_engine_close(&used);
    }
}

/* The rooted counts sum to the counts, and moving the root to a chosen node is a map. */
static void test_rooted(void) {
    static pvgt_host host;
    uint64_t seed = 14;
    for (int32_t turn = 0; turn < pvgt_turns(20); turn++) {
        pvgi_small patterns[8];
        int32_t roots[8], image[M];
        double rows[8 * 8];
        pvgt_engine used;
        for (int32_t i = 0; i < 8; i++) {
            patterns[i] = pvgt_random_pattern(4 + i % 3, 2 + i % 2, 14, &seed);
            roots[i] = 0; /* pvgt_count_maps force places vertex 0 first */
        }
        pvgt_engine_open(&used, patterns, 8);
        pvgt_host_random(&host, 8, 250 + 25 * turn, &seed);
        PVGT_OK(
            pvgi_density_elim_rooted(rows, roots, used.plan, &host.host, used.scratch));
        for (int32_t i = 0; i < 8; i++)
            for (int32_t v = 0; v < 8; v++) {
                image[0] = v;
                const uint64_t expected = pvgt_count_maps(&patterns[i], &host, image, 1);
                PVGT_CHECK(rows[v * 8 + i] == (double)expected,
                           "pattern %s at %d: %.17g, not %llu, %s",
                           pvgt_graph6(&patterns[i]), v, rows[v * 8 + i],
                           (unsigned long long)expected, pvgt_host_shown(&host));
            }
        pvgt_engine_close(&used);
    }
}

static void test_edges_of_input(void) {
    pvgt_engine used;
    static pvgt_host host;
    pvgt_engine_open(&used, NULL, 0);
    pvgt_host_clear(&host, 0);
    pvgt_host_finish(&host, 0);
    pvgt_engine_run(&used, &host);
    pvgt_engine_close(&used);
    const pvgi_small patterns[3] = {pvgt_cycle(5), pvgt_clique(4), pvgt_numbered(4, 31)};
    pvgt_engine_open(&used, patterns, 3);
    for (int32_t n = 0; n <= 2; n++) {
        pvgt_host_clear(&host, n);
        if (n == 2) pvgt_host_join(&host, 0, 1);
        pvgt_host_finish(&host, 7);
        pvgt_engine_run(&used, &host);
        for (int32_t i = 0; i < 3; i++) TEST_ASSERT_TRUE(used.exact[i] == 0);
    }
    pvgt_engine_close(&used);
}

/* Last: sparse slices were among what the tests above compared. */
static void test_slices_were_made(void) {
    PVGT_CHECK(pvgt_slices_made > 500, "%d steps by slices", (int)pvgt_slices_made);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(test_all_small);
    RUN_TEST(test_random_small);
    RUN_TEST(test_rows_are_passed_on);
    RUN_TEST(test_fixed_vertices);
    RUN_TEST(test_fixed_vertices_large);
    RUN_TEST(test_against_dense);
    RUN_TEST(test_rooted);
    RUN_TEST(test_edges_of_input);
    RUN_TEST(test_slices_were_made);
    return pvgt_end(UNITY_END());
}
