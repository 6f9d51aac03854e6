/* tradeoff: what a budget can tell, before it is spent. Include <privgraph.h>.
 *
 * The more graphs a class of patterns can tell apart, the more edges its patterns have
 * and the more noise their densities need. This room computes both sides from public
 * numbers only: the patterns, the number of nodes, a degree bound and a budget. */
#ifndef PRIVGRAPH_TRADEOFF_H
#define PRIVGRAPH_TRADEOFF_H

#include "base.h"
#include "mechanism.h"
#include "pattern.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- classes: expressive power against edges ------------------------------------ */

/* The table of the homomorphism-density paper (its Table 1), by PVG_CLASS_*, extended by
 * cycles and by all graphs: the graph neural networks that tell apart what the densities
 * of the class tell apart, and the largest number of edges of its patterns with m
 * vertices as a formula in m and the parameter k. NULL if there is no such class. Since
 * 0.1. */
PRIVGRAPH_API const char *pvg_tradeoff_network(PVG_ENUM(CLASS) int32_t pattern_class);
PRIVGRAPH_API const char *pvg_tradeoff_formula(PVG_ENUM(CLASS) int32_t pattern_class);

/* The largest number of edges of a pattern of the class with `order` vertices. Exact,
 * also where the formula of the table is not meant to hold: few vertices, and the bound
 * of FAN_CACTUS. parameter: as for pvg_patterns_in_class. PVG_E_ARGUMENT where there is
 * no such pattern (a cycle of fewer than 3 vertices). Since 0.1. */
PRIVGRAPH_API int32_t pvg_tradeoff_max_edges(int64_t *out,
                                             PVG_ENUM(CLASS) int32_t pattern_class,
                                             int32_t parameter, int64_t order);

/* New list of patterns of the class with `order` vertices and that many edges, one each;
 * path and star for trees. Good candidates for the costliest of the class. Since 0.1. */
PRIVGRAPH_API int32_t pvg_tradeoff_patterns(pvg_patterns **out,
                                            PVG_ENUM(CLASS) int32_t pattern_class,
                                            int32_t parameter, int64_t order);

/* --- patterns: noise against range ---------------------------------------------- */

/* Noise, range and verdict for each number of what is released together, in the units in
 * which it is released: what pvg_embedder_tradeoff and pvg_propagator_tradeoff
 * (release.h), pvg_statistic_tradeoff (statistic.h) and pvg_perturber_tradeoff
 * (perturb.h) tell. Where no line is informative nothing can be seen, and the tool and
 * the Python package do not release it unless they are told to. Immutable. */
typedef struct pvg_tradeoff pvg_tradeoff;

enum {
    PVG_VERDICT_CONSTANT = 0,   /* the same for every graph: nothing to learn, no noise */
    PVG_VERDICT_HIDDEN = 1,     /* the noise is not below the whole public range: nothing
                                   can be learned from this number at this budget */
    PVG_VERDICT_INFORMATIVE = 2 /* the noise is below the public range */
};

typedef struct pvg_tradeoff_line {
    uint32_t size;                     /* sizeof(pvg_tradeoff_line) */
    PVG_ENUM(VERDICT) int32_t verdict; /* PVG_VERDICT_* */
    double range;                      /* largest value over the graphs of the premise */
    double sensitivity;                /* how far one edge moves it */
    double noise;                      /* standard deviation */
    double ratio;                      /* range / noise; 0 for constants */
    /* The smallest epsilon, all else equal, at which the pattern is informative, from
     * above; infinite for constants. */
    double epsilon_min;
    /* The smallest number of nodes, all else equal, at which it is; 0 if none was found
     * up to 2^31 - 1. Exact up to 256 nodes, and beyond if it does not become informative
     * and hidden again within 5 percent more nodes. */
    int64_t order_min;
} pvg_tradeoff_line;

/* NULL is fine. Since 0.1. */
PRIVGRAPH_API void pvg_tradeoff_free(pvg_tradeoff *tradeoff);

/* Lines; 0 for NULL. Since 0.1. */
PRIVGRAPH_API int64_t pvg_tradeoff_count(const pvg_tradeoff *tradeoff);

/* Lines with PVG_VERDICT_INFORMATIVE; 0 says that nothing can be learned at this
 * budget. 0 for NULL. Since 0.1. */
PRIVGRAPH_API int64_t pvg_tradeoff_informative(const pvg_tradeoff *tradeoff);

/* Copies line number `index` into *out, whose size field the caller sets.
 * Since 0.1. */
PRIVGRAPH_API int32_t pvg_tradeoff_copy_line(pvg_tradeoff_line *out,
                                             const pvg_tradeoff *tradeoff, int64_t index);

/* What line number `index` is about: the pattern, or the name of the number. (out,
 * capacity, length) as pvg_build_info_copy. Since 0.1. */
PRIVGRAPH_API int32_t pvg_tradeoff_copy_name(char *out, size_t capacity, size_t *length,
                                             const pvg_tradeoff *tradeoff, int64_t index);

/* Everything as JSON, with a plain sentence for each pattern. (out, capacity, length) as
 * pvg_build_info_copy. Since 0.1. */
PRIVGRAPH_API int32_t pvg_tradeoff_copy_json(char *out, size_t capacity, size_t *length,
                                             const pvg_tradeoff *tradeoff);

#ifdef __cplusplus
}
#endif

#endif
