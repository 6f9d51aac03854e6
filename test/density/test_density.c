/* density: arguments, getters, limits, and numbers small enough to be known by heart. */
#include "density/density_internal.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

static pvg_patterns *list(const char *names) {
    pvg_patterns *patterns;
    PVGT_OK(pvg_patterns_from_names(&patterns, names));
    return patterns;
}

static pvg_density *compiled(const char *names) {
    pvg_patterns *patterns = list(names);
    pvg_density *density;
    PVGT_OK(pvg_density_new(&density, patterns, NULL));
    pvg_patterns_free(patterns);
    return density;
}

static pvg_graphset *set_of(pvg_graph *const *graphs, int64_t count) {
    pvg_graphset_builder *builder;
    pvg_graphset *set;
    PVGT_OK(pvg_graphset_builder_new(&builder, 0));
    for (int64_t i = 0; i < count; i++)
        PVGT_OK(pvg_graphset_builder_add(builder, graphs[i], -1, NULL, NULL));
    PVGT_OK(pvg_graphset_builder_finish(&set, builder));
    pvg_graphset_builder_free(builder);
    return set;
}

static pvg_graph *star(int64_t order) {
    pvg_graph *graph;
    PVGT_OK(pvg_graph_new_star(&graph, order));
    return graph;
}

/* --- compiling ------------------------------------------------------------------ */

static void test_new_arguments(void) {
    pvg_patterns *patterns = list("edge");
    pvg_density *density = (pvg_density *)patterns;
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL", pvg_density_new(NULL, patterns, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "patterns is NULL", pvg_density_new(&density, NULL, NULL));
    TEST_ASSERT_NULL(density);
    pvg_density_config config = {.size = sizeof config, .cycle_eigenvalues = 2};
    density = (pvg_density *)patterns;
    PVGT_FAILS(PVG_E_ARGUMENT, "cycle_eigenvalues",
               pvg_density_new(&density, patterns, &config));
    TEST_ASSERT_NULL(density);
    config.size = 2;
    PVGT_FAILS(PVG_E_ARGUMENT, "size", pvg_density_new(&density, patterns, &config));
    struct {
        pvg_density_config known;
        int64_t unknown;
    } newer = {{.size = sizeof newer}, 1};
    PVGT_FAILS(PVG_E_VERSION, "pvg_density_config",
               pvg_density_new(&density, patterns, &newer.known));
    newer.unknown = 0;
    PVGT_OK(pvg_density_new(&density, patterns, &newer.known));
    pvg_density_free(density);
    pvg_density_free(NULL);
    pvg_patterns_free(patterns);
}

static void test_getters(void) {
    pvg_density *density = compiled("vertex,edge,path4,cycle5,clique4,star3,wheel5");
    TEST_ASSERT_EQUAL_INT64(7, pvg_density_pattern_count(density));
    TEST_ASSERT_EQUAL_STRING("constant", pvg_density_engine(density, 0));
    TEST_ASSERT_EQUAL_STRING("trees", pvg_density_engine(density, 1));
    TEST_ASSERT_EQUAL_STRING("trees", pvg_density_engine(density, 2));
    for (int64_t i = 3; i <= 4; i++) /* which engine is elim's to choose */
        TEST_ASSERT_NOT_EQUAL(0, strcmp("trees", pvg_density_engine(density, i)));
    TEST_ASSERT_EQUAL_STRING("trees", pvg_density_engine(density, 5));
    TEST_ASSERT_EQUAL_STRING("elimination", pvg_density_engine(density, 6));
    TEST_ASSERT_NULL(pvg_density_engine(density, 7));
    TEST_ASSERT_NULL(pvg_density_engine(density, -1));
    TEST_ASSERT_NULL(pvg_density_engine(NULL, 0));
    TEST_ASSERT_EQUAL_INT64(0, pvg_density_pattern_count(NULL));
    TEST_ASSERT_EQUAL_INT64(0, pvg_density_products(NULL));
    TEST_ASSERT_EQUAL_INT64(0, pvg_density_products_unshared(NULL));
    /* edge, path4 and star3 have 1 + 3 + 3 edges; together they need A(A1) at most */
    TEST_ASSERT_EQUAL_INT64(7, pvg_density_products_unshared(density));
    TEST_ASSERT_EQUAL_INT64(1, pvg_density_products(density));
    pvg_density_free(density);
}

