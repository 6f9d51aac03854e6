/* release under allocation failure. */
#include "handles.h"
#include "support.h"

#include <string.h>

void setUp(void) {}
void tearDown(void) {}

typedef struct {
    pvg_patterns *patterns;
    pvg_graphset *set;
    pvg_graph *graph;
    pvg_rng *rng;
    pvg_target target;
    int32_t degrees;
} world;

static int32_t body(void *context) {
    const world *w = context;
    const pvg_embedder_config config = {.size = sizeof config,
                                        .degrees = w->degrees,
                                        .degree_bound = w->degrees ? 3 : 0,
                                        .append_order = 1};
    const double weights[3] = {1, 2, 3};
    pvg_embedder *embedder = (pvg_embedder *)context;
    pvg_release *release = (pvg_release *)context;
    char text[4096] = "untouched";
    size_t length;
    int32_t status =
        pvgt_embedder_new(&embedder, w->patterns, &config, &w->target, weights, NULL);
    if (status != PVG_OK) {
        TEST_ASSERT_NULL(embedder);
        return status;
    }
    status = pvgt_release_draw_embeddings(&release, embedder, w->set, NULL, w->rng, NULL,
                                          NULL);
    if (status != PVG_OK) TEST_ASSERT_NULL(release);
    if (status == PVG_OK) {
        status = pvg_guarantee_copy_json(text, sizeof text, &length,
                                         pvg_release_guarantee(release));
        if (status != PVG_OK) TEST_ASSERT_EQUAL_STRING("untouched", text);
    }
    if (status == PVG_OK)
        status = pvg_guarantee_copy_text(text, sizeof text, &length,
                                         pvg_release_guarantee(release));
    if (status == PVG_OK) {
        pvg_curve *curve;
        status = pvg_guarantee_curve(&curve, pvg_release_guarantee(release));
        if (status == PVG_OK)
            pvg_curve_free(curve);
        else
            TEST_ASSERT_NULL(curve);
    }
    if (release) pvg_release_free(release);
    if (status == PVG_OK) {
        status = pvgt_release_draw_embedding(&release, embedder, w->graph, 1, w->rng,
                                             NULL, NULL);
        if (status == PVG_OK) pvg_release_free(release);
    }
    if (status == PVG_OK) {
        double scales[3];
        if (w->target.noise != PVG_NOISE_SMOOTH)
            status = pvgt_embedder_preview(NULL, NULL, scales, embedder, 20);
        if (status == PVG_OK && w->target.noise != PVG_NOISE_SMOOTH) {
            double covariance[9];
            status = pvgt_embedder_covariance(covariance, embedder, 20);
            if (status == PVG_OK) {
                const double row[4] = {0}, worlds[2][3] = {{0, 0, 0}, {0.1, 0.1, 0.1}};
                double score;
                status = pvgt_embedder_compare_exact(&score, row, 1, worlds[0], worlds[1],
                                                     embedder, 20);
            }
        }
    }
    pvgt_embedder_free(embedder);
    return status;
}

static int32_t one_call(void *context) {
    const world *w = context;
    pvg_release *release = (pvg_release *)context;
    const pvg_input input = {.size = sizeof input, .graph = w->graph};
    const int32_t status = pvg_release_draw_text(
        &release, "embed patterns=edge,path3 max-degree=4 epsilon=1", &input, NULL, NULL);
    if (status != PVG_OK) TEST_ASSERT_NULL(release);
    pvg_release_free(release);
    return status;
}

static void releases_survive_no_memory(void) {
    world w = {
        .target = {
            .size = sizeof w.target, .allow_seeded = 1, .epsilon = 1, .delta = 1e-6}};
    pvg_graphset_builder *builder;
    PVGT_OK(pvg_patterns_from_names(&w.patterns, "path3,cycle4,star3"));
    PVGT_OK(pvg_graph_new_cycle(&w.graph, 9));
    PVGT_OK(pvg_rng_new_seeded(&w.rng, 1));
    PVGT_OK(pvg_graphset_builder_new(&builder, 0));
    for (int i = 0; i < 3; i++)
        PVGT_OK(pvg_graphset_builder_add(builder, w.graph, -1, NULL, NULL));
    PVGT_OK(pvg_graphset_builder_finish(&w.set, builder));
    pvg_graphset_builder_free(builder);
    pvgt_oom_walk("one call", one_call, &w, 20);
    pvgt_oom_walk("gaussian", body, &w, 20);
    w.degrees = PVG_DEGREES_TRUNCATED;
    pvgt_oom_walk("truncated", body, &w, 20);
    pvg_patterns *mixed = w.patterns; /* trees alone get an ellipsoid */
    PVGT_OK(pvg_patterns_from_names(&w.patterns, "path3,edge,star3"));
    pvgt_oom_walk("ellipsoid", body, &w, 20);
    pvg_patterns_free(w.patterns);
    w.patterns = mixed;
    w.degrees = PVG_DEGREES_PROMISED;
    w.target.noise = PVG_NOISE_SMOOTH, w.target.beta = 0.005;
    pvgt_oom_walk("smooth", body, &w, 20);
    pvg_patterns_free(w.patterns);
    pvg_graph_free(w.graph);
    pvg_graphset_free(w.set);
    pvg_rng_free(w.rng);
}

typedef struct {
    pvg_graph *graph;
    pvg_features *features;
    pvg_layers *layers;
    pvg_rng *rng;
    pvg_assumption assumption;
    int32_t method;
} passing;

static int32_t propagate(void *context) {
    const passing *w = context;
    const pvg_target target = {
        .size = sizeof target, .allow_seeded = 1, .epsilon = 1, .delta = 1e-6};
    const pvg_propagator_config config = {.size = sizeof config, .method = w->method};
    pvg_propagator *propagator = (pvg_propagator *)context;
    pvg_release *release = (pvg_release *)context;
    int32_t status =
        pvgt_propagator_new(&propagator, w->layers, &w->assumption, 2, &config, &target);
    if (status != PVG_OK) {
        TEST_ASSERT_NULL(propagator);
        return status;
    }
    status = pvgt_release_draw_propagation(&release, propagator, w->graph, w->features, 1,
                                           w->rng, NULL, NULL);
    if (status == PVG_OK)
        pvg_release_free(release);
    else
        TEST_ASSERT_NULL(release);
    pvgt_propagator_free(propagator);
    return status;
}

static void message_passing_survives_no_memory(void) {
    const double x[16] = {1, 0, 0, 1, 2, 1}, weights[8] = {0.5, 0, 0, 0.5, 1, 0, 0, 1};
    const pvg_layers_config config = {.size = sizeof config, .depth = 2, .residual = 1};
    passing w = {.assumption = {.size = sizeof w.assumption,
                                .degrees = PVG_DEGREES_TRUNCATED,
                                .order = 8,
                                .degree_bound = 2}};
    PVGT_OK(pvg_graph_new_star(&w.graph, 8));
    PVGT_OK(pvg_features_from_dense(&w.features, 8, 2, x));
    PVGT_OK(pvg_layers_new(&w.layers, &config, weights, 2));
    PVGT_OK(pvg_rng_new_seeded(&w.rng, 1));
    for (w.method = 0; w.method <= PVG_PROPAGATION_HOPS; w.method++)
        pvgt_oom_walk("pvgt_release_draw_propagation", propagate, &w, 10);
    pvg_graph_free(w.graph);
    pvg_features_free(w.features);
    pvg_layers_free(w.layers);
    pvg_rng_free(w.rng);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(releases_survive_no_memory);
    RUN_TEST(message_passing_survives_no_memory);
    return pvgt_end(UNITY_END());
}
