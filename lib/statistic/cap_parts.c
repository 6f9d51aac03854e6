/* The greedy cap of a graph in parts: the same edges are kept as by the walk of cap.c.
 *
 * Each node tells its neighbours the last edge that it would take if it took the first of
 * those that are not decided, as many as it has room for. An edge that comes before both
 * ends' last ones is kept: whatever becomes of the undecided ones before it, both ends
 * have room when the walk comes to it. A node that has no room left refuses the others:
 * all that it keeps come before them, as one that is before a kept edge counts among
 * those that there was room for. The first undecided edge of all is decided in every
 * round, so rounds end; some ten to thirty of them do for public orders that have nothing
 * to do with the edges. Each costs one exchange of 8 bytes for each borrowed row.
 *
 * Time O(arcs) for each cap, once each arc has its place. */
#include "base/mix.h"
#include "statistic_internal.h"

#include <stdlib.h>
#include <string.h>

size_t pvgi_statistic_cap_parts_bytes(int64_t slots, int64_t own, int64_t borrowed) {
    const size_t each = pvgi_size_mul((size_t)own, (size_t)slots);
    const size_t all = pvgi_size_mul((size_t)own + (size_t)borrowed, (size_t)slots);
    return pvgi_size_add(
        pvgi_size_add(pvgi_scratch_bytes(pvgi_size_add(each, 1), sizeof(int64_t)),
                      pvgi_size_mul(2, pvgi_scratch_bytes(each, sizeof(int32_t)))),
        pvgi_scratch_bytes(all, sizeof(uint64_t)));
}

void pvgi_statistic_cap_parts_drop(pvgi_cap_parts *cap) {
    pvgi_free(cap->words);
    pvgi_free(cap->columns);
    pvgi_free(cap->open);
    *cap = (pvgi_cap_parts){0};
}

/* --- arcs in the public order ------------------------------------------------------ */

/* Slot of the arcs of u that go to v, numbers of the whole graph. */
static int64_t slot_of(const pvgi_cap_parts *cap, int64_t u, int64_t v) {
    return cap->cells == PVGI_CAP_ALL      ? 0
           : cap->cells == PVGI_CAP_WITHIN ? cap->group[u] != cap->group[v]
                                           : cap->group[v];
}

typedef struct {
    uint64_t word;
    int32_t slot, column;
} arc;

static int ascending(const void *a, const void *b) {
    const arc *x = a, *y = b;
    if (x->slot != y->slot) return x->slot < y->slot ? -1 : 1;
    return (x->word > y->word) - (x->word < y->word);
}

static void sort_row(pvgi_cap_parts *cap, arc *scratch, int64_t row) {
    const pvg_graph *graph = &cap->parts->rows;
    const int64_t first = graph->offsets[row], many = graph->offsets[row + 1] - first;
    const int64_t u = cap->parts->config.first + row;
    int64_t *starts = cap->starts + row * cap->slots + 1;
    for (int64_t i = 0; i < many; i++) {
        const int32_t column = graph->columns[first + i];
        const int64_t v = pvgi_graph_parts_number(cap->parts, column);
        const uint64_t low = (uint64_t)(u < v ? u : v), high = (uint64_t)(u < v ? v : u);
        scratch[i] = (arc){pvgi_mix((low << 32 | high) ^ cap->key),
                           (int32_t)slot_of(cap, u, v), column};
    }
    qsort(scratch, (size_t)many, sizeof *scratch, ascending);
    for (int64_t i = 0, slot = 0; slot < cap->slots; slot++) {
        while (i < many && scratch[i].slot == slot) i++;
        starts[slot] = first + i;
    }
    for (int64_t i = 0; i < many; i++) {
        cap->words[first + i] = scratch[i].word;
        cap->columns[first + i] = scratch[i].column;
    }
}

