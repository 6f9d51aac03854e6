/* The K things that most persons have, in order, and how many have each.
 *
 * Whatever a person's list is, a count moves by at most one: no list needs to be cut.
 * Which things: K rounds of the exponential mechanism (list_peel.c) at rate r, where one
 * person changes the logarithm of a chance by a range of e0 = 2 r (another list: counts
 * go up or down) or e0 = r (an empty list: all go one way). A round of range e0 is e0-DP
 * and e0^2 / 8-zCDP, K rounds K times that. How many: K counts of things that are now
 * public, each moved by at most one: L1 K, L2 sqrt K, under either notion. */
#include "statistic_internal.h"

#include <math.h>
#include <stdio.h>

typedef struct {
    int64_t rounds;
    bool counted;
    int64_t numerator, denominator; /* r = denominator / numerator */
    pvgi_joint law;                 /* of the counts */
} state;

static size_t bytes(const pvg_statistic *statistic, int64_t order, const pvgi_run *run) {
    const size_t things = (size_t)statistic->things;
    const state *s = statistic->state;
    (void)order, (void)run;
    return pvgi_scratch_bytes(things, sizeof(int64_t)) +
           pvgi_scratch_bytes(things, 2 * sizeof(int32_t)) +
           pvgi_scratch_bytes((size_t)s->rounds, sizeof(int32_t));
}

static void visit(void *context, int64_t person, const int32_t *things, int64_t count) {
    int64_t *counts = context;
    (void)person;
    for (int64_t i = 0; i < count; i++) counts[things[i]]++;
}

/* Without noise: the largest, of equal ones the first. */
static void choose(int32_t *chosen, const state *s, const int64_t *counts, int64_t things,
                   int32_t *scratch, const pvgi_stream *call) {
    if (!call) {
        pvgi_statistic_list_sort(scratch, scratch + things, counts, things);
        for (int64_t k = 0; k < s->rounds; k++) chosen[k] = scratch[k];
        return;
    }
    pvgi_stream stream;
    pvgi_rng_stream_open_chunk(&stream, call, 0);
    pvgi_statistic_peel(chosen, s->rounds, counts, things, s->numerator, s->denominator,
                        scratch, NULL, &stream);
    pvgi_rng_stream_close(&stream);
}

static int32_t draw_lists(double *out, const pvg_statistic *statistic,
                          const pvgi_list_input *input, pvgi_scratch *scratch,
                          const pvgi_stream *call, pvgi_run *run) {
    const state *s = statistic->state;
    const size_t things = (size_t)statistic->things;
    int64_t *counts = pvgi_statistic_take_zero(scratch, things, sizeof *counts);
    int32_t *rows = pvgi_statistic_take(scratch, things, 2 * sizeof *rows);
    int32_t *chosen = pvgi_statistic_take(scratch, (size_t)s->rounds, sizeof *chosen);
    if (!counts || !rows || !chosen) return PVG_E_INTERNAL;
    PVGI_TRY(pvgi_graph_lists_walk(input->lists, visit, counts, rows, run));
    choose(chosen, s, counts, statistic->things, rows, call);
    const int64_t columns = statistic->columns;
    for (int64_t k = 0; k < s->rounds; k++) out[columns * k] = (double)chosen[k];
    if (!s->counted) return PVG_OK;
    /* the same counts: their noise is independent of which were chosen */
    for (int64_t k = 0; k < s->rounds; k++) {
        int64_t value = counts[chosen[k]];
        double noisy;
        pvgi_stream own;
        if (call) {
            int64_t noise;
            pvgi_rng_stream_open_chunk(&own, call, (uint64_t)k + 1);
            pvgi_mechanism_joint_noise(&noise, 1, &s->law, &own);
            pvgi_rng_stream_close(&own);
            value += noise;
        }
        noisy = (double)value;
        out[columns * k + 1] = noisy;
    }
    return PVG_OK;
}

/* Which things has no noise of its own to tell. */
static void deviation(double *out, const pvg_statistic *statistic) {
    const state *s = statistic->state;
    out[0] = NAN;
    if (s->counted) out[1] = pvgi_mechanism_joint_deviation(&s->law);
}

/* In both columns numbers of persons: what decides which things, and how many. */
static void plan(pvgi_preview_point *out, const pvg_statistic *statistic, int64_t column,
                 int64_t order, const pvgi_guess *guess, double times) {
    const state *s = statistic->state;
    const double rate = times * (double)s->denominator / (double)s->numerator;
    (void)guess;
    *out = (pvgi_preview_point){
        .range = (double)order,
        .change = 1.0,
        .noise = column == 0 ? 0x1.4857cb1b8f8c8p0 / rate /* pi / sqrt 6 */
                             : pvgi_mechanism_joint_deviation_at(&s->law, times)};
}

static void label(char out[PVGI_PREVIEW_LABEL], const pvg_statistic *statistic,
                  int64_t column) {
    (void)statistic;
    snprintf(out, PVGI_PREVIEW_LABEL, column == 0 ? "thing" : "count");
}

static void read_entries(pvgi_list_read *out, const pvg_statistic *statistic) {
    const state *s = statistic->state;
    *out = (pvgi_list_read){s->counted ? &s->law : NULL, 1, 1.0, 0};
}

static const pvgi_statistic_kind kind = {.word = "list-top",
                                         .bytes = bytes,
                                         .draw_lists = draw_lists,
                                         .read = read_entries,
                                         .deviation = deviation,
                                         .plan = plan,
                                         .label = label};

