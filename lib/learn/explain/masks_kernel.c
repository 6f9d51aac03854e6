/* masks_kernel.inc, compiled once per instruction set. */
#include "masks.h"

#include <math.h>
#include <string.h>

#define LANES        PVGI_MASK_LANES
#define AT(pointer)  (*(const pvgi_vec *)(pointer))
#define PUT(pointer) (*(pvgi_vec *)(pointer))
#define CHOOSE(yes, a, b)                                                                \
    ((pvgi_vec)(((pvgi_ivec)(a) & (yes)) | ((pvgi_ivec)(b) & ~(yes))))
#define INLINE static inline __attribute__((always_inline))
#define TARGET
#define NAME(x) x##_portable
#include "masks_kernel.inc"
#if defined(__x86_64__) && defined(__GNUC__)
#undef TARGET
#undef NAME
#define TARGET  __attribute__((target("avx2")))
#define NAME(x) x##_avx2
#include "masks_kernel.inc"
#endif

const pvgi_mask_kernels *pvgi_learn_mask_kernels(void) {
#if defined(__x86_64__) && defined(__GNUC__)
    if (pvgi_cpu_level() >= PVGI_CPU_AVX2) return &kernels_avx2;
#endif
    return &kernels_portable;
}
