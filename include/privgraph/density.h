/* density: homomorphism counts and densities of patterns in graphs. Include
 * <privgraph.h>.
 *
 * hom(F, G) is the number of maps from the vertices of the pattern F to the nodes of the
 * graph G that send every edge to an edge; the density t(F, G) = hom(F, G) / n^m, with n
 * nodes and m vertices, is the chance that a random map is one. Both multiply over the
 * components of F, and isolated vertices of F do not change the density.
 *
 * Results are exact functions of private data. Functions whose output must not be
 * published end in _exact; what may be published is a pvg_release made from it. */
#ifndef PRIVGRAPH_DENSITY_H
#define PRIVGRAPH_DENSITY_H

#include "base.h"
#include "graph.h"
#include "pattern.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A list of patterns compiled for counting: components split off and merged over all
 * patterns, an engine chosen for each, steps that several patterns need done once.
 * Depends on the patterns only, hence public. Immutable. */
typedef struct pvg_density pvg_density;

typedef struct pvg_density_config {
    uint32_t size; /* sizeof(pvg_density_config) */
    /* 1: densities of cycles with 4 and more vertices from the eigenvalues of the
     * adjacency matrix (LAPACK, dense, in the calling thread), in graphs of at most 2048
     * nodes and only where a bound on the error, computed along with them, allows it:
     * where it leaves one integer, that is the count; else the relative error must be
     * at most 2^-30. All other counts come from closed walks, by additions only, as with
     * 0. Faster for long cycles in dense graphs; last bits may depend on the processor.
     * pvg_density_relative_error knows of it. Exact counts do not use eigenvalues. */
    PVG_BOOL int32_t cycle_eigenvalues;
} pvg_density_config;

/* --- compiling ------------------------------------------------------------------ */

/* Compiles a list, which may be empty and is not needed afterwards. config NULL: all
 * defaults. Since 0.1. */
PRIVGRAPH_API int32_t pvg_density_new(pvg_density **out, const pvg_patterns *patterns,
                                      PVG_OPT const pvg_density_config *config);

/* NULL is fine. Since 0.1. */
PRIVGRAPH_API void pvg_density_free(pvg_density *density);

/* Patterns compiled; 0 for NULL. Since 0.1. */
PRIVGRAPH_API int64_t pvg_density_pattern_count(const pvg_density *density);

/* Steps over all edges of a graph (sparse products) that the trees need together, and
 * that they would need if every pattern were counted alone, one per edge. 0 for NULL.
 * Since 0.1. */
PRIVGRAPH_API int64_t pvg_density_products(const pvg_density *density);
PRIVGRAPH_API int64_t pvg_density_products_unshared(const pvg_density *density);

/* What counts pattern number `index`: "constant" (isolated vertices only), "trees",
 * "cycles", "cliques", "elimination", or "mixed" if its components need several. NULL if
 * there is no such pattern. Since 0.1. */
PRIVGRAPH_API const char *pvg_density_engine(const pvg_density *density, int64_t index);

/* *out = a bound g on the rounding of the densities that pvg_density_evaluate_exact
 * gives: |computed - true| <= g * true on every graph with `order` nodes and no degree
 * above degree_bound. Public: a function of the pattern, the config and the arguments
 * alone. 0 only if the density is always exact. Since 0.1. */
PRIVGRAPH_API int32_t pvg_density_relative_error(double *out, const pvg_density *density,
                                                 int64_t index, int64_t order,
                                                 int64_t degree_bound);

/* What the densities of one graph with `order` nodes and no degree above degree_bound
 * cost at most, for one thread: *operations, in products inside a product of matrices,
 * and *seconds, as fast as this machine makes those now (it is tried, in less than a
 * millisecond, at every call). The smaller of bounds for sparse and dense graphs: most
 * graphs take far less. Public: a function of the patterns and the arguments, and the
 * seconds of the machine. Since 0.1. */
PRIVGRAPH_API int32_t pvg_density_cost(double *operations, double *seconds,
                                       const pvg_density *density, int64_t order,
                                       int64_t degree_bound);

/* --- densities ------------------------------------------------------------------ */

/* Densities of all patterns in all graphs of a set: out has one row per graph and one
 * column per pattern. In a graph without nodes every density is 0. A graph gives the same
 * bits alone, in any set, with any number of threads and on any processor (but see
 * cycle_eigenvalues). Dense graphs of 48 to 2048 nodes are worked on by the calling
 * thread alone, which uses BLAS where that gives the same bits.
 * PVG_E_LIMIT if the scratch limit of `run` is too small; graphs are worked on block by
 * block, so scratch grows with the threads and with the largest graph. Since 0.1. */
PRIVGRAPH_API int32_t pvg_density_evaluate_exact(
    PVG_LEN(count, pattern_count) double *out, const pvg_density *density,
    const pvg_graphset *set, const pvg_run *run);
/* The same for one graph: one row. Since 0.1. */
PRIVGRAPH_API int32_t pvg_density_evaluate_graph_exact(PVG_LEN(pattern_count) double *out,
                                                       const pvg_density *density,
                                                       const pvg_graph *graph,
                                                       const pvg_run *run);

/* --- counts --------------------------------------------------------------------- */

/* Numbers of homomorphisms as exact integers, rows and columns as above: the count is
 * high * 2^64 + low. high may be NULL: then all counts must fit in 64 bits. PVG_E_LIMIT
 * names the first pattern and graph whose count, or the count of one component of the
 * pattern, does not fit. Since 0.1. */
PRIVGRAPH_API int32_t pvg_density_count_exact(PVG_LEN(count, pattern_count) uint64_t *low,
                                              PVG_OPT PVG_LEN(count, pattern_count)
                                                  uint64_t *high,
                                              const pvg_density *density,
                                              const pvg_graphset *set,
                                              const pvg_run *run);
PRIVGRAPH_API int32_t pvg_density_count_graph_exact(
    PVG_LEN(pattern_count) uint64_t *low, PVG_OPT PVG_LEN(pattern_count) uint64_t *high,
    const pvg_density *density, const pvg_graph *graph, const pvg_run *run);

/* --- finer views ---------------------------------------------------------------- */

/* Rooted densities, one row per node and one column per pattern: the number of
 * homomorphisms that send the root of the pattern to the node, divided by n^(m-1). The
 * mean of a column over the nodes is the density. roots[i] is a vertex of pattern i;
 * NULL: vertex 0 of each. Since 0.1. */
PRIVGRAPH_API int32_t pvg_density_rooted_exact(PVG_LEN(order, pattern_count) double *out,
                                               const pvg_density *density,
                                               PVG_OPT PVG_LEN(pattern_count)
                                                   const int32_t *roots,
                                               const pvg_graph *graph,
                                               const pvg_run *run);

/* What single edges contribute: for each of `count` pairs of distinct nodes (sources[j],
 * targets[j]), joined or not, the count of every pattern in the graph with that edge
 * minus its count in the graph without it: one row per pair, one column per pattern,
 * halves as in pvg_density_count_exact. This is how much a count changes when the edge is
 * toggled. Since 0.1. */
PRIVGRAPH_API int32_t pvg_density_edge_exact(
    PVG_LEN(count, pattern_count) uint64_t *low,
    PVG_OPT PVG_LEN(count, pattern_count) uint64_t *high, const pvg_density *density,
    const pvg_graph *graph, PVG_LEN(count) const int64_t *sources,
    PVG_LEN(count) const int64_t *targets, int64_t count, const pvg_run *run);

#ifdef __cplusplus
}
#endif

#endif
