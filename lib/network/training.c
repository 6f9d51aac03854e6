/* The kind of query for private training: what one promises, from public numbers only.
 *
 * A record moves the sum of a step by a vector of whole numbers of length at most 2^bits
 * (ghost.c), and the noise is a rounded Gaussian of `scale` such steps, so a step without
 * sampling spends mu = 2^bits / scale and all of them the curve SAMPLED (q, mu, steps).
 * The sampling that is done joins with probability floor(2^64 q) / 2^64 <= q. */
#include "network_internal.h"

#include <math.h>
#include <string.h>

#define NAME_NEW "pvg_query_new_training"

#define SETTING(field, low, high, ends, words, name, preset, help)                       \
    PVGI_OPTION(pvg_dpsgd_config, field, low, high, ends, words, name, preset, help)

/* Fields of the config: their limits, and how the text of the query names them. */
static const pvgi_option options[] = {
    {PVGI_ENUM(pvg_dpsgd_config, optimiser, PVG_OPTIMISER_SGD, "PVG_OPTIMISER"),
     "optimiser", "adam|adamw|sgd", NULL, 0, 0, "what is done with the noisy gradient"},
    {PVGI_ENUM(pvg_dpsgd_config, loss, PVG_LOSS_SQUARES, "PVG_LOSS"), "loss",
     "cross-entropy|binary|squares", NULL, 0, 0, "of a record"},
    {PVGI_BOOL(pvg_dpsgd_config, cosine), "cosine", "no|yes", NULL, 0, 0,
     "the rate falls along a half cosine to 0"},
    SETTING(steps, 0, 1e9, PVGI_CLOSED, "in 0..1e9", "steps", 250, "all are paid for"),
    SETTING(warmup, 0, 1e9, PVGI_CLOSED, "in 0..1e9", "warmup", 0,
            "steps in which the rate rises to its value"),
    SETTING(batch, 0, 1e18, PVGI_CLOSED, "a number of records", "batch", 512,
            "records that join a step, on average; at most all"),
    SETTING(clip, 0, 1e6, PVGI_CLOSED, "in [1e-6, 1e6], or 0", "clip", 1,
            "longest gradient of a record"),
    SETTING(rate, 0, 1e6, PVGI_CLOSED, "in [0, 1e6]", "rate", .01, "of learning"),
    SETTING(decay, 0, 1e6, PVGI_CLOSED, "in [0, 1e6]", "decay", 0, "of weights"),
    SETTING(momentum, -1e6, 1, PVGI_OPEN_HIGH, "below 1", "momentum", .9, "of sgd"),
    SETTING(beta1, 0, 1, PVGI_OPEN_HIGH, "in [0, 1)", "beta1", .9, "of adam"),
    SETTING(beta2, 0, 1, PVGI_OPEN_HIGH, "in [0, 1)", "beta2", .999, "of adam"),
    SETTING(smoothing, 0, 1, PVGI_OPEN_HIGH, "in [0, 1)", "smoothing", 0,
            "s: targets (1 - s) one-hot + s / classes"),
    PVGI_OPTION_END,
};

