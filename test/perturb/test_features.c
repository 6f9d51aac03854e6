/* perturb: features by bits and by noise, and what labels tell after the fact. Laws are
 * judged in perturb/test_features_statistical.c. */
#include "handles.h"
#include "perturb/perturb_internal.h"
#include "support.h"

#include <math.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

static const pvg_target one = {.size = sizeof one, .epsilon = 1.0, .allow_seeded = 1};
static const pvg_features_config three = {
    .size = sizeof three, .columns = 3, .ranges = 1, .method = PVG_FEATURES_MULTIBIT};
static const double zeros[3] = {0, 0, 0}, ones[3] = {1, 1, 1};

static pvg_perturber *make(const pvg_features_config *config, const pvg_target *target,
                           const double *low, const double *high) {
    pvg_perturber *p;
    PVGT_OK(pvgt_perturber_new_features(&p, config, target, low, high));
    return p;
}

/* --- thresholds ------------------------------------------------------------------ */

static void bits_cost_what_is_said(void) {
    static const double epsilons[] = {1e-4, 0.01, 0.1, 1, 3, 8, 20};
    for (size_t e = 0; e < sizeof epsilons / sizeof epsilons[0]; e++)
        for (int64_t m = 1; m <= 3; m++) {
            pvg_features_config c = three;
            pvg_target t = one;
            c.sampled = m;
            t.epsilon = epsilons[e];
            pvg_perturber *p = make(&c, &t, zeros, ones);
            const uint64_t least = pvgi_perturb_features_state(p)->least;
            const long double whole = 0x1p64L, most = whole - (long double)least;
            const long double realised = (long double)m * logl(most / (long double)least);
            PVGT_CHECK(realised <= (long double)epsilons[e] * (1 + 1e-18L) &&
                           realised >= (long double)epsilons[e] * (1 - 1e-9L),
                       "epsilon %g, m %d: realised %.17Lg", epsilons[e], (int)m,
                       realised);
            TEST_ASSERT_EQUAL_INT64(m, pvgt_perturber_sampled(p));
            pvgt_perturber_free(p);
        }
}

static void thresholds_stay_between(void) {
    static const uint64_t leasts[] = {
        1, 2, 12345, UINT64_C(1) << 40, (UINT64_C(1) << 63) - 9, UINT64_C(1) << 63};
    uint64_t state = 3;
    for (size_t i = 0; i < sizeof leasts / sizeof leasts[0]; i++) {
        const uint64_t least = leasts[i], most = 0 - least;
        TEST_ASSERT_EQUAL_UINT64(least, pvgi_perturb_bit_threshold(least, -2, -2, 3));
        TEST_ASSERT_EQUAL_UINT64(most, pvgi_perturb_bit_threshold(least, 3, -2, 3));
        uint64_t before = least;
        for (int k = 0; k <= 1000; k++) {
            const uint64_t now = pvgi_perturb_bit_threshold(least, k, 0, 1000);
            PVGT_CHECK(now >= before && now >= least && now <= most, "least %llu, k %d",
                       (unsigned long long)least, k);
            before = now;
        }
        for (int k = 0; k < 1000; k++) {
            const double low = ldexp((double)pvgt_below(&state, 2001) - 1000,
                                     (int)pvgt_below(&state, 40) - 20);
            const double high = low + ldexp((double)(1 + pvgt_below(&state, 1000)), -9);
            const double x = low + (high - low) * (double)pvgt_below(&state, 1000) / 999;
            const uint64_t now = pvgi_perturb_bit_threshold(least, x, low, high);
            PVGT_CHECK(now >= least && now <= most, "%a in [%a, %a]", x, low, high);
        }
    }
}

/* The mean of what is released, from the integers, is the value; its variance is the one
 * that is told. */
