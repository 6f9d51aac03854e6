/* Skips: the law at fine and coarse rates, on the fast path and with every draw settled
 * in fixed point; the two agree on the same words. A rate off by 5 % must be noticed. */
#define PVGI_SKIP_ERROR      1e9
#define pvgi_rng_draw_chance slow_chance
#define pvgi_rng_skip        slow_skip
#define pvgi_rng_draw_skip   slow_draw_skip
#include "entries.h" /* from inside: handles here may never have left the library */

#include "rng/skip.c"
#undef pvgi_rng_draw_chance
#undef pvgi_rng_skip
#undef pvgi_rng_draw_skip
bool pvgi_rng_draw_chance(pvgi_stream *stream, uint64_t high, uint64_t low);
pvgi_skip pvgi_rng_skip(uint64_t high, uint64_t low);
uint64_t pvgi_rng_draw_skip(const pvgi_skip *skip, pvgi_stream *stream, uint64_t limit);
#include "support.h"

#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

enum { COUNT = 200000, CELLS = 32 };

static const struct {
    uint64_t high, low;
} rates[] = {{UINT64_C(1) << 63, 0},
             {UINT64_C(0x4000000000000001), UINT64_MAX},
             {UINT64_C(1) << 60, 12345},
             {UINT64_C(1) << 44, 7},
             {UINT64_C(1) << 30, UINT64_MAX},
             {1000, 5},
             {0, UINT64_MAX}};
enum { RATES = sizeof rates / sizeof rates[0] };

static pvgi_stream opened(uint64_t seed) {
    pvg_rng *rng;
    pvgi_stream stream;
    PVGT_OK(pvg_rng_new_seeded(&rng, seed));
    PVGT_OK(pvgi_rng_stream_open(&stream, rng));
    pvg_rng_free(rng);
    return stream;
}

/* Cells of about equal probability under the rate (scaled by factor). */
static double chi_square(const uint64_t *values, int count, long double rate) {
    const long double slope = log1pl(-rate);
    double seen[CELLS] = {0}, chi = 0;
    uint64_t edges[CELLS + 1] = {0};
    for (int c = 1; c < CELLS; c++)
        edges[c] = (uint64_t)ceill(logl(1.0L - (long double)c / CELLS) / slope);
    edges[CELLS] = UINT64_MAX;
    for (int i = 0; i < count; i++)
        for (int c = 0; c < CELLS; c++)
            if (values[i] >= edges[c] && values[i] < edges[c + 1]) seen[c]++;
    for (int c = 0; c < CELLS; c++) {
        const long double from = expl(slope * (long double)edges[c]);
        const long double to =
            c + 1 == CELLS ? 0.0L : expl(slope * (long double)edges[c + 1]);
        const double expected = (double)(from - to) * count;
        if (edges[c] < edges[c + 1])
            chi += (seen[c] - expected) * (seen[c] - expected) / expected;
    }
    return chi;
}

static void skips_have_the_law(void) {
    static uint64_t values[COUNT];
    for (int r = 0; r < RATES; r++) {
        const long double rate = ldexpl((long double)rates[r].high, -64) +
                                 ldexpl((long double)rates[r].low, -128);
        for (int slow = 0; slow < 2; slow++) {
            const int count = slow || rates[r].high < 1 << 20 ? 4000 : COUNT;
            pvgi_stream stream = opened(70 + (uint64_t)r);
            const pvgi_skip fast = pvgi_rng_skip(rates[r].high, rates[r].low);
            const pvgi_skip settled = slow_skip(rates[r].high, rates[r].low);
            for (int i = 0; i < count; i++)
                values[i] = slow ? slow_draw_skip(&settled, &stream, INT64_MAX)
                                 : pvgi_rng_draw_skip(&fast, &stream, INT64_MAX);
            if (rates[r].high == 0) { /* success about every 2^64 trials: mostly limit */
                int limited = 0;
                for (int i = 0; i < count; i++) limited += values[i] == INT64_MAX;
                PVGT_CHECK(fabs(limited - count * 0.6065306597) < 8 * sqrt(count * 0.24),
                           "%d of %d at the limit", limited, count);
                continue;
            }
            const double chi = chi_square(values, count, rate);
            PVGT_CHECK(chi < 31 + 6 * sqrt(62.0), "rate %Lg slow %d: %g", rate, slow,
                       chi);
            if (!slow && count == COUNT) {
                const double off = chi_square(values, count, rate * 0.95L);
                PVGT_CHECK(off > 31 + 6 * sqrt(62.0), "rate %Lg: %g", rate, off);
            }
            pvgi_rng_stream_close(&stream);
        }
    }
}

