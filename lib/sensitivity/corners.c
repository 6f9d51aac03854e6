/* How far one edge moves the counts of a family of trees together: points whose convex
 * hull, with its negative, contains every joint change in graphs with degrees up to D.
 * Proofs: docs/privacy/proofs/mechanism.md, changes of a known shape. hom, not densities;
 * D >= 1.
 *
 * A tree of diameter 4 or less is a centre with branches of k_1, ..., k_r leaves, and
 * hom = sum over nodes of f(N), N the degrees around the node, f = prod_i M_(k_i), M_k =
 * sum of d^k over N. Let uv join nodes that have degrees a and b with it.
 *   stars      a^k - (a-1)^k + b^k - (b-1)^k: exact, D (D + 1) / 2 points
 *   diameter 3 a double star has hom = sum over arcs of d_x^p d_y^q, and the change is a
 *              function of (a, b) plus sums over the other neighbours of u, of v, of one
 *              point each: corners have all neighbours of u of one degree, those of v too
 *   diameter 4 change = U + V, U = f(N+b) - f(N) + sum over other neighbours w of u of
 *              f(c_w+a) - f(c_w+a-1), N their degrees, c_w the degrees around w but u's:
 *              neighbours of one degree share one c at corners. Points are 2 U: a convex
 *              even function that is at most 1 there is at most 1/2 at U and V, and so
 *              at most 1 at U + V. */
#include "sensitivity_internal.h"

#include <string.h>

enum { BRANCHES = 31, WIDE = 5, WIDE_DEGREE = 4, DEGREE_MOST = 1000 };

/* Centre and branches. */
typedef struct {
    int32_t branches, leaves[BRANCHES];
    int32_t p, q; /* as a double star; q -1: diameter 4 */
} tree;

static int32_t degree_in(const pvgi_small *g, int32_t v) {
    return pvgi_mask_count(g->adjacency[v]);
}

/* Reads a connected tree whose other vertices are at most two from some centre. */
static bool read_tree(tree *out, const pvgi_pattern *pattern) {
    const pvgi_small *g = &pattern->graph;
    *out = (tree){0}; /* no branches: no centre was found */
    if (pattern->components != 1 || pattern->size != g->order - 1 || g->order < 2)
        return false;
    for (int32_t c = 0; c < g->order; c++) {
        uint32_t seen = pvgi_mask_of(c) | g->adjacency[c];
        for (uint32_t left = g->adjacency[c]; left; left &= left - 1)
            seen |= g->adjacency[pvgi_mask_lowest(left)];
        if (seen != pvgi_mask_first(g->order)) continue;
        int32_t wide = 0;
        *out = (tree){.q = 0};
        for (uint32_t left = g->adjacency[c]; left; left &= left - 1) {
            const int32_t leaves = degree_in(g, pvgi_mask_lowest(left)) - 1;
            out->leaves[out->branches++] = leaves;
            if (leaves > 0) {
                wide++;
                out->q = leaves;
            }
        }
        out->p = out->branches - 1; /* the branch with leaves is the other end */
        if (wide > 1) out->q = -1;
        if (wide <= 1) return true; /* else another centre may show less */
    }
    return out->branches > 0;
}

static double power(double x, int32_t k) {
    double value = 1.0;
    for (int32_t i = 0; i < k; i++) value *= x;
    return value;
}

typedef struct {
    pvgi_corners *out;
    const tree *trees;
    int64_t capacity;
    int32_t degree;
    int32_t status;
    /* of diameter 4 */
    int32_t a, b, around[WIDE];
    double sums[WIDE][PVGI_PATTERN_ORDER]; /* M_k of the c of each degree */
} work;

static double *new_point(work *w) {
    pvgi_corners *out = w->out;
    if (w->status != PVG_OK) return NULL;
    if (out->count == w->capacity) {
        const int64_t larger = w->capacity ? 2 * w->capacity : 256;
        double *grown = pvgi_grow(out->points, (size_t)larger,
                                  pvgi_size_mul((size_t)out->dimension, sizeof *grown));
        if (!grown) {
            w->status = pvgi_fail_nomem();
            return NULL;
        }
        out->points = grown;
        w->capacity = larger;
    }
    return out->points + out->count++ * out->dimension;
}

/* --- diameter 3 --------------------------------------------------------------------- */

/* Of the other neighbours of an end of degree a, all of degree d. */
static double neighbours(const tree *t, double a, double d) {
    if (a == 1.0) return 0.0;
    return (a - 1.0) * ((power(a, t->p) - power(a - 1.0, t->p)) * power(d, t->q) +
                        (power(a, t->q) - power(a - 1.0, t->q)) * power(d, t->p));
}

static void double_stars(work *w, bool stars) {
    const int32_t most = stars ? 1 : w->degree; /* stars do not see degrees of others */
    for (int32_t a = 1; a <= w->degree; a++)
        for (int32_t b = a; b <= w->degree; b++)
            for (int32_t p = 1; p <= most; p++)
                for (int32_t q = a == b ? p : 1; q <= most; q++) {
                    double *x = new_point(w);
                    for (int64_t i = 0; x && i < w->out->dimension; i++) {
                        const tree *t = &w->trees[i];
                        x[i] = power(a, t->p) * power(b, t->q) +
                               power(b, t->p) * power(a, t->q) + neighbours(t, a, p) +
                               neighbours(t, b, q);
                    }
                }
}

