/* Steps over dense tables as products of matrices (BLAS), and the loop over the rows of a
 * step, which chooses between them and the sparse ways.
 *
 * With x, y the last two vertices of the scope and v the one removed,
 *     out(x,y)   = mask(x,y) sum over v of left(x,v) w(v) right(y,v)
 * for blocks of images of x; a scope of three vertices s, x, y is such a product for
 * every image of s, on the images of x, y and v that s leaves possible. Tables are
 * written out as matrices when the step comes to them. About |x| |y| |v| / 8 steps
 * against the tuples that the sparse way visits; both are known once the matrices are
 * there, and the cheaper one goes on.
 *
 * Same bits as the sparse way. Let a count be built from non-negative integers by sums
 * and products, in any order, fused or not, each rounded to nearest. Then the computed
 * value is the true one if that is below 2^53, and at least 2^53 if not. By induction:
 * true values below 2^53 come from such operands (or from a product with a true, hence
 * computed, zero), and rounding is monotone. So a result below 2^53 is exact however it
 * came about; if an entry is not, the sparse way does the rows instead.
 * Included by elim/kernel.h, which says what VALUE, REAL and INTEGER are. */

enum { LEFT, RIGHT, MASK, MATRICES }; /* over x and v, over y and v, over x and y */
enum {
    ROWS = 128,         /* of a block; between two reports of progress */
    SLICE_ORDER = 1024, /* most nodes of a host for scopes of three */
    DENSE_SPEED = 8,    /* products of a matrix in the time of a sparse one */
    DENSE_GATHER = 2    /* sparse ones in the time of writing out an entry */
};

/* --- which matrices, and whether they pay --------------------------------------------
 */

/* Levels of factor f after that of the slice: one (a vector) or two. */
static const int8_t *axes_of(const join *now, int32_t f, int32_t *count) {
    const pvgi_elim_factor *factor = now->plan->factor + now->step->factor + f;
    const int32_t slice = now->step->axis[factor->level[0]] == PVGI_ELIM_AXIS_SLICE;
    *count = factor->arity - slice;
    return factor->level + slice;
}

/* The matrix that factor f is a part of; -1: it is a vector. */
static int32_t matrix_of(const join *now, int32_t f) {
    int32_t count;
    const int8_t *level = axes_of(now, f, &count);
    if (count < 2) return -1;
    const int32_t a = now->step->axis[level[0]], b = now->step->axis[level[1]];
    if (a != PVGI_ELIM_AXIS_V && b != PVGI_ELIM_AXIS_V) return MASK;
    return a == PVGI_ELIM_AXIS_X || b == PVGI_ELIM_AXIS_X ? LEFT : RIGHT;
}

/* Whether the product is cheaper, given the sizes and how full the matrices are. */
static bool dense_pays(const join *now, double x, double y, double v,
                       const double *full) {
    const bool pairs = now->step->arity == 2; /* then right is written only once */
    const double gather = x * v + 2 * x * y + (pairs ? 0 : y * v);
    double visits = x * y * v * full[RIGHT] * SPARSE_PRICE;
    visits *= now->step->direct ? full[MASK] : full[LEFT] * (pairs ? 1 : 3);
    return visits > x * y * v / DENSE_SPEED + DENSE_GATHER * gather;
}

