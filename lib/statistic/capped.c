/* Edges kept by the greedy cap (cap.c): numbers that a whole node moves by at most the
 * cap.
 *
 * If a node loses all its edges, at most `cap` fewer are kept, and never more: so two
 * graphs that differ in one node, whatever its edges are, differ by at most `cap`
 * (docs/privacy/proofs/statistic.md, capped edges). Cells of public classes have a walk
 * each, and a node has edges in few of them: each of those gets a share. The cap is
 * given, or drawn together with what it keeps (pick.c): the whole budget pays for both.
 * O(edges) time for sixteen caps, 16 bytes for each edge, taken after paying. */
#include "base/mix.h"
#include "statistic_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    pvgi_capped_config c;
    uint64_t key;
    int32_t *group; /* order of them, or NULL */
    int64_t rows;
    double epsilon; /* of each row; cap chosen */
    int64_t rate;
    pvgi_joint law; /* cap given */
} state;

static void drop(void *block) {
    pvgi_free(((state *)block)->group);
}

static int64_t most_of(const state *s, int64_t order) {
    const int64_t most = order > 1 ? order - 1 : 1;
    return s->c.most > 0 && s->c.most < most ? s->c.most : most;
}

static size_t bytes(const pvg_statistic *statistic, int64_t order, const pvgi_run *run) {
    const state *s = statistic->state;
    (void)run;
    return pvgi_size_add(pvgi_statistic_cap_bytes(order),
                         pvgi_size_add(pvgi_scratch_bytes((size_t)s->rows + 1, 8),
                                       pvgi_scratch_bytes((size_t)s->rows, 8)));
}

/* --- drawing ----------------------------------------------------------------------- */

typedef struct {
    pvgi_cap cap;
    int64_t *starts, *kept;
    int32_t *counts;
    int64_t order;
} work;

/* Noise on what each row keeps under a cap that is given. */
static void finish_given(double *out, const state *s, int64_t *kept,
                         const pvgi_stream *call) {
    for (int64_t r = 0; r < s->rows; r++) out[r] = (double)kept[r];
    if (!call) return;
    pvgi_stream stream;
    pvgi_rng_stream_open_chunk(&stream, call, 0);
    pvgi_mechanism_joint_noise(kept, s->rows, &s->law, &stream);
    pvgi_rng_stream_close(&stream);
    for (int64_t r = 0; r < s->rows; r++) out[r] += (double)kept[r];
}

static int32_t draw_given(double *out, const state *s, work *w, const pvgi_stream *call,
                          pvgi_run *run) {
    for (int64_t r = 0; r < s->rows; r++)
        PVGI_TRY(pvgi_statistic_cap_kept(w->kept + r, &w->cap, w->starts[r],
                                         w->starts[r + 1], &s->c.cap, 1, w->order,
                                         w->counts, run));
    finish_given(out, s, w->kept, call);
    return PVG_OK;
}

/* One that is drawn, for row r, from what each cap keeps of it. */
static void finish_picked(double *out, const state *s, int64_t r, const int64_t *cap,
                          const int64_t *kept, int64_t count, const pvgi_stream *call) {
    int64_t weight[PVGI_PICK_MAX], price[PVGI_PICK_MAX], noise = 0, chosen;
    const pvgi_pick pick = {.count = count,
                            .cap = cap,
                            .value = kept,
                            .weight = weight,
                            .price = price,
                            .rate = s->rate,
                            .counts = true};
    pvgi_statistic_pick_prior(weight, price, cap, count, s->epsilon, false);
    if (call) {
        pvgi_stream stream;
        pvgi_rng_stream_open_chunk(&stream, call, (uint64_t)r);
        chosen = pvgi_statistic_pick(&noise, &pick, NULL, &stream);
        pvgi_rng_stream_close(&stream);
    } else
        chosen = pvgi_statistic_pick_best(&pick);
    out[2 * r] = (double)cap[chosen];
    out[2 * r + 1] = (double)(kept[chosen] + noise);
}

static int32_t draw_picked(double *out, const state *s, work *w, const pvgi_stream *call,
                           pvgi_run *run) {
    int64_t cap[PVGI_PICK_MAX], kept[PVGI_PICK_MAX];
    const int64_t count = pvgi_statistic_cap_list(cap, most_of(s, w->order));
    for (int64_t r = 0; r < s->rows; r++) {
        PVGI_TRY(pvgi_statistic_cap_kept(kept, &w->cap, w->starts[r], w->starts[r + 1],
                                         cap, count, w->order, w->counts, run));
        finish_picked(out, s, r, cap, kept, count, call);
    }
    return PVG_OK;
}

