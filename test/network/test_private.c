/* Private training: what a record adds (length, exactness, other records do not matter),
 * noise that meets the account, the door, and what must not be told. */
#include "handles.h"
#include "network/network_internal.h"
#include "support.h"
#include "training.h"

#include <math.h>
#include <privgraph-learn.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 60, INPUTS = 6, CLASSES = 3 };

static pvg_features *features;
static pvg_labels *labels;
static int32_t classes[ROWS], split[ROWS];
static double dense[ROWS * INPUTS];
static pvg_rng *rng;

void setUp(void) {
    uint64_t state = 5;
    for (int v = 0; v < ROWS; v++) {
        classes[v] = v % CLASSES;
        split[v] = v % 6 == 5 ? PVG_PART_TEST : PVG_PART_TRAIN;
        for (int j = 0; j < INPUTS; j++) {
            const bool own = j / 2 == classes[v];
            dense[v * INPUTS + j] = own + .01 * (double)pvgt_below(&state, 50);
            if (pvgt_below(&state, 4) == 0) dense[v * INPUTS + j] = 0;
        }
    }
    PVGT_OK(pvg_features_from_dense(&features, ROWS, INPUTS, dense));
    PVGT_OK(pvg_labels_from_array(&labels, classes, ROWS));
    PVGT_OK(pvg_rng_new_secure(&rng));
}

void tearDown(void) {
    pvg_features_free(features);
    pvg_labels_free(labels);
    pvg_rng_free(rng);
}

static pvg_network *network_of(const char *text) {
    pvg_network *network;
    PVGT_OK(pvg_network_from_text(&network, text, INPUTS, CLASSES));
    return network;
}

/* --- what a record adds ------------------------------------------------------------- */

typedef struct {
    pvgi_ghost g;
    pvgi_ghost_scratch scratch;
    double *weights, *strided, *numbers;
    int64_t *sums;
    int32_t indices[INPUTS];
} stand;

static void *zeros(int64_t count) {
    void *block = calloc((size_t)count + 64, sizeof(double));
    TEST_ASSERT_NOT_NULL(block);
    return block;
}

static void stand_up(stand *s, const pvg_network *network, double clip, double size) {
    uint64_t state = 77;
    memset(s, 0, sizeof *s);
    PVGT_OK(pvgi_network_ghost_plan(&s->g, "test", &network->program));
    s->g.kernels = pvgi_network_ghost_kernels(PVGI_CPU_PORTABLE);
    s->g.clip = clip;
    s->g.bits = PVGI_GHOST_BITS;
    s->g.key = 3;
    s->weights = zeros(network->parameters);
    s->strided = zeros(s->g.flat);
    for (int64_t i = 0; i < network->parameters; i++)
        s->weights[i] = size * ((double)pvgt_below(&state, 2001) / 1000 - 1);
    pvgi_network_ghost_spread(s->strided, &s->g, s->weights);
    s->numbers = zeros((int64_t)pvgi_network_ghost_scratch_width(&s->g));
    s->sums = zeros(s->g.flat);
    pvgi_network_ghost_scratch(&s->scratch, &s->g, s->numbers, s->sums);
    for (int j = 0; j < INPUTS; j++) s->indices[j] = j;
}

static void stand_down(stand *s) {
    free(s->weights), free(s->strided), free(s->numbers), free(s->sums);
}

static pvgi_ghost_record record_of(const stand *s, int64_t v) {
    return (pvgi_ghost_record){.number = v,
                               .indices = s->indices,
                               .values = dense + v * INPUTS,
                               .count = INPUTS,
                               .label = classes[v]};
}

/* The loss of a row by the tape, which knows nothing of ghosts. */
static double loss_by_tape(pvg_model *model, const pvg_dataset *one, const stand *s,
                           int32_t y) {
    double z[CLASSES], p[CLASSES], mixed, most, sum = 0, loss = 0;
    PVGT_OK(pvg_model_predict_exact(z, model, one, PVG_PREDICT_LOGITS, NULL));
    const double even = s->g.smoothing / CLASSES;
    most = fmax(fmax(z[0], z[1]), z[2]);
    for (int j = 0; j < CLASSES; j++) sum += p[j] = exp(z[j] - most);
    for (int j = 0; j < CLASSES; j++) {
        const double hit = y == j;
        const double q = (1 - s->g.smoothing) * hit + even;
        if (s->g.loss == PVG_LOSS_SQUARES) {
            loss += (z[j] - q) * (z[j] - q);
        } else if (s->g.loss == PVG_LOSS_BINARY) {
            const double b = (1 - s->g.smoothing) * hit + s->g.smoothing / 2;
            loss += fmax(z[j], 0) - z[j] * b + log1p(exp(-fabs(z[j])));
        } else {
            mixed = p[j] / sum;
            if (s->g.transition) {
                mixed = 0;
                for (int k = 0; k < CLASSES; k++)
                    mixed += p[k] / sum * s->g.transition[k * CLASSES + j];
            }
            loss -= q * log(mixed);
        }
    }
    return loss * (s->g.class_weights ? s->g.class_weights[y] : 1);
}

/* A model with these weights, by hand. */
static pvg_model *model_of(const pvg_network *network) {
    const pvg_training_config config = {
        .size = sizeof config, .epochs = 1, .precision = PVG_PRECISION_DOUBLE};
    pvg_dataset_builder *b;
    pvg_dataset *data;
    pvg_model *model;
    PVGT_OK(pvg_dataset_builder_new(&b, ROWS));
    PVGT_OK(pvg_dataset_builder_add_public_features(b, features));
    PVGT_OK(pvg_dataset_builder_add_public_labels(b, labels));
    PVGT_OK(pvg_dataset_builder_finish(&data, b));
    PVGT_OK(pvg_model_train(&model, network, data, &config, NULL, rng, NULL));
    pvg_dataset_builder_free(b);
    pvg_dataset_free(data);
    return model;
}

static pvg_dataset *row_alone(int64_t v) {
    pvg_dataset_builder *b;
    pvg_dataset *data;
    pvg_features *row;
    PVGT_OK(pvg_features_from_dense(&row, 1, INPUTS, dense + v * INPUTS));
    PVGT_OK(pvg_dataset_builder_new(&b, 1));
    PVGT_OK(pvg_dataset_builder_add_public_features(b, row));
    PVGT_OK(pvg_dataset_builder_finish(&data, b));
    pvg_dataset_builder_free(b);
    pvg_features_free(row);
    return data;
}

/* Exact gradient of one record by differences of the tape's loss. */
static void gradient_by_tape(double *out, const pvg_network *network, stand *s,
                             pvg_model *model, int64_t v) {
    pvg_dataset *one = row_alone(v);
    memcpy(model->weights, s->weights,
           (size_t)network->parameters * sizeof *model->weights);
    for (int64_t i = 0; i < network->parameters; i++) {
        const double step = 1e-6, w = s->weights[i];
        model->weights[i] = w + step;
        const double high = loss_by_tape(model, one, s, classes[v]);
        model->weights[i] = w - step;
        const double low = loss_by_tape(model, one, s, classes[v]);
        model->weights[i] = w;
        out[i] = (high - low) / (2 * step);
    }
    pvg_dataset_free(one);
}

