/* Kind "edges", reading: classes from public numbers and what was released about the
 * edges; without noise the same steps run on exact numbers. */
#include "edges.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Counts are wrong with a chance of e^-60: the law of exact counts. */
static const double no_noise = 60.0;

/* --- messages ----------------------------------------------------------------------- */

/* (p - 1/C) / sqrt(1 - 1/C), the label in place of p where it is known: length <= 1. */
static void centre(double *messages, const pvg_pipeline *p) {
    const int64_t C = p->classes;
    const double share = 1.0 / (double)C, scale = 1.0 / sqrt(1.0 - share);
    for (int64_t v = 0; v < p->order; v++)
        for (int64_t c = 0; c < C; c++) {
            const double own =
                p->labels[v] >= 0 ? (double)(p->labels[v] == c) : p->prior[v * C + c];
            messages[v * C + c] = (own - share) * scale;
        }
}

/* p / |p|, no labels: as PVGI_EDGES_GAP sends. */
static void unit(double *messages, const pvg_pipeline *p) {
    const int64_t C = p->classes;
    for (int64_t v = 0; v < p->order; v++) {
        const double *row = p->prior + v * C;
        double sum = 0.0;
        for (int64_t c = 0; c < C; c++) sum += row[c] * row[c];
        for (int64_t c = 0; c < C; c++) messages[v * C + c] = row[c] / sqrt(sum);
    }
}

int32_t pvgi_learn_edges_messages(double **out, const pvg_pipeline *p) {
    *out = pvgi_alloc((size_t)p->order, (size_t)p->classes * sizeof **out);
    if (!*out) return pvgi_fail_nomem();
    if (pvgi_learn_edges_settings(p)->method == PVGI_EDGES_GAP)
        unit(*out, p);
    else
        centre(*out, p);
    return PVG_OK;
}

/* --- reading ------------------------------------------------------------------------ */

/* Classes that choose; NULL: too few. */
static const int32_t *choosing(const pvg_pipeline *p) {
    int64_t count = 0;
    for (int64_t v = 0; p->checks && v < p->order; v++)
        count += p->labels[v] < 0 && p->checks[v] >= 0;
    return count >= PVGI_CHECKS_LEAST ? p->checks : NULL;
}

static pvg_posterior_config posterior_of(const pvg_pipeline *p) {
    return (pvg_posterior_config){.size = sizeof(pvg_posterior_config),
                                  .classes = p->classes,
                                  .rounds = (int32_t)pvgi_learn_edges_settings(p)->rounds,
                                  .strength = pvgi_learn_edges_settings(p)->strength,
                                  .checks = choosing(p),
                                  .transition = p->transition};
}

/* Numbers that a query may have given, of the shape that it gives. */
static int32_t view_numbers(const double **values, const pvg_release *release,
                            const char *name, const char *what, int64_t rows,
                            int64_t columns) {
    PVGI_TRY(pvg_release_view(values, release));
    PVGI_REQUIRE(pvg_release_rows(release) == rows &&
                     pvg_release_columns(release) == columns,
                 "%s: %s has not the shape that the pipeline draws", name, what);
    return pvgi_learn_check_finite(name, what, *values, rows * columns);
}

static const pvgi_joint *law_of(const pvg_query *histogram) {
    return pvgi_statistic_histogram_law(histogram->state);
}

int32_t pvgi_learn_edges_read_first(double *out, const pvg_pipeline *p,
                                    const pvg_query *query, const double *values,
                                    pvgi_run *run) {
    const pvg_posterior_config config = posterior_of(p);
    return pvgi_learn_posterior(out, law_of(query), values, p->prior, p->labels, p->order,
                                &config, run);
}

static int32_t read_counts(double *out, const pvg_pipeline *p, const pvg_query *query,
                           const double *values, const double *prior, pvg_rng *rng,
                           pvgi_run *run) {
    const pvg_posterior_config config = posterior_of(p);
    return config.checks
               ? pvgi_learn_mix(out, law_of(query), values, prior, p->labels, p->order,
                                &config, pvgi_learn_edges_settings(p)->averages, rng, run)
               : pvgi_learn_posterior(out, law_of(query), values, prior, p->labels,
                                      p->order, &config, run);
}

