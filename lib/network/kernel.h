/* The operations of a tape on a few rows, written once for both number types: define
 * REAL, WHOLE (an integer as wide), LANES, TARGET and NAME(x) and include. No fused
 * multiply-add; a sum over neighbours, columns or weights runs in one order, and a row of
 * a product does not depend on the rows worked on beside it. Sums over rows are kept per
 * chunk (partials) and added in the order of the chunks. */

typedef REAL NAME(vec)
    __attribute__((vector_size(PVGI_TAPE_VECTOR), may_alias, aligned(sizeof(REAL))));
typedef WHOLE NAME(ivec)
    __attribute__((vector_size(PVGI_TAPE_VECTOR), may_alias, aligned(sizeof(REAL))));
#define AT(pointer)  (*(const NAME(vec) *)(pointer))
#define PUT(pointer) (*(NAME(vec) *)(pointer))
#define INLINE       TARGET static inline __attribute__((always_inline))
#define KERNEL       TARGET static

/* --- sums of weighted rows -------------------------------------------------------- */

typedef struct {
    const REAL *table;
    int64_t stride;
    const int32_t *index; /* rows of the table */
    const REAL *weight;   /* of each term; or, if by_row, of each row of the table */
    int64_t count;
    REAL post;
    const REAL *own; /* one more row with weight self, or NULL */
    REAL self;
} NAME(sum);

INLINE void NAME(sum_panel)(REAL *out, const NAME(sum) * s, int64_t start, const int Q,
                            const bool by_row, const bool add) {
    NAME(vec) acc[8];
    const REAL *table = s->table + start;
#pragma GCC unroll 8
    for (int q = 0; q < Q; q++) acc[q] = (NAME(vec)){0};
    for (int64_t k = 0; k < s->count; k++) {
        const int64_t u = s->index[k];
        const REAL w = by_row ? s->weight[u] : s->weight[k];
        const REAL *row = table + u * s->stride;
#pragma GCC unroll 8
        for (int q = 0; q < Q; q++) acc[q] += AT(row + q * LANES) * w;
    }
#pragma GCC unroll 8
    for (int q = 0; q < Q; q++) acc[q] *= s->post;
    if (s->own) {
#pragma GCC unroll 8
        for (int q = 0; q < Q; q++) acc[q] += AT(s->own + start + q * LANES) * s->self;
    }
    REAL *to = out + start;
#pragma GCC unroll 8
    for (int q = 0; q < Q; q++) {
        if (add) acc[q] += AT(to + q * LANES);
        PUT(to + q * LANES) = acc[q];
    }
}

INLINE void NAME(sum_rows)(REAL *out, const NAME(sum) * s, int64_t columns,
                           const bool by_row, const bool add) {
    int64_t c = 0;
    for (; c + 8 * LANES <= columns; c += 8 * LANES)
        NAME(sum_panel)(out, s, c, 8, by_row, add);
    if (c + 4 * LANES <= columns) {
        NAME(sum_panel)(out, s, c, 4, by_row, add);
        c += 4 * LANES;
    }
    if (c + 2 * LANES <= columns) {
        NAME(sum_panel)(out, s, c, 2, by_row, add);
        c += 2 * LANES;
    }
    if (c < columns) NAME(sum_panel)(out, s, c, 1, by_row, add);
}

KERNEL void NAME(sum_set)(REAL *out, const NAME(sum) * s, int64_t columns) {
    NAME(sum_rows)(out, s, columns, false, false);
}
KERNEL void NAME(sum_add)(REAL *out, const NAME(sum) * s, int64_t columns) {
    NAME(sum_rows)(out, s, columns, false, true);
}
KERNEL void NAME(gather_set)(REAL *out, const NAME(sum) * s, int64_t columns) {
    NAME(sum_rows)(out, s, columns, true, false);
}
KERNEL void NAME(gather_add)(REAL *out, const NAME(sum) * s, int64_t columns) {
    NAME(sum_rows)(out, s, columns, true, true);
}

/* --- dense products --------------------------------------------------------------- */

/* R rows times Q vectors of columns of out (+)= in W, K terms in order. */
INLINE void NAME(product_tile)(REAL *out, int64_t out_stride, const REAL *in,
                               int64_t in_stride, const REAL *w, int64_t w_stride,
                               int64_t K, const int R, const int Q, const bool add) {
    NAME(vec) acc[4][2];
#pragma GCC unroll 4
    for (int r = 0; r < R; r++)
#pragma GCC unroll 2
        for (int q = 0; q < Q; q++) acc[r][q] = (NAME(vec)){0};
    for (int64_t k = 0; k < K; k++) {
        const REAL *row = w + k * w_stride;
#pragma GCC unroll 4
        for (int r = 0; r < R; r++) {
            const REAL a = in[r * in_stride + k];
#pragma GCC unroll 2
            for (int q = 0; q < Q; q++) acc[r][q] += AT(row + q * LANES) * a;
        }
    }
#pragma GCC unroll 4
    for (int r = 0; r < R; r++)
#pragma GCC unroll 2
        for (int q = 0; q < Q; q++) {
            REAL *to = out + r * out_stride + q * LANES;
            if (add) acc[r][q] += AT(to);
            PUT(to) = acc[r][q];
        }
}

INLINE void NAME(product_any)(REAL *out, int64_t out_stride, const REAL *in,
                              int64_t in_stride, const REAL *w, int64_t w_stride,
                              int64_t rows, int64_t K, const bool add) {
    int64_t i = 0;
    for (; i + 4 <= rows; i += 4) {
        int64_t c = 0;
        for (; c + 2 * LANES <= w_stride; c += 2 * LANES) NAME(product_tile)
        (out + i * out_stride + c, out_stride, in + i * in_stride, in_stride, w + c,
         w_stride, K, 4, 2, add);
        if (c < w_stride) NAME(product_tile)
        (out + i * out_stride + c, out_stride, in + i * in_stride, in_stride, w + c,
         w_stride, K, 4, 1, add);
    }
    for (; i < rows; i++) {
        int64_t c = 0;
        for (; c + 2 * LANES <= w_stride; c += 2 * LANES) NAME(product_tile)
        (out + i * out_stride + c, out_stride, in + i * in_stride, in_stride, w + c,
         w_stride, K, 1, 2, add);
        if (c < w_stride) NAME(product_tile)
        (out + i * out_stride + c, out_stride, in + i * in_stride, in_stride, w + c,
         w_stride, K, 1, 1, add);
    }
}

/* out (+)= in W for `rows` rows; K columns of in are used; w_stride = out's columns. */
KERNEL void NAME(product)(REAL *out, int64_t out_stride, const REAL *in,
                          int64_t in_stride, const REAL *w, int64_t w_stride,
                          int64_t rows, int64_t K, bool add) {
    if (add) NAME(product_any)
    (out, out_stride, in, in_stride, w, w_stride, rows, K, true);
    else NAME(product_any)(out, out_stride, in, in_stride, w, w_stride, rows, K, false);
}

/* R columns of in times Q vectors of g: sum over rows in order. */
INLINE void NAME(gram_tile)(REAL *out, int64_t out_stride, const REAL *in,
                            int64_t in_stride, const REAL *g, int64_t g_stride,
                            int64_t rows, const int R, const int Q, bool add) {
    NAME(vec) acc[4][2];
#pragma GCC unroll 4
    for (int r = 0; r < R; r++)
#pragma GCC unroll 2
        for (int q = 0; q < Q; q++) acc[r][q] = (NAME(vec)){0};
    for (int64_t i = 0; i < rows; i++) {
        const REAL *row = g + i * g_stride;
#pragma GCC unroll 4
        for (int r = 0; r < R; r++) {
            const REAL a = in[i * in_stride + r];
#pragma GCC unroll 2
            for (int q = 0; q < Q; q++) acc[r][q] += AT(row + q * LANES) * a;
        }
    }
#pragma GCC unroll 4
    for (int r = 0; r < R; r++)
#pragma GCC unroll 2
        for (int q = 0; q < Q; q++) {
            REAL *to = out + r * out_stride + q * LANES;
            if (add) acc[r][q] += AT(to);
            PUT(to) = acc[r][q];
        }
}

/* out (+)= in^T g over `rows` rows; K columns of in. */
KERNEL void NAME(gram)(REAL *out, int64_t out_stride, const REAL *in, int64_t in_stride,
                       const REAL *g, int64_t g_stride, int64_t rows, int64_t K,
                       bool add) {
    for (int64_t k = 0; k < K;) {
        const bool four = k + 4 <= K;
        int64_t c = 0;
        for (; c + 2 * LANES <= g_stride; c += 2 * LANES) {
            REAL *to = out + k * out_stride + c;
            if (four) NAME(gram_tile)
            (to, out_stride, in + k, in_stride, g + c, g_stride, rows, 4, 2, add);
            else NAME(gram_tile)(to, out_stride, in + k, in_stride, g + c, g_stride, rows,
                                 1, 2, add);
        }
        if (c < g_stride) {
            REAL *to = out + k * out_stride + c;
            if (four) NAME(gram_tile)
            (to, out_stride, in + k, in_stride, g + c, g_stride, rows, 4, 1, add);
            else NAME(gram_tile)(to, out_stride, in + k, in_stride, g + c, g_stride, rows,
                                 1, 1, add);
        }
        k += four ? 4 : 1;
    }
}

/* --- where things are ------------------------------------------------------------- */

