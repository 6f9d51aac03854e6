/* Steps that leave a table over three vertices s, x, y, a slice (an image of s) at a
 * time, as products of sparse matrices:
 *     out(s,x,y) = mask(x,y) sum over v of left(x,v) w(v) right(v,y)
 * left and right are cut to the images that s leaves possible, with what else multiplies
 * an image of x, y or v taken in on the way; then every entry of a row of left adds a row
 * of right to sums by y. Tables come in the order their readers wanted: where rows are
 * wanted and columns come first, entries are counted and put in their places (or read the
 * other way round, if the table is symmetric).
 * O(entries cut out + products), against a search per tuple and a sort in the generic
 * join, which does what does not fit: two tables over the same pair, or neither x nor v
 * known from s. Included by elim/kernel.h, which says what VALUE and ADD are. */

/* The factors of the step; those over one axis and s are not here. */
static int32_t slice_factor(const join *now, int32_t matrix, int32_t *count) {
    int32_t found = -1;
    *count = 0;
    for (int32_t f = 0; f < now->step->factors; f++)
        if (matrix_of(now, f) == matrix) found = f, ++*count;
    return found;
}

/* Whether s tells the images of an axis; before any matrix is cut. */
static bool axis_known(const join *now, int32_t axis) {
    for (int32_t f = 0; f < now->step->factors; f++) {
        int32_t count;
        const int8_t *level = axes_of(now, f, &count);
        if (count == now->factor[f]->arity) continue; /* does not hold s */
        for (int32_t i = 0; i < count; i++)
            if (now->step->axis[level[i]] == axis) return true;
    }
    return false;
}

/* Whether a matrix can be cut, given which axes are known. */
static bool can_cut(const join *now, int32_t f, int32_t rows, bool rows_known,
                    bool columns_known) {
    int32_t count;
    const int8_t *level = axes_of(now, f, &count);
    if (now->factor[f]->arity > count) return true;
    if (now->factor[f]->symmetric) return rows_known || columns_known;
    return now->step->axis[level[0]] == rows ? rows_known : columns_known;
}

/* Whether the rows of x of a mask can be read where they are. */
static bool has_rows(const join *now, int32_t f) {
    int32_t count;
    const int8_t *level = axes_of(now, f, &count);
    return now->step->axis[level[0]] == PVGI_ELIM_AXIS_X ||
           (now->factor[f]->arity == count && now->factor[f]->symmetric);
}

static bool slices_pay(const join *now) {
    int32_t lefts, rights, masks;
    if (now->step->arity != 3 || !now->step->dense ||
        now->order < now->scratch->slices_least)
        return false;
    const int32_t left = slice_factor(now, LEFT, &lefts);
    const int32_t right = slice_factor(now, RIGHT, &rights);
    const int32_t mask = slice_factor(now, MASK, &masks);
    if (lefts != 1 || rights != 1 || masks > 1) return false;
    return can_cut(now, left, PVGI_ELIM_AXIS_X, axis_known(now, PVGI_ELIM_AXIS_X),
                   axis_known(now, PVGI_ELIM_AXIS_V)) &&
           can_cut(now, right, PVGI_ELIM_AXIS_V, true,
                   axis_known(now, PVGI_ELIM_AXIS_Y)) &&
           (masks == 0 || has_rows(now, mask));
}

/* --- memory --------------------------------------------------------------------------
 */

static int32_t open_slices(join *now) {
    pvgi_elim_scratch *scratch = now->scratch;
    slice_work *work = &now->slices;
    const size_t order = (size_t)now->order, words = order / 64 + 1;
    PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->row, 4 * order * sizeof(VALUE)));
    PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->touched,
                                    words * 8 + (9 * order + 5) * sizeof(int32_t)));
    VALUE *value = scratch->row.data;
    memset(value, 0, 4 * order * sizeof *value);
    now->sum = value;
    now->key = scratch->touched.data; /* here: a bit map of nodes */
    now->words = (int64_t)words;
    memset(now->key, 0, words * sizeof *now->key);
    int32_t *next = (int32_t *)(now->key + words);
    now->touched = next; /* one more is written than counts */
    now->touches = 0;
    work->place = next + order + 1;
    next += 2 * order + 1;
    for (int32_t a = 0; a < PVGI_ELIM_AXES; a++, next += order)
        work->axis[a] = (slice_axis){false, 0, next, value + (size_t)(a + 1) * order};
    for (int32_t m = 0; m < 2; m++, next += 2 * order + 2)
        work->matrix[m] = (slice_matrix){.node = next,
                                         .start = next + order,
                                         .column_buffer = &scratch->part[2 * m],
                                         .value_buffer = &scratch->part[2 * m + 1]};
    memset(work->place, -1, order * sizeof *work->place);
    for (int32_t m = 0; m < MATRICES; m++) {
        int32_t count;
        work->factor[m] = slice_factor(now, m, &count);
    }
    scratch->slices++;
    return PVG_OK;
}

