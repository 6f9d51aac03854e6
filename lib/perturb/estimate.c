/* Counts of the private graph from a graph released by randomised response.
 *
 * A pair shows b = 1 with chance k if it has an edge, a if not. h = (b - a)/(k - a) has
 * the mean 1 or 0 that is hidden, and pairs are independent: a product of h over
 * different pairs has the mean of the product of the hidden bits. So sums of such
 * products are unbiased:
 *
 *   edges      sum of h                    degree   sum of h over the pairs of a node
 *   triangles  sum over triples of h h h = (t - a w + a^2 m (n-2) - a^3 C(n,3))/(k-a)^3,
 *              where the released graph has m edges, w paths of two edges, t triangles
 *
 * Variances depend on the hidden graph; what is given is an unbiased estimate of them. A
 * hidden bit is its own square, so h^2 - h estimates the variance of h, h^2 its second
 * moment. Two triples that share a pair e, with third nodes x and y, have covariance
 * Var(h_e) times four bits; with g_x = product of the two other h, S = sum of g over x
 * and Q = sum of g^2, the variance of triangles is estimated by
 *
 *   sum over triples of (h h h)^2 - h h h  +  sum over pairs of (h^2 - h)(S^2 - Q).
 *
 * S depends on the common neighbours c of a pair and its degrees, so what has to be
 * counted is: triangles, c^2 over all pairs (through cycles of four edges), and the same
 * over edges. For each node and each neighbour of lower rank (degree, then number) its
 * row is read: O(edges^1.5) at most. */
#include "perturb_internal.h"

#include <string.h>

typedef unsigned __int128 wide;

enum { NODES_PER_CHUNK = 256 };

/* What is counted in the released graph. x = sum of the two degrees of a pair, less the
 * ends of its own edge. */
typedef struct {
    wide closed;           /* common neighbours summed over edges: 3 t */
    wide squares;          /* their squares */
    wide mixed;            /* their products with x */
    wide reach, reach_two; /* x and x^2 over edges */
    wide fours;            /* cycles of four edges */
    wide steps;            /* sum over nodes of (degree - 1) times degrees next to it */
} histogram;

typedef struct {
    const pvg_graph *graph;
    const int32_t *rank;
    bool spread; /* also what variances need */
    histogram *parts;
    int32_t **marks; /* per worker: 2 * order, zero between chunks */
} job;

static inline int64_t degree_of(const pvg_graph *graph, int64_t node) {
    return graph->offsets[node + 1] - graph->offsets[node];
}

/* --- counting ------------------------------------------------------------------- */

/* Nodes by degree, counting sort; rank[v] is the place of v. cursor: order + 1. */
static void rank_nodes(int32_t *rank, int64_t *cursor, const pvg_graph *graph) {
    memset(cursor, 0, (size_t)(graph->order + 1) * sizeof *cursor);
    for (int64_t v = 0; v < graph->order; v++) cursor[degree_of(graph, v) + 1]++;
    for (int64_t d = 0; d < graph->order; d++) cursor[d + 1] += cursor[d];
    for (int64_t v = 0; v < graph->order; v++)
        rank[v] = (int32_t)cursor[degree_of(graph, v)]++;
}

/* The pairs and cycles of which v is the end of highest rank. */
static void count_node(histogram *sum, const job *j, int64_t v, int32_t *next_to,
                       int32_t *paths) {
    const pvg_graph *graph = j->graph;
    const int32_t *const row = graph->columns + graph->offsets[v];
    const int64_t degree = degree_of(graph, v);
    uint64_t around = 0;
    for (int64_t i = 0; i < degree; i++) {
        next_to[row[i]] = 1;
        around += (uint64_t)degree_of(graph, row[i]);
    }
    if (degree > 0) sum->steps += (wide)around * (uint64_t)(degree - 1);
    for (int64_t i = 0; i < degree; i++) {
        const int32_t u = row[i];
        if (j->rank[u] > j->rank[v]) continue;
        const int32_t *const end = graph->columns + graph->offsets[u + 1];
        uint64_t common = 0, fours = 0;
        for (const int32_t *w = graph->columns + graph->offsets[u]; w < end; w++) {
            common += (uint64_t)next_to[*w];
            if (j->spread && j->rank[*w] < j->rank[v]) fours += (uint64_t)paths[*w]++;
        }
        const uint64_t x = (uint64_t)(degree + degree_of(graph, u) - 2);
        sum->closed += common;
        sum->squares += (wide)common * common;
        sum->mixed += (wide)common * x;
        sum->reach += x;
        sum->reach_two += (wide)x * x;
        sum->fours += fours;
    }
    for (int64_t i = 0; i < degree; i++) {
        const int32_t u = row[i];
        next_to[u] = 0;
        if (!j->spread || j->rank[u] > j->rank[v]) continue;
        for (int64_t e = graph->offsets[u]; e < graph->offsets[u + 1]; e++)
            paths[graph->columns[e]] = 0;
    }
}