INLINE REAL *NAME(value)(const pvgi_tape *t, int32_t tensor, int64_t row) {
    return (REAL *)t->value[tensor] + row * t->stride[tensor];
}
INLINE REAL *NAME(grad)(const pvgi_tape *t, int32_t tensor, int64_t row) {
    return (REAL *)t->grad[tensor] + row * t->stride[tensor];
}
INLINE REAL *NAME(weights)(const pvgi_tape *t, int32_t param) {
    return (REAL *)t->weights + t->param_start[param];
}
/* Partial gradient of a parameter in a chunk. */
INLINE REAL *NAME(slot)(const pvgi_tape *t, int32_t param, int64_t chunk) {
    return (REAL *)t->partials + chunk * (t->trained - t->direct) +
           (t->param_start[param] - t->direct);
}
INLINE bool NAME(learns)(const pvgi_tape *t, int32_t tensor) {
    return tensor >= 0 && t->program.tensors[tensor].learns;
}

/* --- features --------------------------------------------------------------------- */

enum { NAME(SEGMENT) = 256 };

/* Mask words of a row of the features start at word offsets[v] / 64 + v. */
INLINE int64_t NAME(x_word)(const pvgi_tape *t, int64_t v) {
    return t->data->x_offsets[v] / 64 + v;
}

INLINE void NAME(x_mask)(pvgi_tape *t, int32_t op, int64_t v, uint64_t base,
                         uint32_t threshold) {
    const int64_t count = t->data->x_offsets[v + 1] - t->data->x_offsets[v];
    const int64_t word = NAME(x_word)(t, v);
    for (int64_t k = 0; k * 64 < count; k++)
        t->mask[op][word + k] = mask_word(base, (uint64_t)(word + k), threshold);
}

KERNEL void NAME(sparse_forward)(pvgi_tape *t, int32_t o, int64_t first, int64_t last,
                                 int64_t epoch) {
    const pvgi_op *op = &t->program.ops[o];
    const uint32_t threshold = t->noisy ? drop_threshold(op->number) : 0;
    const REAL keep = (REAL)drop_scale(threshold);
    const uint64_t base = mask_base(t->key, epoch, o);
    const int64_t *offsets = t->data->x_offsets;
    const REAL *values = t->x_values;
    int32_t index[NAME(SEGMENT)];
    REAL weight[NAME(SEGMENT)];
    NAME(sum)
    s = {.table = NAME(weights)(t, op->param),
         .stride = t->param_stride[op->param],
         .index = index,
         .weight = weight,
         .post = 1};
    for (int64_t v = first; v < last; v++) {
        REAL *out = NAME(value)(t, op->out, v);
        const int64_t columns = t->stride[op->out];
        if (!threshold) {
            s.index = t->data->x_indices + offsets[v];
            s.weight = values + offsets[v];
            s.count = offsets[v + 1] - offsets[v];
            NAME(sum_set)(out, &s, columns);
            continue;
        }
        NAME(x_mask)(t, o, v, base, threshold);
        const uint64_t *mask = t->mask[o] + NAME(x_word)(t, v);
        bool add = false;
        s.count = 0;
        for (int64_t k = offsets[v]; k < offsets[v + 1]; k++) {
            const int64_t bit = k - offsets[v];
            index[s.count] = t->data->x_indices[k];
            weight[s.count] = values[k] * keep;
            s.count += (int64_t)(mask[bit >> 6] >> (bit & 63) & 1);
            if (s.count == NAME(SEGMENT)) {
                if (add) NAME(sum_add)
                (out, &s, columns);
                else NAME(sum_set)(out, &s, columns);
                add = true;
                s.count = 0;
            }
        }
        if (!add) NAME(sum_set)
        (out, &s, columns);
        else if (s.count) NAME(sum_add)(out, &s, columns);
    }
}

/* Gradient of W, columns first..last-1 of the features. */
KERNEL void NAME(sparse_backward)(pvgi_tape *t, int32_t o, int64_t first, int64_t last) {
    const pvgi_op *op = &t->program.ops[o];
    const uint32_t threshold = t->noisy ? drop_threshold(op->number) : 0;
    const REAL keep = (REAL)drop_scale(threshold);
    const REAL *values = t->x_column_values;
    const uint64_t *mask = t->mask[o];
    int32_t index[NAME(SEGMENT)];
    REAL weight[NAME(SEGMENT)];
    NAME(sum)
    s = {.table = t->grad[op->out],
         .stride = t->stride[op->out],
         .index = index,
         .weight = weight,
         .post = 1};
    const int64_t columns = t->stride[op->out];
    for (int64_t j = first; j < last; j++) {
        REAL *out = (REAL *)t->gradient + t->param_start[op->param] +
                    j * t->param_stride[op->param];
        bool add = false;
        if (!threshold) {
            s.index = t->x_rows + t->x_starts[j];
            s.weight = values + t->x_starts[j];
            s.count = t->x_starts[j + 1] - t->x_starts[j];
            NAME(sum_set)(out, &s, columns);
            continue;
        }
        s.count = 0;
        for (int64_t k = t->x_starts[j]; k < t->x_starts[j + 1]; k++) {
            const uint32_t bit = t->x_bits[k];
            index[s.count] = t->x_rows[k];
            weight[s.count] = values[k] * keep;
            s.count += (int64_t)(mask[bit >> 6] >> (bit & 63) & 1);
            if (s.count == NAME(SEGMENT)) {
                if (add) NAME(sum_add)
                (out, &s, columns);
                else NAME(sum_set)(out, &s, columns);
                add = true;
                s.count = 0;
            }
        }
        if (!add) NAME(sum_set)
        (out, &s, columns);
        else if (s.count) NAME(sum_add)(out, &s, columns);
    }
}

KERNEL void NAME(input_forward)(pvgi_tape *t, int32_t o, int64_t first, int64_t last,
                                int64_t epoch) {
    const pvgi_op *op = &t->program.ops[o];
    const uint32_t threshold = t->noisy ? drop_threshold(op->number) : 0;
    const REAL keep = (REAL)drop_scale(threshold);
    const uint64_t base = mask_base(t->key, epoch, o);
    const int64_t *offsets = t->data->x_offsets;
    const REAL *values = t->x_values;
    for (int64_t v = first; v < last; v++) {
        REAL *out = NAME(value)(t, op->out, v);
        memset(out, 0, (size_t)t->stride[op->out] * sizeof *out);
        if (threshold) NAME(x_mask)(t, o, v, base, threshold);
        const uint64_t *mask = threshold ? t->mask[o] + NAME(x_word)(t, v) : NULL;
        for (int64_t k = offsets[v]; k < offsets[v + 1]; k++) {
            const int64_t bit = k - offsets[v];
            if (!mask || (mask[bit >> 6] >> (bit & 63) & 1))
                out[t->data->x_indices[k]] = values[k] * keep;
        }
    }
}

/* Gradient to the features as though all were stored: a dropped entry has none. For
 * entries that are zero and have no mask bit it is that without dropout. */
INLINE void NAME(input_gradient)(pvgi_tape *t, int32_t o, REAL *row, int64_t v) {
    const pvgi_op *op = &t->program.ops[o];
    const uint32_t threshold = t->noisy ? drop_threshold(op->number) : 0;
    if (!threshold) return;
    const REAL keep = (REAL)drop_scale(threshold);
    const uint64_t *mask = t->mask[o] + NAME(x_word)(t, v);
    const int64_t *offsets = t->data->x_offsets;
    for (int64_t k = offsets[v]; k < offsets[v + 1]; k++) {
        const int64_t bit = k - offsets[v];
        row[t->data->x_indices[k]] *= (mask[bit >> 6] >> (bit & 63) & 1) ? keep : 0;
    }
}

/* --- small maps ------------------------------------------------------------------- */

KERNEL void NAME(bias_forward)(pvgi_tape *t, const pvgi_op *op, int64_t first,
                               int64_t last) {
    const int64_t columns = t->stride[op->in];
    const REAL *b = NAME(weights)(t, op->param);
    for (int64_t v = first; v < last; v++) {
        REAL *x = NAME(value)(t, op->in, v);
        for (int64_t j = 0; j < columns; j += LANES) PUT(x + j) = AT(x + j) + AT(b + j);
    }
}

/* Column sums of g into a partial. */
KERNEL void NAME(column_sums)(REAL *out, const REAL *g, int64_t stride, int64_t rows,
                              bool fresh) {
    for (int64_t j = 0; j < stride; j += LANES) {
        NAME(vec) acc = {0};
        for (int64_t i = 0; i < rows; i++) acc += AT(g + i * stride + j);
        if (!fresh) acc += AT(out + j);
        PUT(out + j) = acc;
    }
}

#define SELU_SCALE  ((REAL)1.0507009873554805)
#define SELU_NEGATE ((REAL)1.7580993408473766)

KERNEL void NAME(activate_forward)(pvgi_tape *t, const pvgi_op *op, int64_t first,
                                   int64_t last) {
    const int64_t stride = t->stride[op->in];
    const int64_t columns = t->program.tensors[op->in].columns;
    for (int64_t v = first; v < last; v++) {
        REAL *x = NAME(value)(t, op->in, v);
        switch (op->choice) {
        case PVGI_ACT_RELU:
            for (int64_t j = 0; j < stride; j += LANES) {
                const NAME(vec) a = AT(x + j);
                PUT(x + j) = (NAME(vec))((NAME(ivec))a & (a > 0));
            }
            break;
        case PVGI_ACT_SELU:
            for (int64_t j = 0; j < columns; j++)
                x[j] = x[j] > 0 ? SELU_SCALE * x[j] : SELU_NEGATE * EXPM1(x[j]);
            break;
        case PVGI_ACT_TANH:
            for (int64_t j = 0; j < columns; j++) x[j] = TANH(x[j]);
            break;
        case PVGI_ACT_ELU:
            for (int64_t j = 0; j < columns; j++) x[j] = x[j] > 0 ? x[j] : EXPM1(x[j]);
            break;
        default:
            for (int64_t j = 0; j < columns; j++) x[j] = 1 / (1 + EXP(-x[j]));
        }
    }
}

