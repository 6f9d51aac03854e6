/* Attention over the arcs of a row and its self loop: alpha = softmax of leaky(r_v + l_u)
 * over u, out_v = sum of alpha h_u. Tensors of arcs have a row per arc followed by one
 * per node for its self loop, with a column per head; of a single head the rows are one
 * number, and arcs are taken LANES at a time. Backward, gradients of h and l are sums
 * over the arcs that point back. */

#define LEAK ((REAL)0.2)

INLINE NAME(vec) NAME(leaky)(NAME(vec) z) {
    return NAME(choose)(z > 0, z, z * LEAK);
}

/* --- many heads: a vector of them at a time ----------------------------------------- */

/* in: r, other: l. */
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
        NAME(vec) own = NAME(leaky)(r + AT(l + v * far)), most = own, sum = {0};
        for (int64_t i = 0; i < count; i++) {
            const NAME(vec) z = NAME(leaky)(r + AT(l + columns[from + i] * far));
            most = NAME(choose)(z > most, z, most);
            PUT(alpha + i * stride) = z;
        }
        for (int64_t i = 0; i < count; i++)
            sum += PUT(alpha + i * stride) = NAME(exp)(AT(alpha + i * stride) - most);
        own = NAME(exp)(own - most);
        sum += own;
        for (int64_t i = 0; i < count; i++)
            PUT(alpha + i * stride) = AT(alpha + i * stride) / sum;
        PUT(last) = own / sum;
    }
}

/* Gradients of alpha become those of scores before the leak, in place; their row sums are
 * the gradient of r. */
INLINE void NAME(unsoften_heads)(pvgi_tape *t, const work *k) {
    const pvgi_op *op = k->op;
    const int64_t stride = t->stride[op->out], far = t->stride[op->other];
    const int32_t *columns = t->data->columns;
    EACH_ROW(v) EACH_VECTOR(h) {
        const int64_t from = t->data->offsets[v], count = t->data->offsets[v + 1] - from;
        const REAL *l = (const REAL *)t->value[op->other] + h;
        const REAL *alpha = (const REAL *)t->value[op->out] + from * stride + h;
        const NAME(vec) r = AT(NAME(value)(t, op->in, v) + h);
        const NAME(vec) own = AT(NAME(value)(t, op->out, t->arcs + v) + h);
        REAL *g = (REAL *)t->grad[op->out] + from * stride + h;
        REAL *last = NAME(grad)(t, op->out, t->arcs + v) + h;
        REAL *dr = NAME(grad)(t, op->in, v) + h;
        NAME(vec) dot = {0}, sum = {0};
        for (int64_t i = 0; i < count; i++)
            dot += AT(alpha + i * stride) * AT(g + i * stride);
        dot += own * AT(last);
        for (int64_t i = 0; i < count; i++) {
            const NAME(vec) z = r + AT(l + columns[from + i] * far);
            const NAME(vec) d = AT(alpha + i * stride) * (AT(g + i * stride) - dot);
            sum += PUT(g + i * stride) = NAME(choose)(z > 0, d, d * LEAK);
        }
        const NAME(vec) d = own * (AT(last) - dot);
        sum += PUT(last) = NAME(choose)(r + AT(l + v * far) > 0, d, d * LEAK);
        if (op->add_in) sum += AT(dr);
        PUT(dr) = sum;
    }
}

/* --- one head: LANES arcs at a time ------------------------------------------------- */

/* The arcs of a row in whole vectors; those left, and the self loop behind them, as a
 * vector of `left` numbers. */
typedef struct {
    int64_t v, from, whole; /* arcs from .. from + whole - 1 are whole vectors */
    int left;               /* with the self loop: 1 .. LANES */
    NAME(ivec) there;       /* lanes that are */
} NAME(row_arcs);

