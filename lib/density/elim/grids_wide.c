/* Grids with 128-bit integers in all rows: where doubles may be rounded. */
#include "wide.h"

#include <string.h>

static void sum_lines(bool *overflow, pvgi_u128 *out, const pvgi_u128 *base,
                      int64_t stride, const int32_t *place, int32_t count,
                      int32_t width) {
    for (int32_t c = 0; c < width; c++) { /* out may be one of the rows */
        pvgi_u128 sum = 0;
        for (int32_t i = 0; i < count; i++)
            sum = add(overflow, sum, base[place[i] * stride + c]);
        out[c] = sum;
    }
}

static void multiply_lines(bool *overflow, pvgi_u128 *out, const pvgi_u128 *a,
                           int64_t a_stride, const pvgi_u128 *b, int32_t rows,
                           int32_t inner, int32_t width) {
    for (int32_t i = 0; i < rows; i++, out += width, a += a_stride) {
        memset(out, 0, (size_t)width * sizeof *out);
        for (int32_t k = 0; k < inner; k++)
            for (int32_t c = 0; c < width; c++)
                out[c] = add(overflow, out[c],
                             multiply(overflow, a[k], b[(int64_t)k * width + c]));
    }
}

#define CELL                   pvgi_u128
#define PLUS(j, a, b)          add(&(j)->overflow, (a), (b))
#define TIMES(j, a, b)         multiply(&(j)->overflow, (a), (b))
#define VALUE                  pvgi_u128
#define WIDEN(j, a)            (a)
#define ADD                    PLUS
#define MULTIPLY               TIMES
#define SUM_LINES(j, ...)      sum_lines(&(j)->overflow, __VA_ARGS__)
#define MULTIPLY_LINES(j, ...) multiply_lines(&(j)->overflow, __VA_ARGS__)
#define COUNT_GRIDS            pvgi_density_elim_grids_wide
#include "grids.inc"
