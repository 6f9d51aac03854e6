/* Grids of 3 x n and of 4 x 4 in sparse hosts: sums over neighbourhoods, as matrices.
 *
 * B(x, y) = weight of the common neighbours of x and y. For a node b, M_b is B between
 * its neighbours; E_bc is the adjacency matrix between the neighbours of b and those of
 * c; W has weights on its diagonal.
 *   3 x n. b, b', ... are the images of the middle row. F_b over the two ends of a column
 * is what lies on one side of it: F^1_b = M_b W M_b for one column (its corners are
 * summed up in M), and for one more F_b' = sum over neighbours b of b' of
 * w_b E_b'b W F_b W E_bb'. Both sides meet in the middle: hom = sum over b of w_b w_a w_c
 * F^i_b(a, c) F^j_b(a, c), i + j = n - 1. For even n each edge is visited once, from its
 * larger end.
 *   4 x 4. The inner square is g, o, h, p; its sides are neighbours of these, its corners
 * are in M. With R = sum over common neighbours o of g and h of w_o E_go W M_o W E_oh,
 * once for o and once for p,
 *     hom = sum over g, h of w_g w_h trace(W M_g W R W M_h W R^T),
 * g the larger of both.
 *
 * E F is a sum of rows of F for each row; the second factor is applied to the sum over o
 * of what its rows are added to (V in the code), so it costs an addition for each arc two
 * steps deep only. O(sum over arcs (g, o) of d_o times the walks of three arcs from g to
 * o), and for 4 x 4 also O(sum over pairs g, h two steps apart of d_g d_h (d_g + d_h)).
 *   Memory: the tables M or F, sum over nodes of d (d + 3) numbers (twice for 3 x 6),
 * which elimination has too, as walks of two arcs; for each hand D rows of D, and 2^19
 * numbers of V, or four for each arc two steps from one node: as many columns at a time
 * as fit. Where not all do, 4 x 4 has as many for R of several h, since R needs all
 * columns. Only sums and products of non-negative numbers. Chunks of nodes are cut by
 * the graph alone and their sums added in order.
 *   Counts of more than 53 bits: rows of doubles that stay below 2^53 are exact however
 * they came about (elim/dense.h), so only what is made of the last ones, products of two
 * and their sums, has 128 bits. Where one does not stay below, all have.
 *
 * The file that includes this defines
 *   CELL                 type of entries of rows
 *   PLUS(j, a, b)        a + b, a * b of cells; note overflow in *j
 *   TIMES(j, a, b)
 *   VALUE                type of a count
 *   WIDEN(j, a)          a cell as a VALUE
 *   ADD(j, a, b)         the same of VALUEs
 *   MULTIPLY(j, a, b)
 *   SUM_LINES(j, ...)    the loops of pvgi_elim_lines
 *   MULTIPLY_LINES(j, ...)
 *   COUNT_GRIDS          name of the function at the end */

#include "vicinity.h"

enum {
    GRID_LINES = 8,       /* rows made before they are added, as columns, to others */
    GRID_BLOCK = 64,      /* rows whose items are listed at a time, */
    GRID_ITEMS = 1 << 16, /* while there are no more of them than this */
    GRID_PANEL = 16       /* rows of a product between two looks whether to stop */
};

typedef struct {
    bool overflow; /* what MULTIPLY and ADD look for */
    const pvgi_elim_lines *lines;
    watcher watch;
    VALUE sum;               /* of the chunk */
    vicinity near;           /* of g */
    int32_t from, to, width; /* columns of rows: which neighbours of g, and how many */
    int32_t *first;          /* of each neighbour o of g: where its arcs begin */
    int32_t *owner, *target; /* of each arc (o, c): which neighbour o is, and c */
    int32_t *begin, *item;   /* items of each neighbour and row of a block */
    int32_t *slot, *touched; /* of each node: the row of V, or -1; nodes that have one */
    CELL *row, *rows;        /* of all nodes; of places or arcs */
    CELL *work, *spare, *matrix; /* GRID_LINES, twice GRID_PANEL, D rows of D or more */
} grid_hand;

