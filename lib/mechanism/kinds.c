/* The kinds of curves: one row each, and nowhere else. A new one is a row here and its
 * constant in the header; a row that leaves something out promises nothing there. */
#include "mechanism_internal.h"

#include <string.h>

/* --- fields of a term -------------------------------------------------------------- */

typedef enum {
    EPSILON,
    DELTA,
    RHO,
    OMEGA,
    MU,
    BETA,
    RATE,
    DIMENSION,
    STEPS,
    FIELDS
} field;
#define BIT(field) (1u << (field))

static const struct {
    const char *name;
    size_t offset;
    bool whole; /* int64_t, else double */
} fields[FIELDS] = {
    [EPSILON] = {"epsilon", offsetof(pvg_curve_term, epsilon), false},
    [DELTA] = {"delta", offsetof(pvg_curve_term, delta), false},
    [RHO] = {"rho", offsetof(pvg_curve_term, rho), false},
    [OMEGA] = {"omega", offsetof(pvg_curve_term, omega), false},
    [MU] = {"mu", offsetof(pvg_curve_term, mu), false},
    [BETA] = {"beta", offsetof(pvg_curve_term, beta), false},
    [RATE] = {"rate", offsetof(pvg_curve_term, rate), false},
    [DIMENSION] = {"dimension", offsetof(pvg_curve_term, dimension), true},
    [STEPS] = {"steps", offsetof(pvg_curve_term, steps), true},
};

static double value_of(const pvg_curve_term *term, field f) {
    const char *at = (const char *)term + fields[f].offset;
    return fields[f].whole ? (double)*(const int64_t *)at : *(const double *)at;
}

/* a + b and a * b, up; 0 stays 0. */
static double plus(double a, double b) {
    return a == 0.0 ? b : b == 0.0 ? a : pvgi_mechanism_up(a + b, 2);
}

static double times(double a, double b) {
    return a == 0.0 ? 0.0 : pvgi_mechanism_up(a * b, 4);
}

/* --- pure -------------------------------------------------------------------------- */

static void pure_spread(pvg_curve_term *term) {
    term->steps = pvgi_mechanism_pure_pieces(term); /* 0, unequal ones, stays 0 */
    term->rho = pvgi_mechanism_pure_rho(term);
}

static void pure_add(pvg_curve_term *sum, const pvg_curve_term *a,
                     const pvg_curve_term *b) {
    sum->rho = plus(pvgi_mechanism_pure_rho(a), pvgi_mechanism_pure_rho(b));
    sum->steps = pvgi_mechanism_pure_join(a, b);
}

/* Factors e^epsilon multiply; the zCDP bound as below. */
static void pure_group(pvg_curve_term *term, double n) {
    term->epsilon = times(term->epsilon, n);
    term->rho = times(term->rho, n * n * (1.0 + 0x1p-51));
}

static double pure_renyi(const pvg_curve_term *term, double t, const pvgi_renyi *curve) {
    if (curve->pure == PVGI_PURE_LEFT_OUT) return 0.0;
    if (curve->pure == PVGI_PURE_RHO) return pvgi_mechanism_pure_rho(term) * (1.0 + t);
    return pvgi_mechanism_pure_renyi(term->epsilon, t);
}

static void pure_loss(pvg_pld_part *part, const pvg_curve_term *term) {
    const int64_t pieces = pvgi_mechanism_pure_pieces(term);
    part->kind = PVG_PLD_PURE;
    part->times = pieces > 0 ? pieces : 1;
    part->epsilon = term->epsilon;
    if (part->times > 1) /* equal up to that (account_equal.c) */
        part->epsilon =
            pvgi_mechanism_up(term->epsilon / (double)part->times * (1.0 + 0x1p-35), 8);
}

/* --- (epsilon, delta) -------------------------------------------------------------- */

/* Each step adds delta, which later steps enlarge by e^epsilon. */
static void approximate_group(pvg_curve_term *term, double n) {
    const double all = times(term->epsilon, n);
    term->delta = times(term->delta, expm1(all) / expm1(term->epsilon) * (1.0 + 0x1p-48));
    term->epsilon = all;
}

