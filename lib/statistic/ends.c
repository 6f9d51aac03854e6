/* Which degrees meet: products of the degrees at both ends of an edge, added over edges.
 *
 * Node v has the weight w_v = min(d_v, B) / B, and the number is the sum of w_u w_v over
 * edges. An edge {u, v} more is one new term, at most 1, and raises w_u by 1/B if u had
 * fewer than B neighbours: then fewer than B terms rise, each by at most 1/B. The same at
 * v: the number rises by less than 3, whatever the graph. B is a power of two, so that
 * all of this is exact on a grid of 2^-20; it follows from the degree distributions that
 * the same joined statistic has drawn before. O(order + edges). */
#include "statistic_internal.h"

#include <math.h>
#include <stdio.h>

/* CLEAR: deviations of the noise. QUIET: the bound is so large that the noise is no more
 * than 1 / QUIET in units of assortativity, and at least LEAST times the mean degree at
 * the end of an edge: of hubs beyond, only that they are there counts. */
enum { NODES_PER_CHUNK = 512, CLEAR = 3, BITS = 10, QUIET = 80, LEAST = 3 };
static const int32_t unit = 1 << BITS; /* of weights */
static const double change = 3.0;

typedef struct {
    pvgi_joint sum;
    pvg_statistic *distributions; /* part 0 of the joined statistic */
} state;

/* --- the bound ---------------------------------------------------------------------- */

/* Sums of degrees, of their squares and cubes, from noisy levels and the first ranks,
 * as long as they stand clear of their noise. */
static void add_moments(double sums[3], const double *row, const pvgi_degree_shape *d) {
    const double levels = (double)d->levels;
    for (int64_t k = 0; k < d->levels; k++) {
        const double low = (double)k;
        sums[0] += row[k];
        sums[1] += (2.0 * low + 1.0) * row[k];
        sums[2] += (3.0 * low * (low + 1.0) + 1.0) * row[k];
    }
    for (int64_t k = 0; k < d->ranks; k++) {
        const double e = row[d->levels + k];
        if (e <= CLEAR * d->deviation) break; /* ranks fall: beyond is noise */
        sums[0] += e;
        sums[1] += e * (e + 2.0 * levels);
        sums[2] += e * (e * (e + 3.0 * levels) + 3.0 * levels * levels);
    }
}

void pvgi_statistic_ends_frame(pvgi_ends *out, const pvg_statistic *statistic,
                               const double *distributions) {
    const state *s = statistic->state;
    const double noise = pvgi_mechanism_joint_deviation(&s->sum);
    double sums[3] = {0.0, 0.0, 0.0};
    pvgi_degree_shape d;
    pvgi_statistic_degrees_shape(&d, s->distributions);
    for (int64_t g = 0; g < d.groups; g++)
        add_moments(sums, distributions + g * (d.levels + d.ranks + 1), &d);
    /* of the degree at the end of an edge */
    const double mean = sums[0] > 0.0 ? sums[1] / sums[0] : 0.0;
    const double variance = sums[0] > 0.0 ? sums[2] / sums[0] - mean * mean : 0.0;
    const double quiet = 0.5 * sums[0] * variance / (QUIET * noise);
    const double wanted = fmax(LEAST * mean, quiet > 0.0 ? sqrt(quiet) : 0.0);
    /* also for numbers that are no release: these are finite, their sums may not be */
    const int bits = !(wanted > 2.0) ? 1 : wanted < unit ? (int)rint(log2(wanted)) : BITS;
    *out = (pvgi_ends){.bound = ldexp(1.0, bits), .deviation = noise};
}

/* --- drawing ------------------------------------------------------------------------ */

typedef struct {
    const pvg_graph *graph;
    int64_t bound;
    int64_t *sums; /* of the chunks */
} job;

int32_t pvgi_statistic_ends_weight(int64_t degree, int64_t bound) {
    return (int32_t)((degree < bound ? degree : bound) * (unit / bound));
}

static int32_t weight_of(const pvg_graph *graph, int64_t v, int64_t bound) {
    return pvgi_statistic_ends_weight(graph->offsets[v + 1] - graph->offsets[v], bound);
}

int64_t pvgi_statistic_ends_sum(const pvg_graph *graph, int64_t bound, int64_t first,
                                int64_t end) {
    int64_t sum = 0;
    for (int64_t u = first; u < end; u++) {
        int64_t around = 0; /* of neighbours with smaller numbers: each edge once */
        for (int64_t k = graph->offsets[u]; k < graph->offsets[u + 1]; k++) {
            if (graph->columns[k] >= u) break;
            around += weight_of(graph, graph->columns[k], bound);
        }
        sum += weight_of(graph, u, bound) * around;
    }
    return sum;
}

static int32_t add(void *context, int64_t chunk, uint32_t worker) {
    job *j = context;
    const int64_t first = chunk * NODES_PER_CHUNK, end = first + NODES_PER_CHUNK;
    (void)worker;
    j->sums[chunk] = pvgi_statistic_ends_sum(
        j->graph, j->bound, first, end < j->graph->order ? end : j->graph->order);
    return PVG_OK;
}