/* --- diameter 4 --------------------------------------------------------------------- */

/* prod M_k with one more node of degree d (0: none) around. */
static double product(const tree *t, const double *sums, double d) {
    double value = 1.0;
    for (int32_t i = 0; i < t->branches; i++)
        value *= sums[t->leaves[i]] + (d > 0.0 ? power(d, t->leaves[i]) : 0.0);
    return value;
}

static void add_degree(double *sums, double d) {
    for (int32_t k = 0; k < PVGI_PATTERN_ORDER; k++) sums[k] += power(d, k);
}

/* around[d]: how many other neighbours of u have degree d; sums[d]: what they see. */
static void wide_point(work *w) {
    double all[PVGI_PATTERN_ORDER] = {0};
    double *x = new_point(w);
    if (!x) return;
    for (int32_t d = 1; d <= w->degree; d++)
        for (int32_t i = 0; i < w->around[d]; i++) add_degree(all, d);
    for (int64_t i = 0; i < w->out->dimension; i++) {
        const tree *t = &w->trees[i];
        double change = product(t, all, w->b) - product(t, all, 0.0);
        for (int32_t d = 1; d <= w->degree; d++)
            if (w->around[d] > 0)
                change += w->around[d] * (product(t, w->sums[d], w->a) -
                                          product(t, w->sums[d], w->a - 1.0));
        x[i] = 2.0 * change;
    }
}

static void choose_views(work *w, int32_t d);

/* Multisets of `left` more degrees, from `least` on, seen by neighbours of degree d. */
static void choose_view(work *w, int32_t d, int32_t least, int32_t left) {
    double before[PVGI_PATTERN_ORDER];
    if (left == 0) {
        choose_views(w, d + 1);
        return;
    }
    for (int32_t e = least; e <= w->degree; e++) {
        memcpy(before, w->sums[d], sizeof before);
        add_degree(w->sums[d], e);
        choose_view(w, d, e, left - 1);
        memcpy(w->sums[d], before, sizeof before);
    }
}

static void choose_views(work *w, int32_t d) {
    while (d <= w->degree && w->around[d] == 0) d++;
    if (d > w->degree) {
        wide_point(w);
        return;
    }
    memset(w->sums[d], 0, sizeof w->sums[d]);
    choose_view(w, d, 1, d - 1);
}

static void choose_around(work *w, int32_t least, int32_t left) {
    if (left == 0) {
        choose_views(w, 1);
        return;
    }
    for (int32_t d = least; d <= w->degree; d++) {
        w->around[d]++;
        choose_around(w, d, left - 1);
        w->around[d]--;
    }
}

static void wide_trees(work *w) {
    for (w->a = 1; w->a <= w->degree; w->a++)
        for (w->b = 1; w->b <= w->degree; w->b++) choose_around(w, 1, w->a - 1);
}

/* --- both --------------------------------------------------------------------------- */

void pvgi_sensitivity_corners_free(pvgi_corners *corners) {
    pvgi_free(corners->points);
    memset(corners, 0, sizeof *corners);
}

/* How many points there will be, or more than most. */
static double expected(int32_t degree, bool stars, bool wide) {
    const double d = degree, pairs = d * (d + 1.0) / 2.0;
    if (wide) return degree <= WIDE_DEGREE ? 1e4 : INFINITY;
    return stars ? pairs : pairs * d * d;
}

bool pvgi_sensitivity_covers(const pvg_patterns *patterns, int64_t index,
                             int64_t degree) {
    tree t;
    return degree >= 1 && degree <= DEGREE_MOST &&
           read_tree(&t, &patterns->pattern[index]) &&
           (t.q >= 0 || degree <= WIDE_DEGREE);
}

int32_t pvgi_sensitivity_corners(pvgi_corners *out, const pvg_patterns *patterns,
                                 int64_t degree, double most) {
    memset(out, 0, sizeof *out);
    if (degree < 1 || degree > DEGREE_MOST || patterns->count < 1) return PVG_OK;
    tree *trees = pvgi_alloc((size_t)patterns->count, sizeof *trees);
    if (!trees) return pvgi_fail_nomem();
    bool known = true, stars = true, wide = false;
    for (int64_t i = 0; i < patterns->count && known; i++) {
        known = read_tree(&trees[i], &patterns->pattern[i]);
        stars = known && stars && (trees[i].p == 0 || trees[i].q == 0);
        wide = known && (wide || trees[i].q < 0);
    }
    work w = {.out = out, .trees = trees, .degree = (int32_t)degree};
    if (known &&
        expected((int32_t)degree, stars, wide) * (double)patterns->count <= most) {
        out->dimension = patterns->count;
        if (wide)
            wide_trees(&w);
        else
            double_stars(&w, stars);
    }
    pvgi_free(trees);
    if (w.status != PVG_OK) pvgi_sensitivity_corners_free(out);
    return w.status;
}
