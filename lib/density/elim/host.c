/* What the elimination engine does to a host before counting, and the memory of a worker.
 *
 * Isolated nodes take no part in a connected pattern with an edge. Nodes with the same
 * neighbours can replace each other in every homomorphism, so one node with a weight
 * stands for all of them: hom(F, G) is the sum over maps into the reduced host of the
 * product of the weights of the images. Leaves of one node, the bulk of many real graphs,
 * become one. O(edges) expected. Arcs in triangles and in cliques of four are listed when
 * a pattern has such edges (elim/arcs.c). */
#include "elim_internal.h"

#include <string.h>

/* Where the tables of a pattern of width 3 begin to outgrow a cache, and where what a
 * step clears and opens is small beside what it does (elim/stream.inc,
 * elim/slices.inc). */
enum { STREAM_REACH = 1 << 18, WINDOW_REACH = 1 << 12, SLICES_LEAST = 512 };

/* Rows that fit in a cache, shared with others (elim/grids.inc). */
enum { GRID_CELLS = 1 << 19 };

/* Below so many arcs squares at nodes take a few milliseconds (elim/corners.inc). */
enum { CORNER_ARCS = 1 << 16 };

/* A tuple of wide tries in products of elim/fixed.c: 47 to 580 ns beside .7, measured. */
enum { FIXED_PRICE = 64 };

/* Bytes of helpers from which threads share the wiping of them. */
enum { WIPE_BYTES = 1 << 20 };

/* Hosts of so many nodes of which so many eighths differ are left as they are; a hint of
 * which do is a bit among so many for each. */
enum { PLAIN_ORDER = 1 << 15, PLAIN_EIGHTHS = 7, PLAIN_BITS = 16 };

/* --- memory ------------------------------------------------------------------------ */

bool pvgi_density_elim_has_room(const pvgi_elim_scratch *scratch,
                                const pvgi_elim_buffer *buffer, size_t bytes) {
    if (scratch->limit == 0 || bytes <= buffer->bytes) return true;
    /* while it grows, the old block is still there */
    return scratch->used <= scratch->limit && bytes <= scratch->limit - scratch->used;
}

static void give_up(pvgi_elim_scratch *scratch, pvgi_elim_buffer *buffer) {
    scratch->used -= buffer->bytes;
    pvgi_free(buffer->data);
    *buffer = (pvgi_elim_buffer){NULL, 0};
}

int32_t pvgi_density_elim_need(pvgi_elim_scratch *scratch, pvgi_elim_buffer *buffer,
                               size_t bytes) {
    if (bytes <= buffer->bytes) return PVG_OK;
    size_t larger = buffer->bytes + buffer->bytes / 2;
    if (larger < bytes) larger = bytes;
    if (larger < 512) larger = 512;
    if (!pvgi_density_elim_has_room(scratch, buffer, larger)) larger = bytes;
    if (!pvgi_density_elim_has_room(scratch, buffer, larger) && !scratch->dense_busy)
        give_up(scratch, &scratch->dense);
    if (!pvgi_density_elim_has_room(scratch, buffer, larger))
        return pvgi_fail(PVG_E_LIMIT,
                         "density: tables need more than the scratch limit of %zu bytes",
                         scratch->limit);
    void *data = pvgi_grow(buffer->data, larger, 1);
    if (!data) return pvgi_fail_nomem();
    scratch->used += larger - buffer->bytes;
    buffer->data = data;
    buffer->bytes = larger;
    return PVG_OK;
}

static int32_t add_pool(pvgi_elim_scratch *scratch) {
    if (scratch->pools == scratch->pool_capacity) {
        const int32_t capacity = scratch->pool_capacity ? 2 * scratch->pool_capacity : 64;
        void *pool = pvgi_grow(scratch->pool, (size_t)capacity, sizeof *scratch->pool);
        if (!pool) return pvgi_fail_nomem();
        scratch->pool = pool;
        void *idle = pvgi_grow(scratch->idle, (size_t)capacity, sizeof *scratch->idle);
        if (!idle) return pvgi_fail_nomem();
        scratch->idle = idle;
        scratch->pool_capacity = capacity;
    }
    scratch->pool[scratch->pools] = (pvgi_elim_buffer){NULL, 0};
    scratch->idle[scratch->idles++] = scratch->pools++;
    return PVG_OK;
}

int32_t pvgi_density_elim_take(int32_t *index, pvgi_elim_scratch *scratch, size_t bytes) {
    if (scratch->idles == 0) PVGI_TRY(add_pool(scratch));
    const int32_t taken = scratch->idle[scratch->idles - 1];
    PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->pool[taken], bytes));
    scratch->idles--;
    *index = taken;
    return PVG_OK;
}

