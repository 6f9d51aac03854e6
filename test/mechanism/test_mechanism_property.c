/* mechanism: properties that must hold for any numbers, and exact laws. The oracles sum
 * the probabilities of the integer noise in long double; nothing of the accountant is
 * used. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "mechanism/mechanism_internal.h"
#include "support.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

static const double extremes[] = {
    NAN,     INFINITY, -INFINITY, -1.0,     -5e-324, 0.0,     5e-324,     1e-310,
    DBL_MIN, 1e-300,   1e-154,    1e-100,   1e-30,   1e-16,   1e-9,       1e-6,
    1e-3,    0.1,      0.5,       0.999999, 1.0,     1.5,     2.0,        10.0,
    709.0,   710.0,    1e3,       1e5,      1e8,     1e16,    1e30,       1e100,
    1e154,   1e200,    1e300,     1e308,    DBL_MAX, 0x1p-53, 1 - 0x1p-53};
enum { EXTREMES = sizeof extremes / sizeof extremes[0] };

/* A term of the kind with its first two numbers set. */
static pvg_curve_term term_of(int32_t kind, double a, double b) {
    pvg_curve_term t = {.size = sizeof t, .kind = kind};
    switch (kind) {
    case PVG_CURVE_PURE:
        t.epsilon = a;
        t.rho = b;
        break;
    case PVG_CURVE_APPROXIMATE:
        t.epsilon = a;
        t.delta = b;
        break;
    case PVG_CURVE_ZCDP:
        t.rho = a;
        break;
    case PVG_CURVE_TCDP:
        t.rho = a;
        t.omega = b;
        break;
    case PVG_CURVE_SMOOTH:
        t.rho = a;
        t.beta = b;
        t.dimension = 7;
        break;
    case PVG_CURVE_GDP:
        t.mu = a;
        break;
    default:
        break;
    }
    return t;
}

/* --- any double ----------------------------------------------------------------- */

static void check_curve(const pvg_curve *c, int32_t kind, double a, double b) {
    double last = INFINITY;
    const double deltas[] = {0.0, 5e-324, 1e-300, 1e-30, 1e-6, 0.1, 0.9, 1 - 0x1p-53};
    for (int i = 0; i < 8; i++) {
        double epsilon = NAN, back = NAN;
        PVGT_OK(pvg_curve_epsilon(&epsilon, c, deltas[i]));
        PVGT_CHECK(epsilon >= 0.0 && epsilon <= last * (1 + 1e-9) + 1e-300,
                   "kind %d (%g, %g) delta %g: %g after %g", (int)kind, a, b, deltas[i],
                   epsilon, last);
        last = epsilon;
        if (epsilon == INFINITY || deltas[i] < 1e-300) continue;
        PVGT_OK(pvg_curve_delta(&back, c, epsilon));
        PVGT_CHECK(back >= 0.0 && back <= deltas[i] * (1 + 1e-6) + 1e-12 * epsilon,
                   "kind %d (%g, %g) delta %g -> epsilon %g -> %g", (int)kind, a, b,
                   deltas[i], epsilon, back);
    }
    double last_delta = 1.0;
    for (int i = 5; i < EXTREMES - 2; i++) {
        double delta = NAN;
        PVGT_OK(pvg_curve_delta(&delta, c, extremes[i]));
        PVGT_CHECK(delta >= 0.0 && delta <= last_delta * (1 + 1e-9) + DBL_MIN,
                   "kind %d (%g, %g) epsilon %g: %g after %g", (int)kind, a, b,
                   extremes[i], delta, last_delta);
        last_delta = delta;
        if (extremes[i] <= 1.0) continue;
        double renyi = NAN;
        PVGT_OK(pvg_curve_renyi(&renyi, c, extremes[i]));
        PVGT_CHECK(renyi >= 0.0, "kind %d (%g, %g) alpha %g: %g", (int)kind, a, b,
                   extremes[i], renyi);
    }
}

