/* Draws private message passing: exact layers, values rounded to the public grid, exact
 * integer noise; then the next layer. Chunks of values have streams of their own,
 * numbered in the whole graph, so the result does not depend on the number of threads,
 * nor on the processes that hold the graph: each draws for its own nodes. The state and
 * its copies are wiped with the memory they stand in. About 30 ns per value and draw. */
#include "query_internal.h"

#include <math.h>
#include <string.h>

enum { VALUES_PER_CHUNK = 4096 };
_Static_assert((int)PVG_PARTS_ROWS == (int)VALUES_PER_CHUNK,
               "a part begins with a chunk, whatever the number of columns");

typedef pvgi_propagation_job job;

static int32_t noise_chunk(void *context, int64_t chunk, uint32_t worker) {
    const job *j = context;
    const pvg_propagator *p = j->propagator;
    const double up = ldexp(1.0, -p->grid), down = ldexp(1.0, p->grid);
    int64_t *noise = j->noise + (int64_t)worker * VALUES_PER_CHUNK;
    double *x = j->state + chunk * VALUES_PER_CHUNK;
    int64_t count = j->values - chunk * VALUES_PER_CHUNK;
    if (count > VALUES_PER_CHUNK) count = VALUES_PER_CHUNK;
    pvgi_stream stream;
    pvgi_rng_stream_open_chunk(
        &stream, j->call, (uint64_t)(j->draws * j->all_chunks + j->first_chunk + chunk));
    pvgi_rng_draw_noise(noise, count, PVGI_NOISE_ROUNDED_GAUSSIAN, p->steps, 1, &stream);
    pvgi_rng_stream_close(&stream);
    for (int64_t i = 0; i < count; i++) {
        const double inside = pvgi_mechanism_clamp(x[i], -p->range, p->range);
        x[i] = (double)(pvgi_mechanism_round(inside * up) + noise[i]) * down;
    }
    return PVG_OK;
}

static int32_t add_noise(job *j, pvgi_run *run) {
    if (!j->call) return PVG_OK; /* without noise */
    PVGI_TRY(pvgi_run_chunks(run, j->chunks, noise_chunk, j));
    j->draws++;
    return PVG_OK;
}

/* Copies the state into the block of columns of one hop. */
static void keep_hop(double *values, const job *j, int64_t hop) {
    const int64_t columns = j->propagator->columns, all = columns * j->propagator->depth;
    for (int64_t row = 0; row < j->rows; row++)
        memcpy(values + row * all + hop * columns, j->state + row * columns,
               (size_t)columns * sizeof *values);
}

static int32_t run_layers(job *j, pvgi_run *run) {
    const pvg_propagator *p = j->propagator;
    for (int64_t k = 0; k < p->depth; k++) {
        const double share = 1.0 / (double)p->depth, start = (double)k * share;
        const bool last = k + 1 == p->depth;
        pvgi_run_phase(run, start, 0.5 * share);
        PVGI_TRY(pvgi_propagate_step(j->state, &j->layers, j->state, k, run));
        pvgi_run_phase(run, start + 0.5 * share, 0.5 * share);
        if (last || p->method != PVG_PROPAGATION_OUTPUT) PVGI_TRY(add_noise(j, run));
        if (j->hops) keep_hop(j->hops, j, k);
    }
    return PVG_OK;
}

/* The door has seen to it that they are public. */
static int32_t check_shapes(const char *name, const job *j) {
    const pvg_propagator *propagator = j->propagator;
    const pvg_graph *graph = j->graph;
    const pvg_features *features = j->features;
    const int64_t order = j->parts ? j->parts->config.order : graph->order;
    PVGI_REQUIRE(order == propagator->assumption.order,
                 "%s: the graph has %lld nodes, the propagator is for %lld", name,
                 (long long)order, (long long)propagator->assumption.order);
    PVGI_REQUIRE(features->rows == graph->order &&
                     features->columns == propagator->columns,
                 "%s: features are %lld x %lld, the propagator is for %lld x %lld", name,
                 (long long)features->rows, (long long)features->columns,
                 (long long)graph->order, (long long)propagator->columns);
    return pvgi_guarantee_hides(propagator->guarantee.notion) & PVGI_PART_FEATURES
               ? PVG_OK
               : pvgi_graph_features_sound(name, "features", features);
}

