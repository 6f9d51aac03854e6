/* learn under allocation failure. */
#include "support.h"

#include <privgraph-learn.h>

void setUp(void) {}
void tearDown(void) {}

static const double x[8] = {1, 0, 0, 1, 1, 1, 0, 0};
static const int32_t labels[4] = {0, 1, 1, -1};
static const double prior[8] = {0.5, 0.5, 0.4, 0.6, 0.5, 0.5, 0.7, 0.3};

static int32_t logistic_body(void *context) {
    const pvg_logistic_config config = {.size = sizeof config, .classes = 2, .rounds = 3};
    pvg_logistic *model = context;
    double p[8];
    int32_t status = pvg_logistic_fit(&model, &config, x, labels, 4, 2, NULL);
    if (status != PVG_OK) TEST_ASSERT_NULL(model);
    if (status == PVG_OK) status = pvg_logistic_predict(p, model, x, 4, NULL);
    pvg_logistic_free(model);
    return status;
}

static int32_t directions_body(void *context) {
    pvg_features *features;
    double out[4];
    (void)context;
    int32_t status = pvg_features_from_dense(&features, 4, 2, x);
    if (status != PVG_OK) return status;
    status = pvg_directions_project(out, features, 1, NULL);
    pvg_features_free(features);
    return status;
}

static int32_t classify_body(void *context) {
    const pvg_posterior_config config = {
        .size = sizeof config, .classes = 2, .checks = labels};
    const pvg_target target = {.size = sizeof target, .epsilon = 1.0};
    pvg_release *first = context, *second = context;
    pvg_graph *graph;
    pvg_rng *rng;
    double out[8];
    int32_t status = pvg_graph_new_cycle(&graph, 4);
    if (status != PVG_OK) return status;
    status = pvg_rng_new_secure(&rng);
    if (status == PVG_OK) {
        status = pvg_classify_nodes(out, &first, &second, graph, prior, labels, &config,
                                    0.4, &target, 0, rng, NULL, NULL);
        /* what was drawn is there, whatever came after it */
        TEST_ASSERT_TRUE(status != PVG_OK || (first && second));
        TEST_ASSERT_TRUE(first || !second);
        pvg_release_free(first);
        pvg_release_free(second);
        pvg_rng_free(rng);
    }
    pvg_graph_free(graph);
    return status;
}

/* Failures after something was paid for: it must be handed back. */
static int handed_back;

static int32_t recipe_with(int32_t kind) {
    const pvg_recipe_config config = {.size = sizeof config,
                                      .recipe = kind,
                                      .classes = 2,
                                      .hidden = 2,
                                      .averages = 1,
                                      .checks = labels};
    const bool pure = kind == PVG_RECIPE_HISTOGRAM || kind == PVG_RECIPE_RESPONSE;
    const pvg_target target = {
        .size = sizeof target, .epsilon = 1.0, .delta = pure ? 0.0 : 1e-6};
    pvg_release *release = NULL;
    pvg_model *model = NULL;
    pvg_features *features = NULL;
    pvg_graph *graph = NULL;
    pvg_rng *rng = NULL;
    double out[8];
    int32_t status = pvg_graph_new_cycle(&graph, 4);
    if (status == PVG_OK) status = pvg_features_from_dense(&features, 4, 2, x);
    if (status == PVG_OK) status = pvg_rng_new_secure(&rng);
    if (status == PVG_OK) {
        status = pvg_recipe_learn(out, NULL, &release, graph, features, labels, &config,
                                  &target, 0, rng, NULL, NULL);
        handed_back += status != PVG_OK && release;
    }
    if (status == PVG_OK)
        status = pvg_recipe_learn_exact(out, graph, features, labels, &config, rng, NULL);
    if (status == PVG_OK && kind == PVG_RECIPE_HISTOGRAM)
        status = pvg_recipe_rows(out, &model, release, labels, &config, rng, NULL);
    if (status == PVG_OK && kind == PVG_RECIPE_HISTOGRAM)
        status = pvg_recipe_rows_exact(out, x, 4, 2, labels, &config, rng, NULL);
    pvg_model_free(model);
    pvg_release_free(release);
    pvg_rng_free(rng);
    pvg_features_free(features);
    pvg_graph_free(graph);
    return status;
}
static int32_t histogram_body(void *context) {
    (void)context;
    return recipe_with(PVG_RECIPE_HISTOGRAM);
}
static int32_t hops_body(void *context) {
    (void)context;
    return recipe_with(PVG_RECIPE_GAP);
}
static int32_t response_body(void *context) {
    (void)context;
    return recipe_with(PVG_RECIPE_RESPONSE);
}

