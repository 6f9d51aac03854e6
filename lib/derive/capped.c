/* Read-outs of capped counts: what is certain of the number of edges or triangles, and
 * the degrees behind sums over bands. */
#include "derive_internal.h"

#include <math.h>

/* --- edges ------------------------------------------------------------------------- */

/* With a = epsilon / 2 the weight of a candidate i is w_i times the sum over k of
 * e^(-a max(s_i, |k| / t_i)), some s is 0, and with q_i = e^(-a / t_i)
 *
 *     P(k > x t_i) <= e^(-a x) sum of w_i / (1 - q_i) / min of w_i (1 + q_i) / (1 - q_i),
 *
 * whatever is kept. What is kept are edges, so there are at least y - x t of them. The
 * same for triangles, t_i being how far a node moves what is kept. */
double pvgi_derive_least_edges(const pvgi_capped_shape *shape, int64_t order, double cap,
                               double edges, double confidence) {
    int64_t caps[PVGI_PICK_MAX], change[PVGI_PICK_MAX], weight[PVGI_PICK_MAX],
        price[PVGI_PICK_MAX], count;
    const int64_t most = order > 1 ? order - 1 : 1;
    double above = 0.0, least = INFINITY, moved = cap;
    if (shape->triangles) {
        count = pvgi_statistic_triangle_caps(caps, change, order, shape->most);
        moved = (double)change[count - 1]; /* of a cap that is none of them: the most */
        for (int64_t i = 0; i < count; i++)
            if ((double)caps[i] == cap) moved = (double)change[i];
        for (int64_t i = 0; i < count; i++) caps[i] = change[i];
    } else
        count = pvgi_statistic_cap_list(
            caps, shape->most > 0 && shape->most < most ? shape->most : most);
    pvgi_statistic_pick_prior(weight, price, caps, count, shape->epsilon, false);
    for (int64_t i = 0; i < count; i++) {
        const double rate = 0.5 * shape->epsilon / (double)caps[i];
        const double share = (double)weight[i] / -expm1(-rate);
        above += share;
        least = fmin(least, share * (1.0 + exp(-rate)));
    }
    /* the rate is a little below epsilon / 2 */
    const double x =
        log(above / (least * (1.0 - confidence))) * 2.0 / shape->epsilon * (1.0 + 0x1p-6);
    return fmax(0.0, edges - fmax(0.0, x) * moved);
}

/* --- degrees ----------------------------------------------------------------------- */

/* The nearest falling sequence, each value with a weight. */
static void fall(double *value, const double *weight, int64_t count) {
    double sum[PVGI_BANDS_MAX], whole[PVGI_BANDS_MAX];
    int64_t first[PVGI_BANDS_MAX + 1], blocks = 0;
    for (int64_t k = 0; k < count; k++) {
        first[blocks] = k;
        sum[blocks] = value[k] * weight[k];
        whole[blocks++] = weight[k];
        while (blocks > 1 && sum[blocks - 1] * whole[blocks - 2] >
                                 sum[blocks - 2] * whole[blocks - 1]) {
            sum[blocks - 2] += sum[blocks - 1];
            whole[blocks - 2] += whole[blocks - 1];
            blocks--;
        }
    }
    first[blocks] = count;
    for (int64_t b = 0; b < blocks; b++)
        for (int64_t k = first[b]; k < first[b + 1]; k++) value[k] = sum[b] / whole[b];
}

/* Nodes of degree j or more in band k, not yet scaled: through the middles of bands, in
 * the logarithm. */
static double between(const double *middle, const double *height, int64_t count,
                      int64_t k, double j) {
    int64_t left = j < middle[k] ? k - 1 : k;
    if (left > count - 2) left = count - 2;
    if (left < 0) return height[k];
    const double slope =
        log(height[left + 1] / height[left]) / (middle[left + 1] - middle[left]);
    return height[left] * exp(slope * (j - middle[left]));
}

/* levels[j - 1]: nodes of degree j or more, j = 1 .. cap. */
static void spread(double *levels, const int64_t *ends, int64_t bands, double *height) {
    double middle[PVGI_BANDS_MAX];
    int64_t count = 0; /* of bands with something in them; the others are 0 */
    while (count < bands && height[count] > 0.0) count++;
    for (int64_t k = 0; k < bands; k++)
        middle[k] = 0.5 * (double)(ends[k] + ends[k + 1] + 1);
    for (int64_t k = 0; k < bands; k++) {
        double sum = 0.0;
        for (int64_t j = ends[k]; j < ends[k + 1]; j++) {
            levels[j] =
                k < count ? between(middle, height, count, k, (double)j + 1.0) : 0;
            sum += levels[j];
        }
        const double scale =
            sum > 0.0 ? height[k] * (double)(ends[k + 1] - ends[k]) / sum : 0.0;
        for (int64_t j = ends[k]; j < ends[k + 1]; j++) {
            levels[j] *= scale;
            if (j > 0 && levels[j] > levels[j - 1]) levels[j] = levels[j - 1];
        }
    }
}

int32_t pvgi_derive_levels(double **out, int64_t *count, const pvgi_bands_shape *shape,
                           const double *values) {
    int64_t ends[PVGI_BANDS_MAX + 1], bands = 0;
    double height[PVGI_BANDS_MAX], weight[PVGI_BANDS_MAX];
    const int64_t all = pvgi_statistic_bands_ends(ends, shape->most);
    const int64_t cap = values[0] >= 1.0 && values[0] <= (double)shape->most
                            ? (int64_t)values[0]
                            : shape->most;
    double *levels = pvgi_alloc((size_t)cap, sizeof *levels);
    if (!levels) return pvgi_fail_nomem();
    while (bands < all && ends[bands] < cap) bands++;
    ends[bands] = cap;
    for (int64_t k = 0; k < bands; k++) {
        const double width = (double)(ends[k + 1] - ends[k]);
        height[k] = values[1 + k] / width;
        weight[k] = width * width; /* noise is the same for every sum */
    }
    fall(height, weight, bands);
    for (int64_t k = 0; k < bands; k++)
        height[k] = fmin(fmax(height[k], 0.0), (double)shape->order);
    spread(levels, ends, bands, height);
    *out = levels;
    *count = cap;
    return PVG_OK;
}

void pvgi_derive_level_degrees(int64_t *degrees, int64_t order, const double *levels,
                               int64_t count) {
    int64_t j = count;
    for (int64_t r = 0; r < order; r++) { /* the node of rank r has degree j or more */
        while (j > 0 && levels[j - 1] < (double)r + 0.5) j--;
        degrees[r] = j;
    }
}

void pvgi_derive_level_moments(double *out, int64_t count, const double *levels,
                               int64_t most, int64_t order) {
    for (int64_t k = 0; k < count; k++) {
        out[k] = k == 0 ? (double)order : 0.0;
        for (int64_t j = 0; k > 0 && j < most; j++) /* (j + 1)^k - j^k for each node */
            out[k] +=
                levels[j] * (pow((double)j + 1.0, (double)k) - pow((double)j, (double)k));
    }
}

double pvgi_derive_geometric_distance(const double *levels, int64_t count,
                                      int64_t order) {
    double sum = 0.0, most = 0.0;
    for (int64_t j = 0; j < count; j++) sum += levels[j];
    const double mean = sum / (double)order, ratio = mean / (1.0 + mean);
    double tail = 1.0;
    for (int64_t j = 0; j < count; j++) {
        tail *= ratio; /* share of degree j + 1 or more */
        most = fmax(most, fabs(tail - levels[j] / (double)order));
    }
    return fmax(most, tail * ratio);
}
