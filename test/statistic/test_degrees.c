/* statistic: degree distributions, the ladder, scalars, spectra, joined. Joint changes on
 * every graph with up to six nodes, the ladder's loss from its definition; wrong variants
 * of both must be noticed by the same checks. */
#include "handles.h"
#include "statistic/statistic_internal.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

enum { NODES_MAX = 6, GRAPHS_MAX = 1 << 15, NUMBERS_MAX = 64 };

static const pvg_target one = {.size = sizeof one, .epsilon = 1.0};
static const pvg_target seeded = {
    .size = sizeof seeded, .epsilon = 1.0, .allow_seeded = 1};

static pvg_graph *graph_of(int64_t order, uint32_t mask) {
    int64_t from[15], to[15], count = 0, bit = 0;
    pvg_graph *graph;
    for (int64_t u = 0; u < order; u++)
        for (int64_t v = u + 1; v < order; v++, bit++)
            if (mask >> bit & 1) {
                from[count] = u;
                to[count++] = v;
            }
    PVGT_OK(pvg_graph_from_edges(&graph, order, from, to, count, PVG_EDGES_STRICT, NULL));
    return graph;
}

static int pairs_of(int64_t order) {
    return (int)(order * (order - 1) / 2);
}

/* --- joint changes ----------------------------------------------------------------- */

static double table[GRAPHS_MAX][NUMBERS_MAX];

/* Largest L1 distance of two graphs that differ in one edge. */
static double largest_change(int64_t order, int64_t numbers) {
    const int pairs = pairs_of(order);
    double most = 0.0;
    for (uint32_t mask = 0; mask < 1u << pairs; mask++)
        for (int bit = 0; bit < pairs; bit++) {
            if (mask >> bit & 1) continue;
            double sum = 0.0;
            for (int64_t k = 0; k < numbers; k++)
                sum += fabs(table[mask][k] - table[mask | 1u << bit][k]);
            if (sum > most) most = sum;
        }
    return most;
}

static void fill_table(int64_t order, const pvg_statistic *statistic) {
    TEST_ASSERT(pvgt_statistic_rows(statistic) * pvgt_statistic_columns(statistic) <=
                NUMBERS_MAX);
    for (uint32_t mask = 0; mask < 1u << pairs_of(order); mask++) {
        pvg_graph *graph = graph_of(order, mask);
        PVGT_OK(pvgt_statistic_values_exact(table[mask], statistic, graph, NULL));
        pvg_graph_free(graph);
    }
}

/* The same numbers from sorted degrees; cut: height at which ranks begin, which is
 * `levels` in the right one. */
static void distribution(double *out, const int64_t *degrees, const int32_t *groups,
                         int64_t order, int64_t count, int64_t levels, int64_t ranks,
                         int64_t cut) {
    const int64_t columns = levels + ranks + 1;
    for (int64_t i = 0; i < count * columns; i++) out[i] = 0.0;
    for (int64_t g = 0; g < count; g++) {
        int64_t left[NODES_MAX], size = 0;
        for (int64_t v = 0; v < order; v++)
            if ((groups ? groups[v] : 0) == g) left[size++] = degrees[v];
        for (int64_t i = 0; i < size; i++) /* falling */
            for (int64_t k = i + 1; k < size; k++)
                if (left[k] > left[i]) {
                    const int64_t d = left[i];
                    left[i] = left[k];
                    left[k] = d;
                }
        for (int64_t i = 0; i < size; i++) {
            for (int64_t j = 1; j <= levels; j++)
                out[g * columns + j - 1] += left[i] >= j;
            if (left[i] > cut)
                out[g * columns + levels + (i < ranks ? i : ranks)] +=
                    (double)(left[i] - cut);
        }
    }
}

static void degrees_of(int64_t *out, int64_t order, uint32_t mask) {
    int bit = 0;
    for (int64_t v = 0; v < order; v++) out[v] = 0;
    for (int64_t u = 0; u < order; u++)
        for (int64_t v = u + 1; v < order; v++, bit++)
            if (mask >> bit & 1) {
                out[u]++;
                out[v]++;
            }
}

static const int32_t groupings[3][NODES_MAX] = {
    {0, 1, 0, 1, 0, 1}, {1, 1, 1, 0, 2, 2}, {0, -1, 0, 1, 1, -1}};

static void check_distributions(int64_t order, int64_t levels, int64_t ranks,
                                int grouping) {
    const int32_t *groups = grouping < 0 ? NULL : groupings[grouping];
    const int64_t count = grouping < 0 ? 0 : 3;
    const pvg_degrees_config config = {.size = sizeof config,
                                       .order = order,
                                       .levels = levels,
                                       .ranks = ranks,
                                       .groups = count};
    pvg_statistic *statistic;
    PVGT_OK(pvgt_statistic_new_degrees(&statistic, &config, &one, groups));
    const int64_t columns = pvgt_statistic_columns(statistic);
    const int64_t numbers = columns * pvgt_statistic_rows(statistic);
    fill_table(order, statistic);
    for (uint32_t mask = 0; mask < 1u << pairs_of(order); mask++) {
        double expected[NUMBERS_MAX];
        int64_t degrees[NODES_MAX];
        degrees_of(degrees, order, mask);
        distribution(expected, degrees, groups, order, count ? count : 1, levels,
                     columns - levels - 1, levels);
        PVGT_CHECK(memcmp(expected, table[mask], (size_t)numbers * sizeof(double)) == 0,
                   "order %d levels %d ranks %d grouping %d mask %x", (int)order,
                   (int)levels, (int)ranks, grouping, mask);
    }
    const double change = largest_change(order, numbers);
    PVGT_CHECK(change == (order < 2 ? 0.0 : 2.0) || (groups && change <= 2.0),
               "change %g at order %d levels %d ranks %d grouping %d", change, (int)order,
               (int)levels, (int)ranks, grouping);
    pvgt_statistic_free(statistic);
}

