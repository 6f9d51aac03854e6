/* Blink (hard): noisy degrees as a prior, randomised response as evidence; an edge is
 * released where its posterior is above 1/2.
 *
 * Prior: the beta model P(ij) = sigmoid(b_i + b_j) fitted to the noisy degrees, clipped
 * to [1, n-2], by b_i <- ln d_i - ln sum_(j != i) 1 / (e^-b_j + e^b_i) from 0. b depends
 * on d_i only, so one value for each of D distinct degrees is iterated: O(D^2) a round.
 * With L = ln((1-f)/f), f the chance of a lie, the log-odds after x of r reports say yes
 * are b_i + b_j + (2x - r) L. So nodes in descending order of b: behind each node come
 * those with which it is joined whatever the reports, then those with which it needs one
 * yes, then two, then none that could be joined. Only reports that decide something are
 * drawn, by skips at the chance that a pair without an edge passes, which has 128 bits:
 * the law is that of drawing all reports. O(n log n + D^2 rounds + edges log + output).
 */
#include "perturb_internal.h"

#include <math.h>
#include <string.h>

enum { NODES_PER_CHUNK = 4096, ROUNDS = 200, LEVELS = 3, EDGES_MAX_LOG2 = 28 };
#define SCALE (INT64_C(1) << 40)

typedef struct {
    double epsilon, share;
    int32_t reports; /* on each pair: 1 or 2 */
    int64_t most;
} state;

/* --- the prior ------------------------------------------------------------------- */

/* One round for the classes of degrees; returns the largest move. */
static double fit_round(double *b, double *up, double *down, const double *degrees,
                        const int64_t *sizes, int64_t classes) {
    double moved = 0.0;
    for (int64_t c = 0; c < classes; c++) up[c] = exp(b[c]), down[c] = exp(-b[c]);
    for (int64_t c = 0; c < classes; c++) {
        double sum = -1.0 / (down[c] + up[c]); /* a node is not its own neighbour */
        for (int64_t k = 0; k < classes; k++) sum += (double)sizes[k] / (down[k] + up[c]);
        const double next = log(degrees[c]) - log(sum);
        moved = fmax(moved, fabs(next - b[c]));
        b[c] = next;
    }
    return moved;
}

int32_t pvgi_perturb_blink_prior(double *b, const int64_t *degrees, int64_t order,
                                 pvgi_run *run) {
    /* degrees lie in [1, order - 2]: how many nodes have each, then which class it is */
    int64_t *classes = pvgi_alloc_zero((size_t)order, sizeof *classes), count = 0;
    double *scratch = NULL;
    int32_t status = PVG_OK;
    if (!classes) return pvgi_fail_nomem();
    for (int64_t i = 0; i < order; i++) classes[degrees[i]]++;
    for (int64_t d = 0; d < order; d++) count += classes[d] > 0;
    scratch = pvgi_alloc_zero((size_t)count, 4 * sizeof *scratch);
    int64_t *sizes = pvgi_alloc((size_t)count, sizeof *sizes);
    if (scratch && sizes) {
        double *fit = scratch, *value = scratch + count, *up = value + count,
               *down = up + count;
        int64_t c = 0;
        for (int64_t d = 0; d < order; d++) {
            if (classes[d] == 0) continue;
            sizes[c] = classes[d];
            value[c] = (double)d;
            classes[d] = c++;
        }
        for (int round = 0; round < ROUNDS && status == PVG_OK; round++) {
            if (fit_round(fit, up, down, value, sizes, count) < 1e-12) break;
            status = pvgi_run_report(run, (double)round / ROUNDS);
        }
        for (int64_t i = 0; i < order; i++) b[i] = fit[classes[degrees[i]]];
    } else {
        status = pvgi_fail_nomem();
    }
    pvgi_free(classes);
    pvgi_free(scratch);
    pvgi_free(sizes);
    return status;
}

/* --- pairs ----------------------------------------------------------------------- */

typedef struct {
    uint64_t high, low;
} chance;

/* Level l: at least l yes among the reports. */
typedef struct {
    const pvg_graph *graph;
    const double *b; /* in the order of places, descending */
    const int32_t *nodes, *places;
    int32_t reports;
    double least[LEVELS];   /* of b_i + b_j, for l yes to suffice */
    chance edge[LEVELS];    /* that a pair with an edge has l yes */
    chance none[LEVELS];    /* ... without */
    pvgi_skip skip[LEVELS]; /* the same; for chances up to 1/2 */
} pairs;

static chance chance_of(unsigned __int128 value) {
    return (chance){(uint64_t)(value >> 64), (uint64_t)value};
}

