/* learn: read-outs and classifiers. Include <privgraph-learn.h>.
 *
 * Functions here read public and released numbers, so that what comes out may be
 * published as they may, and no budget is spent; those that look at a private graph do it
 * through a release and say so. Results are the same bits for any number of threads. */
#ifndef PRIVGRAPH_LEARN_H
#define PRIVGRAPH_LEARN_H

#include "base.h"
#include "graph.h"
#include "ledger.h"
#include "mechanism.h"
#include "network.h"
#include "preview.h"
#include "query.h"
#include "release.h"
#include "rng.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- the library ------------------------------------------------------------------- */

/* Version of libprivgraph-learn at run time, "0.1.0"; a program is compiled for exactly
 * one (PRIVGRAPH_VERSION_*). Since 0.1. */
PRIVGRAPH_API const char *pvg_learn_version_string(void);

/* As pvg_constant_value, of the constants of network.h, learn.h and audit.h. Since
 * 0.1. */
PRIVGRAPH_API int32_t pvg_learn_constant_value(int64_t *out, const char *name);

/* --- few columns of many ---------------------------------------------------------- */

/* The features in an orthonormal basis of `columns` directions that hold most of their
 * squares (subspace iteration from a fixed start), rows scaled to length 1. out: rows x
 * columns; columns in [1, min(rows, columns of the features)]. O(rounds (entries columns
 * + rows columns^2)). Since 0.1. */
PRIVGRAPH_API int32_t pvg_directions_project(PVG_LEN(rows, columns) double *out,
                                             const pvg_features *features,
                                             int64_t columns, const pvg_run *run);

/* --- multinomial logistic regression ----------------------------------------------- */

/* Class probabilities softmax(x W + b). Immutable. */
typedef struct pvg_logistic pvg_logistic;

typedef struct pvg_logistic_config {
    uint32_t size;    /* sizeof(pvg_logistic_config) */
    int32_t rounds;   /* of L-BFGS, at most; 0: 500 */
    int64_t classes;  /* >= 2 */
    double penalty;   /* > 0; 0: 1 */
    double tolerance; /* stops when no slope of the mean loss is larger; 0: 1e-5 */
} pvg_logistic_config;

/* Least sum of -ln p(label) + penalty / 2 |W|^2 (b is free) over the rows whose label is
 * not -1. x: rows x columns, finite. O(rows columns classes) per round, by BLAS. Since
 * 0.1. */
PRIVGRAPH_API int32_t pvg_logistic_fit(pvg_logistic **out,
                                       const pvg_logistic_config *config,
                                       PVG_LEN(rows, columns) const double *x,
                                       PVG_LEN(rows) const int32_t *labels, int64_t rows,
                                       int64_t columns, const pvg_run *run);

/* NULL is fine. Since 0.1. */
PRIVGRAPH_API void pvg_logistic_free(pvg_logistic *logistic);

/* Columns and classes; 0 for NULL. Since 0.1. */
PRIVGRAPH_API int64_t pvg_logistic_columns(const pvg_logistic *logistic);
PRIVGRAPH_API int64_t pvg_logistic_classes(const pvg_logistic *logistic);

/* (columns + 1) x classes numbers: W, then b. Since 0.1. */
PRIVGRAPH_API int32_t pvg_logistic_copy_weights(PVG_LEN(columns + 1, classes) double *out,
                                                const pvg_logistic *logistic);

/* Class probabilities of each row: rows x classes. Since 0.1. */
PRIVGRAPH_API int32_t pvg_logistic_predict(PVG_LEN(rows, classes) double *out,
                                           const pvg_logistic *logistic,
                                           PVG_LEN(rows, columns) const double *x,
                                           int64_t rows, const pvg_run *run);

/* --- classes of nodes from edge histograms ---------------------------------------- */

