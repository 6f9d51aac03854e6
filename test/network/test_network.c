/* network: texts and their errors, training on data with a known answer, folds, averages,
 * calibration, checks and failures. */
#include "support.h"

#include <math.h>
#include <privgraph-learn.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

/* --- texts ------------------------------------------------------------------------ */

static void fails(const char *text, const char *part) {
    pvg_network *network = NULL;
    PVGT_FAILS(PVG_E_ARGUMENT, part, pvg_network_from_text(&network, text, 6, 3));
    TEST_ASSERT_NULL(network);
}

static void wrong_words_are_named_with_their_place(void) {
    fails("", "at the end: no stage");
    fails("drop .5", "no map");
    fails("gnc 64", "word 1, \"gnc\" at character 1: no such map");
    fails("gcn 64 relu | gnc 3", "word 5, \"gnc\" at character 15: no such map");
    fails("gcn", "at the end: expected a number of columns");
    fails("gcn x", "word 2, \"x\" at character 5: expected a number of columns");
    fails("gcn 0", "word 2, \"0\"");
    fails("gcn 4097", "word 2, \"4097\"");
    fails("gcn 1.5", "word 2, \"1.5\"");
    fails("gcn 3 tau=.5", "word 3, \"tau=.5\" at character 7: the number");
    fails("dense 3 relu bn", "word 4, \"bn\" at character 14: no modifier");
    fails("dense 3 drop 1", "word 4, \"1\" at character 14: expected a probability");
    fails("dense 3 |", "a stage after | is missing");
    fails("| dense 3", "word 1, \"|\"");
    fails("dense 4", "the last stage has 4 columns, but there are 3 classes");
    fails("gat 4 heads=3 | dense 3", "cannot be shared evenly among the heads");
    fails("hops 4 2 | dense 3", "cannot be shared evenly among the states");
    fails("dense 4 | dense 5 | jk max | dense 3", "different numbers of columns");
    fails("jk cat | dense 3", "no stage before it");
    fails("dense 4 | attend heads=3 | dense 3", "cannot be shared evenly");
    fails("dense 4 | attend heads=1.5 | dense 3", "a whole number");
    fails("dense 4 | pairs 4 | gcn 3", "rows are pairs here");
    fails("dense 4 | pairs 4 | attend | dense 3", "rows are pairs here");
    fails("dense 4 | pairs cosine | dense 3", "expected a number of columns");
    fails("dense 4 relu ln | dense 3", "word 4, \"ln\"");
    fails("pool best | dense 3", "expected sum, mean or max");
    fails("pool sum | gcn 3", "nodes were pooled before");
    fails("dense 4 skip | dense 3", "features are not added");
    fails("dense 4 | dense 5 skip | dense 3", "differ in shape");
    fails("dense 3 relu relu", "word 4, \"relu\"");
    fails("kprop 65 | dense 3", "1 to 64");
    fails("dense 33333333333333333333333333333333333333333", "too long");
    pvg_network *network = NULL;
    PVGT_FAILS(PVG_E_ARGUMENT, "text is NULL",
               pvg_network_from_text(&network, NULL, 6, 3));
    PVGT_FAILS(PVG_E_ARGUMENT, "inputs",
               pvg_network_from_text(&network, "dense 3", 0, 3));
    PVGT_FAILS(PVG_E_ARGUMENT, "classes",
               pvg_network_from_text(&network, "dense 3", 1, 0));
    PVGT_FAILS(PVG_E_ARGUMENT, "out", pvg_network_from_text(NULL, "dense 3", 6, 3));
}

static void texts_tell_their_size(void) {
    pvg_network *network;
    char text[64];
    size_t length;
    PVGT_OK(pvg_network_from_text(&network, " gcn   4 relu|dense classes ", 6, 3));
    PVGT_OK(pvg_network_copy_text(text, sizeof text, &length, network));
    TEST_ASSERT_EQUAL_STRING("gcn 4 relu | dense classes", text);
    TEST_ASSERT_EQUAL_INT64(6 * 4 + 4 + 4 * 3 + 3, pvg_network_parameters(network));
    TEST_ASSERT_EQUAL_INT64(6, pvg_network_inputs(network));
    TEST_ASSERT_EQUAL_INT64(3, pvg_network_classes(network));
    pvg_network_free(network);
    PVGT_OK(pvg_network_from_text(&network,
                                  "gin 4 hidden=5 eps=learn bn | gat classes "
                                  "heads=2",
                                  6, 3));
    TEST_ASSERT_EQUAL_INT64(6 * 5 + 1 + 5 + 5 * 4 + 4 + 4 * 4 + 4 * 6 + 2 * 6 + 3,
                            pvg_network_parameters(network));
    pvg_network_free(network);
    TEST_ASSERT_EQUAL_INT64(0, pvg_network_parameters(NULL));
}

/* --- data with an answer ---------------------------------------------------------- */

enum { BLOCKS = 3, EACH = 60, ORDER = BLOCKS * EACH, INPUTS = 12 };

typedef struct {
    pvg_graph *graph;
    pvg_features *features;
    pvg_labels *labels;
    int32_t split[ORDER];
} parts;

