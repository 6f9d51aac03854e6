/* Lists of things, one for each person: from entries in any order, from rows, or from a
 * source that is read once for each draw. A row is a set: what is named twice is there
 * once, whoever names it. */
#include "graph_internal.h"

#include <string.h>

enum { PERSONS_PER_REPORT = 1 << 16 };

void pvgi_graph_lists_drop(pvg_lists *lists) {
    if (!lists) return;
    pvgi_free(lists->offsets);
    pvgi_free(lists->columns);
    pvgi_free(lists);
}

static pvg_lists *lists_new(int64_t persons, int64_t things) {
    pvg_lists *lists = pvgi_alloc_zero(1, sizeof *lists);
    if (!lists) return NULL;
    lists->persons = persons;
    lists->things = things;
    return lists;
}

static pvg_lists *lists_alloc(int64_t persons, int64_t things, int64_t entries) {
    pvg_lists *lists = lists_new(persons, things);
    if (!lists) return NULL;
    lists->offsets = pvgi_alloc_zero((size_t)persons + 1, sizeof *lists->offsets);
    lists->columns = pvgi_alloc((size_t)entries, sizeof *lists->columns);
    if (lists->offsets && lists->columns) return lists;
    pvgi_graph_lists_drop(lists);
    return NULL;
}

/* Sorts, drops repeated ones, returns how many are left. */
static int64_t make_set(int32_t *row, int64_t count) {
    int64_t kept = 0;
    pvgi_graph_row_sort(row, count);
    for (int64_t i = 0; i < count; i++)
        if (kept == 0 || row[kept - 1] != row[i]) row[kept++] = row[i];
    return kept;
}

/* Rows that are filled become sets, one behind the other. */
static void settle(pvg_lists *lists) {
    int64_t used = 0, start = 0;
    for (int64_t p = 0; p < lists->persons; p++) {
        const int64_t end = lists->offsets[p + 1];
        const int64_t kept = make_set(lists->columns + start, end - start);
        if (used < start)
            memmove(lists->columns + used, lists->columns + start,
                    (size_t)kept * sizeof *lists->columns);
        used += kept;
        lists->offsets[p + 1] = used;
        start = end;
    }
}

static int32_t check_pairs(const int64_t *owners, const int64_t *entries, int64_t count,
                           int64_t persons, int64_t things) {
    for (int64_t i = 0; i < count; i++) {
        PVGI_REQUIRE(owners[i] >= 0 && owners[i] < persons,
                     "owners[%lld] is not in 0..persons-1", (long long)i);
        PVGI_REQUIRE(entries[i] >= 0 && entries[i] < things,
                     "entries[%lld] is not in 0..things-1", (long long)i);
    }
    return PVG_OK;
}

int32_t pvgi_graph_lists_from_pairs(pvg_lists **out, int64_t persons, int64_t things,
                                    const int64_t *owners, const int64_t *entries,
                                    int64_t count) {
    PVGI_TRY(check_pairs(owners, entries, count, persons, things));
    pvg_lists *lists = lists_alloc(persons, things, count);
    if (!lists) return pvgi_fail_nomem();
    int64_t *ends = lists->offsets; /* ends[p]: where the next entry of p goes */
    for (int64_t i = 0; i < count; i++)
        if (owners[i] + 1 < persons) ends[owners[i] + 1]++;
    for (int64_t p = 1; p < persons; p++) ends[p] += ends[p - 1];
    for (int64_t i = 0; i < count; i++)
        lists->columns[ends[owners[i]]++] = (int32_t)entries[i];
    memmove(ends + 1, ends, (size_t)persons * sizeof *ends);
    ends[0] = 0;
    settle(lists);
    *out = lists;
    return PVG_OK;
}

int32_t pvgi_graph_lists_from_csr(pvg_lists **out, int64_t persons, int64_t things,
                                  const int64_t *offsets, const int32_t *columns) {
    PVGI_TRY(pvgi_graph_offsets_check("offsets", offsets, persons));
    const int64_t count = offsets[persons];
    if (count > 0 && !columns) return pvgi_fail(PVG_E_ARGUMENT, "columns is NULL");
    for (int64_t i = 0; i < count; i++)
        PVGI_REQUIRE(columns[i] >= 0 && columns[i] < things,
                     "columns[%lld] is not in 0..things-1", (long long)i);
    pvg_lists *lists = lists_alloc(persons, things, count);
    if (!lists) return pvgi_fail_nomem();
    memcpy(lists->offsets, offsets, ((size_t)persons + 1) * sizeof *offsets);
    if (count > 0) memcpy(lists->columns, columns, (size_t)count * sizeof *columns);
    settle(lists);
    *out = lists;
    return PVG_OK;
}

int32_t pvgi_graph_lists_from_source(pvg_lists **out, int64_t persons, int64_t things,
                                     const pvg_lists_source *source) {
    pvg_lists *lists = lists_new(persons, things);
    if (!lists) return pvgi_fail_nomem();
    lists->source = *source;
    *out = lists;
    return PVG_OK;
}

/* The set that a source has for one person. */
static int32_t read_row(int64_t *count, const pvg_lists *lists, int64_t person,
                        int32_t *scratch) {
    const int64_t had =
        lists->source.read(lists->source.context, person, scratch, lists->things);
    if (had < 0 || had > lists->things)
        return pvgi_fail(PVG_E_IO, "the source of lists failed");
    for (int64_t i = 0; i < had; i++)
        if (scratch[i] < 0 || scratch[i] >= lists->things)
            return pvgi_fail(PVG_E_IO, "the source of lists gave what is no thing");
    *count = make_set(scratch, had);
    return PVG_OK;
}

int32_t pvgi_graph_lists_walk(const pvg_lists *lists, pvgi_list_fn visit, void *context,
                              int32_t *scratch, pvgi_run *run) {
    for (int64_t p = 0; p < lists->persons; p++) {
        const int32_t *row = scratch;
        int64_t count = 0;
        if (lists->offsets) {
            row = lists->columns + lists->offsets[p];
            count = lists->offsets[p + 1] - lists->offsets[p];
        } else {
            PVGI_TRY(read_row(&count, lists, p, scratch));
        }
        visit(context, p, row, count);
        if (p % PERSONS_PER_REPORT == PERSONS_PER_REPORT - 1)
            PVGI_TRY(pvgi_run_report(run, (double)(p + 1) / (double)lists->persons));
    }
    return PVG_OK;
}
