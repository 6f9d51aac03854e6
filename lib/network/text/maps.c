/* Stages that make new columns, one function each, and their table. */
#include "text.h"

#include <stdio.h>
#include <string.h>

enum { ROUNDS_MAX = 64, GIN_FEW = 16, GIN_HIDDEN = 64 };

static int32_t read_dense(pvgi_text_reader *r) {
    int64_t width = 0;
    int32_t t = -1;
    PVGI_TRY(pvgi_network_text_take_width(&width, r));
    PVGI_TRY(pvgi_network_text_linear(&t, r, width));
    PVGI_TRY(pvgi_network_text_add_bias(r->p, t));
    pvgi_network_text_move_to(r, t);
    return PVG_OK;
}

static int32_t read_gcn(pvgi_text_reader *r) {
    int64_t width = 0;
    int32_t t = -1, operation = 0;
    double tau = 1;
    PVGI_TRY(pvgi_network_text_nodes_only(r, r->at - 1));
    PVGI_TRY(pvgi_network_text_take_width(&width, r));
    PVGI_TRY(pvgi_network_text_take_setting(&tau, r, "tau", 1, 1e9));
    PVGI_TRY(pvgi_network_text_find_operator(&operation, r->p, PVGI_WEIGHTS_GCN, tau));
    if (r->current < 0 || width <= r->columns) {
        PVGI_TRY(pvgi_network_text_linear(&t, r, width));
        PVGI_TRY(pvgi_network_text_aggregate(&t, r->p, operation));
    } else {
        PVGI_TRY(pvgi_network_text_make_pending(r));
        PVGI_TRY(pvgi_network_text_aggregate(&r->current, r->p, operation));
        PVGI_TRY(pvgi_network_text_linear(&t, r, width));
    }
    PVGI_TRY(pvgi_network_text_add_bias(r->p, t));
    pvgi_network_text_move_to(r, t);
    return PVG_OK;
}

/* X W1 + (neighbours of X, weighted) W2. */
static int32_t read_own_and_far(pvgi_text_reader *r, pvgi_weights weights) {
    int64_t width = 0;
    int32_t own = -1, mean = -1, operation = 0;
    PVGI_TRY(pvgi_network_text_nodes_only(r, r->at - 1));
    PVGI_TRY(pvgi_network_text_take_width(&width, r));
    PVGI_TRY(pvgi_network_text_find_operator(&operation, r->p, weights, 0));
    PVGI_TRY(pvgi_network_text_linear(&own, r, width));
    if (r->current < 0 || width <= r->columns) {
        PVGI_TRY(pvgi_network_text_linear(&mean, r, width));
        PVGI_TRY(pvgi_network_text_aggregate(&mean, r->p, operation));
    } else {
        const int32_t before = r->current;
        PVGI_TRY(pvgi_network_text_aggregate(&r->current, r->p, operation));
        PVGI_TRY(pvgi_network_text_linear(&mean, r, width));
        r->current = before;
    }
    PVGI_TRY(pvgi_network_text_add_to(&own, r->p, mean, 1));
    PVGI_TRY(pvgi_network_text_add_bias(r->p, own));
    pvgi_network_text_move_to(r, own);
    return PVG_OK;
}

static int32_t read_sage(pvgi_text_reader *r) {
    return read_own_and_far(r, PVGI_WEIGHTS_MEAN);
}
static int32_t read_graphconv(pvgi_text_reader *r) {
    return read_own_and_far(r, PVGI_WEIGHTS_SUM);
}

/* ((1 + eps) X + A X) W1 = (1 + eps) Z + A Z with Z = X W1; one sum unless eps is learnt.
 */
