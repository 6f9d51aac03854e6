/* learn: logistic regression against finite differences and known optima, directions
 * against their definition, laws against sums written here, the read-out on tasks. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "handles.h"
#include "learn/learn_internal.h"
#include "support.h"

#include <math.h>
#include <privgraph-learn.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

static double unit(uint64_t *state) {
    return (double)(pvgt_random(state) >> 11) * 0x1p-53;
}

/* --- logistic regression ----------------------------------------------------------- */

enum { ROWS = 700, COLUMNS = 5, CLASSES = 3 };
static double x[ROWS * COLUMNS];
static int32_t labels[ROWS];

static void make_points(uint64_t seed) {
    for (int i = 0; i < ROWS; i++) {
        labels[i] = (int32_t)pvgt_below(&seed, CLASSES + 1) - 1;
        for (int k = 0; k < COLUMNS; k++)
            x[i * COLUMNS + k] = 2 * unit(&seed) - 1 + (labels[i] == k ? 0.7 : 0.0);
    }
}

static void slopes_are_differences(void) {
    static double with_one[ROWS * (COLUMNS + 1)];
    static int32_t known[ROWS];
    enum { COUNT = (COLUMNS + 1) * CLASSES };
    double partial[8 * (COUNT + 1)], weights[COUNT], slopes[COUNT], other[COUNT];
    uint64_t seed = 4;
    int64_t n = 0;
    pvgi_run run;
    make_points(1);
    for (int i = 0; i < ROWS; i++) {
        if (labels[i] < 0) continue;
        memcpy(with_one + n * (COLUMNS + 1), x + i * COLUMNS, COLUMNS * sizeof *x);
        with_one[n * (COLUMNS + 1) + COLUMNS] = 1.0;
        known[n++] = labels[i];
    }
    const pvgi_logistic_problem p = {
        with_one, known, n, COLUMNS, CLASSES, 0.7, 100, (n + 99) / 100, partial};
    TEST_ASSERT_TRUE(p.chunks <= 8);
    PVGT_OK(pvgi_run_begin(&run, NULL));
    for (int i = 0; i < COUNT; i++) weights[i] = 2 * unit(&seed) - 1;
    double loss, up, down;
    PVGT_OK(pvgi_learn_logistic_slopes(&loss, slopes, &p, weights, &run));
    for (int i = 0; i < COUNT; i++) {
        const double at = weights[i], h = 1e-5;
        weights[i] = at + h;
        PVGT_OK(pvgi_learn_logistic_slopes(&up, other, &p, weights, &run));
        weights[i] = at - h;
        PVGT_OK(pvgi_learn_logistic_slopes(&down, other, &p, weights, &run));
        weights[i] = at;
        PVGT_CHECK(fabs((up - down) / (2 * h) - slopes[i]) < 1e-8, "weight %d: %g, %g", i,
                   (up - down) / (2 * h), slopes[i]);
    }
}

/* One column that is 0 everywhere: the intercepts are the logarithms of the shares. */
static void known_optimum(void) {
    const double zero[6] = {0};
    const int32_t y[6] = {0, 0, 0, 1, 1, 2};
    const pvg_logistic_config config = {
        .size = sizeof config, .classes = 3, .tolerance = 1e-12};
    pvg_logistic *model;
    double p[3];
    PVGT_OK(pvg_logistic_fit(&model, &config, zero, y, 6, 1, NULL));
    PVGT_OK(pvg_logistic_predict(p, model, zero, 1, NULL));
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0.5, p[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1.0 / 3, p[1]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1.0 / 6, p[2]);
    pvg_logistic_free(model);
}

/* Two classes, one column, x = +-1: with a = w1 - w0 on the column, symmetric data make
 * intercepts vanish, and 0 = sum of x (p - y) + penalty w has one root. */
