/* network, inside: text to program (text.c), program to tape (tape.c), kernels for both
 * number types and each instruction set (kernel.c, kernel/), training (train.c),
 * datasets (dataset.c), models (model.c). */
#ifndef PVGI_NETWORK_H
#define PVGI_NETWORK_H

#include "base/base_internal.h"
#include "graph/graph_internal.h"
#include "privgraph/network.h"
#include "release/release_internal.h"
#include "rng/rng_internal.h"

/* --- programs (text.c) ---------------------------------------------------------- */

/* Columns rounded up to whole vectors of `lanes` numbers. */
static inline int64_t pvgi_network_pad(int64_t columns, int64_t lanes) {
    return (columns + lanes - 1) / lanes * lanes;
}

/* One row of the table in kernel/table.h each. Tensors have a row per node or per graph,
 * the weights of arcs a row per arc followed by one per node for its self loop. */
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

/* --- datasets (dataset.c) ------------------------------------------------------- */

typedef enum {
    PVGI_ORIGIN_NONE,
    PVGI_ORIGIN_PUBLIC,
    PVGI_ORIGIN_RELEASED,
    PVGI_ORIGIN_PRIVATE
} pvgi_origin;

/* What a released part rests on. The id of the draw, which copies and files keep, tells
 * whether two parts are the same one; those without are counted apart, too much rather
 * than too little. */
enum { PVGI_SEEN_MAX = 64, PVGI_PARTS_MAX = 24 };
/* Beside PVG_ROLE_*: weights that were trained privately on features and labels. */
enum { PVGI_ROLE_WEIGHTS = 16 };
typedef struct {
    uint64_t object;
    int32_t role;            /* PVG_ROLE_*, PVGI_ROLE_* */
    pvg_guarantee guarantee; /* own copy */
} pvgi_seen;

struct pvg_dataset {
    PVGI_HANDLE;
    pvgi_seen seen[PVGI_PARTS_MAX];
    int32_t seen_count;
    int64_t order;   /* nodes */
    int64_t graphs;  /* graph tasks: number of graphs; else 0 */
    int64_t outputs; /* rows of a prediction: nodes, graphs or pairs */
    int64_t *starts; /* graphs + 1 */
    int64_t *offsets;
    int32_t *columns; /* of arcs; NULL without a graph */
    double *degrees;  /* of nodes cut out of a larger graph; NULL: those of the rows */
    bool symmetric;
    double *arc_weights; /* of each arc, or NULL: all 1 */
    bool arc_masks;      /* they are factors of messages and leave degrees alone */
    int64_t window;      /* nodes of a window; 0: there are none */
    int64_t pairs;       /* rows are the pairs of all windows; else 0 */
    double *links;       /* order x window, or NULL */
    int64_t width;       /* columns of the features */
    int64_t *x_offsets;
    int32_t *x_indices;
    double *x_values; /* NULL without features */
    int32_t *labels;  /* outputs; NULL without */
    int32_t *split;   /* outputs; NULL: everything with a label trains */
    int64_t classes;  /* largest label + 1 */
    pvgi_origin graph_origin, features_origin, labels_origin, windows_origin;
    uint64_t graph_object, features_object, labels_object, windows_object;
    bool width_untold; /* columns of private features were read off them */
};
struct pvg_dataset_builder {
    PVGI_HANDLE;
    pvg_dataset data;
    bool finished;
};

int32_t pvgi_network_builder_new(pvg_dataset_builder **out, int64_t order);
void pvgi_network_builder_free(pvg_dataset_builder *builder);
void pvgi_network_dataset_free(pvg_dataset *data);
int32_t pvgi_network_builder_arcs(pvg_dataset_builder *builder, const int64_t *offsets,
                                  const int32_t *columns, bool symmetric,
                                  pvgi_origin origin, uint64_t object);
int32_t pvgi_network_builder_graphset(pvg_dataset_builder *builder,
                                      const pvg_graphset *set);
int32_t pvgi_network_builder_features(pvg_dataset_builder *builder,
                                      const pvg_features *features, pvgi_origin origin,
                                      uint64_t object);
