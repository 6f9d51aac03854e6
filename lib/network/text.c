/* Networks from text: words to stages, stages to operations on tensors of known shapes.
 *
 *   network = stage { "|" stage }
 *   stage   = "drop" P | map { modifier }
 *
 * The grammar is in network.h. Two rewrites are made here: A (X W) instead of (A X) W
 * where W narrows, and linear maps over neighbours without weights (kprop) move behind
 * the first weights that follow, so that wide sparse features are never expanded. */
#include "network/text/text.h"

#include <string.h>

/* --- modifiers -------------------------------------------------------------------- */

static int32_t normalise(pvgi_text_reader *r, pvgi_op_kind kind) {
    int32_t t = -1, moments = -1, scale = -1, shift = -1;
    pvgi_op *op = NULL;
    PVGI_TRY(pvgi_network_text_make_pending(r));
    const int64_t columns = r->columns;
    PVGI_TRY(pvgi_network_text_add_param(&scale, r->p, 1, columns, PVGI_INIT_ONE));
    PVGI_TRY(pvgi_network_text_add_param(&shift, r->p, 1, columns, PVGI_INIT_ZERO));
    if (kind == PVGI_OP_BATCH_NORM) {
        PVGI_TRY(pvgi_network_text_add_param(&moments, r->p, 2, columns, PVGI_INIT_ZERO));
        r->p->params[moments].trained = false;
        r->p->mixes = true;
    }
    PVGI_TRY(pvgi_network_text_map_to(&t, &op, r->p, kind, r->current, columns));
    op->param = scale;
    op->param2 = shift;
    op->moments = moments;
    pvgi_network_text_move_to(r, t);
    return PVG_OK;
}

static int32_t read_modifiers(pvgi_text_reader *r, int32_t before) {
    static const char *const acts[] = {"relu", "selu", "tanh", "elu", "sigmoid"};
    if (pvgi_network_text_stage_ends(r)) return PVG_OK;
    if (pvgi_network_text_take(r, "bn")) {
        PVGI_TRY(normalise(r, PVGI_OP_BATCH_NORM));
    } else if (pvgi_network_text_take(r, "ln")) {
        PVGI_TRY(normalise(r, PVGI_OP_LAYER_NORM));
    } else if (strcmp(pvgi_network_text_peek(r), "rownorm") == 0 ||
               strcmp(pvgi_network_text_peek(r), "project") == 0) {
        PVGI_TRY(pvgi_network_text_make_pending(r));
        int32_t t = r->current;
        PVGI_TRY(pvgi_network_text_scale_rows(
            &t, r->p, strcmp(pvgi_network_text_peek(r), "project") == 0));
        r->at++;
        pvgi_network_text_move_to(r, t);
    }
    for (int32_t i = 0; i < 5; i++)
        if (pvgi_network_text_take(r, acts[i])) {
            PVGI_TRY(pvgi_network_text_make_pending(r));
            PVGI_TRY(pvgi_network_text_activate(r->p, r->current, (pvgi_act)i));
            break;
        }
    if (pvgi_network_text_take(r, "skip")) {
        PVGI_TRY(pvgi_network_text_make_pending(r));
        if (before < 0)
            return pvgi_network_text_wrong_word(r, r->at - 1,
                                                "the features are not added to a stage");
        if (r->p->tensors[before].columns != r->columns ||
            r->p->tensors[before].domain != r->p->tensors[r->current].domain)
            return pvgi_network_text_wrong_word(
                r, r->at - 1, "input and output of the stage differ in shape");
        int32_t t = r->current;
        PVGI_TRY(pvgi_network_text_add_to(&t, r->p, before, 1));
        pvgi_network_text_move_to(r, t);
        if (pvgi_network_text_take(r, "ln")) PVGI_TRY(normalise(r, PVGI_OP_LAYER_NORM));
    }
    if (pvgi_network_text_take(r, "drop")) PVGI_TRY(pvgi_network_text_read_drop(r));
    if (!pvgi_network_text_stage_ends(r))
        return WRONG(r, "no modifier of this name here; they are, in this order: bn ln "
                        "rownorm project, relu selu tanh elu sigmoid, skip [ln], drop P");
    return PVG_OK;
}

