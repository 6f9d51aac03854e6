/* Edge histograms: how many edges lie in each public cell.
 *
 * Every pair {u, v} has one cell that is known without the edges, (group of the receiver,
 * kind of the sender) or the pair of kinds. Toggling an edge moves the count of its cell
 * by one and no other, so the L1 and L2 change of the whole vector is 1 whatever its
 * length, and one discrete Laplace number of rate epsilon per cell is epsilon-DP. With
 * weights, or with both ends counting, the change is the largest total of one pair. Sums
 * and noise are integers in steps of one public grid.
 *
 * Who sends: nodes are ranked once, by (priority, then lower number first), and a word
 * per node holds rank and kind. O(order log order) to make; drawn in
 * histogram_count.c. */
#include "histogram.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_GRID = -10 };

typedef pvgi_histogram_state state;

/* --- ranks ----------------------------------------------------------------------- */

typedef struct {
    double priority;
    int64_t node;
} ranked;

/* Lowest rank first: lower priority, then higher number. */
static int by_rank(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    if (x->priority != y->priority) return x->priority < y->priority ? -1 : 1;
    return x->node > y->node ? -1 : x->node < y->node;
}

/* Whether ranks have 24 bits, kinds 4, and every node has a kind. */
static bool fits_packed(const state *s, const pvg_histogram_nodes *nodes) {
    if (nodes->weights || s->config.kinds > 16 || s->config.order > 1 << 24) return false;
    for (int64_t v = 0; nodes->kinds && v < s->config.order; v++)
        if (nodes->kinds[v] < 0) return false;
    return s->config.cells != PVG_HISTOGRAM_BETWEEN;
}

static int32_t fill_packed(state *s, const pvg_histogram_nodes *nodes) {
    if (!fits_packed(s, nodes)) return PVG_OK;
    s->packed = pvgi_alloc((size_t)s->config.order, sizeof *s->packed);
    if (!s->packed) return pvgi_fail_nomem();
    for (int64_t v = 0; v < s->config.order; v++)
        s->packed[v] = (uint32_t)(s->keys[v] >> 32 << 8 | (s->keys[v] & 15));
    return PVG_OK;
}

static int32_t fill_keys(state *s, const pvg_histogram_nodes *nodes) {
    const int64_t order = s->config.order;
    ranked *all = NULL;
    if (nodes->priorities) {
        all = pvgi_alloc((size_t)order, sizeof *all);
        if (!all) return pvgi_fail_nomem();
        for (int64_t v = 0; v < order; v++) all[v] = (ranked){nodes->priorities[v], v};
        qsort(all, (size_t)order, sizeof *all, by_rank);
    }
    for (int64_t rank = 0; rank < order; rank++) {
        const int64_t v = all ? all[rank].node : order - 1 - rank;
        int64_t kind = nodes->kinds ? nodes->kinds[v] : 0;
        if (kind < 0) kind = s->config.kinds;
        s->keys[v] = rank << 32 | kind;
    }
    pvgi_free(all);
    return PVG_OK;
}

/* --- how far one edge moves the vector --------------------------------------------- */

/* Weights in grid steps, towards zero, and the largest and second largest norms of rows.
 */
typedef struct {
    double l1[2], l2[2];
} norms;

static void raise(double largest[2], double value) {
    if (value > largest[0]) {
        largest[1] = largest[0];
        largest[0] = value;
    } else if (value > largest[1])
        largest[1] = value;
}

static int32_t fill_weights(norms *out, state *s, const double *weights,
                            const char *function) {
    const int64_t kinds = s->config.kinds;
    const int grid = ilogb(s->config.grid);
    for (int64_t v = 0; v < s->config.order; v++) {
        double sum = 0.0, squares = 0.0;
        for (int64_t k = 0; k < kinds; k++) {
            const double w = trunc(ldexp(weights[v * kinds + k], -grid));
            if (!(fabs(w) <= 0x1p30))
                return pvgi_fail(PVG_E_LIMIT,
                                 "%s: weights[%lld] is above 2^30 grid steps", function,
                                 (long long)(v * kinds + k));
            s->weights[v * kinds + k] = (int64_t)w;
            sum += fabs(w); /* exact below 2^53, which the margin below covers */
            squares += w * w;
        }
        raise(out->l1, sum * (1.0 + 0x1p-52 * (double)kinds));
        raise(out->l2, sqrt(squares) * (1.0 + 0x1p-52 * (double)(kinds + 4)));
    }
    return PVG_OK;
}

