/* Densities of all patterns in all graphs of a set. Consecutive small graphs form blocks,
 * consecutive blocks form chunks, which threads share; a large graph is worked on by all
 * threads together. Cut by sizes alone, so nothing depends on the number of threads. */
#include "density_internal.h"

#include <math.h>
#include <string.h>

enum {
    LARGE_ORDER = 32768, /* nodes from which a graph is worth a fork-join per panel */
    BLOCK_NODES = 384,   /* four columns of a panel are 12 KB of a first-level cache */
    BLOCK_GRAPHS = 256,
    CHUNK_NODES = 8192,
    POWER_PLACES = 256, /* graph orders whose powers a worker remembers */
    CREW_ARCS = 512     /* from which threads may share the cycles of one graph */
};

pvgi_density_tuning pvgi_density_default_tuning(void) {
    return (pvgi_density_tuning){pvgi_cpu_level(), LARGE_ORDER, BLOCK_NODES};
}

typedef struct {
    int64_t order; /* -1: empty */
    double power[PVGI_PATTERN_ORDER + 1];
} powers;

typedef struct {
    pvgi_tree_scratch tree;
    pvgi_elim_scratch *elim;
    double *values;  /* graphs of a block x components */
    double *scratch; /* for quotients */
    powers *known;   /* POWER_PLACES */
} worker;

typedef struct {
    const pvg_density *density;
    const pvgi_hosts *hosts;
    const pvgi_tree_kernels *kernels;
    pvgi_density_tuning tuning;
    double *densities, *values; /* results; either may be NULL */
    bool eigenvalues;           /* cycles may be counted by them */
    int64_t *chunk;             /* first graph of each chunk, and the end */
    int64_t chunks, small_nodes;
    pvgi_block_size block; /* of the largest block */
    int64_t largest;       /* order of the largest graph that is no block, or 0 */
    pvgi_phase whole;      /* of the call */
    worker *workers;
    uint32_t worker_count;
    /* counts of components with cycles found before the rest, graphs x components; not a
     * number: not found; NULL: none */
    double *early, early_nodes;
    int32_t *cycle_length, *cycle; /* cycles that eigenvalues may count */
    double *cycle_count, *cycle_error;
    int64_t cycles;
    pvgi_run *run;
    _Atomic bool stop;
} job;

/* --- cutting -------------------------------------------------------------------- */

static int64_t order_of(const pvgi_hosts *hosts, int64_t graph) {
    return hosts->starts[graph + 1] - hosts->starts[graph];
}

static bool is_large(const job *all, int64_t graph) {
    return order_of(all->hosts, graph) > all->tuning.large;
}

/* End of the block that begins with graph `first`, and its nodes. */
static int64_t end_of_block(int64_t *nodes, const job *all, int64_t first) {
    const pvgi_hosts *hosts = all->hosts;
    const int64_t *starts = hosts->starts, large = all->tuning.large;
    const int64_t most =
        hosts->count - first > BLOCK_GRAPHS ? first + BLOCK_GRAPHS : hosts->count;
    int64_t end = first, sum = 0;
    for (; end < most; end++) {
        const int64_t order = starts[end + 1] - starts[end];
        if (order > large || (end > first && sum + order > all->tuning.block)) break;
        sum += order;
    }
    *nodes = sum;
    return end;
}

static int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

/* A large graph is a chunk of its own, which is skipped and done later. */
static void cut_chunks(job *all) {
    int64_t graph = 0, nodes = 0;
    all->chunk[0] = 0;
    while (graph < all->hosts->count) {
        const bool alone = is_large(all, graph);
        if (graph > all->chunk[all->chunks] && (alone || nodes >= CHUNK_NODES)) {
            all->chunk[++all->chunks] = graph;
            nodes = 0;
        }
        if (alone) {
            all->largest = larger(all->largest, order_of(all->hosts, graph));
            all->chunk[++all->chunks] = ++graph;
            continue;
        }
        const int64_t first = graph;
        int64_t block;
        graph = end_of_block(&block, all, graph);
        nodes += block;
        all->small_nodes += block;
        all->block.nodes = larger(all->block.nodes, block);
        all->block.graphs = larger(all->block.graphs, graph - first);
    }
    if (graph > all->chunk[all->chunks]) all->chunk[++all->chunks] = graph;
}