static int32_t read_gin(pvgi_text_reader *r) {
    int64_t width = 0, hidden;
    double given = 0;
    int32_t t = -1, sum, operation = 0;
    bool learn = false;
    PVGI_TRY(pvgi_network_text_nodes_only(r, r->at - 1));
    PVGI_TRY(pvgi_network_text_take_width(&width, r));
    PVGI_TRY(
        pvgi_network_text_take_setting(&given, r, "hidden", 1, PVG_NETWORK_WIDTH_MAX));
    if (pvgi_network_text_take(r, "eps=learn")) learn = true;
    /* as narrow as the classes, all relus die at once on most starts */
    hidden = given > 0 ? (int64_t)given : width < GIN_FEW ? GIN_HIDDEN : width;
    PVGI_TRY(pvgi_network_text_find_operator(&operation, r->p, PVGI_WEIGHTS_SUM,
                                             learn ? 0 : 1));
    PVGI_TRY(pvgi_network_text_linear(&t, r, hidden));
    sum = t;
    PVGI_TRY(pvgi_network_text_aggregate(&sum, r->p, operation));
    if (learn) {
        PVGI_TRY(pvgi_network_text_add_to(&sum, r->p, t, 1));
        PVGI_TRY(pvgi_network_text_add_param(&r->p->ops[r->p->op_count - 1].param, r->p,
                                             1, 1, PVGI_INIT_ZERO));
    }
    PVGI_TRY(pvgi_network_text_add_bias(r->p, sum));
    PVGI_TRY(pvgi_network_text_activate(r->p, sum, PVGI_ACT_RELU));
    pvgi_network_text_move_to(r, sum);
    PVGI_TRY(pvgi_network_text_linear(&t, r, width));
    PVGI_TRY(pvgi_network_text_add_bias(r->p, t));
    pvgi_network_text_move_to(r, t);
    return PVG_OK;
}

/* Columns of all heads together. The last stage, whose columns are the classes, has that
 * many for each head and averages heads. */
static int32_t take_heads(int64_t *width, int64_t *count, bool *average,
                          pvgi_text_reader *r) {
    double heads = 1;
    const int32_t at = r->at;
    PVGI_TRY(pvgi_network_text_nodes_only(r, at - 1));
    PVGI_TRY(pvgi_network_text_take_width(width, r));
    PVGI_TRY(pvgi_network_text_take_setting(&heads, r, "heads", 1, 64));
    *count = (int64_t)heads;
    *average = strcmp(r->words[at].text, "classes") == 0 && *count > 1;
    if ((double)*count != heads)
        return pvgi_network_text_wrong_word(r, at, "heads must be a whole number");
    if (*average)
        *width *= *count;
    else if (*width % *count != 0)
        return pvgi_network_text_wrong_word(
            r, at, "the columns cannot be shared evenly among the heads");
    r->p->needs_graph = r->p->mixes = true;
    return PVG_OK;
}

static int32_t average_heads(int32_t *tensor, pvgi_program *p, int64_t count) {
    pvgi_op *op = NULL;
    const int32_t in = *tensor;
    PVGI_TRY(pvgi_network_text_map_to(tensor, &op, p, PVGI_OP_HEAD_MEAN, in,
                                      p->tensors[in].columns / count));
    op->choice = (int32_t)count;
    return PVG_OK;
}

/* Attention over a row and its self loop. */
static int32_t read_gat(pvgi_text_reader *r) {
    int64_t width = 0, count = 1;
    int32_t h = -1, own = -1, far = -1, alpha = -1, t = -1, param = -1;
    bool average = false;
    pvgi_op *op = NULL;
    PVGI_TRY(take_heads(&width, &count, &average, r));
    PVGI_TRY(pvgi_network_text_linear(&h, r, width));
    PVGI_TRY(pvgi_network_text_map_to(&own, &op, r->p, PVGI_OP_HEAD_DOT, h, count));
    op->choice = (int32_t)count;
    const int32_t first = r->p->op_count - 1;
    PVGI_TRY(pvgi_network_text_add_param(&param, r->p, 1, width, PVGI_INIT_GLOROT));
    r->p->ops[first].param = param;
    r->p->params[param].fan = (double)(width / count) + 1;
    PVGI_TRY(pvgi_network_text_map_to(&far, &op, r->p, PVGI_OP_HEAD_DOT, h, count));
    op->choice = (int32_t)count;
    PVGI_TRY(pvgi_network_text_add_param(&param, r->p, 1, width, PVGI_INIT_GLOROT));
    r->p->ops[first + 1].param = param;
    r->p->params[param].fan = (double)(width / count) + 1;
    PVGI_TRY(
        pvgi_network_text_map_to(&alpha, &op, r->p, PVGI_OP_EDGE_SOFTMAX, own, count));
    r->p->tensors[alpha].domain = PVGI_ARCS;
    op->other = far;
    op->choice = (int32_t)count;
    PVGI_TRY(pvgi_network_text_map_to(&t, &op, r->p, PVGI_OP_EDGE_AGGREGATE, h, width));
    op->other = alpha;
    op->choice = (int32_t)count;
    if (average) PVGI_TRY(average_heads(&t, r->p, count));
    PVGI_TRY(pvgi_network_text_add_bias(r->p, t));
    pvgi_network_text_move_to(r, t);
    return PVG_OK;
}

