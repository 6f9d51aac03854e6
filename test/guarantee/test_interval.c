/* Error bars: radii against laws that are added up here, term by term; what the bound of
 * a ladder costs and how far an edge moves it; coverage of draws. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

static pvg_query *ask(const char *text) {
    pvg_query *query = NULL;
    PVGT_OK(pvg_query_new(&query, text, NULL, NULL, NULL));
    return query;
}

static pvg_guarantee *promise_of(const pvg_query *query, int64_t order) {
    pvg_guarantee *guarantee = NULL;
    PVGT_OK(pvg_query_guarantee(&guarantee, query, &order, order > 0));
    return guarantee;
}

static pvg_column column_of(const pvg_guarantee *guarantee, int64_t index) {
    pvg_column column = {.size = sizeof column};
    PVGT_OK(pvg_guarantee_copy_column(&column, guarantee, index, 0));
    return column;
}

/* --- noise of a public scale -------------------------------------------------------- */

/* P(|X| > k) of discrete Laplace noise of t steps, summed. */
static double laplace_beyond(double t, double k) {
    double inside = 0.0, all = 1.0;
    for (int64_t i = 1; (double)i < 60.0 * t + k; i++) all += 2.0 * exp(-(double)i / t);
    for (int64_t i = 0; (double)i <= k; i++)
        inside += (i ? 2.0 : 1.0) * exp(-(double)i / t);
    return 1.0 - inside / all;
}

static void test_laplace_is_the_least_that_covers(void) {
    const double row[2] = {1000.0, 500.0};
    for (int e = 1; e <= 40; e += 3)
        for (int c = 0; c < 3; c++) {
            const double confidence = (double[]){0.5, 0.95, 0.999}[c];
            char text[80];
            double low[2], high[2];
            snprintf(text, sizeof text, "scalars list=edges,components epsilon=%g",
                     0.1 * e);
            pvg_query *query = ask(text);
            pvg_guarantee *g = promise_of(query, 0);
            const double t = column_of(g, 0).scale;
            PVGT_OK(pvg_guarantee_interval(low, high, g, row, 2, 0, confidence));
            const double k = high[0] - row[0];
            TEST_ASSERT_TRUE(low[0] == row[0] - k && k == floor(k));
            TEST_ASSERT_TRUE(laplace_beyond(t, k) <= (1.0 - confidence) * (1.0 + 1e-9));
            TEST_ASSERT_TRUE(k == 0.0 ||
                             laplace_beyond(t, k - 1.0) > (1.0 - confidence) * 0.999999);
            pvg_guarantee_free(g);
            pvg_query_free(query);
        }
}

/* P(|X| > k) of Gaussian noise of t steps that is rounded, summed over cells. */
static double gaussian_beyond(double t, double k) {
    double inside = 0.0;
    for (int64_t i = -(int64_t)k; i <= (int64_t)k; i++)
        inside += 0.5 * (erf(((double)i + 0.5) / (t * sqrt(2.0))) -
                         erf(((double)i - 0.5) / (t * sqrt(2.0))));
    return 1.0 - inside;
}

static double discrete_beyond(double t, double k) {
    double inside = 0.0, all = 0.0;
    for (int64_t i = -(int64_t)(12.0 * t); (double)i <= 12.0 * t; i++) {
        const double weight = exp(-0.5 * (double)i * (double)i / (t * t));
        all += weight;
        if (fabs((double)i) <= k) inside += weight;
    }
    return 1.0 - inside / all;
}

static void test_gaussian_noise(void) {
    const double row[9] = {1000.0};
    for (int e = 1; e <= 30; e += 4)
        for (int discrete = 0; discrete < 2; discrete++) {
            char text[120];
            double low[9], high[9];
            snprintf(text, sizeof text,
                     "degrees levels=4 ranks=4 epsilon=%g delta=1e-6 noise=%s", 0.1 * e,
                     discrete ? "discrete-gaussian" : "gaussian");
            pvg_query *query = ask(text);
            pvg_guarantee *g = promise_of(query, 0);
            const double t = column_of(g, 0).scale;
            PVGT_OK(pvg_guarantee_interval(low, high, g, row, 9, 0, 0.95));
            const double k = high[0] - row[0];
            const double beyond =
                discrete ? discrete_beyond(t, k) : gaussian_beyond(t, k);
            const double nearer =
                discrete ? discrete_beyond(t, k - 2.0) : gaussian_beyond(t, k - 1.0);
            TEST_ASSERT_TRUE(beyond <= 0.05 && nearer > 0.05);
            pvg_guarantee_free(g);
            pvg_query_free(query);
        }
}