static int32_t grow_matrix(join *now, slice_matrix *matrix, int64_t entries) {
    if (entries >= INT32_MAX)
        return pvgi_fail(PVG_E_LIMIT, "density: a table would pass 2^31 entries");
    PVGI_TRY(pvgi_density_elim_need(now->scratch, matrix->column_buffer,
                                    (size_t)entries * sizeof(int32_t)));
    PVGI_TRY(pvgi_density_elim_need(now->scratch, matrix->value_buffer,
                                    (size_t)entries * sizeof(VALUE)));
    matrix->column = matrix->column_buffer->data;
    matrix->value = matrix->value_buffer->data;
    return PVG_OK;
}

/* --- what multiplies the images of one axis ----------------------------------------- */

static void forget_axis(slice_axis *axis) {
    for (int32_t i = 0; i < axis->count; i++) axis->value[axis->node[i]] = 0;
    axis->count = 0;
    axis->known = false;
}

/* Row u of a table: the first becomes the list, the next ones narrow it. */
static void take_vector(join *now, slice_axis *axis, const pvgi_elim_table *table,
                        int32_t u) {
    const int32_t low = table->start[u], high = table->start[u + 1];
    const int32_t *column = table->column[1];
    int32_t kept = 0;
    if (!axis->known) {
        for (int32_t j = low; j < high; j++) {
            axis->node[kept++] = column[j];
            axis->value[column[j]] = entry_of(table->value, j);
        }
    } else {
        for (int32_t i = 0, j = low; i < axis->count; i++) {
            const int32_t x = axis->node[i];
            j = j < high ? seek(column, j, high, x) : j;
            if (j < high && column[j] == x) {
                axis->node[kept++] = x;
                axis->value[x] = MULTIPLY(now, axis->value[x], entry_of(table->value, j));
            } else {
                axis->value[x] = 0;
            }
        }
    }
    axis->count = kept;
    axis->known = true;
}

static void take_vectors(join *now, int32_t u) {
    for (int32_t f = 0; f < now->step->factors; f++) {
        int32_t count;
        const int8_t *level = axes_of(now, f, &count);
        if (count == 1)
            take_vector(now, &now->slices.axis[now->step->axis[level[0]]], now->factor[f],
                        u);
    }
}

/* An axis that no vector tells: images that occur in a slice. */
static void take_support(join *now, int32_t a, int32_t u) {
    slice_axis *axis = &now->slices.axis[a];
    for (int32_t f = 0; f < now->step->factors && !axis->known; f++) {
        int32_t count;
        const int8_t *level = axes_of(now, f, &count);
        const pvgi_elim_table *table = now->factor[f];
        if (count != 2 || table->arity != 3) continue;
        for (int32_t i = 0; i < 2 && !axis->known; i++) {
            if (now->step->axis[level[i]] != a) continue;
            int32_t low = table->start[u], high = table->start[u + 1];
            if (i == 1) low = table->child[1][low], high = table->child[1][high];
            for (int32_t j = low; j < high; j++) {
                const int32_t x = table->column[i + 1][j];
                if (axis->value[x] != 0) continue;
                axis->value[x] = 1;
                axis->node[axis->count++] = x;
            }
            pvgi_graph_row_sort(axis->node, axis->count);
            axis->known = true;
        }
    }
}

/* --- cutting a matrix out ----------------------------------------------------------- */

