/* A model knows what it has seen. One test for each trap. */
#include "handles.h"
#include "network/network_internal.h"
#include "support.h"
#include "training.h"

#include <math.h>
#include <privgraph-learn.h>
#include <stdlib.h>
#include <string.h>

enum { ORDER = 40, INPUTS = 3, CLASSES = 2 };

static pvg_graph *graph;
static pvg_features *features;
static pvg_labels *labels;
static int32_t split[ORDER];
static pvg_rng *rng;

void setUp(void) {
    double dense[ORDER * INPUTS];
    int32_t classes[ORDER];
    uint64_t state = 9;
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

/* --- releases of each part -------------------------------------------------------- */

static pvg_release *release_graph(double epsilon, int seeded) {
    const pvg_response_config config = {.size = sizeof config};
    const pvg_target target = {
        .size = sizeof target, .epsilon = epsilon, .allow_seeded = seeded};
    pvg_perturber *perturber;
    pvg_release *release;
    pvg_rng *seed = NULL;
    PVGT_OK(pvgt_perturber_new_response(&perturber, &config, &target));
    if (seeded) PVGT_OK(pvg_rng_new_seeded(&seed, 1));
    PVGT_OK(pvgt_release_draw_graph(&release, perturber, graph, 0, seeded ? seed : rng,
                                    NULL, NULL));
    pvg_rng_free(seed);
    pvgt_perturber_free(perturber);
    return release;
}

static pvg_release *release_labels(double epsilon) {
    const pvg_labels_config config = {.size = sizeof config, .classes = CLASSES};
    const pvg_target target = {.size = sizeof target, .epsilon = epsilon};
    pvg_perturber *perturber;
    pvg_release *release;
    PVGT_OK(pvgt_perturber_new_labels(&perturber, &config, &target));
    PVGT_OK(pvgt_release_draw_labels(&release, perturber, labels, 1, rng, NULL, NULL));
    pvgt_perturber_free(perturber);
    return release;
}

/* Message passing at edge level: reads the features as they are. */
static pvg_release *release_states(double mu) {
    const pvg_layers_config config = {.size = sizeof config,
                                      .operation = PVG_OPERATOR_SUM};
    const pvg_assumption assumption = {.size = sizeof assumption, .order = ORDER};
    const pvg_target target = {.size = sizeof target, .parameter = mu};
    pvg_layers *layers;
    pvg_propagator *propagator;
    pvg_release *release;
    PVGT_OK(pvg_layers_new(&layers, &config, NULL, 0));
    PVGT_OK(pvgt_propagator_new(&propagator, layers, &assumption, INPUTS, NULL, &target));
    PVGT_OK(pvgt_release_draw_propagation(&release, propagator, graph, features, 1, rng,
                                          NULL, NULL));
    pvg_layers_free(layers);
    pvgt_propagator_free(propagator);
    return release;
}

/* --- datasets --------------------------------------------------------------------- */

typedef struct {
    const pvg_release *graph, *labels, *states;
    bool private_graph, private_labels, private_features;
} wish;

static pvg_dataset *make(wish w) {
    pvg_dataset_builder *b;
    pvg_dataset *data;
    PVGT_OK(pvg_dataset_builder_new(&b, ORDER));
    if (w.graph)
        PVGT_OK(pvg_dataset_builder_add_released(b, w.graph, PVG_ROLE_GRAPH));
    else if (w.private_graph)
        PVGT_OK(pvg_dataset_builder_add_private_graph(b, graph));
    else
        PVGT_OK(pvg_dataset_builder_add_public_graph(b, graph));
    if (w.states)
        PVGT_OK(pvg_dataset_builder_add_released(b, w.states, PVG_ROLE_STATES));
    else if (w.private_features)
        PVGT_OK(pvg_dataset_builder_add_private_features(b, features));
    else
        PVGT_OK(pvg_dataset_builder_add_public_features(b, features));
    if (w.labels)
        PVGT_OK(pvg_dataset_builder_add_released(b, w.labels, PVG_ROLE_LABELS));
    else if (w.private_labels)
        PVGT_OK(pvg_dataset_builder_add_private_labels(b, labels));
    else
        PVGT_OK(pvg_dataset_builder_add_public_labels(b, labels));
    PVGT_OK(pvg_dataset_builder_set_split(b, split, ORDER));
    PVGT_OK(pvg_dataset_builder_finish(&data, b));
    pvg_dataset_builder_free(b);
    return data;
}

static pvg_model *train(const pvg_dataset *data, const pvg_model *start) {
    const pvg_training_config config = {.size = sizeof config, .epochs = 4};
    pvg_network *network;
    pvg_model *model;
    PVGT_OK(pvg_network_from_text(&network, "gcn 4 relu | gcn classes", INPUTS, CLASSES));
    PVGT_OK(pvg_model_train(&model, network, data, &config, start, rng, NULL));
    pvg_network_free(network);
    return model;
}

/* epsilon of a prediction about a notion; -1 if it is refused. */
static double epsilon_of(const pvg_model *model, const pvg_dataset *data, int32_t notion,
                         double delta) {
    pvg_release *release = NULL;
    double epsilon = -1;
    const int32_t status =
        pvg_model_predict(&release, model, data, 0, notion, NULL, NULL);
    if (status == PVG_E_PRIVACY) {
        TEST_ASSERT_NULL(release);
        return -1;
    }
    PVGT_OK(status);
    TEST_ASSERT_EQUAL_INT64(ORDER, pvg_release_rows(release));
    TEST_ASSERT_EQUAL_INT64(CLASSES, pvg_release_columns(release));
    const pvg_guarantee *guarantee = pvg_release_guarantee(release);
    TEST_ASSERT_EQUAL_INT32(notion, pvg_guarantee_notion(guarantee));
    TEST_ASSERT_EQUAL_STRING("learn.postprocessing", pvg_guarantee_claim(guarantee));
    PVGT_OK(pvg_guarantee_epsilon(&epsilon, guarantee, delta));
    pvg_release_free(release);
    return epsilon;
}

/* --- what is seen adds up --------------------------------------------------------- */

static void one_draw_is_paid_once(void) {
    pvg_release *first = release_graph(3, 0);
    const int32_t notion = pvg_guarantee_notion(pvg_release_guarantee(first));
    pvg_dataset *data = make((wish){.graph = first});
    pvg_model *model = train(data, NULL), *next = train(data, model);
    /* seen in training, in the training before it, and now: one draw */
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 3, epsilon_of(model, data, notion, 0));
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 3, epsilon_of(next, data, notion, 0));
    /* also in another dataset */
    pvg_dataset *again = make((wish){.graph = first});
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 3, epsilon_of(next, again, notion, 0));
    pvg_dataset_free(again);
    pvg_guarantee *promise;
    double epsilon;
    PVGT_OK(pvg_model_promise(&promise, next, notion, NULL));
    PVGT_OK(pvg_guarantee_epsilon(&epsilon, promise, 0));
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 3, epsilon);
    pvg_guarantee_free(promise);
    /* it was given no name, so it may be about any object, and counts for each */
    PVGT_OK(pvg_model_promise(&promise, next, notion, &(uint64_t){2}));
    PVGT_OK(pvg_guarantee_epsilon(&epsilon, promise, 0));
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 3, epsilon);
    pvg_guarantee_free(promise);
    pvg_model_free(model);
    pvg_model_free(next);
    pvg_dataset_free(data);
    pvg_release_free(first);
}

