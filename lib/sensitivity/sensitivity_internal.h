/* sensitivity, inside: bounds as sums of products of (D - offset)/n, compiled once per
 * list. */
#ifndef PVGI_SENSITIVITY_H
#define PVGI_SENSITIVITY_H

#include "base/base_internal.h"
#include "layer/layer_internal.h"
#include "pattern/pattern_internal.h"
#include "privgraph/sensitivity.h"

#include <math.h>

/* Largest offset that occurs: cliques of at most width + 1 <= 7 vertices, offset q - 1.
 */
enum { PVGI_OFFSETS = 8, PVGI_TERMS = 32 * 31 / 2 };

/* prod over offsets c of ((D - c) / n)^power[c]; D - c counts as 0 if negative. */
typedef struct {
    uint8_t power[PVGI_OFFSETS];
} pvgi_bound_product;

/* A product that occurs `times` times in a sum. */
typedef struct {
    pvgi_bound_product product;
    int32_t times;
} pvgi_bound_term;

/* 2 * sum of terms: a bound on hom_uv(F, G) / n^(m-2). Non-decreasing in D. */
typedef struct {
    int32_t terms;
    pvgi_bound_term term[PVGI_TERMS];
} pvgi_bound_sum;

/* --- the first-edge bound (first_edge.c) ---------------------------------------- */

/* The bound of a connected graph for edge order number `which`; false when there is no
 * such order (four searches from each vertex). */
bool pvgi_sensitivity_first_edge(pvgi_bound_sum *out, const pvgi_small *component,
                                 int32_t which);
/* Largest density of a connected graph, as a product: t(F, G) <= product. */
void pvgi_sensitivity_component_range(pvgi_bound_product *out,
                                      const pvgi_small *component);

/* --- plans (plan.c) ------------------------------------------------------------- */

/* A component with at least one edge. Its alternatives are bounds of which each holds. */
typedef struct {
    pvgi_bound_product range;
    int64_t first_alternative, alternatives;
} pvgi_bound_part;

typedef struct {
    int64_t first_term;
    int32_t terms;
} pvgi_bound_alternative;

typedef struct {
    int64_t first_part;
    int32_t parts, order, size;
} pvgi_bound_pattern;

/* Everything about a pattern list that does not depend on n, D or beta. */
typedef struct {
    int64_t count;
    pvgi_bound_pattern *pattern;
    pvgi_bound_part *part;
    pvgi_bound_alternative *alternative;
    pvgi_bound_term *term;
    int64_t part_count, alternative_count, term_count;
} pvgi_sensitivity_plan;

int32_t pvgi_sensitivity_plan_new(pvgi_sensitivity_plan *out,
                                  const pvg_patterns *patterns);
void pvgi_sensitivity_plan_free(pvgi_sensitivity_plan *plan);

/* --- evaluation (edge.c, smooth.c) ---------------------------------------------- */

/* What the bounds need of an assumption. */
typedef struct {
    double order, degree; /* n and min(D, n - 1) */
    double least;         /* promised least degree, 0 if none */
    double doubling;      /* 2 under truncation */
} pvgi_assumption;

/* Checks the caller's assumption; messages name function and argument. */
int32_t pvgi_sensitivity_assumption(pvgi_assumption *out, const char *function,
                                    const char *argument, const pvg_assumption *caller);

/* Values at a degree bound, not yet rounded up: relative error below 2^-44. */
double pvgi_sensitivity_product_at(const pvgi_bound_product *product, double degree,
                                   double order);
double pvgi_sensitivity_sum_at(const pvgi_bound_term *term, int32_t terms, double degree,
                               double order);

/* Of pattern number `index`. A microsecond or so. */
double pvgi_sensitivity_at(const pvgi_sensitivity_plan *plan, int64_t index,
                           const pvgi_assumption *assumption, double relative_error);
/* For neighbours all patterns move within [-back, at], or all within [-at, back]: an edge
 * only adds homomorphisms. Truncated graphs differ in one edge that is there and two that
 * are gone, so [-2 S, S]. */
double pvgi_sensitivity_back_at(const pvgi_sensitivity_plan *plan, int64_t index,
                                const pvgi_assumption *assumption, double relative_error);
double pvgi_sensitivity_range_at(const pvgi_sensitivity_plan *plan, int64_t index,
                                 const pvgi_assumption *assumption);
double pvgi_sensitivity_published_at(const pvgi_sensitivity_plan *plan, int64_t index,
                                     double degree, double order);
double pvgi_sensitivity_smooth_at(const pvgi_sensitivity_plan *plan, int64_t index,
                                  const pvgi_assumption *assumption,
                                  double relative_error, double beta, int64_t max_degree);
