/* Releases that look like their input: graphs, sets of graphs, features, labels. Graph i
 * of a set draws from a stream of its own, below that of the call. */
#include "query_internal.h"

#include <stdio.h>
#include <string.h>

static int32_t check(const pvgi_perturb_job *job, const pvgi_perturb_input *input,
                     pvgi_run *run, const char *function) {
    const pvgi_perturb_method *method = job->perturber->method;
    return method->check ? method->check(job->perturber, input, run, function) : PVG_OK;
}

static int32_t prepare(void *context, pvgi_run *run, const char *function) {
    pvgi_perturb_job *job = context;
    const pvgi_perturb_method *method = job->perturber->method;
    PVGI_TRY(check(job, &job->input, run, function));
    return method->make ? method->make(&job->made, &job->input.scratch, job->perturber,
                                       &job->input, run)
                        : PVG_OK;
}

static void drop(void *context) {
    pvgi_perturb_job *job = context;
    pvgi_graph_content_drop(&job->made);
    pvgi_free(job->input.scratch);
    job->input.scratch = NULL;
}

static int32_t draw(pvgi_content *out, void *context, const pvgi_stream *call,
                    pvgi_run *run) {
    pvgi_perturb_job *job = context;
    *out = job->made;
    job->made = (pvgi_content){0};
    return job->perturber->method->draw(out, job->perturber, &job->input, call, run);
}

/* --- sets -------------------------------------------------------------------------- */

int32_t pvgi_query_member(pvg_graph **out, const pvg_graphset *set, int64_t index) {
    const int64_t first = set->starts[index];
    return pvgi_graph_copy(out, set->starts[index + 1] - first, set->offsets + first,
                           set->columns, first);
}

static int32_t prepare_set(void *context, pvgi_run *run, const char *function) {
    const pvgi_perturb_job *job = context;
    int32_t status = PVG_OK;
    for (int64_t i = 0; i < job->set->count && status == PVG_OK; i++) {
        pvg_graph *graph = NULL;
        PVGI_TRY(pvgi_query_member(&graph, job->set, i));
        status = check(job, &(pvgi_perturb_input){.graph = graph}, run, function);
        pvgi_graph_free(graph);
        if (status != PVG_OK) {
            char which[32];
            snprintf(which, sizeof which, "graph %lld", (long long)i);
            pvgi_message_prefix(which);
        }
    }
    return status;
}

/* What a set has given so far: graphs, or lists one graph after the other. */
typedef struct {
    pvg_graphset_builder *builder;
    pvgi_lists *lists;
    int64_t capacity; /* of lists->targets */
} gathered;

/* Entries are numbers within the graph. */
static int32_t append_lists(gathered *all, const pvgi_lists *one, int64_t users) {
    if (!all->lists) {
        all->lists = pvgi_alloc_zero(1, sizeof *all->lists);
        if (!all->lists) return pvgi_fail_nomem();
        all->lists->offsets = pvgi_alloc_zero((size_t)users + 1, sizeof(int64_t));
        if (!all->lists->offsets) return pvgi_fail_nomem();
    }
    pvgi_lists *lists = all->lists;
    const int64_t before = lists->offsets[lists->order], more = one->offsets[one->order];
    if (before + more > all->capacity || !lists->targets) {
        const int64_t capacity = 2 * (before + more);
        int32_t *larger = pvgi_grow(lists->targets, (size_t)capacity, sizeof *larger);
        if (!larger) return pvgi_fail_nomem();
        lists->targets = larger;
        all->capacity = capacity;
    }
    if (more > 0)
        memcpy(lists->targets + before, one->targets, (size_t)more * sizeof(int32_t));
    for (int64_t i = 1; i <= one->order; i++)
        lists->offsets[lists->order + i] = before + one->offsets[i];
    lists->order += one->order;
    return PVG_OK;
}

static int32_t draw_member(pvgi_content *one, const pvgi_perturb_job *job, int64_t index,
                           const pvgi_stream *call, pvgi_run *run) {
    pvg_graph *graph = NULL;
    pvgi_stream stream;
    PVGI_TRY(pvgi_query_member(&graph, job->set, index));
    pvgi_rng_stream_open_chunk(&stream, call, (uint64_t)index);
    const int32_t status = job->perturber->method->draw(
        one, job->perturber, &(pvgi_perturb_input){.graph = graph}, &stream, run);
    pvgi_rng_stream_close(&stream);
    pvgi_graph_free(graph);
    return status;
}

static int32_t draw_set(pvgi_content *out, void *context, const pvgi_stream *call,
                        pvgi_run *run) {
    const pvgi_perturb_job *job = context;
    const double share = 1.0 / (double)job->set->count;
    gathered all = {0};
    int32_t status = PVG_OK;
    PVGI_TRY(pvgi_graph_set_builder_new(&all.builder, 0));
    for (int64_t i = 0; i < job->set->count && status == PVG_OK; i++) {
        pvgi_content one = {0};
        pvgi_run part = pvgi_run_part(run, 0, (double)i * share, share);
        status = draw_member(&one, job, i, call, &part);
        pvgi_run_join(run, &part);
        if (status == PVG_OK)
            status = one.graph ? pvgi_graph_set_builder_add(all.builder, one.graph, -1,
                                                            NULL, NULL)
                               : append_lists(&all, one.lists, job->set->order);
        pvgi_graph_content_drop(&one);
        if (status == PVG_OK) status = pvgi_run_report(run, (double)(i + 1) * share);
    }
    if (status == PVG_OK && !all.lists)
        status = pvgi_graph_set_builder_finish(&out->set, all.builder);
    out->lists = all.lists;
    pvgi_graph_set_builder_free(all.builder);
    return status;
}

/* --- both -------------------------------------------------------------------------- */

pvgi_draw pvgi_query_perturbation(pvgi_perturb_job *job, const pvg_perturber *perturber,
                                  const pvgi_perturb_input *input,
                                  const pvg_graphset *set) {
    static const pvgi_row one = {
        .kind = "perturbation", .prepare = prepare, .draw = draw, .drop = drop};
    static const pvgi_row many = {
        .kind = "perturbations", .prepare = prepare_set, .draw = draw_set};
    static const uint32_t reads[] = {[PVG_PERTURBS_GRAPH] = PVGI_PART_EDGES,
                                     [PVG_PERTURBS_FEATURES] = PVGI_PART_FEATURES,
                                     [PVG_PERTURBS_LABELS] = PVGI_PART_LABELS};
    *job = (pvgi_perturb_job){.perturber = perturber, .input = *input, .set = set};
    return (pvgi_draw){.row = set ? &many : &one,
                       .job = job,
                       .guarantee = &perturber->guarantee,
                       .notion = perturber->guarantee.notion,
                       .reads = reads[perturber->method->input] | PVGI_PART_TOLD,
                       .declared = (set ? set->declared : 0u) |
                                   (input->graph ? input->graph->declared : 0u) |
                                   (input->features ? input->features->declared : 0u) |
                                   (input->labels ? input->labels->declared : 0u),
                       .allow_seeded = perturber->allow_seeded,
                       .separate = set != NULL};
}
