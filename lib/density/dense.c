/* Products of dense matrices for elimination and cycles (elim/dense.h, elim/walks.h) and
 * for the residual of eigenvalues (eigen.c): the one place that calls BLAS, from the
 * calling thread only. 2 n^3 operations at close to the speed of the processor.
 *
 * What callers rely on: an entry is a sum of products in some order, with or without
 * fused operations, each rounded to nearest. */
#include "density_internal.h"

#include <cblas.h>

bool pvgi_density_dense_likely(const pvgi_host *host) {
    const int64_t n = host->order, *offsets = host->offsets + host->base;
    if (n < PVGI_DENSE_ORDER_LEAST || n > PVGI_DENSE_ORDER_MOST) return false;
    /* pairs of nodes with a common neighbour: about degree^2 of n */
    const int64_t arcs = offsets[n] - offsets[0];
    return 2 * arcs * arcs >= n * n * n;
}

void pvgi_density_dense_multiply(double *out, const double *a, const double *b,
                                 int64_t rows, int64_t inner, int64_t columns) {
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)rows, (int)columns,
                (int)inner, 1.0, a, (int)inner, b, (int)inner, 0.0, out, (int)columns);
}
