/* The small network of PrivX (Sahoo et al. 2026), one prediction at a time. A window of w
 * nodes has signals S (w x r), cosines c of them, and bits X of an adjacency that may be
 * noise (all 0 in the one-step twin):
 *
 *   H <- S A + a + t u + (1 - t) u'
 *   twice: H <- layernorm(H + relu(softmax((H Wq + q) (H Wk)^T / sqrt h) H Wv + s +
 *                                  X H Wg / 4))
 *   logit of {i, j} = relu([h_i h_j, |h_i - h_j|, c_ij, X_ij] B + b) . v + v'
 *
 * A bias of the keys would move nothing, one of the values is s. Weights and biases start
 * uniform on +-1 / sqrt(terms), as linear maps of torch do, those of time at 0; with
 * larger ones (Glorot) and a time that hides the signal the twin finds less, .725
 * instead of .767 on Cora (docs/measured/protocols.md).
 * Pairs are symmetric by their features. Loss: binary cross entropy over i < j. All
 * windows of a batch stand below each other; 6 (2 h + 2) h pairs operations for a step,
 * by BLAS. Diffusion: x_t = x_0 with probability abar_t, else a coin of the density;
 * abar_t = cos^2((t + .008) / 1.008 pi / 2). */
#include "reconstruct.h"

#include <math.h>
#include <string.h>

/* --- places ------------------------------------------------------------------------ */

pvgi_twin_layout pvgi_audit_twin_layout(float *base, int64_t signal, int64_t hidden) {
    const int64_t r = signal, h = hidden;
    pvgi_twin_layout l = {.in = base, .in_bias = base + r * h};
    float *at = l.in_bias + h;
    l.time = at;
    at += 2 * h;
    for (int b = 0; b < PVGI_TWIN_BLOCKS; b++, at += 4 * h * h + 4 * h)
        l.block[b] = (pvgi_twin_block){at,
                                       at + h * h,
                                       at + 2 * h * h,
                                       at + 3 * h * h,
                                       at + 4 * h * h,
                                       at + 4 * h * h + h,
                                       at + 4 * h * h + 2 * h,
                                       at + 4 * h * h + 3 * h};
    l.pair = at;
    l.pair_bias = at + (2 * h + 2) * h;
    l.out = l.pair_bias + h;
    l.out_bias = l.out + h;
    return l;
}

/* The numbers of all of these. */
static int64_t count_parameters(int64_t r, int64_t h) {
    return (r + 3) * h + PVGI_TWIN_BLOCKS * (4 * h + 4) * h + (2 * h + 4) * h + 1;
}

/* Numbers of the block, carved if base is given. */
static size_t carve(pvgi_twin *t, float *base) {
    const int64_t n = t->batch * t->width, h = t->hidden, nodes = n * h;
    const int64_t square = n * t->wide, lanes = PVGI_TWIN_LANES;
    const int64_t longer = h > t->signal ? h : t->signal;
    const struct {
        float **to;
        int64_t count, times; /* `to` and those behind it */
    } parts[] = {
        {&t->weights, t->parameters, 1},
        {&t->gradient, t->parameters, 1},
        {&t->first, t->parameters, 1},
        {&t->second, t->parameters, 1},
        {&t->inputs, n * t->signal, 1},
        {&t->times, t->batch, 1},
        {&t->noisy, n * t->width, 1},
        {t->state, nodes, PVGI_TWIN_BLOCKS + 1},
        {t->query, nodes, PVGI_TWIN_BLOCKS},
        {t->key, nodes, PVGI_TWIN_BLOCKS},
        {t->value, nodes, PVGI_TWIN_BLOCKS},
        {t->heard, t->diffuse ? nodes : 0, PVGI_TWIN_BLOCKS},
        {t->attention, square, PVGI_TWIN_BLOCKS},
        {t->active, nodes, PVGI_TWIN_BLOCKS},
        {t->normed, nodes, PVGI_TWIN_BLOCKS},
        {t->spread, n, PVGI_TWIN_BLOCKS},
        {&t->logits, t->batch * t->pairs + lanes, 1},
        {&t->coins, (t->batch * t->pairs + 3) / 4, 1},
        {&t->d_state, nodes, 1},
        {&t->d_sum, nodes, 1},
        {&t->d_query, nodes, 1},
        {&t->d_key, nodes, 1},
        {&t->d_value, nodes, 1},
        {&t->d_heard, t->diffuse ? nodes : 0, 1},
        {&t->d_attention, t->width * t->wide, 1},
        {&t->features, t->pairs * (2 * h + 2), 1},
        {&t->inner, t->pairs * h, 1},
        {&t->slopes, t->pairs + lanes, 1},
        {&t->d_inner, t->pairs * h, 1},
        {&t->d_features, t->pairs * 2 * h, 1},
        {&t->d_pair, 2 * h * h, 1},
        {&t->turned, longer * t->wide, 1},
        {&t->flipped, h * h, 1},
    };
    int64_t used = 0;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        for (int64_t k = 0; k < parts[i].times; k++) {
            if (base) parts[i].to[k] = base + used;
            used += pvgi_network_pad(parts[i].count, lanes);
        }
    return (size_t)used;
}