/* Trap 2: the best of two draws is two draws, and fresh edges are a draw of their own
 * (trap 1, where they are released). */
static void draws_add_up(void) {
    pvg_release *first = release_graph(3, 0), *second = release_graph(2, 0);
    const int32_t notion = pvg_guarantee_notion(pvg_release_guarantee(first));
    pvg_dataset *one = make((wish){.graph = first}), *two = make((wish){.graph = second});
    pvg_model *model = train(one, NULL), *next = train(two, model);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 5, epsilon_of(model, two, notion, 0));
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 5, epsilon_of(next, two, notion, 0));
    pvg_model_free(model);
    pvg_model_free(next);
    pvg_dataset_free(one);
    pvg_dataset_free(two);
    pvg_release_free(first);
    pvg_release_free(second);
}

static void notions_stand_side_by_side_or_are_refused(void) {
    pvg_release *edges = release_graph(3, 0), *reports = release_labels(2);
    pvg_release *states = release_states(.5);
    const int32_t notion = pvg_guarantee_notion(pvg_release_guarantee(edges));
    pvg_dataset *data = make((wish){.graph = edges, .labels = reports});
    pvg_model *model = train(data, NULL);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 3, epsilon_of(model, data, notion, 0));
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 2, epsilon_of(model, data, PVG_NOTION_LABEL_LDP, 0));
    TEST_ASSERT_EQUAL_DOUBLE(0, epsilon_of(model, data, PVG_NOTION_FEATURE_LDP, 0));
    TEST_ASSERT_EQUAL_DOUBLE(-1, epsilon_of(model, data, PVG_NOTION_NODE, 0));
    pvg_model_free(model);
    pvg_dataset_free(data);
    /* states were made from features: they promise nothing about them */
    data = make((wish){.states = states, .labels = reports});
    model = train(data, NULL);
    double expected;
    PVGT_OK(pvg_guarantee_epsilon(&expected, pvg_release_guarantee(states), 1e-6));
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, expected,
                              epsilon_of(model, data, PVG_NOTION_EDGE, 1e-6));
    TEST_ASSERT_EQUAL_DOUBLE(-1, epsilon_of(model, data, PVG_NOTION_FEATURE_LDP, 1e-6));
    TEST_ASSERT_EQUAL_DOUBLE(-1, epsilon_of(model, data, PVG_NOTION_LABEL_LDP, 1e-6));
    pvg_model_free(model);
    pvg_dataset_free(data);
    /* a role does not wash them clean either */
    pvg_dataset_builder *b;
    PVGT_OK(pvg_dataset_builder_new(&b, ORDER));
    PVGT_OK(pvg_dataset_builder_add_released(b, states, PVG_ROLE_FEATURES));
    PVGT_OK(pvg_dataset_builder_add_public_labels(b, labels));
    PVGT_OK(pvg_dataset_builder_add_public_graph(b, graph));
    PVGT_OK(pvg_dataset_builder_finish(&data, b));
    pvg_dataset_builder_free(b);
    model = train(data, NULL);
    TEST_ASSERT_EQUAL_DOUBLE(-1, epsilon_of(model, data, PVG_NOTION_FEATURE_LDP, 1e-6));
    pvg_model_free(model);
    pvg_dataset_free(data);
    pvg_release_free(edges);
    pvg_release_free(reports);
    pvg_release_free(states);
}

