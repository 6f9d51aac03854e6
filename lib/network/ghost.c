/* What one record adds to a step of private training: a vector of whole numbers whose
 * Euclidean length is at most 2^bits, a function of the record and the weights alone.
 *
 * Forward and backward through the program for this record. A map with input h and delta
 * e has the gradient h e^T of length |h| |e|; it is never formed. With the length g of
 * all of them and share = (1 - 2^-26) / max(g, clip) the record wants to add, for every
 * map,
 *
 *   U V^T,  U = trunc(2^(a - x) h), V = trunc(2^(b + x) share e),  2^x > max |h|,
 *
 * a + b = bits, and trunc(2^bits share e) for biases. No weight is used twice, so the
 * squares of these whole numbers sum to |U|^2 |V|^2 over maps and |V|^2 over biases,
 * which takes no more than reading U and V. That sum is made in integers, from the very
 * numbers that are added, and compared with 4^bits before they are: the bound rests on
 * nothing that was computed in doubles. A record above it adds zeros, as does one whose
 * numbers are not finite, or beyond 1e100; the 2^-26 covers the roundings of g and share
 * for 2^24 columns, so that it is a record whose g is wrong. Numbers out of the range
 * that U and V have count as 0, and so do those that are none.
 *
 * Sums of such vectors are exact in any order, hence nothing is charged for rounding and
 * threads do not matter. Cost: that of plain training. docs/privacy/proofs/network.md,
 * private training. */
#include "base/mix.h"
#include "network_internal.h"

#include <math.h>
#include <string.h>

#define LENGTH_MAX 1e100 /* of an input or a delta: squares stay far from both ends */
#define NORM_FLOOR 1e-5
enum { EXPONENT_MAX = 400 }; /* of inputs: LENGTH_MAX is below 2^333 */
_Static_assert(PVG_NETWORK_WIDTH_MAX <= 1 << 12 && PVG_NETWORK_CLASSES_MAX <= 1 << 12 &&
                   2 * PVGI_GHOST_BITS + 31 + 2 + 12 < 128,
               "sums of squares fit 128 bits");

/* --- plan ------------------------------------------------------------------------- */

/* Why rows of the program feel each other; NULL: they do not. */
static const char *mixed_by(const pvgi_program *p) {
    for (int32_t i = 0; i < p->op_count; i++) switch (p->ops[i].kind) {
        case PVGI_OP_INPUT:
        case PVGI_OP_SPARSE:
        case PVGI_OP_DENSE:
        case PVGI_OP_BIAS:
        case PVGI_OP_ACTIVATE:
        case PVGI_OP_DROPOUT:
        case PVGI_OP_ADD:
        case PVGI_OP_PLACE:
        case PVGI_OP_SLICE:
        case PVGI_OP_MAXIMUM:
        case PVGI_OP_ROWS:
        case PVGI_OP_LAYER_NORM:
            break;
        case PVGI_OP_BATCH_NORM:
            return "bn takes means over the records of a batch";
        case PVGI_OP_POOL:
            return "pool adds up records";
        case PVGI_OP_ATTEND:
        case PVGI_OP_LINKS:
        case PVGI_OP_PAIR:
        case PVGI_OP_GIVEN:
            return "records of a window feel each other";
        case PVGI_OP_AGGREGATE:
        case PVGI_OP_MEAN:
        case PVGI_OP_HEAD_DOT:
        case PVGI_OP_HEAD_MEAN:
        case PVGI_OP_EDGE_SOFTMAX:
        case PVGI_OP_EDGE_AGGREGATE:
        case PVGI_OP_COMPARE:
        case PVGI_OP_SOFTMAX:
        case PVGI_OP_CONSTANT:
        case PVGI_OP_LOSS:
        case PVGI_OP_KINDS:
            return "messages of neighbours carry a record into the gradients of others";
        }
    return p->needs_graph || p->pools || p->mixes ? "rows feel each other" : NULL;
}

/* Lengths of gradients add up in squares only if no weight is heard twice. */
static bool hears_twice(const pvgi_program *p) {
    bool heard_before[PVGI_PROGRAM_PARAMS] = {false};
    for (int32_t i = 0; i < p->op_count; i++) {
        const int32_t used[2] = {p->ops[i].param, p->ops[i].param2};
        for (int k = 0; k < 2; k++) {
            if (used[k] < 0) continue;
            if (heard_before[used[k]]) return true;
            heard_before[used[k]] = true;
        }
    }
    return false;
}

