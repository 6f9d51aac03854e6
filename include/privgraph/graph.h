/* graph: graphs, sets of graphs, node features, node labels. Include <privgraph.h>.
 *
 * Everything in this module is private data. Getters and views serve the program that
 * holds the graph; what leaves it must be a pvg_release.
 *
 * Nodes are public, in every guarantee about graphs: how many there are, and which number
 * each of them has. Both must be the same in every possible world, so neither may be made
 * from edges: no numbering in the order in which edges name the nodes, by degree, by
 * component, by breadth-first search or by a canonical form. One edge more would
 * renumber many nodes, and no noise hides that. Where nodes have names, number them by a
 * public list of all names. PVG_EDGES_INFERRED marks a graph that was not made so. */
#ifndef PRIVGRAPH_GRAPH_H
#define PRIVGRAPH_GRAPH_H

#include "base.h"
#include "rng.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An undirected simple graph in compressed rows: nodes 0..order-1, the neighbours of a
 * node ascending, every edge stored in both rows. At most 2^31 - 1 nodes. Immutable. */
typedef struct pvg_graph pvg_graph;

/* What to do with input that is not a simple graph; combine with |. In a list of edges,
 * (u, v) and (v, u) are the same edge, so a list that has both (PyG's edge_index) needs
 * PVG_EDGES_MERGE. */
enum {
    PVG_EDGES_STRICT = 0,     /* refuse repeated edges and self loops */
    PVG_EDGES_MERGE = 1,      /* keep one of repeated edges */
    PVG_EDGES_DROP_LOOPS = 2, /* ignore self loops */
    /* from_edges, from_csr and builders only: the order or the numbers of the nodes were
     * made from the edges. The graph serves inside the program; no release takes it, nor
     * any graph or set made from it (pvg_graph_order_declared). */
    PVG_EDGES_INFERRED = 4
};

/* --- making graphs --------------------------------------------------------------- */

/* From two arrays of `count` end points, as PyG's edge_index. Order and numbers of the
 * nodes are public and not made from the edges; if they were, say PVG_EDGES_INFERRED.
 * PVG_E_ARGUMENT names the position of the first bad edge: the first with an end outside
 * 0..order-1 or a refused loop; if there is none, the first that repeats an earlier one.
 * O(order + count) time;
 * at most three times the memory of the result, or of 8 (order + 1) + 8 count bytes where
 * merging makes the result smaller, result included. Uses run->threads. Since 0.1. */
PRIVGRAPH_API int32_t pvg_graph_from_edges(pvg_graph **out, int64_t order,
                                           PVG_LEN(count) const int64_t *sources,
                                           PVG_LEN(count) const int64_t *targets,
                                           int64_t count,
                                           PVG_FLAGS(EDGES) uint32_t policy,
                                           const pvg_run *run);

/* From two columns of a table that stays where it is, in chunks. edges: a struct
 * ArrowArrayStream of Arrow's C interface, as pyarrow, Polars, DuckDB and R hand them
 * over; source and target name the columns: int32, int64, uint32, uint64, or string,
 * large_string and dictionaries of strings. nodes: NULL if ends are numbers from 0 to
 * order - 1; else a stream with one column, the public table of all nodes, in which row i
 * is the name (text or number) of node i, and order is 0. Neither may be made from the
 * edges.
 *
 * PVG_E_ARGUMENT names column and row of a null, of an end that is no node, of an array
 * that is not what it says; edge i is row i. Sizes of buffers are taken on trust: the
 * interface does not tell them. A stream that fails is PVG_E_IO. Both streams are
 * released, once, whatever happens; so is each of their chunks. Since 0.1. */
PRIVGRAPH_API int32_t pvg_graph_from_arrow(pvg_graph **out, void *edges,
                                           const char *source, const char *target,
                                           PVG_OPT void *nodes, int64_t order,
                                           PVG_FLAGS(EDGES) uint32_t policy,
                                           const pvg_run *run);

/* A graph under construction, from edges that come in pieces. For one thread at a time.
 */
typedef struct pvg_graph_builder pvg_graph_builder;

