/* perturb under allocation failure. */
#include "handles.h"
#include "support.h"

void setUp(void) {}
void tearDown(void) {}

static const pvg_target target = {.size = sizeof target, .epsilon = 1.0};

static int32_t labels_body(void *context) {
    pvg_perturber *perturber = context;
    pvg_release *release = context;
    pvg_curve *curve = context;
    char json[2048];
    size_t length;
    const int32_t values[3] = {0, 1, 2};
    pvg_labels *labels;
    int32_t status = pvg_labels_from_array(&labels, values, 3);
    if (status != PVG_OK) return status;
    status = pvgt_perturber_new_labels(&perturber, PVGT_LABELS(3), &target);
    if (status != PVG_OK) TEST_ASSERT_NULL(perturber);
    if (status == PVG_OK)
        status = pvg_guarantee_copy_json(json, sizeof json, &length,
                                         pvgt_perturber_guarantee(perturber));
    if (status == PVG_OK) {
        status = pvg_guarantee_curve(&curve, pvgt_perturber_guarantee(perturber));
        if (status != PVG_OK) TEST_ASSERT_NULL(curve);
        pvg_curve_free(curve);
    }
    if (status == PVG_OK) {
        pvg_rng *rng;
        status = pvg_rng_new_secure(&rng);
        if (status == PVG_OK) {
            status =
                pvgt_release_draw_labels(&release, perturber, labels, 0, rng, NULL, NULL);
            if (status != PVG_OK) TEST_ASSERT_NULL(release);
            pvg_release_free(release);
            pvg_rng_free(rng);
        }
    }
    pvgt_perturber_free(perturber);
    pvg_labels_free(labels);
    return status;
}

static void labels_survive(void) {
    static int dummy;
    pvgt_oom_walk("labels", labels_body, &dummy, 8);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(labels_survive);
    return pvgt_end(UNITY_END());
}