/* P(|B + C| > r) of two Laplace noises, by small steps. */
static double both_beyond(double b, double c, double r) {
    const double step = b / 400.0;
    double sum = 0.0;
    for (double x = -40.0 * b; x < 40.0 * b; x += step) {
        const double y = fabs(x + 0.5 * step);
        const double inner =
            y >= r ? 1.0 - 0.5 * exp(-(y - r) / c) : 0.5 * exp(-(r - y) / c);
        const double outer = 0.5 * exp(-(r + y) / c);
        sum += 0.5 / b * exp(-y / b) * (inner + outer) * step;
    }
    return sum;
}

/* What columns share is taken from their covariances. */
static void test_laplace_noise_that_columns_share(void) {
    enum { ORDER = 60 };
    const double row[3] = {0.01, 0.01, 0.01};
    double low[3], high[3], v[9];
    pvg_query *query = ask("embed patterns=path3,path4,star4 max-degree=12 joint=one-way "
                           "epsilon=1 noise=laplace scaling=density");
    pvg_guarantee *g = promise_of(query, ORDER);
    PVGT_OK(pvg_query_covariance(v, query, ORDER));
    PVGT_OK(pvg_guarantee_interval(low, high, g, row, 3, ORDER, 0.95));
    const double c = sqrt(v[1] * v[2] / (2.0 * v[5])), b = sqrt(v[0] / 2.0 - c * c);
    TEST_ASSERT_TRUE(c > 0.4 * b);
    const double radius = high[0] - row[0];
    TEST_ASSERT_TRUE(both_beyond(b, c, radius) <= 0.05 * (1.0 + 1e-3));
    TEST_ASSERT_TRUE(both_beyond(b, c, 0.97 * radius) > 0.05);
    pvg_guarantee_free(g);
    pvg_query_free(query);
}

static void test_arguments(void) {
    pvg_query *query = ask("triangles epsilon=1");
    pvg_guarantee *g = promise_of(query, 0);
    double low[2], high[2], row[2] = {5.0, 5.0};
    TEST_ASSERT_EQUAL_INT32(PVG_E_ARGUMENT,
                            pvg_guarantee_interval(low, high, g, row, 2, 0, 1.0));
    TEST_ASSERT_EQUAL_INT32(PVG_E_ARGUMENT,
                            pvg_guarantee_interval(low, high, g, row, 2, 0, 0.0));
    TEST_ASSERT_EQUAL_INT32(PVG_E_ARGUMENT,
                            pvg_guarantee_interval(low, high, g, row, 2, 0, NAN));
    TEST_ASSERT_EQUAL_INT32(PVG_E_ARGUMENT,
                            pvg_guarantee_interval(low, high, g, row, 2, -1, 0.9));
    TEST_ASSERT_EQUAL_INT32(PVG_E_ARGUMENT,
                            pvg_guarantee_interval(NULL, high, g, row, 2, 0, 0.9));
    TEST_ASSERT_EQUAL_INT32(PVG_E_ARGUMENT,
                            pvg_guarantee_interval(low, high, NULL, row, 2, 0, 0.9));
    /* a column alone: its bound is missing, so only the range is known */
    PVGT_OK(pvg_guarantee_interval(low, high, g, row, 1, 10, 0.9));
    TEST_ASSERT_TRUE(low[0] == 0.0 && high[0] == (double)INFINITY);
    pvg_guarantee_free(g);
    pvg_query_free(query);
    query = ask("triangles bound-share=0 epsilon=1 order=10");
    g = promise_of(query, 0);
    TEST_ASSERT_EQUAL_INT64(1, pvg_guarantee_columns(g));
    PVGT_OK(pvg_guarantee_interval(low, high, g, row, 1, 10, 0.9));
    TEST_ASSERT_TRUE(low[0] == 0.0 && high[0] == 120.0);
    pvg_guarantee_free(g);
    pvg_query_free(query);
}

/* --- ladders ------------------------------------------------------------------------ */

static double rate_of(const pvg_guarantee *guarantee) {
    char *json = malloc(20000);
    size_t length;
    PVGT_OK(pvg_guarantee_copy_json(json, 20000, &length, guarantee));
    const char *at = strstr(json, "ladder of rate ");
    TEST_ASSERT_NOT_NULL(at);
    const double rate = strtod(at + strlen("ladder of rate "), NULL);
    free(json);
    return rate;
}

static double choose(double n, int k) {
    return k == 1 ? n : k == 2 ? n * (n - 1.0) / 2.0 : n * (n - 1.0) * (n - 2.0) / 6.0;
}

