/* density: exact counts against big integers (GMP) that share nothing with the engines.
 * Trees: one vector per vertex. Patterns with cycles: elimination over tables written out
 * in full, in the order of the pattern module; every product and sum is a big integer, so
 * nothing overflows and the counts beyond 64 and near 128 bits are checked too. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "density_help.h"
#include "gmp_count.h"
#include "gzip_hook.h"

#include <gmp.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

enum { M = PVGI_PATTERN_ORDER };

/* --- an independent count of trees in big integers ------------------------------ */

/* x[v] = maps of the subtree of `vertex` that send it to v. */
static void oracle_vector(mpz_t *x, const pvgi_small *tree, int32_t vertex,
                          int32_t parent, const pvg_graph *graph) {
    const int64_t n = pvg_graph_order(graph);
    mpz_t *below = malloc((size_t)n * sizeof *below);
    mpz_t sum;
    mpz_init(sum);
    for (int64_t v = 0; v < n; v++) mpz_set_ui(x[v], 1);
    for (int64_t v = 0; v < n; v++) mpz_init(below[v]);
    for (int32_t child = 0; child < tree->order; child++) {
        if (child == parent || !(tree->adjacency[vertex] >> child & 1)) continue;
        oracle_vector(below, tree, child, vertex, graph);
        for (int64_t v = 0; v < n; v++) {
            const int32_t *neighbours;
            int64_t count;
            PVGT_OK(pvg_graph_view_neighbours(&neighbours, &count, graph, v));
            mpz_set_ui(sum, 0);
            for (int64_t k = 0; k < count; k++) mpz_add(sum, sum, below[neighbours[k]]);
            mpz_mul(x[v], x[v], sum);
        }
    }
    for (int64_t v = 0; v < n; v++) mpz_clear(below[v]);
    free(below);
    mpz_clear(sum);
}

static void oracle_tree(mpz_t out, const pvgi_small *tree, const pvg_graph *graph) {
    const int64_t n = pvg_graph_order(graph);
    mpz_t *x = malloc((size_t)n * sizeof *x);
    for (int64_t v = 0; v < n; v++) mpz_init(x[v]);
    oracle_vector(x, tree, 0, -1, graph);
    mpz_set_ui(out, 0);
    for (int64_t v = 0; v < n; v++) {
        mpz_add(out, out, x[v]);
        mpz_clear(x[v]);
    }
    free(x);
}

static void mpz_set_halves(mpz_t out, uint64_t low, uint64_t high) {
    const uint64_t words[2] = {low, high};
    mpz_import(out, 2, -1, sizeof words[0], 0, 0, words);
}

/* |computed - exact / n^m| <= bound * exact / n^m, in integers: computed is scaled up. */
static bool within(double computed, mpz_srcptr count, int64_t n, int32_t m,
                   double bound) {
    mpf_t value, exact, error;
    mpf_init2(value, 2048);
    mpf_init2(exact, 2048);
    mpf_init2(error, 2048);
    mpf_set_z(exact, count);
    mpf_set_d(value, computed);
    for (int32_t i = 0; i < m; i++) mpf_mul_ui(value, value, (unsigned long)n);
    mpf_sub(error, value, exact);
    mpf_abs(error, error);
    mpf_set_d(value, bound);
    mpf_mul(value, value, exact);
    const bool fits = mpf_cmp(error, value) <= 0;
    mpf_clears(value, exact, error, NULL);
    return fits;
}

static void check_against_oracle(const pvgi_small *trees, int64_t count,
                                 const pvg_graph *graph, const char *what) {
    pvg_density *density = pvgt_to_density(trees, count);
    uint64_t *low = calloc((size_t)count, sizeof *low);
    uint64_t *high = calloc((size_t)count, sizeof *high);
    double *value = calloc((size_t)count, sizeof *value);
    const int64_t n = pvg_graph_order(graph), D = pvg_graph_max_degree_exact(graph);
    PVGT_OK(pvg_density_evaluate_graph_exact(value, density, graph, NULL));
    const int32_t status = pvg_density_count_graph_exact(low, high, density, graph, NULL);
    mpz_t expected, found;
    mpz_inits(expected, found, NULL);
    bool overflow = false;
    for (int64_t i = 0; i < count; i++) {
        double bound;
        oracle_tree(expected, &trees[i], graph);
        overflow = overflow || mpz_sizeinbase(expected, 2) > 128;
        mpz_set_halves(found, low[i], high[i]);
        if (status == PVG_OK)
            PVGT_CHECK(mpz_cmp(found, expected) == 0, "%s: tree %s", what,
                       pvgt_graph6(&trees[i]));
        PVGT_OK(pvg_density_relative_error(&bound, density, i, n, D));
        PVGT_CHECK(within(value[i], expected, n, trees[i].order, bound),
                   "%s: tree %s density %a bound %a", what, pvgt_graph6(&trees[i]),
                   value[i], bound);
    }
    PVGT_CHECK((status == PVG_E_LIMIT) == overflow && (overflow || status == PVG_OK),
               "%s: %s", what, pvg_error_message());
    mpz_clears(expected, found, NULL);
    free(low);
    free(high);
    free(value);
    pvg_density_free(density);
}