/* New builder of a graph of `order` nodes, with policy as in pvg_graph_from_edges. Since
 * 0.1. */
PRIVGRAPH_API int32_t pvg_graph_builder_new(pvg_graph_builder **out, int64_t order,
                                            PVG_FLAGS(EDGES) uint32_t policy);

/* Adds a piece of `count` edges; the arrays may be used again at once. PVG_E_ARGUMENT
 * names piece and edge, both counted from 0, of an end outside 0..order-1 or a refused
 * loop, and leaves the builder as it was; PVG_E_NOMEM leaves it empty.
 *
 * While pieces come, the builder holds 8 bytes for each edge and 8 for each piece. With
 * PVG_EDGES_MERGE, 16 for each edge of the graph so far, however often edges repeat, and
 * up to 16 MiB. Since 0.1. */
PRIVGRAPH_API int32_t pvg_graph_builder_add(pvg_graph_builder *builder,
                                            PVG_LEN(count) const int64_t *sources,
                                            PVG_LEN(count) const int64_t *targets,
                                            int64_t count);
/* The same for numbers of 32 bits. Since 0.1. */
PRIVGRAPH_API int32_t pvg_graph_builder_add_int32(pvg_graph_builder *builder,
                                                  PVG_LEN(count) const int32_t *sources,
                                                  PVG_LEN(count) const int32_t *targets,
                                                  int64_t count);

/* Makes the graph that pvg_graph_from_edges makes of all pieces in a row, with at most
 * three times the memory of the result, result and pieces included, and 8 bytes for each
 * piece; with PVG_EDGES_MERGE also 16 MiB. Empties the builder, also on failure; it may
 * be used again. PVG_E_ARGUMENT names piece and edge of the first that repeats an earlier
 * one. Since 0.1. */
PRIVGRAPH_API int32_t pvg_graph_builder_finish(pvg_graph **out,
                                               pvg_graph_builder *builder,
                                               const pvg_run *run);

/* Wipes and frees, with the pieces added so far; NULL is fine. Since 0.1. */
PRIVGRAPH_API void pvg_graph_builder_free(pvg_graph_builder *builder);

/* From compressed rows: offsets has order + 1 entries from 0 up, columns offsets[order].
 * Rows may be unsorted. An entry (u, v) without its mirror (v, u) is refused unless
 * PVG_EDGES_MERGE is given, which mirrors it; repeated entries in a row likewise. Nodes
 * are public as in pvg_graph_from_edges. Since 0.1. */
PRIVGRAPH_API int32_t pvg_graph_from_csr(pvg_graph **out, int64_t order,
                                         PVG_LEN(order + 1) const int64_t *offsets,
                                         PVG_LEN(offsets[order]) const int32_t *columns,
                                         PVG_FLAGS(EDGES) uint32_t policy,
                                         const pvg_run *run);

/* The subgraph on `nodes` (distinct, in any order): node i of the result is nodes[i].
 * The list must be public: a component, a neighbourhood or the nodes of high degree
 * depend on the edges, and a release of what they induce has no guarantee. Since 0.1. */
PRIVGRAPH_API int32_t pvg_graph_induce(pvg_graph **out, const pvg_graph *graph,
                                       PVG_LEN(count) const int64_t *nodes, int64_t count,
                                       const pvg_run *run);

/* The same graph with node v renamed to new_name[v]; new_name is a permutation of
 * 0..order-1. It must be public, or drawn without looking at the graph: an order by
 * degree, by breadth-first search or of a canonical form depends on the edges, and a
 * release of the result has no guarantee. Since 0.1. */
PRIVGRAPH_API int32_t pvg_graph_relabel(pvg_graph **out, const pvg_graph *graph,
                                        PVG_LEN(order) const int64_t *new_name,
                                        const pvg_run *run);

/* Enforces a degree bound: keeps an edge exactly if it is among the `bound` first edges
 * of both ends. Which is first is decided by priorities of pairs of nodes, a fixed public
 * hash of their numbers, so no node is preferred. Edge stable: adding one edge to the
 * input adds at most that edge to the result and removes at most two others
 * (docs/guarantees.md). Not node stable. O(order + edges log bound) time at worst, 8
 * bytes per node of scratch. Since 0.1. */
