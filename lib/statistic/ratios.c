/* A ratio by groups: a private median over public groups of nodes.
 *
 * Nodes are dealt into groups by a keyed permutation of their numbers: public. Edges
 * between groups are never read. Any function of the graph inside a group gives a value
 * on a public grid, with a public one where it is not defined; so a replaced node changes
 * one of the values, whatever it does, and the number of values below x and above x move
 * by at most one each. The median is drawn by
 *
 *     P(x) ~ e^(-(epsilon / 2) max(values below x, values above x)),
 *
 * x on the grid: the exponential mechanism, pure epsilon. Drawn exactly: weights are
 * constant between neighbouring values; slots and chances as in pick.c. */
#include "base/mix.h"
#include "density/density_internal.h"
#include "statistic_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHIFT = 28 };

typedef __int128 wide;

typedef struct {
    pvgi_ratio_config c;
    int32_t *label;       /* class of each node, or NULL */
    int32_t *group;       /* of each node */
    pvg_density *density; /* of one pattern, or NULL */
    int64_t rate;
    double epsilon;
} state;

static void drop(void *block) {
    state *s = block;
    pvgi_free(s->label);
    pvgi_free(s->group);
    pvgi_density_free(s->density);
}

/* --- values of groups -------------------------------------------------------------- */

/* On the grid, in 0 .. steps; NaN: not defined. */
static int64_t place_of(const state *s, double value) {
    const double steps = (double)s->c.steps;
    if (!(value == value)) value = s->c.fallback;
    const double at = nearbyint(value / s->c.high * steps);
    return at > 0.0 ? at < steps ? (int64_t)at : s->c.steps : 0;
}

/* Arcs between two looks at the wish to stop. */
enum { LOOK = 1 << 20 };

/* Looks when LOOK more arcs are done; most nodes have few. */
static int32_t look(int64_t *arcs, int64_t more, const pvg_graph *graph, int64_t u,
                    pvgi_run *run) {
    *arcs += more;
    if (*arcs < LOOK) return PVG_OK;
    *arcs = 0;
    return pvgi_run_report(run, (double)u / (double)graph->order);
}

/* counted and all: edges (twice) of each group that are counted, and all. */
static int32_t share_edges(int64_t *counted, int64_t *all, const state *s,
                           const pvg_graph *graph, pvgi_run *run) {
    int64_t arcs = 0;
    for (int64_t u = 0; u < graph->order; u++) {
        PVGI_TRY(look(&arcs, graph->offsets[u + 1] - graph->offsets[u], graph, u, run));
        for (int64_t i = graph->offsets[u]; i < graph->offsets[u + 1]; i++) {
            const int32_t v = graph->columns[i], g = s->group[u];
            if (s->group[v] != g) continue;
            all[g]++;
            if (s->c.ratio == PVGI_RATIO_HOMOPHILY)
                counted[g] += s->label[u] >= 0 && s->label[u] == s->label[v];
            else
                counted[g] += (s->label[u] == s->c.first && s->label[v] == s->c.second) ||
                              (s->label[u] == s->c.second && s->label[v] == s->c.first);
        }
    }
    return PVG_OK;
}

/* counted: six times the triangles inside each group; all: twice the paths of two
 * edges. mark: order entries, zero. */
static int32_t close_paths(int64_t *counted, int64_t *all, const state *s,
                           const pvg_graph *graph, int32_t *mark, pvgi_run *run) {
    int64_t arcs = 0;
    for (int64_t u = 0; u < graph->order; u++) {
        const int32_t g = s->group[u];
        int64_t degree = 0;
        for (int64_t i = graph->offsets[u]; i < graph->offsets[u + 1]; i++)
            if (s->group[graph->columns[i]] == g) {
                mark[graph->columns[i]] = (int32_t)u + 1;
                degree++;
            }
        all[g] += degree * (degree - 1);
        for (int64_t i = graph->offsets[u]; i < graph->offsets[u + 1]; i++) {
            const int32_t v = graph->columns[i];
            if (s->group[v] != g || v < u) continue;
            PVGI_TRY(
                look(&arcs, graph->offsets[v + 1] - graph->offsets[v], graph, u, run));
            for (int64_t k = graph->offsets[v]; k < graph->offsets[v + 1]; k++)
                counted[g] +=
                    graph->columns[k] > v && mark[graph->columns[k]] == u + 1 ? 6 : 0;
        }
        PVGI_TRY(look(&arcs, graph->offsets[u + 1] - graph->offsets[u], graph, u, run));
    }
    return PVG_OK;
}

/* The density of the pattern inside a group. Where it cannot be computed the value is
 * the one for what is not defined: that is a function of the group too. Memory and a wish
 * to stop are not. */