/* Blocks joined inside, features that hint at the block. */
static parts make_parts(uint64_t seed) {
    parts p;
    uint64_t state = seed;
    const int64_t orders[] = {EACH, EACH, EACH};
    double chances[9], *dense = calloc(ORDER * INPUTS, sizeof *dense);
    int32_t classes[ORDER];
    pvg_rng *rng;
    for (int i = 0; i < 9; i++) chances[i] = i % 4 == 0 ? .12 : .01;
    for (int v = 0; v < ORDER; v++) {
        classes[v] = v / EACH;
        p.split[v] = (int32_t)(v % 3);
        for (int j = 0; j < INPUTS; j++)
            dense[v * INPUTS + j] =
                (double)pvgt_below(&state, 1000) / 1000 + (j % 3 == classes[v] ? .15 : 0);
    }
    PVGT_OK(pvg_rng_new_seeded(&rng, seed));
    PVGT_OK(pvg_graph_draw_blocks(&p.graph, orders, chances, 3, rng, NULL));
    PVGT_OK(pvg_features_from_dense(&p.features, ORDER, INPUTS, dense));
    PVGT_OK(pvg_labels_from_array(&p.labels, classes, ORDER));
    pvg_rng_free(rng);
    free(dense);
    return p;
}

static void free_parts(parts *p) {
    pvg_graph_free(p->graph);
    pvg_features_free(p->features);
    pvg_labels_free(p->labels);
}

static pvg_dataset *make_dataset(const parts *p) {
    pvg_dataset_builder *builder;
    pvg_dataset *data;
    PVGT_OK(pvg_dataset_builder_new(&builder, ORDER));
    PVGT_OK(pvg_dataset_builder_add_public_graph(builder, p->graph));
    PVGT_OK(pvg_dataset_builder_add_public_features(builder, p->features));
    PVGT_OK(pvg_dataset_builder_add_public_labels(builder, p->labels));
    PVGT_OK(pvg_dataset_builder_set_split(builder, p->split, ORDER));
    PVGT_OK(pvg_dataset_builder_finish(&data, builder));
    pvg_dataset_builder_free(builder);
    TEST_ASSERT_EQUAL_INT64(ORDER, pvg_dataset_rows(data));
    TEST_ASSERT_EQUAL_INT32(0, pvg_dataset_holds_secrets(data));
    return data;
}

static pvg_model *train(const pvg_dataset *data, const char *text,
                        const pvg_training_config *config, uint64_t seed) {
    pvg_network *network;
    pvg_model *model;
    pvg_rng *rng;
    PVGT_OK(pvg_network_from_text(&network, text, INPUTS, BLOCKS));
    PVGT_OK(pvg_rng_new_seeded(&rng, seed));
    PVGT_OK(pvg_model_train(&model, network, data, config, NULL, rng, NULL));
    pvg_rng_free(rng);
    pvg_network_free(network);
    return model;
}

static double test_accuracy(const pvg_dataset *data, const char *text,
                            const pvg_training_config *config) {
    pvg_model *model = train(data, text, config, 4);
    double accuracy, loss;
    PVGT_OK(pvg_model_score_exact(&accuracy, &loss, model, data, PVG_PART_TEST, NULL));
    TEST_ASSERT_TRUE(loss >= 0);
    pvg_model_free(model);
    return accuracy;
}

/* Neighbours tell more than features do: a network that looks at them must gain. */
static void networks_learn(void) {
    static const char *const texts[] = {
        "drop .2 | gcn 16 relu | drop .2 | gcn classes",
        "sage 16 relu drop .2 | sage classes",
        "gin 16 bn relu | gin 16 bn relu | jk cat | dense classes",
        "gat 16 heads=4 elu | gat classes heads=2",
        "kprop 2 | dense 16 selu | kprop 2 | dense classes",
        "dense 16 tanh | sum | dense 16 ln relu skip | dense classes",
        "pcmp 3 a=.1 b=.3 | dense 16 relu | dense classes"};
    parts p = make_parts(11);
    pvg_dataset *data = make_dataset(&p);
    for (int precision = 0; precision < 2; precision++) {
        pvg_training_config config = {
            .size = sizeof config, .precision = precision, .epochs = 150};
        const double alone =
            test_accuracy(data, "dense 16 relu | dense classes", &config);
        TEST_ASSERT_TRUE(alone > .4 && alone < .9);
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
            config.optimiser = (int32_t)(i % 2);
            const double accuracy = test_accuracy(data, texts[i], &config);
            PVGT_CHECK(accuracy > alone + .03 && accuracy > .75, "\"%s\": %g, alone %g",
                       texts[i], accuracy, alone);
        }
    }
    pvg_training_config config = {.size = sizeof config,
                                  .optimiser = PVG_OPTIMISER_SGD,
                                  .rate = .2,
                                  .epochs = 200,
                                  .cosine = 1,
                                  .warmup = 10,
                                  .balance = 1,
                                  .smoothing = .1,
                                  .clip = 1,
                                  .select = PVG_SELECT_ACCURACY};
    TEST_ASSERT_TRUE(test_accuracy(data, texts[0], &config) > .75);
    config = (pvg_training_config){.size = sizeof config, .loss = PVG_LOSS_BINARY};
    TEST_ASSERT_TRUE(test_accuracy(data, texts[0], &config) > .75);
    config.loss = PVG_LOSS_SQUARES;
    TEST_ASSERT_TRUE(test_accuracy(data, texts[0], &config) > .75);
    pvg_dataset_free(data);
    free_parts(&p);
}