PRIVGRAPH_API int32_t pvg_graph_truncate_degree(pvg_graph **out, const pvg_graph *graph,
                                                int64_t bound, const pvg_run *run);

/* Wipes and frees; NULL is fine. Since 0.1. */
PRIVGRAPH_API void pvg_graph_free(pvg_graph *graph);

/* --- looking at a graph ---------------------------------------------------------- */

/* Nodes; edges, each counted once. Zero for NULL. Since 0.1. */
PRIVGRAPH_API int64_t pvg_graph_order(const pvg_graph *graph);
PRIVGRAPH_API int64_t pvg_graph_size(const pvg_graph *graph);

/* 1 if the nodes were declared, 0 for NULL or if their number or numbering was read off
 * the edges: then they are private as these are, and no release takes the graph
 * (PVG_E_UNDECLARED). That happens to an edge list read without an order (io.h) and to
 * graphs made with PVG_EDGES_INFERRED, and stays with all graphs and sets made from them.
 * Every other way to make a graph is told. Since 0.1. */
PRIVGRAPH_API PVG_BOOL int32_t pvg_graph_order_declared(const pvg_graph *graph);

/* Degree of a node; -1 if there is no such node. Since 0.1. */
PRIVGRAPH_API int64_t pvg_graph_degree(const pvg_graph *graph, int64_t node);

/* Largest degree, 0 without edges. Exact: reading a degree bound off a private graph and
 * using it as a public one breaks every guarantee. Since 0.1. */
PRIVGRAPH_API int64_t pvg_graph_max_degree_exact(const pvg_graph *graph);

/* 1 if u and v are joined, 0 if not or if there is no such node. O(log degree). Since
 * 0.1. */
PRIVGRAPH_API PVG_BOOL int32_t pvg_graph_has_edge(const pvg_graph *graph, int64_t u,
                                                  int64_t v);

/* Lends the rows; the pointers live as long as the graph. offsets: order + 1 entries;
 * columns: 2 * size entries, ascending in every row. Since 0.1. */
PRIVGRAPH_API int32_t pvg_graph_view_csr(PVG_LEN(order + 1) const int64_t **offsets,
                                         PVG_LEN(2 * size) const int32_t **columns,
                                         const pvg_graph *graph);

/* Lends the neighbours of one node. Since 0.1. */
PRIVGRAPH_API int32_t pvg_graph_view_neighbours(PVG_LEN(*count)
                                                    const int32_t **neighbours,
                                                int64_t *count, const pvg_graph *graph,
                                                int64_t node);

/* Copies the edges, each once with source < target, in ascending order, into two arrays
 * of `size` entries. Since 0.1. */
PRIVGRAPH_API int32_t pvg_graph_copy_edges(PVG_LEN(size) int64_t *sources,
                                           PVG_LEN(size) int64_t *targets,
                                           const pvg_graph *graph);

/* --- graph sets ------------------------------------------------------------------ */

/* Many graphs in one block-diagonal CSR, each with an optional class label and real
 * targets, optional label per node. At most 2^31 - 1 nodes in all. Immutable. */
typedef struct pvg_graphset pvg_graphset;

/* A set under construction. */
typedef struct pvg_graphset_builder pvg_graphset_builder;

/* New builder; every graph will carry `targets` real numbers (0 or more). Since 0.1. */
PRIVGRAPH_API int32_t pvg_graphset_builder_new(pvg_graphset_builder **out,
                                               int64_t targets);

/* Appends a copy of graph. label: its class, -1 for none. targets: as many numbers as the
 * builder was made for, NULL for all NaN. node_labels: order entries, NULL for none;
 * either every graph of a set has node labels or none. On failure the builder is
 * unchanged. Since 0.1. */
PRIVGRAPH_API int32_t pvg_graphset_builder_add(
    pvg_graphset_builder *builder, const pvg_graph *graph, int32_t label,
    PVG_OPT PVG_LEN("the targets of the builder") const double *targets,
    PVG_OPT PVG_LEN(order) const int32_t *node_labels);

