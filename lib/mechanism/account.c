/* Curves: what holds for a list of terms, at most one of each kind (one per beta of
 * SMOOTH, per rate and mu of SAMPLED; kinds.c):
 *   approximate terms add their epsilon and delta to whatever holds for the rest;
 *   equal pure terms, Gaussian ones, and both together: exact (account_equal.c);
 *   otherwise the best of: that; Renyi over all; pure terms added to the rest; Gaussian
 *   and the rest with half of delta each. */
#include "mechanism_internal.h"

/* a + b and a * b, up; 0 stays 0. */
static double plus(double a, double b) {
    return a == 0.0 ? b : b == 0.0 ? a : pvgi_mechanism_up(a + b, 2);
}

static double times_up(double a, double b) {
    return a == 0.0 ? 0.0 : pvgi_mechanism_up(a * b, 4);
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
    int64_t renyi; /* of which divergences alone are known */
    bool infinite;
} parts;

static parts sort_out(const pvg_curve_term *terms, int64_t count) {
    parts p = {0};
    for (int64_t i = 0; i < count; i++) {
        const pvgi_counting counting = pvgi_mechanism_curve(terms[i].kind)->counting;
        if (counting == PVGI_COUNTED_PURE)
            p.pure = &terms[i];
        else if (counting == PVGI_COUNTED_APPROXIMATE)
            p.approximate = &terms[i];
        else if (counting == PVGI_COUNTED_GDP)
            p.gdp = &terms[i];
        else if (counting == PVGI_COUNTED_RENYI)
            p.renyi++;
        else
            p.infinite = true;
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

/* The inverse of pure_epsilon. */
double pvgi_mechanism_pure_solve(const pvg_curve_term *term, double epsilon,
                                 double delta) {
    const double value = epsilon + log1p(delta * exp(-epsilon)) - log1p(-delta);
    if (delta == 0.0) return value;
    const double least = pvgi_mechanism_down(value, 16);
    return term->steps > 1 ? solve_equal(term, epsilon, delta, least) : least;
}

double pvgi_mechanism_solve(const pvg_curve_term *term, double epsilon, double delta) {
    pvg_curve_term trial = *term;
    double *parameter = pvgi_mechanism_term_parameter(&trial);
    double value = pvgi_mechanism_curve(term->kind)->solve(term, epsilon, delta);
    /* what is found must pass the accountant; it is a few roundings away at most */
    for (int bits = 51; bits > 20 && value > 0.0 && isfinite(value); bits -= 2) {
        *parameter = value;
        if (pvgi_mechanism_terms_epsilon(&trial, 1, delta) <= epsilon) return value;
        value *= 1.0 - ldexp(1.0, -bits);
    }
    return 0.0;
}
