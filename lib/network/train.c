/* Training: restarts and folds, each a walk over epochs with checks on validation rows,
 * the best weights kept; then the temperature. Cost: a pass per epoch and member. */
#include "network_internal.h"

#include <math.h>
#include <string.h>

static const pvgi_rule rules[] = {
    PVGI_ENUM(pvg_training_config, optimiser, 2, "PVG_OPTIMISER"),
    PVGI_ENUM(pvg_training_config, loss, 2, "PVG_LOSS"),
    PVGI_ENUM(pvg_training_config, select, 2, "PVG_SELECT"),
    PVGI_ENUM(pvg_training_config, precision, 1, "PVG_PRECISION"),
    PVGI_BOOL(pvg_training_config, balance),
    PVGI_BOOL(pvg_training_config, cosine),
    PVGI_BOOL(pvg_training_config, calibrate),
    PVGI_FIELD(pvg_training_config, epochs, 0, 1000000000.0, PVGI_CLOSED, "in 0..1e9"),
    PVGI_FIELD(pvg_training_config, check, 0, PVGI_TAPE_GROUP, PVGI_CLOSED, "in 0..64"),
    PVGI_FIELD(pvg_training_config, warmup, 0, 1000000000.0, PVGI_CLOSED, "in 0..1e9"),
    PVGI_FIELD(pvg_training_config, target_rounds, 0, 64, PVGI_CLOSED, "in 0..64"),
    PVGI_FIELD(pvg_training_config, folds, 0, 64, PVGI_CLOSED, "in 0..64"),
    PVGI_FIELD(pvg_training_config, averages, 0, 1024, PVGI_CLOSED, "in 0..1024"),
    PVGI_FIELD(pvg_training_config, batch, 0, 1e9, PVGI_CLOSED, "in 0..1e9"),
    PVGI_FIELD(pvg_training_config, rate, 0, 1000000.0, PVGI_CLOSED, "in 0..1e6"),
    PVGI_FIELD(pvg_training_config, decay, -INFINITY, 1000000.0, PVGI_CLOSED,
               "a number up to 1e6"),
    PVGI_FIELD(pvg_training_config, momentum, -INFINITY, .9999999, PVGI_CLOSED,
               "below 1"),
    PVGI_FIELD(pvg_training_config, beta1, 0, .9999999, PVGI_CLOSED, "in [0, 1)"),
    PVGI_FIELD(pvg_training_config, beta2, 0, .9999999, PVGI_CLOSED, "in [0, 1)"),
    PVGI_COUNT(pvg_training_config, clip),
    PVGI_FIELD(pvg_training_config, smoothing, 0, .999, PVGI_CLOSED, "in [0, 1)"),
};
static const pvgi_shape shape = PVGI_SHAPE(pvg_training_config, rules);

int32_t pvgi_network_read_config(pvg_training_config *c, const char *name,
                                 const pvg_training_config *config) {
    PVGI_TRY(pvgi_config_read(c, &shape, config, name, "config"));
    if (c->epochs == 0) c->epochs = 200;
    if (c->patience == 0) c->patience = 50;
    if (c->check == 0) c->check = 5;
    if (c->averages == 0) c->averages = 1;
    if (c->folds == 0) c->folds = 1;
    if (c->rate == 0) c->rate = .01;
    /* Drop takes a softmax of chances: its gradients are that much smaller */
    if (c->decay == 0) c->decay = c->target_rounds > 0 ? 5e-5 : 5e-4;
    if (c->decay < 0) c->decay = 0;
    if (c->momentum == 0) c->momentum = .9;
    if (c->momentum < 0) c->momentum = 0;
    if (c->beta1 == 0) c->beta1 = .9;
    if (c->beta2 == 0) c->beta2 = .999;
    PVGI_REQUIRE(c->target_rounds == 0 || c->loss == PVG_LOSS_CROSS_ENTROPY,
                 "%s: config->target_rounds is given, but only cross entropy has them",
                 name);
    PVGI_REQUIRE(c->target_rounds == 0 || c->batch == 0,
                 "%s: config->target_rounds is given, but batches have none", name);
    PVGI_REQUIRE(!c->transition || c->loss == PVG_LOSS_CROSS_ENTROPY,
                 "%s: config->transition is given, but only cross entropy has one", name);
    return PVG_OK;
}

