/* Numbers of node sensitivity one and ratios by groups: on all graphs of up to five nodes
 * (six with PVG_SOAK) and all replacements of a node no number moves by more than one,
 * and each by one; against oracles that share no code; the median has its law, and
 * whatever a node does one value of it changes. */
#include "statistic/statistic_internal.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

enum { MOST = 6, NUMBERS = 6 };

static const char *const list =
    "matching,fractional-matching,degeneracy,h-index,rank1,rank2";

static int largest(void) {
    return getenv("PVG_SOAK") ? 6 : 5;
}

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

static bool joined(int n, uint32_t mask, int a, int b) {
    int bit = 0;
    for (int u = 0; u < n; u++)
        for (int v = u + 1; v < n; v++, bit++)
            if ((u == a && v == b) || (u == b && v == a)) return mask >> bit & 1;
    return false;
}

static uint32_t pairs_of(int n, int node) {
    uint32_t mask = 0;
    int bit = 0;
    for (int u = 0; u < n; u++)
        for (int v = u + 1; v < n; v++, bit++)
            if (u == node || v == node) mask |= 1u << bit;
    return mask;
}

static pvg_query *query_of(const char *text, const pvg_arguments *arguments) {
    const pvg_target target = {.size = sizeof target, .allow_seeded = 1};
    pvg_query *query = NULL;
    PVGT_OK(pvg_query_new(&query, text, arguments, &target, NULL));
    return query;
}

/* --- single numbers ----------------------------------------------------------------- */

/* The least fractional cover of edges by nodes, in halves: as much as the largest
 * fractional matching (duality; covers of 0, 1/2, 1 are enough). */
static int cover(int n, uint32_t mask) {
    int weight[MOST] = {0}, best = 2 * n;
    for (;;) {
        int sum = 0, at = 0;
        bool covers = true;
        for (int u = 0; u < n; u++) {
            sum += weight[u];
            for (int v = u + 1; v < n; v++)
                covers = covers && (!joined(n, mask, u, v) || weight[u] + weight[v] >= 2);
        }
        if (covers && sum < best) best = sum;
        while (at < n && weight[at] == 2) weight[at++] = 0;
        if (at == n) return best;
        weight[at]++;
    }
}

static int rank(int n, uint32_t mask, int slant) {
    int best = 0;
    for (int k = 1; k <= n; k++) {
        int found = 0;
        for (int u = 0; u < n; u++) {
            int degree = 0;
            for (int v = 0; v < n; v++) degree += v != u && joined(n, mask, u, v);
            found += degree >= slant + k;
        }
        if (found >= k) best = k;
    }
    return best;
}

static double number[1 << (MOST * (MOST - 1) / 2)][NUMBERS];

static void a_node_moves_each_by_one(void) {
    char text[160];
    snprintf(text, sizeof text, "node-scalars list=%s key=5 epsilon=1", list);
    for (int n = 2; n <= largest(); n++) {
        pvg_query *query = query_of(text, NULL);
        const uint32_t graphs = 1u << (n * (n - 1) / 2);
        double most[NUMBERS] = {0};
        for (uint32_t mask = 0; mask < graphs; mask++) {
            pvg_graph *graph = graph_of(n, mask);
            const pvg_input in = {.size = sizeof in, .graph = graph};
            PVGT_OK(pvg_query_values_exact(number[mask], query, &in, NULL));
            PVGT_CHECK(2.0 * number[mask][1] == cover(n, mask), "n=%d graph %x: %g", n,
                       mask, number[mask][1]);
            PVGT_CHECK(number[mask][0] <= number[mask][1] &&
                           2.0 * number[mask][0] >= number[mask][1],
                       "n=%d graph %x: %g", n, mask, number[mask][0]);
            for (int slant = 0; slant < 3; slant++)
                PVGT_CHECK(number[mask][3 + slant] == rank(n, mask, slant),
                           "n=%d graph %x slant %d: %g", n, mask, slant,
                           number[mask][3 + slant]);
            pvg_graph_free(graph);
        }
        for (int node = 0; node < n; node++) {
            const uint32_t own = pairs_of(n, node);
            for (uint32_t rest = 0; rest < graphs; rest++) {
                if (rest & own) continue;
                for (int i = 0; i < NUMBERS; i++) {
                    double low = number[rest][i], high = low;
                    for (uint32_t part = own; part > 0; part = (part - 1) & own) {
                        low = fmin(low, number[rest | part][i]);
                        high = fmax(high, number[rest | part][i]);
                    }
                    TEST_ASSERT_TRUE(low == number[rest][i]); /* monotone */
                    most[i] = fmax(most[i], high - low);
                }
            }
        }
        for (int i = 0; i < NUMBERS; i++)
            PVGT_CHECK(most[i] <= 1.0 && (n < 5 || most[i] == 1.0), "n=%d number %d: %g",
                       n, i, most[i]);
        pvg_query_free(query);
    }
}

