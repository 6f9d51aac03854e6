/* Lists that are composed exactly (mechanism/loss.c, mechanism/account_equal.c), against
 * sums over all outcomes in long double:
 *   outcomes   random lists of randomised response, integer Laplace and integer Gaussian
 *              noise: never below the true delta, and close to it; the same list with
 *              losses rounded down to the lattice is below it and is found
 *   Gaussian   equal pure terms beside Gaussian noise
 *   Laplace    the closed form, and integer noise of a large scale
 *   values     those that are known
 *   parts      what mechanisms say of themselves against the integers they draw
 *   growth     orders, repetitions and compositions of the same list agree */
#include "entries.h" /* a mechanism is looked into */
#include "loss_help.h"

#include <stdio.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

/* --- the truth: outcomes one by one --------------------------------------------- */

enum { OUTCOMES = 1 << 17 };
typedef struct {
    long double p, q;
} outcome;

/* Outcomes of one part, P and Q. */
static int outcomes_of(outcome *out, const pvg_pld_part *part) {
    int n = 0;
    if (part->kind == PVG_PLD_PURE) {
        const long double p = 1 / (1 + expl(-(long double)part->epsilon));
        out[n++] = (outcome){p, 1 - p};
        out[n++] = (outcome){1 - p, p};
        return n;
    }
    const int far = (int)(part->kind == PVG_PLD_DISCRETE_LAPLACE ? 40 * part->scale
                                                                 : 12 * part->scale) +
                    1 + (int)part->shift;
    long double sum = 0;
    const long double b = part->scale;
    for (int pass = 0; pass < 2; pass++)
        for (int x = -far; x <= far; x++) {
            const long double y = x - (int)part->shift;
            const bool laplace = part->kind == PVG_PLD_DISCRETE_LAPLACE;
            const long double p =
                laplace ? expl(-fabsl((long double)x) / b) : expl(-0.5L * x * x / b / b);
            const long double q =
                laplace ? expl(-fabsl(y) / b) : expl(-0.5L * y * y / b / b);
            if (pass == 0)
                sum += p;
            else
                out[n++] = (outcome){p / sum, q / sum};
        }
    return n;
}

static outcome all[OUTCOMES], next[OUTCOMES], single[OUTCOMES];

static int truth_of(const pvg_pld_part *parts, int count) {
    int size = 1;
    all[0] = (outcome){1, 1};
    for (int i = 0; i < count; i++)
        for (int64_t t = 0; t < parts[i].times; t++) {
            const int n = outcomes_of(single, &parts[i]);
            TEST_ASSERT_TRUE(size * n <= OUTCOMES);
            for (int a = 0; a < size; a++)
                for (int b = 0; b < n; b++)
                    next[a * n + b] =
                        (outcome){all[a].p * single[b].p, all[a].q * single[b].q};
            size *= n;
            memcpy(all, next, (size_t)size * sizeof all[0]);
        }
    return size;
}

static double true_delta(int size, double epsilon) {
    const long double factor = expl((long double)epsilon);
    long double sum = 0;
    for (int i = 0; i < size; i++)
        if (all[i].p > factor * all[i].q) sum += all[i].p - factor * all[i].q;
    return (double)sum;
}

static double uniform(uint64_t *state, double low, double high) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return low + (high - low) * (double)(*state >> 11) * 0x1p-53;
}

