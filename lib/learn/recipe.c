/* Recipes for classes of nodes while edges are private: encoder, messages, a release,
 * read-out. Everything but the release reads public and released numbers; the release is
 * drawn by the one door. Without noise the same steps run on exact numbers. */
#include "learn_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Counts are wrong with a chance of e^-60: the law of exact edge histograms. */
static const double no_noise = 60.0;

typedef struct {
    const pvg_graph *graph;
    const pvg_recipe_config *config;
    const pvg_target *target; /* NULL: exact */
    const int32_t *labels;
    int64_t order, classes;
    double *prior;    /* order x classes */
    double *messages; /* order x classes */
    double *received; /* order x columns */
    int64_t columns;
    uint64_t object;
    pvg_rng *rng;
    pvg_ledger *ledger;
    const pvg_run *caller; /* of draws */
    pvgi_run *run;
    pvg_release *release;
} recipe;

/* --- messages --------------------------------------------------------------------- */

/* (p - 1/C) / sqrt(1 - 1/C), the label in place of p where it is known: length <= 1. */
static void centre(recipe *r) {
    const int64_t C = r->classes;
    const double share = 1.0 / (double)C, scale = 1.0 / sqrt(1.0 - share);
    for (int64_t v = 0; v < r->order; v++)
        for (int64_t c = 0; c < C; c++) {
            const double p =
                r->labels[v] >= 0 ? (double)(r->labels[v] == c) : r->prior[v * C + c];
            r->messages[v * C + c] = (p - share) * scale;
        }
}

/* p / |p|, no labels: as GAP sends. */
static void unit(recipe *r) {
    const int64_t C = r->classes;
    for (int64_t v = 0; v < r->order; v++) {
        double sum = 0.0;
        for (int64_t c = 0; c < C; c++) sum += r->prior[v * C + c] * r->prior[v * C + c];
        for (int64_t c = 0; c < C; c++)
            r->messages[v * C + c] = r->prior[v * C + c] / sqrt(sum);
    }
}

/* --- what is released --------------------------------------------------------------- */

static int32_t take(recipe *r, int64_t columns) {
    r->columns = columns;
    r->received = pvgi_alloc((size_t)r->order, (size_t)columns * sizeof *r->received);
    return r->received ? PVG_OK : pvgi_fail_nomem();
}

/* States of layers without noise, one after the other for GAP, else the last. */
static int32_t pass_exactly(recipe *r, const pvg_layers_config *layer, bool all) {
    const int64_t C = r->classes, hops = all ? layer->depth : 1;
    pvg_layers_config one = *layer;
    pvg_layers *layers = NULL;
    double *now = pvgi_alloc((size_t)r->order, (size_t)C * 2 * sizeof *now), *next;
    int32_t status = now ? take(r, C * hops) : pvgi_fail_nomem();
    if (all) one.depth = 1;
    if (status == PVG_OK) status = pvg_layers_new(&layers, &one, NULL, 0);
    if (status == PVG_OK) {
        next = now + r->order * C;
        memcpy(now, r->messages, (size_t)(r->order * C) * sizeof *now);
        for (int64_t k = 0; k < hops && status == PVG_OK; k++) {
            status = pvg_propagate_exact(next, layers, r->graph, now, C, r->caller);
            for (int64_t v = 0; v < r->order; v++)
                memcpy(r->received + v * r->columns + k * C, next + v * C,
                       (size_t)C * sizeof *next);
            memcpy(now, next, (size_t)(r->order * C) * sizeof *now);
        }
    }
    pvg_layers_free(layers);
    pvgi_free(now);
    return status;
}

static int32_t take_values(recipe *r) {
    const double *values;
    PVGI_TRY(pvg_release_view(&values, r->release));
    PVGI_TRY(take(r, pvg_release_columns(r->release)));
    memcpy(r->received, values, (size_t)(r->order * r->columns) * sizeof *values);
    return PVG_OK;
}

