/* pattern, inside: a pattern as bit masks, with everything later modules want to know of
 * it. */
#ifndef PVGI_PATTERN_H
#define PVGI_PATTERN_H

#include "base/base_internal.h"
#include "privgraph/pattern.h"

enum { PVGI_PATTERN_ORDER = PVG_PATTERN_ORDER_MAX };

/* A graph on at most 32 vertices: bit u of adjacency[v] tells whether u and v are joined.
 */
typedef struct {
    int32_t order;
    uint32_t adjacency[PVGI_PATTERN_ORDER];
} pvgi_small;

typedef struct {
    pvgi_small graph;
    int32_t size; /* edges */
    int32_t components, isolated, width;
    uint32_t kinds; /* PVG_KIND_* */
    int32_t
        component[PVGI_PATTERN_ORDER]; /* of each vertex, numbered by smallest vertex */
    int32_t elimination[PVGI_PATTERN_ORDER]; /* attains width, component by component */
    pvgi_small canonical; /* components in canonical order, each in canonical labelling */
    uint64_t hash;        /* of canonical */
    int64_t multiplicity;
    int64_t first_edge; /* in the list's edge arrays */
} pvgi_pattern;

struct pvg_patterns {
    PVGI_HANDLE;
    int64_t count;
    pvgi_pattern *pattern;
    int32_t *sources, *targets; /* edges of all patterns, source < target, ascending */
};

/* --- masks (inline: used in every inner loop) ----------------------------------- */

/* Vertices 0..count-1. */
static inline uint32_t pvgi_mask_first(int32_t count) {
    return count >= 32 ? UINT32_MAX : ((uint32_t)1 << count) - 1;
}
static inline uint32_t pvgi_mask_of(int32_t vertex) {
    return (uint32_t)1 << vertex;
}
static inline int32_t pvgi_mask_count(uint32_t mask) {
    return (int32_t)__builtin_popcount(mask);
}
/* Smallest vertex of a mask that is not empty. */
static inline int32_t pvgi_mask_lowest(uint32_t mask) {
    return (int32_t)__builtin_ctz(mask);
}
static inline void pvgi_pattern_join(pvgi_small *graph, int32_t u, int32_t v) {
    graph->adjacency[u] |= pvgi_mask_of(v);
    graph->adjacency[v] |= pvgi_mask_of(u);
}

/* --- small graphs (small.c) ----------------------------------------------------- */

int32_t pvgi_pattern_size(const pvgi_small *graph);
/* Vertices of `within` reachable from `start` inside `within`. */
uint32_t pvgi_pattern_reach(const pvgi_small *graph, uint32_t start, uint32_t within);
/* Writes the component of every vertex; returns how many there are. */
int32_t pvgi_pattern_components(int32_t component[PVGI_PATTERN_ORDER],
                                const pvgi_small *graph);
/* The subgraph on `vertices`, ascending; vertex[i] (may be NULL) is the old name of i. */
void pvgi_pattern_induce(pvgi_small *out, int32_t vertex[PVGI_PATTERN_ORDER],
                         const pvgi_small *graph, uint32_t vertices);
bool pvgi_pattern_is_connected(const pvgi_small *graph);
bool pvgi_pattern_is_forest(const pvgi_small *graph);

/* --- treewidth (width.c) -------------------------------------------------------- */

/* Exact treewidth and an elimination order that attains it. PVG_E_LIMIT beyond the
 * limits; `label` names the pattern in the message ("pattern 3"). */
int32_t pvgi_pattern_width(int32_t *width, int32_t elimination[PVGI_PATTERN_ORDER],
                           const pvgi_small *graph, const char *label);
/* Width of an elimination order by another method (paths through earlier vertices, no
 * fill edges); -1 if it is not a permutation. */
int32_t pvgi_pattern_order_width(const pvgi_small *graph, const int32_t *elimination);

/* --- canonical form (canon.c) --------------------------------------------------- */

/* The canonical form: equal for isomorphic graphs, isomorphic to graph. */
void pvgi_pattern_canonical(pvgi_small *out, const pvgi_small *graph);
bool pvgi_pattern_equal(const pvgi_small *a, const pvgi_small *b);
uint64_t pvgi_pattern_hash(const pvgi_small *canonical);

/* --- text (graph6.c, name.c) ---------------------------------------------------- */

/* Bytes of the longest graph6 text of a pattern, NUL included. */
enum { PVGI_GRAPH6_BYTES = 1 + (32 * 31 / 2 + 5) / 6 + 1 };
/* Writes NUL-terminated graph6; returns its length. */
size_t pvgi_pattern_to_graph6(char out[PVGI_GRAPH6_BYTES], const pvgi_small *graph);
/* One line, without its end; `label` names it in messages. */
int32_t pvgi_pattern_from_graph6(pvgi_small *out, const char *line, size_t bytes,
                                 const char *label);
