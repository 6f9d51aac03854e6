/* The threads of a call: started once, waiting between jobs, gone when the call returns.
 */
#include "base/base_internal.h"
#include "support.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <dirent.h>

void setUp(void) {}
void tearDown(void) {}

enum { THREADS = 4, CHUNKS = 64 };

static int count_threads(void) {
    DIR *folder = opendir("/proc/self/task");
    int count = 0;
    if (!folder) return -1;
    while (readdir(folder)) count++;
    closedir(folder);
    return count - 2;
}

/* A joined thread may be listed for an instant. */
static int count_threads_down_to(int least) {
    const struct timespec pause = {0, 1000000};
    int count = count_threads();
    for (int i = 0; i < 2000 && count > least; i++, count = count_threads())
        nanosleep(&pause, NULL);
    return count;
}

static pvgi_run begin(uint32_t threads,
                      int32_t (*progress)(void *context, double fraction),
                      void *context) {
    const pvg_run caller = {.size = sizeof caller,
                            .threads = threads,
                            .progress = progress,
                            .progress_context = context};
    pvgi_run run;
    PVGT_OK(pvgi_run_begin(&run, &caller));
    return run;
}

/* Who worked, and how often each chunk was done. */
typedef struct {
    pthread_mutex_t lock;
    pthread_t who[PVG_THREADS_MAX];
    int count;
    bool two_of_a_number;
    pthread_t of_number[THREADS];
    bool known[THREADS];
    _Atomic int visits[CHUNKS];
    _Atomic int others;
    bool wait_for_others;
} roll;

static void pause_for(long ns) {
    const struct timespec pause = {0, ns};
    nanosleep(&pause, NULL);
}

static int32_t sign(void *context, int64_t chunk, uint32_t worker) {
    roll *r = context;
    const pthread_t me = pthread_self();
    if (worker > 0) atomic_fetch_add(&r->others, 1);
    if (worker > 0 && r->wait_for_others) pause_for(50000);
    pthread_mutex_lock(&r->lock);
    int i = 0;
    while (i < r->count && !pthread_equal(r->who[i], me)) i++;
    if (i == r->count && r->count < PVG_THREADS_MAX) r->who[r->count++] = me;
    if (r->known[worker] && !pthread_equal(r->of_number[worker], me))
        r->two_of_a_number = true;
    r->known[worker] = true;
    r->of_number[worker] = me;
    pthread_mutex_unlock(&r->lock);
    for (int wait = 0;
         wait < 2000 && worker == 0 && r->wait_for_others && atomic_load(&r->others) == 0;
         wait++)
        pause_for(1000000);
    atomic_fetch_add(&r->visits[chunk], 1);
    return PVG_OK;
}

static void check_visits(roll *r, int times) {
    for (int i = 0; i < CHUNKS; i++)
        TEST_ASSERT_EQUAL_INT(times, atomic_load(&r->visits[i]));
}

static void many_jobs(roll *r, int jobs) {
    PVGI_BORDER;
    pvgi_run run = begin(THREADS, NULL, NULL);
    for (int i = 0; i < jobs; i++) {
        const int done = atomic_load(&r->visits[0]);
        atomic_store(&r->others, 0);
        PVGT_OK(pvgi_run_chunks(&run, CHUNKS, sign, r));
        check_visits(r, done + 1); /* nobody is still at it */
        if (r->wait_for_others) TEST_ASSERT_GREATER_THAN_INT(0, atomic_load(&r->others));
        if (i % 10 == 3) pause_for(200000); /* long enough to fall asleep */
    }
}

/* Hundreds of jobs, three threads beside the calling one, each with its number. */
static void a_call_has_one_crew(void) {
    static roll r = {.lock = PTHREAD_MUTEX_INITIALIZER, .wait_for_others = true};
    many_jobs(&r, 1); /* a sanitizer may start a thread of its own */
    const int before = count_threads();
    r.count = 0;
    memset(r.known, 0, sizeof r.known);
    many_jobs(&r, 200);
    check_visits(&r, 201);
    TEST_ASSERT_GREATER_THAN_INT(1, r.count);
    TEST_ASSERT_LESS_OR_EQUAL_INT(THREADS, r.count);
    TEST_ASSERT_FALSE(r.two_of_a_number);
    TEST_ASSERT_EQUAL_INT(before, count_threads_down_to(before));
}

/* One thread, or one chunk: no other thread is started. */
static void nothing_is_started_unasked(void) {
    static roll r = {.lock = PTHREAD_MUTEX_INITIALIZER};
    PVGI_BORDER;
    const int before = count_threads();
    pvgi_run alone = begin(1, NULL, NULL), run = begin(THREADS, NULL, NULL);
    PVGT_OK(pvgi_run_chunks(&alone, CHUNKS, sign, &r));
    PVGT_OK(pvgi_run_chunks(&run, 1, sign, &r));
    PVGT_OK(pvgi_run_chunks(&run, 0, sign, &r));
    TEST_ASSERT_EQUAL_INT(1, r.count);
    TEST_ASSERT_EQUAL_INT(before, count_threads());
}

