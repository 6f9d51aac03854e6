/* Attention that compares rows: out_v = sum over arcs of alpha V_u, alpha = softmax over
 * the arcs of v of a score of Q_v and K_u, head by head; column j is of head j mod heads.
 *
 *   product   Q_v K_u / sqrt d, rows of `in` are Q | K | V, arcs are those of the graph
 *   additive  a leaky(Q_v + K_u), rows are Q | K, V = K, and every node hears itself
 *
 * Chances of row v: for each head the arcs in order, the self loop last, in whole
 * vectors. Backward, row v makes gradients of its scores and of Q_v (part 0); then row u
 * walks the arcs that point at it for those of K_u and V_u (part 1). */

typedef struct {
    bool additive;
    int64_t n, heads;
    REAL scale, *alpha, *score; /* score: gradients of scores, behind the chances */
    const REAL *a;              /* additive: weights of the score */
} NAME(compare);

INLINE NAME(compare) NAME(compare_of)(const pvgi_tape *t, const work *k) {
    const pvgi_op *op = k->op;
    NAME(compare)
    c = {.additive = op->param >= 0,
         .n = t->program.tensors[op->out].columns,
         .heads = op->choice,
         .alpha = t->scratch[k->o]};
    c.scale = 1 / SQRT((REAL)(c.n / c.heads));
    c.score = c.alpha + c.heads * (t->arcs + t->nodes * LANES);
    c.a = c.additive ? NAME(weights)(t, op->param) : NULL;
    return c;
}

/* Arcs of row v with its self loop, if it has one; where its chances start. */
INLINE int64_t NAME(compare_count)(const pvgi_tape *t, const NAME(compare) * c,
                                   int64_t v) {
    return t->data->offsets[v + 1] - t->data->offsets[v] + c->additive;
}
INLINE int64_t NAME(compare_start)(const pvgi_tape *t, const NAME(compare) * c,
                                   int64_t v) {
    return c->heads * (t->data->offsets[v] + v * LANES);
}
INLINE int64_t NAME(compare_far)(const pvgi_tape *t, int64_t v, int64_t i) {
    const int64_t e = t->data->offsets[v] + i;
    return e < t->data->offsets[v + 1] ? t->data->columns[e] : v;
}
/* What the message of arc i of row v is multiplied with besides alpha. */
INLINE REAL NAME(compare_factor)(const pvgi_tape *t, int64_t v, int64_t i) {
    const int64_t e = t->data->offsets[v] + i;
    return t->arc_factor && e < t->data->offsets[v + 1] ? ((const REAL *)t->arc_factor)[e]
                                                        : 1;
}
INLINE REAL NAME(leak)(REAL z) {
    return z > 0 ? z : z * LEAK;
}

OPERATION(compare_forward) {
    const pvgi_op *op = k->op;
    const NAME(compare) c = NAME(compare_of)(t, k);
    EACH_ROW(v) {
        const int64_t count = NAME(compare_count)(t, &c, v),
                      wide = pvgi_network_pad(count, LANES);
        const REAL *q = NAME(value)(t, op->in, v);
        REAL *alpha = c.alpha + NAME(compare_start)(t, &c, v), most;
        REAL *out = NAME(value)(t, op->out, v);
        for (int64_t i = 0; i < count; i++) {
            const REAL *far = NAME(value)(t, op->in, NAME(compare_far)(t, v, i)) + c.n;
            for (int64_t h = 0; h < c.heads; h++) {
                REAL sum = 0;
                for (int64_t j = h; j < c.n; j += c.heads)
                    sum +=
                        c.additive ? c.a[j] * NAME(leak)(q[j] + far[j]) : q[j] * far[j];
                alpha[h * wide + i] = c.additive ? sum : sum * c.scale;
            }
        }
        for (int64_t h = 0; h < c.heads && count > 0; h++)
            NAME(soften)(alpha + h * wide, alpha + h * wide, count, &most);
        NAME(clear)(out, t->stride[op->out]);
        for (int64_t i = 0; i < count; i++) {
            const REAL *far = NAME(value)(t, op->in, NAME(compare_far)(t, v, i)) +
                              (c.additive ? 1 : 2) * c.n;
            const REAL factor = NAME(compare_factor)(t, v, i);
            for (int64_t h = 0; h < c.heads; h++) {
                const REAL weight = factor * alpha[h * wide + i];
                for (int64_t j = h; j < c.n; j += c.heads) out[j] += weight * far[j];
            }
        }
    }
}

