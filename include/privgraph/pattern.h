/* pattern: small public graphs to be counted in private ones, and samplers of them.
 * Include <privgraph.h>.
 *
 * Patterns are public: they are chosen before the data is looked at, and everything in
 * this module depends on them, on public limits and on random bits only. A seeded
 * generator is fine here. docs/guide/patterns.md helps to choose a class. */
#ifndef PRIVGRAPH_PATTERN_H
#define PRIVGRAPH_PATTERN_H

#include "base.h"
#include "rng.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An ordered list of patterns: undirected simple graphs with vertices 0..order-1.
 * Building a list computes, for each pattern, its components, its exact treewidth with an
 * elimination order that attains it (checked by a second method), and its canonical form.
 * Isolated vertices are allowed, patterns without vertices are not. Immutable. */
typedef struct pvg_patterns pvg_patterns;

/* What a pattern may be; beyond it PVG_E_LIMIT names the pattern. */
enum {
    PVG_PATTERN_ORDER_MAX = 32,      /* vertices, if the treewidth is at most 2 */
    PVG_PATTERN_ORDER_MAX_WIDE = 20, /* vertices, if the treewidth is 3 or more */
    PVG_PATTERN_WIDTH_MAX = 6,       /* treewidth */
    PVG_PATTERN_COUNT_MAX = 1048576  /* patterns in a list */
};

/* --- making lists --------------------------------------------------------------- */

/* From edges. Pattern i has orders[i] vertices and the next sizes[i] pairs of (sources,
 * targets), numbered within the pattern. Loops and repeated edges are refused; the
 * message names pattern and position. count may be 0. Since 0.1. */
PRIVGRAPH_API int32_t
pvg_patterns_from_edges(pvg_patterns **out, PVG_LEN(count) const int64_t *orders,
                        PVG_LEN(count) const int64_t *sizes, int64_t count,
                        PVG_LEN("the sum of sizes") const int64_t *sources,
                        PVG_LEN("the sum of sizes") const int64_t *targets);

/* From graph6 text of `bytes` bytes: one pattern per line, optional ">>graph6<<" at the
 * start, empty lines skipped, LF or CRLF. PVG_E_FORMAT names line and reason. Since 0.1.
 */
PRIVGRAPH_API int32_t pvg_patterns_from_graph6(pvg_patterns **out,
                                               PVG_LEN(bytes) const char *text,
                                               size_t bytes);

/* From names separated by commas, blanks ignored: "path3,cycle4,star5". K is a number:
 *   vertex, edge, triangle; emptyK: K isolated vertices, K >= 1
 *   pathK, cycleK  K vertices in a row, K >= 1, or in a ring, K >= 3
 *   cliqueK   K vertices, all joined, 1 <= K <= 7
 *   starK     a centre (vertex 0) and K leaves: K + 1 vertices, K >= 1
 *   wheelK    a centre and a ring of K vertices, K >= 3
 *   bicliqueKxL  two independent sides of K and L vertices, fully joined
 *   gridKxL   K rows of L vertices, each joined to the next in its row and column
 *   cubeK     the corners of a K-dimensional cube: 2^K vertices, 1 <= K <= 4
 * PVG_E_FORMAT names the item that is no pattern. Since 0.1. */
PRIVGRAPH_API int32_t pvg_patterns_from_names(pvg_patterns **out, const char *names);

/* The patterns of first, then those of second. Since 0.1. */
PRIVGRAPH_API int32_t pvg_patterns_concat(pvg_patterns **out, const pvg_patterns *first,
                                          const pvg_patterns *second);

/* The patterns with these indices, in this order; repeats are allowed. Since 0.1. */
PRIVGRAPH_API int32_t pvg_patterns_select(pvg_patterns **out,
                                          const pvg_patterns *patterns,
                                          PVG_LEN(count) const int64_t *indices,
                                          int64_t count);

/* One of every set of isomorphic patterns, the first, in order; its multiplicity is the
 * sum of theirs. group, if not NULL, receives for each pattern of the input its index in
 * the result (count entries). Releasing the merged list spends no budget twice on the
 * same number. Since 0.1. */
PRIVGRAPH_API int32_t pvg_patterns_merge(pvg_patterns **out,
                                         PVG_OPT PVG_LEN(count) int64_t *group,
                                         const pvg_patterns *patterns);

/* NULL is fine. Since 0.1. */
PRIVGRAPH_API void pvg_patterns_free(pvg_patterns *patterns);

/* --- looking at patterns -------------------------------------------------------- */

/* Patterns in the list; 0 for NULL. Since 0.1. */
PRIVGRAPH_API int64_t pvg_patterns_count(const pvg_patterns *patterns);

