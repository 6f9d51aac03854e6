/* Triangles by a ladder: noise that follows how far one edge can move them, pure epsilon.
 *
 * LS = largest number of common neighbours of any two nodes, L = max(LS, L0) with a
 * public floor L0, I_t = min(L + t, n - 2), r_t = I_0 + ... + I_(t-1). An integer x is on
 * rung t, the least with |x - triangles| <= r_t, and has weight e^(-a t). One edge moves
 * L by at most one, hence rungs by at most one (a factor e^a), and the sum of all weights
 *
 *     Z(L) = 1 + 2 L q + 2 q^2 (1 - e^(-a (n-2-L))),   q = 1 / (e^a - 1),
 *
 * by a factor of at most 1 + 1/(L0 + q + 1/(2 q)): epsilon-DP if
 * a + ln(1 + 1/(L0 + q + 1/(2q))) <= epsilon (docs/guarantees.md). a is the largest ratio
 * of integers found to satisfy this in doubles with a margin of 2^-40.
 *
 * Drawn exactly, with integers only: a rung (rungs.c), then a sign and a uniform place on
 * it. No bound on t.
 *
 * After Zhang, Cormode, Procopiuc, Srivastava, Xiao, "Private release of graph statistics
 * using ladder functions", 2015, which spends epsilon/2 for a. */
#include "statistic_internal.h"

#include <math.h>
#include <stdio.h>

typedef struct {
    int64_t floor;
    int64_t numerator, denominator; /* a = denominator / numerator */
    double rate, spent;
    pvgi_bound bound; /* of L, from above */
} state;

/* --- the rate, from public numbers ---------------------------------------------- */

/* a + ln(1 + 1/(L0 + q + 1/(2q))), at most; rises with a. */
static double loss(double a, int64_t floor) {
    const double q = 1.0 / expm1(a);
    const double step = q > 0.0 ? 1.0 / ((double)floor + q + 0.5 / q) : 0.0;
    return (a + log1p(step)) * (1.0 + 0x1p-44);
}

/* Rounding of doubles is covered by loss. */
bool pvgi_statistic_ladder_ratio(double *rate, int64_t *numerator, int64_t *denominator,
                                 double a) {
    int bits = 47;
    if (!(a >= 0x1p-46) || !(a < 0x1p20)) return false;
    while (ldexp(a < 1.0 ? 1.0 / a : a, bits) > 0x1p47) bits--;
    if (a < 1.0) {
        *denominator = INT64_C(1) << bits;
        *numerator = (int64_t)ceil(ldexp(1.0 / a, bits)) + 1;
    } else {
        *numerator = INT64_C(1) << bits;
        *denominator = (int64_t)floor(ldexp(a, bits)) - 1;
    }
    *rate = (double)*denominator / (double)*numerator;
    return *denominator >= 1;
}

int32_t pvgi_statistic_ladder_rate(double *rate, double *spent, int64_t *numerator,
                                   int64_t *denominator, int64_t floor, double epsilon,
                                   const char *function) {
    state s = {.floor = floor};
    double low = epsilon / 2.0 * (1.0 - 0x1p-30), high = epsilon;
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        if (loss(middle, floor) <= epsilon)
            low = middle;
        else
            high = middle;
    }
    if (!pvgi_statistic_ladder_ratio(&s.rate, &s.numerator, &s.denominator, low) ||
        !(loss(s.rate, floor) <= epsilon))
        return pvgi_fail(PVG_E_LIMIT, "%s: epsilon is not in the range of the ladder",
                         function);
    *rate = s.rate;
    *spent = loss(s.rate, floor);
    *numerator = s.numerator;
    *denominator = s.denominator;
    return PVG_OK;
}

/* --- drawing ---------------------------------------------------------------------- */

typedef __int128 wide;

/* Integers on rung t >= 1, on one side: I_(t-1). */
static int64_t places(int64_t base, int64_t cap, int64_t t) {
    return t - 1 > cap - base ? cap : base + t - 1;
}

/* r_t */
static wide reach(int64_t base, int64_t cap, int64_t t) {
    const wide rising = t < cap - base ? t : cap - base; /* I_s < cap for s below it */
    return rising * base + rising * (rising - 1) / 2 + ((wide)t - rising) * cap;
}

