/* The last triangles: exchanges in the rows of a finished graph.
 *
 * Edges a - b, of a group, and x - y, both inside one block, become a - y and x - b.
 * Degrees and counts between blocks stay, so rows keep their lengths and one entry of
 * four rows changes. With c(u, v) common neighbours of u, v before the exchange, the
 * number of triangles changes by
 *   c(a, y) + c(x, b) - c(a, b) - c(x, y) - 2 [b ~ y] - 2 [a ~ x],
 * because b and x are no longer common neighbours of the new ends where they were. What
 * lowers it is done until it is what was wanted; products over edges (assortativity.c)
 * may not move away from the released ones by more than their noise. O(degrees of four
 * nodes) for each. */
#include "configuration.h"

#include <math.h>
#include <string.h>

/* Steps for each edge, and how many are looked at for one of the right blocks. */
enum { LOWER = 2, RAISE = 8, OTHERS = 64, ROUNDS = 3 };
static const double NEAR = 0.005; /* of the triangles: good enough to end with */

typedef struct {
    int32_t *row;
    int64_t count;
} row;

static row row_of(const pvg_graph *graph, int32_t v) {
    return (row){graph->columns + graph->offsets[v],
                 graph->offsets[v + 1] - graph->offsets[v]};
}

/* First place in r from `from` on whose entry is at least v. */
static int64_t place_of(const row *r, int64_t from, int32_t v) {
    int64_t low = from, high = r->count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (r->row[middle] < v)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool joined(const pvg_graph *graph, int32_t u, int32_t v) {
    const row r = row_of(graph, u), s = row_of(graph, v);
    const row *fewer = r.count <= s.count ? &r : &s;
    const int32_t other = fewer == &r ? v : u;
    const int64_t at = place_of(fewer, 0, other);
    return at < fewer->count && fewer->row[at] == other;
}

static int64_t common(const pvg_graph *graph, int32_t u, int32_t v) {
    row r = row_of(graph, u), s = row_of(graph, v);
    int64_t found = 0, i = 0, k = 0;
    if (r.count > s.count) {
        const row other = r;
        r = s;
        s = other;
    }
    if (s.count > 16 * r.count) {
        for (; i < r.count && k < s.count; i++) {
            k = place_of(&s, k, r.row[i]);
            found += k < s.count && s.row[k] == r.row[i];
        }
        return found;
    }
    while (i < r.count && k < s.count) {
        const int32_t p = r.row[i], q = s.row[k];
        found += p == q;
        i += p <= q;
        k += q <= p;
    }
    return found;
}

/* v in place of old in the row of u. */
static void put(pvg_graph *graph, int32_t u, int32_t old, int32_t v) {
    const row r = row_of(graph, u);
    const int64_t from = place_of(&r, 0, old);
    int64_t to = place_of(&r, 0, v);
    if (to > from) {
        to--;
        memmove(r.row + from, r.row + from + 1, (size_t)(to - from) * sizeof *r.row);
    } else
        memmove(r.row + to + 1, r.row + to, (size_t)(from - to) * sizeof *r.row);
    r.row[to] = v;
}

/* Edges a - b and x - y become a - y and x - b, if that helps; whether it was done. */
static bool try_exchange(pvg_graph *graph, int64_t *found, pvgi_configuration *j,
                         int32_t a, int32_t b, int32_t x, int32_t y) {
    const pvgi_wiring *w = j->w;
    const double over = (double)*found - w->triangles;
    double need = 0.0;
    if (a == x || a == y || b == x || b == y) return false;
    if (w->block[a] != w->block[x] && w->block[b] != w->block[y]) return false;
    if (w->weights) {
        need = j->need - ((double)w->weights[a] - (double)w->weights[x]) *
                             ((double)w->weights[y] - (double)w->weights[b]);
        if (fabs(need) > fmax(fabs(j->need), j->slack)) return false;
    }
    const int64_t lost = common(graph, a, b) + common(graph, x, y);
    if ((lost == 0 && over > 0.0) || joined(graph, a, y) || joined(graph, x, b))
        return false;
    const int64_t change = common(graph, a, y) + common(graph, x, b) - lost -
                           2 * joined(graph, b, y) - 2 * joined(graph, a, x);
    if (fabs(over + (double)change) >= fabs(over)) return false;
    put(graph, a, b, y);
    put(graph, b, a, x);
    put(graph, x, y, b);
    put(graph, y, x, a);
    j->need = need;
    *found += change;
    return true;
}

static int64_t below(pvgi_configuration *j, int64_t bound) {
    return (int64_t)pvgi_rng_draw_below(&j->stream, (uint64_t)bound);
}

/* Of two pairs the one with the larger lesser degree: in a large group few edges take
 * many triangles away, and small groups, without which nodes of small degree would have
 * none, stay full. */
static int64_t draw_one(pvgi_configuration *j, int64_t from, int64_t to) {
    int64_t at[2], least[2];
    for (int i = 0; i < 2; i++) {
        at[i] = from + (int64_t)pvgi_rng_draw_below(&j->stream, (uint64_t)(to - from));
        const int64_t d = j->w->degrees[pvgi_pairs_low(j->set.pairs[at[i]])];
        const int64_t e = j->w->degrees[pvgi_pairs_high(j->set.pairs[at[i]])];
        least[i] = d < e ? d : e;
    }
    return least[0] >= least[1] ? at[0] : at[1];
}

/* Takes triangles away: an edge of a group, if there are any, and one of all. */
static void lower(pvg_graph *graph, int64_t *found, pvgi_configuration *j) {
    const int64_t i = draw_one(j, 0, j->grouped > 0 ? j->grouped : j->set.made);
    const int32_t a = pvgi_pairs_low(j->set.pairs[i]);
    const int32_t b = pvgi_pairs_high(j->set.pairs[i]);
    const int32_t *block = j->w->block;
    for (int turn = 0; turn < OTHERS; turn++) {
        const int64_t k = below(j, j->set.made);
        const bool turned = below(j, 2);
        const int32_t low = pvgi_pairs_low(j->set.pairs[k]);
        const int32_t high = pvgi_pairs_high(j->set.pairs[k]);
        const int32_t x = turned ? high : low, y = turned ? low : high;
        if (block[a] != block[x] && block[b] != block[y]) continue;
        if (try_exchange(graph, found, j, a, b, x, y)) {
            j->set.pairs[i] = pvgi_pairs_key(a, y);
            j->set.pairs[k] = pvgi_pairs_key(x, b);
        }
        return;
    }
}

/* The middle of a random path of two edges. */
static int32_t draw_middle(pvgi_configuration *j) {
    int64_t low = 0, high = j->w->order - 1;
    const int64_t place = below(j, j->places[high]); /* there is such a path */
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (j->places[middle] <= place)
            low = middle + 1;
        else
            high = middle;
    }
    return (int32_t)low;
}

