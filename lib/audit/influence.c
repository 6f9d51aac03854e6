/* LinkTeller (Wu et al. 2022): how far the output at u moves when the features of v do.
 *
 * I(v -> u) = |f(X with row v times 1 + h)_u - f(X)_u| / h, in doubles; the score of
 * {u, v} is I(v -> u) + I(u -> v). By balls (network/incremental.c) each asked node costs
 * what its L-hop ball does; as a black box, or for several models averaged, a whole
 * forward pass. Beyond L hops, and where a model hears no neighbours, it is exactly 0. */
#include "audit_internal.h"

#include <math.h>
#include <string.h>

enum { NODES_PER_CHUNK = 8 };

typedef struct {
    const pvg_model *model;
    const pvg_dataset *data;
    double step;
    int32_t kind; /* PVG_PREDICT_* */
    bool black_box;
} influence_attack;

typedef struct {
    const influence_attack *attack;
    const pvg_attack *questions;
    int64_t classes, node_count;
    int64_t *nodes;           /* that are asked about */
    int64_t *starts, *asked;  /* of each of them its questions: 2 i + (which end) */
    double *found;            /* of each question both directions */
    pvgi_incremental **balls; /* of each worker; NULL: black box */
    double *scratch;          /* of each worker: 3 rows */
    /* black box: of each worker values of features and a prediction */
    double *clean, *values, *outputs;
} job;

static void note(const job *j, int64_t slot, const double *before, const double *after) {
    double sum = 0;
    for (int64_t c = 0; c < j->classes; c++)
        sum += (after[c] - before[c]) * (after[c] - before[c]);
    j->found[slot] = sqrt(sum) / j->attack->step;
}

static int64_t other_end(const job *j, int64_t slot) {
    return slot & 1 ? j->questions->first[slot >> 1] : j->questions->second[slot >> 1];
}

static void by_ball(const job *j, int64_t i, uint32_t worker) {
    pvgi_incremental *ball = j->balls[worker];
    double *row = j->scratch + 3 * j->classes * (int64_t)worker;
    double *before = row + j->classes, *after = before + j->classes;
    pvgi_network_incremental_move(ball, j->nodes[i], 1 + j->attack->step);
    for (int64_t k = j->starts[i]; k < j->starts[i + 1]; k++) {
        const int64_t u = other_end(j, j->asked[k]);
        for (int clean = 0; clean < 2; clean++) {
            pvgi_network_incremental_read(row, ball, u, clean);
            pvgi_network_finish_row(clean ? before : after, row, 1, j->attack->model,
                                    j->attack->kind);
        }
        note(j, j->asked[k], before, after);
    }
}

/* What is asked with one row moved; too large for a stack. */
typedef struct {
    pvg_dataset data;
    pvg_model model;
    pvgi_run run;
} question;

static int32_t black_box(const job *j, int64_t i, uint32_t worker) {
    const influence_attack *a = j->attack;
    const int64_t entries = a->data->x_offsets[a->data->order];
    double *values = j->values + entries * (int64_t)worker;
    double *out = j->outputs + a->data->order * j->classes * (int64_t)worker;
    const int64_t first = a->data->x_offsets[j->nodes[i]];
    const int64_t last = a->data->x_offsets[j->nodes[i] + 1];
    question *q = pvgi_alloc(1, sizeof *q);
    if (!q) return pvgi_fail_nomem();
    q->data = *a->data;
    q->model = *a->model;
    q->data.x_values = values;
    q->model.config.precision = PVG_PRECISION_DOUBLE;
    for (int64_t k = first; k < last; k++)
        values[k] = a->data->x_values[k] * (1 + a->step);
    int32_t status = pvgi_run_begin(&q->run, NULL);
    if (status == PVG_OK)
        status = pvgi_network_predict(out, &q->model, &q->data, a->kind, &q->run);
    pvgi_free(q);
    for (int64_t k = first; k < last; k++) values[k] = a->data->x_values[k];
    for (int64_t k = j->starts[i]; k < j->starts[i + 1] && status == PVG_OK; k++) {
        const int64_t u = other_end(j, j->asked[k]) * j->classes;
        note(j, j->asked[k], j->clean + u, out + u);
    }
    return status;
}

