/* Embeddings: exact densities, times public factors, plus noise.
 *
 * Public work first: one noise table per order that occurs (orders are public). Then the
 * private part: truncation if asked, densities of all graphs, and noise row by row, each
 * chunk of rows from its own stream, so that values do not depend on the number of
 * threads. Exact values are wiped with the buffer they stand in. Costs beyond the
 * densities: one table per order, about 40 ns per coordinate. */
#include "query_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_PER_CHUNK = 32, DESCRIBED_MOST = 4096 };

typedef pvgi_embed_job job;

static int64_t order_at(const pvgi_hosts *hosts, int64_t row) {
    return hosts->starts[row + 1] - hosts->starts[row];
}

static int compare_orders(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Sorts orders and keeps each that is at least 1 once; returns their number. */
static int64_t distinct(int64_t *orders, int64_t count) {
    int64_t kept = 0;
    qsort(orders, (size_t)count, sizeof *orders, compare_orders);
    for (int64_t i = 0; i < count; i++)
        if (orders[i] > 0 && (kept == 0 || orders[kept - 1] != orders[i]))
            orders[kept++] = orders[i];
    return kept;
}

static void free_tables(pvgi_order_noise *tables, int64_t count) {
    for (int64_t i = 0; i < count; i++) pvgi_query_order_noise_free(&tables[i]);
    pvgi_free(tables);
}

/* One table per order that occurs; orders are sorted. *out and *count are for
 * free_tables, also on failure. */
static int32_t make_tables(pvgi_order_noise **out, int64_t *count,
                           const pvg_embedder *embedder, int64_t *orders, int64_t all) {
    *count = distinct(orders, all);
    *out = pvgi_alloc_zero((size_t)*count, sizeof **out);
    int32_t status = *out ? PVG_OK : pvgi_fail_nomem();
    for (int64_t i = 0; i < *count && status == PVG_OK; i++)
        status = pvgi_query_order_noise(&(*out)[i], NULL, NULL, embedder, orders[i]);
    if (!*out) *count = 0;
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

/* Of the only row, where the graph is in parts. */
static int32_t largest_of_parts(int64_t *out, const pvg_parts *parts,
                                const pvg_graph *rows) {
    const int64_t starts[2] = {0, rows->order};
    *out = largest_degree(&(pvgi_hosts){1, starts, rows->offsets, rows->columns}, 0);
    return pvgi_graph_parts_combine(parts, out, 1, PVG_COMBINE_MAX);
}

static void smooth_sensitivities(double *out, const job *j, const pvgi_order_noise *table,
                                 int64_t row) {
    const int64_t degree = j->parts ? j->degree : largest_degree(&j->hosts, row);
    for (int64_t i = 0; i < j->embedder->plan.count; i++)
        out[i] = pvgi_round_up(table->factor[i] * pvgi_sensitivity_smooth_at(
                                                      &j->embedder->plan, i,
                                                      &table->assumption, table->error[i],
                                                      j->embedder->target.beta, degree));
}

static int32_t release_row(const job *j, int64_t row, double *smooth,
                           pvgi_stream *stream) {
    const int64_t patterns = j->embedder->plan.count, order = order_at(&j->hosts, row);
    double *exact = j->exact + row * patterns;
    double *out = j->values + row * j->columns;
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
    if (!stream) { /* without noise */
        for (int64_t i = 0; i < patterns; i++)
            out[i] = exact[i] * (table->unit ? table->unit[i] : 1.0);
        return PVG_OK;
    }
    if (smooth) smooth_sensitivities(smooth, j, table, row);
    PVGI_TRY(pvgi_mechanism_apply(out, table->mechanism, exact, smooth,
                                  j->embedder->config.saturate ? PVGI_APPLY_SATURATE : 0,
                                  stream));
    for (int64_t i = 0; table->unit && i < patterns; i++) out[i] *= table->unit[i];
    return PVG_OK;
}

static int32_t release_rows(void *context, int64_t chunk, uint32_t worker) {
    const job *j = context;
    const int64_t first = chunk * ROWS_PER_CHUNK;
    int64_t last = first + ROWS_PER_CHUNK;
    if (last > j->hosts.count) last = j->hosts.count;
    double *smooth = j->smooth ? j->smooth + worker * j->embedder->plan.count : NULL;
    pvgi_stream stream;
    if (j->call) pvgi_rng_stream_open_chunk(&stream, j->call, (uint64_t)chunk);
    int32_t status = PVG_OK;
    for (int64_t row = first; row < last && status == PVG_OK; row++)
        status = release_row(j, row, smooth, j->call ? &stream : NULL);
    if (j->call) pvgi_rng_stream_close(&stream);
    return status;
}

static void assume(pvg_guarantee *guarantee, const pvg_embedder_config *config) {
    const long long bound = config->degree_bound;
    pvgi_guarantee_assumption(guarantee, PVGI_ASSUMPTION_NODES);
    if (config->degrees == PVG_DEGREES_PROMISED)
        pvgi_guarantee_assumption(
            guarantee,
            "every possible input and its neighbours have degrees at "
            "most %lld (promised, not checked)",
            bound);
    else if (config->degrees == PVG_DEGREES_TRUNCATED)
        pvgi_guarantee_assumption(
            guarantee,
            "none on degrees: values are those of the graph truncated to degree %lld",
            bound);
    else
        pvgi_guarantee_assumption(guarantee, "none on degrees");
}

static pvgi_measure measure_of(const pvgi_order_noise *table, int64_t k, bool smooth) {
    const pvgi_coordinate *c = table->mechanism ? &table->mechanism->coordinate[k] : NULL;
    const double unit = table->unit ? table->unit[k] : 1.0;
    if (!c || c->steps == 0) /* no edge moves it */
        return (pvgi_measure){table->range[k], table->range[k], 0.0, 0.0};
    return (pvgi_measure){
        0.0, table->range[k], ldexp(unit, c->grid),
        smooth ? (double)NAN : pvgi_mechanism_whole_scale(table->mechanism, k) * unit};
}

/* How the noise of columns hangs together; scratch: patterns^2 numbers. */
static void tell_shared(pvgi_columns *told, const pvgi_order_noise *table,
                        int64_t patterns, double *scratch) {
    const pvg_mechanism *m = table->mechanism;
    pvgi_joint_columns joint = {.count = patterns};
    if (!m || m->shares == 0) return;
    if (m->loadings) {
        pvgi_query_order_covariance(scratch, table, patterns);
        for (int64_t i = 0, n = 0; i < patterns; i++)
            for (int64_t k = 0; k <= i; k++) scratch[n++] = scratch[i * patterns + k];
        joint.covariance = scratch;
    } else {
        for (int64_t k = 0; k < patterns; k++)
            scratch[k] = ldexp((double)m->coordinate[k].loading * (double)m->shared,
                               m->coordinate[k].grid);
        joint.common = scratch;
    }
    pvgi_guarantee_columns_joint(told, &joint);
}

/* Range, grid and noise scale of each column (not that of smooth noise, it is private),
 * and the part of it that columns share, per order that occurs. Very many are left to
 * pvgi_query_preview. */
static int32_t describe(pvg_guarantee *out, const pvg_embedder *embedder,
                        const pvgi_order_noise *tables, int64_t count) {
    const int64_t patterns = embedder->plan.count;
    const bool smooth = pvgi_mechanism_is_smooth(embedder->target.noise);
    const bool whole = embedder->ellipsoid != NULL;
    double *scratch =
        pvgi_alloc((size_t)patterns, (size_t)(whole ? patterns : 1) * sizeof *scratch);
    if (!scratch) return pvgi_fail_nomem();
    pvgi_columns *c = pvgi_guarantee_columns_begin();
    for (int64_t k = 0; k < embedder->told->kinds; k++)
        pvgi_guarantee_columns_add(c, &embedder->told->kind[k]);
    if (count * patterns > DESCRIBED_MOST / (whole ? 1 + patterns / 32 : 1)) count = 0;
    for (int64_t i = 0; i < count; i++) {
        const double order = (double)tables[i].order;
        pvgi_guarantee_columns_table(c, tables[i].order);
        for (int64_t k = 0; k < patterns; k++)
            pvgi_guarantee_columns_measure(c, k, measure_of(&tables[i], k, smooth));
        if (embedder->config.append_order)
            pvgi_guarantee_columns_measure(c, patterns,
                                           (pvgi_measure){order, order, 1.0, 0.0});
        tell_shared(c, &tables[i], patterns, scratch);
    }
    pvgi_free(scratch);
    return pvgi_guarantee_columns_close(out, c);
}

/* The guarantee: what the row that spends most spends. */
static pvg_guarantee guarantee_of(const pvg_embedder *embedder,
                                  const pvgi_order_noise *tables, int64_t count) {
    bool shared = false, shaped = false;
    pvg_guarantee guarantee = {.notion = PVG_NOTION_EDGE,
                               .delta = embedder->target.delta,
                               .allocation =
                                   pvg_allocation_name(embedder->target.allocation),
                               .order = count == 1 ? tables[0].order : 0,
                               .claim = "release.embedding"};
    int32_t noise = embedder->target.noise;
    guarantee.spent.size = sizeof guarantee.spent;
    assume(&guarantee, &embedder->config);
    guarantee.nothing = true; /* unless a table has noise */
    double most = -1.0;
    for (int64_t i = 0; i < count; i++) {
        if (!tables[i].mechanism) continue;
        guarantee.nothing = false;
        pvg_curve_term spent = tables[i].mechanism->spent;
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
        noise = pvg_mechanism_noise(tables[i].mechanism);
        shared = shared || tables[i].mechanism->shares > 0;
        shaped = shaped || tables[i].mechanism->loadings;
    }
    guarantee.noise = pvgi_mechanism_law(noise)->name;
    if (shared) guarantee.allocation = shaped ? "ellipsoid" : "one-way";
    return guarantee;
}

int32_t pvgi_query_embedder_guarantee(pvg_guarantee *out, const pvg_embedder *embedder,
                                      const int64_t *orders, int64_t count) {
    pvgi_order_noise *tables = NULL;
    int64_t table_count = 0;
    int64_t *own = pvgi_alloc((size_t)count, sizeof *own);
    if (!own) return pvgi_fail_nomem();
    if (count > 0) memcpy(own, orders, (size_t)count * sizeof *own);
    int32_t status = make_tables(&tables, &table_count, embedder, own, count);
    if (status == PVG_OK) {
        *out = guarantee_of(embedder, tables, table_count);
        status = describe(out, embedder, tables, table_count);
    }
    free_tables(tables, table_count);
    pvgi_free(own);
    return status;
}

/* Rows of the graphs after truncation, in new arrays; *rows keeps them. Hosts are
 * numbered from zero. */
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

static int64_t degrees_of(const pvg_embedder_config *config) {
    return config->degrees == PVG_DEGREES_ANY ? INT64_MAX : config->degree_bound;
}

/* The same for a part of a graph. How many nodes it borrows is private: as many as there
 * are others, or as the bound on degrees lets be neighbours. */
static int32_t check_part_limit(const job *j, const pvgi_run *run) {
    const pvg_embedder_config *config = &j->embedder->config;
    const pvg_parts_config *c = &j->parts->config;
    const int64_t bound = degrees_of(config), others = c->order - c->own;
    const bool few =
        config->degrees == PVG_DEGREES_PROMISED && c->own > 0 && bound < others / c->own;
    const int64_t borrowed = few ? c->own * bound : others;
    size_t bytes = pvgi_density_tree_large_bytes(j->embedder->density->tree_plan, c->own,
                                                 borrowed, run->config.threads);
    if (config->degrees == PVG_DEGREES_TRUNCATED)
        bytes =
            pvgi_size_add(bytes, pvgi_graph_truncate_bytes(c->own + others, bound, run));
    return pvgi_run_reserve(run, pvgi_size_add(bytes, j->bytes));
}

/* The scratch limit against a public bound of what densities and truncation take. */
static int32_t check_limit(const job *j, const pvgi_run *run) {
    const pvg_embedder_config *config = &j->embedder->config;
    const bool truncated = config->degrees == PVG_DEGREES_TRUNCATED;
    const int64_t bound = degrees_of(config);
    const int64_t order = j->hosts.starts[j->hosts.count] - j->hosts.starts[0];
    size_t bytes = 0;
    if (run->config.scratch_limit == 0) return PVG_OK;
    if (j->parts) return check_part_limit(j, run);
    PVGI_TRY(pvgi_density_scratch_bound(&bytes, j->embedder->density, j->hosts.starts,
                                        j->hosts.count, bound, run->config.threads));
    if (truncated)
        bytes = pvgi_size_add(bytes, pvgi_graph_truncate_bytes(order, bound, run));
    return pvgi_run_reserve(run, pvgi_size_add(bytes, j->bytes));
}

int32_t pvgi_query_embedder_cost(double *operations, const pvg_embedder *embedder,
                                 const int64_t *orders, int64_t count) {
    const int64_t bound = degrees_of(&embedder->config);
    int64_t *own = pvgi_alloc((size_t)count, sizeof *own);
    if (!own) return pvgi_fail_nomem();
    if (count > 0) memcpy(own, orders, (size_t)count * sizeof *own);
    qsort(own, (size_t)count, sizeof *own, compare_orders);
    int32_t status = PVG_OK;
    *operations = 0.0;
    for (int64_t i = 0, next; i < count && status == PVG_OK; i = next) {
        double one;
        for (next = i + 1; next < count && own[next] == own[i]; next++) continue;
        status = pvgi_density_cost(&one, embedder->density, own[i], bound);
        if (status == PVG_OK) *operations += one * (double)(next - i);
    }
    pvgi_free(own);
    return status;
}

/* The limit of time against the public bound. */
static int32_t check_time(const job *j, const int64_t *orders, const pvgi_run *run,
                          const char *function) {
    double operations;
    if (run->config.time_limit == 0) return PVG_OK;
    PVGI_TRY(pvgi_query_embedder_cost(&operations, j->embedder, orders, j->hosts.count));
    const double seconds = operations * pvgi_pace();
    if (seconds <= (double)run->config.time_limit) return PVG_OK;
    return pvgi_fail(PVG_E_LIMIT,
                     "%s: counting may take %.3g seconds, time_limit is %u; nothing was "
                     "paid. A bound on degrees lowers what it may take",
                     function, seconds, (unsigned)run->config.time_limit);
}

/* Cycles need rows of two processes at once. */
static int32_t check_trees(const job *j, const char *function) {
    char name[256];
    size_t length;
    const int64_t i = pvgi_density_first_cycle(j->embedder->density);
    if (!j->parts || i < 0) return PVG_OK;
    PVGI_TRY(
        pvg_patterns_copy_name(name, sizeof name, &length, j->embedder->patterns, i));
    return pvgi_fail(PVG_E_ARGUMENT,
                     "%s: pattern %s has a cycle; in a graph in parts trees are counted",
                     function, name);
}

static int32_t prepare(void *context, pvgi_run *run, const char *function) {
    job *j = context;
    PVGI_TRY(check_trees(j, function));
    const size_t patterns = (size_t)j->embedder->plan.count;
    const size_t rows = (size_t)j->hosts.count;
    const uint32_t workers = pvgi_run_workers(run, j->hosts.count);
    const bool smooth = pvgi_mechanism_is_smooth(j->embedder->target.noise);
    j->bytes = pvgi_size_mul(pvgi_size_mul(rows + (smooth ? workers : 0), patterns),
                             sizeof(double));
    PVGI_TRY(check_limit(j, run));
    int64_t *orders = pvgi_alloc(rows, sizeof *orders);
    if (!orders) return pvgi_fail_nomem();
    for (int64_t i = 0; i < j->hosts.count; i++) orders[i] = order_at(&j->hosts, i);
    int32_t status = check_time(j, orders, run, function);
    if (status == PVG_OK)
        status =
            make_tables(&j->tables, &j->table_count, j->embedder, orders, j->hosts.count);
    pvgi_free(orders);
    PVGI_TRY(status);
    j->guarantee = guarantee_of(j->embedder, j->tables, j->table_count);
    PVGI_TRY(describe(&j->guarantee, j->embedder, j->tables, j->table_count));
    j->columns = (int64_t)patterns + (j->embedder->config.append_order != 0);
    j->exact = pvgi_alloc(rows, pvgi_size_mul(patterns, sizeof *j->exact));
    j->values = pvgi_alloc(rows, pvgi_size_mul((size_t)j->columns, sizeof *j->values));
    if (smooth)
        j->smooth = pvgi_alloc(workers, pvgi_size_mul(patterns, sizeof *j->smooth));
    if (!j->exact || !j->values || (smooth && !j->smooth)) return pvgi_fail_nomem();
    return PVG_OK;
}

static int32_t evaluate(job *j, pvgi_run *run) {
    const pvg_embedder *embedder = j->embedder;
    const pvgi_density_tuning tuning = pvgi_density_default_tuning();
    pvgi_run inner = pvgi_run_part(run, j->bytes, 0.0, 0.9);
    if (j->parts) {
        const pvg_graph *rows = &j->parts->rows;
        if (embedder->config.degrees == PVG_DEGREES_TRUNCATED) {
            PVGI_TRY(pvgi_graph_truncate_parts(&j->truncated, j->parts,
                                               embedder->config.degree_bound, &inner));
            rows = j->truncated;
        }
        if (j->smooth) PVGI_TRY(largest_of_parts(&j->degree, j->parts, rows));
        PVGI_TRY(pvgi_density_evaluate_parts(j->exact, embedder->density, j->parts, rows,
                                             &tuning, &inner));
        pvgi_run_join(run, &inner);
        return PVG_OK;
    }
    if (embedder->config.degrees == PVG_DEGREES_TRUNCATED)
        PVGI_TRY(truncate_hosts(&j->truncated, &j->hosts, embedder->config.degree_bound,
                                &inner));
    PVGI_TRY(pvgi_density_evaluate(j->exact, NULL, false, embedder->density, &j->hosts,
                                   &tuning, &inner));
    pvgi_run_join(run, &inner);
    return PVG_OK;
}

static int32_t draw(pvgi_content *out, void *context, const pvgi_stream *call,
                    pvgi_run *run) {
    job *j = context;
    j->call = call;
    PVGI_TRY(evaluate(j, run));
    pvgi_run_phase(run, 0.9, 0.1);
    /* of parts process 0 draws the noise: two draws about the same numbers would tell
     * more than one */
    if (!j->parts || j->parts->config.process == 0)
        PVGI_TRY(pvgi_run_chunks(run,
                                 (j->hosts.count + ROWS_PER_CHUNK - 1) / ROWS_PER_CHUNK,
                                 release_rows, j));
    if (j->parts)
        PVGI_TRY(pvgi_graph_parts_share(j->parts, j->values,
                                        (size_t)j->columns * sizeof *j->values));
    out->rows = j->hosts.count;
    out->columns = j->columns;
    out->values = j->values;
    j->values = NULL;
    return PVG_OK;
}

static void drop(void *context) {
    job *j = context;
    free_tables(j->tables, j->table_count);
    pvgi_guarantee_drop(&j->guarantee);
    pvg_graph_free(j->truncated);
    pvgi_free(j->exact);
    pvgi_free(j->smooth);
    pvgi_free(j->values);
}

pvgi_draw pvgi_query_embedding(pvgi_embed_job *j, const pvg_embedder *embedder,
                               const pvgi_hosts *hosts, const pvg_parts *parts) {
    static const pvgi_row row = {
        .kind = "embedding", .prepare = prepare, .draw = draw, .drop = drop};
    *j = (job){.embedder = embedder, .hosts = *hosts, .parts = parts};
    return (pvgi_draw){.row = &row,
                       .job = j,
                       .guarantee = &j->guarantee,
                       .notion = PVG_NOTION_EDGE,
                       .reads = PVGI_PART_EDGES | PVGI_PART_TOLD,
                       .allow_seeded = embedder->target.allow_seeded,
                       .separate = true};
}
