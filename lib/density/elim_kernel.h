/* Counting by steps, for one type of numbers. The file that includes this defines
 *   VALUE                type of a count
 *   MULTIPLY(j, a, b)    a * b, a + b; note overflow in *j
 *   ADD(j, a, b)
 *   RUN                  name of the function at the end
 *
 * A step visits its tuples depth first: at each level the images allowed by the shortest
 * of the tables that meet there, kept if all others have them too (a generic join). The
 * cost is the number of partial tuples visited times a search in sorted rows; levels are
 * ordered so that tuples grow along arcs: about n D^k for k further vertices and degrees
 * about D, far less where patterns close triangles. */

typedef struct {
    const pvgi_elim_plan *plan;
    pvgi_elim_scratch *scratch;
    const pvgi_elim_step *step;
    pvgi_elim_table *out;
    int32_t order;
    int32_t status;
    bool overflow;
    const VALUE *weight;
    const pvgi_elim_table *factor[PVGI_ELIM_FACTORS];
    /* entries at trie level p of factor f that agree with the images chosen so far */
    int32_t low[PVGI_ELIM_FACTORS][PVGI_ELIM_ARITY];
    int32_t high[PVGI_ELIM_FACTORS][PVGI_ELIM_ARITY];
    int32_t image[PVGI_ELIM_LEVELS];
    /* the table being made */
    int32_t open; /* levels below it have their entry for the current tuple */
    int64_t entries[PVGI_ELIM_ARITY], room[PVGI_ELIM_ARITY];
    /* sums of one row that come out of order */
    VALUE *sum;
    int32_t *touched;
    int64_t touches, slots;
    uint64_t *key;
    int32_t *slot;
    /* cycles and cliques by number of vertices, once counted */
    bool cycles_known, cliques_known;
    VALUE cycle[PVGI_PATTERN_ORDER + 1], clique[PVGI_ELIM_LEVELS + 1];
    bool cycle_bad[PVGI_PATTERN_ORDER + 1], clique_bad[PVGI_ELIM_LEVELS + 1];
} join;

/* --- making a table
 * ----------------------------------------------------------------------- */

/* Buffers of a table over k vertices: rows, then per level columns, children (not at the
 * last level); the values at the end. */
enum { BUFFER_START = 0 };
static int32_t buffer_of_column(int32_t level) {
    return 2 * level - 1;
}
static int32_t buffer_of_child(int32_t level) {
    return 2 * level;
}
static int32_t buffer_of_value(int32_t arity) {
    return arity == 1 ? 0 : 2 * (arity - 1);
}

static pvgi_elim_buffer *buffer_at(const join *now, int32_t position) {
    return &now->scratch->pool[now->out->buffer[position]];
}

/* Room for `more` further entries at a level. */
static int32_t make_room(join *now, int32_t level, int64_t more) {
    const int64_t wanted = now->entries[level] + more;
    pvgi_elim_table *out = now->out;
    if (wanted < now->room[level]) return PVG_OK;
    if (wanted >= INT32_MAX)
        return pvgi_fail(PVG_E_LIMIT, "density: a table would pass 2^31 entries");
    const bool last = level + 1 == out->arity;
    pvgi_elim_buffer *column = buffer_at(now, buffer_of_column(level));
    pvgi_elim_buffer *second =
        buffer_at(now, last ? buffer_of_value(out->arity) : buffer_of_child(level));
    const size_t bytes = last ? sizeof(VALUE) : sizeof(int32_t);
    PVGI_TRY(pvgi_density_elim_need(now->scratch, column,
                                    ((size_t)wanted + 1) * sizeof(int32_t)));
    PVGI_TRY(pvgi_density_elim_need(now->scratch, second, ((size_t)wanted + 1) * bytes));
    const size_t rooms = column->bytes / sizeof(int32_t);
    const size_t second_rooms = second->bytes / bytes;
    now->room[level] = (int64_t)(rooms < second_rooms ? rooms : second_rooms);
    out->column[level] = column->data;
    if (last)
        out->value = second->data;
    else
        out->child[level] = second->data;
    return PVG_OK;
}

