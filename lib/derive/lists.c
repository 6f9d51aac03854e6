/* Read-outs of numbers about lists: intervals, directions of things that are had
 * together, and what a person's own list says with them. */
#include "base/blas.h"
#include "derive_internal.h"

#include <math.h>
#include <string.h>

/* --- intervals -------------------------------------------------------------------- */

/* x with P(|N| > x) <= rest for a normal N: bisection on erfc, up. */
static double normal_quantile(double rest) {
    double low = 0.0, high = 40.0;
    for (int i = 0; i < 80; i++) {
        const double middle = 0.5 * (low + high);
        if (erfc(middle * 0x1.6a09e667f3bcdp-1) > rest)
            low = middle;
        else
            high = middle;
    }
    return high;
}

void pvgi_derive_list_intervals(double *low, double *high, const double *values,
                                const pvg_statistic *statistic,
                                const pvgi_list_read *read, double confidence) {
    const double rest = 1.0 - confidence;
    const double most =
        statistic->order > 0 ? read->each * (double)statistic->order : (double)INFINITY;
    double reach = 0.0;
    if (read->law) /* half a step for what was rounded to the grid */
        reach = read->law->noise == PVG_NOISE_LAPLACE
                    ? -log(rest) * read->law->scale
                    : normal_quantile(rest) * read->law->scale;
    if (read->law) reach += ldexp(0.5, read->law->grid);
    for (int64_t r = 0; r < statistic->rows; r++)
        for (int64_t c = 0; c < statistic->columns; c++) {
            const int64_t i = r * statistic->columns + c;
            const bool noisy = read->law && c >= read->first;
            low[i] = noisy ? fmin(fmax(values[i] - reach, 0.0), most) : values[i];
            high[i] = noisy ? fmax(fmin(values[i] + reach, most), 0.0) : values[i];
        }
}

/* --- counts ------------------------------------------------------------------------ */

/* Number i is drawn from about the falling sequence m_i, with a variance t^2 that tells
 * how far peeling is from the order of the counts, and seen with noise of variance s^2:
 * its mean given what is seen is m_i + (y_i - m_i) t^2 / (t^2 + s^2). m is the nearest
 * falling sequence, t^2 + s^2 the mean square about it. */
int32_t pvgi_derive_list_counts(double *out, const double *values, int64_t count,
                                double deviation, double most) {
    double *sum = pvgi_alloc((size_t)count, sizeof *sum);
    int64_t *first = pvgi_alloc((size_t)count + 1, sizeof *first), blocks = 0;
    if (!sum || !first) {
        pvgi_free(sum);
        pvgi_free(first);
        return pvgi_fail_nomem();
    }
    for (int64_t i = 0; i < count; i++) {
        first[blocks] = i;
        sum[blocks++] = values[2 * i + 1];
        first[blocks] = i + 1;
        while (blocks > 1 &&
               sum[blocks - 1] * (double)(first[blocks - 1] - first[blocks - 2]) >=
                   sum[blocks - 2] * (double)(first[blocks] - first[blocks - 1])) {
            sum[blocks - 2] += sum[blocks - 1];
            first[blocks - 1] = first[blocks];
            blocks--;
        }
    }
    double square = 0.0;
    for (int64_t b = 0; b < blocks; b++)
        for (int64_t i = first[b]; i < first[b + 1]; i++) {
            out[i] = sum[b] / (double)(first[b + 1] - first[b]);
            square += (values[2 * i + 1] - out[i]) * (values[2 * i + 1] - out[i]);
        }
    square /= count > blocks ? (double)(count - blocks) : 1.0;
    const double noise = deviation * deviation;
    const double share = square > noise ? 1.0 - noise / square : 0.0;
    for (int64_t i = 0; i < count; i++)
        out[i] = fmin(fmax(out[i] + share * (values[2 * i + 1] - out[i]), 0.0), most);
    pvgi_free(sum);
    pvgi_free(first);
    return PVG_OK;
}

/* --- directions ------------------------------------------------------------------- */

