/* The reduced host with its nodes renumbered, by falling degree or by falling core, for
 * cycles and cliques. Lists are read in the order of the host, which is that of memory,
 * and written where the new number says; chunks of nodes are shared by threads, and each
 * list is written by one of them: the same lists for every number. O(nodes + arcs), and
 * what sorting lists takes. */
#include "elim_internal.h"

#include <string.h>

enum { SORT_CHUNKS = 128, SORT_ARCS = 4096 /* of a chunk, at least */ };

static int32_t degree_of(const pvgi_elim_reduced *host, int32_t u) {
    return host->start[u + 1] - host->start[u];
}

/* Memory for a renumbered host of `columns` entries, and `words` more. */
static int32_t open_sorted(pvgi_elim_sorted *out, int32_t **spare,
                           pvgi_elim_scratch *scratch, size_t columns, size_t words) {
    const size_t nodes = (size_t)scratch->reduced.order;
    const size_t needed = 2 * nodes + 1 + columns + words;
    PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->slot, needed * sizeof(int32_t)));
    out->start = scratch->slot.data;
    out->weight = out->start + nodes + 1;
    out->column = out->weight + nodes;
    *spare = out->column + columns;
    out->width = 0;
    return PVG_OK;
}

/* place[u]: new number of node u of the reduced host, by falling degree, ties by number.
 */
static void place_by_degree(int32_t *place, int32_t *count,
                            const pvgi_elim_reduced *host) {
    memset(count, 0, ((size_t)host->order + 1) * sizeof *count);
    for (int32_t u = 0; u < host->order; u++) count[degree_of(host, u)]++;
    for (int32_t d = host->order, before = 0; d >= 0; d--) {
        const int32_t here = count[d];
        count[d] = before;
        before += here;
    }
    for (int32_t u = 0; u < host->order; u++) place[u] = count[degree_of(host, u)]++;
}

/* --- lists, chunk by chunk ---------------------------------------------------------- */

typedef struct sort_job sort_job;
struct sort_job {
    pvgi_elim_scratch *scratch;
    pvgi_elim_sorted *out;
    bool ascending;                                /* lists in order */
    int32_t chunks, first[SORT_CHUNKS + 1];        /* about as many arcs in each */
    void (*visit)(const sort_job *job, int32_t u); /* a node of the reduced host */
};

static void cut_lists(sort_job *job) {
    const pvgi_elim_reduced *host = &job->scratch->reduced;
    const int64_t each = host->arcs / SORT_CHUNKS,
                  enough = each > SORT_ARCS ? each : SORT_ARCS;
    job->chunks = 0;
    job->first[0] = 0;
    for (int32_t u = 0; u < host->order; u++)
        if (host->start[u + 1] - host->start[job->first[job->chunks]] >= enough &&
            job->chunks + 1 < SORT_CHUNKS)
            job->first[++job->chunks] = u + 1;
    if (job->first[job->chunks] < host->order) job->first[++job->chunks] = host->order;
}

/* Looks whether to stop; with a crew this is done between chunks. */
static int32_t visit_chunk(void *context, int64_t chunk, uint32_t worker) {
    const sort_job *job = context;
    (void)worker;
    if (!job->scratch->crew) PVGI_TRY(pvgi_density_elim_report(job->scratch, 0.0));
    for (int32_t u = job->first[chunk]; u < job->first[chunk + 1]; u++)
        job->visit(job, u);
    return PVG_OK;
}

static int32_t visit_lists(sort_job *job, void (*visit)(const sort_job *, int32_t)) {
    job->visit = visit;
    return pvgi_density_elim_fork(job->scratch, job->chunks, visit_chunk, job, 0.0, 0.0);
}

/* start[i + 1]: neighbours before node i. */
static void count_before(const sort_job *job, int32_t u) {
    const pvgi_elim_reduced *host = &job->scratch->reduced;
    const int32_t *place = job->out->place, own = place[u];
    int32_t before = 0;
    for (int32_t j = host->start[u]; j < host->start[u + 1]; j++)
        before += place[host->column[j]] < own;
    job->out->start[own + 1] = before;
}

static void write_before(const sort_job *job, int32_t u) {
    const pvgi_elim_reduced *host = &job->scratch->reduced;
    const int32_t *place = job->out->place, own = place[u];
    const int32_t begin = job->out->start[own], end = job->out->start[own + 1];
    int32_t at = begin, *column = job->out->column;
    /* half of them are written, at random: no branch but the end of the list */
    for (int32_t j = host->start[u]; at < end; j++) {
        const int32_t other = place[host->column[j]];
        column[at] = other;
        at += other < own;
    }
    if (job->ascending) pvgi_graph_row_sort(column + begin, end - begin);
    job->out->weight[own] = host->weight[u];
}