/* Makes the set and empties the builder, which may be used again or freed. Since 0.1. */
PRIVGRAPH_API int32_t pvg_graphset_builder_finish(pvg_graphset **out,
                                                  pvg_graphset_builder *builder);

/* Wipes and frees, with the graphs added so far; NULL is fine. Since 0.1. */
PRIVGRAPH_API void pvg_graphset_builder_free(pvg_graphset_builder *builder);

/* All graphs at once, as in a batch: graph i owns nodes starts[i] .. starts[i+1]-1
 * (starts[0] is 0, count + 1 entries), and edges join numbers in the whole set; the edges
 * of all graphs may come in any order, and with policy as in pvg_graph_from_edges. An
 * edge between two graphs is PVG_E_ARGUMENT. labels: count entries, node_labels:
 * starts[count] entries; both may be NULL. Since 0.1. */
PRIVGRAPH_API int32_t pvg_graphset_from_edges(
    pvg_graphset **out, PVG_LEN(count + 1) const int64_t *starts, int64_t count,
    PVG_LEN(edges) const int64_t *sources, PVG_LEN(edges) const int64_t *targets,
    int64_t edges, PVG_FLAGS(EDGES) uint32_t policy,
    PVG_OPT PVG_LEN(count) const int32_t *labels,
    PVG_OPT PVG_LEN(starts[count]) const int32_t *node_labels, const pvg_run *run);

/* The same from block-diagonal compressed rows, as pvg_graph_from_csr. Since 0.1. */
PRIVGRAPH_API int32_t pvg_graphset_from_csr(
    pvg_graphset **out, PVG_LEN(count + 1) const int64_t *starts, int64_t count,
    PVG_LEN(starts[count] + 1) const int64_t *offsets,
    PVG_LEN(offsets[starts[count]]) const int32_t *columns,
    PVG_FLAGS(EDGES) uint32_t policy, PVG_OPT PVG_LEN(count) const int32_t *labels,
    PVG_OPT PVG_LEN(starts[count]) const int32_t *node_labels, const pvg_run *run);

/* Wipes and frees what no slice holds; NULL is fine. Since 0.1. */
PRIVGRAPH_API void pvg_graphset_free(pvg_graphset *set);

/* Graphs in the set; nodes of all graphs; real targets per graph. Zero for NULL. Since
 * 0.1. */
PRIVGRAPH_API int64_t pvg_graphset_count(const pvg_graphset *set);
PRIVGRAPH_API int64_t pvg_graphset_order(const pvg_graphset *set);
PRIVGRAPH_API int64_t pvg_graphset_target_count(const pvg_graphset *set);

/* A copy of graph number `index`. Since 0.1. */
PRIVGRAPH_API int32_t pvg_graphset_get(pvg_graph **out, const pvg_graphset *set,
                                       int64_t index);

/* Graphs first .. first + count - 1 as a set of their own, with labels, targets and node
 * labels. Nothing is copied: the sets share their arrays, which are wiped when the last
 * of them is freed, in any order and by any thread; a small slice keeps all of them.
 * Which graphs are taken must be public. Since 0.1. */
PRIVGRAPH_API int32_t pvg_graphset_slice(pvg_graphset **out, const pvg_graphset *set,
                                         int64_t first, int64_t count);

/* Lends the block-diagonal rows. Graph i owns nodes starts[i] .. starts[i+1]-1 and
 * columns are numbers in the whole set. starts: count + 1 entries; offsets: order + 1;
 * columns: offsets[order]. Of a slice that does not begin with the first graph, rows in
 * these numbers are made the first time (PVG_E_NOMEM) and kept. Since 0.1. */
PRIVGRAPH_API int32_t pvg_graphset_view_csr(PVG_LEN(count + 1) const int64_t **starts,
                                            PVG_LEN(order + 1) const int64_t **offsets,
                                            PVG_LEN((*offsets)[order])
                                                const int32_t **columns,
                                            const pvg_graphset *set);

/* Lends class labels (count entries), targets (count x target_count, row by row; *targets
 * is NULL if target_count is 0), node labels (order entries; NULL if the set has none).
 * Any output pointer may be NULL. Since 0.1. */
