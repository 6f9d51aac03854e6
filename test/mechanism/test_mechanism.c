/* mechanism: allocation, calibration, getters, applying, choosing beta, arguments. Exact
 * laws are in test/mechanism/test_mechanism_property.c. */
#include "mechanism/mechanism_internal.h"
#include "support.h"

#include <float.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

static pvg_target target_of(int32_t noise, double epsilon, double delta) {
    return (pvg_target){
        .size = sizeof(pvg_target), .noise = noise, .epsilon = epsilon, .delta = delta};
}

static pvg_mechanism *mechanism(const pvg_target *target, const double *s,
                                const double *weights, int64_t d) {
    pvg_mechanism *out = NULL;
    PVGT_OK(pvg_mechanism_new(&out, target, s, NULL, NULL, weights, d));
    return out;
}

static pvg_curve_term spent(const pvg_mechanism *m) {
    pvg_curve *curve = NULL;
    pvg_curve_term term = {.size = sizeof term};
    PVGT_OK(pvg_mechanism_curve(&curve, m));
    TEST_ASSERT_EQUAL_INT64(1, pvg_curve_count(curve));
    PVGT_OK(pvg_curve_copy_term(&term, curve, 0));
    pvg_curve_free(curve);
    return term;
}

/* --- allocation ----------------------------------------------------------------- */

/* theory 2.5: S = (0.004, 0.0005, 0.00002), w = (1, 4, 100), mu for (1, 1e-6). */
static void allocation_vector(void) {
    const double s[3] = {0.004, 0.0005, 0.00002}, w[3] = {1, 4, 100};
    const double want[3][3] = {{0.0192675002, 0.0048168750, 0.0004308344},
                               {0.0170304347, 0.0170304347, 0.0170304347},
                               {0.0292694339, 0.0036586792, 0.0001463472}};
    for (int32_t allocation = 0; allocation < 3; allocation++) {
        pvg_target t = target_of(PVG_NOISE_GAUSSIAN, 1, 1e-6);
        t.allocation = allocation;
        pvg_mechanism *m = mechanism(&t, s, allocation == 0 ? w : NULL, 3);
        double scale[3], error = 0.0;
        PVGT_OK(pvg_mechanism_copy_scale(scale, m));
        for (int i = 0; i < 3; i++) {
            PVGT_CHECK(fabs(scale[i] - want[allocation][i]) < 5.1e-11,
                       "allocation %d: scale[%d] = %.12g", (int)allocation, i, scale[i]);
            error += w[i] * scale[i] * scale[i];
        }
        if (allocation == 0) TEST_ASSERT_DOUBLE_WITHIN(5.1e-14, 0.0004826075329, error);
        TEST_ASSERT_EQUAL_INT32(PVG_CURVE_GDP, spent(m).kind);
        PVGT_CHECK(spent(m).mu <= 0.23670438066343571 && spent(m).mu > 0.236704380662,
                   "mu %.17g", spent(m).mu);
        pvg_mechanism_free(m);
    }
}

/* Optimal allocations beat their neighbours and satisfy the budget with equality. */
static void allocations_are_optimal_and_exact(void) {
    uint64_t state = 7;
    for (int round = 0; round < 300; round++) {
        enum { D = 6 };
        double s[D], w[D], x[D];
        const bool laplace = round % 2;
        for (int i = 0; i < D; i++) {
            s[i] = pow(10, -(double)pvgt_below(&state, 900) / 100);
            w[i] = pow(10, (double)pvgt_below(&state, 800) / 100 - 4);
        }
        s[pvgt_below(&state, D)] = 0.0;
        for (int32_t allocation = 0; allocation < 3; allocation++) {
            pvgi_mechanism_allocate(x, s, w, D, allocation, laplace, 0.7);
            double used = 0.0, cost = 0.0;
            for (int i = 0; i < D; i++) {
                PVGT_CHECK((x[i] == 0.0) == (s[i] == 0.0), "scale %g for %g", x[i], s[i]);
                if (s[i] == 0.0) continue;
                used += laplace ? s[i] / x[i] : s[i] / x[i] * (s[i] / x[i]);
                cost += w[i] * x[i] * x[i];
            }
            TEST_ASSERT_DOUBLE_WITHIN(1e-12, laplace ? 0.7 : 0.49, used);
            if (allocation != PVG_ALLOCATION_OPTIMAL) continue;
            /* move a little noise between two coordinates at the same budget */
            for (int a = 0; a < D; a++)
                for (int b = 0; b < D; b++) {
                    if (a == b || s[a] == 0.0 || s[b] == 0.0) continue;
                    const double ua = laplace ? s[a] / x[a] : pow(s[a] / x[a], 2);
                    const double ub = laplace ? s[b] / x[b] : pow(s[b] / x[b], 2);
                    const double move = 1e-3 * fmin(ua, ub);
                    const double xa =
                        laplace ? s[a] / (ua + move) : s[a] / sqrt(ua + move);
                    const double xb =
                        laplace ? s[b] / (ub - move) : s[b] / sqrt(ub - move);
                    const double change =
                        w[a] * (xa * xa - x[a] * x[a]) + w[b] * (xb * xb - x[b] * x[b]);
                    PVGT_CHECK(change > -1e-12 * cost, "round %d %d->%d: %g of %g", round,
                               b, a, change, cost);
                }
        }
    }
}

