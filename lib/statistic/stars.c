/* k-stars, sum of C(d, k) over nodes, by a ladder as in ladder.c; k = 2, 3, pure epsilon.
 *
 * D_1, D_2 = the two largest degrees, but at least a public floor D0 >= k. I_t =
 * C(D_1 + t, k-1) + C(D_2 + t, k-1), r_t = I_0 + ... + I_(t-1); an integer x is on rung
 * t, the least with |x - stars| <= r_t, and has weight e^(-a t). One edge moves stars by
 * at most I_0 and each D_i by at most one, hence rungs by at most one (a factor e^a) and
 * the sum of weights by at most the largest I_(t+1) / I_t <= (D0 + 1) / (D0 - k + 2), or
 * by e^a: epsilon-DP if a + min(a, ln((D0 + 1) / (D0 - k + 2))) <= epsilon
 * (docs/privacy/proofs/statistic.md, the ladder of triangles).
 *
 * Drawn exactly, with integers: a rung (rungs.c), then a sign and a uniform place.
 * O(order). */
#include "statistic_internal.h"

#include <math.h>
#include <stdio.h>

typedef __int128 wide;

typedef struct {
    int64_t floor;
    int32_t leaves;
    int64_t numerator, denominator;
    double rate, spent;
    pvgi_bound bound; /* of the largest degree, from above */
} state;

/* --- the rate --------------------------------------------------------------------- */

/* What the sum of weights adds. */
static double moved(int64_t floor, int32_t leaves) {
    return log1p((double)(leaves - 1) / (double)(floor - leaves + 2));
}

static double loss(double a, int64_t floor, int32_t leaves) {
    return (a + fmin(a, moved(floor, leaves))) * (1.0 + 0x1p-44);
}

static bool set_rate(state *s, double epsilon) {
    const double a =
        fmax(epsilon / 2.0, epsilon - moved(s->floor, s->leaves)) * (1.0 - 0x1p-40);
    if (!pvgi_statistic_ladder_ratio(&s->rate, &s->numerator, &s->denominator, a))
        return false;
    s->spent = loss(s->rate, s->floor, s->leaves);
    return s->spent <= epsilon;
}

/* --- drawing ---------------------------------------------------------------------- */

static wide choose(wide n, int32_t k) {
    if (n < k) return 0;
    return k == 0   ? 1
           : k == 1 ? n
           : k == 2 ? n * (n - 1) / 2
                    : n * (n - 1) / 2 * (n - 2) / 3;
}

/* Stars that are beyond what any graph of 2^31 nodes has. */
#define BEYOND ((wide)1 << 122)

/* C(D + s, k-1) = sum over m of C(D, k-1-m) C(s, m). */
wide pvgi_statistic_stars_noise(int64_t first, int64_t second, int32_t leaves,
                                int64_t numerator, int64_t denominator, int64_t *trials,
                                pvgi_stream *stream) {
    pvgi_rungs rungs = {
        .most = INT64_MAX, .numerator = numerator, .denominator = denominator};
    for (int32_t m = 0; m < leaves; m++)
        rungs.part[m] = choose(first, leaves - 1 - m) + choose(second, leaves - 1 - m);
    const int64_t t = pvgi_statistic_draw_rung(&rungs, trials, stream);
    if (t == 0) return 0;
    wide place = BEYOND; /* r_(t-1) is above it: C(2^42, 3) > 2^122 */
    if (leaves == 2 || t < INT64_C(1) << 42) {
        const wide reach = choose((wide)first + t - 1, leaves) - choose(first, leaves) +
                           choose((wide)second + t - 1, leaves) - choose(second, leaves);
        const wide width = choose((wide)first + t - 1, leaves - 1) +
                           choose((wide)second + t - 1, leaves - 1);
        place = reach + 1 + pvgi_statistic_draw_below(width, stream);
    }
    return pvgi_rng_draw_below(stream, 2) ? place : -place;
}

static double as_double(wide value) { /* not negative */
    return ldexp((double)(uint64_t)(value >> 64), 64) + (double)(uint64_t)value;
}

static size_t bytes(const pvg_statistic *statistic, int64_t order, const pvgi_run *run) {
    (void)statistic, (void)order, (void)run;
    return 0;
}

static int32_t draw(double *out, const pvg_statistic *statistic, const pvg_graph *graph,
                    pvgi_scratch *scratch, const pvgi_stream *call, pvgi_run *run) {
    const state *s = statistic->state;
    const int64_t n = graph->order;
    int64_t first = s->floor, second = s->floor;
    wide value = 0;
    (void)scratch, (void)run;
    for (int64_t v = 0; v < n; v++) {
        const int64_t d = graph->offsets[v + 1] - graph->offsets[v];
        value += choose(d, s->leaves);
        if (d > first) {
            second = first;
            first = d;
        } else if (d > second) {
            second = d;
        }
    }
    if (call) {
        const wide most = (wide)n * choose((wide)n - 1, s->leaves);
        pvgi_stream stream;
        pvgi_rng_stream_open_chunk(&stream, call, 0);
        value += pvgi_statistic_stars_noise(first, second, s->leaves, s->numerator,
                                            s->denominator, NULL, &stream);
        pvgi_rng_stream_close(&stream);
        value = value < 0 ? 0 : value > most ? most : value;
    }
    out[0] = as_double(value);
    if (s->bound.there) out[1] = pvgi_statistic_bound_draw(&s->bound, first, call);
    return PVG_OK;
}