/* A chunk that asks for threads itself, and a callback that makes a call. */
typedef struct {
    roll *outer, *inner;
    int calls;
} nest;

static int32_t ask_inside(void *context, int64_t chunk, uint32_t worker) {
    nest *n = context;
    pvgi_run run = begin(THREADS, NULL, NULL);
    PVGI_TRY(pvgi_run_chunks(&run, CHUNKS, sign, n->inner));
    return sign(n->outer, chunk, worker);
}

static int32_t call_inside(void *context, double fraction) {
    nest *n = context;
    (void)fraction;
    n->calls++;
    many_jobs(n->inner, 5);
    return 0;
}

static int32_t sign_slowly(void *context, int64_t chunk, uint32_t worker) {
    const nest *n = context;
    pause_for(10000000);
    return sign(n->outer, chunk, worker);
}

static void jobs_and_calls_nest(void) {
    static roll outer = {.lock = PTHREAD_MUTEX_INITIALIZER};
    static roll inner = {.lock = PTHREAD_MUTEX_INITIALIZER};
    static roll slow = {.lock = PTHREAD_MUTEX_INITIALIZER};
    static roll within = {.lock = PTHREAD_MUTEX_INITIALIZER};
    nest jobs = {.outer = &outer, .inner = &inner};
    nest calls = {.outer = &slow, .inner = &within};
    const int before = count_threads();
    {
        PVGI_BORDER;
        pvgi_run run = begin(THREADS, NULL, NULL);
        PVGT_OK(pvgi_run_chunks(&run, CHUNKS, ask_inside, &jobs));
        pvgi_run told = begin(THREADS, call_inside, &calls);
        PVGT_OK(pvgi_run_chunks(&told, CHUNKS, sign_slowly, &calls));
        PVGT_OK(pvgi_run_chunks(&run, CHUNKS, sign, &slow));
    }
    check_visits(&outer, 1);
    check_visits(&inner, CHUNKS);
    check_visits(&slow, 2);
    TEST_ASSERT_GREATER_THAN_INT(0, calls.calls);
    check_visits(&within, 5 * calls.calls);
    TEST_ASSERT_FALSE(slow.two_of_a_number);
    TEST_ASSERT_EQUAL_INT(before, count_threads_down_to(before));
}

/* Threads that hardly get to run rest, and others do what is left; nothing is lost. */
static int32_t be_held_up(void *context, int64_t chunk, uint32_t worker) {
    if (worker > 0) pause_for(3000000);
    return sign(context, chunk % CHUNKS, worker);
}

static void who_is_held_up_rests(void) {
    static roll r = {.lock = PTHREAD_MUTEX_INITIALIZER};
    const pvgi_stage stages[] = {{be_held_up, CHUNKS / 2, 1, NULL},
                                 {be_held_up, CHUNKS / 2, 1, NULL}};
    PVGI_BORDER;
    pvgi_run run = begin(THREADS, NULL, NULL);
    const int rounds = 400;
    struct timespec first, last;
    clock_gettime(CLOCK_MONOTONIC, &first);
    PVGT_OK(pvgi_run_stages(&run, stages, 2, rounds, &r));
    int visits = 0;
    for (int i = 0; i < CHUNKS; i++) visits += atomic_load(&r.visits[i]);
    TEST_ASSERT_EQUAL_INT(rounds * CHUNKS, visits);
    /* each comes at most once in 48 ms, for one chunk, however long it all takes */
    clock_gettime(CLOCK_MONOTONIC, &last);
    const double passed = (double)(last.tv_sec - first.tv_sec) * 1e3 +
                          (double)(last.tv_nsec - first.tv_nsec) * 1e-6;
    TEST_ASSERT_LESS_OR_EQUAL_INT((THREADS - 1) * (int)(passed / 40 + 2),
                                  atomic_load(&r.others));
}

/* Between calls nothing is held that a child lacks. */
static void a_child_goes_on(void) {
    static roll r = {.lock = PTHREAD_MUTEX_INITIALIZER};
    many_jobs(&r, 3);
    const pid_t child = fork();
    if (child == 0) {
        many_jobs(&r, 3);
        for (int i = 0; i < CHUNKS; i++)
            if (atomic_load(&r.visits[i]) != 6) _exit(1);
        _exit(0);
    }
    int status = 1;
    TEST_ASSERT_EQUAL_INT(child, waitpid(child, &status, 0));
    TEST_ASSERT_EQUAL_INT(0, status);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(a_call_has_one_crew);
    RUN_TEST(nothing_is_started_unasked);
    RUN_TEST(jobs_and_calls_nest);
    RUN_TEST(who_is_held_up_rests);
    RUN_TEST(a_child_goes_on);
    return UNITY_END();
}
