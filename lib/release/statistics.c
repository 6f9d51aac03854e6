/* Releases of statistics: check, pay, draw, attach the guarantee. */
#include "release_internal.h"

int32_t pvgi_release_statistic(pvg_release **out, const pvg_statistic *statistic,
                               const pvg_graph *graph, pvg_ledger *ledger,
                               uint64_t object, pvg_rng *rng, pvgi_run *run,
                               const char *function) {
    pvgi_stream call;
    int32_t status = PVG_OK;
    PVGI_TRY(pvgi_statistic_check(statistic, graph, run, function));
    pvg_release *release = pvgi_alloc_zero(1, sizeof *release);
    if (!release) return pvgi_fail_nomem();
    release->rows = statistic->rows;
    release->columns = statistic->columns;
    release->guarantee = statistic->guarantee;
    release->guarantee.seeded = !rng->secure;
    release->values =
        pvgi_alloc(pvgi_size_mul((size_t)release->rows, (size_t)release->columns),
                   sizeof *release->values);
    if (!release->values) {
        status = pvgi_fail_nomem();
        goto done;
    }
    PVGI_TRY_DONE(pvgi_ledger_guarantee_pay(&release->guarantee, ledger, &object, 1));
    PVGI_TRY_DONE(pvgi_rng_stream_open(&call, rng));
    status = statistic->kind->draw(release->values, statistic, graph, &call, run);
    pvgi_rng_stream_close(&call);
done:
    if (status == PVG_OK)
        *out = release;
    else
        pvg_release_free(release);
    return status;
}
