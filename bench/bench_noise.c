/* noise: ns per value next to the ChaCha20 keystream it consumes, measured in the same
 * run, and next to the usual insecure way (Box-Muller or inverse CDF in doubles over the
 * same words). */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "bench.h"
#include "rng/rng_internal.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    pvg_rng *rng;
    int64_t *out, count, scale;
    int32_t (*draw)(int64_t *, int64_t, int64_t, pvg_rng *);
    uint64_t threshold;
    uint8_t *bytes;
    size_t byte_count;
} work;

static int32_t laplace_ratio(int64_t *out, int64_t count, int64_t scale, pvg_rng *rng) {
    return pvg_rng_draw_discrete_laplace(out, count, scale, 1, rng);
}

static int32_t geometric_ratio(int64_t *out, int64_t count, int64_t scale, pvg_rng *rng) {
    return pvg_rng_draw_geometric(out, count, scale, 1, rng);
}

static void run_draw(void *context) {
    work *w = context;
    bench_ok(w->draw(w->out, w->count, w->scale, w->rng));
}

static void run_flips(void *context) {
    work *w = context;
    bench_ok(pvg_rng_draw_flips((uint64_t *)w->out, w->count * 64, w->threshold, w->rng));
}

/* The keystream in the pieces the samplers ask for. */
static void run_chacha(void *context) {
    work *w = context;
    const uint8_t nonce[PVGI_NONCE_BYTES] = {0};
    const uint8_t key[PVGI_KEY_BYTES] = {1};
    enum { PIECE = 6144 };
    for (size_t at = 0; at < w->byte_count; at += PIECE)
        pvgi_rng_chacha(w->bytes, w->byte_count - at < PIECE ? w->byte_count - at : PIECE,
                        nonce, key);
}

/* What no call that starts from a fresh key can save. */
static void run_key_and_chacha(void *context) {
    uint8_t key[PVGI_KEY_BYTES];
    bench_ok(pvgi_rng_entropy_key(key));
    run_chacha(context);
}

/* What a program without this library would write; not private. */
static void run_box_muller(void *context) {
    work *w = context;
    pvgi_stream stream;
    bench_ok(pvgi_rng_stream_open(&stream, w->rng));
    for (int64_t i = 0; i + 1 < w->count; i += 2) {
        const double u = 1 - pvgi_rng_draw_unit(&stream), v = pvgi_rng_draw_unit(&stream);
        const double r = sqrt(-2 * log(u)) * (double)w->scale, a = 6.283185307179586 * v;
        w->out[i] = llrint(r * cos(a));
        w->out[i + 1] = llrint(r * sin(a));
    }
    pvgi_rng_stream_close(&stream);
}

static void run_log_uniform(void *context) {
    work *w = context;
    pvgi_stream stream;
    bench_ok(pvgi_rng_stream_open(&stream, w->rng));
    for (int64_t i = 0; i < w->count; i++) {
        const double u = pvgi_rng_draw_unit(&stream) - 0.5;
        w->out[i] = llrint(copysign(-log(1 - 2 * fabs(u)), u) * (double)w->scale);
    }
    pvgi_rng_stream_close(&stream);
}

static void run_one_coin_per_word(void *context) {
    work *w = context;
    pvgi_stream stream;
    bench_ok(pvgi_rng_stream_open(&stream, w->rng));
    for (int64_t i = 0; i < w->count; i++) {
        uint64_t word = 0;
        for (int bit = 0; bit < 64; bit++)
            word |= (uint64_t)(pvgi_rng_stream_word(&stream) < w->threshold) << bit;
        w->out[i] = (int64_t)word;
    }
    pvgi_rng_stream_close(&stream);
}

typedef struct {
    const char *name;
    int32_t (*draw)(int64_t *, int64_t, int64_t, pvg_rng *);
    double words; /* 64-bit words per value: 3 per proposal / acceptance */
    void (*reference)(void *);
    const char *reference_name;
} noise_case;

