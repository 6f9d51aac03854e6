/* Cycles as closed walks: hom(C_m, G) = trace of A^m, all lengths of a plan in one pass.
 *
 * P_i[u][v] is the number of walks of i arcs from u to v in the reduced host, inner nodes
 * weighted; then hom(C_(a+b)) = sum over u, v of w_u P_a[u][v] w_v P_b[u][v], so walks of
 * half the length suffice. Small hosts with many arcs: panels of LANES sources, whole
 * rows of a panel added arc by arc: n arcs m / 2 additions. Others: hub by hub
 * (elim/hubs.h; four vertices in large hosts elim/squares.h). Dense hosts: panels of 64
 * sources times the matrix, n^3 m / 2 products (BLAS), kept if all counts are below 2^53
 * and so exact, as elim/dense.h says. Only additions and products of non-negative
 * numbers. Included by elim/kernel.h, which says what VALUE, MULTIPLY and ADD are. */

enum { LANES = 8, PANEL_ORDER_MOST = 2048, PANEL_SHARE = 8 };

/* Lengths whose count did not fit are marked, so that only their patterns fail. */
static void note_overflow(join *now, bool *bad, int32_t from, int32_t to) {
    if (!now->overflow) return;
    for (int32_t m = from; m <= to; m++) bad[m] = true;
    now->overflow = false;
}

#include "hubs.h"

#include "squares.h"

/* out[x] = sum over neighbours y of x of in[y]; then in *= weight is not needed: in is
 * weighted already. */
static void walk_panel(join *now, VALUE *restrict out, const VALUE *restrict in) {
    const pvgi_elim_reduced *host = &now->scratch->reduced;
    for (int32_t x = 0; x < host->order; x++) {
        VALUE sum[LANES] = {0};
        for (int32_t i = host->start[x]; i < host->start[x + 1]; i++) {
            const VALUE *from = in + (size_t)host->column[i] * LANES;
            for (int32_t l = 0; l < LANES; l++) sum[l] = ADD(now, sum[l], from[l]);
        }
        for (int32_t l = 0; l < LANES; l++) out[(size_t)x * LANES + l] = sum[l];
    }
}

/* Rows times the weights of their nodes. */
static void weigh_panel(join *now, VALUE *restrict out, const VALUE *restrict in) {
    const int32_t *weight = now->scratch->reduced.weight;
    for (int32_t x = 0; x < now->order; x++)
        for (int32_t l = 0; l < LANES; l++) {
            const size_t at = (size_t)x * LANES + (size_t)l;
            out[at] = MULTIPLY(now, in[at], (VALUE)weight[x]);
        }
}

static VALUE dot_panel(join *now, const VALUE *restrict a, const VALUE *restrict b,
                       int32_t first) {
    VALUE sum[LANES] = {0}, total = 0;
    for (int32_t x = 0; x < now->order; x++)
        for (int32_t l = 0; l < LANES; l++) {
            const size_t at = (size_t)x * LANES + (size_t)l;
            sum[l] = ADD(now, sum[l], MULTIPLY(now, a[at], b[at]));
        }
    for (int32_t l = 0; l < LANES && first + l < now->order; l++)
        total =
            ADD(now, total,
                MULTIPLY(now, sum[l], (VALUE)now->scratch->reduced.weight[first + l]));
    return total;
}

/* Panels that threads share, each with its own walks; the sums of panels are added in
 * order, so the bits do not depend on who counts them. */
typedef struct {
    join *now;
    int32_t longest, chunks;
    hub_sum *sums; /* of panels */
    VALUE *walks;  /* three of `size` numbers for each hand */
    size_t size;
} panel_job;

