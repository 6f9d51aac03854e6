/* Classes of nodes while edges are hidden: an encoder of public features, a draw about
 * the edges, a read-out. Only the draw looks at the edges; before and after it
 * everything is made from public and released numbers. Without noise the same steps run
 * on exact numbers. */
#include "base/number.h"
#include "pipeline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { HISTOGRAM, SUMS, GAP, PCMP, RESPONSE, FEATURES };

/* Counts are wrong with a chance of e^-60: the law of exact counts. */
static const double no_noise = 60.0;

static const pvgi_edges_settings *settings_of(const pvg_pipeline *p) {
    return &p->settings.edges;
}

/* Noise with a delta. */
static bool is_gaussian(int32_t method) {
    return method == SUMS || method == GAP || method == PCMP;
}

/* --- making ------------------------------------------------------------------------- */

static int32_t make_edges(pvg_pipeline *p, const char *name,
                          const pvg_pipeline_arguments *a, pvg_rng *rng, pvgi_run *run) {
    const pvgi_edges_settings *s = settings_of(p);
    PVGI_TRY(pvgi_learn_pipeline_copy_labels(p, name, a));
    PVGI_TRY(pvgi_learn_pipeline_hold_out(p, s->held_out));
    PVGI_REQUIRE(s->method == PCMP || (s->contraction == 0.0 && s->mean_weight == 0.0 &&
                                       s->residual == 0.0),
                 "%s: edges: contraction, mean-weight and residual are of method=pcmp",
                 name);
    PVGI_REQUIRE(s->first_share == 0.0 || s->method == HISTOGRAM,
                 "%s: edges: first-share is of method=histogram", name);
    PVGI_REQUIRE(s->first_share == 0.0 ||
                     (p->target.epsilon > 0.0 && p->target.delta == 0.0),
                 "%s: edges: two rounds need a budget of epsilon alone", name);
    PVGI_REQUIRE(!a->transition || s->method == HISTOGRAM,
                 "%s: edges: arguments->transition is of method=histogram", name);
    PVGI_REQUIRE(!a->network || (s->method != HISTOGRAM && s->method != FEATURES),
                 "%s: edges: arguments->network is of methods that receive sums", name);
    PVGI_TRY(pvgi_learn_pipeline_copy_network(
        p, name, a, p->classes * (1 + (s->method == GAP ? s->hops : 1)), true));
    if (s->method != FEATURES)
        PVGI_TRY(pvgi_learn_pipeline_check_budget(p, name, is_gaussian(s->method)));
    PVGI_TRY(pvgi_learn_check_rows(name, a->features, p->order));
    PVGI_TRY(pvgi_graph_features_sound(name, "arguments->features", a->features));
    if (a->prior) {
        PVGI_REQUIRE(!a->features, "%s: arguments have features and a prior: one of them",
                     name);
        PVGI_TRY(pvgi_learn_check_prior(name, a->prior, p->order, p->classes));
    }
    p->prior = pvgi_alloc((size_t)p->order, (size_t)p->classes * sizeof *p->prior);
    if (!p->prior) return pvgi_fail_nomem();
    const pvgi_encoding encoding = {.classes = p->classes,
                                    .hidden = s->hidden,
                                    .directions = s->directions,
                                    .averages = s->averages,
                                    .checks = p->checks,
                                    .prior = a->prior,
                                    .folded = s->method != HISTOGRAM};
    return pvgi_learn_encode(p->prior, a->features, p->labels, p->order, &encoding, rng,
                             run);
}

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

/* p / |p|, no labels: as GAP sends. */
static void unit(double *messages, const pvg_pipeline *p) {
    const int64_t C = p->classes;
    for (int64_t v = 0; v < p->order; v++) {
        const double *row = p->prior + v * C;
        double sum = 0.0;
        for (int64_t c = 0; c < C; c++) sum += row[c] * row[c];
        for (int64_t c = 0; c < C; c++) messages[v * C + c] = row[c] / sqrt(sum);
    }
}

static int32_t make_messages(double **out, const pvg_pipeline *p) {
    *out = pvgi_alloc((size_t)p->order, (size_t)p->classes * sizeof **out);
    if (!*out) return pvgi_fail_nomem();
    if (settings_of(p)->method == GAP)
        unit(*out, p);
    else
        centre(*out, p);
    return PVG_OK;
}

/* --- what is asked ------------------------------------------------------------------ */