KERNEL void NAME(activate_backward)(pvgi_tape *t, const pvgi_op *op, int64_t first,
                                    int64_t last) {
    const int64_t stride = t->stride[op->in];
    for (int64_t v = first; v < last; v++) {
        const REAL *y = NAME(value)(t, op->in, v);
        REAL *g = NAME(grad)(t, op->in, v);
        switch (op->choice) {
        case PVGI_ACT_RELU:
            for (int64_t j = 0; j < stride; j += LANES)
                PUT(g + j) = (NAME(vec))((NAME(ivec))AT(g + j) & (AT(y + j) > 0));
            break;
        case PVGI_ACT_SELU:
            for (int64_t j = 0; j < stride; j++)
                g[j] *= y[j] > 0 ? SELU_SCALE : y[j] + SELU_NEGATE;
            break;
        case PVGI_ACT_TANH:
            for (int64_t j = 0; j < stride; j++) g[j] *= 1 - y[j] * y[j];
            break;
        case PVGI_ACT_ELU:
            for (int64_t j = 0; j < stride; j++) g[j] *= y[j] > 0 ? 1 : y[j] + 1;
            break;
        default:
            for (int64_t j = 0; j < stride; j++) g[j] *= y[j] * (1 - y[j]);
        }
    }
}

/* out (+)= in where the mask has ones, scaled. */
INLINE void NAME(masked)(REAL *out, const REAL *in, const uint64_t *mask, int64_t stride,
                         REAL keep, const bool add) {
    NAME(ivec) lane;
    for (int i = 0; i < LANES; i++) lane[i] = (WHOLE)1 << i;
    for (int64_t j = 0; j < stride; j += LANES) {
        const WHOLE bits = (WHOLE)(mask[j >> 6] >> (j & 63) & ((1u << LANES) - 1));
        const NAME(ivec) on = (((NAME(ivec)){0} + bits) & lane) != 0;
        NAME(vec) x = (NAME(vec))((NAME(ivec))(AT(in + j) * keep) & on);
        if (add) x += AT(out + j);
        PUT(out + j) = x;
    }
}

KERNEL void NAME(dropout_forward)(pvgi_tape *t, int32_t o, int64_t first, int64_t last,
                                  int64_t epoch) {
    const pvgi_op *op = &t->program.ops[o];
    const int64_t stride = t->stride[op->out], words = t->mask_stride[o];
    const uint32_t threshold = t->noisy ? drop_threshold(op->number) : 0;
    const REAL keep = (REAL)drop_scale(threshold);
    const uint64_t base = mask_base(t->key, epoch, o);
    for (int64_t v = first; v < last; v++) {
        REAL *out = NAME(value)(t, op->out, v);
        const REAL *in = NAME(value)(t, op->in, v);
        if (!threshold) {
            memcpy(out, in, (size_t)stride * sizeof *out);
            continue;
        }
        uint64_t *mask = t->mask[o] + v * words;
        for (int64_t k = 0; k < words; k++)
            mask[k] = mask_word(base, (uint64_t)(v * words + k), threshold);
        NAME(masked)(out, in, mask, stride, keep, false);
    }
}

KERNEL void NAME(dropout_backward)(pvgi_tape *t, int32_t o, int64_t first, int64_t last) {
    const pvgi_op *op = &t->program.ops[o];
    const int64_t stride = t->stride[op->out], words = t->mask_stride[o];
    const uint32_t threshold = t->noisy ? drop_threshold(op->number) : 0;
    const REAL keep = (REAL)drop_scale(threshold);
    for (int64_t v = first; v < last; v++) {
        REAL *to = NAME(grad)(t, op->in, v);
        const REAL *g = NAME(grad)(t, op->out, v);
        const uint64_t *mask = t->mask[o] + v * words;
        if (!threshold) {
            for (int64_t j = 0; j < stride; j++) to[j] = op->add_in ? to[j] + g[j] : g[j];
        } else if (op->add_in)
            NAME(masked)
        (to, g, mask, stride, keep, true);
        else NAME(masked)(to, g, mask, stride, keep, false);
    }
}

/* to (+)= factor g, a vector at a time. */
INLINE void NAME(axpy)(REAL *to, const REAL *g, REAL factor, int64_t stride, bool add) {
    if (add)
        for (int64_t j = 0; j < stride; j += LANES)
            PUT(to + j) = AT(to + j) + AT(g + j) * factor;
    else
        for (int64_t j = 0; j < stride; j += LANES) PUT(to + j) = AT(g + j) * factor;
}

KERNEL void NAME(add_forward)(pvgi_tape *t, const pvgi_op *op, int64_t first,
                              int64_t last) {
    const int64_t stride = t->stride[op->out];
    const REAL learnt = op->param >= 0 ? *NAME(weights)(t, op->param) : 0;
    const REAL factor = (REAL)op->number + learnt;
    for (int64_t v = first; v < last; v++) {
        REAL *out = NAME(value)(t, op->out, v);
        const REAL *a = NAME(value)(t, op->in, v), *b = NAME(value)(t, op->other, v);
        for (int64_t j = 0; j < stride; j += LANES)
            PUT(out + j) = AT(a + j) + AT(b + j) * factor;
    }
}

KERNEL void NAME(add_backward)(pvgi_tape *t, const pvgi_op *op, int64_t first,
                               int64_t last, int64_t chunk, bool fresh) {
    const int64_t stride = t->stride[op->out];
    const REAL learnt = op->param >= 0 ? *NAME(weights)(t, op->param) : 0;
    const REAL factor = (REAL)op->number + learnt;
    double dot = 0;
    for (int64_t v = first; v < last; v++) {
        const REAL *g = NAME(grad)(t, op->out, v);
        if (NAME(learns)(t, op->in))
            NAME(axpy)(NAME(grad)(t, op->in, v), g, 1, stride, op->add_in);
        if (NAME(learns)(t, op->other))
            NAME(axpy)(NAME(grad)(t, op->other, v), g, factor, stride, op->add_other);
        if (op->param >= 0) {
            const REAL *b = NAME(value)(t, op->other, v);
            for (int64_t j = 0; j < stride; j++) dot += (double)g[j] * (double)b[j];
        }
    }
    if (op->param >= 0) {
        REAL *slot = NAME(slot)(t, op->param, chunk);
        *slot = fresh ? (REAL)dot : *slot + (REAL)dot;
    }
}

/* Column sums per chunk, in doubles: partial[chunk * stride + j]. */
KERNEL void NAME(partial_sums)(double *out, const REAL *x, int64_t stride, int64_t rows,
                               bool fresh) {
    if (fresh) memset(out, 0, (size_t)stride * sizeof *out);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < stride; j++) out[j] += (double)x[i * stride + j];
}
INLINE double NAME(total)(const double *partial, int64_t stride, int64_t chunks,
                          int64_t j) {
    double sum = 0;
    for (int64_t c = 0; c < chunks; c++) sum += partial[c * stride + j];
    return sum;
}

/* out = s in + t means(other); backward alike, with roles exchanged. */
KERNEL void NAME(mean_spread)(pvgi_tape *t, int32_t o, int64_t first, int64_t last,
                              bool back) {
    const pvgi_op *op = &t->program.ops[o];
    const int64_t stride = t->stride[op->out];
    const int64_t rows = t->rows[op->out], chunks = chunks_of(t, op->out);
    for (int64_t from = 0; from < stride; from += 64) {
        REAL mean[64];
        const int64_t to = from + 64 < stride ? from + 64 : stride;
        for (int64_t j = from; j < to; j++)
            mean[j - from] =
                op->second == 0
                    ? 0
                    : (REAL)(op->second * NAME(total)(t->partial[o], stride, chunks, j) /
                             (double)rows);
        for (int64_t v = first; v < last; v++) {
            if (back) {
                REAL *g = NAME(grad)(t, op->other, v);
                for (int64_t j = from; j < to; j++)
                    g[j] = op->add_other ? g[j] + mean[j - from] : mean[j - from];
            } else {
                REAL *out = NAME(value)(t, op->out, v);
                const REAL *in = NAME(value)(t, op->in, v);
                for (int64_t j = from; j < to; j++)
                    out[j] = (REAL)op->number * in[j] + mean[j - from];
            }
        }
    }
}

KERNEL void NAME(place)(pvgi_tape *t, const pvgi_op *op, int64_t first, int64_t last,
                        bool back) {
    const bool place = op->kind == PVGI_OP_PLACE;
    const int32_t narrow = place ? op->in : op->out, wide = place ? op->out : op->in;
    const int64_t columns = t->program.tensors[narrow].columns;
    for (int64_t v = first; v < last; v++) {
        if (!back) {
            REAL *n = NAME(value)(t, narrow, v);
            REAL *w = NAME(value)(t, wide, v) + op->offset;
            if (place)
                memcpy(w, n, (size_t)columns * sizeof *w);
            else
                memcpy(n, w, (size_t)columns * sizeof *w);
            continue;
        }
        REAL *n = NAME(grad)(t, narrow, v), *w = NAME(grad)(t, wide, v) + op->offset;
        if (place) {
            const int64_t stride = t->stride[narrow];
            for (int64_t j = 0; j < columns; j++) n[j] = op->add_in ? n[j] + w[j] : w[j];
            if (!op->add_in)
                for (int64_t j = columns; j < stride; j++) n[j] = 0;
        } else {
            if (!op->add_in) {
                REAL *all = w - op->offset;
                memset(all, 0, (size_t)t->stride[wide] * sizeof *all);
            }
            for (int64_t j = 0; j < columns; j++) w[j] += n[j];
        }
    }
}