static void seeded_releases_stay_worthless(void) {
    pvg_release *edges = release_graph(3, 1);
    const int32_t notion = pvg_guarantee_notion(pvg_release_guarantee(edges));
    pvg_dataset *data = make((wish){.graph = edges});
    pvg_model *model = train(data, NULL);
    pvg_release *release;
    PVGT_OK(pvg_model_predict(&release, model, data, 0, notion, NULL, NULL));
    TEST_ASSERT_EQUAL_INT32(0, pvg_guarantee_holds(pvg_release_guarantee(release)));
    TEST_ASSERT_TRUE(isinf(epsilon_of(model, data, notion, .1)));
    pvg_release_free(release);
    pvg_model_free(model);
    pvg_dataset_free(data);
    pvg_release_free(edges);
}

/* --- private parts ---------------------------------------------------------------- */

static void refuses(const pvg_model *model, const pvg_dataset *data) {
    pvg_release *release = NULL;
    double accuracy, out[ORDER * CLASSES];
    PVGT_FAILS(PVG_E_PRIVACY, "private parts",
               pvg_model_predict(&release, model, data, 0, PVG_NOTION_EDGE, NULL, NULL));
    PVGT_FAILS(PVG_E_PRIVACY, "private parts",
               pvg_model_score(&accuracy, NULL, model, data, PVG_PART_TEST, NULL));
    PVGT_OK(pvg_model_predict_exact(out, model, data, 0, NULL));
}

/* Trap 1: fresh edges at inference. Trap 3: statistics of private inputs (a trained model
 * is one, as are moments of bn and balanced weights). Trap 4: accuracy on private labels.
 */