static void distributions_move_by_two(void) {
    const int64_t stride = pvgt_turns(3) < 3 ? 3 : 1; /* of the larger ones */
    for (int64_t order = 1; order <= 5; order++)
        for (int64_t levels = 0; levels <= order + 1; levels++)
            for (int64_t ranks = -1; ranks <= order + 2; ranks++)
                for (int grouping = -1; grouping < 3; grouping++)
                    if (order == 5 ? (levels + ranks + grouping) % stride == 0
                                   : grouping < 1)
                        check_distributions(order, levels, ranks, grouping);
    for (int64_t levels = stride - 1; levels <= 4; levels += 2 * stride)
        for (int64_t ranks = stride > 1 ? 3 : 0; ranks <= 3; ranks += 3)
            for (int grouping = -1; grouping < (pvgt_soak() ? 3 : 1); grouping++)
                check_distributions(6, levels, ranks, grouping);
}

/* Ranks that begin one too low count the highest level twice: the check must see it. */
static void wrong_cut_is_noticed(void) {
    for (uint32_t mask = 0; mask < 1u << pairs_of(5); mask++) {
        int64_t degrees[NODES_MAX];
        degrees_of(degrees, 5, mask);
        distribution(table[mask], degrees, NULL, 5, 1, 2, 3, 1);
    }
    TEST_ASSERT(largest_change(5, 6) > 2.5);
}

static void constant_numbers_stay(void) {
    const pvg_degrees_config config = {
        .size = sizeof config, .order = 4, .levels = 6, .ranks = 7};
    pvg_statistic *statistic;
    pvg_graph *graph;
    pvg_rng *rng;
    pvg_release *release;
    const double *values;
    PVGT_OK(pvgt_statistic_new_degrees(&statistic, &config, &seeded, NULL));
    PVGT_OK(pvg_graph_new_clique(&graph, 4));
    PVGT_OK(pvg_rng_new_seeded(&rng, 5));
    for (int run = 0; run < 20; run++) {
        PVGT_OK(
            pvgt_release_draw_statistic(&release, statistic, graph, 0, rng, NULL, NULL));
        PVGT_OK(pvg_release_view(&values, release));
        for (int k = 3; k < 14; k++) /* no degree is above 3, no excess above 6 */
            TEST_ASSERT_EQUAL_DOUBLE(0.0, values[k]);
        pvg_release_free(release);
    }
    pvg_rng_free(rng);
    pvg_graph_free(graph);
    pvgt_statistic_free(statistic);
}

/* --- the ladder -------------------------------------------------------------------- */

static int64_t common_of(int64_t *triangles, int64_t order, uint32_t mask) {
    bool joined[NODES_MAX][NODES_MAX] = {{false}};
    int64_t most = 0;
    int bit = 0;
    for (int64_t u = 0; u < order; u++)
        for (int64_t v = u + 1; v < order; v++, bit++)
            joined[u][v] = joined[v][u] = mask >> bit & 1;
    *triangles = 0;
    for (int64_t u = 0; u < order; u++)
        for (int64_t v = u + 1; v < order; v++) {
            int64_t common = 0;
            for (int64_t w = 0; w < order; w++) common += joined[u][w] && joined[v][w];
            if (common > most) most = common;
            if (joined[u][v]) *triangles += common;
        }
    *triangles /= 3;
    return most;
}

enum { REACH = 400 };

/* P(x) for |x - centre| <= REACH by the definition: rungs by search, weights e^(-a t),
 * normalised over a range far beyond. grow: how much a rung is wider than the last. */
static void ladder_law(double *law, int64_t base, int64_t cap, double a, int64_t grow) {
    int64_t rung = 0, reach = 0;
    double total = 0.0, weight = 1.0;
    for (int64_t x = 0; x < 200000 && weight > 1e-300; x++) {
        while (x > reach && rung < 100000) { /* least t with x <= r_t */
            const int64_t width = base + grow * rung < cap ? base + grow * rung : cap;
            reach += width;
            rung++;
            weight = exp(-a * (double)rung);
            if (cap == 0) break;
        }
        if (x > reach) break;
        total += x == 0 ? weight : 2.0 * weight;
        if (x <= REACH) law[x] = weight;
    }
    for (int64_t x = 0; x <= REACH; x++) law[x] = x < 200000 ? law[x] / total : 0.0;
}

/* Largest |ln P(x)/Q(x)| over all x near, for all pairs of graphs. adjacent: only look at
 * common neighbours of adjacent nodes, as one might. */
static double ladder_loss(int64_t order, int64_t floor, double a, int64_t grow) {
    static double laws[NODES_MAX][REACH + 1];
    static bool seen[NODES_MAX][NODES_MAX][21][21]; /* other pairs are like these */
    const int pairs = pairs_of(order);
    double most = 0.0;
    memset(seen, 0, sizeof seen);
    for (int64_t base = 0; base <= order - 2; base++)
        ladder_law(laws[base], base, order - 2, a, grow);
    for (uint32_t mask = 0; mask < 1u << pairs; mask++) {
        int64_t t, s;
        int64_t base = common_of(&t, order, mask);
        if (base < floor) base = floor;
        for (int bit = 0; bit < pairs; bit++) {
            if (mask >> bit & 1) continue;
            int64_t other = common_of(&s, order, mask | 1u << bit);
            if (other < floor) other = floor;
            if (seen[base][other][t][s]) continue;
            seen[base][other][t][s] = true;
            for (int64_t x = -40; x <= 60; x++) {
                const double p = laws[base][x > t ? x - t : t - x];
                const double q = laws[other][x > s ? x - s : s - x];
                if (p > 0.0 || q > 0.0) {
                    const double loss = fabs(log(p / q));
                    if (loss > most) most = loss;
                }
            }
        }
    }
    return most;
}

