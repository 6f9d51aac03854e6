/* network under allocation failure. */
#include "handles.h"
#include "support.h"
#include "training.h"

#include <privgraph-learn.h>

void setUp(void) {}
void tearDown(void) {}

enum { ORDER = 12, INPUTS = 5 };

static pvg_graph *graph;
static pvg_features *features;
static pvg_labels *labels;
static int32_t split[ORDER];

static void make_parts(void) {
    double dense[ORDER * INPUTS];
    int32_t classes[ORDER];
    for (int i = 0; i < ORDER * INPUTS; i++) dense[i] = (i * 7 % 11) / 10.;
    for (int i = 0; i < ORDER; i++) {
        classes[i] = i % 3;
        split[i] = (int32_t)(i % 4 == 3);
    }
    PVGT_OK(pvg_graph_new_cycle(&graph, ORDER));
    PVGT_OK(pvg_features_from_dense(&features, ORDER, INPUTS, dense));
    PVGT_OK(pvg_labels_from_array(&labels, classes, ORDER));
}

static int32_t build(pvg_dataset **out) {
    pvg_dataset_builder *builder = NULL;
    int32_t status = pvg_dataset_builder_new(&builder, ORDER);
    if (status == PVG_OK) status = pvg_dataset_builder_add_public_graph(builder, graph);
    if (status == PVG_OK)
        status = pvg_dataset_builder_add_public_features(builder, features);
    if (status == PVG_OK)
        status = pvg_dataset_builder_add_private_labels(builder, labels);
    if (status == PVG_OK) status = pvg_dataset_builder_set_split(builder, split, ORDER);
    if (status == PVG_OK) status = pvg_dataset_builder_finish(out, builder);
    pvg_dataset_builder_free(builder);
    return status;
}

static int32_t make_dataset(void *context) {
    pvg_dataset *data = NULL;
    (void)context;
    const int32_t status = build(&data);
    TEST_ASSERT_EQUAL((status == PVG_OK), (data != NULL));
    pvg_dataset_free(data);
    return status;
}

static int32_t make_graphs(void *context) {
    pvg_dataset_builder *builder = NULL;
    int32_t status = pvg_dataset_builder_new(&builder, pvg_graphset_order(context));
    if (status == PVG_OK)
        status = pvg_dataset_builder_add_public_graphset(builder, context);
    pvg_dataset_builder_free(builder);
    return status;
}

/* Windows of pairs, learnt in batches; weights of arcs. */
static int32_t learn_windows(void *context) {
    static const double links[ORDER * 3] = {1, 2};
    static const int32_t classes[ORDER] = {0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1};
    const pvg_training_config config = {
        .size = sizeof config, .epochs = 2, .batch = 2, .loss = PVG_LOSS_BINARY};
    pvg_dataset_builder *builder = NULL;
    pvg_dataset *data = NULL;
    pvg_network *network = NULL;
    pvg_model *model = NULL;
    pvg_labels *all = NULL;
    pvg_rng *rng = NULL;
    uint64_t bytes;
    (void)context;
    int32_t status = pvg_dataset_builder_new(&builder, ORDER);
    if (status == PVG_OK)
        status = pvg_dataset_builder_add_public_windows(builder, 3, 1, links, 3 * ORDER);
    if (status == PVG_OK) status = pvg_dataset_builder_add_public_graph(builder, graph);
    if (status == PVG_OK)
        status = pvg_dataset_builder_set_arc_weights(builder, links, 2 * ORDER,
                                                     PVG_ARCS_WEIGHTS);
    if (status == PVG_OK)
        status = pvg_dataset_builder_add_public_features(builder, features);
    if (status == PVG_OK) status = pvg_labels_from_array(&all, classes, ORDER);
    if (status == PVG_OK) status = pvg_dataset_builder_add_public_labels(builder, all);
    if (status == PVG_OK) status = pvg_dataset_builder_finish(&data, builder);
    if (status == PVG_OK)
        status = pvg_network_from_text(
            &network, "dense 4 | attend links | pairs 2 links cosine | dense 1", INPUTS,
            1);
    if (status == PVG_OK)
        status = pvg_network_memory_exact(&bytes, network, data, &config);
    if (status == PVG_OK) status = pvg_rng_new_seeded(&rng, 1);
    if (status == PVG_OK)
        status = pvg_model_train(&model, network, data, &config, NULL, rng, NULL);
    TEST_ASSERT_EQUAL((status == PVG_OK), (model != NULL));
    pvg_model_free(model);
    pvg_rng_free(rng);
    pvg_network_free(network);
    pvg_dataset_free(data);
    pvg_dataset_builder_free(builder);
    pvg_labels_free(all);
    return status;
}

