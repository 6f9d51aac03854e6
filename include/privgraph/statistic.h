/* statistic: numbers about a graph that one edge moves little. Include <privgraph.h>.
 *
 * A statistic is a vector of numbers with noise, calibrated to how far one edge moves the
 * vector as a whole, which is 1 or 2 however long it is. It is made from public
 * parameters and a budget, and knows its guarantee before it sees anything private.
 * pvg_release_draw_statistic (release.h) applies it. docs/guarantees.md has the proofs.
 */
#ifndef PRIVGRAPH_STATISTIC_H
#define PRIVGRAPH_STATISTIC_H

#include "base.h"
#include "graph.h"
#include "guarantee.h"
#include "mechanism.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- what all statistics share --------------------------------------------------- */

/* A mechanism for numbers of a graph, all of it public. Immutable. Its target gives
 * epsilon (with delta where Gaussian noise is asked for) or a native parameter, and may
 * allow a seeded generator; PVG_NOISE_DEFAULT is LAPLACE here, target->allocation and
 * target->beta must be 0. */
typedef struct pvg_statistic pvg_statistic;

/* NULL is fine. Since 0.1. */
PRIVGRAPH_API void pvg_statistic_free(pvg_statistic *statistic);

/* Shape of the numbers; 0 for NULL. Since 0.1. */
PRIVGRAPH_API int64_t pvg_statistic_rows(const pvg_statistic *statistic);
PRIVGRAPH_API int64_t pvg_statistic_columns(const pvg_statistic *statistic);

/* Lends the guarantee of one release with a secure generator, before anything is spent;
 * NULL for NULL. Since 0.1. */
PRIVGRAPH_API const pvg_guarantee *
pvg_statistic_guarantee(const pvg_statistic *statistic);

/* Standard deviation of the noise of each column (`columns` entries), before anything is
 * spent. PVG_E_PRIVACY if it depends on the graph. Since 0.1. */
PRIVGRAPH_API int32_t pvg_statistic_copy_deviation(double *out,
                                                   const pvg_statistic *statistic);

/* The numbers without noise, rows x columns. Must not be published. Since 0.1. */
PRIVGRAPH_API int32_t pvg_statistic_values_exact(double *out,
                                                 const pvg_statistic *statistic,
                                                 const pvg_graph *graph,
                                                 const pvg_run *run);

/* --- tallies: every pair of nodes has one public cell ------------------------------ */

/* Which cells an edge {u, v} counts in. */
enum {
    /* One: (group of the receiver, kind of the sender). Whoever has the higher priority
     * sends; equal ones: the node with the lower number. groups x kinds numbers. */
    PVG_TALLIES_RECEIVED = 0,
    /* One: the unordered pair of the kinds of u and v. kinds x kinds numbers, of which
     * (a, b) and (b, a) are the same one. No priorities, no groups. */
    PVG_TALLIES_BETWEEN = 1,
    /* Two: each end receives from the other, as in message passing; noise is made for 2.
     * No priorities. */
    PVG_TALLIES_BOTH_WAYS = 2
};

typedef struct pvg_tallies_config {
    uint32_t size;  /* sizeof(pvg_tallies_config) */
    int32_t cells;  /* PVG_TALLIES_* */
    int64_t order;  /* nodes of the graph, >= 1 */
    int64_t kinds;  /* >= 1 */
    int64_t groups; /* >= 1; 0: each node is its own group */
    double grid;    /* with weights: a power of two; 0: 2^-10 */
} pvg_tallies_config;

/* Arrays of tallies, each public: known without the edges, or released before and paid
 * for. Copied. A priority, kind or weight that was computed from degrees or any other
 * private number breaks the guarantee. */
typedef struct pvg_tallies_nodes {
    uint32_t size; /* sizeof(pvg_tallies_nodes) */
    int32_t reserved;
    const double *priorities; /* of each node; not NaN. NULL: all the same */
    const int32_t *kinds;     /* of each node, in [-1, kinds); -1: as a sender, counts
                               * nowhere. NULL: all 0 */
    const int32_t *groups;    /* of each node, in [-1, groups); -1: as a receiver, counts
                               * nowhere. NULL if config.groups is 0 */
    /* order x kinds, in place of kinds: an edge adds the row of the sender to the row of
     * the receiver. Each is rounded towards 0 to a multiple of the grid; noise is made
     * for the largest sum of |weights| of one edge. NULL: by kinds */
    const double *weights;
} pvg_tallies_nodes;

/* Counts edges by public cells: pure epsilon edge-DP with LAPLACE, however many cells. A
 * count in its cell moves by one if an edge is toggled, and no other count does. If each
 * node is its own group, the row of a node is also what that node could report by itself
 * from its own list (edge-LDP), and for RECEIVED one edge moves one report only
 * (relationship-DP with the same epsilon). GAUSSIAN and DISCRETE_GAUSSIAN use the L2
 * change. At most 2^31 - 1 cells in all. O(order log order) here, O(order + edges +
 * cells) to draw. nodes may be NULL. Since 0.1. */
PRIVGRAPH_API int32_t pvg_statistic_new_tallies(pvg_statistic **out,
                                                const pvg_tallies_config *config,
                                                const pvg_target *target,
                                                const pvg_tallies_nodes *nodes);

#ifdef __cplusplus
}
#endif

#endif
