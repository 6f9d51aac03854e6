/* Values that are no numbers, and labels that are none. Public ones are refused where
 * they are taken, by name, row and column, before anything is drawn. Private ones are
 * zeros without a word: the release has the same law as with zeros in their place, and
 * with the same random numbers the same bits. */
#include "handles.h"
#include "support.h"

#include <math.h>
#include <privgraph-learn.h>
#include <string.h>

enum { ORDER = 30, COLUMNS = 4, CLASSES = 2, BAD_ROW = 7, BAD_COLUMN = 2 };

static pvg_graph *graph;
static pvg_features *odd, *zero;
static pvg_labels *labels, *odd_labels, *zero_labels;
static int32_t classes[ORDER], parts[ORDER];
static pvg_rng *rng;

static void begin(double value) {
    double x[ORDER * COLUMNS];
    int32_t told[ORDER];
    for (int i = 0; i < ORDER * COLUMNS; i++) x[i] = (double)(i * 7 % 11) / 11;
    for (int v = 0; v < ORDER; v++) {
        told[v] = classes[v] = v % CLASSES;
        parts[v] = v % 5 == 4 ? PVG_PART_TEST : PVG_PART_TRAIN;
    }
    PVGT_OK(pvg_graph_new_cycle(&graph, ORDER));
    x[BAD_ROW * COLUMNS + BAD_COLUMN] = value;
    PVGT_OK(pvg_features_from_dense(&odd, ORDER, COLUMNS, x));
    x[BAD_ROW * COLUMNS + BAD_COLUMN] = 0.0;
    PVGT_OK(pvg_features_from_dense(&zero, ORDER, COLUMNS, x));
    PVGT_OK(pvg_labels_from_array(&labels, told, ORDER));
    told[3] = -9;
    PVGT_OK(pvg_labels_from_array(&odd_labels, told, ORDER));
    told[3] = 0;
    PVGT_OK(pvg_labels_from_array(&zero_labels, told, ORDER));
    PVGT_OK(pvg_rng_new_seeded(&rng, 1));
}

static void end(void) {
    pvg_graph_free(graph);
    pvg_features_free(odd);
    pvg_features_free(zero);
    pvg_labels_free(labels);
    pvg_labels_free(odd_labels);
    pvg_labels_free(zero_labels);
    pvg_rng_free(rng);
}

static pvg_rng *seeded(void) {
    pvg_rng *made;
    PVGT_OK(pvg_rng_new_seeded(&made, 5));
    return made;
}

static pvg_propagator *propagator(int32_t hide) {
    const pvg_layers_config config = {.size = sizeof config,
                                      .operation = PVG_OPERATOR_SUM};
    const pvg_assumption assumption = {.size = sizeof assumption,
                                       .order = ORDER,
                                       .degrees = PVG_DEGREES_PROMISED,
                                       .degree_bound = 4};
    const pvg_propagator_config how = {.size = sizeof how, .hide = hide};
    const pvg_target target = {
        .size = sizeof target, .parameter = 1.0, .allow_seeded = 1};
    pvg_layers *layers;
    pvg_propagator *made;
    PVGT_OK(pvg_layers_new(&layers, &config, NULL, 0));
    PVGT_OK(pvgt_propagator_new(&made, layers, &assumption, COLUMNS, &how, &target));
    pvg_layers_free(layers);
    return made;
}

#define REFUSED(...)                                                                     \
    PVGT_FAILS(PVG_E_ARGUMENT, "row 7, column 2 is not a finite number", __VA_ARGS__)

