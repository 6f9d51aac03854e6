/* A forward pass that is kept, and what changes in it when the features of one node do.
 *
 * A change of row v reaches a tensor only in the ball around v whose radius is the number
 * of times neighbours were gathered on the way to it. So the clean pass is kept twice,
 * and rows of balls are computed again by the same kernels, which do the same operations
 * in the same order for a row whatever rows stand beside it: the same bits as a whole
 * pass (test_attack_models). O(arcs and weights of the ball) for each change; two copies
 * of the values. */
#include "network_internal.h"

#include <string.h>

struct pvgi_incremental {
    pvgi_tape *tape;
    char *clean;                      /* copy of the tape's block */
    int32_t radius[PVGI_PROGRAM_OPS]; /* of tensors; -1: does not move */
    int32_t widest;
    const int64_t *back_offsets; /* rows that hear a node */
    const int32_t *back_columns;
    int64_t *own_offsets; /* the same, if arcs are not symmetric */
    int32_t *own_columns;
    int32_t *nodes; /* of the ball, by distance; those within r come before ends[r] */
    int64_t ends[PVGI_PROGRAM_OPS + 1];
    bool *seen;
    int64_t moved; /* node, -1: clean */
};

static bool gathers(pvgi_op_kind kind) {
    return kind == PVGI_OP_AGGREGATE || kind == PVGI_OP_EDGE_SOFTMAX ||
           kind == PVGI_OP_EDGE_AGGREGATE || kind == PVGI_OP_COMPARE;
}

static void raise_to(int32_t *radius, int32_t least) {
    if (*radius < least) *radius = least;
}

/* Operations write their output whole, but for PLACE, which shares it: until nothing
 * grows. */
static void find_radii(int32_t *radius, const pvgi_program *p) {
    for (int32_t i = 0; i < p->tensor_count; i++) radius[i] = -1;
    for (int pass = 0; pass < 2; pass++)
        for (int32_t o = 0; o < p->op_count; o++) {
            const pvgi_op *op = &p->ops[o];
            int32_t reach = -1;
            if (op->out < 0) continue;
            if (op->kind == PVGI_OP_INPUT || op->kind == PVGI_OP_SPARSE) reach = 0;
            /* weights of arcs are read where they are, states of neighbours from afar */
            if (op->in >= 0) {
                const bool far = gathers(op->kind) && op->kind != PVGI_OP_EDGE_SOFTMAX;
                if (radius[op->in] >= 0) raise_to(&reach, radius[op->in] + far);
            }
            if (op->other >= 0) {
                const bool far = op->kind == PVGI_OP_EDGE_SOFTMAX;
                if (radius[op->other] >= 0) raise_to(&reach, radius[op->other] + far);
            }
            raise_to(&radius[op->out], reach);
        }
}

bool pvgi_network_incremental_fits(const pvg_model *model, const pvg_dataset *data) {
    const pvgi_program *p = &model->network->program;
    if (model->member_count != 1 || data->graphs > 0) return false;
    for (int32_t o = 0; o < p->op_count; o++) {
        const pvgi_op *op = &p->ops[o];
        const bool windows = op->kind == PVGI_OP_ATTEND || op->kind == PVGI_OP_LINKS ||
                             op->kind == PVGI_OP_PAIR || op->kind == PVGI_OP_GIVEN;
        /* rows that hear others than neighbours */
        if (windows || op->kind == PVGI_OP_POOL ||
            (op->kind == PVGI_OP_MEAN && op->second != 0))
            return false;
    }
    return true;
}

static int32_t fill_back(pvgi_incremental *b, const pvg_dataset *data) {
    const int64_t n = data->order;
    if (!data->offsets) return PVG_OK;
    if (data->symmetric) {
        b->back_offsets = data->offsets;
        b->back_columns = data->columns;
        return PVG_OK;
    }
    const int64_t arcs = data->offsets[n];
    b->own_offsets = pvgi_alloc_zero((size_t)n + 2, sizeof *b->own_offsets);
    b->own_columns = pvgi_alloc((size_t)arcs, sizeof *b->own_columns);
    if (!b->own_offsets || !b->own_columns) return pvgi_fail_nomem();
    int64_t *at = b->own_offsets + 1; /* shifted: becomes offsets when filled */
    for (int64_t e = 0; e < arcs; e++)
        if (data->columns[e] + 1 < n) at[data->columns[e] + 1]++;
    for (int64_t v = 0; v + 1 < n; v++) at[v + 1] += at[v];
    for (int64_t v = 0; v < n; v++)
        for (int64_t e = data->offsets[v]; e < data->offsets[v + 1]; e++)
            b->own_columns[at[data->columns[e]]++] = (int32_t)v;
    b->back_offsets = b->own_offsets;
    b->back_columns = b->own_columns;
    return PVG_OK;
}

void pvgi_network_incremental_free(pvgi_incremental *b) {
    if (!b) return;
    pvgi_network_tape_free(b->tape);
    pvgi_free(b->clean);
    pvgi_free(b->own_offsets);
    pvgi_free(b->own_columns);
    pvgi_free(b->nodes);
    pvgi_free(b->seen);
    pvgi_free(b);
}

