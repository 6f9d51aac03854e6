/* Patterns of width 4 and 5 in dense hosts: one or two vertices are fixed, the rest is
 * eliminated over whole tables by products of matrices.
 *
 * Vertices that lower the width, the roots, are given an image; what is left has width 3
 * at most. A vertex next to a root has the neighbours of its image to choose from, any
 * other all nodes. Tables over up to three vertices hold all choices. A step that removes
 * v,
 *     out(s) = sum over v of w(v) product of the factors that hold v,
 * is a product of matrices for every image of a batch of vertices of the scope, if the
 * others go to two sides so that no factor holds vertices of both:
 *     out(x, y) = sum over v of left(x, v) right(y, v),
 * with left and right the Khatri-Rao products of the factors of a side. Which side is
 * found when a pattern is compiled. About n^(width + 1) / DENSE_SPEED steps, less where
 * vertices are next to roots, against the tuples that tries would visit: both are
 * estimated from the nodes and arcs of the host.
 *
 * Numbers are non-negative integers in doubles, rounded to nearest: true below 2^53, at
 * least 2^53 otherwise (elim/dense.inc). The last sum of every part of the rest is taken
 * in 128-bit integers, of vectors that are looked at: so a count is true or told to be
 * too large, whatever order a BLAS adds in, and then tries count it. */
#include "fixed.h"

#include <math.h>
#include <string.h>

enum {
    KINDS = 1 << PVGI_ELIM_ROOTS, /* of vertices, by the roots they are next to */
    FIXED_ORDER = 192,            /* nodes of a host, at most */
    FIXED_LOOK = 1 << 27,         /* products between two looks whether to stop */
    FIXED_BLAS = 9 << 18,         /* products that a BLAS is asked for, and some more */
    FIXED_MADE = 1 << 16          /* numbers that are made together, at most */
};

/* --- memory ------------------------------------------------------------------------- */

/* Numbers of a worker: matrices of arcs by kind, tables, both sides and a result of a
 * step. d: the largest degree. */
typedef struct {
    double tables, side[3], all;
} fixed_cells;

static fixed_cells cells_of(const pvgi_elim_fixed *fixed, double n, double d) {
    fixed_cells need = {0};
    const double near = d < n ? d : n;
    for (int32_t i = 0; i < fixed->steps; i++) {
        const pvgi_elim_fixed_step *step = &fixed->step[i];
        double size[3] = {1, 1, 1}, cells = 1;
        const double inner = fixed->kind[step->vertex] ? near : n;
        for (int32_t j = 0; j < step->arity; j++) {
            const double one = fixed->kind[step->scope[j]] ? near : n;
            cells *= one;
            size[step->side[j]] *= one;
        }
        if (step->same != i) continue;
        need.tables += cells;
        for (int32_t s = 1; s < 3; s++)
            if (size[s] * inner > need.side[s]) need.side[s] = size[s] * inner;
        if (size[1] * size[2] > need.side[0]) need.side[0] = size[1] * size[2];
    }
    const double arcs = KINDS * KINDS * n * n;
    need.all = arcs + need.tables + need.side[0] + need.side[1] + need.side[2] +
               2 * KINDS * n + 64;
    return need;
}

double pvgi_density_elim_fixed_bytes(const pvgi_elim_fixed *fixed, int64_t order,
                                     int64_t degree) {
    if (order > FIXED_ORDER) return 0;
    return 8.0 * cells_of(fixed, (double)order, (double)degree).all;
}

/* --- running ------------------------------------------------------------------------ */

typedef struct {
    int32_t count[KINDS], *node[KINDS], *place[KINDS]; /* place: -1 if not there */
    double *weight[KINDS];                             /* of the nodes */
    double *arcs[KINDS][KINDS];
    bool ready[KINDS][KINDS];
    double *table[N], *side[3]; /* side: a result, rows, columns */
    pvgi_u128 scalar, sum;
    bool large;
    int64_t work;
    uint32_t worker;
} fixed_worker;