static void any_double_makes_a_sound_curve_or_an_error(void) {
    int made = 0, refused = 0;
    for (int32_t kind = PVG_CURVE_PURE; kind <= PVG_CURVE_INFINITE; kind++)
        for (int i = 0; i < EXTREMES; i++)
            for (int j = 0; j < EXTREMES; j++) {
                const bool two = kind != PVG_CURVE_ZCDP && kind != PVG_CURVE_GDP &&
                                 kind != PVG_CURVE_INFINITE;
                if (!two && j > 0) break;
                const pvg_curve_term t = term_of(kind, extremes[i], extremes[j]);
                pvg_curve *c = NULL;
                const int32_t status = pvg_curve_new(&c, &t);
                PVGT_CHECK(status == PVG_OK || status == PVG_E_ARGUMENT, "status %d",
                           (int)status);
                if (status == PVG_OK) check_curve(c, kind, extremes[i], extremes[j]);
                made += status == PVG_OK;
                refused += status != PVG_OK;
                pvg_curve_free(c);
            }
    TEST_ASSERT_TRUE(made > 500 && refused > 100);
}

/* What is solved for passes the accountant, and twice as much does not. */
static void any_budget_is_solved_or_refused(void) {
    int solved = 0, none = 0;
    for (int32_t kind = PVG_CURVE_PURE; kind <= PVG_CURVE_GDP; kind++) {
        if (kind == PVG_CURVE_APPROXIMATE) continue;
        for (int i = 0; i < EXTREMES; i++)
            for (int j = 0; j < EXTREMES; j++) {
                const double fixed = kind == PVG_CURVE_TCDP     ? 30.0
                                     : kind == PVG_CURVE_SMOOTH ? 1e-3
                                                                : 0.0;
                pvg_curve_term t = term_of(kind, 0.0, fixed);
                const double epsilon = extremes[i], delta = extremes[j];
                double got = -1.0, at = NAN;
                const int32_t status = pvg_curve_solve(&got, &t, epsilon, delta);
                if (!(epsilon > 0 && epsilon <= DBL_MAX && delta >= 0 && delta < 1)) {
                    TEST_ASSERT_EQUAL_INT32(PVG_E_ARGUMENT, status);
                    continue;
                }
                PVGT_CHECK(status == PVG_OK || status == PVG_E_PRIVACY,
                           "kind %d (%g, %g): status %d", (int)kind, epsilon, delta,
                           (int)status);
                solved += status == PVG_OK;
                none += status != PVG_OK;
                if (status != PVG_OK) {
                    TEST_ASSERT_EQUAL_DOUBLE(-1.0, got);
                    continue;
                }
                PVGT_CHECK(got > 0 && isfinite(got), "kind %d (%g, %g): %g", (int)kind,
                           epsilon, delta, got);
                *pvgi_mechanism_term_parameter(&t) = got;
                at = pvgi_mechanism_terms_epsilon(&t, 1, delta);
                PVGT_CHECK(at <= epsilon, "kind %d (%g, %g): %g spends %.17g", (int)kind,
                           epsilon, delta, got, at);
                if (got > 1e300 || got < 1e-300 || epsilon < 1e-9 || delta > 0.99)
                    continue;
                *pvgi_mechanism_term_parameter(&t) = 2 * got;
                at = pvgi_mechanism_terms_epsilon(&t, 1, delta);
                PVGT_CHECK(at > epsilon, "kind %d (%g, %g): twice %g spends %.17g",
                           (int)kind, epsilon, delta, got, at);
            }
    }
    TEST_ASSERT_TRUE(solved > 1000 && none > 100);
}