int32_t pvgi_network_check_config(pvg_training_config *c) {
    const pvg_training_config given = *c;
    return pvgi_network_read_config(c, "pvg_training_config", &given);
}

/* --- rows ------------------------------------------------------------------------- */

typedef struct {
    const pvg_network *network;
    const pvg_dataset *data;
    const pvg_training_config *config;
    int64_t outputs, classes;
    int32_t *labels;          /* outputs; -1: does not count */
    double *train, *validate; /* weights of rows, all folds */
    double *member;           /* of rows that the present member trains on */
    int8_t *folds;            /* NULL without */
    double *weights;          /* of the present member */
    struct batch *batches;    /* NULL: all rows in one step */
    int64_t batch_count;
    int64_t *turns; /* order of the batches in an epoch */
} trainer;

static int32_t part_of(const pvg_dataset *data, int64_t row) {
    return data->split ? data->split[row] : PVG_PART_TRAIN;
}

/* Labels that are no class: an error, unless an error would tell. */
static int32_t read_labels(trainer *t) {
    const pvg_dataset *data = t->data;
    const bool hidden = data->labels_origin == PVGI_ORIGIN_PRIVATE;
    const int64_t classes = t->classes == 1 ? 2 : t->classes;
    for (int64_t i = 0; i < t->outputs; i++) {
        t->labels[i] = data->labels[i];
        if (t->labels[i] < classes) continue;
        t->labels[i] = -1;
        if (!hidden && part_of(data, i) >= 0)
            return pvgi_fail(PVG_E_ARGUMENT,
                             "pvg_model_train: label %d of row %lld is none of %lld "
                             "classes",
                             (int)data->labels[i], (long long)i, (long long)classes);
    }
    return PVG_OK;
}

static int32_t weigh_rows(trainer *t) {
    const pvg_dataset *data = t->data;
    const pvg_training_config *c = t->config;
    const int64_t classes = t->classes == 1 ? 2 : t->classes;
    const bool hidden = data->labels_origin == PVGI_ORIGIN_PRIVATE;
    double counts[PVG_NETWORK_CLASSES_MAX + 1] = {0}, rows = 0;
    for (int64_t i = 0; i < t->outputs; i++)
        if (part_of(data, i) == PVG_PART_TRAIN && t->labels[i] >= 0) {
            counts[t->labels[i]]++;
            rows++;
        }
    if (rows == 0 && !hidden)
        return pvgi_fail(PVG_E_ARGUMENT,
                         "pvg_model_train: no row has a label to train on");
    for (int64_t k = 0; k < classes; k++)
        if (counts[k] == 0 && !hidden && !c->transition)
            return pvgi_fail(PVG_E_ARGUMENT,
                             "pvg_model_train: class %lld has no training row",
                             (long long)k);
    for (int64_t i = 0; i < t->outputs; i++) {
        t->train[i] = t->validate[i] = 0;
        if (t->labels[i] < 0) continue;
        if (part_of(data, i) == PVG_PART_VALIDATION) t->validate[i] = 1;
        if (part_of(data, i) != PVG_PART_TRAIN) continue;
        t->train[i] = c->class_weights ? c->class_weights[t->labels[i]] : 1;
        if (c->balance) t->train[i] *= rows / ((double)classes * counts[t->labels[i]]);
    }
    return PVG_OK;
}

static void shuffle(int64_t *numbers, int64_t count, pvgi_stream *stream) {
    for (int64_t i = count - 1; i > 0; i--) {
        const int64_t j = (int64_t)pvgi_rng_draw_below(stream, (uint64_t)i + 1);
        const int64_t swap = numbers[i];
        numbers[i] = numbers[j];
        numbers[j] = swap;
    }
}