/* Ghost norms and what is added against exact gradients, record by record. */
static void check_against_tape(const char *text, int32_t loss, double smoothing,
                               const double *weights, const double *transition) {
    pvg_network *network = network_of(text);
    pvg_model *model = model_of(network);
    stand s;
    stand_up(&s, network, .7, .8);
    s.g.loss = loss;
    s.g.smoothing = smoothing;
    s.g.class_weights = weights;
    s.g.transition = transition;
    double *exact = zeros(network->parameters), *added = zeros(network->parameters);
    for (int64_t v = 0; v < 50; v += 7) {
        const pvgi_ghost_record record = record_of(&s, v);
        gradient_by_tape(exact, network, &s, model, v);
        double length = 0;
        for (int64_t i = 0; i < network->parameters; i++) length += exact[i] * exact[i];
        length = sqrt(length);
        memset(s.scratch.now, 0, (size_t)s.g.flat * sizeof *s.scratch.now);
        const double ghost = pvgi_network_ghost_add(&s.g, &s.scratch, s.strided, &record);
        PVGT_CHECK(fabs(ghost - length) <= 1e-6 * (1 + length),
                   "%s, loss %d, record %lld: length %.9g, exact %.9g", text, loss,
                   (long long)v, ghost, length);
        pvgi_network_ghost_gather(added, &s.g, s.scratch.now);
        const double factor = length > .7 ? .7 / length : 1;
        for (int64_t i = 0; i < network->parameters; i++) {
            const double got = ldexp(added[i], -s.g.bits) * .7;
            PVGT_CHECK(fabs(got - exact[i] * factor) < 1e-5, "%s: weight %lld: %g, %g",
                       text, (long long)i, got, exact[i] * factor);
        }
    }
    free(exact), free(added);
    stand_down(&s);
    pvg_model_free(model);
    pvg_network_free(network);
}

static void ghosts_are_gradients(void) {
    static const double weights[] = {1, 3, .5};
    static const double flips[] = {.8, .1, .1, .1, .8, .1, .2, .1, .7};
    check_against_tape("dense 5 tanh | dense classes", 0, 0, NULL, NULL);
    check_against_tape("dense classes", PVG_LOSS_SQUARES, .1, weights, NULL);
    check_against_tape("dense 5 sigmoid | dense classes", PVG_LOSS_BINARY, .1, NULL,
                       NULL);
    check_against_tape("dense 5 selu | dense classes", 0, .2, weights, flips);
    check_against_tape("dense 6 ln elu | dense classes ln", 0, 0, NULL, NULL);
    check_against_tape("dense 4 rownorm tanh | dense 4 project elu skip | jk cat | "
                       "dense classes",
                       0, 0, NULL, NULL);
    check_against_tape("dense 4 tanh | dense 4 tanh | jk max | dense classes", 0, 0, NULL,
                       NULL);
    check_against_tape("hops 2 3 tanh | dense classes", 0, 0, NULL, NULL);
}

/* No record, however large, makes more than 2^bits steps; those beyond add nothing. */
static void no_record_is_longer_than_the_clip(void) {
    static const double sizes[] = {1e-320, 1e-160, 1e-30, 1e-3,  1,        1e3,
                                   1e30,   1e90,   1e99,  1e140, INFINITY, NAN};
    pvg_network *network = network_of("dense 5 relu | dense 7 relu | dense classes");
    double values[INPUTS];
    for (int which = 0; which < 3; which++) {
        stand s;
        stand_up(&s, network,
                 which == 0   ? 1e-6
                 : which == 1 ? 1
                              : 1e6,
                 which == 2 ? 1e20 : 2);
        s.g.loss = which == 1 ? PVG_LOSS_CROSS_ENTROPY : PVG_LOSS_SQUARES;
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
            for (int64_t v = 0; v < 12; v++) {
                for (int j = 0; j < INPUTS; j++)
                    values[j] = dense[v * INPUTS + j] * (j % 2 ? sizes[k] : 1);
                pvgi_ghost_record record = record_of(&s, v);
                record.values = values;
                memset(s.scratch.now, 0, (size_t)s.g.flat * sizeof *s.scratch.now);
                pvgi_network_ghost_add(&s.g, &s.scratch, s.strided, &record);
                /* whole numbers below 2^41: squares are exact in 128 bits */
                unsigned __int128 sum = 0;
                for (int64_t i = 0; i < s.g.flat; i++) {
                    const double x = s.scratch.now[i];
                    TEST_ASSERT_TRUE(x == floor(x) && fabs(x) <= 0x1p40);
                    const int64_t whole = (int64_t)x;
                    sum += (unsigned __int128)whole * (unsigned __int128)whole;
                }
                PVGT_CHECK(sum <= (unsigned __int128)1 << 80, "size %g record %lld",
                           sizes[k], (long long)v);
            }
        stand_down(&s);
    }
    pvg_network_free(network);
}

/* A record adds the same bits whoever else is there, in any order, by any kernels. */
static void records_do_not_feel_each_other(void) {
    pvg_network *network =
        network_of("drop .2 | dense 9 relu drop .3 | dense 5 ln tanh | dense classes");
    stand s;
    stand_up(&s, network, .5, 1);
    const size_t bytes = (size_t)s.g.flat * sizeof(double);
    double *alone = zeros(s.g.flat), *before = zeros(s.g.flat);
    uint64_t state = 12;
    for (int64_t v = 0; v < ROWS; v += 3) {
        const pvgi_ghost_record record = record_of(&s, v);
        memset(s.scratch.now, 0, bytes);
        const double length =
            pvgi_network_ghost_add(&s.g, &s.scratch, s.strided, &record);
        memcpy(alone, s.scratch.now, bytes);
        for (int trial = 0; trial < 8; trial++) {
            memset(s.scratch.now, 0, bytes);
            s.g.kernels = pvgi_network_ghost_kernels(trial % 2 ? pvgi_cpu_level()
                                                               : PVGI_CPU_PORTABLE);
            const int others = (int)pvgt_below(&state, 20);
            for (int k = 0; k < others; k++) {
                const pvgi_ghost_record other =
                    record_of(&s, (int64_t)pvgt_below(&state, ROWS));
                pvgi_network_ghost_add(&s.g, &s.scratch, s.strided, &other);
            }
            memcpy(before, s.scratch.now, bytes);
            TEST_ASSERT_TRUE(
                length == pvgi_network_ghost_add(&s.g, &s.scratch, s.strided, &record));
            for (int64_t i = 0; i < s.g.flat; i++)
                TEST_ASSERT_TRUE(s.scratch.now[i] - before[i] == alone[i]);
        }
    }
    free(alone), free(before);
    stand_down(&s);
    pvg_network_free(network);
}

/* Sums stay exact when they leave the doubles. */
static void sums_are_exact(void) {
    pvg_network *network = network_of("dense classes");
    stand s;
    stand_up(&s, network, 1e-6, 1);
    const pvgi_ghost_record record = record_of(&s, 1);
    pvgi_network_ghost_add(&s.g, &s.scratch, s.strided, &record);
    double *one = zeros(s.g.flat);
    memcpy(one, s.scratch.now, (size_t)s.g.flat * sizeof *one);
    const int64_t times = 3 * PVGI_GHOST_RECORDS + 17;
    for (int64_t k = 1; k < times; k++)
        pvgi_network_ghost_add(&s.g, &s.scratch, s.strided, &record);
    TEST_ASSERT_EQUAL_INT64(17, s.scratch.records);
    for (int64_t i = 0; i < s.g.flat; i++)
        TEST_ASSERT_EQUAL_INT64(times * (int64_t)one[i],
                                s.scratch.kept[i] + (int64_t)s.scratch.now[i]);
    free(one);
    stand_down(&s);
    pvg_network_free(network);
}

/* --- queries ----------------------------------------------------------------------- */

static const pvg_guarantee *promised(const pvg_query *query) {
    return &pvgi_network_query_training(query)->guarantee;
}

static pvg_query *query_of(const char *text, int64_t records, pvg_dpsgd_config config,
                           pvg_target target) {
    pvg_network *network = network_of(text);
    pvg_query *query;
    config.size = sizeof config;
    target.size = sizeof target;
    PVGT_OK(pvg_query_new_training(&query, network, records, &config, NULL, &target));
    pvg_network_free(network);
    return query;
}

/* The same that goes on from a model. */
static pvg_query *query_from(const char *text, pvg_dpsgd_config config,
                             const pvg_model *start, pvg_target target) {
    pvg_network *network = network_of(text);
    pvg_query *query;
    config.size = sizeof config;
    target.size = sizeof target;
    PVGT_OK(pvg_query_new_training(&query, network, 50, &config, start, &target));
    pvg_network_free(network);
    return query;
}