typedef struct {
    const pvgi_elim_fixed *fixed;
    pvgi_elim_scratch *scratch;
    const pvgi_elim_reduced *host;
    bool unit; /* all weights are 1 */
    fixed_worker *local;
    _Atomic bool stop, large;
    double reached, share;
} fixed_job;

/* Row by row, the nodes of kind a against those of kind b. */
static const double *arcs_of(fixed_worker *local, const fixed_job *job, int32_t a,
                             int32_t b) {
    double *matrix = local->arcs[a][b];
    if (local->ready[a][b]) return matrix;
    const int32_t columns = local->count[b];
    memset(matrix, 0, (size_t)local->count[a] * (size_t)columns * sizeof *matrix);
    for (int32_t i = 0; i < local->count[a]; i++) {
        const int32_t u = local->node[a][i];
        for (int32_t k = job->host->start[u]; k < job->host->start[u + 1]; k++) {
            const int32_t at = local->place[b][job->host->column[k]];
            if (at >= 0) matrix[(int64_t)i * columns + at] = 1.0;
        }
    }
    local->ready[a][b] = true;
    return matrix;
}

/* A factor for one batch: where it begins, and how far apart images of each place of the
 * scope are. */
typedef struct {
    const double *data;
    int64_t stride[PVGI_ELIM_FIXED_ARITY], inner; /* inner: of the vertex removed */
} fixed_view;

/* How far apart images of each place of a table are. */
static void strides_of(int64_t stride[PVGI_ELIM_FIXED_ARITY], const fixed_worker *local,
                       const fixed_job *job, const pvgi_elim_fixed_step *step) {
    for (int32_t j = step->arity - 1; j >= 0; j--)
        stride[j] =
            j + 1 == step->arity
                ? 1
                : stride[j + 1] * local->count[job->fixed->kind[step->scope[j + 1]]];
}

static fixed_view view_of(fixed_worker *local, const fixed_job *job,
                          const pvgi_elim_fixed_step *step,
                          const pvgi_elim_fixed_factor *factor) {
    const int8_t *kind = job->fixed->kind;
    fixed_view view = {.inner = 1};
    const int64_t inner = local->count[kind[step->vertex]];
    if (factor->table < 0) {
        view.data = arcs_of(local, job, kind[factor->other], kind[step->vertex]);
        for (int32_t j = 0; j < step->arity; j++)
            if (factor->at[j] == 0) view.stride[j] = inner;
        return view;
    }
    const pvgi_elim_fixed_step *from = &job->fixed->step[factor->table];
    view.data = local->table[factor->table];
    int64_t stride[PVGI_ELIM_FIXED_ARITY];
    strides_of(stride, local, job, from);
    view.inner = stride[factor->removed];
    for (int32_t j = 0; j < step->arity; j++)
        if (factor->at[j] >= 0) view.stride[j] = stride[factor->at[j]];
    return view;
}

/* The next images of the places of one side; false when all were there. */
static bool next_images(int32_t image[PVGI_ELIM_FIXED_ARITY], const fixed_worker *local,
                        const fixed_job *job, const pvgi_elim_fixed_step *step,
                        int32_t side) {
    for (int32_t j = step->arity - 1; j >= 0; j--) {
        if (step->side[j] != side) continue;
        if (++image[j] < local->count[job->fixed->kind[step->scope[j]]]) return true;
        image[j] = 0;
    }
    return false;
}

static int64_t size_of_side(const fixed_worker *local, const fixed_job *job,
                            const pvgi_elim_fixed_step *step, int32_t side) {
    int64_t size = 1;
    for (int32_t j = 0; j < step->arity; j++)
        if (step->side[j] == side) size *= local->count[job->fixed->kind[step->scope[j]]];
    return size;
}

