/* From a target to integers: native parameter, scales, grids.
 *
 * The grid of a coordinate (grid.c) puts its scale between 2^43 and 2^44 steps (smooth:
 * the largest possible scale between 2^46 and 2^47), or is coarser where the public range
 * asks for it. Scales are allocated for sensitivities raised to whole steps; a scale that
 * thereby outgrows its grid coarsens it, and the round is repeated. Shared noise:
 * correlated.c. What is spent is recomputed from the integers. */
#include "mechanism_internal.h"

#include <string.h>

enum { SMOOTH_SCALE_BITS = 46 };
enum { ROUNDS = 100 };

double pvgi_mechanism_smooth_floor(double parameter) {
    return fmax(1.0, 0x1p21 * parameter * (1.0 + 0x1p-40));
}

/* --- native parameter ----------------------------------------------------------- */

static const pvgi_law *law_of(const pvg_target *target) {
    return pvgi_mechanism_law(target->noise == PVG_NOISE_DEFAULT ? PVG_NOISE_GAUSSIAN
                                                                 : target->noise);
}

pvg_curve_term pvgi_mechanism_target_term(const pvg_target *target, int64_t noisy) {
    const pvgi_law *law = law_of(target);
    pvg_curve_term term = {.size = sizeof term, .kind = law->curve};
    if (law->smooth) {
        term.beta = pvgi_mechanism_up(target->beta + PVGI_SMOOTH_EXTRA, 2);
        term.dimension = noisy;
    }
    return term;
}

double pvgi_mechanism_target_parameter(const pvg_target *target,
                                       const pvg_curve_term *term) {
    if (target->parameter > 0.0) return target->parameter;
    /* a little below, so that the accountant's last digit cannot exceed the target */
    const double epsilon = target->epsilon * (1.0 - 0x1p-40);
    return law_of(target)->published
               ? pvgi_mechanism_published_solve(term, epsilon, target->delta)
               : pvgi_mechanism_solve(term, epsilon, target->delta);
}

/* --- grids ---------------------------------------------------------------------- */

/* Sensitivity including what rounding adds, in value units. */
static double charged(const pvg_mechanism *m, const pvgi_coordinate *c) {
    if (pvgi_mechanism_is_smooth(m->target.noise))
        return c->sensitivity + ldexp(pvgi_mechanism_smooth_floor(m->ratio), c->grid);
    return ldexp((double)c->steps, c->grid) * (1.0 + 0x1p-52);
}

static int32_t out_of_bits(const pvg_mechanism *m, int64_t index) {
    return pvgi_fail(
        PVG_E_LIMIT,
        "%s: coordinate %lld: noise, sensitivity and range are too far apart",
        m->function, (long long)index);
}

/* One round; *changed tells whether a grid moved. */
static int32_t fit_grids(pvg_mechanism *m, const double *scales, bool first,
                         bool *changed) {
    const pvgi_law *law = pvgi_mechanism_law(m->target.noise);
    *changed = false;
    for (int64_t i = 0; i < m->dimension; i++) {
        pvgi_coordinate *c = &m->coordinate[i];
        if (c->sensitivity == 0.0) continue;
        if (!isfinite(scales[i]) || !(scales[i] > 0.0)) return out_of_bits(m, i);
        const int32_t grid =
            pvgi_mechanism_grid(scales[i], fmax(fabs(c->low), fabs(c->high)),
                                law->smooth ? SMOOTH_SCALE_BITS : PVGI_SCALE_BITS);
        if (!first && grid <= c->grid) continue;
        *changed = true;
        c->grid = grid;
        c->steps = (int64_t)ceil(ldexp(c->sensitivity, -grid));
        if (c->steps < 1) c->steps = 1;
        if (law->steps_max > 0 && c->steps > law->steps_max) return out_of_bits(m, i);
        c->half = c->steps;
        if (m->turn > 0) pvgi_mechanism_correlated(c, m->turn);
    }
    return PVG_OK;
}

/* Room for calibrating: `dimension` numbers each. */
typedef struct {
    double *scales, *sensitivities, *weights;
    double *middle, *whole; /* with shared noise */
    double shared;          /* its scale, in units of the middles */
} work;

