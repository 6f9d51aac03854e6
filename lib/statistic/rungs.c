/* Rungs of ladders, drawn exactly, with integers only; fewer than eight trials are
 * expected, at every rate and for every graph.
 *
 * Rung 0 has weight 1, rung t >= 1 has weight
 * 2 (p_0 + p_1 min(t-1, most) + p_2 C(t-1, 2)) y^t, y = e^-a. With q = y/(1-y) and g
 * geometric, P(g) = (1-y) y^g:
 *
 *     part 0   weight 2 p_0 q                         t = 1 + g
 *     part 1          2 p_1 q sum of y^j, j <= most   t = 1 + j + g
 *     part 2          2 p_2 q (sum of y^j)^2          t = 1 + j + j' + g,     j, j' >= 1
 *
 * as there are C(t-1, m) ways to write t - 1 as m numbers j >= 1 and a g >= 0, and
 * min(t-1, most) for a bounded j. A trial takes one of N slots, all times 2^k (1-y):
 *
 *     2^k slots               rung 0, kept with chance 1-y
 *     2 p_m (slots of j)^m    part m, kept with chance 2^k y times those of its j
 *
 * k = 0 for a < 0.7, else as large as 0.7 k <= a allows: 2^k y = (2 e^-0.7)^k
 * e^-(a - 0.7 k) is a chance, and not a small one; k ends where 2^k has as many slots as
 * all parts. So neither a rare rung 1 nor its many places make trials in vain.
 *
 * A number j with weight y^j, j <= most: K = ceil(0.7 / a), j = i + K b. i is uniform on
 * 1..K and kept with chance y^i >= e^(-a - 0.7); b counts heads of a coin, each kept with
 * chance 2 y^K = 2 e^-0.7 e^-(a K - 0.7). That is y^j / (2 K): 2 K slots. If most <= K
 * there is no b, and `most` slots.
 *
 * Proof of the law: docs/privacy/proofs/statistic.md, the ladder of triangles. */
#include "statistic_internal.h"

typedef __int128 wide;

wide pvgi_statistic_draw_below(wide bound, pvgi_stream *stream) {
    const uint64_t digit = UINT64_C(1) << 60;
    if (bound <= (wide)digit) return (wide)pvgi_rng_draw_below(stream, (uint64_t)bound);
    for (;;) {
        const uint64_t high =
            pvgi_rng_draw_below(stream, (uint64_t)((bound - 1) / (wide)digit) + 1);
        const wide x =
            (wide)high * (wide)digit + (wide)pvgi_rng_draw_below(stream, digit);
        if (x < bound) return x;
    }
}

/* True with chance 2 e^-0.7 = 0.9932: x = 0.7 in 2 - 2x + x^2 - x^3/3, which is
 * 117080/120000, and x^4/12 = 2401/120000 times 1 - x/5 (1 - x/6 (1 - ...)), the chance
 * that an even number of x/5, x/6, ... come true before the first that does not. */
static bool draw_twice(pvgi_stream *stream) {
    const uint64_t u = pvgi_rng_draw_below(stream, 120000);
    if (u < 117080) return true;
    if (u >= 117080 + 2401) return false;
    uint64_t k = 5;
    while (pvgi_rng_draw_bernoulli(stream, 7, 10 * k)) k++;
    return (k - 5) % 2 == 0;
}

bool pvgi_statistic_draw_chance(int k, wide numerator, int64_t denominator,
                                pvgi_stream *stream) {
    const wide unit = 10 * (wide)denominator;
    wide left = 10 * numerator - 7 * (wide)k * denominator;
    for (int i = 0; i < k; i++)
        if (!draw_twice(stream)) return false;
    for (; left >= unit; left -= unit)
        if (!pvgi_rng_draw_bernoulli_exp(stream, 1, 1)) return false;
    return pvgi_rng_draw_bernoulli_exp(stream, (uint64_t)left, (uint64_t)unit);
}

/* True with chance 2^k e^(-times a), 0.7 k <= times a. */
static bool draw_power(const pvgi_rungs *r, int k, int64_t times, pvgi_stream *stream) {
    return pvgi_statistic_draw_chance(k, (wide)times * r->denominator, r->numerator,
                                      stream);
}

static int64_t period_of(const pvgi_rungs *r) {
    return (7 * r->numerator + 10 * r->denominator - 1) / (10 * r->denominator);
}

/* j, or 0: not kept. */
static int64_t draw_rise(const pvgi_rungs *r, int64_t period, pvgi_stream *stream) {
    const int64_t width = r->most < period ? r->most : period;
    int64_t j = 1 + (int64_t)pvgi_rng_draw_below(stream, (uint64_t)width);
    if (!draw_power(r, 0, j, stream)) return 0;
    if (r->most <= period) return j;
    while (pvgi_rng_draw_below(stream, 2)) {
        if (j > r->most - period || !draw_power(r, 1, period, stream)) return 0;
        j += period;
    }
    return j;
}

int64_t pvgi_statistic_rise_slots(const pvgi_rungs *r) {
    return 2 * period_of(r);
}

int64_t pvgi_statistic_draw_rise(const pvgi_rungs *r, pvgi_stream *stream) {
    return draw_rise(r, period_of(r), stream);
}

int64_t pvgi_statistic_draw_rung(const pvgi_rungs *r, int64_t *trials,
                                 pvgi_stream *stream) {
    const int64_t period = period_of(r);
    const wide rise = r->most <= period ? r->most : 2 * (wide)period;
    const wide part[3] = {2 * r->part[0], 2 * r->part[1] * rise,
                          2 * r->part[2] * rise * rise};
    const wide parts = part[0] + part[1] + part[2];
    int k = 0;
    while (7 * (int64_t)(k + 1) * r->numerator <= 10 * r->denominator &&
           (wide)1 << k < parts)
        k++;
    for (int64_t i = 1;; i++) {
        wide slot = pvgi_statistic_draw_below(((wide)1 << k) + parts, stream);
        if (trials) *trials = i;
        if (slot < (wide)1 << k) {
            if (!draw_power(r, 0, 1, stream)) return 0;
            continue;
        }
        if (!draw_power(r, k, 1, stream)) continue;
        slot -= (wide)1 << k;
        const int rises = slot < part[0] ? 0 : slot < part[0] + part[1] ? 1 : 2;
        int64_t t = 1;
        bool kept = true;
        for (int m = 0; m < rises && kept; m++) {
            const int64_t j = draw_rise(r, period, stream);
            kept = j > 0;
            t += j;
        }
        if (!kept) continue;
        int64_t rest;
        pvgi_rng_draw_noise(&rest, 1, PVGI_NOISE_GEOMETRIC, r->numerator, r->denominator,
                            stream);
        return t + rest; /* j below 2^48 times heads in a row, rest below 2^56 */
    }
}
