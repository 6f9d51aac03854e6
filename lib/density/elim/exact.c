/* Elimination with 128-bit integers. Overflow of any intermediate count is noticed; the
 * value then saturates, so that a sum that has begun is never mistaken for an empty one.
 */
#include "elim_internal.h"

#include <math.h>
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

static void sum_lines(bool *overflow, pvgi_u128 *out, const pvgi_u128 *base,
                      int64_t stride, const int32_t *place, int32_t count,
                      int32_t width) {
    for (int32_t c = 0; c < width; c++) { /* out may be one of the rows */
        pvgi_u128 sum = 0;
        for (int32_t i = 0; i < count; i++)
            sum = add(overflow, sum, base[place[i] * stride + c]);
        out[c] = sum;
    }
}

static void multiply_lines(bool *overflow, pvgi_u128 *out, const pvgi_u128 *a,
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

#define VALUE                  pvgi_u128
#define MULTIPLY(j, a, b)      multiply(&(j)->overflow, (a), (b))
#define ADD(j, a, b)           add(&(j)->overflow, (a), (b))
#define REAL(a)                ((double)(a))
#define INTEGER(a)             ((pvgi_u128)(uint64_t)(a)) /* only below 2^53 */
#define SPARSE_PRICE           3
#define SUM_LINES(j, ...)      sum_lines(&(j)->overflow, __VA_ARGS__)
#define MULTIPLY_LINES(j, ...) multiply_lines(&(j)->overflow, __VA_ARGS__)
#define RUN                    pvgi_density_elim_run_exact
#include "kernel.h"
