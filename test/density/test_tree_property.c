/* Trees and forests: the engine for blocks of small graphs and the one for large graphs,
 * on every instruction set and with any number of threads, against an independent count
 * in 128-bit integers. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "density_help.h"
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

/* --- an independent count ------------------------------------------------------- */

enum { MOST = 64 }; /* nodes of a host here */

static bool overflow; /* something in the last count had 2^128 or more */

/* x[v] = maps of the subtree of `vertex` that send it to v. */
static void oracle_vector(pvgi_u128 *x, const pvgi_small *tree, int32_t vertex,
                          int32_t parent, const pvg_graph *graph) {
    const int64_t n = pvg_graph_order(graph);
    pvgi_u128 below[MOST];
    for (int64_t v = 0; v < n; v++) x[v] = 1;
    for (int32_t child = 0; child < tree->order; child++) {
        if (child == parent || !(tree->adjacency[vertex] >> child & 1)) continue;
        oracle_vector(below, tree, child, vertex, graph);
        for (int64_t v = 0; v < n; v++) {
            const int32_t *neighbours;
            int64_t count;
            pvgi_u128 sum = 0;
            PVGT_OK(pvg_graph_view_neighbours(&neighbours, &count, graph, v));
            for (int64_t k = 0; k < count; k++)
                overflow |= __builtin_add_overflow(sum, below[neighbours[k]], &sum);
            overflow |= __builtin_mul_overflow(x[v], sum, &x[v]);
        }
    }
}

/* Maps of a forest, and n^m: tree by tree, each from its lowest vertex. */
static pvgi_u128 oracle(pvgi_u128 *all, const pvgi_small *forest,
                        const pvg_graph *graph) {
    const int64_t n = pvg_graph_order(graph);
    pvgi_u128 product = 1;
    *all = 1;
    overflow = false;
    uint32_t left = pvgi_mask_first(forest->order);
    while (left) {
        const int32_t root = pvgi_mask_lowest(left);
        const uint32_t piece = pvgi_pattern_reach(forest, left & (0u - left), left);
        pvgi_u128 x[MOST], sum = 0;
        oracle_vector(x, forest, root, -1, graph);
        for (int64_t v = 0; v < n; v++)
            overflow |= __builtin_add_overflow(sum, x[v], &sum);
        overflow |= __builtin_mul_overflow(product, sum, &product);
        for (int32_t i = 0; i < pvgi_mask_count(piece); i++) *all *= (pvgi_u128)n;
        left &= ~piece;
    }
    return product;
}

/* --- what is tested ------------------------------------------------------------- */

static void evaluate_tuned(double *out, const pvg_density *density,
                           const pvg_graphset *set, pvgi_cpu level, int64_t large,
                           int64_t block, uint32_t threads) {
    const pvg_run config = {.size = sizeof config, .threads = threads};
    const pvgi_hosts hosts = {set->count, set->starts, set->offsets, set->columns};
    const pvgi_density_tuning tuning = {level, large, block};
    pvgi_run run;
    PVGT_OK(pvgi_run_begin(&run, &config));
    PVGT_OK(pvgi_density_evaluate(out, NULL, false, density, &hosts, &tuning, &run));
}

/* Up to three trees side by side, single vertices among them; some patterns twice. */
static void random_forests(pvgi_small *list, int32_t count, uint64_t *state) {
    for (int32_t i = 0; i < count; i++) {
        if (i > 0 && pvgt_below(state, 3) == 0) {
            list[i] = list[pvgt_below(state, i)];
            continue;
        }
        list[i] = pvgt_random_tree(1 + (int32_t)pvgt_below(state, 8), state);
        for (int32_t more = 0; more < 2; more++)
            if (list[i].order < 6 && pvgt_below(state, 4) == 0) {
                const pvgi_small tree =
                    pvgt_random_tree(1 + (int32_t)pvgt_below(state, 3), state);
                list[i] = pvgt_beside(&list[i], &tree);
            }
    }
}

