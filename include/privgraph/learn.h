/* learn: read-outs and classifiers. Include <privgraph.h>.
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
#include "release.h"
#include "rng.h"
#include "statistic.h"

#ifdef __cplusplus
extern "C" {
#endif

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

/* --- classes of nodes from tallies -------------------------------------------------- */

/* Who sends and what: cells for node classification, from public numbers. Labelled nodes
 * come before unlabelled ones, among themselves by a public coin (a hash of their
 * numbers); unlabelled ones by how sure their class is. Kind: the label, or classes + the
 * likeliest class. priorities and kinds: `order` entries, for pvg_tallies_nodes with 2
 * classes kinds; prior: order x classes, rows of probabilities; labels: -1 where unknown.
 * Since 0.1. */
PRIVGRAPH_API int32_t pvg_tally_cells(PVG_LEN(order) double *priorities,
                                      PVG_LEN(order) int32_t *kinds,
                                      PVG_LEN(order, classes) const double *prior,
                                      PVG_LEN(order) const int32_t *labels, int64_t order,
                                      int64_t classes);

typedef struct pvg_posterior_config {
    uint32_t size;   /* sizeof(pvg_posterior_config) */
    int32_t rounds;  /* of EM over the cells of unlabelled senders; 0: 3, or none if that
                      * does better on `checks`; -1: these cells are not used */
    int64_t classes; /* C >= 2; the tallies have 2 C kinds */
    double strength; /* power of the likelihood, in (0, 1]; 0: 1, or 0.6 if that does
                      * better on `checks` */
    const int32_t *checks; /* of each node its class, -1 where it is not known or is among
                            * labels: choose by accuracy there. NULL: nothing is chosen */
    const double *transition; /* C x C: chance of each released label (column) given the
                               * true one (row), if labels came from a response
                               * (pvg_perturber_copy_transition). NULL: labels are true */
} pvg_posterior_config;

/* Class probabilities of every node: order x classes. Model: given its class c and an
 * activity t, a node has Poisson(t lambda[c][k]) edges in cell k, and the released number
 * is that plus noise of the law of `tallies`. t follows a gamma law fitted to the totals,
 * lambda the means of labelled receivers, then EM. Labelled nodes get their label.
 *
 * tallies: RECEIVED, each node its own group, by kinds as pvg_tally_cells makes them from
 * the same prior and labels. values: what was released, order x 2 classes. prior: rows of
 * probabilities, > 0 where a class is possible. A second round of tallies takes the
 * result as its prior. O(order classes^2) with a factor of 32. Since 0.1. */
PRIVGRAPH_API int32_t pvg_tally_posterior(PVG_LEN(rows, config->classes) double *out,
                                          const pvg_statistic *tallies,
                                          PVG_LEN(rows, columns) const double *values,
                                          PVG_LEN(rows, config->classes)
                                              const double *prior,
                                          PVG_LEN(rows) const int32_t *labels,
                                          const pvg_posterior_config *config,
                                          const pvg_run *run);

/* All of it in one call: cells, statistic, release, posterior. first_share: part of
 * epsilon of a first round of tallies, whose posterior makes the cells of a second round;
 * 0: one round. target as for pvg_statistic_new_tallies; with two rounds epsilon only,
 * for both together. first and second receive the releases with their guarantees (second:
 * NULL with one round); each is charged to `object` before it is drawn, so that a ledger
 * which refuses the second one keeps the charge of the first. Edges are private; prior,
 * labels and checks are public, or released before. Since 0.1. */
PRIVGRAPH_API int32_t pvg_classify_nodes(
    PVG_LEN(order, config->classes) double *out, pvg_release **first,
    pvg_release **second, const pvg_graph *graph,
    PVG_LEN(order, config->classes) const double *prior,
    PVG_LEN(order) const int32_t *labels, const pvg_posterior_config *config,
    double first_share, const pvg_target *target, uint64_t object, pvg_rng *rng,
    PVG_OPT pvg_ledger *ledger, const pvg_run *run);

#ifdef __cplusplus
}
#endif

#endif
