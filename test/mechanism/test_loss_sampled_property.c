/* Sampled Gaussian steps as lists (mechanism/loss_sampled.c), in long double:
 *   steps       one against the closed form, two against quadrature; 1 % less noise is
 * found
 *   directions  the record removed and added, each by itself, at any epsilon
 *   beside      a step and a Gaussian release; everybody joins: Gaussian noise
 *   values      400 steps against sums on a grid of 2e-5, below Renyi divergences
 *   curves      what a curve states, as a list */
#include "loss_help.h"

#include <stdio.h>
#include <stdlib.h>

void setUp(void) {}
void tearDown(void) {}

/* --- sampled steps --------------------------------------------------------------- */

static long double beyond(long double x) {
    return 0.5L * erfcl(x / sqrtl(2));
}

/* Where L(x) = ln(1 - q + q e^(mu x - mu^2/2)) is t; -infinite if it is more everywhere.
 * */
static long double border(long double q, long double mu, long double t) {
    const long double y = expm1l(t) / q;
    return y > -1 ? mu / 2 + log1pl(y) / mu : (long double)-INFINITY;
}

/* delta of one step at any x: the record is in the first world, or (added) in the
 * second. */
static long double step_delta(long double q, long double mu, long double x, bool added) {
    const long double at = border(q, mu, added ? -x : x), e = expl(x);
    if (isinf(at)) return added ? 0 : 1 - e;
    const long double p = (1 - q) * beyond(at) + q * beyond(at - mu), n = beyond(at);
    return added ? (1 - n) - e * (1 - p) : p - e * n;
}

/* Of two steps, or of a step and a Gaussian release of mu2: the mean of the one over the
 * outcomes of the other, by Simpson's rule. */
static long double two_steps(long double q, long double mu, long double x, bool added,
                             long double mu2) {
    enum { POINTS = 8000 };
    const long double low = -12, high = 12 + mu, width = (high - low) / POINTS;
    long double sum = 0;
    for (int i = 0; i <= POINTS; i++) {
        const long double at = low + i * width, weight = i == 0 || i == POINTS ? 1
                                                         : i % 2               ? 4
                                                                               : 2;
        const long double n = expl(-at * at / 2) / sqrtl(2 * acosl(-1));
        const long double ratio = 1 - q + q * expl(mu * at - mu * mu / 2);
        const long double rest = x - (added ? -logl(ratio) : logl(ratio));
        sum += weight * n * (added ? 1 : ratio) *
               (mu2 > 0 ? gaussian_delta(mu2, rest) : step_delta(q, mu, rest, added));
    }
    return sum * width / 3;
}

static const double rates[] = {1e-3, 0.03, 0.3, 0.9, 0.9999},
                    step_mus[] = {0.1, 0.5, 1, 3};

static void check_steps(double q, double mu, int64_t times, double share, int *mutants) {
    const pvg_pld_part part = {.size = sizeof part,
                               .kind = PVG_PLD_SAMPLED,
                               .rate = q,
                               .mu = mu,
                               .times = times};
    pvg_pld_part less = part; /* as if the noise were 1 % larger */
    less.mu /= 1.01;
    pvg_pld *loss = part_of(&part), *lower = part_of(&less);
    const double x = share * q * mu * (1 + mu * mu);
    const long double one = times == 1 ? step_delta(q, mu, x, false)
                                       : two_steps(q, mu, x, false, 0),
                      other = times == 1 ? step_delta(q, mu, x, true)
                                         : two_steps(q, mu, x, true, 0);
    const double exact = (double)fmaxl(one, other), told = delta_of(loss, x);
    char about[200];
    snprintf(about, sizeof about,
             "%d times q %g mu %g at %g: true %.12Lg %.12Lg, told %.17g", (int)times, q,
             mu, x, one, other, told);
    if (exact > 1e-13) { /* else erfcl cancels */
        TEST_ASSERT_TRUE_MESSAGE(told >= exact * (1 - (times == 1 ? 1e-10 : 1e-7)),
                                 about);
        TEST_ASSERT_TRUE_MESSAGE(told <= exact * 1.01 + 1e-3 * q * mu * (1 + mu), about);
        if (times == 1) *mutants += delta_of(lower, x) < exact * (1 - 1e-6);
    }
    pvg_pld_free(loss);
    pvg_pld_free(lower);
}