/* Training rows in random order, dealt out to the folds in turn. */
static int32_t deal_folds(trainer *t, pvgi_stream *stream) {
    if (t->config->folds < 2) return PVG_OK;
    int64_t count = 0, *order = pvgi_alloc((size_t)t->outputs, sizeof *order);
    if (!order) return pvgi_fail_nomem();
    memset(t->folds, -1, (size_t)t->outputs);
    for (int64_t i = 0; i < t->outputs; i++)
        if (part_of(t->data, i) == PVG_PART_TRAIN) order[count++] = i;
    shuffle(order, count, stream);
    for (int64_t i = 0; i < count; i++)
        t->folds[order[i]] = (int8_t)(i % t->config->folds);
    pvgi_free(order);
    return PVG_OK;
}

/* Targets of Drop: the largest entry after K rounds of kprop on one-hots of the labels
 * that were told; where nothing arrives, the label itself. */
static int32_t smooth_targets(pvgi_tape *tape, const trainer *t) {
    const int64_t n = t->outputs, c = t->classes;
    const int64_t *offsets = t->data->offsets;
    double *now = pvgi_alloc_zero((size_t)(n * c), sizeof *now);
    double *next = pvgi_alloc((size_t)(n * c), sizeof *next);
    if (!now || !next) {
        pvgi_free(now);
        pvgi_free(next);
        return pvgi_fail_nomem();
    }
    for (int64_t v = 0; v < n; v++)
        if (t->labels[v] >= 0 && (t->train[v] > 0 || t->validate[v] > 0))
            now[v * c + t->labels[v]] = 1;
    for (int64_t k = 0; k < t->config->target_rounds; k++) {
        for (int64_t v = 0; v < n; v++) {
            const double own = pvgi_network_degree(t->data, v);
            memset(next + v * c, 0, (size_t)c * sizeof *next);
            for (int64_t e = offsets[v]; e < offsets[v + 1]; e++) {
                const int64_t u = t->data->columns[e];
                const double far = pvgi_network_degree(t->data, u);
                const double weight = t->data->arc_weights ? t->data->arc_weights[e] : 1;
                if (!(own * far > 0)) continue;
                for (int64_t j = 0; j < c; j++)
                    next[v * c + j] += weight * now[u * c + j] / sqrt(own * far);
            }
        }
        double *swap = now;
        now = next;
        next = swap;
    }
    for (int64_t v = 0; v < n; v++) {
        int64_t best = 0;
        for (int64_t j = 1; j < c; j++)
            if (now[v * c + j] > now[v * c + best]) best = j;
        tape->drop_labels[v] =
            now[v * c + best] > 0 || t->labels[v] < 0 ? (int32_t)best : t->labels[v];
    }
    pvgi_free(now);
    pvgi_free(next);
    return PVG_OK;
}

/* --- weights ---------------------------------------------------------------------- */

void pvgi_network_draw_weights(double *out, const pvgi_program *p, pvgi_stream *stream) {
    for (int32_t i = 0; i < p->param_count; i++) {
        const pvgi_param *param = &p->params[i];
        const double bound = sqrt(6 / param->fan);
        for (int64_t k = 0; k < param->rows * param->columns; k++) {
            double value = param->init == PVGI_INIT_ONE ? 1 : 0;
            if (param->init == PVGI_INIT_GLOROT)
                value = bound * (2 * pvgi_rng_draw_unit(stream) - 1);
            if (!param->trained) value = k >= param->columns; /* mean 0, variance 1 */
            *out++ = value;
        }
    }
}

/* --- batches ---------------------------------------------------------------------- */

/* A few items with a tape of their own; weights and moments are those of the whole. */
struct batch {
    pvg_dataset *data;
    int64_t *rows; /* of its outputs in the whole */
    pvgi_tape *tape;
};

static void free_batches(trainer *t) {
    for (int64_t i = 0; t->batches && i < t->batch_count; i++) {
        pvgi_network_tape_free(t->batches[i].tape);
        pvgi_network_dataset_free(t->batches[i].data);
        pvgi_free(t->batches[i].rows);
    }
    pvgi_free(t->batches);
    pvgi_free(t->turns);
    t->batches = NULL;
    t->turns = NULL;
}

