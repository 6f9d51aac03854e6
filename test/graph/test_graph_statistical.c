/* Laws of the random graphs, from seeded generators. Every check is a function of counts
 * that is also given counts of a wrong law and must then refuse them. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "graph/draw.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

/* Six standard deviations: a right generator fails once in 10^9 seeds. */
enum { DEVIATIONS = 6 };

static bool binomial_fits(double successes, double trials, double p) {
    return fabs(successes - trials * p) <=
           DEVIATIONS * sqrt(trials * p * (1.0 - p)) + 1e-9;
}

/* Chi-square with many degrees of freedom, by its normal approximation
 * (Wilson and Hilferty). */
static bool uniform_fits(const int64_t *counts, int cells, double total) {
    double statistic = 0.0;
    const double mean = total / cells, df = cells - 1, spread = 2.0 / (9.0 * df);
    for (int i = 0; i < cells; i++)
        statistic += ((double)counts[i] - mean) * ((double)counts[i] - mean) / mean;
    return fabs(cbrt(statistic / df) - (1.0 - spread)) <= DEVIATIONS * sqrt(spread);
}

static pvg_rng *seeded(uint64_t seed) {
    pvg_rng *rng;
    PVGT_OK(pvg_rng_new_seeded(&rng, seed));
    return rng;
}

/* A code of the edges of a small graph, one bit per pair. */
static uint32_t code_of(const pvg_graph *graph) {
    uint32_t code = 0;
    int bit = 0;
    for (int64_t u = 0; u < pvg_graph_order(graph); u++)
        for (int64_t v = 0; v < u; v++, bit++)
            code |= (uint32_t)pvg_graph_has_edge(graph, u, v) << bit;
    return code;
}

static void logarithms_agree_with_libm(void) {
    uint64_t state = 1;
    for (int i = 0; i < 100000; i++) {
        const double unit = (double)((pvgt_random(&state) >> 11) + 1) * 0x1p-53;
        const double x = i % 2 ? unit : ldexp(unit, -(int)pvgt_below(&state, 900));
        const double expected = log(x), got = pvgi_graph_draw_log(x);
        PVGT_CHECK(fabs(got - expected) <= 1e-15 * fabs(expected) + 2e-16 * (x > 0.5),
                   "x=%a", x);
        if (x == 1.0) continue;
        const double below = log1p(-x), close = pvgi_graph_draw_log_complement(x);
        PVGT_CHECK(fabs(close - below) <= 2e-15 * fabs(below), "p=%a", x);
    }
    TEST_ASSERT_TRUE(pvgi_graph_draw_log(1.0) == 0.0);
}

/* --- pairs ----------------------------------------------------------------------- */

/* All 64 graphs on 4 nodes: the joint law, so independence too. */
static bool pairs_fit(double p, double claimed, uint64_t seed) {
    enum { GRAPHS = 60000 };
    pvg_rng *rng = seeded(seed);
    int64_t counts[64] = {0};
    for (int i = 0; i < GRAPHS; i++) {
        pvg_graph *graph;
        PVGT_OK(pvg_graph_draw_erdos_renyi(&graph, 4, p, rng, NULL));
        counts[code_of(graph)]++;
        pvg_graph_free(graph);
    }
    pvg_rng_free(rng);
    bool fits = true;
    for (int code = 0; code < 64; code++) {
        const int edges = __builtin_popcount((unsigned)code);
        fits &= binomial_fits((double)counts[code], GRAPHS,
                              pow(claimed, edges) * pow(1.0 - claimed, 6 - edges));
    }
    return fits;
}

static void erdos_renyi_on_four_nodes(void) {
    TEST_ASSERT_TRUE(pairs_fit(0.5, 0.5, 1));
    TEST_ASSERT_TRUE(pairs_fit(0.2, 0.2, 2));
    TEST_ASSERT_TRUE(pairs_fit(0.85, 0.85, 3));
    TEST_ASSERT_FALSE(pairs_fit(0.2, 0.22, 2));
    TEST_ASSERT_FALSE(pairs_fit(0.5, 0.48, 1));
}