static void test_outcomes(void) {
    uint64_t state = 20261117;
    int mutants = 0;
    for (int round = 0; round < pvgt_turns(32); round++) {
        pvg_pld_part parts[4];
        pvg_pld *list = NULL, *lower = NULL;
        double sum = 0;
        int64_t outcomes = 1;
        const int count = 1 + round % 4;
        char about[200];
        for (int i = 0; i < count; i++) {
            const int kind = (int)uniform(&state, 0, 3);
            parts[i] = (pvg_pld_part){.size = sizeof parts[i], .times = 1};
            if (kind == 0 || outcomes > 1) {
                parts[i].kind = PVG_PLD_PURE;
                parts[i].epsilon = exp(uniform(&state, -3, 0.7));
                parts[i].times = 1 + (int64_t)uniform(&state, 0, 3);
                outcomes <<= parts[i].times;
            } else {
                parts[i].kind =
                    kind == 1 ? PVG_PLD_DISCRETE_LAPLACE : PVG_PLD_DISCRETE_GAUSSIAN;
                parts[i].scale = uniform(&state, 0.7, 4);
                parts[i].shift = 1 + (int64_t)uniform(&state, 0, 3);
                outcomes = 400;
            }
            const double size = parts[i].epsilon > 0
                                    ? parts[i].epsilon
                                    : (double)parts[i].shift / parts[i].scale;
            sum += size * (double)parts[i].times;
            add(&list, &parts[i]);
            pvg_pld_part less = parts[i]; /* as if rounded down to 1/256 of itself */
            if (less.epsilon > 0)
                less.epsilon *= 1 - 1 / 256.0;
            else
                less.scale /= 1 - 1 / 256.0;
            add(&lower, &less);
        }
        const int size = truth_of(parts, count);
        for (double share = 0; share < 1; share += 0.0625) {
            const double epsilon = share * sum, exact = true_delta(size, epsilon);
            const double told = delta_of(list, epsilon);
            snprintf(about, sizeof about,
                     "round %d, %d parts, kind %d epsilon %g scale %g shift %lld, at %g: "
                     "true %.17g, told %.17g",
                     round, count, parts[0].kind, parts[0].epsilon, parts[0].scale,
                     (long long)parts[0].shift, epsilon, exact, told);
            TEST_ASSERT_TRUE_MESSAGE(told >= exact * (1 - 1e-15), about);
            if (exact > 1e-9)
                TEST_ASSERT_TRUE_MESSAGE(told <= exact * 1.02 + 1e-4, about);
            mutants += exact > 1e-12 && delta_of(lower, epsilon) < exact * (1 - 1e-15);
            if (exact > 1e-20) {
                const double back = epsilon_of(list, told);
                TEST_ASSERT_TRUE_MESSAGE(back <= epsilon * (1 + 1e-9) + 1e-12, about);
                TEST_ASSERT_TRUE_MESSAGE(delta_of(list, back) <= told, about);
            }
        }
        pvg_pld_free(list);
        pvg_pld_free(lower);
    }
    PVGT_CHECK(mutants > pvgt_turns(250), "%d mutants", mutants);
}

/* --- equal pure terms beside Gaussian noise ------------------------------------- */

static void test_gaussian_beside_equal_pure(void) {
    static const double sizes[] = {0.01, 0.1, 0.5, 1.3}, mus[] = {0, 0.03, 0.4, 2};
    static const int64_t counts[] = {1, 2, 7, 100, 3000};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 5; k++) {
                const int64_t n = counts[k];
                const double each = sizes[i], mu = mus[j];
                pvg_curve_term pure = {.size = sizeof pure,
                                       .kind = PVG_CURVE_PURE,
                                       .epsilon = each},
                               noise = {
                                   .size = sizeof noise, .kind = PVG_CURVE_GDP, .mu = mu};
                pvg_curve *one = NULL, *many = NULL, *gdp = NULL, *curve = NULL;
                TEST_ASSERT_EQUAL_INT32(PVG_OK, pvg_curve_new(&one, &pure));
                TEST_ASSERT_EQUAL_INT32(PVG_OK, pvg_curve_repeat(&many, one, n));
                curve = many;
                if (mu > 0) {
                    TEST_ASSERT_EQUAL_INT32(PVG_OK, pvg_curve_new(&gdp, &noise));
                    TEST_ASSERT_EQUAL_INT32(PVG_OK, pvg_curve_compose(&curve, many, gdp));
                }
                const double spread = sqrt((double)n * each * each + mu * mu);
                const double middle = (double)n * each * tanh(each / 2) + mu * mu / 2;
                for (double z = -1; z <= 6; z += 1) {
                    const double x = middle + z * spread;
                    if (!(x >= 0 && (mu > 0 || x < (double)n * each * 0.999))) continue;
                    const long double p = 1 / (1 + expl(-(long double)each));
                    long double exact = 0;
                    for (int64_t h = 0; h <= n; h++) {
                        const long double weight = expl(
                            lgammal(n + 1.0L) - lgammal(h + 1.0L) -
                            lgammal(n - h + 1.0L) + h * logl(p) + (n - h) * log1pl(-p));
                        const long double rest = x - (2.0L * h - n) * each;
                        exact += weight * (mu > 0     ? gaussian_delta(mu, rest)
                                           : rest < 0 ? -expm1l(rest)
                                                      : 0);
                    }
                    double told = -1, epsilon = -1;
                    char about[200];
                    TEST_ASSERT_EQUAL_INT32(PVG_OK, pvg_curve_delta(&told, curve, x));
                    snprintf(about, sizeof about,
                             "%lld x %g, mu %g, at %g: true %.12Lg, told %.17g",
                             (long long)n, each, mu, x, exact, told);
                    if (exact < 1e-13L) continue; /* erfcl cancels */
                    TEST_ASSERT_TRUE_MESSAGE(told >= (double)exact * (1 - 1e-9), about);
                    TEST_ASSERT_TRUE_MESSAGE(told <= (double)exact * (1 + 1e-6), about);
                    TEST_ASSERT_EQUAL_INT32(PVG_OK,
                                            pvg_curve_epsilon(&epsilon, curve, told));
                    TEST_ASSERT_TRUE_MESSAGE(fabs(epsilon - x) <= 1e-6 * (1 + x), about);
                }
                if (curve != many) pvg_curve_free(curve);
                pvg_curve_free(many);
                pvg_curve_free(one);
                pvg_curve_free(gdp);
            }
}

