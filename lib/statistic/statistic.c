/* Front desk of statistic: every exported function of privgraph/statistic.h. */
#include "statistic_internal.h"

#include <math.h>
#include <string.h>

void pvg_statistic_free(pvg_statistic *statistic) {
    pvgi_statistic_free(statistic);
}

int64_t pvg_statistic_rows(const pvg_statistic *statistic) {
    return statistic ? statistic->rows : 0;
}

int64_t pvg_statistic_columns(const pvg_statistic *statistic) {
    return statistic ? statistic->columns : 0;
}

const pvg_guarantee *pvg_statistic_guarantee(const pvg_statistic *statistic) {
    return statistic ? &statistic->guarantee : NULL;
}

int32_t pvg_statistic_copy_deviation(double *out, const pvg_statistic *statistic) {
    const char *name = "pvg_statistic_copy_deviation";
    if (!out) return pvgi_fail_null(name, "out");
    if (!statistic) return pvgi_fail_null(name, "statistic");
    if (!statistic->kind->deviation)
        return pvgi_fail(PVG_E_PRIVACY,
                         "%s: the noise of this statistic depends on the "
                         "graph",
                         name);
    statistic->kind->deviation(out, statistic);
    return PVG_OK;
}

int32_t pvg_statistic_values_exact(double *out, const pvg_statistic *statistic,
                                   const pvg_graph *graph, const pvg_run *run) {
    const char *name = "pvg_statistic_values_exact";
    pvgi_run running;
    if (!out) return pvgi_fail_null(name, "out");
    if (!statistic) return pvgi_fail_null(name, "statistic");
    if (!graph) return pvgi_fail_null(name, "graph");
    PVGI_TRY(pvgi_run_begin(&running, run));
    PVGI_TRY(pvgi_statistic_check(statistic, graph->order, name));
    const size_t cells = (size_t)statistic->rows * (size_t)statistic->columns;
    pvgi_room room;
    double *own = pvgi_alloc(cells, sizeof *own); /* out stays untouched on failure */
    if (!own) return pvgi_fail_nomem();
    int32_t status = pvgi_statistic_room(&room, statistic, graph->order, &running);
    if (status == PVG_OK)
        status = pvgi_statistic_draw(own, statistic, graph, &room, NULL, &running);
    if (status == PVG_OK) memcpy(out, own, cells * sizeof *own);
    pvgi_statistic_room_free(&room);
    pvgi_free(own);
    return status;
}

int32_t pvg_statistic_tradeoff(pvg_tradeoff **out, const pvg_statistic *statistic,
                               int64_t order, int64_t common) {
    const char *name = "pvg_statistic_tradeoff";
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!statistic) return pvgi_fail_null(name, "statistic");
    if (order == 0) order = statistic->order;
    PVGI_REQUIRE(order >= 1 && order <= INT32_MAX, "%s: order is not in [1, 2^31)", name);
    PVGI_REQUIRE(statistic->order == 0 || order == statistic->order,
                 "%s: the statistic is for %lld nodes, not %lld", name,
                 (long long)statistic->order, (long long)order);
    PVGI_REQUIRE(common >= 0, "%s: common is negative", name);
    return pvgi_statistic_tradeoff(out, statistic, order, common);
}

int64_t pvg_statistic_parts(const pvg_statistic *statistic) {
    return statistic ? pvgi_statistic_joined_parts(statistic) : 0;
}

int32_t pvg_statistic_part(int64_t *first, int64_t *rows, int64_t *columns,
                           const pvg_statistic *statistic, int64_t part) {
    const char *name = "pvg_statistic_part";
    int64_t offset;
    if (!statistic) return pvgi_fail_null(name, "statistic");
    PVGI_REQUIRE(part >= 0 && part < pvgi_statistic_joined_parts(statistic),
                 "%s: there is no part %lld", name, (long long)part);
    const pvg_statistic *found = pvgi_statistic_joined_part(statistic, part, &offset);
    if (first) *first = offset;
    if (rows) *rows = found->rows;
    if (columns) *columns = found->columns;
    return PVG_OK;
}

int32_t pvg_statistic_new_tallies(pvg_statistic **out, const pvg_tallies_config *config,
                                  const pvg_target *target,
                                  const pvg_tallies_nodes *nodes) {
    return pvgi_statistic_new_tallies(out, "pvg_statistic_new_tallies", config, target,
                                      nodes);
}

int32_t pvg_statistic_new_degrees(pvg_statistic **out, const pvg_degrees_config *config,
                                  const pvg_target *target, const int32_t *groups) {
    return pvgi_statistic_new_degrees(out, "pvg_statistic_new_degrees", config, target,
                                      groups);
}

int32_t pvg_statistic_new_triangles(pvg_statistic **out,
                                    const pvg_triangles_config *config,
                                    const pvg_target *target) {
    return pvgi_statistic_new_triangles(out, "pvg_statistic_new_triangles", config,
                                        target);
}

int32_t pvg_statistic_new_stars(pvg_statistic **out, const pvg_stars_config *config,
                                const pvg_target *target) {
    return pvgi_statistic_new_stars(out, "pvg_statistic_new_stars", config, target);
}

int32_t pvg_statistic_new_scalars(pvg_statistic **out, const pvg_scalars_config *config,
                                  const pvg_target *target, const int32_t *scalars,
                                  const double *weights) {
    return pvgi_statistic_new_scalars(out, "pvg_statistic_new_scalars", config, target,
                                      scalars, weights);
}

int32_t pvg_statistic_new_spectrum(pvg_statistic **out, int64_t order,
                                   const pvg_target *target) {
    return pvgi_statistic_new_spectrum(out, "pvg_statistic_new_spectrum", order, target);
}

int32_t pvg_statistic_new_joined(pvg_statistic **out, pvg_statistic **parts,
                                 int64_t count) {
    return pvgi_statistic_new_joined(out, "pvg_statistic_new_joined", parts, count);
}

int32_t pvg_statistic_new_synthesis(pvg_statistic **out,
                                    const pvg_synthesis_config *config,
                                    const pvg_target *target, const int32_t *blocks) {
    return pvgi_statistic_new_synthesis(out, "pvg_statistic_new_synthesis", config,
                                        target, blocks);
}
