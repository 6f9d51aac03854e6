/* Edge sensitivity of a density, for any pattern.
 *
 * Components F_1..F_c (isolated vertices dropped), T_i >= t(F_i, G), s_i >= change of
 * t(F_i): S = prod T_i - prod (T_i - s_i) = sum_i s_i prod_{j<i} (T_j - s_j) prod_{j>i}
 * T_j because prod a_i - prod (a_i - d_i) grows in every a_i and d_i. The second form has
 * no cancellation. s_i = min(T_i, first-edge bound / n^2). Also S <= 2e/n^2 (counting
 * lemma), for all graphs. Computed densities carry a relative error r: + 2 r T.
 * Truncation doubles S. */
#include "sensitivity_internal.h"

#include <math.h>

double pvgi_sensitivity_product_at(const pvgi_product *product, double degree,
                                   double order) {
    double value = 1.0;
    for (int32_t c = 0; c < PVGI_OFFSETS; c++) {
        const double ratio = degree > c ? (degree - c) / order : 0.0;
        for (int32_t i = 0; i < product->power[c]; i++) value *= ratio;
    }
    return value;
}

double pvgi_sensitivity_sum_at(const pvgi_sum *sum, double degree, double order) {
    double value = 0.0;
    for (int32_t j = 0; j < sum->terms; j++)
        value += pvgi_sensitivity_product_at(&sum->term[j], degree, order);
    return sum->factor * value;
}

/* Component number `index`, as a graph of its own. */
static void component_of(pvgi_small *out, const pvgi_pattern *pattern, int32_t index) {
    uint32_t vertices = 0;
    for (int32_t v = 0; v < pattern->graph.order; v++)
        if (pattern->component[v] == index) vertices |= pvgi_mask_of(v);
    pvgi_pattern_induce(out, NULL, &pattern->graph, vertices);
}

static double first_edge_bound(const pvgi_small *component, const pvgi_premise *premise) {
    double best = INFINITY;
    pvgi_sum sum;
    for (int32_t which = 0; pvgi_sensitivity_first_edge(&sum, component, which);
         which++) {
        const double value =
            pvgi_sensitivity_sum_at(&sum, premise->degree, premise->order) /
            (premise->order * premise->order);
        if (value < best) best = value;
    }
    return pvgi_round_up(best);
}

static double component_range(const pvgi_small *component, const pvgi_premise *premise) {
    pvgi_product product;
    pvgi_sensitivity_component_range(&product, component);
    const double range = pvgi_round_up(
        pvgi_sensitivity_product_at(&product, premise->degree, premise->order));
    return range < 1.0 ? range : 1.0;
}

double pvgi_sensitivity_range_of(const pvgi_pattern *pattern,
                                 const pvgi_premise *premise) {
    double range = 1.0;
    for (int32_t i = 0; i < pattern->components; i++) {
        pvgi_small component;
        component_of(&component, pattern, i);
        range *= component_range(&component, premise);
    }
    range = pvgi_round_up(range);
    return range < 1.0 ? range : 1.0;
}

double pvgi_sensitivity_of_pattern(const pvgi_pattern *pattern,
                                   const pvgi_premise *premise, double relative_error) {
    /* the telescoped sum, from the last component to the first: with P = prod of later T
     * and R = S of the later ones, S_new = s P + (T - s) R */
    double sensitivity = 0.0, range = 1.0;
    for (int32_t i = 0; i < pattern->components; i++) {
        pvgi_small component;
        component_of(&component, pattern, i);
        const double t = component_range(&component, premise);
        double s = component.order < 2 ? 0.0 : first_edge_bound(&component, premise);
        if (s > t) s = t;
        sensitivity = s * range + (t - s) * sensitivity;
        range *= t;
    }
    const double counting =
        2.0 * pattern->size / premise->order / premise->order; /* 2e/n^2 */
    if (sensitivity > counting) sensitivity = counting;
    if (sensitivity > range) sensitivity = range;
    sensitivity = premise->doubling * sensitivity + 2.0 * relative_error * range;
    return pvgi_round_up(sensitivity);
}

double pvgi_sensitivity_published_of(const pvgi_pattern *pattern, double degree,
                                     double order) {
    return 2.0 * pattern->size / order / order *
           pow(degree / order, (double)pattern->graph.order - 2.0);
}