PRIVGRAPH_API int32_t pvg_graphset_view_labels(
    PVG_OPT PVG_LEN(count) const int32_t **labels,
    PVG_OPT PVG_LEN(count, target_count) const double **targets,
    PVG_OPT PVG_LEN(order) const int32_t **node_labels, const pvg_graphset *set);

/* --- node features and labels ---------------------------------------------------- */

/* A matrix of node features, one row per node, stored by its non-zero entries. Values
 * that are not finite are kept as 0: as private ones they stay so, because an error would
 * tell; where features are taken as public they are refused with row and column.
 * Immutable. */
typedef struct pvg_features pvg_features;

/* From a dense row-major matrix. Since 0.1. */
PRIVGRAPH_API int32_t pvg_features_from_dense(pvg_features **out, int64_t rows,
                                              int64_t columns,
                                              PVG_LEN(rows, columns)
                                                  const double *values);

/* The same from floats. Each of them is a double, so nothing is rounded. Since 0.1. */
PRIVGRAPH_API int32_t pvg_features_from_dense_float(pvg_features **out, int64_t rows,
                                                    int64_t columns,
                                                    PVG_LEN(rows, columns)
                                                        const float *values);

/* From compressed rows; within a row the columns ascend strictly. values NULL: all ones.
 * Since 0.1. */
PRIVGRAPH_API int32_t pvg_features_from_csr(pvg_features **out, int64_t rows,
                                            int64_t columns,
                                            PVG_LEN(rows + 1) const int64_t *offsets,
                                            PVG_LEN(offsets[rows]) const int32_t *indices,
                                            PVG_OPT PVG_LEN(offsets[rows])
                                                const double *values);
PRIVGRAPH_API int32_t
pvg_features_from_csr_float(pvg_features **out, int64_t rows, int64_t columns,
                            PVG_LEN(rows + 1) const int64_t *offsets,
                            PVG_LEN(offsets[rows]) const int32_t *indices,
                            PVG_OPT PVG_LEN(offsets[rows]) const float *values);

/* Wipes and frees; NULL is fine. Since 0.1. */
PRIVGRAPH_API void pvg_features_free(pvg_features *features);

/* Size of the matrix. Zero for NULL. Since 0.1. */
PRIVGRAPH_API int64_t pvg_features_rows(const pvg_features *features);
PRIVGRAPH_API int64_t pvg_features_columns(const pvg_features *features);

/* 1 if the number of columns was declared, 0 for NULL or if it was read off the entries
 * (io.h): no release that hides features takes them then. Since 0.1. */
PRIVGRAPH_API PVG_BOOL int32_t
pvg_features_columns_declared(const pvg_features *features);

/* A copy whose number of columns counts as read off the entries: for who passes features
 * through a container that cannot say so. Since 0.1. */
PRIVGRAPH_API int32_t pvg_features_copy_inferred(pvg_features **out,
                                                 const pvg_features *features);

/* Writes rows first_row .. first_row + count - 1 as a dense row-major matrix of
 * count x columns doubles. Since 0.1. */
PRIVGRAPH_API int32_t pvg_features_copy_dense(PVG_LEN(count, columns) double *out,
                                              const pvg_features *features,
                                              int64_t first_row, int64_t count);

/* Lends the compressed rows. Since 0.1. */
PRIVGRAPH_API int32_t pvg_features_view_csr(PVG_LEN(rows + 1) const int64_t **offsets,
                                            PVG_LEN((*offsets)[rows])
                                                const int32_t **indices,
                                            PVG_LEN((*offsets)[rows])
                                                const double **values,
                                            const pvg_features *features);

/* Class of each node, -1 where unknown. Below -1: kept as 0, and refused where labels are
 * taken as public, as entries of features that are not finite. Immutable. */
typedef struct pvg_labels pvg_labels;

/* From `count` entries. Since 0.1. */
PRIVGRAPH_API int32_t pvg_labels_from_array(pvg_labels **out,
                                            PVG_LEN(count) const int32_t *values,
                                            int64_t count);