/* Scales for what must be covered; w->whole: of all the noise of a coordinate. */
static void allocate(const pvg_mechanism *m, work *w, bool first) {
    const int norm = pvgi_mechanism_law(m->target.noise)->norm;
    if (m->turn == 0) {
        pvgi_mechanism_allocate(w->scales, w->sensitivities, w->weights, m->dimension,
                                m->target.allocation, norm, m->ratio);
        return;
    }
    for (int64_t i = 0; i < m->dimension; i++) {
        const pvgi_coordinate *c = &m->coordinate[i];
        w->sensitivities[i] = first ? 0.5 * (c->sensitivity + c->back)
                                    : ldexp((double)c->half, c->grid) * (1.0 + 0x1p-52);
        w->middle[i] = first ? 0.5 * (c->sensitivity - c->back)
                             : ldexp((double)(c->loading * m->turn), c->grid);
    }
    w->shared = pvgi_mechanism_allocate_correlated(
        w->scales, w->sensitivities, w->middle, w->weights, m->dimension, norm, m->ratio);
    for (int64_t i = 0; i < m->dimension; i++)
        w->whole[i] = hypot(w->scales[i], w->shared * w->middle[i]);
}

static int32_t find_grids(pvg_mechanism *m, work *w) {
    bool changed = true;
    for (int round = 0; changed; round++) {
        int64_t worst = 0;
        for (int64_t i = 0; i < m->dimension; i++) {
            const pvgi_coordinate *c = &m->coordinate[i];
            w->sensitivities[i] =
                round == 0 || c->sensitivity == 0.0 ? c->sensitivity : charged(m, c);
            if (c->sensitivity > 0.0) worst = i;
        }
        if (round == ROUNDS) return out_of_bits(m, worst);
        allocate(m, w, round == 0);
        PVGI_TRY(fit_grids(m, m->turn > 0 ? w->whole : w->scales, round == 0, &changed));
    }
    return PVG_OK;
}

/* --- what is spent -------------------------------------------------------------- */

static double spent_by_integers(const pvg_mechanism *m) {
    const int norm = pvgi_mechanism_law(m->target.noise)->norm;
    double sum = 0.0;
    for (int64_t i = 0; i < m->dimension; i++) {
        const pvgi_coordinate *c = &m->coordinate[i];
        if (c->scale == 0) continue;
        const double ratio = (double)c->half / (double)c->scale;
        sum += norm == 1 ? ratio : ratio * ratio;
    }
    if (m->shared > 0) {
        const double ratio = (double)m->turn / (double)m->shared;
        sum += norm == 1 ? ratio : ratio * ratio;
    }
    sum *= 1.0 + 0x1p-53 * (double)(m->noisy + 16);
    if (m->spent.kind == PVG_CURVE_GDP) return sqrt(sum) * (1.0 + 0x1p-51);
    return m->spent.kind == PVG_CURVE_ZCDP ? 0.5 * sum : sum;
}

static int32_t spend(pvg_mechanism *m, const pvg_curve_term *solved, double parameter) {
    m->spent = *solved;
    const pvgi_law *law = pvgi_mechanism_law(m->target.noise);
    if (law->smooth) {
        m->spent.rho = parameter;
        if (law->published) m->spent = pvgi_mechanism_published_term(&m->spent);
        if (!isfinite(m->spent.rho) ||
            pvgi_mechanism_terms_epsilon(&m->spent, 1, 0.5) == INFINITY)
            return pvgi_fail(PVG_E_PRIVACY, "%s: with this beta nothing holds",
                             m->function);
        return PVG_OK;
    }
    const double realised = spent_by_integers(m);
    *pvgi_mechanism_term_parameter(&m->spent) = realised;
    if (!(realised > 0.0 && realised <= parameter))
        return pvgi_fail(PVG_E_NUMERIC, "%s: rounding exceeds the budget", m->function);
    return PVG_OK;
}

