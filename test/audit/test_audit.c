/* audit: interval bounds against sums, the judge against mechanisms with a known epsilon,
 * the re-identification attack, arguments. */
#include "audit/audit_internal.h"
#include "support.h"

#include <math.h>
#include <privgraph-learn.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

/* P(Binomial(n, p) >= h) by adding the terms. */
static double upper_tail(int n, double p, int h) {
    long double sum = 0;
    for (int k = h; k <= n; k++) {
        long double term = 1;
        for (int i = 0; i < k; i++) term *= (long double)(n - i) / (i + 1) * p;
        sum += term * powl(1 - (long double)p, n - k);
    }
    return (double)sum;
}

static void bounds_invert_the_binomial_tail(void) {
    static const double misses[] = {0.05, 1e-3, 1e-9};
    for (int n = 1; n <= 40; n += 13)
        for (int h = 0; h <= n; h++)
            for (int i = 0; i < 3; i++) {
                const double low = pvgi_audit_lower(h, n, misses[i]);
                const double high = pvgi_audit_upper(h, n, misses[i]);
                TEST_ASSERT_TRUE(low >= 0 && low <= high && high <= 1);
                if (h > 0)
                    PVGT_CHECK(fabs(upper_tail(n, low, h) / misses[i] - 1) < 1e-6,
                               "lower, n=%d h=%d miss=%g", n, h, misses[i]);
                if (h < n)
                    PVGT_CHECK(fabs((1 - upper_tail(n, high, h + 1)) - misses[i]) < 1e-7,
                               "upper, n=%d h=%d miss=%g", n, h, misses[i]);
            }
    double low, high;
    PVGT_OK(pvg_audit_interval(&low, &high, 0, 10, 0.95));
    TEST_ASSERT_EQUAL_DOUBLE(0.0, low);
    TEST_ASSERT_DOUBLE_WITHIN(1e-10, 1 - pow(0.05, 0.1), high);
    PVGT_OK(pvg_audit_interval(&low, &high, 1000000, 1000000, 0.95));
    TEST_ASSERT_EQUAL_DOUBLE(1.0, high);
    TEST_ASSERT_TRUE(low < 1 && low > 0.999996);
}

static double unit(uint64_t *state) {
    return ((double)(pvgt_random(state) >> 11) + 0.5) * 0x1p-53;
}

static double normal(uint64_t *state) {
    const double r = sqrt(-2 * log(unit(state)));
    return r * cos(6.283185307179586 * unit(state));
}

/* Randomised response with epsilon 1: the bound stays below, and comes near. */
static void the_bound_never_exceeds_a_known_epsilon(void) {
    enum { RUNS = 4000, REPEATS = 60 };
    static double first[RUNS], second[RUNS];
    uint64_t state = 9;
    double largest = 0, sum = 0;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        pvg_audit_verdict v = {.size = sizeof v};
        const double flip = 1 / (1 + exp(1.0));
        for (int i = 0; i < RUNS; i++) {
            first[i] = unit(&state) < flip;
            second[i] = unit(&state) >= flip;
        }
        PVGT_OK(pvg_audit_scores(&v, first, second, RUNS, 0, 0.999));
        if (v.epsilon_lower > largest) largest = v.epsilon_lower;
        sum += v.epsilon_lower;
        TEST_ASSERT_TRUE(v.auc > 0.65 && v.auc < 0.8);
    }
    PVGT_CHECK(largest <= 1.0, "%g", largest);
    PVGT_CHECK(sum / REPEATS > 0.75, "%g", sum / REPEATS);
}