/* Of pattern number `index`: vertices, edges, connected components, isolated vertices,
 * treewidth, multiplicity (1 unless merged). -1 if there is no such pattern. Since 0.1.
 */
PRIVGRAPH_API int64_t pvg_patterns_order(const pvg_patterns *patterns, int64_t index);
PRIVGRAPH_API int64_t pvg_patterns_size(const pvg_patterns *patterns, int64_t index);
PRIVGRAPH_API int64_t pvg_patterns_components(const pvg_patterns *patterns,
                                              int64_t index);
PRIVGRAPH_API int64_t pvg_patterns_isolated(const pvg_patterns *patterns, int64_t index);
PRIVGRAPH_API int64_t pvg_patterns_width(const pvg_patterns *patterns, int64_t index);
PRIVGRAPH_API int64_t pvg_patterns_multiplicity(const pvg_patterns *patterns,
                                                int64_t index);

/* What a pattern is; combined with |. Small graphs are several things: a triangle is a
 * cycle, a clique and a k-tree; an edge is a path, a star and a clique. */
enum {
    PVG_KIND_CONNECTED = 1,
    PVG_KIND_FOREST = 2,
    PVG_KIND_TREE = 4,   /* a connected forest; the vertex is one */
    PVG_KIND_PATH = 8,   /* pathK, K >= 1 */
    PVG_KIND_STAR = 16,  /* starK, K >= 1 */
    PVG_KIND_CYCLE = 32, /* cycleK, K >= 3 */
    PVG_KIND_CLIQUE = 64,
    PVG_KIND_KTREE = 128 /* connected and edge-maximal for its treewidth */
};

/* PVG_KIND_* of a pattern; 0 if there is no such pattern. Since 0.1. */
PRIVGRAPH_API PVG_FLAGS(KIND) uint32_t
    pvg_patterns_kinds(const pvg_patterns *patterns, int64_t index);

/* Lends the edges of a pattern: `size` pairs with source < target, ascending. Since 0.1.
 */
PRIVGRAPH_API int32_t pvg_patterns_view_edges(PVG_LEN(size) const int32_t **sources,
                                              PVG_LEN(size) const int32_t **targets,
                                              const pvg_patterns *patterns,
                                              int64_t index);

/* Lends the component number of every vertex (`order` entries; components are numbered by
 * their smallest vertex). Since 0.1. */
PRIVGRAPH_API int32_t pvg_patterns_view_components(PVG_LEN(order)
                                                       const int32_t **components,
                                                   const pvg_patterns *patterns,
                                                   int64_t index);

/* Lends an elimination order of a pattern (`order` vertices, component by component):
 * each vertex, when it is removed and its remaining neighbours are joined, has at most
 * `width` of them, and one has exactly that many. With each vertex, those neighbours form
 * a bag of a tree decomposition. Since 0.1. */
PRIVGRAPH_API int32_t pvg_patterns_view_elimination(PVG_LEN(order)
                                                        const int32_t **elimination,
                                                    const pvg_patterns *patterns,
                                                    int64_t index);

/* Width of any elimination order of a pattern; -1 if `elimination` is not a permutation
 * of its vertices or there is no such pattern. The independent check. Since 0.1. */
PRIVGRAPH_API int64_t pvg_patterns_elimination_width(const pvg_patterns *patterns,
                                                     int64_t index,
                                                     PVG_LEN(order)
                                                         const int32_t *elimination);

/* A number that is equal for isomorphic patterns, and for others but with probability
 * about 2^-64; the same on every machine with the same library version. 0 if there is no
 * such pattern. Since 0.1. */
PRIVGRAPH_API uint64_t pvg_patterns_hash(const pvg_patterns *patterns, int64_t index);

/* 1 if pattern i of `first` and pattern j of `second` are isomorphic, 0 if not or if
 * there is no such pattern. Exact: compares canonical forms. Since 0.1. */
PRIVGRAPH_API PVG_BOOL int32_t pvg_patterns_isomorphic(const pvg_patterns *first,
                                                       int64_t i,
                                                       const pvg_patterns *second,
                                                       int64_t j);

/* A pattern as graph6 text with its vertices as given / in canonical order, so that
 * isomorphic patterns give the same text. (out, capacity, length) as pvg_build_info_copy.
 * Since 0.1. */
PRIVGRAPH_API int32_t pvg_patterns_copy_graph6(char *out, size_t capacity, size_t *length,
                                               const pvg_patterns *patterns,
                                               int64_t index);
PRIVGRAPH_API int32_t pvg_patterns_copy_canonical(char *out, size_t capacity,
                                                  size_t *length,
                                                  const pvg_patterns *patterns,
                                                  int64_t index);

