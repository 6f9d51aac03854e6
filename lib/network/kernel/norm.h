/* Normalisation. Batch norm: columns have mean 0 and variance 1 over all rows, or over
 * what training ran through, then scale and shift; layer norm: the same by row. Moments
 * are sums in doubles per chunk: x, x^2, and backward g, g x^, at columns 0, 1, 2, 3
 * times stride. */

#define NORM_FLOOR 1e-5

/* Columns from..from + 63 of a batch. */
typedef struct {
    int64_t from, to;
    double mean[64], variance[64], inverse[64];
} NAME(moments);

/* Sums over chunks, in their order, of columns from..to-1 of what begins at `partial`. */
INLINE void NAME(add_chunks)(double *out, const double *partial, int64_t stride,
                             int64_t chunks, int64_t count) {
    memcpy(out, partial, (size_t)count * sizeof *out);
    for (int64_t c = 1; c < chunks; c++)
        for (int64_t j = 0; j < count; j++) out[j] += partial[c * stride + j];
}

/* Moments of the batch or, without noise, the running ones. */
INLINE void NAME(find_moments)(NAME(moments) * m, const pvgi_tape *t, const work *k,
                               int64_t from) {
    const pvgi_op *op = k->op;
    const int64_t stride = t->stride[op->in], chunks = chunks_of(t, op->in);
    const int64_t columns = t->program.tensors[op->in].columns;
    const double n = (double)t->rows[op->in];
    m->from = from;
    m->to = from + 64 < columns ? from + 64 : columns;
    const int64_t count = m->to - from;
    if (!t->noisy) {
        const REAL *running = NAME(weights)(t, op->moments) + from;
        for (int64_t i = 0; i < count; i++) {
            m->mean[i] = (double)running[i];
            m->variance[i] = (double)running[t->param_stride[op->moments] + i];
        }
    } else {
        const double *partial = t->partial[k->o] + from;
        NAME(add_chunks)(m->mean, partial, 4 * stride, chunks, count);
        NAME(add_chunks)(m->variance, partial + stride, 4 * stride, chunks, count);
        for (int64_t i = 0; i < count; i++) {
            m->mean[i] /= n;
            const double variance = m->variance[i] / n - m->mean[i] * m->mean[i];
            m->variance[i] = variance > 0 ? variance : 0;
        }
    }
    for (int64_t i = 0; i < count; i++)
        m->inverse[i] = 1 / sqrt(m->variance[i] + NORM_FLOOR);
}
#define EACH_PANEL(m)                                                                    \
    for (int64_t from = 0; from < t->program.tensors[k->op->in].columns; from += 64)     \
        if (NAME(find_moments)(&(m), t, k, from), true)

INLINE void NAME(batch_sums)(pvgi_tape *t, const work *k) {
    const int64_t stride = t->stride[k->op->in];
    double *out = t->partial[k->o] + k->chunk * 4 * stride;
    if (k->fresh) memset(out, 0, (size_t)(2 * stride) * sizeof *out);
    EACH_ROW(v) {
        const REAL *x = NAME(value)(t, k->op->in, v);
        for (int64_t j = 0; j < stride; j++) {
            out[j] += (double)x[j];
            out[stride + j] += (double)x[j] * (double)x[j];
        }
    }
}

OPERATION(batch_forward) {
    const pvgi_op *op = k->op;
    const REAL *scale = NAME(weights)(t, op->param),
               *shift = NAME(weights)(t, op->param2);
    const double n = (double)t->rows[op->in];
    NAME(moments) m;
    if (k->part == 0) {
        if (t->noisy) NAME(batch_sums)(t, k);
        return;
    }
    EACH_PANEL(m) {
        EACH_ROW(v) {
            const REAL *x = NAME(value)(t, op->in, v);
            REAL *out = NAME(value)(t, op->out, v);
            for (int64_t j = m.from; j < m.to; j++)
                out[j] = (REAL)(((double)x[j] - m.mean[j - from]) * m.inverse[j - from]) *
                             scale[j] +
                         shift[j];
        }
        if (!t->noisy || k->chunk > 0 || !k->fresh) continue;
        REAL *mean = NAME(weights)(t, op->moments);
        REAL *variance = mean + t->param_stride[op->moments];
        for (int64_t j = m.from; j < m.to; j++) {
            const double wide = m.variance[j - from] * (n > 1 ? n / (n - 1) : 1);
            mean[j] = (REAL)(.9 * (double)mean[j] + .1 * m.mean[j - from]);
            variance[j] = (REAL)(.9 * (double)variance[j] + .1 * wide);
        }
    }
}

/* Partial sums of g and g x^, which are also the gradients of shift and scale. */
INLINE void NAME(batch_back_sums)(pvgi_tape *t, const work *k) {
    const pvgi_op *op = k->op;
    const int64_t stride = t->stride[op->in];
    double *sum = t->partial[k->o] + (k->chunk * 4 + 2) * stride, *dot = sum + stride;
    if (k->fresh) memset(sum, 0, (size_t)(2 * stride) * sizeof *sum);
    REAL *scale = NAME(slot)(t, op->param, k->chunk);
    REAL *shift = NAME(slot)(t, op->param2, k->chunk);
    NAME(moments) m;
    EACH_PANEL(m) {
        EACH_ROW(v) {
            const REAL *x = NAME(value)(t, op->in, v), *g = NAME(grad)(t, op->out, v);
            for (int64_t j = m.from; j < m.to; j++) {
                sum[j] += (double)g[j];
                dot[j] += (double)g[j] * ((double)x[j] - m.mean[j - from]) *
                          m.inverse[j - from];
            }
        }
        for (int64_t j = m.from; j < m.to; j++) {
            shift[j] = (REAL)sum[j];
            scale[j] = (REAL)dot[j];
        }
    }
}

