/* Which of two worlds a released row speaks for: log of the ratio of its likelihoods.
 *
 *   Gaussian laws   d' C^-1 (x - (c_0 + c_1) / 2), d = c_1 - c_0, C covariance of the row
 *   Laplace         own noise of scale a_i, and one shared Z that enters with v_i:
 *                   integral over z of exp(-|z| - sum |x_i - c_i - v_i z| / a_i); the
 *                   exponent is linear between 0 and the (x_i - c_i) / v_i
 *   staircase       sum of steps of each coordinate
 * Noise is on a grid of 2^-40 of its scale or finer; densities stand for it. The score
 * of an audit may be anything, so errors here make an attack weaker, never a bound wrong.
 * Cost per row: m; Laplace that is shared: m^2. */
#include "query_internal.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    const pvg_embedder *embedder;
    pvgi_order_noise noise;
    int64_t count, columns;
    double *centre[2];
    double *weight;        /* Gaussian: C^-1 d */
    double *own, *loading; /* Laplace: scales, shifts for one unit of the shared noise */
    double *matrix, *breaks; /* scratch */
} comparison;

static double unit_at(const comparison *c, int64_t i) {
    return c->noise.unit ? c->noise.unit[i] : 1.0;
}

/* weight = C^-1 d by Cholesky of the correlations; what has no noise stays out. */
static bool solve(comparison *c) {
    const int64_t n = c->count;
    double *a = c->matrix, *y = c->weight;
    pvgi_query_order_covariance(a, &c->noise, n);
    double *unit = c->breaks;
    for (int64_t i = 0; i < n; i++) {
        unit[i] = sqrt(a[i * n + i]);
        y[i] = unit[i] > 0.0 ? (c->centre[1][i] - c->centre[0][i]) / unit[i] : 0.0;
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) {
            const double scale = unit[i] * unit[j];
            double sum = scale > 0.0 ? a[i * n + j] / scale : i == j;
            for (int64_t k = 0; k < j; k++) sum -= a[i * n + k] * a[j * n + k];
            if (i == j && !(sum > 0.0)) return false;
            a[i * n + j] = i == j ? sqrt(sum) : sum / a[j * n + j];
        }
    for (int64_t i = 0; i < n; i++) {
        for (int64_t k = 0; k < i; k++) y[i] -= a[i * n + k] * y[k];
        y[i] /= a[i * n + i];
    }
    for (int64_t i = n - 1; i >= 0; i--) {
        for (int64_t k = i + 1; k < n; k++) y[i] -= a[k * n + i] * y[k];
        y[i] /= a[i * n + i];
    }
    for (int64_t i = 0; i < n; i++) y[i] = unit[i] > 0.0 ? y[i] / unit[i] : 0.0;
    return true;
}

