/* Triangles and common neighbours with the room of a statistic (density/triangles.c). */
#include "statistic_internal.h"

#include "density/density_internal.h"

size_t pvgi_statistic_common_bytes(int64_t order, const pvgi_run *run) {
    return pvgi_room_bytes(pvgi_density_triangles_bytes(order, run), 1);
}

int32_t pvgi_statistic_common(int64_t *common, int64_t *triangles, const pvg_graph *graph,
                              pvgi_room *room, pvgi_run *run) {
    void *block =
        pvgi_statistic_take(room, pvgi_density_triangles_bytes(graph->order, run), 1);
    if (!block) return PVG_E_INTERNAL;
    return pvgi_density_triangles(common, triangles, graph, block, run);
}

int32_t pvgi_statistic_common_exact(int64_t *common, int64_t *triangles,
                                    const pvg_graph *graph, pvgi_run *run) {
    pvgi_room room;
    int32_t status = pvgi_statistic_room_new(
        &room, pvgi_statistic_common_bytes(graph->order, run), run);
    if (status == PVG_OK)
        status = pvgi_statistic_common(common, triangles, graph, &room, run);
    pvgi_statistic_room_free(&room);
    return status;
}
