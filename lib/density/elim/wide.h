/* Sums and products of 128-bit integers. Overflow is noticed; the value then saturates,
 * so that a sum that has begun is never mistaken for an empty one. */
#ifndef PVGI_DENSITY_ELIM_WIDE_H
#define PVGI_DENSITY_ELIM_WIDE_H

#include "elim_internal.h"

#include <string.h>

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

/* A double that may be rounded is told as overflow. */
static inline pvgi_u128 widen(bool *overflow, double cell) {
    if (cell < 0x1p53) return (uint64_t)cell;
    *overflow = true;
    return 0;
}

/* The loops of pvgi_elim_lines. */
static inline void sum_lines(bool *overflow, pvgi_u128 *out, const pvgi_u128 *base,
                             int64_t stride, const int32_t *place, int32_t count,
                             int32_t width) {
    for (int32_t c = 0; c < width; c++) { /* out may be one of the rows */
        pvgi_u128 sum = 0;
        for (int32_t i = 0; i < count; i++)
            sum = add(overflow, sum, base[place[i] * stride + c]);
        out[c] = sum;
    }
}

static inline void multiply_lines(bool *overflow, pvgi_u128 *out, const pvgi_u128 *a,
                                  int64_t a_stride, const pvgi_u128 *b, int32_t rows,
                                  int32_t inner, int32_t width) {
    for (int32_t i = 0; i < rows; i++, out += width, a += a_stride) {
        memset(out, 0, (size_t)width * sizeof *out);
        for (int32_t k = 0; k < inner; k++)
            for (int32_t c = 0; c < width; c++)
                out[c] = add(overflow, out[c],
                             multiply(overflow, a[k], b[(int64_t)k * width + c]));
    }
}

#endif
