/* graph, inside: the structs, and constructors that other modules use without copies. */
#ifndef PVGI_GRAPH_H
#define PVGI_GRAPH_H

#include "base/base_internal.h"
#include "privgraph/graph.h"

/* Most nodes a graph or set may have: columns are int32_t. */
#define PVGI_GRAPH_ORDER_MAX INT64_C(0x7FFFFFFF)

/* Rows in memory that is not from pvgi_alloc: a mapped file (io/mapped.c). */
typedef struct {
    void (*drop)(void *kept);
    /* PVG_OK while the rows are those that the graph was made with. */
    int32_t (*same)(const void *kept);
} pvgi_graph_keeper;

struct pvg_graph {
    PVGI_HANDLE;
    int64_t order, size; /* nodes; edges, each counted once */
    int64_t *offsets;    /* order + 1 */
    int32_t *columns;    /* 2 * size, ascending in every row */
    /* PVGI_DECLARED_*: what of the nodes is public. The rest was made from private edges,
     * and no release may show it. Graphs made from such a graph inherit it. */
    uint8_t declared;
    const pvgi_graph_keeper *keeper; /* NULL: offsets and columns are our own */
    void *kept;
};

/* Arrays that a set and its slices share, and rows of a slice numbered from zero
 * (slice.c). */
typedef struct pvgi_graph_store pvgi_graph_store;
typedef struct pvgi_graph_lent pvgi_graph_lent;

/* In a slice starts[0] need not be 0: offsets and columns are those of the set it was
 * taken from, so every reader goes from graph to graph by starts, or asks
 * pvgi_graph_set_rows. What follows has entries of this set only. */
struct pvg_graphset {
    PVGI_HANDLE;
    int64_t count, order, target_count;
    int64_t *starts;      /* count + 1: graph i owns nodes starts[i] .. starts[i+1]-1 */
    int64_t *offsets;     /* of every node by those numbers, and one more */
    int32_t *columns;     /* the same numbers */
    int32_t *labels;      /* count */
    double *targets;      /* count * target_count; NULL if target_count is 0 */
    int32_t *node_labels; /* order; NULL if the set has none */
    uint8_t declared;     /* of all its graphs */
    pvgi_graph_store *store;
    pvgi_graph_lent *lent; /* NULL if starts[0] is 0 */
};

struct pvg_features {
    PVGI_HANDLE;
    int64_t rows, columns;
    int64_t *offsets; /* rows + 1 */
    int32_t *indices; /* offsets[rows], ascending in every row */
    double *values;   /* offsets[rows], finite and not zero */
    /* PVGI_DECLARED_COLUMNS, or 0: the number of columns is the largest index in a file
     * of private features, and no release that hides them may show it */
    uint8_t declared;
    /* An entry was not finite, the first one here; all such are kept as 0. Private ones
     * stay so: an error would tell. Who takes features as public refuses them
     * (pvgi_graph_features_sound). */
    bool odd;
    int64_t odd_row, odd_column;
};

struct pvg_labels {
    PVGI_HANDLE;
    int64_t count, classes;
    uint8_t declared; /* PVGI_DECLARED_LABELS */
    bool odd;         /* one was below -1, the first at odd_at; kept as 0, as above */
    int64_t odd_at;
    int32_t *values;
};

/* Compressed rows, or a source that makes them one after the other. */
struct pvg_lists {
    PVGI_HANDLE;
    int64_t persons, things;
    int64_t *offsets; /* persons + 1; NULL: from the source */
    int32_t *columns; /* offsets[persons], strictly ascending in every row */
    pvg_lists_source source;
    uint8_t declared; /* PVGI_DECLARED_PERSONS, _THINGS */
};

/* One process of several that hold a graph. rows: its own lists, whose columns may be
 * borrowed rows (order and beyond); nothing that takes a graph may be handed it unless it
 * knows of parts. */
struct pvg_parts {
    PVGI_HANDLE;
    pvg_parts_config config;
    pvg_graph rows;
    bool told; /* a failure in this call, to all; one call at a time */
};

/* --- what a draw makes (content.c) ----------------------------------------------- */

/* Neighbour lists of users, each ascending; an entry may repeat. One block each. */
typedef struct {
    int64_t order;
    int64_t *offsets; /* order + 1 */
    int32_t *targets; /* offsets[order] */
} pvgi_lists;

struct pvg_guarantee;

/* A model, which the library that holds this module does not know: what must be known of
 * it all the same. */
typedef struct {
    void (*drop)(void *model);
    /* All its numbers, lent: the digest is that of a row of them. */
    const double *(*numbers)(const void *model);
    /* Told what only the draw could tell: the record that it kept gets it as well. */
    void (*finish)(void *model, const struct pvg_guarantee *record);
} pvgi_model_kind;

