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

/* All of it in one call: cells, statistic, release, posterior. first_share: part of
 * epsilon of a first round of edge histograms, whose posterior makes the cells of a
 * second round; 0: one round. target as for pvg_statistic_new_histogram; with two rounds
 * epsilon only, for both together. first and second receive the releases with their
 * guarantees (second:
 * NULL with one round). What public numbers refuse in either round, and a ledger that has
 * not enough for both, is refused before anything is drawn or charged; then each is
 * charged to `object` before it is drawn. What was drawn is handed back whatever
 * fails afterwards: unlike elsewhere first and second may be set when the status is not
 * PVG_OK, and are to be freed; out is untouched then. Edges are private; prior, labels
 * and checks are public, or released before. Since 0.1. */
PRIVGRAPH_API int32_t pvg_classify_nodes(
    PVG_LEN(order, config->classes) double *out, pvg_release **first,
    pvg_release **second, const pvg_graph *graph,
    PVG_LEN(order, config->classes) const double *prior,
    PVG_LEN(order) const int32_t *labels, const pvg_posterior_config *config,
    double first_share, const pvg_target *target, uint64_t object, pvg_rng *rng,
    PVG_OPT pvg_ledger *ledger, const pvg_run *run);

/* --- recipes: whole pipelines in one call ------------------------------------------- */

/* Classes of nodes while the edges are private: what is released about them. Everything
 * before and after is made from public numbers and the release. n nodes, C classes, p_u
 * what the encoder says about node u, m_u = its label as a one-hot row or p_u, less 1/C,
 * over sqrt(1 - 1/C). */
enum pvg_recipe {
    /* edge histograms by 2 C kinds (pvg_histogram_cells), pure epsilon; read by
     * pvg_estimate_classes_mixed */
    PVG_RECIPE_HISTOGRAM = 0,
    /* S_v = sum of m_u over neighbours, rows of length at most 1, Gaussian noise; a
     * network reads [ln p_v, S_v] */
    PVG_RECIPE_SUMS = 1,
    /* aggregation perturbation (GAP): `hops` sums of p_u / |p_u|, noise on each; a dense
     * map of every state, joined */
    PVG_RECIPE_GAP = 2,
    /* m_u through `hops` symmetric layers with noise inside (pvg_propagator); a network
     * reads [ln p_v, last state] */
    PVG_RECIPE_PCMP = 3,
    /* every pair answers (pvg_perturber_new_response), pure epsilon; unbiased sums of m_u
     * over the released graph, (B m - f (column sums - m)) / (1 - 2 f) with f = 1 / (1 +
     * e^epsilon), are read as those of SUMS */
    PVG_RECIPE_RESPONSE = 4,
    PVG_RECIPE_FEATURES = 5 /* no edge is looked at: the encoder alone */
};

typedef struct pvg_recipe_config {
    uint32_t size;                   /* sizeof(pvg_recipe_config) */
    PVG_ENUM(RECIPE) int32_t recipe; /* PVG_RECIPE_* */
    int64_t classes;                 /* C >= 2 */
    int64_t hidden;                  /* columns inside the encoder; 0: 64 */
    /* of the features that the encoder sees; -1: all columns; 0: all, or 128 if rows
     * have more entries than that on average */
    int64_t directions;
    int64_t averages; /* restarts whose probabilities are averaged; 0: 3 */
    int64_t hops;     /* of GAP and PCMP, at most 16; 0: 1 */
    /* of each node its class, -1 where it is not known or is among labels: they choose,
     * stop and calibrate, and train the network that reads edge histograms, but send
     * nothing. NULL: nobody does, and edge histograms are read by pvg_estimate_classes */
    const int32_t *checks;
    /* order x classes, rows of probabilities made without the edges: instead of the
     * encoder, which then is not trained. NULL: the encoder */
    const double *prior;
    /* PCMP, as in pvg_layers_config: C_L (0: .9), alpha_2 = 1 - alpha_1, and beta of the
     * CARIBOU paper. Others must be 0 elsewhere */
    double contraction, mean_weight, residual;
} pvg_recipe_config;

/* What public features say about each node: out, order x classes, rows of probabilities
 * above 0. `drop .5 | dense hidden relu drop .5 | dense classes` on rows of length 1 (of
 * directions .2 are dropped), Adam, lowest loss on checks, decay 5e-4 or 5e-5 and
 * temperature by checks, `averages` restarts. Nodes with a label are judged by networks
 * that did not see it (cross-fitted in two halves; with TALLIES, which do not ask for it,
 * they are not). features NULL: class shares. Reads nothing private. Since 0.1. */
