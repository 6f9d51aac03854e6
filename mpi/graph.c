/* Graphs of MPI processes: arcs go to the owner of their row in rounds of bounded memory,
 * rows are cut by blocks of nodes with about as many arcs for each process, and every
 * process learns once which of its rows others borrow.
 *
 * Temporary memory of a process: 48 bytes for each arc of its rows, order / 4 bytes to
 * number the borrowed ones. */
#include "mpi_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUND = 1 << 18, ROW_COST = 8, POLICIES = PVG_EDGES_MERGE | PVG_EDGES_DROP_LOOPS };

static int32_t no_memory(void) {
    return pvgm_fail(PVG_E_NOMEM, "no memory");
}

/* --- arcs --------------------------------------------------------------------------- */

bool pvgm_push(pvgm_arcs *arcs, int64_t row, int64_t column) {
    if (arcs->count == arcs->capacity) {
        const int64_t capacity = arcs->capacity ? 2 * arcs->capacity : 1024;
        int64_t *rows = realloc(arcs->row, (size_t)capacity * sizeof *rows);
        if (rows) arcs->row = rows;
        int64_t *columns = realloc(arcs->column, (size_t)capacity * sizeof *columns);
        if (columns) arcs->column = columns;
        if (!rows || !columns) return false;
        arcs->capacity = capacity;
    }
    arcs->row[arcs->count] = row;
    arcs->column[arcs->count++] = column;
    return true;
}

void pvgm_arcs_free(pvgm_arcs *arcs) {
    if (arcs->row) explicit_bzero(arcs->row, (size_t)arcs->capacity * sizeof *arcs->row);
    if (arcs->column)
        explicit_bzero(arcs->column, (size_t)arcs->capacity * sizeof *arcs->column);
    free(arcs->row);
    free(arcs->column);
    *arcs = (pvgm_arcs){0};
}

static int owner_of(const pvg_mpi_graph *g, int64_t node) {
    int low = 0, high = g->ranks; /* the last process that begins at or before it */
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (g->cuts[middle] <= node)
            low = middle;
        else
            high = middle;
    }
    while (g->cuts[low + 1] <= node) low++; /* those before it own nothing */
    return low;
}

/* Cuts at blocks, by arcs and rows. */
static int32_t cut(pvg_mpi_graph *g, const pvgm_arcs *arcs) {
    const int64_t blocks = (g->order + PVG_PARTS_ROWS - 1) / PVG_PARTS_ROWS;
    int64_t *weight = calloc((size_t)blocks + 1, sizeof *weight);
    int32_t status = pvgm_agree(g->comm, weight ? PVG_OK : no_memory());
    if (status == PVG_OK) {
        for (int64_t i = 0; i < arcs->count; i++) weight[arcs->row[i] / PVG_PARTS_ROWS]++;
        for (int64_t at = 0; at < blocks; at += ROUND)
            MPI_Allreduce(MPI_IN_PLACE, weight + at,
                          (int)(blocks - at < ROUND ? blocks - at : ROUND), MPI_INT64_T,
                          MPI_SUM, g->comm);
        __int128 all = 0, sum = 0;
        for (int64_t b = 0; b < blocks; b++)
            all += weight[b] += (int64_t)ROW_COST * PVG_PARTS_ROWS;
        int64_t b = 0;
        for (int r = 1; r < g->ranks; r++) {
            while (b < blocks && (sum + weight[b] / 2) * g->ranks < all * r)
                sum += weight[b++];
            g->cuts[r] = b * PVG_PARTS_ROWS < g->order ? b * PVG_PARTS_ROWS : g->order;
        }
        g->cuts[g->ranks] = g->order;
        g->own = g->cuts[g->rank + 1] - g->cuts[g->rank];
        if (g->own >= INT32_MAX)
            status = pvgm_fail(PVG_E_LIMIT, "more than 2^31 - 2 nodes of one process");
    }
    free(weight);
    return pvgm_agree(g->comm, status);
}

/* Counts of messages in whole pairs of numbers, from those of arcs. */
static int starts_of(int *starts, const int *counts, int ranks) {
    int sum = 0;
    for (int r = 0; r < ranks; r++) {
        starts[r] = sum;
        sum += counts[r];
    }
    return sum;
}

