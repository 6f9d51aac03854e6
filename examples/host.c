/* What a program that has a thread pool, a log and more edges than one array gives to the
 * library: edges in pieces, features as floats, threads, a place for messages; and what
 * it gets in one call. Build with -lpthread. */
#include <privgraph.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* A pool as small as can be: a thread for each job. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t idle = PTHREAD_COND_INITIALIZER;
static int busy;

static void count(int change) {
    pthread_mutex_lock(&lock);
    busy += change;
    if (busy == 0) pthread_cond_signal(&idle);
    pthread_mutex_unlock(&lock);
}

typedef struct {
    void (*run)(void *);
    void *argument;
} task;

static void *work(void *given) {
    task *t = given;
    t->run(t->argument);
    free(t);
    count(-1);
    return NULL;
}

static int32_t start(void *context, void (*job)(void *argument), void *argument) {
    pthread_t thread;
    task *t = malloc(sizeof *t);
    (void)context;
    if (!t) return 1; /* not taken: the library does with fewer workers */
    *t = (task){job, argument};
    count(1);
    if (pthread_create(&thread, NULL, work, t)) {
        free(t);
        count(-1);
        return 1;
    }
    pthread_detach(thread);
    return 0;
}

static void write_line(void *context, int32_t level, const char *message) {
    fprintf(context, "%s: %s\n", level >= PVG_LOG_WARNING ? "warning" : "note", message);
}

/* Edges as they might come from a stream: a ring with chords, in pieces of 1000. */
static int32_t build(pvg_graph **out, int32_t order, const pvg_run *run) {
    enum { PIECE = 1000 };
    int32_t from[PIECE], to[PIECE];
    pvg_graph_builder *builder = NULL;
    int32_t status = pvg_graph_builder_new(&builder, order, PVG_EDGES_MERGE);
    for (int32_t step = 1; step <= 3; step++)
        for (int32_t first = 0; first < order && status == PVG_OK; first += PIECE) {
            for (int32_t i = 0; i < PIECE; i++) {
                from[i] = first + i;
                to[i] = (first + i + step) % order;
            }
            status = pvg_graph_builder_add_int32(builder, from, to, PIECE);
        }
    if (status == PVG_OK) status = pvg_graph_builder_finish(out, builder, run);
    pvg_graph_builder_free(builder);
    return status;
}

int main(void) {
    enum { ORDER = 20000 };
    const pvg_run run = {.size = sizeof run, .threads = 4, .start = start};
    const pvg_log log = {.size = sizeof log, .context = stdout, .write = write_line};
    const pvg_ledger_config budget = {
        .size = sizeof budget, .notion = PVG_NOTION_EDGE, .epsilon = 1, .delta = 1e-6};
    static float traits[ORDER * 2];
    pvg_graph *graph = NULL;
    pvg_features *features = NULL;
    pvg_ledger *ledger = NULL;
    pvg_release *release = NULL, *again = NULL;
    const double *values = NULL;
    char words[2000];
    size_t length;

    for (int i = 0; i < ORDER; i++) traits[2 * i] = (float)(i % 2);
    if (pvg_log_set(&log) || build(&graph, ORDER, &run) ||
        pvg_features_from_dense_float(&features, ORDER, 2, traits) ||
        pvg_ledger_new(&ledger, &budget)) {
        fprintf(stderr, "%s\n", pvg_error_message());
        return 1;
    }
    const pvg_input input = {.size = sizeof input, .graph = graph, .object = "friends"};
    if (pvg_release_draw_text(&release,
                              "embed patterns=edge,path3,triangle max-degree=8 epsilon=1",
                              &input, ledger, &run) ||
        pvg_release_view(&values, release) ||
        pvg_guarantee_copy_text(words, sizeof words, &length,
                                pvg_release_guarantee(release))) {
        fprintf(stderr, "%s\n", pvg_error_message());
        return 1;
    }
    printf("%lld edges (private!), features of %lld people\n",
           (long long)pvg_graph_size(graph), (long long)pvg_features_rows(features));
    printf("edge %.4f, path %.4f, triangle %.4f\n%s", values[0], values[1], values[2],
           words);

    /* The budget is spent. */
    if (pvg_release_draw_text(&again, "embed patterns=edge max-degree=8 epsilon=1",
                              &input, ledger, &run) != PVG_E_BUDGET)
        return 1;
    printf("again: %s\n", pvg_error_message());

    /* Late jobs find nothing to do, but each one taken is run. */
    pthread_mutex_lock(&lock);
    while (busy > 0) pthread_cond_wait(&idle, &lock);
    pthread_mutex_unlock(&lock);

    pvg_release_free(release);
    pvg_ledger_free(ledger);
    pvg_features_free(features);
    pvg_graph_free(graph);
    return 0;
}