/* A triangle beside an edge: several engines. graph6 of 5 vertices: 01,02,12,34. */
static void test_mixed_pattern(void) {
    const int64_t order = 5, size = 4, from[] = {0, 0, 1, 3}, to[] = {1, 2, 2, 4};
    pvg_patterns *patterns;
    pvg_density *density;
    pvg_graph *clique;
    double value;
    PVGT_OK(pvg_patterns_from_edges(&patterns, &order, &size, 1, from, to));
    PVGT_OK(pvg_density_new(&density, patterns, NULL));
    TEST_ASSERT_EQUAL_STRING("mixed", pvg_density_engine(density, 0));
    PVGT_OK(pvg_graph_new_clique(&clique, 4));
    PVGT_OK(pvg_density_evaluate_graph_exact(&value, density, clique, NULL));
    TEST_ASSERT_EQUAL_DOUBLE(24.0 * 12.0 / 1024.0, value);
    pvg_graph_free(clique);
    pvg_density_free(density);
    pvg_patterns_free(patterns);
}

/* Paths share all their products: path9 and path8 need A1, A(A1), ... once. */
static void test_sharing(void) {
    pvg_density *one = compiled("path9"),
                *all = compiled("path9,path8,path7,path6,path5");
    TEST_ASSERT_EQUAL_INT64(pvg_density_products(one), pvg_density_products(all));
    TEST_ASSERT_EQUAL_INT64(3, pvg_density_products(one)); /* rooted in the middle */
    pvg_density *twice = compiled("path9,path9");
    TEST_ASSERT_EQUAL_INT64(1, twice->components);
    pvg_density_free(one);
    pvg_density_free(all);
    pvg_density_free(twice);
}

/* --- the rounding bound --------------------------------------------------------- */

static double gamma_of(double k) {
    return k * 0x1p-53 / (1.0 - k * 0x1p-53);
}

static void check_bound(const pvg_density *density, int64_t index, int64_t n, int64_t D,
                        double k) {
    double bound;
    PVGT_OK(pvg_density_relative_error(&bound, density, index, n, D));
    PVGT_CHECK(bound >= gamma_of(k) && bound <= gamma_of(k) * (1 + 1e-12),
               "pattern %d n %d D %d: %a, k %g", (int)index, (int)n, (int)D, bound, k);
}

