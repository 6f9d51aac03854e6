/* Writing a table tuple by tuple, in ascending order: a trie in arrays. Amortised
 * constant time per entry; memory moves only when a buffer grows. Included by
 * elim/kernel.h, which says what VALUE is. */

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
    out->column[level] = column->data; /* it has moved, also if the rest fails */
    PVGI_TRY(pvgi_density_elim_need(now->scratch, second, ((size_t)wanted + 1) * bytes));
    const size_t rooms = column->bytes / sizeof(int32_t);
    const size_t second_rooms = second->bytes / bytes;
    now->room[level] = (int64_t)(rooms < second_rooms ? rooms : second_rooms);
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
    out->rows = now->last - now->first;
    out->count = 0;
    out->owned = 0;
    out->symmetric = false;
    for (int32_t i = 0; i < buffers; i++, out->owned++)
        PVGI_TRY(pvgi_density_elim_take(&out->buffer[i], now->scratch, 0));
    if (arity == 1) {
        pvgi_elim_buffer *value = buffer_at(now, 0);
        PVGI_TRY(pvgi_density_elim_need(now->scratch, value, nodes * sizeof(VALUE)));
        out->value = value->data;
        return PVG_OK;
    }
    pvgi_elim_buffer *start = buffer_at(now, BUFFER_START);
    if (!now->rows)
        PVGI_TRY(pvgi_density_elim_need(now->scratch, start, nodes * sizeof(int32_t)));
    out->start = now->rows ? now->rows : start->data;
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
