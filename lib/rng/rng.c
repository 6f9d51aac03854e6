/* Entry file of rng: every exported function of privgraph/rng.h. */
#include "rng_internal.h"

#include <math.h>
#include <string.h>

static int32_t new_rng(pvg_rng **out, const char *function) {
    if (!out) return pvgi_fail_null(function, "out");
    *out = pvgi_alloc_zero(1, sizeof **out);
    return *out ? PVG_OK : pvgi_fail_nomem();
}

int32_t pvg_rng_new_secure(pvg_rng **out) {
    PVGI_TRY(new_rng(out, "pvg_rng_new_secure"));
    uint8_t probe[PVGI_KEY_BYTES];
    const int32_t status = pvgi_rng_entropy_key(probe);
    pvgi_wipe(probe, sizeof probe);
    if (status != PVG_OK) {
        pvgi_free(*out);
        *out = NULL;
        return status;
    }
    (*out)->secure = true;
    return PVG_OK;
}

int32_t pvg_rng_new_seeded(pvg_rng **out, uint64_t seed) {
    PVGI_TRY(new_rng(out, "pvg_rng_new_seeded"));
    pvgi_rng_seed_key((*out)->key, seed);
    return PVG_OK;
}

int32_t pvg_rng_split(pvg_rng **out, const pvg_rng *rng, uint64_t stream) {
    if (out) *out = NULL;
    if (!rng) return pvgi_fail_null("pvg_rng_split", "rng");
    if (rng->secure) return pvg_rng_new_secure(out);
    PVGI_TRY(new_rng(out, "pvg_rng_split"));
    pvgi_rng_key_derive((*out)->key, rng->key, PVGI_DOMAIN_SPLIT, stream);
    return PVG_OK;
}

int32_t pvg_rng_is_secure(const pvg_rng *rng) {
    return rng != NULL && rng->secure;
}

void pvg_rng_free(pvg_rng *rng) {
    pvgi_free(rng);
}

/* What every draw checks first; opens the stream if there is something to draw. */
static int32_t begin(pvgi_stream *stream, const char *function, const void *out,
                     int64_t count, pvg_rng *rng) {
    PVGI_REQUIRE(count >= 0, "%s: count is negative", function);
    if (!out && count > 0) return pvgi_fail_null(function, "out");
    if (!rng) return pvgi_fail_null(function, "rng");
    return pvgi_rng_stream_open(stream, rng);
}

int32_t pvg_rng_draw_bytes(uint8_t *out, int64_t count, pvg_rng *rng) {
    pvgi_stream stream;
    PVGI_TRY(begin(&stream, "pvg_rng_draw_bytes", out, count, rng));
    pvgi_rng_stream_bytes(&stream, out, (size_t)count);
    pvgi_rng_stream_close(&stream);
    return PVG_OK;
}

int32_t pvg_rng_draw_below(uint64_t *out, int64_t count, uint64_t bound, pvg_rng *rng) {
    pvgi_stream stream;
    PVGI_REQUIRE(bound >= 1, "pvg_rng_draw_below: bound is 0");
    PVGI_TRY(begin(&stream, "pvg_rng_draw_below", out, count, rng));
    for (int64_t i = 0; i < count; i++) out[i] = pvgi_rng_draw_below(&stream, bound);
    pvgi_rng_stream_close(&stream);
    return PVG_OK;
}

int32_t pvg_rng_draw_bernoulli(uint8_t *out, int64_t count, uint64_t numerator,
                               uint64_t denominator, pvg_rng *rng) {
    pvgi_stream stream;
    PVGI_REQUIRE(denominator >= 1, "pvg_rng_draw_bernoulli: denominator is 0");
    PVGI_REQUIRE(numerator <= denominator,
                 "pvg_rng_draw_bernoulli: numerator exceeds denominator");
    PVGI_TRY(begin(&stream, "pvg_rng_draw_bernoulli", out, count, rng));
    for (int64_t i = 0; i < count; i++)
        out[i] = pvgi_rng_draw_bernoulli(&stream, numerator, denominator);
    pvgi_rng_stream_close(&stream);
    return PVG_OK;
}