/* Whole numbers of an operation: of its input and of its delta. */
static int64_t wholes_of(const pvgi_ghost *g, const pvgi_op *op) {
    if (op->param < 0) return 0;
    if (op->kind == PVGI_OP_BIAS) return g->stride[op->out];
    if (op->kind == PVGI_OP_LAYER_NORM) return 2 * g->stride[op->out];
    return pvgi_network_pad(g->program->params[op->param].rows, 4) + g->stride[op->out];
}

int32_t pvgi_network_ghost_plan(pvgi_ghost *out, const char *function,
                                const pvgi_program *p) {
    const char *why = mixed_by(p);
    if (why)
        return pvgi_fail(PVG_E_PRIVACY, "%s: the network mixes records: %s", function,
                         why);
    if (hears_twice(p))
        return pvgi_fail(PVG_E_PRIVACY, "%s: the network uses a weight twice", function);
    *out = (pvgi_ghost){
        .program = p, .rows = pvgi_network_kernels(pvgi_cpu_level(), true), .widest = 1};
    for (int32_t i = 0; i < p->tensor_count; i++) {
        const int64_t columns = pvgi_network_pad(p->tensors[i].columns, 4);
        out->place[i] = out->width;
        out->stride[i] = columns;
        out->width += columns;
        if (columns > out->widest) out->widest = columns;
    }
    for (int32_t i = 0; i < p->param_count; i++) {
        out->param_start[i] = out->flat;
        out->param_stride[i] = pvgi_network_pad(p->params[i].columns, 4);
        out->flat += p->params[i].rows * out->param_stride[i];
    }
    for (int32_t i = 0; i < p->op_count; i++) {
        const pvgi_op *op = &p->ops[i];
        out->learns[op->out] = out->learns[op->out] || op->param >= 0 ||
                               (op->in >= 0 && out->learns[op->in]) ||
                               (op->other >= 0 && out->learns[op->other]);
        out->whole[i] = out->wholes;
        out->wholes += wholes_of(out, op);
    }
    return PVG_OK;
}

static int64_t row_width(const pvgi_ghost *g) {
    return pvgi_network_pad(g->program->inputs, 4);
}

static int64_t work_width(const pvgi_ghost *g) {
    const int64_t classes = 2 * pvgi_network_pad(g->program->classes, 4);
    return classes > g->widest ? classes : g->widest;
}

size_t pvgi_network_ghost_scratch_width(const pvgi_ghost *g) {
    return (size_t)(2 * g->width + work_width(g) + row_width(g) + g->wholes + g->flat);
}

void pvgi_network_ghost_scratch(pvgi_ghost_scratch *out, const pvgi_ghost *g,
                                double *numbers, int64_t *sums) {
    out->value = numbers;
    out->grad = out->value + g->width;
    out->work = out->grad + g->width;
    out->entries = out->work + work_width(g);
    out->whole = out->entries + row_width(g);
    out->now = out->whole + g->wholes;
    out->kept = sums;
}

void pvgi_network_ghost_spread(double *out, const pvgi_ghost *g, const double *weights) {
    for (int32_t i = 0; i < g->program->param_count; i++) {
        const pvgi_param *param = &g->program->params[i];
        for (int64_t r = 0; r < param->rows; r++, weights += param->columns)
            memcpy(out + g->param_start[i] + r * g->param_stride[i], weights,
                   (size_t)param->columns * sizeof *out);
    }
}

void pvgi_network_ghost_gather(double *weights, const pvgi_ghost *g, const double *from) {
    for (int32_t i = 0; i < g->program->param_count; i++) {
        const pvgi_param *param = &g->program->params[i];
        for (int64_t r = 0; r < param->rows; r++, weights += param->columns)
            memcpy(weights, from + g->param_start[i] + r * g->param_stride[i],
                   (size_t)param->columns * sizeof *from);
    }
}

/* --- dropout: a function of key, step, operation, record and column ----------------- */

