/* Curves: checking, adding and converting terms. A list holds at most one term of each
 * kind (one per beta of SMOOTH, per rate and mu of SAMPLED). What holds for one:
 *   approximate terms add their epsilon and delta to whatever holds for the rest;
 *   equal pure terms, Gaussian ones, and both together: exact (account_equal.c);
 *   otherwise the best of: that; Renyi over all; pure terms added to the rest; Gaussian
 *   and the rest with half of delta each. */
#include "mechanism_internal.h"

/* A constant that a switch does not name would get the bound of another one. */
#pragma GCC diagnostic error "-Wswitch-enum"

#include <string.h>

/* --- what a term must look like ------------------------------------------------- */

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

static const char *const field_name[FIELDS] = {
    "epsilon", "delta", "rho", "omega", "mu", "beta", "rate", "dimension", "steps"};

/* By kind: the fields it needs, and the one pvg_curve_solve finds (FIELDS: none). */
static const struct {
    unsigned needs;
    field parameter;
} shape[] = {
    [0] = {0, FIELDS},
    [PVG_CURVE_PURE] = {1u << EPSILON, EPSILON},
    [PVG_CURVE_APPROXIMATE] = {1u << EPSILON | 1u << DELTA, FIELDS},
    [PVG_CURVE_ZCDP] = {1u << RHO, RHO},
    [PVG_CURVE_TCDP] = {1u << RHO | 1u << OMEGA, RHO},
    [PVG_CURVE_SMOOTH] = {1u << RHO | 1u << BETA | 1u << DIMENSION, RHO},
    [PVG_CURVE_GDP] = {1u << MU, MU},
    [PVG_CURVE_INFINITE] = {0, FIELDS},
    [PVG_CURVE_SAMPLED] = {1u << MU | 1u << RATE | 1u << STEPS, MU},
};

static double *member(pvg_curve_term *term, field which) {
    switch (which) {
    case EPSILON:
        return &term->epsilon;
    case DELTA:
        return &term->delta;
    case RHO:
        return &term->rho;
    case OMEGA:
        return &term->omega;
    case MU:
        return &term->mu;
    case BETA:
        return &term->beta;
    case RATE:
        return &term->rate;
    case DIMENSION:
    case STEPS:
    case FIELDS:
        break;
    }
    return NULL;
}

double *pvgi_mechanism_term_parameter(pvg_curve_term *term) {
    return member(term, shape[term->kind].parameter);
}

int32_t pvgi_mechanism_term_check(const char *function, const pvg_curve_term *term,
                                  bool wanted) {
    PVGI_REQUIRE(term->kind >= PVG_CURVE_PURE && term->kind <= PVG_CURVE_SAMPLED,
                 "%s: term.kind %d is no PVG_CURVE_*", function, (int)term->kind);
    pvg_curve_term copy = *term;
    const field parameter = shape[term->kind].parameter;
    PVGI_REQUIRE(!wanted || parameter != FIELDS, "%s: term.kind has no parameter to find",
                 function);
    for (field f = EPSILON; f < FIELDS; f++) {
        const double value = f == DIMENSION ? (double)term->dimension
                             : f == STEPS   ? (double)term->steps
                                            : *member(&copy, f);
        const bool needed =
            (shape[term->kind].needs >> f & 1u) && !(wanted && f == parameter);
        const bool optional =
            term->kind == PVG_CURVE_PURE && (f == STEPS || (f == RHO && !wanted));
        if (needed || (optional && value != 0.0))
            PVGI_REQUIRE(isfinite(value) && value > 0.0,
                         "%s: term.%s is not a positive finite number", function,
                         field_name[f]);
        else
            PVGI_REQUIRE(value == 0.0, "%s: term.%s has no meaning here and is not 0",
                         function, field_name[f]);
    }
    PVGI_REQUIRE(term->delta < 1.0, "%s: term.delta is not below 1", function);
    PVGI_REQUIRE(term->kind != PVG_CURVE_TCDP || term->omega > 1.0,
                 "%s: term.omega is not above 1", function);
    PVGI_REQUIRE(term->rate <= 1.0, "%s: term.rate is above 1", function);
    return PVG_OK;
}