static void released_values_are_unbiased(void) {
    static const double low[3] = {-1, 0, 100}, high[3] = {1, 0.25, 108};
    static const double epsilons[] = {0.01, 1, 9};
    for (size_t e = 0; e < 3; e++)
        for (int64_t m = 1; m <= 3; m++) {
            pvg_features_config c = three;
            pvg_target t = one;
            c.sampled = m;
            c.ranges = 3;
            t.epsilon = epsilons[e];
            pvg_perturber *p = make(&c, &t, low, high);
            const pvgi_feature_state *s = pvgi_perturb_features_state(p);
            for (int column = 0; column < 3; column++)
                for (int k = 0; k <= 4; k++) {
                    const double x = low[column] + (high[column] - low[column]) * k / 4;
                    const long double chance =
                        ldexpl((long double)pvgi_perturb_bit_threshold(
                                   s->least, x, low[column], high[column]),
                               -64);
                    const long double step =
                        (long double)pvgi_perturb_bit_step(s, column);
                    const long double share = (long double)m / 3;
                    const long double middle =
                        ((long double)low[column] + (long double)high[column]) / 2;
                    const long double mean = middle + share * step * (2 * chance - 1);
                    const long double variance =
                        share * step * step - (mean - middle) * (mean - middle);
                    double told;
                    PVGT_OK(pvgt_perturber_feature_variance(&told, p, column, x));
                    PVGT_CHECK(fabsl(mean - (long double)x) <=
                                   1e-12L * (1 + fabsl((long double)x)),
                               "mean %Lg for %g", mean, x);
                    PVGT_CHECK(fabsl(variance - (long double)told) <= 1e-12L * variance,
                               "variance %Lg for %g", variance, told);
                    /* the formula of the header */
                    const double E = exp(epsilons[e] / (double)m);
                    const double half = (high[column] - low[column]) / 2;
                    const double formula =
                        3.0 / (double)m * pow(half * (E + 1) / (E - 1), 2) -
                        pow(x - (double)middle, 2);
                    PVGT_CHECK(fabs(formula - told) <= 1e-9 * told, "%g for %g", told,
                               formula);
                }
            pvgt_perturber_free(p);
        }
}

static void few_columns_are_sampled(void) {
    static const struct {
        double epsilon;
        int64_t columns, sampled;
    } cases[] = {{0.1, 5, 1}, {2.17, 5, 1}, {4, 100, 2}, {4.4, 5, 2},
                 {8, 5, 4},   {8, 3, 3},    {100, 5, 5}, {1e300, 5, 5}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pvg_features_config c = three;
        pvg_target t = one;
        c.columns = cases[i].columns;
        t.epsilon = cases[i].epsilon;
        pvg_perturber *p = make(&c, &t, zeros, ones);
        TEST_ASSERT_EQUAL_INT64(cases[i].sampled, pvgt_perturber_sampled(p));
        pvgt_perturber_free(p);
    }
    pvg_features_config c = three;
    c.method = PVG_FEATURES_ONE_BIT;
    pvg_perturber *p = make(&c, &one, zeros, ones);
    TEST_ASSERT_EQUAL_INT64(3, pvgt_perturber_sampled(p));
    pvgt_perturber_free(p);
}

/* No other number of columns has a smaller variance. */
static void the_best_number_is_sampled(void) {
    for (int e = 1; e <= 120; e++) {
        pvg_features_config c = three;
        pvg_target t = one;
        double best = INFINITY, chosen = 0, variance;
        c.columns = 30;
        t.epsilon = 0.25 * e;
        for (c.sampled = 0; c.sampled <= c.columns; c.sampled++) {
            pvg_perturber *p = make(&c, &t, zeros, ones);
            PVGT_OK(pvgt_perturber_feature_variance(&variance, p, 0, 0.5));
            pvgt_perturber_free(p);
            if (c.sampled == 0)
                chosen = variance;
            else
                best = fmin(best, variance);
        }
        PVGT_CHECK(chosen <= best * (1 + 1e-12), "epsilon %g: %g, best %g", t.epsilon,
                   chosen, best);
    }
}

