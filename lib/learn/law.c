/* Laws that the read-out of edge histograms needs: a Poisson number plus noise, and
 * quantiles of gamma laws.
 *
 * With discrete Laplace noise, P(z) = (1-a)/(1+a) sum_j p_j a^|z-j| is the sum of two
 * geometric filters over p, one from each side: O(high - low). Other noise is summed
 * directly over eight deviations. Quantiles by bisection of the incomplete gamma
 * function (series below shape + 1, continued fraction above). */
#include "learn_internal.h"

#include <math.h>
#include <string.h>

/* lgamma itself writes a global of the C library's, which threads would share. */
static double log_gamma(double x) {
    int sign;
    return lgamma_r(x, &sign);
}

/* --- Poisson ---------------------------------------------------------------------- */

/* p_j for j = 0 .. count - 1, from the mode outwards. */
static void poisson(double *p, int64_t count, double mean) {
    int64_t mode = (int64_t)mean;
    if (mode > count - 1) mode = count - 1;
    p[mode] = exp((double)mode * log(mean) - mean - log_gamma((double)mode + 1.0));
    for (int64_t j = mode; j > 0; j--) p[j - 1] = p[j] * ((double)j / mean);
    for (int64_t j = mode; j + 1 < count; j++) p[j + 1] = p[j] * (mean / (double)(j + 1));
}

static void add_laplace(double *out, const double *p, int64_t count, int64_t low,
                        int64_t high, double rate) {
    const double a = exp(-rate), scale = -expm1(-rate) / (1.0 + a);
    double forward = 0.0, backward = 0.0;
    for (int64_t z = low; z <= high; z++) out[z - low] = 0.0;
    for (int64_t z = 0; z <= high; z++) {
        forward = a * forward + (z < count ? p[z] : 0.0);
        if (z >= low) out[z - low] = scale * forward;
    }
    for (int64_t z = count - 2; z >= low; z--) {
        backward = a * (backward + (z + 1 >= 0 ? p[z + 1] : 0.0));
        if (z <= high) out[z - low] += scale * backward;
    }
}

/* Chance of the integer k of rounded or discrete Gaussian noise; nearly the same. */
static double gaussian(double k, double sigma) {
    const double s = sigma * 1.4142135623730951;
    return 0.5 * (erf((k + 0.5) / s) - erf((k - 0.5) / s));
}

static void add_gaussian(double *out, const double *p, int64_t count, int64_t low,
                         int64_t high, double sigma) {
    const int64_t reach = (int64_t)fmin(ceil(8.0 * sigma), 4096.0) + 1;
    for (int64_t z = low; z <= high; z++) out[z - low] = 0.0;
    for (int64_t k = -reach; k <= reach; k++) {
        const double chance = gaussian((double)k, sigma);
        for (int64_t z = low > k ? low : k; z <= high && z - k < count; z++)
            out[z - low] += chance * p[z - k];
    }
}

void pvgi_learn_noisy_poisson(double *out, double mean, int64_t low, int64_t high,
                              const pvgi_joint *noise, double *scratch) {
    int64_t count = (int64_t)fmin(mean + 12.0 * sqrt(mean) + 40.0, PVGI_LAW_SCRATCH);
    if (count < 1) count = 1;
    poisson(scratch, count, mean);
    if (noise->noise == PVG_NOISE_LAPLACE)
        add_laplace(out, scratch, count, low, high,
                    (double)noise->denominator / (double)noise->numerator);
    else
        add_gaussian(out, scratch, count, low, high, noise->scale);
}

/* --- gamma ------------------------------------------------------------------------ */

/* P(X <= x), X gamma with this shape and scale 1. */
static double gamma_below(double shape, double x) {
    if (!(x > 0.0)) return 0.0;
    const double front = exp(shape * log(x) - x - log_gamma(shape));
    if (x < shape + 1.0) {
        double term = 1.0 / shape, sum = term;
        for (int n = 1; n < 10000 && term > 1e-17 * sum; n++) {
            term *= x / (shape + n);
            sum += term;
        }
        return front * sum;
    }
    double b = x + 1.0 - shape, c = 1e300, d = 1.0 / b, h = d; /* Lentz */
    for (int n = 1; n < 10000; n++) {
        const double an = -n * (n - shape);
        b += 2.0;
        d = 1.0 / (an * d + b);
        c = b + an / c;
        h *= c * d;
        if (fabs(c * d - 1.0) < 1e-16) break;
    }
    return 1.0 - front * h;
}

void pvgi_learn_gamma_quantiles(double *out, int64_t count, double shape) {
    double sum = 0.0;
    for (int64_t i = 0; i < count; i++) {
        const double wanted = ((double)i + 0.5) / (double)count;
        double low = 0.0, high = shape + 1.0;
        while (gamma_below(shape, high) < wanted) high *= 2.0;
        for (int k = 0; k < 60; k++) {
            const double middle = 0.5 * (low + high);
            if (gamma_below(shape, middle) < wanted)
                low = middle;
            else
                high = middle;
        }
        out[i] = high;
        sum += high;
    }
    for (int64_t i = 0; i < count; i++) out[i] *= (double)count / sum;
}
