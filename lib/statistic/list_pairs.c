/* Which things are had together: for every two of a public or released set of things the
 * sum over persons of r_i r_j, where r is the unit row of her entries in the set: 1 / l
 * for two of her l entries.
 *
 * The squares of a person's pairs sum to C(l, 2) / l^2 = (1 - 1/l) / 2, at most
 * (1 - 1/M) / 2; pairs are not negative, so another list moves all numbers by at most
 * sqrt(1 - 1/M) < 1 together, and an empty one by sqrt((1 - 1/M) / 2). With the diagonal,
 * which is not released, it would be 1 and sqrt 2. L1: C(l, 2) / l <= (M - 1) / 2.
 * Entries are rounded down to multiples of 2^-20. */
#include "statistic_internal.h"

#include <math.h>
#include <stdio.h>

enum { BITS = 20 };

typedef struct {
    int64_t looked; /* things, M */
    int32_t *place;
    pvgi_joint law;
} state;

static void drop(void *block) {
    pvgi_free(((state *)block)->place);
}

static size_t bytes(const pvg_statistic *statistic, int64_t order, const pvgi_run *run) {
    const state *s = statistic->state;
    (void)order, (void)run;
    return pvgi_scratch_bytes((size_t)statistic->rows, sizeof(int64_t)) +
           pvgi_scratch_bytes((size_t)statistic->things, sizeof(int32_t)) +
           pvgi_scratch_bytes((size_t)s->looked, sizeof(int32_t));
}

typedef struct {
    const state *s;
    int64_t *sums;
    int32_t *own;
} job;

/* Of i < j, row by row of the upper triangle. */
static int64_t before_row(int64_t i, int64_t m) {
    return i * (2 * m - i - 1) / 2 - i - 1; /* plus j */
}

static void visit(void *context, int64_t person, const int32_t *things, int64_t count) {
    const job *b = context;
    const state *s = b->s;
    int64_t found = 0;
    (void)person;
    for (int64_t i = 0; i < count; i++)
        if (s->place[things[i]] >= 0) b->own[found++] = s->place[things[i]];
    if (found < 2) return;
    pvgi_graph_row_sort(b->own, found);
    const int64_t value = (INT64_C(1) << BITS) / found; /* rounds down */
    for (int64_t i = 0; i + 1 < found; i++) {
        int64_t *sums = b->sums + before_row(b->own[i], s->looked);
        for (int64_t j = i + 1; j < found; j++) sums[b->own[j]] += value;
    }
}

static int32_t draw_lists(double *out, const pvg_statistic *statistic,
                          const pvgi_list_input *input, pvgi_scratch *scratch,
                          const pvgi_stream *call, pvgi_run *run) {
    const state *s = statistic->state;
    job j = {.s = s};
    j.sums = pvgi_statistic_take_zero(scratch, (size_t)statistic->rows, sizeof *j.sums);
    int32_t *row = pvgi_statistic_take(scratch, (size_t)statistic->things, sizeof *row);
    j.own = pvgi_statistic_take(scratch, (size_t)s->looked, sizeof *j.own);
    if (!j.sums || !row || !j.own) return PVG_E_INTERNAL;
    PVGI_TRY(pvgi_graph_lists_walk(input->lists, visit, &j, row, run));
    pvgi_statistic_list_finish(out, j.sums, statistic->rows, &s->law, call);
    return PVG_OK;
}

static void deviation(double *out, const pvg_statistic *statistic) {
    *out = pvgi_mechanism_joint_deviation(&((const state *)statistic->state)->law);
}

/* A person with two entries adds 1/2 to their pair: nobody adds more to one. */
static void plan(pvgi_preview_point *out, const pvg_statistic *statistic, int64_t column,
                 int64_t order, const pvgi_guess *guess, double times) {
    const state *s = statistic->state;
    (void)column, (void)guess;
    *out =
        (pvgi_preview_point){.range = 0.5 * (double)order,
                             .change = 0.5,
                             .noise = pvgi_mechanism_joint_deviation_at(&s->law, times)};
}

