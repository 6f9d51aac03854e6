/* Releases that look like their input: pay, draw, attach the guarantee. */
#include "release_internal.h"

int32_t pvgi_release_perturb(pvg_release **out, const pvg_perturber *perturber,
                             const pvgi_perturb_input *input, pvg_ledger *ledger,
                             uint64_t object, pvg_rng *rng, pvgi_run *run,
                             const char *function) {
    pvgi_perturbed made = {0};
    pvgi_stream call;
    int32_t status = PVG_OK;
    if (perturber->method->check)
        PVGI_TRY(perturber->method->check(perturber, input, run, function));
    pvg_release *release = pvgi_alloc_zero(1, sizeof *release);
    if (!release) return pvgi_fail_nomem();
    release->guarantee = perturber->guarantee;
    release->guarantee.seeded = !rng->secure;
    PVGI_TRY_DONE(pvgi_ledger_guarantee_pay(&release->guarantee, ledger, &object, 1));
    PVGI_TRY_DONE(pvgi_rng_stream_open(&call, rng));
    status = perturber->method->draw(&made, perturber, input, &call, run);
    pvgi_rng_stream_close(&call);
done:
    if (status != PVG_OK) {
        pvgi_perturb_drop(&made);
        pvgi_free(release);
        return status;
    }
    release->rows = made.rows;
    release->columns = made.columns;
    release->values = made.values;
    release->graph = made.graph;
    release->lists = made.lists;
    release->features = made.features;
    release->labels = made.labels;
    *out = release;
    return PVG_OK;
}