static int32_t ask_histogram(pvg_query **out, const pvg_pipeline *p, const double *prior,
                             const pvg_target *target) {
    double *priorities = pvgi_alloc((size_t)p->order, sizeof *priorities);
    int32_t *kinds = pvgi_alloc((size_t)p->order, sizeof *kinds);
    int32_t status = priorities && kinds ? PVG_OK : pvgi_fail_nomem();
    if (status == PVG_OK) {
        const pvg_arguments arguments = {.size = sizeof arguments,
                                         .order = p->order,
                                         .kinds = kinds,
                                         .priorities = priorities};
        char text[64];
        pvgi_learn_cells(priorities, kinds, prior, p->labels, p->order, p->classes);
        snprintf(text, sizeof text, "edge-histogram kinds=%lld",
                 (long long)(2 * p->classes));
        status = pvg_query_new(out, text, &arguments, target, NULL);
    }
    pvgi_free(priorities);
    pvgi_free(kinds);
    return status;
}

static int32_t ask_passing(pvg_query **out, const pvg_pipeline *p,
                           const pvg_target *target) {
    const pvgi_edges_settings *s = settings_of(p);
    const pvg_arguments arguments = {.size = sizeof arguments, .order = p->order};
    pvgi_text text = {0};
    pvgi_text_format(&text, "message-passing columns=%lld method=%s layers=%lld",
                     (long long)p->classes, s->method == PCMP ? "auto" : "hops",
                     s->method == SUMS ? 1LL : (long long)s->hops);
    if (s->method == PCMP) {
        pvgi_learn_pipeline_put_real(&text, "contraction", s->contraction);
        pvgi_learn_pipeline_put_real(&text, "mean-weight", s->mean_weight);
        pvgi_learn_pipeline_put_real(&text, "residual", s->residual);
    } else {
        pvgi_text_format(&text, " operator=sum");
    }
    const int32_t status = text.status == PVG_OK
                               ? pvg_query_new(out, text.data, &arguments, target, NULL)
                               : pvgi_fail_nomem();
    pvgi_text_free(&text);
    return status;
}

/* The budget of a round. */
static pvg_target target_of(const pvg_pipeline *p, int round) {
    const double share = settings_of(p)->first_share;
    pvg_target target = p->target;
    if (share == 0.0) return target;
    const double first = share * target.epsilon;
    target.epsilon = round == 0 ? first : nextafter(target.epsilon - first, 0.0);
    return target;
}

static int rounds_of(const pvg_pipeline *p) {
    return settings_of(p)->method == FEATURES ? 0
           : settings_of(p)->first_share > 0  ? 2
                                              : 1;
}

/* prior: what makes the cells of a histogram. first: of the round before, or NULL. */
static int32_t ask(pvg_query **out, const pvg_pipeline *p, int round, const double *prior,
                   const pvg_release *first) {
    const pvg_target target = target_of(p, round);
    const int32_t method = settings_of(p)->method;
    if (method == HISTOGRAM)
        PVGI_TRY(ask_histogram(out, p, prior, &target));
    else if (method == RESPONSE)
        PVGI_TRY(pvg_query_new(out, "response", NULL, &target, NULL));
    else
        PVGI_TRY(ask_passing(out, p, &target));
    int32_t status = pvgi_guarantee_sources_join(&(*out)->sources, p->sources);
    if (status == PVG_OK && first)
        status = pvgi_guarantee_sources_add(&(*out)->sources, &first->guarantee);
    if (status == PVG_OK) return PVG_OK;
    pvg_query_free(*out);
    *out = NULL;
    return status;
}

/* Of a histogram: an edge is in one count, so noise and range of a count are those of
 * one kind. */
static int32_t preview_edges(pvg_preview **out, const pvg_pipeline *p, int place,
                             const pvg_run *run) {
    const pvg_preview_config config = {.size = sizeof config, .order = p->order};
    const pvg_arguments arguments = {.size = sizeof arguments, .order = p->order};
    const pvg_target target = target_of(p, place);
    pvg_query *query = NULL;
    if (place >= rounds_of(p)) return PVG_OK;
    if (settings_of(p)->method == HISTOGRAM)
        PVGI_TRY(pvg_query_new(&query, "edge-histogram", &arguments, &target, NULL));
    else
        PVGI_TRY(ask(&query, p, place, p->prior, NULL));
    const int32_t status = pvg_query_preview(out, query, &config, run);
    pvg_query_free(query);
    return status;
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
                                  .rounds = (int32_t)settings_of(p)->rounds,
                                  .strength = settings_of(p)->strength,
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

/* What follows from the first of two rounds: the prior of the second. */
static int32_t read_first(double *out, const pvg_pipeline *p, const pvg_query *query,
                          const double *values, pvgi_run *run) {
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
                                &config, settings_of(p)->averages, rng, run)
               : pvgi_learn_posterior(out, law_of(query), values, prior, p->labels,
                                      p->order, &config, run);
}