static void private_parts_answer_exactly_or_not_at_all(void) {
    const wish private_parts[] = {
        {.private_graph = true}, {.private_features = true}, {.private_labels = true}};
    pvg_dataset *open = make((wish){0});
    pvg_model *model = train(open, NULL);
    double accuracy;
    PVGT_OK(pvg_model_score(&accuracy, NULL, model, open, PVG_PART_TEST, NULL));
    for (int i = 0; i < 3; i++) {
        pvg_dataset *hidden = make(private_parts[i]);
        refuses(model, hidden);
        pvg_model *taught = train(hidden, NULL);
        refuses(taught, open);
        refuses(taught, hidden);
        pvg_guarantee *promise = NULL;
        PVGT_FAILS(PVG_E_PRIVACY, "private parts",
                   pvg_model_promise(&promise, taught, PVG_NOTION_EDGE, NULL));
        /* going on with public data does not forget */
        pvg_model *later = train(open, taught);
        refuses(later, open);
        pvg_model_free(later);
        pvg_model_free(taught);
        pvg_dataset_free(hidden);
    }
    pvg_model_free(model);
    pvg_dataset_free(open);
}

/* Trap 2: validation on private labels, and every try at private training. */
static void selection_is_counted(void) {
    const pvg_training_config config = {
        .size = sizeof config, .epochs = 4, .select = PVG_SELECT_ACCURACY};
    pvg_dataset *hidden = make((wish){.private_labels = true});
    pvg_network *network;
    pvg_model *model;
    PVGT_OK(pvg_network_from_text(&network, "dense classes", INPUTS, CLASSES));
    /* stopping early on private labels makes a private model */
    PVGT_OK(pvg_model_train(&model, network, hidden, &config, NULL, rng, NULL));
    TEST_ASSERT_EQUAL_INT32(1, pvg_model_holds_secrets(model));
    pvg_model_free(model);
    /* three tries are three charges, thrown away or not */
    const pvg_dpsgd_config steps = {.size = sizeof steps, .steps = 3, .batch = 4};
    const pvg_target target = {.size = sizeof target, .epsilon = .5, .delta = 1e-5};
    const pvg_ledger_config budget = {.size = sizeof budget,
                                      .notion = PVG_NOTION_NODE_REMOVED,
                                      .epsilon = 50,
                                      .delta = 1e-5};
    pvg_ledger *ledger;
    pvg_query *query;
    int64_t rows = 0;
    for (int v = 0; v < ORDER; v++) rows += split[v] == PVG_PART_TRAIN;
    PVGT_OK(pvg_ledger_new(&ledger, &budget));
    PVGT_OK(pvg_query_new_training(&query, network, rows, &steps, NULL, &target));
    double spent[3];
    for (int i = 0; i < 3; i++) {
        PVGT_OK(pvgt_train(&model, query, hidden, 1, rng, ledger, NULL));
        pvg_model_free(model);
        PVGT_OK(pvg_ledger_spent(&spent[i], ledger, 1, 1e-5));
    }
    TEST_ASSERT_EQUAL_INT64(3, pvg_ledger_charge_count(ledger));
    TEST_ASSERT_TRUE(spent[0] < spent[1] && spent[1] < spent[2]);
    pvg_ledger_free(ledger);
    pvg_query_free(query);
    pvg_network_free(network);
    pvg_dataset_free(hidden);
}

/* Trap 3: statistics of private inputs (balanced weights, moments of bn, a temperature)
 * make a private model; private training has none of them. */
static void statistics_of_private_inputs_are_private(void) {
    const pvg_training_config configs[] = {
        {.size = sizeof configs[0], .epochs = 2, .balance = 1},
        {.size = sizeof configs[0], .epochs = 2, .calibrate = 1}};
    const pvg_target target = {.size = sizeof target, .epsilon = 1, .delta = 1e-5};
    pvg_dataset *open = make((wish){0});
    pvg_dataset *hidden[] = {make((wish){.private_labels = true}),
                             make((wish){.private_features = true})};
    pvg_network *network;
    pvg_query *query;
    PVGT_OK(
        pvg_network_from_text(&network, "dense 4 bn | dense classes", INPUTS, CLASSES));
    for (int i = 0; i < 4; i++) {
        pvg_model *model;
        PVGT_OK(pvg_model_train(&model, network, hidden[i / 2], &configs[i % 2], NULL,
                                rng, NULL));
        refuses(model, open);
        pvg_model_free(model);
    }
    PVGT_FAILS(PVG_E_PRIVACY, "bn",
               pvg_query_new_training(&query, network, 10, NULL, NULL, &target));
    pvg_network_free(network);
    pvg_dataset_free(open);
    pvg_dataset_free(hidden[0]);
    pvg_dataset_free(hidden[1]);
}