/* Rows that a part of a graph borrows at most, from public numbers. */
static int64_t borrows_most(const job *j) {
    const pvg_assumption *a = &j->propagator->assumption;
    const int64_t others = j->parts ? j->parts->config.order - j->rows : 0;
    const bool few = a->degrees == PVG_DEGREES_PROMISED && j->rows > 0 &&
                     a->degree_bound < others / j->rows;
    return few ? j->rows * a->degree_bound : others;
}

/* Memory for the whole call. */
static int32_t prepare(void *context, pvgi_run *run, const char *function) {
    job *j = context;
    const pvg_propagator *p = j->propagator;
    const size_t matrix = pvgi_size_mul((size_t)j->values, sizeof(double));
    const uint32_t workers = pvgi_run_workers(run, j->chunks);
    const bool residual = p->layers->config.residual > 0.0;
    const bool hops = p->method == PVG_PROPAGATION_HOPS;
    const int64_t borrows = borrows_most(j);
    const size_t own = pvgi_size_add(
        pvgi_size_mul(matrix, 1 + (size_t)residual + (size_t)p->laplace),
        p->laplace ? pvgi_size_mul((size_t)borrows, (size_t)p->columns * sizeof(int64_t))
                   : 0);
    const size_t kept = hops ? pvgi_size_mul(matrix, (size_t)p->depth) : 0;
    const size_t noise = pvgi_size_mul(workers, VALUES_PER_CHUNK * sizeof *j->noise);
    const int64_t reach = j->rows + (j->parts ? 2 * PVG_PARTS_ROWS : 0);
    const size_t hop = p->laplace ? pvgi_statistic_hop_bytes(reach, p->columns, run) : 0;
    size_t bytes = pvgi_size_add(pvgi_size_add(own, kept), pvgi_size_add(noise, hop));
    PVGI_TRY(check_shapes(function, j));
    bytes = pvgi_size_add(bytes,
                          pvgi_propagate_bytes(p->layers, j->graph, borrows, p->columns));
    if (p->assumption.degrees == PVG_DEGREES_TRUNCATED)
        bytes =
            pvgi_size_add(bytes, pvgi_graph_truncate_bytes(
                                     j->rows + borrows, p->assumption.degree_bound, run));
    PVGI_TRY(pvgi_run_reserve(run, bytes));
    PVGI_TRY(pvgi_statistic_scratch_new(&j->scratch, hop, run));
    j->state = pvgi_alloc(matrix, 1);
    j->noise = pvgi_alloc(noise, 1);
    if (p->laplace) /* 8 bytes each, too */
        j->rows_in_steps =
            pvgi_alloc((size_t)(j->rows + (j->parts ? j->parts->config.borrowed : 0)),
                       pvgi_size_mul((size_t)p->columns, sizeof(int64_t)));
    if (residual) j->x0 = pvgi_alloc(matrix, 1);
    if (hops) j->hops = pvgi_alloc(kept, 1);
    if (!j->state || !j->noise || (residual && !j->x0) || (hops && !j->hops) ||
        (p->laplace && !j->rows_in_steps))
        return pvgi_fail_nomem();
    return PVG_OK;
}

