/* Stack of the calls that go deepest, on graphs large enough for every block of noise:
 * drawing by every perturber and statistic, files, a ledger on disk, training. What
 * test/api/calls.py does for every function with its smallest arguments. */
#include "handles.h"
#include "stack.h"
#include "support.h"

#include <privgraph-learn.h>
#include <unistd.h>

enum { ORDER = 1500, WIDE = 9, CLASSES = 4 };
enum { BLAS_STACK = 1 << 16 }; /* what BLAS and LAPACK may take in these calls */

static pvg_graph *graph;
static pvg_features *features;
static pvg_labels *labels;
static pvg_rng *rng;

void setUp(void) {
    static double values[ORDER * WIDE];
    int32_t classes[ORDER];
    for (int i = 0; i < ORDER * WIDE; i++) values[i] = (double)(i % 7) / 8.0;
    for (int i = 0; i < ORDER; i++) classes[i] = i % CLASSES;
    PVGT_OK(pvg_rng_new_seeded(&rng, 5));
    PVGT_OK(pvg_graph_draw_erdos_renyi(&graph, ORDER, 0.008, rng, NULL));
    PVGT_OK(pvg_features_from_dense(&features, ORDER, WIDE, values));
    PVGT_OK(pvg_labels_from_array(&labels, classes, ORDER));
}

void tearDown(void) {
    pvg_graph_free(graph);
    pvg_features_free(features);
    pvg_labels_free(labels);
    pvg_rng_free(rng);
}

typedef struct {
    const char *name;
    int32_t (*call)(void);
    size_t beside; /* of BLAS */
} deep;

static const pvg_target pure = {.size = sizeof pure, .epsilon = 4, .allow_seeded = 1};
static const pvg_target gauss = {
    .size = sizeof gauss, .epsilon = 4, .delta = 1e-6, .allow_seeded = 1};

static int32_t draw_perturbed(pvg_perturber *perturber, int32_t made) {
    pvg_release *release = NULL;
    if (made == PVG_OK)
        made = pvgt_release_draw_graph(&release, perturber, graph, 1, rng, NULL, NULL);
    pvg_release_free(release);
    pvgt_perturber_free(perturber);
    return made;
}

#define PERTURBER(NAME, ...)                                                             \
    static int32_t NAME(void) {                                                          \
        pvg_perturber *perturber = NULL;                                                 \
        const int32_t made = pvgt_perturber_new_##NAME(&perturber, __VA_ARGS__);         \
        return draw_perturbed(perturber, made);                                          \
    }
static const pvg_slots_config slots_config = {.size = sizeof slots_config,
                                              .order = ORDER};
PERTURBER(response, NULL, &pure)
PERTURBER(lapgraph, NULL, &pure)
PERTURBER(dprr, NULL, &pure)
PERTURBER(blink, NULL, &pure)
PERTURBER(subset, NULL, &pure)
PERTURBER(slots, &slots_config, &pure, NULL, NULL)

static int32_t draw_statistic(pvg_statistic *statistic, int32_t made) {
    pvg_release *release = NULL;
    if (made == PVG_OK)
        made =
            pvgt_release_draw_statistic(&release, statistic, graph, 1, rng, NULL, NULL);
    pvg_release_free(release);
    pvgt_statistic_free(statistic);
    return made;
}

#define STATISTIC(NAME, ...)                                                             \
    static int32_t NAME(void) {                                                          \
        pvg_statistic *statistic = NULL;                                                 \
        const int32_t made = pvgt_statistic_new_##NAME(&statistic, __VA_ARGS__);         \
        return draw_statistic(statistic, made);                                          \
    }
static const pvg_histogram_config histogram_config = {
    .size = sizeof histogram_config, .order = ORDER, .kinds = 1};
static const pvg_degrees_config degrees_config = {
    .size = sizeof degrees_config, .order = ORDER, .levels = 5, .ranks = -1};
static const int32_t every_scalar[] = {1, 2, 3, 4, 5, 6, 7, 8};
static const pvg_scalars_config scalars_config = {.size = sizeof scalars_config,
                                                  .count = 8};
