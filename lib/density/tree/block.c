/* Trees on small graphs: several graphs together in a block whose panel stays in the
 * first-level cache. Slices of four nodes are sorted by their longest list, and lists
 * rewritten to equal lengths, so that the inner loops hardly branch. How a list is added
 * up depends on its length alone, and the lanes of a sum over nodes begin with the first
 * node of the graph: what else is in the block does not matter.
 *
 * Cost per block: products / 8 passes over rows of 64 bytes, one row per arc. */
#include "density/density_internal.h"

#include <string.h>

/* Keeps columns of a block from falling into the same cache sets. */
enum { STAGGER = 8 };

static int64_t round_up(int64_t nodes) {
    return (nodes + 3) & ~(int64_t)3;
}

/* --- steps along nodes (also for large graphs) ---------------------------------- */

static double *column(const pvgi_tree_frame *frame, int32_t slot, int64_t first) {
    if (slot == PVGI_COLUMN_ONES) return frame->ones;
    if (slot == PVGI_COLUMN_NONE) return frame->none;
    if (slot >= frame->program->slots)
        return frame->passing + (slot - frame->program->slots) * frame->passing_stride;
    return frame->columns + slot * frame->stride + first;
}

static void inputs(const double *a[PVGI_PANEL], const double *b[PVGI_PANEL],
                   const pvgi_tree_frame *frame, const pvgi_tree_step *step,
                   int64_t first) {
    for (int32_t j = 0; j < step->width; j++) {
        a[j] = column(frame, step->a[j], first);
        b[j] = column(frame, step->b[j], first);
    }
}

void pvgi_density_tree_targets(double *to[PVGI_PANEL], const pvgi_tree_frame *frame,
                               const pvgi_tree_step *step, int64_t first) {
    for (int32_t j = 0; j < PVGI_PANEL; j++) to[j] = column(frame, step->to[j], first);
}

static void write_rooted(const pvgi_tree_frame *frame, const int32_t *to,
                         const double *const *a, const double *const *b, int64_t first,
                         int64_t nodes) {
    if (first + nodes > frame->order) nodes = frame->order - first;
    for (int32_t j = 0; j < 4; j++) {
        if (to[j] < 0) continue;
        double *out = frame->rooted + first * frame->rooted_stride + to[j];
        for (int64_t i = 0; i < nodes; i++, out += frame->rooted_stride)
            *out = a[j][i] * b[j][i];
    }
}

int64_t pvgi_density_tree_local(const pvgi_tree_frame *frame, int64_t step, int64_t first,
                                int64_t nodes, double *rows) {
    const double *a[PVGI_PANEL] = {0}, *b[PVGI_PANEL] = {0};
    for (; step < frame->program->steps; step++) {
        const pvgi_tree_step *now = &frame->program->step[step];
        if (now->kind == PVGI_TREE_SPREAD) break;
        if (frame->marks && !frame->marks[step]) continue;
        inputs(a, b, frame, now, first);
        if (now->kind == PVGI_TREE_MULTIPLY) {
            frame->kernels->multiply(column(frame, now->to[0], first), a[0], b[0], nodes);
        } else if (now->kind == PVGI_TREE_LOAD) {
            const int64_t stride = frame->half ? 4 : now->width;
            frame->kernels->load(rows + first * stride, stride,
                                 frame->half ? frame->half : 4, now->width, a, b, nodes);
        } else {
            frame->kernels->sum(frame->sums, frame->sum_stride, now->to, a, b,
                                frame->segments, frame->segment_count);
            if (frame->rooted) write_rooted(frame, now->to, a, b, first, nodes);
        }
    }
    return step;
}

/* --- scratch -------------------------------------------------------------------- */

typedef struct {
    size_t columns, rows, ones, lists, entries, segments; /* numbers of elements */
} needs;

static needs find_needs(const pvgi_tree_plan *plan, pvgi_block_size size) {
    const size_t nodes = (size_t)round_up(size.nodes);
    needs need;
    need.columns = pvgi_size_mul((size_t)plan->narrow.slots, nodes + STAGGER);
    need.rows = pvgi_size_mul(nodes + 1, PVGI_PANEL);
    need.ones = nodes + STAGGER;
    need.lists = (PVGI_CLASSES + 1) * (nodes / 4);
    need.entries = pvgi_size_mul(nodes, PVGI_SHORT + PVGI_LONG - 1);
    need.segments = (size_t)size.graphs;
    return need;
}

