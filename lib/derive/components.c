/* As many connected components as were released, by exchanges that keep all degrees.
 *
 * Stubs paired at random leave leaves joined to leaves and other crumbs that few real
 * graphs have. An edge a - b of a crumb and an edge x - y of the largest component, one
 * that closes a cycle in it, become a - y and x - b: without x - y the largest component
 * stays whole, and what a - b leaves of the crumb hangs on it by a or by b. So there is
 * one component less, and the cycle rank falls with it. For more components two leaves
 * of the largest, at a - x and b - y, become a - b and x - y: one more. Both are for one
 * block of nodes.
 *
 * The released number is noisy. What is aimed at is its median under a prior that falls
 * like one over the number, which is the number itself where it is clear of its noise and
 * next to none where it is not. O(edges) time, nearly. */
#include "configuration.h"

#include <math.h>

typedef struct {
    pvgi_configuration *j;
    int32_t *parent; /* of each node */
    int64_t *found;  /* of each root: an edge of its component; before: its nodes */
    int64_t *cycles; /* edges that close one */
    int64_t many, count, largest;
} crumbs;

static int32_t root_of(int32_t *parent, int32_t v) {
    while (parent[v] != v) {
        parent[v] = parent[parent[v]];
        v = parent[v];
    }
    return v;
}

/* Components, and edges that are not needed for them. */
static void find_crumbs(crumbs *c) {
    const pvgi_configuration *j = c->j;
    const pvgi_pairs *s = &j->set;
    const int64_t order = j->w->order;
    for (int64_t v = 0; v < order; v++) c->parent[v] = (int32_t)v;
    c->count = order;
    for (int64_t i = 0; i < s->made; i++) {
        const int32_t u = root_of(c->parent, pvgi_pairs_low(s->pairs[i]));
        const int32_t v = root_of(c->parent, pvgi_pairs_high(s->pairs[i]));
        if (u != v) {
            c->parent[u < v ? v : u] = u < v ? u : v;
            c->count--;
        } else if (i >= j->grouped && c->many < order)
            c->cycles[c->many++] = i;
        if (pvgi_loom_stopped(c->j)) return;
    }
    for (int64_t v = 0; v < order; v++) c->found[v] = 0;
    for (int64_t v = 0; v < order; v++) c->found[root_of(c->parent, (int32_t)v)]++;
    for (int64_t v = 0; v < order; v++)
        if (c->found[v] > c->found[c->largest]) c->largest = v;
}

/* Edges i and k, a - b and x - y, become a - y and x - b; whether they could. */
static bool exchange(pvgi_configuration *j, int64_t i, int64_t k, bool turned) {
    pvgi_pairs *s = &j->set;
    const float *w = j->w->weights;
    const int32_t a = pvgi_pairs_low(s->pairs[i]), b = pvgi_pairs_high(s->pairs[i]);
    const int32_t low = pvgi_pairs_low(s->pairs[k]), high = pvgi_pairs_high(s->pairs[k]);
    const int32_t x = turned ? high : low, y = turned ? low : high;
    if (a == x || a == y || b == x || b == y) return false;
    if (pvgi_pairs_has(s, a, y) || pvgi_pairs_has(s, x, b)) return false;
    pvgi_pairs_replace(s, i, a, y);
    pvgi_pairs_replace(s, k, x, b);
    if (w) j->need -= ((double)w[a] - (double)w[x]) * ((double)w[y] - (double)w[b]);
    return true;
}

/* Fewer components, down to `wanted`, as long as there are crumbs with edges. */
static void join_crumbs(crumbs *c, int64_t wanted) {
    pvgi_configuration *j = c->j;
    const pvgi_pairs *s = &j->set;
    int64_t next = 0;
    for (int64_t v = 0; v < j->w->order; v++) c->found[v] = -1;
    for (int64_t i = 0; i < s->made; i++) /* groups come first: rather the others */
        c->found[root_of(c->parent, pvgi_pairs_low(s->pairs[i]))] = i;
    for (int64_t v = 0; v < j->w->order && c->count > wanted; v++) {
        if (v == c->largest || c->found[v] < 0) continue;
        for (bool done = false; !done && next < c->many; next++) {
            const int64_t k = c->cycles[next];
            if (root_of(c->parent, pvgi_pairs_low(s->pairs[k])) != c->largest) continue;
            done = exchange(j, c->found[v], k, pvgi_rng_draw_below(&j->stream, 2));
            c->count -= done;
        }
        if (pvgi_loom_stopped(j)) return;
    }
}

/* The leaf of an edge that has just one; -1: it has none or two. */
static int32_t leaf_of(const pvgi_wiring *w, uint64_t pair) {
    const int32_t u = pvgi_pairs_low(pair), v = pvgi_pairs_high(pair);
    const bool first = w->degrees[u] == 1, second = w->degrees[v] == 1;
    return first == second ? -1 : first ? u : v;
}

/* More components, up to `wanted`, as long as the largest has leaves; of two components
 * x - y would make one. Edges are in random order. */
static void cut_off_leaves(crumbs *c, int64_t wanted) {
    pvgi_configuration *j = c->j;
    const pvgi_pairs *s = &j->set;
    int64_t other = -1;
    for (int64_t i = j->grouped; i < s->made && c->count < wanted; i++) {
        if (pvgi_loom_stopped(j)) return;
        if (leaf_of(j->w, s->pairs[i]) < 0) continue;
        if (root_of(c->parent, pvgi_pairs_low(s->pairs[i])) != c->largest) continue;
        if (other < 0) {
            other = i;
            continue;
        }
        /* a - x and y - b: the leaves meet, and so do the others */
        const bool same =
            (leaf_of(j->w, s->pairs[i]) == pvgi_pairs_low(s->pairs[i])) ==
            (leaf_of(j->w, s->pairs[other]) == pvgi_pairs_low(s->pairs[other]));
        if (exchange(j, other, i, same)) {
            c->count++;
            other = -1;
        }
    }
}

int32_t pvgi_derive_components(pvgi_configuration *j) {
    const pvgi_wiring *w = j->w;
    const size_t order = (size_t)w->order;
    if (w->components < 0.0 || w->blocks != 1 || j->set.made == 0) return PVG_OK;
    crumbs c = {.j = j,
                .parent = pvgi_alloc(order, sizeof *c.parent),
                .found = pvgi_alloc(order, sizeof *c.found),
                .cycles = j->places};
    if (c.parent && c.found) {
        int64_t least = 1; /* nodes without edges, and all others in one */
        for (int64_t v = 0; v < w->order; v++) least += w->degrees[v] == 0;
        find_crumbs(&c);
        const double more = pvgi_derive_likely(fmax(w->components - (double)least, 0.0),
                                               0.0, w->components_noise);
        const int64_t wanted = least + (int64_t)nearbyint(fmin(more, (double)order));
        if (j->status == PVG_OK && c.count > wanted) join_crumbs(&c, wanted);
        if (j->status == PVG_OK && c.count < wanted) cut_off_leaves(&c, wanted);
    }
    const bool enough = c.parent && c.found;
    pvgi_free(c.parent);
    pvgi_free(c.found);
    return enough ? j->status : pvgi_fail_nomem();
}