/* One round: at most ROUND arcs from each, to the owners of their rows. */
static int32_t send_round(pvgm_arcs *got, pvg_mpi_graph *g, const pvgm_arcs *arcs,
                          int64_t first, int *scratch, int64_t *packed) {
    int *send = scratch, *receive = scratch + g->ranks, *from = receive + g->ranks,
        *to = from + g->ranks;
    int64_t last = first + ROUND < arcs->count ? first + ROUND : arcs->count;
    if (last < first) last = first;
    memset(send, 0, (size_t)g->ranks * sizeof *send);
    for (int64_t i = first; i < last; i++) send[owner_of(g, arcs->row[i])] += 2;
    MPI_Alltoall(send, 1, MPI_INT, receive, 1, MPI_INT, g->comm);
    starts_of(from, send, g->ranks);
    const int count = starts_of(to, receive, g->ranks);
    for (int64_t i = first; i < last; i++) {
        int *at = &from[owner_of(g, arcs->row[i])];
        packed[(*at)++] = arcs->row[i];
        packed[(*at)++] = arcs->column[i];
    }
    starts_of(from, send, g->ranks);
    int64_t *arrived = malloc((size_t)count * sizeof *arrived + 1);
    int32_t status = pvgm_agree(g->comm, arrived ? PVG_OK : no_memory());
    if (status == PVG_OK) {
        MPI_Alltoallv(packed, send, from, MPI_INT64_T, arrived, receive, to, MPI_INT64_T,
                      g->comm);
        for (int i = 0; i < count && status == PVG_OK; i += 2)
            if (!pvgm_push(got, arrived[i] - g->cuts[g->rank], arrived[i + 1]))
                status = no_memory();
    }
    free(arrived);
    return pvgm_agree(g->comm, status);
}

static int32_t send_arcs(pvgm_arcs *got, pvg_mpi_graph *g, const pvgm_arcs *arcs) {
    int64_t rounds = (arcs->count + ROUND - 1) / ROUND;
    int *scratch = malloc((size_t)g->ranks * 4 * sizeof *scratch);
    int64_t *packed = malloc(2 * ROUND * sizeof *packed);
    MPI_Allreduce(MPI_IN_PLACE, &rounds, 1, MPI_INT64_T, MPI_MAX, g->comm);
    int32_t status = pvgm_agree(g->comm, scratch && packed ? PVG_OK : no_memory());
    for (int64_t i = 0; i < rounds && status == PVG_OK; i++)
        status = send_round(got, g, arcs, i * ROUND, scratch, packed);
    free(scratch);
    free(packed);
    return status;
}

/* --- rows --------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Columns of a row, ascending and each once; how many there are, -1: one twice. */
static int64_t sort_row(int64_t *row, int64_t count, bool merge) {
    bool sorted = true;
    for (int64_t i = 1; i < count; i++) sorted = sorted && row[i - 1] <= row[i];
    if (!sorted) qsort(row, (size_t)count, sizeof *row, ascending);
    int64_t used = 0;
    for (int64_t i = 0; i < count; i++) {
        if (used > 0 && row[used - 1] == row[i]) {
            if (!merge) return -1;
            continue;
        }
        row[used++] = row[i];
    }
    return used;
}

/* offsets of the rows, and their columns by numbers of the whole graph. */
static int32_t make_rows(pvg_mpi_graph *g, int64_t **columns, const pvgm_arcs *got) {
    const bool merge = (g->policy & PVG_EDGES_MERGE) != 0;
    g->offsets = calloc((size_t)g->own + 2, sizeof *g->offsets);
    int64_t *all = malloc((size_t)got->count * sizeof *all + 1);
    *columns = all;
    if (!g->offsets || !all) return no_memory();
    int64_t *next = g->offsets + 1; /* counted one place further, to be filled */
    for (int64_t i = 0; i < got->count; i++) next[got->row[i] + 1]++;
    for (int64_t u = 0; u < g->own; u++) next[u + 1] += next[u];
    for (int64_t i = 0; i < got->count; i++) all[next[got->row[i]]++] = got->column[i];
    /* next[u] is now where row u ends, so offsets are right; close the gaps of merging */
    int64_t used = 0, begin = 0;
    for (int64_t u = 0; u < g->own; u++) {
        const int64_t end = g->offsets[u + 1];
        const int64_t count = sort_row(all + begin, end - begin, merge);
        if (count < 0)
            return pvgm_fail(PVG_E_ARGUMENT,
                             "an edge is listed twice (PVG_EDGES_MERGE keeps one)");
        memmove(all + used, all + begin, (size_t)count * sizeof *all);
        g->offsets[u] = used;
        used += count;
        begin = end;
    }
    g->offsets[g->own] = used;
    return PVG_OK;
}