/* Gaussian noise: epsilon at delta 1e-5 is 4.377 for mu = 1 (theory.md item 6). */
static void gaussian_scores(void) {
    enum { RUNS = 200000 };
    double *first = malloc(RUNS * sizeof *first), *second = malloc(RUNS * sizeof *second);
    uint64_t state = 10;
    for (int i = 0; i < RUNS; i++) {
        first[i] = normal(&state);
        second[i] = 1 + normal(&state);
    }
    pvg_audit_verdict v = {.size = sizeof v};
    double auc, separation;
    PVGT_OK(pvg_audit_scores(&v, first, second, RUNS, 1e-5, 1 - 1e-9));
    PVGT_OK(pvg_audit_ceiling(&auc, &separation, 1.0));
    TEST_ASSERT_DOUBLE_WITHIN(0.005, auc, v.auc);
    TEST_ASSERT_DOUBLE_WITHIN(0.01, separation, v.separation);
    PVGT_CHECK(v.epsilon_lower > 2.0 && v.epsilon_lower < 4.378, "%g", v.epsilon_lower);
    /* half the noise is found out: mu = 2 passed off as mu = 1 */
    for (int i = 0; i < RUNS; i++) second[i] += 1;
    PVGT_OK(pvg_audit_scores(&v, first, second, RUNS, 1e-5, 1 - 1e-9));
    PVGT_CHECK(v.epsilon_lower > 4.378, "%g", v.epsilon_lower);
    /* the other way round it is found as well */
    PVGT_OK(pvg_audit_scores(&v, second, first, RUNS, 1e-5, 1 - 1e-9));
    PVGT_CHECK(v.epsilon_lower > 4.378, "%g", v.epsilon_lower);
    free(first), free(second);
}

static void extremes(void) {
    double same[40], far[40];
    pvg_audit_verdict v = {.size = sizeof v};
    for (int i = 0; i < 40; i++) same[i] = 3, far[i] = INFINITY;
    PVGT_OK(pvg_audit_scores(&v, same, same, 40, 0, 0.95));
    TEST_ASSERT_EQUAL_DOUBLE(0.0, v.epsilon_lower);
    TEST_ASSERT_EQUAL_DOUBLE(0.5, v.auc);
    TEST_ASSERT_EQUAL_DOUBLE(0.0, v.separation);
    PVGT_OK(pvg_audit_scores(&v, same, far, 40, 0, 0.95));
    TEST_ASSERT_EQUAL_DOUBLE(1.0, v.auc);
    PVGT_CHECK(v.epsilon_lower > 1.2, "%g",
               v.epsilon_lower); /* 20 of 20 against 0 of 20 */
    PVGT_OK(pvg_audit_scores(&v, same, far, 40, 0.999, 0.95));
    TEST_ASSERT_EQUAL_DOUBLE(0.0, v.epsilon_lower);
}

/* --- the game -------------------------------------------------------------------------
 */

typedef struct {
    uint64_t state;
    int64_t calls, stop_at;
} player;

static int32_t play(void *context, int32_t world, int64_t run, double *score) {
    player *p = context;
    if (p->calls++ == p->stop_at) return 1;
    *score = 3 * world + normal(&p->state) + 0.0 * (double)run;
    return 0;
}

static void the_game_is_played_and_can_be_given_up(void) {
    player p = {.state = 3, .stop_at = -1};
    pvg_audit_verdict v = {.size = sizeof v}, untouched;
    PVGT_OK(pvg_audit_game(&v, play, &p, 5000, 0, 0.999, NULL));
    TEST_ASSERT_EQUAL_INT64(10000, p.calls);
    TEST_ASSERT_EQUAL_INT64(5000, v.runs);
    TEST_ASSERT_TRUE(v.auc > 0.97 && v.epsilon_lower > 3);
    untouched = v;
    p = (player){.state = 3, .stop_at = 7};
    PVGT_FAILS(PVG_E_CANCELLED, "gave up in run 3",
               pvg_audit_game(&v, play, &p, 5000, 0, 0.999, NULL));
    TEST_ASSERT_EQUAL_MEMORY(&untouched, &v, sizeof v);
    const pvg_run small = {.size = sizeof small, .scratch_limit = 100};
    PVGT_FAILS(PVG_E_LIMIT, "scratch_limit",
               pvg_audit_game(&v, play, &p, 5000, 0, 0.999, &small));
}

/* --- re-identification ----------------------------------------------------------------
 */

