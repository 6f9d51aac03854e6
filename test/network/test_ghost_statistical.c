/* Private training: what one record adds, over the whole range of doubles. Random
 * networks, weights and rows (subnormal, tiny, huge, mixed, zero, one hot, as collected),
 * both kernels; the squares of the whole numbers that a record adds, summed in integers,
 * are compared with the clip. A million records in soak. And the same through the public
 * calls: trainers, and nodes hidden with everything of theirs. */
#include "network/network_internal.h"
#include "support.h"
#include "training.h"

#include <float.h>
#include <math.h>
#include <privgraph-learn.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

/* --- random networks, weights, rows ------------------------------------------------ */

enum { INPUTS_MAX = 12, CLASSES = 3, TEXT = 400, RECORDS_EACH = 48 };

static double uniform(uint64_t *state) {
    return (double)(pvgt_random(state) >> 11) * 0x1p-53;
}

static double sign(uint64_t *state) {
    return pvgt_below(state, 2) ? 1 : -1;
}

/* Any exponent from low to high, any mantissa. */
static double between(uint64_t *state, int low, int high) {
    const int exponent = low + (int)pvgt_below(state, high - low + 1);
    return sign(state) * ldexp(1 + uniform(state), exponent);
}

static void random_text(char *out, uint64_t *state) {
    static const char *const acts[] = {"", " relu", " selu", " tanh", " elu", " sigmoid"};
    static const char *const rows[] = {"", "", "", " ln", " rownorm", " project"};
    const int64_t stages = pvgt_below(state, 4);
    int used = snprintf(out, TEXT, "%s", pvgt_below(state, 5) ? "" : "drop .3 | ");
    const int64_t same = 1 + pvgt_below(state, 9);
    const bool skips = stages > 1 && pvgt_below(state, 4) == 0;
    for (int64_t k = 0; k < stages; k++)
        used += snprintf(out + used, (size_t)(TEXT - used), "dense %d%s%s%s%s | ",
                         (int)(skips ? same : 1 + pvgt_below(state, 9)),
                         rows[pvgt_below(state, 6)], acts[pvgt_below(state, 6)],
                         skips && k > 0 ? " skip" : "",
                         pvgt_below(state, 5) ? "" : " drop .2");
    if (skips && pvgt_below(state, 2))
        used += snprintf(out + used, (size_t)(TEXT - used), "jk %s | ",
                         pvgt_below(state, 2) ? "cat" : "max");
    snprintf(out + used, (size_t)(TEXT - used), "dense classes%s",
             pvgt_below(state, 4) ? "" : " ln");
}

enum row {
    SUBNORMAL,
    TINY,
    WINDOW,
    ORDINARY,
    COLLECTED,
    HUGE_,
    MIXED,
    ZERO,
    ONE_HOT,
    ROWS_OF
};

static double number(uint64_t *state, enum row kind) {
    switch (kind) {
    case SUBNORMAL:
        return sign(state) * ldexp(1 + (double)pvgt_below(state, 1 << 20), -1074);
    case TINY:
        return between(state, -1022, -900);
    case WINDOW: /* in it a factor 2^(20 - exponent) was infinite */
        return between(state, -1022, -1004);
    case COLLECTED: /* ages and incomes as they are */
        return floor(pvgt_below(state, 2) ? 18 + 70 * uniform(state)
                                          : 1e5 * uniform(state));
    case HUGE_:
        return between(state, 300, 1023);
    case MIXED:
        return pvgt_below(state, 6) ? between(state, -1074, 1023)
                                    : (pvgt_below(state, 3) ? 0 : NAN);
    case ZERO:
        return 0;
    case ORDINARY:
    case ONE_HOT:
    case ROWS_OF:
        break;
    }
    return 4 * uniform(state) - 2;
}

static enum row random_row(double *out, int64_t inputs, uint64_t *state) {
    const enum row kind = (enum row)pvgt_below(state, ROWS_OF);
    for (int64_t j = 0; j < inputs; j++)
        out[j] = kind == ONE_HOT ? 0 : number(state, kind);
    if (kind == ONE_HOT)
        out[pvgt_below(state, inputs)] =
            number(state, (enum row)pvgt_below(state, ONE_HOT));
    return kind;
}

typedef struct {
    pvg_network *network;
    pvgi_ghost g;
    pvgi_ghost_scratch scratch;
    double *weights, *strided, *numbers, *first, length;
    bool begun; /* weights are as training begins with them */
    int64_t *sums;
    double class_weights[CLASSES], transition[CLASSES * CLASSES];
    char text[TEXT];
} stand;

