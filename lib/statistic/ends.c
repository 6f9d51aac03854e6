/* Which degrees meet: products of the degrees at both ends of an edge, added over edges.
 *
 * Two rounds. First every node gets z = degree + discrete Laplace noise; an edge moves
 * two degrees by one, so L1 is 2. Then, z being fixed, node v has the weight
 *
 *     w_v = (z_v - c) / B, cut to [-1, 1] and rounded to 2^-10,
 *
 * and the number is the sum of w_u w_v over edges, plus noise on its grid 2^-20: one edge
 * is one term, so it moves by at most 1, whatever z was. Half of epsilon each, pure. c
 * and B follow from the degree diagrams that the same joined statistic has drawn before:
 * c is the mean degree at the end of an edge, B is CUT deviations of the degrees. z is
 * not given out; it is paid for. The noise of z is independent of the graph, so the mean
 * of the number is the sum of W(d_u) W(d_v) over edges, W(d) = E[w | degree d], without
 * bias by cut or noise: who compares graphs by that sum needs no correction.
 * O(order + edges). */
#include "statistic_internal.h"

#include <math.h>
#include <stdio.h>

/* CUT: pairs of two hubs beyond are rare, and noise grows with its square */
enum { NODES_PER_CHUNK = 512, CUT = 12, CLEAR = 3 };
static const int32_t unit = 1 << 10; /* of weights */

typedef struct {
    pvgi_joint degrees, sum;
    pvg_statistic *diagrams; /* part 0 of the joined statistic */
} state;

/* --- centre and bound --------------------------------------------------------------- */

/* Sums of degrees and of their squares, from noisy levels and those ranks that stand
 * clear of their noise. */
static void add_moments(double *first, double *second, const double *row,
                        const pvgi_diagrams *d) {
    const double levels = (double)d->levels;
    for (int64_t k = 0; k < d->levels; k++) {
        *first += row[k];
        *second += (2.0 * (double)k + 1.0) * row[k];
    }
    for (int64_t k = 0; k < d->ranks; k++) {
        const double e = row[d->levels + k];
        if (e <= CLEAR * d->deviation) continue;
        *first += e;
        *second += e * (e + 2.0 * levels);
    }
}

void pvgi_statistic_ends_frame(pvgi_ends *out, const pvg_statistic *statistic,
                               const double *diagrams) {
    const state *s = statistic->state;
    const double n = (double)statistic->order, most = n > 1.0 ? n - 1.0 : 1.0;
    double first = 0.0, second = 0.0;
    pvgi_diagrams d;
    pvgi_statistic_degrees_shape(&d, s->diagrams);
    for (int64_t g = 0; g < d.groups; g++)
        add_moments(&first, &second, diagrams + g * (d.levels + d.ranks + 1), &d);
    const double mean = first / n, variance = second / n - mean * mean;
    *out = (pvgi_ends){.centre = first > 0.0 && second > 0.0 ? second / first : 0.0,
                       .bound = variance > 1.0 ? CUT * sqrt(variance) : CUT,
                       .rate = 1.0 / s->degrees.scale,
                       .spread = pvgi_mechanism_joint_deviation(&s->degrees),
                       .deviation = pvgi_mechanism_joint_deviation(&s->sum)};
    /* also for numbers that are no release: these are finite, their sums may not be */
    if (!(out->centre <= most)) out->centre = most;
    if (!(out->bound <= CUT * n)) out->bound = CUT * n;
}

/* --- drawing ------------------------------------------------------------------------ */

typedef struct {
    const state *s;
    const pvg_graph *graph;
    const pvgi_stream *noise; /* of the first round, or NULL */
    pvgi_ends frame;
    int32_t *weights;
    int64_t *sums; /* of the chunks */
} job;

static int64_t end_of(const job *j, int64_t chunk) {
    const int64_t end = (chunk + 1) * NODES_PER_CHUNK;
    return end < j->graph->order ? end : j->graph->order;
}

