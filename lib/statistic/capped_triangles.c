/* Triangles with at most `cap` at any node, shares of triangles allowed: a number that a
 * whole node moves by at most the cap, found by a linear program to within a public gap.
 *
 * f: the largest sum of shares x_T in [0, 1] with at most `cap` at every node. Without
 * the triangles of v a solution loses at most cap, and a solution without v is one with
 * v: a replaced node moves f by at most cap. What is released is a whole number V in
 * [f - gap, f], which it moves by at most cap + gap, whichever V is found: gap is public
 * and always met (packing.c). Cap and number are drawn together, as in capped.c.
 * (docs/privacy/proofs/statistic.md, capped triangles.)
 *
 * Triangles kept one after the other, as edges are in cap.c, would not do: a chain of
 * them can turn over as a whole. */
#include "statistic_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Weights of caps that are drawn fall with their square, from 2^40: LARGEST and its gap
 * are below 2^20. */
enum { LARGEST = 800000, SMALLEST = 8 };

typedef struct {
    int64_t most;
    double epsilon;
    int64_t rate;
} state;

/* --- caps -------------------------------------------------------------------------- */

/* Triangles at a node at most, no more than the largest cap. */
static int64_t ceiling_of(int64_t order) {
    const double most = 0.5 * (double)(order - 1) * (double)(order - 2);
    return most < 1.0 ? 1 : most < LARGEST ? (int64_t)most : LARGEST;
}

/* A quarter of the cap; more in large graphs, where a small cap would take long. Zero for
 * a cap that no node reaches. */
static int64_t gap_of(int64_t cap, int64_t order) {
    const int64_t least = (pvgi_statistic_root((uint64_t)order) + 7) / 8;
    const int64_t gap = (cap + 3) / 4 > least ? (cap + 3) / 4 : least;
    if (cap >= ceiling_of(order) && cap < LARGEST) return 0;
    return gap > 2 ? gap : 2;
}

int64_t pvgi_statistic_triangle_caps(int64_t caps[PVGI_PICK_MAX],
                                     int64_t change[PVGI_PICK_MAX], int64_t order,
                                     int64_t most) {
    const int64_t top = ceiling_of(order), least = gap_of(1, order);
    const int64_t last = most > 0 && most < top ? most : top;
    int64_t count = 0;
    for (int64_t cap = least > SMALLEST ? least : SMALLEST; cap < last; cap += cap / 2)
        caps[count++] = cap;
    caps[count++] = last;
    for (int64_t i = 0; i < count; i++) change[i] = caps[i] + gap_of(caps[i], order);
    return count;
}

/* --- listing ----------------------------------------------------------------------- */

typedef struct {
    const pvg_graph *graph;
    int64_t *start, *at;         /* order + 1: of the lists */
    int64_t *many;               /* triangles at each node */
    int32_t *place, *mark;       /* by falling degree */
    int32_t *list;               /* neighbours before it */
    pvgi_bundle *column, *spare; /* as many as triangles */
    int64_t columns, free;
    pvgi_packing pack;
} work;

static int64_t degree_of(const pvg_graph *graph, int64_t v) {
    return graph->offsets[v + 1] - graph->offsets[v];
}

/* Each node lists its neighbours of larger degree, of equal ones those of smaller
 * number: no list is longer than the root of twice the edges. */
static int32_t list_before(work *w) {
    const pvg_graph *graph = w->graph;
    const int64_t n = graph->order;
    w->list = pvgi_alloc((size_t)graph->size + 1, sizeof *w->list);
    if (!w->list) return pvgi_fail_nomem();
    memset(w->start, 0, ((size_t)n + 1) * sizeof *w->start);
    for (int64_t v = 0; v < n; v++) w->start[n - degree_of(graph, v)]++;
    for (int64_t i = 0; i < n; i++) w->start[i + 1] += w->start[i];
    for (int64_t v = 0; v < n; v++)
        w->place[v] = (int32_t)w->start[n - 1 - degree_of(graph, v)]++;
    int64_t at = 0;
    for (int64_t v = 0; v < n; v++) {
        w->start[v] = at;
        for (int64_t i = graph->offsets[v]; i < graph->offsets[v + 1]; i++)
            if (w->place[graph->columns[i]] < w->place[v])
                w->list[at++] = graph->columns[i];
    }
    w->start[n] = at;
    return PVG_OK;
}

