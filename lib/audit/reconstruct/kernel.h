/* One step of the network of twin.c in floats: define TARGET and NAME(x), then include.
 * Vectors and products are those of the tape (network/kernel): no fused multiply-add and
 * one order of summation, so that all instruction sets give the same bits. A window is
 * worked on from its pairs to their slopes at once, while all of it is near. */

#define INLINE TARGET static inline __attribute__((always_inline))
#define KERNEL TARGET static

#include "network/kernel/vector.h"

#include "network/kernel/product.h"

/* out (rows x columns) (+)= A w, A's entry [r][i] at a[r row + i step]; w and out have no
 * gaps between their rows. */
INLINE void NAME(apply)(float *out, const float *a, int64_t row, int64_t step,
                        const float *w, int64_t rows, int64_t terms, int64_t columns,
                        bool add) {
    NAME(multiply)
    ((NAME(product)){out, columns, a, row, step, w, columns, rows, terms}, add);
}

/* The transpose of rows x columns numbers, its rows `stride` apart. */
INLINE void NAME(flip)(float *out, int64_t stride, const float *in, int64_t rows,
                       int64_t columns) {
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < columns; c++) out[c * stride + r] = in[r * columns + c];
}

INLINE float NAME(total)(const float *row, int64_t stride) {
    NAME(vec) sum = {0};
    EACH_VECTOR(j) sum += AT(row + j);
    return NAME(across)(sum);
}

INLINE float NAME(along)(const float *a, const float *b, int64_t stride) {
    NAME(vec) sum = {0};
    EACH_VECTOR(j) sum += AT(a + j) * AT(b + j);
    return NAME(across)(sum);
}

/* Softmax of `count` numbers times scale; zeros up to the stride. */
INLINE void NAME(chances)(float *row, int64_t count, int64_t stride, float scale) {
    float most = row[0];
    for (int64_t j = 1; j < count; j++)
        if (row[j] > most) most = row[j];
    EACH_VECTOR(j) PUT(row + j) = NAME(exp)((AT(row + j) - most) * scale);
    NAME(clear)(row + count, stride - count);
    const float inverse = 1 / NAME(total)(row, stride);
    EACH_VECTOR(j) PUT(row + j) = AT(row + j) * inverse;
}

/* --- nodes ------------------------------------------------------------------------- */

/* out += bias, row by row. */
INLINE void NAME(shift)(float *out, const float *bias, int64_t rows, int64_t stride) {
    for (int64_t i = 0; i < rows; i++, out += stride)
        EACH_VECTOR(j) PUT(out + j) = AT(out + j) + AT(bias + j);
}

/* bias += rows: its slopes. */
INLINE void NAME(unshift)(float *bias, const float *rows, int64_t count, int64_t stride) {
    for (int64_t i = 0; i < count; i++, rows += stride)
        EACH_VECTOR(j) PUT(bias + j) = AT(bias + j) + AT(rows + j);
}

/* out <- layernorm(in + relu(sum)). */
INLINE void NAME(settle)(pvgi_twin *t, const pvgi_twin_block *weights, int b) {
    const int64_t stride = t->hidden, n = t->batch * t->width;
    for (int64_t i = 0; i < n; i++) {
        const float *in = t->state[b] + i * stride, *sum = t->active[b] + i * stride;
        float *x = t->normed[b] + i * stride, *out = t->state[b + 1] + i * stride;
        EACH_VECTOR(j)
        PUT(x + j) =
            AT(in + j) + NAME(choose)(AT(sum + j) > 0, AT(sum + j), NAME(all)(0));
        const float mean = NAME(total)(x, stride) / (float)stride;
        EACH_VECTOR(j) PUT(x + j) = AT(x + j) - mean;
        const float variance = NAME(along)(x, x, stride) / (float)stride;
        const float inverse = 1 / sqrtf(variance + PVGI_TWIN_LN_LEAST);
        t->spread[b][i] = inverse;
        EACH_VECTOR(j) {
            PUT(x + j) = AT(x + j) * inverse;
            PUT(out + j) = AT(x + j) * AT(weights->gain + j) + AT(weights->shift + j);
        }
    }
}

