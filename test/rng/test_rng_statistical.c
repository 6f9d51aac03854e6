/* Laws of the samplers, by chi-square and by the largest log-ratio of a bin, against the
 * exact probabilities, over the range of scales; whole arrays, first elements, last
 * elements, every lane. Each test must also reject the same sampler with its scale off by
 * 2 %, or it proves nothing. Generators are seeded: a run that passes always passes. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "rng/rng_internal.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

typedef int32_t (*draw_fn)(int64_t *out, int64_t count, int64_t scale, pvg_rng *rng);
/* P(X < edge) and P(X >= edge) for integer edges; scale may be off, hence real. */
typedef long double (*tail_fn)(long double edge, long double scale);

/* --- the exact laws: lower tail L(e) = P(X < e) and upper tail U(e) = P(X >= e) --- */

static long double gauss_lower(long double e, long double s) {
    return 0.5L * erfcl(-(e - 0.5L) / s / sqrtl(2.0L));
}
static long double laplace_lower(long double e, long double s) {
    const long double y = (e - 0.5L) / s;
    return y < 0 ? 0.5L * expl(y) : 1.0L - 0.5L * expl(-y);
}
static long double dlaplace_lower(long double e, long double s) {
    const long double r = expl(-1.0L / s);
    return e <= 0 ? powl(r, 1.0L - e) / (1.0L + r) : 1.0L - powl(r, e) / (1.0L + r);
}
static long double geometric_lower(long double e, long double s) {
    return e <= 0 ? 0.0L : -expm1l(-e / s);
}
/* The discrete Gaussian: a sum where the scale is small; where it is large the sum from a
 * to b-1 is the integral from a-1/2 to b-1/2 up to a factor 1 + O(1/s^2). */
static long double dgauss_lower(long double e, long double s) {
    if (s > 400.0L) return gauss_lower(e, s);
    long double below = 0, all = 0;
    const long reach = (long)(12 * s) + 12;
    for (long k = -reach; k <= reach; k++) {
        const long double w = expl(-(long double)k * (long double)k / (2 * s * s));
        all += w;
        if ((long double)k < e) below += w;
    }
    return below / all;
}

/* --- the samplers under one signature ------------------------------------------- */

static int32_t draw_gauss(int64_t *out, int64_t count, int64_t s, pvg_rng *rng) {
    return pvg_rng_draw_rounded_gaussian(out, count, s, rng);
}
static int32_t draw_laplace(int64_t *out, int64_t count, int64_t s, pvg_rng *rng) {
    return pvg_rng_draw_rounded_laplace(out, count, s, rng);
}
static int32_t draw_dgauss(int64_t *out, int64_t count, int64_t s, pvg_rng *rng) {
    return pvg_rng_draw_discrete_gaussian(out, count, s, rng);
}
static int32_t draw_dlaplace(int64_t *out, int64_t count, int64_t s, pvg_rng *rng) {
    return pvg_rng_draw_discrete_laplace(out, count, s, 1, rng);
}
static int32_t draw_geometric(int64_t *out, int64_t count, int64_t s, pvg_rng *rng) {
    return pvg_rng_draw_geometric(out, count, s, 1, rng);
}
/* scale (3 s) / 7 */
static int32_t draw_dlaplace_ratio(int64_t *out, int64_t count, int64_t s, pvg_rng *rng) {
    return pvg_rng_draw_discrete_laplace(out, count, 3 * s, 7, rng);
}
static long double dlaplace_ratio_lower(long double e, long double s) {
    return dlaplace_lower(e, 3 * s / 7);
}

typedef struct {
    const char *name;
    draw_fn draw;
    tail_fn lower;
    bool one_sided;
} law;

