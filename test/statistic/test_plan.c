/* statistic: what is planned is what is drawn. Ranges are checked on every graph with up
 * to five nodes, noise against draws, least epsilons against statistics made with them.
 * */
#include "handles.h"
#include "support.h"

#include <math.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

enum { MOST = 5, NUMBERS = 9 };

static pvg_target seeded_at(double epsilon) {
    return (pvg_target){
        .size = sizeof(pvg_target), .epsilon = epsilon, .allow_seeded = 1};
}

static pvg_preview_line line_of(const pvg_preview *t, int64_t i) {
    pvg_preview_line line = {.size = sizeof line};
    PVGT_OK(pvg_preview_copy_line(&line, t, i));
    return line;
}

static pvg_graph *graph_of(int64_t order, uint32_t mask) {
    int64_t from[10], to[10], count = 0, bit = 0;
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

/* All kinds that have a plan of their own, by number; NULL beyond the last. */
static pvg_statistic *make(int which, int64_t order, double epsilon) {
    static const int32_t scalars[] = {1, 2, 3, 4, 5, 6, 7, 8};
    static const int32_t two[MOST] = {0, 1, 0, 1, 1}, some[MOST] = {0, 1, 0, -1, 1};
    static const double priorities[MOST] = {3, 1, 2, 2, 5};
    static const double weights[2 * MOST] = {1, -0.5, 0, 2, 0.25, 0, 1, 1, -3, 0};
    const pvg_target target = seeded_at(epsilon);
    const pvg_scalars_config list = {.size = sizeof list, .order = order, .count = 8};
    const pvg_degrees_config distribution = {
        .size = sizeof distribution, .order = order, .levels = 2, .ranks = 2};
    const pvg_degrees_config grouped = {
        .size = sizeof grouped, .order = order, .levels = 1, .ranks = -1, .groups = 2};
    pvg_histogram_config cells = {.size = sizeof cells, .order = order, .kinds = 2};
    pvg_histogram_nodes nodes = {.size = sizeof nodes, .kinds = some};
    pvg_statistic *s = NULL;
    if (which == 0)
        PVGT_OK(pvgt_statistic_new_scalars(&s, &list, &target, scalars, NULL));
    if (which == 1) PVGT_OK(pvgt_statistic_new_degrees(&s, &distribution, &target, NULL));
    if (which == 2) PVGT_OK(pvgt_statistic_new_degrees(&s, &grouped, &target, two));
    if (which == 3) PVGT_OK(pvgt_statistic_new_spectrum(&s, order, &target));
    if (which == 4) PVGT_OK(pvgt_statistic_new_triangles(&s, NULL, &target));
    if (which >= 5 && which <= 8) {
        if (which == 5) nodes.priorities = priorities;
        if (which == 6) cells.cells = PVG_HISTOGRAM_BETWEEN;
        if (which == 7) {
            nodes.kinds = NULL;
            nodes.weights = weights;
        }
        if (which == 8) {
            cells.groups = 2;
            nodes.groups = two;
        }
        PVGT_OK(pvgt_statistic_new_histogram(&s, &cells, &target, &nodes));
    }
    return s;
}

/* No graph exceeds the range of a column, and what is called constant is. */
static void test_ranges_hold_on_every_graph(void) {
    double values[64];
    int tight = 0;
    for (int64_t order = 1; order <= MOST; order++)
        for (int which = 0; which < NUMBERS; which++) {
            pvg_statistic *s = make(which, order, 1.0);
            pvg_preview *t = NULL;
            double seen[16] = {0};
            PVGT_OK(pvgt_statistic_lines(&t, s, order, 0));
            const int64_t rows = pvgt_statistic_rows(s),
                          columns = pvgt_statistic_columns(s);
            TEST_ASSERT_EQUAL_INT64(columns, pvg_preview_count(t));
            for (uint32_t mask = 0; mask < 1u << order * (order - 1) / 2; mask++) {
                pvg_graph *g = graph_of(order, mask);
                PVGT_OK(pvgt_statistic_values_exact(values, s, g, NULL));
                for (int64_t i = 0; i < rows * columns; i++)
                    seen[i % columns] = fmax(seen[i % columns], fabs(values[i]));
                pvg_graph_free(g);
            }
            for (int64_t k = 0; k < columns; k++) {
                const pvg_preview_line line = line_of(t, k);
                PVGT_CHECK(seen[k] <= line.range + 1.0 / 32,
                           "kind %d, order %d, column %d: %g above %g", which, (int)order,
                           (int)k, seen[k], line.range);
                if (line.verdict == PVG_VERDICT_CONSTANT)
                    TEST_ASSERT_EQUAL_DOUBLE(0.0, seen[k]);
                tight += seen[k] == line.range && seen[k] > 0.0;
            }
            pvg_preview_free(t);
            pvgt_statistic_free(s);
        }
    TEST_ASSERT_GREATER_THAN(70, tight);
}

/* The noise that is told is the noise of draws, for triangles that of the graph. */
static void test_noise_is_that_of_draws(void) {
    enum { DRAWS = 4000 };
    pvg_graph *g;
    pvg_rng *rng;
    PVGT_OK(pvg_graph_new_clique(&g, MOST));
    PVGT_OK(pvg_rng_new_seeded(&rng, 20));
    for (int which = 0; which < NUMBERS; which++) {
        pvg_statistic *s = make(which, MOST, 0.4);
        pvg_preview *t = NULL;
        double exact[64], squares[16] = {0};
        const int64_t columns = pvgt_statistic_columns(s);
        /* the last row, which is that of the largest group */
        const int64_t last = (pvgt_statistic_rows(s) - 1) * columns;
        if (which == 4) { /* clamped to what there can be: not its noise */
            pvgt_statistic_free(s);
            continue;
        }
        PVGT_OK(pvgt_statistic_lines(&t, s, 0, 0));
        PVGT_OK(pvgt_statistic_values_exact(exact, s, g, NULL));
        for (int draw = 0; draw < DRAWS; draw++) {
            pvg_release *release;
            const double *values;
            PVGT_OK(pvgt_release_draw_statistic(&release, s, g, 0, rng, NULL, NULL));
            PVGT_OK(pvg_release_view(&values, release));
            for (int64_t k = 0; k < columns; k++) {
                const double x = values[last + k] - exact[last + k];
                squares[k] += x * x;
            }
            pvg_release_free(release);
        }
        for (int64_t k = 0; k < columns; k++) {
            const pvg_preview_line line = line_of(t, k);
            /* relative deviation of a variance: sqrt(5 / draws), five of them */
            if (line.verdict != PVG_VERDICT_CONSTANT)
                TEST_ASSERT_DOUBLE_WITHIN(0.18 * line.noise * line.noise,
                                          line.noise * line.noise, squares[k] / DRAWS);
        }
        pvg_preview_free(t);
        pvgt_statistic_free(s);
    }
    pvg_rng_free(rng);
    pvg_graph_free(g);
}

/* Half of the draws are clamped; the other half tells. */
static void test_noise_of_triangles(void) {
    enum { DRAWS = 6000 };
    const pvg_target target = seeded_at(1.0);
    pvg_statistic *s;
    pvg_preview *t = NULL, *worst = NULL;
    pvg_graph *g;
    pvg_rng *rng;
    double exact, sum = 0.0;
    PVGT_OK(pvg_rng_new_seeded(&rng, 3));
    PVGT_OK(pvg_graph_new_clique(&g, 60)); /* 58 in common, 34220 triangles */
    PVGT_OK(pvgt_statistic_new_triangles(&s, NULL, &target));
    PVGT_OK(pvgt_statistic_lines(&t, s, 60, 58));
    PVGT_OK(pvgt_statistic_lines(&worst, s, 60, 0));
    TEST_ASSERT_EQUAL_DOUBLE(line_of(worst, 0).noise, line_of(t, 0).noise);
    TEST_ASSERT_EQUAL_DOUBLE(34220, line_of(t, 0).range);
    PVGT_OK(pvgt_statistic_values_exact(&exact, s, g, NULL));
    for (int draw = 0; draw < DRAWS; draw++) {
        pvg_release *release;
        const double *value;
        PVGT_OK(pvgt_release_draw_statistic(&release, s, g, 0, rng, NULL, NULL));
        PVGT_OK(pvg_release_view(&value, release));
        /* half of the draws are clamped at the top, the other half is its mirror */
        if (value[0] < exact) sum += 2.0 * (value[0] - exact) * (value[0] - exact);
        pvg_release_free(release);
    }
    const double noise = line_of(t, 0).noise;
    TEST_ASSERT_DOUBLE_WITHIN(0.25 * noise * noise, noise * noise, sum / DRAWS);
    pvg_preview_free(t);
    pvg_preview_free(worst);
    /* fewer in common, less noise; a guess beyond what there can be is the worst case */
    PVGT_OK(pvgt_statistic_lines(&t, s, 60, 20));
    PVGT_OK(pvgt_statistic_lines(&worst, s, 60, 1000));
    TEST_ASSERT_TRUE(line_of(t, 0).noise < 0.5 * noise);
    TEST_ASSERT_EQUAL_DOUBLE(noise, line_of(worst, 0).noise);
    pvg_preview_free(t);
    pvg_preview_free(worst);
    pvgt_statistic_free(s);
    pvg_graph_free(g);
    pvg_rng_free(rng);
}

/* The deviation by the definition: every integer has the weight e^(-a t) of its rung. */
static double by_definition(int64_t base, int64_t cap, double epsilon) {
    double low = epsilon / 2.0, high = epsilon;
    for (int i = 0; i < 100; i++) {
        const double a = 0.5 * (low + high), q = 1.0 / expm1(a);
        *(a + log1p(1.0 / (10.0 + q + 0.5 / q)) <= epsilon ? &low : &high) = a;
    }
    double sum = 0.0, all = 1.0, x = 0.0;
    for (int64_t t = 1; (double)t * low < 80.0; t++) {
        const int64_t width = base + t - 1 < cap ? base + t - 1 : cap;
        for (int64_t i = 0; i < width; i++) {
            x += 1.0;
            all += 2.0 * exp(-low * (double)t);
            sum += 2.0 * exp(-low * (double)t) * x * x;
        }
    }
    return sqrt(sum / all);
}

static void test_noise_of_ladders_by_definition(void) {
    static const struct {
        int64_t order, common;
        double epsilon;
    } cases[] = {
        {400, 20, 1.0}, {400, 20, 0.1}, {30, 12, 0.3}, {30, 28, 2.0}, {9, 3, 1.0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const pvg_target target = seeded_at(cases[i].epsilon);
        const int64_t cap = cases[i].order - 2;
        const int64_t floor = cap < 10 ? cap : 10;
        const int64_t base = cases[i].common > floor ? cases[i].common : floor;
        pvg_statistic *s;
        pvg_preview *t = NULL;
        PVGT_OK(pvgt_statistic_new_triangles(&s, NULL, &target));
        PVGT_OK(pvgt_statistic_lines(&t, s, cases[i].order, cases[i].common));
        const double expected = by_definition(base, cap, cases[i].epsilon);
        TEST_ASSERT_DOUBLE_WITHIN(1e-6 * expected, expected, line_of(t, 0).noise);
        pvg_preview_free(t);
        pvgt_statistic_free(s);
    }
}

/* Made with the least epsilon a number is informative, a little below it is not. */
static void test_least_epsilon_and_order(void) {
    for (int which = 0; which < NUMBERS; which++) {
        pvg_statistic *s = make(which, MOST, 0.05), *other;
        pvg_preview *t = NULL, *u = NULL;
        PVGT_OK(pvgt_statistic_lines(&t, s, MOST, 0));
        for (int64_t k = 0; k < pvgt_statistic_columns(s); k++) {
            const pvg_preview_line line = line_of(t, k);
            if (line.verdict == PVG_VERDICT_CONSTANT) {
                TEST_ASSERT_TRUE(isinf(line.epsilon_min));
                continue;
            }
            for (int side = 0; side < 2; side++) {
                other = make(which, MOST, line.epsilon_min * (side ? 1.001 : 0.999));
                PVGT_OK(pvgt_statistic_lines(&u, other, MOST, 0));
                TEST_ASSERT_EQUAL_INT32(side ? PVG_VERDICT_INFORMATIVE
                                             : PVG_VERDICT_HIDDEN,
                                        line_of(u, k).verdict);
                pvg_preview_free(u);
                pvgt_statistic_free(other);
            }
            TEST_ASSERT_TRUE(which == 2 || which == 3 || which > 4
                                 ? line.order_min == 0
                                 : line.order_min > MOST);
        }
        pvg_preview_free(t);
        pvgt_statistic_free(s);
    }
    /* the least order, by asking both sides of it */
    const pvg_target target = seeded_at(0.05);
    const pvg_degrees_config any = {.size = sizeof any, .levels = 70, .ranks = 1};
    pvg_statistic *s;
    pvg_preview *t = NULL;
    PVGT_OK(pvgt_statistic_new_degrees(&s, &any, &target, NULL));
    PVGT_OK(pvgt_statistic_lines(&t, s, 10, 0));
    /* noise 56.6: 57 nodes, but level 70 varies from 71 nodes on */
    TEST_ASSERT_EQUAL_INT64(57, line_of(t, 0).order_min);
    TEST_ASSERT_EQUAL_INT64(71, line_of(t, 69).order_min);
    TEST_ASSERT_EQUAL_INT64(128, line_of(t, 70).order_min); /* n - 1 - 70 */
    pvg_preview_free(t);
    pvgt_statistic_free(s);
}

static void test_joined_and_text(void) {
    const pvg_target target = seeded_at(1.0);
    const int32_t blocks[6] = {0, 0, 0, 1, 1, 1};
    const pvg_synthesis_config config = {
        .size = sizeof config, .order = 6, .blocks = 2, .levels = 2};
    pvg_statistic *s;
    pvg_preview *t = NULL;
    char text[16384];
    size_t length;
    PVGT_OK(pvgt_statistic_new_synthesis(&s, &config, &target, blocks));
    PVGT_OK(pvgt_statistic_lines(&t, s, 0, 3));
    TEST_ASSERT_EQUAL_INT64(pvgt_statistic_columns(s), pvg_preview_count(t));
    PVGT_OK(pvg_preview_copy_json(text, sizeof text, &length, t));
    TEST_ASSERT_NOT_NULL(strstr(text, "\"numbers\":[{\"number\":\"level1, row 0\""));
    TEST_ASSERT_NOT_NULL(strstr(text, "{\"number\":\"kind1, row 1\""));
    TEST_ASSERT_NOT_NULL(strstr(text, "{\"number\":\"triangles\""));
    TEST_ASSERT_NULL(strstr(text, "degree_bound"));
    pvg_preview_free(t);
    PVGT_FAILS(PVG_E_ARGUMENT, "is for 6 nodes", pvgt_statistic_lines(&t, s, 7, 0));
    PVGT_FAILS(PVG_E_ARGUMENT, "common", pvgt_statistic_lines(&t, s, 6, -1));
    pvgt_statistic_free(s);
    PVGT_OK(pvgt_statistic_new_triangles(&s, NULL, &target));
    PVGT_FAILS(PVG_E_ARGUMENT, "order", pvgt_statistic_lines(&t, s, 0, 0));
    TEST_ASSERT_NULL(t);
    pvgt_statistic_free(s);
}

int main(void) {
    pvgt_begin();
    RUN_TEST(test_ranges_hold_on_every_graph);
    RUN_TEST(test_noise_is_that_of_draws);
    RUN_TEST(test_noise_of_triangles);
    RUN_TEST(test_noise_of_ladders_by_definition);
    RUN_TEST(test_least_epsilon_and_order);
    RUN_TEST(test_joined_and_text);
    return pvgt_end(UNITY_END());
}