int32_t pvg_rng_draw_bernoulli_exp(uint8_t *out, int64_t count, uint64_t numerator,
                                   uint64_t denominator, pvg_rng *rng) {
    pvgi_stream stream;
    PVGI_REQUIRE(denominator >= 1, "pvg_rng_draw_bernoulli_exp: denominator is 0");
    PVGI_TRY(begin(&stream, "pvg_rng_draw_bernoulli_exp", out, count, rng));
    for (int64_t i = 0; i < count; i++)
        out[i] = pvgi_rng_draw_bernoulli_exp(&stream, numerator, denominator);
    pvgi_rng_stream_close(&stream);
    return PVG_OK;
}

static int32_t check_scale(const char *function, const char *argument, int64_t value) {
    PVGI_REQUIRE(value >= 1 && value <= (int64_t)1 << PVG_RNG_SCALE_BITS,
                 "%s: %s is not in [1, 2^%d]", function, argument, PVG_RNG_SCALE_BITS);
    return PVG_OK;
}

static int32_t draw_noise(const char *function, int64_t *out, int64_t count,
                          pvgi_noise_law law, int64_t numerator, int64_t denominator,
                          pvg_rng *rng) {
    pvgi_stream stream;
    PVGI_TRY(begin(&stream, function, out, count, rng));
    pvgi_rng_draw_noise(out, count, law, numerator, denominator, &stream);
    pvgi_rng_stream_close(&stream);
    return PVG_OK;
}

static int32_t draw_ratio_noise(const char *function, int64_t *out, int64_t count,
                                pvgi_noise_law law, int64_t numerator,
                                int64_t denominator, pvg_rng *rng) {
    PVGI_TRY(check_scale(function, "scale_numerator", numerator));
    PVGI_TRY(check_scale(function, "scale_denominator", denominator));
    return draw_noise(function, out, count, law, numerator, denominator, rng);
}

int32_t pvg_rng_draw_geometric(int64_t *out, int64_t count, int64_t scale_numerator,
                               int64_t scale_denominator, pvg_rng *rng) {
    return draw_ratio_noise("pvg_rng_draw_geometric", out, count, PVGI_NOISE_GEOMETRIC,
                            scale_numerator, scale_denominator, rng);
}

int32_t pvg_rng_draw_discrete_laplace(int64_t *out, int64_t count,
                                      int64_t scale_numerator, int64_t scale_denominator,
                                      pvg_rng *rng) {
    return draw_ratio_noise("pvg_rng_draw_discrete_laplace", out, count,
                            PVGI_NOISE_DISCRETE_LAPLACE, scale_numerator,
                            scale_denominator, rng);
}

int32_t pvg_rng_draw_discrete_gaussian(int64_t *out, int64_t count, int64_t sigma,
                                       pvg_rng *rng) {
    const char *name = "pvg_rng_draw_discrete_gaussian";
    PVGI_TRY(check_scale(name, "sigma", sigma));
    return draw_noise(name, out, count, PVGI_NOISE_DISCRETE_GAUSSIAN, sigma, 1, rng);
}

int32_t pvg_rng_draw_rounded_gaussian(int64_t *out, int64_t count, int64_t sigma,
                                      pvg_rng *rng) {
    const char *name = "pvg_rng_draw_rounded_gaussian";
    PVGI_TRY(check_scale(name, "sigma", sigma));
    return draw_noise(name, out, count, PVGI_NOISE_ROUNDED_GAUSSIAN, sigma, 1, rng);
}

int32_t pvg_rng_draw_rounded_laplace(int64_t *out, int64_t count, int64_t scale,
                                     pvg_rng *rng) {
    const char *name = "pvg_rng_draw_rounded_laplace";
    PVGI_TRY(check_scale(name, "scale", scale));
    return draw_noise(name, out, count, PVGI_NOISE_ROUNDED_LAPLACE, scale, 1, rng);
}

int32_t pvg_rng_draw_flips(uint64_t *out, int64_t count, uint64_t threshold,
                           pvg_rng *rng) {
    pvgi_stream stream;
    PVGI_TRY(begin(&stream, "pvg_rng_draw_flips", out, count, rng));
    if (count > 0) pvgi_rng_draw_flips(out, count, threshold, &stream);
    pvgi_rng_stream_close(&stream);
    return PVG_OK;
}

int32_t pvg_rng_flip_threshold(uint64_t *out, double epsilon) {
    if (!out) return pvgi_fail_null("pvg_rng_flip_threshold", "out");
    PVGI_REQUIRE(isfinite(epsilon) && epsilon > 0.0,
                 "pvg_rng_flip_threshold: epsilon is not a positive finite number");
    *out = pvgi_rng_flip_threshold(epsilon);
    return PVG_OK;
}
