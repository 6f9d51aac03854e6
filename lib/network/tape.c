/* A program bound to a dataset: sizes become known, everything is laid out in one block,
 * and the steps of the operations are joined into stages.
 *
 * A step reads its own rows of tensors or, where neighbours, columns or partial sums are
 * read, the rows of others (it gathers). Steps that follow each other on the same rows
 * share a stage, a few rows at a time while they are near; a step that gathers what the
 * stage writes starts the next one. Chunks of rows depend on the number of rows alone, so
 * results do not depend on threads. */
#include "network_internal.h"

#include <math.h>
#include <string.h>

/* --- layout ----------------------------------------------------------------------- */

typedef struct {
    char *block; /* NULL: only counts */
    size_t used;
} cursor;

static void *carve(cursor *c, int64_t count, size_t bytes) {
    void *at = c->block ? c->block + c->used : NULL;
    const size_t size = pvgi_size_mul((size_t)count, bytes);
    c->used = pvgi_size_add(c->used, pvgi_size_add(size, 63) & ~(size_t)63);
    return at;
}

static int64_t rows_of(const pvgi_tape *t, pvgi_domain domain) {
    if (domain == PVGI_GRAPHS) return t->graphs;
    return domain == PVGI_ARCS ? t->arcs + t->nodes : t->nodes;
}

static bool drops(const pvgi_op *op) {
    return op->kind == PVGI_OP_DROPOUT ||
           ((op->kind == PVGI_OP_INPUT || op->kind == PVGI_OP_SPARSE) && op->number > 0);
}

static bool uses(const pvgi_program *p, pvgi_op_kind kind) {
    for (int32_t i = 0; i < p->op_count; i++)
        if (p->ops[i].kind == kind) return true;
    return false;
}

static void lay_out_op(pvgi_tape *t, cursor *c, int32_t o, const pvgi_tape_wish *wish) {
    const pvgi_op *op = &t->program.ops[o];
    const int64_t lanes = PVGI_TAPE_VECTOR / (int64_t)t->element;
    if (wish->learn && drops(op)) {
        const bool dense = op->kind == PVGI_OP_DROPOUT;
        t->mask_stride[o] = dense ? (t->stride[op->out] + 63) / 64 : 0;
        const int64_t words = dense ? t->rows[op->out] * t->mask_stride[o]
                                    : t->data->x_offsets[t->nodes] / 64 + t->nodes + 1;
        t->mask[o] = carve(c, words, sizeof(uint64_t));
    }
    const bool back =
        (op->kind == PVGI_OP_DENSE && wish->learn && t->program.tensors[op->in].learns) ||
        (op->kind == PVGI_OP_SPARSE && wish->input_gradient);
    if (back) {
        const pvgi_param *param = &t->program.params[op->param];
        t->scratch[o] =
            carve(c, param->columns * pvgi_network_pad(param->rows, lanes), t->element);
    }
    if (op->kind == PVGI_OP_POOL && op->choice == PVGI_POOL_MAX)
        t->scratch[o] =
            carve(c, t->graphs * t->program.tensors[op->in].columns, sizeof(int64_t));
    if (op->kind == PVGI_OP_MEAN)
        t->partial[o] = carve(c, PVGI_TAPE_CHUNKS * t->stride[op->out], sizeof(double));
    if (op->kind == PVGI_OP_BATCH_NORM && wish->learn)
        t->partial[o] =
            carve(c, PVGI_TAPE_CHUNKS * 4 * t->stride[op->in], sizeof(double));
}

/* Direct parameters first, then those with partial sums, then those not trained. */
static void number_params(pvgi_tape *t) {
    const int64_t lanes = PVGI_TAPE_VECTOR / (int64_t)t->element;
    int64_t at = 0;
    for (int pass = 0; pass < 3; pass++) {
        for (int32_t i = 0; i < t->program.param_count; i++) {
            const pvgi_param *p = &t->program.params[i];
            if ((p->trained ? (p->direct ? 0 : 1) : 2) != pass) continue;
            t->param_stride[i] = pvgi_network_pad(p->columns, lanes);
            t->param_start[i] = at;
            at += p->rows * t->param_stride[i];
        }
        if (pass == 0) t->direct = at;
        if (pass == 1) t->trained = at;
    }
    t->flat = at;
}