static const pvg_synthesis_config synthesis_config = {.size = sizeof synthesis_config,
                                                      .order = ORDER};
STATISTIC(histogram, &histogram_config, &pure, NULL)
STATISTIC(degrees, &degrees_config, &pure, NULL)
STATISTIC(triangles, NULL, &pure)
STATISTIC(scalars, &scalars_config, &pure, every_scalar, NULL)
STATISTIC(synthesis, &synthesis_config, &pure, NULL)

static int32_t spectrum(void) {
    pvg_statistic *statistic = NULL;
    pvg_graph *small = graph;
    int32_t status = pvg_graph_new_cycle(&graph, 90);
    if (status == PVG_OK) status = pvgt_statistic_new_spectrum(&statistic, 90, &pure);
    status = draw_statistic(statistic, status);
    pvg_graph_free(graph);
    graph = small;
    return status;
}

static int32_t embedding(void) {
    pvg_patterns *patterns = NULL;
    pvg_embedder *embedder = NULL;
    pvg_release *release = NULL;
    int32_t status = pvg_patterns_from_names(
        &patterns, "edge,path3,path4,star5,triangle,cycle4,cycle5,clique4,wheel4");
    const pvg_embedder_config config = {.size = sizeof config};
    if (status == PVG_OK)
        status = pvgt_embedder_new(&embedder, patterns, &config, &gauss, NULL, NULL);
    if (status == PVG_OK)
        status =
            pvgt_release_draw_embedding(&release, embedder, graph, 1, rng, NULL, NULL);
    pvg_release_free(release);
    pvgt_embedder_free(embedder);
    pvg_patterns_free(patterns);
    return status;
}

static int32_t propagation(void) {
    const pvg_layers_config stack = {.size = sizeof stack, .depth = 2};
    const pvg_assumption assumption = {.size = sizeof assumption,
                                       .degrees = PVG_DEGREES_TRUNCATED,
                                       .order = ORDER,
                                       .degree_bound = 4};
    pvg_layers *layers = NULL;
    pvg_propagator *propagator = NULL;
    pvg_release *release = NULL;
    int32_t status = pvg_layers_new(&layers, &stack, NULL, 0);
    if (status == PVG_OK)
        status =
            pvgt_propagator_new(&propagator, layers, &assumption, WIDE, NULL, &gauss);
    if (status == PVG_OK)
        status = pvgt_release_draw_propagation(&release, propagator, graph, features, 1,
                                               rng, NULL, NULL);
    pvg_release_free(release);
    pvgt_propagator_free(propagator);
    pvg_layers_free(layers);
    return status;
}

static int32_t users_features(void) {
    const pvg_features_config config = {
        .size = sizeof config, .columns = WIDE, .ranges = 1};
    const double low = 0, high = 1;
    pvg_perturber *perturber = NULL;
    pvg_release *release = NULL;
    int32_t status = pvgt_perturber_new_features(&perturber, &config, &pure, &low, &high);
    if (status == PVG_OK)
        status =
            pvgt_release_draw_features(&release, perturber, features, 1, rng, NULL, NULL);
    pvg_release_free(release);
    pvgt_perturber_free(perturber);
    return status;
}

static int32_t files(void) {
    static const char *const names[] = {"stack.txt", "stack.mtx", "stack.g6", "stack.s6"};
    int32_t status = PVG_OK;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && status == PVG_OK; i++) {
        pvg_graph *read = NULL;
        status = pvg_graph_write(names[i], graph, NULL, NULL);
        if (status == PVG_OK) status = pvg_graph_read(&read, names[i], NULL, NULL);
        pvg_graph_free(read);
        unlink(names[i]);
    }
    return status;
}

