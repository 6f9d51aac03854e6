/* Random pipelines: releases -> data sets -> models -> layers -> releases, with and
 * without a ledger, through files or not. Beside them an account of our own: which draws
 * took part in what, what each of them spent and read, and who paid. Whatever a record
 * says must not be less than the composition of those draws. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "guarantee/guarantee_internal.h"
#include "handles.h"
#include "support.h"

#include <math.h>
#include <privgraph-learn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ORDER = 12, INPUTS = 2, CLASSES = 2, DRAWS = 40, THINGS = 24, STEPS = 14 };
enum { OBJECTS = 3, LEDGERS = 2 };
static const double DELTA = 1e-6;

/* --- the account ------------------------------------------------------------------- */

typedef struct {
    pvg_curve *curve;
    uint32_t reads;  /* 1 edges, 2 features, 4 labels */
    int32_t notion;  /* PVG_NOTION_* */
    uint64_t object; /* 0: it was given no name */
} draw;

typedef struct {
    pvg_release *release; /* of states or predictions, a row for each node */
    pvg_model *model;
    uint64_t draws; /* bits: which took part */
} thing;

static draw drawn[DRAWS];
static int draw_count;
static thing things[THINGS];
static int thing_count;
static pvg_graph *graph;
static pvg_features *features;
static pvg_labels *labels;
static pvg_rng *rng;
static pvg_ledger *ledgers[LEDGERS];
static uint64_t state;

static uint32_t hidden_by(int32_t notion) {
    return notion == PVG_NOTION_FEATURE_LDP                                 ? 2u
           : notion == PVG_NOTION_LABEL_LDP                                 ? 4u
           : notion == PVG_NOTION_NODE || notion == PVG_NOTION_NODE_REMOVED ? 7u
                                                                            : 1u;
}

/* What the draws of a thing spend about an object (0: whichever) under a notion, as far
 * as they can be composed; -1 if one of them says nothing about it. */
static double truth(uint64_t draws, int32_t notion, uint64_t object) {
    pvg_curve *sum = NULL;
    double epsilon = 0;
    bool told = true;
    for (int i = 0; i < draw_count; i++) {
        if (!(draws >> i & 1) || !(drawn[i].reads & hidden_by(notion))) continue;
        if (object != 0 && drawn[i].object != 0 && drawn[i].object != object) continue;
        const int64_t steps = pvg_notion_pays(notion, drawn[i].notion);
        told = told && steps > 0;
        pvg_curve *both = NULL, *own = NULL;
        PVGT_OK(pvg_curve_group(&own, drawn[i].curve, steps > 0 ? steps : 1));
        if (sum)
            PVGT_OK(pvg_curve_compose(&both, sum, own));
        else
            PVGT_OK(pvg_curve_repeat(&both, own, 1));
        pvg_curve_free(own);
        pvg_curve_free(sum);
        sum = both;
    }
    if (sum) PVGT_OK(pvg_curve_epsilon(&epsilon, sum, DELTA));
    pvg_curve_free(sum);
    return told ? epsilon : -1;
}

static int note(const pvg_curve_term *term, uint32_t reads, int32_t notion,
                uint64_t object) {
    TEST_ASSERT_TRUE(draw_count < DRAWS);
    draw *d = &drawn[draw_count];
    *d = (draw){.reads = reads, .notion = notion, .object = object};
    PVGT_OK(pvg_curve_new(&d->curve, term));
    return draw_count++;
}

/* --- steps ------------------------------------------------------------------------- */

/* Who pays: a ledger, or nobody; for an object from 1 on, or without a ledger for one
 * that has no name. */
static pvg_ledger *payer(uint64_t *object) {
    const uint64_t which = pvgt_below(&state, LEDGERS + 2);
    *object = which > LEDGERS ? 0 : 1 + pvgt_below(&state, OBJECTS);
    return which < LEDGERS ? ledgers[which] : NULL;
}

static pvg_release *again(pvg_release *release) {
    if (pvgt_below(&state, 3) != 0) return release;
    char path[64];
    pvg_release *loaded;
    snprintf(path, sizeof path, "provenance_%d.pvgr", (int)getpid());
    PVGT_OK(pvg_release_save(path, release));
    PVGT_OK(pvg_release_load(&loaded, path));
    remove(path);
    pvg_release_free(release);
    return loaded;
}

static void keep(pvg_release *release, pvg_model *model, uint64_t draws) {
    if (thing_count < THINGS) {
        things[thing_count++] = (thing){release, model, draws};
        return;
    }
    pvg_release_free(release);
    pvg_model_free(model);
}