INLINE NAME(row_arcs) NAME(arcs_of)(const pvgi_tape *t, int64_t v) {
    const int64_t from = t->data->offsets[v], count = t->data->offsets[v + 1] - from;
    NAME(row_arcs) a = {.v = v, .from = from, .whole = count / LANES * LANES};
    a.left = (int)(count - a.whole) + 1;
#if LANES == 8
    a.there = (NAME(ivec)){0, 1, 2, 3, 4, 5, 6, 7} < a.left;
#else
    a.there = (NAME(ivec)){0, 1, 2, 3} < a.left;
#endif
    return a;
}
/* The node at the end of arc i of those left. */
INLINE int64_t NAME(left_end)(const pvgi_tape *t, const NAME(row_arcs) * a, int i) {
    return i < a->left - 1 ? t->data->columns[a->from + a->whole + i] : a->v;
}
INLINE NAME(vec)
    NAME(take_left)(const pvgi_tape *t, const NAME(row_arcs) * a, const REAL *numbers) {
    REAL left[LANES] = {0};
    for (int i = 0; i < a->left - 1; i++) left[i] = numbers[a->from + a->whole + i];
    left[a->left - 1] = numbers[t->arcs + a->v];
    return AT(left);
}
INLINE void NAME(put_left)(const pvgi_tape *t, const NAME(row_arcs) * a, REAL *numbers,
                           NAME(vec) x) {
    for (int i = 0; i < a->left - 1; i++) numbers[a->from + a->whole + i] = x[i];
    numbers[t->arcs + a->v] = x[a->left - 1];
}
/* r_v + l_u for LANES arcs from e on, and for those left. */
INLINE NAME(vec) NAME(scores)(const pvgi_tape *t, const REAL *l, int64_t far, int64_t e) {
    REAL z[LANES];
    for (int i = 0; i < LANES; i++) z[i] = l[t->data->columns[e + i] * far];
    return AT(z);
}
INLINE NAME(vec) NAME(scores_left)(const pvgi_tape *t, const NAME(row_arcs) * a,
                                   const REAL *l, int64_t far) {
    REAL z[LANES] = {0};
    for (int i = 0; i < a->left; i++) z[i] = l[NAME(left_end)(t, a, i) * far];
    return AT(z);
}
INLINE REAL NAME(highest)(NAME(vec) x) {
    REAL most = x[0];
    for (int i = 1; i < LANES; i++) most = x[i] > most ? x[i] : most;
    return most;
}
INLINE NAME(vec) NAME(only)(NAME(ivec) there, NAME(vec) x) {
    return (NAME(vec))((NAME(ivec))x & there);
}

INLINE void NAME(soften_one)(pvgi_tape *t, const work *k) {
    const pvgi_op *op = k->op;
    const int64_t far = t->stride[op->other];
    const REAL *l = t->value[op->other];
    REAL *alpha = t->value[op->out];
    EACH_ROW(v) {
        const NAME(row_arcs) a = NAME(arcs_of)(t, v);
        const REAL r = *NAME(value)(t, op->in, v);
        NAME(vec) left = NAME(leaky)(NAME(scores_left)(t, &a, l, far) + r);
        NAME(vec) most = NAME(choose)(a.there, left, NAME(all)(left[0])), sum = {0};
        for (int64_t e = a.from; e < a.from + a.whole; e += LANES) {
            const NAME(vec) z = NAME(leaky)(NAME(scores)(t, l, far, e) + r);
            most = NAME(choose)(z > most, z, most);
            PUT(alpha + e) = z;
        }
        const REAL high = NAME(highest)(most);
        for (int64_t e = a.from; e < a.from + a.whole; e += LANES)
            sum += PUT(alpha + e) = NAME(exp)(AT(alpha + e) - high);
        left = NAME(only)(a.there, NAME(exp)(left - high));
        const REAL whole = NAME(across)(sum + left);
        for (int64_t e = a.from; e < a.from + a.whole; e += LANES)
            PUT(alpha + e) = AT(alpha + e) / whole;
        NAME(put_left)(t, &a, alpha, left / whole);
    }
}

INLINE void NAME(unsoften_one)(pvgi_tape *t, const work *k) {
    const pvgi_op *op = k->op;
    const int64_t far = t->stride[op->other];
    const REAL *l = t->value[op->other], *alpha = t->value[op->out];
    REAL *g = t->grad[op->out];
    EACH_ROW(v) {
        const NAME(row_arcs) a = NAME(arcs_of)(t, v);
        const REAL r = *NAME(value)(t, op->in, v);
        const NAME(vec) last = NAME(take_left)(t, &a, alpha);
        NAME(vec) d = NAME(take_left)(t, &a, g), sum = last * d;
        for (int64_t e = a.from; e < a.from + a.whole; e += LANES)
            sum += AT(alpha + e) * AT(g + e);
        const REAL dot = NAME(across)(sum);
        d = last * (d - dot);
        d = NAME(choose)(NAME(scores_left)(t, &a, l, far) + r > 0, d, d * LEAK);
        sum = d;
        NAME(put_left)(t, &a, g, d);
        for (int64_t e = a.from; e < a.from + a.whole; e += LANES) {
            const NAME(vec) z = NAME(scores)(t, l, far, e) + r;
            d = AT(alpha + e) * (AT(g + e) - dot);
            sum += PUT(g + e) = NAME(choose)(z > 0, d, d * LEAK);
        }
        NAME(put)(NAME(grad)(t, op->in, v), NAME(across)(sum), op->add_in);
    }
}

/* --- scores ------------------------------------------------------------------------- */

OPERATION(edge_softmax_forward) {
    if (k->op->choice == 1)
        NAME(soften_one)(t, k);
    else
        NAME(soften_heads)(t, k);
}