/* What a draw could not report is refused before anything is paid. */
static void ranges_have_finite_variances(void) {
    static const struct {
        int32_t method;
        double width;
        bool good;
    } cases[] = {
        {PVG_FEATURES_MULTIBIT, 4e307, false}, {PVG_FEATURES_MULTIBIT, 1e152, false},
        {PVG_FEATURES_MULTIBIT, 1e148, true},  {PVG_FEATURES_ONE_BIT, 1e152, false},
        {PVG_FEATURES_ONE_BIT, 1e148, true},   {PVG_FEATURES_NOISE, 1e152, false},
        {PVG_FEATURES_NOISE, 1e148, true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        enum { D = 1000 };
        static double low[D], high[D], values[D];
        for (int k = 0; k < D; k++) low[k] = -1, high[k] = 1;
        low[D - 1] = -cases[i].width, high[D - 1] = cases[i].width;
        values[D - 1] = cases[i].width;
        const pvg_features_config c = {
            .size = sizeof c, .method = cases[i].method, .columns = D, .ranges = D};
        pvg_target t = one;
        t.epsilon = 0.5;
        if (cases[i].method == PVG_FEATURES_NOISE) t.noise = PVG_NOISE_LAPLACE;
        pvg_perturber *p;
        if (!cases[i].good) {
            PVGT_FAILS(PVG_E_LIMIT, "range 999",
                       pvgt_perturber_new_features(&p, &c, &t, low, high));
            TEST_ASSERT_NULL(p);
            continue;
        }
        pvg_features *features;
        pvg_rng *rng;
        pvg_release *release;
        const double *out;
        double variance;
        PVGT_OK(pvg_rng_new_seeded(&rng, 1));
        PVGT_OK(pvgt_perturber_new_features(&p, &c, &t, low, high));
        PVGT_OK(pvg_features_from_dense(&features, 1, D, values));
        PVGT_OK(pvgt_release_draw_features(&release, p, features, 0, rng, NULL, NULL));
        PVGT_OK(pvg_release_view(&out, release));
        for (int k = 0; k < D; k++) TEST_ASSERT_TRUE(isfinite(out[k]));
        PVGT_OK(pvgt_perturber_feature_variance(&variance, p, D - 1, 0.0));
        TEST_ASSERT_TRUE(isfinite(variance) && variance > 0);
        pvg_release_free(release);
        pvg_features_free(features);
        pvgt_perturber_free(p);
        pvg_rng_free(rng);
    }
}

/* --- refusals -------------------------------------------------------------------- */

#define REFUSES(part, change)                                                            \
    do {                                                                                 \
        pvg_features_config c = three;                                                   \
        pvg_target t = one;                                                              \
        double low[3] = {0, 0, 0}, high[3] = {1, 1, 1};                                  \
        pvg_perturber *refused = (pvg_perturber *)1;                                     \
        change;                                                                          \
        PVGT_FAILS(PVG_E_ARGUMENT, part,                                                 \
                   pvgt_perturber_new_features(&refused, &c, &t, low, high));            \
        TEST_ASSERT_NULL(refused);                                                       \
    } while (0)

static void bad_arguments_are_named(void) {
    pvg_perturber *p;
    double out;
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL",
               pvgt_perturber_new_features(NULL, &three, &one, zeros, ones));
    PVGT_FAILS(PVG_E_ARGUMENT, "config is NULL",
               pvgt_perturber_new_features(&p, NULL, &one, zeros, ones));
    PVGT_FAILS(PVG_E_ARGUMENT, "target is NULL",
               pvgt_perturber_new_features(&p, &three, NULL, zeros, ones));
    PVGT_FAILS(PVG_E_ARGUMENT, "low is NULL",
               pvgt_perturber_new_features(&p, &three, &one, NULL, ones));
    PVGT_FAILS(PVG_E_ARGUMENT, "high is NULL",
               pvgt_perturber_new_features(&p, &three, &one, zeros, NULL));
    REFUSES("method", c.method = 3);
    REFUSES("method", c.method = -1);
    REFUSES("columns", c.columns = 0);
    REFUSES("columns", c.columns = INT64_MAX);
    REFUSES("ranges", c.ranges = 2);
    REFUSES("ranges", c.ranges = 0);
    REFUSES("sampled", c.sampled = 4);
    REFUSES("sampled", c.sampled = -1);
    REFUSES("multibit", (c.sampled = 2, c.method = PVG_FEATURES_ONE_BIT));
    REFUSES("refuse", c.refuse = 2);
    REFUSES("sparse", c.sparse = -1);
    REFUSES("sparse", (c.sparse = 1, c.method = PVG_FEATURES_NOISE));
    REFUSES("low[0]", high[0] = 0);
    REFUSES("low[2]", (c.ranges = 3, low[2] = NAN));
    REFUSES("low[1]", (c.ranges = 3, high[1] = INFINITY));
    REFUSES("low[0]", (low[0] = -1e308, high[0] = 1e308));
    REFUSES("epsilon", t.epsilon = 0);
    REFUSES("epsilon", t.epsilon = NAN);
    REFUSES("pure", t.delta = 1e-6);
    REFUSES("noise", t.noise = PVG_NOISE_LAPLACE);
    REFUSES("noise", (c.method = PVG_FEATURES_NOISE, t.noise = PVG_NOISE_SMOOTH));
    REFUSES("delta", c.method = PVG_FEATURES_NOISE); /* Gaussian without delta */
    pvg_target tiny = one;
    tiny.epsilon = 1e-7;
    PVGT_FAILS(PVG_E_LIMIT, "2^-20",
               pvgt_perturber_new_features(&p, &three, &tiny, zeros, ones));
    p = make(&three, &one, zeros, ones);
    PVGT_FAILS(PVG_E_ARGUMENT, "out", pvgt_perturber_feature_variance(NULL, p, 0, 0));
    PVGT_FAILS(PVG_E_ARGUMENT, "perturber",
               pvgt_perturber_feature_variance(&out, NULL, 0, 0));
    PVGT_FAILS(PVG_E_ARGUMENT, "column", pvgt_perturber_feature_variance(&out, p, 3, 0));
    PVGT_FAILS(PVG_E_ARGUMENT, "column", pvgt_perturber_feature_variance(&out, p, -1, 0));
    PVGT_FAILS(PVG_E_ARGUMENT, "value", pvgt_perturber_feature_variance(&out, p, 0, 1.1));
    PVGT_FAILS(PVG_E_ARGUMENT, "value", pvgt_perturber_feature_variance(&out, p, 0, NAN));
    PVGT_FAILS(PVG_E_ARGUMENT, "one for labels", pvgt_perturber_copy_transition(&out, p));
    PVGT_FAILS(PVG_E_ARGUMENT, "one for labels",
               pvgt_perturber_label_histogram(&out, NULL, p, NULL, 0));
    pvgt_perturber_free(p);
    TEST_ASSERT_EQUAL_INT64(0, pvgt_perturber_sampled(NULL));
    PVGT_OK(pvgt_perturber_new_labels(&p, PVGT_LABELS(3), &one));
    TEST_ASSERT_EQUAL_INT64(0, pvgt_perturber_sampled(p));
    PVGT_FAILS(PVG_E_ARGUMENT, "one for features",
               pvgt_perturber_feature_variance(&out, p, 0, 0));
    pvgt_perturber_free(p);
}