static pvg_layers_config layer_of(const pvg_recipe_config *config) {
    const bool pcmp = config->recipe == PVG_RECIPE_PCMP;
    const bool gap = config->recipe == PVG_RECIPE_GAP;
    return (pvg_layers_config){.size = sizeof(pvg_layers_config),
                               .operation =
                                   pcmp ? PVG_OPERATOR_SYMMETRIC : PVG_OPERATOR_SUM,
                               .rows = PVG_ROWS_PROJECTED,
                               .depth = pcmp || gap ? config->hops : 1,
                               .contraction = config->contraction,
                               .mean_weight = config->mean_weight,
                               .residual = config->residual};
}

/* How SUMS, GAP and PCMP pass messages, from public numbers. */
static int32_t plan_passing(pvg_propagator **out, const pvg_recipe_config *wanted,
                            const pvg_target *target, int64_t order) {
    const pvg_layers_config layer = layer_of(wanted);
    const pvg_propagator_config config = {.size = sizeof config,
                                          .method = wanted->recipe == PVG_RECIPE_PCMP
                                                        ? PVG_PROPAGATION_AUTO
                                                        : PVG_PROPAGATION_HOPS};
    const pvg_assumption assumption = {.size = sizeof assumption, .order = order};
    pvg_layers *layers = NULL;
    PVGI_TRY(pvg_layers_new(&layers, &layer, NULL, 0));
    const int32_t status =
        pvg_propagator_new(out, layers, &assumption, wanted->classes, &config, target);
    pvg_layers_free(layers);
    return status;
}

static int32_t pass_messages(recipe *r) {
    const bool gap = r->config->recipe == PVG_RECIPE_GAP;
    const pvg_layers_config layer = layer_of(r->config);
    pvg_propagator *propagator = NULL;
    pvg_features *features = NULL;
    int32_t status;
    if (gap)
        unit(r);
    else
        centre(r);
    if (!r->target) return pass_exactly(r, &layer, gap);
    PVGI_TRY_DONE(plan_passing(&propagator, r->config, r->target, r->order));
    PVGI_TRY_DONE(pvg_features_from_dense(&features, r->order, r->classes, r->messages));
    PVGI_TRY_DONE(pvg_release_draw_propagation(&r->release, propagator, r->graph,
                                               features, r->object, r->rng, r->ledger,
                                               r->caller));
    status = take_values(r);
done:
    pvg_features_free(features);
    pvg_propagator_free(propagator);
    return status;
}

/* Sums over a graph; where each pair was flipped with chance f, unbiased ones. */
static void sum_messages(recipe *r, const pvg_graph *graph, double f) {
    const int64_t C = r->classes;
    for (int64_t c = 0; c < C; c++) {
        double all = 0.0;
        for (int64_t v = 0; v < r->order; v++) all += r->messages[v * C + c];
        for (int64_t v = 0; v < r->order; v++) {
            double sum = 0.0;
            for (int64_t e = graph->offsets[v]; e < graph->offsets[v + 1]; e++)
                sum += r->messages[(int64_t)graph->columns[e] * C + c];
            r->received[v * C + c] =
                (sum - f * (all - r->messages[v * C + c])) / (1.0 - 2.0 * f);
        }
    }
}

static int32_t answer_pairs(recipe *r) {
    pvg_perturber *perturber = NULL;
    const pvg_graph *graph = NULL;
    int32_t status;
    centre(r);
    PVGI_TRY_DONE(take(r, r->classes));
    if (!r->target) {
        sum_messages(r, r->graph, 0.0);
        goto done;
    }
    PVGI_TRY_DONE(pvg_perturber_new_response(&perturber, NULL, r->target));
    PVGI_TRY_DONE(pvg_release_draw_graph(&r->release, perturber, r->graph, r->object,
                                         r->rng, r->ledger, r->caller));
    PVGI_TRY_DONE(pvg_release_view_graph(&graph, r->release));
    const double epsilon =
        r->target->epsilon > 0.0 ? r->target->epsilon : r->target->parameter;
    sum_messages(r, graph, 1.0 / (1.0 + exp(epsilon)));
done:
    pvg_perturber_free(perturber);
    return status;
}

/* --- read-outs -------------------------------------------------------------------- */

