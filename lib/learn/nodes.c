/* Nodes are hidden, with their edges, features and labels: an encoder by DP-SGD, sums of
 * its messages over neighbours with noise for a removed node, a head by DP-SGD (GAP at
 * node level). Shares are parts of mu^2: part i gets s sqrt(share_i) times the parameter
 * that it could have alone, and s is the largest number whose composition meets the
 * target. All is paid in one charge before the first draw.
 *
 * A removed node has no edges, features of zero and no label: its record is absent from
 * both trainings, and sums without self loops do not hear a node without edges. */
#include "learn_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ENCODER, STATES, HEAD, DRAWS };

static const char name_of_recipe[] = "pvg_recipe_nodes";

typedef struct {
    const pvg_graph *graph;
    const pvg_labels *labels;
    const pvg_nodes_config *config;
    const pvg_target *target; /* NULL: exact */
    int64_t order, classes, records, hops;
    uint64_t object;
    pvg_rng *rng;
    pvg_ledger *ledger;
    pvg_run plain;
    pvgi_run *run;
    pvg_features *inputs; /* rows of length 1, perhaps in random directions */
    int64_t width;        /* columns of them */
    pvg_query *training[DRAWS];
    pvg_layers *layers;
    pvg_propagator *propagator;
    double *messages; /* order x classes */
} nodes;

/* --- features ---------------------------------------------------------------------- */

/* A public coin for entry (row, column) of the projection: splitmix64. */
static double sign_of(int64_t row, int64_t column) {
    uint64_t z = ((uint64_t)row << 20 ^ (uint64_t)column) * UINT64_C(0x9E3779B97F4A7C15) +
                 UINT64_C(0x6A09E667F3BCC909);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return (z ^ z >> 31) >> 63 ? 1.0 : -1.0;
}

/* 0: the columns as they are. */
static int64_t directions_of(int64_t columns, int64_t directions) {
    if (directions == 0 && columns > 512) return 256;
    return directions > 0 ? directions : 0;
}

/* Each row by itself, by a public map: no statistic of other nodes is in it. Lengths are
 * 1 before the projection, so that no sum overflows (an error would tell), and after. */
int32_t pvgi_learn_inputs(pvg_features **out, const pvg_features *features,
                          int64_t directions) {
    const int64_t n = features->rows;
    pvg_features *x = NULL;
    directions = directions_of(features->columns, directions);
    if (directions == 0) return pvgi_learn_unit_rows(out, features);
    double *rows = pvgi_alloc_zero((size_t)n, (size_t)directions * sizeof *rows);
    int32_t status = rows ? pvgi_learn_unit_rows(&x, features) : pvgi_fail_nomem();
    for (int64_t v = 0; status == PVG_OK && v < n; v++) {
        double *row = rows + v * directions;
        for (int64_t k = x->offsets[v]; k < x->offsets[v + 1]; k++)
            for (int64_t j = 0; j < directions; j++)
                row[j] += x->values[k] * sign_of(x->indices[k], j);
        pvgi_learn_unit_row(row, directions);
    }
    if (status == PVG_OK) status = pvg_features_from_dense(out, n, directions, rows);
    pvg_features_free(x);
    pvgi_free(rows);
    return status;
}

/* --- what is asked for, from public numbers ---------------------------------------- */

static int32_t make_training(nodes *n, int which, const char *text, int64_t inputs,
                             double mu) {
    const pvg_nodes_config *c = n->config;
    const pvg_dpsgd_config config = {.size = sizeof config,
                                     .steps = c->steps,
                                     .batch = c->batch,
                                     .rate = c->rate,
                                     .clip = c->clip};
    const pvg_target target = {
        .size = sizeof target, .parameter = mu, .allow_seeded = n->target->allow_seeded};
    pvg_network *network = NULL;
    int32_t status = pvg_network_from_text(&network, text, inputs, n->classes);
    if (status == PVG_OK)
        status = pvg_query_new_training(&n->training[which], network, n->records, &config,
                                        NULL, &target);
    /* records tell their epsilon at the delta of the whole */
    if (status == PVG_OK)
        pvgi_network_query_training(n->training[which])->guarantee.delta =
            n->target->delta;
    pvg_network_free(network);
    return status;
}

