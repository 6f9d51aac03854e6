/* Embeddings: exact densities, times public factors, plus noise.
 *
 * Public work first: one noise table per order that occurs (orders are public). Then the
 * private part: truncation if asked, densities of all graphs, and noise row by row, each
 * chunk of rows from its own stream, so that values do not depend on the number of
 * threads. Exact values are wiped with the buffer they stand in. Costs beyond the
 * densities: one table per order, about 40 ns per coordinate. */
#include "release_internal.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS_PER_CHUNK = 32 };

typedef struct {
    const pvg_embedder *embedder;
    const pvgi_hosts *hosts;
    const pvgi_order_noise *tables; /* ascending orders */
    int64_t table_count;
    double *exact;      /* rows x patterns */
    double *smooth;     /* per worker: patterns; NULL without smooth noise */
    pvgi_stream stream; /* of the call */
    pvg_release *release;
} job;

static int64_t order_at(const pvgi_hosts *hosts, int64_t row) {
    return hosts->starts[row + 1] - hosts->starts[row];
}

static int compare_orders(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The distinct orders >= 1, ascending, in a new array. */
static int32_t distinct_orders(int64_t **out, int64_t *count, const pvgi_hosts *hosts) {
    int64_t *orders = pvgi_alloc((size_t)hosts->count, sizeof *orders);
    if (!orders) return pvgi_fail_nomem();
    int64_t used = 0, kept = 0;
    for (int64_t i = 0; i < hosts->count; i++)
        if (order_at(hosts, i) > 0) orders[used++] = order_at(hosts, i);
    qsort(orders, (size_t)used, sizeof *orders, compare_orders);
    for (int64_t i = 0; i < used; i++)
        if (kept == 0 || orders[kept - 1] != orders[i]) orders[kept++] = orders[i];
    *out = orders;
    *count = kept;
    return PVG_OK;
}

static void free_tables(pvgi_order_noise *tables, int64_t count) {
    for (int64_t i = 0; i < count; i++) pvgi_release_order_noise_free(&tables[i]);
    pvgi_free(tables);
}

/* *out and *count are for free_tables, also on failure. */
static int32_t make_tables(pvgi_order_noise **out, int64_t *count,
                           const pvg_embedder *embedder, const pvgi_hosts *hosts) {
    int64_t *orders = NULL;
    PVGI_TRY(distinct_orders(&orders, count, hosts));
    pvgi_order_noise *tables = pvgi_alloc_zero((size_t)*count, sizeof *tables);
    int32_t status = tables ? PVG_OK : pvgi_fail_nomem();
    for (int64_t i = 0; i < *count && status == PVG_OK; i++)
        status = pvgi_release_order_noise(&tables[i], NULL, NULL, embedder, orders[i]);
    pvgi_free(orders);
    *out = tables;
    if (!tables) *count = 0;
    return status;
}

static const pvgi_order_noise *table_for(const job *j, int64_t order) {
    int64_t low = 0, high = j->table_count - 1;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (j->tables[middle].order < order)
            low = middle + 1;
        else
            high = middle;
    }
    return &j->tables[low];
}

static int64_t largest_degree(const pvgi_hosts *hosts, int64_t row) {
    int64_t largest = 0;
    for (int64_t v = hosts->starts[row]; v < hosts->starts[row + 1]; v++) {
        const int64_t degree = hosts->offsets[v + 1] - hosts->offsets[v];
        if (degree > largest) largest = degree;
    }
    return largest;
}

static void smooth_sensitivities(double *out, const job *j, const pvgi_order_noise *table,
                                 int64_t row) {
    const int64_t degree = largest_degree(j->hosts, row);
    for (int64_t i = 0; i < j->embedder->plan.count; i++)
        out[i] = pvgi_round_up(table->factor[i] * pvgi_sensitivity_smooth_at(
                                                      &j->embedder->plan, i,
                                                      &table->premise, table->error[i],
                                                      j->embedder->target.beta, degree));
}

