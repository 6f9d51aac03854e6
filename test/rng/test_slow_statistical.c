/* The same laws when every acceptance is settled in 256-bit fixed point: the branch that
 * is taken once in 2^45 samples, taken always. */
#define PVGI_NOISE_GAP_ERROR 2.0
#include "entries.h" /* from inside: handles here may never have left the library */

#include "rng/noise.c"
#include "support.h"

#include <math.h>

void setUp(void) {}
void tearDown(void) {}

enum { COUNT = 60000, CELLS = 16 };

/* Cells between multiples of scale / 2, from -4 to 4 (in halves), open at the ends; P(X <
 * e) as in test_rng.c. */
static double chi_square(const int64_t *values, double scale, bool gaussian) {
    double seen[CELLS] = {0}, chi = 0, before = 0;
    for (int i = 0; i < COUNT; i++) {
        int cell = (int)floor(((double)values[i] + 0.5) / scale * 2) + CELLS / 2;
        if (cell < 0) cell = 0;
        if (cell >= CELLS) cell = CELLS - 1;
        seen[cell]++;
    }
    for (int cell = 0; cell < CELLS; cell++) {
        const double y = (cell + 1 - CELLS / 2) / 2.0;
        double upto = gaussian ? 0.5 * erfc(-y / sqrt(2.0))
                      : y < 0  ? 0.5 * exp(y)
                               : 1 - 0.5 * exp(-y);
        if (cell == CELLS - 1) upto = 1;
        const double expected = COUNT * (upto - before);
        chi += (seen[cell] - expected) * (seen[cell] - expected) / expected;
        before = upto;
    }
    return chi;
}

static void slow_path_has_the_law(void) {
    static const pvgi_noise_law tested[] = {
        PVGI_NOISE_ROUNDED_GAUSSIAN, PVGI_NOISE_ROUNDED_LAPLACE,
        PVGI_NOISE_DISCRETE_GAUSSIAN, PVGI_NOISE_DISCRETE_LAPLACE};
    static int64_t values[COUNT];
    const int64_t scale = 1000000;
    for (int l = 0; l < 4; l++) {
        pvg_rng *rng;
        pvgi_stream stream;
        PVGT_OK(pvg_rng_new_seeded(&rng, 40 + (uint64_t)l));
        PVGT_OK(pvgi_rng_stream_open(&stream, rng));
        pvgi_rng_draw_noise(values, COUNT, tested[l], scale, 1, &stream);
        const bool gaussian = l % 2 == 0;
        const double chi = chi_square(values, (double)scale, gaussian);
        PVGT_CHECK(chi < 15 + 5 * sqrt(30.0), "law %d: chi-square %g", l, chi);
        TEST_ASSERT_TRUE(chi_square(values, (double)scale * 1.05, gaussian) > 80);
        pvgi_rng_stream_close(&stream);
        pvg_rng_free(rng);
    }
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(slow_path_has_the_law);
    return pvgt_end(UNITY_END());
}
