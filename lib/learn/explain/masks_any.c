/* GNNExplainer for any network: the objective of masks.c by a tape over many balls side
 * by side. In each step entries of the features are multiplied by sig F and messages by
 * sig M, and slopes at entries and arcs come back; steps x (forward + backward), with a
 * dense row of slopes per node. */
#include "explain.h"

#include <math.h>
#include <string.h>

static const double ARC_SIZE = .005, SIZE = 1, ENTROPY = .1;

typedef struct {
    const pvgi_explain *e;
    pvgi_heap *heap;
    pvgi_tape *tape;
    double *x, *weights; /* of the heap before any mask; weights NULL: 1 */
    /* numbers with masks: features of all balls, then arcs; moments, slopes */
    int64_t features, arcs;
    double *at, *first, *second, *slope;
} bench;

static double sigmoid(double x) {
    return 1 / (1 + exp(-x));
}

/* A step of Adam at number i whose sigmoid has this slope. */
static void move(bench *b, int64_t i, double size, double entropy, int64_t step) {
    const double s = sigmoid(b->at[i]);
    const double g = s * (1 - s) * (b->slope[i] + size - entropy * b->at[i]);
    b->first[i] = .9 * b->first[i] + .1 * g;
    b->second[i] = .999 * b->second[i] + .001 * g * g;
    const double mean = b->first[i] / (1 - pow(.9, (double)step));
    const double square = b->second[i] / (1 - pow(.999, (double)step));
    b->at[i] -= b->e->config.rate * mean / (sqrt(square) + 1e-8);
}

static int64_t arcs_before(const bench *b, int64_t ball) {
    return b->arcs > 0 ? b->heap->data.offsets[b->heap->starts[ball]] : 0;
}

static void draw(bench *b, const pvgi_stream *call, int64_t first, uint64_t second) {
    const int64_t d = b->heap->data.width;
    memset(b->first, 0, (size_t)(b->features + b->arcs) * sizeof *b->first);
    memset(b->second, 0, (size_t)(b->features + b->arcs) * sizeof *b->second);
    for (int64_t k = 0; k < b->heap->balls; k++) {
        const int64_t nodes = b->heap->starts[k + 1] - b->heap->starts[k];
        pvgi_stream stream;
        pvgi_rng_stream_open_chunk(&stream, call, 2 * (uint64_t)(first + k) + second);
        for (int64_t j = 0; j < d; j++)
            b->at[k * d + j] = .1 * pvgi_learn_normal(&stream);
        for (int64_t a = arcs_before(b, k); a < arcs_before(b, k + 1); a++)
            b->at[b->features + a] = sqrt(2 / (double)nodes) * pvgi_learn_normal(&stream);
        pvgi_rng_stream_close(&stream);
    }
}

/* Features and messages as the masks are now. */
static void mask(bench *b) {
    pvg_dataset *data = &b->heap->data;
    for (int64_t k = 0; k < b->heap->balls; k++)
        for (int64_t i = data->x_offsets[b->heap->starts[k]];
             i < data->x_offsets[b->heap->starts[k + 1]]; i++)
            data->x_values[i] =
                b->x[i] * sigmoid(b->at[k * data->width + data->x_indices[i]]);
    for (int64_t a = 0; a < b->arcs; a++)
        data->arc_weights[a] =
            (b->weights ? b->weights[a] : 1) * sigmoid(b->at[b->features + a]);
}

static void read_slopes(bench *b) {
    const pvg_dataset *data = &b->heap->data;
    const int64_t d = data->width, lanes = PVGI_TAPE_VECTOR / (int64_t)sizeof(double);
    const int64_t stride = pvgi_network_pad(d, lanes);
    const double *rows = b->tape->input_gradient, *arcs = b->tape->arc_gradient;
    memset(b->slope, 0, (size_t)b->features * sizeof *b->slope);
    for (int64_t k = 0; k < b->heap->balls; k++)
        for (int64_t v = b->heap->starts[k]; v < b->heap->starts[k + 1]; v++)
            for (int64_t i = data->x_offsets[v]; i < data->x_offsets[v + 1]; i++)
                b->slope[k * d + data->x_indices[i]] +=
                    b->x[i] * rows[v * stride + data->x_indices[i]];
    for (int64_t a = 0; a < b->arcs; a++)
        b->slope[b->features + a] = (b->weights ? b->weights[a] : 1) * arcs[a];
}

static int32_t learn(bench *b, pvgi_run *run) {
    const pvg_explain_config *config = &b->e->config;
    const int64_t d = b->heap->data.width;
    const double size = config->published ? SIZE : SIZE / (double)d;
    for (int64_t step = 1; step <= config->steps; step++) {
        pvgi_run quiet = pvgi_run_quiet(run);
        mask(b);
        PVGI_TRY(pvgi_network_tape_refill(b->tape, &quiet));
        PVGI_TRY(pvgi_network_tape_seeds(b->tape, b->heap->classes, true, &quiet));
        read_slopes(b);
        for (int64_t i = 0; i < b->features; i++)
            move(b, i, size, ENTROPY / (double)d, step);
        for (int64_t k = 0; k < b->heap->balls; k++) {
            const int64_t from = arcs_before(b, k), to = arcs_before(b, k + 1);
            for (int64_t a = from; a < to; a++)
                move(b, b->features + a, ARC_SIZE, 1 / (double)(to - from), step);
        }
        PVGI_TRY(pvgi_run_report(run, (double)step / (double)config->steps));
    }
    return PVG_OK;
}

