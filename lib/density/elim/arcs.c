/* Arcs of the reduced host that lie in a triangle, and among those the ones that lie in a
 * clique of four: an edge of a pattern in such a clique can only go to one of these.
 *
 * Each edge is looked at from its end with more neighbours, which are marked by their
 * arcs, along the list of the other end, until one clique is found; its other edges are
 * not looked at any more. Threads share the nodes. What one of them has found another may
 * see or not, which spares it work: an arc is kept if it lies in a clique, whoever finds
 * that. O(sum over arcs of the smaller degree), for cliques of four times the neighbours
 * that the ends of an arc have in common, at most. */
#include "elim_internal.h"

#include <string.h>

enum {
    ARC_CHUNKS = 256,
    ARC_LEAST = 16384, /* arcs of a chunk */
    ARC_LOOK = 16      /* nodes between two looks whether to stop */
};

typedef _Atomic unsigned char arc_flag;

typedef struct {
    pvgi_elim_scratch *scratch;
    int32_t from, order;
    const int32_t *start, *column;
    int32_t *mirror; /* of each arc, the arc back */
    arc_flag *flag;
    int32_t chunks, first[ARC_CHUNKS + 1], middle; /* a node */
    int32_t kept[ARC_CHUNKS];
    bool placed; /* there is room for what is kept */
    size_t mark_count;
    int32_t
        *marks; /* of each worker two rows of nodes: arcs to them; common neighbours */
    _Atomic bool stop;
} arc_job;

static bool is_flagged(const arc_job *job, int32_t arc) {
    return atomic_load_explicit(&job->flag[arc], memory_order_relaxed);
}

/* Writes only what is new: threads that write the same line wait for each other. */
static void flag_edge(const arc_job *job, int32_t arc) {
    if (is_flagged(job, arc)) return;
    atomic_store_explicit(&job->flag[arc], 1, memory_order_relaxed);
    atomic_store_explicit(&job->flag[job->mirror[arc]], 1, memory_order_relaxed);
}

