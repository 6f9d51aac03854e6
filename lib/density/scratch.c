/* How much scratch densities can need, from public numbers: orders, a degree bound and
 * the patterns. A release compares its scratch limit with this and not with what the
 * private graphs take: a limit that an edge could pass would tell the edge.
 *
 * A block of graphs has at most n D arcs. A table of the elimination of a pattern with m
 * vertices and width w stands on w vertices that hang together in the host: at most
 * min(n^w, n D^(m-1)) rows, m tables at a time, each made once more where threads share
 * it. An upper bound, and a generous one. */
#include "density_internal.h"

enum { ROW_BYTES = 48, WORKER_BYTES = 1 << 16 };

/* base^exponent, or `most`. */
static double power_up_to(double base, int32_t exponent, double most) {
    double product = 1.0;
    for (int32_t i = 0; i < exponent && product < most; i++) product *= base;
    return product < most ? product : most;
}

static size_t whole(double bytes) {
    return bytes < 0x1p62 ? (size_t)bytes : SIZE_MAX;
}

static int32_t table_bytes(double *out, const pvg_density *density, double order,
                           double degree) {
    *out = 0.0;
    for (int64_t i = density->trees; i < density->components; i++) {
        const pvgi_small *graph = &density->component[i].graph;
        int32_t width, elimination[PVGI_PATTERN_ORDER];
        PVGI_TRY(pvgi_pattern_width(&width, elimination, graph, "pattern"));
        const double near = order * power_up_to(degree, graph->order - 1, 0x1p200);
        const double rows = power_up_to(order, width, near);
        const double bytes = 2.0 * ROW_BYTES * graph->order * (rows + order * degree);
        if (bytes > *out) *out = bytes;
    }
    return PVG_OK;
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
    const pvgi_block_size block = {
        .nodes = nodes, .arcs = nodes * degree, .graphs = count};
    double tables;
    PVGI_TRY(table_bytes(&tables, density, (double)largest, (double)degree));
    size_t each = pvgi_size_add(
        pvgi_density_tree_scratch_bytes(density->tree_plan, block), whole(tables));
    const size_t rows = pvgi_size_mul((size_t)count + 1,
                                      (size_t)(density->components + density->count + 4));
    each = pvgi_size_add(each, pvgi_size_mul(rows, sizeof(double)) + WORKER_BYTES);
    *out = pvgi_size_add(
        pvgi_size_mul(each, threads),
        pvgi_density_tree_large_bytes(density->tree_plan, largest, threads));
    return PVG_OK;
}
