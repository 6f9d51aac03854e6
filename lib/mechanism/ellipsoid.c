/* Noise shaped after the changes that occur together: y = f + A + L Z.
 *
 * Given points whose convex hull, with its negative, holds every change x, Gaussian noise
 * of covariance C is mu-GDP if x' C^-1 x <= mu^2 at the points (docs/guarantees.md,
 * section 12). C with little weighted variance: l_x on the points, M = sum l_x x x', C
 * proportional to W^-1/2 (W^1/2 M W^1/2)^1/2 W^-1/2, l_x <- l_x (x' C^-1 x)^0.7 on a few
 * points, to which those that stick out are added. How good C is matters for use only.
 *
 * In use are integers: independent noise A_i of scale a_i, and Z_1, ..., Z_m of scale z
 * that enter coordinate i with integers l_ik. As in correlated.c the proof may choose t,
 * and
 *     q(x) = min over t of sum_i (x_i - sum_k l_ik t_k)^2 / a_i^2 + |t|^2 / z^2
 * is a convex quadratic form. It is bounded at every point by the value at one t, with
 * the rounding of that evaluation added; integers t cost sum_i (sum_k |l_ik| / 2)^2 /
 * a_i^2 + m / (4 z^2) more; rounding of values is a move of their own noise. Cost: some
 * hundred products of points and matrix; memory: 4 m^2 numbers. */
#include "mechanism_internal.h"

#include <stdlib.h>
#include <string.h>

enum {
    REPORTS = 1024, /* points between looks at the clock */
    ROUNDS = 8,
    STEPS = 14,
    CENTRES = 12,
    SWEEPS = 30,
    SHARE_BITS = 26,
    NOISE_BITS = 40
};
#define EXPONENT     0.7
#define STRETCH_MOST 32.0

/* Eigenvalues into d, eigenvectors into the columns of v; a is destroyed. Jacobi. */
static void eigen(double *d, double *v, double *a, int64_t n) {
    for (int64_t i = 0; i < n * n; i++) v[i] = i / n == i % n;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double off = 0.0, on = 0.0;
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++)
                *(i == j ? &on : &off) += a[i * n + j] * a[i * n + j];
        if (off <= 1e-26 * on) break;
        for (int64_t p = 0; p < n; p++)
            for (int64_t q = p + 1; q < n; q++) {
                const double x = a[p * n + q];
                if (x * x <= 1e-32 * fabs(a[p * n + p] * a[q * n + q])) continue;
                const double theta = (a[q * n + q] - a[p * n + p]) / (2.0 * x);
                const double t =
                    copysign(1.0, theta) / (fabs(theta) + sqrt(theta * theta + 1.0));
                const double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
                for (int64_t k = 0; k < n; k++) {
                    const double u = a[p * n + k], w = a[q * n + k];
                    a[p * n + k] = c * u - s * w;
                    a[q * n + k] = s * u + c * w;
                }
                for (int64_t k = 0; k < n; k++) {
                    const double u = a[k * n + p], w = a[k * n + q];
                    a[k * n + p] = c * u - s * w;
                    a[k * n + q] = s * u + c * w;
                    const double y = v[k * n + p], z = v[k * n + q];
                    v[k * n + p] = c * y - s * z;
                    v[k * n + q] = s * y + c * z;
                }
            }
    }
    for (int64_t i = 0; i < n; i++) d[i] = a[i * n + i];
}

/* out = V diag(g) V'. */
static void compose(double *out, const double *v, const double *g, int64_t n) {
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) {
            double sum = 0.0;
            for (int64_t k = 0; k < n; k++) sum += v[i * n + k] * g[k] * v[j * n + k];
            out[i * n + j] = out[j * n + i] = sum;
        }
}

/* Lower triangle l of a = l l'; false if a is not positive definite. In place. */
static bool cholesky(double *a, int64_t n) {
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) {
            double sum = a[i * n + j];
            for (int64_t k = 0; k < j; k++) sum -= a[i * n + k] * a[j * n + k];
            if (i == j && !(sum > 0.0)) return false;
            a[i * n + j] = i == j ? sqrt(sum) : sum / a[j * n + j];
        }
    return true;
}

/* |l^-1 x|^2; y: scratch. */
static double form(const double *l, const double *x, double *y, int64_t n) {
    double total = 0.0;
    for (int64_t i = 0; i < n; i++) {
        double sum = x[i];
        for (int64_t k = 0; k < i; k++) sum -= l[i * n + k] * y[k];
        y[i] = sum / l[i * n + i];
        total += y[i] * y[i];
    }
    return total;
}