static int32_t count_chunk(void *context, int64_t chunk, uint32_t worker) {
    const job *j = context;
    const int64_t order = j->graph->order, first = chunk * NODES_PER_CHUNK;
    const int64_t last =
        first + NODES_PER_CHUNK < order ? first + NODES_PER_CHUNK : order;
    for (int64_t v = first; v < last; v++)
        count_node(&j->parts[chunk], j, v, j->marks[worker], j->marks[worker] + order);
    return PVG_OK;
}

static void add_histogram(histogram *sum, const histogram *part) {
    sum->closed += part->closed;
    sum->squares += part->squares;
    sum->mixed += part->mixed;
    sum->reach += part->reach;
    sum->reach_two += part->reach_two;
    sum->fours += part->fours;
    sum->steps += part->steps;
}

static int32_t count(histogram *sum, const pvg_graph *graph, bool spread, pvgi_run *run) {
    const size_t order = (size_t)graph->order;
    const int64_t chunks = (graph->order + NODES_PER_CHUNK - 1) / NODES_PER_CHUNK;
    const uint32_t workers = pvgi_run_workers(run, chunks);
    int32_t *marks[PVG_THREADS_MAX] = {0};
    job j = {.graph = graph, .spread = spread, .marks = marks};
    int32_t status = PVG_OK;
    memset(sum, 0, sizeof *sum);
    PVGI_TRY(pvgi_run_reserve(run, order * (12 + 8 * (size_t)workers) +
                                       (size_t)chunks * sizeof *j.parts));
    int32_t *rank = pvgi_alloc(order, sizeof *rank);
    int64_t *cursor = pvgi_alloc(order + 2, sizeof *cursor);
    bool whole = rank && cursor;
    if (whole) rank_nodes(rank, cursor, graph);
    pvgi_free(cursor);
    j.rank = rank;
    j.parts = pvgi_alloc_zero((size_t)chunks, sizeof *j.parts);
    whole = whole && j.parts;
    for (uint32_t w = 0; whole && w < workers; w++) {
        marks[w] = pvgi_alloc_zero(order, 2 * sizeof *marks[w]);
        whole = marks[w] != NULL;
    }
    status = whole ? pvgi_run_chunks(run, chunks, count_chunk, &j) : pvgi_fail_nomem();
    for (int64_t c = 0; status == PVG_OK && c < chunks; c++)
        add_histogram(sum, &j.parts[c]);
    for (uint32_t w = 0; w < workers; w++) pvgi_free(marks[w]);
    pvgi_free(j.parts);
    pvgi_free(rank);
    return status;
}

/* --- estimates ------------------------------------------------------------------ */

/* The chances as numbers; their difference without cancellation. */
typedef struct {
    long double keep, add, gap, not_keep, not_add;
} chances;

static chances chances_of(const pvgi_response *response) {
    const long double unit = 0x1p-64L;
    return (chances){.keep = unit * (long double)response->keep,
                     .add = unit * (long double)response->add,
                     .gap = unit * (long double)(response->keep - response->add),
                     .not_keep = unit * (long double)(0 - response->keep),
                     .not_add = unit * (long double)(0 - response->add)};
}

static int32_t check_declared(const pvgi_response *response, const char *function) {
    if (response->keep > response->add) return PVG_OK;
    return pvgi_fail(PVG_E_NUMERIC,
                     "%s: epsilon is so small that the released graph tells nothing",
                     function);
}

/* Sum of h over `pairs` pairs of which `shown` show an edge, and of h^2 - h, which is
 * (1-a)(1-k)/(k-a)^2 where b = 1 and a k/(k-a)^2 where b = 0. */
static void sum_pairs(double *out, double *variance, const chances *c, int64_t shown,
                      int64_t pairs) {
    const long double m = (long double)shown, n = (long double)pairs;
    if (out) *out = (double)((m * c->not_add - (n - m) * c->add) / c->gap);
    if (variance)
        *variance = (double)((m * c->not_add * c->not_keep + (n - m) * c->add * c->keep) /
                             (c->gap * c->gap));
}

