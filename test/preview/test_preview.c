/* preview: the table against all small graphs, lines by hand and against mechanisms
 * built at the borders, arguments. */
#include "handles.h"
#include "pattern/pattern_internal.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

/* --- classes -------------------------------------------------------------------- */

/* Largest size of a member among all graphs on m labelled vertices. */
static void all_small_graphs(void) {
    const int parameters[7][4] = {{0, -1},      {0, 2, 3, 4}, {0, -1}, {0, 1, 2, 3},
                                  {0, 1, 2, 3}, {0, -1},      {0, -1}};
    int64_t cases = 0;
    for (int m = 1; m <= 5; m++) {
        const int pairs = m * (m - 1) / 2;
        int64_t most[7][4];
        memset(most, -1, sizeof most);
        for (int bits = 0; bits < 1 << pairs; bits++) {
            pvgi_small graph = {.order = m};
            pvgi_pattern pattern;
            int bit = 0;
            for (int v = 1; v < m; v++)
                for (int u = 0; u < v; u++)
                    if (bits >> bit++ & 1) pvgi_pattern_join(&graph, u, v);
            PVGT_OK(pvgi_pattern_examine(&pattern, &graph, "graph"));
            for (int c = 0; c < 7; c++)
                for (int i = 0; i < 4 && parameters[c][i] >= 0; i++)
                    if (pattern.size > most[c][i] &&
                        pvgi_pattern_in_class(&pattern, c, parameters[c][i]))
                        most[c][i] = pattern.size;
        }
        for (int c = 0; c < 7; c++)
            for (int i = 0; i < 4 && parameters[c][i] >= 0; i++) {
                int64_t edges = -1;
                if (c == PVG_CLASS_CYCLES && m < 3) {
                    PVGT_FAILS(PVG_E_ARGUMENT, "order",
                               pvg_class_max_edges(&edges, c, 0, m));
                    continue;
                }
                PVGT_OK(pvg_class_max_edges(&edges, c, parameters[c][i], m));
                PVGT_CHECK(edges == most[c][i],
                           "class %d parameter %d m %d: %lld of %lld", c,
                           parameters[c][i], m, (long long)edges, (long long)most[c][i]);
                cases++;
            }
    }
    TEST_ASSERT_EQUAL_INT64(5 * 15 + 3, cases);
}

/* The paper's formulas, and members that have that many edges. */
static void formulas_and_members(void) {
    for (int64_t m = 3; m <= 16; m++)
        for (int32_t k = 1; k <= 3; k++) {
            const int64_t expected[7] = {m - 1,
                                         2 * m - 3,
                                         2 * m - 3,
                                         m * (k + 1) - 1 - (k * k + 3 * k) / 2,
                                         k * m - k * (k + 1) / 2,
                                         m,
                                         m * (m - 1) / 2};
            for (int32_t c = 0; c < 7; c++) {
                const bool has = c == PVG_CLASS_APEX_FORESTS || c == PVG_CLASS_TREEWIDTH;
                int64_t edges = -1;
                pvg_patterns *patterns = NULL;
                if (m <= k || (c == PVG_CLASS_ALL && m > 7)) continue;
                PVGT_OK(pvg_class_max_edges(&edges, c, has ? k : 0, m));
                TEST_ASSERT_EQUAL_INT64(expected[c], edges);
                PVGT_OK(pvg_class_patterns(&patterns, c, has ? k : 0, m));
                const int64_t count = pvg_patterns_count(patterns);
                TEST_ASSERT_EQUAL_INT64(c == PVG_CLASS_TREES && m > 3 ? 2 : 1, count);
                for (int64_t i = 0; i < count; i++) {
                    int32_t member = 0;
                    PVGT_OK(pvg_patterns_in_class(&member, patterns, i, c, has ? k : 0));
                    PVGT_CHECK(member && pvg_patterns_size(patterns, i) == edges &&
                                   pvg_patterns_order(patterns, i) == m,
                               "class %d m %lld k %d", (int)c, (long long)m, (int)k);
                }
                pvg_patterns_free(patterns);
            }
        }
    for (int32_t largest = 2; largest < 6; largest++) {
        pvg_patterns *patterns = NULL;
        int64_t edges = -1;
        int32_t member = 0;
        PVGT_OK(pvg_class_patterns(&patterns, PVG_CLASS_FAN_CACTUS, largest, 10));
        PVGT_OK(pvg_class_max_edges(&edges, PVG_CLASS_FAN_CACTUS, largest, 10));
        PVGT_OK(
            pvg_patterns_in_class(&member, patterns, 0, PVG_CLASS_FAN_CACTUS, largest));
        TEST_ASSERT_TRUE(member && pvg_patterns_size(patterns, 0) == edges);
        pvg_patterns_free(patterns);
    }
    TEST_ASSERT_EQUAL_STRING("k m - k (k + 1) / 2",
                             pvg_class_formula(PVG_CLASS_TREEWIDTH));
    TEST_ASSERT_EQUAL_STRING("message passing (1-WL)", pvg_class_network(0));
    TEST_ASSERT_NULL(pvg_class_network(7));
    TEST_ASSERT_NULL(pvg_class_formula(-1));
}