static void penalised_optimum(void) {
    const double points[4] = {1, 1, -1, -1};
    const int32_t y[4] = {1, 1, 0, 0};
    const pvg_logistic_config config = {
        .size = sizeof config, .classes = 2, .penalty = 0.5, .tolerance = 1e-12};
    pvg_logistic *model;
    double w[4], low = 0.0, high = 10.0;
    PVGT_OK(pvg_logistic_fit(&model, &config, points, y, 4, 1, NULL));
    PVGT_OK(pvg_logistic_copy_weights(w, model));
    for (int i = 0; i < 200; i++) { /* 4 (1 - s(2 v)) = 0.5 v */
        const double v = 0.5 * (low + high);
        if (4.0 / (1.0 + exp(2 * v)) > 0.5 * v)
            low = v;
        else
            high = v;
    }
    TEST_ASSERT_DOUBLE_WITHIN(1e-8, low, w[1]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-8, -low, w[0]);
    TEST_ASSERT_EQUAL_INT64(1, pvg_logistic_columns(model));
    TEST_ASSERT_EQUAL_INT64(2, pvg_logistic_classes(model));
    pvg_logistic_free(model);
}

static void fit_has_no_slope_left_and_threads_do_not_matter(void) {
    const pvg_logistic_config config = {
        .size = sizeof config, .classes = CLASSES, .tolerance = 1e-9};
    double w[2][(COLUMNS + 1) * CLASSES];
    static double p[2][ROWS * CLASSES];
    make_points(2);
    for (uint32_t i = 0; i < 2; i++) {
        const pvg_run run = {.size = sizeof run, .threads = 1 + 2 * i};
        pvg_logistic *model;
        PVGT_OK(pvg_logistic_fit(&model, &config, x, labels, ROWS, COLUMNS, &run));
        PVGT_OK(pvg_logistic_copy_weights(w[i], model));
        PVGT_OK(pvg_logistic_predict(p[i], model, x, ROWS, &run));
        pvg_logistic_free(model);
    }
    TEST_ASSERT_EQUAL_MEMORY(w[0], w[1], sizeof w[0]);
    TEST_ASSERT_EQUAL_MEMORY(p[0], p[1], sizeof p[0]);
    /* slope of the sum: x^T (p - y) + W, written out */
    for (int k = 0; k <= COLUMNS; k++)
        for (int c = 0; c < CLASSES; c++) {
            double slope = k < COLUMNS ? w[0][k * CLASSES + c] : 0.0;
            for (int i = 0; i < ROWS; i++)
                if (labels[i] >= 0)
                    slope += (k < COLUMNS ? x[i * COLUMNS + k] : 1.0) *
                             (p[0][i * CLASSES + c] - (labels[i] == c));
            PVGT_CHECK(fabs(slope) < 1e-5, "column %d class %d: %g", k, c, slope);
        }
}

/* --- directions -------------------------------------------------------------------- */

/* Features with two strong directions: rows keep their angles. */
static void directions_hold_the_features(void) {
    enum { N = 60, D = 9 };
    double dense[N * D], out[N * 2];
    uint64_t seed = 8;
    for (int i = 0; i < N; i++) {
        const double a = 2 * unit(&seed) - 1, b = 2 * unit(&seed) - 1;
        for (int k = 0; k < D; k++)
            dense[i * D + k] = a * (k % 2 ? 1.0 : 0.5) + b * (k < 4 ? -1.0 : 2.0);
    }
    pvg_features *features;
    PVGT_OK(pvg_features_from_dense(&features, N, D, dense));
    PVGT_OK(pvg_directions_project(out, features, 2, NULL));
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double ab = 0, aa = 0, bb = 0;
            for (int k = 0; k < D; k++) {
                ab += dense[i * D + k] * dense[j * D + k];
                aa += dense[i * D + k] * dense[i * D + k];
                bb += dense[j * D + k] * dense[j * D + k];
            }
            const double angle =
                out[i * 2] * out[j * 2] + out[i * 2 + 1] * out[j * 2 + 1];
            PVGT_CHECK(fabs(angle - ab / sqrt(aa * bb)) < 1e-9, "rows %d, %d", i, j);
        }
    PVGT_FAILS(PVG_E_ARGUMENT, "columns",
               pvg_directions_project(out, features, D + 1, NULL));
    pvg_features_free(features);
}

/* --- laws ------------------------------------------------------------------------ */