/* Reported labels: a third is wrong, and which is known in distribution. */
static void reported_labels_are_corrected(void) {
    const double transition[] = {.6, .3, .1, .1, .6, .3, .3, .1, .6};
    uint64_t state = 3;
    parts p = make_parts(12);
    const int32_t *truth;
    int32_t reported[ORDER];
    pvg_dataset *clean = make_dataset(&p);
    PVGT_OK(pvg_labels_view(&truth, p.labels));
    for (int v = 0; v < ORDER; v++) {
        const int64_t coin = pvgt_below(&state, 10);
        const double *row = transition + 3 * truth[v];
        reported[v] = coin < 10 * row[0] - 1e-9              ? 0
                      : coin < 10 * (row[0] + row[1]) - 1e-9 ? 1
                                                             : 2;
    }
    pvg_labels *noisy;
    PVGT_OK(pvg_labels_from_array(&noisy, reported, ORDER));
    pvg_labels *keep = p.labels;
    p.labels = noisy;
    pvg_dataset *data = make_dataset(&p);
    p.labels = keep;
    pvg_training_config config = {.size = sizeof config, .transition = transition};
    for (int64_t rounds = 0; rounds <= 2; rounds += 2) {
        config.target_rounds = rounds;
        if (rounds > 0) { /* its targets are not those of the validation loss */
            config.select = PVG_SELECT_LAST;
            config.decay = -1;
            config.epochs = 100;
        }
        pvg_model *model =
            train(data, "kprop 2 | gcn 16 bn relu | gcn classes", &config, 5);
        double accuracy;
        PVGT_OK(
            pvg_model_score_exact(&accuracy, NULL, model, clean, PVG_PART_TEST, NULL));
        PVGT_CHECK(accuracy > .75, "rounds %d: %g", (int)rounds, accuracy);
        pvg_model_free(model);
    }
    const double bad[] = {.6, .3, .2, .1, .6, .3, .3, .1, .6};
    config.transition = bad;
    pvg_network *network;
    pvg_model *model = NULL;
    pvg_rng *rng;
    PVGT_OK(pvg_network_from_text(&network, "dense 3", INPUTS, 3));
    PVGT_OK(pvg_rng_new_seeded(&rng, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "row 0 of transition",
               pvg_model_train(&model, network, data, &config, NULL, rng, NULL));
    pvg_rng_free(rng);
    pvg_network_free(network);
    pvg_labels_free(noisy);
    pvg_dataset_free(data);
    pvg_dataset_free(clean);
    free_parts(&p);
}

/* A model that can memorise: training rows are predicted perfectly by a model that saw
 * them, and by chance by those that did not. */
static void folds_do_not_predict_what_they_saw(void) {
    uint64_t state = 77;
    parts p = make_parts(13);
    int32_t coins[ORDER];
    pvg_labels *random;
    for (int v = 0; v < ORDER; v++) coins[v] = (int32_t)pvgt_below(&state, 3);
    PVGT_OK(pvg_labels_from_array(&random, coins, ORDER));
    pvg_labels *keep = p.labels;
    p.labels = random;
    pvg_dataset *data = make_dataset(&p);
    p.labels = keep;
    pvg_training_config config = {
        .size = sizeof config, .epochs = 400, .select = PVG_SELECT_LAST, .decay = -1};
    double seen, unseen;
    pvg_model *model = train(data, "dense 64 relu | dense classes", &config, 6);
    PVGT_OK(pvg_model_score_exact(&seen, NULL, model, data, PVG_PART_TRAIN, NULL));
    pvg_model_free(model);
    config.folds = 2;
    config.averages = 2;
    model = train(data, "dense 64 relu | dense classes", &config, 6);
    TEST_ASSERT_EQUAL_INT64(4, pvg_model_members(model));
    PVGT_OK(pvg_model_score_exact(&unseen, NULL, model, data, PVG_PART_TRAIN, NULL));
    PVGT_CHECK(seen > .95 && unseen < .55, "seen %g, unseen %g", seen, unseen);
    pvg_model_free(model);
    pvg_labels_free(random);
    pvg_dataset_free(data);
    free_parts(&p);
}

static void probabilities_are_calibrated(void) {
    parts p = make_parts(14);
    pvg_dataset *data = make_dataset(&p);
    pvg_training_config config = {.size = sizeof config,
                                  .epochs = 300,
                                  .select = PVG_SELECT_LAST,
                                  .decay = -1,
                                  .averages = 2};
    double before, after, accuracy[2], row[3 * ORDER];
    pvg_model *model = train(data, "dense 64 relu | dense classes", &config, 6);
    PVGT_OK(pvg_model_score_exact(&accuracy[0], &before, model, data, 1, NULL));
    TEST_ASSERT_EQUAL_DOUBLE(1, pvg_model_temperature_exact(model));
    pvg_model_free(model);
    config.calibrate = 1;
    model = train(data, "dense 64 relu | dense classes", &config, 6);
    PVGT_OK(pvg_model_score_exact(&accuracy[1], &after, model, data, 1, NULL));
    TEST_ASSERT_TRUE(pvg_model_temperature_exact(model) > 1.2);
    TEST_ASSERT_TRUE(after < before - .02);
    TEST_ASSERT_EQUAL_DOUBLE(accuracy[0], accuracy[1]);
    PVGT_OK(pvg_model_predict_exact(row, model, data, PVG_PREDICT_PROBABILITIES, NULL));
    for (int v = 0; v < ORDER; v++)
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1, row[3 * v] + row[3 * v + 1] + row[3 * v + 2]);
    pvg_model_free(model);
    pvg_dataset_free(data);
    free_parts(&p);
}