static int32_t make_propagator(nodes *n, double mu) {
    const pvg_layers_config layer = {.size = sizeof layer,
                                     .operation = PVG_OPERATOR_SUM,
                                     .rows = PVG_ROWS_PROJECTED,
                                     .depth = n->hops};
    const pvg_propagator_config config = {.size = sizeof config,
                                          .method = PVG_PROPAGATION_HOPS,
                                          .hide = PVGI_HIDE_NODE_REMOVED};
    const pvg_assumption assumption = {.size = sizeof assumption,
                                       .degrees = PVG_DEGREES_PROMISED,
                                       .order = n->order,
                                       .degree_bound = n->config->degree_bound};
    const pvg_target target = {
        .size = sizeof target, .parameter = mu, .allow_seeded = n->target->allow_seeded};
    PVGI_TRY(pvg_layers_new(&n->layers, &layer, NULL, 0));
    PVGI_TRY(pvg_propagator_new(&n->propagator, n->layers, &assumption, n->classes,
                                &config, &target));
    n->propagator->guarantee.delta = n->target->delta;
    return PVG_OK;
}

static void drop_plans(nodes *n) {
    for (int i = 0; i < DRAWS; i++) {
        pvg_query_free(n->training[i]);
        n->training[i] = NULL;
    }
    pvg_propagator_free(n->propagator);
    pvg_layers_free(n->layers);
    n->propagator = NULL;
    n->layers = NULL;
}

static int32_t make_plans(nodes *n, const double mu[DRAWS]) {
    char text[96];
    snprintf(text, sizeof text, "dense %lld tanh | dense classes",
             (long long)n->config->hidden);
    PVGI_TRY(make_training(n, ENCODER, text, n->width, mu[ENCODER]));
    if (n->hops == 0) return PVG_OK;
    PVGI_TRY(make_propagator(n, mu[STATES]));
    return make_training(n, HEAD, "dense 16 tanh | dense classes",
                         n->classes * (1 + n->hops), mu[HEAD]);
}

static const pvg_guarantee *promise_of(const nodes *n, int which) {
    return which == STATES ? pvg_propagator_guarantee(n->propagator)
                           : &pvgi_network_query_training(n->training[which])->guarantee;
}

/* Parameters whose composition meets the target; false if there are none. */
static bool share_out(double mu[DRAWS], nodes *n, double slack) {
    const pvg_nodes_config *c = n->config;
    const double wanted[DRAWS] = {c->encoder_share, c->states_share, c->head_share};
    const int draws = n->hops > 0 ? DRAWS : 1;
    const double batch = c->batch > 0       ? c->batch
                         : n->records < 512 ? (double)n->records
                                            : 512;
    const pvg_curve_term step = {.size = sizeof step,
                                 .kind = PVG_CURVE_SAMPLED,
                                 .rate = fmin(batch / (double)n->records, 1.0),
                                 .steps = c->steps > 0 ? c->steps : 250},
                         sum = {.size = sizeof sum, .kind = PVG_CURVE_GDP};
    const double epsilon = n->target->epsilon * (1 - slack), delta = n->target->delta;
    pvg_curve_term terms[DRAWS];
    double alone[DRAWS], all = 0, low = 0,
                         high = 8; /* of sampled steps squares may add up to more */
    for (int i = 0; i < draws; i++) {
        terms[i] = i == STATES ? sum : step;
        alone[i] = pvgi_mechanism_solve(&terms[i], epsilon, delta);
        if (!(alone[i] > 0)) return false;
        all += wanted[i];
    }
    if (draws == 1) {
        mu[0] = alone[0];
        return true;
    }
    for (int round = 0; round < 40; round++) {
        const double middle = (low + high) / 2;
        for (int i = 0; i < draws; i++)
            terms[i].mu = middle * sqrt(wanted[i] / all) * alone[i];
        if (!(pvgi_mechanism_terms_epsilon(terms, draws, delta) <= epsilon)) {
            high = middle;
            continue;
        }
        low = middle;
        for (int i = 0; i < draws; i++) mu[i] = terms[i].mu;
    }
    return low > 0;
}

/* What all draws promise together, for the ledger. *out is for drop. */
static int32_t join_promises(pvg_guarantee *out, const nodes *n) {
    const pvg_guarantee *all[DRAWS];
    const int draws = n->hops > 0 ? DRAWS : 1;
    for (int i = 0; i < draws; i++) all[i] = promise_of(n, i);
    PVGI_TRY(pvgi_guarantee_copy(out, all[0]));
    pvg_curve *joint = NULL;
    const int32_t status = pvgi_guarantee_compose(&joint, all, draws);
    if (status != PVG_OK) {
        pvgi_guarantee_drop(out);
        return status;
    }
    pvg_curve_free(out->joint);
    out->joint = joint;
    return PVG_OK;
}

