/* attacks: areas against sums over pairs, intervals against what they cover, questions
 * against the graph, controls and excess, arguments. */
#include "audit/audit_internal.h"
#include "support.h"

#include <math.h>
#include <privgraph-learn.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

static double unit(uint64_t *state) {
    return ((double)(pvgt_random(state) >> 11) + 0.5) * 0x1p-53;
}

static double normal(uint64_t *state) {
    const double r = sqrt(-2 * log(unit(state)));
    return r * cos(6.283185307179586 * unit(state));
}

/* --- areas ------------------------------------------------------------------------- */

/* DeLong's variance by its definition. */
static double by_pairs(double *area, const double *x, int m, const double *y, int n) {
    double sum = 0, first = 0, second = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) sum += x[i] > y[j] ? 1 : x[i] == y[j] ? .5 : 0;
    *area = sum / m / n;
    for (int i = 0; i < m; i++) {
        double v = 0;
        for (int j = 0; j < n; j++) v += (x[i] > y[j] ? 1 : x[i] == y[j] ? .5 : 0) / n;
        first += (v - *area) * (v - *area);
    }
    for (int j = 0; j < n; j++) {
        double v = 0;
        for (int i = 0; i < m; i++) v += (x[i] > y[j] ? 1 : x[i] == y[j] ? .5 : 0) / m;
        second += (v - *area) * (v - *area);
    }
    return first / (m - 1) / m + second / (n - 1) / n;
}

static void an_area_is_a_sum_over_pairs(void) {
    uint64_t state = 1;
    for (int round = 0; round < 50; round++) {
        double x[40], y[30], area, auc, low, high;
        const int m = 2 + (int)pvgt_below(&state, 38),
                  n = 2 + (int)pvgt_below(&state, 28);
        for (int i = 0; i < m; i++) x[i] = (double)pvgt_below(&state, 1 + round);
        for (int j = 0; j < n; j++) y[j] = (double)pvgt_below(&state, 2 + round / 2);
        const double half = 1.959963984540054 * sqrt(by_pairs(&area, x, m, y, n));
        PVGT_OK(pvg_audit_auc(&auc, &low, &high, x, m, y, n, .95));
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, area, auc);
        if (half < 1e-9) continue;
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, area - half < 0 ? 0 : area - half, low);
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, area + half > 1 ? 1 : area + half, high);
    }
    /* no spread: all above, all equal; infinite scores */
    const double up[4] = {5, 6, 7, INFINITY}, down[3] = {1, 2, -INFINITY};
    double auc, low, high;
    PVGT_OK(pvg_audit_auc(&auc, &low, &high, up, 4, down, 3, .95));
    TEST_ASSERT_EQUAL_DOUBLE(1, auc);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, pow(.025, 1 / 3.), low);
    TEST_ASSERT_EQUAL_DOUBLE(1, high);
    PVGT_OK(pvg_audit_auc(&auc, &low, &high, down, 3, up, 4, .95));
    TEST_ASSERT_EQUAL_DOUBLE(0, auc);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1 - pow(.025, 1 / 3.), high);
}

/* Normal scores d apart: AUC Phi(d / sqrt 2), intervals of 95 %. */
static void intervals_of_pairs_cover(void) {
    uint64_t state = 2;
    int covered = 0;
    enum { ROUNDS = 400, M = 60, N = 90 };
    const double truth = .5 * erfc(-.8 / 2);
    for (int round = 0; round < ROUNDS; round++) {
        double x[M], y[N], auc, low, high;
        for (int i = 0; i < M; i++) x[i] = .8 + normal(&state);
        for (int j = 0; j < N; j++) y[j] = normal(&state);
        PVGT_OK(pvg_audit_auc(&auc, &low, &high, x, M, y, N, .95));
        covered += low <= truth && truth <= high;
    }
    PVGT_CHECK(covered > .91 * ROUNDS && covered < .99 * ROUNDS, "covered %d", covered);
}