static void test_sampled_steps(void) {
    int mutants = 0;
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 4; j++)
            for (double share = 0.01; share < 4; share *= 1.9)
                check_steps(rates[i], step_mus[j], 1, share, &mutants);
    TEST_ASSERT_TRUE(mutants > 100);
    for (int i = 1; i < 4; i += 2)
        for (int j = 1; j < 4; j += 2)
            check_steps(rates[i], step_mus[j], 2, 0.5, &mutants);
}

/* Each direction by itself, at any epsilon. */
static void test_directions_of_sampled_steps(void) {
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 4; j++)
            for (int added = 0; added < 2; added++) {
                const double q = rates[i], mu = step_mus[j], size = q * mu * (1 + mu);
                const double h = size / 64;
                const pvg_pld_part part = {.size = sizeof part,
                                           .kind = PVG_PLD_SAMPLED,
                                           .rate = q,
                                           .mu = mu,
                                           .times = 1};
                int64_t low, high;
                pvgi_mechanism_sampled_range(&part, h, &low, &high);
                double *mass = calloc((size_t)(high - low + 1), sizeof *mass);
                const double infinite =
                    pvgi_mechanism_sampled_lay(mass, &part, h, added == 1);
                for (double x = -3 * size; x < 4 * size; x += 0.29 * size) {
                    const int64_t first = added ? -high : low;
                    long double told = infinite, exact = step_delta(q, mu, x, added);
                    for (int64_t k = 0; k <= high - low; k++)
                        if ((double)(first + k) * h > x)
                            told += -expm1l(x - (long double)(first + k) * h) *
                                    (long double)mass[k];
                    char about[160];
                    snprintf(about, sizeof about,
                             "q %g mu %g added %d at %g: true %.15Lg, told %.15Lg", q, mu,
                             added, x, exact, told);
                    if (exact < 1e-13L) continue;
                    TEST_ASSERT_TRUE_MESSAGE(told >= exact * (1 - 1e-12L), about);
                    /* a chord over h is that far above at most */
                    TEST_ASSERT_TRUE_MESSAGE(told <= exact + 0.3L * h, about);
                }
                free(mass);
            }
}

static void test_sampled_beside_others(void) {
    for (int i = 0; i < 5; i++) {
        const double q = rates[i], mu = 0.8, mu2 = 0.4;
        const pvg_pld_part step = {.size = sizeof step,
                                   .kind = PVG_PLD_SAMPLED,
                                   .rate = q,
                                   .mu = mu,
                                   .times = 1},
                           noise = {.size = sizeof noise,
                                    .kind = PVG_PLD_GDP,
                                    .mu = mu2,
                                    .times = 1};
        pvg_pld *list = part_of(&step);
        add(&list, &noise);
        for (double x = 0.1; x < 3; x += 0.4) {
            const double exact = (double)fmaxl(two_steps(q, mu, x, false, mu2),
                                               two_steps(q, mu, x, true, mu2));
            const double told = delta_of(list, x);
            if (exact < 1e-13) continue;
            TEST_ASSERT_TRUE(told >= exact * (1 - 1e-9));
            TEST_ASSERT_TRUE(told <= exact * 1.001 + 1e-9);
        }
        pvg_pld_free(list);
    }
    /* everybody joins: Gaussian noise, exactly */
    const pvg_pld_part all_join = {.size = sizeof all_join,
                                   .kind = PVG_PLD_SAMPLED,
                                   .rate = 1,
                                   .mu = 0.1,
                                   .times = 9},
                       gdp = {.size = sizeof gdp,
                              .kind = PVG_PLD_GDP,
                              .mu = 0.3,
                              .times = 1};
    pvg_pld *a = part_of(&all_join), *b = part_of(&gdp);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, epsilon_of(b, 1e-6), epsilon_of(a, 1e-6));
    pvg_pld_free(a);
    pvg_pld_free(b);
}