size_t pvgi_density_tree_scratch_bytes(const pvgi_tree_plan *plan, pvgi_block_size size) {
    const needs need = find_needs(plan, size);
    size_t doubles = pvgi_size_add(need.columns, pvgi_size_add(need.rows, 2 * need.ones));
    size_t bytes = pvgi_size_mul(doubles, sizeof(double));
    bytes = pvgi_size_add(
        bytes, pvgi_size_mul(pvgi_size_add(need.entries, need.lists), sizeof(int32_t)));
    return pvgi_size_add(bytes, pvgi_size_mul(need.segments, sizeof(pvgi_segment)));
}

int32_t pvgi_density_tree_scratch_new(pvgi_tree_scratch *out, const pvgi_tree_plan *plan,
                                      pvgi_block_size size) {
    const needs need = find_needs(plan, size);
    memset(out, 0, sizeof *out);
    out->stride = round_up(size.nodes) + STAGGER;
    out->slices = round_up(size.nodes) / 4;
    out->columns = pvgi_alloc(need.columns, sizeof(double));
    out->rows = pvgi_alloc_zero(need.rows, sizeof(double));
    out->ones = pvgi_alloc(need.ones, sizeof(double));
    out->none = pvgi_alloc(need.ones, sizeof(double));
    out->lists = pvgi_alloc(need.lists, sizeof(int32_t));
    out->entries = pvgi_alloc(need.entries, sizeof(uint32_t));
    out->segments = pvgi_alloc(need.segments, sizeof(pvgi_segment));
    if (!out->columns || !out->rows || !out->ones || !out->none || !out->lists ||
        !out->entries || !out->segments) {
        pvgi_density_tree_scratch_free(out);
        return pvgi_fail_nomem();
    }
    for (size_t i = 0; i < need.ones; i++) out->ones[i] = 1.0;
    return PVG_OK;
}

void pvgi_density_tree_scratch_free(pvgi_tree_scratch *scratch) {
    pvgi_free(scratch->columns);
    pvgi_free(scratch->rows);
    pvgi_free(scratch->ones);
    pvgi_free(scratch->none);
    pvgi_free(scratch->lists);
    pvgi_free(scratch->entries);
    pvgi_free(scratch->segments);
    memset(scratch, 0, sizeof *scratch);
}

/* --- a block -------------------------------------------------------------------- */

void pvgi_density_tree_block(double *values, int64_t stride, const pvgi_tree_plan *plan,
                             const pvgi_tree_kernels *kernels, const pvgi_hosts *hosts,
                             int64_t first, int64_t last, const uint8_t *marks,
                             pvgi_tree_scratch *scratch) {
    const pvgi_tree_program *program = &plan->narrow;
    const int64_t *starts = hosts->starts, base = starts[first];
    pvgi_tree_cut cut = {.base = base,
                         .order = starts[last] - base,
                         .padded = round_up(starts[last] - base),
                         .offsets = hosts->offsets + base,
                         .columns = hosts->columns,
                         .end = hosts->offsets[starts[hosts->count]],
                         .entries = scratch->entries,
                         .even = scratch->lists + PVGI_CLASSES * scratch->slices};
    for (int32_t i = 0; i < PVGI_CLASSES; i++)
        cut.list[i] = scratch->lists + i * scratch->slices;
    for (int64_t g = first; g < last; g++)
        scratch->segments[g - first] =
            (pvgi_segment){starts[g] - base, starts[g + 1] - starts[g]};
    kernels->cut(scratch->columns, &cut);
    const pvgi_tree_frame frame = {.program = program,
                                   .marks = marks,
                                   .kernels = kernels,
                                   .columns = scratch->columns,
                                   .stride = scratch->stride,
                                   .half = 4 * (cut.padded + 1),
                                   .ones = scratch->ones,
                                   .none = scratch->none,
                                   .sums = values,
                                   .sum_stride = stride,
                                   .segments = scratch->segments,
                                   .segment_count = last - first};
    for (int32_t j = 0; j < 4; j++) /* the row of zeros */
        scratch->rows[4 * cut.padded + j] =
            scratch->rows[4 * cut.padded + frame.half + j] = 0;
    int64_t step = pvgi_density_tree_local(&frame, 0, 0, cut.padded, scratch->rows);
    while (step < program->steps) {
        const pvgi_tree_step *spread = &program->step[step];
        double *to[PVGI_PANEL];
        pvgi_density_tree_targets(to, &frame, spread, 0);
        if (!marks || marks[step])
            kernels->spread(to, scratch->rows, frame.half, spread->width, &cut);
        step = pvgi_density_tree_local(&frame, step + 1, 0, cut.padded, scratch->rows);
    }
}
