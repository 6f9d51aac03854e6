/* What statistics are made from. name: of the function that was called, for messages. */
#ifndef PVGI_STATISTIC_MAKE_H
#define PVGI_STATISTIC_MAKE_H

#include "privgraph/graph.h"
#include "privgraph/mechanism.h"

/* --- what all statistics share --------------------------------------------------- */

/* A mechanism for numbers of a graph, all of it public. Immutable. Its target gives
 * epsilon (with delta where Gaussian noise is asked for) or a native parameter, and may
 * allow a seeded generator; PVG_NOISE_DEFAULT is LAPLACE here, target->allocation and
 * target->beta must be 0. */
typedef struct pvg_statistic pvg_statistic;

/* --- edge histograms: every pair of nodes has one public cell --------------------- */

/* Which cells an edge {u, v} counts in. */
enum {
    /* One: (group of the receiver, kind of the sender). Whoever has the higher priority
     * sends; equal ones: the node with the lower number. groups x kinds numbers. */
    PVG_HISTOGRAM_RECEIVED = 0,
    /* One: the unordered pair of the kinds of u and v. kinds x kinds numbers, of which
     * (a, b) and (b, a) are the same one. No priorities, no groups. */
    PVG_HISTOGRAM_BETWEEN = 1,
    /* Two: each end receives from the other, as in message passing; noise is made for 2.
     * No priorities. */
    PVG_HISTOGRAM_BOTH_WAYS = 2
};

typedef struct pvg_histogram_config {
    uint32_t size;  /* sizeof(pvg_histogram_config) */
    int32_t cells;  /* PVG_TALLIES_* */
    int64_t order;  /* nodes of the graph, >= 1 */
    int64_t kinds;  /* >= 1 */
    int64_t groups; /* >= 1; 0: each node is its own group */
    double grid;    /* with weights: a power of two; 0: 2^-10 */
} pvg_histogram_config;

/* Arrays of edge histograms, each public: known without the edges, or released before and
 * paid for. Copied. A priority, kind or weight that was computed from degrees or any
 * other private number breaks the guarantee. */
typedef struct pvg_histogram_nodes {
    uint32_t size; /* sizeof(pvg_histogram_nodes) */
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
} pvg_histogram_nodes;

/* Counts edges by public cells: pure epsilon edge-DP with LAPLACE, however many cells. A
 * count in its cell moves by one if an edge is toggled, and no other count does. If each
 * node is its own group, the row of a node is also what that node could report by itself
 * from its own list (edge-LDP), and for RECEIVED one edge moves one report only
 * (relationship-DP with the same epsilon). GAUSSIAN and DISCRETE_GAUSSIAN use the L2
 * change. At most 2^31 - 1 cells in all. O(order log order) here, O(order + edges +
 * cells) to draw. nodes may be NULL. */
int32_t pvgi_statistic_new_histogram(pvg_statistic **out, const char *name,
                                     const pvg_histogram_config *config,
                                     const pvg_target *target,
                                     const pvg_histogram_nodes *nodes);

/* --- degree distributions: levels and ranks --------------------------------------- */

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
 * of that order are 0. pvg_estimate_sequence, _moments and _densities (derive.h) fit to
 * what is released. */
int32_t pvgi_statistic_new_degrees(pvg_statistic **out, const char *name,
                                   const pvg_degrees_config *config,
                                   const pvg_target *target, const int32_t *groups);

/* --- triangles --------------------------------------------------------------------- */

typedef struct pvg_triangles_config {
    uint32_t size; /* sizeof(pvg_triangles_config) */
    int32_t reserved;
    int64_t order; /* nodes of the graph; 0: any */
    int64_t floor; /* least number of common neighbours that noise is made for, public:
                    * 0: 10. A larger one allows a higher rate where it does not matter */
    /* share of epsilon, in [0, 1), for a second number, L with discrete Laplace noise:
     * with it pvg_release_interval knows error bars. 0: none */
    double bound_share;
} pvg_triangles_config;

/* The number of triangles by a ladder: one number, clamped to [0, C(order, 3)], whose
 * noise follows the largest number L of common neighbours any two nodes have: a median
 * error of about 0.83 L at epsilon 1. Pure epsilon edge-DP for all graphs;
 * target->noise must be 0 and delta is not used. The size of the noise is private
 * (the kind has no deviation). O(sum of squared degrees) at worst, O(order)
 * memory per thread beside a copy of the graph. config may be NULL. */