/* Who sends and what: cells for node classification, from public numbers. Labelled nodes
 * come before unlabelled ones, among themselves by a public coin (a hash of their
 * numbers); unlabelled ones by how sure their class is. Kind: the label, or classes + the
 * likeliest class. priorities and kinds: `order` entries, for pvg_histogram_nodes with 2
 * classes kinds; prior: order x classes, rows of probabilities; labels: -1 where unknown.
 * Since 0.1. */
PRIVGRAPH_API int32_t pvg_histogram_cells(PVG_LEN(order) double *priorities,
                                          PVG_LEN(order) int32_t *kinds,
                                          PVG_LEN(order, classes) const double *prior,
                                          PVG_LEN(order) const int32_t *labels,
                                          int64_t order, int64_t classes);

typedef struct pvg_posterior_config {
    uint32_t size;   /* sizeof(pvg_posterior_config) */
    int32_t rounds;  /* of EM over the cells of unlabelled senders; 0: 3, or none if that
                      * does better on `checks`; -1: these cells are not used */
    int64_t classes; /* C >= 2; the edge histograms have 2 C kinds */
    double strength; /* power of the likelihood, in (0, 1]; 0: 1, or 0.6 if that does
                      * better on `checks` */
    const int32_t *checks; /* of each node its class, -1 where it is not known or is among
                            * labels: choose by accuracy there. NULL: nothing is chosen */
    const double *transition; /* C x C: chance of each released label (column) given the
                               * true one (row), if labels came from a response
                               * (pvg_estimate_transition). NULL: labels are true */
} pvg_posterior_config;

/* Class probabilities of every node, order x classes, from a query of edge-histogram and
 * a release that answers it, drawn here or read from a file; one that answers another
 * query is refused. Model: given its class c and an activity t, a node has Poisson(t
 * lambda[c][k]) edges in cell k, and the released number is that plus noise of the law of
 * the query. t follows a gamma law fitted to the totals, lambda the means of labelled
 * receivers, then EM. Labelled nodes get their label.
 *
 * The query: received, each node its own group, by kinds as pvg_histogram_cells makes
 * them from the same prior and labels. prior: rows of probabilities, > 0 where a class is
 * possible. A second round takes the result as its prior. O(order classes^2) with a
 * factor of 32. Since 0.1. */
PRIVGRAPH_API int32_t pvg_estimate_classes(
    PVG_LEN(rows, config->classes) double *out, const pvg_query *query,
    const pvg_release *release, PVG_LEN(rows, config->classes) const double *prior,
    PVG_LEN(rows) const int32_t *labels, const pvg_posterior_config *config,
    const pvg_run *run);

/* As pvg_estimate_classes, by two judges whose log posteriors are averaged: that one, its
 * temperature fitted to checks, and a network `dense 48 selu drop .4 | dense classes` on
 * [ln p, s(z), s(sum of z)], s(z) = +-2 (sqrt(|z| + v + .4) - sqrt(v + .4)), v the
 * variance of the noise, trained on the checked nodes in 4 folds: labelled receivers have
 * another law. config->checks is needed. averages: 0: 3. Refitting on one release is
 * free. Since 0.1. */
PRIVGRAPH_API int32_t pvg_estimate_classes_mixed(
    PVG_LEN(rows, config->classes) double *out, const pvg_query *query,
    const pvg_release *release, PVG_LEN(rows, config->classes) const double *prior,
    PVG_LEN(rows) const int32_t *labels, const pvg_posterior_config *config,
    int64_t averages, pvg_rng *rng, const pvg_run *run);

/* --- pipelines: classes ------------------------------------------------------------- */