/* Queries and propagator whose composition, as they account for it, meets the target. */
static int32_t plan(pvg_guarantee *price, nodes *n) {
    double mu[DRAWS] = {0};
    for (double slack = 0; slack<0.01; slack = slack> 0 ? 4 * slack : 0x1p-30) {
        if (!share_out(mu, n, slack)) break;
        PVGI_TRY(make_plans(n, mu));
        PVGI_TRY(join_promises(price, n));
        if (pvgi_guarantee_epsilon(price, n->target->delta) <= n->target->epsilon)
            return PVG_OK;
        pvgi_guarantee_drop(price);
        drop_plans(n);
    }
    return pvgi_fail(PVG_E_PRIVACY, "%s: no noise meets epsilon and delta",
                     name_of_recipe);
}

/* --- draws ------------------------------------------------------------------------- */

/* x: features of all nodes, their own apart from what `seen` and `states` released. */
static int32_t train(pvg_model **out, nodes *n, int which, const pvg_features *x,
                     const pvg_model *seen, const pvg_release *states,
                     const pvg_guarantee *price) {
    const pvg_query *query = n->training[which];
    pvg_dataset_builder *builder = NULL;
    pvg_dataset *data = NULL;
    pvg_release *release = NULL;
    pvg_guarantee promise = {0};
    pvgi_query_job job;
    pvgi_draw draw;
    int32_t status;
    PVGI_TRY_DONE(pvg_dataset_builder_new(&builder, n->order));
    PVGI_TRY_DONE(pvg_dataset_builder_add_private_features(builder, x));
    PVGI_TRY_DONE(pvg_dataset_builder_add_private_labels(builder, n->labels));
    PVGI_TRY_DONE(pvg_dataset_builder_set_split(builder, n->config->parts, n->order));
    if (seen) PVGI_TRY_DONE(pvg_dataset_builder_add_seen(builder, seen));
    if (states) PVGI_TRY_DONE(pvgi_network_note(&builder->data, states));
    PVGI_TRY_DONE(pvg_dataset_builder_finish(&data, builder));
    const pvg_input input = {.size = sizeof input, .dataset = data};
    PVGI_TRY_DONE(pvgi_release_promise(&promise, name_of_recipe, query, &input));
    PVGI_TRY_DONE(pvgi_network_training_begin(&draw, &job, NULL, query->state,
                                              &(pvgi_private){.dataset = data}));
    draw.guarantee = &promise;
    draw.price = price;
    draw.question = query->text;
    PVGI_TRY_DONE(
        pvgi_release_draw(&release, name_of_recipe, &draw,
                          &(pvgi_payer){.ledger = price ? n->ledger : NULL,
                                        .objects = n->ledger ? &n->object : NULL,
                                        .count = 1,
                                        .rng = n->rng,
                                        .run = &n->plain}));
    *out = release->content.model; /* the caller's from here on */
    release->content.model = NULL;
done:
    pvg_release_free(release);
    pvgi_guarantee_drop(&promise);
    pvg_dataset_free(data);
    pvg_dataset_builder_free(builder);
    return status;
}

/* Class probabilities of all nodes by a model, from features that may be private. */
static int32_t judge(double *out, const pvg_model *model, const pvg_features *x,
                     pvgi_run *run) {
    pvg_dataset_builder *builder = NULL;
    pvg_dataset *data = NULL;
    int32_t status;
    PVGI_TRY_DONE(pvg_dataset_builder_new(&builder, x->rows));
    PVGI_TRY_DONE(pvg_dataset_builder_add_private_features(builder, x));
    PVGI_TRY_DONE(pvg_dataset_builder_finish(&data, builder));
    status = pvgi_network_predict(out, model, data, PVG_PREDICT_PROBABILITIES, run);
done:
    pvg_dataset_free(data);
    pvg_dataset_builder_free(builder);
    return status;
}

/* (p - 1/C) / sqrt(1 - 1/C), for one hop the label of those who train instead of p; 0
 * for a node about which nothing is known, or p is no number (an error would tell).
 * Length at most 1. */
