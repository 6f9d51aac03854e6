/* density: elimination at its limits: counts of more than 128 bits, scratch, allocations
 * that fail. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "elim_help.h"

#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

enum { M = PVGI_PATTERN_ORDER };

/* 128 bits are used to the last one, and no further. */
static void test_overflow(void) {
    static pvgt_host host;
    pvgi_small patterns[2] = {pvgt_clique(3), pvgt_clique(3)};
    patterns[1].order = 32; /* a triangle with a tail of 29 vertices */
    for (int32_t v = 3; v < 32; v++) pvgi_pattern_join(&patterns[1], v, v - 1);
    for (int32_t n = 15; n <= 24; n++) {
        pvgt_engine used;
        int64_t which = 5;
        pvgi_u128 exact[2] = {1, 1};
        pvgt_host_clear(&host, n);
        for (int32_t u = 0; u < n; u++)
            for (int32_t v = 0; v < u; v++) pvgt_host_join(&host, u, v);
        pvgt_host_finish(&host, 0);
        pvgt_engine_open(&used, patterns, 2);
        /* n (n-1)^30 (n-2), exactly, if it fits */
        pvgi_u128 expected = (pvgi_u128)n * (pvgi_u128)(n - 2);
        bool fits = true;
        for (int32_t i = 0; i < 30; i++)
            if (__builtin_mul_overflow(expected, (pvgi_u128)(n - 1), &expected))
                fits = false;
        const int32_t status = pvgi_density_elim_count_exact(
            exact, &which, NULL, used.plan, &host.host, used.scratch);
        if (fits) {
            TEST_ASSERT_EQUAL_INT32(PVG_OK, status);
            PVGT_CHECK(exact[1] == expected, "n=%d", n);
        } else {
            TEST_ASSERT_EQUAL_INT32(PVG_E_LIMIT, status);
            TEST_ASSERT_EQUAL_INT64(1, which);
        }
        TEST_ASSERT_TRUE(fits == (n <= 17)); /* 255 * 2^120 */
        pvgt_engine_close(&used);
    }
}

/* A cycle and a clique that do not fit are named; shorter ones in the list are not. */
static void test_overflow_special(void) {
    enum { SIDE = 20000 }; /* a star with 2 SIDE leaves */
    static int64_t offsets[2 * SIDE + 2];
    static int32_t columns[4 * SIDE];
    const int32_t hub = 2 * SIDE;
    int64_t count = 0;
    for (int32_t u = 0; u < 2 * SIDE; u++) {
        offsets[u] = count;
        columns[count++] = hub;
    }
    offsets[hub] = count;
    for (int32_t u = 0; u < 2 * SIDE; u++) columns[count++] = u;
    offsets[hub + 1] = count;
    const pvgi_host host = {hub + 1, 0, offsets, columns};
    pvgi_small patterns[3] = {pvgt_cycle(4), pvgt_cycle(16), pvgt_cycle(18)};
    pvgi_u128 exact[3];
    int64_t which;
    pvgt_engine used;
    pvgt_engine_open(&used, patterns, 3); /* 2 (2 SIDE)^(m/2) */
    PVGT_FAILS(PVG_E_LIMIT, "does not fit",
               pvgi_density_elim_count_exact(exact, &which, NULL, used.plan, &host,
                                             used.scratch));
    TEST_ASSERT_EQUAL_INT64(2, which);
    pvgt_engine_close(&used);
    pvgt_engine_open(&used, patterns, 2);
    PVGT_OK(pvgi_density_elim_count_exact(exact, &which, NULL, used.plan, &host,
                                          used.scratch));
    pvgi_u128 expected = 2;
    for (int32_t i = 0; i < 8; i++) expected *= 2 * SIDE;
    TEST_ASSERT_TRUE(exact[1] == expected);
    pvgt_engine_close(&used);
}

static void test_scratch_limit(void) {
    static pvgt_host host;
    uint64_t seed = 16;
    const pvgi_small pattern = pvgt_random_pattern(10, 3, 14, &seed);
    const pvgi_small *const list[1] = {&pattern};
    pvgi_elim_plan *plan;
    bool failed = false, passed = false;
    pvgt_host_random(&host, 40, 300, &seed);
    PVGT_OK(pvgi_density_elim_compile(&plan, list, 1));
    for (size_t limit = 1; !passed; limit *= 2) {
        pvgi_elim_scratch *scratch;
        double count;
        PVGT_OK(pvgi_density_elim_scratch_new(&scratch, plan, limit));
        const int32_t status =
            pvgi_density_elim_count(&count, NULL, plan, &host.host, scratch);
        if (status == PVG_OK) {
            passed = true;
        } else {
            TEST_ASSERT_EQUAL_INT32(PVG_E_LIMIT, status);
            failed = true;
        }
        pvgi_density_elim_scratch_free(scratch);
    }
    TEST_ASSERT_TRUE(failed);
    pvgi_density_elim_free(plan);
}

typedef struct {
    const pvgi_small *const *list;
    const pvgi_host *host;
    int32_t slices_least;
} oom_input;