wide pvgi_statistic_ladder_noise(int64_t base, int64_t cap, int64_t numerator,
                                 int64_t denominator, int64_t *trials,
                                 pvgi_stream *stream) {
    const pvgi_rungs rungs = {.part = {base, 1, 0},
                              .most = cap - base,
                              .numerator = numerator,
                              .denominator = denominator};
    const int64_t t = pvgi_statistic_draw_rung(&rungs, trials, stream);
    if (t == 0) return 0;
    const uint64_t width = (uint64_t)places(base, cap, t);
    const wide place =
        reach(base, cap, t - 1) + 1 + (wide)pvgi_rng_draw_below(stream, width);
    return pvgi_rng_draw_below(stream, 2) ? place : -place;
}

static double as_double(wide value) {
    const bool minus = value < 0;
    const unsigned __int128 size =
        minus ? -(unsigned __int128)value : (unsigned __int128)value;
    const double result =
        ldexp((double)(uint64_t)(size >> 64), 64) + (double)(uint64_t)size;
    return minus ? -result : result;
}

static size_t bytes(const pvg_statistic *statistic, int64_t order, const pvgi_run *run) {
    (void)statistic;
    return order < 3 ? 0 : pvgi_statistic_common_bytes(order, run);
}

static int32_t draw(double *out, const pvg_statistic *statistic, const pvg_graph *graph,
                    pvgi_scratch *scratch, const pvgi_stream *call, pvgi_run *run) {
    const state *s = statistic->state;
    const int64_t n = graph->order, cap = n - 2;
    int64_t common = 0, triangles = 0;
    if (n >= 3) PVGI_TRY(pvgi_statistic_common(&common, &triangles, graph, scratch, run));
    if (common < s->floor) common = s->floor;
    wide value = triangles;
    if (call && n >= 3) {
        const int64_t base = common < cap ? common : cap; /* the floor may be above it */
        const wide most = (wide)n * (n - 1) / 2 * (n - 2) / 3;
        pvgi_stream stream;
        pvgi_rng_stream_open_chunk(&stream, call, 0);
        value += pvgi_statistic_ladder_noise(base, cap, s->numerator, s->denominator,
                                             NULL, &stream);
        pvgi_rng_stream_close(&stream);
        value = value < 0 ? 0 : value > most ? most : value;
    }
    if (s->bound.there) out[1] = pvgi_statistic_bound_draw(&s->bound, common, call);
    out[0] = as_double(value);
    return PVG_OK;
}

/* --- planning ---------------------------------------------------------------------- */

/* Sum of the squares of the integers in (low, high]. */
static double squares(double low, double high) {
    const double many = high - low, middle = low + 0.5 * (many + 1.0);
    return many * (middle * middle + (many * many - 1.0) / 12.0);
}

/* Deviation of the noise for a base L: the root of sum over rungs of e^(-a t) times the
 * squares on it, over Z. Where rungs are very many, from above: no cap, and rungs as a
 * continuum, whose moments are factorials over powers of a. */
static double deviation_of(int64_t base, int64_t cap, double a) {
    const double b = (double)base;
    if (!(a >= 0x1p-10)) {
        const double top = 2.0 * b * b * b / (a * a * a) +
                           12.0 * b * b / (a * a * a * a) + 30.0 * b / pow(a, 5.0) +
                           30.0 / pow(a, 6.0);
        return sqrt(top / (b / a + 1.0 / (a * a)));
    }
    double weight = 1.0, all = 1.0, sum = 0.0, low = 0.0;
    for (int64_t t = 1; (double)t * a < 60.0; t++) {
        const double width = (double)places(base, cap, t);
        weight *= exp(-a);
        all += 2.0 * weight * width;
        sum += 2.0 * weight * squares(low, low + width);
        low += width;
    }
    return sqrt(sum / all);
}

double pvgi_statistic_ladder_least(const pvg_statistic *statistic) {
    const state *s = statistic->state;
    const int64_t cap = statistic->order - 2;
    if (cap < 1) return 0.0;
    return deviation_of(s->floor < cap ? s->floor : cap, cap, s->rate);
}

