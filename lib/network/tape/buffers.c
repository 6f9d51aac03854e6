/* Which tensors share memory: values and gradients of the same shape whose stages do not
 * meet, first come first served in the order of stages, which for intervals takes the
 * least number of buffers. Same shape, because what is behind the last column of a row
 * must stay zero. */
#include "plan.h"

/* What is read after a run, or in all of them, is its own. */
static bool is_kept(const pvgi_tape_plan *w, int gradient, int32_t tensor) {
    const pvgi_program *p = &w->t->program;
    if (gradient) return false;
    if (w->wish->keep_values || p->tensors[tensor].constant) return true;
    if (tensor == p->output) return true;
    for (int32_t i = 0; !w->wish->learn && i < p->output_count; i++)
        if (p->outputs[i] == tensor) return true;
    return false;
}

static bool same_shape(const pvgi_program *p, int32_t a, int32_t b) {
    return p->tensors[a].domain == p->tensors[b].domain &&
           p->tensors[a].columns == p->tensors[b].columns;
}

static void give_buffer(pvgi_tape_plan *w, int gradient, int32_t tensor) {
    const pvgi_program *p = &w->t->program;
    pvgi_tape_life *life = &w->lives[gradient][tensor];
    const bool kept = is_kept(w, gradient, tensor);
    const bool brief = gradient && p->tensors[tensor].domain == PVGI_ARCS;
    int32_t at = w->buffer_count;
    for (int32_t b = 0; !kept && b < w->buffer_count; b++)
        if (w->buffer_last[b] < life->first && w->buffer_short[b] == brief &&
            same_shape(p, w->buffer_like[b], tensor)) {
            at = b;
            break;
        }
    if (at == w->buffer_count) w->buffer_like[w->buffer_count++] = tensor;
    w->buffer_short[at] = brief;
    w->buffer_last[at] = kept ? INT32_MAX : life->last;
    life->buffer = at;
}

void pvgi_network_plan_buffers(pvgi_tape_plan *w) {
    const pvgi_tape *t = w->t;
    for (int32_t stage = 0; stage < t->stage_count; stage++)
        for (int gradient = 0; gradient < 2; gradient++)
            for (int32_t i = 0; i < t->program.tensor_count; i++)
                if (w->lives[gradient][i].first == stage) give_buffer(w, gradient, i);
}