/* Numbers, a graph, several, lists, features, labels or a model; what was not made is
 * NULL. */
struct pvgi_content {
    int64_t rows, columns; /* of values, or of the numbers of the model */
    double *values;
    pvg_graph *graph;
    pvg_graphset *set;
    pvgi_lists *lists;
    pvg_features *features;
    pvg_labels *labels;
    void *model;
    const pvgi_model_kind *model_kind; /* if there is a model */
};
typedef struct pvgi_content pvgi_content;

/* Lists of the given lengths, offsets filled, targets not; NULL without memory. */
pvgi_lists *pvgi_graph_lists_new(int64_t order, const int64_t *lengths);
void pvgi_graph_lists_free(pvgi_lists *lists);
/* What was released is public, its sizes too. */
void pvgi_graph_content_declare(pvgi_content *content);
/* Frees what it holds, not the struct. */
void pvgi_graph_content_drop(pvgi_content *content);

/* --- building from edges (build.c) ---------------------------------------------- */

/* One edge in a word: the form in which a parser collects edges. */
static inline uint64_t pvgi_edge_pack(uint64_t u, uint64_t v) {
    /* The analyser takes the unsigned u for negative.
     * NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult) */
    return u << 32 | v;
}

/* Builds from packed edges in any order and direction. Takes edges (from pvgi_alloc or
 * pvgi_grow) and frees it, also on failure. If an edge is refused (PVG_E_ARGUMENT), *bad
 * is its position and the message reads "edge 17 ..."; otherwise *bad is -1. bad may be
 * NULL: then edges go as soon as they are placed, and no message says which one is a
 * repeat. policy as in graph.h. order must be in [0, PVGI_GRAPH_ORDER_MAX]. */
int32_t pvgi_graph_from_packed(pvg_graph **out, int64_t *bad, int64_t order,
                               uint64_t *edges, int64_t count, uint32_t policy,
                               pvgi_run *run);
/* Edges in blocks, all full but the last, which may be shorter (builder.c). */
typedef struct {
    uint64_t **blocks;
    int64_t block_count, block_capacity; /* of blocks */
    int64_t last_capacity;               /* words of the last block */
    int64_t count;
} pvgi_edges;
int32_t pvgi_graph_edges_push(pvgi_edges *edges, uint64_t edge);
void pvgi_graph_edges_free(pvgi_edges *edges);
/* The same engine on blocks of PVGI_EDGES_PER_BLOCK edges, the last one shorter; frees
 * the blocks, also on failure, but not the list of them. */
enum { PVGI_EDGES_PER_BLOCK = 1 << 17 };
int32_t pvgi_graph_from_blocks(pvg_graph **out, int64_t *bad, int64_t order,
                               uint64_t **blocks, int64_t count, uint32_t policy,
                               pvgi_run *run);
/* The same engine on two arrays, which stay the caller's. */
int32_t pvgi_graph_from_pairs(pvg_graph **out, int64_t *bad, int64_t order,
                              const int64_t *sources, const int64_t *targets,
                              int64_t count, uint32_t policy, pvgi_run *run);
/* The same engine on rows, mirroring and merging entries; offsets already checked. */
int32_t pvgi_graph_from_merged_rows(pvg_graph **out, int64_t *bad, int64_t order,
                                    const int64_t *offsets, const int32_t *columns,
                                    uint32_t policy, pvgi_run *run);

/* --- building row by row (rows.c) ----------------------------------------------- */

/* Writes the neighbours of one node, ascending, to row (NULL: only tells how many) and
 * sets *degree. Called twice per row, from any thread; both calls must agree. */
typedef int32_t (*pvgi_row_fn)(int64_t *degree, int32_t *row, const void *context,
                               int64_t node);
/* Graph whose rows function makes; they must be symmetric. */
int32_t pvgi_graph_from_rows(pvg_graph **out, int64_t order, pvgi_row_fn function,
                             const void *context, pvgi_run *run);
/* Rows exactly as they will be but unsorted: no merging. Offsets already checked. */
int32_t pvgi_graph_from_exact_rows(pvg_graph **out, int64_t order, const int64_t *offsets,
                                   const int32_t *columns, uint32_t policy,
                                   pvgi_run *run);
PVGI_SHARED int32_t pvgi_graph_induce(pvg_graph **out, const pvg_graph *graph,
                                      const int64_t *nodes, int64_t count, pvgi_run *run);
int32_t pvgi_graph_relabel(pvg_graph **out, const pvg_graph *graph,
                           const int64_t *new_name, pvgi_run *run);
PVGI_SHARED int32_t pvgi_graph_copy(pvg_graph **out, int64_t order,
                                    const int64_t *offsets, const int32_t *columns,
                                    int64_t shift);