static int32_t read_sums(double *out, recipe *r) {
    const int64_t C = r->classes, width = C + r->columns, hops = r->columns / C;
    const bool gap = r->config->recipe == PVG_RECIPE_GAP;
    const pvg_training_config training = {
        .averages = r->config->averages, .epochs = 60, .decay = 1e-3};
    char text[96];
    double *x = pvgi_alloc((size_t)r->order, (size_t)width * sizeof *x);
    if (!x) return pvgi_fail_nomem();
    for (int64_t v = 0; v < r->order; v++) {
        for (int64_t c = 0; c < C; c++)
            x[v * width + c] = gap ? r->messages[v * C + c] : log(r->prior[v * C + c]);
        memcpy(x + v * width + C, r->received + v * r->columns,
               (size_t)r->columns * sizeof *x);
    }
    pvgi_learn_standardise(x, r->order, width);
    if (gap)
        snprintf(text, sizeof text, "hops %lld 16 selu drop .3 | dense classes",
                 (long long)hops + 1);
    else
        snprintf(text, sizeof text, "dense 32 selu drop .3 | dense classes");
    const int32_t status =
        pvgi_learn_network_rows(out, text, x, r->order, width, r->labels,
                                r->config->checks, C, &training, r->rng, r->run);
    pvgi_free(x);
    return status;
}

static int32_t count_edges(double *out, recipe *r) {
    const int64_t C = r->classes;
    const pvg_target exact = {.size = sizeof exact, .epsilon = no_noise};
    const pvg_histogram_config cells = {
        .size = sizeof cells, .order = r->order, .kinds = 2 * C};
    const pvg_posterior_config config = {
        .size = sizeof config, .classes = C, .checks = r->config->checks};
    double *priorities = pvgi_alloc((size_t)r->order, sizeof *priorities);
    int32_t *kinds = pvgi_alloc((size_t)r->order, sizeof *kinds);
    const pvg_histogram_nodes nodes = {
        .size = sizeof nodes, .priorities = priorities, .kinds = kinds};
    pvg_statistic *statistic = NULL;
    int32_t status;
    if (!priorities || !kinds) {
        status = pvgi_fail_nomem();
        goto done;
    }
    pvgi_learn_cells(priorities, kinds, r->prior, r->labels, r->order, C);
    PVGI_TRY_DONE(pvg_statistic_new_histogram(&statistic, &cells,
                                              r->target ? r->target : &exact, &nodes));
    if (r->target) {
        PVGI_TRY_DONE(pvg_release_draw_statistic(
            &r->release, statistic, r->graph, r->object, r->rng, r->ledger, r->caller));
        PVGI_TRY_DONE(take_values(r));
    } else {
        PVGI_TRY_DONE(take(r, 2 * C));
        PVGI_TRY_DONE(
            pvg_statistic_values_exact(r->received, statistic, r->graph, r->caller));
    }
    const pvgi_joint *law = pvgi_statistic_histogram_law(statistic);
    status = config.checks
                 ? pvgi_learn_mix(out, law, r->received, r->prior, r->labels, r->order,
                                  &config, r->config->averages, r->rng, r->run)
                 : pvgi_learn_posterior(out, law, r->received, r->prior, r->labels,
                                        r->order, &config, r->run);
done:
    pvg_statistic_free(statistic);
    pvgi_free(priorities);
    pvgi_free(kinds);
    return status;
}

static int32_t cook(double *out, recipe *r) {
    switch ((enum pvg_recipe)r->config->recipe) {
    case PVG_RECIPE_FEATURES:
        memcpy(out, r->prior, (size_t)(r->order * r->classes) * sizeof *out);
        return PVG_OK;
    case PVG_RECIPE_HISTOGRAM:
        return count_edges(out, r);
    case PVG_RECIPE_RESPONSE:
        PVGI_TRY(answer_pairs(r));
        break;
    case PVG_RECIPE_SUMS:
    case PVG_RECIPE_GAP:
    case PVG_RECIPE_PCMP:
        PVGI_TRY(pass_messages(r));
        break;
    }
    return read_sums(out, r);
}

