/* What single edges contribute: hom(F, G + uv) - hom(F, G - uv), in exact integers.
 *
 * A homomorphism of a connected pattern on m vertices that uses the edge uv stays within
 * distance m - 2 of it. So the difference for a component is counted on the subgraph
 * induced by that neighbourhood, once with the edge and once without. For a pattern in
 * several pieces, the products with and without the edge are subtracted. */
#include "density_internal.h"

#include <string.h>

enum { ABSENT = -1 };

typedef struct {
    int32_t *place;    /* node -> its number in the neighbourhood, or ABSENT */
    int32_t *nodes;    /* the neighbourhood */
    int32_t *distance; /* of each from the edge */
    int64_t *offsets;
    int32_t *columns;
    pvgi_u128 *words; /* columns of the tree engine, grown as needed */
    size_t word_count;
    pvgi_u128 *with, *without;
    pvgi_elim_scratch *elim;
} worker;

typedef struct {
    const pvg_density *density;
    const pvg_graph *graph;
    const int64_t *sources, *targets;
    const pvgi_u128 *whole; /* counts in the graph as it is; NULL if not needed */
    uint64_t *low, *high;
    bool narrow;
    const pvgi_run *run;
    size_t fixed; /* bytes in use beside the words */
    worker *workers;
    uint32_t worker_count;
} job;

/* --- the neighbourhood ---------------------------------------------------------- */

static int64_t gather(worker *one, const pvg_graph *graph, int64_t u, int64_t v,
                      int32_t radius) {
    int64_t count = 0;
    const int64_t ends[2] = {u, v};
    for (int32_t i = 0; i < 2; i++) {
        one->place[ends[i]] = (int32_t)count;
        one->distance[count] = 0;
        one->nodes[count++] = (int32_t)ends[i];
    }
    for (int64_t i = 0; i < count && one->distance[i] < radius; i++) {
        const int32_t node = one->nodes[i];
        for (int64_t k = graph->offsets[node]; k < graph->offsets[node + 1]; k++) {
            const int32_t next = graph->columns[k];
            if (one->place[next] != ABSENT) continue;
            one->place[next] = (int32_t)count;
            one->distance[count] = one->distance[i] + 1;
            one->nodes[count++] = next;
        }
    }
    return count;
}

/* Rows of the neighbourhood; nodes 0 and 1 are joined exactly if `joined`. */
static pvgi_host make_host(worker *one, const pvg_graph *graph, int64_t count,
                           bool joined) {
    int64_t at = 0;
    for (int64_t i = 0; i < count; i++) {
        const int32_t node = one->nodes[i];
        one->offsets[i] = at;
        if (i < 2 && joined) one->columns[at++] = (int32_t)(1 - i);
        for (int64_t k = graph->offsets[node]; k < graph->offsets[node + 1]; k++) {
            const int32_t next = one->place[graph->columns[k]];
            if (next == ABSENT || (i < 2 && next < 2)) continue;
            one->columns[at++] = next;
        }
        pvgi_graph_row_sort(one->columns + one->offsets[i], at - one->offsets[i]);
    }
    one->offsets[count] = at;
    return (pvgi_host){count, 0, one->offsets, one->columns};
}

/* --- counting ------------------------------------------------------------------- */

static int32_t grow_words(const job *all, worker *one, int64_t order) {
    const size_t need = pvgi_size_mul(
        pvgi_density_tree_exact_columns(all->density->tree_plan), (size_t)order + 1);
    if (need <= one->word_count) return PVG_OK;
    const size_t bytes = pvgi_size_mul(need, sizeof *one->words);
    PVGI_TRY(pvgi_run_reserve(
        all->run, pvgi_size_add(all->fixed, pvgi_size_mul(bytes, all->worker_count))));
    pvgi_free(one->words);
    one->word_count = 0;
    one->words = pvgi_alloc(bytes, 1);
    if (!one->words) return pvgi_fail_nomem();
    one->word_count = need;
    return PVG_OK;
}

/* Counts of all components; *which as the engines tell, counted over all components. */
static int32_t count_host(pvgi_u128 *counts, int64_t *which, const job *all, worker *one,
                          const pvgi_host *host) {
    const pvg_density *density = all->density;
    *which = -1;
    PVGI_TRY(grow_words(all, one, host->order));
    PVGI_TRY(pvgi_density_tree_exact(counts, which, density->tree_plan, NULL, host,
                                     one->words));
    if (!one->elim) return PVG_OK;
    const int32_t status = pvgi_density_elim_count_exact(
        counts + density->trees, which, NULL, density->elim_plan, host, one->elim);
    if (*which >= 0) *which += density->trees;
    return status;
}