static void ceilings_are_what_they_are(void) {
    double auc, rate, other, separation;
    PVGT_OK(pvg_audit_ceiling_pure(&auc, &rate, 1, 0, .01));
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, exp(1) / (1 + exp(1)), auc);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, .01 * exp(1), rate);
    PVGT_OK(pvg_audit_ceiling_pure(&auc, &rate, 1, 0, .9));
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1 - .1 * exp(-1), rate);
    PVGT_OK(pvg_audit_ceiling_pure(&auc, &rate, 0, .3, 0));
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1 - .49 / 2, auc);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, .3, rate);
    PVGT_OK(pvg_audit_ceiling_pure(&auc, &rate, INFINITY, 0, .2));
    TEST_ASSERT_EQUAL_DOUBLE(1, auc);
    TEST_ASSERT_EQUAL_DOUBLE(1, rate);
    PVGT_OK(pvg_audit_ceiling_gdp(&auc, &rate, 1.5, .5));
    PVGT_OK(pvg_audit_ceiling(&other, &separation, 1.5));
    TEST_ASSERT_EQUAL_DOUBLE(other, auc);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, .5 * erfc(-1.5 / sqrt(2)), rate);
    /* the AUC is the area under the true positives */
    double area = 0;
    for (int i = 0; i < 20000; i++) {
        PVGT_OK(pvg_audit_ceiling_gdp(&auc, &rate, 1, (i + .5) / 20000));
        area += rate / 20000;
    }
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, auc, area);
    area = 0;
    for (int i = 0; i < 20000; i++) {
        PVGT_OK(pvg_audit_ceiling_pure(&auc, &rate, 1.3, .07, (i + .5) / 20000));
        area += rate / 20000;
    }
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, auc, area);
}

/* --- questions ---------------------------------------------------------------------- */

static pvg_graph *drawn(int64_t order, double p, uint64_t seed) {
    pvg_graph *g = NULL;
    pvg_rng *rng = NULL;
    PVGT_OK(pvg_rng_new_seeded(&rng, seed));
    PVGT_OK(pvg_graph_draw_erdos_renyi(&g, order, p, rng, NULL));
    pvg_rng_free(rng);
    return g;
}

static bool joined(const pvg_graph *g, int64_t u, int64_t v) {
    for (int64_t e = g->offsets[u]; e < g->offsets[u + 1]; e++)
        if (g->columns[e] == v) return true;
    return false;
}

static bool two_apart(const pvg_graph *g, int64_t u, int64_t v) {
    for (int64_t e = g->offsets[u]; e < g->offsets[u + 1]; e++)
        if (joined(g, g->columns[e], v)) return true;
    return false;
}

static int32_t oracle(void *context, double *scores, const int64_t *first,
                      const int64_t *second, int64_t count) {
    for (int64_t i = 0; i < count; i++) scores[i] = joined(context, first[i], second[i]);
    return 0;
}
static int32_t constant(void *context, double *scores, const int64_t *first,
                        const int64_t *second, int64_t count) {
    (void)context;
    (void)first;
    (void)second;
    for (int64_t i = 0; i < count; i++) scores[i] = 3;
    return 0;
}
static int32_t noise(void *context, double *scores, const int64_t *first,
                     const int64_t *second, int64_t count) {
    (void)first;
    (void)second;
    for (int64_t i = 0; i < count; i++) scores[i] = unit(context);
    return 0;
}
static int32_t silence(void *context, double *scores, const int64_t *first,
                       const int64_t *second, int64_t count) {
    (void)context;
    (void)scores;
    (void)first;
    (void)second;
    return count > 0;
}

static pvg_attack *custom(pvg_attack_score score, void *context, const pvg_graph *g,
                          const pvg_attack_config *config, uint64_t seed,
                          uint32_t threads) {
    const pvg_run run = {.size = sizeof run, .threads = threads};
    pvg_attack *a = NULL;
    pvg_rng *rng = NULL;
    PVGT_OK(pvg_rng_new_seeded(&rng, seed));
    PVGT_OK(pvg_attack_links_custom(&a, score, context, g, config, rng, &run));
    pvg_rng_free(rng);
    return a;
}