typedef struct {
    const double *points;
    int64_t count, n;
    double *unit;          /* largest value of each coordinate */
    double *weight;        /* in that unit, root of it */
    double *c, *l, *m, *v; /* n x n */
    double *d, *x, *y;     /* n */
    double *centre;        /* n, in counts: 0, or near all points */
    int64_t *active, actives;
    double *share;
    bool *taken;
    pvgi_run *run;
    int32_t status;
    double done, all; /* rough counts of multiplications */
} work;

/* Tells what was done; false if the caller does not want more. */
static bool go_on(work *w, double more) {
    w->done += more;
    if (w->status == PVG_OK)
        w->status = pvgi_run_report(w->run, fmin(w->done / w->all, 1.0));
    return w->status == PVG_OK;
}

/* Multiplications of a shape, and of a form at every point. */
static double shape_work(const work *w) {
    const double n = (double)w->n;
    return (12.0 * n + (double)w->actives) * n * n;
}
static double points_work(const work *w) {
    return 0.5 * (double)w->n * (double)w->n * (double)w->count;
}

/* Covariance of the active points into w->c and its triangle into w->l. */
static bool shape(work *w) {
    const int64_t n = w->n;
    double trace = 0.0;
    memset(w->m, 0, (size_t)(n * n) * sizeof *w->m);
    for (int64_t a = 0; a < w->actives; a++) {
        const double *p = w->points + w->active[a] * n;
        for (int64_t i = 0; i < n; i++) w->x[i] = p[i] / w->unit[i] * w->weight[i];
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j <= i; j++)
                w->m[i * n + j] += w->share[a] * w->x[i] * w->x[j];
    }
    for (int64_t i = 0; i < n; i++) {
        trace += w->m[i * n + i];
        for (int64_t j = 0; j < i; j++) w->m[j * n + i] = w->m[i * n + j];
    }
    eigen(w->d, w->v, w->m, n);
    for (int64_t i = 0; i < n; i++)
        w->d[i] = sqrt(fmax(w->d[i], 0.0) + 1e-13 * trace / (double)n);
    compose(w->c, w->v, w->d, n);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) w->c[i * n + j] /= w->weight[i] * w->weight[j];
    memcpy(w->l, w->c, (size_t)(n * n) * sizeof *w->l);
    return cholesky(w->l, n);
}

static double form_at(work *w, int64_t point) {
    const double *p = w->points + point * w->n;
    for (int64_t i = 0; i < w->n; i++) w->x[i] = p[i] / w->unit[i];
    return form(w->l, w->x, w->y, w->n);
}

static void take(work *w, int64_t point, int64_t most) {
    if (w->taken[point] || w->actives == most) return;
    w->taken[point] = true;
    w->share[w->actives] = w->actives > 0 ? 0.3 / (double)w->actives : 1.0;
    w->active[w->actives++] = point;
}

/* The covariance in w->c, in units, with largest form 1. */
static bool fit(work *w, int64_t most) {
    const int64_t n = w->n;
    double largest = 0.0;
    for (int64_t i = 0; i < n;
         i++) { /* where each coordinate is largest, then smallest */
        int64_t high = 0;
        for (int64_t p = 1; p < w->count; p++)
            if (w->points[p * n + i] > w->points[high * n + i]) high = p;
        take(w, high, most);
    }
    for (int64_t p = 0; p < n; p++) take(w, p * (w->count - 1) / n, most);
    for (int round = 0; round < ROUNDS; round++) {
        for (int step = 0; step < STEPS; step++) {
            if (!shape(w) || !go_on(w, shape_work(w))) return false;
            double mean = 0.0;
            for (int64_t a = 0; a < w->actives; a++) {
                w->share[a] *= pow(form_at(w, w->active[a]), EXPONENT);
                mean += w->share[a];
            }
            if (!(mean > 0.0) || !isfinite(mean)) return false;
            for (int64_t a = 0; a < w->actives; a++) w->share[a] /= mean;
        }
        if (!shape(w)) return false;
        double inside = 0.0;
        largest = 0.0;
        for (int64_t a = 0; a < w->actives; a++)
            inside = fmax(inside, form_at(w, w->active[a]));
        int64_t worst[16] = {0};
        double found[16] = {0};
        for (int64_t p = 0; p < w->count; p++) {
            if (p % REPORTS == 0 &&
                !go_on(w, points_work(w) / (double)w->count * REPORTS))
                return false;
            const double f = form_at(w, p);
            largest = fmax(largest, f);
            if (w->taken[p] || f <= found[15]) continue;
            int place = 15;
            for (; place > 0 && found[place - 1] < f; place--) {
                found[place] = found[place - 1];
                worst[place] = worst[place - 1];
            }
            found[place] = f;
            worst[place] = p;
        }
        if (largest <= inside * 1.001) break;
        for (int i = 0; i < 16 && found[i] > inside; i++) take(w, worst[i], most);
    }
    if (!(largest > 0.0) || !isfinite(largest)) return false;
    for (int64_t i = 0; i < n * n; i++) w->c[i] *= largest;
    return true;
}