static void erdos_renyi_extremes(void) {
    pvg_rng *rng = seeded(4);
    pvg_graph *graph;
    for (int64_t order = 0; order < 40; order++) {
        PVGT_OK(pvg_graph_draw_erdos_renyi(&graph, order, 1.0, rng, NULL));
        TEST_ASSERT_EQUAL_INT64(order * (order - 1) / 2, pvg_graph_size(graph));
        pvg_graph_free(graph);
        PVGT_OK(pvg_graph_draw_erdos_renyi(&graph, order, 0.0, rng, NULL));
        TEST_ASSERT_EQUAL_INT64(0, pvg_graph_size(graph));
        pvg_graph_free(graph);
        PVGT_OK(pvg_graph_draw_erdos_renyi(&graph, order, 5e-324, rng, NULL));
        TEST_ASSERT_EQUAL_INT64(0, pvg_graph_size(graph));
        pvg_graph_free(graph);
    }
    /* sparse and large: the number of edges */
    const double p = 1e-5, pairs = 0.5 * 300000.0 * 299999.0;
    PVGT_OK(pvg_graph_draw_erdos_renyi(&graph, 300000, p, rng, NULL));
    TEST_ASSERT_TRUE(binomial_fits((double)pvg_graph_size(graph), pairs, p));
    TEST_ASSERT_FALSE(binomial_fits((double)pvg_graph_size(graph), pairs, 1.02 * p));
    pvg_graph_free(graph);
    pvg_rng_free(rng);
}

/* Edges between the blocks a and b of a graph. */
static int64_t edges_between(const pvg_graph *graph, const int64_t *starts, int a,
                             int b) {
    int64_t count = 0;
    for (int64_t u = starts[a]; u < starts[a + 1]; u++)
        for (int64_t v = starts[b]; v < starts[b + 1]; v++)
            count += u < v && pvg_graph_has_edge(graph, u, v);
    return count;
}

static void blocks_have_their_densities(void) {
    const int64_t orders[] = {150, 0, 250, 100}, starts[] = {0, 150, 150, 400, 500};
    const double p[] = {0.3,  0.9, 0.05, 1.0,  0.9, 0.1, 0.2,  0.3, //
                        0.05, 0.2, 0.6,  0.02, 1.0, 0.3, 0.02, 0.0};
    pvg_rng *rng = seeded(5);
    pvg_graph *graph;
    PVGT_OK(pvg_graph_draw_blocks(&graph, orders, p, 4, rng, NULL));
    TEST_ASSERT_EQUAL_INT64(500, pvg_graph_order(graph));
    for (int a = 0; a < 4; a++)
        for (int b = a; b < 4; b++) {
            const double pairs = a == b ? 0.5 * (double)orders[a] *
                                              (double)(orders[a] > 0 ? orders[a] - 1 : 0)
                                        : (double)orders[a] * (double)orders[b];
            const double edges = (double)edges_between(graph, starts, a, b);
            const double density = p[4 * a + b];
            PVGT_CHECK(binomial_fits(edges, pairs, density), "blocks %d %d", a, b);
            if (pairs > 0 && density > 0.1 && density < 1.0)
                PVGT_CHECK(!binomial_fits(edges, pairs, 0.8 * density), "blocks %d %d", a,
                           b);
        }
    pvg_graph_free(graph);
    PVGT_OK(pvg_graph_draw_blocks(&graph, NULL, NULL, 0, rng, NULL));
    TEST_ASSERT_EQUAL_INT64(0, pvg_graph_order(graph));
    pvg_graph_free(graph);
    pvg_rng_free(rng);
}

