/* The small network of PrivX (Sahoo et al. 2026), one prediction at a time. A window of w
 * nodes has signals S (w x r), cosines c of them, and bits X of an adjacency that may be
 * noise (all 0 in the one-step twin):
 *
 *   H <- S A + a + t u + (1 - t) u'
 *   twice: H <- layernorm(H + relu(softmax(H Wq (H Wk)^T / sqrt h) H Wv + X H Wg / 4))
 *   logit of {i, j} = relu([h_i h_j, |h_i - h_j|, c_ij, X_ij] B + b) . v + v'
 *
 * Pairs are symmetric by their features. Loss: binary cross entropy over i < j. All
 * windows of a batch stand below each other; 6 (2 h + 2) h pairs operations for a step,
 * by BLAS. Diffusion: x_t = x_0 with probability abar_t, else a coin of the density;
 * abar_t = cos^2((t + .008) / 1.008 pi / 2). */
#include "reconstruct.h"

#include "base/blas.h"

#include <math.h>
#include <string.h>

enum { BLOCKS = 2 };
static const double LN_LEAST = 1e-5;

/* --- places ------------------------------------------------------------------------ */

/* Parameters, in this order. */
typedef struct {
    double *in, *in_bias, *time; /* r x h, h, 2 x h */
    struct {
        double *query, *key, *value, *hear, *gain, *shift; /* h x h four times, h, h */
    } block[BLOCKS];
    double *pair, *pair_bias, *out, *out_bias; /* (2 h + 2) x h, h, h, 1 */
} layout;

static int64_t lay_out(layout *l, double *base, int64_t r, int64_t h) {
    double *at = base;
    l->in = at;
    at += r * h;
    l->in_bias = at;
    at += h;
    l->time = at;
    at += 2 * h;
    for (int b = 0; b < BLOCKS; b++) {
        l->block[b].query = at;
        l->block[b].key = at + h * h;
        l->block[b].value = at + 2 * h * h;
        l->block[b].hear = at + 3 * h * h;
        at += 4 * h * h;
        l->block[b].gain = at;
        l->block[b].shift = at + h;
        at += 2 * h;
    }
    l->pair = at;
    at += (2 * h + 2) * h;
    l->pair_bias = at;
    l->out = at + h;
    l->out_bias = at + 2 * h;
    return at + 2 * h + 1 - base;
}

/* Numbers of the room, carved if base is given. */
static size_t carve(pvgi_twin *t, double *base) {
    const int64_t n = t->batch * t->width, h = t->hidden, w = t->width;
    const int64_t all = t->batch * t->pairs, square = t->batch * w * w;
    const int64_t f = 2 * h + 2;
    struct {
        double **to;
        int64_t count;
    } parts[] = {
        {&t->weights, t->parameters},
        {&t->gradient, t->parameters},
        {&t->first, t->parameters},
        {&t->second, t->parameters},
        {&t->state[0], n * h},
        {&t->state[1], n * h},
        {&t->state[2], n * h},
        {&t->query[0], n * h},
        {&t->query[1], n * h},
        {&t->key[0], n * h},
        {&t->key[1], n * h},
        {&t->value[0], n * h},
        {&t->value[1], n * h},
        {&t->heard[0], n * h},
        {&t->heard[1], n * h},
        {&t->attention[0], square},
        {&t->attention[1], square},
        {&t->active[0], n * h},
        {&t->active[1], n * h},
        {&t->normed[0], n * h},
        {&t->normed[1], n * h},
        {&t->spread[0], n},
        {&t->spread[1], n},
        {&t->inputs, n * t->signal},
        {&t->times, t->batch},
        {&t->noisy, square},
        {&t->features, all * f},
        {&t->inner, all * h},
        {&t->logits, all},
        {&t->d_state, n * h},
        {&t->d_a, n * h},
        {&t->d_b, n * h},
        {&t->d_c, n * h},
        {&t->d_d, n * h},
        {&t->d_attention, square},
        {&t->d_features, all * f},
        {&t->d_inner, all * h},
    };
    int64_t used = 0;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (base) *parts[i].to = base + used;
        used += (parts[i].count + 7) / 8 * 8;
    }
    return (size_t)used;
}