/* Fills ratio, grids, steps, scales and spent for a native parameter. */
static int32_t fit(pvg_mechanism *m, const pvg_curve_term *term, double parameter,
                   bool shared, double *scratch) {
    work w = {.scales = scratch,
              .sensitivities = scratch + m->dimension,
              .weights = scratch + 2 * m->dimension,
              .middle = scratch + 3 * m->dimension,
              .whole = scratch + 4 * m->dimension};
    const bool rho = term->kind == PVG_CURVE_ZCDP || term->kind == PVG_CURVE_SMOOTH;
    m->ratio = rho ? sqrt(2.0 * parameter) * (1.0 - 0x1p-51) : parameter;
    if (shared) m->turn = pvgi_mechanism_turn(m->ratio);
    for (int64_t i = 0; i < m->dimension; i++) w.weights[i] = m->coordinate[i].weight;
    PVGI_TRY(find_grids(m, &w));
    for (int64_t i = 0; i < m->dimension; i++) {
        pvgi_coordinate *c = &m->coordinate[i];
        if (c->sensitivity > 0.0)
            c->scale = (int64_t)ceil(ldexp(w.scales[i], -c->grid) *
                                     pvgi_mechanism_margin(m->noisy));
    }
    if (m->turn > 0) {
        const double scale = w.shared * (double)m->turn * pvgi_mechanism_margin(m->noisy);
        if (!(scale <= 0x1p47)) return out_of_bits(m, 0);
        m->shared = (int64_t)ceil(scale);
        m->shares = m->shared > 0;
    }
    return spend(m, term, parameter);
}

/* scratch: 5 * dimension numbers. */
static int32_t calibrate(pvg_mechanism *m, bool shared, double *scratch) {
    const pvg_target *t = &m->target;
    const pvg_curve_term term = pvgi_mechanism_target_term(t, m->noisy);
    double parameter = pvgi_mechanism_target_parameter(t, &term);
    if (!(parameter > 0.0))
        return pvgi_fail(
            PVG_E_PRIVACY, "%s: no amount of this noise meets epsilon and delta%s",
            m->function, term.kind == PVG_CURVE_SMOOTH ? " with this beta" : "");
    /* the accountant must agree with what came out; where its last digits do not (they
     * jump a little), a slightly smaller parameter */
    for (int bits = 40; bits > 4; bits -= 2) {
        PVGI_TRY(fit(m, &term, parameter, shared, scratch));
        if (t->epsilon == 0.0 ||
            pvgi_mechanism_terms_epsilon(&m->spent, 1, t->delta) <= t->epsilon)
            return PVG_OK;
        parameter *= 1.0 - ldexp(1.0, -bits);
    }
    return pvgi_fail(PVG_E_NUMERIC,
                     "%s: epsilon and delta are beyond the accountant's precision",
                     m->function);
}

int32_t pvgi_mechanism_build(pvg_mechanism **out, const char *function,
                             const pvg_target *target, const double *sensitivities,
                             const double *back, const double *low, const double *high,
                             const double *weights, int64_t dimension) {
    const size_t bytes = pvgi_size_add(
        sizeof(pvg_mechanism), pvgi_size_mul((size_t)dimension, sizeof(pvgi_coordinate)));
    pvg_mechanism *m = pvgi_alloc_zero(1, bytes);
    double *scratch = pvgi_alloc((size_t)dimension, 5 * sizeof *scratch);
    int32_t status = m && scratch ? PVG_OK : pvgi_fail_nomem();
    if (status == PVG_OK) {
        m->function = function;
        m->target = *target;
        m->dimension = dimension;
        for (int64_t i = 0; i < dimension; i++) {
            pvgi_coordinate *c = &m->coordinate[i];
            c->low = low ? low[i] : 0.0;
            c->high = high ? high[i] : 1.0;
            /* values are clamped, so no change is larger than the range; rounded up */
            const double range =
                c->low < c->high ? (c->high - c->low) * (1.0 + 0x1p-52) : 0.0;
            c->sensitivity = fmin(sensitivities[i], range);
            c->weight = weights ? weights[i] : 1.0;
            c->back = back ? fmin(back[i], c->sensitivity) : 0.0;
            m->noisy += c->sensitivity > 0.0;
        }
        status = calibrate(m, back != NULL, scratch);
    }
    pvgi_free(scratch);
    if (status == PVG_OK)
        *out = m;
    else
        pvgi_free(m);
    return status;
}