/* Two answers where their agreement is asked for; the first one is kept. */
static int32_t answer(bench *b, const pvgi_stream *stream, int64_t first, pvgi_run *run) {
    const pvgi_explain *e = b->e;
    const int64_t d = b->heap->data.width;
    double *other = pvgi_alloc((size_t)(2 * b->features), sizeof *other);
    int32_t status = PVG_OK;
    if (!other) return pvgi_fail_nomem();
    for (int twice = e->agreement ? 1 : 0; twice >= 0 && status == PVG_OK; twice--) {
        double *out = twice ? other : other + b->features;
        draw(b, stream, first, (uint64_t)twice);
        status = learn(b, run);
        for (int64_t i = 0; i < b->features; i++) out[i] = sigmoid(b->at[i]);
    }
    for (int64_t k = 0; k < b->heap->balls && status == PVG_OK; k++) {
        const double *own = other + b->features + k * d;
        if (e->out) memcpy(e->out + (first + k) * d, own, (size_t)d * sizeof *own);
        if (e->agreement)
            e->agreement[first + k] = pvgi_learn_correlation(own, other + k * d, d);
        if (!e->arcs) continue;
        const int64_t all = pvg_dataset_arcs_exact(e->data);
        double *row = e->arcs + (first + k) * all;
        memset(row, 0, (size_t)all * sizeof *row);
        for (int64_t a = arcs_before(b, k); a < arcs_before(b, k + 1); a++)
            row[b->heap->numbers[a]] = sigmoid(b->at[b->features + a]);
    }
    pvgi_free(other);
    return status;
}

static int32_t explain_heap(const pvgi_explain *e, pvgi_heap *h,
                            const pvgi_stream *stream, int64_t first, pvgi_run *run) {
    const int64_t d = h->data.width, c = e->model->network->program.classes;
    bench b = {.e = e, .heap = h, .features = h->balls * d};
    b.arcs = h->data.offsets ? h->data.offsets[h->data.order] : 0;
    const pvgi_tape_wish wish = {.learn = true,
                                 .input_gradient = true,
                                 .arc_gradient = b.arcs > 0,
                                 .keep_gradient = true};
    const size_t numbers = (size_t)(b.features + b.arcs);
    const size_t entries = (size_t)h->data.x_offsets[h->data.order];
    pvg_training_config config = e->model->config;
    int32_t status = PVG_OK;
    double *z = pvgi_alloc((size_t)h->data.order, (size_t)c * sizeof *z);
    b.at = pvgi_alloc_zero(numbers, 4 * sizeof *b.at);
    b.x = pvgi_alloc(entries, sizeof *b.x);
    if (b.arcs > 0) {
        b.weights = h->data.arc_weights;
        h->data.arc_masks = true; /* degrees are those of the heap */
        h->data.arc_weights = pvgi_alloc((size_t)b.arcs, sizeof *b.weights);
    }
    if (!z || !b.at || !b.x || (b.arcs > 0 && !h->data.arc_weights)) {
        status = pvgi_fail_nomem();
        goto done;
    }
    b.first = b.at + numbers;
    b.second = b.first + numbers;
    b.slope = b.second + numbers;
    memcpy(b.x, h->data.x_values, entries * sizeof *b.x);
    for (int64_t a = 0; a < b.arcs; a++)
        h->data.arc_weights[a] = b.weights ? b.weights[a] : 1;
    config.precision = PVG_PRECISION_DOUBLE;
    config.target_rounds = 0;
    config.clip = config.smoothing = 0;
    config.transition = NULL;
    PVGI_TRY_DONE(
        pvgi_network_tape_new(&b.tape, e->model->network, &h->data, &config, &wish, run));
    pvgi_network_tape_set_weights(b.tape, e->model->weights);
    PVGI_TRY_DONE(pvgi_network_tape_forward(NULL, NULL, b.tape, run));
    pvgi_network_tape_read(z, b.tape, b.tape->program.output);
    for (int64_t v = 0; v < h->data.order; v++) h->classes[v] = -1;
    for (int64_t k = 0; k < h->balls; k++)
        h->classes[h->starts[k]] =
            (int32_t)pvgi_learn_explain_class(z + h->starts[k] * c, c);
    PVGI_TRY_DONE(answer(&b, stream, first, run));
done:
    pvgi_network_tape_free(b.tape);
    pvgi_free(z);
    pvgi_free(b.at);
    pvgi_free(b.x);
    if (b.arcs > 0) pvgi_free(b.weights);
    return status;
}

int32_t pvgi_learn_explain_masks_any(const pvgi_explain *e, const pvgi_stream *stream,
                                     pvgi_run *run) {
    return pvgi_learn_each_heap(e, explain_heap, stream, run);
}
