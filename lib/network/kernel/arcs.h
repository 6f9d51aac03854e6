/* Neighbours: weighted sums over arcs, and attention. Tensors of arcs have a row per arc
 * followed by one per node for its self loop, a column per head. Backward sums over the
 * arcs that point back, so no two rows are written by different work. */

INLINE void NAME(aggregate)(pvgi_tape *t, const work *k, const bool back) {
    const pvgi_op *op = k->op;
    const int32_t from = back ? op->out : op->in, to = back ? op->in : op->out;
    const int64_t *offsets = back ? t->back_offsets : t->data->offsets;
    const int32_t *columns = back ? t->back_columns : t->data->columns;
    const REAL *pre = t->pre[op->choice], *post = t->post[op->choice];
    const REAL *self = t->self[op->choice],
               *table = back ? t->grad[from] : t->value[from];
    const REAL *arcs = back ? t->arc_back[op->choice] : t->arc_forward[op->choice];
    NAME(sum)
    s = {.table = table, .stride = t->stride[from], .weight = back ? post : pre};
    EACH_ROW(v) {
        s.index = columns + offsets[v];
        s.count = offsets[v + 1] - offsets[v];
        s.post = back ? pre[v] : post[v];
        s.self = self[v];
        s.own = self[v] != 0 ? table + v * s.stride : NULL;
        if (arcs) {
            s.weight = arcs + offsets[v];
            NAME(combine)
            (back ? NAME(grad)(t, to, v) : NAME(value)(t, to, v), &s, s.stride,
             back && op->add_in);
            continue;
        }
        NAME(gather)
        (back ? NAME(grad)(t, to, v) : NAME(value)(t, to, v), &s, s.stride,
         back && op->add_in);
    }
}

/* Gradient to a factor of each arc's message. */
INLINE void NAME(aggregate_arcs)(pvgi_tape *t, const work *k) {
    const pvgi_op *op = k->op;
    const int64_t *offsets = t->data->offsets;
    const REAL *pre = t->pre[op->choice], *post = t->post[op->choice];
    const int64_t columns = t->program.tensors[op->in].columns;
    REAL *out = t->arc_gradient;
    EACH_ROW(v) {
        const REAL *g = NAME(grad)(t, op->out, v);
        for (int64_t e = offsets[v]; e < offsets[v + 1]; e++) {
            const int64_t u = t->data->columns[e];
            out[e] += (REAL)(NAME(dot)(g, NAME(value)(t, op->in, u), columns) *
                             (double)pre[u] * (double)post[v]);
        }
    }
}

OPERATION(aggregate_forward) {
    NAME(aggregate)(t, k, false);
}
OPERATION(aggregate_backward) {
    if (k->part == 0)
        NAME(aggregate)(t, k, true);
    else
        NAME(aggregate_arcs)(t, k);
}

/* --- attention ---------------------------------------------------------------------- */

OPERATION(head_dot_forward) {
    const int64_t heads = k->op->choice;
    const int64_t width = t->program.tensors[k->op->in].columns / heads;
    const REAL *w = NAME(weights)(t, k->op->param);
    EACH_ROW(v) {
        const REAL *x = NAME(value)(t, k->op->in, v);
        REAL *out = NAME(value)(t, k->op->out, v);
        for (int64_t h = 0; h < heads; h++) {
            REAL sum = 0;
            for (int64_t j = h * width; j < (h + 1) * width; j++) sum += x[j] * w[j];
            out[h] = sum;
        }
    }
}

OPERATION(head_dot_backward) {
    const pvgi_op *op = k->op;
    const int64_t heads = op->choice, stride = t->stride[op->in];
    const int64_t width = t->program.tensors[op->in].columns / heads;
    const REAL *w = NAME(weights)(t, op->param);
    REAL *dw = NAME(slot)(t, op->param, k->chunk);
    if (k->fresh) NAME(clear)(dw, stride);
    EACH_ROW(v) {
        const REAL *x = NAME(value)(t, op->in, v), *g = NAME(grad)(t, op->out, v);
        REAL *to = NAME(grad)(t, op->in, v);
        if (!op->add_in) NAME(clear)(to, stride);
        for (int64_t h = 0; h < heads; h++)
            for (int64_t j = h * width; j < (h + 1) * width; j++) {
                to[j] += g[h] * w[j];
                dw[j] += g[h] * x[j];
            }
    }
}

OPERATION(head_mean_forward) {
    const int64_t heads = k->op->choice;
    const int64_t width = t->program.tensors[k->op->out].columns;
    const REAL share = 1 / (REAL)heads;
    EACH_ROW(v) {
        const REAL *x = NAME(value)(t, k->op->in, v);
        REAL *out = NAME(value)(t, k->op->out, v);
        for (int64_t j = 0; j < width; j++) {
            REAL sum = 0;
            for (int64_t h = 0; h < heads; h++) sum += x[h * width + j];
            out[j] = sum * share;
        }
    }
}

