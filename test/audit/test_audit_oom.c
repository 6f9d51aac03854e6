/* audit under allocation failure. */
#include "handles.h"
#include "support.h"

#include <privgraph-learn.h>

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

static int32_t area(void *context) {
    const double up[3] = {1, 2, 3}, down[2] = {0, 2};
    double auc = -1, low, high;
    (void)context;
    const int32_t status = pvg_audit_auc(&auc, &low, &high, up, 3, down, 2, .95);
    if (status != PVG_OK) TEST_ASSERT_EQUAL_DOUBLE(-1, auc);
    return status;
}

static int32_t count_up(void *context, double *scores, const int64_t *first,
                        const int64_t *second, int64_t count) {
    (void)context;
    for (int64_t i = 0; i < count; i++) scores[i] = (double)(first[i] + second[i]);
    return 0;
}

/* What attacks need: a path of 12 nodes and numbers about them. */
typedef struct {
    pvg_graph *graph;
    pvg_features *features;
    pvg_rng *rng;
    pvg_dataset *data;
    pvg_network *network;
    pvg_model *model;
    pvg_release *states, *graph_release;
    int32_t half[12];
    double rows[24];
} ground;

static const pvg_attack_config few = {.size = sizeof few, .draws = 2, .positives = 4};

static int32_t freed(pvg_attack *a, int32_t status) {
    if (status != PVG_OK) TEST_ASSERT_NULL(a);
    pvg_attack_free(a);
    return status;
}

static int32_t influence(void *context) {
    const ground *g = context;
    const pvg_attack_config whole = {
        .size = sizeof whole, .draws = 2, .positives = 2, .black_box = 1};
    pvg_attack *a = NULL;
    int32_t status =
        pvg_attack_links_influence(&a, g->model, g->data, g->graph, &few, g->rng, NULL);
    if (freed(a, status) != PVG_OK) return status;
    a = NULL;
    status = pvg_attack_links_influence_exact(&a, g->model, g->data, g->graph, &whole,
                                              g->rng, NULL);
    return freed(a, status);
}

static int32_t released(void *context) {
    const ground *g = context;
    pvg_attack *a = NULL;
    int32_t status =
        pvg_attack_links_states(&a, g->states, g->rows, 1, g->graph, &few, g->rng, NULL);
    if (freed(a, status) != PVG_OK) return status;
    a = NULL;
    status = pvg_attack_links_release(&a, g->graph_release, g->graph, &few, g->rng, NULL);
    return freed(a, status);
}

static int32_t learned(void *context) {
    const ground *g = context;
    pvg_attack *a = NULL;
    const pvg_attack_config config = {.size = sizeof config,
                                      .draws = 2,
                                      .pairs = PVG_PAIRS_DIRECTIONS,
                                      .features = g->features};
    const int32_t status = pvg_attack_links_learned(&a, g->rows, 2, g->half, g->graph,
                                                    &config, g->rng, NULL);
    return freed(a, status);
}

static int32_t members(void *context) {
    const ground *g = context;
    pvg_attack *a = NULL;
    const pvg_training_config once = {.size = sizeof once, .epochs = 1};
    const pvg_attack_config config = {
        .size = sizeof config, .draws = 2, .per_class = 2, .published = 1};
    int32_t status =
        pvg_attack_membership(&a, g->network, g->data, &once, &config, g->rng, NULL);
    return freed(a, status);
}

static int32_t values(void *context) {
    const ground *g = context;
    pvg_attack *a = NULL;
    const int32_t status =
        pvg_attack_values(&a, g->rows, g->features, &few, g->rng, NULL);
    return freed(a, status);
}

static int32_t ceiling(void *context) {
    const ground *g = context;
    double auc, rate;
    return pvg_audit_ceiling_guarantee(&auc, &rate, pvg_release_guarantee(g->states),
                                       .01);
}

static int32_t custom(void *context) {
    const ground *g = context;
    pvg_attack *a = NULL;
    const int32_t status =
        pvg_attack_links_custom(&a, count_up, NULL, g->graph, NULL, g->rng, NULL);
    pvg_attack_free(a);
    return status;
}

static int32_t rows(void *context) {
    const ground *g = context;
    const pvg_attack_config config = {.size = sizeof config,
                                      .draws = 3,
                                      .features = g->features,
                                      .posteriors = g->rows,
                                      .posterior_columns = 2,
                                      .positions = g->rows,
                                      .known = g->graph,
                                      .rows = g->rows,
                                      .row_columns = 1};
    pvg_attack *a = NULL;
    int32_t status =
        pvg_attack_links_rows(&a, g->rows, 2, g->graph, &config, g->rng, NULL);
    pvg_attack_free(a);
    a = NULL;
    if (status == PVG_OK)
        status =
            pvg_attack_links_posteriors(&a, g->rows, 2, g->graph, &config, g->rng, NULL);
    pvg_attack_free(a);
    return status;
}

