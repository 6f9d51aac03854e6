/* Grids of 4 x 4: the pairs g, h of the inner square and their matrices R; see
 * elim/grids.h, which includes this. */

/* slot: the row of V for each node that the common neighbours of g and h, at place p,
 * lead to; one of an arc, or one more where several do. Returns how many have one. */
static int32_t fill_slots(grid_hand *hand, int32_t p, int32_t arcs) {
    const int64_t width = hand->width;
    int32_t nodes = 0, made = arcs;
    for (int32_t s = hand->near.start[p]; s < hand->near.start[p + 1]; s++) {
        const int32_t k = hand->owner[hand->near.shared[s]];
        for (int32_t arc = hand->first[k]; arc < hand->first[k + 1]; arc++) {
            int32_t *slot = &hand->slot[hand->target[arc]];
            if (*slot < 0) {
                hand->touched[nodes++] = hand->target[arc];
                *slot = arc;
                continue;
            }
            const int32_t both[2] = {*slot, arc};
            if (*slot < arcs) *slot = made++;
            SUM_LINES(hand, hand->rows + *slot * width, hand->rows, width, both, 2,
                      hand->width);
        }
    }
    return nodes;
}

/* The columns at hand of R^T for h, at place p; its rows are `stride` apart. */
static int32_t fill_square(grid_job *job, grid_hand *hand, CELL *to, int32_t stride,
                           int32_t p, int32_t arcs) {
    const pvgi_elim_reduced *host = job->host;
    const int32_t h = hand->near.node[p], nodes = fill_slots(hand, p, arcs);
    int64_t products = (int64_t)nodes * hand->width;
    for (int32_t k = 0; k < degree_in(host, h); k++)
        products += sum_around(job, hand, to + (int64_t)k * stride + hand->from,
                               hand->slot, host->column[host->start[h] + k]);
    for (int32_t i = 0; i < nodes; i++) hand->slot[hand->touched[i]] = -1;
    return look_at_grids(job, hand, products);
}

/* trace(W M_g W R W M_h W R^T). */
static int32_t close_square(grid_job *job, grid_hand *hand, VALUE *trace,
                            const CELL *matrix, int32_t g, int32_t h) {
    const int32_t degree = degree_in(job->host, g), width = stride_of(degree);
    const int32_t other = degree_in(job->host, h), stride = stride_of(other);
    const int32_t panel = panel_of(degree + other, width);
    const CELL *of_g = job->table + job->at[g], *of_h = job->table + job->at[h];
    *trace = 0;
    for (int32_t i = 0; i < other; i += panel) {
        const int32_t rows = other - i < panel ? other - i : panel;
        CELL *left = hand->spare, *right = left + (int64_t)rows * width;
        MULTIPLY_LINES(hand, left, matrix + (int64_t)i * width, width, of_g, rows, degree,
                       width);
        MULTIPLY_LINES(hand, right, of_h + (int64_t)i * stride, stride, matrix, rows,
                       other, width);
        for (int32_t r = 0; r < rows; r++)
            *trace = ADD(hand, *trace,
                         dot_lines(&hand->overflow, left + (int64_t)r * width,
                                   right + (int64_t)r * width, degree));
        PVGI_TRY(look_at_grids(job, hand, (int64_t)rows * (degree + other) * width));
    }
    return PVG_OK;
}

/* Whether g is visited with the node at place p: it comes before g, or is g. */
static bool is_partner(const grid_job *job, const grid_hand *hand, int32_t g, int32_t p) {
    const int32_t h = hand->near.node[p];
    return h == g || comes_before(job->host, h, g);
}

/* The partners of g at places from p on whose matrices are kept together: where they end.
 * One, if there is room for all columns of its rows. */
static int32_t end_of_batch(const grid_job *job, const grid_hand *hand, int32_t g,
                            int32_t p, bool whole) {
    const int64_t stride = stride_of(degree_in(job->host, g));
    int64_t cells = 0;
    for (; p < hand->near.nodes; p++) {
        if (!is_partner(job, hand, g, p)) continue;
        const int64_t more = degree_in(job->host, hand->near.node[p]) * stride;
        if (cells > 0 && (whole || cells + more > job->room)) break;
        cells += more;
    }
    return p;
}

/* Adds the pairs of g with its partners at places p to last - 1. */
static int32_t add_batch(grid_job *job, grid_hand *hand, VALUE *sum, int32_t g, int32_t p,
                         int32_t last) {
    const int32_t degree = degree_in(job->host, g), columns = columns_at(job, g);
    const int32_t stride = stride_of(degree), arcs = hand->first[degree];
    const bool whole = columns >= degree;
    for (int32_t from = 0; from < degree; from += columns) {
        CELL *matrix = hand->matrix;
        if (!whole) PVGI_TRY(spread_grid(job, hand, g, from, columns));
        for (int32_t q = p; q < last; q++) {
            if (!is_partner(job, hand, g, q)) continue;
            PVGI_TRY(fill_square(job, hand, matrix, stride, q, arcs));
            matrix += (int64_t)degree_in(job->host, hand->near.node[q]) * stride;
        }
    }
    const CELL *matrix = hand->matrix;
    for (int32_t q = p; q < last; q++) {
        const int32_t h = hand->near.node[q];
        VALUE trace;
        if (!is_partner(job, hand, g, q)) continue;
        PVGI_TRY(close_square(job, hand, &trace, matrix, g, h));
        trace = multiply_weight(job, hand, trace, h);
        *sum = ADD(hand, *sum, h == g ? trace : ADD(hand, trace, trace));
        matrix += (int64_t)degree_in(job->host, h) * stride;
    }
    return PVG_OK;
}

/* Adds all pairs of g with an h that comes before it, and with itself. */
static int32_t add_squares(grid_job *job, grid_hand *hand, int32_t g) {
    const int32_t degree = degree_in(job->host, g);
    const bool whole = columns_at(job, g) >= degree;
    VALUE one = 0;
    int32_t status = PVG_OK;
    open_grid(job, hand, g);
    if (whole) PVGI_TRY_DONE(spread_grid(job, hand, g, 0, degree));
    for (int32_t p = 0, last; p < hand->near.nodes; p = last) {
        last = end_of_batch(job, hand, g, p, whole);
        PVGI_TRY_DONE(add_batch(job, hand, &one, g, p, last));
    }
    hand->sum = ADD(hand, hand->sum, multiply_weight(job, hand, one, g));
done:
    leave_vicinity(&hand->near);
    return status;
}