static uint64_t drop_base(const pvgi_ghost *g, const pvgi_ghost_record *r, int32_t op) {
    const uint64_t golden = PVGI_MIX_STEP;
    return pvgi_mix(
        pvgi_mix(pvgi_mix(g->key + (uint64_t)r->step * golden) + (uint64_t)op * golden) +
        (uint64_t)r->number * golden);
}

/* What becomes of a number: 0, or 1 / (1 - p). */
static double keep(uint64_t base, int64_t column, double p) {
    const uint64_t word = pvgi_mix(base + (uint64_t)column * PVGI_MIX_STEP);
    return (double)(word >> 11) * 0x1p-53 < p ? 0 : 1 / (1 - p);
}

/* --- forward ---------------------------------------------------------------------- */

/* Entries of the features as the operation reads them: dropped ones are 0. */
static const double *entries(const pvgi_ghost *g, pvgi_ghost_scratch *scratch,
                             const pvgi_ghost_record *r, int32_t o) {
    const double p = g->program->ops[o].number;
    if (!(p > 0)) return r->values;
    const uint64_t base = drop_base(g, r, o);
    for (int64_t k = 0; k < r->count; k++)
        scratch->entries[k] = r->values[k] * keep(base, r->indices[k], p);
    return scratch->entries;
}

static void moments(double *mean, double *inverse, const double *x, int64_t columns) {
    double sum = 0, variance = 0;
    for (int64_t j = 0; j < columns; j++) sum += x[j];
    *mean = sum / (double)columns;
    for (int64_t j = 0; j < columns; j++) variance += (x[j] - *mean) * (x[j] - *mean);
    *inverse = 1 / sqrt(variance / (double)columns + NORM_FLOOR);
}

static void forward(const pvgi_ghost *g, pvgi_ghost_scratch *scratch,
                    const double *weights, const pvgi_ghost_record *r) {
    const pvgi_program *p = g->program;
    for (int32_t o = 0; o < p->op_count; o++) {
        const pvgi_op *op = &p->ops[o];
        const int64_t columns = p->tensors[op->out].columns;
        double *out = scratch->value + g->place[op->out];
        const double *in = op->in >= 0 ? scratch->value + g->place[op->in] : NULL;
        const double *other =
            op->other >= 0 ? scratch->value + g->place[op->other] : NULL;
        const double *w = op->param >= 0 ? weights + g->param_start[op->param] : NULL;
        switch (op->kind) {
        case PVGI_OP_INPUT: {
            const double *x = entries(g, scratch, r, o);
            memset(out, 0, (size_t)g->stride[op->out] * sizeof *out);
            for (int64_t k = 0; k < r->count; k++) out[r->indices[k]] = x[k];
            break;
        }
        case PVGI_OP_SPARSE:
            g->kernels->forward(out, w, g->stride[op->out], r->indices,
                                entries(g, scratch, r, o), r->count);
            break;
        case PVGI_OP_DENSE:
            g->kernels->forward(out, w, g->stride[op->out], NULL, in,
                                p->params[op->param].rows);
            break;
        case PVGI_OP_BIAS:
            for (int64_t j = 0; j < columns; j++) out[j] += w[j];
            break;
        case PVGI_OP_ACTIVATE:
            g->rows->activate(out, columns, op->choice);
            break;
        case PVGI_OP_DROPOUT: {
            const uint64_t base = drop_base(g, r, o);
            for (int64_t j = 0; j < columns; j++)
                out[j] = in[j] * keep(base, j, op->number);
            break;
        }
        case PVGI_OP_ADD:
            for (int64_t j = 0; j < columns; j++) out[j] = in[j] + op->number * other[j];
            break;
        case PVGI_OP_PLACE:
            memcpy(out + op->offset, in,
                   (size_t)p->tensors[op->in].columns * sizeof *out);
            break;
        case PVGI_OP_SLICE:
            memcpy(out, in + op->offset, (size_t)columns * sizeof *out);
            break;
        case PVGI_OP_MAXIMUM:
            for (int64_t j = 0; j < columns; j++)
                out[j] = in[j] >= other[j] ? in[j] : other[j];
            break;
        case PVGI_OP_ROWS: {
            const double length = sqrt(g->kernels->squares(in, columns));
            const bool same = op->choice ? length <= 1 : length == 0;
            for (int64_t j = 0; j < columns; j++)
                out[j] = same ? in[j] : in[j] * (1 / length);
            break;
        }
        case PVGI_OP_LAYER_NORM: {
            const double *shift = weights + g->param_start[op->param2];
            double mean, inverse;
            moments(&mean, &inverse, in, columns);
            for (int64_t j = 0; j < columns; j++)
                out[j] = (in[j] - mean) * inverse * w[j] + shift[j];
            break;
        }
        /* refused by mixed_by */
        case PVGI_OP_AGGREGATE:
        case PVGI_OP_MEAN:
        case PVGI_OP_BATCH_NORM:
        case PVGI_OP_HEAD_DOT:
        case PVGI_OP_HEAD_MEAN:
        case PVGI_OP_EDGE_SOFTMAX:
        case PVGI_OP_EDGE_AGGREGATE:
        case PVGI_OP_COMPARE:
        case PVGI_OP_SOFTMAX:
        case PVGI_OP_CONSTANT:
        case PVGI_OP_POOL:
        case PVGI_OP_ATTEND:
        case PVGI_OP_LINKS:
        case PVGI_OP_PAIR:
        case PVGI_OP_GIVEN:
        case PVGI_OP_LOSS:
        case PVGI_OP_KINDS:
            break;
        }
    }
}

