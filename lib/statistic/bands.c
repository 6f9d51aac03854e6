/* The degree distribution at node level: sums of capped degrees over bands.
 *
 * d_v: edges of v that the greedy cap keeps. If a node is replaced the d of all nodes
 * together move by at most twice the cap in L1 (docs/privacy/proofs/statistic.md, capped
 * degrees), and the number of a band (a, b] is the sum over v of d_v clipped to it: a
 * unit of degree moves one band by one. So all bands together move by at most twice the
 * cap. Noise of a wide band is spread over many degrees.
 *
 * The cap is chosen first, with a share of epsilon, and released: bands above it are
 * empty for everybody, and get no noise. */
#include "base/mix.h"
#include "statistic_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of a unit of the cap, in edges lost and units of 1 / epsilon: noise on some thirty
 * bands, each for twice the cap. A larger one lowers caps. */
enum { PRICE = 60 };

typedef struct {
    pvgi_bands_config c;
    uint64_t key;
    int64_t most, bands, ends[PVGI_BANDS_MAX + 1];
    int64_t rate;            /* of the choice */
    double epsilon, numbers; /* all of it; what is left for the numbers */
} state;

int64_t pvgi_statistic_bands_ends(int64_t ends[PVGI_BANDS_MAX + 1], int64_t most) {
    int64_t count = 0;
    ends[0] = 0;
    while (ends[count] < most) {
        const int64_t end = ends[count];
        /* 35 percent more, at least one */
        const int64_t next = end < 4 ? end + 1 : end + (7 * end + 10) / 20;
        ends[++count] = next < most ? next : most;
    }
    return count;
}

static size_t bytes(const pvg_statistic *statistic, int64_t order, const pvgi_run *run) {
    (void)statistic, (void)run;
    return pvgi_size_add(pvgi_statistic_cap_bytes(order),
                         pvgi_scratch_bytes((size_t)order, sizeof(int32_t)));
}

/* Which cap, from what each of them keeps. */
static int64_t choose(const state *s, const int64_t *caps, const int64_t *kept,
                      int64_t count, const pvgi_stream *call) {
    int64_t weight[PVGI_PICK_MAX], price[PVGI_PICK_MAX], noise;
    const pvgi_pick pick = {.count = count,
                            .cap = caps,
                            .value = kept,
                            .weight = weight,
                            .price = price,
                            .rate = s->rate};
    pvgi_statistic_pick_prior(weight, price, caps, count, s->epsilon / PRICE, true);
    if (!call) return caps[pvgi_statistic_pick_best(&pick)];
    pvgi_stream stream;
    pvgi_rng_stream_open_chunk(&stream, call, 0);
    const int64_t chosen = pvgi_statistic_pick(&noise, &pick, NULL, &stream);
    pvgi_rng_stream_close(&stream);
    return caps[chosen];
}

/* Sums over bands; from degree counts, as bands are many. */
static void sum_bands(int64_t *sums, const state *s, const int32_t *kept, int64_t order) {
    memset(sums, 0, (size_t)s->bands * sizeof *sums);
    for (int64_t v = 0; v < order; v++)
        for (int64_t k = 0; k < s->bands && kept[v] > s->ends[k]; k++)
            sums[k] += kept[v] < s->ends[k + 1] ? kept[v] - s->ends[k]
                                                : s->ends[k + 1] - s->ends[k];
}

/* Noise for a joint change of twice the cap. */
static int32_t add_noise(int64_t *sums, const state *s, int64_t cap,
                         const pvgi_stream *call) {
    double rate;
    int64_t numerator, denominator, noise[PVGI_BANDS_MAX], live = 0;
    pvgi_stream stream;
    while (live < s->bands && s->ends[live] < cap) live++;
    if (!pvgi_statistic_ladder_ratio(&rate, &numerator, &denominator,
                                     s->numbers / (2.0 * (double)cap)))
        return pvgi_fail(PVG_E_INTERNAL, "capped-degrees: no rate for a cap");
    pvgi_rng_stream_open_chunk(&stream, call, 1);
    pvgi_rng_draw_noise(noise, live, PVGI_NOISE_DISCRETE_LAPLACE, numerator, denominator,
                        &stream);
    pvgi_rng_stream_close(&stream);
    for (int64_t k = 0; k < live; k++) sums[k] += noise[k];
    return PVG_OK;
}

static void put(double *out, const state *s, int64_t cap, const int64_t *sums) {
    out[0] = (double)cap;
    for (int64_t k = 0; k < s->bands; k++) out[1 + k] = (double)sums[k];
}