static const law laws[] = {
    {"rounded_gaussian", draw_gauss, gauss_lower, false},
    {"rounded_laplace", draw_laplace, laplace_lower, false},
    {"discrete_gaussian", draw_dgauss, dgauss_lower, false},
    {"discrete_laplace", draw_dlaplace, dlaplace_lower, false},
    {"discrete_laplace_ratio", draw_dlaplace_ratio, dlaplace_ratio_lower, false},
    {"geometric", draw_geometric, geometric_lower, true},
};
enum { LAWS = sizeof laws / sizeof laws[0] };

/* --- the test ------------------------------------------------------------------- */

enum { BINS_MAX = 64 };

typedef struct {
    double z;         /* chi-square as a standard normal (Wilson-Hilferty) */
    double worst_bin; /* largest |log(observed / expected)| in standard deviations */
} verdict;

/* Bins of about equal width in units of the scale, at least one integer each, from -4 to
 * 4 scales (0 to 8 one-sided), with open ends. */
static int make_edges(long double *edges, const law *l, int64_t scale) {
    int count = 0;
    const double width = 8.0 / (BINS_MAX - 2);
    for (int i = 0; i <= BINS_MAX - 2; i++) {
        const long double e =
            floorl((long double)scale * ((l->one_sided ? 0 : -4) + width * i)) +
            (l->one_sided && i == 0 ? 1 : 0);
        if (count == 0 || e > edges[count - 1]) edges[count++] = e;
    }
    return count;
}

typedef struct {
    long double edges[BINS_MAX];
    int edge_count;
    double observed[BINS_MAX + 1], total; /* bin = number of edges <= value */
} histogram;

static histogram sort_into_bins(const law *l, const int64_t *values, int64_t count,
                                int64_t stride, int64_t scale) {
    histogram h = {.edge_count = 0};
    h.edge_count = make_edges(h.edges, l, scale);
    for (int64_t i = 0; i < count; i += stride, h.total++) {
        int low = 0, high = h.edge_count;
        while (low < high) {
            const int middle = (low + high) / 2;
            if ((long double)values[i] >= h.edges[middle])
                low = middle + 1;
            else
                high = middle;
        }
        h.observed[low]++;
    }
    return h;
}

static verdict judge(const law *l, const histogram *h, int64_t scale, double factor) {
    verdict v = {0, 0};
    double chi = 0, kept_observed = 0, kept_expected = 0;
    int degrees = -1;
    long double before = 0;
    for (int bin = 0; bin <= h->edge_count; bin++) {
        const long double upto =
            bin < h->edge_count ? l->lower(h->edges[bin], (long double)scale * factor)
                                : 1.0L;
        kept_observed += h->observed[bin];
        kept_expected += (double)((upto - before) * h->total);
        before = upto;
        if (kept_expected < 60 && bin < h->edge_count) continue; /* join thin bins */
        if (kept_expected < 1e-6) continue;
        const double difference = kept_observed - kept_expected;
        chi += difference * difference / kept_expected;
        const double ratio = fabs(log((kept_observed + 0.5) / (kept_expected + 0.5))) *
                             sqrt(kept_expected);
        if (ratio > v.worst_bin) v.worst_bin = ratio;
        degrees++;
        kept_observed = kept_expected = 0;
    }
    if (degrees < 1) degrees = 1;
    const double spread = 2.0 / (9.0 * degrees);
    v.z = (cbrt(chi / degrees) - (1 - spread)) / sqrt(spread);
    return v;
}

static const double pass_below = 4.5; /* 3e-6 per test, seeds fixed */

static void check_law(const law *l, const int64_t *values, int64_t count, int64_t stride,
                      int64_t scale, const char *what) {
    const histogram h = sort_into_bins(l, values, count, stride, scale);
    const verdict right = judge(l, &h, scale, 1.0);
    PVGT_CHECK(right.z < pass_below && right.worst_bin < 5.5,
               "%s scale %lld %s: z %.2f worst bin %.2f", l->name, (long long)scale, what,
               right.z, right.worst_bin);
    for (int i = 0; i < 2; i++) {
        const double factor = i ? 1.02 : 0.98;
        const verdict wrong = judge(l, &h, scale, factor);
        PVGT_CHECK(wrong.z > pass_below, "%s scale %lld %s: 2 %% off passes, z %.2f",
                   l->name, (long long)scale, what, wrong.z);
    }
}

