/* learn under allocation failure. */
#include "support.h"

#include <privgraph-learn.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

static const double x[8] = {1, 0, 0, 1, 1, 1, 0, 0};
static const int32_t labels[4] = {0, 1, 1, -1};

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

/* Failures after something was paid for: it must be handed back. */
static int handed_back;

/* One pipeline: make, weigh, draw, read, without noise. */
typedef struct {
    const char *text;
    bool edges;  /* else: parts */
    bool ledger; /* of nodes */
} task;

static int32_t pipeline_body(void *context) {
    static const int32_t parts[4] = {0, 0, 0, 2};
    static const uint64_t object = 3;
    const task *t = context;
    const bool nodes = t->ledger, alone = strstr(t->text, "nodes classes") != NULL;
    const pvg_ledger_config book = {.size = sizeof book,
                                    .notion = PVG_NOTION_NODE_REMOVED,
                                    .epsilon = 10.0,
                                    .delta = 1e-5};
    pvg_release *drawn[3] = {NULL, NULL, NULL};
    pvg_preview *preview = NULL;
    pvg_pipeline *p = context; /* NULL after a failure */
    pvg_ledger *ledger = NULL;
    pvg_model *model = NULL;
    pvg_features *features = NULL;
    pvg_labels *all = NULL;
    pvg_graph *graph = NULL;
    double out[8];
    int32_t status = pvg_graph_new_cycle(&graph, 4);
    if (status == PVG_OK) status = pvg_features_from_dense(&features, 4, 2, x);
    if (status == PVG_OK) status = pvg_labels_from_array(&all, labels, 4);
    if (status == PVG_OK && nodes) status = pvg_ledger_new(&ledger, &book);
    const pvg_pipeline_arguments a = {.size = sizeof a,
                                      .order = 4,
                                      .labels = t->edges ? labels : NULL,
                                      .checks = t->edges ? labels : NULL,
                                      .features = t->edges ? features : NULL,
                                      .parts = t->edges ? NULL : parts};
    const pvg_input in = {.size = sizeof in,
                          .graph = alone ? NULL : graph,
                          .features = t->edges ? NULL : features,
                          .labels = t->edges ? NULL : all,
                          .objects = &object,
                          .object_count = 1};
    const pvg_input own = {.size = sizeof own, .features = features};
    if (status == PVG_OK) {
        status = pvg_pipeline_new(&p, t->text, &a, NULL, NULL, NULL);
        if (status != PVG_OK) TEST_ASSERT_NULL(p);
    } else {
        p = NULL;
    }
    for (int i = 0; i < 3 && status == PVG_OK; i++) {
        status = pvg_pipeline_preview(&preview, p, i, NULL);
        if (status != PVG_OK) TEST_ASSERT_NULL(preview);
        pvg_preview_free(preview);
    }
    if (status == PVG_OK)
        status = pvg_pipeline_draw(&drawn[0], &drawn[1], &drawn[2], p, &in, NULL, ledger,
                                   NULL, NULL, NULL);
    const bool all_drawn = status == PVG_OK;
    if (status == PVG_OK && !nodes)
        status = pvg_pipeline_read(out, NULL, t->edges ? NULL : &model, p, drawn[0],
                                   drawn[1], drawn[2], NULL, NULL);
    if (status == PVG_OK && nodes) {
        const pvg_model *encoder, *head = NULL;
        PVGT_OK(pvg_release_view_model(&encoder, drawn[0]));
        if (drawn[2]) PVGT_OK(pvg_release_view_model(&head, drawn[2]));
        status =
            pvg_pipeline_read_exact(out, NULL, p, encoder, drawn[1], head, &own, NULL);
    }
    if (status == PVG_OK) status = pvg_pipeline_exact(out, NULL, p, &in, NULL, NULL);
    handed_back += !all_drawn && drawn[0];
    handed_back += !all_drawn && drawn[2];
    for (int i = 0; i < 3; i++) pvg_release_free(drawn[i]);
    pvg_pipeline_free(p);
    pvg_model_free(model);
    pvg_ledger_free(ledger);
    pvg_labels_free(all);
    pvg_features_free(features);
    pvg_graph_free(graph);
    return status;
}

static int32_t rows_body(void *context) {
    const pvg_pipeline_arguments a = {.size = sizeof a, .order = 4, .labels = labels};
    pvg_release *release = context;
    pvg_pipeline *p = NULL;
    pvg_model *model = NULL;
    pvg_features *given = NULL;
    double out[8];
    int32_t status =
        pvg_pipeline_new(&p, "rows hidden=2 averages=1", &a, NULL, NULL, NULL);
    if (status == PVG_OK)
        status = pvg_pipeline_read(out, NULL, &model, p, release, NULL, NULL, NULL, NULL);
    if (status == PVG_OK) status = pvg_features_from_dense(&given, 4, 2, x);
    if (status == PVG_OK) {
        const pvg_input numbers = {.size = sizeof numbers, .features = given};
        status = pvg_pipeline_exact(out, NULL, p, &numbers, NULL, NULL);
    }
    pvg_features_free(given);
    pvg_model_free(model);
    pvg_pipeline_free(p);
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

static void survive(void) {
    static int dummy;
    static task tasks[] = {
        {"edges averages=1 hidden=2 epsilon=1", true, false},
        {"edges averages=1 hidden=2 epsilon=1 first-share=.4", true, false},
        {"edges method=gap averages=1 hidden=2 epsilon=1", true, false},
        {"edges method=response averages=1 hidden=2 epsilon=1", true, false},
        {"users rounds=1 list-epsilon=1 feature-epsilon=1 label-epsilon=1 classes=2 "
         "columns=2",
         false, false},
        {"nodes classes=2 columns=2 hidden=2 directions=3 steps=2 epsilon=4 delta=1e-5",
         false, true},
        {"nodes method=gap classes=2 columns=2 hidden=2 directions=3 steps=2 "
         "max-degree=2 epsilon=4 delta=1e-5",
         false, true}};
    static const bool several[] = {false, true, false, false, true, false, true};
    const pvg_input input = {.size = sizeof input};
    pvg_input cycle = input;
    pvg_graph *graph;
    pvg_release *release;
    pvgt_oom_walk("logistic", logistic_body, &dummy, 6);
    pvgt_oom_walk("directions", directions_body, &dummy, 3);
    for (size_t i = 0; i < sizeof tasks / sizeof tasks[0]; i++) {
        handed_back = 0;
        pvgt_oom_walk(tasks[i].text, pipeline_body, &tasks[i], 20);
        PVGT_CHECK((handed_back > 0) == several[i], "%s: %d handed back", tasks[i].text,
                   handed_back);
    }
    PVGT_OK(pvg_graph_new_cycle(&graph, 4));
    cycle.graph = graph;
    PVGT_OK(pvg_release_draw_text(&release, "edge-histogram order=4 epsilon=1", &cycle,
                                  NULL, NULL));
    pvgt_oom_walk("rows", rows_body, release, 10);
    pvg_release_free(release);
    pvg_graph_free(graph);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(survive);
    RUN_TEST(explain);
    return pvgt_end(UNITY_END());
}
