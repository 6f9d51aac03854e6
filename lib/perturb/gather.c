/* Lists whose lengths are known only once they are drawn: chunks of rows are drawn into
 * buffers of their own, each from its own stream, and joined. Peak: the result, the
 * largest buffers and 16 bytes per row. */
#include "perturb_internal.h"

#include <string.h>

enum { ROWS_PER_CHUNK = 512 };

typedef struct {
    int64_t order;
    pvgi_gather_fn function;
    const void *context;
    const pvgi_stream *call;
    int64_t *lengths;    /* per row */
    pvgi_gather *chunks; /* per chunk */
} job;

int32_t pvgi_perturb_gather_grow(pvgi_gather *gather) {
    const int64_t capacity = gather->capacity + gather->capacity / 2 + 1024;
    int32_t *targets =
        pvgi_grow(gather->targets, (size_t)capacity, sizeof *gather->targets);
    if (!targets) return pvgi_fail_nomem();
    gather->targets = targets;
    gather->capacity = capacity;
    return PVG_OK;
}

static int64_t chunks_of(int64_t order) {
    return (order + ROWS_PER_CHUNK - 1) / ROWS_PER_CHUNK;
}

static int32_t draw_chunk(void *context, int64_t chunk, uint32_t worker) {
    const job *j = context;
    const int64_t first = chunk * ROWS_PER_CHUNK;
    const int64_t last =
        first + ROWS_PER_CHUNK < j->order ? first + ROWS_PER_CHUNK : j->order;
    pvgi_gather *gather = &j->chunks[chunk];
    int32_t status = PVG_OK;
    pvgi_stream stream;
    (void)worker;
    pvgi_rng_stream_open_chunk(&stream, j->call, PVGI_GATHER_STREAMS + (uint64_t)chunk);
    for (int64_t node = first; node < last && status == PVG_OK; node++) {
        const int64_t before = gather->count;
        status = j->function(gather, j->context, node, &stream);
        j->lengths[node] = gather->count - before;
    }
    pvgi_rng_stream_close(&stream);
    return status;
}

/* Chunks are given back as soon as they are copied. */
static int32_t join(pvgi_lists **out, job *j) {
    pvgi_lists *lists = pvgi_graph_lists_new(j->order, j->lengths);
    if (!lists) return pvgi_fail_nomem();
    int32_t *next = lists->targets;
    for (int64_t chunk = 0; chunk < chunks_of(j->order); chunk++) {
        pvgi_gather *gather = &j->chunks[chunk];
        if (gather->count > 0)
            memcpy(next, gather->targets, (size_t)gather->count * sizeof *next);
        next += gather->count;
        pvgi_free(gather->targets);
        gather->targets = NULL;
    }
    *out = lists;
    return PVG_OK;
}

int32_t pvgi_perturb_gather(pvgi_lists **out, int64_t order, pvgi_gather_fn function,
                            const void *context, const pvgi_stream *call, pvgi_run *run) {
    const int64_t chunks = chunks_of(order);
    job j = {order, function, context, call, NULL, NULL};
    int32_t status = PVG_E_NOMEM;
    j.lengths = pvgi_alloc((size_t)order, sizeof *j.lengths);
    j.chunks = pvgi_alloc_zero((size_t)chunks, sizeof *j.chunks);
    if (j.lengths && j.chunks) {
        status = pvgi_run_chunks(run, chunks, draw_chunk, &j);
        if (status == PVG_OK) status = join(out, &j);
        for (int64_t chunk = 0; chunk < chunks; chunk++)
            pvgi_free(j.chunks[chunk].targets);
    } else {
        status = pvgi_fail_nomem();
    }
    pvgi_free(j.lengths);
    pvgi_free(j.chunks);
    return status;
}

int32_t pvgi_perturb_lists_mirror(pvg_graph **out, const pvgi_lists *lists,
                                  pvgi_run *run) {
    return pvgi_graph_from_merged_rows(out, NULL, lists->order, lists->offsets,
                                       lists->targets,
                                       PVG_EDGES_MERGE | PVG_EDGES_DROP_LOOPS, run);
}
