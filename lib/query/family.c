/* Embeddings of trees whose joint changes are known: noise in their shape.
 *
 * Counts hom(F, G) of the patterns move, by one edge, within a body that does not depend
 * on the number of nodes (sensitivity/corners.c), so one ellipsoid is made for all
 * orders. Noise is added to counts; what is released is that, times the public unit. For
 * truncated graphs a change is k_1 - k_2 - k_3 with each k in the body. Made once, when
 * the embedder is; which noise an order gets depends on public numbers only.
 *
 * Patterns of which no body is known stand beside it with noise of their own, apart or
 * one-way. Weighted variances V_1 / mu_1^2 + V_2 / mu_2^2 with mu_1^2 + mu_2^2 = mu^2 are
 * least, (sqrt V_1 + sqrt V_2)^2 / mu^2, if mu_1^2 is in proportion to sqrt V_1. */
#include "query_internal.h"

#include <math.h>
#include <string.h>

/* Of points: 16 MB; an ellipsoid of 80 patterns is made in some seconds. */
enum { PATTERNS_MOST = 80 };
static const double numbers_most = 0x1p21, work_most = 0x1p26;
static const double slack = 0x1p-12;

static double nodes_power(int64_t order, int32_t power) {
    double value = 1.0;
    for (int32_t i = 0; i < power; i++) value *= (double)order;
    return value;
}

/* Unit of the release in counts: factor of the density / n^m. */
static double unit_of(const pvg_embedder *embedder, int64_t i, int64_t order,
                      double factor) {
    return factor / nodes_power(order, embedder->plan.pattern[i].order);
}

static bool wanted(const pvg_embedder *embedder) {
    const int32_t joint = embedder->config.joint, noise = embedder->target.noise;
    return (joint == PVG_JOINT_AUTO || joint == PVG_JOINT_ELLIPSOID) &&
           embedder->config.degrees != PVG_DEGREES_ANY &&
           embedder->target.allocation == PVG_ALLOCATION_OPTIMAL &&
           (noise == PVG_NOISE_GAUSSIAN || noise == PVG_NOISE_DISCRETE_GAUSSIAN) &&
           embedder->parameter > 0.0;
}

static int32_t make(pvg_embedder *embedder, const pvgi_corners *corners, pvgi_run *run) {
    const int64_t n = corners->dimension;
    const int64_t order = embedder->config.degree_bound + 100; /* for the units alone */
    const bool truncated = embedder->config.degrees == PVG_DEGREES_TRUNCATED;
    pvgi_order_noise noise;
    PVGI_TRY(pvgi_query_order_noise(&noise, NULL, NULL, embedder, order));
    double *weights = pvgi_alloc((size_t)n, sizeof *weights);
    int32_t status = weights ? PVG_OK : pvgi_fail_nomem();
    bool exact = status == PVG_OK;
    for (int64_t i = 0, k = 0; i < embedder->plan.count && exact; i++) {
        if (!embedder->covered[i]) continue;
        const double unit = unit_of(embedder, i, order, noise.factor[i]);
        weights[k] = (embedder->weights ? embedder->weights[i] : 1.0) * unit * unit;
        for (int64_t p = 0; p < corners->count; p++)
            exact = exact && corners->points[p * n + k] < 0x1p52;
        k++;
    }
    if (exact)
        status = pvgi_mechanism_ellipsoid(&embedder->ellipsoid, corners->points,
                                          corners->count, n, weights, truncated,
                                          embedder->ratio, slack, run);
    pvgi_free(weights);
    pvgi_query_order_noise_free(&noise);
    return status;
}

/* The patterns that are covered, as a list of their own; *out NULL if they are too few or
 * too many. */
static int32_t choose(pvg_patterns **out, pvg_embedder *embedder) {
    const int64_t n = embedder->plan.count;
    pvgi_pattern_builder list = {0};
    int64_t *index = pvgi_alloc((size_t)n, sizeof *index), count = 0;
    int32_t status = PVG_OK;
    *out = NULL;
    embedder->covered = pvgi_alloc((size_t)n, sizeof *embedder->covered);
    if (!index || !embedder->covered) {
        status = pvgi_fail_nomem();
        goto done;
    }
    for (int64_t i = 0; i < n; i++) {
        embedder->covered[i] =
            pvgi_sensitivity_covers(embedder->patterns, i, embedder->config.degree_bound);
        if (embedder->covered[i]) index[count++] = i;
    }
    if (count > 1 && count <= PATTERNS_MOST)
        status = pvgi_pattern_list_close(
            out, &list,
            pvgi_pattern_list_append(&list, embedder->patterns, index, count));
done:
    pvgi_free(index);
    return status;
}