static void any_numbers_make_a_mechanism_or_an_error(void) {
    uint64_t state = 3;
    int histogram[2] = {0, 0};
    for (int round = 0; round < 30000; round++) {
        double pick[12];
        for (int i = 0; i < 12; i++) {
            pick[i] = extremes[pvgt_below(&state, EXTREMES)];
            /* mostly sane, or nothing would be built */
            if (pvgt_below(&state, 8))
                pick[i] = pow(10, (double)pvgt_below(&state, 9) - 6);
        }
        const int32_t noise = (int32_t)pvgt_below(&state, 6);
        pvg_target t = {.size = sizeof t, .noise = noise};
        t.allocation = (int32_t)pvgt_below(&state, 3);
        t.epsilon = pick[0];
        t.delta = noise == PVG_NOISE_LAPLACE ? 0 : pick[1];
        if (noise >= PVG_NOISE_SMOOTH) t.beta = 1e-2 * pick[2];
        if (round % 5 == 0) {
            t.parameter = pick[3];
            t.epsilon = t.delta = 0;
        }
        const double s[2] = {pick[4], pick[5]}, low[2] = {-pick[6], pick[7]},
                     high[2] = {pick[8], pick[9]}, w[2] = {pick[10], pick[11]};
        pvg_mechanism *m = NULL;
        const int32_t status =
            pvg_mechanism_new(&m, &t, s, low, high, t.allocation == 0 ? w : NULL, 2);
        PVGT_CHECK(status == PVG_OK || status == PVG_E_ARGUMENT ||
                       status == PVG_E_PRIVACY || status == PVG_E_LIMIT,
                   "round %d: %s %s; noise %d allocation %d parameter %g eps %g delta %g "
                   "s %g %g "
                   "low %g %g high %g %g w %g %g",
                   round, pvg_status_name(status), pvg_error_message(), (int)noise,
                   (int)t.allocation, t.parameter, t.epsilon, t.delta, s[0], s[1], low[0],
                   low[1], high[0], high[1], w[0], w[1]);
        PVGT_CHECK((m != NULL) == (status == PVG_OK), "round %d", round);
        histogram[status == PVG_OK]++;
        if (status != PVG_OK) continue;
        double epsilon = NAN, out[2] = {NAN, NAN};
        PVGT_OK(pvg_mechanism_epsilon(&epsilon, m, t.delta));
        PVGT_CHECK(t.parameter > 0 || epsilon <= t.epsilon,
                   "round %d: noise %d delta %g beta %g: %.17g for %.17g", round,
                   (int)noise, t.delta, t.beta, epsilon, t.epsilon);
        for (int i = 0; i < 2; i++) {
            const pvgi_coordinate *c = &m->coordinate[i];
            PVGT_CHECK(c->sensitivity == 0.0
                           ? c->low == c->high
                           : c->steps >= 1 && c->scale >= 1 &&
                                 c->scale <= (int64_t)1 << PVG_RNG_SCALE_BITS,
                       "round %d: coordinate %d has %lld steps, scale %lld", round, i,
                       (long long)c->steps, (long long)c->scale);
        }
        pvg_curve *curve = NULL;
        PVGT_OK(pvg_mechanism_curve(&curve, m));
        pvg_curve_free(curve);
        pvg_rng *rng = NULL;
        pvgi_stream stream;
        PVGT_OK(pvg_rng_new_seeded(&rng, (uint64_t)round));
        PVGT_OK(pvgi_rng_stream_open(&stream, rng));
        PVGT_OK(pvgi_mechanism_apply(out, m, pick + 1, pick + 3, 0, &stream));
        PVGT_CHECK(isfinite(out[0]) && isfinite(out[1]), "round %d: %g %g", round, out[0],
                   out[1]);
        pvg_rng_free(rng);
        pvg_mechanism_free(m);
    }
    PVGT_CHECK(histogram[0] > 3000 && histogram[1] > 3000, "%d refused, %d built",
               histogram[0], histogram[1]);
}

/* --- order ---------------------------------------------------------------------- */

static void more_budget_means_less_noise(void) {
    const double s[2] = {0.3, 0.01};
    for (int32_t noise = 1; noise <= 5; noise++)
        for (int32_t allocation = 0; allocation < 3; allocation++) {
            double last = INFINITY;
            for (double epsilon = 0.05; epsilon < 30; epsilon *= 1.1) {
                pvg_target t = {.size = sizeof t,
                                .noise = noise,
                                .allocation = allocation,
                                .epsilon = epsilon,
                                .delta = noise == PVG_NOISE_LAPLACE ? 0 : 1e-7};
                if (noise >= PVG_NOISE_SMOOTH) t.beta = 1e-4;
                pvg_mechanism *m = NULL;
                PVGT_OK(pvg_mechanism_new(&m, &t, s, NULL, NULL, NULL, 2));
                const double scale =
                    ldexp((double)m->coordinate[0].scale, m->coordinate[0].grid);
                PVGT_CHECK(scale < last, "noise %d epsilon %g: %g after %g", (int)noise,
                           epsilon, scale, last);
                last = scale;
                pvg_mechanism_free(m);
            }
        }
}

