/* Elimination orders of a pattern: smallest width first, then cheap on sparse hosts.
 *
 * Removing v joins it with the k vertices it is linked to. On a host where an arc table
 * has `fan` entries per row, the join visits about n * product of fans tuples, one fan
 * per vertex chosen, less where several tables meet at a vertex. The order is greedy by
 * this estimate, repeated with the estimates shaken by fixed pseudo-random factors; the
 * order with the smallest sum is kept. If no run attains the exact treewidth, the
 * vertices are removed along the chordal graph of an order that does: every chordal graph
 * but a single vertex has two simplicial vertices, so any root can be spared to the end.
 *
 * Width 3 and more: a vertex joined to all others, an apex, is removed last, and all
 * tables over three and more vertices hold it: they need no more memory than the rows of
 * a few of its images (elim/stream.inc), and what is left has a smaller width. */
#include "elim_internal.h"

#include <string.h>

enum { N = PVGI_PATTERN_ORDER, RUNS = 24 };

typedef struct {
    int32_t order, root, width;
    bool apex; /* the root is to be in all tables over three vertices and more */
    const pvgi_small *graph;
    uint32_t linked[N]; /* graph that is left, with the links made by removals */
    uint32_t alive;
    double fan[N][N]; /* entries per row of the cheapest table over u, v; 0: none */
} state;

static const double fan_of_base[3] = {2.5, 1.6, 1.3};
enum { FAN_MOST = 24 };

static void start(state *now, const pvgi_small *graph, const int8_t edge[N][N],
                  int32_t root, int32_t width) {
    memset(now, 0, sizeof *now);
    now->order = graph->order;
    now->root = root;
    now->width = width;
    now->graph = graph;
    now->alive = pvgi_mask_first(graph->order);
    memcpy(now->linked, graph->adjacency, sizeof now->linked);
    for (int32_t u = 0; u < graph->order; u++)
        for (int32_t v = 0; v < graph->order; v++)
            if (graph->adjacency[u] >> v & 1) now->fan[u][v] = fan_of_base[edge[u][v]];
}

/* Whether the step that removes v has a table with both a and b. */
static bool constrained(const state *now, int32_t v, int32_t a, int32_t b) {
    return a == v || b == v || (now->graph->adjacency[a] >> b & 1);
}

/* Tuples visited per node of the host if the enumeration begins at `first`. */
static double visits(const state *now, int32_t v, uint32_t members, int32_t first) {
    double tuples = 1, sum = 1;
    uint32_t chosen = pvgi_mask_of(first);
    for (uint32_t rest = members & ~chosen; rest; rest = members & ~chosen) {
        double best = 1e300;
        int32_t next = -1;
        for (uint32_t a = rest; a; a &= a - 1) {
            const int32_t x = pvgi_mask_lowest(a);
            double fan = 1e300;
            int32_t met = 0;
            for (uint32_t b = chosen; b; b &= b - 1) {
                const int32_t y = pvgi_mask_lowest(b);
                if (!constrained(now, v, x, y)) continue;
                if (now->fan[y][x] < fan) fan = now->fan[y][x];
                met++;
            }
            for (; met > 1; met--) fan *= 0.4;
            if (fan < best) best = fan, next = x;
        }
        if (next < 0) return 1e300;
        tuples *= best;
        sum += tuples;
        chosen |= pvgi_mask_of(next);
    }
    return sum;
}

static double cost_of(const state *now, int32_t v) {
    const uint32_t scope = now->linked[v] & now->alive;
    double best = scope ? 1e300 : 0;
    for (uint32_t a = scope; a; a &= a - 1) {
        const double cost = visits(now, v, scope | pvgi_mask_of(v), pvgi_mask_lowest(a));
        if (cost < best) best = cost;
    }
    return best;
}

static void removed(state *now, int32_t v) {
    now->alive &= ~pvgi_mask_of(v);
    const uint32_t scope = now->linked[v] & now->alive;
    for (uint32_t a = scope; a; a &= a - 1)
        for (uint32_t b = a & (a - 1); b; b &= b - 1) {
            const int32_t x = pvgi_mask_lowest(a), y = pvgi_mask_lowest(b);
            double fan = now->fan[x][v] * now->fan[v][y];
            if (fan > FAN_MOST) fan = FAN_MOST;
            if (now->fan[x][y] == 0 || fan < now->fan[x][y])
                now->fan[x][y] = now->fan[y][x] = fan;
            now->linked[x] |= pvgi_mask_of(y);
            now->linked[y] |= pvgi_mask_of(x);
        }
}