static int32_t open_table(join *now) {
    pvgi_elim_table *out = now->out;
    const int32_t arity = now->step->arity, buffers = buffer_of_value(arity) + 1;
    const size_t nodes = (size_t)now->order + 1;
    out->arity = arity;
    out->count = 0;
    out->owned = 0;
    for (int32_t i = 0; i < buffers; i++, out->owned++)
        PVGI_TRY(pvgi_density_elim_take(&out->buffer[i], now->scratch, 0));
    if (arity == 1) {
        pvgi_elim_buffer *value = buffer_at(now, 0);
        PVGI_TRY(pvgi_density_elim_need(now->scratch, value, nodes * sizeof(VALUE)));
        out->value = value->data;
        return PVG_OK;
    }
    pvgi_elim_buffer *start = buffer_at(now, BUFFER_START);
    PVGI_TRY(pvgi_density_elim_need(now->scratch, start, nodes * sizeof(int32_t)));
    out->start = start->data;
    for (int32_t level = 1; level < arity; level++) {
        now->entries[level] = now->room[level] = 0;
        PVGI_TRY(make_room(now, level, 1));
    }
    return PVG_OK;
}

/* Appends the tuple whose image at table level l is image[l]. */
static int32_t append(join *now, const int32_t *image, VALUE value) {
    pvgi_elim_table *out = now->out;
    for (int32_t level = now->open; level < out->arity; level++) {
        PVGI_TRY(make_room(now, level, 1));
        const int64_t at = now->entries[level]++;
        out->column[level][at] = image[level];
        if (level + 1 < out->arity)
            out->child[level][at] = (int32_t)now->entries[level + 1];
        else
            ((VALUE *)out->value)[at] = value;
    }
    now->open = out->arity;
    return PVG_OK;
}

static void close_table(join *now) {
    pvgi_elim_table *out = now->out;
    if (out->arity == 1) return;
    for (int32_t level = 1; level + 1 < out->arity; level++)
        out->child[level][now->entries[level]] = (int32_t)now->entries[level + 1];
    out->count = now->entries[out->arity - 1];
}

/* --- sums of one row, out of order
 * --------------------------------------------------------- */

static uint64_t place(uint64_t key) {
    key *= UINT64_C(0x9E3779B97F4A7C15);
    return key ^ key >> 31;
}

static int32_t open_sums(join *now) {
    pvgi_elim_scratch *scratch = now->scratch;
    const size_t order = (size_t)now->order;
    now->touches = 0;
    if (now->step->arity == 2) {
        PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->row, order * sizeof(VALUE)));
        PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->touched, order * 4));
        now->sum = scratch->row.data;
        now->touched = scratch->touched.data;
        memset(now->sum, 0, order * sizeof(VALUE));
        return PVG_OK;
    }
    uint64_t keys = 1;
    for (int32_t i = 1; i < now->step->arity; i++)
        if (__builtin_mul_overflow(keys, (uint64_t)now->order, &keys))
            return pvgi_fail(PVG_E_LIMIT, "density: the graph has too many nodes for a "
                                          "pattern of this treewidth");
    now->slots = 64;
    PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->slot, 64 * 4));
    now->slot = scratch->slot.data;
    memset(now->slot, -1, 64 * 4);
    return PVG_OK;
}

/* Twice the slots; also makes room for as many keys and sums as half of them. */
static int32_t grow_sums(join *now) {
    pvgi_elim_scratch *scratch = now->scratch;
    const size_t slots = 2 * (size_t)now->slots;
    if (slots > (size_t)INT32_MAX)
        return pvgi_fail(PVG_E_LIMIT, "density: a table row would pass 2^30 entries");
    PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->slot, slots * 4));
    now->slot = scratch->slot.data;
    now->slots = (int64_t)slots;
    memset(now->slot, -1, slots * 4);
    for (int64_t i = 0; i < now->touches; i++) {
        uint64_t at = place(now->key[i]);
        while (now->slot[at & (slots - 1)] >= 0) at++;
        now->slot[at & (slots - 1)] = (int32_t)i;
    }
    return PVG_OK;
}