/* The joint law of Chung-Lu on five nodes with one pair above probability 1. */
static void chung_lu_has_its_probabilities(void) {
    enum { GRAPHS = 40000, ORDER = 5 };
    const double weights[ORDER] = {1.0, 0.0, 4.0, 0.5, 3.5};
    pvg_rng *rng = seeded(6);
    int64_t edges[ORDER][ORDER] = {{0}}, both = 0;
    for (int i = 0; i < GRAPHS; i++) {
        pvg_graph *graph;
        PVGT_OK(pvg_graph_draw_chung_lu(&graph, weights, ORDER, rng, NULL));
        for (int u = 0; u < ORDER; u++)
            for (int v = 0; v < u; v++) edges[u][v] += pvg_graph_has_edge(graph, u, v);
        both += pvg_graph_has_edge(graph, 0, 2) && pvg_graph_has_edge(graph, 3, 2);
        pvg_graph_free(graph);
    }
    for (int u = 0; u < ORDER; u++)
        for (int v = 0; v < u; v++) {
            const double p = fmin(1.0, weights[u] * weights[v] / 9.0);
            PVGT_CHECK(binomial_fits((double)edges[u][v], GRAPHS, p), "pair %d %d", u, v);
            if (p > 0.1 && p < 1.0)
                PVGT_CHECK(!binomial_fits((double)edges[u][v], GRAPHS, 0.9 * p),
                           "pair %d %d", u, v);
        }
    TEST_ASSERT_TRUE(binomial_fits((double)both, GRAPHS, 4.0 / 9.0 * 2.0 / 9.0));

    /* large: the sum of independent pairs, and the degree of the heaviest node */
    enum { LARGE = 20000 };
    double *many = malloc(LARGE * sizeof *many), sum = 0.0, mean = 0.0, variance = 0.0;
    for (int i = 0; i < LARGE; i++) sum += many[i] = 30.0 / sqrt(1.0 + i) * (1 + i % 3);
    for (int i = 1; i < LARGE; i++) {
        const double p = fmin(1.0, many[2] * many[i] / sum);
        mean += i != 2 ? p : fmin(1.0, many[2] * many[0] / sum);
        variance += p * (1.0 - p);
    }
    pvg_graph *graph;
    PVGT_OK(pvg_graph_draw_chung_lu(&graph, many, LARGE, rng, NULL));
    PVGT_CHECK(fabs((double)pvg_graph_degree(graph, 2) - mean) <=
                   DEVIATIONS * sqrt(variance) + 1.0,
               "degree %lld, mean %g", (long long)pvg_graph_degree(graph, 2), mean);
    pvg_graph_free(graph);
    free(many);
    pvg_rng_free(rng);
}

/* --- trees ----------------------------------------------------------------------- */

/* Cayley: order^(order-2) labelled trees; all must be equally likely. */
static void trees_are_uniform(void) {
    for (int order = 3; order <= 5; order++) {
        const int trees = order == 3   ? 3
                          : order == 4 ? 16
                                       : 125,
                  graphs = trees < 12 ? 6000 : 500 * trees;
        pvg_rng *rng = seeded(7);
        uint32_t codes[125];
        int64_t counts[125] = {0};
        int seen = 0;
        for (int i = 0; i < graphs; i++) {
            pvg_graph *graph;
            PVGT_OK(pvg_graph_draw_tree(&graph, order, rng));
            const uint32_t code = code_of(graph);
            int at = 0;
            while (at < seen && codes[at] != code) at++;
            PVGT_CHECK(at < trees, "more than %d graphs of order %d", trees, order);
            if (at == seen) codes[seen++] = code;
            counts[at]++;
            TEST_ASSERT_EQUAL_INT64(order - 1, pvg_graph_size(graph));
            pvg_graph_free(graph);
        }
        TEST_ASSERT_EQUAL_INT(trees, seen);
        TEST_ASSERT_TRUE(uniform_fits(counts, trees, graphs));
        for (int i = 0; i < trees;
             i += 2) { /* a law that likes every second tree: +30 % */
            const int64_t moved = counts[(i + 1) % trees] * 3 / 20;
            counts[i] += moved;
            counts[(i + 1) % trees] -= moved;
        }
        TEST_ASSERT_FALSE(uniform_fits(counts, trees, graphs));
        pvg_rng_free(rng);
    }
}

/* Removes nodes with `width` neighbours that form a clique until width + 1 nodes are
 * left. */
static bool is_ktree(const pvg_graph *graph, int64_t width) {
    const int64_t order = pvg_graph_order(graph);
    bool *gone = calloc((size_t)order, sizeof *gone);
    int64_t left = order;
    bool moved = true;
    while (moved && left > width + 1) {
        moved = false;
        for (int64_t node = 0; node < order && left > width + 1; node++) {
            const int32_t *row;
            int64_t degree, kept[16], count = 0;
            PVGT_OK(pvg_graph_view_neighbours(&row, &degree, graph, node));
            for (int64_t i = 0; i < degree && count <= width; i++)
                if (!gone[row[i]]) kept[count++] = row[i];
            if (gone[node] || count != width) continue;
            bool clique = true;
            for (int64_t i = 0; i < count; i++)
                for (int64_t j = 0; j < i; j++)
                    clique &= pvg_graph_has_edge(graph, kept[i], kept[j]) == 1;
            if (!clique) continue;
            gone[node] = moved = true;
            left--;
        }
    }
    int64_t inside = 0; /* what is left must be a clique */
    for (int64_t u = 0; u < order; u++)
        for (int64_t v = 0; v < u; v++)
            inside += !gone[u] && !gone[v] && pvg_graph_has_edge(graph, u, v);
    free(gone);
    return left == width + 1 && inside == width * (width + 1) / 2;
}