static void test_trees_against_big_integers(void) {
    enum { TREES = 24 };
    pvgi_small trees[TREES];
    uint64_t state = 11;
    for (int32_t round = 0; round < 30; round++) {
        char what[80];
        const int64_t n = 1 + pvgt_below(&state, round < 20 ? 60 : 700);
        const int64_t edges = pvgt_below(&state, 4 * n + 1);
        const int32_t most = round % 3 == 0 ? 6 : round % 3 == 1 ? 16 : 32;
        for (int32_t i = 0; i < TREES; i++)
            trees[i] = pvgt_random_tree(1 + (int32_t)pvgt_below(&state, most), &state);
        pvg_graph *graph = pvgt_random_graph(n, edges, &state);
        snprintf(what, sizeof what, "round %d n %d edges %d", round, (int)n, (int)edges);
        check_against_oracle(trees, TREES, graph, what);
        pvg_graph_free(graph);
    }
}

/* --- comparing -------------------------------------------------------------------- */

/* Sizes of the counts seen, in bits: so that a test can say that it saw large ones. */
typedef struct {
    int64_t counts[160];
    int64_t refused;
} sizes;

/* A pattern alone, so that one count beyond 128 bits hides no other. */
static void check_pattern(sizes *seen, const pvgi_small *pattern, const pvg_graph *graph,
                          mpz_srcptr expected, const char *what) {
    pvg_density *density = pvgt_to_density(pattern, 1);
    const int64_t n = pvg_graph_order(graph), D = pvg_graph_max_degree_exact(graph);
    const size_t bits = mpz_sgn(expected) ? mpz_sizeinbase(expected, 2) : 0;
    uint64_t low = 7, high = 7;
    double value, bound;
    mpz_t found;
    mpz_init(found);
    const int32_t status =
        pvg_density_count_graph_exact(&low, &high, density, graph, NULL);
    mpz_set_halves(found, low, high);
    if (bits > 128) {
        PVGT_CHECK(status == PVG_E_LIMIT && low == 7 && high == 7, "%s: pattern %s", what,
                   pvgt_graph6(pattern));
        seen->refused++;
    } else {
        PVGT_CHECK(status == PVG_OK && mpz_cmp(found, expected) == 0,
                   "%s: pattern %s, %d bits: %s", what, pvgt_graph6(pattern), (int)bits,
                   status == PVG_OK ? "wrong" : pvg_error_message());
        seen->counts[bits]++;
    }
    /* 64 bits where they do, and refused where not */
    const int32_t narrow =
        pvg_density_count_graph_exact(&low, NULL, density, graph, NULL);
    PVGT_CHECK(narrow == (bits > 64 ? PVG_E_LIMIT : PVG_OK), "%s: pattern %s, %d bits",
               what, pvgt_graph6(pattern), (int)bits);
    if (n > 0) {
        PVGT_OK(pvg_density_evaluate_graph_exact(&value, density, graph, NULL));
        PVGT_OK(pvg_density_relative_error(&bound, density, 0, n, D));
        PVGT_CHECK(within(value, expected, n, pattern->order, bound),
                   "%s: pattern %s density %a bound %a", what, pvgt_graph6(pattern),
                   value, bound);
    }
    mpz_clear(found);
    pvg_density_free(density);
}

static void check_patterns(sizes *seen, const pvgi_small *patterns, int64_t count,
                           const pvg_graph *graph, const char *what) {
    pvgt_matrix host = pvgt_to_matrix(graph);
    mpz_t expected;
    mpz_init(expected);
    for (int64_t i = 0; i < count; i++) {
        pvgt_count_maps(expected, &patterns[i], &host);
        check_pattern(seen, &patterns[i], graph, expected, what);
    }
    mpz_clear(expected);
    free(host.joined);
}

static int64_t seen_between(const sizes *seen, int32_t least, int32_t most) {
    int64_t count = 0;
    for (int32_t bits = least; bits <= most; bits++) count += seen->counts[bits];
    return count;
}