/* Noise against the table of an independent program; never below it. */
static void noise_meets_the_account(void) {
    static const struct {
        double q, steps, epsilon, sigma;
    } rows[] = {{.026, 400, 1, 2.3105}, {.026, 400, 2, 1.4023}, {.026, 400, 4, .9687},
                {.026, 400, 8, .7278},  {.01, 1000, 1, 1.5131}, {.5, 100, 8, 3.3223}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pvg_query *query =
            query_of("dense classes", 10000,
                     (pvg_dpsgd_config){.steps = (int64_t)rows[i].steps,
                                        .batch = 10000 * rows[i].q},
                     (pvg_target){.epsilon = rows[i].epsilon, .delta = 1e-5});
        const double sigma = pvgt_declared(query, "sigma");
        const double epsilon = pvgt_declared(query, "epsilon");
        PVGT_CHECK(fabs(sigma - rows[i].sigma) < 2e-4 * rows[i].sigma,
                   "sigma %.5f, table %.4f", sigma, rows[i].sigma);
        TEST_ASSERT_TRUE(epsilon <= rows[i].epsilon && epsilon > .999 * rows[i].epsilon);
        /* the curve that a ledger is charged with holds the noise that is drawn */
        const pvg_guarantee *g = promised(query);
        TEST_ASSERT_EQUAL_INT32(PVG_NOTION_NODE_REMOVED, g->notion);
        TEST_ASSERT_EQUAL_STRING("learn.dpsgd", g->claim);
        TEST_ASSERT_TRUE(g->spent.mu >= 1 / sigma);
        TEST_ASSERT_TRUE(g->spent.rate >=
                         (double)pvgi_network_query_training(query)->threshold * 0x1p-64);
        pvg_query_free(query);
    }
    /* without sampling it is a Gaussian per step */
    pvg_query *query =
        query_of("dense classes", 100, (pvg_dpsgd_config){.steps = 9, .batch = 100},
                 (pvg_target){.epsilon = 1, .delta = 1e-5});
    const double drawn = pvgt_declared(query, "sigma");
    double sigma;
    PVGT_OK(pvg_gaussian_sigma(&sigma, 1, 1e-5));
    sigma *= 3; /* the root of nine steps */
    TEST_ASSERT_TRUE(drawn >= sigma && drawn < 1.1 * sigma);
    /* and a replaced node is exactly one of twice the mu: above that, but not by much */
    const pvg_curve_term twice = {.size = sizeof twice,
                                  .kind = PVG_CURVE_GDP,
                                  .mu = 2 * 3 * promised(query)->spent.mu};
    const double exact = pvgi_mechanism_terms_epsilon(&twice, 1, 1e-5);
    const double told = pvgi_guarantee_also_epsilon(promised(query));
    TEST_ASSERT_EQUAL_INT32(PVG_NOTION_NODE, promised(query)->also_notion);
    PVGT_CHECK(told >= exact && told < 1.25 * exact, "replaced %g, exactly %g", told,
               exact);
    pvg_query_free(query);
    /* sampled: between removing and the basic bound through the world without it */
    query =
        query_of("dense classes", 10000, (pvg_dpsgd_config){.steps = 400, .batch = 260},
                 (pvg_target){.epsilon = 2, .delta = 1e-5});
    const double sampled = pvgi_guarantee_also_epsilon(promised(query));
    PVGT_CHECK(sampled > 2 && sampled < 8, "replaced %g", sampled);
    pvg_query_free(query);
}

static void what_mixes_records_is_refused(void) {
    static const char *const texts[] = {"gcn classes",
                                        "sage classes",
                                        "gin classes",
                                        "gat classes",
                                        "kprop 2 | dense classes",
                                        "pcmp 1 | dense classes",
                                        "sum | dense classes",
                                        "dense 4 bn | dense classes",
                                        "dense 4 | pool mean | dense classes",
                                        "dense 4 | attend | dense classes",
                                        "dense 4 | pairs 2 | dense classes",
                                        "dense 4 | jk cat | gcn classes"};
    const pvg_target target = {.size = sizeof target, .epsilon = 1, .delta = 1e-5};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        pvg_network *network = network_of(texts[i]);
        pvg_query *query;
        PVGT_FAILS(PVG_E_PRIVACY, "mixes records",
                   pvg_query_new_training(&query, network, 50, NULL, NULL, &target));
        TEST_ASSERT_NULL(query);
        pvg_network_free(network);
    }
}

static void wrong_arguments_are_named(void) {
    pvg_network *network = network_of("dense classes");
    pvg_query *query;
    pvg_target target = {.size = sizeof target, .epsilon = 1, .delta = 1e-5};
    pvg_dpsgd_config c = {.size = sizeof c, .batch = 51};
    PVGT_FAILS(PVG_E_ARGUMENT, "batch is 51",
               pvg_query_new_training(&query, network, 50, &c, NULL, &target));
    PVGT_FAILS(PVG_E_ARGUMENT, "records",
               pvg_query_new_training(&query, network, 0, NULL, NULL, &target));
    c = (pvg_dpsgd_config){.size = sizeof c, .clip = 1e-9};
    PVGT_FAILS(PVG_E_ARGUMENT, "clip",
               pvg_query_new_training(&query, network, 50, &c, NULL, &target));
    c = (pvg_dpsgd_config){.size = sizeof c, .rate = NAN};
    PVGT_FAILS(PVG_E_ARGUMENT, "rate",
               pvg_query_new_training(&query, network, 50, &c, NULL, &target));
    target.delta = 0;
    PVGT_FAILS(PVG_E_ARGUMENT, "delta",
               pvg_query_new_training(&query, network, 50, NULL, NULL, &target));
    target = (pvg_target){
        .size = sizeof target, .epsilon = 1, .delta = 1e-5, .noise = PVG_NOISE_LAPLACE};
    PVGT_FAILS(PVG_E_ARGUMENT, "delta",
               pvg_query_new_training(&query, network, 50, NULL, NULL, &target));
    target = (pvg_target){.size = sizeof target, .parameter = 1e9};
    PVGT_FAILS(PVG_E_LIMIT, "out of range",
               pvg_query_new_training(&query, network, 50, NULL, NULL, &target));
    pvg_network_free(network);
}

/* --- draws ------------------------------------------------------------------------- */

typedef struct {
    bool public_features, public_labels, inferred;
    int32_t absent; /* row without a label, if above 0 */
} wish;

static pvg_dataset *make(wish w) {
    pvg_dataset_builder *b;
    pvg_dataset *data;
    pvg_labels *told = NULL;
    pvg_features *inferred = NULL;
    PVGT_OK(pvg_dataset_builder_new(&b, ROWS));
    if (w.inferred) PVGT_OK(pvg_features_copy_inferred(&inferred, features));
    if (w.public_features)
        PVGT_OK(pvg_dataset_builder_add_public_features(b, features));
    else
        PVGT_OK(
            pvg_dataset_builder_add_private_features(b, inferred ? inferred : features));
    int32_t own[ROWS];
    memcpy(own, classes, sizeof own);
    if (w.absent > 0) own[w.absent] = -1;
    PVGT_OK(pvg_labels_from_array(&told, own, ROWS));
    if (w.public_labels)
        PVGT_OK(pvg_dataset_builder_add_public_labels(b, told));
    else
        PVGT_OK(pvg_dataset_builder_add_private_labels(b, told));
    PVGT_OK(pvg_dataset_builder_set_split(b, split, ROWS));
    PVGT_OK(pvg_dataset_builder_finish(&data, b));
    pvg_labels_free(told);
    pvg_features_free(inferred);
    pvg_dataset_builder_free(b);
    return data;
}

static pvg_model *draw_seeded(const pvg_query *query, const pvg_dataset *data,
                              uint64_t seed, int32_t threads) {
    const pvg_run run = {.size = sizeof run, .threads = (uint32_t)threads};
    pvg_rng *own;
    pvg_model *model;
    PVGT_OK(pvg_rng_new_seeded(&own, seed));
    PVGT_OK(pvgt_train(&model, query, data, 4, own, NULL, &run));
    pvg_rng_free(own);
    return model;
}

/* The whole way: worlds with and without a record, with the same noise, are at most one
 * clip apart after a step; every record in turn. */
