/* Smooth sensitivity of a density.
 *
 * A graph at distance k of G has degrees at most x = D(G) + k, its neighbours one more,
 * so with B a non-decreasing bound S(G) = max_{x = D(G)+1 .. Dmax} e^{-beta (x - D(G) -
 * 1)} B(x) bounds the local sensitivity, and D(G') <= D(G) + 1 makes it beta-smooth. B is
 * a sum of products of (x - c), c <= c_max, all of the same degree r: d/dx ln of each
 * lies between r/x - beta and r/(x - c_max) - beta, so the sum rises up to x = r/beta and
 * falls from r/beta + c_max on: only the integers between need a look (O(1)). The minimum
 * of smooth bounds is smooth: edge orders, the range, the counting lemma's constant.
 * Disconnected patterns use sum_i s_i prod_{j != i} T_j. */
#include "sensitivity_internal.h"

#include <math.h>
#include <string.h>

static int32_t degree_of(const pvgi_product *product) {
    int32_t degree = 0;
    for (int32_t c = 0; c < PVGI_OFFSETS; c++) degree += product->power[c];
    return degree;
}

/* max over x of e^{-beta (x - first)} sum(x), x integer in [first, last]. */
static double maximise(const pvgi_sum *sum, double first, double last, double beta,
                       double order) {
    if (sum->terms == 0) return 0.0;
    const double peak = degree_of(&sum->term[0]) / beta; /* may be infinite */
    double low = floor(peak) - 1.0, high = ceil(peak) + PVGI_OFFSETS;
    low = low < first ? first : low > last ? last : low;
    high = high < first ? first : high > last ? last : high;
    double best = 0.0;
    for (double x = low; x <= high; x += 1.0) {
        const double value =
            exp(-beta * (x - first)) * pvgi_sensitivity_sum_at(sum, x, order);
        if (value > best) best = value;
    }
    return best;
}

/* Multiplies every term by a product. */
static void multiply(pvgi_sum *sum, const pvgi_product *by) {
    for (int32_t j = 0; j < sum->terms; j++)
        for (int32_t c = 0; c < PVGI_OFFSETS; c++) sum->term[j].power[c] += by->power[c];
}

static void split(pvgi_small *component, pvgi_product *others,
                  const pvgi_pattern *pattern, int32_t index) {
    memset(others, 0, sizeof *others);
    for (int32_t i = 0; i < pattern->components; i++) {
        pvgi_small part;
        pvgi_product range;
        uint32_t vertices = 0;
        for (int32_t v = 0; v < pattern->graph.order; v++)
            if (pattern->component[v] == i) vertices |= pvgi_mask_of(v);
        pvgi_pattern_induce(&part, NULL, &pattern->graph, vertices);
        if (i == index) {
            *component = part;
            continue;
        }
        pvgi_sensitivity_component_range(&range, &part);
        for (int32_t c = 0; c < PVGI_OFFSETS; c++) others->power[c] += range.power[c];
    }
}

double pvgi_sensitivity_smooth_of(const pvgi_pattern *pattern,
                                  const pvgi_premise *premise, double relative_error,
                                  double beta, int64_t max_degree) {
    const double n = premise->order, last = premise->degree;
    const double first =
        (double)max_degree + 1.0 < last ? (double)max_degree + 1.0 : last;
    double total = 0.0;
    for (int32_t i = 0; i < pattern->components; i++) {
        pvgi_small component;
        pvgi_product others;
        split(&component, &others, pattern, i);
        if (component.order < 2) continue;
        double best = INFINITY;
        pvgi_sum sum;
        for (int32_t which = 0; pvgi_sensitivity_first_edge(&sum, &component, which);
             which++) {
            multiply(&sum, &others);
            const double value = maximise(&sum, first, last, beta, n) / (n * n);
            if (value < best) best = value;
        }
        total += best;
    }
    const double counting = 2.0 * pattern->size / n / n;
    if (total > counting) total = counting;
    /* the rounding term is the same for all graphs of the premise, hence smooth */
    total += 2.0 * relative_error * pvgi_sensitivity_range_of(pattern, premise);
    return pvgi_round_up(total);
}

double pvgi_sensitivity_smooth_published_of(const pvgi_pattern *pattern,
                                            const pvgi_premise *premise, double beta,
                                            int64_t max_degree) {
    double best = 0.0;
    for (int k = 0; k <= 6; k++) {
        double x = (double)max_degree + k + 1.0;
        if (x > premise->degree) x = premise->degree;
        const double value =
            exp(-beta * k) * pvgi_sensitivity_published_of(pattern, x, premise->order);
        if (value > best) best = value;
    }
    return best;
}