int32_t pvgi_network_builder_labels(pvg_dataset_builder *builder, const int32_t *labels,
                                    pvgi_origin origin, uint64_t object);
int32_t pvgi_network_builder_split(pvg_dataset_builder *builder, const int32_t *parts);
int32_t pvgi_network_builder_windows(pvg_dataset_builder *builder, int64_t size,
                                     bool pairs, const double *links, pvgi_origin origin,
                                     uint64_t object);
int32_t pvgi_network_builder_arc_weights(pvg_dataset_builder *builder,
                                         const double *weights, bool masks);
/* Neighbours of a node, or the sum of the weights of its arcs. */
static inline double pvgi_network_degree(const pvg_dataset *data, int64_t v) {
    const int64_t from = data->offsets[v], to = data->offsets[v + 1];
    if (data->degrees) return data->degrees[v];
    if (!data->arc_weights || data->arc_masks) return (double)(to - from);
    double sum = 0;
    for (int64_t e = from; e < to; e++) sum += data->arc_weights[e];
    return sum;
}
/* Graphs, windows or nodes: what a step of training may leave out. */
int64_t pvgi_network_items(const pvg_dataset *data);
/* The items as a dataset of their own; *rows receives the numbers of its outputs, owned
 * by the caller. Neither split nor what was seen goes along. */
int32_t pvgi_network_dataset_part(pvg_dataset **out, int64_t **rows,
                                  const pvg_dataset *data, const int64_t *items,
                                  int64_t count);
/* Number of pair i < j of a window with w nodes among its pairs. */
static inline int64_t pvgi_network_pair(int64_t i, int64_t j, int64_t w) {
    return i * (2 * w - i - 1) / 2 + j - i - 1;
}
int32_t pvgi_network_builder_finish(pvg_dataset **out, pvg_dataset_builder *builder);

/* --- tapes (tape.c) ------------------------------------------------------------- */

enum {
    PVGI_TAPE_CHUNKS = 32, /* at most, of rows: partial sums are kept for each */
    PVGI_TAPE_ROWS = 128,  /* worked on at a time, so that they stay in a near cache */
    PVGI_TAPE_LEAST = 64,  /* rows in a chunk, at least */
    PVGI_TAPE_FLAT = 8192, /* parameters in a chunk */
    PVGI_TAPE_VECTOR = 32, /* bytes; rows of matrices are whole vectors, the rest zeros */
    PVGI_TAPE_GROUP = 64   /* epochs run at a stretch, at most */
};
/* Doubles that the loss of a row needs: probabilities, what a transition makes of them,
 * gradients, and the softmax in whole vectors. */
static inline int64_t pvgi_network_loss_room(int64_t classes) {
    return 4 * classes + PVGI_TAPE_VECTOR;
}

typedef enum {
    PVGI_PASS_FORWARD,
    PVGI_PASS_BACKWARD,
    PVGI_PASS_TRANSPOSE,
    PVGI_PASS_UPDATE
} pvgi_pass;

/* One step of an operation. Steps of a stage run one after the other on a few rows. */
typedef struct {
    int32_t op, part;
    pvgi_pass pass;
} pvgi_step;

typedef struct pvgi_tape pvgi_tape;
typedef struct {
    pvgi_tape *tape;
    int32_t first_step, step_count;
    int64_t rows, chunk_rows, chunks;
} pvgi_tape_stage;

/* Who counts in a loss: row v with weight weights[v], 0: not. */
typedef struct {
    double *train, *validate; /* outputs each */
    double train_sum, validate_sum;
} pvgi_loss_rows;

typedef struct pvgi_kernels {
    /* the step on rows first..last-1 of its domain; chunk numbers partial sums, fresh:
     * the first rows of the chunk */
    void (*run)(pvgi_tape *tape, const pvgi_step *step, int64_t first, int64_t last,
                int64_t chunk, bool fresh, int64_t epoch);
    void (*update)(pvgi_tape *tape, int64_t first, int64_t last, int64_t epoch);
    void (*reduce)(pvgi_tape *tape, int64_t first, int64_t last);
    void (*convert)(void *out, int64_t stride, const double *in, int64_t rows,
                    int64_t columns);
    void (*read)(double *out, const void *in, int64_t stride, int64_t rows,
                 int64_t columns);
    /* of a row in whole vectors, in place; what is behind the last column becomes 0 */
    void (*activate)(void *row, int64_t columns, int32_t choice);
} pvgi_kernels;
const pvgi_kernels *pvgi_network_kernels(pvgi_cpu level, bool wide);

