/* LapGraph: a noisy number T of edges, and the T pairs with the largest noisy bits.
 *
 * T = edges + discrete Laplace(eps1), clamped to what there may be. Every pair gets the
 * noisy bit b + Z, P(Z = z) proportional to e^(-eps2 |z|); ties are broken at random. So
 * far the definition: eps1 + eps2, as everything after T and the noisy bits is
 * post-processing.
 *
 * What is drawn. v = b + Z is either at least 1 or at most 0, and how far beyond, v - 1
 * or -v, is geometric with the same law for b = 0 and b = 1 and independent of that side.
 * So v is one bit of randomised response, v >= 1 with chance e^eps2/(1 + e^eps2) for an
 * edge and 1/(1 + e^eps2) for none, and a rank within its side that has the same law for
 * all. The T largest are: a uniform choice among the pairs with v >= 1 if those are T or
 * more, else all of them and a uniform choice among the others.
 *
 * At small eps2 far more than T pairs have v >= 1. But a uniform choice from them is a
 * uniform choice from any random part of them in which each is with the same chance 2^-h:
 * h is taken as large as leaves T pairs or more but with probability 2^-128, and both
 * chances of randomised response are halved h times. O(order + edges + T log T). */
#include "perturb_internal.h"

#include <math.h>

typedef struct {
    int64_t scale, denominator; /* of the noise on the number of edges */
    double pairs;               /* eps2 */
    uint64_t flip;              /* 2^64 / (1 + e^eps2), up */
    int64_t edge_limit;
} state;

enum { EDGE_LIMIT_LOG2 = 28 };

/* Streams beside those of pvgi_perturb_cells. */
enum { STREAM_COUNT = 1 << 20, STREAM_CHOICE = STREAM_COUNT + 1 };

/* --- how many ------------------------------------------------------------------- */

static int64_t draw_count(const state *s, const pvg_graph *graph,
                          const pvgi_stream *call) {
    int64_t noise;
    const int64_t most = pvgi_perturb_pairs(graph->order);
    pvgi_stream stream;
    pvgi_rng_stream_open_chunk(&stream, call, STREAM_COUNT);
    pvgi_rng_draw_noise(&noise, 1, PVGI_NOISE_DISCRETE_LAPLACE, s->scale, s->denominator,
                        &stream);
    pvgi_rng_stream_close(&stream);
    const int64_t count = graph->size + noise; /* |noise| < 2^55 */
    return count < 0 ? 0 : count > most ? most : count;
}

/* A sum of independent bits with mean x is below T with probability at most
 * exp(-(x - T)^2 / (2 x)), which is 2^-128 where x - T = 89 + sqrt(89^2 + 178 T). */
static int choose_halvings(const state *s, const pvg_graph *graph, int64_t count) {
    const double t = (double)count, flip = ldexp((double)s->flip, -64);
    const double enough = t + 90.0 + sqrt(90.0 * 90.0 + 180.0 * t);
    const double edges = (double)graph->size;
    const double absent = (double)pvgi_perturb_pairs(graph->order) - edges;
    double mean = edges * (1.0 - flip) + absent * flip;
    int halvings = 0;
    for (; halvings < 63 && mean >= 2.0 * enough; halvings++) mean /= 2.0;
    return halvings;
}

/* --- which ---------------------------------------------------------------------- */

static bool has_edge(const pvg_graph *graph, int64_t i, int64_t j) {
    return pvgi_graph_row_find(graph->columns + graph->offsets[i],
                               graph->offsets[i + 1] - graph->offsets[i],
                               (int32_t)j) >= 0;
}

/* Each of `left` pairs to come is taken so that `wanted` are, all sets alike. */
static bool take(pvgi_stream *stream, int64_t *left, int64_t *wanted) {
    const bool taken =
        pvgi_rng_draw_bernoulli(stream, (uint64_t)*wanted, (uint64_t)*left);
    --*left;
    *wanted -= taken;
    return taken;
}

