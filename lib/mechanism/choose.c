/* beta of a smooth mechanism: the least S_beta / sqrt(2 rho(beta)), where S_beta is a
 * smooth sensitivity at a public reference and rho(beta) the largest that meets the
 * target. A scan over beta, then golden section between the neighbours of the best point.
 */
#include "mechanism_internal.h"

enum { POINTS = 40 };

typedef struct {
    pvg_target target;
    int64_t dimension;
    pvg_smooth_reference reference;
    void *context;
    int32_t *status;
} choice;

static double rho_of(const choice *c, double beta) {
    pvg_target target = c->target;
    target.beta = beta;
    const pvg_curve_term term = pvgi_mechanism_target_term(&target, c->dimension);
    return pvgi_mechanism_target_parameter(&target, &term);
}

/* Infinite where no rho meets the target, and after the reference failed. */
static double noise_of(const void *context, double beta) {
    const choice *c = context;
    double s = 0.0;
    if (*c->status != PVG_OK) return INFINITY;
    const double rho = rho_of(c, beta);
    if (!(rho > 0.0)) return INFINITY;
    *c->status = c->reference(c->context, beta, &s);
    if (*c->status == PVG_OK && !(isfinite(s) && s > 0.0))
        *c->status =
            pvgi_fail(PVG_E_ARGUMENT, "pvg_smooth_choose: reference gave a value "
                                      "that is not positive and finite");
    return *c->status == PVG_OK ? s / sqrt(2.0 * rho) : INFINITY;
}

int32_t pvgi_mechanism_choose(double *beta, double *rho, double *noise,
                              const pvg_target *target, int64_t dimension,
                              pvg_smooth_reference reference, void *context) {
    int32_t status = PVG_OK;
    const choice c = {*target, dimension, reference, context, &status};
    const double low = log(1e-7), step = log(1e8) / POINTS;
    double least = INFINITY, best = low;
    for (int i = 0; i <= POINTS; i++) {
        const double value = noise_of(&c, exp(low + i * step));
        if (value < least) least = value, best = low + i * step;
    }
    if (status != PVG_OK) return status;
    if (least == INFINITY)
        return pvgi_fail(PVG_E_PRIVACY,
                         "pvg_smooth_choose: no beta meets epsilon and delta");
    double found = pvgi_mechanism_minimise(noise_of, &c, best - step, best + step);
    double value = noise_of(&c, found);
    if (value > least) found = exp(best), value = least;
    if (status != PVG_OK) return status;
    *beta = found;
    *rho = rho_of(&c, found);
    if (noise) *noise = value;
    return PVG_OK;
}