void pvgi_graph_copy_edges(int64_t *sources, int64_t *targets, const pvg_graph *graph);
/* Arrays of the right sizes, not filled. NULL without memory. */
pvg_graph *pvgi_graph_alloc(int64_t order, int64_t size);
/* Says of a graph that was made that its nodes are public, if it was; returns status.
 * Constructors of handles call it: one that does not makes a graph that no release
 * takes. */
int32_t pvgi_graph_declare(pvg_graph *const *made, int32_t status);
PVGI_SHARED void pvgi_graph_free(pvg_graph *graph);
/* Asked around every call of a host (crossing.c): PVG_E_IO if the file that the rows are
 * in is not what it was, after which nothing that was made of them may leave. */
static inline int32_t pvgi_graph_same(const pvg_graph *graph) {
    return graph && graph->keeper ? graph->keeper->same(graph->kept) : PVG_OK;
}
/* Position of value in the ascending row, or -1. */
PVGI_SHARED int64_t pvgi_graph_row_find(const int32_t *row, int64_t count, int32_t value);
/* Sorts in place; no scratch; O(count) if sorted already, O(31 count) at worst. */
void pvgi_graph_row_sort(int32_t *row, int64_t count);

/* --- edges in pieces (builder.c) ------------------------------------------------ */

int32_t pvgi_graph_builder_new(pvg_graph_builder **out, int64_t order, uint32_t policy);
/* Ends as int64_t or, if narrow, int32_t. */
int32_t pvgi_graph_builder_add(pvg_graph_builder *builder, const void *sources,
                               const void *targets, int64_t count, bool narrow);
int32_t pvgi_graph_builder_finish(pvg_graph **out, pvg_graph_builder *builder,
                                  pvgi_run *run);
void pvgi_graph_builder_free(pvg_graph_builder *builder);

/* --- degree truncation (truncate.c) --------------------------------------------- */

/* starts: count + 1 first nodes, if the graph is a set of `count`; the result is then the
 * same as that of each alone. NULL: one graph. */
int32_t pvgi_graph_truncate(pvg_graph **out, const pvg_graph *graph,
                            const int64_t *starts, int64_t count, int64_t bound,
                            pvgi_run *run);
/* The rows of this part of it, with the same local numbers; all processes call it. */
int32_t pvgi_graph_truncate_parts(pvg_graph **out, const pvg_parts *parts, int64_t bound,
                                  pvgi_run *run);
/* Memory of that, with the graph it makes, for any graph of this order, at most. */
size_t pvgi_graph_truncate_bytes(int64_t order, int64_t bound, const pvgi_run *run);

/* --- sets (set.c) --------------------------------------------------------------- */

/* Cuts one graph into a set: graph i gets nodes starts[i] .. starts[i+1]-1. Takes graph
 * and frees or uses it, also on failure. Copies the rest: starts (count + 1), labels
 * (count, NULL: all -1), targets (count * target_count, NULL: all NaN), node_labels
 * (order or NULL). PVG_E_ARGUMENT if starts do not ascend from 0 to the order or an edge
 * joins two graphs. */
int32_t pvgi_graph_set_from_graph(pvg_graphset **out, pvg_graph *graph, int64_t count,
                                  const int64_t *starts, const int32_t *labels,
                                  const double *targets, int64_t target_count,
                                  const int32_t *node_labels);
int32_t pvgi_graph_set_builder_new(pvg_graphset_builder **out, int64_t targets);
int32_t pvgi_graph_set_builder_add(pvg_graphset_builder *builder, const pvg_graph *graph,
                                   int32_t label, const double *targets,
                                   const int32_t *node_labels);
int32_t pvgi_graph_set_builder_finish(pvg_graphset **out, pvg_graphset_builder *builder);
void pvgi_graph_set_builder_free(pvg_graphset_builder *builder);
void pvgi_graph_set_free(pvg_graphset *set);
void pvgi_graph_set_free_arrays(pvg_graphset *set);

/* --- slices of sets (slice.c) ---------------------------------------------------- */

/* A finished set hands its arrays over to a store that slices can hold as well; on
 * failure they stay its own. */
int32_t pvgi_graph_store_new(pvg_graphset *set);
/* What a set holds of its store, and the rows that it lent. */
void pvgi_graph_store_drop(pvg_graphset *set);
/* Graphs first .. first + count - 1, which must be there: nothing is copied. */
int32_t pvgi_graph_set_slice(pvg_graphset **out, const pvg_graphset *set, int64_t first,
                             int64_t count);
/* starts, offsets and columns numbered from zero; they live as long as the set. Of a
 * slice that begins elsewhere they are made the first time. Any thread. */
PVGI_SHARED int32_t pvgi_graph_set_rows(const int64_t **starts, const int64_t **offsets,
                                        const int32_t **columns, const pvg_graphset *set);

