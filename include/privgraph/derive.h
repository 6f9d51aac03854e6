/* derive: what follows from released numbers. Include <privgraph.h>.
 *
 * Everything here reads released and public numbers only, so it costs no budget and its
 * results have the guarantee of the release they were made from. Estimates say so: they
 * are not the numbers of the graph.
 */
#ifndef PRIVGRAPH_DERIVE_H
#define PRIVGRAPH_DERIVE_H

#include "base.h"
#include "graph.h"
#include "pattern.h"
#include "query.h"
#include "release.h"
#include "rng.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All of it takes a query and a release that answers it, drawn here or read from a file;
 * one that answers another query is refused (PVG_E_ARGUMENT). */

/* --- from degree distributions ----------------------------------------------------- */

/* From a query of degrees. order: nodes of the graph, needed (and else 0 or the same) if
 * the query takes any. Levels and ranks are made consistent by least squares first. The
 * first two also from one of capped degrees; order is then 0 or that of the query, and no
 * degree is above the cap. */

/* A degree for each of the order nodes, such that a graph with these degrees exists.
 * Which node of a group has which degree is made up: they fall with the number of the
 * node. Nodes in no group get 0. Since 0.1. */
PRIVGRAPH_API int32_t pvg_estimate_sequence(PVG_LEN("the nodes of the graph")
                                                int64_t *out,
                                            const pvg_query *query,
                                            const pvg_release *release, int64_t order);

/* out[k] = estimated sum of the k-th powers of all degrees, k = 0 .. count - 1: nodes,
 * twice the edges, .... count in [0, 64]. Since 0.1. */
PRIVGRAPH_API int32_t pvg_estimate_moments(PVG_LEN(count) double *out, int64_t count,
                                           const pvg_query *query,
                                           const pvg_release *release, int64_t order);

/* Estimated homomorphism densities of forests (other patterns: PVG_E_ARGUMENT): products
 * of the moments that the degrees of their vertices ask for, divided by a power of the
 * first. For stars this is what the fitted degrees have; for other trees what graphs with
 * these degrees have on average, and the true graph may be far from it. Since 0.1. */
PRIVGRAPH_API int32_t pvg_estimate_densities(PVG_LEN("one for each pattern") double *out,
                                             const pvg_patterns *patterns,
                                             const pvg_query *query,
                                             const pvg_release *release, int64_t order);

/* --- from perturbed graphs, labels and features ------------------------------------ */

/* Counts of the private graph, estimated from the graph that a query of randomised
 * response on pairs released: edges, the degree of every node (order entries), triangles.
 * Unbiased over the noise of the release, for any one private graph; may be negative.
 * Their true variance depends on the private graph; variance is an unbiased estimate of
 * it, for edges and degrees never negative and, where keep is auto, exact. For triangles
 * it may be negative where it is small against its own error. Either output may be NULL.
 * O(1), O(order), and O(edges^1.5) at most with 12 + 8 threads bytes of scratch per node.
 * PVG_E_NUMERIC if epsilon is so small that both chances are the same. Since 0.1. */
PRIVGRAPH_API int32_t pvg_estimate_edges(PVG_OPT double *out, PVG_OPT double *variance,
                                         const pvg_query *query,
                                         const pvg_release *release);
PRIVGRAPH_API int32_t
pvg_estimate_degrees(PVG_OPT PVG_LEN("the nodes of the graph") double *out,
                     PVG_OPT PVG_LEN("the nodes of the graph") double *variances,
                     const pvg_query *query, const pvg_release *release);
PRIVGRAPH_API int32_t pvg_estimate_triangles(PVG_OPT double *out,
                                             PVG_OPT double *variance,
                                             const pvg_query *query,
                                             const pvg_release *release,
                                             const pvg_run *run);

/* How many users are in each class, from the labels that a query of labels released:
 * unbiased, so an estimate may be negative, and variances (may be NULL) of the estimates,
 * themselves estimated. `classes` of the query numbers each. PVG_E_NUMERIC if epsilon is
 * below 2^-20: such answers are uniform. Since 0.1. */
PRIVGRAPH_API int32_t
pvg_estimate_labels(PVG_LEN("one for each class") double *estimates,
                    PVG_OPT PVG_LEN("one for each class") double *variances,
                    const pvg_query *query, const pvg_release *release);

/* The chances of answers of a query of labels, as they are drawn: out[c * classes + a] is
 * the chance that a user of class c answers a. Since 0.1. */
PRIVGRAPH_API int32_t pvg_estimate_transition(
    PVG_LEN("the square of the classes") double *out, const pvg_query *query);

/* Variance of the released number of a column of a query of features whose true value is
 * `value`, within the range. Since 0.1. */
PRIVGRAPH_API int32_t pvg_estimate_variance(double *out, const pvg_query *query,
                                            int64_t column, double value);

/* --- from capped edges and degrees ------------------------------------------------- */

/* From a query of capped edges with cap=auto: there are at least *out edges in row number
 * `row`, with this confidence in (0, 1), whatever the graph is. One-sided: the cap hides
 * edges, at most all but this many, and no number that hides a node says how many. From
 * a query of capped triangles the same of triangles. order: nodes of the graph, or 0 if
 * the query says it. Since 0.1. */
PRIVGRAPH_API int32_t pvg_estimate_least_edges(double *out, int64_t row,
                                               double confidence, const pvg_query *query,
                                               const pvg_release *release, int64_t order);

/* From a query of capped degrees: what can be seen in it. noise: standard deviation of
 * the share of nodes of some low degree or more, as released; geometric: the largest
 * difference between the shares that pvg_estimate_sequence has and those of the geometric
 * distribution with the same mean. Where the second is not well above the first the
 * release tells a mean and nothing else. Either may be NULL. Since 0.1. */
