/* The floating-point environment at the public border.
 *
 * Directed rounding moves accounting either way and kept searches from ending;
 * flushing subnormals to zero changes what tiny deltas mean; a host that traps
 * (feenableexcept) would end at the first inexact result, perhaps after a charge. x86:
 * rounding, FTZ, DAZ and masks stand in MXCSR; the x87 unit (long double) has fields
 * of its own. arm64: FPCR. Flags raised meanwhile stay raised, but those that the host
 * traps are as they were. */
#include "base_internal.h"
#include "crew.h"

#include <fenv.h>

#if defined(__x86_64__)
#include <xmmintrin.h>

/* rounding control, flush to zero, subnormals are zeros; the flags, and 7 bits above each
 * its mask: what is set does not trap */
enum { ROUNDING = 0x6000, FLUSH = 0x8000, ZEROS = 0x0040, FLAGS = 0x003f };
enum { CHANGES = ROUNDING | FLUSH | ZEROS, MASKS = 0x1f80 };
enum { X87_ROUNDING = 0x0c00, X87_MASKS = 0x003f };

static uint64_t mode_now(void) {
    uint16_t x87;
    __asm__ volatile("fnstcw %0" : "=m"(x87));
    return _mm_getcsr() | (uint64_t)x87 << 32;
}

static bool is_ours(uint64_t mode) {
    return ((uint32_t)mode & (CHANGES | MASKS)) == MASKS &&
           (mode >> 32 & (X87_ROUNDING | X87_MASKS)) == X87_MASKS;
}

static void set_ours(uint64_t mode) {
    const uint16_t x87 = (uint16_t)((mode >> 32 & ~(uint64_t)X87_ROUNDING) | X87_MASKS);
    _mm_setcsr(((uint32_t)mode & ~(uint32_t)CHANGES) | MASKS);
    __asm__ volatile("fldcw %0" : : "m"(x87));
}

static void set_back(uint64_t mode) {
    const uint16_t x87 = (uint16_t)(mode >> 32);
    const uint32_t masked = (uint32_t)mode >> 7 & FLAGS;
    _mm_setcsr((uint32_t)mode | (_mm_getcsr() & masked));
    /* a flag that is raised would trap at the next instruction */
    if ((x87 & X87_MASKS) != X87_MASKS) __asm__ volatile("fnclex");
    __asm__ volatile("fldcw %0" : : "m"(x87));
}

#elif defined(__aarch64__)

/* RMode, FZ, FZ16; IDE, IXE, UFE, OFE, DZE, IOE. Flags are elsewhere (FPSR) and trap only
 * when they are raised. */
#define CHANGES                                                                          \
    (UINT64_C(3) << 22 | UINT64_C(1) << 24 | UINT64_C(1) << 19 | UINT64_C(0x9f) << 8)

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
    return (uint64_t)fegetround() | (uint64_t)fegetexcept() << 32;
}

static bool is_ours(uint64_t mode) {
    return mode == FE_TONEAREST;
}

static void set_back(uint64_t mode) {
    fesetround((int)(uint32_t)mode);
    feclearexcept((int)(mode >> 32));
    feenableexcept((int)(mode >> 32));
}

static void set_ours(uint64_t mode) {
    (void)mode;
    fedisableexcept(FE_ALL_EXCEPT);
    fesetround(FE_TONEAREST);
}

#endif

pvgi_border pvgi_border_enter(void) {
    const uint64_t mode = mode_now();
    const bool changed = !is_ours(mode);
    if (changed) set_ours(mode);
    pvgi_crew_enter();
    return (pvgi_border){mode, changed};
}

void pvgi_border_leave(const pvgi_border *host) {
    pvgi_crew_leave();
    if (host->changed) set_back(host->mode);
}