PRIVGRAPH_API int32_t pvg_recipe_encode(PVG_LEN(order, config->classes) double *out,
                                        PVG_OPT const pvg_features *features,
                                        PVG_LEN(order) const int32_t *labels,
                                        int64_t order, const pvg_recipe_config *config,
                                        pvg_rng *rng, const pvg_run *run);

/* A recipe: encoder, release, read-out. out: order x classes, rows of probabilities.
 * prior, if not NULL, receives those of the encoder alone: the row "no edges". *release
 * holds what was drawn, with its guarantee; NULL for FEATURES. Edges are private;
 * features, labels and checks are public. target: TALLIES and RESPONSE epsilon alone,
 * the others epsilon and delta. Bad input is refused before `object` is charged in the
 * ledger. What was drawn is handed back whatever fails afterwards: unlike elsewhere
 * *release may be set when the status is not PVG_OK. The generator serves noise, and
 * weights and dropout, which nothing private rests on. Since 0.1. */
PRIVGRAPH_API int32_t pvg_recipe_learn(
    PVG_LEN(order, config->classes) double *out,
    PVG_OPT PVG_LEN(order, config->classes) double *prior, pvg_release **release,
    const pvg_graph *graph, PVG_OPT const pvg_features *features,
    PVG_LEN(order) const int32_t *labels, const pvg_recipe_config *config,
    const pvg_target *target, uint64_t object, pvg_rng *rng, PVG_OPT pvg_ledger *ledger,
    const pvg_run *run);

/* New preview (preview.h) of what a recipe will release about the edges of a graph of
 * `order` nodes, before anything is paid: of TALLIES one count, which is at most order -
 * 1; of SUMS, GAP and PCMP as pvg_propagator_preview, of RESPONSE as
 * pvg_perturber_preview. Where no line is informative, edges add nothing to the
 * features. Public numbers only: how many neighbours a node really has is private, so
 * more may be hidden than this tells. PVG_E_ARGUMENT for FEATURES. Since 0.1. */
PRIVGRAPH_API int32_t pvg_recipe_preview(pvg_preview **out,
                                         const pvg_recipe_config *config,
                                         const pvg_target *target, int64_t order);

/* The same recipe without noise: what it could do at most. Not to be published. Since
 * 0.1.
 */
PRIVGRAPH_API int32_t pvg_recipe_learn_exact(PVG_LEN(order, config->classes) double *out,
                                             const pvg_graph *graph,
                                             PVG_OPT const pvg_features *features,
                                             PVG_LEN(order) const int32_t *labels,
                                             const pvg_recipe_config *config,
                                             pvg_rng *rng, const pvg_run *run);

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

/* Nobody is trusted: users perturb what they hold before it leaves them. */
typedef struct pvg_users_config {
    uint32_t size; /* sizeof(pvg_users_config) */
    int32_t reserved;
    int64_t classes;       /* C >= 2, public */
    int64_t rounds;        /* kprop of the reported features, at most 64; 0: 16 */
    int64_t target_rounds; /* Drop: rounds of kprop on labels and predictions; 0: none,
                            * which is right for noisy lists */
    int64_t averages;      /* 0: 1 */
    double list_epsilon;   /* of owned lists, edge-set LDP; 0: the graph is public */
    /* multi-bit reports, feature LDP; 0: users are not asked for features, and giving
     * some is an error */
    double feature_epsilon;
    double label_epsilon; /* k-ary response, label LDP; 0: labels are public */
    double low, high;     /* public range of every feature; both 0: 0 and 1 */
    /* part of each user; only those of PVG_PART_TRAIN and PVG_PART_VALIDATION tell their
     * label */
    PVG_ENUM(PART) const int32_t *parts;
    PVG_BOOL int32_t allow_seeded; /* as in pvg_target */
    int32_t reserved2;
    /* Features that are public and read as they are, instead of reports; NULL: none */
    PVG_OPT const pvg_features *public_features;
} pvg_users_config;

/* Classes of users from reports: out, order x classes. `kprop rounds | gcn 32 selu drop
 * .5 | gcn classes` on reported features, `sage 32 selu drop .5 | sage classes` on public
 * ones; forward correction of the label response, chosen by reported validation
 * labels. without, if not NULL, receives the judgement without any
 * feature, from unbiased one-hots of reported labels summed over 1 to 20 rounds of
 * kprop: where it is as good, features gave nothing. lists, reports of features and
 * answers (labels) are what was drawn, each NULL if it was not asked for, and handed back
 * whatever fails afterwards, as by pvg_classify_nodes. The three notions stand side by
 * side, they are not one number, and a ledger keeps one notion: each part has its own,
 * or NULL. Nothing is paid before all of them have enough for `object`. *model, if asked
 * for, is the network with all draws in its record; NULL if features are not asked for.
 * Since 0.1. */
