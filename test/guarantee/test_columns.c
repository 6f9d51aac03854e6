/* What records say of columns: names, units, laws, scales, joint changes and covariances,
 * for every kind of release; written, read and written again. */
#include "handles.h"
#include "release/release_internal.h"
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

enum { ORDER = 12 };

static char *json_of(const pvg_guarantee *guarantee) {
    size_t length;
    PVGT_OK(pvg_guarantee_copy_json(NULL, 0, &length, guarantee));
    char *text = malloc(length + 1);
    TEST_ASSERT_NOT_NULL(text);
    PVGT_OK(pvg_guarantee_copy_json(text, length + 1, &length, guarantee));
    return text;
}

static void has(const char *text, const char *part) {
    PVGT_CHECK(strstr(text, part), "%.200s is not in %.300s", part, text);
}

/* Reads it and writes it again: the same. */
static void goes_round(const pvg_guarantee *guarantee) {
    pvg_guarantee *again = NULL;
    char *text = json_of(guarantee);
    PVGT_OK(pvg_guarantee_parse(&again, text, strlen(text)));
    char *second = json_of(again);
    TEST_ASSERT_EQUAL_STRING(text, second);
    if (guarantee->told) {
        TEST_ASSERT_EQUAL_INT64(guarantee->told->columns, again->told->columns);
        TEST_ASSERT_EQUAL_INT64(guarantee->told->tables, again->told->tables);
    }
    free(text);
    free(second);
    pvg_guarantee_free(again);
}

static pvg_guarantee *stated(void) {
    const pvg_curve_term term = {
        .size = sizeof term, .kind = PVG_CURVE_PURE, .epsilon = 1.0};
    pvg_curve *curve = NULL;
    pvg_guarantee *guarantee = NULL;
    PVGT_OK(pvg_curve_new(&curve, &term));
    PVGT_OK(pvg_guarantee_state(&guarantee, PVG_NOTION_EDGE, curve, NULL));
    pvg_curve_free(curve);
    return guarantee;
}

/* Noise that is not independent: covariance, and how it is drawn. */
static void add_joint(pvg_guarantee *g) {
    const double covariance[] = {2.5, -1.0, 3.0, 0.25, 1e-300, 4.0};
    const int64_t matrix[] = {1, 0, 0, -7, 2, 0, INT64_C(1) << 40, 0, 3};
    pvgi_columns *c = pvgi_guarantee_columns_begin();
    pvgi_guarantee_columns_add(
        c, &(pvgi_column){.count = 3, .name = "a \"b\"", .unit = "u", .noise = "joint"});
    pvgi_guarantee_columns_add(c, &(pvgi_column){.count = 1, .name = "order"});
    for (int64_t order = 5; order < 9; order += 2) {
        pvgi_guarantee_columns_table(c, order);
        pvgi_guarantee_columns_measure(
            c, 0, (pvgi_measure){-INFINITY, (double)order, 0.5, (double)NAN});
        pvgi_guarantee_columns_measure(c, 1, (pvgi_measure){5.0, 5.0, 1.0, 0.0});
        pvgi_guarantee_columns_joint(c, &(pvgi_joint_columns){.count = 3,
                                                              .norm = 2,
                                                              .change = 1.5,
                                                              .covariance = covariance,
                                                              .matrix = matrix,
                                                              .step = 0x1p-20,
                                                              .scale = 77.0});
        pvgi_guarantee_columns_joint(c, &(pvgi_joint_columns){.first = 3, .count = 1});
        pvgi_guarantee_columns_joint(
            c,
            &(pvgi_joint_columns){.first = 1, .count = 2, .norm = 1, .change = INFINITY});
    }
    PVGT_OK(pvgi_guarantee_columns_close(g, c));
}