/* --- adding --------------------------------------------------------------------- */

static int32_t settle(pvg_curve_term *term) {
    if (term->kind == PVG_CURVE_APPROXIMATE && term->delta >= 1.0) {
        const uint32_t size = term->size;
        memset(term, 0, sizeof *term);
        term->size = size;
        term->kind = PVG_CURVE_INFINITE;
    }
    for (field f = EPSILON; f <= RATE; f++)
        if (!isfinite(*member(term, f)))
            return pvgi_fail(PVG_E_NUMERIC, "curve: the sum of %s is not finite",
                             field_name[f]);
    return PVG_OK;
}

/* a + b and a * b, up; 0 stays 0. */
static double plus(double a, double b) {
    return a == 0.0 ? b : b == 0.0 ? a : pvgi_mechanism_up(a + b, 2);
}

static double times_up(double a, double b) {
    return a == 0.0 ? 0.0 : pvgi_mechanism_up(a * b, 4);
}

static int32_t merge(pvg_curve_term *into, const pvg_curve_term *term) {
    pvg_curve_term sum = *into;
    if (sum.kind == PVG_CURVE_PURE)
        sum.rho = plus(pvgi_mechanism_pure_rho(into), pvgi_mechanism_pure_rho(term));
    else
        sum.rho = plus(into->rho, term->rho);
    sum.epsilon = plus(into->epsilon, term->epsilon);
    sum.delta = plus(into->delta, term->delta);
    sum.omega = fmin(into->omega, term->omega);
    if (sum.kind == PVG_CURVE_GDP)
        sum.mu = pvgi_mechanism_up(hypot(into->mu, term->mu), 8);
    if (__builtin_add_overflow(into->dimension, term->dimension, &sum.dimension))
        return pvgi_fail(PVG_E_NUMERIC, "curve: the sum of dimension does not fit");
    if (sum.kind == PVG_CURVE_PURE)
        sum.steps = pvgi_mechanism_pure_join(into, term);
    else if (__builtin_add_overflow(into->steps, term->steps, &sum.steps))
        return pvgi_fail(PVG_E_NUMERIC, "curve: the sum of steps does not fit");
    PVGI_TRY(settle(&sum));
    *into = sum;
    return PVG_OK;
}

int32_t pvgi_mechanism_terms_add(pvg_curve_term *terms, int64_t *count,
                                 const pvg_curve_term *term) {
    for (int64_t i = 0; i < *count; i++)
        if (terms[i].kind == term->kind && terms[i].beta == term->beta &&
            (term->kind != PVG_CURVE_SAMPLED ||
             (terms[i].rate == term->rate && terms[i].mu == term->mu)))
            return merge(&terms[i], term);
    terms[(*count)++] = *term;
    return PVG_OK;
}

int32_t pvgi_mechanism_term_repeat(pvg_curve_term *term, int64_t times) {
    if (times == 1) return PVG_OK;
    pvg_curve_term sum = *term;
    const double n = (double)times * (1.0 + 0x1p-52);
    if (sum.kind == PVG_CURVE_PURE) {
        sum.rho = pvgi_mechanism_pure_rho(term);
        sum.steps = pvgi_mechanism_pure_pieces(term); /* 0, unequal ones, stays 0 */
    }
    sum.rho = times_up(sum.rho, n);
    sum.epsilon = times_up(term->epsilon, n);
    sum.delta = times_up(term->delta, n);
    if (sum.kind == PVG_CURVE_GDP) sum.mu = times_up(term->mu, sqrt(n) * (1.0 + 0x1p-51));
    if (__builtin_mul_overflow(sum.steps, times, &sum.steps))
        return pvgi_fail(PVG_E_NUMERIC, "curve: the sum of steps does not fit");
    if (__builtin_mul_overflow(term->dimension, times, &sum.dimension))
        return pvgi_fail(PVG_E_NUMERIC, "curve: the sum of dimension does not fit");
    PVGI_TRY(settle(&sum));
    *term = sum;
    return PVG_OK;
}

