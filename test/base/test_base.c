/* base: status, messages, config structs, memory, fork-join, progress, scratch limit. */
#include "base/base_internal.h"
#include "support.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

void setUp(void) {}
void tearDown(void) {}

static void status_names_cover_all_codes(void) {
    TEST_ASSERT_EQUAL_STRING("PVG_OK", pvg_status_name(PVG_OK));
    TEST_ASSERT_EQUAL_STRING("PVG_E_ARGUMENT", pvg_status_name(PVG_E_ARGUMENT));
    TEST_ASSERT_EQUAL_STRING("PVG_E_PRIVACY", pvg_status_name(PVG_E_PRIVACY));
    TEST_ASSERT_EQUAL_STRING("PVG_E_INTERNAL", pvg_status_name(PVG_E_INTERNAL));
    TEST_ASSERT_EQUAL_STRING("PVG_E_UNKNOWN", pvg_status_name(1));
    TEST_ASSERT_EQUAL_STRING("PVG_E_UNKNOWN", pvg_status_name(-17));
    TEST_ASSERT_EQUAL_STRING("PVG_E_UNKNOWN", pvg_status_name(INT32_MIN));
    for (int32_t status = 0; status >= -16; status--) {
        int64_t value = 99;
        PVGT_OK(pvg_constant_value(&value, pvg_status_name(status)));
        TEST_ASSERT_EQUAL_INT64(status, value);
    }
}

static void constants_by_name(void) {
    int64_t value = 7;
    PVGT_FAILS(PVG_E_ARGUMENT, "no constant 'PVG_NO'",
               pvg_constant_value(&value, "PVG_NO"));
    TEST_ASSERT_EQUAL_INT64(7, value);
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL", pvg_constant_value(NULL, "PVG_OK"));
    PVGT_FAILS(PVG_E_ARGUMENT, "name is NULL", pvg_constant_value(&value, NULL));
    PVGT_OK(pvg_constant_value(&value, "PVG_THREADS_MAX"));
    TEST_ASSERT_EQUAL_INT64(PVG_THREADS_MAX, value);
}

static void version_matches_headers(void) {
    char expected[64];
    snprintf(expected, sizeof expected, "%d.%d.%d", PRIVGRAPH_VERSION_MAJOR,
             PRIVGRAPH_VERSION_MINOR, PRIVGRAPH_VERSION_PATCH);
    TEST_ASSERT_EQUAL_STRING(expected, pvg_version_string());
    TEST_ASSERT_EQUAL_UINT32(PRIVGRAPH_VERSION_MAJOR * 1000000 +
                                 PRIVGRAPH_VERSION_MINOR * 1000 + PRIVGRAPH_VERSION_PATCH,
                             pvg_version_number());
}

static void build_info_is_told(void) {
    size_t length = 0;
    char text[2048], small[8] = "before";
    PVGT_OK(pvg_build_info_copy(NULL, 0, &length));
    TEST_ASSERT_GREATER_THAN(40, length);
    PVGT_OK(pvg_build_info_copy(text, sizeof text, &length));
    TEST_ASSERT_EQUAL_size_t(length, strlen(text));
    TEST_ASSERT_NOT_NULL(strstr(text, "\"libsodium\": \"1."));
    TEST_ASSERT_NOT_NULL(strstr(text, "\"blas\": \""));
    TEST_ASSERT_NOT_NULL(strstr(text, strstr(text, "\"blas\": \"linked")
                                          ? "\"blas_found\": \"linked"
                                          : "\"blas_found\": \"no"));
    length = 0;
    PVGT_FAILS(PVG_E_LIMIT, "capacity 8",
               pvg_build_info_copy(small, sizeof small, &length));
    TEST_ASSERT_EQUAL_STRING("before", small);
    TEST_ASSERT_EQUAL_size_t(strlen(text), length);
    PVGT_FAILS(PVG_E_ARGUMENT, "length is NULL", pvg_build_info_copy(text, 10, NULL));
    /* the exact length fails, one more succeeds */
    PVGT_FAILS(PVG_E_LIMIT, "capacity", pvg_build_info_copy(text, length, &length));
    PVGT_OK(pvg_build_info_copy(text, length + 1, &length));
}