/* Whether the caller's limit leaves room; a little more than the points is needed. */
static bool fits(const pvgi_run *run, const pvgi_corners *corners) {
    const size_t points = pvgi_size_mul(
        pvgi_size_mul((size_t)corners->count, (size_t)corners->dimension), 2 * 8);
    const size_t bytes = pvgi_size_add(
        points, pvgi_mechanism_ellipsoid_bytes(corners->count, corners->dimension));
    return run->config.scratch_limit == 0 || bytes <= run->config.scratch_limit;
}

int32_t pvgi_query_settle_family(pvg_embedder *embedder, pvgi_run *run) {
    const bool forced = embedder->config.joint == PVG_JOINT_ELLIPSOID;
    pvgi_corners corners = {0};
    pvg_patterns *trees = NULL;
    bool small = true;
    int32_t status = PVG_OK;
    if (wanted(embedder)) {
        const bool zcdp = embedder->target.noise == PVG_NOISE_DISCRETE_GAUSSIAN;
        embedder->ratio = zcdp ? sqrt(2.0 * embedder->parameter) * (1.0 - 0x1p-50)
                               : embedder->parameter;
        PVGI_TRY(choose(&trees, embedder));
        if (trees)
            status = pvgi_sensitivity_corners(
                &corners, trees, embedder->config.degree_bound,
                fmin(numbers_most, work_most / (double)trees->count));
        if (status == PVG_OK && corners.count > 0) {
            small = fits(run, &corners);
            if (small)
                status = make(embedder, &corners, run);
            else if (forced)
                status = pvgi_fail(PVG_E_LIMIT,
                                   "embed: an ellipsoid of %lld patterns "
                                   "needs more than run->scratch_limit",
                                   (long long)corners.dimension);
            else
                pvgi_log(PVG_LOG_INFO,
                         "pvg_query_new: embed: scratch_limit leaves no room for an "
                         "ellipsoid; noise of another shape");
        }
        pvgi_sensitivity_corners_free(&corners);
        pvg_patterns_free(trees);
        PVGI_TRY(status);
    }
    if (forced && !embedder->ellipsoid)
        return pvgi_fail(PVG_E_PRIVACY,
                         "embed: joint changes are known for trees of diameter "
                         "4 or less with a degree bound, Gaussian noise and not too many "
                         "corners; this is none");
    return PVG_OK;
}

/* --- per order --------------------------------------------------------------------- */

/* Room for one order: those of the family first in all arrays, then the others. */
typedef struct {
    int64_t count, trees;
    double *unit, *high, *off;                 /* of the family */
    double *s, *back, *low, *top, *w, *scales; /* of the others */
    double *scratch;                           /* twice the others */
} parts;

static void fill_parts(parts *p, double *numbers, const pvgi_order_noise *noise,
                       const double *sensitivities, const double *back,
                       const pvg_embedder *embedder) {
    const int64_t n = p->count = embedder->plan.count;
    int64_t a = 0, b = 0;
    p->unit = numbers, p->high = p->unit + n, p->off = p->high + n;
    p->s = p->off + n, p->back = p->s + n, p->low = p->back + n, p->top = p->low + n;
    p->w = p->top + n, p->scales = p->w + n, p->scratch = p->scales + n;
    for (int64_t i = 0; i < n; i++)
        if (embedder->covered[i]) {
            p->unit[a] = unit_of(embedder, i, noise->order, noise->factor[i]);
            p->high[a] = noise->range[i] / p->unit[a] * (1.0 + 0x1p-40);
            p->off[a] = 2.0 * noise->error[i] * p->high[a];
            a++;
        } else {
            p->s[b] = sensitivities[i];
            p->back[b] = back[i];
            p->top[b] = noise->range[i];
            p->low[b] = sensitivities[i] > 0.0 ? 0.0 : noise->range[i];
            p->w[b] = embedder->weights ? embedder->weights[i] : 1.0;
            b++;
        }
    p->trees = a;
}

/* How many times as large the noise of the family is as it would be alone; 0: the others
 * do not move. */
static double stretch_for(const parts *p, const pvg_embedder *embedder) {
    const int64_t others = p->count - p->trees;
    const pvgi_ellipsoid *e = embedder->ellipsoid;
    double first = 0.0, second = 0.0;
    for (int64_t i = 0, a = 0; i < p->count; i++) {
        if (!embedder->covered[i]) continue;
        const double w = embedder->weights ? embedder->weights[i] : 1.0;
        double sum = (double)e->scale[a] * (double)e->scale[a];
        for (int64_t k = 0; k < p->trees; k++) {
            const double x = (double)e->loadings[a * p->trees + k] * (double)e->shared;
            sum += x * x;
        }
        const double scale = ldexp(sqrt(sum), e->grid[a]) * p->unit[a];
        first += w * scale * scale;
        a++;
    }
    pvgi_query_share(p->scales, embedder, p->s, p->back, p->w, others, embedder->ratio,
                     p->scratch);
    for (int64_t b = 0; b < others; b++) second += p->w[b] * p->scales[b] * p->scales[b];
    if (!(second > 0.0)) return 0.0;
    return sqrt(1.0 + sqrt(second / first));
}

