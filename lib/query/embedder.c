/* The public side of an embedding: for graphs of n nodes, unit, sensitivity and noise of
 * every coordinate.
 *
 * Coordinate i is value_i = t(F_i, G) factor_i with a public factor. A computed value is
 * off by at most the relative error r of the density and one rounding of the product, so
 *     |value - value'| <= factor (S + 2 (r + 2^-52) T),
 * S edge sensitivity and T range of the density under the assumption. All from n, D and
 * the patterns. An edge raises all densities, so all values move one way but for
 * rounding, and part of the noise may be shared (mechanism/correlated.c). */
#include "query_internal.h"

#include <math.h>
#include <string.h>

void pvgi_query_embedder_free(pvg_embedder *embedder) {
    if (!embedder) return;
    pvg_patterns_free(embedder->patterns);
    pvgi_density_free(embedder->density);
    pvgi_sensitivity_plan_free(&embedder->plan);
    pvgi_guarantee_columns_drop(embedder->told);
    pvgi_free(embedder->weights);
    pvgi_free(embedder->covered);
    pvgi_mechanism_ellipsoid_free(embedder->ellipsoid);
    pvgi_free(embedder);
}

/* --- units: one row each ----------------------------------------------------------- */

/* Vertices less components, isolated vertices included: the power of n that turns a
 * density into a mean count per node. */
static double per_node_factor(const pvg_embedder *embedder, int64_t index, double order,
                              double range) {
    (void)range;
    const pvgi_bound_pattern *pattern = &embedder->plan.pattern[index];
    double factor = 1.0;
    for (int32_t i = 0; i < pattern->parts; i++) {
        const pvgi_bound_part *part = &embedder->plan.part[pattern->first_part + i];
        for (int32_t c = 0; c < PVGI_OFFSETS; c++)
            for (int32_t p = 0; p < part->range.power[c]; p++) factor *= order;
    }
    return factor;
}

static double range_factor(const pvg_embedder *embedder, int64_t index, double order,
                           double range) {
    (void)embedder, (void)index, (void)order;
    return range > 0.0 ? 1.0 / range : 1.0;
}

static double density_factor(const pvg_embedder *embedder, int64_t index, double order,
                             double range) {
    (void)embedder, (void)index, (void)order, (void)range;
    return 1.0;
}

static const struct {
    const char *unit; /* in records */
    /* the public number by which densities are multiplied */
    double (*factor)(const pvg_embedder *embedder, int64_t index, double order,
                     double range);
} scalings[] = {
    [PVG_SCALING_RANGE] = {"density / largest density of the assumption", range_factor},
    [PVG_SCALING_DENSITY] = {"hom(F, G) / n^m", density_factor},
    [PVG_SCALING_PER_NODE] = {"hom(F, G) / n per component", per_node_factor},
};

/* Unit, and name and graph6 of each column. */
static int32_t name_columns(pvg_embedder *embedder) {
    embedder->told = pvgi_guarantee_columns_begin();
    if (!embedder->told) return PVG_E_NOMEM;
    for (int64_t i = 0; i < embedder->plan.count; i++) {
        char name[256], graph6[256];
        size_t length;
        PVGI_TRY(
            pvg_patterns_copy_name(name, sizeof name, &length, embedder->patterns, i));
        PVGI_TRY(pvg_patterns_copy_graph6(graph6, sizeof graph6, &length,
                                          embedder->patterns, i));
        pvgi_guarantee_columns_add(
            embedder->told,
            &(pvgi_column){.count = 1,
                           .name = name,
                           .graph6 = graph6,
                           .unit = scalings[embedder->config.scaling].unit,
                           .noise = pvgi_mechanism_law(embedder->target.noise)->name});
    }
    if (embedder->config.append_order)
        pvgi_guarantee_columns_add(
            embedder->told, &(pvgi_column){.count = 1, .name = "order", .unit = "nodes"});
    return embedder->told->status;
}