static int32_t build_info_body(void *context) {
    char text[2048] = "untouched";
    size_t length = 0;
    (void)context;
    const int32_t status = pvg_build_info_copy(text, sizeof text, &length);
    if (status != PVG_OK) TEST_ASSERT_EQUAL_STRING("untouched", text);
    return status;
}

static void build_info_survives_no_memory(void) {
    pvgt_oom_walk("pvg_build_info_copy", build_info_body, NULL, 1);
}

static void allocator_is_set_once(void) {
    const pvg_allocator again = {.size = sizeof again};
    PVGT_FAILS(PVG_E_ARGUMENT, "must both be set", pvg_allocator_set(&again));
    PVGT_FAILS(PVG_E_ARGUMENT, "allocator is NULL", pvg_allocator_set(NULL));
    /* main installed the counting allocator: a second one is refused */
    pvg_allocator other = {.size = sizeof other};
    other.allocate = (void *(*)(void *, size_t))(uintptr_t)build_info_body;
    other.release = (void (*)(void *, void *))(uintptr_t)build_info_body;
    PVGT_FAILS(PVG_E_ARGUMENT, "set or used before", pvg_allocator_set(&other));
    other.reserved = 1;
    PVGT_FAILS(PVG_E_ARGUMENT, "reserved", pvg_allocator_set(&other));
}

typedef struct {
    uint32_t size, a;
    double b;
} known_config;

typedef struct {
    known_config known;
    uint64_t later;
} newer_config;

static void config_structs_follow_the_rule(void) {
    known_config out;
    PVGT_OK(pvgi_config_import(&out, sizeof out, NULL, "c"));
    TEST_ASSERT_EQUAL_UINT32(sizeof out, out.size);
    TEST_ASSERT_EQUAL_UINT32(0, out.a);

    known_config old = {.size = 8, .a = 5, .b = 3.0}; /* a caller that knows only a */
    PVGT_OK(pvgi_config_import(&out, sizeof out, &old, "c"));
    TEST_ASSERT_EQUAL_UINT32(5, out.a);
    TEST_ASSERT_TRUE(out.b == 0.0);

    newer_config newer = {.known = {.size = sizeof newer, .a = 6, .b = 2.0}, .later = 0};
    PVGT_OK(pvgi_config_import(&out, sizeof out, &newer, "c"));
    TEST_ASSERT_TRUE(out.a == 6 && out.b == 2.0 && out.size == sizeof out);
    newer.later = (uint64_t)1 << 63; /* only the last byte is set */
    PVGT_FAILS(PVG_E_VERSION, "byte 23",
               pvgi_config_import(&out, sizeof out, &newer, "c"));

    for (uint32_t size = 0; size < 4; size++) {
        old.size = size;
        PVGT_FAILS(PVG_E_ARGUMENT, "size is",
                   pvgi_config_import(&out, sizeof out, &old, "c"));
    }
    for (uint32_t size = 4; size < 40; size++) { /* no end in the middle of a field */
        known_config whole[3] = {{.size = size}};
        TEST_ASSERT_EQUAL_INT32(size % 8 == 0 ? PVG_OK : PVG_E_ARGUMENT,
                                pvgi_config_import(&out, sizeof out, whole, "c"));
        TEST_ASSERT_EQUAL_INT32(size % 8 == 0 ? PVG_OK : PVG_E_ARGUMENT,
                                pvgi_config_export(whole, &out, sizeof out, "c"));
    }
    old.size = 0xDEADBEEF;
    PVGT_FAILS(PVG_E_ARGUMENT, "size is",
               pvgi_config_import(&out, sizeof out, &old, "c"));
}

static void memory_is_aligned_and_checked(void) {
    for (size_t bytes = 0; bytes < 300; bytes += 7) {
        char *block = pvgi_alloc(bytes, 1);
        TEST_ASSERT_NOT_NULL(block);
        TEST_ASSERT_EQUAL_UINT64(0, (uintptr_t)block % 64);
        memset(block, 1, bytes);
        pvgi_free(block);
    }
    TEST_ASSERT_NULL(pvgi_alloc(SIZE_MAX / 2, 3));
    TEST_ASSERT_NULL(pvgi_alloc(SIZE_MAX, 1));
    TEST_ASSERT_NULL(pvgi_alloc_zero((size_t)1 << 62, 4));
    char *block = pvgi_alloc(3, 1);
    memcpy(block, "abc", 3);
    block = pvgi_grow(block, 100, 1);
    TEST_ASSERT_EQUAL_MEMORY("abc", block, 3);
    TEST_ASSERT_NULL(pvgi_grow(block, SIZE_MAX, 2));
    TEST_ASSERT_EQUAL_MEMORY("abc", block, 3);
    pvgi_free(block);
    pvgi_free(NULL);
}