/* --- workers -------------------------------------------------------------------- */

static bool uses_elim(const job *all) {
    return all->density->components > all->density->trees;
}

static size_t values_bytes(const job *all) {
    const int64_t graphs = larger(all->block.graphs, 1);
    return pvgi_size_mul(pvgi_size_mul((size_t)graphs, (size_t)all->density->components),
                         sizeof(double));
}

static int32_t make_worker(worker *one, const job *all, size_t elim_limit) {
    const pvg_density *density = all->density;
    one->values = pvgi_alloc(values_bytes(all), 1);
    one->known = pvgi_alloc(POWER_PLACES, sizeof *one->known);
    one->scratch =
        pvgi_alloc(pvgi_density_combine_scratch(density), sizeof *one->scratch);
    if (!one->values || !one->known || !one->scratch) return pvgi_fail_nomem();
    for (int32_t i = 0; i < POWER_PLACES; i++) one->known[i].order = -1;
    PVGI_TRY(pvgi_density_tree_scratch_new(&one->tree, density->tree_plan, all->block));
    if (!uses_elim(all)) return PVG_OK;
    return pvgi_density_elim_scratch_new(&one->elim, density->elim_plan, elim_limit);
}

static void free_workers(job *all) {
    for (uint32_t i = 0; all->workers && i < all->worker_count; i++) {
        worker *one = &all->workers[i];
        pvgi_density_tree_scratch_free(&one->tree);
        pvgi_density_elim_scratch_free(one->elim);
        pvgi_free(one->values);
        pvgi_free(one->known);
        pvgi_free(one->scratch);
    }
    pvgi_free(all->workers);
}

/* Checks the limit, then allocates. `beside` bytes are used by the caller. */
static int32_t make_workers(job *all, size_t beside, const pvgi_run *run) {
    const pvg_density *density = all->density;
    all->worker_count = pvgi_run_workers(run, all->chunks);
    size_t bytes = pvgi_density_tree_scratch_bytes(density->tree_plan, all->block);
    bytes = pvgi_size_add(bytes, values_bytes(all));
    bytes = pvgi_size_add(bytes, pvgi_density_combine_scratch(density) * sizeof(double));
    bytes = pvgi_size_add(bytes, POWER_PLACES * sizeof(powers) + sizeof(worker));
    bytes = pvgi_size_add(pvgi_size_mul(bytes, all->worker_count), beside);
    if (all->largest > 0 && density->trees > 0)
        bytes = pvgi_size_add(bytes, pvgi_density_tree_large_bytes(density->tree_plan,
                                                                   all->largest, 0,
                                                                   run->config.threads));
    PVGI_TRY(pvgi_run_reserve(run, bytes));
    const uint64_t limit = run->config.scratch_limit;
    const size_t elim_limit = limit ? (size_t)(limit - bytes) / all->worker_count + 1 : 0;
    all->workers = pvgi_alloc_zero(all->worker_count, sizeof *all->workers);
    if (!all->workers) return pvgi_fail_nomem();
    for (uint32_t i = 0; i < all->worker_count; i++)
        PVGI_TRY(make_worker(&all->workers[i], all, elim_limit));
    return PVG_OK;
}

/* --- progress --------------------------------------------------------------------- */

/* By nodes; those of a graph that is partly counted before the rest count twice. */
static void enter_phase(const job *all, pvgi_run *run, double done, double share) {
    const pvgi_hosts *hosts = all->hosts;
    const double nodes =
        (double)(hosts->starts[hosts->count] - hosts->starts[0]) + all->early_nodes;
    pvgi_run_leave(run, all->whole);
    if (nodes > 0) pvgi_run_enter(run, done / nodes, share / nodes);
}