static void make_messages(double *out, const nodes *n, const double *p, bool labels) {
    const int64_t C = n->classes;
    const double share = 1.0 / (double)C, scale = 1.0 / sqrt(1.0 - share);
    for (int64_t v = 0; v < n->order; v++) {
        const int32_t y =
            n->config->parts[v] == PVG_PART_TRAIN ? n->labels->values[v] : -1;
        const bool told = labels && y >= 0 && y < C;
        const bool empty = n->inputs->offsets[v] == n->inputs->offsets[v + 1];
        for (int64_t c = 0; c < C; c++)
            out[v * C + c] = told ? ((double)(y == c) - share) * scale
                             : empty || !(p[v * C + c] >= 0.0 && p[v * C + c] <= 1.0)
                                 ? 0.0
                                 : (p[v * C + c] - share) * scale;
    }
}

/* What the head reads: the node's own centred p, and its states in units of what their
 * noise and range are, which is public. */
static int32_t head_inputs(pvg_features **out, const nodes *n, const double *p,
                           const double *states, double unit) {
    const int64_t C = n->classes, width = C * (1 + n->hops);
    double *x = pvgi_alloc((size_t)n->order, (size_t)width * sizeof *x);
    double *own = pvgi_alloc((size_t)n->order, (size_t)C * sizeof *own);
    int32_t status = x && own ? PVG_OK : pvgi_fail_nomem();
    if (status == PVG_OK) {
        make_messages(own, n, p, false);
        for (int64_t v = 0; v < n->order; v++) {
            memcpy(x + v * width, own + v * C, (size_t)C * sizeof *x);
            for (int64_t j = 0; j < C * n->hops; j++)
                x[v * width + C + j] = states[v * C * n->hops + j] / unit;
        }
        status = pvg_features_from_dense(out, n->order, width, x);
    }
    pvgi_free(x);
    pvgi_free(own);
    return status;
}

/* Noise of each number of the states, as their record tells. */
static double unit_of(const pvg_guarantee *guarantee) {
    return fmax(guarantee->scale, 1.0);
}

static int32_t draw_states(pvg_release **out, nodes *n, const pvg_guarantee *paid) {
    pvg_features *sent = NULL;
    int32_t status = pvg_features_from_dense(&sent, n->order, n->classes, n->messages);
    if (status == PVG_OK)
        status = pvg_release_draw_propagation(out, n->propagator, n->graph, sent,
                                              n->object, n->rng, NULL, &n->plain);
    pvg_features_free(sent);
    if (status == PVG_OK && n->ledger)
        status = pvgi_guarantee_share_payment(&(*out)->guarantee, paid);
    return status;
}

/* The draw of a model's own weights is the last one behind it. */
static pvg_guarantee *own_draw(const pvg_model *model) {
    return &model->sources->draw[model->sources->count - 1];
}

static int32_t draw_rest(nodes *n, pvg_model *encoder, pvg_model **head,
                         pvg_release **states) {
    double *p = pvgi_alloc((size_t)n->order, (size_t)n->classes * sizeof *p);
    pvg_features *x = NULL;
    const double *values;
    int32_t status;
    n->messages = pvgi_alloc((size_t)n->order, (size_t)n->classes * sizeof *p);
    if (!p || !n->messages) {
        status = pvgi_fail_nomem();
        goto done;
    }
    PVGI_TRY_DONE(judge(p, encoder, n->inputs, n->run));
    make_messages(n->messages, n, p, n->hops == 1);
    PVGI_TRY_DONE(draw_states(states, n, own_draw(encoder)));
    PVGI_TRY_DONE(pvg_release_view(&values, *states));
    PVGI_TRY_DONE(head_inputs(&x, n, p, values, unit_of(&(*states)->guarantee)));
    PVGI_TRY_DONE(train(head, n, HEAD, x, encoder, *states, NULL));
    if (n->ledger)
        status = pvgi_guarantee_share_payment(own_draw(*head), own_draw(encoder));
done:
    pvg_features_free(x);
    pvgi_free(p);
    pvgi_free(n->messages);
    return status;
}

