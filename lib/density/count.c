/* Exact counts. All components are counted in doubles first; a result below 2^53 is exact
 * (see tree/exact.c, elim/dense.h). The trees of a graph with a larger one are counted
 * again modulo 2^64, which together with the doubles tells the counts up to about 2^100
 * (tree/residue.c), or else, as components with cycles that have a larger one, in 128-bit
 * integers. */
#include "density_internal.h"

#include <math.h>
#include <string.h>

enum { CHUNK_GRAPHS = 64 };

static const double EXACT_BELOW = 9007199254740992.0; /* 2^53 */

typedef struct {
    pvgi_u128 *counts;         /* components */
    pvgi_u128 *columns;        /* of trees in 128 bits */
    pvgi_tree_scratch residue; /* of trees modulo 2^64 */
    double *residues;          /* trees, as uint64_t */
    double *known; /* counts of components with cycles; not a number: too large */
    pvgi_elim_scratch *elim;
} worker;

typedef struct {
    const pvg_density *density;
    const pvgi_hosts *hosts;
    const double *values; /* graphs x components */
    uint64_t *low, *high;
    bool narrow; /* 64 bits must do */
    const pvgi_tree_kernels *kernels;
    int64_t chunks;
    pvgi_run *run;
    _Atomic bool stop;
    worker *workers;
    uint32_t worker_count;
} job;

static pvgi_host host_of(const pvgi_hosts *hosts, int64_t graph) {
    return (pvgi_host){hosts->starts[graph + 1] - hosts->starts[graph],
                       hosts->starts[graph], hosts->offsets, hosts->columns};
}

/* True if doubles may have rounded a tree of this graph. */
static bool is_rounded(const job *all, int64_t graph) {
    const double *values = all->values + graph * all->density->components;
    for (int64_t i = 0; i < all->density->trees; i++)
        if (!(values[i] < EXACT_BELOW)) return true;
    return false;
}

/* True if doubles and residues do not tell a tree of this graph. */
static bool is_huge(const job *all, int64_t graph) {
    const double *values = all->values + graph * all->density->components;
    const int64_t *offsets = all->hosts->offsets, base = all->hosts->starts[graph];
    const int64_t order = all->hosts->starts[graph + 1] - base;
    int64_t degree = 0;
    for (int64_t v = base; v < base + order; v++)
        if (offsets[v + 1] - offsets[v] > degree) degree = offsets[v + 1] - offsets[v];
    for (int64_t i = 0; i < all->density->trees; i++)
        if (!(values[i] < EXACT_BELOW) &&
            !pvgi_density_tree_is_told(
                values[i], pvgi_density_count_error(all->density, i, order, degree)))
            return true;
    return false;
}

static int32_t fail_pattern(const job *all, int64_t graph, int64_t pattern) {
    return pvgi_fail(PVG_E_LIMIT,
                     "pattern %lld in graph %lld: the count does not fit in %d bits",
                     (long long)pattern, (long long)graph, all->narrow ? 64 : 128);
}

/* Names the first pattern that has the component. */
static int32_t fail_component(const job *all, int64_t graph, int64_t component) {
    const pvg_density *density = all->density;
    for (int64_t i = 0; i < density->count; i++)
        for (int32_t j = 0; j < density->term[i].parts; j++)
            if (density->part[density->term[i].first + j] == component)
                return fail_pattern(all, graph, i);
    return pvgi_fail(PVG_E_INTERNAL, "density: component without a pattern");
}

/* Components with cycles. */
static int32_t count_cyclic(const job *all, worker *one, int64_t graph) {
    const pvg_density *density = all->density;
    const double *values = all->values + graph * density->components;
    const pvgi_host host = host_of(all->hosts, graph);
    bool complete = true;
    int64_t which = -1;
    for (int64_t i = density->trees; i < density->components; i++) {
        const bool exact = values[i] < EXACT_BELOW;
        one->known[i - density->trees] = exact ? values[i] : (double)NAN;
        one->counts[i] = exact ? (pvgi_u128)(uint64_t)values[i] : 0;
        complete = complete && exact;
    }
    if (complete) return PVG_OK;
    const int32_t status =
        pvgi_density_elim_count_exact(one->counts + density->trees, &which, one->known,
                                      density->elim_plan, &host, one->elim);
    if (status == PVG_E_LIMIT && which >= 0)
        return fail_component(all, graph, density->trees + which);
    return status;
}

