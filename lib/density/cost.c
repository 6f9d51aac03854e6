/* What counting costs at most, before it is paid for: from public numbers and the plan.
 *
 * An operation is a product of two numbers inside a product of matrices; other work is
 * told in these, by prices that were measured (below). For every component the smaller of
 * two bounds, over all graphs of n nodes and degrees of at most D: what tables hold and
 * joins visit if they are sparse, and products of whole matrices where the engine may
 * make them. The engine chooses by the graph at hand, mostly far below either.
 *
 *   Trees: columns spread over n D arcs.
 *   Cycles of m vertices: walks of (m + 1) / 2 steps from every node, the j-th over at
 *   most min(n, D^(j-1)) places; or as many products of n x n matrices.
 *   Cliques of k: lists of at most c = min(D, sqrt(n D)) before a node, rows of c bits.
 *   Steps: a join goes through the entries of one of its tables and from there to a next
 *   vertex along arcs (D each), along another table (D to the vertices it stands for), or
 *   to any node; at most n^levels. Its table has as many entries, at most n^arity. */
#include "density_internal.h"

#include "density/elim/elim_internal.h"

#include <math.h>

/* In products of a matrix: 0.09 ns of the machine that they were measured on. */
static const double TREE_PRICE = 12, WALK_PRICE = 16, BIT_PRICE = 4, VISIT_PRICE = 24,
                    WIDE_PRICE = 512;

static double least(double a, double b) {
    return a < b ? a : b;
}

static double cycles_cost(int32_t longest, double n, double d) {
    double sparse = 0, reach = 1;
    const int32_t half = (longest + 1) / 2;
    for (int32_t j = 0; j < half; j++) {
        sparse += WALK_PRICE * n * reach * d;
        reach = least(n, reach * d);
    }
    const double dense = n >= PVGI_DENSE_ORDER_LEAST && n <= PVGI_DENSE_ORDER_MOST
                             ? half * n * n * n
                             : INFINITY;
    return least(sparse, dense);
}

static double cliques_cost(int32_t largest, double n, double d) {
    const double before = least(d, sqrt(n * d));
    double sum = n * d * before * BIT_PRICE; /* triangles, and rows of bits */
    for (int32_t k = 4; k <= largest; k++)
        sum = sum + n * pow(before, k - 1) / 64 * BIT_PRICE;
    return sum;
}

/* What a table holds at most, and for how many vertices it stands. */
typedef struct {
    double entries, vertices;
} held;

static held table_held(const held *made, int32_t table, double n, double d) {
    if (table == PVGI_ELIM_WEIGHT) return (held){n, 1};
    if (table < PVGI_ELIM_BASES) return (held){n * d, 2};
    return made[table - PVGI_ELIM_BASES];
}

/* Images that a factor leaves for a vertex, another of its vertices being given. */
static double fan_of(const held *made, const pvgi_elim_factor *factor, double n,
                     double d) {
    const held of = table_held(made, factor->table, n, d);
    return least(n, pow(d, of.vertices - 1));
}

/* Tuples that the join visits if it begins with factor f. */
static double visits_from(const pvgi_elim_plan *plan, const pvgi_elim_step *step,
                          int32_t f, const held *made, double n, double d) {
    const pvgi_elim_factor *factor = plan->factor + step->factor;
    uint32_t chosen = 0;
    double tuples = table_held(made, factor[f].table, n, d).entries;
    for (int32_t j = 0; j < factor[f].arity; j++)
        chosen |= (uint32_t)1 << factor[f].level[j];
    for (;;) {
        double best = n;
        int32_t next = -1;
        for (int32_t level = 0; level < step->levels; level++) {
            if (chosen >> level & 1) continue;
            double fan = n;
            for (int32_t g = 0; g < step->factors; g++) {
                bool here = false, linked = false;
                for (int32_t j = 0; j < factor[g].arity; j++) {
                    here = here || factor[g].level[j] == level;
                    linked = linked || chosen >> factor[g].level[j] & 1;
                }
                if (here && linked) fan = least(fan, fan_of(made, &factor[g], n, d));
            }
            if (next < 0 || fan < best) best = fan, next = level;
        }
        if (next < 0) return tuples;
        chosen |= (uint32_t)1 << next;
        tuples *= best;
    }
}