typedef struct grid_job grid_job;
typedef int32_t (*grid_visit)(grid_job *job, grid_hand *hand, int32_t u);

struct grid_job {
    pvgi_elim_scratch *scratch;
    const pvgi_elim_reduced *host;
    double reached, share; /* of the host: before the visit at hand, and by it */
    int32_t chunks, first[VICINITY_CHUNKS + 1];
    grid_visit visit;
    const int64_t *at;         /* of each node: where its matrix begins in a table */
    const int32_t *mirror;     /* of each arc: that the other way */
    CELL *table, *next;        /* a matrix for each node */
    int64_t room;              /* cells of hand->matrix */
    bool square;               /* 4 x 4: M has weights; rows are kept arc by arc */
    bool closing, even;        /* what the last visit is to do; see meet_grid */
    VALUE *sums;               /* of chunks */
    _Atomic bool stop, failed; /* told to stop; something did not fit */
    grid_hand *hands;
};

static int32_t stride_of(int32_t degree) {
    return (degree + PVGI_ELIM_LANES - 1) / PVGI_ELIM_LANES * PVGI_ELIM_LANES;
}

static int32_t look_at_grids(grid_job *job, grid_hand *hand, int64_t products) {
    hand->watch.products += products;
    return look_out(job->scratch, &hand->watch, &job->stop);
}

static CELL weight_in(const grid_job *job, int32_t u) {
    return (CELL)job->host->weight[u];
}

/* The weight of u as a factor of a count. */
static VALUE multiply_weight(const grid_job *job, grid_hand *hand, VALUE by, int32_t u) {
    return MULTIPLY(hand, by, (VALUE)job->host->weight[u]);
}

/* Rows of a product that are made between two looks. */
static int32_t panel_of(int32_t inner, int32_t width) {
    int32_t rows = GRID_PANEL;
    while (rows > 4 && (int64_t)rows * inner * width > VICINITY_LOOK) rows /= 2;
    return rows;
}

/* --- M and F^1 ------------------------------------------------------------------------
 */

/* Row x of M_b for all neighbours b of x. */
static int32_t fill_grid(grid_job *job, grid_hand *hand, int32_t x) {
    const pvgi_elim_reduced *host = job->host;
    CELL *row = hand->row;
    for (int32_t i = host->start[x]; i < host->start[x + 1]; i++) {
        const int32_t o = host->column[i];
        for (int32_t j = host->start[o]; j < host->start[o + 1]; j++)
            row[host->column[j]] = PLUS(hand, row[host->column[j]], weight_in(job, o));
    }
    for (int32_t i = host->start[x]; i < host->start[x + 1]; i++) {
        const int32_t b = host->column[i], degree = degree_in(host, b);
        const int32_t *column = host->column + host->start[b], stride = stride_of(degree);
        CELL *to =
            job->table + job->at[b] + (int64_t)(job->mirror[i] - host->start[b]) * stride;
        for (int32_t j = 0; j < degree; j++) {
            to[j] = row[column[j]];
            if (!job->square) continue;
            to[j] = TIMES(hand, to[j], weight_in(job, column[j]));
            to[j] = TIMES(hand, to[j], weight_in(job, x));
        }
        for (int32_t j = degree; j < stride; j++) to[j] = 0;
    }
    for (int32_t i = host->start[x]; i < host->start[x + 1]; i++) {
        const int32_t o = host->column[i];
        for (int32_t j = host->start[o]; j < host->start[o + 1]; j++)
            row[host->column[j]] = 0;
    }
    return look_at_grids(job, hand, 2 * reach_of(host, x));
}

/* to[j] = own from[j] w_j for the nodes of column[]. */
static void weigh_line(const grid_job *job, grid_hand *hand, CELL *to, const CELL *from,
                       const int32_t *column, int32_t count, CELL own) {
    for (int32_t j = 0; j < count; j++)
        to[j] = TIMES(hand, TIMES(hand, from[j], weight_in(job, column[j])), own);
}

