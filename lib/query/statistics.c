/* Releases of statistics: numbers of a graph, or a row of numbers for each graph of a
 * set.
 *
 * Graph i of a set draws below stream i of the call. Where there are at least as many
 * graphs as threads each thread takes graphs for itself, else all share one after the
 * other: the numbers are the same. */
#include "query_internal.h"

#include <stdio.h>

static int64_t size_of(const pvg_statistic *statistic) {
    return statistic->rows * statistic->columns;
}

/* Scratch for graphs of this order; the limit is for all of them. */
static int32_t make_scratch(pvgi_statistic_job *job, uint32_t workers, int64_t order,
                            const pvgi_run *run) {
    const size_t bytes = job->statistic->kind->bytes(job->statistic, order, run);
    PVGI_TRY(pvgi_run_reserve(run, pvgi_size_mul(workers, bytes)));
    job->scratch = pvgi_alloc_zero(workers, sizeof *job->scratch);
    if (!job->scratch) return pvgi_fail_nomem();
    job->workers = workers;
    for (uint32_t i = 0; i < workers; i++)
        PVGI_TRY(pvgi_statistic_scratch_new(&job->scratch[i], bytes, run));
    return PVG_OK;
}

static int32_t make_values(pvgi_statistic_job *job, int64_t rows) {
    const size_t cells = pvgi_size_mul((size_t)rows, (size_t)size_of(job->statistic));
    job->values = pvgi_alloc(cells, sizeof *job->values);
    return job->values ? PVG_OK : pvgi_fail_nomem();
}

static int32_t prepare(void *context, pvgi_run *run, const char *function) {
    pvgi_statistic_job *job = context;
    PVGI_TRY(pvgi_statistic_check(job->statistic, job->graph->order, function));
    PVGI_TRY(make_scratch(job, 1, job->graph->order, run));
    return make_values(job, 1);
}

static int32_t hand_over(pvgi_content *out, pvgi_statistic_job *job) {
    out->rows = job->statistic->rows;
    out->columns = job->statistic->columns;
    out->values = job->values;
    job->values = NULL;
    return PVG_OK;
}

static int32_t draw(pvgi_content *out, void *context, const pvgi_stream *call,
                    pvgi_run *run) {
    pvgi_statistic_job *job = context;
    const pvg_statistic *statistic = job->statistic;
    PVGI_TRY(
        pvgi_statistic_draw(job->values, statistic, job->graph, job->scratch, call, run));
    return hand_over(out, job);
}

/* --- graphs in parts --------------------------------------------------------------- */

static int64_t rows_of_part(const pvgi_statistic_job *job) {
    return job->statistic->by_node ? job->parts->config.own : job->statistic->rows;
}

static int32_t prepare_parts(void *context, pvgi_run *run, const char *function) {
    pvgi_statistic_job *job = context;
    job->scratch = pvgi_alloc_zero(1, sizeof *job->scratch);
    if (!job->scratch) return pvgi_fail_nomem();
    job->workers = 1;
    PVGI_TRY(pvgi_statistic_scratch_parts(job->scratch, job->statistic, job->parts, run,
                                          function));
    job->values = pvgi_alloc(
        pvgi_size_mul((size_t)rows_of_part(job), (size_t)job->statistic->columns),
        sizeof *job->values);
    return job->values ? PVG_OK : pvgi_fail_nomem();
}

static int32_t draw_parts(pvgi_content *out, void *context, const pvgi_stream *call,
                          pvgi_run *run) {
    pvgi_statistic_job *job = context;
    PVGI_TRY(pvgi_statistic_draw_parts(job->values, job->statistic, job->parts,
                                       job->scratch, call, run));
    PVGI_TRY(hand_over(out, job));
    out->rows = rows_of_part(job);
    return PVG_OK;
}

/* --- lists ------------------------------------------------------------------------- */

static int32_t prepare_lists(void *context, pvgi_run *run, const char *function) {
    pvgi_statistic_job *job = context;
    const pvg_lists *lists = job->lists.lists;
    PVGI_TRY(pvgi_statistic_check(job->statistic, lists->persons, function));
    PVGI_TRY(pvgi_statistic_check_lists(job->statistic, &job->lists, function));
    PVGI_TRY(make_scratch(job, 1, lists->persons, run));
    return make_values(job, 1);
}

static int32_t draw_lists(pvgi_content *out, void *context, const pvgi_stream *call,
                          pvgi_run *run) {
    pvgi_statistic_job *job = context;
    const pvg_statistic *statistic = job->statistic;
    PVGI_TRY(statistic->kind->draw_lists(job->values, statistic, &job->lists,
                                         job->scratch, call, run));
    return hand_over(out, job);
}

/* --- sets -------------------------------------------------------------------------- */

/* Each thread takes graphs, or all threads share each: public numbers decide. */
static bool apart(const pvgi_statistic_job *job, const pvgi_run *run) {
    return job->set->count >= (int64_t)run->config.threads;
}

