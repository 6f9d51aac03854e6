/* Membership (G-MIA, Olatunji et al. 2021, corrected): was a node among those a model was
 * trained on?
 *
 * Per class as many nodes for the target and for a shadow model, trained each on the
 * graph they induce; as many others for either. Both are then queried on the whole graph:
 * published code queries members on the graph of the training, so that an attack sees
 * which graph was used. A network `dense 32 relu | dense 2` on [sorted posterior, p_y,
 * ln p_y] learns from the shadow and judges the target; the control is p_y alone. Cost:
 * two trainings and two or three forward passes. */
#include "audit_internal.h"
#include "learn/learn_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const pvg_network *network;
    const pvg_dataset *data;
    pvg_training_config training; /* filled in */
    int64_t per_class;
    bool published;
    pvg_rng *rng;
} member_attack;

/* Parts of the nodes. */
enum { TARGET_IN, SHADOW_IN, TARGET_OUT, SHADOW_OUT, PARTS };

typedef struct {
    const member_attack *attack;
    int64_t *nodes[PARTS], counts[PARTS];
    int64_t classes;
    double *posteriors[2]; /* of the whole graph by target and shadow */
} plan;

static void shuffle(int64_t *nodes, int64_t count, pvgi_stream *stream) {
    for (int64_t i = count - 1; i > 0; i--) {
        const int64_t j = (int64_t)pvgi_rng_draw_below(stream, (uint64_t)i + 1);
        const int64_t kept = nodes[i];
        nodes[i] = nodes[j];
        nodes[j] = kept;
    }
}

/* Members by class, then as many others from all that are left. */
static int32_t choose(plan *p, int64_t *scratch, pvgi_stream *stream) {
    const pvg_dataset *d = p->attack->data;
    const int64_t per = p->attack->per_class;
    int64_t left = 0, *mine = scratch, *rest = scratch + d->order;
    for (int part = 0; part < PARTS; part++)
        p->nodes[part] = scratch + (2 + part) * d->order;
    for (int64_t c = 0; c < p->classes; c++) {
        int64_t count = 0;
        for (int64_t v = 0; v < d->order; v++)
            if (d->labels[v] == c) mine[count++] = v;
        shuffle(mine, count, stream);
        if (count < 2 * per)
            return pvgi_fail(PVG_E_ARGUMENT,
                             "pvg_attack_membership: a class has fewer than 2 x %lld "
                             "nodes; ask for fewer members per class",
                             (long long)per);
        for (int64_t i = 0; i < 2 * per; i++) {
            const int part = i < per ? TARGET_IN : SHADOW_IN;
            p->nodes[part][p->counts[part]++] = mine[i];
        }
        for (int64_t i = 2 * per; i < count; i++) rest[left++] = mine[i];
    }
    shuffle(rest, left, stream);
    const int64_t out = left / 2 < per * p->classes ? left / 2 : per * p->classes;
    if (out < 1)
        return pvgi_fail(PVG_E_ARGUMENT, "pvg_attack_membership: no node is left over; "
                                         "ask for fewer members per class");
    for (int64_t i = 0; i < 2 * out; i++) {
        const int part = i < out ? TARGET_OUT : SHADOW_OUT;
        p->nodes[part][p->counts[part]++] = rest[i];
    }
    return PVG_OK;
}