static int32_t fill(pvg_embedder *embedder, const pvg_patterns *patterns,
                    const double *weights) {
    const pvg_density_config plain = {.size = sizeof plain};
    pvgi_pattern_builder copy = {0};
    const int32_t status =
        pvgi_pattern_list_append(&copy, patterns, NULL, patterns->count);
    PVGI_TRY(pvgi_pattern_list_close(&embedder->patterns, &copy, status));
    PVGI_TRY(pvgi_density_compile(&embedder->density, patterns, &plain));
    PVGI_TRY(pvgi_sensitivity_plan_new(&embedder->plan, patterns));
    PVGI_TRY(name_columns(embedder));
    if (!weights) return PVG_OK;
    embedder->weights = pvgi_alloc((size_t)patterns->count, sizeof *weights);
    if (!embedder->weights) return pvgi_fail_nomem();
    memcpy(embedder->weights, weights, (size_t)patterns->count * sizeof *weights);
    return PVG_OK;
}

/* Makes noise for a trial order, which checks the target now rather than at the first
 * graph, and solves for the native parameter once for all orders. */
static int32_t settle_target(pvg_embedder *embedder, pvgi_run *run) {
    pvgi_order_noise trial;
    PVGI_TRY(pvgi_query_order_noise(&trial, NULL, NULL, embedder, 100));
    const bool noisy = trial.mechanism != NULL;
    pvgi_query_order_noise_free(&trial);
    if (!noisy || pvgi_mechanism_is_smooth(embedder->target.noise)) return PVG_OK;
    const pvg_curve_term term =
        pvgi_mechanism_target_term(&embedder->target, embedder->plan.count);
    embedder->parameter = pvgi_mechanism_target_parameter(&embedder->target, &term);
    return pvgi_query_settle_family(embedder, run);
}

int32_t pvgi_query_embedder_new(pvg_embedder **out, const pvg_patterns *patterns,
                                const pvg_embedder_config *config,
                                const pvg_target *target, const double *weights,
                                pvgi_run *run) {
    pvg_embedder *embedder = pvgi_alloc_zero(1, sizeof *embedder);
    if (!embedder) return pvgi_fail_nomem();
    embedder->config = *config;
    embedder->target = *target;
    int32_t status = fill(embedder, patterns, weights);
    if (status == PVG_OK) status = settle_target(embedder, run);
    if (status != PVG_OK) {
        pvgi_query_embedder_free(embedder);
        return status;
    }
    *out = embedder;
    return PVG_OK;
}

/* Unit and relative error of the computed value, sensitivity and range of pattern i. */
typedef struct {
    double factor, error, sensitivity, range;
    double back; /* against the others */
} coordinate;

static int32_t measure(coordinate *out, const pvg_embedder *embedder, int64_t i,
                       const pvgi_assumption *assumption) {
    const int64_t order = (int64_t)assumption->order;
    const double range = pvgi_sensitivity_range_at(&embedder->plan, i, assumption);
    const double factor =
        scalings[embedder->config.scaling].factor(embedder, i, assumption->order, range);
    const bool moves = embedder->plan.pattern[i].parts > 0 && range > 0.0;
    if (!isfinite(factor * range))
        return pvgi_fail(PVG_E_LIMIT,
                         "pvg_embedder: the unit of pattern %lld overflows at %lld nodes",
                         (long long)i, (long long)order);
    *out = (coordinate){.factor = factor, .range = factor * range};
    out->error = pvgi_density_error_bound(embedder->density, i, order,
                                          (int64_t)assumption->degree) +
                 0x1p-52;
    if (!moves) return PVG_OK;
    out->range = pvgi_round_up(out->range);
    /* values are clamped to the range, so none moves farther */
    out->sensitivity =
        fmin(pvgi_round_up(factor * pvgi_sensitivity_at(&embedder->plan, i, assumption,
                                                        out->error)),
             out->range * (1.0 + 0x1p-52));
    out->back =
        fmin(pvgi_round_up(factor * pvgi_sensitivity_back_at(&embedder->plan, i,
                                                             assumption, out->error)),
             out->sensitivity);
    return PVG_OK;
}