/* --- loss ------------------------------------------------------------------------- */

/* Gradient d of the loss of logits z; work: 2 classes numbers. */
static void loss_gradient(const pvgi_ghost *g, double *d, const double *z, int32_t y,
                          double *work) {
    const int64_t c = g->program->classes;
    const double s = g->smoothing, even = s / (double)c;
    if (g->loss == PVG_LOSS_BINARY) {
        for (int64_t j = 0; j < c; j++)
            d[j] = 1 / (1 + exp(-z[j])) - ((1 - s) * (c == 1 ? y : y == j) + s / 2);
    } else if (g->loss == PVG_LOSS_SQUARES) {
        for (int64_t j = 0; j < c; j++)
            d[j] = 2 * (z[j] - ((1 - s) * (c == 1 ? y : y == j) + even));
    } else {
        double *chance = work, *mixed = work + c, most = z[0], sum = 0;
        for (int64_t j = 1; j < c; j++)
            if (z[j] > most) most = z[j];
        for (int64_t j = 0; j < c; j++) sum += chance[j] = exp(z[j] - most);
        for (int64_t j = 0; j < c; j++) chance[j] /= sum;
        for (int64_t j = 0; j < c; j++) d[j] = chance[j] - (j == y ? 1 - s : 0) - even;
        if (g->transition) { /* forward correction */
            for (int64_t j = 0; j < c; j++) {
                mixed[j] = 0;
                for (int64_t k = 0; k < c; k++)
                    mixed[j] += chance[k] * g->transition[k * c + j];
                if (!(mixed[j] > 1e-300)) mixed[j] = 1e-300;
            }
            for (int64_t k = 0; k < c; k++) {
                d[k] = chance[k];
                for (int64_t j = 0; j < c; j++)
                    d[k] -= ((j == y ? 1 - s : 0) + even) * chance[k] *
                            g->transition[k * c + j] / mixed[j];
            }
        }
    }
    if (g->class_weights)
        for (int64_t j = 0; j < c; j++) d[j] *= g->class_weights[y];
}

/* --- backward --------------------------------------------------------------------- */

static void backward_rows(const pvgi_ghost *g, pvgi_ghost_scratch *scratch,
                          const pvgi_op *op) {
    const int64_t columns = g->program->tensors[op->in].columns;
    const double *x = scratch->value + g->place[op->in],
                 *e = scratch->grad + g->place[op->out];
    double *to = scratch->grad + g->place[op->in], dot = 0;
    const double sum = g->kernels->squares(x, columns), length = sqrt(sum);
    const bool same = op->choice ? length <= 1 : length == 0;
    for (int64_t j = 0; j < columns; j++) dot += x[j] * e[j];
    for (int64_t j = 0; j < columns; j++)
        to[j] += same ? e[j] : (e[j] - dot * x[j] / sum) / length;
}