INLINE void NAME(block_forward)(pvgi_twin *t, const pvgi_twin_block *weights, int b) {
    const int64_t w = t->width, h = t->hidden, n = t->batch * w, wide = t->wide;
    const float *in = t->state[b], scale = 1 / sqrtf((float)h);
    NAME(apply)(t->query[b], in, h, 1, weights->query, n, h, h, false);
    NAME(shift)(t->query[b], weights->asking, n, h);
    NAME(apply)(t->key[b], in, h, 1, weights->key, n, h, h, false);
    NAME(apply)(t->value[b], in, h, 1, weights->value, n, h, h, false);
    if (t->diffuse) NAME(apply)(t->heard[b], in, h, 1, weights->hear, n, h, h, false);
    for (int64_t k = 0; k < t->batch; k++) {
        const int64_t at = k * w * h;
        float *a = t->attention[b] + k * w * wide, *sum = t->active[b] + at;
        NAME(flip)(t->turned, wide, t->key[b] + at, w, h);
        NAME(apply)(a, t->query[b] + at, h, 1, t->turned, w, h, wide, false);
        for (int64_t i = 0; i < w; i++) NAME(chances)(a + i * wide, w, wide, scale);
        NAME(apply)(sum, a, wide, 1, t->value[b] + at, w, w, h, false);
        if (t->diffuse) /* noisy holds X / 4 */
            NAME(apply)
        (sum, t->noisy + k * w * w, w, 1, t->heard[b] + at, w, w, h, true);
    }
    NAME(shift)(t->active[b], weights->settling, n, h);
    NAME(settle)(t, weights, b);
}

KERNEL void NAME(nodes_forward)(pvgi_twin *t) {
    const int64_t stride = t->hidden, w = t->width, n = t->batch * w;
    const pvgi_twin_layout l = pvgi_audit_twin_layout(t->weights, t->signal, stride);
    NAME(apply)(t->state[0], t->inputs, t->signal, 1, l.in, n, t->signal, stride, false);
    for (int64_t i = 0; i < n; i++) {
        const float time = t->times[i / w];
        float *row = t->state[0] + i * stride;
        EACH_VECTOR(j)
        PUT(row + j) = AT(row + j) + AT(l.in_bias + j) + AT(l.time + j) * time +
                       AT(l.time + stride + j) * (1 - time);
    }
    for (int b = 0; b < PVGI_TWIN_BLOCKS; b++) NAME(block_forward)(t, &l.block[b], b);
}

/* Slopes at state b + 1, in d_state, to those at state b but for what attention does;
 * slopes at the sum into d_sum. */
INLINE void NAME(unsettle)(pvgi_twin *t, const pvgi_twin_block *weights,
                           const pvgi_twin_block *g, int b) {
    const int64_t stride = t->hidden, n = t->batch * t->width;
    for (int64_t i = 0; i < n; i++) {
        float *row = t->d_state + i * stride, *d_sum = t->d_sum + i * stride;
        const float *x = t->normed[b] + i * stride, *sum = t->active[b] + i * stride;
        EACH_VECTOR(j) {
            PUT(g->gain + j) = AT(g->gain + j) + AT(row + j) * AT(x + j);
            PUT(g->shift + j) = AT(g->shift + j) + AT(row + j);
            PUT(row + j) = AT(row + j) * AT(weights->gain + j);
        }
        const float mean = NAME(total)(row, stride) / (float)stride;
        const float along = NAME(along)(row, x, stride) / (float)stride;
        EACH_VECTOR(j) {
            PUT(row + j) = (AT(row + j) - mean - AT(x + j) * along) * t->spread[b][i];
            PUT(d_sum + j) = NAME(choose)(AT(sum + j) > 0, AT(row + j), NAME(all)(0));
        }
    }
}

/* Slopes at the scores of a window, from those at its chances, in place. */
INLINE void NAME(unchance)(float *d, const float *a, int64_t w, int64_t stride,
                           float scale) {
    for (int64_t i = 0; i < w; i++, d += stride, a += stride) {
        const float sum = NAME(along)(d, a, stride);
        EACH_VECTOR(j) PUT(d + j) = AT(a + j) * (AT(d + j) - sum) * scale;
    }
}

/* out = in W: slopes of W, and those at in added to d_state. */
INLINE void NAME(map_backward)(pvgi_twin *t, float *g, const float *weights,
                               const float *in, const float *d) {
    const int64_t h = t->hidden, n = t->batch * t->width;
    NAME(apply)(g, in, 1, h, d, h, n, h, false);
    NAME(flip)(t->flipped, h, weights, h, h);
    NAME(apply)(t->d_state, d, h, 1, t->flipped, n, h, h, true);
}