/* --- fork-join ------------------------------------------------------------------ */

typedef struct {
    _Atomic int64_t visits[1000];
    int64_t fail_from;
    _Atomic uint32_t highest_worker;
} chunk_context;

static int32_t count_chunk(void *context, int64_t chunk, uint32_t worker) {
    chunk_context *c = context;
    atomic_fetch_add(&c->visits[chunk], 1);
    if (worker > atomic_load(&c->highest_worker))
        atomic_store(&c->highest_worker, worker);
    if (chunk >= c->fail_from)
        return pvgi_fail(PVG_E_NUMERIC, "chunk %lld", (long long)chunk);
    return PVG_OK;
}

static void every_chunk_runs_once(void) {
    for (uint32_t threads = 0; threads <= 9; threads++) {
        static chunk_context c;
        memset((void *)&c, 0, sizeof c);
        c.fail_from = INT64_MAX;
        pvg_run caller = {.size = sizeof caller, .threads = threads};
        pvgi_run run;
        PVGT_OK(pvgi_run_begin(&run, &caller));
        PVGT_OK(pvgi_run_chunks(&run, 1000, count_chunk, &c));
        for (int i = 0; i < 1000; i++) TEST_ASSERT_EQUAL_INT64(1, c.visits[i]);
        TEST_ASSERT_LESS_THAN_UINT32(threads ? threads : 1, c.highest_worker);
        PVGT_OK(pvgi_run_chunks(&run, 0, count_chunk, &c));
    }
}

/* Hands of the library take no signals of the host, and have the stack that is stated. */
typedef struct {
    pthread_t caller;
    atomic_int hands, open, small;
} hand_context;

static int32_t look_at_hand(void *context, int64_t chunk, uint32_t worker) {
    static const int of_the_host[] = {SIGINT,  SIGTERM, SIGALRM,
                                      SIGUSR1, SIGCHLD, SIGPIPE};
    hand_context *c = context;
    sigset_t blocked;
    pthread_attr_t attributes;
    size_t bytes = 0;
    (void)chunk;
    (void)worker;
    if (pthread_equal(pthread_self(), c->caller)) {
        /* leave some to the others */
        for (int i = 0; i < 1000 && atomic_load(&c->hands) == 0; i++) sched_yield();
        return PVG_OK;
    }
    atomic_fetch_add(&c->hands, 1);
    if (pthread_sigmask(SIG_SETMASK, NULL, &blocked) != 0) return PVG_E_INTERNAL;
    for (size_t i = 0; i < sizeof of_the_host / sizeof of_the_host[0]; i++)
        if (!sigismember(&blocked, of_the_host[i])) atomic_fetch_add(&c->open, 1);
    if (sigismember(&blocked, SIGSEGV)) atomic_fetch_add(&c->open, 1);
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return PVG_E_INTERNAL;
    pthread_attr_getstacksize(&attributes, &bytes);
    pthread_attr_destroy(&attributes);
    if (bytes < (size_t)1 << 20) atomic_fetch_add(&c->small, 1);
    return PVG_OK;
}

static void hands_take_no_signals(void) {
    hand_context c = {.caller = pthread_self()};
    const pvg_run caller = {.size = sizeof caller, .threads = 4};
    pvgi_run run;
    sigset_t before, after;
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    PVGT_OK(pvgi_run_begin(&run, &caller));
    for (int i = 0; i < 200 && atomic_load(&c.hands) == 0; i++)
        PVGT_OK(pvgi_run_chunks(&run, 64, look_at_hand, &c));
    TEST_ASSERT_TRUE(atomic_load(&c.hands) > 0);
    TEST_ASSERT_EQUAL_INT(0, atomic_load(&c.open));
    TEST_ASSERT_EQUAL_INT(0, atomic_load(&c.small));
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    for (int s = 1; s < 32; s++) /* the caller's own are as they were */
        TEST_ASSERT_EQUAL_INT(sigismember(&before, s), sigismember(&after, s));
}