/* --- calibration ---------------------------------------------------------------- */

static void integers_meet_the_rules(void) {
    const double s[4] = {0.01, 1e-9, 0.3, 1e-17}, low[4] = {0, 0, -2, 0},
                 high[4] = {1, 1e-3, 5, 1e-10};
    for (int32_t noise = 1; noise <= 3; noise++) {
        pvg_target t = target_of(noise, 0.5, noise == PVG_NOISE_LAPLACE ? 0 : 1e-7);
        pvg_mechanism *m = NULL;
        double grid[4], scale[4];
        PVGT_OK(pvg_mechanism_new(&m, &t, s, low, high, NULL, 4));
        PVGT_OK(pvg_mechanism_copy_grid(grid, m));
        PVGT_OK(pvg_mechanism_copy_scale(scale, m));
        for (int i = 0; i < 4; i++) {
            int exponent;
            const pvgi_coordinate *c = &m->coordinate[i];
            TEST_ASSERT_EQUAL_DOUBLE(0.5, frexp(grid[i], &exponent));
            TEST_ASSERT_TRUE(grid[i] <= 0x1p-40 * scale[i]);
            TEST_ASSERT_TRUE(c->scale >= 1 && c->scale <= (int64_t)1
                                                              << PVG_RNG_SCALE_BITS);
            TEST_ASSERT_EQUAL_INT64((int64_t)ceil(s[i] / grid[i]), c->steps);
            TEST_ASSERT_TRUE(fmax(fabs(low[i]), fabs(high[i])) / grid[i] <= 0x1p61);
        }
        pvg_mechanism_free(m);
    }
}

static void targets_are_met_closely(void) {
    const double s[3] = {0.5, 0.25, 1e-6};
    for (int32_t noise = 1; noise <= 5; noise++)
        for (double epsilon = 0.01; epsilon < 60; epsilon *= 3) {
            const bool smooth = noise >= PVG_NOISE_SMOOTH;
            const double delta = noise == PVG_NOISE_LAPLACE ? 0 : 1e-6;
            pvg_target t = target_of(noise, epsilon, delta);
            if (smooth) t.beta = 1e-4 * epsilon;
            pvg_mechanism *m = mechanism(&t, s, NULL, 3);
            double got;
            PVGT_OK(pvg_mechanism_epsilon(&got, m, delta));
            PVGT_CHECK(got <= epsilon, "noise %d epsilon %g: %.17g", (int)noise, epsilon,
                       got);
            if (noise != PVG_NOISE_SMOOTH_PUBLISHED) /* not tight, by design */
                PVGT_CHECK(got >= epsilon * (1 - 1e-9), "noise %d epsilon %g: %.17g",
                           (int)noise, epsilon, got);
            pvg_mechanism_free(m);
        }
}

static void native_parameters(void) {
    const double s[1] = {1};
    const struct {
        int32_t noise;
        double parameter, scale;
    } cases[] = {{PVG_NOISE_GAUSSIAN, 0.25, 4},
                 {PVG_NOISE_LAPLACE, 0.5, 2},
                 {PVG_NOISE_DISCRETE_GAUSSIAN, 0.5, 1}};
    for (int i = 0; i < 3; i++) {
        pvg_target t = target_of(cases[i].noise, 0, 0);
        t.parameter = cases[i].parameter;
        pvg_mechanism *m = mechanism(&t, s, NULL, 1);
        double scale;
        PVGT_OK(pvg_mechanism_copy_scale(&scale, m));
        PVGT_CHECK(scale >= cases[i].scale && scale < cases[i].scale * (1 + 1e-11),
                   "case %d: %.17g", i, scale);
        pvg_mechanism_free(m);
    }
}

/* The curve of smooth noise has beta raised for roundings, and all noisy coordinates. */
static void smooth_curve(void) {
    const double s[3] = {0.5, 0, 0.25}, low[3] = {0, 2, 0}, high[3] = {1, 2, 1};
    pvg_target t = target_of(PVG_NOISE_SMOOTH, 0, 0);
    t.parameter = 0.01;
    t.beta = 0.001;
    pvg_mechanism *m = NULL;
    double out[3];
    PVGT_OK(pvg_mechanism_new(&m, &t, s, low, high, NULL, 3));
    TEST_ASSERT_EQUAL_INT32(PVG_CURVE_SMOOTH, spent(m).kind);
    TEST_ASSERT_EQUAL_INT64(2, spent(m).dimension);
    TEST_ASSERT_EQUAL_DOUBLE(0.01, spent(m).rho);
    TEST_ASSERT_TRUE(spent(m).beta > 0.001 && spent(m).beta < 0.001 + 1e-6);
    PVGT_FAILS(PVG_E_PRIVACY, "private", pvg_mechanism_copy_scale(out, m));
    PVGT_OK(pvg_mechanism_copy_grid(out, m));
    pvg_mechanism_free(m);
    t.noise = PVG_NOISE_SMOOTH_PUBLISHED;
    PVGT_OK(pvg_mechanism_new(&m, &t, s, low, high, NULL, 3));
    TEST_ASSERT_EQUAL_INT32(PVG_CURVE_TCDP, spent(m).kind);
    TEST_ASSERT_DOUBLE_WITHIN(1e-7, 0.02 + 8e-6, spent(m).rho);
    TEST_ASSERT_DOUBLE_WITHIN(0.3, 250, spent(m).omega);
    PVGT_FAILS(PVG_E_PRIVACY, "private", pvg_mechanism_copy_scale(out, m));
    pvg_mechanism_free(m);
}

