/* Maps of rows, in both directions: dense, bias, activation, dropout, sums, columns
 * moved, maxima, lengths, softmax, constant maps; means over all rows and pools over
 * graphs. */

OPERATION(dense_forward) {
    const pvgi_op *op = k->op;
    NAME(multiply)
    ((NAME(product)){NAME(value)(t, op->out, k->first), t->stride[op->out],
                     NAME(value)(t, op->in, k->first), t->stride[op->in], 1,
                     NAME(weights)(t, op->param), t->param_stride[op->param],
                     k->last - k->first, t->program.params[op->param].rows},
     false);
}

OPERATION(dense_backward) {
    const pvgi_op *op = k->op;
    const pvgi_param *param = &t->program.params[op->param];
    const int64_t rows = k->last - k->first;
    const REAL *g = NAME(grad)(t, op->out, k->first);
    NAME(multiply)
    ((NAME(product)){NAME(slot)(t, op->param, k->chunk), t->param_stride[op->param],
                     NAME(value)(t, op->in, k->first), 1, t->stride[op->in], g,
                     t->stride[op->out], param->rows, rows},
     !k->fresh);
    if (NAME(learns)(t, op->in)) NAME(multiply)
    ((NAME(product)){NAME(grad)(t, op->in, k->first), t->stride[op->in], g,
                     t->stride[op->out], 1, t->scratch[k->o], t->stride[op->in], rows,
                     param->columns},
     op->add_in);
}

OPERATION(bias_forward) {
    const REAL *b = NAME(weights)(t, k->op->param);
    EACH_ROW(v)
    NAME(axpy)(NAME(value)(t, k->op->in, v), b, 1, t->stride[k->op->in], true);
}

OPERATION(bias_backward) {
    const int64_t stride = t->stride[k->op->in], rows = k->last - k->first;
    const REAL *g = NAME(grad)(t, k->op->in, k->first);
    REAL *out = NAME(slot)(t, k->op->param, k->chunk);
    EACH_VECTOR(j) {
        NAME(vec) acc = {0};
        for (int64_t i = 0; i < rows; i++) acc += AT(g + i * stride + j);
        if (!k->fresh) acc += AT(out + j);
        PUT(out + j) = acc;
    }
}

#define SELU_SCALE  ((REAL)1.0507009873554805)
#define SELU_NEGATE ((REAL)1.7580993408473766)

/* f(x); f(0) = 0 but for the sigmoid. */
INLINE NAME(vec) NAME(activated)(NAME(vec) x, const int32_t choice) {
    switch (choice) {
    case PVGI_ACT_RELU:
        return (NAME(vec))((NAME(ivec))x & (x > 0));
    case PVGI_ACT_SELU:
        return NAME(choose)(x > 0, x * SELU_SCALE, NAME(expm1)(x) * SELU_NEGATE);
    case PVGI_ACT_TANH: {
        const NAME(vec) e = NAME(expm1)(x + x);
        return e / (e + 2);
    }
    case PVGI_ACT_ELU:
        return NAME(choose)(x > 0, x, NAME(expm1)(x));
    case PVGI_ACT_SIGMOID:
        break;
    }
    return 1 / (1 + NAME(exp)(-x));
}

/* f'(x) as a function of y = f(x). */
INLINE NAME(vec) NAME(slope)(NAME(vec) y, const int32_t choice) {
    const NAME(vec) one = NAME(all)(1);
    switch (choice) {
    case PVGI_ACT_RELU:
        return (NAME(vec))((NAME(ivec))one & (y > 0));
    case PVGI_ACT_SELU:
        return NAME(choose)(y > 0, one * SELU_SCALE, y + SELU_NEGATE);
    case PVGI_ACT_TANH:
        return 1 - y * y;
    case PVGI_ACT_ELU:
        return NAME(choose)(y > 0, one, y + 1);
    case PVGI_ACT_SIGMOID:
        break;
    }
    return y * (1 - y);
}