/* A network on what each node says and what it received. */
static int32_t read_sums(double *out, const pvg_pipeline *p, const double *messages,
                         const double *received, int64_t columns, pvg_rng *rng,
                         pvgi_run *run) {
    const int64_t C = p->classes, width = C + columns, hops = columns / C;
    const bool gap = pvgi_learn_edges_settings(p)->method == PVGI_EDGES_GAP;
    const pvg_training_config training = {
        .averages = pvgi_learn_edges_settings(p)->averages, .epochs = 60, .decay = 1e-3};
    char text[96];
    double *x = pvgi_alloc((size_t)p->order, (size_t)width * sizeof *x);
    if (!x) return pvgi_fail_nomem();
    for (int64_t v = 0; v < p->order; v++) {
        for (int64_t c = 0; c < C; c++)
            x[v * width + c] = gap ? messages[v * C + c] : log(p->prior[v * C + c]);
        memcpy(x + v * width + C, received + v * columns, (size_t)columns * sizeof *x);
    }
    pvgi_learn_standardise(x, p->order, width);
    if (gap)
        snprintf(text, sizeof text, "hops %lld 16 selu drop .3 | dense classes",
                 (long long)hops + 1);
    else
        snprintf(text, sizeof text, "dense 32 selu drop .3 | dense classes");
    const int32_t status =
        pvgi_learn_network_rows(out, p->network ? p->network : text, x, p->order, width,
                                p->labels, p->checks, C, &training, rng, run);
    pvgi_free(x);
    return status;
}

/* Sums over a graph; where each pair was flipped with chance f, unbiased ones. */
static void sum_messages(double *received, const double *messages, const pvg_pipeline *p,
                         const pvg_graph *graph, double f) {
    const int64_t C = p->classes;
    for (int64_t c = 0; c < C; c++) {
        double all = 0.0;
        for (int64_t v = 0; v < p->order; v++) all += messages[v * C + c];
        for (int64_t v = 0; v < p->order; v++) {
            double sum = 0.0;
            for (int64_t e = graph->offsets[v]; e < graph->offsets[v + 1]; e++)
                sum += messages[(int64_t)graph->columns[e] * C + c];
            received[v * C + c] =
                (sum - f * (all - messages[v * C + c])) / (1.0 - 2.0 * f);
        }
    }
}

/* Checked nodes whose likeliest class is right. */
static int64_t hits(const pvg_pipeline *p, const double *rows) {
    const int64_t C = p->classes;
    int64_t right = 0;
    for (int64_t v = 0; v < p->order; v++) {
        int64_t best = 0;
        if (p->labels[v] >= 0 || p->checks[v] < 0) continue;
        for (int64_t c = 1; c < C; c++)
            if (rows[v * C + c] > rows[v * C + best]) best = c;
        right += best == p->checks[v];
    }
    return right;
}

/* What edges say counts where it is better than what the encoder says, as far as checked
 * nodes tell. Nodes with a label keep what was read. */
static void fall_back(double *rows, const pvg_pipeline *p) {
    const int64_t C = p->classes;
    if (!choosing(p) || hits(p, rows) > hits(p, p->prior)) return;
    for (int64_t v = 0; v < p->order; v++)
        if (p->labels[v] < 0)
            memcpy(rows + v * C, p->prior + v * C, (size_t)C * sizeof *rows);
}

/* The release must answer the query that this pipeline asks. */
static int32_t read_histograms(double *out, const pvg_pipeline *p, const char *name,
                               const pvg_release *const seen[PVGI_DRAWS], pvg_rng *rng,
                               pvgi_run *run) {
    static const char *const words[2] = {"first", "second"};
    const int rounds = pvgi_learn_edges_rounds(p);
    double *between = NULL;
    const double *prior = p->prior, *values;
    pvg_query *query = NULL;
    int32_t status = PVG_OK;
    for (int round = 0; round < rounds; round++) {
        PVGI_TRY_DONE(
            pvgi_learn_edges_ask(&query, p, round, prior, round > 0 ? seen[0] : NULL));
        PVGI_TRY_DONE(
            pvgi_learn_pipeline_answers(name, words[round], seen[round], query));
        PVGI_TRY_DONE(view_numbers(&values, seen[round], name, words[round], p->order,
                                   2 * p->classes));
        if (round + 1 < rounds) {
            between = pvgi_alloc((size_t)p->order, (size_t)p->classes * sizeof *between);
            if (!between) {
                status = pvgi_fail_nomem();
                goto done;
            }
            PVGI_TRY_DONE(pvgi_learn_edges_read_first(between, p, query, values, run));
            prior = between;
        } else {
            PVGI_TRY_DONE(read_counts(out, p, query, values, prior, rng, run));
        }
        pvg_query_free(query);
        query = NULL;
    }
done:
    pvg_query_free(query);
    pvgi_free(between);
    return status;
}

