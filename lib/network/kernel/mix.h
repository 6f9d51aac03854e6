/* Sums over arcs of alpha h_u, head by head, and their gradients.
 *
 * Forward, row v gathers the rows h_u of its arcs. Backward, row u walks the arcs that
 * point at it: the gradient g_v of a row that heard it is read once, for the gradient of
 * h_u, the sum of alpha g_v, and for that of the score r_v + l_u of the arc,
 * slope alpha (g_v h_u - m_v), where m_v = g_v out_v is the mean of g_v h_u over the row:
 * out_v is kept for that. Gradients of scores are added up for l_u on the way, and left
 * where alpha was, which nothing reads any more, for r_v. */

/* Up to 8 vectors of columns from start on, of which lane[q] are the heads. */
typedef struct {
    const REAL *table, *factor; /* factor: of each arc, or NULL */
    REAL *alpha;
    REAL *arcs;        /* gradients of arcs, or NULL */
    const REAL *means; /* of rows */
    int64_t step, stride, start, width, heads;
    int64_t own, whole; /* rows of arcs where self loops and whole rows start */
    int64_t turn[8];    /* WHOLE: first head of the vector */
    NAME(ivec) lane[8];
} NAME(mix);

INLINE void NAME(mix_lanes)(NAME(mix) * m, int64_t start, int Q) {
    m->start = start;
    for (int q = 0; q < Q; q++) {
        m->turn[q] = (start + q * LANES) % m->heads;
        for (int i = 0; i < LANES; i++)
            m->lane[q][i] = (WHOLE)((start + q * LANES + i) % m->heads);
    }
}

/* Numbers a of the heads, for vector q; once: those that all vectors share. */
INLINE NAME(vec) NAME(mix_once)(const REAL *a, const NAME(share) share) {
    return share == NAME(ONE) ? NAME(all)(*a) : AT(a);
}
INLINE NAME(vec) NAME(mix_lane)(const NAME(mix) * m, const REAL *a, NAME(vec) once, int q,
                                const NAME(share) share) {
    if (share == NAME(ONE) || share == NAME(FULL)) return once;
    if (share == NAME(FEW)) return NAME(pick)(once, m->lane[q]);
    if (share == NAME(WHOLE)) return AT(a + m->turn[q]);
    NAME(vec) w;
    for (int i = 0; i < LANES; i++) w[i] = a[m->lane[q][i]];
    return w;
}

/* --- forward ------------------------------------------------------------------------ */

/* Row u joins the sums. */
INLINE void NAME(mix_add)(NAME(vec) * acc, const NAME(mix) * m, int64_t arc, int64_t u,
                          const REAL *factor, const int Q, const NAME(share) share) {
    const REAL *a = m->alpha + arc * m->step;
    const REAL *row = m->table + u * m->stride + m->start;
    NAME(vec) once = NAME(size)(NAME(mix_once)(a, share));
    if (factor) once *= *factor;
#pragma GCC unroll 8
    for (int q = 0; q < Q; q++) {
        NAME(vec) w = NAME(mix_lane)(m, a, once, q, share);
        if (share == NAME(WHOLE) || share == NAME(MANY)) {
            w = NAME(size)(w);
            if (factor) w *= *factor;
        }
        acc[q] += AT(row + q * LANES) * w;
    }
}

/* A panel of Q vectors; m by value, so that its numbers stay in registers. in: h, other:
 * alpha. */
INLINE void NAME(mix_panel)(pvgi_tape *t, const work *k, const NAME(mix) m, const int Q,
                            const NAME(share) share) {
    const int64_t *offsets = t->data->offsets;
    const int32_t *columns = t->data->columns;
    REAL *keep = t->scratch[k->o];
    EACH_ROW(v) {
        NAME(vec) acc[8];
        const REAL *part = m.alpha + (m.whole + v) * m.step;
        const NAME(vec) once = NAME(mix_once)(part, share);
        REAL *to = NAME(value)(t, k->op->out, v) + m.start;
#pragma GCC unroll 8
        for (int q = 0; q < Q; q++) acc[q] = (NAME(vec)){0};
        const int64_t end = offsets[v + 1];
        for (int64_t e = offsets[v]; e < end; e++) NAME(mix_add)
        (acc, &m, e, columns[e], m.factor ? m.factor + e : NULL, Q, share);
        NAME(mix_add)(acc, &m, m.own + v, v, NULL, Q, share);
#pragma GCC unroll 8
        for (int q = 0; q < Q; q++) {
            acc[q] *= NAME(mix_lane)(&m, part, once, q, share);
            PUT(to + q * LANES) = acc[q];
            if (keep) PUT(keep + v * m.stride + m.start + q * LANES) = acc[q];
        }
    }
}

