/* A random graph with given degrees, numbers of edges between blocks and triangles.
 *
 * Degrees become stubs; those of a block are shuffled and dealt out to the blocks they
 * lead to, so that all counts between blocks are met. Inside a block nodes of like degree
 * (up to a spread) form groups that spend a share of their stubs on one another, all
 * pairs joined: the affinity blocks of BTER (Kolda, Pinar, Plantenga, Seshadhri 2014),
 * but with an edge using up two stubs, so that degrees stay as they are, and with full
 * groups of few stubs instead of thin ones of all: the same triangles from fewer edges,
 * and nodes of small degree keep stubs for hubs. What is left is paired at random; loops
 * and repeated pairs are repaired by exchanging ends with another edge of the same two
 * blocks. What is not in groups is steered until the degrees at both ends of edges are
 * those released (steer.c). The share by secant steps until the triangles match: released
 * numbers only.
 * O(edges) time and memory per trial. */
#include "derive_internal.h"
#include "pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TRIALS = 12, COARSE = 6, REPAIRS = 60, PASSES = 4, SWAPS = 40, AHEAD = 32 };

typedef struct {
    const pvgi_wiring *w;
    int64_t edges;    /* wanted */
    int64_t *starts;  /* stubs of block a are stubs[starts[a] .. starts[a + 1] - 1] */
    int32_t *stubs;   /* as dealt: those of a that lead to b follow one another */
    int32_t *dealt;   /* the same, kept for further trials */
    int32_t *sorted;  /* nodes of a block by key, block after block */
    int64_t *members; /* blocks + 1: where they begin */
    int32_t *inside;  /* stubs of each node that lead into its own block */
    int32_t *unused;  /* of these, not yet joined in this trial */
    int32_t *quota;   /* of these, at most so many in groups */
    float *dither;    /* of each node, in [0, 1): how its quota is rounded */
    int64_t *grouped; /* blocks + 1: pairs made by groups of each block */
    double mixing;    /* less than wanted if triangles ask for it */
    double chance;    /* that a pair of a group is joined */
    pvgi_pairs set;   /* edges made so far */
    double trust;     /* in the released products; negative: not worked out yet */
    pvgi_stream stream;
} job;

/* --- stubs ------------------------------------------------------------------------- */

/* Places are drawn AHEAD of the exchanges, so that memory is there when it is needed. */
static void shuffle(int32_t *values, int64_t count, pvgi_stream *stream) {
    int64_t places[AHEAD];
    for (int64_t last = count - 1; last > 0; last -= AHEAD) {
        const int64_t many = last < AHEAD ? last : AHEAD;
        for (int64_t i = 0; i < many; i++) {
            places[i] = (int64_t)pvgi_rng_draw_below(stream, (uint64_t)(last - i) + 1);
            __builtin_prefetch(values + places[i], 1);
        }
        for (int64_t i = 0; i < many; i++) {
            const int32_t value = values[last - i];
            values[last - i] = values[places[i]];
            values[places[i]] = value;
        }
    }
}

/* Of the stubs [from, to) of a block, those beyond `most` of one node change places with
 * stubs outside. counts: of each node, zeros in and out. */
static void thin_out(job *j, int32_t *stubs, int64_t all, int64_t from, int64_t to,
                     int64_t most, int32_t *counts) {
    if (to - from == all) return;
    for (int64_t i = from; i < to; i++) counts[stubs[i]]++;
    for (int64_t i = from; i < to; i++) {
        if (counts[stubs[i]] <= most) continue;
        for (int swap = 0; swap < SWAPS; swap++) {
            int64_t k =
                (int64_t)pvgi_rng_draw_below(&j->stream, (uint64_t)(all - (to - from)));
            if (k >= from) k += to - from;
            const int32_t mine = stubs[i], other = stubs[k];
            if (counts[other] >= most) continue;
            counts[mine]--;
            counts[other]++;
            stubs[i] = other;
            stubs[k] = mine;
            break;
        }
    }
    for (int64_t i = from; i < to; i++) counts[stubs[i]] = 0;
}

/* No node gets many more stubs towards a block than the block has nodes. */
static void thin_block(job *j, int64_t a) {
    const pvgi_wiring *w = j->w;
    int32_t *stubs = j->stubs + j->starts[a];
    const int64_t all = j->starts[a + 1] - j->starts[a];
    for (int pass = 0; pass < PASSES; pass++) {
        int64_t from = 0;
        for (int64_t k = 0; k < w->blocks; k++) {
            const int64_t b = k == 0 ? a : k <= a ? k - 1 : k; /* own stubs come first */
            const int64_t many = w->between[a * w->blocks + b] * (a == b ? 2 : 1);
            const int64_t nodes = j->members[b + 1] - j->members[b] - (a == b);
            thin_out(j, stubs, all, from, from + many, nodes - nodes / 16, j->unused);
            from += many;
        }
    }
}

