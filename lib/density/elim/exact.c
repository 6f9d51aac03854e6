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

#define VALUE             pvgi_u128
#define MULTIPLY(j, a, b) multiply(&(j)->overflow, (a), (b))
#define ADD(j, a, b)      add(&(j)->overflow, (a), (b))
#define REAL(a)           ((double)(a))
#define INTEGER(a)        ((pvgi_u128)(uint64_t)(a)) /* only below 2^53 */
#define SPARSE_PRICE      3
#define RUN               pvgi_density_elim_run_exact
#include "kernel.h"
