/* An upper bound of the spectral norm of a square matrix M, proven, not estimated.
 *
 * Eigenvectors of M^T M are approximate right singular vectors V. For any invertible V
 *     |M|_2 = |M V V^-1|_2 <= |M V|_2 / smallest singular value of V,
 * and M V has nearly orthogonal columns, so |M V|_2^2 = |(M V)^T (M V)|_2 <= the largest
 * absolute row sum of that nearly diagonal matrix; 1 - |I - V^T V|_inf bounds the square
 * of the denominator from below. Whatever the solver answers, the bound holds; if it
 * answers well the bound is tight. Products are off by at most gamma_n |A| |B| entry by
 * entry, in whatever order they are summed, and that is added (docs/guarantees.md).
 * O(order^3) time, 6 order^2 doubles. */
#include "layer_internal.h"

#include "base/blas.h"

#include <math.h>

typedef struct {
    int64_t order;
    double g;                 /* 2 (n + 8) u, about twice gamma_(n + 8), u = 2^-53 */
    double *m, *v, *b, *gram; /* v holds V^T */
    double *squared;          /* order: squares of singular values */
    double *work;             /* of the solver */
    int32_t *integers;
} problem;

/* Sum of squares; off by less than a factor 1 + 2^-27. */
static double squares(const double *x, int64_t count) {
    double sum = 0;
    for (int64_t i = 0; i < count; i++) sum += x[i] * x[i];
    return sum;
}

/* sqrt(|M|_1 |M|_inf), and Frobenius: bounds that need no LAPACK. */
static double simple_bound(const problem *p) {
    const int64_t n = p->order;
    double most_row = 0, most_column = 0;
    for (int64_t i = 0; i < n; i++) {
        double row = 0, column = 0;
        for (int64_t j = 0; j < n; j++) {
            column += fabs(p->m[i * n + j]);
            row += fabs(p->m[j * n + i]);
        }
        most_row = fmax(most_row, row);
        most_column = fmax(most_column, column);
    }
    const double mixed = sqrt(most_row * most_column) * (1 + p->g);
    const double frobenius = sqrt(squares(p->m, n * n)) * (1 + 0x1p-26);
    return fmin(mixed, frobenius);
}

/* Largest absolute row sum of gram, minus shift on the diagonal. */
static double row_sum(const problem *p, double shift) {
    const int64_t n = p->order;
    double most = 0;
    for (int64_t i = 0; i < n; i++) {
        double sum = 0;
        for (int64_t j = 0; j < n; j++)
            sum += fabs(p->gram[i * n + j] - (i == j ? shift : 0));
        most = fmax(most, sum);
    }
    return most;
}

static void multiply(const problem *p, double *out, const double *a, bool a_flipped,
                     const double *b, bool b_flipped) {
    const int64_t n = p->order;
    pvgi_blas_multiply(out, a, a_flipped, b, b_flipped, n, n, n, false);
}

/* Right singular vectors into the rows of v; false if the solver gives none. */
static bool decompose(problem *p) {
    multiply(p, p->v, p->m, true, p->m, false);
    return pvgi_blas_eigen(p->v, p->squared, p->order, p->work, p->integers);
}

/* The bound of the first lines; infinity if V is too far from orthogonal. */
static double verified_bound(problem *p) {
    const int64_t entries = p->order * p->order;
    multiply(p, p->gram, p->v, false, p->v, true);
    const double v2 = squares(p->v, entries);
    const double skew = row_sum(p, 1) * (1 + p->g) + p->g * v2;
    if (!(skew < 0.5)) return INFINITY;
    multiply(p, p->b, p->m, false, p->v, true);
    multiply(p, p->gram, p->b, true, p->b, false);
    const double b2 = squares(p->b, entries), m2 = squares(p->m, entries);
    const double top = sqrt(row_sum(p, 0) * (1 + p->g) + p->g * b2);
    /* fewer than sixteen roundings happen outside the sums: 2^-48 pays for them */
    return (top + p->g * sqrt(m2 * v2)) / sqrt(1 - skew) * (1 + 0x1p-48);
}

/* Copies the matrix, scaled by a power of two so that its largest entry is in [1/2, 1);
 * what underflows is far below what the bounds allow. The exponent of the scale. */
static int scale_matrix(problem *p, const double *matrix) {
    const int64_t entries = p->order * p->order;
    double largest = 0;
    int exponent = 0;
    for (int64_t i = 0; i < entries; i++) largest = fmax(largest, fabs(matrix[i]));
    frexp(largest, &exponent);
    for (int64_t i = 0; i < entries; i++) p->m[i] = ldexp(matrix[i], -exponent);
    return exponent;
}

int32_t pvgi_layer_spectral_norm(double *out, const double *matrix, int64_t order) {
    const size_t n = (size_t)order, entries = n * n;
    double *values = pvgi_alloc(4 * entries + n + pvgi_blas_work(order), sizeof *values);
    int32_t *integers = pvgi_alloc(pvgi_blas_integers(order), sizeof *integers);
    const bool scratch = values && integers;
    if (scratch) {
        problem p = {.order = order,
                     .g = (double)(order + 8) * 0x1p-52,
                     .m = values,
                     .v = values + entries,
                     .b = values + 2 * entries,
                     .gram = values + 3 * entries,
                     .squared = values + 4 * entries,
                     .work = values + 4 * entries + n,
                     .integers = integers};
        const int exponent = scale_matrix(&p, matrix);
        double bound = simple_bound(&p);
        if (bound > 0 && decompose(&p)) bound = fmin(bound, verified_bound(&p));
        /* one more step up where ldexp lands among subnormal numbers */
        *out = bound > 0 ? nextafter(ldexp(bound, exponent), INFINITY) : 0;
    }
    pvgi_free(values);
    pvgi_free(integers);
    return scratch ? PVG_OK : pvgi_fail_nomem();
}
