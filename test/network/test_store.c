/* Model files: what is written is read again, with what was seen; what is damaged is
 * refused. */
#include "handles.h"
#include "network/network_internal.h"
#include "support.h"
#include "training.h"

#include <math.h>
#include <privgraph-learn.h>
#include <stdlib.h>
#include <string.h>

enum { ORDER = 30, INPUTS = 3, CLASSES = 2 };

static pvg_graph *graph;
static pvg_features *features;
static pvg_labels *labels;
static int32_t split[ORDER];
static pvg_rng *rng;
static char path[] = "/tmp/pvg-model-XXXXXX";

void setUp(void) {
    double dense[ORDER * INPUTS];
    int32_t classes[ORDER];
    uint64_t state = 4;
    for (int i = 0; i < ORDER * INPUTS; i++)
        dense[i] = (double)pvgt_below(&state, 100) / 100;
    for (int i = 0; i < ORDER; i++) {
        classes[i] = i % CLASSES;
        split[i] = (int32_t)(i / 2 % 3);
    }
    PVGT_OK(pvg_graph_new_cycle(&graph, ORDER));
    PVGT_OK(pvg_features_from_dense(&features, ORDER, INPUTS, dense));
    PVGT_OK(pvg_labels_from_array(&labels, classes, ORDER));
    PVGT_OK(pvg_rng_new_secure(&rng));
}

void tearDown(void) {
    pvg_graph_free(graph);
    pvg_features_free(features);
    pvg_labels_free(labels);
    pvg_rng_free(rng);
}

static pvg_release *release_graph(double epsilon) {
    const pvg_response_config config = {.size = sizeof config};
    const pvg_target target = {.size = sizeof target, .epsilon = epsilon};
    pvg_perturber *perturber;
    pvg_release *release;
    PVGT_OK(pvgt_perturber_new_response(&perturber, &config, &target));
    PVGT_OK(pvgt_release_draw_graph(&release, perturber, graph, 1, rng, NULL, NULL));
    pvgt_perturber_free(perturber);
    return release;
}

static pvg_dataset *dataset_of(const pvg_release *released, bool private) {
    pvg_dataset_builder *b;
    pvg_dataset *data;
    PVGT_OK(pvg_dataset_builder_new(&b, ORDER));
    if (released) PVGT_OK(pvg_dataset_builder_add_released(b, released, PVG_ROLE_GRAPH));
    PVGT_OK(pvg_dataset_builder_add_public_features(b, features));
    if (private)
        PVGT_OK(pvg_dataset_builder_add_private_labels(b, labels));
    else
        PVGT_OK(pvg_dataset_builder_add_public_labels(b, labels));
    PVGT_OK(pvg_dataset_builder_set_split(b, split, ORDER));
    PVGT_OK(pvg_dataset_builder_finish(&data, b));
    pvg_dataset_builder_free(b);
    return data;
}

static pvg_model *train(const char *text, const pvg_dataset *data,
                        pvg_training_config config, const pvg_model *start) {
    pvg_network *network;
    pvg_model *model;
    config.size = sizeof config;
    PVGT_OK(pvg_network_from_text(&network, text, INPUTS, CLASSES));
    PVGT_OK(pvg_model_train(&model, network, data, &config, start, rng, NULL));
    pvg_network_free(network);
    return model;
}

static pvg_model *again(const pvg_model *model) {
    pvg_model *loaded;
    PVGT_OK(pvg_model_save_exact(path, model));
    PVGT_OK(pvg_model_load(&loaded, path));
    TEST_ASSERT_EQUAL_INT32(1, pvg_model_loaded(loaded));
    return loaded;
}

static void same_predictions(const pvg_model *a, const pvg_model *b,
                             const pvg_dataset *data) {
    double one[ORDER * CLASSES], two[ORDER * CLASSES];
    for (int32_t kind = 0; kind < 3; kind++) {
        PVGT_OK(pvg_model_predict_exact(one, a, data, kind, NULL));
        PVGT_OK(pvg_model_predict_exact(two, b, data, kind, NULL));
        TEST_ASSERT_EQUAL_MEMORY(
            one, two, (size_t)pvg_model_columns(a, kind) * ORDER * sizeof *one);
    }
}

