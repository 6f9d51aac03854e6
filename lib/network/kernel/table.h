/* One row per kind of operation: forward, backward. The loss writes its gradient while it
 * goes forward. */

static void (*const NAME(table)[PVGI_OP_KINDS][2])(pvgi_tape *, const work *) = {
    [PVGI_OP_INPUT] = {NAME(input_forward), NAME(input_backward)},
    [PVGI_OP_SPARSE] = {NAME(sparse_forward), NAME(sparse_backward)},
    [PVGI_OP_DENSE] = {NAME(dense_forward), NAME(dense_backward)},
    [PVGI_OP_BIAS] = {NAME(bias_forward), NAME(bias_backward)},
    [PVGI_OP_ACTIVATE] = {NAME(activate_forward), NAME(activate_backward)},
    [PVGI_OP_DROPOUT] = {NAME(dropout_forward), NAME(dropout_backward)},
    [PVGI_OP_AGGREGATE] = {NAME(aggregate_forward), NAME(aggregate_backward)},
    [PVGI_OP_ADD] = {NAME(add_forward), NAME(add_backward)},
    [PVGI_OP_MEAN] = {NAME(mean_forward), NAME(mean_backward)},
    [PVGI_OP_PLACE] = {NAME(place_forward), NAME(place_backward)},
    [PVGI_OP_SLICE] = {NAME(place_forward), NAME(place_backward)},
    [PVGI_OP_MAXIMUM] = {NAME(maximum_forward), NAME(maximum_backward)},
    [PVGI_OP_ROWS] = {NAME(rows_forward), NAME(rows_backward)},
    [PVGI_OP_BATCH_NORM] = {NAME(batch_forward), NAME(batch_backward)},
    [PVGI_OP_LAYER_NORM] = {NAME(layer_forward), NAME(layer_backward)},
    [PVGI_OP_HEAD_DOT] = {NAME(head_dot_forward), NAME(head_dot_backward)},
    [PVGI_OP_HEAD_MEAN] = {NAME(head_mean_forward), NAME(head_mean_backward)},
    [PVGI_OP_EDGE_SOFTMAX] = {NAME(edge_softmax_forward), NAME(edge_softmax_backward)},
    [PVGI_OP_EDGE_AGGREGATE] = {NAME(edge_aggregate_forward),
                                NAME(edge_aggregate_backward)},
    [PVGI_OP_COMPARE] = {NAME(compare_forward), NAME(compare_backward)},
    [PVGI_OP_SOFTMAX] = {NAME(softmax_forward), NAME(softmax_backward)},
    [PVGI_OP_CONSTANT] = {NAME(constant_forward), NAME(constant_backward)},
    [PVGI_OP_POOL] = {NAME(pool_forward), NAME(pool_backward)},
    [PVGI_OP_ATTEND] = {NAME(attend_forward), NAME(attend_backward)},
    [PVGI_OP_LINKS] = {NAME(links_forward), NAME(links_backward)},
    [PVGI_OP_PAIR] = {NAME(pair_forward), NAME(pair_backward)},
    [PVGI_OP_GIVEN] = {NAME(given_forward), NULL},
    [PVGI_OP_LOSS] = {NAME(loss), NULL},
};

KERNEL void NAME(transpose)(pvgi_tape *t, int32_t o) {
    const pvgi_op *op = &t->program.ops[o];
    const pvgi_param *param = &t->program.params[op->param];
    const int64_t in = param->rows, stride = pvgi_network_pad(in, LANES);
    const REAL *w = NAME(weights)(t, op->param);
    REAL *out = t->scratch[o];
    for (int64_t i = 0; i < in; i++)
        for (int64_t j = 0; j < param->columns; j++)
            out[j * stride + i] = w[i * t->param_stride[op->param] + j];
}

KERNEL void NAME(run)(pvgi_tape *t, const pvgi_step *step, int64_t first, int64_t last,
                      int64_t chunk, bool fresh, int64_t epoch) {
    if (step->pass == PVGI_PASS_TRANSPOSE) {
        for (int64_t o = first; o < last; o++) {
            const pvgi_op_kind kind = t->program.ops[o].kind;
            if (t->scratch[o] && (kind == PVGI_OP_DENSE || kind == PVGI_OP_SPARSE))
                NAME(transpose)(t, (int32_t)o);
        }
        return;
    }
    const pvgi_op *op = &t->program.ops[step->op];
    const bool back = step->pass == PVGI_PASS_BACKWARD;
    const work k = {op, step->op, step->part, first, last, chunk, epoch, fresh};
    if (NAME(table)[op->kind][back]) NAME(table)[op->kind][back](t, &k);
}

KERNEL void NAME(activate_row)(void *row, int64_t columns, int32_t choice) {
    const int64_t stride = pvgi_network_pad(columns, LANES);
    REAL *x = row;
    EACH_VECTOR(j) PUT(x + j) = NAME(activated)(AT(x + j), choice);
    NAME(clear)(x + columns, stride - columns);
}

KERNEL void NAME(slope_row)(void *gradient, const void *row, int64_t columns,
                            int32_t choice) {
    const int64_t stride = pvgi_network_pad(columns, LANES);
    const REAL *x = row;
    REAL *g = gradient;
    EACH_VECTOR(j) PUT(g + j) = AT(g + j) * NAME(slope)(AT(x + j), choice);
}

static const pvgi_kernels NAME(kernels) = {
    NAME(run),  NAME(update),       NAME(reduce),   NAME(convert),
    NAME(read), NAME(activate_row), NAME(slope_row)};
