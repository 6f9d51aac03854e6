/* rng, inside: streams of random words and the exact samplers over them. */
#ifndef PVGI_RNG_H
#define PVGI_RNG_H

#include "base/base_internal.h"
#include "privgraph/rng.h"

#include <stdbool.h>

/* --- libsodium (sodium.c) ------------------------------------------------------- */

enum { PVGI_KEY_BYTES = 32, PVGI_NONCE_BYTES = 12 };

/* Fills a key from the operating system; PVG_E_ENTROPY if it cannot. */
int32_t pvgi_rng_entropy_key(uint8_t key[PVGI_KEY_BYTES]);
/* Makes ChaCha20 fast where that can be done safely; entropy_key does so too. */
void pvgi_rng_start(void);
/* The first `bytes` of ChaCha20's key stream, at most 2^38. */
void pvgi_rng_chacha(uint8_t *out, size_t bytes, const uint8_t nonce[PVGI_NONCE_BYTES],
                     const uint8_t key[PVGI_KEY_BYTES]);

/* --- streams (stream.c) --------------------------------------------------------- */

enum { PVGI_STREAM_BYTES = 4096 };

/* The generator handle. Secure: no state. Seeded: a key and the number of calls so far.
 */
struct pvg_rng {
    PVGI_HANDLE;
    bool secure;
    uint8_t key[PVGI_KEY_BYTES];
    uint64_t calls;
};

/* One call's random bits; lives on the stack of the call, wiped when it closes. Tests
 * preload buffer to force rare branches. */
typedef struct {
    uint8_t key[PVGI_KEY_BYTES]; /* of the next refill; older keys are gone */
    uint32_t position, filled;   /* unread part of buffer */
    uint32_t refill;             /* bytes of the next refill: small calls stay cheap */
    uint8_t buffer[PVGI_STREAM_BYTES];
} pvgi_stream;

void pvgi_rng_seed_key(uint8_t key[PVGI_KEY_BYTES], uint64_t seed);
/* child = function of parent and number, different for each domain. */
enum { PVGI_DOMAIN_CALL = 1, PVGI_DOMAIN_SPLIT = 2, PVGI_DOMAIN_CHUNK = 3 };
void pvgi_rng_key_derive(uint8_t child[PVGI_KEY_BYTES],
                         const uint8_t parent[PVGI_KEY_BYTES], uint32_t domain,
                         uint64_t number);

/* Opens the stream of one call: a fresh key (secure) or the next one (seeded). */
PVGI_SHARED int32_t pvgi_rng_stream_open(pvgi_stream *stream, pvg_rng *rng);
/* Opens stream number `chunk` below a freshly opened, unread call stream, which is not
 * changed: parallel chunks draw the same values for every number of threads. */
PVGI_SHARED void pvgi_rng_stream_open_chunk(pvgi_stream *stream, const pvgi_stream *call,
                                            uint64_t chunk);
/* Wipes it. */
PVGI_SHARED void pvgi_rng_stream_close(pvgi_stream *stream);
/* The next 64 random bits; erased from the stream as they are read. */
PVGI_SHARED uint64_t pvgi_rng_stream_word(pvgi_stream *stream);
/* Random bytes of any number. */
void pvgi_rng_stream_bytes(pvgi_stream *stream, void *out, size_t bytes);
/* Bulk words, past the buffer: `scratch` is PVGI_KEY_BYTES bytes, for the next key and
 * given back wiped, followed by `words` 64-bit words to fill. */
void pvgi_rng_stream_block(pvgi_stream *stream, void *scratch, size_t words);

/* --- digests (digest.c) --------------------------------------------------------- */

enum { PVGI_DIGEST_BYTES = 32 };
typedef struct {
    _Alignas(64) uint8_t state[384];
} pvgi_digest;
PVGI_SHARED void pvgi_rng_digest_begin(pvgi_digest *digest);
PVGI_SHARED void pvgi_rng_digest_add(pvgi_digest *digest, const void *bytes,
                                     size_t count);
PVGI_SHARED void pvgi_rng_digest_end(uint8_t out[PVGI_DIGEST_BYTES], pvgi_digest *digest);

/* --- uniform numbers and coins (uniform.c) -------------------------------------- */

/* Uniform on {0..bound-1}; bound >= 1. */
PVGI_SHARED uint64_t pvgi_rng_draw_below(pvgi_stream *stream, uint64_t bound);
/* True with probability numerator / denominator. */
bool pvgi_rng_draw_bernoulli(pvgi_stream *stream, uint64_t numerator,
                             uint64_t denominator);