/* Everything of one training or prediction, in one block of memory. */
struct pvgi_tape {
    const pvgi_kernels *kernels;
    pvgi_program program; /* own copy, with the loss */
    const pvg_dataset *data;
    pvg_training_config config;
    bool wide, learning;          /* doubles; gradients wanted */
    bool noisy;                   /* dropout and moments of the batch */
    int64_t seed_row, seed_class; /* of the logit whose gradient is wanted */
    const int32_t *seeds;         /* instead: a class of each row, -1: none */
    bool seed_loss;               /* of -ln p rather than of the logit */
    size_t element;
    void *block; /* owns what follows */
    size_t bytes;
    int64_t nodes, graphs, arcs, pairs;
    int64_t node_chunk, graph_chunk, pair_chunk; /* rows */
    /* tensors */
    void *value[PVGI_PROGRAM_OPS], *grad[PVGI_PROGRAM_OPS];
    int64_t stride[PVGI_PROGRAM_OPS], rows[PVGI_PROGRAM_OPS];
    uint64_t *mask[PVGI_PROGRAM_OPS];  /* of operations that drop */
    void *scratch[PVGI_PROGRAM_OPS];   /* of operations: transposed weights, moments */
    double *partial[PVGI_PROGRAM_OPS]; /* of operations that add over all rows */
    int64_t mask_stride[PVGI_PROGRAM_OPS];
    /* parameters, flat: direct ones first */
    int64_t param_start[PVGI_PROGRAM_PARAMS], param_stride[PVGI_PROGRAM_PARAMS];
    int64_t flat, direct, trained; /* all, up to where direct, up to where trained */
    void *weights, *gradient, *moment, *second, *best, *partials;
    double *squares; /* of gradients, per chunk of parameters; NULL unless clipped */
    /* operators: pre, post, self of each node */
    void *pre[PVGI_PROGRAM_OPERATORS], *post[PVGI_PROGRAM_OPERATORS],
        *self[PVGI_PROGRAM_OPERATORS];
    /* features by row and by column */
    void *x_values, *x_column_values;
    int64_t *x_starts;         /* width + 1 */
    int32_t *x_rows;           /* of each entry by column */
    uint32_t *x_bits;          /* where its mask bit is */
    int64_t x_chunk, x_chunks; /* columns of features a chunk has */
    /* arcs backwards: row u lists the v whose rows hold u, and where */
    const int64_t *back_offsets;
    const int32_t *back_columns;
    int64_t *back_own_offsets;
    int32_t *back_own_columns;
    int64_t *back_places; /* arc number of each reversed arc */
    /* with weights of arcs: those, and for each operator what it multiplies rows with */
    void *arc_factor, *arc_forward[PVGI_PROGRAM_OPERATORS],
        *arc_back[PVGI_PROGRAM_OPERATORS];
    void *links; /* nodes x padded window, over 4 */
    /* loss */
    pvgi_loss_rows rows_of_loss;
    int32_t *labels;      /* outputs */
    int32_t *drop_labels; /* outputs: targets smoothed over the graph, or NULL */
    double *transition;   /* classes x classes, or NULL */
    double *transition_room, *loss_room; /* the second for each chunk */
    double *losses;                      /* GROUP x CHUNKS partial sums */
    double *checks;                      /* CHUNKS x 2: validation loss, correct */
    void *input_gradient; /* nodes x padded inputs, NULL unless asked for */
    void *input_row;      /* CHUNKS rows of it, scratch */
    void *arc_gradient;   /* arcs, NULL unless asked for */
    uint64_t key;         /* of dropout */
    /* steps and stages: learning, and forward only */
    pvgi_step steps[4 * PVGI_PROGRAM_OPS];
    int32_t step_count;
    pvgi_tape_stage stages[4 * PVGI_PROGRAM_OPS];
    pvgi_stage run_stages[4 * PVGI_PROGRAM_OPS];
    int32_t stage_count, constant_stages, forward_stages, learn_stages;
    /* stages: [0, constant): once; then forward; learn: forward, backward, update */
    int64_t epoch_base; /* of the epochs that run now */
};