static void lay_out(pvgi_tape *t, cursor *c, const pvgi_tape_wish *wish) {
    const pvgi_program *p = &t->program;
    const pvg_dataset *data = t->data;
    const int64_t lanes = PVGI_TAPE_VECTOR / (int64_t)t->element, n = t->nodes;
    const int64_t outputs = p->pools ? t->graphs : n, entries = data->x_offsets[n];
    for (int32_t i = 0; i < p->tensor_count; i++) {
        t->stride[i] = pvgi_network_pad(p->tensors[i].columns, lanes);
        t->rows[i] = rows_of(t, p->tensors[i].domain);
        t->value[i] = carve(c, t->rows[i] * t->stride[i], t->element);
        if (wish->learn && p->tensors[i].learns)
            t->grad[i] = carve(c, t->rows[i] * t->stride[i], t->element);
    }
    for (int32_t o = 0; o < p->op_count; o++) lay_out_op(t, c, o, wish);
    number_params(t);
    t->weights = carve(c, t->flat, t->element);
    if (wish->learn) {
        t->gradient = carve(c, t->trained, t->element);
        t->moment = carve(c, t->trained, t->element);
        t->second = carve(c, t->trained, t->element);
        t->best = carve(c, t->flat, t->element);
        t->partials = carve(c, PVGI_TAPE_CHUNKS * (t->trained - t->direct), t->element);
        if (t->config.clip > 0)
            t->squares = carve(c, t->trained / PVGI_TAPE_FLAT + 1, sizeof(double));
        t->rows_of_loss.train = carve(c, outputs, sizeof(double));
        t->rows_of_loss.validate = carve(c, outputs, sizeof(double));
        t->labels = carve(c, outputs, sizeof(int32_t));
        if (t->config.target_rounds > 0)
            t->drop_labels = carve(c, outputs, sizeof(int32_t));
        t->losses = carve(c, PVGI_TAPE_GROUP * PVGI_TAPE_CHUNKS, sizeof(double));
        t->checks = carve(c, 2 * PVGI_TAPE_CHUNKS, sizeof(double));
        t->transition_room = carve(c, p->classes * p->classes, sizeof(double));
    }
    for (int32_t i = 0; i < p->operator_count; i++) {
        t->pre[i] = carve(c, n, t->element);
        t->post[i] = carve(c, n, t->element);
        t->self[i] = carve(c, n, t->element);
    }
    t->x_values = carve(c, entries, t->element);
    if (wish->learn && uses(p, PVGI_OP_SPARSE)) {
        t->x_column_values = carve(c, entries, t->element);
        t->x_starts = carve(c, p->inputs + 1, sizeof(int64_t));
        t->x_rows = carve(c, entries, sizeof(int32_t));
        t->x_bits = carve(c, entries, sizeof(uint32_t));
    }
    if (wish->learn && p->needs_graph) {
        if (!data->symmetric) {
            t->back_own_offsets = carve(c, n + 1, sizeof(int64_t));
            t->back_own_columns = carve(c, t->arcs, sizeof(int32_t));
        }
        if (uses(p, PVGI_OP_EDGE_SOFTMAX))
            t->back_places = carve(c, t->arcs, sizeof(int64_t));
    }
    if (wish->input_gradient) {
        const int64_t wide = pvgi_network_pad(p->inputs, lanes);
        t->input_gradient = carve(c, n * wide, t->element);
        t->input_row = carve(c, PVGI_TAPE_CHUNKS * wide, t->element);
    }
    if (wish->arc_gradient) t->arc_gradient = carve(c, t->arcs, t->element);
}

/* --- stages ----------------------------------------------------------------------- */

typedef struct {
    pvgi_tape *t;
    bool open;
    int64_t rows, chunk;
    /* written in the stage that is open */
    bool value[PVGI_PROGRAM_OPS], grad[PVGI_PROGRAM_OPS], partial[PVGI_PROGRAM_OPS];
} weaver;

