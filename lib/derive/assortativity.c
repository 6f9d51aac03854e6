/* Exchanging ends of edges until products over edges are what was released.
 *
 * A node of degree d has the weight min(d, B) / B; released is the sum of the products of
 * both weights over edges
 * (lib/statistic/ends.c). Two edges a - b, c - e of the same two blocks become a - e,
 * c - b where that brings the sum of the made graph closer: all degrees and all counts
 * between blocks stay. Edges of groups are left alone, they carry the triangles.
 *
 * The released number is noisy, and a graph that was not steered is not far off where
 * degrees alone decide who meets whom. What is gone of the way towards the released
 * number is the median of what it leaves likely, under a prior density that falls like
 * one over the way: next to nothing within the noise, all of it where it is clear of it.
 * O(edges) time. */
#include "configuration.h"

#include <math.h>

/* ENOUGH: of assortativity. HOPELESS: after a pass that leaves so much there is no
 * other. */
enum { PASSES = 8 };
static const double ENOUGH = 0.001, HOPELESS = 0.9;

static const double LEAST[PASSES] = {0.5, 0.3, 0.1, 0.03, 0.0};

/* Sum over edges of the product of both weights; *unit: what one unit of assortativity is
 * in it, edges times the variance of the weight at an end. */
static double product_of(double *unit, const pvgi_pairs *s, const float *weights) {
    double sum = 0.0, squares = 0.0, products = 0.0;
    for (int64_t i = 0; i < s->made; i++) {
        const double u = (double)weights[pvgi_pairs_low(s->pairs[i])];
        const double v = (double)weights[pvgi_pairs_high(s->pairs[i])];
        sum += u + v;
        squares += u * u + v * v;
        products += u * v;
    }
    const double ends = 2.0 * (double)s->made, mean = ends > 0.0 ? sum / ends : 0.0;
    *unit = ends > 0.0 ? (double)s->made * (squares / ends - mean * mean) : 0.0;
    return products;
}

/* The part of the way that is taken. */
static double trust_of(double way, double noise) {
    way = fabs(way);
    return way > 0.0 ? pvgi_derive_likely(way, 0.0, noise) / way : 0.0;
}

/* Ends of edges number i and k of the same two blocks: a and c are of the same. */
typedef struct {
    int32_t a, b, c, e;
} ends;

static ends ends_of(const pvgi_pairs *s, const int32_t *block, int64_t i, int64_t k) {
    const int32_t a = pvgi_pairs_low(s->pairs[i]), b = pvgi_pairs_high(s->pairs[i]);
    const int32_t c = pvgi_pairs_low(s->pairs[k]), e = pvgi_pairs_high(s->pairs[k]);
    return block[a] == block[c] ? (ends){a, b, c, e} : (ends){a, b, e, c};
}

static double gain_of(const float *weights, ends x) {
    return ((double)weights[x.a] - (double)weights[x.c]) *
           ((double)weights[x.e] - (double)weights[x.b]);
}

/* Each edge of [first, end) with the one `stride` after it: edges are in random order, so
 * this one is as good as any, and it is at hand. */
static void pass(pvgi_configuration *j, int64_t first, int64_t end, int64_t stride,
                 double least) {
    pvgi_pairs *s = &j->set;
    const pvgi_wiring *w = j->w;
    const int64_t last = end - stride;
    for (int64_t i = first; i < last && fabs(j->need) > j->enough; i++) {
        if (pvgi_loom_stopped(j)) return;
        if (i + PVGI_LOOM_AHEAD < last) {
            const ends next =
                ends_of(s, w->block, i + PVGI_LOOM_AHEAD, i + PVGI_LOOM_AHEAD + stride);
            if (gain_of(w->weights, next) * j->need > 0.0) {
                __builtin_prefetch(s->slots +
                                   pvgi_pairs_home(s, pvgi_pairs_key(next.a, next.e)));
                __builtin_prefetch(s->slots +
                                   pvgi_pairs_home(s, pvgi_pairs_key(next.c, next.b)));
            }
        }
        const ends x = ends_of(s, w->block, i, i + stride);
        const double gain = gain_of(w->weights, x);
        if (gain * j->need <= 0.0 || fabs(gain) > 2.0 * fabs(j->need)) continue;
        if (fabs(gain) < least) continue;
        if (x.a == x.e || x.b == x.c || pvgi_pairs_has(s, x.a, x.e) ||
            pvgi_pairs_has(s, x.c, x.b))
            continue;
        pvgi_pairs_replace(s, i, x.a, x.e);
        pvgi_pairs_replace(s, i + stride, x.c, x.b);
        j->need -= gain;
    }
}

static bool same_blocks(const pvgi_wiring *w, uint64_t p, uint64_t q) {
    const int32_t a = w->block[pvgi_pairs_low(p)], b = w->block[pvgi_pairs_high(p)];
    const int32_t c = w->block[pvgi_pairs_low(q)], e = w->block[pvgi_pairs_high(q)];
    return (a == c && b == e) || (a == e && b == c);
}

void pvgi_derive_assortativity(pvgi_configuration *j, int64_t first) {
    const pvgi_wiring *w = j->w;
    pvgi_pairs *s = &j->set;
    if (!w->weights) return;
    double unit;
    const double product = product_of(&unit, s, w->weights);
    if (j->trust < 0.0) j->trust = trust_of(w->product - product, w->ends.deviation);
    j->need = j->trust * (w->product - product);
    j->enough = ENOUGH * unit;
    for (int turn = 0; turn < PASSES && fabs(j->need) > j->enough && j->status == PVG_OK;
         turn++) {
        const double before = fabs(j->need);
        for (int64_t from = first, end; from < s->made; from = end) {
            for (end = from + 1; end < s->made; end++)
                if (!same_blocks(w, s->pairs[from], s->pairs[end])) break;
            pass(j, from, end, INT64_C(1) << (2 * turn), LEAST[turn]);
        }
        if (LEAST[turn] == 0.0 && fabs(j->need) > HOPELESS * before) break;
    }
}