static pvgi_twin shape(int64_t width, int64_t signal, int64_t hidden, int64_t batch) {
    layout l;
    pvgi_twin t = {.width = width,
                   .signal = signal,
                   .hidden = hidden,
                   .batch = batch,
                   .pairs = width * (width - 1) / 2};
    t.parameters = lay_out(&l, NULL, signal, hidden);
    return t;
}

size_t pvgi_audit_twin_bytes(int64_t width, int64_t signal, int64_t hidden,
                             int64_t batch) {
    pvgi_twin t = shape(width, signal, hidden, batch);
    return pvgi_size_mul(carve(&t, NULL), sizeof(double));
}

/* Uniform on +-sqrt(6 / (in + out)). */
static void draw(double *to, int64_t rows, int64_t columns, pvgi_stream *stream) {
    const double bound = sqrt(6.0 / (double)(rows + columns));
    for (int64_t i = 0; i < rows * columns; i++)
        to[i] = bound * (2 * pvgi_rng_draw_unit(stream) - 1);
}

int32_t pvgi_audit_twin_open(pvgi_twin *twin, int64_t width, int64_t signal,
                             int64_t hidden, int64_t batch, bool diffuse,
                             pvgi_stream *stream) {
    const int64_t h = hidden;
    layout l;
    *twin = shape(width, signal, hidden, batch);
    twin->diffuse = diffuse;
    twin->room = pvgi_alloc_zero(carve(twin, NULL), sizeof *twin->room);
    if (!twin->room) return pvgi_fail_nomem();
    carve(twin, twin->room);
    lay_out(&l, twin->weights, signal, h);
    draw(l.in, signal, h, stream);
    draw(l.time, 2, h, stream);
    for (int b = 0; b < BLOCKS; b++) {
        draw(l.block[b].query, h, h, stream);
        draw(l.block[b].key, h, h, stream);
        draw(l.block[b].value, h, h, stream);
        draw(l.block[b].hear, h, h, stream);
        for (int64_t j = 0; j < h; j++) l.block[b].gain[j] = 1;
    }
    draw(l.pair, 2 * h + 2, h, stream);
    draw(l.out, h, 1, stream);
    return PVG_OK;
}

void pvgi_audit_twin_close(pvgi_twin *twin) {
    pvgi_free(twin->room);
    *twin = (pvgi_twin){0};
}

/* --- forward ----------------------------------------------------------------------- */

static void multiply(double *out, const double *a, bool a_flipped, const double *b,
                     bool b_flipped, int64_t rows, int64_t inner, int64_t columns,
                     bool add) {
    pvgi_blas_multiply(out, a, a_flipped, b, b_flipped, rows, inner, columns, add);
}

static void soften(double *row, int64_t count, double scale) {
    double most = row[0], sum = 0;
    for (int64_t j = 1; j < count; j++)
        if (row[j] > most) most = row[j];
    for (int64_t j = 0; j < count; j++) sum += row[j] = exp(scale * (row[j] - most));
    for (int64_t j = 0; j < count; j++) row[j] /= sum;
}