static void a_step_moves_by_the_clip(void) {
    const double clip = .25, rate = 2;
    pvg_query *query = query_of("dense 5 relu | dense classes", 50,
                                (pvg_dpsgd_config){.optimiser = PVG_OPTIMISER_SGD,
                                                   .momentum = -1,
                                                   .steps = 1,
                                                   .batch = 50,
                                                   .clip = clip,
                                                   .rate = rate},
                                (pvg_target){.parameter = 1, .allow_seeded = 1});
    pvg_dataset *all = make((wish){.public_features = false});
    pvg_model *with = draw_seeded(query, all, 8, 1);
    int moved = 0;
    for (int32_t v = 1; v < ROWS; v++) {
        pvg_dataset *less = make((wish){.absent = v});
        pvg_model *without = draw_seeded(query, less, 8, 1);
        double sum = 0;
        for (int64_t i = 0; i < with->network->parameters; i++) {
            const double d = (with->weights[i] - without->weights[i]) * 50 / rate;
            sum += d * d;
        }
        PVGT_CHECK(sqrt(sum) <= clip * (1 + 1e-9), "record %d moves %g", (int)v,
                   sqrt(sum));
        moved += sqrt(sum) > .9 * clip;
        if (split[v] != PVG_PART_TRAIN) TEST_ASSERT_EQUAL_DOUBLE(0, sum);
        pvg_model_free(without);
        pvg_dataset_free(less);
    }
    TEST_ASSERT_TRUE(moved > 10); /* else the bound is idle */
    pvg_model_free(with);
    pvg_dataset_free(all);
    pvg_query_free(query);
}

static void it_learns_and_threads_do_not_matter(void) {
    pvg_query *query = query_of("dense 8 tanh | dense classes", 50,
                                (pvg_dpsgd_config){.steps = 60, .batch = 25, .rate = .05},
                                (pvg_target){.parameter = 1, .allow_seeded = 1});
    pvg_dataset *data = make((wish){.inferred = false});
    pvg_model *one = draw_seeded(query, data, 3, 1),
              *two = draw_seeded(query, data, 3, 2);
    double accuracy;
    TEST_ASSERT_EQUAL_MEMORY(one->weights, two->weights,
                             (size_t)one->network->parameters * sizeof *one->weights);
    PVGT_OK(pvg_model_score_exact(&accuracy, NULL, one, data, PVG_PART_TEST, NULL));
    TEST_ASSERT_TRUE(accuracy >= .9);
    /* trap 7: nothing on the way is told */
    int64_t count = -1;
    PVGT_OK(pvg_model_copy_history_exact(NULL, &count, one));
    TEST_ASSERT_EQUAL_INT64(0, count);
    pvg_model_free(one);
    pvg_model_free(two);
    pvg_dataset_free(data);
    pvg_query_free(query);
}

/* A rate so small that nobody joins: a step of noise, no failure. */
static void an_empty_batch_is_a_step(void) {
    pvg_query *query = query_of(
        "dense classes", 50,
        (pvg_dpsgd_config){
            .optimiser = PVG_OPTIMISER_SGD, .steps = 1, .batch = 1e-6, .rate = 1e-6},
        (pvg_target){.parameter = 1});
    pvg_dataset *data = make((wish){.inferred = false});
    pvg_model *model;
    PVGT_OK(pvgt_train(&model, query, data, 4, rng, NULL, NULL));
    for (int64_t i = 0; i < CLASSES; i++) /* biases began at 0: noise alone */
        TEST_ASSERT_TRUE(model->weights[INPUTS * CLASSES + i] != 0);
    pvg_model_free(model);
    pvg_dataset_free(data);
    pvg_query_free(query);
}

/* Trap 7: values that are not numbers count as absent; training goes on. */
static void bad_records_are_silent(void) {
    pvg_query *query = query_of("dense 4 relu | dense classes", 50,
                                (pvg_dpsgd_config){.steps = 3, .batch = 50},
                                (pvg_target){.parameter = 1, .allow_seeded = 1});
    pvg_dataset *data = make((wish){.inferred = false});
    pvg_dataset *without = make((wish){.absent = 1});
    for (int64_t k = data->x_offsets[1]; k < data->x_offsets[2]; k++)
        data->x_values[k] = k % 2 ? NAN : 1e200;
    data->labels[2] = 77;
    without->labels[2] = -1;
    pvg_model *one = draw_seeded(query, data, 2, 1),
              *two = draw_seeded(query, without, 2, 1);
    TEST_ASSERT_EQUAL_MEMORY(one->weights, two->weights,
                             (size_t)one->network->parameters * sizeof *one->weights);
    pvg_model_free(one);
    pvg_model_free(two);
    pvg_dataset_free(data);
    pvg_dataset_free(without);
    pvg_query_free(query);
}

static void the_door_is_passed_once_and_paid(void) {
    const pvg_target target = {.size = sizeof target, .epsilon = 2, .delta = 1e-5};
    const pvg_ledger_config budget = {.size = sizeof budget,
                                      .notion = PVG_NOTION_NODE_REMOVED,
                                      .epsilon = 2.2,
                                      .delta = 1e-5};
    pvg_query *query = query_of("dense classes", 50,
                                (pvg_dpsgd_config){.steps = 4, .batch = 10}, target);
    pvg_dataset *data = make((wish){.inferred = false});
    pvg_dataset *open = make((wish){.public_features = true, .public_labels = true});
    pvg_ledger *ledger;
    pvg_model *model, *second = NULL;
    double spent, epsilon;
    PVGT_OK(pvg_ledger_new(&ledger, &budget));
    /* refused before anything is paid */
    pvg_rng *seeded;
    PVGT_OK(pvg_rng_new_seeded(&seeded, 1));
    PVGT_FAILS(PVG_E_SEEDED, "seeded",
               pvgt_train(&second, query, data, 4, seeded, ledger, NULL));
    pvg_rng_free(seeded);
    TEST_ASSERT_EQUAL_INT64(0, pvg_ledger_charge_count(ledger));
    PVGT_OK(pvgt_train(&model, query, data, 4, rng, ledger, NULL));
    PVGT_OK(pvg_ledger_spent(&spent, ledger, 4, 1e-5));
    epsilon = pvgi_guarantee_epsilon(promised(query), 1e-5);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, epsilon, spent);
    /* a second training does not fit, leaves no model and no charge */
    PVGT_FAILS(PVG_E_BUDGET, "budget",
               pvgt_train(&second, query, data, 4, rng, ledger, NULL));
    TEST_ASSERT_NULL(second);
    TEST_ASSERT_EQUAL_INT64(1, pvg_ledger_charge_count(ledger));
    /* the model promises the same, its predictions are releases where data are public */
    pvg_guarantee *promise;
    pvg_release *prediction = NULL;
    PVGT_OK(pvg_model_promise(&promise, model, PVG_NOTION_NODE_REMOVED, NULL));
    PVGT_OK(pvg_guarantee_epsilon(&epsilon, promise, 1e-5));
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, spent, epsilon);
    pvg_guarantee_free(promise);
    PVGT_OK(pvg_model_predict(&prediction, model, open, PVG_PREDICT_CLASSES,
                              PVG_NOTION_NODE_REMOVED, NULL, NULL));
    PVGT_OK(pvg_guarantee_epsilon(&epsilon, pvg_release_guarantee(prediction), 1e-5));
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, spent, epsilon);
    pvg_release_free(prediction);
    PVGT_FAILS(PVG_E_PRIVACY, "private parts",
               pvg_model_predict(&prediction, model, data, PVG_PREDICT_CLASSES,
                                 PVG_NOTION_NODE_REMOVED, NULL, NULL));
    double accuracy;
    PVGT_FAILS(PVG_E_PRIVACY, "private parts",
               pvg_model_score(&accuracy, NULL, model, data, PVG_PART_TEST, NULL));
    /* edges were never read; users' reports of features are another matter */
    PVGT_OK(pvg_model_promise(&promise, model, PVG_NOTION_EDGE, NULL));
    PVGT_OK(pvg_guarantee_epsilon(&epsilon, promise, 0));
    TEST_ASSERT_EQUAL_DOUBLE(0, epsilon);
    pvg_guarantee_free(promise);
    PVGT_FAILS(PVG_E_PRIVACY, "says nothing about",
               pvg_model_promise(&promise, model, PVG_NOTION_FEATURE_LDP, NULL));
    PVGT_FAILS(PVG_E_PRIVACY, "nothing is proven of 2 changes",
               pvg_model_promise(&promise, model, PVG_NOTION_NODE, NULL));
    /* going on is a second draw, and both count */
    pvg_query *on = query_from(
        "dense classes", (pvg_dpsgd_config){.steps = 4, .batch = 10}, model, target);
    PVGT_OK(pvgt_train(&second, on, data, 4, rng, NULL, NULL));
    pvg_query_free(on);
    PVGT_OK(pvg_model_promise(&promise, second, PVG_NOTION_NODE_REMOVED, NULL));
    PVGT_OK(pvg_guarantee_epsilon(&epsilon, promise, 1e-5));
    TEST_ASSERT_TRUE(epsilon > 1.2 * spent);
    pvg_guarantee_free(promise);
    pvg_model_free(second);
    pvg_model_free(model);
    pvg_ledger_free(ledger);
    pvg_dataset_free(data);
    pvg_dataset_free(open);
    pvg_query_free(query);
}

