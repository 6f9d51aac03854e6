/* ghost.inc, compiled once per instruction set. */
#include "network_internal.h"

#include <math.h>

#define TARGET
#define NAME(x)         x##_portable
#define TOWARDS_ZERO(x) ((double)(int64_t)(x))
#include "ghost.inc"
#if defined(__x86_64__) && defined(__GNUC__)
#undef TARGET
#undef NAME
#undef TOWARDS_ZERO
#define TARGET          __attribute__((target("avx2")))
#define NAME(x)         x##_avx2
#define TOWARDS_ZERO(x) __builtin_trunc(x) /* an instruction there */
#include "ghost.inc"
#endif

static const pvgi_ghost_kernels portable = {
    forward_portable, back_portable,  outer_portable, squares_portable,
    largest_portable, whole_portable, exact_portable};
#if defined(__x86_64__) && defined(__GNUC__)
static const pvgi_ghost_kernels avx2 = {forward_avx2, back_avx2,    outer_avx2,
                                        squares_avx2, largest_avx2, whole_avx2,
                                        exact_avx2};
#endif

const pvgi_ghost_kernels *pvgi_network_ghost_kernels(pvgi_cpu level) {
#if defined(__x86_64__) && defined(__GNUC__)
    if (level >= PVGI_CPU_AVX2) return &avx2;
#else
    (void)level;
#endif
    return &portable;
}
