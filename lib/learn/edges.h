/* Edges are hidden (kind "edges"): what drawing and reading share. */
#ifndef PVGI_LEARN_EDGES_H
#define PVGI_LEARN_EDGES_H

#include "pipeline.h"

enum {
    PVGI_EDGES_HISTOGRAM,
    PVGI_EDGES_SUMS,
    PVGI_EDGES_GAP,
    PVGI_EDGES_PCMP,
    PVGI_EDGES_RESPONSE,
    PVGI_EDGES_FEATURES
};

static inline const pvgi_edges_settings *
pvgi_learn_edges_settings(const pvg_pipeline *p) {
    return &p->settings.edges;
}

/* Noise with a delta. */
static inline bool pvgi_learn_edges_gaussian(int32_t method) {
    return method == PVGI_EDGES_SUMS || method == PVGI_EDGES_GAP ||
           method == PVGI_EDGES_PCMP;
}

static inline int pvgi_learn_edges_rounds(const pvg_pipeline *p) {
    return pvgi_learn_edges_settings(p)->method == PVGI_EDGES_FEATURES ? 0
           : pvgi_learn_edges_settings(p)->first_share > 0             ? 2
                                                                       : 1;
}

/* Query of a round. prior: what makes the cells of a histogram. first: of the round
 * before, or NULL. */
int32_t pvgi_learn_edges_ask(pvg_query **out, const pvg_pipeline *p, int round,
                             const double *prior, const pvg_release *first);
int32_t pvgi_learn_edges_ask_histogram(pvg_query **out, const pvg_pipeline *p,
                                       const double *prior, const pvg_target *target);
int32_t pvgi_learn_edges_check_input(const pvg_pipeline *p, const char *name,
                                     const pvg_input *input);

/* --- reading (edges_read.c) --------------------------------------------------------- */

/* What nodes send, of length at most 1. */
int32_t pvgi_learn_edges_messages(double **out, const pvg_pipeline *p);
/* What follows from the first of two rounds: the prior of the second. */
int32_t pvgi_learn_edges_read_first(double *out, const pvg_pipeline *p,
                                    const pvg_query *query, const double *values,
                                    pvgi_run *run);
int32_t pvgi_learn_edges_read(pvgi_reading *out, const pvg_pipeline *p, const char *name,
                              const pvg_release *const seen[PVGI_DRAWS], pvg_rng *rng,
                              pvgi_run *run);
int32_t pvgi_learn_edges_exact(pvgi_reading *out, const pvg_pipeline *p, const char *name,
                               const pvg_input *input, pvg_rng *rng, pvgi_run *run);

#endif
