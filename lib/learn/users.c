/* Nobody is trusted: lists, features and labels are perturbed by the users they belong
 * to; what follows is post-processing of three releases. A network with forward
 * correction reads features, and beside it the labels alone are propagated: one bit
 * about one of a thousand columns per user mostly gives nothing. Reported labels of
 * validation users choose between the two. */
#include "base/number.h"
#include "pipeline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LISTS, REPORTS, ANSWERS, SPREAD = 20 };

typedef struct {
    const pvg_pipeline *p;
    const pvgi_users_settings *settings;
    int64_t order, classes;
    pvg_rng *rng;
    pvg_run plain;
    pvgi_run *run;
    const pvg_graph *graph;              /* public, or exact; NULL: lists */
    const pvg_features *features;        /* exact; NULL: reports or public ones */
    const pvg_release *seen[PVGI_DRAWS]; /* what was drawn; NULL: not asked for */
    pvg_labels *asked;      /* of users that tell their label, -1 elsewhere */
    const int32_t *answers; /* what they told */
    double *transition;     /* classes x classes; NULL: labels are true */
    pvg_model *model;       /* NULL: no features are read */
} users;

/* --- what is asked ------------------------------------------------------------------ */

static double epsilon_of(const pvgi_users_settings *s, int place) {
    return place == LISTS     ? s->list_epsilon
           : place == REPORTS ? s->feature_epsilon
                              : s->label_epsilon;
}

/* *out stays NULL where users are not asked. */
static int32_t ask(pvg_query **out, const pvg_pipeline *p, int place) {
    const pvgi_users_settings *s = &p->settings.users;
    const pvg_target target = {.size = sizeof target,
                               .epsilon = epsilon_of(s, place),
                               .allow_seeded = p->target.allow_seeded};
    pvgi_text text = {0};
    if (!(target.epsilon > 0.0)) return PVG_OK;
    if (place == LISTS)
        pvgi_text_format(&text, "subset");
    else if (place == ANSWERS)
        pvgi_text_format(&text, "labels classes=%lld", (long long)p->classes);
    else {
        pvgi_text_format(&text, "features method=multibit sparse=yes columns=%lld",
                         (long long)s->columns);
        pvgi_learn_pipeline_put_real(&text, "low", s->low);
        if (s->high != 1.0) {
            char number[PVGI_NUMBER_BYTES];
            pvgi_number_put(number, s->high);
            pvgi_text_format(&text, " high=%s", number);
        }
    }
    int32_t status = text.status == PVG_OK
                         ? pvg_query_new(out, text.data, NULL, &target, NULL)
                         : pvgi_fail_nomem();
    pvgi_text_free(&text);
    if (status != PVG_OK) return status;
    return pvgi_learn_pipeline_rest_on(out, p, NULL);
}

static int32_t make_users(pvg_pipeline *p, const char *name,
                          const pvg_pipeline_arguments *a, pvg_rng *rng, pvgi_run *run) {
    const pvgi_users_settings *s = &p->settings.users;
    (void)rng, (void)run;
    PVGI_REQUIRE(p->target.epsilon == 0.0 && p->target.delta == 0.0 &&
                     p->target.parameter == 0.0,
                 "%s: users has three budgets: list-epsilon, feature-epsilon, "
                 "label-epsilon",
                 name);
    PVGI_REQUIRE(s->low < s->high, "%s: users: low is not below high", name);
    PVGI_REQUIRE(!(s->feature_epsilon > 0.0) == !s->columns,
                 "%s: users: feature-epsilon and columns belong together", name);
    PVGI_REQUIRE(!(s->list_epsilon > 0.0) == (a->graph != NULL),
                 "%s: users: needs either list-epsilon or a public arguments->graph",
                 name);
    PVGI_REQUIRE(!(s->label_epsilon > 0.0) == (a->labels != NULL),
                 "%s: users: needs either label-epsilon or public arguments->labels",
                 name);
    PVGI_REQUIRE(!(s->feature_epsilon > 0.0) || !a->features,
                 "%s: users: feature-epsilon, or arguments->features: users report them, "
                 "or everybody knows them",
                 name);
    PVGI_TRY(pvgi_learn_pipeline_copy_parts(p, name, a));
    PVGI_TRY(pvgi_learn_pipeline_hold_out(p, s->held_out));
    if (a->labels)
        PVGI_TRY(pvgi_learn_pipeline_copy_labels(p, name, a));
    else
        PVGI_REQUIRE(p->classes >= 2, "%s: users: classes is needed: labels are private",
                     name);
    PVGI_TRY(pvgi_learn_check_sizes(name, p->order, p->classes));
    if (a->graph) {
        PVGI_REQUIRE(a->graph->order == p->order,
                     "%s: arguments->graph has %lld nodes for %lld users", name,
                     (long long)a->graph->order, (long long)p->order);
        PVGI_TRY(pvgi_graph_copy(&p->graph, p->order, a->graph->offsets,
                                 a->graph->columns, 0));
    }
    PVGI_REQUIRE(!a->network || a->features || s->columns,
                 "%s: users: arguments->network has no features to read", name);
    PVGI_TRY(pvgi_learn_pipeline_copy_network(
        p, name, a, a->features ? a->features->columns : s->columns, false));
    if (!a->features) return PVG_OK;
    PVGI_TRY(pvgi_learn_check_rows(name, a->features, p->order));
    PVGI_TRY(pvgi_graph_features_sound(name, "arguments->features", a->features));
    return pvg_features_from_csr(&p->features, p->order, a->features->columns,
                                 a->features->offsets, a->features->indices,
                                 a->features->values);
}