static bool says(const pvg_guarantee *g, const char *part) {
    static char text[20000];
    size_t length;
    PVGT_OK(pvg_guarantee_copy_json(text, sizeof text, &length, g));
    return strstr(text, part) != NULL;
}

/* A model trained in private has a record of its own, in a file as well: the draw, not
 * "the releases it was made from". */
static void a_model_has_a_record_of_its_own(void) {
    const pvg_target target = {.size = sizeof target, .epsilon = 2, .delta = 1e-5};
    const char *path = "own-record.pvgm";
    pvg_query *query = query_of("dense classes", 50,
                                (pvg_dpsgd_config){.steps = 7, .batch = 10}, target);
    pvg_dataset *data = make((wish){.inferred = false});
    pvg_network *network = network_of("dense classes");
    pvg_model *model[3], *plain = model_of(network);
    pvg_guarantee *promise, *own;
    PVGT_OK(pvgt_train(&model[0], query, data, 4, rng, NULL, NULL));
    PVGT_OK(pvg_model_save(path, model[0]));
    PVGT_OK(pvg_model_load(&model[1], path));
    pvg_query *on = query_from(
        "dense classes", (pvg_dpsgd_config){.steps = 7, .batch = 10}, model[0], target);
    PVGT_OK(pvgt_train(&model[2], on, data, 4, rng, NULL, NULL));
    pvg_query_free(on);
    for (int i = 0; i < 3; i++) {
        double epsilon[3];
        PVGT_OK(pvg_model_training(&own, model[i]));
        PVGT_OK(pvg_model_promise(&promise, model[i], PVG_NOTION_NODE_REMOVED, NULL));
        PVGT_OK(pvg_guarantee_epsilon(&epsilon[0], own, 1e-5));
        PVGT_OK(pvg_guarantee_epsilon(&epsilon[1], promise, 1e-5));
        epsilon[2] = pvgi_guarantee_epsilon(promised(query), 1e-5);
        TEST_ASSERT_EQUAL_DOUBLE(epsilon[2], epsilon[0]);
        TEST_ASSERT_EQUAL_STRING("learn.dpsgd", pvg_guarantee_claim(own));
        TEST_ASSERT_TRUE(own->drawn);
        TEST_ASSERT_EQUAL_DOUBLE(pvgt_declared(query, "sigma"), own->scale); /* clip 1 */
        TEST_ASSERT_EQUAL_DOUBLE(.2, own->spent.rate);
        TEST_ASSERT_EQUAL_INT64(7, own->spent.steps);
        TEST_ASSERT_TRUE(says(own, "rounded Gaussian on the sum of clipped gradients"));
        TEST_ASSERT_TRUE(says(own, "\"rate\": 0.2") && says(own, "\"steps\": 7"));
        /* alone it is the promise; one that went on composes both */
        const bool alone = i < 2;
        TEST_ASSERT_EQUAL(alone, epsilon[1] == epsilon[0]);
        TEST_ASSERT_EQUAL(alone, memcmp(own->id, promise->id, sizeof own->id) == 0);
        TEST_ASSERT_EQUAL_STRING(alone ? "learn.dpsgd" : "learn.postprocessing",
                                 pvg_guarantee_claim(promise));
        TEST_ASSERT_EQUAL(!alone, says(promise, "that of the releases"));
        TEST_ASSERT_TRUE(says(promise, "called public are"));
        TEST_ASSERT_EQUAL(i == 1, says(promise, "read from files"));
        /* about something else it is not */
        pvg_guarantee_free(promise);
        PVGT_OK(pvg_model_promise(&promise, model[i], PVG_NOTION_EDGE, NULL));
        TEST_ASSERT_EQUAL_STRING("learn.postprocessing", pvg_guarantee_claim(promise));
        pvg_guarantee_free(promise);
        pvg_guarantee_free(own);
    }
    PVGT_FAILS(PVG_E_ARGUMENT, "not those of a private training",
               pvg_model_training(&own, plain));
    /* a model that has seen a training is not of it */
    model[0]->weights[0] += 1;
    PVGT_FAILS(PVG_E_ARGUMENT, "not those of a private training",
               pvg_model_training(&own, model[0]));
    for (int i = 0; i < 3; i++) pvg_model_free(model[i]);
    pvg_model_free(plain);
    pvg_network_free(network);
    pvg_dataset_free(data);
    pvg_query_free(query);
    remove(path);
}

/* GAP at node level: encoder, states and head are three draws about one object, and the
 * model of the head promises all of them. */
static void three_draws_compose(void) {
    const pvg_layers_config one = {.size = sizeof one, .operation = PVG_OPERATOR_SUM};
    const pvg_assumption assumption = {.size = sizeof assumption,
                                       .order = ROWS,
                                       .degrees = PVG_DEGREES_PROMISED,
                                       .degree_bound = 4};
    const pvg_propagator_config level = {.size = sizeof level,
                                         .method = PVG_PROPAGATION_HOPS,
                                         .hide = PVGI_HIDE_NODE_REMOVED};
    const pvg_target third = {.size = sizeof third, .epsilon = 1, .delta = 1e-5};
    pvg_query *query =
        query_of("dense classes", 50, (pvg_dpsgd_config){.steps = 4, .batch = 10}, third);
    pvg_dataset *data = make((wish){.inferred = false});
    double messages[ROWS * CLASSES], parts[3], all;
    pvg_model *encoder, *head;
    PVGT_OK(pvgt_train(&encoder, query, data, 4, rng, NULL, NULL));
    PVGT_OK(pvg_model_predict_exact(messages, encoder, data, PVG_PREDICT_PROBABILITIES,
                                    NULL));
    /* states of a private graph and of the private messages */
    pvg_graph *graph;
    pvg_features *rows;
    pvg_layers *layers;
    pvg_propagator *propagator;
    pvg_release *states;
    PVGT_OK(pvg_graph_new_cycle(&graph, ROWS));
    PVGT_OK(pvg_features_from_dense(&rows, ROWS, CLASSES, messages));
    PVGT_OK(pvg_layers_new(&layers, &one, NULL, 0));
    PVGT_OK(
        pvgt_propagator_new(&propagator, layers, &assumption, CLASSES, &level, &third));
    PVGT_OK(pvgt_release_draw_propagation(&states, propagator, graph, rows, 4, rng, NULL,
                                          NULL));
    pvg_dataset_builder *b;
    pvg_dataset *second;
    PVGT_OK(pvg_dataset_builder_new(&b, ROWS));
    PVGT_OK(pvg_dataset_builder_add_released(b, states, PVG_ROLE_STATES));
    PVGT_OK(pvg_dataset_builder_add_seen(b, encoder));
    PVGT_OK(pvg_dataset_builder_add_private_labels(b, labels));
    PVGT_OK(pvg_dataset_builder_set_split(b, split, ROWS));
    PVGT_OK(pvg_dataset_builder_finish(&second, b));
    pvg_network *network;
    pvg_query *later;
    const pvg_dpsgd_config steps = {.size = sizeof steps, .steps = 4, .batch = 10};
    PVGT_OK(pvg_network_from_text(&network, "dense classes", CLASSES, CLASSES));
    PVGT_OK(pvg_query_new_training(&later, network, 50, &steps, NULL, &third));
    PVGT_OK(pvgt_train(&head, later, second, 4, rng, NULL, NULL));
    pvg_guarantee *promise;
    PVGT_OK(pvg_model_promise(&promise, head, PVG_NOTION_NODE_REMOVED, NULL));
    TEST_ASSERT_EQUAL_INT32(1, pvg_guarantee_holds(promise));
    PVGT_OK(pvg_guarantee_epsilon(&all, promise, 1e-5));
    parts[0] = pvgi_guarantee_epsilon(promised(query), 1e-5);
    PVGT_OK(pvg_guarantee_epsilon(&parts[1], pvg_release_guarantee(states), 1e-5));
    parts[2] = pvgi_guarantee_epsilon(promised(later), 1e-5);
    PVGT_CHECK(all > 1.5 && all < 4, "%g of %g %g %g", all, parts[0], parts[1], parts[2]);
    /* without the encoder it would be less: the call matters */
    TEST_ASSERT_EQUAL_INT32(3, head->sources->count);
    pvg_guarantee_free(promise);
    /* edges: states alone read them, and they hide nodes, not edges */
    PVGT_FAILS(PVG_E_PRIVACY, "may break the promise",
               pvg_model_promise(&promise, head, PVG_NOTION_EDGE, NULL));
    pvg_model_free(encoder);
    pvg_model_free(head);
    pvg_graph_free(graph);
    pvg_features_free(rows);
    pvg_layers_free(layers);
    pvgt_propagator_free(propagator);
    pvg_release_free(states);
    pvg_dataset_builder_free(b);
    pvg_dataset_free(data);
    pvg_dataset_free(second);
    pvg_network_free(network);
    pvg_query_free(query);
    pvg_query_free(later);
}