static int64_t samples(void) {
    return pvgt_soak() ? 20000000 : 600000;
}

static void laws_hold_over_the_range_of_scales(void) {
    static const int64_t scales[] = {1,
                                     2,
                                     3,
                                     10,
                                     100,
                                     1000,
                                     65537,
                                     (int64_t)1 << 20,
                                     ((int64_t)1 << 33) + 1,
                                     (int64_t)1 << 48};
    const int64_t count = samples();
    int64_t *values = malloc((size_t)count * sizeof *values);
    TEST_ASSERT_NOT_NULL(values);
    for (int l = 0; l < LAWS; l++) {
        pvg_rng *rng;
        PVGT_OK(pvg_rng_new_seeded(&rng, 1000 + (uint64_t)l));
        for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++) {
            const int64_t scale =
                l == 4 && scales[i] == (int64_t)1 << 48 ? (int64_t)1 << 46 : scales[i];
            PVGT_OK(laws[l].draw(values, count, scale, rng));
            check_law(&laws[l], values, count, 1, scale, "whole array");
        }
        pvg_rng_free(rng);
    }
    free(values);
}

/* The sampler itself run 2 % off, not only the expectation. */
static void a_sampler_with_a_wrong_scale_is_rejected(void) {
    const int64_t count = samples();
    int64_t *values = malloc((size_t)count * sizeof *values);
    pvg_rng *rng;
    TEST_ASSERT_NOT_NULL(values);
    PVGT_OK(pvg_rng_new_seeded(&rng, 77));
    for (int l = 0; l < LAWS; l++)
        for (int64_t scale = 100; scale < (int64_t)1 << 40; scale *= 1000003) {
            PVGT_OK(laws[l].draw(values, count, scale * 102 / 100, rng));
            const histogram h = sort_into_bins(&laws[l], values, count, 1, scale);
            TEST_ASSERT_TRUE(judge(&laws[l], &h, scale, 1.0).z > 6);
        }
    pvg_rng_free(rng);
    free(values);
}

enum { SHORT = 11, LANES_TESTED = 8 };

static void first_last_and_every_lane_have_the_law(void) {
    const int64_t calls = pvgt_soak() ? 4000000 : 500000, scale = 50;
    int64_t *first = malloc((size_t)calls * 8), *last = malloc((size_t)calls * 8);
    const int64_t lane_count = LANES_TESTED * calls;
    int64_t *lanes = malloc((size_t)lane_count * 8);
    TEST_ASSERT_TRUE(first && last && lanes);
    for (int l = 0; l < LAWS; l++) {
        pvg_rng *rng;
        PVGT_OK(pvg_rng_new_seeded(&rng, 300 + (uint64_t)l));
        for (int64_t i = 0; i < calls; i++) {
            int64_t values[SHORT];
            PVGT_OK(laws[l].draw(values, SHORT, scale, rng));
            first[i] = values[0];
            last[i] = values[SHORT - 1];
        }
        check_law(&laws[l], first, calls, 1, scale, "first element");
        check_law(&laws[l], last, calls, 1, scale, "last element");
        PVGT_OK(laws[l].draw(lanes, lane_count, scale, rng));
        for (int lane = 0; lane < LANES_TESTED; lane++)
            check_law(&laws[l], lanes + lane, lane_count - lane, LANES_TESTED, scale,
                      "lane");
        pvg_rng_free(rng);
    }
    free(first), free(last), free(lanes);
}

