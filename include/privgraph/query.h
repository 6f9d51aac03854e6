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
#include "perturb.h"
#include "sensitivity.h"
#include "statistic.h"
#include "tradeoff.h"

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
    uint32_t size;          /* sizeof(pvg_preview_config) */
    PVG_BOOL int32_t brief; /* 1: noise and range, no search for what would be enough */
    int64_t order;          /* nodes or users; 0: as the query says */
    int64_t common; /* a guess of what two nodes have in common, where noise follows it */
} pvg_preview_config;

/* New preview: range, noise and verdict of each column. PVG_E_PRIVACY for
 * smooth noise. Since 0.1. */
PRIVGRAPH_API int32_t pvg_query_preview(pvg_tradeoff **out, const pvg_query *query,
                                        PVG_OPT const pvg_preview_config *config,
                                        const pvg_run *run);

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
} pvg_input;

/* Shape of the numbers; 0 if it gives something else. Since 0.1. */
PRIVGRAPH_API int32_t pvg_query_shape(int64_t *rows, int64_t *columns,
                                      const pvg_query *query, const pvg_input *input);

/* The numbers without noise. Must not be published. Since 0.1. */
PRIVGRAPH_API int32_t pvg_query_values_exact(PVG_LEN("rows x columns") double *out,
                                             const pvg_query *query,
                                             const pvg_input *input, const pvg_run *run);

/* --- private embeddings of graphs ------------------------------------------------ */

/* Everything about a private embedding that is public: patterns, degree bound, budget.
 * Compiled once, used for any number of graphs. Immutable. */
typedef struct pvg_embedder pvg_embedder;

/* In which unit a coordinate is released: the density times a public number. It matters
 * for how noise is shared among coordinates, and for a learner that compares graphs of
 * different orders. */
enum pvg_scaling {
    PVG_SCALING_RANGE = 0,   /* density / largest density of the premise: in [0, 1] */
    PVG_SCALING_DENSITY = 1, /* hom(F, G) / n^m, as published */
    PVG_SCALING_PER_NODE = 2 /* hom(F, G) / n per component: the mean over nodes */
};

/* The word for a unit in options and bindings ("per-node"); NULL if there is none, so
 * that they can be listed: numbers from 0 up have one. Since 0.1. */
PRIVGRAPH_API const char *pvg_scaling_name(PVG_ENUM(SCALING) int32_t scaling);

/* Whether coordinates share part of their noise. An edge raises all counts together, and
 * what they have in common is paid for once. Same guarantee, less noise; outcomes of one
 * graph are then correlated, as the record says. For Gaussian, Laplace and discrete
 * Gaussian noise with the optimal allocation. */
enum pvg_joint {
    PVG_JOINT_AUTO = 0,    /* the one with the least weighted variance */
    PVG_JOINT_NEVER = 1,   /* noise of coordinates is independent */
    PVG_JOINT_ONE_WAY = 2, /* one noise shared by all, next to those of their own */
    /* noise in the shape of the joint changes, where they are known: two or more trees of
     * diameter 4 or less (4: degrees up to 4), a degree bound, Gaussian or discrete
     * Gaussian noise; else PVG_E_PRIVACY. Other patterns of the list get noise that is
     * apart or one-way, and a share of the budget. Made with the embedder */
    PVG_JOINT_ELLIPSOID = 3
};

/* The word for one of them, as for pvg_scaling_name. Since 0.1. */
PRIVGRAPH_API const char *pvg_joint_name(PVG_ENUM(JOINT) int32_t joint);

typedef struct pvg_embedder_config {
    uint32_t size; /* sizeof(pvg_embedder_config) */
    /* PVG_DEGREES_*: where the degree bound comes from */
    PVG_ENUM(DEGREES) int32_t degrees;
    int64_t degree_bound;              /* 0 for PVG_DEGREES_ANY */
    PVG_ENUM(SCALING) int32_t scaling; /* PVG_SCALING_* */
    /* 1: one more column, the number of nodes, without noise: the nodes are public here,
     * and densities do not see blow-ups */
    PVG_BOOL int32_t append_order;
    PVG_BOOL int32_t saturate; /* 1: clamp outcomes to the public range */
    PVG_ENUM(JOINT) int32_t joint;
} pvg_embedder_config;

/* New embedder. target: budget and noise law (mechanism.h); it is met for every graph on
 * its own. weights: one positive number per pattern, how much its squared error matters,
 * for PVG_ALLOCATION_OPTIMAL; NULL: all 1. Smooth noise needs degrees ANY or PROMISED.
 *
 * Takes time only where an ellipsoid is made (PVG_JOINT_AUTO, _ELLIPSOID): up to some
 * seconds and 20 MB. run->scratch_limit below what that needs: AUTO does without,
 * ELLIPSOID is PVG_E_LIMIT. Since 0.1. */