int32_t pvgi_learn_nodes(pvg_model **encoder, pvg_model **head, pvg_release **states,
                         const pvg_graph *graph, const pvg_features *features,
                         const pvg_labels *labels, const pvg_nodes_config *config,
                         int64_t records, const pvg_target *target, uint64_t object,
                         pvg_rng *rng, pvg_ledger *ledger, pvgi_run *run) {
    pvgi_run quiet = *run; /* steps of a training are no progress of the whole */
    quiet.config.progress = NULL;
    nodes n = {.graph = graph,
               .labels = labels,
               .config = config,
               .target = target,
               .order = graph->order,
               .classes = config->classes,
               .records = records,
               .hops = config->recipe == PVG_RECIPE_GAP ? config->hops : 0,
               .object = object,
               .rng = rng,
               .ledger = ledger,
               .plain = quiet.config,
               .run = &quiet};
    pvg_guarantee price = {0};
    int32_t status;
    n.plain.size = sizeof n.plain;
    PVGI_TRY_DONE(pvgi_learn_inputs(&n.inputs, features, config->directions));
    n.width = n.inputs->columns;
    PVGI_TRY_DONE(plan(&price, &n));
    PVGI_TRY_DONE(pvgi_run_report(run, 0.0));
    PVGI_TRY_DONE(train(encoder, &n, ENCODER, n.inputs, NULL, NULL, &price));
    PVGI_TRY_DONE(pvgi_run_report(run, 0.5));
    if (n.hops > 0) PVGI_TRY_DONE(draw_rest(&n, *encoder, head, states));
    PVGI_TRY_DONE(pvgi_run_report(run, 1.0));
done:
    pvgi_guarantee_drop(&price);
    drop_plans(&n);
    pvg_features_free(n.inputs);
    return status;
}

/* The parameter of the sums if all of it may spend epsilon; 0 if nothing is left. */
static double states_at(nodes *n, double epsilon) {
    const pvg_target *given = n->target;
    pvg_target target = *given;
    double mu[DRAWS] = {0};
    target.epsilon = epsilon;
    n->target = &target;
    const bool any = share_out(mu, n, 0.0);
    n->target = given;
    return any ? mu[STATES] : 0.0;
}

/* The least epsilon of the whole pipeline at which the noise of the sums, inversely
 * proportional to their parameter, is below their range; from above, up to a percent;
 * infinite beyond 4096. The propagator knows its own share alone. */
static double least_epsilon(nodes *n, double ratio) {
    const double wanted = 1.001 * states_at(n, n->target->epsilon) / ratio;
    double low = n->target->epsilon, high = low;
    while (states_at(n, high) < wanted && high < 4096.0) high *= 2.0;
    if (states_at(n, high) < wanted) return INFINITY;
    while (states_at(n, low) >= wanted && low > 0x1p-10) low /= 2.0;
    while (high > 1.01 * low) {
        const double middle = sqrt(low * high);
        if (states_at(n, middle) >= wanted)
            high = middle;
        else
            low = middle;
    }
    return high;
}

int32_t pvgi_learn_nodes_preview(pvg_preview **out, const pvg_nodes_config *config,
                                 int64_t records, const pvg_target *target, int64_t order,
                                 int64_t columns) {
    const int64_t directions = directions_of(columns, config->directions);
    nodes n = {.config = config,
               .target = target,
               .order = order,
               .classes = config->classes,
               .records = records,
               .hops = config->hops,
               .width = directions > 0 ? directions : columns};
    pvg_guarantee price = {0};
    int32_t status = plan(&price, &n);
    if (status == PVG_OK) status = pvg_propagator_preview(out, n.propagator);
    for (int64_t i = 0; status == PVG_OK && i < (*out)->count; i++)
        (*out)->line[i].epsilon_min = least_epsilon(&n, (*out)->line[i].ratio);
    pvgi_guarantee_drop(&price);
    drop_plans(&n);
    return status;
}

/* --- judgement --------------------------------------------------------------------- */

int32_t pvgi_learn_nodes_predict(double *out, const pvg_model *encoder,
                                 const pvg_model *head, const pvg_release *states,
                                 const pvg_features *features, int64_t directions,
                                 pvgi_run *run) {
    static const char name[] = "pvg_recipe_nodes_predict_exact";
    const int64_t C = encoder->network->program.classes, order = features->rows;
    int32_t *nobody = NULL;
    double *p = NULL;
    pvg_features *x = NULL;
    const double *values;
    nodes n = {.order = order, .classes = C};
    int32_t status;
    PVGI_TRY_DONE(pvgi_learn_inputs(&n.inputs, features, directions));
    if (n.inputs->columns != encoder->network->program.inputs) {
        status = pvgi_fail(PVG_E_ARGUMENT,
                           "%s: the encoder reads %lld columns, the features make %lld",
                           name, (long long)encoder->network->program.inputs,
                           (long long)n.inputs->columns);
        goto done;
    }
    if (!head) {
        status = judge(out, encoder, n.inputs, run);
        goto done;
    }
    PVGI_TRY_DONE(pvg_release_view(&values, states));
    n.hops = pvg_release_columns(states) / C;
    if (pvg_release_rows(states) != order ||
        head->network->program.inputs != C * (1 + n.hops)) {
        status = pvgi_fail(PVG_E_ARGUMENT,
                           "%s: head, states and features are not of one pipeline", name);
        goto done;
    }
    p = pvgi_alloc((size_t)order, (size_t)C * sizeof *p);
    nobody = pvgi_alloc((size_t)order, sizeof *nobody);
    if (!p || !nobody) {
        status = pvgi_fail_nomem();
        goto done;
    }
    for (int64_t v = 0; v < order; v++) nobody[v] = PVG_PART_NONE;
    const pvg_nodes_config config = {.parts = nobody};
    n.config = &config;
    PVGI_TRY_DONE(judge(p, encoder, n.inputs, run));
    PVGI_TRY_DONE(head_inputs(&x, &n, p, values, unit_of(&states->guarantee)));
    status = judge(out, head, x, run);
done:
    pvg_features_free(x);
    pvg_features_free(n.inputs);
    pvgi_free(nobody);
    pvgi_free(p);
    return status;
}