static void close_stage(weaver *w) {
    w->open = false;
    memset(w->value, 0, sizeof w->value);
    memset(w->grad, 0, sizeof w->grad);
    memset(w->partial, 0, sizeof w->partial);
}

static void add_step(weaver *w, int32_t op, pvgi_pass pass, int32_t part, int64_t rows,
                     int64_t chunk) {
    pvgi_tape *t = w->t;
    if (w->open && (rows != w->rows || chunk != w->chunk)) close_stage(w);
    if (!w->open) {
        t->stages[t->stage_count++] =
            (pvgi_tape_stage){.tape = t,
                              .first_step = t->step_count,
                              .rows = rows,
                              .chunk_rows = chunk,
                              .chunks = (rows + chunk - 1) / chunk};
        w->open = true;
        w->rows = rows;
        w->chunk = chunk;
    }
    t->steps[t->step_count++] = (pvgi_step){op, part, pass};
    t->stages[t->stage_count - 1].step_count++;
}

static void row_step(weaver *w, int32_t op, pvgi_pass pass, int32_t part,
                     pvgi_domain domain) {
    if (domain == PVGI_GRAPHS)
        add_step(w, op, pass, part, w->t->graphs, w->t->graph_chunk);
    else
        add_step(w, op, pass, part, w->t->nodes, w->t->node_chunk);
}

/* Other rows of a tensor, or partial sums, are read next. */
static void gather_value(weaver *w, int32_t tensor) {
    if (w->value[tensor]) close_stage(w);
}
static void gather_grad(weaver *w, int32_t tensor) {
    if (w->grad[tensor]) close_stage(w);
}
static void gather_partial(weaver *w, int32_t op) {
    if (w->partial[op]) close_stage(w);
}

static void weave_forward(weaver *w, int32_t o) {
    const pvgi_program *p = &w->t->program;
    const pvgi_op *op = &p->ops[o];
    const pvgi_domain domain =
        op->kind == PVGI_OP_LOSS ? p->tensors[op->in].domain : p->tensors[op->out].domain;
    switch (op->kind) {
    case PVGI_OP_AGGREGATE:
    case PVGI_OP_EDGE_AGGREGATE:
    case PVGI_OP_POOL:
        gather_value(w, op->in);
        break;
    case PVGI_OP_EDGE_SOFTMAX:
        gather_value(w, op->other);
        break;
    case PVGI_OP_MEAN:
        if (op->second != 0) {
            row_step(w, o, PVGI_PASS_FORWARD, 0, domain);
            close_stage(w);
        }
        row_step(w, o, PVGI_PASS_FORWARD, 1, domain);
        w->value[op->out] = true;
        return;
    case PVGI_OP_BATCH_NORM:
        row_step(w, o, PVGI_PASS_FORWARD, 0, domain);
        close_stage(w);
        row_step(w, o, PVGI_PASS_FORWARD, 1, domain);
        w->value[op->out] = true;
        return;
    case PVGI_OP_INPUT:
    case PVGI_OP_SPARSE:
    case PVGI_OP_DENSE:
    case PVGI_OP_BIAS:
    case PVGI_OP_ACTIVATE:
    case PVGI_OP_DROPOUT:
    case PVGI_OP_ADD:
    case PVGI_OP_PLACE:
    case PVGI_OP_SLICE:
    case PVGI_OP_MAXIMUM:
    case PVGI_OP_ROWS:
    case PVGI_OP_LAYER_NORM:
    case PVGI_OP_HEAD_DOT:
    case PVGI_OP_HEAD_MEAN:
    case PVGI_OP_SOFTMAX:
    case PVGI_OP_CONSTANT:
    case PVGI_OP_LOSS:
    case PVGI_OP_KINDS:
        break;
    }
    row_step(w, o, PVGI_PASS_FORWARD, 0, domain);
    if (op->kind == PVGI_OP_LOSS)
        w->grad[op->in] = true;
    else
        w->value[op->out] = true;
}

