/* How long the lists are: persons by the length of their list, in public bands.
 *
 * A person is in one band, so another list moves two numbers by one. A person without
 * entries has the length 0: under the notion `absent` that band is left out, or an absent
 * person would move two numbers as well; how many lists are empty follows from the number
 * of persons, which is public. */
#include "statistic_internal.h"

#include <math.h>
#include <stdio.h>

enum { BANDS_MOST = 128 };

typedef struct {
    int64_t bands;
    int64_t first[BANDS_MOST]; /* shortest length of each; the last one has no end */
    pvgi_joint law;
} state;

/* 0, 1, 2, 3, 4, then wider by a factor of 1.35, up to where all longer ones are. */
static void cut(state *s, int64_t longest, bool absent) {
    int64_t next = absent ? 1 : 0;
    while (s->bands < BANDS_MOST && next <= longest) {
        s->first[s->bands++] = next;
        const int64_t wider = (int64_t)ceil(1.35 * (double)next);
        next = next < 4 || wider <= next ? next + 1 : wider;
    }
}

static size_t bytes(const pvg_statistic *statistic, int64_t order, const pvgi_run *run) {
    (void)order, (void)run;
    return pvgi_scratch_bytes((size_t)statistic->things, sizeof(int32_t)) +
           pvgi_scratch_bytes(BANDS_MOST, sizeof(int64_t));
}

typedef struct {
    const state *s;
    int64_t *values;
} histogram;

static void visit(void *context, int64_t person, const int32_t *things, int64_t count) {
    const histogram *t = context;
    int64_t band = t->s->bands - 1;
    (void)person, (void)things;
    while (band >= 0 && t->s->first[band] > count) band--;
    if (band >= 0) t->values[band]++;
}

static int32_t draw_lists(double *out, const pvg_statistic *statistic,
                          const pvgi_list_input *input, pvgi_scratch *scratch,
                          const pvgi_stream *call, pvgi_run *run) {
    const state *s = statistic->state;
    int32_t *row =
        pvgi_statistic_take(scratch, (size_t)statistic->things, sizeof(int32_t));
    histogram t = {s, pvgi_statistic_take_zero(scratch, BANDS_MOST, sizeof(int64_t))};
    if (!row || !t.values) return PVG_E_INTERNAL;
    PVGI_TRY(pvgi_graph_lists_walk(input->lists, visit, &t, row, run));
    pvgi_statistic_list_finish(out, t.values, s->bands, &s->law, call);
    return PVG_OK;
}

static void deviation(double *out, const pvg_statistic *statistic) {
    const state *s = statistic->state;
    for (int64_t i = 0; i < s->bands; i++)
        out[i] = pvgi_mechanism_joint_deviation(&s->law);
}

static void plan(pvgi_preview_point *out, const pvg_statistic *statistic, int64_t column,
                 int64_t order, const pvgi_guess *guess, double times) {
    const state *s = statistic->state;
    (void)column, (void)guess;
    *out =
        (pvgi_preview_point){.range = (double)order,
                             .change = 1.0,
                             .noise = pvgi_mechanism_joint_deviation_at(&s->law, times)};
}

/* "length5-6", "length7-up". */
static void name_band(char *out, size_t capacity, const state *s, int64_t band) {
    const long long first = (long long)s->first[band];
    const long long last = band + 1 < s->bands ? (long long)s->first[band + 1] - 1 : -1;
    if (last < 0)
        snprintf(out, capacity, "length%lld-up", first);
    else if (last == first)
        snprintf(out, capacity, "length%lld", first);
    else
        snprintf(out, capacity, "length%lld-%lld", first, last);
}

static void label(char out[PVGI_PREVIEW_LABEL], const pvg_statistic *statistic,
                  int64_t column) {
    name_band(out, PVGI_PREVIEW_LABEL, statistic->state, column);
}

static void read_entries(pvgi_list_read *out, const pvg_statistic *statistic) {
    const state *s = statistic->state;
    *out = (pvgi_list_read){&s->law, 0, 1.0, 0};
}

static const pvgi_statistic_kind kind = {.word = "list-lengths",
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
    for (int64_t i = 0; i < s->bands; i++) {
        char name[64];
        name_band(name, sizeof name, s, i);
        pvgi_guarantee_columns_add(
            c, &(pvgi_column){.count = 1,
                              .name = name,
                              .unit = "persons whose list is that long",
                              .noise = pvgi_statistic_noise_word(s->law.noise)});
    }
    pvgi_guarantee_columns_law(c, &s->law, 0.0, n);
    return pvgi_guarantee_columns_close(&statistic->guarantee, c);
}

static int32_t settle(pvg_statistic *made, const char *name, const pvgi_list_lengths *c,
                      const pvg_target *target) {
    state *s = made->state;
    const bool absent = c->list.absent != 0;
    const pvgi_list_change change = {
        .l1 = absent ? 1.0 : 2.0, .l2 = absent ? 1.0 : pvgi_mechanism_up(sqrt(2.0), 1)};
    cut(s, c->longest > 0 && c->longest < c->list.things ? c->longest : c->list.things,
        absent);
    made->rows = 1;
    made->columns = s->bands;
    PVGI_TRY(pvgi_statistic_list_law(&s->law, name, &change, s->bands, target));
    pvgi_statistic_list_promise(made, &s->law, &s->law.spent, target->delta, 1.0,
                                "release.list-lengths");
    return describe(made);
}

int32_t pvgi_statistic_list_lengths_new(pvg_statistic **out, const char *name,
                                        const pvgi_list_lengths *c,
                                        const pvgi_list_arrays *arrays,
                                        const pvg_target *target) {
    pvg_statistic *made;
    pvg_target own;
    PVGI_TRY(pvgi_statistic_list_begin(
        &made, &own, name, &kind, &c->list, arrays->order, target,
        1u << PVG_NOISE_LAPLACE | 1u << PVG_NOISE_GAUSSIAN |
            1u << PVG_NOISE_DISCRETE_GAUSSIAN,
        PVG_NOISE_LAPLACE, sizeof(state)));
    PVGI_TRY(pvgi_statistic_kept(made, settle(made, name, c, &own)));
    *out = made;
    return PVG_OK;
}
