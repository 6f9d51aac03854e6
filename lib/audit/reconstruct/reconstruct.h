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
 * until `first` of the nodes with part 0 are in part `number`, from another one where
 * that ends. */
void pvgi_audit_cut(int32_t *part, int64_t *queue, const pvg_graph *graph, int32_t from,
                    int32_t number, int64_t first, pvgi_stream *stream);
/* Windows of nodes with part[v] & mask, breadth-first inside it from random nodes, then
 * shuffled unless ordered. PVG_E_ARGUMENT if no w nodes are connected there. */
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

/* --- the network (twin.c) ---------------------------------------------------------- */

/* Sizes; places of the parameters. */
typedef struct {
    int64_t width, signal, hidden, batch, pairs;
    bool diffuse;
    int64_t parameters;
    double *weights, *gradient, *first, *second; /* parameters each */
    double *room;                                /* owns all below */
    double *state[3], *query[2], *key[2], *value[2], *heard[2], *attention[2];
    double *active[2], *normed[2], *spread[2];
    double *inputs, *times, *noisy; /* signals, t of each window, X_t as matrices */
    double *features, *inner, *logits;
    double *d_state, *d_a, *d_b, *d_c, *d_d, *d_attention, *d_features, *d_inner;
} pvgi_twin;

size_t pvgi_audit_twin_bytes(int64_t width, int64_t signal, int64_t hidden,
                             int64_t batch);
int32_t pvgi_audit_twin_open(pvgi_twin *twin, int64_t width, int64_t signal,
                             int64_t hidden, int64_t batch, bool diffuse,
                             pvgi_stream *stream);
void pvgi_audit_twin_close(pvgi_twin *twin);
/* Logits of the batch whose inputs, times and noisy bits are set. */
void pvgi_audit_twin_forward(pvgi_twin *twin);
/* Mean loss over all pairs of the batch, and its gradient. truth: batch x pairs. */
double pvgi_audit_twin_backward(pvgi_twin *twin, const uint8_t *truth);
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

enum { PVGI_RECONSTRUCT_SCORES = 9 };

struct pvg_reconstruction {
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

int32_t pvgi_audit_reconstruct(pvg_reconstruction **out,
                               const pvgi_reconstruct_input *input,
                               const pvg_reconstruct_config *config, pvg_rng *rng,
                               pvgi_run *run);
void pvgi_audit_reconstruction_free(pvg_reconstruction *r);

#endif
