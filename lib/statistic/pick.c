/* A cap and what it keeps in one draw, exactly, with integers only.
 *
 * Candidate i has the cap t_i, keeps f_i and has a public weight w_i and a public price
 * c_i. With s_i = max over j of (f_j - f_i + c_i - c_j) / (t_i + t_j) the law is
 *
 *     P(i, f_i + k) ~ w_i e^(-a max(s_i, |k| / t_i)),   k any integer,
 *
 * a = rate / 2^24. f_i moves by at most t_i with a node, so s_i and |k| / t_i move by at
 * most 1, and so does the larger of them: pure 2 a (docs/privacy/proofs/statistic.md,
 * capped edges). Without counts the law is P(i) ~ w_i e^(-a s_i).
 *
 * Trials, as in rungs.c: with h = floor(s t) a candidate has 2 h + 1 flat places of
 * weight e^(-a s) and two tails, e^(-a h / t) times the sum over j >= 1 of e^(-a j / t).
 * A trial takes one of the slots of all places, all of them times 2^SHIFT,
 *
 *     w (2 h + 1) 2^-k slots      flat, kept with chance 2^k e^(-a s)
 *     2 w (slots of j) 2^-k       tails, kept with chance 2^k e^(-a h / t) times those
 *                                 of j
 *
 * where k <= SHIFT is as large as 0.7 k <= the exponent allows: candidates that are far
 * off have few slots. One candidate has s = 0, so that trials are few. */
#include "statistic_internal.h"

#include <math.h>

enum { SHIFT = 28 };

typedef __int128 wide;

/* A place: slots and the exponent numerator / denominator of the chance to keep it. */
typedef struct {
    wide slots, numerator;
    int64_t denominator;
    int k;
} place;

static place place_of(wide slots, wide numerator, int64_t denominator) {
    place p = {.numerator = numerator, .denominator = denominator};
    while (p.k < SHIFT && 10 * numerator >= 7 * (wide)(p.k + 1) * denominator) p.k++;
    p.slots = slots << (SHIFT - p.k);
    return p;
}

typedef struct {
    place flat, tail;
    int64_t half; /* h */
    pvgi_rungs rise;
} candidate;

/* s of candidate i as *numerator / *denominator. */
static void score(wide *numerator, int64_t *denominator, const pvgi_pick *p, int64_t i) {
    *numerator = 0;
    *denominator = 2 * p->cap[i];
    for (int64_t j = 0; j < p->count; j++) {
        const wide top = (wide)p->value[j] - p->value[i] + p->price[i] - p->price[j];
        const int64_t bottom = p->cap[i] + p->cap[j];
        if (top * *denominator > *numerator * bottom) {
            *numerator = top;
            *denominator = bottom;
        }
    }
}

static candidate weigh(const pvgi_pick *p, int64_t i) {
    candidate c = {0};
    wide top;
    int64_t bottom;
    score(&top, &bottom, p, i);
    const wide w = p->weight[i];
    if (!p->counts) {
        c.flat = place_of(w, top * p->rate, bottom * PVGI_PICK_ONE);
        return c;
    }
    c.half = (int64_t)(top * p->cap[i] / bottom);
    c.rise = (pvgi_rungs){.most = INT64_MAX,
                          .numerator = p->cap[i] * PVGI_PICK_ONE,
                          .denominator = p->rate};
    c.flat = place_of(w * (2 * (wide)c.half + 1), top * p->rate, bottom * PVGI_PICK_ONE);
    c.tail = place_of(2 * w * pvgi_statistic_rise_slots(&c.rise), (wide)c.half * p->rate,
                      c.rise.numerator);
    return c;
}

static bool keeps(const place *p, pvgi_stream *stream) {
    return pvgi_statistic_draw_chance(p->k, p->numerator, p->denominator, stream);
}

/* What is added to f_i; false: not kept. */
static bool draw_place(int64_t *out, const candidate *c, wide slot, pvgi_stream *stream) {
    if (slot < c->flat.slots) {
        if (!keeps(&c->flat, stream)) return false;
        *out = (int64_t)pvgi_rng_draw_below(stream, 2 * (uint64_t)c->half + 1) - c->half;
        return true;
    }
    if (!keeps(&c->tail, stream)) return false;
    const int64_t j = pvgi_statistic_draw_rise(&c->rise, stream);
    if (j == 0) return false;
    *out = pvgi_rng_draw_below(stream, 2) ? c->half + j : -c->half - j;
    return true;
}

int64_t pvgi_statistic_pick(int64_t *noise, const pvgi_pick *pick, int64_t *trials,
                            pvgi_stream *stream) {
    candidate list[PVGI_PICK_MAX];
    wide all = 0;
    for (int64_t i = 0; i < pick->count; i++) {
        list[i] = weigh(pick, i);
        all += list[i].flat.slots + list[i].tail.slots;
    }
    for (int64_t trial = 1;; trial++) {
        wide slot = pvgi_statistic_draw_below(all, stream);
        int64_t i = 0;
        while (slot >= list[i].flat.slots + list[i].tail.slots) {
            slot -= list[i].flat.slots + list[i].tail.slots;
            i++;
        }
        if (!draw_place(noise, &list[i], slot, stream)) continue;
        if (trials) *trials = trial;
        return i;
    }
}

int64_t pvgi_statistic_pick_best(const pvgi_pick *pick) {
    int64_t best = 0;
    for (int64_t i = 1; i < pick->count; i++)
        if (pick->price[i] - pick->value[i] < pick->price[best] - pick->value[best])
            best = i;
    return best;
}

int32_t pvgi_statistic_pick_rate(int64_t *rate, double epsilon, const char *function) {
    PVGI_REQUIRE(epsilon >= 0x1p-15 && epsilon <= 0x1p10,
                 "%s: epsilon for a cap that is chosen privately is %g, not in [2^-15, "
                 "1024]",
                 function, epsilon);
    /* down: exact, a power of two times a double */
    *rate = (int64_t)(0.5 * epsilon * (double)PVGI_PICK_ONE);
    return PVG_OK;
}

void pvgi_statistic_pick_prior(int64_t *weight, int64_t *price, const int64_t *cap,
                               int64_t count, double epsilon, bool flat) {
    for (int64_t i = 0; i < count; i++) {
        const double t = (double)cap[i];
        const double w = floor(0x1p40 / (flat ? sqrt(t) : t * t));
        weight[i] = w >= 1.0 ? (int64_t)w : 1;
        price[i] = (int64_t)(t / epsilon);
    }
}
