/* Privacy of the last state of a noisy iteration, in O(layers).
 *
 * Layer k has Lipschitz constant g_k, shift s_k and noise sigma_k. A difference z_k that
 * is still open obeys z_k = g_k z_(k-1) + s_k - a_k with z_k >= 0, z_K = 0; absorbing a_k
 * costs (a_k / sigma_k)^2 of mu^2. With w_k = g_(k+1) .. g_K, b_k = w_k a_k:
 *     minimise sum b_k^2 / (w_k sigma_k)^2  where  sum_(j<=k) b_j <= sum_(j<=k) w_j s_j.
 * The best running sum is the greatest convex minorant of the points
 * (sum (w_j sigma_j)^2, sum w_j s_j): layers are pooled while the slope would fall, and a
 * pooled block adds (sum w s)^2 / sum (w sigma)^2. One block: the closed form; no pooling
 * (all g_k >= 1, equal layers): every layer in full. Sums have no subtraction. */
#include "mechanism_internal.h"

/* A Euclidean norm that neither underflows nor overflows on the way. */
typedef struct {
    double largest, sum; /* sum of (x / largest)^2 */
} norm;

static void add(norm *n, double x) {
    if (x > n->largest) {
        n->sum = 1.0 + n->sum * (n->largest / x) * (n->largest / x);
        n->largest = x;
    } else if (n->largest > 0.0 && !isinf(n->largest)) {
        n->sum += (x / n->largest) * (x / n->largest);
    }
}

static double value(const norm *n, int64_t terms) {
    return n->largest * sqrt(n->sum) * (1.0 + 0x1p-50 * (double)(terms + 8));
}

double pvgi_mechanism_layers_in_full(const double *shifts, const double *scales,
                                     int64_t layers) {
    norm all = {0};
    for (int64_t j = 0; j < layers; j++) add(&all, shifts[j] / scales[j]);
    return value(&all, layers);
}

/* Appends a layer to the blocks, pooling backwards; returns the new count. */
static int64_t push(pvgi_block *block, int64_t count, pvgi_block last) {
    while (count > 0) {
        const pvgi_block *before = &block[count - 1];
        /* false for a NaN and for an infinite gain: then they stay apart */
        if (!(before->shift / before->variance >=
              last.gain * (last.shift / last.variance)))
            break;
        last.shift += last.gain * before->shift;
        last.variance += last.gain * last.gain * before->variance;
        last.gain *= before->gain;
        count--;
    }
    block[count] = last;
    return count + 1;
}

static bool in_range(double variance) {
    return variance > 0x1p-900 && variance < 0x1p900;
}

double pvgi_mechanism_contractive_mu(const pvgi_iteration *iteration, pvgi_block *block) {
    const int64_t layers = iteration->layers;
    const double full =
        pvgi_mechanism_layers_in_full(iteration->shifts, iteration->scales, layers);
    int64_t count = 0;
    for (int64_t j = 0; j < layers; j++) {
        const double sigma = iteration->scales[j];
        if (!in_range(sigma * sigma)) return full;
        count = push(block, count,
                     (pvgi_block){.shift = iteration->shifts[j],
                                  .variance = sigma * sigma,
                                  .gain = iteration->gammas ? iteration->gammas[j]
                                                            : iteration->gamma});
    }
    norm all = {0};
    for (int64_t b = 0; b < count; b++) {
        if (!in_range(block[b].variance)) return full;
        add(&all, block[b].shift / sqrt(block[b].variance));
    }
    return fmin(full, value(&all, layers));
}

double pvgi_mechanism_contractive_shift(const pvgi_iteration *iteration) {
    double shift = 0.0;
    for (int64_t j = 0; j < iteration->layers; j++) {
        /* the first layer starts from nothing, whatever its constant */
        if (j > 0) shift *= iteration->gammas ? iteration->gammas[j] : iteration->gamma;
        shift += iteration->shifts[j];
    }
    return shift * (1.0 + 0x1p-51 * (double)(iteration->layers + 8));
}

int32_t pvgi_mechanism_contractive(double *mu, const pvgi_iteration *iteration) {
    pvgi_block *block = pvgi_alloc((size_t)iteration->layers, sizeof *block);
    if (!block) return pvgi_fail_nomem();
    *mu = pvgi_mechanism_contractive_mu(iteration, block);
    pvgi_free(block);
    return PVG_OK;
}