static double promised(const pvg_model *model, int32_t notion, double delta) {
    pvg_guarantee *promise;
    double epsilon;
    PVGT_OK(pvg_model_promise(&promise, model, notion, NULL));
    PVGT_OK(pvg_guarantee_epsilon(&epsilon, promise, delta));
    pvg_guarantee_free(promise);
    return epsilon;
}

static void models_come_back(void) {
    static const struct {
        const char *text;
        pvg_training_config config;
    } rows[] = {
        {"dense classes", {.epochs = 3}},
        {"drop .5 | gcn 4 bn relu | gcn classes",
         {.epochs = 4, .folds = 3, .averages = 2, .calibrate = 1}},
        {"gat 4 heads=2 elu | dense classes",
         {.epochs = 3, .precision = PVG_PRECISION_DOUBLE, .loss = PVG_LOSS_BINARY}},
        {"gcn classes", {.epochs = 3, .target_rounds = 2}},
    };
    pvg_release *released = release_graph(2);
    pvg_dataset *data = dataset_of(released, false);
    const int32_t notion = pvg_guarantee_notion(pvg_release_guarantee(released));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pvg_model *model = train(rows[i].text, data, rows[i].config, NULL);
        PVGT_OK(pvg_model_save(path, model));
        TEST_ASSERT_EQUAL_INT32(0, pvg_model_loaded(model));
        pvg_model *loaded = again(model), *twice = again(loaded);
        same_predictions(model, loaded, data);
        same_predictions(model, twice, data);
        TEST_ASSERT_EQUAL_DOUBLE(pvg_model_temperature_exact(model),
                                 pvg_model_temperature_exact(loaded));
        TEST_ASSERT_EQUAL_INT64(pvg_model_members(model), pvg_model_members(loaded));
        /* the draw is known again: once in training, once in the file, once now */
        pvg_release *prediction;
        double epsilon;
        PVGT_OK(pvg_model_predict(&prediction, loaded, data, 0, notion, NULL, NULL));
        PVGT_OK(pvg_guarantee_epsilon(&epsilon, pvg_release_guarantee(prediction), 0));
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, 2, epsilon);
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, 2, promised(twice, notion, 0));
        /* and its record says that it rests on a file */
        char words[8192];
        size_t length;
        PVGT_OK(pvg_guarantee_copy_text(words, sizeof words, &length,
                                        pvg_release_guarantee(prediction)));
        TEST_ASSERT_NOT_NULL(strstr(words, "read from files"));
        pvg_release_free(prediction);
        /* training goes on from it */
        pvg_model *next = train(rows[i].text, data, rows[i].config, loaded);
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, 2, promised(next, notion, 0));
        pvg_model_free(next);
        pvg_model_free(model);
        pvg_model_free(loaded);
        pvg_model_free(twice);
    }
    pvg_dataset_free(data);
    pvg_release_free(released);
}

/* Trap: a file must not wash private parts off. */
static void private_models_stay_private(void) {
    pvg_dataset *data = dataset_of(NULL, true), *open = dataset_of(NULL, false);
    pvg_model *model =
        train("dense classes", data, (pvg_training_config){.epochs = 2}, NULL);
    pvg_release *prediction;
    PVGT_FAILS(PVG_E_PRIVACY, "private parts", pvg_model_save(path, model));
    pvg_model *loaded = again(model);
    TEST_ASSERT_EQUAL_INT32(1, pvg_model_holds_secrets(loaded));
    PVGT_FAILS(PVG_E_PRIVACY, "private parts", pvg_model_save(path, loaded));
    PVGT_FAILS(
        PVG_E_PRIVACY, "private parts",
        pvg_model_predict(&prediction, loaded, open, 0, PVG_NOTION_EDGE, NULL, NULL));
    pvg_model *next =
        train("dense classes", open, (pvg_training_config){.epochs = 2}, loaded);
    TEST_ASSERT_EQUAL_INT32(1, pvg_model_holds_secrets(next));
    pvg_model_free(next);
    pvg_model_free(model);
    pvg_model_free(loaded);
    pvg_dataset_free(data);
    pvg_dataset_free(open);
}

