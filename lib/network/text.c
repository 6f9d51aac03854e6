/* Networks from text: words to stages, stages to operations on tensors of known shapes.
 *
 *   network = stage { "|" stage }
 *   stage   = "drop" P | map { modifier }
 *
 * The grammar is in network.h. Two rewrites are made here: A (X W) instead of (A X) W
 * where W narrows, and linear maps over neighbours without weights (kprop) move behind
 * the first weights that follow, so that wide sparse features are never expanded. */
#include "network_internal.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_BYTES = 32, WORDS_MAX = 512, ROUNDS_MAX = 64 };

typedef struct {
    char text[WORD_BYTES];
    int32_t place; /* first character, from 1 */
} word;

typedef struct {
    pvgi_program *p;
    word *words;
    int32_t count, at;
    int32_t stage_start;
    int32_t current;   /* tensor, -1: the features */
    int64_t columns;   /* of it */
    int32_t domain;    /* of it */
    double input_drop; /* of features that were not read yet */
    int32_t pending;   /* operator of kprop rounds not made yet */
    int64_t pending_rounds;
    bool keep_stages;                     /* jk occurs: every stage must exist */
    int32_t stages[PVGI_PROGRAM_OUTPUTS]; /* outputs of maps so far */
    int32_t stage_count;
} reader;

#define WRONG(r, ...) wrong_word(r, (r)->at, __VA_ARGS__)

static int32_t wrong_word(const reader *r, int32_t at, const char *reason) {
    if (at >= r->count)
        return pvgi_fail(PVG_E_ARGUMENT, "pvg_network_from_text: at the end: %s", reason);
    return pvgi_fail(PVG_E_ARGUMENT,
                     "pvg_network_from_text: word %d, \"%s\" at character %d: %s",
                     (int)at + 1, r->words[at].text, (int)r->words[at].place, reason);
}

/* --- words ------------------------------------------------------------------------ */

static int32_t split_words(reader *r, const char *text) {
    for (int32_t i = 0; text[i];) {
        if (isspace((unsigned char)text[i])) {
            i++;
            continue;
        }
        if (r->count == WORDS_MAX)
            return pvgi_fail(PVG_E_LIMIT, "pvg_network_from_text: more than %d words",
                             (int)WORDS_MAX);
        word *w = &r->words[r->count++];
        w->place = i + 1;
        int32_t length = 0;
        const bool bar = text[i] == '|';
        while (text[i] && !isspace((unsigned char)text[i]) && (bar || text[i] != '|')) {
            if (length == WORD_BYTES - 1) {
                w->text[length] = '\0';
                return wrong_word(r, r->count - 1, "too long");
            }
            const unsigned char c = (unsigned char)text[i];
            w->text[length++] = isprint(c) ? (char)c : '?';
            i++;
            if (bar) break;
        }
        w->text[length] = '\0';
    }
    return PVG_OK;
}

static const char *peek(const reader *r) {
    return r->at < r->count ? r->words[r->at].text : "|";
}

static bool stage_ends(const reader *r) {
    return strcmp(peek(r), "|") == 0;
}

static bool take(reader *r, const char *name) {
    if (strcmp(peek(r), name) != 0) return false;
    r->at++;
    return true;
}

/* A plain decimal number; strtod would read the host's locale. */
static bool read_number(double *out, const char *text) {
    double value = 0, scale = 1;
    bool digits = false, point = false;
    for (; *text; text++) {
        if (*text == '.' && !point) {
            point = true;
        } else if (*text >= '0' && *text <= '9') {
            digits = true;
            value = 10 * value + (*text - '0');
            if (point) scale *= 10;
        } else {
            return false;
        }
    }
    *out = value / scale;
    return digits && value < 1e15;
}

static int32_t take_probability(double *out, reader *r) {
    if (!read_number(out, peek(r)) || !(*out < 1))
        return WRONG(r, "expected a probability below 1");
    r->at++;
    return PVG_OK;
}