/* A factor as it is read: lines of the axis that comes first in the table. */
typedef struct {
    const pvgi_elim_table *table;
    bool slice; /* of a table that holds s; else lines are those of known images */
    const int32_t *node, *column;
    int32_t count, begin; /* lines; of a slice: first entry */
} slice_lines;

static slice_lines lines_of(const join *now, int32_t f, int32_t u, int32_t axis) {
    const pvgi_elim_table *table = now->factor[f];
    int32_t count;
    axes_of(now, f, &count);
    const slice_axis *known = &now->slices.axis[axis];
    if (table->arity == count)
        return (slice_lines){table,        false, known->node, table->column[1],
                             known->count, 0};
    return (slice_lines){table,
                         true,
                         table->column[1] + table->start[u],
                         table->column[2],
                         table->start[u + 1] - table->start[u],
                         table->start[u]};
}

static const int32_t *line_at(const slice_lines *lines, int32_t i) {
    return lines->slice ? lines->table->child[1] + lines->begin + i
                        : lines->table->start + lines->node[i];
}

/* What an entry is multiplied by for its image on the axis; 0: it has none there. */
static VALUE factor_of(const slice_axis *axis, int32_t x) {
    return axis->known ? axis->value[x] : 1;
}

/* Rows come first in the table. */
static int32_t cut_rows_of(join *now, slice_matrix *out, const slice_lines *lines,
                           const slice_axis *rows, const slice_axis *columns,
                           const VALUE *weight, bool fold_rows) {
    int64_t at = 0;
    out->rows = 0;
    for (int32_t i = 0; i < lines->count; i++) {
        const int32_t x = lines->node[i], *bound = line_at(lines, i);
        const VALUE row = factor_of(rows, x);
        if (row == 0) continue;
        PVGI_TRY(grow_matrix(now, out, at + bound[1] - bound[0] + 1));
        const int64_t before = at;
        for (int32_t j = bound[0]; j < bound[1]; j++) {
            const int32_t v = lines->column[j];
            VALUE value = factor_of(columns, v);
            if (value == 0) continue;
            if (weight) value = MULTIPLY(now, value, weight[v]);
            if (fold_rows) value = MULTIPLY(now, value, row);
            value = MULTIPLY(now, value, entry_of(lines->table->value, j));
            out->column[at] = v;
            out->value[at] = value;
            at += value != 0;
        }
        if (at == before) continue;
        out->node[out->rows] = x;
        out->start[out->rows++] = (int32_t)before;
    }
    out->start[out->rows] = (int32_t)at;
    return PVG_OK;
}

/* Columns come first: counts the entries of each row, then writes them. */
static int32_t cut_columns_of(join *now, slice_matrix *out, const slice_lines *lines,
                              const slice_axis *rows, const slice_axis *columns,
                              const VALUE *weight, bool fold_rows) {
    int32_t *count = now->slices.place; /* -1 - entries, then where the next goes */
    int32_t touched = 0;
    int64_t all = 0;
    for (int32_t i = 0; i < lines->count; i++) {
        const int32_t *bound = line_at(lines, i);
        if (factor_of(columns, lines->node[i]) == 0) continue;
        if (weight && weight[lines->node[i]] == 0) continue;
        for (int32_t j = bound[0]; j < bound[1]; j++) {
            const int32_t x = lines->column[j];
            if (factor_of(rows, x) == 0) continue;
            if (count[x] == -1) out->node[touched++] = x;
            count[x]--;
            all++;
        }
    }
    PVGI_TRY(grow_matrix(now, out, all + 1));
    pvgi_graph_row_sort(out->node, touched);
    int32_t at = 0;
    for (int32_t r = 0; r < touched; r++) {
        const int32_t entries = -1 - count[out->node[r]];
        out->start[r] = at;
        count[out->node[r]] = at;
        at += entries;
    }
    out->rows = touched;
    out->start[touched] = at;
    for (int32_t i = 0; i < lines->count; i++) {
        const int32_t v = lines->node[i], *bound = line_at(lines, i);
        VALUE column = factor_of(columns, v);
        if (column == 0) continue;
        if (weight) column = MULTIPLY(now, column, weight[v]);
        if (column == 0) continue;
        for (int32_t j = bound[0]; j < bound[1]; j++) {
            const int32_t x = lines->column[j];
            const VALUE row = factor_of(rows, x);
            if (row == 0) continue;
            VALUE value = MULTIPLY(now, column, entry_of(lines->table->value, j));
            if (fold_rows) value = MULTIPLY(now, value, row);
            out->column[count[x]] = v;
            out->value[count[x]++] = value;
        }
    }
    for (int32_t r = 0; r < touched; r++) count[out->node[r]] = -1;
    return PVG_OK;
}