static int32_t draw(double *out, const pvg_statistic *statistic, const pvg_graph *graph,
                    pvgi_scratch *scratch, const pvgi_stream *call, pvgi_run *run) {
    const state *s = statistic->state;
    work w = {.order = graph->order};
    w.counts = pvgi_statistic_take_zero(scratch, pvgi_statistic_cap_bytes(w.order), 1);
    w.starts = pvgi_statistic_take(scratch, (size_t)s->rows + 1, sizeof *w.starts);
    w.kept = pvgi_statistic_take(scratch, (size_t)s->rows, sizeof *w.kept);
    if (!w.counts || !w.starts || !w.kept) return PVG_E_INTERNAL;
    int32_t status = pvgi_statistic_cap_order(&w.cap, graph, s->key, run);
    if (status == PVG_OK) {
        pvgi_statistic_cap_split(&w.cap, w.starts, (pvgi_cap_cells)s->c.cells,
                                 s->c.classes, s->group);
        status = s->c.cap > 0 ? draw_given(out, s, &w, call, run)
                              : draw_picked(out, s, &w, call, run);
    }
    pvgi_statistic_cap_drop(&w.cap);
    return status;
}

static size_t parts_bytes(const pvg_statistic *statistic, int64_t own, int64_t borrowed,
                          const pvgi_run *run) {
    const state *s = statistic->state;
    const int64_t slots =
        pvgi_statistic_cap_touched((pvgi_cap_cells)s->c.cells, s->c.classes);
    (void)run;
    return pvgi_size_add(pvgi_statistic_cap_parts_bytes(slots, own, borrowed),
                         pvgi_scratch_bytes((size_t)s->rows, PVGI_PICK_MAX * 8));
}

/* Process 0 draws the noise, and the caps: two draws would tell more than one. */
static int32_t draw_parts(double *out, const pvg_statistic *statistic,
                          const pvg_parts *parts, pvgi_scratch *scratch,
                          const pvgi_stream *call, pvgi_run *run) {
    const state *s = statistic->state;
    pvgi_cap_parts edges = {0};
    int64_t list[PVGI_PICK_MAX];
    const bool given = s->c.cap > 0;
    const int64_t *caps = given ? &s->c.cap : list;
    const int64_t count =
        given ? 1 : pvgi_statistic_cap_list(list, most_of(s, parts->config.order));
    int64_t *kept = pvgi_statistic_take(scratch, (size_t)s->rows, PVGI_PICK_MAX * 8);
    if (!kept) return PVG_E_INTERNAL;
    int32_t status =
        pvgi_statistic_cap_parts_order(&edges, parts, s->key, (pvgi_cap_cells)s->c.cells,
                                       s->c.classes, s->group, scratch, run);
    if (status == PVG_OK)
        status = pvgi_statistic_cap_parts_kept(kept, &edges, caps, count, run);
    pvgi_statistic_cap_parts_drop(&edges);
    PVGI_TRY(status);
    if (parts->config.process == 0 && given) finish_given(out, s, kept, call);
    for (int64_t r = 0; r < s->rows && parts->config.process == 0 && !given; r++)
        finish_picked(out, s, r, caps, kept + r * count, count, call);
    return pvgi_graph_parts_share(
        parts, out, (size_t)(statistic->rows * statistic->columns) * sizeof *out);
}

/* --- what is known before ---------------------------------------------------------- */

static void deviation(double *out, const pvg_statistic *statistic) {
    *out = pvgi_mechanism_joint_deviation(&((const state *)statistic->state)->law);
}

/* At most cap / 2 edges for each node. */
static double most_edges(double cap, double order) {
    const double degree = order - 1.0 < cap ? order - 1.0 : cap;
    return 0.5 * order * degree;
}

/* Of a cap that is drawn noise and range are both in proportion to it: what is told for
 * the largest one holds for any. With a guess of the mean degree: the usual cap, and the
 * edges that there are. */
