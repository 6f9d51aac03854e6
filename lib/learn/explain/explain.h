/* Explanations, inside: balls around nodes, networks of two gcn layers taken apart, one
 * file for each way to explain. */
#ifndef PVGI_EXPLAIN_H
#define PVGI_EXPLAIN_H

#include "learn/learn_internal.h"

/* Makes a block of a worker large enough for `count` entries; its content is lost. */
#define PVGI_ENOUGH(block, have, count)                                                  \
    do {                                                                                 \
        const size_t pvgi_want = (size_t)(count);                                        \
        if (!(block) || pvgi_want > (have)) {                                            \
            pvgi_free(block);                                                            \
            (have) = pvgi_size_add(pvgi_want, pvgi_want / 2);                            \
            (block) = pvgi_alloc(have, sizeof *(block));                                 \
            if (!(block)) return pvgi_fail_nomem();                                      \
        }                                                                                \
    } while (0)

/* --- balls (ball.c) ---------------------------------------------------------------- */

/* Nodes whose rows a node's result can feel. Of one worker. */
typedef struct {
    const pvg_dataset *data;
    int64_t *nodes;      /* by distance, the asked one first */
    int32_t *place;      /* of every node: 1 + its place in nodes, 0 outside */
    int64_t count, near; /* near: nodes that are not at the border */
} pvgi_ball;

size_t pvgi_learn_ball_bytes(const pvg_dataset *data);
int32_t pvgi_learn_ball_open(pvgi_ball *ball, const pvg_dataset *data);
void pvgi_learn_ball_close(pvgi_ball *ball);
/* Nodes within `hops` of v, at most `largest`, nearest first; hops < 0: all nodes. */
void pvgi_learn_ball_around(pvgi_ball *ball, int64_t v, int64_t hops, int64_t largest);

/* --- two gcn layers (two_layers.c) ------------------------------------------------ */

/* z = P2 f(P1 X W1 + b1) W2 + b2, P = S (A + I) S with S = (degree + tau)^-1/2, in
 * doubles. */
typedef struct {
    const pvg_dataset *data;
    int64_t order, inputs, hidden, classes;
    const double *w1, *b1, *w2, *b2; /* inputs x hidden, hidden, hidden x classes, .. */
    pvgi_act act;
    double *s1, *s2;           /* of each node */
    double *slope, *state, *z; /* f' and f: order x hidden; order x classes */
} pvgi_two;

/* Whether the network is of this kind and the arcs go both ways, without weights. */
bool pvgi_learn_two_fits(const pvg_model *model, const pvg_dataset *data);
int32_t pvgi_learn_two_open(pvgi_two *two, const pvg_model *model,
                            const pvg_dataset *data, pvgi_run *run);
void pvgi_learn_two_close(pvgi_two *two);
/* f and f'. */
double pvgi_learn_act(double *slope, pvgi_act act, double x);
/* -dL/dz for L = -ln p of a class, into d; p from the logits z by the loss of a model. */
void pvgi_learn_loss_slopes(double *d, const double *z, int64_t classes, int64_t class,
                            int32_t loss);

/* --- the front (first_layer.c) ---------------------------------------------------- */

enum { PVGI_FRONT_MAX = 8 }; /* products of the features */

/* A network without its first products, and a dataset whose features they are. */
typedef struct {
    const pvg_dataset *from; /* the features themselves */
    pvg_model model;         /* borrows all but the network */
    pvg_network *network;
    pvg_dataset data; /* borrows all but the features */
    int64_t columns;
    int32_t count;
    int64_t widths[PVGI_FRONT_MAX];
    const double *weights[PVGI_FRONT_MAX];
} pvgi_front;

/* Whether features are read by products only. */
bool pvgi_learn_front_fits(const pvgi_program *program);
int32_t pvgi_learn_front_open(pvgi_front *front, const pvg_model *model,
                              const pvg_dataset *data, pvgi_run *run);
void pvgi_learn_front_close(pvgi_front *front);
/* Slope at feature j from those at a row of products. */
double pvgi_learn_front_slope(const pvgi_front *front, const double *slopes, int64_t j);