int32_t pvgi_learn_recipe(double *out, double *prior, pvg_release **release,
                          const pvg_graph *graph, const pvg_features *features,
                          const int32_t *labels, const pvg_recipe_config *config,
                          const pvg_target *target, uint64_t object, pvg_rng *rng,
                          pvg_ledger *ledger, pvgi_run *run) {
    pvgi_run quiet = *run; /* steps of a training are no progress of the whole */
    pvg_run plain = run->config;
    quiet.config.progress = NULL;
    recipe r = {.graph = graph,
                .config = config,
                .target = target,
                .labels = labels,
                .order = graph->order,
                .classes = config->classes,
                .object = object,
                .rng = rng,
                .ledger = ledger,
                .caller = &plain,
                .run = &quiet};
    const size_t cells = (size_t)(r.order * r.classes);
    double *answer = NULL;
    int32_t status;
    plain.size = sizeof plain;
    plain.progress = NULL;
    r.prior = pvgi_alloc(cells, sizeof *r.prior);
    r.messages = pvgi_alloc(cells, sizeof *r.messages);
    answer = pvgi_alloc(cells, sizeof *answer);
    if (!r.prior || !r.messages || !answer) {
        status = pvgi_fail_nomem();
        goto done;
    }
    PVGI_TRY_DONE(pvgi_learn_encode(
        r.prior, features, labels, r.order,
        &(pvgi_encoding){config->classes, config->hidden, config->directions,
                         config->averages, config->checks, config->prior,
                         config->recipe != PVG_RECIPE_HISTOGRAM},
        rng, &quiet));
    PVGI_TRY_DONE(pvgi_run_report(run, 0.5));
    PVGI_TRY_DONE(cook(answer, &r));
    PVGI_TRY_DONE(pvgi_run_report(run, 1.0));
    memcpy(out, answer, cells * sizeof *out);
    if (prior) memcpy(prior, r.prior, cells * sizeof *prior);
done:
    if (release) *release = r.release; /* it is paid for, whatever failed afterwards */
    pvgi_free(r.prior);
    pvgi_free(r.messages);
    pvgi_free(r.received);
    pvgi_free(answer);
    return status;
}

/* --- before anything is paid ------------------------------------------------------- */

/* Of edge histograms: an edge is in one count, so noise and range of a count are those of
 * edge histograms of one kind. */
static int32_t count_preview(pvg_preview **out, const pvg_target *target, int64_t order) {
    const pvg_histogram_config cells = {.size = sizeof cells, .order = order, .kinds = 1};
    const pvg_histogram_nodes nodes = {.size = sizeof nodes};
    pvg_statistic *statistic = NULL;
    PVGI_TRY(pvg_statistic_new_histogram(&statistic, &cells, target, &nodes));
    const int32_t status = pvg_statistic_preview(out, statistic, 0, 0);
    pvg_statistic_free(statistic);
    return status;
}

static int32_t pass_preview(pvg_preview **out, const pvg_recipe_config *config,
                            const pvg_target *target, int64_t order) {
    pvg_propagator *propagator = NULL;
    PVGI_TRY(plan_passing(&propagator, config, target, order));
    const int32_t status = pvg_propagator_preview(out, propagator);
    pvg_propagator_free(propagator);
    return status;
}

static int32_t answer_preview(pvg_preview **out, const pvg_target *target,
                              int64_t order) {
    pvg_perturber *perturber = NULL;
    PVGI_TRY(pvg_perturber_new_response(&perturber, NULL, target));
    const int32_t status = pvg_perturber_preview(out, perturber, order);
    pvg_perturber_free(perturber);
    return status;
}

int32_t pvgi_learn_recipe_preview(pvg_preview **out, const pvg_recipe_config *config,
                                  const pvg_target *target, int64_t order) {
    switch ((enum pvg_recipe)config->recipe) {
    case PVG_RECIPE_FEATURES:
        break;
    case PVG_RECIPE_HISTOGRAM:
        return count_preview(out, target, order);
    case PVG_RECIPE_RESPONSE:
        return answer_preview(out, target, order);
    case PVG_RECIPE_SUMS:
    case PVG_RECIPE_GAP:
    case PVG_RECIPE_PCMP:
        return pass_preview(out, config, target, order);
    }
    return pvgi_fail(PVG_E_ARGUMENT,
                     "pvg_recipe_preview: config->recipe: FEATURES releases nothing");
}