bool pvgi_query_leans(const pvg_embedder *embedder, const double *sensitivities,
                      const double *back, const double *weights, int64_t count) {
    const pvgi_law *law = pvgi_mechanism_law(embedder->target.noise);
    if (!law->joint || embedder->target.allocation != PVG_ALLOCATION_OPTIMAL ||
        embedder->config.joint == PVG_JOINT_NEVER)
        return false;
    return embedder->config.joint == PVG_JOINT_ONE_WAY ||
           pvgi_mechanism_correlated_pays(sensitivities, back, weights, count, law->norm);
}

/* Coordinates that no edge moves (isolated vertices; cliques larger than the degree bound
 * allows) are constants: density 1 or 0. */
static int32_t make_mechanism(pvgi_order_noise *noise, const double *sensitivities,
                              const double *back, const double *ranges, double *low,
                              const pvg_embedder *embedder) {
    pvg_target target = embedder->target;
    if (embedder->parameter > 0.0) {
        target.parameter = embedder->parameter;
        target.epsilon = target.delta = 0.0;
    }
    bool moves = false;
    for (int64_t i = 0; i < embedder->plan.count; i++) {
        low[i] = sensitivities[i] > 0.0 ? 0.0 : ranges[i];
        moves = moves || sensitivities[i] > 0.0;
    }
    if (!moves) return PVG_OK;
    const int64_t count = embedder->plan.count;
    const bool shared =
        pvgi_query_leans(embedder, sensitivities, back, embedder->weights, count);
    return pvgi_mechanism_new(&noise->mechanism, "embed", &target, sensitivities,
                              shared ? back : NULL, low, ranges, embedder->weights,
                              count);
}

static int32_t assumption_of(pvgi_assumption *out, const pvg_embedder *embedder,
                             int64_t order) {
    const pvg_assumption assumption = {.size = sizeof assumption,
                                       .degrees = embedder->config.degrees,
                                       .order = order,
                                       .degree_bound = embedder->config.degree_bound};
    return pvgi_sensitivity_assumption(out, "pvg_embedder", "config", &assumption);
}

int32_t pvgi_query_order_noise(pvgi_order_noise *out, double *sensitivities,
                               double *ranges, const pvg_embedder *embedder,
                               int64_t order) {
    const size_t count = (size_t)embedder->plan.count;
    int32_t status = PVG_OK;
    memset(out, 0, sizeof *out);
    out->order = order;
    double *work = pvgi_alloc(count, 3 * sizeof *work);
    out->factor = pvgi_alloc(count, sizeof *out->factor);
    out->error = pvgi_alloc(count, sizeof *out->error);
    out->range = pvgi_alloc(count, sizeof *out->range);
    if (!work || !out->factor || !out->error || !out->range) {
        status = pvgi_fail_nomem();
        goto done;
    }
    PVGI_TRY_DONE(assumption_of(&out->assumption, embedder, order));
    for (size_t i = 0; i < count; i++) {
        coordinate c = {0};
        PVGI_TRY_DONE(measure(&c, embedder, (int64_t)i, &out->assumption));
        out->factor[i] = c.factor;
        out->error[i] = c.error;
        out->range[i] = c.range;
        work[i] = c.sensitivity;
        work[count + i] = c.back;
    }
    PVGI_TRY_DONE(
        make_mechanism(out, work, work + count, out->range, work + 2 * count, embedder));
    PVGI_TRY_DONE(pvgi_query_take_family(out, work, work + count, embedder));
    if (sensitivities) memcpy(sensitivities, work, count * sizeof *work);
    if (ranges) memcpy(ranges, out->range, count * sizeof *work);
done:
    pvgi_free(work);
    if (status != PVG_OK) pvgi_query_order_noise_free(out);
    return status;
}

void pvgi_query_order_noise_free(pvgi_order_noise *noise) {
    pvgi_free(noise->factor);
    pvgi_free(noise->error);
    pvgi_free(noise->range);
    pvgi_free(noise->unit);
    pvg_mechanism_free(noise->mechanism);
    memset(noise, 0, sizeof *noise);
}