/* A chain of `size` steps. Pure: factors e^epsilon multiply. (epsilon, delta): each step
 * adds delta, which later steps enlarge by e^epsilon. zCDP: size^2 rho (Bun and Steinke,
 * Proposition 27). GDP: size mu (Dong, Roth and Su, Theorem 2.14). Parts of a composition
 * are each moved by the whole chain, so that terms are enlarged one by one. */
int32_t pvgi_mechanism_term_group(pvg_curve_term *term, int64_t size) {
    pvg_curve_term all = *term;
    const double n = (double)size * (1.0 + 0x1p-52);
    if (size == 1 || term->kind == PVG_CURVE_INFINITE) return PVG_OK;
    switch ((enum pvg_curve_kind)term->kind) {
    case PVG_CURVE_APPROXIMATE:
        all.epsilon = times_up(term->epsilon, n);
        all.delta = times_up(term->delta,
                             expm1(all.epsilon) / expm1(term->epsilon) * (1.0 + 0x1p-48));
        if (!(all.delta < 1.0)) all.kind = PVG_CURVE_INFINITE;
        break;
    case PVG_CURVE_PURE:
        all.epsilon = times_up(term->epsilon, n);
        all.rho = times_up(term->rho, n * n * (1.0 + 0x1p-51));
        break;
    case PVG_CURVE_ZCDP:
        all.rho = times_up(term->rho, n * n * (1.0 + 0x1p-51));
        break;
    case PVG_CURVE_GDP:
        all.mu = times_up(term->mu, n);
        break;
    case PVG_CURVE_TCDP:
    case PVG_CURVE_SMOOTH:
    case PVG_CURVE_SAMPLED:
    case PVG_CURVE_INFINITE:
        all.kind = PVG_CURVE_INFINITE;
        break;
    }
    if (all.kind == PVG_CURVE_INFINITE)
        all = (pvg_curve_term){.size = sizeof all, .kind = PVG_CURVE_INFINITE};
    else
        PVGI_TRY(settle(&all));
    *term = all;
    return PVG_OK;
}

/* --- pure terms: exact ---------------------------------------------------------- */

/* delta(e) = (e^epsilon - e^e) / (1 + e^epsilon) for e < epsilon, that of randomised
 * response, and its inverse epsilon + ln(1 - delta (1 + e^-epsilon)). */
static double pure_epsilon(double epsilon, double delta) {
    if (delta == 0.0) return epsilon;
    const double x = delta * (1.0 + exp(-epsilon)) * (1.0 - 0x1p-50);
    if (x >= 1.0) return 0.0;
    const double cut = log1p(-x);
    const double result = epsilon + cut + 0x1p-49 * (epsilon - cut);
    return result > 0.0 ? fmin(result, epsilon) : 0.0;
}

static double pure_delta(double epsilon, double at) {
    if (at >= epsilon) return 0.0;
    const double delta = -expm1(at - epsilon) / (1.0 + exp(-epsilon));
    return fmin(1.0, pvgi_mechanism_up(delta, 16));
}

/* --- compositions --------------------------------------------------------------- */

/* Terms sorted out; pointers to the single ones. */
typedef struct {
    const pvg_curve_term *pure, *approximate, *gdp;
    int64_t renyi; /* ZCDP, TCDP, SMOOTH */
    bool infinite;
} parts;

static parts sort_out(const pvg_curve_term *terms, int64_t count) {
    parts p = {0};
    for (int64_t i = 0; i < count; i++) switch ((enum pvg_curve_kind)terms[i].kind) {
        case PVG_CURVE_PURE:
            p.pure = &terms[i];
            break;
        case PVG_CURVE_APPROXIMATE:
            p.approximate = &terms[i];
            break;
        case PVG_CURVE_GDP:
            p.gdp = &terms[i];
            break;
        case PVG_CURVE_INFINITE:
            p.infinite = true;
            break;
        case PVG_CURVE_ZCDP:
        case PVG_CURVE_TCDP:
        case PVG_CURVE_SMOOTH:
        case PVG_CURVE_SAMPLED:
            p.renyi++;
            break;
        }
    return p;
}