static int32_t preview_users(pvg_preview **out, const pvg_pipeline *p, int place,
                             const pvg_run *run) {
    const pvg_preview_config config = {.size = sizeof config, .order = p->order};
    pvg_query *query = NULL;
    PVGI_TRY(ask(&query, p, place));
    if (!query) return PVG_OK;
    const int32_t status = pvg_query_preview(out, query, &config, run);
    pvg_query_free(query);
    return status;
}

/* --- draws -------------------------------------------------------------------------- */

/* Labels of those who are asked. */
static int32_t choose_labels(pvg_labels **out, const pvg_pipeline *p,
                             const int32_t *labels) {
    int32_t *told = pvgi_alloc((size_t)p->order, sizeof *told);
    if (!told) return pvgi_fail_nomem();
    for (int64_t v = 0; v < p->order; v++)
        told[v] = p->parts[v] == PVG_PART_TRAIN || p->parts[v] == PVG_PART_VALIDATION
                      ? labels[v]
                      : -1;
    const int32_t status = pvg_labels_from_array(out, told, p->order);
    pvgi_free(told);
    return status;
}

/* Exactly what users are asked for is there, one for each user. */
static int32_t check_input(const pvg_pipeline *p, const char *name, const pvg_input *in) {
    static const char *const words[PVGI_DRAWS] = {"graph", "features", "labels"};
    static const char *const epsilons[PVGI_DRAWS] = {"list-epsilon", "feature-epsilon",
                                                     "label-epsilon"};
    const bool there[PVGI_DRAWS] = {in->graph != NULL, in->features != NULL,
                                    in->labels != NULL};
    const int64_t counts[PVGI_DRAWS] = {in->graph ? in->graph->order : 0,
                                        in->features ? in->features->rows : 0,
                                        in->labels ? in->labels->count : 0};
    PVGI_REQUIRE(!in->set && in->open == 0,
                 "%s: users: input->set and input->open must not be set; what is public "
                 "is in the arguments of the pipeline",
                 name);
    for (int i = 0; i < PVGI_DRAWS; i++) {
        const bool asked = epsilon_of(&p->settings.users, i) > 0.0;
        PVGI_REQUIRE(asked == there[i], "%s: input->%s is %s, but %s is %s", name,
                     words[i], there[i] ? "given" : "NULL", epsilons[i],
                     asked ? "not 0" : "0");
        PVGI_REQUIRE(!asked || counts[i] == p->order,
                     "%s: input->%s has %lld rows for %lld users", name, words[i],
                     (long long)counts[i], (long long)p->order);
    }
    PVGI_REQUIRE(!in->features || in->features->columns == p->settings.users.columns,
                 "%s: input->features have %lld columns, the pipeline %lld", name,
                 (long long)(in->features ? in->features->columns : 0),
                 (long long)p->settings.users.columns);
    return PVG_OK;
}

/* What users hold, part by part. */
static pvg_input part_of(const pvg_input *input, int place, const pvg_labels *asked) {
    pvg_input own = *input;
    own.graph = place == LISTS ? input->graph : NULL;
    own.features = place == REPORTS ? input->features : NULL;
    own.labels = place == ANSWERS ? asked : NULL;
    return own;
}