/* The same before anything is written out, from the sizes of the tables. */
static bool dense_likely(const join *now) {
    const double n = now->order;
    double full[MATRICES] = {1, 1, 1}, size[PVGI_ELIM_AXES] = {n, n, n};
    if (now->step->arity == 2) size[PVGI_ELIM_AXIS_X] = now->last - now->first;
    for (int32_t f = 0; f < now->step->factors; f++) {
        int32_t count;
        const int8_t *level = axes_of(now, f, &count);
        const pvgi_elim_table *table = now->factor[f];
        if (count == 1)
            size[now->step->axis[level[0]]] *= (double)table->count / (table->rows * n);
        /* images at the first of its levels, and as many at the second */
        const int32_t u = table->rows == now->order ? 0 : now->first;
        for (int32_t i = 0; i < 2 && count == 2 && table->arity == 3; i++) {
            double *one = &size[now->step->axis[level[i]]];
            const double images = table->start[u + table->rows] - table->start[u];
            if (images < *one * table->rows) *one = images / table->rows;
        }
    }
    for (int32_t f = 0; f < now->step->factors; f++) {
        const int32_t m = matrix_of(now, f);
        if (m < 0) continue;
        double room = now->factor[f]->rows * n;
        if (now->factor[f]->arity == 3) {
            const double a = size[m == RIGHT ? PVGI_ELIM_AXIS_Y : PVGI_ELIM_AXIS_X];
            const double b = size[m == MASK ? PVGI_ELIM_AXIS_Y : PVGI_ELIM_AXIS_V];
            room = now->factor[f]->rows * a * b;
        }
        const double part = (double)now->factor[f]->count / room;
        full[m] *= part < 1 ? part : 1;
    }
    return dense_pays(now, size[PVGI_ELIM_AXIS_X], size[PVGI_ELIM_AXIS_Y],
                      size[PVGI_ELIM_AXIS_V], full);
}

/* --- memory --------------------------------------------------------------------------
 */

/* Whether products may be tried at all. */
static bool wants_dense(const join *now) {
    const int64_t n = now->order;
    return now->step->dense && now->scratch->blas && !now->out->large &&
           now->pass.sources == 0 && n >= PVGI_DENSE_ORDER_LEAST &&
           n <= (now->step->arity == 2 ? PVGI_DENSE_ORDER_MOST : SLICE_ORDER) &&
           dense_likely(now);
}

/* Memory of the axes and matrices; *dense becomes false if there is none. */
static int32_t open_dense(join *now, bool *dense) {
    pvgi_elim_scratch *scratch = now->scratch;
    dense_work *work = &now->dense;
    const int64_t n = now->order;
    int32_t parts[MATRICES] = {0};
    if (!*dense) return PVG_OK;
    for (int32_t f = 0; f < now->step->factors; f++)
        if (matrix_of(now, f) >= 0) parts[matrix_of(now, f)]++;
    const bool spare = parts[LEFT] > 1 || parts[RIGHT] > 1 || parts[MASK] > 1;
    const int64_t rows = now->step->arity == 2 && n > ROWS ? ROWS : n;
    const size_t entries = (size_t)(3 * rows * n + (spare ? 2 : 1) * n * n) + 1;
    const size_t axes = 3 * (size_t)n * (sizeof(double) + 2 * sizeof(int32_t));
    *dense = pvgi_density_elim_has_room(scratch, &scratch->dense,
                                        entries * sizeof(double) + axes);
    if (!*dense) return PVG_OK;
    PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->axes, axes));
    PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->dense, entries * sizeof(double)));
    double *next = scratch->dense.data;
    work->matrix[LEFT] = next;
    work->matrix[MASK] = parts[MASK] > 0 ? next + rows * n : NULL;
    work->result = next + 2 * rows * n;
    work->matrix[RIGHT] = next + 3 * rows * n;
    work->spare = work->matrix[RIGHT] + n * n;
    work->aside = next + entries - 1;
    double *scale = scratch->axes.data;
    int32_t *node = (int32_t *)(void *)(scale + 3 * n);
    for (int32_t a = 0; a < PVGI_ELIM_AXES; a++)
        work->axis[a] =
            (dense_axis){0, node + 2 * a * n, node + (2 * a + 1) * n, scale + a * n};
    work->right_ready = false;
    work->resume = 0;
    work->wait = 1;
    scratch->dense_busy = true;
    return PVG_OK;
}

/* --- writing tables out --------------------------------------------------------------
 */

/* Keeps the images of the axis that row u of the table has, multiplied by its values. */
static void narrow_axis(dense_axis *axis, const pvgi_elim_table *table, int32_t u) {
    const VALUE *value = table->value;
    int32_t kept = 0, i = 0, j = table->start[u];
    while (i < axis->count && j < table->start[u + 1]) {
        const int32_t x = axis->node[i], y = table->column[1][j];
        if (x == y) {
            axis->node[kept] = x;
            axis->scale[kept++] = axis->scale[i] * (value ? REAL(value[j]) : 1.0);
        }
        i += x <= y;
        j += y <= x;
    }
    axis->count = kept;
}