static int32_t add_to_sums(join *now, VALUE value) {
    const pvgi_elim_step *step = now->step;
    if (step->arity == 2) {
        const int32_t x = now->image[step->out[1]];
        if (now->sum[x] == 0) now->touched[now->touches++] = x;
        now->sum[x] = ADD(now, now->sum[x], value);
        return PVG_OK;
    }
    pvgi_elim_scratch *scratch = now->scratch;
    uint64_t key = 0;
    for (int32_t i = 1; i < step->arity; i++)
        key = key * (uint64_t)now->order + (uint64_t)now->image[step->out[i]];
    uint64_t at = place(key);
    for (;; at++) {
        int32_t *slot = &now->slot[at & (uint64_t)(now->slots - 1)];
        if (*slot < 0) {
            const size_t count = (size_t)now->touches + 1;
            PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->touched, count * 8));
            PVGI_TRY(
                pvgi_density_elim_need(scratch, &scratch->row, count * sizeof(VALUE)));
            now->key = scratch->touched.data;
            now->sum = scratch->row.data;
            now->key[now->touches] = key;
            now->sum[now->touches] = value;
            *slot = (int32_t)now->touches++;
            return 2 * now->touches > now->slots ? grow_sums(now) : PVG_OK;
        }
        if (now->key[*slot] != key) continue;
        now->sum[*slot] = ADD(now, now->sum[*slot], value);
        return PVG_OK;
    }
}

static void swap_sums(join *now, int64_t a, int64_t b) {
    const uint64_t key = now->key[a];
    const VALUE sum = now->sum[a];
    now->key[a] = now->key[b];
    now->sum[a] = now->sum[b];
    now->key[b] = key;
    now->sum[b] = sum;
}

/* Heap sort by key: in place, never slow. */
static void sort_sums(join *now) {
    const int64_t count = now->touches;
    for (int64_t begin = count / 2, end = count; end > 1;) {
        if (begin > 0)
            begin--;
        else
            swap_sums(now, 0, --end);
        for (int64_t parent = begin, child; (child = 2 * parent + 1) < end;
             parent = child) {
            if (child + 1 < end && now->key[child + 1] > now->key[child]) child++;
            if (now->key[parent] >= now->key[child]) break;
            swap_sums(now, parent, child);
        }
    }
}

static int32_t append_pair_sums(join *now) {
    PVGI_TRY(make_room(now, 1, now->touches));
    int32_t *column = now->out->column[1];
    VALUE *value = now->out->value;
    int64_t at = now->entries[1];
    if (now->touches > now->order / 8) {
        for (int32_t x = 0; x < now->order; x++) {
            if (now->sum[x] == 0) continue;
            column[at] = x;
            value[at++] = now->sum[x];
            now->sum[x] = 0;
        }
    } else {
        pvgi_graph_row_sort(now->touched, now->touches);
        for (int64_t i = 0; i < now->touches; i++) {
            column[at] = now->touched[i];
            value[at++] = now->sum[now->touched[i]];
            now->sum[now->touched[i]] = 0;
        }
    }
    now->entries[1] = at;
    now->touches = 0;
    return PVG_OK;
}

/* Appends the sums of the row in order and forgets them. */
static int32_t append_sums(join *now) {
    if (now->touches == 0) return PVG_OK;
    if (now->step->arity == 2) return append_pair_sums(now);
    const int32_t arity = now->step->arity;
    const uint64_t order = (uint64_t)now->order;
    int32_t image[PVGI_ELIM_ARITY], before[PVGI_ELIM_ARITY];
    sort_sums(now);
    for (int64_t i = 0; i < now->touches; i++) {
        uint64_t key = now->key[i];
        for (int32_t level = arity - 1; level > 0; level--, key /= order)
            image[level] = (int32_t)(key % order);
        for (now->open = 1; i > 0 && image[now->open] == before[now->open];) now->open++;
        PVGI_TRY(append(now, image, now->sum[i]));
        memcpy(before, image, sizeof before);
    }
    memset(now->slot, -1, (size_t)now->slots * 4);
    now->touches = 0;
    return PVG_OK;
}