int32_t pvgi_network_incremental_new(pvgi_incremental **out, const pvg_model *model,
                                     const pvg_dataset *data, pvgi_run *run) {
    const pvgi_tape_wish wish = {.keep_values = true};
    pvg_training_config config = model->config;
    int32_t status = PVG_OK;
    pvgi_incremental *b = pvgi_alloc_zero(1, sizeof *b);
    if (!b) return pvgi_fail_nomem();
    config.precision = PVG_PRECISION_DOUBLE;
    b->moved = -1;
    PVGI_TRY_DONE(
        pvgi_network_tape_new(&b->tape, model->network, data, &config, &wish, run));
    pvgi_network_tape_set_weights(b->tape, model->weights);
    PVGI_TRY_DONE(pvgi_network_tape_forward(NULL, NULL, b->tape, run));
    find_radii(b->radius, &b->tape->program);
    for (int32_t i = 0; i < b->tape->program.tensor_count; i++)
        raise_to(&b->widest, b->radius[i]);
    PVGI_TRY_DONE(fill_back(b, data));
    PVGI_TRY_DONE(pvgi_run_reserve(run, pvgi_size_mul(2, b->tape->bytes)));
    b->clean = pvgi_alloc(b->tape->bytes, 1);
    b->nodes = pvgi_alloc((size_t)data->order, sizeof *b->nodes);
    b->seen = pvgi_alloc_zero((size_t)data->order, sizeof *b->seen);
    if (!b->clean || !b->nodes || !b->seen) {
        status = pvgi_fail_nomem();
        goto done;
    }
    memcpy(b->clean, b->tape->block, b->tape->bytes);
    *out = b;
    b = NULL;
done:
    pvgi_network_incremental_free(b);
    return status;
}

/* Nodes that a change at `node` reaches, by distance. */
static void find_ball(pvgi_incremental *b, int64_t node) {
    int64_t count = 0, from = 0;
    b->nodes[count++] = (int32_t)node;
    b->seen[node] = true;
    b->ends[0] = 1;
    for (int32_t r = 1; r <= b->widest; r++) {
        for (int64_t i = from, end = count; i < end; i++) {
            const int64_t u = b->nodes[i];
            for (int64_t e = b->back_offsets[u]; e < b->back_offsets[u + 1]; e++) {
                const int32_t v = b->back_columns[e];
                if (b->seen[v]) continue;
                b->seen[v] = true;
                b->nodes[count++] = v;
            }
        }
        from = b->ends[r - 1];
        b->ends[r] = count;
    }
    for (int64_t i = 0; i < count; i++) b->seen[b->nodes[i]] = false;
}

void pvgi_network_incremental_move(pvgi_incremental *b, int64_t node, double factor) {
    pvgi_tape *t = b->tape;
    const pvgi_program *p = &t->program;
    double *values = t->x_values;
    pvgi_network_incremental_back(b);
    find_ball(b, node);
    b->moved = node;
    for (int64_t k = t->data->x_offsets[node]; k < t->data->x_offsets[node + 1]; k++)
        values[k] *= factor;
    for (int32_t o = 0; o < p->op_count; o++) {
        const pvgi_op *op = &p->ops[o];
        if (op->out < 0 || b->radius[op->out] < 0) continue;
        const bool last = op->kind == PVGI_OP_BATCH_NORM || op->kind == PVGI_OP_MEAN;
        const pvgi_step step = {o, last, PVGI_PASS_FORWARD};
        for (int64_t i = 0; i < b->ends[b->radius[op->out]]; i++)
            t->kernels->run(t, &step, b->nodes[i], b->nodes[i] + 1, 1, false, 0);
    }
}

/* The rows of a tensor that belong to a node, as they were. */
static void restore(pvgi_incremental *b, int32_t tensor, int64_t first, int64_t rows) {
    pvgi_tape *t = b->tape;
    const size_t row = (size_t)t->stride[tensor] * t->element;
    const size_t at =
        (size_t)((char *)t->value[tensor] - (char *)t->block) + (size_t)first * row;
    memcpy((char *)t->block + at, b->clean + at, (size_t)rows * row);
}

void pvgi_network_incremental_back(pvgi_incremental *b) {
    pvgi_tape *t = b->tape;
    const pvgi_program *p = &t->program;
    if (b->moved < 0) return;
    for (int32_t i = 0; i < p->tensor_count; i++) {
        if (b->radius[i] < 0) continue;
        for (int64_t k = 0; k < b->ends[b->radius[i]]; k++) {
            const int64_t v = b->nodes[k];
            if (p->tensors[i].domain != PVGI_ARCS) {
                restore(b, i, v, 1);
                continue;
            }
            const int64_t *offsets = t->data->offsets;
            restore(b, i, offsets[v], offsets[v + 1] - offsets[v]);
            for (int64_t part = 0; part < 2; part++)
                restore(b, i, t->arcs + part * t->nodes + v, 1);
        }
    }
    const int64_t first = t->data->x_offsets[b->moved];
    const size_t at =
        (size_t)((char *)t->x_values - (char *)t->block) + (size_t)first * sizeof(double);
    memcpy((char *)t->block + at, b->clean + at,
           (size_t)(t->data->x_offsets[b->moved + 1] - first) * sizeof(double));
    b->moved = -1;
}

void pvgi_network_incremental_read(double *out, const pvgi_incremental *b, int64_t row,
                                   bool clean) {
    const pvgi_tape *t = b->tape;
    const int32_t tensor = t->program.output;
    const double *value = t->value[tensor];
    if (clean)
        value = (const double *)(const void *)(b->clean + ((const char *)value -
                                                           (const char *)t->block));
    memcpy(out, value + row * t->stride[tensor],
           (size_t)t->program.tensors[tensor].columns * sizeof *out);
}
