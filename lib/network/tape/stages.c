/* Which steps run side by side, where all threads must meet, and from which stage to
 * which a tensor is needed.
 *
 * One table says for each step of an operation what it reads of its own rows, what it
 * gathers from other rows, and what it writes; one walk makes stages of it. */
#include "plan.h"

#include <string.h>

enum {
    V_IN = 1,
    V_OTHER = 2,
    V_OUT = 4,
    G_IN = 8,
    G_OTHER = 16,
    G_OUT = 32,
    SUMS = 64,  /* partial sums of the operation, or its scratch */
    PARAM = 128 /* gradient of its weights */
};

typedef struct {
    uint8_t reads, gathers, writes;
} touches;

/* Steps of both directions by part. What writes nothing is no step. */
typedef struct {
    touches forward[2], backward[2];
    bool on_nodes;   /* backward, whatever the rows of out are */
    bool last_first; /* backward, part 1 runs before part 0 */
} step_rule;

#define MAP(forward_reads, backward_reads, backward_writes)                              \
    {                                                                                    \
        .forward = {{forward_reads, 0, V_OUT}}, .backward = {                            \
            {(backward_reads) | G_OUT, 0, backward_writes}                               \
        }                                                                                \
    }

static const step_rule step_rules[PVGI_OP_KINDS] = {
    /* part 0 of the features by column, part 1 to the features */
    [PVGI_OP_SPARSE] = {.forward = {{0, 0, V_OUT}},
                        .backward = {{0, G_OUT, PARAM}, {G_OUT, 0, SUMS}},
                        .last_first = true},
    [PVGI_OP_INPUT] = {.forward = {{0, 0, V_OUT}}, .backward = {{0}, {G_OUT, 0, SUMS}}},
    [PVGI_OP_DENSE] = MAP(V_IN, V_IN, G_IN | PARAM),
    [PVGI_OP_BIAS] = MAP(V_IN, 0, G_IN | PARAM),
    [PVGI_OP_ACTIVATE] = MAP(V_IN, V_OUT, G_IN),
    [PVGI_OP_DROPOUT] = MAP(V_IN, 0, G_IN),
    /* part 1 to the arcs */
    [PVGI_OP_AGGREGATE] = {.forward = {{0, V_IN, V_OUT}},
                           .backward = {{0, G_OUT, G_IN}, {G_OUT, V_IN, SUMS}},
                           .last_first = true},
    [PVGI_OP_ADD] = MAP(V_IN | V_OTHER, V_OTHER, G_IN | G_OTHER | PARAM),
    [PVGI_OP_MEAN] = {.forward = {{V_OTHER, 0, SUMS}, {V_IN, SUMS, V_OUT}},
                      .backward = {{G_OUT, 0, G_IN | SUMS}, {0, SUMS, G_OTHER}}},
    [PVGI_OP_PLACE] = MAP(V_IN, 0, G_IN),
    [PVGI_OP_SLICE] = MAP(V_IN, 0, G_IN),
    [PVGI_OP_MAXIMUM] = MAP(V_IN | V_OTHER, V_IN | V_OTHER, G_IN | G_OTHER),
    [PVGI_OP_ROWS] = MAP(V_IN, V_IN, G_IN),
    [PVGI_OP_BATCH_NORM] = {.forward = {{V_IN, 0, SUMS}, {V_IN, SUMS, V_OUT}},
                            .backward = {{V_IN | G_OUT, 0, SUMS | PARAM},
                                         {V_IN | G_OUT, SUMS, G_IN}}},
    [PVGI_OP_LAYER_NORM] = MAP(V_IN, V_IN, G_IN | PARAM),
    [PVGI_OP_HEAD_DOT] = MAP(V_IN, V_IN, G_IN | PARAM),
    [PVGI_OP_HEAD_MEAN] = MAP(V_IN, 0, G_IN),
    [PVGI_OP_EDGE_SOFTMAX] = {.forward = {{V_IN, V_OTHER, V_OUT}},
                              .backward = {{G_OUT, V_OUT, G_IN | G_OTHER}},
                              .on_nodes = true},
    [PVGI_OP_EDGE_AGGREGATE] = {.forward = {{V_OTHER, V_IN, V_OUT}},
                                .backward = {{V_OTHER | G_OUT, 0, G_OUT | G_OTHER | SUMS},
                                             {V_IN, V_OTHER | G_OUT | G_OTHER | SUMS,
                                              V_OTHER | G_IN | G_OTHER}}},
    [PVGI_OP_COMPARE] = {.forward = {{0, V_IN, V_OUT}},
                         .backward = {{G_OUT, V_IN, G_IN | SUMS | PARAM},
                                      {0, V_IN | G_OUT | SUMS, G_IN}}},
    [PVGI_OP_SOFTMAX] = MAP(V_IN, V_OUT, G_IN),
    [PVGI_OP_CONSTANT] = MAP(V_IN, 0, G_IN),
    [PVGI_OP_POOL] = {.forward = {{0, V_IN, V_OUT}},
                      .backward = {{0, G_OUT, G_IN}},
                      .on_nodes = true},
    [PVGI_OP_ATTEND] = {.forward = {{0, V_IN, V_OUT}},
                        .backward = {{G_OUT, V_IN, G_IN | SUMS},
                                     {0, V_IN | G_OUT | SUMS, G_IN}}},
    [PVGI_OP_LINKS] = {.forward = {{0, V_IN, V_OUT}}, .backward = {{0, G_OUT, G_IN}}},
    [PVGI_OP_PAIR] = {.forward = {{0, V_IN, V_OUT}},
                      .backward = {{0, V_IN | G_OUT, G_IN}},
                      .on_nodes = true},
    [PVGI_OP_GIVEN] = {.forward = {{0, 0, V_OUT}}},
    [PVGI_OP_LOSS] = {.forward = {{V_IN, 0, G_IN}}}};