/* --- visiting tuples
 * ------------------------------------------------------------------------ */

/* First position from `low` on whose entry is at least x, or high. */
static inline int32_t seek(const int32_t *column, int32_t low, int32_t high, int32_t x) {
    int32_t step = 1;
    if (low >= high || column[low] >= x) return low;
    while (low + step < high && column[low + step] < x) {
        low += step;
        step *= 2;
    }
    int32_t end = low + step < high ? low + step : high;
    for (low++; low < end;) {
        const int32_t middle = low + (end - low) / 2;
        if (column[middle] < x)
            low = middle + 1;
        else
            end = middle;
    }
    return low;
}

/* Opens the rows of the tables whose first vertex got the image x; false if one is empty.
 */
static inline bool begin_rows(join *now, int32_t level, int32_t x) {
    const pvgi_elim_step *step = now->step;
    for (int32_t i = step->begin[level]; i < step->begin[level + 1]; i++) {
        const int32_t f = now->plan->begin[i];
        const int32_t *start = now->factor[f]->start;
        now->low[f][1] = start[x];
        now->high[f][1] = start[x + 1];
        if (start[x] == start[x + 1]) return false;
    }
    return true;
}

/* The entry of factor f is chosen: takes its value, or opens the entries below it. */
static inline void enter(join *now, const pvgi_elim_probe *probe, int32_t entry,
                         VALUE *product) {
    const pvgi_elim_table *table = now->factor[probe->factor];
    const int32_t p = probe->position;
    if (!probe->last) {
        now->low[probe->factor][p + 1] = table->child[p][entry];
        now->high[probe->factor][p + 1] = table->child[p][entry + 1];
    } else if (table->value) {
        *product = MULTIPLY(now, *product, ((const VALUE *)table->value)[entry]);
    }
}

static void visit(join *now, int32_t level, VALUE product) {
    const pvgi_elim_step *step = now->step;
    const pvgi_elim_probe *probe = now->plan->probe + step->probe[level];
    const int32_t probes = step->probe[level + 1] - step->probe[level];
    int32_t cursor[PVGI_ELIM_FACTORS], lead = 0, shortest = INT32_MAX;
    for (int32_t i = 0; i < probes; i++) {
        const int32_t f = probe[i].factor, p = probe[i].position;
        cursor[i] = now->low[f][p];
        if (now->high[f][p] - cursor[i] < shortest)
            shortest = now->high[f][p] - cursor[i], lead = i;
    }
    const int32_t *column = now->factor[probe[lead].factor]->column[probe[lead].position];
    const int32_t end = cursor[lead] + shortest;
    const bool last = level + 1 == step->levels;
    VALUE total = 0;
    for (int32_t entry = cursor[lead]; entry < end; entry++) {
        const int32_t x = column[entry];
        VALUE grown = product;
        bool present = true;
        for (int32_t i = 0; i < probes && present; i++) {
            const int32_t f = probe[i].factor, p = probe[i].position;
            if (i == lead) {
                cursor[i] = entry;
            } else {
                const int32_t *other = now->factor[f]->column[p];
                const int32_t high = now->high[f][p];
                cursor[i] = seek(other, cursor[i], high, x);
                if (cursor[i] == high) goto done;
                present = other[cursor[i]] == x;
            }
        }
        if (!present) continue;
        if (level == step->summed) {
            if (now->weight[x] == 0) continue;
            grown = MULTIPLY(now, grown, now->weight[x]);
        }
        if (!begin_rows(now, level, x)) continue;
        for (int32_t i = 0; i < probes; i++) enter(now, &probe[i], cursor[i], &grown);
        if (last && step->direct) {
            total = ADD(now, total, grown);
            continue;
        }
        now->image[level] = x;
        if (now->open > level) now->open = level;
        if (!last)
            visit(now, level + 1, grown);
        else
            now->status = add_to_sums(now, grown);
        if (now->status != PVG_OK) return;
    }
done:
    if (!last || !step->direct || total == 0) return;
    if (step->arity == 1)
        ((VALUE *)now->out->value)[now->image[0]] = total;
    else
        now->status = append(now, now->image, total);
}