static int32_t run_panel(void *context, int64_t chunk, uint32_t worker) {
    panel_job *job = context;
    const pvgi_elim_reduced *host = &job->now->scratch->reduced;
    hub_sum *to = &job->sums[chunk];
    join own = {.scratch = job->now->scratch, .order = job->now->order};
    const int32_t first = (int32_t)chunk * LANES, longest = job->longest;
    VALUE *walks = job->walks + 3 * worker * job->size, *weighted = walks + job->size;
    VALUE *longer = weighted + job->size;
    if (!job->now->scratch->crew) /* else told between chunks */
        PVGI_TRY(report(job->now, (double)chunk / (double)job->chunks));
    memset(to, 0, sizeof *to);
    memset(walks, 0, job->size * sizeof *walks);
    for (int32_t l = 0; l < LANES && first + l < host->order; l++)
        for (int32_t i = host->start[first + l]; i < host->start[first + l + 1]; i++)
            walks[(size_t)host->column[i] * LANES + (size_t)l] = 1;
    for (int32_t arcs = 1; 2 * arcs <= longest; arcs++) { /* walks has `arcs` arcs */
        weigh_panel(&own, weighted, walks);
        note_overflow(&own, to->bad, 2 * arcs, longest);
        if (arcs > 1) to->sum[2 * arcs] = dot_panel(&own, weighted, walks, first);
        note_overflow(&own, to->bad, 2 * arcs, 2 * arcs);
        if (2 * arcs == longest) break;
        walk_panel(&own, longer, weighted);
        note_overflow(&own, to->bad, 2 * arcs + 1, longest);
        to->sum[2 * arcs + 1] = dot_panel(&own, weighted, longer, first);
        note_overflow(&own, to->bad, 2 * arcs + 1, 2 * arcs + 1);
        VALUE *kept = walks;
        walks = longer;
        longer = kept;
    }
    return PVG_OK;
}

static int32_t walk_small(join *now, VALUE *count, bool *bad, int32_t longest) {
    pvgi_elim_scratch *scratch = now->scratch;
    panel_job job = {.now = now,
                     .longest = longest,
                     .chunks = (now->order + LANES - 1) / LANES,
                     .size = (size_t)now->order * LANES};
    if (job.chunks == 0) return PVG_OK; /* nor is there scratch */
    const uint32_t hands = pvgi_density_elim_hands(scratch, job.chunks);
    PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->row,
                                    (size_t)job.chunks * sizeof *job.sums +
                                        3 * hands * job.size * sizeof(VALUE)));
    job.sums = scratch->row.data;
    job.walks = (VALUE *)(job.sums + job.chunks);
    PVGI_TRY(pvgi_density_elim_fork(scratch, job.chunks, run_panel, &job, now->reached,
                                    now->share));
    add_hub_sums(now, count, bad, job.sums, job.chunks, longest);
    return PVG_OK;
}

/* --- dense hosts ---------------------------------------------------------------------
 */

/* Whether the product is faster and may be exact: the trace of A^m is at least the m-th
 * power of the mean degree if m is even, and near it in dense graphs if not. */
static bool dense_walks_pay(const join *now, int32_t longest) {
    const pvgi_elim_reduced *host = &now->scratch->reduced;
    const double n = host->order, mean = host->arcs / n;
    double least = 1;
    for (int32_t m = 0; m < longest; m++) least *= mean;
    return now->scratch->blas && n >= PVGI_DENSE_ORDER_LEAST &&
           n <= PVGI_DENSE_ORDER_MOST && least < TWO_53 &&
           (double)host->arcs * DENSE_SPEED * SPARSE_PRICE >= n * n;
}

/* sum over rows u and columns v of w_u a[u][v] w_v b[u][v]; a has its columns weighted.
 */
static double dot_rows(const join *now, const double *a, const double *b, int32_t first,
                       int32_t rows) {
    const int64_t n = now->order;
    double total = 0;
    for (int64_t r = 0; r < rows; r++) {
        double sum = 0;
        for (int64_t v = 0; v < n; v++) sum += a[r * n + v] * b[r * n + v];
        total += sum * now->scratch->reduced.weight[first + r];
    }
    return total;
}

/* The part of `rows` sources from `first` on; walks holds walks of one arc. */
static void count_panel(const join *now, double *count, double *walks, double *weighted,
                        double *longer, const double *matrix, int32_t first, int32_t rows,
                        int32_t longest) {
    const int64_t n = now->order;
    const int32_t *weight = now->scratch->reduced.weight;
    for (int32_t arcs = 1; 2 * arcs <= longest; arcs++) {
        for (int64_t r = 0; r < rows; r++)
            for (int64_t v = 0; v < n; v++)
                weighted[r * n + v] = walks[r * n + v] * weight[v];
        count[2 * arcs] += dot_rows(now, weighted, walks, first, rows);
        if (2 * arcs == longest) return;
        pvgi_density_dense_multiply(longer, weighted, matrix, rows, n, n);
        count[2 * arcs + 1] += dot_rows(now, weighted, longer, first, rows);
        double *kept = walks;
        walks = longer;
        longer = kept;
    }
}