static int32_t describe(pvg_statistic *statistic) {
    const state *s = statistic->state;
    const double n = statistic->order > 0 ? (double)statistic->order : (double)INFINITY;
    pvgi_columns *c = pvgi_guarantee_columns_begin();
    pvgi_guarantee_columns_add(c, &(pvgi_column){.count = 1,
                                                 .name = "thing",
                                                 .unit = "number of a thing",
                                                 .noise = "exponential mechanism"});
    if (s->counted)
        pvgi_guarantee_columns_add(
            c, &(pvgi_column){.count = 1,
                              .name = "count",
                              .unit = "persons who have it",
                              .noise = pvgi_statistic_noise_word(s->law.noise)});
    pvgi_guarantee_columns_table(c, 0);
    pvgi_guarantee_columns_measure(
        c, 0, (pvgi_measure){0.0, (double)(statistic->things - 1), 1.0, NAN});
    if (s->counted) {
        const pvgi_joint_columns joint = {
            .first = 1,
            .count = 1,
            .norm = s->law.noise == PVG_NOISE_LAPLACE ? 1 : 2,
            .change = s->law.noise == PVG_NOISE_LAPLACE
                          ? (double)s->rounds
                          : pvgi_mechanism_up(sqrt((double)s->rounds), 1)};
        pvgi_guarantee_columns_measure(c, 1, (pvgi_measure){0.0, n, 1.0, s->law.scale});
        pvgi_guarantee_columns_joint(c, &joint);
    }
    return pvgi_guarantee_columns_close(&statistic->guarantee, c);
}

/* Both halves within `whole`, the native parameter of the term: rho, or epsilon. */
static int32_t divide(pvg_curve_term *spent, state *s, const char *name, double whole,
                      const pvgi_list_top *c, const pvg_target *target) {
    const bool pure = target->noise == PVG_NOISE_LAPLACE;
    const double k = (double)c->top, first = whole * (1.0 - c->counts) * (1.0 - 0x1p-40);
    const double range = pure ? first / k : sqrt(8.0 * first / k) * (1.0 - 0x1p-48);
    const double sides = c->list.absent ? 1.0 : 2.0; /* of the range, to r */
    double rate;
    if (!pvgi_statistic_ladder_ratio(&rate, &s->numerator, &s->denominator,
                                     range / sides))
        return pvgi_fail(PVG_E_LIMIT, "%s: epsilon is not in the range of peeling", name);
    const double e0 = pvgi_mechanism_up(sides * rate, 2);
    spent->rho = pvgi_mechanism_up(k * e0 * e0 / 8.0, 6);
    if (pure) spent->epsilon = pvgi_mechanism_up(k * e0, 2);
    if (!s->counted) return PVG_OK;
    pvg_target own = {.size = sizeof own,
                      .noise = target->noise,
                      .parameter = whole * c->counts * (1.0 - 0x1p-40)};
    const pvgi_list_change change = {.l1 = k, .l2 = pvgi_mechanism_up(sqrt(k), 1)};
    PVGI_TRY(pvgi_statistic_list_law(&s->law, name, &change, c->top, &own));
    const pvg_curve_term *t = &s->law.spent;
    spent->rho = pvgi_mechanism_up(
        spent->rho + (pure ? 0.5 * t->epsilon * t->epsilon * (1.0 + 0x1p-50) : t->rho),
        2);
    if (pure) spent->epsilon = pvgi_mechanism_up(spent->epsilon + t->epsilon, 2);
    return PVG_OK;
}

static int32_t settle(pvg_statistic *made, const char *name, const pvgi_list_top *c,
                      const pvg_target *target) {
    state *s = made->state;
    pvg_curve_term spent = pvgi_mechanism_target_term(target, c->top);
    const double whole = pvgi_mechanism_target_parameter(target, &spent);
    PVGI_REQUIRE(c->top >= 1 && c->top <= c->list.things,
                 "%s: top is not in 1..things: how many are published", name);
    if (!(whole > 0.0))
        return pvgi_fail(PVG_E_PRIVACY,
                         "%s: no amount of this noise meets epsilon and delta", name);
    s->rounds = c->top;
    s->counted = c->counts > 0.0;
    s->law.noise = target->noise;
    made->rows = c->top;
    made->columns = s->counted ? 2 : 1;
    PVGI_TRY(divide(&spent, s, name, whole, c, target));
    pvgi_statistic_list_promise(made, &s->law, &spent, target->delta, 1.0,
                                "release.list-top");
    if (!s->counted) made->guarantee.noise = "exponential mechanism";
    return describe(made);
}

int32_t pvgi_statistic_list_top_new(pvg_statistic **out, const char *name,
                                    const pvgi_list_top *c,
                                    const pvgi_list_arrays *arrays,
                                    const pvg_target *target) {
    pvg_statistic *made;
    pvg_target own;
    PVGI_TRY(pvgi_statistic_list_begin(
        &made, &own, name, &kind, &c->list, arrays->order, target,
        1u << PVG_NOISE_LAPLACE | 1u << PVG_NOISE_DISCRETE_GAUSSIAN,
        PVG_NOISE_DISCRETE_GAUSSIAN, sizeof(state)));
    PVGI_TRY(pvgi_statistic_kept(made, settle(made, name, c, &own)));
    *out = made;
    return PVG_OK;
}
