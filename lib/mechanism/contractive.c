/* Privacy of the last state of a noisy contractive iteration, in O(layers):
 *   mu^2 = (sum_j g^(K-j) s_j)^2 / (sum_j g^(2(K-j)) sigma_j^2), valid if the shifts
 * still to be absorbed, z_k = g z_(k-1) + s_k - a_k with a_k = g^(K-k) sigma_k^2 mu^2 /
 * (sum_j g^(K-j) s_j), never fall below 0; otherwise largest s, smallest sigma. g >= 1:
 * every layer counts in full. The running sums have no subtraction; their roundings are
 * added. */
#include "mechanism_internal.h"

static double layers_in_full(const double *shifts, const double *scales, int64_t layers) {
    double sum = 0.0;
    for (int64_t j = 0; j < layers; j++) {
        const double ratio = shifts[j] / scales[j];
        sum += ratio * ratio;
    }
    return sqrt(sum) * (1.0 + 0x1p-51 * (double)(layers + 8));
}

static double damped(double gamma, const double *shifts, const double *scales,
                     int64_t layers, double most, double least) {
    double shift = 0.0, variance = 0.0;
    for (int64_t j = 0; j < layers; j++) {
        const double s = most > 0.0 ? most : shifts[j];
        const double sigma = most > 0.0 ? least : scales[j];
        shift = gamma * shift + s;
        variance = gamma * gamma * variance + sigma * sigma;
    }
    return shift / sqrt(variance) * (1.0 + 0x1p-50 * (double)(layers + 8));
}

static bool absorbs(double gamma, const double *shifts, const double *scales,
                    int64_t layers) {
    double shift = 0.0, variance = 0.0, open = 0.0;
    for (int64_t j = 0; j < layers; j++) {
        shift = gamma * shift + shifts[j];
        variance = gamma * gamma * variance + scales[j] * scales[j];
    }
    for (int64_t j = 0; j < layers; j++) {
        const double absorbed = pow(gamma, (double)(layers - 1 - j)) * scales[j] *
                                scales[j] * (shift / variance);
        open = gamma * open + shifts[j] - absorbed;
        /* z_K is 0 by construction; before it, clearly positive or not at all */
        if (j + 1 < layers && !(open >= 0x1p-40 * (shifts[j] + absorbed))) return false;
    }
    return true;
}

double pvgi_mechanism_contractive_mu(double gamma, const double *shifts,
                                     const double *scales, int64_t layers) {
    const double full = layers_in_full(shifts, scales, layers);
    if (gamma >= 1.0) return full;
    if (absorbs(gamma, shifts, scales, layers))
        return fmin(full, damped(gamma, shifts, scales, layers, 0.0, 0.0));
    double most = 0.0, least = INFINITY;
    for (int64_t j = 0; j < layers; j++) {
        most = fmax(most, shifts[j]);
        least = fmin(least, scales[j]);
    }
    return fmin(full, damped(gamma, shifts, scales, layers, most, least));
}