static void backward_norm(const pvgi_ghost *g, pvgi_ghost_scratch *scratch,
                          const double *weights, const pvgi_op *op) {
    const int64_t columns = g->program->tensors[op->in].columns;
    const double *x = scratch->value + g->place[op->in],
                 *e = scratch->grad + g->place[op->out];
    const double *scale = weights + g->param_start[op->param];
    double *to = scratch->grad + g->place[op->in], mean, inverse, sum = 0, dot = 0;
    moments(&mean, &inverse, x, columns);
    for (int64_t j = 0; j < columns; j++) {
        sum += e[j] * scale[j];
        dot += e[j] * scale[j] * ((x[j] - mean) * inverse);
    }
    for (int64_t j = 0; j < columns; j++)
        to[j] += inverse * (e[j] * scale[j] -
                            (sum + (x[j] - mean) * inverse * dot) / (double)columns);
}

/* Deltas of all tensors: those of outputs of maps are what their weights hear. */
static void backward(const pvgi_ghost *g, pvgi_ghost_scratch *scratch,
                     const double *weights, const pvgi_ghost_record *r) {
    const pvgi_program *p = g->program;
    memset(scratch->grad, 0, (size_t)g->width * sizeof *scratch->grad);
    loss_gradient(g, scratch->grad + g->place[p->output],
                  scratch->value + g->place[p->output], r->label, scratch->work);
    for (int32_t o = p->op_count - 1; o >= 0; o--) {
        const pvgi_op *op = &p->ops[o];
        if (op->in < 0 || !g->learns[op->in]) {
            if (op->other < 0 || !g->learns[op->other]) continue;
        }
        const int64_t columns = p->tensors[op->out].columns;
        double *to = op->in >= 0 ? scratch->grad + g->place[op->in] : NULL;
        double *other = op->other >= 0 ? scratch->grad + g->place[op->other] : NULL;
        double *e = scratch->grad + g->place[op->out];
        const double *y = scratch->value + g->place[op->out];
        switch (op->kind) {
        case PVGI_OP_DENSE:
            g->kernels->back(to, weights + g->param_start[op->param], g->stride[op->out],
                             e, p->params[op->param].rows);
            break;
        case PVGI_OP_ACTIVATE:
            g->rows->slope(e, y, columns, op->choice);
            break;
        case PVGI_OP_DROPOUT: {
            const uint64_t base = drop_base(g, r, o);
            for (int64_t j = 0; j < columns; j++)
                to[j] += e[j] * keep(base, j, op->number);
            break;
        }
        case PVGI_OP_ADD:
            for (int64_t j = 0; j < columns; j++) {
                to[j] += e[j];
                other[j] += op->number * e[j];
            }
            break;
        case PVGI_OP_PLACE:
            for (int64_t j = 0; j < p->tensors[op->in].columns; j++)
                to[j] += e[op->offset + j];
            break;
        case PVGI_OP_SLICE:
            for (int64_t j = 0; j < columns; j++) to[op->offset + j] += e[j];
            break;
        case PVGI_OP_MAXIMUM: {
            const double *a = scratch->value + g->place[op->in];
            const double *b = scratch->value + g->place[op->other];
            for (int64_t j = 0; j < columns; j++)
                *(a[j] >= b[j] ? to + j : other + j) += e[j];
            break;
        }
        case PVGI_OP_ROWS:
            backward_rows(g, scratch, op);
            break;
        case PVGI_OP_LAYER_NORM:
            backward_norm(g, scratch, weights, op);
            break;
        case PVGI_OP_INPUT:
        case PVGI_OP_SPARSE:
        case PVGI_OP_BIAS: /* works in place */
        case PVGI_OP_AGGREGATE:
        case PVGI_OP_MEAN:
        case PVGI_OP_BATCH_NORM:
        case PVGI_OP_HEAD_DOT:
        case PVGI_OP_HEAD_MEAN:
        case PVGI_OP_EDGE_SOFTMAX:
        case PVGI_OP_EDGE_AGGREGATE:
        case PVGI_OP_COMPARE:
        case PVGI_OP_SOFTMAX:
        case PVGI_OP_CONSTANT:
        case PVGI_OP_POOL:
        case PVGI_OP_ATTEND:
        case PVGI_OP_LINKS:
        case PVGI_OP_PAIR:
        case PVGI_OP_GIVEN:
        case PVGI_OP_LOSS:
        case PVGI_OP_KINDS:
            break;
        }
    }
}

