/* Laws of private features and labels. Each judge of counts also gets counts of a wrong
 * law and must refuse them; the realised epsilon is computed from the exact law of all
 * outcomes. Seeded generators. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "handles.h"
#include "perturb/perturb_internal.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

/* A right law fails once in 10^9 seeds. */
enum { DEVIATIONS = 6, D = 3, OUTCOMES = 27, RUNS = 200000 };

static bool near(double count, double total, double p) {
    return fabs(count - total * p) <= DEVIATIONS * sqrt(total * p * (1 - p)) + 1e-9;
}

/* --- bits ------------------------------------------------------------------------ */

/* An outcome is one of 0 (not reported), 1 (low), 2 (high) for each of three columns. Its
 * chance, from the definition; 0 if it does not report exactly m columns. */
static double chance_of(int outcome, const double *share, int m, double epsilon) {
    const double E = exp(epsilon / m);
    double chance = m == 1 || m == 2 ? 1.0 / 3.0 : 1.0; /* 1 / C(3, m) */
    int reported = 0;
    for (int j = 0; j < D; j++, outcome /= 3) {
        const double up = 1 / (E + 1) + share[j] * (E - 1) / (E + 1);
        if (outcome % 3 == 0) continue;
        reported++;
        chance *= outcome % 3 == 2 ? up : 1 - up;
    }
    return reported == m ? chance : 0.0;
}

static void count_outcomes(int64_t *counts, const double *x, int m, double epsilon,
                           uint64_t seed) {
    static double values[RUNS * D];
    const double low = -2, high = 6, middle = 2;
    const pvg_target t = {.size = sizeof t, .epsilon = epsilon, .allow_seeded = 1};
    const pvg_features_config c = {
        .size = sizeof c, .columns = D, .ranges = 1, .sampled = m};
    pvg_perturber *p;
    pvg_features *features;
    pvg_release *release;
    pvg_rng *rng;
    const double *out;
    for (int i = 0; i < RUNS * D; i++) values[i] = low + (high - low) * x[i % D];
    PVGT_OK(pvg_features_from_dense(&features, RUNS, D, values));
    PVGT_OK(pvgt_perturber_new_features(&p, &c, &t, &low, &high));
    PVGT_OK(pvg_rng_new_seeded(&rng, seed));
    PVGT_OK(pvgt_release_draw_features(&release, p, features, 0, rng, NULL, NULL));
    PVGT_OK(pvg_release_view(&out, release));
    memset(counts, 0, OUTCOMES * sizeof *counts);
    for (int i = 0; i < RUNS; i++) {
        int code = 0;
        for (int j = D - 1; j >= 0; j--) {
            const double v = out[i * D + j];
            code = 3 * code + (v < middle ? 1 : v > middle ? 2 : 0);
        }
        counts[code]++;
    }
    pvg_release_free(release);
    pvg_rng_free(rng);
    pvg_features_free(features);
    pvgt_perturber_free(p);
}

static bool bits_fit(const int64_t *counts, const double *share, int m, double epsilon) {
    bool fits = true;
    for (int o = 0; o < OUTCOMES; o++)
        fits &= near((double)counts[o], RUNS, chance_of(o, share, m, epsilon));
    return fits;
}

static void bits_have_their_law(void) {
    static const double shares[] = {0, 0.3, 1};
    static const double epsilons[] = {0.3, 1, 4};
    int64_t counts[OUTCOMES];
    for (int m = 1; m <= D; m++)
        for (int e = 0; e < 3; e++) {
            const double wrong[] = {0.35, 0.3, 1}; /* one value 5 % off */
            count_outcomes(counts, shares, m, epsilons[e], (uint64_t)(10 * m + e));
            PVGT_CHECK(bits_fit(counts, shares, m, epsilons[e]), "m %d, epsilon %g", m,
                       epsilons[e]);
            /* mutants: another budget, the whole budget for each bit, another value */
            PVGT_CHECK(!bits_fit(counts, shares, m, 1.3 * epsilons[e]),
                       "m %d, epsilon %g", m, epsilons[e]);
            if (m > 1)
                PVGT_CHECK(!bits_fit(counts, shares, m, m * epsilons[e]),
                           "m %d, epsilon %g", m, epsilons[e]);
            if (epsilons[e] >= 1)
                PVGT_CHECK(!bits_fit(counts, wrong, m, epsilons[e]), "m %d, epsilon %g",
                           m, epsilons[e]);
        }
}