/* A name pvg_patterns_from_names knows, where the pattern is a vertex, edge, path,
 * triangle, cycle, clique or star (the first that fits), otherwise its canonical graph6
 * text. Since 0.1. */
PRIVGRAPH_API int32_t pvg_patterns_copy_name(char *out, size_t capacity, size_t *length,
                                             const pvg_patterns *patterns, int64_t index);

/* --- classes -------------------------------------------------------------------- */

/* Classes of patterns and the graph neural networks whose power their counts have
 * (docs/guide/patterns.md). A pattern in several pieces belongs to the first three if
 * every piece does, because counts multiply over pieces. */
enum pvg_pattern_class {
    /* no cycle: message passing, 1-WL */
    PVG_CLASS_TREES = 0,
    /* There is a root vertex such that every block (piece without cut vertex) is an edge,
     * or a cycle plus any chords at the one vertex where the block is entered coming from
     * the root: loopy message passing. `parameter` bounds the order of a block (r + 2);
     * 0: no bound. */
    PVG_CLASS_FAN_CACTUS = 1,
    /* a tree each of whose edges uv is replaced by one or more paths from u to v that
     * share no inner vertex: spectral invariant networks */
    PVG_CLASS_PARALLEL_TREES = 2,
    /* a forest after removing at most `parameter` vertices: subgraph GNNs */
    PVG_CLASS_APEX_FORESTS = 3,
    /* treewidth at most `parameter`: folklore k-WL */
    PVG_CLASS_TREEWIDTH = 4,
    /* one cycle on 3 or more vertices: the spectrum */
    PVG_CLASS_CYCLES = 5,
    /* every graph */
    PVG_CLASS_ALL = 6
};

/* "trees", "fan-cactus", "parallel-trees", "apex-forests", "treewidth", "cycles", "all";
 * NULL if there is no such class. Since 0.1. */
PRIVGRAPH_API const char *pvg_class_name(PVG_ENUM(CLASS) int32_t pattern_class);

/* *out = 1 if the pattern belongs to the class, else 0. parameter: see PVG_CLASS_*, >= 0;
 * must be 0 where the class has none. Exact. Since 0.1. */
PRIVGRAPH_API int32_t pvg_patterns_in_class(int32_t *out, const pvg_patterns *patterns,
                                            int64_t index,
                                            PVG_ENUM(CLASS) int32_t pattern_class,
                                            int32_t parameter);

/* The table of the homomorphism-density paper (its Table 1), by PVG_CLASS_*, extended by
 * cycles and by all graphs: the graph neural networks that tell apart what the densities
 * of the class tell apart, and the largest number of edges of its patterns with m
 * vertices as a formula in m and the parameter k. NULL if there is no such class. Since
 * 0.1. */
PRIVGRAPH_API const char *pvg_class_network(PVG_ENUM(CLASS) int32_t pattern_class);
PRIVGRAPH_API const char *pvg_class_formula(PVG_ENUM(CLASS) int32_t pattern_class);

/* The largest number of edges of a pattern of the class with `order` vertices. Exact,
 * also where the formula of the table is not meant to hold: few vertices, and the bound
 * of FAN_CACTUS. parameter: as for pvg_patterns_in_class. PVG_E_ARGUMENT where there is
 * no such pattern (a cycle of fewer than 3 vertices). Since 0.1. */
PRIVGRAPH_API int32_t pvg_class_max_edges(int64_t *out,
                                          PVG_ENUM(CLASS) int32_t pattern_class,
                                          int32_t parameter, int64_t order);

/* New list of patterns of the class with `order` vertices and that many edges, one each;
 * path and star for trees. Good candidates for the costliest of the class. Since 0.1. */
PRIVGRAPH_API int32_t pvg_class_patterns(pvg_patterns **out,
                                         PVG_ENUM(CLASS) int32_t pattern_class,
                                         int32_t parameter, int64_t order);

/* --- samplers ------------------------------------------------------------------- */

/* A distribution on the patterns of a class. Every pattern of the class within the limits
 * (order_min .. order_max vertices, the library's limits, connected unless told
 * otherwise) has positive probability. Immutable. */
typedef struct pvg_sampler pvg_sampler;

/* How the number of vertices N is drawn, given order_min <= N <= order_max (a value
 * beyond is drawn again, so the law is the conditional one). */
enum pvg_size_law {
    PVG_SIZE_DEFAULT = 0,   /* Poisson for cycles, geometric for all others */
    PVG_SIZE_GEOMETRIC = 1, /* order_min + k with probability proportional to q^k, where
                               q = 0.01^(1 / (order_typical - order_min + 1)): one in a
                               hundred is larger than order_typical */
    PVG_SIZE_POISSON = 2,   /* order_min + Poisson((order_typical - order_min) / 2) */
    PVG_SIZE_UNIFORM = 3    /* order_min .. min(order_typical, order_max) */
};

