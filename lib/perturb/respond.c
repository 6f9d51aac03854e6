/* k-ary randomised response, decided by integer comparison.
 *
 * With a = alternatives, the true answer is kept with probability e^eps / (e^eps + a) and
 * each other one drawn with 1 / (e^eps + a). The chance to lie, a / (e^eps + a) =
 * 1 / (1 + e^(eps - ln a)), is rounded up to a multiple of 2^-64 with eps - ln a rounded
 * down first, so keep / other <= e^eps. Rounding moves other / keep by a factor of at
 * most 1 + 2^-31, because keep > 2^-33; from eps = 2^-20 on that leaves it below 1. A
 * smaller eps gets the uniform answer, which tells nothing. */
#include "perturb_internal.h"

#include <math.h>

uint64_t pvgi_perturb_lie_threshold(double epsilon, uint64_t alternatives) {
    if (epsilon < 0x1p-20) return 0;
    /* log is wrong by less than 4 units in the last place */
    const double a = log((double)alternatives);
    const double shifted = epsilon - a - (a > 0.0 ? 0x1p-49 * (a + epsilon) : 0.0);
    if (shifted > 0.0) return pvgi_rng_flip_threshold(shifted);
    if (shifted == 0.0) return UINT64_C(1) << 63;
    /* 2^64 - floor(2^64 / (1 + e^-shifted)) */
    return 0 - (pvgi_rng_flip_threshold(-shifted) - 1);
}

uint64_t pvgi_perturb_respond(pvgi_stream *stream, uint64_t value, uint64_t alternatives,
                              uint64_t threshold) {
    if (threshold == 0) return pvgi_rng_draw_below(stream, alternatives + 1);
    if (!pvgi_rng_draw_chance(stream, threshold, 0)) return value;
    const uint64_t other = pvgi_rng_draw_below(stream, alternatives);
    return other < value ? other : other + 1;
}