static void ktrees_are_ktrees(void) {
    pvg_rng *rng = seeded(8);
    for (int64_t width = 0; width <= 6; width++)
        for (int64_t order = width + 1; order < 80; order += 1 + order / 9) {
            pvg_graph *graph;
            PVGT_OK(pvg_graph_draw_ktree(&graph, order, width, rng));
            PVGT_CHECK(is_ktree(graph, width) &&
                           pvg_graph_size(graph) ==
                               width * order - width * (width + 1) / 2,
                       "order %lld width %lld", (long long)order, (long long)width);
            pvg_graph_free(graph);
        }
    pvg_graph *cycle;
    PVGT_OK(pvg_graph_new_cycle(&cycle, 9));
    TEST_ASSERT_FALSE(is_ktree(cycle, 2));
    TEST_ASSERT_FALSE(is_ktree(cycle, 1));
    pvg_graph_free(cycle);
    pvg_rng_free(rng);
}

/* Width 2, order 5: node 3 joins one of 3 edges, node 4 one of 5. The 15 choices make
 * different graphs, each with probability 1/15. */
static void ktrees_join_uniform_cliques(void) {
    enum { GRAPHS = 9000, CHOICES = 15 };
    pvg_rng *rng = seeded(9);
    uint32_t codes[CHOICES];
    int64_t counts[CHOICES] = {0};
    int seen = 0;
    for (int i = 0; i < GRAPHS; i++) {
        pvg_graph *graph;
        PVGT_OK(pvg_graph_draw_ktree(&graph, 5, 2, rng));
        const uint32_t code = code_of(graph);
        int at = 0;
        while (at < seen && codes[at] != code) at++;
        TEST_ASSERT_TRUE(at < CHOICES);
        if (at == seen) codes[seen++] = code;
        counts[at]++;
        pvg_graph_free(graph);
    }
    TEST_ASSERT_EQUAL_INT(CHOICES, seen);
    TEST_ASSERT_TRUE(uniform_fits(counts, CHOICES, GRAPHS));
    counts[0] += counts[1] / 4;
    counts[1] -= counts[1] / 4;
    counts[2] += counts[3] / 4;
    counts[3] -= counts[3] / 4;
    TEST_ASSERT_FALSE(uniform_fits(counts, CHOICES, GRAPHS));
    pvg_rng_free(rng);
}

/* --- preferential attachment ----------------------------------------------------- */

static void preferential_follows_degrees(void) {
    /* attach 1, order 4: after the edge 0-1, node 2 joins 0 or 1; its neighbour then has
     * degree 2 of 4, so node 3 joins it with probability 1/2, node 2 with 1/4. */
    enum { GRAPHS = 20000 };
    pvg_rng *rng = seeded(10);
    int64_t hub = 0, newest = 0;
    for (int i = 0; i < GRAPHS; i++) {
        pvg_graph *graph;
        PVGT_OK(pvg_graph_draw_preferential(&graph, 4, 1, rng, NULL));
        const int64_t middle = pvg_graph_has_edge(graph, 2, 0) ? 0 : 1;
        hub += pvg_graph_has_edge(graph, 3, middle);
        newest += pvg_graph_has_edge(graph, 3, 2);
        pvg_graph_free(graph);
    }
    TEST_ASSERT_TRUE(binomial_fits((double)hub, GRAPHS, 0.5));
    TEST_ASSERT_TRUE(binomial_fits((double)newest, GRAPHS, 0.25));
    TEST_ASSERT_FALSE(
        binomial_fits((double)hub, GRAPHS, 1.0 / 3.0)); /* uniform attachment */
    for (int64_t attach = 1; attach < 6; attach++) {
        pvg_graph *graph;
        PVGT_OK(pvg_graph_draw_preferential(&graph, 300, attach, rng, NULL));
        TEST_ASSERT_EQUAL_INT64(attach * (attach + 1) / 2 + (300 - attach - 1) * attach,
                                pvg_graph_size(graph));
        for (int64_t node = 0; node < 300; node++)
            TEST_ASSERT_TRUE(pvg_graph_degree(graph, node) >= attach);
        pvg_graph_free(graph);
    }
    pvg_rng_free(rng);
}