PRIVGRAPH_API int32_t pvg_recipe_users(
    PVG_LEN(order, config->classes) double *out,
    PVG_OPT PVG_LEN(order, config->classes) double *without, PVG_OPT pvg_model **model,
    pvg_release **lists, pvg_release **reports, pvg_release **answers,
    const pvg_graph *graph, PVG_OPT const pvg_features *features,
    const pvg_labels *labels, const pvg_users_config *config, uint64_t object,
    pvg_rng *rng, PVG_OPT pvg_ledger *list_ledger, PVG_OPT pvg_ledger *feature_ledger,
    PVG_OPT pvg_ledger *label_ledger, const pvg_run *run);

/* The same from what was reported before: nothing is drawn, nothing is paid, and it may
 * be repeated with other settings or with fewer users who train. Either lists, or a
 * graph that is public; reports of features or NULL; either answers, or labels that are
 * public. Answers of users in other parts than PVG_PART_TRAIN and PVG_PART_VALIDATION
 * are not read. config: label_epsilon as at the draw of the answers, 0 without; its other
 * epsilons are not read. Since 0.1. */
PRIVGRAPH_API int32_t pvg_recipe_users_learn(
    PVG_LEN(order, config->classes) double *out,
    PVG_OPT PVG_LEN(order, config->classes) double *without, PVG_OPT pvg_model **model,
    PVG_OPT const pvg_release *lists, PVG_OPT const pvg_release *reports,
    PVG_OPT const pvg_release *answers, PVG_OPT const pvg_graph *graph,
    PVG_OPT const pvg_labels *labels, const pvg_users_config *config, pvg_rng *rng,
    const pvg_run *run);

/* New previews of what `order` users will report, as pvg_perturber_preview; each NULL
 * if it is not asked for. columns: number of features, 0 for none. config->parts may be
 * NULL. Since 0.1. */
PRIVGRAPH_API int32_t pvg_recipe_users_preview(pvg_preview **lists, pvg_preview **reports,
                                               pvg_preview **answers,
                                               const pvg_users_config *config,
                                               int64_t order, int64_t columns);

/* The same with true lists, features and labels: what the
 * recipe could do at most. Not to be published. Since 0.1. */
PRIVGRAPH_API int32_t pvg_recipe_users_exact(
    PVG_LEN(order, config->classes) double *out,
    PVG_OPT PVG_LEN(order, config->classes) double *without, const pvg_graph *graph,
    PVG_OPT const pvg_features *features, const pvg_labels *labels,
    const pvg_users_config *config, pvg_rng *rng, const pvg_run *run);

/* Nodes are hidden: edges, features and label of each. A curator is trusted. */
typedef struct pvg_nodes_config {
    uint32_t size; /* sizeof(pvg_nodes_config) */
    /* PVG_RECIPE_GAP; PVG_RECIPE_FEATURES: the encoder alone, which gets the whole budget
     * and is the number to beat */
    PVG_ENUM(RECIPE) int32_t recipe;
    int64_t classes; /* C >= 2, public */
    int64_t hidden;  /* columns inside the encoder; 0: 32 */
    /* public random directions of the features, rows of length 1; -1: all columns; 0:
     * those, or 256 directions of more than 512 */
    int64_t directions;
    int64_t hops;         /* sums over neighbours, at most 16; 0: 1 */
    int64_t degree_bound; /* GAP: promised, no node has more neighbours */
    int64_t steps;        /* of each training; 0: 250 */
    double batch;         /* records in a step, on average; 0: 512, or all */
    double rate;          /* of Adam; 0: .01 */
    double clip;          /* longest gradient of a record; 0: 1 */
    /* Parts of the budget, in squares of mu, of GAP's three draws; all 0: .5, .2, .3 */
    double encoder_share, states_share, head_share;
    /* Part of each node, public: those of PVG_PART_TRAIN train */
    PVG_ENUM(PART) const int32_t *parts;
} pvg_nodes_config;