/* Classes of nodes from what is hidden about them: a kind, its options, public arrays and
 * a budget. It draws once (a composition: all is paid before the first draw) and reads
 * what was drawn as often as one likes, which spends nothing. Kinds, by what is hidden:
 *
 *   edges  features and labels are public. An encoder judges nodes by public features, a
 *          release tells about their neighbours, a read-out judges both. n nodes, C
 *          classes, p_u what the encoder says about node u, m_u = its label as a one-hot
 *          row or p_u, less 1/C, over sqrt(1 - 1/C). method
 *            histogram  edge histograms by 2 C kinds (pvg_histogram_cells), pure epsilon
 *            sums       S_v = sum of m_u over neighbours, Gaussian noise
 *            gap        aggregation perturbation: `hops` sums of p_u / |p_u|, noise on
 *                       each
 *            pcmp       m_u through `hops` symmetric layers with noise inside
 *            response   every pair answers, pure epsilon; unbiased sums of m_u over the
 *                       released graph, (B m - f (column sums - m)) / (1 - 2 f) with f =
 *                       1 / (1 + e^epsilon)
 *            features   no edge is looked at: the encoder alone
 *   users  nobody is trusted: users perturb their lists, features and labels.
 *   nodes  a node is hidden with its edges, features and label; a curator is trusted. An
 *          encoder by DP-SGD, which has the whole budget (method=features); or GAP at
 *          node level: also `hops` sums over neighbours of its centred probabilities
 *          (with one hop, of the label where a node trains), with noise for a removed
 *          node under the promised max-degree, and a head by DP-SGD on a node's own
 *          probabilities and its sums. Who trains, the number of columns and the degree
 *          bound are public; labels that are no class count as unknown.
 *   rows   nothing: graphs, or anything with a row of a release that was drawn before.
 *
 * Immutable. pvg_pipeline_copy_kinds lists the options. */
typedef struct pvg_pipeline pvg_pipeline;

/* What is public; another one that is set than the kind takes is refused. Copied. Known
 * without the private data, or made from `sources`. */
typedef struct pvg_pipeline_arguments {
    uint32_t size; /* sizeof(pvg_pipeline_arguments) */
    int32_t reserved;
    int64_t order; /* nodes; needed */
    /* edges, rows, and users without label-epsilon: of each node its class, -1: not known
     */
    PVG_LEN(order) const int32_t *labels;
    /* edges, rows: classes of further nodes, -1 elsewhere, which choose, stop and
     * calibrate, and train the read-out of histograms, but send nothing. Fewer than 20
     * choose nothing. With them a read-out of edges is never below the encoder on these
     * nodes: where it is not better, the encoder's rows are given. NULL: the share
     * held-out of the labels does (pvg_pipeline_view_labels) */
    PVG_LEN(order) const int32_t *checks;
    /* users, nodes: part of each node. PVG_PART_TRAIN trains; of users
     * PVG_PART_VALIDATION chooses (where nobody does, the share held-out of who trains),
     * and only users of these two tell their label */
    PVG_ENUM(PART) PVG_LEN(order) const int32_t *parts;
    /* edges, instead of features: order x classes, rows of probabilities made without the
     * edges */
    PVG_LEN(order, "classes") const double *prior;
    /* edges by histogram: chance of each given label (column) given the true one (row),
     * if labels came from a response. NULL: they are true */
    PVG_LEN("classes", "classes") const double *transition;
    /* edges: what the encoder sees; NULL: class shares take its place. users: read as
     * they are, instead of reports */
    const pvg_features *features;
    const pvg_graph *graph;                            /* users without list-epsilon */
    PVG_LEN(source_count) const pvg_release **sources; /* the record names their draws */
    int64_t source_count;
    /* Text of the network (network.h) that reads what was drawn, instead of the one that
     * pvg_pipeline_read names. users: of the features over the lists. edges by sums, gap,
     * pcmp and response: of rows [ln p_v, S_v] (gap: messages), without a graph. nodes:
     * the encoder, of rows of length 1, without a graph. NULL: that one. Choosing among
     * several by what they read is free; choosing by private data is not */
    const char *network;
} pvg_pipeline_arguments;