/* to = by * from, or from alone. */
static inline void put_line(double *to, const double *by, bool alone, const double *from,
                            int64_t stride, int64_t count) {
    if (alone && stride == 1)
        for (int64_t v = 0; v < count; v++) to[v] = from[v];
    else if (alone)
        for (int64_t v = 0; v < count; v++) to[v] = from[v * stride];
    else if (stride == 1)
        for (int64_t v = 0; v < count; v++) to[v] = by[v] * from[v];
    else
        for (int64_t v = 0; v < count; v++) to[v] = by[v] * from[v * stride];
}

/* Whether a side is the same for all images of the batch. */
static bool is_still(const pvgi_elim_fixed_step *step, const fixed_view *view,
                     int32_t side) {
    for (int32_t f = 0; f < step->factors; f++) {
        if (side_of(step, &step->factor[f]) != side) continue;
        for (int32_t j = 0; j < step->arity; j++)
            if (step->side[j] == PVGI_ELIM_BATCH && view[f].stride[j] != 0) return false;
    }
    return true;
}

/* The factors of a side, and the weights of v, which go to the rows. */
typedef struct {
    const fixed_view *factor[PVGI_ELIM_FIXED_FACTORS];
    const double *weight; /* NULL: all are 1 */
    int32_t count;
} fixed_side;

static fixed_side gather_side(const fixed_worker *local, const fixed_job *job,
                              const pvgi_elim_fixed_step *step, const fixed_view *view,
                              int32_t side) {
    fixed_side all = {0};
    if (side == PVGI_ELIM_ROWS_SIDE && !job->unit)
        all.weight = local->weight[job->fixed->kind[step->vertex]];
    for (int32_t f = 0; f < step->factors; f++)
        if (side_of(step, &step->factor[f]) == side) all.factor[all.count++] = &view[f];
    return all;
}

/* A single factor that is written as the side would be; else NULL. */
static const double *lend_side(const fixed_worker *local, const fixed_job *job,
                               const pvgi_elim_fixed_step *step, const fixed_side *all,
                               const int32_t image[PVGI_ELIM_FIXED_ARITY], int32_t side) {
    if (all->count != 1 || all->weight || all->factor[0]->inner != 1) return NULL;
    const fixed_view *one = all->factor[0];
    int64_t row = local->count[job->fixed->kind[step->vertex]], base = 0;
    for (int32_t j = step->arity - 1; j >= 0; j--) {
        if (step->side[j] == PVGI_ELIM_BATCH) base += one->stride[j] * image[j];
        if (step->side[j] != side) continue;
        if (one->stride[j] != row) return NULL;
        row *= local->count[job->fixed->kind[step->scope[j]]];
    }
    return one->data + base;
}

/* Lines of the Khatri-Rao product of the factors of a side, from the images `at` on,
 * which move along. */
static void make_lines(double *to, fixed_worker *local, const fixed_job *job,
                       const pvgi_elim_fixed_step *step, const fixed_side *all,
                       int32_t at[PVGI_ELIM_FIXED_ARITY], int32_t side, int64_t lines) {
    const int64_t inner = local->count[job->fixed->kind[step->vertex]];
    /* the first two at once, if there is nothing before them */
    const int32_t first =
        !all->weight && all->count > 1 && all->factor[0]->inner == 1 ? 1 : 0;
    for (int64_t i = 0; i < lines; i++, to += inner) {
        const double *line[PVGI_ELIM_FIXED_FACTORS];
        line[0] = NULL;
        for (int32_t f = 0; f < all->count; f++) {
            const fixed_view *one = all->factor[f];
            line[f] = one->data;
            for (int32_t j = 0; j < step->arity; j++) line[f] += one->stride[j] * at[j];
        }
        const double *by = first ? line[0] : all->weight;
        for (int32_t f = first; f < all->count; f++, by = to)
            put_line(to, by, !by, line[f], all->factor[f]->inner, inner);
        if (all->count == 0)
            for (int64_t v = 0; v < inner; v++) to[v] = by ? by[v] : 1.0;
        next_images(at, local, job, step, side);
    }
    local->work += lines * inner * (all->count + 1);
}

