/* preview: what a budget can tell, before it is spent. Include <privgraph.h>.
 *
 * From public numbers only: noise against range of what a query (query.h) or a pipeline
 * (learn.h) would release; and what releases were worth elsewhere. */
#ifndef PRIVGRAPH_PREVIEW_H
#define PRIVGRAPH_PREVIEW_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Noise, range and verdict for each number of what is released together, in the units in
 * which it is released. Where no line is informative nothing can be seen, and the tool
 * and the Python package do not release it unless they are told to. Immutable. */
typedef struct pvg_preview pvg_preview;

enum {
    PVG_VERDICT_CONSTANT = 0,   /* the same for every graph: nothing to learn, no noise */
    PVG_VERDICT_HIDDEN = 1,     /* the noise is not below the whole public range: nothing
                                   can be learned from this number at this budget */
    PVG_VERDICT_INFORMATIVE = 2 /* the noise is below the public range */
};

typedef struct pvg_preview_line {
    uint32_t size;                     /* sizeof(pvg_preview_line) */
    PVG_ENUM(VERDICT) int32_t verdict; /* PVG_VERDICT_* */
    double range;       /* largest value over the graphs of the assumption */
    double sensitivity; /* how far one edge moves it */
    double noise;       /* standard deviation */
    double ratio;       /* range / noise; 0 for constants */
    /* The smallest epsilon, all else equal, at which the pattern is informative, from
     * above; infinite for constants. */
    double epsilon_min;
    /* The smallest number of nodes, all else equal, at which it is; 0 if none was found
     * up to 2^31 - 1. Exact up to 256 nodes, and beyond if it does not become informative
     * and hidden again within 5 percent more nodes. */
    int64_t order_min;
} pvg_preview_line;

/* NULL is fine. Since 0.1. */
PRIVGRAPH_API void pvg_preview_free(pvg_preview *preview);

/* Lines; 0 for NULL. Since 0.1. */
PRIVGRAPH_API int64_t pvg_preview_count(const pvg_preview *preview);

/* Lines with PVG_VERDICT_INFORMATIVE; 0 says that nothing can be learned at this
 * budget. 0 for NULL. Since 0.1. */
PRIVGRAPH_API int64_t pvg_preview_informative(const pvg_preview *preview);

/* Copies line number `index` into *out, whose size field the caller sets.
 * Since 0.1. */
PRIVGRAPH_API int32_t pvg_preview_copy_line(pvg_preview_line *out,
                                            const pvg_preview *preview, int64_t index);

/* What line number `index` is about: the pattern, or the name of the number. (out,
 * capacity, length) as pvg_build_info_copy. Since 0.1. */
PRIVGRAPH_API int32_t pvg_preview_copy_name(char *out, size_t capacity, size_t *length,
                                            const pvg_preview *preview, int64_t index);

/* Everything as JSON, with a plain sentence for each pattern. (out, capacity, length) as
 * pvg_build_info_copy. Since 0.1. */
PRIVGRAPH_API int32_t pvg_preview_copy_json(char *out, size_t capacity, size_t *length,
                                            const pvg_preview *preview);

/* --- advice: what releases were worth on measured sets ------------------------------ */

/* What the data are like, as far as it is public. */
typedef struct pvg_advice_config {
    uint32_t size;        /* sizeof(pvg_advice_config) */
    PVG_BOOL int32_t all; /* 1: everything that was measured; what follows but the task
                                  is not read */
    PVG_OPT const char *task; /* "classes", "degrees", "triangles", "graph", "edges",
                                  "graphs"; NULL: all of them */
    double epsilon;           /* of the budget */
    int64_t order;            /* nodes (of one graph) */
    double degree;            /* neighbours of a node, a guess; 0: 10 */
    double homophily;         /* of classes: the share of edges inside one */
    PVG_BOOL int32_t homophily_told; /* 0: not known */
    int32_t reserved;                /* 0 */
} pvg_advice_config;

/* For each task what to release, as JSON: the sets most like the data, each at its
 * largest measured epsilon not above the one given; `useful` if on all of them the
 * release gained more than chance. It hides one link. Reads no data, spends nothing.
 * (out, capacity, length) as pvg_build_info_copy. Since 0.1. */
PRIVGRAPH_API int32_t pvg_advice_copy_json(char *out, size_t capacity, size_t *length,
                                           const pvg_advice_config *config);

#ifdef __cplusplus
}
#endif

#endif