/* How many; out: NULL, or room for them. */
static int64_t find(work *w, pvgi_bundle *out) {
    const int64_t n = w->graph->order;
    int64_t found = 0;
    memset(w->mark, 0, (size_t)n * sizeof *w->mark);
    for (int64_t u = 0; u < n; u++) {
        for (int64_t i = w->start[u]; i < w->start[u + 1]; i++)
            w->mark[w->list[i]] = (int32_t)u + 1;
        for (int64_t i = w->start[u]; i < w->start[u + 1]; i++) {
            const int32_t v = w->list[i];
            for (int64_t k = w->start[v]; k < w->start[v + 1]; k++) {
                if (w->mark[w->list[k]] != u + 1) continue;
                if (out) out[found] = (pvgi_bundle){{(int32_t)u, v, w->list[k]}, 3, 1};
                found++;
            }
        }
    }
    return found;
}

static int32_t list_triangles(work *w) {
    PVGI_TRY(list_before(w));
    w->columns = find(w, NULL);
    const size_t count = (size_t)w->columns;
    w->column = pvgi_alloc(count, sizeof *w->column);
    w->spare = pvgi_alloc(count, sizeof *w->spare);
    w->pack.x = pvgi_alloc(count, sizeof *w->pack.x);
    w->pack.xs = pvgi_alloc(count, sizeof *w->pack.xs);
    if (!w->column || !w->spare || !w->pack.x || !w->pack.xs) return pvgi_fail_nomem();
    (void)find(w, w->column);
    memset(w->many, 0, (size_t)w->graph->order * sizeof *w->many);
    for (int64_t j = 0; j < w->columns; j++)
        for (int i = 0; i < 3; i++) w->many[w->column[j].node[i]]++;
    return PVG_OK;
}

static void drop_work(work *w) {
    pvgi_free(w->list);
    pvgi_free(w->column);
    pvgi_free(w->spare);
    pvgi_free(w->pack.x);
    pvgi_free(w->pack.xs);
}

/* --- columns ----------------------------------------------------------------------- */

/* By one of their nodes; none comes first. Stable. */
static void sort_by(work *w, int which) {
    const int64_t n = w->graph->order;
    pvgi_bundle *to = w->spare;
    memset(w->at, 0, ((size_t)n + 1) * sizeof *w->at);
    for (int64_t j = 0; j < w->columns; j++)
        if (which < w->column[j].nodes) w->at[w->column[j].node[which] + 1]++;
    int64_t sum = 0; /* those without come first */
    for (int64_t j = 0; j < w->columns; j++) sum += which >= w->column[j].nodes;
    int64_t none = 0;
    for (int64_t v = 0; v <= n; v++) w->at[v] = sum += w->at[v];
    for (int64_t j = 0; j < w->columns; j++) {
        const pvgi_bundle *c = &w->column[j];
        to[which < c->nodes ? w->at[c->node[which]]++ : none++] = *c;
    }
    w->spare = w->column;
    w->column = to;
}

static bool same(const pvgi_bundle *a, const pvgi_bundle *b) {
    if (a->nodes != b->nodes) return false;
    for (int i = 0; i < a->nodes; i++)
        if (a->node[i] != b->node[i]) return false;
    return true;
}

/* Nodes that are in no more triangles than the cap are not held back by it: what is left
 * is merged, and triangles without a capped node are had. */
static void merge(work *w, int64_t cap) {
    int64_t count = 0;
    for (int64_t j = 0; j < w->columns; j++) {
        pvgi_bundle c = w->column[j];
        int kept = 0;
        for (int i = 0; i < c.nodes; i++)
            if (w->many[c.node[i]] > cap) c.node[kept++] = c.node[i];
        c.nodes = kept;
        if (kept > 0)
            w->column[count++] = c;
        else
            w->free += c.many;
    }
    w->columns = count;
    for (int which = 2; which >= 0; which--) sort_by(w, which);
    count = 0;
    for (int64_t j = 0; j < w->columns; j++)
        if (count > 0 && same(&w->column[count - 1], &w->column[j]))
            w->column[count - 1].many += w->column[j].many;
        else
            w->column[count++] = w->column[j];
    w->columns = count;
}

/* Nodes of the packing are 0, 1, ...; those of columns stay as they are, so that numbers
 * are put in and taken out again. */
static int32_t pack(int64_t *out, work *w, int64_t cap, int64_t gap, pvgi_run *run) {
    const int64_t n = w->graph->order;
    int32_t *number = w->place, *old = w->mark; /* not needed any more */
    pvgi_packing *p = &w->pack;
    p->nodes = 0;
    for (int64_t v = 0; v < n; v++)
        if (w->many[v] > cap) {
            number[v] = (int32_t)p->nodes;
            old[p->nodes++] = (int32_t)v;
        }
    for (int64_t j = 0; j < w->columns; j++)
        for (int i = 0; i < w->column[j].nodes; i++)
            w->column[j].node[i] = number[w->column[j].node[i]];
    p->cap = cap;
    p->columns = w->columns;
    p->column = w->column;
    const int32_t status = pvgi_statistic_pack(out, p, gap, run);
    for (int64_t j = 0; j < w->columns; j++)
        for (int i = 0; i < w->column[j].nodes; i++)
            w->column[j].node[i] = old[w->column[j].node[i]];
    *out += w->free;
    return status;
}

