/* From the released numbers of a synthesis to what a graph is wired from.
 *
 * Counts between blocks are projected on non-negative ones with the same sum (one
 * constant less for all, what falls below 0 is 0): the number of edges stays unbiased.
 * They say how many stubs a block has, with far less noise than its diagram, which is
 * fitted under that condition. Degrees go to random nodes of the block. */
#include "derive_internal.h"

#include <math.h>
#include <string.h>

typedef struct {
    int64_t order, blocks;
    int64_t *starts;  /* blocks + 1: members of block a are nodes[starts[a] ..] */
    int32_t *nodes;   /* in random order */
    int32_t *block;   /* of each node */
    int64_t *between; /* blocks x blocks */
    int64_t *degrees; /* of each node */
    double *cells;    /* counts a <= b, as released, then as projected */
    double *real;     /* degrees of one block */
    int64_t *whole;
    float *weights; /* of each node in released products */
} synthesis;

/* --- counts between blocks -------------------------------------------------------- */

/* x - c, at least 0, with c so that the sum stays; 0 if the sum is negative. */
static void project(double *cells, int64_t count) {
    double sum = 0.0, low, high = 0.0;
    for (int64_t i = 0; i < count; i++) {
        sum += cells[i];
        if (cells[i] > high) high = cells[i];
    }
    low = 0.0; /* at c = 0 what is left is at least the sum */
    for (int step = 0; step < 100; step++) {
        const double c = 0.5 * (low + high);
        double left = 0.0;
        for (int64_t i = 0; i < count; i++) left += cells[i] > c ? cells[i] - c : 0.0;
        if (left > sum)
            low = c;
        else
            high = c;
    }
    for (int64_t i = 0; i < count; i++)
        cells[i] = cells[i] > high ? cells[i] - high : 0.0;
}

static void fill_between(synthesis *s, const double *values) {
    const int64_t blocks = s->blocks;
    int64_t count = 0;
    double carried = 0.0; /* rounding is passed on, so that sums stay */
    for (int64_t a = 0; a < blocks; a++)
        for (int64_t b = a; b < blocks; b++) s->cells[count++] = values[a * blocks + b];
    project(s->cells, count);
    count = 0;
    for (int64_t a = 0; a < blocks; a++)
        for (int64_t b = a; b < blocks; b++) {
            const double na = (double)(s->starts[a + 1] - s->starts[a]);
            const double nb = (double)(s->starts[b + 1] - s->starts[b]);
            const double most = a == b ? na * (na - 1.0) / 2.0 : na * nb;
            const double wanted = s->cells[count++] + carried;
            double taken = nearbyint(wanted);
            taken = taken < 0.0 ? 0.0 : taken > most ? most : taken;
            carried = wanted - taken;
            if (fabs(carried) > 1.0) carried = 0.0; /* a full cell */
            s->between[a * blocks + b] = s->between[b * blocks + a] = (int64_t)taken;
        }
}

/* --- degrees ---------------------------------------------------------------------- */

static int32_t fill_degrees(synthesis *s, const pvgi_degree_shape *d,
                            const double *values) {
    const int64_t columns = d->levels + d->ranks + 1;
    for (int64_t a = 0; a < s->blocks; a++) {
        const int64_t first = s->starts[a], size = s->starts[a + 1] - first;
        int64_t stubs = s->between[a * s->blocks + a];
        for (int64_t b = 0; b < s->blocks; b++) stubs += s->between[a * s->blocks + b];
        if (size == 0) continue;
        PVGI_TRY(pvgi_derive_fit(s->real, values + a * columns, d->levels, d->ranks, size,
                                 (double)stubs, (double)(s->order - 1), d->deviation));
        PVGI_TRY(pvgi_derive_round(s->whole, s->real, size, stubs, s->order - 1));
        for (int64_t i = 0; i < size; i++) s->degrees[s->nodes[first + i]] = s->whole[i];
    }
    return PVG_OK;
}

/* Products over edges were released: weights of nodes for them. */
static void fill_weights(synthesis *s, pvgi_wiring *w) {
    for (int64_t v = 0; v < s->order; v++)
        s->weights[v] = (float)(fmin((double)s->degrees[v] / w->ends.bound, 1.0));
    w->weights = s->weights;
}