/* P(|noise| > r), added up rung by rung. leaves 0: triangles of base `first`. */
static double ladder_beyond(int leaves, double first, double second, double cap,
                            double rate, double r) {
    double all = 1.0, inside = 1.0, reach = 0.0;
    for (int64_t t = 1; (double)t * rate < 80.0; t++) {
        const double s = (double)t - 1.0;
        const double width =
            leaves ? choose(first + s, leaves - 1) + choose(second + s, leaves - 1)
                   : fmin(first + s, cap);
        const double weight = 2.0 * exp(-rate * (double)t);
        const double within = fmin(fmax(r - reach, 0.0), width);
        all += weight * width;
        inside += weight * within;
        reach += width;
    }
    return 1.0 - inside / all;
}

/* With the released bound `told` every smaller truth is covered by the share of alpha
 * that the noise has, and a larger one is as unlikely as its own share. */
static void check_ladder(int leaves, double epsilon, double told, int64_t order) {
    char text[100];
    double low[2], high[2];
    const double row[2] = {1e6, told}, alpha = 0.1;
    if (leaves)
        snprintf(text, sizeof text, "stars leaves=%d epsilon=%g", leaves, epsilon);
    else
        snprintf(text, sizeof text, "triangles epsilon=%g", epsilon);
    pvg_query *query = ask(text);
    pvg_guarantee *g = promise_of(query, 0);
    const double rate = rate_of(g), t = column_of(g, 1).scale;
    PVGT_OK(pvg_guarantee_interval(low, high, g, row, 2, order, 1.0 - alpha));
    const double radius = high[0] - row[0];
    TEST_ASSERT_TRUE(radius >= 0.0 && isfinite(radius));
    /* the largest base that the bound does not exclude with a quarter of alpha */
    const double y = exp(-1.0 / t);
    double margin = 0.0;
    while (pow(y, margin + 1.0) / (1.0 + y) > alpha / 4.0) margin += 1.0;
    const double floor = leaves ? 20.0 : 10.0, cap = (double)order - 2.0;
    const double most = fmax(told + margin, floor);
    double worst = 0.0;
    for (double base = floor; base <= most; base += 1.0)
        for (double second = leaves ? floor : base; second <= base;
             second += leaves ? fmax(1.0, (base - floor) / 3.0) : 1.0) {
            const double beyond = ladder_beyond(leaves, leaves ? base : fmin(base, cap),
                                                second, cap, rate, radius);
            if (beyond > worst) worst = beyond;
        }
    TEST_ASSERT_TRUE(worst <= 0.75 * alpha * (1.0 + 1e-6));
    /* and not far too wide: half of it would not do, of stars, where more is
     * given away, a third */
    TEST_ASSERT_TRUE(radius == 0.0 ||
                     ladder_beyond(leaves, leaves ? most : fmin(most, cap), most, cap,
                                   rate, radius / (leaves ? 3.0 : 2.0)) > 0.75 * alpha);
    pvg_guarantee_free(g);
    pvg_query_free(query);
}

static void test_ladders_cover(void) {
    for (int leaves = 0; leaves <= 3; leaves += leaves ? 1 : 2)
        for (int e = 0; e < 4; e++)
            for (int b = 0; b < 4; b++)
                check_ladder(leaves, (double[]){0.2, 1.0, 3.0, 8.0}[e],
                             (double[]){-20.0, 12.0, 40.0, 150.0}[b], b % 2 ? 60 : 5000);
}

/* What is spent covers the ladder and the bound; the formulas stand here once more. */
static void test_both_are_paid_for(void) {
    for (int e = 1; e < 60; e += 4) {
        const double epsilon = 0.1 * e;
        for (int s = 0; s < 4; s++) {
            const double share = (double[]){0.0, 0.01, 0.1, 0.9}[s];
            for (int stars = 0; stars < 2; stars++) {
                char text[100];
                double told;
                snprintf(text, sizeof text, "%s bound-share=%g epsilon=%g",
                         stars ? "stars" : "triangles", share, epsilon);
                pvg_query *query = ask(text);
                pvg_guarantee *g = promise_of(query, 0);
                const double a = rate_of(g), q = 1.0 / expm1(a);
                double spent = a + (stars ? fmin(a, log1p(1.0 / 20.0))
                                          : log1p(1.0 / (10.0 + q + 0.5 / q)));
                if (share > 0.0) spent += 1.0 / column_of(g, 1).scale;
                PVGT_OK(pvg_guarantee_epsilon(&told, g, 0.0));
                TEST_ASSERT_TRUE(spent <= told * (1.0 + 1e-10));
                TEST_ASSERT_TRUE(told <= epsilon && told > 0.999 * epsilon);
                pvg_guarantee_free(g);
                pvg_query_free(query);
            }
        }
    }
}