/* Edge-level statistic of edges: a perturbed graph. */
static pvg_release *draw_graph(uint64_t *draws) {
    const double epsilon = .1 + (double)pvgt_below(&state, 20) / 10;
    const pvg_target target = {.size = sizeof target, .epsilon = epsilon};
    const pvg_response_config config = {.size = sizeof config};
    pvg_perturber *perturber;
    pvg_release *release;
    uint64_t object;
    pvg_ledger *ledger = payer(&object);
    PVGT_OK(pvgt_perturber_new_response(&perturber, &config, &target));
    PVGT_OK(
        pvgt_release_draw_graph(&release, perturber, graph, object, rng, ledger, NULL));
    pvgt_perturber_free(perturber);
    const pvg_curve_term term = {
        .size = sizeof term, .kind = PVG_CURVE_PURE, .epsilon = epsilon};
    *draws |= UINT64_C(1) << note(
                  &term, 1, pvg_guarantee_notion(pvg_release_guarantee(release)), object);
    return again(release);
}

static pvg_release *draw_labels(uint64_t *draws) {
    const double epsilon = .1 + (double)pvgt_below(&state, 20) / 10;
    const pvg_target target = {.size = sizeof target, .epsilon = epsilon};
    const pvg_labels_config config = {.size = sizeof config, .classes = CLASSES};
    pvg_perturber *perturber;
    pvg_release *release;
    PVGT_OK(pvgt_perturber_new_labels(&perturber, &config, &target));
    PVGT_OK(pvgt_release_draw_labels(&release, perturber, labels, 0, rng, NULL, NULL));
    pvgt_perturber_free(perturber);
    const pvg_curve_term term = {
        .size = sizeof term, .kind = PVG_CURVE_PURE, .epsilon = epsilon};
    *draws |= UINT64_C(1) << note(&term, 4, PVG_NOTION_LABEL_LDP, 0);
    return again(release);
}

/* Message passing, with public weights or those of a model. */
static void draw_states(void) {
    const double mu = .1 + (double)pvgt_below(&state, 10) / 10;
    const pvg_layers_config config = {
        .size = sizeof config, .operation = PVG_OPERATOR_SUM, .depth = 2};
    const pvg_assumption assumption = {.size = sizeof assumption, .order = ORDER};
    const pvg_target target = {.size = sizeof target, .parameter = mu};
    const thing *from =
        thing_count ? &things[pvgt_below(&state, (uint64_t)thing_count)] : NULL;
    pvg_layers *layers;
    pvg_propagator *propagator = NULL;
    pvg_release *release;
    uint64_t object, draws = 0;
    double before = 0, after = 0;
    pvg_ledger *ledger = payer(&object);
    if (from && from->model) {
        PVGT_OK(pvg_layers_from_model(&layers, &config, from->model));
        draws = from->draws;
    } else {
        PVGT_OK(pvg_layers_new(&layers, &config, NULL, 0));
    }
    const int32_t status =
        pvgt_propagator_new(&propagator, layers, &assumption, INPUTS, NULL, &target);
    pvg_layers_free(layers);
    if (status == PVG_E_PRIVACY) return;
    PVGT_OK(status);
    if (ledger) PVGT_OK(pvg_ledger_spent(&before, ledger, object, DELTA));
    PVGT_OK(pvgt_release_draw_propagation(&release, propagator, graph, features, object,
                                          rng, ledger, NULL));
    const pvg_curve_term term = {.size = sizeof term, .kind = PVG_CURVE_GDP, .mu = mu};
    draws |= UINT64_C(1) << note(&term, 7, PVG_NOTION_EDGE, object);
    double told;
    PVGT_OK(pvg_guarantee_epsilon(&told, pvg_release_guarantee(release), DELTA));
    const double real = truth(draws, PVG_NOTION_EDGE, 0);
    PVGT_CHECK(real >= 0 && told >= real * (1 - 1e-9), "told %g, true %g", told, real);
    if (ledger) { /* and the book has all that is about its object */
        PVGT_OK(pvg_ledger_spent(&after, ledger, object, DELTA));
        const double spent = truth(draws, PVG_NOTION_EDGE, object);
        PVGT_CHECK(after >= spent * (1 - 1e-9) && after > before,
                   "the book has %g of %g, before %g", after, spent, before);
    }
    pvgt_propagator_free(propagator);
    keep(again(release), NULL, draws);
}