/* A symmetric matrix of pure noise of deviation s has no eigenvalue above 2 s sqrt M, but
 * for a little. One that is larger comes from a true one l with
 * l + s^2 M / l = what is seen, and its vector has a squared cosine of 1 - s^2 M / l^2
 * with the true one: that is its weight. */
static int64_t weigh(double *weights, const double *values, int64_t order, int64_t most,
                     double noise) {
    const double edge = noise * sqrt((double)order);
    int64_t found = 0;
    for (int64_t k = order - 1; k >= 0 && found < most; k--, found++) {
        const double seen = values[k];
        if (!(seen > 2.0 * edge * (1.0 + 0x1p-10)) || !(seen > 0.0)) break;
        const double behind = 0.5 * (seen + sqrt(seen * seen - 4.0 * edge * edge));
        weights[found] = 1.0 - edge * edge / (behind * behind);
    }
    return found;
}

int32_t pvgi_derive_list_directions(double *vectors, double *weights, int64_t *found,
                                    int64_t most, const double *values, int64_t order,
                                    double noise, pvgi_run *run) {
    const size_t side = (size_t)order;
    PVGI_TRY(pvgi_run_reserve(run, pvgi_size_mul(pvgi_size_mul(side, side), 24)));
    double *matrix = pvgi_alloc_zero(pvgi_size_mul(side, side), sizeof *matrix);
    double *eigenvalues = pvgi_alloc(side, sizeof *eigenvalues);
    double *work = pvgi_alloc(pvgi_blas_work(order), sizeof *work);
    int32_t *integers = pvgi_alloc(pvgi_blas_integers(order), sizeof *integers);
    int32_t status =
        matrix && eigenvalues && work && integers ? PVG_OK : pvgi_fail_nomem();
    if (status == PVG_OK) {
        int64_t at = 0;
        for (int64_t i = 0; i < order; i++)
            for (int64_t j = i + 1; j < order; j++)
                matrix[i * order + j] = matrix[j * order + i] = values[at++];
        if (!pvgi_blas_eigen(matrix, eigenvalues, order, work, integers))
            status =
                pvgi_fail(PVG_E_NUMERIC, "the eigenvalues of the pairs were not found");
    }
    if (status == PVG_OK) {
        *found = weigh(weights, eigenvalues, order, most, noise);
        for (int64_t k = 0; k < *found; k++)
            memcpy(vectors + k * order, matrix + (order - 1 - k) * order,
                   side * sizeof *vectors);
    }
    pvgi_free(matrix);
    pvgi_free(eigenvalues);
    pvgi_free(work);
    pvgi_free(integers);
    return status;
}

/* --- for the owner of a list ------------------------------------------------------ */

/* Her unit row through the directions, each with its weight; the best that are not in
 * it. */
int32_t pvgi_derive_recommend(int32_t *out, double *scores, int64_t count,
                              const double *vectors, const double *weights,
                              int64_t directions, int64_t order, const int32_t *own,
                              int64_t own_count) {
    double *score = pvgi_alloc_zero((size_t)order, sizeof *score);
    if (!score) return pvgi_fail_nomem();
    const double unit = own_count > 0 ? 1.0 / sqrt((double)own_count) : 0.0;
    for (int64_t k = 0; k < directions; k++) {
        const double *v = vectors + k * order;
        double along = 0.0;
        for (int64_t i = 0; i < own_count; i++) along += v[own[i]] * unit;
        for (int64_t t = 0; t < order; t++) score[t] += weights[k] * along * v[t];
    }
    for (int64_t i = 0; i < own_count; i++) score[own[i]] = -INFINITY;
    for (int64_t r = 0; r < count; r++) {
        int64_t best = -1;
        for (int64_t t = 0; t < order; t++)
            if (score[t] > -INFINITY && (best < 0 || score[t] > score[best])) best = t;
        out[r] = (int32_t)best; /* -1: there are no more */
        if (scores) scores[r] = best < 0 ? 0.0 : score[best];
        if (best >= 0) score[best] = -INFINITY;
    }
    pvgi_free(score);
    return PVG_OK;
}
