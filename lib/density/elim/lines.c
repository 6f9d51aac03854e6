/* Sums of rows and products of small matrices of doubles: the inner loops of
 * elim/grids.inc.
 *
 * Columns are taken in vectors of four and kept in registers: 16 columns of a sum, four
 * rows by eight columns of a product. Each entry is a sum from the first term to the
 * last, every operation rounded, so that the bits do not depend on the vectors of a
 * processor. The same source with and without AVX2. */
#include "elim_internal.h"

typedef double lane __attribute__((vector_size(32), aligned(8), may_alias));

#define INLINE static inline __attribute__((always_inline))

/* `lanes` vectors of columns, from column c on. */
INLINE void sum_columns(double *out, const double *base, int64_t stride,
                        const int32_t *place, int32_t count, int32_t c, int lanes) {
    lane sum[4] = {{0}, {0}, {0}, {0}};
    for (int32_t i = 0; i < count; i++) {
        const lane *row = (const lane *)(base + place[i] * stride + c);
        for (int l = 0; l < lanes; l++) sum[l] += row[l];
    }
    for (int l = 0; l < lanes; l++) ((lane *)(out + c))[l] = sum[l];
}

INLINE void sum_all(double *out, const double *base, int64_t stride, const int32_t *place,
                    int32_t count, int32_t width) {
    int32_t c = 0;
    for (; c + 16 <= width; c += 16) sum_columns(out, base, stride, place, count, c, 4);
    for (; c + 8 <= width; c += 8) sum_columns(out, base, stride, place, count, c, 2);
    if (c < width) sum_columns(out, base, stride, place, count, c, 1);
}

/* `rows` rows and `lanes` vectors of columns of a product. */
INLINE void multiply_block(double *out, const double *a, int64_t a_stride,
                           const double *b, int32_t inner, int64_t width, int rows,
                           int lanes) {
    lane sum[4][2] = {{{0}, {0}}, {{0}, {0}}, {{0}, {0}}, {{0}, {0}}};
    for (int32_t k = 0; k < inner; k++) {
        const lane *row = (const lane *)(b + k * width);
        for (int r = 0; r < rows; r++)
            for (int l = 0; l < lanes; l++) sum[r][l] += a[r * a_stride + k] * row[l];
    }
    for (int r = 0; r < rows; r++)
        for (int l = 0; l < lanes; l++) ((lane *)(out + r * width))[l] = sum[r][l];
}

/* All rows of `lanes` vectors of columns; these of b stay in the cache. */
INLINE void multiply_columns(double *out, const double *a, int64_t a_stride,
                             const double *b, int32_t rows, int32_t inner, int64_t width,
                             int lanes) {
    int32_t r = 0;
    for (; r + 4 <= rows; r += 4)
        multiply_block(out + r * width, a + r * a_stride, a_stride, b, inner, width, 4,
                       lanes);
    for (; r < rows; r++)
        multiply_block(out + r * width, a + r * a_stride, a_stride, b, inner, width, 1,
                       lanes);
}

INLINE void multiply_all(double *out, const double *a, int64_t a_stride, const double *b,
                         int32_t rows, int32_t inner, int32_t width) {
    int32_t c = 0;
    for (; c + 8 <= width; c += 8)
        multiply_columns(out + c, a, a_stride, b + c, rows, inner, width, 2);
    if (c < width) multiply_columns(out + c, a, a_stride, b + c, rows, inner, width, 1);
}

#define LINES(name, target)                                                              \
    target static void sum_##name(double *out, const double *base, int64_t stride,       \
                                  const int32_t *place, int32_t count, int32_t width) {  \
        sum_all(out, base, stride, place, count, width);                                 \
    }                                                                                    \
    target static void multiply_##name(double *out, const double *a, int64_t a_stride,   \
                                       const double *b, int32_t rows, int32_t inner,     \
                                       int32_t width) {                                  \
        multiply_all(out, a, a_stride, b, rows, inner, width);                           \
    }                                                                                    \
    static const pvgi_elim_lines lines_##name = {sum_##name, multiply_##name};

LINES(portable, )
#if defined(__x86_64__)
LINES(avx2, __attribute__((target("avx2"))))
#endif

const pvgi_elim_lines *pvgi_density_elim_lines(pvgi_cpu level) {
#if defined(__x86_64__)
    if (level >= PVGI_CPU_AVX2) return &lines_avx2;
#endif
    (void)level;
    return &lines_portable;
}
