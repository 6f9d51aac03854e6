/* Entry file of mechanism: checks arguments, calls inside. */
#include "mechanism_internal.h"

#include <string.h>

/* --- checks that several functions share ---------------------------------------- */

static int32_t import_term(pvg_curve_term *own, const char *function,
                           const pvg_curve_term *term, bool wanted) {
    if (!term) return pvgi_fail_null(function, "term");
    PVGI_TRY(pvgi_config_import(own, sizeof *own, term, "pvg_curve_term"));
    return pvgi_mechanism_term_check(function, own, wanted);
}

static int32_t check_epsilon(const char *function, double epsilon) {
    PVGI_REQUIRE(isfinite(epsilon) && epsilon > 0.0,
                 "%s: epsilon is not a positive finite number", function);
    return PVG_OK;
}

static int32_t check_delta(const char *function, double delta) {
    PVGI_REQUIRE(delta >= 0.0 && delta < 1.0, "%s: delta is not in [0, 1)", function);
    return PVG_OK;
}

/* A calibration or conversion that found nothing. */
static int32_t positive_or_fail(double *out, const char *function, double found) {
    if (!(found > 0.0))
        return pvgi_fail(PVG_E_PRIVACY, "%s: no positive value meets epsilon and delta",
                         function);
    *out = found;
    return PVG_OK;
}

/* --- curves --------------------------------------------------------------------- */

static pvg_curve *new_curve(int64_t capacity) {
    const size_t bytes = pvgi_size_add(
        sizeof(pvg_curve), pvgi_size_mul((size_t)capacity, sizeof(pvg_curve_term)));
    return pvgi_alloc_zero(1, bytes);
}

int32_t pvg_curve_new(pvg_curve **out, const pvg_curve_term *term) {
    pvg_curve_term own;
    if (!out) return pvgi_fail_null("pvg_curve_new", "out");
    *out = NULL;
    PVGI_TRY(import_term(&own, "pvg_curve_new", term, false));
    pvg_curve *curve = new_curve(1);
    if (!curve) return pvgi_fail_nomem();
    curve->count = 1;
    curve->terms[0] = own;
    *out = curve;
    return PVG_OK;
}

int32_t pvg_curve_compose(pvg_curve **out, const pvg_curve *first,
                          const pvg_curve *second) {
    if (!out) return pvgi_fail_null("pvg_curve_compose", "out");
    *out = NULL;
    if (!first) return pvgi_fail_null("pvg_curve_compose", "first");
    if (!second) return pvgi_fail_null("pvg_curve_compose", "second");
    pvg_curve *curve = new_curve(first->count + second->count);
    if (!curve) return pvgi_fail_nomem();
    int32_t status = PVG_OK;
    for (int64_t i = 0; i < first->count && status == PVG_OK; i++)
        status = pvgi_mechanism_terms_add(curve->terms, &curve->count, &first->terms[i]);
    for (int64_t i = 0; i < second->count && status == PVG_OK; i++)
        status = pvgi_mechanism_terms_add(curve->terms, &curve->count, &second->terms[i]);
    if (status == PVG_OK)
        *out = curve;
    else
        pvgi_free(curve);
    return status;
}

/* The curve with every term enlarged. */
static int32_t enlarged(pvg_curve **out, const char *name, const pvg_curve *curve,
                        const char *word, int64_t by,
                        int32_t (*enlarge)(pvg_curve_term *term, int64_t by)) {
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!curve) return pvgi_fail_null(name, "curve");
    PVGI_REQUIRE(by >= 1, "%s: %s is below 1", name, word);
    pvg_curve *result = new_curve(curve->count);
    if (!result) return pvgi_fail_nomem();
    int32_t status = PVG_OK;
    for (int64_t i = 0; i < curve->count && status == PVG_OK; i++) {
        pvg_curve_term term = curve->terms[i];
        status = enlarge(&term, by);
        if (status == PVG_OK)
            status = pvgi_mechanism_terms_add(result->terms, &result->count, &term);
    }
    if (status == PVG_OK)
        *out = result;
    else
        pvgi_free(result);
    return status;
}

int32_t pvg_curve_repeat(pvg_curve **out, const pvg_curve *curve, int64_t times) {
    return enlarged(out, "pvg_curve_repeat", curve, "times", times,
                    pvgi_mechanism_term_repeat);
}