static int32_t draw_users(pvg_release *out[PVGI_DRAWS], const pvg_pipeline *p,
                          const char *name, const pvg_input *input, pvg_rng *rng,
                          pvg_ledger *const ledgers[PVGI_DRAWS], pvgi_run *run) {
    static const int turns[PVGI_DRAWS] = {ANSWERS, LISTS, REPORTS};
    const pvg_run plain = pvgi_learn_pipeline_plain(run);
    int64_t place[PVGI_DRAWS];
    pvg_query *query[PVGI_DRAWS] = {NULL};
    pvg_composition *all = NULL;
    pvg_labels *asked = NULL;
    int32_t status;
    PVGI_TRY(check_input(p, name, input));
    if (input->graph) PVGI_TRY(pvgi_learn_check_declared(name, input->graph, NULL));
    if (input->features) PVGI_TRY(pvgi_learn_check_declared(name, NULL, input->features));
    if (input->labels) PVGI_TRY_DONE(choose_labels(&asked, p, input->labels->values));
    PVGI_TRY_DONE(pvg_composition_new(&all));
    for (int i = 0; i < PVGI_DRAWS; i++) {
        const pvg_input own = part_of(input, i, asked);
        PVGI_TRY_DONE(ask(&query[i], p, i));
        if (!query[i] && ledgers[i]) {
            status = pvgi_fail(PVG_E_ARGUMENT,
                               "%s: ledger %d is given, and nothing is drawn there", name,
                               i + 1);
            goto done;
        }
        if (query[i])
            PVGI_TRY_DONE(
                pvg_composition_add(&place[i], all, query[i], &own, 1, ledgers[i]));
    }
    PVGI_TRY_DONE(pvg_composition_pay(all));
    for (int k = 0; k < PVGI_DRAWS; k++) {
        const int i = turns[k];
        const pvg_input own = part_of(input, i, asked);
        if (query[i])
            PVGI_TRY_DONE(
                pvg_composition_draw(&out[i], all, place[i], NULL, &own, rng, &plain));
    }
done:
    pvg_composition_free(all);
    for (int i = 0; i < PVGI_DRAWS; i++) pvg_query_free(query[i]);
    pvg_labels_free(asked);
    return status;
}

/* --- labels alone ------------------------------------------------------------------- */

/* One round of kprop on what was released: both directions of a list. */
static int32_t spread(double *out, const users *u, const double *x) {
    const int64_t *offsets;
    const int32_t *targets;
    int64_t count;
    if (!u->seen[LISTS])
        return pvg_kprop_graph(out, u->graph, x, u->classes, 1, &u->plain);
    PVGI_TRY(pvg_release_view_lists(&offsets, &targets, &count, u->seen[LISTS]));
    double *weight = pvgi_alloc_zero((size_t)u->order, sizeof *weight);
    if (!weight) return pvgi_fail_nomem();
    for (int64_t v = 0; v < count; v++)
        for (int64_t e = offsets[v]; e < offsets[v + 1]; e++) {
            weight[v] += 1.0;
            weight[targets[e]] += 1.0;
        }
    memset(out, 0, (size_t)(u->order * u->classes) * sizeof *out);
    for (int64_t v = 0; v < count; v++)
        for (int64_t e = offsets[v]; e < offsets[v + 1]; e++) {
            const int64_t w = targets[e];
            const double scale = 1.0 / sqrt(weight[v] * weight[w]);
            for (int64_t c = 0; c < u->classes; c++) {
                out[v * u->classes + c] += scale * x[w * u->classes + c];
                out[w * u->classes + c] += scale * x[v * u->classes + c];
            }
        }
    pvgi_free(weight);
    return PVG_OK;
}

/* One-hot rows of the answers, unbiased: (e_y - q) / (p - q) with p, q the chances of the
 * true class and of another one. */
static void one_hots(double *x, const users *u) {
    const int64_t C = u->classes;
    const double p = u->transition ? u->transition[0] : 1.0;
    const double q = u->transition ? u->transition[1] : 0.0;
    for (int64_t v = 0; v < u->order; v++)
        for (int64_t c = 0; c < C; c++)
            x[v * C + c] =
                u->answers[v] < 0 ? 0.0 : ((double)(u->answers[v] == c) - q) / (p - q);
}