static void label(char out[PVGI_PREVIEW_LABEL], const pvg_statistic *statistic,
                  int64_t column) {
    (void)statistic, (void)column;
    snprintf(out, PVGI_PREVIEW_LABEL, "together");
}

static void read_entries(pvgi_list_read *out, const pvg_statistic *statistic) {
    const state *s = statistic->state;
    *out = (pvgi_list_read){&s->law, 0, 0.5, s->looked};
}

static const pvgi_statistic_kind kind = {.word = "list-pairs",
                                         .bytes = bytes,
                                         .draw_lists = draw_lists,
                                         .read = read_entries,
                                         .deviation = deviation,
                                         .drop = drop,
                                         .plan = plan,
                                         .label = label};

static int32_t describe(pvg_statistic *statistic) {
    const state *s = statistic->state;
    const double n = statistic->order > 0 ? (double)statistic->order : (double)INFINITY;
    pvgi_columns *c = pvgi_guarantee_columns_begin();
    pvgi_guarantee_columns_add(
        c, &(pvgi_column){.count = 1,
                          .name = "together",
                          .unit = "of unit rows, a line for each two things: 0 1, 0 2, "
                                  "...",
                          .noise = pvgi_statistic_noise_word(s->law.noise)});
    pvgi_guarantee_columns_law(c, &s->law, 0.0, 0.5 * n);
    return pvgi_guarantee_columns_close(&statistic->guarantee, c);
}

static int32_t settle(pvg_statistic *made, const char *name, const pvgi_list_settings *c,
                      const pvgi_list_arrays *a, const pvg_target *target) {
    state *s = made->state;
    s->looked = a->things ? a->thing_count : c->things;
    PVGI_REQUIRE(s->looked >= 2, "%s: pairs need two things or more", name);
    const double m = (double)s->looked, sides = c->absent ? 1.0 : 2.0;
    if (m * (m - 1.0) / 2.0 > (double)PVG_MECHANISM_DIMENSION_MAX)
        return pvgi_fail(PVG_E_LIMIT,
                         "%s: more than 2^24 pairs; give arguments->things, at most 5793",
                         name);
    PVGI_TRY(pvgi_statistic_list_places(&s->place, name, a->things, a->thing_count,
                                        c->things));
    const pvgi_list_change change = {
        .l1 = sides * (m - 1.0) / 2.0,
        .l2 = pvgi_mechanism_up(sqrt(sides * (1.0 - 1.0 / m) / 2.0), 4),
        .grid = -BITS};
    made->rows = s->looked * (s->looked - 1) / 2;
    made->columns = 1;
    PVGI_TRY(pvgi_statistic_list_law(&s->law, name, &change, made->rows, target));
    pvgi_statistic_list_promise(made, &s->law, &s->law.spent, target->delta,
                                s->law.noise == PVG_NOISE_LAPLACE ? change.l1 : change.l2,
                                "release.list-pairs");
    return describe(made);
}

int32_t pvgi_statistic_list_pairs_new(pvg_statistic **out, const char *name,
                                      const pvgi_list_settings *c,
                                      const pvgi_list_arrays *arrays,
                                      const pvg_target *target) {
    pvg_statistic *made;
    pvg_target own;
    PVGI_TRY(pvgi_statistic_list_begin(&made, &own, name, &kind, c, arrays->order, target,
                                       1u << PVG_NOISE_LAPLACE |
                                           1u << PVG_NOISE_GAUSSIAN |
                                           1u << PVG_NOISE_DISCRETE_GAUSSIAN,
                                       PVG_NOISE_GAUSSIAN, sizeof(state)));
    PVGI_TRY(pvgi_statistic_kept(made, settle(made, name, c, arrays, &own)));
    *out = made;
    return PVG_OK;
}