/* Gradient of l: over the arcs that point back. */
INLINE void NAME(edge_softmax_back)(pvgi_tape *t, const work *k) {
    const pvgi_op *op = k->op;
    const int64_t *offsets = t->back_offsets, *places = t->back_places;
    const int64_t stride = t->stride[op->out];
    const REAL *g = t->grad[op->out];
    EACH_ROW(u) {
        REAL *to = NAME(grad)(t, op->other, u);
        if (op->choice == 1) {
            REAL sum = g[t->arcs + u];
            for (int64_t i = offsets[u]; i < offsets[u + 1]; i++) sum += g[places[i]];
            NAME(put)(to, sum, op->add_other);
            continue;
        }
        EACH_VECTOR(h) {
            NAME(vec) sum = AT(g + (t->arcs + u) * stride + h);
            if (op->add_other) sum += AT(to + h);
            for (int64_t i = offsets[u]; i < offsets[u + 1]; i++)
                sum += AT(g + places[i] * stride + h);
            PUT(to + h) = sum;
        }
    }
}
OPERATION(edge_softmax_backward) {
    if (k->part == 1)
        NAME(edge_softmax_back)(t, k);
    else if (k->op->choice == 1)
        NAME(unsoften_one)(t, k);
    else
        NAME(unsoften_heads)(t, k);
}

/* --- sums --------------------------------------------------------------------------- */

/* Sum over arcs of alpha of the head times a row: up to 8 vectors of columns from start
 * on, of which lane[q] are the heads; where a vector has one, head[q]. */
typedef struct {
    const REAL *alpha, *table, *factor; /* factor: of each arc, or NULL */
    int64_t step, stride, start, width, heads;
    int64_t head[8];
    NAME(ivec) lane[8];
} NAME(mix);

INLINE void NAME(mix_lanes)(NAME(mix) * m, int64_t start, int Q) {
    m->start = start;
    for (int q = 0; q < Q; q++) {
        m->head[q] = (start + q * LANES) / m->width;
        for (int i = 0; i < LANES; i++) {
            const int64_t head = (start + q * LANES + i) / m->width;
            m->lane[q][i] = (WHOLE)(head < m->heads ? head : 0);
        }
    }
}
INLINE void NAME(mix_add)(NAME(vec) * acc, const NAME(mix) * m, int64_t arc, int64_t u,
                          const int Q, const NAME(share) share, const bool own) {
    const REAL *a = m->alpha + arc * m->step;
    const REAL *row = m->table + u * m->stride + m->start;
    const REAL factor = m->factor && !own ? m->factor[arc] : 1;
    if (share == NAME(EVEN)) a += m->start / LANES;
#pragma GCC unroll 8
    for (int q = 0; q < Q; q++) {
        NAME(vec) w;
        if (share == NAME(ONE))
            w = NAME(all)(*a);
        else if (share == NAME(EVEN))
            w = NAME(all)(a[q]);
        else if (share == NAME(WHOLE))
            w = NAME(all)(a[m->head[q]]);
        else if (share == NAME(FEW))
            w = NAME(pick)(AT(a), m->lane[q]);
        else
            for (int i = 0; i < LANES; i++) w[i] = a[m->lane[q][i]];
        if (m->factor) w *= factor;
        acc[q] += AT(row + q * LANES) * w;
    }
}

/* One panel of Q vectors of the rows of the work. forward: in: h, other: alpha. */
INLINE void NAME(mix_panel)(pvgi_tape *t, const work *k, const NAME(mix) * m, const int Q,
                            const NAME(share) share, const bool back) {
    const pvgi_op *op = k->op;
    const int64_t *offsets = back ? t->back_offsets : t->data->offsets;
    const int64_t *places = t->back_places;
    const int32_t *columns = back ? t->back_columns : t->data->columns;
    EACH_ROW(v) {
        NAME(vec) acc[8];
        REAL *to =
            (back ? NAME(grad)(t, op->in, v) : NAME(value)(t, op->out, v)) + m->start;
#pragma GCC unroll 8
        for (int q = 0; q < Q; q++)
            acc[q] = back && op->add_in ? AT(to + q * LANES) : (NAME(vec)){0};
        for (int64_t e = offsets[v]; e < offsets[v + 1]; e++)
            NAME(mix_add)(acc, m, back ? places[e] : e, columns[e], Q, share, false);
        NAME(mix_add)(acc, m, t->arcs + v, v, Q, share, true);
#pragma GCC unroll 8
        for (int q = 0; q < Q; q++) PUT(to + q * LANES) = acc[q];
    }
}

