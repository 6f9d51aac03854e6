/* Slices of sets: a set of its own that holds the arrays of the one it was taken from.
 * Sets never change, so sharing is safe; who frees the last of them wipes the arrays.
 * O(1) in time and memory. Rows numbered from zero, which the library itself needs only
 * where it writes or copies a whole set, are made when they are first asked for: one pass
 * over offsets and columns, kept for the next time. */
#include "graph_internal.h"

#include <stdatomic.h>
#include <string.h>

struct pvgi_graph_store {
    _Atomic int64_t holders;
    pvg_graphset whole; /* the arrays */
};

typedef struct {
    int64_t *starts, *offsets;
    int32_t *columns;
} own_rows;

struct pvgi_graph_lent {
    _Atomic(own_rows *) rows;
};

int32_t pvgi_graph_store_new(pvg_graphset *set) {
    pvgi_graph_store *store = pvgi_alloc_zero(1, sizeof *store);
    if (!store) return pvgi_fail_nomem();
    atomic_init(&store->holders, 1);
    store->whole = *set;
    set->store = store;
    return PVG_OK;
}

static void free_rows(own_rows *rows) {
    if (!rows) return;
    pvgi_free(rows->starts);
    pvgi_free(rows->offsets);
    pvgi_free(rows->columns);
    pvgi_free(rows);
}

void pvgi_graph_store_drop(pvg_graphset *set) {
    pvgi_graph_store *store = set->store;
    if (set->lent)
        free_rows(atomic_load_explicit(&set->lent->rows, memory_order_acquire));
    pvgi_free(set->lent);
    /* what others did with the arrays is over before they are wiped */
    if (atomic_fetch_sub_explicit(&store->holders, 1, memory_order_acq_rel) > 1) return;
    pvgi_graph_set_free_arrays(&store->whole);
    pvgi_free(store);
}

int32_t pvgi_graph_set_slice(pvg_graphset **out, const pvg_graphset *set, int64_t first,
                             int64_t count) {
    const int64_t base = set->starts[first];
    pvg_graphset *made = pvgi_alloc_zero(1, sizeof *made);
    pvgi_graph_lent *lent = base > 0 ? pvgi_alloc_zero(1, sizeof *lent) : NULL;
    if (!made || (base > 0 && !lent)) {
        pvgi_free(made);
        pvgi_free(lent);
        return pvgi_fail_nomem();
    }
    if (lent) atomic_init(&lent->rows, NULL);
    made->count = count;
    made->order = set->starts[first + count] - base;
    made->target_count = set->target_count;
    made->starts = set->starts + first;
    made->offsets = set->offsets;
    made->columns = set->columns;
    made->labels = set->labels + first;
    if (set->targets) made->targets = set->targets + first * set->target_count;
    if (set->node_labels) made->node_labels = set->node_labels + (base - set->starts[0]);
    made->declared = set->declared;
    made->lent = lent;
    made->store = set->store;
    /* the caller's set holds the store meanwhile */
    atomic_fetch_add_explicit(&made->store->holders, 1, memory_order_relaxed);
    *out = made;
    return PVG_OK;
}

static own_rows *make_rows(const pvg_graphset *set) {
    const int64_t base = set->starts[0], from = set->offsets[base];
    const int64_t entries = set->offsets[base + set->order] - from;
    own_rows *rows = pvgi_alloc_zero(1, sizeof *rows);
    if (!rows) return NULL;
    rows->starts = pvgi_alloc((size_t)set->count + 1, sizeof *rows->starts);
    rows->offsets = pvgi_alloc((size_t)set->order + 1, sizeof *rows->offsets);
    rows->columns = pvgi_alloc((size_t)entries, sizeof *rows->columns);
    if (!rows->starts || !rows->offsets || !rows->columns) {
        free_rows(rows);
        return NULL;
    }
    for (int64_t i = 0; i <= set->count; i++) rows->starts[i] = set->starts[i] - base;
    for (int64_t i = 0; i <= set->order; i++)
        rows->offsets[i] = set->offsets[base + i] - from;
    for (int64_t i = 0; i < entries; i++)
        rows->columns[i] = set->columns[from + i] - (int32_t)base;
    return rows;
}

int32_t pvgi_graph_set_rows(const int64_t **starts, const int64_t **offsets,
                            const int32_t **columns, const pvg_graphset *set) {
    if (!set->lent) {
        *starts = set->starts;
        *offsets = set->offsets;
        *columns = set->columns;
        return PVG_OK;
    }
    own_rows *rows = atomic_load_explicit(&set->lent->rows, memory_order_acquire);
    if (!rows) {
        own_rows *made = make_rows(set);
        if (!made) return pvgi_fail_nomem();
        if (atomic_compare_exchange_strong_explicit(&set->lent->rows, &rows, made,
                                                    memory_order_acq_rel,
                                                    memory_order_acquire))
            rows = made;
        else
            free_rows(made); /* another thread was first: its rows are in rows */
    }
    *starts = rows->starts;
    *offsets = rows->offsets;
    *columns = rows->columns;
    return PVG_OK;
}