static int32_t cut_matrix(join *now, int32_t m, int32_t u, int32_t row_axis,
                          int32_t column_axis, const VALUE *weight) {
    slice_work *work = &now->slices;
    const int32_t f = work->factor[m];
    int32_t count;
    const int8_t *level = axes_of(now, f, &count);
    const slice_axis *rows = &work->axis[row_axis], *columns = &work->axis[column_axis];
    bool by_rows = now->step->axis[level[0]] == row_axis;
    if (now->factor[f]->arity == count) {
        if (now->factor[f]->symmetric)
            by_rows = rows->known || (!columns->known && axis_known(now, row_axis));
        take_support(now, by_rows ? row_axis : column_axis, u);
    }
    const slice_lines lines = lines_of(now, f, u, by_rows ? row_axis : column_axis);
    return (by_rows ? cut_rows_of : cut_columns_of)(now, &work->matrix[m], &lines, rows,
                                                    columns, weight, m == LEFT);
}

/* Left is there: its columns are the images of v. */
static void find_support(slice_work *work) {
    slice_axis *v = &work->axis[PVGI_ELIM_AXIS_V];
    const slice_matrix *left = &work->matrix[LEFT];
    forget_axis(v);
    for (int32_t i = 0; i < left->start[left->rows]; i++) {
        if (v->value[left->column[i]] != 0) continue;
        v->value[left->column[i]] = 1;
        v->node[v->count++] = left->column[i];
    }
    pvgi_graph_row_sort(v->node, v->count);
    v->known = true;
}

/* Whether the rows of right can be read where they are. */
static bool right_in_place(const join *now) {
    const int32_t f = now->slices.factor[RIGHT];
    int32_t count;
    const int8_t *level = axes_of(now, f, &count);
    return now->factor[f]->arity == count && !now->slices.axis[PVGI_ELIM_AXIS_Y].known &&
           (now->step->axis[level[0]] == PVGI_ELIM_AXIS_V || now->factor[f]->symmetric);
}

/* --- the product ------------------------------------------------------------------ */

/* One row of left times right into the sums; returns the products. */
static int64_t multiply_row(join *now, int32_t r, const int32_t *place,
                            const int32_t *start, const int32_t *columns,
                            const VALUE *values) {
    const slice_matrix *left = &now->slices.matrix[LEFT];
    VALUE *sum = now->sum;
    int64_t products = 0, touches = 0;
    for (int32_t i = left->start[r]; i < left->start[r + 1]; i++) {
        const int32_t v = left->column[i], line = place ? place[v] : v;
        const VALUE scale = left->value[i];
        if (line < 0) continue;
        products += start[line + 1] - start[line];
        for (int32_t j = start[line]; j < start[line + 1]; j++) {
            const int32_t y = columns[j];
            now->touched[touches] = y;
            touches += sum[y] == 0;
            sum[y] = ADD(now, sum[y], values ? MULTIPLY(now, scale, values[j]) : scale);
        }
    }
    now->touches = touches;
    return products;
}

/* Appends the sums of x where the mask has entries low .. high - 1, and forgets all. */
static int32_t append_masked(join *now, int32_t x, const int32_t *column,
                             const VALUE *value, int32_t low, int32_t high) {
    pvgi_elim_table *out = now->out;
    const int64_t below = now->entries[2];
    PVGI_TRY(make_room(now, 2, high - low + 1));
    int64_t at = below;
    for (int32_t j = low; j < high; j++) {
        const VALUE sum = now->sum[column[j]];
        out->column[2][at] = column[j];
        ((VALUE *)out->value)[at] = MULTIPLY(now, sum, entry_of(value, j));
        at += sum != 0;
    }
    for (int64_t i = 0; i < now->touches; i++) now->sum[now->touched[i]] = 0;
    now->touches = 0;
    now->entries[2] = at;
    if (at == below) return PVG_OK;
    PVGI_TRY(make_room(now, 1, 1));
    out->column[1][now->entries[1]] = x;
    out->child[1][now->entries[1]++] = (int32_t)below;
    return PVG_OK;
}