/* w_a times the sum over c of w_c F(a, c)^2 for the nodes c of column[]. */
static VALUE square_line(const grid_job *job, grid_hand *hand, const CELL *line,
                         const int32_t *column, int32_t count, int32_t a) {
    VALUE sum = 0;
    for (int32_t j = 0; j < count; j++) {
        const VALUE one = WIDEN(hand, line[j]);
        sum = ADD(hand, sum,
                  multiply_weight(job, hand, MULTIPLY(hand, one, one), column[j]));
    }
    return multiply_weight(job, hand, sum, a);
}

/* W M W M W in the place of M_b, or, closing, adds what both sides of a grid of 3 x 3
 * are. */
static int32_t widen_grid(grid_job *job, grid_hand *hand, int32_t b) {
    const int32_t degree = degree_in(job->host, b), stride = stride_of(degree);
    const int32_t *column = job->host->column + job->host->start[b];
    const int32_t panel = panel_of(degree, stride);
    CELL *table = job->table + job->at[b];
    VALUE one = 0;
    for (int32_t i = 0; i < degree; i += panel) {
        const int32_t rows = degree - i < panel ? degree - i : panel;
        for (int32_t r = 0; r < rows; r++)
            weigh_line(job, hand, hand->spare + (int64_t)r * stride,
                       table + (int64_t)(i + r) * stride, column, degree, 1);
        MULTIPLY_LINES(hand, hand->matrix + (int64_t)i * stride, hand->spare, stride,
                       table, rows, degree, stride);
        PVGI_TRY(look_at_grids(job, hand, (int64_t)rows * degree * stride));
    }
    for (int32_t i = 0; i < degree; i++) {
        const CELL *line = hand->matrix + (int64_t)i * stride;
        if (job->closing)
            one = ADD(hand, one, square_line(job, hand, line, column, degree, column[i]));
        else
            weigh_line(job, hand, table + (int64_t)i * stride, line, column, degree,
                       weight_in(job, column[i]));
    }
    hand->sum = ADD(hand, hand->sum, multiply_weight(job, hand, one, b));
    return PVG_OK;
}

/* --- sums over the neighbours of neighbours -------------------------------------------
 */

/* The arcs two steps from g. */
static void open_grid(const grid_job *job, grid_hand *hand, int32_t g) {
    const pvgi_elim_reduced *host = job->host;
    const int32_t *around = host->column + host->start[g];
    int32_t arcs = 0;
    find_vicinity(&hand->near, host, g);
    for (int32_t k = 0; k < degree_in(host, g); k++) {
        const int32_t o = around[k];
        hand->first[k] = arcs;
        if (hand->near.half && !comes_before(host, o, g)) continue;
        for (int32_t j = host->start[o]; j < host->start[o + 1]; j++, arcs++) {
            hand->owner[arcs] = k;
            hand->target[arcs] = host->column[j];
        }
    }
    hand->first[degree_in(host, g)] = arcs;
}

/* Rows from `from` on whose items are listed together: the end. */
static int32_t end_of_block(const grid_job *job, const grid_hand *hand, int32_t g,
                            int32_t from) {
    const pvgi_elim_reduced *host = job->host;
    const int32_t *around = host->column + host->start[g];
    int64_t items = 0;
    int32_t to = from;
    for (; to < hand->to && to < from + GRID_BLOCK; to++) {
        for (int32_t j = host->start[around[to]]; j < host->start[around[to] + 1]; j++) {
            const int32_t p = hand->near.place[host->column[j]];
            if (p >= 0) items += hand->near.start[p + 1] - hand->near.start[p];
        }
        if (items > GRID_ITEMS && to > from) break;
    }
    return to;
}

/* For each neighbour o of g and each of the neighbours a' of g from `from` to `to` - 1:
 * the places among the neighbours of o of those a that are neighbours of a' too. */