KERNEL void NAME(maximum)(pvgi_tape *t, const pvgi_op *op, int64_t first, int64_t last,
                          bool back) {
    const int64_t stride = t->stride[op->out];
    for (int64_t v = first; v < last; v++) {
        const REAL *a = NAME(value)(t, op->in, v), *b = NAME(value)(t, op->other, v);
        if (!back) {
            REAL *out = NAME(value)(t, op->out, v);
            for (int64_t j = 0; j < stride; j++) out[j] = a[j] >= b[j] ? a[j] : b[j];
            continue;
        }
        const REAL *g = NAME(grad)(t, op->out, v);
        if (NAME(learns)(t, op->in)) {
            REAL *to = NAME(grad)(t, op->in, v);
            for (int64_t j = 0; j < stride; j++)
                to[j] = (op->add_in ? to[j] : 0) + (a[j] >= b[j] ? g[j] : 0);
        }
        if (NAME(learns)(t, op->other)) {
            REAL *to = NAME(grad)(t, op->other, v);
            for (int64_t j = 0; j < stride; j++)
                to[j] = (op->add_other ? to[j] : 0) + (a[j] >= b[j] ? 0 : g[j]);
        }
    }
}

/* Rows divided by their length (choice 0; rows of length 0 stay) or pulled into the unit
 * ball (choice 1). */
KERNEL void NAME(rows_forward)(pvgi_tape *t, const pvgi_op *op, int64_t first,
                               int64_t last) {
    const int64_t stride = t->stride[op->out];
    for (int64_t v = first; v < last; v++) {
        const REAL *x = NAME(value)(t, op->in, v);
        REAL *out = NAME(value)(t, op->out, v);
        double sum = 0;
        for (int64_t j = 0; j < stride; j++) sum += (double)x[j] * (double)x[j];
        const double length = sqrt(sum);
        const bool keep = op->choice ? length <= 1 : length == 0;
        const REAL factor = keep ? 1 : (REAL)(1 / length);
        for (int64_t j = 0; j < stride; j++) out[j] = x[j] * factor;
    }
}

KERNEL void NAME(rows_backward)(pvgi_tape *t, const pvgi_op *op, int64_t first,
                                int64_t last) {
    const int64_t stride = t->stride[op->out];
    for (int64_t v = first; v < last; v++) {
        const REAL *x = NAME(value)(t, op->in, v), *g = NAME(grad)(t, op->out, v);
        REAL *to = NAME(grad)(t, op->in, v);
        double sum = 0, dot = 0;
        for (int64_t j = 0; j < stride; j++) {
            sum += (double)x[j] * (double)x[j];
            dot += (double)x[j] * (double)g[j];
        }
        const double length = sqrt(sum);
        const bool keep = op->choice ? length <= 1 : length == 0;
        for (int64_t j = 0; j < stride; j++) {
            const REAL d =
                keep ? g[j] : (REAL)(((double)g[j] - dot * (double)x[j] / sum) / length);
            to[j] = op->add_in ? to[j] + d : d;
        }
    }
}

/* --- normalisation ---------------------------------------------------------------- */

/* Sums and sums of squares per chunk; columns j and stride + j. */
KERNEL void NAME(batch_sums)(pvgi_tape *t, int32_t o, int64_t first, int64_t last,
                             int64_t chunk, bool fresh) {
    const pvgi_op *op = &t->program.ops[o];
    const int64_t stride = t->stride[op->in];
    double *out = t->partial[o] + chunk * 4 * stride;
    if (fresh) memset(out, 0, (size_t)(2 * stride) * sizeof *out);
    for (int64_t v = first; v < last; v++) {
        const REAL *x = NAME(value)(t, op->in, v);
        for (int64_t j = 0; j < stride; j++) {
            out[j] += (double)x[j];
            out[stride + j] += (double)x[j] * (double)x[j];
        }
    }
}

/* Mean and 1 / deviation of a column: of the batch, or the running ones. */
INLINE void NAME(batch_moments)(const pvgi_tape *t, int32_t o, int64_t j, double *mean,
                                double *variance) {
    const pvgi_op *op = &t->program.ops[o];
    const int64_t stride = t->stride[op->in];
    if (!t->noisy) {
        const REAL *running = NAME(weights)(t, op->moments);
        *mean = (double)running[j];
        *variance = (double)running[t->param_stride[op->moments] + j];
        return;
    }
    const int64_t chunks = chunks_of(t, op->in);
    const double n = (double)t->rows[op->in];
    *mean = NAME(total)(t->partial[o], 4 * stride, chunks, j) / n;
    const double square = NAME(total)(t->partial[o], 4 * stride, chunks, stride + j) / n;
    *variance = square - *mean * *mean > 0 ? square - *mean * *mean : 0;
}

#define NORM_FLOOR 1e-5

KERNEL void NAME(batch_forward)(pvgi_tape *t, int32_t o, int64_t first, int64_t last,
                                int64_t chunk, bool fresh) {
    const pvgi_op *op = &t->program.ops[o];
    const int64_t columns = t->program.tensors[op->in].columns;
    const REAL *scale = NAME(weights)(t, op->param),
               *shift = NAME(weights)(t, op->param2);
    for (int64_t j = 0; j < columns; j++) {
        double mean, variance;
        NAME(batch_moments)(t, o, j, &mean, &variance);
        const double inverse = 1 / sqrt(variance + NORM_FLOOR);
        for (int64_t v = first; v < last; v++) {
            const double x = (double)NAME(value)(t, op->in, v)[j];
            NAME(value)
            (t, op->out, v)[j] = (REAL)((x - mean) * inverse) * scale[j] + shift[j];
        }
        if (t->noisy && chunk == 0 && fresh) {
            REAL *running = NAME(weights)(t, op->moments);
            const int64_t next = t->param_stride[op->moments];
            const double n = (double)t->rows[op->in];
            running[j] = (REAL)(.9 * (double)running[j] + .1 * mean);
            running[next + j] = (REAL)(.9 * (double)running[next + j] +
                                       .1 * variance * (n > 1 ? n / (n - 1) : 1));
        }
    }
}

/* Partial sums of g and g x^, which are also the gradients of shift and scale. */
KERNEL void NAME(batch_back_sums)(pvgi_tape *t, int32_t o, int64_t first, int64_t last,
                                  int64_t chunk, bool fresh) {
    const pvgi_op *op = &t->program.ops[o];
    const int64_t stride = t->stride[op->in];
    const int64_t columns = t->program.tensors[op->in].columns;
    double *out = t->partial[o] + chunk * 4 * stride + 2 * stride;
    if (fresh) memset(out, 0, (size_t)(2 * stride) * sizeof *out);
    REAL *scale = NAME(slot)(t, op->param, chunk),
         *shift = NAME(slot)(t, op->param2, chunk);
    for (int64_t j = 0; j < columns; j++) {
        double mean, variance;
        NAME(batch_moments)(t, o, j, &mean, &variance);
        const double inverse = 1 / sqrt(variance + NORM_FLOOR);
        for (int64_t v = first; v < last; v++) {
            const double g = (double)NAME(grad)(t, op->out, v)[j];
            out[j] += g;
            out[stride + j] +=
                g * ((double)NAME(value)(t, op->in, v)[j] - mean) * inverse;
        }
        shift[j] = (REAL)out[j];
        scale[j] = (REAL)out[stride + j];
    }
}

KERNEL void NAME(batch_backward)(pvgi_tape *t, int32_t o, int64_t first, int64_t last) {
    const pvgi_op *op = &t->program.ops[o];
    const int64_t stride = t->stride[op->in];
    const int64_t columns = t->program.tensors[op->in].columns;
    const int64_t chunks = chunks_of(t, op->in);
    const double n = (double)t->rows[op->in];
    const REAL *scale = NAME(weights)(t, op->param);
    for (int64_t j = 0; j < columns; j++) {
        double mean, variance;
        NAME(batch_moments)(t, o, j, &mean, &variance);
        const double inverse = 1 / sqrt(variance + NORM_FLOOR);
        const double sum =
            t->noisy ? NAME(total)(t->partial[o], 4 * stride, chunks, 2 * stride + j) : 0;
        const double dot =
            t->noisy ? NAME(total)(t->partial[o], 4 * stride, chunks, 3 * stride + j) : 0;
        for (int64_t v = first; v < last; v++) {
            const double x = ((double)NAME(value)(t, op->in, v)[j] - mean) * inverse;
            const double g = (double)NAME(grad)(t, op->out, v)[j];
            const REAL d =
                (REAL)((double)scale[j] * inverse * (g - sum / n - x * dot / n));
            REAL *to = NAME(grad)(t, op->in, v) + j;
            *to = op->add_in ? *to + d : d;
        }
    }
    if (!op->add_in)
        for (int64_t v = first; v < last; v++)
            for (int64_t j = columns; j < stride; j++) NAME(grad)(t, op->in, v)[j] = 0;
}