/* The realised epsilon, over all pairs of inputs on a grid, from the integers. */
static void bits_realise_their_epsilon(void) {
    static const double epsilons[] = {0.1, 1, 8};
    enum { GRID = 5 };
    for (int e = 0; e < 3; e++)
        for (int m = 1; m <= D; m++) {
            const double low = 0, high = 1;
            const pvg_target t = {.size = sizeof t, .epsilon = epsilons[e]};
            const pvg_features_config c = {
                .size = sizeof c, .columns = D, .ranges = 1, .sampled = m};
            pvg_perturber *p;
            PVGT_OK(pvgt_perturber_new_features(&p, &c, &t, &low, &high));
            const uint64_t least = pvgi_perturb_features_state(p)->least;
            long double up[GRID], worst = 0;
            for (int g = 0; g < GRID; g++)
                up[g] = ldexpl((long double)pvgi_perturb_bit_threshold(
                                   least, (double)g / (GRID - 1), 0, 1),
                               -64);
            /* the same columns are reported in both worlds; an outcome is m bits */
            for (int bits = 0; bits < 1 << m; bits++)
                for (int x = 0; x < 125; x++)
                    for (int y = 0; y < 125; y++) {
                        long double ratio = 1;
                        for (int j = 0, a = x, b = y; j < m; j++, a /= GRID, b /= GRID)
                            ratio *= bits >> j & 1
                                         ? up[a % GRID] / up[b % GRID]
                                         : (1 - up[a % GRID]) / (1 - up[b % GRID]);
                        if (ratio > worst) worst = ratio;
                    }
            const double realised = (double)logl(worst);
            PVGT_CHECK(realised <= epsilons[e] * (1 + 1e-15) &&
                           realised >= epsilons[e] - 1e-9,
                       "m %d, epsilon %g: %.17g", m, epsilons[e], realised);
            pvgt_perturber_free(p);
        }
}

/* --- noise ----------------------------------------------------------------------- */

static bool spread_fits(const double *out, int64_t count, double mean, double scale,
                        bool laplace) {
    /* share of draws within `scale` of the mean, and the mean itself */
    const double inside = laplace ? 1 - exp(-1) : erf(sqrt(0.5));
    const double deviation = laplace ? scale * sqrt(2) : scale;
    double sum = 0, hits = 0;
    for (int64_t i = 0; i < count; i++) {
        sum += out[i] - mean;
        hits += fabs(out[i] - mean) < scale;
    }
    return near(hits, (double)count, inside) &&
           fabs(sum) <= DEVIATIONS * deviation * sqrt((double)count);
}

static void noise_has_its_scale(void) {
    enum { N = 60000 };
    static double values[N * 2], column[N];
    static const double low[2] = {0, -10}, high[2] = {1, 10};
    static const int32_t laws[] = {PVG_NOISE_LAPLACE, PVG_NOISE_GAUSSIAN};
    for (int law = 0; law < 2; law++) {
        const bool laplace = laws[law] == PVG_NOISE_LAPLACE;
        const pvg_target t = {.size = sizeof t,
                              .noise = laws[law],
                              .epsilon = 1,
                              .delta = laplace ? 0 : 1e-5,
                              .allow_seeded = 1};
        const pvg_features_config c = {
            .size = sizeof c, .method = PVG_FEATURES_NOISE, .columns = 2, .ranges = 2};
        pvg_perturber *p;
        pvg_features *features;
        pvg_release *release;
        pvg_rng *rng;
        const double *out;
        for (int i = 0; i < N; i++) values[2 * i] = 0.25, values[2 * i + 1] = -4;
        PVGT_OK(pvg_features_from_dense(&features, N, 2, values));
        PVGT_OK(pvgt_perturber_new_features(&p, &c, &t, low, high));
        PVGT_OK(pvg_rng_new_seeded(&rng, 3));
        PVGT_OK(pvgt_release_draw_features(&release, p, features, 0, rng, NULL, NULL));
        PVGT_OK(pvg_release_view(&out, release));
        for (int j = 0; j < 2; j++) {
            double variance;
            /* d r / epsilon; r sqrt(d) sigma(epsilon, delta) */
            const double scale = (high[j] - low[j]) * (laplace ? 2 : sqrt(2) * 3.7306316);
            for (int i = 0; i < N; i++) column[i] = out[2 * i + j];
            TEST_ASSERT_TRUE(spread_fits(column, N, values[j], scale, laplace));
            TEST_ASSERT_FALSE(spread_fits(column, N, values[j], 1.04 * scale, laplace));
            TEST_ASSERT_FALSE(
                spread_fits(column, N, values[j] + 0.05 * scale, scale, laplace));
            PVGT_OK(pvgt_perturber_feature_variance(&variance, p, j, values[j]));
            TEST_ASSERT_DOUBLE_WITHIN(1e-6, laplace ? 2 : 1, variance / (scale * scale));
        }
        pvg_release_free(release);
        pvg_rng_free(rng);
        pvg_features_free(features);
        pvgt_perturber_free(p);
    }
}

/* --- labels ---------------------------------------------------------------------- */

