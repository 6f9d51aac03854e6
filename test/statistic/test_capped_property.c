/* Edges kept by the greedy cap: against a plain walk over sorted pairs, and on all
 * graphs of up to five nodes (six with PVG_SOAK), all replacements of a node and all
 * caps: no two that differ in one node are farther apart than the cap, and some are as
 * far; the same for cells of classes, for capped degrees and for the law of a cap that
 * is drawn with its count. Noise has the scale that the cap asks for, and no other. */
#include "statistic/statistic_internal.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

enum { MOST = 6 };

static int largest(void) {
    return getenv("PVG_SOAK") ? 6 : 5;
}

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

static int64_t all_kept[1 << (MOST * (MOST - 1) / 2)];

/* The largest change over all graphs and replacements of a node. */
static int64_t worst(int n) {
    const uint32_t graphs = 1u << (n * (n - 1) / 2);
    int64_t most = 0;
    for (int node = 0; node < n; node++) {
        const uint32_t own = pairs_of(n, node);
        for (uint32_t rest = 0; rest < graphs; rest++) {
            if (rest & own) continue;
            int64_t low = all_kept[rest], high = all_kept[rest];
            for (uint32_t part = own; part > 0; part = (part - 1) & own) {
                low = all_kept[rest | part] < low ? all_kept[rest | part] : low;
                high = all_kept[rest | part] > high ? all_kept[rest | part] : high;
            }
            if (high - low > most) most = high - low;
        }
    }
    return most;
}

