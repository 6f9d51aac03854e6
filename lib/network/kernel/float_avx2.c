/* Kernels for floats, for processors with AVX2. */
#if defined(__x86_64__) && defined(__GNUC__)
#include "network/kernel/common.h"

#include "network/kernel/float.h"
#define TARGET     __attribute__((target("avx2")))
#define NAME(x)    x##_float_avx2
#define VECTOR_MAX __builtin_ia32_maxps256
#define HOLD(x)    __asm__("" : "+x"(x))
#include "network/kernel/all.inc"

const pvgi_kernels *pvgi_network_float_avx2(void) {
    return &kernels_float_avx2;
}
#else
typedef int pvgi_network_float_avx2_is_not_here;
#endif
