/* DPRR (Hidano, Murakami): randomised response on neighbour lists, thinned so that
 * degrees stay.
 *
 * User i has N candidates and d of them in the list. d~ = d + discrete Laplace(eps1);
 * every candidate is answered by randomised response with lie f(eps2); each 1 is kept
 * with q = min(1, d~ / (d~ (1 - 2f) + N f)), which makes E[length] = d for d~ = d. q
 * depends on d~ only, hence thinning is post-processing of two reports and eps1 + eps2
 * holds for one entry. q is taken on the grid 2^-64 and f is a multiple of 2^-64, so
 * that both products have 128 bits and the law of "respond, then thin" is drawn exactly
 * without visiting the zeros: entries of the list stay with (1 - f) q, others appear by
 * skips at rate f q. O(nodes + edges + output).
 *
 * Noisy degrees below 0 count as 0, so noise makes lists longer: an empty one gets an
 * expected degree of 1 / (2 sinh eps1), cut at N. */
#include "perturb_internal.h"

#include <math.h>

enum { NODES_PER_CHUNK = 4096, NOISE_AT_ONCE = 512, ENTRIES_MAX_LOG2 = 28 };
/* discrete Laplace of scale SCALE / eps1_units */
#define SCALE (INT64_C(1) << 40)

typedef struct {
    int32_t reports;
    double epsilon; /* of the notion reported */
    double share;   /* of the degree in a report; 0: balanced by order */
    int64_t most;
} state;

/* How often a toggled edge meets a degree and an entry, and what is reported. */
static const struct {
    double degrees, entries;
    int32_t notion;
    bool all_candidates, all_degrees;
    const char *assumption;
} modes[] = {
    [PVG_DPRR_REPORTS_OWNED] =
        {1, 1, PVG_NOTION_EDGE, false, false,
         "each edge is in the report of its end with the lower number, "
         "which counts no other edges"},
    [PVG_DPRR_REPORTS_HALF] =
        {2, 1, PVG_NOTION_RELATIONSHIP, false, true,
         "each edge is an entry of its end with the lower number, and "
         "counts in the degrees of both"},
    [PVG_DPRR_REPORTS_PUBLISHED] =
        {2, 2, PVG_NOTION_RELATIONSHIP, true, true,
         "each edge is an entry and counts in the degrees of both "
         "ends"},
};

typedef struct {
    const pvg_graph *graph;
    const pvgi_stream *call;
    int32_t reports;
    int64_t laplace; /* eps1 in units of 1 / SCALE */
    uint64_t lie;    /* of 2^64 */
    uint64_t *keep;  /* q of each user, of 2^64 */
    double *expect;  /* per chunk: sum of d~, within 0..candidates */
} job;

/* --- budget ---------------------------------------------------------------------- */

/* eps1 in units of 1 / SCALE, down; eps2 is what it leaves. 0: too small. */
static int64_t split(double *entries, const state *s, int64_t order) {
    const double degrees = modes[s->reports].degrees, cells = modes[s->reports].entries;
    double first;
    if (s->share > 0.0) {
        first = s->epsilon * s->share / (degrees * s->share + cells * (1.0 - s->share));
    } else {
        const double most = 0.5 * s->epsilon / degrees;
        first = sqrt(8.0 / (double)(order > 9 ? order - 1 : 8));
        if (first > most) first = most;
    }
    const double units = floor(first * (double)SCALE);
    const int64_t laplace = units < 0x1p48 ? (int64_t)units : INT64_C(1) << 48;
    /* a little less, for the roundings of this line */
    *entries = (s->epsilon - degrees * (double)laplace / (double)SCALE) / cells *
               (1.0 - 0x1p-50);
    return laplace;
}

/* --- degrees --------------------------------------------------------------------- */

/* Where the candidates of a node start among the columns. */
static int64_t first_candidate(int32_t reports, int64_t node) {
    return modes[reports].all_candidates ? 0 : node + 1;
}

