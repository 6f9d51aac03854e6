/* What all perturbers share: their target, their block. */
#include "perturb_internal.h"

#include <math.h>

int32_t pvgi_perturb_target(pvg_target *out, const char *function,
                            const pvg_target *target, uint32_t laws) {
    PVGI_TRY(pvgi_mechanism_read_plain(out, function, target, laws, "perturber"));
    const double given = out->parameter != 0.0 ? out->parameter : out->epsilon;
    PVGI_REQUIRE(out->parameter == 0.0 || (out->epsilon == 0.0 && out->delta == 0.0),
                 "%s: target has both a parameter and epsilon or delta", function);
    PVGI_REQUIRE(given > 0.0 && isfinite(given), "%s: %s is not positive and finite",
                 function, out->parameter != 0.0 ? "parameter" : "epsilon");
    PVGI_REQUIRE(out->delta >= 0.0 && out->delta < 1.0, "%s: delta is not in [0, 1)",
                 function);
    if (laws != 0) return PVG_OK;
    PVGI_REQUIRE(out->delta == 0.0, "%s: the method is pure; delta must be 0", function);
    out->epsilon = given;
    return PVG_OK;
}

int32_t pvgi_perturb_make(pvg_perturber **out, const pvgi_perturb_method *method,
                          const pvg_target *target, const pvg_guarantee *guarantee,
                          size_t bytes) {
    pvg_perturber *perturber = pvgi_alloc_zero(1, sizeof *perturber);
    if (!perturber) return pvgi_fail_nomem();
    perturber->state = pvgi_alloc_zero(1, bytes);
    if (!perturber->state) {
        pvgi_free(perturber);
        return pvgi_fail_nomem();
    }
    perturber->method = method;
    perturber->lines = 2;
    perturber->allow_seeded = target->allow_seeded;
    perturber->guarantee = *guarantee;
    *out = perturber;
    return PVG_OK;
}

void pvgi_perturb_free(pvg_perturber *perturber) {
    if (!perturber) return;
    if (perturber->method->drop) perturber->method->drop(perturber->state);
    pvgi_guarantee_drop(&perturber->guarantee);
    pvgi_free(perturber->state);
    pvgi_free(perturber);
}