static pvg_dataset *make_data(uint64_t *draws) {
    pvg_dataset_builder *b;
    pvg_dataset *data;
    pvg_release *edges = NULL, *classes = NULL;
    const thing *from =
        thing_count ? &things[pvgt_below(&state, (uint64_t)thing_count)] : NULL;
    PVGT_OK(pvg_dataset_builder_new(&b, ORDER));
    if (pvgt_below(&state, 2)) {
        edges = draw_graph(draws);
        PVGT_OK(pvg_dataset_builder_add_released(b, edges, PVG_ROLE_GRAPH));
    }
    if (from && from->release && pvg_release_columns(from->release) == INPUTS) {
        PVGT_OK(pvg_dataset_builder_add_released(b, from->release, PVG_ROLE_STATES));
        *draws |= from->draws;
    } else {
        PVGT_OK(pvg_dataset_builder_add_public_features(b, features));
    }
    if (pvgt_below(&state, 3) == 0) {
        classes = draw_labels(draws);
        PVGT_OK(pvg_dataset_builder_add_released(b, classes, PVG_ROLE_LABELS));
    } else {
        PVGT_OK(pvg_dataset_builder_add_public_labels(b, labels));
    }
    if (from && from->model && pvgt_below(&state, 2)) {
        PVGT_OK(pvg_dataset_builder_add_seen(b, from->model));
        *draws |= from->draws;
    }
    PVGT_OK(pvg_dataset_builder_finish(&data, b));
    pvg_dataset_builder_free(b);
    pvg_release_free(edges);
    pvg_release_free(classes);
    return data;
}

/* What a model or a prediction of it says, about every notion and object. */
static void judge(const pvg_model *model, const pvg_dataset *data, uint64_t draws,
                  uint64_t both) {
    static const int32_t notions[] = {PVG_NOTION_EDGE, PVG_NOTION_LABEL_LDP,
                                      PVG_NOTION_FEATURE_LDP, PVG_NOTION_NODE};
    for (size_t i = 0; i < sizeof notions / sizeof *notions; i++)
        for (uint64_t object = 0; object <= OBJECTS + 1; object++) {
            pvg_guarantee *promise = NULL;
            pvg_release *release = NULL;
            const uint64_t *about = object ? &object : NULL;
            double told = 0, real = truth(draws, notions[i], object);
            int32_t status = pvg_model_promise(&promise, model, notions[i], about);
            if (status == PVG_OK) {
                PVGT_OK(pvg_guarantee_epsilon(&told, promise, DELTA));
                PVGT_CHECK(real >= 0 && told >= real * (1 - 1e-9),
                           "%s, object %d: told %g, true %g", pvg_notion_name(notions[i]),
                           (int)object, told, real);
            } else {
                TEST_ASSERT_TRUE(status == PVG_E_PRIVACY || status == PVG_E_ARGUMENT);
            }
            pvg_guarantee_free(promise);
            real = truth(both, notions[i], object);
            status = pvg_model_predict(&release, model, data, PVG_PREDICT_PROBABILITIES,
                                       notions[i], about, NULL);
            if (status == PVG_OK) {
                PVGT_OK(
                    pvg_guarantee_epsilon(&told, pvg_release_guarantee(release), DELTA));
                PVGT_CHECK(real >= 0 && told >= real * (1 - 1e-9),
                           "prediction, %s, object %d: told %g, true %g",
                           pvg_notion_name(notions[i]), (int)object, told, real);
            } else {
                TEST_ASSERT_TRUE(status == PVG_E_PRIVACY || status == PVG_E_ARGUMENT);
            }
            if (release && pvgt_below(&state, 4) == 0)
                keep(again(release), NULL, both);
            else
                pvg_release_free(release);
        }
}