static void noisy_poisson_is_the_sum(void) {
    enum { LOW = -30, HIGH = 60 };
    static double out[HIGH - LOW + 1], scratch[PVGI_LAW_SCRATCH];
    for (int law = 0; law < 2; law++)
        for (int m = 0; m < 4; m++) {
            const double mean = m == 0 ? 0.01 : m == 1 ? 0.7 : m == 2 ? 6.0 : 35.0;
            const pvg_target target = {.size = sizeof target,
                                       .noise =
                                           law ? PVG_NOISE_GAUSSIAN : PVG_NOISE_LAPLACE,
                                       .epsilon = 0.8,
                                       .delta = law ? 1e-3 : 0.0};
            const pvg_joint_config config = {
                .size = sizeof config, .dimension = 1, .l1 = 1.0, .grid = 1.0};
            pvgi_joint joint;
            PVGT_OK(pvgi_mechanism_joint(&joint, "test", &config, &target));
            pvgi_learn_noisy_poisson(out, mean, LOW, HIGH, &joint, scratch);
            for (int z = LOW; z <= HIGH; z++) {
                double sum = 0.0;
                for (int j = 0; j < 400; j++) {
                    const double p = exp(j * log(mean) - mean - lgamma(j + 1.0));
                    const double k = z - j, s = joint.scale * sqrt(2.0);
                    const double a = exp(-0.8);
                    sum += p * (law ? 0.5 * (erf((k + 0.5) / s) - erf((k - 0.5) / s))
                                    : (1 - a) / (1 + a) * pow(a, fabs(k)));
                }
                PVGT_CHECK(fabs(out[z - LOW] - sum) < 1e-9 + 1e-6 * sum,
                           "law %d mean %g z %d: %g %g", law, mean, z, out[z - LOW], sum);
            }
        }
}

static void gamma_quantiles(void) {
    double q[16];
    pvgi_learn_gamma_quantiles(q, 16, 1.0); /* exponential: -ln(1 - p), scaled */
    double sum = 0.0;
    for (int i = 0; i < 16; i++) sum += -log(1.0 - (i + 0.5) / 16);
    for (int i = 0; i < 16; i++)
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, -log(1.0 - (i + 0.5) / 16) * 16 / sum, q[i]);
    for (int s = 0; s < 4; s++) {
        const double shape = s == 0 ? 0.2 : s == 1 ? 0.9 : s == 2 ? 7.0 : 1000.0;
        double mean = 0.0;
        pvgi_learn_gamma_quantiles(q, 16, shape);
        for (int i = 0; i < 16; i++) {
            if (i > 0) TEST_ASSERT_TRUE(q[i] > q[i - 1]);
            mean += q[i] / 16;
        }
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1.0, mean);
    }
}

/* --- read-out -------------------------------------------------------------------- */

enum { NODES = 3000, KINDS = 2 * CLASSES };
static double prior[NODES * CLASSES], posterior[2][NODES * CLASSES];
static int32_t truth[NODES], known[NODES], checks[NODES];

/* A block model: three classes, weak features, half of the nodes labelled. */
static pvg_graph *make_task(uint64_t seed, double strong) {
    const int64_t sizes[CLASSES] = {NODES / 3, NODES / 3, NODES / 3};
    double chances[CLASSES * CLASSES];
    pvg_graph *graph;
    pvg_rng *rng;
    for (int i = 0; i < CLASSES * CLASSES; i++)
        chances[i] = i % (CLASSES + 1) == 0 ? strong : 0.001;
    PVGT_OK(pvg_rng_new_seeded(&rng, seed));
    PVGT_OK(pvg_graph_draw_blocks(&graph, sizes, chances, CLASSES, rng, NULL));
    pvg_rng_free(rng);
    for (int v = 0; v < NODES; v++) {
        truth[v] = v / (NODES / 3);
        const int64_t part = pvgt_below(&seed, 4);
        known[v] = part < 2 ? truth[v] : -1;
        checks[v] = part == 2 ? truth[v] : -1;
        const int guess = unit(&seed) < 0.5 ? truth[v] : (int)pvgt_below(&seed, CLASSES);
        for (int c = 0; c < CLASSES; c++) prior[v * CLASSES + c] = c == guess ? 0.6 : 0.2;
    }
    return graph;
}

static double right(const double *p) {
    double hits = 0, count = 0;
    for (int v = 0; v < NODES; v++) {
        if (known[v] >= 0 || checks[v] >= 0) continue;
        int best = 0;
        for (int c = 1; c < CLASSES; c++)
            if (p[v * CLASSES + c] > p[v * CLASSES + best]) best = c;
        hits += best == truth[v];
        count++;
    }
    return hits / count;
}