void pvgi_density_elim_drop(pvgi_elim_scratch *scratch, pvgi_elim_table *table) {
    while (table->owned > 0)
        scratch->idle[scratch->idles++] = table->buffer[--table->owned];
}

int32_t pvgi_density_elim_scratch_new(pvgi_elim_scratch **out, const pvgi_elim_plan *plan,
                                      size_t byte_limit) {
    *out = NULL;
    pvgi_elim_scratch *scratch = pvgi_alloc_zero(1, sizeof *scratch);
    if (!scratch) return pvgi_fail_nomem();
    scratch->limit = byte_limit;
    scratch->stream_reach = STREAM_REACH;
    scratch->window_reach = WINDOW_REACH;
    scratch->corner_arcs = CORNER_ARCS;
    scratch->fixed_price = FIXED_PRICE;
    scratch->slices_least = SLICES_LEAST;
    scratch->grid_cells = GRID_CELLS;
    scratch->tables = PVGI_ELIM_BASES + plan->steps;
    scratch->table = pvgi_alloc_zero((size_t)scratch->tables, sizeof *scratch->table);
    scratch->live = pvgi_alloc_zero((size_t)scratch->tables, sizeof *scratch->live);
    if (!scratch->table || !scratch->live) {
        pvgi_density_elim_scratch_free(scratch);
        return pvgi_fail_nomem();
    }
    *out = scratch;
    return PVG_OK;
}

static void free_helpers(pvgi_elim_scratch *scratch) {
    for (uint32_t i = 0; i < PVG_THREADS_MAX; i++) {
        pvgi_density_elim_scratch_free(scratch->helper[i]);
        scratch->helper[i] = NULL;
    }
}

void pvgi_density_elim_scratch_free(pvgi_elim_scratch *scratch) {
    if (!scratch) return;
    pvgi_elim_buffer *const own[] = {
        &scratch->start[0],  &scratch->start[1],  &scratch->start[2], &scratch->column[0],
        &scratch->column[1], &scratch->column[2], &scratch->weight,   &scratch->name,
        &scratch->first,     &scratch->hash,      &scratch->row,      &scratch->touched,
        &scratch->slot,      &scratch->dense,     &scratch->axes,     &scratch->part[0],
        &scratch->part[1],   &scratch->part[2],   &scratch->part[3]};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) pvgi_free(own[i]->data);
    for (int32_t i = 0; i < scratch->pools; i++) pvgi_free(scratch->pool[i].data);
    free_helpers(scratch);
    pvgi_free(scratch->pool);
    pvgi_free(scratch->idle);
    pvgi_free(scratch->table);
    pvgi_free(scratch->live);
    pvgi_free(scratch);
}

void pvgi_density_elim_allow_blas(pvgi_elim_scratch *scratch) {
    scratch->blas = true;
}

void pvgi_density_elim_set_watch(pvgi_elim_scratch *scratch,
                                 const pvgi_elim_watch *watch) {
    scratch->watch = *watch;
}

int32_t pvgi_density_elim_report(pvgi_elim_scratch *scratch, double fraction) {
    const pvgi_elim_watch *watch = &scratch->watch;
    int32_t status = PVG_OK;
    if (watch->run)
        status = pvgi_run_report(watch->run, watch->start + watch->share * fraction);
    else if (watch->stop && atomic_load_explicit(watch->stop, memory_order_relaxed))
        status = pvgi_fail(PVG_E_CANCELLED, "cancelled by the progress callback");
    if (status != PVG_OK && watch->stop) atomic_store(watch->stop, true);
    return status;
}

int32_t pvgi_density_elim_look(pvgi_run *run, _Atomic bool *stop) {
    const int32_t status = run ? pvgi_run_report(run, 0.0) : PVG_OK;
    if (status != PVG_OK) atomic_store(stop, true);
    if (!run && atomic_load_explicit(stop, memory_order_relaxed))
        return pvgi_fail(PVG_E_CANCELLED, "cancelled by the progress callback");
    return status;
}

static int32_t free_helper(void *context, int64_t chunk, uint32_t worker) {
    pvgi_elim_scratch *scratch = context;
    (void)worker;
    pvgi_density_elim_scratch_free(scratch->helper[chunk]);
    scratch->helper[chunk] = NULL;
    return PVG_OK;
}