static int32_t check_batches(const trainer *t) {
    if (t->config->batch == 0 || t->data->graphs > 0 || !t->network->program.needs_graph)
        return PVG_OK;
    return pvgi_fail(PVG_E_ARGUMENT,
                     "pvg_training_config: batch needs a dataset of graphs, or a network "
                     "that looks at no neighbours");
}

/* Items dealt at random, each batch as large as asked for but the last. */
static int32_t deal_batches(trainer *t, pvgi_tape *whole, pvgi_stream *stream,
                            pvgi_run *run) {
    const pvgi_tape_wish wish = {.learn = true};
    const int64_t items = pvgi_network_items(t->data), size = t->config->batch;
    if (size == 0 || size >= items) return PVG_OK;
    pvg_training_config config = *t->config;
    int64_t *order = pvgi_alloc((size_t)items, sizeof *order);
    t->batch_count = (items + size - 1) / size;
    t->batches = pvgi_alloc_zero((size_t)t->batch_count, sizeof *t->batches);
    t->turns = pvgi_alloc((size_t)t->batch_count, sizeof *t->turns);
    int32_t status = order && t->batches && t->turns ? PVG_OK : pvgi_fail_nomem();
    for (int64_t i = 0; status == PVG_OK && i < items; i++) order[i] = i;
    if (status == PVG_OK) shuffle(order, items, stream);
    config.epochs *= t->batch_count; /* a step of a batch is an epoch of its tape */
    config.warmup *= t->batch_count;
    for (int64_t i = 0; status == PVG_OK && i < t->batch_count; i++) {
        struct batch *b = &t->batches[i];
        const int64_t from = i * size, count = from + size < items ? size : items - from;
        t->turns[i] = i;
        status =
            pvgi_network_dataset_part(&b->data, &b->rows, t->data, order + from, count);
        if (status == PVG_OK)
            status =
                pvgi_network_tape_new(&b->tape, t->network, b->data, &config, &wish, run);
        if (status != PVG_OK) break;
        b->tape->weights = whole->weights;
        b->tape->moment = whole->moment;
        b->tape->second = whole->second;
        for (int64_t k = 0; k < b->data->outputs; k++)
            b->tape->labels[k] = t->labels[b->rows[k]];
        if (t->config->transition) {
            b->tape->transition = b->tape->transition_scratch;
            memcpy(b->tape->transition, t->config->transition,
                   (size_t)(t->classes * t->classes) * sizeof(double));
        }
    }
    pvgi_free(order);
    return status;
}

int32_t pvgi_network_batch_bytes(size_t *bytes, const pvg_network *network,
                                 const pvg_dataset *data,
                                 const pvg_training_config *config) {
    const pvgi_tape_wish wish = {.learn = true};
    const int64_t items = pvgi_network_items(data), size = config->batch;
    if (size >= items) return PVG_OK;
    int64_t *order = pvgi_alloc((size_t)items, sizeof *order);
    if (!order) return pvgi_fail_nomem();
    int32_t status = PVG_OK;
    for (int64_t i = 0; i < items; i++) order[i] = i;
    for (int64_t from = 0; status == PVG_OK && from < items; from += size) {
        pvg_dataset *part = NULL;
        int64_t *rows = NULL;
        size_t own = 0;
        status = pvgi_network_dataset_part(&part, &rows, data, order + from,
                                           from + size < items ? size : items - from);
        if (status == PVG_OK)
            status = pvgi_network_tape_bytes(&own, network, part, config, &wish);
        if (status == PVG_OK)
            *bytes = pvgi_size_add(
                *bytes, pvgi_size_add(own, (size_t)(part->order * 8 + part->outputs * 8 +
                                                    12 * part->x_offsets[part->order])));
        pvgi_network_dataset_free(part);
        pvgi_free(rows);
    }
    pvgi_free(order);
    return status;
}

/* Each batch learns from its own rows. scratch: 2 x outputs. */
static void restart_batches(trainer *t, uint64_t key, double *scratch) {
    for (int64_t i = 0; i < t->batch_count; i++) {
        struct batch *b = &t->batches[i];
        for (int64_t k = 0; k < b->data->outputs; k++) {
            scratch[k] = t->member[b->rows[k]];
            scratch[b->data->outputs + k] = 0;
        }
        pvgi_network_tape_restart(b->tape, key, scratch, scratch + b->data->outputs);
    }
}