/* Without noise: the same networks trained on everything, exact sums. */
int32_t pvgi_learn_nodes_exact(double *out, const pvg_graph *graph,
                               const pvg_features *features, const pvg_labels *labels,
                               const pvg_nodes_config *config, pvg_rng *rng,
                               pvgi_run *run) {
    const int64_t C = config->classes, order = graph->order;
    const int64_t hops = config->recipe == PVG_RECIPE_GAP ? config->hops : 0;
    const pvg_training_config training = {
        .size = sizeof training, .averages = 1, .epochs = 100};
    const pvg_layers_config layer = {.size = sizeof layer,
                                     .operation = PVG_OPERATOR_SUM,
                                     .rows = PVG_ROWS_PROJECTED,
                                     .depth = 1};
    nodes n = {
        .order = order, .classes = C, .hops = hops, .labels = labels, .config = config};
    char text[96];
    pvg_layers *layers = NULL;
    int32_t *known = pvgi_alloc((size_t)order, sizeof *known);
    double *p = pvgi_alloc((size_t)order, (size_t)C * sizeof *p);
    double *now = pvgi_alloc((size_t)order, (size_t)C * 2 * sizeof *now), *next = NULL;
    double *x = pvgi_alloc((size_t)order, (size_t)(C * (1 + hops)) * sizeof *x);
    const int64_t width = C * (1 + hops);
    pvg_run plain = run->config;
    int32_t status = known && p && now && x ? PVG_OK : pvgi_fail_nomem();
    plain.size = sizeof plain;
    if (status != PVG_OK) goto done;
    for (int64_t v = 0; v < order; v++) {
        const int32_t y = labels->values[v];
        known[v] = config->parts[v] == PVG_PART_TRAIN && y >= 0 && y < C ? y : -1;
    }
    snprintf(text, sizeof text, "dense %lld tanh | dense classes",
             (long long)config->hidden);
    PVGI_TRY_DONE(pvgi_learn_inputs(&n.inputs, features, config->directions));
    PVGI_TRY_DONE(
        pvgi_learn_network(p, NULL, text, n.inputs, known, NULL, C, &training, rng, run));
    if (hops == 0) {
        memcpy(out, p, (size_t)(order * C) * sizeof *out);
        goto done;
    }
    PVGI_TRY_DONE(pvg_layers_new(&layers, &layer, NULL, 0));
    next = now + order * C;
    make_messages(now, &n, p, false);
    for (int64_t v = 0; v < order; v++)
        memcpy(x + v * width, now + v * C, (size_t)C * sizeof *x);
    make_messages(now, &n, p, hops == 1);
    for (int64_t k = 0; k < hops; k++) {
        PVGI_TRY_DONE(pvg_propagate_exact(next, layers, graph, now, C, &plain));
        for (int64_t v = 0; v < order; v++)
            memcpy(x + v * width + (k + 1) * C, next + v * C, (size_t)C * sizeof *x);
        memcpy(now, next, (size_t)(order * C) * sizeof *now);
    }
    pvgi_learn_standardise(x, order, width);
    status = pvgi_learn_network_rows(out, "dense 16 tanh | dense classes", x, order,
                                     width, known, NULL, C, &training, rng, run);
done:
    pvg_layers_free(layers);
    pvg_features_free(n.inputs);
    pvgi_free(known);
    pvgi_free(p);
    pvgi_free(now);
    pvgi_free(x);
    return status;
}