static void list_items(const grid_job *job, grid_hand *hand, int32_t g, int32_t from,
                       int32_t to) {
    const pvgi_elim_reduced *host = job->host;
    const vicinity *near = &hand->near;
    const int32_t *around = host->column + host->start[g], rows = to - from;
    const int32_t lists = rows * degree_in(host, g);
    int32_t *begin = hand->begin + 1, before = 0;
    memset(begin, 0, (size_t)lists * sizeof *begin);
    for (int32_t fill = 0; fill < 2; fill++) {
        for (int32_t r = 0; r < rows; r++) {
            const int32_t other = around[from + r];
            for (int32_t j = host->start[other]; j < host->start[other + 1]; j++) {
                const int32_t p = near->place[host->column[j]];
                if (p < 0) continue;
                for (int32_t s = near->start[p]; s < near->start[p + 1]; s++) {
                    const int32_t arc = near->shared[s], k = hand->owner[arc];
                    int32_t *here = &begin[(int64_t)k * rows + r];
                    if (fill) hand->item[*here] = arc - hand->first[k];
                    ++*here;
                }
            }
        }
        for (int32_t i = 0; i < lists && !fill; i++) {
            const int32_t count = begin[i];
            begin[i] = before;
            before += count;
        }
    }
    hand->begin[0] = 0;
}

/* Adds w_o P(a', c) to entry a' of the row of (o, c): P is E F_o, its rows `from` to
 * `to` - 1, k the number of o. */
static void add_columns(const grid_job *job, grid_hand *hand, int32_t g, int32_t k,
                        int32_t from, int32_t to) {
    const pvgi_elim_reduced *host = job->host;
    const int32_t o = host->column[host->start[g] + k], degree = degree_in(host, o);
    const int32_t stride = stride_of(degree);
    const CELL weight = weight_in(job, o);
    for (int32_t low = from; low < to; low += GRID_LINES) {
        const int32_t lines = to - low < GRID_LINES ? to - low : GRID_LINES;
        const int32_t *begin = hand->begin + (int64_t)k * (to - from) + (low - from);
        for (int32_t r = 0; r < lines; r++)
            SUM_LINES(hand, hand->work + (int64_t)r * stride, job->table + job->at[o],
                      stride, hand->item + begin[r], begin[r + 1] - begin[r], stride);
        for (int32_t c = 0; c < degree; c++) {
            const int32_t arc = hand->first[k] + c;
            const int32_t row = job->square ? arc : hand->near.place[hand->target[arc]];
            const CELL *from_line = hand->work + c;
            CELL *line = hand->rows + (int64_t)row * hand->width + (low - hand->from);
            for (int32_t r = 0; r < lines; r++)
                line[r] = PLUS(hand, line[r],
                               TIMES(hand, weight, from_line[(int64_t)r * stride]));
        }
    }
}

/* Rows that g has at most: places, or arcs and half of them again. */
static int64_t rows_at(const grid_job *job, int32_t g) {
    const int64_t arcs = reach_of(job->host, g) - degree_in(job->host, g);
    const int64_t sums = job->square ? arcs / 2 : arcs, order = job->host->order;
    return (sums < order ? sums : order) + (job->square ? arcs : 0);
}

/* Columns of them that are made at a time: as many as there is room for. */
static int32_t columns_at(const grid_job *job, int32_t g) {
    const int64_t rows = rows_at(job, g), all = stride_of(degree_in(job->host, g));
    const int64_t most = job->scratch->grid_cells / (rows + 1) / PVGI_ELIM_LANES;
    const int64_t columns = (most > 0 ? most : 1) * PVGI_ELIM_LANES;
    return (int32_t)(columns < all ? columns : all);
}

