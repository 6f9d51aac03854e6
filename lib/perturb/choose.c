/* Uniform subsets, and the lists they are drawn from.
 *
 * choose: Floyd's method; step j of bound - count .. bound - 1 takes a uniform element of
 * 0..j, or j itself if that is taken. What is taken is kept in a hash table of twice the
 * size. O(count) expected, and sorting. */
#include "perturb_internal.h"

#include <string.h>

enum { STACK_CELLS = 128 };

/* Adds value unless it is there. Cells hold value + 1; cells is a power of two. */
static bool put(uint32_t *table, uint32_t cells, uint32_t value) {
    uint32_t at = value * UINT32_C(2654435769) & (cells - 1);
    for (; table[at]; at = (at + 1) & (cells - 1))
        if (table[at] == value + 1) return false;
    table[at] = value + 1;
    return true;
}

int32_t pvgi_perturb_choose(int32_t *out, int64_t count, int64_t bound,
                            pvgi_stream *stream) {
    uint32_t small[STACK_CELLS] = {0}, *table = small, cells = STACK_CELLS;
    while (cells < 2 * (uint64_t)count) cells *= 2;
    if (cells > STACK_CELLS) table = pvgi_alloc_zero(cells, sizeof *table);
    if (!table) return pvgi_fail_nomem();
    for (int64_t i = 0; i < count; i++) {
        const int64_t j = bound - count + i;
        uint32_t pick = (uint32_t)pvgi_rng_draw_below(stream, (uint64_t)j + 1);
        if (!put(table, cells, pick)) put(table, cells, pick = (uint32_t)j);
        out[i] = (int32_t)pick;
    }
    if (table != small)
        pvgi_free(table);
    else
        pvgi_wipe(small, sizeof small);
    pvgi_graph_row_sort(out, count);
    return PVG_OK;
}

void pvgi_perturb_pass_over(int32_t *ranks, int64_t count, const int32_t *excluded,
                            int64_t many) {
    int64_t passed = 0;
    for (int64_t i = 0; i < count; i++) {
        while (passed < many && excluded[passed] <= ranks[i] + passed) passed++;
        ranks[i] = (int32_t)(ranks[i] + passed);
    }
}

const int32_t *pvgi_perturb_row(const pvg_graph *graph, int64_t node, int64_t from,
                                int64_t *count) {
    const int32_t *low = graph->columns + graph->offsets[node];
    const int32_t *const end = graph->columns + graph->offsets[node + 1], *high = end;
    while (low < high) {
        const int32_t *middle = low + (high - low) / 2;
        if (*middle < from)
            low = middle + 1;
        else
            high = middle;
    }
    *count = end - low;
    return low;
}
