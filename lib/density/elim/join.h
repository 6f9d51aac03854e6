/* The generic join: any step.
 *
 * Tuples are visited depth first: at each level the images allowed by the shortest of the
 * tables that meet there, kept if all others have them too. A step whose removed vertex v
 * comes last does not visit its images one by one: the list of images still possible,
 * each with the product of weight and values so far, is narrowed at every level, tuples
 * for which it is empty are left at once, and at the last level it is only summed.
 * Cost: partial tuples visited, times a search in sorted rows.
 * Included by elim/kernel.h, which says what VALUE, MULTIPLY and ADD are. */

/* First position from `low` on whose entry is at least x, or high. */
static inline int32_t seek(const int32_t *column, int32_t low, int32_t high, int32_t x) {
    int32_t step = 1;
    if (low >= high || column[low] >= x) return low;
    while (step < high - low && column[low + step] < x) { /* low + step may overflow */
        low += step;
        step *= 2;
    }
    int32_t end = step < high - low ? low + step : high;
    for (low++; low < end;) {
        const int32_t middle = low + (end - low) / 2;
        if (column[middle] < x)
            low = middle + 1;
        else
            end = middle;
    }
    return low;
}

static inline VALUE entry_of(const VALUE *value, int32_t entry) {
    return value ? value[entry] : 1;
}

/* --- images of the removed vertex ------------------------------------------------ */

/* Entries of table f that agree with the images chosen, for the removed vertex. */
typedef struct {
    const int32_t *column;
    const VALUE *value;
    int32_t low, high;
} piece;

static piece piece_of(const join *now, int32_t f) {
    const pvgi_elim_table *table = now->factor[f];
    const int32_t last = table->arity - 1;
    return (piece){table->column[last], table->value, now->low[f][last],
                   now->high[f][last]};
}

/* The first list: a piece times the weights. */
static void begin_list(join *now, image_list *out, const piece *from) {
    int32_t count = 0;
    now->work += from->high - from->low;
    for (int32_t i = from->low; i < from->high; i++) {
        const int32_t x = from->column[i];
        if (now->weight[x] == 0) continue;
        out->column[count] = x;
        out->value[count++] = MULTIPLY(now, entry_of(from->value, i), now->weight[x]);
    }
    out->count = count;
}

/* out = in where the piece has an entry too; out may be in. */
static void narrow_list(join *now, image_list *out, const image_list *in,
                        const piece *by) {
    int32_t count = 0, i = 0, j = by->low;
    now->work += in->count;
    while (i < in->count && j < by->high) {
        const int32_t x = in->column[i], y = by->column[j];
        if (x == y) {
            out->column[count] = x;
            out->value[count++] = MULTIPLY(now, in->value[i], entry_of(by->value, j));
            i++, j++;
        } else if (x < y) {
            i = seek(in->column, i, in->count, y);
        } else {
            j = seek(by->column, j, by->high, x);
        }
    }
    out->count = count;
}

/* The list after the image at `level` is chosen; false if it is empty. */
static bool update_list(join *now, int32_t level) {
    image_list *out = &now->list[level];
    const image_list *in = level > 0 ? &now->list[level - 1] : NULL;
    out->known = in && in->known;
    out->column = out->own_column;
    out->value = out->own_value;
    if (now->closers[level] == 0 && out->known) { /* lend the list above */
        out->column = in->column;
        out->value = in->value;
        out->count = in->count;
    }
    for (int32_t i = 0; i < now->closers[level]; i++) {
        const piece added = piece_of(now, now->closer[level][i]);
        if (!out->known)
            begin_list(now, out, &added);
        else
            narrow_list(now, out, i == 0 ? in : out, &added);
        out->known = true;
    }
    return !out->known || out->count > 0;
}

/* The list as a vector that is zero elsewhere, and back. */
static void spread_list(join *now, const image_list *list) {
    for (int32_t i = 0; i < list->count; i++) now->sum[list->column[i]] = list->value[i];
}

static void gather_list(join *now, const image_list *list) {
    for (int32_t i = 0; i < list->count; i++) now->sum[list->column[i]] = 0;
}

/* Sum over the list narrowed by one piece; the list is spread. */
static VALUE sum_spread(join *now, const image_list *list, const piece *by) {
    VALUE sum = 0;
    const int32_t entries = by->high - by->low;
    now->work += entries > 8 * list->count ? list->count : entries;
    if (entries > 8 * list->count) {
        for (int32_t i = 0, j = by->low; i < list->count && j < by->high; i++) {
            j = seek(by->column, j, by->high, list->column[i]);
            if (j < by->high && by->column[j] == list->column[i])
                sum =
                    ADD(now, sum, MULTIPLY(now, list->value[i], entry_of(by->value, j)));
        }
    } else if (by->value) {
        for (int32_t j = by->low; j < by->high; j++)
            sum = ADD(now, sum, MULTIPLY(now, now->sum[by->column[j]], by->value[j]));
    } else {
        for (int32_t j = by->low; j < by->high; j++)
            sum = ADD(now, sum, now->sum[by->column[j]]);
    }
    return sum;
}

