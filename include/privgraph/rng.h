/* rng: random generators and exact integer noise. Include <privgraph.h>.
 *
 * Every sampler decides with integer comparisons of random bits, so its law is the stated
 * one and not a floating-point neighbour of it (docs/privacy/randomness.md). Samplers
 * fill arrays: one call per array, not per value. A count of zero is allowed and draws
 * nothing. */
#ifndef PRIVGRAPH_RNG_H
#define PRIVGRAPH_RNG_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A source of random bits. The secure kind has no state: each call takes a fresh 256-bit
 * key of the operating system by libsodium, expands it with libsodium's ChaCha20 under
 * key erasure, and wipes it before returning. Nothing can be repeated by fork, by a
 * snapshot of the machine or by two threads sharing the handle. The seeded kind repeats,
 * for tests and for public objects; it is mutable, so one thread at a time. */
typedef struct pvg_rng pvg_rng;

/* New secure generator. PVG_E_ENTROPY if the operating system has no random bytes to
 * give. Since 0.1. */
PRIVGRAPH_API int32_t pvg_rng_new_secure(pvg_rng **out);

/* New reproducible generator: the same seed gives the same values on every machine. Noise
 * drawn from it protects nobody; a release made with it says so. Since 0.1. */
PRIVGRAPH_API int32_t pvg_rng_new_seeded(pvg_rng **out, uint64_t seed);

/* New generator for stream number `stream` of rng. Seeded: a function of rng's seed and
 * the number only, so streams can be made in any order and rng is not changed. Secure:
 * another secure generator. Since 0.1. */
PRIVGRAPH_API int32_t pvg_rng_split(pvg_rng **out, const pvg_rng *rng, uint64_t stream);

/* 1 if rng is secure, 0 if it is seeded (or NULL). Since 0.1. */
PRIVGRAPH_API PVG_BOOL int32_t pvg_rng_is_secure(const pvg_rng *rng);

/* Wipes and frees; NULL is fine. Since 0.1. */
PRIVGRAPH_API void pvg_rng_free(pvg_rng *rng);

/* All draws below: PVG_E_ENTROPY if a key cannot be had, and then out is untouched. */

/* count random bytes. Since 0.1. */
PRIVGRAPH_API int32_t pvg_rng_draw_bytes(PVG_LEN(count) uint8_t *out, int64_t count,
                                         pvg_rng *rng);

/* Uniform on {0, ..., bound-1}, bound >= 1. Since 0.1. */
PRIVGRAPH_API int32_t pvg_rng_draw_below(PVG_LEN(count) uint64_t *out, int64_t count,
                                         uint64_t bound, pvg_rng *rng);

/* 1 with probability numerator/denominator, else 0. numerator <= denominator,
 * denominator >= 1. Since 0.1. */
PRIVGRAPH_API int32_t pvg_rng_draw_bernoulli(PVG_LEN(count) uint8_t *out, int64_t count,
                                             uint64_t numerator, uint64_t denominator,
                                             pvg_rng *rng);

/* 1 with probability exp(-numerator/denominator), else 0; denominator >= 1. Since 0.1. */
PRIVGRAPH_API int32_t pvg_rng_draw_bernoulli_exp(PVG_LEN(count) uint8_t *out,
                                                 int64_t count, uint64_t numerator,
                                                 uint64_t denominator, pvg_rng *rng);

/* Scales are whole numbers of grid steps, or ratios of two of them, at most 2^48: no
 * value then comes near the ends of int64_t. */
enum { PVG_RNG_SCALE_BITS = 48 };

/* Geometric: P(X >= k) = exp(-k / scale) for k = 0, 1, 2, ...,
 * scale = scale_numerator / scale_denominator, both in [1, 2^48]. Since 0.1. */
PRIVGRAPH_API int32_t pvg_rng_draw_geometric(PVG_LEN(count) int64_t *out, int64_t count,
                                             int64_t scale_numerator,
                                             int64_t scale_denominator, pvg_rng *rng);

/* Discrete Laplace: P(X = k) proportional to exp(-|k| / scale), scale as above. Adding it
 * to an integer of sensitivity 1 is (1/scale)-DP. Since 0.1. */
PRIVGRAPH_API int32_t pvg_rng_draw_discrete_laplace(PVG_LEN(count) int64_t *out,
                                                    int64_t count,
                                                    int64_t scale_numerator,
                                                    int64_t scale_denominator,
                                                    pvg_rng *rng);

/* Discrete Gaussian: P(X = k) proportional to exp(-k^2 / (2 sigma^2)), sigma an integer
 * in [1, 2^48]. Account for it with zCDP; it does not satisfy the analytic Gaussian
 * formula. Since 0.1. */
PRIVGRAPH_API int32_t pvg_rng_draw_discrete_gaussian(PVG_LEN(count) int64_t *out,
                                                     int64_t count, int64_t sigma,
                                                     pvg_rng *rng);

/* Rounded Gaussian: the integer nearest to a real N(0, sigma^2), sigma an integer in
 * [1, 2^48]. Adding it to an integer is the same as rounding (integer + real Gaussian),
 * so every theorem about the real Gaussian mechanism holds as printed. Since 0.1. */
PRIVGRAPH_API int32_t pvg_rng_draw_rounded_gaussian(PVG_LEN(count) int64_t *out,
                                                    int64_t count, int64_t sigma,
                                                    pvg_rng *rng);

/* Rounded Laplace: the integer nearest to a real Laplace variable of the given scale, an
 * integer in [1, 2^48]. Since 0.1. */
PRIVGRAPH_API int32_t pvg_rng_draw_rounded_laplace(PVG_LEN(count) int64_t *out,
                                                   int64_t count, int64_t scale,
                                                   pvg_rng *rng);

/* count independent bits, each 1 with probability threshold / 2^64 exactly, packed 64 to
 * a word, lowest bit first; unused bits of the last word are zero. out has (count + 63) /
 * 64 words. threshold comes from pvg_rng_flip_threshold. Since 0.1. */
PRIVGRAPH_API int32_t pvg_rng_draw_flips(PVG_LEN((count + 63) / 64) uint64_t *out,
                                         int64_t count, uint64_t threshold, pvg_rng *rng);

/* Flip probability of eps-randomised response as a multiple of 2^-64:
 * ceil(2^64 / (1 + exp(epsilon))), never zero: rounding up is the private side.
 * epsilon > 0 and finite. Since 0.1. */
PRIVGRAPH_API int32_t pvg_rng_flip_threshold(uint64_t *out, double epsilon);

#ifdef __cplusplus
}
#endif

#endif