/* Wipes and frees; NULL is fine. Since 0.1. */
PRIVGRAPH_API void pvg_labels_free(pvg_labels *labels);

/* Entries; largest label + 1. Zero for NULL. Since 0.1. */
PRIVGRAPH_API int64_t pvg_labels_count(const pvg_labels *labels);
PRIVGRAPH_API int64_t pvg_labels_classes(const pvg_labels *labels);

/* Lends the entries. Since 0.1. */
PRIVGRAPH_API int32_t pvg_labels_view(PVG_LEN(count) const int32_t **values,
                                      const pvg_labels *labels);

/* --- lists: persons and things ------------------------------------------------------ */

/* Which things each person has: purchases, visits, memberships, likes. Every entry has
 * one owner, so that a whole person can be hidden (PVG_NOTION_PERSON). Persons
 * 0..persons-1, things 0..things-1, at most 2^31 - 1 of each; the things of a person
 * ascending, one that is named twice counts once. Immutable.
 *
 * How many persons there are is public, and which thing has which number: the same in
 * every possible world, so neither may be read off the entries. A catalogue of what is on
 * sale is public; a list of what was sold is not. */
typedef struct pvg_lists pvg_lists;

/* What was read off the entries, combined with |. No release takes such lists; they serve
 * inside the program. */
enum { PVG_LISTS_INFERRED_PERSONS = 1, PVG_LISTS_INFERRED_THINGS = 2 };

/* From `count` entries in any order: person owners[i] has thing entries[i].
 * PVG_E_ARGUMENT names the first entry with a number out of range. O(persons + count)
 * time and the memory of the result, 8 bytes for each person and 4 for each entry. Since
 * 0.1. */
PRIVGRAPH_API int32_t pvg_lists_from_pairs(pvg_lists **out, int64_t persons,
                                           int64_t things,
                                           PVG_LEN(count) const int64_t *owners,
                                           PVG_LEN(count) const int64_t *entries,
                                           int64_t count,
                                           PVG_FLAGS(LISTS) uint32_t inferred);

/* From compressed rows: offsets has persons + 1 entries from 0 up, columns
 * offsets[persons], in any order within a row. Since 0.1. */
PRIVGRAPH_API int32_t pvg_lists_from_csr(pvg_lists **out, int64_t persons, int64_t things,
                                         PVG_LEN(persons + 1) const int64_t *offsets,
                                         PVG_LEN(offsets[persons]) const int32_t *columns,
                                         PVG_FLAGS(LISTS) uint32_t inferred);

/* Lists that stay where they are, and are read once for each draw. */
typedef struct pvg_lists_source {
    uint32_t size; /* sizeof(pvg_lists_source) */
    uint32_t reserved;
    /* Writes the things of a person, at most `capacity`, in any order, and returns how
     * many there are; below 0: it cannot. Called for persons 0, 1, 2, ... by one thread.
     * capacity: as many as there are things. */
    int64_t (*read)(void *context, int64_t person, int32_t *out, int64_t capacity);
    void *context; /* must live as long as the lists */
} pvg_lists_source;

/* Lists that are never in memory: draws take 4 bytes for each thing, whatever the number
 * of entries. A read that fails, or writes what is no thing, ends the draw after it was
 * paid for (PVG_E_IO). Since 0.1. */
PRIVGRAPH_API int32_t pvg_lists_from_source(pvg_lists **out, int64_t persons,
                                            int64_t things,
                                            const pvg_lists_source *source,
                                            PVG_FLAGS(LISTS) uint32_t inferred);

/* Wipes and frees; NULL is fine. Since 0.1. */
PRIVGRAPH_API void pvg_lists_free(pvg_lists *lists);

/* Persons; things; entries, which are private (0 where they come from a source). Zero for
 * NULL. Since 0.1. */
PRIVGRAPH_API int64_t pvg_lists_persons(const pvg_lists *lists);
PRIVGRAPH_API int64_t pvg_lists_things(const pvg_lists *lists);
PRIVGRAPH_API int64_t pvg_lists_size(const pvg_lists *lists);

/* PVG_LISTS_*: what was read off the entries; 0 if all was declared. For NULL both.
 * Since 0.1. */
