/* base, inside: a permutation of 64-bit words that looks random (the finaliser of
 * splitmix64), for hashes and for seeds that are not secret. Never for noise. */
#ifndef PVGI_MIX_H
#define PVGI_MIX_H

#include <stdint.h>

#define PVGI_MIX_STEP UINT64_C(0x9e3779b97f4a7c15) /* of the sequence that is mixed */

static inline uint64_t pvgi_mix(uint64_t x) {
    x ^= x >> 30;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    x ^= x >> 27;
    x *= UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* The way back: pvgi_unmix(pvgi_mix(x)) == x. */
static inline uint64_t pvgi_unmix(uint64_t x) {
    x ^= x >> 31 ^ x >> 62;
    x *= UINT64_C(0x319642b2d24d8ec3);
    x ^= x >> 27 ^ x >> 54;
    x *= UINT64_C(0x96de1b173f119089);
    return x ^ x >> 30 ^ x >> 60;
}

#endif