static pvg_curve *random_curve(uint64_t *state) {
    pvg_curve *c = NULL;
    const int32_t kind = 1 + (int32_t)pvgt_below(state, 6);
    const double a = pow(10, -(double)pvgt_below(state, 300) / 100);
    const double b = kind == PVG_CURVE_PURE          ? 0.0
                     : kind == PVG_CURVE_APPROXIMATE ? 1e-9
                     : kind == PVG_CURVE_TCDP        ? 20.0
                                                     : 0.001;
    const pvg_curve_term t = term_of(kind, a, b);
    PVGT_OK(pvg_curve_new(&c, &t));
    return c;
}

static pvg_curve *compose(const pvg_curve *a, const pvg_curve *b) {
    pvg_curve *c = NULL;
    PVGT_OK(pvg_curve_compose(&c, a, b));
    return c;
}

static double epsilon_of(const pvg_curve *c, double delta) {
    double out = NAN;
    PVGT_OK(pvg_curve_epsilon(&out, c, delta));
    return out;
}

/* (ab)c = a(bc) and ab = ba up to rounding; a composition costs at least its parts and at
 * most their sum; repeating is composing. */
static void compositions_agree(void) {
    uint64_t state = 11;
    for (int round = 0; round < 3000; round++) {
        pvg_curve *a = random_curve(&state), *b = random_curve(&state),
                  *c = random_curve(&state);
        pvg_curve *ab = compose(a, b), *bc = compose(b, c), *ba = compose(b, a);
        pvg_curve *left = compose(ab, c), *right = compose(a, bc), *twice = NULL;
        const double delta = pow(10, -3 - (double)pvgt_below(&state, 5));
        const double l = epsilon_of(left, delta), r = epsilon_of(right, delta);
        PVGT_CHECK(fabs(l - r) <= 1e-11 * l, "round %d: %.17g %.17g", round, l, r);
        const double x = epsilon_of(ab, delta), y = epsilon_of(ba, delta);
        PVGT_CHECK(fabs(x - y) <= 1e-11 * x, "round %d: %.17g %.17g", round, x, y);
        PVGT_CHECK(x >= epsilon_of(a, delta) * (1 - 1e-9) &&
                       x >= epsilon_of(b, delta) * (1 - 1e-9),
                   "round %d: %g below a part", round, x);
        /* up to what the exact forms of single pure terms gain from delta */
        const double halves = epsilon_of(a, delta / 2) + epsilon_of(b, delta / 2);
        PVGT_CHECK(x <= halves * (1 + 1e-9) + 4 * delta,
                   "round %d: %g is more than the sum %g", round, x, halves);
        pvg_curve *aa = compose(a, a);
        PVGT_OK(pvg_curve_repeat(&twice, a, 2));
        const double p = epsilon_of(aa, delta), q = epsilon_of(twice, delta);
        PVGT_CHECK(fabs(p - q) <= 1e-11 * p, "round %d: %.17g %.17g", round, p, q);
        pvg_curve *all[] = {a, b, c, ab, bc, ba, left, right, aa, twice};
        for (int i = 0; i < 10; i++) pvg_curve_free(all[i]);
    }
}