/* Never more than by Renyi divergences, and near to what a fine grid gives. */
static void test_sampled_values(void) {
    static const struct {
        double rate, sigma;
        int64_t steps;
        double epsilon; /* at 1e-5, from above and below within 1e-3 */
    } known[] = {{0.026, 1.4023, 400, 1.80524}, {0.5, 3.3223, 100, 7.37735},
                 {0.026, 2.3105, 400, 0.90782}, {0.026, 0.9687, 400, 3.53335},
                 {0.026, 0.7278, 400, 6.99143}, {0.01, 1.5131, 1000, 0.90615}};
    const size_t count = getenv("PVG_SOAK") ? sizeof known / sizeof known[0] : 2;
    for (size_t i = 0; i < count; i++) {
        const pvg_pld_part part = {.size = sizeof part,
                                   .kind = PVG_PLD_SAMPLED,
                                   .rate = known[i].rate,
                                   .mu = 1 / known[i].sigma,
                                   .times = known[i].steps};
        const pvg_curve_term term = {.size = sizeof term,
                                     .kind = PVG_CURVE_SAMPLED,
                                     .rate = part.rate,
                                     .mu = part.mu,
                                     .steps = part.times};
        pvg_pld *loss = part_of(&part);
        pvg_curve *curve = NULL;
        double renyi = 0;
        PVGT_OK(pvg_curve_new(&curve, &term));
        PVGT_OK(pvg_curve_epsilon(&renyi, curve, 1e-5));
        const double told = epsilon_of(loss, 1e-5);
        if (i == 0) { /* the curve as a list */
            pvg_pld *same = NULL;
            PVGT_OK(pvg_curve_pld(&same, curve));
            TEST_ASSERT_EQUAL_DOUBLE(told, epsilon_of(same, 1e-5));
            pvg_pld_free(same);
        }
        printf("q %g sigma %g steps %d: %.5f, by Renyi %.5f\n", part.rate, known[i].sigma,
               (int)part.times, told, renyi);
        TEST_ASSERT_TRUE(told >= known[i].epsilon - 2e-3);
        TEST_ASSERT_TRUE(told <= known[i].epsilon * 1.02 + 2e-3);
        TEST_ASSERT_TRUE(told < renyi);
        pvg_curve_free(curve);
        pvg_pld_free(loss);
    }
}

static void test_curves_as_lists(void) {
    pvg_curve_term pure = {.size = sizeof pure, .kind = PVG_CURVE_PURE, .epsilon = 0.1},
                   gdp = {.size = sizeof gdp, .kind = PVG_CURVE_GDP, .mu = 0.5},
                   zcdp = {.size = sizeof zcdp, .kind = PVG_CURVE_ZCDP, .rho = 0.1},
                   rough = {.size = sizeof rough,
                            .kind = PVG_CURVE_APPROXIMATE,
                            .epsilon = 0.2,
                            .delta = 1e-7};
    pvg_curve *one = NULL, *many = NULL, *noise = NULL, *both = NULL, *all = NULL;
    pvg_pld *loss = NULL;
    double by_curve = 0;
    PVGT_OK(pvg_curve_new(&one, &pure));
    PVGT_OK(pvg_curve_repeat(&many, one, 100));
    PVGT_OK(pvg_curve_new(&noise, &gdp));
    PVGT_OK(pvg_curve_compose(&both, many, noise));
    PVGT_OK(pvg_curve_epsilon(&by_curve, both, 1e-6));
    PVGT_OK(pvg_curve_pld(&loss, both));
    TEST_ASSERT_EQUAL_INT64(2, pvg_pld_count(loss));
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, by_curve, epsilon_of(loss, 1e-6));
    pvg_pld_free(loss);
    pvg_curve_free(noise);
    PVGT_OK(pvg_curve_new(&noise, &rough));
    PVGT_OK(pvg_curve_compose(&all, both, noise));
    PVGT_OK(pvg_curve_epsilon(&by_curve, all, 1e-6));
    PVGT_OK(pvg_curve_pld(&loss, all));
    TEST_ASSERT_TRUE(epsilon_of(loss, 1e-6) < by_curve); /* which only adds 0.2 */
    pvg_pld_free(loss);
    pvg_curve_free(noise);
    PVGT_OK(pvg_curve_new(&noise, &zcdp));
    PVGT_FAILS(PVG_E_ARGUMENT, "Renyi", pvg_curve_pld(&loss, noise));
    TEST_ASSERT_NULL(loss);
    pvg_curve_free(noise);
    pvg_curve_free(all);
    pvg_curve_free(both);
    pvg_curve_free(many);
    pvg_curve_free(one);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_sampled_steps);
    RUN_TEST(test_directions_of_sampled_steps);
    RUN_TEST(test_sampled_beside_others);
    RUN_TEST(test_sampled_values);
    RUN_TEST(test_curves_as_lists);
    return UNITY_END();
}
