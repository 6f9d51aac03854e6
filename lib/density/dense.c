/* Where products of dense matrices (base/blas.h) pay in elimination and cycles
 * (elim/dense.inc, elim/walks.inc). */
#include "density_internal.h"

bool pvgi_density_dense_likely(const pvgi_host *host) {
    const int64_t n = host->order, *offsets = host->offsets + host->base;
    if (n < PVGI_DENSE_ORDER_LEAST || n > PVGI_DENSE_ORDER_MOST) return false;
    /* pairs of nodes with a common neighbour: about degree^2 of n */
    const int64_t arcs = offsets[n] - offsets[0];
    return 2 * arcs * arcs >= n * n * n;
}