static int32_t run_join(join *now) {
    const pvgi_elim_step *step = now->step;
    pvgi_elim_table *out = now->out;
    if (!step->direct) PVGI_TRY(open_sums(now));
    for (int32_t u = 0; u < now->order; u++) {
        if (step->arity == 1)
            ((VALUE *)out->value)[u] = 0;
        else
            out->start[u] = (int32_t)now->entries[1];
        now->image[0] = u;
        now->open = 1;
        if (begin_rows(now, 0, u)) visit(now, 1, 1);
        if (now->status != PVG_OK) return now->status;
        if (!step->direct) PVGI_TRY(append_sums(now));
        if (step->arity == 1) out->count += ((VALUE *)out->value)[u] != 0;
    }
    if (step->arity > 1) out->start[now->order] = (int32_t)now->entries[1];
    return PVG_OK;
}

static void multiply_vectors(join *now) {
    VALUE *out = now->out->value;
    memcpy(out, now->factor[0]->value, (size_t)now->order * sizeof *out);
    for (int32_t i = 1; i < now->step->factors; i++) {
        const VALUE *by = now->factor[i]->value;
        for (int32_t u = 0; u < now->order; u++) out[u] = MULTIPLY(now, out[u], by[u]);
    }
    for (int32_t u = 0; u < now->order; u++) now->out->count += out[u] != 0;
}

#include "elim_pairs.h"

#include "elim_walks.h"

#include "elim_cliques.h"

/* --- steps and patterns
 * ---------------------------------------------------------------------- */

/* One reader of the table is done. */
static void release(pvgi_elim_scratch *scratch, int32_t table) {
    if (table < PVGI_ELIM_BASES || --scratch->live[table] > 0) return;
    pvgi_density_elim_drop(scratch, &scratch->table[table]);
}

static int32_t run_shape(join *now) {
    switch (now->step->shape) {
    case PVGI_ELIM_VECTORS:
        multiply_vectors(now);
        return PVG_OK;
    case PVGI_ELIM_ROWS:
        sum_rows(now);
        return PVG_OK;
    case PVGI_ELIM_PRODUCT:
        return multiply_rows(now);
    case PVGI_ELIM_CHAIN:
        return chain_rows(now);
    case PVGI_ELIM_CLOSED:
        return close_rows(now);
    case PVGI_ELIM_JOIN:
    default:
        return run_join(now);
    }
}

static int32_t compute(join *now, int32_t index) {
    pvgi_elim_scratch *scratch = now->scratch;
    const pvgi_elim_step *step = &now->plan->step[index];
    const pvgi_elim_factor *factor = now->plan->factor + step->factor;
    now->step = step;
    now->out = &scratch->table[PVGI_ELIM_BASES + index];
    for (int32_t i = 0; i < step->factors; i++)
        now->factor[i] = &scratch->table[factor[i].table];
    now->weight = step->weight < 0 ? NULL : scratch->table[step->weight].value;
    PVGI_TRY(open_table(now));
    PVGI_TRY(run_shape(now));
    close_table(now);
    now->out->state = 1;
    for (int32_t i = 0; i < step->factors; i++) release(scratch, factor[i].table);
    release(scratch, step->weight);
    return PVG_OK;
}

/* The vector of the pattern's result in *vector; NULL if the count is zero. */
static int32_t run_steps(const VALUE **vector, join *now,
                         const pvgi_elim_pattern *pattern) {
    *vector = NULL;
    for (int32_t i = 0; i < pattern->steps; i++) {
        const int32_t index = now->plan->list[pattern->step + i];
        const pvgi_elim_table *made = &now->scratch->table[PVGI_ELIM_BASES + index];
        if (!made->state) PVGI_TRY(compute(now, index));
        if (made->count == 0) return PVG_OK;
    }
    *vector = now->scratch->table[pattern->result].value;
    return PVG_OK;
}