static int32_t labels_alone(double *out, const users *u) {
    const size_t cells = (size_t)(u->order * u->classes);
    double *now = pvgi_alloc(cells, 2 * sizeof *now), *next = now ? now + cells : NULL;
    int32_t status = now ? PVG_OK : pvgi_fail_nomem();
    if (status == PVG_OK) {
        one_hots(now, u);
        memset(out, 0, cells * sizeof *out);
    }
    for (int k = 0; k < SPREAD && status == PVG_OK; k++) {
        status = spread(next, u, now);
        for (size_t i = 0; i < cells; i++) {
            now[i] = next[i];
            out[i] += next[i];
        }
    }
    if (status == PVG_OK) pvgi_learn_normalise(out, u->order, u->classes, 1e-9);
    pvgi_free(now);
    return status;
}

/* The graph of all entries, heard at both ends: owned lists name an edge at one end
 * only. */
static int32_t join_lists(pvg_graph **out, const users *u) {
    const int64_t *offsets;
    const int32_t *targets;
    int64_t count, *ends;
    PVGI_TRY(pvg_release_view_lists(&offsets, &targets, &count, u->seen[LISTS]));
    ends = pvgi_alloc((size_t)offsets[count] + 1, 2 * sizeof *ends);
    if (!ends) return pvgi_fail_nomem();
    for (int64_t v = 0; v < count; v++)
        for (int64_t e = offsets[v]; e < offsets[v + 1]; e++) {
            ends[e] = v;
            ends[offsets[count] + e] = targets[e];
        }
    const int32_t status =
        pvg_graph_from_edges(out, u->order, ends, ends + offsets[count], offsets[count],
                             PVG_EDGES_MERGE, &u->plain);
    pvgi_free(ends);
    return status;
}

/* --- network ------------------------------------------------------------------------ */

/* Columns of what the network reads: reports, or what is public; 0: nothing. */
static int64_t read_columns(const users *u) {
    if (u->p->features) return u->p->features->columns;
    return u->seen[REPORTS] || u->features ? u->settings->columns : 0;
}

static int32_t add_reports(pvg_dataset_builder *builder, const users *u) {
    if (u->p->features)
        return pvg_dataset_builder_add_public_features(builder, u->p->features);
    if (!u->seen[REPORTS])
        return pvg_dataset_builder_add_private_features(builder, u->features);
    return pvg_dataset_builder_add_released(builder, u->seen[REPORTS], PVG_ROLE_FEATURES);
}

static int32_t learn(double *out, users *u) {
    const pvgi_users_settings *s = u->settings;
    const pvg_training_config training = {.size = sizeof training,
                                          .epochs = 100,
                                          .decay = 1e-3,
                                          .averages = s->averages,
                                          .target_rounds = s->target_rounds,
                                          .transition = u->transition};
    char text[96];
    pvg_dataset_builder *builder = NULL;
    pvg_dataset *data = NULL;
    pvg_network *network = NULL;
    pvg_graph *joined = NULL;
    int32_t status;
    PVGI_TRY_DONE(pvg_dataset_builder_new(&builder, u->order));
    if (u->seen[LISTS]) { /* joined or not, it is what was drawn */
        PVGI_TRY_DONE(pvgi_network_note(&builder->data, u->seen[LISTS]));
        PVGI_TRY_DONE(join_lists(&joined, u));
    }
    PVGI_TRY_DONE(
        pvg_dataset_builder_add_public_graph(builder, joined ? joined : u->graph));
    PVGI_TRY_DONE(add_reports(builder, u));
    PVGI_TRY_DONE(
        u->seen[ANSWERS]
            ? pvg_dataset_builder_add_released(builder, u->seen[ANSWERS], PVG_ROLE_LABELS)
            : pvg_dataset_builder_add_public_labels(builder, u->asked));
    PVGI_TRY_DONE(pvg_dataset_builder_set_split(builder, u->p->parts, u->order));
    PVGI_TRY_DONE(pvg_dataset_builder_finish(&data, builder));
    if (u->p->features)
        snprintf(text, sizeof text, "sage 32 selu drop .5 | sage classes");
    else
        snprintf(text, sizeof text, "kprop %lld | gcn 32 selu drop .5 | gcn classes",
                 (long long)s->rounds);
    PVGI_TRY_DONE(pvg_network_from_text(&network, u->p->network ? u->p->network : text,
                                        read_columns(u), u->classes));
    PVGI_TRY_DONE(
        pvg_model_train(&u->model, network, data, &training, NULL, u->rng, &u->plain));
    PVGI_TRY_DONE(
        pvgi_network_predict(out, u->model, data, PVG_PREDICT_PROBABILITIES, u->run));
done:
    pvg_graph_free(joined);
    pvg_network_free(network);
    pvg_dataset_free(data);
    pvg_dataset_builder_free(builder);
    return status;
}