static int32_t stop(void *context, double fraction) {
    (void)fraction;
    return ++*(int *)context > 1;
}

/* A limit below what public numbers need is refused before paying, with any data; what
 * is cancelled is paid and leaves no model. */
static void refusals_cost_nothing(void) {
    const pvg_ledger_config budget = {.size = sizeof budget,
                                      .notion = PVG_NOTION_NODE_REMOVED,
                                      .epsilon = 100,
                                      .delta = 1e-5};
    pvg_query *query = query_of("dense 8 | dense classes", 50,
                                (pvg_dpsgd_config){.steps = 20000, .batch = 25},
                                (pvg_target){.parameter = .001});
    pvg_dataset *data = make((wish){.inferred = false}),
                *less = make((wish){.absent = 3});
    pvg_ledger *ledger;
    pvg_model *model = NULL;
    PVGT_OK(pvg_ledger_new(&ledger, &budget));
    pvg_run run = {.size = sizeof run,
                   .threads = 1,
                   .scratch_limit = (uint64_t)pvgt_declared(query, "bytes") - 1};
    for (int64_t k = less->x_offsets[9]; k < less->x_offsets[30]; k++)
        less->x_values[k] = 0;
    PVGT_FAILS(PVG_E_LIMIT, "", pvgt_train(&model, query, data, 4, rng, ledger, &run));
    PVGT_FAILS(PVG_E_LIMIT, "", pvgt_train(&model, query, less, 4, rng, ledger, &run));
    TEST_ASSERT_EQUAL_INT64(0, pvg_ledger_charge_count(ledger));
    int calls = 0;
    run = (pvg_run){
        .size = sizeof run, .threads = 1, .progress = stop, .progress_context = &calls};
    PVGT_FAILS(PVG_E_CANCELLED, "",
               pvgt_train(&model, query, data, 4, rng, ledger, &run));
    TEST_ASSERT_NULL(model);
    TEST_ASSERT_EQUAL_INT64(1, pvg_ledger_charge_count(ledger));
    pvg_ledger_free(ledger);
    pvg_dataset_free(data);
    pvg_dataset_free(less);
    pvg_query_free(query);
}