OPERATION(head_mean_backward) {
    const pvgi_op *op = k->op;
    const int64_t heads = op->choice, width = t->program.tensors[op->out].columns;
    const REAL share = 1 / (REAL)heads;
    EACH_ROW(v) {
        const REAL *g = NAME(grad)(t, op->out, v);
        REAL *to = NAME(grad)(t, op->in, v);
        if (!op->add_in) NAME(clear)(to, t->stride[op->in]);
        for (int64_t h = 0; h < heads; h++)
            for (int64_t j = 0; j < width; j++) to[h * width + j] += g[j] * share;
    }
}

#define LEAK ((REAL)0.2)

/* Row of a tensor of arcs, and the node at the other end, for e = offsets[v] ..
 * offsets[v + 1]; the last one is the self loop. */
INLINE int64_t NAME(arc_row)(const pvgi_tape *t, int64_t e, int64_t v) {
    return e < t->data->offsets[v + 1] ? e : t->arcs + v;
}
INLINE int64_t NAME(arc_end)(const pvgi_tape *t, int64_t e, int64_t v) {
    return e < t->data->offsets[v + 1] ? t->data->columns[e] : v;
}
#define EACH_ARC(e, v)                                                                   \
    for (int64_t e = t->data->offsets[v]; e <= t->data->offsets[(v) + 1]; e++)

/* in: r, other: l. A vector of heads at a time. */
OPERATION(edge_softmax_forward) {
    const pvgi_op *op = k->op;
    const int64_t stride = t->stride[op->out];
    REAL *alpha = t->value[op->out];
    EACH_ROW(v) EACH_VECTOR(h) {
        const NAME(vec) r = AT(NAME(value)(t, op->in, v) + h);
        NAME(vec) most = NAME(all)(-INFINITY), sum = {0};
        EACH_ARC(e, v) {
            const int64_t u = NAME(arc_end)(t, e, v);
            const NAME(vec) z = r + AT(NAME(value)(t, op->other, u) + h);
            const NAME(vec) leaky = NAME(choose)(z > 0, z, z * LEAK);
            most = NAME(choose)(leaky > most, leaky, most);
            PUT(alpha + NAME(arc_row)(t, e, v) * stride + h) = leaky;
        }
        EACH_ARC(e, v) {
            REAL *a = alpha + NAME(arc_row)(t, e, v) * stride + h;
            sum += PUT(a) = NAME(exp)(AT(a) - most);
        }
        EACH_ARC(e, v) {
            REAL *a = alpha + NAME(arc_row)(t, e, v) * stride + h;
            PUT(a) = AT(a) / sum;
        }
    }
}

/* Gradients of alpha become those of scores before the leak, in place; their row sums are
 * the gradient of r. */
INLINE void NAME(edge_softmax_rows)(pvgi_tape *t, const work *k) {
    const pvgi_op *op = k->op;
    const int64_t stride = t->stride[op->out];
    const REAL *alpha = t->value[op->out];
    REAL *g = t->grad[op->out];
    EACH_ROW(v) EACH_VECTOR(h) {
        const NAME(vec) r = AT(NAME(value)(t, op->in, v) + h);
        REAL *dr = NAME(grad)(t, op->in, v) + h;
        NAME(vec) dot = {0}, sum = {0};
        EACH_ARC(e, v) {
            const int64_t at = NAME(arc_row)(t, e, v) * stride + h;
            dot += AT(alpha + at) * AT(g + at);
        }
        EACH_ARC(e, v) {
            const int64_t at = NAME(arc_row)(t, e, v) * stride + h;
            const int64_t u = NAME(arc_end)(t, e, v);
            const NAME(vec) z = r + AT(NAME(value)(t, op->other, u) + h);
            const NAME(vec) d = AT(alpha + at) * (AT(g + at) - dot);
            sum += PUT(g + at) = NAME(choose)(z > 0, d, d * LEAK);
        }
        if (op->add_in) sum += AT(dr);
        PUT(dr) = sum;
    }
}

/* Gradient of l: over the arcs that point back. */
INLINE void NAME(edge_softmax_back)(pvgi_tape *t, const work *k) {
    const pvgi_op *op = k->op;
    const int64_t *offsets = t->back_offsets, stride = t->stride[op->out];
    const REAL *g = t->grad[op->out];
    EACH_ROW(u) EACH_VECTOR(h) {
        REAL *to = NAME(grad)(t, op->other, u) + h;
        NAME(vec) sum = AT(g + (t->arcs + u) * stride + h);
        if (op->add_other) sum += AT(to);
        for (int64_t i = offsets[u]; i < offsets[u + 1]; i++)
            sum += AT(g + t->back_places[i] * stride + h);
        PUT(to) = sum;
    }
}
OPERATION(edge_softmax_backward) {
    if (k->part == 0)
        NAME(edge_softmax_rows)(t, k);
    else
        NAME(edge_softmax_back)(t, k);
}

/* Sum over arcs of alpha of the head times a row: up to 8 vectors of columns, of which
 * lane[q] are the heads. More heads than lanes: looked up one by one. */