static int32_t sort_rows(pvgi_cap_parts *cap, pvgi_run *run) {
    const pvg_graph *graph = &cap->parts->rows;
    int64_t degree = 0;
    for (int64_t v = 0; v < graph->order; v++)
        if (graph->offsets[v + 1] - graph->offsets[v] > degree)
            degree = graph->offsets[v + 1] - graph->offsets[v];
    arc *scratch = pvgi_alloc((size_t)degree, sizeof *scratch);
    int32_t status = scratch ? PVG_OK : pvgi_fail_nomem();
    cap->degree = degree;
    cap->starts[0] = 0;
    for (int64_t v = 0; v < graph->order && status == PVG_OK; v++) {
        sort_row(cap, scratch, v);
        if (v % PVG_PARTS_ROWS == 0)
            status = pvgi_run_report(run, 0.3 * (double)v / (double)graph->order);
    }
    pvgi_free(scratch);
    return status;
}

int32_t pvgi_statistic_cap_parts_order(pvgi_cap_parts *out, const pvg_parts *parts,
                                       uint64_t key, pvgi_cap_cells cells,
                                       int64_t classes, const int32_t *group,
                                       pvgi_scratch *scratch, pvgi_run *run) {
    const size_t own = (size_t)parts->config.own,
                 borrowed = (size_t)parts->config.borrowed;
    const size_t arcs = (size_t)parts->rows.offsets[own];
    const size_t slots = (size_t)pvgi_statistic_cap_touched(cells, classes);
    *out = (pvgi_cap_parts){.parts = parts,
                            .key = key,
                            /* of pairs (1, 0) and (2, 0): in a pair the first is less */
                            .full = pvgi_mix(UINT64_C(1) << 32 ^ key),
                            .free = pvgi_mix(UINT64_C(2) << 32 ^ key),
                            .cells = cells,
                            .classes = classes,
                            .slots = (int64_t)slots,
                            .group = group};
    out->starts = pvgi_statistic_take(scratch, own * slots + 1, sizeof *out->starts);
    out->live = pvgi_statistic_take(scratch, own * slots, sizeof *out->live);
    out->left = pvgi_statistic_take(scratch, own * slots, sizeof *out->left);
    out->last = pvgi_statistic_take(scratch, (own + borrowed) * slots, sizeof *out->last);
    if (!out->starts || !out->live || !out->left || !out->last) return PVG_E_INTERNAL;
    out->words = pvgi_alloc(arcs, sizeof *out->words);
    out->columns = pvgi_alloc(arcs, sizeof *out->columns);
    out->open = pvgi_alloc(arcs, sizeof *out->open);
    if (!out->words || !out->columns || !out->open) return pvgi_fail_nomem();
    PVGI_TRY(sort_rows(out, run));
    return pvgi_graph_parts_combine(parts, &out->degree, 1, PVG_COMBINE_MAX);
}

/* --- rounds ------------------------------------------------------------------------ */

/* The last edge that a slot of an own node would take. */
static uint64_t last_of(const pvgi_cap_parts *cap, int64_t at) {
    if (cap->left[at] == 0) return cap->full;
    if (cap->live[at] <= cap->left[at]) return cap->free;
    const int64_t first = cap->starts[at];
    return cap->words[first + cap->open[first + cap->left[at] - 1]];
}

/* Decides what can be decided of one slot; how many edges it takes. */
static int32_t decide(pvgi_cap_parts *cap, int64_t at, int64_t u) {
    const int64_t first = cap->starts[at];
    const uint64_t own = cap->last[at];
    int32_t *open = cap->open + first, kept = 0, stays = 0;
    for (int32_t i = 0; i < cap->live[at]; i++) {
        const uint64_t word = cap->words[first + open[i]];
        const int64_t column = cap->columns[first + open[i]];
        const int64_t slot =
            cap->slots == 1
                ? 0
                : slot_of(cap, pvgi_graph_parts_number(cap->parts, column), u);
        const uint64_t other = cap->last[column * cap->slots + slot];
        if (own == cap->full || other == cap->full) continue;
        if ((own == cap->free || word <= own) && (other == cap->free || word <= other))
            kept++;
        else
            open[stays++] = open[i];
    }
    cap->live[at] = stays;
    cap->left[at] -= kept;
    return kept;
}