/* The exact Gaussian account is below every other account of the same noise. */
static void accounts_are_ordered(void) {
    uint64_t state = 17;
    for (int round = 0; round < 3000; round++) {
        const double mu = pow(10, 1 - (double)pvgt_below(&state, 400) / 100);
        const double delta = pow(10, -1 - (double)pvgt_below(&state, 2000) / 100);
        const pvg_curve_term g = term_of(PVG_CURVE_GDP, mu, 0);
        const pvg_curve_term z = term_of(PVG_CURVE_ZCDP, 0.5 * mu * mu, 0);
        const pvg_curve_term s = term_of(PVG_CURVE_SMOOTH, 0.5 * mu * mu, 1e-4);
        const double exact = pvgi_mechanism_terms_epsilon(&g, 1, delta);
        const double renyi = pvgi_mechanism_terms_epsilon(&z, 1, delta);
        const double smooth = pvgi_mechanism_terms_epsilon(&s, 1, delta);
        const double published = pvgi_mechanism_published_epsilon(&z, delta);
        PVGT_CHECK(
            exact <= renyi && renyi <= published && renyi <= smooth * (1 + 1e-12) &&
                smooth <= pvgi_mechanism_published_epsilon(&s, delta),
            "mu %g delta %g: %g %g %g %g", mu, delta, exact, renyi, smooth, published);
    }
}

/* --- exact laws ----------------------------------------------------------------- */

/* P(X = k) for integer noise; sigma may be any real for the oracle. */
typedef long double (*law)(long double k, long double scale);

static long double rounded_gaussian(long double k, long double sigma) {
    const long double low = (fabsl(k) - 0.5L) / (sigma * sqrtl(2.0L));
    const long double high = (fabsl(k) + 0.5L) / (sigma * sqrtl(2.0L));
    if (k == 0) return erfl(high);
    return 0.5L * (erfcl(low) - erfcl(high));
}

static long double gaussian_sum; /* of the discrete law, set once per sigma */
static long double discrete_gaussian(long double k, long double sigma) {
    return expl(-k * k / (2 * sigma * sigma)) / gaussian_sum;
}

static long double discrete_laplace(long double k, long double b) {
    return expl(-fabsl(k) / b) * tanhl(0.5L / b);
}

/* Exact delta of shifting the noise by `steps`: sum of max(0, P(k) - e^eps P(k - steps)),
 * over a range outside which less than 1e-30 is. */
static double shift_delta(law p, long double scale, int64_t steps, double epsilon) {
    const int64_t reach = (int64_t)(80 * scale) + steps + 10;
    if (p == discrete_gaussian) {
        gaussian_sum = 0;
        for (int64_t k = -reach; k <= reach; k++)
            gaussian_sum += expl(-(long double)k * (long double)k / (2 * scale * scale));
    }
    long double sum = 0;
    for (int64_t k = -reach; k <= reach; k++) {
        const long double gain =
            p((long double)k, scale) - expl(epsilon) * p((long double)(k + steps), scale);
        if (gain > 0) sum += gain;
    }
    return (double)sum;
}

/* theory 11 and the noise notes: what the oracle must find. */
static void oracle_knows_the_printed_values(void) {
    const long double sigma = 4.2246788893L;
    TEST_ASSERT_DOUBLE_WITHIN(5e-11, 1.0197e-6,
                              shift_delta(discrete_gaussian, sigma, 1, 1));
    TEST_ASSERT_DOUBLE_WITHIN(5e-11, 9.879e-7,
                              shift_delta(rounded_gaussian, sigma, 1, 1));
    TEST_ASSERT_DOUBLE_WITHIN(5e-11, 1.00048e-6,
                              shift_delta(discrete_gaussian, 42.246788893L, 10, 1));
}

/* A mechanism on a grid so coarse (its range needs 60 bits) that scales are small. */
static pvg_mechanism *coarse(int32_t noise, double epsilon, double delta, double s) {
    const double low = 0, high = 0x1p60;
    pvg_target t = {.size = sizeof t, .noise = noise, .epsilon = epsilon, .delta = delta};
    pvg_mechanism *m = NULL;
    PVGT_OK(pvg_mechanism_new(&m, &t, &s, &low, &high, NULL, 1));
    TEST_ASSERT_EQUAL_INT32(1, m->coordinate[0].grid);
    return m;
}

static double spent_delta(const pvg_mechanism *m, double epsilon) {
    return pvgi_mechanism_terms_delta(&m->spent, 1, epsilon);
}

/* The integers that are used, summed exactly, spend no more than is claimed. Shifts that
 * are smaller than the sensitivity spend less. */
