/* Accounting by Renyi divergences. A bound D of order alpha = 1 + t gives, for any t > 0,
 *   delta(epsilon) = exp(t (D - epsilon)) t^t / (1 + t)^(1 + t),
 *   epsilon(delta) = D + ln(t / (1 + t)) - (ln delta + ln(1 + t)) / t
 * (Canonne, Kamath, Steinke 2020); t D is convex in t, so both have one valley, and every
 * t is sound: the search costs tightness at most. About 50 evaluations. */
#include "mechanism_internal.h"

#include <float.h>

/* Orders looked at: 1 + 2^-60 .. 1 + 2^60. */
static const double log_t_low = -41.5, log_t_high = 41.5;
/* Relative error of one sum of a few library functions, generously. */
static const double slack = 0x1p-48;

/* --- divergences of single terms, order 1 + t, up ------------------------------- */

/* Any epsilon-DP pair is what randomised response with epsilon makes of one bit, so its
 * divergence, (1/t) ln[(e^((1+t) eps) + e^(-t eps)) / (1 + e^eps)], is the largest. */
double pvgi_mechanism_pure_renyi(double epsilon, double t) {
    const double decay = 2.0 * (t * epsilon) + epsilon; /* (2t + 1) may overflow */
    const double rare = decay < 40.0 ? log1p(exp(-decay)) : 0x1p-57; /* above e^-40 */
    const double tail = rare - log1p(exp(-epsilon));
    const double exact =
        (t * epsilon + tail + slack * (t * epsilon + 1.0)) / t; /* near 0: loose */
    return fmin(fmin(epsilon, exact),
                0.5 * (epsilon * (1.0 + t)) * epsilon * (1.0 + slack));
}

/* The two parts of a smooth term: factor * rho + rest. False where it is infinite. */
static bool smooth_parts(const pvg_curve_term *term, double t, double *factor,
                         double *rest) {
    const double y = t * expm1(2.0 * term->beta) * (1.0 + 0x1p-49);
    if (!(y < 1.0)) return false;
    const double logarithm = -log1p(-y);
    *factor = (1.0 + t) / ((1.0 - y) * (1.0 - 0x1p-51)) * (1.0 + 0x1p-50);
    *rest = 0.5 * (double)term->dimension *
            (logarithm / t * (1.0 + 0x1p-49) - 2.0 * term->beta * (1.0 - 0x1p-50)) *
            (1.0 + 0x1p-50);
    return true;
}

double pvgi_mechanism_smooth_renyi(const pvg_curve_term *term, double t,
                                   const pvgi_renyi *curve) {
    double factor, rest;
    (void)curve;
    return smooth_parts(term, t, &factor, &rest) ? factor * term->rho + rest : INFINITY;
}

static double term_renyi(const pvg_curve_term *term, double t, const pvgi_renyi *curve) {
    const pvgi_curve_row *row = pvgi_mechanism_curve(term->kind);
    return row->renyi ? row->renyi(term, t, curve) : INFINITY;
}

double pvgi_mechanism_renyi(const pvgi_renyi *curve, double t) {
    double sum = 0.0;
    for (int64_t i = 0; i < curve->count; i++)
        sum += term_renyi(&curve->terms[i], t, curve);
    /* what underflowed is below DBL_MIN */
    return sum * (1.0 + 0x1p-50 + 0x1p-52 * (double)curve->count) +
           (double)curve->count * DBL_MIN;
}

/* --- conversions ---------------------------------------------------------------- */

typedef struct {
    const pvgi_renyi *curve;
    const pvg_curve_term *term;
    double t_high; /* orders beyond are not allowed */
    double epsilon, log_inverse_delta;
} conversion;

static double highest(const pvg_curve_term *terms, int64_t count) {
    double t = exp(log_t_high);
    for (int64_t i = 0; i < count; i++)
        if (terms[i].kind == PVG_CURVE_TCDP)
            t = fmin(t, pvgi_mechanism_down(terms[i].omega - 1.0, 2));
    return t;
}

/* epsilon - D at order 1 + t, up. */
static double conversion_cost(const conversion *c, double t) {
    const double gain = log1p(1.0 / t), order = log1p(t);
    const double cost = c->log_inverse_delta / t - order / t - gain;
    return cost + slack * ((c->log_inverse_delta + order) / t + gain);
}

static double epsilon_at(const void *context, double t) {
    const conversion *c = context;
    t = fmin(t, c->t_high);
    return pvgi_mechanism_renyi(c->curve, t) + conversion_cost(c, t);
}

static double log_delta_at(const void *context, double t) {
    const conversion *c = context;
    t = fmin(t, c->t_high);
    const double moment = t * pvgi_mechanism_renyi(c->curve, t);
    const double gain = t * log1p(1.0 / t), order = log1p(t), spent = t * c->epsilon;
    return moment - spent - gain - order + slack * (moment + spent + gain + order);
}

/* Least rho is wanted as a minimum of -rho. */
static double minus_rho_at(const void *context, double t) {
    const conversion *c = context;
    double factor, rest = 0.0;
    t = fmin(t, c->t_high);
    factor = 1.0 + t;
    if (c->term->kind == PVG_CURVE_SMOOTH && !smooth_parts(c->term, t, &factor, &rest))
        return INFINITY;
    const double left =
        c->epsilon * (1.0 - slack) - (rest * (1.0 + slack) + conversion_cost(c, t));
    return -left / factor * (left > 0.0 ? 1.0 - slack : 1.0);
}

static double best(pvgi_function f, const conversion *c) {
    const double high = fmin(log_t_high, log(c->t_high));
    const double t = pvgi_mechanism_minimise(f, c, fmin(log_t_low, high - 1.0), high);
    return f(c, t);
}

double pvgi_mechanism_renyi_epsilon(const pvgi_renyi *curve, double delta) {
    if (!(delta > 0.0)) return INFINITY;
    const conversion c = {.curve = curve,
                          .t_high = highest(curve->terms, curve->count),
                          .log_inverse_delta = -log(delta)};
    if (!(c.t_high > 0.0)) return INFINITY;
    const double epsilon = best(epsilon_at, &c);
    if (isnan(epsilon)) return INFINITY;
    return epsilon > 0.0 ? epsilon : 0.0;
}

double pvgi_mechanism_renyi_delta(const pvgi_renyi *curve, double epsilon) {
    const conversion c = {.curve = curve,
                          .t_high = fmin(highest(curve->terms, curve->count),
                                         1e290 / fmax(epsilon, 1.0)), /* t epsilon */
                          .epsilon = epsilon};
    if (!(c.t_high > 0.0)) return 1.0;
    const double logarithm = best(log_delta_at, &c);
    if (!(logarithm < 0.0)) return 1.0; /* NaN as well */
    const double delta = exp(logarithm) * (1.0 + slack);
    return delta < DBL_MIN ? DBL_MIN : fmin(delta, 1.0);
}

double pvgi_mechanism_renyi_rho(const pvg_curve_term *term, double epsilon,
                                double delta) {
    if (!(delta > 0.0)) return 0.0;
    const conversion c = {.term = term,
                          .t_high = highest(term, 1),
                          .epsilon = epsilon,
                          .log_inverse_delta = -log(delta)};
    if (!(c.t_high > 0.0)) return 0.0;
    const double rho = -best(minus_rho_at, &c);
    return rho > 0.0 && isfinite(rho) ? rho : 0.0;
}