static int32_t look(fixed_worker *local, fixed_job *job) {
    if (local->work < FIXED_LOOK) return PVG_OK;
    local->work = 0;
    if (!job->scratch->crew) return pvgi_density_elim_report(job->scratch, job->reached);
    return pvgi_density_elim_look(local->worker == 0 ? job->scratch->crew : NULL,
                                  &job->stop);
}

/* Rows at a time, so that no product takes long, and rows that are made are read while
 * they are in the second cache: as many as a BLAS is asked for (base/blas.h). */
static int64_t rows_together(bool lent, int64_t inner, int64_t columns) {
    if (lent) return FIXED_LOOK / (inner * columns + 1) + 1;
    const int64_t most = FIXED_MADE / inner, asked = FIXED_BLAS / (inner * columns) + 1;
    const int64_t least = FIXED_MADE / 16 / inner + 1;
    return asked <= most ? asked : least;
}

static int32_t multiply_sides(fixed_worker *local, fixed_job *job, double *out,
                              const pvgi_elim_fixed_step *step, const fixed_side *above,
                              const int32_t image[PVGI_ELIM_FIXED_ARITY],
                              const double *right, int64_t rows, int64_t inner,
                              int64_t columns) {
    const double *lent = lend_side(local, job, step, above, image, PVGI_ELIM_ROWS_SIDE);
    double *const made = local->side[PVGI_ELIM_ROWS_SIDE];
    int64_t block = rows_together(lent != NULL, inner, columns);
    int32_t at[PVGI_ELIM_FIXED_ARITY];
    memcpy(at, image, sizeof at);
    for (int64_t first = 0; first < rows; first += block) {
        if (block > rows - first) block = rows - first;
        if (!lent)
            make_lines(made, local, job, step, above, at, PVGI_ELIM_ROWS_SIDE, block);
        (job->scratch->blas ? pvgi_blas_multiply : pvgi_blas_own_multiply)(
            out + first * columns, lent ? lent + first * inner : made, false, right, true,
            block, inner, columns, false);
        local->work += block * inner * columns;
        PVGI_TRY(look(local, job));
    }
    return PVG_OK;
}

/* The last vertex of a part of the rest: its images, in integers. */
static void close_part(fixed_worker *local, const fixed_job *job,
                       const pvgi_elim_fixed_step *step) {
    const int32_t kind = job->fixed->kind[step->vertex];
    pvgi_u128 sum = 0;
    for (int32_t v = 0; v < local->count[kind]; v++) {
        pvgi_u128 product = (uint64_t)local->weight[kind][v];
        for (int32_t f = 0; f < step->factors; f++) {
            const double value = local->table[step->factor[f].table][v];
            if (!(value < 0x1p53)) local->large = true;
            product = multiply(&local->large, product,
                               value < 0x1p53 ? (pvgi_u128)(uint64_t)value : 1);
        }
        sum = add(&local->large, sum, product);
    }
    local->scalar = multiply(&local->large, local->scalar, sum);
}