/* Cycles, cliques, wheels, width 2 and 3, in one piece and in two. */
enum { MIXED = 12 };
static void mixed_patterns(pvgi_small *out, int32_t most, uint64_t *state) {
    const pvgi_small tree = pvgt_random_tree(3 + (int32_t)pvgt_below(state, 4), state);
    out[0] = pvgt_cycle(3 + (int32_t)pvgt_below(state, most - 2));
    out[1] = pvgt_cycle(4 + (int32_t)pvgt_below(state, 5));
    out[2] = pvgt_clique(3 + (int32_t)pvgt_below(state, 2));
    out[3] = pvgt_cycle(5); /* a wheel */
    out[3].order = 6;
    for (int32_t v = 0; v < 5; v++) pvgi_pattern_join(&out[3], v, 5);
    for (int32_t i = 4; i < 9; i++)
        out[i] = pvgt_random_pattern(5 + (int32_t)pvgt_below(state, most - 4), 2 + i % 2,
                                     9 + (int64_t)i % 7, state);
    out[9] = pvgt_beside(&out[1], &tree);
    out[10] = pvgt_beside(&out[2], &out[1]);
    out[11] = pvgt_partial_ktree(8, 2, 6, state); /* mostly in pieces */
}

static void test_random_graphs(void) {
    static sizes seen;
    pvgi_small patterns[MIXED];
    uint64_t state = 101;
    for (int32_t round = 0; round < 12; round++) {
        char what[60];
        const int64_t n = round == 0 ? 0 : round == 1 ? 1 : 4 + pvgt_below(&state, 13);
        const int64_t in_1000 = round % 3 == 0 ? 150 : round % 3 == 1 ? 500 : 900;
        pvg_graph *graph = pvgt_uniform_graph(n, in_1000, &state);
        mixed_patterns(patterns, 14, &state);
        snprintf(what, sizeof what, "round %d: G(%d, 0.%d)", round, (int)n,
                 (int)in_1000 / 100);
        check_patterns(&seen, patterns, MIXED, graph, what);
        pvg_graph_free(graph);
    }
    TEST_ASSERT_TRUE(seen_between(&seen, 0, 0) > 0 && seen_between(&seen, 40, 128) > 0);
}

/* Large and dense enough for matrix products, with counts on both sides of 2^53, where
 * these are given up. */
static void test_dense_graphs(void) {
    static sizes seen;
    uint64_t state = 103;
    pvg_graph *graph = pvgt_uniform_graph(52, 800, &state);
    pvgi_small patterns[8];
    for (int32_t i = 0; i < 7; i++)
        patterns[i] = pvgt_random_pattern(5 + i + i / 4, 2, 8 + i, &state);
    patterns[7] = pvgt_clique(4);
    check_patterns(&seen, patterns, 8, graph, "G(52, 0.8)");
    pvg_graph_free(graph);
    TEST_ASSERT_TRUE(seen_between(&seen, 20, 53) > 0 && seen_between(&seen, 54, 80) > 0);
}

/* A tail lengthens a pattern vertex by vertex: counts grow through all sizes up to 128
 * bits and beyond, by a factor of about 2^3.7 to 2^4.5 each. */
static void test_through_128_bits(void) {
    static sizes seen;
    uint64_t state = 102;
    for (int32_t round = 0; round < 8; round++) {
        char what[60];
        const int32_t width = 2 + round % 2;
        const int32_t most = width == 2 ? M : PVG_PATTERN_ORDER_MAX_WIDE;
        pvg_graph *graph =
            pvgt_uniform_graph(width == 2 ? 26 : 18, 700 + 40 * round, &state);
        pvgi_small pattern = pvgt_random_pattern(width == 2 ? 14 : 10, width, 12, &state);
        snprintf(what, sizeof what, "round %d", round);
        for (; pattern.order < most; pattern.order++) {
            const int64_t refused = seen.refused;
            if (pattern.order % 2 == 0 || pattern.order > 24)
                check_patterns(&seen, &pattern, 1, graph, what);
            if (seen.refused > refused) break;
            const int32_t v = pattern.order;
            pattern.adjacency[v] = 0;
            pvgi_pattern_join(&pattern, v, v - 1);
        }
        pvg_graph_free(graph);
    }
    TEST_ASSERT_TRUE(seen_between(&seen, 54, 64) > 0);
    TEST_ASSERT_TRUE(seen_between(&seen, 65, 120) > 0);
    TEST_ASSERT_TRUE(seen_between(&seen, 124, 128) > 0);
    TEST_ASSERT_TRUE(seen.refused > 0);
}

/* --- real graphs ---------------------------------------------------------------- */

