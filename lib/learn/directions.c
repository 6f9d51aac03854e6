/* Few columns of many: subspace iteration Q <- orth(F^T F Q) from a fixed start, then F Q
 * with rows of length 1. Orthonormal columns by Gram-Schmidt, twice. 2 entries columns
 * operations and 4 d columns^2 for each of ROUNDS rounds, d the columns of F. */
#include "learn_internal.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 5 };

static double dot(const double *a, const double *b, int64_t count) {
    double sum = 0.0;
    for (int64_t i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

/* to = F q; q is d x r, row by row, so that an entry adds a row. */
static void apply(double *to, const pvg_features *f, const double *q, int64_t r) {
    memset(to, 0, (size_t)(f->rows * r) * sizeof *to);
    for (int64_t u = 0; u < f->rows; u++)
        for (int64_t k = f->offsets[u]; k < f->offsets[u + 1]; k++) {
            const double *row = q + f->indices[k] * r, x = f->values[k];
            for (int64_t c = 0; c < r; c++) to[u * r + c] += x * row[c];
        }
}

/* q = F^T from. */
static void apply_back(double *q, const pvg_features *f, const double *from, int64_t r) {
    memset(q, 0, (size_t)(f->columns * r) * sizeof *q);
    for (int64_t u = 0; u < f->rows; u++)
        for (int64_t k = f->offsets[u]; k < f->offsets[u + 1]; k++) {
            double *row = q + f->indices[k] * r;
            const double x = f->values[k];
            for (int64_t c = 0; c < r; c++) row[c] += x * from[u * r + c];
        }
}

static void transpose(double *to, const double *from, int64_t rows, int64_t columns) {
    for (int64_t i = 0; i < rows; i++)
        for (int64_t c = 0; c < columns; c++) to[c * rows + i] = from[i * columns + c];
}

/* A vector without anything left becomes 0: a direction that holds nothing. */
static void make_orthonormal(double *q, int64_t d, int64_t r) {
    for (int64_t c = 0; c < r; c++) {
        double *own = q + c * d;
        const double before = sqrt(dot(own, own, d));
        for (int twice = 0; twice < 2; twice++)
            for (int64_t e = 0; e < c; e++) {
                const double part = dot(q + e * d, own, d);
                for (int64_t i = 0; i < d; i++) own[i] -= part * q[e * d + i];
            }
        const double length = sqrt(dot(own, own, d));
        const double scale = length > 1e-12 * before ? 1.0 / length : 0.0;
        for (int64_t i = 0; i < d; i++) own[i] *= scale;
    }
}

/* splitmix64 of a number, in (-1, 1). */
static double start(uint64_t number) {
    uint64_t z = (number + 1) * UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    z ^= z >> 31;
    return (double)(z >> 11) * 0x1p-52 - 1.0;
}

int32_t pvgi_learn_directions(double *out, const pvg_features *f, int64_t columns,
                              pvgi_run *run) {
    const size_t q_bytes = pvgi_size_mul((size_t)columns, sizeof(double));
    PVGI_TRY(pvgi_run_reserve(
        run, pvgi_size_mul(q_bytes, 2 * (size_t)f->columns + (size_t)f->rows)));
    double *q = pvgi_alloc((size_t)f->columns, q_bytes);
    double *turned = pvgi_alloc((size_t)f->columns, q_bytes);
    double *own = pvgi_alloc((size_t)f->rows, q_bytes);
    int32_t status = q && turned && own ? PVG_OK : pvgi_fail_nomem();
    for (int64_t i = 0; status == PVG_OK && i < f->columns * columns; i++)
        q[i] = start((uint64_t)i);
    for (int round = 0; status == PVG_OK && round < ROUNDS; round++) {
        apply(own, f, q, columns);
        apply_back(q, f, own, columns);
        transpose(turned, q, f->columns, columns);
        make_orthonormal(turned, f->columns, columns);
        transpose(q, turned, columns, f->columns);
        status = pvgi_run_report(run, (round + 1.0) / (ROUNDS + 1));
    }
    if (status == PVG_OK) {
        apply(own, f, q, columns);
        for (int64_t u = 0; u < f->rows; u++) {
            double *row = own + u * columns;
            const double length = sqrt(dot(row, row, columns));
            for (int64_t c = 0; c < columns; c++)
                out[u * columns + c] = length > 0.0 ? row[c] / length : 0.0;
        }
    }
    pvgi_free(q);
    pvgi_free(turned);
    pvgi_free(own);
    return status;
}