KERNEL void NAME(layer_norm)(pvgi_tape *t, const pvgi_op *op, int64_t first, int64_t last,
                             int64_t chunk, bool fresh, bool back) {
    const int64_t stride = t->stride[op->in];
    const int64_t columns = t->program.tensors[op->in].columns;
    const REAL *scale = NAME(weights)(t, op->param),
               *shift = NAME(weights)(t, op->param2);
    REAL *dscale = NULL, *dshift = NULL;
    if (back) {
        dscale = NAME(slot)(t, op->param, chunk);
        dshift = NAME(slot)(t, op->param2, chunk);
        if (fresh) {
            memset(dscale, 0, (size_t)stride * sizeof *dscale);
            memset(dshift, 0, (size_t)stride * sizeof *dshift);
        }
    }
    for (int64_t v = first; v < last; v++) {
        const REAL *x = NAME(value)(t, op->in, v);
        double mean = 0, variance = 0;
        for (int64_t j = 0; j < columns; j++) mean += (double)x[j];
        mean /= (double)columns;
        for (int64_t j = 0; j < columns; j++)
            variance += ((double)x[j] - mean) * ((double)x[j] - mean);
        variance /= (double)columns;
        const double inverse = 1 / sqrt(variance + NORM_FLOOR);
        if (!back) {
            REAL *out = NAME(value)(t, op->out, v);
            for (int64_t j = 0; j < columns; j++)
                out[j] = (REAL)(((double)x[j] - mean) * inverse) * scale[j] + shift[j];
            continue;
        }
        const REAL *g = NAME(grad)(t, op->out, v);
        double sum = 0, dot = 0;
        for (int64_t j = 0; j < columns; j++) {
            const double y = ((double)x[j] - mean) * inverse;
            const double s = (double)g[j] * (double)scale[j];
            sum += s;
            dot += s * y;
            dshift[j] += g[j];
            dscale[j] += (REAL)((double)g[j] * y);
        }
        if (!NAME(learns)(t, op->in)) continue;
        REAL *to = NAME(grad)(t, op->in, v);
        for (int64_t j = 0; j < stride; j++) {
            double d = 0;
            if (j < columns) {
                const double y = ((double)x[j] - mean) * inverse;
                d = inverse *
                    ((double)g[j] * (double)scale[j] - (sum + y * dot) / (double)columns);
            }
            to[j] = (op->add_in ? to[j] : 0) + (REAL)d;
        }
    }
}

/* --- neighbours ------------------------------------------------------------------- */

KERNEL void NAME(aggregate_forward)(pvgi_tape *t, const pvgi_op *op, int64_t first,
                                    int64_t last) {
    const int64_t *offsets = t->data->offsets;
    const REAL *post = t->post[op->choice], *self = t->self[op->choice];
    NAME(sum)
    s = {.table = t->value[op->in],
         .stride = t->stride[op->in],
         .weight = t->pre[op->choice]};
    for (int64_t v = first; v < last; v++) {
        s.index = t->data->columns + offsets[v];
        s.count = offsets[v + 1] - offsets[v];
        s.post = post[v];
        s.self = self[v];
        s.own = self[v] != 0 ? NAME(value)(t, op->in, v) : NULL;
        NAME(gather_set)(NAME(value)(t, op->out, v), &s, s.stride);
    }
}

KERNEL void NAME(aggregate_backward)(pvgi_tape *t, const pvgi_op *op, int64_t first,
                                     int64_t last) {
    const int64_t *offsets = t->back_offsets;
    const REAL *pre = t->pre[op->choice], *self = t->self[op->choice];
    NAME(sum)
    s = {.table = t->grad[op->out],
         .stride = t->stride[op->out],
         .weight = t->post[op->choice]};
    for (int64_t v = first; v < last; v++) {
        s.index = t->back_columns + offsets[v];
        s.count = offsets[v + 1] - offsets[v];
        s.post = pre[v];
        s.self = self[v];
        s.own = self[v] != 0 ? NAME(grad)(t, op->out, v) : NULL;
        if (op->add_in) NAME(gather_add)
        (NAME(grad)(t, op->in, v), &s, s.stride);
        else NAME(gather_set)(NAME(grad)(t, op->in, v), &s, s.stride);
    }
}

INLINE double NAME(dot)(const REAL *a, const REAL *b, int64_t columns) {
    double sum = 0;
    for (int64_t j = 0; j < columns; j++) sum += (double)a[j] * (double)b[j];
    return sum;
}

/* Gradient to a factor of each arc's message. */
KERNEL void NAME(aggregate_arcs)(pvgi_tape *t, const pvgi_op *op, int64_t first,
                                 int64_t last) {
    const int64_t *offsets = t->data->offsets;
    const REAL *pre = t->pre[op->choice], *post = t->post[op->choice];
    const int64_t columns = t->program.tensors[op->in].columns;
    REAL *out = t->arc_gradient;
    for (int64_t v = first; v < last; v++)
        for (int64_t e = offsets[v]; e < offsets[v + 1]; e++) {
            const int64_t u = t->data->columns[e];
            out[e] += (REAL)(NAME(dot)(NAME(grad)(t, op->out, v),
                                       NAME(value)(t, op->in, u), columns) *
                             (double)pre[u] * (double)post[v]);
        }
}

KERNEL void NAME(head_dot)(pvgi_tape *t, const pvgi_op *op, int64_t first, int64_t last,
                           int64_t chunk, bool fresh, bool back) {
    const int64_t heads = op->choice, stride = t->stride[op->in];
    const int64_t width = t->program.tensors[op->in].columns / heads;
    const REAL *w = NAME(weights)(t, op->param);
    REAL *dw = back ? NAME(slot)(t, op->param, chunk) : NULL;
    if (back && fresh) memset(dw, 0, (size_t)stride * sizeof *dw);
    for (int64_t v = first; v < last; v++) {
        const REAL *x = NAME(value)(t, op->in, v);
        if (!back) {
            REAL *out = NAME(value)(t, op->out, v);
            for (int64_t h = 0; h < heads; h++) {
                REAL sum = 0;
                for (int64_t j = 0; j < width; j++)
                    sum += x[h * width + j] * w[h * width + j];
                out[h] = sum;
            }
            continue;
        }
        const REAL *g = NAME(grad)(t, op->out, v);
        REAL *to = NAME(grad)(t, op->in, v);
        if (!op->add_in) memset(to, 0, (size_t)stride * sizeof *to);
        for (int64_t h = 0; h < heads; h++)
            for (int64_t j = h * width; j < (h + 1) * width; j++) {
                to[j] += g[h] * w[j];
                dw[j] += g[h] * x[j];
            }
    }
}

KERNEL void NAME(head_mean)(pvgi_tape *t, const pvgi_op *op, int64_t first, int64_t last,
                            bool back) {
    const int64_t heads = op->choice, width = t->program.tensors[op->out].columns;
    const REAL share = 1 / (REAL)heads;
    for (int64_t v = first; v < last; v++) {
        if (!back) {
            const REAL *x = NAME(value)(t, op->in, v);
            REAL *out = NAME(value)(t, op->out, v);
            for (int64_t j = 0; j < width; j++) {
                REAL sum = 0;
                for (int64_t h = 0; h < heads; h++) sum += x[h * width + j];
                out[j] = sum * share;
            }
            continue;
        }
        const REAL *g = NAME(grad)(t, op->out, v);
        REAL *to = NAME(grad)(t, op->in, v);
        if (!op->add_in) memset(to, 0, (size_t)t->stride[op->in] * sizeof *to);
        for (int64_t h = 0; h < heads; h++)
            for (int64_t j = 0; j < width; j++) to[h * width + j] += g[j] * share;
    }
}

#define LEAK ((REAL)0.2)

/* Row v: arcs offsets[v] .., then its self loop at arcs + v. in: r, other: l. */
KERNEL void NAME(edge_softmax)(pvgi_tape *t, const pvgi_op *op, int64_t first,
                               int64_t last) {
    const int64_t *offsets = t->data->offsets, stride = t->stride[op->out];
    const int64_t heads = op->choice;
    REAL *alpha = t->value[op->out];
    for (int64_t v = first; v < last; v++) {
        const REAL *r = NAME(value)(t, op->in, v);
        const int64_t from = offsets[v], to = offsets[v + 1];
        REAL *own = alpha + (t->arcs + v) * stride;
        for (int64_t h = 0; h < heads; h++) {
            REAL most = -INFINITY, sum = 0;
            for (int64_t e = from; e <= to; e++) {
                const int64_t u = e < to ? t->data->columns[e] : v;
                const REAL z = r[h] + NAME(value)(t, op->other, u)[h];
                const REAL leaky = z > 0 ? z : LEAK * z;
                if (leaky > most) most = leaky;
                *(e < to ? alpha + e * stride + h : own + h) = leaky;
            }
            for (int64_t e = from; e <= to; e++) {
                REAL *a = e < to ? alpha + e * stride + h : own + h;
                *a = EXP(*a - most);
                sum += *a;
            }
            for (int64_t e = from; e <= to; e++)
                *(e < to ? alpha + e * stride + h : own + h) /= sum;
        }
    }
}

/* Gradients of alpha become those of scores before the leak, in place; their row sums are
 * the gradient of r. */
KERNEL void NAME(edge_softmax_rows)(pvgi_tape *t, const pvgi_op *op, int64_t first,
                                    int64_t last) {
    const int64_t *offsets = t->data->offsets, stride = t->stride[op->out];
    const int64_t heads = op->choice;
    const REAL *alpha = t->value[op->out];
    REAL *g = t->grad[op->out];
    for (int64_t v = first; v < last; v++) {
        const REAL *r = NAME(value)(t, op->in, v);
        REAL *dr = NAME(grad)(t, op->in, v);
        const int64_t from = offsets[v], to = offsets[v + 1];
        if (!op->add_in) memset(dr, 0, (size_t)t->stride[op->in] * sizeof *dr);
        for (int64_t h = 0; h < heads; h++) {
            REAL dot = 0, sum = 0;
            for (int64_t e = from; e <= to; e++) {
                const int64_t at = (e < to ? e : t->arcs + v) * stride + h;
                dot += alpha[at] * g[at];
            }
            for (int64_t e = from; e <= to; e++) {
                const int64_t at = (e < to ? e : t->arcs + v) * stride + h;
                const int64_t u = e < to ? t->data->columns[e] : v;
                const REAL z = r[h] + NAME(value)(t, op->other, u)[h];
                g[at] = alpha[at] * (g[at] - dot) * (z > 0 ? 1 : LEAK);
                sum += g[at];
            }
            dr[h] += sum;
        }
    }
}