static int32_t read_stage(pvgi_text_reader *r) {
    r->stage_start = r->at;
    if (pvgi_network_text_take(r, "drop")) {
        PVGI_TRY(pvgi_network_text_read_drop(r));
        if (!pvgi_network_text_stage_ends(r))
            return WRONG(r, "a stage of drop has no modifiers");
        return PVG_OK;
    }
    const int32_t before = r->current;
    PVGI_TRY(pvgi_network_text_read_map(r));
    PVGI_TRY(read_modifiers(r, before));
    if (r->p->output_count == PVGI_PROGRAM_OUTPUTS)
        return pvgi_network_text_wrong_word(r, r->stage_start, "more than 64 stages");
    /* -1: a stage that the next one takes in */
    const int32_t made = r->pending_rounds > 0 ? -1 : r->current;
    r->p->outputs[r->p->output_count++] = made;
    if (made >= 0) r->stages[r->stage_count++] = made;
    return PVG_OK;
}

static int32_t read_all(pvgi_text_reader *r) {
    for (int32_t i = 0; i < r->count; i++)
        if (strcmp(r->words[i].text, "jk") == 0) r->keep_stages = true;
    if (r->count == 0) return pvgi_network_text_wrong_word(r, 0, "no stage");
    for (;;) {
        PVGI_TRY(read_stage(r));
        if (r->at == r->count) break;
        r->at++; /* the bar */
        if (r->at == r->count)
            return pvgi_network_text_wrong_word(r, r->at, "a stage after | is missing");
    }
    PVGI_TRY(pvgi_network_text_make_pending(r));
    if (r->p->output_count == 0) return pvgi_network_text_wrong_word(r, 0, "no map");
    if (r->p->outputs[r->p->output_count - 1] < 0)
        r->p->outputs[r->p->output_count - 1] = r->current;
    if (r->columns != r->p->classes)
        return pvgi_fail(PVG_E_ARGUMENT,
                         "pvg_network_from_text: the last stage has %lld columns, but "
                         "there are %lld classes",
                         (long long)r->columns, (long long)r->p->classes);
    r->p->output = r->current;
    return PVG_OK;
}

/* --- loss and gradients ----------------------------------------------------------- */

int32_t pvgi_network_append_loss(pvgi_program *p, int64_t rounds) {
    pvgi_op *op = NULL;
    int32_t t = p->output, operation = 0;
    if (rounds > 0) {
        const int32_t logits = t;
        PVGI_TRY(pvgi_network_text_find_operator(&operation, p, PVGI_WEIGHTS_KPROP, 0));
        PVGI_TRY(
            pvgi_network_text_map_to(&t, &op, p, PVGI_OP_SOFTMAX, logits, p->classes));
        const int32_t even = t;
        PVGI_TRY(
            pvgi_network_text_map_to(&t, &op, p, PVGI_OP_CONSTANT, even, p->classes));
        for (int64_t k = 0; k < rounds; k++)
            PVGI_TRY(pvgi_network_text_aggregate(&t, p, operation));
    }
    PVGI_TRY(pvgi_network_text_add_op(&op, p, PVGI_OP_LOSS));
    op->in = t;
    return PVG_OK;
}

