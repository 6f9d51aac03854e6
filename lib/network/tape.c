/* A program bound to a dataset: sizes become known, everything is laid out in one block,
 * and the steps of the operations are joined into stages.
 *
 * A step reads its own rows of tensors or, where neighbours, columns or partial sums are
 * read, the rows of others (it gathers). Steps that follow each other on the same rows
 * share a stage, a few rows at a time while they are near; a step that gathers what the
 * stage writes starts the next one. Chunks of rows depend on the number of rows alone, so
 * results do not depend on threads. */
#include "network/tape/plan.h"

#include <math.h>
#include <string.h>

/* --- filling ---------------------------------------------------------------------- */

static void put(const pvgi_tape *t, void *array, int64_t i, double value) {
    if (t->wide)
        ((double *)array)[i] = value;
    else
        ((float *)array)[i] = (float)value;
}

static double get(const pvgi_tape *t, const void *array, int64_t i) {
    return t->wide ? ((const double *)array)[i] : (double)((const float *)array)[i];
}

static void fill_operators(pvgi_tape *t) {
    for (int32_t i = 0; i < t->program.operator_count; i++) {
        const pvgi_arc_operator *operation = &t->program.operators[i];
        for (int64_t v = 0; v < t->nodes; v++) {
            const double d = pvgi_network_degree(t->data, v);
            double pre = 1, post = 1, self = 0;
            if (operation->weights == PVGI_WEIGHTS_GCN) {
                pre = post = 1 / sqrt(d + operation->tau);
                self = 1 / (d + operation->tau);
            } else if (operation->weights == PVGI_WEIGHTS_KPROP) {
                pre = post = d > 0 ? 1 / sqrt(d) : 0;
            } else if (operation->weights == PVGI_WEIGHTS_MEAN) {
                post = d > 0 ? 1 / d : 0;
            } else {
                self = operation->tau;
            }
            put(t, t->pre[i], v, pre);
            put(t, t->post[i], v, post);
            put(t, t->self[i], v, self);
        }
    }
}

/* What an operator multiplies the row at the other end of an arc with, both ways. */
static void fill_arc_weights(pvgi_tape *t, bool back) {
    const pvg_dataset *d = t->data;
    for (int64_t e = 0; e < t->arcs; e++) put(t, t->arc_factor, e, d->arc_weights[e]);
    for (int32_t i = 0; i < t->program.operator_count; i++)
        for (int64_t e = 0; e < t->arcs; e++) {
            put(t, t->arc_forward[i], e,
                d->arc_weights[e] * get(t, t->pre[i], d->columns[e]));
            if (back)
                put(t, t->arc_back[i], e,
                    d->arc_weights[t->back_places[e]] *
                        get(t, t->post[i], t->back_columns[e]));
        }
}

static void fill_links(pvgi_tape *t) {
    const int64_t w = t->data->window,
                  wide = pvgi_network_pad(w, PVGI_TAPE_VECTOR / (int64_t)t->element);
    for (int64_t v = 0; v < t->nodes; v++)
        for (int64_t u = 0; u < w; u++)
            put(t, t->links, v * wide + u, t->data->links[v * w + u] / 4);
}

static void fill_columns(pvgi_tape *t) {
    const pvg_dataset *d = t->data;
    int64_t *starts = t->x_starts;
    for (int64_t k = 0; k < d->x_offsets[t->nodes]; k++) starts[d->x_indices[k] + 1]++;
    for (int64_t j = 0; j < t->program.inputs; j++) starts[j + 1] += starts[j];
    /* a place is taken from the end of its column and starts are put back after that */
    for (int64_t v = 0; v < t->nodes; v++)
        for (int64_t k = d->x_offsets[v]; k < d->x_offsets[v + 1]; k++) {
            const int64_t at = starts[d->x_indices[k]]++;
            t->x_rows[at] = (int32_t)v;
            t->x_bits[at] =
                (uint32_t)(64 * (d->x_offsets[v] / 64 + v) + (k - d->x_offsets[v]));
            put(t, t->x_column_values, at, d->x_values[k]);
        }
    for (int64_t j = t->program.inputs; j > 0; j--) starts[j] = starts[j - 1];
    starts[0] = 0;
}