/* One epoch of steps; *loss: their mean by weight. */
static int32_t learn_batches(double *loss, trainer *t, int64_t epoch, pvgi_stream *stream,
                             double start, double share, pvgi_run *run) {
    double sum = 0, all = 0;
    shuffle(t->turns, t->batch_count, stream);
    for (int64_t i = 0; i < t->batch_count; i++) {
        pvgi_tape *tape = t->batches[t->turns[i]].tape;
        const double weight = tape->rows_of_loss.train_sum;
        double one;
        pvgi_run_phase(run, start + share * (double)i / (double)t->batch_count,
                       share / (double)t->batch_count);
        if (!(weight > 0)) continue;
        PVGI_TRY(pvgi_network_tape_learn(&one, tape, epoch * t->batch_count + i, 1, run));
        sum += weight * one;
        all += weight;
    }
    *loss = all > 0 ? sum / all : 0;
    return PVG_OK;
}

/* --- one member ------------------------------------------------------------------- */

static bool is_better(const pvg_training_config *c, const pvgi_history *now,
                      const pvgi_history *best) {
    if (c->select == PVG_SELECT_ACCURACY && now->accuracy != best->accuracy)
        return now->accuracy > best->accuracy;
    return now->loss < best->loss;
}

/* Epochs with checks; the weights to keep are in tape->best afterwards. */
static int32_t train_member(pvgi_tape *tape, trainer *t, int64_t member, int64_t members,
                            pvg_model *model, pvgi_stream *stream, pvgi_run *run) {
    const pvg_training_config *c = t->config;
    const bool select =
        tape->rows_of_loss.validate_sum > 0 && c->select != PVG_SELECT_LAST;
    const double all = (double)members * (double)c->epochs;
    pvgi_history best = {.loss = INFINITY, .accuracy = -1, .epoch = 0};
    double losses[PVGI_TAPE_GROUP];
    int64_t epoch = 0;
    while (epoch < c->epochs) {
        const int64_t left = c->epochs - epoch, count = left < c->check ? left : c->check;
        const double start = (double)member * (double)c->epochs + (double)epoch;
        pvgi_run_phase(run, start / all, (double)count / all);
        if (!t->batches)
            PVGI_TRY(pvgi_network_tape_learn(losses, tape, epoch, count, run));
        for (int64_t i = 0; t->batches && i < count; i++)
            PVGI_TRY(learn_batches(&losses[i], t, epoch + i, stream,
                                   (start + (double)i) / all, 1 / all, run));
        for (int64_t i = 0; i < count; i++)
            if (!isfinite(losses[i]))
                return pvgi_fail(PVG_E_NUMERIC,
                                 "pvg_model_train: the loss is not finite in epoch %lld",
                                 (long long)(epoch + i));
        epoch += count;
        pvgi_history now = {.train_loss = losses[count - 1],
                            .loss = NAN,
                            .accuracy = NAN,
                            .epoch = epoch};
        if (tape->rows_of_loss.validate_sum > 0 && (select || member == 0))
            PVGI_TRY(pvgi_network_tape_forward(&now.loss, &now.accuracy, tape, run));
        if (member == 0) model->history[model->history_count++] = now;
        if (select && is_better(c, &now, &best)) {
            best = now;
            memcpy(tape->best, tape->weights, (size_t)tape->flat * tape->element);
        }
        if (select && c->patience >= 0 && epoch - best.epoch >= c->patience) break;
    }
    if (!select || best.epoch == 0)
        memcpy(tape->best, tape->weights, (size_t)tape->flat * tape->element);
    return PVG_OK;
}

