/* preview under allocation failure. */
#include "handles.h"
#include "support.h"

void setUp(void) {}
void tearDown(void) {}

static int32_t lines(void *context) {
    const pvg_target target = {.size = sizeof target, .epsilon = 1, .delta = 1e-6};
    const pvg_embedder_config config = {
        .size = sizeof config, .degrees = PVG_DEGREES_PROMISED, .degree_bound = 3};
    pvg_embedder *embedder = NULL;
    pvg_preview *t = NULL;
    size_t length;
    int32_t status = pvgt_embedder_new(&embedder, context, &config, &target, NULL, NULL);
    if (status == PVG_OK) status = pvgt_embedder_lines(&t, embedder, 10, NULL);
    pvgt_embedder_free(embedder);
    TEST_ASSERT_EQUAL((status == PVG_OK), (t != NULL));
    if (status == PVG_OK) status = pvg_preview_copy_json(NULL, 0, &length, t);
    pvg_preview_free(t);
    return status;
}

static int32_t answers(void *context) {
    const pvg_target target = {.size = sizeof target, .epsilon = 1};
    pvg_perturber *perturber = NULL;
    pvg_preview *t = NULL;
    size_t length;
    (void)context;
    int32_t status = pvgt_perturber_new_response(&perturber, NULL, &target);
    if (status == PVG_OK) status = pvgt_perturber_lines(&t, perturber, 10);
    pvgt_perturber_free(perturber);
    TEST_ASSERT_EQUAL((status == PVG_OK), (t != NULL));
    if (status == PVG_OK) status = pvg_preview_copy_name(NULL, 0, &length, t, 1);
    pvg_preview_free(t);
    return status;
}

static int32_t states(void *context) {
    const pvg_target target = {.size = sizeof target, .epsilon = 1, .delta = 1e-6};
    const pvg_layers_config config = {.size = sizeof config, .depth = 2};
    const pvg_assumption assumption = {.size = sizeof assumption, .order = 9};
    pvg_layers *layers = NULL;
    pvg_propagator *propagator = NULL;
    pvg_preview *t = NULL;
    (void)context;
    int32_t status = pvg_layers_new(&layers, &config, NULL, 0);
    if (status == PVG_OK)
        status = pvgt_propagator_new(&propagator, layers, &assumption, 2, NULL, &target);
    if (status == PVG_OK) status = pvgt_propagator_lines(&t, propagator);
    TEST_ASSERT_EQUAL((status == PVG_OK), (t != NULL));
    pvg_preview_free(t);
    pvgt_propagator_free(propagator);
    pvg_layers_free(layers);
    return status;
}

static int32_t members(void *context) {
    pvg_patterns *list = NULL;
    (void)context;
    const int32_t status = pvg_class_patterns(&list, PVG_CLASS_TREES, 0, 5);
    TEST_ASSERT_EQUAL((status == PVG_OK), (list != NULL));
    pvg_patterns_free(list);
    return status;
}

static int32_t advice(void *context) {
    const pvg_advice_config config = {.size = sizeof config, .epsilon = 1, .order = 100};
    size_t length;
    (void)context;
    return pvg_advice_copy_json(NULL, 0, &length, &config);
}

static void previews_survive_no_memory(void) {
    pvg_patterns *patterns = NULL;
    PVGT_OK(pvg_patterns_from_names(&patterns, "edge,path3,vertex"));
    pvgt_oom_walk("pvgt_embedder_lines", lines, patterns, 10);
    pvgt_oom_walk("pvg_class_patterns", members, NULL, 2);
    pvgt_oom_walk("pvgt_perturber_lines", answers, NULL, 4);
    pvgt_oom_walk("pvgt_propagator_lines", states, NULL, 6);
    pvgt_oom_walk("pvg_advice_copy_json", advice, NULL, 1);
    pvg_patterns_free(patterns);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(previews_survive_no_memory);
    return pvgt_end(UNITY_END());
}