int32_t pvg_curve_group(pvg_curve **out, const pvg_curve *curve, int64_t size) {
    return enlarged(out, "pvg_curve_group", curve, "size", size,
                    pvgi_mechanism_term_group);
}

void pvg_curve_free(pvg_curve *curve) {
    pvgi_free(curve);
}

int64_t pvg_curve_count(const pvg_curve *curve) {
    return curve ? curve->count : 0;
}

int32_t pvg_curve_copy_term(pvg_curve_term *out, const pvg_curve *curve, int64_t index) {
    if (!out) return pvgi_fail_null("pvg_curve_copy_term", "out");
    if (!curve) return pvgi_fail_null("pvg_curve_copy_term", "curve");
    PVGI_REQUIRE(index >= 0 && index < curve->count,
                 "pvg_curve_copy_term: index %lld names no term", (long long)index);
    return pvgi_config_export(out, &curve->terms[index], sizeof *out, "pvg_curve_term");
}

int32_t pvg_curve_epsilon(double *out, const pvg_curve *curve, double delta) {
    if (!out) return pvgi_fail_null("pvg_curve_epsilon", "out");
    if (!curve) return pvgi_fail_null("pvg_curve_epsilon", "curve");
    PVGI_TRY(check_delta("pvg_curve_epsilon", delta));
    *out = pvgi_mechanism_terms_epsilon(curve->terms, curve->count, delta);
    return PVG_OK;
}

int32_t pvg_curve_delta(double *out, const pvg_curve *curve, double epsilon) {
    if (!out) return pvgi_fail_null("pvg_curve_delta", "out");
    if (!curve) return pvgi_fail_null("pvg_curve_delta", "curve");
    PVGI_REQUIRE(isfinite(epsilon) && epsilon >= 0.0,
                 "pvg_curve_delta: epsilon is not a non-negative finite number");
    *out = pvgi_mechanism_terms_delta(curve->terms, curve->count, epsilon);
    return PVG_OK;
}

int32_t pvg_curve_renyi(double *out, const pvg_curve *curve, double alpha) {
    if (!out) return pvgi_fail_null("pvg_curve_renyi", "out");
    if (!curve) return pvgi_fail_null("pvg_curve_renyi", "curve");
    PVGI_REQUIRE(isfinite(alpha) && alpha > 1.0,
                 "pvg_curve_renyi: alpha is not a finite number above 1");
    *out = pvgi_mechanism_terms_renyi(curve->terms, curve->count, alpha);
    return PVG_OK;
}

/* --- published conversions, and parameters from a budget ------------------------ */

static int32_t check_published(const char *function, const pvg_curve_term *term,
                               double delta) {
    PVGI_REQUIRE(term->kind >= PVG_CURVE_ZCDP && term->kind <= PVG_CURVE_GDP,
                 "%s: term->kind has no published conversion", function);
    PVGI_REQUIRE(delta > 0.0 && delta < 1.0, "%s: delta is not in (0, 1)", function);
    return PVG_OK;
}

int32_t pvg_curve_epsilon_published(double *out, const pvg_curve_term *term,
                                    double delta) {
    const char *name = "pvg_curve_epsilon_published";
    pvg_curve_term own;
    if (!out) return pvgi_fail_null(name, "out");
    PVGI_TRY(import_term(&own, name, term, false));
    PVGI_TRY(check_published(name, &own, delta));
    *out = pvgi_mechanism_published_epsilon(&own, delta);
    return PVG_OK;
}

static int32_t new_loss(pvg_pld **out, int64_t parts) {
    *out = pvgi_alloc_zero(
        1,
        pvgi_size_add(sizeof **out, pvgi_size_mul((size_t)parts, sizeof(pvg_pld_part))));
    return *out ? PVG_OK : pvgi_fail_nomem();
}

static int32_t loss_of(pvg_pld **out, const pvg_pld_part *part) {
    PVGI_TRY(new_loss(out, 1));
    (*out)->count = 1;
    (*out)->parts[0] = *part;
    return PVG_OK;
}