PRIVGRAPH_API int32_t pvg_estimate_degree_law(PVG_OPT double *noise,
                                              PVG_OPT double *geometric,
                                              const pvg_query *query,
                                              const pvg_release *release);

/* --- smoothing --------------------------------------------------------------------- */

/* KProp: smooths released numbers along a released graph, which spends nothing. `rounds`
 * times h <- D^-1/2 A D^-1/2 h without self loops; 0 rounds copy. values and out: order x
 * columns finite numbers, one row per node; they may be the same array. For labels, give
 * released labels as one-hot rows. A node without edges gets zeros. On a private graph
 * the outcome is private too. O(rounds (edges + order) columns); two more matrices of
 * scratch. Since 0.1. */
PRIVGRAPH_API int32_t pvg_kprop_graph(PVG_LEN(order, columns) double *out,
                                      const pvg_graph *graph,
                                      PVG_LEN(order, columns) const double *values,
                                      int64_t columns, int64_t rounds,
                                      const pvg_run *run);

/* The same on the lists of `count` users: h_u <- sum over the entries v of the list of u
 * of h_v / sqrt(length of that list times how often v is named). Since 0.1. */
PRIVGRAPH_API int32_t pvg_kprop_lists(PVG_LEN(count, columns) double *out,
                                      PVG_LEN(count + 1) const int64_t *offsets,
                                      PVG_LEN(offsets[count]) const int32_t *targets,
                                      int64_t count,
                                      PVG_LEN(count, columns) const double *values,
                                      int64_t columns, int64_t rounds,
                                      const pvg_run *run);

/* --- synthetic graphs -------------------------------------------------------------- */

typedef struct pvg_wiring_config {
    uint32_t size; /* sizeof(pvg_wiring_config) */
    int32_t reserved;
    /* how unlike the degrees in a group of friends are: deviation of their logarithm. 0:
     * the default, 0.75, less where triangles ask for it; below 0: as alike as may be */
    double mixing;
} pvg_wiring_config;

/* A random graph with the released degrees, edges between blocks, triangles and
 * assortativity, from a query of synthesis. No edge of it is evidence of an edge: any two
 * nodes of a block are alike to it, and paths, communities inside blocks and single
 * neighbourhoods are made up. Draw as often as you like, also with a seeded generator: no
 * budget is spent. Degrees and counts are met exactly but for a few edges; the
 * assortativity, if it has a share, as far as the noise of the released number can be
 * trusted. Triangles are met within 1 percent, with blocks too, unless the released
 * number is below about ten deviations of its noise (then it is drawn towards what
 * degrees imply) or nearly the most that graphs with such degrees have (a graph of
 * cliques and nothing else): then a few percent may be missing, which
 * pvg_query_values_exact of the made graph tells. config may be NULL. Does not depend
 * on run->threads. One wiring, O(edges), and one count of triangles, nearly always; at
 * most 6. Since 0.1. */
PRIVGRAPH_API int32_t pvg_synthesis_graph(pvg_graph **out, const pvg_query *query,
                                          const pvg_release *release,
                                          PVG_OPT const pvg_wiring_config *config,
                                          pvg_rng *rng, const pvg_run *run);

/* --- from lists of persons and things --------------------------------------------- */

/* low and high: where each number lay before noise, with the given confidence for each of
 * them, in [0, 1); what has no noise of its own (which thing) is itself. Of clipped or
 * kept rows that is the sum of such rows, not the number of persons. From any query about
 * lists. Since 0.1. */
PRIVGRAPH_API int32_t pvg_estimate_list_intervals(
    PVG_LEN("the numbers of the release") double *low,
    PVG_LEN("the numbers of the release") double *high, double confidence,
    const pvg_query *query, const pvg_release *release);

/* Numbers of persons who have each thing of a list-top with counts, in its order: nearer
 * to the truth than the released ones. Their errors are independent of the order, which
 * says that counts fall, so each is moved towards the nearest falling sequence as far as
 * the spread about it is that of the noise. Since 0.1. */
PRIVGRAPH_API int32_t pvg_estimate_list_counts(PVG_LEN("rows") double *out,
                                               const pvg_query *query,
                                               const pvg_release *release);

/* Directions of things that are had together, from a query of list-pairs about M things:
 * eigenvectors above what noise alone would give, largest first, *found of them, at most
 * `most`; row k of vectors has one number for each of the M things, in the order of the
 * query's. weights: squared cosine with the direction behind the noise, as random
 * matrices have it. M^3 time, 24 M^2 bytes. Since 0.1. */
PRIVGRAPH_API int32_t pvg_estimate_list_directions(
    PVG_LEN("most x things") double *vectors, PVG_LEN(most) double *weights,
    int64_t *found, int64_t most, const pvg_query *query, const pvg_release *release,
    const pvg_run *run);

/* For the owner of a list, on her own device: the `count` things that go best with her
 * own ones, best first, -1 where there are no more, and their scores. vectors
 * (directions x places) and weights are published numbers; own: her things, as positions
 * among the places, distinct, which never leave her device.
 *
 * The result is for her alone and private against nobody she shows it to: it says what is
 * on her list. It may not be stored centrally, ranked on or scored: then it is a release
 * without noise. Since 0.1. */
PRIVGRAPH_API int32_t pvg_recommend_own(
    PVG_LEN(count) int32_t *out, PVG_OPT PVG_LEN(count) double *scores, int64_t count,
    PVG_LEN(directions, places) const double *vectors,
    PVG_LEN(directions) const double *weights, int64_t directions, int64_t places,
    PVG_LEN(own_count) const int32_t *own, int64_t own_count);

#ifdef __cplusplus
}
#endif

#endif