static void ladder_keeps_epsilon(void) {
    const double budgets[] = {0.3, 1.0, 4.0};
    for (int64_t order = 4; order <= 6; order++)
        for (int i = 0; i < 3; i++)
            for (int64_t floor = 1; floor <= order - 2; floor++) {
                double rate, spent;
                int64_t p, q;
                PVGT_OK(pvgi_statistic_ladder_rate(&rate, &spent, &p, &q, floor,
                                                   budgets[i], "test"));
                TEST_ASSERT(spent <= budgets[i] && spent > 0.999 * budgets[i]);
                TEST_ASSERT(rate >= budgets[i] / 2.0 * 0.999);
                const double loss = ladder_loss(order, floor, rate, 1);
                PVGT_CHECK(loss <= budgets[i] * (1.0 + 1e-9), "loss %g of %g, order %d",
                           loss, budgets[i], (int)order);
                if (floor == 1 && order == 6)
                    PVGT_CHECK(loss > 0.75 * budgets[i], "loss %g of %g", loss,
                               budgets[i]);
            }
}

/* A ladder whose rungs do not widen forgets that the bound moves as well. */
static void forgotten_rungs_are_noticed(void) {
    double rate, spent;
    int64_t p, q;
    PVGT_OK(pvgi_statistic_ladder_rate(&rate, &spent, &p, &q, 1, 1.0, "test"));
    TEST_ASSERT(ladder_loss(6, 1, rate, 0) > 1.05);
}

static void rates_are_those_published(void) {
    const double epsilon[] = {0.3, 0.5, 1.0, 2.0, 4.0};
    const double expected[] = {0.231, 0.421, 0.916, 1.927, 3.973};
    for (int i = 0; i < 5; i++) {
        double rate, spent;
        int64_t p, q;
        PVGT_OK(
            pvgi_statistic_ladder_rate(&rate, &spent, &p, &q, 10, epsilon[i], "test"));
        TEST_ASSERT_DOUBLE_WITHIN(0.0006, expected[i], rate);
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, rate, (double)q / (double)p);
    }
}

static void triangles_and_common_neighbours(void) {
    pvgi_run run;
    uint64_t seed = 7;
    PVGT_OK(pvgi_run_begin(&run, NULL));
    for (int64_t order = 1; order <= 5; order++)
        for (uint32_t mask = 0; mask < 1u << pairs_of(order); mask++) {
            pvg_graph *graph = graph_of(order, mask);
            int64_t common, triangles, expected;
            const int64_t most = common_of(&expected, order, mask);
            PVGT_OK(pvgi_statistic_common_exact(&common, &triangles, graph, &run));
            TEST_ASSERT_EQUAL_INT64(most, common);
            TEST_ASSERT_EQUAL_INT64(expected, triangles);
            pvg_graph_free(graph);
        }
    for (int round = 0; round < 5; round++) { /* larger, on threads, brute force */
        enum { ORDER = 300 };
        static uint8_t joined[ORDER][ORDER];
        static int64_t from[ORDER * ORDER], to[ORDER * ORDER];
        int64_t count = 0, expected = 0, most = 0, common, triangles;
        pvg_graph *graph;
        const pvg_run two = {.size = sizeof two, .threads = 3};
        memset(joined, 0, sizeof joined);
        for (int64_t u = 0; u < ORDER; u++)
            for (int64_t v = u + 1; v < ORDER; v++)
                if (pvgt_below(&seed, 1 + u * (round + 1) / 4 + v) < 5) {
                    joined[u][v] = joined[v][u] = 1;
                    from[count] = u;
                    to[count++] = v;
                }
        for (int64_t u = 0; u < ORDER; u++)
            for (int64_t v = u + 1; v < ORDER; v++) {
                int64_t shared = 0;
                for (int64_t w = 0; w < ORDER; w++) shared += joined[u][w] & joined[v][w];
                if (shared > most) most = shared;
                expected += joined[u][v] ? shared : 0;
            }
        PVGT_OK(
            pvg_graph_from_edges(&graph, ORDER, from, to, count, PVG_EDGES_STRICT, NULL));
        PVGT_OK(pvgi_run_begin(&run, &two));
        PVGT_OK(pvgi_statistic_common_exact(&common, &triangles, graph, &run));
        TEST_ASSERT_EQUAL_INT64(most, common);
        TEST_ASSERT_EQUAL_INT64(expected / 3, triangles);
        pvg_graph_free(graph);
    }
}

static void triangles_are_clamped(void) {
    pvg_statistic *statistic;
    pvg_graph *graph;
    pvg_rng *rng;
    double exact;
    const pvg_target weak = {.size = sizeof weak, .epsilon = 0.01, .allow_seeded = 1};
    PVGT_OK(pvgt_statistic_new_triangles(&statistic, NULL, &weak));
    PVGT_OK(pvg_rng_new_seeded(&rng, 3));
    for (int64_t order = 1; order <= 7; order++) {
        const double most = (double)(order * (order - 1) * (order - 2) / 6);
        PVGT_OK(pvg_graph_new_clique(&graph, order));
        PVGT_OK(pvgt_statistic_values_exact(&exact, statistic, graph, NULL));
        TEST_ASSERT_EQUAL_DOUBLE(most, exact);
        for (int i = 0; i < 50; i++) {
            pvg_release *release;
            const double *value;
            PVGT_OK(pvgt_release_draw_statistic(&release, statistic, graph, 0, rng, NULL,
                                                NULL));
            PVGT_OK(pvg_release_view(&value, release));
            TEST_ASSERT(value[0] >= 0.0 && value[0] <= most &&
                        value[0] == floor(value[0]));
            pvg_release_free(release);
        }
        pvg_graph_free(graph);
    }
    PVGT_FAILS(PVG_E_PRIVACY, "depends on the graph",
               pvgt_statistic_copy_deviation(&exact, statistic));
    pvg_rng_free(rng);
    pvgt_statistic_free(statistic);
}

/* --- stars -------------------------------------------------------------------------*/