static int32_t take_whole(int64_t *out, reader *r, int64_t most, const char *reason) {
    double value;
    if (take(r, "classes"))
        *out = r->p->classes;
    else if (!read_number(&value, peek(r)) || value < 1 || value > (double)most ||
             floor(value) != value)
        return WRONG(r, reason);
    else {
        *out = (int64_t)value;
        r->at++;
    }
    return PVG_OK;
}

static int32_t take_width(int64_t *out, reader *r) {
    return take_whole(out, r, PVG_NETWORK_WIDTH_MAX,
                      "expected a number of columns, 1 to 4096, or classes");
}

/* name=value, if it is the next word. */
static int32_t take_setting(double *out, reader *r, const char *name, double least,
                            double most) {
    const size_t length = strlen(name);
    const char *text = peek(r);
    if (strncmp(text, name, length) != 0 || text[length] != '=') return PVG_OK;
    if (!read_number(out, text + length + 1) || *out < least || *out > most)
        return WRONG(r, "the number is malformed or out of range");
    r->at++;
    return PVG_OK;
}

/* --- building --------------------------------------------------------------------- */

static int32_t too_large(void) {
    return pvgi_fail(PVG_E_LIMIT, "pvg_network_from_text: more than %d operations",
                     (int)PVGI_PROGRAM_OPS);
}

static int32_t add_tensor(int32_t *out, pvgi_program *p, int32_t domain,
                          int64_t columns) {
    if (p->tensor_count == PVGI_PROGRAM_OPS) return too_large();
    *out = p->tensor_count++;
    p->tensors[*out] = (pvgi_tensor){.domain = (pvgi_domain)domain, .columns = columns};
    return PVG_OK;
}