/* Gradient of l: over the arcs that point back. */
KERNEL void NAME(edge_softmax_back)(pvgi_tape *t, const pvgi_op *op, int64_t first,
                                    int64_t last) {
    const int64_t *offsets = t->back_offsets, stride = t->stride[op->out];
    const REAL *g = t->grad[op->out];
    for (int64_t u = first; u < last; u++) {
        REAL *to = NAME(grad)(t, op->other, u);
        const REAL *own = g + (t->arcs + u) * stride;
        for (int64_t h = 0; h < stride; h++) to[h] = (op->add_other ? to[h] : 0) + own[h];
        for (int64_t k = offsets[u]; k < offsets[u + 1]; k++) {
            const REAL *row = g + t->back_places[k] * stride;
            for (int64_t h = 0; h < stride; h++) to[h] += row[h];
        }
    }
}

INLINE void NAME(head_axpy)(REAL *to, const REAL *a, const REAL *x, int64_t heads,
                            int64_t width) {
    if (width % LANES == 0) {
        for (int64_t h = 0; h < heads; h++)
            for (int64_t j = h * width; j < (h + 1) * width; j += LANES)
                PUT(to + j) = AT(to + j) + AT(x + j) * a[h];
        return;
    }
    for (int64_t h = 0; h < heads; h++)
        for (int64_t j = h * width; j < (h + 1) * width; j++) to[j] += x[j] * a[h];
}

/* in: h, other: alpha. */
KERNEL void NAME(edge_aggregate)(pvgi_tape *t, const pvgi_op *op, int64_t first,
                                 int64_t last) {
    const int64_t *offsets = t->data->offsets, stride = t->stride[op->out];
    const int64_t heads = op->choice, step = t->stride[op->other];
    const int64_t width = t->program.tensors[op->in].columns / heads;
    const REAL *alpha = t->value[op->other];
    for (int64_t v = first; v < last; v++) {
        REAL *out = NAME(value)(t, op->out, v);
        memset(out, 0, (size_t)stride * sizeof *out);
        for (int64_t e = offsets[v]; e < offsets[v + 1]; e++) NAME(head_axpy)
        (out, alpha + e * step, NAME(value)(t, op->in, t->data->columns[e]), heads,
         width);
        NAME(head_axpy)
        (out, alpha + (t->arcs + v) * step, NAME(value)(t, op->in, v), heads, width);
    }
}

/* Gradients of alpha, and of a factor of each arc. */
KERNEL void NAME(edge_aggregate_arcs)(pvgi_tape *t, const pvgi_op *op, int64_t first,
                                      int64_t last) {
    const int64_t *offsets = t->data->offsets;
    const int64_t heads = op->choice, step = t->stride[op->other];
    const int64_t width = t->program.tensors[op->in].columns / heads;
    const REAL *alpha = t->value[op->other];
    REAL *da = t->grad[op->other], *arcs = t->arc_gradient;
    for (int64_t v = first; v < last; v++) {
        const REAL *g = NAME(grad)(t, op->out, v);
        for (int64_t e = offsets[v]; e <= offsets[v + 1]; e++) {
            const bool own = e == offsets[v + 1];
            const int64_t at = (own ? t->arcs + v : e) * step;
            const REAL *x = NAME(value)(t, op->in, own ? v : t->data->columns[e]);
            for (int64_t h = 0; h < heads; h++) {
                REAL sum = 0;
                if (width % LANES == 0) {
                    NAME(vec) acc = {0};
                    for (int64_t j = h * width; j < (h + 1) * width; j += LANES)
                        acc += AT(g + j) * AT(x + j);
                    for (int i = 0; i < LANES; i++) sum += acc[i];
                } else {
                    for (int64_t j = h * width; j < (h + 1) * width; j++)
                        sum += g[j] * x[j];
                }
                if (arcs && !own) arcs[e] += sum * alpha[at + h];
                da[at + h] = sum;
            }
            for (int64_t h = heads; h < step; h++) da[at + h] = 0;
        }
    }
}

KERNEL void NAME(edge_aggregate_back)(pvgi_tape *t, const pvgi_op *op, int64_t first,
                                      int64_t last) {
    const int64_t *offsets = t->back_offsets;
    const int64_t heads = op->choice, step = t->stride[op->other];
    const int64_t width = t->program.tensors[op->in].columns / heads;
    const REAL *alpha = t->value[op->other];
    for (int64_t u = first; u < last; u++) {
        REAL *to = NAME(grad)(t, op->in, u);
        if (!op->add_in) memset(to, 0, (size_t)t->stride[op->in] * sizeof *to);
        for (int64_t k = offsets[u]; k < offsets[u + 1]; k++) NAME(head_axpy)
        (to, alpha + t->back_places[k] * step, NAME(grad)(t, op->out, t->back_columns[k]),
         heads, width);
        NAME(head_axpy)
        (to, alpha + (t->arcs + u) * step, NAME(grad)(t, op->out, u), heads, width);
    }
}

/* --- softmax, constant maps, pools ------------------------------------------------ */

KERNEL void NAME(softmax)(pvgi_tape *t, const pvgi_op *op, int64_t first, int64_t last,
                          bool back) {
    const int64_t columns = t->program.tensors[op->in].columns;
    const int64_t stride = t->stride[op->in];
    for (int64_t v = first; v < last; v++) {
        const REAL *x = NAME(value)(t, op->in, v);
        REAL *y = NAME(value)(t, op->out, v);
        if (!back) {
            REAL most = x[0], sum = 0;
            for (int64_t j = 1; j < columns; j++)
                if (x[j] > most) most = x[j];
            for (int64_t j = 0; j < columns; j++) sum += y[j] = EXP(x[j] - most);
            for (int64_t j = 0; j < columns; j++) y[j] /= sum;
            continue;
        }
        const REAL *g = NAME(grad)(t, op->out, v);
        REAL *to = NAME(grad)(t, op->in, v), dot = 0;
        for (int64_t j = 0; j < columns; j++) dot += g[j] * y[j];
        for (int64_t j = 0; j < stride; j++) {
            const REAL d = j < columns ? y[j] * (g[j] - dot) : 0;
            to[j] = op->add_in ? to[j] + d : d;
        }
    }
}

KERNEL void NAME(constant_map)(pvgi_tape *t, const pvgi_op *op, int64_t first,
                               int64_t last, bool back) {
    const int64_t c = t->program.tensors[op->in].columns, stride = t->stride[op->in];
    for (int64_t v = first; v < last; v++) {
        const REAL *from = back ? NAME(grad)(t, op->out, v) : NAME(value)(t, op->in, v);
        REAL *to = back ? NAME(grad)(t, op->in, v) : NAME(value)(t, op->out, v);
        const bool add = back && op->add_in;
        for (int64_t j = 0; j < stride; j++) {
            double sum = 0;
            if (j < c && t->transition)
                for (int64_t k = 0; k < c; k++)
                    sum += (double)from[k] *
                           (back ? t->transition[j * c + k] : t->transition[k * c + j]);
            else if (j < c)
                sum = (double)from[j];
            to[j] = (add ? to[j] : 0) + (REAL)sum;
        }
    }
}

/* Rows are graphs. scratch of MAX: the node each maximum came from. */
KERNEL void NAME(pool_forward)(pvgi_tape *t, int32_t o, int64_t first, int64_t last) {
    const pvgi_op *op = &t->program.ops[o];
    const int64_t columns = t->program.tensors[op->in].columns;
    const int64_t *starts = t->data->starts;
    for (int64_t g = first; g < last; g++) {
        REAL *out = NAME(value)(t, op->out, g);
        const int64_t from = starts[g], to = starts[g + 1];
        for (int64_t j = 0; j < columns; j++) {
            if (op->choice == PVGI_POOL_MAX) {
                int64_t *best = (int64_t *)t->scratch[o] + g * columns + j;
                *best = -1;
                for (int64_t v = from; v < to; v++)
                    if (*best < 0 ||
                        NAME(value)(t, op->in, v)[j] > NAME(value)(t, op->in, *best)[j])
                        *best = v;
                out[j] = *best < 0 ? 0 : NAME(value)(t, op->in, *best)[j];
                continue;
            }
            double sum = 0;
            for (int64_t v = from; v < to; v++)
                sum += (double)NAME(value)(t, op->in, v)[j];
            if (op->choice == PVGI_POOL_MEAN && to > from) sum /= (double)(to - from);
            out[j] = (REAL)sum;
        }
    }
}

/* Rows are nodes. */
KERNEL void NAME(pool_backward)(pvgi_tape *t, int32_t o, int64_t first, int64_t last) {
    const pvgi_op *op = &t->program.ops[o];
    const int64_t columns = t->program.tensors[op->in].columns;
    const int64_t stride = t->stride[op->in], *starts = t->data->starts;
    int64_t low = 0, high = t->graphs - 1;
    while (low < high) { /* the graph of the first row */
        const int64_t middle = low + (high - low + 1) / 2;
        if (starts[middle] <= first)
            low = middle;
        else
            high = middle - 1;
    }
    for (int64_t v = first; v < last; v++) {
        while (starts[low + 1] <= v) low++;
        const REAL *g = NAME(grad)(t, op->out, low);
        REAL *to = NAME(grad)(t, op->in, v);
        const REAL share = op->choice == PVGI_POOL_MEAN
                               ? (REAL)(1 / (double)(starts[low + 1] - starts[low]))
                               : 1;
        const int64_t *best = op->choice == PVGI_POOL_MAX
                                  ? (const int64_t *)t->scratch[o] + low * columns
                                  : NULL;
        for (int64_t j = 0; j < stride; j++) {
            REAL d = j < columns ? g[j] * share : 0;
            if (best && j < columns && best[j] != v) d = 0;
            to[j] = op->add_in ? to[j] + d : d;
        }
    }
}