/* Nodes of a graph by a prior: draws and reads. */
static int32_t classify(double *out, pvg_release *drawn[3], const pvg_graph *graph,
                        int64_t order, const int32_t *sent, const int32_t *chosen,
                        const double *transition, const char *options, pvg_rng *rng,
                        pvg_ledger *ledger, const pvg_run *run) {
    const pvg_pipeline_arguments a = {.size = sizeof a,
                                      .order = order,
                                      .labels = sent,
                                      .checks = chosen,
                                      .transition = transition,
                                      .prior = prior};
    const pvg_target seeded = {.size = sizeof seeded, .allow_seeded = 1};
    const uint64_t object = 7;
    const pvg_input input = {
        .size = sizeof input, .graph = graph, .objects = &object, .object_count = 1};
    pvg_pipeline *p = NULL;
    char text[160];
    drawn[0] = drawn[1] = drawn[2] = NULL;
    snprintf(text, sizeof text, "edges held-out=0 averages=1 classes=%d %s", CLASSES,
             options);
    int32_t status = pvg_pipeline_new(&p, text, &a, &seeded, rng, NULL);
    if (status == PVG_OK)
        status = pvg_pipeline_draw(&drawn[0], &drawn[1], &drawn[2], p, &input, rng,
                                   ledger, NULL, NULL, run);
    if (status == PVG_OK)
        status =
            pvg_pipeline_read(out, NULL, NULL, p, drawn[0], drawn[1], NULL, rng, run);
    pvg_pipeline_free(p);
    return status;
}

static void free_two(pvg_release *drawn[3]) {
    pvg_release_free(drawn[0]);
    pvg_release_free(drawn[1]);
}

static void histogram_beat_the_prior(void) {
    pvg_graph *graph = make_task(3, 0.01);
    for (int way = 0; way < 3; way++) { /* chosen, fixed, two rounds */
        for (uint32_t i = 0; i < 2; i++) {
            const pvg_run run = {.size = sizeof run, .threads = 1 + 2 * i};
            pvg_release *drawn[3];
            pvg_rng *rng;
            PVGT_OK(pvg_rng_new_seeded(&rng, 9));
            PVGT_OK(classify(
                posterior[i], drawn, graph, NODES, known, way == 1 ? NULL : checks, NULL,
                way == 2 ? "epsilon=1 first-share=.4" : "epsilon=1", rng, NULL, &run));
            TEST_ASSERT_EQUAL(way == 2, drawn[1] != NULL);
            TEST_ASSERT_EQUAL_INT64(KINDS, pvg_release_columns(drawn[0]));
            free_two(drawn);
            pvg_rng_free(rng);
        }
        TEST_ASSERT_EQUAL_MEMORY(posterior[0], posterior[1], sizeof posterior[0]);
        PVGT_CHECK(right(prior) < 0.75 && right(posterior[0]) > 0.85, "way %d: %g to %g",
                   way, right(prior), right(posterior[0]));
        for (int v = 0; v < NODES; v++) {
            double sum = 0.0;
            for (int c = 0; c < CLASSES; c++) sum += posterior[0][v * CLASSES + c];
            TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1.0, sum);
            if (known[v] >= 0)
                TEST_ASSERT_DOUBLE_WITHIN(1e-6, 1.0,
                                          posterior[0][v * CLASSES + known[v]]);
        }
    }
    pvg_graph_free(graph);
}

/* Classes that avoid themselves are as good: nothing assumes that like finds like. */
static void heterophily(void) {
    const int64_t sizes[CLASSES] = {NODES / 3, NODES / 3, NODES / 3};
    double chances[9] = {0.001, 0.01, 0.001, 0.01, 0.001, 0.001, 0.001, 0.001, 0.01};
    pvg_graph *own = make_task(4, 0.01), *graph;
    pvg_release *drawn[3];
    pvg_rng *rng;
    PVGT_OK(pvg_rng_new_seeded(&rng, 10));
    PVGT_OK(pvg_graph_draw_blocks(&graph, sizes, chances, CLASSES, rng, NULL));
    PVGT_OK(classify(posterior[0], drawn, graph, NODES, known, NULL, NULL, "epsilon=2",
                     rng, NULL, NULL));
    PVGT_CHECK(right(posterior[0]) > right(prior) + 0.1, "%g to %g", right(prior),
               right(posterior[0]));
    free_two(drawn);
    pvg_rng_free(rng);
    pvg_graph_free(graph);
    pvg_graph_free(own);
}

