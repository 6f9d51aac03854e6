/* Models at work: predictions averaged over members, scores, gradients. One forward pass
 * for each member. */
#include "network_internal.h"

#include <math.h>
#include <string.h>

void pvgi_network_model_free(pvg_model *model) {
    if (!model) return;
    pvgi_network_free(model->network);
    pvgi_free(model->weights);
    pvgi_free(model->folds);
    pvgi_free(model->history);
    pvgi_guarantee_sources_drop(model->sources);
    pvgi_free(model);
}

int64_t pvgi_network_predict_columns(const pvg_model *model, int32_t kind) {
    const pvgi_program *p = &model->network->program;
    if (kind == PVG_PREDICT_CLASSES) return 1;
    if (kind == PVG_PREDICT_PROBABILITIES || kind == PVG_PREDICT_LOGITS)
        return p->classes;
    const int64_t stage = (int64_t)kind - PVG_PREDICT_HIDDEN;
    if (stage < 0 || stage >= p->output_count || p->outputs[stage] < 0) return 0;
    return p->tensors[p->outputs[stage]].columns;
}

/* Logits to probabilities, in place. */
static void to_probabilities(double *row, int64_t classes, int32_t loss) {
    if (loss == PVG_LOSS_SQUARES) return;
    if (loss == PVG_LOSS_BINARY) {
        for (int64_t j = 0; j < classes; j++) row[j] = 1 / (1 + exp(-row[j]));
        return;
    }
    double most = row[0], sum = 0;
    for (int64_t j = 1; j < classes; j++)
        if (row[j] > most) most = row[j];
    for (int64_t j = 0; j < classes; j++) sum += row[j] = exp(row[j] - most);
    for (int64_t j = 0; j < classes; j++) row[j] /= sum;
}

static int32_t largest(const double *row, int64_t classes) {
    if (classes == 1) return row[0] > .5;
    int32_t best = 0;
    for (int64_t j = 1; j < classes; j++)
        if (row[j] > row[best]) best = (int32_t)j;
    return best;
}

/* Sum over members of probabilities (or logits of a single one), each row by the members
 * that may predict it. */
static int32_t add_members(double *sums, double *row_counts, double *logits,
                           const pvg_model *model, const pvg_dataset *data,
                           pvgi_tape *tape, pvgi_run *run) {
    const int64_t c = model->network->program.classes, rows = data->outputs;
    const bool folded = model->folds && model->order == rows;
    for (int64_t m = 0; m < model->member_count; m++) {
        pvgi_run_phase(run, (double)m / (double)model->member_count,
                       1 / (double)model->member_count);
        pvgi_network_tape_set_weights(tape,
                                      model->weights + m * model->network->parameters);
        PVGI_TRY(pvgi_network_tape_forward(NULL, NULL, tape, run));
        pvgi_network_tape_read(logits, tape, tape->program.output);
        const int64_t fold = m % model->config.folds;
        for (int64_t v = 0; v < rows; v++) {
            if (folded && model->folds[v] >= 0 && model->folds[v] != fold) continue;
            double *row = logits + v * c;
            if (model->member_count > 1) to_probabilities(row, c, model->config.loss);
            for (int64_t j = 0; j < c; j++) sums[v * c + j] += row[j];
            row_counts[v]++;
        }
    }
    return PVG_OK;
}

void pvgi_network_finish_row(double *out, double *row, double count,
                             const pvg_model *model, int32_t kind) {
    const int64_t c = model->network->program.classes;
    const bool single = model->member_count == 1;
    const double warm = model->temperature;
    for (int64_t j = 0; j < c; j++) {
        row[j] /= count;
        if (single)
            row[j] /= warm;
        else if (kind == PVG_PREDICT_LOGITS || warm != 1)
            row[j] = log(row[j] > 1e-300 ? row[j] : 1e-300) / warm;
    }
    if (kind != PVG_PREDICT_LOGITS && (single || warm != 1))
        to_probabilities(row, c, single ? model->config.loss : PVG_LOSS_CROSS_ENTROPY);
    if (kind == PVG_PREDICT_CLASSES)
        *out = largest(row, c);
    else
        memcpy(out, row, (size_t)c * sizeof *out);
}