int32_t pvg_pld_new(pvg_pld **out, const pvg_pld_part *part) {
    pvg_pld_part own;
    if (!out) return pvgi_fail_null("pvg_pld_new", "out");
    *out = NULL;
    if (!part) return pvgi_fail_null("pvg_pld_new", "part");
    PVGI_TRY(pvgi_config_import(&own, sizeof own, part, "pvg_pld_part"));
    PVGI_TRY(pvgi_mechanism_loss_check("pvg_pld_new", &own));
    return loss_of(out, &own);
}

int32_t pvg_pld_compose(pvg_pld **out, const pvg_pld *first, const pvg_pld *second) {
    if (!out) return pvgi_fail_null("pvg_pld_compose", "out");
    *out = NULL;
    if (!first) return pvgi_fail_null("pvg_pld_compose", "first");
    if (!second) return pvgi_fail_null("pvg_pld_compose", "second");
    PVGI_REQUIRE(first->count + second->count <= PVG_PLD_PARTS_MAX,
                 "pvg_pld_compose: more than %d parts", (int)PVG_PLD_PARTS_MAX);
    pvg_pld *loss;
    PVGI_TRY(new_loss(&loss, first->count + second->count));
    memcpy(loss->parts, first->parts, (size_t)first->count * sizeof *loss->parts);
    loss->count = first->count;
    for (int64_t i = 0; i < second->count; i++)
        pvgi_mechanism_loss_add(loss, &second->parts[i]);
    *out = loss;
    return PVG_OK;
}

int32_t pvg_curve_pld(pvg_pld **out, const pvg_curve *curve) {
    pvg_pld_part part;
    if (!out) return pvgi_fail_null("pvg_curve_pld", "out");
    *out = NULL;
    if (!curve) return pvgi_fail_null("pvg_curve_pld", "curve");
    for (int64_t i = 0; i < curve->count; i++)
        PVGI_TRY(pvgi_mechanism_loss_term(&part, "pvg_curve_pld", &curve->terms[i]));
    pvg_pld *loss;
    PVGI_TRY(new_loss(&loss, curve->count));
    for (int64_t i = 0; i < curve->count; i++)
        if (pvgi_mechanism_loss_term(&part, "pvg_curve_pld", &curve->terms[i]) == PVG_OK)
            pvgi_mechanism_loss_add(loss, &part);
    *out = loss;
    return PVG_OK;
}

void pvg_pld_free(pvg_pld *pld) {
    pvgi_free(pld);
}

int64_t pvg_pld_count(const pvg_pld *pld) {
    return pld ? pld->count : 0;
}

int32_t pvg_pld_epsilon(double *out, const pvg_pld *pld, double delta,
                        const pvg_run *run) {
    pvgi_run own_run;
    if (!out) return pvgi_fail_null("pvg_pld_epsilon", "out");
    if (!pld) return pvgi_fail_null("pvg_pld_epsilon", "pld");
    PVGI_TRY(check_delta("pvg_pld_epsilon", delta));
    PVGI_TRY(pvgi_run_begin(&own_run, run));
    return pvgi_mechanism_loss_epsilon(out, pld, delta, &own_run);
}

int32_t pvg_pld_delta(double *out, const pvg_pld *pld, double epsilon,
                      const pvg_run *run) {
    pvgi_run own_run;
    if (!out) return pvgi_fail_null("pvg_pld_delta", "out");
    if (!pld) return pvgi_fail_null("pvg_pld_delta", "pld");
    PVGI_REQUIRE(isfinite(epsilon) && epsilon >= 0.0,
                 "pvg_pld_delta: epsilon is not a non-negative finite number");
    PVGI_TRY(pvgi_run_begin(&own_run, run));
    return pvgi_mechanism_loss_delta(out, pld, epsilon, &own_run);
}

int32_t pvg_mechanism_pld(pvg_pld **out, const pvg_mechanism *mechanism) {
    pvg_pld_part part;
    if (!out) return pvgi_fail_null("pvg_mechanism_pld", "out");
    *out = NULL;
    if (!mechanism) return pvgi_fail_null("pvg_mechanism_pld", "mechanism");
    PVGI_TRY(pvgi_mechanism_loss_part(&part, "pvg_mechanism_pld", mechanism));
    return loss_of(out, &part);
}