static int32_t ledger(void) {
    const pvg_ledger_config config = {
        .size = sizeof config, .notion = PVG_NOTION_EDGE, .epsilon = 100, .delta = 0.01};
    pvg_ledger *book = NULL;
    pvg_statistic *statistic = NULL;
    unlink("stack.ledger");
    int32_t status = pvg_ledger_create(&book, "stack.ledger", &config);
    if (status == PVG_OK)
        status = pvgt_statistic_new_degrees(&statistic, &degrees_config, &pure, NULL);
    const uint64_t object = 1;
    for (int i = 0; i < 3 && status == PVG_OK; i++)
        status = pvg_ledger_charge(book, &object, 1, pvgt_statistic_guarantee(statistic));
    pvg_ledger_free(book);
    book = NULL;
    if (status == PVG_OK) status = pvg_ledger_open(&book, "stack.ledger");
    pvg_ledger_free(book);
    pvgt_statistic_free(statistic);
    unlink("stack.ledger");
    return status;
}

static int32_t calibration(void) {
    double out;
    int32_t status = pvg_gaussian_sigma(&out, 1, 1e-6);
    for (int step = 1; step < 4 && status == PVG_OK; step++) {
        const pvg_curve_term term = {
            .size = sizeof term, .kind = PVG_CURVE_GDP, .mu = 0.1 * step};
        pvg_curve *curve = NULL;
        status = pvg_curve_new(&curve, &term);
        if (status == PVG_OK) status = pvg_curve_epsilon(&out, curve, 1e-6);
        pvg_curve_free(curve);
    }
    return status;
}

static int32_t training(void) {
    pvg_network *network = NULL;
    pvg_dataset_builder *builder = NULL;
    pvg_dataset *dataset = NULL;
    pvg_model *model = NULL;
    int32_t split[ORDER];
    for (int i = 0; i < ORDER; i++) split[i] = i % 3;
    const pvg_training_config config = {.size = sizeof config, .epochs = 4, .folds = 2};
    int32_t status =
        pvg_network_from_text(&network, "gcn 8 relu drop .5 | gat 4", WIDE, CLASSES);
    if (status == PVG_OK) status = pvg_dataset_builder_new(&builder, ORDER);
    if (status == PVG_OK) status = pvg_dataset_builder_add_public_graph(builder, graph);
    if (status == PVG_OK)
        status = pvg_dataset_builder_add_public_features(builder, features);
    if (status == PVG_OK) status = pvg_dataset_builder_add_public_labels(builder, labels);
    if (status == PVG_OK) status = pvg_dataset_builder_set_split(builder, split, ORDER);
    if (status == PVG_OK) status = pvg_dataset_builder_finish(&dataset, builder);
    if (status == PVG_OK)
        status = pvg_model_train(&model, network, dataset, &config, NULL, rng, NULL);
    pvg_model_free(model);
    pvg_dataset_free(dataset);
    pvg_dataset_builder_free(builder);
    pvg_network_free(network);
    return status;
}

static const deep calls[] = {{"response", response, 0},
                             {"lapgraph", lapgraph, 0},
                             {"dprr", dprr, 0},
                             {"blink", blink, 0},
                             {"subset", subset, 0},
                             {"slots", slots, 0},
                             {"histogram", histogram, 0},
                             {"degrees", degrees, 0},
                             {"triangles", triangles, 0},
                             {"scalars", scalars, 0},
                             {"synthesis", synthesis, 0},
                             {"spectrum", spectrum, BLAS_STACK},
                             {"embedding", embedding, BLAS_STACK},
                             {"propagation", propagation, BLAS_STACK},
                             {"features", users_features, 0},
                             {"files", files, 0},
                             {"ledger", ledger, 0},
                             {"calibration", calibration, 0},
                             {"training", training, BLAS_STACK}};

static int32_t status_of_call;

static void body(void *context) {
    status_of_call = ((const deep *)context)->call();
}

static void the_deepest_calls_keep_to_the_promised_stack(void) {
    size_t most = 0;
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        deep now = calls[i];
        const size_t used = pvgt_stack_used(body, &now);
        PVGT_CHECK(status_of_call == PVG_OK, "%s: status %d %s", now.name,
                   (int)status_of_call, pvg_error_message());
        PVGT_CHECK(used <= PVG_STACK_MAX + now.beside, "%s: %zu bytes", now.name, used);
        if (now.beside == 0 && used > most) most = used;
    }
    PVGT_CHECK(most > 8000, "a stack that is not touched: %zu", most);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(the_deepest_calls_keep_to_the_promised_stack);
    return pvgt_end(UNITY_END());
}
