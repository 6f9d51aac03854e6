/* The steps that make up patterns of treewidth 2, each as two or three plain loops. They
 * do what the generic join would do, several times faster.
 *
 *   rows     out(u)    = sum over v of A(u,v) w(v)                 O(entries of A)
 *   product  out(u,x)  = A(u,x) B(u,x)                             O(entries)
 *   chain    out(u,x)  = sum over v of A(u,v) w(v) B(v,x)          O(pairs of entries)
 *   closed   out(u,x)  = A(u,x) sum over v of B(u,v) w(v) C(x,v)   O(min of both ways)
 *
 * Included by elim/kernel.h, which says what VALUE, MULTIPLY and ADD are. */

static void sum_rows(join *now, int32_t first, int32_t last) {
    const pvgi_elim_table *a = now->factor[0];
    const VALUE *value = a->value, *weight = now->weight;
    VALUE *out = now->out->value;
    for (int32_t u = first; u < last; u++) {
        VALUE sum = 0;
        if (a->folded) /* summed up already */
            sum = a->start[u] < a->start[u + 1] ? value[a->start[u]] : 0;
        else if (value)
            for (int32_t i = a->start[u]; i < a->start[u + 1]; i++)
                sum = ADD(now, sum, MULTIPLY(now, value[i], weight[a->column[1][i]]));
        else
            for (int32_t i = a->start[u]; i < a->start[u + 1]; i++)
                sum = ADD(now, sum, weight[a->column[1][i]]);
        out[u] = sum;
        now->out->count += sum != 0;
    }
}

static int32_t multiply_rows(join *now, int32_t first, int32_t last) {
    const pvgi_elim_table *a = now->factor[0], *b = now->factor[1];
    const int32_t *x = a->column[1], *y = b->column[1];
    const int32_t some = a->start[last] - a->start[first];
    const int32_t others = b->start[last] - b->start[first];
    PVGI_TRY(make_room(now, 1, some < others ? some : others));
    int32_t *column = now->out->column[1], *start = now->out->start;
    int32_t at = (int32_t)now->entries[1];
    VALUE *out = now->out->value;
    for (int32_t u = first; u < last; u++) {
        int32_t i = a->start[u], j = b->start[u];
        const int32_t end_i = a->start[u + 1], end_j = b->start[u + 1];
        start[u] = at;
        while (i < end_i && j < end_j) {
            if (x[i] == y[j]) {
                column[at] = x[i];
                out[at++] = MULTIPLY(now, entry_of(a->value, i), entry_of(b->value, j));
                i++, j++;
            } else if (x[i] < y[j]) {
                i = seek(x, i, end_i, y[j]);
            } else {
                j = seek(y, j, end_j, x[i]);
            }
        }
    }
    now->entries[1] = at;
    return PVG_OK;
}

/* One row of a chain into the sums; returns the images touched as bits (order <= 64). */
static uint64_t chain_row_small(join *now, const pvgi_elim_table *a,
                                const pvgi_elim_table *b, int32_t u) {
    uint64_t touched = 0;
    VALUE *sum = now->sum;
    const int32_t *column = b->column[1];
    const VALUE *value = b->value;
    for (int32_t i = a->start[u]; i < a->start[u + 1]; i++) {
        const int32_t v = a->column[1][i];
        const VALUE scale = MULTIPLY(now, entry_of(a->value, i), now->weight[v]);
        if (scale == 0) continue;
        for (int32_t j = b->start[v]; j < b->start[v + 1]; j++) {
            const int32_t x = column[j];
            touched |= (uint64_t)1 << x;
            sum[x] = ADD(now, sum[x], value ? MULTIPLY(now, scale, value[j]) : scale);
        }
    }
    return touched;
}

static void chain_row(join *now, const pvgi_elim_table *a, const pvgi_elim_table *b,
                      const VALUE *weight, int32_t u) {
    VALUE *restrict sum = now->sum;
    int32_t *restrict touched = now->touched;
    int64_t touches = now->touches;
    const int32_t *column = b->column[1];
    const VALUE *value = b->value;
    for (int32_t i = a->start[u]; i < a->start[u + 1]; i++) {
        const int32_t v = a->column[1][i];
        const VALUE scale = MULTIPLY(now, entry_of(a->value, i), weight[v]);
        if (scale == 0) continue;
        now->work += b->start[v + 1] - b->start[v];
        for (int32_t j = b->start[v]; j < b->start[v + 1]; j++) {
            const int32_t x = column[j];
            touched[touches] = x; /* no branch: which are new is hard to tell ahead */
            touches += sum[x] == 0;
            sum[x] = ADD(now, sum[x], value ? MULTIPLY(now, scale, value[j]) : scale);
        }
    }
    now->touches = touches;
}