/* New pipeline from text: "edges method=histogram averages=3 epsilon=1", "users
 * list-epsilon=8 label-epsilon=3 classes=7", "nodes classes=7 columns=500 epsilon=4".
 * Budgets stand in the text or in target, PVG_E_ARGUMENT if in both; those of users in
 * the text alone. Of edges it trains the encoder, `drop .5 | dense hidden relu drop .5 |
 * dense classes` on rows of length 1 (of directions .2 are dropped), Adam, lowest loss on
 * checks, decay 5e-4 or 5e-5 and temperature by checks, averaged restarts; nodes with a
 * label are judged by networks that did not see it (cross-fitted in two halves;
 * histograms do not ask for it). rng: weights and dropout, which nothing private rests
 * on; NULL: a secure one. Reads nothing private. Since 0.1. */
PRIVGRAPH_API int32_t pvg_pipeline_new(pvg_pipeline **out, const char *text,
                                       const pvg_pipeline_arguments *arguments,
                                       PVG_OPT const pvg_target *target,
                                       PVG_OPT pvg_rng *rng, const pvg_run *run);

/* NULL is fine. Since 0.1. */
PRIVGRAPH_API void pvg_pipeline_free(pvg_pipeline *pipeline);

/* All kinds with their options, as JSON; the text of one with everything filled in.
 * (out, capacity, length) as pvg_build_info_copy. Since 0.1. */
PRIVGRAPH_API int32_t pvg_pipeline_copy_kinds(char *out, size_t capacity, size_t *length);
PRIVGRAPH_API int32_t pvg_pipeline_copy_text(char *out, size_t capacity, size_t *length,
                                             const pvg_pipeline *pipeline);

/* Nodes and classes: what is read has so many rows and columns. 0 for NULL. Since 0.1. */
PRIVGRAPH_API int64_t pvg_pipeline_order(const pvg_pipeline *pipeline);
PRIVGRAPH_API int64_t pvg_pipeline_classes(const pvg_pipeline *pipeline);

/* Lends the labels that are sent or train, and those that choose, -1 elsewhere: as given,
 * or by held-out; checks is NULL if nobody chooses. PVG_E_ARGUMENT if labels are private.
 * Since 0.1. */
PRIVGRAPH_API int32_t pvg_pipeline_view_labels(PVG_LEN("order") const int32_t **labels,
                                               PVG_LEN("order") const int32_t **checks,
                                               const pvg_pipeline *pipeline);

/* Lends what public features say about each node, order x classes, rows of probabilities
 * above 0: the row "no edges". As arguments->prior it makes the same pipeline again
 * elsewhere. PVG_E_ARGUMENT if the kind has no encoder of public features. Since 0.1. */
PRIVGRAPH_API int32_t pvg_pipeline_view_prior(PVG_LEN("order", "classes")
                                                  const double **prior,
                                              const pvg_pipeline *pipeline);

/* New preview (preview.h) of what will be released at a place, 0 to 2 as the releases of
 * pvg_pipeline_draw, before anything is paid: of a histogram one count, which is at most
 * order - 1. *out is NULL if nothing is drawn there, or it is a network, whose weights
 * have no public range. Where no line is informative, edges
 * add nothing to features. Public numbers only: how many neighbours a node really has is
 * private, so more may be hidden than this tells. Since 0.1. */
PRIVGRAPH_API int32_t pvg_pipeline_preview(pvg_preview **out,
                                           const pvg_pipeline *pipeline, int64_t place,
                                           const pvg_run *run);

/* Draws. Releases of edges: first, and second with two rounds; of users: lists, reports
 * of features, answers (labels), each NULL if it is not asked for; of nodes: the encoder,
 * sums over neighbours, the head (pvg_release_view_model), whose record composes all
 * three; NULL without gap. input: exactly what is asked for, with object or objects.
 * Everything is refused or paid before the first draw: one ledger pays for all of edges
 * and of nodes, for users each place has a notion and a ledger of its own, or NULL. What
 * was drawn is handed back whatever fails afterwards: unlike elsewhere releases may be
 * set when the status is not PVG_OK. rng NULL: a secure one; a seeded one only if the
 * target allows it. Since 0.1. */