static void a_node_moves_it_by_the_cap(void) {
    for (int n = 2; n <= largest(); n++)
        for (int64_t key = 0; key < (n < 5 ? 6 : 2); key++)
            for (int64_t cap = 1; cap < n; cap++) {
                pvg_query *query = query_of(cap, key, 1);
                const uint32_t graphs = 1u << (n * (n - 1) / 2);
                for (uint32_t mask = 0; mask < graphs; mask++) {
                    pvg_graph *graph = graph_of(n, mask);
                    all_kept[mask] = exact_of(query, graph);
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
    pvg_preview *preview = NULL;
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
    pvg_preview_line line = {.size = sizeof line};
    PVGT_OK(pvg_preview_copy_line(&line, preview, 0));
    TEST_ASSERT_TRUE(line.range == 2000.0 && line.sensitivity == 4.0);
    TEST_ASSERT_EQUAL_INT32(PVG_VERDICT_INFORMATIVE, line.verdict);
    pvg_preview_free(preview);
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
    PVGT_FAILS(PVG_E_ARGUMENT, "noise of its own",
               pvg_query_new(&none, "capped-edges epsilon=1 delta=1e-6 noise=gaussian",
                             NULL, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "cells need groups",
               pvg_query_new(&none, "capped-edges epsilon=1 cells=blocks order=5", NULL,
                             NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "not in [2^-15, 1024]",
               pvg_query_new(&none, "capped-edges epsilon=1e-6", NULL, NULL, NULL));
    PVGT_FAILS(
        PVG_E_ARGUMENT, "cannot be joined",
        pvg_query_new(&none, "capped-edges cap=2 + stars epsilon=1", NULL, NULL, NULL));
    pvg_ledger_free(edges);
    pvg_ledger_free(nodes);
    pvg_query_free(query);
    pvg_graph_free(graph);
}

/* --- a cap that is drawn with its count --------------------------------------------- */

enum { CAPS = 40, WIDE = 400 };

/* The law as the page has it, in logarithms and not normalised. */
typedef struct {
    int count;
    double cap[CAPS], kept[CAPS], score[CAPS], weight[CAPS];
    double epsilon;
} law;

static void fill_law(law *l) {
    for (int i = 0; i < l->count; i++) {
        l->score[i] = 0.0;
        l->weight[i] = floor(0x1p40 / (l->cap[i] * l->cap[i]));
        if (l->weight[i] < 1.0) l->weight[i] = 1.0;
        for (int j = 0; j < l->count; j++) {
            const double s = (l->kept[j] - l->kept[i] + floor(l->cap[i] / l->epsilon) -
                              floor(l->cap[j] / l->epsilon)) /
                             (l->cap[i] + l->cap[j]);
            if (s > l->score[i]) l->score[i] = s;
        }
    }
}

static double weight_at(const law *l, int i, double y) {
    return l->weight[i] *
           exp(-0.5 * l->epsilon * fmax(l->score[i], fabs(y - l->kept[i]) / l->cap[i]));
}

/* Sum over all y: far enough. */
static double whole_of(const law *l, int i) {
    double sum = 0.0;
    const double far = l->cap[i] * (l->score[i] + 80.0 / l->epsilon) + 10.0;
    for (double k = -ceil(far); k <= far; k++) sum += weight_at(l, i, l->kept[i] + k);
    return sum;
}

static double total_of(const law *l) {
    double sum = 0.0;
    for (int i = 0; i < l->count; i++) sum += whole_of(l, i);
    return sum;
}

/* Largest logarithm of a ratio of chances. */
static double loss_between(const law *a, const law *b) {
    const double shift = log(total_of(b) / total_of(a));
    double most = 0.0;
    for (int i = 0; i < a->count; i++)
        for (double y = -60.0; y <= 70.0; y++)
            most = fmax(most, fabs(log(weight_at(a, i, y) / weight_at(b, i, y)) + shift));
    return most;
}

/* All graphs, all replacements, by which numbers the caps keep: pairs that were seen are
 * not compared again. */
static void a_drawn_cap_hides_a_node(void) {
    enum { STEPS = 16 };
    static unsigned char seen[1 << 16][8];
    static int32_t code[1 << (MOST * (MOST - 1) / 2)];
    const double epsilon = 1.3;
    double most = 0.0;
    for (int n = 4; n <= largest(); n++) {
        const uint32_t graphs = 1u << (n * (n - 1) / 2);
        int64_t caps[PVGI_PICK_MAX];
        const int count = (int)pvgi_statistic_cap_list(caps, n - 1);
        memset(seen, 0, sizeof seen);
        memset(code, 0, sizeof code);
        for (int i = 0; i < count; i++) {
            pvg_query *query = query_of(caps[i], 3, 1);
            for (uint32_t mask = 0; mask < graphs; mask++) {
                pvg_graph *graph = graph_of(n, mask);
                code[mask] = code[mask] * STEPS + (int32_t)exact_of(query, graph);
                pvg_graph_free(graph);
            }
            pvg_query_free(query);
        }
        for (int node = 0; node < n; node++) {
            const uint32_t own = pairs_of(n, node);
            for (uint32_t rest = 0; rest < graphs; rest++) {
                if (rest & own) continue;
                for (uint32_t a = own;; a = (a - 1) & own) {
                    for (uint32_t b = own;; b = (b - 1) & own) {
                        const uint32_t one = (uint32_t)code[rest | a],
                                       two = (uint32_t)code[rest | b];
                        /* a table of pairs that were seen, by a hash; a clash is only
                         * compared once more */
                        const uint32_t at = (one * 40503u ^ two * 2654435761u) >> 16;
                        unsigned char name[8];
                        memcpy(name, &one, 4);
                        memcpy(name + 4, &two, 4);
                        if (one < two && memcmp(seen[at], name, 8) != 0) {
                            law x = {.count = count, .epsilon = epsilon}, y = x;
                            memcpy(seen[at], name, 8);
                            for (int i = count - 1, p = (int)one, q = (int)two; i >= 0;
                                 i--, p /= STEPS, q /= STEPS) {
                                x.cap[i] = y.cap[i] = (double)caps[i];
                                x.kept[i] = p % STEPS;
                                y.kept[i] = q % STEPS;
                            }
                            fill_law(&x);
                            fill_law(&y);
                            most = fmax(most, loss_between(&x, &y));
                        }
                        if (b == 0) break;
                    }
                    if (a == 0) break;
                }
            }
        }
    }
    PVGT_CHECK(most <= epsilon && most > 0.4 * epsilon, "%g of %g", most, epsilon);
}

/* chi^2 of draws of one law against another: cells of equal chance by candidate, y. */
static double apart_of(const law *drawn, const law *told, int draws,
                       pvgi_stream *stream) {
    enum { CELLS = 60 };
    int64_t cap[CAPS], kept[CAPS], weight[CAPS], price[CAPS];
    double counts[CELLS] = {0}, sum = 0.0;
    const double all = total_of(told);
    for (int i = 0; i < drawn->count; i++) {
        cap[i] = (int64_t)drawn->cap[i];
        kept[i] = (int64_t)drawn->kept[i];
    }
    pvgi_statistic_pick_prior(weight, price, cap, drawn->count, drawn->epsilon, false);
    const pvgi_pick pick = {.count = drawn->count,
                            .cap = cap,
                            .value = kept,
                            .weight = weight,
                            .price = price,
                            .rate = (int64_t)(0.5 * drawn->epsilon * PVGI_PICK_ONE),
                            .counts = true};
    static double below[CAPS][2 * WIDE + 2]; /* chance of all that stand before */
    double so_far = 0.0;
    for (int i = 0; i < told->count; i++) {
        const double own = whole_of(told, i);
        double inner = 0.0;
        for (int k = 0; k <= 2 * WIDE + 1; k++) {
            below[i][k] = so_far + inner;
            inner += weight_at(told, i, told->kept[i] + k - WIDE) / all;
        }
        so_far += own / all;
    }
    int64_t trials = 0;
    for (int d = 0; d < draws; d++) {
        int64_t noise = 0, tries = 0;
        const int64_t i = pvgi_statistic_pick(&noise, &pick, &tries, stream);
        trials += tries;
        const int64_t k = noise < -WIDE ? 0 : noise > WIDE ? 2 * WIDE : noise + WIDE;
        /* spread over the cells that its chance covers */
        const double low = below[i][k], high = below[i][k + 1];
        const double at = low + (high - low) * pvgi_rng_draw_unit(stream);
        const int cell = (int)(at * CELLS);
        counts[cell < CELLS ? cell : CELLS - 1] += 1.0;
    }
    TEST_ASSERT_TRUE(trials < 40 * (int64_t)draws);
    const double mean = (double)draws / CELLS;
    for (int c = 0; c < CELLS; c++) sum += (counts[c] - mean) * (counts[c] - mean) / mean;
    return sum;
}

static void draws_follow_the_law(void) {
    enum { DRAWS = 60000 };
    const double kept[][4] = {
        {4, 6, 6, 6}, {40, 70, 71, 71}, {0, 0, 0, 0}, {30, 31, 40, 90}};
    const double caps[] = {2, 3, 4, 9};
    pvg_rng *rng = NULL;
    pvgi_stream stream;
    PVGT_OK(pvg_rng_new_seeded(&rng, 12));
    PVGT_OK(pvgi_rng_stream_open(&stream, rng));
    for (int k = 0; k < 4; k++)
        for (int e = 0; e < 3; e++) {
            law l = {.count = 4, .epsilon = e == 0 ? 0.25 : e == 1 ? 1.5 : 6.0};
            memcpy(l.cap, caps, sizeof caps);
            memcpy(l.kept, kept[k], sizeof kept[k]);
            fill_law(&l);
            law other = l;
            /* chi^2 with 59 degrees of freedom: above 125 once in 10^6 */
            const double same = apart_of(&l, &l, DRAWS, &stream);
            PVGT_CHECK(same < 125.0, "kept %d, epsilon %g: %g", k, l.epsilon, same);
            /* the same noise at 6 percent more epsilon, which is half of it where the
             * score and the distance were added */
            other.epsilon = l.epsilon * 1.06;
            for (int i = 0; i < 4; i++) other.score[i] = l.score[i];
            if (e < 2) TEST_ASSERT_TRUE(apart_of(&l, &other, DRAWS, &stream) > 125.0);
        }
    pvgi_rng_stream_close(&stream);
    pvg_rng_free(rng);
}

/* Through the door, on a star: which cap, and what it keeps. */
static void the_query_draws_that_law(void) {
    enum { DRAWS = 20000, NODES = 12 };
    const pvg_target target = {.size = sizeof target, .allow_seeded = 1};
    int64_t from[NODES], to[NODES];
    pvg_graph *graph = NULL;
    pvg_query *query = NULL;
    pvg_rng *rng = NULL;
    law l = {.epsilon = 1.0};
    int64_t caps[PVGI_PICK_MAX];
    l.count = (int)pvgi_statistic_cap_list(caps, NODES - 1);
    for (int v = 1; v < NODES; v++) from[v - 1] = 0, to[v - 1] = v;
    PVGT_OK(
        pvg_graph_from_edges(&graph, NODES, from, to, NODES - 1, PVG_EDGES_STRICT, NULL));
    for (int i = 0; i < l.count; i++) l.cap[i] = l.kept[i] = (double)caps[i];
    fill_law(&l);
    PVGT_OK(pvg_query_new(&query, "capped-edges epsilon=1", NULL, &target, NULL));
    PVGT_OK(pvg_rng_new_seeded(&rng, 5));
    const pvg_input in = {.size = sizeof in, .graph = graph};
    double counts[CAPS] = {0}, squares = 0.0, covered = 0.0, sum = 0.0, expected = 0.0;
    for (int d = 0; d < DRAWS; d++) {
        pvg_release *release = NULL;
        const double *values;
        double least;
        PVGT_OK(pvg_release_draw(&release, query, &in, rng, NULL, NULL));
        PVGT_OK(pvg_release_view(&values, release));
        int i = 0;
        while (i < l.count && l.cap[i] != values[0]) i++;
        TEST_ASSERT_TRUE(i < l.count);
        counts[i]++;
        squares += (values[1] - l.kept[i]) * (values[1] - l.kept[i]);
        PVGT_OK(pvg_estimate_least_edges(&least, 0, 0.8, query, release, NODES));
        covered += least <= NODES - 1;
        pvg_release_free(release);
    }
    for (int i = 0; i < l.count; i++) {
        const double p = whole_of(&l, i) / total_of(&l), mean = p * DRAWS;
        sum += (counts[i] - mean) * (counts[i] - mean) / mean;
        for (double k = -900; k <= 900; k++)
            expected += weight_at(&l, i, l.kept[i] + k) / total_of(&l) * k * k;
    }
    PVGT_CHECK(sum < 35.0, "%g", sum); /* 5 degrees of freedom: once in 10^6 */
    PVGT_CHECK(fabs(squares / DRAWS / expected - 1.0) < 0.1, "%g, not %g",
               squares / DRAWS, expected);
    PVGT_CHECK(covered >= 0.8 * DRAWS, "%g", covered / DRAWS);
    pvg_query_free(query);
    pvg_rng_free(rng);
    pvg_graph_free(graph);
}

/* The candidates go up to the nodes, not to what this graph has; or to what was said. */
static void candidates_are_public(void) {
    const pvg_target target = {.size = sizeof target, .allow_seeded = 1};
    int64_t caps[PVGI_PICK_MAX];
    TEST_ASSERT_EQUAL_INT64(1, pvgi_statistic_cap_list(caps, 1));
    TEST_ASSERT_EQUAL_INT64(7, pvgi_statistic_cap_list(caps, 19));
    TEST_ASSERT_EQUAL_INT64(19, caps[6]);
    TEST_ASSERT_TRUE(pvgi_statistic_cap_list(caps, INT32_MAX) <= PVGI_PICK_MAX);
    for (int part = 0; part < 2; part++) {
        pvg_graph *graph = NULL;
        pvg_query *query = NULL;
        pvg_rng *rng = NULL;
        double most = 0.0;
        PVGT_OK(pvg_graph_from_edges(&graph, 20, NULL, NULL, 0, PVG_EDGES_STRICT, NULL));
        PVGT_OK(pvg_query_new(&query,
                              part ? "capped-edges epsilon=0.01 max-cap=7"
                                   : "capped-edges epsilon=0.01",
                              NULL, &target, NULL));
        PVGT_OK(pvg_rng_new_seeded(&rng, 3));
        const pvg_input in = {.size = sizeof in, .graph = graph};
        for (int d = 0; d < 500; d++) {
            pvg_release *release = NULL;
            const double *values;
            PVGT_OK(pvg_release_draw(&release, query, &in, rng, NULL, NULL));
            PVGT_OK(pvg_release_view(&values, release));
            most = fmax(most, values[0]);
            pvg_release_free(release);
        }
        TEST_ASSERT_TRUE(most == (part ? 7.0 : 19.0));
        pvg_rng_free(rng);
        pvg_query_free(query);
        pvg_graph_free(graph);
    }
}

/* --- cells of classes --------------------------------------------------------------- */

enum { ROWS = 6 };

/* Sum over rows of the largest |change|, over all graphs and replacements. */
static int64_t worst_of_cells(int n, const char *cells, int64_t cap, int64_t key) {
    static int8_t value[1 << (MOST * (MOST - 1) / 2)][ROWS];
    static const int32_t class_of[MOST] = {0, 1, 0, 2, 1, 0};
    const pvg_arguments arguments = {
        .size = sizeof arguments, .order = n, .groups = class_of};
    const uint32_t graphs = 1u << (n * (n - 1) / 2);
    pvg_query *query = NULL;
    char text[128];
    int64_t rows, columns, most = 0;
    snprintf(text, sizeof text, "capped-edges cap=%lld key=%lld cells=%s epsilon=1",
             (long long)cap, (long long)key, cells);
    PVGT_OK(pvg_query_new(&query, text, &arguments, NULL, NULL));
    for (uint32_t mask = 0; mask < graphs; mask++) {
        pvg_graph *graph = graph_of(n, mask);
        const pvg_input in = {.size = sizeof in, .graph = graph};
        double values[ROWS] = {0};
        PVGT_OK(pvg_query_shape(&rows, &columns, query, &in));
        TEST_ASSERT_TRUE(rows <= ROWS && columns == 1);
        PVGT_OK(pvg_query_values_exact(values, query, &in, NULL));
        for (int r = 0; r < ROWS; r++) value[mask][r] = (int8_t)values[r];
        pvg_graph_free(graph);
    }
    for (int node = 0; node < n; node++) {
        const uint32_t own = pairs_of(n, node);
        for (uint32_t rest = 0; rest < graphs; rest++) {
            if (rest & own) continue;
            for (uint32_t a = own;; a = (a - 1) & own) {
                for (uint32_t b = a;; b = (b - 1) & own) {
                    int64_t sum = 0;
                    for (int r = 0; r < ROWS; r++)
                        sum += abs(value[rest | a][r] - value[rest | b][r]);
                    if (sum > most) most = sum;
                    if (b == 0) break;
                }
                if (a == 0) break;
            }
        }
    }
    pvg_query_free(query);
    return most;
}

static void cells_move_as_charged(void) {
    const int n = largest();
    for (int64_t cap = 1; cap <= 2; cap++) {
        const int64_t within = worst_of_cells(n, "within", cap, 1),
                      blocks = worst_of_cells(n, "blocks", cap, 1);
        PVGT_CHECK(within <= 2 * cap && within > cap, "within, cap %d: %d", (int)cap,
                   (int)within);
        PVGT_CHECK(blocks <= 3 * cap && blocks >= 2 * cap, "blocks, cap %d: %d", (int)cap,
                   (int)blocks);
    }
    const int32_t class_of[MOST] = {0, 1, 0, 2, 1, 0};
    const pvg_arguments arguments = {
        .size = sizeof arguments, .order = MOST, .groups = class_of};
    const char *const texts[] = {"capped-edges cap=2 cells=within epsilon=1",
                                 "capped-edges cap=2 cells=blocks epsilon=1"};
    for (int i = 0; i < 2; i++) { /* noise for 2 caps, for as many as there are classes */
        pvg_query *query = NULL;
        pvg_guarantee *g = NULL;
        pvg_column column = {.size = sizeof column};
        PVGT_OK(pvg_query_new(&query, texts[i], &arguments, NULL, NULL));
        PVGT_OK(pvg_query_guarantee(&g, query, NULL, 0));
        PVGT_OK(pvg_guarantee_copy_column(&column, g, 0, 0));
        PVGT_CHECK(fabs(column.scale - (i == 0 ? 4.0 : 6.0)) < 1e-6, "%g", column.scale);
        pvg_guarantee_free(g);
        pvg_query_free(query);
    }
}

/* A path whose edges alternate between two cells: one greedy for all cells would turn
 * over every edge when its first node loses the first. */
static void a_path_does_not_turn_over(void) {
    enum { NODES = 42 };
    int32_t class_of[NODES];
    int64_t from[NODES], to[NODES], order[NODES];
    for (int v = 0; v < NODES; v++) order[v] = v;
    int64_t worst_change = 0;
    for (int round = 0; round < 40; round++) {
        double values[2][3] = {{0}};
        char text[96];
        for (int v = 0; v < NODES; v++) class_of[v] = v / 2 % 2;
        const pvg_arguments arguments = {
            .size = sizeof arguments, .order = NODES, .groups = class_of};
        pvg_query *query = NULL;
        snprintf(text, sizeof text, "capped-edges cap=1 key=%d cells=blocks epsilon=1",
                 round);
        PVGT_OK(pvg_query_new(&query, text, &arguments, NULL, NULL));
        for (int world = 0; world < 2; world++) {
            pvg_graph *graph = NULL;
            int64_t count = 0;
            for (int v = world; v + 1 < NODES; v++)
                from[count] = order[v], to[count++] = order[v + 1];
            PVGT_OK(pvg_graph_from_edges(&graph, NODES, from, to, count, PVG_EDGES_STRICT,
                                         NULL));
            const pvg_input in = {.size = sizeof in, .graph = graph};
            PVGT_OK(pvg_query_values_exact(values[world], query, &in, NULL));
            pvg_graph_free(graph);
        }
        int64_t change = 0;
        for (int r = 0; r < 3; r++)
            change += llabs((long long)(values[0][r] - values[1][r]));
        if (change > worst_change) worst_change = change;
        pvg_query_free(query);
    }
    PVGT_CHECK(worst_change <= 2, "%d", (int)worst_change);
}

/* Rows of drawn caps: each with its share of epsilon, and apart from the others. */
static void drawn_rows_share_epsilon(void) {
    enum { DRAWS = 12000, SIZE = 12 };
    const pvg_target target = {.size = sizeof target, .allow_seeded = 1};
    int32_t class_of[SIZE];
    int64_t from[SIZE], to[SIZE], count = 0, caps[PVGI_PICK_MAX];
    pvg_graph *graph = NULL;
    pvg_query *query = NULL;
    pvg_rng *rng = NULL;
    law l = {.epsilon = 0.6};
    /* two stars of five leaves: one within a class, one to the other class */
    for (int v = 0; v < SIZE; v++) class_of[v] = v >= 7;
    for (int v = 1; v <= 5; v++) from[count] = 0, to[count++] = v;
    for (int v = 7; v < SIZE; v++) from[count] = 6, to[count++] = v;
    l.count = (int)pvgi_statistic_cap_list(caps, SIZE - 1);
    for (int i = 0; i < l.count; i++) {
        l.cap[i] = (double)caps[i];
        l.kept[i] = fmin(5.0, l.cap[i]);
    }
    fill_law(&l);
    const pvg_arguments arguments = {
        .size = sizeof arguments, .order = SIZE, .groups = class_of};
    PVGT_OK(pvg_graph_from_edges(&graph, SIZE, from, to, count, PVG_EDGES_STRICT, NULL));
    PVGT_OK(pvg_query_new(&query, "capped-edges cells=within epsilon=1.2", &arguments,
                          &target, NULL));
    PVGT_OK(pvg_rng_new_seeded(&rng, 21));
    const pvg_input in = {.size = sizeof in, .graph = graph};
    double squares[2] = {0}, expected = 0.0, equal = 0.0;
    for (int d = 0; d < DRAWS; d++) {
        pvg_release *release = NULL;
        const double *values;
        PVGT_OK(pvg_release_draw(&release, query, &in, rng, NULL, NULL));
        PVGT_OK(pvg_release_view(&values, release));
        for (int r = 0; r < 2; r++) {
            const double off = values[2 * r + 1] - fmin(5.0, values[2 * r]);
            squares[r] += off * off;
        }
        equal += values[0] == values[2] && values[1] == values[3];
        pvg_release_free(release);
    }
    for (int i = 0; i < l.count; i++)
        for (double k = -1500; k <= 1500; k++)
            expected += weight_at(&l, i, l.kept[i] + k) / total_of(&l) * k * k;
    for (int r = 0; r < 2; r++)
        PVGT_CHECK(fabs(squares[r] / DRAWS / expected - 1.0) < 0.15, "row %d: %g, not %g",
                   r, squares[r] / DRAWS, expected);
    PVGT_CHECK(equal < 0.2 * DRAWS, "%g", equal / DRAWS);
    pvg_query_free(query);
    pvg_rng_free(rng);
    pvg_graph_free(graph);
}

/* The lower end is as told; on a matching, where nothing is lost, it is needed. */
static void least_edges_are_certain(void) {
    enum { DRAWS = 1500, PAIRS = 20 };
    const pvg_target target = {.size = sizeof target, .allow_seeded = 1};
    int64_t from[PAIRS], to[PAIRS], caps[PVGI_PICK_MAX];
    pvg_graph *graph = NULL;
    pvg_query *query = NULL;
    pvg_rng *rng = NULL;
    double above = 0.0, least = INFINITY, covered = 0.0, beyond = 0.0;
    for (int i = 0; i < PAIRS; i++) from[i] = 2 * i, to[i] = 2 * i + 1;
    PVGT_OK(
        pvg_graph_from_edges(&graph, 2 * PAIRS, from, to, PAIRS, PVG_EDGES_STRICT, NULL));
    PVGT_OK(pvg_query_new(&query, "capped-edges epsilon=2", NULL, &target, NULL));
    PVGT_OK(pvg_rng_new_seeded(&rng, 14));
    const int64_t count = pvgi_statistic_cap_list(caps, 2 * PAIRS - 1);
    for (int64_t i = 0; i < count; i++) {
        const double t = (double)caps[i], q = exp(-1.0 / t);
        above += 1.0 / (t * t) / (1.0 - q);
        least = fmin(least, (1.0 + q) / (t * t) / (1.0 - q));
    }
    const double x = log(above / (least * 0.1));
    const pvg_input in = {.size = sizeof in, .graph = graph};
    for (int d = 0; d < DRAWS; d++) {
        pvg_release *release = NULL;
        const double *values;
        double low;
        PVGT_OK(pvg_release_draw(&release, query, &in, rng, NULL, NULL));
        PVGT_OK(pvg_release_view(&values, release));
        PVGT_OK(pvg_estimate_least_edges(&low, 0, 0.9, query, release, 2 * PAIRS));
        const double told = fmax(0.0, values[1] - x * values[0]);
        PVGT_CHECK(low <= told && low >= fmax(0.0, values[1] - 1.03 * x * values[0]),
                   "%g, not %g", low, told);
        covered += low <= PAIRS;
        beyond += values[1] > PAIRS;
        pvg_release_free(release);
    }
    PVGT_CHECK(covered >= 0.9 * DRAWS && beyond > 0.3 * DRAWS, "%g %g", covered / DRAWS,
               beyond / DRAWS);
    pvg_query_free(query);
    pvg_rng_free(rng);
    pvg_graph_free(graph);
}

/* --- degrees ---------------------------------------------------------------------- */

/* Capped degrees of all nodes together move by at most twice the cap; levels too. */
static void degrees_move_by_twice_the_cap(void) {
    const int n = largest();
    static int8_t degree[1 << (MOST * (MOST - 1) / 2)][MOST];
    const uint32_t graphs = 1u << (n * (n - 1) / 2);
    pvgi_run run;
    PVGT_OK(pvgi_run_begin(&run, NULL));
    for (int64_t most = 1; most < n; most++) {
        int64_t worst_levels = 0, worst_overlap = 0;
        for (uint32_t mask = 0; mask < graphs; mask++) {
            pvg_graph *graph = graph_of(n, mask);
            pvgi_cap cap;
            int32_t kept_of[MOST];
            PVGT_OK(pvgi_statistic_cap_order(&cap, graph, 7, &run));
            pvgi_statistic_cap_degrees(kept_of, &cap, most, n);
            for (int v = 0; v < n; v++) degree[mask][v] = (int8_t)kept_of[v];
            pvgi_statistic_cap_drop(&cap);
            pvg_graph_free(graph);
        }
        for (int node = 0; node < n; node++) {
            const uint32_t own = pairs_of(n, node);
            for (uint32_t rest = 0; rest < graphs; rest++) {
                if (rest & own) continue;
                for (uint32_t a = own;; a = (a - 1) & own) {
                    for (uint32_t b = a;; b = (b - 1) & own) {
                        int64_t levels = 0, overlap = 0;
                        for (int j = 1; j <= most; j++) {
                            int one = 0, two = 0, sum = 0;
                            for (int v = 0; v < n; v++) {
                                one += degree[rest | a][v] >= j;
                                two += degree[rest | b][v] >= j;
                                sum +=
                                    (degree[rest | a][v] < j ? degree[rest | a][v] : j) -
                                    (degree[rest | b][v] < j ? degree[rest | b][v] : j);
                            }
                            levels += abs(one - two);
                            overlap += abs(sum);
                        }
                        if (levels > worst_levels) worst_levels = levels;
                        if (overlap > worst_overlap) worst_overlap = overlap;
                        if (b == 0) break;
                    }
                    if (a == 0) break;
                }
            }
        }
        PVGT_CHECK(worst_levels <= 2 * most && worst_levels >= most, "cap %d: %d",
                   (int)most, (int)worst_levels);
        /* sums that overlap are not covered: bands must not */
        if (most >= 2)
            PVGT_CHECK(worst_overlap > 2 * most, "cap %d: %d", (int)most,
                       (int)worst_overlap);
    }
}

/* Bands add up what the walk keeps, each unit once; noise is for twice the cap. */
static void bands_have_their_noise(void) {
    enum { DRAWS = 12000, NODES = 40, CELLS = 9 };
    const pvg_target target = {.size = sizeof target, .allow_seeded = 1};
    int64_t from[NODES * 4], to[NODES * 4], count = 0, ends[PVGI_BANDS_MAX + 1];
    pvg_graph *graph = NULL;
    pvg_query *query = NULL;
    pvg_rng *rng = NULL;
    pvgi_cap cap;
    pvgi_run run;
    int32_t kept_of[NODES];
    for (int v = 0; v < NODES; v++)
        for (int j = 1; j <= 1 + v % 3; j++)
            if (v + 5 * j < NODES) from[count] = v, to[count++] = v + 5 * j;
    const int64_t bands = pvgi_statistic_bands_ends(ends, NODES - 1);
    TEST_ASSERT_EQUAL_INT64(NODES - 1, ends[bands]);
    TEST_ASSERT_TRUE(pvgi_statistic_bands_ends(ends, INT32_MAX) <= PVGI_BANDS_MAX);
    pvgi_statistic_bands_ends(ends, NODES - 1);
    PVGT_OK(pvg_graph_from_edges(&graph, NODES, from, to, count, PVG_EDGES_STRICT, NULL));
    PVGT_OK(pvg_query_new(&query, "capped-degrees order=40 epsilon=8 key=7", NULL,
                          &target, NULL));
    PVGT_OK(pvg_rng_new_seeded(&rng, 9));
    PVGT_OK(pvgi_run_begin(&run, NULL));
    PVGT_OK(pvgi_statistic_cap_order(&cap, graph, scramble(7), &run));
    const pvg_input in = {.size = sizeof in, .graph = graph};
    int64_t counts[CELLS] = {0}, used = 0;
    for (int d = 0; d < DRAWS; d++) {
        pvg_release *release = NULL;
        const double *values;
        PVGT_OK(pvg_release_draw(&release, query, &in, rng, NULL, NULL));
        PVGT_OK(pvg_release_view(&values, release));
        pvgi_statistic_cap_degrees(kept_of, &cap, (int64_t)values[0], NODES);
        for (int64_t k = 0; k < bands; k++) {
            int64_t sum = 0;
            for (int v = 0; v < NODES; v++) {
                const int64_t most = kept_of[v] < ends[k + 1] ? kept_of[v] : ends[k + 1];
                sum += most > ends[k] ? most - ends[k] : 0;
            }
            const int64_t off = llabs((long long)values[1 + k] - (long long)sum);
            if ((double)ends[k] >= values[0]) {
                TEST_ASSERT_EQUAL_INT64(0, off);
            } else if (values[0] == 4.0) {
                counts[off < CELLS ? off : CELLS - 1]++;
                used++;
            }
        }
        pvg_release_free(release);
    }
    const double rate = 8.0 * 0.65 / 8.0; /* epsilon of the numbers over 2 x 4 */
    PVGT_CHECK(used > 4000, "%d", (int)used);
    PVGT_CHECK(distance(counts, CELLS, used, rate) < 37.0, "%g",
               distance(counts, CELLS, used, rate));
    TEST_ASSERT_TRUE(distance(counts, CELLS, used, rate * 1.12) > 37.0);
    TEST_ASSERT_TRUE(distance(counts, CELLS, used, rate * 2.0) > 400.0);
    pvgi_statistic_cap_drop(&cap);
    pvg_rng_free(rng);
    pvg_query_free(query);
    pvg_graph_free(graph);
}

/* A law without noise: degrees come back up to the shape inside bands. */
static void degrees_come_back(void) {
    enum { NODES = 300 };
    const pvg_target target = {.size = sizeof target, .allow_seeded = 1};
    int64_t from[NODES * 8], to[NODES * 8], count = 0, degrees[NODES], sum = 0;
    pvg_graph *graph = NULL;
    pvg_query *query = NULL;
    pvg_release *release = NULL;
    pvg_rng *rng = NULL;
    double moments[3], noise, geometric;
    for (int v = 0; v < NODES; v++)
        for (int j = 1; j <= 1 + v % 7; j++)
            if (v + 3 * j < NODES) from[count] = v, to[count++] = v + 3 * j;
    PVGT_OK(pvg_graph_from_edges(&graph, NODES, from, to, count, PVG_EDGES_STRICT, NULL));
    PVGT_OK(pvg_query_new(&query, "capped-degrees order=300 epsilon=1000", NULL, &target,
                          NULL));
    PVGT_OK(pvg_rng_new_seeded(&rng, 2));
    const pvg_input in = {.size = sizeof in, .graph = graph};
    PVGT_OK(pvg_release_draw(&release, query, &in, rng, NULL, NULL));
    PVGT_OK(pvg_estimate_sequence(degrees, query, release, 0));
    PVGT_OK(pvg_estimate_moments(moments, 3, query, release, NODES));
    PVGT_OK(pvg_estimate_degree_law(&noise, &geometric, query, release));
    for (int v = 0; v < NODES; v++) sum += degrees[v];
    PVGT_CHECK(llabs((long long)(sum - 2 * count)) < 20, "%d, not %d", (int)sum,
               (int)(2 * count));
    PVGT_CHECK(fabs(moments[1] - 2.0 * (double)count) < 20.0 && moments[0] == NODES, "%g",
               moments[1]);
    PVGT_CHECK(noise < 0.05 && geometric > 0.1 && geometric < 0.9, "%g %g", noise,
               geometric);
    PVGT_FAILS(PVG_E_ARGUMENT, "not that of the query",
               pvg_estimate_sequence(degrees, query, release, 7));
    PVGT_FAILS(PVG_E_ARGUMENT, "capped-edges with cap=auto",
               pvg_estimate_least_edges(&noise, 0, 0.9, query, release, 0));
    pvg_release_free(release);
    pvg_rng_free(rng);
    pvg_query_free(query);
    pvg_graph_free(graph);
}

/* --- what goes wrong with other truncations --------------------------------------- */

/* A hub is replaced: "keep my smallest entry" would lose as many edges as it has. */
static void a_hub_moves_it_by_the_cap(void) {
    enum { LEAVES = 50, NODES = 2 * LEAVES + 1 };
    int64_t from[2 * LEAVES], to[2 * LEAVES];
    for (int64_t key = 0; key < 20; key++) {
        pvg_query *query = query_of(1, key, 1);
        int64_t got[2];
        for (int world = 0; world < 2; world++) {
            pvg_graph *graph = NULL;
            int64_t count = 0;
            for (int v = 1; v <= LEAVES; v++) {
                from[count] = v, to[count++] = v + LEAVES;
                if (world) from[count] = 0, to[count++] = v;
            }
            PVGT_OK(pvg_graph_from_edges(&graph, NODES, from, to, count, PVG_EDGES_STRICT,
                                         NULL));
            got[world] = exact_of(query, graph);
            pvg_graph_free(graph);
        }
        PVGT_CHECK(llabs((long long)(got[0] - got[1])) <= 1, "key %d: %d and %d",
                   (int)key, (int)got[0], (int)got[1]);
        pvg_query_free(query);
    }
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(a_node_moves_it_by_the_cap);
    RUN_TEST(as_a_plain_walk);
    RUN_TEST(noise_has_the_scale_of_the_cap);
    RUN_TEST(a_node_is_hidden);
    RUN_TEST(a_drawn_cap_hides_a_node);
    RUN_TEST(draws_follow_the_law);
    RUN_TEST(the_query_draws_that_law);
    RUN_TEST(candidates_are_public);
    RUN_TEST(cells_move_as_charged);
    RUN_TEST(a_path_does_not_turn_over);
    RUN_TEST(drawn_rows_share_epsilon);
    RUN_TEST(least_edges_are_certain);
    RUN_TEST(degrees_move_by_twice_the_cap);
    RUN_TEST(bands_have_their_noise);
    RUN_TEST(degrees_come_back);
    RUN_TEST(a_hub_moves_it_by_the_cap);
    return pvgt_end(UNITY_END());
}
