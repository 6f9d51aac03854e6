/* learn, inside. */
#ifndef PVGI_LEARN_H
#define PVGI_LEARN_H

#include "base/base_internal.h"
#include "graph/graph_internal.h"
#include "ledger/ledger_internal.h"
#include "mechanism/mechanism_internal.h"
#include "network/network_internal.h"
#include "privgraph/derive.h"
#include "privgraph/learn.h"
#include "release/release_internal.h"
#include "statistic/statistic_internal.h"

/* --- arguments (config.c) ---------------------------------------------------------- */

int32_t pvgi_learn_check_finite(const char *name, const char *what, const double *values,
                                int64_t count);
int32_t pvgi_learn_check_labels(const char *name, const char *what, const int32_t *labels,
                                int64_t count, int64_t classes);
int32_t pvgi_learn_check_checks(const char *name, const char *what, const int32_t *checks,
                                int64_t order, int64_t classes);
int32_t pvgi_learn_check_prior(const char *name, const double *prior, int64_t order,
                               int64_t classes);
int32_t pvgi_learn_check_sizes(const char *name, int64_t order, int64_t classes);
int32_t pvgi_learn_check_rows(const char *name, const pvg_features *features,
                              int64_t order);
int32_t pvgi_learn_check_parts(int64_t *trains, const char *name, const int32_t *parts,
                               int64_t order);
int32_t pvgi_learn_check_declared(const char *name, const pvg_graph *graph,
                                  const pvg_features *features);
int32_t pvgi_learn_check_histogram(const pvgi_joint **law, const char *name,
                                   const pvg_statistic *histogram, const double *values,
                                   int64_t classes);
int32_t pvgi_learn_import_logistic(pvg_logistic_config *c, const char *name,
                                   const pvg_logistic_config *config);
int32_t pvgi_learn_import_posterior(pvg_posterior_config *c, const char *name,
                                    const pvg_posterior_config *config,
                                    const double *prior, const int32_t *labels,
                                    int64_t order);

/* --- directions (directions.c) --------------------------------------------------- */

int32_t pvgi_learn_directions(double *out, const pvg_features *features, int64_t columns,
                              pvgi_run *run);

/* --- logistic regression (logistic.c) -------------------------------------------- */

struct pvg_logistic {
    PVGI_HANDLE;
    int64_t columns, classes;
    double *weights; /* (columns + 1) x classes, the last row free of penalty */
};

/* config imported and filled in. */
int32_t pvgi_learn_logistic_fit(pvg_logistic **out, const pvg_logistic_config *config,
                                const double *x, const int32_t *labels, int64_t rows,
                                int64_t columns, pvgi_run *run);
int32_t pvgi_learn_logistic_predict(double *out, const pvg_logistic *logistic,
                                    const double *x, int64_t rows, pvgi_run *run);
void pvgi_learn_logistic_free(pvg_logistic *logistic);

/* What is minimised, over n rows with a one appended: mean loss and its slopes at
 * weights. For tests too. */
typedef struct {
    const double *x;       /* rows x (columns + 1) */
    const int32_t *labels; /* all >= 0 */
    int64_t rows, columns, classes;
    double penalty;
    int64_t chunk_rows, chunks;
    double *partial; /* per chunk: loss, then slopes */
} pvgi_logistic_problem;
int32_t pvgi_learn_logistic_slopes(double *loss, double *slopes,
                                   const pvgi_logistic_problem *problem,
                                   const double *weights, pvgi_run *run);

/* --- read-out of edge histograms (law.c, histogram_posterior.c) ------------------- */

/* Quantiles of the gamma law with this shape and mean 1 in the middles of `count` equal
 * parts, scaled so that their mean is 1. */
void pvgi_learn_gamma_quantiles(double *out, int64_t count, double shape);
/* P(Poisson(mean) + noise = z) for z = low .. high. scratch: high - low +
 * PVGI_LAW_SCRATCH. */
enum { PVGI_LAW_SCRATCH = 8192 };
void pvgi_learn_noisy_poisson(double *out, double mean, int64_t low, int64_t high,
                              const pvgi_joint *noise, double *scratch);
/* Arguments checked. */
int32_t pvgi_learn_posterior(double *out, const pvgi_joint *noise, const double *values,
                             const double *prior, const int32_t *labels, int64_t order,
                             const pvg_posterior_config *config, pvgi_run *run);