/* --- loss ------------------------------------------------------------------------- */

/* Loss of one row with target y in the sense of the config; gradient into d unless NULL.
 * work: 2 classes doubles. */
static double NAME(row_loss)(const pvgi_tape *t, const REAL *z, int64_t c, int32_t y,
                             bool forward, double *d, double *work) {
    const double s = t->config.smoothing, even = s / (double)c;
    double loss = 0;
    if (t->config.loss == PVG_LOSS_BINARY) {
        for (int64_t j = 0; j < c; j++) {
            const double x = (double)z[j];
            const double hit = c == 1 ? y : y == j;
            const double q = (1 - s) * hit + s / 2;
            loss += (x > 0 ? x : 0) - x * q + log1p(exp(-fabs(x)));
            if (d) d[j] = 1 / (1 + exp(-x)) - q;
        }
        return loss;
    }
    if (t->config.loss == PVG_LOSS_SQUARES) {
        for (int64_t j = 0; j < c; j++) {
            const double q = (1 - s) * (c == 1 ? y : y == j) + even;
            const double e = (double)z[j] - q;
            loss += e * e;
            if (d) d[j] = 2 * e;
        }
        return loss;
    }
    double *p = work, *mixed = work + c, most = (double)z[0], sum = 0;
    for (int64_t j = 1; j < c; j++)
        if ((double)z[j] > most) most = (double)z[j];
    for (int64_t j = 0; j < c; j++)
        sum += p[j] = (double)EXP((REAL)((double)z[j] - most));
    for (int64_t j = 0; j < c; j++) p[j] /= sum;
    if (!forward || !t->transition) {
        const double norm = most + log(sum);
        for (int64_t j = 0; j < c; j++) {
            const double q = (j == y ? 1 - s : 0) + even;
            loss += q * (norm - (double)z[j]);
            if (d) d[j] = p[j] - q;
        }
        return loss;
    }
    for (int64_t j = 0; j < c; j++) {
        mixed[j] = 0;
        for (int64_t k = 0; k < c; k++) mixed[j] += p[k] * t->transition[k * c + j];
        const double q = (j == y ? 1 - s : 0) + even;
        if (q > 0) loss -= q * log(mixed[j] > 1e-300 ? mixed[j] : 1e-300);
    }
    if (d)
        for (int64_t k = 0; k < c; k++) {
            d[k] = p[k];
            for (int64_t j = 0; j < c; j++) {
                const double q = (j == y ? 1 - s : 0) + even;
                if (q > 0)
                    d[k] -= q * p[k] * t->transition[k * c + j] /
                            (mixed[j] > 1e-300 ? mixed[j] : 1e-300);
            }
        }
    return loss;
}

KERNEL void NAME(loss)(pvgi_tape *t, int32_t o, int64_t first, int64_t last,
                       int64_t chunk, bool fresh, int64_t epoch) {
    const pvgi_op *op = &t->program.ops[o];
    const int64_t c = t->program.classes;
    const bool drop = op->in != t->program.output;
    double work[3 * PVG_NETWORK_CLASSES_MAX], *d = work + 2 * c;
    if (t->learning) {
        double *total = t->losses + (epoch - t->epoch_base) * PVGI_TAPE_CHUNKS + chunk;
        if (fresh) *total = 0;
        const int32_t *labels = drop ? t->drop_labels : t->labels;
        const double share =
            t->rows_of_loss.train_sum > 0 ? 1 / t->rows_of_loss.train_sum : 0;
        for (int64_t v = first; v < last; v++) {
            REAL *g = NAME(grad)(t, op->in, v);
            memset(g, 0, (size_t)t->stride[op->in] * sizeof *g);
            if (!t->noisy) { /* the gradient of one logit is wanted */
                if (v == t->seed_row) g[t->seed_class] = 1;
                continue;
            }
            const double weight = t->rows_of_loss.train[v] * share;
            if (!(weight > 0)) continue;
            *total += weight * NAME(row_loss)(t, NAME(value)(t, op->in, v), c, labels[v],
                                              !drop, d, work);
            for (int64_t j = 0; j < c; j++) g[j] = (REAL)(weight * d[j]);
        }
        return;
    }
    double *total = t->checks + 2 * chunk;
    if (fresh) total[0] = total[1] = 0;
    if (!(t->rows_of_loss.validate_sum > 0)) return;
    for (int64_t v = first; v < last; v++) {
        const double weight = t->rows_of_loss.validate[v];
        if (!(weight > 0)) continue;
        const REAL *z = NAME(value)(t, t->program.output, v);
        total[0] += weight * NAME(row_loss)(t, z, c, t->labels[v], true, NULL, work);
        int32_t best = 0;
        for (int64_t j = 1; j < c; j++)
            if (z[j] > z[best]) best = (int32_t)j;
        if (c == 1) best = z[0] > (t->config.loss == PVG_LOSS_SQUARES ? (REAL).5 : 0);
        total[1] += weight * (best == t->labels[v]);
    }
}

/* --- the table -------------------------------------------------------------------- */

KERNEL void NAME(transpose)(pvgi_tape *t, int32_t o) {
    const pvgi_op *op = &t->program.ops[o];
    const pvgi_param *param = &t->program.params[op->param];
    const int64_t in = param->rows, stride = pvgi_network_pad(in, LANES);
    const REAL *w = NAME(weights)(t, op->param);
    REAL *out = t->scratch[o];
    for (int64_t k = 0; k < in; k++)
        for (int64_t j = 0; j < param->columns; j++)
            out[j * stride + k] = w[k * t->param_stride[op->param] + j];
}

KERNEL void NAME(forward)(pvgi_tape *t, const pvgi_step *step, int64_t first,
                          int64_t last, int64_t chunk, bool fresh, int64_t epoch) {
    const int32_t o = step->op;
    const pvgi_op *op = &t->program.ops[o];
    const int64_t rows = last - first;
    switch (op->kind) {
    case PVGI_OP_INPUT:
        NAME(input_forward)(t, o, first, last, epoch);
        break;
    case PVGI_OP_SPARSE:
        NAME(sparse_forward)(t, o, first, last, epoch);
        break;
    case PVGI_OP_DENSE:
        NAME(product)
        (NAME(value)(t, op->out, first), t->stride[op->out],
         NAME(value)(t, op->in, first), t->stride[op->in], NAME(weights)(t, op->param),
         t->param_stride[op->param], rows, t->program.params[op->param].rows, false);
        break;
    case PVGI_OP_BIAS:
        NAME(bias_forward)(t, op, first, last);
        break;
    case PVGI_OP_ACTIVATE:
        NAME(activate_forward)(t, op, first, last);
        break;
    case PVGI_OP_DROPOUT:
        NAME(dropout_forward)(t, o, first, last, epoch);
        break;
    case PVGI_OP_AGGREGATE:
        NAME(aggregate_forward)(t, op, first, last);
        break;
    case PVGI_OP_ADD:
        NAME(add_forward)(t, op, first, last);
        break;
    case PVGI_OP_MEAN:
        if (step->part == 0) NAME(partial_sums)
        (t->partial[o] + chunk * t->stride[op->out], NAME(value)(t, op->other, first),
         t->stride[op->out], rows, fresh);
        else NAME(mean_spread)(t, o, first, last, false);
        break;
    case PVGI_OP_PLACE:
    case PVGI_OP_SLICE:
        NAME(place)(t, op, first, last, false);
        break;
    case PVGI_OP_MAXIMUM:
        NAME(maximum)(t, op, first, last, false);
        break;
    case PVGI_OP_ROWS:
        NAME(rows_forward)(t, op, first, last);
        break;
    case PVGI_OP_BATCH_NORM:
        if (step->part == 1) NAME(batch_forward)
        (t, o, first, last, chunk, fresh);
        else if (t->noisy) NAME(batch_sums)(t, o, first, last, chunk, fresh);
        break;
    case PVGI_OP_LAYER_NORM:
        NAME(layer_norm)(t, op, first, last, chunk, fresh, false);
        break;
    case PVGI_OP_HEAD_DOT:
        NAME(head_dot)(t, op, first, last, chunk, fresh, false);
        break;
    case PVGI_OP_HEAD_MEAN:
        NAME(head_mean)(t, op, first, last, false);
        break;
    case PVGI_OP_EDGE_SOFTMAX:
        NAME(edge_softmax)(t, op, first, last);
        break;
    case PVGI_OP_EDGE_AGGREGATE:
        NAME(edge_aggregate)(t, op, first, last);
        break;
    case PVGI_OP_SOFTMAX:
        NAME(softmax)(t, op, first, last, false);
        break;
    case PVGI_OP_CONSTANT:
        NAME(constant_map)(t, op, first, last, false);
        break;
    case PVGI_OP_POOL:
        NAME(pool_forward)(t, o, first, last);
        break;
    default:
        NAME(loss)(t, o, first, last, chunk, fresh, epoch);
    }
}

KERNEL void NAME(dense_backward)(pvgi_tape *t, int32_t o, int64_t first, int64_t last,
                                 int64_t chunk, bool fresh) {
    const pvgi_op *op = &t->program.ops[o];
    const pvgi_param *param = &t->program.params[op->param];
    const int64_t rows = last - first;
    const REAL *g = NAME(grad)(t, op->out, first);
    NAME(gram)
    (NAME(slot)(t, op->param, chunk), t->param_stride[op->param],
     NAME(value)(t, op->in, first), t->stride[op->in], g, t->stride[op->out], rows,
     param->rows, !fresh);
    if (NAME(learns)(t, op->in)) NAME(product)
    (NAME(grad)(t, op->in, first), t->stride[op->in], g, t->stride[op->out],
     t->scratch[o], t->stride[op->in], rows, param->columns, op->add_in);
}