/* The cost of a step, and what its table holds. */
static double step_cost(held *out, const pvgi_elim_plan *plan, const pvgi_elim_step *step,
                        const held *made, double n, double d) {
    double tuples = pow(n, step->levels);
    const double all = tuples;
    out->vertices = step->summed >= 0 ? 1 : 0;
    for (int32_t f = 0; f < step->factors; f++) {
        const pvgi_elim_factor *factor = &plan->factor[step->factor + f];
        tuples = least(tuples, visits_from(plan, step, f, made, n, d));
        const double own = table_held(made, factor->table, n, d).vertices;
        if (factor->table >= PVGI_ELIM_BASES) out->vertices += own - factor->arity;
    }
    out->vertices += step->arity;
    out->entries = least(pow(n, step->arity), tuples);
    const bool dense = step->dense && n >= PVGI_DENSE_ORDER_LEAST &&
                       n <= PVGI_DENSE_ORDER_MOST / (step->arity == 3 ? 2 : 1);
    const double sparse = tuples * (step->arity > 3 ? WIDE_PRICE : VISIT_PRICE);
    return dense ? least(sparse, all) : sparse;
}

/* Steps that several patterns need count once; where fixed vertices are cheaper than the
 * steps of a pattern, these. */
static int32_t steps_cost(double *out, const pvgi_elim_plan *plan, double n, double d) {
    const size_t steps = (size_t)plan->steps;
    held *made = pvgi_alloc(steps, sizeof *made);
    double *cost = pvgi_alloc(steps, sizeof *cost);
    if (!made || !cost) {
        pvgi_free(made);
        pvgi_free(cost);
        return pvgi_fail_nomem();
    }
    for (int32_t i = 0; i < plan->steps; i++)
        cost[i] = step_cost(&made[i], plan, &plan->step[i], made, n, d);
    for (int64_t i = 0; i < plan->count; i++) {
        const pvgi_elim_pattern *pattern = &plan->pattern[i];
        double own = 0;
        for (int32_t k = 0; k < pattern->steps; k++)
            own += cost[plan->list[pattern->step + k].step];
        const double fixed =
            pattern->fixed ? pvgi_density_elim_fixed_cost(pattern->fixed, (int64_t)n, d)
                           : INFINITY;
        *out += least(own, fixed);
        for (int32_t k = 0; k < pattern->steps && own <= fixed; k++)
            cost[plan->list[pattern->step + k].step] = 0;
    }
    pvgi_free(made);
    pvgi_free(cost);
    return PVG_OK;
}

int32_t pvgi_density_cost(double *operations, const pvg_density *density, int64_t order,
                          int64_t degree_bound) {
    const double n = (double)order;
    const double d = degree_bound < order ? (double)degree_bound : n > 0 ? n - 1 : 0;
    double sum = (double)density->count + n;
    sum += (double)density->tree_plan->products * n * (d + 1) * TREE_PRICE;
    if (density->components > density->trees && n > 0 && d > 0) {
        const pvgi_elim_plan *plan = density->elim_plan;
        sum += n * (d + 1) * WALK_PRICE; /* the host is read */
        if (plan->cycle_longest > 0) sum += cycles_cost(plan->cycle_longest, n, d);
        if (plan->clique_largest > 0) sum += cliques_cost(plan->clique_largest, n, d);
        PVGI_TRY(steps_cost(&sum, plan, n, d));
    }
    *operations = sum < 1e300 ? sum : 1e300;
    return PVG_OK;
}