static void block_forward(pvgi_twin *t, const layout *l, int b) {
    const int64_t w = t->width, h = t->hidden, n = t->batch * w;
    const double *in = t->state[b];
    double *sum = t->active[b], *out = t->state[b + 1];
    multiply(t->query[b], in, false, l->block[b].query, false, n, h, h, false);
    multiply(t->key[b], in, false, l->block[b].key, false, n, h, h, false);
    multiply(t->value[b], in, false, l->block[b].value, false, n, h, h, false);
    if (t->diffuse)
        multiply(t->heard[b], in, false, l->block[b].hear, false, n, h, h, false);
    for (int64_t k = 0; k < t->batch; k++) {
        double *a = t->attention[b] + k * w * w;
        const int64_t at = k * w * h;
        multiply(a, t->query[b] + at, false, t->key[b] + at, true, w, h, w, false);
        for (int64_t i = 0; i < w; i++) soften(a + i * w, w, 1 / sqrt((double)h));
        multiply(sum + at, a, false, t->value[b] + at, false, w, w, h, false);
        if (t->diffuse) /* noisy holds X / 4 */
            multiply(sum + at, t->noisy + k * w * w, false, t->heard[b] + at, false, w, w,
                     h, true);
    }
    for (int64_t i = 0; i < n; i++) {
        double *row = out + i * h, mean = 0, square = 0;
        for (int64_t j = 0; j < h; j++) {
            const double heard = sum[i * h + j] > 0 ? sum[i * h + j] : 0;
            row[j] = in[i * h + j] + heard;
            mean += row[j];
        }
        mean /= (double)h;
        for (int64_t j = 0; j < h; j++) square += (row[j] - mean) * (row[j] - mean);
        const double inverse = 1 / sqrt(square / (double)h + LN_LEAST);
        t->spread[b][i] = inverse;
        for (int64_t j = 0; j < h; j++) {
            const double x = (row[j] - mean) * inverse;
            t->normed[b][i * h + j] = x;
            row[j] = x * l->block[b].gain[j] + l->block[b].shift[j];
        }
    }
}

static void fill_features(pvgi_twin *t) {
    const int64_t w = t->width, h = t->hidden, r = t->signal, f = 2 * h + 2;
    double *row = t->features;
    for (int64_t k = 0; k < t->batch; k++)
        for (int64_t i = 0; i < w; i++)
            for (int64_t j = i + 1; j < w; j++, row += f) {
                const double *a = t->state[BLOCKS] + (k * w + i) * h;
                const double *b = t->state[BLOCKS] + (k * w + j) * h;
                const double *s = t->inputs + (k * w + i) * r;
                const double *u = t->inputs + (k * w + j) * r;
                double product = 0, own = 0, other = 0;
                for (int64_t q = 0; q < h; q++) {
                    row[q] = a[q] * b[q];
                    row[h + q] = fabs(a[q] - b[q]);
                }
                for (int64_t q = 0; q < r; q++) {
                    product += s[q] * u[q];
                    own += s[q] * s[q];
                    other += u[q] * u[q];
                }
                row[2 * h] = own > 0 && other > 0 ? product / sqrt(own * other) : 0;
                row[2 * h + 1] = t->diffuse ? 4 * t->noisy[(k * w + i) * w + j] : 0;
            }
}

void pvgi_audit_twin_forward(pvgi_twin *t) {
    const int64_t w = t->width, h = t->hidden, n = t->batch * w;
    const int64_t all = t->batch * t->pairs, f = 2 * h + 2;
    layout l;
    lay_out(&l, t->weights, t->signal, h);
    multiply(t->state[0], t->inputs, false, l.in, false, n, t->signal, h, false);
    for (int64_t i = 0; i < n; i++) {
        const double time = t->times[i / w];
        for (int64_t j = 0; j < h; j++)
            t->state[0][i * h + j] +=
                l.in_bias[j] + time * l.time[j] + (1 - time) * l.time[h + j];
    }
    for (int b = 0; b < BLOCKS; b++) block_forward(t, &l, b);
    fill_features(t);
    multiply(t->inner, t->features, false, l.pair, false, all, f, h, false);
    for (int64_t p = 0; p < all; p++) {
        double *row = t->inner + p * h, sum = *l.out_bias;
        for (int64_t j = 0; j < h; j++) {
            const double x = row[j] + l.pair_bias[j];
            row[j] = x > 0 ? x : 0;
            sum += row[j] * l.out[j];
        }
        t->logits[p] = sum;
    }
}

/* --- backward ---------------------------------------------------------------------- */

