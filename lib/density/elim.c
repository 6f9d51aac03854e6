/* Components with cycles: no engine yet, so compiling one is refused. */
#include "density_internal.h"

#include <string.h>

struct pvgi_elim_plan {
    int64_t count;
};

struct pvgi_elim_scratch {
    size_t byte_limit;
};

int32_t pvgi_density_elim_compile(pvgi_elim_plan **out,
                                  const pvgi_small *const *components, int64_t count) {
    (void)components;
    *out = NULL;
    if (count > 0)
        return pvgi_fail(PVG_E_LIMIT, "density: patterns with cycles have no engine yet");
    pvgi_elim_plan *plan = pvgi_alloc_zero(1, sizeof *plan);
    if (!plan) return pvgi_fail_nomem();
    *out = plan;
    return PVG_OK;
}

void pvgi_density_elim_free(pvgi_elim_plan *plan) {
    pvgi_free(plan);
}

const char *pvgi_density_elim_engine(const pvgi_elim_plan *plan, int64_t component) {
    (void)plan;
    (void)component;
    return "elimination";
}

int32_t pvgi_density_elim_scratch_new(pvgi_elim_scratch **out, const pvgi_elim_plan *plan,
                                      size_t byte_limit) {
    (void)plan;
    *out = NULL;
    pvgi_elim_scratch *scratch = pvgi_alloc_zero(1, sizeof *scratch);
    if (!scratch) return pvgi_fail_nomem();
    scratch->byte_limit = byte_limit;
    *out = scratch;
    return PVG_OK;
}

void pvgi_density_elim_scratch_free(pvgi_elim_scratch *scratch) {
    pvgi_free(scratch);
}

int32_t pvgi_density_elim_count(double *counts, const pvgi_elim_plan *plan,
                                const pvgi_host *host, pvgi_elim_scratch *scratch) {
    (void)host;
    (void)scratch;
    memset(counts, 0, (size_t)plan->count * sizeof *counts);
    return PVG_OK;
}

int32_t pvgi_density_elim_count_exact(pvgi_u128 *counts, int64_t *which,
                                      const pvgi_elim_plan *plan, const pvgi_host *host,
                                      pvgi_elim_scratch *scratch) {
    (void)host;
    (void)scratch;
    *which = -1;
    memset(counts, 0, (size_t)plan->count * sizeof *counts);
    return PVG_OK;
}

int32_t pvgi_density_elim_rooted(double *rows, const int32_t *roots,
                                 const pvgi_elim_plan *plan, const pvgi_host *host,
                                 pvgi_elim_scratch *scratch) {
    (void)roots;
    (void)scratch;
    memset(rows, 0, (size_t)(host->order * plan->count) * sizeof *rows);
    return PVG_OK;
}