/* --- backward ----------------------------------------------------------------------- */

/* Gradient of the score of an arc from p = g_v h_u, of a vector of heads. */
INLINE NAME(vec) NAME(score)(NAME(vec) p, NAME(vec) alpha, NAME(vec) mean) {
    const NAME(vec) d = NAME(size)(alpha) * (p - mean);
    return NAME(choose)((NAME(ivec))alpha < 0, d * LEAK, d);
}

/* Arc e at which row v heard the row of the work: its part of the gradient of that joins
 * the sums. */
INLINE void NAME(unmix_arc)(const NAME(mix) * m, NAME(vec) * acc, int64_t e, int64_t v,
                            const int Q, const NAME(share) share) {
    NAME(mix_add)(acc, m, e, v, m->factor && e < m->own ? m->factor + e : NULL, Q, share);
}
/* The same of whole rows of Q vectors, of at most a vector of heads, without factors; x
 * are the columns of the row of the work. The gradient of the score joins `far`. */
INLINE void NAME(unmix_whole)(const NAME(mix) * m, NAME(vec) * acc, NAME(vec) * far,
                              int64_t e, int64_t v, const REAL *x, const int Q,
                              const NAME(share) share) {
    const int64_t step = share == NAME(ONE) ? 1 : LANES;
    const REAL *row = m->table + v * (Q * LANES);
    const REAL *mean = m->means + v * step;
    REAL *a = m->alpha + e * step;
    const NAME(vec) raw = NAME(mix_once)(a, share);
    const NAME(vec) w = NAME(size)(raw);
    NAME(vec) p = {0}, odd = {0};
#pragma GCC unroll 8
    for (int q = 0; q < Q; q++) {
        const NAME(vec) y = AT(row + q * LANES);
        acc[q] += y * w;
        if (q % 2 == 0) {
            p += y * AT(x + q * LANES);
            HOLD(p);
        } else {
            odd += y * AT(x + q * LANES);
            HOLD(odd);
        }
    }
    if (Q > 1) p += odd;
    if (share == NAME(ONE)) p = NAME(all)(NAME(across)(p));
    p = NAME(score)(p, raw, NAME(mix_once)(mean, share));
    *far += p;
    if (share == NAME(ONE))
        *a = p[0];
    else
        PUT(a) = p;
}
/* The gradient of the score where the panel is not whole, from whole rows. */
INLINE void NAME(unmix_far)(const NAME(mix) * m, REAL *far, int64_t e, int64_t v,
                            const REAL *x, const NAME(share) share) {
    const bool arc = e < m->own;
    const REAL factor = arc && m->factor ? m->factor[e] : 1;
    const REAL *mean = m->means + v * m->step;
    REAL *a = m->alpha + e * m->step, p[64 + LANES];
    NAME(head_sums)(p, m->table + v * m->stride, x, m->heads, m->width, share);
    for (int64_t h = 0; h < m->heads; h++) {
        if (arc && m->arcs) m->arcs[e] += p[h] * FABS(a[h]);
        const REAL d = FABS(a[h]) * (p[h] * factor - mean[h]);
        a[h] = a[h] < 0 ? d * LEAK : d;
        far[h] += a[h];
    }
}

INLINE void NAME(unmix_panel)(pvgi_tape *t, const work *k, const NAME(mix) m, const int Q,
                              const NAME(share) share, const bool whole) {
    const pvgi_op *op = k->op;
    const int64_t *offsets = t->back_offsets, *places = t->back_places;
    const int32_t *columns = t->back_columns;
    EACH_ROW(u) {
        NAME(vec) acc[8], sum = {0};
        const REAL *x = NAME(value)(t, op->in, u);
        REAL *to = NAME(grad)(t, op->in, u) + m.start;
        REAL *far = NAME(grad)(t, op->other, t->nodes + u);
        const int64_t end = offsets[u + 1];
#pragma GCC unroll 8
        for (int q = 0; q < Q; q++)
            acc[q] = op->add_in ? AT(to + q * LANES) : (NAME(vec)){0};
        for (int64_t i = offsets[u]; i < end; i++) {
            __builtin_prefetch(m.alpha + places[i + PVGI_TAPE_AHEAD] * m.step);
            if (whole && Q > 1) { /* too much is done with a row to look far ahead */
                const int64_t soon = i + PVGI_TAPE_AHEAD / 2;
                const REAL *row = m.table + columns[soon < t->arcs ? soon : i] * m.stride;
#pragma GCC unroll 4
                for (int q = 0; q < Q; q += 64 / PVGI_TAPE_VECTOR)
                    __builtin_prefetch(row + q * LANES);
            }
            if (whole)
                NAME(unmix_whole)(&m, acc, &sum, places[i], columns[i], x, Q, share);
            else
                NAME(unmix_arc)(&m, acc, places[i], columns[i], Q, share);
        }
        if (whole)
            NAME(unmix_whole)(&m, acc, &sum, m.own + u, u, x, Q, share);
        else
            NAME(unmix_arc)(&m, acc, m.own + u, u, Q, share);
#pragma GCC unroll 8
        for (int q = 0; q < Q; q++) PUT(to + q * LANES) = acc[q];
        if (whole && share == NAME(ONE)) *far = sum[0];
        if (whole && share != NAME(ONE)) PUT(far) = sum;
        if (whole || m.start + Q * LANES < m.stride) continue;
        NAME(clear)(far, m.step);
        for (int64_t i = offsets[u]; i < end; i++)
            NAME(unmix_far)(&m, far, places[i], columns[i], x, share);
        NAME(unmix_far)(&m, far, m.own + u, u, x, share);
    }
}

