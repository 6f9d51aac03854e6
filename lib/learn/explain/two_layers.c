/* Networks `gcn h f | gcn classes`, dropout aside, on graphs without weights: recognised
 * from their program, run once in doubles for all nodes. What the explainers of this
 * folder then need is a few rows of each ball. O(entries h + arcs h). */
#include "explain.h"

#include <math.h>
#include <string.h>

double pvgi_learn_act(double *slope, pvgi_act act, double x) {
    const double scale = 1.0507009873554805, alpha = 1.6732632423543772;
    double y = 0;
    switch (act) {
    case PVGI_ACT_RELU:
        *slope = x > 0 ? 1 : 0;
        return x > 0 ? x : 0;
    case PVGI_ACT_SELU:
        *slope = x > 0 ? scale : scale * alpha * exp(x);
        return x > 0 ? scale * x : scale * alpha * expm1(x);
    case PVGI_ACT_TANH:
        y = tanh(x);
        *slope = 1 - y * y;
        return y;
    case PVGI_ACT_ELU:
        *slope = x > 0 ? 1 : exp(x);
        return x > 0 ? x : expm1(x);
    case PVGI_ACT_SIGMOID:
        y = 1 / (1 + exp(-x));
        *slope = y * (1 - y);
        return y;
    }
    return y;
}

void pvgi_learn_loss_slopes(double *d, const double *z, int64_t classes, int64_t class,
                            int32_t loss) {
    if (loss == PVG_LOSS_BINARY || classes == 1) {
        const int64_t column = classes == 1 ? 0 : class;
        const double hit = classes == 1 ? (double)class : 1;
        for (int64_t j = 0; j < classes; j++) d[j] = 0;
        d[column] = 1 / (1 + exp(-z[column])) - hit;
        return;
    }
    double most = z[0], sum = 0;
    for (int64_t j = 1; j < classes; j++)
        if (z[j] > most) most = z[j];
    for (int64_t j = 0; j < classes; j++) sum += d[j] = exp(z[j] - most);
    for (int64_t j = 0; j < classes; j++) d[j] = d[j] / sum - (j == class);
}

/* The next operation that is not dropout, or NULL. */
static const pvgi_op *next(const pvgi_program *p, int32_t *at) {
    while (*at < p->op_count && p->ops[*at].kind == PVGI_OP_DROPOUT) (*at)++;
    return *at < p->op_count ? &p->ops[(*at)++] : NULL;
}

static bool gcn_arcs(const pvgi_program *p, const pvgi_op *op) {
    return op && op->kind == PVGI_OP_AGGREGATE &&
           p->operators[op->choice].weights == PVGI_WEIGHTS_GCN;
}

typedef struct {
    const pvgi_op *map1, *arcs1, *bias1, *act, *map2, *arcs2, *bias2;
} parts;

static bool take_apart(parts *out, const pvgi_program *p) {
    int32_t at = 0;
    out->map1 = next(p, &at);
    out->arcs1 = next(p, &at);
    out->bias1 = next(p, &at);
    out->act = next(p, &at);
    out->map2 = next(p, &at);
    out->arcs2 = next(p, &at);
    if (out->map2 && out->map2->kind == PVGI_OP_AGGREGATE) {
        const pvgi_op *first = out->map2;
        out->map2 = out->arcs2;
        out->arcs2 = first;
    }
    out->bias2 = next(p, &at);
    return out->map1 && out->map1->kind == PVGI_OP_SPARSE && gcn_arcs(p, out->arcs1) &&
           out->bias1 && out->bias1->kind == PVGI_OP_BIAS && out->act &&
           out->act->kind == PVGI_OP_ACTIVATE && out->map2 &&
           out->map2->kind == PVGI_OP_DENSE && gcn_arcs(p, out->arcs2) && out->bias2 &&
           out->bias2->kind == PVGI_OP_BIAS && at == p->op_count;
}

bool pvgi_learn_two_fits(const pvg_model *model, const pvg_dataset *data) {
    parts apart;
    return data->symmetric && !data->arc_weights &&
           take_apart(&apart, &model->network->program);
}