/* Keeps the images of the axis that occur at a level of slice u of a table over three. */
static void keep_support(dense_axis *axis, int32_t order, const pvgi_elim_table *table,
                         int32_t level, int32_t u) {
    const int32_t *child = table->child[1];
    int32_t low = table->start[u], high = table->start[u + 1], kept = 0;
    if (level == 2) low = child[low], high = child[high];
    memset(axis->place, 0, (size_t)order * sizeof *axis->place);
    for (int32_t i = low; i < high; i++) axis->place[table->column[level][i]] = 1;
    for (int32_t i = 0; i < axis->count; i++) {
        if (!axis->place[axis->node[i]]) continue;
        axis->scale[kept] = axis->scale[i];
        axis->node[kept++] = axis->node[i];
    }
    axis->count = kept;
}

/* The images of axis a from first to last - 1 that the slice u leaves. */
static void open_axis(join *now, int32_t a, int32_t u, int32_t first, int32_t last) {
    dense_axis *axis = &now->dense.axis[a];
    axis->count = last - first;
    for (int32_t i = 0; i < axis->count; i++) {
        axis->node[i] = first + i;
        axis->scale[i] = a == PVGI_ELIM_AXIS_V ? REAL(now->weight[first + i]) : 1.0;
    }
    for (int32_t f = 0; f < now->step->factors; f++) {
        int32_t count;
        const int8_t *level = axes_of(now, f, &count);
        if (count == 1 && now->step->axis[level[0]] == a)
            narrow_axis(axis, now->factor[f], u);
        for (int32_t i = 0; i < 2 && count == 2 && now->factor[f]->arity == 3; i++)
            if (now->step->axis[level[i]] == a)
                keep_support(axis, now->order, now->factor[f], i + 1, u);
    }
    for (int32_t i = 0; i < now->order; i++) axis->place[i] = -1;
    for (int32_t i = 0; i < axis->count; i++) axis->place[axis->node[i]] = i;
}

/* Writes entries low .. high - 1 of a table at line[place of the column * step]. Those
 * whose column has no place go to `aside`, in the same memory: which have one is a coin,
 * so no branch asks. Returns how many there are. */
static int32_t write_line(double *line, int64_t step, const double *aside,
                          const dense_axis *inner, const pvgi_elim_table *table,
                          const int32_t *column, int32_t low, int32_t high) {
    const VALUE *value = table->value;
    const int32_t entries = high - low;
    const int64_t none = aside - line;
    int32_t absent = 0;
    if (step == 1 && entries == inner->count && value &&
        memcmp(column + low, inner->node, (size_t)entries * sizeof *column) == 0) {
        for (int32_t j = 0; j < entries; j++) line[j] = REAL(value[low + j]);
        return entries;
    }
    for (int32_t j = low; j < high; j++) {
        const int64_t place = inner->place[column[j]];
        const int64_t missing = -(int64_t)(place < 0); /* no bits or all */
        line[((place * step) & ~missing) | (none & missing)] =
            value ? REAL(value[j]) : 1.0;
        absent -= (int32_t)missing;
    }
    return entries - absent;
}

/* Writes the entries of factor f for slice u; the rows of a matrix belong to the lower of
 * its two axes. Returns how many there are. */
static int64_t write_entries(join *now, double *to, int32_t f, int32_t u) {
    const pvgi_elim_table *table = now->factor[f];
    int32_t axes;
    const int8_t *level = axes_of(now, f, &axes);
    const bool slice = table->arity > axes;
    int32_t a = now->step->axis[level[0]], b = now->step->axis[level[1]];
    if (a > b && table->symmetric) { /* then by rows */
        const int32_t kept = a;
        a = b;
        b = kept;
    }
    const dense_axis *outer = &now->dense.axis[a], *inner = &now->dense.axis[b];
    const int64_t outer_step = a < b ? inner->count : 1;
    const int64_t inner_step = a < b ? 1 : outer->count;
    const int32_t *column = table->column[slice ? 2 : 1];
    const int32_t begin = slice ? table->start[u] : 0;
    const int32_t end = slice ? table->start[u + 1] : outer->count;
    int64_t count = 0;
    for (int32_t i = begin; i < end; i++) {
        const int32_t x = slice ? table->column[1][i] : outer->node[i];
        const int32_t *bound = slice ? table->child[1] + i : table->start + x;
        if (outer->place[x] < 0) continue;
        count += write_line(to + outer->place[x] * outer_step, inner_step,
                            now->dense.aside, inner, table, column, bound[0], bound[1]);
    }
    return count;
}

