/* How much memory densities can need, from public numbers: orders, a degree bound and the
 * patterns. A release compares its scratch limit with this and not with what the private
 * graphs take: a limit that an edge could pass would tell the edge. What pvgi_density_
 * evaluate allocates, for any graphs of these orders and degrees, is at most:
 *
 *   per worker   trees of a block of at most max(largest order, 384) + 4 nodes, rows of
 *                values, powers, and the elimination (elim/bound.c)
 *   once         the elimination that goes first, with all threads as its workers where a
 *                graph can have enough arcs for that; a large graph of trees; results
 *
 * The test measures what is allocated and compares
 * (test/density/test_scratch_property.c). */
#include "density_internal.h"

enum { WORKER_BYTES = 1 << 18, CREW_ARCS = 8192 };

static size_t whole(double bytes) {
    return bytes < 0x1p62 ? (size_t)bytes : SIZE_MAX;
}

int32_t pvgi_density_scratch_bound(size_t *out, const pvg_density *density,
                                   const int64_t *starts, int64_t count,
                                   int64_t degree_bound, uint32_t threads) {
    const pvgi_density_tuning tuning = pvgi_density_default_tuning();
    int64_t largest = 0;
    for (int64_t i = 0; i < count; i++) {
        const int64_t order = starts[i + 1] - starts[i];
        if (order > largest) largest = order;
    }
    const int64_t most = largest > 0 ? largest - 1 : 0;
    const int64_t degree = degree_bound < most ? degree_bound : most;
    const int64_t nodes = (largest > tuning.block ? largest : tuning.block) + 4;
    const pvgi_block_size block = {.nodes = nodes, .graphs = count};
    const bool cycles = density->components > density->trees;
    const uint32_t workers =
        largest * degree >= CREW_ARCS || largest > tuning.large ? threads : 1;
    size_t each = pvgi_density_tree_scratch_bytes(density->tree_plan, block);
    size_t once = pvgi_density_tree_large_bytes(density->tree_plan, largest, 0, threads);
    if (cycles) {
        each = pvgi_size_add(
            each, whole(pvgi_density_elim_bytes(density->elim_plan, largest, degree, 1)));
        once = pvgi_size_add(once, whole(pvgi_density_elim_bytes(
                                       density->elim_plan, largest, degree, workers)));
    }
    const size_t rows = pvgi_size_mul((size_t)count + 1,
                                      (size_t)(density->components + density->count + 4));
    const size_t values = pvgi_size_mul(rows, sizeof(double));
    each = pvgi_size_add(each, pvgi_size_add(values, WORKER_BYTES));
    *out = pvgi_size_add(pvgi_size_mul(each, threads),
                         pvgi_size_add(once, pvgi_size_mul(values, 2)));
    return PVG_OK;
}
