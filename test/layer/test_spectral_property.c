/* layer: the bound of the spectral norm against matrices whose norm is known, and against
 * |W x| / |x| for the best x that a power iteration in long double finds. A bound that
 * is too low, by however little, fails; so does one that is not tight. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "layer/layer_internal.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>

void setUp(void) {}
void tearDown(void) {}

static double uniform(uint64_t *state) {
    return (double)(pvgt_random(state) >> 11) * 0x1p-52 - 1;
}

/* |W x| / |x| after some steps of x <- W^T W x: never above the norm. */
static long double stretched(const double *w, int64_t n, uint64_t *seed, int steps) {
    long double *x = malloc((size_t)n * sizeof *x), *y = malloc((size_t)n * sizeof *y);
    long double ratio = 0;
    TEST_ASSERT_TRUE(x && y);
    for (int64_t i = 0; i < n; i++) x[i] = uniform(seed);
    for (int step = 0; step < steps; step++) {
        long double xx = 0, yy = 0;
        for (int64_t i = 0; i < n; i++) {
            y[i] = 0;
            for (int64_t j = 0; j < n; j++) y[i] += (long double)w[i * n + j] * x[j];
            yy += y[i] * y[i];
            xx += x[i] * x[i];
        }
        ratio = xx > 0 ? sqrtl(yy / xx) : 0;
        if (!(yy > 0)) break;
        for (int64_t j = 0; j < n; j++) {
            x[j] = 0;
            for (int64_t i = 0; i < n; i++) x[j] += (long double)w[i * n + j] * y[i];
            x[j] /= yy;
        }
    }
    free(x);
    free(y);
    return ratio;
}

static void bound_is_above_and_tight(void) {
    uint64_t seed = 11;
    for (int round = 0; round < 200; round++) {
        const int64_t n = 1 + pvgt_below(&seed, 24);
        const int kind = (int)pvgt_below(&seed, 4);
        double *w = malloc((size_t)(n * n) * sizeof *w), bound = 0;
        TEST_ASSERT_NOT_NULL(w);
        for (int64_t i = 0; i < n * n; i++) {
            const double value = uniform(&seed);
            const int scale = (int)pvgt_below(&seed, 60) - 30;
            w[i] = kind == 0   ? value
                   : kind == 1 ? ldexp(value, scale)
                   : kind == 2 ? (double)pvgt_below(&seed, 2)
                               : (i / n == i % n ? 1 : 0.01 * value);
        }
        PVGT_OK(pvgi_layer_spectral_norm(&bound, w, n));
        const long double low = stretched(w, n, &seed, 2000);
        PVGT_CHECK((long double)bound >= low * (1 - 1e-17L),
                   "round %d n %lld kind %d: %.19Lg above %.17g", round, (long long)n,
                   kind, low, bound);
        PVGT_CHECK((long double)bound <= low * (1 + 1e-6L),
                   "round %d n %lld kind %d: %.19Lg far below %.17g", round, (long long)n,
                   kind, low, bound);
        free(w);
    }
}

/* Matrices whose norm is an exact integer or its square root. */
static void known_norms(void) {
    for (int64_t n = 1; n <= 128; n *= 2) {
        double *w = malloc((size_t)(n * n) * sizeof *w), bound = 0;
        TEST_ASSERT_NOT_NULL(w);
        /* Sylvester-Hadamard: all singular values are sqrt n, the worst case for vectors
         */
        for (int64_t i = 0; i < n * n; i++)
            w[i] = __builtin_parityll((uint64_t)(i / n & i % n)) ? -1 : 1;
        PVGT_OK(pvgi_layer_spectral_norm(&bound, w, n));
        PVGT_CHECK((long double)bound * bound >= (long double)n &&
                       bound <= sqrt((double)n) * (1 + 1e-10),
                   "Hadamard %lld: %.17g", (long long)n, bound);
        /* all ones: n */
        for (int64_t i = 0; i < n * n; i++) w[i] = 1;
        PVGT_OK(pvgi_layer_spectral_norm(&bound, w, n));
        PVGT_CHECK(bound >= (double)n && bound <= (double)n * (1 + 1e-10),
                   "ones %lld: %.17g", (long long)n, bound);
        /* rank one u v^T with u = v = (1, 2, .., n): sum of squares */
        for (int64_t i = 0; i < n * n; i++) w[i] = (double)((i / n + 1) * (i % n + 1));
        PVGT_OK(pvgi_layer_spectral_norm(&bound, w, n));
        const double squares = (double)(n * (n + 1) * (2 * n + 1) / 6);
        PVGT_CHECK(bound >= squares && bound <= squares * (1 + 1e-10),
                   "rank one %lld: %.17g", (long long)n, bound);
        free(w);
    }
}

/* The bound stays above when LAPACK's own answer would be rounded either way: scaling by
 * numbers that are no powers of two. */
static void scaled_rotations(void) {
    uint64_t seed = 5;
    for (int round = 0; round < 500; round++) {
        const double a = uniform(&seed), b = uniform(&seed);
        const double w[] = {a, -b, b, a};
        double bound = 0;
        PVGT_OK(pvgi_layer_spectral_norm(&bound, w, 2));
        const long double square = (long double)a * a + (long double)b * b;
        PVGT_CHECK((long double)bound * bound >= square * (1 - 1e-18L) &&
                       (long double)bound * bound <= square * (1 + 1e-13L),
                   "a %.17g b %.17g: %.17g", a, b, bound);
    }
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(bound_is_above_and_tight);
    RUN_TEST(known_norms);
    RUN_TEST(scaled_rotations);
    return pvgt_end(UNITY_END());
}