/* --- counted before the rest ------------------------------------------------------ */

static pvgi_host host_of(const pvgi_hosts *hosts, int64_t graph) {
    return (pvgi_host){order_of(hosts, graph), hosts->starts[graph], hosts->offsets,
                       hosts->columns};
}

/* What the calling thread does first, because it needs BLAS or LAPACK or other threads.
 * */
static bool takes_eigenvalues(const job *all, int64_t graph) {
    return all->cycles > 0 && pvgi_density_eigen_fits(order_of(all->hosts, graph));
}

/* A graph that is so much of the set that threads had better share it. */
static bool takes_crew(const job *all, int64_t graph) {
    const pvgi_hosts *hosts = all->hosts;
    const int64_t *offsets = hosts->offsets, *starts = hosts->starts;
    const int64_t arcs = offsets[starts[graph + 1]] - offsets[starts[graph]];
    const int64_t sum = offsets[starts[hosts->count]] - offsets[starts[0]];
    const int64_t threads = all->run->config.threads;
    return threads > 1 && arcs >= CREW_ARCS && arcs >= sum / (2 * threads) &&
           !is_large(all, graph);
}

static bool takes_products(const job *all, int64_t graph) {
    const pvgi_host host = host_of(all->hosts, graph);
    return pvgi_density_dense_likely(&host) || takes_crew(all, graph);
}

/* Lists the cycles among the components; *bytes grows by what is allocated. */
static int32_t list_cycles(job *all, size_t *bytes, const pvgi_run *run) {
    const pvg_density *density = all->density;
    const size_t components = (size_t)(density->components - density->trees);
    const size_t one = sizeof *all->cycle + sizeof *all->cycle_length +
                       sizeof *all->cycle_count + sizeof *all->cycle_error;
    *bytes = pvgi_size_add(*bytes, pvgi_size_mul(components, one));
    PVGI_TRY(pvgi_run_reserve(run, *bytes));
    all->cycle = pvgi_alloc(components, sizeof *all->cycle);
    all->cycle_length = pvgi_alloc(components, sizeof *all->cycle_length);
    all->cycle_count = pvgi_alloc(components, sizeof *all->cycle_count);
    all->cycle_error = pvgi_alloc(components, sizeof *all->cycle_error);
    if (!all->cycle || !all->cycle_length || !all->cycle_count || !all->cycle_error)
        return pvgi_fail_nomem();
    for (size_t i = 0; i < components; i++) {
        const int32_t length = pvgi_density_elim_cycle(density->elim_plan, (int64_t)i);
        if (length == 0) continue;
        all->cycle_length[all->cycles] = length;
        all->cycle[all->cycles++] = (int32_t)i;
    }
    return PVG_OK;
}

/* Cycles that eigenvalues count well enough; the others stay unknown. */
static int32_t run_eigenvalues(job *all, int64_t graph, double *row, double *scratch) {
    const pvgi_host host = host_of(all->hosts, graph);
    PVGI_TRY(pvgi_density_eigen_cycles(all->cycle_count, all->cycle_error,
                                       all->cycle_length, all->cycles, &host, scratch));
    for (int64_t i = 0; i < all->cycles; i++)
        row[all->cycle[i]] =
            pvgi_density_eigen_accept(all->cycle_count[i], all->cycle_error[i]);
    return PVG_OK;
}