/* Matrix m for slice u: the product, entry by entry, of the tables over its axes. */
static void gather(join *now, int32_t m, int32_t u) {
    dense_work *work = &now->dense;
    const dense_axis *rows =
        &work->axis[m == RIGHT ? PVGI_ELIM_AXIS_Y : PVGI_ELIM_AXIS_X];
    const dense_axis *columns =
        &work->axis[m == MASK ? PVGI_ELIM_AXIS_Y : PVGI_ELIM_AXIS_V];
    const int64_t size = (int64_t)rows->count * columns->count;
    bool begun = false;
    work->filled[m] = size;
    for (int32_t f = 0; f < now->step->factors; f++) {
        if (matrix_of(now, f) != m) continue;
        double *to = begun ? work->spare : work->matrix[m];
        memset(to, 0, (size_t)size * sizeof *to);
        const int64_t count = write_entries(now, to, f, u);
        if (count < work->filled[m]) work->filled[m] = count;
        for (int64_t i = 0; i < size && begun; i++) work->matrix[m][i] *= to[i];
        begun = true;
    }
}

static bool is_plain(const dense_axis *axis) {
    for (int32_t i = 0; i < axis->count; i++)
        if (axis->scale[i] != 1.0) return false;
    return true;
}

/* Whether some table of matrix m is `table` with the removed vertex at that position. */
static bool has_side(const join *now, int32_t m, const pvgi_elim_table *table,
                     bool removed_last) {
    for (int32_t f = 0; f < now->step->factors; f++) {
        int32_t count;
        const int8_t *level = axes_of(now, f, &count);
        if (matrix_of(now, f) == m && now->factor[f] == table &&
            (table->symmetric ||
             (now->step->axis[level[1]] == PVGI_ELIM_AXIS_V) == removed_last))
            return true;
    }
    return false;
}

/* Whether left and right are the same matrix: the same tables over the same images.
 * *mirrored: the mask does not tell x from y either, so that the result is symmetric. */
static bool are_twins(const join *now, bool *mirrored) {
    const dense_axis *x = &now->dense.axis[PVGI_ELIM_AXIS_X],
                     *y = &now->dense.axis[PVGI_ELIM_AXIS_Y];
    *mirrored = false;
    if (x->count != y->count ||
        memcmp(x->node, y->node, (size_t)x->count * sizeof *x->node) != 0 ||
        !is_plain(x) || !is_plain(y) || !is_plain(&now->dense.axis[PVGI_ELIM_AXIS_V]))
        return false;
    *mirrored = true;
    for (int32_t f = 0; f < now->step->factors; f++) {
        int32_t count;
        const int32_t m = matrix_of(now, f);
        const int8_t *level = axes_of(now, f, &count);
        if (m == MASK && !now->factor[f]->symmetric) *mirrored = false;
        if ((m == LEFT || m == RIGHT) &&
            !has_side(now, m == LEFT ? RIGHT : LEFT, now->factor[f],
                      now->step->axis[level[1]] == PVGI_ELIM_AXIS_V)) {
            *mirrored = false;
            return false;
        }
    }
    return true;
}

/* Multiplies rows, and columns if there is a scale for them. */
static void scale_matrix(double *matrix, const dense_axis *rows,
                         const dense_axis *columns, bool scale_columns) {
    for (int32_t r = 0; r < rows->count; r++) {
        double *row = matrix + (int64_t)r * columns->count;
        if (rows->scale[r] != 1.0)
            for (int32_t c = 0; c < columns->count; c++) row[c] *= rows->scale[r];
        for (int32_t c = 0; c < columns->count && scale_columns; c++)
            row[c] *= columns->scale[c];
    }
}

/* --- the product ---------------------------------------------------------------------
 */

