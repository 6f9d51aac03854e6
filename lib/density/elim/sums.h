/* Sums over tuples that come out of order: one row of a table at a time.
 *
 * Pairs: one sum per node; those touched are put in order by a bit map, or sorted where
 * they are few. Longer tuples: the images after the first form a number in
 * base n; few such numbers: one sum each and a bit map that gives them back in order;
 * many: a hash table, sorted at the end of the row. Included by elim/kernel.h, which says
 * what VALUE and ADD are. */

enum { FEW_KEYS = 4096, SORT_SHARE = 512 /* of nodes: fewer touched are sorted */ };

static uint64_t place(uint64_t key) {
    key *= UINT64_C(0x9E3779B97F4A7C15);
    return key ^ key >> 31;
}

static int32_t open_sums(join *now) {
    pvgi_elim_scratch *scratch = now->scratch;
    const size_t order = (size_t)now->order;
    now->touches = 0;
    if (now->step->arity == 2) {
        const size_t rows = now->pass.sources == 2 ? 2 : 1;
        PVGI_TRY(
            pvgi_density_elim_need(scratch, &scratch->row, rows * order * sizeof(VALUE)));
        now->words = now->order / 64 + 1;
        PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->touched,
                                        rows * (order + 1) * 4 + (size_t)now->words * 8));
        now->sum = scratch->row.data;
        now->key = scratch->touched.data; /* here: a bit map of nodes */
        now->touched = (int32_t *)(now->key + now->words);
        now->pass.spare = now->sum + (rows - 1) * order;
        now->pass.spare_touched = now->touched + (rows - 1) * (order + 1);
        memset(now->sum, 0, rows * order * sizeof(VALUE));
        memset(now->key, 0, (size_t)now->words * sizeof *now->key);
        return PVG_OK;
    }
    uint64_t keys = 1;
    for (int32_t i = 1; i < now->step->arity; i++)
        if (__builtin_mul_overflow(keys, (uint64_t)now->order, &keys))
            return pvgi_fail(PVG_E_LIMIT, "density: the graph has too many nodes for a "
                                          "pattern of this treewidth");
    now->few = keys <= FEW_KEYS;
    if (now->few) {
        PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->row, keys * sizeof(VALUE)));
        PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->touched, FEW_KEYS / 8));
        now->sum = scratch->row.data;
        now->key = scratch->touched.data; /* here: a bit map */
        now->words = (int64_t)(keys + 63) / 64;
        memset(now->sum, 0, keys * sizeof(VALUE));
        memset(now->key, 0, FEW_KEYS / 8);
        return PVG_OK;
    }
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
    if (now->few) {
        now->key[key / 64] |= (uint64_t)1 << key % 64;
        now->sum[key] = ADD(now, now->sum[key], value);
        return PVG_OK;
    }
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
static int32_t sort_sums(join *now) {
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
            now->work++;
        }
        PVGI_TRY(spend(now, 1));
    }
    return PVG_OK;
}

/* Writes the sums by node, in order, and forgets them; returns how many. */
static int64_t take_sums(join *now, int32_t *column, VALUE *value) {
    int64_t at = 0;
    if (now->touches > now->order / SORT_SHARE) {
        for (int64_t i = 0; i < now->touches; i++)
            now->key[now->touched[i] / 64] |= (uint64_t)1 << now->touched[i] % 64;
        for (int64_t word = 0; word < now->words; word++) {
            for (uint64_t bits = now->key[word]; bits; bits &= bits - 1) {
                const int32_t x = (int32_t)(64 * word) + __builtin_ctzll(bits);
                column[at] = x;
                value[at++] = now->sum[x];
                now->sum[x] = 0;
            }
            now->key[word] = 0;
        }
    } else {
        pvgi_graph_row_sort(now->touched, now->touches);
        for (int64_t i = 0; i < now->touches; i++) {
            column[at] = now->touched[i];
            value[at++] = now->sum[now->touched[i]];
            now->sum[now->touched[i]] = 0;
        }
    }
    now->touches = 0;
    return at;
}

static int32_t append_pair_sums(join *now) {
    PVGI_TRY(make_room(now, 1, now->touches));
    const int64_t at = now->entries[1];
    now->entries[1] +=
        take_sums(now, now->out->column[1] + at, (VALUE *)now->out->value + at);
    return PVG_OK;
}

/* Appends the tuple whose images after the first are the digits of key. `before` holds
 * the tuple appended before it in the row; first: there is none. */
static int32_t append_key(join *now, uint64_t key, VALUE sum, int32_t *before,
                          bool first) {
    const uint64_t order = (uint64_t)now->order;
    int32_t image[PVGI_ELIM_ARITY] = {0};
    for (int32_t level = now->step->arity - 1; level > 0; level--, key /= order)
        image[level] = (int32_t)(key % order);
    for (now->open = 1; !first && image[now->open] == before[now->open];) now->open++;
    memcpy(before, image, sizeof image);
    return append(now, image, sum);
}

static int32_t append_few(join *now) {
    int32_t before[PVGI_ELIM_ARITY];
    bool first = true;
    for (int64_t word = 0; word < now->words; word++) {
        for (uint64_t bits = now->key[word]; bits; bits &= bits - 1, first = false) {
            const uint64_t key = 64 * (uint64_t)word + (uint64_t)__builtin_ctzll(bits);
            PVGI_TRY(append_key(now, key, now->sum[key], before, first));
            now->sum[key] = 0;
        }
        now->key[word] = 0;
    }
    return PVG_OK;
}

/* Appends the sums of the row in order and forgets them. */
static int32_t append_sums(join *now) {
    int32_t before[PVGI_ELIM_ARITY];
    if (now->step->arity > 2 && now->few) return append_few(now);
    if (now->touches == 0) return PVG_OK;
    if (now->step->arity == 2) return append_pair_sums(now);
    PVGI_TRY(sort_sums(now));
    for (int64_t i = 0; i < now->touches; i++) {
        PVGI_TRY(append_key(now, now->key[i], now->sum[i], before, i == 0));
        PVGI_TRY(spend(now, 4));
    }
    memset(now->slot, -1, (size_t)now->slots * 4);
    now->touches = 0;
    return PVG_OK;
}