/* Stubs of all blocks in random order, and how many of each node stay inside. members is
 * filled. */
static void deal(job *j) {
    const pvgi_wiring *w = j->w;
    int64_t *next = j->grouped; /* borrowed */
    for (int64_t v = 0; v < w->order; v++) j->starts[w->block[v] + 1] += w->degrees[v];
    for (int64_t a = 0; a < w->blocks; a++) {
        j->starts[a + 1] += j->starts[a];
        next[a] = j->starts[a];
    }
    for (int64_t v = 0; v < w->order; v++)
        for (int64_t i = 0; i < w->degrees[v]; i++)
            j->stubs[next[w->block[v]]++] = (int32_t)v;
    memset(j->unused, 0, (size_t)w->order * sizeof *j->unused);
    for (int64_t a = 0; a < w->blocks; a++) {
        const int64_t own = 2 * w->between[a * w->blocks + a];
        int32_t *stubs = j->stubs + j->starts[a];
        shuffle(stubs, j->starts[a + 1] - j->starts[a], &j->stream);
        thin_block(j, a);
        for (int64_t i = 0; i < own; i++) j->inside[stubs[i]]++;
    }
}

/* --- groups ------------------------------------------------------------------------ */

typedef struct {
    double key;
    int32_t node;
} keyed;

static int ascending(const void *a, const void *b) {
    const keyed *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return x->node < y->node ? -1 : 1;
}

/* A number of mean 0 and deviation 1, about normal. */
static double spread(pvgi_stream *stream) {
    double sum = 0.0;
    for (int i = 0; i < 3; i++) sum += pvgi_rng_draw_unit(stream) - 0.5;
    return 2.0 * sum;
}

static void count_members(job *j) {
    const pvgi_wiring *w = j->w;
    for (int64_t a = 0; a <= w->blocks; a++) j->members[a] = 0;
    for (int64_t v = 0; v < w->order; v++) j->members[w->block[v] + 1]++;
    for (int64_t a = 0; a < w->blocks; a++) j->members[a + 1] += j->members[a];
}

/* Nodes of each block by ln(stubs inside) + spread. */
static int32_t sort_nodes(job *j) {
    const pvgi_wiring *w = j->w;
    keyed *all = pvgi_alloc((size_t)w->order, sizeof *all);
    if (!all) return pvgi_fail_nomem();
    for (int64_t v = 0; v < w->order; v++) {
        const double k = (double)j->inside[v];
        all[j->members[w->block[v]]++] =
            (keyed){k > 0.0 ? log(k) + j->mixing * spread(&j->stream) : -1e9, (int32_t)v};
    }
    for (int64_t a = w->blocks; a > 0; a--) j->members[a] = j->members[a - 1];
    j->members[0] = 0;
    for (int64_t a = 0; a < w->blocks; a++)
        qsort(all + j->members[a], (size_t)(j->members[a + 1] - j->members[a]),
              sizeof *all, ascending);
    for (int64_t v = 0; v < w->order; v++) j->sorted[v] = all[v].node;
    pvgi_free(all);
    return PVG_OK;
}

/* Joins all pairs of one group as long as both have stubs to spend. */
static void fill_group(job *j, const int32_t *nodes, int64_t count) {
    for (int64_t i = 0; i < count; i++)
        for (int64_t k = 0; k < i; k++) {
            const int32_t u = nodes[i], v = nodes[k];
            if (j->quota[u] == 0) break;
            if (j->quota[v] == 0) continue;
            if (j->chance < 1.0 && pvgi_rng_draw_unit(&j->stream) >= j->chance) continue;
            if (!pvgi_pairs_join(&j->set, u, v)) continue;
            j->quota[u]--;
            j->quota[v]--;
            j->unused[u]--;
            j->unused[v]--;
        }
}

/* Groups from the node with the most stubs down: it and about as many as it has stubs.
 * Nodes with one stub inside are left out: they are in no triangle. */