/* The end of a random edge. */
static int32_t draw_end(pvgi_configuration *j) {
    const uint64_t pair = j->set.pairs[below(j, j->set.made)];
    return below(j, 2) ? pvgi_pairs_low(pair) : pvgi_pairs_high(pair);
}

/* Makes triangles: two neighbours of a node are joined, each giving up another one, and
 * these are joined to one another. Where all triangles are chance, any path of two edges
 * is as likely to be closed; where few are, the friends of everybody meet. The part of
 * them that was there by chance decides. */
static void raise(pvg_graph *graph, int64_t *found, pvgi_configuration *j) {
    const bool chance = pvgi_rng_draw_unit(&j->stream) < j->chance;
    const int32_t v = chance ? draw_middle(j) : draw_end(j);
    const row around = row_of(graph, v);
    if (around.count < 2) return; /* rows keep their lengths */
    const int32_t a = around.row[below(j, around.count)];
    const int32_t y = around.row[below(j, around.count)];
    const row of_a = row_of(graph, a), of_y = row_of(graph, y);
    const int32_t b = of_a.row[below(j, of_a.count)], x = of_y.row[below(j, of_y.count)];
    if (a != y && b != v && x != v) try_exchange(graph, found, j, a, b, x, y);
}

/* One round of exchanges; *found in and out. */
static int32_t settle_once(pvg_graph *graph, int64_t *found, pvgi_configuration *j,
                           pvgi_run *run) {
    const bool many = (double)*found > j->w->triangles;
    const int64_t steps = (many ? LOWER : RAISE) * j->set.made;
    int32_t status = PVG_OK;
    for (int64_t step = 0; step < steps && status == PVG_OK; step++) {
        if (fabs((double)*found - j->w->triangles) <= 0.5) break;
        if (((double)*found > j->w->triangles) != many) break;
        if (many)
            lower(graph, found, j);
        else
            raise(graph, found, j);
        if (step % 4096 == 4095) status = pvgi_run_report(run, 1.0);
    }
    return status;
}

/* Triangles and products may contradict one another, as both are noisy: the products give
 * way, by as much as their noise may have made. */
int32_t pvgi_derive_swap_triangles(pvg_graph *graph, int64_t *found,
                                   pvgi_configuration *j, pvgi_run *run) {
    int32_t status = PVG_OK;
    int64_t paths = 0;
    pvgi_rng_stream_open_chunk(&j->stream, j->call, 4);
    for (int64_t v = 0; v < j->w->order; v++) { /* beside groups there is no chance */
        paths += j->w->degrees[v] * (j->w->degrees[v] - 1);
        j->places[v] = paths;
    }
    j->chance = paths > 0 && j->grouped == 0
                    ? fmin((double)*found / fmax(j->w->triangles, 1.0), 1.0)
                    : 0.0;
    for (int round = 0; round < ROUNDS && status == PVG_OK; round++) {
        const double off = fabs((double)*found - j->w->triangles);
        if (off <= fmax(0.5, round > 0 ? NEAR * j->w->triangles : 0.0)) break;
        j->slack = fmax(j->enough, round * j->w->ends.deviation);
        status = settle_once(graph, found, j, run);
    }
    pvgi_rng_stream_close(&j->stream);
    return status;
}