/* --- what each cap gives ----------------------------------------------------------- */

enum { LONGS = 5, DOUBLES = 4, SHORTS = 2 };

size_t pvgi_statistic_packed_bytes(int64_t order) {
    const size_t n = (size_t)order + 1;
    return pvgi_size_mul(LONGS + DOUBLES + SHORTS, pvgi_scratch_bytes(n, 8));
}

static void share_out(work *w, void *block) {
    const size_t each = pvgi_scratch_bytes((size_t)w->graph->order + 1, 8);
    char *at = block;
    int64_t **longs[LONGS] = {&w->start, &w->at, &w->many, &w->pack.price, &w->pack.held};
    double **doubles[DOUBLES] = {&w->pack.y, &w->pack.ys, &w->pack.load, &w->pack.weight};
    int32_t **shorts[SHORTS] = {&w->place, &w->mark};
    for (int i = 0; i < LONGS; i++, at += each) *longs[i] = (int64_t *)(void *)at;
    for (int i = 0; i < DOUBLES; i++, at += each) *doubles[i] = (double *)(void *)at;
    for (int i = 0; i < SHORTS; i++, at += each) *shorts[i] = (int32_t *)(void *)at;
}

static int32_t give(int64_t *out, work *w, const int64_t *caps, const int64_t *gaps,
                    int64_t count, pvgi_run *run) {
    int64_t most = 0;
    PVGI_TRY(list_triangles(w));
    const int64_t all = w->columns;
    for (int64_t v = 0; v < w->graph->order; v++)
        if (w->many[v] > most) most = w->many[v];
    for (int64_t i = 0; i < count; i++) {
        out[i] = all;
        if (caps[i] < most) {
            merge(w, caps[i]);
            PVGI_TRY(pack(&out[i], w, caps[i], gaps[i], run));
        }
        if (out[i] > INT64_C(1) << 48) out[i] = INT64_C(1) << 48;
        PVGI_TRY(pvgi_run_report(run, (double)(i + 1) / (double)count));
    }
    return PVG_OK;
}

int32_t pvgi_statistic_triangles_packed(int64_t *out, const pvg_graph *graph,
                                        const int64_t *caps, const int64_t *gaps,
                                        int64_t count, void *block, pvgi_run *run) {
    work w = {.graph = graph};
    share_out(&w, block);
    const int32_t status = give(out, &w, caps, gaps, count, run);
    drop_work(&w);
    return status;
}

/* --- drawing ----------------------------------------------------------------------- */

static size_t bytes(const pvg_statistic *statistic, int64_t order, const pvgi_run *run) {
    (void)statistic, (void)run;
    return pvgi_statistic_packed_bytes(order);
}

static int32_t draw(double *out, const pvg_statistic *statistic, const pvg_graph *graph,
                    pvgi_scratch *scratch, const pvgi_stream *call, pvgi_run *run) {
    const state *s = statistic->state;
    int64_t caps[PVGI_PICK_MAX], change[PVGI_PICK_MAX], gaps[PVGI_PICK_MAX],
        value[PVGI_PICK_MAX], weight[PVGI_PICK_MAX], price[PVGI_PICK_MAX];
    int64_t noise = 0, chosen;
    const int64_t count =
        pvgi_statistic_triangle_caps(caps, change, graph->order, s->most);
    const pvgi_pick pick = {.count = count,
                            .cap = change,
                            .value = value,
                            .weight = weight,
                            .price = price,
                            .rate = s->rate,
                            .counts = true};
    void *block =
        pvgi_statistic_take(scratch, pvgi_statistic_packed_bytes(graph->order), 1);
    if (!block) return PVG_E_INTERNAL;
    for (int64_t i = 0; i < count; i++) gaps[i] = change[i] - caps[i];
    PVGI_TRY(
        pvgi_statistic_triangles_packed(value, graph, caps, gaps, count, block, run));
    pvgi_statistic_pick_prior(weight, price, change, count, s->epsilon, false);
    if (call) {
        pvgi_stream stream;
        pvgi_rng_stream_open_chunk(&stream, call, 0);
        chosen = pvgi_statistic_pick(&noise, &pick, NULL, &stream);
        pvgi_rng_stream_close(&stream);
    } else
        chosen = pvgi_statistic_pick_best(&pick);
    out[0] = (double)caps[chosen];
    out[1] = (double)(value[chosen] + noise);
    pvgi_wipe(value, sizeof value);
    return PVG_OK;
}

/* --- what is known before ---------------------------------------------------------- */

/* Noise and range are both in proportion to the cap: what is told for the largest one
 * holds for any. */