PRIVGRAPH_API PVG_FLAGS(LISTS) uint32_t pvg_lists_inferred(const pvg_lists *lists);

/* Lends the rows; PVG_E_ARGUMENT where they come from a source. The pointers live as long
 * as the lists. Since 0.1. */
PRIVGRAPH_API int32_t pvg_lists_view_csr(PVG_LEN(persons + 1) const int64_t **offsets,
                                         PVG_LEN((*offsets)[persons])
                                             const int32_t **columns,
                                         const pvg_lists *lists);

/* --- a graph in several processes ------------------------------------------------- */

/* How numbers of several processes become one. */
enum {
    PVG_COMBINE_SUM = 0,
    PVG_COMBINE_MAX = 1 /* the largest */
};

/* Parts begin at multiples of so many nodes: then results are the same bits however a
 * graph is cut. */
enum { PVG_PARTS_ROWS = 4096 };

/* One process of several that hold a graph together, each the lists of consecutive nodes,
 * and how they speak with each other: by MPI in libprivgraph-mpi, by anything else in
 * other hosts. All processes are one curator, who is trusted: private values go from one
 * to the other.
 *
 * Nodes that are neighbours of own ones and owned elsewhere are borrowed: local numbers
 * are 0..own-1 for own nodes, then own..own+borrowed-1. Arrays are lent as long as the
 * handle lives and must not change.
 *
 * Functions are called from the thread that called the library, by all processes in the
 * same order. They return 0, or another number: they failed. combine and share must fail
 * in all processes or in none, or end the job; borrow may fail in one. */
typedef struct pvg_parts_config {
    uint32_t size; /* sizeof(pvg_parts_config) */
    /* 1: the nodes and their numbers are public, not made from edges. No release takes a
     * graph of which that is not said */
    PVG_BOOL int32_t declared;
    int32_t process, processes; /* this one, and how many there are */
    int64_t order;              /* nodes of the whole graph */
    int64_t first, own;         /* the own nodes: first, first + 1, ... */
    int64_t borrowed;
    PVG_LEN(own + 1) const int64_t *offsets; /* of the lists, from 0 */
    /* local numbers; the list of a node is ascending in the numbers of the whole graph */
    PVG_LEN(offsets[own]) const int32_t *neighbours;
    PVG_LEN(borrowed) const int64_t *borrows; /* their numbers in the whole, ascending */
    void *context;
    /* Fills rows own..own+borrowed-1 of a table of row_bytes each, whose own rows are
     * filled, with those of their owners. */
    int32_t (*borrow)(void *context, void *table, uint64_t row_bytes);
    /* Each of `count` numbers becomes the sum, or the largest, of those of all processes
     * (PVG_COMBINE_*). Sums do not overflow. */
    int32_t (*combine)(void *context, int64_t *values, int64_t count, int32_t how);
    /* The bytes of process 0 reach all. */
    int32_t (*share)(void *context, void *bytes, uint64_t length);
} pvg_parts_config;

/* Immutable. */
typedef struct pvg_parts pvg_parts;

/* A graph from its parts; all processes call it together. Checks each part for itself,
 * and by sums over all processes whether parts follow one another and every edge stands
 * in the lists of both its ends. The failure of one process is that of all, and its
 * message names the process. O(edges). Since 0.1. */
PRIVGRAPH_API int32_t pvg_parts_new(pvg_parts **out, const pvg_parts_config *config);

/* NULL is fine. Since 0.1. */
PRIVGRAPH_API void pvg_parts_free(pvg_parts *parts);

/* Nodes of the whole graph; own ones; the first of these. Zero for NULL. Since 0.1. */
PRIVGRAPH_API int64_t pvg_parts_order(const pvg_parts *parts);
PRIVGRAPH_API int64_t pvg_parts_own(const pvg_parts *parts);
PRIVGRAPH_API int64_t pvg_parts_first(const pvg_parts *parts);

/* --- public test data ------------------------------------------------------------ */

/* A seeded generator gives the same graph on every machine and any number of threads. */

/* Fixed graphs: path and cycle (order >= 3) on `order` nodes, complete graph, star with
 * one centre (node 0) and order - 1 leaves. Since 0.1. */