/* Neighbouring values are uncorrelated, in value and in size. */
static void neighbours_are_independent(void) {
    const int64_t count = samples();
    int64_t *values = malloc((size_t)count * sizeof *values);
    TEST_ASSERT_NOT_NULL(values);
    for (int l = 0; l < LAWS; l++) {
        pvg_rng *rng;
        PVGT_OK(pvg_rng_new_seeded(&rng, 500 + (uint64_t)l));
        PVGT_OK(laws[l].draw(values, count, 1000, rng));
        for (int lag = 1; lag <= 9; lag += 4) {
            double mean = 0, size = 0, var = 0, size_var = 0, product = 0, sizes = 0;
            for (int64_t i = 0; i < count; i++) {
                mean += (double)values[i];
                size += fabs((double)values[i]);
            }
            mean /= (double)count, size /= (double)count;
            for (int64_t i = 0; i + lag < count; i++) {
                const double a = (double)values[i] - mean,
                             b = (double)values[i + lag] - mean;
                const double p = fabs((double)values[i]) - size;
                const double q = fabs((double)values[i + lag]) - size;
                product += a * b, var += a * a, sizes += p * q, size_var += p * p;
            }
            const double z = product / var * sqrt((double)count);
            const double y = sizes / size_var * sqrt((double)count);
            PVGT_CHECK(fabs(z) < 5 && fabs(y) < 5, "%s lag %d: %.2f %.2f", laws[l].name,
                       lag, z, y);
        }
        pvg_rng_free(rng);
    }
    free(values);
}

/* --- coins ---------------------------------------------------------------------- */

static double coin_z(double ones, double count, double p) {
    return (ones - count * p) / sqrt(count * p * (1 - p));
}

static void flips_have_their_probability_in_every_lane(void) {
    static const double epsilons[] = {0.1, 1.0, 3.0};
    enum { BITS = 203 }; /* not a multiple of 64: the last bit sits inside a word */
    const int64_t calls = pvgt_soak() ? 2000000 : 200000;
    for (int e = 0; e < 3; e++) {
        uint64_t threshold;
        pvg_rng *rng;
        double ones[BITS] = {0}, pairs = 0;
        PVGT_OK(pvg_rng_new_seeded(&rng, 900 + (uint64_t)e));
        PVGT_OK(pvg_rng_flip_threshold(&threshold, epsilons[e]));
        const double p = 1 / (1 + exp(epsilons[e]));
        for (int64_t i = 0; i < calls; i++) {
            uint64_t words[4];
            PVGT_OK(pvg_rng_draw_flips(words, BITS, threshold, rng));
            TEST_ASSERT_EQUAL_UINT64(0, words[3] >> (BITS - 192));
            for (int bit = 0; bit < BITS; bit++)
                ones[bit] += (double)(words[bit / 64] >> bit % 64 & 1);
            pairs += __builtin_popcountll(words[0] & words[1]);
        }
        double all = 0;
        for (int bit = 0; bit < BITS; bit++) {
            const double z = coin_z(ones[bit], (double)calls, p);
            PVGT_CHECK(fabs(z) < 5, "epsilon %g bit %d: z %.2f", epsilons[e], bit, z);
            all += ones[bit];
        }
        const double n = (double)calls * BITS;
        PVGT_CHECK(fabs(coin_z(all, n, p)) < 4, "epsilon %g", epsilons[e]);
        /* a probability 2 % off is rejected */
        TEST_ASSERT_TRUE(fabs(coin_z(all, n, p * 1.02)) > 6);
        TEST_ASSERT_TRUE(fabs(coin_z(all, n, p * 0.98)) > 6);
        PVGT_CHECK(fabs(coin_z(pairs, (double)calls * 64, p * p)) < 5,
                   "pairs, epsilon %g", epsilons[e]);
        pvg_rng_free(rng);
    }
}