static int32_t draw(double *out, const pvg_statistic *statistic, const pvg_graph *graph,
                    pvgi_scratch *scratch, const pvgi_stream *call, pvgi_run *run) {
    const state *s = statistic->state;
    const int64_t order = graph->order;
    int32_t *counts =
        pvgi_statistic_take_zero(scratch, pvgi_statistic_cap_bytes(order), 1);
    int32_t *kept = pvgi_statistic_take(scratch, (size_t)order, sizeof *kept);
    int64_t sums[PVGI_BANDS_MAX], caps[PVGI_PICK_MAX], all[PVGI_PICK_MAX], cap = 0;
    const int64_t count = pvgi_statistic_cap_list(caps, s->most);
    pvgi_cap edges = {0};
    if (!counts || !kept) return PVG_E_INTERNAL;
    int32_t status = pvgi_statistic_cap_order(&edges, graph, s->key, run);
    if (status == PVG_OK)
        status = pvgi_statistic_cap_kept(all, &edges, 0, edges.count, caps, count, order,
                                         counts, run);
    if (status == PVG_OK) {
        cap = choose(s, caps, all, count, call);
        pvgi_statistic_cap_degrees(kept, &edges, cap, order);
        sum_bands(sums, s, kept, order);
        if (call) status = add_noise(sums, s, cap, call);
    }
    pvgi_statistic_cap_drop(&edges);
    PVGI_TRY(status);
    put(out, s, cap, sums);
    return PVG_OK;
}

static size_t parts_bytes(const pvg_statistic *statistic, int64_t own, int64_t borrowed,
                          const pvgi_run *run) {
    (void)statistic, (void)run;
    return pvgi_size_add(pvgi_statistic_cap_parts_bytes(1, own, borrowed),
                         pvgi_scratch_bytes((size_t)own, sizeof(int32_t)));
}

/* Process 0 chooses the cap and draws the noise. */
static int32_t draw_parts(double *out, const pvg_statistic *statistic,
                          const pvg_parts *parts, pvgi_scratch *scratch,
                          const pvgi_stream *call, pvgi_run *run) {
    const state *s = statistic->state;
    const int64_t own = parts->config.own;
    const bool leads = parts->config.process == 0;
    int64_t sums[PVGI_BANDS_MAX], caps[PVGI_PICK_MAX], all[PVGI_PICK_MAX], cap = 0;
    const int64_t count = pvgi_statistic_cap_list(caps, s->most);
    pvgi_cap_parts edges = {0};
    int32_t *kept = pvgi_statistic_take(scratch, (size_t)own, sizeof *kept);
    if (!kept) return PVG_E_INTERNAL;
    int32_t status = pvgi_statistic_cap_parts_order(&edges, parts, s->key, PVGI_CAP_ALL,
                                                    0, NULL, scratch, run);
    if (status == PVG_OK)
        status = pvgi_statistic_cap_parts_kept(all, &edges, caps, count, run);
    if (status == PVG_OK) {
        if (leads) cap = choose(s, caps, all, count, call);
        status = pvgi_graph_parts_share(parts, &cap, sizeof cap);
    }
    if (status == PVG_OK)
        status = pvgi_statistic_cap_parts_degrees(kept, &edges, cap, run);
    pvgi_statistic_cap_parts_drop(&edges);
    PVGI_TRY(status);
    sum_bands(sums, s, kept, own);
    PVGI_TRY(pvgi_graph_parts_combine(parts, sums, s->bands, PVG_COMBINE_SUM));
    if (leads && call) PVGI_TRY(add_noise(sums, s, cap, call));
    put(out, s, cap, sums);
    return pvgi_graph_parts_share(parts, out, (size_t)statistic->columns * sizeof *out);
}

/* --- what is known before ---------------------------------------------------------- */

static double width_of(const state *s, int64_t column) {
    return (double)(s->ends[column] - s->ends[column - 1]);
}

/* How far the degrees of graphs with that mean are from a geometric law of the same mean,
 * at least: the largest difference of shares of nodes. Ten graphs of the measurements lie
 * above it (docs/privacy/edge-or-person.md). */
static double least_distance(double degree) {
    return degree < 8.0 ? 0.4 / degree : 0.05;
}

/* A band is seen with a cap of its upper end or more: noise is told for that one. With a
 * guess of the mean degree noise is no less than under the usual cap, and must be below
 * what tells any degree apart from that of a geometric law: what the cap leaves out grows
 * with the width of a band, so that wide ones tell no more. */
static void plan(pvgi_preview_point *out, const pvg_statistic *statistic, int64_t column,
                 int64_t order, const pvgi_guess *guess, double times) {
    const state *s = statistic->state;
    const double n = (double)order, most = (double)s->most;
    const double usual = pvgi_statistic_cap_usual(guess->degree, most);
    const double range = n * least_distance(guess->degree);
    const double each = sqrt(8.0) / (s->numbers * times);
    if (column == 0) { /* nothing is told by the cap alone */
        const double noise = usual > 0.0 ? most * each * usual / range : 1.0;
        *out = (pvgi_preview_point){.range = most, .change = most, .noise = noise};
        return;
    }
    const double cap = fmax((double)s->ends[column], usual);
    *out = (pvgi_preview_point){.range = usual > 0.0 ? range : n * width_of(s, column),
                                .change = 2.0 * cap,
                                .noise = each * cap};
}