static void fill_back(pvgi_tape *t) {
    const pvg_dataset *d = t->data;
    if (d->symmetric) {
        t->back_offsets = d->offsets;
        t->back_columns = d->columns;
        if (!t->back_places) return;
        for (int64_t v = 0; v < t->nodes; v++)
            for (int64_t e = d->offsets[v]; e < d->offsets[v + 1]; e++) {
                const int64_t u = d->columns[e], from = d->offsets[u];
                t->back_places[e] =
                    from + pvgi_graph_row_find(d->columns + from,
                                               d->offsets[u + 1] - from, (int32_t)v);
            }
        return;
    }
    int64_t *offsets = t->back_own_offsets;
    for (int64_t e = 0; e < t->arcs; e++) offsets[d->columns[e] + 1]++;
    for (int64_t v = 0; v < t->nodes; v++) offsets[v + 1] += offsets[v];
    for (int64_t v = 0; v < t->nodes; v++)
        for (int64_t e = d->offsets[v]; e < d->offsets[v + 1]; e++) {
            const int64_t at = offsets[d->columns[e]]++;
            t->back_own_columns[at] = (int32_t)v;
            if (t->back_places) t->back_places[at] = e;
        }
    for (int64_t v = t->nodes; v > 0; v--) offsets[v] = offsets[v - 1];
    offsets[0] = 0;
    t->back_offsets = offsets;
    t->back_columns = t->back_own_columns;
}

/* --- handles ---------------------------------------------------------------------- */

static int32_t check_fit(const pvg_network *network, const pvg_dataset *data) {
    const pvgi_program *p = &network->program;
    if (!data->x_values)
        return pvgi_fail(PVG_E_ARGUMENT, "pvg_network: the dataset has no features");
    if (data->width != p->inputs)
        return pvgi_fail(PVG_E_ARGUMENT,
                         "pvg_network: made for %lld inputs, the dataset has %lld",
                         (long long)p->inputs, (long long)data->width);
    if (p->needs_graph && !data->offsets)
        return pvgi_fail(PVG_E_ARGUMENT,
                         "pvg_network: \"%.200s\" looks at neighbours, but the dataset "
                         "has no graph",
                         network->text);
    if (p->pools != (data->graphs > 0))
        return pvgi_fail(PVG_E_ARGUMENT,
                         p->pools ? "pvg_network: pool needs a dataset of graphs"
                                  : "pvg_network: a dataset of graphs needs a pool");
    if (p->windows && data->window == 0)
        return pvgi_fail(PVG_E_ARGUMENT,
                         "pvg_network: \"%.200s\" looks at windows, but the dataset has "
                         "none",
                         network->text);
    if (p->pairs != (data->pairs > 0))
        return pvgi_fail(PVG_E_ARGUMENT,
                         p->pairs
                             ? "pvg_network: pairs needs a dataset whose rows are "
                               "pairs of windows"
                             : "pvg_network: a dataset of pairs needs the map pairs");
    if (p->links && !data->links)
        return pvgi_fail(PVG_E_ARGUMENT,
                         "pvg_network: \"%.200s\" looks at links, but the "
                         "windows of the dataset have none",
                         network->text);
    return PVG_OK;
}

static int64_t chunk_rows(int64_t rows) {
    const int64_t chunk = (rows + PVGI_TAPE_CHUNKS - 1) / PVGI_TAPE_CHUNKS;
    return chunk < PVGI_TAPE_LEAST ? PVGI_TAPE_LEAST : chunk;
}

/* All but the block. */
static int32_t prepare(pvgi_tape *t, const pvg_network *network, const pvg_dataset *data,
                       const pvg_training_config *config, const pvgi_tape_wish *wish) {
    PVGI_TRY(check_fit(network, data));
    t->program = network->program;
    t->data = data;
    t->config = *config;
    t->wide = config->precision == PVG_PRECISION_DOUBLE;
    t->element = t->wide ? sizeof(double) : sizeof(float);
    t->kernels = pvgi_network_kernels(pvgi_cpu_level(), t->wide);
    t->nodes = data->order;
    t->graphs = data->graphs;
    t->arcs = data->offsets ? data->offsets[data->order] : 0;
    t->pairs = data->pairs;
    t->node_chunk = chunk_rows(t->nodes);
    t->pair_chunk = chunk_rows(t->pairs);
    t->graph_chunk = chunk_rows(t->graphs);
    t->x_chunk = t->program.inputs / 64 + 1;
    if (data->x_offsets[data->order] > INT64_C(0xffffffff) - 64 * (data->order + 1))
        return pvgi_fail(PVG_E_LIMIT, "pvg_network: more than 2^32 feature entries");
    if (wish->learn) {
        if (config->target_rounds > 0 && !data->offsets)
            return pvgi_fail(PVG_E_ARGUMENT,
                             "pvg_training_config: target_rounds needs a graph");
        if (config->target_rounds > 0 && (t->program.pools || t->program.pairs))
            return pvgi_fail(PVG_E_ARGUMENT,
                             "pvg_training_config: target_rounds needs rows that are "
                             "nodes");
        PVGI_TRY(pvgi_network_append_loss(&t->program, config->target_rounds));
    }
    for (int32_t o = 0; o < t->program.op_count; o++)
        if (t->program.ops[o].kind == PVGI_OP_MEAN && t->program.ops[o].choice == 1)
            t->program.ops[o].second *= (double)t->nodes;
    if (wish->input_gradient)
        for (int32_t o = 0; o < t->program.op_count; o++)
            if (t->program.ops[o].kind == PVGI_OP_GIVEN &&
                (t->program.ops[o].choice & PVGI_GIVEN_COSINE))
                return pvgi_fail(PVG_E_ARGUMENT,
                                 "pvg_network: gradients to features do not go through "
                                 "the cosine of pairs");
    pvgi_network_plan_gradients(&t->program, wish->input_gradient);
    return PVG_OK;
}