static void joint_laws_go_round(void) {
    pvg_guarantee *g = stated();
    char words[4096];
    size_t length;
    add_joint(g);
    goes_round(g);
    char *text = json_of(g);
    has(text, "{\"count\": 3, \"name\": \"a \\\"b\\\"\", \"unit\": \"u\", \"noise\": "
              "\"joint\"}, {\"count\": 1, \"name\": \"order\"}");
    has(text, "{\"order\": 5, \"low\": [\"-infinity\", 5], \"high\": [5, 5], \"grid\": "
              "[0.5, 1], \"scale\": [null, 0], \"joint\": [{\"first\": 0, \"count\": 3, "
              "\"norm\": 2, \"change\": 1.5, \"covariance\": [2.5, -1, 3, 0.25, 1e-300, "
              "4], \"step\": 9.5367431640625e-07, \"scale\": 77, \"matrix\": [1, 0, 0, "
              "-7, 2, 0, 1099511627776, 0, 3]}, {\"first\": 3, \"count\": 1}");
    PVGT_OK(pvg_guarantee_copy_text(words, sizeof words, &length, g));
    has(words, "Columns (4): a \"b\"0 to a \"b\"2 (u), joint; order, no noise.\n");
    free(text);
    pvg_guarantee_free(g);
}

/* What is read says nothing impossible. */
static void bent_columns_are_refused(void) {
    static const char *const changes[][2] = {
        {"\"count\": 3, \"name\"", "\"count\": 0, \"name\""},
        {"\"count\": 3, \"name\"", "\"count\": 2, \"name\""},
        {"\"count\": 3, \"name\"", "\"count\": 9223372036854775806, \"name\""},
        {"\"name\": \"order\"", "\"names\": \"order\""},
        {"\"name\": \"order\"", "\"unit\": \"order\""},
        {"\"unit\": \"u\"", "\"unit\": \"u\", \"unit\": \"u\""},
        {"\"low\": [\"-infinity\", 5]", "\"low\": [5]"},
        {"\"low\": [\"-infinity\", 5]", "\"low\": [5, 5, 5]"},
        {"\"low\": [\"-infinity\", 5]", "\"low\": [\"-infinite\", 5]"},
        {"\"low\": [\"-infinity\", 5]", "\"low\": [5, 5], \"low\": [5, 5]"},
        {"\"low\": [\"-infinity\", 5]", "\"lower\": [5, 5]"},
        {"\"low\": [\"-infinity\", 5]", "\"low\": [nan, 5]"},
        {"\"grid\": [0.5, 1]", "\"grid\": [-0.5, 1]"},
        {"\"scale\": [null, 0]", "\"scale\": [null, -1]"},
        {"{\"order\": 5, ", "{"},
        {"{\"order\": 5, ", "{\"order\": 5, \"order\": 5, "},
        {"\"first\": 3, \"count\": 1", "\"first\": 4, \"count\": 1"},
        {"\"first\": 3, \"count\": 1", "\"first\": 5, \"count\": 1"},
        {"\"first\": 3, \"count\": 1", "\"first\": 3, \"count\": 0"},
        {"\"first\": 3, \"count\": 1", "\"first\": 3"},
        {"\"first\": 3, \"count\": 1", "\"first\": 3, \"first\": 3, \"count\": 1"},
        {"\"norm\": 2, ", "\"norm\": 3, "},
        {"\"norm\": 2, ", ""},
        {"\"change\": 1.5, ", ""},
        {"\"change\": 1.5, ", "\"change\": -1.5, "},
        {"[2.5, -1, 3, 0.25, 1e-300, 4]", "[2.5, -1, -3, 0.25, 1e-300, 4]"},
        {"[2.5, -1, 3, 0.25, 1e-300, 4]", "[2.5, null, 3, 0.25, 1e-300, 4]"},
        {"[2.5, -1, 3, 0.25, 1e-300, 4]", "[2.5, -1, 3, 0.25, 1e-300]"},
        {"-7, 2, 0, 1099511627776", "-7, 2.5, 0, 1099511627776"},
        {"-7, 2, 0, 1099511627776", "-7, 2, 1099511627776"},
        {"\"step\": 9.5367431640625e-07, ", ""},
        {"], \"tables\": [", "], \"table\": ["},
        {"], \"tables\": [", "], \"columns\": ["},
    };
    pvg_guarantee *g = stated();
    add_joint(g);
    char *text = json_of(g);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        pvg_guarantee *none = NULL;
        const char *at = strstr(text, changes[i][0]);
        PVGT_CHECK(at, "%s is not there", changes[i][0]);
        char *bent = malloc(strlen(text) + 100);
        snprintf(bent, strlen(text) + 100, "%.*s%s%s", (int)(at - text), text,
                 changes[i][1], at + strlen(changes[i][0]));
        const int32_t status = pvg_guarantee_parse(&none, bent, strlen(bent));
        PVGT_CHECK(status == PVG_E_FORMAT && !none, "%s is taken", changes[i][1]);
        free(bent);
    }
    /* no beginning of it is one */
    for (size_t i = 0; i < strlen(text); i++) {
        pvg_guarantee *none = NULL;
        TEST_ASSERT_EQUAL_INT32(PVG_E_FORMAT, pvg_guarantee_parse(&none, text, i));
    }
    free(text);
    pvg_guarantee_free(g);
}

