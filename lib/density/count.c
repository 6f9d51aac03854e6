/* Exact counts. All components are counted in doubles first; a result below 2^53 is exact
 * (see tree/exact.c, elim/dense.inc). Larger trees are counted again modulo 2^64, which
 * together with the doubles tells counts up to about 2^100 (tree/residue.c); those beyond
 * and components with cycles in 128-bit integers. Of a program for trees only what the
 * trees in question need is run again. */
#include "density_internal.h"

#include <math.h>
#include <string.h>

enum { CHUNK_GRAPHS = 64 };

static const double EXACT_BELOW = 9007199254740992.0; /* 2^53 */

typedef struct {
    pvgi_u128 *counts;         /* components */
    pvgi_u128 *products;       /* quotients of the density, before they are divided */
    pvgi_u128 *columns;        /* of trees in 128 bits */
    pvgi_tree_scratch residue; /* of trees modulo 2^64 */
    double *residues;          /* trees, as uint64_t */
    uint8_t *kinds;            /* of trees */
    uint8_t *marks;            /* of steps */
    bool *live;                /* slots */
    double *known; /* counts of components with cycles; not a number: too large */
    pvgi_elim_scratch *elim;
} worker;

typedef struct {
    const pvg_density *density;
    const pvgi_hosts *hosts;
    const double *values; /* graphs x components */
    uint64_t *low, *high;
    bool narrow;             /* 64 bits must do */
    int32_t parts, isolated; /* of a pattern, at most */
    const pvgi_tree_kernels *kernels;
    int64_t chunks;
    pvgi_run *run;
    _Atomic bool stop;
    worker *workers;
    uint32_t worker_count;
    uint64_t *aside[2]; /* results that may yet fail, or NULL */
    bool again;         /* components with cycles are counted again somewhere */
} job;

static pvgi_host host_of(const pvgi_hosts *hosts, int64_t graph) {
    return (pvgi_host){hosts->starts[graph + 1] - hosts->starts[graph],
                       hosts->starts[graph], hosts->offsets, hosts->columns};
}

/* How the count of a tree is known. */
enum { BY_DOUBLE, BY_RESIDUE, BY_INTEGERS };
typedef struct {
    int64_t residues, integers; /* trees of a graph of these kinds */
} histogram;

static int64_t highest_degree(const pvgi_hosts *hosts, int64_t graph) {
    const int64_t *offsets = hosts->offsets;
    int64_t degree = 0;
    for (int64_t v = hosts->starts[graph]; v < hosts->starts[graph + 1]; v++)
        if (offsets[v + 1] - offsets[v] > degree) degree = offsets[v + 1] - offsets[v];
    return degree;
}

