/* Bounded uniform numbers and coins, exact, integers only.
 *
 * below(n): Lemire's multiply-and-reject. Bernoulli(exp(-a/b)), a <= b: the series
 * exp(-g) = sum (-g)^k/k! read as a game (von Neumann; Canonne, Kamath, Steinke 2020),
 * with Bernoulli(g/k) split into Bernoulli(a/b) and Bernoulli(1/k) so that no product b*k
 * is formed. Flips: 64 coins at a time, comparing 64 random numbers with the threshold
 * bit by bit from the top; a lane leaves at its first differing bit, 7.3 words for 64
 * coins on average. */
#include "rng_internal.h"

uint64_t pvgi_rng_draw_below(pvgi_stream *stream, uint64_t bound) {
    unsigned __int128 product = (unsigned __int128)pvgi_rng_stream_word(stream) * bound;
    if ((uint64_t)product < bound) {
        const uint64_t reject_below = (0 - bound) % bound;
        while ((uint64_t)product < reject_below)
            product = (unsigned __int128)pvgi_rng_stream_word(stream) * bound;
    }
    return (uint64_t)(product >> 64);
}

bool pvgi_rng_draw_bernoulli(pvgi_stream *stream, uint64_t numerator,
                             uint64_t denominator) {
    return pvgi_rng_draw_below(stream, denominator) < numerator;
}

/* numerator <= denominator */
static bool bernoulli_exp_unit(pvgi_stream *stream, uint64_t numerator,
                               uint64_t denominator) {
    uint64_t k = 1;
    while (pvgi_rng_draw_bernoulli(stream, numerator, denominator)) {
        k++;
        if (pvgi_rng_draw_below(stream, k) != 0) break;
    }
    return k % 2 == 1;
}

bool pvgi_rng_draw_bernoulli_exp(pvgi_stream *stream, uint64_t numerator,
                                 uint64_t denominator) {
    for (uint64_t whole = numerator / denominator; whole > 0; whole--)
        if (!bernoulli_exp_unit(stream, 1, 1)) return false;
    return bernoulli_exp_unit(stream, numerator % denominator, denominator);
}

int64_t pvgi_rng_draw_index(pvgi_stream *stream, const uint64_t *ends, int64_t count) {
    const uint64_t word = pvgi_rng_stream_word(stream);
    int64_t low = 0, high = count - 1;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (ends[middle] > word)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

double pvgi_rng_draw_unit(pvgi_stream *stream) {
    return (double)(pvgi_rng_stream_word(stream) >> 11) * 0x1p-53;
}

/* Random words held ready while flipping; one output word uses at most 64 of them. */
enum { POOL = 508, WORST = 64 };

typedef struct {
    uint8_t next_key[PVGI_KEY_BYTES];
    uint64_t words[POOL];
} pool;

/* 64 coins: bit by bit, a lane is decided when its random bit differs from the
 * threshold's. wanted[i] is the threshold's i-th bit from the top, in all lanes. */
static uint64_t flip_lanes(const uint64_t **next, const uint64_t *wanted, int bits) {
    const uint64_t *word = *next;
    uint64_t undecided = ~(uint64_t)0, ones = 0;
    for (int bit = 0; bit < bits && undecided; bit++, word++) {
        ones |= undecided & wanted[bit] & ~*word;
        undecided &= ~(*word ^ wanted[bit]);
    }
    *next = word;
    return ones;
}

void pvgi_rng_draw_flips(uint64_t *out, int64_t count, uint64_t threshold,
                         pvgi_stream *stream) {
    const int64_t words = (count + 63) / 64;
    /* below the lowest set bit an undecided lane has U >= threshold: it is a zero */
    const int bits = threshold ? 64 - __builtin_ctzll(threshold) : 0;
    uint64_t wanted[64];
    for (int bit = 0; bit < bits; bit++) wanted[bit] = 0 - (threshold >> (63 - bit) & 1);
    pool ready;
    const int size = words < (POOL - WORST) / 8 ? (int)(words * 8) + WORST : POOL;
    const uint64_t *const end = ready.words + size, *next = end;
    for (int64_t i = 0; i < words; i++) {
        if (end - next < WORST) {
            pvgi_rng_stream_block(stream, &ready, (size_t)size);
            next = ready.words;
        }
        out[i] = flip_lanes(&next, wanted, bits);
    }
    if (count % 64) out[words - 1] &= ((uint64_t)1 << (count % 64)) - 1;
    pvgi_wipe(&ready, sizeof ready.next_key + (size_t)size * sizeof *ready.words);
}