static int32_t read_config(pvg_dpsgd_config *c, const pvg_dpsgd_config *config,
                           const pvg_network *network, int64_t records) {
    const int64_t classes = network->program.classes;
    PVGI_TRY(pvgi_config_import(c, sizeof *c, config, "pvg_dpsgd_config"));
    for (const pvgi_option *o = options; o->name; o++)
        PVGI_TRY(pvgi_config_check_field(c, &o->rule, NAME_NEW, "config"));
    if (c->steps == 0) c->steps = 250;
    if (c->batch == 0) c->batch = records < 512 ? (double)records : 512;
    if (c->clip == 0) c->clip = 1;
    if (c->rate == 0) c->rate = .01;
    if (c->momentum == 0) c->momentum = .9;
    if (c->momentum < 0) c->momentum = 0;
    if (c->beta1 == 0) c->beta1 = .9;
    if (c->beta2 == 0) c->beta2 = .999;
    PVGI_REQUIRE(c->clip >= 1e-6, NAME_NEW ": config->clip is %g, below 1e-6", c->clip);
    PVGI_REQUIRE(c->batch <= (double)records,
                 NAME_NEW ": config->batch is %g, but there are %lld records", c->batch,
                 (long long)records);
    PVGI_REQUIRE(c->batch >= 0x1p-40 * (double)records,
                 NAME_NEW ": config->batch is %g, too small to be drawn", c->batch);
    PVGI_TRY(pvgi_mechanism_check_array(NAME_NEW, "config->class_weights",
                                        c->class_weights, classes == 1 ? 2 : classes,
                                        true));
    PVGI_TRY(pvgi_mechanism_check_array(NAME_NEW, "config->transition", c->transition,
                                        classes * classes, true));
    PVGI_REQUIRE(!c->transition || c->loss == PVG_LOSS_CROSS_ENTROPY, NAME_NEW
                 ": config->transition is given, but only cross entropy has one");
    return PVG_OK;
}

static int32_t read_target(pvg_target *t, const pvg_target *target) {
    PVGI_TRY(pvgi_mechanism_import_target(t, NAME_NEW, target));
    PVGI_TRY(pvgi_mechanism_check_beta(NAME_NEW, t));
    PVGI_REQUIRE(t->noise == PVG_NOISE_GAUSSIAN,
                 NAME_NEW ": target->noise is not DEFAULT or GAUSSIAN");
    PVGI_REQUIRE(t->allocation == 0, NAME_NEW ": target->allocation has no meaning here");
    return PVG_OK;
}

/* --- noise ------------------------------------------------------------------------ */

static pvg_curve_term term_of(const pvgi_training *t, double mu) {
    return (pvg_curve_term){.size = sizeof(pvg_curve_term),
                            .kind = PVG_CURVE_SAMPLED,
                            .rate = t->sampling,
                            .mu = mu,
                            .steps = t->config.steps};
}

/* Exponent of the least power of two that is not below x > 0. */
static int power_above(double x) {
    int exponent;
    return frexp(x, &exponent) == .5 ? exponent - 1 : exponent;
}

/* Bits and scale for noise of at least 1 / mu; *spent: what that spends, up. */
static int32_t fit(pvgi_training *t, double *spent, double mu) {
    const double sigma = 1 / mu;
    if (!(sigma > 0x1p-16 && sigma < 0x1p20))
        return pvgi_fail(PVG_E_LIMIT,
                         NAME_NEW ": noise of %g times the clip is out of range", sigma);
    const int wide = power_above(sigma) + 1, sum = power_above((double)t->records);
    t->bits = PVGI_GHOST_BITS;
    if (t->bits + wide > PVG_RNG_SCALE_BITS) t->bits = PVG_RNG_SCALE_BITS - wide;
    /* records and noise, which is below 2^4 scales, in 62 bits */
    if (t->bits + sum > 60) t->bits = 60 - sum;
    if (t->bits < 16)
        return pvgi_fail(PVG_E_LIMIT, NAME_NEW ": %lld records are too many",
                         (long long)t->records);
    const double clip = ldexp(1, t->bits);
    t->scale = (int64_t)ceil(clip / mu * (1 + 0x1p-50));
    *spent = pvgi_mechanism_up(clip / (double)t->scale, 4);
    return PVG_OK;
}

/* The least noise that meets the target, and the accountant agrees. */
static int32_t calibrate(pvgi_training *t, double *spent) {
    const pvg_curve_term wanted = term_of(t, 0);
    if (t->target.parameter > 0) return fit(t, spent, t->target.parameter);
    double mu = pvgi_mechanism_solve(&wanted, t->target.epsilon, t->target.delta);
    for (int bits = 44; bits > 4 && mu > 0; bits -= 2) {
        PVGI_TRY(fit(t, spent, mu));
        const pvg_curve_term term = term_of(t, *spent);
        if (pvgi_mechanism_terms_epsilon(&term, 1, t->target.delta) <= t->target.epsilon)
            return PVG_OK;
        mu *= 1 - ldexp(1, -bits);
    }
    return pvgi_fail(PVG_E_PRIVACY,
                     NAME_NEW ": no amount of this noise meets epsilon and delta");
}