/* The dataset of some nodes and the graph they induce. */
static int32_t induce(pvg_dataset **out, const pvg_dataset *d, const int64_t *nodes,
                      int64_t count, pvgi_run *run) {
    const pvg_graph whole = {.order = d->order,
                             .size = d->offsets ? d->offsets[d->order] / 2 : 0,
                             .offsets = d->offsets,
                             .columns = d->columns};
    pvg_features x = {.rows = count, .columns = d->width};
    pvg_dataset_builder *builder = NULL;
    pvg_graph *graph = NULL;
    int32_t status = PVG_OK, *labels = NULL;
    int64_t entries = 0;
    for (int64_t i = 0; i < count; i++)
        entries += d->x_offsets[nodes[i] + 1] - d->x_offsets[nodes[i]];
    x.offsets = pvgi_alloc((size_t)count + 1, sizeof *x.offsets);
    x.indices = pvgi_alloc((size_t)entries, sizeof *x.indices);
    x.values = pvgi_alloc((size_t)entries, sizeof *x.values);
    labels = pvgi_alloc((size_t)count, sizeof *labels);
    if (!x.offsets || !x.indices || !x.values || !labels) {
        status = pvgi_fail_nomem();
        goto done;
    }
    x.offsets[0] = 0;
    for (int64_t i = 0; i < count; i++) {
        const int64_t from = d->x_offsets[nodes[i]];
        const int64_t width = d->x_offsets[nodes[i] + 1] - from;
        memcpy(x.indices + x.offsets[i], d->x_indices + from,
               (size_t)width * sizeof *x.indices);
        memcpy(x.values + x.offsets[i], d->x_values + from,
               (size_t)width * sizeof *x.values);
        x.offsets[i + 1] = x.offsets[i] + width;
        labels[i] = d->labels[nodes[i]];
    }
    PVGI_TRY_DONE(pvgi_network_builder_new(&builder, count));
    if (d->offsets) {
        PVGI_TRY_DONE(pvgi_graph_induce(&graph, &whole, nodes, count, run));
        PVGI_TRY_DONE(pvgi_network_builder_arcs(builder, graph->offsets, graph->columns,
                                                true, PVGI_ORIGIN_PUBLIC));
    }
    PVGI_TRY_DONE(pvgi_network_builder_features(builder, &x, PVGI_ORIGIN_PUBLIC));
    PVGI_TRY_DONE(pvgi_network_builder_labels(builder, labels, PVGI_ORIGIN_PUBLIC));
    PVGI_TRY_DONE(pvgi_network_builder_finish(out, builder));
done:
    pvgi_network_builder_free(builder);
    pvgi_graph_free(graph);
    pvgi_free(x.offsets);
    pvgi_free(x.indices);
    pvgi_free(x.values);
    pvgi_free(labels);
    return status;
}

/* Trains on the members and writes posteriors of all nodes, members on the graph of the
 * training if that is how it was published. */
static int32_t train(double *posteriors, const plan *p, int part, pvgi_run *run) {
    const member_attack *a = p->attack;
    const int64_t c = p->classes, count = p->counts[part];
    pvg_dataset *data = NULL;
    pvg_model *model = NULL;
    double *own = NULL;
    int32_t status = PVG_OK;
    PVGI_TRY_DONE(induce(&data, a->data, p->nodes[part], count, run));
    PVGI_TRY_DONE(
        pvgi_network_train(&model, a->network, data, &a->training, NULL, a->rng, run));
    PVGI_TRY_DONE(
        pvgi_network_predict(posteriors, model, a->data, PVG_PREDICT_PROBABILITIES, run));
    if (a->published) {
        own = pvgi_alloc((size_t)(count * c), sizeof *own);
        if (!own) {
            status = pvgi_fail_nomem();
            goto done;
        }
        PVGI_TRY_DONE(
            pvgi_network_predict(own, model, data, PVG_PREDICT_PROBABILITIES, run));
        for (int64_t i = 0; i < count; i++)
            memcpy(posteriors + p->nodes[part][i] * c, own + i * c,
                   (size_t)c * sizeof *own);
    }
done:
    pvgi_free(own);
    pvgi_network_model_free(model);
    pvgi_network_dataset_free(data);
    return status;
}

static int descending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

static void describe(double *out, const double *posterior, int32_t label, int64_t c) {
    memcpy(out, posterior, (size_t)c * sizeof *out);
    qsort(out, (size_t)c, sizeof *out, descending);
    out[c] = posterior[label];
    out[c + 1] = log(posterior[label] > 1e-12 ? posterior[label] : 1e-12);
}

