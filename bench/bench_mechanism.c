/* mechanism: microseconds per conversion (the promise is 20 at most), and what applying a
 * mechanism costs per value beyond drawing its noise. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "bench.h"
#include "mechanism/mechanism_internal.h"

#include <stdlib.h>

enum { CALLS = 100, DIMENSION = 50, VECTORS = 200 };

typedef struct {
    pvg_curve *curve;
    pvg_curve_term term;
    double result[CALLS];
    pvg_mechanism *mechanism;
    pvg_rng *rng;
    double values[DIMENSION];
} work;

static void run_epsilon(void *context) {
    work *w = context;
    for (int i = 0; i < CALLS; i++)
        bench_ok(pvg_curve_epsilon(&w->result[i], w->curve, 1e-6 * (1 + i)));
}

static void run_delta(void *context) {
    work *w = context;
    for (int i = 0; i < CALLS; i++)
        bench_ok(pvg_curve_delta(&w->result[i], w->curve, 0.01 * (1 + i)));
}

static void run_solve(void *context) {
    work *w = context;
    for (int i = 0; i < CALLS; i++)
        bench_ok(pvg_curve_solve(&w->result[i], &w->term, 0.1 * (11 + i), 1e-6));
}

static void run_apply(void *context) {
    work *w = context;
    pvgi_stream stream;
    for (int i = 0; i < VECTORS; i++) {
        bench_ok(pvgi_rng_stream_open(&stream, w->rng));
        bench_ok(pvgi_mechanism_apply(w->values, w->mechanism, w->values, w->values, 0,
                                      &stream));
        pvgi_rng_stream_close(&stream);
    }
}

static void report(const char *name, void (*body)(void *), work *w, double items,
                   const char *item) {
    const bench_case result = {.name = name,
                               .seconds = bench_time(body, w),
                               .items = items,
                               .item = item,
                               .checksum = bench_checksum(w->result, sizeof w->result)};
    bench_report(&result);
}

static const struct {
    const char *epsilon, *delta, *solve;
    pvg_curve_term term;
} kinds[] = {
    {"accountant.gdp_epsilon",
     "accountant.gdp_delta",
     "accountant.gdp_solve",
     {.size = sizeof(pvg_curve_term), .kind = PVG_CURVE_GDP, .mu = 0.5}},
    {"accountant.zcdp_epsilon",
     "accountant.zcdp_delta",
     "accountant.zcdp_solve",
     {.size = sizeof(pvg_curve_term), .kind = PVG_CURVE_ZCDP, .rho = 0.1}},
    {"accountant.tcdp_epsilon",
     "accountant.tcdp_delta",
     "accountant.tcdp_solve",
     {.size = sizeof(pvg_curve_term), .kind = PVG_CURVE_TCDP, .rho = 0.1, .omega = 50}},
    {"accountant.smooth_epsilon",
     "accountant.smooth_delta",
     "accountant.smooth_solve",
     {.size = sizeof(pvg_curve_term),
      .kind = PVG_CURVE_SMOOTH,
      .rho = 0.01,
      .beta = 0.002,
      .dimension = 50}},
};

static void time_conversions(work *w) {
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        w->term = kinds[i].term;
        bench_ok(pvg_curve_new(&w->curve, &w->term));
        report(kinds[i].epsilon, run_epsilon, w, CALLS, "call");
        report(kinds[i].delta, run_delta, w, CALLS, "call");
        w->term.mu = w->term.rho = 0.0;
        report(kinds[i].solve, run_solve, w, CALLS, "call");
        pvg_curve_free(w->curve);
    }
}

/* Pure, Gaussian and smooth noise about the same object. */
static void time_mixture(work *w) {
    const pvg_curve_term pure = {
        .size = sizeof pure, .kind = PVG_CURVE_PURE, .epsilon = 0.1};
    const pvg_curve_term terms[] = {kinds[0].term, kinds[3].term};
    bench_ok(pvg_curve_new(&w->curve, &pure));
    for (int i = 0; i < 2; i++) {
        pvg_curve *one, *sum;
        bench_ok(pvg_curve_new(&one, &terms[i]));
        bench_ok(pvg_curve_compose(&sum, w->curve, one));
        pvg_curve_free(w->curve);
        pvg_curve_free(one);
        w->curve = sum;
    }
    report("accountant.mixed_epsilon", run_epsilon, w, CALLS, "call");
    pvg_curve_free(w->curve);
}

static void time_mechanism(work *w, int32_t noise, const char *name) {
    const pvg_target target = {.size = sizeof target,
                               .noise = noise,
                               .epsilon = 1,
                               .delta = noise == PVG_NOISE_LAPLACE ? 0 : 1e-6,
                               .beta = noise == PVG_NOISE_SMOOTH ? 1e-3 : 0};
    double sensitivities[DIMENSION];
    for (int i = 0; i < DIMENSION; i++) sensitivities[i] = 0.01 / (1 + i);
    bench_ok(pvg_mechanism_new(&w->mechanism, &target, sensitivities, NULL, NULL, NULL,
                               DIMENSION));
    report(name, run_apply, w, VECTORS * DIMENSION, "value");
    pvg_mechanism_free(w->mechanism);
}

void bench_mechanism(void) {
    work *w = calloc(1, sizeof *w);
    if (!w) bench_ok(PVG_E_NOMEM);
    time_conversions(w);
    time_mixture(w);
    bench_ok(pvg_rng_new_secure(&w->rng));
    time_mechanism(w, PVG_NOISE_GAUSSIAN, "mechanism.gaussian_apply_50");
    time_mechanism(w, PVG_NOISE_LAPLACE, "mechanism.laplace_apply_50");
    time_mechanism(w, PVG_NOISE_DISCRETE_GAUSSIAN, "mechanism.discrete_apply_50");
    time_mechanism(w, PVG_NOISE_SMOOTH, "mechanism.smooth_apply_50");
    pvg_rng_free(w->rng);
    free(w);
}