/* The rows V of all places (arcs, for 4 x 4) around g, up to `columns` columns. */
static int32_t spread_grid(grid_job *job, grid_hand *hand, int32_t g, int32_t from,
                           int32_t columns) {
    const int32_t degree = degree_in(job->host, g);
    const int64_t rows = job->square ? hand->first[degree] : hand->near.nodes;
    hand->from = from;
    hand->to = degree - from < columns ? degree : from + columns;
    hand->width = stride_of(hand->to - from);
    memset(hand->rows, 0, (size_t)(rows * hand->width) * sizeof *hand->rows);
    PVGI_TRY(look_at_grids(job, hand, rows * hand->width));
    for (int32_t low = from, high; low < hand->to; low = high) {
        high = end_of_block(job, hand, g, low);
        list_items(job, hand, g, low, high);
        for (int32_t k = 0; k < degree; k++) {
            const int32_t *begin = hand->begin + (int64_t)k * (high - low);
            const int64_t arcs = hand->first[k + 1] - hand->first[k];
            if (arcs == 0) continue;
            add_columns(job, hand, g, k, low, high);
            PVGI_TRY(look_at_grids(job, hand, (begin[high - low] - begin[0] + 8) * arcs));
        }
    }
    return PVG_OK;
}

/* Adds up the rows of the neighbours of y that have one, as row[] tells. */
static int64_t sum_around(const grid_job *job, grid_hand *hand, CELL *out,
                          const int32_t *row, int32_t y) {
    const pvgi_elim_reduced *host = job->host;
    int32_t count = 0;
    for (int32_t j = host->start[y]; j < host->start[y + 1]; j++) {
        const int32_t one = row[host->column[j]];
        hand->item[count] = one;
        count += one >= 0; /* a coin: no branch asks */
    }
    SUM_LINES(hand, out, hand->rows, hand->width, hand->item, count, hand->width);
    return (int64_t)count * hand->width + degree_in(host, y);
}

/* The columns at hand of one column more at g, sum over o of w_o E F_o E: kept for the
 * next, or, closing, taken times itself, or times F_g where n is even. */
static int32_t meet_columns(grid_job *job, grid_hand *hand, VALUE *sum, int32_t g) {
    const int32_t degree = degree_in(job->host, g), stride = stride_of(degree);
    const int32_t *around = job->host->column + job->host->start[g];
    const int32_t *column = around + hand->from, count = hand->to - hand->from;
    CELL *line = hand->spare;
    *sum = 0;
    for (int32_t k = 0; k < degree; k++) {
        const int64_t at = job->at[g] + (int64_t)k * stride + hand->from;
        const int64_t products = sum_around(job, hand, line, hand->near.place, around[k]);
        if (!job->closing) {
            for (int32_t j = count; j < hand->width; j++) job->next[at + j] = 0;
            weigh_line(job, hand, job->next + at, line, column, count,
                       weight_in(job, around[k]));
        } else if (job->even) {
            *sum =
                ADD(hand, *sum, dot_lines(&hand->overflow, line, job->table + at, count));
        } else {
            *sum =
                ADD(hand, *sum, square_line(job, hand, line, column, count, around[k]));
        }
        PVGI_TRY(look_at_grids(job, hand, products));
    }
    return PVG_OK;
}

static int32_t meet_grid(grid_job *job, grid_hand *hand, int32_t g) {
    const int32_t degree = degree_in(job->host, g), columns = columns_at(job, g);
    VALUE one = 0, sum;
    int32_t status = PVG_OK;
    hand->near.half = job->even && job->closing;
    open_grid(job, hand, g);
    for (int32_t from = 0; from < degree; from += columns) {
        PVGI_TRY_DONE(spread_grid(job, hand, g, from, columns));
        PVGI_TRY_DONE(meet_columns(job, hand, &sum, g));
        one = ADD(hand, one, sum);
    }
    if (hand->near.half) one = ADD(hand, one, one);
    hand->sum = ADD(hand, hand->sum, multiply_weight(job, hand, one, g));
done:
    leave_vicinity(&hand->near);
    return status;
}

#include "grids_square.h"

/* --- the whole ------------------------------------------------------------------------
 */