static double approximate_renyi(const pvg_curve_term *term, double t,
                                const pvgi_renyi *curve) {
    (void)term, (void)t, (void)curve;
    return 0.0; /* composed outside */
}

static void approximate_loss(pvg_pld_part *part, const pvg_curve_term *term) {
    part->kind = PVG_PLD_APPROXIMATE;
    part->epsilon = term->epsilon;
    part->delta = term->delta;
}

/* --- zCDP and tCDP ----------------------------------------------------------------- */

/* size^2 rho (Bun and Steinke, Proposition 27). */
static void zcdp_group(pvg_curve_term *term, double n) {
    term->rho = times(term->rho, n * n * (1.0 + 0x1p-51));
}

static double zcdp_renyi(const pvg_curve_term *term, double t, const pvgi_renyi *curve) {
    (void)curve;
    return term->rho * (1.0 + t);
}

static double tcdp_renyi(const pvg_curve_term *term, double t, const pvgi_renyi *curve) {
    return t <= term->omega - 1.0 ? zcdp_renyi(term, t, curve) : INFINITY;
}

/* --- Gaussian ---------------------------------------------------------------------- */

static void gdp_add(pvg_curve_term *sum, const pvg_curve_term *a,
                    const pvg_curve_term *b) {
    sum->mu = pvgi_mechanism_up(hypot(a->mu, b->mu), 8);
}

static void gdp_repeat(pvg_curve_term *term, double n) {
    term->mu = times(term->mu, sqrt(n) * (1.0 + 0x1p-51));
}

/* size mu (Dong, Roth and Su, Theorem 2.14). */
static void gdp_group(pvg_curve_term *term, double n) {
    term->mu = times(term->mu, n);
}

static double gdp_renyi(const pvg_curve_term *term, double t, const pvgi_renyi *curve) {
    return curve->leave_gdp_out ? 0.0 : 0.5 * (term->mu * (1.0 + t)) * term->mu;
}

static double gdp_solve(const pvg_curve_term *term, double epsilon, double delta) {
    (void)term;
    return pvgi_mechanism_gdp_mu(epsilon, delta);
}

static void gdp_loss(pvg_pld_part *part, const pvg_curve_term *term) {
    part->kind = PVG_PLD_GDP;
    part->mu = term->mu;
}

/* --- steps that records join by chance --------------------------------------------- */

static double sampled_renyi(const pvg_curve_term *term, double t,
                            const pvgi_renyi *curve) {
    (void)curve;
    return pvgi_mechanism_sampled_renyi(term, t);
}

static void sampled_loss(pvg_pld_part *part, const pvg_curve_term *term) {
    part->kind = PVG_PLD_SAMPLED;
    part->mu = term->mu;
    part->rate = term->rate;
    part->times = term->steps;
}

/* --- the table --------------------------------------------------------------------- */

