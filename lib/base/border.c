/* The floating-point environment at the public border.
 *
 * Directed rounding moves accounting either way and kept searches from ending; flushing
 * subnormals to zero changes what tiny deltas mean. x86: rounding, FTZ and DAZ stand in
 * MXCSR; the x87 unit (long double) has a rounding field of its own. arm64: FPCR. */
#include "base_internal.h"

#include <fenv.h>

#if defined(__x86_64__)
#include <xmmintrin.h>

/* rounding control, flush to zero, subnormals are zeros */
enum { ROUNDING = 0x6000, FLUSH = 0x8000, ZEROS = 0x0040, FLAGS = 0x003f };
enum { CHANGES = ROUNDING | FLUSH | ZEROS };

static uint64_t mode_now(void) {
    uint16_t x87;
    __asm__ volatile("fnstcw %0" : "=m"(x87));
    return _mm_getcsr() | (uint64_t)x87 << 32;
}

static bool is_ours(uint64_t mode) {
    return ((uint32_t)mode & CHANGES) == 0 && (mode >> 32 & 0x0c00) == 0;
}

static void set_ours(uint64_t mode) {
    const uint16_t x87 = (uint16_t)(mode >> 32 & ~(uint64_t)0x0c00);
    _mm_setcsr((uint32_t)mode & ~(uint32_t)CHANGES);
    __asm__ volatile("fldcw %0" : : "m"(x87));
}

/* The flags that were raised meanwhile stay raised. */
static void set_back(uint64_t mode) {
    const uint16_t x87 = (uint16_t)(mode >> 32);
    _mm_setcsr(((uint32_t)mode & ~(uint32_t)FLAGS) | (_mm_getcsr() & FLAGS));
    __asm__ volatile("fldcw %0" : : "m"(x87));
}

#elif defined(__aarch64__)

/* RMode, FZ, FZ16 */
#define CHANGES (UINT64_C(3) << 22 | UINT64_C(1) << 24 | UINT64_C(1) << 19)

static uint64_t mode_now(void) {
    uint64_t mode;
    __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
    return mode;
}

static bool is_ours(uint64_t mode) {
    return (mode & CHANGES) == 0;
}

static void set_back(uint64_t mode) {
    __asm__ volatile("msr fpcr, %0" : : "r"(mode));
}

static void set_ours(uint64_t mode) {
    set_back(mode & ~CHANGES);
}

#else

static uint64_t mode_now(void) {
    return (uint64_t)fegetround();
}

static bool is_ours(uint64_t mode) {
    return mode == FE_TONEAREST;
}

static void set_back(uint64_t mode) {
    fesetround((int)mode);
}

static void set_ours(uint64_t mode) {
    (void)mode;
    fesetround(FE_TONEAREST);
}

#endif

pvgi_border pvgi_border_enter(void) {
    const uint64_t mode = mode_now();
    const bool changed = !is_ours(mode);
    if (changed) set_ours(mode);
    return (pvgi_border){mode, changed};
}

void pvgi_border_leave(const pvgi_border *host) {
    if (host->changed) set_back(host->mode);
}
