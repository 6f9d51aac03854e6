/* The inner loops of sparse times dense, written once for both element types: define
 * REAL, LANES and NAME(x) and include. Every result is one sum in the order of the
 * neighbours, so instruction sets differ in nothing. */

typedef REAL NAME(vector)
    __attribute__((vector_size(PVGI_SPMM_VECTOR), may_alias, aligned(sizeof(REAL))));
#define AT(pointer)  (*(const NAME(vector) *)(pointer))
#define PUT(pointer) (*(NAME(vector) *)(pointer))

/* --- packing -------------------------------------------------------------------- */

/* Factor of P for one row. */
INLINE double NAME(row_factor)(const REAL *row, int64_t columns, pvgi_rows rows) {
#if PROJECTS
    NAME(vector) a = {0}, b = {0};
    int64_t j = 0;
    for (; j + 2 * LANES <= columns; j += 2 * LANES) {
        a += AT(row + j) * AT(row + j);
        b += AT(row + j + LANES) * AT(row + j + LANES);
    }
    a += b;
    double sum = (a[0] + a[1]) + (a[2] + a[3]);
    for (; j < columns; j++) sum += row[j] * row[j];
    if (sum <= 1 && rows == PVGI_ROWS_PROJECTED) return 1;
    if (!(sum >= 0x1p-900 && sum <= 0x1p1000))
        return pvgi_propagate_careful_factor(row, columns, rows);
    return 1 / sqrt(sum);
#else
    (void)row;
    (void)columns;
    (void)rows;
    return 1;
#endif
}

/* to[0..width) = factor times row[0..live), then zeros. */
INLINE void NAME(scale)(REAL *to, const REAL *row, int64_t width, int64_t live,
                        REAL factor) {
    int64_t j = 0;
    for (; j + LANES <= live; j += LANES) PUT(to + j) = AT(row + j) * factor;
    for (; j < live; j++) to[j] = row[j] * factor;
    for (; j < width; j++) to[j] = 0;
}

INLINE void NAME(pack_body)(const pvgi_spmm *s, const void *x, int64_t first,
                            int64_t last, double *sums) {
    const int64_t d = s->columns, full = s->width * LANES;
    REAL *table = s->packed;
    for (int64_t v = first; v < last; v++) {
        const REAL *row = (const REAL *)x + v * d;
        const double factor =
            s->rows == PVGI_ROWS_KEPT ? 1 : NAME(row_factor)(row, d, s->rows);
        const REAL weight = (REAL)(factor * s->pre[v]);
        int64_t start = 0, panel = 0;
        if (sums)
            for (int64_t j = 0; j < d; j++) sums[j] += factor * row[j];
        for (; start + full <= d; start += full) NAME(scale)
        (table + s->order * start + v * full, row + start, full, full, weight);
        panel = start / full;
        for (int32_t vectors; (vectors = pvgi_propagate_panel(s, panel, &start)); panel++)
            NAME(scale)
        (table + s->order * start + v * vectors * LANES, row + start, vectors * LANES,
         d - start < vectors * LANES ? d - start : vectors * LANES, weight);
    }
}

/* --- sums over neighbours ------------------------------------------------------- */

/* Q vectors side by side, each in a register of its own. */
INLINE void NAME(sum_body)(const pvgi_spmm *s, REAL *out, int64_t start, const int32_t Q,
                           int64_t first, int64_t last, const int32_t ahead) {
    const int64_t d = s->columns, width = Q * LANES;
    const int64_t *offsets = s->graph->offsets, end = offsets[last];
    const int32_t *columns = s->graph->columns;
    const REAL *table = (const REAL *)s->table + s->order * start;
    const double *mean = s->mean ? s->mean + start : NULL;
    for (int64_t u = first; u < last; u++) {
        NAME(vector) sum[PVGI_SPMM_WIDEST];
#pragma GCC unroll 8
        for (int32_t q = 0; q < Q; q++) sum[q] = (NAME(vector)){0};
        for (int64_t k = offsets[u]; k < offsets[u + 1]; k++) {
            const REAL *row = table + (size_t)(uint32_t)columns[k] * (size_t)width;
            if (ahead) {
                const int64_t soon = k + ahead < end ? k + ahead : k;
                const REAL *next =
                    table + (size_t)(uint32_t)columns[soon] * (size_t)width;
#pragma GCC unroll 8
                for (int32_t q = 0; q < Q; q += 2) __builtin_prefetch(next + q * LANES);
            }
#pragma GCC unroll 8
            for (int32_t q = 0; q < Q; q++) sum[q] += AT(row + q * LANES);
        }
        const REAL self = (REAL)s->self[u], post = (REAL)s->post[u];
        const REAL *own = table + u * width;
        REAL *to = out + u * d + start;
#pragma GCC unroll 8
        for (int32_t q = 0; q < Q; q++) {
            NAME(vector) all = (sum[q] + AT(own + q * LANES) * self) * post;
            if (mean)
                for (int32_t i = 0; i < LANES; i++) all[i] += (REAL)mean[q * LANES + i];
            if (start + (q + 1) * LANES <= d)
                PUT(to + q * LANES) = all;
            else
                for (int32_t i = 0; start + q * LANES + i < d; i++)
                    to[q * LANES + i] = all[i];
        }
    }
}

INLINE void NAME(sum_any)(const pvgi_spmm *s, REAL *out, int64_t start, int32_t vectors,
                          int64_t first, int64_t last, const int32_t ahead) {
    switch (vectors) {
    case 1:
        NAME(sum_body)(s, out, start, 1, first, last, ahead);
        break;
    case 2:
        NAME(sum_body)(s, out, start, 2, first, last, ahead);
        break;
    case 4:
        NAME(sum_body)(s, out, start, 4, first, last, ahead);
        break;
    default:
        NAME(sum_body)(s, out, start, 8, first, last, ahead);
        break;
    }
}

#undef AT
#undef PUT