int32_t pvg_curve_solve(double *out, const pvg_curve_term *term, double epsilon,
                        double delta) {
    const char *name = "pvg_curve_solve";
    pvg_curve_term own;
    if (!out) return pvgi_fail_null(name, "out");
    PVGI_TRY(import_term(&own, name, term, true));
    PVGI_TRY(check_epsilon(name, epsilon));
    PVGI_TRY(check_delta(name, delta));
    return positive_or_fail(out, name, pvgi_mechanism_solve(&own, epsilon, delta));
}

int32_t pvg_curve_solve_published(double *out, const pvg_curve_term *term, double epsilon,
                                  double delta) {
    const char *name = "pvg_curve_solve_published";
    pvg_curve_term own;
    if (!out) return pvgi_fail_null(name, "out");
    PVGI_TRY(import_term(&own, name, term, true));
    PVGI_TRY(check_epsilon(name, epsilon));
    PVGI_TRY(check_published(name, &own, delta));
    return positive_or_fail(out, name,
                            pvgi_mechanism_published_solve(&own, epsilon, delta));
}

int32_t pvg_gaussian_sigma(double *out, double epsilon, double delta) {
    const char *name = "pvg_gaussian_sigma";
    if (!out) return pvgi_fail_null(name, "out");
    PVGI_TRY(check_epsilon(name, epsilon));
    PVGI_TRY(check_delta(name, delta));
    const pvg_curve_term gdp = {.size = sizeof gdp, .kind = PVG_CURVE_GDP};
    const double mu = pvgi_mechanism_solve(&gdp, epsilon, delta);
    const double sigma = mu > 0.0 ? pvgi_mechanism_up(1.0 / mu, 2) : 0.0;
    if (!isfinite(sigma))
        return pvgi_fail(PVG_E_NUMERIC, "%s: the noise is not a finite number", name);
    return positive_or_fail(out, name, sigma);
}

static int32_t contractive(double *out, const char *name,
                           const pvgi_iteration *iteration) {
    const int64_t layers = iteration->layers;
    double mu;
    PVGI_REQUIRE(layers >= 1, "%s: layers is below 1", name);
    for (int64_t j = 0; iteration->gammas && j < layers; j++)
        PVGI_REQUIRE(iteration->gammas[j] >= 0.0, "%s: gammas[%lld] is negative or NaN",
                     name, (long long)j);
    PVGI_TRY(pvgi_mechanism_check_array(name, "shifts", iteration->shifts, layers, true));
    if (iteration->scales) {
        PVGI_TRY(
            pvgi_mechanism_check_array(name, "scales", iteration->scales, layers, false));
        PVGI_TRY(pvgi_mechanism_contractive(&mu, iteration));
    } else
        mu = pvgi_mechanism_contractive_shift(iteration);
    if (!isfinite(mu)) return pvgi_fail(PVG_E_NUMERIC, "%s: mu is not finite", name);
    *out = mu;
    return PVG_OK;
}

int32_t pvg_contractive_mu(double *out, double gamma, const double *shifts,
                           const double *scales, int64_t layers) {
    const char *name = "pvg_contractive_mu";
    if (!out) return pvgi_fail_null(name, "out");
    if (!shifts) return pvgi_fail_null(name, "shifts");
    if (!scales) return pvgi_fail_null(name, "scales");
    PVGI_REQUIRE(isfinite(gamma) && gamma >= 0.0,
                 "%s: gamma is not a non-negative finite number", name);
    const pvgi_iteration iteration = {gamma, NULL, shifts, scales, layers};
    return contractive(out, name, &iteration);
}

int32_t pvg_contractive_mu_layers(double *out, const double *gammas, const double *shifts,
                                  const double *scales, int64_t layers) {
    const char *name = "pvg_contractive_mu_layers";
    if (!out) return pvgi_fail_null(name, "out");
    if (!gammas) return pvgi_fail_null(name, "gammas");
    if (!shifts) return pvgi_fail_null(name, "shifts");
    if (!scales) return pvgi_fail_null(name, "scales");
    const pvgi_iteration iteration = {0.0, gammas, shifts, scales, layers};
    return contractive(out, name, &iteration);
}