static int32_t run_grids(void *context, int64_t chunk, uint32_t worker) {
    grid_job *job = context;
    grid_hand own = job->hands[worker]; /* not in the cache lines of another */
    if (atomic_load_explicit(&job->failed, memory_order_relaxed)) return PVG_OK;
    own.watch =
        begin_watch(job->scratch, worker,
                    job->reached + job->share * (double)chunk / (double)job->chunks);
    for (int32_t u = job->first[chunk]; u < job->first[chunk + 1]; u++)
        PVGI_TRY(job->visit(job, &own, u));
    job->sums[chunk] = own.sum;
    if (own.overflow) atomic_store(&job->failed, true); /* no count will come of it */
    return end_watch(job->scratch, &own.watch, &job->stop);
}

/* Visits all nodes, which is `share` of the host. */
static int32_t visit_all(grid_job *job, grid_visit way, double share) {
    job->visit = way;
    job->share = share;
    PVGI_TRY(pvgi_density_elim_fork(job->scratch, job->chunks, run_grids, job,
                                    job->reached, share));
    job->reached += share;
    return PVG_OK;
}

static int64_t grid_cost(const pvgi_elim_reduced *host, int32_t u) {
    return (reach_of(host, u) + 8) * (degree_in(host, u) + 8);
}

/* Where matrices begin in a table, and the arcs the other way; *numbers of a table. */
static int32_t lay_out_grid(grid_job *job, int64_t *numbers) {
    pvgi_elim_scratch *scratch = job->scratch;
    const pvgi_elim_reduced *host = job->host;
    const size_t order = (size_t)host->order, arcs = (size_t)host->arcs;
    PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->slot,
                                    (order + 1) * sizeof(int64_t) +
                                        (arcs + order) * sizeof(int32_t)));
    int64_t *at = scratch->slot.data;
    int32_t *mirror = (int32_t *)(at + order + 1), *next = mirror + arcs;
    at[0] = 0;
    for (int32_t u = 0; u < host->order; u++) {
        const int64_t degree = degree_in(host, u);
        at[u + 1] = at[u] + degree * stride_of((int32_t)degree);
        next[u] = host->start[u];
    }
    for (int32_t u = 0; u < host->order; u++) /* row v has smaller nodes in their order */
        for (int32_t i = host->start[u]; i < host->start[u + 1]; i++)
            if (host->column[i] > u) {
                mirror[i] = next[host->column[i]]++;
                mirror[mirror[i]] = i;
            }
    job->at = at;
    job->mirror = mirror;
    *numbers = at[order];
    return PVG_OK;
}

/* Cells of the rows that a hand has, at most; 3 x 3 needs none. For 4 x 4 also the cells
 * of the matrices that it keeps, where not all columns of rows fit. */
static int64_t rows_of_grids(grid_job *job, int32_t columns) {
    const int32_t widest = widest_in(job->host);
    int64_t most = 0;
    job->room = (int64_t)widest * stride_of(widest);
    for (int32_t u = 0; u < job->host->order && columns != 3; u++) {
        const int64_t own = rows_at(job, u) * columns_at(job, u);
        if (own > most) most = own;
        if (job->square && columns_at(job, u) < degree_in(job->host, u) &&
            job->room < job->scratch->grid_cells)
            job->room = job->scratch->grid_cells;
    }
    return most;
}

