/* Embeddings of trees whose joint changes are known: noise in their shape.
 *
 * Counts hom(F, G) of the patterns move, by one edge, within a body that does not depend
 * on the number of nodes (sensitivity/corners.c), so one ellipsoid is made for all
 * orders. Noise is added to counts; what is released is that, times the public unit. For
 * truncated graphs a change is k_1 - k_2 - k_3 with each k in the body. Made once, when
 * the embedder is; which noise an order gets depends on public numbers only. */
#include "release_internal.h"

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
           embedder->parameter > 0.0 && embedder->plan.count > 1 &&
           embedder->plan.count <= PATTERNS_MOST;
}

static int32_t make(pvg_embedder *embedder, const pvgi_corners *corners) {
    const int64_t n = corners->dimension;
    const int64_t order = embedder->config.degree_bound + 100; /* for the units alone */
    const bool truncated = embedder->config.degrees == PVG_DEGREES_TRUNCATED;
    pvgi_order_noise noise;
    PVGI_TRY(pvgi_release_order_noise(&noise, NULL, NULL, embedder, order));
    double *weights = pvgi_alloc((size_t)n, sizeof *weights);
    int32_t status = weights ? PVG_OK : pvgi_fail_nomem();
    bool exact = status == PVG_OK;
    for (int64_t i = 0; i < n && exact; i++) {
        const double unit = unit_of(embedder, i, order, noise.factor[i]);
        weights[i] = (embedder->weights ? embedder->weights[i] : 1.0) * unit * unit;
        for (int64_t p = 0; p < corners->count; p++)
            exact = exact && corners->points[p * n + i] < 0x1p52;
    }
    if (exact)
        status = pvgi_mechanism_ellipsoid(&embedder->ellipsoid, corners->points,
                                          corners->count, n, weights, truncated,
                                          embedder->ratio, slack);
    pvgi_free(weights);
    pvgi_release_order_noise_free(&noise);
    return status;
}

int32_t pvgi_release_settle_family(pvg_embedder *embedder) {
    pvgi_corners corners = {0};
    const double n = (double)embedder->plan.count;
    if (wanted(embedder)) {
        const bool zcdp = embedder->target.noise == PVG_NOISE_DISCRETE_GAUSSIAN;
        embedder->ratio = zcdp ? sqrt(2.0 * embedder->parameter) * (1.0 - 0x1p-50)
                               : embedder->parameter;
        PVGI_TRY(pvgi_sensitivity_corners(&corners, embedder->patterns,
                                          embedder->config.degree_bound,
                                          fmin(numbers_most, work_most / n)));
        const int32_t status = corners.count > 0 ? make(embedder, &corners) : PVG_OK;
        pvgi_sensitivity_corners_free(&corners);
        PVGI_TRY(status);
    }
    if (embedder->config.joint == PVG_JOINT_ELLIPSOID && !embedder->ellipsoid)
        return pvgi_fail(
            PVG_E_PRIVACY,
            "pvg_embedder_new: joint changes are known for trees of diameter "
            "4 or less with a degree bound, Gaussian noise and not too many "
            "corners; this is none");
    return PVG_OK;
}

int32_t pvgi_release_take_family(pvgi_order_noise *noise, const pvg_embedder *embedder) {
    const int64_t n = embedder->plan.count;
    const pvg_target *target = &embedder->target;
    pvg_mechanism *made = NULL;
    double before = 0.0, after = 0.0;
    if (!embedder->ellipsoid || !noise->mechanism) return PVG_OK;
    double *room = pvgi_alloc((size_t)n, 4 * sizeof *room);
    if (!room) return pvgi_fail_nomem();
    double *unit = room, *factor = room + n, *high = room + 2 * n, *off = room + 3 * n;
    for (int64_t i = 0; i < n; i++) {
        factor[i] = nodes_power(noise->order, embedder->plan.pattern[i].order);
        unit[i] = unit_of(embedder, i, noise->order, noise->factor[i]);
        high[i] = noise->range[i] / unit[i] * (1.0 + 0x1p-40);
        off[i] = 2.0 * noise->error[i] * high[i];
    }
    int32_t status = pvgi_mechanism_from_ellipsoid(&made, target, embedder->ellipsoid,
                                                   high, off, embedder->ratio);
    if (made && target->epsilon > 0.0 &&
        !(pvgi_mechanism_terms_epsilon(&made->spent, 1, target->delta) <=
          target->epsilon)) {
        pvg_mechanism_free(made);
        made = NULL;
    }
    for (int64_t i = 0; made && i < n; i++) {
        const double w = embedder->weights ? embedder->weights[i] : 1.0;
        const double x = pvgi_mechanism_whole_scale(noise->mechanism, i);
        const double y = pvgi_mechanism_whole_scale(made, i) * unit[i];
        before += w * x * x;
        after += w * y * y;
    }
    const bool forced = embedder->config.joint == PVG_JOINT_ELLIPSOID;
    if (made && (forced || after < before)) {
        pvg_mechanism_free(noise->mechanism);
        noise->mechanism = made;
        memcpy(noise->factor, factor, (size_t)n * sizeof *factor);
        noise->unit = room; /* its first part */
        return PVG_OK;
    }
    if (!made && forced && status == PVG_OK)
        status = pvgi_fail(PVG_E_LIMIT,
                           "pvg_embedder: counts in graphs of %lld nodes and the noise "
                           "of the ellipsoid are too far apart",
                           (long long)noise->order);
    pvg_mechanism_free(made);
    pvgi_free(room);
    return status;
}
