/* Numbers that a whole node moves by at most one, under one budget.
 *
 * Each f has 0 <= f(G) - f(G with v isolated) <= 1 for every v, so a replaced node moves
 * it by at most 1 (docs/privacy/proofs/statistic.md, numbers of node sensitivity one):
 * the greedy matching of the public order (cap 1), the fractional matching number (whole
 * multiples of 1/2), the degeneracy, and ranks: the largest k such that k nodes have
 * degree a + k or more; a = 0 is the h-index. So k numbers move by k in L1 and by
 * sqrt(k) in L2.
 *
 * The fractional matching number is half of a largest matching between two copies of the
 * nodes, by shortest augmenting paths (Hopcroft, Karp): O(edges sqrt(order)). */
#include "base/mix.h"
#include "statistic_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int64_t count;
    pvgi_node_scalar list[PVGI_NODE_SCALARS_MAX];
    uint64_t key;
    pvgi_joint law;
} state;

/* --- ranks ------------------------------------------------------------------------- */

static int32_t rank_of(int64_t *out, const pvg_graph *graph, int64_t slant,
                       pvgi_scratch *scratch) {
    const int64_t n = graph->order;
    int64_t *many = pvgi_statistic_take_zero(scratch, (size_t)n + 1, sizeof *many);
    if (!many) return PVG_E_INTERNAL;
    for (int64_t v = 0; v < n; v++) many[graph->offsets[v + 1] - graph->offsets[v]]++;
    for (int64_t d = n; d > 0; d--) many[d - 1] += many[d]; /* of degree d or more */
    int64_t k = n - slant > 0 ? n - slant : 0;
    while (k > 0 && many[slant + k] < k) k--;
    *out = k;
    return PVG_OK;
}

/* --- fractional matching ----------------------------------------------------------- */

/* Left and right copies of nodes; -1: not matched. */
typedef struct {
    const pvg_graph *graph;
    int32_t *right, *left; /* partner of a left copy; of a right copy */
    int32_t *level, *list;
    int64_t *next;
} pairing;

/* Levels of left copies by alternating paths from free ones; whether a free right copy is
 * reached. */
static bool measure(pairing *p) {
    const pvg_graph *g = p->graph;
    int64_t head = 0, tail = 0;
    bool found = false;
    for (int64_t v = 0; v < g->order; v++) {
        p->level[v] = p->right[v] < 0 ? 0 : -1;
        p->next[v] = g->offsets[v];
        if (p->right[v] < 0) p->list[tail++] = (int32_t)v;
    }
    while (head < tail) {
        const int32_t u = p->list[head++];
        for (int64_t i = g->offsets[u]; i < g->offsets[u + 1]; i++) {
            const int32_t w = p->left[g->columns[i]];
            if (w < 0)
                found = true;
            else if (p->level[w] < 0) {
                p->level[w] = p->level[u] + 1;
                p->list[tail++] = w;
            }
        }
    }
    return found;
}

/* A path from a free left copy down the levels; list is its stack of left copies. */
static bool augment(pairing *p, int32_t start) {
    const pvg_graph *g = p->graph;
    int64_t depth = 0;
    p->list[0] = start;
    while (depth >= 0) {
        const int32_t u = p->list[depth];
        if (p->next[u] == g->offsets[u + 1]) {
            p->level[u] = -1;
            if (--depth >= 0) p->next[p->list[depth]]++;
            continue;
        }
        const int32_t w = p->left[g->columns[p->next[u]]];
        if (w < 0) {
            for (int64_t i = depth; i >= 0; i--) {
                const int32_t a = p->list[i], b = g->columns[p->next[a]];
                p->right[a] = b;
                p->left[b] = a;
            }
            return true;
        }
        if (p->level[w] == p->level[u] + 1)
            p->list[++depth] = w;
        else
            p->next[u]++;
    }
    return false;
}

static int32_t fractional(int64_t *out, const pvg_graph *graph, pvgi_scratch *scratch,
                          pvgi_run *run) {
    const size_t n = (size_t)graph->order;
    pairing p = {.graph = graph};
    p.right = pvgi_statistic_take(scratch, n, sizeof *p.right);
    p.left = pvgi_statistic_take(scratch, n, sizeof *p.left);
    p.level = pvgi_statistic_take(scratch, n, sizeof *p.level);
    p.list = pvgi_statistic_take(scratch, n, sizeof *p.list);
    p.next = pvgi_statistic_take(scratch, n, sizeof *p.next);
    if (!p.right || !p.left || !p.level || !p.list || !p.next) return PVG_E_INTERNAL;
    memset(p.right, 0xff, n * sizeof *p.right);
    memset(p.left, 0xff, n * sizeof *p.left);
    *out = 0;
    while (measure(&p)) {
        for (int64_t v = 0; v < graph->order; v++)
            if (p.right[v] < 0 && augment(&p, (int32_t)v)) ++*out;
        PVGI_TRY(pvgi_run_report(run, 0.5));
    }
    return PVG_OK;
}

/* --- drawing ----------------------------------------------------------------------- */

