/* What all statistics share: their target, their block, what a graph must be. */
#include "statistic_internal.h"

#include <math.h>
#include <string.h>

int32_t pvgi_statistic_target(pvg_target *out, const char *function,
                              const pvg_target *target, uint32_t laws) {
    pvg_target own;
    PVGI_TRY(pvgi_mechanism_read_plain(&own, function, target, laws, "statistic"));
    if (own.noise == PVG_NOISE_DEFAULT) own.noise = PVG_NOISE_LAPLACE;
    return pvgi_mechanism_import_target(out, function, &own);
}

const char *pvgi_statistic_noise_word(int32_t noise) {
    return pvgi_mechanism_law(noise)->name;
}

int32_t pvgi_statistic_make(pvg_statistic **out, const pvgi_statistic_kind *kind,
                            const pvg_target *target, const pvg_guarantee *guarantee,
                            size_t bytes) {
    pvg_statistic *statistic = pvgi_alloc_zero(1, sizeof *statistic);
    if (!statistic) return pvgi_fail_nomem();
    statistic->state = pvgi_alloc_zero(1, bytes);
    if (!statistic->state) {
        pvgi_free(statistic);
        return pvgi_fail_nomem();
    }
    statistic->kind = kind;
    atomic_init(&statistic->users, 1);
    statistic->allow_seeded = target->allow_seeded;
    statistic->guarantee = *guarantee;
    *out = statistic;
    return PVG_OK;
}

int32_t pvgi_statistic_deviations(double *out, const pvg_statistic *statistic,
                                  const char *function) {
    bool known = false;
    if (statistic->kind->deviation) statistic->kind->deviation(out, statistic);
    for (int64_t i = 0; statistic->kind->deviation && i < statistic->columns; i++)
        known = known || !isnan(out[i]);
    return known
               ? PVG_OK
               : pvgi_fail(PVG_E_PRIVACY, "%s: the noise depends on the graph", function);
}

pvg_statistic *pvgi_statistic_share(pvg_statistic *statistic) {
    atomic_fetch_add_explicit(&statistic->users, 1, memory_order_relaxed);
    return statistic;
}

void pvgi_statistic_free(pvg_statistic *statistic) {
    if (!statistic) return;
    if (atomic_fetch_sub_explicit(&statistic->users, 1, memory_order_acq_rel) > 1) return;
    if (statistic->kind->drop) statistic->kind->drop(statistic->state);
    pvgi_free(statistic->state);
    pvgi_guarantee_drop(&statistic->guarantee);
    pvgi_free(statistic);
}

int32_t pvgi_statistic_kept(pvg_statistic *statistic, int32_t status) {
    if (status != PVG_OK) pvgi_statistic_free(statistic);
    return status;
}

int32_t pvgi_statistic_check(const pvg_statistic *statistic, int64_t order,
                             const char *function) {
    PVGI_REQUIRE(statistic->order == 0 || statistic->order == order,
                 "%s: the graph has %lld nodes, the statistic is for %lld", function,
                 (long long)order, (long long)statistic->order);
    return statistic->kind->check ? statistic->kind->check(statistic, order, function)
                                  : PVG_OK;
}

/* --- scratch -------------------------------------------------------------------- */

int32_t pvgi_statistic_scratch_new(pvgi_scratch *out, size_t bytes, const pvgi_run *run) {
    *out = (pvgi_scratch){.bytes = bytes};
    PVGI_TRY(pvgi_run_reserve(run, bytes));
    out->block = pvgi_alloc(bytes, 1);
    return out->block ? PVG_OK : pvgi_fail_nomem();
}

int32_t pvgi_statistic_scratch(pvgi_scratch *out, const pvg_statistic *statistic,
                               int64_t order, const pvgi_run *run) {
    return pvgi_statistic_scratch_new(out, statistic->kind->bytes(statistic, order, run),
                                      run);
}

void pvgi_statistic_scratch_free(pvgi_scratch *scratch) {
    pvgi_free(scratch->block);
    *scratch = (pvgi_scratch){0};
}

void *pvgi_statistic_take(pvgi_scratch *scratch, size_t count, size_t bytes) {
    const size_t whole = pvgi_scratch_bytes(count, bytes);
    if (whole > scratch->bytes - scratch->used) {
        pvgi_fail(PVG_E_INTERNAL, "pvg_statistic: the scratch of a draw is too small");
        return NULL;
    }
    void *block = scratch->block + scratch->used;
    scratch->used += whole;
    return block;
}

void *pvgi_statistic_take_zero(pvgi_scratch *scratch, size_t count, size_t bytes) {
    void *block = pvgi_statistic_take(scratch, count, bytes);
    if (block) memset(block, 0, pvgi_scratch_bytes(count, bytes));
    return block;
}

int32_t pvgi_statistic_draw(double *out, const pvg_statistic *statistic,
                            const pvg_graph *graph, pvgi_scratch *scratch,
                            const pvgi_stream *call, pvgi_run *run) {
    scratch->used = 0;
    return statistic->kind->draw(out, statistic, graph, scratch, call, run);
}

/* --- graphs in parts --------------------------------------------------------------- */

/* How many nodes a process borrows tells of edges: the limit is compared with as many as
 * there are others. */
int32_t pvgi_statistic_scratch_parts(pvgi_scratch *out, const pvg_statistic *statistic,
                                     const pvg_parts *parts, const pvgi_run *run,
                                     const char *function) {
    const pvg_parts_config *c = &parts->config;
    const pvgi_statistic_kind *kind = statistic->kind;
    *out = (pvgi_scratch){0};
    if (!kind->draw_parts)
        return pvgi_fail(PVG_E_INTERNAL, "%s: %s in parts", function, kind->word);
    PVGI_TRY(pvgi_statistic_check(statistic, c->order, function));
    PVGI_TRY(pvgi_run_reserve(
        run, kind->parts_bytes(statistic, c->own, c->order - c->own, run)));
    out->bytes = kind->parts_bytes(statistic, c->own, c->borrowed, run);
    out->block = pvgi_alloc(out->bytes, 1);
    return out->block ? PVG_OK : pvgi_fail_nomem();
}

int32_t pvgi_statistic_draw_parts(double *out, const pvg_statistic *statistic,
                                  const pvg_parts *parts, pvgi_scratch *scratch,
                                  const pvgi_stream *call, pvgi_run *run) {
    scratch->used = 0;
    return statistic->kind->draw_parts(out, statistic, parts, scratch, call, run);
}
