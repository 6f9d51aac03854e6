/* Dense products. */

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
    NAME(vec) acc[6][2]; /* 12 of 16 registers: what hides the time of an addition */
    const REAL *a = p->a + from * p->row, *w = p->w + c;
#pragma GCC unroll 6
    for (int r = 0; r < R; r++)
#pragma GCC unroll 2
        for (int q = 0; q < Q; q++) acc[r][q] = (NAME(vec)){0};
    for (int64_t i = 0; i < p->terms; i++) {
#pragma GCC unroll 6
        for (int r = 0; r < R; r++) {
            const REAL factor = a[r * p->row + i * p->step];
#pragma GCC unroll 2
            for (int q = 0; q < Q; q++)
                acc[r][q] += AT(w + i * p->w_stride + q * LANES) * factor;
        }
    }
#pragma GCC unroll 6
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
    for (; i + 6 <= p->rows; i += 6) NAME(product_rows)(p, i, 6, add);
    if (i + 4 <= p->rows) {
        NAME(product_rows)(p, i, 4, add);
        i += 4;
    }
    if (i + 2 <= p->rows) {
        NAME(product_rows)(p, i, 2, add);
        i += 2;
    }
    if (i < p->rows) NAME(product_rows)(p, i, 1, add);
}
/* By value: constants of a copy stay in registers. */
KERNEL void NAME(multiply)(const NAME(product) p, bool add) {
    if (add)
        NAME(multiply_any)(&p, true);
    else
        NAME(multiply_any)(&p, false);
}
