/* sensitivity under allocation failure. */
#include "support.h"

void setUp(void) {}
void tearDown(void) {}

static int32_t body(void *context) {
    const pvg_assumption assumption = {sizeof assumption, PVG_DEGREES_PROMISED, 50, 5, 0};
    double out[3] = {-1, -1, -1};
    int32_t status = pvg_sensitivity_edge(out, context, &assumption, NULL);
    if (status == PVG_OK) status = pvg_sensitivity_range(out, context, &assumption);
    if (status == PVG_OK)
        status = pvg_sensitivity_edge_published(out, context, &assumption);
    if (status == PVG_OK)
        status = pvg_sensitivity_smooth_exact(out, context, &assumption, NULL, 0.1, 3);
    if (status == PVG_OK)
        status = pvg_sensitivity_smooth_published(out, context, &assumption, 0.1, 3);
    return status;
}

static void bounds_survive_no_memory(void) {
    pvg_patterns *patterns;
    PVGT_OK(pvg_patterns_from_names(&patterns, "path5,cycle4,star3"));
    pvgt_oom_walk("pvg_sensitivity", body, patterns, 25);
    pvg_patterns_free(patterns);
}

static int32_t first_only(void *context) {
    const pvg_assumption assumption = {sizeof assumption, PVG_DEGREES_PROMISED, 50, 5, 0};
    double out[3] = {-1, -1, -1};
    const int32_t status = pvg_sensitivity_edge(out, context, &assumption, NULL);
    if (status != PVG_OK)
        for (int i = 0; i < 3; i++) TEST_ASSERT_EQUAL_DOUBLE(-1, out[i]);
    return status;
}

static void outputs_stay_untouched(void) {
    pvg_patterns *patterns;
    PVGT_OK(pvg_patterns_from_names(&patterns, "path5,cycle4,star3"));
    pvgt_oom_walk("pvg_sensitivity_edge", first_only, patterns, 5);
    pvg_patterns_free(patterns);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(bounds_survive_no_memory);
    RUN_TEST(outputs_stay_untouched);
    return pvgt_end(UNITY_END());
}
