/* Sums of weighted rows of a table (sparse products) and dense products. */

typedef struct {
    const REAL *table;
    int64_t stride;
    const int32_t *index; /* rows of the table */
    const REAL *weight;   /* of each term; or, if by_row, of each row of the table */
    int64_t count;
    REAL post;
    const REAL *own; /* one more row with weight self, or NULL */
    REAL self;
} NAME(sum);

INLINE void NAME(sum_panel)(REAL *out, const NAME(sum) * s, int64_t start, const int Q,
                            const bool by_row, const bool add) {
    NAME(vec) acc[8];
    const REAL *table = s->table + start;
#pragma GCC unroll 8
    for (int q = 0; q < Q; q++) acc[q] = (NAME(vec)){0};
    for (int64_t i = 0; i < s->count; i++) {
        const int64_t u = s->index[i];
        const REAL w = by_row ? s->weight[u] : s->weight[i];
        const REAL *row = table + u * s->stride;
#pragma GCC unroll 8
        for (int q = 0; q < Q; q++) acc[q] += AT(row + q * LANES) * w;
    }
#pragma GCC unroll 8
    for (int q = 0; q < Q; q++) {
        REAL *to = out + start + q * LANES;
        acc[q] *= s->post;
        if (s->own) acc[q] += AT(s->own + start + q * LANES) * s->self;
        if (add) acc[q] += AT(to);
        PUT(to) = acc[q];
    }
}

INLINE void NAME(sum_rows)(REAL *out, const NAME(sum) * s, int64_t columns,
                           const bool by_row, const bool add) {
    int64_t c = 0;
    for (; c + 8 * LANES <= columns; c += 8 * LANES)
        NAME(sum_panel)(out, s, c, 8, by_row, add);
    if (c + 4 * LANES <= columns) {
        NAME(sum_panel)(out, s, c, 4, by_row, add);
        c += 4 * LANES;
    }
    if (c + 2 * LANES <= columns) {
        NAME(sum_panel)(out, s, c, 2, by_row, add);
        c += 2 * LANES;
    }
    if (c < columns) NAME(sum_panel)(out, s, c, 1, by_row, add);
}

/* out (+)= sum of weight[i] table[index[i]] */
KERNEL void NAME(combine)(REAL *out, const NAME(sum) * s, int64_t columns, bool add) {
    if (add)
        NAME(sum_rows)(out, s, columns, false, true);
    else
        NAME(sum_rows)(out, s, columns, false, false);
}
/* out (+)= post sum of weight[index[i]] table[index[i]] + self own */
KERNEL void NAME(gather)(REAL *out, const NAME(sum) * s, int64_t columns, bool add) {
    if (add)
        NAME(sum_rows)(out, s, columns, true, true);
    else
        NAME(sum_rows)(out, s, columns, true, false);
}

/* out[r][c] (+)= sum over i < terms, in order, of a[r row + i step] w[i][c]. With row =
 * stride of a, step = 1 it is A W; with row = 1, step = stride of a it is A^T W. */
typedef struct {
    REAL *out;
    int64_t out_stride;
    const REAL *a;
    int64_t row, step;
    const REAL *w;
    int64_t w_stride; /* also the columns of out that are written */
    int64_t rows, terms;
} NAME(product);

INLINE void NAME(product_tile)(const NAME(product) * p, int64_t from, int64_t c,
                               const int R, const int Q, const bool add) {
    NAME(vec) acc[4][2];
    const REAL *a = p->a + from * p->row, *w = p->w + c;
#pragma GCC unroll 4
    for (int r = 0; r < R; r++)
#pragma GCC unroll 2
        for (int q = 0; q < Q; q++) acc[r][q] = (NAME(vec)){0};
    for (int64_t i = 0; i < p->terms; i++) {
#pragma GCC unroll 4
        for (int r = 0; r < R; r++) {
            const REAL factor = a[r * p->row + i * p->step];
#pragma GCC unroll 2
            for (int q = 0; q < Q; q++)
                acc[r][q] += AT(w + i * p->w_stride + q * LANES) * factor;
        }
    }
#pragma GCC unroll 4
    for (int r = 0; r < R; r++)
#pragma GCC unroll 2
        for (int q = 0; q < Q; q++) {
            REAL *to = p->out + (from + r) * p->out_stride + c + q * LANES;
            if (add) acc[r][q] += AT(to);
            PUT(to) = acc[r][q];
        }
}

INLINE void NAME(product_rows)(const NAME(product) * p, int64_t from, const int R,
                               const bool add) {
    int64_t c = 0;
    for (; c + 2 * LANES <= p->w_stride; c += 2 * LANES)
        NAME(product_tile)(p, from, c, R, 2, add);
    if (c < p->w_stride) NAME(product_tile)(p, from, c, R, 1, add);
}

INLINE void NAME(multiply_any)(const NAME(product) * p, const bool add) {
    int64_t i = 0;
    for (; i + 4 <= p->rows; i += 4) NAME(product_rows)(p, i, 4, add);
    for (; i < p->rows; i++) NAME(product_rows)(p, i, 1, add);
}
/* By value: constants of a copy stay in registers. */
KERNEL void NAME(multiply)(const NAME(product) p, bool add) {
    if (add)
        NAME(multiply_any)(&p, true);
    else
        NAME(multiply_any)(&p, false);
}
