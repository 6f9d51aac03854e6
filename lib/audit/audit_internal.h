/* audit, inside. Nothing includes this but audit. */
#ifndef PVGI_AUDIT_H
#define PVGI_AUDIT_H

#include "base/base_internal.h"
#include "graph/graph_internal.h"
#include "network/network_internal.h"
#include "privgraph/audit.h"
#include "release/release_internal.h"
#include "rng/rng_internal.h"

/* P(Beta(a, b) <= x), the regularised incomplete beta function; a, b > 0, x in [0, 1]. */
double pvgi_audit_beta(double x, double a, double b);
/* One-sided Clopper-Pearson bounds that each miss with probability `miss`, rounded
 * outwards. */
double pvgi_audit_lower(double hits, double trials, double miss);
double pvgi_audit_upper(double hits, double trials, double miss);

int32_t pvgi_audit_judge(pvg_audit_verdict *out, const double *first,
                         const double *second, int64_t runs, double delta,
                         double confidence);
int32_t pvgi_audit_check_scores(const char *function, const char *argument,
                                const double *scores, int64_t runs);
/* Plays and judges. */
int32_t pvgi_audit_play(pvg_audit_verdict *out, pvg_audit_play play, void *context,
                        int64_t runs, double delta, double confidence, pvgi_run *run);
/* Log density of a normal law fitted to the values, but for a constant. */
double pvgi_audit_normal_log(double observed, const double *values, int64_t count);
int32_t pvgi_audit_nearest(double *share, const double *released, const double *known,
                           int64_t rows, int64_t columns, int64_t top, pvgi_run *run);

/* --- areas (area.c) -------------------------------------------------------------- */

/* x with Phi(x) = p. */
double pvgi_audit_normal_quantile(double p);

/* Questions by score: order[0] is that of the lowest; groups of equal scores end before
 * groups[g]. The first `positives` questions are those with the answer yes. */
typedef struct {
    int64_t count, positives, group_count;
    int64_t *order, *groups;
} pvgi_ranking;
int32_t pvgi_audit_order(int64_t *order, int64_t *groups, int64_t *group_count,
                         const double *scores, int64_t count);
/* NaN if a side has no weight. */
double pvgi_audit_weighted_area(const pvgi_ranking *ranking, const double *weights);
/* Of each question, the share of the other side it is right about. */
void pvgi_audit_placements(double *out, const pvgi_ranking *ranking);
/* DeLong's variance of an area or, less not NULL, of a difference of two. */
double pvgi_audit_variance(double *area, const double *placements, const double *less,
                           int64_t count, int64_t positives);
void pvgi_audit_bounds(double *low, double *high, double area, double variance,
                       int64_t count, int64_t positives, double confidence);
/* Mean precision if positives were this share of all. */
double pvgi_audit_precision(const pvgi_ranking *ranking, double prevalence);
/* Positives found while at most this share of the negatives is. */
int64_t pvgi_audit_hits(const pvgi_ranking *ranking, double rate);
int32_t pvgi_audit_area(double *area, double *low, double *high, const double *positives,
                        int64_t np, const double *negatives, int64_t nn,
                        double confidence);

/* --- settings (settings.c) --------------------------------------------------------- */

/* What is asked of an attack, as it came. */
typedef struct {
    const char *name; /* of the function */
    pvg_attack **out;
    const pvg_graph *truth;
    const pvg_attack_config *config;
    pvg_rng *rng;
    const pvg_run *run;
} pvgi_attack_call;

/* Checks it; *own is its config, filled in. */
int32_t pvgi_audit_begin(pvg_attack_config *own, pvgi_run *running,
                         const pvgi_attack_call *call);
int32_t pvgi_audit_read_config(pvg_attack_config *own, const char *name,
                               const pvg_attack_config *config, int64_t order);
int32_t pvgi_audit_check_finite(const char *name, const char *what, const double *values,
                                int64_t rows, int64_t columns);

/* --- attacks (attack.c, questions.c, links.c) --------------------------------------- */

enum {
    PVGI_NEGATIVE_KINDS = 3,
    PVGI_ATTACK_SCORES = 10, /* the attack, then PVG_CONTROL_* from 0 */
    /* streams below that of a call: kinds of questions, the attack's own, bootstrap */
    PVGI_ATTACK_OWN = 8,
    PVGI_ATTACK_DRAWS = 1000
};

