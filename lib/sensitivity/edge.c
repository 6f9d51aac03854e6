/* Edge sensitivity of a density, for any pattern.
 *
 * Components F_1..F_c (isolated vertices dropped), T_i >= t(F_i, G), s_i >= change of
 * t(F_i): S = prod T_i - prod (T_i - s_i) = sum_i s_i prod_{j<i} (T_j - s_j) prod_{j>i}
 * T_j because prod a_i - prod (a_i - d_i) grows in every a_i and d_i. The second form has
 * no cancellation. s_i = min(T_i, first-edge bound / n^2). Also S <= 2e/n^2 (counting
 * lemma), for all graphs. Computed densities carry a relative error r: + 2 r T.
 * Truncation doubles S, and moves back by S while others move forward by 2 S. */
#include "sensitivity_internal.h"

#include <math.h>

double pvgi_sensitivity_product_at(const pvgi_bound_product *product, double degree,
                                   double order) {
    double value = 1.0;
    for (int32_t c = 0; c < PVGI_OFFSETS; c++) {
        const double ratio = degree > c ? (degree - c) / order : 0.0;
        for (int32_t i = 0; i < product->power[c]; i++) value *= ratio;
    }
    return value;
}

double pvgi_sensitivity_sum_at(const pvgi_bound_term *term, int32_t terms, double degree,
                               double order) {
    double value = 0.0;
    for (int32_t j = 0; j < terms; j++)
        value +=
            term[j].times * pvgi_sensitivity_product_at(&term[j].product, degree, order);
    return 2.0 * value;
}

static double first_edge_at(const pvgi_sensitivity_plan *plan,
                            const pvgi_bound_part *part,
                            const pvgi_assumption *assumption) {
    double best = INFINITY;
    for (int64_t a = 0; a < part->alternatives; a++) {
        const pvgi_bound_alternative *alternative =
            &plan->alternative[part->first_alternative + a];
        const double value = pvgi_sensitivity_sum_at(
                                 plan->term + alternative->first_term, alternative->terms,
                                 assumption->degree, assumption->order) /
                             (assumption->order * assumption->order);
        if (value < best) best = value;
    }
    return pvgi_round_up(best);
}

static double part_range_at(const pvgi_bound_part *part,
                            const pvgi_assumption *assumption) {
    const double range = pvgi_round_up(
        pvgi_sensitivity_product_at(&part->range, assumption->degree, assumption->order));
    return range < 1.0 ? range : 1.0;
}

double pvgi_sensitivity_range_at(const pvgi_sensitivity_plan *plan, int64_t index,
                                 const pvgi_assumption *assumption) {
    const pvgi_bound_pattern *pattern = &plan->pattern[index];
    double range = 1.0;
    for (int32_t i = 0; i < pattern->parts; i++)
        range *= part_range_at(&plan->part[pattern->first_part + i], assumption);
    range = pvgi_round_up(range);
    return range < 1.0 ? range : 1.0;
}

/* S, and T into *most. */
static double one_edge(const pvgi_sensitivity_plan *plan, int64_t index,
                       const pvgi_assumption *assumption, double *most) {
    const pvgi_bound_pattern *pattern = &plan->pattern[index];
    /* the telescoped sum, one component after the other: with P = prod of the T so far
     * and R = their S, the next one gives S_new = s P + (T - s) R */
    double sensitivity = 0.0, range = 1.0;
    for (int32_t i = 0; i < pattern->parts; i++) {
        const pvgi_bound_part *part = &plan->part[pattern->first_part + i];
        const double t = part_range_at(part, assumption);
        double s = first_edge_at(plan, part, assumption);
        if (s > t) s = t;
        sensitivity = s * range + (t - s) * sensitivity;
        range *= t;
    }
    const double counting = 2.0 * pattern->size / assumption->order / assumption->order;
    if (sensitivity > counting) sensitivity = counting;
    if (sensitivity > range) sensitivity = range;
    *most = range;
    return sensitivity;
}

double pvgi_sensitivity_at(const pvgi_sensitivity_plan *plan, int64_t index,
                           const pvgi_assumption *assumption, double relative_error) {
    double range;
    const double one = one_edge(plan, index, assumption, &range);
    return pvgi_round_up(assumption->doubling * one + 2.0 * relative_error * range);
}

double pvgi_sensitivity_back_at(const pvgi_sensitivity_plan *plan, int64_t index,
                                const pvgi_assumption *assumption,
                                double relative_error) {
    double range;
    const double one = one_edge(plan, index, assumption, &range);
    return pvgi_round_up((assumption->doubling - 1.0) * one +
                         2.0 * relative_error * range);
}

double pvgi_sensitivity_published_at(const pvgi_sensitivity_plan *plan, int64_t index,
                                     double degree, double order) {
    const pvgi_bound_pattern *pattern = &plan->pattern[index];
    return 2.0 * pattern->size / order / order *
           pow(degree / order, (double)pattern->order - 2.0);
}
