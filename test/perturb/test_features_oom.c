/* Perturbers of features, and smoothing, under allocation failure. */
#include "handles.h"
#include "support.h"

void setUp(void) {}
void tearDown(void) {}

typedef struct {
    pvg_features_config config;
    pvg_target target;
} setting;

static int32_t body(void *context) {
    const setting *s = context;
    const double values[6] = {0, 1, 0.5, 1, 1, 0}, low = 0, high = 1;
    pvg_perturber *perturber = context;
    pvg_release *release = context;
    pvg_features *features;
    pvg_rng *rng;
    int32_t status = pvg_features_from_dense(&features, 2, 3, values);
    if (status != PVG_OK) return status;
    status = pvgt_perturber_new_features(&perturber, &s->config, &s->target, &low, &high);
    if (status != PVG_OK) TEST_ASSERT_NULL(perturber);
    if (status == PVG_OK) {
        status = pvg_rng_new_secure(&rng);
        if (status == PVG_OK) {
            status = pvgt_release_draw_features(&release, perturber, features, 0, rng,
                                                NULL, NULL);
            if (status != PVG_OK) TEST_ASSERT_NULL(release);
            pvg_release_free(release);
            pvg_rng_free(rng);
        }
    }
    pvgt_perturber_free(perturber);
    pvg_features_free(features);
    return status;
}

static void features_survive(void) {
    setting s = {{.size = sizeof s.config, .columns = 3, .ranges = 1},
                 {.size = sizeof s.target, .epsilon = 1.0}};
    pvgt_oom_walk("bits", body, &s, 11);
    s.config.sparse = 1;
    pvgt_oom_walk("sparse bits", body, &s, 12);
    s.config.sparse = 0;
    s.config.method = PVG_FEATURES_NOISE;
    s.target.delta = 1e-6;
    pvgt_oom_walk("noise", body, &s, 14);
}

static int32_t kprop_body(void *context) {
    const double values[4] = {1, 2, 3, 4};
    double out[4] = {-1, -1, -1, -1};
    (void)context;
    pvg_graph *graph;
    int32_t status = pvg_graph_new_path(&graph, 4);
    if (status != PVG_OK) return status;
    status = pvg_kprop_graph(out, graph, values, 1, 2, NULL);
    for (int i = 0; i < 4; i++) TEST_ASSERT_TRUE(status == PVG_OK || out[i] == -1);
    pvg_graph_free(graph);
    return status;
}

static void smoothing_survives(void) {
    pvgt_oom_walk("kprop", kprop_body, NULL, 7);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(features_survive);
    RUN_TEST(smoothing_survives);
    return pvgt_end(UNITY_END());
}