INLINE void NAME(activate)(pvgi_tape *t, const work *k, const int32_t choice,
                           const bool back) {
    const int64_t stride = t->stride[k->op->in];
    const int64_t columns = t->program.tensors[k->op->in].columns;
    EACH_ROW(v) {
        REAL *x = NAME(value)(t, k->op->in, v);
        REAL *g = back ? NAME(grad)(t, k->op->in, v) : NULL;
        EACH_VECTOR(j) {
            if (back)
                PUT(g + j) = AT(g + j) * NAME(slope)(AT(x + j), choice);
            else
                PUT(x + j) = NAME(activated)(AT(x + j), choice);
        }
        if (!back && choice == PVGI_ACT_SIGMOID)
            NAME(clear)(x + columns, stride - columns);
    }
}
INLINE void NAME(activate_any)(pvgi_tape *t, const work *k, const bool back) {
    switch (k->op->choice) {
    case PVGI_ACT_RELU:
        NAME(activate)(t, k, PVGI_ACT_RELU, back);
        break;
    case PVGI_ACT_SELU:
        NAME(activate)(t, k, PVGI_ACT_SELU, back);
        break;
    case PVGI_ACT_TANH:
        NAME(activate)(t, k, PVGI_ACT_TANH, back);
        break;
    case PVGI_ACT_ELU:
        NAME(activate)(t, k, PVGI_ACT_ELU, back);
        break;
    case PVGI_ACT_SIGMOID:
        NAME(activate)(t, k, PVGI_ACT_SIGMOID, back);
        break;
    }
}
OPERATION(activate_forward) {
    NAME(activate_any)(t, k, false);
}
OPERATION(activate_backward) {
    NAME(activate_any)(t, k, true);
}

/* out (+)= in where the mask has ones, scaled. */
INLINE void NAME(masked)(REAL *out, const REAL *in, const uint64_t *mask, int64_t stride,
                         REAL keep, const bool add) {
    NAME(ivec) lane;
    for (int i = 0; i < LANES; i++) lane[i] = (WHOLE)1 << i;
    EACH_VECTOR(j) {
        const WHOLE bits = (WHOLE)(mask[j >> 6] >> (j & 63) & ((1u << LANES) - 1));
        const NAME(ivec) on = (((NAME(ivec)){0} + bits) & lane) != 0;
        NAME(vec) x = (NAME(vec))((NAME(ivec))(AT(in + j) * keep) & on);
        if (add) x += AT(out + j);
        PUT(out + j) = x;
    }
}

OPERATION(dropout_forward) {
    const pvgi_op *op = k->op;
    const int64_t stride = t->stride[op->out], words = t->mask_stride[k->o];
    const uint32_t threshold = NAME(threshold)(t, op);
    const REAL keep = (REAL)drop_scale(threshold);
    const uint64_t base = mask_base(t->key, k->epoch, k->o);
    EACH_ROW(v) {
        REAL *out = NAME(value)(t, op->out, v);
        const REAL *in = NAME(value)(t, op->in, v);
        if (!threshold) {
            memcpy(out, in, (size_t)stride * sizeof *out);
            continue;
        }
        uint64_t *mask = t->mask[k->o] + v * words;
        for (int64_t i = 0; i < words; i++)
            mask[i] = mask_word(base, (uint64_t)(v * words + i), threshold);
        NAME(masked)(out, in, mask, stride, keep, false);
    }
}

OPERATION(dropout_backward) {
    const pvgi_op *op = k->op;
    const int64_t stride = t->stride[op->out], words = t->mask_stride[k->o];
    const uint32_t threshold = NAME(threshold)(t, op);
    const REAL keep = (REAL)drop_scale(threshold);
    EACH_ROW(v) {
        REAL *to = NAME(grad)(t, op->in, v);
        const REAL *g = NAME(grad)(t, op->out, v);
        const uint64_t *mask = t->mask[k->o] + v * words;
        if (!threshold)
            NAME(axpy)(to, g, 1, stride, op->add_in);
        else if (op->add_in)
            NAME(masked)(to, g, mask, stride, keep, true);
        else
            NAME(masked)(to, g, mask, stride, keep, false);
    }
}

INLINE REAL NAME(add_factor)(const pvgi_tape *t, const pvgi_op *op) {
    return (REAL)op->number + (op->param >= 0 ? *NAME(weights)(t, op->param) : 0);
}