/* --- features and labels (features.c) ------------------------------------------- */

/* Rows of `each` entries, offsets filled, the rest not; keep then does for them what
 * adopt does, and takes no memory. */
int32_t pvgi_graph_features_new(pvg_features **out, int64_t rows, int64_t columns,
                                int64_t each);
int32_t pvgi_graph_features_keep(pvg_features *features);
/* Uses the arrays (from pvgi_alloc or pvgi_grow) and frees them, also on failure; checks
 * them and drops zeros. values NULL: all ones. offsets[rows] entries. */
int32_t pvgi_graph_features_adopt(pvg_features **out, int64_t rows, int64_t columns,
                                  int64_t *offsets, int32_t *indices, double *values);
/* values are floats if narrow, else doubles. */
int32_t pvgi_graph_features_from_dense(pvg_features **out, int64_t rows, int64_t columns,
                                       const void *values, bool narrow);
int32_t pvgi_graph_features_from_csr(pvg_features **out, int64_t rows, int64_t columns,
                                     const int64_t *offsets, const int32_t *indices,
                                     const void *values, bool narrow);
/* Refuses what may not be told of private ones; NULL is fine. */
PVGI_SHARED int32_t pvgi_graph_features_sound(const char *name, const char *argument,
                                              const pvg_features *features);
PVGI_SHARED int32_t pvgi_graph_labels_sound(const char *name, const char *argument,
                                            const pvg_labels *labels);
void pvgi_graph_features_copy_dense(double *out, const pvg_features *features,
                                    int64_t first_row, int64_t count);
void pvgi_graph_features_free(pvg_features *features);
/* Not filled; classes is 0. */
int32_t pvgi_graph_labels_new(pvg_labels **out, int64_t count);
int32_t pvgi_graph_labels_from_array(pvg_labels **out, const int32_t *values,
                                     int64_t count);
void pvgi_graph_labels_free(pvg_labels *labels);

/* --- lists (lists.c) ------------------------------------------------------------- */

/* The entry file checks sizes, and says what was declared. */
int32_t pvgi_graph_lists_from_pairs(pvg_lists **out, int64_t persons, int64_t things,
                                    const int64_t *owners, const int64_t *entries,
                                    int64_t count);
int32_t pvgi_graph_lists_from_csr(pvg_lists **out, int64_t persons, int64_t things,
                                  const int64_t *offsets, const int32_t *columns);
int32_t pvgi_graph_lists_from_source(pvg_lists **out, int64_t persons, int64_t things,
                                     const pvg_lists_source *source);
void pvgi_graph_lists_drop(pvg_lists *lists);
/* One person: her things, strictly ascending. */
typedef void (*pvgi_list_fn)(void *context, int64_t person, const int32_t *things,
                             int64_t count);
/* Every person once, in order, on this thread. scratch: as many words as there are
 * things, for rows of a source. */
int32_t pvgi_graph_lists_walk(const pvg_lists *lists, pvgi_list_fn visit, void *context,
                              int32_t *scratch, pvgi_run *run);

/* --- parts (parts.c) -------------------------------------------------------------- */

enum { PVGI_PROCESSES_MAX = 1 << 20 };
int32_t pvgi_graph_parts_new(pvg_parts **out, const char *name,
                             const pvg_parts_config *config);
void pvgi_graph_parts_free(pvg_parts *parts);
/* Around each call that all processes make together. finish: the status of the call; what
 * failed in one process fails in all, the others have its message. Between them whoever
 * fails just leaves: the others learn of it at their next exchange. */
void pvgi_graph_parts_begin(const pvg_parts *parts);
int32_t pvgi_graph_parts_finish(const pvg_parts *parts, int32_t status);
/* Exchanges, from the calling thread. */
int32_t pvgi_graph_parts_borrow(const pvg_parts *parts, void *table, size_t row_bytes);
int32_t pvgi_graph_parts_combine(const pvg_parts *parts, int64_t *values, int64_t count,
                                 int32_t how);
int32_t pvgi_graph_parts_share(const pvg_parts *parts, void *bytes, size_t length);
/* PVG_E_ARGUMENT, "what: ...", unless all have the same words; 16 at most. */
int32_t pvgi_graph_parts_same(const pvg_parts *parts, const uint64_t *words,
                              int64_t count, const char *what);
/* The number in the whole graph of a local one. */
int64_t pvgi_graph_parts_number(const pvg_parts *parts, int64_t local);

/* PVG_E_ARGUMENT unless offsets has count + 1 entries that ascend from 0; the entry that
 * breaks the rule is named "name[i]". */
int32_t pvgi_graph_offsets_check(const char *name, const int64_t *offsets, int64_t count);

#endif