static int32_t release_of(pvg_release **out, const pvg_perturber *p, int64_t rows,
                          int64_t columns, const double *values) {
    pvg_features *features;
    pvg_rng *rng;
    PVGT_OK(pvg_features_from_dense(&features, rows, columns, values));
    PVGT_OK(pvg_rng_new_seeded(&rng, 1));
    const int32_t status =
        pvgt_release_draw_features(out, p, features, 0, rng, NULL, NULL);
    pvg_rng_free(rng);
    pvg_features_free(features);
    return status;
}

static void values_outside_are_refused_or_clamped(void) {
    static const double low[3] = {0, 0.5, -1}, high[3] = {1, 2, 1};
    static const struct {
        double values[6];
        const char *where;
    } cases[] = {
        {{0, 0.5, 0, 1, 2, 1}, NULL},
        {{0, 0.5, 0, 1, 2, 1.5}, "row 1, column 2"},
        {{0, 0, 0, 1, 2, 1}, "row 0, column 1"},  /* an unstored zero */
        {{0, 0, 7, 1, 2, 1}, "row 0, column 1"},  /* it comes before the 7 */
        {{-1, 0, 7, 1, 2, 1}, "row 0, column 0"}, /* and after the -1 */
        {{1, 1, 1, 1, 1, -2}, "row 1, column 2"},
        {{1, 1, 1, 1, 0, 1}, "row 1, column 1"},
    };
    for (int32_t method = PVG_FEATURES_MULTIBIT; method <= PVG_FEATURES_NOISE; method++)
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            pvg_features_config c = three;
            pvg_target t = one;
            pvg_release *release = (pvg_release *)1;
            c.ranges = 3;
            c.method = method;
            c.refuse = 1;
            if (method == PVG_FEATURES_NOISE) t.noise = PVG_NOISE_LAPLACE;
            pvg_perturber *p = make(&c, &t, low, high);
            if (!cases[i].where) {
                PVGT_OK(release_of(&release, p, 2, 3, cases[i].values));
                pvg_release_free(release);
            } else {
                PVGT_FAILS(PVG_E_ARGUMENT, cases[i].where,
                           release_of(&release, p, 2, 3, cases[i].values));
                TEST_ASSERT_NULL(release);
            }
            PVGT_FAILS(PVG_E_ARGUMENT, "2 columns",
                       release_of(&release, p, 3, 2, cases[i].values));
            pvgt_perturber_free(p);
            /* if nobody asks for refusal every input is fine, as the clamped one is */
            c.refuse = 0;
            double inside[6];
            for (int k = 0; k < 6; k++)
                inside[k] = fmin(fmax(cases[i].values[k], low[k % 3]), high[k % 3]);
            pvg_release *other;
            const double *seen, *same;
            p = make(&c, &t, low, high);
            PVGT_OK(release_of(&release, p, 2, 3, cases[i].values));
            PVGT_OK(release_of(&other, p, 2, 3, inside));
            PVGT_OK(pvg_release_view(&seen, release));
            PVGT_OK(pvg_release_view(&same, other));
            TEST_ASSERT_EQUAL_MEMORY(same, seen, 6 * sizeof *seen);
            pvg_release_free(release);
            pvg_release_free(other);
            pvgt_perturber_free(p);
        }
}