static bool learns(const pvgi_program *p, int32_t tensor) {
    return tensor >= 0 && p->tensors[tensor].learns;
}

static void weave_backward(weaver *w, int32_t o, const pvgi_tape_wish *wish) {
    pvgi_tape *t = w->t;
    const pvgi_program *p = &t->program;
    const pvgi_op *op = &p->ops[o];
    if (op->kind == PVGI_OP_LOSS || op->silent || !p->tensors[op->out].learns) return;
    const pvgi_domain domain = p->tensors[op->out].domain;
    switch (op->kind) {
    case PVGI_OP_INPUT:
        if (wish->input_gradient) row_step(w, o, PVGI_PASS_BACKWARD, 0, domain);
        return;
    case PVGI_OP_SPARSE:
        if (wish->input_gradient) row_step(w, o, PVGI_PASS_BACKWARD, 1, domain);
        gather_grad(w, op->out);
        close_stage(w);
        add_step(w, o, PVGI_PASS_BACKWARD, 0, p->inputs, t->x_chunk);
        close_stage(w);
        return;
    case PVGI_OP_AGGREGATE:
        if (wish->arc_gradient) row_step(w, o, PVGI_PASS_BACKWARD, 1, domain);
        if (!learns(p, op->in)) return;
        gather_grad(w, op->out);
        break;
    case PVGI_OP_MEAN:
        row_step(w, o, PVGI_PASS_BACKWARD, 0, domain);
        if (learns(p, op->in)) w->grad[op->in] = true;
        w->partial[o] = true;
        if (!learns(p, op->other)) return;
        if (op->second != 0) gather_partial(w, o);
        row_step(w, o, PVGI_PASS_BACKWARD, 1, domain);
        w->grad[op->other] = true;
        return;
    case PVGI_OP_BATCH_NORM:
        row_step(w, o, PVGI_PASS_BACKWARD, 0, domain);
        w->partial[o] = true;
        if (!learns(p, op->in)) return;
        gather_partial(w, o);
        row_step(w, o, PVGI_PASS_BACKWARD, 1, domain);
        w->grad[op->in] = true;
        return;
    case PVGI_OP_EDGE_SOFTMAX:
        row_step(w, o, PVGI_PASS_BACKWARD, 0, PVGI_NODES);
        w->grad[op->in] = w->grad[op->out] = true;
        gather_grad(w, op->out);
        row_step(w, o, PVGI_PASS_BACKWARD, 1, PVGI_NODES);
        w->grad[op->other] = true;
        return;
    case PVGI_OP_EDGE_AGGREGATE:
        row_step(w, o, PVGI_PASS_BACKWARD, 0, domain);
        w->grad[op->other] = true;
        gather_grad(w, op->out);
        row_step(w, o, PVGI_PASS_BACKWARD, 1, domain);
        w->grad[op->in] = true;
        return;
    case PVGI_OP_POOL:
        if (!learns(p, op->in)) return;
        close_stage(w);
        row_step(w, o, PVGI_PASS_BACKWARD, 0, PVGI_NODES);
        w->grad[op->in] = true;
        return;
    case PVGI_OP_DENSE:
    case PVGI_OP_BIAS:
    case PVGI_OP_ACTIVATE:
    case PVGI_OP_DROPOUT:
    case PVGI_OP_ADD:
    case PVGI_OP_PLACE:
    case PVGI_OP_SLICE:
    case PVGI_OP_MAXIMUM:
    case PVGI_OP_ROWS:
    case PVGI_OP_LAYER_NORM:
    case PVGI_OP_HEAD_DOT:
    case PVGI_OP_HEAD_MEAN:
    case PVGI_OP_SOFTMAX:
    case PVGI_OP_CONSTANT:
    case PVGI_OP_LOSS:
    case PVGI_OP_KINDS:
        if (op->param < 0 && !learns(p, op->in) && !learns(p, op->other)) return;
        break;
    }
    row_step(w, o, PVGI_PASS_BACKWARD, 0, domain);
    if (op->in >= 0) w->grad[op->in] = true;
    if (op->other >= 0) w->grad[op->other] = true;
}