/* The joint change of one edge, in grid steps. */
static int32_t measure(double *l1, double *l2, state *s, const pvg_histogram_nodes *nodes,
                       const char *function) {
    const bool both = s->config.cells == PVG_HISTOGRAM_BOTH_WAYS;
    norms n = {{1.0, 1.0}, {1.0, 1.0}};
    if (nodes->weights) {
        n = (norms){0};
        PVGI_TRY(fill_weights(&n, s, nodes->weights, function));
    }
    PVGI_REQUIRE(n.l1[0] > 0.0, "%s: all weights are 0 on the grid", function);
    *l1 = both ? n.l1[0] + n.l1[1] : n.l1[0];
    /* rows of two receivers, which are one row if they share a group */
    *l2 = !both                  ? n.l2[0]
          : s->config.groups > 0 ? n.l2[0] + n.l2[1]
                                 : hypot(n.l2[0], n.l2[1]) * (1.0 + 0x1p-50);
    return PVG_OK;
}

/* How far a cell of each kind can be from 0, over all its rows: pairs of a receiver, or
 * of a group of them, and a sender of the kind. Cells between kinds: pairs of them. */
static int32_t fill_ranges(state *s) {
    const int64_t kinds = s->config.kinds, order = s->config.order;
    double receivers = 1.0; /* of the largest group */
    s->ranges = pvgi_alloc_zero((size_t)kinds, sizeof *s->ranges);
    if (!s->ranges) return pvgi_fail_nomem();
    for (int64_t v = 0; v < order; v++)
        if (s->weights)
            for (int64_t k = 0; k < kinds; k++)
                s->ranges[k] += fabs((double)s->weights[v * kinds + k]) * s->config.grid;
        else if ((s->keys[v] & INT32_MAX) < kinds)
            s->ranges[s->keys[v] & INT32_MAX] += 1.0;
    if (s->groups) {
        int64_t *sizes = pvgi_alloc_zero((size_t)s->config.groups, sizeof *sizes);
        if (!sizes) return pvgi_fail_nomem();
        for (int64_t v = 0; v < order; v++)
            if (s->groups[v] >= 0 && (double)++sizes[s->groups[v]] > receivers)
                receivers = (double)sizes[s->groups[v]];
        pvgi_free(sizes);
    }
    if (s->config.cells == PVG_HISTOGRAM_BETWEEN) {
        double first = 0.0, second = 0.0; /* the two most frequent kinds */
        for (int64_t k = 0; k < kinds; k++)
            if (s->ranges[k] > first) {
                second = first;
                first = s->ranges[k];
            } else if (s->ranges[k] > second)
                second = s->ranges[k];
        for (int64_t k = 0; k < kinds; k++) {
            const double own = s->ranges[k], other = own == first ? second : first;
            s->ranges[k] = fmax(own * (own - 1.0) / 2.0, own * other);
        }
        return PVG_OK;
    }
    for (int64_t k = 0; k < kinds; k++) {
        double senders = s->ranges[k]; /* a lone node does not send to itself */
        if (order < 2) senders = 0.0;
        s->ranges[k] = senders * receivers;
    }
    return PVG_OK;
}

/* --- the statistic --------------------------------------------------------------- */

static void deviation(double *out, const pvg_statistic *statistic) {
    const state *s = statistic->state;
    const double each = pvgi_mechanism_joint_deviation(&s->law);
    for (int64_t k = 0; k < statistic->columns; k++) out[k] = each;
}

static void plan(pvgi_preview_point *out, const pvg_statistic *statistic, int64_t column,
                 int64_t order, const pvgi_guess *guess, double times) {
    const state *s = statistic->state;
    (void)order;
    (void)guess;
    *out = (pvgi_preview_point){0};
    if (s->ranges[column] == 0.0) return; /* no such pair; there is noise all the same */
    out->range = s->ranges[column];
    out->change = ldexp(s->law.steps, s->law.grid);
    out->noise = pvgi_mechanism_joint_deviation_at(&s->law, times);
}

static void label(char out[PVGI_PREVIEW_LABEL], const pvg_statistic *statistic,
                  int64_t column) {
    const state *s = statistic->state;
    snprintf(out, PVGI_PREVIEW_LABEL, "%s%lld", s->weights ? "weight" : "kind",
             (long long)column);
}

static void drop(void *memory) {
    state *s = memory;
    pvgi_free(s->ranges);
    pvgi_free(s->keys);
    pvgi_free(s->packed);
    pvgi_free(s->groups);
    pvgi_free(s->weights);
}

static const pvgi_statistic_kind kind = {
    .word = "histogram",
    .bytes = pvgi_statistic_histogram_bytes,
    .draw = pvgi_statistic_histogram_draw,
    .draw_parts = pvgi_statistic_histogram_draw_parts,
    .parts_bytes = pvgi_statistic_histogram_parts_bytes,
    .deviation = deviation,
    .drop = drop,
    .plan = plan,
    .label = label};

const pvgi_joint *pvgi_statistic_histogram_law(const pvg_statistic *statistic) {
    if (statistic->kind != &kind) return NULL;
    const state *s = statistic->state;
    const bool own =
        s->config.cells == PVG_HISTOGRAM_RECEIVED && !s->groups && !s->weights;
    return own ? &s->law : NULL;
}