static pvg_attack_report report(const pvg_attack *a, int32_t kind) {
    pvg_attack_report r = {.size = sizeof r};
    PVGT_OK(pvg_attack_copy_report(&r, a, kind));
    return r;
}

static void questions_are_what_they_say(void) {
    pvg_graph *g = drawn(300, .02, 7);
    int32_t asked[300];
    for (int v = 0; v < 300; v++) asked[v] = v % 3 != 0;
    const pvg_attack_config config = {
        .size = sizeof config, .positives = 150, .negatives = 400, .asked = asked};
    pvg_attack *a = custom(oracle, g, g, &config, 3, 1);
    const int64_t *first, *second;
    const int32_t *kinds;
    int64_t counts[4] = {0};
    PVGT_OK(pvg_attack_view_questions(&first, &second, &kinds, a));
    double mean[4] = {0}; /* of the sum of degrees */
    for (int64_t i = 0; i < pvg_attack_count(a); i++) {
        const int64_t u = first[i], v = second[i];
        TEST_ASSERT_TRUE(u != v && asked[u] && asked[v]);
        TEST_ASSERT_EQUAL_INT(kinds[i] == PVG_NEGATIVES_NONE, joined(g, u, v));
        if (kinds[i] == PVG_NEGATIVES_TWO_HOP) TEST_ASSERT_TRUE(two_apart(g, u, v));
        for (int64_t j = 0; j < i && kinds[i] == PVG_NEGATIVES_NONE; j++)
            TEST_ASSERT_FALSE(first[j] == u && second[j] == v);
        counts[kinds[i] + 1]++;
        mean[kinds[i] + 1] += (double)(g->offsets[u + 1] - g->offsets[u] +
                                       g->offsets[v + 1] - g->offsets[v]);
    }
    TEST_ASSERT_EQUAL_INT64(150, counts[0]);
    for (int k = 1; k < 4; k++) TEST_ASSERT_EQUAL_INT64(400, counts[k]);
    /* ends of edges have a degree of one more, and so have those of DEGREE */
    for (int k = 0; k < 4; k++) mean[k] /= (double)counts[k];
    TEST_ASSERT_DOUBLE_WITHIN(.8, mean[0], mean[3]);
    TEST_ASSERT_TRUE(mean[1] < mean[0] - 1);
    for (int32_t k = 0; k < 3; k++) {
        const pvg_attack_report r = report(a, k);
        TEST_ASSERT_EQUAL_DOUBLE(1, r.auc);
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1, r.precision_mean);
        TEST_ASSERT_EQUAL_DOUBLE(1, r.true_positive);
        TEST_ASSERT_TRUE(r.auc_low > .9 && r.auc_low < 1 && r.auc_high == 1);
        TEST_ASSERT_EQUAL_INT(PVG_CONTROL_DEGREES, r.control);
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1 - r.control_auc, r.excess);
        TEST_ASSERT_TRUE(r.excess_low < r.excess && r.excess < r.excess_high);
        TEST_ASSERT_FALSE(r.silent);
    }
    pvg_attack_free(a);
    /* a clique has no other pairs, a triangle-free square no third kind */
    pvg_graph *clique = NULL;
    PVGT_OK(pvg_graph_new_clique(&clique, 6));
    a = custom(oracle, clique, clique, NULL, 3, 1);
    TEST_ASSERT_EQUAL_INT64(15, pvg_attack_count(a));
    for (int32_t k = 0; k < 3; k++) {
        TEST_ASSERT_EQUAL_INT64(0, report(a, k).negative_count);
        TEST_ASSERT_TRUE(isnan(report(a, k).auc) && isnan(report(a, k).excess));
    }
    pvg_attack_free(a);
    pvg_graph_free(clique);
    pvg_graph_free(g);
}