static void group(job *j) {
    const pvgi_wiring *w = j->w;
    for (int64_t a = 0; a < w->blocks; a++) {
        int64_t last = j->members[a + 1];
        j->grouped[a] = j->set.made;
        while (last > j->members[a]) {
            /* members from the middle of what the group would be decide its size */
            int64_t size = j->quota[j->sorted[last - 1]] + 1;
            for (int round = 0; round < 2; round++) {
                int64_t middle = last - 1 - size / 2;
                if (middle < j->members[a]) middle = j->members[a];
                size = j->quota[j->sorted[middle]] + 1;
            }
            int64_t first = last - size;
            if (first < j->members[a]) first = j->members[a];
            if (size < 3) {
                last = last - 1 > j->members[a] ? last - 1 : j->members[a];
                continue;
            }
            fill_group(j, j->sorted + first, last - first);
            last = first;
        }
        j->grouped[a + 1] = j->set.made;
    }
}

/* --- the rest at random ------------------------------------------------------------ */

/* Joins u to v by taking apart another edge among pairs[first .. last - 1], all between
 * the blocks of u and v: x - y becomes x - v and u - y. */
static bool exchange(job *j, int32_t u, int32_t v, int64_t first, int64_t last) {
    const pvgi_wiring *w = j->w;
    const bool inside = w->block[u] == w->block[v];
    if (last <= first) return false;
    for (int i = 0; i < REPAIRS; i++) {
        const int64_t at =
            first + (int64_t)pvgi_rng_draw_below(&j->stream, (uint64_t)(last - first));
        const uint64_t key = j->set.pairs[at];
        int32_t x = (int32_t)(key >> 32), y = (int32_t)(key & 0xFFFFFFFFu);
        if (inside ? pvgi_rng_draw_below(&j->stream, 2) : w->block[x] != w->block[u]) {
            const int32_t z = x;
            x = y;
            y = z;
        }
        if (x == v || y == u || pvgi_pairs_has(&j->set, x, v) ||
            pvgi_pairs_has(&j->set, u, y))
            continue;
        if (pvgi_pairs_key(x, v) == pvgi_pairs_key(u, y)) continue;
        pvgi_pairs_replace(&j->set, at, x, v);
        return pvgi_pairs_join(&j->set, u, y);
    }
    return false;
}

/* Any node of the block of v in place of v, or of u in place of u: degrees give way. */
static bool replace(job *j, int32_t u, int32_t v) {
    const int32_t *block = j->w->block;
    for (int i = 0; i < 2 * REPAIRS; i++) {
        const int32_t kept = i % 2 ? v : u;
        const int64_t a = block[i % 2 ? u : v], many = j->members[a + 1] - j->members[a];
        const int64_t at = (int64_t)pvgi_rng_draw_below(&j->stream, (uint64_t)many);
        if (pvgi_pairs_join(&j->set, kept, j->sorted[j->members[a] + at])) return true;
    }
    return false;
}

/* Pairs stubs ends[i] - others[i]; first: pairs of the same two blocks begin there, those
 * made by groups are between the other two numbers. */
static void pair_up(job *j, const int32_t *ends, const int32_t *others, int64_t count,
                    int64_t step, const int64_t ranges[2]) {
    const int64_t first = j->set.made;
    for (int64_t i = 0; i < count; i++) {
        const int32_t u = ends[i * step], v = others[i * step];
        if (i + AHEAD < count) {
            const int64_t next = (i + AHEAD) * step;
            const uint64_t key = pvgi_pairs_key(ends[next], others[next]);
            __builtin_prefetch(j->set.slots + pvgi_pairs_home(&j->set, key), 1);
        }
        if (pvgi_pairs_join(&j->set, u, v) || exchange(j, u, v, first, j->set.made))
            continue;
        if (ranges && exchange(j, u, v, ranges[0], ranges[1])) continue;
        replace(j, u, v);
    }
}

/* Stubs of block a that lead inside and are not used yet, in the order dealt. */
static int64_t gather(job *j, int64_t a) {
    const int64_t own = 2 * j->w->between[a * j->w->blocks + a];
    const int32_t *from = j->stubs + j->starts[a];
    int64_t count = 0;
    for (int64_t i = 0; i < own; i++)
        if (j->unused[from[i]] > 0) {
            j->unused[from[i]]--;
            j->dealt[count++] = from[i];
        }
    return count;
}