static void public_features_are_refused(void) {
    static double out[ORDER * COLUMNS], scores[ORDER * COLUMNS];
    begin(NAN);
    const pvg_pipeline_arguments arguments = {
        .size = sizeof arguments, .order = ORDER, .labels = classes, .features = odd};
    pvg_pipeline *pipeline = NULL;
    const pvg_target target = {.size = sizeof target, .epsilon = 1.0};
    const pvg_attack_config knows = {.size = sizeof knows, .features = odd};
    pvg_dataset_builder *builder;
    pvg_release *release = NULL;
    pvg_attack *attack = NULL;
    pvg_perturber *perturber = NULL;
    pvg_layers *layers;
    REFUSED(pvg_directions_project(out, odd, 2, NULL));
    REFUSED(pvg_pipeline_new(&pipeline, "edges", &arguments, &target, rng, NULL));
    TEST_ASSERT_NULL(pipeline);
    PVGT_OK(pvg_dataset_builder_new(&builder, ORDER));
    REFUSED(pvg_dataset_builder_add_public_features(builder, odd));
    PVGT_FAILS(PVG_E_ARGUMENT, "entry 3 is less than -1",
               pvg_dataset_builder_add_public_labels(builder, odd_labels));
    pvg_dataset_builder_free(builder);
    REFUSED(pvg_attack_links_rows(&attack, scores, COLUMNS, graph, &knows, rng, NULL));
    REFUSED(pvg_attack_values(&attack, scores, odd, NULL, rng, NULL));
    REFUSED(pvgt_perturber_new_graphprivatizer(&perturber, NULL, &target, odd));
    PVGT_OK(pvg_layers_new(&layers, NULL, NULL, 0));
    REFUSED(pvg_propagate_features_exact(out, layers, graph, odd, NULL));
    pvg_layers_free(layers);
    pvg_propagator *edges = propagator(PVGI_HIDE_EDGE);
    REFUSED(
        pvgt_release_draw_propagation(&release, edges, graph, odd, 0, rng, NULL, NULL));
    pvgt_propagator_free(edges);
    pvg_features *copy;
    PVGT_OK(pvg_features_copy_inferred(&copy, odd)); /* a copy is not better */
    REFUSED(pvg_directions_project(out, copy, 2, NULL));
    pvg_features_free(copy);
    const pvg_pipeline_arguments users = {
        .size = sizeof users, .order = ORDER, .features = odd, .parts = parts};
    REFUSED(pvg_pipeline_new(&pipeline, "users list-epsilon=1 label-epsilon=1 classes=4",
                             &users, NULL, rng, NULL));
    end();
}

/* --- private ---------------------------------------------------------------------- */

/* The two draws are the same, bit by bit; frees them. */
static void same_values(pvg_release *first, pvg_release *second,
                        const pvg_released *values) {
    int32_t equal;
    PVGT_OK(pvg_release_verify(&equal, pvg_release_guarantee(first), values));
    TEST_ASSERT_EQUAL_INT32(1, equal);
    pvg_release_free(first);
    pvg_release_free(second);
}

static void reports_of_users_are_those_of_zeros(void) {
    const pvg_features_config config = {
        .size = sizeof config, .columns = COLUMNS, .ranges = 1};
    const pvg_labels_config answers = {.size = sizeof answers, .classes = CLASSES};
    const pvg_target target = {.size = sizeof target, .epsilon = 1.0, .allow_seeded = 1};
    const double low = 0.0, high = 1.0;
    pvg_perturber *perturber;
    for (int i = 0; i < 3; i++) {
        pvg_release *drawn[2];
        begin((double[]){NAN, INFINITY, -INFINITY}[i]);
        PVGT_OK(pvgt_perturber_new_features(&perturber, &config, &target, &low, &high));
        for (int k = 0; k < 2; k++) {
            pvg_rng *source = seeded();
            PVGT_OK(pvgt_release_draw_features(&drawn[k], perturber, k ? zero : odd, 0,
                                               source, NULL, NULL));
            pvg_rng_free(source);
        }
        pvg_released second = {.size = sizeof second,
                               .rows = pvg_release_rows(drawn[1]),
                               .columns = pvg_release_columns(drawn[1])};
        PVGT_OK(pvg_release_view(&second.values, drawn[1]));
        same_values(drawn[0], drawn[1], &second);
        pvgt_perturber_free(perturber);

        PVGT_OK(pvgt_perturber_new_labels(&perturber, &answers, &target));
        for (int k = 0; k < 2; k++) {
            pvg_rng *source = seeded();
            PVGT_OK(pvgt_release_draw_labels(&drawn[k], perturber,
                                             k ? zero_labels : odd_labels, 0, source,
                                             NULL, NULL));
            pvg_rng_free(source);
        }
        pvg_labels *copy;
        const int32_t *said;
        int64_t count;
        PVGT_OK(pvg_release_view_labels(&said, &count, drawn[1]));
        PVGT_OK(pvg_labels_from_array(&copy, said, count));
        same_values(drawn[0], drawn[1],
                    &(pvg_released){.size = sizeof(pvg_released), .labels = copy});
        pvg_labels_free(copy);
        pvgt_perturber_free(perturber);
        end();
    }
}