/* One product makes what is compared, `parts` times width columns; then attention. */
static int32_t compare(int32_t *tensor, pvgi_text_reader *r, int64_t parts, int64_t width,
                       int64_t count) {
    int32_t h = -1, param = -1;
    pvgi_op *op = NULL;
    PVGI_TRY(pvgi_network_text_linear(&h, r, parts * width));
    r->p->params[r->p->param_count - 1].fan = (double)(r->columns + width);
    PVGI_TRY(pvgi_network_text_add_bias(r->p, h));
    PVGI_TRY(pvgi_network_text_map_to(tensor, &op, r->p, PVGI_OP_COMPARE, h, width));
    op->choice = (int32_t)count;
    if (parts == 3) return PVG_OK;
    const int32_t at = r->p->op_count - 1;
    PVGI_TRY(pvgi_network_text_add_param(&param, r->p, 1, width, PVGI_INIT_GLOROT));
    r->p->ops[at].param = param;
    r->p->params[param].fan = (double)(width / count) + 1;
    return PVG_OK;
}

/* GATv2: the score bends after both ends were added, so that who is heard most depends on
 * who listens. */
static int32_t read_gatv2(pvgi_text_reader *r) {
    int64_t width = 0, count = 1;
    int32_t t = -1;
    bool average = false;
    PVGI_TRY(take_heads(&width, &count, &average, r));
    PVGI_TRY(compare(&t, r, 2, width, count));
    if (average) PVGI_TRY(average_heads(&t, r->p, count));
    PVGI_TRY(pvgi_network_text_add_bias(r->p, t));
    pvgi_network_text_move_to(r, t);
    return PVG_OK;
}

/* A graph transformer's layer: scores are products, and a map of the node's own. */
static int32_t read_transformer(pvgi_text_reader *r) {
    int64_t width = 0, count = 1;
    int32_t own = -1, t = -1;
    bool average = false;
    PVGI_TRY(take_heads(&width, &count, &average, r));
    PVGI_TRY(pvgi_network_text_linear(&own, r, average ? width / count : width));
    PVGI_TRY(compare(&t, r, 3, width, count));
    if (average) PVGI_TRY(average_heads(&t, r->p, count));
    PVGI_TRY(pvgi_network_text_add_to(&t, r->p, own, 1));
    PVGI_TRY(pvgi_network_text_add_bias(r->p, t));
    pvgi_network_text_move_to(r, t);
    return PVG_OK;
}

static int32_t read_kprop(pvgi_text_reader *r) {
    int64_t rounds = 0;
    PVGI_TRY(pvgi_network_text_nodes_only(r, r->at - 1));
    PVGI_TRY(pvgi_network_text_take_whole(&rounds, r, ROUNDS_MAX,
                                          "expected a number of rounds, 1 to 64"));
    if (r->pending_rounds + rounds > ROUNDS_MAX)
        return pvgi_network_text_wrong_word(r, r->at - 1, "more than 64 rounds in a row");
    PVGI_TRY(pvgi_network_text_find_operator(&r->pending, r->p, PVGI_WEIGHTS_KPROP, 0));
    r->pending_rounds += rounds;
    if (r->keep_stages || !pvgi_network_text_stage_ends(r))
        PVGI_TRY(pvgi_network_text_make_pending(r));
    return PVG_OK;
}

/* out = s in + t mean(other). */
static int32_t mix_mean(int32_t *tensor, pvgi_program *p, int32_t other, double s,
                        double t) {
    pvgi_op *op = NULL;
    const int32_t in = *tensor;
    PVGI_TRY(pvgi_network_text_map_to(tensor, &op, p, PVGI_OP_MEAN, in,
                                      p->tensors[in].columns));
    op->other = other;
    op->number = s;
    op->second = t;
    p->mixes = true;
    return PVG_OK;
}

int32_t pvgi_network_text_scale_rows(int32_t *tensor, pvgi_program *p, int32_t rule) {
    pvgi_op *op = NULL;
    const int32_t in = *tensor;
    PVGI_TRY(pvgi_network_text_map_to(tensor, &op, p, PVGI_OP_ROWS, in,
                                      p->tensors[in].columns));
    op->choice = rule;
    return PVG_OK;
}

