/* Exact binomial confidence bounds (Clopper and Pearson 1934).
 *
 * lower = x with P(Binomial(n, x) >= h) = miss, that is I_x(h, n - h + 1) = miss; upper
 * likewise with the other tail. I_x(a, b) by its continued fraction (Lentz), about
 * sqrt(max(a, b)) steps; the bounds by bisection, returning the outer end of the last
 * bracket. */
#include "audit_internal.h"

#include <math.h>

/* lgamma without the global sign variable. */
static double log_gamma(double x) {
    int sign;
    return lgamma_r(x, &sign);
}

static double fraction(double x, double a, double b) {
    const double tiny = 1e-300;
    double c = 1.0, d = 1.0 - (a + b) * x / (a + 1.0);
    d = 1.0 / (fabs(d) < tiny ? tiny : d);
    double value = d;
    for (int m = 1; m < 100000; m++) {
        double step = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        for (int half = 0; half < 2; half++) {
            d = 1.0 + step * d;
            d = 1.0 / (fabs(d) < tiny ? tiny : d);
            c = 1.0 + step / c;
            if (fabs(c) < tiny) c = tiny;
            value *= c * d;
            if (half == 0)
                step = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        }
        if (fabs(c * d - 1.0) < 1e-15) break;
    }
    return value;
}

double pvgi_audit_beta(double x, double a, double b) {
    if (x <= 0.0) return 0.0;
    if (x >= 1.0) return 1.0;
    const double front =
        exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * log(x) + b * log1p(-x));
    if (x < (a + 1.0) / (a + b + 2.0)) return front * fraction(x, a, b) / a;
    return 1.0 - front * fraction(1.0 - x, b, a) / b;
}

/* Largest x found with P(Binomial(trials, x) >= hits) <= miss. */
double pvgi_audit_lower(double hits, double trials, double miss) {
    if (hits <= 0.0) return 0.0;
    double low = 0.0, high = hits / trials;
    for (int i = 0; i < 200 && high - low > 1e-13 * high; i++) {
        const double middle = 0.5 * (low + high);
        if (pvgi_audit_beta(middle, hits, trials - hits + 1.0) <= miss)
            low = middle;
        else
            high = middle;
    }
    return low;
}

double pvgi_audit_upper(double hits, double trials, double miss) {
    return 1.0 - pvgi_audit_lower(trials - hits, trials, miss);
}