/* Local numbers: own rows first, then those that are borrowed, ascending. columns: those
 * of the whole graph; NULL: g->columns has them, in their 32 bits. */
static int32_t number_columns(pvg_mpi_graph *g, const int64_t *columns) {
    const int64_t first = g->cuts[g->rank], arcs = g->offsets[g->own];
    const size_t words = (size_t)(g->order / 64) + 1;
    uint64_t *bits = calloc(words, sizeof *bits);
    int64_t *before = malloc(words * sizeof *before);
    int32_t status = bits && before ? PVG_OK : no_memory();
    if (status == PVG_OK) {
        for (int64_t i = 0; i < arcs; i++) {
            const int64_t v = columns ? columns[i] : g->columns[i];
            if (v < first || v >= first + g->own) bits[v / 64] |= UINT64_C(1) << v % 64;
        }
        for (size_t w = 0; w < words; w++) {
            before[w] = g->borrowed;
            g->borrowed += __builtin_popcountll(bits[w]);
        }
        if (g->own + g->borrowed > INT32_MAX)
            status = pvgm_fail(PVG_E_LIMIT, "more than 2^31 - 1 own and borrowed nodes");
    }
    if (status == PVG_OK) {
        g->borrows = malloc((size_t)g->borrowed * sizeof *g->borrows + 1);
        if (columns) g->columns = malloc((size_t)arcs * sizeof *g->columns + 1);
        if (!g->borrows || !g->columns) status = no_memory();
    }
    if (status == PVG_OK) {
        for (size_t w = 0; w < words; w++)
            for (uint64_t left = bits[w], k = 0; left; left &= left - 1, k++)
                g->borrows[before[w] + (int64_t)k] =
                    (int64_t)w * 64 + __builtin_ctzll(left);
        for (int64_t i = 0; i < arcs; i++) {
            const int64_t v = columns ? columns[i] : g->columns[i];
            const uint64_t below = (UINT64_C(1) << v % 64) - 1;
            g->columns[i] = v >= first && v < first + g->own
                                ? (int32_t)(v - first)
                                : (int32_t)(g->own + before[v / 64] +
                                            __builtin_popcountll(bits[v / 64] & below));
        }
    }
    if (bits) explicit_bzero(bits, words * sizeof *bits);
    free(bits);
    free(before);
    return status;
}

/* --- who borrows what --------------------------------------------------------------- */

static int32_t plan(pvg_mpi_graph *g) {
    int *scratch = malloc((size_t)g->ranks * 4 * sizeof *scratch);
    g->asks = calloc((size_t)g->ranks + 1, sizeof *g->asks);
    g->gives = calloc((size_t)g->ranks + 1, sizeof *g->gives);
    g->requests = malloc((size_t)g->ranks * 2 * sizeof *g->requests);
    const bool well = scratch && g->asks && g->gives && g->requests;
    int32_t status = pvgm_agree(g->comm, well ? PVG_OK : no_memory());
    if (status != PVG_OK) {
        free(scratch);
        return status;
    }
    int *asked = scratch, *given = scratch + g->ranks, *from = given + g->ranks,
        *to = from + g->ranks;
    for (int64_t i = 0; i < g->borrowed; i++) g->asks[owner_of(g, g->borrows[i]) + 1]++;
    for (int r = 0; r < g->ranks; r++) {
        asked[r] = (int)g->asks[r + 1];
        g->asks[r + 1] += g->asks[r];
    }
    MPI_Alltoall(asked, 1, MPI_INT, given, 1, MPI_INT, g->comm);
    for (int r = 0; r < g->ranks; r++) g->gives[r + 1] = g->gives[r] + given[r];
    g->lent = g->gives[g->ranks];
    if (g->lent > INT32_MAX)
        status = pvgm_fail(PVG_E_LIMIT, "more than 2^31 - 1 rows are lent");
    int64_t *wanted = malloc((size_t)g->lent * sizeof *wanted + 1);
    g->rows = malloc((size_t)g->lent * sizeof *g->rows + 1);
    if (status == PVG_OK && (!wanted || !g->rows)) status = no_memory();
    status = pvgm_agree(g->comm, status);
    if (status == PVG_OK) {
        starts_of(from, asked, g->ranks);
        starts_of(to, given, g->ranks);
        MPI_Alltoallv(g->borrows, asked, from, MPI_INT64_T, wanted, given, to,
                      MPI_INT64_T, g->comm);
        for (int64_t i = 0; i < g->lent; i++)
            g->rows[i] = (int32_t)(wanted[i] - g->cuts[g->rank]);
    }
    free(wanted);
    free(scratch);
    return status;
}

