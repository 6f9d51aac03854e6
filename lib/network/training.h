/* Private training: how a record goes through a program, and the kind of query
 * (training.c, ghost.c, private.c). */
#ifndef PVGI_NETWORK_TRAINING_H
#define PVGI_NETWORK_TRAINING_H

#include "network/model.h"
#include "network/tape.h"

/* Of one record (ghost.inc); a test may hand in wrong ones: the bound rests on `whole`,
 * `exact` and `outer` alone. */
typedef unsigned __int128 pvgi_ghost_sum;
typedef struct {
    void (*forward)(double *, const double *, int64_t, const int32_t *, const double *,
                    int64_t);
    void (*back)(double *, const double *, int64_t, const double *, int64_t);
    void (*outer)(double *, int64_t, const int32_t *, const double *, int64_t,
                  const double *);
    double (*squares)(const double *, int64_t);
    double (*largest)(const double *, int64_t);
    void (*whole)(double *, const double *, int64_t, double, double);
    pvgi_ghost_sum (*exact)(const double *, int64_t);
} pvgi_ghost_kernels;
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
    int64_t whole[PVGI_PROGRAM_OPS]; /* where an operation's whole numbers begin */
    int64_t width, flat, widest,
        wholes; /* of rows, parameters, a tensor, whole numbers */
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
    double *value, *grad; /* width each */
    double *work;         /* the widest tensor, or 2 classes */
    double *entries;      /* a row of features */
    double *whole;        /* wholes: what the record is about to add */
    double *now;          /* flat: sums of at most 2^12 records */
    int64_t *kept;        /* flat: the sums before */
    int64_t records;      /* in now */
} pvgi_ghost_scratch;

/* PVG_E_PRIVACY if the program mixes records. The program is lent. */
int32_t pvgi_network_ghost_plan(pvgi_ghost *out, const char *function,
                                const pvgi_program *program);
/* Doubles of a worker's scratch, beside its sums, and the scratch laid out in them; both
 * are lent and zero. */
size_t pvgi_network_ghost_scratch_width(const pvgi_ghost *ghost);
void pvgi_network_ghost_scratch(pvgi_ghost_scratch *out, const pvgi_ghost *ghost,
                                double *numbers, int64_t *sums);
/* Weights of a model, one after the other, to strided ones and back. */
void pvgi_network_ghost_spread(double *out, const pvgi_ghost *ghost,
                               const double *weights);
void pvgi_network_ghost_gather(double *weights, const pvgi_ghost *ghost,
                               const double *from);
/* Adds what a record adds to a step: whole numbers whose squares sum to at most 4^bits,
 * whatever the record and the weights are. Returns the length of its gradient before
 * clipping, not finite if the record was left out. */
double pvgi_network_ghost_add(const pvgi_ghost *ghost, pvgi_ghost_scratch *scratch,
                              const double *weights, const pvgi_ghost_record *record);

/* What a query for a private training holds. */
typedef struct {
    pvg_network *network; /* own copy */
    pvg_dpsgd_config config;
    pvg_target target;
    double *class_weights, *transition; /* own copies, or NULL */
    double *start;                      /* weights it goes on from, or NULL */
    int64_t records;
    double sampling;    /* q */
    uint64_t threshold; /* floor(2^64 q), unless q = 1 */
    int bits;           /* clip is 2^bits steps of the noise */
    int64_t scale;      /* of the noise, in such steps */
    pvg_guarantee guarantee;
} pvgi_training;
int32_t pvgi_network_query(pvg_query **out, const char *name, const pvg_network *network,
                           int64_t records, const pvg_dpsgd_config *config,
                           const pvg_model *start, const pvg_target *target);
/* NULL: the query is none for a training. */
pvgi_training *pvgi_network_query_training(const pvg_query *query);
/* Bytes that training takes with this number of workers. */
size_t pvgi_network_training_bytes(const pvgi_training *training, uint32_t workers);
/* Whether a dataset is one for it, and the draw for the door (private.c). */
int32_t pvgi_network_training_fits(const char *name, const void *training,
                                   const pvg_dataset *data);
int32_t pvgi_network_training_begin(pvgi_draw *out, pvgi_query_job *job,
                                    int64_t starts[2], const void *training,
                                    const pvgi_private *input);
/* Models as what a release holds. */
extern const pvgi_model_kind pvgi_network_models;
/* The record of the draw that made the weights; NULL: they are not of a private training.
 * The second NULL as well if that draw is not all that the model has seen, or is about
 * another notion or object. */
const pvg_guarantee *pvgi_network_training(const pvg_model *model);
const pvg_guarantee *pvgi_network_training_alone(const pvg_model *model, int32_t notion,
                                                 const uint64_t *object);
/* That record as the promise of a model. *out is for pvgi_guarantee_drop. */
int32_t pvgi_network_training_promise(pvg_guarantee *out, const pvg_guarantee *own);

#endif