static pvgi_twin shape(int64_t width, int64_t signal, int64_t hidden, int64_t batch,
                       bool diffuse) {
    pvgi_twin t = {.width = width,
                   .wide = pvgi_network_pad(width, PVGI_TWIN_LANES),
                   .signal = signal,
                   .hidden = pvgi_network_pad(hidden, PVGI_TWIN_LANES),
                   .batch = batch,
                   .pairs = width * (width - 1) / 2,
                   .diffuse = diffuse};
    t.parameters = count_parameters(signal, t.hidden);
    return t;
}

size_t pvgi_audit_twin_bytes(int64_t width, int64_t signal, int64_t hidden,
                             int64_t batch) {
    pvgi_twin t = shape(width, signal, hidden, batch, true);
    return pvgi_size_mul(carve(&t, NULL), sizeof(float));
}

/* Numbers of a map of so many terms, uniform on +-1 / sqrt(terms). */
static void draw(float *to, int64_t terms, int64_t count, pvgi_stream *stream) {
    const double bound = 1 / sqrt((double)terms);
    for (int64_t i = 0; i < count; i++)
        to[i] = (float)(bound * (2 * pvgi_rng_draw_unit(stream) - 1));
}

int32_t pvgi_audit_twin_open(pvgi_twin *twin, int64_t width, int64_t signal,
                             int64_t hidden, int64_t batch, bool diffuse,
                             pvgi_stream *stream) {
    *twin = shape(width, signal, hidden, batch, diffuse);
    twin->scratch = pvgi_alloc_zero(carve(twin, NULL), sizeof *twin->scratch);
    if (!twin->scratch) return pvgi_fail_nomem();
    carve(twin, twin->scratch);
    const int64_t h = twin->hidden;
    const pvgi_twin_layout l = pvgi_audit_twin_layout(twin->weights, signal, h);
    draw(l.in, signal, (signal + 1) * h, stream); /* and its bias */
    /* time starts at 0: a constant as large as its weights would hide the signal */
    for (int b = 0; b < PVGI_TWIN_BLOCKS; b++) {
        draw(l.block[b].query, h, 4 * h * h, stream); /* all four */
        draw(l.block[b].query_bias, h, 2 * h, stream);
        for (int64_t j = 0; j < h; j++) l.block[b].gain[j] = 1;
    }
    draw(l.pair, 2 * h + 2, (2 * h + 3) * h, stream);
    draw(l.out, h, h + 1, stream);
    return PVG_OK;
}

void pvgi_audit_twin_close(pvgi_twin *twin) {
    pvgi_free(twin->scratch);
    *twin = (pvgi_twin){0};
}

double pvgi_audit_twin_loss(const pvgi_twin *t, const uint8_t *truth) {
    const int64_t all = t->batch * t->pairs;
    double sum = 0;
    for (int64_t p = 0; p < all; p++) {
        const double z = (double)t->logits[p];
        sum += (z > 0 ? z : 0) - z * truth[p] + log1p(exp(-fabs(z)));
    }
    return sum / (double)all;
}

/* --- windows in and out ------------------------------------------------------------ */

static double kept(double t) {
    const double x = cos((t + .008) / 1.008 * 1.5707963267948966);
    return x * x;
}

static bool coin(double chance, pvgi_stream *stream) {
    return pvgi_rng_draw_unit(stream) < chance;
}

/* Signals of window number `window` into place k of the batch. */
static void load(pvgi_twin *t, int64_t k, const pvgi_windows *windows, int64_t window,
                 const double *signal) {
    for (int64_t i = 0; i < t->width; i++)
        for (int64_t j = 0; j < t->signal; j++)
            t->inputs[(k * t->width + i) * t->signal + j] =
                (float)signal[windows->nodes[window * t->width + i] * t->signal + j];
}

/* Bits of the pairs as a matrix, a quarter each. */
static void load_bits(pvgi_twin *t, int64_t k, const uint8_t *bits) {
    const int64_t w = t->width;
    float *x = t->noisy + k * w * w;
    for (int64_t i = 0; i < w; i++)
        for (int64_t j = i + 1; j < w; j++) x[i * w + j] = x[j * w + i] = .25f * *bits++;
}

