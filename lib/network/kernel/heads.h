/* Columns shared among heads: sums over the columns of each head, and a number of a head
 * spread over its columns. Heads take turns, column j is of head j mod heads: a vector of
 * columns then meets a vector of heads as it is, and a sum over the columns of each head
 * takes no shuffle. A single head has whole rows, as what is behind the last column is
 * zero. */

typedef enum {
    NAME(ONE),   /* a single head */
    NAME(FULL),  /* as many heads as lanes */
    NAME(WHOLE), /* several vectors of heads */
    NAME(FEW),   /* fewer than lanes */
    NAME(MANY)
} NAME(share);

INLINE NAME(share) NAME(share_of)(int64_t heads) {
    if (heads == 1) return NAME(ONE);
    if (heads % LANES == 0) return heads == LANES ? NAME(FULL) : NAME(WHOLE);
    return heads < LANES ? NAME(FEW) : NAME(MANY);
}

/* a b over whole vectors of columns, lane by lane. */
INLINE NAME(vec) NAME(lane_sums)(const REAL *a, const REAL *b, int64_t columns) {
    NAME(vec) sum = AT(a) * AT(b);
    for (int64_t j = LANES; j < columns; j += LANES) sum += AT(a + j) * AT(b + j);
    return sum;
}

/* out_h = sum over the columns of head h of a b; out is whole vectors unless there is one
 * head, and what is behind the last head is zero. width: columns of a head. */
INLINE void NAME(head_sums)(REAL *out, const REAL *a, const REAL *b, int64_t heads,
                            int64_t width, const NAME(share) share) {
    if (share == NAME(ONE)) {
        *out = NAME(across)(NAME(lane_sums)(a, b, width));
        return;
    }
    const int64_t all = heads * width;
    for (int64_t h = 0; h < heads; h += LANES) {
        NAME(vec) sum = {0};
        int64_t j = h;
        for (; j + LANES <= all; j += heads) sum += AT(a + j) * AT(b + j);
        if (share == NAME(FEW) || share == NAME(MANY)) {
            /* lanes behind the last head hold other heads; the last turns are short */
            for (; j < all; j += heads)
                for (int i = 0; i < LANES && j + i < all; i++)
                    sum[i] += a[j + i] * b[j + i];
            for (int i = 0; i < LANES; i++) sum[i] = h + i < heads ? sum[i] : 0;
        }
        PUT(out + h) = sum;
    }
}

/* The number of its head for each lane of the vector of columns from j on. */
INLINE NAME(vec)
    NAME(spread)(const REAL *numbers, int64_t j, int64_t heads, const NAME(share) share) {
    if (share == NAME(ONE)) return NAME(all)(*numbers);
    if (share == NAME(FULL)) return AT(numbers);
    if (share == NAME(WHOLE)) return AT(numbers + j % heads);
    NAME(vec) out;
    for (int i = 0; i < LANES; i++) out[i] = numbers[(j + i) % heads];
    return out;
}

/* Runs `call`, a statement with `share`, with what the heads are as a constant. */
#define EACH_SHARE(share, heads, call)                                                   \
    switch (NAME(share_of)(heads)) {                                                     \
    case NAME(ONE): {                                                                    \
        const NAME(share) share = NAME(ONE);                                             \
        call;                                                                            \
        break;                                                                           \
    }                                                                                    \
    case NAME(FULL): {                                                                   \
        const NAME(share) share = NAME(FULL);                                            \
        call;                                                                            \
        break;                                                                           \
    }                                                                                    \
    case NAME(WHOLE): {                                                                  \
        const NAME(share) share = NAME(WHOLE);                                           \
        call;                                                                            \
        break;                                                                           \
    }                                                                                    \
    case NAME(FEW): {                                                                    \
        const NAME(share) share = NAME(FEW);                                             \
        call;                                                                            \
        break;                                                                           \
    }                                                                                    \
    case NAME(MANY): {                                                                   \
        const NAME(share) share = NAME(MANY);                                            \
        call;                                                                            \
        break;                                                                           \
    }                                                                                    \
    }