static void train(void) {
    const pvg_training_config config = {.size = sizeof config, .epochs = 1};
    const thing *from =
        thing_count ? &things[pvgt_below(&state, (uint64_t)thing_count)] : NULL;
    const pvg_model *start = from ? from->model : NULL;
    uint64_t draws = start ? from->draws : 0, later = 0;
    pvg_network *network;
    pvg_model *model;
    pvg_dataset *data = make_data(&draws), *other = make_data(&later);
    PVGT_OK(pvg_network_from_text(&network, "dense 2 | dense classes", INPUTS, CLASSES));
    const int32_t status =
        pvg_model_train(&model, network, data, &config, start, rng, NULL);
    if (status == PVG_E_ARGUMENT && strstr(pvg_error_message(), "has no training row")) {
        pvg_network_free(network); /* reported labels are random: one class may be gone */
        pvg_dataset_free(data);
        pvg_dataset_free(other);
        return;
    }
    PVGT_OK(status);
    if (pvgt_below(&state, 3) == 0) {
        char path[64];
        pvg_model *loaded;
        snprintf(path, sizeof path, "provenance_%d.pvgm", (int)getpid());
        PVGT_OK(pvg_model_save(path, model));
        PVGT_OK(pvg_model_load(&loaded, path));
        remove(path);
        pvg_model_free(model);
        model = loaded;
    }
    judge(model, other, draws, draws | later);
    keep(NULL, model, draws);
    pvg_network_free(network);
    pvg_dataset_free(data);
    pvg_dataset_free(other);
}

static void set_up(uint64_t seed) {
    const pvg_ledger_config book = {
        .size = sizeof book, .notion = PVG_NOTION_EDGE, .epsilon = 1e4, .delta = DELTA};
    double dense[ORDER * INPUTS];
    int32_t classes[ORDER];
    state = seed;
    draw_count = thing_count = 0;
    for (int i = 0; i < ORDER * INPUTS; i++)
        dense[i] = (double)pvgt_below(&state, 100) / 100;
    for (int i = 0; i < ORDER; i++) classes[i] = i % CLASSES;
    PVGT_OK(pvg_graph_new_cycle(&graph, ORDER));
    PVGT_OK(pvg_features_from_dense(&features, ORDER, INPUTS, dense));
    PVGT_OK(pvg_labels_from_array(&labels, classes, ORDER));
    PVGT_OK(pvg_rng_new_secure(&rng));
    for (int i = 0; i < LEDGERS; i++) PVGT_OK(pvg_ledger_new(&ledgers[i], &book));
}

static void tear_down(void) {
    for (int i = 0; i < thing_count; i++) {
        pvg_release_free(things[i].release);
        pvg_model_free(things[i].model);
    }
    for (int i = 0; i < draw_count; i++) pvg_curve_free(drawn[i].curve);
    for (int i = 0; i < LEDGERS; i++) pvg_ledger_free(ledgers[i]);
    pvg_graph_free(graph);
    pvg_features_free(features);
    pvg_labels_free(labels);
    pvg_rng_free(rng);
}

void setUp(void) {}
void tearDown(void) {}

static void no_draw_is_lost(void) {
    for (uint64_t seed = 1; seed <= 60; seed++) {
        set_up(seed);
        for (int step = 0; step < STEPS && draw_count + 8 < DRAWS; step++)
            if (pvgt_below(&state, 2))
                draw_states();
            else
                train();
        tear_down();
    }
}

/* The two that were lost: a release that "net" paid for, and the caller says nothing. */
static void defaults_count_too_much(void) {
    const uint64_t net = 77, other = 78;
    const pvg_target target = {.size = sizeof target, .epsilon = 1};
    const pvg_response_config response = {.size = sizeof response};
    const pvg_training_config once = {.size = sizeof once, .epochs = 1};
    pvg_perturber *perturber;
    pvg_release *release;
    pvg_dataset_builder *b;
    pvg_dataset *data;
    pvg_network *network;
    pvg_model *model;
    pvg_guarantee *promise;
    double epsilon;
    set_up(1);
    PVGT_OK(pvgt_perturber_new_response(&perturber, &response, &target));
    PVGT_OK(
        pvgt_release_draw_graph(&release, perturber, graph, net, rng, ledgers[0], NULL));
    PVGT_OK(pvg_dataset_builder_new(&b, ORDER));
    PVGT_OK(pvg_dataset_builder_add_released(b, release, PVG_ROLE_GRAPH));
    PVGT_OK(pvg_dataset_builder_add_public_features(b, features));
    PVGT_OK(pvg_dataset_builder_add_public_labels(b, labels));
    PVGT_OK(pvg_dataset_builder_finish(&data, b));
    PVGT_OK(pvg_network_from_text(&network, "gcn 2 | gcn classes", INPUTS, CLASSES));
    PVGT_OK(pvg_model_train(&model, network, data, &once, NULL, rng, NULL));
    for (int i = 0; i < 2; i++) { /* about whichever, and about net */
        PVGT_OK(pvg_model_promise(&promise, model, PVG_NOTION_EDGE, i ? &net : NULL));
        PVGT_OK(pvg_guarantee_epsilon(&epsilon, promise, 0));
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1, epsilon);
        pvg_guarantee_free(promise);
    }
    PVGT_FAILS(PVG_E_ARGUMENT, "no draw it was made from is about the object 78",
               pvg_model_promise(&promise, model, PVG_NOTION_EDGE, &other));
    pvgt_perturber_free(perturber);
    pvg_release_free(release);
    pvg_dataset_builder_free(b);
    pvg_dataset_free(data);
    pvg_network_free(network);
    pvg_model_free(model);
    tear_down();
}