static uint64_t next_random(uint64_t *seed) {
    uint64_t z = (*seed += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* Vertices whose links are all joined in `chordal`, which the order follows. */
static bool is_simplicial(const uint32_t chordal[N], uint32_t alive, int32_t v) {
    const uint32_t around = chordal[v] & alive;
    for (uint32_t a = around; a; a &= a - 1) {
        const int32_t x = pvgi_mask_lowest(a);
        if (around & ~chordal[x] & ~pvgi_mask_of(x)) return false;
    }
    return true;
}

/* One greedy run; chordal NULL: any vertex within the width may go. Returns the estimate,
 * or a negative number if the run is stuck. */
static double run_greedy(int32_t elimination[N], state *now, const uint32_t *chordal,
                         double shake, uint64_t seed) {
    double total = 0;
    for (int32_t i = 0; i < now->order; i++) {
        double best = 1e301, best_cost = 0;
        int32_t best_v = -1;
        for (uint32_t a = now->alive; a; a &= a - 1) {
            const int32_t v = pvgi_mask_lowest(a);
            if (v == now->root && i + 1 < now->order) continue;
            const uint32_t scope = now->linked[v] & now->alive;
            if (pvgi_mask_count(scope) > now->width) continue;
            if (now->apex && pvgi_mask_count(scope) > 2 && !(scope >> now->root & 1))
                continue;
            if (chordal && !is_simplicial(chordal, now->alive, v)) continue;
            const double cost = cost_of(now, v);
            const double noise = (double)(next_random(&seed) >> 40) * 0x1p-24;
            const double rated = cost * (1 + shake * noise);
            if (rated < best) best = rated, best_v = v, best_cost = cost;
        }
        if (best_v < 0) return -1;
        total += best_cost;
        elimination[i] = best_v;
        removed(now, best_v);
    }
    return total;
}

/* The best of some greedy runs; negative: all were stuck. */
static double run_several(int32_t elimination[N], const pvgi_small *graph,
                          const int8_t edge[N][N], int32_t root, int32_t width, bool apex,
                          int32_t runs) {
    int32_t trial[N];
    state now;
    double best = -1;
    for (int32_t run = 0; run < runs; run++) {
        start(&now, graph, edge, root, width);
        now.apex = apex;
        const double total =
            run_greedy(trial, &now, NULL, run == 0 ? 0 : 0.5, (uint64_t)run);
        if (total < 0 || (best >= 0 && total >= best)) continue;
        best = total;
        memcpy(elimination, trial, sizeof trial);
    }
    return best;
}

/* Whether all tables over three and more vertices hold the last. */
static bool streams(const int32_t elimination[N], const pvgi_small *graph,
                    const int8_t edge[N][N], int32_t width) {
    const int32_t last = elimination[graph->order - 1];
    state now;
    start(&now, graph, edge, last, width);
    for (int32_t i = 0; i < graph->order; i++) {
        const uint32_t scope = now.linked[elimination[i]] & now.alive;
        if (pvgi_mask_count(scope) > 2 && !(scope >> last & 1)) return false;
        removed(&now, elimination[i]);
    }
    return true;
}

/* A vertex joined to all others, or -1. */
static int32_t find_apex(const pvgi_small *graph, int32_t root) {
    for (int32_t v = 0; v < graph->order; v++)
        if (pvgi_mask_count(graph->adjacency[v]) == graph->order - 1 &&
            (root < 0 || root == v))
            return v;
    return -1;
}

int32_t pvgi_density_elim_order(int32_t elimination[N], const pvgi_small *graph,
                                const int8_t edge[N][N], int32_t root) {
    int32_t width, exact[N];
    state now;
    PVGI_TRY(pvgi_pattern_width(&width, exact, graph, "pattern"));
    const double best = run_several(elimination, graph, edge, root, width, false, RUNS);
    const int32_t apex = width > 2 ? find_apex(graph, root) : -1;
    if (best >= 0 && apex >= 0 && !streams(elimination, graph, edge, width)) {
        memcpy(exact, elimination, sizeof exact);
        if (run_several(elimination, graph, edge, apex, width, true, RUNS) < 0)
            memcpy(elimination, exact, sizeof exact);
    }
    if (best >= 0) return PVG_OK;
    start(&now, graph, edge, root, width);
    for (int32_t i = 0; i < graph->order; i++) removed(&now, exact[i]);
    uint32_t chordal[N];
    memcpy(chordal, now.linked, sizeof chordal);
    start(&now, graph, edge, root, width);
    if (run_greedy(elimination, &now, chordal, 0, 0) < 0)
        return pvgi_fail(PVG_E_INTERNAL, "density: no elimination order");
    return PVG_OK;
}
