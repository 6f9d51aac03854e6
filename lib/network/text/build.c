/* Tensors, parameters and operations of a program while it is read; operators over
 * neighbours and when they are made. */
#include "text.h"

static int32_t too_large(void) {
    return pvgi_fail(PVG_E_LIMIT, "pvg_network_from_text: more than %d operations",
                     (int)PVGI_PROGRAM_OPS);
}

int32_t pvgi_network_text_add_tensor(int32_t *out, pvgi_program *p, int32_t domain,
                                     int64_t columns) {
    if (p->tensor_count == PVGI_PROGRAM_OPS) return too_large();
    *out = p->tensor_count++;
    p->tensors[*out] = (pvgi_tensor){.domain = (pvgi_domain)domain, .columns = columns};
    return PVG_OK;
}

int32_t pvgi_network_text_add_param(int32_t *out, pvgi_program *p, int64_t rows,
                                    int64_t columns, pvgi_init init) {
    if (p->param_count == PVGI_PROGRAM_PARAMS)
        return pvgi_fail(PVG_E_LIMIT, "pvg_network_from_text: more than %d weights",
                         (int)PVGI_PROGRAM_PARAMS);
    *out = p->param_count++;
    p->params[*out] = (pvgi_param){.rows = rows,
                                   .columns = columns,
                                   .init = (int32_t)init,
                                   .fan = (double)(rows + columns),
                                   .trained = true};
    return PVG_OK;
}

int32_t pvgi_network_text_add_op(pvgi_op **out, pvgi_program *p, pvgi_op_kind kind) {
    if (p->op_count == PVGI_PROGRAM_OPS) return too_large();
    *out = &p->ops[p->op_count++];
    **out = (pvgi_op){.kind = kind,
                      .in = -1,
                      .other = -1,
                      .out = -1,
                      .param = -1,
                      .param2 = -1,
                      .moments = -1};
    return PVG_OK;
}

/* An operation from tensor `in` to a new tensor. */
int32_t pvgi_network_text_map_to(int32_t *tensor, pvgi_op **op, pvgi_program *p,
                                 pvgi_op_kind kind, int32_t in, int64_t columns) {
    const int32_t domain = in >= 0 ? (int32_t)p->tensors[in].domain : PVGI_NODES;
    PVGI_TRY(pvgi_network_text_add_tensor(tensor, p, domain, columns));
    PVGI_TRY(pvgi_network_text_add_op(op, p, kind));
    (*op)->in = in;
    (*op)->out = *tensor;
    return PVG_OK;
}

int32_t pvgi_network_text_find_operator(int32_t *out, pvgi_program *p,
                                        pvgi_weights weights, double tau) {
    p->needs_graph = true;
    p->mixes = true;
    for (int32_t i = 0; i < p->operator_count; i++)
        if (p->operators[i].weights == (int32_t)weights && p->operators[i].tau == tau) {
            *out = i;
            return PVG_OK;
        }
    if (p->operator_count == PVGI_PROGRAM_OPERATORS)
        return pvgi_fail(PVG_E_LIMIT, "pvg_network_from_text: more than %d operators",
                         (int)PVGI_PROGRAM_OPERATORS);
    *out = p->operator_count++;
    p->operators[*out] = (pvgi_arc_operator){(int32_t)weights, tau};
    return PVG_OK;
}

int32_t pvgi_network_text_aggregate(int32_t *tensor, pvgi_program *p, int32_t operation) {
    pvgi_op *op = NULL;
    const int32_t in = *tensor;
    PVGI_TRY(pvgi_network_text_map_to(tensor, &op, p, PVGI_OP_AGGREGATE, in,
                                      p->tensors[in].columns));
    op->choice = operation;
    return PVG_OK;
}

/* Features become a tensor; kprop rounds that wait are made. */
int32_t pvgi_network_text_make_pending(pvgi_text_reader *r) {
    pvgi_op *op = NULL;
    if (r->current < 0) {
        PVGI_TRY(pvgi_network_text_map_to(&r->current, &op, r->p, PVGI_OP_INPUT, -1,
                                          r->columns));
        op->number = r->input_drop;
    }
    for (; r->pending_rounds > 0; r->pending_rounds--)
        PVGI_TRY(pvgi_network_text_aggregate(&r->current, r->p, r->pending));
    return PVG_OK;
}

/* *tensor = (what is there) W, kprop rounds that wait included; they keep waiting for the
 * second product of a map. */
int32_t pvgi_network_text_linear(int32_t *tensor, pvgi_text_reader *r, int64_t width) {
    pvgi_op *op = NULL;
    int32_t param = -1;
    if (r->current >= 0 && width > r->columns)
        PVGI_TRY(pvgi_network_text_make_pending(r));
    PVGI_TRY(
        pvgi_network_text_add_param(&param, r->p, r->columns, width, PVGI_INIT_GLOROT));
    PVGI_TRY(pvgi_network_text_map_to(tensor, &op, r->p,
                                      r->current < 0 ? PVGI_OP_SPARSE : PVGI_OP_DENSE,
                                      r->current, width));
    op->param = param;
    if (r->current < 0) {
        op->number = r->input_drop;
        r->p->params[param].direct = true;
    }
    for (int64_t k = 0; k < r->pending_rounds; k++)
        PVGI_TRY(pvgi_network_text_aggregate(tensor, r->p, r->pending));
    return PVG_OK;
}

int32_t pvgi_network_text_add_bias(pvgi_program *p, int32_t tensor) {
    pvgi_op *op = NULL;
    int32_t param = -1;
    PVGI_TRY(pvgi_network_text_add_param(&param, p, 1, p->tensors[tensor].columns,
                                         PVGI_INIT_ZERO));
    PVGI_TRY(pvgi_network_text_add_op(&op, p, PVGI_OP_BIAS));
    op->in = op->out = tensor;
    op->param = param;
    return PVG_OK;
}

int32_t pvgi_network_text_activate(pvgi_program *p, int32_t tensor, pvgi_act act) {
    pvgi_op *op = NULL;
    PVGI_TRY(pvgi_network_text_add_op(&op, p, PVGI_OP_ACTIVATE));
    op->in = op->out = tensor;
    op->choice = (int32_t)act;
    return PVG_OK;
}

int32_t pvgi_network_text_add_to(int32_t *tensor, pvgi_program *p, int32_t other,
                                 double factor) {
    pvgi_op *op = NULL;
    const int32_t in = *tensor;
    PVGI_TRY(pvgi_network_text_map_to(tensor, &op, p, PVGI_OP_ADD, in,
                                      p->tensors[in].columns));
    op->other = other;
    op->number = factor;
    return PVG_OK;
}

void pvgi_network_text_move_to(pvgi_text_reader *r, int32_t tensor) {
    r->current = tensor;
    r->columns = r->p->tensors[tensor].columns;
    r->domain = (int32_t)r->p->tensors[tensor].domain;
    r->pending_rounds = 0;
}

int32_t pvgi_network_text_nodes_only(const pvgi_text_reader *r, int32_t at) {
    return r->domain == PVGI_NODES
               ? PVG_OK
               : pvgi_network_text_wrong_word(
                     r, at,
                     r->domain == PVGI_PAIRS
                         ? "rows are pairs here, which have no neighbours"
                         : "nodes were pooled before: no neighbours are "
                           "left");
}