static int32_t weigh(void *context, int64_t chunk, uint32_t worker) {
    job *j = context;
    const int64_t first = chunk * NODES_PER_CHUNK, many = end_of(j, chunk) - first;
    int64_t noise[NODES_PER_CHUNK] = {0};
    (void)worker;
    if (j->noise) {
        pvgi_stream stream;
        pvgi_rng_stream_open_chunk(&stream, j->noise, (uint64_t)chunk);
        pvgi_mechanism_joint_noise(noise, many, &j->s->degrees, &stream);
        pvgi_rng_stream_close(&stream);
    }
    for (int64_t i = 0; i < many; i++) {
        const int64_t *offsets = j->graph->offsets + first + i;
        const double z = (double)(offsets[1] - offsets[0]) + (double)noise[i];
        const double w = (z - j->frame.centre) / j->frame.bound;
        j->weights[first + i] = (int32_t)rint(unit * fmax(-1.0, fmin(1.0, w)));
    }
    pvgi_wipe(noise, sizeof noise);
    return PVG_OK;
}

int64_t pvgi_statistic_ends_sum(const pvg_graph *graph, const int32_t *weights,
                                int64_t first, int64_t end) {
    int64_t sum = 0;
    for (int64_t u = first; u < end; u++) {
        int64_t around = 0; /* of neighbours with smaller numbers: each edge once */
        for (int64_t k = graph->offsets[u]; k < graph->offsets[u + 1]; k++) {
            if (graph->columns[k] >= u) break;
            around += weights[graph->columns[k]];
        }
        sum += weights[u] * around;
    }
    return sum;
}

static int32_t add(void *context, int64_t chunk, uint32_t worker) {
    job *j = context;
    (void)worker;
    j->sums[chunk] = pvgi_statistic_ends_sum(j->graph, j->weights,
                                             chunk * NODES_PER_CHUNK, end_of(j, chunk));
    return PVG_OK;
}

static int64_t chunks_of(int64_t order) {
    return (order + NODES_PER_CHUNK - 1) / NODES_PER_CHUNK;
}

static size_t bytes(const pvg_statistic *statistic, int64_t order, const pvgi_run *run) {
    (void)statistic;
    (void)run;
    return pvgi_size_add(pvgi_room_bytes((size_t)order, sizeof(int32_t)),
                         pvgi_room_bytes((size_t)chunks_of(order), sizeof(int64_t)));
}

static int32_t draw(double *out, const pvg_statistic *statistic, const pvg_graph *graph,
                    pvgi_room *room, const pvgi_stream *call, pvgi_run *run) {
    const state *s = statistic->state;
    const int64_t chunks = chunks_of(graph->order);
    job j = {.s = s,
             .graph = graph,
             .weights =
                 pvgi_statistic_take(room, (size_t)graph->order, sizeof *j.weights),
             .sums = pvgi_statistic_take(room, (size_t)chunks, sizeof *j.sums)};
    int64_t sum = 0, noise = 0;
    pvgi_stream first;
    if (!j.weights || !j.sums) return PVG_E_INTERNAL;
    pvgi_statistic_ends_frame(&j.frame, statistic, room->before);
    if (call) {
        pvgi_rng_stream_open_chunk(&first, call, 0);
        j.noise = &first;
    }
    int32_t status = pvgi_run_chunks(run, chunks, weigh, &j);
    if (call) pvgi_rng_stream_close(&first);
    if (status == PVG_OK) status = pvgi_run_chunks(run, chunks, add, &j);
    PVGI_TRY(status);
    for (int64_t i = 0; i < chunks; i++) sum += j.sums[i];
    if (call && graph->order > 1) { /* else it is 0 in all graphs */
        pvgi_stream stream;
        pvgi_rng_stream_open_chunk(&stream, call, 1);
        pvgi_mechanism_joint_noise(&noise, 1, &s->sum, &stream);
        pvgi_rng_stream_close(&stream);
    }
    *out = (double)(sum + noise) / ((double)unit * unit);
    return PVG_OK;
}

