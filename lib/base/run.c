/* What a call is given to run with: progress, cancelling, scratch limit. Its threads are
 * in crew.c. */
#include "base_internal.h"

#include <string.h>
#include <time.h>

enum { REPORT_INTERVAL_MS = 100 };

static uint64_t now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000u + (uint64_t)t.tv_nsec / 1000000u;
}

int32_t pvgi_run_begin(pvgi_run *run, const pvg_run *caller) {
    memset(run, 0, sizeof *run);
    PVGI_TRY(pvgi_config_import(&run->config, sizeof run->config, caller, "pvg_run"));
    PVGI_REQUIRE(run->config.threads <= PVG_THREADS_MAX,
                 "pvg_run: threads is %u, at most %d", (unsigned)run->config.threads,
                 PVG_THREADS_MAX);
    PVGI_REQUIRE(run->config.undated <= 1, "pvg_run: undated is neither 0 nor 1");
    if (run->config.threads == 0) run->config.threads = 1;
    run->whole_share = run->phase_share = 1.0;
    run->last_report_ms = run->config.progress ? now_ms() : 0;
    return PVG_OK;
}

int32_t pvgi_run_reserve(const pvgi_run *run, size_t bytes) {
    const uint64_t limit = run->config.scratch_limit;
    if (limit != 0 && bytes > limit)
        return pvgi_fail(
            PVG_E_LIMIT,
            "pvg_run: scratch_limit of %llu bytes is too small for this call",
            (unsigned long long)limit);
    return PVG_OK;
}

void pvgi_run_phase(pvgi_run *run, double start, double share) {
    run->phase_start = start;
    run->phase_share = share;
}

pvgi_phase pvgi_run_enter(pvgi_run *run, double start, double share) {
    const pvgi_phase before = {run->phase_start, run->phase_share};
    pvgi_run_phase(run, before.start + before.share * start, before.share * share);
    return before;
}

void pvgi_run_leave(pvgi_run *run, pvgi_phase before) {
    pvgi_run_phase(run, before.start, before.share);
}

pvgi_run pvgi_run_quiet(const pvgi_run *run) {
    pvgi_run quiet = *run;
    quiet.config.progress = NULL;
    return quiet;
}

pvgi_run pvgi_run_part(const pvgi_run *run, size_t bytes, double start, double share) {
    pvgi_run part = *run;
    const uint64_t limit = run->config.scratch_limit;
    if (limit != 0) part.config.scratch_limit = limit > bytes ? limit - bytes : 1;
    part.whole_start += run->whole_share * (run->phase_start + run->phase_share * start);
    part.whole_share *= run->phase_share * share;
    pvgi_run_phase(&part, 0.0, 1.0);
    return part;
}

void pvgi_run_join(pvgi_run *run, const pvgi_run *part) {
    run->reached = part->reached;
    run->last_report_ms = part->last_report_ms;
    run->cancelled = part->cancelled;
}

int32_t pvgi_run_report(pvgi_run *run, double fraction) {
    if (!run->config.progress) return PVG_OK;
    if (!run->cancelled) {
        const uint64_t now = now_ms();
        if (now - run->last_report_ms < REPORT_INTERVAL_MS) return PVG_OK;
        run->last_report_ms = now;
        double whole = run->phase_start + run->phase_share * fraction;
        whole = run->whole_start + run->whole_share * whole;
        if (whole > 1.0) whole = 1.0;
        if (whole < run->reached) whole = run->reached;
        run->reached = whole;
        run->cancelled = run->config.progress(run->config.progress_context, whole) != 0;
        if (!run->cancelled) return PVG_OK;
    }
    return pvgi_fail(PVG_E_CANCELLED, "cancelled by the progress callback");
}

uint32_t pvgi_run_workers(const pvgi_run *run, int64_t chunks) {
    const int64_t threads = run->config.threads;
    if (chunks < 1) return 1;
    return (uint32_t)(chunks < threads ? chunks : threads);
}

int32_t pvgi_run_chunks(pvgi_run *run, int64_t chunks, pvgi_chunk_fn function,
                        void *context) {
    const pvgi_stage stage = {function, chunks, 1, NULL};
    return pvgi_run_stages(run, &stage, 1, 1, context);
}
