/* Patterns with fixed roots, compiled: which vertices are fixed, in which order the rest
 * is removed, and how the steps become products of matrices (elim/fixed.c). */
#include "fixed.h"

#include <math.h>
#include <string.h>

/* Roots and orders of the rest that are compared, and the nodes of a host for which, half
 * of its pairs being joined. */
enum { TRIED = 3, ORDERS = 16, TYPICAL_ORDER = 64 };

static int32_t kind_of(const pvgi_elim_fixed *fixed, const pvgi_small *graph, int32_t v) {
    int32_t kind = 0;
    for (int32_t i = 0; i < fixed->roots; i++)
        kind |= (int32_t)(graph->adjacency[fixed->root[i]] >> v & 1) << i;
    return kind;
}

static double shaken(uint64_t *seed) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return 1.0 + (double)(*seed >> 40) * 0x1p-24;
}

/* Removes all vertices but the roots, the cheapest first, costs being shaken unless the
 * seed is 0; the cost, or a negative number if a scope has more than three. */
static double order_rest(int32_t elimination[N], const pvgi_elim_fixed *fixed,
                         const pvgi_small *graph, uint64_t seed) {
    uint32_t linked[N], alive = pvgi_mask_first(graph->order);
    double total = 0;
    memcpy(linked, graph->adjacency, sizeof linked);
    for (int32_t i = 0; i < fixed->roots; i++) alive &= ~pvgi_mask_of(fixed->root[i]);
    for (int32_t i = 0; alive; i++) {
        double best = -1, best_cost = 0;
        int32_t best_v = -1;
        for (uint32_t a = alive; a; a &= a - 1) {
            const int32_t v = pvgi_mask_lowest(a);
            const uint32_t scope = linked[v] & alive;
            if (pvgi_mask_count(scope) > PVGI_ELIM_FIXED_ARITY) continue;
            double cost = 1;
            for (uint32_t b = scope | pvgi_mask_of(v); b; b &= b - 1)
                cost *= images(kind_of(fixed, graph, pvgi_mask_lowest(b)), TYPICAL_ORDER,
                               TYPICAL_ORDER / 2.0);
            const double rated = seed ? cost * shaken(&seed) : cost;
            if (best_v < 0 || rated < best) best = rated, best_v = v, best_cost = cost;
        }
        if (best_v < 0) return -1;
        alive &= ~pvgi_mask_of(best_v);
        const uint32_t scope = linked[best_v] & alive;
        for (uint32_t b = scope; b; b &= b - 1) linked[pvgi_mask_lowest(b)] |= scope;
        for (uint32_t b = scope; b; b &= b - 1)
            linked[pvgi_mask_lowest(b)] &= ~pvgi_mask_of(pvgi_mask_lowest(b));
        elimination[i] = best_v;
        total += best_cost;
    }
    const double p = 0.5;
    if (fixed->roots == 2 && (graph->adjacency[fixed->root[0]] >> fixed->root[1] & 1))
        total *= p;
    for (int32_t i = 0; i < fixed->roots; i++) total *= TYPICAL_ORDER;
    return total;
}

/* What the step costs with the sides it has, about; negative: it does not split so. */
static double cost_of_sides(const pvgi_elim_fixed *fixed,
                            const pvgi_elim_fixed_step *step, double n, double d) {
    double size[3] = {1, 1, 1};
    const double inner = images(fixed->kind[step->vertex], n, d);
    double factors[3] = {0, 1, 1};
    bool in_order = true;
    for (int32_t j = 0; j < step->arity; j++) {
        size[step->side[j]] *= images(fixed->kind[step->scope[j]], n, d);
        in_order = in_order && (j == 0 || step->side[j] >= step->side[j - 1]);
    }
    for (int32_t f = 0; f < step->factors; f++) {
        const int32_t side = side_of(step, &step->factor[f]);
        if (side < 0) return -1;
        factors[side]++;
    }
    const double rows = size[PVGI_ELIM_ROWS_SIDE], columns = size[PVGI_ELIM_COLUMNS_SIDE];
    return size[PVGI_ELIM_BATCH] *
           (64 + rows * columns * (inner / FIXED_SPEED + (in_order ? 0 : 1)) +
            inner * (rows * factors[PVGI_ELIM_ROWS_SIDE] +
                     columns * factors[PVGI_ELIM_COLUMNS_SIDE]));
}