typedef struct {
    bool learn; /* backward and update exist */
    bool input_gradient, arc_gradient;
    bool keep_gradient; /* no update: gradients are read instead */
} pvgi_tape_wish;

/* Rows of what comes out, and of a chunk of them. */
static inline int64_t pvgi_network_outputs(const pvgi_tape *t) {
    return t->program.pools ? t->graphs : t->program.pairs ? t->pairs : t->nodes;
}
static inline int64_t pvgi_network_output_chunk(const pvgi_tape *t) {
    return t->program.pools   ? t->graph_chunk
           : t->program.pairs ? t->pair_chunk
                              : t->node_chunk;
}

/* Bytes of the block a tape needs. */
int32_t pvgi_network_tape_bytes(size_t *out, const pvg_network *network,
                                const pvg_dataset *data,
                                const pvg_training_config *config,
                                const pvgi_tape_wish *wish);
int32_t pvgi_network_tape_new(pvgi_tape **out, const pvg_network *network,
                              const pvg_dataset *data, const pvg_training_config *config,
                              const pvgi_tape_wish *wish, pvgi_run *run);
void pvgi_network_tape_free(pvgi_tape *tape);
/* Starts over: moments of the optimiser, key of dropout, who counts. */
void pvgi_network_tape_restart(pvgi_tape *tape, uint64_t key, const double *train,
                               const double *validate);
/* Gradients of one logit, without dropout. */
int32_t pvgi_network_tape_seed(pvgi_tape *tape, int64_t row, int64_t column,
                               pvgi_run *run);
/* Of the sum over rows whose class is not -1 of the logit of that class, or of -ln p. */
int32_t pvgi_network_tape_seeds(pvgi_tape *tape, const int32_t *classes, bool loss,
                                pvgi_run *run);
/* Takes values of the features and weights of arcs from the dataset again: they were
 * changed there. For gradients to inputs, not to weights. */
int32_t pvgi_network_tape_refill(pvgi_tape *tape, pvgi_run *run);
void pvgi_network_tape_set_weights(pvgi_tape *tape, const double *weights);
void pvgi_network_tape_get_weights(double *weights, const pvgi_tape *tape,
                                   const void *flat);
/* `count` <= GROUP epochs from number `epoch`; losses[i] of each. */
int32_t pvgi_network_tape_learn(double *losses, pvgi_tape *tape, int64_t epoch,
                                int64_t count, pvgi_run *run);
/* Forward without dropout; loss and accuracy on the validation rows. Any may be NULL. */
int32_t pvgi_network_tape_forward(double *loss, double *accuracy, pvgi_tape *tape,
                                  pvgi_run *run);
void pvgi_network_tape_read(double *out, const pvgi_tape *tape, int32_t tensor);

/* --- lanes (lane.c) ------------------------------------------------------------- */

/* Notes that a release went into a dataset. */
int32_t pvgi_network_note(pvg_dataset *data, const pvg_release *release, int32_t role,
                          uint64_t object);
/* And all that a model has seen. */
int32_t pvgi_network_note_model(pvg_dataset *data, const pvg_model *model);
void pvgi_network_seen_drop(pvgi_seen *seen, int32_t count);
/* Adds what is not among them yet; the array grows. */
int32_t pvgi_network_seen_join(pvgi_seen **seen, int32_t *count, const pvgi_seen *more,
                               int32_t more_count);
/* What all of it promises about a notion and an object; PVG_E_PRIVACY if nothing can be
 * promised. *out is for pvgi_guarantee_drop. */
int32_t pvgi_network_promise(pvg_guarantee *out, const char *function,
                             const pvgi_seen *seen, int32_t count, int32_t notion,
                             uint64_t object);
/* PVG_E_PRIVACY if a private part is in the model or in the dataset. */
int32_t pvgi_network_check_lane(const char *function, const pvg_model *model,
                                const pvg_dataset *data);
