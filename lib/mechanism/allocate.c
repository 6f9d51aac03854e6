/* How noise is shared among coordinates with sensitivities s_i and weights w_i.
 *
 * Gaussian, sum (s_i / x_i)^2 = p^2:   optimal       x_i^2 = s_i w_i^(-1/2) sum s_j
 * w_j^(1/2) / p^2 isotropic     x_i = |s|_2 / p proportional  x_i = s_i sqrt(d) / p
 * Laplace, sum s_i / x_i = p:          optimal       x_i = (s_i/w_i)^(1/3) sum (s_j^2
 * w_j)^(1/3) / p isotropic     x_i = |s|_1 / p proportional  x_i = s_i d / p Optimal is
 * the least sum of w_i x_i^2 (Lagrange). All are monotone in every s_j and homogeneous of
 * degree one: scales made from beta-smooth s_i are beta-smooth. */
#include "mechanism_internal.h"

static double weight_of(const double *weights, int64_t i) {
    return weights ? weights[i] : 1.0;
}

/* What all coordinates share: the sums above. */
static double shared_sum(const double *s, const double *weights, int64_t count,
                         int32_t allocation, int norm) {
    const bool laplace = norm == 1;
    double sum = 0.0, most = 0.0;
    for (int64_t i = 0; i < count; i++) most = fmax(most, s[i]);
    if (most == 0.0) return 0.0;
    for (int64_t i = 0; i < count; i++) {
        if (s[i] == 0.0) continue;
        const double w = weight_of(weights, i);
        if (allocation == PVG_ALLOCATION_PROPORTIONAL)
            sum += 1.0;
        else if (allocation == PVG_ALLOCATION_ISOTROPIC)
            sum += laplace ? s[i] : (s[i] / most) * (s[i] / most);
        else
            sum += laplace ? cbrt(s[i]) * cbrt(s[i]) * cbrt(w) : s[i] * sqrt(w);
    }
    if (laplace) return sum;
    return allocation == PVG_ALLOCATION_ISOTROPIC ? most * sqrt(sum) : sqrt(sum);
}

void pvgi_mechanism_allocate(double *scales, const double *sensitivities,
                             const double *weights, int64_t count, int32_t allocation,
                             int norm, double parameter) {
    const bool laplace = norm == 1;
    const double sum = shared_sum(sensitivities, weights, count, allocation, norm);
    for (int64_t i = 0; i < count; i++) {
        const double s = sensitivities[i], w = weight_of(weights, i);
        if (s == 0.0) {
            scales[i] = 0.0;
            continue;
        }
        double own = 1.0;
        if (allocation == PVG_ALLOCATION_PROPORTIONAL) own = s;
        if (allocation == PVG_ALLOCATION_OPTIMAL)
            own = laplace ? cbrt(s) / cbrt(w) : sqrt(s) / sqrt(sqrt(w));
        scales[i] = own * sum / parameter;
    }
}