/* --- ways to explain --------------------------------------------------------------- */

/* What every way gets: arguments checked, config filled in. */
typedef struct {
    double *out; /* count x inputs */
    int32_t explainer;
    const pvg_model *model;
    const pvg_dataset *data;
    const int64_t *nodes; /* NULL: all */
    int64_t count;
    pvg_explain_config config;
    pvg_rng *rng;
    /* GNN_EXPLAINER: count x arcs, and count correlations; NULL: not asked for */
    double *arcs, *agreement;
    bool general; /* for tests: as though no network were of two gcn layers */
    /* Heaps leave out arcs that nobody in the middle of a ball hears. */
    bool inner;
    const pvgi_front *front; /* model and data are of it; NULL: they are not */
} pvgi_explain;

static inline int64_t pvgi_explain_node(const pvgi_explain *e, int64_t i) {
    return e->nodes ? e->nodes[i] : i;
}
/* Column with the largest logit; of a single one whether it is above 0. */
int64_t pvgi_learn_explain_class(const double *z, int64_t classes);

/* Balls side by side (heap.c). */
typedef struct {
    pvg_dataset data;
    int64_t *starts; /* of each ball in the nodes; balls + 1 */
    int64_t balls;
    int32_t *classes; /* predicted class of the first node of each ball, else -1 */
    int64_t *numbers; /* of its arcs in the whole dataset */
    int64_t *nodes;   /* of its nodes */
} pvgi_heap;
/* How far a node's result can feel: layers that listen; -1: everything. */
int64_t pvgi_learn_reach(const pvgi_program *program);
/* Explains the nodes of a heap, whose first ball is around node `first`. */
typedef int32_t (*pvgi_heap_step)(const pvgi_explain *e, pvgi_heap *heap,
                                  const pvgi_stream *stream, int64_t first,
                                  pvgi_run *run);
/* Heap after heap until all nodes are explained. stream is handed on. */
int32_t pvgi_learn_each_heap(const pvgi_explain *e, pvgi_heap_step step,
                             const pvgi_stream *stream, pvgi_run *run);

/* By the table of ways; what depends on the model is checked here. */
int32_t pvgi_learn_explain(const pvgi_explain *e, const char *function, pvgi_run *run);
int32_t pvgi_learn_explain_gradients(const pvgi_explain *e, pvgi_run *run);
int32_t pvgi_learn_explain_lime(const pvgi_explain *e, pvgi_run *run);
int32_t pvgi_learn_explain_masks(const pvgi_explain *e, pvgi_run *run);
/* The same for any network (masks_any.c); stream: of the call, fresh. */
int32_t pvgi_learn_explain_masks_any(const pvgi_explain *e, const pvgi_stream *stream,
                                     pvgi_run *run);
/* A number of the standard normal law: for starts that protect nothing. */
double pvgi_learn_normal(pvgi_stream *stream);
double pvgi_learn_correlation(const double *a, const double *b, int64_t count);

/* Non-negative lasso over kernels of sparse columns; see lime.c. */
typedef struct {
    int64_t nodes, columns;
    const int64_t *starts; /* columns + 1 */
    const int32_t *rows;   /* of each entry */
    const double *values;  /* not 0 */
    double bandwidth;      /* exp(-(x - y)^2 / bandwidth) */
    double penalty, tolerance;
    int64_t sweeps;  /* at most */
    double *rest;    /* nodes x nodes: the label kernel, centred, length 1; used up */
    double *scratch; /* entries of all squares, then 2 nodes + columns */
} pvgi_lime;
/* Numbers of `scratch`. */
size_t pvgi_learn_lime_scratch(const pvgi_lime *lime);
void pvgi_learn_lime_solve(double *beta, const pvgi_lime *lime);
/* exp(-|p_a - p_b|^2 / bandwidth), centred, Frobenius length 1 or 0. */
void pvgi_learn_lime_labels(double *out, const double *p, int64_t nodes, int64_t classes,
                            double bandwidth);

#endif