static int32_t run_chunk(void *context, int64_t number, uint32_t worker) {
    const pvgi_tape_stage *stage = context;
    pvgi_tape *t = stage->tape;
    const int64_t epoch = t->epoch_base + number / stage->chunks;
    const int64_t chunk = number % stage->chunks;
    const int64_t first = chunk * stage->chunk_rows;
    int64_t last = first + stage->chunk_rows;
    (void)worker;
    if (last > stage->rows) last = stage->rows;
    const pvgi_step *steps = t->steps + stage->first_step;
    if (steps->pass == PVGI_PASS_UPDATE) {
        for (int32_t i = 0; i < stage->step_count; i++)
            if (steps[i].part == 0)
                t->kernels->reduce(t, first, last);
            else
                t->kernels->update(t, first, last, epoch);
        return PVG_OK;
    }
    for (int64_t row = first; row < last; row += PVGI_TAPE_ROWS) {
        const int64_t end = row + PVGI_TAPE_ROWS < last ? row + PVGI_TAPE_ROWS : last;
        for (int32_t i = 0; i < stage->step_count; i++)
            t->kernels->run(t, &steps[i], row, end, chunk, row == first, epoch);
    }
    return PVG_OK;
}

static void weave(pvgi_tape *t, weaver *w, const pvgi_tape_wish *wish) {
    const pvgi_program *p = &t->program;
    w->t = t;
    close_stage(w);
    for (int32_t o = 0; o < p->op_count; o++)
        if (p->ops[o].out >= 0 && p->tensors[p->ops[o].out].constant) weave_forward(w, o);
    close_stage(w);
    t->constant_stages = t->stage_count;
    for (int32_t o = 0; o < p->op_count; o++)
        if (p->ops[o].out < 0 || !p->tensors[p->ops[o].out].constant) weave_forward(w, o);
    close_stage(w);
    t->forward_stages = t->stage_count;
    if (wish->learn) {
        add_step(w, 0, PVGI_PASS_TRANSPOSE, 0, p->op_count, 1);
        close_stage(w);
        for (int32_t o = p->op_count - 1; o >= 0; o--) weave_backward(w, o, wish);
        close_stage(w);
        if (t->trained > 0) {
            add_step(w, 0, PVGI_PASS_UPDATE, 0, t->trained, PVGI_TAPE_FLAT);
            if (t->config.clip > 0) close_stage(w);
            if (!wish->keep_gradient)
                add_step(w, 0, PVGI_PASS_UPDATE, 1, t->trained, PVGI_TAPE_FLAT);
        }
    }
    t->learn_stages = t->stage_count;
    for (int32_t i = 0; i < t->stage_count; i++)
        t->run_stages[i] = (pvgi_stage){run_chunk, t->stages[i].chunks,
                                        (double)t->stages[i].step_count, &t->stages[i]};
}

/* --- filling ---------------------------------------------------------------------- */

static void put(const pvgi_tape *t, void *array, int64_t i, double value) {
    if (t->wide)
        ((double *)array)[i] = value;
    else
        ((float *)array)[i] = (float)value;
}