/* log-probabilities of -REACH .. REACH + 60, by the definition; degrees of a graph. */
static void star_law(double *out, const int *degree, int order, int leaves, int64_t floor,
                     double a, bool moves) {
    int64_t top[2] = {floor, floor}, stars = 0, reach = 0;
    double all = 1.0, weight = 1.0;
    for (int v = 0; v < order; v++) {
        const int64_t d = degree[v];
        stars += leaves == 2 ? d * (d - 1) / 2 : d * (d - 1) * (d - 2) / 6;
        if (d > top[0])
            top[1] = top[0], top[0] = d;
        else if (d > top[1])
            top[1] = d;
    }
    for (int x = 0; x <= 2 * REACH + 60; x++) out[x] = -INFINITY;
    out[REACH + stars] = 0.0;
    for (int64_t t = 1; t < 300; t++) {
        const int64_t s = moves ? t - 1 : 0; /* the mutant's rungs do not widen */
        const int64_t p = top[0] + s, q = top[1] + s;
        const int64_t width = leaves == 2 ? p + q : (p * (p - 1) + q * (q - 1)) / 2;
        weight *= exp(-a);
        all += 2.0 * weight * (double)width;
        for (int64_t x = reach + 1; x <= reach + width && x <= 2 * REACH + 60; x++) {
            if (stars + x <= REACH + 60) out[REACH + stars + x] = -a * (double)t;
            if (stars - x >= -REACH) out[REACH + stars - x] = -a * (double)t;
        }
        reach += width;
    }
    for (int x = 0; x <= 2 * REACH + 60; x++) out[x] -= log(all);
}

/* Largest log-ratio over all graphs on `order` nodes and all their edges. */
static double star_loss(int order, int leaves, int64_t floor, double a, bool moves) {
    static double law[2][2 * REACH + 61];
    const int pairs = order * (order - 1) / 2;
    double most = 0.0;
    for (int code = 0; code < 1 << pairs; code++)
        for (int pair = 0; pair < pairs; pair++) {
            if (code >> pair & 1) continue;
            for (int world = 0; world < 2; world++) {
                int degree[6] = {0}, bit = 0;
                for (int v = 1; v < order; v++)
                    for (int u = 0; u < v; u++, bit++)
                        if ((code | world << pair) >> bit & 1) degree[u]++, degree[v]++;
                star_law(law[world], degree, order, leaves, floor, a, moves);
            }
            for (int x = 0; x <= 2 * REACH + 60; x++)
                if (isfinite(law[0][x]) && isfinite(law[1][x]))
                    most = fmax(most, fabs(law[0][x] - law[1][x]));
        }
    return most;
}

static void stars_stay_within_epsilon(void) {
    for (int leaves = 2; leaves <= 3; leaves++)
        for (int64_t floor = leaves; floor <= 3; floor++) {
            const double jump =
                log1p((double)(leaves - 1) / (double)(floor - leaves + 2));
            for (int i = 0; i < 2; i++) {
                const double epsilon = i ? 2.5 : 0.8;
                const double a = fmax(epsilon / 2, epsilon - jump);
                const double loss = star_loss(5, leaves, floor, a, true);
                PVGT_CHECK(loss <= epsilon * (1 + 1e-9), "%d leaves, floor %d: %g > %g",
                           leaves, (int)floor, loss, epsilon);
                PVGT_CHECK(loss > 0.5 * epsilon, "%d leaves, floor %d: %g", leaves,
                           (int)floor, loss);
            }
        }
    /* rungs that do not widen are beyond */
    TEST_ASSERT_TRUE(star_loss(5, 3, 3, 2.0, false) > 2.5);
    const pvg_stars_config config = {.size = sizeof config, .leaves = 3, .floor = 7};
    pvg_stars_config bad = config;
    pvg_statistic *statistic;
    pvg_graph *graph;
    double exact;
    PVGT_OK(pvgt_statistic_new_stars(&statistic, &config, &one));
    PVGT_OK(pvg_graph_new_star(&graph, 6));
    PVGT_OK(pvgt_statistic_values_exact(&exact, statistic, graph, NULL));
    TEST_ASSERT_EQUAL_DOUBLE((double)(pvg_graph_order(graph) - 1) *
                                 (double)(pvg_graph_order(graph) - 2) *
                                 (double)(pvg_graph_order(graph) - 3) / 6.0,
                             exact);
    PVGT_FAILS(PVG_E_PRIVACY, "depends on the graph",
               pvgt_statistic_copy_deviation(&exact, statistic));
    pvg_graph_free(graph);
    pvgt_statistic_free(statistic);
    bad.leaves = 1;
    PVGT_FAILS(PVG_E_ARGUMENT, "leaves",
               pvgt_statistic_new_stars(&statistic, &bad, &one));
    bad.leaves = 3, bad.floor = 2;
    PVGT_FAILS(PVG_E_ARGUMENT, "floor", pvgt_statistic_new_stars(&statistic, &bad, &one));
}

/* --- scalars and spectra ----------------------------------------------------------- */

static void scalars_move_as_told(void) {
    const struct {
        int32_t scalar;
        double change;
    } rows[] = {{PVG_SCALAR_EDGES, 1},      {PVG_SCALAR_COMPONENTS, 1},
                {PVG_SCALAR_CYCLES, 1},     {PVG_SCALAR_LARGEST_DEGREE, 1},
                {PVG_SCALAR_DEGENERACY, 1}, {PVG_SCALAR_ISOLATED, 2},
                {PVG_SCALAR_LEAVES, 2},     {PVG_SCALAR_RADIUS, 1}};
    for (int64_t order = 2; order <= 5; order++)
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            const pvg_scalars_config config = {
                .size = sizeof config, .order = order, .count = 1};
            pvg_statistic *statistic;
            PVGT_OK(pvgt_statistic_new_scalars(&statistic, &config, &one, &rows[i].scalar,
                                               NULL));
            fill_table(order, statistic);
            const double change = largest_change(order, 1);
            if (rows[i].scalar == PVG_SCALAR_RADIUS)
                TEST_ASSERT(change > 0.9 && change <= 1.0 + 0x1p-5 + 0x1p-10);
            else if (order > 3)
                TEST_ASSERT_EQUAL_DOUBLE(rows[i].change, change);
            pvgt_statistic_free(statistic);
        }
}