/* A prediction about one object, with draws about another left out: its record says so,
 * and about the other one it says nothing, also when it comes from a file. */
static void what_was_left_out_is_not_free(void) {
    const pvg_target target = {.size = sizeof target, .epsilon = 1};
    const pvg_response_config response = {.size = sizeof response};
    const pvg_training_config once = {.size = sizeof once, .epochs = 1};
    const uint64_t first = 1, second = 2;
    pvg_perturber *perturber;
    pvg_release *release[2], *prediction, *loaded;
    pvg_dataset *data[2], *mixed;
    pvg_dataset_builder *b;
    pvg_network *network;
    pvg_model *model, *head;
    pvg_guarantee *promise;
    double epsilon;
    set_up(2);
    PVGT_OK(pvgt_perturber_new_response(&perturber, &response, &target));
    for (int i = 0; i < 2; i++) {
        PVGT_OK(pvgt_release_draw_graph(&release[i], perturber, graph, i ? second : first,
                                        rng, ledgers[0], NULL));
        PVGT_OK(pvg_dataset_builder_new(&b, ORDER));
        PVGT_OK(pvg_dataset_builder_add_released(b, release[i], PVG_ROLE_GRAPH));
        PVGT_OK(pvg_dataset_builder_add_public_features(b, features));
        PVGT_OK(pvg_dataset_builder_add_public_labels(b, labels));
        PVGT_OK(pvg_dataset_builder_finish(&data[i], b));
        pvg_dataset_builder_free(b);
    }
    PVGT_OK(pvg_network_from_text(&network, "gcn 2 | gcn classes", INPUTS, CLASSES));
    PVGT_OK(pvg_model_train(&model, network, data[0], &once, NULL, rng, NULL));
    PVGT_OK(pvg_model_predict(&prediction, model, data[1], PVG_PREDICT_PROBABILITIES,
                              PVG_NOTION_EDGE, &first, NULL));
    PVGT_OK(pvg_guarantee_epsilon(&epsilon, pvg_release_guarantee(prediction), 0));
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1, epsilon);
    char path[64];
    snprintf(path, sizeof path, "provenance_left_%d.pvgr", (int)getpid());
    PVGT_OK(pvg_release_save(path, prediction));
    PVGT_OK(pvg_release_load(&loaded, path));
    remove(path);
    for (int file = 0; file < 2; file++) {
        PVGT_OK(pvg_dataset_builder_new(&b, ORDER));
        PVGT_OK(pvg_dataset_builder_add_released(b, file ? loaded : prediction,
                                                 PVG_ROLE_STATES));
        PVGT_OK(pvg_dataset_builder_add_public_graph(b, graph));
        PVGT_OK(pvg_dataset_builder_add_public_labels(b, labels));
        PVGT_OK(pvg_dataset_builder_finish(&mixed, b));
        pvg_dataset_builder_free(b);
        PVGT_OK(pvg_model_train(&head, network, mixed, &once, NULL, rng, NULL));
        PVGT_OK(pvg_model_promise(&promise, head, PVG_NOTION_EDGE, &first));
        PVGT_OK(pvg_guarantee_epsilon(&epsilon, promise, 0));
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1, epsilon);
        pvg_guarantee_free(promise);
        if (file) { /* the draws stayed in the other process */
            PVGT_FAILS(PVG_E_PRIVACY, "about the object 1 only",
                       pvg_model_promise(&promise, head, PVG_NOTION_EDGE, &second));
            PVGT_FAILS(PVG_E_PRIVACY, "about the object 1 only",
                       pvg_model_promise(&promise, head, PVG_NOTION_EDGE, NULL));
        } else {
            PVGT_OK(pvg_model_promise(&promise, head, PVG_NOTION_EDGE, &second));
            PVGT_OK(pvg_guarantee_epsilon(&epsilon, promise, 0));
            TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1, epsilon);
            pvg_guarantee_free(promise);
            PVGT_OK(pvg_model_promise(&promise, head, PVG_NOTION_EDGE, NULL));
            PVGT_OK(pvg_guarantee_epsilon(&epsilon, promise, 0));
            TEST_ASSERT_DOUBLE_WITHIN(1e-9, 2, epsilon);
            pvg_guarantee_free(promise);
        }
        pvg_model_free(head);
        pvg_dataset_free(mixed);
    }
    /* nor do two that leave out each other's draws add up */
    pvg_release *about_second;
    pvg_curve *curve = NULL;
    PVGT_OK(pvg_model_predict(&about_second, model, data[1], PVG_PREDICT_PROBABILITIES,
                              PVG_NOTION_EDGE, &second, NULL));
    const pvg_guarantee *both[] = {pvg_release_guarantee(prediction),
                                   pvg_release_guarantee(about_second)};
    PVGT_FAILS(PVG_E_PRIVACY, "about the object 1 alone",
               pvg_guarantee_compose(&curve, both, 2));
    PVGT_OK(pvg_guarantee_compose(&curve, both, 1));
    pvg_curve_free(curve);
    pvg_release_free(about_second);
    /* a ledger does not take it for the other object */
    PVGT_FAILS(
        PVG_E_PRIVACY, "about the object 1 only",
        pvg_ledger_charge(ledgers[1], &second, 1, pvg_release_guarantee(prediction)));
    PVGT_OK(pvg_ledger_charge(ledgers[1], &first, 1, pvg_release_guarantee(prediction)));
    for (int i = 0; i < 2; i++) {
        pvg_release_free(release[i]);
        pvg_dataset_free(data[i]);
    }
    pvgt_perturber_free(perturber);
    pvg_release_free(prediction);
    pvg_release_free(loaded);
    pvg_network_free(network);
    pvg_model_free(model);
    tear_down();
}