/* --- making it ---------------------------------------------------------------------- */

int32_t pvgm_begin(pvg_mpi_graph **out, MPI_Comm comm, int64_t order, uint32_t policy) {
    *out = NULL;
    const uint64_t words[] = {(uint64_t)order, policy};
    int32_t status = pvgm_same(comm, words, 2, "order or policy");
    if (status != PVG_OK) return status;
    pvg_mpi_graph *g = calloc(1, sizeof *g);
    if (!g)
        status = no_memory();
    else if (order < 0 || order > INT32_MAX)
        status = pvgm_fail(PVG_E_LIMIT, "order is %lld, not in [0, 2^31 - 1]",
                           (long long)order);
    else if (policy & ~(uint32_t)(POLICIES | PVG_EDGES_INFERRED))
        status = pvgm_fail(PVG_E_ARGUMENT, "policy is not made of PVG_EDGES_*");
    int ranks;
    MPI_Comm_size(comm, &ranks);
    if (status == PVG_OK) {
        g->cuts = calloc((size_t)ranks + 1, sizeof *g->cuts);
        if (!g->cuts) status = no_memory();
    }
    status = pvgm_agree(comm, status);
    if (status != PVG_OK) {
        if (g) free(g->cuts);
        free(g);
        return status;
    }
    MPI_Comm_dup(comm, &g->comm);
    MPI_Comm_set_errhandler(g->comm, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_rank(g->comm, &g->rank);
    g->ranks = ranks;
    g->order = order;
    g->policy = policy;
    *out = g;
    return PVG_OK;
}

static int32_t make_parts(pvg_mpi_graph *g) {
    const pvg_parts_config config = {.size = sizeof config,
                                     .declared = !(g->policy & PVG_EDGES_INFERRED),
                                     .process = g->rank,
                                     .processes = g->ranks,
                                     .order = g->order,
                                     .first = g->cuts[g->rank],
                                     .own = g->own,
                                     .borrowed = g->borrowed,
                                     .offsets = g->offsets,
                                     .neighbours = g->columns,
                                     .borrows = g->borrows,
                                     .context = g,
                                     .borrow = pvgm_borrow,
                                     .combine = pvgm_combine,
                                     .share = pvgm_share};
    const int32_t status = pvg_parts_new(&g->parts, &config);
    if (status != PVG_OK) pvgm_fail(status, "%s", pvg_error_message());
    return pvgm_agree(g->comm, status);
}

static int32_t kept(pvg_mpi_graph **graph, int32_t status) {
    if (status == PVG_OK) return PVG_OK;
    pvg_mpi_graph_free(*graph);
    *graph = NULL;
    return status;
}

int32_t pvgm_finish(pvg_mpi_graph **graph, pvgm_arcs *arcs, int32_t status) {
    pvg_mpi_graph *g = *graph;
    pvgm_arcs got = {0};
    int64_t *columns = NULL;
    status = pvgm_agree(g->comm, status);
    if (status == PVG_OK) status = cut(g, arcs);
    if (status == PVG_OK) status = send_arcs(&got, g, arcs);
    pvgm_arcs_free(arcs);
    if (status == PVG_OK) {
        status = make_rows(g, &columns, &got);
        const size_t bytes = (size_t)got.count * sizeof *columns;
        pvgm_arcs_free(&got);
        if (status == PVG_OK) status = number_columns(g, columns);
        if (columns) explicit_bzero(columns, bytes);
        free(columns);
        status = pvgm_agree(g->comm, status);
    }
    if (status == PVG_OK) status = plan(g);
    if (status == PVG_OK) status = make_parts(g);
    pvgm_arcs_free(&got);
    return kept(graph, status);
}

int32_t pvgm_finish_rows(pvg_mpi_graph **graph, int32_t status) {
    pvg_mpi_graph *g = *graph;
    status = pvgm_agree(g->comm, status);
    if (status == PVG_OK) status = pvgm_agree(g->comm, number_columns(g, NULL));
    if (status == PVG_OK) status = plan(g);
    if (status == PVG_OK) status = make_parts(g);
    return kept(graph, status);
}

int32_t pvgm_push_edge(pvgm_arcs *arcs, const pvg_mpi_graph *g, int64_t u, int64_t v,
                       const char *what, int64_t at) {
    if (u < 0 || u >= g->order || v < 0 || v >= g->order)
        return pvgm_fail(PVG_E_ARGUMENT, "%s %lld has an end outside 0..%lld", what,
                         (long long)at, (long long)g->order - 1);
    if (u == v && g->policy & PVG_EDGES_DROP_LOOPS) return PVG_OK;
    if (u == v)
        return pvgm_fail(PVG_E_ARGUMENT, "%s %lld is a loop (PVG_EDGES_DROP_LOOPS)", what,
                         (long long)at);
    return pvgm_push(arcs, u, v) && pvgm_push(arcs, v, u) ? PVG_OK : no_memory();
}

int32_t pvg_mpi_graph_from_edges(pvg_mpi_graph **out, MPI_Comm comm, int64_t order,
                                 const int64_t *sources, const int64_t *targets,
                                 int64_t count, uint32_t policy) {
    pvgm_arcs arcs = {0};
    int32_t status = pvgm_begin(out, comm, order, policy);
    if (status != PVG_OK) return status;
    if (count < 0 || (count > 0 && (!sources || !targets)))
        status = pvgm_fail(PVG_E_ARGUMENT, "sources, targets and count do not agree");
    for (int64_t i = 0; i < count && status == PVG_OK; i++)
        status = pvgm_push_edge(&arcs, *out, sources[i], targets[i], "edge", i);
    return pvgm_finish(out, &arcs, status);
}

int32_t pvg_mpi_graph_from_rows(pvg_mpi_graph **out, MPI_Comm comm, int64_t order,
                                int64_t first, int64_t own, const int64_t *offsets,
                                const int64_t *neighbours) {
    pvgm_arcs arcs = {0};
    int32_t status = pvgm_begin(out, comm, order, 0);
    if (status != PVG_OK) return status;
    if (first < 0 || own < 0 || first > order || own > order - first ||
        (own > 0 && (!offsets || (offsets[own] > 0 && !neighbours))))
        status =
            pvgm_fail(PVG_E_ARGUMENT, "first, own, offsets and neighbours do not agree");
    for (int64_t u = 0; u < own && status == PVG_OK; u++)
        for (int64_t i = offsets[u]; i < offsets[u + 1] && status == PVG_OK; i++) {
            const int64_t v = neighbours[i];
            if (v < 0 || v >= order || v == first + u)
                status = pvgm_fail(PVG_E_ARGUMENT, "neighbours[%lld] is no other node",
                                   (long long)i);
            else if (!pvgm_push(&arcs, first + u, v))
                status = no_memory();
        }
    return pvgm_finish(out, &arcs, status);
}

void pvg_mpi_graph_free(pvg_mpi_graph *g) {
    if (!g) return;
    pvg_parts_free(g->parts);
    if (g->columns)
        explicit_bzero(g->columns, (size_t)g->offsets[g->own] * sizeof *g->columns);
    if (g->offsets) explicit_bzero(g->offsets, ((size_t)g->own + 1) * sizeof *g->offsets);
    if (g->borrows) explicit_bzero(g->borrows, (size_t)g->borrowed * sizeof *g->borrows);
    if (g->buffer) explicit_bzero(g->buffer, g->buffer_bytes);
    free(g->cuts);
    free(g->offsets);
    free(g->borrows);
    free(g->columns);
    free(g->asks);
    free(g->gives);
    free(g->rows);
    free(g->requests);
    free(g->buffer);
    MPI_Comm_free(&g->comm);
    free(g);
}

const pvg_parts *pvg_mpi_graph_parts(const pvg_mpi_graph *graph) {
    return graph ? graph->parts : NULL;
}

void pvg_mpi_graph_sizes(int64_t *arcs, int64_t *borrowed, int64_t *lent,
                         const pvg_mpi_graph *g) {
    *arcs = g ? g->offsets[g->own] : 0;
    *borrowed = g ? g->borrowed : 0;
    *lent = g ? g->lent : 0;
}

void pvg_mpi_graph_traffic(int64_t *exchanges, int64_t *messages, int64_t *bytes,
                           const pvg_mpi_graph *g) {
    *exchanges = g ? g->exchanges : 0;
    *messages = g ? g->messages : 0;
    *bytes = g ? g->bytes : 0;
}