static void states_of_hidden_nodes_are_those_of_zeros(void) {
    pvg_release *drawn[2];
    begin(NAN);
    pvg_propagator *nodes = propagator(PVGI_HIDE_NODE_REMOVED);
    for (int k = 0; k < 2; k++) {
        pvg_rng *source = seeded();
        PVGT_OK(pvgt_release_draw_propagation(&drawn[k], nodes, graph, k ? zero : odd, 0,
                                              source, NULL, NULL));
        pvg_rng_free(source);
    }
    pvg_released second = {.size = sizeof second,
                           .rows = pvg_release_rows(drawn[1]),
                           .columns = pvg_release_columns(drawn[1])};
    PVGT_OK(pvg_release_view(&second.values, drawn[1]));
    same_values(drawn[0], drawn[1], &second);
    pvgt_propagator_free(nodes);
    end();
}

static void networks_of_hidden_nodes_are_those_of_zeros(void) {
    static double out[2][ORDER * CLASSES];
    const pvg_pipeline_arguments a = {.size = sizeof a, .order = ORDER, .parts = parts};
    char text[64];
    snprintf(text, sizeof text, "nodes classes=%d columns=%d steps=5", (int)CLASSES,
             (int)COLUMNS);
    const pvg_target target = {
        .size = sizeof target, .epsilon = 4.0, .delta = 1e-5, .allow_seeded = 1};
    begin(-INFINITY);
    for (int k = 0; k < 2; k++) {
        pvg_rng *source = seeded();
        const pvg_input input = {.size = sizeof input,
                                 .features = k ? zero : odd,
                                 .labels = k ? zero_labels : odd_labels};
        const pvg_input own = {.size = sizeof own, .features = k ? zero : odd};
        const pvg_model *encoder;
        pvg_release *drawn[3];
        pvg_pipeline *p;
        PVGT_OK(pvg_pipeline_new(&p, text, &a, &target, source, NULL));
        PVGT_OK(pvg_pipeline_draw(&drawn[0], &drawn[1], &drawn[2], p, &input, source,
                                  NULL, NULL, NULL, NULL));
        PVGT_OK(pvg_release_view_model(&encoder, drawn[0]));
        PVGT_OK(
            pvg_pipeline_read_exact(out[k], NULL, p, encoder, NULL, NULL, &own, NULL));
        pvg_release_free(drawn[0]);
        pvg_pipeline_free(p);
        pvg_rng_free(source);
    }
    TEST_ASSERT_EQUAL_MEMORY(out[1], out[0], sizeof out[0]);
    end();
}

static void private_parts_of_datasets_are_zeros(void) {
    static double out[2][ORDER * CLASSES];
    const pvg_training_config training = {.size = sizeof training, .epochs = 3};
    begin(INFINITY);
    for (int k = 0; k < 2; k++) {
        pvg_rng *source = seeded();
        pvg_dataset_builder *builder;
        pvg_dataset *data;
        pvg_network *network;
        pvg_model *model;
        PVGT_OK(pvg_dataset_builder_new(&builder, ORDER));
        PVGT_OK(pvg_dataset_builder_add_private_features(builder, k ? zero : odd));
        PVGT_OK(pvg_dataset_builder_add_private_labels(builder,
                                                       k ? zero_labels : odd_labels));
        PVGT_OK(pvg_dataset_builder_set_split(builder, parts, ORDER));
        PVGT_OK(pvg_dataset_builder_finish(&data, builder));
        PVGT_OK(pvg_network_from_text(&network, "dense classes", COLUMNS, CLASSES));
        PVGT_OK(pvg_model_train(&model, network, data, &training, NULL, source, NULL));
        PVGT_OK(pvg_model_predict_exact(out[k], model, data, PVG_PREDICT_PROBABILITIES,
                                        NULL));
        pvg_model_free(model);
        pvg_network_free(network);
        pvg_dataset_free(data);
        pvg_dataset_builder_free(builder);
        pvg_rng_free(source);
    }
    TEST_ASSERT_EQUAL_MEMORY(out[1], out[0], sizeof out[0]);
    end();
}

void setUp(void) {}

void tearDown(void) {}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(public_features_are_refused);
    RUN_TEST(reports_of_users_are_those_of_zeros);
    RUN_TEST(states_of_hidden_nodes_are_those_of_zeros);
    RUN_TEST(networks_of_hidden_nodes_are_those_of_zeros);
    RUN_TEST(private_parts_of_datasets_are_zeros);
    return UNITY_END();
}
