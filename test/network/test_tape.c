/* What a tape takes: tensors whose stages do not meet share memory. */
#include "support.h"

#include <privgraph-learn.h>

void setUp(void) {}
void tearDown(void) {}

enum { ORDER = 180, INPUTS = 12, CLASSES = 3 };

static pvg_dataset *make_ring(int64_t count) {
    int64_t sources[ORDER], targets[ORDER];
    static double dense[ORDER * INPUTS];
    int32_t classes[ORDER];
    pvg_dataset_builder *builder;
    pvg_features *features;
    pvg_labels *labels;
    pvg_graph *graph;
    pvg_dataset *data;
    for (int v = 0; v < ORDER; v++) {
        sources[v] = v;
        targets[v] = (v + 1) % ORDER;
        classes[v] = (int32_t)(v % count);
        dense[v * INPUTS + v % INPUTS] = 1;
    }
    PVGT_OK(pvg_graph_from_edges(&graph, ORDER, sources, targets, ORDER, PVG_EDGES_STRICT,
                                 NULL));
    PVGT_OK(pvg_features_from_dense(&features, ORDER, INPUTS, dense));
    PVGT_OK(pvg_labels_from_array(&labels, classes, ORDER));
    PVGT_OK(pvg_dataset_builder_new(&builder, ORDER));
    PVGT_OK(pvg_dataset_builder_add_public_graph(builder, graph));
    PVGT_OK(pvg_dataset_builder_add_public_features(builder, features));
    PVGT_OK(pvg_dataset_builder_add_public_labels(builder, labels));
    PVGT_OK(pvg_dataset_builder_finish(&data, builder));
    pvg_dataset_builder_free(builder);
    pvg_labels_free(labels);
    pvg_features_free(features);
    pvg_graph_free(graph);
    return data;
}

/* A layer more keeps one tensor for the way back; its product and both gradients lie
 * where others lay before. */
static void a_layer_keeps_one_tensor(void) {
    static const char *const texts[] = {
        "gcn 32 relu | gcn 32 relu | gcn classes",
        "gcn 32 relu | gcn 32 relu | gcn 32 relu | gcn 32 relu | gcn 32 relu | gcn 32 "
        "relu | gcn classes"};
    const uint64_t layer = 32 * 32 + 32, tensor = ORDER * 32 * sizeof(float);
    /* weights, gradient, two moments, the best, 32 partial sums; weights transposed */
    const uint64_t weights = (layer * (5 + 32) + 32 * 32) * sizeof(float);
    pvg_dataset *data = make_ring(CLASSES);
    uint64_t bytes[2];
    for (int i = 0; i < 2; i++) {
        pvg_network *network;
        PVGT_OK(pvg_network_from_text(&network, texts[i], INPUTS, CLASSES));
        PVGT_OK(pvg_network_memory_exact(&bytes[i], network, data, NULL));
        pvg_network_free(network);
    }
    const uint64_t more = (bytes[1] - bytes[0]) / 4;
    PVGT_CHECK(more > weights && more - weights < tensor + tensor / 2,
               "%llu bytes a layer, weights %llu, a tensor %llu",
               (unsigned long long)more, (unsigned long long)weights,
               (unsigned long long)tensor);
    pvg_dataset_free(data);
}

/* Without weights there is nothing to learn, and nothing breaks. */
static void a_network_without_weights_trains(void) {
    const pvg_training_config config = {.size = sizeof config, .epochs = 3};
    pvg_dataset *data = make_ring(INPUTS);
    pvg_network *network;
    pvg_model *model;
    pvg_rng *rng;
    PVGT_OK(pvg_network_from_text(&network, "kprop 2", INPUTS, INPUTS));
    PVGT_OK(pvg_rng_new_seeded(&rng, 1));
    PVGT_OK(pvg_model_train(&model, network, data, &config, NULL, rng, NULL));
    TEST_ASSERT_EQUAL_INT64(0, pvg_model_parameters(model));
    pvg_model_free(model);
    pvg_network_free(network);
    pvg_dataset_free(data);
    pvg_rng_free(rng);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(a_layer_keeps_one_tensor);
    RUN_TEST(a_network_without_weights_trains);
    return pvgt_end(UNITY_END());
}
