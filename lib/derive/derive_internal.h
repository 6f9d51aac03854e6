/* derive, inside: what follows from released numbers, without any private ones. */
#ifndef PVGI_DERIVE_H
#define PVGI_DERIVE_H

#include "base/base_internal.h"
#include "graph/graph_internal.h"
#include "pattern/pattern_internal.h"
#include "privgraph/derive.h"
#include "query/query_internal.h"
#include "rng/rng_internal.h"
#include "statistic/statistic_internal.h"

/* --- diagrams (degrees.c) --------------------------------------------------------- */

/* The nearest non-increasing sequence (least squares), in place: plateaus, each the mean
 * of what was pooled. How many; starts[0 ..]: where they begin. scratch: count weights
 * and count positions. */
int64_t pvgi_derive_falling(double *values, int64_t count, double *weights,
                            int64_t *starts);
/* Straight lines through the middles of these plateaus, flat before the first and after
 * the last, but nothing moves by more than `most`: a step that noise cannot have made is
 * one. Still non-increasing; where nothing was pooled nothing changes. */
void pvgi_derive_slope(double *values, int64_t count, const int64_t *starts,
                       int64_t blocks, double most);
/* The degrees of one group, falling: `size` numbers, not rounded, from its row of levels,
 * ranks and rest. total: what they add up to, or negative; most: no degree is larger;
 * deviation: of the noise of each number. */
int32_t pvgi_derive_fit(double *degrees, const double *row, int64_t levels, int64_t ranks,
                        int64_t size, double total, double most, double deviation);
/* Rounds falling degrees to integers with the sum `total` (or the nearest to their own,
 * if it is negative); in [0, most]. */
int32_t pvgi_derive_round(int64_t *out, const double *degrees, int64_t size,
                          int64_t total, int64_t most);
/* Makes a sequence graphical (Erdos, Gallai): lowers the largest degrees as long as there
 * are too many, and one of them if the sum is odd. Falling order in and out. */
int32_t pvgi_derive_graphical(int64_t *degrees, int64_t count);

/* --- estimates (estimate.c); out as in the header --------------------------------- */

enum { PVGI_DERIVE_MOMENTS = 64 };
int32_t pvgi_derive_sequence(int64_t *out, const pvgi_degree_shape *distributions,
                             const double *values, int64_t order);
int32_t pvgi_derive_moments(double *out, int64_t count,
                            const pvgi_degree_shape *distributions, const double *values,
                            int64_t order);
int32_t pvgi_derive_densities(double *out, const pvg_patterns *patterns,
                              const pvgi_degree_shape *distributions,
                              const double *values, int64_t order);

/* --- capped counts (capped.c) ------------------------------------------------------ */

/* There are at least so many edges, with this confidence; cap and edges as released. */
double pvgi_derive_least_edges(const pvgi_capped_shape *shape, int64_t order, double cap,
                               double edges, double confidence);
/* levels[j - 1]: estimated nodes of degree j or more, j = 1 .. *count, falling; for
 * pvgi_free. */
int32_t pvgi_derive_levels(double **out, int64_t *count, const pvgi_bands_shape *shape,
                           const double *values);
/* `order` degrees, falling. */
void pvgi_derive_level_degrees(int64_t *degrees, int64_t order, const double *levels,
                               int64_t count);
/* Sums of powers of them, as pvg_degrees_moments. */
void pvgi_derive_level_moments(double *out, int64_t count, const double *levels,
                               int64_t most, int64_t order);
/* How far their distribution is from the geometric one of the same mean: the largest
 * difference of shares. */
double pvgi_derive_geometric_distance(const double *levels, int64_t count, int64_t order);

/* --- synthetic graphs (synthesize.c, configuration.c, assortativity.c) ------------ */

/* What a graph is wired from, all of it released or public. */
typedef struct {
    int64_t order, blocks;
    const int32_t *block;    /* of each node */
    const int64_t *degrees;  /* of each node */
    const int64_t *between;  /* blocks x blocks, symmetric: edges between two blocks */
    double triangles;        /* released; negative: as they come */
    double noise;            /* its deviation, at least; 0: it is wanted as it is */
    double components;       /* released; negative: as they come */
    double components_noise; /* its deviation */
    double mixing;           /* spread of ln(degree) inside a group */
    const float *weights;    /* of each node, for products; NULL: not steered */
    double product;          /* released: sum over edges of both weights multiplied */
    pvgi_ends ends;          /* how it was made */
} pvgi_wiring;
int32_t pvgi_derive_configuration(pvg_graph **out, const pvgi_wiring *wiring,
                                  const pvgi_stream *call, pvgi_run *run);

/* statistic is one of a synthesis. */
#define PVGI_DERIVE_MIXING 0.75
int32_t pvgi_derive_synthesize(pvg_graph **out, const pvg_statistic *statistic,
                               const double *values, double mixing,
                               const pvgi_stream *call, pvgi_run *run);

/* --- smoothing (kprop.c) ----------------------------------------------------------- */

/* rows: offsets and columns are read as lists, which need not be symmetric. out may be
 * values, and is untouched on failure. */
int32_t pvgi_derive_kprop(double *out, const pvg_graph *rows, const double *values,
                          int64_t columns, int64_t rounds, pvgi_run *run);

/* --- numbers about lists (lists.c) ------------------------------------------------- */

void pvgi_derive_list_intervals(double *low, double *high, const double *values,
                                const pvg_statistic *statistic,
                                const pvgi_list_read *read, double confidence);
/* noise: deviation of each pair. */
/* out: `count` numbers; every second one of values is a count. deviation: of its
 * noise. */
int32_t pvgi_derive_list_counts(double *out, const double *values, int64_t count,
                                double deviation, double most);
int32_t pvgi_derive_list_directions(double *vectors, double *weights, int64_t *found,
                                    int64_t most, const double *values, int64_t order,
                                    double noise, pvgi_run *run);
int32_t pvgi_derive_recommend(int32_t *out, double *scores, int64_t count,
                              const double *vectors, const double *weights,
                              int64_t directions, int64_t order, const int32_t *own,
                              int64_t own_count);

#endif