static double scalar_of(int32_t scalar, pvg_graph *graph) {
    const pvg_scalars_config config = {.size = sizeof config, .count = 1};
    pvg_statistic *statistic;
    double value;
    PVGT_OK(pvgt_statistic_new_scalars(&statistic, &config, &one, &scalar, NULL));
    PVGT_OK(pvgt_statistic_values_exact(&value, statistic, graph, NULL));
    pvgt_statistic_free(statistic);
    pvg_graph_free(graph);
    return value;
}

static pvg_graph *made(int32_t status, pvg_graph *const *graph) {
    PVGT_OK(status);
    return *graph;
}

static void scalars_of_known_graphs(void) {
    const double near = 1.0 / 64 + 0x1p-10;
    pvg_graph *g;
    pvg_rng *rng;
    PVGT_OK(pvg_rng_new_seeded(&rng, 1));
#define OF(scalar, call) scalar_of(scalar, made(call, &g))
    TEST_ASSERT_DOUBLE_WITHIN(near, 99,
                              OF(PVG_SCALAR_RADIUS, pvg_graph_new_clique(&g, 100)));
    TEST_ASSERT_DOUBLE_WITHIN(near, 30,
                              OF(PVG_SCALAR_RADIUS, pvg_graph_new_star(&g, 901)));
    TEST_ASSERT_DOUBLE_WITHIN(near, 2,
                              OF(PVG_SCALAR_RADIUS, pvg_graph_new_cycle(&g, 1000)));
    TEST_ASSERT_DOUBLE_WITHIN(near, 2 * cos(acos(-1.0) / 10001),
                              OF(PVG_SCALAR_RADIUS, pvg_graph_new_path(&g, 10000)));
    TEST_ASSERT_EQUAL_DOUBLE(99,
                             OF(PVG_SCALAR_DEGENERACY, pvg_graph_new_clique(&g, 100)));
    TEST_ASSERT_EQUAL_DOUBLE(2, OF(PVG_SCALAR_DEGENERACY, pvg_graph_new_cycle(&g, 9)));
    TEST_ASSERT_EQUAL_DOUBLE(1,
                             OF(PVG_SCALAR_DEGENERACY, pvg_graph_draw_tree(&g, 50, rng)));
    TEST_ASSERT_EQUAL_DOUBLE(
        5, OF(PVG_SCALAR_DEGENERACY, pvg_graph_draw_ktree(&g, 60, 5, rng)));
    TEST_ASSERT_EQUAL_DOUBLE(1, OF(PVG_SCALAR_CYCLES, pvg_graph_new_cycle(&g, 9)));
    TEST_ASSERT_EQUAL_DOUBLE(8, OF(PVG_SCALAR_LEAVES, pvg_graph_new_star(&g, 9)));
    TEST_ASSERT_EQUAL_DOUBLE(1, OF(PVG_SCALAR_COMPONENTS, pvg_graph_new_star(&g, 9)));
    TEST_ASSERT_EQUAL_DOUBLE(
        9, OF(PVG_SCALAR_ISOLATED,
              pvg_graph_from_edges(&g, 9, NULL, NULL, 0, PVG_EDGES_STRICT, NULL)));
    TEST_ASSERT_EQUAL_DOUBLE(
        0, OF(PVG_SCALAR_RADIUS,
              pvg_graph_from_edges(&g, 9, NULL, NULL, 0, PVG_EDGES_STRICT, NULL)));
#undef OF
    pvg_rng_free(rng);
}

/* The two solvers know nothing of each other. */
static void radius_agrees_with_the_spectrum(void) {
    const int32_t radius = PVG_SCALAR_RADIUS;
    const pvg_scalars_config config = {.size = sizeof config, .count = 1};
    pvg_statistic *scalar, *spectrum;
    pvg_rng *rng;
    static double values[300];
    PVGT_OK(pvg_rng_new_seeded(&rng, 2));
    PVGT_OK(pvgt_statistic_new_scalars(&scalar, &config, &one, &radius, NULL));
    PVGT_OK(pvgt_statistic_new_spectrum(&spectrum, 300, &one));
    for (int i = 0; i < 12; i++) {
        pvg_graph *graph;
        double value, squares = 0.0;
        if (i % 2)
            PVGT_OK(
                pvg_graph_draw_erdos_renyi(&graph, 300, 0.001 * (1 << i / 2), rng, NULL));
        else
            PVGT_OK(pvg_graph_draw_preferential(&graph, 300, 1 + i, rng, NULL));
        PVGT_OK(pvgt_statistic_values_exact(&value, scalar, graph, NULL));
        PVGT_OK(pvgt_statistic_values_exact(values, spectrum, graph, NULL));
        PVGT_CHECK(fabs(value - values[0]) <= 1.0 / 64 + 0x1p-9, "%g %g", value,
                   values[0]);
        for (int k = 0; k < 300; k++) {
            squares += values[k] * values[k];
            TEST_ASSERT(k == 0 || values[k] <= values[k - 1]);
        }
        TEST_ASSERT_DOUBLE_WITHIN(0.1, 2.0 * (double)pvg_graph_size(graph), squares);
        pvg_graph_free(graph);
    }
    pvgt_statistic_free(scalar);
    pvgt_statistic_free(spectrum);
    pvg_rng_free(rng);
}

static void spectra_move_by_two(void) {
    pvg_statistic *statistic;
    PVGT_OK(pvgt_statistic_new_spectrum(&statistic, 5, &one));
    fill_table(5, statistic);
    const double change = largest_change(5, 5);
    PVGT_CHECK(change <= 2.0 + 0x1p-9 && change > 1.99, "%g", change);
    pvgt_statistic_free(statistic);
    PVGT_FAILS(PVG_E_LIMIT, "order", pvgt_statistic_new_spectrum(&statistic, 5000, &one));
}