/* Wiping what helpers had takes time too, so the crew that goes does it. */
void pvgi_density_elim_set_crew(pvgi_elim_scratch *scratch, pvgi_run *crew) {
    int64_t helpers = 0;
    size_t bytes = 0;
    while (helpers < PVG_THREADS_MAX && scratch->helper[helpers])
        bytes += scratch->helper[helpers++]->used;
    if (!crew && scratch->crew && bytes >= WIPE_BYTES) {
        pvgi_run quiet = pvgi_run_quiet(scratch->crew);
        (void)pvgi_run_chunks(&quiet, helpers, free_helper, scratch);
    }
    scratch->crew = crew;
}

uint32_t pvgi_density_elim_workers(const pvgi_elim_scratch *scratch, int64_t chunks) {
    return scratch->crew ? pvgi_run_workers(scratch->crew, chunks) : 1;
}

int32_t pvgi_density_elim_begin_helpers(pvgi_elim_scratch *scratch,
                                        const pvgi_elim_plan *plan, uint32_t workers) {
    if (scratch->limit > scratch->used)
        scratch->lent = (scratch->limit - scratch->used) / 2;
    scratch->limit -= scratch->lent;
    for (uint32_t i = 0; i < workers; i++) {
        if (!scratch->helper[i])
            PVGI_TRY(pvgi_density_elim_scratch_new(&scratch->helper[i], plan, 0));
        scratch->helper[i]->limit = scratch->limit ? scratch->lent / workers + 1 : 0;
        scratch->helper[i]->blas = scratch->blas;
        scratch->helper[i]->slices_least = scratch->slices_least;
    }
    return PVG_OK;
}

void pvgi_density_elim_end_helpers(pvgi_elim_scratch *scratch) {
    if (scratch->limit) free_helpers(scratch);
    scratch->limit += scratch->lent;
    scratch->lent = 0;
}

int32_t pvgi_density_elim_fork_stages(pvgi_elim_scratch *scratch,
                                      const pvgi_stage *stages, int32_t count,
                                      void *context, double reached, double share) {
    pvgi_run *crew = scratch->crew;
    if (!crew) {
        for (int32_t s = 0; s < count; s++)
            for (int64_t i = 0; i < stages[s].chunks; i++)
                PVGI_TRY(stages[s].function(context, i, 0));
        return PVG_OK;
    }
    const pvgi_elim_watch *watch = &scratch->watch;
    const pvgi_phase before =
        pvgi_run_enter(crew, watch->start + watch->share * reached, watch->share * share);
    const int32_t status = pvgi_run_stages(crew, stages, count, 1, context);
    pvgi_run_leave(crew, before);
    return status;
}

int32_t pvgi_density_elim_fork(pvgi_elim_scratch *scratch, int64_t chunks,
                               pvgi_chunk_fn function, void *context, double reached,
                               double share) {
    const pvgi_stage stage = {function, chunks, 1.0, NULL};
    return pvgi_density_elim_fork_stages(scratch, &stage, 1, context, reached, share);
}

/* --- merging nodes with the same neighbours ---------------------------------------- */

static uint64_t scramble(uint64_t word) {
    /* neighbours of neighbours differ by little: one multiplication leaves their sums
     * crowded */
    word = (word + 1) * UINT64_C(0x9E3779B97F4A7C15);
    word = (word ^ word >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    return word ^ word >> 31;
}

static int32_t reserve_host(pvgi_elim_scratch *scratch, int64_t order, int64_t arcs,
                            uint64_t *slots) {
    const size_t nodes = (size_t)order + 1;
    for (*slots = 16; *slots < 2 * (uint64_t)order;) *slots *= 2;
    PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->start[0], nodes * 4));
    PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->column[0], (size_t)arcs * 4));
    PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->weight, nodes * 4));
    PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->name, nodes * 4));
    PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->first, nodes * 4));
    PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->hash, *slots * 4));
    return PVG_OK;
}

/* Names every node of the host by the class of its neighbourhood. */
static int32_t name_classes(pvgi_elim_scratch *scratch, const pvgi_host *host,
                            uint64_t slots) {
    int32_t *name = scratch->name.data, *first = scratch->first.data;
    int32_t *weight = scratch->weight.data, *slot = scratch->hash.data;
    const int64_t *offsets = host->offsets + host->base;
    int32_t classes = 0;
    memset(slot, -1, slots * sizeof *slot);
    for (int64_t u = 0; u < host->order; u++) {
        const int32_t *row = host->columns + offsets[u];
        const int64_t degree = offsets[u + 1] - offsets[u];
        name[u] = -1;
        if (degree == 0) continue;
        uint64_t at = 0;
        for (int64_t i = 0; i < degree; i++) at += scramble((uint64_t)row[i]);
        for (;; at++) {
            int32_t *here = &slot[at & (slots - 1)];
            if (*here < 0) {
                *here = classes;
                first[classes] = (int32_t)u;
                weight[classes] = 1;
                name[u] = classes++;
                break;
            }
            const int64_t other = offsets[first[*here]];
            if (offsets[first[*here] + 1] - other != degree ||
                memcmp(host->columns + other, row, (size_t)degree * sizeof *row) != 0)
                continue;
            weight[*here]++;
            name[u] = *here;
            break;
        }
    }
    return classes;
}