static void far_apart_numbers(void) {
    /* range and noise 2^70 apart: the grid is bound by the range, the noise grows */
    const double s[1] = {1e-18}, low[1] = {0}, high[1] = {4096};
    pvg_target t = target_of(PVG_NOISE_GAUSSIAN, 1, 1e-6);
    pvg_mechanism *m = NULL;
    double grid, scale;
    PVGT_OK(pvg_mechanism_new(&m, &t, s, low, high, NULL, 1));
    PVGT_OK(pvg_mechanism_copy_grid(&grid, m));
    PVGT_OK(pvg_mechanism_copy_scale(&scale, m));
    TEST_ASSERT_EQUAL_DOUBLE(4096 * 0x1p-59, grid);
    TEST_ASSERT_EQUAL_INT64(1, m->coordinate[0].steps);
    TEST_ASSERT_TRUE(scale >= 4.22467 * grid);
    pvg_mechanism_free(m);
    /* a budget so small that no integer scale is large enough */
    t = target_of(PVG_NOISE_GAUSSIAN, 0, 0);
    t.parameter = 1e-20;
    PVGT_FAILS(PVG_E_LIMIT, "coordinate 0",
               pvg_mechanism_new(&m, &t, s, NULL, NULL, NULL, 1));
    TEST_ASSERT_NULL(m);
}

/* --- applying ------------------------------------------------------------------- */

static pvgi_stream stream_of(uint64_t seed) {
    pvg_rng *rng = NULL;
    pvgi_stream stream;
    PVGT_OK(pvg_rng_new_seeded(&rng, seed));
    PVGT_OK(pvgi_rng_stream_open(&stream, rng));
    pvg_rng_free(rng);
    return stream;
}

static void apply(double *out, const pvg_mechanism *m, const double *values,
                  const double *smooth, uint32_t flags) {
    pvgi_stream stream = stream_of(5);
    PVGT_OK(pvgi_mechanism_apply(out, m, values, smooth, flags, &stream));
    pvgi_rng_stream_close(&stream);
}

static void values_are_clamped_whatever_they_are(void) {
    const double s[3] = {0.5, 0, 0.25}, low[3] = {-1, 7, 0}, high[3] = {1, 7, 2};
    pvg_target t = target_of(PVG_NOISE_GAUSSIAN, 1, 1e-6);
    pvg_mechanism *m = NULL;
    PVGT_OK(pvg_mechanism_new(&m, &t, s, low, high, NULL, 3));
    double at_low[3], at_high[3], out[3];
    apply(at_low, m, (double[]){-1, 7, 0}, NULL, 0);
    apply(at_high, m, (double[]){1, 7, 2}, NULL, 0);
    const double below[] = {NAN, -NAN, -INFINITY, -1e308, -1.5};
    for (int i = 0; i < 5; i++) {
        apply(out, m, (double[]){below[i], below[i], below[i]}, NULL, 0);
        TEST_ASSERT_EQUAL_MEMORY(at_low, out, sizeof out);
    }
    const double above[] = {INFINITY, 1e308, 2.5};
    for (int i = 0; i < 3; i++) {
        apply(out, m, (double[]){above[i], above[i], above[i]}, NULL, 0);
        TEST_ASSERT_EQUAL_MEMORY(at_high, out, sizeof out);
    }
    /* the constant comes out whatever went in; noise moves with the value */
    TEST_ASSERT_EQUAL_DOUBLE(7, at_low[1]);
    TEST_ASSERT_EQUAL_DOUBLE(2, at_high[0] - at_low[0]);
    TEST_ASSERT_EQUAL_DOUBLE(2, at_high[2] - at_low[2]);
    TEST_ASSERT_TRUE(at_low[0] != -1);
    /* saturation only if asked for */
    bool outside = false;
    for (uint64_t seed = 0; seed < 20; seed++) {
        pvgi_stream stream = stream_of(seed);
        PVGT_OK(pvgi_mechanism_apply(out, m, low, NULL, 0, &stream));
        outside = outside || out[0] < low[0];
        stream = stream_of(seed);
        double bound[3];
        PVGT_OK(pvgi_mechanism_apply(bound, m, low, NULL, PVGI_APPLY_SATURATE, &stream));
        for (int i = 0; i < 3; i++)
            TEST_ASSERT_EQUAL_DOUBLE(fmin(fmax(out[i], low[i]), high[i]), bound[i]);
    }
    TEST_ASSERT_TRUE(outside);
    pvg_mechanism_free(m);
}