static pvg_graph *cycle(void) {
    pvg_graph *graph = NULL;
    int64_t from[ORDER], to[ORDER];
    for (int64_t i = 0; i < ORDER; i++) from[i] = i, to[i] = (i + 1) % ORDER;
    PVGT_OK(pvg_graph_from_edges(&graph, ORDER, from, to, ORDER, PVG_EDGES_STRICT, NULL));
    return graph;
}

static const pvg_target pure = {.size = sizeof pure, .epsilon = 2, .allow_seeded = 1};

/* Draws, and what was told beforehand is what the release carries; every column is told
 * once. Returns the description, lent by the statistic. */
static const pvgi_columns *told_by(const pvg_statistic *statistic) {
    pvg_graph *graph = cycle();
    pvg_release *release = NULL;
    pvg_rng *rng = NULL;
    PVGT_OK(pvg_rng_new_seeded(&rng, 5));
    PVGT_OK(pvgt_release_draw_statistic(&release, statistic, graph, 0, rng, NULL, NULL));
    const pvgi_columns *told = pvg_release_guarantee(release)->told;
    TEST_ASSERT_NOT_NULL(told);
    TEST_ASSERT_TRUE(told == pvgt_statistic_guarantee(statistic)->told);
    TEST_ASSERT_EQUAL_INT64(pvg_release_columns(release), told->columns);
    goes_round(pvg_release_guarantee(release));
    pvg_release_free(release);
    pvg_rng_free(rng);
    pvg_graph_free(graph);
    return told;
}

/* Scales are those of the law: the deviation of the statistic follows from them. */
static void scales_agree(const pvg_statistic *statistic, const pvgi_columns *told) {
    double deviation[256];
    int64_t at = 0;
    PVGT_OK(pvgt_statistic_copy_deviation(deviation, statistic));
    for (int64_t k = 0; k < told->kinds; k++)
        for (int64_t i = 0; i < told->kind[k].count; i++, at++) {
            const pvgi_measure *m = &told->table[0].measure[k];
            const double rate = m->grid / m->scale;
            const double expected =
                m->grid * sqrt(2.0) * exp(-0.5 * rate) / -expm1(-rate);
            TEST_ASSERT_EQUAL_STRING("discrete Laplace", told->kind[k].noise);
            PVGT_CHECK(fabs(deviation[at] - expected) <= 1e-9 * expected,
                       "column %lld: %g, not %g", (long long)at, expected, deviation[at]);
        }
}