/* --- joined ------------------------------------------------------------------------ */

static void joined_epsilons_add(void) {
    const pvg_degrees_config degrees = {
        .size = sizeof degrees, .order = 30, .levels = 3, .ranks = 2};
    const pvg_scalars_config scalars = {.size = sizeof scalars, .order = 30, .count = 2};
    const int32_t list[2] = {PVG_SCALAR_EDGES, PVG_SCALAR_RADIUS};
    const double weights[2] = {3.0, 1.0};
    pvg_statistic *parts[3], *joined;
    pvg_graph *graph;
    pvg_rng *rng[2];
    pvg_release *release[2];
    const double *values[2];
    double epsilon, deviations[9];
    int64_t first, rows, columns;
    PVGT_OK(pvgt_statistic_new_degrees(&parts[0], &degrees, &seeded, NULL));
    PVGT_OK(pvgt_statistic_new_degrees(&parts[1], &degrees, &seeded, NULL));
    PVGT_OK(pvgt_statistic_new_scalars(&parts[2], &scalars, &seeded, list, weights));
    PVGT_OK(pvgt_statistic_copy_deviation(deviations, parts[2]));
    TEST_ASSERT(deviations[1] > 2.5 * deviations[0]);
    PVGT_OK(pvgt_statistic_new_joined(&joined, parts, 3));
    for (int i = 0; i < 3; i++) pvgt_statistic_free(parts[i]); /* the joined one holds */
    PVGT_OK(pvg_guarantee_epsilon(&epsilon, pvgt_statistic_guarantee(joined), 0.0));
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 3.0, epsilon);
    TEST_ASSERT(epsilon <= 3.0);
    TEST_ASSERT_EQUAL_INT64(3, pvgt_statistic_parts(joined));
    PVGT_OK(pvgt_statistic_part(&first, &rows, &columns, joined, 2));
    TEST_ASSERT_EQUAL_INT64(12, first);
    TEST_ASSERT_EQUAL_INT64(1, rows);
    TEST_ASSERT_EQUAL_INT64(2, columns);
    PVGT_FAILS(PVG_E_ARGUMENT, "part 3",
               pvgt_statistic_part(NULL, NULL, NULL, joined, 3));
    PVGT_OK(pvg_graph_new_cycle(&graph, 30));
    for (int i = 0; i < 2; i++) {
        const pvg_run run = {.size = sizeof run, .threads = i ? 3 : 1};
        PVGT_OK(pvg_rng_new_seeded(&rng[i], 9));
        PVGT_OK(pvgt_release_draw_statistic(&release[i], joined, graph, 0, rng[i], NULL,
                                            &run));
        PVGT_OK(pvg_release_view(&values[i], release[i]));
    }
    /* two equal parts share no noise; threads change nothing */
    bool shared = true;
    for (int k = 0; k < 6; k++) shared = shared && values[0][k] == values[0][k + 6];
    TEST_ASSERT_FALSE(shared);
    for (int k = 0; k < 14; k++) TEST_ASSERT_TRUE(values[0][k] == values[1][k]);
    for (int i = 0; i < 2; i++) {
        pvg_release_free(release[i]);
        pvg_rng_free(rng[i]);
    }
    PVGT_FAILS(PVG_E_ARGUMENT, "joined",
               pvgt_statistic_new_joined(&parts[0], &joined, 1));
    pvg_graph_free(graph);
    pvgt_statistic_free(joined);
}

static bool rests_on(const pvg_statistic *statistic, const char *assumption) {
    const pvg_guarantee *g = pvgt_statistic_guarantee(statistic);
    int count = 0;
    for (int32_t i = 0; i < g->assumptions; i++)
        count += strcmp(g->assumption[i], assumption) == 0;
    return count == 1;
}

/* What parts rest on, all of it rests on, once; and nothing that no part rests on. */
static void joined_rests_on_all_parts(void) {
    enum { ORDER = 6 };
    const int32_t list[] = {PVG_SCALAR_EDGES, PVG_SCALAR_RADIUS},
                  groups[ORDER] = {0, 1, 0, 1, 0, 1};
    const pvg_scalars_config scalars = {
        .size = sizeof scalars, .order = ORDER, .count = 2};
    const pvg_degrees_config degrees = {
        .size = sizeof degrees, .order = ORDER, .levels = 3, .groups = 2};
    const pvg_histogram_config histogram = {
        .size = sizeof histogram, .order = ORDER, .kinds = 2};
    const pvg_histogram_nodes nodes = {.size = sizeof nodes, .kinds = groups};
    const pvg_triangles_config triangles = {.size = sizeof triangles, .order = ORDER};
    pvg_statistic *parts[4], *joined;
    PVGT_OK(pvgt_statistic_new_scalars(&parts[0], &scalars, &seeded, list, NULL));
    PVGT_OK(pvgt_statistic_new_degrees(&parts[1], &degrees, &seeded, groups));
    PVGT_OK(pvgt_statistic_new_histogram(&parts[2], &histogram, &seeded, &nodes));
    PVGT_OK(pvgt_statistic_new_triangles(&parts[3], &triangles, &seeded));
    for (int mask = 1; mask < 16; mask++) {
        pvg_statistic *some[4];
        int64_t count = 0;
        int32_t known = 0;
        for (int i = 0; i < 4; i++)
            if (mask >> i & 1) some[count++] = parts[i];
        PVGT_OK(pvgt_statistic_new_joined(&joined, some, count));
        const pvg_guarantee *g = pvgt_statistic_guarantee(joined);
        for (int64_t i = 0; i < count; i++)
            for (int32_t k = 0; k < some[i]->guarantee.assumptions; k++)
                PVGT_CHECK(rests_on(joined, some[i]->guarantee.assumption[k]),
                           "parts %d: not once: %s", mask,
                           some[i]->guarantee.assumption[k]);
        for (int32_t k = 0; k < g->assumptions; k++) {
            bool of_a_part = false;
            for (int64_t i = 0; i < count; i++)
                of_a_part = of_a_part || rests_on(some[i], g->assumption[k]);
            known += of_a_part;
        }
        TEST_ASSERT_EQUAL_INT32(g->assumptions, known);
        pvgt_statistic_free(joined);
    }
    /* as 'privgraph stats' makes them */
    PVGT_OK(pvgt_statistic_new_joined(&joined, parts, 1));
    TEST_ASSERT_TRUE(rests_on(joined, "the bounds on the radius meet; a release that "
                                      "fails because they do not tells that they did "
                                      "not"));
    pvgt_statistic_free(joined);
    /* more than a record can hold: refused, not left out */
    pvg_guarantee *full = &parts[3]->guarantee;
    while (full->assumptions < PVGI_ASSUMPTIONS_MAX)
        pvgi_guarantee_assumption(full, "assumption %d", (int)full->assumptions);
    PVGT_FAILS(PVG_E_PRIVACY, "assumptions",
               pvgt_statistic_new_joined(&joined, parts, 4));
    for (int i = 0; i < 4; i++) pvgt_statistic_free(parts[i]);
}