/* The cover is a bound at any size; a matching by hand is one from below. */
static void larger_graphs(void) {
    enum { NODES = 400 };
    uint64_t seed = 7;
    for (int round = 0; round < 12; round++) {
        static int64_t from[NODES * 6], to[NODES * 6];
        int64_t count = 0;
        pvg_graph *graph = NULL;
        double values[2];
        for (int e = 0; e < NODES * (1 + round % 5) / 2; e++) {
            seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
            const int64_t u = (int64_t)(seed >> 33) % NODES,
                          v = (int64_t)(seed >> 13 & 0xfffff) % NODES;
            if (u != v) from[count] = u, to[count++] = v;
        }
        PVGT_OK(
            pvg_graph_from_edges(&graph, NODES, from, to, count, PVG_EDGES_MERGE, NULL));
        pvg_query *query =
            query_of("node-scalars list=matching,fractional-matching epsilon=1", NULL);
        const pvg_input in = {.size = sizeof in, .graph = graph};
        PVGT_OK(pvg_query_values_exact(values, query, &in, NULL));
        /* a maximal matching has at least half; its ends cover all edges */
        TEST_ASSERT_TRUE(values[0] <= values[1] && 2.0 * values[0] >= values[1]);
        TEST_ASSERT_TRUE(values[1] <= NODES / 2.0);
        pvg_query_free(query);
        pvg_graph_free(graph);
    }
    /* an odd cycle: all of it, in halves */
    int64_t from[7], to[7];
    double value;
    for (int v = 0; v < 7; v++) from[v] = v, to[v] = (v + 1) % 7;
    pvg_graph *cycle = NULL;
    PVGT_OK(pvg_graph_from_edges(&cycle, 7, from, to, 7, 0, NULL));
    pvg_query *query = query_of("node-scalars list=fractional-matching epsilon=1", NULL);
    const pvg_input in = {.size = sizeof in, .graph = cycle};
    PVGT_OK(pvg_query_values_exact(&value, query, &in, NULL));
    TEST_ASSERT_TRUE(value == 3.5);
    pvg_query_free(query);
    pvg_graph_free(cycle);
}

