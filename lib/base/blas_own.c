/* Our own dense kernels, for small problems and where there is no BLAS.
 *
 * Products: strips of 8 columns of B are packed for 128 rows at a time, and 6 rows of A
 * meet one strip in registers: 2 rows inner columns operations, vectors of 4, fused where
 * the processor can. Eigenvalues: Householder reduction to a tridiagonal matrix, then
 * implicit QL steps (Wilkinson's shift), about 9 n^3 operations, one thread. */
#include "blas.h"

#include "base_internal.h"

#include <math.h>
#include <string.h>

/* --- products --------------------------------------------------------------------- */

enum { WIDE = 8, HIGH = 6, DEEP = 128, BLOCK = 96 };
typedef double four __attribute__((vector_size(32), aligned(8)));

/* out (up to 6 x 8) += A (6 x deep: a[i * row + k * step]) times strip (deep x 8). */
typedef void meet(double *out, int64_t stride, const double *a, int64_t row, int64_t step,
                  const double *strip, int64_t deep, int high, int wide);

/* One source for all instruction sets and for the two ways that A may lie in memory. */
#define MEET(name, attributes, STEP, FUSED)                                              \
    attributes static void name(double *out, int64_t stride, const double *a,            \
                                int64_t row, int64_t step, const double *strip,          \
                                int64_t deep, int high, int wide) {                      \
        four sum[HIGH][2] = {{{0}}};                                                     \
        const double *from[HIGH];                                                        \
        (void)step;                                                                      \
        for (int i = 0; i < HIGH; i++) from[i] = a + (i < high ? i : 0) * row;           \
        for (int64_t k = 0; k < deep; k++) {                                             \
            const four b0 = *(const four *)(strip + WIDE * k);                           \
            const four b1 = *(const four *)(strip + WIDE * k + 4);                       \
            for (int i = 0; i < HIGH; i++) {                                             \
                const double x = from[i][k * (STEP)];                                    \
                const four v = {x, x, x, x};                                             \
                sum[i][0] = FUSED(v, b0, sum[i][0]);                                     \
                sum[i][1] = FUSED(v, b1, sum[i][1]);                                     \
            }                                                                            \
        }                                                                                \
        for (int i = 0; i < HIGH; i++) {                                                 \
            if (i >= high) return;                                                       \
            if (wide == WIDE) {                                                          \
                *(four *)(out + i * stride) += sum[i][0];                                \
                *(four *)(out + i * stride + 4) += sum[i][1];                            \
            } else                                                                       \
                for (int j = 0; j < wide; j++)                                           \
                    out[i * stride + j] += sum[i][j / 4][j % 4];                         \
        }                                                                                \
    }

#define APART(x, y, z) ((x) * (y) + (z))
MEET(meet_portable, , step, APART)
#if defined(__x86_64__) && defined(__GNUC__)
#define TOGETHER(x, y, z) ((four)__builtin_ia32_vfmaddpd256((x), (y), (z)))
#define AVX2              __attribute__((target("avx2,fma")))
MEET(meet_rows, AVX2, 1, TOGETHER)
MEET(meet_columns, AVX2, step, TOGETHER)
#endif

static meet *choose_meet(bool flipped) {
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return flipped ? meet_columns : meet_rows;
#endif
    (void)flipped;
    return meet_portable;
}

/* Rows k0 .. k0 + deep of columns j .. j + wide of B, eight per row. */
static void pack(double *strip, const double *b, bool flipped, int64_t inner,
                 int64_t columns, int64_t k0, int64_t deep, int64_t j, int wide) {
    if (wide < WIDE) memset(strip, 0, (size_t)(deep * WIDE) * sizeof *strip);
    for (int64_t k = 0; k < deep; k++)
        for (int c = 0; c < wide; c++)
            strip[k * WIDE + c] =
                flipped ? b[(j + c) * inner + k0 + k] : b[(k0 + k) * columns + j + c];
}

void pvgi_blas_own_multiply(double *out, const double *a, bool a_flipped, const double *b,
                            bool b_flipped, int64_t rows, int64_t inner, int64_t columns,
                            bool add) {
    double strip[DEEP * WIDE];
    /* cppcheck-suppress legacyUninitvar; it takes the declaration for a product */
    meet *const meets = choose_meet(a_flipped);
    const int64_t row = a_flipped ? 1 : inner, step = a_flipped ? rows : 1;
    if (rows < 1 || columns < 1) return;
    if (!add) memset(out, 0, (size_t)rows * (size_t)columns * sizeof *out);
    for (int64_t k = 0; k < inner; k += DEEP) {
        const int64_t deep = inner - k < DEEP ? inner - k : DEEP;
        for (int64_t first = 0; first < rows; first += BLOCK) {
            const int64_t last = rows - first < BLOCK ? rows : first + BLOCK;
            for (int64_t j = 0; j < columns; j += WIDE) {
                const int wide = (int)(columns - j < WIDE ? columns - j : WIDE);
                pack(strip, b, b_flipped, inner, columns, k, deep, j, wide);
                for (int64_t i = first; i < last; i += HIGH) {
                    const int high = (int)(last - i < HIGH ? last - i : HIGH);
                    meets(out + i * columns + j, columns, a + i * row + k * step, row,
                          step, strip, deep, high, wide);
                }
            }
        }
    }
}