void pvgi_query_share(double *scales, const pvg_embedder *embedder,
                      const double *sensitivities, const double *back,
                      const double *weights, int64_t count, double ratio,
                      double *scratch) {
    const int norm = pvgi_mechanism_law(embedder->target.noise)->norm;
    if (pvgi_query_leans(embedder, sensitivities, back, weights, count))
        pvgi_mechanism_share_correlated(scales, scratch, scratch + count, sensitivities,
                                        back, weights, count, norm, ratio);
    else
        pvgi_mechanism_allocate(scales, sensitivities, weights, count,
                                embedder->target.allocation, norm, ratio);
}

int32_t pvgi_query_preview(const void *context, int64_t order, double *sensitivities,
                           double *ranges, double *scales, double ratio) {
    const pvg_embedder *embedder = context;
    const int64_t count = embedder->plan.count;
    pvgi_order_noise noise;
    pvgi_assumption assumption;
    int32_t status = PVG_OK;
    if (scales && (ratio == 0.0 || embedder->ellipsoid)) {
        PVGI_TRY(pvgi_query_order_noise(&noise, sensitivities, ranges, embedder, order));
        if (noise.mechanism)
            status = pvg_mechanism_copy_scale(scales, noise.mechanism);
        else
            memset(scales, 0, (size_t)count * sizeof *scales);
        for (int64_t i = 0; noise.unit && i < count; i++) scales[i] *= noise.unit[i];
        if (ratio > 0.0) /* that of the release does not depend on the budget otherwise */
            for (int64_t i = 0; i < count; i++) scales[i] *= embedder->ratio / ratio;
        pvgi_query_order_noise_free(&noise);
        return status;
    }
    double *work = scales ? pvgi_alloc((size_t)count, 4 * sizeof *work) : NULL;
    if (scales && !work) return pvgi_fail_nomem();
    PVGI_TRY_DONE(assumption_of(&assumption, embedder, order));
    for (int64_t i = 0; i < count; i++) {
        coordinate c = {0};
        PVGI_TRY_DONE(measure(&c, embedder, i, &assumption));
        if (sensitivities) sensitivities[i] = c.sensitivity;
        if (ranges) ranges[i] = c.range;
        if (work) work[i] = c.sensitivity, work[count + i] = c.back;
    }
    if (scales)
        pvgi_query_share(scales, embedder, work, work + count, embedder->weights, count,
                         ratio, work + 2 * count);
done:
    pvgi_free(work);
    return status;
}

/* Laws but STAIRCASE, which shares nothing, have deviations in proportion to scales. */
void pvgi_query_order_covariance(double *into, const pvgi_order_noise *noise,
                                 int64_t count) {
    const pvg_mechanism *m = noise->mechanism;
    memset(into, 0, (size_t)(count * count) * sizeof *into);
    if (!m) return;
    const pvgi_law *law = pvgi_mechanism_law(m->target.noise);
    const double unit = law->deviation(1.0, 1.0);
    for (int64_t i = 0; i < count; i++) {
        const pvgi_coordinate *a = &m->coordinate[i];
        const double ours = ldexp(unit, a->grid);
        for (int64_t j = 0; j < count && m->shares > 0; j++) {
            const double theirs = ldexp(unit, m->coordinate[j].grid);
            double sum = 0.0;
            for (int64_t k = 0; k < m->shares; k++) {
                const double scale = (double)pvgi_mechanism_shared_of(m, k);
                sum += (double)pvgi_mechanism_correlated_of(m, i, k) * scale *
                       ((double)pvgi_mechanism_correlated_of(m, j, k) * scale);
            }
            into[i * count + j] = ours * theirs * sum;
        }
        if (a->scale == 0) continue;
        const double own =
            law->deviation(ldexp((double)a->scale, a->grid), a->sensitivity);
        into[i * count + i] += own * own;
    }
    for (int64_t i = 0; noise->unit && i < count * count; i++)
        into[i] *= noise->unit[i / count] * noise->unit[i % count];
}

int32_t pvgi_query_covariance(double *out, const pvg_embedder *embedder, int64_t order) {
    pvgi_order_noise noise;
    PVGI_TRY(pvgi_query_order_noise(&noise, NULL, NULL, embedder, order));
    pvgi_query_order_covariance(out, &noise, embedder->plan.count);
    pvgi_query_order_noise_free(&noise);
    return PVG_OK;
}
