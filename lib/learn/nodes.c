/* Kind "nodes", drawing: nodes are hidden, with their edges, features and labels. An
 * encoder by DP-SGD, and by method gap sums of its messages over neighbours with noise
 * for a removed node, and a head by DP-SGD (GAP at node level). Shares are parts of mu^2:
 * part i gets s sqrt(share_i) times the parameter that it could have alone, and s is the
 * largest number whose composition meets the target. All is paid in one charge before the
 * first draw.
 *
 * A removed node has no edges, features of zero and no label: its record is absent from
 * both trainings, and sums without self loops do not hear a node without edges. */
#include "nodes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int draws_of(const pvg_pipeline *p) {
    return pvgi_learn_nodes_hops(p) > 0 ? PVGI_DRAWS : 1;
}

/* --- what is asked, from public numbers --------------------------------------------- */

static pvg_target target_of(const pvg_pipeline *p, double mu) {
    return (pvg_target){.size = sizeof(pvg_target),
                        .parameter = mu,
                        .allow_seeded = p->target.allow_seeded};
}

static int32_t ask_training(pvg_query **out, const pvg_pipeline *p, const char *text,
                            int64_t inputs, double mu) {
    const pvgi_nodes_settings *s = pvgi_learn_nodes_settings(p);
    const pvg_dpsgd_config config = {.size = sizeof config,
                                     .steps = s->steps,
                                     .batch = s->batch,
                                     .rate = s->rate,
                                     .clip = s->clip};
    const pvg_target target = target_of(p, mu);
    pvg_network *network = NULL;
    int32_t status = pvg_network_from_text(&network, text, inputs, p->classes);
    if (status == PVG_OK)
        status = pvg_query_new_training(out, network, p->records, &config, NULL, &target);
    pvg_network_free(network);
    return status;
}

static int32_t ask_states(pvg_query **out, const pvg_pipeline *p, double mu) {
    const pvg_arguments arguments = {.size = sizeof arguments, .order = p->order};
    const pvg_target target = target_of(p, mu);
    char text[160];
    snprintf(text, sizeof text,
             "message-passing columns=%lld hide=node-removed method=hops layers=%lld "
             "operator=sum degrees=promised max-degree=%lld",
             (long long)p->classes, (long long)pvgi_learn_nodes_hops(p),
             (long long)pvgi_learn_nodes_settings(p)->degree_bound);
    return pvg_query_new(out, text, &arguments, &target, NULL);
}

static pvg_guarantee *promise_of(const pvg_query *query) {
    pvgi_training *training = pvgi_network_query_training(query);
    return training ? &training->guarantee : &((pvg_propagator *)query->state)->guarantee;
}

/* One of the three. first: what was drawn before it; NULL: nothing yet. */
static int32_t ask(pvg_query **out, const pvg_pipeline *p, int place, double mu,
                   const pvg_release *first) {
    char text[96];
    snprintf(text, sizeof text, "dense %lld tanh | dense classes",
             (long long)pvgi_learn_nodes_settings(p)->hidden);
    PVGI_TRY(place == PVGI_NODES_STATES ? ask_states(out, p, mu)
             : place == PVGI_NODES_HEAD
                 ? ask_training(out, p, "dense 16 tanh | dense classes",
                                pvgi_learn_nodes_head_width(p), mu)
                 : ask_training(
                       out, p, p->network ? p->network : text,
                       pvgi_learn_inputs_width(pvgi_learn_nodes_settings(p)->columns,
                                               pvgi_learn_nodes_settings(p)->directions),
                       mu));
    /* records tell their epsilon at the delta of the whole */
    promise_of(*out)->delta = p->target.delta;
    return pvgi_learn_pipeline_rest_on(out, p, first);
}