/* Writes `wanted` of the edges; returns how many those are. */
static int64_t choose_edges(uint64_t *pairs, const pvg_graph *graph, int64_t wanted,
                            pvgi_stream *stream) {
    int64_t left = graph->size, used = 0;
    for (int64_t v = 0; v < graph->order; v++)
        for (int64_t i = graph->offsets[v]; i < graph->offsets[v + 1]; i++)
            if (graph->columns[i] > v && take(stream, &left, &wanted))
                pairs[used++] = pvgi_edge_pack((uint64_t)v, (uint64_t)graph->columns[i]);
    return used;
}

/* All edges and so many of the other pairs that `count` are written, by looking at each:
 * for when that is a good part of all. */
static void choose_from_all(uint64_t *pairs, const pvg_graph *graph, int64_t count,
                            pvgi_stream *stream) {
    int64_t left = pvgi_perturb_pairs(graph->order) - graph->size, used = 0;
    int64_t wanted = count - graph->size;
    for (int64_t i = 0; i < graph->order; i++)
        for (int64_t j = i + 1; j < graph->order; j++)
            if (has_edge(graph, i, j) || take(stream, &left, &wanted))
                pairs[used++] = pvgi_edge_pack((uint64_t)i, (uint64_t)j);
}

/* A pair without an edge. */
static uint64_t draw_absent(const pvg_graph *graph, pvgi_stream *stream) {
    const uint64_t order = (uint64_t)graph->order;
    for (;;) {
        const uint64_t u = pvgi_rng_draw_below(stream, order);
        const uint64_t v = pvgi_rng_draw_below(stream, order);
        if (u != v && !has_edge(graph, (int64_t)u, (int64_t)v))
            return pvgi_edge_pack(u, v);
    }
}

/* One round of: write down what there is, fill up to `count` with pairs drawn from the
 * others, merge. Pairs drawn twice leave some missing, which the next round draws: all in
 * all, drawing one by one and putting back what is there already, until there are
 * `count`.
 */
static int32_t choose_round(pvg_graph **out, const pvg_graph *graph, int64_t count,
                            pvgi_stream *stream, pvgi_run *run) {
    const bool from_all = count > pvgi_perturb_pairs(graph->order) / 4;
    const int64_t keep = graph->size < count ? graph->size : count;
    uint64_t *pairs = pvgi_alloc((size_t)count, sizeof *pairs);
    if (!pairs) return pvgi_fail_nomem();
    if (from_all && count > graph->size) {
        choose_from_all(pairs, graph, count, stream);
    } else {
        int64_t used = choose_edges(pairs, graph, keep, stream);
        while (used < count) pairs[used++] = draw_absent(graph, stream);
    }
    return pvgi_graph_from_packed(out, NULL, graph->order, pairs, count, PVG_EDGES_MERGE,
                                  run);
}

/* answers: the pairs with v >= 1, or a part of them. Taken and freed. */
static int32_t choose(pvg_graph **out, pvg_graph *answers, int64_t count,
                      const pvgi_stream *call, pvgi_run *run) {
    pvgi_stream stream;
    int32_t status = PVG_OK;
    pvgi_rng_stream_open_chunk(&stream, call, STREAM_CHOICE);
    while (status == PVG_OK && answers->size != count) {
        pvg_graph *next = NULL;
        status = choose_round(&next, answers, count, &stream, run);
        pvgi_graph_free(answers);
        answers = next;
    }
    pvgi_rng_stream_close(&stream);
    *out = answers;
    return status;
}

/* --- the perturber -------------------------------------------------------------- */

static int32_t draw(pvgi_content *out, const pvg_perturber *perturber,
                    const pvgi_perturb_input *input, const pvgi_stream *call,
                    pvgi_run *run) {
    const state *s = perturber->state;
    const pvg_graph *graph = input->graph;
    const int64_t count = draw_count(s, graph, call);
    const int halvings = choose_halvings(s, graph, count);
    const pvgi_cell_rates rates = pvgi_perturb_rates(0 - s->flip, s->flip, halvings);
    pvg_graph *answers;
    PVGI_TRY(pvgi_perturb_cells(&answers, graph, &rates, call, run));
    return choose(&out->graph, answers, count, call, run);
}