int32_t pvgi_statistic_new_triangles(pvg_statistic **out, const char *name,
                                     const pvg_triangles_config *config,
                                     const pvg_target *target);

/* --- stars -------------------------------------------------------------------------- */

typedef struct pvg_stars_config {
    uint32_t size;  /* sizeof(pvg_stars_config) */
    int32_t leaves; /* 2 or 3; 0: 2 */
    int64_t order;  /* nodes of the graph; 0: any */
    int64_t floor;  /* least degree that noise is made for, public, at least `leaves`; 0:
                     * 20. A larger one allows a higher rate where it does not matter */
    double bound_share; /* as for triangles: of the largest degree */
} pvg_stars_config;

/* The number of stars, sum of C(degree, leaves), by a ladder: one number, whose noise
 * follows the two largest degrees: a median error of about 0.75 of what one edge between
 * them adds, at epsilon 1. As for triangles: pure epsilon edge-DP for all graphs,
 * target->noise must be 0, and the size of the noise is private. All stars at once, with
 * more noise: pvg_estimate_moments. O(order). config may be NULL. */
int32_t pvgi_statistic_new_stars(pvg_statistic **out, const char *name,
                                 const pvg_stars_config *config,
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
 * proven bounds meet, and is for orders up to 2^24 (PVG_E_LIMIT). */
int32_t pvgi_statistic_new_scalars(pvg_statistic **out, const char *name,
                                   const pvg_scalars_config *config,
                                   const pvg_target *target, const int32_t *scalars,
                                   const double *weights);

/* All adjacency eigenvalues, from the largest: `order` numbers whose joint L1 change is
 * 2. The error of the solver and rounding are charged; orders up to 2048 (PVG_E_LIMIT).
 * Pure epsilon edge-DP. O(order^3). */
int32_t pvgi_statistic_new_spectrum(pvg_statistic **out, const char *name, int64_t order,
                                    const pvg_target *target);

/* --- several under one budget ------------------------------------------------------ */

/* All parts as one release: their numbers one after the other in one row, their epsilons
 * added. Parts must be pure edge-DP (PVG_E_PRIVACY) and for the same number of nodes;
 * they may be freed before the joined statistic. count in [1, 2^20]. */
int32_t pvgi_statistic_new_joined(pvg_statistic **out, const char *name,
                                  pvg_statistic **parts, int64_t count);

/* What a synthetic graph is made from. */
typedef struct pvg_synthesis_config {
    uint32_t size; /* sizeof(pvg_synthesis_config) */
    int32_t reserved;
    int64_t order;  /* nodes, >= 1 */
    int64_t blocks; /* >= 1 with blocks given; 0: one block */
    int64_t levels; /* of the degree distributions; 0: 96 */
    int64_t floor;  /* of the ladder; 0: 4 over the epsilon of its share, rounded */
    /* shares of epsilon: diagrams, counts between blocks, triangles. 0: with several
     * blocks 0.45, 0.15, 0.3; with one block 0.29, 0.08, 0.5. If all are 0, the one below
     * is 0.05, and with one block shares follow from released degrees (synthesis.c).
     * Their sum is at most 1 */
    double degrees_share, between_share, triangles_share;
    /* which degrees meet at edges, for the assortativity; 0 with other shares: not asked
     * for, then it is as the wiring has it */
    double assortativity_share;
    /* if positive, components are asked for with this share, and edges have the two
     * shares between_share and spare_share, triangles what is left of the sum of
     * between_share and triangles_share, as released degrees ask for it */
    double components_share, spare_share;
} pvg_synthesis_config;

/* Degree distributions of every block (all ranks), edges between blocks, triangles and a
 * sum over edges of products of both degrees, joined: what pvg_synthesis_draw (derive.h)
 * makes a graph from. blocks: of each node, in [0, config->blocks), public or released
 * before; NULL: all in one. Pure epsilon edge-DP. */
int32_t pvgi_statistic_new_synthesis(pvg_statistic **out, const char *name,
                                     const pvg_synthesis_config *config,
                                     const pvg_target *target, const int32_t *blocks);

#endif