static void statistics_tell_their_columns(void) {
    const pvg_histogram_config histogram = {
        .size = sizeof histogram, .order = ORDER, .kinds = 3};
    const pvg_degrees_config degrees = {
        .size = sizeof degrees, .order = ORDER, .levels = 4, .ranks = 2};
    const pvg_scalars_config scalars = {.size = sizeof scalars, .count = 8};
    const int32_t all[] = {1, 2, 3, 4, 5, 6, 7, 8};
    int32_t kinds[ORDER];
    for (int i = 0; i < ORDER; i++) kinds[i] = i % 3;
    const pvg_histogram_nodes nodes = {.size = sizeof nodes, .kinds = kinds};
    pvg_statistic *s[6] = {0};
    PVGT_OK(pvgt_statistic_new_histogram(&s[0], &histogram, &pure, &nodes));
    PVGT_OK(pvgt_statistic_new_degrees(&s[1], &degrees, &pure, NULL));
    PVGT_OK(pvgt_statistic_new_scalars(&s[2], &scalars, &pure, all, NULL));
    PVGT_OK(pvgt_statistic_new_spectrum(&s[3], ORDER, &pure));
    PVGT_OK(pvgt_statistic_new_triangles(&s[4], NULL, &pure));
    PVGT_OK(pvgt_statistic_new_stars(&s[5], NULL, &pure));
    static const int64_t kinds_of[] = {1, 3, 8, 1, 1, 1}, joints[] = {1, 1, 8, 1, 0, 0};
    static const double change[] = {1, 2, 1, 2, 0, 0};
    for (int i = 0; i < 6; i++) {
        const pvgi_columns *told = told_by(s[i]);
        TEST_ASSERT_EQUAL_INT64(kinds_of[i], told->kinds);
        TEST_ASSERT_EQUAL_INT64(1, told->tables);
        TEST_ASSERT_EQUAL_INT64(joints[i], told->table[0].joints);
        if (joints[i] > 0)
            TEST_ASSERT_TRUE(told->table[0].joint[0].norm == 1 &&
                             told->table[0].joint[0].change >= change[i] &&
                             told->table[0].joint[0].change < change[i] + 0.1);
        if (i < 4) scales_agree(s[i], told);
    }
    /* the scale of the ladder is private, its rate is not */
    const pvgi_columns *ladder = pvgt_statistic_guarantee(s[4])->told;
    TEST_ASSERT_TRUE(isnan(ladder->table[0].measure[0].scale));
    has(ladder->kind[0].noise, "ladder of rate ");
    has(ladder->kind[0].noise, "floor 10");
    for (int i = 0; i < 6; i++) pvgt_statistic_free(s[i]);
}

/* Parts: groups of diagrams row by row, joint changes part by part. */
static void joined_statistics_tell_their_columns(void) {
    const pvg_synthesis_config config = {
        .size = sizeof config, .order = ORDER, .blocks = 2, .levels = 3};
    int32_t blocks[ORDER];
    for (int i = 0; i < ORDER; i++) blocks[i] = i < 5;
    pvg_statistic *s = NULL;
    PVGT_OK(pvgt_statistic_new_synthesis(&s, &config, &pure, blocks));
    const pvgi_columns *told = told_by(s);
    /* two diagrams of levels, ranks and rest; four pairs of blocks; triangles; ends */
    TEST_ASSERT_EQUAL_INT64(9, told->kinds);
    TEST_ASSERT_EQUAL_INT64(4, told->kind[6].count);
    const pvgi_column_table *table = &told->table[0];
    TEST_ASSERT_EQUAL_INT64(3, table->joints); /* the ladder has none */
    TEST_ASSERT_EQUAL_INT64(0, table->joint[0].first);
    TEST_ASSERT_EQUAL_INT64(told->columns - 6, table->joint[0].count);
    TEST_ASSERT_EQUAL_INT64(told->columns - 6, table->joint[1].first);
    TEST_ASSERT_EQUAL_INT64(4, table->joint[1].count);
    TEST_ASSERT_EQUAL_INT64(told->columns - 1, table->joint[2].first);
    TEST_ASSERT_TRUE(table->joint[0].change == 2.0 && table->joint[1].change == 1.0 &&
                     table->joint[2].change == 3.0);
    pvgt_statistic_free(s);
}

