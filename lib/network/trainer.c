/* Trainers: what a private training promises, from public numbers only.
 *
 * A record moves the sum of a step by a vector of whole numbers of length at most 2^bits
 * (ghost.c), and the noise is a rounded Gaussian of `scale` such steps, so a step without
 * sampling spends mu = 2^bits / scale and all of them the curve SAMPLED (q, mu, steps).
 * The sampling that is done joins with probability floor(2^64 q) / 2^64 <= q. */
#include "network_internal.h"

#include <math.h>
#include <string.h>

#define NAME_NEW "pvg_trainer_new"

static const pvgi_rule rules[] = {
    PVGI_ENUM(pvg_trainer_config, optimiser, PVG_OPTIMISER_SGD, "PVG_OPTIMISER"),
    PVGI_ENUM(pvg_trainer_config, loss, PVG_LOSS_SQUARES, "PVG_LOSS"),
    PVGI_BOOL(pvg_trainer_config, cosine),
    PVGI_FIELD(pvg_trainer_config, steps, 0, 1e9, PVGI_CLOSED, "in 0..1e9"),
    PVGI_FIELD(pvg_trainer_config, warmup, 0, 1e9, PVGI_CLOSED, "in 0..1e9"),
    PVGI_FIELD(pvg_trainer_config, batch, 0, 1e18, PVGI_CLOSED, "a number of records"),
    PVGI_FIELD(pvg_trainer_config, clip, 0, 1e6, PVGI_CLOSED, "in [1e-6, 1e6], or 0"),
    PVGI_FIELD(pvg_trainer_config, rate, 0, 1e6, PVGI_CLOSED, "in [0, 1e6]"),
    PVGI_FIELD(pvg_trainer_config, decay, 0, 1e6, PVGI_CLOSED, "in [0, 1e6]"),
    PVGI_FIELD(pvg_trainer_config, momentum, -1e6, 1, PVGI_OPEN_HIGH, "below 1"),
    PVGI_FIELD(pvg_trainer_config, beta1, 0, 1, PVGI_OPEN_HIGH, "in [0, 1)"),
    PVGI_FIELD(pvg_trainer_config, beta2, 0, 1, PVGI_OPEN_HIGH, "in [0, 1)"),
    PVGI_FIELD(pvg_trainer_config, smoothing, 0, 1, PVGI_OPEN_HIGH, "in [0, 1)"),
};
static const pvgi_shape shape = PVGI_SHAPE(pvg_trainer_config, rules);

static int32_t read_config(pvg_trainer_config *c, const pvg_trainer_config *config,
                           const pvg_network *network, int64_t records) {
    const int64_t classes = network->program.classes;
    PVGI_TRY(pvgi_config_read(c, &shape, config, NAME_NEW, "config"));
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

static pvg_curve_term term_of(const pvg_trainer *t, double mu) {
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
static int32_t fit(pvg_trainer *t, double *spent, double mu) {
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
static int32_t calibrate(pvg_trainer *t, double *spent) {
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

static void promise(pvg_trainer *t, double mu) {
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
    pvgi_guarantee_premise(g, PVGI_PREMISE_NODES
                           "; a node is removed by taking its features, its label and "
                           "its edges");
    pvgi_guarantee_premise(g, "which nodes may train, their number and the number of "
                              "columns and classes are public");
    pvgi_guarantee_premise(g,
                           "features and label of a node are its own, or released: not "
                           "made otherwise from edges or from other nodes");
    pvgi_guarantee_premise(g, "the time that training takes is not observed");
}

/* Weights are what noisy steps made of them: no law of their own is told. */
static int32_t name_columns(pvg_trainer *t) {
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

static int32_t fill(pvg_trainer *t, const pvg_network *network) {
    const int64_t classes = network->program.classes;
    double mu = 0;
    PVGI_TRY(pvgi_network_copy(&t->network, network));
    PVGI_TRY(
        keep(&t->class_weights, t->config.class_weights, classes == 1 ? 2 : classes));
    PVGI_TRY(keep(&t->transition, t->config.transition, classes * classes));
    t->config.class_weights = t->class_weights;
    t->config.transition = t->transition;
    t->sampling = t->config.batch / (double)t->records;
    if (!(t->sampling < 1)) t->sampling = 1;
    t->threshold = t->sampling < 1 ? (uint64_t)ldexp(t->sampling, 64) : UINT64_MAX;
    PVGI_TRY(calibrate(t, &mu));
    promise(t, mu);
    return name_columns(t);
}

int32_t pvgi_network_trainer_new(pvg_trainer **out, const pvg_network *network,
                                 int64_t records, const pvg_trainer_config *config,
                                 const pvg_target *target) {
    int32_t status = PVG_OK;
    pvgi_ghost *ghost = pvgi_alloc(1, sizeof *ghost);
    pvg_trainer *t = pvgi_alloc_zero(1, sizeof *t);
    if (!t || !ghost) {
        status = pvgi_fail_nomem();
        goto done;
    }
    t->records = records;
    PVGI_TRY_DONE(read_config(&t->config, config, network, records));
    PVGI_TRY_DONE(read_target(&t->target, target));
    PVGI_TRY_DONE(pvgi_network_ghost_plan(ghost, NAME_NEW, &network->program));
    PVGI_TRY_DONE(fill(t, network));
    *out = t;
    t = NULL;
done:
    pvgi_free(ghost);
    pvgi_network_trainer_free(t);
    return status;
}

void pvgi_network_trainer_free(pvg_trainer *t) {
    if (!t) return;
    pvgi_network_free(t->network);
    pvgi_free(t->class_weights);
    pvgi_free(t->transition);
    pvgi_guarantee_drop(&t->guarantee);
    pvgi_free(t);
}

pvg_training_preview pvgi_network_trainer_preview(const pvg_trainer *t) {
    const double sigma = ldexp((double)t->scale, -t->bits);
    return (pvg_training_preview){
        .steps = t->config.steps,
        .bytes = pvgi_network_trainer_bytes(t, 1),
        .sampling = t->sampling,
        .sigma = sigma,
        .mu = t->guarantee.spent.mu,
        .epsilon = pvgi_guarantee_epsilon(&t->guarantee, t->target.delta),
        .error = sigma * t->config.clip / (t->sampling * (double)t->records)};
}