/* Best bound without approximate terms. */
static double rest_epsilon(const parts *p, const pvg_curve_term *terms, int64_t count,
                           double delta) {
    if (p->gdp && !p->pure && !p->renyi)
        return pvgi_mechanism_gdp_epsilon(p->gdp->mu, delta);
    const bool pure_only = p->pure && !p->gdp && !p->renyi;
    double least = pure_only ? pure_epsilon(p->pure->epsilon, delta) : INFINITY;
    if (delta == 0.0 || (pure_only && pvgi_mechanism_pure_pieces(p->pure) == 1))
        return least;
    pvgi_renyi renyi = {terms, count, PVGI_PURE_EXACT, false};
    if (!pure_only) least = pvgi_mechanism_renyi_epsilon(&renyi, delta);
    if (!p->pure && !p->gdp) return least;
    if (p->pure) {
        renyi.pure = PVGI_PURE_RHO;
        least = fmin(least, pvgi_mechanism_renyi_epsilon(&renyi, delta));
    }
    if (pure_only) return pvgi_mechanism_equal_epsilon(p->pure, NULL, delta, least);
    const double pure = p->pure ? p->pure->epsilon : 0.0;
    renyi.pure = PVGI_PURE_LEFT_OUT;
    if (p->pure) {
        const double other = p->renyi ? pvgi_mechanism_renyi_epsilon(&renyi, delta)
                                      : pvgi_mechanism_gdp_epsilon(p->gdp->mu, delta);
        least = fmin(least, plus(pure, other));
        if (!p->renyi) return pvgi_mechanism_equal_epsilon(p->pure, p->gdp, delta, least);
    }
    if (p->gdp && p->renyi) {
        renyi.leave_gdp_out = true;
        const double half = 0.5 * delta;
        const double gdp = pvgi_mechanism_gdp_epsilon(p->gdp->mu, half);
        const double other = pvgi_mechanism_renyi_epsilon(&renyi, half);
        least = fmin(least, plus(pure, plus(gdp, other)));
    }
    return least;
}

static double rest_delta(const parts *p, const pvg_curve_term *terms, int64_t count,
                         double epsilon) {
    if (p->gdp && !p->pure && !p->renyi)
        return pvgi_mechanism_gdp_delta(p->gdp->mu, epsilon);
    const bool pure_only = p->pure && !p->gdp && !p->renyi;
    double least = pure_only ? pure_delta(p->pure->epsilon, epsilon) : 1.0;
    if (pure_only && (pvgi_mechanism_pure_pieces(p->pure) == 1 || least == 0.0))
        return least;
    pvgi_renyi renyi = {terms, count, PVGI_PURE_EXACT, false};
    if (!pure_only) least = pvgi_mechanism_renyi_delta(&renyi, epsilon);
    if (!p->pure) return least;
    renyi.pure = PVGI_PURE_RHO;
    least = fmin(least, pvgi_mechanism_renyi_delta(&renyi, epsilon));
    if (!p->renyi)
        least = fmin(least, pvgi_mechanism_equal_delta(p->pure, p->gdp, epsilon));
    const double left = epsilon - p->pure->epsilon;
    if (pure_only || left < 0.0) return least;
    renyi.pure = PVGI_PURE_LEFT_OUT;
    const double at = pvgi_mechanism_down(left, 2);
    return fmin(least, p->renyi ? pvgi_mechanism_renyi_delta(&renyi, at)
                                : pvgi_mechanism_gdp_delta(p->gdp->mu, at));
}

