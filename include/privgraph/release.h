/* release: the only door out. Include <privgraph.h>.
 *
 * A pvg_release holds numbers that may be published and the guarantee under which they
 * were made. Here the private lane (graphs, exact densities) meets the public one
 * (sensitivities, noise); nowhere else. */
#ifndef PRIVGRAPH_RELEASE_H
#define PRIVGRAPH_RELEASE_H

#include "base.h"
#include "graph.h"
#include "guarantee.h"
#include "layer.h"
#include "ledger.h"
#include "mechanism.h"
#include "pattern.h"
#include "perturb.h"
#include "rng.h"
#include "sensitivity.h"
#include "statistic.h"
#include "tradeoff.h"

#ifdef __cplusplus
extern "C" {
#endif

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
    PVG_LEN(rows) double *out, PVG_LEN(rows, columns) const double *values, int64_t rows,
    PVG_LEN("one for each pattern") const double *first,
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

/* --- releases ---------------------------------------------------------------------- */

/* Numbers, a graph, lists or labels, and their guarantee. Immutable.
 *
 * The nodes and their numbers are public in all of them: the same in every world, not
 * made from edges (graph.h). A graph whose nodes were read off its edges
 * (pvg_graph_order_told) is refused with PVG_E_PRIVACY, before a ledger pays. So
 * are hidden features whose number of columns was read off them (io.h). */
typedef struct pvg_release pvg_release;

/* Embeds every graph of a set: one row per graph. Each graph is its own private object,
 * so the guarantee of the record holds for each of them and does not add up over the set;
 * releasing the same graph again does add up. The generator must be secure unless the
 * target allows a seeded one, and then nothing is private. Values do not depend on
 * run->threads.
 *
 * ledger, if not NULL, is charged first: one charge to each of objects[0 .. count - 1],
 * the numbers of the graphs in the ledger. If the budget does not allow it, nothing is
 * looked at (PVG_E_PRIVACY). A charge stays, even if the release fails later. Since 0.1.
 */
PRIVGRAPH_API int32_t pvg_release_draw_embeddings(
    pvg_release **out, const pvg_embedder *embedder, const pvg_graphset *set,
    PVG_OPT PVG_LEN(count) const uint64_t *objects, pvg_rng *rng,
    PVG_OPT pvg_ledger *ledger, const pvg_run *run);
/* The same for one graph, whose number in the ledger is `object`. Since 0.1. */
PRIVGRAPH_API int32_t pvg_release_draw_embedding(pvg_release **out,
                                                 const pvg_embedder *embedder,
                                                 const pvg_graph *graph, uint64_t object,
                                                 pvg_rng *rng, PVG_OPT pvg_ledger *ledger,
                                                 const pvg_run *run);

/* The common case in one call: patterns by name ("edge,triangle,cycle6"), a budget, one
 * graph. A row of numbers in [0, 1] plus noise, hidden edge by edge at epsilon and delta
 * 1e-6, with all defaults and a secure generator: what pvg_patterns_from_names,
 * pvg_embedder_new and pvg_release_draw_embedding do. degree_bound: a public number from
 * elsewhere, to which degrees are truncated, so that there is far less noise; 0: none.
 * Whether anything will be seen pvg_embedder_tradeoff tells before it is paid for; if
 * nothing will be, a warning goes to pvg_log. Since 0.1. */
PRIVGRAPH_API int32_t pvg_release_draw_patterns(pvg_release **out, const pvg_graph *graph,
                                                const char *patterns, double epsilon,
                                                int64_t degree_bound, uint64_t object,
                                                PVG_OPT pvg_ledger *ledger,
                                                const pvg_run *run);

/* Perturbs a graph, the features or the labels of its nodes (perturb.h). The guarantee is
 * the perturber's; object is the number that the private input has in the ledger, which
 * is charged first (may be NULL). The perturber must be one for such an input. The result
 * does not depend on run->threads. Since 0.1. */
PRIVGRAPH_API int32_t pvg_release_draw_graph(pvg_release **out,
                                             const pvg_perturber *perturber,
                                             const pvg_graph *graph, uint64_t object,
                                             pvg_rng *rng, PVG_OPT pvg_ledger *ledger,
                                             const pvg_run *run);
/* The same for every graph of a set, each a private object of its own as in
 * pvg_release_draw_embeddings: all pay or none. Since 0.1. */
PRIVGRAPH_API int32_t pvg_release_draw_graphs(
    pvg_release **out, const pvg_perturber *perturber, const pvg_graphset *set,
    PVG_OPT PVG_LEN(count) const uint64_t *objects, pvg_rng *rng,
    PVG_OPT pvg_ledger *ledger, const pvg_run *run);
PRIVGRAPH_API int32_t pvg_release_draw_features(
    pvg_release **out, const pvg_perturber *perturber, const pvg_features *features,
    uint64_t object, pvg_rng *rng, PVG_OPT pvg_ledger *ledger, const pvg_run *run);
PRIVGRAPH_API int32_t pvg_release_draw_labels(pvg_release **out,
                                              const pvg_perturber *perturber,
                                              const pvg_labels *labels, uint64_t object,
                                              pvg_rng *rng, PVG_OPT pvg_ledger *ledger,
                                              const pvg_run *run);

/* Private message passing: one row per node, the last state (PERTURBED, OUTPUT) or all
 * states side by side, first layer first (HOPS). Rows are not projected; doing so is the
 * caller's post-processing. graph and features have the propagator's shape, features
 * finite numbers, pulled into the unit ball row by row first. Degrees are truncated if
 * the premise says so. object, rng, ledger, run as above. Since 0.1. */
PRIVGRAPH_API int32_t pvg_release_draw_propagation(
    pvg_release **out, const pvg_propagator *propagator, const pvg_graph *graph,
    const pvg_features *features, uint64_t object, pvg_rng *rng,
    PVG_OPT pvg_ledger *ledger, const pvg_run *run);

/* Draws a statistic (statistic.h): its rows and columns of numbers. The guarantee is the
 * statistic's; object, rng, ledger, run as above. Does not depend on run->threads. Since
 * 0.1. */
PRIVGRAPH_API int32_t pvg_release_draw_statistic(pvg_release **out,
                                                 const pvg_statistic *statistic,
                                                 const pvg_graph *graph, uint64_t object,
                                                 pvg_rng *rng, PVG_OPT pvg_ledger *ledger,
                                                 const pvg_run *run);

/* The same for every graph of a set: a row for each, with the rows of the statistic one
 * after the other in it. Each graph is a private object of its own as in
 * pvg_release_draw_embeddings: all pay or none. A statistic for one order takes sets of
 * graphs of that order. Does not depend on run->threads. Since 0.1. */
PRIVGRAPH_API int32_t pvg_release_draw_statistics(
    pvg_release **out, const pvg_statistic *statistic, const pvg_graphset *set,
    PVG_OPT PVG_LEN(count) const uint64_t *objects, pvg_rng *rng,
    PVG_OPT pvg_ledger *ledger, const pvg_run *run);

/* NULL is fine. Since 0.1. */
PRIVGRAPH_API void pvg_release_free(pvg_release *release);

/* Shape of the numbers; 0 for NULL or if there are none. Since 0.1. */
PRIVGRAPH_API int64_t pvg_release_rows(const pvg_release *release);
PRIVGRAPH_API int64_t pvg_release_columns(const pvg_release *release);

/* Lends the numbers, row by row; PVG_E_ARGUMENT if the release holds something else. What
 * is lent lives as long as the release. Since 0.1. */
PRIVGRAPH_API int32_t pvg_release_view(PVG_LEN(rows, columns) const double **values,
                                       const pvg_release *release);

/* Lends the graph: what was released is all of it, and it may be used as any graph. Since
 * 0.1. */
PRIVGRAPH_API int32_t pvg_release_view_graph(const pvg_graph **graph,
                                             const pvg_release *release);

/* Lends the graphs of a set, in its order. Since 0.1. */
PRIVGRAPH_API int32_t pvg_release_view_graphs(const pvg_graphset **set,
                                              const pvg_release *release);

/* Lends the lists of *count users, those of a set one graph after the other, with numbers
 * within the graph as entries: that of user i is targets[offsets[i] ..
 * offsets[i + 1] - 1], ascending, an entry may repeat. Since 0.1. */
PRIVGRAPH_API int32_t pvg_release_view_lists(PVG_LEN(*count + 1) const int64_t **offsets,
                                             PVG_LEN((*offsets)[*count])
                                                 const int32_t **targets,
                                             int64_t *count, const pvg_release *release);

/* Lends the labels of *count users. Since 0.1. */
PRIVGRAPH_API int32_t pvg_release_view_labels(PVG_LEN(*count) const int32_t **labels,
                                              int64_t *count, const pvg_release *release);

/* Lends the sparse features of a perturber that was asked for them: differences to the
 * middle of the range of each column. Since 0.1. */
PRIVGRAPH_API int32_t pvg_release_view_features(const pvg_features **features,
                                                const pvg_release *release);

/* Lends the guarantee under which it was drawn: that of the embedder, perturber or
 * propagator, and what the draw adds. NULL for NULL. Since 0.1. */
PRIVGRAPH_API const pvg_guarantee *pvg_release_guarantee(const pvg_release *release);

/* Values that are said to be those of a release: what it holds, the rest NULL. */
typedef struct pvg_released {
    uint32_t size; /* sizeof(pvg_released) */
    uint32_t reserved;
    int64_t rows, columns; /* of values */
    const double *values;
    const pvg_graph *graph;
    const pvg_graphset *set;
    const pvg_features *features;
    const pvg_labels *labels;
    int64_t users; /* of lists, as pvg_release_view_lists lends them */
    const int64_t *offsets;
    const int32_t *targets;
} pvg_released;

/* *out = 1 if these are the values that were drawn under the guarantee, bit by bit, as
 * its digest tells; else 0. Since 0.1. */
PRIVGRAPH_API int32_t pvg_release_verify(int32_t *out, const pvg_guarantee *guarantee,
                                         const pvg_released *values);

/* Writes values and record as one file (docs/guide/formats.md), which appears complete or
 * not at all. Since 0.1. */
PRIVGRAPH_API int32_t pvg_release_save(const char *path, const pvg_release *release);

/* Reads such a file. PVG_E_FORMAT if it is damaged or values and record do not belong
 * together, PVG_E_VERSION if the record has another schema. The record is taken at its
 * word: who can write the file can write anything. Since 0.1. */
PRIVGRAPH_API int32_t pvg_release_load(pvg_release **out, const char *path);

/* 1 if the release was loaded, 0 if it was drawn here or for NULL. Since 0.1. */
PRIVGRAPH_API PVG_BOOL int32_t pvg_release_loaded(const pvg_release *release);

#ifdef __cplusplus
}
#endif

#endif
