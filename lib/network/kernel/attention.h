/* Attention over the arcs of a row and its self loop: alpha = softmax over u of
 * leaky(r_v + l_u). Tensors of arcs have a row per arc, then one per node for its self
 * loop, then one per node for the whole row, with a column per head; of a single head
 * rows are one number.
 *
 * What is kept of an arc is e^(score - most), with the sign of r_v + l_u, which is all
 * that the slope of the leak needs; of a row, the inverse of the sum, which makes it
 * alpha. */

#define LEAK ((REAL)0.2)

INLINE NAME(vec) NAME(leaky)(NAME(vec) z) {
    return NAME(larger)(z, z * LEAK);
}
INLINE NAME(ivec) NAME(sign)(NAME(vec) x) {
    return (NAME(ivec))x & (NAME(ivec))NAME(all)((REAL)-0.0);
}
INLINE NAME(vec) NAME(size)(NAME(vec) x) {
    return (NAME(vec))((NAME(ivec))x & ~(NAME(ivec))NAME(all)((REAL)-0.0));
}
INLINE NAME(vec) NAME(with_sign)(NAME(vec) x, NAME(ivec) sign) {
    return (NAME(vec))((NAME(ivec))x | sign);
}

/* Many heads: a vector of them at a time. in: r, other: l. */
INLINE void NAME(soften_heads)(pvgi_tape *t, const work *k) {
    const pvgi_op *op = k->op;
    const int64_t stride = t->stride[op->out], far = t->stride[op->other];
    const int32_t *columns = t->data->columns;
    EACH_ROW(v) EACH_VECTOR(h) {
        const int64_t from = t->data->offsets[v], count = t->data->offsets[v + 1] - from;
        const REAL *l = (const REAL *)t->value[op->other] + h;
        const NAME(vec) r = AT(NAME(value)(t, op->in, v) + h);
        REAL *alpha = (REAL *)t->value[op->out] + from * stride + h;
        REAL *last = NAME(value)(t, op->out, t->arcs + v) + h;
        REAL *part = NAME(value)(t, op->out, t->arcs + t->nodes + v) + h;
        const NAME(vec) own = NAME(leaky)(r + AT(l + v * far));
        NAME(vec) most = own;
        for (int64_t i = 0; i < count; i++) {
            const NAME(vec) z = NAME(leaky)(r + AT(l + columns[from + i] * far));
            most = NAME(larger)(z, most);
            PUT(alpha + i * stride) = z;
        }
        NAME(vec) sum = NAME(exp_below)(own - most);
        PUT(last) = NAME(with_sign)(sum, NAME(sign)(own));
        for (int64_t i = 0; i < count; i++) {
            const NAME(vec) z = AT(alpha + i * stride), e = NAME(exp_below)(z - most);
            PUT(alpha + i * stride) = NAME(with_sign)(e, NAME(sign)(z));
            sum += e;
        }
        PUT(part) = 1 / sum;
    }
}

/* e^-|x| with the sign of x, of numbers from..to-1. */
INLINE void NAME(exp_signed)(REAL *x, int64_t from, int64_t to) {
    const NAME(ivec) minus = (NAME(ivec))NAME(all)((REAL)-0.0);
    REAL left[LANES] = {0};
    for (; from + LANES <= to; from += LANES) {
        const NAME(vec) y = AT(x + from);
        PUT(x + from) =
            NAME(with_sign)(NAME(exp_below)(NAME(with_sign)(y, minus)), NAME(sign)(y));
    }
    for (int64_t i = from; i < to; i++) left[i - from] = x[i];
    const NAME(vec) y = AT(left);
    PUT(left) =
        NAME(with_sign)(NAME(exp_below)(NAME(with_sign)(y, minus)), NAME(sign)(y));
    for (int64_t i = from; i < to; i++) x[i] = left[i - from];
}

/* One head: exponentials of the arcs of all rows of the work in one go. */
INLINE void NAME(soften_one)(pvgi_tape *t, const work *k) {
    const pvgi_op *op = k->op;
    const int64_t near = t->stride[op->in], far = t->stride[op->other];
    const int64_t *offsets = t->data->offsets;
    const int32_t *columns = t->data->columns;
    const REAL *r = t->value[op->in], *l = t->value[op->other];
    REAL *alpha = t->value[op->out], *last = alpha + t->arcs, *part = last + t->nodes;
    EACH_ROW(v) {
        const REAL here = r[v * near], z = here + l[v * far];
        const REAL own = z > z * LEAK ? z : z * LEAK;
        REAL most = own;
        for (int64_t e = offsets[v]; e < offsets[v + 1]; e++) {
            const REAL y = here + l[columns[e] * far],
                       score = y > y * LEAK ? y : y * LEAK;
            alpha[e] = score;
            most = score > most ? score : most;
        }
        for (int64_t e = offsets[v]; e < offsets[v + 1]; e++)
            alpha[e] = COPYSIGN(most - alpha[e], alpha[e]);
        last[v] = COPYSIGN(most - own, own);
    }
    NAME(exp_signed)(alpha, offsets[k->first], offsets[k->last]);
    NAME(exp_signed)(last, k->first, k->last);
    EACH_ROW(v) {
        REAL sum = FABS(last[v]);
        for (int64_t e = offsets[v]; e < offsets[v + 1]; e++) sum += FABS(alpha[e]);
        part[v] = 1 / sum;
    }
}

OPERATION(edge_softmax_forward) {
    if (k->op->choice == 1)
        NAME(soften_one)(t, k);
    else
        NAME(soften_heads)(t, k);
}

/* The gradient of r is the sum of those of the scores of its row, which are where alpha
 * was; that of l is there already. */
OPERATION(edge_softmax_backward) {
    const pvgi_op *op = k->op;
    const int64_t *offsets = t->data->offsets, stride = t->stride[op->out];
    const REAL *g = t->value[op->out];
    EACH_ROW(v) {
        const REAL *own = g + (t->arcs + v) * stride;
        const REAL *sum = NAME(grad)(t, op->out, t->nodes + v);
        REAL *to = NAME(grad)(t, op->in, v), *far = NAME(grad)(t, op->other, v);
        const int64_t end = offsets[v + 1];
        if (op->choice == 1) {
            REAL row = *own;
            for (int64_t e = offsets[v]; e < end; e++) row += g[e];
            NAME(put)(to, row, op->add_in);
            NAME(put)(far, *sum, op->add_other);
            continue;
        }
        EACH_VECTOR(h) {
            NAME(vec) row = AT(own + h);
            for (int64_t e = offsets[v]; e < end; e++) row += AT(g + e * stride + h);
            if (op->add_in) row += AT(to + h);
            PUT(to + h) = row;
        }
        NAME(axpy)(far, sum, 1, stride, op->add_other);
    }
}