INLINE void NAME(block_backward)(pvgi_twin *t, const pvgi_twin_block *weights,
                                 const pvgi_twin_block *g, int b) {
    const int64_t w = t->width, h = t->hidden, wide = t->wide, n = t->batch * w;
    const float *in = t->state[b], scale = 1 / sqrtf((float)h);
    NAME(unsettle)(t, weights, g, b);
    for (int64_t k = 0; k < t->batch; k++) {
        const int64_t at = k * w * h;
        const float *a = t->attention[b] + k * w * wide, *d_sum = t->d_sum + at;
        float *d = t->d_attention;
        NAME(flip)(t->turned, wide, t->value[b] + at, w, h);
        NAME(apply)(d, d_sum, h, 1, t->turned, w, h, wide, false);
        NAME(unchance)(d, a, w, wide, scale);
        NAME(apply)(t->d_value + at, a, 1, wide, d_sum, w, w, h, false);
        NAME(apply)(t->d_key + at, d, 1, wide, t->query[b] + at, w, w, h, false);
        NAME(apply)(t->d_query + at, d, wide, 1, t->key[b] + at, w, w, h, false);
        if (t->diffuse) NAME(apply)
        (t->d_heard + at, t->noisy + k * w * w, 1, w, d_sum, w, w, h, false);
    }
    NAME(unshift)(g->asking, t->d_query, n, h);
    NAME(unshift)(g->settling, t->d_sum, n, h);
    NAME(map_backward)(t, g->query, weights->query, in, t->d_query);
    NAME(map_backward)(t, g->key, weights->key, in, t->d_key);
    NAME(map_backward)(t, g->value, weights->value, in, t->d_value);
    if (t->diffuse) NAME(map_backward)(t, g->hear, weights->hear, in, t->d_heard);
}

KERNEL void NAME(nodes_backward)(pvgi_twin *t) {
    const int64_t stride = t->hidden, w = t->width, n = t->batch * w;
    const pvgi_twin_layout l = pvgi_audit_twin_layout(t->weights, t->signal, stride);
    const pvgi_twin_layout g = pvgi_audit_twin_layout(t->gradient, t->signal, stride);
    for (int b = PVGI_TWIN_BLOCKS - 1; b >= 0; b--)
        NAME(block_backward)(t, &l.block[b], &g.block[b], b);
    NAME(apply)
    (g.in, t->inputs, 1, t->signal, t->d_state, t->signal, n, stride, false);
    for (int64_t i = 0; i < n; i++) {
        const float time = t->times[i / w], *row = t->d_state + i * stride;
        EACH_VECTOR(j) {
            PUT(g.in_bias + j) = AT(g.in_bias + j) + AT(row + j);
            PUT(g.time + j) = AT(g.time + j) + AT(row + j) * time;
            PUT(g.time + stride + j) = AT(g.time + stride + j) + AT(row + j) * (1 - time);
        }
    }
}

/* --- pairs ------------------------------------------------------------------------- */

/* [h_i h_j, |h_i - h_j|, cosine of signals, X_ij] of the pairs of window k. */
INLINE void NAME(features)(pvgi_twin *t, int64_t k) {
    const int64_t w = t->width, stride = t->hidden, r = t->signal, wide = t->wide;
    const float *s = t->inputs + k * w * r, *state = t->state[PVGI_TWIN_BLOCKS];
    float *row = t->features, *cosine = t->d_attention;
    NAME(flip)(t->turned, wide, s, w, r);
    NAME(apply)(cosine, s, r, 1, t->turned, w, r, wide, false);
    for (int64_t i = 0; i < w; i++)
        for (int64_t j = i + 1; j < w; j++, row += 2 * stride + 2) {
            const float *a = state + (k * w + i) * stride;
            const float *b = state + (k * w + j) * stride;
            const float squares = cosine[i * wide + i] * cosine[j * wide + j];
            EACH_VECTOR(q) {
                const NAME(vec) apart = AT(a + q) - AT(b + q);
                PUT(row + q) = AT(a + q) * AT(b + q);
                PUT(row + stride + q) = NAME(choose)(apart > 0, apart, -apart);
            }
            row[2 * stride] = squares > 0 ? cosine[i * wide + j] / sqrtf(squares) : 0;
            row[2 * stride + 1] = t->diffuse ? 4 * t->noisy[(k * w + i) * w + j] : 0;
        }
}

INLINE void NAME(pairs_forward)(pvgi_twin *t, const pvgi_twin_layout *l, int64_t k) {
    const int64_t stride = t->hidden, f = 2 * stride + 2;
    NAME(features)(t, k);
    NAME(apply)(t->inner, t->features, f, 1, l->pair, t->pairs, f, stride, false);
    for (int64_t p = 0; p < t->pairs; p++) {
        float *row = t->inner + p * stride;
        EACH_VECTOR(j) {
            const NAME(vec) x = AT(row + j) + AT(l->pair_bias + j);
            PUT(row + j) = NAME(choose)(x > 0, x, NAME(all)(0));
        }
        t->logits[k * t->pairs + p] = NAME(along)(row, l->out, stride) + *l->out_bias;
    }
}

