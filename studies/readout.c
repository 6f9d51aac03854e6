/* Linear read-out of node representations: (F^T F + r I) B = F^T Y by Cholesky, Y the
 * classes as columns of +1 and -1, F standardised on the learning nodes. O(n c^2 + c^3).
 */
#include "readout.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double ridges[READOUT_RIDGES] = {1e-4, 1e-2, 1};

static uint64_t next(uint64_t *state) {
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

void readout_split(uint8_t *parts, int64_t rows, uint64_t seed) {
    for (int64_t i = 0; i < rows; i++) parts[i] = (uint8_t)(i % 4 < 2 ? 0 : i % 4 - 1);
    for (int64_t i = rows - 1; i > 0; i--) {
        const int64_t j = (int64_t)(next(&seed) % (uint64_t)(i + 1));
        const uint8_t swap = parts[i];
        parts[i] = parts[j];
        parts[j] = swap;
    }
}

static void unit_rows(double *x, int64_t rows, int64_t columns) {
    for (int64_t u = 0; u < rows; u++) {
        const double norm = cblas_dnrm2((int)columns, x + u * columns, 1);
        if (norm > 0) cblas_dscal((int)columns, 1 / norm, x + u * columns, 1);
    }
}

/* --- fewer columns ---------------------------------------------------------------- */

/* to = F q, and if back is not NULL, back = F^T to. */
static void sparse_times(double *to, double *back, const pvg_features *f, const double *q,
                         int64_t r) {
    const int64_t rows = pvg_features_rows(f), *offsets;
    const int32_t *indices;
    const double *values;
    if (pvg_features_view_csr(&offsets, &indices, &values, f)) return;
    memset(to, 0, (size_t)(rows * r) * sizeof *to);
    for (int64_t u = 0; u < rows; u++)
        for (int64_t k = offsets[u]; k < offsets[u + 1]; k++)
            cblas_daxpy((int)r, values[k], q + indices[k] * r, 1, to + u * r, 1);
    if (!back) return;
    memset(back, 0, (size_t)(pvg_features_columns(f) * r) * sizeof *back);
    for (int64_t u = 0; u < rows; u++)
        for (int64_t k = offsets[u]; k < offsets[u + 1]; k++)
            cblas_daxpy((int)r, values[k], to + u * r, 1, back + indices[k] * r, 1);
}

double *readout_reduce(const pvg_features *features, int64_t columns, uint64_t seed) {
    const int64_t rows = pvg_features_rows(features), d = pvg_features_columns(features);
    double *out = malloc((size_t)(rows * columns + 1) * sizeof *out);
    double *q = malloc((size_t)(d * columns) * sizeof *q);
    double *z = malloc((size_t)(d * columns) * sizeof *z);
    double *tau = malloc((size_t)columns * sizeof *tau);
    int good = out && q && z && tau && columns <= d;
    for (int64_t i = 0; good && i < d * columns; i++)
        q[i] = (double)(next(&seed) >> 11) * 0x1p-52 - 1;
    for (int round = 0; good && round < 5; round++) {
        sparse_times(out, z, features, q, columns);
        memcpy(q, z, (size_t)(d * columns) * sizeof *q);
        good = LAPACKE_dgeqrf(LAPACK_ROW_MAJOR, (lapack_int)d, (lapack_int)columns, q,
                              (lapack_int)columns, tau) == 0 &&
               LAPACKE_dorgqr(LAPACK_ROW_MAJOR, (lapack_int)d, (lapack_int)columns,
                              (lapack_int)columns, q, (lapack_int)columns, tau) == 0;
    }
    if (good) {
        sparse_times(out, NULL, features, q, columns);
        unit_rows(out, rows, columns);
    } else {
        free(out);
        out = NULL;
    }
    free(q);
    free(z);
    free(tau);
    return out;
}

/* --- ridge regression ------------------------------------------------------------- */

typedef struct {
    int64_t rows, columns, classes;
    double *f;    /* rows x columns: standardised, the last column ones */
    double *gram; /* columns x columns */
    double *b;    /* columns x classes: right-hand sides, then the solution */
    double *work; /* columns x columns */
    double *right;
} problem;

/* Columns side by side, standardised on the learning nodes. */
static void fill(problem *p, const double *first, int64_t a, const double *second,
                 int64_t b, int scaled, const uint8_t *parts) {
    const int64_t c = p->columns;
    for (int64_t u = 0; u < p->rows; u++) {
        double *row = p->f + u * c;
        if (a > 0) memcpy(row, first + u * a, (size_t)a * sizeof *row);
        if (b > 0) memcpy(row + a, second + u * b, (size_t)b * sizeof *row);
        const double norm = cblas_dnrm2((int)b, row + a, 1);
        if (scaled && norm > 0) cblas_dscal((int)b, 1 / norm, row + a, 1);
        row[c - 1] = 1;
    }
    for (int64_t j = 0; j + 1 < c; j++) {
        double sum = 0, squares = 0, count = 0;
        for (int64_t u = 0; u < p->rows; u++)
            if (parts[u] == 0) {
                sum += p->f[u * c + j];
                squares += p->f[u * c + j] * p->f[u * c + j];
                count++;
            }
        const double mean = sum / count, variance = squares / count - mean * mean;
        const double by = variance > 1e-30 ? 1 / sqrt(variance) : 0;
        for (int64_t u = 0; u < p->rows; u++)
            p->f[u * c + j] = (p->f[u * c + j] - mean) * by;
    }
}

/* F^T F and F^T Y over the learning nodes. */
static void add_up(problem *p, const int32_t *classes, const uint8_t *parts) {
    const int64_t c = p->columns;
    double *kept = malloc((size_t)(p->rows * c) * sizeof *kept);
    int64_t count = 0;
    memset(p->right, 0, (size_t)(c * p->classes) * sizeof *p->right);
    if (!kept) return;
    for (int64_t u = 0; u < p->rows; u++) {
        if (parts[u] != 0 || classes[u] < 0) continue;
        memcpy(kept + count++ * c, p->f + u * c, (size_t)c * sizeof *kept);
        for (int64_t k = 0; k < p->classes; k++)
            cblas_daxpy((int)c, classes[u] == k ? 1 : -1, p->f + u * c, 1, p->right + k,
                        (int)p->classes);
    }
    cblas_dsyrk(CblasRowMajor, CblasUpper, CblasTrans, (int)c, (int)count, 1.0, kept,
                (int)c, 0.0, p->gram, (int)c);
    free(kept);
}

/* Solves with a penalty: b becomes the coefficients. */
static int solve(problem *p, double ridge) {
    const int64_t c = p->columns;
    memcpy(p->work, p->gram, (size_t)(c * c) * sizeof *p->work);
    memcpy(p->b, p->right, (size_t)(c * p->classes) * sizeof *p->b);
    for (int64_t j = 0; j < c; j++)
        p->work[j * c + j] += ridge * (double)p->rows / 2 + 1e-9;
    return LAPACKE_dposv(LAPACK_ROW_MAJOR, 'U', (lapack_int)c, (lapack_int)p->classes,
                         p->work, (lapack_int)c, p->b, (lapack_int)p->classes) == 0;
}

static double score(const problem *p, int64_t u, int64_t k) {
    return cblas_ddot((int)p->columns, p->f + u * p->columns, 1, p->b + k,
                      (int)p->classes);
}

/* Accuracy of parts 1 and 2. */
static void judge(double *chosen, double *tested, const problem *p,
                  const int32_t *classes, const uint8_t *parts) {
    double right[2] = {0}, count[2] = {0};
    for (int64_t u = 0; u < p->rows; u++) {
        if (parts[u] == 0 || classes[u] < 0) continue;
        int64_t best = 0;
        double most = score(p, u, 0);
        for (int64_t k = 1; k < p->classes; k++) {
            const double value = score(p, u, k);
            if (value > most) most = value, best = k;
        }
        right[parts[u] - 1] += best == classes[u];
        count[parts[u] - 1]++;
    }
    *chosen = right[0] / count[0];
    *tested = right[1] / count[1];
}

static int make(problem *p, int64_t columns, int64_t rows, const int32_t *classes) {
    *p = (problem){.rows = rows, .columns = columns};
    for (int64_t u = 0; u < rows; u++)
        if (classes[u] >= p->classes) p->classes = classes[u] + 1;
    if (rows < 1 || p->classes < 1) return 0;
    const size_t c = (size_t)columns, k = (size_t)p->classes;
    p->f = malloc((size_t)rows * c * sizeof *p->f);
    p->gram = malloc(c * c * sizeof *p->gram);
    p->work = malloc(c * c * sizeof *p->work);
    p->b = malloc(c * k * sizeof *p->b);
    p->right = malloc(c * k * sizeof *p->right);
    return p->f && p->gram && p->work && p->b && p->right;
}

static void drop(problem *p) {
    free(p->f);
    free(p->gram);
    free(p->work);
    free(p->b);
    free(p->right);
}

int readout_scores(double *out, const double *x, int64_t columns, int64_t rows,
                   const int32_t *classes, const uint8_t *parts) {
    problem p;
    int good = make(&p, columns + 1, rows, classes);
    if (good) {
        fill(&p, x, columns, NULL, 0, 0, parts);
        add_up(&p, classes, parts);
        good = solve(&p, ridges[1]);
    }
    for (int64_t u = 0; good && u < rows; u++)
        for (int64_t k = 0; k < p.classes; k++) out[u * p.classes + k] = score(&p, u, k);
    if (good) unit_rows(out, rows, p.classes);
    drop(&p);
    return good;
}

int readout_accuracy(double chosen[READOUT_SETTINGS], double tested[READOUT_SETTINGS],
                     const double *first, int64_t first_columns, const double *second,
                     int64_t second_columns, int64_t rows, const int32_t *classes,
                     const uint8_t *parts) {
    problem p;
    int good = make(&p, first_columns + second_columns + 1, rows, classes);
    for (int scaled = 0; good && scaled < READOUT_VARIANTS; scaled++) {
        fill(&p, first, first_columns, second, second_columns, scaled, parts);
        add_up(&p, classes, parts);
        for (int r = 0; good && r < READOUT_RIDGES; r++) {
            const int at = scaled * READOUT_RIDGES + r;
            good = solve(&p, ridges[r]);
            if (good) judge(&chosen[at], &tested[at], &p, classes, parts);
        }
    }
    drop(&p);
    return good;
}