/* A draw that does not say what it read may have read anything; one that nobody paid for
 * may be about anybody. */
static void absence_counts(void) {
    static const int32_t notions[] = {PVG_NOTION_EDGE, PVG_NOTION_FEATURE_LDP,
                                      PVG_NOTION_LABEL_LDP, PVG_NOTION_NODE};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++) {
            pvg_guarantee silent = {.notion = notions[k],
                                    .spent = {.size = sizeof silent.spent,
                                              .kind = PVG_CURVE_PURE,
                                              .epsilon = 1},
                                    .noise = "some",
                                    .claim = "none",
                                    .drawn = true,
                                    .id = {1}},
                          about;
            pvgi_provenance *list = NULL;
            PVGT_OK(pvgi_guarantee_sources_add(&list, &silent));
            const uint64_t object = 5;
            const int32_t status =
                pvgi_guarantee_about(&about, "here", list, notions[i], &object);
            const int64_t steps = pvg_notion_pays(notions[i], notions[k]);
            TEST_ASSERT_TRUE(i != k || steps == 1);
            if (steps > 0) {
                PVGT_OK(status);
                TEST_ASSERT_TRUE(fabs(pvgi_guarantee_epsilon(&about, 0) - (double)steps) <
                                 1e-9);
                pvgi_guarantee_drop(&about);
            } else {
                TEST_ASSERT_EQUAL_INT32(PVG_E_PRIVACY, status);
            }
            pvgi_guarantee_sources_drop(list);
        }
}

/* A guarantee that nobody filled in promises nothing, and no ledger takes it for free. */
static void an_empty_curve_is_infinite(void) {
    const pvg_guarantee empty = {
        .notion = PVG_NOTION_EDGE, .noise = "none", .claim = "none"};
    pvg_guarantee free_one = empty;
    free_one.nothing = true;
    const uint64_t object = 1;
    set_up(3);
    TEST_ASSERT_FALSE(pvgi_guarantee_holds(&empty));
    TEST_ASSERT_TRUE(isinf(pvgi_guarantee_epsilon(&empty, 0.5)));
    PVGT_FAILS(PVG_E_PRIVACY, "", pvg_ledger_charge(ledgers[0], &object, 1, &empty));
    TEST_ASSERT_TRUE(pvgi_guarantee_holds(&free_one));
    TEST_ASSERT_EQUAL_DOUBLE(0, pvgi_guarantee_epsilon(&free_one, 0));
    tear_down();
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(absence_counts);
    RUN_TEST(an_empty_curve_is_infinite);
    RUN_TEST(defaults_count_too_much);
    RUN_TEST(what_was_left_out_is_not_free);
    RUN_TEST(no_draw_is_lost);
    return pvgt_end(UNITY_END());
}
