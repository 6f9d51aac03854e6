/* Rows that go straight to the steps that read them.
 *
 * The largest tables of patterns on sparse hosts are chains, P(u,v) = sum over m of
 * A(u,m) w(m) B(m,v), with about degree^2 entries in a row; most are read only by
 *     closed   out(u,x) = M(u,x) sum over v of P(u,v) w(v) C(x,v)
 * which wants one row of P after the other. Such a row is summed up where it is needed,
 * for the rows u that M has, and never put in order nor kept; so are products of chains.
 * If P stands at the place of C, and M and the other table are arcs of the host, which
 * are symmetric, the step is done for the transposed table.
 *
 * If out is only summed up, s(u) = sum over x of w'(x) out(u,x), and the chain of M, w'
 * and C is one that P is made of, Q, then s(u) = sum over v of P(u,v) w(v) Q(u,v): the
 * other way round the cycle, whose rows are there. The table is folded: it has one entry
 * for each row, s(u). Sums have the terms they had, in another order: below 2^53 the bits
 * are those of whole tables.
 * O(pairs of entries in the rows that are read). Included by elim/kernel.h. */

enum {
    FULL_SHARE = 4
}; /* of nodes that a row may touch: more, and all are gone through */

/* Where rows come from; b NULL: rows of table a, else the chain of a and b. */
static pass_source source_of(const join *now, int32_t table) {
    if (now->scratch->table[table].state != PVGI_ELIM_PASSED)
        return (pass_source){.a = &now->scratch->table[table]};
    const pvgi_elim_step *step = &now->plan->step[table - PVGI_ELIM_BASES];
    const pvgi_elim_factor *factor = now->plan->factor + step->factor;
    return (pass_source){&now->scratch->table[factor[step->pick[0]].table],
                         &now->scratch->table[factor[step->pick[2]].table],
                         now->scratch->table[step->weight].value};
}

/* Finds what is passed to the step at hand. */
static void open_pass(join *now) {
    const pvgi_elim_factor *factor = now->plan->factor + now->step->factor;
    now->pass.sources = 0;
    now->out->folded = false;
    if (now->whole || now->step->shape != PVGI_ELIM_CLOSED) return;
    for (int32_t i = 1; i <= 2; i++) {
        const int32_t table = factor[now->step->pick[i]].table;
        if (now->scratch->table[table].state != PVGI_ELIM_PASSED) continue;
        const pvgi_elim_step *step = &now->plan->step[table - PVGI_ELIM_BASES];
        const bool product = step->shape == PVGI_ELIM_PRODUCT;
        now->pass.mirrored = i == 2;
        now->pass.sources = product ? 2 : 1;
        for (int32_t k = 0; k < now->pass.sources; k++)
            now->pass.source[k] = source_of(
                now, product ? now->plan->factor[step->factor + k].table : table);
    }
    now->out->folded = now->step->folded > 0 && now->pass.sources > 0;
    now->scratch->folds += now->out->folded;
}

/* Entries that row u of a source adds up, at most. */
static int64_t pairs_of(const pass_source *from, int32_t u) {
    const pvgi_elim_table *a = from->a, *b = from->b;
    int64_t pairs = 0;
    if (!b) return a->start[u + 1] - a->start[u];
    for (int32_t i = a->start[u]; i < a->start[u + 1]; i++)
        pairs += b->start[a->column[1][i] + 1] - b->start[a->column[1][i]];
    return pairs;
}

/* Row u of a source into the sums; full: what is touched is not noted. */
static void add_source(join *now, const pass_source *from, int32_t u, bool full) {
    const pvgi_elim_table *a = from->a, *b = from->b;
    VALUE *sum = now->sum;
    if (b && !full) {
        chain_row(now, a, b, from->weight, u);
        return;
    }
    for (int32_t i = a->start[u]; i < a->start[u + 1]; i++) {
        const int32_t m = a->column[1][i];
        if (!b) {
            if (!full) now->touched[now->touches++] = m;
            sum[m] = entry_of(a->value, i);
            continue;
        }
        const VALUE scale = MULTIPLY(now, entry_of(a->value, i), from->weight[m]);
        const VALUE *value = b->value;
        const int32_t *column = b->column[1];
        if (value)
            for (int32_t j = b->start[m]; j < b->start[m + 1]; j++)
                sum[column[j]] = ADD(now, sum[column[j]], MULTIPLY(now, scale, value[j]));
        else
            for (int32_t j = b->start[m]; j < b->start[m + 1]; j++)
                sum[column[j]] = ADD(now, sum[column[j]], scale);
    }
}

