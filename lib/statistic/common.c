/* Triangles and common neighbours in the scratch of a statistic (density). */
#include "statistic_internal.h"

#include "density/density_internal.h"

size_t pvgi_statistic_common_bytes(int64_t order, const pvgi_run *run) {
    return pvgi_scratch_bytes(pvgi_density_triangles_bytes(order, run), 1);
}

int32_t pvgi_statistic_common(int64_t *common, int64_t *triangles, const pvg_graph *graph,
                              pvgi_scratch *scratch, pvgi_run *run) {
    void *block =
        pvgi_statistic_take(scratch, pvgi_density_triangles_bytes(graph->order, run), 1);
    if (!block) return PVG_E_INTERNAL;
    return pvgi_density_triangles(common, triangles, graph, block, run);
}

int32_t pvgi_statistic_common_exact(int64_t *common, int64_t *triangles,
                                    const pvg_graph *graph, pvgi_run *run) {
    pvgi_scratch scratch;
    int32_t status = pvgi_statistic_scratch_new(
        &scratch, pvgi_statistic_common_bytes(graph->order, run), run);
    if (status == PVG_OK)
        status = pvgi_statistic_common(common, triangles, graph, &scratch, run);
    pvgi_statistic_scratch_free(&scratch);
    return status;
}
