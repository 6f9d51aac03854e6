/* Trees on a large graph: one panel of up to 8 columns for all nodes, nodes cut into
 * fixed chunks that threads share. A chunk adds up the neighbours of its nodes from the
 * old panel, multiplies along its own nodes, and loads its part of the next panel into a
 * second buffer, so each panel needs one fork-join. Columns that one phase makes and
 * reads are those of a chunk: what is kept for every node is the two panels and what a
 * later phase still reads. Sums over nodes are kept per chunk and added without rounding:
 * the same bits for every number of threads, and of processes that hold parts of the
 * graph, as those begin with a chunk. They borrow rows of a panel between two phases.
 *
 * Cost: products / 8 passes, each one cache line per arc, or a part of one. */
#include "density/density_internal.h"

#include <string.h>

enum { CHUNK = 2048, STAGGER = 8, PLACE = CHUNK + STAGGER };

typedef struct {
    const pvgi_host *host;
    const pvg_parts *parts; /* of which the host is one, or NULL */
    pvgi_tree_frame frame;
    int64_t padded, chunks;
    int64_t step;    /* the SPREAD this phase begins with; 0: the start */
    int64_t stopped; /* where it ends, the same for every chunk */
    double *rows[2]; /* panel to read, panel to fill */
    double *places;  /* of each worker: one thrown away, the columns of a phase */
    double *partial; /* chunk x trees */
} large;

/* Nobody owns no slice at all: who has no nodes goes through the same steps. */
static int64_t round_up(int64_t nodes) {
    return nodes > 0 ? (nodes + 3) & ~(int64_t)3 : 4;
}

static int64_t chunk_count(int64_t order) {
    return order > 0 ? (order + CHUNK - 1) / CHUNK : 1;
}

static int64_t place_count(const pvgi_tree_program *program) {
    return 1 + program->passing;
}

static void fill_degrees(double *degrees, const pvgi_host *host, int64_t first,
                         int64_t nodes) {
    const int64_t *offsets = host->offsets + host->base + first;
    for (int64_t i = 0; i < nodes; i++)
        degrees[i] =
            first + i < host->order ? (double)(offsets[i + 1] - offsets[i]) : 0.0;
}

static int32_t run_chunk(void *context, int64_t chunk, uint32_t worker) {
    large *all = context;
    const int64_t first = chunk * CHUNK;
    const int64_t nodes = all->padded - first < CHUNK ? all->padded - first : CHUNK;
    const pvgi_segment whole = {0, nodes};
    pvgi_tree_frame frame = all->frame;
    frame.none = all->places + (int64_t)worker * place_count(frame.program) * PLACE;
    frame.passing = frame.none + PLACE;
    frame.sums = all->partial + chunk * frame.sum_stride;
    frame.segments = &whole;
    frame.segment_count = 1;
    int64_t step = all->step;
    fill_degrees(frame.passing, all->host, first, nodes);
    if (step > 0) {
        double *to[PVGI_PANEL];
        const pvgi_tree_step *spread = &frame.program->step[step++];
        pvgi_density_tree_targets(to, &frame, spread, first);
        frame.kernels->spread_rows(to, all->rows[0], spread->width, all->host, first,
                                   nodes);
    }
    step = pvgi_density_tree_local(&frame, step, first, nodes, all->rows[1]);
    if (chunk == 0) all->stopped = step;
    return PVG_OK;
}

static int32_t run_phases(large *all, pvgi_run *run) {
    const pvgi_tree_program *program = all->frame.program;
    const double share = 1.0 / (double)(program->steps + 1);
    do {
        const pvgi_phase before = pvgi_run_enter(run, (double)all->step * share, share);
        const int32_t status = pvgi_run_chunks(run, all->chunks, run_chunk, all);
        pvgi_run_leave(run, before);
        PVGI_TRY(status);
        all->step = all->stopped;
        double *filled = all->rows[1];
        all->rows[1] = all->rows[0];
        all->rows[0] = filled;
        if (all->parts && all->step < program->steps)
            PVGI_TRY(pvgi_graph_parts_borrow(all->parts, filled,
                                             (size_t)program->step[all->step].width *
                                                 sizeof *filled));
    } while (all->step < program->steps);
    return PVG_OK;
}