static void integers_spend_what_is_claimed(void) {
    const struct {
        int32_t noise;
        law p;
        double delta;
    } laws[] = {{PVG_NOISE_GAUSSIAN, rounded_gaussian, 1e-6},
                {PVG_NOISE_DISCRETE_GAUSSIAN, discrete_gaussian, 1e-6},
                {PVG_NOISE_LAPLACE, discrete_laplace, 0}};
    for (int l = 0; l < 3; l++)
        for (double s = 1; s < 70; s *= 4)
            for (double epsilon = 0.4; epsilon < 9; epsilon *= 2.7) {
                pvg_mechanism *m = coarse(laws[l].noise, epsilon, laws[l].delta, s);
                const pvgi_coordinate *c = &m->coordinate[0];
                TEST_ASSERT_EQUAL_INT64((int64_t)ceil(s / 2), c->steps);
                for (double at = epsilon / 4; at <= epsilon * 1.01; at += epsilon / 4) {
                    const double exact =
                        shift_delta(laws[l].p, (long double)c->scale, c->steps, at);
                    PVGT_CHECK(exact <= spent_delta(m, at) * (1 + 1e-12) + 1e-17,
                               "noise %d s %g epsilon %g at %g: %.17g > %.17g",
                               (int)laws[l].noise, s, epsilon, at, exact,
                               spent_delta(m, at));
                    if (c->steps > 1)
                        TEST_ASSERT_TRUE(shift_delta(laws[l].p, (long double)c->scale,
                                                     c->steps - 1, at) <= exact);
                }
                if (laws[l].delta > 0)
                    PVGT_CHECK(shift_delta(laws[l].p, (long double)c->scale, c->steps,
                                           epsilon) <= laws[l].delta,
                               "noise %d s %g epsilon %g", (int)laws[l].noise, s,
                               epsilon);
                pvg_mechanism_free(m);
            }
}

/* Laplace: the ratio of probabilities itself. */
static void laplace_ratio_is_within_epsilon(void) {
    for (double s = 1; s < 70; s *= 3)
        for (double epsilon = 0.3; epsilon < 5; epsilon *= 2) {
            pvg_mechanism *m = coarse(PVG_NOISE_LAPLACE, epsilon, 0, s);
            const pvgi_coordinate *c = &m->coordinate[0];
            const long double b = (long double)c->scale;
            long double worst = 0;
            for (int64_t k = -400; k <= 400; k++) {
                const long double ratio =
                    discrete_laplace((long double)k, b) /
                    discrete_laplace((long double)(k + c->steps), b);
                worst = fmaxl(worst, fabsl(logl(ratio)));
            }
            PVGT_CHECK(worst <= (long double)m->spent.epsilon * (1 + 1e-12L) &&
                           worst <= (long double)epsilon &&
                           worst >= (long double)m->spent.epsilon * (1 - 1e-9L),
                       "s %g epsilon %g: %Lg of %g", s, epsilon, worst, m->spent.epsilon);
            pvg_mechanism_free(m);
        }
}

/* The same oracle must notice less noise: 2 % where the account is exact. */
static void less_noise_is_noticed(void) {
    const double epsilon = 1, delta = 1e-6, s = 64;
    pvg_mechanism *m = coarse(PVG_NOISE_GAUSSIAN, epsilon, delta, s);
    long double scale = (long double)m->coordinate[0].scale;
    TEST_ASSERT_TRUE(shift_delta(rounded_gaussian, scale, 32, epsilon) <= delta);
    TEST_ASSERT_TRUE(shift_delta(rounded_gaussian, 0.98L * scale, 32, epsilon) >
                     1.1 * delta);
    pvg_mechanism_free(m);
    m = coarse(PVG_NOISE_LAPLACE, epsilon, 0, 1000);
    scale = (long double)m->coordinate[0].scale;
    TEST_ASSERT_TRUE(shift_delta(discrete_laplace, scale, 500, epsilon) <= 1e-17);
    TEST_ASSERT_TRUE(shift_delta(discrete_laplace, 0.98L * scale, 500, epsilon) > 1e-3);
    pvg_mechanism_free(m);
    m = coarse(PVG_NOISE_DISCRETE_GAUSSIAN, epsilon, delta, s); /* 7 % looser account */
    scale = (long double)m->coordinate[0].scale;
    TEST_ASSERT_TRUE(shift_delta(discrete_gaussian, scale, 32, epsilon) <= delta);
    TEST_ASSERT_TRUE(shift_delta(discrete_gaussian, 0.9L * scale, 32, epsilon) > delta);
    pvg_mechanism_free(m);
}