/* A replaced node, through the world without it: for every p > 1
 *   D_a(P, Q) <= (a - 1/p)/(a - 1) D_pa(P, R) + D_b(R, Q),  b = (p a - 1)/(p - 1),
 * and to epsilon at delta by R(a) + ln(1 - 1/a) - ln(a delta)/(a - 1), the least over a
 * grid of a and p, up. Infinite if there is none. */
static double replaced_epsilon(const pvg_curve_term *term, double delta) {
    static const double powers[] = {1.05, 1.1, 1.2, 1.35, 1.5, 1.75, 2, 2.5, 3, 4, 6};
    double best = INFINITY;
    for (double a = 1.25; a < 200; a *= 1.1)
        for (size_t i = 0; i < sizeof powers / sizeof *powers; i++) {
            const double p = powers[i];
            const double far =
                pvgi_mechanism_terms_renyi(term, 1, p * a) * ((a - 1 / p) / (a - 1)) +
                pvgi_mechanism_terms_renyi(term, 1, (p * a - 1) / (p - 1));
            const double epsilon = far + log1p(-1 / a) + (-log(delta) - log(a)) / (a - 1);
            if (epsilon < best) best = epsilon;
        }
    /* a few roundings of numbers that are at most far + 700 */
    return best < INFINITY ? fmax(best, 0) * (1 + 0x1p-40) + 0x1p-40 : INFINITY;
}

static void promise(pvgi_training *t, double mu) {
    pvg_guarantee *g = &t->guarantee;
    *g = (pvg_guarantee){.notion = PVG_NOTION_NODE_REMOVED,
                         .spent = term_of(t, mu),
                         .delta = t->target.delta,
                         .noise = "rounded Gaussian on the sum of clipped gradients of "
                                  "sampled records, in every step",
                         .sensitivity = t->config.clip,
                         .scale = ldexp((double)t->scale, -t->bits) * t->config.clip,
                         .claim = "learn.dpsgd"};
    const double replaced =
        t->target.delta > 0 ? replaced_epsilon(&g->spent, t->target.delta) : INFINITY;
    if (replaced < INFINITY) {
        g->also_notion = PVG_NOTION_NODE;
        g->also = (pvg_curve_term){.size = sizeof g->also,
                                   .kind = PVG_CURVE_APPROXIMATE,
                                   .epsilon = replaced,
                                   .delta = t->target.delta};
    }
    pvgi_guarantee_assumption(g, PVGI_ASSUMPTION_NODES
                              "; a node is removed by taking its features, its label and "
                              "its edges");
    pvgi_guarantee_assumption(g, "which nodes may train, their number and the number of "
                                 "columns and classes are public");
    pvgi_guarantee_assumption(
        g, "features and label of a node are its own, or released: not "
           "made otherwise from edges or from other nodes");
    pvgi_guarantee_assumption(g, "the time that training takes is not observed");
}

/* Weights are what noisy steps made of them: no law of their own is told. */
static int32_t name_columns(pvgi_training *t) {
    const pvgi_column weights = {
        .count = t->network->parameters, .name = "weight", .noise = "that of the steps"};
    pvgi_columns *columns = pvgi_guarantee_columns_begin();
    pvgi_guarantee_columns_add(columns, &weights);
    return pvgi_guarantee_columns_close(&t->guarantee, columns);
}

/* --- handles ---------------------------------------------------------------------- */

static int32_t keep(double **out, const double *from, int64_t count) {
    if (!from) return PVG_OK;
    *out = pvgi_alloc((size_t)count, sizeof **out);
    if (!*out) return pvgi_fail_nomem();
    memcpy(*out, from, (size_t)count * sizeof **out);
    return PVG_OK;
}