OPERATION(batch_backward) {
    const pvgi_op *op = k->op;
    const int64_t stride = t->stride[op->in], chunks = chunks_of(t, op->in);
    const int64_t columns = t->program.tensors[op->in].columns;
    const double n = (double)t->rows[op->in];
    const REAL *scale = NAME(weights)(t, op->param);
    NAME(moments) m;
    if (k->part == 0) {
        NAME(batch_back_sums)(t, k);
        return;
    }
    if (!NAME(learns)(t, op->in)) return;
    EACH_PANEL(m) {
        /* scale / deviation (g - mean of g - (x - mean) slope) */
        REAL mean[64], sum[64] = {0}, slope[64] = {0}, factor[64];
        double sums[64], dots[64];
        const int64_t wide = m.to - m.from;
        const double *partial = t->partial[k->o] + 2 * stride + from;
        if (t->noisy) {
            NAME(add_chunks)(sums, partial, 4 * stride, chunks, wide);
            NAME(add_chunks)(dots, partial + stride, 4 * stride, chunks, wide);
        }
        for (int64_t i = 0; i < wide; i++) {
            mean[i] = (REAL)m.mean[i];
            factor[i] = (REAL)((double)scale[from + i] * m.inverse[i]);
            if (!t->noisy) continue;
            sum[i] = (REAL)(sums[i] / n);
            slope[i] = (REAL)(dots[i] / n * m.inverse[i]);
        }
        EACH_ROW(v) {
            const REAL *x = NAME(value)(t, op->in, v) + from,
                       *g = NAME(grad)(t, op->out, v) + from;
            REAL *to = NAME(grad)(t, op->in, v) + from;
            if (op->add_in)
                for (int64_t i = 0; i < wide; i++)
                    to[i] += factor[i] * (g[i] - sum[i] - (x[i] - mean[i]) * slope[i]);
            else
                for (int64_t i = 0; i < wide; i++)
                    to[i] = factor[i] * (g[i] - sum[i] - (x[i] - mean[i]) * slope[i]);
        }
    }
    if (op->add_in) return;
    EACH_ROW(v) NAME(clear)(NAME(grad)(t, op->in, v) + columns, stride - columns);
}
#undef EACH_PANEL

/* Mean and 1 / deviation of a row. */
INLINE void NAME(row_moments)(const REAL *x, int64_t columns, double *mean,
                              double *inverse) {
    double sum = 0, variance = 0;
    for (int64_t j = 0; j < columns; j++) sum += (double)x[j];
    *mean = sum / (double)columns;
    for (int64_t j = 0; j < columns; j++)
        variance += ((double)x[j] - *mean) * ((double)x[j] - *mean);
    *inverse = 1 / sqrt(variance / (double)columns + NORM_FLOOR);
}

OPERATION(layer_forward) {
    const pvgi_op *op = k->op;
    const int64_t columns = t->program.tensors[op->in].columns;
    const REAL *scale = NAME(weights)(t, op->param),
               *shift = NAME(weights)(t, op->param2);
    EACH_ROW(v) {
        const REAL *x = NAME(value)(t, op->in, v);
        REAL *out = NAME(value)(t, op->out, v);
        double mean, inverse;
        NAME(row_moments)(x, columns, &mean, &inverse);
        for (int64_t j = 0; j < columns; j++)
            out[j] = (REAL)(((double)x[j] - mean) * inverse) * scale[j] + shift[j];
    }
}

OPERATION(layer_backward) {
    const pvgi_op *op = k->op;
    const int64_t stride = t->stride[op->in];
    const int64_t columns = t->program.tensors[op->in].columns;
    const REAL *scale = NAME(weights)(t, op->param);
    REAL *dscale = NAME(slot)(t, op->param, k->chunk);
    REAL *dshift = NAME(slot)(t, op->param2, k->chunk);
    if (k->fresh) {
        NAME(clear)(dscale, stride);
        NAME(clear)(dshift, stride);
    }
    EACH_ROW(v) {
        const REAL *x = NAME(value)(t, op->in, v), *g = NAME(grad)(t, op->out, v);
        double mean, inverse, sum = 0, dot = 0;
        NAME(row_moments)(x, columns, &mean, &inverse);
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
        if (!op->add_in) NAME(clear)(to + columns, stride - columns);
        for (int64_t j = 0; j < columns; j++) {
            const double y = ((double)x[j] - mean) * inverse;
            const double s = (double)g[j] * (double)scale[j];
            NAME(put)
            (to + j, (REAL)(inverse * (s - (sum + y * dot) / (double)columns)),
             op->add_in);
        }
    }
}