INLINE void NAME(mix_rows)(pvgi_tape *t, const work *k, NAME(mix) * m,
                           const NAME(share) share, const bool back) {
    for (int64_t c = 0; c < m->stride;) {
        const int64_t left = m->stride - c;
        const int Q = share == NAME(MANY) ? 1
                      : left >= 8 * LANES ? 8
                      : left >= 4 * LANES ? 4
                                          : 1;
        NAME(mix_lanes)(m, c, Q);
        if (share != NAME(MANY) && Q == 8)
            NAME(mix_panel)(t, k, m, 8, share, back);
        else if (share != NAME(MANY) && Q == 4)
            NAME(mix_panel)(t, k, m, 4, share, back);
        else
            NAME(mix_panel)(t, k, m, 1, share, back);
        c += Q * LANES;
    }
}
INLINE void NAME(mix_all)(pvgi_tape *t, const work *k, const bool back) {
    const pvgi_op *op = k->op;
    const int32_t from = back ? op->out : op->in;
    NAME(mix)
    m = {.alpha = t->value[op->other],
         .factor = t->arc_factor,
         .table = back ? t->grad[from] : t->value[from],
         .step = t->stride[op->other],
         .stride = t->stride[from],
         .heads = op->choice,
         .width = t->program.tensors[op->in].columns / op->choice};
    EACH_SHARE(share, m.heads, m.width, NAME(mix_rows)(t, k, &m, share, back))
}
OPERATION(edge_aggregate_forward) {
    NAME(mix_all)(t, k, false);
}

/* Where arcs have factors, or gradients of those are wanted: what to make of the
 * gradients `da` of the heads of arc e. */
INLINE void NAME(factor_arc)(pvgi_tape *t, const pvgi_op *op, int64_t e, REAL *da) {
    const REAL *alpha = (const REAL *)t->value[op->other] + e * t->stride[op->other];
    REAL *arcs = t->arc_gradient;
    const REAL *factor = t->arc_factor;
    for (int64_t h = 0; h < op->choice; h++) {
        if (arcs) arcs[e] += da[h] * alpha[h];
        if (factor) da[h] *= factor[e];
    }
}

/* Gradients of alpha, and of a factor of each arc. */
INLINE void NAME(score_rows)(pvgi_tape *t, const work *k, int64_t width,
                             const NAME(share) share) {
    const pvgi_op *op = k->op;
    const int64_t heads = op->choice, step = t->stride[op->other];
    const int64_t stride = t->stride[op->in], *offsets = t->data->offsets;
    const int32_t *columns = t->data->columns;
    const REAL *x = t->value[op->in];
    const bool factors = t->arc_gradient || t->arc_factor;
    EACH_ROW(v) {
        const REAL *g = NAME(grad)(t, op->out, v);
        REAL *da = t->grad[op->other];
        for (int64_t e = offsets[v]; e < offsets[v + 1]; e++) {
            NAME(head_sums)
            (da + e * step, g, x + columns[e] * stride, heads, width, share);
            if (factors) NAME(factor_arc)(t, op, e, da + e * step);
        }
        NAME(head_sums)
        (da + (t->arcs + v) * step, g, x + v * stride, heads, width, share);
    }
}
INLINE void NAME(score_one)(pvgi_tape *t, const work *k) {
    const pvgi_op *op = k->op;
    const int64_t stride = t->stride[op->in];
    const REAL *x = t->value[op->in];
    const bool factors = t->arc_gradient || t->arc_factor;
    REAL *da = t->grad[op->other];
    EACH_ROW(v) {
        const NAME(row_arcs) a = NAME(arcs_of)(t, v);
        const REAL *g = NAME(grad)(t, op->out, v);
        NAME(vec) p[LANES] = {{0}};
        for (int64_t e = a.from; e < a.from + a.whole; e += LANES) {
#pragma GCC unroll 8
            for (int i = 0; i < LANES; i++)
                p[i] = NAME(lane_sums)(g, x + t->data->columns[e + i] * stride, stride);
            PUT(da + e) = NAME(fold)(p);
        }
        for (int i = 0; i < a.left; i++)
            p[i] = NAME(lane_sums)(g, x + NAME(left_end)(t, &a, i) * stride, stride);
        NAME(put_left)(t, &a, da, NAME(fold)(p));
        for (int64_t e = a.from; factors && e < t->data->offsets[v + 1]; e++)
            NAME(factor_arc)(t, op, e, da + e);
    }
}
OPERATION(edge_aggregate_backward) {
    const int64_t width = t->program.tensors[k->op->in].columns / k->op->choice;
    if (k->part == 1)
        NAME(mix_all)(t, k, true);
    else if (k->op->choice == 1)
        NAME(score_one)(t, k);
    else
        EACH_SHARE(share, k->op->choice, width, NAME(score_rows)(t, k, width, share))
}