/* --- Laplace --------------------------------------------------------------------- */

static void test_laplace(void) {
    for (double e = 0.03; e < 20; e *= pvgt_turns(3) < 3 ? 5 : 1.7) {
        const pvg_pld_part part = {
            .size = sizeof part, .kind = PVG_PLD_LAPLACE, .epsilon = e, .times = 1};
        pvg_pld *loss = part_of(&part);
        for (double share = 0; share < 1; share += 0.09) {
            const double exact = -expm1(0.5 * (share - 1) * e);
            const double told = delta_of(loss, share * e);
            TEST_ASSERT_TRUE(told >= exact * (1 - 1e-14));
            /* a chord over h = e / 256 is h^2 / 32 above the curve at most */
            TEST_ASSERT_TRUE(told <= exact * 1.0001 + e * e / 65536 / 32 + 1e-9);
        }
        pvg_pld_free(loss);
    }
    /* a list of three sizes, against integer noise that is all but continuous */
    pvg_pld *real = NULL, *whole = NULL;
    for (int i = 1; i <= 3; i++) {
        const pvg_pld_part a = {.size = sizeof a,
                                .kind = PVG_PLD_LAPLACE,
                                .epsilon = 0.17 * i,
                                .times = 5 * i},
                           b = {.size = sizeof b,
                                .kind = PVG_PLD_DISCRETE_LAPLACE,
                                .shift = 170 * i,
                                .scale = 1000,
                                .times = 5 * i};
        add(&real, &a);
        add(&whole, &b);
    }
    for (double delta = 1e-12; delta < 0.1; delta *= pvgt_turns(3) < 3 ? 1e12 : 1e4) {
        const double a = epsilon_of(real, delta), b = epsilon_of(whole, delta);
        TEST_ASSERT_TRUE(fabs(a - b) <= 1e-3 * a);
    }
    pvg_pld_free(real);
    pvg_pld_free(whole);
}

static void test_known_values(void) {
    pvg_curve_term term = {.size = sizeof term, .kind = PVG_CURVE_PURE, .epsilon = 0.1};
    pvg_curve *one = NULL, *sum = NULL;
    double by_curve = 0, by_total = 0;
    TEST_ASSERT_EQUAL_INT32(PVG_OK, pvg_curve_new(&one, &term));
    TEST_ASSERT_EQUAL_INT32(PVG_OK, pvg_curve_repeat(&sum, one, 100));
    TEST_ASSERT_EQUAL_INT32(PVG_OK, pvg_curve_epsilon(&by_curve, sum, 1e-6));
    TEST_ASSERT_DOUBLE_WITHIN(5e-4, 4.775, by_curve);
    /* the same, told at once */
    term.epsilon = 10;
    term.steps = 100;
    pvg_curve_free(sum);
    TEST_ASSERT_EQUAL_INT32(PVG_OK, pvg_curve_new(&sum, &term));
    TEST_ASSERT_EQUAL_INT32(PVG_OK, pvg_curve_epsilon(&by_total, sum, 1e-6));
    TEST_ASSERT_DOUBLE_WITHIN(1e-8, by_curve, by_total);
    pvg_curve_free(sum);
    pvg_curve_free(one);
    const pvg_pld_part pure = {
        .size = sizeof pure, .kind = PVG_PLD_PURE, .epsilon = 0.1, .times = 100};
    pvg_pld *loss = part_of(&pure);
    TEST_ASSERT_DOUBLE_WITHIN(1e-8, by_curve, epsilon_of(loss, 1e-6));
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 10.0, epsilon_of(loss, 0));
    TEST_ASSERT_EQUAL_DOUBLE(0.0, delta_of(loss, 10.1));
    pvg_pld_free(loss);
    /* what is told with probability delta stays told */
    const pvg_pld_part rough = {.size = sizeof rough,
                                .kind = PVG_PLD_APPROXIMATE,
                                .epsilon = 0.5,
                                .delta = 1e-3,
                                .times = 2};
    loss = part_of(&rough);
    TEST_ASSERT_TRUE(isinf(epsilon_of(loss, 1.99e-3)));
    TEST_ASSERT_TRUE(epsilon_of(loss, 2.01e-3) <= 1.0);
    pvg_pld_free(loss);
}

