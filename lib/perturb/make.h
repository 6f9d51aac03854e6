/* What perturbers are made from. name: of the function that was called, for messages. */
#ifndef PVGI_PERTURB_MAKE_H
#define PVGI_PERTURB_MAKE_H

#include "privgraph/graph.h"
#include "privgraph/mechanism.h"

/* --- what all perturbers share --------------------------------------------------- */

/* A mechanism for graphs, features or labels, all of it public. Immutable. Its target
 * gives epsilon (with delta where Gaussian noise is asked for) or a native parameter, and
 * may allow a seeded generator; target->allocation and target->beta must be 0. */
typedef struct pvg_perturber pvg_perturber;

/* What a perturber takes. */
enum { PVG_PERTURBS_GRAPH = 1, PVG_PERTURBS_FEATURES = 2, PVG_PERTURBS_LABELS = 3 };

/* --- features -------------------------------------------------------------------- */

/* How the features of a user are hidden. x' is unbiased in all of them: its mean is x.
 * With r the length of a column's range and m of d columns reported:
 *   bits   variance of x' = (d/m) (r/2 (E+1)/(E-1))^2 - (x - middle)^2, E = e^(epsilon/m)
 *   noise  Laplace of scale r d / epsilon, or Gaussian of deviation r sqrt(d) / mu */
enum {
    /* m of the d columns, drawn anew for each user, are reported by one random bit each,
     * the others as the middle of their range. Pure epsilon. */
    PVG_FEATURES_MULTIBIT = 0,
    PVG_FEATURES_ONE_BIT = 1, /* the same with m = d */
    PVG_FEATURES_NOISE = 2    /* target->noise: any law but the smooth ones */
};

typedef struct pvg_features_config {
    uint32_t size;   /* sizeof(pvg_features_config) */
    int32_t method;  /* PVG_FEATURES_* */
    int64_t columns; /* d >= 1 */
    int64_t ranges; /* entries of low and high: 1 (the same for all columns) or columns */
    int64_t sampled; /* MULTIBIT: m; 0: the one with the least variance, which is in
                      * [1, d] and next to epsilon / 2.18 */
    /* 0: a value outside its range counts as the nearest end. 1: it is refused
     * (PVG_E_ARGUMENT) before anything is paid. That tells for free, and exactly, that
     * there is one and where: a leak that no record counts. Only for data holders that
     * show failures to nobody from whom features are hidden */
    int32_t refuse;
    /* bits: 1: release the non-zero differences to the middle of the range, m for each
     * user (pvg_release_view_features), instead of rows x columns numbers */
    int32_t sparse;
} pvg_features_config;

/* Hides all features of each user (PVG_NOTION_FEATURE_LDP). low[i] < high[i]: the public
 * range of column i; a range read off the data breaks the guarantee. pvg_release_view
 * lends the outcome. epsilon / m must be at least 2^-20 for bits, and variances finite
 * (PVG_E_LIMIT). O(rows columns), sparse
 * O(rows (m + columns / 64) + entries). */
int32_t pvgi_perturb_new_features(pvg_perturber **out, const char *name,
                                  const pvg_features_config *config,
                                  const pvg_target *target, const double *low,
                                  const double *high);

/* --- neighbour lists ------------------------------------------------------------- */

/* Reports of users about their own lists. "Owned": an edge belongs to its end with the
 * lower number, and is in that user's list only. */

/* Which reports DPRR collects, and what they tell about an edge if eps1 is spent on a
 * degree and eps2 on the entries of a list. */
enum {
    PVG_DPRR_REPORTS_OWNED = 0, /* owned lists: edge-DP, eps1 + eps2. A graph comes out */
    PVG_DPRR_REPORTS_HALF = 1,  /* owned lists, degrees of whole lists: relationship DP,
                            * 2 eps1 + eps2. A graph comes out */
    PVG_DPRR_REPORTS_PUBLISHED =
        2 /* whole lists: relationship DP, 2 (eps1 + eps2). Directed
                            * lists come out */
};