int32_t pvg_contractive_shift(double *out, const double *gammas, const double *shifts,
                              int64_t layers) {
    const char *name = "pvg_contractive_shift";
    if (!out) return pvgi_fail_null(name, "out");
    if (!gammas) return pvgi_fail_null(name, "gammas");
    if (!shifts) return pvgi_fail_null(name, "shifts");
    const pvgi_iteration iteration = {0.0, gammas, shifts, NULL, layers};
    return contractive(out, name, &iteration);
}

/* --- laws ----------------------------------------------------------------------- */

const char *pvg_allocation_name(int32_t allocation) {
    return pvgi_mechanism_allocation_name(allocation);
}

const char *pvg_noise_name(int32_t noise) {
    const pvgi_law *law = pvgi_mechanism_law(noise);
    return law ? law->word : NULL;
}

int32_t pvg_noise_curve(int32_t noise) {
    const pvgi_law *law = pvgi_mechanism_law(noise);
    return law ? law->curve : 0;
}

double pvg_noise_deviation(int32_t noise, double scale, double sensitivity) {
    const pvgi_law *law = pvgi_mechanism_law(noise);
    return law ? law->deviation(scale, sensitivity) : NAN;
}

/* --- mechanisms ----------------------------------------------------------------- */

int32_t pvg_mechanism_new(pvg_mechanism **out, const pvg_target *target,
                          const double *sensitivities, const double *low,
                          const double *high, const double *weights, int64_t dimension) {
    const char *name = "pvg_mechanism_new";
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    return pvgi_mechanism_new(out, name, target, sensitivities, NULL, low, high, weights,
                              dimension);
}

static bool is_power_of_two(double x) {
    return isnormal(x) && x > 0.0 && ldexp(1.0, ilogb(x)) == x && ilogb(x) >= -1000;
}

static const pvgi_rule joint_rules[] = {
    PVGI_ZERO(pvg_joint_config, reserved),
    PVGI_COUNT(pvg_joint_config, l1),
    PVGI_COUNT(pvg_joint_config, l2),
};
static const pvgi_shape joint_shape = PVGI_SHAPE(pvg_joint_config, joint_rules);

static int32_t check_joint(const char *name, const pvg_joint_config *c) {
    PVGI_TRY(pvgi_mechanism_check_dimension(name, c->dimension));
    PVGI_REQUIRE(c->l1 > 0.0 || c->l2 > 0.0,
                 "%s: neither config->l1 nor config->l2 is given", name);
    PVGI_REQUIRE(isfinite(c->low) && isfinite(c->high) && isfinite(c->high - c->low),
                 "%s: config->low or config->high is not finite", name);
    PVGI_REQUIRE(c->grid == 0.0 || is_power_of_two(c->grid),
                 "%s: config->grid is neither 0 nor a power of two", name);
    PVGI_REQUIRE(c->grid > 0.0 ? c->low <= c->high : c->low < c->high,
                 "%s: config->low is not below config->high", name);
    if (c->grid > 0.0) /* clamping must not leave the grid */
        PVGI_REQUIRE(fmod(c->low, c->grid) == 0.0 && fmod(c->high, c->grid) == 0.0,
                     "%s: config->low and config->high are not multiples of config->grid",
                     name);
    return PVG_OK;
}

int32_t pvg_mechanism_new_joint(pvg_mechanism **out, const pvg_target *target,
                                const pvg_joint_config *config) {
    const char *name = "pvg_mechanism_new_joint";
    pvg_target own;
    pvg_joint_config c;
    pvgi_joint joint;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    PVGI_TRY(pvgi_mechanism_import_target(&own, name, target));
    PVGI_TRY(pvgi_mechanism_check_beta(name, &own));
    PVGI_REQUIRE(own.allocation == 0, "%s: target->allocation is not 0", name);
    if (!config) return pvgi_fail_null(name, "config");
    PVGI_TRY(pvgi_config_read(&c, &joint_shape, config, name, "config"));
    PVGI_TRY(check_joint(name, &c));
    PVGI_TRY(pvgi_mechanism_joint(&joint, name, &c, &own));
    pvg_mechanism *m = pvgi_alloc_zero(1, sizeof *m);
    if (!m) return pvgi_fail_nomem();
    m->target = own;
    m->dimension = m->noisy = c.dimension;
    m->is_joint = true;
    m->low = c.low;
    m->high = c.high;
    m->joint = joint;
    m->spent = joint.spent;
    *out = m;
    return PVG_OK;
}

