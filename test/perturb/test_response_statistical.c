/* Laws of perturbed structure. For few nodes the frequency of every possible graph is
 * compared with its probability; for many nodes chunks, rows and merging are. The same
 * judge must reject the wrong epsilon, a walk that is off by one pair, and merging that
 * forgets which pairs have an edge. Generators are seeded. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "handles.h"
#include "perturb/cells.c" /* for its static functions */
#include "support.h"

#include <stdlib.h>

void setUp(void) {}
void tearDown(void) {}

/* --- judging ----------------------------------------------------------------------- */

static const double pass_below = 4.75; /* 1e-6 per test, seeds fixed */

/* Chi-square as a standard normal; thin cells are joined with the next. */
static double judge(const double *observed, const double *chance, int cells) {
    double total = 0, chi = 0, seen = 0, expected = 0;
    int degrees = -1;
    for (int i = 0; i < cells; i++) total += observed[i];
    for (int i = 0; i < cells; i++) {
        seen += observed[i];
        expected += chance[i] * total;
        if (expected < 10 && i + 1 < cells) continue;
        if (expected < 1e-9) continue;
        chi += (seen - expected) * (seen - expected) / expected;
        degrees++;
        seen = expected = 0;
    }
    if (degrees < 1) degrees = 1;
    const double spread = 2.0 / (9.0 * degrees);
    return (cbrt(chi / degrees) - (1 - spread)) / sqrt(spread);
}

/* --- graphs as bits: bit `rank` of the pair i < j, lexicographically --------------- */

enum { ORDER_MAX = 6, GRAPHS_MAX = 1 << 15 };

static int rank_of(int order, int i, int j) {
    return i * (2 * order - i - 1) / 2 + j - i - 1;
}

static pvg_graph *graph_of(int order, uint32_t bits) {
    int64_t sources[15], targets[15], count = 0;
    pvg_graph *graph;
    for (int i = 0; i < order; i++)
        for (int j = i + 1; j < order; j++)
            if (bits >> rank_of(order, i, j) & 1) {
                sources[count] = i;
                targets[count++] = j;
            }
    PVGT_OK(pvg_graph_from_edges(&graph, order, sources, targets, count, 0, NULL));
    return graph;
}

static uint32_t bits_of(const pvg_graph *graph) {
    uint32_t bits = 0;
    for (int64_t v = 0; v < graph->order; v++)
        for (int64_t i = graph->offsets[v]; i < graph->offsets[v + 1]; i++)
            if (graph->columns[i] > v)
                bits |= 1u << rank_of((int)graph->order, (int)v, graph->columns[i]);
    return bits;
}

/* The definition: every pair answers on its own. */
static void define(double *chance, int order, uint32_t truth, double keep, double add) {
    const int pairs = order * (order - 1) / 2;
    for (uint32_t out = 0; out < 1u << pairs; out++) {
        double p = 1;
        for (int c = 0; c < pairs; c++) {
            const double one = truth >> c & 1 ? keep : add;
            p *= out >> c & 1 ? one : 1 - one;
        }
        chance[out] = p;
    }
}

static double observed[GRAPHS_MAX], chance[GRAPHS_MAX];

static void draw_many(const pvg_perturber *p, int order, uint32_t truth, int draws,
                      uint64_t seed) {
    pvg_graph *graph = graph_of(order, truth);
    pvg_rng *rng;
    memset(observed, 0, sizeof observed);
    PVGT_OK(pvg_rng_new_seeded(&rng, seed));
    for (int i = 0; i < draws; i++) {
        pvg_release *release;
        const pvg_graph *result;
        PVGT_OK(pvgt_release_draw_graph(&release, p, graph, 0, rng, NULL, NULL));
        PVGT_OK(pvg_release_view_graph(&result, release));
        observed[bits_of(result)]++;
        pvg_release_free(release);
    }
    pvg_rng_free(rng);
    pvg_graph_free(graph);
}

static const struct {
    int order;
    uint32_t truth;
    double epsilon, keep;
    int draws;
} law_cases[] = {
    {2, 0, 1, 0, 50000},         {2, 1, 1, 0, 50000},
    {3, 5, 0.5, 0, 50000},       {4, 0, 2, 0, 100000},
    {4, 0x2D, 1, 0, 100000},     {4, 0x3F, 1, 0, 100000},
    {4, 0x0B, 1, 0.5, 100000},   {4, 0x31, 0.2, 0.1, 100000},
    {5, 0x155, 1, 0, 150000},    {5, 0x2AB, 2, 0.7, 150000},
    {6, 0x1234, 1.5, 0, 300000}, {6, 0x7A35, 0.3, 0.4, 300000},
};