static void fill_operators(pvgi_tape *t) {
    for (int32_t i = 0; i < t->program.operator_count; i++) {
        const pvgi_arc_operator *operation = &t->program.operators[i];
        for (int64_t v = 0; v < t->nodes; v++) {
            const double d = (double)(t->data->offsets[v + 1] - t->data->offsets[v]);
            double pre = 1, post = 1, self = 0;
            if (operation->weights == PVGI_WEIGHTS_GCN) {
                pre = post = 1 / sqrt(d + operation->tau);
                self = 1 / (d + operation->tau);
            } else if (operation->weights == PVGI_WEIGHTS_KPROP) {
                pre = post = d > 0 ? 1 / sqrt(d) : 0;
            } else if (operation->weights == PVGI_WEIGHTS_MEAN) {
                post = d > 0 ? 1 / d : 0;
            }
            put(t, t->pre[i], v, pre);
            put(t, t->post[i], v, post);
            put(t, t->self[i], v, self);
        }
    }
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
    t->node_chunk = chunk_rows(t->nodes);
    t->graph_chunk = chunk_rows(t->graphs);
    t->x_chunk = t->program.inputs / 64 + 1;
    if (data->x_offsets[data->order] > INT64_C(0xffffffff) - 64 * (data->order + 1))
        return pvgi_fail(PVG_E_LIMIT, "pvg_network: more than 2^32 feature entries");
    if (wish->learn) {
        if (config->target_rounds > 0 && !data->offsets)
            return pvgi_fail(PVG_E_ARGUMENT,
                             "pvg_training_config: target_rounds needs a graph");
        PVGI_TRY(pvgi_network_append_loss(&t->program, config->target_rounds));
    }
    for (int32_t o = 0; o < t->program.op_count; o++)
        if (t->program.ops[o].kind == PVGI_OP_MEAN && t->program.ops[o].choice == 1)
            t->program.ops[o].second *= (double)t->nodes;
    pvgi_network_plan_gradients(&t->program, wish->input_gradient);
    return PVG_OK;
}

int32_t pvgi_network_tape_bytes(size_t *out, const pvg_network *network,
                                const pvg_dataset *data,
                                const pvg_training_config *config,
                                const pvgi_tape_wish *wish) {
    pvgi_tape *t = pvgi_alloc_zero(1, sizeof *t);
    if (!t) return pvgi_fail_nomem();
    const int32_t status = prepare(t, network, data, config, wish);
    cursor c = {NULL, 0};
    if (status == PVG_OK) {
        lay_out(t, &c, wish);
        *out = pvgi_size_add(c.used, sizeof *t + sizeof(weaver));
    }
    pvgi_free(t);
    return status;
}

int32_t pvgi_network_tape_new(pvgi_tape **out, const pvg_network *network,
                              const pvg_dataset *data, const pvg_training_config *config,
                              const pvgi_tape_wish *wish, pvgi_run *run) {
    int32_t status;
    cursor c = {NULL, 0};
    pvgi_tape *t = pvgi_alloc_zero(1, sizeof *t);
    weaver *w = pvgi_alloc_zero(1, sizeof *w);
    if (!t || !w) {
        status = pvgi_fail_nomem();
        goto done;
    }
    PVGI_TRY_DONE(prepare(t, network, data, config, wish));
    lay_out(t, &c, wish);
    PVGI_TRY_DONE(pvgi_run_reserve(run, pvgi_size_add(c.used, sizeof *t + sizeof *w)));
    t->bytes = c.used;
    t->block = pvgi_alloc_zero(c.used, 1);
    if (!t->block) {
        status = pvgi_fail_nomem();
        goto done;
    }
    c = (cursor){t->block, 0};
    lay_out(t, &c, wish);
    fill_operators(t);
    for (int64_t k = 0; k < data->x_offsets[t->nodes]; k++)
        put(t, t->x_values, k, data->x_values[k]);
    if (t->x_starts) fill_columns(t);
    if (wish->learn && t->program.needs_graph) fill_back(t);
    weave(t, w, wish);
    PVGI_TRY_DONE(pvgi_run_stages(run, t->run_stages, t->constant_stages, 1, NULL));
    *out = t;
    t = NULL;
done:
    pvgi_free(w);
    pvgi_network_tape_free(t);
    return status;
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
    const int64_t outputs = t->program.pools ? t->graphs : t->nodes;
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

int32_t pvgi_network_tape_learn(double *losses, pvgi_tape *t, int64_t epoch,
                                int64_t count, pvgi_run *run) {
    PVGI_TRY(run_learning(t, true, epoch, count, run));
    const int64_t rows = t->program.pools ? t->graphs : t->nodes;
    const int64_t chunk = t->program.pools ? t->graph_chunk : t->node_chunk;
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
    const int64_t rows = t->program.pools ? t->graphs : t->nodes;
    const int64_t chunk = t->program.pools ? t->graph_chunk : t->node_chunk;
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