/* --- lines ---------------------------------------------------------------------- */

static pvg_patterns *named(const char *names) {
    pvg_patterns *patterns = NULL;
    PVGT_OK(pvg_patterns_from_names(&patterns, names));
    return patterns;
}

static pvg_target target_of(int32_t noise, int32_t allocation, double epsilon) {
    return (pvg_target){.size = sizeof(pvg_target),
                        .noise = noise,
                        .allocation = allocation,
                        .epsilon = epsilon,
                        .delta = noise == PVG_NOISE_LAPLACE ? 0 : 1e-6};
}

static pvg_assumption assumption_of(int64_t order, int64_t degree) {
    return (pvg_assumption){.size = sizeof(pvg_assumption),
                            .degrees = degree ? PVG_DEGREES_PROMISED : PVG_DEGREES_ANY,
                            .order = order,
                            .degree_bound = degree};
}

/* What an embedder with that unit tells. */
static int32_t weigh(pvg_preview **out, const pvg_target *target,
                     const pvg_patterns *patterns, const pvg_assumption *assumption,
                     int32_t scaling, const pvg_run *run) {
    const pvg_embedder_config config = {.size = sizeof config,
                                        .degrees = assumption->degrees,
                                        .degree_bound = assumption->degree_bound,
                                        .scaling = scaling};
    pvg_embedder *embedder = NULL;
    int32_t status = pvgt_embedder_new(&embedder, patterns, &config, target, NULL, NULL);
    if (status == PVG_OK)
        status = pvgt_embedder_lines(out, embedder, assumption->order, run);
    pvgt_embedder_free(embedder);
    return status;
}

static pvg_preview_line line_of(const pvg_preview *preview, int64_t index) {
    pvg_preview_line line = {.size = sizeof line};
    PVGT_OK(pvg_preview_copy_line(&line, preview, index));
    return line;
}

/* One edge as pattern: density 2e/n^2, so the range is D/n, one edge moves 2/n^2, and the
 * noise 2 sigma / n^2 is below D/n from n > 2 sigma / D on. */
static void the_edge_by_hand(void) {
    pvg_patterns *edge = named("edge");
    double sigma = 0;
    PVGT_OK(pvg_gaussian_sigma(&sigma, 0.01, 1e-6));
    for (int64_t order = 20; order <= 2000; order *= 10) {
        const pvg_target target = target_of(0, 0, 0.01);
        const pvg_assumption assumption = assumption_of(order, 4);
        pvg_preview *preview = NULL;
        PVGT_OK(weigh(&preview, &target, edge, &assumption, PVG_SCALING_DENSITY, NULL));
        const pvg_preview_line line = line_of(preview, 0);
        const double n = (double)order;
        TEST_ASSERT_DOUBLE_WITHIN(1e-9 * 4 / n, 4 / n, line.range);
        TEST_ASSERT_DOUBLE_WITHIN(1e-9 / n / n, 2 / n / n, line.sensitivity);
        TEST_ASSERT_DOUBLE_WITHIN(1e-5 * line.noise, 2 * sigma / n / n, line.noise);
        TEST_ASSERT_DOUBLE_WITHIN(1e-5 * line.ratio, 2 * n / sigma, line.ratio);
        const bool informative = n > sigma / 2;
        TEST_ASSERT_EQUAL_INT32(
            informative ? PVG_VERDICT_INFORMATIVE : PVG_VERDICT_HIDDEN, line.verdict);
        TEST_ASSERT_EQUAL_INT64(informative, pvg_preview_informative(preview));
        TEST_ASSERT_EQUAL_INT64((int64_t)floor(sigma / 2 * (1 + 1e-6)) + 1,
                                line.order_min);
        /* the budget whose sigma is 2 n */
        double needed = 0;
        PVGT_OK(pvg_gaussian_sigma(&needed, line.epsilon_min, 1e-6));
        TEST_ASSERT_DOUBLE_WITHIN(1e-5 * needed, 2 * n, needed);
        pvg_preview_free(preview);
    }
    pvg_patterns_free(edge);
}

