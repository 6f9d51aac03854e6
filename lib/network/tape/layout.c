/* Where tensors, parameters and scratch of a tape lie in its block. */
#include "plan.h"

static void *carve(pvgi_tape_cursor *c, int64_t count, size_t bytes) {
    void *at = c->block ? c->block + c->used : NULL;
    const size_t size = pvgi_size_mul((size_t)count, bytes);
    c->used = pvgi_size_add(c->used, pvgi_size_add(size, 63) & ~(size_t)63);
    return at;
}

static int64_t rows_of(const pvgi_tape *t, pvgi_domain domain) {
    if (domain == PVGI_GRAPHS) return t->graphs;
    if (domain == PVGI_PAIRS) return t->pairs;
    return domain == PVGI_ARCS ? t->arcs + 2 * t->nodes : t->nodes;
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

static void lay_out_op(pvgi_tape *t, pvgi_tape_cursor *c, int32_t o,
                       const pvgi_tape_wish *wish) {
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
    if (op->kind == PVGI_OP_ATTEND) /* chances and, to learn, gradients of scores */
        t->scratch[o] =
            carve(c,
                  t->nodes * op->choice * pvgi_network_pad(t->data->window, lanes) *
                      (wish->learn ? 2 : 1),
                  t->element);
    if (op->kind == PVGI_OP_COMPARE) /* the same over arcs */
        t->scratch[o] =
            carve(c, op->choice * (t->arcs + t->nodes * lanes) * (wish->learn ? 2 : 1),
                  t->element);
    if (op->kind == PVGI_OP_EDGE_AGGREGATE && wish->learn) /* what came out */
        t->scratch[o] = carve(c, t->nodes * t->stride[op->out], t->element);
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

void pvgi_network_measure(pvgi_tape *t) {
    const pvgi_program *p = &t->program;
    const int64_t lanes = PVGI_TAPE_VECTOR / (int64_t)t->element;
    for (int32_t i = 0; i < p->tensor_count; i++) {
        const int64_t columns = p->tensors[i].columns;
        const bool single = p->tensors[i].domain == PVGI_ARCS && columns == 1;
        t->stride[i] = single ? 1 : pvgi_network_pad(columns, lanes);
        t->rows[i] = rows_of(t, p->tensors[i].domain);
    }
    number_params(t);
}

static void lay_out_tensors(pvgi_tape *t, pvgi_tape_cursor *c, pvgi_tape_plan *w) {
    for (int32_t b = 0; b < w->buffer_count; b++) {
        const int32_t like = w->buffer_like[b];
        /* of alpha a gradient has two rows for each node: means, and those of l */
        const int64_t rows = w->buffer_short[b] ? 2 * t->nodes : t->rows[like];
        w->buffers[b] = carve(c, rows * t->stride[like], t->element);
    }
    for (int32_t i = 0; i < t->program.tensor_count; i++) {
        if (w->lives[0][i].first >= 0) t->value[i] = w->buffers[w->lives[0][i].buffer];
        if (w->lives[1][i].first >= 0) t->grad[i] = w->buffers[w->lives[1][i].buffer];
    }
}

void pvgi_network_lay_out(pvgi_tape *t, pvgi_tape_cursor *c, pvgi_tape_plan *w) {
    const pvgi_tape_wish *wish = w->wish;
    const pvgi_program *p = &t->program;
    const pvg_dataset *data = t->data;
    const int64_t lanes = PVGI_TAPE_VECTOR / (int64_t)t->element, n = t->nodes;
    const int64_t outputs = pvgi_network_outputs(t), entries = data->x_offsets[n];
    lay_out_tensors(t, c, w);
    for (int32_t o = 0; o < p->op_count; o++) lay_out_op(t, c, o, wish);
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
        t->transition_scratch = carve(c, p->classes * p->classes, sizeof(double));
        t->loss_scratch = carve(
            c, PVGI_TAPE_CHUNKS * pvgi_network_loss_scratch(p->classes), sizeof(double));
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
        if (uses(p, PVGI_OP_EDGE_SOFTMAX) || uses(p, PVGI_OP_COMPARE) ||
            data->arc_weights)
            t->back_places = carve(c, t->arcs + PVGI_TAPE_AHEAD, sizeof(int64_t));
    }
    if (p->needs_graph && data->arc_weights) {
        t->arc_factor = carve(c, t->arcs, t->element);
        for (int32_t i = 0; i < p->operator_count; i++) {
            t->arc_forward[i] = carve(c, t->arcs, t->element);
            if (wish->learn) t->arc_back[i] = carve(c, t->arcs, t->element);
        }
    }
    if (p->links)
        t->links = carve(c, n * pvgi_network_pad(data->window, lanes), t->element);
    if (wish->input_gradient) {
        const int64_t wide = pvgi_network_pad(p->inputs, lanes);
        t->input_gradient = carve(c, n * wide, t->element);
        t->input_row = carve(c, PVGI_TAPE_CHUNKS * wide, t->element);
    }
    if (wish->arc_gradient) t->arc_gradient = carve(c, t->arcs, t->element);
}