static int32_t draw_degrees(void *context, int64_t chunk, uint32_t worker) {
    const job *j = context;
    const int64_t order = j->graph->order, first = chunk * NODES_PER_CHUNK;
    const int64_t last =
        first + NODES_PER_CHUNK < order ? first + NODES_PER_CHUNK : order;
    const double lie = (double)j->lie * 0x1p-64;
    int64_t noise[NOISE_AT_ONCE];
    pvgi_stream stream;
    (void)worker;
    pvgi_rng_stream_open_chunk(&stream, j->call, (uint64_t)chunk);
    double sum = 0.0;
    for (int64_t node = first; node < last; node++) {
        const int64_t next = (node - first) % NOISE_AT_ONCE, left = last - node;
        if (next == 0)
            pvgi_rng_draw_noise(noise, left < NOISE_AT_ONCE ? left : NOISE_AT_ONCE,
                                PVGI_NOISE_DISCRETE_LAPLACE, SCALE, j->laplace, &stream);
        const bool all = modes[j->reports].all_degrees;
        int64_t length;
        pvgi_perturb_row(j->graph, node, all ? 0 : node + 1, &length);
        const double most = (double)(all ? order - 1 : order - 1 - node);
        const double degree = (double)(length + noise[next]);
        const double base = degree * (1.0 - 2.0 * lie) + most * lie;
        const double q = degree > 0.0 && base > 0.0 ? degree / base : 0.0;
        j->keep[node] = q < 1.0 ? (uint64_t)(q * 0x1p64) : UINT64_MAX;
        if (degree > 0.0)
            sum += (degree < most ? degree : most) *
                   (all && !modes[j->reports].all_candidates ? 0.5 : 1.0);
    }
    j->expect[chunk] = sum;
    pvgi_rng_stream_close(&stream);
    pvgi_wipe(noise, sizeof noise);
    return PVG_OK;
}

/* --- entries --------------------------------------------------------------------- */

static int32_t add(pvgi_gather *out, int64_t column) {
    return pvgi_perturb_gather_add(out, (int32_t)column);
}

static int32_t draw_row(pvgi_gather *out, const void *context, int64_t node,
                        pvgi_stream *stream) {
    typedef unsigned __int128 wide;
    const job *j = context;
    const uint64_t q = j->keep[node];
    if (q == 0) return PVG_OK;
    const wide keep = (wide)(0 - j->lie) * q, make = (wide)j->lie * q;
    const uint64_t keep_high = (uint64_t)(keep >> 64), keep_low = (uint64_t)keep;
    const pvgi_skip skip = pvgi_rng_skip((uint64_t)(make >> 64), (uint64_t)make);
    const int64_t from = first_candidate(j->reports, node);
    /* candidates in a row: from 0 the node itself is passed over */
    const int64_t count = j->graph->order - (from == 0 ? 1 : from);
    int64_t length;
    const int32_t *row = pvgi_perturb_row(j->graph, node, from, &length);
    const int32_t *const end = row + length;
    for (int64_t at = 0;; at++) {
        at += (int64_t)pvgi_rng_draw_skip(&skip, stream, (uint64_t)(count - at));
        const int64_t column = at + from + (from == 0 && at >= node);
        for (; row < end && (at == count || *row <= column); row++) {
            const bool stays = pvgi_rng_draw_chance(stream, keep_high, keep_low);
            if (stays) PVGI_TRY(add(out, *row));
            if (at < count && *row == column) break;
        }
        if (at == count) return PVG_OK;
        if (row < end && *row == column)
            row++; /* it had its own chance */
        else
            PVGI_TRY(add(out, column));
    }
}

/* --- the method ------------------------------------------------------------------ */

/* What check_size below would find on average in a graph without edges, from public
 * numbers: each noisy degree has mean a (1 - a^N) / (1 - a^2) between 0 and N, with a =
 * e^-eps1. */
static double expected_of_none(const state *s, double eps1, int64_t order) {
    const double n = (double)order, a = exp(-eps1);
    const double one = a / (-expm1(-2.0 * eps1));
    if (!modes[s->reports].all_degrees) /* N = n - 1, ..., 0 */
        return one * (n - expm1(-n * eps1) / expm1(-eps1));
    return one * n * -expm1(-(n - 1.0) * eps1) *
           (modes[s->reports].all_candidates ? 1.0 : 0.5);
}

static int32_t check(const pvg_perturber *perturber, const pvgi_perturb_input *input,
                     const pvgi_run *run, const char *function) {
    const state *s = perturber->state;
    const int64_t order = input->graph->order;
    double entries;
    (void)run;
    PVGI_REQUIRE(order >= 2, "%s: the graph has fewer than 2 nodes", function);
    const int64_t laplace = split(&entries, s, order);
    if (laplace < 1)
        return pvgi_fail(PVG_E_LIMIT, "%s: epsilon leaves less than 2^-40 for a degree",
                         function);
    const double expect = expected_of_none(s, (double)laplace / (double)SCALE, order);
    if (expect > (double)s->most)
        return pvgi_fail(PVG_E_LIMIT,
                         "%s: noise alone makes about %.3g entries of %lld nodes, more "
                         "than edge-limit, %lld",
                         function, expect, (long long)order, (long long)s->most);
    return PVG_OK;
}

/* The expected size follows from noisy degrees: to tell it costs nothing more. */
static int32_t check_size(const state *s, const job *j, int64_t chunks,
                          const pvgi_run *run) {
    double expect = 0.0;
    for (int64_t chunk = 0; chunk < chunks; chunk++) expect += j->expect[chunk];
    if (expect > (double)s->most)
        return pvgi_fail(PVG_E_LIMIT,
                         "dprr: about %.3g entries are expected, more than "
                         "edge-limit, %lld",
                         expect, (long long)s->most);
    return pvgi_run_reserve(run, pvgi_size_mul((size_t)expect, 2 * sizeof(int32_t)));
}