static void plan(pvgi_preview_point *out, const pvg_statistic *statistic, int64_t column,
                 int64_t order, const pvgi_guess *guess, double times) {
    const state *s = statistic->state;
    const double most = (double)most_of(s, order);
    const double usual = pvgi_statistic_cap_usual(guess->degree, most);
    const double cap = usual > 0.0 ? usual : most;
    const double range = usual > 0.0 ? most_edges(guess->degree, (double)order)
                                     : most_edges(most, (double)order);
    const double noise = sqrt(8.0) * cap / (s->epsilon * times);
    if (s->c.cap > 0)
        *out = (pvgi_preview_point){
            .range = most_edges((double)s->c.cap, (double)order),
            .change = (double)s->c.cap,
            .noise = pvgi_mechanism_joint_deviation_at(&s->law, times)};
    else if (column == 0)
        *out = (pvgi_preview_point){.range = most,
                                    .change = most,
                                    .noise = usual > 0.0 ? most * noise / range : 1.0};
    else
        *out = (pvgi_preview_point){.range = range, .change = cap, .noise = noise};
}

static const char *const names[] = {"cap", "edges"};

static void label(char out[PVGI_PREVIEW_LABEL], const pvg_statistic *statistic,
                  int64_t column) {
    snprintf(out, PVGI_PREVIEW_LABEL, "%s",
             statistic->columns == 1 ? "capped-edges" : names[column]);
}

static const pvgi_statistic_kind kinds[] = {{.word = "capped-edges",
                                             .bytes = bytes,
                                             .draw = draw,
                                             .draw_parts = draw_parts,
                                             .parts_bytes = parts_bytes,
                                             .drop = drop,
                                             .deviation = deviation,
                                             .plan = plan,
                                             .label = label},
                                            {.word = "capped-edges",
                                             .bytes = bytes,
                                             .draw = draw,
                                             .draw_parts = draw_parts,
                                             .parts_bytes = parts_bytes,
                                             .drop = drop,
                                             .plan = plan,
                                             .label = label}};

bool pvgi_statistic_capped_shape(pvgi_capped_shape *out, const pvg_statistic *statistic) {
    if (statistic->kind != &kinds[1]) return false;
    const state *s = statistic->state;
    *out = (pvgi_capped_shape){.rows = s->rows,
                               .most = s->c.most,
                               .order = statistic->order,
                               .epsilon = s->epsilon};
    return true;
}

static int32_t describe(pvg_statistic *statistic) {
    const state *s = statistic->state;
    const double n = statistic->order > 0 ? (double)statistic->order : (double)INFINITY;
    pvgi_columns *c = pvgi_guarantee_columns_begin();
    if (s->c.cap > 0) {
        pvgi_guarantee_columns_add(
            c, &(pvgi_column){.count = 1,
                              .name = "capped-edges",
                              .unit = "edges that are kept",
                              .noise = pvgi_statistic_noise_word(s->law.noise)});
        pvgi_guarantee_columns_law(c, &s->law, 0.0, most_edges((double)s->c.cap, n));
        return pvgi_guarantee_columns_close(&statistic->guarantee, c);
    }
    const double most = isfinite(n)     ? (double)most_of(s, (int64_t)n)
                        : s->c.most > 0 ? (double)s->c.most
                                        : (double)INFINITY;
    pvgi_guarantee_columns_add(c, &(pvgi_column){.count = 1,
                                                 .name = names[0],
                                                 .unit = "edges kept of a node at most",
                                                 .noise = "drawn with the count"});
    pvgi_guarantee_columns_add(
        c, &(pvgi_column){.count = 1,
                          .name = names[1],
                          .unit = "edges that are kept: no more than there are",
                          .noise = "discrete, its scale follows the cap"});
    pvgi_guarantee_columns_table(c, 0);
    pvgi_guarantee_columns_measure(c, 0, (pvgi_measure){1.0, most, 1.0, (double)NAN});
    pvgi_guarantee_columns_measure(
        c, 1, (pvgi_measure){0.0, most_edges(most, n), 1.0, (double)NAN});
    return pvgi_guarantee_columns_close(&statistic->guarantee, c);
}

/* --- making ------------------------------------------------------------------------ */

/* Laplace and its kin on all rows, which a node moves by the cap in each cell that it
 * touches. */