static int32_t run_nodes(void *context, int64_t chunk, uint32_t worker) {
    const job *j = context;
    int64_t last = (chunk + 1) * NODES_PER_CHUNK;
    if (last > j->node_count) last = j->node_count;
    for (int64_t i = chunk * NODES_PER_CHUNK; i < last; i++) {
        if (!j->balls)
            PVGI_TRY(black_box(j, i, worker));
        else
            by_ball(j, i, worker);
    }
    return PVG_OK;
}

/* Questions by node. */
static int32_t group(job *j) {
    const pvg_attack *a = j->questions;
    int64_t *names = pvgi_alloc((size_t)a->order, sizeof *names);
    if (!names) return pvgi_fail_nomem();
    for (int64_t v = 0; v < a->order; v++) names[v] = -1;
    for (int64_t slot = 0; slot < 2 * a->count; slot++) {
        const int64_t v = slot & 1 ? a->second[slot >> 1] : a->first[slot >> 1];
        if (names[v] < 0) {
            names[v] = j->node_count++;
            j->nodes[names[v]] = v;
            j->starts[names[v] + 2] = 0;
        }
        j->starts[names[v] + 2]++;
    }
    j->starts[0] = j->starts[1] = 0;
    for (int64_t i = 0; i < j->node_count; i++) j->starts[i + 2] += j->starts[i + 1];
    for (int64_t slot = 0; slot < 2 * a->count; slot++) {
        const int64_t v = slot & 1 ? a->second[slot >> 1] : a->first[slot >> 1];
        j->asked[j->starts[names[v] + 1]++] = slot;
    }
    pvgi_free(names);
    return PVG_OK;
}

static int32_t make_scratch(job *j, uint32_t workers, pvgi_run *run) {
    const influence_attack *a = j->attack;
    if (!a->black_box && pvgi_network_incremental_fits(a->model, a->data)) {
        j->scratch = pvgi_alloc(workers, (size_t)(3 * j->classes) * sizeof *j->scratch);
        j->balls = pvgi_alloc_zero(workers, sizeof(pvgi_incremental *));
        if (!j->scratch || !j->balls) return pvgi_fail_nomem();
        for (uint32_t w = 0; w < workers; w++)
            PVGI_TRY(pvgi_network_incremental_new(&j->balls[w], a->model, a->data, run));
        return PVG_OK;
    }
    const size_t entries = (size_t)a->data->x_offsets[a->data->order];
    const size_t numbers = pvgi_size_mul((size_t)a->data->order, (size_t)j->classes);
    PVGI_TRY(pvgi_run_reserve(
        run, pvgi_size_mul(pvgi_size_mul(workers, numbers + entries), sizeof(double))));
    j->clean = pvgi_alloc(numbers, sizeof(double));
    j->values = pvgi_alloc(pvgi_size_mul(workers, entries), sizeof(double));
    j->outputs = pvgi_alloc(pvgi_size_mul(workers, numbers), sizeof(double));
    if (!j->clean || !j->values || !j->outputs) return pvgi_fail_nomem();
    for (uint32_t w = 0; w < workers; w++)
        memcpy(j->values + w * entries, a->data->x_values, entries * sizeof(double));
    pvg_model wide = *a->model;
    wide.config.precision = PVG_PRECISION_DOUBLE;
    return pvgi_network_predict(j->clean, &wide, a->data, a->kind, run);
}

