/* Perturbed neighbour lists under allocation failure. */
#include "handles.h"
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
                pvgt_release_draw_graph(&release, perturber, graph, 0, rng, NULL, NULL);
            if (status != PVG_OK) TEST_ASSERT_NULL(release);
            pvg_release_free(release);
        }
        pvgt_perturber_free(perturber);
        pvg_rng_free(rng);
    }
    pvg_graph_free(graph);
    return status;
}

static int32_t dprr(pvg_perturber **out, int32_t reports) {
    const pvg_dprr_config config = {.size = sizeof config, .reports = reports};
    return pvgt_perturber_new_dprr(out, &config, &target);
}

static int32_t subset(pvg_perturber **out, int32_t lists) {
    const pvg_lists_config config = {.size = sizeof config, .lists = lists};
    return pvgt_perturber_new_subset(out, &config, &target);
}

static int32_t slots(pvg_perturber **out, int32_t kernel) {
    static const int32_t blocks[12] = {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 5};
    static double similarities[144];
    for (int i = 0; i < 144; i++) similarities[i] = i % 13 == 0;
    const pvg_slots_config config = {.size = sizeof config,
                                     .kernel = kernel,
                                     .order = 12,
                                     .lists = PVG_LISTS_WHOLE,
                                     .repeats = PVG_SLOTS_REPEATS_REDRAW};
    return pvgt_perturber_new_slots(out, &config, &target, kernel == 1 ? blocks : NULL,
                                    kernel == 2 ? similarities : NULL);
}

static int32_t blink(pvg_perturber **out, int32_t reports) {
    const pvg_blink_config config = {.size = sizeof config, .reports = reports};
    return pvgt_perturber_new_blink(out, &config, &target);
}

static int32_t graphprivatizer(pvg_perturber **out, int32_t strategy) {
    static double values[24];
    const pvg_graphprivatizer_config config = {.size = sizeof config,
                                               .strategy = strategy};
    pvg_features *features;
    for (int i = 0; i < 24; i++) values[i] = i % 5;
    const int32_t status = pvg_features_from_dense(&features, 12, 2, values);
    if (status != PVG_OK) {
        *out = NULL;
        return status;
    }
    const int32_t made =
        pvgt_perturber_new_graphprivatizer(out, &config, &target, features);
    pvg_features_free(features);
    return made;
}

static void baselines_survive(void) {
    for (int32_t kind = 0; kind < 2; kind++) {
        case_ c = {blink, kind}, g = {graphprivatizer, kind};
        pvgt_oom_walk("blink", body, &c, 8);
        pvgt_oom_walk("graphprivatizer", body, &g, 8);
    }
}

static void edge_set_ldp_survives(void) {
    for (int32_t lists = 0; lists < 2; lists++) {
        case_ c = {subset, lists};
        pvgt_oom_walk("subset", body, &c, 8);
    }
    for (int32_t kernel = 0; kernel < 3; kernel++) {
        case_ c = {slots, kernel};
        pvgt_oom_walk("slots", body, &c, 8);
    }
}

/* Long lists need scratch of their own. */
static int32_t long_lists(void *context) {
    pvg_release *release = context;
    pvg_perturber *perturber;
    pvg_graph *graph;
    pvg_rng *rng;
    int32_t status = pvg_graph_new_clique(&graph, 150);
    if (status != PVG_OK) return status;
    status = pvg_rng_new_secure(&rng);
    if (status == PVG_OK) {
        status = subset(&perturber, PVG_LISTS_OWNED);
        if (status == PVG_OK) {
            status =
                pvgt_release_draw_graph(&release, perturber, graph, 0, rng, NULL, NULL);
            if (status != PVG_OK) TEST_ASSERT_NULL(release);
            pvg_release_free(release);
            pvgt_perturber_free(perturber);
        }
        pvg_rng_free(rng);
    }
    pvg_graph_free(graph);
    return status;
}

static void long_lists_survive(void) {
    static int dummy;
    pvgt_oom_walk("long lists", long_lists, &dummy, 100);
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
    RUN_TEST(edge_set_ldp_survives);
    RUN_TEST(baselines_survive);
    RUN_TEST(long_lists_survive);
    return pvgt_end(UNITY_END());
}
