/* One noise law for a vector whose private change is bounded as a whole.
 *
 * Values are multiples of a public grid 2^k. If the L1 change is at most S grid steps,
 * independent discrete Laplace noise of rate r per step is S r-DP: coordinate i, shifted
 * by d_i steps, changes a probability by at most e^(r |d_i|), and sum |d_i| <= S. If the
 * L2 change is at most S, Gaussian noise of deviation s is (S / s)-GDP (turn the change
 * into one coordinate), the discrete Gaussian (S / s)^2 / 2-zCDP. So the length of the
 * vector does not matter. Gaussian noise is drawn on a finer grid and its sum with the
 * value rounded to 2^k, which is post-processing; Laplace noise is drawn in steps.
 *
 * Real values are rounded to a grid that is fine against the noise. |round x - round y|
 * <= |x - y| + 1 in steps, so n coordinates charge n steps in L1, sqrt n in L2. */
#include "mechanism_internal.h"

static int32_t too_far(const char *function) {
    return pvgi_fail(PVG_E_LIMIT, "%s: noise, sensitivity and range are too far apart",
                     function);
}

/* The joint change in the norm that the law asks for, up; infinite if none is given. */
static double in_norm(const pvg_joint_config *c, bool laplace) {
    const double l1 = c->l1 > 0.0 ? c->l1 : INFINITY, l2 = c->l2 > 0.0 ? c->l2 : INFINITY;
    if (!laplace) return fmin(l1, l2);
    return fmin(l1, pvgi_mechanism_up(sqrt((double)c->dimension) * l2, 4));
}

/* denominator / numerator <= rate, both in [1, 2^48], as close as that allows. */
static bool find_rate(int64_t *numerator, int64_t *denominator, double rate) {
    int bits = 47;
    if (!(rate >= 0x1p-47) || !(rate <= 0x1p47)) return false;
    if (rate >= 1.0) {
        while (ldexp(rate, bits) > 0x1p48) bits--;
        *numerator = INT64_C(1) << bits;
        *denominator = (int64_t)ldexp(rate, bits);
    } else {
        while (ldexp(1.0 / rate, bits) > 0x1p47) bits--;
        *denominator = INT64_C(1) << bits;
        *numerator = (int64_t)ceil(ldexp(1.0, bits) / rate * (1.0 + 0x1p-51)) + 1;
    }
    return *denominator >= 1 && *numerator >= 1 && *numerator <= INT64_C(1) << 48;
}

/* Laplace: grid and steps are known. */
static int32_t fit_laplace(pvgi_joint *j, const char *function, double parameter) {
    const double rate = pvgi_mechanism_down(parameter / j->steps, 4);
    if (!find_rate(&j->numerator, &j->denominator, rate)) return too_far(function);
    j->scale = ldexp((double)j->numerator / (double)j->denominator, j->grid);
    j->spent.epsilon =
        pvgi_mechanism_up(j->steps * ((double)j->denominator / (double)j->numerator), 8);
    return PVG_OK;
}

/* Gaussian laws: `steps` of 2^grid, noise in steps of 2^(grid - shift). */
static int32_t fit_gaussian(pvgi_joint *j, const char *function, double parameter) {
    const bool zcdp = j->spent.kind == PVG_CURVE_ZCDP;
    const double ratio = zcdp ? sqrt(2.0 * parameter) * (1.0 - 0x1p-51) : parameter;
    const double sigma = pvgi_mechanism_up(j->steps / ratio, 8); /* in steps */
    if (!isfinite(sigma) || !(sigma < 0x1p47)) return too_far(function);
    j->shift = PVGI_SCALE_BITS - ilogb(sigma);
    if (j->shift < 0) j->shift = 0;
    /* noise below a step: it is drawn finer still and rounds to 0 nearly always */
    if (j->shift > 60) return too_far(function);
    j->numerator = (int64_t)ceil(ldexp(sigma, j->shift));
    j->denominator = 1;
    if (j->numerator < 1 || j->numerator > INT64_C(1) << 48) return too_far(function);
    j->scale = ldexp((double)j->numerator, j->grid - j->shift);
    const double spent =
        pvgi_mechanism_up(ldexp(j->steps, j->shift) / (double)j->numerator, 8);
    if (zcdp)
        j->spent.rho = pvgi_mechanism_up(0.5 * spent * spent, 8);
    else
        j->spent.mu = spent;
    return PVG_OK;
}