/* True with probability exp(-numerator / denominator). */
bool pvgi_rng_draw_bernoulli_exp(pvgi_stream *stream, uint64_t numerator,
                                 uint64_t denominator);
/* i in 0..count-1 with probability (ends[i] - ends[i - 1]) / 2^64, where ends ascend,
 * from 0, and the last one, not looked at, is 2^64. */
int64_t pvgi_rng_draw_index(pvgi_stream *stream, const uint64_t *ends, int64_t count);
/* A double uniform on multiples of 2^-53 in [0, 1): for public test data only. */
PVGI_SHARED double pvgi_rng_draw_unit(pvgi_stream *stream);
/* count bits, each 1 with probability threshold / 2^64. */
PVGI_SHARED void pvgi_rng_draw_flips(uint64_t *out, int64_t count, uint64_t threshold,
                                     pvgi_stream *stream);

/* --- chances of 128 bits, skips (skip.c) ---------------------------------------- */

/* True with probability high / 2^64 + low / 2^128. */
bool pvgi_rng_draw_chance(pvgi_stream *stream, uint64_t high, uint64_t low);
/* A chance of success, high / 2^64 + low / 2^128 <= 1/2, made ready to be skipped by. */
typedef struct {
    uint64_t high, low;
    double inverse, error; /* -1 / ln(1 - chance), 0 for a chance of 0; see skip.c */
} pvgi_skip;
pvgi_skip pvgi_rng_skip(uint64_t high, uint64_t low);
/* Failures before the next success, or limit < 2^63 if there are at least that many. */
uint64_t pvgi_rng_draw_skip(const pvgi_skip *skip, pvgi_stream *stream, uint64_t limit);

/* --- fixed point exp (fixed.c) -------------------------------------------------- */

/* Numbers in [0, 2^64): limb 0 is the integer part, limbs 1..4 the fraction. */
enum { PVGI_FIXED_LIMBS = 5 };
typedef struct {
    uint64_t limb[PVGI_FIXED_LIMBS];
} pvgi_fixed;
/* exp(-z) for z < 64, wrong by less than 2^-PVGI_FIXED_EXP_BITS. */
enum { PVGI_FIXED_EXP_BITS = 238 };
pvgi_fixed pvgi_rng_fixed_exp_neg(const pvgi_fixed *z);
/* Product, rounded down; sum. */
pvgi_fixed pvgi_rng_fixed_mul(const pvgi_fixed *a, const pvgi_fixed *b);
pvgi_fixed pvgi_rng_fixed_add(const pvgi_fixed *a, const pvgi_fixed *b);
/* a / divisor, rounded down. */
pvgi_fixed pvgi_rng_fixed_divide(const pvgi_fixed *a, uint64_t divisor);
/* -1, 0, 1 as a is below, within 2^-bits of, or above b. */
int pvgi_rng_fixed_compare(const pvgi_fixed *a, const pvgi_fixed *b, int bits);
/* ceil(2^64 / (1 + exp(epsilon))), epsilon > 0. */
uint64_t pvgi_rng_flip_threshold(double epsilon);
/* ceil(threshold exp(-epsilon)), epsilon > 0; at least 1, at most threshold >= 1. */
uint64_t pvgi_rng_scale_threshold(uint64_t threshold, double epsilon);

/* --- noise (noise.c) ------------------------------------------------------------ */

typedef enum {
    PVGI_NOISE_ROUNDED_GAUSSIAN,
    PVGI_NOISE_ROUNDED_LAPLACE,
    PVGI_NOISE_DISCRETE_GAUSSIAN,
    PVGI_NOISE_DISCRETE_LAPLACE,
    PVGI_NOISE_GEOMETRIC
} pvgi_noise_law;

/* count values of the law with scale numerator / denominator (denominator 1 except for
 * the last two laws), both in [1, 2^48]. */
PVGI_SHARED void pvgi_rng_draw_noise(int64_t *out, int64_t count, pvgi_noise_law law,
                                     int64_t numerator, int64_t denominator,
                                     pvgi_stream *stream);
/* The same with a scale of its own for each value. */
void pvgi_rng_draw_noise_each(int64_t *out, int64_t count, pvgi_noise_law law,
                              const int64_t *scales, pvgi_stream *stream);

#endif
