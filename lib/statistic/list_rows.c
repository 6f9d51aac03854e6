/* How many persons have each thing, as a sum of rows of bounded norm.
 *
 *   clipped  the row times min(1, sqrt(bound) / its norm): no entry is dropped, long
 *            lists weigh less. bound 1: unit lists. Things may have public weights
 *   kept     the `bound` first entries in a public order of the things, by a keyed hash
 *   whole    the row as it is, on a public or released set of things
 *
 * Rows are not negative, so those of two lists have an inner product of at least 0 and
 * |x - y|^2 <= |x|^2 + |y|^2 <= 2 bound; an entry of a row without weights is at most 1,
 * so that |x - y|^2 is at most the number of things looked at, too. That rests on weights
 * not being negative, and on entries rounded down, never to the nearest. Rows of a hidden
 * group stand in the cells of that group: those of two groups do not overlap, and the
 * second bound doubles. */
#include "base/mix.h"
#include "statistic_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BITS = 20, WEIGHT_BITS = 10 }; /* entries are multiples of 2^-20, up to 2^10 */

typedef struct {
    pvgi_list_rows c;
    int64_t looked;   /* things that are looked at */
    int64_t groups;   /* at least 1 */
    int32_t *place;   /* of each thing among them, -1: not */
    int64_t *weights; /* of things, in units of 2^-20; NULL: all 1 */
    uint64_t key;
    pvgi_joint law;
} state;

static void drop(void *block) {
    state *s = block;
    pvgi_free(s->place);
    pvgi_free(s->weights);
}

static size_t cells_of(const state *s) {
    return pvgi_size_mul((size_t)s->looked, (size_t)s->groups);
}

static size_t bytes(const pvg_statistic *statistic, int64_t order, const pvgi_run *run) {
    const state *s = statistic->state;
    const size_t things = (size_t)statistic->things;
    (void)order, (void)run;
    return pvgi_scratch_bytes(cells_of(s), sizeof(int64_t)) +
           pvgi_scratch_bytes(things, sizeof(int32_t)) +
           pvgi_scratch_bytes((size_t)s->looked, sizeof(int32_t));
}

typedef struct {
    const state *s;
    const pvg_labels *labels;
    int64_t *sums;
    int32_t *own; /* entries of a person that are looked at */
} job;

/* Of things: which is first. Ties cannot be: the hash is a permutation. */
static uint64_t priority(const state *s, int32_t thing) {
    return pvgi_mix((uint64_t)(uint32_t)thing + PVGI_MIX_STEP * (s->key + 1));
}

/* Moves the `keep` first ones to the front: by selection, in public order. */
static void keep_first(const state *s, int32_t *own, int64_t count, int64_t keep) {
    int64_t low = 0, high = count - 1;
    while (low < high) {
        const uint64_t pivot = priority(s, own[low + (high - low) / 2]);
        int64_t i = low, j = high;
        while (i <= j) {
            while (priority(s, own[i]) < pivot) i++;
            while (priority(s, own[j]) > pivot) j--;
            if (i > j) break;
            const int32_t swap = own[i];
            own[i++] = own[j];
            own[j--] = swap;
        }
        if (keep - 1 <= j)
            high = j;
        else if (keep - 1 >= i)
            low = i;
        else
            return;
    }
}

/* Entry of a row: floor(w min(1, sqrt(bound) / norm)), square: norm^2 of all w. */
static int64_t entry(int64_t w, unsigned __int128 square, int64_t bound) {
    const unsigned __int128 most = (unsigned __int128)(uint64_t)bound << 2 * BITS;
    if (square <= most) return w;
    const unsigned __int128 own = (unsigned __int128)((uint64_t)w * (uint64_t)w);
    return /* below 2^60 2^61: no product overflows; the quotient is below own */
        pvgi_statistic_root((uint64_t)(own * most / square));
}

static void add_clipped(const job *j, int64_t *sums, int64_t count) {
    const state *s = j->s;
    const int64_t groups = s->groups;
    if (!s->weights) {
        const int64_t one = INT64_C(1) << BITS;
        const int64_t value =
            entry(one, (unsigned __int128)(uint64_t)count << 2 * BITS, s->c.bound);
        for (int64_t i = 0; i < count; i++) sums[s->place[j->own[i]] * groups] += value;
        return;
    }
    unsigned __int128 square = 0;
    for (int64_t i = 0; i < count; i++) {
        const uint64_t w = (uint64_t)s->weights[j->own[i]];
        square += (unsigned __int128)(w * w);
    }
    for (int64_t i = 0; i < count; i++)
        sums[s->place[j->own[i]] * groups] +=
            entry(s->weights[j->own[i]], square, s->c.bound);
}