/* Sum over the images of the removed vertex, all others being chosen. */
static VALUE sum_images(join *now, int32_t level) {
    const image_list *above = &now->list[level - 1];
    if (now->closers[level] == 1 && above->known) {
        const piece by = piece_of(now, now->closer[level][0]);
        return sum_spread(now, above, &by);
    }
    if (!update_list(now, level)) return 0;
    VALUE sum = 0;
    for (int32_t i = 0; i < now->list[level].count; i++)
        sum = ADD(now, sum, now->list[level].value[i]);
    return sum;
}

/* --- visiting tuples -----------------------------------------------------------------
 */

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

static void visit(join *now, int32_t level, VALUE product);

/* The image at `level` is chosen: goes on below, or writes the tuple. */
static inline void go_on(join *now, int32_t level, VALUE product) {
    const pvgi_elim_step *step = now->step;
    if (now->open > level) now->open = level;
    if (!step->direct) {
        if (level + 1 == step->levels)
            now->status = add_to_sums(now, product);
        else
            visit(now, level + 1, product);
    } else if (level + 2 == step->levels) {
        const VALUE sum = sum_images(now, level);
        if (sum != 0) now->status = append(now, now->image, MULTIPLY(now, product, sum));
    } else if (update_list(now, level)) {
        visit(now, level + 1, product);
    }
}

static void visit(join *now, int32_t level, VALUE product) {
    const pvgi_elim_step *step = now->step;
    const pvgi_elim_probe *probe = now->plan->probe + step->probe[level];
    const int32_t probes = step->probe[level + 1] - step->probe[level];
    const int32_t *column[PVGI_ELIM_FACTORS];
    int32_t cursor[PVGI_ELIM_FACTORS], end[PVGI_ELIM_FACTORS], lead = 0;
    cursor[0] = end[0] = 0; /* every level has a probe */
    for (int32_t i = 0; i < probes; i++) {
        const int32_t f = probe[i].factor, p = probe[i].position;
        column[i] = now->factor[f]->column[p];
        cursor[i] = now->low[f][p];
        end[i] = now->high[f][p];
        if (end[i] - cursor[i] < end[lead] - cursor[lead]) lead = i;
    }
    /* at the last level but that of the removed vertex its list is read again and again
     */
    const bool spread = step->direct && level + 2 == step->levels &&
                        now->closers[level] == 1 && now->list[level - 1].known;
    if (spread) spread_list(now, &now->list[level - 1]);
    for (; cursor[lead] < end[lead]; cursor[lead]++) {
        const int32_t x = column[lead][cursor[lead]];
        VALUE grown = product;
        bool present = true;
        for (int32_t i = 0; i < probes && present; i++) {
            if (i == lead) continue;
            cursor[i] = seek(column[i], cursor[i], end[i], x);
            if (cursor[i] == end[i]) goto done;
            present = column[i][cursor[i]] == x;
        }
        if (!present) continue;
        if (level == step->summed) {
            if (now->weight[x] == 0) continue;
            grown = MULTIPLY(now, grown, now->weight[x]);
        }
        if (!begin_rows(now, level, x)) continue;
        for (int32_t i = 0; i < probes; i++) enter(now, &probe[i], cursor[i], &grown);
        now->image[level] = x;
        go_on(now, level, grown);
        if (now->status == PVG_OK) now->status = spend(now, 1);
        if (now->status != PVG_OK) break;
    }
done:
    if (spread) gather_list(now, &now->list[level - 1]);
}

/* Which tables are left with the removed vertex alone, by the level that leaves them so;
 * memory for the lists. */
static int32_t open_lists(join *now) {
    const pvgi_elim_step *step = now->step;
    const pvgi_elim_factor *factor = now->plan->factor + step->factor;
    pvgi_elim_scratch *scratch = now->scratch;
    const size_t order = (size_t)now->order, lists = (size_t)step->arity;
    memset(now->closers, 0, sizeof now->closers);
    for (int32_t f = 0; f < step->factors; f++) {
        const int32_t last = factor[f].arity - 1;
        if (factor[f].level[last] != step->summed) continue;
        const int32_t level = factor[f].level[last - 1];
        now->closer[level][now->closers[level]++] = (uint8_t)f;
    }
    PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->row,
                                    (lists + 1) * order * sizeof(VALUE)));
    PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->touched, lists * order * 4));
    now->sum = scratch->row.data;
    memset(now->sum, 0, order * sizeof(VALUE));
    for (size_t level = 0; level < lists; level++) {
        now->list[level].own_value = (VALUE *)scratch->row.data + (level + 1) * order;
        now->list[level].own_column = (int32_t *)scratch->touched.data + level * order;
    }
    return PVG_OK;
}

static int32_t join_rows(join *now, int32_t first, int32_t last) {
    const pvgi_elim_step *step = now->step;
    pvgi_elim_table *out = now->out;
    for (int32_t u = first; u < last; u++) {
        out->start[u] = (int32_t)now->entries[1];
        now->image[0] = u;
        now->open = 1;
        if (begin_rows(now, 0, u) && (!step->direct || update_list(now, 0)))
            visit(now, 1, 1);
        if (now->status != PVG_OK) return now->status;
        if (!step->direct) PVGI_TRY(append_sums(now));
    }
    return PVG_OK;
}