/* --- data sets of papers --------------------------------------------------------- */

/* Given the labels, P(triangle) tells zeta: E = q^3 + zeta^3, while the density of edges
 * is q for every class. */
static void sbm_classes_differ_in_triangles_only(void) {
    enum { ORDER = 60, GRAPHS = 150 };
    const double zeta[] = {0.05, -0.3, 0.3}, q = 0.4;
    pvg_rng *rng = seeded(11);
    pvg_graphset *set;
    PVGT_OK(pvg_graphset_draw_sbm(&set, ORDER, zeta, 3, GRAPHS, q, rng, NULL));
    TEST_ASSERT_EQUAL_INT64(3 * GRAPHS, pvg_graphset_count(set));
    const int32_t *labels;
    PVGT_OK(pvg_graphset_view_labels(&labels, NULL, NULL, set));
    for (int c = 0; c < 3; c++) {
        double edges = 0.0, triangles = 0.0, spread = 0.0;
        for (int i = 0; i < GRAPHS; i++) {
            pvg_graph *graph;
            int64_t count = 0;
            PVGT_OK(pvg_graphset_get(&graph, set, c * GRAPHS + i));
            TEST_ASSERT_EQUAL_INT32(c, labels[c * GRAPHS + i]);
            for (int u = 0; u < ORDER; u++)
                for (int v = 0; v < u; v++)
                    for (int w = 0; w < v && pvg_graph_has_edge(graph, u, v); w++)
                        count += pvg_graph_has_edge(graph, u, w) &&
                                 pvg_graph_has_edge(graph, v, w);
            const double share = (double)count / (ORDER * (ORDER - 1) * (ORDER - 2) / 6);
            edges += (double)pvg_graph_size(graph) / (ORDER * (ORDER - 1) / 2) / GRAPHS;
            triangles += share / GRAPHS;
            spread += share * share / GRAPHS;
            pvg_graph_free(graph);
        }
        const double error = sqrt((spread - triangles * triangles) / GRAPHS);
        const double expected = q * q * q + zeta[c] * zeta[c] * zeta[c];
        PVGT_CHECK(fabs(edges - q) < 0.01, "class %d: density %g", c, edges);
        PVGT_CHECK(fabs(triangles - expected) < DEVIATIONS * error,
                   "class %d: %g, not %g", c, triangles, expected);
        if (c > 0)
            PVGT_CHECK(fabs(triangles - q * q * q) > DEVIATIONS * error, "class %d: %g",
                       c, triangles);
    }
    pvg_graphset_free(set);
    pvg_rng_free(rng);
}

static void chains_are_those_of_the_paper(void) {
    static const int64_t nodes[] = {48, 60, 90, 150}, chains[] = {6, 6, 6, 10};
    pvg_rng *rng = seeded(12);
    for (int32_t dataset = PVG_CHAINS_S; dataset <= PVG_CHAINS_X; dataset++)
        for (int shuffled = 0; shuffled < 2; shuffled++) {
            pvg_graph *graph;
            pvg_features *features;
            pvg_labels *labels;
            const int32_t *classes;
            double rows[150 * 5];
            PVGT_OK(pvg_graph_draw_chains(&graph, &features, &labels, dataset,
                                          shuffled ? rng : NULL));
            const int64_t order = nodes[dataset], length = order / chains[dataset];
            TEST_ASSERT_EQUAL_INT64(order, pvg_graph_order(graph));
            TEST_ASSERT_EQUAL_INT64(order - chains[dataset], pvg_graph_size(graph));
            TEST_ASSERT_EQUAL_INT64(5, pvg_features_columns(features));
            TEST_ASSERT_EQUAL_INT64(2, pvg_labels_classes(labels));
            PVGT_OK(pvg_labels_view(&classes, labels));
            PVGT_OK(pvg_features_copy_dense(rows, features, 0, order));
            int64_t first_nodes = 0, in_order = 0;
            for (int64_t node = 0; node < order; node++) {
                double sum = 0.0;
                for (int j = 0; j < 5; j++) sum += rows[5 * node + j];
                in_order += pvg_graph_has_edge(graph, node, node + 1);
                if (sum == 0.0) continue;
                /* walk the chain from its informative end */
                TEST_ASSERT_TRUE(sum == 1.0 && rows[5 * node + classes[node]] == 1.0);
                int64_t steps = 1, before = -1, at = node;
                while (at >= 0) {
                    const int32_t *row;
                    int64_t degree, next = -1;
                    PVGT_OK(pvg_graph_view_neighbours(&row, &degree, graph, at));
                    TEST_ASSERT_EQUAL_INT32(classes[node], classes[at]);
                    for (int64_t i = 0; i < degree; i++)
                        if (row[i] != before) next = row[i];
                    TEST_ASSERT_TRUE(degree <= 2 && (at != node || degree == 1));
                    before = at;
                    at = next;
                    steps += at >= 0;
                }
                TEST_ASSERT_EQUAL_INT64(length, steps);
                first_nodes++;
            }
            TEST_ASSERT_EQUAL_INT64(chains[dataset], first_nodes);
            TEST_ASSERT_TRUE(shuffled ? in_order < order / 2
                                      : in_order == pvg_graph_size(graph));
            pvg_graph_free(graph);
            pvg_features_free(features);
            pvg_labels_free(labels);
        }
    pvg_rng_free(rng);
}

