/* Neighbours: weighted sums over arcs. Backward sums over the arcs that point back, so no
 * two rows are written by different work. */

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