static int32_t make_private_windows(void *context) {
    static const double links[ORDER * 2] = {1};
    pvg_dataset_builder *builder = NULL;
    (void)context;
    int32_t status = pvg_dataset_builder_new(&builder, ORDER);
    if (status == PVG_OK)
        status = pvg_dataset_builder_add_private_windows(builder, 2, 0, links, 2 * ORDER);
    pvg_dataset_builder_free(builder);
    return status;
}

static int32_t make_network(void *context) {
    pvg_network *network = NULL;
    (void)context;
    const int32_t status = pvg_network_from_text(&network, "dense 4 | gcn 3", 5, 3);
    pvg_network_free(network);
    return status;
}

static int32_t train(void *context) {
    const pvg_dataset *data = context;
    const pvg_training_config config = {.size = sizeof config,
                                        .epochs = 6,
                                        .check = 2,
                                        .folds = 2,
                                        .calibrate = 1,
                                        .target_rounds = 1};
    pvg_network *network = NULL;
    pvg_model *model = NULL;
    pvg_rng *rng = NULL;
    uint64_t bytes;
    double out[ORDER * INPUTS + 2 * ORDER], accuracy;
    int32_t status =
        pvg_network_from_text(&network, "drop .5 | gcn 4 relu | gat 3", INPUTS, 3);
    if (status == PVG_OK) status = pvg_rng_new_seeded(&rng, 1);
    if (status == PVG_OK)
        status = pvg_network_memory_exact(&bytes, network, data, &config);
    if (status == PVG_OK)
        status = pvg_model_train(&model, network, data, &config, NULL, rng, NULL);
    TEST_ASSERT_EQUAL((status == PVG_OK), (model != NULL));
    if (status == PVG_OK)
        status =
            pvg_model_predict_exact(out, model, data, PVG_PREDICT_PROBABILITIES, NULL);
    if (status == PVG_OK)
        status = pvg_model_score_exact(&accuracy, NULL, model, data, 1, NULL);
    pvg_model_free(model);
    pvg_rng_free(rng);
    pvg_network_free(network);
    return status;
}

static int32_t differentiate(void *context) {
    double to_features[ORDER * INPUTS], to_arcs[2 * ORDER];
    void **both = context;
    return pvg_model_gradient_exact(to_features, to_arcs, both[0], both[1], 2, 1, NULL);
}

/* A dataset with a released part, a model of it, a prediction as a release. */
static int32_t release(void *context) {
    const pvg_training_config config = {.size = sizeof config, .epochs = 2};
    pvg_dataset_builder *builder = NULL;
    pvg_dataset *data = NULL;
    pvg_network *network = NULL;
    pvg_model *model = NULL;
    pvg_release *prediction = NULL;
    pvg_guarantee *promise = NULL;
    pvg_rng *rng = NULL;
    int32_t status = pvg_dataset_builder_new(&builder, ORDER);
    if (status == PVG_OK)
        status = pvg_dataset_builder_add_released(builder, context, PVG_ROLE_STATES);
    if (status == PVG_OK) status = pvg_dataset_builder_add_public_labels(builder, labels);
    if (status == PVG_OK) status = pvg_dataset_builder_finish(&data, builder);
    if (status == PVG_OK) status = pvg_network_from_text(&network, "dense 3", INPUTS, 3);
    if (status == PVG_OK) status = pvg_rng_new_secure(&rng);
    if (status == PVG_OK)
        status = pvg_model_train(&model, network, data, &config, NULL, rng, NULL);
    if (status == PVG_OK)
        status =
            pvg_model_predict(&prediction, model, data, 0, PVG_NOTION_EDGE, NULL, NULL);
    if (status == PVG_OK)
        status = pvg_model_promise(&promise, model, PVG_NOTION_EDGE, NULL);
    if (status == PVG_OK) status = pvg_model_score(NULL, NULL, model, data, 0, NULL);
    pvg_guarantee_free(promise);
    pvg_release_free(prediction);
    pvg_model_free(model);
    pvg_rng_free(rng);
    pvg_network_free(network);
    pvg_dataset_free(data);
    pvg_dataset_builder_free(builder);
    return status;
}