static int32_t matching(int64_t *out, const state *s, const pvg_graph *graph,
                        pvgi_scratch *scratch, pvgi_run *run) {
    int32_t *kept = pvgi_statistic_take(scratch, (size_t)graph->order, sizeof *kept);
    pvgi_cap cap = {0};
    if (!kept) return PVG_E_INTERNAL;
    const int32_t status = pvgi_statistic_cap_order(&cap, graph, s->key, run);
    if (status == PVG_OK) {
        int64_t sum = 0;
        pvgi_statistic_cap_degrees(kept, &cap, 1, graph->order);
        for (int64_t v = 0; v < graph->order; v++) sum += kept[v];
        *out = sum / 2;
    }
    pvgi_statistic_cap_drop(&cap);
    return status;
}

/* In whole numbers, of the fractional matching in halves. */
static int32_t measure_one(int64_t *out, const state *s, int64_t i,
                           const pvg_graph *graph, pvgi_scratch *scratch, pvgi_run *run) {
    scratch->used = 0;
    switch (s->list[i].what) {
    case PVGI_NODE_MATCHING:
        return matching(out, s, graph, scratch, run);
    case PVGI_NODE_FRACTIONAL:
        return fractional(out, graph, scratch, run);
    case PVGI_NODE_DEGENERACY:
        return pvgi_statistic_shape(out, PVG_SCALAR_DEGENERACY, graph, scratch, run);
    case PVGI_NODE_RANK:
        break;
    }
    return rank_of(out, graph, s->list[i].slant, scratch);
}

static size_t bytes(const pvg_statistic *statistic, int64_t order, const pvgi_run *run) {
    const size_t n = (size_t)order;
    (void)statistic, (void)run;
    const size_t pairs = pvgi_size_add(pvgi_scratch_bytes(n, sizeof(int64_t)),
                                       pvgi_size_mul(4, pvgi_scratch_bytes(n, 4)));
    const size_t core = pvgi_statistic_shape_bytes(PVG_SCALAR_DEGENERACY, order);
    return pairs > core ? pairs : core;
}

static int32_t draw(double *out, const pvg_statistic *statistic, const pvg_graph *graph,
                    pvgi_scratch *scratch, const pvgi_stream *call, pvgi_run *run) {
    const state *s = statistic->state;
    int64_t values[PVGI_NODE_SCALARS_MAX] = {0}, noise[PVGI_NODE_SCALARS_MAX] = {0};
    int32_t status = PVG_OK;
    for (int64_t i = 0; i < s->count && status == PVG_OK; i++) {
        status = measure_one(&values[i], s, i, graph, scratch, run);
        /* in steps of the law: halves where one number has halves */
        if (s->list[i].what != PVGI_NODE_FRACTIONAL && s->law.grid < 0) values[i] *= 2;
    }
    if (status == PVG_OK && call) {
        pvgi_stream stream;
        pvgi_rng_stream_open_chunk(&stream, call, 0);
        pvgi_mechanism_joint_noise(noise, s->count, &s->law, &stream);
        pvgi_rng_stream_close(&stream);
    }
    for (int64_t i = 0; i < s->count && status == PVG_OK; i++)
        out[i] = ldexp((double)(values[i] + noise[i]), s->law.grid);
    pvgi_wipe(values, sizeof values);
    return status;
}

/* --- what is known before ---------------------------------------------------------- */

static void deviation(double *out, const pvg_statistic *statistic) {
    const state *s = statistic->state;
    for (int64_t i = 0; i < s->count; i++)
        out[i] = pvgi_mechanism_joint_deviation(&s->law);
}

/* Largest values in graphs of n nodes. */
static double range_of(const pvgi_node_scalar *scalar, double n) {
    switch (scalar->what) {
    case PVGI_NODE_MATCHING:
        return floor(n / 2.0);
    case PVGI_NODE_FRACTIONAL:
        return n < 2.0 ? 0.0 : n / 2.0;
    case PVGI_NODE_DEGENERACY:
        return n - 1.0;
    case PVGI_NODE_RANK:
        break;
    }
    return fmax(0.0, n - 1.0 - (double)scalar->slant);
}

static void plan(pvgi_preview_point *out, const pvg_statistic *statistic, int64_t column,
                 int64_t order, const pvgi_guess *guess, double times) {
    const state *s = statistic->state;
    (void)guess;
    *out =
        (pvgi_preview_point){.range = range_of(&s->list[column], (double)order),
                             .change = 1.0,
                             .noise = pvgi_mechanism_joint_deviation_at(&s->law, times)};
}

static void name_of(char out[PVGI_PREVIEW_LABEL], const pvgi_node_scalar *scalar) {
    static const char *const words[] = {[PVGI_NODE_MATCHING] = "matching",
                                        [PVGI_NODE_FRACTIONAL] = "fractional-matching",
                                        [PVGI_NODE_DEGENERACY] = "degeneracy"};
    if (scalar->what == PVGI_NODE_RANK)
        snprintf(out, PVGI_PREVIEW_LABEL, "rank%lld", (long long)scalar->slant);
    else
        snprintf(out, PVGI_PREVIEW_LABEL, "%s", words[scalar->what]);
}