/* The largest epsilon of n equal pure releases. */
static void test_solve_for_equal_pure(void) {
    for (int64_t n = 1; n <= 1000; n = n * 3 + 1) {
        const pvg_curve_term wanted = {
            .size = sizeof wanted, .kind = PVG_CURVE_PURE, .steps = n};
        pvg_curve_term term = wanted;
        double epsilon = 0, more = 0;
        pvg_curve *curve = NULL;
        TEST_ASSERT_EQUAL_INT32(PVG_OK, pvg_curve_solve(&term.epsilon, &wanted, 2, 1e-6));
        TEST_ASSERT_EQUAL_INT32(PVG_OK, pvg_curve_new(&curve, &term));
        TEST_ASSERT_EQUAL_INT32(PVG_OK, pvg_curve_epsilon(&epsilon, curve, 1e-6));
        pvg_curve_free(curve);
        TEST_ASSERT_TRUE(epsilon <= 2);
        term.epsilon *= 1 + 1e-6;
        TEST_ASSERT_EQUAL_INT32(PVG_OK, pvg_curve_new(&curve, &term));
        TEST_ASSERT_EQUAL_INT32(PVG_OK, pvg_curve_epsilon(&more, curve, 1e-6));
        pvg_curve_free(curve);
        TEST_ASSERT_TRUE(more > 2);
    }
}

/* --- what mechanisms say -------------------------------------------------------- */

static void test_parts_of_mechanisms(void) {
    static const int32_t noises[] = {PVG_NOISE_GAUSSIAN, PVG_NOISE_DISCRETE_GAUSSIAN,
                                     PVG_NOISE_LAPLACE};
    for (int i = 0; i < 3; i++)
        for (int joint = 0; joint < 2; joint++) {
            const bool pure = noises[i] == PVG_NOISE_LAPLACE;
            const pvg_target target = {.size = sizeof target,
                                       .noise = noises[i],
                                       .epsilon = 1,
                                       .delta = pure ? 0 : 1e-6};
            const pvg_joint_config config = {
                .size = sizeof config, .dimension = 40, .l1 = 1, .l2 = 1, .grid = 1};
            const double sensitivities[3] = {0.1, 0.2, 0.3};
            pvg_mechanism *m = NULL;
            pvg_pld *loss = NULL;
            double by_curve = 0;
            TEST_ASSERT_EQUAL_INT32_MESSAGE(
                PVG_OK,
                joint
                    ? pvg_mechanism_new_joint(&m, &target, &config)
                    : pvg_mechanism_new(&m, &target, sensitivities, NULL, NULL, NULL, 3),
                pvg_error_message());
            TEST_ASSERT_EQUAL_INT32(PVG_OK, pvg_mechanism_pld(&loss, m));
            TEST_ASSERT_EQUAL_INT32(PVG_OK, pvg_mechanism_epsilon(&by_curve, m, 1e-6));
            const double told = epsilon_of(loss, 1e-6);
            TEST_ASSERT_TRUE(told <= by_curve * (1 + 1e-6));
            if (noises[i] == PVG_NOISE_DISCRETE_GAUSSIAN)
                TEST_ASSERT_TRUE(told < 0.95 * by_curve); /* Renyi is not exact */
            else
                TEST_ASSERT_DOUBLE_WITHIN(1e-3, by_curve, told);
            if (pure && !joint) { /* the law is better than the worst case */
                TEST_ASSERT_DOUBLE_WITHIN(1e-4, -expm1(-0.25), delta_of(loss, 0.5));
            } else if (pure) { /* integer noise of scale 1: P(x <= 0) = 1 / (1 + e^-1) */
                const double top = 1 / (1 + exp(-1.0));
                TEST_ASSERT_DOUBLE_WITHIN(1e-4, top - exp(0.5) * (1 - top),
                                          delta_of(loss, 0.5));
            }
            pvg_pld_free(loss);
            pvg_mechanism_free(m);
        }
}