/* Rows among the first nodes of the classes; ascending because classes are numbered by
 * them. */
static void write_rows(pvgi_elim_scratch *scratch, const pvgi_host *host,
                       int32_t classes) {
    const int32_t *name = scratch->name.data, *first = scratch->first.data;
    int32_t *start = scratch->start[0].data, *column = scratch->column[0].data;
    const int64_t *offsets = host->offsets + host->base;
    int32_t arcs = 0;
    for (int32_t c = 0; c < classes; c++) {
        start[c] = arcs;
        for (int64_t i = offsets[first[c]]; i < offsets[first[c] + 1]; i++) {
            const int64_t x = host->columns[i] - host->base;
            if (first[name[x]] == x) column[arcs++] = name[x];
        }
    }
    start[classes] = arcs;
    scratch->reduced = (pvgi_elim_reduced){.order = classes,
                                           .arcs = arcs,
                                           .start = start,
                                           .column = column,
                                           .weight = scratch->weight.data,
                                           .name = scratch->name.data};
}

/* --- hosts left as they are -------------------------------------------------------- */

/* Nodes with other first, middle or last neighbours, or another number of them, differ.
 * Whether nearly all do; O(nodes). */
static int32_t nearly_all_differ(bool *differ, pvgi_elim_scratch *scratch, uint64_t bits,
                                 const pvgi_host *host) {
    const int64_t *offsets = host->offsets;
    uint64_t *seen = scratch->hash.data;
    int64_t different = 0, joined = 0;
    memset(seen, 0, bits / 8);
    for (int64_t u = 0; u < host->order; u++) {
        const int64_t degree = offsets[u + 1] - offsets[u];
        const int32_t *row = host->columns + offsets[u];
        if (u % (1 << 18) == 0) PVGI_TRY(pvgi_density_elim_report(scratch, 0.0));
        if (degree == 0) continue;
        uint64_t sign = scramble((uint64_t)degree << 32 | (uint64_t)row[0]);
        sign = scramble(sign ^ (uint64_t)row[degree / 2]);
        sign = scramble(sign ^ (uint64_t)row[degree - 1]) & (bits - 1);
        different += !(seen[sign / 64] >> sign % 64 & 1);
        seen[sign / 64] |= (uint64_t)1 << sign % 64;
        joined++;
    }
    *differ = 8 * different >= PLAIN_EIGHTHS * joined;
    return PVG_OK;
}

/* In a large host without many nodes to merge, merging costs more than it saves: its rows
 * would be written once more. *done: the reduced host is the host. */
static int32_t keep_host(pvgi_elim_scratch *scratch, const pvgi_host *host, bool *done) {
    const size_t nodes = (size_t)host->order + 1;
    uint64_t bits = 64;
    while (bits < PLAIN_BITS * (uint64_t)host->order) bits *= 2;
    PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->hash,
                                    bits / 8 > nodes * 4 ? bits / 8 : nodes * 4));
    PVGI_TRY(nearly_all_differ(done, scratch, bits, host));
    if (!*done) return PVG_OK;
    PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->start[0], nodes * 4));
    PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->weight, nodes * 4));
    int32_t *start = scratch->start[0].data, *weight = scratch->weight.data;
    for (int64_t u = 0; u <= host->order; u++) {
        start[u] = (int32_t)host->offsets[u];
        weight[u] = 1;
    }
    scratch->reduced = (pvgi_elim_reduced){.order = (int32_t)host->order,
                                           .arcs = start[host->order],
                                           .start = start,
                                           .column = host->columns,
                                           .weight = weight};
    return PVG_OK;
}

/* --- what the reduced host contains ------------------------------------------------ */