static int32_t run_step(fixed_worker *local, fixed_job *job, int32_t index) {
    const pvgi_elim_fixed_step *step = &job->fixed->step[index];
    const int8_t *kind = job->fixed->kind;
    fixed_view view[PVGI_ELIM_FIXED_FACTORS];
    if (step->arity == 0) {
        close_part(local, job, step);
        return PVG_OK;
    }
    for (int32_t f = 0; f < step->factors; f++)
        view[f] = view_of(local, job, step, &step->factor[f]);
    const int64_t rows = size_of_side(local, job, step, PVGI_ELIM_ROWS_SIDE);
    const int64_t columns = size_of_side(local, job, step, PVGI_ELIM_COLUMNS_SIDE);
    const int64_t inner = local->count[kind[step->vertex]];
    int64_t stride[PVGI_ELIM_FIXED_ARITY];
    bool in_order = true;
    strides_of(stride, local, job, step);
    for (int32_t j = 1; j < step->arity; j++)
        in_order = in_order && step->side[j] >= step->side[j - 1];
    const fixed_side above = gather_side(local, job, step, view, PVGI_ELIM_ROWS_SIDE),
                     beside = gather_side(local, job, step, view, PVGI_ELIM_COLUMNS_SIDE);
    int32_t image[PVGI_ELIM_FIXED_ARITY] = {0}, at[PVGI_ELIM_FIXED_ARITY];
    const double *made = NULL; /* columns that are the same for all of the batch */
    do {
        int64_t base = 0;
        for (int32_t j = 0; j < step->arity; j++)
            if (step->side[j] == PVGI_ELIM_BATCH) base += stride[j] * image[j];
        const double *right =
            lend_side(local, job, step, &beside, image, PVGI_ELIM_COLUMNS_SIDE);
        if (!right && !made) {
            memcpy(at, image, sizeof at);
            make_lines(local->side[PVGI_ELIM_COLUMNS_SIDE], local, job, step, &beside, at,
                       PVGI_ELIM_COLUMNS_SIDE, columns);
            right = local->side[PVGI_ELIM_COLUMNS_SIDE];
            if (is_still(step, view, PVGI_ELIM_COLUMNS_SIDE)) made = right;
        }
        double *to = in_order ? local->table[index] + base : local->side[0];
        PVGI_TRY(multiply_sides(local, job, to, step, &above, image, right ? right : made,
                                rows, inner, columns));
        if (in_order) continue;
        memcpy(at, image, sizeof at);
        do {
            do {
                int64_t place = 0;
                for (int32_t j = 0; j < step->arity; j++) place += stride[j] * at[j];
                local->table[index][place] = *to++;
            } while (next_images(at, local, job, step, PVGI_ELIM_COLUMNS_SIDE));
        } while (next_images(at, local, job, step, PVGI_ELIM_ROWS_SIDE));
    } while (next_images(image, local, job, step, PVGI_ELIM_BATCH));
    return PVG_OK;
}

/* The images of a kind, from a list of nodes. */
static void open_kind(fixed_worker *local, const fixed_job *job, int32_t kind,
                      const int32_t *node, int32_t count, const int32_t *within) {
    for (int32_t i = 0; i < local->count[kind]; i++)
        local->place[kind][local->node[kind][i]] = -1;
    local->count[kind] = 0;
    for (int32_t i = 0; i < count; i++) {
        const int32_t u = node ? node[i] : i, at = local->count[kind];
        if (within && within[u] < 0) continue;
        local->node[kind][at] = u;
        local->place[kind][u] = at;
        local->weight[kind][at] = (double)job->host->weight[u];
        local->count[kind]++;
    }
    for (int32_t a = 0; a < KINDS; a++)
        local->ready[a][kind] = local->ready[kind][a] = false;
}

/* The images of the vertices next to root i, which is at u. */
static void open_root(fixed_worker *local, const fixed_job *job, int32_t i, int32_t u) {
    const int32_t *start = job->host->start;
    const int32_t *node = job->host->column + start[u];
    open_kind(local, job, 1 << i, node, start[u + 1] - start[u], NULL);
    if (i == 1) open_kind(local, job, 3, node, start[u + 1] - start[u], local->place[1]);
}

static int32_t run_rest(fixed_worker *local, fixed_job *job, pvgi_u128 weight) {
    for (int32_t i = 0; i < job->fixed->steps; i++)
        if (local->count[job->fixed->kind[job->fixed->step[i].vertex]] == 0)
            return PVG_OK;
    local->scalar = weight;
    for (int32_t i = 0; i < job->fixed->steps; i++)
        if (job->fixed->step[i].same == i) PVGI_TRY(run_step(local, job, i));
    local->sum = add(&local->large, local->sum, local->scalar);
    return PVG_OK;
}