/* --- eigenvalues ------------------------------------------------------------------ */

/* v^T y over n entries. */
static double dot(const double *x, const double *y, int64_t n) {
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

/* A = Q T Q^T with T tridiagonal (d, e) by reflections I - s v v^T, from the last row
 * upwards; the v are left in the rows of a and s in scale. */
static void reduce(double *a, double *d, double *e, double *scale, double *p, int64_t n) {
    for (int64_t i = n - 1; i > 0; i--) {
        double *v = a + i * n; /* entries 0 .. i - 1 of the row are reflected */
        double most = 0.0;
        for (int64_t k = 0; k < i; k++) most = fmax(most, fabs(v[k]));
        d[i] = v[i];
        scale[i] = 0.0;
        e[i] = v[i - 1];
        if (i == 1 || !(most > 0.0)) continue;
        for (int64_t k = 0; k < i; k++) v[k] /= most;
        const double squares = dot(v, v, i), length = copysign(sqrt(squares), v[i - 1]);
        e[i] = -most * length;
        v[i - 1] += length;
        scale[i] = 1.0 / (squares + fabs(length) * fabs(v[i - 1] - length));
        /* A <- A - v q^T - q v^T on the leading part, q = s A v - s/2 (v^T p) v */
        for (int64_t r = 0; r < i; r++) {
            double sum = dot(a + r * n, v, r + 1);
            for (int64_t k = r + 1; k < i; k++) sum += a[k * n + r] * v[k];
            p[r] = scale[i] * sum;
        }
        const double half = 0.5 * scale[i] * dot(p, v, i);
        for (int64_t r = 0; r < i; r++) p[r] -= half * v[r];
        for (int64_t r = 0; r < i; r++)
            for (int64_t k = 0; k <= r; k++) a[r * n + k] -= v[r] * p[k] + p[r] * v[k];
    }
    d[0] = a[0];
    e[0] = 0.0;
}

/* The rows of q: Q^T, made of the reflections in the rows of a. */
static void unfold(double *q, const double *a, const double *scale, int64_t n) {
    memset(q, 0, (size_t)(n * n) * sizeof *q);
    for (int64_t i = 0; i < n; i++) q[i * n + i] = 1.0;
    for (int64_t i = 2; i < n; i++) { /* from the right, the last reflection outside */
        if (scale[i] == 0.0) continue;
        for (int64_t r = 0; r < i; r++) {
            const double s = scale[i] * dot(q + r * n, a + i * n, i);
            for (int64_t k = 0; k < i; k++) q[r * n + k] -= s * a[i * n + k];
        }
    }
}

/* QL steps on (d, e) where e[i] couples i - 1 and i; rows of q turn along. */
static bool diagonalise(double *d, double *e, double *q, int64_t n) {
    enum { STEPS_MOST = 60 };
    for (int64_t i = 1; i < n; i++) e[i - 1] = e[i];
    e[n - 1] = 0.0;
    for (int64_t l = 0; l < n; l++)
        for (int steps = 0;; steps++) {
            int64_t m = l;
            while (m < n - 1 && fabs(e[m]) > 0x1p-53 * (fabs(d[m]) + fabs(d[m + 1]))) m++;
            if (m == l) break;
            if (steps == STEPS_MOST) return false;
            double g = (d[l + 1] - d[l]) / (2.0 * e[l]);
            g = d[m] - d[l] + e[l] / (g + copysign(hypot(g, 1.0), g));
            double s = 1.0, c = 1.0, p = 0.0;
            int64_t i = m - 1;
            for (; i >= l; i--) {
                const double f = s * e[i], b = c * e[i], r = hypot(f, g);
                e[i + 1] = r;
                if (r == 0.0) { /* splits: start again on the smaller part */
                    d[i + 1] -= p;
                    e[m] = 0.0;
                    break;
                }
                s = f / r;
                c = g / r;
                g = d[i + 1] - p;
                const double t = (d[i] - g) * s + 2.0 * c * b;
                p = s * t;
                d[i + 1] = g + p;
                g = c * t - b;
                double *low = q + i * n, *high = low + n;
                for (int64_t k = 0; k < n; k++) {
                    const double x = high[k];
                    high[k] = s * low[k] + c * x;
                    low[k] = c * low[k] - s * x;
                }
            }
            if (i >= l) continue;
            d[l] -= p;
            e[l] = g;
            e[m] = 0.0;
        }
    return true;
}

bool pvgi_blas_own_eigen(double *matrix, double *values, int64_t order, double *work) {
    const int64_t n = order;
    double *q = work, *e = q + n * n, *scale = e + n, *p = scale + n;
    if (n < 1) return true;
    reduce(matrix, values, e, scale, p, n);
    unfold(q, matrix, scale, n);
    if (!diagonalise(values, e, q, n)) return false;
    for (int64_t i = 0; i < n; i++) { /* ascending */
        int64_t least = i;
        for (int64_t j = i + 1; j < n; j++)
            if (values[j] < values[least]) least = j;
        const double value = values[least];
        values[least] = values[i];
        memcpy(matrix + i * n, q + least * n, (size_t)n * sizeof *q);
        if (least != i) memcpy(q + least * n, q + i * n, (size_t)n * sizeof *q);
        values[i] = value;
    }
    return true;
}
