/* What a host gives: hands of its thread pool, a place for messages; and what it gets in
 * one call. The pool is a real one, a queue and threads. */
#include "handles.h"
#include "support.h"

#include <fenv.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

/* --- a pool --- */

enum { HANDS = 3, QUEUE = 4096 };

typedef struct {
    void (*run)(void *);
    void *argument;
} task;

typedef struct {
    pthread_mutex_t lock;
    pthread_cond_t filled;
    task queue[QUEUE];
    int first, last, mode;
    bool closed;
    pthread_t hands[HANDS];
    int count;
    _Atomic int ran, bad;
} pool;

static void *hand(void *argument) {
    pool *p = argument;
    pvg_graph *none = NULL;
    fesetround(p->mode);
    (void)pvg_graph_new_cycle(&none, 1); /* a failure of this thread's own */
    char own[200];
    snprintf(own, sizeof own, "%s", pvg_error_message());
    for (;;) {
        pthread_mutex_lock(&p->lock);
        while (p->first == p->last && !p->closed) pthread_cond_wait(&p->filled, &p->lock);
        if (p->first == p->last) break;
        const task t = p->queue[p->first++ % QUEUE];
        pthread_mutex_unlock(&p->lock);
        t.run(t.argument);
        atomic_fetch_add(&p->ran, 1);
        if (fegetround() != p->mode || strcmp(own, pvg_error_message()) != 0)
            atomic_fetch_add(&p->bad, 1);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

static void pool_put(pool *p, void (*run)(void *), void *argument) {
    pthread_mutex_lock(&p->lock);
    p->queue[p->last++ % QUEUE] = (task){run, argument};
    pthread_cond_signal(&p->filled);
    pthread_mutex_unlock(&p->lock);
}

static int32_t pool_start(void *context, void (*job)(void *argument), void *argument) {
    pool_put(context, job, argument);
    return 0;
}

static void pool_open(pool *p, int hands, int mode) {
    memset(p, 0, sizeof *p);
    p->mode = mode;
    p->count = hands;
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->filled, NULL);
    for (int i = 0; i < hands; i++) pthread_create(&p->hands[i], NULL, hand, p);
}

static void pool_close(pool *p) {
    pthread_mutex_lock(&p->lock);
    p->closed = true;
    pthread_cond_broadcast(&p->filled);
    pthread_mutex_unlock(&p->lock);
    for (int i = 0; i < p->count; i++) pthread_join(p->hands[i], NULL);
    while (p->first < p->last) { /* late ones, run where nobody waits for them */
        const task t = p->queue[p->first++ % QUEUE];
        t.run(t.argument);
    }
    pthread_cond_destroy(&p->filled);
    pthread_mutex_destroy(&p->lock);
    TEST_ASSERT_EQUAL_INT(0, atomic_load(&p->bad));
}

static pvg_run with_pool(pool *p, uint32_t threads) {
    return (pvg_run){.size = sizeof(pvg_run),
                     .threads = threads,
                     .start = pool_start,
                     .start_context = p};
}

/* --- work
 * ------------------------------------------------------------------------------ */

typedef struct {
    int64_t size;
    double values[3];
} outcome;

/* A graph from chunks, and a release of many stages, from seeded generators. */
static outcome work(const pvg_run *run) {
    const pvg_target target = {
        .size = sizeof target, .epsilon = 1, .delta = 1e-6, .allow_seeded = 1};
    pvg_rng *rng = NULL;
    pvg_graph *graph = NULL;
    pvg_patterns *patterns = NULL;
    pvg_embedder *embedder = NULL;
    pvg_release *release = NULL;
    const double *values = NULL;
    outcome out = {0};
    PVGT_OK(pvg_rng_new_seeded(&rng, 9));
    PVGT_OK(pvg_graph_draw_erdos_renyi(&graph, 1000, 0.03, rng, run));
    PVGT_OK(pvg_patterns_from_names(&patterns, "edge,triangle,cycle4"));
    PVGT_OK(pvgt_embedder_new(&embedder, patterns, NULL, &target, NULL, NULL));
    PVGT_OK(pvgt_release_draw_embedding(&release, embedder, graph, 0, rng, NULL, run));
    PVGT_OK(pvg_release_view(&values, release));
    out.size = pvg_graph_size(graph);
    memcpy(out.values, values, sizeof out.values);
    pvg_release_free(release);
    pvgt_embedder_free(embedder);
    pvg_patterns_free(patterns);
    pvg_graph_free(graph);
    pvg_rng_free(rng);
    return out;
}

static void a_pool_gives_the_same_bits(void) {
    const int modes[] = {FE_TONEAREST, FE_UPWARD};
    const outcome alone = work(NULL);
    for (int i = 0; i < 2; i++) {
        pool p;
        pool_open(&p, HANDS, modes[i]);
        for (uint32_t threads = 2; threads <= 9; threads += 7) {
            const pvg_run run = with_pool(&p, threads);
            const outcome pooled = work(&run);
            TEST_ASSERT_EQUAL_MEMORY(&alone, &pooled, sizeof alone);
        }
        pool_close(&p);
        TEST_ASSERT_GREATER_THAN_INT(0, p.last); /* it was asked */
    }
}

/* Nobody ever works: jobs stay in the queue until long after the calls. */
static void late_jobs_return_at_once(void) {
    const outcome alone = work(NULL);
    pool p;
    pool_open(&p, 0, FE_TONEAREST);
    const pvg_run run = with_pool(&p, 4);
    const outcome pooled = work(&run);
    TEST_ASSERT_EQUAL_MEMORY(&alone, &pooled, sizeof alone);
    TEST_ASSERT_GREATER_THAN_INT(2, p.last);
    pool_close(&p);
}

static int32_t refuse_all(void *context, void (*job)(void *argument), void *argument) {
    (void)job;
    (void)argument;
    ++*(int *)context;
    return 1;
}

static int32_t run_here(void *context, void (*job)(void *argument), void *argument) {
    (void)context;
    job(argument);
    return 0;
}

static void odd_pools_are_fine(void) {
    const outcome alone = work(NULL);
    int asked = 0;
    const pvg_run refusing = {.size = sizeof refusing,
                              .threads = 4,
                              .start = refuse_all,
                              .start_context = &asked};
    const pvg_run inside = {.size = sizeof inside, .threads = 4, .start = run_here};
    outcome other = work(&refusing);
    TEST_ASSERT_EQUAL_MEMORY(&alone, &other, sizeof alone);
    TEST_ASSERT_GREATER_THAN_INT(0, asked);
    other = work(&inside);
    TEST_ASSERT_EQUAL_MEMORY(&alone, &other, sizeof alone);
}

/* Every thread of the pool is in a call that asks the pool for hands. */
typedef struct {
    pool *p;
    outcome out;
    _Atomic int *done;
} nested;

static void call_inside(void *argument) {
    nested *n = argument;
    const pvg_run run = with_pool(n->p, 4);
    n->out = work(&run);
    atomic_fetch_add(n->done, 1);
}

static void calls_from_the_pool_do_not_block(void) {
    enum { CALLS = 2 * HANDS };
    const outcome alone = work(NULL);
    pool p;
    nested calls[CALLS];
    _Atomic int done = 0;
    pool_open(&p, HANDS, FE_TONEAREST);
    for (int i = 0; i < CALLS; i++) {
        calls[i] = (nested){.p = &p, .done = &done};
        pool_put(&p, call_inside, &calls[i]);
    }
    while (atomic_load(&done) < CALLS) sched_yield();
    pool_close(&p);
    for (int i = 0; i < CALLS; i++)
        TEST_ASSERT_EQUAL_MEMORY(&alone, &calls[i].out, sizeof alone);
}

typedef struct {
    pthread_t caller;
    int reports;
    bool elsewhere;
} watch;

static int32_t stop_soon(void *context, double fraction) {
    watch *w = context;
    (void)fraction;
    w->elsewhere |= !pthread_equal(w->caller, pthread_self());
    return ++w->reports >= 2;
}

static void a_pool_leaves_progress_to_the_caller(void) {
    pool p;
    watch w = {.caller = pthread_self()};
    pvg_rng *rng = NULL;
    pvg_graph *graph = NULL;
    pvg_patterns *patterns = NULL;
    pvg_density *density = NULL;
    double out[1];
    pool_open(&p, HANDS, FE_TONEAREST);
    pvg_run run = with_pool(&p, 4);
    PVGT_OK(pvg_rng_new_seeded(&rng, 2));
    PVGT_OK(pvg_graph_draw_erdos_renyi(&graph, 10000, 0.01, rng, &run));
    PVGT_OK(pvg_patterns_from_names(&patterns, "cycle8"));
    PVGT_OK(pvg_density_new(&density, patterns, NULL));
    run.progress = stop_soon;
    run.progress_context = &w;
    PVGT_FAILS(PVG_E_CANCELLED, "cancelled",
               pvg_density_evaluate_graph_exact(out, density, graph, &run));
    TEST_ASSERT_EQUAL_INT(2, w.reports);
    TEST_ASSERT_FALSE(w.elsewhere);
    pool_close(&p);
    pvg_density_free(density);
    pvg_patterns_free(patterns);
    pvg_graph_free(graph);
    pvg_rng_free(rng);
}

/* What fails on a thread of the pool is told to the caller. */
static void failures_come_back(void) {
    enum { EDGES = 600000 };
    int64_t *ends = malloc((EDGES + 1) * sizeof *ends);
    pvg_graph *graph = NULL;
    pool p;
    pool_open(&p, HANDS, FE_TONEAREST);
    const pvg_run run = with_pool(&p, 4);
    for (int64_t i = 0; i <= EDGES; i++) ends[i] = i;
    ends[500001] = -1;
    PVGT_FAILS(PVG_E_ARGUMENT, "edge 500000:",
               pvg_graph_from_edges(&graph, EDGES + 1, ends, ends + 1, EDGES, 0, &run));
    pool_close(&p);
    free(ends);
}

/* --- messages
 * --------------------------------------------------------------------------- */

enum { LINES = 64 };
static struct {
    int count, warnings;
    char lines[LINES][200];
} said;

static void keep(void *context, int32_t level, const char *message) {
    TEST_ASSERT_EQUAL_PTR(&said, context);
    TEST_ASSERT_TRUE(level == PVG_LOG_INFO || level == PVG_LOG_WARNING);
    if (strncmp(message, "blas:", 5) == 0) return; /* whenever it is first needed */
    said.warnings += level == PVG_LOG_WARNING;
    if (said.count < LINES)
        snprintf(said.lines[said.count++], sizeof said.lines[0], "%s", message);
}

static void expect_lines(const char *const *lines, int count) {
    for (int i = 0; i < count && i < said.count; i++)
        TEST_ASSERT_EQUAL_STRING(lines[i], said.lines[i]);
    TEST_ASSERT_EQUAL_INT(count, said.count);
    said.count = said.warnings = 0;
}

/* A draw, paid or seeded, of a graph that differs in one edge. */
static void draw(int world) {
    const int64_t u[] = {0, 1, 2}, v[] = {1, 2, 3};
    const pvg_target target = {
        .size = sizeof target, .epsilon = 1, .delta = 1e-6, .allow_seeded = 1};
    const pvg_ledger_config budget = {
        .size = sizeof budget, .notion = PVG_NOTION_EDGE, .epsilon = 8, .delta = 1e-5};
    pvg_graph *graph = NULL;
    pvg_patterns *patterns = NULL;
    pvg_embedder *embedder = NULL;
    pvg_ledger *ledger = NULL;
    pvg_rng *secure = NULL, *seeded = NULL;
    pvg_release *release = NULL;
    PVGT_OK(pvg_graph_from_edges(&graph, 400, u, v, 2 + world, 0, NULL));
    PVGT_OK(pvg_patterns_from_names(&patterns, "edge"));
    PVGT_OK(pvgt_embedder_new(&embedder, patterns, NULL, &target, NULL, NULL));
    PVGT_OK(pvg_ledger_new(&ledger, &budget));
    PVGT_OK(pvg_rng_new_secure(&secure));
    PVGT_OK(pvg_rng_new_seeded(&seeded, 1));
    PVGT_OK(
        pvgt_release_draw_embedding(&release, embedder, graph, 3, secure, ledger, NULL));
    pvg_release_free(release);
    PVGT_OK(
        pvgt_release_draw_embedding(&release, embedder, graph, 3, seeded, NULL, NULL));
    pvg_release_free(release);
    pvg_rng_free(seeded);
    pvg_rng_free(secure);
    pvg_ledger_free(ledger);
    pvgt_embedder_free(embedder);
    pvg_patterns_free(patterns);
    pvg_graph_free(graph);
}

static void messages_reach_the_host(void) {
    static const char *const drawn[] = {
        "pvgt_release_draw_embedding: charged 1 objects",
        "pvgt_release_draw_embedding: a seeded generator: nothing is private"};
    pvg_log hook = {.size = sizeof hook, .level = 3, .context = &said, .write = keep};
    draw(0); /* without a hook nothing happens */
    TEST_ASSERT_EQUAL_INT(0, said.count);
    PVGT_FAILS(PVG_E_ARGUMENT, "log is NULL", pvg_log_set(NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "level is 3", pvg_log_set(&hook));
    hook.level = 0;
    hook.write = NULL;
    PVGT_FAILS(PVG_E_ARGUMENT, "write is NULL", pvg_log_set(&hook));
    hook.write = keep;
    PVGT_OK(pvg_log_set(&hook));
    PVGT_FAILS(PVG_E_ARGUMENT, "set before", pvg_log_set(&hook));
    for (int world = 0; world < 2; world++) { /* the same words in both worlds */
        draw(world);
        TEST_ASSERT_EQUAL_INT(1, said.warnings);
        expect_lines(drawn, 2);
    }
    int asked = 0;
    const pvg_run refusing = {.size = sizeof refusing,
                              .threads = 3,
                              .start = refuse_all,
                              .start_context = &asked};
    pvg_rng *rng = NULL;
    pvg_graph *graph = NULL;
    PVGT_OK(pvg_rng_new_seeded(&rng, 2));
    PVGT_OK(pvg_graph_draw_erdos_renyi(&graph, 3000, 0.05, rng, &refusing));
    TEST_ASSERT_GREATER_THAN_INT(0, asked);
    TEST_ASSERT_EQUAL_INT(0, said.count); /* how much work there was is private */
    pvg_graph_free(graph);
    pvg_rng_free(rng);
}

/* --- one call
 * --------------------------------------------------------------------------- */

static char *words_of(const pvg_guarantee *guarantee) {
    static char text[2][4000];
    static int which;
    size_t length;
    char *out = text[which++ % 2];
    PVGT_OK(pvg_guarantee_copy_text(out, sizeof text[0], &length, guarantee));
    return out;
}

static void one_call_is_the_long_way(void) {
    const pvg_run undated = {.size = sizeof undated, .undated = 1};
    const char *text = "embed patterns=edge,path3 degrees=truncated max-degree=20 "
                       "epsilon=2 delta=1e-6";
    const pvg_ledger_config budget = {
        .size = sizeof budget, .notion = PVG_NOTION_EDGE, .epsilon = 2, .delta = 1e-6};
    const int64_t order = 2000;
    pvg_graph *graph = NULL;
    pvg_query *query = NULL;
    pvg_guarantee *guarantee = NULL;
    pvg_ledger *ledger = NULL;
    pvg_release *release = NULL, *again = NULL;
    const double *values = NULL;
    double squares[4];
    PVGT_OK(pvg_graph_new_cycle(&graph, order));
    PVGT_OK(pvg_ledger_new(&ledger, &budget));
    const pvg_input input = {.size = sizeof input, .graph = graph, .object = "ring"};
    said.count = 0;
    PVGT_OK(pvg_release_draw_text(&release, text, &input, ledger, &undated));
    static const char *const charged[] = {"pvg_release_draw_text: charged 1 objects"};
    expect_lines(charged, 1);
    TEST_ASSERT_EQUAL_INT64(1, pvg_release_rows(release));
    TEST_ASSERT_EQUAL_INT64(2, pvg_release_columns(release));
    PVGT_OK(pvg_release_view(&values, release));

    PVGT_OK(pvg_query_new(&query, text, NULL, NULL, NULL));
    PVGT_OK(pvg_query_guarantee(&guarantee, query, &order, 1));
    double spent[2];
    PVGT_OK(pvg_guarantee_epsilon(&spent[0], guarantee, 1e-6));
    PVGT_OK(pvg_guarantee_epsilon(&spent[1], pvg_release_guarantee(release), 1e-6));
    TEST_ASSERT_EQUAL_DOUBLE(spent[0], spent[1]);
    TEST_ASSERT_NOT_NULL(strstr(words_of(pvg_release_guarantee(release)), "truncated"));
    /* a ring: each node has two neighbours of 20, each walk of two steps 4 of 400 */
    PVGT_OK(pvg_query_covariance(squares, query, order));
    TEST_ASSERT_DOUBLE_WITHIN(7 * sqrt(squares[0]), 0.1, values[0]);
    TEST_ASSERT_DOUBLE_WITHIN(7 * sqrt(squares[3]), 0.01, values[1]);

    PVGT_FAILS(PVG_E_BUDGET, "exceeds the budget",
               pvg_release_draw_text(&again, text, &input, ledger, NULL));
    TEST_ASSERT_NULL(again);
    pvg_release_free(release);

    /* six nodes, any degree, epsilon 0.01: the log is told that noise is all there is */
    pvg_graph *small = NULL;
    PVGT_OK(pvg_graph_new_cycle(&small, 6));
    said.count = 0;
    const pvg_input six = {.size = sizeof six, .graph = small};
    PVGT_OK(pvg_release_draw_text(&release, "embed patterns=edge epsilon=0.01 delta=1e-6",
                                  &six, NULL, NULL));
    TEST_ASSERT_EQUAL_INT(1, said.warnings);
    TEST_ASSERT_NOT_NULL(strstr(said.lines[0], "nothing can be seen"));
    pvg_release_free(release);

    PVGT_FAILS(
        PVG_E_ARGUMENT, "epsilon",
        pvg_release_draw_text(&again, "embed patterns=edge epsilon=0", &six, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "max-degree",
               pvg_release_draw_text(&again,
                                     "embed patterns=edge max-degree=-1 epsilon=1", &six,
                                     NULL, NULL));
    PVGT_FAILS(PVG_E_FORMAT, "'hedge' names no pattern",
               pvg_release_draw_text(&again, "embed patterns=hedge epsilon=1", &six, NULL,
                                     NULL));
    pvg_guarantee_free(guarantee);
    pvg_query_free(query);
    pvg_ledger_free(ledger);
    pvg_graph_free(small);
    pvg_graph_free(graph);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(a_pool_gives_the_same_bits);
    RUN_TEST(late_jobs_return_at_once);
    RUN_TEST(odd_pools_are_fine);
    RUN_TEST(calls_from_the_pool_do_not_block);
    RUN_TEST(a_pool_leaves_progress_to_the_caller);
    RUN_TEST(failures_come_back);
    RUN_TEST(messages_reach_the_host);
    RUN_TEST(one_call_is_the_long_way);
    return pvgt_end(UNITY_END());
}