static void drop(void *memory) {
    state *s = memory;
    pvgi_statistic_free(s->diagrams);
}

/* With the noise of the sum; that of the degrees follows the graph. */
static void plan(pvgi_tradeoff_point *out, const pvg_statistic *statistic, int64_t column,
                 int64_t order, int64_t common, double times) {
    const state *s = statistic->state;
    const double n = (double)order;
    (void)column;
    (void)common;
    *out = (pvgi_tradeoff_point){0};
    if (order < 2) return;
    out->range = n * (n - 1.0) / 2.0;
    out->change = 1.0;
    out->noise = pvgi_mechanism_joint_deviation_at(&s->sum, times);
}

static void label(char out[PVGI_TRADEOFF_LABEL], const pvg_statistic *statistic,
                  int64_t column) {
    (void)statistic;
    (void)column;
    snprintf(out, PVGI_TRADEOFF_LABEL, "ends");
}

static const pvgi_statistic_kind kind = {.word = "ends",
                                         .bytes = bytes,
                                         .draw = draw,
                                         .drop = drop,
                                         .plan = plan,
                                         .label = label};

/* --- the statistic ------------------------------------------------------------------ */

static int32_t calibrate(state *s, const pvg_target *target, int64_t order,
                         const char *function) {
    const double grid = 1.0 / ((double)unit * unit);
    const pvg_joint_config degrees = {
        .size = sizeof degrees, .dimension = order, .l1 = 2.0, .l2 = 2.0, .grid = 1.0};
    const pvg_joint_config sum = {
        .size = sizeof sum, .dimension = 1, .l1 = 1.0, .l2 = 1.0, .grid = grid};
    pvg_target half = *target;
    half.epsilon = 0.5 * target->epsilon;
    PVGI_TRY(pvgi_mechanism_joint(&s->degrees, function, &degrees, &half));
    return pvgi_mechanism_joint(&s->sum, function, &sum, &half);
}

static int32_t describe(pvg_statistic *statistic) {
    const double n = (double)statistic->order, most = 0.5 * n * (n - 1.0);
    pvgi_columns *c = pvgi_guarantee_columns_begin();
    pvgi_guarantee_columns_add(
        c, &(pvgi_column){.count = 1,
                          .name = "noisy degrees of both ends, centred, cut to [-1, 1] "
                                  "and multiplied, added over edges",
                          .noise = "discrete Laplace on degrees and on the sum"});
    pvgi_guarantee_columns_table(c, 0);
    pvgi_guarantee_columns_measure(
        c, 0, (pvgi_measure){-most, most, 1.0 / ((double)unit * unit), (double)NAN});
    return pvgi_guarantee_columns_close(&statistic->guarantee, c);
}

int32_t pvgi_statistic_ends_new(pvg_statistic **out, pvg_statistic *diagrams,
                                const pvg_target *target, const char *function) {
    const pvg_guarantee empty = {0};
    pvg_statistic *statistic;
    PVGI_TRY(pvgi_statistic_make(&statistic, &kind, target, &empty, sizeof(state)));
    state *s = statistic->state;
    s->diagrams = pvgi_statistic_share(diagrams);
    statistic->order = diagrams->order;
    statistic->fixed = true;
    statistic->rows = statistic->columns = 1;
    int32_t status = calibrate(s, target, diagrams->order, function);
    if (status == PVG_OK) status = describe(statistic);
    PVGI_TRY(pvgi_statistic_kept(statistic, status));
    pvg_guarantee *g = &statistic->guarantee;
    g->notion = PVG_NOTION_EDGE;
    g->spent = s->degrees.spent;
    g->spent.epsilon =
        pvgi_mechanism_up(s->degrees.spent.epsilon + s->sum.spent.epsilon, 4);
    g->noise = pvgi_statistic_noise_word(PVG_NOISE_LAPLACE);
    g->order = diagrams->order;
    g->claim = "release.synthesis";
    pvgi_guarantee_premise(g, PVGI_PREMISE_NODES);
    *out = statistic;
    return PVG_OK;
}
