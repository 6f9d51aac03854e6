/* ChaCha20 (RFC 8439; Bernstein 2008), the key stream from block 0 on, eight blocks at a
 * time: row i of the state of all eight is one vector. The same bits on every machine.
 *
 * libsodium's own has fast code too, but only after sodium_init(), which draws from
 * libsodium's generator and aborts the process if the system has no entropy just then.
 * Bits are compared with libsodium's by test/unit. About 2.5 bytes per nanosecond
 * with AVX2, 1 with SSE2. */
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

typedef uint8_t bytes_of_lanes __attribute__((vector_size(4 * LANES)));

#define INLINE            static inline __attribute__((always_inline))
#define CHOOSE(x, y, ...) __builtin_shufflevector(x, y, __VA_ARGS__)

/* Whether vectors of eight words are one register, whose bytes one instruction moves. */
typedef enum { PORTABLE, AVX2 } means;

INLINE lanes turn(lanes x, int by) {
    return x << by | x >> (32 - by);
}

INLINE lanes turn_16(lanes x, means with) {
    if (with == PORTABLE) return turn(x, 16);
    const bytes_of_lanes b = (bytes_of_lanes)x;
    return (lanes)CHOOSE(b, b, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13, 18,
                         19, 16, 17, 22, 23, 20, 21, 26, 27, 24, 25, 30, 31, 28, 29);
}

INLINE lanes turn_8(lanes x, means with) {
    if (with == PORTABLE) return turn(x, 8);
    const bytes_of_lanes b = (bytes_of_lanes)x;
    return (lanes)CHOOSE(b, b, 3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14, 19,
                         16, 17, 18, 23, 20, 21, 22, 27, 24, 25, 26, 31, 28, 29, 30);
}

/* Two quarter rounds side by side: more would not stay in sixteen registers. */
INLINE void quarters(lanes *x, means with, int a, int b, int c, int d, int e, int f,
                     int g, int h) {
    x[a] += x[b], x[e] += x[f];
    x[d] = turn_16(x[d] ^ x[a], with), x[h] = turn_16(x[h] ^ x[e], with);
    x[c] += x[d], x[g] += x[h];
    x[b] = turn(x[b] ^ x[c], 12), x[f] = turn(x[f] ^ x[g], 12);
    x[a] += x[b], x[e] += x[f];
    x[d] = turn_8(x[d] ^ x[a], with), x[h] = turn_8(x[h] ^ x[e], with);
    x[c] += x[d], x[g] += x[h];
    x[b] = turn(x[b] ^ x[c], 7), x[f] = turn(x[f] ^ x[g], 7);
}

/* Eight rows become words 0..7 (or, 32 bytes on, 8..15) of eight blocks. */
INLINE void store_by_vector(uint8_t *out, const lanes *x) {
    lanes pair[LANES], four[LANES];
    for (int i = 0; i < LANES; i += 2) {
        pair[i] = CHOOSE(x[i], x[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        pair[i + 1] = CHOOSE(x[i], x[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    for (int i = 0; i < LANES; i += 4)
        for (int j = 0; j < 2; j++) {
            const lanes a = pair[i + j], b = pair[i + j + 2];
            four[i + 2 * j] = CHOOSE(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
            four[i + 2 * j + 1] = CHOOSE(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
        }
    for (int j = 0; j < 4; j++) {
        const lanes low = CHOOSE(four[j], four[j + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        const lanes high = CHOOSE(four[j], four[j + 4], 4, 5, 6, 7, 12, 13, 14, 15);
        memcpy(out + j * BLOCK, &low, sizeof low);
        memcpy(out + (j + 4) * BLOCK, &high, sizeof high);
    }
}

INLINE void store_by_word(uint8_t *out, const lanes *x) {
    for (int block = 0; block < LANES; block++)
        for (int i = 0; i < LANES; i++) {
            uint32_t word = x[i][block];
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
            word = __builtin_bswap32(word);
#endif
            memcpy(out + block * BLOCK + 4 * i, &word, 4);
        }
}

/* One word of the state in all lanes, and in lane i of word 12 the number of block i. */
typedef struct {
    lanes word[WORDS];
} eight_states;

INLINE void eight_blocks(uint8_t *out, const eight_states *first, means with) {
    lanes x[WORDS];
    memcpy(x, first->word, sizeof x);
    for (int round = 0; round < 10; round++) {
        quarters(x, with, 0, 4, 8, 12, 1, 5, 9, 13);
        quarters(x, with, 2, 6, 10, 14, 3, 7, 11, 15);
        quarters(x, with, 0, 5, 10, 15, 1, 6, 11, 12);
        quarters(x, with, 2, 7, 8, 13, 3, 4, 9, 14);
    }
    for (int i = 0; i < WORDS; i++) x[i] += first->word[i];
    for (int half = 0; half < 2; half++)
        if (with == AVX2)
            store_by_vector(out + half * BLOCK / 2, x + half * LANES);
        else
            store_by_word(out + half * BLOCK / 2, x + half * LANES);
}

static void eight_portable(uint8_t *out, const eight_states *first) {
    eight_blocks(out, first, PORTABLE);
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2"))) static void eight_avx2(uint8_t *out,
                                                       const eight_states *first) {
    eight_blocks(out, first, AVX2);
}
#endif

static uint32_t load(const uint8_t *bytes) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

void pvgi_rng_chacha_on(uint8_t *out, size_t bytes, const uint8_t nonce[PVGI_NONCE_BYTES],
                        const uint8_t key[PVGI_KEY_BYTES], pvgi_cpu level) {
    static const uint32_t constant[4] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
    const lanes numbers = {0, 1, 2, 3, 4, 5, 6, 7};
    void (*eight)(uint8_t *, const eight_states *) = eight_portable;
    eight_states state;
    uint8_t last[LANES * BLOCK];
#if defined(__x86_64__) && defined(__GNUC__)
    if (level >= PVGI_CPU_AVX2) eight = eight_avx2;
#else
    (void)level;
#endif
    for (int i = 0; i < 4; i++) state.word[i] = (lanes){0} + constant[i];
    for (int i = 0; i < 8; i++) state.word[4 + i] = (lanes){0} + load(key + 4 * i);
    state.word[12] = numbers;
    for (int i = 0; i < 3; i++) state.word[13 + i] = (lanes){0} + load(nonce + 4 * i);
    for (; bytes >= sizeof last; bytes -= sizeof last, out += sizeof last) {
        eight(out, &state);
        state.word[12] += LANES;
    }
    if (bytes > 0) {
        eight(last, &state);
        memcpy(out, last, bytes);
        pvgi_wipe(last, sizeof last);
    }
    pvgi_wipe(&state, sizeof state);
    sodium_stackzero(USED);
}

void pvgi_rng_chacha(uint8_t *out, size_t bytes, const uint8_t nonce[PVGI_NONCE_BYTES],
                     const uint8_t key[PVGI_KEY_BYTES]) {
    pvgi_rng_chacha_on(out, bytes, nonce, key, pvgi_cpu_level());
}