static void a_constant_is_no_interface(void) {
    pvg_graph *g = drawn(60, .1, 9);
    pvg_attack *a = custom(constant, NULL, g, NULL, 1, 1);
    for (int32_t k = 0; k < 3; k++) {
        const pvg_attack_report r = report(a, k);
        TEST_ASSERT_EQUAL_INT(1, r.silent);
        TEST_ASSERT_EQUAL_DOUBLE(.5, r.auc);
        TEST_ASSERT_EQUAL_DOUBLE(.5, r.auc_low);
        TEST_ASSERT_EQUAL_DOUBLE(0, r.true_positive);
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, r.prevalence, r.precision_mean);
    }
    pvg_attack_free(a);
    pvg_graph_free(g);
}

/* An oracle of another graph on the same nodes knows nothing of this one, and neither
 * does noise: .5 within six deviations, on every kind. */
static void shuffled_truth_is_chance(void) {
    pvg_graph *g = drawn(300, .03, 41), *other = drawn(300, .3, 42);
    uint64_t state = 6;
    pvg_attack *attacks[2] = {custom(oracle, other, g, NULL, 2, 1),
                              custom(noise, &state, g, NULL, 2, 1)};
    for (int i = 0; i < 2; i++)
        for (int32_t k = 0; k < 3; k++) {
            const pvg_attack_report r = report(attacks[i], k);
            TEST_ASSERT_DOUBLE_WITHIN(6 * (r.auc_high - r.auc_low) / 3.92, .5, r.auc);
            TEST_ASSERT_TRUE(r.auc_high - r.auc_low < .1);
        }
    pvg_attack_free(attacks[0]);
    pvg_attack_free(attacks[1]);
    pvg_graph_free(g);
    pvg_graph_free(other);
}

/* Same bits for any number of threads; same questions for any attack. */
static void seeds_settle_everything(void) {
    pvg_graph *g = drawn(200, .03, 5);
    uint64_t one = 4, two = 4;
    pvg_attack *a = custom(noise, &one, g, NULL, 11, 1);
    pvg_attack *b = custom(noise, &two, g, NULL, 11, 4);
    pvg_attack *c = custom(oracle, g, g, NULL, 11, 1);
    for (int32_t k = 0; k < 3; k++) {
        const pvg_attack_report x = report(a, k), y = report(b, k);
        TEST_ASSERT_EQUAL_MEMORY(&x, &y, sizeof x);
    }
    const int64_t *first[2], *second[2];
    PVGT_OK(pvg_attack_view_questions(&first[0], &second[0], NULL, a));
    PVGT_OK(pvg_attack_view_questions(&first[1], &second[1], NULL, c));
    TEST_ASSERT_EQUAL_INT64_ARRAY(first[0], first[1], (uint32_t)pvg_attack_count(a));
    TEST_ASSERT_EQUAL_INT64_ARRAY(second[0], second[1], (uint32_t)pvg_attack_count(a));
    pvg_attack_free(a);
    pvg_attack_free(b);
    pvg_attack_free(c);
    pvg_graph_free(g);
}

/* Null problems: scores that know nothing of the graph, one number for each pair, or the
 * sum of hidden numbers of its nodes, so that questions share much; on a graph with hubs
 * and on one without. Over hidden numbers the expected AUC is .5. As if questions were
 * independent, the second kind is covered far too rarely where there are hubs. */
enum { HIDDEN = 220 };
static int32_t hidden_sum(void *context, double *scores, const int64_t *first,
                          const int64_t *second, int64_t count) {
    const double *hidden = context;
    for (int64_t i = 0; i < count; i++) scores[i] = hidden[first[i]] + hidden[second[i]];
    return 0;
}

/* Rounds of 1000 that were covered, for a kind of negatives; pairs: as if independent. */
static void cover(double out[3], double pairs[3], const pvg_graph *g, bool shared,
                  int rounds, uint64_t state) {
    const pvg_attack_config config = {
        .size = sizeof config, .draws = 100, .positives = 300};
    memset(out, 0, 3 * sizeof *out);
    memset(pairs, 0, 3 * sizeof *pairs);
    for (int round = 0; round < rounds; round++) {
        double hidden[HIDDEN];
        for (int v = 0; v < HIDDEN; v++) hidden[v] = normal(&state);
        pvg_attack *a =
            custom(shared ? hidden_sum : noise, shared ? (void *)hidden : &state, g,
                   &config, (uint64_t)round, 1);
        for (int32_t k = 0; k < 3; k++) {
            const pvg_attack_report r = report(a, k);
            out[k] += (r.auc_low <= .5 && .5 <= r.auc_high) / (double)rounds;
            pairs[k] += (r.pairs_low <= .5 && .5 <= r.pairs_high) / (double)rounds;
        }
        pvg_attack_free(a);
    }
}