KERNEL void NAME(backward)(pvgi_tape *t, const pvgi_step *step, int64_t first,
                           int64_t last, int64_t chunk, bool fresh) {
    const int32_t o = step->op;
    const pvgi_op *op = &t->program.ops[o];
    const int64_t rows = last - first;
    switch (op->kind) {
    case PVGI_OP_INPUT:
        for (int64_t v = first; v < last; v++) {
            REAL *row = (REAL *)t->input_gradient + v * t->stride[op->out];
            NAME(axpy)
            (row, NAME(grad)(t, op->out, v), 1, t->stride[op->out], false);
            NAME(input_gradient)(t, o, row, v);
        }
        break;
    case PVGI_OP_SPARSE:
        if (step->part == 0) {
            NAME(sparse_backward)(t, o, first, last);
            break;
        }
        for (int64_t v = first; v < last; v++) {
            const int64_t wide = pvgi_network_pad(t->program.inputs, LANES);
            REAL *all = (REAL *)t->input_gradient + v * wide;
            REAL *row = (REAL *)t->input_row + chunk * wide;
            NAME(product)
            (row, wide, NAME(grad)(t, op->out, v), t->stride[op->out], t->scratch[o],
             wide, 1, t->program.params[op->param].columns, false);
            NAME(input_gradient)(t, o, row, v);
            NAME(axpy)(all, row, 1, wide, op->add_in);
        }
        break;
    case PVGI_OP_DENSE:
        NAME(dense_backward)(t, o, first, last, chunk, fresh);
        break;
    case PVGI_OP_BIAS:
        NAME(column_sums)
        (NAME(slot)(t, op->param, chunk), NAME(grad)(t, op->in, first), t->stride[op->in],
         rows, fresh);
        break;
    case PVGI_OP_ACTIVATE:
        NAME(activate_backward)(t, op, first, last);
        break;
    case PVGI_OP_DROPOUT:
        NAME(dropout_backward)(t, o, first, last);
        break;
    case PVGI_OP_AGGREGATE:
        if (step->part == 0) NAME(aggregate_backward)
        (t, op, first, last);
        else NAME(aggregate_arcs)(t, op, first, last);
        break;
    case PVGI_OP_ADD:
        NAME(add_backward)(t, op, first, last, chunk, fresh);
        break;
    case PVGI_OP_MEAN:
        if (step->part == 0) {
            NAME(partial_sums)
            (t->partial[o] + chunk * t->stride[op->out], NAME(grad)(t, op->out, first),
             t->stride[op->out], rows, fresh);
            if (NAME(learns)(t, op->in))
                for (int64_t v = first; v < last; v++) NAME(axpy)
            (NAME(grad)(t, op->in, v), NAME(grad)(t, op->out, v), (REAL)op->number,
             t->stride[op->out], op->add_in);
        } else if (NAME(learns)(t, op->other)) {
            NAME(mean_spread)(t, o, first, last, true);
        }
        break;
    case PVGI_OP_PLACE:
    case PVGI_OP_SLICE:
        NAME(place)(t, op, first, last, true);
        break;
    case PVGI_OP_MAXIMUM:
        NAME(maximum)(t, op, first, last, true);
        break;
    case PVGI_OP_ROWS:
        NAME(rows_backward)(t, op, first, last);
        break;
    case PVGI_OP_BATCH_NORM:
        if (step->part == 0) NAME(batch_back_sums)
        (t, o, first, last, chunk, fresh);
        else if (NAME(learns)(t, op->in)) NAME(batch_backward)(t, o, first, last);
        break;
    case PVGI_OP_LAYER_NORM:
        NAME(layer_norm)(t, op, first, last, chunk, fresh, true);
        break;
    case PVGI_OP_HEAD_DOT:
        NAME(head_dot)(t, op, first, last, chunk, fresh, true);
        break;
    case PVGI_OP_HEAD_MEAN:
        NAME(head_mean)(t, op, first, last, true);
        break;
    case PVGI_OP_EDGE_SOFTMAX:
        if (step->part == 0) NAME(edge_softmax_rows)
        (t, op, first, last);
        else NAME(edge_softmax_back)(t, op, first, last);
        break;
    case PVGI_OP_EDGE_AGGREGATE:
        if (step->part == 0) NAME(edge_aggregate_arcs)
        (t, op, first, last);
        else NAME(edge_aggregate_back)(t, op, first, last);
        break;
    case PVGI_OP_SOFTMAX:
        NAME(softmax)(t, op, first, last, true);
        break;
    case PVGI_OP_CONSTANT:
        NAME(constant_map)(t, op, first, last, true);
        break;
    case PVGI_OP_POOL:
        NAME(pool_backward)(t, o, first, last);
        break;
    default:
        break; /* the loss has written its gradient */
    }
}

KERNEL void NAME(run)(pvgi_tape *t, const pvgi_step *step, int64_t first, int64_t last,
                      int64_t chunk, bool fresh, int64_t epoch) {
    switch (step->pass) {
    case PVGI_PASS_FORWARD:
        NAME(forward)(t, step, first, last, chunk, fresh, epoch);
        break;
    case PVGI_PASS_BACKWARD:
        NAME(backward)(t, step, first, last, chunk, fresh);
        break;
    default:
        for (int64_t o = first; o < last; o++) {
            const pvgi_op_kind kind = t->program.ops[o].kind;
            if (t->scratch[o] && (kind == PVGI_OP_DENSE || kind == PVGI_OP_SPARSE))
                NAME(transpose)(t, (int32_t)o);
        }
    }
}

/* --- parameters ------------------------------------------------------------------- */

/* Gradients of parameters first..last-1: partial sums in the order of chunks. */
KERNEL void NAME(reduce)(pvgi_tape *t, int64_t first, int64_t last) {
    REAL *g = t->gradient;
    const REAL *partial = t->partials;
    const int64_t size = t->trained - t->direct;
    double squares = 0;
    int64_t from = first < t->direct ? t->direct : first;
    if (from < last) {
        memcpy(g + from, partial + (from - t->direct), (size_t)(last - from) * sizeof *g);
        for (int64_t c = 1; c < PVGI_TAPE_CHUNKS; c++) {
            const REAL *part = partial + c * size - t->direct;
            for (int64_t i = from; i < last; i++) g[i] += part[i];
        }
    }
    if (!t->squares) return;
    for (int64_t i = first; i < last; i++) squares += (double)g[i] * (double)g[i];
    t->squares[first / PVGI_TAPE_FLAT] = squares;
}

KERNEL void NAME(update)(pvgi_tape *t, int64_t first, int64_t last, int64_t epoch) {
    const pvg_training_config *c = &t->config;
    REAL *w = t->weights, *g = t->gradient, *m = t->moment, *s = t->second;
    const double now = (double)epoch + 1;
    double rate = c->rate, scale = 1;
    if (c->warmup > 0 && epoch < c->warmup)
        rate *= now / (double)c->warmup;
    else if (c->cosine && c->epochs > c->warmup)
        rate *= .5 * (1 + cos(M_PI * ((double)epoch - (double)c->warmup) /
                              (double)(c->epochs - c->warmup)));
    if (c->clip > 0) {
        double sum = 0;
        for (int64_t i = 0; i * PVGI_TAPE_FLAT < t->trained; i++) sum += t->squares[i];
        if (sum > c->clip * c->clip) scale = c->clip / sqrt(sum);
    }
    const REAL factor = (REAL)scale, decay = (REAL)c->decay, step = (REAL)rate;
    if (c->optimiser == PVG_OPTIMISER_SGD) {
        const REAL momentum = (REAL)c->momentum;
        for (int64_t i = first; i < last; i++) {
            m[i] = momentum * m[i] + (g[i] * factor + decay * w[i]);
            w[i] -= step * m[i];
        }
        return;
    }
    const REAL one = (REAL)c->beta1, two = (REAL)c->beta2;
    const REAL mean = (REAL)(rate / (1 - pow(c->beta1, now)));
    const REAL spread = (REAL)(1 / sqrt(1 - pow(c->beta2, now)));
    const REAL tiny = (REAL)1e-8;
    const bool apart = c->optimiser == PVG_OPTIMISER_ADAMW;
    const REAL inside = apart ? 0 : decay, shrink = apart ? 1 - step * decay : 1;
    for (int64_t i = first; i < last; i++) {
        const REAL d = g[i] * factor + inside * w[i];
        m[i] = one * m[i] + (1 - one) * d;
        s[i] = two * s[i] + (1 - two) * d * d;
        w[i] = w[i] * shrink - mean * m[i] / (SQRT(s[i]) * spread + tiny);
    }
}

KERNEL void NAME(convert)(void *out, int64_t stride, const double *in, int64_t rows,
                          int64_t columns) {
    REAL *to = out;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++)
            to[i * stride + j] = (REAL)in[i * columns + j];
}

KERNEL void NAME(read)(double *out, const void *in, int64_t stride, int64_t rows,
                       int64_t columns) {
    const REAL *from = in;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++)
            out[i * columns + j] = (double)from[i * stride + j];
}

static const pvgi_kernels NAME(kernels) = {NAME(run), NAME(update), NAME(reduce),
                                           NAME(convert), NAME(read)};

#undef AT
#undef PUT
#undef INLINE
#undef KERNEL
#undef SELU_SCALE
#undef SELU_NEGATE
#undef NORM_FLOOR
#undef LEAK