static const double *weights_of(const pvg_model *model, int32_t param) {
    const double *at = model->weights;
    for (int32_t i = 0; i < param; i++)
        at += model->network->program.params[i].rows *
              model->network->program.params[i].columns;
    return at;
}

/* to += scale from. */
static void add(double *to, const double *from, double scale, int64_t count) {
    for (int64_t j = 0; j < count; j++) to[j] += scale * from[j];
}

/* out = S (A + I) S in. */
static void mix(double *out, const pvg_dataset *data, const double *s, const double *in,
                int64_t columns) {
    for (int64_t v = 0; v < data->order; v++) {
        double *row = out + v * columns;
        for (int64_t j = 0; j < columns; j++) row[j] = s[v] * s[v] * in[v * columns + j];
        for (int64_t e = data->offsets[v]; e < data->offsets[v + 1]; e++) {
            const int64_t u = data->columns[e];
            add(row, in + u * columns, s[v] * s[u], columns);
        }
    }
}

static void forward(pvgi_two *two, double *scratch) {
    const pvg_dataset *data = two->data;
    const int64_t n = two->order, h = two->hidden, c = two->classes;
    memset(scratch, 0, (size_t)(n * h) * sizeof *scratch);
    for (int64_t v = 0; v < n; v++)
        for (int64_t k = data->x_offsets[v]; k < data->x_offsets[v + 1]; k++)
            add(scratch + v * h, two->w1 + data->x_indices[k] * h, data->x_values[k], h);
    mix(two->state, data, two->s1, scratch, h);
    for (int64_t v = 0; v < n; v++)
        for (int64_t j = 0; j < h; j++) {
            double *at = two->state + v * h + j;
            *at = pvgi_learn_act(&two->slope[v * h + j], two->act, *at + two->b1[j]);
        }
    mix(scratch, data, two->s2, two->state, h);
    for (int64_t v = 0; v < n; v++) {
        double *z = two->z + v * c;
        memcpy(z, two->b2, (size_t)c * sizeof *z);
        for (int64_t j = 0; j < h; j++) add(z, two->w2 + j * c, scratch[v * h + j], c);
    }
}

int32_t pvgi_learn_two_open(pvgi_two *two, const pvg_model *model,
                            const pvg_dataset *data, pvgi_run *run) {
    const pvgi_program *p = &model->network->program;
    parts apart;
    *two = (pvgi_two){.data = data, .order = data->order, .inputs = p->inputs};
    if (!take_apart(&apart, p))
        return pvgi_fail(PVG_E_INTERNAL, "explain: not two gcn layers");
    two->hidden = p->params[apart.map1->param].columns;
    two->classes = p->classes;
    two->w1 = weights_of(model, apart.map1->param);
    two->b1 = weights_of(model, apart.bias1->param);
    two->w2 = weights_of(model, apart.map2->param);
    two->b2 = weights_of(model, apart.bias2->param);
    two->act = (pvgi_act)apart.act->choice;
    const size_t numbers = (size_t)(3 * two->hidden + two->classes + 2);
    PVGI_TRY(pvgi_run_reserve(
        run, pvgi_size_mul((size_t)two->order, numbers * sizeof(double))));
    double *block = pvgi_alloc((size_t)two->order, numbers * sizeof *block);
    if (!block) return pvgi_fail_nomem();
    two->s1 = block;
    two->s2 = two->s1 + two->order;
    two->slope = two->s2 + two->order;
    two->state = two->slope + two->order * two->hidden;
    two->z = two->state + two->order * two->hidden;
    for (int64_t v = 0; v < two->order; v++) {
        const double d = (double)(data->offsets[v + 1] - data->offsets[v]);
        two->s1[v] = 1 / sqrt(d + p->operators[apart.arcs1->choice].tau);
        two->s2[v] = 1 / sqrt(d + p->operators[apart.arcs2->choice].tau);
    }
    forward(two, two->z + two->order * two->classes);
    return PVG_OK;
}

void pvgi_learn_two_close(pvgi_two *two) {
    pvgi_free(two->s1);
    *two = (pvgi_two){0};
}