static void plan(pvgi_preview_point *out, const pvg_statistic *statistic, int64_t column,
                 int64_t order, const pvgi_guess *guess, double times) {
    const state *s = statistic->state;
    const double n = (double)order;
    const int64_t cap = order - 2;
    int64_t base = guess->common > 0 ? guess->common : cap;
    *out = (pvgi_preview_point){0};
    if (order < 3) return;
    if (column == 1) {
        *out = (pvgi_preview_point){
            .range = fmax((double)cap, (double)s->floor),
            .change = 1.0,
            .noise = pvgi_mechanism_joint_deviation_at(&s->bound.law, times)};
        return;
    }
    if (base < s->floor) base = s->floor;
    if (base > cap) base = cap;
    /* at another epsilon the rate is another one, not a multiple */
    double rate = s->rate, spent;
    int64_t up, down;
    if (times != 1.0 &&
        pvgi_statistic_ladder_rate(&rate, &spent, &up, &down, s->floor, times * s->spent,
                                   "pvg_query_preview") != PVG_OK)
        rate = times * s->rate / 2.0; /* beyond the range of the ladder */
    out->range = n * (n - 1.0) * (n - 2.0) / 6.0;
    out->change = (double)cap;
    out->noise = deviation_of(base, cap, rate);
}

static void label(char out[PVGI_PREVIEW_LABEL], const pvg_statistic *statistic,
                  int64_t column) {
    (void)statistic;
    snprintf(out, PVGI_PREVIEW_LABEL, column ? "triangles-common" : "triangles");
}

static void deviation(double *out, const pvg_statistic *statistic) {
    const state *s = statistic->state;
    out[0] = (double)NAN; /* private */
    if (s->bound.there) out[1] = pvgi_mechanism_joint_deviation(&s->bound.law);
}

static const pvgi_statistic_kind kind = {.word = "triangles",
                                         .bytes = bytes,
                                         .draw = draw,
                                         .deviation = deviation,
                                         .plan = plan,
                                         .label = label};

/* Its noise follows the graph: rate and floor are public, no scale is. */
static int32_t describe(pvg_statistic *statistic) {
    const state *s = statistic->state;
    const double n = (double)statistic->order;
    pvgi_columns *c = pvgi_guarantee_columns_begin();
    pvgi_text law = {0};
    pvgi_text_format(&law, "ladder of rate ");
    pvgi_text_json_number(&law, s->rate);
    pvgi_text_format(&law, " per rung, floor %lld%s", (long long)s->floor,
                     s->bound.there ? PVGI_LADDER_BOUNDED : "");
    int32_t status = law.status;
    pvgi_guarantee_columns_add(c, &(pvgi_column){.count = 1,
                                                 .name = "triangles",
                                                 .unit = "triangles",
                                                 .noise = law.data ? law.data : ""});
    pvgi_text_free(&law);
    pvgi_statistic_bound_describe(
        c, &s->bound, "triangles-common", "common neighbours of two nodes, or the floor",
        (double)s->floor, n > 0.0 ? fmax(n - 2.0, (double)s->floor) : (double)INFINITY,
        n > 0.0 ? fmax(n * (n - 1.0) * (n - 2.0) / 6.0, 0.0) : (double)INFINITY);
    if (status != PVG_OK) {
        pvgi_guarantee_columns_drop(c);
        return status;
    }
    return pvgi_guarantee_columns_close(&statistic->guarantee, c);
}

int32_t pvgi_statistic_triangles_new(pvg_statistic **out,
                                     const pvg_triangles_config *config,
                                     const pvg_target *target, const char *function) {
    const pvg_guarantee empty = {0};
    state own = {.floor = config->floor};
    pvg_statistic *statistic;
    double epsilon;
    PVGI_TRY(pvgi_statistic_bound(&own.bound, &epsilon, config->bound_share, target,
                                  function));
    PVGI_TRY(pvgi_statistic_ladder_rate(&own.rate, &own.spent, &own.numerator,
                                        &own.denominator, own.floor, epsilon, function));
    if (own.spent > epsilon) own.spent = epsilon;
    PVGI_TRY(pvgi_statistic_make(&statistic, &kind, target, &empty, sizeof(state)));
    *(state *)statistic->state = own;
    pvgi_statistic_bound_promise(statistic, config->order, &own.bound, own.spent,
                                 "release.ladder");
    PVGI_TRY(pvgi_statistic_kept(statistic, describe(statistic)));
    *out = statistic;
    return PVG_OK;
}
