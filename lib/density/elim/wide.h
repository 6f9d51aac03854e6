/* Sums and products of 128-bit integers. Overflow is noticed; the value then saturates,
 * so that a sum that has begun is never mistaken for an empty one. */
#ifndef PVGI_DENSITY_ELIM_WIDE_H
#define PVGI_DENSITY_ELIM_WIDE_H

#include "elim_internal.h"

static inline pvgi_u128 multiply(bool *overflow, pvgi_u128 a, pvgi_u128 b) {
    pvgi_u128 product;
    if (((a | b) >> 64) == 0) return (pvgi_u128)(uint64_t)a * (uint64_t)b;
    if (!__builtin_mul_overflow(a, b, &product)) return product;
    *overflow = true;
    return ~(pvgi_u128)0;
}

static inline pvgi_u128 add(bool *overflow, pvgi_u128 a, pvgi_u128 b) {
    pvgi_u128 sum;
    if (!__builtin_add_overflow(a, b, &sum)) return sum;
    *overflow = true;
    return ~(pvgi_u128)0;
}

#endif