static int32_t draw(pvgi_content *out, const pvg_perturber *perturber,
                    const pvgi_perturb_input *input, const pvgi_stream *call,
                    pvgi_run *run) {
    const state *s = perturber->state;
    const int64_t order = input->graph->order;
    const int64_t chunks = (order + NODES_PER_CHUNK - 1) / NODES_PER_CHUNK;
    job j = {.graph = input->graph, .call = call, .reports = s->reports};
    double entries;
    int32_t status = PVG_OK;
    j.laplace = split(&entries, s, order);
    j.lie = pvgi_rng_flip_threshold(entries);
    j.keep = pvgi_alloc((size_t)order, sizeof *j.keep);
    j.expect = pvgi_alloc((size_t)chunks, sizeof *j.expect);
    if (!j.keep || !j.expect) {
        status = pvgi_fail_nomem();
        goto done;
    }
    pvgi_run_phase(run, 0.0, 0.1);
    PVGI_TRY_DONE(pvgi_run_chunks(run, chunks, draw_degrees, &j));
    PVGI_TRY_DONE(check_size(s, &j, chunks, run));
    pvgi_run_phase(run, 0.1, 0.6);
    PVGI_TRY_DONE(pvgi_perturb_gather(&out->lists, order, draw_row, &j, call, run));
    if (!modes[s->reports].all_candidates) {
        pvgi_run_phase(run, 0.7, 0.3);
        status = pvgi_perturb_lists_mirror(&out->graph, out->lists, run);
        pvgi_graph_lists_free(out->lists);
        out->lists = NULL;
    }
done:
    pvgi_free(j.keep);
    pvgi_free(j.expect);
    return status;
}

static pvgi_perturb_number number(const pvg_perturber *perturber, int64_t line,
                                  int64_t order) {
    const state *s = perturber->state;
    double entries;
    const double degree = (double)split(&entries, s, order) / (double)SCALE;
    return pvgi_perturb_list_number(entries, degree, line, order);
}

static const pvgi_perturb_method method = {.input = PVG_PERTURBS_GRAPH,
                                           .check = check,
                                           .draw = draw,
                                           .number = number,
                                           .one = "an edge",
                                           .all = "degree of a node"};

bool pvgi_perturb_dprr_law(pvgi_dprr_law *out, const pvg_perturber *perturber,
                           int64_t order) {
    const state *s = perturber->state;
    double entries;
    if (perturber->method != &method) return false;
    const int64_t laplace = split(&entries, s, order);
    if (laplace < 1) return false;
    const double half = sinh(.5 * (double)laplace / (double)SCALE);
    *out = (pvgi_dprr_law){.lie = (double)pvgi_rng_flip_threshold(entries) * 0x1p-64,
                           .degree_variance = .5 / (half * half),
                           .owned = !modes[s->reports].all_candidates,
                           .whole = modes[s->reports].all_degrees};
    return out->lie > 0;
}

int32_t pvgi_perturb_dprr_new(pvg_perturber **out, const pvg_dprr_config *config,
                              const pvg_target *target) {
    const int32_t reports = config->reports;
    const bool balanced = config->split == PVG_DPRR_SPLIT_BALANCED;
    const double share = config->degree_share > 0.0 ? config->degree_share : 0.1;
    /* one user's report: each edge at most once in it */
    const double user =
        reports == PVG_DPRR_REPORTS_PUBLISHED ? 0.5 * target->epsilon : target->epsilon;
    pvg_guarantee guarantee = {.notion = modes[reports].notion,
                               .spent = pvgi_perturb_pure(target->epsilon),
                               .also_notion = PVG_NOTION_EDGE_LDP,
                               .also = pvgi_perturb_pure(user),
                               .noise = "randomised response on the entries of lists, "
                                        "thinned by discrete Laplace degrees",
                               .claim = "perturb.dprr"};
    pvgi_guarantee_assumption(&guarantee, PVGI_ASSUMPTION_NODES);
    pvgi_guarantee_assumption(&guarantee, "%s", modes[reports].assumption);
    PVGI_TRY(pvgi_perturb_make(out, &method, target, &guarantee, sizeof(state)));
    *(state *)(*out)->state =
        (state){.reports = reports,
                .epsilon = target->epsilon,
                .share = balanced ? 0.0 : share,
                .most = config->edge_limit > 0 ? config->edge_limit
                                               : INT64_C(1) << ENTRIES_MAX_LOG2};
    return PVG_OK;
}