/* A point from which no other is far: towards the farthest in ever smaller steps. Any
 * point will do. */
static bool find_centre(work *w) {
    const int64_t n = w->n;
    for (int64_t i = 0; i < n; i++) w->centre[i] = w->points[i];
    for (int step = 1; step <= CENTRES; step++) {
        int64_t farthest = 0;
        double most = -1.0;
        if (!go_on(w, points_work(w))) return false;
        for (int64_t p = 0; p < w->count; p++) {
            for (int64_t i = 0; i < n; i++)
                w->x[i] = (w->points[p * n + i] - w->centre[i]) / w->unit[i];
            const double far = form(w->l, w->x, w->y, n);
            if (far > most) {
                most = far;
                farthest = p;
            }
        }
        for (int64_t i = 0; i < n; i++)
            w->centre[i] +=
                (w->points[farthest * n + i] - w->centre[i]) / (double)(step + 1);
    }
    return true;
}

/* --- integers ------------------------------------------------------------------------
 * */

/* Own part and factor: c = diag(own^2) + l l', with own as large as c allows. */
static void split(work *w, double *own) {
    const int64_t n = w->n;
    double least = INFINITY;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            w->m[i * n + j] = w->c[i * n + j] / sqrt(w->c[i * n + i] * w->c[j * n + j]);
    eigen(w->d, w->v, w->m, n);
    for (int64_t i = 0; i < n; i++) least = fmin(least, w->d[i]);
    *own = sqrt(fmax(0.5 * least, 0x1p-28));
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < n; k++)
            w->l[i * n + k] = sqrt(w->c[i * n + i]) * w->v[i * n + k] *
                              sqrt(fmax(w->d[k] - *own * *own, 0.0));
}

/* Largest q of a point less w->centre, up, for integers l, a, z of e. Scratch: w. */
static double bound(const pvgi_ellipsoid *e, work *w) {
    const int64_t n = w->n;
    const double z = (double)e->shared;
    /* t = (1/z^2 + L' A^-2 L)^-1 L' A^-2 x, any t will do */
    for (int64_t j = 0; j < n; j++)
        for (int64_t k = 0; k <= j; k++) {
            double sum = j == k ? 1.0 : 0.0;
            for (int64_t i = 0; i < n; i++)
                sum += (double)e->loadings[i * n + j] * z / (double)e->scale[i] *
                       ((double)e->loadings[i * n + k] * z / (double)e->scale[i]);
            w->l[j * n + k] = sum;
        }
    if (!cholesky(w->l, n)) return INFINITY;
    double most = 0.0;
    for (int64_t p = 0; p < w->count; p++) {
        const double *point = w->points + p * n;
        if (p % REPORTS == 0 &&
            !go_on(w, 6 * points_work(w) / (double)w->count * REPORTS))
            return INFINITY;
        for (int64_t k = 0; k < n; k++) {
            double sum = 0.0;
            for (int64_t i = 0; i < n; i++)
                sum +=
                    (double)e->loadings[i * n + k] * z / (double)e->scale[i] *
                    (ldexp(point[i] - w->centre[i], -e->grid[i]) / (double)e->scale[i]);
            w->x[k] = sum;
        }
        for (int64_t k = 0; k < n; k++) { /* forward and back */
            double sum = w->x[k];
            for (int64_t j = 0; j < k; j++) sum -= w->l[k * n + j] * w->y[j];
            w->y[k] = sum / w->l[k * n + k];
        }
        for (int64_t k = n - 1; k >= 0; k--) {
            double sum = w->y[k];
            for (int64_t j = k + 1; j < n; j++) sum -= w->l[j * n + k] * w->x[j];
            w->x[k] = sum / w->l[k * n + k];
        }
        double total = 0.0;
        for (int64_t k = 0; k < n; k++) total += w->x[k] * w->x[k]; /* t / z */
        for (int64_t i = 0; i < n; i++) {
            const double value = ldexp(point[i] - w->centre[i], -e->grid[i]);
            double rest = value, size = fabs(value);
            for (int64_t k = 0; k < n; k++) {
                const double part = (double)e->loadings[i * n + k] * (z * w->x[k]);
                rest -= part;
                size += fabs(part);
            }
            /* fewer than 2 n + 8 roundings of numbers up to size, and of the point */
            const double off = fabs(rest) + 0x1p-52 * (double)(2 * n + 8) * size;
            total += off / (double)e->scale[i] * (off / (double)e->scale[i]);
        }
        most = fmax(most, total);
    }
    return most * (1.0 + 0x1p-40);
}