/* --- releases -------------------------------------------------------------------- */

enum { ROWS = 700, COLUMNS = 130 };

static pvg_features *some_features(void) {
    static double values[ROWS * COLUMNS];
    uint64_t state = 8;
    pvg_features *features;
    for (int i = 0; i < ROWS * COLUMNS; i++)
        values[i] = pvgt_below(&state, 3) ? 0.0 : (double)pvgt_below(&state, 9) / 8;
    PVGT_OK(pvg_features_from_dense(&features, ROWS, COLUMNS, values));
    return features;
}

static pvg_release *seeded_release(const pvg_perturber *p, const pvg_features *features,
                                   uint32_t threads) {
    const pvg_run run = {.size = sizeof run, .threads = threads};
    pvg_rng *rng;
    pvg_release *release;
    PVGT_OK(pvg_rng_new_seeded(&rng, 77));
    PVGT_OK(pvgt_release_draw_features(&release, p, features, 0, rng, NULL, &run));
    pvg_rng_free(rng);
    return release;
}

static void threads_do_not_matter(void) {
    static const struct {
        int32_t method, noise;
        double epsilon, delta;
    } cases[] = {
        {PVG_FEATURES_MULTIBIT, 0, 1, 0},
        {PVG_FEATURES_MULTIBIT, 0, 100, 0},
        {PVG_FEATURES_ONE_BIT, 0, 3, 0},
        {PVG_FEATURES_NOISE, PVG_NOISE_LAPLACE, 1, 0},
        {PVG_FEATURES_NOISE, PVG_NOISE_GAUSSIAN, 1, 1e-6},
        {PVG_FEATURES_NOISE, PVG_NOISE_DISCRETE_GAUSSIAN, 1, 1e-6},
    };
    pvg_features *features = some_features();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const pvg_target t = {.size = sizeof t,
                              .noise = cases[i].noise,
                              .epsilon = cases[i].epsilon,
                              .delta = cases[i].delta,
                              .allow_seeded = 1};
        pvg_features_config c = {
            .size = sizeof c, .method = cases[i].method, .columns = COLUMNS, .ranges = 1};
        pvg_perturber *p = make(&c, &t, zeros, ones);
        pvg_release *first = seeded_release(p, features, 1);
        const double *values, *again;
        PVGT_OK(pvg_release_view(&values, first));
        TEST_ASSERT_EQUAL_INT64(ROWS, pvg_release_rows(first));
        TEST_ASSERT_EQUAL_INT64(COLUMNS, pvg_release_columns(first));
        for (uint32_t threads = 2; threads <= 5; threads += 3) {
            pvg_release *second = seeded_release(p, features, threads);
            PVGT_OK(pvg_release_view(&again, second));
            TEST_ASSERT_EQUAL_MEMORY(values, again, sizeof(double) * ROWS * COLUMNS);
            pvg_release_free(second);
        }
        double epsilon;
        PVGT_OK(
            pvg_guarantee_epsilon(&epsilon, pvgt_perturber_guarantee(p), cases[i].delta));
        TEST_ASSERT_TRUE(epsilon <= cases[i].epsilon &&
                         epsilon > 0.999 * cases[i].epsilon);
        TEST_ASSERT_EQUAL_INT32(PVG_NOTION_FEATURE_LDP,
                                pvg_guarantee_notion(pvg_release_guarantee(first)));
        TEST_ASSERT_EQUAL_STRING(cases[i].method == PVG_FEATURES_NOISE
                                     ? "perturb.features-noise"
                                     : "perturb.features",
                                 pvg_guarantee_claim(pvg_release_guarantee(first)));
        pvg_release_free(first);
        pvgt_perturber_free(p);
    }
    pvg_features_free(features);
}