static void *zeros(int64_t count) {
    void *block = calloc((size_t)count + 4, sizeof(double));
    TEST_ASSERT_NOT_NULL(block);
    return block;
}

static void stand_up(stand *s, const char *text, int64_t inputs, uint64_t *state) {
    static const double clips[] = {1e-6, 1e-3, .1, 1, 10, 1e6};
    memset(s, 0, sizeof *s);
    if (text)
        snprintf(s->text, sizeof s->text, "%s", text);
    else
        random_text(s->text, state);
    PVGT_OK(pvg_network_from_text(&s->network, s->text, inputs, CLASSES));
    PVGT_OK(pvgi_network_ghost_plan(&s->g, "test", &s->network->program));
    s->g.clip = clips[pvgt_below(state, 6)];
    s->g.bits = pvgt_below(state, 2) ? PVGI_GHOST_BITS : 16 + (int)pvgt_below(state, 25);
    s->g.key = pvgt_random(state);
    s->g.loss = (int32_t)pvgt_below(state, PVG_LOSS_SQUARES + 1);
    for (int j = 0; j < CLASSES; j++) s->class_weights[j] = between(state, -30, 30);
    for (int j = 0; j < CLASSES * CLASSES; j++) s->transition[j] = uniform(state);
    if (pvgt_below(state, 4) == 0) s->g.class_weights = s->class_weights;
    if (s->g.loss == PVG_LOSS_CROSS_ENTROPY && pvgt_below(state, 4) == 0)
        s->g.transition = s->transition;
    s->weights = zeros(s->network->parameters);
    s->strided = zeros(s->g.flat);
    s->numbers = zeros((int64_t)pvgi_network_ghost_scratch_width(&s->g));
    s->sums = zeros(s->g.flat);
    s->first = zeros(s->g.flat);
    /* as they begin, or far from it */
    const int far = text ? 0 : (int)pvgt_below(state, 4);
    s->begun = far == 0;
    for (int64_t i = 0; i < s->network->parameters; i++)
        s->weights[i] = far == 0   ? 2 * uniform(state) - 1
                        : far == 1 ? between(state, -60, 60)
                        : far == 2 ? between(state, -1000, 1000)
                                   : 30 * (2 * uniform(state) - 1);
    pvgi_network_ghost_spread(s->strided, &s->g, s->weights);
    pvgi_network_ghost_scratch(&s->scratch, &s->g, s->numbers, s->sums);
}

static void stand_down(stand *s) {
    free(s->weights), free(s->strided), free(s->numbers), free(s->sums);
    free(s->first);
    pvg_network_free(s->network);
}

/* --- what a record adds ------------------------------------------------------------ */

/* Length of the sum in scratch over 2^bits; infinite if it is not whole numbers that a
 * sum of squares in 128 bits can hold. */
static double share_of_clip(const stand *s) {
    unsigned __int128 sum = 0;
    for (int64_t i = 0; i < s->g.flat; i++) {
        const double x = s->scratch.now[i];
        if (!(x == floor(x) && fabs(x) < 0x1p60)) return INFINITY;
        const unsigned __int128 whole = (unsigned __int128)(int64_t)fabs(x);
        sum += whole * whole;
        if (sum >> 125) return INFINITY;
    }
    return ldexp(sqrt((double)sum), -s->g.bits) *
           (sum > (unsigned __int128)1 << 2 * s->g.bits ? 1 + DBL_EPSILON : 1);
}

/* Adds one record and returns its share of the clip. */
static double share_with(stand *s, const pvgi_ghost_kernels *kernels, const double *x,
                         int64_t inputs, uint64_t *state) {
    int32_t indices[INPUTS_MAX];
    double values[INPUTS_MAX];
    pvgi_ghost_record record = {.number = pvgt_below(state, 1000),
                                .step = pvgt_below(state, 100),
                                .indices = indices,
                                .values = values,
                                .label = (int32_t)pvgt_below(state, CLASSES)};
    for (int32_t j = 0; j < inputs; j++)
        if (x[j] != 0) {
            indices[record.count] = j;
            values[record.count++] = x[j];
        }
    s->g.kernels = kernels;
    memset(s->scratch.now, 0, (size_t)s->g.flat * sizeof *s->scratch.now);
    s->length = pvgi_network_ghost_add(&s->g, &s->scratch, s->strided, &record);
    return share_of_clip(s);
}