int32_t pvgi_network_release(pvg_release **out, const char *function,
                             const pvg_model *model, const pvg_dataset *data,
                             int32_t kind, int32_t notion, uint64_t object,
                             const pvg_run *run);

/* --- training and models (train.c, model.c) -------------------------------------- */

typedef struct {
    double train_loss, loss, accuracy; /* loss, accuracy: validation; NaN without */
    int64_t epoch;
} pvgi_history;

struct pvg_model {
    PVGI_HANDLE;
    pvg_network *network; /* own copy */
    pvg_training_config config;
    int64_t member_count; /* averages x folds */
    double *weights;      /* member_count x parameters */
    int64_t order;        /* of the dataset it was trained on */
    int8_t *folds;        /* outputs of it: fold of each trained row, -1; NULL: none */
    double temperature;
    pvgi_history *history; /* of the first member */
    int64_t history_count;
    bool saw_private;
    bool loaded;     /* from a file, taken at its word */
    pvgi_seen *seen; /* released parts of all trainings */
    int32_t seen_count;
};

/* Fills in defaults and checks what does not depend on a dataset. */
/* The second for one that was made here. */
int32_t pvgi_network_read_config(pvg_training_config *out, const char *name,
                                 const pvg_training_config *config);
int32_t pvgi_network_check_config(pvg_training_config *config);
/* Draws weights as training begins with them. */
void pvgi_network_draw_weights(double *out, const pvgi_program *program,
                               pvgi_stream *stream);
int32_t pvgi_network_train(pvg_model **out, const pvg_network *network,
                           const pvg_dataset *data, const pvg_training_config *config,
                           const pvg_model *start, pvg_rng *rng, pvgi_run *run);
/* Adds what batches hold. */
int32_t pvgi_network_batch_bytes(size_t *bytes, const pvg_network *network,
                                 const pvg_dataset *data,
                                 const pvg_training_config *config);
int64_t pvgi_network_predict_columns(const pvg_model *model, int32_t kind);
int32_t pvgi_network_predict(double *out, const pvg_model *model, const pvg_dataset *data,
                             int32_t kind, pvgi_run *run);
int32_t pvgi_network_score(double *accuracy, double *loss, const pvg_model *model,
                           const pvg_dataset *data, int32_t part, pvgi_run *run);
int32_t pvgi_network_gradient(double *features, double *arcs, const pvg_model *model,
                              const pvg_dataset *data, int64_t row, int64_t column,
                              pvgi_run *run);
/* Row of sums over `count` members to what is asked for; row is used up. */
void pvgi_network_finish_row(double *out, double *row, double count,
                             const pvg_model *model, int32_t kind);
void pvgi_network_model_free(pvg_model *model);
int32_t pvgi_network_copy(pvg_network **out, const pvg_network *network);

/* --- one row of features moved (nudge.c) -------------------------------------------- */

/* A kept forward pass in doubles of a single model. */
typedef struct pvgi_nudge pvgi_nudge;
/* Whether there is such a thing: one member, rows are nodes, no mean over all rows. */
bool pvgi_network_nudge_fits(const pvg_model *model, const pvg_dataset *data);
int32_t pvgi_network_nudge_new(pvgi_nudge **out, const pvg_model *model,
                               const pvg_dataset *data, pvgi_run *run);
void pvgi_network_nudge_free(pvgi_nudge *ball);
/* Features of a node times a factor; of the clean pass, whatever moved before. */
void pvgi_network_nudge_move(pvgi_nudge *ball, int64_t node, double factor);
void pvgi_network_nudge_back(pvgi_nudge *ball);
/* Logits of a row, moved or clean. */
void pvgi_network_nudge_read(double *out, const pvgi_nudge *ball, int64_t row,
                             bool clean);

/* --- weights as layers (layers.c) --------------------------------------------------- */

int32_t pvgi_network_layers(pvg_layers **out, const char *function,
                            const pvg_layers_config *config, const pvg_model *model,
                            int32_t notion, uint64_t object);

/* --- model files (store.c) -------------------------------------------------------- */

