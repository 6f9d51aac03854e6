/* Fork-join over POSIX threads or those of a host's pool.
 *
 * Workers take the next chunk from an atomic counter until none is left. A chunk is
 * defined by the problem, never by the number of threads, so results are the same for
 * every number. The calling thread works too and is the only one that calls the host
 * back. Chunks are numbered through all rounds and stages; one that must wait for those
 * of the stages before it waits until as many chunks are done as precede its stage.
 *
 * Threads of our own are a crew, started by the first job of a call that has work for
 * several and ended when the call returns. Between jobs they wait, at first awake, then
 * asleep. A job never waits for a thread that has not come to it: the calling thread does
 * all chunks that nobody takes. A thread that the system keeps from running holds up all
 * others at the end of a stage; so one that has lost much of its time takes a rest, and
 * on a busy machine a call is about as fast as with one thread. */
#include "crew.h"
#include "base_internal.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

enum {
    THREAD_STACK = 1 << 20,
    AWAKE_NS = 30000,     /* waiting awake: about what it costs to be woken */
    LOOKS = 32,           /* at what is waited for, between two at the clock */
    WINDOW_NS = 2000000,  /* of a thread's time that is looked at */
    REST_FACTOR = 16,     /* rest: that often the time it lost, */
    REST_MOST = 100000000 /* and at most that many ns */
};