static const pvgi_curve_row rows[] = {
    [PVG_CURVE_PURE] = {.word = "pure",
                        .needs = BIT(EPSILON),
                        .may = BIT(RHO) | BIT(STEPS),
                        .parameter = EPSILON,
                        .counting = PVGI_COUNTED_PURE,
                        .spread = pure_spread,
                        .add = pure_add,
                        .group = pure_group,
                        .renyi = pure_renyi,
                        .solve = pvgi_mechanism_pure_solve,
                        .loss = pure_loss},
    [PVG_CURVE_APPROXIMATE] = {.word = "approximate",
                               .needs = BIT(EPSILON) | BIT(DELTA),
                               .parameter = FIELDS,
                               .counting = PVGI_COUNTED_APPROXIMATE,
                               .group = approximate_group,
                               .renyi = approximate_renyi,
                               .loss = approximate_loss},
    [PVG_CURVE_ZCDP] = {.word = "zcdp",
                        .needs = BIT(RHO),
                        .parameter = RHO,
                        .counting = PVGI_COUNTED_RENYI,
                        .group = zcdp_group,
                        .renyi = zcdp_renyi,
                        .solve = pvgi_mechanism_renyi_rho},
    [PVG_CURVE_TCDP] = {.word = "tcdp",
                        .needs = BIT(RHO) | BIT(OMEGA),
                        .parameter = RHO,
                        .counting = PVGI_COUNTED_RENYI,
                        .renyi = tcdp_renyi,
                        .solve = pvgi_mechanism_renyi_rho},
    [PVG_CURVE_SMOOTH] = {.word = "smooth",
                          .needs = BIT(RHO) | BIT(BETA) | BIT(DIMENSION),
                          .parameter = RHO,
                          .counting = PVGI_COUNTED_RENYI,
                          .apart = BIT(BETA),
                          .renyi = pvgi_mechanism_smooth_renyi,
                          .solve = pvgi_mechanism_renyi_rho},
    [PVG_CURVE_GDP] = {.word = "gdp",
                       .needs = BIT(MU),
                       .parameter = MU,
                       .counting = PVGI_COUNTED_GDP,
                       .add = gdp_add,
                       .repeat = gdp_repeat,
                       .group = gdp_group,
                       .renyi = gdp_renyi,
                       .solve = gdp_solve,
                       .loss = gdp_loss},
    [PVG_CURVE_INFINITE] = {.word = "infinite",
                            .parameter = FIELDS,
                            .counting = PVGI_COUNTED_INFINITE},
    [PVG_CURVE_SAMPLED] = {.word = "sampled",
                           .needs = BIT(MU) | BIT(RATE) | BIT(STEPS),
                           .parameter = MU,
                           .counting = PVGI_COUNTED_RENYI,
                           .apart = BIT(MU) | BIT(RATE),
                           .renyi = sampled_renyi,
                           .solve = pvgi_mechanism_sampled_mu,
                           .loss = sampled_loss},
};

const pvgi_curve_row *pvgi_mechanism_curve(int32_t kind) {
    return kind >= 0 && kind < (int32_t)(sizeof rows / sizeof *rows) && rows[kind].word
               ? &rows[kind]
               : NULL;
}

/* --- what a term must look like ---------------------------------------------------- */

double *pvgi_mechanism_term_parameter(pvg_curve_term *term) {
    const int32_t f = rows[term->kind].parameter;
    return f == FIELDS ? NULL : (double *)((char *)term + fields[f].offset);
}

int32_t pvgi_mechanism_term_check(const char *function, const pvg_curve_term *term,
                                  bool wanted) {
    const pvgi_curve_row *row = pvgi_mechanism_curve(term->kind);
    PVGI_REQUIRE(row, "%s: term.kind %d is no PVG_CURVE_*", function, (int)term->kind);
    PVGI_REQUIRE(!wanted || row->parameter != FIELDS,
                 "%s: term.kind has no parameter to find", function);
    for (field f = EPSILON; f < FIELDS; f++) {
        const double value = value_of(term, f);
        const bool needed =
            (row->needs & BIT(f)) && !(wanted && (int32_t)f == row->parameter);
        const bool optional = (row->may & BIT(f)) && (f == STEPS || !wanted);
        if (needed || (optional && value != 0.0))
            PVGI_REQUIRE(isfinite(value) && value > 0.0,
                         "%s: term.%s is not a positive finite number", function,
                         fields[f].name);
        else
            PVGI_REQUIRE(value == 0.0, "%s: term.%s has no meaning here and is not 0",
                         function, fields[f].name);
    }
    PVGI_REQUIRE(term->delta < 1.0, "%s: term.delta is not below 1", function);
    PVGI_REQUIRE(term->omega == 0.0 || term->omega > 1.0, "%s: term.omega is not above 1",
                 function);
    PVGI_REQUIRE(term->rate <= 1.0, "%s: term.rate is above 1", function);
    return PVG_OK;
}

/* --- adding ------------------------------------------------------------------------ */

static void lose(pvg_curve_term *term) {
    *term = (pvg_curve_term){.size = term->size, .kind = PVG_CURVE_INFINITE};
}