/* What integers t cost. */
static double whole_steps(const pvgi_ellipsoid *e) {
    const int64_t n = e->dimension;
    double sum = 0.25 * (double)n / ((double)e->shared * (double)e->shared);
    for (int64_t i = 0; i < n; i++) {
        double row = 0.0;
        for (int64_t k = 0; k < n; k++) row += 0.5 * fabs((double)e->loadings[i * n + k]);
        sum += row / (double)e->scale[i] * (row / (double)e->scale[i]);
    }
    return sum * (1.0 + 0x1p-40);
}

/* Integers for mu = ratio; false if they do not fit. */
static bool settle(pvgi_ellipsoid *e, work *w, bool truncated, double ratio,
                   double slack) {
    const int64_t n = w->n;
    double own;
    if (truncated && !find_centre(w)) return false;
    split(w, &own);
    e->shared = INT64_C(1) << SHARE_BITS;
    for (int64_t i = 0; i < n; i++) {
        const double deviation = sqrt(w->c[i * n + i]) * w->unit[i] / ratio;
        if (!isnormal(deviation)) return false;
        e->grid[i] = ilogb(deviation) - NOISE_BITS;
        e->scale[i] = (int64_t)ceil(ldexp(own * deviation, -e->grid[i]));
        for (int64_t k = 0; k < n; k++)
            e->loadings[i * n + k] = llround(
                ldexp(w->l[i * n + k] * w->unit[i] / ratio, -e->grid[i] - SHARE_BITS));
    }
    /* the same t with all scales times s has form / s^2 */
    const double radius = truncated ? sqrt(bound(e, w)) : 0.0;
    memset(w->centre, 0, (size_t)n * sizeof *w->centre);
    const double one = sqrt(bound(e, w) + whole_steps(e));
    /* k_1 - k_2 - k_3: two points are at most two radii apart */
    const double reach =
        (truncated ? fmin(3.0 * one, 2.0 * radius + one) : one) * (1.0 + 0x1p-40);
    if (!isfinite(reach)) return false;
    const double s = reach / (ratio * (1.0 - slack)) * (1.0 + 0x1p-40);
    if (!(s < 16.0)) return false;
    e->shared = (int64_t)ceil((double)e->shared * s);
    for (int64_t i = 0; i < n; i++) e->scale[i] = (int64_t)ceil((double)e->scale[i] * s);
    e->reach = reach / s * (1.0 + 0x1p-40);
    return e->reach <= ratio;
}

void pvgi_mechanism_ellipsoid_free(pvgi_ellipsoid *e) {
    if (!e) return;
    pvgi_free(e->grid);
    pvgi_free(e->scale);
    pvgi_free(e->loadings);
    pvgi_free(e);
}

static pvgi_ellipsoid *new_ellipsoid(int64_t n) {
    pvgi_ellipsoid *e = pvgi_alloc_zero(1, sizeof *e);
    if (!e) return NULL;
    e->dimension = n;
    e->grid = pvgi_alloc((size_t)n, sizeof *e->grid);
    e->scale = pvgi_alloc((size_t)n, sizeof *e->scale);
    e->loadings = pvgi_alloc((size_t)(n * n), sizeof *e->loadings);
    if (e->grid && e->scale && e->loadings) return e;
    pvgi_mechanism_ellipsoid_free(e);
    return NULL;
}

static int64_t actives_most(int64_t n) {
    return 12 * n + 64;
}

size_t pvgi_mechanism_ellipsoid_bytes(int64_t count, int64_t dimension) {
    const size_t n = (size_t)dimension, most = (size_t)actives_most(dimension);
    return pvgi_size_add(pvgi_size_mul(5 * n + 8, n * sizeof(double)),
                         pvgi_size_add(16 * most, (size_t)count));
}

