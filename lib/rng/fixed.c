/* 256-bit fixed point, just enough to decide what 53 bits could not: U < exp(-z).
 *
 * exp(-z) = (exp(-z/2^8))^(2^8), the inner one by its Taylor series (z/2^8 < 1/4, 70
 * terms). Error: every product and division is rounded down by less than 2^-255; the
 * series collects less than 2^8 of these, each of the 8 squarings at most doubles the
 * error and adds one: below 2^-255 (2^8 2^8 + 2^8) < 2^-238. About 5 us, needed once in
 * 2^45 samples. */
#include "rng_internal.h"

#include <math.h>
#include <string.h>

enum { LIMBS = PVGI_FIXED_LIMBS, HALVINGS = 8, TERMS = 70 };

typedef unsigned __int128 wide;

pvgi_fixed pvgi_rng_fixed_mul(const pvgi_fixed *a, const pvgi_fixed *b) {
    uint64_t product[2 * LIMBS] = {0}; /* product[k] weighs 2^(64 (1 - k)) */
    for (int i = LIMBS - 1; i >= 0; i--) {
        uint64_t carry = 0;
        for (int j = LIMBS - 1; j >= 0; j--) {
            const wide t = (wide)a->limb[i] * b->limb[j] + product[i + j + 1] + carry;
            product[i + j + 1] = (uint64_t)t;
            carry = (uint64_t)(t >> 64);
        }
        product[i] = carry;
    }
    pvgi_fixed result;
    memcpy(result.limb, product + 1, sizeof result.limb);
    return result;
}

pvgi_fixed pvgi_rng_fixed_divide(const pvgi_fixed *a, uint64_t divisor) {
    pvgi_fixed result;
    uint64_t remainder = 0;
    for (int i = 0; i < LIMBS; i++) {
        const wide t = (wide)remainder << 64 | a->limb[i];
        result.limb[i] = (uint64_t)(t / divisor);
        remainder = (uint64_t)(t % divisor);
    }
    return result;
}

pvgi_fixed pvgi_rng_fixed_add(const pvgi_fixed *a, const pvgi_fixed *b) {
    pvgi_fixed result;
    uint64_t carry = 0;
    for (int i = LIMBS - 1; i >= 0; i--) {
        const wide t = (wide)a->limb[i] + b->limb[i] + carry;
        result.limb[i] = (uint64_t)t;
        carry = (uint64_t)(t >> 64);
    }
    return result;
}

/* a - b, for a >= b */
static pvgi_fixed subtract(const pvgi_fixed *a, const pvgi_fixed *b) {
    pvgi_fixed result;
    uint64_t borrow = 0;
    for (int i = LIMBS - 1; i >= 0; i--) {
        const wide t = (wide)a->limb[i] - b->limb[i] - borrow;
        result.limb[i] = (uint64_t)t;
        borrow = (uint64_t)(t >> 64) & 1;
    }
    return result;
}

pvgi_fixed pvgi_rng_fixed_exp_neg(const pvgi_fixed *z) {
    const pvgi_fixed small = pvgi_rng_fixed_divide(z, (uint64_t)1 << HALVINGS);
    /* even and odd terms apart, so that nothing negative is ever held */
    pvgi_fixed term = {{1}}, sum[2] = {{{1}}, {{0}}};
    for (uint64_t i = 1; i <= TERMS; i++) {
        term = pvgi_rng_fixed_mul(&term, &small);
        term = pvgi_rng_fixed_divide(&term, i);
        sum[i & 1] = pvgi_rng_fixed_add(&sum[i & 1], &term);
    }
    pvgi_fixed result = subtract(&sum[0], &sum[1]);
    for (int i = 0; i < HALVINGS; i++) result = pvgi_rng_fixed_mul(&result, &result);
    return result;
}

int pvgi_rng_fixed_compare(const pvgi_fixed *a, const pvgi_fixed *b, int bits) {
    int order = 0;
    for (int i = 0; i < LIMBS && order == 0; i++)
        order = (a->limb[i] > b->limb[i]) - (a->limb[i] < b->limb[i]);
    const pvgi_fixed distance = order > 0 ? subtract(a, b) : subtract(b, a);
    /* distance < 2^-bits: all bits down to that place are zero */
    bool near = distance.limb[0] == 0;
    for (int i = 1; i < LIMBS && near; i++) {
        const int inside = bits - 64 * (i - 1); /* leading bits of this limb that count */
        if (inside >= 64)
            near = distance.limb[i] == 0;
        else if (inside > 0)
            near = distance.limb[i] >> (64 - inside) == 0;
    }
    return near ? 0 : order;
}

/* The exact value of a double in [2^-200, 64); bits below 2^-256 are dropped. */
static pvgi_fixed from_double(double value) {
    pvgi_fixed result = {{0}};
    for (int i = 0; i < LIMBS; i++) {
        const double whole = floor(value);
        result.limb[i] = (uint64_t)whole;
        value = (value - whole) * 0x1p64; /* exact: fewer bits, then a power of two */
    }
    return result;
}

/* exp(-epsilon) from above, by less than 2^-235; epsilon < 64. */
static pvgi_fixed exp_neg_up(double epsilon) {
    const pvgi_fixed z = from_double(epsilon);
    const pvgi_fixed below = pvgi_rng_fixed_exp_neg(&z);
    const pvgi_fixed slack = {{0, 0, 0, 0, (uint64_t)1 << 20}}; /* 2^-236 */
    return pvgi_rng_fixed_add(&below, &slack);
}

/* With q = exp(-epsilon), f = q / (1 + q): T >= 2^64 f exactly if T >= q (2^64 - T),
 * whose right side falls as T grows: bisection for the smallest such T. q is taken from
 * above, so T is never too small. From epsilon = 45 on, 2^64 f < 1. */
uint64_t pvgi_rng_flip_threshold(double epsilon) {
    if (epsilon >= 45.0) return 1;
    const pvgi_fixed q = exp_neg_up(epsilon);
    uint64_t low = 0, high = ((uint64_t)1 << 63) + 1; /* low fails, high does not */
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        const pvgi_fixed rest = {{0 - middle}}, whole = {{middle}};
        const pvgi_fixed right = pvgi_rng_fixed_mul(&q, &rest);
        if (right.limb[0] < middle || memcmp(&right, &whole, sizeof right) == 0)
            high = middle;
        else
            low = middle;
    }
    /* a threshold above one half would flip more than it keeps; only the slack at
     * epsilon near 0 can reach it */
    return high > (uint64_t)1 << 63 ? (uint64_t)1 << 63 : high;
}

/* exp(-epsilon) is taken from above by at least 2^-237, and the product loses less than
 * 2^-255: what is rounded up to an integer is not below the true value. From epsilon = 45
 * on, 2^64 exp(-epsilon) < 1. */
uint64_t pvgi_rng_scale_threshold(uint64_t threshold, double epsilon) {
    if (epsilon >= 45.0) return 1;
    const pvgi_fixed q = exp_neg_up(epsilon), whole = {{threshold}};
    const pvgi_fixed product = pvgi_rng_fixed_mul(&q, &whole);
    bool rest = false;
    for (int i = 1; i < LIMBS; i++) rest |= product.limb[i] != 0;
    /* only the slack at epsilon near 0 can pass threshold */
    return product.limb[0] >= threshold ? threshold : product.limb[0] + rest;
}