/* The same of all sources; 0: one of them has none, and the row is empty. */
static int64_t pairs_of_row(const join *now, int32_t u) {
    int64_t sum = 0;
    for (int32_t k = 0; k < now->pass.sources; k++) {
        const int64_t pairs = pairs_of(&now->pass.source[k], u);
        if (pairs == 0) return 0;
        sum += pairs;
    }
    return sum;
}

static void swap_sums_with_spare(join *now) {
    VALUE *sum = now->sum;
    int32_t *touched = now->touched;
    now->sum = now->pass.spare;
    now->touched = now->pass.spare_touched;
    now->pass.spare = sum;
    now->pass.spare_touched = touched;
}

/* Row u of each source into sums of its own; how many nodes the second touched. */
static int64_t add_sources(join *now, int32_t u, bool full) {
    add_source(now, &now->pass.source[0], u, full);
    if (now->pass.sources < 2) return 0;
    const int64_t touches = now->touches;
    swap_sums_with_spare(now);
    now->touches = 0;
    add_source(now, &now->pass.source[1], u, full);
    swap_sums_with_spare(now);
    const int64_t others = now->touches;
    now->touches = touches;
    return others;
}

static void clear_spare(const join *now, int64_t touches, bool full) {
    VALUE *spare = now->pass.spare;
    if (now->pass.sources < 2) return;
    if (full) memset(spare, 0, (size_t)now->order * sizeof *spare);
    for (int64_t i = 0; i < touches && !full; i++) spare[now->pass.spare_touched[i]] = 0;
}

/* Row u of what is passed, times the weights, into the sums. A row that touches many
 * nodes is dealt with as a whole. */
static void pass_row(join *now, int32_t u, bool full) {
    const bool two = now->pass.sources == 2;
    VALUE *sum = now->sum, *spare = now->pass.spare;
    const int64_t others = add_sources(now, u, full);
    for (int32_t v = 0; v < now->order && full && two; v++)
        sum[v] = MULTIPLY(now, sum[v], spare[v]);
    for (int32_t v = 0; v < now->order && full; v++)
        sum[v] = MULTIPLY(now, sum[v], now->weight[v]);
    for (int64_t i = 0; i < now->touches; i++) {
        const int32_t v = now->touched[i];
        if (two) sum[v] = MULTIPLY(now, sum[v], spare[v]);
        sum[v] = MULTIPLY(now, sum[v], now->weight[v]);
    }
    clear_spare(now, others, full);
}

static void clear_sums(join *now, bool full) {
    if (full) memset(now->sum, 0, (size_t)now->order * sizeof *now->sum);
    for (int64_t i = 0; i < now->touches; i++) now->sum[now->touched[i]] = 0;
    now->touches = 0;
}

/* What node v adds to a row that is folded. */
static VALUE fold_term(join *now, const VALUE *with, const VALUE *spare, int32_t v) {
    VALUE term = MULTIPLY(now, now->sum[v], with[v]);
    if (spare) term = MULTIPLY(now, term, spare[v]);
    return MULTIPLY(now, term, now->weight[v]);
}

/* sum over v of row u times the weights times the source that it is folded with; in four
 * sums that do not wait for one another. */
static VALUE fold_row(join *now, int32_t u, bool full) {
    const int64_t others = add_sources(now, u, full);
    const VALUE *spare = now->pass.sources == 2 ? now->pass.spare : NULL;
    const VALUE *with = now->step->folded == PVGI_ELIM_FOLD_SECOND ? spare : now->sum;
    VALUE sum[4] = {0};
    int32_t v = 0;
    for (; full && !spare && v + 4 <= now->order; v += 4)
        for (int32_t k = 0; k < 4; k++)
            sum[k] = ADD(now, sum[k], fold_term(now, with, NULL, v + k));
    for (; full && v + 4 <= now->order; v += 4)
        for (int32_t k = 0; k < 4; k++)
            sum[k] = ADD(now, sum[k], fold_term(now, with, spare, v + k));
    for (; full && v < now->order; v++)
        sum[0] = ADD(now, sum[0], fold_term(now, with, spare, v));
    for (int64_t i = 0; i < now->touches; i++)
        sum[i & 3] = ADD(now, sum[i & 3], fold_term(now, with, spare, now->touched[i]));
    clear_spare(now, others, full);
    clear_sums(now, full);
    return ADD(now, ADD(now, sum[0], sum[1]), ADD(now, sum[2], sum[3]));
}

/* sum over v of the row times C(x,v); walks through the row of C, or through what was
 * touched, once in order, if that is much less. */