static int32_t chain_rows(join *now, int32_t first, int32_t last) {
    const pvgi_elim_step *step = now->step;
    const pvgi_elim_table *a = now->factor[step->pick[0]],
                          *b = now->factor[step->pick[2]];
    int32_t *start = now->out->start;
    for (int32_t u = first; u < last; u++) {
        start[u] = (int32_t)now->entries[1];
        if (now->order > 64) {
            chain_row(now, a, b, now->weight, u);
            PVGI_TRY(append_sums(now));
            PVGI_TRY(spend(now, 0));
            continue;
        }
        uint64_t touched = chain_row_small(now, a, b, u);
        PVGI_TRY(make_room(now, 1, 64));
        int32_t *column = now->out->column[1];
        VALUE *out = now->out->value;
        int64_t at = now->entries[1];
        for (; touched; touched &= touched - 1, at++) {
            const int32_t x = (int32_t)__builtin_ctzll(touched);
            column[at] = x;
            out[at] = now->sum[x];
            now->sum[x] = 0;
        }
        now->entries[1] = at;
    }
    return PVG_OK;
}

/* sum over v of now->sum[v] C(x,v), in four sums that do not wait for one another. */
static VALUE sum_row(join *now, const pvgi_elim_table *c, int32_t x) {
    const VALUE *dense = now->sum, *value = c->value;
    const int32_t *column = c->column[1];
    const int32_t low = c->start[x], high = c->start[x + 1];
    const int32_t fours = low + (high - low) / 4 * 4;
    VALUE sum[4] = {0};
    int32_t j = low;
    if (value)
        for (; j < fours; j += 4)
            for (int32_t k = 0; k < 4; k++)
                sum[k] =
                    ADD(now, sum[k], MULTIPLY(now, dense[column[j + k]], value[j + k]));
    else
        for (; j < fours; j += 4)
            for (int32_t k = 0; k < 4; k++)
                sum[k] = ADD(now, sum[k], dense[column[j + k]]);
    for (; j < high; j++)
        sum[0] = ADD(now, sum[0], MULTIPLY(now, dense[column[j]], entry_of(value, j)));
    return ADD(now, ADD(now, sum[0], sum[1]), ADD(now, sum[2], sum[3]));
}

/* sum over v of dense[v] C(x,v), where dense is row u of B times the weights. Walks
 * through the row of C, or through that of B if it is much shorter. */
static VALUE closed_sum(join *now, const pvgi_elim_table *b, const pvgi_elim_table *c,
                        int32_t u, int32_t x) {
    const VALUE *dense = now->sum, *value = c->value;
    const int32_t *column = c->column[1];
    const int32_t low = c->start[x], high = c->start[x + 1];
    VALUE sum = 0;
    if (high - low <= 8 * (b->start[u + 1] - b->start[u])) return sum_row(now, c, x);
    for (int32_t i = b->start[u], j = low; i < b->start[u + 1] && j < high; i++) {
        const int32_t v = b->column[1][i];
        j = seek(column, j, high, v);
        if (j < high && column[j] == v)
            sum = ADD(now, sum, MULTIPLY(now, dense[v], entry_of(value, j)));
    }
    return sum;
}

static int32_t close_rows(join *now, int32_t first, int32_t last) {
    const pvgi_elim_step *step = now->step;
    const pvgi_elim_table *a = now->factor[step->pick[0]],
                          *b = now->factor[step->pick[1]],
                          *c = now->factor[step->pick[2]];
    PVGI_TRY(make_room(now, 1, a->start[last] - a->start[first]));
    int32_t *column = now->out->column[1], *start = now->out->start;
    int32_t at = (int32_t)now->entries[1];
    VALUE *out = now->out->value, *dense = now->sum;
    for (int32_t u = first; u < last; u++) {
        start[u] = at;
        if (a->start[u] == a->start[u + 1]) continue;
        for (int32_t i = b->start[u]; i < b->start[u + 1]; i++) {
            const int32_t v = b->column[1][i];
            dense[v] = MULTIPLY(now, entry_of(b->value, i), now->weight[v]);
        }
        for (int32_t i = a->start[u]; i < a->start[u + 1]; i++) {
            const int32_t x = a->column[1][i];
            const VALUE sum = closed_sum(now, b, c, u, x);
            now->work += c->start[x + 1] - c->start[x];
            if (sum == 0) continue;
            column[at] = x;
            out[at++] = MULTIPLY(now, sum, entry_of(a->value, i));
        }
        for (int32_t i = b->start[u]; i < b->start[u + 1]; i++)
            dense[b->column[1][i]] = 0;
        PVGI_TRY(spend(now, b->start[u + 1] - b->start[u]));
    }
    now->entries[1] = at;
    return PVG_OK;
}