PRIVGRAPH_API int32_t pvg_graph_new_path(pvg_graph **out, int64_t order);
PRIVGRAPH_API int32_t pvg_graph_new_cycle(pvg_graph **out, int64_t order);
PRIVGRAPH_API int32_t pvg_graph_new_clique(pvg_graph **out, int64_t order);
PRIVGRAPH_API int32_t pvg_graph_new_star(pvg_graph **out, int64_t order);

/* Erdos-Renyi G(order, probability): every pair an edge independently; expected
 * O(order + edges) time. Since 0.1. */
PRIVGRAPH_API int32_t pvg_graph_draw_erdos_renyi(pvg_graph **out, int64_t order,
                                                 double probability, pvg_rng *rng,
                                                 const pvg_run *run);

/* Stochastic block model: block b has block_orders[b] consecutive nodes; a pair from
 * blocks a, b is an edge with probability probabilities[a * blocks + b] (symmetric).
 * Since 0.1. */
PRIVGRAPH_API int32_t pvg_graph_draw_blocks(pvg_graph **out,
                                            PVG_LEN(blocks) const int64_t *block_orders,
                                            PVG_LEN(blocks, blocks)
                                                const double *probabilities,
                                            int64_t blocks, pvg_rng *rng,
                                            const pvg_run *run);

/* Barabasi-Albert: starts from a clique on attach + 1 nodes, every further node joins
 * `attach` distinct earlier ones chosen proportionally to degree. Since 0.1. */
PRIVGRAPH_API int32_t pvg_graph_draw_preferential(pvg_graph **out, int64_t order,
                                                  int64_t attach, pvg_rng *rng,
                                                  const pvg_run *run);

/* Chung-Lu: a pair u, v is an edge with probability min(1, w_u w_v / sum of w); expected
 * O(order log order + edges) time. weights: finite, >= 0. Since 0.1. */
PRIVGRAPH_API int32_t pvg_graph_draw_chung_lu(pvg_graph **out,
                                              PVG_LEN(order) const double *weights,
                                              int64_t order, pvg_rng *rng,
                                              const pvg_run *run);

/* A uniformly random labelled tree. Since 0.1. */
PRIVGRAPH_API int32_t pvg_graph_draw_tree(pvg_graph **out, int64_t order, pvg_rng *rng);

/* A random k-tree: a clique on width + 1 nodes, then every node joins a clique of `width`
 * nodes chosen uniformly among those present. order >= width + 1. Since 0.1. */
PRIVGRAPH_API int32_t pvg_graph_draw_ktree(pvg_graph **out, int64_t order, int64_t width,
                                           pvg_rng *rng);

/* The SBM classes of the homomorphism-density paper (appendix C.2): for each of `classes`
 * values zeta[c], `per_class` graphs of `order` nodes; graph labels are the class
 * numbers. q is the mean edge probability. Since 0.1. */
PRIVGRAPH_API int32_t pvg_graphset_draw_sbm(pvg_graphset **out, int64_t order,
                                            PVG_LEN(classes) const double *zeta,
                                            int64_t classes, int64_t per_class, double q,
                                            pvg_rng *rng, const pvg_run *run);

/* The chain data sets of the CARIBOU paper, smallest to largest. */
enum { PVG_CHAINS_S = 0, PVG_CHAINS_M = 1, PVG_CHAINS_L = 2, PVG_CHAINS_X = 3 };

/* Chains of the CARIBOU paper (appendix D.1): two classes of 3, 3, 3, 5 paths of 8, 10,
 * 15, 15 nodes. Five features, all zero but for the first node of a path, which has a one
 * in the column of its class; the label of a node is the class of its path. The nodes are
 * numbered at random, path by path if rng is NULL. Since 0.1. */
PRIVGRAPH_API int32_t pvg_graph_draw_chains(pvg_graph **graph, pvg_features **features,
                                            pvg_labels **labels,
                                            PVG_ENUM(CHAINS) int32_t dataset,
                                            PVG_OPT pvg_rng *rng);

#ifdef __cplusplus
}
#endif

#endif