static void name_of(char out[PVGI_PREVIEW_LABEL], const state *s, int64_t column) {
    if (column == 0)
        snprintf(out, PVGI_PREVIEW_LABEL, "cap");
    else
        snprintf(out, PVGI_PREVIEW_LABEL, "to%lld", (long long)s->ends[column]);
}

static void label(char out[PVGI_PREVIEW_LABEL], const pvg_statistic *statistic,
                  int64_t column) {
    name_of(out, statistic->state, column);
}

static const pvgi_statistic_kind kind = {.word = "capped-degrees",
                                         .bytes = bytes,
                                         .draw = draw,
                                         .draw_parts = draw_parts,
                                         .parts_bytes = parts_bytes,
                                         .plan = plan,
                                         .label = label};

bool pvgi_statistic_bands_shape(pvgi_bands_shape *out, const pvg_statistic *statistic) {
    if (statistic->kind != &kind) return false;
    const state *s = statistic->state;
    *out = (pvgi_bands_shape){.order = statistic->order,
                              .most = s->most,
                              .bands = s->bands,
                              .epsilon = s->numbers};
    return true;
}

static int32_t describe(pvg_statistic *statistic) {
    const state *s = statistic->state;
    pvgi_columns *c = pvgi_guarantee_columns_begin();
    char word[PVGI_PREVIEW_LABEL];
    for (int64_t k = 0; k <= s->bands; k++) {
        name_of(word, s, k);
        pvgi_guarantee_columns_add(
            c, &(pvgi_column){.count = 1,
                              .name = word,
                              .unit = k == 0 ? "edges kept of a node at most"
                                             : "degrees within the band, over all nodes",
                              .noise = k == 0 ? "chosen with a share of epsilon"
                                              : "discrete Laplace, its scale follows the "
                                                "cap; none above the cap"});
    }
    pvgi_guarantee_columns_table(c, 0);
    pvgi_guarantee_columns_measure(
        c, 0, (pvgi_measure){1.0, (double)s->most, 1.0, (double)NAN});
    for (int64_t k = 1; k <= s->bands; k++)
        pvgi_guarantee_columns_measure(
            c, k,
            (pvgi_measure){0.0, (double)statistic->order * width_of(s, k), 1.0,
                           (double)NAN});
    return pvgi_guarantee_columns_close(&statistic->guarantee, c);
}

static int32_t fill(pvg_statistic *made, const char *name, const pvg_target *target) {
    state *s = made->state;
    pvg_guarantee *g = &made->guarantee;
    s->epsilon = target->parameter > 0.0 ? target->parameter : target->epsilon;
    PVGI_TRY(pvgi_statistic_pick_rate(&s->rate, s->c.share * s->epsilon, name));
    s->numbers = pvgi_mechanism_down(
        s->epsilon - 2.0 * (double)s->rate / (double)PVGI_PICK_ONE, 8);
    PVGI_REQUIRE(s->numbers >= 0x1p-15, "%s: nothing is left for the numbers", name);
    g->notion = PVG_NOTION_NODE;
    g->spent = (pvg_curve_term){
        .size = sizeof g->spent, .kind = PVG_CURVE_PURE, .epsilon = s->epsilon};
    g->noise = "a cap, then discrete Laplace noise that follows it";
    g->order = made->order;
    g->claim = "release.capped-degrees";
    pvgi_guarantee_assumption(g, PVGI_ASSUMPTION_NODES);
    pvgi_guarantee_assumption(g, "caps and key were chosen without looking at edges");
    return describe(made);
}

int32_t pvgi_statistic_bands_new(pvg_statistic **out, const char *name,
                                 const pvgi_bands_config *config,
                                 const pvg_target *target) {
    const pvg_guarantee empty = {0};
    pvg_statistic *made;
    pvg_target own;
    PVGI_TRY(pvgi_statistic_target(&own, name, target, 1u << PVG_NOISE_LAPLACE));
    PVGI_REQUIRE(config->order >= 2, "%s: order is %lld, not at least 2", name,
                 (long long)config->order);
    PVGI_TRY(pvgi_statistic_make(&made, &kind, &own, &empty, sizeof(state)));
    state *s = made->state;
    s->c = *config;
    s->key = pvgi_mix((uint64_t)config->key);
    s->most = config->most > 0 && config->most < config->order ? config->most
                                                               : config->order - 1;
    s->bands = pvgi_statistic_bands_ends(s->ends, s->most);
    made->order = config->order;
    made->fixed = true;
    made->rows = 1;
    made->columns = 1 + s->bands;
    const int32_t status = fill(made, name, &own);
    PVGI_TRY(pvgi_statistic_kept(made, status));
    *out = made;
    return PVG_OK;
}