static void sparse_reports_are_the_dense_ones(void) {
    static double dense[ROWS * COLUMNS];
    const double low = -1, high = 3; /* middle 1 */
    pvg_features *features = some_features();
    pvg_features_config c = {
        .size = sizeof c, .columns = COLUMNS, .ranges = 1, .sampled = 7};
    pvg_perturber *p = make(&c, &one, &low, &high);
    c.sparse = 1;
    pvg_perturber *q = make(&c, &one, &low, &high);
    pvg_release *full = seeded_release(p, features, 1);
    pvg_release *thin = seeded_release(q, features, 2);
    const double *values, *differences;
    const pvg_features *reports;
    const int64_t *offsets;
    const int32_t *indices;
    PVGT_OK(pvg_release_view(&values, full));
    PVGT_OK(pvg_release_view_features(&reports, thin));
    PVGT_OK(pvg_features_view_csr(&offsets, &indices, &differences, reports));
    for (int i = 0; i <= ROWS; i++) TEST_ASSERT_EQUAL_INT64(7 * i, offsets[i]);
    PVGT_OK(pvg_features_copy_dense(dense, reports, 0, ROWS));
    int64_t off_middle = 0;
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        TEST_ASSERT_TRUE(values[i] == dense[i] + 1.0);
        off_middle += values[i] != 1.0;
    }
    TEST_ASSERT_EQUAL_INT64(7 * ROWS, off_middle);
    PVGT_FAILS(PVG_E_ARGUMENT, "no numbers", pvg_release_view(&values, thin));
    PVGT_FAILS(PVG_E_ARGUMENT, "no sparse", pvg_release_view_features(&reports, full));
    PVGT_FAILS(PVG_E_ARGUMENT, "NULL", pvg_release_view_features(NULL, thin));
    PVGT_FAILS(PVG_E_ARGUMENT, "NULL", pvg_release_view_features(&reports, NULL));
    pvg_release_free(full);
    pvg_release_free(thin);
    pvgt_perturber_free(p);
    pvgt_perturber_free(q);
    pvg_features_free(features);
}

