/* Densities of all patterns in all graphs of a set. Consecutive small graphs form blocks,
 * consecutive blocks form chunks, which threads share; a large graph is worked on by all
 * threads together. Cut by sizes alone, so nothing depends on the number of threads. */
#include "density_internal.h"

#include <string.h>

enum {
    LARGE_ORDER = 32768, /* nodes from which a graph is worth a fork-join per panel */
    BLOCK_NODES = 256,   /* a panel of 8 columns is 16 KB, half a first-level cache */
    BLOCK_GRAPHS = 256,
    CHUNK_NODES = 8192,
    POWER_PLACES = 256 /* graph orders whose powers a worker remembers */
};

pvgi_density_tuning pvgi_density_default_tuning(void) {
    return (pvgi_density_tuning){pvgi_cpu_level(), LARGE_ORDER, BLOCK_NODES};
}

pvgi_run pvgi_density_run_beside(const pvgi_run *run, size_t bytes) {
    pvgi_run inner = *run;
    const uint64_t limit = run->config.scratch_limit;
    if (limit != 0) inner.config.scratch_limit = limit > bytes ? limit - bytes : 1;
    return inner;
}

typedef struct {
    int64_t order; /* -1: empty */
    double power[PVGI_PATTERN_ORDER + 1];
} powers;

typedef struct {
    pvgi_tree_scratch tree;
    pvgi_elim_scratch *elim, *elim_rest; /* rest: cycles are known; NULL if not */
    double *values;                      /* graphs of a block x components */
    powers *known;                       /* POWER_PLACES */
} worker;

typedef struct {
    const pvg_density *density;
    const pvgi_hosts *hosts;
    const pvgi_tree_kernels *kernels;
    pvgi_density_tuning tuning;
    double *densities, *values; /* results; either may be NULL */
    bool without_elim;
    int64_t *chunk; /* first graph of each chunk, and the end */
    int64_t chunks, small_nodes;
    pvgi_block_size block; /* of the largest block */
    int64_t largest;       /* order of the largest graph that is no block, or 0 */
    double phase_start, phase_share; /* of the whole call, which began this way */
    worker *workers;
    uint32_t worker_count;
    /* cycles counted before the rest, by eigenvalues or dense products: lengths,
     * components, and the counts per graph, where the graph is fit for it */
    int32_t *cycle_length, *cycle, longest_cycle;
    int64_t cycles;
    double *cycle_count;
} job;

/* --- cutting -------------------------------------------------------------------- */

static int64_t order_of(const pvgi_hosts *hosts, int64_t graph) {
    return hosts->starts[graph + 1] - hosts->starts[graph];
}

static bool is_large(const job *all, int64_t graph) {
    return order_of(all->hosts, graph) > all->tuning.large;
}

/* End of the block that begins with graph `first`; notes its size. */
static int64_t end_of_block(pvgi_block_size *size, const job *all, int64_t first) {
    const pvgi_hosts *hosts = all->hosts;
    int64_t end = first;
    memset(size, 0, sizeof *size);
    while (end < hosts->count && end - first < BLOCK_GRAPHS && !is_large(all, end)) {
        const int64_t padded = (order_of(hosts, end) + 3) & ~(int64_t)3;
        if (end > first && size->nodes + padded > all->tuning.block) break;
        size->nodes += padded;
        end++;
    }
    size->arcs =
        hosts->offsets[hosts->starts[end]] - hosts->offsets[hosts->starts[first]];
    size->graphs = end - first;
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
        pvgi_block_size size;
        graph = end_of_block(&size, all, graph);
        nodes += size.nodes;
        all->small_nodes += size.nodes;
        all->block.nodes = larger(all->block.nodes, size.nodes);
        all->block.arcs = larger(all->block.arcs, size.arcs);
        all->block.graphs = larger(all->block.graphs, size.graphs);
    }
    if (graph > all->chunk[all->chunks]) all->chunk[++all->chunks] = graph;
}

/* --- workers -------------------------------------------------------------------- */

static bool uses_elim(const job *all) {
    return !all->without_elim && all->density->components > all->density->trees;
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
    if (!one->values || !one->known) return pvgi_fail_nomem();
    for (int32_t i = 0; i < POWER_PLACES; i++) one->known[i].order = -1;
    PVGI_TRY(pvgi_density_tree_scratch_new(&one->tree, density->tree_plan, all->block));
    if (!uses_elim(all)) return PVG_OK;
    if (all->cycles > 0) {
        elim_limit = elim_limit / 2 + elim_limit % 2;
        PVGI_TRY(pvgi_density_elim_scratch_new(&one->elim_rest, density->elim_plan,
                                               elim_limit));
        pvgi_density_elim_skip_cycles(one->elim_rest, !density->config.cycle_eigenvalues);
    }
    return pvgi_density_elim_scratch_new(&one->elim, density->elim_plan, elim_limit);
}

