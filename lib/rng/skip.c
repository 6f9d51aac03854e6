/* How many trials fail before the next success, and trials whose chance has 128 bits.
 *
 * With success r = rate / 2^128 <= 1/2 and U uniform, G = max{g : U < (1 - r)^g} has
 * P(G >= g) = (1 - r)^g. Doubles give ln U / ln(1 - r) within
 *
 *     2^-50 / -ln(1 - r)  for the digits of U left out and its conversion,
 *     2^-47 times itself  for log, log1p, the rate as a double and the quotient;
 *
 * where no integer is that near, its floor is G. The rest is settled by comparing 256
 * bits of U with powers of 1 - r in fixed point: each product is rounded down by less
 * than 2^-255 and a power g < 2^63 collects less than 2^65 of these, so the law is met up
 * to a total variation of 2^-189. One word and about 15 ns; at rates below 2^-48 every
 * draw takes the slow path, about 10 us, and passes over 2^48 trials. */
#include "rng_internal.h"

#include <math.h>

#ifndef PVGI_SKIP_ERROR /* a test sends every draw down the slow path */
#define PVGI_SKIP_ERROR 0x1p-50
#endif
#define RELATIVE_ERROR 0x1p-47

bool pvgi_rng_draw_chance(pvgi_stream *stream, uint64_t high, uint64_t low) {
    const uint64_t word = pvgi_rng_stream_word(stream);
    return word != high ? word < high : pvgi_rng_stream_word(stream) < low;
}

pvgi_skip pvgi_rng_skip(uint64_t high, uint64_t low) {
    const double rate = (double)high * 0x1p-64 + (double)low * 0x1p-128;
    const double inverse = rate > 0.0 ? -1.0 / log1p(-rate) : 0.0;
    return (pvgi_skip){high, low, inverse, PVGI_SKIP_ERROR * inverse};
}

/* U < (1 - r)^count */
static bool below_power(const pvgi_fixed *u, const pvgi_skip *skip, uint64_t count) {
    const bool borrow = skip->low != 0; /* 1 - r: the complement in two limbs */
    pvgi_fixed base = {{0, ~skip->high + !borrow, 0 - skip->low, 0, 0}};
    pvgi_fixed power = {{1}};
    for (; count > 0; count >>= 1) {
        if (count & 1) power = pvgi_rng_fixed_mul(&power, &base);
        base = pvgi_rng_fixed_mul(&base, &base);
    }
    return pvgi_rng_fixed_compare(u, &power, 256) < 0;
}

/* The first word of U is drawn, the others follow. */
static uint64_t settle(const pvgi_skip *skip, pvgi_stream *stream, uint64_t first,
                       uint64_t limit) {
    pvgi_fixed u = {{0, first}};
    for (int i = 2; i < PVGI_FIXED_LIMBS; i++) u.limb[i] = pvgi_rng_stream_word(stream);
    const double guess =
        -log((double)first * 0x1p-64 + (double)u.limb[2] * 0x1p-128) * skip->inverse;
    const double error = 2.0 + skip->error + guess * RELATIVE_ERROR;
    /* below_power(low), not below_power(high + 1) unless high is the limit */
    const double down = guess - error; /* may be above 2^64 */
    uint64_t low = down <= 0.0 ? 0 : down < (double)limit ? (uint64_t)down : limit;
    uint64_t high = limit;
    if (guess + error < (double)limit) high = (uint64_t)(guess + error);
    if (!below_power(&u, skip, low)) low = 0;
    if (high < limit && below_power(&u, skip, high + 1)) high = limit;
    while (low < high) {
        const uint64_t middle = high - (high - low) / 2;
        if (below_power(&u, skip, middle))
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

uint64_t pvgi_rng_draw_skip(const pvgi_skip *skip, pvgi_stream *stream, uint64_t limit) {
    if (skip->inverse == 0.0) return limit;
    const uint64_t word = pvgi_rng_stream_word(stream);
    /* below 2^52 the digits left out could matter more than the bound allows for */
    if (word >> 52 == 0) return settle(skip, stream, word, limit);
    const double trials = -log(((double)word + 0.5) * 0x1p-64) * skip->inverse;
    const double error = skip->error + trials * RELATIVE_ERROR;
    if (trials - error >= (double)limit) return limit;
    const double down = floor(trials - error);
    if (down < 0.0 || down != floor(trials + error))
        return settle(skip, stream, word, limit);
    return (uint64_t)down;
}