/* One edge moves the bound by at most one: every graph of five nodes. */
static void test_an_edge_moves_the_bound_by_one(void) {
    enum { N = 5, PAIRS = 10 };
    double bound[2][1 << PAIRS];
    pvg_query *query[2] = {ask("triangles least-common=1 epsilon=1"),
                           ask("stars least-degree=2 epsilon=1")};
    for (int world = 0; world < 1 << PAIRS; world++) {
        int64_t from[PAIRS], to[PAIRS], count = 0, pair = 0;
        pvg_graph *graph = NULL;
        for (int64_t u = 0; u < N; u++)
            for (int64_t v = 0; v < u; v++, pair++)
                if (world >> pair & 1) {
                    from[count] = u;
                    to[count++] = v;
                }
        PVGT_OK(pvg_graph_from_edges(&graph, N, from, to, count, PVG_EDGES_STRICT, NULL));
        const pvg_input input = {.size = sizeof input, .graph = graph};
        for (int i = 0; i < 2; i++) {
            double values[2];
            PVGT_OK(pvg_query_values_exact(values, query[i], &input, NULL));
            bound[i][world] = values[1];
        }
        pvg_graph_free(graph);
    }
    for (int world = 0; world < 1 << PAIRS; world++)
        for (int pair = 0; pair < PAIRS; pair++)
            for (int i = 0; i < 2; i++)
                TEST_ASSERT_TRUE(fabs(bound[i][world] - bound[i][world ^ 1 << pair]) <=
                                 1.0);
    pvg_query_free(query[0]);
    pvg_query_free(query[1]);
}

/* --- draws -------------------------------------------------------------------------- */

enum { DRAWS = 1500 };

static void test_draws_are_covered(void) {
    static const char *const texts[] = {
        "triangles epsilon=1",
        "stars epsilon=1",
        "stars leaves=3 epsilon=2",
        "scalars list=edges,largest-degree epsilon=0.7",
        "scalars list=edges share=1 + triangles share=3 epsilon=2",
        "embed patterns=edge,path3,triangle max-degree=12 epsilon=1",
        "embed patterns=edge,path3,triangle max-degree=12 epsilon=1 noise=laplace",
        "embed patterns=path3,path4,star4,path5 max-degree=12 joint=one-way epsilon=1 "
        "noise=laplace",
        "embed patterns=edge,path3 max-degree=12 joint=ellipsoid epsilon=1",
        "embed patterns=edge,triangle max-degree=12 epsilon=1 noise=discrete-gaussian"};
    pvg_rng *rng = NULL, *made = NULL;
    pvg_graph *graph = NULL;
    PVGT_OK(pvg_rng_new_seeded(&rng, 7));
    PVGT_OK(pvg_rng_new_seeded(&made, 5));
    PVGT_OK(pvg_graph_draw_erdos_renyi(&graph, 60, 0.15, made, NULL));
    const pvg_input input = {.size = sizeof input, .graph = graph};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const pvg_target target = {.size = sizeof target, .allow_seeded = 1};

        pvg_query *query = NULL;
        double exact[4], low[4], high[4];
        int64_t rows, columns, hits[4] = {0};
        PVGT_OK(pvg_query_new(&query, texts[i], NULL, &target, NULL));
        PVGT_OK(pvg_query_shape(&rows, &columns, query, &input));
        PVGT_OK(pvg_query_values_exact(exact, query, &input, NULL));
        for (int draw = 0; draw < DRAWS; draw++) {
            pvg_release *release = NULL;
            PVGT_OK(pvg_release_draw(&release, query, &input, rng, NULL, NULL));
            PVGT_OK(pvg_release_interval(low, high, release, NULL, 0.9));
            for (int64_t k = 0; k < columns; k++)
                hits[k] += low[k] <= exact[k] && exact[k] <= high[k];
            pvg_release_free(release);
        }
        for (int64_t k = 0; k < columns; k++) /* five deviations below 0.9 */
            TEST_ASSERT_TRUE_MESSAGE((double)hits[k] >= DRAWS * 0.9 - 5.0 * 11.7,
                                     texts[i]);
        pvg_query_free(query);
    }
    pvg_graph_free(graph);
    pvg_rng_free(rng);
    pvg_rng_free(made);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(test_laplace_is_the_least_that_covers);
    RUN_TEST(test_gaussian_noise);
    RUN_TEST(test_laplace_noise_that_columns_share);
    RUN_TEST(test_arguments);
    RUN_TEST(test_ladders_cover);
    RUN_TEST(test_both_are_paid_for);
    RUN_TEST(test_an_edge_moves_the_bound_by_one);
    RUN_TEST(test_draws_are_covered);
    return pvgt_end(UNITY_END());
}