/* First entry of an ascending row that is at least x. */
static const int32_t *search(const int32_t *low, const int32_t *high, int32_t x) {
    while (low < high) {
        const int32_t *middle = low + (high - low) / 2;
        if (*middle < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* An entry that two ascending rows have in common; -1: none. */
static int32_t common_entry(const int32_t *a, const int32_t *end_a, const int32_t *b,
                            const int32_t *end_b) {
    if (end_a - a > end_b - b) {
        const int32_t *kept = a, *kept_end = end_a;
        a = b, end_a = end_b;
        b = kept, end_b = kept_end;
    }
    for (; a < end_a; a++) {
        if (end_b - b > 8 * (end_a - a))
            b = search(b, end_b, *a);
        else
            while (b < end_b && *b < *a) b++;
        if (b == end_b) return -1;
        if (*b == *a) return *a;
    }
    return -1;
}

/* Arcs of one node. */
typedef struct {
    int32_t low, high;
} arc_row;

/* Marks of other nodes are left where they are. */
static bool is_of(int32_t mark, arc_row row) {
    return mark >= row.low && mark < row.high;
}

/* Arc i goes from u to v; mark has the arcs of u, which are those of the row. */
static void find_triangle(const arc_job *job, const int32_t *mark, arc_row row,
                          int32_t i) {
    const int32_t v = job->column[i];
    for (int32_t j = job->start[v]; j < job->start[v + 1]; j++) {
        const int32_t k = mark[job->column[j]];
        if (!is_of(k, row)) continue;
        flag_edge(job, i);
        flag_edge(job, j);
        flag_edge(job, k);
        return;
    }
}

/* The same for a clique of four: two common neighbours that are joined. */
static void find_four(const arc_job *job, const int32_t *mark, int32_t *common,
                      arc_row row, int32_t i) {
    const int32_t *start = job->start, *column = job->column;
    const int32_t v = column[i];
    int32_t count = 0;
    for (int32_t j = start[v]; j < start[v + 1]; j++) { /* which are is a coin */
        common[count] = column[j];
        count += is_of(mark[column[j]], row);
    }
    for (int32_t c = 0; c < count; c++) {
        const int32_t x = common[c];
        const int32_t y = common_entry(common + c + 1, common + count, column + start[x],
                                       column + start[x + 1]);
        if (y < 0) continue;
        const int32_t *other = column + start[v], *end = column + start[v + 1];
        flag_edge(job, i);
        flag_edge(job, mark[x]);
        flag_edge(job, mark[y]);
        flag_edge(job, (int32_t)(search(other, end, x) - column));
        flag_edge(job, (int32_t)(search(other, end, y) - column));
        return;
    }
}

static void find_around(const arc_job *job, int32_t *mark, int32_t u) {
    const int32_t *start = job->start, *column = job->column;
    const arc_row row = {start[u], start[u + 1]};
    const int32_t all = row.high - row.low, least = job->from + 2;
    if (all < least) return;
    for (int32_t i = row.low; i < row.high; i++) mark[column[i]] = i;
    for (int32_t i = row.low; i < row.high; i++) {
        const int32_t v = column[i], count = start[v + 1] - start[v];
        if (count < least || count > all || (count == all && v > u) || is_flagged(job, i))
            continue;
        if (job->from == 0)
            find_triangle(job, mark, row, i);
        else
            find_four(job, mark, mark + job->order, row, i);
    }
}

static int32_t run_arcs(void *context, int64_t chunk, uint32_t worker) {
    arc_job *job = context;
    pvgi_run *crew = job->scratch->crew;
    int32_t *mark = job->marks + 2 * (size_t)worker * (size_t)job->order;
    for (int32_t u = job->first[chunk]; u < job->first[chunk + 1]; u++) {
        if (u % ARC_LOOK == 0)
            PVGI_TRY(crew ? pvgi_density_elim_look(worker == 0 ? crew : NULL, &job->stop)
                          : pvgi_density_elim_report(job->scratch, 0.0));
        find_around(job, mark, u);
    }
    return PVG_OK;
}

static void cut_arcs(arc_job *job) {
    const int64_t each = job->start[job->order] / ARC_CHUNKS,
                  enough = each > ARC_LEAST ? each : ARC_LEAST;
    for (int32_t u = 0; u < job->order; u++)
        if (job->start[u + 1] - job->start[job->first[job->chunks]] >= enough &&
            job->chunks + 1 < ARC_CHUNKS)
            job->first[++job->chunks] = u + 1;
    if (job->first[job->chunks] < job->order) job->first[++job->chunks] = job->order;
}

/* Row v has the nodes before v in their order, so that a cursor in it is enough: upwards
 * from its beginning in the first half of the arcs, and in the other half down from v
 * itself, whose row the downward pass has met before. */
static int32_t find_mirrors(void *context, int64_t half, uint32_t worker) {
    const arc_job *job = context;
    const int32_t *start = job->start, *column = job->column;
    int32_t *cursor = job->marks + (size_t)half * (size_t)job->order;
    (void)worker;
    if (half == 0) memcpy(cursor, start, (size_t)job->order * sizeof *cursor);
    for (int32_t u = 0; u < job->middle && half == 0; u++)
        for (int32_t i = start[u]; i < start[u + 1]; i++)
            if (column[i] > u) {
                job->mirror[i] = cursor[column[i]]++;
                job->mirror[job->mirror[i]] = i;
            }
    for (int32_t u = job->order - 1; u >= job->middle && half == 1; u--) {
        int32_t i = start[u + 1];
        for (; i > start[u] && column[i - 1] > u; i--) {
            job->mirror[i - 1] = --cursor[column[i - 1]];
            job->mirror[job->mirror[i - 1]] = i - 1;
        }
        cursor[u] = i;
    }
    return PVG_OK;
}

/* --- what is kept ------------------------------------------------------------------- */

static int32_t count_kept(void *context, int64_t chunk, uint32_t worker) {
    arc_job *job = context;
    int32_t count = 0;
    (void)worker;
    for (int32_t i = job->start[job->first[chunk]]; i < job->start[job->first[chunk + 1]];
         i++)
        count += is_flagged(job, i);
    job->kept[chunk] = count;
    return PVG_OK;
}

static int32_t write_kept(void *context, int64_t chunk, uint32_t worker) {
    const arc_job *job = context;
    int32_t *start = job->scratch->start[job->from + 1].data;
    int32_t *column = job->scratch->column[job->from + 1].data, at = job->kept[chunk];
    (void)worker;
    if (!job->placed) return PVG_OK; /* which has been told */
    for (int32_t u = job->first[chunk]; u < job->first[chunk + 1]; u++) {
        start[u] = at;
        for (int32_t i = job->start[u]; i < job->start[u + 1]; i++)
            if (is_flagged(job, i)) column[at++] = job->column[i];
    }
    if (chunk + 1 == job->chunks) start[job->order] = at;
    return PVG_OK;
}

/* Where the arcs of each chunk go, and memory for no more than there are: what is not
 * written to would be wiped all the same. */
static int32_t place_kept(void *context, int64_t chunk, uint32_t worker) {
    arc_job *job = context;
    pvgi_elim_scratch *scratch = job->scratch;
    int32_t sum = job->chunks > 1 ? 0 : job->start[job->order];
    (void)chunk;
    (void)worker;
    for (int32_t i = 0; i < job->chunks && job->chunks > 1; i++) {
        const int32_t count = job->kept[i];
        job->kept[i] = sum;
        sum += count;
    }
    PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->column[job->from + 1],
                                    (size_t)sum * sizeof(int32_t)));
    job->placed = true;
    return PVG_OK;
}

/* Nothing is marked, nothing flagged. */
static int32_t clear_marks(void *context, int64_t chunk, uint32_t worker) {
    const arc_job *job = context;
    (void)chunk;
    (void)worker;
    memset((void *)job->flag, 0, (size_t)job->start[job->order] * sizeof *job->flag);
    memset(job->marks, -1, job->mark_count * sizeof *job->marks);
    return PVG_OK;
}

int32_t pvgi_density_elim_keep_arcs(pvgi_elim_scratch *scratch, int32_t from) {
    const int32_t order = scratch->reduced.order;
    arc_job job = {.scratch = scratch,
                   .from = from,
                   .order = order,
                   .start = scratch->table[from].start,
                   .column = scratch->table[from].column[1]};
    const size_t arcs = (size_t)job.start[order], nodes = (size_t)order + 1;
    cut_arcs(&job);
    job.mark_count = 2 * (size_t)order * pvgi_density_elim_workers(scratch, job.chunks);
    PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->start[from + 1],
                                    nodes * sizeof(int32_t)));
    PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->slot,
                                    arcs * (sizeof(int32_t) + sizeof *job.flag)));
    PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->touched,
                                    (job.mark_count + 1) * sizeof *job.marks));
    job.mirror = scratch->slot.data;
    job.flag = (arc_flag *)(job.mirror + arcs);
    job.marks = scratch->touched.data;
    job.middle = job.chunks > 1 ? job.first[job.chunks / 2] : order;
    const pvgi_stage stages[] = {{find_mirrors, job.chunks > 1 ? 2 : 1, 1, NULL},
                                 {clear_marks, 1, 1, NULL},
                                 {run_arcs, job.chunks, 1, NULL},
                                 {count_kept, job.chunks > 1 ? job.chunks : 0, 1, NULL},
                                 {place_kept, 1, 1, NULL},
                                 {write_kept, job.chunks, 1, NULL}};
    return pvgi_density_elim_fork_stages(scratch, stages, sizeof stages / sizeof *stages,
                                         &job, 0.0, 0.0);
}