static pvg_model *square_model(const pvg_dataset *data) {
    const pvg_training_config config = {.size = sizeof config, .epochs = 2};
    pvg_network *network;
    pvg_model *model;
    PVGT_OK(pvg_network_from_text(&network, "gcn 3 tanh | dense 3 tanh | gcn classes",
                                  INPUTS, CLASSES));
    PVGT_OK(pvg_model_train(&model, network, data, &config, NULL, rng, NULL));
    pvg_network_free(network);
    return model;
}

static double epsilon_of_propagator(const pvg_layers *layers, double *own) {
    const pvg_assumption assumption = {.size = sizeof assumption, .order = ORDER};
    const pvg_target target = {.size = sizeof target, .parameter = .5};
    pvg_propagation_preview preview = {.size = sizeof preview};
    pvg_propagator *propagator;
    pvg_curve *curve;
    double epsilon;
    PVGT_OK(pvgt_propagator_new(&propagator, layers, &assumption, INPUTS, NULL, &target));
    PVGT_OK(pvgt_propagator_preview(&preview, propagator));
    PVGT_OK(pvg_curve_new(&curve, &(pvg_curve_term){.size = sizeof(pvg_curve_term),
                                                    .kind = PVG_CURVE_GDP,
                                                    .mu = preview.mu}));
    PVGT_OK(pvg_curve_epsilon(own, curve, 1e-6));
    PVGT_OK(pvg_guarantee_epsilon(&epsilon, pvgt_propagator_guarantee(propagator), 1e-6));
    pvg_curve_free(curve);
    pvgt_propagator_free(propagator);
    return epsilon;
}

/* Trap 5: weights as layers keep what they promise, and a propagator adds it. */
static void weights_as_layers_keep_their_record(void) {
    const pvg_layers_config config = {.size = sizeof config, .depth = 2};
    pvg_release *edges = release_graph(2, 0);
    pvg_dataset *data = make((wish){.graph = edges}), *open = make((wish){0});
    pvg_dataset *hidden = make((wish){.private_labels = true});
    pvg_model *model = square_model(data), *free_one = square_model(open),
              *taught = square_model(hidden);
    pvg_layers *layers = NULL;
    double own;
    PVGT_OK(pvg_layers_from_model(&layers, &config, model));
    TEST_ASSERT_EQUAL_INT64(3, pvg_layers_dimension(layers));
    const double both = epsilon_of_propagator(layers, &own);
    PVGT_CHECK(both > own + 1.5, "%g, own %g", both, own);
    pvg_layers_free(layers);
    /* of public data nothing is added */
    PVGT_OK(pvg_layers_from_model(&layers, &config, free_one));
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, own, epsilon_of_propagator(layers, &own));
    pvg_layers_free(layers);
    /* edges alone say nothing about a node */
    PVGT_OK(pvg_layers_from_model(&layers, &config, model));
    const pvg_assumption assumption = {.size = sizeof assumption, .order = ORDER};
    const pvg_target target = {.size = sizeof target, .parameter = .5};
    const pvg_propagator_config nodes = {.size = sizeof nodes, .hide = PVGI_HIDE_NODE};
    pvg_propagator *propagator;
    PVGT_FAILS(
        PVG_E_PRIVACY, "says nothing about",
        pvgt_propagator_new(&propagator, layers, &assumption, INPUTS, &nodes, &target));
    pvg_layers_free(layers);
    PVGT_FAILS(PVG_E_PRIVACY, "private parts",
               pvg_layers_from_model(&layers, &config, taught));
    PVGT_FAILS(PVG_E_ARGUMENT, "square maps",
               pvg_layers_from_model(&layers, NULL, model));
    pvg_model_free(model);
    pvg_model_free(free_one);
    pvg_model_free(taught);
    pvg_dataset_free(data);
    pvg_dataset_free(open);
    pvg_dataset_free(hidden);
    pvg_release_free(edges);
}

/* A ledger that paid for the draw behind the weights does not pay for it again; another
 * one pays for both. */