int32_t pvgi_audit_twin_train(pvgi_twin *t, const pvgi_windows *windows,
                              const double *signal, const pvgi_twin_plan *plan,
                              pvgi_stream *stream) {
    const size_t pairs = (size_t)t->pairs;
    uint8_t *truth = pvgi_alloc((size_t)(t->batch + 1), pairs);
    if (!truth) return pvgi_fail_nomem();
    uint8_t *bits = truth + t->batch * t->pairs;
    for (int64_t step = 1; step <= plan->steps; step++) {
        for (int64_t k = 0; k < t->batch; k++) {
            const int64_t window =
                (int64_t)pvgi_rng_draw_below(stream, (uint64_t)windows->count);
            const uint8_t *from = windows->truth + window * t->pairs;
            load(t, k, windows, window, signal);
            memcpy(truth + k * t->pairs, from, pairs);
            t->times[k] = 1;
            if (!t->diffuse) continue;
            const double time = pvgi_rng_draw_unit(stream);
            t->times[k] = (float)time;
            for (int64_t p = 0; p < t->pairs; p++)
                bits[p] =
                    coin(kept(time), stream) ? from[p] : coin(plan->density, stream);
            load_bits(t, k, bits);
        }
        pvgi_audit_twin_run(t, truth);
        pvgi_audit_twin_step(t, step, plan->rate, plan->decay);
    }
    pvgi_free(truth);
    return PVG_OK;
}

/* P(x_s = 1 | x_t, P(x_0 = 1) = p): the exact posterior of two states. */
static double posterior(double p, bool now, double s, double t, double density) {
    const double stay = kept(t) / kept(s), before = kept(s);
    double chance[2] = {0, 0}; /* of x_s = 0, 1 and what is seen, given x_0 weighted */
    for (int start = 0; start < 2; start++) {
        double joint[2];
        for (int x = 0; x < 2; x++) {
            const double base = x ? density : 1 - density;
            const double seen = now ? density : 1 - density;
            joint[x] = (before * (x == start) + (1 - before) * base) *
                       (stay * (x == (int)now) + (1 - stay) * seen);
        }
        const double weight = start ? p : 1 - p, sum = joint[0] + joint[1];
        for (int x = 0; x < 2 && sum > 0; x++) chance[x] += weight * joint[x] / sum;
    }
    return chance[1] / (chance[0] + chance[1]);
}

static void sample(double *out, pvgi_twin *t, int64_t count, const pvgi_twin_plan *plan,
                   uint8_t *bits, pvgi_stream *stream) {
    for (int64_t i = 0; i < count * t->pairs; i++) bits[i] = coin(plan->density, stream);
    for (int64_t round = 0; round < plan->rounds; round++) {
        const double now = 1 - (double)round / (double)plan->rounds;
        const double next = 1 - (double)(round + 1) / (double)plan->rounds;
        for (int64_t k = 0; k < count; k++) {
            load_bits(t, k, bits + k * t->pairs);
            t->times[k] = (float)now;
        }
        pvgi_audit_twin_run(t, NULL);
        for (int64_t i = 0; i < count * t->pairs; i++) {
            const double p = 1 / (1 + exp(-(double)t->logits[i]));
            if (round + 1 < plan->rounds)
                bits[i] = coin(posterior(p, bits[i], next, now, plan->density), stream);
            else
                out[i] += p / (double)plan->samples;
        }
    }
}

void pvgi_audit_twin_predict(double *out, pvgi_twin *t, const pvgi_windows *windows,
                             const double *signal, const pvgi_twin_plan *plan,
                             pvgi_stream *stream) {
    uint8_t *bits = (uint8_t *)t->coins;
    memset(out, 0, (size_t)(windows->count * t->pairs) * sizeof *out);
    for (int64_t first = 0; first < windows->count; first += t->batch) {
        const int64_t left = windows->count - first;
        const int64_t count = left < t->batch ? left : t->batch;
        double *to = out + first * t->pairs;
        for (int64_t k = 0; k < count; k++) load(t, k, windows, first + k, signal);
        for (int64_t k = 0; k < count; k++) t->times[k] = 1;
        if (t->diffuse) {
            for (int64_t s = 0; s < plan->samples; s++)
                sample(to, t, count, plan, bits, stream);
            continue;
        }
        pvgi_audit_twin_run(t, NULL);
        for (int64_t i = 0; i < count * t->pairs; i++)
            to[i] = 1 / (1 + exp(-(double)t->logits[i]));
    }
}
