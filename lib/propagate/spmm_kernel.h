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

/* Q vectors of each row, weighted; beyond the matrix zeros. The first panel also finds
 * the factors of P, since later ones see the rows in part, and overwritten. */
INLINE void NAME(pack_body)(const pvgi_spmm *s, const REAL *x, int64_t start,
                            const int32_t Q, int64_t first, int64_t last, double *sums) {
    const int64_t d = s->columns, width = Q * LANES;
    const int64_t live = d - start < width ? d - start : width;
    REAL *to = (REAL *)s->packed + first * width;
    for (int64_t v = first; v < last; v++, to += width) {
        const REAL *row = x + v * d + start;
        const int64_t soon = v + PACK_AHEAD < last ? PACK_AHEAD * d : 0;
        if (s->factor && start == 0) s->factor[v] = NAME(row_factor)(row, d, s->rows);
        const double factor = s->factor ? s->factor[v] : 1;
        const REAL weight = (REAL)(factor * s->pre[v]);
        if (live == width) {
#pragma GCC unroll 8
            for (int32_t q = 0; q < Q; q += 2) __builtin_prefetch(row + soon + q * LANES);
#pragma GCC unroll 8
            for (int32_t q = 0; q < Q; q++)
                PUT(to + q * LANES) = AT(row + q * LANES) * weight;
        } else {
            for (int64_t j = 0; j < width; j++) to[j] = j < live ? row[j] * weight : 0;
        }
        if (sums)
            for (int64_t j = 0; j < live; j++) sums[j] += factor * row[j];
    }
}

/* --- sums over neighbours ------------------------------------------------------- */

/* Q vectors side by side, each in a register of its own. */
INLINE void NAME(sum_body)(const pvgi_spmm *s, REAL *out, int64_t start, const int32_t Q,
                           int64_t first, int64_t last, const int32_t ahead) {
    const int64_t d = s->columns, width = Q * LANES;
    const int64_t *offsets = s->graph->offsets, arcs = offsets[s->order];
    const int32_t *columns = s->graph->columns;
    const REAL *table = s->table;
    const bool whole = start + width <= d;
    NAME(vector) mean[PVGI_SPMM_WIDEST];
    for (int32_t q = 0; q < Q; q++)
        for (int32_t i = 0; i < LANES; i++)
            mean[q][i] = s->mean ? (REAL)s->mean[q * LANES + i] : 0;
    for (int64_t u = first; u < last; u++) {
        NAME(vector) sum[PVGI_SPMM_WIDEST];
        REAL *to = out + u * d + start;
        /* the last neighbours of all have none to prefetch after them */
        const int64_t distance = offsets[u + 1] + ahead <= arcs ? ahead : 0;
#pragma GCC unroll 8
        for (int32_t q = 0; q < Q; q++) sum[q] = (NAME(vector)){0};
        for (int64_t k = offsets[u]; k < offsets[u + 1]; k++) {
            const REAL *row = table + (size_t)(uint32_t)columns[k] * (size_t)width;
            if (ahead) {
                const REAL *next =
                    table + (size_t)(uint32_t)columns[k + distance] * (size_t)width;
#pragma GCC unroll 8
                for (int32_t q = 0; q < Q; q += 2) __builtin_prefetch(next + q * LANES);
            }
#pragma GCC unroll 8
            for (int32_t q = 0; q < Q; q++) sum[q] += AT(row + q * LANES);
        }
        const REAL self = (REAL)s->self[u], post = (REAL)s->post[u];
        const REAL *own = table + u * width;
#pragma GCC unroll 8
        for (int32_t q = 0; q < Q; q++)
            sum[q] = (sum[q] + AT(own + q * LANES) * self) * post;
        if (s->mean) {
#pragma GCC unroll 8
            for (int32_t q = 0; q < Q; q++) sum[q] += mean[q];
        }
        if (whole) {
#pragma GCC unroll 8
            for (int32_t q = 0; q < Q; q++) PUT(to + q * LANES) = sum[q];
        } else {
            memcpy(to, sum, (size_t)(d - start) * sizeof *to);
        }
    }
}

/* The bodies for each number of vectors. */
#define EACH(vectors, body, ...)                                                         \
    switch (vectors) {                                                                   \
    case 1:                                                                              \
        body(__VA_ARGS__, 1, first, last, extra);                                        \
        break;                                                                           \
    case 2:                                                                              \
        body(__VA_ARGS__, 2, first, last, extra);                                        \
        break;                                                                           \
    case 4:                                                                              \
        body(__VA_ARGS__, 4, first, last, extra);                                        \
        break;                                                                           \
    default:                                                                             \
        body(__VA_ARGS__, 8, first, last, extra);                                        \
    }
INLINE void NAME(pack_any)(const pvgi_spmm *s, const REAL *x, int64_t start,
                           int32_t vectors, int64_t first, int64_t last, double *extra){
    EACH(vectors, NAME(pack_body), s, x, start)} INLINE
    void NAME(sum_any)(const pvgi_spmm *s, REAL *out, int64_t start, int32_t vectors,
                       int64_t first, int64_t last, const int32_t extra) {
    EACH(vectors, NAME(sum_body), s, out, start)
}

#undef EACH
#undef AT
#undef PUT