/* How eps1 is chosen. */
enum {
    PVG_DPRR_SPLIT_SHARE = 0,   /* degree_share of eps1 + eps2 */
    PVG_DPRR_SPLIT_BALANCED = 1 /* sqrt(8 / (nodes - 1)), where the variance of the noise
                                 * on a degree is that of randomised response at its
                                 * worst; at most as much as the entries get */
};

typedef struct pvg_dprr_config {
    uint32_t size;   /* sizeof(pvg_dprr_config) */
    int32_t reports; /* PVG_DPRR_REPORTS_* */
    int32_t split;   /* PVG_DPRR_SPLIT_* */
    int32_t reserved;
    double degree_share; /* in (0, 1); 0: 0.1, as published */
    int64_t edge_limit;  /* PVG_E_LIMIT if more entries are expected: before paying if
                           * noise alone makes them, which follows from public numbers,
                           * else after, from noisy degrees. 0: 2^28 */
} pvg_dprr_config;

/* DPRR: randomised response on every entry of a list, then the ones are thinned so that
 * the expected length is a noisy degree, or 0 if that is negative. So noise makes lists
 * longer, an empty one by about 1 / (2 eps1): the result is as sparse as the graph only
 * where eps1 times the mean degree is above 1. target->epsilon is that of the notion
 * reported, all reports together; the published algorithm at its own epsilon is
 * PVG_DPRR_REPORTS_PUBLISHED at twice that. config may be NULL. The graph needs 2 nodes.
 * Drawing takes O(nodes + edges + output). */
int32_t pvgi_perturb_new_dprr(pvg_perturber **out, const char *name,
                              const pvg_dprr_config *config, const pvg_target *target);

/* Which lists are perturbed. Their lengths are public and are released as they are. */
enum {
    /* An edge is in the list of its end with the lower number only, whose candidates are
     * the nodes with higher numbers. Hidden is which candidate an entry names
     * (PVG_NOTION_EDGE_SET_LDP), as long as nodes keep their numbers in all releases of
     * one object. Not hidden is how many a user has: an edge that is added, removed or
     * moved to a node below its owner changes released lengths. The last users have
     * few candidates, the last but one a single one, so that its length is an edge. */
    PVG_LISTS_OWNED = 0,
    /* Every edge in the lists of both ends; degrees are released. Hidden is which ends
     * two edges join, {a,b},{c,d} or {a,d},{c,b} (PVG_NOTION_SWITCH). That replaces an
     * entry in four lists, so each gets a quarter of target->epsilon, which the record
     * tells besides (edge-set LDP of one user's report). */
    PVG_LISTS_WHOLE = 1
};

typedef struct pvg_lists_config {
    uint32_t size; /* sizeof(pvg_lists_config) */
    int32_t lists; /* PVG_LISTS_* */
} pvg_lists_config;

/* Edge-set LDP, the best of its kind: a list of d becomes a set of d candidates (those
 * the user may own, or all other nodes) with probability proportional to e^(epsilon k), k
 * the number of entries that stay and epsilon that of a list. Exactly the target. Lists
 * come out, without repeats. At most 2^21 entries in a list (PVG_E_LIMIT). config may be
 * NULL. */
int32_t pvgi_perturb_new_subset(pvg_perturber **out, const char *name,
                                const pvg_lists_config *config, const pvg_target *target);

/* How an entry is replaced, each for itself: chances Q(s | u) for node s in place of u.
 */
enum {
    PVG_SLOTS_KERNEL_UNIFORM = 0,   /* k-ary response over all nodes */
    PVG_SLOTS_KERNEL_BLOCKS = 1,    /* first the block, then the node in it */
    PVG_SLOTS_KERNEL_SIMILARITY = 2 /* proportional to exp(eta similarity(u, s)) */
};

/* What happens to a user's own number and to repeats in the outcome. */
enum {
    PVG_SLOTS_REPEATS_KEEP = 0,  /* nothing */
    PVG_SLOTS_REPEATS_DROP = 1,  /* left out: lists get shorter */
    PVG_SLOTS_REPEATS_REDRAW = 2 /* replaced by uniform nodes that are not in the list */
};