static int32_t fit_given(state *s, pvg_guarantee *g, const char *name,
                         const pvg_target *target) {
    const double touched =
        (double)pvgi_statistic_cap_touched((pvgi_cap_cells)s->c.cells, s->c.classes);
    const pvg_joint_config joint = {
        .size = sizeof joint,
        .dimension = s->rows,
        .l1 = (double)s->c.cap * touched,
        .l2 = pvgi_mechanism_up((double)s->c.cap * sqrt(touched), touched > 1.0 ? 4 : 0),
        .grid = 1.0};
    PVGI_TRY(pvgi_mechanism_joint(&s->law, name, &joint, target));
    g->spent = s->law.spent;
    g->noise = pvgi_statistic_noise_word(s->law.noise);
    g->sensitivity = (double)s->c.cap * touched;
    g->scale = s->law.scale;
    return PVG_OK;
}

static int32_t fit_picked(state *s, pvg_guarantee *g, const char *name,
                          const pvg_target *target) {
    const double epsilon = target->parameter > 0.0 ? target->parameter : target->epsilon;
    const double touched =
        (double)pvgi_statistic_cap_touched((pvgi_cap_cells)s->c.cells, s->c.classes);
    PVGI_REQUIRE(target->noise == PVG_NOISE_LAPLACE,
                 "%s: cap=auto has noise of its own: give a cap, or no noise law", name);
    s->epsilon = pvgi_mechanism_down(epsilon / touched, 4);
    PVGI_TRY(pvgi_statistic_pick_rate(&s->rate, s->epsilon, name));
    g->spent = (pvg_curve_term){
        .size = sizeof g->spent, .kind = PVG_CURVE_PURE, .epsilon = epsilon};
    g->noise = "cap and count in one draw";
    return PVG_OK;
}

static int32_t take_group(state *s, const char *name, const int32_t *group) {
    if (s->c.cells == PVGI_CAP_ALL) return PVG_OK;
    PVGI_REQUIRE(group && s->c.order > 0, "%s: cells need groups, a class for each node",
                 name);
    s->group = pvgi_alloc((size_t)s->c.order, sizeof *s->group);
    if (!s->group) return pvgi_fail_nomem();
    for (int64_t v = 0; v < s->c.order; v++) {
        PVGI_REQUIRE(group[v] >= 0 && group[v] < s->c.classes,
                     "%s: groups[%lld] is %d, not in [0, %lld)", name, (long long)v,
                     (int)group[v], (long long)s->c.classes);
        s->group[v] = group[v];
    }
    return PVG_OK;
}

static int32_t fill(pvg_statistic *made, const char *name, const pvg_target *target,
                    const int32_t *group) {
    state *s = made->state;
    pvg_guarantee *g = &made->guarantee;
    g->notion = PVG_NOTION_NODE;
    g->delta = target->delta;
    g->order = made->order;
    g->claim = "release.capped-edges";
    PVGI_TRY(take_group(s, name, group));
    PVGI_TRY(s->c.cap > 0 ? fit_given(s, g, name, target)
                          : fit_picked(s, g, name, target));
    pvgi_guarantee_assumption(g, PVGI_ASSUMPTION_NODES);
    pvgi_guarantee_assumption(g, "caps and key were chosen without looking at edges");
    if (s->group)
        pvgi_guarantee_assumption(g, "classes of nodes are public: not made from edges");
    return describe(made);
}

int32_t pvgi_statistic_capped_new(pvg_statistic **out, const char *name,
                                  const pvgi_capped_config *config,
                                  const pvg_target *target, const int32_t *group) {
    const pvg_guarantee empty = {0};
    pvg_statistic *made;
    pvg_target own;
    PVGI_TRY(pvgi_statistic_target(&own, name, target,
                                   1u << PVG_NOISE_LAPLACE | 1u << PVG_NOISE_GAUSSIAN |
                                       1u << PVG_NOISE_DISCRETE_GAUSSIAN));
    PVGI_TRY(pvgi_statistic_make(&made, &kinds[config->cap > 0 ? 0 : 1], &own, &empty,
                                 sizeof(state)));
    state *s = made->state;
    s->c = *config;
    s->key = pvgi_mix((uint64_t)config->key);
    s->rows = pvgi_statistic_cap_rows((pvgi_cap_cells)config->cells, config->classes);
    made->order = config->order;
    made->fixed = config->cells != PVGI_CAP_ALL;
    made->rows = s->rows;
    made->columns = config->cap > 0 ? 1 : 2;
    const int32_t status = fill(made, name, &own, group);
    PVGI_TRY(pvgi_statistic_kept(made, status));
    *out = made;
    return PVG_OK;
}