/* Count of a pattern with the edge minus without; false if it does not fit. */
static bool subtract(pvgi_u128 *out, const job *all, const worker *one, int64_t index,
                     bool joined) {
    const pvg_density *density = all->density;
    const pvgi_term *term = &density->term[index];
    const int32_t *part = term->parts > 0 ? density->part + term->first : NULL;
    const int64_t order = all->graph->order;
    if (term->parts == 1) {
        *out = one->with[part[0]] - one->without[part[0]];
        for (int32_t j = 0; j < term->isolated && *out != 0; j++)
            if (!pvgi_density_times(out, (pvgi_u128)order)) return false;
        return true;
    }
    pvgi_u128 with = 1, without = 1; /* isolated vertices alone: no difference */
    for (int32_t j = 0; j < term->parts; j++) {
        const pvgi_u128 change = one->with[part[j]] - one->without[part[j]];
        pvgi_u128 more = all->whole[part[j]], less = more;
        if (joined)
            less -= change;
        else if (__builtin_add_overflow(more, change, &more))
            return false;
        if (more == 0) { /* then all is 0, with the edge and without */
            *out = 0;
            return true;
        }
        if (!pvgi_density_times(&with, more)) return false;
        without *= less;
    }
    *out = with - without;
    for (int32_t j = 0; j < term->isolated && *out != 0; j++)
        if (!pvgi_density_times(out, (pvgi_u128)order)) return false;
    return true;
}

static int32_t fail_pair(const job *all, int64_t pair, int64_t pattern) {
    return pvgi_fail(PVG_E_LIMIT,
                     "pattern %lld at pair %lld: a count does not fit in %d bits",
                     (long long)pattern, (long long)pair, all->narrow ? 64 : 128);
}

static int32_t fail_component(const job *all, int64_t pair, int64_t component) {
    const pvg_density *density = all->density;
    for (int64_t i = 0; i < density->count; i++)
        for (int32_t j = 0; j < density->term[i].parts; j++)
            if (density->part[density->term[i].first + j] == component)
                return fail_pair(all, pair, i);
    return pvgi_fail(PVG_E_INTERNAL, "density: component without a pattern");
}

static int32_t count_pair(const job *all, worker *one, int64_t pair) {
    const int64_t u = all->sources[pair], v = all->targets[pair];
    const int64_t count = gather(one, all->graph, u, v, all->density->largest - 2);
    int32_t status = PVG_OK;
    for (int32_t joined = 0; joined < 2 && status == PVG_OK; joined++) {
        int64_t which;
        const pvgi_host host = make_host(one, all->graph, count, joined == 1);
        status = count_host(joined ? one->with : one->without, &which, all, one, &host);
        if (status == PVG_E_LIMIT && which >= 0)
            status = fail_component(all, pair, which);
    }
    for (int64_t i = 0; i < count; i++) one->place[one->nodes[i]] = ABSENT;
    return status;
}

static int32_t run_pair(void *context, int64_t pair, uint32_t number) {
    const job *all = context;
    worker *one = &all->workers[number];
    const bool joined =
        pvg_graph_has_edge(all->graph, all->sources[pair], all->targets[pair]) == 1;
    PVGI_TRY(count_pair(all, one, pair));
    for (int64_t i = 0; i < all->density->count; i++) {
        pvgi_u128 count;
        if (!subtract(&count, all, one, i, joined) || (all->narrow && count >> 64 != 0))
            return fail_pair(all, pair, i);
        all->low[pair * all->density->count + i] = (uint64_t)count;
        if (!all->narrow)
            all->high[pair * all->density->count + i] = (uint64_t)(count >> 64);
    }
    return PVG_OK;
}

/* --- memory --------------------------------------------------------------------- */

static size_t worker_bytes(const job *all) {
    const size_t order = (size_t)all->graph->order, size = (size_t)all->graph->size;
    return order * (3 * sizeof(int32_t) + sizeof(int64_t)) + sizeof(int64_t) +
           (2 * size + 2) * sizeof(int32_t) +
           2 * (size_t)all->density->components * sizeof(pvgi_u128) + sizeof(worker);
}