static void intervals_over_nodes_cover(void) {
    const int rounds = pvgt_soak() ? 1000 : 200;
    pvg_graph *graphs[2] = {drawn(HIDDEN, .03, 21), NULL};
    pvg_rng *rng = NULL;
    PVGT_OK(pvg_rng_new_seeded(&rng, 4));
    PVGT_OK(pvg_graph_draw_preferential(&graphs[1], HIDDEN, 3, rng, NULL));
    for (int hubs = 0; hubs < 2; hubs++)
        for (int shared = 0; shared < 2; shared++) {
            double covered[3], naive[3];
            cover(covered, naive, graphs[hubs], shared, rounds, 77);
            for (int k = 0; k < 3; k++) {
                if (pvgt_soak())
                    printf("hubs %d, shared %d, kind %d: covered %.3f, by pairs %.3f\n",
                           hubs, shared, k, covered[k], naive[k]);
                PVGT_CHECK(covered[k] >= .91 && covered[k] <= .99,
                           "hubs %d, shared %d, kind %d: covered %g", hubs, shared, k,
                           covered[k]);
            }
            if (hubs && shared) TEST_ASSERT_TRUE(naive[0] < .88);
        }
    pvg_rng_free(rng);
    pvg_graph_free(graphs[0]);
    pvg_graph_free(graphs[1]);
}

/* --- rows and controls ---------------------------------------------------------------
 * */