static void test_relative_error(void) {
    pvg_density *density = compiled("path16,cycle8,vertex,path32");
    double bound = 0;
    /* n D^(m-1) < 2^53: exact, then n^m and the division */
    check_bound(density, 0, 25, 4, 2);
    check_bound(density, 0, 1000, 10, 15.0 * 10 + 999 + 15 + 2);
    check_bound(density, 1, 1000, 40, 2); /* 1000 * 40^7 = 1.6e14 */
    check_bound(density, 1, 1000, 999, 8.0 * 999 + 8 + 16 + 8.0 * 12 / 2 + 2);
    /* the degree is below the order anyway */
    check_bound(density, 0, 20, 1000000, 15.0 * 19 + 19 + 15 + 2);
    /* 2^22 nodes, degree 2: 2^22 * 2^31 = 2^53 is the first that is not below */
    check_bound(density, 3, (1 << 22) - 1, 2, 2);
    check_bound(density, 3, 1 << 22, 2, 31.0 * 2 + (double)(1 << 22) - 1 + 31 + 2);
    PVGT_OK(pvg_density_relative_error(&bound, density, 2, 100, 5));
    TEST_ASSERT_EQUAL_DOUBLE(0.0, bound); /* always 1 */
    PVGT_OK(pvg_density_relative_error(&bound, density, 0, 0, 0));
    TEST_ASSERT_EQUAL_DOUBLE(0.0, bound);
    bound = 7;
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL",
               pvg_density_relative_error(NULL, density, 0, 1, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "density is NULL",
               pvg_density_relative_error(&bound, NULL, 0, 1, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "index",
               pvg_density_relative_error(&bound, density, 4, 1, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "index",
               pvg_density_relative_error(&bound, density, -1, 1, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "order is negative",
               pvg_density_relative_error(&bound, density, 0, -1, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "degree_bound",
               pvg_density_relative_error(&bound, density, 0, 1, -1));
    PVGT_FAILS(PVG_E_LIMIT, "2^31",
               pvg_density_relative_error(&bound, density, 0, INT64_C(1) << 31, 1));
    TEST_ASSERT_EQUAL_DOUBLE(7.0, bound);
    pvg_density_free(density);
}

static double operations_of(const pvg_density *density, int64_t n, int64_t d) {
    double operations, seconds;
    PVGT_OK(pvg_density_cost(&operations, &seconds, density, n, d));
    PVGT_CHECK(operations >= 0 && operations <= 1e300 && seconds >= 0 &&
                   seconds < operations + 1e-300,
               "n %lld D %lld: %g, %g s", (long long)n, (long long)d, operations,
               seconds);
    return operations;
}

/* More nodes, higher degrees or more patterns never cost less; no graph has a degree of
 * its order; what is the least that must be done is not undercut; dense graphs are not
 * charged as sparse ones of that degree would be. */
static void test_cost(void) {
    static const char *const lists[] = {"path3",
                                        "path16,star5",
                                        "triangle",
                                        "cycle8",
                                        "clique5",
                                        "biclique4x4",
                                        "wheel6",
                                        "biclique2x3,wheel6,clique5,cycle8,path3",
                                        "biclique4x4,biclique5x5"};
    double operations = 7, seconds = 7;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        pvg_density *density = compiled(lists[i]);
        double before = -1;
        for (int64_t n = 1; n <= 47; n++) {
            const double own = operations_of(density, n, 4);
            PVGT_CHECK(own >= before, "%s: %g below %g at %lld nodes", lists[i], own,
                       before, (long long)n);
            before = own;
        }
        before = -1;
        for (int64_t d = 0; d < 46; d++) {
            const double own = operations_of(density, 47, d);
            PVGT_CHECK(own >= before, "%s: %g below %g at degree %lld", lists[i], own,
                       before, (long long)d);
            PVGT_CHECK(own >= 47.0 * (double)(i < 2 ? 1 : d), "%s reads arcs", lists[i]);
            before = own;
        }
        TEST_ASSERT_TRUE(operations_of(density, 47, 46) ==
                         operations_of(density, 47, INT64_C(1) << 40));
        /* 2^31 - 1 nodes: finite */
        TEST_ASSERT_TRUE(operations_of(density, INT32_MAX, INT32_MAX) >=
                         (double)INT32_MAX);
        pvg_density_free(density);
    }
    pvg_density *one = compiled("biclique4x4"), *two = compiled("biclique4x4,cycle8");
    TEST_ASSERT_TRUE(operations_of(one, 100, 9) < operations_of(two, 100, 9));
    /* n^5 products, about, where tries would visit n^5 tuples at hundreds each */
    TEST_ASSERT_TRUE(operations_of(one, 60, 59) < 64 * pow(60, 5));
    TEST_ASSERT_TRUE(operations_of(one, 60, 59) > pow(60, 5) / 8);
    PVGT_FAILS(PVG_E_ARGUMENT, "operations is NULL",
               pvg_density_cost(NULL, &seconds, one, 1, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "seconds is NULL",
               pvg_density_cost(&operations, NULL, one, 1, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "density is NULL",
               pvg_density_cost(&operations, &seconds, NULL, 1, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "order is negative",
               pvg_density_cost(&operations, &seconds, one, -1, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "degree_bound is negative",
               pvg_density_cost(&operations, &seconds, one, 1, -1));
    PVGT_FAILS(PVG_E_LIMIT, "2^31",
               pvg_density_cost(&operations, &seconds, one, INT64_C(1) << 31, 1));
    TEST_ASSERT_TRUE(operations == 7 && seconds == 7);
    pvg_density_free(one);
    pvg_density_free(two);
}

/* Two edges: the roundings of each and that of the product add up. */
static void test_relative_error_of_products(void) {
    const int64_t order = 4, size = 2, from[] = {0, 2}, to[] = {1, 3};
    pvg_patterns *patterns;
    pvg_density *density;
    PVGT_OK(pvg_patterns_from_edges(&patterns, &order, &size, 1, from, to));
    PVGT_OK(pvg_density_new(&density, patterns, NULL));
    check_bound(density, 0, 1000, 10, 2); /* (1000 * 10)^2 */
    /* each edge exact (2^30 * 2^20 < 2^53), their product not */
    check_bound(density, 0, 1 << 30, 1 << 20, 3);
    pvg_density_free(density);
    pvg_patterns_free(patterns);
}

/* --- powers --------------------------------------------------------------------- */

/* The last bit of n^k as strtod of its digits gives it, computed with decimal limbs. */
static double power_by_digits(int64_t n, int32_t k) {
    char digits[400];
    int value[400] = {1}, length = 1;
    for (int32_t i = 0; i < k; i++) {
        int64_t carry = 0;
        for (int j = 0; j < length || carry; j++) {
            const int64_t all = (j < length ? value[j] * n : 0) + carry;
            value[j] = (int)(all % 10);
            carry = all / 10;
            if (j >= length) length = j + 1;
        }
    }
    for (int j = 0; j < length; j++) digits[j] = (char)('0' + value[length - 1 - j]);
    digits[length] = 0;
    return strtod(digits, NULL);
}

static void test_powers(void) {
    static const int64_t orders[] = {1,          2,          3,         7,     10,
                                     25,         219,        3782,      65537, 1000003,
                                     2147483647, 2147483646, 1073741827};
    double power[PVGI_PATTERN_ORDER + 1];
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        pvgi_density_powers(power, orders[i], PVGI_PATTERN_ORDER);
        for (int32_t k = 0; k <= PVGI_PATTERN_ORDER; k++)
            PVGT_CHECK(power[k] == power_by_digits(orders[i], k), "%lld^%d",
                       (long long)orders[i], (int)k);
    }
}

/* --- evaluating ----------------------------------------------------------------- */

static void test_evaluate_arguments(void) {
    pvg_density *density = compiled("edge,path3"), *none = compiled("");
    pvg_graph *graph = star(3);
    pvg_graphset *set = set_of(&graph, 1), *empty = set_of(NULL, 0);
    double out[2] = {7, 7};
    uint64_t low[2] = {7, 7}, high[2] = {7, 7};
    pvg_run many = {.size = sizeof many, .threads = PVG_THREADS_MAX + 1};
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL",
               pvg_density_evaluate_exact(NULL, density, set, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "density is NULL",
               pvg_density_evaluate_exact(out, NULL, set, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "set is NULL",
               pvg_density_evaluate_exact(out, density, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "threads",
               pvg_density_evaluate_exact(out, density, set, &many));
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL",
               pvg_density_evaluate_graph_exact(NULL, density, graph, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "density is NULL",
               pvg_density_evaluate_graph_exact(out, NULL, graph, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "graph is NULL",
               pvg_density_evaluate_graph_exact(out, density, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "low is NULL",
               pvg_density_count_exact(NULL, high, density, set, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "density is NULL",
               pvg_density_count_exact(low, high, NULL, set, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "set is NULL",
               pvg_density_count_exact(low, high, density, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "low is NULL",
               pvg_density_count_graph_exact(NULL, high, density, graph, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "density is NULL",
               pvg_density_count_graph_exact(low, high, NULL, graph, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "graph is NULL",
               pvg_density_count_graph_exact(low, high, density, NULL, NULL));
    TEST_ASSERT_EQUAL_DOUBLE(7.0, out[0]);
    TEST_ASSERT_EQUAL_UINT64(7, low[0]);
    /* nothing to write: no buffer needed */
    PVGT_OK(pvg_density_evaluate_exact(NULL, density, empty, NULL));
    PVGT_OK(pvg_density_evaluate_exact(NULL, none, set, NULL));
    PVGT_OK(pvg_density_count_exact(NULL, NULL, none, set, NULL));
    PVGT_OK(pvg_density_rooted_exact(NULL, none, NULL, graph, NULL));
    TEST_ASSERT_EQUAL_INT64(0, pvg_density_pattern_count(none));
    PVGT_OK(pvg_density_evaluate_exact(out, density, set, NULL));
    TEST_ASSERT_EQUAL_DOUBLE(4.0 / 9.0, out[0]);
    TEST_ASSERT_EQUAL_DOUBLE(6.0 / 27.0, out[1]);
    PVGT_OK(pvg_density_count_exact(low, high, density, set, NULL));
    TEST_ASSERT_EQUAL_UINT64(4, low[0]);
    TEST_ASSERT_EQUAL_UINT64(6, low[1]);
    TEST_ASSERT_EQUAL_UINT64(0, high[0]);
    pvg_graphset_free(set);
    pvg_graphset_free(empty);
    pvg_graph_free(graph);
    pvg_density_free(density);
    pvg_density_free(none);
}

static void test_rooted_arguments(void) {
    pvg_density *density = compiled("edge,path3");
    pvg_graph *graph = star(3);
    double out[6] = {7};
    int32_t roots[2] = {1, 3};
    PVGT_FAILS(PVG_E_ARGUMENT, "density is NULL",
               pvg_density_rooted_exact(out, NULL, NULL, graph, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "graph is NULL",
               pvg_density_rooted_exact(out, density, NULL, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL",
               pvg_density_rooted_exact(NULL, density, NULL, graph, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "roots[1]",
               pvg_density_rooted_exact(out, density, roots, graph, NULL));
    roots[1] = -1;
    PVGT_FAILS(PVG_E_ARGUMENT, "roots[1]",
               pvg_density_rooted_exact(out, density, roots, graph, NULL));
    TEST_ASSERT_EQUAL_DOUBLE(7.0, out[0]);
    roots[1] = 1; /* the middle */
    PVGT_OK(pvg_density_rooted_exact(out, density, roots, graph, NULL));
    TEST_ASSERT_EQUAL_DOUBLE(2.0 / 3.0, out[0]);
    TEST_ASSERT_EQUAL_DOUBLE(4.0 / 9.0, out[1]);
    TEST_ASSERT_EQUAL_DOUBLE(1.0 / 3.0, out[2]);
    TEST_ASSERT_EQUAL_DOUBLE(1.0 / 9.0, out[3]);
    pvg_graph_free(graph);
    pvg_density_free(density);
}

static void test_edge_arguments(void) {
    pvg_density *density = compiled("edge,path3");
    pvg_graph *graph = star(4);
    int64_t from[2] = {0, 1}, to[2] = {1, 2};
    uint64_t low[4] = {7}, high[4] = {7};
    PVGT_FAILS(PVG_E_ARGUMENT, "density is NULL",
               pvg_density_edge_exact(low, high, NULL, graph, from, to, 2, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "graph is NULL",
               pvg_density_edge_exact(low, high, density, NULL, from, to, 2, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "sources is NULL",
               pvg_density_edge_exact(low, high, density, graph, NULL, to, 2, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "targets is NULL",
               pvg_density_edge_exact(low, high, density, graph, from, NULL, 2, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "low is NULL",
               pvg_density_edge_exact(NULL, high, density, graph, from, to, 2, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "count is negative",
               pvg_density_edge_exact(low, high, density, graph, from, to, -1, NULL));
    to[1] = 1;
    PVGT_FAILS(PVG_E_ARGUMENT, "pair 1 is a loop",
               pvg_density_edge_exact(low, high, density, graph, from, to, 2, NULL));
    to[1] = 4;
    PVGT_FAILS(PVG_E_ARGUMENT, "pair 1 names no node",
               pvg_density_edge_exact(low, high, density, graph, from, to, 2, NULL));
    TEST_ASSERT_EQUAL_UINT64(7, low[0]);
    PVGT_OK(pvg_density_edge_exact(NULL, NULL, density, graph, NULL, NULL, 0, NULL));
    to[1] = 2;
    PVGT_OK(pvg_density_edge_exact(low, NULL, density, graph, from, to, 2, NULL));
    /* degrees 3 1 1 1: without 01 they are 2 0 1 1, with 12 they are 3 2 2 1 */
    TEST_ASSERT_EQUAL_UINT64(2, low[0]);
    TEST_ASSERT_EQUAL_UINT64(12 - 6, low[1]);
    TEST_ASSERT_EQUAL_UINT64(2, low[2]);
    TEST_ASSERT_EQUAL_UINT64(18 - 12, low[3]);
    pvg_graph_free(graph);
    pvg_density_free(density);
}

/* --- overflow ------------------------------------------------------------------- */

/* `copies` stars of `leaves` leaves: hom(star_k) = copies * (leaves^k + leaves). */
static pvg_graph *stars(int64_t copies, int64_t leaves) {
    const int64_t order = copies * (leaves + 1), edges = copies * leaves;
    int64_t *from = calloc((size_t)edges, sizeof *from);
    int64_t *to = calloc((size_t)edges, sizeof *to);
    pvg_graph *graph;
    for (int64_t e = 0; e < edges; e++) {
        from[e] = e / leaves * (leaves + 1);
        to[e] = from[e] + 1 + e % leaves;
    }
    PVGT_OK(pvg_graph_from_edges(&graph, order, from, to, edges, PVG_EDGES_STRICT, NULL));
    free(from);
    free(to);
    return graph;
}

static void check_stars(int64_t copies, int64_t leaves, int32_t k, int32_t bits) {
    char name[16];
    snprintf(name, sizeof name, "star%d", (int)k);
    pvg_density *density = compiled(name);
    pvg_graph *graph = stars(copies, leaves);
    uint64_t low = 7, high = 7;
    pvgi_u128 expected = 1;
    for (int32_t i = 0; i < k; i++) expected *= (pvgi_u128)leaves;
    expected = (expected + (pvgi_u128)leaves) * (pvgi_u128)copies;
    if (bits > 128) {
        PVGT_FAILS(PVG_E_LIMIT, "pattern 0 in graph 0: the count does not fit in 128",
                   pvg_density_count_graph_exact(&low, &high, density, graph, NULL));
        TEST_ASSERT_EQUAL_UINT64(7, low);
        TEST_ASSERT_EQUAL_UINT64(7, high);
    } else {
        PVGT_OK(pvg_density_count_graph_exact(&low, &high, density, graph, NULL));
        PVGT_CHECK(low == (uint64_t)expected && high == (uint64_t)(expected >> 64),
                   "%d stars of %d, star%d", (int)copies, (int)leaves, (int)k);
    }
    low = 7;
    if (bits > 64) {
        PVGT_FAILS(PVG_E_LIMIT, "does not fit in 64 bits",
                   pvg_density_count_graph_exact(&low, NULL, density, graph, NULL));
        TEST_ASSERT_EQUAL_UINT64(7, low);
    } else {
        PVGT_OK(pvg_density_count_graph_exact(&low, NULL, density, graph, NULL));
        PVGT_CHECK(low == (uint64_t)expected, "%d stars of %d, star%d, 64 bits",
                   (int)copies, (int)leaves, (int)k);
    }
    pvg_graph_free(graph);
    pvg_density_free(density);
}

static void test_overflow(void) {
    check_stars(7, 4, 25, 53);  /* 7 * (2^50 + 4), below 2^53 */
    check_stars(8, 4, 25, 54);  /* 2^53 + 32 */
    check_stars(9, 4, 25, 54);  /* 2^53 + 2^50 + 36 */
    check_stars(1, 3, 31, 50);  /* odd numbers, below */
    check_stars(21, 3, 31, 54); /* and above 2^53 */
    check_stars(1, 8, 21, 64);  /* 2^63 + 8 */
    check_stars(1, 15, 16, 63);
    check_stars(1, 16, 16, 65); /* 2^64 + 16 */
    check_stars(7, 16, 31, 127);
    check_stars(8, 16, 31, 128);  /* 2^127 + 128 */
    check_stars(15, 16, 31, 128); /* 15 * 2^124 + 240 */
    check_stars(16, 16, 31, 129); /* 2^128 + 256: the sum overflows */
    check_stars(1, 18, 31, 130);  /* a product overflows */
}

/* Isolated vertices multiply by n, and 0 stays 0. */
static void test_overflow_of_products(void) {
    pvg_density *empties = compiled("empty31,empty32");
    pvg_graph *graph;
    uint64_t low[2], high[2];
    PVGT_OK(pvg_graph_new_path(&graph, 16));
    PVGT_FAILS(PVG_E_LIMIT, "pattern 1",
               pvg_density_count_graph_exact(low, high, empties, graph, NULL));
    pvg_graph_free(graph);
    pvg_density_free(empties);
    /* an edge beside 31 vertices, in a graph without edges */
    const int64_t order = 32, size = 1, from = 0, to = 1;
    pvg_patterns *patterns;
    pvg_density *density;
    PVGT_OK(pvg_patterns_from_edges(&patterns, &order, &size, 1, &from, &to));
    PVGT_OK(pvg_density_new(&density, patterns, NULL));
    PVGT_OK(pvg_graph_from_edges(&graph, 100, NULL, NULL, 0, PVG_EDGES_STRICT, NULL));
    PVGT_OK(pvg_density_count_graph_exact(low, high, density, graph, NULL));
    TEST_ASSERT_EQUAL_UINT64(0, low[0]);
    TEST_ASSERT_EQUAL_UINT64(0, high[0]);
    pvg_graph_free(graph);
    pvg_density_free(density);
    pvg_patterns_free(patterns);
}

/* Largest order and pattern: no infinity, no zero. */
static void test_densities_beyond_128_bits(void) {
    pvg_density *density = compiled("path32,star31");
    pvg_graph *graph = star(30001);
    double out[2];
    PVGT_OK(pvg_density_evaluate_graph_exact(out, density, graph, NULL));
    /* path32 in a star: 2 * 30000^16 maps */
    TEST_ASSERT_DOUBLE_WITHIN(1e-12 * out[0],
                              2 * exp(16 * log(30000.0) - 32 * log(30001.0)), out[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-11 * out[1], exp(31 * log(30000.0) - 32 * log(30001.0)),
                              out[1]);
    pvg_graph_free(graph);
    pvg_density_free(density);
}

/* --- limits and cancelling ------------------------------------------------------ */

static void test_scratch_limit(void) {
    pvg_density *density = compiled("path6,cycle4,star3");
    pvg_graph *graph = star(1000), *large = star(40000);
    pvg_graphset *set = set_of(&graph, 1);
    const int64_t from = 0, to = 1;
    double *out = calloc(3 * 40000, sizeof *out);
    uint64_t low[3] = {7, 7, 7}, high[3];
    pvg_run run = {.size = sizeof run, .scratch_limit = 1000};
    const long live = pvgt_live_blocks();
    out[0] = 7;
    PVGT_FAILS(PVG_E_LIMIT, "scratch_limit",
               pvg_density_evaluate_exact(out, density, set, &run));
    PVGT_FAILS(PVG_E_LIMIT, "scratch_limit",
               pvg_density_evaluate_graph_exact(out, density, graph, &run));
    PVGT_FAILS(PVG_E_LIMIT, "scratch_limit",
               pvg_density_count_graph_exact(low, high, density, graph, &run));
    PVGT_FAILS(PVG_E_LIMIT, "scratch_limit",
               pvg_density_rooted_exact(out, density, NULL, graph, &run));
    PVGT_FAILS(PVG_E_LIMIT, "scratch_limit",
               pvg_density_edge_exact(low, high, density, graph, &from, &to, 1, &run));
    run.scratch_limit = 1 << 20; /* enough for the small graph only */
    PVGT_FAILS(PVG_E_LIMIT, "scratch_limit",
               pvg_density_evaluate_graph_exact(out, density, large, &run));
    TEST_ASSERT_EQUAL_DOUBLE(7.0, out[0]);
    TEST_ASSERT_EQUAL_UINT64(7, low[0]);
    TEST_ASSERT_EQUAL_INT64(live, pvgt_live_blocks());
    run.scratch_limit = 64 << 20;
    PVGT_OK(pvg_density_evaluate_exact(out, density, set, &run));
    PVGT_OK(pvg_density_evaluate_graph_exact(out, density, large, &run));
    free(out);
    pvg_graphset_free(set);
    pvg_graph_free(graph);
    pvg_graph_free(large);
    pvg_density_free(density);
}

static int32_t stop(void *context, double fraction) {
    (void)context;
    return fraction >= 0.0;
}

/* Hundreds of products: long enough for the callback to be asked on any machine. */
static pvg_density *slow_density(int64_t count) {
    pvg_sampler_config config = {.size = sizeof config, .order_min = 32};
    pvg_sampler *sampler;
    pvg_rng *rng;
    pvg_patterns *patterns;
    pvg_density *density;
    config.order_typical = config.order_max = 32;
    PVGT_OK(pvg_sampler_from_name(&sampler, "trees", &config));
    PVGT_OK(pvg_rng_new_seeded(&rng, 1));
    PVGT_OK(pvg_patterns_draw(&patterns, sampler, count, rng, NULL));
    PVGT_OK(pvg_density_new(&density, patterns, NULL));
    pvg_patterns_free(patterns);
    pvg_rng_free(rng);
    pvg_sampler_free(sampler);
    return density;
}

static void test_cancel(void) {
    enum { GRAPHS = 60, ORDER = 30000, COUNT = 100 };
    pvg_density *density = slow_density(COUNT), *fewer = slow_density(COUNT / 4);
    pvg_graph *graph, *large, *graphs[GRAPHS];
    static double out[GRAPHS * COUNT];
    static uint64_t low[GRAPHS * COUNT];
    pvg_run run = {.size = sizeof run, .threads = 2, .progress = stop};
    PVGT_OK(pvg_graph_new_cycle(&graph, ORDER));
    PVGT_OK(pvg_graph_new_cycle(&large, 20 * ORDER));
    for (int i = 0; i < GRAPHS; i++) graphs[i] = graph;
    pvg_graphset *set = set_of(graphs, GRAPHS);
    PVGT_FAILS(PVG_E_CANCELLED, "cancelled",
               pvg_density_evaluate_exact(out, density, set, &run));
    PVGT_FAILS(PVG_E_CANCELLED, "cancelled",
               pvg_density_count_exact(low, low, density, set, &run));
    run.threads = 1;
    PVGT_FAILS(PVG_E_CANCELLED, "cancelled",
               pvg_density_evaluate_graph_exact(out, fewer, large, &run));
    for (int i = 0; i < GRAPHS * COUNT; i++) {
        TEST_ASSERT_EQUAL_DOUBLE(0.0, out[i]);
        TEST_ASSERT_EQUAL_UINT64(0, low[i]);
    }
    pvg_graphset_free(set);
    pvg_graph_free(graph);
    pvg_graph_free(large);
    pvg_density_free(density);
    pvg_density_free(fewer);
}

/* --- dense graphs --------------------------------------------------------------- */

/* Cycles in dense graphs go through matrix products: the counts of the 128-bit engine,
 * and the bits of the sparse way, which a small scratch limit enforces; mixed with sparse
 * graphs and with one whose walks are too many for exact doubles. */
static void test_dense_cycles(void) {
    pvg_density *density = compiled("cycle3,cycle4,cycle5,cycle6,path4,cycle7,clique4");
    pvg_graph *graphs[5];
    pvg_rng *rng;
    double dense[5][7], sparse[7], two[5][7];
    uint64_t low[5][7], high[5][7];
    PVGT_OK(pvg_rng_new_seeded(&rng, 12));
    PVGT_OK(pvg_graph_draw_erdos_renyi(&graphs[0], 64, 0.5, rng, NULL));
    PVGT_OK(pvg_graph_draw_erdos_renyi(&graphs[1], 90, 0.05, rng, NULL));
    PVGT_OK(pvg_graph_new_clique(&graphs[2], 70));
    PVGT_OK(pvg_graph_draw_erdos_renyi(&graphs[3], 100, 0.3, rng, NULL));
    PVGT_OK(pvg_graph_new_clique(&graphs[4], 200)); /* 200^7 > 2^53 */
    for (int i = 0; i < 5; i++) {
        const pvgi_host host = {graphs[i]->order, 0, graphs[i]->offsets,
                                graphs[i]->columns};
        TEST_ASSERT_EQUAL_INT(i != 1, pvgi_density_dense_likely(&host));
    }
    pvg_graphset *set = set_of(graphs, 5);
    const pvg_run pair = {.size = sizeof pair, .threads = 2};
    PVGT_OK(pvg_density_evaluate_exact(dense[0], density, set, NULL));
    PVGT_OK(pvg_density_evaluate_exact(two[0], density, set, &pair));
    TEST_ASSERT_EQUAL_MEMORY(dense, two, sizeof dense);
    PVGT_OK(pvg_density_count_exact(low[0], high[0], density, set, NULL));
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 7; j++) {
            const double n = (double)graphs[i]->order;
            double power = 1;
            for (int k = 0; k < (j < 4 ? j + 3 : j == 5 ? 7 : 4); k++) power *= n;
            TEST_ASSERT_EQUAL_UINT64(0, high[i][j]);
            PVGT_CHECK(fabs(dense[i][j] * power / (double)low[i][j] - 1) < 1e-14 ||
                           low[i][j] == 0,
                       "graph %d pattern %d", i, j);
        }
    /* K_70: (n-1)^k + (n-1)(-1)^k */
    TEST_ASSERT_EQUAL_UINT64((uint64_t)69 * 69 * 69 - 69, low[2][0]);
    /* too little room for three matrices of order 100, enough for the sparse way */
    const pvg_run tight = {.size = sizeof tight, .scratch_limit = 450000};
    PVGT_OK(pvg_density_evaluate_graph_exact(sparse, density, graphs[3], &tight));
    TEST_ASSERT_EQUAL_MEMORY(dense[3], sparse, sizeof sparse);
    pvg_graphset_free(set);
    for (int i = 0; i < 5; i++) pvg_graph_free(graphs[i]);
    pvg_rng_free(rng);
    pvg_density_free(density);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(test_new_arguments);
    RUN_TEST(test_getters);
    RUN_TEST(test_mixed_pattern);
    RUN_TEST(test_sharing);
    RUN_TEST(test_relative_error);
    RUN_TEST(test_cost);
    RUN_TEST(test_relative_error_of_products);
    RUN_TEST(test_powers);
    RUN_TEST(test_evaluate_arguments);
    RUN_TEST(test_rooted_arguments);
    RUN_TEST(test_edge_arguments);
    RUN_TEST(test_overflow);
    RUN_TEST(test_overflow_of_products);
    RUN_TEST(test_densities_beyond_128_bits);
    RUN_TEST(test_scratch_limit);
    RUN_TEST(test_cancel);
    RUN_TEST(test_dense_cycles);
    return pvgt_end(UNITY_END());
}
