/* Products with weight matrices: X <- X W, block by block of rows, by BLAS in the calling
 * thread. 2 rows columns^2 operations. */
#include "propagate_internal.h"

#include <cblas.h>
#include <string.h>

void pvgi_propagate_product(double *x, const double *matrix, int64_t rows,
                            int64_t columns, double *block) {
    const int d = (int)columns;
    for (int64_t first = 0; first < rows; first += PVGI_PRODUCT_ROWS) {
        const int64_t left = rows - first;
        const int count = (int)(left < PVGI_PRODUCT_ROWS ? left : PVGI_PRODUCT_ROWS);
        double *at = x + first * columns;
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, count, d, d, 1.0, at, d,
                    matrix, d, 0.0, block, d);
        memcpy(at, block, (size_t)count * (size_t)columns * sizeof *at);
    }
}