static void lowest_failing_chunk_is_told(void) {
    for (int repeat = 0; repeat < 50; repeat++) {
        static chunk_context c;
        memset((void *)&c, 0, sizeof c);
        c.fail_from = 17;
        pvg_run caller = {.size = sizeof caller, .threads = 4};
        pvgi_run run;
        PVGT_OK(pvgi_run_begin(&run, &caller));
        PVGT_FAILS(PVG_E_NUMERIC, "chunk 17",
                   pvgi_run_chunks(&run, 1000, count_chunk, &c));
        TEST_ASSERT_EQUAL_STRING("chunk 17", pvg_error_message());
    }
}

static int32_t slow_chunk(void *context, int64_t chunk, uint32_t worker) {
    const struct timespec pause = {0, 15000000};
    (void)context, (void)chunk, (void)worker;
    nanosleep(&pause, NULL);
    return PVG_OK;
}

/* Three stages, one of them empty, in rounds: every chunk sees all earlier stages done.
 * Sizes such that threads often reach the end of a stage together. */
enum { ROUNDS = 40, FRONT = 5, BACK = 3 };
typedef struct {
    _Atomic int64_t front[ROUNDS], back[ROUNDS], early;
    int64_t fail_at; /* chunk of the second stage */
} stage_context;

static int32_t front_chunk(void *context, int64_t chunk, uint32_t worker) {
    stage_context *c = context;
    const int64_t round = chunk / FRONT;
    (void)worker;
    if (round > 0 && atomic_load(&c->back[round - 1]) != BACK)
        atomic_fetch_add(&c->early, 1);
    atomic_fetch_add(&c->front[round], 1);
    return PVG_OK;
}

static int32_t back_chunk(void *context, int64_t chunk, uint32_t worker) {
    stage_context *c = context;
    const int64_t round = chunk / BACK;
    (void)worker;
    if (atomic_load(&c->front[round]) != FRONT) atomic_fetch_add(&c->early, 1);
    atomic_fetch_add(&c->back[round], 1);
    if (chunk == c->fail_at)
        return pvgi_fail(PVG_E_NUMERIC, "back %lld", (long long)chunk);
    return PVG_OK;
}

static void stages_wait_for_each_other(void) {
    const pvgi_stage stages[] = {{front_chunk, FRONT, 0.3, NULL},
                                 {slow_chunk, 0, 0, NULL},
                                 {back_chunk, BACK, 0.7, NULL}};
    for (int repeat = 0; repeat < 60; repeat++) {
        static stage_context c;
        const int64_t fail_at = repeat % 3 == 2 ? repeat : INT64_MAX;
        memset((void *)&c, 0, sizeof c);
        c.fail_at = fail_at;
        const pvg_run caller = {.size = sizeof caller, .threads = 1 + repeat % 7};
        pvgi_run run;
        PVGT_OK(pvgi_run_begin(&run, &caller));
        const int32_t status = pvgi_run_stages(&run, stages, 3, ROUNDS, &c);
        TEST_ASSERT_EQUAL_INT32(fail_at < INT64_MAX ? PVG_E_NUMERIC : PVG_OK, status);
        TEST_ASSERT_EQUAL_INT64(0, c.early);
        for (int64_t round = 0; round < ROUNDS; round++) {
            /* a failure lets no later round begin */
            const bool reached = fail_at == INT64_MAX || round < fail_at / BACK;
            TEST_ASSERT_TRUE(reached ? c.front[round] == FRONT && c.back[round] == BACK
                                     : round == fail_at / BACK || c.back[round] == 0);
        }
    }
}

static int32_t keep_progress(void *context, double fraction) {
    double *seen = context;
    if (seen[0] == 0) seen[0] = fraction;
    seen[1] = fraction;
    return 0;
}

/* Many short chunks that are a tenth of the time, then few long ones. */
static void progress_weighs_stages(void) {
    static stage_context c = {.fail_at = INT64_MAX};
    double seen[2] = {0, 0};
    const pvg_run caller = {
        .size = sizeof caller, .progress = keep_progress, .progress_context = seen};
    const pvgi_stage stages[] = {{front_chunk, FRONT, 0.1, NULL},
                                 {slow_chunk, 20, 0.9, NULL}};
    pvgi_run run;
    PVGT_OK(pvgi_run_begin(&run, &caller));
    PVGT_OK(pvgi_run_stages(&run, stages, 2, 1, &c)); /* 0.3 s, told every 0.1 s */
    TEST_ASSERT_TRUE(seen[0] > 0.1 && seen[0] < seen[1] && seen[1] <= 1);
}