static void test_real_graphs(void) {
    static const char *const names[] = {"MUTAG", "PROTEINS", "REDDIT-BINARY"};
    enum { TREES = 12 };
    const char *data = pvgt_shared_data();
    if (!data) TEST_IGNORE_MESSAGE("no shared data");
    uint64_t state = 41;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[4200], what[64];
        pvgi_small trees[TREES];
        pvg_io_options options = {.size = sizeof options};
        pvg_graphset *set;
        snprintf(path, sizeof path, "%s/%s", data, names[i]);
        gzip_hook(&options, NULL);
        PVGT_OK(pvg_graphset_read_tudataset(&set, path, NULL, &options, NULL));
        for (int32_t round = 0; round < 4; round++) {
            pvg_graph *graph;
            const int64_t index = pvgt_below(&state, pvg_graphset_count(set));
            for (int32_t t = 0; t < TREES; t++)
                trees[t] = pvgt_random_tree(2 + (int32_t)pvgt_below(&state, 15), &state);
            PVGT_OK(pvg_graphset_get(&graph, set, index));
            snprintf(what, sizeof what, "%s graph %d", names[i], (int)index);
            check_against_oracle(trees, TREES, graph, what);
            pvg_graph_free(graph);
        }
        pvg_graphset_free(set);
    }
}

/* Real graphs small enough for full tables. */
static void test_real_graphs_with_cycles(void) {
    static const char *const names[] = {"MUTAG", "PROTEINS", "IMDB-BINARY"};
    static sizes seen;
    const char *data = pvgt_shared_data();
    if (!data) TEST_IGNORE_MESSAGE("no shared data");
    uint64_t state = 103;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[4200], what[64];
        pvgi_small patterns[MIXED];
        pvg_io_options options = {.size = sizeof options};
        pvg_graphset *set;
        snprintf(path, sizeof path, "%s/%s", data, names[i]);
        gzip_hook(&options, NULL);
        PVGT_OK(pvg_graphset_read_tudataset(&set, path, NULL, &options, NULL));
        for (int32_t round = 0; round < 4;) {
            pvg_graph *graph;
            const int64_t index = pvgt_below(&state, pvg_graphset_count(set));
            PVGT_OK(pvg_graphset_get(&graph, set, index));
            if (pvg_graph_order(graph) <= 22) {
                mixed_patterns(patterns, 12, &state);
                snprintf(what, sizeof what, "%s graph %d", names[i], (int)index);
                check_patterns(&seen, patterns, MIXED, graph, what);
                round++;
            }
            pvg_graph_free(graph);
        }
        pvg_graphset_free(set);
    }
    TEST_ASSERT_TRUE(seen_between(&seen, 2, 128) > 0);
}

/* Cubes and grids have loops of their own: small graphs, and stars through 128 bits. */
static void test_cubes_and_grids(void) {
    enum { PATTERNS = 5 };
    static sizes seen;
    const pvgi_small patterns[PATTERNS] = {pvgt_cube(), pvgt_grid(3, 3), pvgt_grid(3, 5),
                                           pvgt_grid(6, 3), pvgt_grid(4, 4)};
    uint64_t state = 107;
    mpz_t expected, other;
    mpz_inits(expected, other, NULL);
    for (int32_t round = 0; round < 4; round++) {
        pvg_graph *graph = pvgt_uniform_graph(6 + round, 400 + 100 * round, &state);
        check_patterns(&seen, patterns, PATTERNS, graph, "random");
        pvg_graph_free(graph);
    }
    for (int64_t leaves = 3; leaves < 400000; leaves += 1 + 3 * leaves / 2) {
        int64_t *ends = calloc(2 * (size_t)leaves, sizeof *ends);
        pvg_graph *graph;
        for (int64_t v = 0; v < leaves; v++) ends[leaves + v] = v + 1;
        PVGT_OK(pvg_graph_from_edges(&graph, leaves + 1, ends, ends + leaves, leaves,
                                     PVG_EDGES_STRICT, NULL));
        for (int32_t i = 0; i < PATTERNS; i++) { /* one side to the hub, or the other */
            const unsigned long half = (unsigned long)patterns[i].order / 2;
            mpz_ui_pow_ui(expected, (unsigned long)leaves, half);
            mpz_ui_pow_ui(other, (unsigned long)leaves,
                          (unsigned long)patterns[i].order - half);
            mpz_add(expected, expected, other);
            check_pattern(&seen, &patterns[i], graph, expected, "star");
        }
        pvg_graph_free(graph);
        free(ends);
    }
    PVGT_CHECK(seen_between(&seen, 54, 128) > 15 && seen.refused > 2,
               "%d large, %d refused", (int)seen_between(&seen, 54, 128),
               (int)seen.refused);
    mpz_clears(expected, other, NULL);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(test_trees_against_big_integers);
    RUN_TEST(test_random_graphs);
    RUN_TEST(test_dense_graphs);
    RUN_TEST(test_through_128_bits);
    RUN_TEST(test_cubes_and_grids);
    RUN_TEST(test_real_graphs);
    RUN_TEST(test_real_graphs_with_cycles);
    return pvgt_end(UNITY_END());
}