static int32_t make_worker(worker *one, const job *all, size_t elim_limit) {
    const pvg_density *density = all->density;
    const size_t order = (size_t)all->graph->order, size = (size_t)all->graph->size;
    const size_t components = (size_t)density->components;
    one->place = pvgi_alloc(order, sizeof *one->place);
    one->nodes = pvgi_alloc(order, sizeof *one->nodes);
    one->distance = pvgi_alloc(order, sizeof *one->distance);
    one->offsets = pvgi_alloc(order + 1, sizeof *one->offsets);
    one->columns = pvgi_alloc(2 * size + 2, sizeof *one->columns);
    one->with = pvgi_alloc(components, sizeof *one->with);
    one->without = pvgi_alloc(components, sizeof *one->without);
    if (!one->place || !one->nodes || !one->distance || !one->offsets || !one->columns ||
        !one->with || !one->without)
        return pvgi_fail_nomem();
    for (size_t i = 0; i < order; i++) one->place[i] = ABSENT;
    if (components == (size_t)density->trees) return PVG_OK;
    return pvgi_density_elim_scratch_new(&one->elim, density->elim_plan, elim_limit);
}

static int32_t make_workers(job *all, int64_t count) {
    const uint64_t limit = all->run->config.scratch_limit;
    all->worker_count = pvgi_run_workers(all->run, count);
    all->fixed =
        pvgi_size_add(all->fixed, pvgi_size_mul(worker_bytes(all), all->worker_count));
    PVGI_TRY(pvgi_run_reserve(all->run, all->fixed));
    const size_t elim_limit =
        limit ? (size_t)(limit - all->fixed) / all->worker_count + 1 : 0;
    all->workers = pvgi_alloc_zero(all->worker_count, sizeof *all->workers);
    if (!all->workers) return pvgi_fail_nomem();
    for (uint32_t i = 0; i < all->worker_count; i++)
        PVGI_TRY(make_worker(&all->workers[i], all, elim_limit));
    return PVG_OK;
}

static void free_workers(job *all) {
    for (uint32_t i = 0; all->workers && i < all->worker_count; i++) {
        worker *one = &all->workers[i];
        pvgi_free(one->place);
        pvgi_free(one->nodes);
        pvgi_free(one->distance);
        pvgi_free(one->offsets);
        pvgi_free(one->columns);
        pvgi_free(one->words);
        pvgi_free(one->with);
        pvgi_free(one->without);
        pvgi_density_elim_scratch_free(one->elim);
    }
    pvgi_free(all->workers);
}

/* Counts in the whole graph, if a pattern in several pieces needs them. */
static int32_t count_whole(job *all, pvgi_u128 *whole) {
    bool needed = false;
    int64_t which;
    for (int64_t i = 0; i < all->density->count; i++)
        needed = needed || all->density->term[i].parts > 1;
    if (!needed) return PVG_OK;
    const pvgi_host host = {all->graph->order, 0, all->graph->offsets,
                            all->graph->columns};
    const int32_t status = count_host(whole, &which, all, &all->workers[0], &host);
    if (status == PVG_E_LIMIT && which >= 0) return fail_component(all, 0, which);
    all->whole = whole;
    return status;
}

int32_t pvgi_density_edges(uint64_t *low, uint64_t *high, const pvg_density *density,
                           const pvg_graph *graph, const int64_t *sources,
                           const int64_t *targets, int64_t count, pvgi_run *run) {
    const size_t cells = pvgi_size_mul((size_t)count, (size_t)density->count);
    const size_t components = (size_t)density->components;
    job all = {.density = density,
               .graph = graph,
               .sources = sources,
               .targets = targets,
               .narrow = !high,
               .run = run};
    int32_t status = PVG_OK;
    all.fixed = pvgi_size_add(pvgi_size_mul(2 * sizeof *low, cells),
                              pvgi_size_mul(components, sizeof(pvgi_u128)));
    PVGI_TRY(pvgi_run_reserve(run, all.fixed));
    pvgi_u128 *whole = pvgi_alloc(components, sizeof *whole);
    all.low = pvgi_alloc(cells, sizeof *low);
    all.high = pvgi_alloc(high ? cells : 0, sizeof *high);
    if (!whole || !all.low || !all.high) {
        status = pvgi_fail_nomem();
        goto done;
    }
    PVGI_TRY_DONE(make_workers(&all, count));
    PVGI_TRY_DONE(count_whole(&all, whole));
    PVGI_TRY_DONE(pvgi_run_chunks(run, count, run_pair, &all));
    memcpy(low, all.low, cells * sizeof *low);
    if (high) memcpy(high, all.high, cells * sizeof *high);
done:
    pvgi_free(whole);
    pvgi_free(all.low);
    pvgi_free(all.high);
    free_workers(&all);
    return status;
}