static void list_members(synthesis *s, const pvgi_degree_shape *d, pvgi_stream *stream) {
    memset(s->starts, 0, ((size_t)s->blocks + 2) * sizeof *s->starts);
    int64_t *next = s->starts + 1; /* next[a] becomes starts[a + 1] */
    for (int64_t v = 0; v < s->order; v++) {
        s->block[v] = d->group ? d->group[v] : 0;
        next[s->block[v] + 1]++;
    }
    for (int64_t a = 0; a < s->blocks; a++) next[a + 1] += next[a];
    for (int64_t v = 0; v < s->order; v++) s->nodes[next[s->block[v]]++] = (int32_t)v;
    for (int64_t a = 0; a < s->blocks; a++)
        for (int64_t i = s->starts[a + 1] - 1; i > s->starts[a]; i--) {
            const int64_t k =
                s->starts[a] +
                (int64_t)pvgi_rng_draw_below(stream, (uint64_t)(i - s->starts[a] + 1));
            const int32_t node = s->nodes[i];
            s->nodes[i] = s->nodes[k];
            s->nodes[k] = node;
        }
}

static int32_t allocate(synthesis *s, pvgi_run *run) {
    const size_t order = (size_t)s->order, blocks = (size_t)s->blocks;
    PVGI_TRY(pvgi_run_reserve(run, pvgi_size_mul(order, 64)));
    s->starts = pvgi_alloc(blocks + 2, sizeof *s->starts);
    s->nodes = pvgi_alloc(order, sizeof *s->nodes);
    s->block = pvgi_alloc(order, sizeof *s->block);
    s->between = pvgi_alloc(blocks * blocks, sizeof *s->between);
    s->degrees = pvgi_alloc(order, sizeof *s->degrees);
    s->cells = pvgi_alloc(blocks * blocks, sizeof *s->cells);
    s->real = pvgi_alloc(order, sizeof *s->real);
    s->whole = pvgi_alloc(order, sizeof *s->whole);
    s->weights = pvgi_alloc(order, sizeof *s->weights);
    return s->starts && s->nodes && s->block && s->between && s->degrees && s->cells &&
                   s->real && s->whole && s->weights
               ? PVG_OK
               : pvgi_fail_nomem();
}

int32_t pvgi_derive_synthesize(pvg_graph **out, const pvg_statistic *statistic,
                               const double *values, double mixing,
                               const pvgi_stream *call, pvgi_run *run) {
    int64_t at[5];
    pvgi_degree_shape d;
    pvgi_stream stream;
    pvgi_statistic_degrees_shape(&d, pvgi_statistic_joined_part(statistic, 0, &at[0]));
    pvgi_statistic_joined_part(statistic, 1, &at[1]);
    const pvg_statistic *triangles =
        pvgi_statistic_either(pvgi_statistic_joined_part(statistic, 2, &at[2]), values);
    synthesis s = {.order = d.order, .blocks = d.groups};
    int32_t status = allocate(&s, run);
    if (status == PVG_OK) {
        pvgi_rng_stream_open_chunk(&stream, call, 0);
        list_members(&s, &d, &stream);
        pvgi_rng_stream_close(&stream);
        fill_between(&s, values + at[1]);
        status = fill_degrees(&s, &d, values + at[0]);
    }
    if (status == PVG_OK) {
        pvgi_wiring wiring = {.order = s.order,
                              .blocks = s.blocks,
                              .block = s.block,
                              .degrees = s.degrees,
                              .between = s.between,
                              .triangles = values[at[2]],
                              .noise = pvgi_statistic_ladder_least(triangles),
                              .components = -1.0,
                              .mixing = mixing};
        if (pvgi_statistic_joined_parts(statistic) > 3) {
            const pvg_statistic *ends = pvgi_statistic_joined_part(statistic, 3, &at[3]);
            pvgi_statistic_ends_frame(&wiring.ends, ends, values + at[0]);
            wiring.product = values[at[3]];
            fill_weights(&s, &wiring);
        }
        if (pvgi_statistic_joined_parts(statistic) > 4) {
            const pvg_statistic *components =
                pvgi_statistic_joined_part(statistic, 4, &at[4]);
            components->kind->deviation(&wiring.components_noise, components);
            wiring.components = fmax(values[at[4]], 0.0);
        }
        pvgi_rng_stream_open_chunk(&stream, call, 1);
        status = pvgi_graph_declare(
            out, pvgi_derive_configuration(out, &wiring, &stream, run));
        pvgi_rng_stream_close(&stream);
    }
    void *const blocks[] = {s.starts, s.nodes, s.block, s.between, s.degrees,
                            s.cells,  s.real,  s.whole, s.weights};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) pvgi_free(blocks[i]);
    return status;
}