static int32_t oom_body(void *context) {
    const oom_input *in = context;
    pvgi_elim_plan *plan = NULL;
    pvgi_elim_scratch *scratch = NULL;
    pvgi_u128 exact[3];
    double real[3], rows[3 * PVGT_HOST_MOST];
    const int32_t roots[3] = {0, 0, 0};
    int64_t which;
    int32_t status = pvgi_density_elim_compile(&plan, in->list, 3);
    if (status == PVG_OK) status = pvgi_density_elim_scratch_new(&scratch, plan, 0);
    if (status == PVG_OK) scratch->slices_least = in->slices_least;
    if (status == PVG_OK) scratch->fixed_price = INFINITY;
    if (status == PVG_OK)
        status = pvgi_density_elim_count(real, NULL, plan, in->host, scratch);
    if (status == PVG_OK)
        status =
            pvgi_density_elim_count_exact(exact, &which, NULL, plan, in->host, scratch);
    if (status == PVG_OK)
        status = pvgi_density_elim_rooted(rows, roots, plan, in->host, scratch);
    pvgi_density_elim_free(plan);
    pvgi_density_elim_scratch_free(scratch);
    return status;
}

static void test_oom(void) {
    static pvgt_host host;
    uint64_t seed = 17;
    const pvgi_small patterns[3] = {pvgt_random_pattern(8, 2, 12, &seed),
                                    pvgt_random_pattern(9, 3, 14, &seed), pvgt_cycle(6)};
    const pvgi_small *const list[3] = {&patterns[0], &patterns[1], &patterns[2]};
    pvgt_host_random(&host, 20, 300, &seed);
    oom_input in = {list, &host.host, INT32_MAX};
    pvgt_oom_walk("elimination", oom_body, &in, 20);
    in.slices_least = 1;
    pvgt_oom_walk("elimination by slices", oom_body, &in, 20);
    const pvgi_small cube = pvgt_cube();
    const pvgi_small *const cubes[3] = {&cube, &patterns[1], &cube};
    in.list = cubes;
    pvgt_oom_walk("cubes", oom_body, &in, 20);
    pvgi_small biclique = {.order = 8};
    for (int32_t i = 0; i < 16; i++) pvgi_pattern_join(&biclique, i / 4, 4 + i % 4);
    const pvgi_small *const fixed[3] = {&biclique, &patterns[1], &patterns[2]};
    in.list = fixed;
    pvgt_oom_walk("fixed vertices", oom_body, &in, 20);
}

/* --- looks whether to stop, by work done ---------------------------------------- */

static int64_t looks, stop_at;
int32_t __real_pvgi_density_elim_report(pvgi_elim_scratch *scratch, double fraction);
int32_t __wrap_pvgi_density_elim_report(pvgi_elim_scratch *scratch, double fraction);
int32_t __wrap_pvgi_density_elim_report(pvgi_elim_scratch *scratch, double fraction) {
    if (++looks == stop_at) return pvgi_fail(PVG_E_CANCELLED, "told to stop");
    return __real_pvgi_density_elim_report(scratch, fraction);
}

static int32_t count_either(pvgt_engine *used, const pvgt_host *host, bool exact) {
    int64_t which;
    looks = 0;
    used->scratch->longest_work = 0;
    return exact ? pvgi_density_elim_count_exact(used->exact, &which, NULL, used->plan,
                                                 &host->host, used->scratch)
                 : pvgi_density_elim_count(used->real, NULL, used->plan, &host->host,
                                           used->scratch);
}

/* A host of few rows is one block, and a step of a plan told how far it is once: a few
 * times in all. Looks come by work instead, at least so many, and after the look that
 * says so nothing goes on. */
static void check_looks(const char *name, const pvgi_small *pattern,
                        const pvgt_host *host, int64_t least, int lanes,
                        double fixed_price) {
    for (int exact = 0; exact < lanes; exact++) {
        pvgt_engine used;
        pvgt_engine_open(&used, pattern, 1);
        used.scratch->fixed_price = fixed_price;
        stop_at = 0;
        PVGT_OK(count_either(&used, host, exact));
        const int64_t all = looks;
        PVGT_CHECK(all >= least, "%s: %lld looks", name, (long long)all);
        PVGT_CHECK(used.scratch->longest_work < 2 * PVGI_ELIM_LOOK, "%s: %lld", name,
                   (long long)used.scratch->longest_work);
        for (stop_at = 1; stop_at <= all; stop_at += 1 + all / 2) {
            TEST_ASSERT_EQUAL_INT32(PVG_E_CANCELLED, count_either(&used, host, exact));
            TEST_ASSERT_EQUAL_INT64(stop_at, looks);
        }
        stop_at = 0;
        pvgt_engine_close(&used);
    }
}

static void test_looks(void) {
    static pvgt_host host;
    uint64_t seed = 3;
    pvgi_small petersen = pvgt_cycle(5);
    petersen.order = 10;
    for (int32_t v = 0; v < 5; v++) {
        pvgi_pattern_join(&petersen, v, v + 5);
        pvgi_pattern_join(&petersen, v + 5, (v + 2) % 5 + 5);
    }
    pvgt_host_random(&host, 34, 500, &seed);
    check_looks("Petersen by tries", &petersen, &host, 60, 1, 0);
    check_looks("Petersen, one vertex fixed", &petersen, &host, 34, 2, INFINITY);
    const pvgi_small seven = pvgt_clique(7);
    pvgt_host_clear(&host, 60);
    for (int32_t u = 0; u < 60; u++)
        for (int32_t v = 0; v < u; v++) pvgt_host_join(&host, u, v);
    pvgt_host_finish(&host, 0);
    check_looks("K7", &seven, &host, 60, 2, 0);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(test_overflow);
    RUN_TEST(test_overflow_special);
    RUN_TEST(test_scratch_limit);
    RUN_TEST(test_oom);
    RUN_TEST(test_looks);
    return pvgt_end(UNITY_END());
}