/* --- contributions ---------------------------------------------------------------- */

/* What the weights of an operation hear: input (values, with indices or without) and
 * delta. */
typedef struct {
    const int32_t *indices;
    const double *values;
    int64_t count;
    const double *delta;
    int64_t columns, stride;
} heard;

static heard hear(const pvgi_ghost *g, pvgi_ghost_scratch *scratch,
                  const pvgi_ghost_record *r, int32_t o) {
    const pvgi_op *op = &g->program->ops[o];
    heard h = {.delta = scratch->grad + g->place[op->out],
               .columns = g->program->tensors[op->out].columns,
               .stride = g->stride[op->out]};
    if (op->kind == PVGI_OP_SPARSE) {
        h.indices = r->indices;
        h.values = entries(g, scratch, r, o);
        h.count = r->count;
    } else if (op->kind == PVGI_OP_DENSE) {
        h.values = scratch->value + g->place[op->in];
        h.count = g->program->params[op->param].rows;
    }
    return h;
}

/* Gradients of the scale of a layer norm, into scratch->work. */
static void norm_gradient(const pvgi_ghost *g, pvgi_ghost_scratch *scratch,
                          const pvgi_op *op) {
    const int64_t columns = g->program->tensors[op->in].columns;
    const double *x = scratch->value + g->place[op->in],
                 *e = scratch->grad + g->place[op->out];
    double mean, inverse;
    moments(&mean, &inverse, x, columns);
    for (int64_t j = 0; j < columns; j++)
        scratch->work[j] = e[j] * ((x[j] - mean) * inverse);
}

/* Length of the gradient of the record; infinite if it is not to be used. */
static double gradient_length(const pvgi_ghost *g, pvgi_ghost_scratch *scratch,
                              const pvgi_ghost_record *r) {
    const pvgi_program *p = g->program;
    double sum = 0;
    bool usable = true;
    for (int32_t o = 0; o < p->op_count; o++) {
        const pvgi_op *op = &p->ops[o];
        if (op->param < 0) continue;
        const heard h = hear(g, scratch, r, o);
        const double e = g->kernels->squares(h.delta, h.columns);
        double x = 1; /* biases */
        if (op->kind == PVGI_OP_LAYER_NORM) {
            norm_gradient(g, scratch, op);
            sum += g->kernels->squares(scratch->work, h.columns);
        } else if (op->kind != PVGI_OP_BIAS) {
            x = g->kernels->squares(h.values, h.count);
        }
        usable = usable & (e < LENGTH_MAX * LENGTH_MAX) & (x < LENGTH_MAX * LENGTH_MAX);
        sum += x * e;
    }
    return usable & (sum < INFINITY) ? sqrt(sum) : INFINITY;
}

/* Whole numbers of a row, of at most 2^bits; the sum of their squares. */
static pvgi_ghost_sum round_row(const pvgi_ghost *g, double *out, const double *e,
                                int64_t columns, double share) {
    pvgi_ghost_sum sum = 0;
    g->kernels->whole(out, e, columns, ldexp(share, g->bits), ldexp(1, g->bits));
    for (int64_t j = 0; j < columns; j++) {
        const int64_t x = (int64_t)out[j];
        sum += (pvgi_ghost_sum)((__int128)x * x);
    }
    return sum;
}

/* U and V of a map, of at most 2^a and 2^(b + 1); the sum of the squares of U V^T, which
 * is at most 2^(2 a + 31) 2^(2 b + 2 + 12): inputs are counted in 31 bits, columns in 12.
 * The factors neither overflow nor vanish: inputs below 2^-400 round to 0 with those
 * for 2^-400, as they should, since what they are multiplied with is below 1e100. */
static pvgi_ghost_sum round_map(const pvgi_ghost *g, double *u, double *v, const heard *h,
                                double share) {
    const int a = g->bits / 2, b = g->bits - a;
    int exponent;
    frexp(g->kernels->largest(h->values, h->count), &exponent);
    if (exponent > EXPONENT_MAX) exponent = EXPONENT_MAX;
    if (exponent < -EXPONENT_MAX) exponent = -EXPONENT_MAX;
    g->kernels->whole(u, h->values, h->count, ldexp(1, a - exponent), ldexp(1, a));
    g->kernels->whole(v, h->delta, h->columns, share * ldexp(1, b + exponent),
                      ldexp(1, b + 1));
    return g->kernels->exact(u, h->count) * g->kernels->exact(v, h->columns);
}