/* Borders against previews at and just before them, for every noise and allocation. */
static void borders_hold(void) {
    pvg_patterns *patterns = named("edge,path3,triangle,star4,cycle5,vertex,clique6");
    const int32_t noises[] = {PVG_NOISE_GAUSSIAN, PVG_NOISE_LAPLACE,
                              PVG_NOISE_DISCRETE_GAUSSIAN};
    for (int which = 0; which < 9; which++) {
        const pvg_target target = target_of(noises[which / 3], which % 3, 0.3);
        const int32_t scaling = (which + which / 3) % 3;
        const pvg_assumption assumption = assumption_of(60, 4);
        pvg_preview *preview = NULL, *other = NULL;
        PVGT_OK(weigh(&preview, &target, patterns, &assumption, scaling, NULL));
        TEST_ASSERT_EQUAL_INT64(7, pvg_preview_count(preview));
        for (int64_t i = 0; i < 7; i++) {
            const pvg_preview_line line = line_of(preview, i);
            if (i >= 5) { /* always 1; always 0 with four neighbours */
                TEST_ASSERT_EQUAL_INT32(PVG_VERDICT_CONSTANT, line.verdict);
                TEST_ASSERT_EQUAL_DOUBLE(0, line.noise);
                TEST_ASSERT_TRUE(isinf(line.epsilon_min));
                TEST_ASSERT_EQUAL_DOUBLE(i == 5, line.range);
                continue;
            }
            for (int before = 0; before < 2; before++) {
                pvg_target changed = target;
                changed.epsilon = line.epsilon_min * (before ? 1 - 1e-4 : 1);
                PVGT_OK(weigh(&other, &changed, patterns, &assumption, scaling, NULL));
                PVGT_CHECK(line_of(other, i).verdict ==
                               (before ? PVG_VERDICT_HIDDEN : PVG_VERDICT_INFORMATIVE),
                           "which %d pattern %lld epsilon %.17g", which, (long long)i,
                           changed.epsilon);
                pvg_preview_free(other);
                const pvg_assumption moved = assumption_of(line.order_min - before, 4);
                if (moved.order < 1) continue;
                PVGT_OK(weigh(&other, &target, patterns, &moved, scaling, NULL));
                PVGT_CHECK((line_of(other, i).verdict == PVG_VERDICT_INFORMATIVE) ==
                               !before,
                           "which %d pattern %lld order %lld", which, (long long)i,
                           (long long)moved.order);
                pvg_preview_free(other);
            }
        }
        pvg_preview_free(preview);
    }
    pvg_patterns_free(patterns);
}

