/* pattern: every call that allocates, with each of its allocations failing once. */
#include "support.h"

#include <string.h>

void setUp(void) {}
void tearDown(void) {}

typedef struct {
    pvg_patterns *list;
    pvg_sampler *sampler;
} inputs;

/* Releases the result, or checks that there is none. */
static int32_t done(int32_t status, pvg_patterns *list) {
    if (status != PVG_OK) TEST_ASSERT_NULL(list);
    pvg_patterns_free(list);
    return status;
}

/* Wide patterns need the search table; more than sixteen make the builder grow. */
#define NAMES                                                                            \
    "biclique3x5,path3,cycle4,edge,path3,star3,cycle5,cycle6,cycle7,cycle8,cycle9,"      \
    "clique4,clique5,wheel5,path4,path5,path6,path7,path8,empty3"

static int32_t from_names(void *context) {
    pvg_patterns *list = (pvg_patterns *)1;
    (void)context;
    const int32_t status = pvg_patterns_from_names(&list, NAMES);
    return done(status, list);
}

static int32_t from_graph6(void *context) {
    static const char text[] = "C~\nDQc\n";
    pvg_patterns *list = (pvg_patterns *)1;
    (void)context;
    const int32_t status = pvg_patterns_from_graph6(&list, text, sizeof text - 1);
    return done(status, list);
}

static int32_t from_edges(void *context) {
    const int64_t order = 2, size = 1, u = 0, v = 1;
    pvg_patterns *list = (pvg_patterns *)1;
    (void)context;
    const int32_t status = pvg_patterns_from_edges(&list, &order, &size, 1, &u, &v);
    return done(status, list);
}

static int32_t concat(void *context) {
    const inputs *in = context;
    pvg_patterns *list = (pvg_patterns *)1;
    const int32_t status = pvg_patterns_concat(&list, in->list, in->list);
    return done(status, list);
}

static int32_t select_some(void *context) {
    const inputs *in = context;
    const int64_t indices[] = {1, 1, 0};
    pvg_patterns *list = (pvg_patterns *)1;
    const int32_t status = pvg_patterns_select(&list, in->list, indices, 3);
    return done(status, list);
}

static int32_t merge(void *context) {
    const inputs *in = context;
    int64_t group[32];
    pvg_patterns *list = (pvg_patterns *)1;
    for (int i = 0; i < 32; i++) group[i] = -7;
    const int32_t status = pvg_patterns_merge(&list, group, in->list);
    for (int i = 0; status != PVG_OK && i < 32; i++)
        TEST_ASSERT_EQUAL_INT64(-7, group[i]);
    return done(status, list);
}

static int32_t new_sampler(void *context) {
    pvg_sampler *sampler = (pvg_sampler *)1;
    (void)context;
    const int32_t status = pvg_sampler_new(&sampler, NULL);
    if (status != PVG_OK) TEST_ASSERT_NULL(sampler);
    pvg_sampler_free(sampler);
    return status;
}

static int32_t named_sampler(void *context) {
    pvg_sampler *sampler = (pvg_sampler *)1;
    (void)context;
    const int32_t status = pvg_sampler_from_name(&sampler, "reference2", NULL);
    if (status != PVG_OK) TEST_ASSERT_NULL(sampler);
    pvg_sampler_free(sampler);
    return status;
}

static int32_t draw(void *context) {
    const inputs *in = context;
    pvg_patterns *list = (pvg_patterns *)1;
    pvg_rng *rng = NULL;
    int32_t status = pvg_rng_new_seeded(&rng, 4);
    if (status != PVG_OK) return status;
    status = pvg_patterns_draw(&list, in->sampler, 20, rng, NULL);
    pvg_rng_free(rng);
    return done(status, list);
}

static void every_call_survives_no_memory(void) {
    inputs in = {0};
    pvg_sampler_config config = {.size = sizeof config,
                                 .pattern_class = PVG_CLASS_TREEWIDTH,
                                 .parameter = 3,
                                 .order_min = 6,
                                 .distinct = 1};
    PVGT_OK(pvg_patterns_from_names(&in.list, NAMES));
    PVGT_OK(pvg_sampler_new(&in.sampler, &config));
    pvgt_oom_walk("pvg_patterns_from_names", from_names, &in, 6);
    pvgt_oom_walk("pvg_patterns_from_graph6", from_graph6, &in, 4);
    pvgt_oom_walk("pvg_patterns_from_edges", from_edges, &in, 4);
    pvgt_oom_walk("pvg_patterns_concat", concat, &in, 4);
    pvgt_oom_walk("pvg_patterns_select", select_some, &in, 4);
    pvgt_oom_walk("pvg_patterns_merge", merge, &in, 6);
    pvgt_oom_walk("pvg_sampler_new", new_sampler, &in, 1);
    pvgt_oom_walk("pvg_sampler_from_name", named_sampler, &in, 1);
    pvgt_oom_walk("pvg_patterns_draw", draw, &in, 6);
    pvg_sampler_free(in.sampler);
    config =
        (pvg_sampler_config){.size = sizeof config, .pattern_class = PVG_CLASS_CYCLES};
    PVGT_OK(pvg_sampler_new(&in.sampler, &config));
    pvgt_oom_walk("pvg_patterns_draw, cycles", draw, &in, 4);
    pvg_sampler_free(in.sampler);
    pvg_patterns_free(in.list);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(every_call_survives_no_memory);
    return pvgt_end(UNITY_END());
}