static void predictions_have_kinds(void) {
    parts p = make_parts(15);
    pvg_dataset *data = make_dataset(&p);
    const pvg_training_config config = {.size = sizeof config, .epochs = 20, .check = 3};
    double probability[3 * ORDER], logit[3 * ORDER], hidden[5 * ORDER], classes[ORDER];
    double history[4 * 20];
    int64_t count;
    pvg_model *model = train(data, "kprop 2 | gcn 5 relu | gcn classes", &config, 6);
    TEST_ASSERT_EQUAL_INT64(0, pvg_model_columns(model, PVG_PREDICT_HIDDEN));
    TEST_ASSERT_EQUAL_INT64(5, pvg_model_columns(model, PVG_PREDICT_HIDDEN + 1));
    TEST_ASSERT_EQUAL_INT64(0, pvg_model_columns(model, PVG_PREDICT_HIDDEN + 3));
    TEST_ASSERT_EQUAL_INT64(0, pvg_model_columns(model, INT32_MIN));
    TEST_ASSERT_EQUAL_INT64(0, pvg_model_columns(model, INT32_MAX));
    PVGT_OK(pvg_model_predict_exact(probability, model, data, 0, NULL));
    PVGT_OK(pvg_model_predict_exact(logit, model, data, PVG_PREDICT_LOGITS, NULL));
    PVGT_OK(pvg_model_predict_exact(classes, model, data, PVG_PREDICT_CLASSES, NULL));
    PVGT_OK(pvg_model_predict_exact(hidden, model, data, PVG_PREDICT_HIDDEN + 1, NULL));
    for (int v = 0; v < ORDER; v++) {
        double sum = 0;
        int best = 0;
        for (int j = 0; j < 3; j++) {
            sum += exp(logit[3 * v + j]);
            if (logit[3 * v + j] > logit[3 * v + best]) best = j;
        }
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, exp(logit[3 * v]) / sum, probability[3 * v]);
        TEST_ASSERT_EQUAL_DOUBLE(best, classes[v]);
        for (int j = 0; j < 5; j++) TEST_ASSERT_TRUE(hidden[5 * v + j] >= 0);
    }
    PVGT_FAILS(PVG_E_ARGUMENT, "kind is 3",
               pvg_model_predict_exact(logit, model, data, 3, NULL));
    PVGT_OK(pvg_model_copy_history_exact(history, &count, model));
    TEST_ASSERT_EQUAL_INT64(7, count);
    TEST_ASSERT_EQUAL_DOUBLE(20, history[24]);
    TEST_ASSERT_TRUE(history[25] < history[1]);
    const double before = history[1];
    /* going on from a model is not starting over */
    pvg_network *network;
    pvg_model *next;
    pvg_rng *rng;
    PVGT_OK(
        pvg_network_from_text(&network, "kprop 2 | gcn 5 relu | gcn classes", INPUTS, 3));
    PVGT_OK(pvg_rng_new_seeded(&rng, 1));
    PVGT_OK(pvg_model_train(&next, network, data, &config, model, rng, NULL));
    PVGT_OK(pvg_model_copy_history_exact(history, &count, next));
    TEST_ASSERT_TRUE(history[1] < before);
    pvg_model_free(next);
    const pvg_training_config two = {.size = sizeof two, .averages = 2};
    PVGT_FAILS(PVG_E_ARGUMENT, "start has 1 models",
               pvg_model_train(&next, network, data, &two, model, rng, NULL));
    pvg_rng_free(rng);
    pvg_network_free(network);
    pvg_model_free(model);
    pvg_dataset_free(data);
    free_parts(&p);
}

static int32_t stop(void *context, double fraction) {
    TEST_ASSERT_TRUE(fraction >= 0 && fraction <= 1);
    return ++*(int *)context >= 2;
}