/* Slopes at the features of pairs to those at the last states. */
INLINE void NAME(unpair)(pvgi_twin *t, int64_t k) {
    const int64_t w = t->width, stride = t->hidden;
    const float *row = t->d_features;
    for (int64_t i = 0; i < w; i++)
        for (int64_t j = i + 1; j < w; j++, row += 2 * stride) {
            const int64_t at = (k * w + i) * stride, to = (k * w + j) * stride;
            const float *a = t->state[PVGI_TWIN_BLOCKS] + at;
            const float *b = t->state[PVGI_TWIN_BLOCKS] + to;
            float *da = t->d_state + at, *db = t->d_state + to;
            EACH_VECTOR(q) {
                const NAME(vec) x = AT(a + q), y = AT(b + q), far = AT(row + stride + q);
                const NAME(vec) sign =
                    NAME(choose)(x > y, far, NAME(choose)(x < y, -far, NAME(all)(0)));
                PUT(da + q) = AT(da + q) + AT(row + q) * y + sign;
                PUT(db + q) = AT(db + q) + AT(row + q) * x - sign;
            }
        }
}

/* After pairs_forward of this window; l->pair flipped is in t->d_pair. */
INLINE void NAME(pairs_backward)(pvgi_twin *t, const pvgi_twin_layout *l,
                                 const pvgi_twin_layout *g, int64_t k,
                                 const uint8_t *truth) {
    const int64_t stride = t->hidden, f = 2 * stride + 2;
    const float share = 1 / (float)(t->batch * t->pairs);
    const float *logits = t->logits + k * t->pairs;
    for (int64_t p = 0; p < t->pairs; p += LANES) { /* logits end behind a vector */
        const NAME(vec) chance = 1 / (1 + NAME(exp)(-AT(logits + p)));
        PUT(t->slopes + p) = chance * share;
    }
    for (int64_t p = 0; p < t->pairs; p++) {
        const float d = t->slopes[p] - share * (float)truth[p];
        const float *row = t->inner + p * stride;
        float *slope = t->d_inner + p * stride;
        *g->out_bias += d;
        EACH_VECTOR(j) {
            const NAME(vec) x = AT(row + j);
            const NAME(vec) s = NAME(choose)(x > 0, AT(l->out + j) * d, NAME(all)(0));
            PUT(g->out + j) = AT(g->out + j) + x * d;
            PUT(g->pair_bias + j) = AT(g->pair_bias + j) + s;
            PUT(slope + j) = s;
        }
    }
    NAME(apply)(g->pair, t->features, 1, f, t->d_inner, f, t->pairs, stride, true);
    NAME(apply)
    (t->d_features, t->d_inner, stride, 1, t->d_pair, t->pairs, stride, 2 * stride,
     false);
    NAME(unpair)(t, k);
}

/* --- all of it --------------------------------------------------------------------- */

KERNEL void NAME(run)(pvgi_twin *t, const uint8_t *truth) {
    const int64_t h = t->hidden;
    const pvgi_twin_layout l = pvgi_audit_twin_layout(t->weights, t->signal, h);
    const pvgi_twin_layout g = pvgi_audit_twin_layout(t->gradient, t->signal, h);
    NAME(nodes_forward)(t);
    if (truth) {
        NAME(clear)(t->gradient, t->parameters);
        NAME(clear)(t->d_state, t->batch * t->width * h);
        NAME(flip)(t->d_pair, 2 * h, l.pair, 2 * h, h);
    }
    for (int64_t k = 0; k < t->batch; k++) {
        NAME(pairs_forward)(t, &l, k);
        if (truth) NAME(pairs_backward)(t, &l, &g, k, truth + k * t->pairs);
    }
    if (truth) NAME(nodes_backward)(t);
}

/* AdamW. */
KERNEL void NAME(update)(pvgi_twin *t, float one, float two, float rate, float decay) {
    for (int64_t i = 0; i < t->parameters; i++) {
        const float g = t->gradient[i];
        t->first[i] = .9f * t->first[i] + .1f * g;
        t->second[i] = .999f * t->second[i] + .001f * g * g;
        t->weights[i] -= rate * (t->first[i] / one / (sqrtf(t->second[i] / two) + 1e-8f) +
                                 decay * t->weights[i]);
    }
}

#undef AT
#undef PUT
#undef EACH_VECTOR
#undef INLINE
#undef KERNEL
