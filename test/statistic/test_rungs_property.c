/* The sampler of rungs, walked through every way it can go: each random choice is
 * replaced by all of its outcomes with their chances, so that the law of one trial, and
 * the number of trials, are known to 1e-6. */
#include "statistic/statistic_internal.h"
#include "support.h"

#include <math.h>
#include <setjmp.h>
#include <stdio.h>

/* --- random choices that are counted out ------------------------------------------- */

enum { DEPTH = 200, TWICE = 120000 };

static struct {
    int taken[DEPTH], outcomes[DEPTH];
    int depth, made; /* choices of this way, and made so far */
    double chance;
    uint64_t slots;  /* the bound of the first choice of a trial */
    double twice[3]; /* shares of true, undecided and false among the TWICE */
    uint64_t first[3];
    jmp_buf end;
    bool geometric;
} way;

static const double least = 1e-12;

/* Outcome number taken[made] of `count`; ends the way if it hardly happens. */
static int choose_way(int count) {
    TEST_ASSERT(way.made < DEPTH);
    if (way.made == way.depth) {
        way.taken[way.depth] = 0;
        way.outcomes[way.depth++] = count;
    }
    TEST_ASSERT_EQUAL_INT(count, way.outcomes[way.made]);
    return way.taken[way.made++];
}

static void happens(double chance) {
    way.chance *= chance;
    if (way.chance < least) longjmp(way.end, 2);
}

static uint64_t fake_below(pvgi_stream *stream, uint64_t bound) {
    (void)stream;
    if (bound == TWICE) {
        const int which = choose_way(3);
        happens(way.twice[which]);
        return way.first[which];
    }
    if (bound == way.slots && way.made > 0) longjmp(way.end, 1); /* the next trial */
    const int value = choose_way((int)bound);
    happens(1.0 / (double)bound);
    return (uint64_t)value;
}

static bool either(double chance) {
    const int which = choose_way(2);
    happens(which ? chance : 1.0 - chance);
    return which;
}

static bool fake_bernoulli(pvgi_stream *stream, uint64_t numerator,
                           uint64_t denominator) {
    (void)stream;
    return either((double)numerator / (double)denominator);
}

static bool fake_exp(pvgi_stream *stream, uint64_t numerator, uint64_t denominator) {
    (void)stream;
    return either(exp(-(double)numerator / (double)denominator));
}

static void fake_noise(int64_t *out, int64_t count, pvgi_noise_law law, int64_t numerator,
                       int64_t denominator, pvgi_stream *stream) {
    (void)numerator, (void)denominator, (void)stream;
    TEST_ASSERT(count == 1 && law == PVGI_NOISE_GEOMETRIC);
    *out = 0; /* whatever it is: added up by the caller */
    way.geometric = true;
}

#define pvgi_rng_draw_below         fake_below
#define pvgi_rng_draw_bernoulli     fake_bernoulli
#define pvgi_rng_draw_bernoulli_exp fake_exp
#define pvgi_rng_draw_noise         fake_noise
#include "statistic/rungs.c" /* on these choices */
#undef pvgi_rng_draw_below
#undef pvgi_rng_draw_bernoulli
#undef pvgi_rng_draw_bernoulli_exp
#undef pvgi_rng_draw_noise

void setUp(void) {}
void tearDown(void) {}

/* The next way; false if there is none. */
static bool advance(void) {
    while (way.depth > 0 && way.taken[way.depth - 1] + 1 == way.outcomes[way.depth - 1])
        way.depth--;
    if (way.depth == 0) return false;
    way.taken[way.depth - 1]++;
    return true;
}

/* One way through one trial, or through draw_twice if r is NULL: 0 to its end, 1 not
 * kept, 2 it hardly happens. *out: the rung, or whether it was true. */
static int go(int64_t *out, const pvgi_rungs *r) {
    way.made = 0;
    way.chance = 1.0;
    way.geometric = false;
    const int ended = setjmp(way.end);
    if (ended != 0) return ended;
    int64_t trials = 1;
    *out = r ? pvgi_statistic_draw_rung(r, &trials, NULL) : draw_twice(NULL);
    TEST_ASSERT_EQUAL_INT64(1, trials);
    return 0;
}

/* --- the chance of 2 e^-0.7 --------------------------------------------------------- */

/* All values of its digit, one after another: what each leads to. */
static void twice_is_what_it_says(void) {
    long double chance = 0.0;
    int64_t counts[3] = {0}, kept;
    for (uint64_t u = 0; u < TWICE; u++) {
        int which = -1;
        way.depth = 0;
        way.slots = 0;
        way.twice[0] = 1.0; /* the digit is u, surely */
        way.twice[1] = way.twice[2] = 0.0;
        way.first[0] = u;
        do {
            if (go(&kept, NULL) != 0) continue;
            if (which < 0) which = way.made > 1 ? 1 : kept ? 0 : 2;
            if (kept) chance += way.chance / TWICE;
        } while (advance());
        counts[which]++;
    }
    for (int i = 0; i < 3; i++) way.twice[i] = (double)counts[i] / TWICE;
    way.first[0] = 0;
    way.first[1] = (uint64_t)counts[0];
    way.first[2] = TWICE - 1;
    PVGT_CHECK(fabs((double)chance - 2.0 * exp(-0.7)) < 1e-12, "%.17g is not 2 e^-0.7",
               (double)chance);
}