/* result = mask (left right^T); false if an entry may be rounded. */
static bool multiply_dense(join *now) {
    dense_work *work = &now->dense;
    const dense_axis *x = &work->axis[PVGI_ELIM_AXIS_X],
                     *y = &work->axis[PVGI_ELIM_AXIS_Y],
                     *v = &work->axis[PVGI_ELIM_AXIS_V];
    const double *mask = work->matrix[MASK];
    const int64_t size = (int64_t)x->count * y->count;
    scale_matrix(work->matrix[LEFT], x, v, true);
    if (!work->right_ready && !work->twins)
        scale_matrix(work->matrix[RIGHT], y, v, false);
    work->right_ready = now->step->arity == 2;
    if (work->twins)
        pvgi_blas_square(work->result, work->matrix[LEFT], x->count, v->count);
    else
        pvgi_density_dense_multiply(work->result, work->matrix[LEFT], work->matrix[RIGHT],
                                    x->count, v->count, y->count);
    int64_t rounded = 0;
    for (int64_t i = 0; i < size && mask; i++) work->result[i] *= mask[i];
    for (int64_t i = 0; i < size; i++) rounded += !(work->result[i] < TWO_53);
    return rounded == 0; /* also if one is not a number */
}

/* Appends row r of the result at the last level of the table; returns how many entries.
 */
static int32_t append_row(join *now, int32_t r, int64_t *count) {
    const dense_axis *y = &now->dense.axis[PVGI_ELIM_AXIS_Y];
    const double *row = now->dense.result + (int64_t)r * y->count;
    const int32_t level = now->step->arity - 1;
    PVGI_TRY(make_room(now, level, y->count));
    int32_t *column = now->out->column[level];
    VALUE *value = now->out->value;
    const int64_t begin = now->entries[level];
    int64_t at = begin;
    for (int32_t c = 0; c < y->count; c++) { /* zero or not is a coin: no branch */
        column[at] = y->node[c];
        value[at] = INTEGER(row[c]);
        at += row[c] != 0;
    }
    now->entries[level] = at;
    *count = at - begin;
    return PVG_OK;
}

static int32_t append_result(join *now, int32_t first) {
    const dense_axis *x = &now->dense.axis[PVGI_ELIM_AXIS_X];
    pvgi_elim_table *out = now->out;
    int64_t count;
    out->start[first] = (int32_t)now->entries[1];
    for (int32_t r = 0; r < x->count; r++) {
        if (now->step->arity == 2) {
            out->start[x->node[r]] = (int32_t)now->entries[1];
            PVGI_TRY(append_row(now, r, &count));
            continue;
        }
        const int64_t below = now->entries[2];
        PVGI_TRY(append_row(now, r, &count));
        if (count == 0) continue;
        PVGI_TRY(make_room(now, 1, 1));
        out->column[1][now->entries[1]] = x->node[r];
        out->child[1][now->entries[1]++] = (int32_t)below;
    }
    return PVG_OK;
}

/* Rows first .. last - 1 (one row if it is a table itself) as a product, if that pays and
 * is exact; *done tells. */