/* One name, without blanks around it. */
int32_t pvgi_pattern_from_name(pvgi_small *out, const char *name, size_t bytes);
/* Name or canonical graph6; returns the length. */
size_t pvgi_pattern_name(char out[PVGI_GRAPH6_BYTES], const pvgi_pattern *pattern);

/* --- lists (list.c) ------------------------------------------------------------- */

/* Computes everything about one graph; `label` names it in messages. Sets all but
 * first_edge. */
int32_t pvgi_pattern_examine(pvgi_pattern *out, const pvgi_small *graph,
                             const char *label);

/* A list under construction. */
typedef struct {
    pvgi_pattern *pattern;
    int64_t count, capacity;
} pvgi_pattern_builder;
int32_t pvgi_pattern_list_add(pvgi_pattern_builder *builder, const pvgi_pattern *pattern);
/* Makes the list of what was added; the builder is empty afterwards, also on failure. */
int32_t pvgi_pattern_list_finish(pvg_patterns **out, pvgi_pattern_builder *builder);
/* Finishes if status is PVG_OK, else drops and returns status. */
int32_t pvgi_pattern_list_close(pvg_patterns **out, pvgi_pattern_builder *builder,
                                int32_t status);

int32_t pvgi_pattern_list_parse_edges(pvg_patterns **out, const int64_t *orders,
                                      const int64_t *sizes, int64_t count,
                                      const int64_t *sources, const int64_t *targets);
int32_t pvgi_pattern_list_parse_graph6(pvg_patterns **out, const char *text,
                                       size_t bytes);
int32_t pvgi_pattern_list_parse_names(pvg_patterns **out, const char *names);
/* indices NULL: 0..count-1. Appends copies to the builder. */
int32_t pvgi_pattern_list_append(pvgi_pattern_builder *builder, const pvg_patterns *from,
                                 const int64_t *indices, int64_t count);
int32_t pvgi_pattern_list_merge_equal(pvg_patterns **out, int64_t *group,
                                      const pvg_patterns *patterns);

/* --- classes (classes.c, sampler.c) --------------------------------------------- */

bool pvgi_pattern_in_class(const pvgi_pattern *pattern, int32_t pattern_class,
                           int32_t parameter);
/* NULL if there is no such class. */
const char *pvgi_pattern_class_name(int32_t pattern_class);
bool pvgi_pattern_class_has_parameter(int32_t pattern_class);

/* --- random choices (source.c) -------------------------------------------------- */

enum { PVGI_PATTERN_SOURCE_WORDS = 64 };
typedef struct {
    pvg_rng *rng;
    int32_t status; /* first failure of the generator; choices are zero from then on */
    int32_t left;   /* words not used yet */
    uint64_t word[PVGI_PATTERN_SOURCE_WORDS];
} pvgi_pattern_source;
/* Uniform on 0..bound-1, bound >= 1. */
int32_t pvgi_pattern_choose(pvgi_pattern_source *source, int32_t bound);
bool pvgi_pattern_flip(pvgi_pattern_source *source, double probability);
int32_t pvgi_pattern_poisson(pvgi_pattern_source *source, double mean);

/* --- samplers (sampler.c, shapes.c) --------------------------------------------- */

struct pvg_sampler {
    PVGI_HANDLE;
    pvg_sampler_config config; /* defaults filled in */
};

/* Checks a config and fills in defaults / sets class, parameter and law by name. */
int32_t pvgi_pattern_sampler_fill_in(const char *function, pvg_sampler_config *config);
extern const pvgi_shape pvgi_pattern_sampler_shape;
int32_t pvgi_pattern_sampler_name(pvg_sampler_config *config, const char *name);
/* Order of the next pattern, and width of the k-tree it is cut from (0 for other
 * classes). */
int32_t pvgi_pattern_draw_numbers(int32_t *order, int32_t *width,
                                  const pvg_sampler_config *config,
                                  pvgi_pattern_source *source);
/* One graph, connected or not. */
void pvgi_pattern_draw_shape(pvgi_small *out, int32_t order, int32_t width,
                             const pvg_sampler_config *config,
                             pvgi_pattern_source *source);
int32_t pvgi_pattern_sampler_draw(pvg_patterns **out, const pvg_sampler *sampler,
                                  int64_t count, pvg_rng *rng, pvgi_run *run);

/* --- patterns of a class with the most edges (extremal.c) -------------------------- */

typedef struct {
    const char *network, *formula;
} pvgi_class_row;
/* NULL if there is no such class. */
const pvgi_class_row *pvgi_pattern_class_row(int32_t pattern_class);
/* Largest number of edges; class, parameter and order are checked. */
int64_t pvgi_pattern_class_edges(int32_t pattern_class, int32_t parameter, int64_t order);
int32_t pvgi_pattern_class_densest(pvg_patterns **out, int32_t pattern_class,
                                   int32_t parameter, int64_t order);

#endif
