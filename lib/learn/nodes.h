/* Nodes are hidden (kind "nodes"): what drawing and reading share. */
#ifndef PVGI_LEARN_NODES_H
#define PVGI_LEARN_NODES_H

#include "pipeline.h"

enum { PVGI_NODES_FEATURES, PVGI_NODES_GAP };                    /* method */
enum { PVGI_NODES_ENCODER, PVGI_NODES_STATES, PVGI_NODES_HEAD }; /* draws */

static inline const pvgi_nodes_settings *
pvgi_learn_nodes_settings(const pvg_pipeline *p) {
    return &p->settings.nodes;
}

/* 0: the encoder alone. */
static inline int64_t pvgi_learn_nodes_hops(const pvg_pipeline *p) {
    return pvgi_learn_nodes_settings(p)->method == PVGI_NODES_GAP
               ? pvgi_learn_nodes_settings(p)->hops
               : 0;
}

/* What the head reads: own probabilities and states. */
static inline int64_t pvgi_learn_nodes_head_width(const pvg_pipeline *p) {
    return p->classes * (1 + pvgi_learn_nodes_hops(p));
}

/* Private rows and, to train, labels and split, and draws behind the rows. */
typedef struct {
    const pvg_features *x;
    const pvg_labels *labels; /* NULL: rows are judged */
    const pvg_model *seen;
    const pvg_release *states;
} pvgi_nodes_records;

int32_t pvgi_learn_nodes_data(pvg_dataset **out, const pvg_pipeline *p,
                              const pvgi_nodes_records *r);
/* Exactly what is read, of the pipeline's sizes: the graph for sums alone. */
int32_t pvgi_learn_nodes_check_input(const pvg_pipeline *p, const char *name,
                                     const pvg_input *input);
/* Class probabilities of all nodes by a model, from features that may be private. */
int32_t pvgi_learn_nodes_judge(double *out, const pvg_pipeline *p, const pvg_model *model,
                               const pvg_features *x, pvgi_run *run);
/* What nodes send: (q - 1/C) / sqrt(1 - 1/C) for probabilities q, of length at most 1;
 * with labels, that of those who train instead. */
void pvgi_learn_nodes_messages(double *out, const pvg_pipeline *p,
                               const pvg_features *inputs, const double *q,
                               const pvg_labels *labels);
/* Labels are sent over one hop alone. */
const pvg_labels *pvgi_learn_nodes_sent_labels(const pvg_pipeline *p,
                                               const pvg_labels *labels);
/* What the head reads: the node's own centred q, and its states in units of what their
 * noise and range are, which is public. */
int32_t pvgi_learn_nodes_head_inputs(pvg_features **out, const pvg_pipeline *p,
                                     const pvg_features *inputs, const double *q,
                                     const pvg_release *states);

int32_t pvgi_learn_nodes_read(pvgi_reading *out, const pvg_pipeline *p, const char *name,
                              const pvg_model *encoder, const pvg_release *states,
                              const pvg_model *head, const pvg_input *input,
                              pvgi_run *run);
int32_t pvgi_learn_nodes_exact(pvgi_reading *out, const pvg_pipeline *p, const char *name,
                               const pvg_input *input, pvg_rng *rng, pvgi_run *run);

#endif
