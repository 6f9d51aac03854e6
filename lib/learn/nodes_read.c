/* Kind "nodes", reading: rows of private features, messages, and what networks that were
 * drawn, or trained without noise, say of them. */
#include "base/mix.h"
#include "nodes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- features ---------------------------------------------------------------------- */

/* A public coin for entry (row, column) of the projection, the same for ever. */
static double sign_of(int64_t row, int64_t column) {
    const uint64_t entry = (uint64_t)row << 20 ^ (uint64_t)column;
    return pvgi_mix(entry * PVGI_MIX_STEP + UINT64_C(0x6A09E667F3BCC909)) >> 63 ? 1.0
                                                                                : -1.0;
}

/* 0: the columns as they are. */
static int64_t directions_of(int64_t columns, int64_t directions) {
    if (directions == 0 && columns > 512) return 256;
    return directions > 0 ? directions : 0;
}

int64_t pvgi_learn_inputs_width(int64_t columns, int64_t directions) {
    const int64_t random = directions_of(columns, directions);
    return random > 0 ? random : columns;
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

/* --- what networks read ------------------------------------------------------------- */

int32_t pvgi_learn_nodes_data(pvg_dataset **out, const pvg_pipeline *p,
                              const pvgi_nodes_records *r) {
    pvg_dataset_builder *builder = NULL;
    int32_t status;
    PVGI_TRY_DONE(pvg_dataset_builder_new(&builder, r->x->rows));
    PVGI_TRY_DONE(pvg_dataset_builder_add_private_features(builder, r->x));
    if (r->labels) {
        PVGI_TRY_DONE(pvg_dataset_builder_add_private_labels(builder, r->labels));
        PVGI_TRY_DONE(pvg_dataset_builder_set_split(builder, p->parts, p->order));
    }
    if (r->seen) PVGI_TRY_DONE(pvg_dataset_builder_add_seen(builder, r->seen));
    if (r->states) PVGI_TRY_DONE(pvgi_network_note(&builder->data, r->states));
    status = pvg_dataset_builder_finish(out, builder);
done:
    pvg_dataset_builder_free(builder);
    return status;
}

int32_t pvgi_learn_nodes_judge(double *out, const pvg_pipeline *p, const pvg_model *model,
                               const pvg_features *x, pvgi_run *run) {
    pvg_dataset *data = NULL;
    PVGI_TRY(pvgi_learn_nodes_data(&data, p, &(pvgi_nodes_records){.x = x}));
    const int32_t status =
        pvgi_network_predict(out, model, data, PVG_PREDICT_PROBABILITIES, run);
    pvg_dataset_free(data);
    return status;
}

/* (q - 1/C) / sqrt(1 - 1/C) for probabilities q; with labels, that of those who train
 * instead; 0 for a node about which nothing is known, or q is no number (an error would
 * tell). Length at most 1. */
void pvgi_learn_nodes_messages(double *out, const pvg_pipeline *p,
                               const pvg_features *inputs, const double *q,
                               const pvg_labels *labels) {
    const int64_t C = p->classes;
    const double share = 1.0 / (double)C, scale = 1.0 / sqrt(1.0 - share);
    for (int64_t v = 0; v < p->order; v++) {
        const int32_t y =
            labels && p->parts[v] == PVG_PART_TRAIN ? labels->values[v] : -1;
        const bool told = y >= 0 && y < C;
        const bool empty = inputs->offsets[v] == inputs->offsets[v + 1];
        for (int64_t c = 0; c < C; c++)
            out[v * C + c] = told ? ((double)(y == c) - share) * scale
                             : empty || !(q[v * C + c] >= 0.0 && q[v * C + c] <= 1.0)
                                 ? 0.0
                                 : (q[v * C + c] - share) * scale;
    }
}

const pvg_labels *pvgi_learn_nodes_sent_labels(const pvg_pipeline *p,
                                               const pvg_labels *labels) {
    return pvgi_learn_nodes_hops(p) == 1 ? labels : NULL;
}

int32_t pvgi_learn_nodes_head_inputs(pvg_features **out, const pvg_pipeline *p,
                                     const pvg_features *inputs, const double *q,
                                     const pvg_release *states) {
    const int64_t C = p->classes, width = pvgi_learn_nodes_head_width(p),
                  rest = width - C;
    const double unit = fmax(states->guarantee.scale, 1.0);
    const double *values;
    PVGI_TRY(pvg_release_view(&values, states));
    double *x = pvgi_alloc((size_t)p->order, (size_t)width * sizeof *x);
    double *own = pvgi_alloc((size_t)p->order, (size_t)C * sizeof *own);
    int32_t status = x && own ? PVG_OK : pvgi_fail_nomem();
    if (status == PVG_OK) {
        pvgi_learn_nodes_messages(own, p, inputs, q, NULL);
        for (int64_t v = 0; v < p->order; v++) {
            memcpy(x + v * width, own + v * C, (size_t)C * sizeof *x);
            for (int64_t j = 0; j < rest; j++)
                x[v * width + C + j] = values[v * rest + j] / unit;
        }
        status = pvg_features_from_dense(out, p->order, width, x);
    }
    pvgi_free(x);
    pvgi_free(own);
    return status;
}

int32_t pvgi_learn_nodes_check_input(const pvg_pipeline *p, const char *name,
                                     const pvg_input *input) {
    const bool sums = pvgi_learn_nodes_hops(p) > 0;
    PVGI_REQUIRE(input->features && input->labels && !input->set && !input->lists &&
                     !input->dataset && input->open == 0,
                 "%s: nodes reads input->features and input->labels, which are private",
                 name);
    PVGI_REQUIRE(sums == (input->graph != NULL), "%s: nodes: input->graph is %s", name,
                 sums ? "NULL: sums over neighbours read it"
                      : "given, and only method=gap reads it");
    PVGI_REQUIRE((!sums || input->graph->order == p->order) &&
                     input->features->rows == p->order &&
                     input->labels->count == p->order,
                 "%s: nodes: input is not of %lld nodes", name, (long long)p->order);
    PVGI_TRY(pvgi_learn_check_declared(name, input->graph, input->features));
    PVGI_REQUIRE(input->features->columns == pvgi_learn_nodes_settings(p)->columns,
                 "%s: input->features have %lld columns, the pipeline %lld", name,
                 (long long)input->features->columns,
                 (long long)pvgi_learn_nodes_settings(p)->columns);
    return PVG_OK;
}

/* --- judgement --------------------------------------------------------------------- */

/* Networks of other sizes, or states of another pipeline. */
static int32_t check_seen(const pvg_pipeline *p, const char *name,
                          const pvg_model *encoder, const pvg_release *states,
                          const pvg_model *head) {
    const bool sums = pvgi_learn_nodes_hops(p) > 0;
    PVGI_REQUIRE(encoder, "%s: encoder is NULL", name);
    PVGI_REQUIRE(sums == (states != NULL) && sums == (head != NULL),
                 "%s: states and head are %s", name,
                 sums ? "needed by method=gap" : "given, and only method=gap has them");
    const pvgi_program *first = &encoder->network->program;
    const pvgi_program *last = sums ? &head->network->program : first;
    PVGI_REQUIRE(first->inputs == pvgi_learn_inputs_width(
                                      pvgi_learn_nodes_settings(p)->columns,
                                      pvgi_learn_nodes_settings(p)->directions) &&
                     first->classes == p->classes && last->classes == p->classes &&
                     (!sums || last->inputs == pvgi_learn_nodes_head_width(p)),
                 "%s: encoder or head is of another pipeline", name);
    if (!sums) return PVG_OK;
    PVGI_TRY(
        pvgi_learn_pipeline_answers(name, "states", states, p->asks[PVGI_NODES_STATES]));
    PVGI_REQUIRE(pvg_release_rows(states) == p->order &&
                     pvg_release_columns(states) ==
                         pvgi_learn_nodes_head_width(p) - p->classes,
                 "%s: states has not the shape that the pipeline draws", name);
    return PVG_OK;
}

int32_t pvgi_learn_nodes_read(pvgi_reading *out, const pvg_pipeline *p, const char *name,
                              const pvg_model *encoder, const pvg_release *states,
                              const pvg_model *head, const pvg_input *input,
                              pvgi_run *run) {
    pvg_features *inputs = NULL, *x = NULL;
    int32_t status;
    PVGI_REQUIRE(input->features && !input->graph && !input->set && !input->labels &&
                     !input->lists && !input->dataset,
                 "%s: nodes reads input->features alone", name);
    PVGI_REQUIRE(input->features->rows == p->order &&
                     input->features->columns == pvgi_learn_nodes_settings(p)->columns,
                 "%s: input->features are not %lld x %lld", name, (long long)p->order,
                 (long long)pvgi_learn_nodes_settings(p)->columns);
    PVGI_TRY(check_seen(p, name, encoder, states, head));
    PVGI_TRY_DONE(pvgi_learn_inputs(&inputs, input->features,
                                    pvgi_learn_nodes_settings(p)->directions));
    PVGI_TRY_DONE(pvgi_learn_nodes_judge(out->without, p, encoder, inputs, run));
    if (!head) {
        memcpy(out->rows, out->without,
               (size_t)(p->order * p->classes) * sizeof *out->rows);
        goto done;
    }
    PVGI_TRY_DONE(pvgi_learn_nodes_head_inputs(&x, p, inputs, out->without, states));
    status = pvgi_learn_nodes_judge(out->rows, p, head, x, run);
done:
    pvg_features_free(x);
    pvg_features_free(inputs);
    return status;
}

/* Without noise: the same networks trained on everything, exact sums. */
static int32_t exact_sums(double *x, const pvg_pipeline *p, const pvg_features *inputs,
                          const double *q, const pvg_input *input, const pvg_run *run) {
    const int64_t C = p->classes, width = pvgi_learn_nodes_head_width(p),
                  cells = p->order * C;
    const pvg_layers_config layer = {.size = sizeof layer,
                                     .operation = PVG_OPERATOR_SUM,
                                     .rows = PVG_ROWS_PROJECTED,
                                     .depth = 1};
    pvg_layers *layers = NULL;
    double *now = pvgi_alloc((size_t)cells, 2 * sizeof *now), *next;
    int32_t status = now ? pvg_layers_new(&layers, &layer, NULL, 0) : pvgi_fail_nomem();
    if (status != PVG_OK) goto done;
    next = now + cells;
    pvgi_learn_nodes_messages(now, p, inputs, q, NULL);
    for (int64_t v = 0; v < p->order; v++)
        memcpy(x + v * width, now + v * C, (size_t)C * sizeof *x);
    pvgi_learn_nodes_messages(now, p, inputs, q,
                              pvgi_learn_nodes_sent_labels(p, input->labels));
    for (int64_t k = 0; k < pvgi_learn_nodes_hops(p); k++) {
        PVGI_TRY_DONE(pvg_propagate_exact(next, layers, input->graph, now, C, run));
        for (int64_t v = 0; v < p->order; v++)
            memcpy(x + v * width + (k + 1) * C, next + v * C, (size_t)C * sizeof *x);
        memcpy(now, next, (size_t)cells * sizeof *now);
    }
    pvgi_learn_standardise(x, p->order, width);
done:
    pvg_layers_free(layers);
    pvgi_free(now);
    return status;
}

int32_t pvgi_learn_nodes_exact(pvgi_reading *out, const pvg_pipeline *p, const char *name,
                               const pvg_input *input, pvg_rng *rng, pvgi_run *run) {
    const int64_t C = p->classes, width = pvgi_learn_nodes_head_width(p);
    const pvg_training_config training = {
        .size = sizeof training, .averages = 1, .epochs = 100};
    const pvg_run plain = pvgi_learn_pipeline_plain(run);
    char text[96];
    pvg_features *inputs = NULL;
    int32_t *known = NULL;
    double *x = NULL;
    int32_t status;
    PVGI_TRY(pvgi_learn_nodes_check_input(p, name, input));
    known = pvgi_alloc((size_t)p->order, sizeof *known);
    x = pvgi_alloc((size_t)p->order, (size_t)width * sizeof *x);
    if (!known || !x) {
        status = pvgi_fail_nomem();
        goto done;
    }
    for (int64_t v = 0; v < p->order; v++) {
        const int32_t y = input->labels->values[v];
        known[v] = p->parts[v] == PVG_PART_TRAIN && y >= 0 && y < C ? y : -1;
    }
    snprintf(text, sizeof text, "dense %lld tanh | dense classes",
             (long long)pvgi_learn_nodes_settings(p)->hidden);
    PVGI_TRY_DONE(pvgi_learn_inputs(&inputs, input->features,
                                    pvgi_learn_nodes_settings(p)->directions));
    PVGI_TRY_DONE(pvgi_learn_network(out->without, NULL, p->network ? p->network : text,
                                     inputs, known, NULL, C, &training, rng, run));
    if (pvgi_learn_nodes_hops(p) == 0) {
        memcpy(out->rows, out->without, (size_t)(p->order * C) * sizeof *out->rows);
        goto done;
    }
    PVGI_TRY_DONE(exact_sums(x, p, inputs, out->without, input, &plain));
    status =
        pvgi_learn_network_rows(out->rows, "dense 16 tanh | dense classes", x, p->order,
                                width, known, NULL, C, &training, rng, run);
done:
    pvg_features_free(inputs);
    pvgi_free(known);
    pvgi_free(x);
    return status;
}
