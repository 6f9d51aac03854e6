/* Components of width 2 and more: the doors of the engine. elim/plan.c compiles,
 * elim/host.c prepares a host, elim/kernel.inc counts, once with doubles and once with
 * 128-bit integers that notice overflow. */
#include "elim_internal.h"

#include <string.h>

int32_t pvgi_density_elim_compile(pvgi_elim_plan **out,
                                  const pvgi_small *const *components, int64_t count) {
    return pvgi_density_elim_plan_new(out, components, NULL, count);
}

const char *pvgi_density_elim_engine(const pvgi_elim_plan *plan, int64_t component) {
    static const char *const names[] = {"elimination", "cycles", "cliques"};
    return names[plan->pattern[component].kind];
}

int32_t pvgi_density_elim_cycle(const pvgi_elim_plan *plan, int64_t component) {
    const pvgi_elim_pattern *pattern = &plan->pattern[component];
    return pattern->kind == PVGI_ELIM_CYCLE ? pattern->order : 0;
}

int32_t pvgi_density_elim_count(double *counts, const double *known,
                                const pvgi_elim_plan *plan, const pvgi_host *host,
                                pvgi_elim_scratch *scratch) {
    int64_t which;
    PVGI_TRY(pvgi_density_elim_reduce(scratch, plan, host));
    return pvgi_density_elim_run_double(counts, known, NULL, &which, plan, host, scratch);
}

int32_t pvgi_density_elim_count_exact(pvgi_u128 *counts, int64_t *which,
                                      const double *known, const pvgi_elim_plan *plan,
                                      const pvgi_host *host, pvgi_elim_scratch *scratch) {
    *which = -1;
    PVGI_TRY(pvgi_density_elim_reduce(scratch, plan, host));
    return pvgi_density_elim_run_exact(counts, known, NULL, which, plan, host, scratch);
}

int32_t pvgi_density_elim_rooted(double *rows, const int32_t *roots,
                                 const pvgi_elim_plan *plan, const pvgi_host *host,
                                 pvgi_elim_scratch *scratch) {
    int32_t status = PVG_OK;
    int64_t which;
    pvgi_elim_plan *rooted = NULL;
    pvgi_elim_scratch *own = NULL;
    const pvgi_small **graphs = pvgi_alloc((size_t)plan->count, sizeof *graphs);
    if (!graphs) return pvgi_fail_nomem();
    for (int64_t i = 0; i < plan->count; i++) graphs[i] = &plan->graph[i];
    PVGI_TRY_DONE(pvgi_density_elim_plan_new(&rooted, graphs, roots, plan->count));
    PVGI_TRY_DONE(pvgi_density_elim_scratch_new(&own, rooted, scratch->limit));
    own->blas = scratch->blas;
    own->watch = scratch->watch;
    own->crew = scratch->crew;
    PVGI_TRY_DONE(pvgi_density_elim_reduce(own, rooted, host));
    PVGI_TRY_DONE(
        pvgi_density_elim_run_double(NULL, NULL, rows, &which, rooted, host, own));
done:
    if (own) pvgi_density_elim_set_crew(own, NULL);
    pvgi_density_elim_scratch_free(own);
    pvgi_density_elim_free(rooted);
    pvgi_free(graphs);
    return status;
}