static int32_t fill(pvgi_training *t, const pvg_network *network,
                    const pvg_model *start) {
    const int64_t classes = network->program.classes;
    double mu = 0;
    PVGI_TRY(pvgi_network_copy(&t->network, network));
    PVGI_TRY(
        keep(&t->class_weights, t->config.class_weights, classes == 1 ? 2 : classes));
    PVGI_TRY(keep(&t->transition, t->config.transition, classes * classes));
    PVGI_TRY(keep(&t->start, start ? start->weights : NULL, network->parameters));
    t->config.class_weights = t->class_weights;
    t->config.transition = t->transition;
    t->sampling = t->config.batch / (double)t->records;
    if (!(t->sampling < 1)) t->sampling = 1;
    t->threshold = t->sampling < 1 ? (uint64_t)ldexp(t->sampling, 64) : UINT64_MAX;
    PVGI_TRY(calibrate(t, &mu));
    promise(t, mu);
    return name_columns(t);
}

static int32_t check_start(const pvg_network *network, const pvg_model *start) {
    if (!start) return PVG_OK;
    PVGI_REQUIRE(strcmp(start->network->text, network->text) == 0 &&
                     start->network->program.inputs == network->program.inputs &&
                     start->network->program.classes == network->program.classes,
                 NAME_NEW ": start has another network");
    PVGI_REQUIRE(start->member_count == 1, NAME_NEW ": start is the mean of %lld models",
                 (long long)start->member_count);
    return pvgi_network_check_private(NAME_NEW, start, NULL);
}

/* --- the kind ---------------------------------------------------------------------- */

static void drop(void *handle) {
    pvgi_training *t = handle;
    if (!t) return;
    pvgi_network_free(t->network);
    pvgi_free(t->class_weights);
    pvgi_free(t->transition);
    pvgi_free(t->start);
    pvgi_guarantee_drop(&t->guarantee);
    pvgi_free(t);
}

static int32_t copy_promise(pvg_guarantee *out, const void *handle, const int64_t *orders,
                            int64_t count) {
    (void)orders, (void)count;
    return pvgi_guarantee_copy(out, &((const pvgi_training *)handle)->guarantee);
}

/* Noise goes into gradients, which nobody sees: no column has a range to compare with. */
static int32_t refuse(const char *name) {
    return pvgi_fail(PVG_E_ARGUMENT,
                     "%s: training gives a model, no numbers; pvg_query_copy_json tells "
                     "its noise",
                     name);
}

static int32_t no_preview(pvg_preview **out, const char *name, const void *handle,
                          const pvg_preview_config *config, pvgi_run *run) {
    (void)out, (void)handle, (void)config, (void)run;
    return refuse(name);
}

static int32_t no_covariance(double *out, const char *name, const void *handle,
                             int64_t order) {
    (void)out, (void)handle, (void)order;
    return refuse(name);
}

static int64_t no_columns(const void *handle) {
    (void)handle;
    return 0;
}

static void no_shape(int64_t *rows, int64_t *columns, const void *handle,
                     const pvgi_private *input) {
    (void)handle, (void)input;
    *rows = *columns = 0;
}

static void describe(pvgi_text *text, const void *handle, int64_t order) {
    const pvgi_training *t = handle;
    const double sigma = ldexp((double)t->scale, -t->bits);
    const struct {
        const char *key;
        double value;
    } numbers[] = {
        {"records", (double)t->records},
        {"parameters", (double)t->network->parameters},
        {"steps", (double)t->config.steps},
        /* scratch with one thread */
        {"bytes", (double)pvgi_network_training_bytes(t, 1)},
        {"sampling", t->sampling},
        {"sigma", sigma},              /* in units of clip */
        {"mu", t->guarantee.spent.mu}, /* spent by a step without sampling */
        {"epsilon", pvgi_guarantee_epsilon(&t->guarantee, t->target.delta)},
        /* deviation of the noise in each number of the gradient */
        {"error", sigma * t->config.clip / (t->sampling * (double)t->records)}};
    (void)order;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        pvgi_text_format(text, ",\"%s\":", numbers[i].key);
        pvgi_text_json_number(text, numbers[i].value);
    }
}