typedef struct pvg_slots_config {
    uint32_t size;   /* sizeof(pvg_slots_config) */
    int32_t lists;   /* PVG_LISTS_* */
    int32_t kernel;  /* PVG_SLOTS_KERNEL_* */
    int32_t repeats; /* PVG_SLOTS_REPEATS_* */
    int64_t order;   /* nodes of the graph: >= 2 */
    /* BLOCKS: epsilon of k-ary response inside a block that stays, >= 0 and below that of
     * a list; 0: any node of the block. The chance to leave is the least allowed. */
    double node_epsilon;
    /* BLOCKS: 1: whoever leaves draws among all nodes outside; 0: draws a block, then a
     * node */
    int32_t by_size;
    int32_t reserved;
} pvg_slots_config;

enum { PVG_SIMILARITY_ORDER_MAX = 4096 };

/* Edge-set LDP entry by entry; the outcome is a sorted multiset for each list, so that
 * nobody can tell which entry became which. What a list spends is the certificate
 * max_s ln(max_u Q(s|u) / min_u Q(s|u)), computed from the integers the draws compare
 * with; chances are chosen so that it is the epsilon of a list or a little less.
 *
 * blocks: for BLOCKS the block of each node, >= 0 (NULL otherwise). similarities: for
 * SIMILARITY order x order numbers in [0, 1] row by row, at most
 * PVG_SIMILARITY_ORDER_MAX nodes (NULL otherwise); O(order^2) memory and 45 order^2
 * exponentials. Both must be public, or made from something released and charged for:
 * from perturbed features or labels, or from a graph released before (then both releases
 * add up, edge-DP counting twice for owned lists and four times for whole ones).
 * PVG_E_PRIVACY if node_epsilon leaves no way to meet the target. */
int32_t pvgi_perturb_new_slots(pvg_perturber **out, const char *name,
                               const pvg_slots_config *config, const pvg_target *target,
                               const int32_t *blocks, const double *similarities);

/* Which reports Blink collects; every degree counts the whole list. */
enum {
    PVG_BLINK_OWNED = 0,    /* one answer about each pair: 2 eps1 + eps2 */
    PVG_BLINK_PUBLISHED = 1 /* one of each end: 2 (eps1 + eps2) */
};

typedef struct pvg_blink_config {
    uint32_t size;       /* sizeof(pvg_blink_config) */
    int32_t reports;     /* PVG_BLINK_* */
    double degree_share; /* eps1 in eps1 + eps2, in (0, 1); 0: 0.1 */
    int64_t edge_limit;  /* PVG_E_LIMIT, after paying, if noisy degrees let more edges be
                          * expected, as they do at small epsilon; 0: 2^28 */
} pvg_blink_config;

/* Blink (hard): randomised response with eps2 about each pair, degrees with noise of
 * eps1, from which a prior is made (the beta model); the graph of pairs that are likelier
 * edges than not comes out. target->epsilon is that of relationship DP, all reports
 * together. config may be NULL; the graph needs 3 nodes. O(nodes log nodes + edges log
 * nodes + output + 200 D^2), D the number of distinct noisy degrees: reports that decide
 * nothing are never drawn. */
int32_t pvgi_perturb_new_blink(pvg_perturber **out, const char *name,
                               const pvg_blink_config *config, const pvg_target *target);

/* --- as published, for comparison ------------------------------------------------- */

enum { PVG_GP_STRATEGY_MOST_SIMILAR = 0, PVG_GP_STRATEGY_THRESHOLD = 1 }; /* GP-m, GP-t */
enum {
    PVG_GP_SIMILARITY_COSINE = 0,
    PVG_GP_SIMILARITY_EUCLIDEAN = 1
}; /* EUCLIDEAN: 1/(1 + distance) */

typedef struct pvg_graphprivatizer_config {
    uint32_t size;      /* sizeof(pvg_graphprivatizer_config) */
    int32_t strategy;   /* PVG_GP_STRATEGY_* */
    int32_t similarity; /* PVG_GP_SIMILARITY_* */
    int32_t reserved;
    double alpha;     /* share of the mean of the neighbours' features, in [0, 1] */
    double threshold; /* delta: least similarity of a candidate, in [-1, 1] */
} pvg_graphprivatizer_config;