/* X_(k+1) = c ((1 - a) A^ P(X_k) + a Mean P(X_k)) + b P(X_0). */
static int32_t read_pcmp(pvgi_text_reader *r) {
    int64_t rounds = 0;
    double c = .9, a = 0, b = 0, tau = 1;
    int32_t operation = 0, start = -1;
    PVGI_TRY(pvgi_network_text_nodes_only(r, r->at - 1));
    PVGI_TRY(pvgi_network_text_take_whole(&rounds, r, ROUNDS_MAX,
                                          "expected a number of layers, 1 to 64"));
    PVGI_TRY(pvgi_network_text_take_setting(&c, r, "c", 0, 1));
    PVGI_TRY(pvgi_network_text_take_setting(&a, r, "a", 0, 1));
    PVGI_TRY(pvgi_network_text_take_setting(&b, r, "b", 0, 1));
    PVGI_TRY(pvgi_network_text_take_setting(&tau, r, "tau", 1, 1e9));
    PVGI_TRY(pvgi_network_text_find_operator(&operation, r->p, PVGI_WEIGHTS_GCN, tau));
    PVGI_TRY(pvgi_network_text_make_pending(r));
    int32_t t = r->current;
    for (int64_t k = 0; k < rounds; k++) {
        int32_t projected = t;
        PVGI_TRY(pvgi_network_text_scale_rows(&projected, r->p, 1));
        if (k == 0) start = projected;
        t = projected;
        PVGI_TRY(pvgi_network_text_aggregate(&t, r->p, operation));
        PVGI_TRY(mix_mean(&t, r->p, projected, c * (1 - a), c * a));
        if (b > 0) PVGI_TRY(pvgi_network_text_add_to(&t, r->p, start, b));
    }
    pvgi_network_text_move_to(r, t);
    return PVG_OK;
}

/* The sum over neighbours; with debias=F that of a graph each of whose pairs was flipped
 * with probability F: (B x - F (sum of all x - x)) / (1 - 2 F). */
static int32_t read_sum(pvgi_text_reader *r) {
    double f = 0;
    int32_t operation = 0;
    PVGI_TRY(pvgi_network_text_nodes_only(r, r->at - 1));
    PVGI_TRY(pvgi_network_text_take_setting(&f, r, "debias", 0, .499));
    PVGI_TRY(pvgi_network_text_find_operator(&operation, r->p, PVGI_WEIGHTS_SUM, 0));
    PVGI_TRY(pvgi_network_text_make_pending(r));
    int32_t t = r->current;
    const int32_t x = t;
    PVGI_TRY(pvgi_network_text_aggregate(&t, r->p, operation));
    if (f > 0) {
        PVGI_TRY(pvgi_network_text_add_to(&t, r->p, x, f));
        /* times the number of nodes, when that is known: choice 1 */
        PVGI_TRY(mix_mean(&t, r->p, x, 1 / (1 - 2 * f), -f / (1 - 2 * f)));
        r->p->ops[r->p->op_count - 1].choice = 1;
    }
    pvgi_network_text_move_to(r, t);
    return PVG_OK;
}

static int32_t concatenate(int32_t *out, pvgi_text_reader *r, const int32_t *parts,
                           int32_t count) {
    int64_t columns = 0;
    for (int32_t i = 0; i < count; i++) columns += r->p->tensors[parts[i]].columns;
    if (columns > PVG_NETWORK_WIDTH_MAX)
        return pvgi_network_text_wrong_word(r, r->stage_start,
                                            "more than 4096 columns side by side");
    PVGI_TRY(pvgi_network_text_add_tensor(
        out, r->p, (int32_t)r->p->tensors[parts[0]].domain, columns));
    int64_t offset = 0;
    for (int32_t i = 0; i < count; i++) {
        pvgi_op *op = NULL;
        PVGI_TRY(pvgi_network_text_add_op(&op, r->p, PVGI_OP_PLACE));
        op->in = parts[i];
        op->out = *out;
        op->offset = offset;
        offset += r->p->tensors[parts[i]].columns;
    }
    return PVG_OK;
}

/* One dense map for each of K states side by side. */
static int32_t read_hops(pvgi_text_reader *r) {
    int64_t states = 0, width = 0;
    int32_t parts[ROUNDS_MAX], t = -1;
    const int32_t at = r->at;
    PVGI_TRY(pvgi_network_text_take_whole(&states, r, ROUNDS_MAX,
                                          "expected a number of states, 1 to 64"));
    PVGI_TRY(pvgi_network_text_take_width(&width, r));
    if (r->columns % states != 0)
        return pvgi_network_text_wrong_word(
            r, at, "the columns cannot be shared evenly among the states");
    PVGI_TRY(pvgi_network_text_make_pending(r));
    const int32_t whole = r->current;
    const int64_t share = r->columns / states;
    for (int64_t k = 0; k < states; k++) {
        pvgi_op *op = NULL;
        PVGI_TRY(pvgi_network_text_map_to(&r->current, &op, r->p, PVGI_OP_SLICE, whole,
                                          share));
        op->offset = k * share;
        r->columns = share;
        PVGI_TRY(pvgi_network_text_linear(&parts[k], r, width));
        PVGI_TRY(pvgi_network_text_add_bias(r->p, parts[k]));
    }
    PVGI_TRY(concatenate(&t, r, parts, (int32_t)states));
    pvgi_network_text_move_to(r, t);
    return PVG_OK;
}

