/* The kernels of kernel/ for floats and doubles, compiled once per instruction set, each
 * in a file of its own: one order of summation and no fused multiply-add, so all give the
 * same bits. */
#include "network_internal.h"

const pvgi_kernels *pvgi_network_kernels(pvgi_cpu level, bool wide) {
#if defined(__x86_64__) && defined(__GNUC__)
    if (level >= PVGI_CPU_AVX2)
        return wide ? pvgi_network_double_avx2() : pvgi_network_float_avx2();
#else
    (void)level;
#endif
    return wide ? pvgi_network_double_portable() : pvgi_network_float_portable();
}