/* The same, and the mixture (histogram_mix.c), with all checks. name: of the function
 * called. */
int32_t pvgi_learn_read_classes(double *out, const char *name,
                                const pvg_statistic *histogram, const double *values,
                                const double *prior, const int32_t *labels,
                                const pvg_posterior_config *config, const pvg_run *run);
int32_t pvgi_learn_read_mixed(double *out, const char *name,
                              const pvg_statistic *histogram, const double *values,
                              const double *prior, const int32_t *labels,
                              const pvg_posterior_config *config, int64_t averages,
                              pvg_rng *rng, const pvg_run *run);
void pvgi_learn_cells(double *priorities, int32_t *kinds, const double *prior,
                      const int32_t *labels, int64_t order, int64_t classes);

/* --- networks of pipelines (encode.c, histogram_mix.c) ----------------------------- */

/* Rows of probabilities: numbers below floor become floor, then each row sums to 1. */
void pvgi_learn_normalise(double *rows, int64_t count, int64_t classes, double floor);
/* Columns to mean 0 and deviation 1; those that do not vary become 0. */
void pvgi_learn_standardise(double *x, int64_t rows, int64_t columns);
/* One of them: x becomes (x - *mean) *scale. */
void pvgi_learn_standardise_column(double *mean, double *scale, double *x, int64_t rows,
                                   int64_t columns, int64_t column);
/* A model that is kept: its record names the release that its rows are from; NULL: it
 * never leaves the library. */
typedef struct {
    const pvg_release *release;
    pvg_model *model;
} pvgi_kept;
/* Trains a network on the labelled rows, checks in between on the checked ones (may be
 * NULL), and predicts probabilities for all. kept NULL: the model is dropped. */
int32_t pvgi_learn_network(double *out, pvgi_kept *kept, const char *text,
                           const pvg_features *x, const int32_t *labels,
                           const int32_t *checks, int64_t classes,
                           const pvg_training_config *config, pvg_rng *rng,
                           pvgi_run *run);
int32_t pvgi_learn_predict(double *out, const pvg_model *model, const pvg_features *x,
                           pvgi_run *run);
int32_t pvgi_learn_network_rows(double *out, const char *text, const double *x,
                                int64_t rows, int64_t columns, const int32_t *labels,
                                const int32_t *checks, int64_t classes,
                                const pvg_training_config *config, pvg_rng *rng,
                                pvgi_run *run);
/* 5e-4, or 5e-5 if a network of that decay has the lower loss on checks; out: room for
 * rows x classes. */
int32_t pvgi_learn_choose_decay(double *decay, double *out, const char *text,
                                const pvg_features *x, const int32_t *labels,
                                const int32_t *checks, int64_t classes, pvg_rng *rng,
                                pvgi_run *run);
/* A copy with rows of length 1. */
void pvgi_learn_unit_row(double *row, int64_t count);
int32_t pvgi_learn_unit_rows(pvg_features **out, const pvg_features *features);
/* How public features are judged. */
typedef struct {
    int64_t classes, hidden, directions, averages;
    const int32_t *checks; /* that stop, choose and calibrate; NULL: nobody does */
    const double *prior;   /* instead: order x classes; NULL: networks */
    bool folded; /* nodes with a label are judged by networks that did not see it */
} pvgi_encoding;
/* out: order x classes, rows of probabilities above 0; features NULL: class shares.
 * Everything is checked. */
int32_t pvgi_learn_encode(double *out, const pvg_features *features,
                          const int32_t *labels, int64_t order,
                          const pvgi_encoding *encoding, pvg_rng *rng, pvgi_run *run);
int32_t pvgi_learn_mix(double *out, const pvgi_joint *noise, const double *values,
                       const double *prior, const int32_t *labels, int64_t order,
                       const pvg_posterior_config *config, int64_t averages, pvg_rng *rng,
                       pvgi_run *run);
/* Nodes are hidden (nodes.c). Rows of length 1 in `directions` public random directions
 * (0: none, or 256 of more than 512 columns; -1: none). */
int32_t pvgi_learn_inputs(pvg_features **out, const pvg_features *features,
                          int64_t directions);
/* Columns of them. */
int64_t pvgi_learn_inputs_width(int64_t columns, int64_t directions);

#endif
