/* Kind "edges": classes of nodes while edges are hidden. An encoder of public features, a
 * draw about the edges, a read-out (edges_read.c). Only the draw looks at the edges;
 * before and after it everything is made from public and released numbers. */
#include "edges.h"
#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- making ------------------------------------------------------------------------- */

static int32_t make_edges(pvg_pipeline *p, const char *name,
                          const pvg_pipeline_arguments *a, pvg_rng *rng, pvgi_run *run) {
    const pvgi_edges_settings *s = pvgi_learn_edges_settings(p);
    PVGI_TRY(pvgi_learn_pipeline_copy_labels(p, name, a));
    PVGI_TRY(pvgi_learn_pipeline_hold_out(p, s->held_out));
    PVGI_REQUIRE(
        s->method == PVGI_EDGES_PCMP ||
            (s->contraction == 0.0 && s->mean_weight == 0.0 && s->residual == 0.0),
        "%s: edges: contraction, mean-weight and residual are of method=pcmp", name);
    PVGI_REQUIRE(s->first_share == 0.0 || s->method == PVGI_EDGES_HISTOGRAM,
                 "%s: edges: first-share is of method=histogram", name);
    PVGI_REQUIRE(s->first_share == 0.0 ||
                     (p->target.epsilon > 0.0 && p->target.delta == 0.0),
                 "%s: edges: two rounds need a budget of epsilon alone", name);
    PVGI_REQUIRE(!a->transition || s->method == PVGI_EDGES_HISTOGRAM,
                 "%s: edges: arguments->transition is of method=histogram", name);
    PVGI_REQUIRE(!a->network || (s->method != PVGI_EDGES_HISTOGRAM &&
                                 s->method != PVGI_EDGES_FEATURES),
                 "%s: edges: arguments->network is of methods that receive sums", name);
    PVGI_TRY(pvgi_learn_pipeline_copy_network(
        p, name, a, p->classes * (1 + (s->method == PVGI_EDGES_GAP ? s->hops : 1)),
        true));
    if (s->method != PVGI_EDGES_FEATURES)
        PVGI_TRY(pvgi_learn_pipeline_check_budget(p, name,
                                                  pvgi_learn_edges_gaussian(s->method)));
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
                                    .folded = s->method != PVGI_EDGES_HISTOGRAM};
    return pvgi_learn_encode(p->prior, a->features, p->labels, p->order, &encoding, rng,
                             run);
}

/* --- what is asked ------------------------------------------------------------------ */

int32_t pvgi_learn_edges_ask_histogram(pvg_query **out, const pvg_pipeline *p,
                                       const double *prior, const pvg_target *target) {
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
    const pvgi_edges_settings *s = pvgi_learn_edges_settings(p);
    const pvg_arguments arguments = {.size = sizeof arguments, .order = p->order};
    pvgi_text text = {0};
    pvgi_text_format(&text, "message-passing columns=%lld method=%s layers=%lld",
                     (long long)p->classes,
                     s->method == PVGI_EDGES_PCMP ? "auto" : "hops",
                     s->method == PVGI_EDGES_SUMS ? 1LL : (long long)s->hops);
    if (s->method == PVGI_EDGES_PCMP) {
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
    const double share = pvgi_learn_edges_settings(p)->first_share;
    pvg_target target = p->target;
    if (share == 0.0) return target;
    const double first = share * target.epsilon;
    target.epsilon = round == 0 ? first : nextafter(target.epsilon - first, 0.0);
    return target;
}

int32_t pvgi_learn_edges_ask(pvg_query **out, const pvg_pipeline *p, int round,
                             const double *prior, const pvg_release *first) {
    const pvg_target target = target_of(p, round);
    const int32_t method = pvgi_learn_edges_settings(p)->method;
    if (method == PVGI_EDGES_HISTOGRAM)
        PVGI_TRY(pvgi_learn_edges_ask_histogram(out, p, prior, &target));
    else if (method == PVGI_EDGES_RESPONSE)
        PVGI_TRY(pvg_query_new(out, "response", NULL, &target, NULL));
    else
        PVGI_TRY(ask_passing(out, p, &target));
    return pvgi_learn_pipeline_rest_on(out, p, first);
}

/* Of a histogram: an edge is in one count, so noise and range of a count are those of
 * one kind. */
static int32_t preview_edges(pvg_preview **out, const pvg_pipeline *p, int place,
                             const pvg_run *run) {
    const pvg_preview_config config = {.size = sizeof config, .order = p->order};
    const pvg_arguments arguments = {.size = sizeof arguments, .order = p->order};
    const pvg_target target = target_of(p, place);
    pvg_query *query = NULL;
    if (place >= pvgi_learn_edges_rounds(p)) return PVG_OK;
    if (pvgi_learn_edges_settings(p)->method == PVGI_EDGES_HISTOGRAM)
        PVGI_TRY(pvg_query_new(&query, "edge-histogram", &arguments, &target, NULL));
    else
        PVGI_TRY(pvgi_learn_edges_ask(&query, p, place, p->prior, NULL));
    const int32_t status = pvg_query_preview(out, query, &config, run);
    pvg_query_free(query);
    return status;
}

/* --- drawing ------------------------------------------------------------------------ */

int32_t pvgi_learn_edges_check_input(const pvg_pipeline *p, const char *name,
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
    if (!pvgi_learn_edges_gaussian(pvgi_learn_edges_settings(p)->method)) return PVG_OK;
    PVGI_TRY(pvgi_learn_edges_messages(&messages, p));
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
    if (status == PVG_OK)
        status = pvgi_learn_edges_read_first(between, p, first, values, run);
    if (status == PVG_OK) status = pvgi_learn_edges_ask(&query, p, 1, between, out[0]);
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
    const int rounds = pvgi_learn_edges_rounds(p);
    const pvg_run plain = pvgi_learn_pipeline_plain(run);
    pvg_input own = *input;
    pvg_features *sent = NULL;
    pvg_query *query[2] = {NULL, NULL};
    pvg_composition *all = NULL;
    int64_t place;
    int32_t status;
    PVGI_TRY(pvgi_learn_edges_check_input(p, name, input));
    if (rounds == 0) return PVG_OK;
    PVGI_TRY(pvgi_learn_check_declared(name, input->graph, NULL));
    PVGI_TRY_DONE(complete(&own, &sent, p));
    if (rounds == 1) { /* all memory first, then the ledger */
        PVGI_TRY_DONE(pvgi_learn_edges_ask(&query[0], p, 0, p->prior, NULL));
        status = pvg_release_draw(&out[0], query[0], &own, rng, ledgers[0], &plain);
        goto done;
    }
    PVGI_TRY_DONE(pvg_composition_new(&all));
    for (int i = 0; i < rounds; i++) { /* whatever its cells will be, its law is known */
        PVGI_TRY_DONE(pvgi_learn_edges_ask(&query[i], p, i, p->prior, NULL));
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
    .read = pvgi_learn_edges_read,
    .exact = pvgi_learn_edges_exact};
