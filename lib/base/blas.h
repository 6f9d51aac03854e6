/* Dense linear algebra: products of matrices and eigenvalues of symmetric ones. The rest
 * of the library calls these and no BLAS. Matrices are row by row without gaps. */
#ifndef PVGI_BLAS_H
#define PVGI_BLAS_H

#include "base/base_internal.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* out = A B, or out + A B where `add`; out is rows x columns. a holds A (rows x inner),
 * or its transpose where a_flipped; likewise b. An entry is a sum of products in some
 * order, with or without fused operations, each rounded to nearest. On one thread: the
 * caller's. */
PVGI_SHARED void pvgi_blas_multiply(double *out, const double *a, bool a_flipped,
                                    const double *b, bool b_flipped, int64_t rows,
                                    int64_t inner, int64_t columns, bool add);

/* out = A A^T, of which both halves are written: rows x rows, in half the time. */
void pvgi_blas_square(double *out, const double *a, int64_t rows, int64_t inner);

/* Eigenvalues of a symmetric matrix into values, ascending, and their vectors into its
 * rows; false if they were not found. Nothing is promised about their accuracy: callers
 * bound the residual. */
bool pvgi_blas_eigen(double *matrix, double *values, int64_t order, double *work,
                     int32_t *integers);
/* Numbers of work and integers. */
static inline size_t pvgi_blas_work(int64_t order) {
    return (size_t)(2 * order * order + 6 * order + 1);
}
static inline size_t pvgi_blas_integers(int64_t order) {
    return (size_t)(5 * order + 3);
}

/* "lazy", "linked" or "none": what this build was made for. */
const char *pvgi_blas_name(void);
/* Which one was found, in words; does not look for one. */
const char *pvgi_blas_found(void);

/* --- our own (blas_own.c): always there ------------------------------------------- */

void pvgi_blas_own_multiply(double *out, const double *a, bool a_flipped, const double *b,
                            bool b_flipped, int64_t rows, int64_t inner, int64_t columns,
                            bool add);
bool pvgi_blas_own_eigen(double *matrix, double *values, int64_t order, double *work);

#endif