/* The ellipsoid alone, or with the others beside it. *out NULL if it does not fit. */
static int32_t make_order(pvg_mechanism **out, const parts *p,
                          const pvg_embedder *embedder) {
    const pvgi_ellipsoid *e = embedder->ellipsoid;
    const int64_t others = p->count - p->trees;
    const double ratio = embedder->ratio;
    *out = NULL;
    if (others == 0)
        return pvgi_mechanism_from_ellipsoid(out, &embedder->target, e, p->high, p->off,
                                             ratio, 1.0);
    const double stretch = stretch_for(p, embedder);
    if (!(stretch > 1.0) || !isfinite(stretch)) return PVG_OK;
    const double left = ratio * sqrt(1.0 - 1.0 / (stretch * stretch)) * (1.0 - 0x1p-30);
    pvg_target target = embedder->target;
    pvg_mechanism *first = NULL, *second = NULL;
    target.epsilon = target.delta = 0.0;
    target.parameter =
        target.noise == PVG_NOISE_DISCRETE_GAUSSIAN ? 0.5 * left * left : left;
    PVGI_TRY(pvgi_mechanism_from_ellipsoid(&first, &embedder->target, e, p->high, p->off,
                                           ratio / stretch, stretch));
    if (!first || !(left > 0.0)) {
        pvg_mechanism_free(first);
        return PVG_OK;
    }
    const bool shared = pvgi_query_leans(embedder, p->s, p->back, p->w, others);
    int32_t status =
        pvgi_mechanism_new(&second, "embed", &target, p->s, shared ? p->back : NULL,
                           p->low, p->top, p->w, others);
    if (status == PVG_OK)
        status = pvgi_mechanism_product(out, first, embedder->covered, second);
    pvg_mechanism_free(first);
    pvg_mechanism_free(second);
    return status;
}

/* Whether it spends no more than the target allows. */
static bool within(const pvg_mechanism *m, const pvg_embedder *embedder) {
    const pvg_target *target = &embedder->target;
    pvg_curve_term spent = m->spent;
    return *pvgi_mechanism_term_parameter(&spent) <= embedder->parameter &&
           (!(target->epsilon > 0.0) ||
            pvgi_mechanism_terms_epsilon(&spent, 1, target->delta) <= target->epsilon);
}

int32_t pvgi_query_take_family(pvgi_order_noise *noise, const double *sensitivities,
                               const double *back, const pvg_embedder *embedder) {
    const int64_t n = embedder->plan.count;
    pvg_mechanism *made = NULL;
    double before = 0.0, after = 0.0;
    parts p = {0};
    if (!embedder->ellipsoid || !noise->mechanism) return PVG_OK;
    double *scratch = pvgi_alloc((size_t)n, 11 * sizeof *scratch);
    double *unit = pvgi_alloc((size_t)n, sizeof *unit);
    int32_t status = scratch && unit ? PVG_OK : pvgi_fail_nomem();
    if (status == PVG_OK) {
        fill_parts(&p, scratch, noise, sensitivities, back, embedder);
        status = make_order(&made, &p, embedder);
    }
    if (made && !within(made, embedder)) {
        pvg_mechanism_free(made);
        made = NULL;
    }
    for (int64_t i = 0, a = 0; made && i < n; i++) {
        const double w = embedder->weights ? embedder->weights[i] : 1.0;
        unit[i] = embedder->covered[i] ? p.unit[a++] : 1.0;
        const double x = pvgi_mechanism_whole_scale(noise->mechanism, i);
        const double y = pvgi_mechanism_whole_scale(made, i) * unit[i];
        before += w * x * x;
        after += w * y * y;
    }
    const bool forced = embedder->config.joint == PVG_JOINT_ELLIPSOID;
    pvgi_free(scratch);
    if (made && (forced || after < before)) {
        pvg_mechanism_free(noise->mechanism);
        noise->mechanism = made;
        noise->unit = unit;
        for (int64_t i = 0; i < n; i++)
            if (embedder->covered[i])
                noise->factor[i] =
                    nodes_power(noise->order, embedder->plan.pattern[i].order);
        return PVG_OK;
    }
    if (!made && forced && status == PVG_OK)
        status = pvgi_fail(PVG_E_LIMIT,
                           "pvg_embedder: counts in graphs of %lld nodes and the noise "
                           "of the ellipsoid are too far apart",
                           (long long)noise->order);
    pvg_mechanism_free(made);
    pvgi_free(unit);
    return status;
}
