/* rng under allocation failure: only the handles allocate. */
#include "support.h"

void setUp(void) {}
void tearDown(void) {}

static int32_t body(void *context) {
    pvg_rng *secure = (pvg_rng *)context, *seeded = secure, *split = secure;
    int64_t value = 0;
    int32_t status = pvg_rng_new_secure(&secure);
    if (status != PVG_OK) {
        TEST_ASSERT_NULL(secure);
        return status;
    }
    status = pvg_rng_new_seeded(&seeded, 1);
    if (status == PVG_OK) {
        status = pvg_rng_split(&split, seeded, 1);
        if (status == PVG_OK) {
            status = pvg_rng_draw_rounded_gaussian(&value, 1, 10, split);
            pvg_rng_free(split);
        } else {
            TEST_ASSERT_NULL(split);
        }
        pvg_rng_free(seeded);
    } else {
        TEST_ASSERT_NULL(seeded);
    }
    pvg_rng_free(secure);
    return status;
}

static void handles_survive_no_memory(void) {
    int anything = 0;
    pvgt_oom_walk("pvg_rng", body, &anything, 3);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(handles_survive_no_memory);
    return pvgt_end(UNITY_END());
}