double pvgi_sensitivity_smooth_published_at(const pvgi_sensitivity_plan *plan,
                                            int64_t index,
                                            const pvgi_assumption *assumption,
                                            double beta, int64_t max_degree);

/* --- families (corners.c) --------------------------------------------------------- */

/* Points whose hull, with its negative, has every joint change of the counts hom(F_i, G)
 * by one edge in graphs with degrees up to `degree`, with and without it. count 0: the
 * family is not known to be covered, or needs more than `most` numbers. */
typedef struct {
    int64_t count, dimension;
    double *points; /* row by row */
} pvgi_corners;
int32_t pvgi_sensitivity_corners(pvgi_corners *out, const pvg_patterns *patterns,
                                 int64_t degree, double most);
/* Whether a pattern may be in such a family; without a degree bound none is. */
bool pvgi_sensitivity_covers(const pvg_patterns *patterns, int64_t index, int64_t degree);
void pvgi_sensitivity_corners_free(pvgi_corners *corners);

/* --- message passing (operator.c, node.c, layers.c) ----------------------------- */

/* An operator A^ of the module layer and what is known of the degrees it sees. */
typedef struct {
    int32_t operation; /* PVG_OPERATOR_* */
    double tau, self_weight, floor;
    pvgi_assumption assumption;
} pvgi_operator;

/* |A^|_2 over the graphs of the assumption, up. */
double pvgi_sensitivity_operator_norm(const pvgi_operator *operator);
/* How far one undirected edge moves A^ x, every row of x in the unit ball, in Frobenius
 * norm, up. */
double pvgi_sensitivity_operator_edge(const pvgi_operator *operator);
/* The same for one entry of the matrix; infinite unless rows depend on their own entries
 * only (ROW, SUM). */
double pvgi_sensitivity_operator_entry(const pvgi_operator *operator);

/* Rows of A^: largest sum of absolute values, largest sum of squares. */
typedef struct {
    double sum, squares;
} pvgi_row_bound;
pvgi_row_bound pvgi_sensitivity_operator_rows(const pvgi_operator *operator);

/* One layer at node level: x <- g(A^ P(x)) + residual x_0, where g multiplies distances
 * by `own` at most, and the mean of all rows is added with the factor `mean`. */
typedef struct {
    double own, mean, residual;
    bool first;    /* the features of the node differ as well */
    bool replaced; /* any other node instead of an isolated one without features */
} pvgi_node_layer;
/* Up; infinite if there is no bound for the operator. */
double pvgi_sensitivity_operator_node(const pvgi_operator *operator,
                                      const pvgi_node_layer * layer);
bool pvgi_sensitivity_operator_has_node(const pvgi_operator *o);
/* Of the operators that have one, not yet rounded up (node.c). */
double pvgi_sensitivity_node_symmetric(const pvgi_operator *o,
                                       const pvgi_node_layer *layer);
double pvgi_sensitivity_node_sum(const pvgi_operator *o, const pvgi_node_layer *layer);

/* Lipschitz constant and sensitivity of each layer of a stack, up. shifts: PVG_E_PRIVACY
 * where no bound is proven; change is valid. */
void pvgi_sensitivity_gammas(double *out, const pvg_layers *layers,
                             const pvgi_assumption *assumption);
int32_t pvgi_sensitivity_shifts(double *out, const pvg_layers *layers,
                                const pvgi_assumption *assumption, int32_t notion,
                                const char *function);
/* Per layer: largest norm of a row of the output, up; and by how much independent noise
 * of every number of the input shrinks in the mean, as far as degrees are promised. The
 * second is for choosing between methods, not for privacy. */
void pvgi_sensitivity_rows(double *norms, double *spreads, const pvg_layers *layers,
                           const pvgi_assumption *assumption);
/* Theorems 4 and 5 of the CARIBOU paper, as printed. */
double pvgi_sensitivity_layer_published(const pvg_layers *layers,
                                        const pvgi_assumption *assumption,
                                        int32_t notion);

/* Degrees are looked at in intervals [low, high]: single numbers up to 128, then growing
 * in proportion, so that a bound over all pairs of degrees costs at most 10^7 operations.
 * Every bound takes the worse end of each of its factors. */
static inline double pvgi_interval_end(double low, double last) {
    const double high = low + floor(low / 128.0);
    return high < last ? high : last;
}

/* Rounds up past every rounding error of these bounds (fewer than 500 operations on
 * non-negative numbers, each off by at most 2^-53). */
static inline double pvgi_round_up(double value) {
    return value * (1.0 + 0x1p-43);
}

#endif