PRIVGRAPH_API int32_t pvg_embedder_new(pvg_embedder **out, const pvg_patterns *patterns,
                                       PVG_OPT const pvg_embedder_config *config,
                                       const pvg_target *target,
                                       PVG_OPT PVG_LEN(count) const double *weights,
                                       const pvg_run *run);
/* NULL is fine. Since 0.1. */
PRIVGRAPH_API void pvg_embedder_free(pvg_embedder *embedder);

/* Columns of a release: one per pattern, one more with append_order. 0 for NULL. Since
 * 0.1. */
PRIVGRAPH_API int64_t pvg_embedder_columns(const pvg_embedder *embedder);

/* What a graph of `order` nodes will get, before any budget is spent: per pattern the
 * edge sensitivity, the largest value, and the noise scale: root of the sum of squares
 * of its own and the shared one, if there are two. Any output may be NULL.
 * scales must be NULL for smooth noise (PVG_E_PRIVACY): there the scale is private. Since
 * 0.1. */
PRIVGRAPH_API int32_t
pvg_embedder_preview(PVG_OPT PVG_LEN("one for each pattern") double *sensitivities,
                     PVG_OPT PVG_LEN("one for each pattern") double *ranges,
                     PVG_OPT PVG_LEN("one for each pattern") double *scales,
                     const pvg_embedder *embedder, int64_t order);

/* The covariance of that noise, row by row, in the units of the release: diagonal unless
 * coordinates share noise (PVG_JOINT_*). PVG_E_PRIVACY for smooth noise. Since 0.1. */
PRIVGRAPH_API int32_t
pvg_embedder_covariance(PVG_LEN("the square of the number of patterns") double *out,
                        const pvg_embedder *embedder, int64_t order);

/* For audits on public graphs: out[r] is the logarithm of the ratio of likelihoods of
 * row r of `values` (columns as released) if the graph of `order` nodes has the densities
 * `second`, to that if it has `first` (density.h, one number per pattern; of the
 * truncated graph if the embedder truncates). The joint law of the noise, as the
 * release draws it, up to its grid: no attack on an edge has a better score. Not for
 * values that were saturated; PVG_E_PRIVACY for smooth noise. Since 0.1. */
PRIVGRAPH_API int32_t pvg_embedder_compare_exact(
    PVG_LEN(rows) double *out, PVG_LEN("rows x columns") const double *values,
    int64_t rows, PVG_LEN("one for each pattern") const double *first,
    PVG_LEN("one for each pattern") const double *second, const pvg_embedder *embedder,
    int64_t order);

/* New tradeoff (tradeoff.h) for graphs of `order` nodes: next to what
 * pvg_embedder_preview tells, which patterns can be learned about at this budget, and
 * from which epsilon or order on. The noise is that of the release, in its units. The
 * target has epsilon (and delta), no parameter. PVG_E_PRIVACY for smooth noise. Some
 * thousand evaluations of the whole list. Since 0.1. */
PRIVGRAPH_API int32_t pvg_embedder_tradeoff(pvg_tradeoff **out,
                                            const pvg_embedder *embedder, int64_t order,
                                            const pvg_run *run);

/* What is promised for graphs of these orders, drawn together with a secure generator:
 * a new handle. Since 0.1. */
PRIVGRAPH_API int32_t pvg_embedder_guarantee(pvg_guarantee **out,
                                             const pvg_embedder *embedder,
                                             PVG_LEN(count) const int64_t *orders,
                                             int64_t count);

/* --- private message passing ------------------------------------------------------- */

/* Everything about private message passing that is public: layers, premise, budget.
 * Compiled once, used for any graph of that order. Immutable. */
typedef struct pvg_propagator pvg_propagator;

/* Where noise is added, and what is released. */
enum {
    /* the one of the next two with less noise at the output; HOPS for rows normalised to
     * the sphere. OUTPUT if they are alike. */
    PVG_PROPAGATION_AUTO = 0,
    /* noise after every layer, the last state released and no other: what layers forget
     * is not paid for */
    PVG_PROPAGATION_PERTURBED = 1,
    PVG_PROPAGATION_OUTPUT = 2, /* exact layers, noise on the last state */
    /* noise after every layer, all states released (aggregation perturbation) */
    PVG_PROPAGATION_HOPS = 3
};