static void every_small_graph_has_its_probability(void) {
    for (size_t i = 0; i < sizeof law_cases / sizeof law_cases[0]; i++) {
        const int order = law_cases[i].order, cells = 1 << (order * (order - 1) / 2);
        const pvg_response_config config = {.size = sizeof config,
                                            .keep = law_cases[i].keep};
        const double e = law_cases[i].epsilon;
        const pvg_target target = {
            .size = sizeof target, .epsilon = e, .allow_seeded = 1};
        pvg_perturber *p;
        PVGT_OK(pvgt_perturber_new_response(&p, &config, &target));
        draw_many(p, order, law_cases[i].truth, law_cases[i].draws, 100 + i);
        pvgt_perturber_free(p);
        const double keep =
            law_cases[i].keep > 0 ? law_cases[i].keep : exp(e) / (1 + exp(e));
        define(chance, order, law_cases[i].truth, keep, keep * exp(-e));
        const double z = judge(observed, chance, cells);
        PVGT_CHECK(z < pass_below, "case %zu: z %.2f", i, z);
        /* the same draws are not those of another epsilon, nor of another graph */
        if (order < 4) continue;
        for (int side = -1; side <= 1; side += 2) {
            const double w = e + 0.15 * side;
            const double wrong = law_cases[i].keep > 0 ? keep : exp(w) / (1 + exp(w));
            define(chance, order, law_cases[i].truth, wrong, wrong * exp(-w));
            const double z_wrong = judge(observed, chance, cells);
            PVGT_CHECK(z_wrong > 6, "case %zu: epsilon %g passes, z %.2f", i, w, z_wrong);
        }
        define(chance, order, law_cases[i].truth ^ 1, keep, keep * exp(-e));
        TEST_ASSERT_TRUE(judge(observed, chance, cells) > 6);
    }
}

/* --- what the judge must reject: a small copy of the walk, with faults ----------------
 */

typedef enum { SOUND, OFF_BY_ONE, FORGETS_EDGES, FORGETS_LAST } fault;

static uint32_t small_walk(int pairs, uint32_t truth, double keep, double add, fault f,
                           uint64_t *state) {
    uint32_t hits = 0, out = 0;
    int64_t at = -1;
    for (;;) {
        const double u = ((double)(pvgt_random(state) >> 11) + 1) * 0x1p-53;
        at += (int64_t)floor(log(u) / log1p(-add)) + (f == OFF_BY_ONE ? 2 : 1);
        if (at >= pairs - (f == FORGETS_LAST)) break;
        hits |= 1u << at;
    }
    for (int c = 0; c < pairs; c++) {
        const bool coin = (double)(pvgt_random(state) >> 11) * 0x1p-53 < keep;
        const bool hit = hits >> c & 1;
        if (truth >> c & 1 ? coin || (f == FORGETS_EDGES && hit) : hit) out |= 1u << c;
    }
    return out;
}

static void faulty_walks_are_rejected(void) {
    const int order = 4, pairs = 6, draws = 100000;
    const double keep = exp(1.0) / (1 + exp(1.0)), add = 1 - keep;
    for (fault f = SOUND; f <= FORGETS_LAST; f++) {
        uint64_t state = 5;
        memset(observed, 0, sizeof observed);
        for (int i = 0; i < draws; i++)
            observed[small_walk(pairs, 0x0B, keep, add, f, &state)]++;
        define(chance, order, 0x0B, keep, add);
        const double z = judge(observed, chance, 1 << pairs);
        PVGT_CHECK(f == SOUND ? z < pass_below : z > 6, "fault %d: z %.2f", (int)f, z);
    }
}

/* --- many nodes: chunks, rows, merging ------------------------------------------------
 */

static double standard(double seen, double trials, double p) {
    return (seen - trials * p) / sqrt(trials * p * (1 - p));
}