#undef MAP

static void close_stage(pvgi_tape_plan *w) {
    w->open = false;
    memset(w->written, 0, sizeof w->written);
    memset(w->summed, 0, sizeof w->summed);
}

static void add_step(pvgi_tape_plan *w, int32_t op, pvgi_pass pass, int32_t part,
                     int64_t rows, int64_t chunk) {
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

/* The tensors of an operation that a set of bits means, value or gradient; -1: none. */
static int32_t touched(const pvgi_op *op, uint8_t bit, int *gradient) {
    *gradient = bit >= G_IN;
    return bit == V_IN || bit == G_IN         ? op->in
           : bit == V_OTHER || bit == G_OTHER ? op->other
                                              : op->out;
}

static void live_now(pvgi_tape_plan *w, int gradient, int32_t tensor) {
    pvgi_tape_life *life = &w->lives[gradient][tensor];
    const int32_t now = w->t->stage_count - 1;
    if (life->first < 0) life->first = now;
    life->last = now;
}

static bool wants(const pvgi_program *p, const pvgi_op *op, const touches *x) {
    return (x->writes & (SUMS | G_OUT)) || ((x->writes & PARAM) && op->param >= 0) ||
           ((x->writes & G_IN) && op->in >= 0 && p->tensors[op->in].learns) ||
           ((x->writes & G_OTHER) && op->other >= 0 && p->tensors[op->other].learns);
}

/* One step: the stage before ends if it wrote what this one gathers. */
static void plan_step(pvgi_tape_plan *w, int32_t o, pvgi_pass pass, int32_t part,
                      const touches *x, int64_t rows, int64_t chunk) {
    const pvgi_program *p = &w->t->program;
    const pvgi_op *op = &p->ops[o];
    int gradient;
    for (int bit = V_IN; bit <= G_OUT; bit <<= 1) {
        const int32_t tensor = touched(op, (uint8_t)bit, &gradient);
        if ((x->gathers & bit) && (w->written[tensor] & (gradient ? G_OUT : V_OUT)))
            close_stage(w);
    }
    if ((x->gathers & SUMS) && w->summed[o]) close_stage(w);
    add_step(w, o, pass, part, rows, chunk);
    for (int bit = V_IN; bit <= G_OUT; bit <<= 1) {
        const int32_t tensor = touched(op, (uint8_t)bit, &gradient);
        if (tensor < 0 || !((x->reads | x->gathers | x->writes) & bit)) continue;
        /* a gradient that nobody wants is not written */
        if (gradient && op->kind != PVGI_OP_LOSS && !p->tensors[tensor].learns) continue;
        live_now(w, gradient, tensor);
        if (x->writes & bit) w->written[tensor] |= gradient ? G_OUT : V_OUT;
    }
    /* a mean with weight 0 is not looked at */
    if (x->writes & SUMS) w->summed[o] = op->kind != PVGI_OP_MEAN || op->second != 0;
}

/* Steps that the rules have, but this tape does not need. */
static bool idle(const pvgi_tape_plan *w, const pvgi_op *op, pvgi_pass pass,
                 int32_t part) {
    if (pass == PVGI_PASS_FORWARD)
        return op->kind == PVGI_OP_MEAN && part == 0 && op->second == 0;
    if (part == 1 && (op->kind == PVGI_OP_SPARSE || op->kind == PVGI_OP_INPUT))
        return !w->wish->input_gradient;
    return part == 1 && op->kind == PVGI_OP_AGGREGATE && !w->wish->arc_gradient;
}

static void plan_op(pvgi_tape_plan *w, int32_t o, pvgi_pass pass) {
    pvgi_tape *t = w->t;
    const pvgi_program *p = &t->program;
    const pvgi_op *op = &p->ops[o];
    const step_rule *rule = &step_rules[op->kind];
    const bool back = pass == PVGI_PASS_BACKWARD;
    if (back && (op->kind == PVGI_OP_LOSS || op->silent || !p->tensors[op->out].learns))
        return;
    const pvgi_domain domain = p->tensors[op->out >= 0 ? op->out : op->in].domain;
    const bool nodes = (back && rule->on_nodes) || domain == PVGI_ARCS;
    const int64_t rows = nodes                   ? t->nodes
                         : domain == PVGI_GRAPHS ? t->graphs
                         : domain == PVGI_PAIRS  ? t->pairs
                                                 : t->nodes;
    const int64_t chunk = nodes                   ? t->node_chunk
                          : domain == PVGI_GRAPHS ? t->graph_chunk
                          : domain == PVGI_PAIRS  ? t->pair_chunk
                                                  : t->node_chunk;
    for (int32_t i = 0; i < 2; i++) {
        const int32_t part = back && rule->last_first ? 1 - i : i;
        const touches *x = back ? &rule->backward[part] : &rule->forward[part];
        if (x->writes == 0 || idle(w, op, pass, part)) continue;
        if (back && !wants(p, op, x)) continue;
        if (back && op->kind == PVGI_OP_SPARSE && part == 0) {
            close_stage(w);
            plan_step(w, o, pass, part, x, p->inputs, t->x_chunk);
            close_stage(w);
        } else {
            plan_step(w, o, pass, part, x, rows, chunk);
        }
    }
    /* also looked at when a loss of targets smoothed over the graph is not learnt from */
    if (op->kind == PVGI_OP_LOSS) live_now(w, 0, p->output);
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

void pvgi_network_plan_stages(pvgi_tape *t, pvgi_tape_plan *w,
                              const pvgi_tape_wish *wish) {
    const pvgi_program *p = &t->program;
    *w = (pvgi_tape_plan){.t = t, .wish = wish};
    for (int32_t i = 0; i < p->tensor_count; i++)
        w->lives[0][i].first = w->lives[1][i].first = -1;
    for (int constant = 1; constant >= 0; constant--) {
        for (int32_t o = 0; o < p->op_count; o++)
            if ((p->ops[o].out >= 0 && p->tensors[p->ops[o].out].constant) == constant)
                plan_op(w, o, PVGI_PASS_FORWARD);
        close_stage(w);
        if (constant) t->constant_stages = t->stage_count;
    }
    t->forward_stages = t->stage_count;
    if (wish->learn) {
        add_step(w, 0, PVGI_PASS_TRANSPOSE, 0, p->op_count, 1);
        close_stage(w);
        for (int32_t o = p->op_count - 1; o >= 0; o--) plan_op(w, o, PVGI_PASS_BACKWARD);
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
