/* Rows of one record times weights, for ghost.c: define TARGET and NAME(x) and include.
 * Every sum has one order, whatever the instruction set, and no function sees more than
 * one record. Strides are whole vectors, the rest zeros. */

typedef double NAME(vec) __attribute__((vector_size(32), may_alias, aligned(8)));
#define AT(pointer)  (*(const NAME(vec) *)(pointer))
#define PUT(pointer) (*(NAME(vec) *)(pointer))

/* Q vectors of columns of out = sum over k of values[k] (row index[k], or k, of w). */
TARGET static inline __attribute__((always_inline)) void
NAME(panel)(double *out, const double *w, int64_t stride, const int32_t *index,
            const double *values, int64_t count, const int Q) {
    NAME(vec) sum[8];
#pragma GCC unroll 8
    for (int q = 0; q < Q; q++) sum[q] = (NAME(vec)){0};
    for (int64_t k = 0; k < count; k++) {
        const double *row = w + (index ? index[k] : k) * stride;
#pragma GCC unroll 8
        for (int q = 0; q < Q; q++) sum[q] += AT(row + 4 * q) * values[k];
    }
#pragma GCC unroll 8
    for (int q = 0; q < Q; q++) PUT(out + 4 * q) = sum[q];
}

TARGET static void NAME(forward)(double *out, const double *w, int64_t stride,
                                 const int32_t *index, const double *values,
                                 int64_t count) {
    int64_t c = 0;
    for (; c + 32 <= stride; c += 32)
        NAME(panel)(out + c, w + c, stride, index, values, count, 8);
    for (; c + 8 <= stride; c += 8)
        NAME(panel)(out + c, w + c, stride, index, values, count, 2);
    if (c < stride) NAME(panel)(out + c, w + c, stride, index, values, count, 1);
}

/* in[k] += the product of row k of w and e. */
TARGET static void NAME(back)(double *in, const double *w, int64_t stride,
                              const double *e, int64_t count) {
    for (int64_t k = 0; k < count; k++) {
        const double *row = w + k * stride;
        NAME(vec) sum = {0};
        for (int64_t c = 0; c < stride; c += 4) sum += AT(row + c) * AT(e + c);
        in[k] += (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
}

/* Row index[k], or k, of out += values[k] e: whole numbers, so this is exact. */
TARGET static void NAME(outer)(double *out, int64_t stride, const int32_t *index,
                               const double *values, int64_t count, const double *e) {
    for (int64_t k = 0; k < count; k++) {
        double *row = out + (index ? index[k] : k) * stride;
        const double factor = values[k];
        if (factor == 0) continue;
        for (int64_t c = 0; c < stride; c += 4)
            PUT(row + c) = AT(row + c) + AT(e + c) * factor;
    }
}

/* Sum of squares: four sums of every fourth number, then those that are left. */
TARGET static double NAME(squares)(const double *x, int64_t columns) {
    NAME(vec) sum = {0};
    int64_t j = 0;
    for (; j + 4 <= columns; j += 4) sum += AT(x + j) * AT(x + j);
    double all = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    for (; j < columns; j++) all += x[j] * x[j];
    return all;
}

/* The largest |x|; NaN is passed over. */
TARGET static double NAME(largest)(const double *x, int64_t columns) {
    double most = 0;
    for (int64_t j = 0; j < columns; j++) most = fabs(x[j]) > most ? fabs(x[j]) : most;
    return most;
}

/* out = factor x towards zero where that is at most bound < 2^62, else 0: also where it
 * is no number. */
TARGET static void NAME(whole)(double *out, const double *x, int64_t columns,
                               double factor, double bound) {
    for (int64_t j = 0; j < columns; j++) {
        const double y = x[j] * factor;
        out[j] = TOWARDS_ZERO(fabs(y) <= bound ? y : 0);
    }
}

/* Sum of squares of whole numbers of at most 2^21, in integers: 2^11 squares of 2^42 are
 * exact in a double. */
TARGET static pvgi_ghost_sum NAME(exact)(const double *x, int64_t columns) {
    pvgi_ghost_sum all = 0;
    for (int64_t j = 0; j < columns;) {
        const int64_t end = columns - j > 4 << 11 ? j + (4 << 11) : columns;
        NAME(vec) sum = {0};
        double rest = 0;
        for (; j + 4 <= end; j += 4) sum += AT(x + j) * AT(x + j);
        for (; j < end; j++) rest += x[j] * x[j];
        all += (uint64_t)sum[0] + (uint64_t)sum[1] + (uint64_t)sum[2] + (uint64_t)sum[3] +
               (uint64_t)rest;
    }
    return all;
}

#undef AT
#undef PUT