/* No influence at all: because there is no interface, or because nothing was learnt? */
static int32_t is_dead(bool *out, const influence_attack *a, pvgi_run *run) {
    const int64_t c = a->model->network->program.classes;
    double *z = pvgi_alloc((size_t)a->data->order, (size_t)c * sizeof *z);
    if (!z) return pvgi_fail_nomem();
    const int32_t status = pvgi_network_predict(z, a->model, a->data, a->kind, run);
    if (status == PVG_OK) *out = pvgi_audit_alike(z, a->data->order, c);
    pvgi_free(z);
    return status;
}

static int32_t score_influence(void *context, double *scores, pvg_attack *a,
                               const pvg_attack_config *config, pvgi_run *run) {
    job j = {.attack = context, .questions = a};
    const size_t slots = 2 * (size_t)a->count;
    int32_t status = PVG_OK;
    uint32_t workers = 0;
    (void)config;
    j.classes = j.attack->model->network->program.classes;
    int64_t *scratch = pvgi_alloc(pvgi_size_mul(slots + 1, 3), sizeof *scratch);
    j.found = pvgi_alloc(slots, sizeof *j.found);
    if (!scratch || !j.found) {
        status = pvgi_fail_nomem();
        goto done;
    }
    j.nodes = scratch;
    j.asked = scratch + slots;
    j.starts = scratch + 2 * slots;
    PVGI_TRY_DONE(group(&j));
    const int64_t chunks = (j.node_count + NODES_PER_CHUNK - 1) / NODES_PER_CHUNK;
    workers = pvgi_run_workers(run, chunks);
    PVGI_TRY_DONE(make_scratch(&j, workers, run));
    PVGI_TRY_DONE(pvgi_run_chunks(run, chunks, run_nodes, &j));
    bool heard = false;
    for (int64_t i = 0; i < a->count; i++) {
        scores[i] = j.found[2 * i] + j.found[2 * i + 1];
        heard = heard || scores[i] > 0;
    }
    if (!heard) PVGI_TRY_DONE(is_dead(&a->dead, j.attack, run));
done:
    for (uint32_t w = 0; j.balls && w < workers; w++)
        pvgi_network_incremental_free(j.balls[w]);
    pvgi_free(j.balls);
    pvgi_free(j.scratch);
    pvgi_free(j.clean);
    pvgi_free(j.values);
    pvgi_free(j.outputs);
    pvgi_free(j.found);
    pvgi_free(scratch);
    return status;
}

int32_t pvgi_audit_links_influence(const pvgi_attack_call *call, const pvg_model *model,
                                   const pvg_dataset *data, bool exact) {
    const char *name = call->name;
    pvg_attack_config own;
    pvgi_run running;
    if (!model) return pvgi_fail_null(name, "model");
    if (!data) return pvgi_fail_null(name, "dataset");
    PVGI_TRY(pvgi_audit_begin(&own, &running, call));
    if (!exact) PVGI_TRY(pvgi_network_check_private(name, model, data));
    PVGI_REQUIRE(data->graphs == 0, "%s: rows of the dataset are graphs, not nodes",
                 name);
    PVGI_REQUIRE(data->order == call->truth->order,
                 "%s: the dataset has %lld nodes, truth %lld", name,
                 (long long)data->order, (long long)call->truth->order);
    PVGI_REQUIRE(data->x_values && data->width == model->network->program.inputs,
                 "%s: the dataset does not have the features of the model", name);
    PVGI_REQUIRE(data->offsets || !model->network->program.needs_graph,
                 "%s: the model looks at neighbours, but the dataset has no graph", name);
    const pvg_features features = {.rows = data->order,
                                   .columns = data->width,
                                   .offsets = data->x_offsets,
                                   .indices = data->x_indices,
                                   .values = data->x_values};
    if (!own.features) own.features = &features;
    influence_attack attack = {model, data, own.step,
                               own.probabilities ? PVG_PREDICT_PROBABILITIES
                                                 : PVG_PREDICT_LOGITS,
                               own.black_box != 0};
    return pvgi_audit_links(call, score_influence, &attack, &own, PVG_METRIC_COSINE,
                            &running);
}