static int32_t fill(state *s, int64_t rows, const pvg_target *target,
                    const pvg_histogram_nodes *nodes, const char *function) {
    const size_t order = (size_t)s->config.order;
    double l1 = 0.0, l2 = 0.0;
    s->keys = pvgi_alloc(order, sizeof *s->keys);
    if (!s->keys) return pvgi_fail_nomem();
    if (nodes->groups) {
        s->groups = pvgi_alloc(order, sizeof *s->groups);
        if (!s->groups) return pvgi_fail_nomem();
        memcpy(s->groups, nodes->groups, order * sizeof *s->groups);
    }
    if (nodes->weights) {
        s->weights = pvgi_alloc(order * (size_t)s->config.kinds, sizeof *s->weights);
        if (!s->weights) return pvgi_fail_nomem();
    }
    PVGI_TRY(fill_keys(s, nodes));
    PVGI_TRY(fill_packed(s, nodes));
    PVGI_TRY(measure(&l1, &l2, s, nodes, function));
    PVGI_TRY(fill_ranges(s));
    const double grid = s->weights ? s->config.grid : 1.0;
    const pvg_joint_config joint = {.size = sizeof joint,
                                    .dimension = rows * s->config.kinds,
                                    .l1 = l1 * grid,
                                    .l2 = l2 * grid,
                                    .grid = grid};
    return pvgi_mechanism_joint(&s->law, function, &joint, target);
}

/* Records what is promised. */
static void promise(pvg_statistic *statistic, const pvg_target *target) {
    const state *s = statistic->state;
    pvg_guarantee *g = &statistic->guarantee;
    const bool own = !s->groups && s->config.cells == PVG_HISTOGRAM_RECEIVED;
    g->notion = PVG_NOTION_EDGE;
    g->spent = s->law.spent;
    g->delta = target->delta;
    g->noise = pvgi_statistic_noise_word(target->noise);
    g->sensitivity = ldexp(s->law.steps, s->law.grid);
    g->scale = s->law.scale;
    g->order = s->config.order;
    g->claim = "release.histogram";
    pvgi_guarantee_assumption(g, PVGI_ASSUMPTION_NODES);
    pvgi_guarantee_assumption(
        g, "priorities, kinds, groups and weights of nodes are public, or "
           "released before and paid for; none was computed from "
           "private edges");
    if (own) {
        g->also_notion = PVG_NOTION_EDGE_LDP;
        g->also = g->spent;
        pvgi_guarantee_assumption(
            g, "both ends of a pair go by the same table of priorities "
               "and kinds, so that one of them receives: relationship-DP "
               "with the same epsilon");
    }
}

/* Columns: one for each kind of node, or number of a weight, all alike. */
static int32_t describe(pvg_statistic *statistic) {
    const state *s = statistic->state;
    const double n = (double)s->config.order;
    const bool between = s->config.cells == PVG_HISTOGRAM_BETWEEN;
    const double most = s->groups || between ? n * (n - 1.0) : n - 1.0;
    pvgi_columns *c = pvgi_guarantee_columns_begin();
    pvgi_guarantee_columns_add(
        c, &(pvgi_column){.count = s->config.kinds,
                          .name = s->weights ? "weight" : "kind",
                          .numbered = true,
                          .unit = s->weights ? "weights of neighbours that are counted"
                                  : between  ? "edges between nodes of two kinds; below "
                                               "the diagonal the same again"
                                             : "neighbours of a kind that are counted",
                          .noise = pvgi_statistic_noise_word(s->law.noise)});
    pvgi_guarantee_columns_law(c, &s->law, s->weights ? (double)NAN : 0.0,
                               s->weights ? (double)NAN : most);
    return pvgi_guarantee_columns_close(&statistic->guarantee, c);
}

int32_t pvgi_statistic_histogram_new(pvg_statistic **out,
                                     const pvg_histogram_config *config,
                                     const pvg_target *target,
                                     const pvg_histogram_nodes *nodes,
                                     const char *function) {
    const pvg_guarantee empty = {0};
    pvg_statistic *statistic;
    PVGI_TRY(pvgi_statistic_make(&statistic, &kind, target, &empty, sizeof(state)));
    state *s = statistic->state;
    s->config = *config;
    if (s->config.grid == 0.0) s->config.grid = ldexp(1.0, DEFAULT_GRID);
    statistic->order = config->order;
    statistic->fixed = true;
    statistic->columns = config->kinds;
    statistic->by_node = config->cells != PVG_HISTOGRAM_BETWEEN && config->groups == 0;
    statistic->rows = config->cells == PVG_HISTOGRAM_BETWEEN ? config->kinds
                      : config->groups > 0                   ? config->groups
                                                             : config->order;
    int32_t status = fill(s, statistic->rows, target, nodes, function);
    if (status == PVG_OK) status = describe(statistic);
    PVGI_TRY(pvgi_statistic_kept(statistic, status));
    promise(statistic, target);
    *out = statistic;
    return PVG_OK;
}
