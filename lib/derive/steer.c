/* Exchanging ends of edges until products over edges are what was released.
 *
 * A node of degree d has the weight W(d) = E[cut((d + noise - c) / B)], so that the mean
 * of the released number is the sum of W(d_u) W(d_v) over edges of the private graph
 * (lib/statistic/ends.c). Two edges a - b, c - e of the same two blocks become a - e,
 * c - b where that brings the sum of the made graph closer: all degrees and all counts
 * between blocks stay. Edges of groups are left alone, they carry the triangles.
 *
 * The released number is noisy, the more so in small graphs, and a graph that was not
 * steered is not far off: the way towards it is taken to the part that a normal prior of
 * deviation PRIOR, in units of assortativity, around the graph as wired leaves of it.
 * O(edges) time, for the first trial O(nodes) memory. */
#include "derive_internal.h"
#include "pairs.h"

#include <math.h>

/* PRIOR: graphs as wired were off by 0.03 to 0.1 (docs/measured/structure.md). ENOUGH:
 * of assortativity. */
enum { PASSES = 8 };
static const double PRIOR = 0.1, ENOUGH = 0.001;

static int32_t low(uint64_t pair) {
    return (int32_t)(pair >> 32);
}

static int32_t high(uint64_t pair) {
    return (int32_t)(pair & 0xFFFFFFFFu);
}

/* W(d). The noise as continuous: with t = bound - x or x - bound and so on, the mean of
 * what is cut off is e^(-rate |t|) / (2 rate), plus t where it is positive. */
double pvgi_derive_end_weight(const pvgi_ends *e, double degree) {
    const double x = degree - e->centre, side = fabs(x);
    const double near = exp(-e->rate * fabs(e->bound - side)) / (2.0 * e->rate);
    const double far = exp(-e->rate * (e->bound + side)) / (2.0 * e->rate);
    return copysign(fmin(side, e->bound) - near + far, x) / e->bound;
}

/* Sum over edges of the product of both weights. */
static double product_of(const pvgi_pairs *s, const float *weights) {
    double sum = 0.0;
    for (int64_t i = 0; i < s->made; i++)
        sum += (double)weights[low(s->pairs[i])] * (double)weights[high(s->pairs[i])];
    return sum;
}

/* What one unit of assortativity is in the sum: edges times the variance of the weight at
 * an end. */
static double unit_of(const pvgi_pairs *s, const float *weights) {
    double sum = 0.0, squares = 0.0;
    for (int64_t i = 0; i < s->made; i++) {
        const double u = (double)weights[low(s->pairs[i])];
        const double v = (double)weights[high(s->pairs[i])];
        sum += u + v;
        squares += u * u + v * v;
    }
    const double ends = 2.0 * (double)s->made, mean = ends > 0.0 ? sum / ends : 0.0;
    return ends > 0.0 ? (double)s->made * (squares / ends - mean * mean) : 0.0;
}

/* The part of the way that is taken. The noise of degrees moves the sum by that of node u
 * times the weights around u, plus products of two noises. */
int32_t pvgi_derive_trust(double *out, const pvgi_pairs *s, const pvgi_wiring *w) {
    const double noise = fmin(w->ends.spread / w->ends.bound, 1.0);
    const double scale = PRIOR * unit_of(s, w->weights);
    double *around = pvgi_alloc_zero((size_t)w->order, sizeof *around);
    double squares = 0.0;
    if (!around) return pvgi_fail_nomem();
    for (int64_t i = 0; i < s->made; i++) {
        const int32_t u = low(s->pairs[i]), v = high(s->pairs[i]);
        around[u] += (double)w->weights[v];
        around[v] += (double)w->weights[u];
    }
    for (int64_t v = 0; v < w->order; v++) squares += around[v] * around[v];
    pvgi_free(around);
    const double variance = w->ends.deviation * w->ends.deviation +
                            noise * noise * (squares + (double)s->made * noise * noise);
    *out = scale > 0.0 ? scale * scale / (scale * scale + variance) : 0.0;
    return PVG_OK;
}

/* Each edge of [first, end) once, with a random partner there. */
static void pass(pvgi_pairs *s, double *need, const pvgi_wiring *w, int64_t first,
                 int64_t end, double enough, pvgi_stream *stream) {
    const float *weights = w->weights;
    for (int64_t i = first; i < end && fabs(*need) > enough; i++) {
        const int64_t k =
            first + (int64_t)pvgi_rng_draw_below(stream, (uint64_t)(end - first));
        const int32_t a = low(s->pairs[i]), b = high(s->pairs[i]);
        int32_t c = low(s->pairs[k]), e = high(s->pairs[k]);
        if (w->block[a] != w->block[c]) {
            c = high(s->pairs[k]);
            e = low(s->pairs[k]);
        }
        const double gain =
            ((double)weights[a] - weights[c]) * ((double)weights[e] - weights[b]);
        if (gain * *need <= 0.0 || fabs(gain) > 2.0 * fabs(*need)) continue;
        if (a == e || b == c || pvgi_pairs_has(s, a, e) || pvgi_pairs_has(s, c, b))
            continue;
        pvgi_pairs_replace(s, i, a, e);
        pvgi_pairs_replace(s, k, c, b);
        *need -= gain;
    }
}

static bool same_blocks(const pvgi_wiring *w, uint64_t p, uint64_t q) {
    const int32_t a = w->block[low(p)], b = w->block[high(p)];
    const int32_t c = w->block[low(q)], e = w->block[high(q)];
    return (a == c && b == e) || (a == e && b == c);
}

void pvgi_derive_steer(pvgi_pairs *s, const pvgi_wiring *w, double trust, int64_t first,
                       pvgi_stream *stream) {
    double need = trust * (w->product - product_of(s, w->weights));
    const double enough = ENOUGH * unit_of(s, w->weights);
    for (int turn = 0; turn < PASSES && fabs(need) > enough; turn++)
        for (int64_t from = first, end; from < s->made; from = end) {
            for (end = from + 1; end < s->made; end++)
                if (!same_blocks(w, s->pairs[from], s->pairs[end])) break;
            pass(s, &need, w, from, end, enough, stream);
        }
}
