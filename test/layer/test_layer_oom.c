/* layer under allocation failure. */
#include "support.h"

void setUp(void) {}
void tearDown(void) {}

static int32_t stack(void *context) {
    const double weights[] = {1, 2, 3, 4, 5, 6, 7, 8};
    const pvg_layers_config config = {.size = sizeof config, .depth = 2};
    pvg_layers *layers = NULL;
    const int32_t status =
        pvg_layers_new(&layers, &config, context ? weights : NULL, context ? 2 : 0);
    TEST_ASSERT_EQUAL((status == PVG_OK), (layers != NULL));
    pvg_layers_free(layers);
    return status;
}

static void layers_survive_no_memory(void) {
    int with = 1;
    pvgt_oom_walk("pvg_layers_new", stack, NULL, 2);
    pvgt_oom_walk("pvg_layers_new with weights", stack, &with, 7);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(layers_survive_no_memory);
    return pvgt_end(UNITY_END());
}