/* Lists of every length around four and sixteen, empty graphs, single nodes. */
static pvg_graph *random_host(uint64_t *state) {
    const int64_t kind = pvgt_below(state, 8);
    if (kind == 0) return pvgt_uniform_graph(pvgt_below(state, 3), 500, state);
    if (kind == 1) return pvgt_uniform_graph(1 + pvgt_below(state, 40), 0, state);
    if (kind == 2) return pvgt_uniform_graph(1 + pvgt_below(state, 24), 900, state);
    const int64_t n = 1 + pvgt_below(state, kind == 3 ? 40 : 12);
    return pvgt_random_graph(n, pvgt_below(state, 2 * n), state);
}

/* Everything is below 2^53 here, so there is one right answer. */
static void test_forests_against_integers(void) {
    enum { ROUNDS = 12, GRAPHS = 30, FORESTS = 23 };
    static const int64_t blocks[] = {1, 7, 64, 384};
    uint64_t state = 53;
    for (int32_t round = 0; round < ROUNDS; round++) {
        pvgi_small forests[FORESTS];
        pvg_graph *graphs[GRAPHS];
        double expected[GRAPHS * FORESTS], found[GRAPHS * FORESTS];
        const int32_t count = 1 + (int32_t)pvgt_below(&state, FORESTS);
        random_forests(forests, count, &state);
        for (int32_t g = 0; g < GRAPHS; g++) graphs[g] = random_host(&state);
        for (int32_t i = 0; i < GRAPHS * count; i++) {
            pvgi_u128 all;
            const pvg_graph *graph = graphs[i / count];
            const pvgi_u128 maps = oracle(&all, &forests[i % count], graph);
            TEST_ASSERT_TRUE(all < UINT64_C(1) << 53);
            expected[i] = pvg_graph_order(graph) > 0 ? (double)maps / (double)all : 0.0;
        }
        pvg_graphset *set = pvgt_to_set(graphs, GRAPHS);
        pvg_density *density = pvgt_to_density(forests, count);
        for (int32_t path = 0; path < 24; path++) {
            const int64_t block = blocks[path % 4];
            const uint32_t threads = 1 + (uint32_t)path % 3;
            const pvgi_cpu level = path < 12 ? PVGI_CPU_PORTABLE : pvgi_cpu_level();
            const int64_t large = path % 12 == 11 ? 0 : 1 << 20;
            evaluate_tuned(found, density, set, level, large, block, threads);
            for (int32_t i = 0; i < GRAPHS * count; i++)
                PVGT_CHECK(found[i] == expected[i],
                           "round %d graph %d pattern %s block %d threads %u level %d: "
                           "%a, should be %a",
                           (int)round, (int)(i / count), pvgt_graph6(&forests[i % count]),
                           (int)block, (unsigned)threads, (int)level, found[i],
                           expected[i]);
        }
        for (int32_t g = 0; g < GRAPHS; g++) pvg_graph_free(graphs[g]);
        pvg_graphset_free(set);
        pvg_density_free(density);
    }
}

/* A hub joined to everything else, or some of it, makes counts grow quickly. */
static pvg_graph *hub_host(int64_t most, uint64_t *state) {
    const int64_t n = 2 + pvgt_below(state, most - 1);
    int64_t from[2 * MOST], to[2 * MOST], edges = 0;
    pvg_graph *graph;
    for (int64_t v = 1; v < n; v++) {
        if (pvgt_below(state, 8) == 0) continue; /* left alone, or on the path only */
        from[edges] = 0;
        to[edges++] = v;
    }
    for (int64_t v = 1; v + 1 < n; v++) {
        if (pvgt_below(state, 3) > 0) continue;
        from[edges] = v;
        to[edges++] = v + 1;
    }
    PVGT_OK(pvg_graph_from_edges(&graph, n, from, to, edges, PVG_EDGES_STRICT, NULL));
    return graph;
}

static pvgi_small star(int32_t n) {
    pvgi_small graph = {.order = n};
    for (int32_t v = 1; v < n; v++) {
        graph.adjacency[0] |= pvgi_mask_of(v);
        graph.adjacency[v] = pvgi_mask_of(0);
    }
    return graph;
}