static int32_t train_all(trainer *t, pvgi_tape *tape, pvg_model *model,
                         const pvg_model *start, double *scratch, pvgi_stream *stream,
                         pvgi_run *run) {
    const pvg_training_config *c = t->config;
    const int64_t parameters = t->network->parameters;
    memcpy(tape->labels, t->labels, (size_t)t->outputs * sizeof *t->labels);
    if (c->transition) {
        tape->transition = tape->transition_scratch;
        memcpy(tape->transition, c->transition,
               (size_t)(t->classes * t->classes) * sizeof(double));
    }
    if (c->target_rounds > 0) PVGI_TRY(smooth_targets(tape, t));
    for (int64_t m = 0; m < model->member_count; m++) {
        const int64_t fold = m % c->folds;
        for (int64_t i = 0; i < t->outputs; i++)
            t->member[i] = c->folds > 1 && t->folds[i] == fold ? 0 : t->train[i];
        const uint64_t key = pvgi_rng_stream_word(stream);
        pvgi_network_tape_restart(tape, key, t->member, t->validate);
        restart_batches(t, key, scratch);
        if (start)
            memcpy(t->weights, start->weights + m * parameters,
                   (size_t)parameters * sizeof *t->weights);
        else
            pvgi_network_draw_weights(t->weights, &t->network->program, stream);
        pvgi_network_tape_set_weights(tape, t->weights);
        PVGI_TRY(train_member(tape, t, m, model->member_count, model, stream, run));
        pvgi_network_tape_get_weights(model->weights + m * parameters, tape, tape->best);
    }
    return PVG_OK;
}

/* --- temperature ------------------------------------------------------------------ */

/* Mean loss on validation rows of p^(1/T), from logarithms. */
static double heated_loss(const trainer *t, const double *logs, double temperature) {
    double sum = 0, rows = 0;
    for (int64_t v = 0; v < t->outputs; v++) {
        if (!(t->validate[v] > 0)) continue;
        const double *row = logs + v * t->classes;
        double most = -INFINITY, all = 0;
        for (int64_t j = 0; j < t->classes; j++)
            if (row[j] / temperature > most) most = row[j] / temperature;
        for (int64_t j = 0; j < t->classes; j++) all += exp(row[j] / temperature - most);
        sum += most + log(all) - row[t->labels[v]] / temperature;
        rows++;
    }
    return rows > 0 ? sum / rows : 0;
}

/* ln T in [-3, 3] by golden section: the loss is convex in 1/T. */
static int32_t calibrate(const trainer *t, pvg_model *model, pvgi_run *run) {
    double *logs = pvgi_alloc((size_t)(t->outputs * t->classes), sizeof *logs);
    if (!logs) return pvgi_fail_nomem();
    const int32_t status =
        pvgi_network_predict(logs, model, t->data, PVG_PREDICT_LOGITS, run);
    if (status == PVG_OK) {
        const double ratio = .6180339887498949;
        double low = -3, high = 3;
        double a = high - ratio * (high - low), b = low + ratio * (high - low);
        double at_a = heated_loss(t, logs, exp(a)), at_b = heated_loss(t, logs, exp(b));
        for (int i = 0; i < 60; i++) {
            if (at_a <= at_b) {
                high = b;
                b = a;
                at_b = at_a;
                a = high - ratio * (high - low);
                at_a = heated_loss(t, logs, exp(a));
            } else {
                low = a;
                a = b;
                at_a = at_b;
                b = low + ratio * (high - low);
                at_b = heated_loss(t, logs, exp(b));
            }
        }
        model->temperature = exp((low + high) / 2);
    }
    pvgi_free(logs);
    return status;
}

/* --- all together ----------------------------------------------------------------- */

static int32_t check_numbers(const trainer *t) {
    const pvg_training_config *c = t->config;
    if (!t->data->labels)
        return pvgi_fail(PVG_E_ARGUMENT, "pvg_model_train: the dataset has no labels");
    if (c->class_weights)
        for (int64_t k = 0; k < t->classes; k++)
            if (!(c->class_weights[k] >= 0 && c->class_weights[k] < 1e300))
                return pvgi_fail(
                    PVG_E_ARGUMENT,
                    "pvg_training_config: class_weights[%lld] is negative or "
                    "not a number",
                    (long long)k);
    if (c->transition)
        for (int64_t i = 0; i < t->classes; i++) {
            double sum = 0;
            for (int64_t j = 0; j < t->classes; j++) {
                const double p = c->transition[i * t->classes + j];
                if (!(p >= 0)) sum = NAN;
                sum += p;
            }
            if (!(fabs(sum - 1) < 1e-6))
                return pvgi_fail(PVG_E_ARGUMENT,
                                 "pvg_training_config: row %lld of transition is no "
                                 "distribution",
                                 (long long)i);
        }
    return PVG_OK;
}

