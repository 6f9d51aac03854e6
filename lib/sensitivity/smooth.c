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

/* max over x of e^{-beta (x - first)} sum(x) others(x), x integer in [first, last];
 * degree is that of sum times others. */
static double maximise(const pvgi_bound_term *term, int32_t terms,
                       const pvgi_bound_product *others, double degree, double first,
                       double last, double beta, double order) {
    const double peak = degree / beta; /* may be infinite */
    double low = floor(peak) - 1.0, high = ceil(peak) + PVGI_OFFSETS;
    low = low < first ? first : low > last ? last : low;
    high = high < first ? first : high > last ? last : high;
    double best = 0.0;
    for (double x = low; x <= high; x += 1.0) {
        const double value = exp(-beta * (x - first)) *
                             pvgi_sensitivity_sum_at(term, terms, x, order) *
                             pvgi_sensitivity_product_at(others, x, order);
        if (value > best) best = value;
    }
    return best;
}

/* The ranges of all parts but one, as one product. */
static pvgi_bound_product ranges_but(const pvgi_sensitivity_plan *plan,
                                     const pvgi_bound_pattern *pattern, int32_t skip) {
    pvgi_bound_product product = {{0}};
    for (int32_t i = 0; i < pattern->parts; i++)
        for (int32_t c = 0; c < PVGI_OFFSETS && i != skip; c++)
            product.power[c] += plan->part[pattern->first_part + i].range.power[c];
    return product;
}

static double degree_of(const pvgi_bound_product *product) {
    double degree = 0;
    for (int32_t c = 0; c < PVGI_OFFSETS; c++) degree += product->power[c];
    return degree;
}

double pvgi_sensitivity_smooth_at(const pvgi_sensitivity_plan *plan, int64_t index,
                                  const pvgi_assumption *assumption,
                                  double relative_error, double beta,
                                  int64_t max_degree) {
    const pvgi_bound_pattern *pattern = &plan->pattern[index];
    const double n = assumption->order, last = assumption->degree;
    const double first =
        (double)max_degree + 1.0 < last ? (double)max_degree + 1.0 : last;
    double total = 0.0;
    for (int32_t i = 0; i < pattern->parts; i++) {
        const pvgi_bound_part *part = &plan->part[pattern->first_part + i];
        const pvgi_bound_product others = ranges_but(plan, pattern, i);
        double best = INFINITY;
        for (int64_t a = 0; a < part->alternatives; a++) {
            const pvgi_bound_alternative *sum =
                &plan->alternative[part->first_alternative + a];
            const pvgi_bound_term *term = plan->term + sum->first_term;
            const double degree = degree_of(&term[0].product) + degree_of(&others);
            const double value =
                maximise(term, sum->terms, &others, degree, first, last, beta, n) /
                (n * n);
            if (value < best) best = value;
        }
        total += best;
    }
    const double counting = 2.0 * pattern->size / n / n;
    if (total > counting) total = counting;
    /* the rounding term is the same for all graphs of the assumption, hence smooth */
    total += 2.0 * relative_error * pvgi_sensitivity_range_at(plan, index, assumption);
    return pvgi_round_up(total);
}

double pvgi_sensitivity_smooth_published_at(const pvgi_sensitivity_plan *plan,
                                            int64_t index,
                                            const pvgi_assumption *assumption,
                                            double beta, int64_t max_degree) {
    double best = 0.0;
    for (int k = 0; k <= 6; k++) {
        double x = (double)max_degree + k + 1.0;
        if (x > assumption->degree) x = assumption->degree;
        const double value = exp(-beta * k) * pvgi_sensitivity_published_at(
                                                  plan, index, x, assumption->order);
        if (value > best) best = value;
    }
    return best;
}