static void weights_are_paid_once(void) {
    const pvg_layers_config config = {.size = sizeof config, .depth = 2};
    const pvg_assumption assumption = {.size = sizeof assumption, .order = ORDER};
    const pvg_target target = {.size = sizeof target, .parameter = .5},
                     wanted = {.size = sizeof wanted, .epsilon = 2};
    const pvg_ledger_config book = {
        .size = sizeof book, .notion = PVG_NOTION_EDGE, .epsilon = 100, .delta = 1e-6};
    pvg_ledger *ledger[2];
    pvg_perturber *perturber;
    pvg_propagator *propagator;
    pvg_release *edges, *states;
    pvg_layers *layers;
    double own, spent[2], first;
    for (int i = 0; i < 2; i++) PVGT_OK(pvg_ledger_new(&ledger[i], &book));
    PVGT_OK(pvgt_perturber_new_response(&perturber, NULL, &wanted));
    PVGT_OK(pvgt_release_draw_graph(&edges, perturber, graph, 1, rng, ledger[0], NULL));
    PVGT_OK(pvg_ledger_spent(&first, ledger[0], 1, 1e-6));
    pvg_dataset *data;
    pvg_dataset_builder *b;
    PVGT_OK(pvg_dataset_builder_new(&b, ORDER));
    PVGT_OK(pvg_dataset_builder_add_public_features(b, features));
    PVGT_OK(pvg_dataset_builder_add_public_labels(b, labels));
    PVGT_OK(pvg_dataset_builder_add_released(b, edges, PVG_ROLE_GRAPH));
    PVGT_OK(pvg_dataset_builder_finish(&data, b));
    pvg_model *model = square_model(data);
    PVGT_OK(pvg_layers_from_model(&layers, &config, model));
    const double both = epsilon_of_propagator(layers, &own);
    PVGT_OK(pvgt_propagator_new(&propagator, layers, &assumption, INPUTS, NULL, &target));
    for (int i = 0; i < 2; i++) {
        PVGT_OK(pvgt_release_draw_propagation(&states, propagator, graph, features, 1,
                                              rng, ledger[i], NULL));
        double told;
        PVGT_OK(pvg_guarantee_epsilon(&told, pvg_release_guarantee(states), 1e-6));
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, both, told); /* the record says all of it */
        PVGT_OK(pvg_ledger_spent(&spent[i], ledger[i], 1, 1e-6));
        pvg_release_free(states);
    }
    /* both ledgers hold one response and one propagation */
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, spent[1], spent[0]);
    PVGT_CHECK(spent[0] > first + .1 && spent[0] < both + .5, "%g of %g", spent[0], both);
    /* for another object nothing was paid */
    PVGT_OK(pvgt_release_draw_propagation(&states, propagator, graph, features, 2, rng,
                                          ledger[0], NULL));
    PVGT_OK(pvg_ledger_spent(&spent[1], ledger[0], 2, 1e-6));
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, spent[0], spent[1]);
    pvg_release_free(states);
    pvgt_propagator_free(propagator);
    pvg_layers_free(layers);
    pvg_model_free(model);
    pvg_dataset_free(data);
    pvg_dataset_builder_free(b);
    pvg_release_free(edges);
    pvgt_perturber_free(perturber);
    for (int i = 0; i < 2; i++) pvg_ledger_free(ledger[i]);
}

/* An encoder's draws count in what is learnt from what it made: GAP at node level. */
static void what_an_encoder_saw_is_counted(void) {
    pvg_release *edges = release_graph(2, 0);
    const int32_t notion = pvg_guarantee_notion(pvg_release_guarantee(edges));
    pvg_dataset *data = make((wish){.graph = edges}), *open = make((wish){0});
    pvg_dataset *hidden = make((wish){.private_labels = true}), *made;
    pvg_model *encoder = train(data, NULL), *taught = train(hidden, NULL);
    pvg_dataset_builder *b;
    PVGT_OK(pvg_dataset_builder_new(&b, ORDER));
    PVGT_OK(pvg_dataset_builder_add_public_features(b, features));
    PVGT_OK(pvg_dataset_builder_add_public_labels(b, labels));
    PVGT_OK(pvg_dataset_builder_add_public_graph(b, graph));
    PVGT_FAILS(PVG_E_PRIVACY, "private parts", pvg_dataset_builder_add_seen(b, taught));
    PVGT_OK(pvg_dataset_builder_add_seen(b, encoder));
    PVGT_OK(pvg_dataset_builder_add_seen(b, encoder)); /* one draw all the same */
    PVGT_OK(pvg_dataset_builder_finish(&made, b));
    pvg_model *head = train(made, NULL);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 2, epsilon_of(head, open, notion, 0));
    pvg_model_free(head);
    pvg_model_free(encoder);
    pvg_model_free(taught);
    pvg_dataset_builder_free(b);
    pvg_dataset_free(made);
    pvg_dataset_free(data);
    pvg_dataset_free(open);
    pvg_dataset_free(hidden);
    pvg_release_free(edges);
}

