/* A random graph with given degrees, numbers of edges between blocks and triangles.
 *
 * Degrees become stubs. Nodes of like degree spend a share of them in groups (groups.c);
 * those that are left are shuffled in their block and dealt out to the blocks they lead
 * to, so that all counts between blocks are met, and paired. Loops and repeated pairs are
 * repaired by exchanging ends with another edge of the same two blocks, and ends are
 * exchanged until the degrees at both ends of edges are those released
 * (assortativity.c). The share is searched on groups alone, which is cheap: triangles in
 * them are counted as they are filled, those outside guessed (expected_triangles.c), a
 * few too many are aimed at and taken away from the finished graph (triangle_swaps.c). So
 * one wiring is enough, nearly always. Where triangles are few for the edges, they are
 * not in groups but where two friends of somebody met: these are made by exchanges.
 * Released numbers only. O(edges) time and memory, but for counting triangles once,
 * O(edges^1.5) at worst. */
#include "configuration.h"

#include <math.h>
#include <string.h>

enum { TRIALS = 6, STEPS = 10, REPAIRS = 60, PASSES = 4, SWAPS = 40 };
enum { AHEAD = PVGI_LOOM_AHEAD, MANY_EDGES = 1 << 22 };
/* Places at which what a number may be is looked at; and from so many deviations on it is
 * taken as it is: there a hundredth of a deviation is left. */
enum { MIDDLES = 4096, CERTAIN = 40 };
/* MARGIN: more triangles than wanted are aimed at, because they are easier to take away
 * than to add. JUMP: and up to so many more are as good. TOO_MANY: another wiring is
 * cheaper from there on. TOO_FEW: exchanges make what
 * is missing from there on. NEAR: as good as met. */
static const double MARGIN = 0.03, JUMP = 0.05, TOO_MANY = 1.4, TOO_FEW = 0.9,
                    NEAR = 0.005;
/* Triangles for each edge: no groups below the first, nothing but groups above. */
static const double FEW = 0.05, MANY = 0.35;
/* Of the triangles expected outside groups, when nothing is known: exchanges for products
 * take some away, fewer where most triangles are outside groups anyway. */
static const double FACTOR = 0.6, FACTOR_LOOSE = 0.7;

typedef pvgi_configuration job;

/* --- stubs ------------------------------------------------------------------------- */