static int32_t read_messages(double *out, const pvg_pipeline *p, const char *name,
                             const pvg_release *release, pvg_rng *rng, pvgi_run *run) {
    const pvgi_edges_settings *s = pvgi_learn_edges_settings(p);
    const int64_t columns = p->classes * (s->method == PVGI_EDGES_GAP ? s->hops : 1);
    double *messages = NULL, *sums = NULL;
    const double *received;
    const pvg_graph *graph;
    pvg_query *query = NULL;
    int32_t status;
    PVGI_TRY_DONE(pvgi_learn_edges_ask(&query, p, 0, p->prior, NULL));
    PVGI_TRY_DONE(pvgi_learn_pipeline_answers(name, "first", release, query));
    PVGI_TRY_DONE(pvgi_learn_edges_messages(&messages, p));
    if (s->method == PVGI_EDGES_RESPONSE) {
        const double epsilon =
            p->target.epsilon > 0.0 ? p->target.epsilon : p->target.parameter;
        PVGI_TRY_DONE(pvg_release_view_graph(&graph, release));
        sums = pvgi_alloc((size_t)p->order, (size_t)columns * sizeof *sums);
        if (!sums || graph->order != p->order) {
            status = sums
                         ? pvgi_fail(PVG_E_ARGUMENT, "%s: first has %lld nodes, not %lld",
                                     name, (long long)graph->order, (long long)p->order)
                         : pvgi_fail_nomem();
            goto done;
        }
        sum_messages(sums, messages, p, graph, 1.0 / (1.0 + exp(epsilon)));
        received = sums;
    } else {
        PVGI_TRY_DONE(view_numbers(&received, release, name, "first", p->order, columns));
    }
    status = read_sums(out, p, messages, received, columns, rng, run);
done:
    pvg_query_free(query);
    pvgi_free(messages);
    pvgi_free(sums);
    return status;
}

int32_t pvgi_learn_edges_read(pvgi_reading *out, const pvg_pipeline *p, const char *name,
                              const pvg_release *const seen[PVGI_DRAWS], pvg_rng *rng,
                              pvgi_run *run) {
    const int32_t method = pvgi_learn_edges_settings(p)->method;
    memcpy(out->without, p->prior, (size_t)(p->order * p->classes) * sizeof(double));
    memcpy(out->rows, p->prior, (size_t)(p->order * p->classes) * sizeof(double));
    for (int i = pvgi_learn_edges_rounds(p); i < PVGI_DRAWS; i++)
        PVGI_REQUIRE(!seen[i], "%s: a release is given that this pipeline does not draw",
                     name);
    if (method == PVGI_EDGES_FEATURES) return PVG_OK;
    if (method == PVGI_EDGES_HISTOGRAM)
        PVGI_TRY(read_histograms(out->rows, p, name, seen, rng, run));
    else
        PVGI_TRY(read_messages(out->rows, p, name, seen[0], rng, run));
    fall_back(out->rows, p);
    return PVG_OK;
}

/* --- without noise ------------------------------------------------------------------ */