/* GraphPrivatizer, the paper's version: entry u of a list becomes u or a similar
 * neighbour of u by randomised response with target->epsilon; sets come out. Its proof
 * fails: what can come out depends on the list, so the guarantee says that epsilon is
 * infinite and why (docs/guarantees.md, L3). features: perturbed ones, a row for each
 * node; copied. config may be NULL. O(edges columns). */
int32_t pvgi_perturb_new_graphprivatizer(pvg_perturber **out, const char *name,
                                         const pvg_graphprivatizer_config *config,
                                         const pvg_target *target,
                                         const pvg_features *features);

/* --- edges: every pair answers ------------------------------------------------------ */

/* Settings of randomised response on pairs. */
typedef struct pvg_response_config {
    uint32_t size; /* sizeof(pvg_response_config) */
    int32_t reserved;
    /* Chance that an edge stays, in (0, e^epsilon / (1 + e^epsilon)]; a pair without an
     * edge then gets one with chance keep e^-epsilon. 0: the largest, where both kinds of
     * pairs are flipped with the same chance 1 / (1 + e^epsilon). A smaller one gives a
     * sparser graph with the same share of true edges. Larger: PVG_E_PRIVACY. */
    double keep;
    /* Most edges that noise may add: a release is refused (PVG_E_LIMIT) before anything
     * is paid if their number, predicted from the order and epsilon, could be larger but
     * with probability 2^-64. Edges that stay come on top. 0: 2^28. */
    int64_t edge_limit;
} pvg_response_config;

/* Randomised response on every pair of nodes of a graph; a graph comes out. Pure epsilon
 * for one edge (PVG_NOTION_EDGE). config may be NULL. Time O(order + edges + added
 * edges), memory that of the result and half of it again; the scratch limit of a run is
 * compared with what the added edges need, from public numbers as above. */
int32_t pvgi_perturb_new_response(pvg_perturber **out, const char *name,
                                  const pvg_response_config *config,
                                  const pvg_target *target);

/* Settings of LapGraph. */
typedef struct pvg_lapgraph_config {
    uint32_t size; /* sizeof(pvg_lapgraph_config) */
    int32_t reserved;
    double count_share; /* of epsilon, for the number of edges; in (0, 1). 0: 0.01 */
    int64_t edge_limit; /* as in pvg_response_config: most edges beyond those there are */
} pvg_lapgraph_config;

/* LapGraph: the number of edges with discrete Laplace noise, T, and the T pairs whose bit
 * with discrete Laplace noise is largest, ties at random. As many edges as before, more
 * or less, whatever epsilon; at small epsilon hardly one of them is true. No noise on
 * pairs with the same epsilon leaves more true edges among T. Pure epsilon for one edge
 * (PVG_NOTION_EDGE), by a curator. config may be NULL; epsilon and its shares must be
 * 2^-40 or more. Expected time O(order + edges + T), at most a logarithm more; memory
 * follows the result. */
int32_t pvgi_perturb_new_lapgraph(pvg_perturber **out, const char *name,
                                  const pvg_lapgraph_config *config,
                                  const pvg_target *target);

/* --- labels ---------------------------------------------------------------------- */

typedef struct pvg_labels_config {
    uint32_t size;   /* sizeof(pvg_labels_config) */
    int32_t refuse;  /* 0: a label that is not below `classes` counts as the last class.
                      * 1: it is refused, as in pvg_features_config, which tells for free
                      * that there is one */
    int64_t classes; /* >= 2; public */
} pvg_labels_config;

/* k-ary randomised response on labels 0..classes-1: a label is kept with probability
 * e^epsilon / (e^epsilon + classes - 1), else another one is drawn uniformly. A label of
 * -1 stays -1: who has a label is public. Pure epsilon. */
int32_t pvgi_perturb_new_labels(pvg_perturber **out, const char *name,
                                const pvg_labels_config *config,
                                const pvg_target *target);

/* --- after the release ----------------------------------------------------------- */

#endif
