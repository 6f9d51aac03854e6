/* Programs: operations, tensors and parameters that a text becomes (text.c). */
#ifndef PVGI_NETWORK_PROGRAM_H
#define PVGI_NETWORK_PROGRAM_H

#include "base/base_internal.h"
#include "privgraph/network.h"

/* Columns rounded up to whole vectors of `lanes` numbers. */
static inline int64_t pvgi_network_pad(int64_t columns, int64_t lanes) {
    return (columns + lanes - 1) / lanes * lanes;
}

/* One row of the table in kernel/table.inc each. Tensors have a row per node or per
 * graph, the weights of arcs a row per arc, then two per node: of its self loop, of its
 * whole row. */
typedef enum {
    PVGI_OP_INPUT,          /* out = drop(X), the features as a dense matrix */
    PVGI_OP_SPARSE,         /* out = drop(X) W */
    PVGI_OP_DENSE,          /* out = in W */
    PVGI_OP_BIAS,           /* in += b, in place */
    PVGI_OP_ACTIVATE,       /* in = f(in), in place */
    PVGI_OP_DROPOUT,        /* out = in * mask / (1 - p) */
    PVGI_OP_AGGREGATE,      /* out = operator in */
    PVGI_OP_ADD,            /* out = in + (s + w) other; w a learnt scalar or none */
    PVGI_OP_MEAN,           /* out = s in + t (column means of other) */
    PVGI_OP_PLACE,          /* columns from `offset` of out = in */
    PVGI_OP_SLICE,          /* out = columns from `offset` of in */
    PVGI_OP_MAXIMUM,        /* out = max(in, other) */
    PVGI_OP_ROWS,           /* rows divided by their length, or by max(1, length) */
    PVGI_OP_BATCH_NORM,     /* columns: mean 0, variance 1, then scale and shift */
    PVGI_OP_LAYER_NORM,     /* rows: the same */
    PVGI_OP_HEAD_DOT,       /* out_h = sum over the columns of head h of in * w */
    PVGI_OP_HEAD_MEAN,      /* mean over heads */
    PVGI_OP_EDGE_SOFTMAX,   /* arcs: softmax over a row of leaky(in_v + other_u) */
    PVGI_OP_EDGE_AGGREGATE, /* out_v = sum over arcs of alpha in_u; other = alpha */
    PVGI_OP_COMPARE,        /* attention over arcs: in = Q|K|V or, with weights, Q|K */
    PVGI_OP_SOFTMAX,        /* rows */
    PVGI_OP_CONSTANT,       /* out = in T, T a constant square matrix */
    PVGI_OP_POOL,           /* nodes to graphs: sum, mean, max */
    PVGI_OP_ATTEND,         /* in = Q|K|V: out = softmax(Q K' / sqrt d) V in a window */
    PVGI_OP_LINKS,          /* out = L in / 4, L the links of the window */
    PVGI_OP_PAIR,           /* pairs of a window: in_i in_j, |in_i - in_j| */
    PVGI_OP_GIVEN,          /* pairs: link, cosine of the features; choice: bits */
    PVGI_OP_LOSS,           /* of in, the logits or what Drop made of them */
    PVGI_OP_KINDS
} pvgi_op_kind;

typedef enum {
    PVGI_NODES = 0,
    PVGI_GRAPHS = 1,
    PVGI_ARCS = 2,
    PVGI_PAIRS = 3
} pvgi_domain;
enum { PVGI_GIVEN_LINK = 1, PVGI_GIVEN_COSINE = 2 };

/* How arcs are weighted: out_v = post_v sum_u pre_u in_u + self_v in_v. */
typedef enum {
    PVGI_WEIGHTS_GCN,   /* D^-1/2 (A + I) D^-1/2, D = d + tau */
    PVGI_WEIGHTS_KPROP, /* D^-1/2 A D^-1/2, D = d; rows without neighbours are 0 */
    PVGI_WEIGHTS_MEAN,  /* D^-1 A */
    PVGI_WEIGHTS_SUM    /* A + tau I */
} pvgi_weights;

typedef enum {
    PVGI_ACT_RELU,
    PVGI_ACT_SELU,
    PVGI_ACT_TANH,
    PVGI_ACT_ELU,
    PVGI_ACT_SIGMOID
} pvgi_act;
typedef enum { PVGI_POOL_SUM, PVGI_POOL_MEAN, PVGI_POOL_MAX } pvgi_pool;
typedef enum { PVGI_INIT_GLOROT, PVGI_INIT_ZERO, PVGI_INIT_ONE } pvgi_init;

typedef struct {
    pvgi_domain domain;
    int64_t columns;
    bool learns;   /* a gradient arrives here and is wanted */
    bool constant; /* the same in every epoch */
} pvgi_tensor;

typedef struct {
    pvgi_op_kind kind;
    int32_t in, other, out; /* tensors, -1: none */
    int32_t param, param2;  /* -1: none */
    int32_t moments;        /* BATCH_NORM: parameter with running mean and variance */
    int32_t choice;         /* activation, operator, pool, rule of rows, heads */
    int64_t offset;         /* PLACE, SLICE */
    double number, second;  /* probability of DROPOUT and of input dropout; s, t */
    bool add_in, add_other; /* backward: gradients arrived before, add to them */
    bool silent;            /* nothing reads what it makes: no backward */
} pvgi_op;

typedef struct {
    int64_t rows, columns;
    int32_t init;
    double fan;   /* in + out, for Glorot */
    bool trained; /* false: running moments */
    bool direct; /* its gradient is written by column of the features, without partials */
} pvgi_param;

typedef struct {
    int32_t weights;
    double tau;
} pvgi_arc_operator;

enum {
    PVGI_PROGRAM_OPS = 512,
    PVGI_PROGRAM_PARAMS = 128,
    PVGI_PROGRAM_OPERATORS = 16,
    PVGI_PROGRAM_OUTPUTS = 64
};

typedef struct {
    int64_t inputs, classes;
    int32_t op_count, tensor_count, param_count, operator_count;
    pvgi_op ops[PVGI_PROGRAM_OPS];
    pvgi_tensor tensors[PVGI_PROGRAM_OPS];
    pvgi_param params[PVGI_PROGRAM_PARAMS];
    pvgi_arc_operator operators[PVGI_PROGRAM_OPERATORS];
    int32_t output;                        /* tensor of the logits */
    int32_t outputs[PVGI_PROGRAM_OUTPUTS]; /* of each stage, for HIDDEN */
    int32_t output_count;
    bool needs_graph, pools, mixes; /* mixes: rows of a batch feel each other */
    bool windows, links, pairs;     /* looks at windows, at their links; rows are pairs */
} pvgi_program;

struct pvg_network {
    PVGI_HANDLE;
    char *text; /* as given, white space made single */
    int64_t parameters;
    pvgi_program program;
};

int32_t pvgi_network_parse(pvg_network **out, const char *text, int64_t inputs,
                           int64_t classes);
void pvgi_network_free(pvg_network *network);
/* Appends operations to a copy of a program: what training needs (Drop) and the loss. */
int32_t pvgi_network_append_loss(pvgi_program *program, int64_t target_rounds);
/* Which gradients exist, and which of them arrive second. inputs: features want one. */
void pvgi_network_plan_gradients(pvgi_program *program, bool inputs);

#endif