static int32_t release_row(const job *j, int64_t row, double *smooth,
                           pvgi_stream *stream) {
    const int64_t patterns = j->embedder->plan.count, order = order_at(j->hosts, row);
    double *exact = j->exact + row * patterns;
    double *out = j->release->values + row * j->release->columns;
    if (j->embedder->config.append_order) out[patterns] = (double)order;
    if (order == 0) { /* no nodes, no edges: public */
        memset(out, 0, (size_t)patterns * sizeof *out);
        return PVG_OK;
    }
    const pvgi_order_noise *table = table_for(j, order);
    if (!table->mechanism) {
        memcpy(out, table->range, (size_t)patterns * sizeof *out);
        return PVG_OK;
    }
    for (int64_t i = 0; i < patterns; i++) exact[i] *= table->factor[i];
    if (smooth) smooth_sensitivities(smooth, j, table, row);
    return pvgi_mechanism_apply(out, table->mechanism, exact, smooth,
                                j->embedder->config.saturate ? PVGI_APPLY_SATURATE : 0,
                                stream);
}

static int32_t release_rows(void *context, int64_t chunk, uint32_t worker) {
    const job *j = context;
    const int64_t first = chunk * ROWS_PER_CHUNK;
    int64_t last = first + ROWS_PER_CHUNK;
    if (last > j->release->rows) last = j->release->rows;
    double *smooth = j->smooth ? j->smooth + worker * j->embedder->plan.count : NULL;
    pvgi_stream stream;
    pvgi_rng_stream_open_chunk(&stream, &j->stream, (uint64_t)chunk);
    int32_t status = PVG_OK;
    for (int64_t row = first; row < last && status == PVG_OK; row++)
        status = release_row(j, row, smooth, &stream);
    pvgi_rng_stream_close(&stream);
    return status;
}

static const char *noise_words(int32_t noise) {
    switch (noise) {
    case PVG_NOISE_LAPLACE:
        return "discrete Laplace";
    case PVG_NOISE_DISCRETE_GAUSSIAN:
        return "discrete Gaussian";
    case PVG_NOISE_SMOOTH:
        return "rounded Gaussian, smooth sensitivity";
    case PVG_NOISE_SMOOTH_PUBLISHED:
        return "rounded Gaussian, smooth sensitivity, published accounting";
    default:
        return "rounded Gaussian";
    }
}

static void assume(pvgi_guarantee *guarantee, const pvg_embedder_config *config) {
    const long long bound = config->degree_bound;
    pvgi_ledger_premise(guarantee, PVGI_PREMISE_NODES);
    if (config->degrees == PVG_DEGREES_PROMISED)
        pvgi_ledger_premise(guarantee,
                            "every possible input and its neighbours have degrees at "
                            "most %lld (promised, not checked)",
                            bound);
    else if (config->degrees == PVG_DEGREES_TRUNCATED)
        pvgi_ledger_premise(
            guarantee,
            "none on degrees: values are those of the graph truncated to degree %lld",
            bound);
    else
        pvgi_ledger_premise(guarantee, "none on degrees");
}

/* The guarantee: what the row that spends most spends. */
static pvgi_guarantee guarantee_of(const job *j, bool seeded) {
    static const char *const allocations[] = {"optimal", "isotropic", "proportional"};
    const pvg_embedder *embedder = j->embedder;
    pvgi_guarantee guarantee = {.notion = PVG_NOTION_EDGE,
                                .delta = embedder->target.delta,
                                .seeded = seeded,
                                .allocation = allocations[embedder->target.allocation],
                                .order = j->table_count == 1 ? j->tables[0].order : 0,
                                .claim = "release.embedding"};
    int32_t noise = embedder->target.noise;
    guarantee.spent.size = sizeof guarantee.spent;
    assume(&guarantee, &embedder->config);
    double most = -1.0;
    for (int64_t i = 0; i < j->table_count; i++) {
        if (!j->tables[i].mechanism) continue;
        pvg_curve_term spent = j->tables[i].mechanism->spent;
        const double parameter = *pvgi_mechanism_term_parameter(&spent);
        /* smooth noise of another order may have more noisy coordinates at a smaller rho:
         * the guarantee states a curve that covers both */
        const int64_t dimension = guarantee.spent.dimension > spent.dimension
                                      ? guarantee.spent.dimension
                                      : spent.dimension;
        if (parameter > most) {
            most = parameter;
            guarantee.spent = spent;
        }
        guarantee.spent.dimension = dimension;
        noise = pvg_mechanism_noise(j->tables[i].mechanism);
    }
    guarantee.noise = noise_words(noise);
    return guarantee;
}

