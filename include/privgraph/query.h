/* query: what is asked of private data. Include <privgraph.h>.
 *
 * A query is a kind, its options, public arrays and a budget. It is public and knows its
 * guarantee, columns and noise before it sees anything private; pvg_release_draw answers
 * it. privgraph-queries(7) lists kinds and options. */
#ifndef PRIVGRAPH_QUERY_H
#define PRIVGRAPH_QUERY_H

#include "base.h"
#include "graph.h"
#include "guarantee.h"
#include "layer.h"
#include "mechanism.h"
#include "pattern.h"
#include "preview.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- asking ------------------------------------------------------------------------ */

/* Immutable. */
typedef struct pvg_query pvg_query;
typedef struct pvg_release pvg_release;
/* What training reads: made in network.h, only carried here. */
typedef struct pvg_dataset pvg_dataset;

/* Public arrays and handles; which of them a kind takes its table says, another one that
 * is set is refused. Copied. Known without the private data, or made from `sources`. */
typedef struct pvg_arguments {
    uint32_t size; /* sizeof(pvg_arguments) */
    int32_t reserved;
    int64_t order;                           /* nodes, or persons of lists */
    PVG_LEN(order) const int32_t *kinds;     /* of each node; -1: none */
    PVG_LEN(order) const int32_t *groups;    /* of each node; -1: none */
    PVG_LEN(order) const double *priorities; /* of each node */
    PVG_LEN(order, order) const double *similarities;
    int64_t weight_rows, weight_columns;
    PVG_LEN(weight_rows, weight_columns) const double *weights;
    int64_t ranges; /* 1: the same for all columns */
    PVG_LEN(ranges) const double *low;
    PVG_LEN(ranges) const double *high;
    const pvg_patterns *patterns; /* instead of the option */
    const pvg_layers *layers;
    PVG_LEN(source_count) const pvg_release **sources; /* the record names their draws */
    int64_t source_count;
    PVG_LEN(thing_count) const int32_t *things; /* of lists; distinct */
    int64_t thing_count;
} pvg_arguments;

/* New query from text: "stars leaves=3", "degrees levels=4 ranks=4 epsilon=1",
 * "embed patterns=edge,triangle max-degree=20". Parts of a joined one stand between plus
 * signs, with shares of epsilon: "scalars list=edges share=1 + triangles share=2"; all
 * must be pure, of one notion. An option stands there once; one that is left out has its
 * default. epsilon, delta, noise, parameter, beta and allocation are options of every
 * kind: here or in target, PVG_E_ARGUMENT if in both. Whoever takes text from strangers
 * gives the target. PVG_E_ARGUMENT names kind, option and place. Since 0.1. */
PRIVGRAPH_API int32_t pvg_query_new(pvg_query **out, const char *text,
                                    PVG_OPT const pvg_arguments *arguments,
                                    PVG_OPT const pvg_target *target, const pvg_run *run);

/* The same from queries, which have arguments of their own: their epsilons add. Since
 * 0.1. */
PRIVGRAPH_API int32_t pvg_query_join(pvg_query **out, PVG_LEN(count) pvg_query **parts,
                                     int64_t count);

/* NULL is fine. Since 0.1. */
PRIVGRAPH_API void pvg_query_free(pvg_query *query);

/* --- looking at it: public, spends nothing ------------------------------------------ */

/* All kinds with their options, as JSON; the query with everything filled in, which
 * pvg_query_new takes again (arrays stand there as digests and must be given again); what
 * it will do on `order` nodes (method chosen, constants of layers, edges that noise
 * adds, noise of a training), as JSON. (out, capacity, length) as pvg_build_info_copy.
 * Since 0.1. */
PRIVGRAPH_API int32_t pvg_query_copy_kinds(char *out, size_t capacity, size_t *length);
PRIVGRAPH_API int32_t pvg_query_copy_text(char *out, size_t capacity, size_t *length,
                                          const pvg_query *query);
PRIVGRAPH_API int32_t pvg_query_copy_json(char *out, size_t capacity, size_t *length,
                                          const pvg_query *query, int64_t order);

/* 128-bit digest of text and arrays: equal queries have equal ids. Since 0.1. */
PRIVGRAPH_API int32_t pvg_query_copy_id(uint64_t *high, uint64_t *low,
                                        const pvg_query *query);

/* New guarantee of one draw about objects of these orders (NULL: as the query says) with
 * a secure generator. It also tells the columns (guarantee.h). Since 0.1. */
PRIVGRAPH_API int32_t pvg_query_guarantee(pvg_guarantee **out, const pvg_query *query,
                                          PVG_OPT PVG_LEN(count) const int64_t *orders,
                                          int64_t count);

typedef struct pvg_preview_config {
    uint32_t size; /* sizeof(pvg_preview_config) */
    /* 1: noise, range and verdict; nothing is searched for: epsilon_min is NaN and
     * order_min 0 */
    PVG_BOOL int32_t brief;
    int64_t order;  /* nodes or users; 0: as the query says */
    int64_t common; /* a guess of what two nodes have in common, where noise follows it */
    /* A guess of the mean degree, for capped-edges and capped-degrees whose cap is drawn:
     * noise is that of the cap such graphs get (six times the mean), and range is how
     * many edges there are, or how far their degrees are from a geometric law of that
     * mean at least. 0: none, and noise and range are those of the largest cap. */
    double mean_degree;
} pvg_preview_config;