void pvgi_network_plan_gradients(pvgi_program *p, bool inputs) {
    bool arrived[PVGI_PROGRAM_OPS] = {false}, to_features = false;
    for (int32_t i = 0; i < p->tensor_count; i++) {
        p->tensors[i].learns = false;
        p->tensors[i].constant = true;
    }
    for (int32_t i = 0; i < p->op_count; i++) {
        const pvgi_op *op = &p->ops[i];
        if (op->out < 0) continue;
        pvgi_tensor *out = &p->tensors[op->out];
        const bool source = op->kind == PVGI_OP_INPUT || op->kind == PVGI_OP_SPARSE;
        if (op->param >= 0 || (source && inputs)) out->learns = true;
        if (op->in >= 0 && p->tensors[op->in].learns) out->learns = true;
        if (op->other >= 0 && p->tensors[op->other].learns) out->learns = true;
        if (op->param >= 0 || op->number != 0 || op->kind == PVGI_OP_PLACE ||
            op->kind == PVGI_OP_MEAN || (op->in >= 0 && !p->tensors[op->in].constant) ||
            (op->other >= 0 && !p->tensors[op->other].constant))
            out->constant = false;
    }
    for (int32_t i = p->op_count - 1; i >= 0; i--) {
        pvgi_op *op = &p->ops[i];
        op->silent = op->kind != PVGI_OP_LOSS && !arrived[op->out];
        if (op->kind == PVGI_OP_LOSS) arrived[op->in] = true;
        if (op->silent || op->kind == PVGI_OP_LOSS) continue;
        if (op->kind == PVGI_OP_SPARSE || op->kind == PVGI_OP_INPUT) {
            op->add_in = to_features;
            to_features = true;
        }
        if (op->in >= 0 && op->in != op->out) {
            op->add_in = arrived[op->in];
            arrived[op->in] = arrived[op->in] || p->tensors[op->in].learns;
        }
        if (op->other >= 0) {
            op->add_other = arrived[op->other];
            arrived[op->other] = arrived[op->other] || p->tensors[op->other].learns;
        }
    }
}

/* --- handles ---------------------------------------------------------------------- */

static int64_t count_parameters(const pvgi_program *p) {
    int64_t sum = 0;
    for (int32_t i = 0; i < p->param_count; i++)
        sum += p->params[i].rows * p->params[i].columns;
    return sum;
}

int32_t pvgi_network_parse(pvg_network **out, const char *text, int64_t inputs,
                           int64_t classes) {
    int32_t status = PVG_OK;
    pvgi_text_reader r = {.current = -1, .columns = inputs, .domain = PVGI_NODES};
    pvg_network *network = pvgi_alloc_zero(1, sizeof *network);
    r.words = pvgi_alloc_zero(PVGI_TEXT_WORDS, sizeof *r.words);
    if (network) network->text = pvgi_alloc(2 * strlen(text) + 1, 1);
    if (!network || !r.words || !network->text) {
        status = pvgi_fail_nomem();
        goto done;
    }
    network->program.inputs = inputs;
    network->program.classes = classes;
    r.p = &network->program;
    PVGI_TRY_DONE(pvgi_network_text_split_words(&r, text));
    PVGI_TRY_DONE(read_all(&r));
    char *to = network->text;
    for (int32_t i = 0; i < r.count; i++) {
        const size_t length = strlen(r.words[i].text);
        if (i) *to++ = ' ';
        memcpy(to, r.words[i].text, length);
        to += length;
    }
    *to = '\0';
    network->parameters = count_parameters(r.p);
    *out = network;
    network = NULL;
done:
    pvgi_free(r.words);
    pvgi_network_free(network);
    return status;
}

int32_t pvgi_network_copy(pvg_network **out, const pvg_network *network) {
    pvg_network *copy = pvgi_alloc(1, sizeof *copy);
    char *text = pvgi_alloc(strlen(network->text) + 1, 1);
    if (!copy || !text) {
        pvgi_free(copy);
        pvgi_free(text);
        return pvgi_fail_nomem();
    }
    *copy = *network;
    copy->text = strcpy(text, network->text);
    *out = copy;
    return PVG_OK;
}

void pvgi_network_free(pvg_network *network) {
    if (!network) return;
    pvgi_free(network->text);
    pvgi_free(network);
}