static void make_models(ground *g) {
    static const int32_t classes[12] = {0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1};
    const pvg_training_config once = {.size = sizeof once, .epochs = 1};
    const pvg_target target = {.size = sizeof target, .epsilon = 1, .allow_seeded = 1};
    const pvg_histogram_config histogram = {
        .size = sizeof histogram, .order = 12, .kinds = 1};
    pvg_dataset_builder *builder = NULL;
    pvg_labels *labels = NULL;
    pvg_perturber *perturber = NULL;
    pvg_statistic *statistic = NULL;
    for (int v = 0; v < 12; v++) g->half[v] = v < 6;
    PVGT_OK(pvg_labels_from_array(&labels, classes, 12));
    PVGT_OK(pvg_dataset_builder_new(&builder, 12));
    PVGT_OK(pvg_dataset_builder_add_public_graph(builder, g->graph));
    PVGT_OK(pvg_dataset_builder_add_public_features(builder, g->features));
    PVGT_OK(pvg_dataset_builder_add_public_labels(builder, labels));
    PVGT_OK(pvg_dataset_builder_finish(&g->data, builder));
    PVGT_OK(pvg_network_from_text(&g->network, "gcn 2 relu | gcn classes", 2, 2));
    PVGT_OK(pvg_model_train(&g->model, g->network, g->data, &once, NULL, g->rng, NULL));
    PVGT_OK(pvgt_perturber_new_response(&perturber, NULL, &target));
    PVGT_OK(pvgt_release_draw_graph(&g->graph_release, perturber, g->graph, 0, g->rng,
                                    NULL, NULL));
    PVGT_OK(pvgt_statistic_new_histogram(&statistic, &histogram, &target, NULL));
    PVGT_OK(pvgt_release_draw_statistic(&g->states, statistic, g->graph, 0, g->rng, NULL,
                                        NULL));
    pvgt_statistic_free(statistic);
    pvgt_perturber_free(perturber);
    pvg_labels_free(labels);
    pvg_dataset_builder_free(builder);
}

static int32_t rebuild(void *context) {
    enum { ORDER = 60 };
    static double numbers[ORDER];
    const pvg_reconstruct_config small = {.size = sizeof small,
                                          .diffusion = 1,
                                          .window = 3,
                                          .windows = 2,
                                          .tests = 2,
                                          .cuts = 1,
                                          .hidden = 2,
                                          .steps = 1,
                                          .batch = 2};
    pvg_reconstruction *r = context;
    pvg_graph *path = NULL;
    pvg_rng *rng = NULL;
    for (int i = 0; i < ORDER; i++) numbers[i] = i * i % 7;
    int32_t status = pvg_graph_new_path(&path, ORDER);
    if (status == PVG_OK) status = pvg_rng_new_seeded(&rng, 1);
    if (status == PVG_OK) {
        status =
            pvg_attack_reconstruct(&r, numbers, 1, numbers, 1, path, &small, rng, NULL);
        TEST_ASSERT_EQUAL(status == PVG_OK, r != NULL);
        pvg_reconstruction_free(r);
    }
    pvg_rng_free(rng);
    pvg_graph_free(path);
    return status;
}

static void attacks_survive_no_memory(void) {
    ground g = {0};
    for (int i = 0; i < 24; i++) g.rows[i] = i * i % 7;
    PVGT_OK(pvg_rng_new_seeded(&g.rng, 1));
    PVGT_OK(pvg_graph_new_path(&g.graph, 12));
    PVGT_OK(pvg_features_from_dense(&g.features, 12, 2, g.rows));
    make_models(&g);
    pvgt_oom_walk("pvg_attack_links_influence", influence, &g, 20);
    pvgt_oom_walk("pvg_attack_links_states", released, &g, 20);
    pvgt_oom_walk("pvg_attack_links_learned", learned, &g, 20);
    pvgt_oom_walk("pvg_attack_membership", members, &g, 20);
    pvgt_oom_walk("pvg_attack_values", values, &g, 10);
    pvgt_oom_walk("pvg_audit_ceiling_guarantee", ceiling, &g, 1);
    pvgt_oom_walk("pvg_audit_auc", area, NULL, 2);
    pvgt_oom_walk("pvg_attack_links_custom", custom, &g, 10);
    pvgt_oom_walk("pvg_attack_links_rows", rows, &g, 20);
    pvgt_oom_walk("pvg_attack_reconstruct", rebuild, NULL, 40);
    pvg_model_free(g.model);
    pvg_network_free(g.network);
    pvg_dataset_free(g.data);
    pvg_release_free(g.states);
    pvg_release_free(g.graph_release);
    pvg_rng_free(g.rng);
    pvg_graph_free(g.graph);
    pvg_features_free(g.features);
}

static void audits_survive_no_memory(void) {
    pvgt_oom_walk("pvg_audit_game", game, NULL, 2);
    pvgt_oom_walk("pvg_audit_reidentify", nearest, NULL, 1);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(audits_survive_no_memory);
    RUN_TEST(attacks_survive_no_memory);
    return pvgt_end(UNITY_END());
}
