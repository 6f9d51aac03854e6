/* Features: X as a matrix, X W from its non-zeros, gradients of W by column of X and to
 * X. Dropout of entries is a bit of each non-zero. */

enum { NAME(SEGMENT) = 256 };

/* Mask words of a row of the features start at word offsets[v] / 64 + v. */
INLINE int64_t NAME(x_word)(const pvgi_tape *t, int64_t v) {
    return t->data->x_offsets[v] / 64 + v;
}
INLINE bool NAME(bit)(const uint64_t *mask, uint64_t bit) {
    return mask[bit >> 6] >> (bit & 63) & 1;
}
INLINE uint32_t NAME(threshold)(const pvgi_tape *t, const pvgi_op *op) {
    return t->noisy ? drop_threshold(op->number) : 0;
}

INLINE void NAME(x_mask)(pvgi_tape *t, const work *k, int64_t v, uint64_t base,
                         uint32_t threshold) {
    const int64_t count = t->data->x_offsets[v + 1] - t->data->x_offsets[v];
    const int64_t word = NAME(x_word)(t, v);
    for (int64_t i = 0; i * 64 < count; i++)
        t->mask[k->o][word + i] = mask_word(base, (uint64_t)(word + i), threshold);
}

/* Terms that dropout kept, combined a segment at a time. */
typedef struct {
    NAME(sum) sum;
    REAL *out;
    int64_t columns;
    bool add;
    int32_t index[NAME(SEGMENT)];
    REAL weight[NAME(SEGMENT)];
} NAME(kept);

INLINE void NAME(flush)(NAME(kept) * s) {
    NAME(combine)(s->out, &s->sum, s->columns, s->add);
    s->add = true;
    s->sum.count = 0;
}
INLINE void NAME(start)(NAME(kept) * s, REAL *out) {
    s->out = out;
    s->add = false;
    s->sum.index = s->index;
    s->sum.weight = s->weight;
    s->sum.count = 0;
}
INLINE void NAME(term)(NAME(kept) * s, int32_t index, REAL weight, bool keep) {
    s->index[s->sum.count] = index;
    s->weight[s->sum.count] = weight;
    s->sum.count += keep;
    if (s->sum.count == NAME(SEGMENT)) NAME(flush)(s);
}
INLINE void NAME(finish)(NAME(kept) * s) {
    if (!s->add || s->sum.count) NAME(flush)(s);
}
/* Without dropout: terms from..to-1 of stored lists. */
INLINE void NAME(stored)(NAME(kept) * s, REAL *out, const int32_t *index,
                         const REAL *weight, int64_t from, int64_t to) {
    s->sum.index = index + from;
    s->sum.weight = weight + from;
    s->sum.count = to - from;
    NAME(combine)(out, &s->sum, s->columns, false);
}

OPERATION(sparse_forward) {
    const pvgi_op *op = k->op;
    const uint32_t threshold = NAME(threshold)(t, op);
    const REAL keep = (REAL)drop_scale(threshold), *values = t->x_values;
    const uint64_t base = mask_base(t->key, k->epoch, k->o);
    const int64_t *offsets = t->data->x_offsets;
    const int32_t *indices = t->data->x_indices;
    NAME(kept) s;
    s.columns = t->stride[op->out];
    s.sum = (NAME(sum)){.table = NAME(weights)(t, op->param),
                        .stride = t->param_stride[op->param],
                        .post = 1};
    EACH_ROW(v) {
        REAL *out = NAME(value)(t, op->out, v);
        if (!threshold) {
            NAME(stored)(&s, out, indices, values, offsets[v], offsets[v + 1]);
            continue;
        }
        NAME(x_mask)(t, k, v, base, threshold);
        const uint64_t *mask = t->mask[k->o] + NAME(x_word)(t, v);
        NAME(start)(&s, out);
        for (int64_t e = offsets[v]; e < offsets[v + 1]; e++) NAME(term)
        (&s, indices[e], values[e] * keep, NAME(bit)(mask, (uint64_t)(e - offsets[v])));
        NAME(finish)(&s);
    }
}