/* Private training keeps its curve; what was seen is told. */
static void private_training_comes_back(void) {
    const pvg_target target = {.size = sizeof target, .epsilon = 1, .delta = 1e-5};
    const pvg_dpsgd_config config = {.size = sizeof config, .steps = 3};
    pvg_dataset *data = dataset_of(NULL, true);
    pvg_network *network;
    pvg_query *query;
    pvg_model *model;
    int64_t rows = 0;
    for (int v = 0; v < ORDER; v++) rows += split[v] == PVG_PART_TRAIN;
    PVGT_OK(pvg_network_from_text(&network, "dense classes", INPUTS, CLASSES));
    PVGT_OK(pvg_query_new_training(&query, network, rows, &config, NULL, &target));
    PVGT_OK(pvgt_train(&model, query, data, 1, rng, NULL, NULL));
    PVGT_OK(pvg_model_save(path, model));
    pvg_model *loaded = again(model);
    same_predictions(model, loaded, data);
    TEST_ASSERT_EQUAL_INT32(0, pvg_model_holds_secrets(loaded));
    TEST_ASSERT_EQUAL_DOUBLE(promised(model, PVG_NOTION_NODE_REMOVED, 1e-5),
                             promised(loaded, PVG_NOTION_NODE_REMOVED, 1e-5));
    TEST_ASSERT_EQUAL_DOUBLE(0, promised(loaded, PVG_NOTION_EDGE, 0));
    char json[16384];
    size_t length;
    PVGT_OK(pvg_model_copy_seen_json(json, sizeof json, &length, loaded));
    TEST_ASSERT_NOT_NULL(strstr(json, "\"reads\": [\"labels\"]"));
    TEST_ASSERT_NOT_NULL(strstr(json, "learn.dpsgd"));
    TEST_ASSERT_NOT_NULL(strstr(json, "\"loaded\": true"));
    pvg_model_free(model);
    pvg_model_free(loaded);
    pvg_query_free(query);
    pvg_network_free(network);
    pvg_dataset_free(data);
}

static void damaged_files_are_refused(void) {
    pvg_release *released = release_graph(1);
    pvg_dataset *data = dataset_of(released, false);
    pvg_model *model =
        train("gcn classes", data, (pvg_training_config){.epochs = 2}, NULL);
    static uint8_t bytes[1 << 14], other[1 << 14];
    PVGT_OK(pvg_model_save(path, model));
    FILE *file = fopen(path, "rb");
    TEST_ASSERT_NOT_NULL(file);
    const size_t count = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    TEST_ASSERT_TRUE(count > 200 && count < sizeof bytes);
    pvg_model *loaded = NULL;
    for (size_t i = 0; i < count; i += i < 100 ? 1 : 37) {
        memcpy(other, bytes, count);
        other[i] ^= 1;
        const int32_t status = pvgi_network_read(&loaded, other, count);
        TEST_ASSERT_EQUAL_INT32(i == 7 ? PVG_E_VERSION : PVG_E_FORMAT, status);
        TEST_ASSERT_EQUAL_INT32(PVG_E_FORMAT, pvgi_network_read(&loaded, bytes, i));
    }
    TEST_ASSERT_NULL(loaded);
    PVGT_FAILS(PVG_E_MISSING, "", pvg_model_load(&loaded, "/nowhere/at/all"));
    PVGT_FAILS(PVG_E_FORMAT, "begin",
               pvg_model_load(&loaded, PVGT_SOURCE_ROOT "/LICENSE"));
    pvg_model_free(model);
    pvg_dataset_free(data);
    pvg_release_free(released);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    const int made = mkstemp(path);
    RUN_TEST(models_come_back);
    RUN_TEST(private_models_stay_private);
    RUN_TEST(private_training_comes_back);
    RUN_TEST(damaged_files_are_refused);
    if (made >= 0) remove(path);
    return pvgt_end(UNITY_END());
}