static VALUE passed_sum(join *now, const pvgi_elim_table *c, int32_t x, bool full,
                        bool *sorted) {
    const int32_t *column = c->column[1];
    const int32_t low = c->start[x], high = c->start[x + 1];
    VALUE sum = 0;
    if (full || high - low <= 8 * now->touches) return sum_row(now, c, x);
    if (!*sorted) pvgi_graph_row_sort(now->touched, now->touches);
    *sorted = true;
    for (int64_t i = 0, j = low; i < now->touches && j < high; i++) {
        const int32_t v = now->touched[i];
        j = seek(column, (int32_t)j, high, v);
        if (j < high && column[j] == v)
            sum =
                ADD(now, sum, MULTIPLY(now, now->sum[v], entry_of(c->value, (int32_t)j)));
    }
    return sum;
}

static int32_t close_passed(join *now, int32_t first, int32_t last) {
    const int8_t *pick = now->step->pick;
    const pvgi_elim_table *mask = now->factor[pick[0]];
    const pvgi_elim_table *other = now->factor[pick[now->pass.mirrored ? 1 : 2]];
    PVGI_TRY(make_room(now, 1, mask->start[last] - mask->start[first]));
    int32_t *column = now->out->column[1], *start = now->out->start;
    int32_t at = (int32_t)now->entries[1];
    VALUE *out = now->out->value;
    for (int32_t u = first; u < last; u++) {
        bool sorted = false;
        start[u] = at;
        if (mask->start[u] == mask->start[u + 1]) continue;
        const int64_t pairs = pairs_of_row(now, u);
        const bool full = pairs * FULL_SHARE >= now->order;
        if (pairs == 0) continue;
        PVGI_TRY(spend(now, pairs));
        if (now->step->folded) {
            column[at] = u;
            out[at] = fold_row(now, u, full);
            at += out[at] != 0;
            continue;
        }
        pass_row(now, u, full);
        for (int32_t i = mask->start[u]; i < mask->start[u + 1]; i++) {
            const int32_t x = mask->column[1][i];
            const VALUE sum = passed_sum(now, other, x, full, &sorted);
            now->work += other->start[x + 1] - other->start[x];
            if (sum == 0) continue;
            column[at] = x;
            out[at++] = MULTIPLY(now, sum, entry_of(mask->value, i));
        }
        clear_sums(now, full);
    }
    now->entries[1] = at;
    return PVG_OK;
}

/* Rows of the table become its columns. */
static int32_t transpose(join *now) {
    pvgi_elim_scratch *scratch = now->scratch;
    const size_t entries = (size_t)now->entries[1], rows = (size_t)now->order;
    PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->row, entries * sizeof(VALUE)));
    PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->slot, entries * 4));
    PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->touched, (rows + 1) * 4));
    VALUE *value = now->out->value, *old_value = scratch->row.data;
    int32_t *column = now->out->column[1], *old_column = scratch->slot.data;
    int32_t *start = now->out->start, *old_start = scratch->touched.data;
    memcpy(old_value, value, entries * sizeof *value);
    memcpy(old_column, column, entries * sizeof *column);
    memcpy(old_start, start, (rows + 1) * sizeof *start);
    memset(start, 0, (rows + 1) * sizeof *start);
    for (size_t i = 0; i < entries; i++) start[old_column[i] + 1]++;
    for (size_t u = 0; u < rows; u++) start[u + 1] += start[u];
    for (int32_t u = 0; u < now->order; u++)
        for (int32_t i = old_start[u]; i < old_start[u + 1]; i++) {
            const int32_t at = start[old_column[i]]++;
            column[at] = u;
            value[at] = old_value[i];
        }
    memmove(start + 1, start, rows * sizeof *start);
    start[0] = 0;
    return PVG_OK;
}

/* Notes that the rows of the step go to its readers. What it is made from stays until the
 * last of them is done. */
static void pass_on(join *now, int32_t index) {
    pvgi_elim_scratch *scratch = now->scratch;
    const pvgi_elim_step *step = &now->plan->step[index];
    pvgi_elim_table *table = &scratch->table[PVGI_ELIM_BASES + index];
    *table = (pvgi_elim_table){.count = 1, /* not known to be empty */
                               .arity = 2,
                               .rows = now->order,
                               .state = PVGI_ELIM_PASSED};
    for (int32_t i = 0; i < step->factors; i++)
        table->large = table->large ||
                       scratch->table[now->plan->factor[step->factor + i].table].large;
    if (step->weight >= 0)
        table->large = table->large || scratch->table[step->weight].large;
    scratch->passes++;
}