/* A range so wide that the grid is coarse: what the noise does then is not looked up. And
 * surcharges that add up over 2^40 releases count in full. */
static void test_coarse_noise_is_refused(void) {
    const pvg_target target = {.size = sizeof target,
                               .noise = PVG_NOISE_DISCRETE_GAUSSIAN,
                               .epsilon = 1,
                               .delta = 1e-6};
    const double sensitivity = 1, low = 0, high = 0x1p40;
    pvg_mechanism *m = NULL;
    pvg_pld *loss = NULL;
    PVGT_OK(pvg_mechanism_new(&m, &target, &sensitivity, &low, &high, NULL, 1));
    TEST_ASSERT_TRUE(m->coordinate[0].scale < INT64_C(1) << 36);
    PVGT_FAILS(PVG_E_ARGUMENT, "Renyi", pvg_mechanism_pld(&loss, m));
    pvg_mechanism_free(m);
    const pvg_pld_part many = {.size = sizeof many,
                               .kind = PVG_PLD_DISCRETE_GAUSSIAN,
                               .scale = 0x1p52,
                               .shift = 1,
                               .times = INT64_C(1) << 40};
    loss = part_of(&many);
    TEST_ASSERT_EQUAL_DOUBLE(1.0, delta_of(loss, 1)); /* 2^40 times 2^-30 */
    pvg_pld_free(loss);
}

/* Discrete Gaussian noise of scale 2^20 and more is taken for Gaussian: its law at 2^11
 * and below is already that near to it. */
static void test_fine_noise_is_gaussian(void) {
    double last = INFINITY;
    for (double scale = 4; scale <= 2048; scale *= 4) {
        const pvg_pld_part whole = {.size = sizeof whole,
                                    .kind = PVG_PLD_DISCRETE_GAUSSIAN,
                                    .scale = scale,
                                    .shift = (int64_t)(scale / 4),
                                    .times = 1},
                           fine = {.size = sizeof fine,
                                   .kind = PVG_PLD_DISCRETE_GAUSSIAN,
                                   .scale = 0x1p43,
                                   .shift = INT64_C(1) << 41,
                                   .times = 1};
        pvg_pld *a = part_of(&whole), *b = part_of(&fine);
        const double gap = fabs(epsilon_of(a, 1e-6) - epsilon_of(b, 1e-6));
        TEST_ASSERT_TRUE(gap < 0.02 && gap <= fmax(last, 2e-5));
        last = gap;
        pvg_pld_free(a);
        pvg_pld_free(b);
    }
}

static void test_order_does_not_matter(void) {
    const double sizes[] = {0.31, 0.05, 0.77};
    pvg_pld *forward = NULL, *backward = NULL, *apart = NULL;
    for (int i = 0; i < 3; i++) {
        const pvg_pld_part a = {.size = sizeof a,
                                .kind = PVG_PLD_PURE,
                                .epsilon = sizes[i],
                                .times = 30},
                           b = {.size = sizeof b,
                                .kind = PVG_PLD_PURE,
                                .epsilon = sizes[2 - i],
                                .times = 30};
        add(&forward, &a);
        add(&backward, &b);
        for (int t = 0; t < 30; t++) {
            pvg_pld_part once = a;
            once.times = 1;
            add(&apart, &once);
        }
    }
    TEST_ASSERT_EQUAL_INT64(3, pvg_pld_count(apart));
    for (double delta = 1e-15; delta < 0.1; delta *= 100) {
        const double epsilon = epsilon_of(forward, delta);
        TEST_ASSERT_DOUBLE_WITHIN(1e-9 * epsilon, epsilon, epsilon_of(backward, delta));
        TEST_ASSERT_DOUBLE_WITHIN(1e-9 * epsilon, epsilon, epsilon_of(apart, delta));
    }
    pvg_pld_free(forward);
    pvg_pld_free(backward);
    pvg_pld_free(apart);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_outcomes);
    RUN_TEST(test_gaussian_beside_equal_pure);
    RUN_TEST(test_laplace);
    RUN_TEST(test_known_values);
    RUN_TEST(test_solve_for_equal_pure);
    RUN_TEST(test_parts_of_mechanisms);
    RUN_TEST(test_coarse_noise_is_refused);
    RUN_TEST(test_fine_noise_is_gaussian);
    RUN_TEST(test_order_does_not_matter);
    return UNITY_END();
}