static void plan(pvgi_preview_point *out, const pvg_statistic *statistic, int64_t column,
                 int64_t order, const pvgi_guess *guess, double times) {
    const state *s = statistic->state;
    int64_t caps[PVGI_PICK_MAX], change[PVGI_PICK_MAX];
    const int64_t last = pvgi_statistic_triangle_caps(caps, change, order, s->most) - 1;
    (void)guess; /* of the mean degree: says nothing of triangles */
    *out = column == 0
               ? (pvgi_preview_point){.range = (double)caps[last],
                                      .change = (double)caps[last],
                                      .noise = 1.0}
               : (pvgi_preview_point){.range = (double)order * (double)caps[last] / 3.0,
                                      .change = (double)change[last],
                                      .noise = sqrt(8.0) * (double)change[last] /
                                               (s->epsilon * times)};
}

static const char *const names[] = {"cap", "capped-triangles"};

static void label(char out[PVGI_PREVIEW_LABEL], const pvg_statistic *statistic,
                  int64_t column) {
    (void)statistic;
    snprintf(out, PVGI_PREVIEW_LABEL, "%s", names[column]);
}

static const pvgi_statistic_kind kind = {.word = "capped-triangles",
                                         .bytes = bytes,
                                         .draw = draw,
                                         .plan = plan,
                                         .label = label};

bool pvgi_statistic_capped_triangles_shape(pvgi_capped_shape *out,
                                           const pvg_statistic *statistic) {
    if (statistic->kind != &kind) return false;
    const state *s = statistic->state;
    *out = (pvgi_capped_shape){.rows = 1,
                               .most = s->most,
                               .order = statistic->order,
                               .epsilon = s->epsilon,
                               .triangles = true};
    return true;
}

/* --- making ------------------------------------------------------------------------ */

static int32_t describe(pvg_statistic *statistic) {
    int64_t caps[PVGI_PICK_MAX], change[PVGI_PICK_MAX];
    const state *s = statistic->state;
    const int64_t last =
        pvgi_statistic_triangle_caps(caps, change, statistic->order, s->most) - 1;
    const double most = (double)caps[last], n = (double)statistic->order;
    pvgi_columns *c = pvgi_guarantee_columns_begin();
    pvgi_guarantee_columns_add(c, &(pvgi_column){.count = 1,
                                                 .name = names[0],
                                                 .unit = "triangles of a node at most",
                                                 .noise = "drawn with the count"});
    pvgi_guarantee_columns_add(
        c, &(pvgi_column){.count = 1,
                          .name = names[1],
                          .unit = "triangles under the cap: no more than there are",
                          .noise = "discrete, its scale follows the cap"});
    pvgi_guarantee_columns_table(c, 0);
    pvgi_guarantee_columns_measure(c, 0, (pvgi_measure){1.0, most, 1.0, (double)NAN});
    pvgi_guarantee_columns_measure(c, 1,
                                   (pvgi_measure){0.0, n * most / 3.0, 1.0, (double)NAN});
    return pvgi_guarantee_columns_close(&statistic->guarantee, c);
}

static int32_t fill(pvg_statistic *made, const char *name, const pvg_target *target) {
    state *s = made->state;
    pvg_guarantee *g = &made->guarantee;
    s->epsilon = target->parameter > 0.0 ? target->parameter : target->epsilon;
    PVGI_TRY(pvgi_statistic_pick_rate(&s->rate, s->epsilon, name));
    g->notion = PVG_NOTION_NODE;
    g->spent = (pvg_curve_term){
        .size = sizeof g->spent, .kind = PVG_CURVE_PURE, .epsilon = s->epsilon};
    g->noise = "cap and count in one draw";
    g->order = made->order;
    g->claim = "release.capped-triangles";
    pvgi_guarantee_assumption(g, PVGI_ASSUMPTION_NODES);
    pvgi_guarantee_assumption(g, "caps were chosen without looking at edges");
    return describe(made);
}

int32_t pvgi_statistic_capped_triangles_new(pvg_statistic **out, const char *name,
                                            const pvgi_capped_triangles_config *config,
                                            const pvg_target *target) {
    const pvg_guarantee empty = {0};
    pvg_statistic *made;
    pvg_target own;
    PVGI_TRY(pvgi_statistic_target(&own, name, target, 1u << PVG_NOISE_LAPLACE));
    PVGI_REQUIRE(config->order >= 3, "%s: order is %lld, not at least 3", name,
                 (long long)config->order);
    PVGI_TRY(pvgi_statistic_make(&made, &kind, &own, &empty, sizeof(state)));
    ((state *)made->state)->most = config->most;
    made->order = config->order;
    made->fixed = true;
    made->rows = 1;
    made->columns = 2;
    const int32_t status = fill(made, name, &own);
    PVGI_TRY(pvgi_statistic_kept(made, status));
    *out = made;
    return PVG_OK;
}