static void only_pure_parts_are_joined(void) {
    const pvg_degrees_config degrees = {.size = sizeof degrees, .levels = 3};
    const pvg_target gaussian = {.size = sizeof gaussian,
                                 .epsilon = 1,
                                 .delta = 1e-6,
                                 .noise = PVG_NOISE_GAUSSIAN};
    pvg_statistic *part, *joined;
    PVGT_OK(pvgt_statistic_new_degrees(&part, &degrees, &gaussian, NULL));
    PVGT_FAILS(PVG_E_PRIVACY, "pure", pvgt_statistic_new_joined(&joined, &part, 1));
    TEST_ASSERT_NULL(joined);
    pvgt_statistic_free(part);
}

/* --- degrees at both ends ----------------------------------------------------------- */

/* Sum of both weights multiplied over edges, from the bits of a mask: an oracle. */
static int64_t products(int64_t order, uint32_t mask, int64_t bound) {
    int64_t degree[6] = {0}, bit = 0, sum = 0;
    for (int64_t u = 0; u < order; u++)
        for (int64_t v = u + 1; v < order; v++, bit++)
            if (mask >> bit & 1) {
                degree[u]++;
                degree[v]++;
            }
    bit = 0;
    for (int64_t u = 0; u < order; u++)
        for (int64_t v = u + 1; v < order; v++, bit++)
            if (mask >> bit & 1)
                sum += (degree[u] < bound ? degree[u] : bound) *
                       (degree[v] < bound ? degree[v] : bound);
    return sum * ((1 << 20) / (bound * bound));
}

/* On all graphs with up to six nodes an edge raises the sum by at most 3 - 2 / bound,
 * which is attained, and never lowers it. A sum that counts edges at both ends would move
 * by twice that; one of degrees that are not cut, over a bound of 1, by more than 3. */
static void ends_move_by_less_than_three(void) {
    enum { ONE = 1 << 20 };
    static int64_t sums[1 << 15];
    int64_t largest = 0;
    for (int64_t bound = 1; bound <= 4; bound *= 2) {
        int64_t most = 0;
        for (int64_t order = 2; order <= 6; order++) {
            int64_t bit = 0;
            for (uint32_t mask = 0; mask < 1u << pairs_of(order); mask++) {
                pvg_graph *graph = graph_of(order, mask);
                const int64_t part = (int64_t)(mask % (uint32_t)order);
                sums[mask] = pvgi_statistic_ends_sum(graph, bound, 0, part) +
                             pvgi_statistic_ends_sum(graph, bound, part, order);
                TEST_ASSERT_EQUAL_INT64(products(order, mask, bound), sums[mask]);
                pvg_graph_free(graph);
            }
            for (int64_t u = 0; u < order; u++)
                for (int64_t v = u + 1; v < order; v++, bit++)
                    for (uint32_t mask = 0; mask < 1u << pairs_of(order); mask++) {
                        if (mask >> bit & 1) continue;
                        const int64_t moved = sums[mask | 1u << bit] - sums[mask];
                        TEST_ASSERT(moved >= 0);
                        if (moved > most) most = moved;
                    }
        }
        TEST_ASSERT(most <= 3 * ONE - 2 * ONE / bound);
        TEST_ASSERT(bound > 2 || most == 3 * ONE - 2 * ONE / bound);
        if (most > largest) largest = most;
    }
    TEST_ASSERT(largest > 2 * ONE && largest < 3 * ONE);
    TEST_ASSERT_EQUAL_INT32(1 << 10, pvgi_statistic_ends_weight(9, 8));
    TEST_ASSERT_EQUAL_INT32(7 << 7, pvgi_statistic_ends_weight(7, 8));
}

/* All parts keep to the budget; the fourth one has the mean of the exact products, and
 * the noise of a change of 3 at its share. */