/* Scores of the target's nodes, in the order of the questions. */
static int32_t judge(double *scores, const plan *p, pvgi_run *run) {
    const pvg_dataset *d = p->attack->data;
    const int64_t c = p->classes, columns = c + 2;
    int64_t rows = 0, at = 0;
    for (int part = 0; part < PARTS; part++) rows += p->counts[part];
    const pvg_training_config training = {.epochs = 100,
                                          .rate = .01,
                                          .decay = -1,
                                          .select = PVG_SELECT_LAST,
                                          .patience = -1};
    double *x = pvgi_alloc((size_t)rows, (size_t)columns * sizeof *x);
    double *out = pvgi_alloc((size_t)rows, 2 * sizeof *out);
    int32_t *labels = pvgi_alloc((size_t)rows, sizeof *labels), status = PVG_OK;
    if (!x || !out || !labels) {
        status = pvgi_fail_nomem();
        goto done;
    }
    static const int order[PARTS] = {TARGET_IN, TARGET_OUT, SHADOW_IN, SHADOW_OUT};
    for (int k = 0; k < PARTS; k++)
        for (int64_t i = 0; i < p->counts[order[k]]; i++, at++) {
            const int64_t v = p->nodes[order[k]][i];
            const bool shadow = k >= 2;
            describe(x + at * columns, p->posteriors[shadow] + v * c, d->labels[v], c);
            labels[at] = shadow ? order[k] == SHADOW_IN : -1;
        }
    PVGI_TRY_DONE(pvgi_learn_network_rows(out, "dense 32 relu | dense classes", x, rows,
                                          columns, labels, NULL, 2, &training,
                                          p->attack->rng, run));
    for (int64_t i = 0; i < p->counts[TARGET_IN] + p->counts[TARGET_OUT]; i++)
        scores[i] = out[2 * i + 1];
done:
    pvgi_free(x);
    pvgi_free(out);
    pvgi_free(labels);
    return status;
}

static int32_t ask_members(pvg_attack **out, const member_attack *attack,
                           const pvg_attack_config *config, pvgi_run *run) {
    const pvg_dataset *d = attack->data;
    plan p = {.attack = attack, .classes = attack->network->program.classes};
    pvg_attack *a = NULL;
    double *scores, *control;
    int32_t status = PVG_OK;
    const size_t numbers = pvgi_size_mul((size_t)d->order, (size_t)p.classes);
    /* on the heap: trainings below need the stack */
    pvgi_stream *streams = pvgi_alloc_zero(2, sizeof *streams);
    int64_t *scratch =
        pvgi_alloc(pvgi_size_mul((size_t)d->order, 2 + PARTS), sizeof *scratch);
    double *posteriors = pvgi_alloc(numbers, 2 * sizeof *posteriors);
    if (!scratch || !posteriors || !streams) {
        status = pvgi_fail_nomem();
        goto done;
    }
    PVGI_TRY_DONE(pvgi_rng_stream_open(&streams[0], attack->rng));
    p.posteriors[0] = posteriors;
    p.posteriors[1] = posteriors + numbers;
    pvgi_rng_stream_open_chunk(&streams[1], &streams[0], 0);
    PVGI_TRY_DONE(choose(&p, scratch, &streams[1]));
    for (int shadow = 0; shadow < 2; shadow++) {
        pvgi_run part = pvgi_run_part(run, 0, .4 * shadow, .4);
        status = train(p.posteriors[shadow], &p, shadow, &part);
        pvgi_run_join(run, &part);
        if (status != PVG_OK) goto done;
    }
    PVGI_TRY_DONE(
        pvgi_audit_attack_new(&a, p.counts[TARGET_IN] + p.counts[TARGET_OUT], d->order));
    for (int part = TARGET_IN; part <= TARGET_OUT; part += TARGET_OUT - TARGET_IN)
        for (int64_t i = 0; i < p.counts[part]; i++)
            pvgi_audit_ask(a, p.nodes[part][i], p.nodes[part][i],
                           part == TARGET_IN ? PVG_NEGATIVES_NONE
                                             : PVG_NEGATIVES_UNIFORM);
    a->prevalence = (double)a->positive_count / (double)a->count;
    PVGI_TRY_DONE(pvgi_audit_add_score(&scores, a, PVG_CONTROL_NONE));
    PVGI_TRY_DONE(pvgi_audit_add_score(&control, a, PVG_CONTROL_THRESHOLD));
    for (int64_t i = 0; i < a->count; i++)
        control[i] = p.posteriors[0][a->first[i] * p.classes + d->labels[a->first[i]]];
    pvgi_run_phase(run, .8, .1);
    PVGI_TRY_DONE(judge(scores, &p, run));
    pvgi_run_phase(run, .9, .1);
    PVGI_TRY_DONE(pvgi_audit_attack_judge(a, config, &streams[0], run));
    *out = a;
    a = NULL;
done:
    pvgi_free(streams); /* wiped */
    pvgi_audit_attack_free(a);
    pvgi_free(scratch);
    pvgi_free(posteriors);
    return status;
}

