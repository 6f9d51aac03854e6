/* How noise is shared among coordinates with sensitivities s_i and weights w_i: scales
 * x_i = own_i sum / p, where sum is over the shares of all coordinates.
 *
 *                  Gaussian, sum (s_i / x_i)^2 = p^2        Laplace, sum s_i / x_i = p
 *   optimal        x_i^2 = s_i w_i^-1/2 sum s_j w_j^1/2     x_i = (s_i / w_i)^1/3
 *                          / p^2                                  sum (s_j^2 w_j)^1/3 / p
 *   isotropic      x_i = |s|_2 / p                          x_i = |s|_1 / p
 *   proportional   x_i = s_i sqrt(d) / p                    x_i = s_i d / p
 *
 * Optimal is the least sum of w_i x_i^2 (Lagrange). All are monotone in every s_j and
 * homogeneous of degree one: scales made from beta-smooth s_i are beta-smooth. One row
 * each, and nowhere else a list of them. */
#include "mechanism_internal.h"

static double optimal_share(double s, double w, bool laplace) {
    return laplace ? cbrt(s) * cbrt(s) * cbrt(w) : s * sqrt(w);
}

static double optimal_own(double s, double w, bool laplace) {
    return laplace ? cbrt(s) / cbrt(w) : sqrt(s) / sqrt(sqrt(w));
}

static double isotropic_share(double s, double w, bool laplace) {
    (void)w;
    return laplace ? s : s * s;
}

static double one(double s, double w, bool laplace) {
    (void)s, (void)w, (void)laplace;
    return 1.0;
}

static double itself(double s, double w, bool laplace) {
    (void)w, (void)laplace;
    return s;
}

static const struct {
    const char *word;
    double (*share)(double s, double w, bool laplace);
    double (*own)(double s, double w, bool laplace);
    bool relative; /* Gaussian: shares of s_i / largest s_j, so that squares fit */
} rows[] = {
    [PVG_ALLOCATION_OPTIMAL] = {"optimal", optimal_share, optimal_own, false},
    [PVG_ALLOCATION_ISOTROPIC] = {"isotropic", isotropic_share, one, true},
    [PVG_ALLOCATION_PROPORTIONAL] = {"proportional", one, itself, false},
};

const char *pvgi_mechanism_allocation_name(int32_t allocation) {
    const int32_t count = (int32_t)(sizeof rows / sizeof rows[0]);
    return allocation >= 0 && allocation < count ? rows[allocation].word : NULL;
}

static double weight_of(const double *weights, int64_t i) {
    return weights ? weights[i] : 1.0;
}

/* What all coordinates share: the sums above. */
static double shared_sum(const double *s, const double *weights, int64_t count,
                         int32_t allocation, bool laplace) {
    double sum = 0.0, unit = 0.0;
    for (int64_t i = 0; i < count; i++) unit = fmax(unit, s[i]);
    if (unit == 0.0) return 0.0;
    if (laplace || !rows[allocation].relative) unit = 1.0;
    for (int64_t i = 0; i < count; i++)
        if (s[i] != 0.0)
            sum += rows[allocation].share(s[i] / unit, weight_of(weights, i), laplace);
    return laplace ? sum : unit * sqrt(sum);
}

void pvgi_mechanism_allocate(double *scales, const double *sensitivities,
                             const double *weights, int64_t count, int32_t allocation,
                             int norm, double parameter) {
    const bool laplace = norm == 1;
    const double sum = shared_sum(sensitivities, weights, count, allocation, laplace);
    for (int64_t i = 0; i < count; i++) {
        const double s = sensitivities[i], w = weight_of(weights, i);
        scales[i] =
            s == 0.0 ? 0.0 : rows[allocation].own(s, w, laplace) * sum / parameter;
    }
}