/* Before others gather: the mean of a row, and g_v divided by the sum that what is kept
 * of arcs is not divided by. */
INLINE void NAME(unmix_rows)(pvgi_tape *t, const work *k, const NAME(share) share) {
    const pvgi_op *op = k->op;
    const int64_t stride = t->stride[op->out], heads = op->choice;
    const int64_t step = t->stride[op->other];
    const int64_t width = t->program.tensors[op->in].columns / heads;
    EACH_ROW(v) {
        const REAL *part = NAME(value)(t, op->other, t->arcs + t->nodes + v);
        const REAL *kept = (const REAL *)t->scratch[k->o] + v * stride;
        REAL *mean = NAME(grad)(t, op->other, v), *g = NAME(grad)(t, op->out, v);
        NAME(head_sums)(mean, g, kept, heads, width, share);
        for (int64_t h = 0; h < step; h++) mean[h] *= part[h];
        EACH_VECTOR(j) PUT(g + j) = AT(g + j) * NAME(spread)(part, j, heads, share);
    }
}

/* --- all of it ---------------------------------------------------------------------- */

INLINE void NAME(mix_any)(pvgi_tape *t, const work *k, const NAME(mix) * m, const int Q,
                          const NAME(share) share, const bool back) {
    if (back)
        NAME(unmix_panel)(t, k, *m, Q, share, false);
    else
        NAME(mix_panel)(t, k, *m, Q, share);
}
INLINE void NAME(mix_rows)(pvgi_tape *t, const work *k, NAME(mix) * m,
                           const NAME(share) share, const bool back) {
    if (share == NAME(ONE) || share == NAME(FULL)) {
        /* the usual widths */
        const bool plain = !m->factor && !m->arcs;
        if (back && plain && m->stride == LANES) {
            NAME(unmix_panel)(t, k, *m, 1, share, true);
            return;
        }
        if (m->stride == 8 * LANES && (plain || !back)) {
            if (back)
                NAME(unmix_panel)(t, k, *m, 8, share, true);
            else
                NAME(mix_panel)(t, k, *m, 8, share);
            return;
        }
    }
    for (int64_t c = 0; c < m->stride;) {
        const int Q = share != NAME(MANY) && m->stride - c >= 4 * LANES ? 4 : 1;
        NAME(mix_lanes)(m, c, Q);
        if (share != NAME(MANY) && Q == 4)
            NAME(mix_any)(t, k, m, 4, share, back);
        else
            NAME(mix_any)(t, k, m, 1, share, back);
        c += Q * LANES;
    }
}
INLINE void NAME(mix_all)(pvgi_tape *t, const work *k, const bool back) {
    const pvgi_op *op = k->op;
    const int32_t from = back ? op->out : op->in;
    NAME(mix)
    m = {.alpha = t->value[op->other],
         .table = back ? t->grad[from] : t->value[from],
         .factor = t->arc_factor,
         .arcs = t->arc_gradient,
         .means = t->grad[op->other],
         .step = t->stride[op->other],
         .stride = t->stride[from],
         .width = t->program.tensors[op->in].columns / op->choice,
         .heads = op->choice,
         .own = t->arcs,
         .whole = t->arcs + t->nodes};
    EACH_SHARE(share, m.heads, NAME(mix_rows)(t, k, &m, share, back))
}

OPERATION(edge_aggregate_forward) {
    NAME(mix_all)(t, k, false);
}
OPERATION(edge_aggregate_backward) {
    if (k->part == 0)
        EACH_SHARE(share, k->op->choice, NAME(unmix_rows)(t, k, share))
    else
        NAME(mix_all)(t, k, true);
}