static uint64_t read_clock(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline void relax(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* --- a job -------------------------------------------------------------------------- */

typedef struct {
    const pvgi_stage *stages;
    int32_t stage_count;
    int64_t round_chunks, chunks; /* of one round, of all */
    void *context;
    _Atomic int64_t next, done;
    _Atomic uint32_t workers; /* of a pool, that have taken their number */
    _Atomic uint32_t asleep;  /* waiting for `moved` */
    _Atomic bool stop;
    pthread_mutex_t lock; /* guards the rest */
    pthread_cond_t moved; /* chunks are done */
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

static bool is_done(job *work, int64_t start) {
    return atomic_load_explicit(&work->done, memory_order_acquire) >= start;
}

/* Every chunk handed out is finished and all before `start` are, so this ends. Returns
 * the ns slept: time that nobody took from this thread. */
static uint64_t wait_until_done(job *work, int64_t start) {
    if (is_done(work, start)) return 0;
    const uint64_t begin = read_clock(CLOCK_MONOTONIC);
    do {
        for (int look = 0; look < LOOKS; look++) {
            relax();
            if (is_done(work, start)) return 0;
        }
    } while (read_clock(CLOCK_MONOTONIC) - begin < AWAKE_NS);
    const uint64_t asleep = read_clock(CLOCK_MONOTONIC);
    pthread_mutex_lock(&work->lock);
    atomic_fetch_add(&work->asleep, 1);
    while (atomic_load(&work->done) < start) pthread_cond_wait(&work->moved, &work->lock);
    atomic_fetch_sub(&work->asleep, 1);
    pthread_mutex_unlock(&work->lock);
    return read_clock(CLOCK_MONOTONIC) - asleep;
}

/* Who falls asleep says so before it looks a last time, and who has finished a chunk says
 * so before it looks for sleepers: one of them sees the other. */
static void count_done(job *work) {
    atomic_fetch_add(&work->done, 1);
    if (atomic_load(&work->asleep) == 0) return;
    pthread_mutex_lock(&work->lock);
    pthread_cond_broadcast(&work->moved);
    pthread_mutex_unlock(&work->lock);
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
 * whatever the timing. *slept grows by the ns it slept. */
static bool run_one(job *work, uint32_t worker, uint64_t *slept) {
    if (atomic_load_explicit(&work->stop, memory_order_relaxed)) return false;
    const int64_t chunk = atomic_fetch_add(&work->next, 1);
    if (chunk >= work->chunks) return false;
    int64_t start;
    const pvgi_stage *stage = stage_of(work, chunk, &start);
    *slept += wait_until_done(work, start);
    const int64_t round = chunk / work->round_chunks;
    void *context = stage->context ? stage->context : work->context;
    const int32_t status =
        stage->function(context, round * stage->chunks + (chunk - start), worker);
    if (status != PVG_OK) record_failure(work, chunk, status);
    count_done(work);
    return true;
}

/* What the calling thread does: it works, and alone speaks with the host. */
static int32_t lead(job *work, pvgi_run *run) {
    int32_t cancelled = PVG_OK;
    uint64_t slept = 0;
    while (run_one(work, 0, &slept)) {
        cancelled = pvgi_run_report(run, run->config.progress ? fraction_done(work) : 0);
        if (cancelled != PVG_OK) atomic_store(&work->stop, true);
    }
    return cancelled;
}

/* --- threads of our own --- */

typedef struct {
    pthread_mutex_t lock; /* guards what is not atomic */
    pthread_cond_t called, left;
    _Atomic uint64_t turn;   /* number of the last job */
    _Atomic uint32_t inside; /* threads that are at it */
    _Atomic uint32_t came;   /* threads that have taken their number */
    job *work;               /* NULL: none, or nobody is let in any more */
    uint32_t workers;        /* of the job: threads with lower numbers are let in */
    uint32_t waiting;        /* threads that sleep */
    bool ending;
    int32_t depth;    /* of the call that opened it */
    uint32_t threads; /* with the calling one, which alone looks; 0: not open */
    pthread_t thread[PVG_THREADS_MAX];
} crew;

/* How many calls this thread is in, one from inside of another, and its crew, which the
 * first that needs it opens and closes. Outside of calls, in tests, a job does. Not
 * allocated: nothing of a call that has paid may fail here. */
static _Thread_local struct {
    int32_t depth;
    crew crew;
} calls;

/* Works; returns for how many ns to rest, 0 if the job is done. */
static uint64_t join_in(job *work, uint32_t worker) {
    uint64_t wall = read_clock(CLOCK_MONOTONIC), slept = 0;
    uint64_t ran = read_clock(CLOCK_THREAD_CPUTIME_ID);
    while (run_one(work, worker, &slept)) {
        const uint64_t now = read_clock(CLOCK_MONOTONIC), passed = now - wall;
        if (passed < WINDOW_NS) continue;
        const uint64_t runs = read_clock(CLOCK_THREAD_CPUTIME_ID);
        const uint64_t used = runs - ran + slept;
        const uint64_t lost = passed > used ? passed - used : 0;
        if (4 * lost > passed)
            return REST_FACTOR * lost < REST_MOST ? REST_FACTOR * lost : REST_MOST;
        wall = now;
        ran = runs;
        slept = 0;
    }
    return 0;
}

/* Looks for the next job without sleeping. */
static void wait_awake(crew *c, uint64_t seen) {
    const uint64_t begin = read_clock(CLOCK_MONOTONIC);
    do {
        for (int look = 0; look < LOOKS; look++) {
            if (atomic_load_explicit(&c->turn, memory_order_relaxed) != seen) return;
            relax();
        }
    } while (read_clock(CLOCK_MONOTONIC) - begin < AWAKE_NS);
}

/* Sleeps until the next job, the end, or `until`, if that is not 0. Called and returns
 * with the lock. */
static void wait_asleep(crew *c, uint64_t seen, uint64_t until) {
    const struct timespec time = {(time_t)(until / 1000000000u),
                                  (long)(until % 1000000000u)};
    int late = 0;
    c->waiting += until == 0; /* who rests need not be called */
    while (!c->ending && !late && (until || atomic_load(&c->turn) == seen))
        late = until ? pthread_cond_timedwait(&c->called, &c->lock, &time)
                     : pthread_cond_wait(&c->called, &c->lock);
    c->waiting -= until == 0;
}

static void *serve(void *argument) {
    crew *c = argument;
    const uint32_t me = 1 + atomic_fetch_add(&c->came, 1);
    uint64_t seen = 0, until = 0;
    pthread_mutex_lock(&c->lock);
    for (;;) {
        wait_asleep(c, seen, until);
        if (c->ending) break;
        seen = atomic_load(&c->turn);
        until = 0;
        job *work = me < c->workers ? c->work : NULL;
        if (!work) continue;
        atomic_fetch_add(&c->inside, 1);
        pthread_mutex_unlock(&c->lock);
        const uint64_t rest = join_in(work, me);
        pthread_mutex_lock(&c->lock);
        if (atomic_fetch_sub(&c->inside, 1) == 1) pthread_cond_signal(&c->left);
        if (rest > 0) {
            until = read_clock(CLOCK_MONOTONIC) + rest;
            continue;
        }
        pthread_mutex_unlock(&c->lock);
        wait_awake(c, seen);
        pthread_mutex_lock(&c->lock);
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

static void open_crew(crew *c) {
    pthread_condattr_t attributes;
    memset(c, 0, sizeof *c);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->called, &attributes);
    pthread_cond_init(&c->left, NULL);
    pthread_condattr_destroy(&attributes);
    c->depth = calls.depth;
    c->threads = 1;
}

static void close_crew(crew *c) {
    pthread_mutex_lock(&c->lock);
    c->ending = true;
    atomic_fetch_add(&c->turn, 1); /* for those awake */
    pthread_cond_broadcast(&c->called);
    pthread_mutex_unlock(&c->lock);
    for (uint32_t i = 1; i < c->threads; i++) pthread_join(c->thread[i], NULL);
    c->threads = 0;
    pthread_cond_destroy(&c->left);
    pthread_cond_destroy(&c->called);
    pthread_mutex_destroy(&c->lock);
}

/* Sees to it that there are threads 1 .. workers - 1. Fewer are no failure, and not told:
 * whether there is work for several may depend on private data. Signals are the host's
 * business: workers take none but those that their own faults raise. Their stack is far
 * above what any call needs (base.h), as static thread storage of the host's libraries is
 * cut from it. */
static void start_threads(crew *c, uint32_t workers) {
    pthread_attr_t attributes;
    sigset_t none, before;
    if (c->threads >= workers || pthread_attr_init(&attributes)) return;
    pthread_attr_setstacksize(&attributes, THREAD_STACK);
    sigfillset(&none);
    sigdelset(&none, SIGSEGV);
    sigdelset(&none, SIGBUS);
    sigdelset(&none, SIGFPE);
    sigdelset(&none, SIGILL);
    pthread_sigmask(SIG_SETMASK, &none, &before);
    while (c->threads < workers &&
           pthread_create(&c->thread[c->threads], &attributes, serve, c) == 0)
        c->threads++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
}

/* From now on nobody new comes to the job; waits for those who are at it. */
static void dismiss(crew *c) {
    pthread_mutex_lock(&c->lock);
    c->work = NULL;
    pthread_mutex_unlock(&c->lock);
    const uint64_t begin = read_clock(CLOCK_MONOTONIC);
    do {
        for (int look = 0; look < LOOKS; look++) {
            if (atomic_load(&c->inside) == 0) break;
            relax();
        }
    } while (atomic_load(&c->inside) != 0 &&
             read_clock(CLOCK_MONOTONIC) - begin < AWAKE_NS);
    pthread_mutex_lock(&c->lock);
    while (atomic_load(&c->inside) != 0) pthread_cond_wait(&c->left, &c->lock);
    pthread_mutex_unlock(&c->lock);
}

static int32_t work_with_crew(job *work, pvgi_run *run, uint32_t workers) {
    crew *c = &calls.crew;
    if (c->threads == 0) open_crew(c);
    if (c->work) return lead(work, run); /* a job inside of a job: alone */
    pthread_mutex_lock(&c->lock);
    c->work = work;
    c->workers = workers;
    atomic_fetch_add(&c->turn, 1);
    if (c->waiting) pthread_cond_broadcast(&c->called);
    pthread_mutex_unlock(&c->lock);
    start_threads(c, workers);
    const int32_t cancelled = lead(work, run);
    dismiss(c);
    if (calls.depth == 0) close_crew(c);
    return cancelled;
}

void pvgi_crew_enter(void) {
    calls.depth++;
}

void pvgi_crew_leave(void) {
    if (calls.crew.threads > 0 && calls.crew.depth == calls.depth)
        close_crew(&calls.crew);
    calls.depth--;
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
        const uint32_t worker = 1 + atomic_fetch_add(&work->workers, 1);
        uint64_t slept = 0;
        while (run_one(work, worker, &slept)) {
        }
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
    const uint32_t workers = pvgi_run_workers(run, widest);
    pthread_mutex_init(&work.lock, NULL);
    pthread_cond_init(&work.moved, NULL);
    const int32_t cancelled = workers < 2         ? lead(&work, run)
                              : run->config.start ? work_with_pool(&work, run, workers)
                                                  : work_with_crew(&work, run, workers);
    pthread_cond_destroy(&work.moved);
    pthread_mutex_destroy(&work.lock);

    if (work.status != PVG_OK) {
        pvgi_message_restore(work.message);
        return work.status;
    }
    return cancelled;
}