static void visit(void *context, int64_t person, const int32_t *things, int64_t count) {
    const job *j = context;
    const state *s = j->s;
    const int64_t group = j->labels ? j->labels->values[person] : 0;
    int64_t found = 0;
    if (group < 0 || group >= s->groups) return; /* in no group: counts nowhere */
    for (int64_t i = 0; i < count; i++)
        if (s->place[things[i]] >= 0) j->own[found++] = things[i];
    int64_t *sums = j->sums + group;
    if (s->c.row == PVGI_LIST_CLIPPED) {
        add_clipped(j, sums, found);
        return;
    }
    if (s->c.row == PVGI_LIST_KEPT && found > s->c.bound) {
        keep_first(s, j->own, found, s->c.bound);
        found = s->c.bound;
    }
    for (int64_t i = 0; i < found; i++) sums[s->place[j->own[i]] * s->groups]++;
}

static int32_t draw_lists(double *out, const pvg_statistic *statistic,
                          const pvgi_list_input *input, pvgi_scratch *scratch,
                          const pvgi_stream *call, pvgi_run *run) {
    const state *s = statistic->state;
    const size_t cells = cells_of(s);
    job j = {.s = s, .labels = input->labels};
    j.sums = pvgi_statistic_take_zero(scratch, cells, sizeof *j.sums);
    int32_t *row = pvgi_statistic_take(scratch, (size_t)statistic->things, sizeof *row);
    j.own = pvgi_statistic_take(scratch, (size_t)s->looked, sizeof *j.own);
    if (!j.sums || !row || !j.own) return PVG_E_INTERNAL;
    PVGI_TRY(pvgi_graph_lists_walk(input->lists, visit, &j, row, run));
    pvgi_statistic_list_finish(out, j.sums, (int64_t)cells, &s->law, call);
    return PVG_OK;
}

static void deviation(double *out, const pvg_statistic *statistic) {
    const state *s = statistic->state;
    for (int64_t i = 0; i < s->groups; i++)
        out[i] = pvgi_mechanism_joint_deviation(&s->law);
}

/* What one person adds to a number, at most. */
static double most_of(const state *s) {
    if (s->c.row != PVGI_LIST_CLIPPED || !s->weights) return 1.0;
    const double most = sqrt((double)s->c.bound);
    return most < (double)(1 << WEIGHT_BITS) ? most : (double)(1 << WEIGHT_BITS);
}

static void plan(pvgi_preview_point *out, const pvg_statistic *statistic, int64_t column,
                 int64_t order, const pvgi_guess *guess, double times) {
    const state *s = statistic->state;
    (void)column, (void)guess;
    *out =
        (pvgi_preview_point){.range = most_of(s) * (double)order,
                             .change = most_of(s),
                             .noise = pvgi_mechanism_joint_deviation_at(&s->law, times)};
}

static void label(char out[PVGI_PREVIEW_LABEL], const pvg_statistic *statistic,
                  int64_t column) {
    const state *s = statistic->state;
    if (s->c.groups > 0)
        snprintf(out, PVGI_PREVIEW_LABEL, "group%lld", (long long)column);
    else
        snprintf(out, PVGI_PREVIEW_LABEL, "sum");
}

static void read_entries(pvgi_list_read *out, const pvg_statistic *statistic) {
    const state *s = statistic->state;
    *out = (pvgi_list_read){&s->law, 0, most_of(s), 0};
}

static const pvgi_statistic_kind kind = {.word = "list-rows",
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
    const bool grouped = s->c.groups > 0;
    pvgi_columns *c = pvgi_guarantee_columns_begin();
    pvgi_guarantee_columns_add(
        c, &(pvgi_column){.count = s->groups,
                          .name = grouped ? "group" : "sum",
                          .numbered = grouped,
                          .unit = s->c.row == PVGI_LIST_CLIPPED
                                      ? "of rows of persons, a line for each thing"
                                      : "persons who have it, a line for each thing",
                          .noise = pvgi_statistic_noise_word(s->law.noise)});
    pvgi_guarantee_columns_law(c, &s->law, 0.0, most_of(s) * n);
    return pvgi_guarantee_columns_close(&statistic->guarantee, c);
}