static void records_say_what_is_assumed(void) {
    char json[2048];
    size_t length;
    pvg_features_config c = three;
    pvg_perturber *p = make(&c, &one, zeros, ones);
    PVGT_OK(
        pvg_guarantee_copy_json(json, sizeof json, &length, pvgt_perturber_guarantee(p)));
    TEST_ASSERT_NOT_NULL(strstr(json, "\"notion\": \"feature-LDP\""));
    TEST_ASSERT_NOT_NULL(strstr(json, "1 of 3 columns"));
    TEST_ASSERT_NOT_NULL(strstr(json, "outside are clamped"));
    pvgt_perturber_free(p);
    c.method = PVG_FEATURES_NOISE;
    const pvg_target t = {
        .size = sizeof t, .noise = PVG_NOISE_LAPLACE, .epsilon = 1.0, .allow_seeded = 1};
    p = make(&c, &t, zeros, ones);
    PVGT_OK(
        pvg_guarantee_copy_json(json, sizeof json, &length, pvgt_perturber_guarantee(p)));
    TEST_ASSERT_NOT_NULL(strstr(json, "discrete Laplace"));
    double variance;
    PVGT_OK(pvgt_perturber_feature_variance(&variance, p, 1, 0.5));
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 2 * 9.0, variance); /* b = d r / epsilon = 3 */
    pvgt_perturber_free(p);
    /* no rows is fine */
    pvg_release *release;
    p = make(&three, &one, zeros, ones);
    PVGT_OK(release_of(&release, p, 0, 3, zeros));
    TEST_ASSERT_EQUAL_INT64(0, pvg_release_rows(release));
    pvg_release_free(release);
    pvgt_perturber_free(p);
}

/* --- labels ---------------------------------------------------------------------- */

static void transitions_are_those_drawn(void) {
    static double matrix[6 * 6];
    static const double epsilons[] = {1e-7, 1e-5, 0.1, 1, 5, 30};
    for (size_t e = 0; e < sizeof epsilons / sizeof epsilons[0]; e++)
        for (int64_t k = 2; k <= 6; k++) {
            pvg_target t = one;
            pvg_perturber *p;
            t.epsilon = epsilons[e];
            PVGT_OK(pvgt_perturber_new_labels(&p, PVGT_LABELS(k), &t));
            PVGT_OK(pvgt_perturber_copy_transition(matrix, p));
            for (int64_t c = 0; c < k; c++) {
                double sum = 0;
                for (int64_t a = 0; a < k; a++) {
                    const double want = (a == c ? exp(epsilons[e]) : 1) /
                                        (exp(epsilons[e]) + (double)k - 1);
                    const double got = matrix[c * k + a];
                    sum += got;
                    PVGT_CHECK(fabs(got - want) <= 1e-6 * want + 1e-19,
                               "epsilon %g k %d: %g for %g", epsilons[e], (int)k, got,
                               want);
                }
                TEST_ASSERT_DOUBLE_WITHIN(1e-14, 1.0, sum);
            }
            pvgt_perturber_free(p);
        }
}

