/* Balls of some nodes side by side, as one dataset for one tape: rows keep the degrees
 * they have in the whole graph, so that the middle of each ball gets what it gets
 * there. */
#include "explain.h"

#include <string.h>

/* How far a node's result can feel: layers that listen; -1: everything. */
int64_t pvgi_learn_reach(const pvgi_program *p) {
    int64_t hops = 0;
    for (int32_t o = 0; o < p->op_count; o++) {
        if (p->ops[o].kind == PVGI_OP_MEAN) return -1;
        hops += p->ops[o].kind == PVGI_OP_AGGREGATE ||
                p->ops[o].kind == PVGI_OP_EDGE_AGGREGATE ||
                p->ops[o].kind == PVGI_OP_COMPARE;
    }
    return hops;
}

static void heap_free(pvgi_heap *h) {
    pvgi_free(h->data.offsets);
    pvgi_free(h->data.columns);
    pvgi_free(h->data.degrees);
    pvgi_free(h->data.arc_weights);
    pvgi_free(h->data.x_offsets);
    pvgi_free(h->data.x_indices);
    pvgi_free(h->data.x_values);
    pvgi_free(h->starts);
    pvgi_free(h->numbers);
    pvgi_free(h->nodes);
    pvgi_free(h->classes);
    memset(h, 0, sizeof *h);
}

/* Nodes of a ball that hear others in it. What those at the border hear comes too late
 * to arrive in the middle. */
static int64_t listeners(const pvgi_ball *ball, bool inner) {
    return inner ? ball->near : ball->count;
}

/* Numbers of a ball: nodes, arcs within it, entries. */
static void measure(int64_t size[3], const pvgi_ball *ball, bool inner) {
    const pvg_dataset *data = ball->data;
    const int64_t hear = listeners(ball, inner);
    for (int64_t i = 0; i < ball->count; i++) {
        const int64_t u = ball->nodes[i];
        size[0]++;
        size[2] += data->x_offsets[u + 1] - data->x_offsets[u];
        if (!data->offsets || i >= hear) continue;
        for (int64_t e = data->offsets[u]; e < data->offsets[u + 1]; e++)
            size[1] += ball->place[data->columns[e]] > 0;
    }
}

static void append(pvgi_heap *h, int64_t *arcs, int64_t *entries, const pvgi_ball *ball,
                   bool inner) {
    const pvg_dataset *from = ball->data;
    const int64_t hear = listeners(ball, inner);
    pvg_dataset *to = &h->data;
    const int64_t base = h->starts[h->balls];
    for (int64_t i = 0; i < ball->count; i++) {
        const int64_t u = ball->nodes[i];
        const int64_t count = from->x_offsets[u + 1] - from->x_offsets[u];
        if (to->offsets) {
            to->offsets[base + i] = *arcs;
            to->degrees[base + i] = pvgi_network_degree(from, u);
            for (int64_t e = from->offsets[u]; i < hear && e < from->offsets[u + 1];
                 e++) {
                const int32_t place = ball->place[from->columns[e]];
                if (place == 0) continue;
                if (to->arc_weights) to->arc_weights[*arcs] = from->arc_weights[e];
                h->numbers[*arcs] = e;
                to->columns[(*arcs)++] = (int32_t)(base + place - 1);
            }
        }
        h->nodes[base + i] = u;
        to->x_offsets[base + i] = *entries;
        memcpy(to->x_indices + *entries, from->x_indices + from->x_offsets[u],
               (size_t)count * sizeof *to->x_indices);
        memcpy(to->x_values + *entries, from->x_values + from->x_offsets[u],
               (size_t)count * sizeof *to->x_values);
        *entries += count;
    }
    h->starts[++h->balls] = base + ball->count;
}