/* Small budgets: nothing is paid if there is enough for the first round only, and no
 * round is drawn if no noise of ours is made for the other. */
static void both_rounds_or_none(void) {
    enum { FEW = 60 };
    const char *shares[] = {"first-share=.9999999999999999 epsilon=1",
                            "first-share=1e-16 epsilon=1", "first-share=.5 epsilon=1",
                            "first-share=.5 epsilon=1"};
    pvg_graph *graph = NULL;
    PVGT_OK(pvg_graph_new_cycle(&graph, FEW));
    for (int i = 0; i < 4; i++) {
        const pvg_ledger_config budget = {.size = sizeof budget,
                                          .notion = PVG_NOTION_EDGE,
                                          .epsilon = i == 2 ? .75 : 1e6};
        pvg_release *drawn[3];
        pvg_ledger *ledger = NULL;
        double out[FEW * CLASSES];
        PVGT_OK(pvg_ledger_new(&ledger, &budget));
        const int32_t status = classify(out, drawn, graph, FEW, known, NULL, NULL,
                                        shares[i], NULL, ledger, NULL);
        PVGT_CHECK((status == PVG_OK) == (i == 3), "%s: %d %s", shares[i], (int)status,
                   pvg_error_message());
        if (i == 2) TEST_ASSERT_EQUAL_INT32(PVG_E_BUDGET, status);
        TEST_ASSERT_TRUE((drawn[0] != NULL) == (i == 3) && !drawn[0] == !drawn[1]);
        TEST_ASSERT_EQUAL_INT64(i == 3, pvg_ledger_charge_count(ledger));
        free_two(drawn);
        pvg_ledger_free(ledger);
    }
    pvg_graph_free(graph);
}

/* Labels that went through a response: the read-out knows its matrix. */
static void labels_by_response(void) {
    pvg_graph *graph = make_task(5, 0.01);
    const pvg_target target = {.size = sizeof target, .epsilon = 2.0, .allow_seeded = 1};
    double transition[CLASSES * CLASSES];
    pvg_perturber *perturber;
    pvg_labels *private_labels;
    pvg_release *released, *drawn[3];
    pvg_rng *rng;
    const int32_t *answers;
    int64_t count;
    PVGT_OK(pvg_rng_new_seeded(&rng, 11));
    PVGT_OK(pvgt_perturber_new_labels(&perturber, PVGT_LABELS(CLASSES), &target));
    PVGT_OK(pvgt_perturber_copy_transition(transition, perturber));
    PVGT_OK(pvg_labels_from_array(&private_labels, known, NODES));
    PVGT_OK(pvgt_release_draw_labels(&released, perturber, private_labels, 0, rng, NULL,
                                     NULL));
    PVGT_OK(pvg_release_view_labels(&answers, &count, released));
    PVGT_OK(classify(posterior[0], drawn, graph, NODES, answers, NULL, transition,
                     "epsilon=2", rng, NULL, NULL));
    PVGT_CHECK(right(posterior[0]) > right(prior) + 0.1, "%g to %g", right(prior),
               right(posterior[0]));
    int unsure = 0;
    for (int v = 0; v < NODES; v++)
        unsure += answers[v] >= 0 && posterior[0][v * CLASSES + answers[v]] < 1.0;
    TEST_ASSERT_TRUE(unsure > 1000);
    free_two(drawn);
    pvg_release_free(released);
    pvg_labels_free(private_labels);
    pvgt_perturber_free(perturber);
    pvg_rng_free(rng);
    pvg_graph_free(graph);
}