static void free_workers(job *all) {
    for (uint32_t i = 0; all->workers && i < all->worker_count; i++) {
        worker *one = &all->workers[i];
        pvgi_density_tree_scratch_free(&one->tree);
        pvgi_density_elim_scratch_free(one->elim);
        pvgi_density_elim_scratch_free(one->elim_rest);
        pvgi_free(one->values);
        pvgi_free(one->known);
    }
    pvgi_free(all->workers);
}

/* Checks the limit, then allocates. `beside` bytes are used by the caller. */
static int32_t make_workers(job *all, size_t beside, const pvgi_run *run) {
    const pvg_density *density = all->density;
    all->worker_count = pvgi_run_workers(run, all->chunks);
    size_t bytes = pvgi_density_tree_scratch_bytes(density->tree_plan, all->block);
    bytes = pvgi_size_add(bytes, values_bytes(all));
    bytes = pvgi_size_add(bytes, POWER_PLACES * sizeof(powers) + sizeof(worker));
    bytes = pvgi_size_add(pvgi_size_mul(bytes, all->worker_count), beside);
    if (all->largest > 0 && density->trees > 0)
        bytes = pvgi_size_add(bytes, pvgi_density_tree_large_bytes(density->tree_plan,
                                                                   all->largest,
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

/* --- cycles by dense matrices ---------------------------------------------------- */

static pvgi_host host_of(const pvgi_hosts *hosts, int64_t graph) {
    return (pvgi_host){order_of(hosts, graph), hosts->starts[graph], hosts->offsets,
                       hosts->columns};
}

/* Whether the cycles of a graph are counted beforehand, in the calling thread. */
static bool knows_cycles(const job *all, int64_t graph) {
    if (all->cycles == 0) return false;
    if (all->density->config.cycle_eigenvalues)
        return pvgi_density_eigen_fits(order_of(all->hosts, graph));
    const pvgi_host host = host_of(all->hosts, graph);
    return pvgi_density_dense_fits(&host, all->longest_cycle);
}

/* Lists the cycles among the components; *bytes grows by what is allocated. */
static int32_t list_cycles(job *all, size_t *bytes, const pvgi_run *run) {
    const pvg_density *density = all->density;
    const int64_t components = density->components - density->trees;
    *bytes = pvgi_size_add(*bytes, pvgi_size_mul((size_t)components, 8));
    PVGI_TRY(pvgi_run_reserve(run, *bytes));
    all->cycle = pvgi_alloc((size_t)components, sizeof *all->cycle);
    all->cycle_length = pvgi_alloc((size_t)components, sizeof *all->cycle_length);
    if (!all->cycle || !all->cycle_length) return pvgi_fail_nomem();
    for (int64_t i = 0; i < components; i++) {
        const int32_t length = pvgi_density_elim_cycle(
            density->elim_plan, i, !density->config.cycle_eigenvalues);
        if (length == 0) continue;
        all->cycle_length[all->cycles] = length;
        if (length > all->longest_cycle) all->longest_cycle = length;
        all->cycle[all->cycles++] = (int32_t)(density->trees + i);
    }
    return PVG_OK;
}

static int32_t count_cycles_of(job *all, int64_t graph, double *scratch) {
    const pvgi_host host = host_of(all->hosts, graph);
    double *counts = all->cycle_count + graph * all->cycles;
    if (all->density->config.cycle_eigenvalues)
        return pvgi_density_eigen_cycles(counts, all->cycle_length, all->cycles, &host,
                                         scratch);
    pvgi_density_dense_cycles(counts, all->cycle_length, all->cycles, all->longest_cycle,
                              &host, scratch);
    return PVG_OK;
}

/* Counts them in every graph that is fit for it, in the calling thread. Dense products
 * give the same counts as the sparse way, so they are left out where the scratch limit is
 * too small. */
static int32_t count_cycles(job *all, size_t *bytes, pvgi_run *run) {
    const pvgi_hosts *hosts = all->hosts;
    const bool eigenvalues = all->density->config.cycle_eigenvalues != 0;
    int64_t most = 0;
    if (!uses_elim(all)) return PVG_OK;
    PVGI_TRY(list_cycles(all, bytes, run));
    for (int64_t graph = 0; graph < hosts->count; graph++)
        if (knows_cycles(all, graph)) most = larger(most, order_of(hosts, graph));
    const size_t counts = pvgi_size_mul((size_t)(hosts->count * all->cycles), 8);
    const size_t scratch_bytes =
        eigenvalues ? pvgi_density_eigen_bytes(most) : pvgi_density_dense_bytes(most);
    const size_t needed = pvgi_size_add(pvgi_size_add(*bytes, counts), scratch_bytes);
    const uint64_t limit = run->config.scratch_limit;
    if (most == 0 || (!eigenvalues && limit != 0 && needed > limit / 2)) {
        all->cycles = 0;
        return PVG_OK;
    }
    PVGI_TRY(pvgi_run_reserve(run, needed));
    *bytes = pvgi_size_add(*bytes, counts);
    all->cycle_count = pvgi_alloc(counts, 1);
    double *scratch = pvgi_alloc(scratch_bytes, 1);
    int32_t status = all->cycle_count && scratch ? PVG_OK : pvgi_fail_nomem();
    for (int64_t graph = 0; graph < hosts->count && status == PVG_OK; graph++) {
        if (!knows_cycles(all, graph)) continue;
        status = pvgi_run_report(run, 0.0);
        if (status == PVG_OK) status = count_cycles_of(all, graph, scratch);
    }
    pvgi_free(scratch);
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

static void combine(double *out, const pvg_density *density, const double *values,
                    const double *power, int64_t order) {
    for (int64_t i = 0; i < density->count; i++) {
        const pvgi_term *term = &density->term[i];
        const int32_t *part = density->part + term->first;
        double product = 1.0;
        for (int32_t j = 0; j < term->parts; j++) product *= values[part[j]];
        out[i] = order > 0 ? product / power[term->order] : 0.0;
    }
}

/* Adds the components with cycles to a row of values, and uses it. */
static int32_t finish_graph(job *all, worker *one, int64_t graph, double *values) {
    const pvg_density *density = all->density;
    const int64_t order = order_of(all->hosts, graph);
    if (uses_elim(all)) {
        const pvgi_host host = host_of(all->hosts, graph);
        const bool known = knows_cycles(all, graph);
        PVGI_TRY(pvgi_density_elim_count(values + density->trees, density->elim_plan,
                                         &host, known ? one->elim_rest : one->elim));
        for (int64_t i = 0; i < all->cycles && known; i++)
            values[all->cycle[i]] = all->cycle_count[graph * all->cycles + i];
    }
    if (all->values)
        memcpy(all->values + graph * density->components, values,
               (size_t)(all->without_elim ? density->trees : density->components) *
                   sizeof *values);
    if (all->densities)
        combine(all->densities + graph * density->count, density, values,
                powers_of(one, density, order), order);
    return PVG_OK;
}

static int32_t run_chunk(void *context, int64_t chunk, uint32_t number) {
    job *all = context;
    worker *one = &all->workers[number];
    const pvg_density *density = all->density;
    int64_t graph = all->chunk[chunk];
    if (is_large(all, graph)) return PVG_OK;
    while (graph < all->chunk[chunk + 1]) {
        pvgi_block_size size;
        const int64_t end = end_of_block(&size, all, graph);
        if (density->trees > 0)
            pvgi_density_tree_block(one->values, density->components, density->tree_plan,
                                    all->kernels, all->hosts, graph, end, &one->tree);
        for (double *values = one->values; graph < end;
             graph++, values += density->components)
            PVGI_TRY(finish_graph(all, one, graph, values));
    }
    return PVG_OK;
}

static void enter_phase(const job *all, pvgi_run *run, double start, double share) {
    pvgi_run_phase(run, all->phase_start + all->phase_share * start,
                   all->phase_share * share);
}

static int32_t run_large(job *all, pvgi_run *run) {
    const pvgi_hosts *hosts = all->hosts;
    const double nodes = (double)(hosts->starts[hosts->count] - hosts->starts[0]);
    double done = (double)all->small_nodes;
    for (int64_t graph = 0; graph < hosts->count; graph++) {
        if (!is_large(all, graph)) continue;
        const pvgi_host host = {order_of(hosts, graph), hosts->starts[graph],
                                hosts->offsets, hosts->columns};
        enter_phase(all, run, done / nodes, (double)host.order / nodes);
        if (all->density->trees > 0)
            PVGI_TRY(pvgi_density_tree_large(all->workers[0].values, NULL,
                                             all->density->tree_plan, all->kernels, &host,
                                             run));
        PVGI_TRY(finish_graph(all, &all->workers[0], graph, all->workers[0].values));
        done += (double)host.order;
    }
    return PVG_OK;
}

/* --- all
 * -------------------------------------------------------------------------------------
 */

/* Where nothing can fail once work has begun, results go straight to the caller. */
static bool is_safe(const job *all, const pvgi_run *run) {
    return !uses_elim(all) && !run->config.progress && all->largest == 0;
}

static int32_t run_job(job *all, double **aside, pvgi_run *run) {
    const int64_t nodes = all->hosts->starts[all->hosts->count] - all->hosts->starts[0];
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
    PVGI_TRY(count_cycles(all, &bytes, run));
    PVGI_TRY(make_workers(all, bytes, run));
    enter_phase(all, run, 0.0, nodes ? (double)all->small_nodes / (double)nodes : 1.0);
    PVGI_TRY(pvgi_run_chunks(run, all->chunks, run_chunk, all));
    return all->largest > 0 ? run_large(all, run) : PVG_OK;
}

int32_t pvgi_density_evaluate(double *densities, double *values, bool without_elim,
                              const pvg_density *density, const pvgi_hosts *hosts,
                              const pvgi_density_tuning *tuning, pvgi_run *run) {
    job all = {.density = density,
               .hosts = hosts,
               .kernels = pvgi_density_tree_kernels(tuning->level),
               .tuning = *tuning,
               .densities = densities,
               .values = values,
               .without_elim = without_elim,
               .phase_start = run->phase_start,
               .phase_share = run->phase_share};
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
    free_workers(&all);
    return status;
}
