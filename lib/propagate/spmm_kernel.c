/* Sparse times dense: the inner loops of spmm_kernel.inc for doubles and floats, compiled
 * once per instruction set. No fused multiply-add and one order of summation, so all give
 * the same bits. */
#include "propagate_internal.h"

#include <math.h>
#include <string.h>

#define PACK_AHEAD 16 /* rows to prefetch */
#define INLINE     static inline __attribute__((always_inline))

#define REAL     double
#define LANES    4
#define PROJECTS 1
#define NAME(x)  x##_double
#include "spmm_kernel.inc"
#undef REAL
#undef LANES
#undef PROJECTS
#undef NAME

#define REAL     float
#define LANES    8
#define PROJECTS 0
#define NAME(x)  x##_float
#include "spmm_kernel.inc"

/* NOLINTBEGIN(bugprone-macro-parentheses): target is an attribute, type a type */
#define KERNELS(name, type, target)                                                      \
    target static void pack_##type##_##name(const pvgi_spmm *s, const void *x,           \
                                            int64_t start, int32_t vectors,              \
                                            int64_t first, int64_t last, double *sums) { \
        pack_any_##type(s, x, start, vectors, first, last, sums);                        \
    }                                                                                    \
    target static void sum_##type##_##name(const pvgi_spmm *s, void *out, int64_t start, \
                                           int32_t vectors, int64_t first,               \
                                           int64_t last) {                               \
        if (s->ahead)                                                                    \
            sum_any_##type(s, out, start, vectors, first, last, s->ahead);               \
        else                                                                             \
            sum_any_##type(s, out, start, vectors, first, last, 0);                      \
    }                                                                                    \
    target static double factor_##type##_##name(const void *row, int64_t columns,        \
                                                pvgi_rows rows) {                        \
        return row_factor_##type(row, columns, rows);                                    \
    }                                                                                    \
    static const pvgi_spmm_kernels kernels_##type##_##name = {                           \
        pack_##type##_##name, sum_##type##_##name, factor_##type##_##name};
#define BOTH(name, target)                                                               \
    KERNELS(name, double, target)                                                        \
    KERNELS(name, float, target)
/* NOLINTEND(bugprone-macro-parentheses) */

BOTH(portable, )
#if defined(__x86_64__) && defined(__GNUC__)
BOTH(avx2, __attribute__((target("avx2"))))
#endif

const pvgi_spmm_kernels *pvgi_propagate_kernels(pvgi_cpu level, size_t element) {
    const bool wide = element == sizeof(double);
#if defined(__x86_64__) && defined(__GNUC__)
    if (level >= PVGI_CPU_AVX2) return wide ? &kernels_double_avx2 : &kernels_float_avx2;
#else
    (void)level;
#endif
    return wide ? &kernels_double_portable : &kernels_float_portable;
}