/* A network on what each node says and what it received. */
static int32_t read_sums(double *out, const pvg_pipeline *p, const double *messages,
                         const double *received, int64_t columns, pvg_rng *rng,
                         pvgi_run *run) {
    const int64_t C = p->classes, width = C + columns, hops = columns / C;
    const bool gap = settings_of(p)->method == GAP;
    const pvg_training_config training = {
        .averages = settings_of(p)->averages, .epochs = 60, .decay = 1e-3};
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
    const int rounds = rounds_of(p);
    double *between = NULL;
    const double *prior = p->prior, *values;
    pvg_query *query = NULL;
    int32_t status = PVG_OK;
    for (int round = 0; round < rounds; round++) {
        PVGI_TRY_DONE(ask(&query, p, round, prior, round > 0 ? seen[0] : NULL));
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
            PVGI_TRY_DONE(read_first(between, p, query, values, run));
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
    const pvgi_edges_settings *s = settings_of(p);
    const int64_t columns = p->classes * (s->method == GAP ? s->hops : 1);
    double *messages = NULL, *sums = NULL;
    const double *received;
    const pvg_graph *graph;
    pvg_query *query = NULL;
    int32_t status;
    PVGI_TRY_DONE(ask(&query, p, 0, p->prior, NULL));
    PVGI_TRY_DONE(pvgi_learn_pipeline_answers(name, "first", release, query));
    PVGI_TRY_DONE(make_messages(&messages, p));
    if (s->method == RESPONSE) {
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

static int32_t read_edges(pvgi_reading *out, const pvg_pipeline *p, const char *name,
                          const pvg_release *const seen[PVGI_DRAWS], pvg_rng *rng,
                          pvgi_run *run) {
    const int32_t method = settings_of(p)->method;
    memcpy(out->without, p->prior, (size_t)(p->order * p->classes) * sizeof(double));
    memcpy(out->rows, p->prior, (size_t)(p->order * p->classes) * sizeof(double));
    for (int i = rounds_of(p); i < PVGI_DRAWS; i++)
        PVGI_REQUIRE(!seen[i], "%s: a release is given that this pipeline does not draw",
                     name);
    if (method == FEATURES) return PVG_OK;
    if (method == HISTOGRAM)
        PVGI_TRY(read_histograms(out->rows, p, name, seen, rng, run));
    else
        PVGI_TRY(read_messages(out->rows, p, name, seen[0], rng, run));
    fall_back(out->rows, p);
    return PVG_OK;
}

/* --- drawing ------------------------------------------------------------------------ */

static int32_t check_input(const pvg_pipeline *p, const char *name,
                           const pvg_input *input) {
    PVGI_REQUIRE(input->graph && !input->set && !input->features && !input->labels &&
                     input->open == 0,
                 "%s: edges reads the graph; exactly input->graph must be set", name);
    PVGI_REQUIRE(input->graph->order == p->order,
                 "%s: input->graph has %lld nodes, the pipeline %lld", name,
                 (long long)input->graph->order, (long long)p->order);
    return PVG_OK;
}

/* Edges, and messages that are made from public numbers. */
static int32_t complete(pvg_input *own, pvg_features **sent, const pvg_pipeline *p) {
    double *messages = NULL;
    if (!is_gaussian(settings_of(p)->method)) return PVG_OK;
    PVGI_TRY(make_messages(&messages, p));
    const int32_t status = pvg_features_from_dense(sent, p->order, p->classes, messages);
    pvgi_free(messages);
    own->features = *sent;
    own->open = PVG_DATA_FEATURES;
    return status;
}

/* The second round, whose cells follow from the first. */
static int32_t draw_second(pvg_release *out[PVGI_DRAWS], const pvg_pipeline *p,
                           const pvg_query *first, pvg_composition *all,
                           const pvg_input *input, pvg_rng *rng, pvgi_run *run) {
    double *between = pvgi_alloc((size_t)p->order, (size_t)p->classes * sizeof *between);
    pvg_query *query = NULL;
    const double *values;
    int32_t status = between ? PVG_OK : pvgi_fail_nomem();
    if (status == PVG_OK) status = pvg_release_view(&values, out[0]);
    if (status == PVG_OK) status = read_first(between, p, first, values, run);
    if (status == PVG_OK) status = ask(&query, p, 1, between, out[0]);
    const pvg_run plain = pvgi_learn_pipeline_plain(run);
    if (status == PVG_OK)
        status = pvg_composition_draw(&out[1], all, 1, query, input, rng, &plain);
    pvg_query_free(query);
    pvgi_free(between);
    return status;
}

static int32_t draw_edges(pvg_release *out[PVGI_DRAWS], const pvg_pipeline *p,
                          const char *name, const pvg_input *input, pvg_rng *rng,
                          pvg_ledger *const ledgers[PVGI_DRAWS], pvgi_run *run) {
    const int rounds = rounds_of(p);
    const pvg_run plain = pvgi_learn_pipeline_plain(run);
    pvg_input own = *input;
    pvg_features *sent = NULL;
    pvg_query *query[2] = {NULL, NULL};
    pvg_composition *all = NULL;
    int64_t place;
    int32_t status;
    PVGI_TRY(check_input(p, name, input));
    if (rounds == 0) return PVG_OK;
    PVGI_TRY(pvgi_learn_check_declared(name, input->graph, NULL));
    PVGI_TRY_DONE(complete(&own, &sent, p));
    if (rounds == 1) { /* all memory first, then the ledger */
        PVGI_TRY_DONE(ask(&query[0], p, 0, p->prior, NULL));
        status = pvg_release_draw(&out[0], query[0], &own, rng, ledgers[0], &plain);
        goto done;
    }
    PVGI_TRY_DONE(pvg_composition_new(&all));
    for (int i = 0; i < rounds; i++) { /* whatever its cells will be, its law is known */
        PVGI_TRY_DONE(ask(&query[i], p, i, p->prior, NULL));
        PVGI_TRY_DONE(pvg_composition_add(&place, all, query[i], &own, 1, ledgers[0]));
    }
    PVGI_TRY_DONE(pvg_composition_pay(all));
    PVGI_TRY_DONE(pvg_composition_draw(&out[0], all, 0, NULL, &own, rng, &plain));
    status = draw_second(out, p, query[0], all, &own, rng, run);
done:
    pvg_composition_free(all);
    pvg_query_free(query[0]);
    pvg_query_free(query[1]);
    pvg_features_free(sent);
    return status;
}

/* --- without noise ------------------------------------------------------------------ */

/* States of layers, one after the other for GAP, else the last. */
static int32_t pass_exactly(double *received, const double *messages,
                            const pvg_pipeline *p, const pvg_graph *graph,
                            const pvg_run *run) {
    const pvgi_edges_settings *s = settings_of(p);
    const int64_t C = p->classes, hops = s->method == GAP ? s->hops : 1;
    const pvg_layers_config layer = {
        .size = sizeof layer,
        .operation = s->method == PCMP ? PVG_OPERATOR_SYMMETRIC : PVG_OPERATOR_SUM,
        .rows = PVG_ROWS_PROJECTED,
        .depth = s->method == PCMP ? s->hops : 1,
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
    if (status == PVG_OK) status = ask_histogram(&query, p, p->prior, &exact);
    if (status == PVG_OK) status = pvg_query_values_exact(values, query, input, &plain);
    if (status == PVG_OK) status = read_counts(out, p, query, values, p->prior, rng, run);
    pvg_query_free(query);
    pvgi_free(values);
    return status;
}

static int32_t exact_edges(pvgi_reading *out, const pvg_pipeline *p, const char *name,
                           const pvg_input *input, pvg_rng *rng, pvgi_run *run) {
    const pvgi_edges_settings *s = settings_of(p);
    const size_t cells = (size_t)(p->order * p->classes);
    const int64_t columns = p->classes * (s->method == GAP ? s->hops : 1);
    const pvg_run plain = pvgi_learn_pipeline_plain(run);
    double *messages = NULL, *received = NULL;
    int32_t status;
    PVGI_TRY(check_input(p, name, input));
    memcpy(out->without, p->prior, cells * sizeof(double));
    memcpy(out->rows, p->prior, cells * sizeof(double));
    if (s->method == FEATURES) return PVG_OK;
    if (s->method == HISTOGRAM) {
        PVGI_TRY(count_exactly(out->rows, p, input, rng, run));
        fall_back(out->rows, p);
        return PVG_OK;
    }
    PVGI_TRY_DONE(make_messages(&messages, p));
    received = pvgi_alloc((size_t)p->order, (size_t)columns * sizeof *received);
    if (!received) {
        status = pvgi_fail_nomem();
        goto done;
    }
    if (s->method == RESPONSE)
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

/* --- the kind ----------------------------------------------------------------------- */

#define WIDTH PVG_NETWORK_WIDTH_MAX
static const pvgi_option options[] = {
    PVGI_OPTION_CHOICE(
        pvgi_edges_settings, method, "method",
        "histogram|sums|gap|pcmp|response|features",
        "what is released about the edges: counts by class of the sender, pure epsilon; "
        "sums of messages with Gaussian noise, without labels for gap; contractive "
        "layers; a whole graph by randomised response; nothing"),
    PVGI_OPTION_WORD(pvgi_edges_settings, classes, 0, PVG_NETWORK_CLASSES_MAX,
                     PVGI_CLOSED, "in [2, 1024]", "classes", "auto", 0,
                     "number of classes; auto: those of labels and checks"),
    PVGI_OPTION(pvgi_edges_settings, hidden, 1, WIDTH, PVGI_CLOSED, "in [1, 4096]",
                "hidden", 64, "columns inside the encoder"),
    PVGI_OPTION_WORD(pvgi_edges_settings, directions, -1, WIDTH, PVGI_CLOSED,
                     "in [1, 4096], or -1: all columns", "directions", "auto", 0,
                     "of the features that the encoder sees; auto: all columns, or 128 "
                     "if rows have more entries than that on average"),
    PVGI_OPTION(pvgi_edges_settings, averages, 1, 1000, PVGI_CLOSED, "in [1, 1000]",
                "averages", 3, "networks whose probabilities are averaged"),
    PVGI_OPTION(pvgi_edges_settings, hops, 1, 16, PVGI_CLOSED, "in [1, 16]", "hops", 1,
                "layers of gap and pcmp"),
    PVGI_OPTION_WORD(pvgi_edges_settings, contraction, 0, 0x1p1000, PVGI_CLOSED,
                     "a number of at least 0", "contraction", "auto", 0,
                     "pcmp: factor of every layer; auto: 0.9"),
    PVGI_OPTION(pvgi_edges_settings, mean_weight, 0, 1, PVGI_CLOSED, "in [0, 1]",
                "mean-weight", 0, "pcmp: share of the mean of all rows"),
    PVGI_OPTION(pvgi_edges_settings, residual, 0, 0x1p1000, PVGI_CLOSED,
                "a number of at least 0", "residual", 0,
                "pcmp: weight of the input that is added to every layer"),
    PVGI_OPTION(pvgi_edges_settings, first_share, 0, 1, PVGI_OPEN_HIGH, "in [0, 1)",
                "first-share", 0,
                "histogram: this share of epsilon for a first round, whose classes make "
                "the cells of a second; 0: one round. 0.4 pays with few labels and many "
                "edges per node"),
    PVGI_OPTION_WORD(pvgi_edges_settings, rounds, -1, 1 << 20, PVGI_CLOSED, "at least -1",
                     "rounds", "auto", 0,
                     "histogram: of EM over the cells of unlabelled senders; -1: these "
                     "are not used; auto: 3, or none if that does better on checks"),
    PVGI_OPTION_WORD(pvgi_edges_settings, strength, 0, 1, PVGI_CLOSED, "in (0, 1]",
                     "strength", "auto", 0,
                     "histogram: power of the likelihood; auto: 1, or 0.6 if that does "
                     "better on checks"),
    PVGI_OPTION_HELD_OUT(pvgi_edges_settings,
                         "nodes that choose, stop and calibrate, and send nothing"),
    PVGI_OPTION_END};

const pvgi_pipeline_kind pvgi_learn_kind_edges = {
    .row = {.kind = "edges",
            .says = "Classes of nodes while edges are hidden; features and labels are "
                    "public",
            .claim = "learn.edges",
            .reads = PVGI_PART_EDGES,
            .notions = 1u << PVG_NOTION_EDGE,
            .options = options,
            .bytes = sizeof(pvgi_edges_settings)},
    .takes = PVGI_GIVEN_LABELS | PVGI_GIVEN_CHECKS | PVGI_GIVEN_PRIOR |
             PVGI_GIVEN_TRANSITION | PVGI_GIVEN_FEATURES | PVGI_GIVEN_NETWORK,
    .make = make_edges,
    .preview = preview_edges,
    .draw = draw_edges,
    .read = read_edges,
    .exact = exact_edges};