/* Too many kinds of columns are one. */
static void long_lists_are_cut(void) {
    enum { MANY = 5000 };
    const pvg_scalars_config scalars = {.size = sizeof scalars, .count = 2};
    const int32_t all[] = {1, 2};
    static pvg_statistic *parts[MANY];
    pvg_statistic *one = NULL, *joined = NULL;
    PVGT_OK(pvgt_statistic_new_scalars(&one, &scalars, &pure, all, NULL));
    for (int i = 0; i < MANY; i++) parts[i] = one;
    PVGT_OK(pvgt_statistic_new_joined(&joined, parts, MANY));
    const pvgi_columns *told = told_by(joined);
    TEST_ASSERT_TRUE(told->kinds == 1 && told->columns == 2 * MANY);
    TEST_ASSERT_EQUAL_INT64(0, told->tables);
    pvgt_statistic_free(joined);
    PVGT_OK(pvgt_statistic_new_joined(&joined, parts, 2000));
    TEST_ASSERT_EQUAL_INT64(4000, told_by(joined)->table[0].joints);
    pvgt_statistic_free(joined);
    pvgt_statistic_free(one);
}

/* States of a propagator, one block of columns each. */
static void states_are_told(void) {
    static const int32_t methods[] = {PVG_PROPAGATION_HOPS, PVG_PROPAGATION_OUTPUT,
                                      PVG_PROPAGATION_PERTURBED};
    const pvg_target gauss = {
        .size = sizeof gauss, .epsilon = 1, .delta = 1e-6, .allow_seeded = 1};
    const pvg_layers_config stack = {.size = sizeof stack, .depth = 3};
    const pvg_assumption assumption = {.size = sizeof assumption,
                                       .degrees = PVG_DEGREES_TRUNCATED,
                                       .order = ORDER,
                                       .degree_bound = 4};
    pvg_graph *graph = cycle();
    pvg_layers *layers = NULL;
    pvg_features *features = NULL;
    pvg_rng *rng = NULL;
    double values[ORDER * 5];
    for (int i = 0; i < ORDER * 5; i++) values[i] = 0.1;
    PVGT_OK(pvg_features_from_dense(&features, ORDER, 5, values));
    PVGT_OK(pvg_rng_new_seeded(&rng, 5));
    PVGT_OK(pvg_layers_new(&layers, &stack, NULL, 0));
    for (int i = 0; i < 3; i++) {
        const pvg_propagator_config config = {.size = sizeof config,
                                              .method = methods[i]};
        pvg_propagator *p = NULL;
        pvg_release *release = NULL;
        PVGT_OK(pvgt_propagator_new(&p, layers, &assumption, 5, &config, &gauss));
        PVGT_OK(pvgt_release_draw_propagation(&release, p, graph, features, 0, rng, NULL,
                                              NULL));
        const pvgi_columns *told = pvg_release_guarantee(release)->told;
        TEST_ASSERT_EQUAL_INT64(pvg_release_columns(release), told->columns);
        TEST_ASSERT_EQUAL_INT64(i == 0 ? 3 : 1, told->kinds);
        TEST_ASSERT_EQUAL_INT64(5, told->kind[0].count);
        TEST_ASSERT_EQUAL_STRING("layer3.", told->kind[told->kinds - 1].name);
        TEST_ASSERT_EQUAL_DOUBLE(p->scale, told->table[0].measure[0].scale);
        TEST_ASSERT_EQUAL_INT64(i == 1, told->table[0].joints);
        goes_round(pvg_release_guarantee(release));
        pvg_release_free(release);
        pvgt_propagator_free(p);
    }
    pvg_layers_free(layers);
    pvg_features_free(features);
    pvg_rng_free(rng);
    pvg_graph_free(graph);
}