int32_t pvgi_mechanism_ellipsoid(pvgi_ellipsoid **out, const double *points,
                                 int64_t count, int64_t dimension, const double *weights,
                                 bool truncated, double ratio, double slack,
                                 pvgi_run *run) {
    const int64_t n = dimension, most = actives_most(n);
    *out = NULL;
    double *scratch = pvgi_alloc_zero((size_t)(4 * n * n + 6 * n), sizeof *scratch);
    int64_t *active = pvgi_alloc((size_t)most, sizeof *active);
    double *share = pvgi_alloc((size_t)most, sizeof *share);
    bool *taken = pvgi_alloc_zero((size_t)count, sizeof *taken);
    pvgi_ellipsoid *e = new_ellipsoid(n);
    int32_t status =
        scratch && active && share && taken && e ? PVG_OK : pvgi_fail_nomem();
    bool good = status == PVG_OK;
    if (good) {
        work w = {.points = points,
                  .count = count,
                  .n = n,
                  .active = active,
                  .share = share,
                  .taken = taken,
                  .run = run,
                  .status = PVG_OK};
        w.actives = most; /* about what a whole run needs */
        w.all = ROUNDS * (STEPS * shape_work(&w) + points_work(&w)) +
                (truncated ? CENTRES + 12 : 6) * points_work(&w);
        w.actives = 0;
        w.c = scratch, w.l = w.c + n * n, w.m = w.l + n * n, w.v = w.m + n * n;
        w.unit = w.v + n * n, w.weight = w.unit + n, w.d = w.weight + n;
        w.x = w.d + n, w.y = w.x + n, w.centre = w.y + n;
        for (int64_t i = 0; i < n; i++) {
            for (int64_t p = 0; p < count; p++)
                w.unit[i] = fmax(w.unit[i], fabs(points[p * n + i]));
            w.weight[i] = sqrt(weights[i]) * w.unit[i];
            good = good && w.unit[i] > 0.0 && isnormal(w.weight[i]);
        }
        double largest = 0.0; /* weights matter up to a factor */
        for (int64_t i = 0; i < n; i++) largest = fmax(largest, w.weight[i]);
        for (int64_t i = 0; i < n; i++) w.weight[i] /= largest;
        good = good && fit(&w, most) && settle(e, &w, truncated, ratio, slack);
        status = w.status;
        good = good && status == PVG_OK;
    }
    pvgi_free(scratch);
    pvgi_free(active);
    pvgi_free(share);
    pvgi_free(taken);
    if (good)
        *out = e;
    else
        pvgi_mechanism_ellipsoid_free(e);
    return status;
}

int32_t pvgi_mechanism_from_ellipsoid(pvg_mechanism **out, const pvg_target *target,
                                      const pvgi_ellipsoid *e, const double *high,
                                      const double *off, double ratio, double stretch) {
    const int64_t n = e->dimension;
    double rounding = 0.0;
    *out = NULL;
    if (!(stretch <= STRETCH_MOST)) return PVG_OK;
    for (int64_t i = 0; i < n; i++) {
        if (!(high[i] > 0.0 && ldexp(high[i], -e->grid[i]) < 0x1p59)) return PVG_OK;
        /* in steps; one for rounding both values to the grid */
        const double steps = 1.0 + ldexp(off[i], -e->grid[i]);
        rounding += steps / (double)e->scale[i] * (steps / (double)e->scale[i]);
    }
    /* the public factor of values is off by less than 2^-44 of itself */
    const double mu = pvgi_mechanism_up(
        (e->reach / stretch * (1.0 + 0x1p-43) + sqrt(rounding) * (1.0 + 0x1p-40)), 8);
    if (!(mu <= ratio)) return PVG_OK;
    const size_t bytes = pvgi_size_add(sizeof(pvg_mechanism),
                                       pvgi_size_mul((size_t)n, sizeof(pvgi_coordinate)));
    pvg_mechanism *m = pvgi_alloc_zero(1, bytes);
    if (!m) return pvgi_fail_nomem();
    m->target = *target;
    m->dimension = m->noisy = m->shares = n;
    m->loadings = e->loadings;
    m->shared = (int64_t)ceil((double)e->shared * stretch);
    m->ratio = ratio;
    m->spent = pvgi_mechanism_target_term(target, n);
    *pvgi_mechanism_term_parameter(&m->spent) =
        m->spent.kind == PVG_CURVE_ZCDP ? pvgi_mechanism_up(0.5 * mu * mu, 4) : mu;
    for (int64_t i = 0; i < n; i++)
        m->coordinate[i] =
            (pvgi_coordinate){.high = high[i],
                              .sensitivity = high[i],
                              .weight = 1.0,
                              .grid = e->grid[i],
                              .steps = 1,
                              .half = 1,
                              .scale = (int64_t)ceil((double)e->scale[i] * stretch)};
    *out = m;
    return PVG_OK;
}