static const noise_case noise_cases[] = {
    {"noise.rounded_gaussian", pvg_rng_draw_rounded_gaussian, 3 / 0.7153, run_box_muller,
     "insecure Box-Muller"},
    {"noise.rounded_laplace", pvg_rng_draw_rounded_laplace, 3 / 0.6321, run_log_uniform,
     "insecure -log(u)"},
    {"noise.discrete_gaussian", pvg_rng_draw_discrete_gaussian, 3 / 0.7153, NULL, NULL},
    {"noise.discrete_laplace", laplace_ratio, 3 / 0.6321, NULL, NULL},
    {"noise.geometric", geometric_ratio, 3 / 0.6321, NULL, NULL},
};

static void time_case(const noise_case *c, work *w) {
    bench_case result = {.name = c->name,
                         .items = (double)w->count,
                         .item = "sample",
                         .roofline = "ChaCha20 of the bytes consumed",
                         .reference = c->reference_name};
    w->draw = c->draw;
    w->byte_count = (size_t)((double)w->count * c->words * 8);
    result.seconds = bench_time(run_draw, w);
    result.roofline_seconds = bench_time(run_chacha, w);
    if (c->reference) result.reference_seconds = bench_time(c->reference, w);
    run_draw(w);
    result.checksum = bench_checksum(w->out, (size_t)w->count * sizeof *w->out);
    bench_report(&result);
}

static void time_flips(work *w) {
    w->count /= 16;
    bench_ok(pvg_rng_flip_threshold(&w->threshold, 1.0));
    w->byte_count = (size_t)((double)w->count * 7.33 * 8);
    bench_case result = {.name = "noise.flips",
                         .seconds = bench_time(run_flips, w),
                         .items = (double)w->count * 64,
                         .item = "bit",
                         .roofline = "ChaCha20 of the bytes consumed",
                         .roofline_seconds = bench_time(run_chacha, w),
                         .reference = "one comparison per bit",
                         .reference_seconds = bench_time(run_one_coin_per_word, w)};
    run_flips(w);
    result.checksum = bench_checksum(w->out, (size_t)w->count * sizeof *w->out);
    bench_report(&result);
}

/* The cost of a small secure call: what one graph of a set pays. */
static void time_small_call(work *w) {
    pvg_rng *seeded = w->rng;
    bench_ok(pvg_rng_new_secure(&w->rng));
    w->draw = pvg_rng_draw_rounded_gaussian;
    w->count = 50;
    w->byte_count = 1952; /* 80 proposals and the next key */
    double seconds[2];
    bench_times(seconds, (bench_body[]){{run_draw, w}, {run_key_and_chacha, w}}, 2);
    const bench_case result = {
        .name = "noise.secure_call_of_50",
        .seconds = seconds[0],
        .items = 50,
        .item = "sample",
        .roofline = "the key and ChaCha20 of the bytes consumed",
        .roofline_seconds = seconds[1],
        .note = "a fresh key from the operating system each call; goal 30 ns"};
    bench_report(&result);
    pvg_rng_free(w->rng);
    w->rng = seeded;
}

void bench_noise(void) {
    const int64_t count = bench_quick() ? 200000 : 1000000;
    work w = {.count = count, .scale = (int64_t)1 << 20};
    bench_ok(pvg_rng_new_seeded(&w.rng, 1));
    w.out = malloc((size_t)count * sizeof *w.out);
    w.bytes = malloc(65536);
    if (!w.out || !w.bytes) bench_ok(PVG_E_NOMEM);
    for (size_t i = 0; i < sizeof noise_cases / sizeof noise_cases[0]; i++)
        time_case(&noise_cases[i], &w);
    time_flips(&w);
    time_small_call(&w);
    free(w.out);
    free(w.bytes);
    pvg_rng_free(w.rng);
}
