/* ChaCha20 (RFC 8439; Bernstein 2008), the key stream from block 0 on, eight blocks at a
 * time: row i of the state of all eight is one vector. The same bits on every machine.
 *
 * libsodium's own has fast code too, but only after sodium_init(), which draws from
 * libsodium's generator and aborts the process if the system has no entropy just then.
 * Bits are compared with libsodium's by test/unit. About 2 bytes per nanosecond with
 * AVX2, half of that with SSE2. */
#include "rng_internal.h"

#include <sodium.h>
#include <string.h>

enum {
    LANES = 8,
    WORDS = 16,
    BLOCK = 64,
    USED = 4096 /* bytes of stack in which eight blocks leave the stream, at most */
};
typedef uint32_t lanes __attribute__((vector_size(4 * LANES)));

#define INLINE static inline __attribute__((always_inline))

INLINE lanes turn(lanes x, int by) {
    return x << by | x >> (32 - by);
}

INLINE void quarter(lanes *a, lanes *b, lanes *c, lanes *d) {
    *a += *b, *d = turn(*d ^ *a, 16);
    *c += *d, *b = turn(*b ^ *c, 12);
    *a += *b, *d = turn(*d ^ *a, 8);
    *c += *d, *b = turn(*b ^ *c, 7);
}

/* Blocks state[12], ..., state[12] + 7. */
INLINE void eight_blocks(uint8_t *out, const uint32_t *state) {
    const lanes numbers = {0, 1, 2, 3, 4, 5, 6, 7};
    lanes x[WORDS];
    uint32_t words[WORDS][LANES];
    for (int i = 0; i < WORDS; i++) x[i] = (lanes){0} + state[i];
    x[12] += numbers;
    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < 4; i++) quarter(&x[i], &x[4 + i], &x[8 + i], &x[12 + i]);
        quarter(&x[0], &x[5], &x[10], &x[15]);
        quarter(&x[1], &x[6], &x[11], &x[12]);
        quarter(&x[2], &x[7], &x[8], &x[13]);
        quarter(&x[3], &x[4], &x[9], &x[14]);
    }
    for (int i = 0; i < WORDS; i++) {
        x[i] += state[i];
        if (i == 12) x[i] += numbers;
        memcpy(words[i], &x[i], sizeof x[i]);
    }
    for (int block = 0; block < LANES; block++)
        for (int i = 0; i < WORDS; i++) {
            uint32_t word = words[i][block];
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
            word = __builtin_bswap32(word);
#endif
            memcpy(out + block * BLOCK + 4 * i, &word, 4);
        }
}

static void eight_portable(uint8_t *out, const uint32_t *state) {
    eight_blocks(out, state);
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2"))) static void eight_avx2(uint8_t *out,
                                                       const uint32_t *state) {
    eight_blocks(out, state);
}
#endif

static uint32_t load(const uint8_t *bytes) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

void pvgi_rng_chacha_on(uint8_t *out, size_t bytes, const uint8_t nonce[PVGI_NONCE_BYTES],
                        const uint8_t key[PVGI_KEY_BYTES], pvgi_cpu level) {
    void (*eight)(uint8_t *, const uint32_t *) = eight_portable;
    uint32_t state[WORDS] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
    uint8_t last[LANES * BLOCK];
#if defined(__x86_64__) && defined(__GNUC__)
    if (level >= PVGI_CPU_AVX2) eight = eight_avx2;
#else
    (void)level;
#endif
    for (int i = 0; i < 8; i++) state[4 + i] = load(key + 4 * i);
    for (int i = 0; i < 3; i++) state[13 + i] = load(nonce + 4 * i);
    for (; bytes >= sizeof last; bytes -= sizeof last, out += sizeof last) {
        eight(out, state);
        state[12] += LANES;
    }
    if (bytes > 0) {
        eight(last, state);
        memcpy(out, last, bytes);
        pvgi_wipe(last, sizeof last);
    }
    pvgi_wipe(state, sizeof state);
    sodium_stackzero(USED);
}

void pvgi_rng_chacha(uint8_t *out, size_t bytes, const uint8_t nonce[PVGI_NONCE_BYTES],
                     const uint8_t key[PVGI_KEY_BYTES]) {
    pvgi_rng_chacha_on(out, bytes, nonce, key, pvgi_cpu_level());
}