/* Without noise in the model's sense (large epsilon) a node whose counts say it all. */
static void cells_are_an_order(void) {
    double priorities[NODES];
    int32_t kinds[NODES];
    pvg_graph *graph = make_task(6, 0.01);
    PVGT_OK(pvg_histogram_cells(priorities, kinds, prior, known, NODES, CLASSES));
    for (int v = 0; v < NODES; v++) {
        TEST_ASSERT_EQUAL(known[v] >= 0, priorities[v] >= 2.0);
        TEST_ASSERT_TRUE(priorities[v] < 3.0);
        if (known[v] >= 0)
            TEST_ASSERT_EQUAL_INT32(known[v], kinds[v]);
        else
            TEST_ASSERT_TRUE(kinds[v] >= CLASSES && kinds[v] < KINDS);
    }
    pvg_graph_free(graph);
}

static void refusals(void) {
    const double p[4] = {0.5, 0.5, 0.5, 0.5}, bad[4] = {0.5, 0.5, NAN, 0.5},
                 none[4] = {0.5, 0.5, 0, 0};
    const int32_t y[2] = {0, -1}, nobody[2] = {-1, -1}, far[2] = {0, 2};
    double priorities[2], out[4], values[8] = {0};
    int32_t kinds[2];
    const pvg_histogram_config cells = {.size = sizeof cells, .order = 2, .kinds = 4};
    const pvg_target target = {.size = sizeof target, .epsilon = 1.0};
    pvg_posterior_config config = {.size = sizeof config, .classes = 2};
    pvg_logistic_config logistic = {.size = sizeof logistic, .classes = 1};
    pvg_statistic *histogram;
    pvg_logistic *model;
    PVGT_FAILS(PVG_E_ARGUMENT, "prior[2]",
               pvg_histogram_cells(priorities, kinds, bad, y, 2, 2));
    PVGT_FAILS(PVG_E_ARGUMENT, "row 1",
               pvg_histogram_cells(priorities, kinds, none, y, 2, 2));
    PVGT_FAILS(PVG_E_ARGUMENT, "all -1",
               pvg_histogram_cells(priorities, kinds, p, nobody, 2, 2));
    PVGT_FAILS(PVG_E_ARGUMENT, "labels[1]",
               pvg_histogram_cells(priorities, kinds, p, far, 2, 2));
    PVGT_OK(pvgt_statistic_new_histogram(&histogram, &cells, &target, NULL));
    config.strength = 2.0;
    PVGT_FAILS(
        PVG_E_ARGUMENT, "strength",
        pvgi_learn_read_classes(out, "read", histogram, values, p, y, &config, NULL));
    config.strength = 0.0;
    PVGT_OK(pvgi_learn_read_classes(out, "read", histogram, values, p, y, &config, NULL));
    values[3] = INFINITY;
    PVGT_FAILS(
        PVG_E_ARGUMENT, "values[3]",
        pvgi_learn_read_classes(out, "read", histogram, values, p, y, &config, NULL));
    pvgt_statistic_free(histogram);
    const pvg_histogram_config three = {.size = sizeof three, .order = 2, .kinds = 3};
    PVGT_OK(pvgt_statistic_new_histogram(&histogram, &three, &target, NULL));
    PVGT_FAILS(
        PVG_E_ARGUMENT, "kinds",
        pvgi_learn_read_classes(out, "read", histogram, values, p, y, &config, NULL));
    pvgt_statistic_free(histogram);
    PVGT_FAILS(PVG_E_ARGUMENT, "classes",
               pvg_logistic_fit(&model, &logistic, p, y, 2, 2, NULL));
    logistic.classes = 2;
    PVGT_FAILS(PVG_E_ARGUMENT, "x[2]",
               pvg_logistic_fit(&model, &logistic, bad, y, 2, 2, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "labels",
               pvg_logistic_fit(&model, &logistic, p, NULL, 2, 2, NULL));
    pvg_logistic_free(NULL);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(slopes_are_differences);
    RUN_TEST(known_optimum);
    RUN_TEST(penalised_optimum);
    RUN_TEST(fit_has_no_slope_left_and_threads_do_not_matter);
    RUN_TEST(directions_hold_the_features);
    RUN_TEST(noisy_poisson_is_the_sum);
    RUN_TEST(gamma_quantiles);
    RUN_TEST(histogram_beat_the_prior);
    RUN_TEST(heterophily);
    RUN_TEST(labels_by_response);
    RUN_TEST(both_rounds_or_none);
    RUN_TEST(cells_are_an_order);
    RUN_TEST(refusals);
    return pvgt_end(UNITY_END());
}