/* Memory for tables and `hands` hands. */
static int32_t open_grids(grid_job *job, uint32_t hands, int32_t columns, size_t tables) {
    pvgi_elim_scratch *scratch = job->scratch;
    const size_t order = (size_t)job->host->order;
    const size_t widest = (size_t)widest_in(job->host);
    const size_t deepest = (size_t)deepest_in(job->host);
    const size_t rows = (size_t)rows_of_grids(job, columns);
    const size_t stride = (size_t)stride_of((int32_t)widest);
    const size_t numbers =
        order + rows + (GRID_LINES + 2 * GRID_PANEL) * stride + (size_t)job->room;
    const size_t words =
        5 * order + 1 + 4 * deepest + (GRID_BLOCK + 1) * (widest + 1) + GRID_ITEMS;
    PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->row,
                                    VICINITY_CHUNKS * sizeof(VALUE) +
                                        (tables + hands * numbers) * sizeof(CELL)));
    PVGI_TRY(
        pvgi_density_elim_need(scratch, &scratch->touched,
                               hands * (sizeof *job->hands + words * sizeof(int32_t))));
    job->sums = scratch->row.data;
    job->hands = scratch->touched.data;
    job->table = (CELL *)(job->sums + VICINITY_CHUNKS);
    CELL *value = job->table + tables;
    int32_t *word = (int32_t *)(job->hands + hands);
    for (uint32_t i = 0; i < hands; i++, value += numbers, word += words) {
        memset(value, 0, order * sizeof *value);            /* row */
        memset(word + order, -1, 2 * order * sizeof *word); /* place, slot */
        job->hands[i] = (grid_hand){
            .lines = pvgi_density_elim_lines(pvgi_cpu_level()),
            .near = {.numbered = true,
                     .node = word,
                     .place = word + order,
                     .start = word + 3 * order,
                     .shared = word + 4 * order + 1},
            .slot = word + 2 * order,
            .touched = word + 4 * order + 1 + deepest,
            .owner = word + 5 * order + 1 + deepest,
            .target = word + 5 * order + 1 + 2 * deepest,
            .item = word + 5 * order + 1 + 3 * deepest,
            .begin = word + 5 * order + 1 + 4 * deepest + GRID_ITEMS,
            .first = word + words - widest - 1,
            .row = value,
            .rows = value + order,
            .work = value + order + rows,
            .spare = value + order + rows + GRID_LINES * stride,
            .matrix = value + order + rows + (GRID_LINES + 2 * GRID_PANEL) * stride};
    }
    return PVG_OK;
}

/* All visits of a grid; what the last one adds is the count. */
static int32_t visit_grid(grid_job *job, int32_t columns) {
    const double share = job->share;
    PVGI_TRY(visit_all(job, fill_grid, 0.02 * share));
    if (job->square) return visit_all(job, add_squares, 0.98 * share);
    const int32_t meetings = (columns - 2) / 2;
    job->closing = meetings == 0;
    PVGI_TRY(visit_all(job, widen_grid, job->closing ? 0.98 * share : 0.18 * share));
    for (int32_t i = 0; i < meetings; i++) {
        job->closing = i + 1 == meetings;
        PVGI_TRY(visit_all(job, meet_grid, 0.8 * share / meetings));
        CELL *kept = job->table;
        job->table = job->next;
        job->next = kept;
    }
    return PVG_OK;
}

int32_t COUNT_GRIDS(VALUE *count, bool *overflow, pvgi_elim_scratch *scratch,
                    int32_t columns, double reached, double share) {
    pvgi_run *crew = scratch->crew;
    struct {
        bool overflow;
    } note = {false};
    grid_job job = {.scratch = scratch,
                    .host = &scratch->reduced,
                    .reached = reached,
                    .share = share,
                    .square = columns < 0,
                    .even = columns % 2 == 0};
    int64_t numbers;
    PVGI_TRY(lay_out_grid(&job, &numbers));
    job.chunks = cut_vicinities(job.first, job.host, grid_cost);
    const size_t tables = (size_t)(columns < 6 ? numbers : 2 * numbers);
    int32_t status =
        open_grids(&job, pvgi_density_elim_hands(scratch, job.chunks), columns, tables);
    if (status == PVG_E_LIMIT && crew) { /* memory for one may do */
        scratch->crew = NULL;
        status = open_grids(&job, 1, columns, tables);
    }
    job.next = job.table + numbers;
    if (status == PVG_OK) status = visit_grid(&job, columns);
    scratch->crew = crew;
    PVGI_TRY(status);
    *count = 0;
    for (int32_t i = 0; i < job.chunks; i++) *count = ADD(&note, *count, job.sums[i]);
    *overflow = *overflow || note.overflow || atomic_load(&job.failed);
    return PVG_OK;
}