static int32_t count_components(const job *all, worker *one, int64_t graph) {
    const pvg_density *density = all->density;
    const double *values = all->values + graph * density->components;
    const pvgi_host host = host_of(all->hosts, graph);
    int64_t which = -1;
    int32_t status = PVG_OK;
    if (is_rounded(all, graph) && !is_huge(all, graph)) {
        typedef uint64_t element __attribute__((may_alias));
        const element *residues = (const element *)one->residues;
        pvgi_density_tree_block(one->residues, density->trees, density->tree_plan,
                                all->kernels, all->hosts, graph, graph + 1,
                                &one->residue);
        for (int64_t i = 0; i < density->trees; i++)
            one->counts[i] = values[i] < EXACT_BELOW
                                 ? (pvgi_u128)(uint64_t)values[i]
                                 : pvgi_density_tree_complete(values[i], residues[i]);
    } else if (is_rounded(all, graph)) {
        status = pvgi_density_tree_exact(one->counts, &which, density->tree_plan, &host,
                                         one->columns);
        if (status != PVG_OK) return fail_component(all, graph, which);
    } else {
        for (int64_t i = 0; i < density->trees; i++)
            one->counts[i] = (pvgi_u128)(uint64_t)values[i];
    }
    return one->elim ? count_cyclic(all, one, graph) : PVG_OK;
}

static int32_t count_graph(const job *all, worker *one, int64_t graph) {
    const pvg_density *density = all->density;
    const int64_t order = all->hosts->starts[graph + 1] - all->hosts->starts[graph];
    PVGI_TRY(count_components(all, one, graph));
    for (int64_t i = 0; i < density->count; i++) {
        pvgi_u128 count;
        if (!pvgi_density_term_product(&count, density, i, one->counts, order) ||
            (all->narrow && count >> 64 != 0))
            return fail_pattern(all, graph, i);
        all->low[graph * density->count + i] = (uint64_t)count;
        if (!all->narrow) all->high[graph * density->count + i] = (uint64_t)(count >> 64);
    }
    return PVG_OK;
}

static int32_t run_chunk(void *context, int64_t chunk, uint32_t number) {
    job *all = context;
    const int64_t first = chunk * CHUNK_GRAPHS;
    const int64_t end = first + CHUNK_GRAPHS < all->hosts->count ? first + CHUNK_GRAPHS
                                                                 : all->hosts->count;
    const pvgi_elim_watch watch = {number == 0 ? all->run : NULL, &all->stop,
                                   (double)chunk / (double)all->chunks,
                                   1.0 / (double)all->chunks};
    if (all->workers[number].elim)
        pvgi_density_elim_set_watch(all->workers[number].elim, &watch);
    for (int64_t graph = first; graph < end; graph++)
        PVGI_TRY(count_graph(all, &all->workers[number], graph));
    return PVG_OK;
}

/* --- memory --------------------------------------------------------------------- */

/* Sizes of the largest graph that is counted modulo 2^64; words of the columns that the
 * largest one counted in 128 bits needs. 0 if there is none. */
static size_t column_words(const job *all, pvgi_block_size *residue) {
    const pvgi_hosts *hosts = all->hosts;
    int64_t order = 0;
    *residue = (pvgi_block_size){.graphs = 1};
    for (int64_t i = 0; i < hosts->count; i++) {
        const int64_t nodes = hosts->starts[i + 1] - hosts->starts[i];
        if (!is_rounded(all, i)) continue;
        if (is_huge(all, i)) {
            if (nodes > order) order = nodes;
            continue;
        }
        if (nodes > residue->nodes) residue->nodes = nodes;
    }
    return order == 0
               ? 0
               : pvgi_size_mul(pvgi_density_tree_exact_columns(all->density->tree_plan),
                               (size_t)order + 1);
}