static void coins_have_their_probability(void) {
    static const struct {
        uint64_t a, b;
    } ratios[] = {{1, 2},
                  {1, 3},
                  {999, 1000},
                  {1, 50},
                  {7, 3},
                  {5, 1},
                  {UINT64_MAX / 3, UINT64_MAX}};
    const int64_t count = samples();
    uint8_t *coins = malloc((size_t)count);
    pvg_rng *rng;
    TEST_ASSERT_NOT_NULL(coins);
    PVGT_OK(pvg_rng_new_seeded(&rng, 600));
    for (size_t i = 0; i < sizeof ratios / sizeof ratios[0]; i++)
        for (int exponential = 0; exponential < 2; exponential++) {
            const double ratio = (double)ratios[i].a / (double)ratios[i].b;
            if (!exponential && ratio > 1) continue;
            const double p = exponential ? exp(-ratio) : ratio;
            if (exponential)
                PVGT_OK(pvg_rng_draw_bernoulli_exp(coins, count, ratios[i].a, ratios[i].b,
                                                   rng));
            else
                PVGT_OK(
                    pvg_rng_draw_bernoulli(coins, count, ratios[i].a, ratios[i].b, rng));
            double ones = 0;
            for (int64_t j = 0; j < count; j++) ones += coins[j];
            PVGT_CHECK(fabs(coin_z(ones, (double)count, p)) < 4.5, "%g exp %d: %.2f",
                       ratio, exponential, coin_z(ones, (double)count, p));
            /* a 25 % change of the rarer side is seen even at the rarest of these */
            const double off = p < 0.5 ? p * 1.25 : 1 - (1 - p) * 1.25;
            TEST_ASSERT_TRUE(fabs(coin_z(ones, (double)count, off)) > 4.5);
        }
    pvg_rng_free(rng);
    free(coins);
}

static void below_is_uniform(void) {
    static const uint64_t bounds[] = {2, 3, 7, 64, 100};
    const int64_t count = samples();
    uint64_t *values = malloc((size_t)count * sizeof *values);
    pvg_rng *rng;
    TEST_ASSERT_NOT_NULL(values);
    PVGT_OK(pvg_rng_new_seeded(&rng, 610));
    for (size_t i = 0; i < 5; i++) {
        double seen[100] = {0}, chi = 0;
        PVGT_OK(pvg_rng_draw_below(values, count, bounds[i], rng));
        for (int64_t j = 0; j < count; j++) {
            TEST_ASSERT_TRUE(values[j] < bounds[i]);
            seen[values[j]]++;
        }
        const double expected = (double)count / (double)bounds[i];
        for (uint64_t v = 0; v < bounds[i]; v++)
            chi += (seen[v] - expected) * (seen[v] - expected) / expected;
        const double df = (double)bounds[i] - 1;
        PVGT_CHECK(chi < df + 6 * sqrt(2 * df) + 6, "bound %d: %g", (int)bounds[i], chi);
    }
    /* a bound just above 2^63 rejects half of all words: the place where modulo bias
     * shows */
    const uint64_t bound = ((uint64_t)1 << 63) + ((uint64_t)1 << 62);
    double high = 0;
    PVGT_OK(pvg_rng_draw_below(values, count, bound, rng));
    for (int64_t j = 0; j < count; j++) {
        TEST_ASSERT_TRUE(values[j] < bound);
        high += values[j] >= bound / 3;
    }
    PVGT_CHECK(fabs(coin_z(high, (double)count, 2.0 / 3)) < 4.5, "large bound %g", high);
    pvg_rng_free(rng);
    free(values);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(laws_hold_over_the_range_of_scales);
    RUN_TEST(a_sampler_with_a_wrong_scale_is_rejected);
    RUN_TEST(first_last_and_every_lane_have_the_law);
    RUN_TEST(neighbours_are_independent);
    RUN_TEST(flips_have_their_probability_in_every_lane);
    RUN_TEST(coins_have_their_probability);
    RUN_TEST(below_is_uniform);
    return pvgt_end(UNITY_END());
}