static void choose_sides(const pvgi_elim_fixed *fixed, pvgi_elim_fixed_step *step) {
    int8_t best[PVGI_ELIM_FIXED_ARITY] = {0};
    double least = -1;
    int32_t ways = 1;
    for (int32_t j = 0; j < step->arity; j++) ways *= 3;
    for (int32_t way = 0; way < ways; way++) {
        for (int32_t j = 0, rest = way; j < step->arity; j++, rest /= 3)
            step->side[j] = (int8_t)(rest % 3);
        const double cost =
            cost_of_sides(fixed, step, TYPICAL_ORDER, TYPICAL_ORDER / 2.0);
        if (cost < 0 || (least >= 0 && cost >= least)) continue;
        least = cost;
        memcpy(best, step->side, sizeof best);
    }
    memcpy(step->side, best, sizeof best); /* all in the batch always splits */
}

/* Where a vertex is in the scope of a step; -1: it is not. */
static int8_t place_in(const pvgi_elim_fixed_step *step, int32_t vertex) {
    for (int32_t j = 0; j < step->arity; j++)
        if (step->scope[j] == vertex) return (int8_t)j;
    return -1;
}

/* A factor, its vertices by their places in the table. */
static void add_factor(const pvgi_elim_fixed *fixed, pvgi_elim_fixed_step *step,
                       int32_t table, int32_t other) {
    pvgi_elim_fixed_factor *factor = &step->factor[step->factors++];
    *factor = (pvgi_elim_fixed_factor){.table = -1, .other = (int8_t)other, .removed = 1};
    if (table < 0) {
        for (int32_t j = 0; j < step->arity; j++)
            factor->at[j] = step->scope[j] == other ? 0 : -1;
        return;
    }
    const pvgi_elim_fixed_step *from = &fixed->step[table];
    const bool turned =
        fixed->step[from->same].symmetric && from->moved[from->arity - 1] == 0;
    factor->table = from->same;
    for (int32_t j = 0; j < step->arity; j++) {
        const int8_t place = place_in(from, step->scope[j]);
        factor->at[j] = place < 0 ? -1 : turned ? 0 : from->moved[place];
    }
    factor->removed = turned ? 1 : from->moved[from->arity - 1];
}

/* Whether factor a of a step is factor b of another whose places are those of the first
 * by `move`. */
static bool is_factor(const pvgi_elim_fixed_factor *a, const pvgi_elim_fixed_factor *b,
                      const int8_t *move, int32_t arity) {
    if (a->table != b->table || a->removed != b->removed) return false;
    for (int32_t j = 0; j < arity; j++)
        if (a->at[j] != b->at[move[j]]) return false;
    return true;
}

static bool is_copy(const pvgi_elim_fixed *fixed, const pvgi_elim_fixed_step *a,
                    const pvgi_elim_fixed_step *b, const int8_t *move) {
    uint32_t used = 0;
    if (a->arity != b->arity || a->factors != b->factors ||
        fixed->kind[a->vertex] != fixed->kind[b->vertex])
        return false;
    for (int32_t j = 0; j < a->arity; j++)
        if (fixed->kind[a->scope[j]] != fixed->kind[b->scope[move[j]]]) return false;
    for (int32_t f = 0; f < a->factors; f++) {
        int32_t g = 0;
        while (
            g < b->factors &&
            (used >> g & 1 || !is_factor(&a->factor[f], &b->factor[g], move, a->arity)))
            g++;
        if (g == b->factors) return false;
        used |= (uint32_t)1 << g;
    }
    return true;
}

/* Finds an earlier step that makes the same table, its places in any order. */
static void find_same(pvgi_elim_fixed *fixed, int32_t index) {
    static const int8_t moves[][PVGI_ELIM_FIXED_ARITY] = {
        {0, 1, 2}, {1, 0, 2}, {0, 2, 1}, {2, 1, 0}, {1, 2, 0}, {2, 0, 1}};
    static const int32_t counts[] = {1, 1, 2, 6};
    pvgi_elim_fixed_step *step = &fixed->step[index];
    step->same = (int8_t)index;
    memcpy(step->moved, moves[0], sizeof step->moved);
    step->symmetric = step->arity == 2 && is_copy(fixed, step, step, moves[1]);
    for (int32_t k = 0; k < index && step->arity > 0; k++)
        for (int32_t m = 0; m < counts[step->arity] && fixed->step[k].same == k; m++)
            if (is_copy(fixed, step, &fixed->step[k], moves[m])) {
                step->same = (int8_t)k;
                memcpy(step->moved, moves[m], sizeof step->moved);
                return;
            }
}