/* Every pair is walked over once: first and last pairs of chunks and rows as others. */
static void chunks_meet_without_gap_or_overlap(void) {
    const int64_t order = 2500;
    const uint64_t flip = pvgi_rng_flip_threshold(0.5);
    const double p = ldexp((double)flip, -64);
    const pvgi_cell_rates rates = pvgi_perturb_rates(0 - flip, flip, 0);
    double seen[4] = {0}, trials[4] = {0}, rows = 0, tried = 0;
    pvg_graph *empty, *made;
    pvg_rng *rng;
    pvgi_run run;
    PVGT_OK(pvg_graph_from_edges(&empty, order, NULL, NULL, 0, 0, NULL));
    PVGT_OK(pvg_rng_new_seeded(&rng, 21));
    PVGT_OK(pvgi_run_begin(&run, NULL));
    job j = {.graph = empty, .rates = &rates, .chunks = chunks_of(order, &rates)};
    TEST_ASSERT_TRUE(j.chunks > 100);
    TEST_ASSERT_EQUAL_INT64(0, first_row(&j, 0));
    TEST_ASSERT_EQUAL_INT64(order, first_row(&j, j.chunks));
    for (int repeat = 0; repeat < 12; repeat++) {
        pvgi_stream call;
        PVGT_OK(pvgi_rng_stream_open(&call, rng));
        PVGT_OK(pvgi_perturb_cells(&made, empty, &rates, &call, &run));
        int64_t chunk = 0;
        for (int64_t v = 0; v + 1 < order; v++) {
            const int32_t *up = upper_part(made, v);
            const int32_t *end = made->columns + made->offsets[v + 1];
            const bool has_first = up < end && *up == v + 1;
            const bool has_last = up < end && end[-1] == order - 1;
            while (first_row(&j, chunk + 1) <= v) chunk++;
            const bool opens = first_row(&j, chunk) == v;
            const bool closes = first_row(&j, chunk + 1) == v + 1;
            seen[0] += has_first, trials[0]++;
            seen[1] += has_last, trials[1]++;
            if (opens) seen[2] += has_first, trials[2]++;
            if (closes) seen[3] += has_last, trials[3]++;
            const double z = standard((double)(end - up), (double)(order - 1 - v), p);
            rows += z * z;
            tried++;
        }
        pvgi_graph_free(made);
    }
    for (int i = 0; i < 4; i++)
        PVGT_CHECK(fabs(standard(seen[i], trials[i], p)) < pass_below,
                   "place %d: %g of %g", i, seen[i], trials[i]);
    PVGT_CHECK(fabs(rows - tried) < pass_below * sqrt(2 * tried) * 1.1, "rows: %g of %g",
               rows, tried);
    pvg_rng_free(rng);
    pvg_graph_free(empty);
}

/* Shares of kept and of added edges in a large sparse graph, also where chances are
 * halved many times. */
static void large_graphs_keep_and_add_their_shares(void) {
    static const struct {
        double epsilon;
        int halvings;
    } cases[] = {{7, 0}, {2, 6}, {0.5, 10}, {10, 1}};
    const int64_t order = 20000;
    pvg_graph *graph;
    pvg_rng *rng;
    pvgi_run run;
    PVGT_OK(pvg_rng_new_seeded(&rng, 5));
    PVGT_OK(pvgi_run_begin(&run, NULL));
    PVGT_OK(pvg_graph_draw_erdos_renyi(&graph, order, 20.0 / (double)order, rng, NULL));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint64_t flip = pvgi_rng_flip_threshold(cases[i].epsilon);
        const double scale = ldexp(1.0, -cases[i].halvings);
        const double add = ldexp((double)flip, -64) * scale;
        const double keep = ldexp((double)(0 - flip), -64) * scale;
        const pvgi_cell_rates rates =
            pvgi_perturb_rates(0 - flip, flip, cases[i].halvings);
        pvgi_stream call;
        pvg_graph *made;
        double kept = 0;
        PVGT_OK(pvgi_rng_stream_open(&call, rng));
        PVGT_OK(pvgi_perturb_cells(&made, graph, &rates, &call, &run));
        for (int64_t v = 0; v < order; v++)
            for (int64_t e = made->offsets[v]; e < made->offsets[v + 1]; e++)
                if (made->columns[e] > v)
                    kept += pvgi_graph_row_find(graph->columns + graph->offsets[v],
                                                graph->offsets[v + 1] - graph->offsets[v],
                                                made->columns[e]) >= 0;
        const double added = (double)made->size - kept;
        const double absent = (double)(pvgi_perturb_pairs(order) - graph->size);
        PVGT_CHECK(fabs(standard(kept, (double)graph->size, keep)) < pass_below,
                   "case %zu: kept %g", i, kept);
        PVGT_CHECK(fabs(standard(added, absent, add)) < pass_below, "case %zu: added %g",
                   i, added);
        /* the test can tell 2 % */
        TEST_ASSERT_TRUE(fabs(standard(added, absent, add * 1.02)) > pass_below ||
                         absent * add < 6e4);
        pvgi_graph_free(made);
    }
    pvg_rng_free(rng);
    pvg_graph_free(graph);
}

/* --- LapGraph --------------------------------------------------------------------------
 */

/* The two shares of epsilon, as the library takes them. */
static const double count_share = 0.25;