/* Places are drawn AHEAD of the exchanges, so that memory is there when it is needed. */
static void shuffle(job *j, int32_t *values, int64_t count) {
    int64_t places[AHEAD];
    for (int64_t last = count - 1; last > 0; last -= AHEAD) {
        const int64_t many = last < AHEAD ? last : AHEAD;
        for (int64_t i = 0; i < many; i++) {
            places[i] =
                (int64_t)pvgi_rng_draw_below(&j->stream, (uint64_t)(last - i) + 1);
            __builtin_prefetch(values + places[i], 1);
        }
        for (int64_t i = 0; i < many; i++) {
            const int32_t value = values[last - i];
            values[last - i] = values[places[i]];
            values[places[i]] = value;
        }
        j->done += many - 1;
        if (pvgi_loom_stopped(j)) return;
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

/* No node gets many more stubs towards a block than the block has nodes. all: dealt
 * stubs of block a. */
static void thin_block(job *j, int64_t a, int64_t all) {
    const pvgi_wiring *w = j->w;
    int32_t *stubs = j->dealt + j->starts[a];
    int64_t heaviest = 0;
    for (int64_t i = 0; i < all; i++)
        if (j->unused[stubs[i]] > heaviest) heaviest = j->unused[stubs[i]];
    for (int pass = 0; pass < PASSES; pass++) {
        int64_t from = 0;
        for (int64_t k = 0; k < w->blocks; k++) {
            const int64_t b = k == 0 ? a : k <= a ? k - 1 : k; /* own stubs come first */
            const int64_t many = j->open[a * w->blocks + b] * (a == b ? 2 : 1);
            const int64_t nodes = j->members[b + 1] - j->members[b] - (a == b);
            if (heaviest > nodes - nodes / 16)
                thin_out(j, stubs, all, from, from + many, nodes - nodes / 16, j->quota);
            from += many;
        }
    }
}

/* Stubs outside all groups, in random order within each block, so that each is joined to
 * a random node of the other block. */
static void deal(job *j) {
    const pvgi_wiring *w = j->w;
    memset(j->quota, 0, (size_t)w->order * sizeof *j->quota);
    for (int64_t a = 0; a < w->blocks; a++) {
        int32_t *stubs = j->dealt + j->starts[a];
        int64_t count = 0;
        for (int64_t i = j->members[a]; i < j->members[a + 1]; i++)
            for (int32_t k = 0; k < j->unused[j->sorted[i]]; k++)
                stubs[count++] = j->sorted[i];
        shuffle(j, stubs, count);
        if (w->blocks > 1) thin_block(j, a, count);
    }
}

/* Where stubs end, and where those of each block lead. */
static void count_stubs(job *j) {
    const pvgi_wiring *w = j->w;
    int64_t *next = j->last; /* borrowed */
    for (int64_t v = 0; v < w->order; v++) j->starts[w->block[v] + 1] += w->degrees[v];
    for (int64_t a = 0; a < w->blocks; a++) {
        int64_t flow = 0;
        for (int64_t b = 0; b < w->blocks; b++) {
            flow += w->between[a * w->blocks + b] * (a == b ? 2 : 1);
            j->flows[a * w->blocks + b] = flow;
        }
        j->starts[a + 1] += j->starts[a];
        next[a] = j->members[a];
    }
    for (int64_t v = 0; v < w->order; v++) j->listed[next[w->block[v]]++] = (int32_t)v;
    int64_t end = 0; /* blocks lie behind one another in both */
    for (int64_t i = 0; i < w->order; i++) j->ends[i] = end += w->degrees[j->listed[i]];
}

static void count_members(job *j) {
    const pvgi_wiring *w = j->w;
    for (int64_t a = 0; a <= w->blocks; a++) j->members[a] = 0;
    for (int64_t v = 0; v < w->order; v++) j->members[w->block[v] + 1]++;
    for (int64_t a = 0; a < w->blocks; a++) j->members[a + 1] += j->members[a];
}

/* --- the rest at random ------------------------------------------------------------ */

/* Joins u to v by taking apart another edge among pairs[first .. last - 1]: x - y becomes
 * x - v and u - y, with x of the block of u or y of that of v. */
static bool exchange(job *j, int32_t u, int32_t v, int64_t first, int64_t last) {
    const int32_t *block = j->w->block;
    if (last <= first) return false;
    for (int i = 0; i < REPAIRS; i++) {
        const int64_t at =
            first + (int64_t)pvgi_rng_draw_below(&j->stream, (uint64_t)(last - first));
        const bool turned = pvgi_rng_draw_below(&j->stream, 2);
        const int32_t ends[2] = {pvgi_pairs_low(j->set.pairs[at]),
                                 pvgi_pairs_high(j->set.pairs[at])};
        int32_t x = ends[turned], y = ends[!turned];
        if (block[x] != block[u] && block[y] != block[v]) {
            x = ends[!turned];
            y = ends[turned];
            if (block[x] != block[u] && block[y] != block[v]) continue;
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

/* Pairs stubs ends[i] - others[i], of the same two blocks. */
static void pair_up(job *j, const int32_t *ends, const int32_t *others, int64_t count,
                    int64_t step) {
    const int64_t first = j->set.made;
    for (int64_t i = 0; i < count; i++) {
        const int32_t u = ends[i * step], v = others[i * step];
        if (pvgi_loom_stopped(j)) return;
        if (i + AHEAD < count) {
            const int64_t next = (i + AHEAD) * step;
            const uint64_t key = pvgi_pairs_key(ends[next], others[next]);
            __builtin_prefetch(j->set.slots + pvgi_pairs_home(&j->set, key), 1);
        }
        if (pvgi_pairs_join(&j->set, u, v) || exchange(j, u, v, first, j->set.made))
            continue;
        if (exchange(j, u, v, 0, j->grouped)) continue;
        replace(j, u, v);
    }
}

static void wire_rest(job *j) {
    const int64_t blocks = j->w->blocks;
    for (int64_t a = 0; a < blocks; a++)
        pair_up(j, j->dealt + j->starts[a], j->dealt + j->starts[a] + 1,
                j->open[a * blocks + a], 2);
    for (int64_t a = 0; a < blocks; a++) {
        int64_t at = j->starts[a] + 2 * j->open[a * blocks + a];
        for (int64_t b = 0; b < blocks; b++) {
            if (b == a) continue;
            const int64_t count = j->open[a * blocks + b];
            if (b > a) {
                int64_t other = j->starts[b] + 2 * j->open[b * blocks + b];
                for (int64_t c = 0; c < a; c++) other += j->open[b * blocks + c];
                pair_up(j, j->dealt + at, j->dealt + other, count, 1);
            }
            at += count;
        }
    }
}

/* --- trials ------------------------------------------------------------------------ */

/* The pairs of groups, all different, into the table. */
static void enter_groups(job *j) {
    pvgi_pairs *s = &j->set;
    for (int64_t i = 0; i < s->made; i++) {
        if (i + AHEAD < s->made)
            __builtin_prefetch(s->slots + pvgi_pairs_home(s, s->pairs[i + AHEAD]), 1);
        s->slots[pvgi_pairs_slot(s, s->pairs[i])] = s->pairs[i] + 1;
    }
}

/* Everything but the groups, which are there; *triangles of it, if asked for. */
static int32_t wire_once(pvg_graph **out, int64_t *triangles, job *j, pvgi_run *run) {
    pvg_graph *graph;
    PVGI_TRY(j->status);
    j->share = -1.0; /* no longer groups alone */
    j->set.slots = pvgi_alloc_zero((size_t)j->set.capacity, sizeof *j->set.slots);
    if (!j->set.slots) return pvgi_fail_nomem();
    enter_groups(j);
    pvgi_rng_stream_open_chunk(&j->stream, j->call, 1); /* the same bits in every trial */
    deal(j);
    wire_rest(j);
    pvgi_derive_assortativity(j, j->grouped);
    const int32_t joined = j->status == PVG_OK ? pvgi_derive_components(j) : j->status;
    pvgi_rng_stream_close(&j->stream);
    PVGI_TRY(joined);
    /* the graph is made from a copy, and there is nothing left to deal: two stubs are as
     * long as a pair */
    uint64_t *pairs = (uint64_t *)(void *)j->dealt;
    j->dealt = NULL;
    pvgi_free(j->set.slots);
    j->set.slots = NULL;
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

/* Where a search for the share stands: one with too few triangles, one with too many. */
typedef struct {
    double low, high, few, many;
    bool below, begun;
} bracket;

/* The next share: triangles grow about like its square. By halves after two on the same
 * side. */
static double narrow(bracket *b, double x, double t, double wanted) {
    const bool again = b->begun && (t < wanted) == b->below;
    b->begun = true;
    b->below = t < wanted;
    *(b->below ? &b->low : &b->high) = x;
    *(b->below ? &b->few : &b->many) = t;
    const double c =
        again || b->many <= b->few ? 0.5 : (wanted - b->few) / (b->many - b->few);
    const double next = sqrt(b->low * b->low + c * (b->high * b->high - b->low * b->low));
    return next > b->low && next < b->high ? next : 0.5 * (b->low + b->high);
}

/* Triangles outside groups as expected at shares 0 and 1, and how many times as many
 * there were. */
typedef struct {
    double none, all, factor;
} outside;

static double outside_at(const outside *o, double share) {
    return o->none + share * (o->all - o->none);
}

static double triangles_at(const job *j, const outside *o, double share) {
    return j->within + o->factor * outside_at(o, share);
}

/* Groups so that all triangles will be `wanted` or a little more. If all stubs are not
 * enough, degrees in a group become more alike. Groups change as a whole with the share,
 * so the number jumps: the least share seen with enough is taken. */
static int32_t choose_groups(job *j, double *share, const outside *o, double wanted) {
    bracket b = {.high = 1.0, .few = o->factor * o->none};
    *share = 1.0;
    pvgi_derive_group(j, 1.0);
    while (triangles_at(j, o, 1.0) < wanted && j->mixing > 0.0) {
        j->mixing = j->mixing > 0.2 ? 0.75 * j->mixing : 0.0;
        PVGI_TRY(pvgi_derive_sort(j));
        pvgi_derive_group(j, 1.0);
    }
    for (int step = 0; step < STEPS; step++) {
        const double t = triangles_at(j, o, *share);
        if (t >= wanted && t <= (1.0 + JUMP * (1 + step / 2)) * wanted) return PVG_OK;
        if (t < wanted && *share >= 1.0) return PVG_OK; /* no more to be had */
        if (b.few >= wanted) break;
        *share = narrow(&b, *share, t, wanted);
        pvgi_derive_group(j, *share);
    }
    *share = b.few >= wanted ? 0.0 : b.high;
    pvgi_derive_group(j, *share);
    return PVG_OK;
}

/* The part of the triangles that groups are made for. With few triangles for every edge
 * these are small and anywhere, which closing wedges makes; with many they are cliques.
 * The line through where mean local clustering was right on six graphs
 * (docs/measured/structure.md). */
static double part_of_groups(const job *j) {
    const double each = j->w->triangles / fmax((double)j->edges, 1.0);
    return fmax(0.0, fmin((each - FEW) / (MANY - FEW), 1.0));
}

static int32_t expect_outside(job *j, outside *o) {
    PVGI_TRY(pvgi_derive_sort(j));
    PVGI_TRY(pvgi_run_report(j->run, 0.0));
    pvgi_derive_group(j, 0.0);
    o->none = pvgi_derive_expected_triangles(j);
    PVGI_TRY(pvgi_run_report(j->run, 0.0));
    pvgi_derive_group(j, 1.0);
    o->all = pvgi_derive_expected_triangles(j);
    if (j->w->weights)
        o->factor = o->none > 0.5 * j->w->triangles ? FACTOR_LOOSE : FACTOR;
    return PVG_OK;
}

/* One trial: groups, wiring, counting, and exchanges for what is too many or too few. A
 * graph that is far off is left as it is unless it is the last. *far: whether another
 * trial should be made. */
static int32_t attempt(pvg_graph **out, int64_t *found, bool *far, job *j, outside *o,
                       double aim, bool last, pvgi_run *run) {
    const double wanted = j->w->triangles;
    double share;
    const double part = last ? 1.0 : j->part;
    if (!j->dealt) /* the trial before used it up */
        j->dealt = pvgi_alloc((size_t)j->starts[j->w->blocks], sizeof *j->dealt);
    if (!j->dealt) return pvgi_fail_nomem();
    PVGI_TRY(choose_groups(j, &share, o, part < 1.0 ? part * wanted : aim * wanted));
    PVGI_TRY(wire_once(out, found, j, run));
    const double t = (double)*found, expected = outside_at(o, share);
    if (expected > 0.0) o->factor = fmax(t - j->within, 0.0) / expected;
    *far = t > TOO_MANY * wanted && share > 0.0;
    if (last || part < 1.0 || (!*far && t > TOO_FEW * wanted))
        PVGI_TRY(pvgi_derive_swap_triangles(*out, found, j, run));
    if ((double)*found < (1.0 - NEAR) * wanted) {
        *far = share < 1.0 || j->mixing > 0.0;
        j->part = 1.0; /* too many to be made by exchanges */
    }
    return PVG_OK;
}

/* The number to aim at: the median of its posterior, given the released one. The prior
 * density is 1 / (t + implied), where `implied` is what the degrees alone imply, and the
 * noise is taken as Laplace noise. A number far above its noise stays as it is; one that
 * is mostly noise is shrunk towards the implied one. */
double pvgi_derive_likely(double released, double implied, double noise) {
    const double rate = sqrt(2.0) / noise, step = (released + 12.0 * noise) / MIDDLES;
    double all = 0.0, seen = 0.0, t = 0.5 * step;
    if (!(noise > 0.0) || released > CERTAIN * noise) return released;
    for (int i = 0; i < MIDDLES; i++, t += step)
        all += exp(-rate * fabs(released - t)) / (t + implied + 1.0);
    t = -0.5 * step;
    while (2.0 * seen < all) {
        t += step;
        seen += exp(-rate * fabs(released - t)) / (t + implied + 1.0);
    }
    return t;
}

static int32_t search(pvg_graph **out, job *j, pvgi_wiring *w, pvgi_run *run) {
    double best = INFINITY, aim = 1.0 + MARGIN;
    outside o = {.factor = 1.0};
    bool far = true;
    *out = NULL;
    if (w->triangles < 0.0) {
        PVGI_TRY(pvgi_derive_sort(j));
        pvgi_derive_group(j, 0.0);
        return wire_once(out, NULL, j, run);
    }
    PVGI_TRY(expect_outside(j, &o));
    w->triangles = pvgi_derive_likely(w->triangles, o.factor * o.none, w->noise);
    j->part = part_of_groups(j);
    for (int trial = 0; trial < TRIALS && far; trial++) {
        int64_t found;
        pvg_graph *graph = NULL;
        pvgi_run_phase(run, (double)trial / TRIALS, 1.0 / TRIALS);
        const int32_t status =
            attempt(&graph, &found, &far, j, &o, aim, trial + 1 == TRIALS, run);
        if (status != PVG_OK) {
            pvgi_graph_free(graph);
            return status;
        }
        if ((double)found < (1.0 - NEAR) * j->w->triangles) aim += MARGIN;
        const double missed = fabs((double)found - j->w->triangles);
        if (missed < best) {
            pvgi_graph_free(*out);
            *out = graph;
            best = missed;
        } else
            pvgi_graph_free(graph);
    }
    return PVG_OK;
}

static int32_t prepare(job *j, pvgi_run *run) {
    const pvgi_wiring *w = j->w;
    const size_t order = (size_t)w->order, blocks = (size_t)w->blocks;
    int64_t stubs = 0;
    for (int64_t v = 0; v < w->order; v++) stubs += w->degrees[v];
    j->edges = stubs / 2;
    j->set.capacity = pvgi_pairs_capacity(j->edges);
    if (j->edges >= MANY_EDGES) pvgi_memory_trim(); /* of whatever came before */
    PVGI_TRY(pvgi_run_reserve(
        run, pvgi_size_add(
                 pvgi_size_mul((size_t)stubs, 8),
                 pvgi_size_mul((size_t)j->set.capacity + 9 * order + 2 * blocks * blocks,
                               8))));
    j->starts = pvgi_alloc_zero(blocks + 1, sizeof *j->starts);
    j->members = pvgi_alloc(blocks + 1, sizeof *j->members);
    j->last = pvgi_alloc(blocks, sizeof *j->last);
    j->flows = pvgi_alloc(blocks * blocks, sizeof *j->flows);
    j->open = pvgi_alloc(blocks * blocks, sizeof *j->open);
    j->left = pvgi_alloc(blocks, sizeof *j->left);
    j->places = pvgi_alloc(order + 1, sizeof *j->places);
    j->marks = pvgi_alloc_zero(order, sizeof *j->marks);
    j->listed = pvgi_alloc(order, sizeof *j->listed);
    j->ends = pvgi_alloc(order, sizeof *j->ends);
    j->dealt = pvgi_alloc((size_t)stubs, sizeof *j->dealt);
    j->sorted = pvgi_alloc(order, sizeof *j->sorted);
    j->ranked = pvgi_alloc(order, sizeof *j->ranked);
    j->rank = pvgi_alloc(order, sizeof *j->rank);
    j->team = pvgi_alloc(order, sizeof *j->team);
    j->unused = pvgi_alloc(order, sizeof *j->unused);
    j->quota = pvgi_alloc(order, sizeof *j->quota);
    j->dither = pvgi_alloc(order, sizeof *j->dither);
    j->set.pairs = pvgi_alloc((size_t)j->edges + 1, sizeof *j->set.pairs);
    return j->starts && j->members && j->last && j->flows && j->open && j->left &&
                   j->places && j->marks && j->listed && j->ends && j->dealt &&
                   j->sorted && j->ranked && j->rank && j->team && j->unused &&
                   j->quota && j->dither && j->set.pairs
               ? PVG_OK
               : pvgi_fail_nomem();
}

int32_t pvgi_derive_configuration(pvg_graph **out, const pvgi_wiring *wiring,
                                  const pvgi_stream *call, pvgi_run *run) {
    pvgi_wiring own = *wiring;
    job j = {.w = &own,
             .call = call,
             .run = run,
             .mixing = wiring->mixing,
             .share = -1.0,
             .trust = -1.0};
    *out = NULL;
    int32_t status = prepare(&j, run);
    if (status == PVG_OK) {
        pvgi_rng_stream_open_chunk(&j.stream, call, 0);
        count_members(&j);
        count_stubs(&j);
        for (int64_t v = 0; v < wiring->order; v++) /* below 1 as a float, too */
            j.dither[v] = (float)(0.999 * pvgi_rng_draw_unit(&j.stream));
        pvgi_rng_stream_close(&j.stream);
        status = pvgi_run_report(run, 0.0);
    }
    if (status == PVG_OK) status = search(out, &j, &own, run);
    if (status != PVG_OK) {
        pvgi_graph_free(*out);
        *out = NULL;
    }
    void *const blocks[] = {j.starts, j.members, j.last,   j.flows,     j.open,
                            j.left,   j.places,  j.marks,  j.listed,    j.ends,
                            j.dealt,  j.sorted,  j.ranked, j.rank,      j.team,
                            j.unused, j.quota,   j.dither, j.set.pairs, j.set.slots};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) pvgi_free(blocks[i]);
    return status;
}
