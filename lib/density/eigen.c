/* Cycles by eigenvalues: hom(C_m, G) = sum over the eigenvalues e of the adjacency matrix
 * of e^m. O(n^3) for all lengths together, which beats closed walks (n arcs m / 2
 * additions) where graphs are dense and cycles long.
 *
 * Nothing is taken on trust from the solver: each call bounds the error of what it got,
 * from the residual R = A X - X M of the vectors X and values M and from X^T X - I, both
 * computed here with their own rounding added. Then sum of (e - mu)^2 <= (|R| / s)^2 over
 * a pairing, |R| the Frobenius norm and s the smallest singular value of X (proof:
 * docs/guarantees.md, C), and
 *     |sum e^m - sum mu^m| <= m |R| / s sqrt(sum (|mu| + |R| / s)^(2m-2)).
 * Powers of one sign cancel those of the other, so this may be large against the count:
 * such counts are not accepted, and closed walks count instead. The solver works on the
 * calling thread only; last bits depend on it and on the processor. */
#include "density_internal.h"

#include <math.h>
#include <string.h>

enum { ORDER_MOST = 2048 };

/* Covers the rounding of the bounds themselves, which is below n^2 2^-53. */
static const double MARGIN = 1.0 + 0x1p-10;

bool pvgi_density_eigen_fits(int64_t order) {
    return order >= 1 && order <= ORDER_MOST;
}

size_t pvgi_density_eigen_bytes(int64_t order) {
    return ((size_t)(order * order + order) + pvgi_blas_work(order)) * sizeof(double) +
           pvgi_blas_integers(order) * sizeof(int32_t);
}

/* k roundings, relatively. */
static double gamma_of(double k) {
    return k * 0x1p-53 / (1.0 - k * 0x1p-53) * MARGIN;
}

/* Writes the adjacency matrix and returns the largest degree. */
static double write_matrix(double *matrix, const pvgi_host *host) {
    const int64_t n = host->order, *offsets = host->offsets + host->base;
    int64_t degree = 0;
    memset(matrix, 0, (size_t)(n * n) * sizeof *matrix);
    for (int64_t u = 0; u < n; u++) {
        if (offsets[u + 1] - offsets[u] > degree) degree = offsets[u + 1] - offsets[u];
        for (int64_t i = offsets[u]; i < offsets[u + 1]; i++)
            matrix[u * n + host->columns[i] - host->base] = 1;
    }
    return (double)degree;
}

/* Root of the sum over pairs of values and their errors of error^2, or infinity. vectors:
 * one per row; scratch: two matrices. */
static double error_of(const double *vectors, const double *value, const pvgi_host *host,
                       double *scratch) {
    const int64_t n = host->order;
    double *matrix = scratch, *product = scratch + n * n;
    double squares = 0, residual = 0, deviation = 0, largest = 0;
    const double degree = write_matrix(matrix, host);
    pvgi_density_dense_multiply(product, vectors, matrix, n, n, n);
    for (int64_t j = 0; j < n; j++) {
        if (fabs(value[j]) > largest) largest = fabs(value[j]);
        for (int64_t u = 0; u < n; u++) {
            const double x = vectors[j * n + u];
            const double r = product[j * n + u] - value[j] * x;
            squares += x * x;
            residual += r * r;
        }
    }
    pvgi_density_dense_multiply(product, vectors, vectors, n, n, n);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            const double d = product[i * n + j] - (i == j ? 1.0 : 0.0);
            deviation += d * d;
        }
    /* rounding: entries of A x are sums of at most `degree` terms, A as an operator on
     * vectors of absolute values is at most `degree` */
    residual = sqrt(residual) * MARGIN +
               gamma_of(degree + 3) * (degree + largest) * sqrt(squares) * MARGIN;
    deviation =
        sqrt(deviation) * MARGIN + gamma_of((double)n + 1) * (squares + 1) * MARGIN;
    if (!(deviation < 0.5)) return (double)INFINITY; /* also if not a number */
    return residual / sqrt(1.0 - deviation) * MARGIN;
}

static double power_of(double base, int32_t exponent) {
    double power = 1;
    for (; exponent > 0; exponent /= 2, base *= base)
        if (exponent % 2) power *= base;
    return power;
}

/* The count of one length, and the bound on its error. */
static void count_length(double *count, double *error, int32_t m, const double *value,
                         int64_t n, double moved) {
    double sum = 0, absolute = 0, slopes = 0;
    for (int64_t j = 0; j < n; j++) {
        const double power = power_of(value[j], m);
        sum += power;
        absolute += fabs(power);
        slopes += power_of(fabs(value[j]) + moved, 2 * m - 2);
    }
    *count = sum;
    *error = (m * moved * sqrt(slopes) + gamma_of((double)n + m) * absolute) * MARGIN;
}

const double *pvgi_density_eigen_values(double *moved, const pvgi_host *host,
                                        double *scratch) {
    const int64_t n = host->order;
    double *vectors = scratch, *value = vectors + n * n, *work = value + n;
    int32_t *integers = (int32_t *)(work + pvgi_blas_work(n));
    write_matrix(vectors, host);
    const bool found = pvgi_blas_eigen(vectors, value, n, work, integers);
    *moved = found ? error_of(vectors, value, host, work) : (double)INFINITY;
    return value;
}

int32_t pvgi_density_eigen_cycles(double *counts, double *errors, const int32_t *lengths,
                                  int64_t count, const pvgi_host *host, double *scratch) {
    const int64_t n = host->order;
    double moved;
    const double *value = pvgi_density_eigen_values(&moved, host, scratch);
    for (int64_t i = 0; i < count; i++) {
        counts[i] = 0;
        errors[i] = (double)INFINITY;
        if (moved < (double)INFINITY)
            count_length(&counts[i], &errors[i], lengths[i], value, n, moved);
    }
    return PVG_OK;
}

double pvgi_density_eigen_accept(double count, double error) {
    if (error < 0.5 && fabs(count) < 0x1p52) {
        const double integer = nearbyint(count);
        return integer > 0 ? integer : 0.0;
    }
    const double least = count - error;
    if (least > 0 && error * MARGIN <= PVGI_EIGEN_TOLERANCE * least) return count;
    return (double)NAN;
}