static pvg_perturber *make_lapgraph(double epsilon) {
    const pvg_lapgraph_config config = {.size = sizeof config,
                                        .count_share = count_share};
    const pvg_target target = {
        .size = sizeof target, .epsilon = epsilon, .allow_seeded = 1};
    pvg_perturber *p;
    PVGT_OK(pvgt_perturber_new_lapgraph(&p, &config, &target));
    return p;
}

/* P(T = t): edges + discrete Laplace, clamped to 0..pairs. */
static double count_chance(int t, int edges, int pairs, double epsilon) {
    const double r = exp(-epsilon * count_share);
    if (t == 0) return pow(r, edges) / (1 + r);
    if (t == pairs) return pow(r, pairs - edges) / (1 + r);
    return (1 - r) / (1 + r) * pow(r, abs(t - edges));
}

static double choose_count(int n, int k) {
    double c = 1;
    for (int i = 0; i < k; i++) c = c * (n - i) / (i + 1);
    return c;
}

/* Adds weight to every set of t pairs that holds all of `sure` and the rest from `maybe`.
 */
static void spread(double *to, int pairs, uint32_t sure, uint32_t maybe, int t,
                   double weight) {
    const int missing = t - __builtin_popcount(sure);
    const double each = weight / choose_count(__builtin_popcount(maybe), missing);
    for (uint32_t out = 0; out < 1u << pairs; out++)
        if ((out & sure) == sure && (out & ~(sure | maybe)) == 0 &&
            __builtin_popcount(out) == t)
            to[out] += each;
}

/* By sides: randomised response, then uniform choices. */
static void lapgraph_by_sides(double *to, int order, uint32_t truth, double epsilon) {
    const int pairs = order * (order - 1) / 2;
    const double e = epsilon * (1 - count_share), keep = exp(e) / (1 + exp(e));
    const uint32_t all = (1u << pairs) - 1;
    static double side[GRAPHS_MAX];
    memset(to, 0, (size_t)(all + 1) * sizeof *to);
    define(side, order, truth, keep, 1 - keep);
    for (int t = 0; t <= pairs; t++)
        for (uint32_t high = 0; high <= all; high++) {
            const double weight =
                side[high] * count_chance(t, __builtin_popcount(truth), pairs, epsilon);
            if (__builtin_popcount(high) >= t)
                spread(to, pairs, 0, high, t, weight);
            else
                spread(to, pairs, high, all & ~high, t, weight);
        }
}

/* The definition for 3 nodes: all noisy bits up to where their chance is below 1e-20. */
static void lapgraph_defined(double *to, uint32_t truth, double epsilon) {
    const double e = epsilon * (1 - count_share), r = exp(-e);
    const int reach = (int)(46 / e) + 1, width = 2 * reach + 1;
    memset(to, 0, 8 * sizeof *to);
    for (int index = 0; index < width * width * width; index++) {
        int v[3], rest = index;
        double weight = 1;
        for (int c = 0; c < 3; c++, rest /= width) {
            const int z = rest % width - reach;
            v[c] = z + (int)(truth >> c & 1);
            weight *= (1 - r) / (1 + r) * pow(r, abs(z));
        }
        for (int t = 0; t <= 3; t++) {
            uint32_t sure = 0, maybe = 0;
            for (int c = 0; c < 3; c++) {
                int larger = 0, same = 0;
                for (int d = 0; d < 3; d++) {
                    larger += v[d] > v[c];
                    same += v[d] == v[c];
                }
                if (larger + same <= t)
                    sure |= 1u << c;
                else if (larger < t)
                    maybe |= 1u << c;
            }
            spread(to, 3, sure, maybe, t,
                   weight * count_chance(t, __builtin_popcount(truth), 3, epsilon));
        }
    }
}

static void lapgraph_reduces_to_sides(void) {
    static const double epsilons[] = {1, 2.5, 6};
    for (int i = 0; i < 3; i++)
        for (uint32_t truth = 0; truth < 8; truth++) {
            double defined[8], by_sides[8], sum = 0;
            lapgraph_defined(defined, truth, epsilons[i]);
            lapgraph_by_sides(by_sides, 3, truth, epsilons[i]);
            for (int out = 0; out < 8; out++) {
                PVGT_CHECK(fabs(defined[out] - by_sides[out]) < 1e-12,
                           "epsilon %g graph %u output %d: %.15g %.15g", epsilons[i],
                           truth, out, defined[out], by_sides[out]);
                sum += defined[out];
            }
            TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1.0, sum);
        }
}

/* No output of a graph is e^epsilon times likelier than of its neighbour, and the whole
 * is used: by exact probabilities. */