/* States of layers, one after the other for PVGI_EDGES_GAP, else the last. */
static int32_t pass_exactly(double *received, const double *messages,
                            const pvg_pipeline *p, const pvg_graph *graph,
                            const pvg_run *run) {
    const pvgi_edges_settings *s = pvgi_learn_edges_settings(p);
    const int64_t C = p->classes, hops = s->method == PVGI_EDGES_GAP ? s->hops : 1;
    const pvg_layers_config layer = {.size = sizeof layer,
                                     .operation = s->method == PVGI_EDGES_PCMP
                                                      ? PVG_OPERATOR_SYMMETRIC
                                                      : PVG_OPERATOR_SUM,
                                     .rows = PVG_ROWS_PROJECTED,
                                     .depth = s->method == PVGI_EDGES_PCMP ? s->hops : 1,
                                     .contraction = s->contraction,
                                     .mean_weight = s->mean_weight,
                                     .residual = s->residual};
    pvg_layers *layers = NULL;
    double *now = pvgi_alloc((size_t)p->order, (size_t)C * 2 * sizeof *now), *next;
    int32_t status = now ? pvg_layers_new(&layers, &layer, NULL, 0) : pvgi_fail_nomem();
    if (status == PVG_OK) {
        next = now + p->order * C;
        memcpy(now, messages, (size_t)(p->order * C) * sizeof *now);
        for (int64_t k = 0; k < hops && status == PVG_OK; k++) {
            status = pvg_propagate_exact(next, layers, graph, now, C, run);
            for (int64_t v = 0; v < p->order; v++)
                memcpy(received + v * C * hops + k * C, next + v * C,
                       (size_t)C * sizeof *next);
            memcpy(now, next, (size_t)(p->order * C) * sizeof *now);
        }
    }
    pvg_layers_free(layers);
    pvgi_free(now);
    return status;
}

static int32_t count_exactly(double *out, const pvg_pipeline *p, const pvg_input *input,
                             pvg_rng *rng, pvgi_run *run) {
    const pvg_target exact = {.size = sizeof exact, .epsilon = no_noise};
    const pvg_run plain = pvgi_learn_pipeline_plain(run);
    pvg_query *query = NULL;
    double *values =
        pvgi_alloc((size_t)p->order, (size_t)(2 * p->classes) * sizeof *values);
    int32_t status = values ? PVG_OK : pvgi_fail_nomem();
    if (status == PVG_OK)
        status = pvgi_learn_edges_ask_histogram(&query, p, p->prior, &exact);
    if (status == PVG_OK) status = pvg_query_values_exact(values, query, input, &plain);
    if (status == PVG_OK) status = read_counts(out, p, query, values, p->prior, rng, run);
    pvg_query_free(query);
    pvgi_free(values);
    return status;
}

int32_t pvgi_learn_edges_exact(pvgi_reading *out, const pvg_pipeline *p, const char *name,
                               const pvg_input *input, pvg_rng *rng, pvgi_run *run) {
    const pvgi_edges_settings *s = pvgi_learn_edges_settings(p);
    const size_t cells = (size_t)(p->order * p->classes);
    const int64_t columns = p->classes * (s->method == PVGI_EDGES_GAP ? s->hops : 1);
    const pvg_run plain = pvgi_learn_pipeline_plain(run);
    double *messages = NULL, *received = NULL;
    int32_t status;
    PVGI_TRY(pvgi_learn_edges_check_input(p, name, input));
    memcpy(out->without, p->prior, cells * sizeof(double));
    memcpy(out->rows, p->prior, cells * sizeof(double));
    if (s->method == PVGI_EDGES_FEATURES) return PVG_OK;
    if (s->method == PVGI_EDGES_HISTOGRAM) {
        PVGI_TRY(count_exactly(out->rows, p, input, rng, run));
        fall_back(out->rows, p);
        return PVG_OK;
    }
    PVGI_TRY_DONE(pvgi_learn_edges_messages(&messages, p));
    received = pvgi_alloc((size_t)p->order, (size_t)columns * sizeof *received);
    if (!received) {
        status = pvgi_fail_nomem();
        goto done;
    }
    if (s->method == PVGI_EDGES_RESPONSE)
        sum_messages(received, messages, p, input->graph, 0.0);
    else
        PVGI_TRY_DONE(pass_exactly(received, messages, p, input->graph, &plain));
    PVGI_TRY_DONE(read_sums(out->rows, p, messages, received, columns, rng, run));
    fall_back(out->rows, p);
done:
    pvgi_free(messages);
    pvgi_free(received);
    return status;
}
