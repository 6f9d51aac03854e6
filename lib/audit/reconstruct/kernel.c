/* kernel.inc, compiled once per instruction set. */
#include "reconstruct.h"

#include <math.h>
#include <string.h>

#include "network/kernel/float.h"
#define TARGET
#define NAME(x) x##_portable
#include "kernel.inc"
#if defined(__x86_64__) && defined(__GNUC__)
#undef NAME
#undef TARGET
#define TARGET  __attribute__((target("avx2")))
#define NAME(x) x##_avx2
#include "kernel.inc"
#endif

void pvgi_audit_twin_run(pvgi_twin *twin, const uint8_t *truth) {
#if defined(__x86_64__) && defined(__GNUC__)
    if (pvgi_cpu_level() >= PVGI_CPU_AVX2) {
        run_avx2(twin, truth);
        return;
    }
#endif
    run_portable(twin, truth);
}

void pvgi_audit_twin_step(pvgi_twin *twin, int64_t step, double rate, double decay) {
    const float one = (float)(1 - pow(.9, (double)step));
    const float two = (float)(1 - pow(.999, (double)step));
#if defined(__x86_64__) && defined(__GNUC__)
    if (pvgi_cpu_level() >= PVGI_CPU_AVX2) {
        update_avx2(twin, one, two, (float)rate, (float)decay);
        return;
    }
#endif
    update_portable(twin, one, two, (float)rate, (float)decay);
}
