/* Releases of statistics: numbers of a graph. */
#include "release_internal.h"

static int32_t prepare(void *context, pvgi_run *run, const char *function) {
    pvgi_statistic_job *job = context;
    const pvg_statistic *statistic = job->statistic;
    PVGI_TRY(pvgi_statistic_check(statistic, job->graph->order, function));
    PVGI_TRY(pvgi_statistic_room(&job->room, statistic, job->graph->order, run));
    job->values =
        pvgi_alloc(pvgi_size_mul((size_t)statistic->rows, (size_t)statistic->columns),
                   sizeof *job->values);
    return job->values ? PVG_OK : pvgi_fail_nomem();
}

static int32_t draw(pvgi_content *out, void *context, const pvgi_stream *call,
                    pvgi_run *run) {
    pvgi_statistic_job *job = context;
    const pvg_statistic *statistic = job->statistic;
    PVGI_TRY(
        pvgi_statistic_draw(job->values, statistic, job->graph, &job->room, call, run));
    out->rows = statistic->rows;
    out->columns = statistic->columns;
    out->values = job->values;
    job->values = NULL;
    return PVG_OK;
}

static void drop(void *context) {
    pvgi_statistic_job *job = context;
    pvgi_statistic_room_free(&job->room);
    pvgi_free(job->values);
}

pvgi_draw pvgi_release_statistic(pvgi_statistic_job *job, const pvg_statistic *statistic,
                                 const pvg_graph *graph) {
    static const pvgi_row row = {"statistic", prepare, draw, drop};
    *job = (pvgi_statistic_job){.statistic = statistic, .graph = graph};
    return (pvgi_draw){.row = &row,
                       .job = job,
                       .guarantee = &statistic->guarantee,
                       .allow_seeded = statistic->allow_seeded};
}