static void datasets_that_do_not_fit_are_refused(void) {
    pvg_query *query = query_of("dense classes", 50, (pvg_dpsgd_config){.steps = 2},
                                (pvg_target){.epsilon = 1, .delta = 1e-5});
    pvg_query *other = query_of("dense classes", 49, (pvg_dpsgd_config){.steps = 2},
                                (pvg_target){.epsilon = 1, .delta = 1e-5});
    pvg_dataset *data = make((wish){.inferred = false});
    pvg_dataset *open = make((wish){.public_features = true, .public_labels = true});
    pvg_dataset *inferred = make((wish){.inferred = true});
    pvg_dataset *labelled = make((wish){.public_features = true});
    const pvg_target target = {.size = sizeof target, .epsilon = 1, .delta = 1e-5};
    pvg_model *model = NULL, *exact;
    pvg_query *on = NULL;
    PVGT_FAILS(PVG_E_ARGUMENT, "50 rows train",
               pvgt_train(&model, other, data, 4, rng, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "nothing that is read is private",
               pvgt_train(&model, query, open, 4, rng, NULL, NULL));
    PVGT_FAILS(PVG_E_UNDECLARED, "columns",
               pvgt_train(&model, query, inferred, 4, rng, NULL, NULL));
    pvg_network *network = network_of("dense classes");
    const pvg_training_config config = {.size = sizeof config, .epochs = 1};
    PVGT_OK(pvg_model_train(&exact, network, data, &config, NULL, rng, NULL));
    PVGT_FAILS(PVG_E_PRIVACY, "trained on private parts",
               pvg_query_new_training(&on, network, 50, NULL, exact, &target));
    TEST_ASSERT_NULL(on);
    PVGT_OK(pvgt_train(&model, query, labelled, 4, rng, NULL, NULL));
    pvg_model_free(model);
    pvg_model_free(exact);
    pvg_network_free(network);
    pvg_dataset_free(data);
    pvg_dataset_free(open);
    pvg_dataset_free(inferred);
    pvg_dataset_free(labelled);
    pvg_query_free(query);
    pvg_query_free(other);
}

/* --- as a query --------------------------------------------------------------------- */

static uint64_t hash(const double *numbers, int64_t count) {
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    const unsigned char *bytes = (const void *)numbers;
    for (int64_t i = 0; i < 8 * count; i++) h = (h ^ bytes[i]) * UINT64_C(0x100000001b3);
    return h;
}

/* Weights as they were before training was a query, bit by bit, at 1 and 3 threads, begun
 * and going on. */
static void seeded_bits_stay(void) {
    static const char *const texts[] = {
        "dense 8 tanh | dense classes",
        "drop .2 | dense 5 ln relu drop .3 | dense classes"};
    static const uint64_t known[2][2] = {
        {UINT64_C(0xd18300e297f386d5), UINT64_C(0xc0cd3a4c94fef7a3)},
        {UINT64_C(0xc093254dad1b5b41), UINT64_C(0x60be52794efe213f)}};
    const pvg_target target = {
        .size = sizeof target, .epsilon = 3, .delta = 1e-5, .allow_seeded = 1};
    double x[ROWS * INPUTS];
    int32_t y[ROWS];
    for (int v = 0; v < ROWS; v++) {
        y[v] = v % 7 == 6 ? -1 : v % CLASSES;
        for (int j = 0; j < INPUTS; j++)
            x[v * INPUTS + j] = ((v * 13 + j * 7 + v * j) % 11 - 5) * .25;
    }
    pvg_features *rows;
    pvg_labels *told;
    pvg_dataset_builder *b;
    pvg_dataset *data;
    PVGT_OK(pvg_features_from_dense(&rows, ROWS, INPUTS, x));
    PVGT_OK(pvg_labels_from_array(&told, y, ROWS));
    PVGT_OK(pvg_dataset_builder_new(&b, ROWS));
    PVGT_OK(pvg_dataset_builder_add_private_features(b, rows));
    PVGT_OK(pvg_dataset_builder_add_private_labels(b, told));
    PVGT_OK(pvg_dataset_builder_finish(&data, b));
    for (int i = 0; i < 2; i++)
        for (uint32_t threads = 1; threads <= 3; threads += 2) {
            const pvg_dpsgd_config config = {.size = sizeof config,
                                             .steps = 9,
                                             .batch = 20,
                                             .rate = .05,
                                             .cosine = i,
                                             .optimiser = i ? PVG_OPTIMISER_ADAMW : 0,
                                             .decay = i ? .01 : 0};
            const pvg_run run = {.size = sizeof run, .threads = threads};
            pvg_network *network = network_of(texts[i]);
            pvg_model *model[2] = {NULL, NULL};
            pvg_rng *seeded;
            PVGT_OK(pvg_rng_new_seeded(&seeded, 42));
            for (int k = 0; k < 2; k++) {
                pvg_query *query;
                PVGT_OK(pvg_query_new_training(&query, network, ROWS, &config,
                                               k ? model[0] : NULL, &target));
                PVGT_OK(pvgt_train(&model[k], query, data, 1, seeded, NULL, &run));
                TEST_ASSERT_EQUAL_HEX64(known[i][k],
                                        hash(model[k]->weights, network->parameters));
                pvg_query_free(query);
            }
            pvg_rng_free(seeded);
            pvg_model_free(model[0]);
            pvg_model_free(model[1]);
            pvg_network_free(network);
        }
    pvg_dataset_builder_free(b);
    pvg_dataset_free(data);
    pvg_features_free(rows);
    pvg_labels_free(told);
}

static pvg_query *plain_query(double epsilon) {
    return query_of("dense classes", 50, (pvg_dpsgd_config){.steps = 4, .batch = 10},
                    (pvg_target){.epsilon = epsilon, .delta = 1e-5});
}

static void text_of(char *out, size_t scratch, const pvg_query *query) {
    size_t length;
    PVGT_OK(pvg_query_copy_text(out, scratch, &length, query));
}

/* Text and id tell queries apart by everything that goes in; what it reads is public. */
static void queries_have_text_and_id(void) {
    static const double even[] = {1, 1, 1}, uneven[] = {1, 2, 1};
    const pvg_target target = {.size = sizeof target, .epsilon = 1, .delta = 1e-5};
    pvg_network *network = network_of("dense 4  tanh |dense classes");
    pvg_model *plain = model_of(network);
    const struct {
        int64_t records;
        double rate, epsilon;
        const double *weights;
        const pvg_model *start;
    } cases[] = {{50, 0, 1, NULL, NULL},   {50, .01, 1, NULL, NULL},
                 {49, 0, 1, NULL, NULL},   {50, .02, 1, NULL, NULL},
                 {50, 0, 2, NULL, NULL},   {50, 0, 1, even, NULL},
                 {50, 0, 1, uneven, NULL}, {50, 0, 1, NULL, plain}};
    enum { CASES = sizeof cases / sizeof *cases };
    uint64_t id[CASES][2];
    char text[1024];
    for (int i = 0; i < CASES; i++) {
        const pvg_dpsgd_config config = {.size = sizeof config,
                                         .rate = cases[i].rate,
                                         .class_weights = cases[i].weights};
        pvg_target own = target;
        pvg_query *query;
        own.epsilon = cases[i].epsilon;
        PVGT_OK(pvg_query_new_training(&query, network, cases[i].records, &config,
                                       cases[i].start, &own));
        PVGT_OK(pvg_query_copy_id(&id[i][0], &id[i][1], query));
        TEST_ASSERT_EQUAL_UINT32(PVG_DATA_FEATURES | PVG_DATA_LABELS,
                                 pvg_query_reads(query));
        if (i == 0) {
            text_of(text, sizeof text, query);
            TEST_ASSERT_EQUAL_STRING(
                "training network=dense,4,tanh,|,dense,classes inputs=6 classes=3 "
                "records=50 optimiser=adam loss=cross-entropy cosine=no steps=250 "
                "warmup=0 batch=50 clip=1 rate=0.01 decay=0 momentum=0.9 beta1=0.9 "
                "beta2=0.999 smoothing=0 epsilon=1 delta=1e-05",
                text);
        }
        for (int k = 0; k < i; k++)
            TEST_ASSERT_EQUAL(i == 1 && k == 0, id[i][0] == id[k][0]);
        pvg_query_free(query);
    }
    pvg_model_free(plain);
    pvg_network_free(network);
}

/* What else one asks of queries is answered or refused by name. */
static void a_training_is_no_row_of_numbers(void) {
    pvg_query *query = plain_query(2), *stars = NULL, *joined = NULL;
    pvg_dataset *data = make((wish){.inferred = false});
    const pvg_input input = {.size = sizeof input, .dataset = data};
    pvg_input wrong = input;
    pvg_release *release = NULL;
    pvg_preview *preview = NULL;
    pvg_graph *graph;
    int64_t rows = -1, columns = -1;
    double number;
    PVGT_OK(pvg_graph_new_cycle(&graph, ROWS));
    PVGT_FAILS(PVG_E_ARGUMENT, "pvg_query_copy_json tells",
               pvg_query_preview(&preview, query, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "pvg_query_copy_json tells",
               pvg_query_covariance(&number, query, 0));
    PVGT_FAILS(PVG_E_ARGUMENT, "gives no numbers",
               pvg_query_values_exact(&number, query, &input, NULL));
    PVGT_OK(pvg_query_shape(&rows, &columns, query, &input));
    TEST_ASSERT_EQUAL_INT64(0, rows + columns);
    PVGT_FAILS(PVG_E_ARGUMENT, "cannot be joined", pvg_query_join(&joined, &query, 1));
    wrong.dataset = NULL;
    PVGT_FAILS(PVG_E_ARGUMENT, "reads a dataset; input->dataset is NULL",
               pvg_release_draw(&release, query, &wrong, rng, NULL, NULL));
    wrong = input;
    wrong.labels = labels;
    PVGT_FAILS(PVG_E_ARGUMENT, "another part is given",
               pvg_release_draw(&release, query, &wrong, rng, NULL, NULL));
    wrong = input;
    wrong.open = PVG_DATA_LABELS;
    PVGT_FAILS(PVG_E_ARGUMENT, "a dataset knows",
               pvg_release_draw(&release, query, &wrong, rng, NULL, NULL));
    PVGT_OK(pvg_query_new(&stars, "stars epsilon=1", NULL, NULL, NULL));
    wrong = input;
    wrong.graph = graph;
    PVGT_FAILS(PVG_E_ARGUMENT, "reads no dataset",
               pvg_release_draw(&release, stars, &wrong, rng, NULL, NULL));
    /* what came out */
    const pvg_model *model = NULL;
    const double *values;
    PVGT_OK(pvg_release_draw(&release, query, &input, rng, NULL, NULL));
    TEST_ASSERT_EQUAL_UINT32(PVG_HOLDS_MODEL, pvg_release_holds(release));
    TEST_ASSERT_EQUAL_INT64(0, pvg_release_rows(release) + pvg_release_columns(release));
    PVGT_FAILS(PVG_E_ARGUMENT, "no numbers", pvg_release_view(&values, release));
    PVGT_FAILS(PVG_E_ARGUMENT, "pvg_model_save", pvg_release_save("m.pvgr", release));
    PVGT_OK(pvg_release_view_model(&model, release));
    /* the digest is that of all weights: one that moves is noticed */
    double *weights = zeros(model->network->parameters);
    PVGT_OK(pvg_model_copy_weights_exact(weights, model, 0));
    pvg_released said = {.size = sizeof said,
                         .rows = 1,
                         .columns = model->network->parameters,
                         .values = weights};
    int32_t same = -1;
    PVGT_OK(pvg_release_verify(&same, pvg_release_guarantee(release), &said));
    TEST_ASSERT_EQUAL_INT32(1, same);
    for (int64_t i = 0; i < said.columns; i++) {
        weights[i] = nextafter(weights[i], 2);
        PVGT_OK(pvg_release_verify(&same, pvg_release_guarantee(release), &said));
        TEST_ASSERT_EQUAL_INT32(0, same);
        weights[i] = model->weights[i];
    }
    free(weights);
    /* record of the release and that of the model are one */
    pvg_guarantee *own;
    PVGT_OK(pvg_model_training(&own, model));
    TEST_ASSERT_EQUAL_MEMORY(release->guarantee.id, own->id, sizeof own->id);
    TEST_ASSERT_EQUAL_MEMORY(release->guarantee.digest, own->digest, sizeof own->digest);
    TEST_ASSERT_EQUAL_STRING(release->guarantee.asked, own->asked);
    TEST_ASSERT_EQUAL_INT32(PVG_NOTION_NODE, own->also_notion);
    pvg_guarantee_free(own);
    pvg_release_free(release);
    PVGT_OK(pvg_release_draw(&release, stars,
                             &(pvg_input){.size = sizeof(pvg_input), .graph = graph}, rng,
                             NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "no model", pvg_release_view_model(&model, release));
    pvg_release_free(release);
    pvg_query_free(query);
    pvg_query_free(stars);
    pvg_graph_free(graph);
    pvg_dataset_free(data);
}

/* Going on from a model that nobody paid for is paid in full; from one that the same
 * ledger paid for the same object, once. The release says both, whoever paid. */
static void what_it_goes_on_from_is_paid(void) {
    const pvg_target target = {.size = sizeof target, .epsilon = 1, .delta = 1e-5};
    const pvg_dpsgd_config config = {.steps = 4, .batch = 10};
    const pvg_ledger_config budget = {.size = sizeof budget,
                                      .notion = PVG_NOTION_NODE_REMOVED,
                                      .epsilon = 100,
                                      .delta = 1e-5};
    pvg_dataset *data = make((wish){.inferred = false});
    pvg_query *query = plain_query(1);
    double spent[2][2], alone, both;
    for (int paid = 0; paid < 2; paid++) {
        const uint64_t objects[] = {4, 5};
        pvg_input input = {.size = sizeof input, .dataset = data, .object_count = 1};
        pvg_ledger *ledger;
        pvg_model *first;
        pvg_release *release = NULL;
        PVGT_OK(pvg_ledger_new(&ledger, &budget));
        PVGT_OK(pvgt_train(&first, query, data, 4, rng, paid ? ledger : NULL, NULL));
        pvg_query *on = query_from("dense classes", config, first, target);
        for (int other = 0; other < 2; other++) {
            input.objects = &objects[other];
            PVGT_OK(pvg_release_draw(&release, on, &input, rng, ledger, NULL));
            PVGT_OK(pvg_ledger_spent(&spent[paid][other], ledger, objects[other], 1e-5));
            TEST_ASSERT_NOT_NULL(release->guarantee.sources);
            TEST_ASSERT_EQUAL_INT32(1, release->guarantee.sources->count);
            pvg_guarantee *told;
            PVGT_OK(pvg_query_guarantee(&told, on, NULL, 0));
            PVGT_OK(pvg_guarantee_epsilon(&both, told, 1e-5));
            PVGT_OK(pvg_guarantee_epsilon(&alone, pvg_release_guarantee(release), 1e-5));
            TEST_ASSERT_EQUAL_DOUBLE(both, alone);
            pvg_guarantee_free(told);
            pvg_release_free(release);
        }
        pvg_query_free(on);
        pvg_model_free(first);
        pvg_ledger_free(ledger);
    }
    alone = pvgi_guarantee_epsilon(promised(query), 1e-5);
    TEST_ASSERT_TRUE(both > 1.2 * alone);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, both, spent[0][0]); /* nobody had paid */
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, both, spent[1][0]); /* once before, once now */
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, both, spent[0][1]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, both, spent[1][1]); /* another object had paid */
    pvg_query_free(query);
    pvg_dataset_free(data);
}

