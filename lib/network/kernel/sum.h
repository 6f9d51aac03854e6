/* Sums of weighted rows of a table: sparse products. */

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