static int32_t prepare_set(void *context, pvgi_run *run, const char *function) {
    pvgi_statistic_job *job = context;
    const pvg_graphset *set = job->set;
    int64_t largest = 0;
    for (int64_t i = 0; i < set->count; i++) {
        const int64_t order = set->starts[i + 1] - set->starts[i];
        const int32_t status = pvgi_statistic_check(job->statistic, order, function);
        if (order > largest) largest = order;
        if (status != PVG_OK) {
            char which[32];
            snprintf(which, sizeof which, "graph %lld", (long long)i);
            pvgi_message_prefix(which);
            return status;
        }
    }
    pvgi_run one = *run;
    if (apart(job, run)) one.config.threads = 1;
    PVGI_TRY(make_scratch(job, apart(job, run) ? pvgi_run_workers(run, set->count) : 1,
                          largest, &one));
    PVGI_TRY(pvgi_statistic_in_a_row(&job->guarantee, job->statistic));
    return make_values(job, set->count);
}

static int32_t draw_member(pvgi_statistic_job *job, int64_t i, pvgi_scratch *scratch,
                           pvgi_run *run) {
    pvg_graph *graph = NULL;
    pvgi_stream own;
    PVGI_TRY(pvgi_query_member(&graph, job->set, i));
    pvgi_rng_stream_open_chunk(&own, job->call, (uint64_t)i);
    const int32_t status = pvgi_statistic_draw(job->values + i * size_of(job->statistic),
                                               job->statistic, graph, scratch, &own, run);
    pvgi_rng_stream_close(&own);
    pvgi_graph_free(graph);
    return status;
}

static int32_t draw_apart(void *context, int64_t chunk, uint32_t worker) {
    pvgi_statistic_job *job = context;
    pvgi_run alone;
    PVGI_TRY(pvgi_run_begin(&alone, NULL));
    return draw_member(job, chunk, &job->scratch[worker], &alone);
}

static int32_t draw_shared(pvgi_statistic_job *job, pvgi_run *run) {
    const double share = 1.0 / (double)job->set->count;
    for (int64_t i = 0; i < job->set->count; i++) {
        pvgi_run part = pvgi_run_part(run, 0, (double)i * share, share);
        const int32_t status = draw_member(job, i, job->scratch, &part);
        pvgi_run_join(run, &part);
        PVGI_TRY(status);
    }
    return PVG_OK;
}

static int32_t draw_set(pvgi_content *out, void *context, const pvgi_stream *call,
                        pvgi_run *run) {
    pvgi_statistic_job *job = context;
    job->call = call;
    PVGI_TRY(apart(job, run) ? pvgi_run_chunks(run, job->set->count, draw_apart, job)
                             : draw_shared(job, run));
    out->rows = job->set->count;
    out->columns = size_of(job->statistic);
    out->values = job->values;
    job->values = NULL;
    return PVG_OK;
}

/* --- both -------------------------------------------------------------------------- */

static void drop(void *context) {
    pvgi_statistic_job *job = context;
    for (uint32_t i = 0; i < job->workers; i++)
        pvgi_statistic_scratch_free(&job->scratch[i]);
    pvgi_free(job->scratch);
    pvgi_free(job->values);
    pvgi_guarantee_drop(&job->guarantee);
}

pvgi_draw pvgi_query_statistic(pvgi_statistic_job *job, const pvg_statistic *statistic,
                               const pvg_graph *graph, const pvg_graphset *set) {
    static const pvgi_row one = {
        .kind = "statistic", .prepare = prepare, .draw = draw, .drop = drop};
    static const pvgi_row many = {
        .kind = "statistics", .prepare = prepare_set, .draw = draw_set, .drop = drop};
    *job = (pvgi_statistic_job){.statistic = statistic, .graph = graph, .set = set};
    return (pvgi_draw){.row = set ? &many : &one,
                       .job = job,
                       .guarantee = set ? &job->guarantee : &statistic->guarantee,
                       .notion = statistic->guarantee.notion,
                       .reads = PVGI_PART_EDGES | PVGI_PART_TOLD,
                       .declared = set ? set->declared : graph->declared,
                       .allow_seeded = statistic->allow_seeded,
                       .separate = set != NULL};
}

pvgi_draw pvgi_query_statistic_parts(pvgi_statistic_job *job,
                                     const pvg_statistic *statistic,
                                     const pvg_parts *parts) {
    static const pvgi_row row = {.kind = "statistic in parts",
                                 .prepare = prepare_parts,
                                 .draw = draw_parts,
                                 .drop = drop};
    pvgi_draw draw = pvgi_query_statistic(job, statistic, &parts->rows, NULL);
    job->parts = parts;
    draw.row = &row;
    draw.scattered = statistic->by_node;
    return draw;
}

pvgi_draw pvgi_query_lists(pvgi_statistic_job *job, const pvg_statistic *statistic,
                           const pvgi_list_input *lists) {
    static const pvgi_row row = {
        .kind = "lists", .prepare = prepare_lists, .draw = draw_lists, .drop = drop};
    const uint32_t groups = lists->labels ? (uint32_t)PVGI_PART_LABELS : 0u;
    *job = (pvgi_statistic_job){.statistic = statistic, .lists = *lists};
    return (pvgi_draw){.row = &row,
                       .job = job,
                       .guarantee = &statistic->guarantee,
                       .notion = statistic->guarantee.notion,
                       .reads = PVGI_PART_LISTS | PVGI_PART_TOLD | groups,
                       .declared = lists->lists->declared |
                                   (groups ? lists->labels->declared : 0u),
                       .allow_seeded = statistic->allow_seeded};
}