/* Users of a part whose likeliest class is what they told. */
static int64_t agree(const users *u, const double *rows, int32_t part) {
    int64_t right = 0;
    for (int64_t v = 0; v < u->order; v++) {
        int64_t best = 0;
        if (u->p->parts[v] != part || u->answers[v] < 0) continue;
        for (int64_t c = 1; c < u->classes; c++)
            if (rows[v * u->classes + c] > rows[v * u->classes + best]) best = c;
        right += best == u->answers[v];
    }
    return right;
}

/* Whether labels alone, of those who train, tell what validation users told as well as
 * the network does. */
static int32_t labels_suffice(bool *out, const users *u, const double *rows) {
    users fewer = *u;
    int64_t some = 0;
    *out = false;
    for (int64_t v = 0; v < u->order; v++)
        some += u->p->parts[v] == PVG_PART_VALIDATION && u->answers[v] >= 0;
    if (some == 0) return PVG_OK;
    int32_t *told = pvgi_alloc((size_t)u->order, sizeof *told);
    double *alone = pvgi_alloc((size_t)u->order, (size_t)u->classes * sizeof *alone);
    int32_t status = told && alone ? PVG_OK : pvgi_fail_nomem();
    if (status == PVG_OK) {
        for (int64_t v = 0; v < u->order; v++)
            told[v] = u->p->parts[v] == PVG_PART_VALIDATION ? -1 : u->answers[v];
        fewer.answers = told;
        status = labels_alone(alone, &fewer);
    }
    if (status == PVG_OK)
        *out =
            agree(u, alone, PVG_PART_VALIDATION) >= agree(u, rows, PVG_PART_VALIDATION);
    pvgi_free(told);
    pvgi_free(alone);
    return status;
}

static int32_t judge(pvgi_reading *out, users *u) {
    bool enough = false;
    PVGI_TRY(labels_alone(out->without, u));
    if (read_columns(u)) {
        PVGI_TRY(learn(out->rows, u));
        PVGI_TRY(labels_suffice(&enough, u, out->rows));
    }
    if (!read_columns(u) || enough)
        memcpy(out->rows, out->without,
               (size_t)(u->order * u->classes) * sizeof *out->rows);
    out->model = u->model;
    u->model = NULL;
    return PVG_OK;
}

static users begin(const pvg_pipeline *p, pvg_rng *rng, pvgi_run *run) {
    return (users){.p = p,
                   .settings = &p->settings.users,
                   .order = p->order,
                   .classes = p->classes,
                   .graph = p->graph,
                   .rng = rng,
                   .plain = pvgi_learn_pipeline_plain(run),
                   .run = run};
}

static void end(users *u) {
    pvg_model_free(u->model);
    pvg_labels_free(u->asked);
    pvgi_free(u->transition);
}

/* How answers may differ from the truth. */
static int32_t make_transition(users *u, const pvg_query *query) {
    u->transition = pvgi_alloc((size_t)u->classes, (size_t)u->classes * sizeof(double));
    if (!u->transition) return pvgi_fail_nomem();
    pvgi_perturb_labels_transition(u->transition, query->state);
    return PVG_OK;
}

/* A release that answers what this pipeline asks, of this number of users. */
static int32_t take_release(users *u, const char *name, int place,
                            const pvg_release *release) {
    static const char *const words[PVGI_DRAWS] = {"first", "second", "third"};
    pvg_query *query = NULL;
    PVGI_TRY(ask(&query, u->p, place));
    if (!query) {
        PVGI_REQUIRE(!release, "%s: %s is given, and this pipeline asks for none", name,
                     words[place]);
        return PVG_OK;
    }
    int32_t status = pvgi_learn_pipeline_answers(name, words[place], release, query);
    if (status == PVG_OK) {
        const pvgi_content *c = &release->content;
        const int64_t count = place == LISTS     ? (c->lists ? c->lists->order : -1)
                              : place == REPORTS ? (c->features ? c->features->rows : -1)
                                                 : (c->labels ? c->labels->count : -1);
        if (count != u->order)
            status = pvgi_fail(PVG_E_ARGUMENT, "%s: %s is of %lld users, not of %lld",
                               name, words[place], (long long)count, (long long)u->order);
    }
    if (status == PVG_OK && place == ANSWERS) status = make_transition(u, query);
    if (status == PVG_OK) u->seen[place] = release;
    pvg_query_free(query);
    return status;
}

