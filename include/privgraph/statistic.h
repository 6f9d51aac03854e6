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
#include "tradeoff.h"

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
PRIVGRAPH_API int32_t pvg_statistic_copy_deviation(PVG_LEN(columns) double *out,
                                                   const pvg_statistic *statistic);

/* New tradeoff (tradeoff.h) for graphs of `order` nodes (0: those of the statistic):
 * noise against range of each column, or of each number of a joined statistic, whether
 * anything can be learned from it, and from which epsilon of the whole release or which
 * number of nodes on (0 if it is made for one number of nodes). Ranges are the largest
 * absolute values in any such graph, from above; the noise is that of the release. Where
 * noise follows how many neighbours two nodes have in common, it is told for `common` of
 * them, a public guess; 0: the worst case, order - 2. At most 2^31 numbers
 * (PVG_E_LIMIT). Since 0.1. */
PRIVGRAPH_API int32_t pvg_statistic_tradeoff(pvg_tradeoff **out,
                                             const pvg_statistic *statistic,
                                             int64_t order, int64_t common);

/* The numbers without noise, rows x columns. Must not be published. Since 0.1. */
PRIVGRAPH_API int32_t pvg_statistic_values_exact(PVG_LEN(rows, columns) double *out,
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
    uint32_t size;                   /* sizeof(pvg_tallies_config) */
    PVG_ENUM(TALLIES) int32_t cells; /* PVG_TALLIES_* */
    int64_t order;                   /* nodes of the graph, >= 1 */
    int64_t kinds;                   /* >= 1 */
    int64_t groups;                  /* >= 1; 0: each node is its own group */
    double grid;                     /* with weights: a power of two; 0: 2^-10 */
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
                                                PVG_OPT const pvg_tallies_nodes *nodes);

/* --- degree diagrams: levels and ranks --------------------------------------------- */

typedef struct pvg_degrees_config {
    uint32_t size; /* sizeof(pvg_degrees_config) */
    int32_t reserved;
    int64_t order;  /* nodes of the graph, >= 1; 0: any graph, one group, ranks >= 0 */
    int64_t levels; /* J >= 0: nodes with degree >= 1, ..., >= J are counted */
    int64_t ranks;  /* R >= 0: so many of the largest degrees above J, one by one; -1: as
                     * many as the largest group has nodes */
    int64_t groups; /* >= 1 with groups given; 0: one group */
} pvg_degrees_config;

/* The degree distribution: one row per group with J levels, R ranks (how far the largest
 * degrees exceed J, falling) and the sum of the other excesses. One edge moves two of all
 * numbers by one (or one by two): pure epsilon edge-DP with LAPLACE at rate epsilon / 2,
 * without degree bound, however many numbers. groups: order public numbers in [-1,
 * config->groups), -1: in none; NULL: all nodes in one. Numbers that are 0 in every graph
 * of that order are 0. pvg_degrees_* (derive.h) fit degrees, moments and densities to
 * what is released. Since 0.1. */
PRIVGRAPH_API int32_t pvg_statistic_new_degrees(pvg_statistic **out,
                                                const pvg_degrees_config *config,
                                                const pvg_target *target,
                                                PVG_OPT PVG_LEN(config->order)
                                                    const int32_t *groups);

/* --- triangles --------------------------------------------------------------------- */

typedef struct pvg_triangles_config {
    uint32_t size; /* sizeof(pvg_triangles_config) */
    int32_t reserved;
    int64_t order; /* nodes of the graph; 0: any */
    int64_t floor; /* least number of common neighbours that noise is made for, public:
                    * 0: 10. A larger one allows a higher rate where it does not matter */
} pvg_triangles_config;

/* The number of triangles by a ladder: one number, clamped to [0, C(order, 3)], whose
 * noise follows the largest number L of common neighbours any two nodes have: a median
 * error of about 0.83 L at epsilon 1. Pure epsilon edge-DP for all graphs;
 * target->noise must be 0 and delta is not used. The size of the noise is private
 * (pvg_statistic_copy_deviation refuses). O(sum of squared degrees) at worst, O(order)
 * memory per thread beside a copy of the graph. config may be NULL. Since 0.1. */
PRIVGRAPH_API int32_t pvg_statistic_new_triangles(
    pvg_statistic **out, PVG_OPT const pvg_triangles_config *config,
    const pvg_target *target);

/* --- stars -------------------------------------------------------------------------- */

typedef struct pvg_stars_config {
    uint32_t size;  /* sizeof(pvg_stars_config) */
    int32_t leaves; /* 2 or 3; 0: 2 */
    int64_t order;  /* nodes of the graph; 0: any */
    int64_t floor;  /* least degree that noise is made for, public, at least `leaves`; 0:
                     * 20. A larger one allows a higher rate where it does not matter */
} pvg_stars_config;

/* The number of stars, sum of C(degree, leaves), by a ladder: one number, whose noise
 * follows the two largest degrees: a median error of about 0.75 of what one edge between
 * them adds, at epsilon 1. As for triangles: pure epsilon edge-DP for all graphs,
 * target->noise must be 0, and the size of the noise is private. All stars at once, with
 * more noise: pvg_degrees_moments. O(order). config may be NULL. Since 0.1. */