typedef struct {
    const REAL *alpha, *table, *factor;        /* factor: of each arc, or NULL */
    int64_t step, stride, start, width, heads; /* columns from start on */
    NAME(ivec) lane[8];
} NAME(mix);

INLINE void NAME(mix_lanes)(NAME(mix) * m, int64_t start, int Q) {
    m->start = start;
    for (int q = 0; q < Q; q++)
        for (int i = 0; i < LANES; i++) {
            const int64_t head = (start + q * LANES + i) / m->width;
            m->lane[q][i] = (WHOLE)(head < m->heads ? head : 0);
        }
}
INLINE void NAME(mix_add)(NAME(vec) * acc, const NAME(mix) * m, int64_t arc, int64_t u,
                          const int Q, const bool few, const bool own) {
    const REAL *a = m->alpha + arc * m->step;
    const REAL *row = m->table + u * m->stride + m->start;
    const REAL factor = m->factor && !own ? m->factor[arc] : 1;
#pragma GCC unroll 8
    for (int q = 0; q < Q; q++) {
        NAME(vec) w;
        if (few)
            w = __builtin_shuffle(AT(a), m->lane[q]);
        else
            for (int i = 0; i < LANES; i++) w[i] = a[m->lane[q][i]];
        if (m->factor) w *= factor;
        acc[q] += AT(row + q * LANES) * w;
    }
}

/* One panel of Q vectors of the rows of the work. forward: in: h, other: alpha. */
INLINE void NAME(mix_panel)(pvgi_tape *t, const work *k, const NAME(mix) * m, const int Q,
                            const bool few, const bool back) {
    const pvgi_op *op = k->op;
    const int64_t *offsets = back ? t->back_offsets : t->data->offsets;
    const int32_t *columns = back ? t->back_columns : t->data->columns;
    EACH_ROW(v) {
        NAME(vec) acc[8];
        REAL *to =
            (back ? NAME(grad)(t, op->in, v) : NAME(value)(t, op->out, v)) + m->start;
#pragma GCC unroll 8
        for (int q = 0; q < Q; q++)
            acc[q] = back && op->add_in ? AT(to + q * LANES) : (NAME(vec)){0};
        for (int64_t e = offsets[v]; e < offsets[v + 1]; e++) NAME(mix_add)
        (acc, m, back ? t->back_places[e] : e, columns[e], Q, few, false);
        NAME(mix_add)(acc, m, t->arcs + v, v, Q, few, true);
#pragma GCC unroll 8
        for (int q = 0; q < Q; q++) PUT(to + q * LANES) = acc[q];
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
    const bool few = m.heads <= LANES;
    for (int64_t c = 0; c < m.stride;) {
        const int64_t left = m.stride - c;
        const int Q = few && left >= 8 * LANES ? 8 : few && left >= 4 * LANES ? 4 : 1;
        NAME(mix_lanes)(&m, c, Q);
        if (few && Q == 8)
            NAME(mix_panel)(t, k, &m, 8, true, back);
        else if (few && Q == 4)
            NAME(mix_panel)(t, k, &m, 4, true, back);
        else if (few)
            NAME(mix_panel)(t, k, &m, 1, true, back);
        else
            NAME(mix_panel)(t, k, &m, 1, false, back);
        c += Q * LANES;
    }
}
OPERATION(edge_aggregate_forward) {
    NAME(mix_all)(t, k, false);
}

/* Gradients of alpha, and of a factor of each arc. */
INLINE void NAME(edge_aggregate_arcs)(pvgi_tape *t, const work *k) {
    const pvgi_op *op = k->op;
    const int64_t heads = op->choice, step = t->stride[op->other];
    const int64_t width = t->program.tensors[op->in].columns / heads;
    const REAL *alpha = t->value[op->other];
    const REAL *factor = t->arc_factor;
    REAL *arcs = t->arc_gradient;
    EACH_ROW(v) {
        const REAL *g = NAME(grad)(t, op->out, v);
        EACH_ARC(e, v) {
            const int64_t row = NAME(arc_row)(t, e, v);
            const REAL *x = NAME(value)(t, op->in, NAME(arc_end)(t, e, v));
            REAL *da = (REAL *)t->grad[op->other] + row * step;
            for (int64_t h = 0; h < heads; h++) {
                REAL sum = 0;
                int64_t j = h * width;
                const int64_t end = j + width;
                if (width >= LANES) {
                    NAME(vec) acc = {0};
                    for (; j + LANES <= end; j += LANES) acc += AT(g + j) * AT(x + j);
                    sum = NAME(across)(acc);
                }
                for (; j < end; j++) sum += g[j] * x[j];
                if (arcs && row == e) arcs[e] += sum * alpha[row * step + h];
                da[h] = factor && row == e ? sum * factor[e] : sum;
            }
            NAME(clear)(da + heads, step - heads);
        }
    }
}
OPERATION(edge_aggregate_backward) {
    if (k->part == 0)
        NAME(edge_aggregate_arcs)(t, k);
    else
        NAME(mix_all)(t, k, true);
}
#undef EACH_ARC
