/* Nobody is trusted: lists, features and labels are perturbed by the users they belong
 * to; what follows is post-processing of three releases. A network with forward
 * correction reads features, and beside it the labels alone are propagated: one bit
 * about one of a thousand columns per user mostly gives nothing, and only that row shows
 * it. */
#include "learn_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LISTS, REPORTS, ANSWERS, PARTS, SPREAD = 20 };

typedef struct {
    const pvg_graph *graph;
    const pvg_features *features;
    const pvg_users_config *config;
    int64_t order, classes;
    uint64_t object;
    pvg_rng *rng;
    pvg_ledger *const *ledgers; /* of each part, or NULL; NULL: exact */
    pvg_run plain;
    pvgi_run *run;
    pvg_perturber *perturber[PARTS]; /* NULL: not asked for */
    const pvg_release *seen[PARTS];  /* what was drawn, now or before */
    int64_t columns;                 /* of reported features that are read; 0: none are */
    pvg_labels *asked;               /* of users that tell their label, -1 elsewhere */
    const int32_t *answers;          /* what they told */
    double *transition;              /* classes x classes; NULL: labels are true */
    pvg_model *model;                /* NULL: features are not asked for */
} users;

static pvg_target pure(const pvg_users_config *config, double epsilon) {
    return (pvg_target){.size = sizeof(pvg_target),
                        .epsilon = epsilon,
                        .allow_seeded = config->allow_seeded};
}

/* --- before anything is paid ------------------------------------------------------- */

/* Labels of those who are asked. */
static int32_t choose_labels(users *u, const int32_t *labels) {
    const int32_t *parts = u->config->parts;
    int32_t *told = pvgi_alloc((size_t)u->order, sizeof *told);
    if (!told) return pvgi_fail_nomem();
    for (int64_t v = 0; v < u->order; v++)
        told[v] = parts[v] == PVG_PART_TRAIN || parts[v] == PVG_PART_VALIDATION
                      ? labels[v]
                      : -1;
    const int32_t status = pvg_labels_from_array(&u->asked, told, u->order);
    pvgi_free(told);
    return status;
}

/* NULL where it is not asked for; columns 0: features are not. */
static int32_t plan_reports(pvg_perturber *out[PARTS], const pvg_users_config *c,
                            int64_t columns) {
    if (c->list_epsilon > 0.0) {
        const pvg_target target = pure(c, c->list_epsilon);
        PVGI_TRY(pvg_perturber_new_subset(&out[LISTS], NULL, &target));
    }
    if (c->feature_epsilon > 0.0 && columns > 0) {
        const pvg_features_config config = {.size = sizeof config,
                                            .method = PVG_FEATURES_MULTIBIT,
                                            .columns = columns,
                                            .ranges = 1,
                                            .sparse = 1};
        const pvg_target target = pure(c, c->feature_epsilon);
        const double low = c->low, high = c->low == 0.0 && c->high == 0.0 ? 1.0 : c->high;
        PVGI_TRY(
            pvg_perturber_new_features(&out[REPORTS], &config, &target, &low, &high));
    }
    if (c->label_epsilon > 0.0) {
        const pvg_labels_config config = {.size = sizeof config, .classes = c->classes};
        const pvg_target target = pure(c, c->label_epsilon);
        PVGI_TRY(pvg_perturber_new_labels(&out[ANSWERS], &config, &target));
    }
    return PVG_OK;
}

/* With a perturber for answers, how they may differ from the truth. */
static int32_t make_perturbers(users *u) {
    PVGI_TRY(plan_reports(u->perturber, u->config, u->columns));
    if (!u->perturber[ANSWERS]) return PVG_OK;
    u->transition = pvgi_alloc((size_t)u->classes, (size_t)u->classes * sizeof(double));
    if (!u->transition) return pvgi_fail_nomem();
    return pvg_perturber_copy_transition(u->transition, u->perturber[ANSWERS]);
}

int32_t pvgi_learn_users_preview(pvg_preview *out[3], const pvg_users_config *config,
                                 int64_t order, int64_t columns) {
    pvg_perturber *perturber[PARTS] = {NULL};
    int32_t status = plan_reports(perturber, config, columns);
    for (int i = 0; i < PARTS; i++) {
        if (status == PVG_OK && perturber[i])
            status = pvg_perturber_preview(&out[i], perturber[i], order);
        pvg_perturber_free(perturber[i]);
    }
    for (int i = 0; i < PARTS && status != PVG_OK; i++) {
        pvg_preview_free(out[i]);
        out[i] = NULL;
    }
    return status;
}

/* A part that is refused must not leave another one paid. Who charges meanwhile may
 * still be in time. */
static int32_t afford(const users *u) {
    for (int i = 0; i < PARTS; i++)
        if (u->perturber[i] && u->ledgers[i])
            PVGI_TRY(pvgi_ledger_pay(NULL, "pvg_recipe_users", u->ledgers[i], &u->object,
                                     1, pvg_perturber_guarantee(u->perturber[i]), true));
    return PVG_OK;
}

/* --- draws ------------------------------------------------------------------------- */