/* Noise of k numbers: rate epsilon / k for each unit, on halves where there are any. */
static void noise_of_the_numbers(void) {
    enum { DRAWS = 12000 };
    static const struct {
        const char *text;
        double rate, step;
    } cases[] = {
        {"node-scalars list=matching epsilon=1", 1.0, 1.0},
        {"node-scalars list=matching,h-index epsilon=1", 0.5, 1.0},
        {"node-scalars list=degeneracy,fractional-matching epsilon=1", 0.5, 0.5}};
    pvg_graph *graph = graph_of(5, 0x2f5);
    const pvg_input in = {.size = sizeof in, .graph = graph};
    pvg_rng *rng = NULL;
    PVGT_OK(pvg_rng_new_seeded(&rng, 8));
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        pvg_query *query = query_of(cases[c].text, NULL);
        double exact[2], zeros = 0.0, squares = 0.0;
        PVGT_OK(pvg_query_values_exact(exact, query, &in, NULL));
        for (int d = 0; d < DRAWS; d++) {
            pvg_release *release = NULL;
            const double *values;
            PVGT_OK(pvg_release_draw(&release, query, &in, rng, NULL, NULL));
            PVGT_OK(pvg_release_view(&values, release));
            zeros += values[0] == exact[0];
            squares += (values[0] - exact[0]) * (values[0] - exact[0]);
            pvg_release_free(release);
        }
        const double q = exp(-cases[c].rate * cases[c].step);
        const double zero = (1.0 - q) / (1.0 + q);
        const double variance =
            2.0 * q / ((1.0 - q) * (1.0 - q)) * cases[c].step * cases[c].step;
        PVGT_CHECK(fabs(zeros / DRAWS - zero) < 5.0 * sqrt(zero / DRAWS),
                   "%d: %g, not %g", (int)c, zeros / DRAWS, zero);
        PVGT_CHECK(fabs(squares / DRAWS / variance - 1.0) < 0.15, "%d: %g, not %g",
                   (int)c, squares / DRAWS, variance);
        pvg_query_free(query);
    }
    pvg_rng_free(rng);
    pvg_graph_free(graph);
}