typedef struct pvg_propagator_config {
    uint32_t size;                        /* sizeof(pvg_propagator_config) */
    PVG_ENUM(PROPAGATION) int32_t method; /* PVG_PROPAGATION_* */
    PVG_ENUM(CHANGE) int32_t change;      /* PVG_CHANGE_*: what is hidden */
    /* 1: noise for pvg_sensitivity_layers_published. Its epsilon is infinite unless that
     * is at least the proven sensitivity. For comparison, PERTURBED only. */
    PVG_BOOL int32_t published;
    /* Standard deviation of each noise draw instead of a budget: the target then has no
     * epsilon and no parameter, and what is spent follows. 0: from the budget. */
    double scale;
    /* 1: rows of the features are pulled into the L1 unit ball instead of the Euclidean
     * one, so that one hop may have Laplace noise: an edge moves two rows, each by 1 in
     * L1. For one SUM layer of projected rows without weights, activation, contraction,
     * mean or residual, at edge level, without truncation; method AUTO or HOPS. Noise:
     * LAPLACE (pure epsilon), GAUSSIAN, or with DEFAULT the one with the smaller standard
     * deviation; LAPLACE if delta is 0. */
    int32_t l1_rows;
    int32_t reserved;
} pvg_propagator_config;

/* New propagator for graphs of exactly premise->order nodes with `columns` features.
 * config NULL: AUTO at edge level. target: the budget; its noise is DEFAULT or GAUSSIAN,
 * with l1_rows LAPLACE as well.
 *
 * At edge level features are public, or protected by other means: the guarantee does not
 * cover them. At node level those of the node are covered. PVG_E_PRIVACY where no bound
 * is proven (see pvg_sensitivity_layers), or no finite one exists; PVG_E_LIMIT if noise
 * and range are too far apart for 62 bits. Since 0.1. */
PRIVGRAPH_API int32_t pvg_propagator_new(pvg_propagator **out, const pvg_layers *layers,
                                         const pvg_premise *premise, int64_t columns,
                                         PVG_OPT const pvg_propagator_config *config,
                                         const pvg_target *target);
/* NULL is fine. Since 0.1. */
PRIVGRAPH_API void pvg_propagator_free(pvg_propagator *propagator);

/* What a release will be, before any budget is spent. */
typedef struct pvg_propagation_preview {
    uint32_t size;   /* sizeof(pvg_propagation_preview), set by the caller */
    int32_t method;  /* the one chosen */
    int64_t columns; /* of the release: features, times layers for HOPS */
    double mu;       /* Gaussian-DP parameter spent */
    double epsilon;  /* at the target's delta; infinite if none holds, as at delta 0 */
    double scale;    /* standard deviation of each noise draw */
    double grid;     /* values are multiples of this power of two */
    /* standard deviation of the noise in a number of the last state, as though no
     * projection acted: noise of earlier layers included, as little of it averaged away
     * as the premise allows */
    double output_noise;
    double other_noise; /* of the other method that AUTO looked at, 0 if there is none */
    double sensitivity; /* in Frobenius norm, rounding included: of the last state
                         * (OUTPUT), else the largest of a layer */
    double gamma;       /* largest Lipschitz constant of layers after the first */
} pvg_propagation_preview;

/* Since 0.1. */
PRIVGRAPH_API int32_t pvg_propagator_preview(pvg_propagation_preview *out,
                                             const pvg_propagator *propagator);

/* New tradeoff (tradeoff.h), a line for each released state: the largest root mean square
 * of the norms of its rows, over all graphs and features of the premise, against the
 * noise, which is the same in every direction of a row. If no line is informative, a row
 * is drowned in whatever direction one looks. Since 0.1. */
PRIVGRAPH_API int32_t pvg_propagator_tradeoff(pvg_tradeoff **out,
                                              const pvg_propagator *propagator);

/* Lends the guarantee of one release with a secure generator; NULL for NULL. Since 0.1.
 */
PRIVGRAPH_API const pvg_guarantee *
pvg_propagator_guarantee(const pvg_propagator *propagator);

/* Layers; 0 for NULL. Since 0.1. */
PRIVGRAPH_API int64_t pvg_propagator_depth(const pvg_propagator *propagator);

/* Per layer: Lipschitz constant, sensitivity as in pvg_sensitivity_layers, standard
 * deviation of its noise (0: none). Any output may be NULL. Since 0.1. */
PRIVGRAPH_API int32_t pvg_propagator_copy_layers(PVG_OPT PVG_LEN(depth) double *gammas,
                                                 PVG_OPT PVG_LEN(depth) double *shifts,
                                                 PVG_OPT PVG_LEN(depth) double *scales,
                                                 const pvg_propagator *propagator);

#ifdef __cplusplus
}
#endif

#endif