/* kinds: of the trees of a graph; may be NULL. */
static histogram sort_trees(uint8_t *kinds, const job *all, int64_t graph) {
    const pvg_density *density = all->density;
    const double *values = all->values + graph * density->components;
    const int64_t order = all->hosts->starts[graph + 1] - all->hosts->starts[graph];
    histogram found = {0};
    double largest = 0;
    if (kinds) memset(kinds, BY_DOUBLE, (size_t)density->trees);
    for (int64_t i = 0; i < density->trees; i++)
        if (!(values[i] <= largest)) largest = values[i];
    if (largest < EXACT_BELOW) return found;
    /* no tree has more than 33 n roundings: what this bound tells needs no other */
    const bool sure = pvgi_density_tree_is_told(largest, 66 * (double)order * 0x1p-53);
    const int64_t degree = sure ? 0 : highest_degree(all->hosts, graph);
    for (int64_t i = 0; i < density->trees; i++) {
        if (values[i] < EXACT_BELOW) continue;
        const bool told =
            sure || pvgi_density_tree_is_told(
                        values[i], pvgi_density_count_error(density, i, order, degree));
        if (kinds) kinds[i] = told ? BY_RESIDUE : BY_INTEGERS;
        if (told)
            found.residues++;
        else
            found.integers++;
    }
    return found;
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

/* Trees whose doubles tell their counts together with residues. */
static void count_residues(const job *all, worker *one, int64_t graph) {
    const pvg_density *density = all->density;
    const double *values = all->values + graph * density->components;
    typedef uint64_t element __attribute__((may_alias));
    const element *residues = (const element *)one->residues;
    pvgi_density_tree_mark(one->marks, &density->tree_plan->narrow, one->kinds,
                           BY_RESIDUE, one->live);
    pvgi_density_tree_block(one->residues, density->trees, density->tree_plan,
                            all->kernels, all->hosts, graph, graph + 1, one->marks,
                            &one->residue);
    for (int64_t i = 0; i < density->trees; i++)
        if (one->kinds[i] == BY_RESIDUE)
            one->counts[i] = pvgi_density_tree_complete(values[i], residues[i]);
}

static int32_t count_integers(const job *all, worker *one, int64_t graph) {
    const pvg_density *density = all->density;
    const pvgi_host host = host_of(all->hosts, graph);
    int64_t which = -1;
    pvgi_density_tree_mark(one->marks, &density->tree_plan->narrow, one->kinds,
                           BY_INTEGERS, one->live);
    if (pvgi_density_tree_exact(one->counts, &which, density->tree_plan, one->marks,
                                &host, one->columns) != PVG_OK)
        return fail_component(all, graph, which);
    return PVG_OK;
}

static int32_t count_components(const job *all, worker *one, int64_t graph) {
    const pvg_density *density = all->density;
    const double *values = all->values + graph * density->components;
    const histogram found = sort_trees(one->kinds, all, graph);
    for (int64_t i = 0; i < density->trees; i++)
        if (one->kinds[i] == BY_DOUBLE) one->counts[i] = (pvgi_u128)(uint64_t)values[i];
    if (found.residues > 0) count_residues(all, one, graph);
    if (found.integers > 0) PVGI_TRY(count_integers(all, one, graph));
    return density->components > density->trees ? count_cyclic(all, one, graph) : PVG_OK;
}

/* Whether the counts of all patterns in a graph surely fit: none has more parts than one,
 * nor more isolated vertices than another. */
static bool fits(const job *all, int64_t graph) {
    const pvg_density *density = all->density;
    const double *values = all->values + graph * density->components;
    const double order =
        (double)(all->hosts->starts[graph + 1] - all->hosts->starts[graph]);
    double largest = 1, bound = 1;
    for (int64_t i = 0; i < density->components; i++)
        if (!(values[i] <= largest)) largest = values[i];
    for (int32_t i = 0; i < all->parts; i++) bound *= largest;
    for (int32_t i = 0; i < all->isolated && order > 1; i++) bound *= order;
    return bound < (all->narrow ? 0x1p62 : 0x1p126); /* rounded, but not by a factor 2 */
}

static void put_count(const job *all, int64_t cell, pvgi_u128 count) {
    all->low[cell] = (uint64_t)count;
    if (!all->narrow) all->high[cell] = (uint64_t)(count >> 64);
}

/* Every pattern from its parts, where nothing overflows: those that are alike once. */
static void multiply_parts(const job *all, worker *one, int64_t graph, int64_t order) {
    const pvg_density *density = all->density;
    for (int64_t k = 0; k < density->quotients; k++) {
        const pvgi_term *term = &density->term[density->divided[k]];
        pvgi_u128 product = order > 0;
        for (int32_t j = 0; j < term->parts; j++)
            product *= one->counts[density->part[term->first + j]];
        one->products[k] = product;
    }
    for (int64_t i = 0; i < density->count; i++) {
        pvgi_u128 count = one->products[density->quotient[i]];
        for (int32_t j = density->term[i].isolated; j > 0; j--) count *= (pvgi_u128)order;
        put_count(all, graph * density->count + i, count);
    }
}

static int32_t count_graph(const job *all, worker *one, int64_t graph) {
    const pvg_density *density = all->density;
    const int64_t order = all->hosts->starts[graph + 1] - all->hosts->starts[graph];
    PVGI_TRY(count_components(all, one, graph));
    if (fits(all, graph)) {
        multiply_parts(all, one, graph, order);
        return PVG_OK;
    }
    for (int64_t i = 0; i < density->count; i++) {
        pvgi_u128 count;
        if (!pvgi_density_term_product(&count, density, i, one->counts, order) ||
            (all->narrow && count >> 64 != 0))
            return fail_pattern(all, graph, i);
        put_count(all, graph * density->count + i, count);
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
        const histogram found = sort_trees(NULL, all, i);
        if (found.integers > 0 && nodes > order) order = nodes;
        if (found.residues > 0 && nodes > residue->nodes) residue->nodes = nodes;
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
    const size_t quotients = (size_t)density->quotients;
    size_t bytes =
        pvgi_size_mul(pvgi_size_add(words, count + quotients), sizeof(pvgi_u128));
    bytes = pvgi_size_add(bytes, 2 * count * sizeof(double) + sizeof(worker));
    const pvgi_tree_program *program = &density->tree_plan->narrow;
    const size_t steps = (size_t)program->steps, slots = (size_t)program->slots;
    bytes = pvgi_size_add(bytes, count + steps + slots * sizeof(bool));
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
        one->products = pvgi_alloc(quotients, sizeof *one->products);
        one->columns = pvgi_alloc(words, sizeof *one->columns);
        one->known = pvgi_alloc(count, sizeof *one->known);
        one->residues = pvgi_alloc(count, sizeof *one->residues);
        one->kinds = pvgi_alloc(count, sizeof *one->kinds);
        one->marks = pvgi_alloc(steps, sizeof *one->marks);
        one->live = pvgi_alloc(slots, sizeof *one->live);
        if (!one->counts || !one->products || !one->columns || !one->known ||
            !one->residues || !one->kinds || !one->marks || !one->live)
            return pvgi_fail_nomem();
        if (residue.nodes > 0) {
            PVGI_TRY(pvgi_density_tree_scratch_new(&one->residue, density->tree_plan,
                                                   residue));
            pvgi_density_tree_set_ones(&one->residue);
        }
        if (all->again)
            PVGI_TRY(pvgi_density_elim_scratch_new(&one->elim, density->elim_plan,
                                                   elim_limit));
    }
    return PVG_OK;
}

static void free_workers(job *all) {
    for (uint32_t i = 0; all->workers && i < all->worker_count; i++) {
        pvgi_free(all->workers[i].counts);
        pvgi_free(all->workers[i].products);
        pvgi_free(all->workers[i].columns);
        pvgi_free(all->workers[i].known);
        pvgi_free(all->workers[i].residues);
        pvgi_free(all->workers[i].kinds);
        pvgi_free(all->workers[i].marks);
        pvgi_free(all->workers[i].live);
        pvgi_density_tree_scratch_free(&all->workers[i].residue);
        pvgi_density_elim_scratch_free(all->workers[i].elim);
    }
    pvgi_free(all->workers);
}

/* True if doubles may have rounded a component with cycles. */
static bool is_rounded(const job *all) {
    const pvg_density *density = all->density;
    for (int64_t graph = 0; graph < all->hosts->count; graph++) {
        const double *values = all->values + graph * density->components;
        for (int64_t i = density->trees; i < density->components; i++)
            if (!(values[i] < EXACT_BELOW)) return true;
    }
    return false;
}

/* Where nothing can fail once work has begun, results go straight to the caller. */
static bool is_safe(const job *all, const pvgi_run *run) {
    if (all->again || run->config.progress) return false;
    for (int64_t graph = 0; graph < all->hosts->count; graph++)
        if (!fits(all, graph)) return false;
    return true;
}

/* From the doubles to the end. beside: bytes in use. */
static int32_t count_all(job *all, uint64_t *low, uint64_t *high, size_t beside,
                         pvgi_run *run) {
    const size_t cells =
        pvgi_size_mul((size_t)all->hosts->count, (size_t)all->density->count);
    all->again = is_rounded(all);
    const bool safe = is_safe(all, run);
    all->low = low;
    all->high = high;
    if (!safe) {
        beside =
            pvgi_size_add(beside, pvgi_size_mul(cells, (high ? 2 : 1) * sizeof *low));
        PVGI_TRY(pvgi_run_reserve(run, beside));
        all->low = all->aside[0] = pvgi_alloc(cells, sizeof *low);
        all->high = all->aside[1] = pvgi_alloc(high ? cells : 0, sizeof *high);
        if (!all->low || !all->high) return pvgi_fail_nomem();
    }
    PVGI_TRY(make_workers(all, beside, run, all->chunks));
    if (all->chunks == 1) { /* few graphs: threads share each of them */
        if (all->workers[0].elim) pvgi_density_elim_set_crew(all->workers[0].elim, run);
        PVGI_TRY(run_chunk(all, 0, 0));
    } else {
        PVGI_TRY(pvgi_run_chunks(run, all->chunks, run_chunk, all));
    }
    if (safe) return PVG_OK;
    memcpy(low, all->low, cells * sizeof *low);
    if (high) memcpy(high, all->high, cells * sizeof *high);
    return PVG_OK;
}

int32_t pvgi_density_count(uint64_t *low, uint64_t *high, const pvg_density *density,
                           const pvgi_hosts *hosts, const pvgi_density_tuning *tuning,
                           pvgi_run *run) {
    const size_t numbers =
        pvgi_size_mul((size_t)hosts->count, (size_t)density->components);
    const size_t beside = pvgi_size_mul(numbers, sizeof(double));
    job all = {.density = density,
               .hosts = hosts,
               .narrow = !high,
               .kernels = pvgi_density_tree_residue_kernels(tuning->level),
               .chunks = (hosts->count + CHUNK_GRAPHS - 1) / CHUNK_GRAPHS,
               .run = run};
    for (int64_t i = 0; i < density->count; i++) {
        const pvgi_term *term = &density->term[i];
        if (term->parts > all.parts) all.parts = term->parts;
        if (term->isolated > all.isolated) all.isolated = term->isolated;
    }
    PVGI_TRY(pvgi_run_reserve(run, beside));
    double *values = pvgi_alloc(numbers, sizeof *values);
    if (!values) return pvgi_fail_nomem();
    all.values = values;
    pvgi_run inner = pvgi_run_part(run, beside, 0.0, 0.5);
    int32_t status =
        pvgi_density_evaluate(NULL, values, false, density, hosts, tuning, &inner);
    if (status == PVG_OK) {
        pvgi_run_join(run, &inner);
        pvgi_run_phase(run, 0.5, 0.5);
        status = count_all(&all, low, high, beside, run);
    }
    pvgi_free(values);
    pvgi_free(all.aside[0]);
    pvgi_free(all.aside[1]);
    free_workers(&all);
    return status;
}