/* All maps with the first root at a node. */
static int32_t run_root(void *context, int64_t chunk, uint32_t worker) {
    fixed_job *job = context;
    fixed_worker *local = &job->local[worker];
    const pvgi_elim_reduced *host = job->host;
    const int32_t u = (int32_t)chunk;
    local->worker = worker;
    if (atomic_load_explicit(&job->large, memory_order_relaxed)) return PVG_OK;
    if (!job->scratch->crew)
        PVGI_TRY(pvgi_density_elim_report(
            job->scratch, job->reached + job->share * (double)u / host->order));
    open_root(local, job, 0, u);
    const pvgi_u128 weight = (uint64_t)host->weight[u];
    int32_t status = PVG_OK;
    if (job->fixed->roots == 1) {
        status = run_rest(local, job, weight);
    } else {
        const int32_t first = job->fixed->joined ? host->start[u] : 0;
        const int32_t end = job->fixed->joined ? host->start[u + 1] : host->order;
        for (int32_t i = first; i < end && status == PVG_OK && !local->large; i++) {
            const int32_t w = job->fixed->joined ? host->column[i] : i;
            open_root(local, job, 1, w);
            status = run_rest(local, job,
                              multiply(&local->large, weight, (uint64_t)host->weight[w]));
        }
    }
    if (local->large) atomic_store(&job->large, true);
    return status;
}

static int32_t open_workers(fixed_job *job, uint32_t workers, int32_t degree) {
    pvgi_elim_scratch *scratch = job->scratch;
    const size_t n = (size_t)job->host->order;
    const fixed_cells need = cells_of(job->fixed, (double)n, degree);
    const size_t cells = ((size_t)need.all + 8) & ~(size_t)7;
    const size_t bytes = workers * (cells * sizeof(double) + 2 * KINDS * n * 4 +
                                    sizeof(fixed_worker) + 64);
    PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->dense, bytes));
    double *next = scratch->dense.data;
    for (uint32_t h = 0; h < workers; h++, next += cells) {
        double *at = next;
        fixed_worker *local =
            (fixed_worker *)(void *)((double *)scratch->dense.data + workers * cells) + h;
        memset(local, 0, sizeof *local);
        if (h == 0) job->local = local;
        for (int32_t a = 0; a < KINDS; a++) {
            local->weight[a] = at;
            at += n;
            for (int32_t b = 0; b < KINDS; b++, at += n * n) local->arcs[a][b] = at;
        }
        const double near = degree < (double)n ? degree : (double)n;
        for (int32_t i = 0; i < job->fixed->steps; i++) {
            const pvgi_elim_fixed_step *step = &job->fixed->step[i];
            double size = 1;
            for (int32_t j = 0; j < step->arity; j++)
                size *= job->fixed->kind[step->scope[j]] ? near : (double)n;
            local->table[i] = step->same == i ? at : NULL;
            if (step->same == i) at += (size_t)size;
        }
        for (int32_t s = 0; s < 3; s++) {
            local->side[s] = at;
            at += (size_t)need.side[s];
        }
    }
    int32_t *words = (int32_t *)(void *)(job->local + workers);
    for (uint32_t h = 0; h < workers; h++)
        for (int32_t a = 0; a < KINDS; a++, words += 2 * n) {
            job->local[h].node[a] = words;
            job->local[h].place[a] = words + n;
            for (size_t u = 0; u < n; u++) words[n + u] = -1;
        }
    return PVG_OK;
}

/* --- whether it pays ---------------------------------------------------------------- */

double pvgi_density_elim_fixed_cost(const pvgi_elim_fixed *fixed, int64_t order,
                                    double degree) {
    return order <= FIXED_ORDER
               ? FIXED_SPEED *
                     pvgi_density_elim_fixed_visits(fixed, (double)order, degree)
               : INFINITY;
}