static int32_t read_users(pvgi_reading *out, const pvg_pipeline *p, const char *name,
                          const pvg_release *const seen[PVGI_DRAWS], pvg_rng *rng,
                          pvgi_run *run) {
    users u = begin(p, rng, run);
    int32_t status = PVG_OK;
    for (int i = 0; i < PVGI_DRAWS && status == PVG_OK; i++)
        status = take_release(&u, name, i, seen[i]);
    if (status == PVG_OK)
        status = choose_labels(&u.asked, p,
                               u.seen[ANSWERS] ? u.seen[ANSWERS]->content.labels->values
                                               : p->labels);
    if (status == PVG_OK) {
        u.answers = u.asked->values;
        status = judge(out, &u);
    }
    end(&u);
    return status;
}

static int32_t exact_users(pvgi_reading *out, const pvg_pipeline *p, const char *name,
                           const pvg_input *input, pvg_rng *rng, pvgi_run *run) {
    users u = begin(p, rng, run);
    PVGI_TRY(check_input(p, name, input));
    if (input->graph) u.graph = input->graph;
    u.features = input->features;
    int32_t status =
        choose_labels(&u.asked, p, input->labels ? input->labels->values : p->labels);
    if (status == PVG_OK) {
        u.answers = u.asked->values;
        status = judge(out, &u);
    }
    end(&u);
    return status;
}

/* --- the kind ----------------------------------------------------------------------- */

#define EPSILON(field, name, help)                                                       \
    PVGI_OPTION_WORD(pvgi_users_settings, field, 0, 0x1p1000, PVGI_CLOSED,               \
                     "a positive number", name, "none", 0, help)
static const pvgi_option options[] = {
    EPSILON(list_epsilon, "list-epsilon",
            "of the lists of neighbours, edge-set LDP; none: the graph is public"),
    EPSILON(feature_epsilon, "feature-epsilon",
            "of the features, LDP; none: users are not asked for them"),
    EPSILON(label_epsilon, "label-epsilon", "of the labels, LDP; none: they are public"),
    PVGI_OPTION_WORD(pvgi_users_settings, classes, 0, PVG_NETWORK_CLASSES_MAX,
                     PVGI_CLOSED, "in [2, 1024]", "classes", "auto", 0,
                     "number of classes, public; auto: those of public labels"),
    PVGI_OPTION_WORD(pvgi_users_settings, columns, 0, INT32_MAX, PVGI_CLOSED,
                     "in [1, 2^31)", "columns", "none", 0,
                     "number of features that users are asked for; public"),
    PVGI_OPTION(pvgi_users_settings, low, -0x1p1000, 0x1p1000, PVGI_CLOSED, "a number",
                "low", 0, "public lower end of every feature"),
    PVGI_OPTION(pvgi_users_settings, high, -0x1p1000, 0x1p1000, PVGI_CLOSED, "a number",
                "high", 1, "public upper end of every feature"),
    PVGI_OPTION(pvgi_users_settings, rounds, 1, 64, PVGI_CLOSED, "in [1, 64]", "rounds",
                16, "of kprop on reported features"),
    PVGI_OPTION(pvgi_users_settings, target_rounds, 0, 64, PVGI_CLOSED, "in [0, 64]",
                "target-rounds", 0,
                "Drop: rounds of kprop on labels and predictions; 0 is right for noisy "
                "lists"),
    PVGI_OPTION(pvgi_users_settings, averages, 1, 1000, PVGI_CLOSED, "in [1, 1000]",
                "averages", 1, "networks whose probabilities are averaged"),
    PVGI_OPTION_HELD_OUT(pvgi_users_settings, "users who choose and stop"),
    PVGI_OPTION_END};

const pvgi_pipeline_kind pvgi_learn_kind_users = {
    .row = {.kind = "users",
            .says = "Classes of users who perturb what they hold: nobody is trusted",
            .claim = "learn.users",
            .reads = PVGI_PART_EDGES | PVGI_PART_FEATURES | PVGI_PART_LABELS,
            .notions = 1u << PVG_NOTION_EDGE_SET_LDP | 1u << PVG_NOTION_FEATURE_LDP |
                       1u << PVG_NOTION_LABEL_LDP,
            .options = options,
            .bytes = sizeof(pvgi_users_settings)},
    .takes = PVGI_GIVEN_LABELS | PVGI_GIVEN_PARTS | PVGI_GIVEN_FEATURES |
             PVGI_GIVEN_GRAPH | PVGI_GIVEN_NETWORK,
    .make = make_users,
    .preview = preview_users,
    .draw = draw_users,
    .read = read_users,
    .exact = exact_users,
    .several = true};