/* The same first word gives the same skip on both paths (the slow one reads on). */
static void both_paths_agree(void) {
    uint64_t state = 5;
    for (int i = 0; i < 8000; i++) {
        pvgi_stream stream = opened(1), copy;
        const uint64_t high = pvgt_random(&state) >> (1 + pvgt_below(&state, 44));
        const uint64_t low = pvgt_random(&state);
        const uint64_t limit = pvgt_random(&state) >> (1 + pvgt_below(&state, 60));
        pvgi_rng_stream_word(&stream);
        uint64_t word = pvgt_random(&state);
        if (i % 8 == 0) word = ~(word >> (20 + i % 30));
        memcpy(stream.buffer + stream.position, &word, 8);
        copy = stream;
        const pvgi_skip fast = pvgi_rng_skip(high, low), slow = slow_skip(high, low);
        const uint64_t a = pvgi_rng_draw_skip(&fast, &stream, limit);
        const uint64_t b = slow_draw_skip(&slow, &copy, limit);
        PVGT_CHECK(a == b, "rate %llx word %llx limit %llu: %llu, %llu",
                   (unsigned long long)high, (unsigned long long)word,
                   (unsigned long long)limit, (unsigned long long)a,
                   (unsigned long long)b);
    }
}

/* A skip that no 64 bits can hold is the limit (sanitized builds watch conversions). */
static void skips_beyond_all_numbers_are_the_limit(void) {
    static const uint64_t words[] = {0, 1, UINT64_C(1) << 40, (UINT64_C(1) << 52) - 1};
    static const uint64_t limits[] = {1, 1000000, INT64_MAX};
    for (int w = 0; w < 4; w++)
        for (int l = 0; l < 3; l++)
            for (int rate = 0; rate < 3; rate++) {
                pvgi_stream stream = opened(1);
                pvgi_rng_stream_word(&stream);
                memcpy(stream.buffer + stream.position, &words[w], 8);
                const pvgi_skip skip = rate == 0   ? pvgi_rng_skip(1, 0)
                                       : rate == 1 ? pvgi_rng_skip(0, UINT64_C(1) << 60)
                                                   : pvgi_rng_skip(0, 1);
                TEST_ASSERT_EQUAL_UINT64(limits[l],
                                         pvgi_rng_draw_skip(&skip, &stream, limits[l]));
            }
}

static void chances_have_their_law(void) {
    int hits = 0;
    pvgi_stream stream = opened(3);
    const uint64_t word = pvgi_rng_stream_word(&stream);
    pvgi_stream copy = stream;
    /* equal first words: the second one decides */
    memcpy(stream.buffer + stream.position, &word, 8);
    copy = stream;
    uint64_t second;
    memcpy(&second, stream.buffer + stream.position + 8, 8);
    TEST_ASSERT_FALSE(pvgi_rng_draw_chance(&stream, word, second));
    TEST_ASSERT_TRUE(pvgi_rng_draw_chance(&copy, word, second + 1));
    for (int i = 0; i < COUNT; i++)
        hits += pvgi_rng_draw_chance(&stream, UINT64_C(1) << 62, 0);
    PVGT_CHECK(abs(hits - COUNT / 4) < 8 * 194, "%d", hits);
    const pvgi_skip never = pvgi_rng_skip(0, 0);
    TEST_ASSERT_EQUAL_UINT64(17, pvgi_rng_draw_skip(&never, &stream, 17));
    TEST_ASSERT_FALSE(slow_chance(&stream, 0, 0));
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(skips_have_the_law);
    RUN_TEST(both_paths_agree);
    RUN_TEST(skips_beyond_all_numbers_are_the_limit);
    RUN_TEST(chances_have_their_law);
    return pvgt_end(UNITY_END());
}
