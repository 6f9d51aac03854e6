/* audit: what a release leaks, measured. Include <privgraph.h>.
 *
 * An audit can refute a guarantee, never prove one: its epsilon is a lower bound that
 * holds with the stated confidence. Audits run on public test graphs; on a private graph
 * their results are private too. */
#ifndef PRIVGRAPH_AUDIT_H
#define PRIVGRAPH_AUDIT_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a distinguishing game found. */
typedef struct pvg_audit_verdict {
    uint32_t size; /* sizeof(pvg_audit_verdict), set by the caller */
    uint32_t reserved;
    double epsilon_lower; /* the true epsilon at delta is at least this, with confidence;
                           * 0 if nothing was found */
    double auc;           /* probability that a score of the second world is the larger */
    double separation;    /* d': difference of means in pooled standard deviations */
    double true_positive; /* rates of the event used, on the runs held out */
    double false_positive;
    double confidence, delta; /* as asked */
    int64_t runs;             /* in each world */
} pvg_audit_verdict;

/* Judges scores of two worlds that differ in one edge: `runs` numbers each, the larger
 * the more the second world is suspected. The event (a threshold and a side) is chosen on
 * the first half of the runs; Clopper-Pearson bounds on the other half give the lower
 * bound ln((P(event) - delta) / P'(event)). confidence in (0, 1), say 1 - 1e-9. Scores
 * may be infinite, not NaN. Since 0.1. */
PRIVGRAPH_API int32_t pvg_audit_scores(pvg_audit_verdict *out,
                                       PVG_LEN(runs) const double *first,
                                       PVG_LEN(runs) const double *second, int64_t runs,
                                       double delta, double confidence);

/* Plays the game: calls play `runs` times for each world (0: the edge is absent, 1:
 * present) and judges the scores. play returns 0, or non-zero to give up
 * (PVG_E_CANCELLED). It is called from the calling thread. Since 0.1. */
typedef int32_t (*pvg_audit_play)(void *context, int32_t world, int64_t run,
                                  double *score);
PRIVGRAPH_API int32_t pvg_audit_game(pvg_audit_verdict *out, pvg_audit_play play,
                                     void *context, int64_t runs, double delta,
                                     double confidence, const pvg_run *run);

/* Largest AUC and d' that a mechanism with Gaussian-DP parameter mu permits, to print
 * beside a verdict: AUC = Phi(mu / sqrt 2), d' = mu. Since 0.1. */
PRIVGRAPH_API int32_t pvg_audit_ceiling(double *auc, double *separation, double mu);

/* Re-identification: for each of `rows` released vectors, is the vector of the same row
 * among the nearest `top` of the known ones (Euclidean distance; ties count against the
 * attacker)? *share receives the fraction found. Matrices are row-major, rows x columns.
 * Uses run->threads. Since 0.1. */
PRIVGRAPH_API int32_t pvg_audit_reidentify(double *share,
                                           PVG_LEN(rows, columns) const double *released,
                                           PVG_LEN(rows, columns) const double *known,
                                           int64_t rows, int64_t columns, int64_t top,
                                           const pvg_run *run);

/* One-sided Clopper-Pearson bounds on a probability after `hits` of `trials`: each holds
 * with the given confidence. Since 0.1. */
PRIVGRAPH_API int32_t pvg_audit_interval(double *lower, double *upper, int64_t hits,
                                         int64_t trials, double confidence);

#ifdef __cplusplus
}
#endif

#endif