static void write_steps(pvgi_elim_fixed *fixed, const pvgi_small *graph,
                        const int32_t elimination[N]) {
    uint32_t scope_of[N];
    bool read[N] = {false};
    fixed->steps = graph->order - fixed->roots;
    uint32_t alive = pvgi_mask_first(graph->order);
    for (int32_t i = 0; i < fixed->roots; i++) alive &= ~pvgi_mask_of(fixed->root[i]);
    for (int32_t i = 0; i < fixed->steps; i++) {
        pvgi_elim_fixed_step *step = &fixed->step[i];
        const int32_t v = elimination[i];
        alive &= ~pvgi_mask_of(v);
        uint32_t scope = graph->adjacency[v] & alive;
        for (int32_t k = 0; k < i; k++)
            if (!read[k] && scope_of[k] >> v & 1) scope |= scope_of[k];
        scope &= alive;
        scope_of[i] = scope;
        step->vertex = (int8_t)v;
        /* the vertex that goes next comes last, and is read in a row */
        for (int32_t k = fixed->steps - 1; k > i; k--)
            if (scope >> elimination[k] & 1)
                step->scope[step->arity++] = (int8_t)elimination[k];
        for (uint32_t b = graph->adjacency[v] & alive; b; b &= b - 1)
            add_factor(fixed, step, -1, pvgi_mask_lowest(b));
        for (int32_t k = 0; k < i; k++) {
            if (read[k] || !(scope_of[k] >> v & 1)) continue;
            add_factor(fixed, step, k, -1);
            read[k] = true;
        }
        choose_sides(fixed, step);
        find_same(fixed, i);
    }
}

double pvgi_density_elim_fixed_visits(const pvgi_elim_fixed *fixed, double n, double d) {
    double sum = 0;
    for (int32_t i = 0; i < fixed->steps; i++)
        if (fixed->step[i].same == i) sum += cost_of_sides(fixed, &fixed->step[i], n, d);
    return n * (fixed->roots == 2 ? (fixed->joined ? d : n) : 1) * (sum + n * d);
}

/* The rest in the best of several orders; false if there is none. */
static bool arrange(pvgi_elim_fixed *out, double *least, const pvgi_small *graph,
                    pvgi_elim_fixed *now) {
    int32_t elimination[N];
    bool found = false;
    now->joined = now->roots == 2 && (graph->adjacency[now->root[0]] >> now->root[1] & 1);
    for (int32_t v = 0; v < graph->order; v++)
        now->kind[v] = (int8_t)kind_of(now, graph, v);
    for (uint64_t run = 0; run < ORDERS; run++) {
        if (order_rest(elimination, now, graph, run) < 0) continue;
        memset(now->step, 0, sizeof now->step);
        write_steps(now, graph, elimination);
        const double cost =
            pvgi_density_elim_fixed_visits(now, TYPICAL_ORDER, TYPICAL_ORDER / 2.0);
        if (*least >= 0 && cost >= *least) continue;
        *least = cost;
        *out = *now;
        found = true;
    }
    return found;
}

int32_t pvgi_density_elim_fixed_new(pvgi_elim_fixed **out, const pvgi_small *graph,
                                    int32_t width) {
    const int32_t roots = width - PVGI_ELIM_FIXED_ARITY;
    int32_t elimination[N], tried[TRIED][PVGI_ELIM_ROOTS];
    double cost[TRIED], least = -1;
    int32_t count = 0;
    *out = NULL;
    if (roots < 1 || roots > PVGI_ELIM_ROOTS) return PVG_OK;
    pvgi_elim_fixed *fixed = pvgi_alloc_zero(2, sizeof *fixed);
    if (!fixed) return pvgi_fail_nomem();
    pvgi_elim_fixed *now = fixed + 1;
    now->roots = roots;
    for (int32_t a = 0; a < graph->order; a++)
        for (int32_t b = roots == 1 ? a : 0; b < (roots == 1 ? a + 1 : a); b++) {
            now->root[0] = (int8_t)a;
            now->root[1] = (int8_t)b;
            const double own = order_rest(elimination, now, graph, 0);
            if (own < 0 || (count == TRIED && own >= cost[TRIED - 1])) continue;
            int32_t at = count < TRIED ? count++ : TRIED - 1;
            for (; at > 0 && own < cost[at - 1]; at--) {
                cost[at] = cost[at - 1];
                memcpy(tried[at], tried[at - 1], sizeof tried[at]);
            }
            cost[at] = own;
            tried[at][0] = a;
            tried[at][1] = b;
        }
    bool found = false;
    for (int32_t i = 0; i < count; i++) {
        now->root[0] = (int8_t)tried[i][0];
        now->root[1] = (int8_t)tried[i][1];
        found = arrange(fixed, &least, graph, now) || found;
    }
    if (found)
        *out = fixed;
    else
        pvgi_free(fixed); /* no vertex lowers the width */
    return PVG_OK;
}