/* Slopes at pairs to those at the last states. */
static void pair_backward(pvgi_twin *t) {
    const int64_t w = t->width, h = t->hidden, f = 2 * h + 2;
    const double *row = t->d_features;
    memset(t->d_state, 0, (size_t)(t->batch * w * h) * sizeof *t->d_state);
    for (int64_t k = 0; k < t->batch; k++)
        for (int64_t i = 0; i < w; i++)
            for (int64_t j = i + 1; j < w; j++, row += f) {
                const int64_t at = (k * w + i) * h, to = (k * w + j) * h;
                const double *a = t->state[BLOCKS] + at, *b = t->state[BLOCKS] + to;
                double *da = t->d_state + at, *db = t->d_state + to;
                for (int64_t q = 0; q < h; q++) {
                    const double apart = a[q] - b[q];
                    const double sign = apart > 0 ? 1 : apart < 0 ? -1 : 0;
                    da[q] += row[q] * b[q] + sign * row[h + q];
                    db[q] += row[q] * a[q] - sign * row[h + q];
                }
            }
}

/* From slopes at state b + 1, in d_state, to those at state b, in place. */
static void block_backward(pvgi_twin *t, const layout *l, layout *g, int b) {
    const int64_t w = t->width, h = t->hidden, n = t->batch * w;
    const double *in = t->state[b], scale = 1 / sqrt((double)h);
    double *d = t->d_state, *d_sum = t->d_a;
    for (int64_t i = 0; i < n; i++) {
        double *row = d + i * h, mean = 0, along = 0;
        const double *x = t->normed[b] + i * h;
        for (int64_t j = 0; j < h; j++) {
            g->block[b].gain[j] += row[j] * x[j];
            g->block[b].shift[j] += row[j];
            row[j] *= l->block[b].gain[j];
            mean += row[j];
            along += row[j] * x[j];
        }
        mean /= (double)h;
        along /= (double)h;
        for (int64_t j = 0; j < h; j++) {
            row[j] = t->spread[b][i] * (row[j] - mean - x[j] * along);
            d_sum[i * h + j] = t->active[b][i * h + j] > 0 ? row[j] : 0;
        }
    }
    /* d_b: at keys, d_c: at values, d_d: at what is heard; queries after the values */
    for (int64_t k = 0; k < t->batch; k++) {
        const int64_t at = k * w * h;
        const double *a = t->attention[b] + k * w * w;
        double *da = t->d_attention + k * w * w;
        multiply(da, d_sum + at, false, t->value[b] + at, true, w, h, w, false);
        multiply(t->d_c + at, a, true, d_sum + at, false, w, w, h, false);
        if (t->diffuse)
            multiply(t->d_d + at, t->noisy + k * w * w, true, d_sum + at, false, w, w, h,
                     false);
        for (int64_t i = 0; i < w; i++) {
            double sum = 0;
            for (int64_t j = 0; j < w; j++) sum += da[i * w + j] * a[i * w + j];
            for (int64_t j = 0; j < w; j++)
                da[i * w + j] = scale * a[i * w + j] * (da[i * w + j] - sum);
        }
        multiply(t->d_b + at, da, true, t->query[b] + at, false, w, w, h, false);
        /* the slopes of the sum were read: queries take their place */
        multiply(d_sum + at, da, false, t->key[b] + at, false, w, w, h, false);
    }
    multiply(g->block[b].query, in, true, d_sum, false, h, n, h, true);
    multiply(g->block[b].key, in, true, t->d_b, false, h, n, h, true);
    multiply(g->block[b].value, in, true, t->d_c, false, h, n, h, true);
    multiply(d, d_sum, false, l->block[b].query, true, n, h, h, true);
    multiply(d, t->d_b, false, l->block[b].key, true, n, h, h, true);
    multiply(d, t->d_c, false, l->block[b].value, true, n, h, h, true);
    if (t->diffuse) {
        multiply(g->block[b].hear, in, true, t->d_d, false, h, n, h, true);
        multiply(d, t->d_d, false, l->block[b].hear, true, n, h, h, true);
    }
}