/* One graph after another; the rest of a dense one goes through the steps at once. */
static int32_t run_early(job *all, pvgi_elim_scratch *elim, double *eigen,
                         pvgi_run *run) {
    const pvgi_hosts *hosts = all->hosts;
    const int64_t components = all->density->components - all->density->trees;
    const double nodes = all->early_nodes;
    double done = 0;
    for (int64_t graph = 0; graph < hosts->count; graph++) {
        const bool eigenvalues = takes_eigenvalues(all, graph);
        const bool products = elim && takes_products(all, graph);
        double *row = all->early + graph * components;
        double *known = all->early + hosts->count * components; /* one row more */
        if (!eigenvalues && !products) continue;
        const double order = (double)order_of(hosts, graph);
        PVGI_TRY(pvgi_run_report(run, done / nodes));
        if (eigenvalues) PVGI_TRY(run_eigenvalues(all, graph, row, eigen));
        if (products) {
            const pvgi_host host = host_of(hosts, graph);
            const pvgi_elim_watch watch = {run, NULL, done / nodes, order / nodes};
            pvgi_density_elim_set_watch(elim, &watch);
            memcpy(known, row, (size_t)components * sizeof *known);
            PVGI_TRY(pvgi_density_elim_count(row, known, all->density->elim_plan, &host,
                                             elim));
        }
        done += order;
    }
    return PVG_OK;
}

/* Counts what only the calling thread may. Products of dense matrices give what the
 * sparse way gives, so where the scratch limit is too small they are left out. */
static int32_t count_early(job *all, size_t *bytes, pvgi_run *run) {
    const pvgi_hosts *hosts = all->hosts;
    const pvg_density *density = all->density;
    const int64_t components = density->components - density->trees;
    int64_t most = 0;
    bool products = false;
    if (!uses_elim(all)) return PVG_OK;
    if (all->eigenvalues) PVGI_TRY(list_cycles(all, bytes, run));
    for (int64_t graph = 0; graph < hosts->count; graph++) {
        const bool eigen = takes_eigenvalues(all, graph),
                   dense = takes_products(all, graph);
        if (eigen) most = larger(most, order_of(hosts, graph));
        products = products || dense;
        if (eigen || dense) all->early_nodes += (double)order_of(hosts, graph);
    }
    const size_t rows = pvgi_size_mul((size_t)hosts->count + 1, (size_t)components * 8);
    const size_t eigen_bytes = most > 0 ? pvgi_density_eigen_bytes(most) : 0;
    const size_t needed = pvgi_size_add(pvgi_size_add(*bytes, rows), eigen_bytes);
    const uint64_t limit = run->config.scratch_limit;
    if (limit != 0 && needed > limit / 2) products = false;
    if (most == 0 && !products) {
        all->early_nodes = 0;
        return PVG_OK;
    }
    PVGI_TRY(pvgi_run_reserve(run, needed));
    int32_t status = PVG_OK;
    pvgi_elim_scratch *elim = NULL;
    all->early = pvgi_alloc(rows, 1);
    double *eigen = pvgi_alloc(eigen_bytes, 1);
    if (!all->early || !eigen) PVGI_TRY_DONE(pvgi_fail_nomem());
    for (int64_t i = 0; i < hosts->count * components; i++) all->early[i] = (double)NAN;
    if (products) {
        PVGI_TRY_DONE(pvgi_density_elim_scratch_new(&elim, density->elim_plan,
                                                    limit ? (size_t)limit - needed : 0));
        pvgi_density_elim_allow_blas(elim);
        pvgi_density_elim_set_crew(elim, run);
    }
    *bytes = pvgi_size_add(*bytes, rows);
    enter_phase(all, run, 0.0, all->early_nodes);
    PVGI_TRY_DONE(run_early(all, elim, eigen, run));
done:
    if (elim) pvgi_density_elim_set_crew(elim, NULL);
    pvgi_density_elim_scratch_free(elim);
    pvgi_free(eigen);
    return status;
}

/* --- one graph ------------------------------------------------------------------ */

static const double *powers_of(worker *one, const pvg_density *density, int64_t order) {
    powers *known = &one->known[order % POWER_PLACES];
    if (known->order != order) {
        pvgi_density_powers(known->power, order, density->highest);
        known->order = order;
    }
    return known->power;
}

