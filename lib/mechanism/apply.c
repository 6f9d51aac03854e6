/* Adds the noise of a mechanism to a vector: round to the grid, add exact integer noise,
 * return to doubles. O(dimension). Which branches are taken does not depend on values. */
#include "mechanism_internal.h"

/* The scales of smooth mode, from private sensitivities. */
static int32_t smooth_scales(int64_t *out, const pvg_mechanism *m, const double *smooth) {
    const int64_t d = m->dimension;
    double *scratch = pvgi_alloc((size_t)d, 3 * sizeof *scratch);
    if (!scratch) return pvgi_fail_nomem();
    double *scales = scratch, *sensitivities = scratch + d, *weights = scratch + 2 * d;
    const double steps = pvgi_mechanism_smooth_floor(m->ratio);
    for (int64_t i = 0; i < d; i++) {
        const pvgi_coordinate *c = &m->coordinate[i];
        const double s = smooth[i] <= c->sensitivity ? smooth[i] : c->sensitivity;
        weights[i] = c->weight;
        sensitivities[i] =
            c->sensitivity > 0.0 ? (s > 0.0 ? s : 0.0) + ldexp(steps, c->grid) : 0.0;
    }
    pvgi_mechanism_allocate(scales, sensitivities, weights, d, m->target.allocation, 2,
                            m->ratio);
    for (int64_t i = 0, n = 0; i < d; i++) {
        const pvgi_coordinate *c = &m->coordinate[i];
        if (c->sensitivity == 0.0) continue;
        const double scale =
            ceil(ldexp(scales[i], -c->grid) * pvgi_mechanism_margin(m->noisy));
        out[n++] = scale < (double)c->scale ? (int64_t)scale : c->scale;
    }
    pvgi_free(scratch);
    return PVG_OK;
}

static int32_t apply_joint(double *out, const pvg_mechanism *m, const double *values,
                           uint32_t flags, pvgi_stream *stream) {
    int64_t *noise = pvgi_alloc((size_t)m->dimension, sizeof *noise);
    if (!noise) return pvgi_fail_nomem();
    pvgi_mechanism_joint_noise(noise, m->dimension, &m->joint, stream);
    const bool bounded = m->low < m->high;
    for (int64_t i = 0; i < m->dimension; i++) {
        const double x =
            bounded ? pvgi_mechanism_clamp(values[i], m->low, m->high) : values[i];
        const int64_t sum = pvgi_mechanism_round(ldexp(x, -m->joint.grid)) + noise[i];
        const double y = ldexp((double)sum, m->joint.grid);
        out[i] = bounded && flags & PVGI_APPLY_SATURATE
                     ? pvgi_mechanism_clamp(y, m->low, m->high)
                     : y;
    }
    pvgi_free(noise);
    return PVG_OK;
}

int32_t pvgi_mechanism_apply(double *out, const pvg_mechanism *m, const double *values,
                             const double *smooth, uint32_t flags, pvgi_stream *stream) {
    if (m->is_joint) return apply_joint(out, m, values, flags, stream);
    const pvgi_law *law = pvgi_mechanism_law(m->target.noise);
    const int64_t drawn = m->noisy + m->shares; /* shared ones are the last */
    int64_t *noise = pvgi_alloc((size_t)drawn, 3 * sizeof *noise);
    if (!noise) return pvgi_fail_nomem();
    int64_t *scales = noise + drawn, *steps = scales + drawn;
    int32_t status = PVG_OK;
    for (int64_t i = 0, n = 0; i < m->dimension; i++)
        if (m->coordinate[i].scale > 0) {
            scales[n] = m->coordinate[i].scale;
            steps[n++] = m->coordinate[i].steps;
        }
    for (int64_t k = 0; k < m->shares; k++)
        scales[m->noisy + k] = pvgi_mechanism_shared_of(m, k);
    if (law->smooth) PVGI_TRY_DONE(smooth_scales(scales, m, smooth));
    if (law->draw)
        law->draw(noise, drawn, scales, steps, stream);
    else
        pvgi_rng_draw_noise_each(noise, drawn, law->rng, scales, stream);
    const int64_t *shared = noise + m->noisy;
    for (int64_t i = 0, n = 0; i < m->dimension; i++) {
        const pvgi_coordinate *c = &m->coordinate[i];
        if (c->sensitivity == 0.0) {
            out[i] = c->low;
            continue;
        }
        const double x = pvgi_mechanism_clamp(values[i], c->low, c->high);
        int64_t sum = pvgi_mechanism_round(ldexp(x, -c->grid)) + noise[n++];
        for (int64_t k = 0; k < m->shares; k++)
            sum += pvgi_mechanism_correlated_of(m, i, k) * shared[k];
        const double y = ldexp((double)sum, c->grid);
        out[i] =
            flags & PVGI_APPLY_SATURATE ? pvgi_mechanism_clamp(y, c->low, c->high) : y;
    }
done:
    pvgi_free(noise);
    return status;
}