PRIVGRAPH_API int32_t pvg_pipeline_draw(pvg_release **first, pvg_release **second,
                                        pvg_release **third, const pvg_pipeline *pipeline,
                                        const pvg_input *input, PVG_OPT pvg_rng *rng,
                                        PVG_OPT pvg_ledger *first_ledger,
                                        PVG_OPT pvg_ledger *second_ledger,
                                        PVG_OPT pvg_ledger *third_ledger,
                                        const pvg_run *run);

/* Reads what was drawn, now, before, or by another pipeline that asks the same: out,
 * order x classes, rows of probabilities. Nothing is drawn, nothing is paid, and it may
 * be repeated, with other checks or other users who train. A release that answers another
 * query is refused.
 *
 * edges: histograms are read as by pvg_estimate_classes_mixed, without checks as by
 * pvg_estimate_classes; sums by a network `dense 32 selu drop .3 | dense classes` on [ln
 * p_v, S_v], those of gap by `hops K 16 selu drop .3 | dense classes` on all states; with
 * enough checks rows of the encoder take their place where they are as good there.
 * without: the encoder alone.
 *
 * users: `kprop rounds | gcn 32 selu drop .5 | gcn classes` on reported features, `sage
 * 32 selu drop .5 | sage classes` on public ones, forward correction of the label
 * response; or, where validation users like that as well, labels alone, from unbiased
 * one-hots of reported labels summed over 1 to 20 rounds of kprop, which are `without`.
 * *model, if asked for, is the network with all draws in its record; NULL without
 * features, and for edges.
 *
 * rows: first is any release of numbers. Columns whose noise is larger than their public
 * range are dropped, the others brought to mean 0 and deviation 1; `dense hidden relu
 * drop .3 | dense classes`, lowest loss on checks, averaged. *model takes rows as they
 * are released, in doubles, and has the release in its record. without: 0.
 *
 * nodes: PVG_E_PRIVACY, see pvg_pipeline_read_exact. Since 0.1. */
PRIVGRAPH_API int32_t pvg_pipeline_read(
    PVG_LEN("order", "classes") double *out,
    PVG_OPT PVG_LEN("order", "classes") double *without, PVG_OPT pvg_model **model,
    const pvg_pipeline *pipeline, PVG_OPT const pvg_release *first,
    PVG_OPT const pvg_release *second, PVG_OPT const pvg_release *third,
    PVG_OPT pvg_rng *rng, const pvg_run *run);

/* What nodes drew, as releases or models of them that were saved, says of every node:
 * out, order x classes. Row v is made from v's own features, which are private, so that
 * it is for v alone. input: the features. states and head: of method=gap, else NULL.
 * without: the encoder alone. Since 0.1. */
PRIVGRAPH_API int32_t pvg_pipeline_read_exact(
    PVG_LEN("order", "classes") double *out,
    PVG_OPT PVG_LEN("order", "classes") double *without, const pvg_pipeline *pipeline,
    const pvg_model *encoder, PVG_OPT const pvg_release *states,
    PVG_OPT const pvg_model *head, const pvg_input *input, const pvg_run *run);

/* The same without noise, from private data: what the pipeline could do at most; of rows
 * the numbers are input->features. Not to be published. Since 0.1. */
PRIVGRAPH_API int32_t pvg_pipeline_exact(
    PVG_LEN("order", "classes") double *out,
    PVG_OPT PVG_LEN("order", "classes") double *without, const pvg_pipeline *pipeline,
    const pvg_input *input, PVG_OPT pvg_rng *rng, const pvg_run *run);

/* --- explanations ------------------------------------------------------------------- */