static void wire_rest(job *j) {
    const pvgi_wiring *w = j->w;
    const int64_t blocks = w->blocks;
    for (int64_t a = 0; a < blocks; a++) {
        /* gather keeps the early stubs of a node: shuffled once more, all are alike */
        const int64_t count = gather(j, a);
        shuffle(j->dealt, count, &j->stream);
        pair_up(j, j->dealt, j->dealt + 1, count / 2, 2, j->grouped + a);
    }
    for (int64_t a = 0; a < blocks; a++) {
        int64_t at = j->starts[a] + 2 * w->between[a * blocks + a];
        for (int64_t b = 0; b < blocks; b++) {
            if (b == a) continue;
            const int64_t count = w->between[a * blocks + b];
            if (b > a) {
                int64_t other = j->starts[b] + 2 * w->between[b * blocks + b];
                for (int64_t c = 0; c < a; c++) other += w->between[b * blocks + c];
                pair_up(j, j->stubs + at, j->stubs + other, count, 1, NULL);
            }
            at += count;
        }
    }
}

/* --- trials ------------------------------------------------------------------------ */

/* Products over edges as released, by edges outside groups. */
static int32_t steer(job *j, int64_t first) {
    if (!j->w->weights) return PVG_OK;
    if (j->trust < 0.0) PVGI_TRY(pvgi_derive_trust(&j->trust, &j->set, j->w));
    pvgi_derive_steer(&j->set, j->w, j->trust, first, &j->stream);
    return PVG_OK;
}

/* One whole wiring; *triangles of it, if asked for. */
static int32_t wire_once(pvg_graph **out, int64_t *triangles, job *j, double share,
                         const pvgi_stream *call, pvgi_run *run) {
    pvg_graph *graph;
    j->set.made = 0;
    memset(j->set.slots, 0, (size_t)(j->set.mask + 1) * sizeof *j->set.slots);
    memcpy(j->unused, j->inside, (size_t)j->w->order * sizeof *j->unused);
    pvgi_rng_stream_open_chunk(&j->stream, call, 1); /* the same bits in every trial */
    for (int64_t v = 0; v < j->w->order; v++)
        j->quota[v] = (int32_t)(share * (double)j->inside[v] + (double)j->dither[v]);
    group(j);
    const int64_t grouped = j->set.made;
    wire_rest(j);
    const int32_t status = steer(j, grouped);
    pvgi_rng_stream_close(&j->stream);
    PVGI_TRY(status);
    uint64_t *pairs = pvgi_alloc((size_t)j->set.made, sizeof *pairs);
    if (!pairs) return pvgi_fail_nomem();
    memcpy(pairs, j->set.pairs, (size_t)j->set.made * sizeof *pairs);
    PVGI_TRY(pvgi_graph_from_packed(&graph, NULL, j->w->order, pairs, j->set.made,
                                    PVG_EDGES_STRICT, run));
    if (triangles) {
        const int32_t counted = pvgi_statistic_common_exact(NULL, triangles, graph, run);
        if (counted != PVG_OK) {
            pvgi_graph_free(graph);
            return counted;
        }
    }
    *out = graph;
    return PVG_OK;
}

/* Nodes in groups anew. */
static int32_t regroup(job *j, const pvgi_stream *call) {
    pvgi_rng_stream_open_chunk(&j->stream, call, 2);
    const int32_t status = sort_nodes(j);
    pvgi_rng_stream_close(&j->stream);
    return status;
}

/* Where a search stands: x with too few triangles and x with too many. */
typedef struct {
    double low, high, few, many;
    bool below, begun;
} bracket;

/* The next x, if x^power is about linear in the triangles; by halves after two on the
 * same side. */
static double narrow(bracket *b, double x, double t, double wanted, double power) {
    const bool again = b->begun && (t < wanted) == b->below;
    b->begun = true;
    b->below = t < wanted;
    *(b->below ? &b->low : &b->high) = x;
    *(b->below ? &b->few : &b->many) = t;
    const double c =
        again || b->many <= b->few ? 0.5 : (wanted - b->few) / (b->many - b->few);
    const double from = pow(b->low, power), to = pow(b->high, power);
    const double next = pow(from + c * (to - from), 1.0 / power);
    return next > b->low && next < b->high ? next : 0.5 * (b->low + b->high);
}

/* The share so that triangles match: their number grows about like its square. If all
 * stubs are not enough, degrees in a group become more alike. Groups change as a whole
 * with the share, so the number jumps; after COARSE trials the share stays at the least
 * one with too many, and pairs are left out by chance, which is smooth (a cube). The best
 * trial is kept. */