static int64_t chunks_of(int64_t order) {
    return (order + NODES_PER_CHUNK - 1) / NODES_PER_CHUNK;
}

static size_t bytes(const pvg_statistic *statistic, int64_t order, const pvgi_run *run) {
    (void)statistic;
    (void)run;
    return pvgi_scratch_bytes((size_t)chunks_of(order), sizeof(int64_t));
}

static int32_t draw(double *out, const pvg_statistic *statistic, const pvg_graph *graph,
                    pvgi_scratch *scratch, const pvgi_stream *call, pvgi_run *run) {
    const state *s = statistic->state;
    const int64_t chunks = chunks_of(graph->order);
    job j = {.graph = graph,
             .sums = pvgi_statistic_take(scratch, (size_t)chunks, sizeof *j.sums)};
    int64_t sum = 0, noise = 0;
    pvgi_ends frame;
    if (!j.sums) return PVG_E_INTERNAL;
    pvgi_statistic_ends_frame(&frame, statistic, scratch->before);
    j.bound = (int64_t)frame.bound;
    PVGI_TRY(pvgi_run_chunks(run, chunks, add, &j));
    for (int64_t i = 0; i < chunks; i++) sum += j.sums[i];
    if (call && graph->order > 1) { /* else it is 0 in all graphs */
        pvgi_stream stream;
        pvgi_rng_stream_open_chunk(&stream, call, 0);
        pvgi_mechanism_joint_noise(&noise, 1, &s->sum, &stream);
        pvgi_rng_stream_close(&stream);
    }
    *out = (double)(sum + noise) / ((double)unit * unit);
    return PVG_OK;
}

static void drop(void *memory) {
    state *s = memory;
    pvgi_statistic_free(s->distributions);
}

static void plan(pvgi_preview_point *out, const pvg_statistic *statistic, int64_t column,
                 int64_t order, const pvgi_guess *guess, double times) {
    const state *s = statistic->state;
    const double n = (double)order;
    (void)column;
    (void)guess;
    *out = (pvgi_preview_point){0};
    if (order < 2) return;
    out->range = n * (n - 1.0) / 2.0;
    out->change = change;
    out->noise = pvgi_mechanism_joint_deviation_at(&s->sum, times);
}

static void label(char out[PVGI_PREVIEW_LABEL], const pvg_statistic *statistic,
                  int64_t column) {
    (void)statistic;
    (void)column;
    snprintf(out, PVGI_PREVIEW_LABEL, "ends");
}

static const pvgi_statistic_kind kind = {.word = "ends",
                                         .bytes = bytes,
                                         .draw = draw,
                                         .drop = drop,
                                         .plan = plan,
                                         .label = label};

/* --- the statistic ------------------------------------------------------------------ */

static int32_t describe(pvg_statistic *statistic) {
    const state *s = statistic->state;
    const double n = (double)statistic->order, most = 0.5 * n * (n - 1.0);
    pvgi_columns *c = pvgi_guarantee_columns_begin();
    pvgi_guarantee_columns_add(
        c, &(pvgi_column){.count = 1,
                          .name = "ends",
                          .unit = "degrees of both ends over a bound, at most 1, "
                                  "multiplied and added over edges",
                          .noise = pvgi_statistic_noise_word(PVG_NOISE_LAPLACE)});
    pvgi_guarantee_columns_law(c, &s->sum, 0.0, most);
    return pvgi_guarantee_columns_close(&statistic->guarantee, c);
}

int32_t pvgi_statistic_ends_new(pvg_statistic **out, pvg_statistic *distributions,
                                const pvg_target *target, const char *function) {
    const pvg_guarantee empty = {0};
    pvg_statistic *statistic;
    PVGI_TRY(pvgi_statistic_make(&statistic, &kind, target, &empty, sizeof(state)));
    state *s = statistic->state;
    s->distributions = pvgi_statistic_share(distributions);
    statistic->order = distributions->order;
    statistic->fixed = true;
    statistic->rows = statistic->columns = 1;
    const pvg_joint_config law = {.size = sizeof law,
                                  .dimension = 1,
                                  .l1 = change,
                                  .l2 = change,
                                  .grid = 1.0 / ((double)unit * unit)};
    int32_t status = pvgi_mechanism_joint(&s->sum, function, &law, target);
    if (status == PVG_OK) status = describe(statistic);
    PVGI_TRY(pvgi_statistic_kept(statistic, status));
    pvg_guarantee *g = &statistic->guarantee;
    g->notion = PVG_NOTION_EDGE;
    g->spent = s->sum.spent;
    g->noise = pvgi_statistic_noise_word(PVG_NOISE_LAPLACE);
    g->order = distributions->order;
    g->claim = "release.synthesis";
    pvgi_guarantee_assumption(g, PVGI_ASSUMPTION_NODES);
    *out = statistic;
    return PVG_OK;
}