static int32_t try_dense(join *now, int32_t first, int32_t last, bool *done) {
    dense_work *work = &now->dense;
    const bool pairs = now->step->arity == 2;
    double full[MATRICES];
    *done = false;
    if (first < work->resume) return PVG_OK;
    open_axis(now, PVGI_ELIM_AXIS_X, first, pairs ? first : 0, pairs ? last : now->order);
    if (!work->right_ready) {
        open_axis(now, PVGI_ELIM_AXIS_Y, first, 0, now->order);
        open_axis(now, PVGI_ELIM_AXIS_V, first, 0, now->order);
        work->twins = !pairs && are_twins(now, &work->mirrored);
        if (!work->twins) gather(now, RIGHT, first);
    }
    const double x = work->axis[PVGI_ELIM_AXIS_X].count;
    const double y = work->axis[PVGI_ELIM_AXIS_Y].count;
    const double v = work->axis[PVGI_ELIM_AXIS_V].count;
    if (x * y * v == 0) { /* no tuple */
        *done = true;
        now->out->start[first] = (int32_t)now->entries[1];
        return PVG_OK;
    }
    gather(now, LEFT, first);
    gather(now, MASK, first);
    if (work->twins) work->filled[RIGHT] = work->filled[LEFT];
    full[LEFT] = (double)work->filled[LEFT] / (x * v);
    full[RIGHT] = (double)work->filled[RIGHT] / (y * v);
    full[MASK] = (double)work->filled[MASK] / (x * y);
    if (!dense_pays(now, x, y, v, full)) {
        work->wait *= 2; /* tries get rare where they do not pay */
        work->resume = last + work->wait * (last - first);
        return PVG_OK;
    }
    now->scratch->products++;
    now->work += (int64_t)(x * y * v / DENSE_SPEED);
    if (!multiply_dense(now)) {
        now->scratch->rounded++;
        now->out->large = true;
        work->resume = INT32_MAX;
        return PVG_OK;
    }
    int64_t before[PVGI_ELIM_ARITY];
    memcpy(before, now->entries, sizeof before);
    const int32_t status = append_result(now, first);
    *done = status == PVG_OK;
    if (status != PVG_E_LIMIT) return status;
    memcpy(now->entries, before, sizeof before); /* the sparse way needs less memory */
    work->resume = INT32_MAX;
    now->scratch->dense_busy = false;
    return PVG_OK;
}

#include "slices.h"

/* --- all rows of a step --------------------------------------------------------------
 */

static int32_t sparse_rows(join *now, int32_t first, int32_t last) {
    switch (now->step->shape) {
    case PVGI_ELIM_CHAIN:
        return chain_rows(now, first, last);
    case PVGI_ELIM_CLOSED:
        return now->pass.sources > 0 ? close_passed(now, first, last)
                                     : close_rows(now, first, last);
    case PVGI_ELIM_JOIN:
    case PVGI_ELIM_VECTORS:
    case PVGI_ELIM_ROWS:
    case PVGI_ELIM_PRODUCT:
        break;
    }
    return now->sliced ? slice_rows(now, first, last) : join_rows(now, first, last);
}

/* Memory of what carries out the step. */
static int32_t open_work(join *now) {
    now->sliced = now->step->shape == PVGI_ELIM_JOIN && slices_pay(now);
    if (now->sliced) return open_slices(now);
    const bool lists = now->step->direct && now->step->shape == PVGI_ELIM_JOIN;
    return lists ? open_lists(now) : open_sums(now);
}

static int32_t dense_rows(join *now, int32_t first, int32_t last) {
    const int32_t stride = now->step->arity == 2 ? last - first : 1;
    for (int32_t u = first; u < last; u += stride) {
        bool done;
        now->dense.mirrored = false;
        PVGI_TRY(try_dense(now, u, u + stride, &done));
        now->out->symmetric = now->out->symmetric && done && now->dense.mirrored;
        if (!done) PVGI_TRY(sparse_rows(now, u, u + stride));
        PVGI_TRY(spend(now, now->order));
    }
    return PVG_OK;
}

static int32_t run_blocks(join *now, bool dense) {
    /* a row of a table over three and more vertices is work enough */
    const int32_t rows = now->step->arity == 2 || now->order <= ROWS ? ROWS : 1;
    const int32_t begin = now->first, end = now->last;
    now->out->symmetric = dense;
    for (int32_t first = begin; first < end; first += rows) {
        const int32_t last = end - first > rows ? first + rows : end;
        PVGI_TRY(dense ? dense_rows(now, first, last) : sparse_rows(now, first, last));
        PVGI_TRY(report(now, (double)(last - begin) / (double)(end - begin)));
    }
    now->out->start[end] = (int32_t)now->entries[1];
    return PVG_OK;
}

#include "share.h"

static int32_t run_rows(join *now) {
    bool dense = wants_dense(now), done;
    if (share_pays(now)) {
        PVGI_TRY(run_shared(now, false, dense, &done));
        if (done) return PVG_OK;
    }
    PVGI_TRY(open_work(now));
    PVGI_TRY(open_dense(now, &dense));
    const int32_t status = run_blocks(now, dense);
    now->scratch->dense_busy = false;
    return status;
}
