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
    double rows[24];
} ground;

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

static void attacks_survive_no_memory(void) {
    ground g = {0};
    for (int i = 0; i < 24; i++) g.rows[i] = i * i % 7;
    PVGT_OK(pvg_rng_new_seeded(&g.rng, 1));
    PVGT_OK(pvg_graph_new_path(&g.graph, 12));
    PVGT_OK(pvg_features_from_dense(&g.features, 12, 2, g.rows));
    pvgt_oom_walk("pvg_audit_auc", area, NULL, 2);
    pvgt_oom_walk("pvg_attack_links_custom", custom, &g, 10);
    pvgt_oom_walk("pvg_attack_links_rows", rows, &g, 20);
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
