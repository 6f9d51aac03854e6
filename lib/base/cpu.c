/* Which vector instructions this machine has. Asked once per call that dispatches; the
 * answer only chooses between code paths that give the same bits. There are none for
 * AVX-512: no machine or emulator of the tests could run them. */
#include "base_internal.h"

pvgi_cpu pvgi_cpu_level(void) {
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx2")) return PVGI_CPU_AVX2;
#endif
    return PVGI_CPU_PORTABLE;
}