static double gaussian(const comparison *c, const double *x) {
    double sum = 0.0;
    for (int64_t i = 0; i < c->count; i++)
        sum += c->weight[i] * (x[i] - 0.5 * (c->centre[0][i] + c->centre[1][i]));
    return sum;
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Minus the exponent at z, in one world. */
static double energy(const comparison *c, const double *x, int world, double z) {
    double sum = fabs(z);
    for (int64_t i = 0; i < c->count; i++)
        if (c->own[i] > 0.0)
            sum += fabs(x[i] - c->centre[world][i] - c->loading[i] * z) / c->own[i];
    return sum;
}

/* log of the integral of exp(-energy) over z. */
static double laplace_log(const comparison *c, const double *x, int world) {
    int64_t breaks = 1;
    double *z = c->breaks, *e = z + c->count + 3, least = INFINITY, sum = 0.0;
    z[0] = 0.0;
    for (int64_t i = 0; i < c->count; i++)
        if (c->own[i] > 0.0 && c->loading[i] != 0.0)
            z[breaks++] = (x[i] - c->centre[world][i]) / c->loading[i];
    qsort(z, (size_t)breaks, sizeof *z, ascending);
    /* beyond the ends the slope is that of all terms together */
    double slope = 1.0;
    for (int64_t i = 0; i < c->count; i++)
        if (c->own[i] > 0.0) slope += fabs(c->loading[i]) / c->own[i];
    for (int64_t k = 0; k < breaks; k++) {
        e[k] = energy(c, x, world, z[k]);
        least = fmin(least, e[k]);
    }
    for (int64_t k = 0; k + 1 < breaks; k++) {
        const double low = fmin(e[k], e[k + 1]), gap = fabs(e[k + 1] - e[k]);
        const double mean = gap > 1e-8 ? -expm1(-gap) / gap : 1.0 - 0.5 * gap;
        sum += (z[k + 1] - z[k]) * exp(least - low) * mean;
    }
    sum += (exp(least - e[0]) + exp(least - e[breaks - 1])) / slope;
    return log(sum) - least;
}

static double laplace(const comparison *c, const double *x) {
    if (c->noise.mechanism->shares > 0)
        return laplace_log(c, x, 1) - laplace_log(c, x, 0);
    double sum = 0.0;
    for (int64_t i = 0; i < c->count; i++)
        if (c->own[i] > 0.0)
            sum +=
                (fabs(x[i] - c->centre[0][i]) - fabs(x[i] - c->centre[1][i])) / c->own[i];
    return sum;
}

static double staircase(const comparison *c, const double *x) {
    const pvg_mechanism *m = c->noise.mechanism;
    double log[2] = {0.0, 0.0};
    for (int64_t i = 0; i < c->count; i++) {
        const pvgi_coordinate *at = &m->coordinate[i];
        for (int world = 0; at->scale > 0 && world < 2; world++) {
            const double z = ldexp(x[i] - c->centre[world][i], -at->grid);
            if (!(fabs(z) < 0x1p62)) continue;
            log[world] += pvgi_mechanism_staircase_log(llround(z), at->scale, at->steps);
        }
    }
    return log[1] - log[0];
}

static double score(const comparison *c, const double *x) {
    const pvgi_law *law = pvgi_mechanism_law(c->noise.mechanism->target.noise);
    if (law->draw) return staircase(c, x);
    return law->norm == 2 ? gaussian(c, x) : laplace(c, x);
}

static void prepare(comparison *c, const double *first, const double *second) {
    const pvg_mechanism *m = c->noise.mechanism;
    const double *densities[2] = {first, second};
    for (int64_t i = 0; i < c->count; i++) {
        const pvgi_coordinate *at = &m->coordinate[i];
        for (int world = 0; world < 2; world++)
            c->centre[world][i] =
                unit_at(c, i) *
                pvgi_mechanism_clamp(densities[world][i] * c->noise.factor[i], at->low,
                                     at->high);
        c->own[i] = ldexp((double)at->scale, at->grid) * unit_at(c, i);
        c->loading[i] = m->shares > 0
                            ? ldexp((double)pvgi_mechanism_correlated_of(m, i, 0) *
                                        (double)pvgi_mechanism_shared_of(m, 0),
                                    at->grid) *
                                  unit_at(c, i)
                            : 0.0;
    }
}

int32_t pvgi_query_compare(double *out, const pvg_embedder *embedder, int64_t order,
                           const double *values, int64_t rows, const double *first,
                           const double *second) {
    const int64_t n = embedder->plan.count;
    comparison c = {.embedder = embedder,
                    .count = n,
                    .columns = n + (embedder->config.append_order != 0)};
    PVGI_TRY(pvgi_query_order_noise(&c.noise, NULL, NULL, embedder, order));
    double *scratch =
        pvgi_alloc((size_t)n + 1, pvgi_size_mul((size_t)n + 10, sizeof *scratch));
    int32_t status = scratch ? PVG_OK : pvgi_fail_nomem();
    if (status == PVG_OK && c.noise.mechanism) {
        c.centre[0] = scratch, c.centre[1] = scratch + n, c.weight = scratch + 2 * n;
        c.own = scratch + 3 * n, c.loading = scratch + 4 * n, c.breaks = scratch + 5 * n;
        c.matrix = scratch + 7 * n + 6;
        prepare(&c, first, second);
        const bool joint = pvgi_mechanism_law(embedder->target.noise)->norm == 2;
        if (joint && !solve(&c))
            status = pvgi_fail(PVG_E_LIMIT,
                               "pvg_query_compare_exact: the covariance of the noise "
                               "is singular in double precision");
        for (int64_t r = 0; r < rows && status == PVG_OK; r++)
            out[r] = score(&c, values + r * c.columns);
    }
    for (int64_t r = 0; r < rows && status == PVG_OK && !c.noise.mechanism; r++)
        out[r] = 0.0; /* no edge moves anything */
    pvgi_free(scratch);
    pvgi_query_order_noise_free(&c.noise);
    return status;
}