double pvgi_audit_twin_backward(pvgi_twin *t, const uint8_t *truth) {
    const int64_t w = t->width, h = t->hidden, n = t->batch * w;
    const int64_t all = t->batch * t->pairs, f = 2 * h + 2;
    double loss = 0;
    layout l, g;
    lay_out(&l, t->weights, t->signal, h);
    lay_out(&g, t->gradient, t->signal, h);
    memset(t->gradient, 0, (size_t)t->parameters * sizeof *t->gradient);
    for (int64_t p = 0; p < all; p++) {
        const double z = t->logits[p], *row = t->inner + p * h;
        const double d = (1 / (1 + exp(-z)) - truth[p]) / (double)all;
        loss += ((z > 0 ? z : 0) - z * truth[p] + log1p(exp(-fabs(z)))) / (double)all;
        *g.out_bias += d;
        for (int64_t j = 0; j < h; j++) {
            const double slope = row[j] > 0 ? d * l.out[j] : 0;
            g.out[j] += d * row[j];
            g.pair_bias[j] += slope;
            t->d_inner[p * h + j] = slope;
        }
    }
    multiply(g.pair, t->features, true, t->d_inner, false, f, all, h, false);
    multiply(t->d_features, t->d_inner, false, l.pair, true, all, h, f, false);
    pair_backward(t);
    for (int b = BLOCKS - 1; b >= 0; b--) block_backward(t, &l, &g, b);
    multiply(g.in, t->inputs, true, t->d_state, false, t->signal, n, h, false);
    for (int64_t i = 0; i < n; i++) {
        const double time = t->times[i / w], *row = t->d_state + i * h;
        for (int64_t j = 0; j < h; j++) {
            g.in_bias[j] += row[j];
            g.time[j] += time * row[j];
            g.time[h + j] += (1 - time) * row[j];
        }
    }
    return loss;
}

void pvgi_audit_twin_step(pvgi_twin *t, int64_t step, double rate, double decay) {
    const double one = 1 - pow(.9, (double)step), two = 1 - pow(.999, (double)step);
    for (int64_t i = 0; i < t->parameters; i++) {
        const double g = t->gradient[i];
        t->first[i] = .9 * t->first[i] + .1 * g;
        t->second[i] = .999 * t->second[i] + .001 * g * g;
        t->weights[i] -= rate * (t->first[i] / one / (sqrt(t->second[i] / two) + 1e-8) +
                                 decay * t->weights[i]);
    }
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
        memcpy(t->inputs + (k * t->width + i) * t->signal,
               signal + windows->nodes[window * t->width + i] * t->signal,
               (size_t)t->signal * sizeof *signal);
}

/* Bits of the pairs as a matrix, a quarter each. */
static void load_bits(pvgi_twin *t, int64_t k, const uint8_t *bits) {
    const int64_t w = t->width;
    double *x = t->noisy + k * w * w;
    for (int64_t i = 0; i < w; i++)
        for (int64_t j = i + 1; j < w; j++) x[i * w + j] = x[j * w + i] = .25 * *bits++;
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
            t->times[k] = pvgi_rng_draw_unit(stream);
            for (int64_t p = 0; p < t->pairs; p++)
                bits[p] = coin(kept(t->times[k]), stream) ? from[p]
                                                          : coin(plan->density, stream);
            load_bits(t, k, bits);
        }
        pvgi_audit_twin_forward(t);
        pvgi_audit_twin_backward(t, truth);
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
            t->times[k] = now;
        }
        pvgi_audit_twin_forward(t);
        for (int64_t i = 0; i < count * t->pairs; i++) {
            const double p = 1 / (1 + exp(-t->logits[i]));
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
    /* bits of a batch fit where slopes at the features were */
    uint8_t *bits = (uint8_t *)t->d_features;
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
        pvgi_audit_twin_forward(t);
        for (int64_t i = 0; i < count * t->pairs; i++)
            to[i] = 1 / (1 + exp(-t->logits[i]));
    }
}
