/* Masks of GNNExplainer, inside: what a worker keeps of one ball (masks.c), and the loops
 * over it (masks_kernel.c). */
#ifndef PVGI_EXPLAIN_MASKS_H
#define PVGI_EXPLAIN_MASKS_H

#include "explain.h"

enum { PVGI_MASK_LANES = 4, PVGI_MASK_BLOCK = 4 * PVGI_MASK_LANES };
typedef double pvgi_vec __attribute__((vector_size(32), may_alias, aligned(8)));
typedef int64_t pvgi_ivec __attribute__((vector_size(32), may_alias, aligned(8)));

static const double PVGI_ADAM_BETA1 = .9, PVGI_ADAM_BETA2 = .999, PVGI_ADAM_LEAST = 1e-8;

/* One number under Adam. */
typedef struct {
    double rate1, rate2; /* step = rate1 m / (sqrt(rate2 s) + LEAST) */
} pvgi_adam_rates;

/* Numbers with masks: where they are, their moments, sigmoid and slope. */
typedef struct {
    double *at, *first, *second, *open, *slope;
} pvgi_mask;

/* Of a worker: grows to the largest ball. */
typedef struct {
    pvgi_ball ball;
    int32_t *column; /* of every feature: 1 + its place among those that occur */
    int32_t *which;  /* those */
    int64_t columns, entries, arcs, inner; /* inner: arcs of near rows, the first ones */
    int64_t stride;                        /* hidden, rounded up to a BLOCK */
    int64_t *starts;                       /* of columns, in rows and values */
    int64_t *row_starts;                   /* of nodes, in places and row_values */
    int32_t *rows, *places;
    double *values, *row_values;
    int64_t *arc_starts; /* of near rows */
    int32_t *arc_to;     /* place of the other node of each arc */
    int64_t *arc_number; /* in the dataset */
    double *arc_weight;  /* P1 of it, and of rows at v P2 beside it */
    double *arc_weight2;
    double *w1;                 /* columns x hidden */
    double *y, *dy;             /* nodes x hidden: (X sig F) W1 */
    double *state, *slope;      /* near x hidden */
    double *weights;            /* of entries, by row */
    double *sum, *back, *z, *d; /* hidden, hidden, classes, classes */
    double *b1, *w2;            /* hidden; classes x hidden */
    pvgi_mask features, marks;
    size_t capacity[20];
    double *drawn; /* inputs: starts of all features */
    double *other; /* inputs: a second answer */
} pvgi_mask_ball;

typedef struct {
    void (*open_up)(pvgi_mask *m, int64_t count);
    void (*move)(pvgi_mask *m, int64_t count, double size, double entropy,
                 pvgi_adam_rates p);
    void (*run_forward)(pvgi_mask_ball *k, const pvgi_two *two);
    void (*run_backward)(pvgi_mask_ball *k, const pvgi_two *two, int64_t class,
                         int32_t loss);
} pvgi_mask_kernels;

/* Those of this processor. */
const pvgi_mask_kernels *pvgi_learn_mask_kernels(void);

#endif
