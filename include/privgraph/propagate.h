/* propagate: message passing on node features, exactly. Include <privgraph.h>.
 *
 * Results are exact functions of private data and must not be published; what may be
 * published is a pvg_release made from them. Matrices are row-major, one row per node.
 * Results are the same bits for every number of threads. */
#ifndef PRIVGRAPH_PROPAGATE_H
#define PRIVGRAPH_PROPAGATE_H

#include "base.h"
#include "graph.h"
#include "layer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All layers of a stack: out = X_K, with X_0 = the features with rows pulled into the
 * unit ball (layer.h). x and out: order x columns finite numbers; they may be the same
 * array. columns must be the dimension of the layers if they have weights. O(K (arcs +
 * order) columns) time plus 2 K order columns^2 with weights. Scratch: 160 bytes a node,
 * one more matrix with a residual, and one with a progress callback. Since 0.1. */
PRIVGRAPH_API int32_t pvg_propagate_exact(PVG_LEN(order, columns) double *out,
                                          const pvg_layers *layers,
                                          const pvg_graph *graph,
                                          PVG_LEN(order, columns) const double *x,
                                          int64_t columns, const pvg_run *run);

/* The same from stored features, one row per node; out is order x columns of features.
 * Since 0.1. */
PRIVGRAPH_API int32_t pvg_propagate_features_exact(PVG_LEN(order, columns) double *out,
                                                   const pvg_layers *layers,
                                                   const pvg_graph *graph,
                                                   const pvg_features *features,
                                                   const pvg_run *run);

/* out = A^ x: the operator of the layers alone, once, without P, contraction, mean,
 * weights, activation or residual. Twice: numbers of 64 bits, and of 32, which need half
 * the memory traffic. x and out may be the same array. 152 bytes a node of scratch, one
 * more matrix with a progress callback. Since 0.1. */
PRIVGRAPH_API int32_t pvg_propagate_apply_exact(PVG_LEN(order, columns) double *out,
                                                const pvg_layers *layers,
                                                const pvg_graph *graph,
                                                PVG_LEN(order, columns) const double *x,
                                                int64_t columns, const pvg_run *run);
PRIVGRAPH_API int32_t pvg_propagate_apply_float_exact(
    PVG_LEN(order, columns) float *out, const pvg_layers *layers, const pvg_graph *graph,
    PVG_LEN(order, columns) const float *x, int64_t columns, const pvg_run *run);

/* *out = a bound of the rounding of one layer (0 to depth - 1), in Frobenius norm, for
 * every graph with `order` nodes and no degree above degree_bound (0: any), every state,
 * and X_0 in the unit ball. Public: a function of the arguments alone. Since 0.1. */
PRIVGRAPH_API int32_t pvg_propagate_rounding(double *out, const pvg_layers *layers,
                                             int64_t layer, int64_t order,
                                             int64_t degree_bound, int64_t columns);

#ifdef __cplusplus
}
#endif

#endif
