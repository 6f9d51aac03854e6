/* Cycles in dense graphs by matrix products: hom(C_m, G) = tr A^m, and with A symmetric
 * tr A^(a+b) = sum of the entries of A^a times those of A^b, so powers up to m/2 do: BLAS
 * products of n^3 steps each, against n walks over all arcs per step for the sparse way.
 *
 * Only where n D^(m-1) < 2^53 for the longest cycle: every partial sum is then an integer
 * that a double holds, so the order of summation does not matter and the counts are
 * exact, the same bits as the sparse way gives. BLAS is called from the calling thread
 * only. */
#include "density_internal.h"

#include <cblas.h>
#include <string.h>

enum {
    ORDER_LEAST = 64,
    ORDER_MOST = 2048,
    SPARSE = 8 /* dense: at least one entry in this many */
};

bool pvgi_density_dense_fits(const pvgi_host *host, int32_t longest) {
    const int64_t n = host->order, *offsets = host->offsets + host->base;
    if (n < ORDER_LEAST || n > ORDER_MOST) return false;
    if ((offsets[n] - offsets[0]) * SPARSE < n * n) return false;
    int64_t degree = 0;
    for (int64_t u = 0; u < n; u++)
        if (offsets[u + 1] - offsets[u] > degree) degree = offsets[u + 1] - offsets[u];
    double most = (double)n;
    for (int32_t i = 1; i < longest; i++) most *= (double)degree;
    return most < 0x1p53;
}

size_t pvgi_density_dense_bytes(int64_t order) {
    return (size_t)(3 * order * order) * sizeof(double);
}

static double inner_product(const double *a, const double *b, int64_t count) {
    double sum = 0;
    for (int64_t i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

/* counts of the lengths 2a and 2a + 1 (of 2a alone if next is NULL), a the power at hand.
 */
static void count_lengths(double *counts, const int32_t *lengths, int64_t count,
                          int32_t a, const double *power, const double *next,
                          int64_t entries) {
    for (int64_t i = 0; i < count; i++) {
        if (lengths[i] == 2 * a) counts[i] = inner_product(power, power, entries);
        if (lengths[i] == 2 * a + 1 && next)
            counts[i] = inner_product(power, next, entries);
    }
}

void pvgi_density_dense_cycles(double *counts, const int32_t *lengths, int64_t count,
                               int32_t longest, const pvgi_host *host, double *scratch) {
    const int64_t n = host->order, *offsets = host->offsets + host->base;
    double *matrix = scratch, *power = matrix + n * n, *next = power + n * n;
    memset(matrix, 0, (size_t)(n * n) * sizeof *matrix);
    for (int64_t u = 0; u < n; u++)
        for (int64_t i = offsets[u]; i < offsets[u + 1]; i++)
            matrix[u * n + host->columns[i] - host->base] = 1;
    memcpy(power, matrix, (size_t)(n * n) * sizeof *power);
    for (int32_t a = 1; 2 * a <= longest; a++) {
        const bool more = 2 * a < longest;
        const int order = (int)n;
        if (more)
            cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, order, order, order,
                        1.0, matrix, order, power, order, 0.0, next, order);
        count_lengths(counts, lengths, count, a, power, more ? next : NULL, n * n);
        double *swap = power;
        power = next;
        next = swap;
    }
}