/* By both kernels, which must agree. */
static double worst_of(stand *s, const double *x, int64_t inputs, uint64_t *state) {
    const pvgi_ghost_kernels *portable = pvgi_network_ghost_kernels(PVGI_CPU_PORTABLE);
    const pvgi_ghost_kernels *best = pvgi_network_ghost_kernels(pvgi_cpu_level());
    uint64_t again = *state;
    const double share = share_with(s, portable, x, inputs, state);
    if (best == portable || !(share < INFINITY)) return share;
    memcpy(s->first, s->scratch.now, (size_t)s->g.flat * sizeof *s->first);
    const double other = share_with(s, best, x, inputs, &again);
    for (int64_t i = 0; i < s->g.flat; i++)
        PVGT_CHECK(s->first[i] == s->scratch.now[i], "kernels: %s, weight %lld: %g %g",
                   s->text, (long long)i, s->first[i], s->scratch.now[i]);
    return fmax(share, other);
}

static void no_record_adds_more_than_the_clip(void) {
    const int64_t records = pvgt_soak() ? 1000000 : pvgt_turns(30000);
    double worst = 0, row[INPUTS_MAX];
    int64_t beyond = 0, full = 0;
    uint64_t state = 2027;
    for (int64_t at = 0; at < records;) {
        const uint64_t seed = state;
        const int64_t inputs = 1 + pvgt_below(&state, INPUTS_MAX);
        stand s;
        stand_up(&s, NULL, inputs, &state);
        for (int k = 0; k < RECORDS_EACH && at < records; k++, at++) {
            const enum row kind = random_row(row, inputs, &state);
            const double share = worst_of(&s, row, inputs, &state);
            if (!(share <= 1) && beyond++ < 5)
                printf("%s: %g clips (seed %llu, record %d, clip %g, %d bits)\n", s.text,
                       share, (unsigned long long)seed, k, s.g.clip, s.g.bits);
            full += share > .99 && share <= 1;
            if (!(share <= worst)) worst = share;
            /* and nothing that is in order is left out */
            if (s.begun && (kind == ORDINARY || kind == COLLECTED || kind == ZERO))
                PVGT_CHECK(isfinite(s.length), "%s: left out (seed %llu, record %d)",
                           s.text, (unsigned long long)seed, k);
        }
        stand_down(&s);
    }
    printf("%lld records: the largest adds %.9g clips, %lld nearly one, %lld more\n",
           (long long)records, worst, (long long)full, (long long)beyond);
    PVGT_CHECK(beyond == 0 && worst <= 1, "%lld records, worst %g", (long long)beyond,
               worst);
    PVGT_CHECK(full > records / 20, "the clip is idle: %lld", (long long)full);
}

/* Nobody means harm: numbers as collected, through a sigmoid, whose values are tiny. */
static void rows_as_collected(void) {
    static const char text[] = "dense 2 sigmoid | dense 8 ln elu | dense classes";
    uint64_t state = 11;
    double worst = 0;
    int64_t beyond = 0, full = 0;
    for (int turn = 0; turn < 20; turn++) {
        stand s;
        stand_up(&s, text, 2, &state);
        s.g.clip = 1;
        for (int k = 0; k < 300; k++) {
            const double row[2] = {floor(18 + 70 * uniform(&state)),
                                   floor(1e5 * uniform(&state))};
            const double share = worst_of(&s, row, 2, &state);
            beyond += !(share <= 1);
            full += share > .5;
            if (!(share <= worst)) worst = share;
        }
        stand_down(&s);
    }
    printf("ages and incomes: the largest adds %.9g clips, %lld of 6000 beyond\n", worst,
           (long long)beyond);
    TEST_ASSERT_EQUAL_INT64(0, beyond);
    TEST_ASSERT_TRUE(full > 100);
}

/* Kernels that say that gradients are short, and that inputs are small. */
static double no_squares(const double *x, int64_t count) {
    (void)x, (void)count;
    return 0;
}

static double quarter_squares(const double *x, int64_t count) {
    double sum = 0;
    for (int64_t j = 0; j < count; j++) sum += x[j] * x[j];
    return sum / 4;
}

static double tenth(const double *x, int64_t count) {
    return count > 0 ? fabs(x[0]) / 10 : 0;
}

