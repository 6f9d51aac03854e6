/* layer: stacks of message-passing layers, as public descriptions. Include <privgraph.h>.
 *
 * A layer takes one row of numbers per node to another:
 *
 *     X_(k+1) = act( C ( (1 - a) A^ P(X_k) + a Mean P(X_k) ) W_k ) + b X_0
 *
 * P pulls every row into the unit ball, A^ is one of the operators below, Mean replaces
 * every row by the mean of all rows, W_k is an optional public matrix, act an activation,
 * X_0 the features with P applied. Nothing here sees a graph: an operator names how
 * weights are made from degrees, the module propagate applies it. */
#ifndef PRIVGRAPH_LAYER_H
#define PRIVGRAPH_LAYER_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How neighbours are weighted; A is the adjacency matrix, d a degree. The first three
 * have spectral norm at most 1. */
enum pvg_operator {
    /* D^-1/2 (A + w I) D^-1/2 with D = d + tau, tau >= max(1, w) */
    PVG_OPERATOR_SYMMETRIC = 0,
    /* D^-1/2 (A + S) D^-1/2 with D = max(d, floor) and self loops S = max(floor - d, 0)
     */
    PVG_OPERATOR_FLOOR = 1,
    /* I - (diag(d) - A) / floor; norm at most 1 only if no degree is above floor, which
     * must be promised */
    PVG_OPERATOR_LAPLACIAN = 2,
    /* D^-1 (A + I) with D = d + tau; its norm can exceed 1 */
    PVG_OPERATOR_ROW = 3,
    /* A; its norm can be as large as the largest degree */
    PVG_OPERATOR_SUM = 4
};

/* Applied to every number. Each maps 0 to 0. Lipschitz constants: 1, 1, 1, 1.758... */
enum pvg_activation {
    PVG_ACTIVATION_NONE = 0,
    PVG_ACTIVATION_RELU = 1, /* max(x, 0) */
    PVG_ACTIVATION_TANH = 2,
    PVG_ACTIVATION_SELU = 3 /* 1.0507... x, or 1.758... (e^x - 1) for x < 0 */
};

/* What P does to a row before it is aggregated. */
enum {
    /* x / max(1, |x|): the nearest point of the unit ball. Never moves rows apart. */
    PVG_ROWS_PROJECTED = 0,
    /* x / |x|; rows with no number of size 2^-500 or more stay. For PVG_OPERATOR_SUM only
     * (aggregation perturbation). It has no Lipschitz constant, so it suits releases of
     * every layer, where what happens between them is post-processing, and no other. */
    PVG_ROWS_NORMALISED = 1
};

enum {
    PVG_LAYERS_DEPTH_MAX = 65536,   /* layers */
    PVG_LAYERS_DIMENSION_MAX = 4096 /* rows and columns of a weight matrix */
};

typedef struct pvg_layers_config {
    uint32_t size;                           /* sizeof(pvg_layers_config) */
    PVG_ENUM(OPERATOR) int32_t operation;    /* PVG_OPERATOR_* */
    PVG_ENUM(ACTIVATION) int32_t activation; /* PVG_ACTIVATION_* */
    PVG_ENUM(ROWS) int32_t rows;             /* PVG_ROWS_* */
    int64_t depth;                           /* layers, 1 to PVG_LAYERS_DEPTH_MAX; 0: 1 */
    /* SYMMETRIC and ROW: at least 1, and at least self_weight; 0: the least that is */
    double tau;
    double self_weight; /* SYMMETRIC: w > 0; 0: 1 */
    double floor;       /* FLOOR: at least 1; LAPLACIAN: above 0. Required there. */
    double contraction; /* C > 0; 0: 0.9, for SUM 1 */
    double mean_weight; /* a in [0, 1] */
    double residual;    /* b >= 0 */
} pvg_layers_config;

/* K layers and their weights. Public and immutable. */
typedef struct pvg_layers pvg_layers;

/* weights: NULL (every W_k the identity, dimension 0), or `depth` square matrices of
 * `dimension` rows, one after the other, each row by row; they are copied. They must be
 * public: weights learnt from private data need a guarantee of their own. config NULL:
 * one symmetric layer, all defaults. PVG_E_ARGUMENT names the field that is out of range
 * or has no meaning for the operator. O(depth dimension^3) time. Since 0.1. */
PRIVGRAPH_API int32_t pvg_layers_new(pvg_layers **out,
                                     PVG_OPT const pvg_layers_config *config,
                                     PVG_OPT PVG_LEN(config->depth, dimension, dimension)
                                         const double *weights,
                                     int64_t dimension);

/* NULL is fine. Since 0.1. */
PRIVGRAPH_API void pvg_layers_free(pvg_layers *layers);

/* Layers; rows of the weight matrices, 0 without. Zero for NULL. Since 0.1. */
PRIVGRAPH_API int64_t pvg_layers_depth(const pvg_layers *layers);
PRIVGRAPH_API int64_t pvg_layers_dimension(const pvg_layers *layers);

/* Copies the settings, defaults filled in, into *out, whose size field the caller has
 * set. Since 0.1. */
PRIVGRAPH_API int32_t pvg_layers_copy_config(pvg_layers_config *out,
                                             const pvg_layers *layers);

/* *out = how far W_k and the activation of layer number `layer` (0 to depth - 1) can move
 * two matrices apart, in Frobenius norm: spectral norm of W_k times the Lipschitz
 * constant of the activation, rounded up by a proven error bound. 1 without both. What
 * the operator, contraction and mean add is told by the module sensitivity. Since 0.1. */
PRIVGRAPH_API int32_t pvg_layers_gain(double *out, const pvg_layers *layers,
                                      int64_t layer);

#ifdef __cplusplus
}
#endif

#endif