typedef struct {
    int calls;
    double last;
    int stop_after;
    pthread_t caller;
} progress_context;

static int32_t on_progress(void *context, double fraction) {
    progress_context *p = context;
    TEST_ASSERT_TRUE(pthread_equal(p->caller, pthread_self()));
    TEST_ASSERT_TRUE(fraction >= p->last && fraction <= 1.0);
    p->last = fraction;
    return ++p->calls >= p->stop_after;
}

static void progress_is_told_and_cancels(void) {
    progress_context p = {.stop_after = 1000, .caller = pthread_self()};
    pvg_run caller = {.size = sizeof caller,
                      .threads = 2,
                      .progress = on_progress,
                      .progress_context = &p};
    pvgi_run run;
    PVGT_OK(pvgi_run_begin(&run, &caller));
    PVGT_OK(pvgi_run_chunks(&run, 60, slow_chunk, NULL)); /* 0.45 s or more */
    TEST_ASSERT_GREATER_OR_EQUAL(1, p.calls);
    p = (progress_context){.stop_after = 1, .caller = pthread_self()};
    PVGT_OK(pvgi_run_begin(&run, &caller));
    PVGT_FAILS(PVG_E_CANCELLED, "cancelled",
               pvgi_run_chunks(&run, 2000, slow_chunk, NULL));
    TEST_ASSERT_EQUAL_INT(1, p.calls);
    /* once cancelled, later phases of the same call stop without asking again */
    PVGT_FAILS(PVG_E_CANCELLED, "cancelled", pvgi_run_report(&run, 0.5));
    TEST_ASSERT_EQUAL_INT(1, p.calls);
}

/* The fraction of the whole call that a run would report now. */
static double told(pvgi_run *run, double *last, double fraction) {
    run->last_report_ms = 0; /* it is time */
    PVGT_OK(pvgi_run_report(run, fraction));
    return *last;
}

static int32_t note_last(void *context, double fraction) {
    *(double *)context = fraction;
    return 0;
}

/* Phases within phases within parts: fractions of the whole multiply out, never go back,
 * and a part has what its caller does not use of the scratch. */
static void parts_of_runs_nest(void) {
    double last = 0.0;
    const pvg_run caller = {.size = sizeof caller,
                            .progress = note_last,
                            .progress_context = &last,
                            .scratch_limit = 1000};
    pvgi_run run;
    PVGT_OK(pvgi_run_begin(&run, &caller));
    TEST_ASSERT_EQUAL_DOUBLE(0.125, told(&run, &last, 0.125));
    pvgi_run_phase(&run, 0.25, 0.5);
    TEST_ASSERT_EQUAL_DOUBLE(0.25, told(&run, &last, 0.0));
    const pvgi_phase outer = pvgi_run_enter(&run, 0.5, 0.25);
    TEST_ASSERT_EQUAL_DOUBLE(0.5, told(&run, &last, 0.0));
    const pvgi_phase inner = pvgi_run_enter(&run, 0.5, 0.5);
    TEST_ASSERT_EQUAL_DOUBLE(0.5625, told(&run, &last, 0.0));
    pvgi_run_leave(&run, inner);
    TEST_ASSERT_EQUAL_DOUBLE(0.5625, told(&run, &last, 0.25)); /* not back to 0.53 */
    pvgi_run_leave(&run, outer);
    TEST_ASSERT_EQUAL_DOUBLE(0.625, told(&run, &last, 0.75));
    /* a part of the second half of this phase, which knows nothing of phases */
    pvgi_run part = pvgi_run_part(&run, 400, 0.75, 0.25);
    PVGT_OK(pvgi_run_reserve(&part, 600));
    PVGT_FAILS(PVG_E_LIMIT, "scratch_limit", pvgi_run_reserve(&part, 601));
    TEST_ASSERT_EQUAL_DOUBLE(0.6875, told(&part, &last, 0.5));
    pvgi_run second = pvgi_run_part(&part, 600, 0.5, 0.5);
    PVGT_FAILS(PVG_E_LIMIT, "scratch_limit", pvgi_run_reserve(&second, 2));
    TEST_ASSERT_EQUAL_DOUBLE(0.75, told(&second, &last, 1.0));
    pvgi_run_join(&part, &second);
    pvgi_run_join(&run, &part);
    TEST_ASSERT_EQUAL_DOUBLE(0.75, told(&run, &last, 0.0));
    /* quiet ones tell nothing, but have the limit */
    pvgi_run quiet = pvgi_run_quiet(&run);
    TEST_ASSERT_EQUAL_DOUBLE(0.75, told(&quiet, &last, 1.0));
    PVGT_FAILS(PVG_E_LIMIT, "scratch_limit", pvgi_run_reserve(&quiet, 1001));
    pvgi_run_phase(&run, 0.75, 0.25);
    TEST_ASSERT_EQUAL_DOUBLE(1.0, told(&run, &last, 1.0));
}