static void ends_have_their_noise(void) {
    enum { ORDER = 40, DRAWS = 3000 };
    const pvg_target large = {.size = sizeof large, .epsilon = 40.0, .allow_seeded = 1};
    const pvg_synthesis_config config = {.size = sizeof config, .order = ORDER};
    int64_t from[ORDER - 1], to[ORDER - 1], at, unused;
    double exact[2 * ORDER + 160], sum = 0.0, squares = 0.0;
    pvg_statistic *s;
    pvg_graph *graph;
    pvg_rng *rng;
    pvgi_ends ends;
    for (int64_t i = 0; i + 1 < ORDER; i++) {
        from[i] = i;
        to[i] = i + 1;
    }
    PVGT_OK(
        pvg_graph_from_edges(&graph, ORDER, from, to, ORDER - 1, PVG_EDGES_STRICT, NULL));
    PVGT_OK(pvgt_statistic_new_synthesis(&s, &config, &large, NULL));
    const pvg_guarantee *g = pvgt_statistic_guarantee(s);
    TEST_ASSERT(g->spent.kind == PVG_CURVE_PURE && g->spent.epsilon <= 40.0 &&
                g->spent.epsilon > 39.0);
    TEST_ASSERT(pvgt_statistic_columns(s) <= 2 * ORDER + 160);
    PVGT_OK(pvgt_statistic_part(&at, NULL, NULL, s, 3));
    PVGT_OK(pvgt_statistic_values_exact(exact, s, graph, NULL));
    PVGT_OK(pvg_rng_new_seeded(&rng, 3));
    for (int draw = 0; draw < DRAWS; draw++) {
        pvg_release *release;
        const double *values;
        PVGT_OK(pvgt_release_draw_statistic(&release, s, graph, 0, rng, NULL, NULL));
        PVGT_OK(pvg_release_view(&values, release));
        pvgi_statistic_ends_frame(&ends, pvgi_statistic_joined_part(s, 3, &unused),
                                  values);
        /* the bound follows the noisy diagrams: compared over that of each draw */
        const double own =
            (double)pvgi_statistic_ends_sum(graph, (int64_t)ends.bound, 0, ORDER) /
            (1 << 20);
        sum += values[at] - own;
        squares += (values[at] - own) * (values[at] - own);
        pvg_release_free(release);
    }
    const double mean = sum / DRAWS, deviation = sqrt(squares / DRAWS - mean * mean);
    const double scale = 3.0 / 2.0; /* change over epsilon: a twentieth of 40 */
    PVGT_CHECK(fabs(mean) < 5.0 * deviation / sqrt((double)DRAWS), "%g", mean);
    PVGT_CHECK(deviation > 0.93 * sqrt(2.0) * scale &&
                   deviation < 1.07 * sqrt(2.0) * scale,
               "%g for %g", deviation, sqrt(2.0) * scale);
    PVGT_CHECK(fabs(ends.deviation - sqrt(2.0) * scale) < 0.01, "%g", ends.deviation);
    pvg_rng_free(rng);
    pvg_graph_free(graph);
    pvgt_statistic_free(s);
}

static void wrong_arguments(void) {
    pvg_statistic *s;
    pvg_degrees_config d = {.size = sizeof d, .order = 3, .levels = -1};
    const int32_t groups[3] = {0, 2, 1}, scalar = 99, good = PVG_SCALAR_EDGES;
    pvg_scalars_config c = {.size = sizeof c, .count = 1};
    pvg_triangles_config t = {.size = sizeof t, .floor = -1};
    pvg_synthesis_config y = {.size = sizeof y, .order = 3, .blocks = 2};
    const double zero = 0.0;
    PVGT_FAILS(PVG_E_ARGUMENT, "levels", pvgt_statistic_new_degrees(&s, &d, &one, NULL));
    d.levels = 2;
    d.groups = 2;
    PVGT_FAILS(PVG_E_ARGUMENT, "groups", pvgt_statistic_new_degrees(&s, &d, &one, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "groups[1]",
               pvgt_statistic_new_degrees(&s, &d, &one, groups));
    d.order = 0;
    d.groups = 0;
    d.ranks = -1;
    PVGT_FAILS(PVG_E_ARGUMENT, "ranks", pvgt_statistic_new_degrees(&s, &d, &one, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "floor", pvgt_statistic_new_triangles(&s, &t, &one));
    PVGT_FAILS(PVG_E_ARGUMENT, "target", pvgt_statistic_new_triangles(&s, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "scalars[0]",
               pvgt_statistic_new_scalars(&s, &c, &one, &scalar, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "weights[0]",
               pvgt_statistic_new_scalars(&s, &c, &one, &good, &zero));
    c.count = 17;
    PVGT_FAILS(PVG_E_ARGUMENT, "count",
               pvgt_statistic_new_scalars(&s, &c, &one, &good, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "blocks[1]",
               pvgt_statistic_new_synthesis(&s, &y, &one, groups));
    y.blocks = 3;
    y.degrees_share = y.between_share = y.triangles_share = 0.5;
    PVGT_FAILS(PVG_E_ARGUMENT, "share",
               pvgt_statistic_new_synthesis(&s, &y, &one, groups));
    y.degrees_share = y.between_share = y.triangles_share = 0.3;
    const double shares[] = {0.2, -0.1, NAN};
    for (int i = 0; i < 3; i++) {
        y.assortativity_share = shares[i];
        PVGT_FAILS(PVG_E_ARGUMENT, "share",
                   pvgt_statistic_new_synthesis(&s, &y, &one, groups));
    }
    TEST_ASSERT_NULL(s);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(distributions_move_by_two);
    RUN_TEST(wrong_cut_is_noticed);
    RUN_TEST(constant_numbers_stay);
    RUN_TEST(ladder_keeps_epsilon);
    RUN_TEST(forgotten_rungs_are_noticed);
    RUN_TEST(rates_are_those_published);
    RUN_TEST(triangles_and_common_neighbours);
    RUN_TEST(triangles_are_clamped);
    RUN_TEST(stars_stay_within_epsilon);
    RUN_TEST(scalars_move_as_told);
    RUN_TEST(scalars_of_known_graphs);
    RUN_TEST(radius_agrees_with_the_spectrum);
    RUN_TEST(spectra_move_by_two);
    RUN_TEST(joined_epsilons_add);
    RUN_TEST(joined_rests_on_all_parts);
    RUN_TEST(only_pure_parts_are_joined);
    RUN_TEST(ends_move_by_less_than_three);
    RUN_TEST(ends_have_their_noise);
    RUN_TEST(wrong_arguments);
    return pvgt_end(UNITY_END());
}