/* Gradients of scores, of Q and of the weights a. */
INLINE void NAME(compare_near)(pvgi_tape *t, const work *k, const NAME(compare) * c) {
    const pvgi_op *op = k->op;
    REAL *da = c->additive ? NAME(slot)(t, op->param, k->chunk) : NULL;
    REAL *arcs = t->arc_gradient;
    const bool learns = NAME(learns)(t, op->in);
    if (da && k->fresh) NAME(clear)(da, t->param_stride[op->param]);
    EACH_ROW(v) {
        const int64_t count = NAME(compare_count)(t, c, v),
                      wide = pvgi_network_pad(count, LANES);
        const int64_t start = NAME(compare_start)(t, c, v), first = t->data->offsets[v];
        const REAL *q = NAME(value)(t, op->in, v), *g = NAME(grad)(t, op->out, v);
        const REAL *alpha = c->alpha + start;
        REAL *score = c->score + start, *to = learns ? NAME(grad)(t, op->in, v) : NULL;
        if (to && !op->add_in) NAME(clear)(to, c->n);
        for (int64_t i = 0; i < count; i++) {
            const REAL *message = NAME(value)(t, op->in, NAME(compare_far)(t, v, i)) +
                                  (c->additive ? 1 : 2) * c->n;
            const REAL factor = NAME(compare_factor)(t, v, i);
            for (int64_t h = 0; h < c->heads; h++) {
                REAL p = 0;
                for (int64_t j = h; j < c->n; j += c->heads) p += g[j] * message[j];
                score[h * wide + i] = p * factor;
                if (arcs && first + i < t->data->offsets[v + 1])
                    arcs[first + i] += p * alpha[h * wide + i];
            }
        }
        for (int64_t h = 0; h < c->heads; h++) {
            REAL mean = 0;
            for (int64_t i = 0; i < count; i++)
                mean += alpha[h * wide + i] * score[h * wide + i];
            for (int64_t i = 0; i < count; i++)
                score[h * wide + i] = alpha[h * wide + i] * (score[h * wide + i] - mean);
        }
        for (int64_t i = 0; i < count; i++) {
            const REAL *far = NAME(value)(t, op->in, NAME(compare_far)(t, v, i)) + c->n;
            for (int64_t h = 0; h < c->heads; h++) {
                const REAL d = score[h * wide + i];
                for (int64_t j = h; j < c->n; j += c->heads) {
                    const REAL z = q[j] + far[j];
                    if (da) da[j] += d * NAME(leak)(z);
                    if (!to) continue;
                    to[j] += c->additive ? d * c->a[j] * (z > 0 ? 1 : LEAK)
                                         : d * c->scale * far[j];
                }
            }
        }
    }
}

/* Arc i of row v, at which it heard u: gradients of K_u and V_u. */
INLINE void NAME(compare_arc)(REAL *to, const pvgi_tape *t, const work *k,
                              const NAME(compare) * c, int64_t u, int64_t v, int64_t i) {
    const pvgi_op *op = k->op;
    const int64_t wide = pvgi_network_pad(NAME(compare_count)(t, c, v), LANES);
    const int64_t start = NAME(compare_start)(t, c, v) + i;
    const REAL *q = NAME(value)(t, op->in, v), *g = NAME(grad)(t, op->out, v);
    const REAL *far = NAME(value)(t, op->in, u) + c->n;
    const REAL factor = NAME(compare_factor)(t, v, i);
    for (int64_t h = 0; h < c->heads; h++) {
        const REAL d = c->score[start + h * wide];
        const REAL weight = factor * c->alpha[start + h * wide];
        for (int64_t j = h; j < c->n; j += c->heads) {
            if (c->additive) {
                to[j] += d * c->a[j] * (q[j] + far[j] > 0 ? 1 : LEAK) + weight * g[j];
            } else {
                to[j] += d * c->scale * q[j];
                to[c->n + j] += weight * g[j];
            }
        }
    }
}

OPERATION(compare_backward) {
    const pvgi_op *op = k->op;
    const NAME(compare) c = NAME(compare_of)(t, k);
    if (k->part == 0) {
        NAME(compare_near)(t, k, &c);
        return;
    }
    EACH_ROW(u) {
        REAL *to = NAME(grad)(t, op->in, u) + c.n;
        if (!op->add_in) NAME(clear)(to, (c.additive ? 1 : 2) * c.n);
        for (int64_t i = t->back_offsets[u]; i < t->back_offsets[u + 1]; i++) {
            const int64_t v = t->back_columns[i];
            NAME(compare_arc)
            (to, t, k, &c, u, v, t->back_places[i] - t->data->offsets[v]);
        }
        if (c.additive)
            NAME(compare_arc)(to, t, k, &c, u, u, NAME(compare_count)(t, &c, u) - 1);
    }
}
