/* Columns shared among heads: sums over the columns of each head, and a number of a head
 * spread over its columns. Where the columns of a head are whole vectors, a vector has
 * one head; a single head has whole rows, as what is behind the last column is zero. */

typedef enum {
    NAME(ONE),   /* a single head */
    NAME(EVEN),  /* a vector of columns each */
    NAME(WHOLE), /* several vectors each */
    NAME(FEW),   /* any columns, at most LANES heads */
    NAME(MANY)
} NAME(share);

INLINE NAME(share) NAME(share_of)(int64_t heads, int64_t width) {
    if (heads == 1) return NAME(ONE);
    if (width % LANES == 0) return width == LANES ? NAME(EVEN) : NAME(WHOLE);
    return heads <= LANES ? NAME(FEW) : NAME(MANY);
}

/* Lane i is the sum of the lanes of p[i], in the order of `across`. */
INLINE NAME(vec) NAME(fold)(const NAME(vec) * p) {
#if LANES == 8
    NAME(vec) q[4], r[2];
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++)
        q[i] = __builtin_shufflevector(p[i], p[i + 4], 0, 1, 2, 3, 8, 9, 10, 11) +
               __builtin_shufflevector(p[i], p[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
#pragma GCC unroll 2
    for (int i = 0; i < 2; i++)
        r[i] =
            __builtin_shufflevector(q[2 * i], q[2 * i + 1], 0, 1, 8, 9, 4, 5, 12, 13) +
            __builtin_shufflevector(q[2 * i], q[2 * i + 1], 2, 3, 10, 11, 6, 7, 14, 15);
    return __builtin_shufflevector(r[0], r[1], 0, 2, 8, 10, 4, 6, 12, 14) +
           __builtin_shufflevector(r[0], r[1], 1, 3, 9, 11, 5, 7, 13, 15);
#else
    NAME(vec) q[2];
#pragma GCC unroll 2
    for (int i = 0; i < 2; i++)
        q[i] = __builtin_shufflevector(p[i], p[i + 2], 0, 1, 4, 5) +
               __builtin_shufflevector(p[i], p[i + 2], 2, 3, 6, 7);
    return __builtin_shufflevector(q[0], q[1], 0, 4, 2, 6) +
           __builtin_shufflevector(q[0], q[1], 1, 5, 3, 7);
#endif
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
    if (share == NAME(FEW) || share == NAME(MANY)) {
        for (int64_t h = 0; h < heads; h++) {
            REAL sum = 0;
            for (int64_t j = h * width; j < (h + 1) * width; j++) sum += a[j] * b[j];
            out[h] = sum;
        }
        NAME(clear)(out + heads, pvgi_network_pad(heads, LANES) - heads);
        return;
    }
    for (int64_t from = 0; from < heads; from += LANES) {
        NAME(vec) p[LANES];
#pragma GCC unroll 8
        for (int i = 0; i < LANES; i++) {
            const int64_t at = (from + i) * width;
            if (from + i >= heads)
                p[i] = (NAME(vec)){0};
            else if (share == NAME(EVEN))
                p[i] = AT(a + at) * AT(b + at);
            else
                p[i] = NAME(lane_sums)(a + at, b + at, width);
        }
        PUT(out + from) = NAME(fold)(p);
    }
}

/* The number of its head for each lane of the vector of columns from j on. */
INLINE NAME(vec) NAME(spread)(const REAL *numbers, int64_t j, int64_t heads,
                              int64_t width, const NAME(share) share) {
    if (share == NAME(ONE)) return NAME(all)(*numbers);
    if (share == NAME(EVEN)) return NAME(all)(numbers[j / LANES]);
    if (share == NAME(WHOLE)) return NAME(all)(numbers[j / width]);
    NAME(vec) out;
    for (int i = 0; i < LANES; i++) {
        const int64_t h = (j + i) / width;
        out[i] = h < heads ? numbers[h] : 0;
    }
    return out;
}

/* Runs `call`, a statement with `share`, with what the heads are as a constant. */
#define EACH_SHARE(share, heads, width, call)                                            \
    switch (NAME(share_of)(heads, width)) {                                              \
    case NAME(ONE): {                                                                    \
        const NAME(share) share = NAME(ONE);                                             \
        call;                                                                            \
        break;                                                                           \
    }                                                                                    \
    case NAME(EVEN): {                                                                   \
        const NAME(share) share = NAME(EVEN);                                            \
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
INLINE void NAME(head_dot_panel)(pvgi_tape *t, const work *k, int64_t width,
                                 int64_t start, const NAME(share) share, const int Q) {
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
            const NAME(vec) of = NAME(spread)(g, start + j, op->choice, width, share);
            NAME(vec) d = of * AT(w + j);
            acc[q] += of * AT(x + j);
            if (op->add_in) d += AT(to + j);
            PUT(to + j) = d;
        }
    }
#pragma GCC unroll 4
    for (int q = 0; q < Q; q++) PUT(dw + q * LANES) = acc[q];
}
INLINE void NAME(head_dot_back)(pvgi_tape *t, const work *k, int64_t width,
                                const NAME(share) share) {
    const int64_t stride = t->stride[k->op->in];
    int64_t j = 0;
    for (; j + 4 * LANES <= stride; j += 4 * LANES)
        NAME(head_dot_panel)(t, k, width, j, share, 4);
    for (; j < stride; j += LANES) NAME(head_dot_panel)(t, k, width, j, share, 1);
}

OPERATION(head_dot_forward) {
    const int64_t width = t->program.tensors[k->op->in].columns / k->op->choice;
    EACH_SHARE(share, k->op->choice, width, NAME(head_dot_rows)(t, k, width, share))
}
OPERATION(head_dot_backward) {
    const int64_t width = t->program.tensors[k->op->in].columns / k->op->choice;
    EACH_SHARE(share, k->op->choice, width, NAME(head_dot_back)(t, k, width, share))
}

OPERATION(head_mean_forward) {
    const int64_t heads = k->op->choice;
    const int64_t width = t->program.tensors[k->op->out].columns;
    const REAL part = 1 / (REAL)heads;
    EACH_ROW(v) {
        const REAL *x = NAME(value)(t, k->op->in, v);
        REAL *out = NAME(value)(t, k->op->out, v);
        for (int64_t j = 0; j < width; j++) {
            REAL sum = 0;
            for (int64_t h = 0; h < heads; h++) sum += x[h * width + j];
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
        for (int64_t h = 0; h < heads; h++)
            for (int64_t j = 0; j < width; j++) to[h * width + j] += g[j] * part;
    }
}
