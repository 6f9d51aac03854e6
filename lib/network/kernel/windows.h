/* Windows: attention among the nodes of a window, sums over its links, and its pairs.
 * Backward sums over the window too, so no two rows are written by different work. */

/* Sum of products, whole vectors first. */
INLINE REAL NAME(span)(const REAL *a, const REAL *b, int64_t count) {
    NAME(vec) acc = {0};
    int64_t j = 0;
    for (; j + LANES <= count; j += LANES) acc += AT(a + j) * AT(b + j);
    REAL sum = NAME(across)(acc);
    for (; j < count; j++) sum += a[j] * b[j];
    return sum;
}

/* to += factor from */
INLINE void NAME(blend)(REAL *to, const REAL *from, REAL factor, int64_t count) {
    int64_t j = 0;
    for (; j + LANES <= count; j += LANES)
        PUT(to + j) = AT(to + j) + AT(from + j) * factor;
    for (; j < count; j++) to[j] += from[j] * factor;
}

/* Where attention is worked on: n columns in heads of d; rows of Q, K, V begin at 0, n,
 * 2 n. Chances of node v and head h begin at row v heads + h, of gradients behind all. */
typedef struct {
    int64_t w, wide, n, heads, d;
    REAL scale, *alpha, *score;
} NAME(window);

INLINE NAME(window) NAME(window_of)(const pvgi_tape *t, const work *k) {
    NAME(window)
    a = {.w = t->data->window,
         .wide = pvgi_network_pad(t->data->window, LANES),
         .n = t->program.tensors[k->op->out].columns,
         .heads = k->op->choice,
         .alpha = t->scratch[k->o]};
    a.d = a.n / a.heads;
    a.scale = 1 / SQRT((REAL)a.d);
    a.score = a.alpha + t->nodes * a.heads * a.wide;
    return a;
}

OPERATION(attend_forward) {
    const pvgi_op *op = k->op;
    const NAME(window) a = NAME(window_of)(t, k);
    EACH_ROW(v) {
        const int64_t base = v / a.w * a.w;
        const REAL *q = NAME(value)(t, op->in, v);
        REAL *out = NAME(value)(t, op->out, v);
        NAME(clear)(out, t->stride[op->out]);
        for (int64_t h = 0; h < a.heads; h++) {
            REAL *chance = a.alpha + (v * a.heads + h) * a.wide, most;
            const int64_t at = h * a.d;
            for (int64_t u = 0; u < a.w; u++)
                chance[u] =
                    a.scale *
                    NAME(span)(q + at, NAME(value)(t, op->in, base + u) + a.n + at, a.d);
            NAME(soften)(chance, chance, a.w, &most);
            for (int64_t u = 0; u < a.w; u++) NAME(blend)
            (out + at, NAME(value)(t, op->in, base + u) + 2 * a.n + at, chance[u], a.d);
        }
    }
}

/* Gradients of scores, and of Q. */
INLINE void NAME(attend_rows)(pvgi_tape *t, const work *k) {
    const pvgi_op *op = k->op;
    const NAME(window) a = NAME(window_of)(t, k);
    EACH_ROW(v) {
        const int64_t base = v / a.w * a.w;
        const REAL *g = NAME(grad)(t, op->out, v);
        REAL *to = NAME(grad)(t, op->in, v);
        if (!op->add_in) NAME(clear)(to, t->stride[op->in]);
        for (int64_t h = 0; h < a.heads; h++) {
            const REAL *chance = a.alpha + (v * a.heads + h) * a.wide;
            REAL *score = a.score + (v * a.heads + h) * a.wide, dot = 0;
            const int64_t at = h * a.d;
            for (int64_t u = 0; u < a.w; u++) {
                score[u] = NAME(span)(
                    g + at, NAME(value)(t, op->in, base + u) + 2 * a.n + at, a.d);
                dot += chance[u] * score[u];
            }
            for (int64_t u = 0; u < a.w; u++) {
                score[u] = a.scale * chance[u] * (score[u] - dot);
                NAME(blend)
                (to + at, NAME(value)(t, op->in, base + u) + a.n + at, score[u], a.d);
            }
        }
    }
}

/* Gradients of K and V: over the rows that looked at this one. */
INLINE void NAME(attend_back)(pvgi_tape *t, const work *k) {
    const pvgi_op *op = k->op;
    const NAME(window) a = NAME(window_of)(t, k);
    EACH_ROW(u) {
        const int64_t base = u / a.w * a.w;
        REAL *to = NAME(grad)(t, op->in, u);
        for (int64_t v = base; v < base + a.w; v++)
            for (int64_t h = 0; h < a.heads; h++) {
                const int64_t place = (v * a.heads + h) * a.wide + (u - base);
                const int64_t at = h * a.d;
                NAME(blend)
                (to + a.n + at, NAME(value)(t, op->in, v) + at, a.score[place], a.d);
                NAME(blend)
                (to + 2 * a.n + at, NAME(grad)(t, op->out, v) + at, a.alpha[place], a.d);
            }
    }
}
OPERATION(attend_backward) {
    if (k->part == 0)
        NAME(attend_rows)(t, k);
    else
        NAME(attend_back)(t, k);
}