/* Parameters whose composition meets epsilon; false if there are none. */
static bool share_out(double mu[PVGI_DRAWS], const pvg_pipeline *p, double epsilon) {
    const pvgi_nodes_settings *s = pvgi_learn_nodes_settings(p);
    const double wanted[PVGI_DRAWS] = {s->encoder_share, s->states_share, s->head_share};
    const double records = (double)p->records, delta = p->target.delta;
    const double batch = s->batch > 0 ? s->batch : fmin(records, 512);
    const pvg_curve_term step = {.size = sizeof step,
                                 .kind = PVG_CURVE_SAMPLED,
                                 .rate = fmin(batch / records, 1.0),
                                 .steps = s->steps},
                         sum = {.size = sizeof sum, .kind = PVG_CURVE_GDP};
    const int draws = draws_of(p);
    pvg_curve_term terms[PVGI_DRAWS];
    double alone[PVGI_DRAWS], all = 0, low = 0,
                              high = 8; /* sampled: squares may add up to more */
    for (int i = 0; i < draws; i++) {
        terms[i] = i == PVGI_NODES_STATES ? sum : step;
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

static void drop_asks(pvg_pipeline *p) {
    for (int i = 0; i < PVGI_DRAWS; i++) {
        pvg_query_free(p->asks[i]);
        p->asks[i] = NULL;
    }
}

/* What all draws spend together, as they account for it. */
static int32_t add_up(double *epsilon, const pvg_pipeline *p) {
    const pvg_guarantee *all[PVGI_DRAWS];
    pvg_curve *joint = NULL;
    for (int i = 0; i < draws_of(p); i++) all[i] = promise_of(p->asks[i]);
    PVGI_TRY(pvgi_guarantee_compose(&joint, all, draws_of(p)));
    const int32_t status = pvg_curve_epsilon(epsilon, joint, p->target.delta);
    pvg_curve_free(joint);
    return status;
}

/* Queries whose composition meets the target. */
static int32_t plan(pvg_pipeline *p, const char *name) {
    double mu[PVGI_DRAWS] = {0}, epsilon;
    for (double slack = 0; slack<0.01; slack = slack> 0 ? 4 * slack : 0x1p-30) {
        if (!share_out(mu, p, p->target.epsilon * (1 - slack))) break;
        for (int i = 0; i < draws_of(p); i++)
            PVGI_TRY(ask(&p->asks[i], p, i, mu[i], NULL));
        PVGI_TRY(add_up(&epsilon, p));
        if (epsilon <= p->target.epsilon) return PVG_OK;
        drop_asks(p);
    }
    return pvgi_fail(PVG_E_PRIVACY, "%s: nodes: no noise meets epsilon and delta", name);
}

static int32_t make_nodes(pvg_pipeline *p, const char *name,
                          const pvg_pipeline_arguments *a, pvg_rng *rng, pvgi_run *run) {
    const pvgi_nodes_settings *s = pvgi_learn_nodes_settings(p);
    pvg_target *t = &p->target;
    (void)rng, (void)run;
    PVGI_REQUIRE(p->classes >= 2, "%s: nodes: classes is needed: labels are private",
                 name);
    PVGI_REQUIRE(s->columns >= 1, "%s: nodes: columns is needed: features are private",
                 name);
    PVGI_TRY(pvgi_learn_check_sizes(name, p->order, p->classes));
    PVGI_REQUIRE((s->method == PVGI_NODES_GAP) == (s->degree_bound >= 1),
                 "%s: nodes: max-degree and method=gap belong together: sums over "
                 "neighbours need a promise",
                 name);
    PVGI_TRY(pvgi_learn_pipeline_copy_parts(p, name, a));
    PVGI_REQUIRE(p->records > 0, "%s: nodes: nobody trains", name);
    PVGI_TRY(pvgi_learn_pipeline_check_budget(p, name, true));
    PVGI_REQUIRE(t->epsilon > 0 && t->delta > 0 && t->delta < 1 && t->parameter == 0,
                 "%s: nodes: the budget is not an epsilon and a delta", name);
    PVGI_TRY(pvgi_learn_pipeline_copy_network(
        p, name, a, pvgi_learn_inputs_width(s->columns, s->directions), true));
    return plan(p, name);
}

/* The parameter of the sums if all of it may spend epsilon; 0 if nothing is left. */
static double states_at(const pvg_pipeline *p, double epsilon) {
    double mu[PVGI_DRAWS] = {0};
    return share_out(mu, p, epsilon) ? mu[PVGI_NODES_STATES] : 0.0;
}

/* The least epsilon of the whole pipeline at which the noise of the sums, inversely
 * proportional to their parameter, is below their range; from above, up to a percent;
 * infinite beyond 4096. The query of the sums knows its own share alone. */
static double least_epsilon(const pvg_pipeline *p, double ratio) {
    const double wanted = 1.001 * states_at(p, p->target.epsilon) / ratio;
    double low = p->target.epsilon, high = low;
    while (states_at(p, high) < wanted && high < 4096.0) high *= 2.0;
    if (states_at(p, high) < wanted) return INFINITY;
    while (states_at(p, low) >= wanted && low > 0x1p-10) low /= 2.0;
    while (high > 1.01 * low) {
        const double middle = sqrt(low * high);
        if (states_at(p, middle) >= wanted)
            high = middle;
        else
            low = middle;
    }
    return high;
}

/* What a network learns by DP-SGD has no public range: of the sums alone. */
static int32_t preview_nodes(pvg_preview **out, const pvg_pipeline *p, int place,
                             const pvg_run *run) {
    const pvg_preview_config config = {.size = sizeof config, .order = p->order};
    if (place != PVGI_NODES_STATES || !p->asks[PVGI_NODES_STATES]) return PVG_OK;
    PVGI_TRY(pvg_query_preview(out, p->asks[PVGI_NODES_STATES], &config, run));
    for (int64_t i = 0; i < (*out)->count; i++)
        (*out)->line[i].epsilon_min = least_epsilon(p, (*out)->line[i].ratio);
    return PVG_OK;
}

/* --- draws ------------------------------------------------------------------------- */

/* What is drawn, and by whom. */
typedef struct {
    const pvg_pipeline *p;
    const pvg_input *input;
    const pvg_features *inputs; /* of the encoder */
    pvg_composition *all;
    pvg_rng *rng;
    pvgi_run *run;
} drawing;

/* The caller's input with other parts. */
static pvg_input part_of(const drawing *d, const pvg_graph *graph,
                         const pvg_features *features, const pvg_dataset *dataset) {
    pvg_input own = *d->input;
    own.graph = graph;
    own.features = features;
    own.labels = NULL;
    own.dataset = dataset;
    return own;
}

static int32_t draw_part(pvg_release **out, const drawing *d, int place,
                         const pvg_query *query, const pvg_input *part) {
    const pvg_run plain = pvgi_learn_pipeline_plain(d->run);
    return pvg_composition_draw(out, d->all, place, query, part, d->rng, &plain);
}

static int32_t draw_training(pvg_release **out, const drawing *d, int place,
                             const pvgi_nodes_records *r) {
    pvg_dataset *data = NULL;
    PVGI_TRY(pvgi_learn_nodes_data(&data, d->p, r));
    const pvg_input part = part_of(d, NULL, NULL, data);
    const int32_t status = draw_part(out, d, place, NULL, &part);
    pvg_dataset_free(data);
    return status;
}

/* What is sent was judged by the encoder, whose draw is therefore behind the sums. */
static int32_t draw_states(pvg_release *out[PVGI_DRAWS], const drawing *d,
                           const double *q) {
    const pvg_pipeline *p = d->p;
    pvg_features *sent = NULL;
    pvg_query *query = NULL;
    double *messages =
        pvgi_alloc((size_t)p->order, (size_t)p->classes * sizeof *messages);
    int32_t status = messages ? PVG_OK : pvgi_fail_nomem();
    if (status == PVG_OK) {
        pvgi_learn_nodes_messages(messages, p, d->inputs, q,
                                  pvgi_learn_nodes_sent_labels(p, d->input->labels));
        status = pvg_features_from_dense(&sent, p->order, p->classes, messages);
    }
    if (status == PVG_OK)
        status = ask(&query, p, PVGI_NODES_STATES,
                     p->asks[PVGI_NODES_STATES]->budget.target.parameter,
                     out[PVGI_NODES_ENCODER]);
    if (status == PVG_OK) {
        const pvg_input part = part_of(d, d->input->graph, sent, NULL);
        status = draw_part(&out[PVGI_NODES_STATES], d, PVGI_NODES_STATES, query, &part);
    }
    pvg_query_free(query);
    pvg_features_free(sent);
    pvgi_free(messages);
    return status;
}

static int32_t draw_rest(pvg_release *out[PVGI_DRAWS], const drawing *d) {
    const pvg_pipeline *p = d->p;
    const pvg_model *encoder;
    pvg_features *x = NULL;
    double *q = pvgi_alloc((size_t)p->order, (size_t)p->classes * sizeof *q);
    int32_t status = q ? PVG_OK : pvgi_fail_nomem();
    if (status == PVG_OK)
        status = pvg_release_view_model(&encoder, out[PVGI_NODES_ENCODER]);
    if (status == PVG_OK)
        status = pvgi_learn_nodes_judge(q, p, encoder, d->inputs, d->run);
    if (status == PVG_OK) status = draw_states(out, d, q);
    if (status == PVG_OK)
        status =
            pvgi_learn_nodes_head_inputs(&x, p, d->inputs, q, out[PVGI_NODES_STATES]);
    if (status == PVG_OK)
        status = draw_training(
            &out[PVGI_NODES_HEAD], d, PVGI_NODES_HEAD,
            &(pvgi_nodes_records){x, d->input->labels, encoder, out[PVGI_NODES_STATES]});
    pvg_features_free(x);
    pvgi_free(q);
    return status;
}

/* Sets a draw aside. What is read later is not known yet; its sizes are. */
static int32_t add_part(const drawing *d, int place, pvg_ledger *ledger) {
    const pvg_pipeline *p = d->p;
    const int64_t width =
        place == PVGI_NODES_STATES ? p->classes : pvgi_learn_nodes_head_width(p);
    pvg_features *nothing = NULL;
    pvg_dataset *data = NULL;
    int64_t at;
    int32_t status = PVG_OK;
    if (place != PVGI_NODES_ENCODER) {
        int64_t *offsets = pvgi_alloc_zero((size_t)p->order + 1, sizeof *offsets);
        const int32_t none = 0;
        const double zero = 0;
        if (!offsets) return pvgi_fail_nomem();
        status = pvg_features_from_csr(&nothing, p->order, width, offsets, &none, &zero);
        pvgi_free(offsets);
    }
    if (status == PVG_OK && place != PVGI_NODES_STATES)
        status = pvgi_learn_nodes_data(
            &data, p,
            &(pvgi_nodes_records){.x = place == PVGI_NODES_ENCODER ? d->inputs : nothing,
                                  .labels = d->input->labels});
    if (status == PVG_OK) {
        const pvg_input part = place == PVGI_NODES_STATES
                                   ? part_of(d, d->input->graph, nothing, NULL)
                                   : part_of(d, NULL, NULL, data);
        status = pvg_composition_add(&at, d->all, p->asks[place], &part, 1, ledger);
    }
    pvg_features_free(nothing);
    pvg_dataset_free(data);
    return status;
}

static int32_t draw_alone(pvg_release **out, const drawing *d, pvg_ledger *ledger) {
    const pvg_run plain = pvgi_learn_pipeline_plain(d->run);
    pvg_dataset *data = NULL;
    PVGI_TRY(pvgi_learn_nodes_data(
        &data, d->p, &(pvgi_nodes_records){.x = d->inputs, .labels = d->input->labels}));
    const pvg_input part = part_of(d, NULL, NULL, data);
    const int32_t status = pvg_release_draw(out, d->p->asks[PVGI_NODES_ENCODER], &part,
                                            d->rng, ledger, &plain);
    pvg_dataset_free(data);
    return status;
}

static int32_t draw_nodes(pvg_release *out[PVGI_DRAWS], const pvg_pipeline *p,
                          const char *name, const pvg_input *input, pvg_rng *rng,
                          pvg_ledger *const ledgers[PVGI_DRAWS], pvgi_run *run) {
    drawing d = {.p = p, .input = input, .rng = rng, .run = run};
    pvg_features *inputs = NULL;
    int32_t status;
    PVGI_TRY(pvgi_learn_nodes_check_input(p, name, input));
    PVGI_TRY_DONE(pvgi_learn_inputs(&inputs, input->features,
                                    pvgi_learn_nodes_settings(p)->directions));
    d.inputs = inputs;
    if (pvgi_learn_nodes_hops(p) == 0) { /* all memory first, then the ledger */
        status = draw_alone(&out[PVGI_NODES_ENCODER], &d, ledgers[0]);
        goto done;
    }
    PVGI_TRY_DONE(pvg_composition_new(&d.all));
    for (int i = 0; i < PVGI_DRAWS; i++) PVGI_TRY_DONE(add_part(&d, i, ledgers[0]));
    PVGI_TRY_DONE(pvg_composition_pay(d.all));
    PVGI_TRY_DONE(
        draw_training(&out[PVGI_NODES_ENCODER], &d, PVGI_NODES_ENCODER,
                      &(pvgi_nodes_records){.x = inputs, .labels = input->labels}));
    status = draw_rest(out, &d);
done:
    pvg_composition_free(d.all);
    pvg_features_free(inputs);
    return status;
}

/* --- the kind ----------------------------------------------------------------------- */

#define SHARE(field, name, preset, help)                                                 \
    PVGI_OPTION(pvgi_nodes_settings, field, 0, 1e6, PVGI_OPEN_LOW, "in (0, 1e6]", name,  \
                preset, help)
static const pvgi_option options[] = {
    PVGI_OPTION_CHOICE(
        pvgi_nodes_settings, method, "method", "features|gap",
        "the encoder alone, which then has the whole budget; or encoder, sums over "
        "neighbours and head, whose noise is above the sums at epsilon 8 and below"),
    PVGI_OPTION(pvgi_nodes_settings, classes, 2, PVG_NETWORK_CLASSES_MAX, PVGI_CLOSED,
                "in [2, 1024]: it must be given", "classes", 0,
                "number of classes, public"),
    PVGI_OPTION(pvgi_nodes_settings, columns, 1, INT32_MAX, PVGI_CLOSED,
                "in [1, 2^31): it must be given", "columns", 0,
                "number of features; public"),
    PVGI_OPTION(pvgi_nodes_settings, hidden, 1, PVG_NETWORK_WIDTH_MAX, PVGI_CLOSED,
                "in [1, 4096]", "hidden", 32, "columns inside the encoder"),
    PVGI_OPTION_WORD(pvgi_nodes_settings, directions, -1, PVG_NETWORK_WIDTH_MAX,
                     PVGI_CLOSED, "in [1, 4096], or -1: all columns", "directions",
                     "auto", 0,
                     "public random directions of the features; auto: all columns, or "
                     "256 of more than 512"),
    PVGI_OPTION(pvgi_nodes_settings, hops, 1, 16, PVGI_CLOSED, "in [1, 16]", "hops", 1,
                "gap: sums over neighbours"),
    PVGI_OPTION_WORD(pvgi_nodes_settings, degree_bound, 0, INT32_MAX, PVGI_CLOSED,
                     "in [1, 2^31)", "max-degree", "none", 0,
                     "gap: promised, no node has more neighbours"),
    PVGI_OPTION(pvgi_nodes_settings, steps, 1, 1e9, PVGI_CLOSED, "in [1, 1e9]", "steps",
                250, "of each training; all are paid for"),
    PVGI_OPTION_WORD(pvgi_nodes_settings, batch, 0, 1e18, PVGI_CLOSED,
                     "a number of records", "batch", "auto", 0,
                     "records in a step, on average; auto: 512, or all"),
    PVGI_OPTION(pvgi_nodes_settings, rate, 0, 1e6, PVGI_OPEN_LOW, "in (0, 1e6]", "rate",
                .01, "of Adam"),
    PVGI_OPTION(pvgi_nodes_settings, clip, 1e-6, 1e6, PVGI_CLOSED, "in [1e-6, 1e6]",
                "clip", 1, "longest gradient of a record"),
    SHARE(encoder_share, "encoder-share", .5,
          "gap: of the budget, in squares of mu, for the encoder"),
    SHARE(states_share, "states-share", .2, "the same for the sums"),
    SHARE(head_share, "head-share", .3, "the same for the head"),
    PVGI_OPTION_END};

const pvgi_pipeline_kind pvgi_learn_kind_nodes = {
    .row = {.kind = "nodes",
            .says = "Networks while nodes are hidden with their edges, features and "
                    "labels",
            .claim = "learn.nodes",
            .reads = PVGI_PART_EDGES | PVGI_PART_FEATURES | PVGI_PART_LABELS,
            .notions = 1u << PVG_NOTION_NODE_REMOVED,
            .options = options,
            .bytes = sizeof(pvgi_nodes_settings)},
    .takes = PVGI_GIVEN_PARTS | PVGI_GIVEN_NETWORK,
    .make = make_nodes,
    .preview = preview_nodes,
    .draw = draw_nodes,
    .read_exact = pvgi_learn_nodes_read,
    .exact = pvgi_learn_nodes_exact};
