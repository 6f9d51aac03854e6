/* The stack of layers: checks a config, fills in defaults, copies weights and computes
 * the gain of every layer, |W_k|_2 Lip(act), rounded up. O(depth dimension^3). */
#include "layer_internal.h"

#include <math.h>
#include <string.h>

/* Which fields mean something to an operator. */
static const struct {
    bool tau, self_weight, floor;
    double floor_least; /* exclusive where 0 */
    double contraction; /* default */
} operators[] = {
    [PVG_OPERATOR_SYMMETRIC] = {.tau = true, .self_weight = true, .contraction = 0.9},
    [PVG_OPERATOR_FLOOR] = {.floor = true, .floor_least = 1, .contraction = 0.9},
    [PVG_OPERATOR_LAPLACIAN] = {.floor = true, .contraction = 0.9},
    [PVG_OPERATOR_ROW] = {.tau = true, .contraction = 0.9},
    [PVG_OPERATOR_SUM] = {.contraction = 1},
};
enum { OPERATORS = sizeof operators / sizeof operators[0] };

static const double lipschitz[] = {
    [PVG_ACTIVATION_NONE] = 1,
    [PVG_ACTIVATION_RELU] = 1,
    [PVG_ACTIVATION_TANH] = 1,
    [PVG_ACTIVATION_SELU] = PVGI_LAYER_SELU_SLOPE,
};
enum { ACTIVATIONS = sizeof lipschitz / sizeof lipschitz[0] };

double pvgi_layer_lipschitz(int32_t activation) {
    /* SELU is computed with the two constants as they stand, so its slope needs no margin
     * but for scale < slope, which holds. */
    return lipschitz[activation];
}

double pvgi_layer_rows_lipschitz(const pvg_layers *layers) {
    return layers->config.rows == PVG_ROWS_NORMALISED ? INFINITY : 1.0;
}

#define NUMBER(name)                                                                     \
    PVGI_FIELD(pvg_layers_config, name, 0, PVGI_LAYER_FIELD_MAX, PVGI_CLOSED,            \
               "a number in 0..2^53")
static const pvgi_rule rules[] = {
    PVGI_ENUM(pvg_layers_config, operation, OPERATORS - 1, "PVG_OPERATOR"),
    PVGI_ENUM(pvg_layers_config, activation, ACTIVATIONS - 1, "PVG_ACTIVATION"),
    PVGI_ENUM(pvg_layers_config, rows, PVG_ROWS_NORMALISED, "PVG_ROWS"),
    PVGI_FIELD(pvg_layers_config, depth, 0, PVG_LAYERS_DEPTH_MAX, PVGI_CLOSED,
               "in 0..65536"),
    NUMBER(tau),
    NUMBER(self_weight),
    NUMBER(floor),
    NUMBER(contraction),
    NUMBER(residual),
    PVGI_FIELD(pvg_layers_config, mean_weight, 0, 1, PVGI_CLOSED, "in 0..1"),
};
const pvgi_shape pvgi_layer_shape = PVGI_SHAPE(pvg_layers_config, rules);

static int32_t check_meaning(const char *field, double value, bool meaning) {
    PVGI_REQUIRE(meaning || value == 0,
                 "pvg_layers_new: config->%s has no meaning for this operator", field);
    return PVG_OK;
}

/* Checks how fields go together and fills in defaults. */
static int32_t complete(pvg_layers_config *c) {
    PVGI_REQUIRE(c->rows == PVG_ROWS_PROJECTED || c->operation == PVG_OPERATOR_SUM,
                 "pvg_layers_new: config->rows may be PVG_ROWS_NORMALISED for "
                 "PVG_OPERATOR_SUM only");
    PVGI_TRY(check_meaning("tau", c->tau, operators[c->operation].tau));
    PVGI_TRY(check_meaning("self_weight", c->self_weight,
                           operators[c->operation].self_weight));
    PVGI_TRY(check_meaning("floor", c->floor, operators[c->operation].floor));
    if (c->depth == 0) c->depth = 1;
    if (c->contraction == 0) c->contraction = operators[c->operation].contraction;
    if (operators[c->operation].self_weight && c->self_weight == 0) c->self_weight = 1;
    if (operators[c->operation].tau) {
        const double least = fmax(1, c->self_weight);
        if (c->tau == 0) c->tau = least;
        PVGI_REQUIRE(c->tau >= least, "pvg_layers_new: config->tau is below %s",
                     least > 1 ? "self_weight" : "1");
    }
    if (operators[c->operation].floor)
        PVGI_REQUIRE(c->floor > 0 && c->floor >= operators[c->operation].floor_least,
                     "pvg_layers_new: config->floor must be %s",
                     operators[c->operation].floor_least > 0 ? "1 or more" : "above 0");
    return PVG_OK;
}

