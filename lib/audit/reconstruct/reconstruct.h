/* Reconstruction of graphs from a row of numbers per node, inside: windows of nodes, the
 * network that reads them, the protocol around it. */
#ifndef PVGI_RECONSTRUCT_H
#define PVGI_RECONSTRUCT_H

#include "audit/audit_internal.h"

/* --- windows (windows.c) ----------------------------------------------------------- */

/* Sets of w nodes with their truth over the pairs i < j, row by row. */
typedef struct {
    int64_t count, width, pairs; /* pairs = w (w - 1) / 2 */
    int64_t *nodes;              /* count x width */
    uint8_t *truth;              /* count x pairs */
} pvgi_windows;

/* Parts of a graph: part[v] = 1 + number of the part. Breadth-first from a random node
 * until `first` of the nodes with part `from` are in part `number`, from another one
 * where that ends; neighbours in random order. `queue` has room for `first`. */
void pvgi_audit_cut(int32_t *part, int64_t *queue, const pvg_graph *graph, int32_t from,
                    int32_t number, int64_t first, pvgi_stream *stream);
/* Windows of nodes with part[v] & mask, breadth-first inside it from random nodes with
 * neighbours in random order, then shuffled unless ordered. PVG_E_ARGUMENT if no w nodes
 * are connected there. */
int32_t pvgi_audit_windows(pvgi_windows *out, const pvg_graph *graph, const int32_t *part,
                           int32_t mask, int64_t count, int64_t width, bool ordered,
                           pvgi_stream *stream);
void pvgi_audit_windows_free(pvgi_windows *windows);
/* Rows less the mean of those with part[v] & mask, times `columns` random directions, to
 * length 1, plus noise of deviation sigma. */
int32_t pvgi_audit_signal(double *out, int64_t directions, const double *rows,
                          int64_t columns, int64_t order, const int32_t *part,
                          int32_t mask, double sigma, pvgi_stream *stream);
/* AUC over the pairs of one window, NaN if all or none are edges; mean precision. */
double pvgi_audit_window_area(double *precision, const double *scores,
                              const uint8_t *truth, int64_t pairs);
double pvgi_audit_normal(pvgi_stream *stream);

/* --- the network (twin.c, kernel.c) ------------------------------------------------ */

enum { PVGI_TWIN_BLOCKS = 2, PVGI_TWIN_LANES = 8 };
#define PVGI_TWIN_LN_LEAST 1e-5f

/* Where the parameters are, in this order. */
typedef struct {
    float *query, *key, *value, *hear;       /* h x h each */
    float *gain, *shift, *query_bias, *bias; /* h each */
} pvgi_twin_block;
typedef struct {
    float *in, *in_bias, *time; /* r x h, h, 2 x h */
    pvgi_twin_block block[PVGI_TWIN_BLOCKS];
    float *pair, *pair_bias, *out, *out_bias; /* (2 h + 2) x h, h, h, 1 */
} pvgi_twin_layout;
pvgi_twin_layout pvgi_audit_twin_layout(float *base, int64_t signal, int64_t hidden);

/* Sizes and places. All windows of a batch stand below each other; what belongs to pairs
 * is that of one window at a time. Rows of attention are `wide` apart, zeros behind w. */
typedef struct {
    int64_t width, wide, signal, hidden, batch, pairs;
    bool diffuse;
    int64_t parameters;
    float *weights, *gradient, *first, *second; /* parameters each */
    float *scratch;                             /* owns all below */
    float *inputs, *times, *noisy; /* signals, t of each window, X_t / 4 as matrices */
    float *state[PVGI_TWIN_BLOCKS + 1], *query[PVGI_TWIN_BLOCKS], *key[PVGI_TWIN_BLOCKS];
    float *value[PVGI_TWIN_BLOCKS], *heard[PVGI_TWIN_BLOCKS];
    float *attention[PVGI_TWIN_BLOCKS], *active[PVGI_TWIN_BLOCKS];
    float *normed[PVGI_TWIN_BLOCKS], *spread[PVGI_TWIN_BLOCKS];
    float *logits, *coins; /* of all pairs of the batch; coins are bytes */
    float *d_state, *d_sum, *d_query, *d_key, *d_value, *d_heard, *d_attention;
    float *features, *inner, *slopes, *d_inner, *d_features, *d_pair;
    float *turned, *flipped; /* transposes, with rows `wide` and h apart */
} pvgi_twin;

size_t pvgi_audit_twin_bytes(int64_t width, int64_t signal, int64_t hidden,
                             int64_t batch);
/* hidden is rounded up to whole vectors. */
int32_t pvgi_audit_twin_open(pvgi_twin *twin, int64_t width, int64_t signal,
                             int64_t hidden, int64_t batch, bool diffuse,
                             pvgi_stream *stream);
void pvgi_audit_twin_close(pvgi_twin *twin);
/* Logits of the batch whose inputs, times and noisy bits are set; with truth (batch x
 * pairs, or NULL) the gradient of the mean loss over its pairs, too. */
void pvgi_audit_twin_run(pvgi_twin *twin, const uint8_t *truth);
/* That loss, from the logits. */
double pvgi_audit_twin_loss(const pvgi_twin *twin, const uint8_t *truth);
/* AdamW. */
void pvgi_audit_twin_step(pvgi_twin *twin, int64_t step, double rate, double decay);

typedef struct {
    int64_t steps, rounds, samples;
    double rate, decay, density;
} pvgi_twin_plan;
/* Trains on windows whose nodes have rows `signal`, twin->signal numbers each. */
int32_t pvgi_audit_twin_train(pvgi_twin *twin, const pvgi_windows *windows,
                              const double *signal, const pvgi_twin_plan *plan,
                              pvgi_stream *stream);
/* Probabilities of all pairs of all windows: at once, or by ancestral sampling. */
void pvgi_audit_twin_predict(double *out, pvgi_twin *twin, const pvgi_windows *windows,
                             const double *signal, const pvgi_twin_plan *plan,
                             pvgi_stream *stream);

/* --- the protocol (protocol.c) ----------------------------------------------------- */

enum { PVGI_RECONSTRUCT_SCORES = 10 };

struct pvg_reconstruction {
    PVGI_HANDLE;
    pvg_reconstruct_config config;
    int64_t windows, pairs;  /* test windows of all cuts; pairs of each */
    int64_t *first, *second; /* nodes: windows x pairs */
    uint8_t *bits;           /* truth, and the same as numbers to lend */
    int32_t *truth;
    double *scores[PVGI_RECONSTRUCT_SCORES]; /* NULL: not there */
    pvg_reconstruct_report reports[PVGI_RECONSTRUCT_SCORES];
};

typedef struct {
    const double *rows;
    int64_t columns;
    const double *features; /* or NULL */
    int64_t feature_columns;
    const pvg_graph *truth;
} pvgi_reconstruct_input;

/* Checked and filled in (settings.c). */
int32_t pvgi_audit_read_reconstruct(pvg_reconstruct_config *own, const char *name,
                                    const pvg_reconstruct_config *config, int64_t order);
int32_t pvgi_audit_reconstruct(pvg_reconstruction **out,
                               const pvgi_reconstruct_input *input,
                               const pvg_reconstruct_config *config, pvg_rng *rng,
                               pvgi_run *run);
void pvgi_audit_reconstruction_free(pvg_reconstruction *r);

#endif
