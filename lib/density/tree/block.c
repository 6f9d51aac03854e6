/* Trees on small graphs: several graphs together in a block whose panel stays in the
 * first-level cache. Each graph is padded to a multiple of 4 nodes; neighbour lists are
 * rewritten four nodes at a time to equal lengths, so that the inner loop hardly
 * branches, and these slices are sorted by length. A slice with a hub keeps its four
 * lists as they are. How a graph is cut depends on the graph alone, hence so do its sums.
 *
 * Cost per block: products / 8 passes over rows of 64 bytes, one row per arc. */
#include "density/density_internal.h"

#include <string.h>

enum {
    WIDTHS = 10, /* classes of slices: with a hub, 0, 1, ..., 7, more */
    STAGGER = 8, /* keeps columns of a block from falling into the same cache sets */
    SLACK = 8,   /* padding entries any slice may have */
    SHORT = 4    /* lists up to here take as many entries, one after the other */
};

static int64_t round_up(int64_t nodes) {
    return (nodes + 3) & ~(int64_t)3;
}

/* --- steps along nodes (also for large graphs) ---------------------------------- */

static double *column(const pvgi_tree_frame *frame, int32_t slot, int64_t first) {
    if (slot == PVGI_COLUMN_ONES) return frame->ones;
    if (slot == PVGI_COLUMN_NONE) return frame->none;
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
    for (int32_t j = 0; j < step->width; j++) to[j] = column(frame, step->to[j], first);
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
        inputs(a, b, frame, now, first);
        if (now->kind == PVGI_TREE_MULTIPLY) {
            frame->kernels->multiply(column(frame, now->to[0], first), a[0], b[0], nodes);
        } else if (now->kind == PVGI_TREE_LOAD) {
            frame->kernels->load(rows + first * now->width, now->width, a, b, nodes);
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
    size_t columns, rows, ones, slices, entries, segments; /* numbers of elements */
} needs;

static needs find_needs(const pvgi_tree_plan *plan, pvgi_block_size size) {
    const size_t nodes = (size_t)round_up(size.nodes);
    needs need;
    need.columns = pvgi_size_mul((size_t)plan->narrow.slots, nodes + STAGGER);
    need.rows = pvgi_size_mul(nodes + 1, PVGI_PANEL);
    need.ones = nodes;
    need.slices = nodes / 4;
    need.entries =
        pvgi_size_add(pvgi_size_mul(2, (size_t)size.arcs), 4 * SHORT * (nodes / 4) + 16);
    need.segments = (size_t)size.graphs;
    return need;
}

size_t pvgi_density_tree_scratch_bytes(const pvgi_tree_plan *plan, pvgi_block_size size) {
    const needs need = find_needs(plan, size);
    size_t doubles = pvgi_size_add(need.columns, pvgi_size_add(need.rows, 2 * need.ones));
    size_t bytes = pvgi_size_mul(doubles, sizeof(double));
    bytes = pvgi_size_add(bytes, pvgi_size_mul(need.entries, sizeof(int32_t)));
    bytes = pvgi_size_add(bytes, pvgi_size_mul(need.slices, 2 * sizeof(pvgi_slice)));
    return pvgi_size_add(bytes, pvgi_size_mul(need.segments, sizeof(pvgi_segment)));
}

int32_t pvgi_density_tree_scratch_new(pvgi_tree_scratch *out, const pvgi_tree_plan *plan,
                                      pvgi_block_size size) {
    const needs need = find_needs(plan, size);
    memset(out, 0, sizeof *out);
    out->stride = round_up(size.nodes) + STAGGER;
    out->columns = pvgi_alloc(need.columns, sizeof(double));
    out->rows = pvgi_alloc(need.rows, sizeof(double));
    out->ones = pvgi_alloc(need.ones, sizeof(double));
    out->none = pvgi_alloc(need.ones, sizeof(double));
    out->slices = pvgi_alloc(need.slices, sizeof(pvgi_slice));
    out->sorted = pvgi_alloc(need.slices, sizeof(pvgi_slice));
    out->entries = pvgi_alloc(need.entries, sizeof(int32_t));
    out->segments = pvgi_alloc(need.segments, sizeof(pvgi_segment));
    if (!out->columns || !out->rows || !out->ones || !out->none || !out->slices ||
        !out->sorted || !out->entries || !out->segments) {
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
    pvgi_free(scratch->slices);
    pvgi_free(scratch->sorted);
    pvgi_free(scratch->entries);
    pvgi_free(scratch->segments);
    memset(scratch, 0, sizeof *scratch);
}

/* --- a block -------------------------------------------------------------------- */

typedef struct {
    const int32_t *columns;
    int64_t end;   /* of columns */
    int32_t shift; /* row of the block = column of the set + shift */
    int32_t zero_row;
    int32_t *entries; /* where slices go; 16 beyond the last may be overwritten */
    int64_t written;
    int64_t widths[WIDTHS + 1]; /* slices of each class, from 2 on */
} cutter;

/* Four lists of `width` entries. */
static void cut_even(cutter *cut, const int64_t *offsets, const int32_t degree[4],
                     int32_t width) {
    int32_t *to = cut->entries + cut->written;
    for (int32_t j = 0; j < 4; j++) {
        const int32_t *list = cut->columns + offsets[j];
        for (int32_t k = 0; k < width; k++)
            to[4 * k + j] = k < degree[j] ? list[k] + cut->shift : cut->zero_row;
    }
    cut->written += 4 * (int64_t)width;
}

#define INLINE static inline __attribute__((always_inline))

typedef int32_t four __attribute__((vector_size(16), aligned(4), may_alias));

/* Four lists of at most SHORT entries, one after the other. */
static void cut_last(int32_t *to, const cutter *cut, const int64_t *offsets,
                     const int32_t degree[4]) {
    for (int32_t j = 0; j < 4; j++)
        for (int32_t k = 0; k < SHORT; k++)
            to[SHORT * j + k] =
                k < degree[j] ? cut->columns[offsets[j] + k] + cut->shift : cut->zero_row;
}

/* The same as whole vectors: reads SHORT columns from each offset on. */
INLINE void cut_short(int32_t *to, const cutter *cut, const int64_t *offsets,
                      const int32_t degree[4]) {
    static const four real[SHORT + 1] = {
        {0}, {-1}, {-1, -1}, {-1, -1, -1}, {-1, -1, -1, -1}}; /* by degree */
    const four shift = {cut->shift, cut->shift, cut->shift, cut->shift};
    const four zero = {cut->zero_row, cut->zero_row, cut->zero_row, cut->zero_row};
    const four x0 = *(const four *)(cut->columns + offsets[0]) + shift;
    const four x1 = *(const four *)(cut->columns + offsets[1]) + shift;
    const four x2 = *(const four *)(cut->columns + offsets[2]) + shift;
    const four x3 = *(const four *)(cut->columns + offsets[3]) + shift;
    ((four *)to)[0] = (x0 & real[degree[0]]) | (zero & ~real[degree[0]]);
    ((four *)to)[1] = (x1 & real[degree[1]]) | (zero & ~real[degree[1]]);
    ((four *)to)[2] = (x2 & real[degree[2]]) | (zero & ~real[degree[2]]);
    ((four *)to)[3] = (x3 & real[degree[3]]) | (zero & ~real[degree[3]]);
}

static void cut_hub(cutter *cut, const int64_t *offsets, const int32_t degree[4]) {
    int32_t *to = cut->entries + cut->written;
    for (int32_t j = 0; j < 4; j++) *to++ = degree[j];
    for (int32_t j = 0; j < 4; j++)
        for (int32_t k = 0; k < degree[j]; k++)
            *to++ = cut->columns[offsets[j] + k] + cut->shift;
    cut->written = to - cut->entries;
}

/* One slice: `real` nodes from offsets[0] on, the rest of the four are padding. */
static inline __attribute__((always_inline)) void cut_slice(pvgi_slice *slice,
                                                            double *degrees, cutter *cut,
                                                            const int64_t *offsets,
                                                            const int64_t real) {
    int64_t from[4];
    int32_t degree[4], most = 0, sum = 0;
    for (int64_t j = 0; j < 4; j++) {
        const int64_t at = j < real ? j : real; /* padding: an empty list */
        from[j] = offsets[at];
        degree[j] = j < real ? (int32_t)(offsets[at + 1] - offsets[at]) : 0;
        most = degree[j] > most ? degree[j] : most;
        sum += degree[j];
    }
    for (int32_t j = 0; j < 4; j++) degrees[j] = degree[j];
    slice->first = cut->written;
    slice->width = 4 * (int64_t)most <= 2 * (int64_t)sum + SLACK ? most : -1;
    cut->widths[2 + (slice->width < 8 ? slice->width : 8)]++;
    if (most <= SHORT) { /* then it is no hub */
        int32_t *to = cut->entries + cut->written;
        cut->written += 4 * SHORT;
        if (from[3] + SHORT <= cut->end)
            cut_short(to, cut, from, degree);
        else
            cut_last(to, cut, from, degree);
    } else if (slice->width < 0)
        cut_hub(cut, from, degree);
    else
        cut_even(cut, from, degree, most);
}

/* By width; start[2 + c]: how many are of class c. */
static void sort_slices(pvgi_slice *sorted, const pvgi_slice *slices, int64_t count,
                        int64_t start[WIDTHS + 1]) {
    for (int32_t w = 1; w <= WIDTHS; w++) start[w] += start[w - 1];
    for (int64_t i = 0; i < count; i++)
        sorted[start[1 + (slices[i].width < 8 ? slices[i].width : 8)]++] = slices[i];
}

/* Cuts graphs first .. last - 1; returns the number of rows. Slot 0 gets the degrees. */
static int64_t cut_graphs(pvgi_tree_scratch *scratch, const pvgi_hosts *hosts,
                          int64_t first, int64_t last) {
    int64_t rows = 0;
    for (int64_t g = first; g < last; g++)
        rows += round_up(hosts->starts[g + 1] - hosts->starts[g]);
    cutter cut = {.columns = hosts->columns,
                  .end = hosts->offsets[hosts->starts[hosts->count]],
                  .entries = scratch->entries,
                  .zero_row = (int32_t)rows};
    int64_t at = 0;
    for (int64_t g = first; g < last; g++) {
        const int64_t base = hosts->starts[g], order = hosts->starts[g + 1] - base;
        scratch->segments[g - first] = (pvgi_segment){at, round_up(order)};
        cut.shift = (int32_t)(at - base);
        for (int64_t i = 0; i < order; i += 4, at += 4) {
            pvgi_slice *slice = &scratch->slices[at / 4];
            double *degrees = scratch->columns + at;
            const int64_t *offsets = hosts->offsets + base + i;
            slice->node = (int32_t)at;
            if (order - i >= 4)
                cut_slice(slice, degrees, &cut, offsets, 4);
            else
                cut_slice(slice, degrees, &cut, offsets, order - i);
        }
    }
    sort_slices(scratch->sorted, scratch->slices, rows / 4, cut.widths);
    return rows;
}

void pvgi_density_tree_block(double *values, int64_t stride, const pvgi_tree_plan *plan,
                             const pvgi_tree_kernels *kernels, const pvgi_hosts *hosts,
                             int64_t first, int64_t last, pvgi_tree_scratch *scratch) {
    const pvgi_tree_program *program = &plan->narrow;
    typedef uint64_t element __attribute__((may_alias));
    const int64_t rows = cut_graphs(scratch, hosts, first, last);
    for (int64_t i = 0; i < rows && kernels->integers; i++) /* the degrees */
        ((element *)scratch->columns)[i] = (uint64_t)scratch->columns[i];
    const pvgi_tree_frame frame = {.program = program,
                                   .kernels = kernels,
                                   .columns = scratch->columns,
                                   .stride = scratch->stride,
                                   .ones = scratch->ones,
                                   .none = scratch->none,
                                   .sums = values,
                                   .sum_stride = stride,
                                   .segments = scratch->segments,
                                   .segment_count = last - first};
    int64_t step = pvgi_density_tree_local(&frame, 0, 0, rows, scratch->rows);
    while (step < program->steps) {
        const pvgi_tree_step *spread = &program->step[step];
        double *to[PVGI_PANEL];
        for (int32_t j = 0; j < spread->width; j++)
            scratch->rows[rows * spread->width + j] = 0;
        pvgi_density_tree_targets(to, &frame, spread, 0);
        kernels->spread(to, scratch->rows, spread->width, scratch->sorted, rows / 4,
                        scratch->entries);
        step = pvgi_density_tree_local(&frame, step + 1, 0, rows, scratch->rows);
    }
}