static int32_t add_param(int32_t *out, pvgi_program *p, int64_t rows, int64_t columns,
                         pvgi_init init) {
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

static int32_t add_op(pvgi_op **out, pvgi_program *p, pvgi_op_kind kind) {
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
static int32_t map_to(int32_t *tensor, pvgi_op **op, pvgi_program *p, pvgi_op_kind kind,
                      int32_t in, int64_t columns) {
    const int32_t domain = in >= 0 ? (int32_t)p->tensors[in].domain : PVGI_NODES;
    PVGI_TRY(add_tensor(tensor, p, domain, columns));
    PVGI_TRY(add_op(op, p, kind));
    (*op)->in = in;
    (*op)->out = *tensor;
    return PVG_OK;
}

static int32_t find_operator(int32_t *out, pvgi_program *p, pvgi_weights weights,
                             double tau) {
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

static int32_t aggregate(int32_t *tensor, pvgi_program *p, int32_t operation) {
    pvgi_op *op = NULL;
    const int32_t in = *tensor;
    PVGI_TRY(map_to(tensor, &op, p, PVGI_OP_AGGREGATE, in, p->tensors[in].columns));
    op->choice = operation;
    return PVG_OK;
}

/* Features become a tensor; kprop rounds that wait are made. */
static int32_t settle(reader *r) {
    pvgi_op *op = NULL;
    if (r->current < 0) {
        PVGI_TRY(map_to(&r->current, &op, r->p, PVGI_OP_INPUT, -1, r->columns));
        op->number = r->input_drop;
    }
    for (; r->pending_rounds > 0; r->pending_rounds--)
        PVGI_TRY(aggregate(&r->current, r->p, r->pending));
    return PVG_OK;
}

/* *tensor = (what is there) W, kprop rounds that wait included; they keep waiting for the
 * second product of a map. */
static int32_t linear(int32_t *tensor, reader *r, int64_t width) {
    pvgi_op *op = NULL;
    int32_t param = -1;
    if (r->current >= 0 && width > r->columns) PVGI_TRY(settle(r));
    PVGI_TRY(add_param(&param, r->p, r->columns, width, PVGI_INIT_GLOROT));
    PVGI_TRY(map_to(tensor, &op, r->p, r->current < 0 ? PVGI_OP_SPARSE : PVGI_OP_DENSE,
                    r->current, width));
    op->param = param;
    if (r->current < 0) {
        op->number = r->input_drop;
        r->p->params[param].direct = true;
    }
    for (int64_t k = 0; k < r->pending_rounds; k++)
        PVGI_TRY(aggregate(tensor, r->p, r->pending));
    return PVG_OK;
}

static int32_t add_bias(pvgi_program *p, int32_t tensor) {
    pvgi_op *op = NULL;
    int32_t param = -1;
    PVGI_TRY(add_param(&param, p, 1, p->tensors[tensor].columns, PVGI_INIT_ZERO));
    PVGI_TRY(add_op(&op, p, PVGI_OP_BIAS));
    op->in = op->out = tensor;
    op->param = param;
    return PVG_OK;
}

static int32_t activate(pvgi_program *p, int32_t tensor, pvgi_act act) {
    pvgi_op *op = NULL;
    PVGI_TRY(add_op(&op, p, PVGI_OP_ACTIVATE));
    op->in = op->out = tensor;
    op->choice = (int32_t)act;
    return PVG_OK;
}

static int32_t add_to(int32_t *tensor, pvgi_program *p, int32_t other, double factor) {
    pvgi_op *op = NULL;
    const int32_t in = *tensor;
    PVGI_TRY(map_to(tensor, &op, p, PVGI_OP_ADD, in, p->tensors[in].columns));
    op->other = other;
    op->number = factor;
    return PVG_OK;
}

static void move_to(reader *r, int32_t tensor) {
    r->current = tensor;
    r->columns = r->p->tensors[tensor].columns;
    r->domain = (int32_t)r->p->tensors[tensor].domain;
    r->pending_rounds = 0;
}

static int32_t nodes_only(const reader *r, int32_t at) {
    return r->domain == PVGI_NODES
               ? PVG_OK
               : wrong_word(r, at, "nodes were pooled before: no neighbours are left");
}

/* --- maps ------------------------------------------------------------------------- */

static int32_t read_dense(reader *r) {
    int64_t width = 0;
    int32_t t = -1;
    PVGI_TRY(take_width(&width, r));
    PVGI_TRY(linear(&t, r, width));
    PVGI_TRY(add_bias(r->p, t));
    move_to(r, t);
    return PVG_OK;
}

static int32_t read_gcn(reader *r) {
    int64_t width = 0;
    int32_t t = -1, operation = 0;
    double tau = 1;
    PVGI_TRY(nodes_only(r, r->at - 1));
    PVGI_TRY(take_width(&width, r));
    PVGI_TRY(take_setting(&tau, r, "tau", 1, 1e9));
    PVGI_TRY(find_operator(&operation, r->p, PVGI_WEIGHTS_GCN, tau));
    if (r->current < 0 || width <= r->columns) {
        PVGI_TRY(linear(&t, r, width));
        PVGI_TRY(aggregate(&t, r->p, operation));
    } else {
        PVGI_TRY(settle(r));
        PVGI_TRY(aggregate(&r->current, r->p, operation));
        PVGI_TRY(linear(&t, r, width));
    }
    PVGI_TRY(add_bias(r->p, t));
    move_to(r, t);
    return PVG_OK;
}

static int32_t read_sage(reader *r) {
    int64_t width = 0;
    int32_t own = -1, mean = -1, operation = 0;
    PVGI_TRY(nodes_only(r, r->at - 1));
    PVGI_TRY(take_width(&width, r));
    PVGI_TRY(find_operator(&operation, r->p, PVGI_WEIGHTS_MEAN, 0));
    PVGI_TRY(linear(&own, r, width));
    if (r->current < 0 || width <= r->columns) {
        PVGI_TRY(linear(&mean, r, width));
        PVGI_TRY(aggregate(&mean, r->p, operation));
    } else {
        const int32_t before = r->current;
        PVGI_TRY(aggregate(&r->current, r->p, operation));
        PVGI_TRY(linear(&mean, r, width));
        r->current = before;
    }
    PVGI_TRY(add_to(&own, r->p, mean, 1));
    PVGI_TRY(add_bias(r->p, own));
    move_to(r, own);
    return PVG_OK;
}

/* ((1 + eps) X + A X) W1 = (1 + eps) Z + A Z with Z = X W1. */
static int32_t read_gin(reader *r) {
    int64_t width = 0, hidden;
    double given = 0;
    int32_t t = -1, sum, operation = 0;
    bool learn = false;
    PVGI_TRY(nodes_only(r, r->at - 1));
    PVGI_TRY(take_width(&width, r));
    PVGI_TRY(take_setting(&given, r, "hidden", 1, PVG_NETWORK_WIDTH_MAX));
    if (take(r, "eps=learn")) learn = true;
    hidden = given > 0 ? (int64_t)given : width;
    PVGI_TRY(find_operator(&operation, r->p, PVGI_WEIGHTS_SUM, 0));
    PVGI_TRY(linear(&t, r, hidden));
    sum = t;
    PVGI_TRY(aggregate(&sum, r->p, operation));
    PVGI_TRY(add_to(&sum, r->p, t, 1));
    if (learn)
        PVGI_TRY(
            add_param(&r->p->ops[r->p->op_count - 1].param, r->p, 1, 1, PVGI_INIT_ZERO));
    PVGI_TRY(add_bias(r->p, sum));
    PVGI_TRY(activate(r->p, sum, PVGI_ACT_RELU));
    move_to(r, sum);
    PVGI_TRY(linear(&t, r, width));
    PVGI_TRY(add_bias(r->p, t));
    move_to(r, t);
    return PVG_OK;
}

/* Attention over a row and its self loop. The last stage, whose columns are the classes,
 * has that many for each head and averages heads. */
static int32_t read_gat(reader *r) {
    int64_t width = 0;
    double heads = 1;
    int32_t h = -1, own = -1, far = -1, alpha = -1, t = -1, param = -1;
    pvgi_op *op = NULL;
    const int32_t at = r->at;
    PVGI_TRY(nodes_only(r, at - 1));
    PVGI_TRY(take_width(&width, r));
    PVGI_TRY(take_setting(&heads, r, "heads", 1, 64));
    const int64_t count = (int64_t)heads;
    const bool average = strcmp(r->words[at].text, "classes") == 0 && count > 1;
    if ((double)count != heads) return wrong_word(r, at, "heads must be a whole number");
    if (average)
        width *= count;
    else if (width % count != 0)
        return wrong_word(r, at, "the columns cannot be shared evenly among the heads");
    r->p->needs_graph = r->p->mixes = true;
    PVGI_TRY(linear(&h, r, width));
    PVGI_TRY(map_to(&own, &op, r->p, PVGI_OP_HEAD_DOT, h, count));
    op->choice = (int32_t)count;
    const int32_t first = r->p->op_count - 1;
    PVGI_TRY(add_param(&param, r->p, 1, width, PVGI_INIT_GLOROT));
    r->p->ops[first].param = param;
    r->p->params[param].fan = (double)(width / count) + 1;
    PVGI_TRY(map_to(&far, &op, r->p, PVGI_OP_HEAD_DOT, h, count));
    op->choice = (int32_t)count;
    PVGI_TRY(add_param(&param, r->p, 1, width, PVGI_INIT_GLOROT));
    r->p->ops[first + 1].param = param;
    r->p->params[param].fan = (double)(width / count) + 1;
    PVGI_TRY(map_to(&alpha, &op, r->p, PVGI_OP_EDGE_SOFTMAX, own, count));
    r->p->tensors[alpha].domain = PVGI_ARCS;
    op->other = far;
    op->choice = (int32_t)count;
    PVGI_TRY(map_to(&t, &op, r->p, PVGI_OP_EDGE_AGGREGATE, h, width));
    op->other = alpha;
    op->choice = (int32_t)count;
    if (average) {
        const int32_t in = t;
        PVGI_TRY(map_to(&t, &op, r->p, PVGI_OP_HEAD_MEAN, in, width / count));
        op->choice = (int32_t)count;
    }
    PVGI_TRY(add_bias(r->p, t));
    move_to(r, t);
    return PVG_OK;
}

static int32_t read_kprop(reader *r) {
    int64_t rounds = 0;
    PVGI_TRY(nodes_only(r, r->at - 1));
    PVGI_TRY(take_whole(&rounds, r, ROUNDS_MAX, "expected a number of rounds, 1 to 64"));
    if (r->pending_rounds + rounds > ROUNDS_MAX)
        return wrong_word(r, r->at - 1, "more than 64 rounds in a row");
    PVGI_TRY(find_operator(&r->pending, r->p, PVGI_WEIGHTS_KPROP, 0));
    r->pending_rounds += rounds;
    if (r->keep_stages || !stage_ends(r)) PVGI_TRY(settle(r));
    return PVG_OK;
}

/* out = s in + t mean(other). */
static int32_t mix_mean(int32_t *tensor, pvgi_program *p, int32_t other, double s,
                        double t) {
    pvgi_op *op = NULL;
    const int32_t in = *tensor;
    PVGI_TRY(map_to(tensor, &op, p, PVGI_OP_MEAN, in, p->tensors[in].columns));
    op->other = other;
    op->number = s;
    op->second = t;
    p->mixes = true;
    return PVG_OK;
}

static int32_t scale_rows(int32_t *tensor, pvgi_program *p, int32_t rule) {
    pvgi_op *op = NULL;
    const int32_t in = *tensor;
    PVGI_TRY(map_to(tensor, &op, p, PVGI_OP_ROWS, in, p->tensors[in].columns));
    op->choice = rule;
    return PVG_OK;
}

/* X_(k+1) = c ((1 - a) A^ P(X_k) + a Mean P(X_k)) + b P(X_0). */
static int32_t read_pcmp(reader *r) {
    int64_t rounds = 0;
    double c = .9, a = 0, b = 0, tau = 1;
    int32_t operation = 0, start = -1;
    PVGI_TRY(nodes_only(r, r->at - 1));
    PVGI_TRY(take_whole(&rounds, r, ROUNDS_MAX, "expected a number of layers, 1 to 64"));
    PVGI_TRY(take_setting(&c, r, "c", 0, 1));
    PVGI_TRY(take_setting(&a, r, "a", 0, 1));
    PVGI_TRY(take_setting(&b, r, "b", 0, 1));
    PVGI_TRY(take_setting(&tau, r, "tau", 1, 1e9));
    PVGI_TRY(find_operator(&operation, r->p, PVGI_WEIGHTS_GCN, tau));
    PVGI_TRY(settle(r));
    int32_t t = r->current;
    for (int64_t k = 0; k < rounds; k++) {
        int32_t projected = t;
        PVGI_TRY(scale_rows(&projected, r->p, 1));
        if (k == 0) start = projected;
        t = projected;
        PVGI_TRY(aggregate(&t, r->p, operation));
        PVGI_TRY(mix_mean(&t, r->p, projected, c * (1 - a), c * a));
        if (b > 0) PVGI_TRY(add_to(&t, r->p, start, b));
    }
    move_to(r, t);
    return PVG_OK;
}

/* The sum over neighbours; with debias=F that of a graph each of whose pairs was flipped
 * with probability F: (B x - F (sum of all x - x)) / (1 - 2 F). */
static int32_t read_sum(reader *r) {
    double f = 0;
    int32_t operation = 0;
    PVGI_TRY(nodes_only(r, r->at - 1));
    PVGI_TRY(take_setting(&f, r, "debias", 0, .499));
    PVGI_TRY(find_operator(&operation, r->p, PVGI_WEIGHTS_SUM, 0));
    PVGI_TRY(settle(r));
    int32_t t = r->current;
    const int32_t x = t;
    PVGI_TRY(aggregate(&t, r->p, operation));
    if (f > 0) {
        PVGI_TRY(add_to(&t, r->p, x, f));
        /* times the number of nodes, when that is known: choice 1 */
        PVGI_TRY(mix_mean(&t, r->p, x, 1 / (1 - 2 * f), -f / (1 - 2 * f)));
        r->p->ops[r->p->op_count - 1].choice = 1;
    }
    move_to(r, t);
    return PVG_OK;
}

static int32_t concatenate(int32_t *out, reader *r, const int32_t *parts, int32_t count) {
    int64_t columns = 0;
    for (int32_t i = 0; i < count; i++) columns += r->p->tensors[parts[i]].columns;
    if (columns > PVG_NETWORK_WIDTH_MAX)
        return wrong_word(r, r->stage_start, "more than 4096 columns side by side");
    PVGI_TRY(add_tensor(out, r->p, (int32_t)r->p->tensors[parts[0]].domain, columns));
    int64_t offset = 0;
    for (int32_t i = 0; i < count; i++) {
        pvgi_op *op = NULL;
        PVGI_TRY(add_op(&op, r->p, PVGI_OP_PLACE));
        op->in = parts[i];
        op->out = *out;
        op->offset = offset;
        offset += r->p->tensors[parts[i]].columns;
    }
    return PVG_OK;
}

/* One dense map for each of K states side by side. */
static int32_t read_hops(reader *r) {
    int64_t states = 0, width = 0;
    int32_t parts[ROUNDS_MAX], t = -1;
    const int32_t at = r->at;
    PVGI_TRY(take_whole(&states, r, ROUNDS_MAX, "expected a number of states, 1 to 64"));
    PVGI_TRY(take_width(&width, r));
    if (r->columns % states != 0)
        return wrong_word(r, at, "the columns cannot be shared evenly among the states");
    PVGI_TRY(settle(r));
    const int32_t whole = r->current;
    const int64_t share = r->columns / states;
    for (int64_t k = 0; k < states; k++) {
        pvgi_op *op = NULL;
        PVGI_TRY(map_to(&r->current, &op, r->p, PVGI_OP_SLICE, whole, share));
        op->offset = k * share;
        r->columns = share;
        PVGI_TRY(linear(&parts[k], r, width));
        PVGI_TRY(add_bias(r->p, parts[k]));
    }
    PVGI_TRY(concatenate(&t, r, parts, (int32_t)states));
    move_to(r, t);
    return PVG_OK;
}

static int32_t read_jk(reader *r) {
    int32_t t = -1;
    const int32_t at = r->at;
    if (r->stage_count == 0) return wrong_word(r, at - 1, "no stage before it");
    for (int32_t i = 0; i < r->stage_count; i++)
        if (r->p->tensors[r->stages[i]].domain != r->p->tensors[r->stages[0]].domain)
            return wrong_word(r, at - 1, "stages before and after a pool do not fit");
    if (take(r, "cat")) {
        PVGI_TRY(concatenate(&t, r, r->stages, r->stage_count));
    } else if (take(r, "max")) {
        t = r->stages[0];
        for (int32_t i = 1; i < r->stage_count; i++) {
            pvgi_op *op = NULL;
            const int32_t in = t, other = r->stages[i];
            if (r->p->tensors[other].columns != r->p->tensors[in].columns)
                return wrong_word(r, at, "stages have different numbers of columns");
            PVGI_TRY(
                map_to(&t, &op, r->p, PVGI_OP_MAXIMUM, in, r->p->tensors[in].columns));
            op->other = other;
        }
        if (r->stage_count == 1) { /* a copy, since modifiers work in place */
            PVGI_TRY(concatenate(&t, r, r->stages, 1));
        }
    } else {
        return WRONG(r, "expected cat or max");
    }
    move_to(r, t);
    return PVG_OK;
}

static int32_t read_pool(reader *r) {
    static const char *const names[] = {"sum", "mean", "max"};
    int32_t rule = -1, t = -1;
    pvgi_op *op = NULL;
    PVGI_TRY(nodes_only(r, r->at - 1));
    for (int32_t i = 0; i < 3; i++)
        if (rule < 0 && take(r, names[i])) rule = i;
    if (rule < 0) return WRONG(r, "expected sum, mean or max");
    PVGI_TRY(settle(r));
    PVGI_TRY(map_to(&t, &op, r->p, PVGI_OP_POOL, r->current, r->columns));
    r->p->tensors[t].domain = PVGI_GRAPHS;
    op->choice = rule;
    r->p->pools = r->p->mixes = true;
    move_to(r, t);
    return PVG_OK;
}

static int32_t read_drop(reader *r) {
    double p = 0;
    int32_t t = -1;
    pvgi_op *op = NULL;
    PVGI_TRY(take_probability(&p, r));
    if (r->current < 0 && r->pending_rounds == 0) {
        r->input_drop = 1 - (1 - r->input_drop) * (1 - p);
        return PVG_OK;
    }
    PVGI_TRY(settle(r));
    if (p == 0) return PVG_OK;
    PVGI_TRY(map_to(&t, &op, r->p, PVGI_OP_DROPOUT, r->current, r->columns));
    op->number = p;
    move_to(r, t);
    return PVG_OK;
}

static const struct {
    const char *name;
    int32_t (*read)(reader *r);
} maps[] = {{"dense", read_dense}, {"gcn", read_gcn},  {"sage", read_sage},
            {"gin", read_gin},     {"gat", read_gat},  {"kprop", read_kprop},
            {"pcmp", read_pcmp},   {"sum", read_sum},  {"hops", read_hops},
            {"jk", read_jk},       {"pool", read_pool}};

/* --- modifiers -------------------------------------------------------------------- */

static int32_t normalise(reader *r, pvgi_op_kind kind) {
    int32_t t = -1, moments = -1, scale = -1, shift = -1;
    pvgi_op *op = NULL;
    PVGI_TRY(settle(r));
    const int64_t columns = r->columns;
    PVGI_TRY(add_param(&scale, r->p, 1, columns, PVGI_INIT_ONE));
    PVGI_TRY(add_param(&shift, r->p, 1, columns, PVGI_INIT_ZERO));
    if (kind == PVGI_OP_BATCH_NORM) {
        PVGI_TRY(add_param(&moments, r->p, 2, columns, PVGI_INIT_ZERO));
        r->p->params[moments].trained = false;
        r->p->mixes = true;
    }
    PVGI_TRY(map_to(&t, &op, r->p, kind, r->current, columns));
    op->param = scale;
    op->param2 = shift;
    op->moments = moments;
    move_to(r, t);
    return PVG_OK;
}

static int32_t read_modifiers(reader *r, int32_t before) {
    static const char *const acts[] = {"relu", "selu", "tanh", "elu", "sigmoid"};
    if (stage_ends(r)) return PVG_OK;
    if (take(r, "bn")) {
        PVGI_TRY(normalise(r, PVGI_OP_BATCH_NORM));
    } else if (take(r, "ln")) {
        PVGI_TRY(normalise(r, PVGI_OP_LAYER_NORM));
    } else if (strcmp(peek(r), "rownorm") == 0 || strcmp(peek(r), "project") == 0) {
        PVGI_TRY(settle(r));
        int32_t t = r->current;
        PVGI_TRY(scale_rows(&t, r->p, strcmp(peek(r), "project") == 0));
        r->at++;
        move_to(r, t);
    }
    for (int32_t i = 0; i < 5; i++)
        if (take(r, acts[i])) {
            PVGI_TRY(settle(r));
            PVGI_TRY(activate(r->p, r->current, (pvgi_act)i));
            break;
        }
    if (take(r, "skip")) {
        PVGI_TRY(settle(r));
        if (before < 0)
            return wrong_word(r, r->at - 1, "the features are not added to a stage");
        if (r->p->tensors[before].columns != r->columns ||
            r->p->tensors[before].domain != r->p->tensors[r->current].domain)
            return wrong_word(r, r->at - 1,
                              "input and output of the stage differ in shape");
        int32_t t = r->current;
        PVGI_TRY(add_to(&t, r->p, before, 1));
        move_to(r, t);
    }
    if (take(r, "drop")) PVGI_TRY(read_drop(r));
    if (!stage_ends(r))
        return WRONG(r, "no modifier of this name here; they are, in this order: bn ln "
                        "rownorm project, relu selu tanh elu sigmoid, skip, drop P");
    return PVG_OK;
}

static int32_t read_stage(reader *r) {
    r->stage_start = r->at;
    if (take(r, "drop")) {
        PVGI_TRY(read_drop(r));
        if (!stage_ends(r)) return WRONG(r, "a stage of drop has no modifiers");
        return PVG_OK;
    }
    size_t m = 0;
    while (m < sizeof maps / sizeof *maps && strcmp(maps[m].name, peek(r)) != 0) m++;
    if (m == sizeof maps / sizeof *maps)
        return WRONG(r,
                     "no such map; they are dense gcn sage gin gat kprop pcmp sum hops "
                     "jk pool, and drop");
    r->at++;
    const int32_t before = r->current;
    PVGI_TRY(maps[m].read(r));
    PVGI_TRY(read_modifiers(r, before));
    if (r->p->output_count == PVGI_PROGRAM_OUTPUTS)
        return wrong_word(r, r->stage_start, "more than 64 stages");
    /* -1: a stage that the next one takes in */
    const int32_t made = r->pending_rounds > 0 ? -1 : r->current;
    r->p->outputs[r->p->output_count++] = made;
    if (made >= 0) r->stages[r->stage_count++] = made;
    return PVG_OK;
}

static int32_t read_all(reader *r) {
    for (int32_t i = 0; i < r->count; i++)
        if (strcmp(r->words[i].text, "jk") == 0) r->keep_stages = true;
    if (r->count == 0) return wrong_word(r, 0, "no stage");
    for (;;) {
        PVGI_TRY(read_stage(r));
        if (r->at == r->count) break;
        r->at++; /* the bar */
        if (r->at == r->count) return wrong_word(r, r->at, "a stage after | is missing");
    }
    PVGI_TRY(settle(r));
    if (r->p->output_count == 0) return wrong_word(r, 0, "no map");
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
        PVGI_TRY(find_operator(&operation, p, PVGI_WEIGHTS_KPROP, 0));
        PVGI_TRY(map_to(&t, &op, p, PVGI_OP_SOFTMAX, logits, p->classes));
        const int32_t even = t;
        PVGI_TRY(map_to(&t, &op, p, PVGI_OP_CONSTANT, even, p->classes));
        for (int64_t k = 0; k < rounds; k++) PVGI_TRY(aggregate(&t, p, operation));
    }
    PVGI_TRY(add_op(&op, p, PVGI_OP_LOSS));
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
    reader r = {.current = -1, .columns = inputs, .domain = PVGI_NODES};
    pvg_network *network = pvgi_alloc_zero(1, sizeof *network);
    r.words = pvgi_alloc_zero(WORDS_MAX, sizeof *r.words);
    if (network) network->text = pvgi_alloc(2 * strlen(text) + 1, 1);
    if (!network || !r.words || !network->text) {
        status = pvgi_fail_nomem();
        goto done;
    }
    network->program.inputs = inputs;
    network->program.classes = classes;
    r.p = &network->program;
    PVGI_TRY_DONE(split_words(&r, text));
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
