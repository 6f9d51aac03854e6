/* mechanism: values with a scale each have that scale, and a distinguishing game on two
 * neighbouring vectors: the real mechanisms pass at confidence 1 - 1e-9, the same with
 * half the noise or a forgotten coordinate are caught. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "mechanism/mechanism_internal.h"
#include "support.h"

#include <privgraph-learn.h>
#include <stdlib.h>

void setUp(void) {}
void tearDown(void) {}

/* --- one scale per value -------------------------------------------------------- */

enum { SCALES = 7 };
static const int64_t scales[SCALES] = {1, 2, 7, 1000, 3, (int64_t)1 << 40, 50};

/* Variance of the law in units of scale^2, by summation for small scales. */
static double variance(pvgi_noise_law law, int64_t scale) {
    const double s = (double)scale;
    if (scale > 1000) return law == PVGI_NOISE_DISCRETE_LAPLACE ? 2.0 : 1.0;
    double mass = 0.0, moment = 0.0;
    for (int64_t k = -60 * scale; k <= 60 * scale; k++) {
        const double x = (double)k, a = fabs(x);
        double p = exp(-x * x / (2 * s * s));
        if (law == PVGI_NOISE_DISCRETE_LAPLACE) p = exp(-a / s);
        if (law == PVGI_NOISE_ROUNDED_GAUSSIAN)
            p = k == 0 ? 2 * erf(0.5 / s / sqrt(2))
                       : erfc((a - 0.5) / s / sqrt(2)) - erfc((a + 0.5) / s / sqrt(2));
        mass += p;
        moment += p * x * x;
    }
    return moment / mass / (s * s);
}

/* Second moments within 6 standard errors, which is less than 2 % of the scale; and no
 * value depends on its neighbour. */
static void each_value_has_its_own_scale(void) {
    const pvgi_noise_law laws[] = {
        PVGI_NOISE_ROUNDED_GAUSSIAN, PVGI_NOISE_DISCRETE_GAUSSIAN,
        PVGI_NOISE_DISCRETE_LAPLACE, PVGI_NOISE_ROUNDED_LAPLACE};
    enum { VECTORS = 150000, LONG = 700 };
    pvg_rng *rng = NULL;
    pvgi_stream stream;
    PVGT_OK(pvg_rng_new_seeded(&rng, 77));
    PVGT_OK(pvgi_rng_stream_open(&stream, rng));
    for (int l = 0; l < 3; l++) {
        double square[SCALES] = {0}, fourth[SCALES] = {0}, product = 0.0;
        for (int i = 0; i < VECTORS; i++) {
            int64_t out[SCALES];
            double x[SCALES];
            pvgi_rng_draw_noise_each(out, SCALES, laws[l], scales, &stream);
            for (int k = 0; k < SCALES; k++) {
                x[k] = (double)out[k] / (double)scales[k];
                square[k] += x[k] * x[k];
                fourth[k] += x[k] * x[k] * x[k] * x[k];
            }
            product += x[3] * x[6];
        }
        for (int k = 0; k < SCALES; k++) {
            const double mean = square[k] / VECTORS, want = variance(laws[l], scales[k]);
            const double error = sqrt((fourth[k] / VECTORS - mean * mean) / VECTORS);
            PVGT_CHECK(fabs(mean - want) < 6 * error,
                       "law %d scale %lld: %g for %g +- %g", l, (long long)scales[k],
                       mean, want, error);
            PVGT_CHECK(6 * error < 0.05 * want, "law %d: too few values to tell", l);
        }
        PVGT_CHECK(fabs(product / VECTORS) < 6 * variance(laws[l], 1000) / sqrt(VECTORS),
                   "law %d: neighbours are correlated", l);
    }
    /* a vector of more values than one block of the sampler: every value is filled */
    int64_t many[LONG], wide[LONG];
    for (int l = 0; l < 4; l++) {
        for (int i = 0; i < LONG; i++) {
            wide[i] = (int64_t)1 << (20 + i % 20);
            many[i] = 0;
        }
        pvgi_rng_draw_noise_each(many, LONG, laws[l], wide, &stream);
        for (int i = 0; i < LONG; i++)
            PVGT_CHECK(many[i] != 0 && llabs(many[i]) < 60 * wide[i],
                       "law %d: value %d is %lld", l, i, (long long)many[i]);
    }
    pvgi_rng_stream_close(&stream);
    pvg_rng_free(rng);
}

/* --- distinguishing games ------------------------------------------------------- */

enum { D = 3, RUNS = 120000 };

typedef struct {
    pvg_mechanism *mechanism;
    pvgi_stream stream;
    double world[2][D], smooth[2][D];
    double scale[2][D]; /* that the attacker believes */
    bool forget;        /* mutation: coordinate 1 comes out without noise */
} game;

/* Log-likelihood ratio of world 1 against world 0, as an attacker who knows both worlds
 * and the mechanism computes it. */