int32_t pvgi_network_predict(double *out, const pvg_model *model, const pvg_dataset *data,
                             int32_t kind, pvgi_run *run) {
    const int64_t c = model->network->program.classes, rows = data->outputs;
    const int64_t columns = pvgi_network_predict_columns(model, kind);
    const pvgi_tape_wish wish = {.learn = false};
    const size_t numbers = (size_t)(rows * c);
    int32_t status;
    pvgi_tape *tape = NULL;
    double *sums = NULL, *counts = NULL, *logits = NULL;
    PVGI_TRY(
        pvgi_network_tape_new(&tape, model->network, data, &model->config, &wish, run));
    if (kind >= PVG_PREDICT_HIDDEN) {
        const int32_t tensor = model->network->program.outputs[kind - PVG_PREDICT_HIDDEN];
        if (model->member_count > 1) {
            status = pvgi_fail(PVG_E_ARGUMENT,
                               "pvg_model_predict: hidden stages of %lld models have no "
                               "mean",
                               (long long)model->member_count);
            goto done;
        }
        if (tape->rows[tensor] != rows) {
            status =
                pvgi_fail(PVG_E_ARGUMENT, "pvg_model_predict: rows of this stage are "
                                          "nodes, those of a prediction graphs");
            goto done;
        }
        pvgi_network_tape_set_weights(tape, model->weights);
        PVGI_TRY_DONE(pvgi_network_tape_forward(NULL, NULL, tape, run));
        pvgi_network_tape_read(out, tape, tensor);
        goto done;
    }
    sums = pvgi_alloc_zero(numbers, sizeof *sums);
    logits = pvgi_alloc(numbers, sizeof *logits);
    counts = pvgi_alloc_zero((size_t)rows, sizeof *counts);
    if (!sums || !logits || !counts) {
        status = pvgi_fail_nomem();
        goto done;
    }
    PVGI_TRY_DONE(add_members(sums, counts, logits, model, data, tape, run));
    for (int64_t v = 0; v < rows; v++)
        pvgi_network_finish_row(out + v * columns, sums + v * c, counts[v], model, kind);
done:
    pvgi_network_tape_free(tape);
    pvgi_free(sums);
    pvgi_free(logits);
    pvgi_free(counts);
    return status;
}

int32_t pvgi_network_score(double *accuracy, double *loss, const pvg_model *model,
                           const pvg_dataset *data, int32_t part, pvgi_run *run) {
    const int64_t c = model->network->program.classes;
    double *p = pvgi_alloc((size_t)(data->outputs * c), sizeof *p);
    double rows = 0, right = 0, sum = 0;
    if (!p) return pvgi_fail_nomem();
    const int32_t status =
        pvgi_network_predict(p, model, data, PVG_PREDICT_PROBABILITIES, run);
    for (int64_t v = 0; status == PVG_OK && v < data->outputs; v++) {
        const int32_t label = data->labels[v];
        const int32_t of = data->split ? data->split[v] : PVG_PART_TRAIN;
        if (of != part || label < 0 || label >= (c == 1 ? 2 : c)) continue;
        const double *row = p + v * c;
        const double chance = c == 1 ? (label ? row[0] : 1 - row[0]) : row[label];
        rows++;
        right += largest(row, c) == label;
        sum -= log(chance > 1e-300 ? chance : 1e-300);
    }
    pvgi_free(p);
    if (status != PVG_OK) return status;
    if (accuracy) *accuracy = rows > 0 ? right / rows : NAN;
    if (loss) *loss = rows > 0 ? sum / rows : NAN;
    return PVG_OK;
}

int32_t pvgi_network_gradient(double *features, double *arcs, const pvg_model *model,
                              const pvg_dataset *data, int64_t row, int64_t column,
                              pvgi_run *run) {
    const pvgi_tape_wish wish = {.learn = true,
                                 .input_gradient = features != NULL,
                                 .arc_gradient = arcs != NULL,
                                 .keep_gradient = true};
    const int64_t inputs = model->network->program.inputs;
    pvg_training_config config = model->config;
    int32_t status;
    pvgi_tape *tape = NULL;
    config.target_rounds = 0;
    config.clip = 0;
    PVGI_TRY(pvgi_network_tape_new(&tape, model->network, data, &config, &wish, run));
    pvgi_network_tape_set_weights(tape, model->weights);
    PVGI_TRY_DONE(pvgi_network_tape_seed(tape, row, column, run));
    if (features)
        tape->kernels->read(
            features, tape->input_gradient,
            pvgi_network_pad(inputs, PVGI_TAPE_VECTOR / (int64_t)tape->element),
            data->order, inputs);
    if (arcs) tape->kernels->read(arcs, tape->arc_gradient, 1, tape->arcs, 1);
done:
    pvgi_network_tape_free(tape);
    return status;
}