static void what_they_say(void) {
    pvg_query *none = NULL;
    PVGT_FAILS(
        PVG_E_ARGUMENT, "none of matching",
        pvg_query_new(&none, "node-scalars list=edges epsilon=1", NULL, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "is given twice",
               pvg_query_new(&none, "node-scalars list=h-index,rank0 epsilon=1", NULL,
                             NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "none of homophily",
               pvg_query_new(&none, "group-ratio ratio=size order=9 epsilon=1", NULL,
                             NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "are needed",
               pvg_query_new(&none, "group-ratio ratio=homophily order=9 epsilon=1", NULL,
                             NULL, NULL));
    /* of sets the record says that a person is in one graph */
    pvg_query *query = query_of("node-scalars list=matching epsilon=1", NULL);
    pvg_guarantee *g = NULL;
    const int64_t orders[] = {4, 5};
    char text[4096];
    size_t length;
    PVGT_OK(pvg_query_guarantee(&g, query, orders, 2));
    TEST_ASSERT_EQUAL_INT32(PVG_NOTION_NODE, pvg_guarantee_notion(g));
    PVGT_OK(pvg_guarantee_copy_text(text, sizeof text, &length, g));
    TEST_ASSERT_TRUE(strstr(text, "a person is a node of one graph") != NULL);
    pvg_guarantee_free(g);
    pvg_query_free(query);
}

/* --- ratios by groups ---------------------------------------------------------------*/

/* The law of the median as the page has it. */
static void law_of(double *out, const int64_t *values, int groups, int steps,
                   double epsilon) {
    double all = 0.0;
    for (int x = 0; x <= steps; x++) {
        int below = 0, above = 0;
        for (int g = 0; g < groups; g++) {
            below += values[g] < x;
            above += values[g] > x;
        }
        out[x] = exp(-0.5 * epsilon * (below > above ? below : above));
        all += out[x];
    }
    for (int x = 0; x <= steps; x++) out[x] /= all;
}

/* All lists of three values on a grid, one of them replaced: never more than epsilon, and
 * nearly that. */
static void one_value_costs_epsilon(void) {
    enum { STEPS = 6 };
    const double epsilon = 1.2;
    double most = 0.0;
    for (int code = 0; code < 7 * 7 * 7 * 7; code++) {
        const int64_t a[3] = {code % 7, code / 7 % 7, code / 49 % 7};
        const int64_t b[3] = {code / 343, a[1], a[2]};
        double one[STEPS + 1], two[STEPS + 1];
        law_of(one, a, 3, STEPS, epsilon);
        law_of(two, b, 3, STEPS, epsilon);
        for (int x = 0; x <= STEPS; x++) most = fmax(most, fabs(log(one[x] / two[x])));
    }
    PVGT_CHECK(most <= epsilon && most > 0.5 * epsilon, "%g", most);
}

static void the_median_has_its_law(void) {
    enum { DRAWS = 40000, STEPS = 20 };
    static const int64_t cases[][5] = {
        {3, 3, 3, 3, 3}, {0, 5, 10, 15, 20}, {0, 0, 0, 20, 20}, {7, 8, 8, 12, 19}};
    pvg_rng *rng = NULL;
    pvgi_stream stream;
    PVGT_OK(pvg_rng_new_seeded(&rng, 31));
    PVGT_OK(pvgi_rng_stream_open(&stream, rng));
    void *block = malloc(pvgi_statistic_median_bytes(5));
    for (int c = 0; c < 4; c++)
        for (int e = 0; e < 2; e++) {
            const double epsilon = e ? 3.0 : 0.7;
            double law[STEPS + 1], other[STEPS + 1], sum = 0.0, wrong = 0.0;
            int64_t counts[STEPS + 1] = {0}, values[5];
            law_of(law, cases[c], 5, STEPS, epsilon);
            law_of(other, cases[c], 5, STEPS, 2.0 * epsilon);
            for (int d = 0; d < DRAWS; d++) {
                memcpy(values, cases[c], sizeof values);
                counts[pvgi_statistic_draw_median(
                    values, 5, STEPS, (int64_t)(0.5 * epsilon * PVGI_PICK_ONE), block,
                    &stream)]++;
            }
            for (int x = 0; x <= STEPS; x++) {
                const double mean = law[x] * DRAWS, off = (double)counts[x] - mean;
                const double far = (double)counts[x] - other[x] * DRAWS;
                sum += off * off / mean;
                wrong += far * far / fmax(1.0, other[x] * DRAWS);
            }
            /* 20 degrees of freedom: above 65 once in 10^6 */
            PVGT_CHECK(sum < 65.0, "case %d epsilon %g: %g", c, epsilon, sum);
            PVGT_CHECK(wrong > 200.0, "case %d epsilon %g: %g", c, epsilon, wrong);
        }
    free(block);
    pvgi_rng_stream_close(&stream);
    pvg_rng_free(rng);
}

/* The query draws at the rate of its epsilon: five parts without edges have one value. */
static void the_query_draws_that_law(void) {
    enum { DRAWS = 4000, STEPS = 20 };
    pvg_graph *graph = graph_of(5, 0);
    const pvg_input in = {.size = sizeof in, .graph = graph};
    pvg_query *query = query_of("group-ratio ratio=transitivity parts=5 fallback=0.5 "
                                "steps=20 order=5 epsilon=1",
                                NULL);
    pvg_rng *rng = NULL;
    double hits = 0.0;
    PVGT_OK(pvg_rng_new_seeded(&rng, 6));
    for (int d = 0; d < DRAWS; d++) {
        pvg_release *release = NULL;
        const double *values;
        PVGT_OK(pvg_release_draw(&release, query, &in, rng, NULL, NULL));
        PVGT_OK(pvg_release_view(&values, release));
        hits += values[0] == 0.5;
        pvg_release_free(release);
    }
    const double chance = 1.0 / (1.0 + STEPS * exp(-0.5 * 5.0));
    PVGT_CHECK(fabs(hits / DRAWS - chance) < 5.0 * sqrt(chance / DRAWS), "%g, not %g",
               hits / DRAWS, chance);
    pvg_rng_free(rng);
    pvg_query_free(query);
    pvg_graph_free(graph);
}

/* One part: the ratios themselves, on all small graphs. */
static void ratios_are_right(void) {
    static const int32_t class_of[] = {0, 1, 0, 1, 1};
    const pvg_arguments a = {.size = sizeof a, .order = 5, .groups = class_of};
    pvg_query *homophily = query_of(
        "group-ratio ratio=homophily parts=1 fallback=0.25 steps=840 epsilon=1", &a);
    pvg_query *mixing =
        query_of("group-ratio ratio=mixing:1-0 parts=1 steps=840 epsilon=1", &a);
    pvg_query *closed = query_of(
        "group-ratio ratio=transitivity parts=1 order=5 steps=840 epsilon=1", NULL);
    pvg_query *density = query_of(
        "group-ratio ratio=density:edge parts=1 order=5 steps=250 epsilon=1", NULL);
    for (uint32_t mask = 0; mask < 1024; mask++) {
        pvg_graph *graph = graph_of(5, mask);
        const pvg_input in = {.size = sizeof in, .graph = graph};
        double value, edges = 0, same = 0, triangles = 0, paths = 0;
        for (int u = 0; u < 5; u++)
            for (int v = u + 1; v < 5; v++) {
                edges += joined(5, mask, u, v);
                same += joined(5, mask, u, v) && class_of[u] == class_of[v];
                for (int w = v + 1; w < 5; w++) {
                    const int sides = joined(5, mask, u, v) + joined(5, mask, u, w) +
                                      joined(5, mask, v, w);
                    triangles += sides == 3;
                    paths += sides == 3 ? 3 : sides == 2;
                }
            }
        PVGT_OK(pvg_query_values_exact(&value, homophily, &in, NULL));
        PVGT_CHECK(fabs(value - (edges > 0 ? same / edges : 0.25)) < 1e-3, "%x: %g", mask,
                   value);
        PVGT_OK(pvg_query_values_exact(&value, mixing, &in, NULL));
        PVGT_CHECK(fabs(value - (edges > 0 ? 1.0 - same / edges : 0.0)) < 1e-3, "%x: %g",
                   mask, value);
        PVGT_OK(pvg_query_values_exact(&value, closed, &in, NULL));
        PVGT_CHECK(fabs(value - (paths > 0 ? 3.0 * triangles / paths : 0.0)) < 1e-3,
                   "%x: %g", mask, value);
        PVGT_OK(pvg_query_values_exact(&value, density, &in, NULL));
        PVGT_CHECK(fabs(value - 2.0 * edges / 25.0) < 3e-3, "%x: %g", mask, value);
        pvg_graph_free(graph);
    }
    pvg_query_free(homophily);
    pvg_query_free(mixing);
    pvg_query_free(closed);
    pvg_query_free(density);
}

/* A hub that is joined to everybody: of the parts one changes. Seen in the median: with
 * nine parts of value 0 and one node in one part it stays 0 without noise. Parts are the
 * same whatever the edges are, and a part without edges still has a value. */
static void a_hub_is_in_one_part(void) {
    enum { NODES = 90 };
    int32_t class_of[NODES];
    static int64_t from[NODES * NODES], to[NODES * NODES];
    for (int v = 0; v < NODES; v++) class_of[v] = v % 2;
    const pvg_arguments a = {.size = sizeof a, .order = NODES, .groups = class_of};
    pvg_query *query =
        query_of("group-ratio ratio=homophily parts=9 fallback=0.125 epsilon=1", &a);
    for (int world = 0; world < 3; world++) {
        pvg_graph *graph = NULL;
        int64_t count = 0;
        double value;
        /* 0: nothing at all; 1: a hub; 2: all pairs of one class, so all of every part */
        for (int v = 1; v < NODES && world == 1; v++) from[count] = 0, to[count++] = v;
        for (int u = 0; u < NODES && world == 2; u++)
            for (int v = u + 2; v < NODES; v += 2) from[count] = u, to[count++] = v;
        PVGT_OK(pvg_graph_from_edges(&graph, NODES, from, to, count, 0, NULL));
        const pvg_input in = {.size = sizeof in, .graph = graph};
        PVGT_OK(pvg_query_values_exact(&value, query, &in, NULL));
        PVGT_CHECK(value == (world == 2 ? 1.0 : 0.125), "world %d: %g", world, value);
        pvg_graph_free(graph);
    }
    pvg_query_free(query);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(a_node_moves_each_by_one);
    RUN_TEST(larger_graphs);
    RUN_TEST(noise_of_the_numbers);
    RUN_TEST(what_they_say);
    RUN_TEST(one_value_costs_epsilon);
    RUN_TEST(the_median_has_its_law);
    RUN_TEST(the_query_draws_that_law);
    RUN_TEST(ratios_are_right);
    RUN_TEST(a_hub_is_in_one_part);
    return pvgt_end(UNITY_END());
}