/* The counts of components with cycles, as far as they are not known already. */
static int32_t count_rest(job *all, worker *one, int64_t graph, double *counts) {
    const int64_t components = all->density->components - all->density->trees;
    const pvgi_host host = host_of(all->hosts, graph);
    const double *known = all->early ? all->early + graph * components : NULL;
    bool complete = known != NULL;
    for (int64_t i = 0; i < components && complete; i++) complete = !isnan(known[i]);
    if (!complete)
        return pvgi_density_elim_count(counts, known, all->density->elim_plan, &host,
                                       one->elim);
    memcpy(counts, known, (size_t)components * sizeof *counts);
    return PVG_OK;
}

/* Adds the components with cycles to a row of values, and uses it. */
static int32_t finish_graph(job *all, worker *one, int64_t graph, double *values) {
    const pvg_density *density = all->density;
    const int64_t order = order_of(all->hosts, graph);
    if (uses_elim(all)) PVGI_TRY(count_rest(all, one, graph, values + density->trees));
    if (all->values)
        memcpy(all->values + graph * density->components, values,
               (size_t)density->components * sizeof *values);
    if (!all->densities) return PVG_OK;
    double *out = all->densities + graph * density->count;
    if (order > 0)
        pvgi_density_combine(out, density, values, powers_of(one, density, order),
                             one->scratch, all->tuning.level);
    else
        memset(out, 0, (size_t)density->count * sizeof *out);
    return PVG_OK;
}

/* Worker 0 is the calling thread: it reports, the others look whether to stop. */
static void watch(job *all, uint32_t number, double start, double share) {
    const pvgi_elim_watch watching = {number == 0 ? all->run : NULL, &all->stop, start,
                                      share};
    if (uses_elim(all)) pvgi_density_elim_set_watch(all->workers[number].elim, &watching);
}

static int32_t run_chunk(void *context, int64_t chunk, uint32_t number) {
    job *all = context;
    worker *one = &all->workers[number];
    const pvg_density *density = all->density;
    int64_t graph = all->chunk[chunk];
    if (is_large(all, graph)) return PVG_OK;
    watch(all, number, (double)chunk / (double)all->chunks, 1.0 / (double)all->chunks);
    while (graph < all->chunk[chunk + 1]) {
        int64_t nodes;
        const int64_t end = end_of_block(&nodes, all, graph);
        if (density->trees > 0)
            pvgi_density_tree_block(one->values, density->components, density->tree_plan,
                                    all->kernels, all->hosts, graph, end, NULL,
                                    &one->tree);
        for (double *values = one->values; graph < end;
             graph++, values += density->components)
            PVGI_TRY(finish_graph(all, one, graph, values));
    }
    return PVG_OK;
}

/* Trees take the first half of a graph's progress if there is more to do. */
static int32_t run_large(job *all, pvgi_run *run) {
    const pvgi_hosts *hosts = all->hosts;
    const bool trees = all->density->trees > 0;
    const double first = trees && uses_elim(all) ? 0.5 : 1.0;
    double done = all->early_nodes + (double)all->small_nodes;
    for (int64_t graph = 0; graph < hosts->count; graph++) {
        if (!is_large(all, graph)) continue;
        const pvgi_host host = host_of(hosts, graph);
        const double share = (double)host.order;
        enter_phase(all, run, done, first * share);
        if (trees)
            PVGI_TRY(pvgi_density_tree_large(all->workers[0].values, NULL,
                                             all->density->tree_plan, all->kernels, &host,
                                             NULL, run));
        enter_phase(all, run, done, share);
        watch(all, 0, trees ? first : 0.0, trees ? 1.0 - first : 1.0);
        if (uses_elim(all)) pvgi_density_elim_set_crew(all->workers[0].elim, run);
        const int32_t status =
            finish_graph(all, &all->workers[0], graph, all->workers[0].values);
        if (uses_elim(all)) pvgi_density_elim_set_crew(all->workers[0].elim, NULL);
        PVGI_TRY(status);
        done += (double)host.order;
    }
    return PVG_OK;
}

/* --- all --------------------------------------------------------------------------- */

/* Where nothing can fail once work has begun, results go straight to the caller. */
static bool is_safe(const job *all, const pvgi_run *run) {
    return !uses_elim(all) && !run->config.progress && all->largest == 0;
}