/* --- the law of a trial ----------------------------------------------------------- */

enum { RUNGS = 400 };

static double weight_of(const pvgi_rungs *r, int64_t t, double a) {
    const double s = (double)(t - 1), most = (double)r->most;
    if (t == 0) return 1.0;
    return 2.0 * exp(-a * (double)t) *
           ((double)r->part[0] + (double)r->part[1] * fmin(s, most) +
            (double)r->part[2] * s * (s - 1.0) / 2.0);
}

/* Expected trials, and how far the law is from the right one and from that of a rate a
 * hundredth larger. */
static double walk_through(const pvgi_rungs *r, double off[2]) {
    static double mass[RUNGS + 1], by_start[RUNGS + 1];
    const double a = (double)r->denominator / (double)r->numerator, y = exp(-a);
    const int64_t period = period_of(r);
    const double rise = (double)(r->most <= period ? r->most : 2 * period);
    double parts = 2.0 * (double)r->part[0] + 2.0 * (double)r->part[1] * rise +
                   2.0 * (double)r->part[2] * rise * rise,
           power = 1.0, kept = 0.0, seen = 0.0;
    for (int k = 1; 0.7 * k <= a && power < parts; k++) power *= 2.0;
    for (int t = 0; t <= RUNGS; t++) mass[t] = by_start[t] = 0.0;
    way.slots = (uint64_t)(power + parts);
    way.depth = 0;
    do {
        int64_t t = 0;
        const int ended = go(&t, r);
        if (ended != 2) seen += way.chance;
        if (ended != 0) continue;
        TEST_ASSERT_EQUAL(t > 0, way.geometric);
        kept += way.chance;
        if (t == 0) mass[0] += way.chance;
        if (t > 0 && t <= RUNGS) by_start[t] += way.chance;
    } while (advance());
    PVGT_CHECK(fabs(seen - 1.0) < 1e-5, "chances add up to %.12g", seen);
    for (int t = 1; t <= RUNGS; t++) /* from each start a geometric number on */
        mass[t] = mass[t - 1] * (t > 1 ? y : 0.0) + by_start[t] * -expm1(-a);
    for (int wrong = 0; wrong < 2; wrong++) {
        const double rate = wrong ? 1.01 * a : a;
        double all = 0.0;
        for (int64_t t = 0; t < 100000; t++) all += weight_of(r, t, rate);
        off[wrong] = 0.0;
        for (int t = 0; t <= RUNGS; t++)
            off[wrong] =
                fmax(off[wrong], fabs(mass[t] / kept - weight_of(r, t, rate) / all));
    }
    return 1.0 / kept;
}

static void every_way_adds_up_to_the_law(void) {
    /* part 0, part 1, part 2, most, numerator, denominator */
    static const int64_t cases[][6] = {
        {3, 1, 0, 5, 10, 1},  /* most below the period of 7 */
        {3, 1, 0, 30, 5, 1},  /* and above it */
        {0, 1, 0, 9, 4, 1},   /* nothing on rung 1 */
        {4, 1, 0, 0, 3, 1},   /* saturated */
        {5, 1, 0, 40, 10, 7}, /* k = 1, exactly */
        {5, 1, 0, 40, 10, 6}, /* k = 0, just */
        {9, 1, 0, 20, 1, 1},        {9, 1, 0, 20, 1, 3},
        {40, 1, 0, 60, 1, 4},       {2, 1, 0, 3, 1, 9},
        {5, 2, 0, INT64_MAX, 2, 1}, /* stars with two leaves */
        {7, 2, 0, INT64_MAX, 1, 2}, {6, 6, 2, INT64_MAX, 2, 1},
        {9, 7, 2, INT64_MAX, 1, 1}, {30, 14, 2, INT64_MAX, 1, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int64_t *c = cases[i];
        const pvgi_rungs r = {.part = {c[0], c[1], c[2]},
                              .most = c[3],
                              .numerator = c[4],
                              .denominator = c[5]};
        double off[2];
        const double trials = walk_through(&r, off), right = off[0], wrong = off[1];
        printf("case %d: off by %.1e, %.2f trials; a hundredth more: off by %.1e\n",
               (int)i, right, trials, wrong);
        PVGT_CHECK(right < 1e-6, "case %d: off by %g", (int)i, right);
        PVGT_CHECK(wrong > 1e-5, "case %d: a wrong rate is off by %g only", (int)i,
                   wrong);
        PVGT_CHECK(trials < 8.0, "case %d: %g trials", (int)i, trials);
    }
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(twice_is_what_it_says);
    RUN_TEST(every_way_adds_up_to_the_law);
    return pvgt_end(UNITY_END());
}
