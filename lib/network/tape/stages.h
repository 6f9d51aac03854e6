/* Which operations run side by side and where all threads must meet. Part of tape.c. */

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
    else if (domain == PVGI_PAIRS)
        add_step(w, op, pass, part, w->t->pairs, w->t->pair_chunk);
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
    case PVGI_OP_ATTEND:
    case PVGI_OP_LINKS:
    case PVGI_OP_PAIR:
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
    case PVGI_OP_GIVEN:
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
    case PVGI_OP_ATTEND:
        row_step(w, o, PVGI_PASS_BACKWARD, 0, domain);
        w->partial[o] = true;
        w->grad[op->in] = true;
        gather_partial(w, o); /* and gradients of other rows of out */
        row_step(w, o, PVGI_PASS_BACKWARD, 1, domain);
        w->grad[op->in] = true;
        return;
    case PVGI_OP_LINKS:
        gather_grad(w, op->out);
        break;
    case PVGI_OP_PAIR:
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
    case PVGI_OP_GIVEN:
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
