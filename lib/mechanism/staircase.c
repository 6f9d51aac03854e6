/* Staircase noise for one coordinate: pure epsilon, less variance than Laplace unless
 * epsilon is small (Geng and Viswanath 2014, on the integers).
 *
 * With D = steps, the most a private change moves the value, b = e^-epsilon, epsilon =
 * steps / scale, and r in [1, D]: P(z) is proportional to b^k(|z|), where k(m) = 0 for
 * m < r and 1 + floor((m - r) / D) from there on. k never falls and k(m + D) <= k(m) + 1,
 * so values at most D apart have probabilities within a factor e^epsilon, whatever r is.
 * r is taken near D / (1 + e^(epsilon/2)), which makes |z| smallest in the mean, but at
 * least D / 16, which bounds the number of attempts below.
 *
 * Drawn exactly: k geometric, P(k) = (1 - b) b^k, and a place in 0..2D-1; the step k >= 1
 * has 2D values, one for each place, and step 0 has 2r - 1 <= 2D: a place beyond begins
 * anew. Fewer than 32 attempts in the mean. */
#include "mechanism_internal.h"

/* Half of the top step, centre included. */
static int64_t half_top(int64_t scale, int64_t steps) {
    const uint64_t share = pvgi_rng_flip_threshold(0.5 * (double)steps / (double)scale);
    const int64_t best = (int64_t)((unsigned __int128)share * (uint64_t)steps >> 64);
    const int64_t least = steps / 16 + 1;
    return best > least ? best : least;
}

double pvgi_mechanism_staircase_log(int64_t z, int64_t scale, int64_t steps) {
    const int64_t r = half_top(scale, steps), m = z < 0 ? -z : z;
    const int64_t k = m < r ? 0 : 1 + (m - r) / steps;
    return -(double)k * ((double)steps / (double)scale);
}

static int64_t draw_one(int64_t scale, int64_t steps, pvgi_stream *stream) {
    const int64_t r = half_top(scale, steps);
    /* |z| stays below 2^62: beyond, P < e^-(2^13) */
    const int64_t most = (INT64_C(1) << 61) / steps;
    for (;;) {
        int64_t k;
        pvgi_rng_draw_noise(&k, 1, PVGI_NOISE_GEOMETRIC, scale, steps, stream);
        const int64_t place = (int64_t)pvgi_rng_draw_below(stream, 2 * (uint64_t)steps);
        if (k == 0) {
            if (place < 2 * r - 1) return place - (r - 1);
            continue;
        }
        const int64_t beyond = r + ((k < most ? k : most) - 1) * steps;
        return place < steps ? beyond + place : -(beyond + place - steps);
    }
}

void pvgi_mechanism_staircase_draw(int64_t *out, int64_t count, const int64_t *scales,
                                   const int64_t *steps, pvgi_stream *stream) {
    for (int64_t i = 0; i < count; i++) out[i] = draw_one(scales[i], steps[i], stream);
}

/* Of the staircase on the reals with top g: its second moment is that of the top and of
 * the steps, sums over j of b^(j+1) times the integral of x^2 over
 * [g + j D, g + (j + 1) D). */
double pvgi_mechanism_staircase_deviation(double scale, double sensitivity) {
    if (!(scale > 0.0) || !(sensitivity > 0.0)) return 0.0;
    const double epsilon = sensitivity / scale, b = exp(-epsilon);
    const double g = fmax(1.0 / (1.0 + exp(0.5 * epsilon)), 1.0 / 16.0); /* D = 1 */
    const double s0 = 1.0 / -expm1(-epsilon), s1 = b * s0 * s0;
    const double s2 = b * (1.0 + b) * s0 * s0 * s0;
    const double weight = g + b * s0;
    const double moment =
        g * g * g / 3.0 + b * ((g * g + g + 1.0 / 3.0) * s0 + (2.0 * g + 1.0) * s1 + s2);
    return sensitivity * sqrt(moment / weight);
}