enum { HUBS = 70, BIG = 9 };

static int32_t count_tuned(uint64_t *low, uint64_t *high, const pvg_density *density,
                           const pvg_graphset *set, pvgi_cpu level, uint32_t threads) {
    const pvg_run config = {.size = sizeof config, .threads = threads};
    const pvgi_hosts hosts = {set->count, set->starts, set->offsets, set->columns};
    pvgi_density_tuning tuning = pvgi_density_default_tuning();
    pvgi_run run;
    tuning.level = level;
    PVGT_OK(pvgi_run_begin(&run, &config));
    return pvgi_density_count(low, high, density, &hosts, &tuning, &run);
}

/* One set on every path: all counts right, or refused with nothing written. */
static void check_counts(const pvgi_u128 *expected, int32_t cells, bool fits,
                         const pvg_density *density, const pvg_graphset *set,
                         const char *what) {
    static uint64_t low[HUBS * BIG], high[HUBS * BIG];
    bool narrow = fits;
    for (int32_t i = 0; i < cells; i++) narrow = narrow && expected[i] >> 64 == 0;
    for (int32_t path = 0; path < 8; path++) {
        const uint32_t threads = 1 + (uint32_t)(path / 2) % 3;
        const pvgi_cpu level = path < 4 ? PVGI_CPU_PORTABLE : pvgi_cpu_level();
        const bool wide = path % 2 == 0;
        memset(low, 0x5a, sizeof low);
        memset(high, 0x5a, sizeof high);
        const int32_t status =
            count_tuned(low, wide ? high : NULL, density, set, level, threads);
        const bool possible = wide ? fits : narrow;
        PVGT_CHECK(status == (possible ? PVG_OK : PVG_E_LIMIT),
                   "%s: status %d, threads %u level %d wide %d", what, (int)status,
                   (unsigned)threads, (int)level, (int)wide);
        for (int32_t i = 0; i < cells; i++) {
            const uint64_t kept = UINT64_C(0x5a5a5a5a5a5a5a5a);
            PVGT_CHECK(
                low[i] == (possible ? (uint64_t)expected[i] : kept) &&
                    high[i] == (possible && wide ? (uint64_t)(expected[i] >> 64) : kept),
                "%s: graph %d pattern %d, threads %u level %d wide %d", what,
                (int)(i / BIG), (int)(i % BIG), (unsigned)threads, (int)level, (int)wide);
        }
    }
}

/* Counts from 0 to beyond 2^128 through 2^32, 2^53, 2^64 and 2^100, where the way they
 * are known changes: doubles, residues, integers. */
static void test_counts_across_boundaries(void) {
    enum { ROUNDS = 24 };
    static pvgi_u128 expected[HUBS * BIG];
    int64_t seen[5] = {0}, refused = 0;
    uint64_t state = 59;
    for (int32_t round = 0; round < ROUNDS; round++) {
        pvgi_small forests[BIG];
        pvg_graph *graphs[HUBS];
        char what[32];
        bool fits = true;
        const int32_t most = 6 + round % 21, count = round % 5 == 0 ? HUBS : 11;
        snprintf(what, sizeof what, "round %d", (int)round);
        random_forests(forests, 3, &state);
        for (int32_t i = 3; i < BIG; i++)
            forests[i] =
                pvgt_random_tree(most - 4 + (int32_t)pvgt_below(&state, 5), &state);
        forests[BIG - 1] = star(most);
        for (int32_t g = 0; g < count; g++)
            graphs[g] = g % 7 == 3 ? random_host(&state)
                                   : hub_host(g % 3 == 0 ? MOST : 20, &state);
        for (int32_t i = 0; i < count * BIG; i++) {
            pvgi_u128 all;
            expected[i] = oracle(&all, &forests[i % BIG], graphs[i / BIG]);
            if (pvg_graph_order(graphs[i / BIG]) == 0) expected[i] = 0;
            fits = fits && !overflow;
            seen[(expected[i] >> 32 != 0) + (expected[i] >> 53 != 0) +
                 (expected[i] >> 64 != 0) + (expected[i] >> 100 != 0)]++;
        }
        refused += !fits;
        pvg_graphset *set = pvgt_to_set(graphs, count);
        pvg_density *density = pvgt_to_density(forests, BIG);
        check_counts(expected, count * BIG, fits, density, set, what);
        for (int32_t g = 0; g < count; g++) pvg_graph_free(graphs[g]);
        pvg_graphset_free(set);
        pvg_density_free(density);
    }
    for (int32_t i = 0; i < 5; i++)
        PVGT_CHECK(seen[i] > 10, "%d counts of kind %d", (int)seen[i], (int)i);
    PVGT_CHECK(refused > 0 && refused < ROUNDS / 2, "%d sets refused", (int)refused);
}

