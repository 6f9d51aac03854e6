/* sensitivity, inside: bounds as sums of products of (D - offset)/n. */
#ifndef PVGI_SENSITIVITY_H
#define PVGI_SENSITIVITY_H

#include "base/base_internal.h"
#include "pattern/pattern_internal.h"
#include "privgraph/sensitivity.h"

/* Largest offset that occurs: cliques of at most width + 1 <= 7 vertices, offset q - 1.
 */
enum { PVGI_OFFSETS = 8, PVGI_TERMS = 32 * 31 / 2 };

/* prod over offsets c of ((D - c) / n)^power[c]; D - c counts as 0 if negative. */
typedef struct {
    uint8_t power[PVGI_OFFSETS];
} pvgi_product;

/* factor * sum of products. Non-decreasing in D. */
typedef struct {
    int32_t terms;
    double factor;
    pvgi_product term[PVGI_TERMS];
} pvgi_sum;

/* Value at a degree bound, not yet rounded up: relative error below 2^-44. */
double pvgi_sensitivity_product_at(const pvgi_product *product, double degree,
                                   double order);
double pvgi_sensitivity_sum_at(const pvgi_sum *sum, double degree, double order);

/* Edge orders tried for a component of m vertices: DFS and BFS from each, both
 * directions. */
enum { PVGI_EDGE_ORDERS = 4 * PVGI_PATTERN_ORDER };
/* The first-edge bound of a connected graph for edge order number `which`, as a count
 * divided by n^(m-2) with factor 2: hom_uv(F, G) / n^m <= sum / n^2. false when there is
 * no such order. */
bool pvgi_sensitivity_first_edge(pvgi_sum *out, const pvgi_small *component,
                                 int32_t which);
/* Largest density of a connected graph, as a product: t(F, G) <= product. */
void pvgi_sensitivity_component_range(pvgi_product *out, const pvgi_small *component);

/* What the bounds need of a premise. */
typedef struct {
    double order, degree; /* n and min(D, n - 1) */
    double doubling;      /* 2 under truncation */
} pvgi_premise;

double pvgi_sensitivity_of_pattern(const pvgi_pattern *pattern,
                                   const pvgi_premise *premise, double relative_error);
double pvgi_sensitivity_range_of(const pvgi_pattern *pattern,
                                 const pvgi_premise *premise);
double pvgi_sensitivity_published_of(const pvgi_pattern *pattern, double degree,
                                     double order);
double pvgi_sensitivity_smooth_of(const pvgi_pattern *pattern,
                                  const pvgi_premise *premise, double relative_error,
                                  double beta, int64_t max_degree);
double pvgi_sensitivity_smooth_published_of(const pvgi_pattern *pattern,
                                            const pvgi_premise *premise, double beta,
                                            int64_t max_degree);

/* Rounds up past every rounding error of these bounds (fewer than 500 operations on
 * non-negative numbers, each off by at most 2^-53). */
static inline double pvgi_round_up(double value) {
    return value * (1.0 + 0x1p-43);
}

#endif
