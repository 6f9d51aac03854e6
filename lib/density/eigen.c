/* Cycles by eigenvalues: hom(C_m, G) = sum over the eigenvalues e of the adjacency matrix
 * of e^m. O(n^3) for all lengths together, which beats closed walks (n arcs m / 2
 * additions) where graphs are dense and cycles long.
 *
 * LAPACK gives the eigenvalues of A + E with |E| <= p(n) 2^-53 |A| for a modest p; with
 * degrees at most D that is an error of about n m p(n) 2^-53 D^m in the count: small
 * against n D^m, but not against a count that is small itself. Powers of one sign cancel
 * those of the other, so negative sums are noise and become zero. LAPACK is called from
 * the calling thread only; its rounding depends on the processor. */
#include "density_internal.h"

#include <lapacke.h>
#include <string.h>

enum {
    ORDER_MOST = 2048,
    WORK_PER_NODE = 66 /* blocks of 64 columns, as the blocked reduction likes it */
};

bool pvgi_density_eigen_fits(int64_t order) {
    return order >= 1 && order <= ORDER_MOST;
}

size_t pvgi_density_eigen_bytes(int64_t order) {
    return (size_t)(order * order + (WORK_PER_NODE + 1) * order) * sizeof(double);
}

static double power_of(double base, int32_t exponent) {
    double power = 1;
    for (; exponent > 0; exponent /= 2, base *= base)
        if (exponent % 2) power *= base;
    return power;
}

int32_t pvgi_density_eigen_cycles(double *counts, const int32_t *lengths, int64_t count,
                                  const pvgi_host *host, double *scratch) {
    const int64_t n = host->order, *offsets = host->offsets + host->base;
    double *matrix = scratch, *eigenvalue = matrix + n * n, *work = eigenvalue + n;
    memset(matrix, 0, (size_t)(n * n) * sizeof *matrix);
    for (int64_t u = 0; u < n; u++)
        for (int64_t i = offsets[u]; i < offsets[u + 1]; i++)
            matrix[u * n + host->columns[i] - host->base] = 1;
    const lapack_int order = (lapack_int)n;
    const lapack_int info =
        LAPACKE_dsyev_work(LAPACK_COL_MAJOR, 'N', 'L', order, matrix, order, eigenvalue,
                           work, WORK_PER_NODE * order);
    if (info != 0)
        return pvgi_fail(PVG_E_NUMERIC, "density: LAPACK found no eigenvalues");
    for (int64_t i = 0; i < count; i++) {
        counts[i] = 0;
        for (int64_t j = 0; j < n; j++) counts[i] += power_of(eigenvalue[j], lengths[i]);
        if (!(counts[i] > 0)) counts[i] = 0;
    }
    return PVG_OK;
}