struct pvg_attack {
    PVGI_HANDLE;
    int64_t order; /* nodes */
    int64_t count, positive_count, negative_count[PVGI_NEGATIVE_KINDS];
    int64_t *first, *second; /* positives, then negatives by kind */
    int32_t *kinds;
    bool about_pairs; /* second is a node, too */
    bool dead;        /* what is attacked says the same about every node */
    double prevalence;
    double *scores[PVGI_ATTACK_SCORES];                       /* NULL: no such control */
    double areas[PVGI_NEGATIVE_KINDS][PVGI_ATTACK_SCORES][3]; /* AUC, low, high */
    pvg_attack_report reports[PVGI_NEGATIVE_KINDS];
};

int32_t pvgi_audit_attack_new(pvg_attack **out, int64_t capacity, int64_t order);
void pvgi_audit_attack_free(pvg_attack *attack);
/* Adds a question, within the capacity. */
void pvgi_audit_ask(pvg_attack *attack, int64_t first, int64_t second, int32_t kind);
/* Room for the scores of a control, or of the attack (NONE); zeros. */
int32_t pvgi_audit_add_score(double **out, pvg_attack *attack, int32_t control);
/* Writes the reports. config is filled in. */
int32_t pvgi_audit_attack_judge(pvg_attack *attack, const pvg_attack_config *config,
                                const pvgi_stream *call, pvgi_run *run);
int32_t pvgi_audit_questions(pvg_attack **out, const pvg_graph *graph,
                             const pvg_attack_config *config, const pvgi_stream *call);

/* Whether all rows are the same. */
bool pvgi_audit_alike(const double *rows, int64_t count, int64_t columns);
/* Fills in the scores of all questions; may add controls of its own. */
typedef int32_t (*pvgi_score_fn)(void *context, double *scores, pvg_attack *attack,
                                 const pvg_attack_config *config, pvgi_run *run);
/* row_metric: of the control ROWS; config: filled in. */
int32_t pvgi_audit_links(const pvgi_attack_call *asked, pvgi_score_fn score,
                         void *context, const pvg_attack_config *config,
                         int32_t row_metric, pvgi_run *run);

/* Similarity of two rows; centre for PVG_METRIC_CENTRED. */
double pvgi_audit_compare(int32_t metric, const double *a, const double *b,
                          const double *centre, int64_t columns);
int32_t pvgi_audit_score_rows(double *scores, const pvg_attack *attack,
                              const double *rows, int64_t columns, int32_t metric,
                              const int32_t *asked);
/* --- ceilings (ceiling.c) ------------------------------------------------------------
 * */

int32_t pvgi_audit_curve_ceiling(double *auc, double *true_positive,
                                 const pvg_curve *curve, double false_positive);

/* AUC, and true positives at a rate of false ones. */
int32_t pvgi_audit_prediction_ceiling(double *out, const double *posterior, int64_t rows,
                                      int64_t classes, double epsilon);
void pvgi_audit_pure_ceiling(double *auc, double *true_positive, double epsilon,
                             double delta, double false_positive);
void pvgi_audit_gdp_ceiling(double *auc, double *true_positive, double mu,
                            double false_positive);

/* --- attacks, with their own checks --------------------------------------------------
 * */

int32_t pvgi_audit_links_custom(const pvgi_attack_call *call, pvg_attack_score score,
                                void *context);
int32_t pvgi_audit_links_rows(const pvgi_attack_call *call, const double *rows,
                              int64_t columns, int32_t metric);
int32_t pvgi_audit_links_influence(const pvgi_attack_call *call, const pvg_model *model,
                                   const pvg_dataset *data, bool exact);
int32_t pvgi_audit_links_states(const pvgi_attack_call *call, const pvg_release *release,
                                const double *messages, int64_t columns);
int32_t pvgi_audit_links_release(const pvgi_attack_call *call,
                                 const pvg_release *release);
int32_t pvgi_audit_links_learned(const pvgi_attack_call *call, const double *rows,
                                 int64_t columns, const int32_t *known);
/* call->truth is not looked at. */
int32_t pvgi_audit_membership(const pvgi_attack_call *call, const pvg_network *network,
                              const pvg_dataset *data,
                              const pvg_training_config *training, bool exact);
int32_t pvgi_audit_values(pvg_attack **out, const double *values,
                          const pvg_features *truth, const pvg_attack_config *config,
                          pvg_rng *rng, pvgi_run *run);
double pvgi_audit_features_cosine(const pvg_features *x, int64_t u, int64_t v);

#endif