static int32_t settle(pvg_curve_term *term) {
    if (!(term->delta < 1.0)) lose(term);
    for (field f = EPSILON; f < FIELDS; f++)
        if (!isfinite(value_of(term, f)))
            return pvgi_fail(PVG_E_NUMERIC, "curve: the sum of %s is not finite",
                             fields[f].name);
    return PVG_OK;
}

static int32_t merge(pvg_curve_term *into, const pvg_curve_term *term) {
    const pvgi_curve_row *row = &rows[into->kind];
    pvg_curve_term sum = *into;
    sum.rho = plus(into->rho, term->rho);
    sum.epsilon = plus(into->epsilon, term->epsilon);
    sum.delta = plus(into->delta, term->delta);
    sum.omega = fmin(into->omega, term->omega);
    if (__builtin_add_overflow(into->dimension, term->dimension, &sum.dimension))
        return pvgi_fail(PVG_E_NUMERIC, "curve: the sum of dimension does not fit");
    const bool beyond = __builtin_add_overflow(into->steps, term->steps, &sum.steps);
    if (row->add)
        row->add(&sum, into, term);
    else if (beyond)
        return pvgi_fail(PVG_E_NUMERIC, "curve: the sum of steps does not fit");
    PVGI_TRY(settle(&sum));
    *into = sum;
    return PVG_OK;
}

/* Terms of one kind are one, unless they differ in what cannot be added. */
static bool together(const pvg_curve_term *a, const pvg_curve_term *b) {
    if (a->kind != b->kind) return false;
    for (field f = EPSILON; f < FIELDS; f++)
        if ((rows[a->kind].apart & BIT(f)) && !(value_of(a, f) == value_of(b, f)))
            return false;
    return true;
}

int32_t pvgi_mechanism_terms_add(pvg_curve_term *terms, int64_t *count,
                                 const pvg_curve_term *term) {
    for (int64_t i = 0; i < *count; i++)
        if (together(&terms[i], term)) return merge(&terms[i], term);
    terms[(*count)++] = *term;
    return PVG_OK;
}

int32_t pvgi_mechanism_term_repeat(pvg_curve_term *term, int64_t count) {
    if (count == 1) return PVG_OK;
    const pvgi_curve_row *row = &rows[term->kind];
    pvg_curve_term sum = *term;
    const double n = (double)count * (1.0 + 0x1p-52);
    if (row->spread) row->spread(&sum);
    sum.rho = times(sum.rho, n);
    sum.epsilon = times(term->epsilon, n);
    sum.delta = times(term->delta, n);
    if (row->repeat) row->repeat(&sum, n);
    if (__builtin_mul_overflow(sum.steps, count, &sum.steps))
        return pvgi_fail(PVG_E_NUMERIC, "curve: the sum of steps does not fit");
    if (__builtin_mul_overflow(term->dimension, count, &sum.dimension))
        return pvgi_fail(PVG_E_NUMERIC, "curve: the sum of dimension does not fit");
    PVGI_TRY(settle(&sum));
    *term = sum;
    return PVG_OK;
}

/* Parts of a composition are each moved by the whole chain of changes, so that terms are
 * enlarged one by one. */
int32_t pvgi_mechanism_term_group(pvg_curve_term *term, int64_t size) {
    const pvgi_curve_row *row = &rows[term->kind];
    pvg_curve_term all = *term;
    if (size == 1) return PVG_OK;
    if (row->group)
        row->group(&all, (double)size * (1.0 + 0x1p-52));
    else
        lose(&all);
    PVGI_TRY(settle(&all));
    *term = all;
    return PVG_OK;
}

/* --- a term as part of a list ------------------------------------------------------ */

int32_t pvgi_mechanism_loss_term(pvg_pld_part *part, const char *function,
                                 const pvg_curve_term *term) {
    *part = (pvg_pld_part){.size = sizeof *part, .times = 1};
    if (!rows[term->kind].loss)
        return pvgi_fail(PVG_E_ARGUMENT,
                         "%s: of one term only Renyi divergences are known, or nothing",
                         function);
    rows[term->kind].loss(part, term);
    return pvgi_mechanism_loss_check(function, part);
}