/* A tape with stages, and the bytes of the block that is to come; both are the caller's
 * to free, whatever is returned. */
static int32_t plan(pvgi_tape **out, pvgi_tape_plan **plan_out, size_t *block,
                    const pvg_network *network, const pvg_dataset *data,
                    const pvg_training_config *config, const pvgi_tape_wish *wish) {
    pvgi_tape_cursor c = {NULL, 0};
    pvgi_tape *t = *out = pvgi_alloc_zero(1, sizeof *t);
    pvgi_tape_plan *w = *plan_out = pvgi_alloc_zero(1, sizeof *w);
    if (!t || !w) return pvgi_fail_nomem();
    PVGI_TRY(prepare(t, network, data, config, wish));
    pvgi_network_measure(t);
    pvgi_network_plan_stages(t, w, wish);
    pvgi_network_plan_buffers(w);
    pvgi_network_lay_out(t, &c, w);
    *block = c.used;
    return PVG_OK;
}

int32_t pvgi_network_tape_bytes(size_t *out, const pvg_network *network,
                                const pvg_dataset *data,
                                const pvg_training_config *config,
                                const pvgi_tape_wish *wish) {
    int32_t status = PVG_OK;
    size_t block = 0;
    pvgi_tape *t = NULL;
    pvgi_tape_plan *w = NULL;
    PVGI_TRY_DONE(plan(&t, &w, &block, network, data, config, wish));
    *out = pvgi_size_add(block, sizeof *t + sizeof *w);
done:
    pvgi_free(w);
    pvgi_free(t);
    return status;
}

int32_t pvgi_network_tape_new(pvgi_tape **out, const pvg_network *network,
                              const pvg_dataset *data, const pvg_training_config *config,
                              const pvgi_tape_wish *wish, pvgi_run *run) {
    int32_t status;
    pvgi_tape *t = NULL;
    pvgi_tape_plan *w = NULL;
    size_t block = 0;
    PVGI_TRY_DONE(plan(&t, &w, &block, network, data, config, wish));
    PVGI_TRY_DONE(pvgi_run_reserve(run, pvgi_size_add(block, sizeof *t + sizeof *w)));
    t->bytes = block;
    t->block = pvgi_alloc_zero(block, 1);
    if (!t->block) {
        status = pvgi_fail_nomem();
        goto done;
    }
    pvgi_tape_cursor c = {t->block, 0};
    pvgi_network_lay_out(t, &c, w);
    fill_operators(t);
    for (int64_t k = 0; k < data->x_offsets[t->nodes]; k++)
        put(t, t->x_values, k, data->x_values[k]);
    if (t->x_starts) fill_columns(t);
    if (wish->learn && t->program.needs_graph) fill_back(t);
    if (t->arc_factor) fill_arc_weights(t, wish->learn);
    if (t->links) fill_links(t);
    PVGI_TRY_DONE(pvgi_run_stages(run, t->run_stages, t->constant_stages, 1, NULL));
    *out = t;
    t = NULL;
done:
    pvgi_free(w);
    pvgi_network_tape_free(t);
    return status;
}

int32_t pvgi_network_tape_refill(pvgi_tape *t, pvgi_run *run) {
    for (int64_t k = 0; k < t->data->x_offsets[t->nodes]; k++)
        put(t, t->x_values, k, t->data->x_values[k]);
    if (t->arc_factor) fill_arc_weights(t, t->back_offsets != NULL);
    return pvgi_run_stages(run, t->run_stages, t->constant_stages, 1, NULL);
}

void pvgi_network_tape_free(pvgi_tape *t) {
    if (!t) return;
    pvgi_free(t->block);
    pvgi_free(t);
}