/* Balls around nodes first, first + 1, .. until they are `most` nodes or all. */
static int32_t heap_fill(pvgi_heap *h, int64_t *end, const pvgi_explain *e,
                         pvgi_ball *ball, int64_t first, int64_t most) {
    const int64_t hops = pvgi_learn_reach(&e->model->network->program),
                  order = e->data->order;
    int64_t size[3] = {0, 0, 0}, arcs = 0, entries = 0;
    pvg_dataset *data = &h->data;
    for (*end = first; *end < e->count && (*end == first || size[0] < most); ++*end) {
        pvgi_learn_ball_around(ball, pvgi_explain_node(e, *end), hops, order);
        measure(size, ball, e->inner);
    }
    const size_t nodes = (size_t)size[0];
    *data = (pvg_dataset){.order = size[0], .outputs = size[0], .width = e->data->width};
    if (e->data->offsets) {
        data->offsets = pvgi_alloc(nodes + 1, sizeof *data->offsets);
        data->columns = pvgi_alloc((size_t)size[1], sizeof *data->columns);
        data->degrees = pvgi_alloc(nodes, sizeof *data->degrees);
        h->numbers = pvgi_alloc((size_t)size[1], sizeof *h->numbers);
    }
    if (e->data->arc_weights) {
        data->arc_weights = pvgi_alloc((size_t)size[1], sizeof *data->arc_weights);
        data->arc_masks = e->data->arc_masks;
    }
    data->x_offsets = pvgi_alloc(nodes + 1, sizeof *data->x_offsets);
    data->x_indices = pvgi_alloc((size_t)size[2], sizeof *data->x_indices);
    data->x_values = pvgi_alloc((size_t)size[2], sizeof *data->x_values);
    h->starts = pvgi_alloc_zero((size_t)(*end - first + 1), sizeof *h->starts);
    h->classes = pvgi_alloc(nodes, sizeof *h->classes);
    h->nodes = pvgi_alloc(nodes, sizeof *h->nodes);
    if ((e->data->offsets &&
         (!data->offsets || !data->columns || !data->degrees || !h->numbers)) ||
        (e->data->arc_weights && !data->arc_weights) || !data->x_offsets ||
        !data->x_indices || !data->x_values || !h->starts || !h->classes || !h->nodes)
        return pvgi_fail_nomem();
    for (int64_t i = first; i < *end; i++) {
        pvgi_learn_ball_around(ball, pvgi_explain_node(e, i), hops, order);
        append(h, &arcs, &entries, ball, e->inner);
    }
    if (data->offsets) data->offsets[size[0]] = arcs;
    data->x_offsets[size[0]] = entries;
    return PVG_OK;
}

int32_t pvgi_learn_each_heap(const pvgi_explain *e, pvgi_heap_step step,
                             const pvgi_stream *stream, pvgi_run *run) {
    /* slopes of about 32 MB, and the same again for the rest of the tape; where rows are
     * mixed with all others, a ball has to be alone */
    const bool alone = pvgi_learn_reach(&e->model->network->program) < 0;
    const int64_t most = alone ? 1 : (INT64_C(1) << 22) / e->data->width + 1;
    pvgi_ball ball = {0};
    pvgi_heap *h = pvgi_alloc_zero(1, sizeof *h); /* too large for a stack */
    int32_t status;
    int64_t end = 0;
    if (!h) return pvgi_fail_nomem();
    PVGI_TRY_DONE(pvgi_run_reserve(run, pvgi_learn_ball_bytes(e->data)));
    PVGI_TRY_DONE(pvgi_learn_ball_open(&ball, e->data));
    for (int64_t first = 0; first < e->count; first = end) {
        PVGI_TRY_DONE(heap_fill(h, &end, e, &ball, first, most));
        const double whole = (double)e->count;
        const pvgi_phase before =
            pvgi_run_enter(run, (double)first / whole, (double)(end - first) / whole);
        status = step(e, h, stream, first, run);
        pvgi_run_leave(run, before);
        heap_free(h);
        if (status != PVG_OK) goto done;
    }
done:
    heap_free(h);
    pvgi_free(h);
    pvgi_learn_ball_close(&ball);
    return status;
}