static void run_is_checked(void) {
    pvg_run caller = {.size = sizeof caller, .threads = PVG_THREADS_MAX + 1};
    pvgi_run run;
    PVGT_FAILS(PVG_E_ARGUMENT, "threads is 257", pvgi_run_begin(&run, &caller));
    caller = (pvg_run){.size = sizeof caller, .scratch_limit = 1000};
    PVGT_OK(pvgi_run_begin(&run, &caller));
    PVGT_OK(pvgi_run_reserve(&run, 1000));
    PVGT_FAILS(PVG_E_LIMIT, "1000", pvgi_run_reserve(&run, 1001));
    PVGT_FAILS(PVG_E_LIMIT, "1000", pvgi_run_reserve(&run, SIZE_MAX));
}

static void *other_thread(void *context) {
    (void)context;
    pvgi_fail(PVG_E_IO, "other");
    return NULL;
}

static void messages_belong_to_threads(void) {
    pthread_t thread;
    pvgi_fail(PVG_E_IO, "mine");
    TEST_ASSERT_EQUAL_INT(0, pthread_create(&thread, NULL, other_thread, NULL));
    pthread_join(thread, NULL);
    TEST_ASSERT_EQUAL_STRING("mine", pvg_error_message());
    pvgi_message_prefix("file.txt");
    TEST_ASSERT_EQUAL_STRING("file.txt: mine", pvg_error_message());
    char big[2000];
    memset(big, 'x', sizeof big - 1);
    big[sizeof big - 1] = '\0';
    pvgi_message_prefix(big);
    TEST_ASSERT_NOT_NULL(strstr(pvg_error_message(), "file.txt: mine"));
    pvgi_fail(PVG_E_IO, "%s", big);
    TEST_ASSERT_EQUAL_size_t(PVGI_MESSAGE_BYTES - 1, strlen(pvg_error_message()));
}

static void json_strings_are_escaped(void) {
    pvgi_text text = {0};
    pvgi_text_json_string(&text, "a\"b\\c\n\x01");
    TEST_ASSERT_EQUAL_INT32(PVG_OK, text.status);
    TEST_ASSERT_EQUAL_STRING("\"a\\\"b\\\\c\\u000a\\u0001\"", text.data);
    pvgi_text_free(&text);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(status_names_cover_all_codes);
    RUN_TEST(constants_by_name);
    RUN_TEST(version_matches_headers);
    RUN_TEST(build_info_is_told);
    RUN_TEST(build_info_survives_no_memory);
    RUN_TEST(allocator_is_set_once);
    RUN_TEST(config_structs_follow_the_rule);
    RUN_TEST(memory_is_aligned_and_checked);
    RUN_TEST(every_chunk_runs_once);
    RUN_TEST(hands_take_no_signals);
    RUN_TEST(lowest_failing_chunk_is_told);
    RUN_TEST(stages_wait_for_each_other);
    RUN_TEST(progress_weighs_stages);
    RUN_TEST(progress_is_told_and_cancels);
    RUN_TEST(parts_of_runs_nest);
    RUN_TEST(run_is_checked);
    RUN_TEST(messages_belong_to_threads);
    RUN_TEST(json_strings_are_escaped);
    return pvgt_end(UNITY_END());
}