/* Proofs: docs/privacy/proofs/statistic.md, lists. */
static pvgi_list_change change_of(const state *s) {
    const double sides = s->c.list.absent ? 1.0 : 2.0; /* rows that differ */
    const double bound = (double)s->c.bound, m = (double)s->looked;
    /* one row, in the cells of its group: norms, of entries up to 1 and of all */
    const bool overlap = s->c.groups == 0; /* two rows stand in the same cells */
    const double cells = overlap ? m : sides * m;
    double l1 = INFINITY, square = INFINITY;
    if (s->c.row == PVGI_LIST_KEPT) l1 = square = sides * bound;
    if (s->c.row == PVGI_LIST_CLIPPED) {
        square = sides * bound;
        l1 = pvgi_mechanism_up(sides * sqrt(bound * m), 4);
    }
    if (!s->weights) { /* entries are 0 .. 1 */
        if (cells < square) square = cells;
        if (cells < l1) l1 = cells;
    }
    return (pvgi_list_change){.l1 = l1,
                              .l2 = pvgi_mechanism_up(sqrt(square), 1),
                              .grid = s->c.row == PVGI_LIST_CLIPPED ? -BITS : 0};
}

static int32_t check(const char *name, const pvgi_list_rows *c,
                     const pvgi_list_arrays *a) {
    PVGI_REQUIRE(!a->weights || c->row == PVGI_LIST_CLIPPED,
                 "%s: weights are for row=clipped", name);
    for (int64_t t = 0; a->weights && t < c->list.things; t++)
        PVGI_REQUIRE(a->weights[t] >= 0.0 && a->weights[t] <= (double)(1 << WEIGHT_BITS),
                     "%s: weights[%lld] is not in [0, 1024]: rows must not be negative",
                     name, (long long)t);
    return PVG_OK;
}

static int32_t settle(pvg_statistic *made, const char *name, const pvgi_list_rows *c,
                      const pvgi_list_arrays *a, const pvg_target *target) {
    state *s = made->state;
    s->c = *c;
    s->groups = c->groups > 0 ? c->groups : 1;
    s->looked = a->things ? a->thing_count : c->list.things;
    s->key = pvgi_mix((uint64_t)c->key);
    PVGI_TRY(check(name, c, a));
    PVGI_TRY(pvgi_statistic_list_places(&s->place, name, a->things, a->thing_count,
                                        c->list.things));
    if (a->weights) {
        s->weights = pvgi_alloc((size_t)c->list.things, sizeof *s->weights);
        if (!s->weights) return pvgi_fail_nomem();
        for (int64_t t = 0; t < c->list.things; t++)
            s->weights[t] = (int64_t)floor(ldexp(a->weights[t], BITS));
    }
    if (cells_of(s) > (size_t)PVG_MECHANISM_DIMENSION_MAX)
        return pvgi_fail(PVG_E_LIMIT, "%s: more than 2^24 numbers", name);
    made->rows = s->looked;
    made->columns = s->groups;
    const pvgi_list_change change = change_of(s);
    PVGI_TRY(
        pvgi_statistic_list_law(&s->law, name, &change, (int64_t)cells_of(s), target));
    const bool laplace = s->law.noise == PVG_NOISE_LAPLACE;
    pvgi_statistic_list_promise(made, &s->law, &s->law.spent, target->delta,
                                laplace ? change.l1 : change.l2, "release.list-rows");
    return describe(made);
}

int32_t pvgi_statistic_list_rows_new(pvg_statistic **out, const char *name,
                                     const pvgi_list_rows *c,
                                     const pvgi_list_arrays *arrays,
                                     const pvg_target *target) {
    pvg_statistic *made;
    pvg_target own;
    PVGI_TRY(pvgi_statistic_list_begin(
        &made, &own, name, &kind, &c->list, arrays->order, target,
        1u << PVG_NOISE_LAPLACE | 1u << PVG_NOISE_GAUSSIAN |
            1u << PVG_NOISE_DISCRETE_GAUSSIAN,
        PVG_NOISE_GAUSSIAN, sizeof(state)));
    PVGI_TRY(pvgi_statistic_kept(made, settle(made, name, c, arrays, &own)));
    *out = made;
    return PVG_OK;
}