static int32_t read_jk(pvgi_text_reader *r) {
    int32_t t = -1;
    const int32_t at = r->at;
    if (r->stage_count == 0)
        return pvgi_network_text_wrong_word(r, at - 1, "no stage before it");
    for (int32_t i = 0; i < r->stage_count; i++)
        if (r->p->tensors[r->stages[i]].domain != r->p->tensors[r->stages[0]].domain)
            return pvgi_network_text_wrong_word(
                r, at - 1, "stages before and after a pool do not fit");
    if (pvgi_network_text_take(r, "cat")) {
        PVGI_TRY(concatenate(&t, r, r->stages, r->stage_count));
    } else if (pvgi_network_text_take(r, "max")) {
        t = r->stages[0];
        for (int32_t i = 1; i < r->stage_count; i++) {
            pvgi_op *op = NULL;
            const int32_t in = t, other = r->stages[i];
            if (r->p->tensors[other].columns != r->p->tensors[in].columns)
                return pvgi_network_text_wrong_word(
                    r, at, "stages have different numbers of columns");
            PVGI_TRY(pvgi_network_text_map_to(&t, &op, r->p, PVGI_OP_MAXIMUM, in,
                                              r->p->tensors[in].columns));
            op->other = other;
        }
        if (r->stage_count == 1) { /* a copy, since modifiers work in place */
            PVGI_TRY(concatenate(&t, r, r->stages, 1));
        }
    } else {
        return WRONG(r, "expected cat or max");
    }
    pvgi_network_text_move_to(r, t);
    return PVG_OK;
}

static int32_t read_pool(pvgi_text_reader *r) {
    static const char *const names[] = {"sum", "mean", "max"};
    int32_t rule = -1, t = -1;
    pvgi_op *op = NULL;
    PVGI_TRY(pvgi_network_text_nodes_only(r, r->at - 1));
    for (int32_t i = 0; i < 3; i++)
        if (rule < 0 && pvgi_network_text_take(r, names[i])) rule = i;
    if (rule < 0) return WRONG(r, "expected sum, mean or max");
    PVGI_TRY(pvgi_network_text_make_pending(r));
    PVGI_TRY(
        pvgi_network_text_map_to(&t, &op, r->p, PVGI_OP_POOL, r->current, r->columns));
    r->p->tensors[t].domain = PVGI_GRAPHS;
    op->choice = rule;
    r->p->pools = r->p->mixes = true;
    pvgi_network_text_move_to(r, t);
    return PVG_OK;
}

/* One product makes Q, K and V side by side. */
static int32_t read_attend(pvgi_text_reader *r) {
    double heads = 1;
    int32_t three = -1, t = -1;
    pvgi_op *op = NULL;
    const int32_t at = r->at;
    PVGI_TRY(pvgi_network_text_nodes_only(r, at - 1));
    PVGI_TRY(pvgi_network_text_take_setting(&heads, r, "heads", 1, 64));
    const bool links = pvgi_network_text_take(r, "links");
    const int64_t count = (int64_t)heads, columns = r->columns;
    if ((double)count != heads)
        return pvgi_network_text_wrong_word(r, at, "heads must be a whole number");
    if (columns % count != 0)
        return pvgi_network_text_wrong_word(
            r, at, "the columns cannot be shared evenly among the heads");
    if (columns > PVG_NETWORK_WIDTH_MAX)
        return pvgi_network_text_wrong_word(r, at - 1, "more than 4096 columns");
    r->p->windows = r->p->mixes = true;
    PVGI_TRY(pvgi_network_text_linear(&three, r, 3 * columns));
    r->p->params[r->p->param_count - 1].fan = 2 * (double)columns;
    PVGI_TRY(pvgi_network_text_map_to(&t, &op, r->p, PVGI_OP_ATTEND, three, columns));
    op->choice = (int32_t)count;
    if (links) {
        int32_t told = -1, sum = -1;
        PVGI_TRY(pvgi_network_text_linear(&told, r, columns));
        PVGI_TRY(pvgi_network_text_map_to(&sum, &op, r->p, PVGI_OP_LINKS, told, columns));
        PVGI_TRY(pvgi_network_text_add_to(&t, r->p, sum, 1));
        r->p->links = true;
    }
    PVGI_TRY(pvgi_network_text_add_bias(r->p, t));
    pvgi_network_text_move_to(r, t);
    return PVG_OK;
}