/* Two trainings are paid together; the second goes on from the first. The model knows its
 * objects, and a place is about no others. */
static void places_of_a_composition(void) {
    const pvg_target target = {.size = sizeof target, .epsilon = 1, .delta = 1e-5};
    const pvg_ledger_config budget = {.size = sizeof budget,
                                      .notion = PVG_NOTION_NODE_REMOVED,
                                      .epsilon = 100,
                                      .delta = 1e-5};
    pvg_dataset *data = make((wish){.inferred = false});
    pvg_query *query = plain_query(1), *loud = plain_query(4);
    const pvg_input input = {.size = sizeof input, .dataset = data, .object = "people"};
    pvg_input others = input;
    pvg_composition *all;
    pvg_ledger *ledger;
    pvg_release *release[2] = {NULL, NULL};
    const pvg_model *model[2];
    int64_t place;
    double together, spent;
    others.object = "others";
    PVGT_OK(pvg_ledger_new(&ledger, &budget));
    PVGT_OK(pvg_composition_new(&all));
    PVGT_OK(pvg_composition_add(&place, all, query, &input, 2, ledger));
    PVGT_OK(pvg_composition_pay(all));
    PVGT_FAILS(PVG_E_PRIVACY, "other objects",
               pvg_composition_draw(&release[0], all, place, NULL, &others, rng, NULL));
    PVGT_FAILS(PVG_E_PRIVACY, "does not promise as much",
               pvg_composition_draw(&release[0], all, place, loud, &input, rng, NULL));
    PVGT_OK(pvg_composition_draw(&release[0], all, place, NULL, &input, rng, NULL));
    PVGT_OK(pvg_release_view_model(&model[0], release[0]));
    pvg_query *on = query_from(
        "dense classes", (pvg_dpsgd_config){.steps = 4, .batch = 10}, model[0], target);
    PVGT_OK(pvg_composition_draw(&release[1], all, place, on, &input, rng, NULL));
    PVGT_OK(pvg_release_view_model(&model[1], release[1]));
    TEST_ASSERT_EQUAL_INT64(1, pvg_ledger_charge_count(ledger));
    const uint64_t people = pvg_ledger_object("people:0"), nobody = 77;
    pvg_guarantee *promise = NULL;
    PVGT_OK(pvg_model_promise(&promise, model[1], PVG_NOTION_NODE_REMOVED, &people));
    PVGT_OK(pvg_guarantee_epsilon(&together, promise, 1e-5));
    PVGT_OK(pvg_ledger_spent(&spent, ledger, people, 1e-5));
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, spent, together);
    pvg_guarantee_free(promise);
    PVGT_FAILS(PVG_E_ARGUMENT, "no draw it was made from is about",
               pvg_model_promise(&promise, model[1], PVG_NOTION_NODE_REMOVED, &nobody));
    pvg_release *third = NULL;
    PVGT_FAILS(PVG_E_PRIVACY, "used up",
               pvg_composition_draw(&third, all, place, NULL, &input, rng, NULL));
    pvg_release_free(release[0]);
    pvg_release_free(release[1]);
    pvg_composition_free(all);
    pvg_ledger_free(ledger);
    pvg_query_free(query);
    pvg_query_free(loud);
    pvg_query_free(on);
    pvg_dataset_free(data);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(ghosts_are_gradients);
    RUN_TEST(no_record_is_longer_than_the_clip);
    RUN_TEST(records_do_not_feel_each_other);
    RUN_TEST(sums_are_exact);
    RUN_TEST(noise_meets_the_account);
    RUN_TEST(what_mixes_records_is_refused);
    RUN_TEST(wrong_arguments_are_named);
    RUN_TEST(a_step_moves_by_the_clip);
    RUN_TEST(it_learns_and_threads_do_not_matter);
    RUN_TEST(an_empty_batch_is_a_step);
    RUN_TEST(bad_records_are_silent);
    RUN_TEST(the_door_is_passed_once_and_paid);
    RUN_TEST(a_model_has_a_record_of_its_own);
    RUN_TEST(three_draws_compose);
    RUN_TEST(refusals_cost_nothing);
    RUN_TEST(datasets_that_do_not_fit_are_refused);
    RUN_TEST(seeded_bits_stay);
    RUN_TEST(queries_have_text_and_id);
    RUN_TEST(a_training_is_no_row_of_numbers);
    RUN_TEST(what_it_goes_on_from_is_paid);
    RUN_TEST(places_of_a_composition);
    return pvgt_end(UNITY_END());
}