OPERATION(add_forward) {
    const int64_t stride = t->stride[k->op->out];
    const REAL factor = NAME(add_factor)(t, k->op);
    EACH_ROW(v) {
        REAL *out = NAME(value)(t, k->op->out, v);
        const REAL *a = NAME(value)(t, k->op->in, v),
                   *b = NAME(value)(t, k->op->other, v);
        EACH_VECTOR(j) PUT(out + j) = AT(a + j) + AT(b + j) * factor;
    }
}

OPERATION(add_backward) {
    const pvgi_op *op = k->op;
    const int64_t stride = t->stride[op->out];
    const REAL factor = NAME(add_factor)(t, op);
    double dot = 0;
    EACH_ROW(v) {
        const REAL *g = NAME(grad)(t, op->out, v);
        if (NAME(learns)(t, op->in))
            NAME(axpy)(NAME(grad)(t, op->in, v), g, 1, stride, op->add_in);
        if (NAME(learns)(t, op->other))
            NAME(axpy)(NAME(grad)(t, op->other, v), g, factor, stride, op->add_other);
        if (op->param >= 0) dot += NAME(dot)(g, NAME(value)(t, op->other, v), stride);
    }
    if (op->param >= 0)
        NAME(put)(NAME(slot)(t, op->param, k->chunk), (REAL)dot, !k->fresh);
}