static int32_t check_weights(const double *weights, int64_t depth, int64_t dimension) {
    const int64_t entries = dimension * dimension;
    for (int64_t i = 0; i < depth * entries; i++)
        PVGI_REQUIRE(fabs(weights[i]) <= PVGI_LAYER_WEIGHT_MAX,
                     "pvg_layers_new: weights of layer %lld, row %lld, column %lld: not "
                     "a number of size at most 2^100",
                     (long long)(i / entries), (long long)(i % entries / dimension),
                     (long long)(i % dimension));
    return PVG_OK;
}

static int32_t fill(pvg_layers *layers, const double *weights) {
    const int64_t depth = layers->config.depth, n = layers->dimension;
    const double slope = pvgi_layer_lipschitz(layers->config.activation);
    layers->gain = pvgi_alloc((size_t)depth, sizeof *layers->gain);
    if (!layers->gain) return pvgi_fail_nomem();
    for (int64_t k = 0; k < depth; k++) layers->gain[k] = slope;
    if (!weights) return PVG_OK;
    layers->weights = pvgi_alloc(pvgi_size_mul((size_t)depth, (size_t)(n * n)),
                                 sizeof *layers->weights);
    if (!layers->weights) return pvgi_fail_nomem();
    memcpy(layers->weights, weights, (size_t)(depth * n * n) * sizeof *weights);
    for (int64_t k = 0; k < depth; k++) {
        double norm;
        PVGI_TRY(pvgi_layer_spectral_norm(&norm, pvgi_layer_weights(layers, k), n));
        layers->gain[k] = slope == 1 ? norm : nextafter(norm * slope, INFINITY);
    }
    return PVG_OK;
}

int32_t pvgi_layer_build(pvg_layers **out, const pvg_layers_config *config,
                         const double *weights, int64_t dimension) {
    pvg_layers_config own = *config;
    PVGI_TRY(complete(&own));
    if (weights) PVGI_TRY(check_weights(weights, own.depth, dimension));
    pvg_layers *layers = pvgi_alloc_zero(1, sizeof *layers);
    if (!layers) return pvgi_fail_nomem();
    layers->config = own;
    layers->dimension = dimension;
    const int32_t status = fill(layers, weights);
    if (status != PVG_OK) {
        pvgi_layer_drop(layers);
        return status;
    }
    *out = layers;
    return PVG_OK;
}

void pvgi_layer_drop(pvg_layers *layers) {
    if (!layers) return;
    pvgi_free(layers->weights);
    pvgi_free(layers->gain);
    if (layers->origin &&
        atomic_fetch_sub_explicit(&layers->origin->users, 1, memory_order_acq_rel) == 1)
        layers->origin->drop(layers->origin);
    pvgi_free(layers);
}

static double *copy_numbers(const double *numbers, size_t count) {
    double *out = pvgi_alloc(count, sizeof *out);
    if (out) memcpy(out, numbers, count * sizeof *out);
    return out;
}

int32_t pvgi_layer_copy(pvg_layers **out, const pvg_layers *layers) {
    const size_t depth = (size_t)layers->config.depth, n = (size_t)layers->dimension;
    pvg_layers *copy = pvgi_alloc_zero(1, sizeof *copy);
    if (!copy) return pvgi_fail_nomem();
    copy->config = layers->config;
    copy->dimension = layers->dimension;
    copy->gain = copy_numbers(layers->gain, depth);
    if (layers->weights) copy->weights = copy_numbers(layers->weights, depth * n * n);
    if (!copy->gain || (layers->weights && !copy->weights)) {
        pvgi_layer_drop(copy);
        return pvgi_fail_nomem();
    }
    copy->origin = layers->origin;
    if (copy->origin)
        atomic_fetch_add_explicit(&copy->origin->users, 1, memory_order_relaxed);
    *out = copy;
    return PVG_OK;
}