static void set_levels(pairs *p, uint64_t lie) {
    typedef unsigned __int128 wide;
    const uint64_t truth = 0 - lie; /* 2^64 - lie */
    const double weight = log((double)truth) - log((double)lie);
    for (int32_t l = 0; l <= p->reports; l++)
        p->least[l] = (double)(p->reports - 2 * l) * weight;
    if (p->reports == 1) {
        p->edge[1] = (chance){truth, 0};
        p->none[1] = (chance){lie, 0};
    } else { /* one of two: 1 - (1 - a)^2 = a (2 - a), which 2^128 does not reach */
        p->edge[1] = chance_of((wide)0 - (wide)lie * lie);
        p->none[1] = chance_of((wide)0 - (wide)truth * truth);
        p->edge[2] = chance_of((wide)truth * truth);
        p->none[2] = chance_of((wide)lie * lie);
    }
    for (int32_t l = 1; l <= p->reports; l++)
        if (p->none[l].high < UINT64_C(1) << 63)
            p->skip[l] = pvgi_rng_skip(p->none[l].high, p->none[l].low);
}

/* What b of a partner must exceed for `level` yes to suffice. Pairs with and without an
 * edge are judged by this one expression: if rounding could tell them apart, a pair might
 * be released only if it is an edge. */
static double limit_of(const pairs *p, int64_t place, int level) {
    return p->least[level] - p->b[place];
}