typedef struct pvg_sampler_config {
    uint32_t size;                         /* sizeof(pvg_sampler_config) */
    PVG_ENUM(CLASS) int32_t pattern_class; /* PVG_CLASS_* */
    /* Bound of the class: block order of FAN_CACTUS (0: none, else >= 3); removed
     * vertices of APEX_FORESTS (1 .. 5; 0: 1); width of TREEWIDTH (1 .. 6; 0: 2). 0 for
     * the others. */
    int32_t parameter;
    PVG_ENUM(SIZE) int32_t size_law; /* PVG_SIZE_* */
    /* Vertices. 0: order_min 2 (3 for cycles), because the single vertex has density 1 in
     * every graph; order_typical 16; order_max 32 for trees, fan-cactus graphs, parallel
     * trees, cycles, treewidth 1 and 2; 20 for the others. */
    int32_t order_min, order_typical, order_max;
    /* 0: connected patterns only; others are drawn again with the same N. 1: patterns in
     * several pieces are kept, and edges of trees, fan-cactus graphs and parallel trees
     * are dropped too (see keep). Not for cycles. */
    PVG_BOOL int32_t allow_disconnected;
    /* 1: the patterns of one call are pairwise non-isomorphic, repeats are drawn again.
     */
    PVG_BOOL int32_t distinct;
    /* 1: the law of the code published with the homomorphism-density paper (TREEWIDTH
     * only; docs/guide/patterns.md): its size law (order_typical is its Nmax, order_min
     * counts from 1), its width law, its k-trees, edges kept with 0.9. Its habit of
     * resetting the seed before each pattern is not reproduced. Sets order_min to 1 if
     * 0. */
    PVG_BOOL int32_t reference_law;
    /* TREEWIDTH and ALL: smallest width a k-tree is drawn with (as far as N allows);
     * 0: 1. */
    int32_t width_min;
    /* ALL: nodes of the largest graph to be counted in, a public bound, which makes the
     * expected cost of counting polynomial; 0: order_typical. */
    int32_t graph_order;
    /* Probability that an edge of the drawn k-tree or forest is kept, in (0, 1]; 0: 0.9.
     * TREEWIDTH, ALL, APEX_FORESTS, and others with allow_disconnected. With 1 only full
     * k-trees come out. */
    double keep;
    /* Probability of an optional edge in (0, 1): a chord of a fan, the straight edge
     * among parallel paths, an edge at a removed vertex of APEX_FORESTS; 0: 0.5. */
    double extra;
    /* TREEWIDTH: share of a list, at least, whose treewidth is `parameter` and no less,
     * in [0, 1]; rounded up to whole patterns, which come first. Drawn widths say little:
     * edges are dropped, and small orders have none to give. 0: as it falls */
    double wide_share;
} pvg_sampler_config;

/* New sampler; config NULL: trees, all defaults. PVG_E_ARGUMENT names the field that is
 * out of range or has no meaning for the class. Since 0.1. */
PRIVGRAPH_API int32_t pvg_sampler_new(pvg_sampler **out,
                                      PVG_OPT const pvg_sampler_config *config);

/* By name: a class name, with the parameter behind it where the class has one ("trees",
 * "treewidth3", "apex-forests2", "fan-cactus6"), or "referenceK" (K = 1, 2, 3, ...: the
 * reference law with width K). config (NULL: defaults) gives the rest; its pattern_class,
 * parameter and reference_law must be 0. Since 0.1. */
PRIVGRAPH_API int32_t pvg_sampler_from_name(pvg_sampler **out, const char *name,
                                            PVG_OPT const pvg_sampler_config *config);

/* NULL is fine. Since 0.1. */
PRIVGRAPH_API void pvg_sampler_free(pvg_sampler *sampler);

/* Copies the sampler's settings, defaults filled in, into *out, whose size field the
 * caller has set. Since 0.1. */
PRIVGRAPH_API int32_t pvg_sampler_copy_config(pvg_sampler_config *out,
                                              const pvg_sampler *sampler);

/* Draws `count` patterns. One draw of the cycle sampler is a whole list: it draws N and
 * gives cycle3, ..., cycleN (with `distinct`: the longest list drawn). What is drawn
 * again depends on the pattern and the limits above only. PVG_E_LIMIT if a million tries
 * in a row found no acceptable pattern. Since 0.1. */
PRIVGRAPH_API int32_t pvg_patterns_draw(pvg_patterns **out, const pvg_sampler *sampler,
                                        int64_t count, pvg_rng *rng, const pvg_run *run);

#ifdef __cplusplus
}
#endif

#endif