bool pvgi_statistic_node_scalar(pvgi_node_scalar *out, const char *word, size_t length) {
    char name[PVGI_PREVIEW_LABEL];
    for (int what = 0; what < PVGI_NODE_RANK; what++) {
        *out = (pvgi_node_scalar){(pvgi_node_number)what, 0};
        name_of(name, out);
        if (strlen(name) == length && strncmp(name, word, length) == 0) return true;
    }
    *out = (pvgi_node_scalar){PVGI_NODE_RANK, 0};
    if (length == 7 && strncmp(word, "h-index", 7) == 0) return true;
    if (length < 5 || length > 13 || strncmp(word, "rank", 4) != 0) return false;
    for (size_t i = 4; i < length; i++) {
        if (word[i] < '0' || word[i] > '9') return false;
        out->slant = 10 * out->slant + (word[i] - '0');
    }
    return out->slant <= INT32_MAX;
}

static void label(char out[PVGI_PREVIEW_LABEL], const pvg_statistic *statistic,
                  int64_t column) {
    name_of(out, &((const state *)statistic->state)->list[column]);
}

static const pvgi_statistic_kind kind = {.word = "node-scalars",
                                         .bytes = bytes,
                                         .draw = draw,
                                         .deviation = deviation,
                                         .plan = plan,
                                         .label = label};

static int32_t describe(pvg_statistic *statistic) {
    const state *s = statistic->state;
    const double n = statistic->order > 0 ? (double)statistic->order : (double)INFINITY;
    pvgi_columns *c = pvgi_guarantee_columns_begin();
    for (int64_t i = 0; i < s->count; i++) {
        char word[PVGI_PREVIEW_LABEL];
        name_of(word, &s->list[i]);
        pvgi_guarantee_columns_add(
            c,
            &(pvgi_column){.count = 1,
                           .name = word,
                           .unit = s->list[i].what == PVGI_NODE_RANK ? "nodes" : "edges",
                           .noise = pvgi_statistic_noise_word(s->law.noise)});
    }
    pvgi_guarantee_columns_table(c, 0);
    for (int64_t i = 0; i < s->count; i++)
        pvgi_guarantee_columns_measure(
            c, i, (pvgi_measure){0.0, n, ldexp(1.0, s->law.grid), s->law.scale});
    const bool pure = s->law.spent.kind == PVG_CURVE_PURE;
    pvgi_guarantee_columns_joint(
        c, &(pvgi_joint_columns){.first = 0,
                                 .count = s->count,
                                 .norm = pure ? 1 : 2,
                                 .change = ldexp(s->law.steps, s->law.grid)});
    return pvgi_guarantee_columns_close(&statistic->guarantee, c);
}

static int32_t fill(pvg_statistic *made, const char *name, const pvg_target *target) {
    state *s = made->state;
    pvg_guarantee *g = &made->guarantee;
    bool halves = false;
    for (int64_t i = 0; i < s->count; i++)
        halves = halves || s->list[i].what == PVGI_NODE_FRACTIONAL;
    const pvg_joint_config joint = {
        .size = sizeof joint,
        .dimension = s->count,
        .l1 = (double)s->count,
        .l2 = pvgi_mechanism_up(sqrt((double)s->count), s->count > 1 ? 4 : 0),
        .grid = halves ? 0.5 : 1.0};
    PVGI_TRY(pvgi_mechanism_joint(&s->law, name, &joint, target));
    g->notion = PVG_NOTION_NODE;
    g->spent = s->law.spent;
    g->delta = target->delta;
    g->noise = pvgi_statistic_noise_word(s->law.noise);
    g->sensitivity = 1.0;
    g->scale = s->law.scale;
    g->order = made->order;
    g->claim = "release.node-scalars";
    pvgi_guarantee_assumption(g, PVGI_ASSUMPTION_NODES);
    return describe(made);
}

int32_t pvgi_statistic_node_scalars_new(pvg_statistic **out, const char *name,
                                        const pvgi_node_scalar *list, int64_t count,
                                        int64_t key, int64_t order,
                                        const pvg_target *target) {
    const pvg_guarantee empty = {0};
    pvg_statistic *made;
    pvg_target own;
    PVGI_TRY(pvgi_statistic_target(&own, name, target,
                                   1u << PVG_NOISE_LAPLACE | 1u << PVG_NOISE_GAUSSIAN |
                                       1u << PVG_NOISE_DISCRETE_GAUSSIAN));
    PVGI_TRY(pvgi_statistic_make(&made, &kind, &own, &empty, sizeof(state)));
    state *s = made->state;
    s->count = count;
    memcpy(s->list, list, (size_t)count * sizeof *list);
    s->key = pvgi_mix((uint64_t)key);
    made->order = order;
    made->rows = 1;
    made->columns = count;
    const int32_t status = fill(made, name, &own);
    PVGI_TRY(pvgi_statistic_kept(made, status));
    *out = made;
    return PVG_OK;
}