/* Rows become pairs i < j of a window; what is given about a pair has weights of its own.
 */
static int32_t read_pairs(pvgi_text_reader *r) {
    int64_t width = 0;
    int32_t t = -1, choice = 0;
    pvgi_op *op = NULL;
    const int32_t at = r->at;
    PVGI_TRY(pvgi_network_text_nodes_only(r, at - 1));
    PVGI_TRY(pvgi_network_text_take_width(&width, r));
    if (pvgi_network_text_take(r, "links")) choice |= PVGI_GIVEN_LINK;
    if (pvgi_network_text_take(r, "cosine")) choice |= PVGI_GIVEN_COSINE;
    PVGI_TRY(pvgi_network_text_make_pending(r));
    const int64_t columns = r->columns;
    PVGI_TRY(pvgi_network_text_map_to(&r->current, &op, r->p, PVGI_OP_PAIR, r->current,
                                      2 * columns));
    r->p->tensors[r->current].domain = PVGI_PAIRS;
    r->columns = 2 * columns;
    PVGI_TRY(pvgi_network_text_linear(&t, r, width));
    if (choice) {
        const int64_t given = choice == (PVGI_GIVEN_LINK | PVGI_GIVEN_COSINE) ? 2 : 1;
        int32_t more = -1;
        PVGI_TRY(
            pvgi_network_text_map_to(&r->current, &op, r->p, PVGI_OP_GIVEN, -1, given));
        op->choice = choice;
        r->p->tensors[r->current].domain = PVGI_PAIRS;
        r->columns = given;
        PVGI_TRY(pvgi_network_text_linear(&more, r, width));
        PVGI_TRY(pvgi_network_text_add_to(&t, r->p, more, 1));
        if (choice & PVGI_GIVEN_LINK) r->p->links = true;
    }
    r->p->windows = r->p->pairs = r->p->mixes = true;
    PVGI_TRY(pvgi_network_text_add_bias(r->p, t));
    pvgi_network_text_move_to(r, t);
    return PVG_OK;
}

int32_t pvgi_network_text_read_drop(pvgi_text_reader *r) {
    double p = 0;
    int32_t t = -1;
    pvgi_op *op = NULL;
    PVGI_TRY(pvgi_network_text_take_probability(&p, r));
    if (r->current < 0 && r->pending_rounds == 0) {
        r->input_drop = 1 - (1 - r->input_drop) * (1 - p);
        return PVG_OK;
    }
    PVGI_TRY(pvgi_network_text_make_pending(r));
    if (p == 0) return PVG_OK;
    PVGI_TRY(
        pvgi_network_text_map_to(&t, &op, r->p, PVGI_OP_DROPOUT, r->current, r->columns));
    op->number = p;
    pvgi_network_text_move_to(r, t);
    return PVG_OK;
}

static const struct {
    const char *name;
    int32_t (*read)(pvgi_text_reader *r);
} maps[] = {{"dense", read_dense},   {"gcn", read_gcn},
            {"sage", read_sage},     {"graphconv", read_graphconv},
            {"gatv2", read_gatv2},   {"transformer", read_transformer},
            {"gin", read_gin},       {"gat", read_gat},
            {"kprop", read_kprop},   {"pcmp", read_pcmp},
            {"sum", read_sum},       {"hops", read_hops},
            {"jk", read_jk},         {"pool", read_pool},
            {"attend", read_attend}, {"pairs", read_pairs}};

int32_t pvgi_network_text_read_map(pvgi_text_reader *r) {
    const size_t count = sizeof maps / sizeof *maps;
    for (size_t i = 0; i < count; i++)
        if (pvgi_network_text_take(r, maps[i].name)) return maps[i].read(r);
    char reason[256] = "no such map; they are";
    for (size_t i = 0, at = strlen(reason); i < count; i++)
        at += (size_t)snprintf(reason + at, sizeof reason - at, " %s", maps[i].name);
    strcat(reason, ", and drop");
    return WRONG(r, reason);
}