/* --- arguments and reproducibility ----------------------------------------------- */

static void draws_are_checked(void) {
    pvg_rng *rng = seeded(13);
    pvg_graph *graph = (pvg_graph *)(uintptr_t)1;
    pvg_graphset *set = (pvg_graphset *)(uintptr_t)1;
    pvg_features *features;
    pvg_labels *labels;
    const double zero = 0.0, bad[] = {1.5, -0.1, (double)NAN, INFINITY};
    const int64_t two[] = {2, 2};
    for (int i = 0; i < 4; i++) {
        PVGT_FAILS(PVG_E_ARGUMENT, "probability is not in",
                   pvg_graph_draw_erdos_renyi(&graph, 3, bad[i], rng, NULL));
        TEST_ASSERT_NULL(graph);
        PVGT_FAILS(PVG_E_ARGUMENT, "probabilities[0] is not in",
                   pvg_graph_draw_blocks(&graph, two, bad + i, 1, rng, NULL));
        PVGT_FAILS(PVG_E_ARGUMENT, "q is not in",
                   pvg_graphset_draw_sbm(&set, 3, &zero, 1, 1, bad[i], rng, NULL));
        TEST_ASSERT_NULL(set);
        if (i > 0)
            PVGT_FAILS(PVG_E_ARGUMENT, "weights[0] is negative or not finite",
                       pvg_graph_draw_chung_lu(&graph, bad + i, 1, rng, NULL));
    }
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL",
               pvg_graph_draw_erdos_renyi(NULL, 3, 0.5, rng, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "order is negative",
               pvg_graph_draw_erdos_renyi(&graph, -3, 0.5, rng, NULL));
    PVGT_FAILS(PVG_E_LIMIT, "order is more",
               pvg_graph_draw_erdos_renyi(&graph, INT64_MAX, 0.5, rng, NULL));
    PVGT_FAILS(PVG_E_NOMEM, "memory",
               pvg_graph_draw_erdos_renyi(&graph, INT32_MAX, 0.99, rng, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "rng is NULL",
               pvg_graph_draw_erdos_renyi(&graph, 3, 0.5, NULL, NULL));
    const pvg_run tight = {.size = sizeof tight, .scratch_limit = 100};
    PVGT_FAILS(PVG_E_LIMIT, "scratch_limit",
               pvg_graph_draw_erdos_renyi(&graph, 1000, 0.5, rng, &tight));

    const double p[] = {0.1, 0.2, 0.3, 0.1};
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL",
               pvg_graph_draw_blocks(NULL, two, p, 1, rng, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "blocks is negative",
               pvg_graph_draw_blocks(&graph, two, p, -1, rng, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "block_orders is NULL",
               pvg_graph_draw_blocks(&graph, NULL, p, 1, rng, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "probabilities is NULL",
               pvg_graph_draw_blocks(&graph, two, NULL, 1, rng, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "not symmetric",
               pvg_graph_draw_blocks(&graph, two, p, 2, rng, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "block_orders[0] is negative",
               pvg_graph_draw_blocks(&graph, (int64_t[]){-1}, p, 1, rng, NULL));
    PVGT_FAILS(PVG_E_LIMIT, "more than 2^31 - 1 nodes",
               pvg_graph_draw_blocks(&graph, (int64_t[]){INT64_MAX}, p, 1, rng, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "rng is NULL",
               pvg_graph_draw_blocks(&graph, two, p, 1, NULL, NULL));

    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL",
               pvg_graph_draw_preferential(NULL, 5, 2, rng, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "order is negative",
               pvg_graph_draw_preferential(&graph, -5, 2, rng, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "attach is less than 1",
               pvg_graph_draw_preferential(&graph, 5, 0, rng, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "less than attach + 1",
               pvg_graph_draw_preferential(&graph, 5, 5, rng, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "rng is NULL",
               pvg_graph_draw_preferential(&graph, 5, 2, NULL, NULL));

    const double huge[] = {1e308, 1e308};
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL",
               pvg_graph_draw_chung_lu(NULL, p, 4, rng, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "order is negative",
               pvg_graph_draw_chung_lu(&graph, p, -4, rng, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "weights is NULL",
               pvg_graph_draw_chung_lu(&graph, NULL, 4, rng, NULL));
    PVGT_FAILS(PVG_E_NUMERIC, "sum of weights",
               pvg_graph_draw_chung_lu(&graph, huge, 2, rng, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "rng is NULL",
               pvg_graph_draw_chung_lu(&graph, p, 4, NULL, NULL));
    PVGT_OK(pvg_graph_draw_chung_lu(&graph, (double[]){0.0, -0.0}, 2, rng, NULL));
    TEST_ASSERT_EQUAL_INT64(0, pvg_graph_size(graph));
    pvg_graph_free(graph);

    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL", pvg_graph_draw_tree(NULL, 5, rng));
    PVGT_FAILS(PVG_E_ARGUMENT, "order is less than 1",
               pvg_graph_draw_tree(&graph, 0, rng));
    PVGT_FAILS(PVG_E_ARGUMENT, "rng is NULL", pvg_graph_draw_tree(&graph, 5, NULL));
    for (int64_t order = 1; order <= 2; order++) {
        PVGT_OK(pvg_graph_draw_tree(&graph, order, rng));
        TEST_ASSERT_EQUAL_INT64(order - 1, pvg_graph_size(graph));
        pvg_graph_free(graph);
    }
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL", pvg_graph_draw_ktree(NULL, 5, 2, rng));
    PVGT_FAILS(PVG_E_ARGUMENT, "width is negative",
               pvg_graph_draw_ktree(&graph, 5, -1, rng));
    PVGT_FAILS(PVG_E_ARGUMENT, "less than width + 1",
               pvg_graph_draw_ktree(&graph, 5, 5, rng));
    PVGT_FAILS(PVG_E_ARGUMENT, "rng is NULL", pvg_graph_draw_ktree(&graph, 5, 2, NULL));
    TEST_ASSERT_NULL(graph);

    const double zeta[] = {0.1, 0.30001};
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL",
               pvg_graphset_draw_sbm(NULL, 5, zeta, 1, 2, 0.5, rng, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "zeta[1] is larger",
               pvg_graphset_draw_sbm(&set, 5, zeta, 2, 2, 0.3, rng, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "zeta[1] is larger",
               pvg_graphset_draw_sbm(&set, 5, zeta, 2, 2, 0.7, rng, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "zeta[0] is larger",
               pvg_graphset_draw_sbm(&set, 5, bad + 2, 1, 2, 0.7, rng, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "zeta is NULL",
               pvg_graphset_draw_sbm(&set, 5, NULL, 2, 2, 0.5, rng, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "classes is negative",
               pvg_graphset_draw_sbm(&set, 5, zeta, -2, 2, 0.5, rng, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "per_class is negative",
               pvg_graphset_draw_sbm(&set, 5, zeta, 2, -2, 0.5, rng, NULL));
    PVGT_FAILS(PVG_E_LIMIT, "nodes in all",
               pvg_graphset_draw_sbm(&set, 5, zeta, 2, INT64_MAX, 0.5, rng, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "rng is NULL",
               pvg_graphset_draw_sbm(&set, 5, zeta, 2, 2, 0.5, NULL, NULL));
    PVGT_OK(pvg_graphset_draw_sbm(&set, 5, zeta, 1, 2, 0.9, rng, NULL)); /* 0.9 + 0.1 */
    pvg_graphset_free(set);

    PVGT_FAILS(PVG_E_ARGUMENT, "graph is NULL",
               pvg_graph_draw_chains(NULL, &features, &labels, 0, rng));
    PVGT_FAILS(PVG_E_ARGUMENT, "features is NULL",
               pvg_graph_draw_chains(&graph, NULL, &labels, 0, rng));
    PVGT_FAILS(PVG_E_ARGUMENT, "labels is NULL",
               pvg_graph_draw_chains(&graph, &features, NULL, 0, rng));
    PVGT_FAILS(PVG_E_ARGUMENT, "dataset",
               pvg_graph_draw_chains(&graph, &features, &labels, 4, rng));
    PVGT_FAILS(PVG_E_ARGUMENT, "dataset",
               pvg_graph_draw_chains(&graph, &features, &labels, -1, rng));
    pvg_rng_free(rng);
}

static uint64_t fingerprint(const pvg_graph *graph) {
    const int64_t *offsets;
    const int32_t *columns;
    uint64_t hash = (uint64_t)pvg_graph_order(graph);
    PVGT_OK(pvg_graph_view_csr(&offsets, &columns, graph));
    for (int64_t i = 0; i < offsets[pvg_graph_order(graph)]; i++)
        hash = (hash ^ (uint64_t)columns[i]) * 0x100000001B3u + (hash >> 40);
    return hash;
}

static uint64_t drawn(int kind, uint64_t seed, uint32_t threads) {
    const pvg_run run = {.size = sizeof run, .threads = threads};
    pvg_rng *rng = seeded(seed);
    pvg_graph *graph;
    double weights[300];
    for (int i = 0; i < 300; i++) weights[i] = 1.0 + i % 17;
    switch (kind) {
    case 0:
        PVGT_OK(pvg_graph_draw_erdos_renyi(&graph, 3000, 0.01, rng, &run));
        break;
    case 1:
        PVGT_OK(pvg_graph_draw_preferential(&graph, 3000, 3, rng, &run));
        break;
    case 2:
        PVGT_OK(pvg_graph_draw_chung_lu(&graph, weights, 300, rng, &run));
        break;
    case 3:
        PVGT_OK(pvg_graph_draw_tree(&graph, 3000, rng));
        break;
    default:
        PVGT_OK(pvg_graph_draw_ktree(&graph, 3000, 3, rng));
    }
    const uint64_t hash = fingerprint(graph);
    pvg_graph_free(graph);
    pvg_rng_free(rng);
    return hash;
}

/* The graphs themselves are pinned: they must be the same on every machine. */
static void seeds_reproduce(void) {
    static const uint64_t pinned[] = {0xCA2D3FB50739DFF4, 0x7BBC74E1D9BD8515,
                                      0x615B8186FC76E8CA, 0xA0CB000E44A2EBD8,
                                      0x02F16DF46DB73743};
    for (int kind = 0; kind < 5; kind++) {
        const uint64_t expected = pinned[kind];
        PVGT_CHECK(drawn(kind, 1, 1) == expected, "kind %d: 0x%016llX", kind,
                   (unsigned long long)drawn(kind, 1, 1));
        PVGT_CHECK(drawn(kind, 1, 2) == expected, "kind %d on two threads", kind);
        PVGT_CHECK(drawn(kind, 2, 1) != expected, "kind %d: the seed has no effect",
                   kind);
    }
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(logarithms_agree_with_libm);
    RUN_TEST(erdos_renyi_on_four_nodes);
    RUN_TEST(erdos_renyi_extremes);
    RUN_TEST(blocks_have_their_densities);
    RUN_TEST(chung_lu_has_its_probabilities);
    RUN_TEST(trees_are_uniform);
    RUN_TEST(ktrees_are_ktrees);
    RUN_TEST(ktrees_join_uniform_cliques);
    RUN_TEST(preferential_follows_degrees);
    RUN_TEST(sbm_classes_differ_in_triangles_only);
    RUN_TEST(chains_are_those_of_the_paper);
    RUN_TEST(draws_are_checked);
    RUN_TEST(seeds_reproduce);
    return pvgt_end(UNITY_END());
}
