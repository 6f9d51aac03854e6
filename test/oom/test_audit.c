/* audit under allocation failure. */
#include "support.h"

void setUp(void) {}
void tearDown(void) {}

static int32_t play(void *context, int32_t world, int64_t run, double *score) {
    (void)context;
    *score = (double)(world + run % 3);
    return 0;
}

static int32_t game(void *context) {
    pvg_audit_verdict v = {.size = sizeof v, .runs = -5};
    (void)context;
    const int32_t status = pvg_audit_game(&v, play, NULL, 30, 0, 0.9, NULL);
    if (status != PVG_OK) TEST_ASSERT_EQUAL_INT64(-5, v.runs);
    return status;
}

static int32_t nearest(void *context) {
    const double rows[6] = {1, 2, 3, 4, 5, 6};
    double share = -1;
    (void)context;
    const int32_t status = pvg_audit_reidentify(&share, rows, rows, 3, 2, 1, NULL);
    if (status != PVG_OK) TEST_ASSERT_EQUAL_DOUBLE(-1, share);
    return status;
}

static void audits_survive_no_memory(void) {
    pvgt_oom_walk("pvg_audit_game", game, NULL, 2);
    pvgt_oom_walk("pvg_audit_reidentify", nearest, NULL, 1);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(audits_survive_no_memory);
    return pvgt_end(UNITY_END());
}