static double ratio(const game *g, const double *out) {
    const bool laplace = g->mechanism->target.noise == PVG_NOISE_LAPLACE;
    double sum = 0.0;
    for (int i = 0; i < D; i++) {
        const double a = (out[i] - g->world[0][i]) / g->scale[0][i];
        const double b = (out[i] - g->world[1][i]) / g->scale[1][i];
        sum += laplace ? fabs(a) - fabs(b)
                       : 0.5 * (a * a - b * b) + log(g->scale[0][i] / g->scale[1][i]);
    }
    return sum;
}

static int32_t play(void *context, int32_t world, int64_t run, double *score) {
    game *g = context;
    double out[D];
    (void)run;
    PVGT_OK(pvgi_mechanism_apply(out, g->mechanism, g->world[world], g->smooth[world], 0,
                                 &g->stream));
    if (g->forget) out[1] = g->world[world][1];
    *score = ratio(g, out);
    return 0;
}

static const double sensitivity[D] = {0.02, 0.005, 0.0001};

static void prepare(game *g, int32_t noise, double epsilon, double delta) {
    pvg_target t = {.size = sizeof t, .noise = noise, .epsilon = epsilon, .delta = delta};
    const bool smooth = pvgi_mechanism_is_smooth(noise);
    pvg_rng *rng = NULL;
    if (smooth) t.beta = 0.01;
    *g = (game){0};
    PVGT_OK(pvg_mechanism_new(&g->mechanism, &t, sensitivity, NULL, NULL, NULL, D));
    PVGT_OK(pvg_rng_new_seeded(&rng, 99));
    PVGT_OK(pvgi_rng_stream_open(&g->stream, rng));
    pvg_rng_free(rng);
    for (int w = 0; w < 2; w++)
        for (int i = 0; i < D; i++) {
            /* smooth: world 1 is e^-beta less sensitive, which the other's shift equals
             */
            const double s =
                smooth ? sensitivity[i] * exp(-0.01 * w) / 2 : sensitivity[i];
            const double shift = smooth ? sensitivity[i] * exp(-0.01) / 2 : s;
            g->smooth[w][i] = s;
            g->world[w][i] = 0.3 + w * shift;
        }
    for (int w = 0; w < 2; w++) {
        if (smooth)
            pvgi_mechanism_allocate(g->scale[w], g->smooth[w], NULL, D, t.allocation,
                                    false, g->mechanism->ratio);
        else
            PVGT_OK(pvg_mechanism_copy_scale(g->scale[w], g->mechanism));
    }
}

static double measured(game *g, double delta) {
    pvg_audit_verdict verdict = {.size = sizeof verdict};
    PVGT_OK(pvg_audit_game(&verdict, play, g, RUNS, delta, 1 - 1e-9, NULL));
    return verdict.epsilon_lower;
}

static void finish(game *g) {
    pvgi_rng_stream_close(&g->stream);
    pvg_mechanism_free(g->mechanism);
}

static void real_mechanisms_pass_and_mutants_are_caught(void) {
    for (int32_t noise = 1; noise <= 5; noise++) {
        const double epsilon = 1.0, delta = noise == PVG_NOISE_LAPLACE ? 0.0 : 1e-3;
        /* published smooth noise is so loose that half of it is still enough */
        const int share = noise == PVG_NOISE_SMOOTH_PUBLISHED ? 4 : 2;
        game g;
        prepare(&g, noise, epsilon, delta);
        const double real = measured(&g, delta);
        finish(&g);
        prepare(&g, noise, epsilon, delta);
        if (pvgi_mechanism_is_smooth(noise))
            g.mechanism->ratio *= share;
        else
            for (int i = 0; i < D; i++) g.mechanism->coordinate[i].scale /= share;
        for (int w = 0; w < 2; w++)
            for (int i = 0; i < D; i++) g.scale[w][i] /= share;
        const double less = measured(&g, delta);
        finish(&g);
        prepare(&g, noise, epsilon, delta);
        g.forget = true;
        for (int w = 0; w < 2; w++) g.scale[w][1] = 1e-6; /* the attacker knows */
        const double forgotten = measured(&g, delta);
        finish(&g);
        printf("noise %d: epsilon at least %.3f; with 1/%d of the noise %.3f; one value "
               "without %.3f\n",
               (int)noise, real, share, less, forgotten);
        PVGT_CHECK(real <= epsilon, "noise %d: %g", (int)noise, real);
        PVGT_CHECK(less > epsilon, "noise %d: 1/%d of the noise is not caught: %g",
                   (int)noise, share, less);
        PVGT_CHECK(forgotten > epsilon, "noise %d: a forgotten value is not caught: %g",
                   (int)noise, forgotten);
    }
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(each_value_has_its_own_scale);
    RUN_TEST(real_mechanisms_pass_and_mutants_are_caught);
    return pvgt_end(UNITY_END());
}