static void lapgraph_tells_no_more_than_epsilon(void) {
    static double here[64], there[64];
    for (double epsilon = 0.5; epsilon < 4; epsilon *= 2) {
        double worst = 0;
        for (uint32_t truth = 0; truth < 64; truth += 5)
            for (int c = 0; c < 6; c++) {
                lapgraph_by_sides(here, 4, truth, epsilon);
                lapgraph_by_sides(there, 4, truth ^ 1u << c, epsilon);
                for (int out = 0; out < 64; out++)
                    worst = fmax(worst, fabs(log(here[out] / there[out])));
            }
        PVGT_CHECK(worst <= epsilon + 1e-9 && worst > 0.5 * epsilon, "%g of %g", worst,
                   epsilon);
    }
}

static void lapgraph_has_its_law(void) {
    static const struct {
        int order;
        uint32_t truth;
        double epsilon;
    } cases[] = {{2, 0, 1},    {3, 5, 2},       {4, 0, 2}, {4, 0x3F, 2},
                 {4, 0x13, 1}, {5, 0x155, 1.5}, {5, 7, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const int order = cases[i].order, cells = 1 << (order * (order - 1) / 2);
        pvg_perturber *p = make_lapgraph(cases[i].epsilon);
        draw_many(p, order, cases[i].truth, 100000, 900 + i);
        pvgt_perturber_free(p);
        lapgraph_by_sides(chance, order, cases[i].truth, cases[i].epsilon);
        const double z = judge(observed, chance, cells);
        PVGT_CHECK(z < pass_below, "case %zu: z %.2f", i, z);
        if (order < 4) continue;
        lapgraph_by_sides(chance, order, cases[i].truth, cases[i].epsilon * 1.15);
        TEST_ASSERT_TRUE(judge(observed, chance, cells) > 6);
    }
}

/* Where far more pairs answer yes than are wanted: how many true edges are among them. */
static void lapgraph_thins_evenly(void) {
    enum { ORDER = 300, DRAWS = 4000 };
    const double epsilon = 2, e = epsilon * (1 - count_share);
    const double keep = exp(e) / (1 + exp(e));
    pvg_perturber *p = make_lapgraph(epsilon);
    pvg_graph *graph;
    pvg_rng *rng;
    double kept = 0, size = 0, size_two = 0, variance = 0;
    PVGT_OK(pvg_graph_new_cycle(&graph, ORDER));
    PVGT_OK(pvg_rng_new_seeded(&rng, 8));
    const double pairs = ORDER * (ORDER - 1) / 2.0, yes = ORDER * keep;
    /* what is chosen is true with the share of true ones among those that say yes */
    const double share = yes / (yes + (pairs - ORDER) * (1 - keep));
    for (int d = 0; d < DRAWS; d++) {
        pvg_release *release;
        const pvg_graph *seen;
        PVGT_OK(pvgt_release_draw_graph(&release, p, graph, 0, rng, NULL, NULL));
        PVGT_OK(pvg_release_view_graph(&seen, release));
        for (int64_t v = 0; v < ORDER; v++)
            kept += pvgi_graph_row_find(seen->columns + seen->offsets[v],
                                        seen->offsets[v + 1] - seen->offsets[v],
                                        (int32_t)((v + 1) % ORDER)) >= 0;
        size += (double)seen->size;
        size_two += pow((double)seen->size - ORDER, 2);
        variance += (double)seen->size * share * (1 - share);
        pvg_release_free(release);
    }
    PVGT_CHECK(fabs(kept - size * share) < 5 * sqrt(variance), "kept %g of %g", kept,
               size * share);
    TEST_ASSERT_TRUE(fabs(kept - 1.05 * size * share) > 5 * sqrt(variance));
    const double r = exp(-epsilon * count_share), noise = 2 * r / ((1 - r) * (1 - r));
    TEST_ASSERT_TRUE(fabs(size / DRAWS - ORDER) < 5 * sqrt(noise / DRAWS));
    TEST_ASSERT_TRUE(fabs(size_two / DRAWS / noise - 1) < 0.2);
    pvg_rng_free(rng);
    pvg_graph_free(graph);
    pvgt_perturber_free(p);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(every_small_graph_has_its_probability);
    RUN_TEST(faulty_walks_are_rejected);
    RUN_TEST(chunks_meet_without_gap_or_overlap);
    RUN_TEST(large_graphs_keep_and_add_their_shares);
    RUN_TEST(lapgraph_reduces_to_sides);
    RUN_TEST(lapgraph_tells_no_more_than_epsilon);
    RUN_TEST(lapgraph_has_its_law);
    RUN_TEST(lapgraph_thins_evenly);
    return pvgt_end(UNITY_END());
}