/* Rows of the graphs after truncation, in new arrays; *rows keeps them. */
static int32_t truncate_hosts(pvg_graph **rows, pvgi_hosts *hosts, int64_t bound,
                              pvgi_run *run) {
    const int64_t order = hosts->starts[hosts->count];
    const pvg_graph all = {.order = order,
                           .size = hosts->offsets[order] / 2,
                           .offsets = (int64_t *)hosts->offsets,
                           .columns = (int32_t *)hosts->columns};
    PVGI_TRY(pvgi_graph_truncate(rows, &all, hosts->starts, hosts->count, bound, run));
    hosts->offsets = (*rows)->offsets;
    hosts->columns = (*rows)->columns;
    return PVG_OK;
}

static int32_t run_job(job *j, pvgi_hosts *hosts, pvg_rng *rng, pvgi_run *run,
                       size_t bytes) {
    const pvg_embedder *embedder = j->embedder;
    const pvgi_density_tuning tuning = pvgi_density_default_tuning();
    pvg_graph *truncated = NULL;
    int32_t status = PVG_OK;
    pvgi_run inner = pvgi_density_run_beside(run, bytes);
    pvgi_run_phase(&inner, 0.0, 0.9);
    if (embedder->config.degrees == PVG_DEGREES_TRUNCATED)
        PVGI_TRY_DONE(
            truncate_hosts(&truncated, hosts, embedder->config.degree_bound, &inner));
    PVGI_TRY_DONE(pvgi_density_evaluate(j->exact, NULL, false, embedder->density, hosts,
                                        &tuning, &inner));
    run->cancelled = inner.cancelled;
    run->last_report_ms = inner.last_report_ms;
    pvgi_run_phase(run, 0.9, 0.1);
    PVGI_TRY_DONE(pvgi_rng_stream_open(&j->stream, rng));
    status = pvgi_run_chunks(
        run, (j->release->rows + ROWS_PER_CHUNK - 1) / ROWS_PER_CHUNK, release_rows, j);
    pvgi_rng_stream_close(&j->stream);
done:
    pvg_graph_free(truncated);
    return status;
}

int32_t pvgi_release_embed(pvg_release **out, const pvg_embedder *embedder,
                           const pvgi_hosts *hosts, const pvgi_payment *payment,
                           pvg_rng *rng, pvgi_run *run) {
    const size_t patterns = (size_t)embedder->plan.count, rows = (size_t)hosts->count;
    const uint32_t workers = pvgi_run_workers(run, hosts->count);
    const bool smooth = pvgi_mechanism_is_smooth(embedder->target.noise);
    const size_t bytes = pvgi_size_mul(
        pvgi_size_mul(rows + (smooth ? workers : 0), patterns), sizeof(double));
    pvgi_hosts used = *hosts;
    pvgi_order_noise *tables = NULL;
    job j = {.embedder = embedder, .hosts = &used};
    int32_t status = PVG_OK;
    PVGI_TRY(pvgi_run_reserve(run, bytes));
    PVGI_TRY_DONE(make_tables(&tables, &j.table_count, embedder, hosts));
    j.tables = tables;
    j.release = pvgi_alloc_zero(1, sizeof *j.release);
    j.exact = pvgi_alloc(rows, pvgi_size_mul(patterns, sizeof *j.exact));
    if (smooth) j.smooth = pvgi_alloc(workers, pvgi_size_mul(patterns, sizeof *j.smooth));
    if (!j.release || !j.exact || (smooth && !j.smooth)) {
        status = pvgi_fail_nomem();
        goto done;
    }
    j.release->rows = hosts->count;
    j.release->columns = pvg_embedder_columns(embedder);
    j.release->values =
        pvgi_alloc(rows, pvgi_size_mul((size_t)j.release->columns, sizeof(double)));
    if (!j.release->values) {
        status = pvgi_fail_nomem();
        goto done;
    }
    j.release->separate = true;
    j.release->guarantee = guarantee_of(&j, !rng->secure);
    /* before anything private is looked at */
    PVGI_TRY_DONE(pvgi_ledger_guarantee_pay(&j.release->guarantee, payment->ledger,
                                            payment->objects, j.release->rows));
    PVGI_TRY_DONE(run_job(&j, &used, rng, run, bytes));
    *out = j.release;
    j.release = NULL;
done:
    free_tables(tables, j.table_count);
    pvgi_free(j.exact);
    pvgi_free(j.smooth);
    pvg_release_free(j.release);
    return status;
}