/* GAP at node level: an encoder `dense hidden tanh | dense classes` by DP-SGD; `hops`
 * sums over neighbours of its centred probabilities (with one hop, of the label where a
 * node trains), with noise for a removed node under the promised degree bound; a head
 * `dense 16 tanh | dense classes` by DP-SGD on a node's own probabilities and its sums.
 * *encoder, *head and *states are drawn under PVG_NOTION_NODE_REMOVED; *head's record
 * composes all three. With FEATURES *head and *states are NULL. target: epsilon and
 * delta of everything together. object is charged once, for all draws, before the first;
 * what was drawn is handed back whatever fails afterwards. Who trains, the number of
 * columns and the degree bound are public; labels that are no class count as unknown.
 * Since 0.1. */
PRIVGRAPH_API int32_t pvg_recipe_nodes(
    pvg_model **encoder, pvg_model **head, pvg_release **states, const pvg_graph *graph,
    const pvg_features *features, const pvg_labels *labels,
    const pvg_nodes_config *config, const pvg_target *target, uint64_t object,
    pvg_rng *rng, PVG_OPT pvg_ledger *ledger, const pvg_run *run);

/* New preview of the sums over neighbours, as pvg_propagator_preview: a graph of
 * `order` nodes with `columns` features. PVG_E_ARGUMENT for FEATURES: what a network
 * learns by DP-SGD has no public range. Since 0.1. */
PRIVGRAPH_API int32_t pvg_recipe_nodes_preview(pvg_preview **out,
                                               const pvg_nodes_config *config,
                                               const pvg_target *target, int64_t order,
                                               int64_t columns);

/* Class probabilities of every node by what pvg_recipe_nodes drew, rows x columns, a
 * column for each class; row v is made from v's own features, which are private, so that
 * it is for v alone. head and states NULL: the encoder. directions as in the config.
 * Since 0.1. */
PRIVGRAPH_API int32_t pvg_recipe_nodes_predict_exact(
    PVG_LEN(rows, columns) double *out, const pvg_model *encoder,
    PVG_OPT const pvg_model *head, PVG_OPT const pvg_release *states,
    const pvg_features *features, int64_t directions, const pvg_run *run);

/* The same recipe without noise: what it could do at most. Not to be published. Since
 * 0.1. */
PRIVGRAPH_API int32_t pvg_recipe_nodes_exact(PVG_LEN(order, config->classes) double *out,
                                             const pvg_graph *graph,
                                             const pvg_features *features,
                                             const pvg_labels *labels,
                                             const pvg_nodes_config *config, pvg_rng *rng,
                                             const pvg_run *run);

/* Classes of graphs, or of anything with a row of released numbers: out, rows x classes.
 * Columns whose noise is larger than their public range are dropped, the others brought
 * to mean 0 and deviation 1; `dense hidden relu drop .3 | dense classes`, lowest loss on
 * checks, config->averages restarts (0: 10). labels: -1 where unknown; checks in the
 * config, or NULL. Reads released and public numbers only. *model, if asked for, takes
 * rows as they are released, in doubles, and has the release in its record, as
 * pvg_dataset_builder_add_released. Since 0.1. */
PRIVGRAPH_API int32_t pvg_recipe_rows(PVG_LEN(rows, config->classes) double *out,
                                      PVG_OPT pvg_model **model,
                                      const pvg_release *release,
                                      PVG_LEN(rows) const int32_t *labels,
                                      const pvg_recipe_config *config, pvg_rng *rng,
                                      const pvg_run *run);

/* The same for numbers without noise, none of whose columns is dropped: what the recipe
 * could do at most. Not to be published. Since 0.1. */
PRIVGRAPH_API int32_t pvg_recipe_rows_exact(PVG_LEN(rows, config->classes) double *out,
                                            PVG_LEN(rows, columns) const double *values,
                                            int64_t rows, int64_t columns,
                                            PVG_LEN(rows) const int32_t *labels,
                                            const pvg_recipe_config *config, pvg_rng *rng,
                                            const pvg_run *run);

/* --- pipelines: classes of nodes ---------------------------------------------------- */

/* Classes of nodes from what is hidden about them: a kind, its options, public arrays and
 * a budget. It draws once (a composition: all is paid before the first draw) and reads
 * what was drawn as often as one likes, which spends nothing. Three kinds, by what is
 * hidden:
 *
 *   edges  features and labels are public. An encoder judges nodes by public features, a
 *          release tells about their neighbours, a read-out judges both.
 *   users  nobody is trusted: users perturb their lists, features and labels.
 *
 * Immutable. pvg_pipeline_copy_kinds lists the options. */
typedef struct pvg_pipeline pvg_pipeline;

/* What is public; another one that is set than the kind takes is refused. Copied. Known
 * without the private data, or made from `sources`. */