/* Column sums per chunk, in doubles: partial[chunk * stride + j]. */
INLINE void NAME(partial_sums)(double *out, const REAL *x, int64_t stride, int64_t rows,
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
INLINE void NAME(mean_spread)(pvgi_tape *t, const work *k, const bool back) {
    const pvgi_op *op = k->op;
    const int64_t stride = t->stride[op->out];
    const int64_t rows = t->rows[op->out], chunks = chunks_of(t, op->out);
    for (int64_t from = 0; from < stride; from += 64) {
        REAL mean[64];
        const int64_t to = from + 64 < stride ? from + 64 : stride;
        for (int64_t j = from; j < to; j++)
            mean[j - from] =
                op->second == 0
                    ? 0
                    : (REAL)(op->second *
                             NAME(total)(t->partial[k->o], stride, chunks, j) /
                             (double)rows);
        EACH_ROW(v) {
            if (back) {
                REAL *g = NAME(grad)(t, op->other, v);
                for (int64_t j = from; j < to; j++)
                    NAME(put)(g + j, mean[j - from], op->add_other);
            } else {
                REAL *out = NAME(value)(t, op->out, v);
                const REAL *in = NAME(value)(t, op->in, v);
                for (int64_t j = from; j < to; j++)
                    out[j] = (REAL)op->number * in[j] + mean[j - from];
            }
        }
    }
}

OPERATION(mean_forward) {
    const int64_t stride = t->stride[k->op->out];
    if (k->part == 0) NAME(partial_sums)
    (t->partial[k->o] + k->chunk * stride, NAME(value)(t, k->op->other, k->first), stride,
     k->last - k->first, k->fresh);
    else NAME(mean_spread)(t, k, false);
}

OPERATION(mean_backward) {
    const pvgi_op *op = k->op;
    const int64_t stride = t->stride[op->out];
    if (k->part == 0) {
        NAME(partial_sums)
        (t->partial[k->o] + k->chunk * stride, NAME(grad)(t, op->out, k->first), stride,
         k->last - k->first, k->fresh);
        if (!NAME(learns)(t, op->in)) return;
        EACH_ROW(v)
        NAME(axpy)
        (NAME(grad)(t, op->in, v), NAME(grad)(t, op->out, v), (REAL)op->number, stride,
         op->add_in);
    } else if (NAME(learns)(t, op->other)) {
        NAME(mean_spread)(t, k, true);
    }
}

OPERATION(place_forward) {
    const bool place = k->op->kind == PVGI_OP_PLACE;
    const int32_t narrow = place ? k->op->in : k->op->out;
    const int32_t wide = place ? k->op->out : k->op->in;
    const size_t bytes = (size_t)t->program.tensors[narrow].columns * sizeof(REAL);
    EACH_ROW(v) {
        REAL *n = NAME(value)(t, narrow, v), *w = NAME(value)(t, wide, v) + k->op->offset;
        memcpy(place ? w : n, place ? n : w, bytes);
    }
}

OPERATION(place_backward) {
    const pvgi_op *op = k->op;
    const bool place = op->kind == PVGI_OP_PLACE;
    const int32_t narrow = place ? op->in : op->out, wide = place ? op->out : op->in;
    const int64_t columns = t->program.tensors[narrow].columns;
    EACH_ROW(v) {
        REAL *n = NAME(grad)(t, narrow, v), *w = NAME(grad)(t, wide, v) + op->offset;
        if (!op->add_in) NAME(clear)(place ? n : w - op->offset, t->stride[op->in]);
        for (int64_t j = 0; j < columns; j++)
            *(place ? n + j : w + j) += place ? w[j] : n[j];
    }
}

OPERATION(maximum_forward) {
    const int64_t stride = t->stride[k->op->out];
    EACH_ROW(v) {
        const REAL *a = NAME(value)(t, k->op->in, v),
                   *b = NAME(value)(t, k->op->other, v);
        REAL *out = NAME(value)(t, k->op->out, v);
        for (int64_t j = 0; j < stride; j++) out[j] = a[j] >= b[j] ? a[j] : b[j];
    }
}

OPERATION(maximum_backward) {
    const pvgi_op *op = k->op;
    const int64_t stride = t->stride[op->out];
    EACH_ROW(v) {
        const REAL *a = NAME(value)(t, op->in, v), *b = NAME(value)(t, op->other, v);
        const REAL *g = NAME(grad)(t, op->out, v);
        if (NAME(learns)(t, op->in)) {
            REAL *to = NAME(grad)(t, op->in, v);
            for (int64_t j = 0; j < stride; j++)
                NAME(put)(to + j, a[j] >= b[j] ? g[j] : 0, op->add_in);
        }
        if (NAME(learns)(t, op->other)) {
            REAL *to = NAME(grad)(t, op->other, v);
            for (int64_t j = 0; j < stride; j++)
                NAME(put)(to + j, a[j] >= b[j] ? 0 : g[j], op->add_other);
        }
    }
}

/* Rows divided by their length (choice 0; rows of length 0 stay) or pulled into the unit
 * ball (choice 1). */
INLINE bool NAME(row_stays)(const pvgi_op *op, double length) {
    return op->choice ? length <= 1 : length == 0;
}

OPERATION(rows_forward) {
    const int64_t stride = t->stride[k->op->out];
    EACH_ROW(v) {
        const REAL *x = NAME(value)(t, k->op->in, v);
        const double length = sqrt(NAME(dot)(x, x, stride));
        NAME(axpy)
        (NAME(value)(t, k->op->out, v), x,
         NAME(row_stays)(k->op, length) ? 1 : (REAL)(1 / length), stride, false);
    }
}

OPERATION(rows_backward) {
    const pvgi_op *op = k->op;
    const int64_t stride = t->stride[op->out];
    EACH_ROW(v) {
        const REAL *x = NAME(value)(t, op->in, v), *g = NAME(grad)(t, op->out, v);
        REAL *to = NAME(grad)(t, op->in, v);
        const double sum = NAME(dot)(x, x, stride), dot = NAME(dot)(x, g, stride);
        const double length = sqrt(sum);
        const bool stays = NAME(row_stays)(op, length);
        for (int64_t j = 0; j < stride; j++) NAME(put)
        (to + j,
         stays ? g[j] : (REAL)(((double)g[j] - dot * (double)x[j] / sum) / length),
         op->add_in);
    }
}

/* Softmax of a row of `columns` numbers; out is as long as whole vectors. Returns the sum
 * of e^(x - most). */
INLINE REAL NAME(soften)(REAL *out, const REAL *x, int64_t columns, REAL *most) {
    const int64_t stride = pvgi_network_pad(columns, LANES);
    REAL sum = 0;
    *most = x[0];
    for (int64_t j = 1; j < columns; j++)
        if (x[j] > *most) *most = x[j];
    int64_t at = 0;
    do /* there is a column */
        PUT(out + at) = NAME(exp)(AT(x + at) - *most);
    while ((at += LANES) < stride);
    for (int64_t j = 0; j < columns; j++) sum += out[j];
    EACH_VECTOR(j) PUT(out + j) = AT(out + j) / sum;
    NAME(clear)(out + columns, stride - columns);
    return sum;
}

OPERATION(softmax_forward) {
    REAL most;
    EACH_ROW(v)
    NAME(soften)
    (NAME(value)(t, k->op->out, v), NAME(value)(t, k->op->in, v),
     t->program.tensors[k->op->in].columns, &most);
}

OPERATION(softmax_backward) {
    const pvgi_op *op = k->op;
    const int64_t stride = t->stride[op->in];
    EACH_ROW(v) {
        const REAL *y = NAME(value)(t, op->out, v), *g = NAME(grad)(t, op->out, v);
        REAL *to = NAME(grad)(t, op->in, v), dot = 0;
        for (int64_t j = 0; j < stride; j++) dot += g[j] * y[j];
        for (int64_t j = 0; j < stride; j++)
            NAME(put)(to + j, y[j] * (g[j] - dot), op->add_in);
    }
}

/* to (+)= from T, or from T^T; T is NULL for the identity. */
INLINE void NAME(constant_map)(pvgi_tape *t, const work *k, const bool back) {
    const pvgi_op *op = k->op;
    const int64_t c = t->program.tensors[op->in].columns, stride = t->stride[op->in];
    const double *T = t->transition;
    EACH_ROW(v) {
        const REAL *from = back ? NAME(grad)(t, op->out, v) : NAME(value)(t, op->in, v);
        REAL *to = back ? NAME(grad)(t, op->in, v) : NAME(value)(t, op->out, v);
        for (int64_t j = 0; j < stride; j++) {
            double sum = T ? 0 : (double)from[j];
            for (int64_t i = 0; T && j < c && i < c; i++)
                sum += (double)from[i] * (back ? T[j * c + i] : T[i * c + j]);
            NAME(put)(to + j, (REAL)sum, back && op->add_in);
        }
    }
}
OPERATION(constant_forward) {
    NAME(constant_map)(t, k, false);
}
OPERATION(constant_backward) {
    NAME(constant_map)(t, k, true);
}

/* Rows are graphs. scratch of MAX: the node each maximum came from. */
OPERATION(pool_forward) {
    const pvgi_op *op = k->op;
    const int64_t columns = t->program.tensors[op->in].columns;
    EACH_ROW(g) {
        REAL *out = NAME(value)(t, op->out, g);
        const int64_t from = t->data->starts[g], to = t->data->starts[g + 1];
        for (int64_t j = 0; j < columns; j++) {
            if (op->choice == PVGI_POOL_MAX) {
                int64_t *best = (int64_t *)t->scratch[k->o] + g * columns + j;
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
OPERATION(pool_backward) {
    const pvgi_op *op = k->op;
    const int64_t columns = t->program.tensors[op->in].columns;
    const int64_t stride = t->stride[op->in], *starts = t->data->starts;
    int64_t low = 0, high = t->graphs - 1;
    while (low < high) { /* the graph of the first row */
        const int64_t middle = low + (high - low + 1) / 2;
        if (starts[middle] <= k->first)
            low = middle;
        else
            high = middle - 1;
    }
    EACH_ROW(v) {
        while (starts[low + 1] <= v) low++;
        const REAL *g = NAME(grad)(t, op->out, low);
        REAL *to = NAME(grad)(t, op->in, v);
        const REAL share = op->choice == PVGI_POOL_MEAN
                               ? (REAL)(1 / (double)(starts[low + 1] - starts[low]))
                               : 1;
        const int64_t *best = op->choice == PVGI_POOL_MAX
                                  ? (const int64_t *)t->scratch[k->o] + low * columns
                                  : NULL;
        for (int64_t j = 0; j < stride; j++) NAME(put)
        (to + j, j < columns && (!best || best[j] == v) ? g[j] * share : 0, op->add_in);
    }
}