/* out_v = sum over u of L[v][u] in_u / 4, or with L transposed. */
INLINE void NAME(links_sum)(pvgi_tape *t, const work *k, const bool back) {
    const pvgi_op *op = k->op;
    const int64_t w = t->data->window, wide = pvgi_network_pad(w, LANES);
    const int64_t stride = t->stride[op->out];
    const REAL *links = t->links;
    EACH_ROW(v) {
        const int64_t base = v / w * w;
        NAME(multiply)
        ((NAME(
             product)){back ? NAME(grad)(t, op->in, v) : NAME(value)(t, op->out, v),
                       stride, back ? links + base * wide + (v - base) : links + v * wide,
                       0, back ? wide : 1,
                       back ? NAME(grad)(t, op->out, base) : NAME(value)(t, op->in, base),
                       stride, 1, w},
         back && op->add_in);
    }
}
OPERATION(links_forward) {
    NAME(links_sum)(t, k, false);
}
OPERATION(links_backward) {
    NAME(links_sum)(t, k, true);
}

/* Nodes i < j of row p of the pairs, and on to the next. */
typedef struct {
    int64_t base, i, j;
} NAME(couple);

INLINE NAME(couple) NAME(couple_at)(int64_t row, int64_t w) {
    const int64_t each = w * (w - 1) / 2;
    int64_t left = row % each, i = 0;
    while (left >= w - 1 - i) left -= w - 1 - i++;
    return (NAME(couple)){row / each * w, i, i + 1 + left};
}
INLINE void NAME(couple_next)(NAME(couple) * c, int64_t w) {
    if (++c->j < w) return;
    c->j = ++c->i + 1;
    if (c->j < w) return;
    *c = (NAME(couple)){c->base + w, 0, 1};
}

OPERATION(pair_forward) {
    const pvgi_op *op = k->op;
    const int64_t w = t->data->window, n = t->program.tensors[op->in].columns;
    NAME(couple) c = NAME(couple_at)(k->first, w);
    EACH_ROW(p) {
        const REAL *a = NAME(value)(t, op->in, c.base + c.i),
                   *b = NAME(value)(t, op->in, c.base + c.j);
        REAL *out = NAME(value)(t, op->out, p);
        for (int64_t j = 0; j < n; j++) {
            out[j] = a[j] * b[j];
            out[n + j] = a[j] > b[j] ? a[j] - b[j] : b[j] - a[j];
        }
        NAME(couple_next)(&c, w);
    }
}

/* Rows are nodes. */
OPERATION(pair_backward) {
    const pvgi_op *op = k->op;
    const int64_t w = t->data->window, n = t->program.tensors[op->in].columns;
    EACH_ROW(v) {
        const int64_t base = v / w * w, i = v - base;
        const REAL *a = NAME(value)(t, op->in, v);
        REAL *to = NAME(grad)(t, op->in, v);
        if (!op->add_in) NAME(clear)(to, t->stride[op->in]);
        for (int64_t u = 0; u < w; u++) {
            if (u == i) continue;
            const int64_t pair =
                u < i ? pvgi_network_pair(u, i, w) : pvgi_network_pair(i, u, w);
            const REAL *b = NAME(value)(t, op->in, base + u);
            const REAL *g = NAME(grad)(t, op->out, v / w * (w * (w - 1) / 2) + pair);
            for (int64_t j = 0; j < n; j++) {
                const REAL far = g[n + j];
                to[j] += g[j] * b[j] + (a[j] > b[j] ? far : a[j] < b[j] ? -far : 0);
            }
        }
    }
}

/* Rows of sparse features. */
INLINE double NAME(sparse_dot)(const pvg_dataset *d, int64_t a, int64_t b) {
    int64_t i = d->x_offsets[a], j = d->x_offsets[b];
    double sum = 0;
    while (i < d->x_offsets[a + 1] && j < d->x_offsets[b + 1])
        if (d->x_indices[i] < d->x_indices[j])
            i++;
        else if (d->x_indices[i] > d->x_indices[j])
            j++;
        else
            sum += d->x_values[i++] * d->x_values[j++];
    return sum;
}

OPERATION(given_forward) {
    const pvgi_op *op = k->op;
    const pvg_dataset *d = t->data;
    const int64_t w = d->window;
    NAME(couple) c = NAME(couple_at)(k->first, w);
    EACH_ROW(p) {
        const int64_t a = c.base + c.i, b = c.base + c.j;
        REAL *out = NAME(value)(t, op->out, p);
        if (op->choice & PVGI_GIVEN_LINK)
            *out++ = (REAL)((d->links[a * w + c.j] + d->links[b * w + c.i]) / 2);
        if (op->choice & PVGI_GIVEN_COSINE) {
            const double squares = NAME(sparse_dot)(d, a, a) * NAME(sparse_dot)(d, b, b);
            *out = (REAL)(squares > 0 ? NAME(sparse_dot)(d, a, b) / sqrt(squares) : 0);
        }
        NAME(couple_next)(&c, w);
    }
}