/* Renyi divergence of two Gaussian vectors with different variances, by quadrature of one
 * coordinate; the smooth form bounds it for every admissible pair, and is attained. */
static double normal_renyi(double shift, double variance, double other, double alpha) {
    const double mixed = (1 - alpha) * variance + alpha * other;
    if (!(mixed > 0)) return INFINITY;
    long double sum = 0;
    const double width = sqrt(fmax(variance, variance * other / mixed)),
                 step = width / 200;
    const double centre = (1 - alpha) * shift * variance / mixed;
    for (double x = centre - 14 * width; x <= centre + 14 * width; x += step) {
        const double p = -x * x / (2 * variance) - 0.5 * log(variance);
        const double q = -(x - shift) * (x - shift) / (2 * other) - 0.5 * log(other);
        sum += expl((long double)(alpha * p + (1 - alpha) * q));
    }
    return (double)logl(sum * (long double)step / sqrtl(2 * 3.14159265358979323846L)) /
           (alpha - 1);
}

static void smooth_form_bounds_every_pair(void) {
    uint64_t state = 23;
    double closest = INFINITY;
    for (int round = 0; round < 400; round++) {
        const double beta = pow(10, -1 - (double)pvgt_below(&state, 200) / 100);
        const double alpha = 1.1 + (double)pvgt_below(&state, 800) / 100;
        const double multiple = 0.5 + (double)pvgt_below(&state, 100) / 20;
        /* two coordinates, optimal allocation of s and of its neighbour s e^(+-beta) */
        double s[2], t[2], x[2], y[2], sum = 0;
        const bool worst = round % 4 == 0;
        for (int i = 0; i < 2; i++) {
            const double move = worst ? -1 : (double)pvgt_below(&state, 2001) / 1000 - 1;
            s[i] = 0.1 + (double)pvgt_below(&state, 100) / 50;
            t[i] = s[i] * exp(beta * move);
        }
        const int32_t allocation = (int32_t)pvgt_below(&state, 3);
        pvgi_mechanism_allocate(x, s, NULL, 2, allocation, false, 1 / multiple);
        pvgi_mechanism_allocate(y, t, NULL, 2, allocation, false, 1 / multiple);
        for (int i = 0; i < 2; i++)
            sum += normal_renyi(fmin(s[i], t[i]), x[i] * x[i], y[i] * y[i], alpha);
        const pvg_curve_term term = {.size = sizeof term,
                                     .kind = PVG_CURVE_SMOOTH,
                                     .rho = 0.5 / (multiple * multiple),
                                     .beta = beta,
                                     .dimension = 2};
        const double bound = pvgi_mechanism_terms_renyi(&term, 1, alpha);
        if (bound == INFINITY) continue;
        PVGT_CHECK(sum <= bound * (1 + 1e-9), "round %d: beta %g alpha %g: %.12g > %.12g",
                   round, beta, alpha, sum, bound);
        closest = fmin(closest, bound / sum);
    }
    PVGT_CHECK(closest < 1 + 1e-6, "the bound is never attained: %g", closest);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(any_double_makes_a_sound_curve_or_an_error);
    RUN_TEST(any_budget_is_solved_or_refused);
    RUN_TEST(any_numbers_make_a_mechanism_or_an_error);
    RUN_TEST(more_budget_means_less_noise);
    RUN_TEST(compositions_agree);
    RUN_TEST(accounts_are_ordered);
    RUN_TEST(oracle_knows_the_printed_values);
    RUN_TEST(integers_spend_what_is_claimed);
    RUN_TEST(laplace_ratio_is_within_epsilon);
    RUN_TEST(less_noise_is_noticed);
    RUN_TEST(smooth_form_bounds_every_pair);
    return pvgt_end(UNITY_END());
}