/* Big enough for values beyond 2^53, where the order of additions shows. */
static void test_same_bits(void) {
    enum { GRAPHS = 40, TREES = 30 };
    pvgi_small trees[TREES];
    pvg_graph *graphs[GRAPHS];
    static double first[GRAPHS * TREES], other[GRAPHS * TREES];
    uint64_t state = 31;
    for (int32_t i = 0; i < TREES; i++)
        trees[i] = pvgt_random_tree(2 + (int32_t)pvgt_below(&state, 31), &state);
    for (int32_t g = 0; g < GRAPHS; g++) {
        const int64_t n = g == 7 ? 5000 : 1 + pvgt_below(&state, g % 4 ? 60 : 900);
        graphs[g] = pvgt_random_graph(n, pvgt_below(&state, 3 * n + 1), &state);
    }
    pvg_graphset *set = pvgt_to_set(graphs, GRAPHS);
    pvg_density *density = pvgt_to_density(trees, TREES);
    static const int64_t larges[] = {1 << 20, 0, 300};
    for (int32_t large = 0; large < 3; large++) {
        evaluate_tuned(first, density, set, PVGI_CPU_PORTABLE, larges[large], 256, 1);
        for (uint32_t threads = 1; threads <= 4; threads++)
            for (pvgi_cpu level = PVGI_CPU_PORTABLE; level <= pvgi_cpu_level(); level++)
                for (int64_t block = 4; block <= 1024; block *= 16) {
                    memset(other, 0, sizeof other);
                    evaluate_tuned(other, density, set, level, larges[large], block,
                                   threads);
                    PVGT_CHECK(memcmp(first, other, sizeof first) == 0,
                               "large %d threads %u level %d block %d",
                               (int)larges[large], (unsigned)threads, (int)level,
                               (int)block);
                }
        /* a graph alone */
        for (int32_t g = 0; g < GRAPHS && large == 0; g++) {
            double alone[TREES];
            PVGT_OK(pvg_density_evaluate_graph_exact(alone, density, graphs[g], NULL));
            PVGT_CHECK(memcmp(alone, first + g * TREES, sizeof alone) == 0, "graph %d",
                       (int)g);
        }
        /* the path for large graphs adds in another order: within the bound twice */
        if (large > 0)
            evaluate_tuned(other, density, set, PVGI_CPU_PORTABLE, 1 << 20, 256, 1);
        for (int32_t i = 0; i < GRAPHS * TREES; i++) {
            const pvg_graph *graph = graphs[i / TREES];
            double bound;
            PVGT_OK(pvg_density_relative_error(&bound, density, i % TREES,
                                               pvg_graph_order(graph),
                                               pvg_graph_max_degree_exact(graph)));
            PVGT_CHECK(fabs(first[i] - other[i]) <= 2 * bound * first[i],
                       "graph %d tree %s", (int)(i / TREES),
                       pvgt_graph6(&trees[i % TREES]));
        }
    }
    for (int32_t g = 0; g < GRAPHS; g++) pvg_graph_free(graphs[g]);
    pvg_graphset_free(set);
    pvg_density_free(density);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(test_forests_against_integers);
    RUN_TEST(test_counts_across_boundaries);
    RUN_TEST(test_same_bits);
    return pvgt_end(UNITY_END());
}
