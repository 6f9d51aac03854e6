/* sensitivity: how far one private change can move a homomorphism density or a layer of
 * message passing. Include <privgraph.h>.
 *
 * Everything here is computed from public inputs: patterns, layers, the number of nodes,
 * degree bounds that are promised or enforced. Results are rounded up. Unless said
 * otherwise, two graphs on the same nodes are neighbours if they differ in one edge.
 * docs/guarantees.md has the proofs. */
#ifndef PRIVGRAPH_SENSITIVITY_H
#define PRIVGRAPH_SENSITIVITY_H

#include "base.h"
#include "layer.h"
#include "pattern.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where the degree bound comes from. */
enum {
    PVG_DEGREES_ANY = 0,      /* no bound: any graph on `order` nodes */
    PVG_DEGREES_PROMISED = 1, /* all possible inputs, neighbours included, have it: the
                               * guarantee is void for a graph that breaks the promise */
    PVG_DEGREES_TRUNCATED = 2 /* the library enforces it (pvg_graph_truncate_degree):
                               * holds for every graph, at twice the sensitivity of
                               * densities, three times that of message passing */
};

/* What is publicly known of a private graph. */
typedef struct pvg_assumption {
    uint32_t size;                     /* sizeof(pvg_assumption) */
    PVG_ENUM(DEGREES) int32_t degrees; /* PVG_DEGREES_* */
    int64_t order;                     /* number of nodes, 1 to 2^31 - 1 */
    int64_t degree_bound;              /* 0 for PVG_DEGREES_ANY, else at least 1 */
    /* PROMISED only, below degree_bound and order - 1; 0: nothing promised. When the
     * private edge (or all edges of the private node) is taken away, every node (every
     * other node) still has at least so many neighbours. Lowers the sensitivity of
     * message passing; densities ignore it. */
    int64_t least_degree;
} pvg_assumption;

/* --- densities ------------------------------------------------------------------ */

/* Edge sensitivity of the density of each pattern: out[i] >= |t(F_i, G) - t(F_i, G')| for
 * all neighbours G, G' that satisfy the assumption. relative_error[i]: bound on the
 * relative error of the computed density (pvg_density_relative_error), charged here; NULL
 * if densities are exact. Any pattern, connected or not. Since 0.1. */
PRIVGRAPH_API int32_t pvg_sensitivity_edge(PVG_LEN(count) double *out,
                                           const pvg_patterns *patterns,
                                           const pvg_assumption *assumption,
                                           PVG_OPT PVG_LEN(count)
                                               const double *relative_error);

/* Largest density of each pattern over the graphs of the assumption: the public range is
 * [0, out[i]]. Since 0.1. */
PRIVGRAPH_API int32_t pvg_sensitivity_range(PVG_LEN(count) double *out,
                                            const pvg_patterns *patterns,
                                            const pvg_assumption *assumption);

/* The bound of the homomorphism-density paper (Theorem 4.5), 2e/n^2 (D/n)^(m-2). It does
 * not hold for disconnected patterns nor for a degree bound read off the graph; for
 * comparison only. Since 0.1. */
PRIVGRAPH_API int32_t pvg_sensitivity_edge_published(PVG_LEN(count) double *out,
                                                     const pvg_patterns *patterns,
                                                     const pvg_assumption *assumption);

/* A beta-smooth upper bound of the local sensitivity at a graph of largest degree
 * max_degree, maximised over all distances. Exact: it depends on the private graph, so
 * neither it nor a noise scale made from it may leave the program. assumption->degrees:
 * ANY or PROMISED. The mechanism's accounting adds 2^-20 to beta for roundings. Since
 * 0.1. */
PRIVGRAPH_API int32_t pvg_sensitivity_smooth_exact(PVG_LEN(count) double *out,
                                                   const pvg_patterns *patterns,
                                                   const pvg_assumption *assumption,
                                                   PVG_OPT PVG_LEN(count)
                                                       const double *relative_error,
                                                   double beta, int64_t max_degree);

/* The paper's form of it, stopped after six edits: not a smooth bound (it can be too
 * small by a factor of 10^5); for comparison only. Since 0.1. */
PRIVGRAPH_API int32_t pvg_sensitivity_smooth_published(PVG_LEN(count) double *out,
                                                       const pvg_patterns *patterns,
                                                       const pvg_assumption *assumption,
                                                       double beta, int64_t max_degree);

/* --- message passing ------------------------------------------------------------ */

/* Lipschitz constant of each layer in Frobenius norm, over all graphs of the assumption:
 * out[k] for k < depth. A layer is contractive if it is below 1. Infinite if rows are
 * normalised to the sphere instead of projected. Since 0.1. */
PRIVGRAPH_API int32_t pvg_sensitivity_lipschitz(PVG_LEN(depth) double *out,
                                                const pvg_layers *layers,
                                                const pvg_assumption *assumption);

/* How far neighbours of that notion move the output of each layer at most, in Frobenius
 * norm, its input x being the same: out[k] for k < depth. Features are the same for EDGE
 * and EDGE_DIRECTED; for NODE (other edges and features) and NODE_REMOVED (no edges, zero
 * features) those of the node change as well, which is in out[0].
 *
 * PVG_E_PRIVACY where no bound is proven: EDGE_DIRECTED is for ROW and SUM, the notions
 * of nodes are for SYMMETRIC and SUM, neither goes with truncated degrees, and no other
 * notion has a bound. Since 0.1. */
PRIVGRAPH_API int32_t pvg_sensitivity_layers(PVG_LEN(depth) double *out,
                                             const pvg_layers *layers,
                                             const pvg_assumption *assumption,
                                             PVG_ENUM(NOTION) int32_t notion);

/* The bounds of the CARIBOU paper (Theorem 4: PVG_NOTION_EDGE; Theorem 5:
 * PVG_NOTION_NODE_REMOVED), with its D_min = least_degree and D_max = degree_bound. The
 * second fails (row of the node, residual, rows at distance two); the first fails for
 * D_min read off the graph and an edge taken away. For comparison only; SYMMETRIC with
 * tau = self_weight = 1 and without weights or activation. Since 0.1. */
PRIVGRAPH_API int32_t pvg_sensitivity_layers_published(PVG_LEN(depth) double *out,
                                                       const pvg_layers *layers,
                                                       const pvg_assumption *assumption,
                                                       PVG_ENUM(NOTION) int32_t notion);

#ifdef __cplusplus
}
#endif

#endif
