/* pattern: settings of samplers, drawing, and every refusal. */
#include "support.h"

#include <string.h>

#include <math.h>

void setUp(void) {}
void tearDown(void) {}

static void sampler_defaults(void) {
    static const struct {
        const char *name;
        int32_t pattern_class, parameter, law, least, most, width_min;
        double keep, extra;
    } cases[] = {
        {"trees", 0, 0, PVG_SIZE_GEOMETRIC, 2, 32, 0, 0.0, 0.0},
        {"fan-cactus", 1, 0, PVG_SIZE_GEOMETRIC, 2, 32, 0, 0.0, 0.5},
        {"fan-cactus5", 1, 5, PVG_SIZE_GEOMETRIC, 2, 32, 0, 0.0, 0.5},
        {"parallel-trees", 2, 0, PVG_SIZE_GEOMETRIC, 2, 32, 0, 0.0, 0.5},
        {"apex-forests", 3, 1, PVG_SIZE_GEOMETRIC, 2, 32, 0, 0.9, 0.5},
        {"apex-forests3", 3, 3, PVG_SIZE_GEOMETRIC, 2, 20, 0, 0.9, 0.5},
        {"treewidth", 4, 2, PVG_SIZE_GEOMETRIC, 2, 32, 1, 0.9, 0.0},
        {"treewidth6", 4, 6, PVG_SIZE_GEOMETRIC, 2, 20, 1, 0.9, 0.0},
        {"cycles", 5, 0, PVG_SIZE_POISSON, 3, 32, 0, 0.0, 0.0},
        {"all", 6, 0, PVG_SIZE_GEOMETRIC, 2, 20, 1, 0.9, 0.0},
        {"reference2", 4, 2, PVG_SIZE_GEOMETRIC, 1, 32, 1, 0.9, 0.0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pvg_sampler *sampler = NULL;
        pvg_sampler_config c = {.size = sizeof c};
        PVGT_OK(pvg_sampler_from_name(&sampler, cases[i].name, NULL));
        PVGT_OK(pvg_sampler_copy_config(&c, sampler));
        PVGT_CHECK(c.size == sizeof c && c.pattern_class == cases[i].pattern_class &&
                       c.parameter == cases[i].parameter && c.size_law == cases[i].law &&
                       c.order_min == cases[i].least && c.order_max == cases[i].most &&
                       c.order_typical == 16 && c.width_min == cases[i].width_min &&
                       c.keep == cases[i].keep && c.extra == cases[i].extra,
                   "%s", cases[i].name);
        TEST_ASSERT_EQUAL_INT32(i == 10, c.reference_law);
        TEST_ASSERT_EQUAL_INT32(i == 9 ? 16 : 0, c.graph_order);
        pvg_sampler_free(sampler);
    }
    pvg_sampler *sampler = NULL;
    pvg_sampler_config c = {.size = sizeof c, .pattern_class = 99};
    PVGT_OK(pvg_sampler_new(&sampler, NULL));
    PVGT_OK(pvg_sampler_copy_config(&c, sampler));
    TEST_ASSERT_EQUAL_INT32(PVG_CLASS_TREES, c.pattern_class);
    pvg_sampler_config old = {.size = 8, .parameter = 77}; /* a caller that knows less */
    PVGT_OK(pvg_sampler_copy_config(&old, sampler));
    TEST_ASSERT_TRUE(old.size == 8 && old.pattern_class == 0 && old.parameter == 77);
    struct {
        pvg_sampler_config known;
        uint64_t later;
    } newer = {.known = {.size = sizeof newer}, .later = 9}; /* one that knows more */
    PVGT_OK(pvg_sampler_copy_config(&newer.known, sampler));
    TEST_ASSERT_TRUE(newer.known.size == sizeof newer && newer.later == 0);
    TEST_ASSERT_EQUAL_INT32(16, newer.known.order_typical);
    old.size = 0;
    PVGT_FAILS(PVG_E_ARGUMENT, "size is 0", pvg_sampler_copy_config(&old, sampler));
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL", pvg_sampler_copy_config(NULL, sampler));
    PVGT_FAILS(PVG_E_ARGUMENT, "sampler is NULL", pvg_sampler_copy_config(&c, NULL));
    pvg_sampler_free(sampler);
    pvg_sampler_free(NULL);
}

static void refused(const char *part, pvg_sampler_config config) {
    pvg_sampler *sampler = (pvg_sampler *)1;
    config.size = sizeof config;
    PVGT_FAILS(PVG_E_ARGUMENT, part, pvg_sampler_new(&sampler, &config));
    TEST_ASSERT_NULL(sampler);
}

static void bad_settings_are_refused(void) {
    enum {
        FAN = PVG_CLASS_FAN_CACTUS,
        APEX = PVG_CLASS_APEX_FORESTS,
        WIDTH = PVG_CLASS_TREEWIDTH,
        CYCLES = PVG_CLASS_CYCLES,
        ALL = PVG_CLASS_ALL
    };
    refused("config->pattern_class is 7", (pvg_sampler_config){.pattern_class = 7});
    refused("config->pattern_class is -1", (pvg_sampler_config){.pattern_class = -1});
    refused("config->size_law is 4", (pvg_sampler_config){.size_law = 4});
    refused("config->allow_disconnected is 2",
            (pvg_sampler_config){.allow_disconnected = 2});
    refused("config->distinct is -1", (pvg_sampler_config){.distinct = -1});
    refused("config->reference_law is 2", (pvg_sampler_config){.reference_law = 2});
    refused("parameter has no meaning for class trees",
            (pvg_sampler_config){.parameter = 1});
    refused("config->parameter is 2, not in 3 .. 32",
            (pvg_sampler_config){.pattern_class = FAN, .parameter = 2});
    refused("config->parameter is 6, not in 1 .. 5",
            (pvg_sampler_config){.pattern_class = APEX, .parameter = 6});
    refused("config->parameter is 7, not in 1 .. 6",
            (pvg_sampler_config){.pattern_class = WIDTH, .parameter = 7});
    refused("width_min has no meaning", (pvg_sampler_config){.width_min = 1});
    refused("config->width_min is 3, not in 1 .. 2",
            (pvg_sampler_config){.pattern_class = WIDTH, .width_min = 3});
    refused("config->width_min is 7",
            (pvg_sampler_config){.pattern_class = ALL, .width_min = 7});
    refused("graph_order has no meaning", (pvg_sampler_config){.graph_order = 9});
    refused("config->graph_order is -1",
            (pvg_sampler_config){.pattern_class = ALL, .graph_order = -1});
    refused("reference_law has no meaning for class all",
            (pvg_sampler_config){.pattern_class = ALL, .reference_law = 1});
    refused("its own size_law", (pvg_sampler_config){.pattern_class = WIDTH,
                                                     .reference_law = 1,
                                                     .size_law = PVG_SIZE_UNIFORM});
    refused("allow_disconnected has no meaning for class cycles",
            (pvg_sampler_config){.pattern_class = CYCLES, .allow_disconnected = 1});
    refused("keep has no meaning for class trees", (pvg_sampler_config){.keep = 0.5});
    refused("extra has no meaning for class trees", (pvg_sampler_config){.extra = 0.5});
    refused("keep is not in (0, 1]",
            (pvg_sampler_config){.pattern_class = WIDTH, .keep = 1.5});
    refused("keep is not in (0, 1]",
            (pvg_sampler_config){.pattern_class = WIDTH, .keep = (double)NAN});
    refused("extra is not in (0, 1)",
            (pvg_sampler_config){.pattern_class = FAN, .extra = 1.0});
    refused("extra is not in (0, 1)",
            (pvg_sampler_config){.pattern_class = FAN, .extra = -0.5});
    refused("config->order_max is 33, not in 1 .. 32",
            (pvg_sampler_config){.order_max = 33});
    refused("config->order_max is 21, not in 1 .. 20",
            (pvg_sampler_config){.pattern_class = ALL, .order_max = 21});
    refused("config->order_max is 2, not in 3 .. 32",
            (pvg_sampler_config){.pattern_class = CYCLES, .order_max = 2});
    refused("config->order_min is -1", (pvg_sampler_config){.order_min = -1});
    refused("config->order_min is 9, not in 1 .. 8",
            (pvg_sampler_config){.order_min = 9, .order_max = 8});
    refused("config->order_typical is 4, not in 5 .. 1000",
            (pvg_sampler_config){.order_min = 5, .order_typical = 4});
    refused("config->order_typical is 1001", (pvg_sampler_config){.order_typical = 1001});

    struct {
        pvg_sampler_config known;
        uint64_t later;
    } newer = {.known = {.size = sizeof newer}, .later = 1};
    pvg_sampler *sampler = NULL;
    PVGT_FAILS(PVG_E_VERSION, "pvg_sampler_config",
               pvg_sampler_new(&sampler, &newer.known));
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL", pvg_sampler_new(NULL, NULL));
}

static void bad_sampler_names_are_refused(void) {
    static const char *const bad[] = {
        "",          "tree",        "trees2", "treewidthx",    "cycles3",
        "reference", "reference2x", "all1",   "treewidth0002", "treewidth 2"};
    pvg_sampler *sampler = (pvg_sampler *)1;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        sampler = (pvg_sampler *)1;
        PVGT_FAILS(PVG_E_ARGUMENT, "names no sampler",
                   pvg_sampler_from_name(&sampler, bad[i], NULL));
        TEST_ASSERT_NULL(sampler);
    }
    pvg_sampler_config config = {.size = sizeof config, .parameter = 2};
    PVGT_FAILS(PVG_E_ARGUMENT, "the number is 0",
               pvg_sampler_from_name(&sampler, "treewidth0", NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "config->parameter is 7",
               pvg_sampler_from_name(&sampler, "reference7", NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "come from name",
               pvg_sampler_from_name(&sampler, "treewidth2", &config));
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL", pvg_sampler_from_name(NULL, "trees", NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "name is NULL",
               pvg_sampler_from_name(&sampler, NULL, NULL));
}

static int32_t stop_at_once(void *context, double fraction) {
    (void)fraction;
    *(int *)context += 1;
    return 1;
}

static void drawing_is_repeatable_and_refuses(void) {
    pvg_sampler *sampler = NULL, *narrow = NULL;
    pvg_rng *rng = NULL, *twin = NULL;
    pvg_patterns *a = NULL, *b = NULL, *c = NULL;
    PVGT_OK(pvg_sampler_from_name(&sampler, "treewidth3", NULL));
    PVGT_OK(pvg_rng_new_seeded(&rng, 7));
    PVGT_OK(pvg_rng_new_seeded(&twin, 7));
    PVGT_OK(pvg_patterns_draw(&a, sampler, 40, rng, NULL));
    PVGT_OK(pvg_patterns_draw(&b, sampler, 40, twin, NULL));
    PVGT_OK(pvg_patterns_draw(&c, sampler, 40, twin, NULL));
    int64_t same = 0, other = 0;
    for (int64_t i = 0; i < 40; i++) {
        same += pvg_patterns_isomorphic(a, i, b, i);
        other += pvg_patterns_isomorphic(a, i, c, i);
    }
    TEST_ASSERT_EQUAL_INT64(40, same);
    TEST_ASSERT_LESS_THAN(30, other);
    pvg_patterns_free(a);
    pvg_patterns_free(b);
    pvg_patterns_free(c);
    PVGT_OK(pvg_patterns_draw(&a, sampler, 0, rng, NULL));
    TEST_ASSERT_EQUAL_INT64(0, pvg_patterns_count(a));
    pvg_patterns_free(a);

    a = (pvg_patterns *)1;
    PVGT_FAILS(PVG_E_ARGUMENT, "sampler is NULL",
               pvg_patterns_draw(&a, NULL, 1, rng, NULL));
    TEST_ASSERT_NULL(a);
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL",
               pvg_patterns_draw(NULL, sampler, 1, rng, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "rng is NULL",
               pvg_patterns_draw(&a, sampler, 1, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "count is negative",
               pvg_patterns_draw(&a, sampler, -1, rng, NULL));
    PVGT_FAILS(PVG_E_LIMIT, "count is above",
               pvg_patterns_draw(&a, sampler, PVG_PATTERN_COUNT_MAX + 1, rng, NULL));
    int calls = 0;
    const pvg_run run = {
        .size = sizeof run, .progress = stop_at_once, .progress_context = &calls};
    PVGT_FAILS(PVG_E_CANCELLED, "", pvg_patterns_draw(&a, sampler, 100000, rng, &run));
    TEST_ASSERT_NULL(a);
    TEST_ASSERT_EQUAL_INT(1, calls);

    /* two to four vertices: four trees, no fifth */
    pvg_sampler_config config = {.size = sizeof config, .distinct = 1, .order_max = 4};
    PVGT_OK(pvg_sampler_new(&narrow, &config));
    PVGT_OK(pvg_patterns_draw(&a, narrow, 4, rng, NULL));
    PVGT_OK(pvg_patterns_merge(&b, NULL, a));
    TEST_ASSERT_EQUAL_INT64(4, pvg_patterns_count(b));
    pvg_patterns_free(a);
    pvg_patterns_free(b);
    PVGT_FAILS(PVG_E_LIMIT, "only 4 distinct patterns",
               pvg_patterns_draw(&a, narrow, 5, rng, NULL));
    pvg_sampler_free(narrow);
    /* connected patterns that never come */
    config = (pvg_sampler_config){.size = sizeof config,
                                  .pattern_class = PVG_CLASS_TREEWIDTH,
                                  .parameter = 1,
                                  .order_min = 20,
                                  .keep = 0.01};
    PVGT_OK(pvg_sampler_new(&narrow, &config));
    PVGT_FAILS(PVG_E_LIMIT, "no connected pattern of order",
               pvg_patterns_draw(&a, narrow, 1, rng, NULL));
    pvg_sampler_free(narrow);
    config = (pvg_sampler_config){.size = sizeof config,
                                  .size_law = PVG_SIZE_POISSON,
                                  .order_typical = 1000,
                                  .order_max = 8};
    PVGT_OK(pvg_sampler_new(&narrow, &config));
    PVGT_FAILS(PVG_E_LIMIT, "no order up to 8",
               pvg_patterns_draw(&a, narrow, 1, rng, NULL));
    pvg_sampler_free(narrow);
    pvg_sampler_free(sampler);
    pvg_rng_free(rng);
    pvg_rng_free(twin);
}

static void cycles_come_as_whole_lists(void) {
    pvg_sampler *sampler = NULL;
    pvg_rng *rng = NULL;
    pvg_patterns *list = NULL;
    PVGT_OK(pvg_sampler_from_name(&sampler, "cycles", NULL));
    PVGT_OK(pvg_rng_new_seeded(&rng, 3));
    for (int32_t round = 0; round < 20; round++) {
        PVGT_OK(pvg_patterns_draw(&list, sampler, 1, rng, NULL));
        TEST_ASSERT_GREATER_THAN(0, pvg_patterns_count(list));
        for (int64_t i = 0; i < pvg_patterns_count(list); i++) {
            TEST_ASSERT_EQUAL_INT64(3 + i, pvg_patterns_order(list, i));
            TEST_ASSERT_TRUE(pvg_patterns_kinds(list, i) & PVG_KIND_CYCLE);
        }
        pvg_patterns_free(list);
    }
    pvg_sampler_free(sampler);
    const pvg_sampler_config config = {
        .size = sizeof config, .pattern_class = PVG_CLASS_CYCLES, .distinct = 1};
    PVGT_OK(pvg_sampler_new(&sampler, &config));
    PVGT_OK(pvg_patterns_draw(&list, sampler, 50, rng, NULL));
    for (int64_t i = 0; i < pvg_patterns_count(list); i++)
        TEST_ASSERT_EQUAL_INT64(3 + i, pvg_patterns_order(list, i));
    TEST_ASSERT_GREATER_THAN(8, pvg_patterns_count(list));
    pvg_patterns_free(list);
    pvg_sampler_free(sampler);
    pvg_rng_free(rng);
}

static void a_secure_generator_serves_too(void) {
    pvg_sampler *sampler = NULL;
    pvg_rng *rng = NULL;
    pvg_patterns *list = NULL;
    PVGT_OK(pvg_sampler_new(&sampler, NULL));
    PVGT_OK(pvg_rng_new_secure(&rng));
    PVGT_OK(pvg_patterns_draw(&list, sampler, 30, rng, NULL));
    TEST_ASSERT_EQUAL_INT64(30, pvg_patterns_count(list));
    pvg_patterns_free(list);
    pvg_rng_free(rng);
    pvg_sampler_free(sampler);
}

/* At least a quarter of the patterns has the largest treewidth: of what came out, not of
 * what was drawn first. */
static void a_share_is_wide(void) {
    pvg_sampler_config config = {.size = sizeof config, .wide_share = .25};
    pvg_sampler *sampler;
    pvg_patterns *list;
    pvg_rng *rng;
    PVGT_OK(pvg_rng_new_seeded(&rng, 8));
    static const char *const names[] = {"reference2", "reference3", "treewidth2",
                                        "treewidth3"};
    for (int i = 0; i < 4; i++)
        for (int distinct = 0; distinct < 2; distinct++) {
            const int32_t width = names[i][strlen(names[i]) - 1] - '0';
            config.distinct = distinct;
            PVGT_OK(pvg_sampler_from_name(&sampler, names[i], &config));
            PVGT_OK(pvg_patterns_draw(&list, sampler, 50, rng, NULL));
            int64_t wide = 0;
            for (int64_t k = 0; k < 50; k++) {
                const int64_t found = pvg_patterns_width(list, k);
                wide += found == width;
                TEST_ASSERT_TRUE(found <= width);
                TEST_ASSERT_TRUE(k >= 13 || found == width);
            }
            PVGT_CHECK(wide >= 13 && wide < 50, "%s: %d of 50", names[i], (int)wide);
            pvg_patterns_free(list);
            pvg_sampler_free(sampler);
        }
    config.wide_share = 1.5;
    PVGT_FAILS(PVG_E_ARGUMENT, "wide_share",
               pvg_sampler_from_name(&sampler, "treewidth2", &config));
    config.wide_share = .5;
    PVGT_FAILS(PVG_E_ARGUMENT, "wide_share has no meaning",
               pvg_sampler_from_name(&sampler, "trees", &config));
    pvg_rng_free(rng);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(sampler_defaults);
    RUN_TEST(bad_settings_are_refused);
    RUN_TEST(bad_sampler_names_are_refused);
    RUN_TEST(drawing_is_repeatable_and_refuses);
    RUN_TEST(cycles_come_as_whole_lists);
    RUN_TEST(a_secure_generator_serves_too);
    RUN_TEST(a_share_is_wide);
    return pvgt_end(UNITY_END());
}
