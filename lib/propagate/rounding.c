/* How far one computed layer is from the exact one, in Frobenius norm, from public
 * numbers. With u = 2^-53, gamma_k = k u / (1 - k u), D the degree bound, n nodes, d
 * columns, and N a bound of the norm of the operator's absolute values:
 *
 *   P and pre are within gamma_(d/2 + 8), entry by entry; a sum of D + 1 of them and the
 *   few operations behind it within gamma_(D + 10) of the sum of absolute values. Hence
 *   the aggregate is within gamma_(D + d/2 + 24) C (1 - a) |A^| |P(X)| entry by entry,
 *   and |P(X)|_F <= sqrt n. The mean likewise, with the additions of a column for D.
 *   W: gamma_d |Z|_F |W|_F more; activation: slope times what is there, plus 16 u of the
 *   result; residual and sum: 4 u of their sizes.
 * docs/guarantees.md has the steps. */
#include "propagate_internal.h"

#include <math.h>

/* gamma_k with room for the arithmetic of this file. */
static double gamma_of(double k) {
    const double ku = k * 0x1p-53;
    return ku < 0.5 ? 1.0001 * ku / (1 - ku) : INFINITY;
}

/* Bound of the spectral norm of the operator with absolute values, over all graphs with
 * degrees up to D. */
static double operator_norm(const pvg_layers_config *c, double D) {
    switch ((enum pvg_operator)c->operation) {
    case PVG_OPERATOR_SYMMETRIC:
    case PVG_OPERATOR_FLOOR:
        return 1;
    case PVG_OPERATOR_LAPLACIAN:
        return D <= c->floor ? 1 : 1 + 2 * D / c->floor;
    /* sqrt of the largest row sum, 1, times the largest column sum */
    case PVG_OPERATOR_ROW:
        return sqrt(1 / c->tau + D / (1 + c->tau));
    case PVG_OPERATOR_SUM:
        return D;
    }
    return INFINITY;
}

static double frobenius(const double *matrix, int64_t entries) {
    double sum = 0;
    for (int64_t i = 0; i < entries; i++) sum += matrix[i] * matrix[i];
    return sqrt(sum) * (1 + 0x1p-20);
}

double pvgi_propagate_error(const pvg_layers *layers, int64_t layer, int64_t order,
                            int64_t degree_bound, int64_t columns) {
    const pvg_layers_config *c = &layers->config;
    const double n = (double)order, d = (double)columns;
    const double D = fmin((double)degree_bound, fmax(n - 1, 0)), root = sqrt(n);
    const double additions = PVGI_SPMM_PACK_ROWS + n / PVGI_SPMM_PACK_ROWS + 1;
    const double norm = operator_norm(c, D), a = c->mean_weight;
    /* aggregate and mean: size and error */
    double size = c->contraction * ((1 - a) * norm + a) * root;
    double error = c->contraction * root *
                   ((1 - a) * norm * gamma_of(D + d / 2 + 24) +
                    (a > 0 ? a * gamma_of(additions + d / 2 + 24) : 0));
    const double *weights = pvgi_layer_weights(layers, layer);
    if (weights) {
        const double whole = frobenius(weights, columns * columns);
        error = error * whole + gamma_of(d + 2) * (size + error) * whole;
        size *= whole;
    }
    if (c->activation != PVG_ACTIVATION_NONE) {
        const double slope = pvgi_layer_lipschitz(c->activation);
        error = slope * (error + 16 * 0x1p-53 * (size + error));
        size *= slope;
    }
    error += 4 * 0x1p-53 * (size + error + 2 * c->residual * root);
    /* what underflows: below 2^-900 in all; scalar operations here: 2^-30 */
    return error * (1 + 0x1p-30) + 0x1p-900;
}