static int32_t draw(pvgi_content *out, void *context, const pvgi_stream *call,
                    pvgi_run *run) {
    job *j = context;
    const pvg_propagator *p = j->propagator;
    const pvg_graph *graph = j->graph;
    j->call = call;
    if (p->assumption.degrees == PVG_DEGREES_TRUNCATED) {
        PVGI_TRY(j->parts ? pvgi_graph_truncate_parts(&j->truncated, j->parts,
                                                      p->assumption.degree_bound, run)
                          : pvgi_graph_truncate(&j->truncated, graph, NULL, 1,
                                                p->assumption.degree_bound, run));
        graph = j->truncated;
    }
    pvgi_graph_features_copy_dense(j->state, j->features, 0, j->rows);
    if (p->config.l1_rows) pvgi_query_hop_pull(j->state, j->rows, p->columns);
    if (p->laplace) {
        PVGI_TRY(pvgi_query_hop_draw(j->hops, j->state, j->rows_in_steps, p, graph,
                                     j->parts, &j->scratch, call, run));
        out->rows = j->rows;
        out->columns = p->columns;
        out->values = j->hops;
        j->hops = NULL;
        return PVG_OK;
    }
    pvgi_propagate_project(j->state, j->state, j->rows, p->columns,
                           p->layers->config.rows);
    if (j->x0) memcpy(j->x0, j->state, (size_t)j->values * sizeof *j->x0);
    PVGI_TRY(
        pvgi_propagate_begin(&j->layers, p->layers, graph, j->parts, p->columns, j->x0));
    j->begun = true;
    PVGI_TRY(run_layers(j, run));
    double **made = j->hops ? &j->hops : &j->state;
    out->rows = j->rows;
    out->columns = j->hops ? p->columns * p->depth : p->columns;
    out->values = *made;
    *made = NULL;
    return PVG_OK;
}

static void drop(void *context) {
    job *j = context;
    if (j->begun) pvgi_propagate_end(&j->layers);
    pvg_graph_free(j->truncated);
    pvgi_free(j->x0);
    pvgi_free(j->hops);
    pvgi_free(j->state);
    pvgi_free(j->noise);
    pvgi_free(j->rows_in_steps);
    pvgi_statistic_scratch_free(&j->scratch);
}

static int64_t chunks_of(int64_t values) {
    return (values + VALUES_PER_CHUNK - 1) / VALUES_PER_CHUNK;
}

pvgi_draw pvgi_query_propagation_parts(pvgi_propagation_job *j, const pvg_propagator *p,
                                       const pvg_parts *parts,
                                       const pvg_features *features) {
    const pvg_parts_config *c = &parts->config;
    pvgi_draw draw = pvgi_query_propagation(j, p, &parts->rows, features);
    draw.scattered = true;
    j->parts = parts;
    j->rows = c->own;
    j->values = c->own * p->columns;
    j->chunks = chunks_of(j->values);
    /* parts begin at multiples of as many rows as a chunk has values */
    j->first_chunk = c->first / VALUES_PER_CHUNK * p->columns;
    return draw;
}

pvgi_draw pvgi_query_propagation(pvgi_propagation_job *j, const pvg_propagator *p,
                                 const pvg_graph *graph, const pvg_features *features) {
    static const pvgi_row row = {
        .kind = "propagation", .prepare = prepare, .draw = draw, .drop = drop};
    const int64_t values = p->assumption.order * p->columns;
    *j = (job){.propagator = p,
               .graph = graph,
               .features = features,
               .rows = p->assumption.order,
               .values = values,
               .chunks = chunks_of(values),
               .all_chunks = chunks_of(values)};
    return (pvgi_draw){.row = &row,
                       .job = j,
                       .guarantee = &p->guarantee,
                       .notion = p->guarantee.notion,
                       /* features may have been made from anything */
                       .reads = PVGI_PART_ALL | PVGI_PART_TOLD,
                       .declared = graph->declared | features->declared |
                                   PVGI_DECLARED_LABELS | PVGI_DECLARED_PERSONS |
                                   PVGI_DECLARED_THINGS, /* those of the nodes */
                       .allow_seeded = p->target.allow_seeded};
}