/* Trap 6: whatever tells gradients, weights or losses of a model says so in its name. */
static void explanations_end_in_exact(void) {
    char line[200];
    int found = 0;
    FILE *map = fopen(PVGT_SOURCE_ROOT "/lib/privgraph-learn.map", "r");
    TEST_ASSERT_NOT_NULL(map);
    while (fgets(line, sizeof line, map)) {
        char *name = strstr(line, "pvg_model_");
        if (!name) continue;
        name[strcspn(name, ";\n")] = '\0';
        if (!strstr(name, "gradient") && !strstr(name, "history") &&
            !strstr(name, "copy_weights"))
            continue;
        found++;
        const char *end = name + strlen(name) - strlen("_exact");
        PVGT_CHECK(strcmp(end, "_exact") == 0, "%s", name);
    }
    fclose(map);
    TEST_ASSERT_TRUE(found >= 3);
}

/* What a node knows of itself beside noisy sums about it: one table, whose released
 * columns count, whose private ones close the lane. */
static void features_stand_side_by_side(void) {
    pvg_release *states = release_states(.5), *answer = NULL;
    pvg_dataset_builder *b;
    pvg_dataset *data;
    pvg_features *inferred;
    pvg_network *network;
    pvg_model *model;
    pvg_guarantee *promise;
    const pvg_training_config config = {.size = sizeof config, .epochs = 4};
    PVGT_OK(pvg_network_from_text(&network, "dense classes", 2 * INPUTS, CLASSES));
    PVGT_OK(pvg_dataset_builder_new(&b, ORDER));
    PVGT_OK(pvg_dataset_builder_add_public_features(b, features));
    PVGT_OK(pvg_dataset_builder_add_released(b, states, PVG_ROLE_STATES));
    PVGT_OK(pvg_dataset_builder_add_public_labels(b, labels));
    PVGT_OK(pvg_dataset_builder_finish(&data, b));
    pvg_dataset_builder_free(b);
    const double *values;
    PVGT_OK(pvg_release_view(&values, states));
    TEST_ASSERT_EQUAL_INT64(INPUTS, pvg_release_columns(states));
    for (int64_t v = 0; v < ORDER; v++) { /* every number is where it belongs */
        double row[2 * INPUTS] = {0}, own[INPUTS];
        for (int64_t k = data->x_offsets[v]; k < data->x_offsets[v + 1]; k++)
            row[data->x_indices[k]] = data->x_values[k];
        for (int64_t j = 0; j < INPUTS; j++) own[j] = 0;
        for (int64_t k = features->offsets[v]; k < features->offsets[v + 1]; k++)
            own[features->indices[k]] = features->values[k];
        TEST_ASSERT_EQUAL_MEMORY(own, row, sizeof own);
        TEST_ASSERT_EQUAL_MEMORY(values + v * INPUTS, row + INPUTS, sizeof own);
    }
    PVGT_OK(pvg_model_train(&model, network, data, &config, NULL, rng, NULL));
    PVGT_OK(pvg_model_predict(&answer, model, data, 0, PVG_NOTION_EDGE, NULL, NULL));
    double due, paid;
    PVGT_OK(pvg_model_promise(&promise, model, PVG_NOTION_EDGE, NULL));
    PVGT_OK(pvg_guarantee_epsilon(&due, pvg_release_guarantee(states), 1e-5));
    PVGT_OK(pvg_guarantee_epsilon(&paid, promise, 1e-5));
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, due, paid);
    pvg_guarantee_free(promise);
    pvg_release_free(answer);
    answer = NULL;
    pvg_model_free(model);
    pvg_dataset_free(data);
    /* a private column anywhere closes the lane */
    for (int turn = 0; turn < 2; turn++) {
        PVGT_OK(pvg_dataset_builder_new(&b, ORDER));
        for (int i = 0; i < 2; i++)
            PVGT_OK(i == turn ? pvg_dataset_builder_add_private_features(b, features)
                              : pvg_dataset_builder_add_public_features(b, features));
        PVGT_OK(pvg_dataset_builder_add_public_labels(b, labels));
        PVGT_OK(pvg_dataset_builder_finish(&data, b));
        pvg_dataset_builder_free(b);
        TEST_ASSERT_EQUAL_INT32(1, pvg_dataset_holds_secrets(data));
        PVGT_OK(pvg_model_train(&model, network, data, &config, NULL, rng, NULL));
        PVGT_FAILS(
            PVG_E_PRIVACY, "private",
            pvg_model_predict(&answer, model, data, 0, PVG_NOTION_EDGE, NULL, NULL));
        pvg_model_free(model);
        pvg_dataset_free(data);
    }
    /* columns that were counted off private features stay undeclared, whatever is beside
     * them */
    PVGT_OK(pvg_features_copy_inferred(&inferred, features));
    for (int turn = 0; turn < 2; turn++) {
        PVGT_OK(pvg_dataset_builder_new(&b, ORDER));
        for (int i = 0; i < 2; i++)
            PVGT_OK(i == turn ? pvg_dataset_builder_add_private_features(b, inferred)
                              : pvg_dataset_builder_add_public_features(b, features));
        TEST_ASSERT_EQUAL_UINT32(0, b->data.declared & PVGI_DECLARED_COLUMNS);
        pvg_dataset_builder_free(b);
    }
    pvg_features_free(inferred);
    pvg_network_free(network);
    pvg_release_free(states);
}