static int32_t users_body(void *context) {
    static const int32_t parts[4] = {0, 0, 1, 2};
    const pvg_users_config config = {.size = sizeof config,
                                     .classes = 2,
                                     .rounds = 1,
                                     .list_epsilon = 1.0,
                                     .feature_epsilon = 1.0,
                                     .label_epsilon = 1.0,
                                     .parts = parts};
    pvg_release *drawn[3] = {NULL, NULL, NULL};
    pvg_model *model = NULL;
    (void)context;
    pvg_features *features = NULL;
    pvg_labels *all = NULL;
    pvg_graph *graph = NULL;
    pvg_rng *rng = NULL;
    double out[8];
    int32_t status = pvg_graph_new_cycle(&graph, 4);
    if (status == PVG_OK) status = pvg_features_from_dense(&features, 4, 2, x);
    if (status == PVG_OK) status = pvg_labels_from_array(&all, labels, 4);
    if (status == PVG_OK) status = pvg_rng_new_secure(&rng);
    if (status == PVG_OK) {
        status =
            pvg_recipe_users(out, NULL, &model, &drawn[0], &drawn[1], &drawn[2], graph,
                             features, all, &config, 0, rng, NULL, NULL, NULL, NULL);
        if (status == PVG_OK)
            status = pvg_recipe_users_exact(out, NULL, graph, features, all, &config, rng,
                                            NULL);
        pvg_model_free(model);
        model = NULL;
        if (status == PVG_OK)
            status = pvg_recipe_users_learn(out, NULL, &model, drawn[0], drawn[1],
                                            drawn[2], NULL, NULL, &config, rng, NULL);
        pvg_model_free(model);
        for (int i = 0; i < 3; i++) {
            handed_back += status != PVG_OK && drawn[i];
            pvg_release_free(drawn[i]);
        }
    }
    pvg_rng_free(rng);
    pvg_labels_free(all);
    pvg_features_free(features);
    pvg_graph_free(graph);
    return status;
}

/* Every way to explain, on a network of each kind; masks with all they tell. */
typedef struct {
    pvg_dataset *data;
    pvg_model *model;
    int32_t explainer;
} explained;

static int32_t explain_body(void *context) {
    const explained *e = context;
    const pvg_explain_config config = {.size = sizeof config, .steps = 2};
    double rows[8], arcs[4 * 8], agreement[4];
    pvg_rng *rng;
    int32_t status = pvg_rng_new_seeded(&rng, 1);
    if (status != PVG_OK) return status;
    status = e->explainer == PVG_EXPLAINER_GNN_EXPLAINER
                 ? pvg_explain_masks_exact(rows, arcs, agreement, e->model, e->data, NULL,
                                           4, &config, rng, NULL)
                 : pvg_explain_exact(rows, e->explainer, e->model, e->data, NULL, 4,
                                     &config, rng, NULL);
    pvg_rng_free(rng);
    return status;
}

static void explain(void) {
    static const char *const texts[] = {"gcn 2 relu | gcn classes",
                                        "sage 2 relu | dense classes"};
    const pvg_training_config training = {.size = sizeof training, .epochs = 1};
    const int32_t classes[4] = {0, 1, 1, 0};
    pvg_dataset_builder *builder;
    pvg_features *features;
    pvg_labels *known;
    pvg_graph *graph;
    explained e = {0};
    PVGT_OK(pvg_graph_new_cycle(&graph, 4));
    PVGT_OK(pvg_features_from_dense(&features, 4, 2, x));
    PVGT_OK(pvg_labels_from_array(&known, classes, 4));
    PVGT_OK(pvg_dataset_builder_new(&builder, 4));
    PVGT_OK(pvg_dataset_builder_add_public_graph(builder, graph));
    PVGT_OK(pvg_dataset_builder_add_public_features(builder, features));
    PVGT_OK(pvg_dataset_builder_add_public_labels(builder, known));
    PVGT_OK(pvg_dataset_builder_finish(&e.data, builder));
    for (int i = 0; i < 2; i++) {
        pvg_network *network;
        pvg_rng *rng;
        PVGT_OK(pvg_rng_new_seeded(&rng, 1));
        PVGT_OK(pvg_network_from_text(&network, texts[i], 2, 2));
        PVGT_OK(pvg_model_train(&e.model, network, e.data, &training, NULL, rng, NULL));
        for (e.explainer = 0; e.explainer <= PVG_EXPLAINER_GNN_EXPLAINER; e.explainer++)
            pvgt_oom_walk("explain", explain_body, &e, 5);
        pvg_model_free(e.model);
        pvg_network_free(network);
        pvg_rng_free(rng);
    }
    pvg_dataset_free(e.data);
    pvg_dataset_builder_free(builder);
    pvg_features_free(features);
    pvg_labels_free(known);
    pvg_graph_free(graph);
}

