/* Renyi divergences of sampled Gaussian steps: every record joins a step independently
 * with probability q, and the step adds Gaussian noise to a sum that one record moves by
 * at most mu standard deviations. For integer orders a >= 2, exact for the pair that
 * dominates both directions (Mironov, Talwar, Zhang 2019):
 *   (a - 1) R(a) = ln sum over k of C(a, k) (1 - q)^(a - k) q^k e^((k^2 - k) mu^2 / 2)
 *                = ln(1 + sum over k >= 2 of the same weights times (e^(...) - 1)),
 * a sum of positive numbers without cancellation. (a - 1) R(a) is convex in a and 0 at
 * a = 1, so lines between integers bound it from above. At any order, by convexity of the
 * moment in the pair, it is at most ln(1 - q + q e^(a (a - 1) mu^2 / 2)).
 * Cost: O(a) per order. */
#include "mechanism_internal.h"

/* Orders above are bounded by convexity only. */
enum { ORDER_MAX = 512 };

/* ln(e^x - 1) and ln(1 + e^x). */
static double log_expm1(double x) {
    return x > 40.0 ? x : log(expm1(x));
}

static double log1p_exp(double x) {
    return x > 40.0 ? x + exp(-x) : log1p(exp(x));
}

/* (a - 1) R(a) of one step, up; 0 < q < 1. */
static double moment(double q, double mu, int a) {
    const double half = 0.5 * mu * mu, ln_q = log(q), ln_rest = log1p(-q);
    double binomial = 0.0, largest = -INFINITY, sum = 0.0, size = 0.0;
    for (int k = 1; k <= a; k++) {
        binomial += log((double)(a - k + 1) / (double)k);
        if (k < 2) continue;
        const double square = (double)k * (double)(k - 1) * half;
        const double exponent =
            binomial + (double)(a - k) * ln_rest + (double)k * ln_q + log_expm1(square);
        size = fmax(size, square + (double)k * -ln_q + (double)(a - k) * -ln_rest +
                              fabs(log_expm1(square)) + (double)a);
        if (exponent > largest) {
            sum = sum * exp(largest - exponent) + 1.0;
            largest = exponent;
        } else {
            sum += exp(exponent - largest);
        }
    }
    /* a dozen roundings in each exponent, one per factor of the binomial */
    const double error = 0x1p-49 * (size + (double)a);
    /* cppcheck-suppress invalidFunctionArg; a >= 2, so there is a term */
    return log1p_exp(largest + log(sum) + error) * (1.0 + 0x1p-48);
}

/* By convexity of the moment, any order 1 + t. */
static double moment_by_convexity(double q, double mu, double t) {
    const double square = 0.5 * (t * (1.0 + t)) * (mu * mu) * (1.0 + 0x1p-50);
    if (q == 1.0 || !isfinite(square)) return square;
    const double exponent = log(q) + log_expm1(square);
    return log1p_exp(exponent + 0x1p-49 * (fabs(exponent) + fabs(square) + 1.0)) *
           (1.0 + 0x1p-48);
}

double pvgi_mechanism_sampled_renyi(const pvg_curve_term *term, double t) {
    const double q = term->rate, mu = term->mu;
    double least = moment_by_convexity(q, mu, t);
    if (q < 1.0 && t <= (double)(ORDER_MAX - 1)) {
        /* between t = low and low + 1, orders 1 + low and 2 + low */
        const int low = (int)floor(t) < ORDER_MAX - 2 ? (int)floor(t) : ORDER_MAX - 2;
        const double share = t - (double)low;
        const double left = low > 0 ? moment(q, mu, low + 1) : 0.0;
        const double right = share > 0.0 ? moment(q, mu, low + 2) : 0.0;
        least = fmin(least, ((1.0 - share) * left + share * right) * (1.0 + 0x1p-50));
    }
    return (double)term->steps * (least / t) * (1.0 + 0x1p-50);
}

/* The largest mu, down. What a Gaussian without sampling may have is a beginning. */
double pvgi_mechanism_sampled_mu(const pvg_curve_term *term, double epsilon,
                                 double delta) {
    pvg_curve_term trial = *term;
    double good = pvgi_mechanism_gdp_mu(epsilon, delta) / sqrt((double)term->steps);
    double bad = good;
    if (!(delta > 0.0)) return 0.0;
    for (int i = 0; i < 40; i++, good *= 0.5) {
        trial.mu = good;
        if (good > 0.0 && pvgi_mechanism_terms_epsilon(&trial, 1, delta) <= epsilon)
            break;
        bad = good;
        if (i == 39) return 0.0;
    }
    for (int i = 0; bad <= good && i < 200; i++) {
        trial.mu = 2.0 * good;
        if (pvgi_mechanism_terms_epsilon(&trial, 1, delta) <= epsilon)
            good = bad = trial.mu;
        else
            bad = trial.mu;
    }
    for (int i = 0; i < 60 && bad - good > 0x1p-44 * good; i++) {
        trial.mu = good + 0.5 * (bad - good);
        /* NaN must not pass */
        if (pvgi_mechanism_terms_epsilon(&trial, 1, delta) <= epsilon)
            good = trial.mu;
        else
            bad = trial.mu;
    }
    return good;
}