/* Estimates from expected counts are the true counts. */
static void histograms_invert_the_transition(void) {
    enum { SCALE = 1000000 };
    static int32_t released[4 * SCALE];
    double matrix[9], estimates[3], variances[3];
    const int64_t truth[3] = {SCALE, 0, 2 * SCALE};
    pvg_perturber *p;
    PVGT_OK(pvgt_perturber_new_labels(&p, PVGT_LABELS(3), &one));
    PVGT_OK(pvgt_perturber_copy_transition(matrix, p));
    int64_t count = 0;
    for (int a = 0; a < 3; a++) {
        double mean = 0;
        for (int c = 0; c < 3; c++) mean += (double)truth[c] * matrix[c * 3 + a];
        for (int64_t i = llround(mean); i > 0; i--) released[count++] = a;
    }
    for (int i = 0; i < 1000; i++) released[count++] = -1;
    PVGT_OK(pvgt_perturber_label_histogram(estimates, variances, p, released, count));
    for (int c = 0; c < 3; c++) {
        const double keep = matrix[0], other = matrix[1];
        const double want = ((double)truth[c] * keep * (1 - keep) +
                             (double)(3 * SCALE - truth[c]) * other * (1 - other)) /
                            pow(keep - other, 2);
        TEST_ASSERT_DOUBLE_WITHIN(4.0, (double)truth[c], estimates[c]);
        TEST_ASSERT_DOUBLE_WITHIN(1e-5 * want, want, variances[c]);
    }
    double first = estimates[0];
    PVGT_OK(pvgt_perturber_label_histogram(estimates, NULL, p, released, count));
    TEST_ASSERT_EQUAL_DOUBLE(first, estimates[0]);
    released[5] = 3;
    PVGT_FAILS(PVG_E_ARGUMENT, "released[5]",
               pvgt_perturber_label_histogram(estimates, NULL, p, released, count));
    released[5] = -2;
    PVGT_FAILS(PVG_E_ARGUMENT, "released[5]",
               pvgt_perturber_label_histogram(estimates, NULL, p, released, count));
    PVGT_FAILS(PVG_E_ARGUMENT, "count",
               pvgt_perturber_label_histogram(estimates, NULL, p, released, -1));
    PVGT_FAILS(PVG_E_ARGUMENT, "released is NULL",
               pvgt_perturber_label_histogram(estimates, NULL, p, NULL, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "estimates",
               pvgt_perturber_label_histogram(NULL, NULL, p, released, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "perturber",
               pvgt_perturber_label_histogram(estimates, NULL, NULL, released, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "NULL", pvgt_perturber_copy_transition(NULL, p));
    PVGT_FAILS(PVG_E_ARGUMENT, "NULL", pvgt_perturber_copy_transition(matrix, NULL));
    pvgt_perturber_free(p);
    pvg_target tiny = one;
    tiny.epsilon = 1e-7;
    PVGT_OK(pvgt_perturber_new_labels(&p, PVGT_LABELS(3), &tiny));
    released[5] = 0;
    PVGT_FAILS(PVG_E_NUMERIC, "uniform",
               pvgt_perturber_label_histogram(estimates, NULL, p, released, 9));
    pvgt_perturber_free(p);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(bits_cost_what_is_said);
    RUN_TEST(thresholds_stay_between);
    RUN_TEST(released_values_are_unbiased);
    RUN_TEST(few_columns_are_sampled);
    RUN_TEST(the_best_number_is_sampled);
    RUN_TEST(ranges_have_finite_variances);
    RUN_TEST(bad_arguments_are_named);
    RUN_TEST(values_outside_are_refused_or_clamped);
    RUN_TEST(threads_do_not_matter);
    RUN_TEST(sparse_reports_are_the_dense_ones);
    RUN_TEST(records_say_what_is_assumed);
    RUN_TEST(transitions_are_those_drawn);
    RUN_TEST(histograms_invert_the_transition);
    return pvgt_end(UNITY_END());
}
