/* The front of a network: products X W of the features, the same in every ball. They are
 * made once for all nodes; a network that takes them as its features does the rest, and
 * slopes come back through W where they are asked for. On a graph with balls of a
 * thousand nodes nearly all work was this product, ball by ball. */
#include "explain.h"

#include <string.h>

bool pvgi_learn_front_fits(const pvgi_program *p) {
    int32_t products = 0;
    for (int32_t o = 0; o < p->op_count; o++) {
        products += p->ops[o].kind == PVGI_OP_SPARSE;
        if (p->ops[o].kind == PVGI_OP_INPUT || p->ops[o].kind == PVGI_OP_GIVEN)
            return false;
    }
    return products > 0 && products <= PVGI_FRONT_MAX && p->op_count < PVGI_PROGRAM_OPS &&
           p->tensor_count < PVGI_PROGRAM_OPS;
}

/* Products become slices of the features. */
static void cut(pvgi_front *f, const pvg_model *model) {
    pvgi_program *p = &f->network->program;
    const int32_t whole = p->tensor_count++;
    const double *weights = model->weights;
    const double *at[PVGI_PROGRAM_PARAMS];
    for (int32_t i = 0; i < p->param_count; i++) {
        at[i] = weights;
        weights += p->params[i].rows * p->params[i].columns;
    }
    memmove(p->ops + 1, p->ops, (size_t)p->op_count * sizeof *p->ops);
    p->op_count++;
    for (int32_t o = 1; o < p->op_count; o++) {
        pvgi_op *op = &p->ops[o];
        if (op->kind != PVGI_OP_SPARSE) continue;
        f->weights[f->count] = at[op->param];
        f->widths[f->count] = p->params[op->param].columns;
        op->kind = PVGI_OP_SLICE;
        op->in = whole;
        op->offset = f->columns;
        op->number = 0;
        op->param = -1;
        f->columns += f->widths[f->count++];
    }
    p->ops[0] = (pvgi_op){.kind = PVGI_OP_INPUT,
                          .in = -1,
                          .other = -1,
                          .out = whole,
                          .param = -1,
                          .param2 = -1,
                          .moments = -1};
    p->tensors[whole] = (pvgi_tensor){.domain = PVGI_NODES, .columns = f->columns};
    p->inputs = f->columns;
}

/* All products of one node, side by side. */
static void fill_row(const pvgi_front *f, int64_t v) {
    const pvg_dataset *x = f->from;
    double *row = f->data.x_values + v * f->columns;
    memset(row, 0, (size_t)f->columns * sizeof *row);
    for (int32_t i = 0; i < f->count; i++) {
        const int64_t width = f->widths[i];
        for (int64_t k = x->x_offsets[v]; k < x->x_offsets[v + 1]; k++) {
            const double *w = f->weights[i] + x->x_indices[k] * width;
            for (int64_t j = 0; j < width; j++) row[j] += x->x_values[k] * w[j];
        }
        row += width;
    }
}

enum { ROWS = 256 }; /* of a chunk */

static int32_t fill_chunk(void *context, int64_t chunk, uint32_t worker) {
    const pvgi_front *f = context;
    (void)worker;
    for (int64_t v = chunk * ROWS; v < (chunk + 1) * ROWS && v < f->from->order; v++)
        fill_row(f, v);
    return PVG_OK;
}

int32_t pvgi_learn_front_open(pvgi_front *f, const pvg_model *model,
                              const pvg_dataset *data, pvgi_run *run) {
    *f = (pvgi_front){.from = data, .model = *model, .data = *data};
    f->data.x_offsets = NULL;
    f->data.x_indices = NULL;
    f->data.x_values = NULL;
    PVGI_TRY(pvgi_network_copy(&f->network, model->network));
    cut(f, model);
    f->model.network = f->network;
    f->data.width = f->columns;
    const size_t n = (size_t)data->order, cells = pvgi_size_mul(n, (size_t)f->columns);
    PVGI_TRY(pvgi_run_reserve(run, pvgi_size_mul(cells, 12)));
    f->data.x_offsets = pvgi_alloc(n + 1, sizeof *f->data.x_offsets);
    f->data.x_indices = pvgi_alloc(cells, sizeof *f->data.x_indices);
    f->data.x_values = pvgi_alloc(cells, sizeof *f->data.x_values);
    if (!f->data.x_offsets || !f->data.x_indices || !f->data.x_values)
        return pvgi_fail_nomem();
    for (size_t v = 0; v <= n; v++) f->data.x_offsets[v] = (int64_t)v * f->columns;
    for (size_t k = 0; k < cells; k++)
        f->data.x_indices[k] = (int32_t)(k % (size_t)f->columns);
    return pvgi_run_chunks(run, (data->order + ROWS - 1) / ROWS, fill_chunk, f);
}

void pvgi_learn_front_close(pvgi_front *f) {
    pvgi_network_free(f->network);
    pvgi_free(f->data.x_offsets);
    pvgi_free(f->data.x_indices);
    pvgi_free(f->data.x_values);
    *f = (pvgi_front){0};
}

double pvgi_learn_front_slope(const pvgi_front *f, const double *slopes, int64_t j) {
    double sum = 0;
    for (int32_t i = 0; i < f->count; i++) {
        const double *w = f->weights[i] + j * f->widths[i];
        for (int64_t k = 0; k < f->widths[i]; k++) sum += w[k] * slopes[k];
        slopes += f->widths[i];
    }
    return sum;
}