double pvgi_mechanism_terms_epsilon(const pvg_curve_term *terms, int64_t count,
                                    double delta) {
    const parts p = sort_out(terms, count);
    if (p.infinite) return INFINITY;
    if (!p.approximate) return rest_epsilon(&p, terms, count, delta);
    const double left = delta - p.approximate->delta;
    if (left < 0.0) return INFINITY;
    const double epsilon = p.approximate->epsilon;
    if (count == 1) /* exact: fails with probability delta, else pure */
        return pure_epsilon(epsilon,
                            pvgi_mechanism_down(left / (1.0 - p.approximate->delta), 4));
    return plus(epsilon, rest_epsilon(&p, terms, count, pvgi_mechanism_down(left, 2)));
}

double pvgi_mechanism_terms_delta(const pvg_curve_term *terms, int64_t count,
                                  double epsilon) {
    const parts p = sort_out(terms, count);
    if (p.infinite) return 1.0;
    if (!p.approximate) return rest_delta(&p, terms, count, epsilon);
    const double delta = p.approximate->delta, left = epsilon - p.approximate->epsilon;
    if (count == 1) {
        const double pure = pure_delta(p.approximate->epsilon, epsilon);
        return fmin(1.0, plus(delta, times_up(1.0 - delta, pure)));
    }
    if (left < 0.0) return 1.0;
    return fmin(1.0,
                plus(delta, rest_delta(&p, terms, count, pvgi_mechanism_down(left, 2))));
}

double pvgi_mechanism_terms_renyi(const pvg_curve_term *terms, int64_t count,
                                  double alpha) {
    const parts p = sort_out(terms, count);
    if (p.infinite || p.approximate) return INFINITY;
    const double t =
        alpha - 1.0; /* off by half a unit at most, which `renyi` has room for */
    pvgi_renyi renyi = {terms, count, PVGI_PURE_EXACT, false};
    const double exact = pvgi_mechanism_renyi(&renyi, t);
    renyi.pure = PVGI_PURE_RHO;
    return fmin(exact, pvgi_mechanism_renyi(&renyi, t));
}

/* --- from a budget to a parameter ----------------------------------------------- */

typedef struct {
    pvg_curve_term term;
    double epsilon, delta;
} equal;

static double excess_of_equal(const void *context, double epsilon) {
    equal e = *(const equal *)context;
    e.term.epsilon = epsilon;
    return pvgi_mechanism_terms_epsilon(&e.term, 1, e.delta) - e.epsilon;
}

/* Largest sum of equal pure terms; `good` is one that fits. */
static double solve_equal(const pvg_curve_term *term, double epsilon, double delta,
                          double good) {
    const equal e = {*term, epsilon, delta};
    double bad = 2.0 * good;
    while (bad < 1e6 && excess_of_equal(&e, bad) <= 0.0) bad *= 2.0;
    return pvgi_mechanism_search(excess_of_equal, &e, good, bad);
}

double pvgi_mechanism_solve(const pvg_curve_term *term, double epsilon, double delta) {
    pvg_curve_term trial = *term;
    double *parameter = pvgi_mechanism_term_parameter(&trial);
    double value;
    if (term->kind == PVG_CURVE_PURE) { /* the inverse of pure_epsilon */
        value = epsilon + log1p(delta * exp(-epsilon)) - log1p(-delta);
        if (delta > 0.0) value = pvgi_mechanism_down(value, 16);
        if (delta > 0.0 && term->steps > 1)
            value = solve_equal(term, epsilon, delta, value);
    } else if (term->kind == PVG_CURVE_GDP)
        value = pvgi_mechanism_gdp_mu(epsilon, delta);
    else if (term->kind == PVG_CURVE_SAMPLED)
        value = pvgi_mechanism_sampled_mu(term, epsilon, delta);
    else
        value = pvgi_mechanism_renyi_rho(term, epsilon, delta);
    /* what is found must pass the accountant; it is a few roundings away at most */
    for (int bits = 51; bits > 20 && value > 0.0 && isfinite(value); bits -= 2) {
        *parameter = value;
        if (pvgi_mechanism_terms_epsilon(&trial, 1, delta) <= epsilon) return value;
        value *= 1.0 - ldexp(1.0, -bits);
    }
    return 0.0;
}