static void roles_need_their_content(void) {
    pvg_release *edges = release_graph(3, 0), *release = NULL;
    pvg_dataset_builder *b;
    pvg_dataset *data = make((wish){0});
    pvg_model *model = train(data, NULL);
    PVGT_OK(pvg_dataset_builder_new(&b, ORDER));
    PVGT_FAILS(PVG_E_ARGUMENT, "no lists",
               pvg_dataset_builder_add_released(b, edges, PVG_ROLE_LISTS));
    PVGT_FAILS(PVG_E_ARGUMENT, "no labels",
               pvg_dataset_builder_add_released(b, edges, PVG_ROLE_LABELS));
    PVGT_FAILS(PVG_E_ARGUMENT, "no numbers",
               pvg_dataset_builder_add_released(b, edges, PVG_ROLE_STATES));
    PVGT_FAILS(PVG_E_ARGUMENT, "role is 5",
               pvg_dataset_builder_add_released(b, edges, 5));
    PVGT_FAILS(PVG_E_ARGUMENT, "release is NULL",
               pvg_dataset_builder_add_released(b, NULL, 0));
    PVGT_OK(pvg_dataset_builder_add_released(b, edges, PVG_ROLE_GRAPH));
    PVGT_FAILS(PVG_E_ARGUMENT, "a graph already",
               pvg_dataset_builder_add_released(b, edges, PVG_ROLE_GRAPH));
    PVGT_FAILS(PVG_E_ARGUMENT, "notion is 99",
               pvg_model_predict(&release, model, data, 0, 99, NULL, NULL));
    pvg_dataset_builder_free(b);
    pvg_model_free(model);
    pvg_dataset_free(data);
    pvg_release_free(edges);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(one_draw_is_paid_once);
    RUN_TEST(features_stand_side_by_side);
    RUN_TEST(draws_add_up);
    RUN_TEST(notions_stand_side_by_side_or_are_refused);
    RUN_TEST(seeded_releases_stay_worthless);
    RUN_TEST(private_parts_answer_exactly_or_not_at_all);
    RUN_TEST(selection_is_counted);
    RUN_TEST(statistics_of_private_inputs_are_private);
    RUN_TEST(weights_as_layers_keep_their_record);
    RUN_TEST(weights_are_paid_once);
    RUN_TEST(what_an_encoder_saw_is_counted);
    RUN_TEST(explanations_end_in_exact);
    RUN_TEST(roles_need_their_content);
    return pvgt_end(UNITY_END());
}