/* The bound is that of the whole numbers added, not of the length in doubles. */
static void the_bound_does_not_rest_on_doubles(void) {
    static double (*const lengths[])(const double *, int64_t) = {no_squares,
                                                                 quarter_squares};
    uint64_t state = 99;
    int64_t beyond = 0, added = 0, left = 0;
    for (int turn = 0; turn < 400; turn++) {
        const int64_t inputs = 1 + pvgt_below(&state, INPUTS_MAX);
        double row[INPUTS_MAX];
        stand s;
        stand_up(&s, NULL, inputs, &state);
        pvgi_ghost_kernels wrong =
            *pvgi_network_ghost_kernels(turn & 1 ? pvgi_cpu_level() : PVGI_CPU_PORTABLE);
        wrong.squares = lengths[turn >> 1 & 1];
        if (turn & 4) wrong.largest = tenth;
        for (int k = 0; k < 30; k++) {
            random_row(row, inputs, &state);
            const double share = share_with(&s, &wrong, row, inputs, &state);
            beyond += !(share <= 1);
            added += share > 0 && share <= 1;
            left += share == 0;
        }
        stand_down(&s);
    }
    printf("wrong lengths: %lld records beyond, %lld within, %lld left out\n",
           (long long)beyond, (long long)added, (long long)left);
    TEST_ASSERT_EQUAL_INT64(0, beyond);
    TEST_ASSERT_TRUE(added > 100 && left > 100);
}

/* Sums of squares are exact where doubles no longer are. */
static void squares_are_summed_in_integers(void) {
    enum { WIDEST = 40003 };
    static const pvgi_cpu levels[] = {PVGI_CPU_PORTABLE, PVGI_CPU_AVX2};
    double *x = zeros(WIDEST);
    uint64_t state = 4;
    for (int64_t count = 0; count <= WIDEST; count += 1 + count / 2) {
        unsigned __int128 sum = 0;
        for (int64_t j = 0; j < count; j++) {
            const int64_t whole = (1 << 21) - pvgt_below(&state, 3);
            x[j] = sign(&state) * (double)whole;
            sum += (unsigned __int128)(whole * whole);
        }
        for (int k = 0; k < 2; k++)
            if (levels[k] <= pvgi_cpu_level())
                PVGT_CHECK(pvgi_network_ghost_kernels(levels[k])->exact(x, count) == sum,
                           "%lld numbers", (long long)count);
    }
    free(x);
}

/* --- through the public calls ------------------------------------------------------ */

enum { PEOPLE = 40, WIDE = 3 };

/* Weights after one step without momentum, rate 1: what the canary adds is in them. */
static void step_with(double *out, const double *canary, int64_t parameters) {
    const pvg_dpsgd_config config = {.size = sizeof config,
                                     .optimiser = PVG_OPTIMISER_SGD,
                                     .momentum = -1,
                                     .steps = 1,
                                     .batch = PEOPLE,
                                     .rate = PEOPLE};
    const pvg_target target = {.size = sizeof target, .parameter = 1, .allow_seeded = 1};
    double x[PEOPLE * WIDE] = {0};
    int32_t classes[PEOPLE];
    pvg_network *network;
    pvg_features *features;
    pvg_labels *labels;
    pvg_dataset_builder *b;
    pvg_dataset *data;
    pvg_query *query;
    pvg_rng *rng;
    pvg_model *model;
    for (int v = 0; v < PEOPLE; v++) {
        classes[v] = canary || v > 0 ? v % CLASSES : -1;
        for (int j = 0; j < WIDE; j++) x[v * WIDE + j] = (v + j) % 5 - 2;
    }
    if (canary) memcpy(x, canary, WIDE * sizeof *x);
    PVGT_OK(pvg_network_from_text(&network, "dense classes", WIDE, CLASSES));
    TEST_ASSERT_EQUAL_INT64(parameters, pvg_network_parameters(network));
    PVGT_OK(pvg_features_from_dense(&features, PEOPLE, WIDE, x));
    PVGT_OK(pvg_labels_from_array(&labels, classes, PEOPLE));
    PVGT_OK(pvg_dataset_builder_new(&b, PEOPLE));
    PVGT_OK(pvg_dataset_builder_add_private_features(b, features));
    PVGT_OK(pvg_dataset_builder_add_private_labels(b, labels));
    PVGT_OK(pvg_dataset_builder_finish(&data, b));
    PVGT_OK(pvg_query_new_training(&query, network, PEOPLE, &config, NULL, &target));
    PVGT_OK(pvg_rng_new_seeded(&rng, 5));
    PVGT_OK(pvgt_train(&model, query, data, 1, rng, NULL, NULL));
    PVGT_OK(pvg_model_copy_weights_exact(out, model, 0));
    pvg_model_free(model);
    pvg_rng_free(rng);
    pvg_query_free(query);
    pvg_dataset_free(data);
    pvg_dataset_builder_free(b);
    pvg_labels_free(labels);
    pvg_features_free(features);
    pvg_network_free(network);
}