PRIVGRAPH_API int32_t pvg_statistic_new_stars(pvg_statistic **out,
                                              PVG_OPT const pvg_stars_config *config,
                                              const pvg_target *target);

/* --- single numbers ---------------------------------------------------------------- */

/* Numbers that one edge moves by at most one, or two for the last two. */
enum pvg_scalar {
    PVG_SCALAR_EDGES = 1,
    PVG_SCALAR_COMPONENTS = 2,     /* connected components */
    PVG_SCALAR_CYCLES = 3,         /* cycle rank: edges - nodes + components */
    PVG_SCALAR_LARGEST_DEGREE = 4, /* of any node */
    PVG_SCALAR_DEGENERACY = 5,     /* largest k with a subgraph of least degree k */
    PVG_SCALAR_RADIUS = 6,         /* largest adjacency eigenvalue, within 1/64 */
    PVG_SCALAR_ISOLATED = 7,       /* nodes of degree 0 */
    PVG_SCALAR_LEAVES = 8          /* nodes of degree 1 */
};
enum { PVG_SCALARS_MAX = 16 };

typedef struct pvg_scalars_config {
    uint32_t size; /* sizeof(pvg_scalars_config) */
    int32_t reserved;
    int64_t order; /* nodes of the graph; 0: any */
    int64_t count; /* numbers asked for, in [1, PVG_SCALARS_MAX] */
} pvg_scalars_config;

/* Some of these numbers under one budget: one row. Number i gets the share weights[i] of
 * epsilon (positive; NULL: all the same) and discrete Laplace noise for it alone; pure
 * epsilon edge-DP. O(order + edges); the radius takes passes over the edges until two
 * proven bounds meet, and is for orders up to 2^24 (PVG_E_LIMIT). Since 0.1. */
PRIVGRAPH_API int32_t pvg_statistic_new_scalars(
    pvg_statistic **out, const pvg_scalars_config *config, const pvg_target *target,
    PVG_LEN(config->count) const int32_t *scalars,
    PVG_OPT PVG_LEN(config->count) const double *weights);

/* All adjacency eigenvalues, from the largest: `order` numbers whose joint L1 change is
 * 2. The error of the solver and rounding are charged; orders up to 2048 (PVG_E_LIMIT).
 * Pure epsilon edge-DP. O(order^3). Since 0.1. */
PRIVGRAPH_API int32_t pvg_statistic_new_spectrum(pvg_statistic **out, int64_t order,
                                                 const pvg_target *target);

/* --- several under one budget ------------------------------------------------------ */

/* All parts as one release: their numbers one after the other in one row, their epsilons
 * added. Parts must be pure edge-DP (PVG_E_PRIVACY) and for the same number of nodes;
 * they may be freed before the joined statistic. count in [1, 2^20]. Since 0.1. */
PRIVGRAPH_API int32_t pvg_statistic_new_joined(pvg_statistic **out,
                                               PVG_LEN(count) pvg_statistic **parts,
                                               int64_t count);

/* How many parts a joined statistic has, 0 for another one or NULL; where the numbers of
 * part i begin, and how many rows and columns it has. Outputs may be NULL. Since 0.1. */
PRIVGRAPH_API int64_t pvg_statistic_parts(const pvg_statistic *statistic);
PRIVGRAPH_API int32_t pvg_statistic_part(PVG_OPT int64_t *first, PVG_OPT int64_t *rows,
                                         PVG_OPT int64_t *columns,
                                         const pvg_statistic *statistic, int64_t part);

/* What a synthetic graph is made from. */
typedef struct pvg_synthesis_config {
    uint32_t size; /* sizeof(pvg_synthesis_config) */
    int32_t reserved;
    int64_t order;  /* nodes, >= 1 */
    int64_t blocks; /* >= 1 with blocks given; 0: one block */
    int64_t levels; /* of the degree diagrams; 0: 96 */
    int64_t floor;  /* of the ladder; 0: 4 over the epsilon of its share, rounded */
    /* shares of epsilon: diagrams, counts between blocks, triangles. All 0: the defaults,
     * 0.45, 0.15, 0.3 and the one below 0.1; else each positive with sum at most 1 */
    double degrees_share, between_share, triangles_share;
    /* which degrees meet at edges, for the assortativity; 0 with other shares: not asked
     * for, then it is as the wiring has it */
    double assortativity_share;
} pvg_synthesis_config;

/* Degree diagrams of every block (all ranks), edges between blocks, triangles and a sum
 * over edges of products of both degrees, joined: what pvg_synthesis_draw (derive.h)
 * makes a graph from. blocks: of each node, in [0, config->blocks), public or released
 * before; NULL: all in one. Pure epsilon edge-DP. Since 0.1. */
PRIVGRAPH_API int32_t pvg_statistic_new_synthesis(pvg_statistic **out,
                                                  const pvg_synthesis_config *config,
                                                  const pvg_target *target,
                                                  PVG_OPT PVG_LEN(config->order)
                                                      const int32_t *blocks);

#ifdef __cplusplus
}
#endif

#endif
