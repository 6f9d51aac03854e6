/* Exact accounting of Gaussian noise. With a = (epsilon/mu - mu/2) / sqrt 2,
 * h = mu / sqrt 2 and b = a + h,
 *   delta = 1/2 erfc(a) - 1/2 exp(epsilon) erfc(b)
 *         = 1/2 exp(-a^2) (erfcx(a) - erfcx(b))               (a >= 0)
 *         = 1 - 1/2 exp(-a^2) (erfcx(-a) + erfcx(b))          (a < 0),
 * so exp(epsilon) never appears. erfcx is completely monotone: the derivatives of
 * G = -erfcx' alternate in sign, hence Simpson's rule bounds its integral from above, and
 * for small h it replaces the difference, which would cancel. At fixed h delta falls with
 * a (its derivative is -h exp(-a^2) erfcx(b)), at fixed a it grows with h: rounding a
 * down and h up is sound. */
#include "mechanism_internal.h"

#include <float.h>

/* Below this h Simpson's rule, off by about h^4 / 2880, beats the difference, off by u /
 * h.
 */
static const double small_step = 0x1p-8;

/* -erfcx'(x), up; |x| small or x >= 0. */
static double slope(double x) {
    const double two_over_sqrt_pi = 0x1.20dd750429b6dp0;
    const double value =
        x >= 0.0 ? pvgi_mechanism_erfcx(x) : 2.0 * exp(x * x) - pvgi_mechanism_erfcx(-x);
    return two_over_sqrt_pi - 2.0 * x * value + 4.0 * PVGI_ERFCX_ERROR;
}

double pvgi_mechanism_gdp_delta(double mu, double epsilon) {
    const double sqrt_half = 0x1.6a09e667f3bcdp-1;
    const double ratio = epsilon / mu, half = 0.5 * mu;
    if (!isfinite(ratio)) return DBL_MIN;
    const double a = (ratio - half) * sqrt_half - 0x1p-50 * (ratio + half);
    const double h = mu * sqrt_half * (1.0 + 0x1p-50);
    const double b = a + h + 0x1p-51 * (fabs(a) + h);
    double delta;
    if (h < small_step) {
        const double outer = exp(-a * a * (1.0 - 0x1p-50));
        const double sum = slope(a) + 4.0 * slope(a + 0.5 * h) + slope(b);
        delta = 0.5 * outer * h * (sum / 6.0) * (1.0 + 0x1p-48);
    } else if (a >= 0.0) {
        const double outer = exp(-a * a * (1.0 - 0x1p-50));
        const double first = pvgi_mechanism_erfcx(a), second = pvgi_mechanism_erfcx(b);
        const double difference = first - second + PVGI_ERFCX_ERROR * (first + second);
        delta = 0.5 * outer * difference * (1.0 + 0x1p-49);
    } else {
        const double outer = exp(-a * a * (1.0 + 0x1p-50)) * (1.0 - 0x1p-49);
        const double sum = pvgi_mechanism_erfcx(-a) + pvgi_mechanism_erfcx(b);
        delta = 1.0 - 0.5 * outer * sum * (1.0 - 2.0 * PVGI_ERFCX_ERROR) + 0x1p-53;
    }
    /* below the normal numbers exp has no relative precision */
    return delta < DBL_MIN ? DBL_MIN : delta < 1.0 ? delta : 1.0;
}

typedef struct {
    double fixed, delta, log_delta;
} gaussian;

/* Sign of delta - wanted, decided by comparing doubles; the size helps the search. */
static double excess(double delta, const gaussian *g) {
    const double gap = log(delta) - g->log_delta;
    return delta <= g->delta ? fmin(gap, 0.0) : fmax(gap, 0x1p-60);
}

static double excess_at_epsilon(const void *context, double epsilon) {
    const gaussian *g = context;
    return excess(pvgi_mechanism_gdp_delta(g->fixed, epsilon), g);
}

static double excess_at_mu(const void *context, double mu) {
    const gaussian *g = context;
    return excess(pvgi_mechanism_gdp_delta(mu, g->fixed), g);
}

/* From the least double to the largest. */
enum { DOUBLINGS = 2100 };

double pvgi_mechanism_gdp_epsilon(double mu, double delta) {
    if (!(delta > 0.0)) return INFINITY;
    const gaussian g = {mu, delta, log(delta)};
    if (excess_at_epsilon(&g, 0.0) <= 0.0) return 0.0;
    double enough = mu * (0.5 * mu + sqrt(-2.0 * g.log_delta)); /* the Renyi bound */
    for (int i = 0; !(excess_at_epsilon(&g, enough) <= 0.0); i++) {
        enough *= 2.0;
        if (!isfinite(enough) || i == DOUBLINGS) return INFINITY;
    }
    return pvgi_mechanism_search(excess_at_epsilon, &g, enough, 0.0);
}

double pvgi_mechanism_gdp_mu(double epsilon, double delta) {
    if (!(delta > 0.0)) return 0.0;
    const gaussian g = {epsilon, delta, log(delta)};
    const double root = sqrt(-g.log_delta);
    double good = 1.4142 * (epsilon / (sqrt(epsilon - g.log_delta) + root));
    for (int i = 0; good > 0.0 && !(excess_at_mu(&g, good) <= 0.0); i++)
        good = i < DOUBLINGS ? 0.5 * good : 0.0;
    if (!(good > 0.0)) return 0.0;
    double bad = 2.0 * good;
    for (int i = 0; i < DOUBLINGS && isfinite(bad) && excess_at_mu(&g, bad) <= 0.0; i++) {
        good = bad;
        bad *= 2.0;
    }
    return isfinite(bad) ? pvgi_mechanism_search(excess_at_mu, &g, good, bad) : good;
}