static void reidentification_finds_what_is_near(void) {
    enum { ROWS = 100, COLUMNS = 3 };
    static double known[ROWS * COLUMNS], released[ROWS * COLUMNS];
    uint64_t state = 4;
    double share;
    for (int i = 0; i < ROWS * COLUMNS; i++) known[i] = unit(&state);
    memcpy(released, known, sizeof known);
    PVGT_OK(pvg_audit_reidentify(&share, released, known, ROWS, COLUMNS, 1, NULL));
    TEST_ASSERT_EQUAL_DOUBLE(1.0, share);
    for (int i = 0; i < ROWS * COLUMNS; i++)
        released[i] = known[i] + 0.1 * normal(&state);
    double before = 0;
    for (int top = 1; top <= ROWS; top = top < 10 ? top + 3 : top + 30) {
        int found = 0; /* by sorting nothing: rank of the right one */
        for (int i = 0; i < ROWS; i++) {
            double own = 0;
            int closer = 0;
            for (int k = -1; k < ROWS; k++) {
                double d = 0;
                for (int j = 0; j < COLUMNS; j++) {
                    const double e =
                        released[i * COLUMNS + j] - known[(k < 0 ? i : k) * COLUMNS + j];
                    d += e * e;
                }
                if (k < 0)
                    own = d;
                else if (k != i && d <= own)
                    closer++;
            }
            found += closer < top;
        }
        for (uint32_t threads = 1; threads <= 3; threads++) {
            const pvg_run run = {.size = sizeof run, .threads = threads};
            PVGT_OK(
                pvg_audit_reidentify(&share, released, known, ROWS, COLUMNS, top, &run));
            TEST_ASSERT_EQUAL_DOUBLE(found / 100.0, share);
        }
        TEST_ASSERT_TRUE(share >= before);
        before = share;
    }
    /* identical rows cannot be told apart */
    for (int i = 0; i < ROWS * COLUMNS; i++) known[i] = released[i] = 1;
    PVGT_OK(pvg_audit_reidentify(&share, released, known, ROWS, COLUMNS, 1, NULL));
    TEST_ASSERT_EQUAL_DOUBLE(0.0, share);
}

static void bad_arguments(void) {
    double s[40] = {0}, x, y;
    pvg_audit_verdict v = {.size = sizeof v};
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL", pvg_audit_scores(NULL, s, s, 40, 0, 0.9));
    PVGT_FAILS(PVG_E_ARGUMENT, "runs is less than 20",
               pvg_audit_scores(&v, s, s, 19, 0, 0.9));
    PVGT_FAILS(PVG_E_ARGUMENT, "delta", pvg_audit_scores(&v, s, s, 40, 1, 0.9));
    PVGT_FAILS(PVG_E_ARGUMENT, "delta", pvg_audit_scores(&v, s, s, 40, NAN, 0.9));
    PVGT_FAILS(PVG_E_ARGUMENT, "confidence", pvg_audit_scores(&v, s, s, 40, 0, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "first is NULL",
               pvg_audit_scores(&v, NULL, s, 40, 0, 0.9));
    s[7] = NAN;
    PVGT_FAILS(PVG_E_ARGUMENT, "first[7]", pvg_audit_scores(&v, s, s, 40, 0, 0.9));
    v.size = 3;
    PVGT_FAILS(PVG_E_ARGUMENT, "size", pvg_audit_scores(&v, s, s, 40, 0, 0.9));
    v.size = sizeof v;
    PVGT_FAILS(PVG_E_ARGUMENT, "play is NULL",
               pvg_audit_game(&v, NULL, NULL, 40, 0, 0.9, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "mu", pvg_audit_ceiling(&x, &y, NAN));
    PVGT_FAILS(PVG_E_ARGUMENT, "top", pvg_audit_reidentify(&x, s, s, 2, 2, 3, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "row 3", pvg_audit_reidentify(&x, s, s, 10, 2, 3, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "too large",
               pvg_audit_reidentify(&x, s, s, INT64_MAX, 3, 1, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "hits", pvg_audit_interval(&x, &y, 3, 2, 0.9));
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(bounds_invert_the_binomial_tail);
    RUN_TEST(the_bound_never_exceeds_a_known_epsilon);
    RUN_TEST(gaussian_scores);
    RUN_TEST(extremes);
    RUN_TEST(the_game_is_played_and_can_be_given_up);
    RUN_TEST(reidentification_finds_what_is_near);
    RUN_TEST(bad_arguments);
    return pvgt_end(UNITY_END());
}