/* Why a model says what it says about a node v: a number for each feature. c is the class
 * it predicts, z its logits, p_c their softmax, the ball of v the nodes whose features
 * reach it. Four kinds of gradients are four different things, which leak differently:
 * reports should say which. docs/guide/explanations.md. */
enum pvg_explainer {
    PVG_EXPLAINER_GRAD = 0,       /* |d z_c / d x_v| */
    PVG_EXPLAINER_GRAD_INPUT = 1, /* |x_v d z_c / d x_v| */
    /* |sum of x_i d ln p_c / d x_i| over the nodes i of the ball */
    PVG_EXPLAINER_GRAD_BALL = 2,
    PVG_EXPLAINER_GRAD_INPUT_BALL = 3, /* mean of |x_i d ln p_c / d x_i| over them */
    /* non-negative lasso of a kernel of predictions on kernels of features, over the
     * nodes within config->hops; needs predictions only */
    PVG_EXPLAINER_GRAPH_LIME = 4,
    /* masks on features and arcs learnt by Adam from a random start */
    PVG_EXPLAINER_GNN_EXPLAINER = 5
};

typedef struct pvg_explain_config {
    uint32_t size; /* sizeof(pvg_explain_config) */
    /* GNN_EXPLAINER: 1: the size of the feature mask is the sum over the features, as in
     * published attack code, and not the mean; the answer is then mostly its random
     * start. For comparison */
    PVG_BOOL int32_t published;
    int64_t hops;    /* GRAPH_LIME; 0: 2 */
    int64_t largest; /* GRAPH_LIME: nodes it looks at, nearest first; 0: 200 */
    int64_t steps;   /* GNN_EXPLAINER; 0: 100 */
    double rate;     /* GNN_EXPLAINER, of Adam; 0: .01 */
    double penalty;  /* GRAPH_LIME, rho; 0: .1 */
} pvg_explain_config;

/* out: a row of pvg_model_inputs numbers for each of `count` nodes; nodes NULL: all, then
 * count is their number. Explanations are exact functions of model and dataset: they give
 * edges away (docs/measured/explanations.md) and are not to be published if anything
 * private is in these. A calibrated temperature is left out. rng is asked for by
 * GNN_EXPLAINER alone, else it may be NULL; a seeded one gives the same rows on every
 * number of threads.
 *
 * PVG_E_ARGUMENT for networks that pool or look at windows, models of several where
 * gradients are needed, loss SQUARES where probabilities are. Networks `gcn N f | gcn
 * classes` cost O(inputs N) per node for gradients and take the ball apart for masks;
 * others run over many balls side by side. Since 0.1. */
PRIVGRAPH_API int32_t pvg_explain_exact(
    PVG_LEN(count, inputs) double *out, PVG_ENUM(EXPLAINER) int32_t explainer,
    const pvg_model *model, const pvg_dataset *dataset,
    PVG_OPT PVG_LEN(count) const int64_t *nodes, int64_t count,
    PVG_OPT const pvg_explain_config *config, PVG_OPT pvg_rng *rng, const pvg_run *run);

/* GNN_EXPLAINER in full: masks of features, masks of arcs (count rows, arcs in the order
 * of the dataset, 0 outside the ball), and of each node the correlation between the
 * feature masks of two starts: near 1 the answer is the model's, near 0 it is the random
 * start's. Each may be NULL. Since 0.1. */
PRIVGRAPH_API int32_t pvg_explain_masks_exact(
    PVG_OPT PVG_LEN(count, inputs) double *features,
    PVG_OPT PVG_LEN(count, pvg_dataset_arcs_exact(dataset)) double *arcs,
    PVG_OPT PVG_LEN(count) double *agreement, const pvg_model *model,
    const pvg_dataset *dataset, PVG_OPT PVG_LEN(count) const int64_t *nodes,
    int64_t count, PVG_OPT const pvg_explain_config *config, pvg_rng *rng,
    const pvg_run *run);

#ifdef __cplusplus
}
#endif

#endif