int32_t pvgi_network_save(const char *path, const pvg_model *model);
int32_t pvgi_network_load(pvg_model **out, const char *path);
/* From the bytes of a file. */
int32_t pvgi_network_read(pvg_model **out, const uint8_t *bytes, size_t count);
void pvgi_network_seen_json(pvgi_text *text, const pvg_model *model);

/* --- private training (trainer.c, ghost.c, private.c) ------------------------------ */

typedef struct pvgi_ghost_kernels pvgi_ghost_kernels;
const pvgi_ghost_kernels *pvgi_network_ghost_kernels(pvgi_cpu level);

enum { PVGI_GHOST_BITS = 40, PVGI_GHOST_RECORDS = 4096 };

/* How a record goes through a program: public. Rows of all tensors stand one after the
 * other, and so do parameters; strides are multiples of 4. */
typedef struct {
    const pvgi_program *program;
    const pvgi_ghost_kernels *kernels;
    const pvgi_kernels *rows; /* for activations, the same bits on every machine */
    int64_t place[PVGI_PROGRAM_OPS], stride[PVGI_PROGRAM_OPS];
    bool learns[PVGI_PROGRAM_OPS];
    int64_t param_start[PVGI_PROGRAM_PARAMS], param_stride[PVGI_PROGRAM_PARAMS];
    int64_t width, flat, widest; /* of rows, of parameters, of a tensor */
    int32_t loss;
    double smoothing;
    const double *class_weights, *transition; /* or NULL */
    double clip;
    int bits;
    uint64_t key; /* of dropout */
} pvgi_ghost;

typedef struct {
    int64_t number, step; /* for dropout */
    const int32_t *indices;
    const double *values;
    int64_t count;
    int32_t label;
} pvgi_ghost_record;

/* Of a worker. */
typedef struct {
    double *value, *grad;     /* width each */
    double *rounded, *work;   /* the widest tensor, or 2 classes */
    double *entries, *inputs; /* a row of features, or the widest tensor */
    double *now;              /* flat: sums of at most 2^12 records */
    int64_t *kept;            /* flat: the sums before */
    int64_t records;          /* in now */
} pvgi_ghost_room;

/* PVG_E_PRIVACY if the program mixes records. The program is lent. */
int32_t pvgi_network_ghost_plan(pvgi_ghost *out, const char *function,
                                const pvgi_program *program);
/* Weights of a model, one after the other, to strided ones and back. */
void pvgi_network_ghost_spread(double *out, const pvgi_ghost *ghost,
                               const double *weights);
void pvgi_network_ghost_gather(double *weights, const pvgi_ghost *ghost,
                               const double *from);
/* Adds what a record adds to a step; returns the length of its gradient before clipping,
 * not finite if the record was left out. */
double pvgi_network_ghost_add(const pvgi_ghost *ghost, pvgi_ghost_room *room,
                              const double *weights, const pvgi_ghost_record *record);

struct pvg_trainer {
    PVGI_HANDLE;
    pvg_network *network; /* own copy */
    pvg_trainer_config config;
    pvg_target target;
    double *class_weights, *transition; /* own copies, or NULL */
    int64_t records;
    double sampling;    /* q */
    uint64_t threshold; /* floor(2^64 q), unless q = 1 */
    int bits;           /* clip is 2^bits steps of the noise */
    int64_t scale;      /* of the noise, in such steps */
    pvg_guarantee guarantee;
};
int32_t pvgi_network_trainer_new(pvg_trainer **out, const pvg_network *network,
                                 int64_t records, const pvg_trainer_config *config,
                                 const pvg_target *target);
void pvgi_network_trainer_free(pvg_trainer *trainer);
/* Bytes that training takes with this number of workers. */
size_t pvgi_network_trainer_bytes(const pvg_trainer *trainer, uint32_t workers);
pvg_training_preview pvgi_network_trainer_preview(const pvg_trainer *trainer);
/* price: what a ledger is charged, NULL: the trainer's guarantee. */
int32_t pvgi_network_train_private(pvg_model **out, const pvg_trainer *trainer,
                                   const pvg_dataset *data, const pvg_model *start,
                                   const pvg_guarantee *price, pvg_rng *rng,
                                   pvg_ledger *ledger, const pvg_run *run);

#endif