/* The grid of real values: the noise has 2^43 steps. */
static int32_t choose_grid(pvgi_joint *j, const char *function, const pvg_joint_config *c,
                           double change, double parameter, bool laplace) {
    if (!isfinite(change / parameter) || !(change / parameter > 0.0))
        return too_far(function);
    j->grid = pvgi_mechanism_grid(change / parameter, fmax(fabs(c->low), fabs(c->high)),
                                  PVGI_SCALE_BITS);
    const double moved = (double)c->dimension;
    j->steps =
        pvgi_mechanism_up(ldexp(change, -j->grid) + (laplace ? moved : sqrt(moved)), 8);
    if (laplace) j->steps = ceil(j->steps);
    return isfinite(j->steps) ? PVG_OK : too_far(function);
}

static int32_t fit(pvgi_joint *j, const char *function, const pvg_joint_config *c,
                   double parameter) {
    const bool laplace = j->spent.kind == PVG_CURVE_PURE;
    const bool zcdp = j->spent.kind == PVG_CURVE_ZCDP;
    const double change = in_norm(c, laplace);
    if (c->grid > 0.0) {
        j->grid = ilogb(c->grid);
        j->steps = ldexp(change, -j->grid);
        /* L1 changes of multiples of the grid are whole steps */
        if (laplace) j->steps = fmax(1.0, floor(j->steps));
        if (!isfinite(j->steps) || !(j->steps > 0.0)) return too_far(function);
    } else
        PVGI_TRY(choose_grid(j, function, c, change, zcdp ? sqrt(parameter) : parameter,
                             laplace));
    return laplace ? fit_laplace(j, function, parameter)
                   : fit_gaussian(j, function, parameter);
}

int32_t pvgi_mechanism_joint(pvgi_joint *out, const char *function,
                             const pvg_joint_config *config, const pvg_target *target) {
    const pvgi_law *law = pvgi_mechanism_law(target->noise);
    if (!law->joint)
        return pvgi_fail(PVG_E_ARGUMENT, "%s: %s noise has no joint form", function,
                         law->word);
    const pvg_curve_term term = pvgi_mechanism_target_term(target, config->dimension);
    double parameter = pvgi_mechanism_target_parameter(target, &term);
    if (!(parameter > 0.0))
        return pvgi_fail(PVG_E_PRIVACY,
                         "%s: no amount of this noise meets epsilon and delta", function);
    for (int bits = 40; bits > 4; bits -= 2) {
        pvgi_joint j = {.noise = target->noise, .spent = term};
        PVGI_TRY(fit(&j, function, config, parameter));
        const double *spent = pvgi_mechanism_term_parameter(&j.spent);
        if (target->parameter > 0.0
                ? *spent <= target->parameter
                : pvgi_mechanism_terms_epsilon(&j.spent, 1, target->delta) <=
                      target->epsilon) {
            *out = j;
            return PVG_OK;
        }
        parameter *= 1.0 - ldexp(1.0, -bits);
    }
    return pvgi_fail(PVG_E_NUMERIC,
                     "%s: epsilon and delta are beyond the accountant's precision",
                     function);
}

void pvgi_mechanism_joint_noise(int64_t *out, int64_t count, const pvgi_joint *j,
                                pvgi_stream *stream) {
    pvgi_rng_draw_noise(out, count, pvgi_mechanism_law(j->noise)->rng, j->numerator,
                        j->denominator, stream);
    if (j->shift == 0) return;
    const int64_t half = INT64_C(1) << (j->shift - 1), size = INT64_C(1) << j->shift;
    for (int64_t i = 0; i < count; i++) {
        const int64_t x = out[i] + half, rest = ((x % size) + size) % size;
        out[i] = (x - rest) / size; /* rounds down */
    }
}

/* Standard deviation in value units: of the law in steps, before rounding for Gaussian.
 */
double pvgi_mechanism_joint_deviation_at(const pvgi_joint *j, double times) {
    if (j->noise != PVG_NOISE_LAPLACE) return j->scale / times;
    const double rate = times * (double)j->denominator / (double)j->numerator;
    /* sqrt(2 a) / (1 - a), a = e^-rate */
    return ldexp(sqrt(2.0) * exp(-0.5 * rate) / -expm1(-rate), j->grid);
}

double pvgi_mechanism_joint_deviation(const pvgi_joint *j) {
    return pvgi_mechanism_joint_deviation_at(j, 1.0);
}