/* With one scale for all, larger graphs hide a larger pattern behind a smaller one. */
static void an_order_may_not_exist(void) {
    pvg_patterns *patterns = named("edge,star6");
    const pvg_target target = target_of(0, PVG_ALLOCATION_ISOTROPIC, 0.001);
    const pvg_assumption assumption = assumption_of(1000, 3);
    pvg_preview *preview = NULL;
    char json[2000];
    size_t length = 0;
    PVGT_OK(weigh(&preview, &target, patterns, &assumption, PVG_SCALING_DENSITY, NULL));
    TEST_ASSERT_EQUAL_INT64(0, line_of(preview, 1).order_min);
    TEST_ASSERT_TRUE(line_of(preview, 0).order_min > 1000);
    TEST_ASSERT_EQUAL_INT64(0, pvg_preview_informative(preview));
    PVGT_OK(pvg_preview_copy_json(json, sizeof json, &length, preview));
    TEST_ASSERT_EQUAL_size_t(strlen(json), length);
    TEST_ASSERT_NOT_NULL(strstr(json, "\"pattern\":\"star6\",\"verdict\":\"hidden\""));
    TEST_ASSERT_NOT_NULL(strstr(json, "\"order_min\":null"));
    TEST_ASSERT_NOT_NULL(strstr(json, "nothing can be learned at this budget"));
    pvg_preview_free(preview);
    pvg_patterns_free(patterns);
}

