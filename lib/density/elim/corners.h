/* Squares at each node: s(u) = sum over a, v, b of w_a w_v w_b over closed walks u, a, v,
 * b, u, by falling degree as in elim/hubs.h.
 *
 * A closed walk belongs to the first of its nodes, h. With N the neighbours of h after h,
 * W the sum of their weights, and f(x) = sum over y in N next to x of w_y, h adds
 *     to s(h)           w_h W^2 + sum over x of w_x f(x)^2
 *     to s(x)           w_h f(x)^2
 *     to s(y), y in N   w_h (w_h W + 2 sum over x next to y of w_x f(x))
 * where x goes through the nodes after h; what a node gets from h is added at once, so
 * that a walk passes through at most n additions in f, n over x, n over hubs, and two.
 * O(sum over edges of the smaller degree), against the sum of squares of all degrees for
 * rows of paths. It is a folded step (elim/pass.h) of the arcs alone; threads do not
 * share it, so large hosts go by rows. Included by elim/kernel.h. */

typedef struct {
    pvgi_elim_sorted host;
    VALUE *squares, *paths; /* s, f */
    int32_t *touched, *mark;
} corner_work;

/* f into paths; returns how many nodes were touched. */
static int32_t open_paths(join *now, const corner_work *work, int32_t hub) {
    const int32_t *start = work->host.start, *column = work->host.column;
    int32_t touches = 0;
    for (const int32_t *y = column + start[hub]; *y > hub; y++) {
        const VALUE weight = (VALUE)work->host.weight[*y];
        for (const int32_t *x = column + start[*y]; *x > hub; x++) {
            work->touched[touches] = *x;
            touches += work->paths[*x] == 0;
            work->paths[*x] = ADD(now, work->paths[*x], weight);
        }
    }
    return touches;
}

/* sum over x next to y, after the hub, of w_x f(x). */
static VALUE sum_paths(join *now, const corner_work *work, int32_t y, int32_t hub) {
    VALUE sum = 0;
    for (const int32_t *x = work->host.column + work->host.start[y]; *x > hub; x++)
        sum = ADD(now, sum, MULTIPLY(now, work->paths[*x], (VALUE)work->host.weight[*x]));
    return sum;
}

static void add_corners(join *now, const corner_work *work, int32_t hub) {
    const int32_t *list = work->host.column + work->host.start[hub];
    const int32_t *weight = work->host.weight;
    const VALUE own = (VALUE)weight[hub];
    VALUE *squares = work->squares, around = 0, sum = 0;
    if (*list <= hub) return;
    for (const int32_t *y = list; *y > hub; y++)
        around = ADD(now, around, (VALUE)weight[*y]);
    const int32_t touches = open_paths(now, work, hub);
    for (const int32_t *y = list; *y > hub; y++) {
        const VALUE far = sum_paths(now, work, *y, hub);
        VALUE more = MULTIPLY(now, work->paths[*y], work->paths[*y]);
        more = ADD(now, more, MULTIPLY(now, far, (VALUE)2));
        more = ADD(now, more, MULTIPLY(now, own, around));
        squares[*y] = ADD(now, squares[*y], MULTIPLY(now, more, own));
        work->mark[*y] = hub + 1;
    }
    for (int32_t i = 0; i < touches; i++) {
        const int32_t x = work->touched[i];
        const VALUE square = MULTIPLY(now, work->paths[x], work->paths[x]);
        sum = ADD(now, sum, MULTIPLY(now, square, (VALUE)weight[x]));
        if (work->mark[x] != hub + 1)
            squares[x] = ADD(now, squares[x], MULTIPLY(now, square, own));
        work->paths[x] = 0;
    }
    sum = ADD(now, sum, MULTIPLY(now, own, MULTIPLY(now, around, around)));
    squares[hub] = ADD(now, squares[hub], sum);
}

static bool corners_pay(const join *now) {
    return now->out->folded && now->step->folded == PVGI_ELIM_FOLD_SQUARES &&
           now->scratch->reduced.arcs < now->scratch->corner_arcs;
}

static int32_t find_corners(join *now) {
    pvgi_elim_scratch *scratch = now->scratch;
    const size_t order = (size_t)now->order;
    corner_work work;
    scratch->corners++;
    PVGI_TRY(pvgi_density_elim_sort(&work.host, scratch));
    PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->row, 2 * order * sizeof(VALUE)));
    PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->touched,
                                    (2 * order + 1) * sizeof(int32_t)));
    work.squares = scratch->row.data;
    work.paths = work.squares + order;
    work.mark = scratch->touched.data;
    work.touched = work.mark + order; /* and one more, written and not kept */
    memset(work.squares, 0, 2 * order * sizeof *work.squares);
    memset(work.mark, 0, order * sizeof *work.mark);
    for (int32_t hub = 0; hub < now->order; hub++) {
        if (hub % 16 == 0) PVGI_TRY(report(now, (double)hub / (double)now->order));
        add_corners(now, &work, hub);
    }
    PVGI_TRY(make_room(now, 1, now->order));
    int32_t *start = now->out->start, at = 0;
    VALUE *value = now->out->value;
    for (int32_t u = 0; u < now->order; u++) {
        start[u] = at;
        now->out->column[1][at] = u;
        value[at] = work.squares[work.host.place[u]];
        at += value[at] != 0;
    }
    start[now->order] = at;
    now->entries[1] = at;
    return PVG_OK;
}