/* All rounds of one cap; afterwards left tells what each slot did not need. */
static int32_t keep(pvgi_cap_parts *cap, int64_t most, pvgi_run *run) {
    const int64_t own = cap->parts->config.own * cap->slots;
    const int64_t first = cap->parts->config.first;
    int64_t undecided = 1;
    for (int64_t at = 0; at < own; at++) {
        cap->live[at] = (int32_t)(cap->starts[at + 1] - cap->starts[at]);
        cap->left[at] = most < INT32_MAX ? (int32_t)most : INT32_MAX;
        for (int32_t i = 0; i < cap->live[at]; i++) cap->open[cap->starts[at] + i] = i;
    }
    while (undecided > 0) {
        for (int64_t at = 0; at < own; at++) cap->last[at] = last_of(cap, at);
        PVGI_TRY(pvgi_graph_parts_borrow(cap->parts, cap->last,
                                         (size_t)cap->slots * sizeof *cap->last));
        undecided = 0;
        for (int64_t at = 0; at < own; at++) {
            decide(cap, at, first + at / cap->slots);
            undecided += cap->live[at];
        }
        PVGI_TRY(pvgi_run_report(run, 0.3));
        PVGI_TRY(pvgi_graph_parts_combine(cap->parts, &undecided, 1, PVG_COMBINE_SUM));
    }
    return PVG_OK;
}

/* --- what is kept ------------------------------------------------------------------ */

/* Edges that each cell keeps, each counted at both its ends. */
static void count_cells(int64_t *out, int64_t stride, const pvgi_cap_parts *cap,
                        int64_t most, bool all) {
    const int64_t own = cap->parts->config.own;
    for (int64_t v = 0; v < own; v++)
        for (int64_t slot = 0; slot < cap->slots; slot++) {
            const int64_t at = v * cap->slots + slot;
            const int64_t kept = all ? cap->starts[at + 1] - cap->starts[at]
                                     : most - (int64_t)cap->left[at];
            if (kept == 0) continue;
            const int64_t cell =
                cap->cells == PVGI_CAP_BLOCKS
                    ? pvgi_statistic_cap_cell(cap->cells, cap->classes,
                                              cap->group[cap->parts->config.first + v],
                                              (int32_t)slot)
                    : slot;
            out[cell * stride] += kept;
        }
}

int32_t pvgi_statistic_cap_parts_kept(int64_t *out, pvgi_cap_parts *cap,
                                      const int64_t *caps, int64_t count, pvgi_run *run) {
    const int64_t rows = pvgi_statistic_cap_rows(cap->cells, cap->classes);
    memset(out, 0, (size_t)(rows * count) * sizeof *out);
    for (int64_t i = 0; i < count; i++) {
        const bool all = caps[i] >= cap->degree; /* nothing is lost */
        if (!all) PVGI_TRY(keep(cap, caps[i], run));
        count_cells(out + i, count, cap, caps[i], all);
        PVGI_TRY(pvgi_run_report(run, 0.3 + 0.7 * (double)(i + 1) / (double)count));
    }
    PVGI_TRY(pvgi_graph_parts_combine(cap->parts, out, rows * count, PVG_COMBINE_SUM));
    for (int64_t i = 0; i < rows * count; i++) out[i] /= 2;
    return PVG_OK;
}

int32_t pvgi_statistic_cap_parts_degrees(int32_t *kept, pvgi_cap_parts *cap, int64_t most,
                                         pvgi_run *run) {
    PVGI_TRY(keep(cap, most, run));
    for (int64_t v = 0; v < cap->parts->config.own; v++)
        kept[v] = (int32_t)most - cap->left[v];
    return PVG_OK;
}
