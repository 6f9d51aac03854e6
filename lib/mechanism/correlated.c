/* Noise for coordinates that move together, most of the way in one direction.
 *
 * For neighbours let the change x, or -x, lie in the box [-r_1, s_1] x ... x [-r_m, s_m]
 * in grid steps, r_i <= s_i: counts all rise with an edge (r_i is rounding alone). Added
 * is A_i + l_i Z: independent integer noise A_i of scale a_i and one shared Z of scale z,
 * l_i public integers. Noise that is seen as the pair (A, Z) moved by (x - l t, t) gives
 * the same sums for every integer t, so t may be chosen in the proof. With t = T (or -T)
 *     |x_i - l_i T| <= h_i = max(s_i - l_i T, r_i + l_i T),
 * and with l_i T near the middle of [-r_i, s_i] h_i is half its length: the shared noise
 * pays for the middle of the box, once for all coordinates. Spent is what m + 1 separate
 * coordinates with changes h_1, ..., h_m, T would spend:
 *     mu^2 = sum (h_i / a_i)^2 + (T / z)^2        (Laplace: sum h_i / a_i + T / z).
 * Least sum of w_i variance_i: the shared noise is one more coordinate, of weight
 * sum w_i c_i^2 with c_i the middles. One way and Gaussian, v_i = s_i sqrt(w_i):
 * (|v|_1 + |v|_2)^2 / 4 instead of |v|_1^2, never more. docs/privacy/proofs/mechanism.md,
 * moves in one direction.
 * */
#include "mechanism_internal.h"

enum { TURN_BITS = 22, TURN_MOST = 40 };

static double weight_of(const double *weights, int64_t i) {
    return weights ? weights[i] : 1.0;
}

/* Root of sum w c^2, free of underflow. */
static double shared_weight(const double *middle, const double *weights, int64_t count) {
    double most = 0.0, sum = 0.0;
    for (int64_t i = 0; i < count; i++)
        most = fmax(most, middle[i] * sqrt(weight_of(weights, i)));
    if (!(most > 0.0)) return 0.0;
    for (int64_t i = 0; i < count; i++) {
        const double x = middle[i] * sqrt(weight_of(weights, i)) / most;
        sum += x * x;
    }
    return most * sqrt(sum);
}

double pvgi_mechanism_allocate_correlated(double *scales, const double *half,
                                          const double *middle, const double *weights,
                                          int64_t count, int norm, double parameter) {
    const double shared = shared_weight(middle, weights, count);
    double sum = 0.0;
    if (norm == 1) {
        for (int64_t i = 0; i < count; i++)
            sum += cbrt(half[i]) * cbrt(half[i]) * cbrt(weight_of(weights, i));
        sum += cbrt(shared) * cbrt(shared);
    } else {
        for (int64_t i = 0; i < count; i++) sum += half[i] * sqrt(weight_of(weights, i));
        sum = sqrt(sum + shared);
    }
    for (int64_t i = 0; i < count; i++) {
        const double h = half[i], w = weight_of(weights, i);
        scales[i] =
            (norm == 1 ? cbrt(h) / cbrt(w) : sqrt(h) / sqrt(sqrt(w))) * sum / parameter;
    }
    if (!(shared > 0.0)) return 0.0;
    return (norm == 1 ? 1.0 / (cbrt(shared) * cbrt(shared)) : 1.0 / sqrt(shared)) * sum /
           parameter;
}

void pvgi_mechanism_share_correlated(double *scales, double *half, double *middle,
                                     const double *sensitivities, const double *back,
                                     const double *weights, int64_t count, int norm,
                                     double parameter) {
    for (int64_t i = 0; i < count; i++) {
        half[i] = 0.5 * (sensitivities[i] + back[i]);
        middle[i] = 0.5 * (sensitivities[i] - back[i]);
    }
    const double shared = pvgi_mechanism_allocate_correlated(
        scales, half, middle, weights, count, norm, parameter);
    for (int64_t i = 0; i < count; i++) scales[i] = hypot(scales[i], shared * middle[i]);
}

/* Sums of both ways; their squares (cubes) are the weighted variances at parameter 1. */
bool pvgi_mechanism_correlated_pays(const double *sensitivities, const double *back,
                                    const double *weights, int64_t count, int norm) {
    double apart = 0.0, together = 0.0, most = 0.0, shared = 0.0;
    for (int64_t i = 0; i < count; i++) {
        const double s = sensitivities[i], h = 0.5 * (s + back[i]);
        const double w = weight_of(weights, i);
        apart += norm == 1 ? cbrt(s) * cbrt(s) * cbrt(w) : s * sqrt(w);
        together += norm == 1 ? cbrt(h) * cbrt(h) * cbrt(w) : h * sqrt(w);
        most = fmax(most, (s - h) * sqrt(w));
    }
    for (int64_t i = 0; i < count && most > 0.0; i++) {
        const double x =
            0.5 * (sensitivities[i] - back[i]) * sqrt(weight_of(weights, i)) / most;
        shared += x * x;
    }
    shared = most * sqrt(shared);
    together += norm == 1 ? cbrt(shared) * cbrt(shared) : shared;
    return together < apart * (1.0 - 0x1p-20);
}

double pvgi_mechanism_whole_scale(const pvg_mechanism *m, int64_t i) {
    const pvgi_coordinate *c = &m->coordinate[i];
    double sum = (double)c->scale * (double)c->scale;
    for (int64_t k = 0; k < m->shares; k++) {
        const double x = (double)pvgi_mechanism_correlated_of(m, i, k) *
                         (double)pvgi_mechanism_shared_of(m, k);
        sum += x * x;
    }
    return ldexp(sqrt(sum), c->grid);
}

int64_t pvgi_mechanism_turn(double ratio) {
    const int bits = TURN_BITS + ilogb(ratio);
    return INT64_C(1) << (bits < 0 ? 0 : bits > TURN_MOST ? TURN_MOST : bits);
}

void pvgi_mechanism_correlated(pvgi_coordinate *c, int64_t turn) {
    const int64_t back = (int64_t)ceil(ldexp(c->back, -c->grid));
    /* to the nearest; back <= steps, and both are far below 2^62 */
    c->loading = ((c->steps - back) / 2 + turn / 2) / turn;
    const int64_t up = c->steps - c->loading * turn, down = back + c->loading * turn;
    c->half = up > down ? up : down;
}