static void metrics_are_their_formulas(void) {
    const double a[3] = {1, 2, -1}, b[3] = {2, 0, 3}, m[3] = {1, 1, 0}, z[3] = {0};
    const struct {
        int32_t metric;
        double value;
    } known[] = {
        {PVG_METRIC_COSINE, -1 / sqrt(6 * 13)},
        {PVG_METRIC_CENTRED, (0 * 1 + 1 * -1 + -1 * 3) / sqrt(2 * 11)},
        {PVG_METRIC_CORRELATION, (1. / 3 * 1. / 3 + 4. / 3 * -5. / 3 + -5. / 3 * 4. / 3) /
                                     sqrt((1 + 16 + 25) / 9. * (1 + 25 + 16) / 9.)},
        {PVG_METRIC_DOT, -1},
        {PVG_METRIC_EUCLIDEAN, -sqrt(1 + 4 + 16)},
        {PVG_METRIC_CITY_BLOCK, -7},
        {PVG_METRIC_CHEBYSHEV, -4},
        {PVG_METRIC_BRAY_CURTIS, -7. / (3 + 2 + 2)},
        {PVG_METRIC_CANBERRA, -(1. / 3 + 1 + 1)},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        PVGT_CHECK(fabs(pvgi_audit_compare(known[i].metric, a, b, m, 3) -
                        known[i].value) < 1e-12,
                   "metric %d", (int)known[i].metric);
    TEST_ASSERT_EQUAL_DOUBLE(0, pvgi_audit_compare(PVG_METRIC_COSINE, a, z, m, 3));
}

/* Every control on one attack, and which is best. */
static void controls_stand_beside(void) {
    enum { NODES = 120 };
    pvg_graph *g = drawn(NODES, .06, 31), *known = NULL;
    pvg_features *features = NULL;
    double rows[NODES][2], where[NODES], posteriors[NODES][2];
    uint64_t state = 5;
    for (int v = 0; v < NODES; v++) {
        rows[v][0] = normal(&state);
        rows[v][1] = normal(&state);
        where[v] = v;
        posteriors[v][0] = unit(&state);
        posteriors[v][1] = 1 - posteriors[v][0];
    }
    PVGT_OK(pvg_features_from_dense(&features, NODES, 2, rows[0]));
    PVGT_OK(pvg_graph_truncate_degree(&known, g, 4, NULL));
    const pvg_attack_config config = {.size = sizeof config,
                                      .features = features,
                                      .posteriors = posteriors[0],
                                      .posterior_columns = 2,
                                      .positions = where,
                                      .known = known,
                                      .rows = rows[0],
                                      .row_columns = 2};
    pvg_rng *rng = NULL;
    pvg_attack *a = NULL;
    PVGT_OK(pvg_rng_new_seeded(&rng, 1));
    PVGT_OK(pvg_attack_links_rows(&a, rows[0], 2, g, &config, rng, NULL));
    const double *scores[8], *own;
    for (int32_t c = 0; c < 6; c++) PVGT_OK(pvg_attack_view_scores(&scores[c], a, c));
    PVGT_OK(pvg_attack_view_scores(&own, a, PVG_CONTROL_NONE));
    PVGT_FAILS(PVG_E_ARGUMENT, "no such control",
               pvg_attack_view_scores(&own, a, PVG_CONTROL_THRESHOLD));
    const int64_t *first, *second;
    PVGT_OK(pvg_attack_view_questions(&first, &second, NULL, a));
    for (int64_t i = 0; i < pvg_attack_count(a); i++) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, own[i], scores[PVG_CONTROL_FEATURES][i]);
        TEST_ASSERT_EQUAL_DOUBLE(own[i], scores[PVG_CONTROL_ROWS][i]);
        TEST_ASSERT_EQUAL_DOUBLE(-fabs((double)(first[i] - second[i])),
                                 scores[PVG_CONTROL_POSITION][i]);
        TEST_ASSERT_EQUAL_DOUBLE(joined(known, first[i], second[i]),
                                 scores[PVG_CONTROL_MEMORISER][i]);
    }
    for (int32_t k = 0; k < 3; k++) {
        const pvg_attack_report r = report(a, k);
        TEST_ASSERT_EQUAL_INT(PVG_CONTROL_MEMORISER, r.control);
        double auc, low, high;
        PVGT_OK(pvg_attack_copy_auc(&auc, &low, &high, a, PVG_CONTROL_MEMORISER, k));
        TEST_ASSERT_EQUAL_DOUBLE(r.control_auc, auc);
        TEST_ASSERT_TRUE(low <= auc && auc <= high && auc > .7);
        PVGT_OK(pvg_attack_copy_auc(&auc, &low, &high, a, PVG_CONTROL_SHARES, k));
        TEST_ASSERT_TRUE(isnan(auc) && isnan(low) && isnan(high));
    }
    /* nothing over itself: the paired interval of a copy is a point */
    pvg_attack_free(a);
    a = NULL;
    const pvg_attack_config same = {
        .size = sizeof same, .rows = rows[0], .row_columns = 2};
    double shift[NODES][2]; /* a copy that always beats the degrees */
    for (int v = 0; v < NODES; v++)
        for (int j = 0; j < 2; j++) shift[v][j] = rows[v][j];
    PVGT_OK(pvg_attack_links_rows(&a, shift[0], 2, g, &same, rng, NULL));
    for (int32_t k = 0; k < 3; k++) {
        const pvg_attack_report r = report(a, k);
        if (r.control != PVG_CONTROL_ROWS) continue;
        TEST_ASSERT_EQUAL_DOUBLE(0, r.excess);
        TEST_ASSERT_EQUAL_DOUBLE(0, r.excess_low);
    }
    pvg_attack_free(a);
    pvg_rng_free(rng);
    pvg_features_free(features);
    pvg_graph_free(known);
    pvg_graph_free(g);
}