typedef struct pvg_pipeline_arguments {
    uint32_t size; /* sizeof(pvg_pipeline_arguments) */
    int32_t reserved;
    int64_t order; /* nodes; needed */
    /* edges, and users without label-epsilon: of each node its class, -1: not known */
    PVG_LEN(order) const int32_t *labels;
    /* edges: classes of further nodes, -1 elsewhere, which choose, stop and calibrate,
     * and train the read-out of histograms, but send nothing. Fewer than 20 choose
     * nothing. With them a read-out is never below the encoder on these nodes: where it
     * is not better, the encoder's rows are given. NULL: nobody does */
    PVG_LEN(order) const int32_t *checks;
    /* users: part of each node. PVG_PART_TRAIN trains; PVG_PART_VALIDATION chooses, and
     * only users of these two tell their label */
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
     * pcmp and response: of rows [ln p_v, S_v] (gap: messages), without a graph. NULL:
     * that one. Choosing among several by what they read is free; choosing by private
     * data is not */
    const char *network;
} pvg_pipeline_arguments;

/* New pipeline from text: "edges method=histogram averages=3 epsilon=1", "users
 * list-epsilon=8 label-epsilon=3 classes=7". Budgets stand in the text or in target,
 * PVG_E_ARGUMENT if in both; those of users in the text alone. Of edges it trains the
 * encoder, `drop .5 | dense hidden relu drop .5 | dense classes` on rows of length 1
 * (of directions .2 are dropped), Adam, lowest loss on checks, decay 5e-4 or 5e-5 and
 * temperature by checks, averaged restarts; nodes with a label are judged by networks
 * that did not see it (cross-fitted in two halves; histograms do not ask for it). rng:
 * weights and dropout, which nothing private rests on; NULL: a secure one. Reads nothing
 * private. Since 0.1. */
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

/* Lends what public features say about each node, order x classes, rows of probabilities
 * above 0: the row "no edges". As arguments->prior it makes the same pipeline again
 * elsewhere. PVG_E_ARGUMENT if the kind has no encoder of public features. Since 0.1. */
PRIVGRAPH_API int32_t pvg_pipeline_view_prior(PVG_LEN("order", "classes")
                                                  const double **prior,
                                              const pvg_pipeline *pipeline);

/* New preview (preview.h) of what will be released at a place, 0 to 2 as the releases of
 * pvg_pipeline_draw, before anything is paid: of a histogram one count, which is at most
 * order - 1. *out is NULL if nothing is drawn there. Where no line is informative, edges
 * add nothing to features. Public numbers only: how many neighbours a node really has is
 * private, so more may be hidden than this tells. Since 0.1. */
PRIVGRAPH_API int32_t pvg_pipeline_preview(pvg_preview **out,
                                           const pvg_pipeline *pipeline, int64_t place,
                                           const pvg_run *run);

/* Draws. Releases of edges: first, and second with two rounds; of users: lists, reports
 * of features, answers (labels), each NULL if it is not asked for. input: exactly what is
 * asked for, with object or objects. Everything is refused or paid before the first
 * draw: one ledger pays for all of edges, for users each place has a notion and a ledger
 * of its own, or NULL. What was drawn is handed back whatever fails afterwards: unlike
 * elsewhere releases may be set when the status is not PVG_OK. rng NULL: a secure one; a
 * seeded one only if the target allows it. Since 0.1. */
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
 * pvg_estimate_classes; sums by a network on [ln p_v, S_v]; with enough checks rows of
 * the encoder take their place where they are as good there. without: the encoder alone.
 *
 * users: `kprop rounds | gcn 32 selu drop .5 | gcn classes` on reported features, `sage
 * 32 selu drop .5 | sage classes` on public ones, forward correction of the label
 * response; or, where validation users like that as well, labels alone, from unbiased
 * one-hots of reported labels summed over 1 to 20 rounds of kprop, which are `without`.
 * *model, if asked for, is the network with all draws in its record; NULL without
 * features, and for edges. Since 0.1. */
PRIVGRAPH_API int32_t pvg_pipeline_read(
    PVG_LEN("order", "classes") double *out,
    PVG_OPT PVG_LEN("order", "classes") double *without, PVG_OPT pvg_model **model,
    const pvg_pipeline *pipeline, PVG_OPT const pvg_release *first,
    PVG_OPT const pvg_release *second, PVG_OPT const pvg_release *third,
    PVG_OPT pvg_rng *rng, const pvg_run *run);

/* The same without noise, from private data: what the pipeline could do at most. Not to
 * be published. Since 0.1. */
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
