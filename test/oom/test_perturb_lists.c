/* Perturbed neighbour lists under allocation failure. */
#include "support.h"

void setUp(void) {}
void tearDown(void) {}

static const pvg_target target = {.size = sizeof target, .epsilon = 1.0};

typedef int32_t (*make_fn)(pvg_perturber **out, int32_t kind);

typedef struct {
    make_fn make;
    int32_t kind;
} case_;

static int32_t body(void *context) {
    const case_ *c = context;
    pvg_perturber *perturber = context;
    pvg_release *release = context;
    pvg_graph *graph;
    pvg_rng *rng;
    int32_t status = pvg_graph_new_cycle(&graph, 12);
    if (status != PVG_OK) return status;
    status = pvg_rng_new_secure(&rng);
    if (status == PVG_OK) {
        status = c->make(&perturber, c->kind);
        if (status != PVG_OK) TEST_ASSERT_NULL(perturber);
        if (status == PVG_OK) {
            status =
                pvg_release_draw_graph(&release, perturber, graph, 0, rng, NULL, NULL);
            if (status != PVG_OK) TEST_ASSERT_NULL(release);
            pvg_release_free(release);
        }
        pvg_perturber_free(perturber);
        pvg_rng_free(rng);
    }
    pvg_graph_free(graph);
    return status;
}

static int32_t dprr(pvg_perturber **out, int32_t reports) {
    const pvg_dprr_config config = {.size = sizeof config, .reports = reports};
    return pvg_perturber_new_dprr(out, &config, &target);
}

static void dprr_survives(void) {
    for (int32_t reports = 0; reports < 3; reports++) {
        case_ c = {dprr, reports};
        pvgt_oom_walk("dprr", body, &c, 8);
    }
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(dprr_survives);
    return pvgt_end(UNITY_END());
}