/* New preview: range, noise and verdict of each column. PVG_E_PRIVACY for
 * smooth noise. Since 0.1. */
PRIVGRAPH_API int32_t pvg_query_preview(pvg_preview **out, const pvg_query *query,
                                        PVG_OPT const pvg_preview_config *config,
                                        const pvg_run *run);

/* What an embedding of graphs of these orders (NULL: as the query says) costs at most to
 * count on one thread: *operations and, on this machine, *seconds, as pvg_density_cost
 * has them, by the degree bound of the query or for any degrees. It is a bound for the
 * worst graphs: most take far less, and the less the lower the degree bound. Public.
 * PVG_E_ARGUMENT for other kinds. Since 0.1. */
PRIVGRAPH_API int32_t pvg_query_cost(double *operations, double *seconds,
                                     const pvg_query *query,
                                     PVG_OPT PVG_LEN(count) const int64_t *orders,
                                     int64_t count);

/* Covariance of the noise of a row, columns x columns. Since 0.1. */
PRIVGRAPH_API int32_t pvg_query_covariance(PVG_LEN("columns squared") double *out,
                                           const pvg_query *query, int64_t order);

/* For audits on public graphs, of a query of embed: out[r] is the logarithm of the ratio
 * of likelihoods of row r of `values` (columns as released) if the graph of `order` nodes
 * has the densities `second`, to that if it has `first` (density.h, one number per
 * pattern; of the truncated graph if the query truncates). The joint law of the noise, as
 * the release draws it, up to its grid: no attack on an edge has a better score. Not for
 * values that were saturated; PVG_E_PRIVACY for smooth noise. Since 0.1. */
PRIVGRAPH_API int32_t pvg_query_compare_exact(
    PVG_LEN(rows) double *out, PVG_LEN("rows x columns") const double *values,
    int64_t rows, PVG_LEN("one for each pattern") const double *first,
    PVG_LEN("one for each pattern") const double *second, const pvg_query *query,
    int64_t order);

/* What a release holds. */
enum {
    PVG_HOLDS_NUMBERS = 1,
    PVG_HOLDS_GRAPH = 2,
    PVG_HOLDS_GRAPHS = 4,
    PVG_HOLDS_LISTS = 8,
    PVG_HOLDS_LABELS = 16,
    PVG_HOLDS_FEATURES = 32,
    PVG_HOLDS_MODEL = 64 /* pvg_release_view_model of libprivgraph-learn */
};

/* --- what it is asked of ----------------------------------------------------------- */

/* Parts of private data; combined with |. */
enum {
    PVG_DATA_GRAPH = 1,
    PVG_DATA_FEATURES = 2,
    PVG_DATA_LABELS = 4,
    PVG_DATA_LISTS = 8
};

/* PVG_DATA_* that it reads; 0 for NULL. Since 0.1. */
PRIVGRAPH_API PVG_FLAGS(DATA) uint32_t pvg_query_reads(const pvg_query *query);

/* Lent for a call. Exactly what the query reads is set. Handles know whether their nodes
 * and columns were declared or inferred: inferred ones that an outcome would show are
 * PVG_E_PRIVACY. A part that is read, but not hidden by the notion, must be open. */
typedef struct pvg_input {
    uint32_t size;                 /* sizeof(pvg_input) */
    PVG_FLAGS(DATA) uint32_t open; /* public, or made from sources */
    const pvg_graph *graph;
    const pvg_graphset *set; /* instead: each graph is an object with a row of its own */
    const pvg_features *features;
    const pvg_labels *labels;
    const char *object; /* name of the private object; graph i of a set: NAME:i */
    PVG_LEN(object_count) const uint64_t *objects; /* instead: numbers */
    int64_t object_count;
    PVG_LEN(source_count) const pvg_release **sources;
    int64_t source_count;
    /* for training, instead of all parts: it knows which of its own are private, and the
     * draws behind those that were released; sources are those behind private ones */
    const pvg_dataset *dataset;
    const pvg_lists *lists; /* labels beside them are the groups of persons */
    /* instead of graph: one that several processes hold, all of which make the call with
     * the same query (graph.h). Features beside it are those of the own nodes. Numbers of
     * nodes are released to their owners, all others to every process; process 0 alone
     * has a ledger, and the others NULL. Kinds that cannot do it say so. */
    const pvg_parts *parts;
} pvg_input;

/* Shape of the numbers; 0 if it gives something else. Since 0.1. */
PRIVGRAPH_API int32_t pvg_query_shape(int64_t *rows, int64_t *columns,
                                      const pvg_query *query, const pvg_input *input);

/* The numbers without noise. Must not be published. Since 0.1. */
PRIVGRAPH_API int32_t pvg_query_values_exact(PVG_LEN("rows x columns") double *out,
                                             const pvg_query *query,
                                             const pvg_input *input, const pvg_run *run);

#ifdef __cplusplus
}
#endif

#endif