/* Fills scratch->whole with what the record wants to add; the sum of squares. */
static pvgi_ghost_sum round_record(const pvgi_ghost *g, pvgi_ghost_scratch *scratch,
                                   const pvgi_ghost_record *r, double share) {
    const pvgi_ghost_sum most = (pvgi_ghost_sum)1 << 100; /* of each: no sum overflows */
    pvgi_ghost_sum all = 0;
    for (int32_t o = 0; o < g->program->op_count; o++) {
        const pvgi_op *op = &g->program->ops[o];
        if (op->param < 0) continue;
        const heard h = hear(g, scratch, r, o);
        double *at = scratch->whole + g->whole[o];
        pvgi_ghost_sum sum;
        if (op->kind == PVGI_OP_BIAS) {
            sum = round_row(g, at, h.delta, h.columns, share);
        } else if (op->kind == PVGI_OP_LAYER_NORM) {
            norm_gradient(g, scratch, op);
            sum = round_row(g, at, scratch->work, h.columns, share) +
                  round_row(g, at + h.stride, h.delta, h.columns, share);
        } else {
            const int64_t inputs =
                pvgi_network_pad(g->program->params[op->param].rows, 4);
            sum = round_map(g, at, at + inputs, &h, share);
        }
        all += sum < most ? sum : most;
    }
    return all;
}

static void add_row(double *to, const double *from, int64_t columns, double keep) {
    for (int64_t j = 0; j < columns; j++) to[j] += keep * from[j];
}

/* Adds scratch->whole, times 0 or 1. */
static void add_record(const pvgi_ghost *g, pvgi_ghost_scratch *scratch,
                       const pvgi_ghost_record *r, double keep) {
    for (int32_t o = 0; o < g->program->op_count; o++) {
        const pvgi_op *op = &g->program->ops[o];
        if (op->param < 0) continue;
        double *to = scratch->now + g->param_start[op->param],
               *at = scratch->whole + g->whole[o];
        const int64_t columns = g->program->tensors[op->out].columns;
        const int64_t stride = g->stride[op->out];
        if (op->kind == PVGI_OP_BIAS) {
            add_row(to, at, columns, keep);
        } else if (op->kind == PVGI_OP_LAYER_NORM) {
            add_row(to, at, columns, keep);
            add_row(scratch->now + g->param_start[op->param2], at + stride, columns,
                    keep);
        } else {
            const int64_t rows = g->program->params[op->param].rows;
            const bool sparse = op->kind == PVGI_OP_SPARSE;
            double *v = at + pvgi_network_pad(rows, 4);
            for (int64_t j = 0; j < columns; j++) v[j] *= keep;
            g->kernels->outer(to, stride, sparse ? r->indices : NULL, at,
                              sparse ? r->count : rows, v);
        }
    }
}

/* Numbers below 2^52 are exact in doubles: 2^12 records of 2^40. */
static void spill(const pvgi_ghost *g, pvgi_ghost_scratch *scratch) {
    for (int64_t i = 0; i < g->flat; i++) {
        scratch->kept[i] += (int64_t)scratch->now[i];
        scratch->now[i] = 0;
    }
    scratch->records = 0;
}

double pvgi_network_ghost_add(const pvgi_ghost *g, pvgi_ghost_scratch *scratch,
                              const double *weights, const pvgi_ghost_record *r) {
    forward(g, scratch, weights, r);
    backward(g, scratch, weights, r);
    const double length = gradient_length(g, scratch, r);
    const double share =
        length < INFINITY ? (1 - 0x1p-26) / (length > g->clip ? length : g->clip) : 0;
    const bool fits = round_record(g, scratch, r, share) <= (pvgi_ghost_sum)1
                                                                << (2 * g->bits);
    add_record(g, scratch, r, fits ? 1 : 0);
    if (++scratch->records == PVGI_GHOST_RECORDS) spill(g, scratch);
    return fits ? length : INFINITY;
}
