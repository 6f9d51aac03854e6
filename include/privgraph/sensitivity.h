/* sensitivity: how far one edge can move a homomorphism density. Include <privgraph.h>.
 *
 * Everything here is computed from public inputs: the patterns, the number of nodes, a
 * degree bound that is promised or enforced. Results are rounded up. Notion: two graphs
 * on the same nodes are neighbours if they differ in one edge. docs/guarantees.md has the
 * proofs. */
#ifndef PRIVGRAPH_SENSITIVITY_H
#define PRIVGRAPH_SENSITIVITY_H

#include "base.h"
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
                               * holds for every graph, at twice the sensitivity */
};

/* What is publicly known of a private graph. */
typedef struct pvg_premise {
    uint32_t size;        /* sizeof(pvg_premise) */
    int32_t degrees;      /* PVG_DEGREES_* */
    int64_t order;        /* number of nodes, 1 to 2^31 - 1 */
    int64_t degree_bound; /* 0 for PVG_DEGREES_ANY, else at least 1 */
} pvg_premise;

/* Edge sensitivity of the density of each pattern: out[i] >= |t(F_i, G) - t(F_i, G')| for
 * all neighbours G, G' that satisfy the premise. relative_error[i]: bound on the relative
 * error of the computed density (pvg_density_relative_error), charged here; NULL if
 * densities are exact. Any pattern, connected or not. Since 0.1. */
PRIVGRAPH_API int32_t pvg_sensitivity_edge(double *out, const pvg_patterns *patterns,
                                           const pvg_premise *premise,
                                           const double *relative_error);

/* Largest density of each pattern over the graphs of the premise: the public range is
 * [0, out[i]]. Since 0.1. */
PRIVGRAPH_API int32_t pvg_sensitivity_range(double *out, const pvg_patterns *patterns,
                                            const pvg_premise *premise);

/* The bound of the homomorphism-density paper (Theorem 4.5), 2e/n^2 (D/n)^(m-2). It does
 * not hold for disconnected patterns nor for a degree bound read off the graph; for
 * comparison only. Since 0.1. */
PRIVGRAPH_API int32_t pvg_sensitivity_edge_published(double *out,
                                                     const pvg_patterns *patterns,
                                                     const pvg_premise *premise);

/* A beta-smooth upper bound of the local sensitivity at a graph of largest degree
 * max_degree, maximised over all distances. Exact: it depends on the private graph, so
 * neither it nor a noise scale made from it may leave the program. premise->degrees: ANY
 * or PROMISED. The mechanism's accounting adds 2^-48 to beta for the rounding here. Since
 * 0.1. */
PRIVGRAPH_API int32_t pvg_sensitivity_smooth_exact(double *out,
                                                   const pvg_patterns *patterns,
                                                   const pvg_premise *premise,
                                                   const double *relative_error,
                                                   double beta, int64_t max_degree);

/* The paper's form of it, stopped after six edits: not a smooth bound (it can be too
 * small by a factor of 10^5); for comparison only. Since 0.1. */
PRIVGRAPH_API int32_t pvg_sensitivity_smooth_published(double *out,
                                                       const pvg_patterns *patterns,
                                                       const pvg_premise *premise,
                                                       double beta, int64_t max_degree);

#ifdef __cplusplus
}
#endif

#endif