static int32_t search(pvg_graph **out, job *j, const pvgi_stream *call, pvgi_run *run) {
    const double wanted = j->w->triangles;
    bracket shares = {.high = 1.0}, chances = {.high = 1.0};
    double share = 1.0, best = INFINITY;
    bool fine = false;
    j->chance = 1.0;
    PVGI_TRY(regroup(j, call));
    if (wanted <= 0.0) return wire_once(out, NULL, j, 0.0, call, run);
    *out = NULL;
    for (int trial = 0; trial < TRIALS; trial++) {
        int64_t found;
        pvg_graph *graph;
        pvgi_run_phase(run, (double)trial / TRIALS, 1.0 / TRIALS);
        PVGI_TRY(wire_once(&graph, &found, j, share, call, run));
        const double t = (double)found, missed = fabs(t - wanted);
        if (missed < best) {
            pvgi_graph_free(*out);
            *out = graph;
            best = missed;
        } else
            pvgi_graph_free(graph);
        if (missed <= 0.005 * wanted + 0.5) break;
        if (!fine && t < wanted && share >= 1.0) {
            if (j->mixing <= 0.0) break; /* no more to be had */
            j->mixing = j->mixing > 0.2 ? 0.75 * j->mixing : 0.0;
            PVGI_TRY(regroup(j, call));
            continue;
        }
        if (fine) {
            j->chance = narrow(&chances, j->chance, t, wanted, 3.0);
            continue;
        }
        share = narrow(&shares, share, t, wanted, 2.0);
        if (trial + 1 >= COARSE && shares.many > 0.0) {
            fine = true;
            share = shares.high;
            chances.many = shares.many;
            j->chance = cbrt(wanted / shares.many);
        }
    }
    return PVG_OK;
}

static int32_t prepare(job *j, pvgi_run *run) {
    const pvgi_wiring *w = j->w;
    const size_t order = (size_t)w->order, blocks = (size_t)w->blocks;
    int64_t stubs = 0;
    for (int64_t v = 0; v < w->order; v++) stubs += w->degrees[v];
    j->edges = stubs / 2;
    j->set.mask = 15;
    while ((int64_t)j->set.mask < 2 * j->edges) j->set.mask = 2 * j->set.mask + 1;
    PVGI_TRY(pvgi_run_reserve(
        run, pvgi_size_add(pvgi_size_mul((size_t)stubs, 12),
                           pvgi_size_mul((size_t)j->set.mask + 1 + 5 * order, 8))));
    j->starts = pvgi_alloc_zero(blocks + 1, sizeof *j->starts);
    j->members = pvgi_alloc(blocks + 1, sizeof *j->members);
    j->grouped = pvgi_alloc_zero(blocks + 1, sizeof *j->grouped);
    j->stubs = pvgi_alloc((size_t)stubs, sizeof *j->stubs);
    j->dealt = pvgi_alloc((size_t)stubs, sizeof *j->dealt);
    j->sorted = pvgi_alloc(order, sizeof *j->sorted);
    j->inside = pvgi_alloc_zero(order, sizeof *j->inside);
    j->unused = pvgi_alloc(order, sizeof *j->unused);
    j->quota = pvgi_alloc(order, sizeof *j->quota);
    j->dither = pvgi_alloc(order, sizeof *j->dither);
    j->set.pairs = pvgi_alloc((size_t)j->edges + 1, sizeof *j->set.pairs);
    j->set.slots = pvgi_alloc((size_t)j->set.mask + 1, sizeof *j->set.slots);
    return j->starts && j->members && j->grouped && j->stubs && j->dealt && j->sorted &&
                   j->inside && j->unused && j->quota && j->dither && j->set.pairs &&
                   j->set.slots
               ? PVG_OK
               : pvgi_fail_nomem();
}

int32_t pvgi_derive_wire(pvg_graph **out, const pvgi_wiring *wiring,
                         const pvgi_stream *call, pvgi_run *run) {
    job j = {.w = wiring, .mixing = wiring->mixing, .trust = -1.0};
    *out = NULL;
    int32_t status = prepare(&j, run);
    if (status == PVG_OK) {
        pvgi_rng_stream_open_chunk(&j.stream, call, 0);
        count_members(&j);
        deal(&j);
        for (int64_t v = 0; v < wiring->order; v++) /* below 1 as a float, too */
            j.dither[v] = (float)(0.999 * pvgi_rng_draw_unit(&j.stream));
        pvgi_rng_stream_close(&j.stream);
    }
    if (status == PVG_OK) status = search(out, &j, call, run);
    if (status != PVG_OK) {
        pvgi_graph_free(*out);
        *out = NULL;
    }
    void *const blocks[] = {j.starts, j.members, j.grouped,   j.stubs,
                            j.dealt,  j.sorted,  j.inside,    j.unused,
                            j.quota,  j.dither,  j.set.pairs, j.set.slots};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) pvgi_free(blocks[i]);
    return status;
}