static void arguments(void) {
    pvg_patterns *patterns = named("edge,path3");
    pvg_target target = target_of(0, 0, 1);
    pvg_assumption assumption = assumption_of(10, 3);
    pvg_preview *t = NULL;
    pvg_preview_line line = {.size = sizeof line, .range = -1};
    int64_t edges = -1;
    size_t length;
    pvg_patterns *list = NULL;
    PVGT_FAILS(PVG_E_ARGUMENT, "embedder is NULL",
               pvgt_embedder_lines(&t, NULL, 10, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL", pvgt_embedder_lines(NULL, NULL, 10, NULL));
    target = target_of(PVG_NOISE_SMOOTH, 0, 1);
    target.beta = 0.01;
    PVGT_FAILS(PVG_E_PRIVACY, "smooth noise is private",
               weigh(&t, &target, patterns, &assumption, 0, NULL));
    target = (pvg_target){.size = sizeof target, .parameter = 1};
    PVGT_FAILS(PVG_E_ARGUMENT, "parameter",
               weigh(&t, &target, patterns, &assumption, 0, NULL));
    target = target_of(0, 0, 1);
    assumption.order = 0;
    PVGT_FAILS(PVG_E_ARGUMENT, "order is less than 1",
               weigh(&t, &target, patterns, &assumption, 0, NULL));
    assumption.order = INT64_C(1) << 31;
    PVGT_FAILS(PVG_E_ARGUMENT, "order",
               weigh(&t, &target, patterns, &assumption, 0, NULL));
    assumption.order = 10;
    TEST_ASSERT_NULL(t);
    PVGT_OK(weigh(&t, &target, patterns, &assumption, 0, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "index 2", pvg_preview_copy_line(&line, t, 2));
    PVGT_FAILS(PVG_E_ARGUMENT, "index -1", pvg_preview_copy_line(&line, t, -1));
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL", pvg_preview_copy_line(NULL, t, 0));
    PVGT_FAILS(PVG_E_ARGUMENT, "preview is NULL", pvg_preview_copy_line(&line, NULL, 0));
    PVGT_FAILS(PVG_E_ARGUMENT, "length is NULL", pvg_preview_copy_json(NULL, 0, NULL, t));
    PVGT_FAILS(PVG_E_ARGUMENT, "preview is NULL",
               pvg_preview_copy_json(NULL, 0, &length, NULL));
    TEST_ASSERT_EQUAL_DOUBLE(-1, line.range);
    pvg_preview_free(t);
    PVGT_FAILS(PVG_E_ARGUMENT, "pattern_class 7", pvg_class_max_edges(&edges, 7, 0, 5));
    PVGT_FAILS(PVG_E_ARGUMENT, "parameter", pvg_class_max_edges(&edges, 4, -1, 5));
    PVGT_FAILS(PVG_E_ARGUMENT, "no parameter", pvg_class_max_edges(&edges, 0, 1, 5));
    PVGT_FAILS(PVG_E_ARGUMENT, "order 0", pvg_class_max_edges(&edges, 0, 0, 0));
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL", pvg_class_max_edges(NULL, 0, 0, 5));
    PVGT_FAILS(PVG_E_LIMIT, "order is above 32", pvg_class_patterns(&list, 0, 0, 33));
    PVGT_FAILS(PVG_E_LIMIT, "", pvg_class_patterns(&list, PVG_CLASS_ALL, 0, 9));
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL", pvg_class_patterns(NULL, 0, 0, 5));
    TEST_ASSERT_NULL(list);
    TEST_ASSERT_EQUAL_INT64(0, pvg_preview_count(NULL));
    TEST_ASSERT_EQUAL_INT64(0, pvg_preview_informative(NULL));
    pvg_preview_free(NULL);
    pvg_patterns_free(patterns);
}

static int32_t stop(void *context, double fraction) {
    (void)context;
    return fraction >= 0;
}

/* Long enough for a report, which comes after a tenth of a second. */
static void can_be_cancelled(void) {
    enum { COUNT = 5000 };
    static int64_t again[COUNT];
    pvg_patterns *one = named("star5"), *patterns = NULL;
    const pvg_target target = target_of(0, PVG_ALLOCATION_ISOTROPIC, 1e-9);
    const pvg_assumption assumption = assumption_of(10, 3);
    const pvg_run run = {.size = sizeof run, .progress = stop};
    pvg_preview *t = NULL;
    PVGT_OK(pvg_patterns_select(&patterns, one, again, COUNT));
    PVGT_FAILS(PVG_E_CANCELLED, "",
               weigh(&t, &target, patterns, &assumption, PVG_SCALING_DENSITY, &run));
    TEST_ASSERT_NULL(t);
    pvg_patterns_free(patterns);
    pvg_patterns_free(one);
}

/* What is chosen is compared with an oracle in Python (test_advice.py). */
static void advice(void) {
    pvg_advice_config config = {
        .size = sizeof config, .task = "edges", .epsilon = 1, .order = 3000};
    char text[16384];
    size_t length = 0, all = 0;
    PVGT_OK(pvg_advice_copy_json(text, sizeof text, &length, &config));
    TEST_ASSERT_NOT_NULL(strstr(text, "{\"advice\":[{\"task\":\"edges\""));
    TEST_ASSERT_NOT_NULL(strstr(text, "\"useful\":false,\"release\":null"));
    TEST_ASSERT_NULL(strstr(text, "\"task\":\"graph\""));
    config.task = NULL;
    PVGT_OK(pvg_advice_copy_json(NULL, 0, &all, &config));
    TEST_ASSERT_TRUE(all > 3 * length);
    config = (pvg_advice_config){.size = sizeof config, .all = 1};
    PVGT_OK(pvg_advice_copy_json(NULL, 0, &length, &config));
    TEST_ASSERT_TRUE(length > 4 * all);
    const pvg_advice_config good = {.size = sizeof good, .epsilon = 1, .order = 100};
    const struct {
        const char *field;
        pvg_advice_config config;
    } wrong[] = {{"epsilon", {.epsilon = 0, .order = 100}},
                 {"epsilon", {.epsilon = NAN, .order = 100}},
                 {"order", {.epsilon = 1}},
                 {"order", {.epsilon = 1, .order = -1}},
                 {"degree", {.epsilon = 1, .order = 100, .degree = -1}},
                 {"homophily", {.epsilon = 1, .order = 100, .homophily = 2}},
                 {"homophily_told", {.epsilon = 1, .order = 100, .homophily_told = 2}},
                 {"reserved", {.epsilon = 1, .order = 100, .reserved = 1}},
                 {"all", {.epsilon = 1, .order = 100, .all = 2}},
                 {"task is 'walks'", {.epsilon = 1, .order = 100, .task = "walks"}}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        config = wrong[i].config;
        config.size = sizeof config;
        PVGT_FAILS(PVG_E_ARGUMENT, wrong[i].field,
                   pvg_advice_copy_json(NULL, 0, &length, &config));
    }
    PVGT_FAILS(PVG_E_ARGUMENT, "config", pvg_advice_copy_json(NULL, 0, &length, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "length", pvg_advice_copy_json(NULL, 0, NULL, &good));
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(all_small_graphs);
    RUN_TEST(formulas_and_members);
    RUN_TEST(the_edge_by_hand);
    RUN_TEST(borders_hold);
    RUN_TEST(an_order_may_not_exist);
    RUN_TEST(arguments);
    RUN_TEST(can_be_cancelled);
    RUN_TEST(advice);
    return pvgt_end(UNITY_END());
}