static int32_t density_of(double *out, const state *s, const pvg_graph *graph, int32_t g,
                          int64_t *nodes, pvgi_run *run) {
    pvg_graph *part = NULL;
    int64_t count = 0;
    *out = (double)NAN;
    for (int64_t v = 0; v < graph->order; v++)
        if (s->group[v] == g) nodes[count++] = v;
    if (count == 0) return PVG_OK;
    const double groups = (double)s->c.groups;
    pvgi_run own = pvgi_run_part(run, 0, (double)g / groups, 1.0 / groups);
    int32_t status = pvgi_graph_induce(&part, graph, nodes, count, &own);
    if (status != PVG_OK) return status;
    const int64_t starts[2] = {0, part->order};
    const pvgi_hosts hosts = {1, starts, part->offsets, part->columns};
    const pvgi_density_tuning tuning = pvgi_density_default_tuning();
    status = pvgi_density_evaluate(out, NULL, true, s->density, &hosts, &tuning, &own);
    pvgi_run_join(run, &own);
    pvgi_graph_free(part);
    if (status == PVG_E_NOMEM || status == PVG_E_CANCELLED) return status;
    if (status != PVG_OK) *out = (double)NAN;
    return PVG_OK;
}

static int32_t values_of(int64_t *out, const state *s, const pvg_graph *graph,
                         pvgi_scratch *scratch, pvgi_run *run) {
    const size_t groups = (size_t)s->c.groups;
    int64_t *counted = pvgi_statistic_take_zero(scratch, groups, sizeof *counted);
    int64_t *all = pvgi_statistic_take_zero(scratch, groups, sizeof *all);
    int64_t *nodes =
        pvgi_statistic_take_zero(scratch, (size_t)graph->order, sizeof *nodes);
    if (!counted || !all || !nodes) return PVG_E_INTERNAL;
    if (s->c.ratio == PVGI_RATIO_DENSITY) {
        for (int32_t g = 0; g < s->c.groups; g++) {
            double value;
            PVGI_TRY(density_of(&value, s, graph, g, nodes, run));
            out[g] = place_of(s, value);
        }
        return PVG_OK;
    }
    PVGI_TRY(s->c.ratio == PVGI_RATIO_TRANSITIVITY
                 ? close_paths(counted, all, s, graph, (int32_t *)nodes, run)
                 : share_edges(counted, all, s, graph, run));
    for (size_t g = 0; g < groups; g++)
        out[g] =
            place_of(s, all[g] > 0 ? (double)counted[g] / (double)all[g] : (double)NAN);
    return PVG_OK;
}

/* --- the median -------------------------------------------------------------------- */