/* Outputs lie on the public grid, and rounding is half up. */
static void outputs_lie_on_the_grid(void) {
    const double s[1] = {1e-9}, low[1] = {-1e9}, high[1] = {1e9};
    pvg_target t = target_of(PVG_NOISE_LAPLACE, 20, 0);
    pvg_mechanism *m = NULL;
    double grid, out;
    PVGT_OK(pvg_mechanism_new(&m, &t, s, low, high, NULL, 1));
    PVGT_OK(pvg_mechanism_copy_grid(&grid, m));
    const double zero[1] = {0};
    double base;
    apply(&base, m, zero, NULL, 0);
    for (int i = -7; i <= 7; i++) {
        const double value = 0.25 * i * grid;
        apply(&out, m, &value, NULL, 0);
        TEST_ASSERT_EQUAL_DOUBLE(floor(out / grid), out / grid);
        TEST_ASSERT_EQUAL_DOUBLE(floor(0.25 * i + 0.5), (out - base) / grid);
    }
    pvg_mechanism_free(m);
}

static void mechanisms_say_whether_seeds_are_allowed(void) {
    const double s[1] = {1};
    pvg_target t = target_of(PVG_NOISE_GAUSSIAN, 1, 1e-6);
    pvg_mechanism *m = mechanism(&t, s, NULL, 1);
    TEST_ASSERT_EQUAL_INT32(0, pvg_mechanism_allows_seeded(m));
    pvg_mechanism_free(m);
    t.allow_seeded = 1;
    m = mechanism(&t, s, NULL, 1);
    TEST_ASSERT_EQUAL_INT32(1, pvg_mechanism_allows_seeded(m));
    pvg_mechanism_free(m);
}

/* Smooth noise grows with the private sensitivity, is bounded by the public one, and
 * takes any double for it. The same words of randomness are scaled. */
static void smooth_noise_follows_the_sensitivity(void) {
    const double s[2] = {0.5, 0.25}, zero[2] = {0, 0};
    for (int32_t allocation = 0; allocation < 3; allocation++) {
        pvg_target t = target_of(PVG_NOISE_SMOOTH, 1, 1e-6);
        t.beta = 1e-3;
        t.allocation = allocation;
        pvg_mechanism *m = mechanism(&t, s, NULL, 2);
        double most[2], some[2], odd[2], none[2];
        apply(most, m, zero, s, 0);
        apply(some, m, zero, (double[]){0.5 / 64, 0.25 / 64}, 0);
        apply(none, m, zero, zero, 0);
        for (int i = 0; i < 2; i++) {
            TEST_ASSERT_DOUBLE_WITHIN(1e-4 * fabs(some[i]), most[i] / 64, some[i]);
            TEST_ASSERT_TRUE(none[i] != 0 && fabs(none[i]) < 1e-6 * fabs(most[i]));
        }
        const double strange[] = {NAN, INFINITY, 1e308, 0.6};
        for (int k = 0; k < 4; k++) {
            apply(odd, m, zero, (double[]){strange[k], strange[k]}, 0);
            TEST_ASSERT_EQUAL_MEMORY(most, odd, sizeof odd);
        }
        apply(odd, m, zero, (double[]){-1, -INFINITY}, 0);
        TEST_ASSERT_EQUAL_MEMORY(none, odd, sizeof odd);
        pvg_mechanism_free(m);
    }
}

/* --- choosing beta -------------------------------------------------------------- */

/* Smooth sensitivity of theory 2.1 for a pattern with m vertices, degree bound D. */
typedef struct {
    double n, degree, m;
    int calls;
} reference;

static int32_t smooth_reference(void *context, double beta, double *out) {
    reference *r = context;
    double best = 0.0;
    r->calls++;
    for (double x = r->degree + 1; x <= r->n - 1; x++)
        best = fmax(best, exp(-beta * (x - r->degree - 1)) * pow(x / r->n, r->m - 2));
    *out = best * 2 * (r->m - 1) / (r->n * r->n);
    return PVG_OK;
}

static int32_t failing_reference(void *context, double beta, double *out) {
    (void)context;
    *out = beta;
    return PVG_E_CANCELLED;
}

static int32_t nan_reference(void *context, double beta, double *out) {
    (void)context;
    *out = beta > 0 ? NAN : 0;
    return PVG_OK;
}

