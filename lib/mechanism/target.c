/* What callers give to be calibrated, targets and coordinates: checked in one place for
 * everything that has noise. */
#include "mechanism_internal.h"

static const pvgi_rule rules[] = {
    PVGI_ENUM(pvg_target, allocation, PVG_ALLOCATION_PROPORTIONAL, "PVG_ALLOCATION"),
    PVGI_BOOL(pvg_target, allow_seeded),
};
static const pvgi_shape shape = PVGI_SHAPE(pvg_target, rules);

static int32_t check_budget(const char *function, const pvg_target *t) {
    if (t->parameter != 0.0) {
        PVGI_REQUIRE(isfinite(t->parameter) && t->parameter > 0.0,
                     "%s: target->parameter is not a positive finite number", function);
        PVGI_REQUIRE(t->epsilon == 0.0 && t->delta == 0.0,
                     "%s: target has parameter and also epsilon or delta", function);
        return PVG_OK;
    }
    PVGI_REQUIRE(isfinite(t->epsilon) && t->epsilon > 0.0,
                 "%s: target->epsilon is not a positive finite number", function);
    const pvgi_law *law = pvgi_mechanism_law(t->noise);
    if (law->curve == PVG_CURVE_PURE)
        PVGI_REQUIRE(t->delta == 0.0, "%s: target->delta is not 0, as %s noise needs",
                     function, law->word);
    else
        PVGI_REQUIRE(t->delta > 0.0 && t->delta < 1.0,
                     "%s: target->delta is not in (0, 1)", function);
    return PVG_OK;
}

int32_t pvgi_mechanism_import_target(pvg_target *own, const char *function,
                                     const pvg_target *target) {
    if (!target) return pvgi_fail_null(function, "target");
    PVGI_TRY(pvgi_config_read(own, &shape, target, function, "target"));
    if (own->noise == PVG_NOISE_DEFAULT) own->noise = PVG_NOISE_GAUSSIAN;
    PVGI_REQUIRE(pvgi_mechanism_law(own->noise), "%s: target->noise %d is no PVG_NOISE_*",
                 function, (int)own->noise);
    return check_budget(function, own);
}

int32_t pvgi_mechanism_read_plain(pvg_target *own, const char *function,
                                  const pvg_target *target, uint32_t laws,
                                  const char *what) {
    if (!target) return pvgi_fail_null(function, "target");
    PVGI_TRY(pvgi_config_read(own, &shape, target, function, "target"));
    PVGI_REQUIRE(own->allocation == 0 && own->beta == 0.0,
                 "%s: target->allocation and target->beta are not for %ss", function,
                 what);
    PVGI_REQUIRE(own->noise == PVG_NOISE_DEFAULT ||
                     (own->noise > 0 && own->noise < 32 && laws >> own->noise & 1),
                 "%s: target->noise %d is not one this %s knows", function,
                 (int)own->noise, what);
    return PVG_OK;
}

int32_t pvgi_mechanism_check_beta(const char *function, const pvg_target *target) {
    if (pvgi_mechanism_is_smooth(target->noise))
        PVGI_REQUIRE(isfinite(target->beta) && target->beta > 0.0,
                     "%s: target->beta is not a positive finite number", function);
    else
        PVGI_REQUIRE(target->beta == 0.0,
                     "%s: target->beta has no meaning for this noise", function);
    return PVG_OK;
}

/* --- coordinates ------------------------------------------------------------------ */

int32_t pvgi_mechanism_check_array(const char *function, const char *name,
                                   const double *array, int64_t count, bool or_zero) {
    for (int64_t i = 0; array && i < count; i++)
        PVGI_REQUIRE(isfinite(array[i]) &&
                         (array[i] > 0.0 || (or_zero && array[i] == 0.0)),
                     "%s: %s[%lld] is not a %s finite number", function, name,
                     (long long)i, or_zero ? "non-negative" : "positive");
    return PVG_OK;
}

int32_t pvgi_mechanism_check_dimension(const char *function, int64_t dimension) {
    PVGI_REQUIRE(dimension >= 1, "%s: dimension is below 1", function);
    if (dimension > PVG_MECHANISM_DIMENSION_MAX)
        return pvgi_fail(PVG_E_LIMIT, "%s: dimension is above %d", function,
                         PVG_MECHANISM_DIMENSION_MAX);
    return PVG_OK;
}

static int32_t check_coordinates(const char *name, const pvg_target *target,
                                 const double *sensitivities, const double *low,
                                 const double *high, const double *weights,
                                 int64_t dimension) {
    PVGI_TRY(pvgi_mechanism_check_array(name, "sensitivities", sensitivities, dimension,
                                        true));
    PVGI_TRY(pvgi_mechanism_check_array(name, "weights", weights, dimension, false));
    PVGI_REQUIRE(!weights || target->allocation == PVG_ALLOCATION_OPTIMAL,
                 "%s: weights have no meaning for this allocation", name);
    bool any = false;
    for (int64_t i = 0; i < dimension; i++) {
        const double a = low ? low[i] : 0.0, b = high ? high[i] : 1.0;
        PVGI_REQUIRE(isfinite(a), "%s: low[%lld] is not finite", name, (long long)i);
        PVGI_REQUIRE(isfinite(b), "%s: high[%lld] is not finite", name, (long long)i);
        PVGI_REQUIRE(a <= b, "%s: low[%lld] is above high", name, (long long)i);
        PVGI_REQUIRE(isfinite(b - a), "%s: range %lld is not finite", name, (long long)i);
        PVGI_REQUIRE(sensitivities[i] > 0.0 || a == b,
                     "%s: sensitivities[%lld] is 0, but low is not high", name,
                     (long long)i);
        any = any || a < b;
    }
    PVGI_REQUIRE(any, "%s: every coordinate is a constant", name);
    return PVG_OK;
}

int32_t pvgi_mechanism_new(pvg_mechanism **out, const char *function,
                           const pvg_target *target, const double *sensitivities,
                           const double *back, const double *low, const double *high,
                           const double *weights, int64_t dimension) {
    pvg_target own;
    PVGI_TRY(pvgi_mechanism_import_target(&own, function, target));
    PVGI_TRY(pvgi_mechanism_check_beta(function, &own));
    PVGI_TRY(pvgi_mechanism_check_dimension(function, dimension));
    if (!sensitivities) return pvgi_fail_null(function, "sensitivities");
    PVGI_TRY(
        check_coordinates(function, &own, sensitivities, low, high, weights, dimension));
    return pvgi_mechanism_build(out, function, &own, sensitivities, back, low, high,
                                weights, dimension);
}