/* The first place from `from` on whose b does not exceed `limit`. */
static int64_t reach(const pairs *p, int64_t from, double limit) {
    int64_t low = from, high = p->graph->order;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (p->b[middle] > limit)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* For place < other. */
static int level_of(const pairs *p, int64_t place, int64_t other) {
    int level = 0;
    while (level <= p->reports && !(p->b[other] > limit_of(p, place, level))) level++;
    return level;
}

/* Places from..to-1 behind a node that have no edge with it and pass at this level. */
static int32_t draw_range(pvgi_gather *out, const pairs *p, int64_t node, int64_t from,
                          int64_t to, int level, pvgi_stream *stream) {
    const int32_t *row = p->graph->columns + p->graph->offsets[node];
    const int64_t degree = p->graph->offsets[node + 1] - p->graph->offsets[node];
    const chance pass = p->none[level];
    const bool skips = level > 0 && pass.high < UINT64_C(1) << 63;
    for (int64_t at = from; at < to; at++) {
        if (skips) {
            at +=
                (int64_t)pvgi_rng_draw_skip(&p->skip[level], stream, (uint64_t)(to - at));
            if (at >= to) break;
        } else if (level > 0 && !pvgi_rng_draw_chance(stream, pass.high, pass.low)) {
            continue;
        }
        if (pvgi_graph_row_find(row, degree, p->nodes[at]) < 0)
            PVGI_TRY(pvgi_perturb_gather_add(out, p->nodes[at]));
    }
    return PVG_OK;
}

static int32_t draw_row(pvgi_gather *out, const void *context, int64_t place,
                        pvgi_stream *stream) {
    const pairs *p = context;
    const pvg_graph *g = p->graph;
    const int64_t node = p->nodes[place];
    for (int64_t i = g->offsets[node]; i < g->offsets[node + 1]; i++) {
        const int64_t other = p->places[g->columns[i]];
        if (other < place) continue;
        const int level = level_of(p, place, other);
        if (level > p->reports) continue;
        const chance pass = p->edge[level];
        if (level == 0 || pvgi_rng_draw_chance(stream, pass.high, pass.low))
            PVGI_TRY(pvgi_perturb_gather_add(out, g->columns[i]));
    }
    int64_t from = place + 1;
    for (int level = 0; level <= p->reports; level++) {
        const int64_t to = reach(p, from, limit_of(p, place, level));
        PVGI_TRY(draw_range(out, p, node, from, to, level, stream));
        from = to;
    }
    return PVG_OK;
}

/* How many pairs without an edge are expected to pass, if none had one: from noisy
 * degrees. */
static double expected_size(const pairs *p) {
    double sum = 0.0;
    for (int64_t place = 0; place < p->graph->order; place++) {
        int64_t from = place + 1;
        for (int level = 0; level <= p->reports; level++) {
            const int64_t to = reach(p, from, limit_of(p, place, level));
            sum += (double)(to - from) *
                   (level ? (double)p->none[level].high * 0x1p-64 : 1.0);
            from = to;
        }
    }
    return sum;
}

/* Descending b, ties by number: (bits of b, turned around; node) sorted as pairs. */
typedef struct {
    double b;
    int32_t node;
} placed;

static int compare(const void *left, const void *right) {
    const placed *x = left, *y = right;
    if (x->b != y->b) return x->b > y->b ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

static void heap_down(placed *items, int64_t root, int64_t count) {
    for (int64_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && compare(&items[child], &items[child + 1]) < 0) child++;
        if (compare(&items[root], &items[child]) >= 0) return;
        const placed swap = items[root];
        items[root] = items[child];
        items[child] = swap;
    }
}

/* In place, no scratch: qsort may allocate behind the library's back. */
static void sort_places(placed *items, int64_t count) {
    for (int64_t root = count / 2 - 1; root >= 0; root--) heap_down(items, root, count);
    for (int64_t last = count - 1; last > 0; last--) {
        const placed swap = items[0];
        items[0] = items[last];
        items[last] = swap;
        heap_down(items, 0, last);
    }
}

/* The lists of places as a graph. */
static int32_t join(pvg_graph **out, const pvgi_lists *lists, const int32_t *nodes,
                    pvgi_run *run) {
    const int64_t entries = lists->offsets[lists->order];
    uint64_t *edges = pvgi_alloc((size_t)entries, sizeof *edges);
    if (!edges) return pvgi_fail_nomem();
    for (int64_t place = 0; place < lists->order; place++)
        for (int64_t i = lists->offsets[place]; i < lists->offsets[place + 1]; i++)
            edges[i] =
                pvgi_edge_pack((uint64_t)nodes[place], (uint64_t)lists->targets[i]);
    return pvgi_graph_from_packed(out, NULL, lists->order, edges, entries,
                                  PVG_EDGES_STRICT, run);
}

int32_t pvgi_perturb_blink_pairs(pvg_graph **out, const pvg_graph *graph, const double *b,
                                 uint64_t lie, int32_t reports, int64_t most,
                                 const pvgi_stream *call, pvgi_run *run) {
    const int64_t order = graph->order;
    placed *items = pvgi_alloc((size_t)order, sizeof *items);
    double *sorted = pvgi_alloc((size_t)order, sizeof *sorted);
    int32_t *nodes = pvgi_alloc((size_t)order, 2 * sizeof *nodes);
    pvgi_lists *lists = NULL;
    int32_t status = PVG_OK;
    if (!items || !sorted || !nodes) {
        status = pvgi_fail_nomem();
        goto done;
    }
    for (int64_t i = 0; i < order; i++) items[i] = (placed){b[i], (int32_t)i};
    sort_places(items, order);
    for (int64_t i = 0; i < order; i++) {
        sorted[i] = items[i].b;
        nodes[i] = items[i].node;
        nodes[order + items[i].node] = (int32_t)i;
    }
    pairs p = {.graph = graph,
               .b = sorted,
               .nodes = nodes,
               .places = nodes + order,
               .reports = reports};
    set_levels(&p, lie);
    const double expect = expected_size(&p);
    if (most > 0 && expect > (double)most) {
        status = pvgi_fail(PVG_E_LIMIT,
                           "blink: about %.3g edges are expected, more than "
                           "edge-limit, %lld",
                           expect, (long long)most);
        goto done;
    }
    PVGI_TRY_DONE(pvgi_run_reserve(run, pvgi_size_mul((size_t)expect, 12)));
    PVGI_TRY_DONE(pvgi_perturb_gather(&lists, order, draw_row, &p, call, run));
    status = join(out, lists, nodes, run);
done:
    pvgi_graph_lists_free(lists);
    pvgi_free(items);
    pvgi_free(sorted);
    pvgi_free(nodes);
    return status;
}

/* --- the method ------------------------------------------------------------------ */

/* eps of a degree in units of 1 / SCALE, down; what is left for the reports on a pair. */
static int64_t split(double *entries, const state *s) {
    const double reports = (double)s->reports;
    const double first =
        s->epsilon * s->share / (2.0 * s->share + reports * (1.0 - s->share));
    const double units = floor(first * (double)SCALE);
    const int64_t laplace = units < 0x1p48 ? (int64_t)units : INT64_C(1) << 48;
    *entries =
        (s->epsilon - 2.0 * (double)laplace / (double)SCALE) / reports * (1.0 - 0x1p-50);
    return laplace;
}

typedef struct {
    const pvg_graph *graph;
    const pvgi_stream *call;
    int64_t laplace, *degrees;
} degree_job;

static int32_t draw_degrees(void *context, int64_t chunk, uint32_t worker) {
    const degree_job *j = context;
    const int64_t order = j->graph->order, first = chunk * NODES_PER_CHUNK;
    const int64_t last =
        first + NODES_PER_CHUNK < order ? first + NODES_PER_CHUNK : order;
    pvgi_stream stream;
    (void)worker;
    pvgi_rng_stream_open_chunk(&stream, j->call, (uint64_t)chunk);
    pvgi_rng_draw_noise(j->degrees + first, last - first, PVGI_NOISE_DISCRETE_LAPLACE,
                        SCALE, j->laplace, &stream);
    pvgi_rng_stream_close(&stream);
    for (int64_t i = first; i < last; i++) {
        int64_t degree = j->degrees[i] + j->graph->offsets[i + 1] - j->graph->offsets[i];
        if (degree > order - 2) degree = order - 2;
        j->degrees[i] = degree > 1 ? degree : 1;
    }
    return PVG_OK;
}

static int32_t check(const pvg_perturber *perturber, const pvgi_perturb_input *input,
                     const pvgi_run *run, const char *function) {
    double entries;
    PVGI_REQUIRE(input->graph->order >= 3, "%s: the graph has fewer than 3 nodes",
                 function);
    if (split(&entries, perturber->state) < 1)
        return pvgi_fail(PVG_E_LIMIT, "%s: epsilon leaves less than 2^-40 for a degree",
                         function);
    return pvgi_run_reserve(run, pvgi_size_mul((size_t)input->graph->order, 64));
}

static int32_t draw(pvgi_content *out, const pvg_perturber *perturber,
                    const pvgi_perturb_input *input, const pvgi_stream *call,
                    pvgi_run *run) {
    const state *s = perturber->state;
    const int64_t order = input->graph->order;
    double entries, *b = NULL;
    degree_job j = {input->graph, call, split(&entries, s), NULL};
    int32_t status = PVG_OK;
    j.degrees = pvgi_alloc((size_t)order, sizeof *j.degrees);
    b = pvgi_alloc((size_t)order, sizeof *b);
    if (!j.degrees || !b) {
        status = pvgi_fail_nomem();
        goto done;
    }
    pvgi_run_phase(run, 0.0, 0.05);
    PVGI_TRY_DONE(pvgi_run_chunks(run, (order + NODES_PER_CHUNK - 1) / NODES_PER_CHUNK,
                                  draw_degrees, &j));
    pvgi_run_phase(run, 0.05, 0.25);
    PVGI_TRY_DONE(pvgi_perturb_blink_prior(b, j.degrees, order, run));
    pvgi_run_phase(run, 0.3, 0.7);
    status = pvgi_perturb_blink_pairs(&out->graph, input->graph, b,
                                      pvgi_rng_flip_threshold(entries), s->reports,
                                      s->most, call, run);
done:
    pvgi_free(j.degrees);
    pvgi_free(b);
    return status;
}

static pvgi_perturb_number number(const pvg_perturber *perturber, int64_t line,
                                  int64_t order) {
    const state *s = perturber->state;
    double entries;
    const double degree = (double)split(&entries, s) / (double)SCALE;
    return pvgi_perturb_list_number(entries, degree, line, order);
}

static const pvgi_perturb_method method = {.input = PVG_PERTURBS_GRAPH,
                                           .check = check,
                                           .draw = draw,
                                           .number = number,
                                           .one = "an edge",
                                           .all = "degree of a node"};

int32_t pvgi_perturb_blink_new(pvg_perturber **out, const pvg_blink_config *config,
                               const pvg_target *target) {
    const bool both = config->reports == PVG_BLINK_PUBLISHED;
    pvg_guarantee guarantee = {
        .notion = PVG_NOTION_RELATIONSHIP,
        .spent = pvgi_perturb_pure(target->epsilon),
        .also_notion = PVG_NOTION_EDGE_LDP,
        .also = pvgi_perturb_pure(both ? 0.5 * target->epsilon : target->epsilon),
        .noise = "randomised response on pairs, discrete Laplace on degrees, then the "
                 "likelier answer",
        .claim = "perturb.blink"};
    pvgi_guarantee_assumption(&guarantee, PVGI_ASSUMPTION_NODES);
    pvgi_guarantee_assumption(&guarantee,
                              "each edge counts in the degrees of both ends, and is "
                              "reported by %s",
                              both ? "both" : "its end with the lower number only");
    PVGI_TRY(pvgi_perturb_make(out, &method, target, &guarantee, sizeof(state)));
    *(state *)(*out)->state =
        (state){.epsilon = target->epsilon,
                .share = config->degree_share > 0.0 ? config->degree_share : 0.1,
                .reports = both ? 2 : 1,
                .most = config->edge_limit > 0 ? config->edge_limit
                                               : INT64_C(1) << EDGES_MAX_LOG2};
    return PVG_OK;
}