/* A private training that a ledger pays for, and one that goes on. */
static int32_t train_privately(void *context) {
    const pvg_dpsgd_config config = {.size = sizeof config, .steps = 2};
    const pvg_target target = {.size = sizeof target, .parameter = .1};
    const pvg_ledger_config budget = {.size = sizeof budget,
                                      .notion = PVG_NOTION_NODE_REMOVED,
                                      .epsilon = 50,
                                      .delta = 1e-5};
    pvg_network *network = NULL;
    pvg_query *query = NULL, *on = NULL;
    pvg_model *model = NULL, *next = NULL;
    pvg_ledger *ledger = NULL;
    pvg_guarantee *promise = NULL, *alone = NULL, *own = NULL;
    pvg_rng *rng = NULL;
    int32_t status = pvg_network_from_text(&network, "dense 4 ln | dense 3", INPUTS, 3);
    if (status == PVG_OK) status = pvg_ledger_new(&ledger, &budget);
    if (status == PVG_OK) status = pvg_rng_new_secure(&rng);
    if (status == PVG_OK)
        status = pvg_query_new_training(&query, network, 9, &config, NULL, &target);
    if (status == PVG_OK)
        status = pvgt_train(&model, query, context, 4, rng, ledger, NULL);
    TEST_ASSERT_EQUAL((status == PVG_OK), (model != NULL));
    if (status == PVG_OK)
        status = pvg_query_new_training(&on, network, 9, &config, model, &target);
    if (status == PVG_OK) status = pvgt_train(&next, on, context, 4, rng, ledger, NULL);
    if (status == PVG_OK)
        status = pvg_model_promise(&promise, next, PVG_NOTION_NODE_REMOVED, NULL);
    if (status == PVG_OK)
        status = pvg_model_promise(&alone, model, PVG_NOTION_NODE_REMOVED, NULL);
    if (status == PVG_OK) status = pvg_model_training(&own, next);
    pvg_guarantee_free(own);
    pvg_guarantee_free(alone);
    pvg_guarantee_free(promise);
    pvg_model_free(model);
    pvg_model_free(next);
    pvg_query_free(query);
    pvg_query_free(on);
    pvg_ledger_free(ledger);
    pvg_rng_free(rng);
    pvg_network_free(network);
    return status;
}

/* Weights as layers, a propagator with them, and a dataset made with the model. */
static int32_t hand_on(void *context) {
    const pvg_assumption assumption = {.size = sizeof assumption, .order = ORDER};
    const pvg_target target = {.size = sizeof target, .parameter = 1};
    pvg_dataset_builder *builder = NULL;
    pvg_layers *layers = NULL;
    pvg_propagator *propagator = NULL;
    int32_t status = pvg_dataset_builder_new(&builder, ORDER);
    if (status == PVG_OK) status = pvg_dataset_builder_add_seen(builder, context);
    if (status == PVG_OK) status = pvg_layers_from_model(&layers, NULL, context);
    if (status == PVG_OK)
        status =
            pvgt_propagator_new(&propagator, layers, &assumption, INPUTS, NULL, &target);
    pvgt_propagator_free(propagator);
    pvg_layers_free(layers);
    pvg_dataset_builder_free(builder);
    return status;
}