INLINE void NAME(head_dot_rows)(pvgi_tape *t, const work *k, int64_t width,
                                const NAME(share) share) {
    const REAL *w = NAME(weights)(t, k->op->param);
    EACH_ROW(v)
    NAME(head_sums)
    (NAME(value)(t, k->op->out, v), NAME(value)(t, k->op->in, v), w, k->op->choice, width,
     share);
}

/* Q vectors of columns from `start` on: gradients of rows, and of the weights. */
INLINE void NAME(head_dot_panel)(pvgi_tape *t, const work *k, int64_t start,
                                 const NAME(share) share, const int Q) {
    const pvgi_op *op = k->op;
    const REAL *w = NAME(weights)(t, op->param) + start;
    REAL *dw = NAME(slot)(t, op->param, k->chunk) + start;
    NAME(vec) acc[4];
#pragma GCC unroll 4
    for (int q = 0; q < Q; q++) acc[q] = k->fresh ? (NAME(vec)){0} : AT(dw + q * LANES);
    EACH_ROW(v) {
        const REAL *x = NAME(value)(t, op->in, v) + start;
        const REAL *g = NAME(grad)(t, op->out, v);
        REAL *to = NAME(grad)(t, op->in, v) + start;
#pragma GCC unroll 4
        for (int q = 0; q < Q; q++) {
            const int64_t j = q * LANES;
            const NAME(vec) of = NAME(spread)(g, start + j, op->choice, share);
            NAME(vec) d = of * AT(w + j);
            acc[q] += of * AT(x + j);
            if (op->add_in) d += AT(to + j);
            PUT(to + j) = d;
        }
    }
#pragma GCC unroll 4
    for (int q = 0; q < Q; q++) PUT(dw + q * LANES) = acc[q];
}
INLINE void NAME(head_dot_back)(pvgi_tape *t, const work *k, const NAME(share) share) {
    const int64_t stride = t->stride[k->op->in];
    int64_t j = 0;
    for (; j + 4 * LANES <= stride; j += 4 * LANES)
        NAME(head_dot_panel)(t, k, j, share, 4);
    for (; j < stride; j += LANES) NAME(head_dot_panel)(t, k, j, share, 1);
}

OPERATION(head_dot_forward) {
    const int64_t width = t->program.tensors[k->op->in].columns / k->op->choice;
    EACH_SHARE(share, k->op->choice, NAME(head_dot_rows)(t, k, width, share))
}
OPERATION(head_dot_backward){
    EACH_SHARE(share, k->op->choice, NAME(head_dot_back)(t, k, share))}

OPERATION(head_mean_forward) {
    const int64_t heads = k->op->choice;
    const int64_t width = t->program.tensors[k->op->out].columns;
    const REAL part = 1 / (REAL)heads;
    EACH_ROW(v) {
        const REAL *x = NAME(value)(t, k->op->in, v);
        REAL *out = NAME(value)(t, k->op->out, v);
        for (int64_t j = 0; j < width; j++) {
            REAL sum = 0;
            for (int64_t h = 0; h < heads; h++) sum += x[j * heads + h];
            out[j] = sum * part;
        }
    }
}

OPERATION(head_mean_backward) {
    const pvgi_op *op = k->op;
    const int64_t heads = op->choice, width = t->program.tensors[op->out].columns;
    const REAL part = 1 / (REAL)heads;
    EACH_ROW(v) {
        const REAL *g = NAME(grad)(t, op->out, v);
        REAL *to = NAME(grad)(t, op->in, v);
        if (!op->add_in) NAME(clear)(to, t->stride[op->in]);
        for (int64_t j = 0; j < width; j++)
            for (int64_t h = 0; h < heads; h++) to[j * heads + h] += g[j] * part;
    }
}