static void failures_are_clear(void) {
    parts p = make_parts(16);
    pvg_dataset *data = make_dataset(&p);
    pvg_network *network, *other;
    pvg_model *model = NULL;
    pvg_rng *rng;
    int calls = 0;
    uint64_t bytes;
    pvg_training_config config = {
        .size = sizeof config, .epochs = 1000000, .patience = -1};
    PVGT_OK(pvg_rng_new_seeded(&rng, 1));
    PVGT_OK(pvg_network_from_text(&network, "dense 64 relu | gcn 3", INPUTS, 3));
    PVGT_OK(pvg_network_from_text(&other, "dense 64 relu | gcn 3", INPUTS + 1, 3));
    pvg_run run = {.size = sizeof run, .progress = stop, .progress_context = &calls};
    PVGT_FAILS(PVG_E_CANCELLED, "cancelled",
               pvg_model_train(&model, network, data, &config, NULL, rng, &run));
    TEST_ASSERT_NULL(model);
    run = (pvg_run){.size = sizeof run, .scratch_limit = 1000};
    PVGT_FAILS(PVG_E_LIMIT, "scratch_limit",
               pvg_model_train(&model, network, data, &config, NULL, rng, &run));
    config = (pvg_training_config){.size = sizeof config,
                                   .loss = PVG_LOSS_SQUARES,
                                   .optimiser = PVG_OPTIMISER_SGD,
                                   .rate = 1e5,
                                   .select = PVG_SELECT_LAST};
    PVGT_FAILS(PVG_E_NUMERIC, "the loss is not finite in epoch",
               pvg_model_train(&model, network, data, &config, NULL, rng, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "made for 13 inputs, the dataset has 12",
               pvg_model_train(&model, other, data, NULL, NULL, rng, NULL));
    pvg_network_free(other);
    PVGT_OK(pvg_network_from_text(&other, "dense 2", INPUTS, 2));
    PVGT_FAILS(PVG_E_ARGUMENT, "is none of 2 classes",
               pvg_model_train(&model, other, data, NULL, NULL, rng, NULL));
    pvg_network_free(other);
    PVGT_OK(pvg_network_from_text(&other, "dense 4", INPUTS, 4));
    PVGT_FAILS(PVG_E_ARGUMENT, "class 3 has no training row",
               pvg_model_train(&model, other, data, NULL, NULL, rng, NULL));
    pvg_network_free(other);
    PVGT_OK(pvg_network_from_text(&other, "gcn 8 | pool sum | dense 3", INPUTS, 3));
    PVGT_FAILS(PVG_E_ARGUMENT, "pool needs a dataset of graphs",
               pvg_network_memory_exact(&bytes, other, data, NULL));
    config = (pvg_training_config){.size = sizeof config, .check = 65};
    PVGT_FAILS(PVG_E_ARGUMENT, "check is 65",
               pvg_network_memory_exact(&bytes, network, data, &config));
    config = (pvg_training_config){.size = sizeof config, .smoothing = NAN};
    PVGT_FAILS(PVG_E_ARGUMENT, "smoothing is nan",
               pvg_network_memory_exact(&bytes, network, data, &config));
    PVGT_OK(pvg_network_memory_exact(&bytes, network, data, NULL));
    const size_t begin = pvgt_peak_begin();
    config = (pvg_training_config){.size = sizeof config, .epochs = 2};
    PVGT_OK(pvg_model_train(&model, network, data, &config, NULL, rng, NULL));
    const size_t peak = pvgt_peak_bytes(begin);
    PVGT_CHECK(peak >= bytes && peak < bytes + (1 << 20), "peak %zu, told %llu", peak,
               (unsigned long long)bytes);
    pvg_model_free(model);
    pvg_network_free(other);
    pvg_network_free(network);
    pvg_rng_free(rng);
    pvg_dataset_free(data);
    free_parts(&p);
}

/* Labels that an error would tell about are left out without a word. */
static void private_labels_tell_nothing(void) {
    parts p = make_parts(17);
    pvg_dataset_builder *builder;
    pvg_dataset *data;
    pvg_network *network;
    pvg_model *model;
    pvg_rng *rng;
    PVGT_OK(pvg_dataset_builder_new(&builder, ORDER));
    PVGT_OK(pvg_dataset_builder_add_private_graph(builder, p.graph));
    PVGT_FAILS(PVG_E_ARGUMENT, "a graph already",
               pvg_dataset_builder_add_public_graph(builder, p.graph));
    PVGT_OK(pvg_dataset_builder_add_private_features(builder, p.features));
    PVGT_OK(pvg_dataset_builder_add_private_labels(builder, p.labels));
    PVGT_OK(pvg_dataset_builder_finish(&data, builder));
    PVGT_FAILS(PVG_E_ARGUMENT, "finished",
               pvg_dataset_builder_set_split(builder, p.split, ORDER));
    pvg_dataset_builder_free(builder);
    TEST_ASSERT_EQUAL_INT32(1, pvg_dataset_holds_secrets(data));
    PVGT_OK(pvg_rng_new_seeded(&rng, 1));
    PVGT_OK(pvg_network_from_text(&network, "dense 2", INPUTS, 2));
    PVGT_OK(pvg_model_train(&model, network, data, NULL, NULL, rng, NULL));
    pvg_model_free(model);
    pvg_network_free(network);
    PVGT_OK(pvg_network_from_text(&network, "dense 9", INPUTS, 9));
    PVGT_OK(pvg_model_train(&model, network, data, NULL, NULL, rng, NULL));
    pvg_model_free(model);
    pvg_network_free(network);
    pvg_rng_free(rng);
    pvg_dataset_free(data);
    free_parts(&p);
}

/* Graphs: triangles or not, seen by degree alone. */
/* Tiny steps from the same weights: those of three batches of 20 training rows add up to
 * three of the whole. */
static void batches_add_up(const pvg_dataset *data, const char *text, int64_t items,
                           int64_t inputs, int64_t classes) {
    static double start[2048], one[2048], many[2048];
    pvg_training_config config = {.size = sizeof config,
                                  .optimiser = PVG_OPTIMISER_SGD,
                                  .loss = classes == 1 ? PVG_LOSS_BINARY
                                                       : PVG_LOSS_CROSS_ENTROPY,
                                  .select = PVG_SELECT_LAST,
                                  .precision = PVG_PRECISION_DOUBLE,
                                  .epochs = 1,
                                  .rate = 1e-7,
                                  .decay = -1,
                                  .momentum = -1};
    pvg_network *network;
    pvg_model *first, *whole, *parts_of_it;
    pvg_rng *rng;
    double most = 0, apart = 0;
    PVGT_OK(pvg_rng_new_seeded(&rng, 5));
    PVGT_OK(pvg_network_from_text(&network, text, inputs, classes));
    const int64_t count = pvg_network_parameters(network);
    TEST_ASSERT_TRUE(count <= 2048);
    PVGT_OK(pvg_model_train(&first, network, data, &config, NULL, rng, NULL));
    PVGT_OK(pvg_model_train(&whole, network, data, &config, first, rng, NULL));
    config.batch = items / 3;
    PVGT_OK(pvg_model_train(&parts_of_it, network, data, &config, first, rng, NULL));
    PVGT_OK(pvg_model_copy_weights_exact(start, first, 0));
    PVGT_OK(pvg_model_copy_weights_exact(one, whole, 0));
    PVGT_OK(pvg_model_copy_weights_exact(many, parts_of_it, 0));
    for (int64_t i = 0; i < count; i++) {
        most = fmax(most, fabs(one[i] - start[i]));
        apart = fmax(apart, fabs(many[i] - start[i] - 3 * (one[i] - start[i])));
    }
    PVGT_CHECK(most > 0 && apart < 1e-3 * most, "\"%s\": %g of %g", text, apart, most);
    pvg_model_free(first);
    pvg_model_free(whole);
    pvg_model_free(parts_of_it);
    pvg_network_free(network);
    pvg_rng_free(rng);
}

static void graphs_are_classified(void) {
    const double zeta[] = {.02, .28};
    pvg_graphset *set;
    pvg_rng *rng;
    pvg_features *ones;
    pvg_dataset_builder *builder;
    pvg_dataset *data;
    pvg_network *network;
    pvg_model *model;
    int32_t split[60];
    double accuracy;
    PVGT_OK(pvg_rng_new_seeded(&rng, 3));
    PVGT_OK(pvg_graphset_draw_sbm(&set, 20, zeta, 2, 30, .3, rng, NULL));
    const int64_t order = pvg_graphset_order(set);
    double *dense = malloc((size_t)order * sizeof *dense);
    for (int64_t i = 0; i < order; i++) dense[i] = 1;
    for (int i = 0; i < 60; i++) split[i] = (int32_t)(i % 3);
    PVGT_OK(pvg_features_from_dense(&ones, order, 1, dense));
    PVGT_OK(pvg_dataset_builder_new(&builder, order));
    PVGT_OK(pvg_dataset_builder_add_public_graphset(builder, set));
    PVGT_OK(pvg_dataset_builder_add_public_features(builder, ones));
    PVGT_OK(pvg_dataset_builder_set_split(builder, split, 60));
    PVGT_OK(pvg_dataset_builder_finish(&data, builder));
    TEST_ASSERT_EQUAL_INT64(60, pvg_dataset_rows(data));
    PVGT_OK(pvg_network_from_text(&network,
                                  "gin 16 relu | gin 16 relu | pool mean | dense "
                                  "classes",
                                  1, 2));
    const pvg_training_config config = {.size = sizeof config, .patience = -1};
    PVGT_OK(pvg_model_train(&model, network, data, &config, NULL, rng, NULL));
    PVGT_OK(pvg_model_score_exact(&accuracy, NULL, model, data, PVG_PART_TEST, NULL));
    PVGT_CHECK(accuracy > .7, "%g", accuracy);
    pvg_model_free(model);
    pvg_dataset_free(data);
    pvg_dataset_builder_free(builder);
    PVGT_OK(pvg_dataset_builder_new(&builder, order)); /* all graphs train */
    PVGT_OK(pvg_dataset_builder_add_public_graphset(builder, set));
    PVGT_OK(pvg_dataset_builder_add_public_features(builder, ones));
    PVGT_OK(pvg_dataset_builder_finish(&data, builder));
    batches_add_up(data, "gin 16 relu | gat 8 elu | pool mean | dense classes", 60, 1, 2);
    pvg_network_free(network);
    pvg_dataset_free(data);
    pvg_dataset_builder_free(builder);
    pvg_features_free(ones);
    pvg_graphset_free(set);
    pvg_rng_free(rng);
    free(dense);
}

/* --- windows ------------------------------------------------------------------------ */

enum { WINDOW = 6, WINDOWS = 60, SEEN = WINDOW * WINDOWS, PAIRS = WINDOWS * 15 };

/* Nodes of two kinds; whether two are alike shows only in the square of a hidden sign. */
static pvg_dataset *make_windows(bool pairs, bool told, bool parted, uint64_t seed) {
    uint64_t state = seed;
    static double x[SEEN * 4], links[SEEN * WINDOW];
    static int32_t kind[SEEN], classes[PAIRS], split[PAIRS];
    pvg_dataset_builder *builder;
    pvg_dataset *data;
    pvg_features *rows;
    pvg_labels *all;
    int64_t count = 0;
    for (int64_t v = 0; v < SEEN; v++) {
        kind[v] = (int32_t)pvgt_below(&state, 2);
        for (int j = 0; j < 4; j++)
            x[v * 4 + j] = (double)pvgt_below(&state, 1000) / 1000 - .5;
        if (!told) x[v * 4] += kind[v] ? 1.5 : -1.5;
    }
    for (int64_t v = 0; v < SEEN; v++)
        for (int64_t u = 0; u < WINDOW; u++)
            links[v * WINDOW + u] = kind[v] == kind[v / WINDOW * WINDOW + u];
    for (int64_t w = 0; w < WINDOWS && pairs; w++)
        for (int64_t i = 0; i < WINDOW; i++)
            for (int64_t j = i + 1; j < WINDOW; j++, count++) {
                classes[count] = kind[w * WINDOW + i] == kind[w * WINDOW + j];
                split[count] = (int32_t)(w % 3);
            }
    /* most of the window are of the node's kind: neighbours tell, the node does not */
    for (int64_t v = 0; v < SEEN && !pairs; v++) {
        int alike = 0;
        for (int64_t u = 0; u < WINDOW; u++) alike += links[v * WINDOW + u] > 0;
        classes[count] = alike > WINDOW / 2;
        split[count++] = (int32_t)(v / WINDOW % 3);
    }
    PVGT_OK(pvg_features_from_dense(&rows, SEEN, 4, x));
    PVGT_OK(pvg_labels_from_array(&all, classes, count));
    PVGT_OK(pvg_dataset_builder_new(&builder, SEEN));
    PVGT_OK(pvg_dataset_builder_add_public_windows(
        builder, WINDOW, pairs, told ? links : NULL, told ? SEEN * WINDOW : 0));
    PVGT_OK(pvg_dataset_builder_add_public_features(builder, rows));
    PVGT_OK(pvg_dataset_builder_add_public_labels(builder, all));
    if (parted) PVGT_OK(pvg_dataset_builder_set_split(builder, split, count));
    PVGT_OK(pvg_dataset_builder_finish(&data, builder));
    TEST_ASSERT_EQUAL_INT64(count, pvg_dataset_rows(data));
    pvg_dataset_builder_free(builder);
    pvg_features_free(rows);
    pvg_labels_free(all);
    return data;
}

static double window_accuracy(const pvg_dataset *data, const char *text, int64_t batch,
                              uint32_t threads, double *weights) {
    const pvg_training_config config = {.size = sizeof config,
                                        .optimiser = PVG_OPTIMISER_ADAMW,
                                        .loss = PVG_LOSS_BINARY,
                                        .epochs = batch ? 60 : 150,
                                        .batch = batch,
                                        .warmup = 2,
                                        .cosine = 1};
    const pvg_run run = {.size = sizeof run, .threads = threads};
    pvg_network *network;
    pvg_model *model;
    pvg_rng *rng;
    double accuracy;
    uint64_t whole, batched;
    const pvg_training_config full = {.size = sizeof full};
    PVGT_OK(pvg_network_from_text(&network, text, 4, 1));
    PVGT_OK(pvg_network_memory_exact(&whole, network, data, &full));
    PVGT_OK(pvg_network_memory_exact(&batched, network, data, &config));
    TEST_ASSERT_TRUE(batch ? batched > whole && batched < 20 * whole : batched == whole);
    PVGT_OK(pvg_rng_new_seeded(&rng, 3));
    PVGT_OK(pvg_model_train(&model, network, data, &config, NULL, rng, &run));
    PVGT_OK(pvg_model_score(&accuracy, NULL, model, data, PVG_PART_TEST, NULL));
    if (weights) PVGT_OK(pvg_model_copy_weights_exact(weights, model, 0));
    pvg_rng_free(rng);
    pvg_model_free(model);
    pvg_network_free(network);
    return accuracy;
}

static void windows_and_pairs_are_learnt(void) {
    static double one[4096], two[4096];
    pvg_dataset *pairs = make_windows(true, false, true, 5),
                *linked = make_windows(true, true, true, 6),
                *nodes = make_windows(false, false, true, 7);
    const char *text =
        "dense 8 tanh | attend heads=2 relu skip ln | pairs 8 cosine relu | "
        "dense 1";
    for (int64_t batch = 0; batch <= 8; batch += 8) {
        double found = window_accuracy(pairs, text, batch, 1, batch ? one : NULL);
        PVGT_CHECK(found > .9, "pairs, batch %d: %g", (int)batch, found);
        /* features say nothing, links everything */
        found =
            window_accuracy(linked,
                            "dense 8 | attend links relu skip ln | pairs 8 links relu | "
                            "dense 1",
                            batch, 1, NULL);
        PVGT_CHECK(found > .9, "links, batch %d: %g", (int)batch, found);
        /* a node's own features do not tell whether it is one of many */
        found =
            window_accuracy(nodes, "dense 8 tanh | attend heads=2 relu skip ln | dense 1",
                            batch, 1, NULL);
        const double alone =
            window_accuracy(nodes, "dense 8 tanh | dense 1", batch, 1, NULL);
        PVGT_CHECK(found > .65 && found > alone + .1, "nodes, batch %d: %g, alone %g",
                   (int)batch, found, alone);
    }
    pvg_dataset *all = make_windows(true, true, false, 8);
    batches_add_up(all,
                   "dense 8 tanh | attend heads=2 links tanh skip ln | pairs 8 links "
                   "cosine tanh | dense 1",
                   WINDOWS, 4, 1);
    pvg_dataset_free(all);
    all = make_windows(false, false, false, 9);
    batches_add_up(all, "dense 8 tanh | attend | dense classes", WINDOWS, 4, 2);
    pvg_dataset_free(all);
    window_accuracy(pairs, text, 8, 3, two);
    TEST_ASSERT_EQUAL_MEMORY(one, two, sizeof one); /* threads change no bit */
    pvg_dataset_free(pairs);
    pvg_dataset_free(linked);
    pvg_dataset_free(nodes);
}

static void windows_are_checked(void) {
    const double nan[ORDER * 2] = {NAN}, some[4] = {1, 1, -1, 1};
    parts p = make_parts(3);
    pvg_dataset_builder *b;
    PVGT_OK(pvg_dataset_builder_new(&b, ORDER));
#define WINDOWS_OF(size, pairs, links)                                                   \
    pvg_dataset_builder_add_public_windows(b, size, pairs, links, 2 * ORDER)
    PVGT_FAILS(PVG_E_ARGUMENT, "size", WINDOWS_OF(1, 0, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "size", WINDOWS_OF(1025, 0, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "not whole windows", WINDOWS_OF(7, 0, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "pairs", WINDOWS_OF(2, 2, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "links[0]", WINDOWS_OF(2, 0, nan));
    PVGT_FAILS(PVG_E_ARGUMENT, "links for", WINDOWS_OF(3, 0, nan));
    PVGT_FAILS(PVG_E_ARGUMENT, "no graph yet",
               pvg_dataset_builder_set_arc_weights(b, some, 4, PVG_ARCS_WEIGHTS));
    PVGT_OK(pvg_dataset_builder_add_public_graph(b, p.graph));
    PVGT_FAILS(PVG_E_ARGUMENT, "4 weights",
               pvg_dataset_builder_set_arc_weights(b, some, 4, PVG_ARCS_WEIGHTS));
    PVGT_OK(pvg_dataset_builder_add_public_labels(b, p.labels));
    PVGT_FAILS(PVG_E_ARGUMENT, "before labels", WINDOWS_OF(2, 1, NULL));
    PVGT_OK(WINDOWS_OF(2, 0, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "already", WINDOWS_OF(2, 0, NULL));
#undef WINDOWS_OF
    pvg_dataset_builder_free(b);
    /* private links keep what is made from them inside */
    pvg_dataset *data;
    PVGT_OK(pvg_dataset_builder_new(&b, ORDER));
    PVGT_OK(pvg_dataset_builder_add_private_windows(b, 2, 0, nan, 2 * ORDER));
    PVGT_OK(pvg_dataset_builder_add_public_features(b, p.features));
    PVGT_OK(pvg_dataset_builder_add_public_labels(b, p.labels));
    PVGT_OK(pvg_dataset_builder_finish(&data, b));
    TEST_ASSERT_EQUAL_INT32(1, pvg_dataset_holds_secrets(data));
    pvg_dataset_builder_free(b);
    pvg_training_config config = {.size = sizeof config, .epochs = 3};
    pvg_model *model = train(data, "dense 4 | attend links | dense classes", &config, 1);
    pvg_release *release;
    PVGT_FAILS(PVG_E_PRIVACY, "private",
               pvg_model_predict(&release, model, data, PVG_PREDICT_CLASSES,
                                 PVG_NOTION_EDGE, NULL, NULL));
    pvg_model_free(model);
    pvg_dataset_free(data);
    /* what does not fit together */
    pvg_network *network;
    pvg_rng *rng;
    data = make_dataset(&p);
    PVGT_OK(pvg_rng_new_seeded(&rng, 1));
    config.batch = 10;
    static const struct {
        const char *text, *message;
    } wrong[] = {{"attend | dense classes", "looks at windows"},
                 {"pairs 3 | dense classes", "looks at windows"},
                 {"gcn 3 | dense classes", "batch needs"}};
    for (int i = 0; i < 3; i++) {
        PVGT_OK(pvg_network_from_text(&network, wrong[i].text, INPUTS, BLOCKS));
        PVGT_FAILS(PVG_E_ARGUMENT, wrong[i].message,
                   pvg_model_train(&model, network, data, &config, NULL, rng, NULL));
        pvg_network_free(network);
    }
    /* a network of rows takes batches of rows */
    config.epochs = 60;
    config.batch = 16;
    PVGT_CHECK(test_accuracy(data, "dense 16 relu | dense classes", &config) > .4,
               "rows");
    pvg_rng_free(rng);
    pvg_dataset_free(data);
    free_parts(&p);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(wrong_words_are_named_with_their_place);
    RUN_TEST(texts_tell_their_size);
    RUN_TEST(networks_learn);
    RUN_TEST(reported_labels_are_corrected);
    RUN_TEST(folds_do_not_predict_what_they_saw);
    RUN_TEST(probabilities_are_calibrated);
    RUN_TEST(predictions_have_kinds);
    RUN_TEST(failures_are_clear);
    RUN_TEST(private_labels_tell_nothing);
    RUN_TEST(graphs_are_classified);
    RUN_TEST(windows_and_pairs_are_learnt);
    RUN_TEST(windows_are_checked);
    return pvgt_end(UNITY_END());
}