/* Node u lists the neighbours before it. */
static int32_t write_all_before(pvgi_elim_sorted *out, pvgi_elim_scratch *scratch,
                                const int32_t *place, bool ascending) {
    sort_job job = {.scratch = scratch, .out = out, .ascending = ascending};
    out->place = place;
    cut_lists(&job);
    PVGI_TRY(visit_lists(&job, count_before));
    out->start[0] = 0;
    for (int32_t i = 0; i < scratch->reduced.order; i++) {
        if (out->start[i + 1] > out->width) out->width = out->start[i + 1];
        out->start[i + 1] += out->start[i];
    }
    return visit_lists(&job, write_before);
}

/* Node u lists all neighbours, descending, and -1. */
static void write_around(const sort_job *job, int32_t u) {
    const pvgi_elim_reduced *host = &job->scratch->reduced;
    const int32_t *place = job->out->place, own = place[u], count = degree_of(host, u);
    int32_t *list = job->out->column + job->out->start[own];
    for (int32_t i = 0, j = host->start[u]; i < count; i++, j++)
        list[i] = place[host->column[j]];
    pvgi_graph_row_sort(list, count);
    for (int32_t i = 0, k = count - 1; i < k; i++, k--) {
        const int32_t kept = list[i];
        list[i] = list[k];
        list[k] = kept;
    }
    list[count] = -1;
    job->out->weight[own] = host->weight[u];
}

int32_t pvgi_density_elim_sort(pvgi_elim_sorted *out, pvgi_elim_scratch *scratch) {
    const pvgi_elim_reduced *host = &scratch->reduced;
    const int32_t order = host->order;
    int32_t *place;
    PVGI_TRY(open_sorted(out, &place, scratch, (size_t)host->arcs + (size_t)order,
                         2 * ((size_t)order + 1)));
    place_by_degree(place, place + order + 1, host);
    sort_job job = {.scratch = scratch, .out = out};
    out->place = place;
    cut_lists(&job);
    for (int32_t u = 0; u < order; u++) out->start[place[u] + 1] = degree_of(host, u) + 1;
    out->start[0] = 0;
    for (int32_t i = 0; i < order; i++) out->start[i + 1] += out->start[i];
    return visit_lists(&job, write_around);
}

int32_t pvgi_density_elim_orient(pvgi_elim_sorted *out, pvgi_elim_scratch *scratch,
                                 bool ascending) {
    const size_t nodes = (size_t)scratch->reduced.order + 1;
    int32_t *place;
    PVGI_TRY(
        open_sorted(out, &place, scratch, (size_t)scratch->reduced.arcs / 2, 2 * nodes));
    place_by_degree(place, place + nodes, &scratch->reduced);
    return write_all_before(out, scratch, place, ascending);
}

/* --- cores -------------------------------------------------------------------------- */

/* old[]: the node of smallest remaining degree goes to the last free place, and so on
 * (Batagelj and Zaversnik): O(order + arcs). */
static void order_by_core(int32_t *old, int32_t *place, int32_t *degree, int32_t *begin,
                          const pvgi_elim_reduced *host) {
    const int32_t n = host->order;
    memset(begin, 0, ((size_t)n + 2) * sizeof *begin);
    for (int32_t u = 0; u < n; u++) begin[(degree[u] = degree_of(host, u)) + 1]++;
    for (int32_t d = 0; d <= n; d++) begin[d + 1] += begin[d];
    for (int32_t u = 0; u < n; u++) {
        place[u] = begin[degree[u]]++;
        old[place[u]] = u;
    }
    for (int32_t d = n; d > 0; d--) begin[d] = begin[d - 1];
    begin[0] = 0;
    for (int32_t i = 0; i < n; i++) { /* old[i] goes; nodes of each degree are together */
        const int32_t u = old[i];
        for (int32_t j = host->start[u]; j < host->start[u + 1]; j++) {
            const int32_t v = host->column[j];
            if (degree[v] <= degree[u]) continue;
            const int32_t front = begin[degree[v]]++, w = old[front];
            old[front] = v;
            old[place[v]] = w;
            place[w] = place[v];
            place[v] = front;
            degree[v]--;
        }
    }
    for (int32_t i = 0; i < n / 2; i++) { /* last to go is first */
        const int32_t kept = old[i];
        old[i] = old[n - 1 - i];
        old[n - 1 - i] = kept;
    }
    for (int32_t i = 0; i < n; i++) place[old[i]] = i;
}

int32_t pvgi_density_elim_sort_cores(pvgi_elim_sorted *out, pvgi_elim_scratch *scratch) {
    const pvgi_elim_reduced *host = &scratch->reduced;
    const size_t nodes = (size_t)host->order + 2;
    int32_t *old;
    PVGI_TRY(open_sorted(out, &old, scratch, (size_t)host->arcs / 2, 4 * nodes));
    int32_t *place = old + nodes, *degree = place + nodes;
    order_by_core(old, place, degree, degree + nodes, host);
    return write_all_before(out, scratch, place, true);
}