static int ascending(const void *a, const void *b) {
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* A stretch of the grid whose points have the same values below and above. */
typedef struct {
    int64_t first, width, worse; /* worse: moves more than the best point needs */
    wide slots;
    int k;
} stretch;

/* Stretches of sorted values: points between two values, and values. */
static int64_t cut(stretch *out, const int64_t *values, int64_t groups, int64_t steps) {
    int64_t count = 0, at = 0, best = groups;
    for (int64_t i = 0; i <= groups;) {
        /* values i, i + 1, ... are not below `at`; those before are */
        const int64_t next = i < groups ? values[i] : steps + 1;
        int64_t more = i > groups - i ? i : groups - i;
        if (next > at) {
            out[count++] = (stretch){.first = at, .width = next - at, .worse = more};
            if (more < best) best = more;
        }
        if (i == groups) break;
        int64_t same = i;
        while (same < groups && values[same] == next) same++;
        more = i > groups - same ? i : groups - same;
        out[count++] = (stretch){.first = next, .width = 1, .worse = more};
        if (more < best) best = more;
        i = same;
        at = next + 1;
    }
    for (int64_t r = 0; r < count; r++) out[r].worse -= best;
    return count;
}

int64_t pvgi_statistic_draw_median(int64_t *values, int64_t groups, int64_t steps,
                                   int64_t rate, void *block, pvgi_stream *stream) {
    stretch *list = block;
    wide all = 0;
    qsort(values, (size_t)groups, sizeof *values, ascending);
    const int64_t count = cut(list, values, groups, steps);
    for (int64_t r = 0; r < count; r++) {
        stretch *x = &list[r];
        while (x->k < SHIFT &&
               10 * (wide)x->worse * rate >= 7 * (wide)(x->k + 1) * PVGI_PICK_ONE)
            x->k++;
        x->slots = (wide)x->width << (SHIFT - x->k);
        all += x->slots;
    }
    for (;;) {
        wide slot = pvgi_statistic_draw_below(all, stream);
        const stretch *x = list;
        while (slot >= x->slots) slot -= (x++)->slots;
        if (!pvgi_statistic_draw_chance(x->k, (wide)x->worse * rate, PVGI_PICK_ONE,
                                        stream))
            continue;
        return x->first + (int64_t)pvgi_rng_draw_below(stream, (uint64_t)x->width);
    }
}

size_t pvgi_statistic_median_bytes(int64_t groups) {
    return pvgi_scratch_bytes(2 * (size_t)groups + 1, sizeof(stretch));
}

static int32_t draw(double *out, const pvg_statistic *statistic, const pvg_graph *graph,
                    pvgi_scratch *scratch, const pvgi_stream *call, pvgi_run *run) {
    const state *s = statistic->state;
    int64_t *values = pvgi_statistic_take(scratch, (size_t)s->c.groups, sizeof *values);
    void *block =
        pvgi_statistic_take(scratch, pvgi_statistic_median_bytes(s->c.groups), 1);
    int64_t at;
    if (!values || !block) return PVG_E_INTERNAL;
    PVGI_TRY(values_of(values, s, graph, scratch, run));
    if (call) {
        pvgi_stream stream;
        pvgi_rng_stream_open_chunk(&stream, call, 0);
        at = pvgi_statistic_draw_median(values, s->c.groups, s->c.steps, s->rate, block,
                                        &stream);
        pvgi_rng_stream_close(&stream);
    } else {
        qsort(values, (size_t)s->c.groups, sizeof *values, ascending);
        at = values[s->c.groups / 2];
    }
    *out = (double)at / (double)s->c.steps * s->c.high;
    return PVG_OK;
}

static size_t bytes(const pvg_statistic *statistic, int64_t order, const pvgi_run *run) {
    const state *s = statistic->state;
    (void)run;
    return pvgi_size_add(
        pvgi_size_mul(3, pvgi_scratch_bytes((size_t)s->c.groups, sizeof(int64_t))),
        pvgi_size_add(pvgi_statistic_median_bytes(s->c.groups),
                      pvgi_scratch_bytes((size_t)order, sizeof(int64_t))));
}

/* --- what is known before ---------------------------------------------------------- */

/* What is hidden by the draw alone: e^(-epsilon / 2) for each group beyond the median, so
 * that some 2 / epsilon of them do not matter. The spread of groups is private. */
static void plan(pvgi_preview_point *out, const pvg_statistic *statistic, int64_t column,
                 int64_t order, const pvgi_guess *guess, double times) {
    const state *s = statistic->state;
    const double lost = 4.0 / (s->epsilon * times * (double)s->c.groups);
    (void)column, (void)order, (void)guess;
    *out = (pvgi_preview_point){
        .range = s->c.high, .change = s->c.high, .noise = s->c.high * lost};
}

static const char *const words[] = {
    [PVGI_RATIO_HOMOPHILY] = "homophily",
    [PVGI_RATIO_TRANSITIVITY] = "transitivity",
    [PVGI_RATIO_MIXING] = "mixing",
    [PVGI_RATIO_DENSITY] = "density",
};

static void label(char out[PVGI_PREVIEW_LABEL], const pvg_statistic *statistic,
                  int64_t column) {
    (void)column;
    snprintf(out, PVGI_PREVIEW_LABEL, "%s",
             words[((const state *)statistic->state)->c.ratio]);
}

static const pvgi_statistic_kind kind = {.word = "group-ratio",
                                         .bytes = bytes,
                                         .draw = draw,
                                         .drop = drop,
                                         .plan = plan,
                                         .label = label};

static int32_t describe(pvg_statistic *statistic) {
    const state *s = statistic->state;
    pvgi_columns *c = pvgi_guarantee_columns_begin();
    pvgi_guarantee_columns_add(
        c, &(pvgi_column){.count = 1,
                          .name = words[s->c.ratio],
                          .unit = "median over groups of nodes",
                          .noise = "private median, exponential mechanism"});
    pvgi_guarantee_columns_table(c, 0);
    pvgi_guarantee_columns_measure(
        c, 0,
        (pvgi_measure){0.0, s->c.high, s->c.high / (double)s->c.steps, (double)NAN});
    return pvgi_guarantee_columns_close(&statistic->guarantee, c);
}

/* --- making ------------------------------------------------------------------------ */

typedef struct {
    uint64_t word;
    int32_t node;
} dealt;

static int by_word(const void *a, const void *b) {
    const dealt *x = a, *y = b;
    return (x->word > y->word) - (x->word < y->word);
}

/* Groups of sizes that differ by one at most. */
static int32_t deal(state *s, int64_t order) {
    const uint64_t key = pvgi_mix((uint64_t)s->c.key + PVGI_MIX_STEP);
    dealt *list = pvgi_alloc((size_t)order, sizeof *list);
    s->group = pvgi_alloc((size_t)order, sizeof *s->group);
    int32_t status = list && s->group ? PVG_OK : pvgi_fail_nomem();
    for (int64_t v = 0; v < order && status == PVG_OK; v++)
        list[v] = (dealt){pvgi_mix((uint64_t)v ^ key), (int32_t)v};
    if (status == PVG_OK) qsort(list, (size_t)order, sizeof *list, by_word);
    for (int64_t i = 0; i < order && status == PVG_OK; i++)
        s->group[list[i].node] = (int32_t)(i % s->c.groups);
    pvgi_free(list);
    return status;
}

static int32_t take_labels(state *s, const char *name, const int32_t *labels,
                           int64_t order) {
    const bool needed =
        s->c.ratio == PVGI_RATIO_HOMOPHILY || s->c.ratio == PVGI_RATIO_MIXING;
    PVGI_REQUIRE(needed == (labels != NULL), "%s: %s", name,
                 needed ? "groups, a public class for each node, are needed"
                        : "groups, classes of nodes, are for homophily and mixing");
    if (!needed) return PVG_OK;
    s->label = pvgi_alloc((size_t)order, sizeof *s->label);
    if (!s->label) return pvgi_fail_nomem();
    memcpy(s->label, labels, (size_t)order * sizeof *labels);
    return PVG_OK;
}

/* From public numbers only. Few parts hide the median, small ones have no median to tell:
 * triangles need larger parts than edges. */
static int64_t parts_for(int32_t ratio, double epsilon, int64_t order) {
    const bool edges = ratio == PVGI_RATIO_HOMOPHILY || ratio == PVGI_RATIO_MIXING;
    const double wanted = ceil((edges ? 30.0 : 20.0) / epsilon);
    const int64_t most = order / (edges ? 190 : 380), least = order < 8 ? order : 8;
    const int64_t parts = wanted < (double)most ? (int64_t)wanted : most;
    return parts > least ? parts : least;
}

static int32_t fill(pvg_statistic *made, const char *name, const pvg_target *target,
                    const int32_t *labels, const pvg_patterns *pattern) {
    state *s = made->state;
    pvg_guarantee *g = &made->guarantee;
    s->epsilon = target->parameter > 0.0 ? target->parameter : target->epsilon;
    PVGI_TRY(pvgi_statistic_pick_rate(&s->rate, s->epsilon, name));
    if (s->c.groups == 0) s->c.groups = parts_for(s->c.ratio, s->epsilon, made->order);
    PVGI_REQUIRE(s->c.groups <= made->order, "%s: there are %lld parts of %lld nodes",
                 name, (long long)s->c.groups, (long long)made->order);
    PVGI_REQUIRE(s->c.fallback <= s->c.high, "%s: fallback is above high", name);
    PVGI_TRY(take_labels(s, name, labels, made->order));
    if (s->c.ratio == PVGI_RATIO_DENSITY)
        PVGI_TRY(pvg_density_new(&s->density, pattern, NULL));
    PVGI_TRY(deal(s, made->order));
    g->notion = PVG_NOTION_NODE;
    g->spent = (pvg_curve_term){
        .size = sizeof g->spent, .kind = PVG_CURVE_PURE, .epsilon = s->epsilon};
    g->noise = "private median over groups";
    g->order = made->order;
    g->claim = "release.group-ratio";
    pvgi_guarantee_assumption(g, PVGI_ASSUMPTION_NODES);
    pvgi_guarantee_assumption(
        g, "parts, key and range were chosen without looking at edges");
    if (s->label)
        pvgi_guarantee_assumption(g, "classes of nodes are public: not made from edges");
    return describe(made);
}

int32_t pvgi_statistic_ratio_new(pvg_statistic **out, const char *name,
                                 const pvgi_ratio_config *config,
                                 const pvg_target *target, const int32_t *labels,
                                 const pvg_patterns *pattern) {
    const pvg_guarantee empty = {0};
    pvg_statistic *made;
    pvg_target own;
    PVGI_TRY(pvgi_statistic_target(&own, name, target, 1u << PVG_NOISE_LAPLACE));
    PVGI_TRY(pvgi_statistic_make(&made, &kind, &own, &empty, sizeof(state)));
    ((state *)made->state)->c = *config;
    made->order = config->order;
    made->fixed = true;
    made->rows = made->columns = 1;
    const int32_t status = fill(made, name, &own, labels, pattern);
    PVGI_TRY(pvgi_statistic_kept(made, status));
    *out = made;
    return PVG_OK;
}