int32_t pvgi_network_train(pvg_model **out, const pvg_network *network,
                           const pvg_dataset *data, const pvg_training_config *config,
                           const pvg_model *start, pvg_rng *rng, pvgi_run *run) {
    const int64_t members = config->averages * config->folds;
    const pvgi_tape_wish wish = {.learn = true};
    trainer t = {.network = network,
                 .data = data,
                 .config = config,
                 .outputs = data->outputs,
                 .classes = network->program.classes};
    int32_t status;
    bool open = false;
    pvgi_stream stream;
    pvgi_tape *tape = NULL;
    pvg_model *model = NULL;
    double *scratch = NULL;
    PVGI_TRY(check_numbers(&t));
    PVGI_TRY(check_batches(&t));
    const size_t rows = (size_t)data->outputs;
    model = pvgi_alloc_zero(1, sizeof *model);
    t.labels = pvgi_alloc(rows, sizeof *t.labels);
    t.train = pvgi_alloc(rows, sizeof *t.train);
    t.validate = pvgi_alloc(rows, sizeof *t.validate);
    t.member = pvgi_alloc(rows, sizeof *t.member);
    t.weights = pvgi_alloc((size_t)network->parameters, sizeof *t.weights);
    if (config->batch > 0) scratch = pvgi_alloc(rows, 2 * sizeof *scratch);
    if (model) {
        model->weights =
            pvgi_alloc((size_t)(members * network->parameters), sizeof *model->weights);
        model->history = pvgi_alloc((size_t)(config->epochs / config->check + 1),
                                    sizeof *model->history);
        if (config->folds > 1) t.folds = model->folds = pvgi_alloc(rows, 1);
    }
    if (!model || !t.labels || !t.train || !t.validate || !t.member || !t.weights ||
        !model->weights || !model->history || (config->folds > 1 && !t.folds) ||
        (config->batch > 0 && !scratch)) {
        status = pvgi_fail_nomem();
        goto done;
    }
    model->config = *config;
    model->config.class_weights = model->config.transition = NULL;
    model->member_count = members;
    model->temperature = 1;
    model->order = data->outputs;
    model->saw_private = pvg_dataset_holds_secrets(data) || (start && start->saw_private);
    PVGI_TRY_DONE(pvgi_guarantee_sources_join(&model->sources, data->sources));
    if (start)
        PVGI_TRY_DONE(pvgi_guarantee_sources_join(&model->sources, start->sources));
    PVGI_TRY_DONE(read_labels(&t));
    PVGI_TRY_DONE(weigh_rows(&t));
    PVGI_TRY_DONE(pvgi_network_copy(&model->network, network));
    PVGI_TRY_DONE(pvgi_network_tape_new(&tape, network, data, config, &wish, run));
    PVGI_TRY_DONE(pvgi_rng_stream_open(&stream, rng));
    open = true;
    PVGI_TRY_DONE(deal_folds(&t, &stream));
    PVGI_TRY_DONE(deal_batches(&t, tape, &stream, run));
    PVGI_TRY_DONE(train_all(&t, tape, model, start, scratch, &stream, run));
    free_batches(&t);
    pvgi_network_tape_free(tape);
    tape = NULL;
    if (config->calibrate && config->loss == PVG_LOSS_CROSS_ENTROPY)
        PVGI_TRY_DONE(calibrate(&t, model, run));
    *out = model;
    model = NULL;
done:
    if (open) pvgi_rng_stream_close(&stream);
    free_batches(&t);
    pvgi_network_tape_free(tape);
    pvgi_network_model_free(model);
    pvgi_free(scratch);
    pvgi_free(t.labels);
    pvgi_free(t.train);
    pvgi_free(t.validate);
    pvgi_free(t.member);
    pvgi_free(t.weights);
    return status;
}
