/* layer, inside: the struct, and what sensitivity, propagate and release read of it. */
#ifndef PVGI_LAYER_H
#define PVGI_LAYER_H

#include "base/base_internal.h"
#include "privgraph/layer.h"

#include <stdatomic.h>

/* Limits that keep every number finite: no field of a config is larger than the first,
 * no weight than the second. */
#define PVGI_LAYER_FIELD_MAX  0x1p53
#define PVGI_LAYER_WEIGHT_MAX 0x1p100

/* lambda alpha and lambda of SELU. The first is its Lipschitz constant (slope at 0-). */
#define PVGI_LAYER_SELU_SLOPE 1.7580993408473766
#define PVGI_LAYER_SELU_SCALE 1.0507009873554805

/* What weights were learnt from. Modules that know guarantees hold more behind it. */
typedef struct pvgi_layer_origin pvgi_layer_origin;
struct pvgi_layer_origin {
    atomic_int users;
    void (*drop)(pvgi_layer_origin *origin);
};

struct pvg_layers {
    PVGI_HANDLE;
    pvg_layers_config config; /* defaults filled in */
    int64_t dimension;        /* 0 without weights */
    double *weights;          /* depth * dimension * dimension, row by row; may be NULL */
    double *gain;             /* depth */
    pvgi_layer_origin *origin; /* shared; NULL: weights are public */
};

extern const pvgi_shape pvgi_layer_shape; /* of a config */

/* pvg_layers_new after the config was imported; checks its fields. */
int32_t pvgi_layer_build(pvg_layers **out, const pvg_layers_config *config,
                         const double *weights, int64_t dimension);
void pvgi_layer_drop(pvg_layers *layers);
/* A second one like it. */
int32_t pvgi_layer_copy(pvg_layers **out, const pvg_layers *layers);

/* Matrix of one layer, row by row; NULL if there is none. */
static inline const double *pvgi_layer_weights(const pvg_layers *layers, int64_t layer) {
    if (!layers->weights) return NULL;
    return layers->weights + layer * layers->dimension * layers->dimension;
}
/* Lipschitz constant of an activation, up. */
double pvgi_layer_lipschitz(int32_t activation);
/* Lipschitz constant of P: 1, or infinity where rows are normalised. Every map between
 * two noise draws that is claimed to be Lipschitz must be charged with it. */
double pvgi_layer_rows_lipschitz(const pvg_layers *layers);
/* *out >= |W|_2, proven, for the order x order matrix W (spectral.c). Entries at most
 * PVGI_LAYER_WEIGHT_MAX in size. */
int32_t pvgi_layer_spectral_norm(double *out, const double *matrix, int64_t order);

#endif