/* Average precision and rates against counting. */
static void precision_counts_the_prevalence(void) {
    int64_t order[6], groups[6];
    pvgi_ranking r = {.count = 6, .positives = 3, .order = order, .groups = groups};
    const double scores[6] = {5, 3, 1, 4, 3, 0}; /* by score: + - (+-) + - */
    PVGT_OK(pvgi_audit_order(order, groups, &r.group_count, scores, 6));
    TEST_ASSERT_EQUAL_INT64(5, r.group_count);
    const double third = (1 + (2. / 3) / (2. / 3 + 2. / 3) + 1 / (1 + 2. / 3)) / 3;
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, third, pvgi_audit_precision(&r, .5));
    const double p = .01, q = .99;
    const double expected =
        (1 + (2 * p / 3) / (2 * p / 3 + 2 * q / 3) + p / (p + 2 * q / 3)) / 3;
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, expected, pvgi_audit_precision(&r, p));
    TEST_ASSERT_EQUAL_INT64(1, pvgi_audit_hits(&r, .01));
    TEST_ASSERT_EQUAL_INT64(1, pvgi_audit_hits(&r, .34));
    TEST_ASSERT_EQUAL_INT64(3, pvgi_audit_hits(&r, .67));
}

static void arguments_are_checked(void) {
    pvg_graph *g = drawn(20, .2, 1), *empty = NULL;
    pvg_rng *rng = NULL;
    pvg_attack *a = NULL;
    double rows[20] = {0}, x, one = 1, nan = NAN;
    PVGT_OK(pvg_rng_new_seeded(&rng, 1));
    PVGT_OK(pvg_graph_from_edges(&empty, 20, NULL, NULL, 0, PVG_EDGES_STRICT, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "no edge",
               pvg_attack_links_rows(&a, rows, 1, empty, NULL, rng, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "columns",
               pvg_attack_links_rows(&a, rows, 0, g, NULL, rng, NULL));
    pvg_attack_config config = {.size = sizeof config, .confidence = 1};
    PVGT_FAILS(PVG_E_ARGUMENT, "confidence",
               pvg_attack_links_rows(&a, rows, 1, g, &config, rng, NULL));
    config = (pvg_attack_config){.size = sizeof config, .metric = 77};
    PVGT_FAILS(PVG_E_ARGUMENT, "PVG_METRIC",
               pvg_attack_links_rows(&a, rows, 1, g, &config, rng, NULL));
    config = (pvg_attack_config){.size = sizeof config, .rows = rows};
    PVGT_FAILS(PVG_E_ARGUMENT, "row_columns",
               pvg_attack_links_rows(&a, rows, 1, g, &config, rng, NULL));
    rows[4] = NAN;
    PVGT_FAILS(PVG_E_ARGUMENT, "rows[4]",
               pvg_attack_links_rows(&a, rows, 1, g, NULL, rng, NULL));
    PVGT_FAILS(PVG_E_CANCELLED, "gave up",
               pvg_attack_links_custom(&a, silence, NULL, g, NULL, rng, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "positives[0]",
               pvg_audit_auc(&x, &x, &x, &nan, 1, &one, 1, .9));
    PVGT_FAILS(PVG_E_ARGUMENT, "false_positive", pvg_audit_ceiling_gdp(&x, &x, 1, 1.5));
    PVGT_FAILS(PVG_E_ARGUMENT, "delta", pvg_audit_ceiling_pure(&x, &x, 1, 2, .5));
    TEST_ASSERT_NULL(a);
    pvg_rng_free(rng);
    pvg_graph_free(g);
    pvg_graph_free(empty);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(an_area_is_a_sum_over_pairs);
    RUN_TEST(intervals_of_pairs_cover);
    RUN_TEST(ceilings_are_what_they_are);
    RUN_TEST(questions_are_what_they_say);
    RUN_TEST(a_constant_is_no_interface);
    RUN_TEST(shuffled_truth_is_chance);
    RUN_TEST(seeds_settle_everything);
    RUN_TEST(intervals_over_nodes_cover);
    RUN_TEST(metrics_are_their_formulas);
    RUN_TEST(controls_stand_beside);
    RUN_TEST(precision_counts_the_prevalence);
    RUN_TEST(arguments_are_checked);
    return pvgt_end(UNITY_END());
}