static int32_t nodes_body(void *context) {
    static const int32_t parts[4] = {0, 0, 0, 2};
    pvg_nodes_config config = {.size = sizeof config,
                               .recipe = PVG_RECIPE_GAP,
                               .classes = 2,
                               .hidden = 2,
                               .directions = 3,
                               .steps = 2,
                               .degree_bound = 2,
                               .parts = parts};
    const pvg_target target = {.size = sizeof target, .epsilon = 4.0, .delta = 1e-5};
    const pvg_ledger_config book = {.size = sizeof book,
                                    .notion = PVG_NOTION_NODE_REMOVED,
                                    .epsilon = 10.0,
                                    .delta = 1e-5};
    pvg_model *encoder = NULL, *head = NULL;
    pvg_release *states = NULL;
    pvg_features *features = NULL;
    pvg_ledger *ledger = NULL;
    pvg_labels *all = NULL;
    pvg_graph *graph = NULL;
    pvg_rng *rng = NULL;
    double out[8];
    (void)context;
    int32_t status = pvg_graph_new_cycle(&graph, 4);
    if (status == PVG_OK) status = pvg_features_from_dense(&features, 4, 2, x);
    if (status == PVG_OK) status = pvg_labels_from_array(&all, labels, 4);
    if (status == PVG_OK) status = pvg_rng_new_secure(&rng);
    if (status == PVG_OK) status = pvg_ledger_new(&ledger, &book);
    if (status == PVG_OK) {
        status = pvg_recipe_nodes(&encoder, &head, &states, graph, features, all, &config,
                                  &target, 3, rng, ledger, NULL);
        handed_back += status != PVG_OK && encoder;
    }
    if (status == PVG_OK)
        status =
            pvg_recipe_nodes_predict_exact(out, encoder, head, states, features, 3, NULL);
    if (status == PVG_OK)
        status = pvg_recipe_nodes_exact(out, graph, features, all, &config, rng, NULL);
    pvg_model_free(encoder);
    pvg_model_free(head);
    pvg_release_free(states);
    pvg_ledger_free(ledger);
    pvg_rng_free(rng);
    pvg_labels_free(all);
    pvg_features_free(features);
    pvg_graph_free(graph);
    return status;
}

static int32_t weigh_body(void *context) {
    const int32_t *recipe = context;
    const pvg_recipe_config config = {
        .size = sizeof config, .recipe = *recipe, .classes = 2};
    const pvg_target target = {.size = sizeof target,
                               .epsilon = 1.0,
                               .delta = *recipe == PVG_RECIPE_GAP ? 1e-6 : 0.0};
    pvg_preview *preview = context;
    const int32_t status = pvg_recipe_preview(&preview, &config, &target, 4);
    if (status != PVG_OK) TEST_ASSERT_NULL(preview);
    pvg_preview_free(preview);
    return status;
}

static int32_t weigh_users_body(void *context) {
    const pvg_users_config config = {.size = sizeof config,
                                     .classes = 2,
                                     .list_epsilon = 1,
                                     .feature_epsilon = 1,
                                     .label_epsilon = 1};
    pvg_preview *lists = context, *reports = context, *answers = context;
    const int32_t status =
        pvg_recipe_users_preview(&lists, &reports, &answers, &config, 4, 2);
    if (status != PVG_OK) TEST_ASSERT_TRUE(!lists && !reports && !answers);
    pvg_preview_free(lists);
    pvg_preview_free(reports);
    pvg_preview_free(answers);
    return status;
}

static int32_t weigh_nodes_body(void *context) {
    static const int32_t parts[4] = {0, 0, 0, 0};
    const pvg_nodes_config config = {.size = sizeof config,
                                     .recipe = PVG_RECIPE_GAP,
                                     .classes = 2,
                                     .degree_bound = 2,
                                     .steps = 2,
                                     .parts = parts};
    const pvg_target target = {.size = sizeof target, .epsilon = 4.0, .delta = 1e-5};
    pvg_preview *preview = context;
    const int32_t status = pvg_recipe_nodes_preview(&preview, &config, &target, 4, 2);
    if (status != PVG_OK) TEST_ASSERT_NULL(preview);
    pvg_preview_free(preview);
    return status;
}

static void weigh(void) {
    static int32_t recipes[] = {PVG_RECIPE_HISTOGRAM, PVG_RECIPE_GAP,
                                PVG_RECIPE_RESPONSE};
    static int stranger;
    for (int i = 0; i < 3; i++) pvgt_oom_walk("recipe", weigh_body, &recipes[i], 3);
    pvgt_oom_walk("users", weigh_users_body, &stranger, 6);
    pvgt_oom_walk("nodes", weigh_nodes_body, &stranger, 10);
}

static void survive(void) {
    static int dummy;
    pvgt_oom_walk("logistic", logistic_body, &dummy, 6);
    pvgt_oom_walk("directions", directions_body, &dummy, 3);
    pvgt_oom_walk("classify", classify_body, &dummy, 20);
    pvgt_oom_walk("histogram", histogram_body, &dummy, 40);
    TEST_ASSERT_TRUE(handed_back > 0);
    handed_back = 0;
    pvgt_oom_walk("hops", hops_body, &dummy, 30);
    pvgt_oom_walk("response", response_body, &dummy, 30);
    handed_back = 0;
    pvgt_oom_walk("users", users_body, &dummy, 30);
    TEST_ASSERT_TRUE(handed_back > 0);
    handed_back = 0;
    pvgt_oom_walk("nodes", nodes_body, &dummy, 60);
    TEST_ASSERT_TRUE(handed_back > 0);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(survive);
    RUN_TEST(explain);
    RUN_TEST(weigh);
    return pvgt_end(UNITY_END());
}