/* Rows of the work are columns of the features, rows of W. */
OPERATION(sparse_weights) {
    const pvgi_op *op = k->op;
    const uint32_t threshold = NAME(threshold)(t, op);
    const REAL keep = (REAL)drop_scale(threshold), *values = t->x_column_values;
    const uint64_t *mask = t->mask[k->o];
    const int64_t *starts = t->x_starts;
    NAME(kept) s;
    s.columns = t->stride[op->out];
    s.sum =
        (NAME(sum)){.table = t->grad[op->out], .stride = t->stride[op->out], .post = 1};
    EACH_ROW(j) {
        REAL *out = (REAL *)t->gradient + t->param_start[op->param] +
                    j * t->param_stride[op->param];
        if (!threshold) {
            NAME(stored)(&s, out, t->x_rows, values, starts[j], starts[j + 1]);
            continue;
        }
        NAME(start)(&s, out);
        for (int64_t e = starts[j]; e < starts[j + 1]; e++)
            NAME(term)(&s, t->x_rows[e], values[e] * keep, NAME(bit)(mask, t->x_bits[e]));
        NAME(finish)(&s);
    }
}

OPERATION(input_forward) {
    const pvgi_op *op = k->op;
    const uint32_t threshold = NAME(threshold)(t, op);
    const REAL keep = (REAL)drop_scale(threshold), *values = t->x_values;
    const uint64_t base = mask_base(t->key, k->epoch, k->o);
    const int64_t *offsets = t->data->x_offsets;
    EACH_ROW(v) {
        REAL *out = NAME(value)(t, op->out, v);
        NAME(clear)(out, t->stride[op->out]);
        if (threshold) NAME(x_mask)(t, k, v, base, threshold);
        const uint64_t *mask = threshold ? t->mask[k->o] + NAME(x_word)(t, v) : NULL;
        for (int64_t e = offsets[v]; e < offsets[v + 1]; e++)
            if (!mask || NAME(bit)(mask, (uint64_t)(e - offsets[v])))
                out[t->data->x_indices[e]] = values[e] * keep;
    }
}

/* Gradient to the features as though all were stored: a dropped entry has none. For
 * entries that are zero and have no mask bit it is that without dropout. */
INLINE void NAME(input_mask)(pvgi_tape *t, const work *k, REAL *row, int64_t v) {
    const uint32_t threshold = NAME(threshold)(t, k->op);
    if (!threshold) return;
    const REAL keep = (REAL)drop_scale(threshold);
    const uint64_t *mask = t->mask[k->o] + NAME(x_word)(t, v);
    const int64_t *offsets = t->data->x_offsets;
    for (int64_t e = offsets[v]; e < offsets[v + 1]; e++)
        row[t->data->x_indices[e]] *=
            NAME(bit)(mask, (uint64_t)(e - offsets[v])) ? keep : 0;
}

OPERATION(input_backward) {
    const int64_t stride = t->stride[k->op->out];
    EACH_ROW(v) {
        REAL *row = (REAL *)t->input_gradient + v * stride;
        NAME(axpy)(row, NAME(grad)(t, k->op->out, v), 1, stride, false);
        NAME(input_mask)(t, k, row, v);
    }
}

OPERATION(sparse_backward) {
    if (k->part == 0) {
        NAME(sparse_weights)(t, k);
        return;
    }
    const pvgi_op *op = k->op;
    const int64_t wide = pvgi_network_pad(t->program.inputs, LANES);
    REAL *row = (REAL *)t->input_row + k->chunk * wide;
    EACH_ROW(v) {
        NAME(multiply)
        ((NAME(product)){row, wide, NAME(grad)(t, op->out, v), 0, 1, t->scratch[k->o],
                         wide, 1, t->program.params[op->param].columns},
         false);
        NAME(input_mask)(t, k, row, v);
        NAME(axpy)((REAL *)t->input_gradient + v * wide, row, 1, wide, op->add_in);
    }
}