/* The weights as a vector, and every step waiting. */
static int32_t begin_host(join *now) {
    pvgi_elim_scratch *scratch = now->scratch;
    pvgi_elim_table *weight = &scratch->table[PVGI_ELIM_WEIGHT];
    const size_t order = (size_t)scratch->reduced.order;
    now->order = scratch->reduced.order;
    PVGI_TRY(pvgi_density_elim_take(&weight->buffer[0], scratch, order * sizeof(VALUE)));
    weight->owned = 1;
    weight->arity = 1;
    weight->count = now->order;
    weight->value = scratch->pool[weight->buffer[0]].data;
    for (int32_t u = 0; u < now->order; u++)
        ((VALUE *)weight->value)[u] = (VALUE)scratch->reduced.weight[u];
    for (int32_t i = 0; i < now->plan->steps; i++) {
        scratch->live[PVGI_ELIM_BASES + i] = now->plan->step[i].uses;
        scratch->table[PVGI_ELIM_BASES + i].state = 0;
    }
    return PVG_OK;
}

static VALUE sum_of(join *now, const VALUE *vector) {
    VALUE sum = 0;
    for (int32_t u = 0; u < now->order; u++) sum = ADD(now, sum, vector[u]);
    return sum;
}

static void write_column(VALUE *rows, const join *now, const pvgi_host *host,
                         int64_t column, const VALUE *vector) {
    const int32_t *name = now->scratch->reduced.name;
    for (int64_t v = 0; v < host->order; v++)
        rows[v * now->plan->count + column] =
            vector && name[v] >= 0 ? vector[name[v]] : 0;
}

/* The count of a cycle or a clique. */
static int32_t run_special(VALUE *count, join *now, const pvgi_elim_pattern *pattern) {
    const bool is_cycle = pattern->kind == PVGI_ELIM_CYCLE;
    bool *known = is_cycle ? &now->cycles_known : &now->cliques_known;
    const bool *bad = is_cycle ? now->cycle_bad : now->clique_bad;
    if (!*known && is_cycle)
        PVGI_TRY(count_cycles(now, now->cycle, now->cycle_bad, now->plan->cycle_longest));
    if (!*known && !is_cycle)
        PVGI_TRY(
            count_cliques(now, now->clique, now->clique_bad, now->plan->clique_largest));
    *known = true;
    *count = is_cycle ? now->cycle[pattern->order] : now->clique[pattern->order];
    if (bad[pattern->order]) now->overflow = true;
    return PVG_OK;
}

static int32_t run_pattern(VALUE *counts, VALUE *rows, join *now, const pvgi_host *host,
                           int64_t i) {
    const pvgi_elim_pattern *pattern = &now->plan->pattern[i];
    const VALUE *vector = NULL;
    const bool zero = pvgi_density_elim_is_zero(pattern, &now->scratch->reduced);
    if (!rows) counts[i] = 0;
    if (!zero && now->order < 0) PVGI_TRY(begin_host(now));
    if (!zero && pattern->kind != PVGI_ELIM_GENERAL)
        return run_special(&counts[i], now, pattern);
    if (!zero) PVGI_TRY(run_steps(&vector, now, pattern));
    if (rows)
        write_column(rows, now, host, i, vector);
    else if (vector)
        counts[i] = sum_of(now, vector);
    if (vector) release(now->scratch, pattern->result);
    return PVG_OK;
}

int32_t RUN(VALUE *counts, VALUE *rows, int64_t *which, const pvgi_elim_plan *plan,
            const pvgi_host *host, pvgi_elim_scratch *scratch) {
    join now;
    now.plan = plan;
    now.scratch = scratch;
    now.status = PVG_OK;
    now.overflow = now.cycles_known = now.cliques_known = false;
    now.order = -1;
    int32_t status = PVG_OK;
    *which = -1;
    for (int64_t i = 0; i < plan->count; i++) {
        PVGI_TRY_DONE(run_pattern(counts, rows, &now, host, i));
        if (!now.overflow) continue;
        *which = i;
        PVGI_TRY_DONE(pvgi_fail(PVG_E_LIMIT, "density: the count does not fit"));
    }
done:
    if (now.order >= 0)
        for (int32_t i = PVGI_ELIM_WEIGHT; i < scratch->tables; i++)
            pvgi_density_elim_drop(scratch, &scratch->table[i]);
    return status;
}