int32_t pvgi_perturb_estimate_edges(double *out, double *variance,
                                    const pvgi_response *response, const pvg_graph *graph,
                                    const char *function) {
    PVGI_TRY(check_declared(response, function));
    const chances c = chances_of(response);
    sum_pairs(out, variance, &c, graph->size, pvgi_perturb_pairs(graph->order));
    return PVG_OK;
}

int32_t pvgi_perturb_estimate_degrees(double *out, double *variances,
                                      const pvgi_response *response,
                                      const pvg_graph *graph, const char *function) {
    PVGI_TRY(check_declared(response, function));
    const chances c = chances_of(response);
    for (int64_t v = 0; v < graph->order; v++)
        sum_pairs(out ? out + v : NULL, variances ? variances + v : NULL, &c,
                  degree_of(graph, v), graph->order - 1);
    return PVG_OK;
}

/* Sum over triples of the product of (low + step b) over their three pairs. */
static long double sum_triples(long double low, long double step, long double triangles,
                               long double paths, long double m, long double n) {
    const long double none = n * (n - 1) * (n - 2) / 6;
    return step * step * step * triangles + step * step * low * paths +
           step * low * low * m * (n - 2) + low * low * low * none;
}

/* Sum over pairs of S^2 - Q, given over the same pairs: how many (pairs), and the sums of
 * c, c^2, c x, x, x^2. S = (c - a x + a^2 (n-2)) / (k-a)^2; Q likewise with h^2 = low +
 * step b. */
typedef struct {
    long double pairs, c, cc, cx, x, xx;
} pair_sums;

static long double sum_shared(const pair_sums *s, const chances *c, long double low,
                              long double step, long double n) {
    const long double a = c->add, rest = a * a * (n - 2);
    const long double gap_two = c->gap * c->gap;
    const long double square = s->cc - 2 * a * s->cx + 2 * rest * s->c + a * a * s->xx -
                               2 * a * rest * s->x + rest * rest * s->pairs;
    const long double alone =
        step * step * s->c + low * step * s->x + low * low * (n - 2) * s->pairs;
    return square / (gap_two * gap_two) - alone;
}

int32_t pvgi_perturb_estimate_triangles(double *out, double *variance,
                                        const pvgi_response *response,
                                        const pvg_graph *graph, pvgi_run *run,
                                        const char *function) {
    histogram t;
    PVGI_TRY(check_declared(response, function));
    const chances c = chances_of(response);
    PVGI_TRY(count(&t, graph, variance != NULL, run));
    const long double n = (long double)graph->order, m = (long double)graph->size;
    const wide found = t.closed / 3; /* each triangle was met three times */
    const long double triangles = (long double)found;
    wide degree_two = 0;
    for (int64_t v = 0; v < graph->order; v++)
        degree_two += (wide)degree_of(graph, v) * (uint64_t)degree_of(graph, v);
    const long double dd = (long double)degree_two, paths = (dd - 2 * m) / 2;
    const long double estimate =
        n < 3 ? 0 : sum_triples(-c.add / c.gap, 1 / c.gap, triangles, paths, m, n);
    if (variance && n >= 3) {
        const long double gap_two = c.gap * c.gap;
        const long double low = c.add * c.add / gap_two;
        const long double step = (c.not_add - c.add) / gap_two;
        const long double closed = (long double)t.closed;
        const pair_sums all = {.pairs = n * (n - 1) / 2,
                               .c = paths,
                               .cc = 4 * (long double)t.fours + paths,
                               .cx = (long double)t.steps - 2 * closed,
                               .x = 2 * m * (n - 2),
                               .xx = (n - 6) * dd + 4 * m * m + 4 * m};
        const pair_sums shown = {.pairs = m,
                                 .c = closed,
                                 .cc = (long double)t.squares,
                                 .cx = (long double)t.mixed,
                                 .x = (long double)t.reach,
                                 .xx = (long double)t.reach_two};
        const long double absent = c.add * c.keep / gap_two;
        const long double present = c.not_add * c.not_keep / gap_two;
        *variance = (double)(sum_triples(low, step, triangles, paths, m, n) - estimate +
                             absent * sum_shared(&all, &c, low, step, n) +
                             (present - absent) * sum_shared(&shown, &c, low, step, n));
    }
    if (variance && n < 3) *variance = 0.0;
    if (out) *out = (double)estimate;
    return PVG_OK;
}