/* --- planning ---------------------------------------------------------------------- */

static double real_choose(double n, int32_t k) {
    return k == 1 ? n : k == 2 ? n * (n - 1.0) / 2.0 : n * (n - 1.0) * (n - 2.0) / 6.0;
}

/* Deviation of the noise for two degrees d: rungs as far as they matter. Where they are
 * very many, from above: reaches grow at most as the k-th power of the rung. */
static double deviation_of(double d, int32_t leaves, double a) {
    const double least = 0x1p-10;
    if (a < least) return deviation_of(d, leaves, least) * pow(least / a, leaves);
    double weight = 1.0, all = 1.0, sum = 0.0, low = 0.0;
    for (int64_t t = 1; (double)t * a < 60.0; t++) {
        const double width = 2.0 * real_choose(d + (double)t - 1.0, leaves - 1);
        const double middle = low + 0.5 * (width + 1.0);
        weight *= exp(-a);
        all += 2.0 * weight * width;
        sum += 2.0 * weight * width * (middle * middle + (width * width - 1.0) / 12.0);
        low += width;
    }
    return sqrt(sum / all);
}

static void plan(pvgi_preview_point *out, const pvg_statistic *statistic, int64_t column,
                 int64_t order, const pvgi_guess *guess, double times) {
    const state *s = statistic->state;
    state other = *s;
    const double n = (double)order;
    (void)guess;
    *out = (pvgi_preview_point){0};
    if (order <= s->leaves) return;
    if (column == 1) {
        *out = (pvgi_preview_point){
            .range = fmax(n - 1.0, (double)s->floor),
            .change = 1.0,
            .noise = pvgi_mechanism_joint_deviation_at(&s->bound.law, times)};
        return;
    }
    if (times != 1.0 && !set_rate(&other, times * s->spent))
        other.rate = times * s->rate / 2.0; /* beyond the range of the ladder */
    out->range = n * real_choose(n - 1.0, s->leaves);
    out->change = 2.0 * real_choose(n - 2.0, s->leaves - 1);
    out->noise = deviation_of(fmax(n - 1.0, (double)s->floor), s->leaves, other.rate);
}

static void label(char out[PVGI_PREVIEW_LABEL], const pvg_statistic *statistic,
                  int64_t column) {
    const state *s = statistic->state;
    snprintf(out, PVGI_PREVIEW_LABEL, "stars%d%s", (int)s->leaves,
             column ? "-degree" : "");
}

static void deviation(double *out, const pvg_statistic *statistic) {
    const state *s = statistic->state;
    out[0] = (double)NAN; /* private */
    if (s->bound.there) out[1] = pvgi_mechanism_joint_deviation(&s->bound.law);
}

static const pvgi_statistic_kind kind = {.word = "stars",
                                         .bytes = bytes,
                                         .draw = draw,
                                         .deviation = deviation,
                                         .plan = plan,
                                         .label = label};

static int32_t describe(pvg_statistic *statistic) {
    const state *s = statistic->state;
    const double n = (double)statistic->order;
    pvgi_columns *c = pvgi_guarantee_columns_begin();
    pvgi_text law = {0};
    char name[16], bound[24];
    snprintf(name, sizeof name, "stars%d", (int)s->leaves);
    snprintf(bound, sizeof bound, "%s-degree", name);
    pvgi_text_format(&law, "ladder of rate ");
    pvgi_text_json_number(&law, s->rate);
    pvgi_text_format(&law, " per rung, floor %lld%s", (long long)s->floor,
                     s->bound.there ? PVGI_LADDER_BOUNDED : "");
    const int32_t status = law.status;
    pvgi_guarantee_columns_add(c, &(pvgi_column){.count = 1,
                                                 .name = name,
                                                 .unit = "stars",
                                                 .noise = law.data ? law.data : ""});
    pvgi_text_free(&law);
    pvgi_statistic_bound_describe(
        c, &s->bound, bound, "largest degree, or the floor", (double)s->floor,
        n > 0.0 ? fmax(n - 1.0, (double)s->floor) : (double)INFINITY,
        n > 0.0 ? fmax(n * real_choose(n - 1.0, s->leaves), 0.0) : (double)INFINITY);
    if (status != PVG_OK) {
        pvgi_guarantee_columns_drop(c);
        return status;
    }
    return pvgi_guarantee_columns_close(&statistic->guarantee, c);
}

int32_t pvgi_statistic_stars_new(pvg_statistic **out, const pvg_stars_config *config,
                                 const pvg_target *target, const char *function) {
    const pvg_guarantee empty = {0};
    state own = {.floor = config->floor, .leaves = config->leaves};
    pvg_statistic *statistic;
    double epsilon;
    PVGI_TRY(pvgi_statistic_bound(&own.bound, &epsilon, config->bound_share, target,
                                  function));
    if (!set_rate(&own, epsilon))
        return pvgi_fail(PVG_E_LIMIT, "%s: epsilon is not in the range of the ladder",
                         function);
    PVGI_TRY(pvgi_statistic_make(&statistic, &kind, target, &empty, sizeof(state)));
    *(state *)statistic->state = own;
    pvgi_statistic_bound_promise(statistic, config->order, &own.bound, own.spent,
                                 "release.stars");
    PVGI_TRY(pvgi_statistic_kept(statistic, describe(statistic)));
    *out = statistic;
    return PVG_OK;
}