/* About how many tuples tries visit: every table holds its tuples with a chance that
 * follows from those it is made from, as if these were drawn. */
static double cost_of_tries(const pvgi_elim_plan *plan, const pvgi_elim_pattern *pattern,
                            double n, double d) {
    double fill[4 * N], sum = 0;
    if (pattern->steps > 4 * N) return 0;
    for (int32_t i = 0; i < pattern->steps; i++) {
        const pvgi_elim_step *step = &plan->step[plan->list[pattern->step + i].step];
        double with = 1, without = 1, tuples = 1;
        for (int32_t f = 0; f < step->factors; f++) {
            const pvgi_elim_factor *factor = &plan->factor[step->factor + f];
            double chance = factor->arity > 1 ? d / n : 1;
            bool summed = false;
            for (int32_t k = 0; k < i; k++)
                if (plan->list[pattern->step + k].step == factor->table - PVGI_ELIM_BASES)
                    chance = fill[k];
            for (int32_t j = 0; j < factor->arity; j++)
                summed = summed || factor->level[j] == step->summed;
            *(summed ? &with : &without) *= chance;
        }
        fill[i] =
            step->summed < 0 ? with * without : without * (n * with < 1 ? n * with : 1);
        for (int32_t j = 0; j < step->levels; j++) tuples *= n;
        const bool matrix = step->dense && n >= PVGI_DENSE_ORDER_LEAST;
        const double visits = tuples * with * without;
        sum += matrix && tuples / FIXED_SPEED < visits ? tuples / FIXED_SPEED : visits;
    }
    return sum;
}

int32_t pvgi_density_elim_fixed_count(pvgi_u128 *count, bool *done,
                                      const pvgi_elim_plan *plan,
                                      const pvgi_elim_pattern *pattern,
                                      pvgi_elim_scratch *scratch, double reached,
                                      double share) {
    const pvgi_elim_reduced *host = &scratch->reduced;
    const double n = host->order, d = n > 0 ? host->arcs / n : 0;
    fixed_job job = {.fixed = pattern->fixed,
                     .scratch = scratch,
                     .host = host,
                     .unit = true,
                     .reached = reached,
                     .share = share};
    *done = false;
    if (host->order > FIXED_ORDER || host->arcs == 0 ||
        pvgi_density_elim_fixed_visits(pattern->fixed, n, d) >
            scratch->fixed_price * cost_of_tries(plan, pattern, n, d))
        return PVG_OK;
    int32_t degree = 0;
    for (int32_t u = 0; u < host->order; u++) {
        job.unit = job.unit && host->weight[u] == 1;
        if (host->start[u + 1] - host->start[u] > degree)
            degree = host->start[u + 1] - host->start[u];
    }
    /* whether it is done, and so how counts from 2^53 on are rounded, does not depend on
     * the limit; only how many do it */
    uint32_t workers = pvgi_density_elim_workers(scratch, host->order);
    const double bytes =
        pvgi_density_elim_fixed_bytes(pattern->fixed, host->order, degree) +
        8 * KINDS * n + (double)sizeof(fixed_worker) + 256;
    if (!pvgi_density_elim_has_room(scratch, &scratch->dense, (size_t)(workers * bytes)))
        workers = 1;
    PVGI_TRY(open_workers(&job, workers, degree));
    for (uint32_t h = 0; h < workers; h++)
        open_kind(&job.local[h], &job, 0, NULL, host->order, NULL);
    PVGI_TRY(
        pvgi_density_elim_fork(scratch, host->order, run_root, &job, reached, share));
    bool large = atomic_load(&job.large);
    *count = 0;
    for (uint32_t h = 0; h < workers; h++) *count = add(&large, *count, job.local[h].sum);
    *done = !large;
    scratch->fixed += !large;
    return PVG_OK;
}
