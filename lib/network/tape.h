/* Tapes: a program bound to a dataset, in one block of memory (tape.c, kernel.c). */
#ifndef PVGI_NETWORK_TAPE_H
#define PVGI_NETWORK_TAPE_H

#include "network/dataset.h"
#include "network/program.h"

enum {
    PVGI_TAPE_CHUNKS = 32, /* at most, of rows: partial sums are kept for each */
    PVGI_TAPE_ROWS = 128,  /* worked on at a time, so that they stay in a near cache */
    PVGI_TAPE_LEAST = 64,  /* rows in a chunk, at least */
    PVGI_TAPE_FLAT = 8192, /* parameters in a chunk */
    PVGI_TAPE_VECTOR = 32, /* bytes; rows of matrices are whole vectors, the rest zeros */
    PVGI_TAPE_GROUP = 64,  /* epochs run at a stretch, at most */
    PVGI_TAPE_AHEAD = 8    /* reversed arcs whose places are asked for early */
};
/* Doubles that the loss of a row needs: probabilities, what a transition makes of them,
 * gradients, and the softmax in whole vectors; in whole cache lines, as threads write
 * those of chunks side by side. */
static inline int64_t pvgi_network_loss_scratch(int64_t classes) {
    return pvgi_network_pad(4 * classes + PVGI_TAPE_VECTOR, 16);
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
    /* gradients times the slopes of an activation at what came out of it */
    void (*slope)(void *gradient, const void *row, int64_t columns, int32_t choice);
} pvgi_kernels;
const pvgi_kernels *pvgi_network_kernels(pvgi_cpu level, bool wide);
const pvgi_kernels *pvgi_network_float_portable(void);
const pvgi_kernels *pvgi_network_double_portable(void);
const pvgi_kernels *pvgi_network_float_avx2(void);
const pvgi_kernels *pvgi_network_double_avx2(void);

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
    int64_t *back_places; /* arc number of each reversed arc; AHEAD zeros behind */
    /* with weights of arcs: those, and for each operator what it multiplies rows with */
    void *arc_factor, *arc_forward[PVGI_PROGRAM_OPERATORS],
        *arc_back[PVGI_PROGRAM_OPERATORS];
    void *links; /* nodes x padded window, over 4 */
    /* loss */
    pvgi_loss_rows rows_of_loss;
    int32_t *labels;      /* outputs */
    int32_t *drop_labels; /* outputs: targets smoothed over the graph, or NULL */
    double *transition;   /* classes x classes, or NULL */
    double *transition_scratch, *loss_scratch; /* the second for each chunk */
    double *losses;                            /* GROUP x CHUNKS partial sums */
    double *checks;                            /* CHUNKS x 2: validation loss, correct */
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
    bool keep_values;   /* all are read after a run, not only what comes out */
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

#endif