static void beta_is_chosen_by_a_public_reference(void) {
    pvg_target t = target_of(PVG_NOISE_SMOOTH, 1, 1e-6);
    /* theory 2.4: n = 1000, D = 10, m = 3: gain 15 over the constant; m = 4: 124 */
    const double gain[][4] = {{1000, 10, 3, 15}, {1000, 10, 4, 124}, {1e4, 20, 3, 136}};
    for (int i = 0; i < 3; i++) {
        reference r = {gain[i][0], gain[i][1], gain[i][2], 0};
        double beta, rho, noise, s, sigma;
        PVGT_OK(pvg_smooth_choose(&beta, &rho, &noise, &t, 50, smooth_reference, &r));
        PVGT_OK(smooth_reference(&r, beta, &s));
        TEST_ASSERT_DOUBLE_WITHIN(1e-9 * noise, s / sqrt(2 * rho), noise);
        PVGT_OK(pvg_gaussian_sigma(&sigma, 1, 1e-6));
        const double constant =
            2 * (r.m - 1) / (r.n * r.n) * pow((r.n - 1) / r.n, r.m - 2) * sigma;
        PVGT_CHECK(fabs(constant / noise / gain[i][3] - 1) < 0.05, "case %d: gain %g", i,
                   constant / noise);
        /* the mechanism it is meant for gets the same rho */
        const double d[1] = {0.1};
        pvg_target chosen = t;
        chosen.beta = beta;
        pvg_mechanism *m = mechanism(&chosen, d, NULL, 1);
        TEST_ASSERT_TRUE(spent(m).rho >= rho); /* d = 1 instead of 50 */
        pvg_mechanism_free(m);
        /* no other beta is better */
        for (double b = 1e-6; b < 1; b *= 1.3) {
            pvg_curve_term term = {.size = sizeof term,
                                   .kind = PVG_CURVE_SMOOTH,
                                   .beta = b,
                                   .dimension = 50};
            double other;
            if (pvg_curve_solve(&other, &term, 1, 1e-6) != PVG_OK) continue;
            PVGT_OK(smooth_reference(&r, b, &s));
            PVGT_CHECK(s / sqrt(2 * other) > noise * (1 - 1e-3), "beta %g: %g < %g", b,
                       s / sqrt(2 * other), noise);
        }
    }
    double beta = -1, rho = -1;
    reference r = {100, 6, 3, 0};
    PVGT_FAILS(PVG_E_ARGUMENT, "reference",
               pvg_smooth_choose(&beta, &rho, NULL, &t, 50, nan_reference, NULL));
    TEST_ASSERT_EQUAL_INT32(PVG_E_CANCELLED, pvg_smooth_choose(&beta, &rho, NULL, &t, 50,
                                                               failing_reference, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "reference",
               pvg_smooth_choose(&beta, &rho, NULL, &t, 50, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "beta",
               pvg_smooth_choose(NULL, &rho, NULL, &t, 50, smooth_reference, &r));
    PVGT_FAILS(PVG_E_ARGUMENT, "rho",
               pvg_smooth_choose(&beta, NULL, NULL, &t, 50, smooth_reference, &r));
    PVGT_FAILS(PVG_E_ARGUMENT, "dimension",
               pvg_smooth_choose(&beta, &rho, NULL, &t, 0, smooth_reference, &r));
    PVGT_FAILS(PVG_E_ARGUMENT, "target",
               pvg_smooth_choose(&beta, &rho, NULL, NULL, 50, smooth_reference, &r));
    pvg_target wrong = target_of(PVG_NOISE_GAUSSIAN, 1, 1e-6);
    PVGT_FAILS(PVG_E_ARGUMENT, "target->noise",
               pvg_smooth_choose(&beta, &rho, NULL, &wrong, 50, smooth_reference, &r));
    wrong = target_of(PVG_NOISE_SMOOTH, 0, 0);
    wrong.parameter = 1;
    PVGT_FAILS(PVG_E_ARGUMENT, "target->parameter",
               pvg_smooth_choose(&beta, &rho, NULL, &wrong, 50, smooth_reference, &r));
    /* roundings alone (beta 2^-20) cost more than this budget */
    wrong = target_of(PVG_NOISE_SMOOTH, 1e-9, 1e-30);
    PVGT_FAILS(PVG_E_PRIVACY, "no beta",
               pvg_smooth_choose(&beta, &rho, NULL, &wrong, 50, smooth_reference, &r));
    TEST_ASSERT_EQUAL_DOUBLE(-1, beta);
    TEST_ASSERT_EQUAL_DOUBLE(-1, rho);
}

/* --- arguments ------------------------------------------------------------------ */

#define REFUSED(part, change)                                                            \
    do {                                                                                 \
        pvg_target t = target_of(PVG_NOISE_GAUSSIAN, 1, 1e-6);                           \
        double s[2] = {0.5, 0.25}, low[2] = {0, 0}, high[2] = {1, 1}, w[2] = {1, 1};     \
        double *weights = w;                                                             \
        pvg_mechanism *m = (pvg_mechanism *)&t;                                          \
        int64_t d = 2;                                                                   \
        change;                                                                          \
        PVGT_FAILS(PVG_E_ARGUMENT, part,                                                 \
                   pvg_mechanism_new(&m, &t, s, low, high, weights, d));                 \
        TEST_ASSERT_NULL(m);                                                             \
    } while (0)

static void bad_arguments_are_named(void) {
    const double bad[] = {NAN, INFINITY, -INFINITY, -1.0};
    for (int i = 0; i < 4; i++) {
        const double b = bad[i];
        REFUSED("target->epsilon", t.epsilon = b);
        REFUSED("target->delta", t.delta = b);
        REFUSED("target->parameter", t.parameter = b);
        REFUSED("target->beta", t.beta = b);
        REFUSED("target->beta", (t.noise = PVG_NOISE_SMOOTH, t.beta = b));
        REFUSED("sensitivities[1]", s[1] = b);
        REFUSED("weights[0]", w[0] = b);
    }
    REFUSED("low[1]", low[1] = NAN);
    REFUSED("low[1]", low[1] = -INFINITY);
    REFUSED("high[0]", high[0] = NAN);
    REFUSED("high[0]", high[0] = INFINITY);
    REFUSED("low[1] is above high", low[1] = 2);
    REFUSED("range 0", (low[0] = -1e308, high[0] = 1e308));
    REFUSED("weights[1]", w[1] = 0);
    REFUSED("target->epsilon", t.epsilon = 0);
    REFUSED("target->delta", t.delta = 0);
    REFUSED("target->delta", t.delta = 1);
    REFUSED("target->delta", t.noise = PVG_NOISE_LAPLACE);
    REFUSED("target has parameter", t.parameter = 1);
    REFUSED("target->beta", t.noise = PVG_NOISE_SMOOTH);
    REFUSED("target->noise", t.noise = 7);
    REFUSED("target->noise", t.noise = -1);
    REFUSED("target->allocation", t.allocation = 3);
    REFUSED("target->allow_seeded", t.allow_seeded = 2);
    REFUSED("weights have no meaning", t.allocation = PVG_ALLOCATION_ISOTROPIC);
    REFUSED("size", t.size = 1);
    REFUSED("dimension", d = 0);
    REFUSED("sensitivities[0] is 0", s[0] = 0);
    REFUSED("every coordinate", (low[0] = high[0], low[1] = high[1]));
    pvg_target t = target_of(PVG_NOISE_GAUSSIAN, 1, 1e-6);
    const double s[1] = {1};
    pvg_mechanism *m = NULL;
    double out[1];
    PVGT_FAILS(PVG_E_LIMIT, "dimension",
               pvg_mechanism_new(&m, &t, s, NULL, NULL, NULL,
                                 (int64_t)PVG_MECHANISM_DIMENSION_MAX + 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "out",
               pvg_mechanism_new(NULL, &t, s, NULL, NULL, NULL, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "target",
               pvg_mechanism_new(&m, NULL, s, NULL, NULL, NULL, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "sensitivities",
               pvg_mechanism_new(&m, &t, NULL, NULL, NULL, NULL, 1));
    t.noise = PVG_NOISE_SMOOTH;
    t.beta = 0.1;
    PVGT_FAILS(PVG_E_PRIVACY, "with this beta",
               pvg_mechanism_new(&m, &t, s, NULL, NULL, NULL, 1));
    t.noise = PVG_NOISE_SMOOTH_PUBLISHED;
    PVGT_FAILS(PVG_E_PRIVACY, "with this beta",
               pvg_mechanism_new(&m, &t, s, NULL, NULL, NULL, 1));
    /* a parameter of one's own does not help */
    t.epsilon = t.delta = 0;
    t.parameter = 0.01;
    t.beta = 0.3; /* no order above 1 is within 1 / (4 beta) */
    PVGT_FAILS(PVG_E_PRIVACY, "nothing holds",
               pvg_mechanism_new(&m, &t, s, NULL, NULL, NULL, 1));
    t.noise = PVG_NOISE_SMOOTH;
    t.beta = 400;
    PVGT_FAILS(PVG_E_PRIVACY, "nothing holds",
               pvg_mechanism_new(&m, &t, s, NULL, NULL, NULL, 1));
    t = target_of(0, 1, 1e-6);
    m = mechanism(&t, s, NULL, 1);
    pvg_curve *curve = NULL;
    PVGT_FAILS(PVG_E_ARGUMENT, "out", pvg_mechanism_curve(NULL, m));
    PVGT_FAILS(PVG_E_ARGUMENT, "mechanism", pvg_mechanism_curve(&curve, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "out", pvg_mechanism_epsilon(NULL, m, 0.1));
    PVGT_FAILS(PVG_E_ARGUMENT, "mechanism", pvg_mechanism_epsilon(out, NULL, 0.1));
    PVGT_FAILS(PVG_E_ARGUMENT, "delta", pvg_mechanism_epsilon(out, m, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "out", pvg_mechanism_copy_grid(NULL, m));
    PVGT_FAILS(PVG_E_ARGUMENT, "mechanism", pvg_mechanism_copy_grid(out, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "out", pvg_mechanism_copy_scale(NULL, m));
    PVGT_FAILS(PVG_E_ARGUMENT, "mechanism", pvg_mechanism_copy_scale(out, NULL));
    TEST_ASSERT_EQUAL_INT32(PVG_NOISE_GAUSSIAN, pvg_mechanism_noise(m));
    TEST_ASSERT_EQUAL_INT64(1, pvg_mechanism_dimension(m));
    TEST_ASSERT_EQUAL_STRING("mechanism.gaussian", pvg_mechanism_claim(m));
    TEST_ASSERT_EQUAL_INT64(0, pvg_mechanism_dimension(NULL));
    TEST_ASSERT_EQUAL_INT32(0, pvg_mechanism_noise(NULL));
    TEST_ASSERT_EQUAL_INT32(0, pvg_mechanism_allows_seeded(NULL));
    TEST_ASSERT_NULL(pvg_mechanism_claim(NULL));
    pvg_mechanism_free(m);
    pvg_mechanism_free(NULL);
}

/* --- joint change ----------------------------------------------------------------- */

static double joint_spent(const pvg_target *t, const pvg_joint_config *c, double *scale) {
    pvg_mechanism *m;
    double epsilon, *scales = pvgi_alloc((size_t)c->dimension, sizeof *scales);
    PVGT_OK(pvg_mechanism_new_joint(&m, t, c));
    PVGT_OK(pvg_mechanism_copy_scale(scales, m));
    for (int64_t i = 1; i < c->dimension; i++)
        TEST_ASSERT_EQUAL_DOUBLE(scales[0], scales[i]);
    *scale = scales[0];
    PVGT_OK(pvg_mechanism_epsilon(&epsilon, m, t->delta));
    TEST_ASSERT_EQUAL_STRING("mechanism.joint", pvg_mechanism_claim(m));
    pvg_mechanism_free(m);
    pvgi_free(scales);
    return epsilon;
}

/* The length does not matter: a histogram of 10^5 cells costs what one cell costs. */
static void joint_change_is_charged_once(void) {
    for (int law = PVG_NOISE_GAUSSIAN; law <= PVG_NOISE_DISCRETE_GAUSSIAN; law++)
        for (int grid = 0; grid < 2; grid++)
            for (int e = -12; e <= 12; e++) {
                const bool laplace = law == PVG_NOISE_LAPLACE;
                const double epsilon = ldexp(1.0, e);
                const pvg_target t = target_of(law, epsilon, laplace ? 0.0 : 1e-6);
                const pvg_joint_config short_one = {.size = sizeof short_one,
                                                    .dimension = 1,
                                                    .l1 = 1.0,
                                                    .high = 64.0,
                                                    .grid = grid};
                pvg_joint_config long_one = short_one;
                double a, b;
                long_one.dimension = 100000;
                const double x = joint_spent(&t, &short_one, &a);
                const double y = joint_spent(&t, &long_one, &b);
                PVGT_CHECK(x <= epsilon && y <= epsilon && y > epsilon * (1.0 - 1e-4),
                           "law %d grid %d epsilon %g: %.17g %.17g", law, grid, epsilon,
                           x, y);
                PVGT_CHECK(b <= a * (1.0 + (grid ? 1e-9 : 1e-4)), "law %d grid %d: %g %g",
                           law, grid, a, b);
                if (laplace) TEST_ASSERT_DOUBLE_WITHIN(1e-4 / epsilon, 1.0 / epsilon, b);
            }
}

static void joint_norms(void) {
    const pvg_target laplace = target_of(PVG_NOISE_LAPLACE, 1.0, 0.0);
    const pvg_target gaussian = target_of(PVG_NOISE_GAUSSIAN, 1.0, 1e-6);
    pvg_joint_config c = {.size = sizeof c, .dimension = 16, .l2 = 1.0, .high = 1.0};
    double scale, sigma;
    joint_spent(&laplace, &c, &scale); /* L1 <= 4 L2 */
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 4.0, scale);
    c.l1 = 3.0;
    joint_spent(&laplace, &c, &scale);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 3.0, scale);
    PVGT_OK(pvg_gaussian_sigma(&sigma, 1.0, 1e-6));
    joint_spent(&gaussian, &c, &scale);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, sigma, scale);
    c.l1 = 0.5; /* L2 <= L1 */
    joint_spent(&gaussian, &c, &scale);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, sigma / 2, scale);
    c.grid = 0.25; /* two and a half steps are two */
    c.l1 = 0.7;
    joint_spent(&laplace, &c, &scale);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0.5, scale);
}

static void joint_refusals(void) {
    const pvg_target laplace = target_of(PVG_NOISE_LAPLACE, 1.0, 0.0);
    pvg_target smooth = target_of(PVG_NOISE_SMOOTH, 1.0, 1e-6);
    pvg_joint_config c = {.size = sizeof c, .dimension = 2, .high = 1.0};
    pvg_mechanism *m;
    smooth.beta = 0.1;
    PVGT_FAILS(PVG_E_ARGUMENT, "neither", pvg_mechanism_new_joint(&m, &laplace, &c));
    c.l1 = 1.0;
    PVGT_FAILS(PVG_E_ARGUMENT, "smooth", pvg_mechanism_new_joint(&m, &smooth, &c));
    PVGT_FAILS(PVG_E_ARGUMENT, "config", pvg_mechanism_new_joint(&m, &laplace, NULL));
    c.grid = 0.3;
    PVGT_FAILS(PVG_E_ARGUMENT, "grid", pvg_mechanism_new_joint(&m, &laplace, &c));
    c.grid = 2.0;
    PVGT_FAILS(PVG_E_ARGUMENT, "multiples", pvg_mechanism_new_joint(&m, &laplace, &c));
    c.grid = 0.0;
    c.high = 0.0;
    PVGT_FAILS(PVG_E_ARGUMENT, "low", pvg_mechanism_new_joint(&m, &laplace, &c));
    c.high = 1.0;
    c.l1 = NAN;
    PVGT_FAILS(PVG_E_ARGUMENT, "l1", pvg_mechanism_new_joint(&m, &laplace, &c));
    c.l1 = 1.0;
    c.dimension = 0;
    PVGT_FAILS(PVG_E_ARGUMENT, "dimension", pvg_mechanism_new_joint(&m, &laplace, &c));
}

/* Values on the grid keep their fraction; others are rounded to the grid. */
static void joint_noise_is_on_the_grid(void) {
    const double values[4] = {0.5, 3.0, -1.0, 7.5};
    for (int law = PVG_NOISE_GAUSSIAN; law <= PVG_NOISE_DISCRETE_GAUSSIAN; law++) {
        pvg_target t = target_of(law, 2.0, law == PVG_NOISE_LAPLACE ? 0.0 : 1e-6);
        const pvg_joint_config c = {
            .size = sizeof c, .dimension = 4, .l1 = 1.0, .high = 4.0, .grid = 0.5};
        pvg_mechanism *m;
        pvg_rng *rng;
        pvgi_stream stream;
        PVGT_OK(pvg_mechanism_new_joint(&m, &t, &c));
        PVGT_OK(pvg_rng_new_seeded(&rng, 1));
        PVGT_OK(pvgi_rng_stream_open(&stream, rng));
        for (int round = 0; round < 200; round++) {
            double out[4];
            PVGT_OK(pvgi_mechanism_apply(out, m, values, NULL,
                                         round % 2 ? PVGI_APPLY_SATURATE : 0, &stream));
            for (int i = 0; i < 4; i++) {
                TEST_ASSERT_EQUAL_DOUBLE(rint(out[i] * 2), out[i] * 2);
                if (round % 2) TEST_ASSERT_TRUE(out[i] >= 0.0 && out[i] <= 4.0);
            }
        }
        pvgi_rng_stream_close(&stream);
        pvg_rng_free(rng);
        pvg_mechanism_free(m);
    }
}

/* One row per law: every one has words, and makes a mechanism that keeps its budget. */
static void every_law_has_a_row(void) {
    int32_t noise = 1;
    TEST_ASSERT_NULL(pvg_noise_name(PVG_NOISE_DEFAULT));
    TEST_ASSERT_NULL(pvg_noise_name(-1));
    for (; pvg_noise_name(noise); noise++) {
        const int32_t kind = pvg_noise_curve(noise);
        const double moves[2] = {0.1, 0.4}, high[2] = {1, 2};
        pvg_mechanism *m = NULL;
        double epsilon, scale[2];
        pvg_target t = target_of(noise, 1, kind == PVG_CURVE_PURE ? 0 : 1e-6);
        if (kind == PVG_CURVE_SMOOTH) t.beta = 0.01;
        PVGT_OK(pvg_mechanism_new(&m, &t, moves, NULL, high, NULL, 2));
        PVGT_OK(pvg_mechanism_epsilon(&epsilon, m, t.delta));
        TEST_ASSERT_TRUE(epsilon <= 1 && epsilon > 0.5);
        TEST_ASSERT_NOT_NULL(strstr(pvg_mechanism_claim(m), pvg_noise_name(noise)));
        if (kind != PVG_CURVE_SMOOTH) {
            PVGT_OK(pvg_mechanism_copy_scale(scale, m));
            const double deviation = pvg_noise_deviation(noise, scale[0], moves[0]);
            TEST_ASSERT_TRUE(deviation > 0.1 * scale[0] && deviation < 1.5 * scale[0]);
        }
        pvg_mechanism_free(m);
    }
    TEST_ASSERT_EQUAL_INT32(0, pvg_noise_curve(noise));
    TEST_ASSERT_TRUE(isnan(pvg_noise_deviation(noise, 1, 1)));
}

/* Less noise than Laplace at the same budget; what it cannot do is refused. */
static void staircases(void) {
    const double one = 1;
    pvg_mechanism *m = NULL;
    pvg_target t = target_of(PVG_NOISE_STAIRCASE, 8, 0);
    const pvg_joint_config joint = {
        .size = sizeof joint, .dimension = 3, .l1 = 1, .high = 1};
    TEST_ASSERT_TRUE(pvg_noise_deviation(PVG_NOISE_STAIRCASE, 0.125, 1) < 0.06);
    TEST_ASSERT_TRUE(pvg_noise_deviation(PVG_NOISE_LAPLACE, 0.125, 1) > 0.17);
    for (double epsilon = 0.01; epsilon < 30; epsilon *= 1.5)
        PVGT_CHECK(pvg_noise_deviation(PVG_NOISE_STAIRCASE, 1 / epsilon, 1) <=
                       pvg_noise_deviation(PVG_NOISE_LAPLACE, 1 / epsilon, 1) * 1.0001,
                   "epsilon %g", epsilon);
    PVGT_FAILS(PVG_E_ARGUMENT, "no joint form", pvg_mechanism_new_joint(&m, &t, &joint));
    t.epsilon = 200;
    PVGT_FAILS(PVG_E_LIMIT, "too far apart",
               pvg_mechanism_new(&m, &t, &one, NULL, NULL, NULL, 1));
    t = target_of(PVG_NOISE_STAIRCASE, 1, 1e-6);
    PVGT_FAILS(PVG_E_ARGUMENT, "delta is not 0",
               pvg_mechanism_new(&m, &t, &one, NULL, NULL, NULL, 1));
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(allocation_vector);
    RUN_TEST(allocations_are_optimal_and_exact);
    RUN_TEST(integers_meet_the_rules);
    RUN_TEST(targets_are_met_closely);
    RUN_TEST(native_parameters);
    RUN_TEST(smooth_curve);
    RUN_TEST(far_apart_numbers);
    RUN_TEST(values_are_clamped_whatever_they_are);
    RUN_TEST(outputs_lie_on_the_grid);
    RUN_TEST(mechanisms_say_whether_seeds_are_allowed);
    RUN_TEST(smooth_noise_follows_the_sensitivity);
    RUN_TEST(beta_is_chosen_by_a_public_reference);
    RUN_TEST(bad_arguments_are_named);
    RUN_TEST(joint_change_is_charged_once);
    RUN_TEST(joint_norms);
    RUN_TEST(joint_refusals);
    RUN_TEST(joint_noise_is_on_the_grid);
    RUN_TEST(every_law_has_a_row);
    RUN_TEST(staircases);
    return pvgt_end(UNITY_END());
}