static int32_t notion(const void *handle) {
    return ((const pvgi_training *)handle)->guarantee.notion;
}

static const pvgi_provenance *behind(const pvg_dataset *dataset) {
    return dataset->sources;
}

static const pvgi_frame frame = {.drop = drop,
                                 .promise = copy_promise,
                                 .preview = no_preview,
                                 .columns = no_columns,
                                 .covariance = no_covariance,
                                 .shape = no_shape,
                                 .begin = pvgi_network_training_begin,
                                 .describe = describe,
                                 .notion = notion,
                                 .fits = pvgi_network_training_fits,
                                 .behind = behind};

static const pvgi_kind kind = {
    .kind = "training",
    .says = "a network trained on private features, labels, or both, by DP-SGD",
    .claim = "learn.dpsgd",
    .frame = PVGI_FRAME_FOREIGN,
    .reads = PVGI_PART_FEATURES | PVGI_PART_LABELS,
    .notions = 1u << PVG_NOTION_NODE_REMOVED,
    .laws = 1u << PVG_NOISE_GAUSSIAN,
    .law = PVG_NOISE_GAUSSIAN,
    .gives = PVG_HOLDS_MODEL,
    .options = options,
    .bytes = sizeof(pvg_dpsgd_config),
    .own = &frame};

pvgi_training *pvgi_network_query_training(const pvg_query *query) {
    return query->kind == &kind ? query->state : NULL;
}

static void put_digest(pvgi_text *text, const char *option, const double *numbers,
                       int64_t count) {
    char digest[2 * PVGI_ID_BYTES + 1];
    if (!numbers) return;
    pvgi_query_digest_numbers(digest, numbers, (size_t)count);
    pvgi_text_format(text, " %s=#%s", option, digest);
}

/* The network with commas for its spaces: a value of the query's grammar. */
static void put_text(pvgi_text *text, const pvgi_training *t) {
    const int64_t classes = t->network->program.classes;
    pvgi_text_format(text, "%s network=", kind.kind);
    for (const char *at = t->network->text; *at; at++)
        pvgi_text_append(text, *at == ' ' ? "," : at, 1);
    pvgi_text_format(text, " inputs=%lld classes=%lld records=%lld",
                     (long long)t->network->program.inputs, (long long)classes,
                     (long long)t->records);
    pvgi_query_put_options(text, options, &t->config);
    put_digest(text, "class-weights", t->class_weights, classes == 1 ? 2 : classes);
    put_digest(text, "transition", t->transition, classes * classes);
    put_digest(text, "start", t->start, t->network->parameters);
}

int32_t pvgi_network_query(pvg_query **out, const char *name, const pvg_network *network,
                           int64_t records, const pvg_dpsgd_config *config,
                           const pvg_model *start, const pvg_target *target) {
    int32_t status = PVG_OK;
    pvgi_text text = {0};
    pvgi_ghost *ghost = pvgi_alloc(1, sizeof *ghost);
    pvgi_training *t = pvgi_alloc_zero(1, sizeof *t);
    if (!t || !ghost) {
        status = pvgi_fail_nomem();
        goto done;
    }
    t->records = records;
    PVGI_TRY_DONE(read_config(&t->config, config, network, records));
    PVGI_TRY_DONE(read_target(&t->target, target));
    PVGI_TRY_DONE(check_start(network, start));
    PVGI_TRY_DONE(pvgi_network_ghost_plan(ghost, name, &network->program));
    PVGI_TRY_DONE(fill(t, network, start));
    put_text(&text, t);
    status =
        pvgi_query_adopt(out, &kind, t, &text, &t->target, start ? start->sources : NULL);
    t = NULL;
done:
    pvgi_free(ghost);
    drop(t);
    return status;
}
