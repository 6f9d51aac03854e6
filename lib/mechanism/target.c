/* Targets that callers give: checked in one place for everything that has noise. */
#include "mechanism_internal.h"

static int32_t check_budget(const char *function, const pvg_target *t) {
    if (t->parameter != 0.0) {
        PVGI_REQUIRE(isfinite(t->parameter) && t->parameter > 0.0,
                     "%s: target.parameter is not a positive finite number", function);
        PVGI_REQUIRE(t->epsilon == 0.0 && t->delta == 0.0,
                     "%s: target has parameter and also epsilon or delta", function);
        return PVG_OK;
    }
    PVGI_REQUIRE(isfinite(t->epsilon) && t->epsilon > 0.0,
                 "%s: target.epsilon is not a positive finite number", function);
    if (t->noise == PVG_NOISE_LAPLACE)
        PVGI_REQUIRE(t->delta == 0.0, "%s: target.delta is not 0, as LAPLACE needs",
                     function);
    else
        PVGI_REQUIRE(t->delta > 0.0 && t->delta < 1.0,
                     "%s: target.delta is not in (0, 1)", function);
    return PVG_OK;
}

int32_t pvgi_mechanism_import_target(pvg_target *own, const char *function,
                                     const pvg_target *target) {
    if (!target) return pvgi_fail_null(function, "target");
    PVGI_TRY(pvgi_config_import(own, sizeof *own, target, "pvg_target"));
    PVGI_REQUIRE(own->noise >= PVG_NOISE_DEFAULT &&
                     own->noise <= PVG_NOISE_SMOOTH_PUBLISHED,
                 "%s: target.noise %d is no PVG_NOISE_*", function, (int)own->noise);
    if (own->noise == PVG_NOISE_DEFAULT) own->noise = PVG_NOISE_GAUSSIAN;
    PVGI_REQUIRE(own->allocation >= PVG_ALLOCATION_OPTIMAL &&
                     own->allocation <= PVG_ALLOCATION_PROPORTIONAL,
                 "%s: target.allocation %d is no PVG_ALLOCATION_*", function,
                 (int)own->allocation);
    PVGI_REQUIRE(own->allow_seeded == 0 || own->allow_seeded == 1,
                 "%s: target.allow_seeded is neither 0 nor 1", function);
    return check_budget(function, own);
}

int32_t pvgi_mechanism_check_beta(const char *function, const pvg_target *target) {
    if (pvgi_mechanism_is_smooth(target->noise))
        PVGI_REQUIRE(isfinite(target->beta) && target->beta > 0.0,
                     "%s: target.beta is not a positive finite number", function);
    else
        PVGI_REQUIRE(target->beta == 0.0, "%s: target.beta has no meaning for this noise",
                     function);
    return PVG_OK;
}