static void hand_models_on(const pvg_release *states) {
    const pvg_training_config config = {.size = sizeof config, .epochs = 2};
    pvg_dataset_builder *builder;
    pvg_dataset *data;
    pvg_network *network;
    pvg_model *model;
    pvg_rng *rng;
    PVGT_OK(pvg_rng_new_secure(&rng));
    PVGT_OK(pvg_dataset_builder_new(&builder, ORDER));
    PVGT_OK(pvg_dataset_builder_add_released(builder, states, PVG_ROLE_STATES));
    PVGT_OK(pvg_dataset_builder_add_public_labels(builder, labels));
    PVGT_OK(pvg_dataset_builder_finish(&data, builder));
    PVGT_OK(pvg_network_from_text(&network, "dense 5 | dense 3", INPUTS, 3));
    PVGT_OK(pvg_model_train(&model, network, data, &config, NULL, rng, NULL));
    pvgt_oom_walk("windows", learn_windows, model, 40);
    pvgt_oom_walk("pvg_dataset_builder_add_private_windows", make_private_windows, model,
                  2);
    pvgt_oom_walk("pvg_layers_from_model", hand_on, model, 10);
    pvg_model_free(model);
    pvg_network_free(network);
    pvg_dataset_free(data);
    pvg_dataset_builder_free(builder);
    pvg_rng_free(rng);
}

/* Model files: what it has seen included. */
static int32_t store(void *context) {
    pvg_model *model = NULL;
    size_t length;
    int32_t status = pvg_model_save_exact("oom-model.pvgm", context);
    if (status == PVG_OK) status = pvg_model_load(&model, "oom-model.pvgm");
    TEST_ASSERT_EQUAL((status == PVG_OK), (model != NULL));
    if (status == PVG_OK) status = pvg_model_copy_seen_json(NULL, 0, &length, model);
    pvg_model_free(model);
    return status;
}

static pvg_release *draw_states(void) {
    const pvg_assumption assumption = {.size = sizeof assumption, .order = ORDER};
    const pvg_target target = {.size = sizeof target, .parameter = 1};
    pvg_layers *layers;
    pvg_propagator *propagator;
    pvg_release *states;
    pvg_rng *rng;
    PVGT_OK(pvg_rng_new_secure(&rng));
    PVGT_OK(pvg_layers_new(&layers, NULL, NULL, 0));
    PVGT_OK(pvgt_propagator_new(&propagator, layers, &assumption, INPUTS, NULL, &target));
    PVGT_OK(pvgt_release_draw_propagation(&states, propagator, graph, features, 1, rng,
                                          NULL, NULL));
    pvg_rng_free(rng);
    pvg_layers_free(layers);
    pvgt_propagator_free(propagator);
    return states;
}

static void networks_survive_no_memory(void) {
    pvg_dataset *data = NULL;
    pvg_graphset *set;
    pvg_network *network;
    pvg_model *model;
    pvg_rng *rng;
    const double zeta[] = {.2, .4};
    make_parts();
    PVGT_OK(pvg_rng_new_seeded(&rng, 2));
    PVGT_OK(pvg_graphset_draw_sbm(&set, 8, zeta, 2, 2, .5, rng, NULL));
    pvgt_oom_walk("pvg_dataset_builder_finish", make_dataset, NULL, 8);
    pvgt_oom_walk("pvg_dataset_builder_add_public_graphset", make_graphs, set, 4);
    pvgt_oom_walk("pvg_network_from_text", make_network, NULL, 3);
    PVGT_OK(build(&data));
    pvgt_oom_walk("pvg_model_train", train, data, 20);
    pvgt_oom_walk("private training", train_privately, data, 25);
    const pvg_training_config config = {.size = sizeof config, .epochs = 2};
    PVGT_OK(pvg_network_from_text(&network, "gcn 4 relu | gat 3", INPUTS, 3));
    PVGT_OK(pvg_model_train(&model, network, data, &config, NULL, rng, NULL));
    void *both[] = {model, data};
    pvgt_oom_walk("pvg_model_gradient_exact", differentiate, both, 3);
    pvg_release *states = draw_states();
    pvgt_oom_walk("pvg_model_predict", release, states, 25);
    pvgt_oom_walk("pvg_model_load", store, model, 8);
    hand_models_on(states);
    remove("oom-model.pvgm");
    pvg_release_free(states);
    pvg_model_free(model);
    pvg_network_free(network);
    pvg_dataset_free(data);
    pvg_graphset_free(set);
    pvg_rng_free(rng);
    pvg_graph_free(graph);
    pvg_features_free(features);
    pvg_labels_free(labels);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(networks_survive_no_memory);
    return pvgt_end(UNITY_END());
}