static int32_t run_job(job *all, double **aside, pvgi_run *run) {
    const size_t graphs = (size_t)all->hosts->count;
    size_t bytes = pvgi_size_mul(graphs + 1, sizeof *all->chunk);
    PVGI_TRY(pvgi_run_reserve(run, bytes));
    all->chunk = pvgi_alloc(bytes, 1);
    if (!all->chunk) return pvgi_fail_nomem();
    cut_chunks(all);
    if (all->densities && !is_safe(all, run)) {
        const size_t results = pvgi_size_mul(
            pvgi_size_mul(graphs, (size_t)all->density->count), sizeof **aside);
        bytes = pvgi_size_add(bytes, results);
        PVGI_TRY(pvgi_run_reserve(run, bytes));
        all->densities = *aside = pvgi_alloc(results, 1);
        if (!*aside) return pvgi_fail_nomem();
    }
    PVGI_TRY(count_early(all, &bytes, run));
    PVGI_TRY(make_workers(all, bytes, run));
    enter_phase(all, run, all->early_nodes, (double)all->small_nodes);
    PVGI_TRY(pvgi_run_chunks(run, all->chunks, run_chunk, all));
    return all->largest > 0 ? run_large(all, run) : PVG_OK;
}

int32_t pvgi_density_evaluate(double *densities, double *values, bool eigenvalues,
                              const pvg_density *density, const pvgi_hosts *hosts,
                              const pvgi_density_tuning *tuning, pvgi_run *run) {
    job all = {.density = density,
               .hosts = hosts,
               .kernels = pvgi_density_tree_kernels(tuning->level),
               .tuning = *tuning,
               .densities = densities,
               .values = values,
               .eigenvalues = eigenvalues && density->config.cycle_eigenvalues,
               .run = run,
               .whole = {run->phase_start, run->phase_share}};
    double *aside = NULL;
    const int32_t status = run_job(&all, &aside, run);
    if (status == PVG_OK && aside)
        memcpy(densities, aside,
               (size_t)(hosts->count * density->count) * sizeof *densities);
    pvgi_free(aside);
    pvgi_free(all.chunk);
    pvgi_free(all.cycle);
    pvgi_free(all.cycle_length);
    pvgi_free(all.cycle_count);
    pvgi_free(all.cycle_error);
    pvgi_free(all.early);
    free_workers(&all);
    return status;
}

/* --- parts ----------------------------------------------------------------------- */

int64_t pvgi_density_first_cycle(const pvg_density *density) {
    for (int64_t i = 0; i < density->count; i++)
        for (int32_t j = 0; j < density->term[i].parts; j++)
            if (density->part[density->term[i].first + j] >= density->trees) return i;
    return -1;
}

int32_t pvgi_density_evaluate_parts(double *densities, const pvg_density *density,
                                    const pvg_parts *parts, const pvg_graph *rows,
                                    const pvgi_density_tuning *tuning, pvgi_run *run) {
    const pvgi_host host = {rows->order, 0, rows->offsets, rows->columns};
    const int64_t order = parts->config.order;
    double power[PVGI_PATTERN_ORDER + 1];
    double *scratch = pvgi_alloc(pvgi_density_combine_scratch(density), sizeof *scratch);
    double *values = pvgi_alloc((size_t)density->components, sizeof *values);
    int32_t status = PVG_OK;
    if (!scratch || !values) PVGI_TRY_DONE(pvgi_fail_nomem());
    if (density->trees > 0)
        PVGI_TRY_DONE(pvgi_density_tree_large(values, NULL, density->tree_plan,
                                              pvgi_density_tree_kernels(tuning->level),
                                              &host, parts, run));
    pvgi_density_powers(power, order, density->highest);
    if (order > 0)
        pvgi_density_combine(densities, density, values, power, scratch, tuning->level);
    else
        memset(densities, 0, (size_t)density->count * sizeof *densities);
done:
    pvgi_free(scratch);
    pvgi_free(values);
    return status;
}
