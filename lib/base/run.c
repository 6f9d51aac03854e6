/* Fork-join over POSIX threads or those of a host's pool, progress, cancelling, scratch
 * limit.
 *
 * Workers take the next chunk from an atomic counter until none is left. A chunk is
 * defined by the problem, never by the number of threads, so results are the same for
 * every number. The calling thread works too and is the only one that calls the host
 * back. Chunks are numbered through all rounds and stages; one that must wait for those
 * of the stages before it waits until as many chunks are done as precede its stage. */
#include "base_internal.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

enum { REPORT_INTERVAL_MS = 100, SPINS = 2000, THREAD_STACK = 1 << 20 };

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

typedef struct {
    const pvgi_stage *stages;
    int32_t stage_count;
    int64_t round_chunks, chunks; /* of one round, of all */
    void *context;
    _Atomic int64_t next, done;
    _Atomic uint32_t workers; /* that have taken their number */
    _Atomic bool stop;
    pthread_mutex_t lock; /* guards the three below */
    int64_t failed_chunk;
    int32_t status;
    char message[PVGI_MESSAGE_BYTES];
} job;

static void record_failure(job *work, int64_t chunk, int32_t status) {
    pthread_mutex_lock(&work->lock);
    if (work->status == PVG_OK || chunk < work->failed_chunk) {
        work->failed_chunk = chunk;
        work->status = status;
        pvgi_message_save(work->message);
    }
    pthread_mutex_unlock(&work->lock);
    atomic_store(&work->stop, true);
}

/* Stage of a chunk, and the number of chunks before that stage. */
static const pvgi_stage *stage_of(const job *work, int64_t chunk, int64_t *start) {
    const pvgi_stage *stage = work->stages;
    *start = chunk - chunk % work->round_chunks;
    while (chunk - *start >= stage->chunks) *start += stage++->chunks;
    return stage;
}

/* Every chunk handed out is finished and all before `start` are, so this ends. Others are
 * busy with the last chunks of a stage: little to wait for, too little to sleep. */
static void wait_until_done(job *work, int64_t start) {
    for (int spins = 0; atomic_load_explicit(&work->done, memory_order_acquire) < start;
         spins++)
        if (spins >= SPINS) sched_yield();
}

/* Share of the whole after the chunks that are done. */
static double fraction_done(const job *work) {
    const int64_t done = atomic_load(&work->done);
    if (done >= work->chunks) return 1;
    int64_t start;
    const pvgi_stage *stage = stage_of(work, done, &start);
    double within = 0, all = 0;
    for (int32_t i = 0; i < work->stage_count; i++) {
        if (&work->stages[i] == stage)
            within = all + stage->share * (double)(done - start) / (double)stage->chunks;
        all += work->stages[i].share;
    }
    const int64_t round = done / work->round_chunks;
    const int64_t rounds = work->chunks / work->round_chunks;
    return ((double)round + within / all) / (double)rounds;
}

/* Takes and runs one chunk; false when there is nothing more to do. Chunks are handed out
 * in order and every chunk handed out is finished, so the lowest failing chunk is found
 * whatever the timing. */
static bool run_one(job *work, uint32_t worker) {
    if (atomic_load_explicit(&work->stop, memory_order_relaxed)) return false;
    const int64_t chunk = atomic_fetch_add(&work->next, 1);
    if (chunk >= work->chunks) return false;
    int64_t start;
    const pvgi_stage *stage = stage_of(work, chunk, &start);
    wait_until_done(work, start);
    const int64_t round = chunk / work->round_chunks;
    void *context = stage->context ? stage->context : work->context;
    const int32_t status =
        stage->function(context, round * stage->chunks + (chunk - start), worker);
    if (status != PVG_OK) record_failure(work, chunk, status);
    atomic_fetch_add(&work->done, 1);
    return true;
}