/* sums: one for each tree, zeros. */
static int32_t add_up(double *values, pvgi_sum *sums, const large *all, int64_t trees) {
    for (int64_t chunk = 0; chunk < all->chunks; chunk++)
        for (int64_t i = 0; i < trees; i++)
            pvgi_sum_add(&sums[i], all->partial[chunk * trees + i]);
    if (all->parts) {
        for (int64_t i = 0; i < trees; i++) pvgi_sum_carry(&sums[i]);
        PVGI_TRY(pvgi_graph_parts_combine(all->parts, sums->digit,
                                          trees * PVGI_SUM_DIGITS, PVG_COMBINE_SUM));
    }
    for (int64_t i = 0; i < trees; i++) values[i] = pvgi_sum_round(&sums[i]);
    return PVG_OK;
}

size_t pvgi_density_tree_large_bytes(const pvgi_tree_plan *plan, int64_t order,
                                     int64_t borrowed, uint32_t workers) {
    const size_t padded = (size_t)round_up(order);
    const size_t panels = (size_t)(plan->wide.widest[0] + plan->wide.widest[1]);
    const size_t per_node = pvgi_size_add((size_t)plan->wide.slots, panels);
    const size_t places = (size_t)place_count(&plan->wide);
    size_t doubles = pvgi_size_mul(per_node, padded);
    doubles = pvgi_size_add(doubles, pvgi_size_mul((size_t)borrowed, panels));
    doubles =
        pvgi_size_add(doubles, pvgi_size_mul((size_t)chunk_count(order) + PVGI_SUM_DIGITS,
                                             (size_t)plan->trees));
    doubles = pvgi_size_add(doubles, CHUNK + PLACE * places * (size_t)workers);
    return pvgi_size_mul(doubles, sizeof(double));
}

int32_t pvgi_density_tree_large(double *values, double *rooted,
                                const pvgi_tree_plan *plan,
                                const pvgi_tree_kernels *kernels, const pvgi_host *host,
                                const pvg_parts *parts, pvgi_run *run) {
    int32_t status = PVG_OK;
    large all = {.host = host,
                 .parts = parts,
                 .padded = round_up(host->order),
                 .chunks = chunk_count(host->order)};
    const uint32_t workers = pvgi_run_workers(run, all.chunks);
    const size_t padded = (size_t)all.padded, trees = (size_t)plan->trees;
    const size_t rows = padded + (parts ? (size_t)parts->config.borrowed : 0);
    pvgi_sum *sums = pvgi_alloc_zero(trees, sizeof *sums);
    double *columns = pvgi_alloc((size_t)plan->wide.slots * padded, sizeof(double));
    double *ones = pvgi_alloc(CHUNK, sizeof(double));
    for (int i = 0; i < 2; i++) /* the start fills 1 */
        all.rows[i] = pvgi_alloc((size_t)plan->wide.widest[1 - i] * rows, sizeof(double));
    all.places = pvgi_alloc((size_t)workers * (size_t)place_count(&plan->wide) * PLACE,
                            sizeof(double));
    all.partial = pvgi_alloc((size_t)all.chunks * trees, sizeof(double));
    if (!columns || !ones || !all.rows[0] || !all.rows[1] || !all.places ||
        !all.partial || !sums)
        PVGI_TRY_DONE(pvgi_fail_nomem());
    for (int64_t i = 0; i < CHUNK; i++) ones[i] = 1.0;
    all.frame = (pvgi_tree_frame){.program = &plan->wide,
                                  .kernels = kernels,
                                  .columns = columns,
                                  .stride = all.padded,
                                  .passing_stride = PLACE,
                                  .ones = ones,
                                  .sum_stride = plan->trees,
                                  .rooted = rooted,
                                  .rooted_stride = plan->trees,
                                  .order = host->order};
    PVGI_TRY_DONE(run_phases(&all, run));
    status = add_up(values, sums, &all, plan->trees);
done:
    pvgi_free(sums);
    pvgi_free(columns);
    pvgi_free(ones);
    pvgi_free(all.rows[0]);
    pvgi_free(all.rows[1]);
    pvgi_free(all.places);
    pvgi_free(all.partial);
    return status;
}