void pvg_mechanism_free(pvg_mechanism *mechanism) {
    pvgi_free(mechanism);
}

int64_t pvg_mechanism_dimension(const pvg_mechanism *mechanism) {
    return mechanism ? mechanism->dimension : 0;
}

int32_t pvg_mechanism_noise(const pvg_mechanism *mechanism) {
    return mechanism ? mechanism->target.noise : 0;
}

int32_t pvg_mechanism_allows_seeded(const pvg_mechanism *mechanism) {
    return mechanism && mechanism->target.allow_seeded;
}

int32_t pvg_mechanism_curve(pvg_curve **out, const pvg_mechanism *mechanism) {
    if (!out) return pvgi_fail_null("pvg_mechanism_curve", "out");
    *out = NULL;
    if (!mechanism) return pvgi_fail_null("pvg_mechanism_curve", "mechanism");
    return pvg_curve_new(out, &mechanism->spent);
}

int32_t pvg_mechanism_epsilon(double *out, const pvg_mechanism *mechanism, double delta) {
    if (!out) return pvgi_fail_null("pvg_mechanism_epsilon", "out");
    if (!mechanism) return pvgi_fail_null("pvg_mechanism_epsilon", "mechanism");
    PVGI_TRY(check_delta("pvg_mechanism_epsilon", delta));
    *out = pvgi_mechanism_terms_epsilon(&mechanism->spent, 1, delta);
    return PVG_OK;
}

int32_t pvg_mechanism_copy_grid(double *out, const pvg_mechanism *mechanism) {
    if (!out) return pvgi_fail_null("pvg_mechanism_copy_grid", "out");
    if (!mechanism) return pvgi_fail_null("pvg_mechanism_copy_grid", "mechanism");
    for (int64_t i = 0; i < mechanism->dimension; i++)
        out[i] = ldexp(1.0, mechanism->is_joint ? mechanism->joint.grid
                                                : mechanism->coordinate[i].grid);
    return PVG_OK;
}

int32_t pvg_mechanism_copy_scale(double *out, const pvg_mechanism *mechanism) {
    if (!out) return pvgi_fail_null("pvg_mechanism_copy_scale", "out");
    if (!mechanism) return pvgi_fail_null("pvg_mechanism_copy_scale", "mechanism");
    if (pvgi_mechanism_is_smooth(mechanism->target.noise))
        return pvgi_fail(PVG_E_PRIVACY, "pvg_mechanism_copy_scale: the scale of smooth "
                                        "noise is private");
    for (int64_t i = 0; i < mechanism->dimension; i++) {
        if (mechanism->is_joint) {
            out[i] = mechanism->joint.scale;
            continue;
        }
        out[i] = pvgi_mechanism_whole_scale(mechanism, i);
    }
    return PVG_OK;
}

const char *pvg_mechanism_claim(const pvg_mechanism *mechanism) {
    if (mechanism && mechanism->is_joint) return "mechanism.joint";
    return mechanism ? pvgi_mechanism_law(mechanism->target.noise)->claim : NULL;
}

/* --- choosing beta -------------------------------------------------------------- */

int32_t pvg_smooth_choose(double *beta, double *rho, double *noise,
                          const pvg_target *target, int64_t dimension,
                          pvg_smooth_reference reference, void *context) {
    const char *name = "pvg_smooth_choose";
    pvg_target own;
    if (!beta) return pvgi_fail_null(name, "beta");
    if (!rho) return pvgi_fail_null(name, "rho");
    PVGI_TRY(pvgi_mechanism_import_target(&own, name, target));
    PVGI_REQUIRE(pvgi_mechanism_is_smooth(own.noise),
                 "%s: target->noise is not a smooth one", name);
    PVGI_REQUIRE(own.parameter == 0.0, "%s: target->parameter is not 0", name);
    PVGI_TRY(pvgi_mechanism_check_dimension(name, dimension));
    PVGI_REQUIRE(reference != NULL, "%s: reference is NULL", name);
    return pvgi_mechanism_choose(beta, rho, noise, &own, dimension, reference, context);
}