/* Appends all sums of x and forgets them. */
static int32_t append_all(join *now, int32_t x) {
    pvgi_elim_table *out = now->out;
    const int64_t below = now->entries[2];
    if (now->touches == 0) return PVG_OK;
    PVGI_TRY(make_room(now, 2, now->touches + 1));
    now->entries[2] +=
        take_sums(now, out->column[2] + below, (VALUE *)out->value + below);
    PVGI_TRY(make_room(now, 1, 1));
    out->column[1][now->entries[1]] = x;
    out->child[1][now->entries[1]++] = (int32_t)below;
    return PVG_OK;
}

/* Entries of the mask in row x; *at walks along the slice of a table that holds s. */
static void mask_row(const join *now, int32_t u, int32_t x, int32_t *at, int32_t *low,
                     int32_t *high) {
    const int32_t f = now->slices.factor[MASK];
    const pvgi_elim_table *table = now->factor[f];
    int32_t count;
    axes_of(now, f, &count);
    const int32_t *bound = table->start + x;
    if (table->arity > count) {
        const int32_t end = table->start[u + 1];
        *at = *at < end ? seek(table->column[1], *at, end, x) : end;
        *low = *high = 0;
        if (*at == end || table->column[1][*at] != x) return;
        bound = table->child[1] + *at;
    }
    *low = bound[0];
    *high = bound[1];
}

static int32_t multiply_slice(join *now, int32_t u) {
    slice_work *work = &now->slices;
    const slice_matrix *left = &work->matrix[LEFT], *right = &work->matrix[RIGHT];
    const bool in_place = right_in_place(now);
    const pvgi_elim_table *table = now->factor[work->factor[RIGHT]];
    const pvgi_elim_table *mask =
        work->factor[MASK] < 0 ? NULL : now->factor[work->factor[MASK]];
    int32_t at = mask && mask->arity == 3 ? mask->start[u] : 0;
    if (!in_place)
        for (int32_t i = 0; i < right->rows; i++) work->place[right->node[i]] = i;
    int32_t status = PVG_OK;
    for (int32_t r = 0; r < left->rows && status == PVG_OK; r++) {
        now->work += in_place ? multiply_row(now, r, NULL, table->start, table->column[1],
                                             table->value)
                              : multiply_row(now, r, work->place, right->start,
                                             right->column, right->value);
        if (mask) {
            int32_t low, high;
            mask_row(now, u, left->node[r], &at, &low, &high);
            status = append_masked(now, left->node[r], mask->column[mask->arity - 1],
                                   mask->value, low, high);
        } else {
            status = append_all(now, left->node[r]);
        }
        if (status == PVG_OK) status = spend(now, 1);
    }
    if (!in_place)
        for (int32_t i = 0; i < right->rows; i++) work->place[right->node[i]] = -1;
    return status;
}

static int32_t slice_rows(join *now, int32_t first, int32_t last) {
    slice_work *work = &now->slices;
    for (int32_t u = first; u < last; u++) {
        now->out->start[u] = (int32_t)now->entries[1];
        take_vectors(now, u);
        PVGI_TRY(
            cut_matrix(now, LEFT, u, PVGI_ELIM_AXIS_X, PVGI_ELIM_AXIS_V, now->weight));
        if (work->matrix[LEFT].rows > 0) {
            find_support(work);
            if (!right_in_place(now))
                PVGI_TRY(
                    cut_matrix(now, RIGHT, u, PVGI_ELIM_AXIS_V, PVGI_ELIM_AXIS_Y, NULL));
            PVGI_TRY(multiply_slice(now, u));
        }
        for (int32_t a = 0; a < PVGI_ELIM_AXES; a++) forget_axis(&work->axis[a]);
    }
    return PVG_OK;
}