static void *work_until_done(void *argument) {
    job *work = argument;
    const uint32_t worker = 1 + atomic_fetch_add(&work->workers, 1);
    while (run_one(work, worker)) {
    }
    return NULL;
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

/* --- threads of our own --- */

/* Starts workers 1.. and returns how many there are. Fewer than wished is no failure,
 * and not told: whether there is work for several may depend on private data. Signals are
 * the host's business: workers take none but those that their own faults raise. Their
 * stack is far above what any call needs (base.h), as static thread storage of the host's
 * libraries is cut from it. */
static uint32_t start_threads(pthread_t *threads, uint32_t workers, job *work) {
    uint32_t started = 1; /* worker 0 is the calling thread */
    pthread_attr_t attributes;
    sigset_t none, before;
    if (pthread_attr_init(&attributes)) return started;
    pthread_attr_setstacksize(&attributes, THREAD_STACK);
    sigfillset(&none);
    sigdelset(&none, SIGSEGV);
    sigdelset(&none, SIGBUS);
    sigdelset(&none, SIGFPE);
    sigdelset(&none, SIGILL);
    pthread_sigmask(SIG_SETMASK, &none, &before);
    while (started < workers &&
           pthread_create(&threads[started], &attributes, work_until_done, work) == 0)
        started++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return started;
}

/* What the calling thread does: it works, and alone speaks with the host. */
static int32_t lead(job *work, pvgi_run *run) {
    int32_t cancelled = PVG_OK;
    while (run_one(work, 0)) {
        cancelled = pvgi_run_report(run, run->config.progress ? fraction_done(work) : 0);
        if (cancelled != PVG_OK) atomic_store(&work->stop, true);
    }
    return cancelled;
}

/* Not inlined: threads of a pool need no room for these on the stack. */
static __attribute__((noinline)) int32_t work_with_threads(job *work, pvgi_run *run,
                                                           uint32_t workers) {
    pthread_t threads[PVG_THREADS_MAX];
    const uint32_t started = start_threads(threads, workers, work);
    const int32_t cancelled = lead(work, run);
    for (uint32_t i = 1; i < started; i++) pthread_join(threads[i], NULL);
    return cancelled;
}

/* --- threads of the host's pool --- */

/* A pool may run a job when it likes, after the call as well: all that a job may rely on
 * is this gate, which lives until everyone who knows of it has let go. */
typedef struct {
    pthread_mutex_t lock; /* guards the rest */
    pthread_cond_t left;
    job *work; /* NULL when the calling thread has shut it */
    uint32_t inside, holders;
} gate;

static void let_go(gate *g) {
    pthread_mutex_lock(&g->lock);
    const bool last = --g->holders == 0;
    pthread_mutex_unlock(&g->lock);
    if (!last) return;
    pthread_cond_destroy(&g->left);
    pthread_mutex_destroy(&g->lock);
    pvgi_free(g);
}

/* What the pool runs. Its thread is the host's: mode and message stay as they were. */
static void lend_hand(void *argument) {
    gate *g = argument;
    pthread_mutex_lock(&g->lock);
    job *work = g->work;
    g->inside += work != NULL;
    pthread_mutex_unlock(&g->lock);
    if (work) {
        PVGI_BORDER;
        char message[PVGI_MESSAGE_BYTES];
        pvgi_message_save(message);
        work_until_done(work);
        pvgi_message_restore(message);
        pthread_mutex_lock(&g->lock);
        if (--g->inside == 0) pthread_cond_signal(&g->left);
        pthread_mutex_unlock(&g->lock);
    }
    let_go(g);
}

static gate *open_gate(job *work) {
    gate *g = pvgi_alloc_zero(1, sizeof *g);
    if (!g) return NULL;
    pthread_mutex_init(&g->lock, NULL);
    pthread_cond_init(&g->left, NULL);
    g->work = work;
    g->holders = 1;
    return g;
}

/* Only jobs that have begun are waited for: those in a queue, behind this very call
 * perhaps, find the gate shut. */
static void shut_gate(gate *g) {
    pthread_mutex_lock(&g->lock);
    g->work = NULL;
    while (g->inside > 0) pthread_cond_wait(&g->left, &g->lock);
    pthread_mutex_unlock(&g->lock);
    let_go(g);
}

/* As many workers as the pool lends. */
static void ask_pool(gate *g, const pvg_run *config, uint32_t workers) {
    for (uint32_t asked = 1; asked < workers; asked++) {
        pthread_mutex_lock(&g->lock);
        g->holders++;
        pthread_mutex_unlock(&g->lock);
        if (config->start(config->start_context, lend_hand, g) != 0) {
            let_go(g);
            return;
        }
    }
}

static int32_t work_with_pool(job *work, pvgi_run *run, uint32_t workers) {
    gate *g = open_gate(work);
    if (g) ask_pool(g, &run->config, workers);
    const int32_t cancelled = lead(work, run);
    if (g) shut_gate(g);
    return cancelled;
}

int32_t pvgi_run_stages(pvgi_run *run, const pvgi_stage *stages, int32_t stage_count,
                        int64_t rounds, void *context) {
    job work = {.stages = stages, .stage_count = stage_count, .context = context};
    int64_t widest = 0;
    for (int32_t i = 0; i < stage_count; i++) {
        work.round_chunks += stages[i].chunks;
        if (stages[i].chunks > widest) widest = stages[i].chunks;
    }
    work.chunks = rounds * work.round_chunks;
    if (work.chunks <= 0) return PVG_OK;
    pthread_mutex_init(&work.lock, NULL);
    const uint32_t workers = pvgi_run_workers(run, widest);
    const int32_t cancelled = workers < 2 ? lead(&work, run)
                              : run->config.start
                                  ? work_with_pool(&work, run, workers)
                                  : work_with_threads(&work, run, workers);
    pthread_mutex_destroy(&work.lock);

    if (work.status != PVG_OK) {
        pvgi_message_restore(work.message);
        return work.status;
    }
    return cancelled;
}