static int32_t make_workers(job *all, size_t beside, const pvgi_run *run,
                            int64_t chunks) {
    const pvg_density *density = all->density;
    pvgi_block_size residue;
    const size_t words = column_words(all, &residue), count = (size_t)density->components;
    all->worker_count = pvgi_run_workers(run, chunks);
    size_t bytes = pvgi_size_mul(pvgi_size_add(words, count), sizeof(pvgi_u128));
    bytes = pvgi_size_add(bytes, 2 * count * sizeof(double) + sizeof(worker));
    if (residue.nodes > 0)
        bytes = pvgi_size_add(
            bytes, pvgi_density_tree_scratch_bytes(density->tree_plan, residue));
    bytes = pvgi_size_add(pvgi_size_mul(bytes, all->worker_count), beside);
    PVGI_TRY(pvgi_run_reserve(run, bytes));
    const uint64_t limit = run->config.scratch_limit;
    const size_t elim_limit = limit ? (size_t)(limit - bytes) / all->worker_count + 1 : 0;
    all->workers = pvgi_alloc_zero(all->worker_count, sizeof *all->workers);
    if (!all->workers) return pvgi_fail_nomem();
    for (uint32_t i = 0; i < all->worker_count; i++) {
        worker *one = &all->workers[i];
        one->counts = pvgi_alloc(count, sizeof *one->counts);
        one->columns = pvgi_alloc(words, sizeof *one->columns);
        one->known = pvgi_alloc(count, sizeof *one->known);
        one->residues = pvgi_alloc(count, sizeof *one->residues);
        if (!one->counts || !one->columns || !one->known || !one->residues)
            return pvgi_fail_nomem();
        if (residue.nodes > 0) {
            PVGI_TRY(pvgi_density_tree_scratch_new(&one->residue, density->tree_plan,
                                                   residue));
            pvgi_density_tree_set_ones(&one->residue);
        }
        if (density->components > density->trees)
            PVGI_TRY(pvgi_density_elim_scratch_new(&one->elim, density->elim_plan,
                                                   elim_limit));
    }
    return PVG_OK;
}

static void free_workers(job *all) {
    for (uint32_t i = 0; all->workers && i < all->worker_count; i++) {
        pvgi_free(all->workers[i].counts);
        pvgi_free(all->workers[i].columns);
        pvgi_free(all->workers[i].known);
        pvgi_free(all->workers[i].residues);
        pvgi_density_tree_scratch_free(&all->workers[i].residue);
        pvgi_density_elim_scratch_free(all->workers[i].elim);
    }
    pvgi_free(all->workers);
}

int32_t pvgi_density_count(uint64_t *low, uint64_t *high, const pvg_density *density,
                           const pvgi_hosts *hosts, const pvgi_density_tuning *tuning,
                           pvgi_run *run) {
    const int64_t chunks = (hosts->count + CHUNK_GRAPHS - 1) / CHUNK_GRAPHS;
    const size_t cells = pvgi_size_mul((size_t)hosts->count, (size_t)density->count);
    const size_t numbers =
        pvgi_size_mul((size_t)hosts->count, (size_t)density->components);
    const size_t beside =
        pvgi_size_mul(pvgi_size_add(numbers, pvgi_size_mul(2, cells)), sizeof *low);
    job all = {.density = density,
               .hosts = hosts,
               .narrow = !high,
               .kernels = pvgi_density_tree_residue_kernels(tuning->level),
               .chunks = chunks,
               .run = run};
    int32_t status = PVG_OK;
    PVGI_TRY(pvgi_run_reserve(run, beside));
    double *values = pvgi_alloc(numbers, sizeof *values);
    all.low = pvgi_alloc(cells, sizeof *low);
    all.high = pvgi_alloc(high ? cells : 0, sizeof *high);
    all.values = values;
    if (!values || !all.low || !all.high) {
        status = pvgi_fail_nomem();
        goto done;
    }
    pvgi_run inner = pvgi_run_part(run, beside, 0.0, 0.5);
    status = pvgi_density_evaluate(NULL, values, false, density, hosts, tuning, &inner);
    if (status != PVG_OK) goto done;
    pvgi_run_join(run, &inner);
    pvgi_run_phase(run, 0.5, 0.5);
    PVGI_TRY_DONE(make_workers(&all, beside, run, chunks));
    if (chunks == 1) { /* few graphs: threads share each of them */
        if (all.workers[0].elim) pvgi_density_elim_set_crew(all.workers[0].elim, run);
        status = run_chunk(&all, 0, 0);
        if (all.workers[0].elim) pvgi_density_elim_set_crew(all.workers[0].elim, NULL);
        if (status != PVG_OK) goto done;
    } else {
        PVGI_TRY_DONE(pvgi_run_chunks(run, chunks, run_chunk, &all));
    }
    memcpy(low, all.low, cells * sizeof *low);
    if (high) memcpy(high, all.high, cells * sizeof *high);
done:
    pvgi_free(values);
    pvgi_free(all.low);
    pvgi_free(all.high);
    free_workers(&all);
    return status;
}