/* A third of the nodes of the smallest class, at most 90. */
static int64_t members_of(const pvg_dataset *data, int64_t classes) {
    int64_t least = 3 * 90;
    for (int64_t c = 0; c < classes; c++) {
        int64_t count = 0;
        for (int64_t v = 0; v < data->order; v++) count += data->labels[v] == c;
        if (count < least) least = count;
    }
    return least / 3;
}

int32_t pvgi_audit_membership(const pvgi_attack_call *call, const pvg_network *network,
                              const pvg_dataset *data,
                              const pvg_training_config *training, bool exact) {
    const char *name = call->name;
    const pvg_training_config published = {.size = sizeof published,
                                           .select = PVG_SELECT_LAST,
                                           .epochs = 120,
                                           .patience = -1,
                                           .rate = .005,
                                           .decay = -1};
    pvg_attack_config own;
    member_attack attack = {.network = network, .data = data, .rng = call->rng};
    pvgi_run running;
    if (!call->out) return pvgi_fail_null(name, "out");
    if (!network) return pvgi_fail_null(name, "network");
    if (!data) return pvgi_fail_null(name, "dataset");
    if (!call->rng) return pvgi_fail_null(name, "rng");
    if (!exact)
        PVGI_TRY(pvg_dataset_holds_secrets(data)
                     ? pvgi_fail(PVG_E_PRIVACY,
                                 "%s: the dataset has private parts; ask "
                                 "pvg_attack_membership_exact",
                                 name)
                     : PVG_OK);
    const int64_t classes = network->program.classes;
    PVGI_REQUIRE(data->graphs == 0, "%s: rows of the dataset are graphs, not nodes",
                 name);
    PVGI_REQUIRE(data->x_values && data->labels,
                 "%s: the dataset has no features or no labels", name);
    PVGI_REQUIRE(data->width == network->program.inputs,
                 "%s: the dataset does not have the features of the network", name);
    PVGI_REQUIRE(!data->offsets || data->symmetric,
                 "%s: arcs of the dataset go one way only", name);
    PVGI_REQUIRE(data->offsets || !network->program.needs_graph,
                 "%s: the network looks at neighbours, but the dataset has no graph",
                 name);
    PVGI_REQUIRE(classes >= 2, "%s: the network has one class", name);
    PVGI_TRY(pvgi_audit_read_config(&own, name, call->config, data->order));
    PVGI_TRY(pvgi_network_read_config(&attack.training, name,
                                      training ? training : &published));
    attack.per_class = own.per_class ? own.per_class : members_of(data, classes);
    attack.published = own.published != 0;
    PVGI_REQUIRE(attack.per_class >= 1, "%s: a class has fewer than 3 nodes", name);
    PVGI_TRY(pvgi_run_begin(&running, call->run));
    return ask_members(call->out, &attack, &own, &running);
}