/* From public numbers: P(Z >= z) = r^z / (1 + r) with r = e^-eps1, and the pairs there
 * are. */
void pvgi_perturb_lapgraph_expected(double *expected, double *most,
                                    const pvg_perturber *perturber, int64_t order) {
    const state *s = perturber->state;
    const double rate = (double)s->denominator / (double)s->scale;
    const double pairs = (double)pvgi_perturb_pairs(order);
    const double mean = 0.5 / sinh(rate), tail = ceil(44.4 / rate);
    *expected = mean < pairs ? mean : pairs;
    *most = tail < pairs ? tail : pairs;
}

static int32_t check(const pvg_perturber *perturber, const pvgi_perturb_input *input,
                     const pvgi_run *run, const char *function) {
    const state *s = perturber->state;
    double expected, most;
    (void)run;
    pvgi_perturb_lapgraph_expected(&expected, &most, perturber, input->graph->order);
    if (most <= (double)s->edge_limit) return PVG_OK;
    return pvgi_fail(PVG_E_LIMIT,
                     "%s: the noise may add %.0f edges to %lld nodes, more than "
                     "edge-limit, %lld",
                     function, most, (long long)input->graph->order,
                     (long long)s->edge_limit);
}

static pvgi_perturb_number number(const pvg_perturber *perturber, int64_t line,
                                  int64_t order) {
    const state *s = perturber->state;
    pvgi_perturb_number n = pvgi_perturb_pair_number(s->pairs, line, order);
    if (line % 2) {
        n.law = PVGI_ANSWER_LAPLACE;
        n.epsilon = (double)s->denominator / (double)s->scale;
        n.count = 1.0;
    }
    return n;
}

static const pvgi_perturb_method method = {.input = PVG_PERTURBS_GRAPH,
                                           .check = check,
                                           .draw = draw,
                                           .number = number,
                                           .one = "an edge",
                                           .all = "number of edges"};

bool pvgi_perturb_is_lapgraph(const pvg_perturber *perturber) {
    return perturber->method == &method;
}

/* q / p <= epsilon, both at most 2^48. */
static void choose_scale(state *s, double epsilon) {
    int shift = 48;
    while (shift > 0 && ldexp(epsilon, shift) > 0x1p48) shift--;
    s->scale = INT64_C(1) << shift;
    s->denominator =
        epsilon >= 0x1p48 ? INT64_C(1) << 48 : (int64_t)ldexp(epsilon, shift);
}

int32_t pvgi_perturb_lapgraph_new(pvg_perturber **out, const pvg_lapgraph_config *config,
                                  const pvg_target *target, const char *function) {
    const double share = config->count_share > 0.0 ? config->count_share : 0.01;
    const double first = share * target->epsilon;
    /* down, so that the two do not add up to more than epsilon */
    const double second = nextafter(target->epsilon - first, 0.0);
    PVGI_REQUIRE(first >= 0x1p-40 && second >= 0x1p-40,
                 "%s: epsilon or one of its shares is below 2^-40", function);
    pvg_guarantee guarantee = {.notion = PVG_NOTION_EDGE,
                               .spent = pvgi_perturb_pure(target->epsilon),
                               .noise = "discrete Laplace on the number of edges and on "
                                        "every pair",
                               .claim = "perturb.lapgraph"};
    pvgi_guarantee_assumption(&guarantee, PVGI_ASSUMPTION_NODES);
    PVGI_TRY(pvgi_perturb_make(out, &method, target, &guarantee, sizeof(state)));
    state *s = (*out)->state;
    choose_scale(s, first);
    s->pairs = second;
    s->flip = pvgi_rng_flip_threshold(second);
    s->edge_limit =
        config->edge_limit ? config->edge_limit : INT64_C(1) << EDGE_LIMIT_LOG2;
    return PVG_OK;
}