void pvgi_network_tape_set_weights(pvgi_tape *t, const double *weights) {
    for (int32_t i = 0; i < t->program.param_count; i++) {
        const pvgi_param *p = &t->program.params[i];
        t->kernels->convert((char *)t->weights + (size_t)t->param_start[i] * t->element,
                            t->param_stride[i], weights, p->rows, p->columns);
        weights += p->rows * p->columns;
    }
}

void pvgi_network_tape_get_weights(double *weights, const pvgi_tape *t,
                                   const void *flat) {
    for (int32_t i = 0; i < t->program.param_count; i++) {
        const pvgi_param *p = &t->program.params[i];
        t->kernels->read(weights,
                         (const char *)flat + (size_t)t->param_start[i] * t->element,
                         t->param_stride[i], p->rows, p->columns);
        weights += p->rows * p->columns;
    }
}

void pvgi_network_tape_restart(pvgi_tape *t, uint64_t key, const double *train,
                               const double *validate) {
    const int64_t outputs = pvgi_network_outputs(t);
    t->key = key;
    memset(t->moment, 0, (size_t)t->trained * t->element);
    memset(t->second, 0, (size_t)t->trained * t->element);
    memset(t->partials, 0,
           PVGI_TAPE_CHUNKS * (size_t)(t->trained - t->direct) * t->element);
    t->rows_of_loss.train_sum = t->rows_of_loss.validate_sum = 0;
    for (int64_t v = 0; v < outputs; v++) {
        t->rows_of_loss.train[v] = train[v];
        t->rows_of_loss.validate[v] = validate[v];
        t->rows_of_loss.train_sum += train[v];
        t->rows_of_loss.validate_sum += validate[v];
    }
}

static int32_t run_learning(pvgi_tape *t, bool noisy, int64_t epoch, int64_t count,
                            pvgi_run *run) {
    t->epoch_base = epoch;
    t->learning = true;
    t->noisy = noisy;
    if (t->arc_gradient) memset(t->arc_gradient, 0, (size_t)t->arcs * t->element);
    const int32_t status =
        pvgi_run_stages(run, t->run_stages + t->constant_stages,
                        t->learn_stages - t->constant_stages, count, NULL);
    t->learning = t->noisy = false;
    return status;
}

int32_t pvgi_network_tape_seed(pvgi_tape *t, int64_t row, int64_t column, pvgi_run *run) {
    t->seed_row = row;
    t->seed_class = column;
    return run_learning(t, false, 0, 1, run);
}

int32_t pvgi_network_tape_seeds(pvgi_tape *t, const int32_t *classes, bool loss,
                                pvgi_run *run) {
    t->seeds = classes;
    t->seed_loss = loss;
    const int32_t status = run_learning(t, false, 0, 1, run);
    t->seeds = NULL;
    return status;
}

int32_t pvgi_network_tape_learn(double *losses, pvgi_tape *t, int64_t epoch,
                                int64_t count, pvgi_run *run) {
    PVGI_TRY(run_learning(t, true, epoch, count, run));
    const int64_t rows = pvgi_network_outputs(t), chunk = pvgi_network_output_chunk(t);
    for (int64_t i = 0; i < count; i++) {
        losses[i] = 0;
        for (int64_t c = 0; c * chunk < rows; c++)
            losses[i] += t->losses[i * PVGI_TAPE_CHUNKS + c];
    }
    return PVG_OK;
}

int32_t pvgi_network_tape_forward(double *loss, double *accuracy, pvgi_tape *t,
                                  pvgi_run *run) {
    PVGI_TRY(pvgi_run_stages(run, t->run_stages + t->constant_stages,
                             t->forward_stages - t->constant_stages, 1, NULL));
    if (!loss && !accuracy) return PVG_OK;
    const int64_t rows = pvgi_network_outputs(t), chunk = pvgi_network_output_chunk(t);
    double sums[2] = {0, 0};
    for (int64_t c = 0; c * chunk < rows; c++)
        for (int i = 0; i < 2; i++) sums[i] += t->checks[2 * c + i];
    const double all = t->rows_of_loss.validate_sum;
    if (loss) *loss = all > 0 ? sums[0] / all : NAN;
    if (accuracy) *accuracy = all > 0 ? sums[1] / all : NAN;
    return PVG_OK;
}

void pvgi_network_tape_read(double *out, const pvgi_tape *t, int32_t tensor) {
    t->kernels->read(out, t->value[tensor], t->stride[tensor], t->rows[tensor],
                     t->program.tensors[tensor].columns);
}
