/* Sums without rounding: the nearest double of the true sum, however its terms are shared
 * out. Oracle: quadruple precision, where that holds the sum exactly. */
#include "base/base_internal.h"
#include "support.h"

#include <math.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

static double sum_of(const double *terms, int64_t count) {
    pvgi_sum sum = {{0}};
    for (int64_t i = 0; i < count; i++) pvgi_sum_add(&sum, terms[i]);
    return pvgi_sum_round(&sum);
}

/* 53 bits, exponents within 40 of each other, 512 terms: 102 bits of 113. */
static void test_nearest_double(void) {
    uint64_t state = 1;
    for (int32_t turn = 0; turn < 2000; turn++) {
        double terms[512];
        const int64_t count = 1 + pvgt_below(&state, 512);
        const int base = (int)pvgt_below(&state, 1800) - 940;
        __float128 exact = 0;
        for (int64_t i = 0; i < count; i++) {
            const double size = (double)(pvgt_random(&state) >> 11);
            terms[i] = ldexp(size, base + (int)pvgt_below(&state, 40));
            if (turn % 2 && pvgt_below(&state, 2)) terms[i] = -terms[i];
            exact += (__float128)terms[i];
        }
        const double want = (double)exact, got = sum_of(terms, count);
        PVGT_CHECK(got == want, "turn %d: %a, not %a", (int)turn, got, want);
    }
}

/* Any way to share terms out gives the same digits. */
static void test_parts_of_sums(void) {
    uint64_t state = 2;
    for (int32_t turn = 0; turn < 300; turn++) {
        pvgi_sum all = {{0}}, parts[5] = {{{0}}}, whole = {{0}};
        for (int64_t i = 0; i < 200; i++) {
            uint64_t bits = pvgt_random(&state);
            double term;
            if ((bits >> 52 & 0x7FF) == 0x7FF) bits ^= UINT64_C(1) << 55;
            memcpy(&term, &bits, sizeof term); /* of any size */
            pvgi_sum_add(&all, term);
            pvgi_sum_add(&parts[pvgt_below(&state, 5)], term);
        }
        for (int p = 0; p < 5; p++) {
            pvgi_sum_carry(&parts[p]);
            for (int k = 0; k < PVGI_SUM_DIGITS; k++) whole.digit[k] += parts[p].digit[k];
        }
        const double a = pvgi_sum_round(&all), b = pvgi_sum_round(&whole);
        PVGT_CHECK(a == b, "turn %d: %a, %a", (int)turn, a, b);
        pvgi_sum_carry(&all);
        pvgi_sum_carry(&whole);
        TEST_ASSERT_EQUAL_MEMORY(&all, &whole, sizeof all);
    }
}

static void test_edges(void) {
    static const double least = 0x1p-1074;
    TEST_ASSERT_TRUE(sum_of(NULL, 0) == 0.0);
    TEST_ASSERT_TRUE(sum_of((double[]){least, least, least}, 3) == 3 * least);
    TEST_ASSERT_TRUE(sum_of((double[]){0x1p-1022, -least}, 2) == 0x1p-1022 - least);
    /* ties go to even, and the least bit far below decides */
    TEST_ASSERT_TRUE(sum_of((double[]){1.0, 0x1p-53}, 2) == 1.0);
    TEST_ASSERT_TRUE(sum_of((double[]){1.0 + 0x1p-52, 0x1p-53}, 2) == 1.0 + 0x1p-51);
    TEST_ASSERT_TRUE(sum_of((double[]){1.0, 0x1p-53, least}, 3) == 1.0 + 0x1p-52);
    TEST_ASSERT_TRUE(sum_of((double[]){1.0, 0x1p-53, -least}, 3) == 1.0);
    TEST_ASSERT_TRUE(sum_of((double[]){0x1p1000, 1.0, -0x1p1000}, 3) == 1.0);
    TEST_ASSERT_TRUE(sum_of((double[]){-1.0, -0x1p-53, -least}, 3) == -1.0 - 0x1p-52);
    const double most = 0x1.fffffffffffffp1023;
    TEST_ASSERT_TRUE(sum_of((double[]){most, most, -most}, 3) == most);
    TEST_ASSERT_TRUE(isinf(sum_of((double[]){most, most}, 2)));
    TEST_ASSERT_TRUE(sum_of((double[]){-most, -most}, 2) == -(double)INFINITY);
    TEST_ASSERT_TRUE(isnan(sum_of((double[]){1.0, (double)INFINITY}, 2)));
    TEST_ASSERT_TRUE(isnan(sum_of((double[]){(double)NAN, 1.0}, 2)));
    TEST_ASSERT_TRUE(sum_of((double[]){1e308, -1e308, 0.0, -0.0}, 4) == 0.0);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(test_nearest_double);
    RUN_TEST(test_parts_of_sums);
    RUN_TEST(test_edges);
    return pvgt_end(UNITY_END());
}
