/* Products with weight matrices: X <- X W, block by block of rows, in the calling
 * thread. 2 rows columns^2 operations. */
#include "propagate_internal.h"

#include "base/blas.h"

#include <string.h>

void pvgi_propagate_product(double *x, const double *matrix, int64_t rows,
                            int64_t columns, double *block) {
    for (int64_t first = 0; first < rows; first += PVGI_PRODUCT_ROWS) {
        const int64_t left = rows - first;
        const int64_t count = left < PVGI_PRODUCT_ROWS ? left : PVGI_PRODUCT_ROWS;
        double *at = x + first * columns;
        pvgi_blas_multiply(block, at, false, matrix, false, count, columns, columns,
                           false);
        memcpy(at, block, (size_t)count * (size_t)columns * sizeof *at);
    }
}