/* Whether every component has two colours; first and hash serve as colour and stack. */
static bool has_two_colours(pvgi_elim_scratch *scratch) {
    const pvgi_elim_reduced *host = &scratch->reduced;
    int32_t *colour = scratch->first.data, *stack = scratch->hash.data;
    for (int32_t u = 0; u < host->order; u++) colour[u] = -1;
    for (int32_t root = 0; root < host->order; root++) {
        if (colour[root] >= 0) continue;
        int32_t depth = 0;
        colour[root] = 0;
        stack[depth++] = root;
        while (depth > 0) {
            const int32_t u = stack[--depth];
            for (int32_t i = host->start[u]; i < host->start[u + 1]; i++) {
                const int32_t x = host->column[i];
                if (colour[x] == colour[u]) return false;
                if (colour[x] >= 0) continue;
                colour[x] = 1 - colour[u];
                stack[depth++] = x;
            }
        }
    }
    return true;
}

/* Finds whether the host is bipartite, if that tells anything about a pattern. */
static int32_t two_colour(pvgi_elim_scratch *scratch, const pvgi_elim_plan *plan) {
    const size_t bytes = ((size_t)scratch->reduced.order + 1) * sizeof(int32_t);
    bool odd = plan->general;
    for (int64_t i = 0; i < plan->count; i++) odd = odd || !plan->pattern[i].bipartite;
    if (!odd) return PVG_OK;
    PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->first, bytes));
    PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->hash, bytes));
    scratch->reduced.bipartite = has_two_colours(scratch);
    return PVG_OK;
}

static void lend_arcs(pvgi_elim_scratch *scratch, int32_t level, const int32_t *start,
                      const int32_t *column) {
    pvgi_elim_table *table = &scratch->table[level];
    table->arity = 2;
    table->rows = scratch->reduced.order;
    table->start = (int32_t *)start; /* a table that is only read */
    table->column[1] = (int32_t *)column;
    table->value = NULL;
    table->symmetric = true;
    table->count = start[scratch->reduced.order];
    table->state = PVGI_ELIM_THERE;
}

/* Whether a host of at most 64 nodes has a triangle: one word per row. */
static bool small_has_triangle(const pvgi_host *host) {
    uint64_t row[64];
    const int64_t *offsets = host->offsets + host->base;
    for (int64_t u = 0; u < host->order; u++) {
        uint64_t before = 0; /* only towards smaller nodes: triangles u > v > x */
        for (int64_t i = offsets[u]; i < offsets[u + 1]; i++) {
            const int64_t v = host->columns[i] - host->base;
            if (v > u) break;
            if (before & row[v]) return true;
            before |= (uint64_t)1 << v;
        }
        row[u] = before;
    }
    return false;
}

int32_t pvgi_density_elim_reduce(pvgi_elim_scratch *scratch, const pvgi_elim_plan *plan,
                                 const pvgi_host *host) {
    const int64_t *offsets = host->offsets + host->base;
    const int64_t arcs = offsets[host->order] - offsets[0];
    pvgi_elim_reduced *reduced = &scratch->reduced;
    uint64_t slots;
    if (arcs > INT32_MAX)
        return pvgi_fail(PVG_E_LIMIT,
                         "density: a graph with more than %d edges is too "
                         "large for patterns with cycles",
                         INT32_MAX / 2);
    if (plan->clique_least >= 3 && host->order <= 64 && !small_has_triangle(host)) {
        *reduced = (pvgi_elim_reduced){.clique = 2};
        return PVG_OK;
    }
    bool kept = false;
    if (host->order >= PLAIN_ORDER && host->base == 0)
        PVGI_TRY(keep_host(scratch, host, &kept));
    if (!kept) {
        PVGI_TRY(reserve_host(scratch, host->order, arcs, &slots));
        write_rows(scratch, host, name_classes(scratch, host, slots));
    }
    PVGI_TRY(two_colour(scratch, plan));
    lend_arcs(scratch, 0, reduced->start, reduced->column);
    reduced->clique = reduced->arcs > 0 ? 2 : 0;
    if (!plan->general && !reduced->bipartite) { /* counting is as fast as looking */
        reduced->clique = plan->clique;
        return PVG_OK;
    }
    for (int32_t level = 1; level + 2 <= plan->clique && !reduced->bipartite; level++) {
        PVGI_TRY(pvgi_density_elim_keep_arcs(scratch, level - 1));
        lend_arcs(scratch, level, scratch->start[level].data,
                  scratch->column[level].data);
        if (scratch->table[level].count == 0) break;
        reduced->clique = level + 2;
    }
    return PVG_OK;
}

bool pvgi_density_elim_is_zero(const pvgi_elim_pattern *pattern,
                               const pvgi_elim_reduced *reduced) {
    return pattern->clique > reduced->clique ||
           (reduced->bipartite && !pattern->bipartite);
}