/* Rows first .. first + rows - 1 of the adjacency matrix. */
static void write_arcs(double *to, const pvgi_elim_reduced *host, int32_t first,
                       int32_t rows) {
    memset(to, 0, (size_t)rows * (size_t)host->order * sizeof *to);
    for (int32_t u = first; u < first + rows; u++)
        for (int32_t i = host->start[u]; i < host->start[u + 1]; i++)
            to[(int64_t)(u - first) * host->order + host->column[i]] = 1;
}

typedef struct {
    join *now;
    int32_t longest, chunks;
    double *matrix, *walks; /* walks: three panels for each hand */
    double (*sums)[HUB_LENGTHS];
} dense_walk_job;

static int32_t run_dense_walks(void *context, int64_t chunk, uint32_t worker) {
    dense_walk_job *job = context;
    join *now = job->now;
    const int64_t n = now->order;
    const int32_t first = (int32_t)chunk * SHARE_ROWS, left = now->order - first;
    const int32_t rows = left > SHARE_ROWS ? SHARE_ROWS : left;
    double *walks = job->walks + 3 * worker * SHARE_ROWS * n;
    if (!now->scratch->crew) /* else told between chunks */
        PVGI_TRY(report(now, (double)chunk / (double)job->chunks));
    memset(job->sums[chunk], 0, sizeof job->sums[chunk]);
    write_arcs(walks, &now->scratch->reduced, first, rows);
    count_panel(now, job->sums[chunk], walks, walks + SHARE_ROWS * n,
                walks + 2 * SHARE_ROWS * n, job->matrix, first, rows, job->longest);
    return PVG_OK;
}

static int32_t walk_dense(join *now, VALUE *count, int32_t longest, bool *done) {
    pvgi_elim_scratch *scratch = now->scratch;
    const int64_t n = now->order;
    dense_walk_job job = {.now = now,
                          .longest = longest,
                          .chunks = (now->order + SHARE_ROWS - 1) / SHARE_ROWS};
    const uint32_t hands = pvgi_density_elim_hands(scratch, job.chunks);
    const size_t bytes = (size_t)(n * n + 3 * SHARE_ROWS * hands * n) * sizeof(double) +
                         (size_t)job.chunks * sizeof *job.sums;
    *done = false;
    if (!dense_walks_pay(now, longest) ||
        !pvgi_density_elim_has_room(scratch, &scratch->dense, bytes))
        return PVG_OK;
    PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->dense, bytes));
    scratch->products++;
    job.matrix = scratch->dense.data;
    job.walks = job.matrix + n * n;
    job.sums = (double(*)[HUB_LENGTHS])(job.walks + 3 * SHARE_ROWS * hands * n);
    write_arcs(job.matrix, &scratch->reduced, 0, now->order);
    PVGI_TRY(pvgi_density_elim_fork(scratch, job.chunks, run_dense_walks, &job,
                                    now->reached, now->share));
    for (int32_t i = 1; i < job.chunks; i++)
        for (int32_t m = 3; m <= longest; m++) job.sums[0][m] += job.sums[i][m];
    for (int32_t m = 3; m <= longest; m++)
        if (!(job.sums[0][m] < TWO_53)) {
            scratch->rounded++;
            return PVG_OK;
        }
    for (int32_t m = 3; m <= longest; m++) count[m] = INTEGER(job.sums[0][m]);
    *done = true;
    return PVG_OK;
}

/* count[m] = hom(C_m, host) for 4 <= m <= longest; triangles are cliques. */
static int32_t count_cycles(join *now, VALUE *count, bool *bad, int32_t longest) {
    bool done;
    for (int32_t m = 0; m <= longest; m++) count[m] = 0, bad[m] = false;
    PVGI_TRY(walk_dense(now, count, longest, &done));
    if (done) return PVG_OK;
    const int64_t n = now->order, arcs = now->scratch->reduced.arcs;
    if (longest == 4 && !now->scratch->reduced.name)
        return count_squares(now, count, bad);
    return n <= PANEL_ORDER_MOST && arcs * PANEL_SHARE >= n * n
               ? walk_small(now, count, bad, longest)
               : count_by_hubs(now, count, bad, longest);
}