static void features_and_labels_are_told(void) {
    const pvg_target gauss = {.size = sizeof gauss, .epsilon = 1, .delta = 1e-6};
    const pvg_features_config bits = {.size = sizeof bits, .columns = 4, .ranges = 1};
    const pvg_features_config noise = {
        .size = sizeof noise, .method = PVG_FEATURES_NOISE, .columns = 4, .ranges = 4};
    const pvg_labels_config labels = {.size = sizeof labels, .classes = 7};
    const double low[] = {0, -1, 0, 0}, high[] = {1, 1, 8, 2};
    pvg_perturber *p[3] = {0};
    PVGT_OK(pvgt_perturber_new_features(&p[0], &bits, &pure, low, high));
    PVGT_OK(pvgt_perturber_new_features(&p[1], &noise, &gauss, low, high));
    PVGT_OK(pvgt_perturber_new_labels(&p[2], &labels, &pure));
    for (int i = 0; i < 3; i++) {
        const pvg_guarantee *g = pvgt_perturber_guarantee(p[i]);
        TEST_ASSERT_EQUAL_INT64(i == 2 ? 1 : 4, g->told->columns);
        TEST_ASSERT_EQUAL_INT64(i == 1 ? 4 : 1, g->told->kinds);
        goes_round(g);
    }
    const pvgi_measure *m = pvgt_perturber_guarantee(p[1])->told->table[0].measure;
    TEST_ASSERT_TRUE(m[1].low == -1.0 && m[1].high == 1.0 && m[2].high == 8.0);
    TEST_ASSERT_TRUE(m[2].scale > m[1].scale && m[1].scale > m[0].scale);
    m = pvgt_perturber_guarantee(p[2])->told->table[0].measure;
    TEST_ASSERT_TRUE(m->low == 0.0 && m->high == 6.0);
    for (int i = 0; i < 3; i++) pvgt_perturber_free(p[i]);
}

/* Records that were read are copied with their texts: one outlives the other. */
static void copies_share_texts(void) {
    pvg_guarantee *g = stated(), *read = NULL;
    pvg_guarantee copy;
    add_joint(g);
    char *text = json_of(g);
    PVGT_OK(pvg_guarantee_parse(&read, text, strlen(text)));
    PVGT_OK(pvgi_guarantee_copy(&copy, read));
    pvg_guarantee_free(read);
    char *second = json_of(&copy);
    TEST_ASSERT_EQUAL_STRING(text, second);
    pvgi_guarantee_drop(&copy);
    free(text);
    free(second);
    pvg_guarantee_free(g);
}

static int32_t read_without_memory(void *context) {
    pvg_guarantee *read = NULL;
    const int32_t status = pvg_guarantee_parse(&read, context, strlen(context));
    TEST_ASSERT_EQUAL(status == PVG_OK, read != NULL);
    pvg_guarantee_free(read);
    return status;
}

static void columns_without_memory(void) {
    pvg_guarantee *g = stated();
    add_joint(g);
    char *text = json_of(g);
    pvgt_oom_walk("pvg_guarantee_parse", read_without_memory, text, 5);
    free(text);
    pvg_guarantee_free(g);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(joint_laws_go_round);
    RUN_TEST(bent_columns_are_refused);
    RUN_TEST(statistics_tell_their_columns);
    RUN_TEST(joined_statistics_tell_their_columns);
    RUN_TEST(long_lists_are_cut);
    RUN_TEST(states_are_told);
    RUN_TEST(features_and_labels_are_told);
    RUN_TEST(copies_share_texts);
    RUN_TEST(columns_without_memory);
    return pvgt_end(UNITY_END());
}