static void a_training_hears_one_clip(void) {
    static const double rows[][WIDE] = {{1e-304, 0, 0},       {3e-308, 1e-305, 1e-303},
                                        {4.9e-324, 0, 0},     {1e308, 1, 1e-308},
                                        {1e-290, 1e-307, 0},  {1e99, 1e-304, 1e-304},
                                        {1e-303, 1e-303, 50}, {0, 0, 0}};
    enum { PARAMETERS = (WIDE + 1) * CLASSES };
    double with[PARAMETERS], without[PARAMETERS], worst = 0;
    step_with(without, NULL, PARAMETERS);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double sum = 0;
        step_with(with, rows[i], PARAMETERS);
        for (int k = 0; k < PARAMETERS; k++)
            sum += (with[k] - without[k]) * (with[k] - without[k]);
        PVGT_CHECK(sqrt(sum) <= 1 + 1e-9, "row %d moves the weights by %g clips", (int)i,
                   sqrt(sum));
        if (sqrt(sum) > worst) worst = sqrt(sum);
    }
    TEST_ASSERT_TRUE(worst > .5);
}

/* Weights of the encoder of hidden nodes; features of three are in another unit. */
static void encoder_with(double *out, int64_t count, int exponent, int64_t directions) {
    enum { NODES = 60, COLUMNS = 4 };
    const pvg_target target = {
        .size = sizeof target, .epsilon = .1, .delta = 1e-6, .allow_seeded = 1};
    double x[NODES * COLUMNS];
    int32_t classes[NODES], parts[NODES];
    pvg_features *features;
    pvg_labels *labels;
    pvg_rng *rng;
    const pvg_model *encoder;
    pvg_release *drawn[3];
    for (int v = 0; v < NODES; v++) {
        classes[v] = v % 2;
        parts[v] = PVG_PART_TRAIN;
        for (int j = 0; j < COLUMNS; j++)
            x[v * COLUMNS + j] = ldexp(1 + (v + j * j) % 3, v < 3 ? exponent : 0);
    }
    const pvg_pipeline_arguments a = {.size = sizeof a, .order = NODES, .parts = parts};
    pvg_pipeline *p;
    char text[96];
    snprintf(text, sizeof text, "nodes classes=2 columns=%d steps=20 directions=%lld",
             (int)COLUMNS, (long long)directions);
    PVGT_OK(pvg_features_from_dense(&features, NODES, COLUMNS, x));
    PVGT_OK(pvg_labels_from_array(&labels, classes, NODES));
    PVGT_OK(pvg_rng_new_seeded(&rng, 3));
    PVGT_OK(pvg_pipeline_new(&p, text, &a, &target, rng, NULL));
    const pvg_input input = {
        .size = sizeof input, .features = features, .labels = labels};
    PVGT_OK(pvg_pipeline_draw(&drawn[0], &drawn[1], &drawn[2], p, &input, rng, NULL, NULL,
                              NULL, NULL));
    PVGT_OK(pvg_release_view_model(&encoder, drawn[0]));
    TEST_ASSERT_TRUE(pvg_network_parameters(encoder->network) <= count);
    memset(out, 0, (size_t)count * sizeof *out);
    PVGT_OK(pvg_model_copy_weights_exact(out, encoder, 0));
    pvg_release_free(drawn[0]);
    pvg_pipeline_free(p);
    pvg_rng_free(rng);
    pvg_labels_free(labels);
    pvg_features_free(features);
}

/* Rows have length 1 whatever their unit: squares that overflow or underflow must not
 * leave a row tiny, drop it, or end in a failure that tells of it. */
static void units_of_hidden_nodes_do_not_matter(void) {
    static const int exponents[] = {-1072, -1030, -1010, -600, -530, 505, 700, 1021};
    enum { COUNT = 400 };
    double plain[COUNT], scaled[COUNT];
    for (int64_t directions = -1; directions <= 3; directions += 4) {
        encoder_with(plain, COUNT, 0, directions);
        for (size_t i = 0; i < sizeof exponents / sizeof *exponents; i++) {
            encoder_with(scaled, COUNT, exponents[i], directions);
            for (int k = 0; k < COUNT; k++)
                PVGT_CHECK(plain[k] == scaled[k],
                           "unit 2^%d, %lld directions, weight %d: %g, else %g",
                           exponents[i], (long long)directions, k, scaled[k], plain[k]);
        }
    }
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(no_record_adds_more_than_the_clip);
    RUN_TEST(the_bound_does_not_rest_on_doubles);
    RUN_TEST(squares_are_summed_in_integers);
    RUN_TEST(rows_as_collected);
    RUN_TEST(a_training_hears_one_clip);
    RUN_TEST(units_of_hidden_nodes_do_not_matter);
    return pvgt_end(UNITY_END());
}