/* Answers of users of class 1 among k. */
static void count_answers(int64_t *counts, int64_t k, double epsilon, int64_t users,
                          uint64_t seed) {
    int32_t *values = malloc((size_t)users * sizeof *values);
    TEST_ASSERT_NOT_NULL(values);
    const pvg_target t = {.size = sizeof t, .epsilon = epsilon, .allow_seeded = 1};
    const int32_t *out;
    int64_t count;
    pvg_labels *labels;
    pvg_perturber *p;
    pvg_release *release;
    pvg_rng *rng;
    for (int64_t i = 0; i < users; i++) values[i] = 1;
    PVGT_OK(pvg_labels_from_array(&labels, values, users));
    PVGT_OK(pvgt_perturber_new_labels(&p, PVGT_LABELS(k), &t));
    PVGT_OK(pvg_rng_new_seeded(&rng, seed));
    PVGT_OK(pvgt_release_draw_labels(&release, p, labels, 0, rng, NULL, NULL));
    PVGT_OK(pvg_release_view_labels(&out, &count, release));
    memset(counts, 0, (size_t)k * sizeof *counts);
    for (int64_t i = 0; i < count; i++) counts[out[i]]++;
    pvg_release_free(release);
    pvg_rng_free(rng);
    pvg_labels_free(labels);
    pvgt_perturber_free(p);
    free(values);
}

static bool answers_fit(const int64_t *counts, int64_t k, double epsilon, double users) {
    bool fits = true;
    for (int64_t a = 0; a < k; a++)
        fits &= near((double)counts[a], users,
                     (a == 1 ? exp(epsilon) : 1) / (exp(epsilon) + (double)k - 1));
    return fits;
}

static void labels_have_their_law(void) {
    static const double epsilons[] = {0.1, 1, 4};
    int64_t counts[7];
    for (int64_t k = 2; k <= 7; k += 5)
        for (int e = 0; e < 3; e++) {
            count_answers(counts, k, epsilons[e], 400000, (uint64_t)(k + e));
            PVGT_CHECK(answers_fit(counts, k, epsilons[e], 400000), "k %d, epsilon %g",
                       (int)k, epsilons[e]);
            PVGT_CHECK(!answers_fit(counts, k, 1.25 * epsilons[e] + 0.02, 400000),
                       "k %d, epsilon %g", (int)k, epsilons[e]);
            PVGT_CHECK(!answers_fit(counts, k, 0.75 * epsilons[e] - 0.02, 400000),
                       "k %d, epsilon %g", (int)k, epsilons[e]);
        }
}

/* Estimated counts over many releases: centred on the truth, with the variance told; a
 * variance 30 % off is noticed. */
static void histograms_are_unbiased(void) {
    enum { USERS = 300, ROUNDS = 20000 };
    static int32_t values[USERS];
    const double truth[3] = {200, 90, 10};
    const pvg_target t = {.size = sizeof t, .epsilon = 1, .allow_seeded = 1};
    double sum[3] = {0}, squares[3] = {0}, told[3] = {0}, estimates[3], variances[3];
    pvg_labels *labels;
    pvg_perturber *p;
    pvg_rng *rng;
    for (int i = 0; i < USERS; i++) values[i] = i < 200 ? 0 : i < 290 ? 1 : 2;
    PVGT_OK(pvg_labels_from_array(&labels, values, USERS));
    PVGT_OK(pvgt_perturber_new_labels(&p, PVGT_LABELS(3), &t));
    PVGT_OK(pvg_rng_new_seeded(&rng, 9));
    for (int round = 0; round < ROUNDS; round++) {
        pvg_release *release;
        const int32_t *out;
        int64_t count;
        PVGT_OK(pvgt_release_draw_labels(&release, p, labels, 0, rng, NULL, NULL));
        PVGT_OK(pvg_release_view_labels(&out, &count, release));
        PVGT_OK(pvgt_perturber_label_histogram(estimates, variances, p, out, count));
        for (int c = 0; c < 3; c++) {
            sum[c] += estimates[c];
            squares[c] += pow(estimates[c] - truth[c], 2);
            told[c] += variances[c];
        }
        pvg_release_free(release);
    }
    for (int c = 0; c < 3; c++) {
        const double keep = exp(1) / (exp(1) + 2), other = 1 / (exp(1) + 2);
        const double variance =
            (truth[c] * keep * (1 - keep) + (USERS - truth[c]) * other * (1 - other)) /
            pow(keep - other, 2);
        const double mean = sum[c] / ROUNDS, error = sqrt(variance / ROUNDS);
        PVGT_CHECK(fabs(mean - truth[c]) < DEVIATIONS * error, "class %d: %g", c, mean);
        /* the counts themselves, not inverted, would be far off */
        TEST_ASSERT_TRUE(fabs(truth[c] * (keep - other) + USERS * other - truth[c]) >
                         DEVIATIONS * error);
        const double spread = squares[c] / ROUNDS / variance;
        PVGT_CHECK(fabs(spread - 1) < DEVIATIONS * sqrt(2.0 / ROUNDS), "class %d: %g", c,
                   spread);
        TEST_ASSERT_FALSE(fabs(spread / 1.3 - 1) < DEVIATIONS * sqrt(2.0 / ROUNDS));
        TEST_ASSERT_DOUBLE_WITHIN(0.02 * variance, variance, told[c] / ROUNDS);
    }
    pvg_rng_free(rng);
    pvg_labels_free(labels);
    pvgt_perturber_free(p);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(bits_have_their_law);
    RUN_TEST(bits_realise_their_epsilon);
    RUN_TEST(noise_has_its_scale);
    RUN_TEST(labels_have_their_law);
    RUN_TEST(histograms_are_unbiased);
    return pvgt_end(UNITY_END());
}