static int32_t ask(pvg_release *drawn[PARTS], users *u) {
    if (u->perturber[ANSWERS]) {
        PVGI_TRY(pvg_release_draw_labels(&drawn[ANSWERS], u->perturber[ANSWERS], u->asked,
                                         u->object, u->rng, u->ledgers[ANSWERS],
                                         &u->plain));
        u->answers = drawn[ANSWERS]->content.labels->values;
    }
    if (u->perturber[LISTS])
        PVGI_TRY(pvg_release_draw_graph(&drawn[LISTS], u->perturber[LISTS], u->graph,
                                        u->object, u->rng, u->ledgers[LISTS], &u->plain));
    if (u->perturber[REPORTS])
        PVGI_TRY(pvg_release_draw_features(&drawn[REPORTS], u->perturber[REPORTS],
                                           u->features, u->object, u->rng,
                                           u->ledgers[REPORTS], &u->plain));
    for (int i = 0; i < PARTS; i++) u->seen[i] = drawn[i];
    return PVG_OK;
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
    const pvg_features *public = u->config->public_features;
    return public ? public->columns : u->columns;
}

static int32_t add_reports(pvg_dataset_builder *builder, const users *u) {
    if (u->config->public_features)
        return pvg_dataset_builder_add_public_features(builder,
                                                       u->config->public_features);
    if (!u->seen[REPORTS])
        return pvg_dataset_builder_add_private_features(builder, u->features);
    return pvg_dataset_builder_add_released(builder, u->seen[REPORTS], PVG_ROLE_FEATURES);
}

static int32_t learn(double *out, users *u) {
    const pvg_users_config *c = u->config;
    const pvg_training_config training = {.size = sizeof training,
                                          .epochs = 100,
                                          .decay = 1e-3,
                                          .averages = c->averages,
                                          .target_rounds = c->target_rounds,
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
    PVGI_TRY_DONE(pvg_dataset_builder_set_split(builder, c->parts, u->order));
    PVGI_TRY_DONE(pvg_dataset_builder_finish(&data, builder));
    if (c->public_features)
        snprintf(text, sizeof text, "sage 32 selu drop .5 | sage classes");
    else
        snprintf(text, sizeof text, "kprop %lld | gcn 32 selu drop .5 | gcn classes",
                 (long long)c->rounds);
    PVGI_TRY_DONE(pvg_network_from_text(&network, text, read_columns(u), u->classes));
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

/* Both judgements, from what was drawn. */
static int32_t judge(double *out, double *without, pvg_model **model, users *u,
                     pvgi_run *run) {
    const size_t cells = (size_t)(u->order * u->classes);
    double *answer = pvgi_alloc(cells, 2 * sizeof *answer);
    double *alone = answer ? answer + cells : NULL;
    int32_t status;
    if (!answer) return pvgi_fail_nomem();
    PVGI_TRY_DONE(pvgi_run_report(run, 0.2));
    PVGI_TRY_DONE(labels_alone(alone, u));
    if (read_columns(u)) PVGI_TRY_DONE(learn(answer, u));
    PVGI_TRY_DONE(pvgi_run_report(run, 1.0));
    memcpy(out, read_columns(u) ? answer : alone, cells * sizeof *out);
    if (without) memcpy(without, alone, cells * sizeof *without);
    if (model) {
        *model = u->model;
        u->model = NULL;
    }
done:
    pvgi_free(answer);
    return status;
}

/* Steps of a training are no progress of the whole: quiet has none. */
static users begin(const pvg_users_config *config, int64_t order, uint64_t object,
                   pvg_rng *rng, pvgi_run *quiet) {
    users u = {.config = config,
               .order = order,
               .classes = config->classes,
               .object = object,
               .rng = rng,
               .run = quiet};
    quiet->config.progress = NULL;
    u.plain = quiet->config;
    u.plain.size = sizeof u.plain;
    return u;
}

static void end(users *u) {
    pvg_model_free(u->model);
    for (int i = 0; i < PARTS; i++) pvg_perturber_free(u->perturber[i]);
    pvg_labels_free(u->asked);
    pvgi_free(u->transition);
}

int32_t pvgi_learn_users(double *out, double *without, pvg_model **model,
                         pvg_release *drawn[3], const pvg_graph *graph,
                         const pvg_features *features, const pvg_labels *labels,
                         const pvg_users_config *config, uint64_t object, pvg_rng *rng,
                         pvg_ledger *const ledgers[3], pvgi_run *run) {
    pvgi_run quiet = *run;
    users u = begin(config, graph->order, object, rng, &quiet);
    int32_t status;
    u.graph = graph;
    u.features = features;
    u.columns = features && config->feature_epsilon > 0.0 ? features->columns : 0;
    u.ledgers = ledgers;
    PVGI_TRY_DONE(choose_labels(&u, labels->values));
    u.answers = u.asked->values;
    if (ledgers) {
        PVGI_TRY_DONE(make_perturbers(&u));
        PVGI_TRY_DONE(afford(&u));
        PVGI_TRY_DONE(ask(drawn, &u));
    }
    status = judge(out, without, model, &u, run);
done:
    end(&u);
    return status;
}

int32_t pvgi_learn_reports(double *out, double *without, pvg_model **model,
                           const pvg_release *const seen[3], const pvg_graph *graph,
                           const int32_t *labels, const pvg_users_config *config,
                           int64_t order, pvg_rng *rng, pvgi_run *run) {
    pvgi_run quiet = *run;
    users u = begin(config, order, 0, rng, &quiet); /* nothing is drawn */
    int32_t status;
    u.graph = graph;
    u.columns = seen[REPORTS] ? seen[REPORTS]->content.features->columns : 0;
    for (int i = 0; i < PARTS; i++) u.seen[i] = seen[i];
    PVGI_TRY_DONE(choose_labels(&u, labels));
    u.answers = u.asked->values;
    PVGI_TRY_DONE(make_perturbers(&u));
    status = judge(out, without, model, &u, run);
done:
    end(&u);
    return status;
}
