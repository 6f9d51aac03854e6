/* Columns from a record: what the numbers of a release are, as columns.c writes it. */
#include "json.h"

#include <math.h>
#include <string.h>

static int place_of(const char *name, const char *const *names, int count) {
    int place = 0;
    while (place < count && strcmp(names[place], name) != 0) place++;
    return place;
}

typedef struct {
    pvgi_columns *made;
    uint32_t seen;
    pvgi_column column;
    pvgi_joint_columns joint;
    int64_t order;
    int field; /* of a measure */
    double *numbers, *common;
    int64_t *integers;
} column_reader;

static int32_t column_field(pvgi_json *in, void *context, const char *name) {
    static const char *const names[] = {"count", "name",  "graph6",
                                        "unit",  "first", "noise"};
    column_reader *r = context;
    const int place = place_of(name, names, 6);
    if (place == 6) return pvgi_guarantee_wrong("a column has an unknown field");
    r->seen |= UINT32_C(1) << place;
    switch (place) {
    case 0:
        return pvgi_guarantee_read_whole(&r->column.count, in);
    case 1:
        return pvgi_guarantee_read_text(&r->column.name, in);
    case 2:
        return pvgi_guarantee_read_text(&r->column.graph6, in);
    case 3:
        return pvgi_guarantee_read_text(&r->column.unit, in);
    case 4:
        r->column.numbered = true;
        return pvgi_guarantee_read_whole(&r->column.first, in);
    }
    return pvgi_guarantee_read_text(&r->column.noise, in);
}

static int32_t read_column(pvgi_json *in, void *context, int64_t index) {
    column_reader *r = context;
    (void)index;
    r->column = (pvgi_column){0};
    r->seen = 0;
    PVGI_TRY(pvgi_guarantee_read_fields(in, column_field, r));
    if (!r->column.name || r->column.count < 1 ||
        r->column.count > INT64_MAX - r->made->columns ||
        r->column.first > INT64_MAX - r->column.count)
        return pvgi_guarantee_wrong("a column has no name, or is none");
    pvgi_guarantee_columns_add(r->made, &r->column);
    return r->made->status;
}

static int32_t read_measure(pvgi_json *in, void *context, int64_t index) {
    column_reader *r = context;
    pvgi_measure *measure = pvgi_guarantee_columns_at(r->made, index);
    double value;
    if (!measure) return r->made->status;
    PVGI_TRY(pvgi_guarantee_read_signed(&value, in));
    *(r->field == 0   ? &measure->low
      : r->field == 1 ? &measure->high
      : r->field == 2 ? &measure->grid
                      : &measure->scale) = value;
    return r->field < 2 || !(value < 0.0)
               ? PVG_OK
               : pvgi_guarantee_wrong("a grid or scale is negative");
}

static int32_t read_covariance(pvgi_json *in, void *context, int64_t index) {
    double *number = &((column_reader *)context)->numbers[index];
    PVGI_TRY(pvgi_guarantee_read_signed(number, in));
    return isfinite(*number) ? PVG_OK : pvgi_guarantee_wrong("a covariance is none");
}

static int32_t read_common(pvgi_json *in, void *context, int64_t index) {
    double *number = &((column_reader *)context)->common[index];
    PVGI_TRY(pvgi_guarantee_read_number(number, in));
    return isfinite(*number) ? PVG_OK : pvgi_guarantee_wrong("a common scale is none");
}

static int32_t read_entry(pvgi_json *in, void *context, int64_t index) {
    return pvgi_guarantee_read_integer(&((column_reader *)context)->integers[index], in);
}

/* Numbers that must all stand in what is left, each with a comma or bracket. */
enum { LINE, TRIANGLE, SQUARE };
static int32_t make_room(void *out, const pvgi_json *in, int64_t columns, int shape) {
    const int64_t left = in->end - in->at;
    if (columns < 1 || columns > INT32_MAX)
        return pvgi_guarantee_wrong("first comes the count");
    const int64_t count = shape == LINE       ? columns
                          : shape == TRIANGLE ? columns * (columns + 1) / 2
                                              : columns * columns;
    if (count > left / 2) return pvgi_guarantee_wrong("an array is too short");
    void *scratch = pvgi_alloc((size_t)count, 8);
    if (!scratch) return pvgi_fail_nomem();
    memcpy(out, &scratch, sizeof scratch);
    return PVG_OK;
}

static int32_t joint_field(pvgi_json *in, void *context, const char *name) {
    static const char *const names[] = {"first",  "count", "norm", "change", "covariance",
                                        "matrix", "scale", "step", "common"};
    column_reader *r = context;
    pvgi_joint_columns *joint = &r->joint;
    const int64_t n = joint->count;
    int64_t norm = 0;
    const int place = place_of(name, names, 9);
    if (place == 9) return pvgi_guarantee_wrong("joint columns have an unknown field");
    r->seen |= UINT32_C(1) << place;
    switch (place) {
    case 0:
        return pvgi_guarantee_read_whole(&joint->first, in);
    case 1:
        return pvgi_guarantee_read_whole(&joint->count, in);
    case 2:
        PVGI_TRY(pvgi_guarantee_read_whole(&norm, in));
        joint->norm = (int32_t)(norm <= 2 ? norm : 0);
        return joint->norm > 0 ? PVG_OK
                               : pvgi_guarantee_wrong("a norm is neither 1 nor 2");
    case 3:
        return pvgi_guarantee_read_number(&joint->change, in);
    case 4:
        PVGI_TRY(make_room(&r->numbers, in, n, TRIANGLE));
        joint->covariance = r->numbers;
        return pvgi_guarantee_read_items(in, read_covariance, r, n * (n + 1) / 2);
    case 5:
        PVGI_TRY(make_room(&r->integers, in, n, SQUARE));
        joint->matrix = r->integers;
        return pvgi_guarantee_read_items(in, read_entry, r, n * n);
    case 6:
        return pvgi_guarantee_read_number(&joint->scale, in);
    case 7:
        return pvgi_guarantee_read_number(&joint->step, in);
    }
    PVGI_TRY(make_room(&r->common, in, n, LINE));
    joint->common = r->common;
    return pvgi_guarantee_read_items(in, read_common, r, n);
}

static int32_t check_joint(const column_reader *r) {
    const pvgi_joint_columns *joint = &r->joint;
    const int64_t all = r->made->columns;
    const uint32_t change = 3u << 2, drawn = 7u << 5;
    if ((r->seen & 3u) != 3u || joint->count < 1 || joint->first > all ||
        joint->count > all - joint->first)
        return pvgi_guarantee_wrong("joint columns are not there");
    /* both or none of norm and change; all or none of matrix, scale and step */
    if (((r->seen & change) != 0 && (r->seen & change) != change) ||
        ((r->seen & drawn) != 0 && (r->seen & drawn) != drawn))
        return pvgi_guarantee_wrong("joint columns lack a field");
    for (int64_t i = 0; joint->covariance && i < joint->count; i++)
        if (joint->covariance[i * (i + 3) / 2] < 0.0)
            return pvgi_guarantee_wrong("a variance is negative");
    return PVG_OK;
}

static int32_t read_joint(pvgi_json *in, void *context, int64_t index) {
    column_reader *r = context;
    (void)index;
    r->joint = (pvgi_joint_columns){0};
    r->seen = 0;
    r->numbers = r->common = NULL;
    r->integers = NULL;
    int32_t status = pvgi_guarantee_read_fields(in, joint_field, r);
    if (status == PVG_OK) status = check_joint(r);
    if (status == PVG_OK) {
        pvgi_guarantee_columns_joint(r->made, &r->joint);
        status = r->made->status;
    }
    pvgi_free(r->numbers);
    pvgi_free(r->common);
    pvgi_free(r->integers);
    return status;
}

/* "order" comes first: it makes the table. */
static int32_t table_field(pvgi_json *in, void *context, const char *name) {
    static const char *const names[] = {"low", "high", "grid", "scale", "joint", "order"};
    column_reader *r = context;
    const int place = place_of(name, names, 6);
    if (place == 6)
        return pvgi_guarantee_wrong("a table of columns has an unknown field");
    if ((place == 5) == (r->order >= 0))
        return pvgi_guarantee_wrong("first comes the order");
    if (place == 5) {
        PVGI_TRY(pvgi_guarantee_read_whole(&r->order, in));
        pvgi_guarantee_columns_table(r->made, r->order);
        return r->made->status;
    }
    r->field = place;
    return place == 4 ? pvgi_guarantee_read_items(in, read_joint, r, -1)
                      : pvgi_guarantee_read_items(in, read_measure, r, r->made->kinds);
}

static int32_t read_table(pvgi_json *in, void *context, int64_t index) {
    column_reader *r = context;
    (void)index;
    r->seen = 0;
    r->order = -1;
    PVGI_TRY(pvgi_guarantee_read_fields(in, table_field, r));
    return r->order >= 0 ? PVG_OK
                         : pvgi_guarantee_wrong("a table of columns has no order");
}

/* "columns" come first. */
static int32_t coordinates_field(pvgi_json *in, void *context, const char *name) {
    column_reader *r = context;
    if (strcmp(name, "columns") == 0 && r->made->kinds == 0)
        return pvgi_guarantee_read_items(in, read_column, r, -1);
    if (strcmp(name, "tables") == 0 && r->made->kinds > 0 && r->made->tables == 0)
        return pvgi_guarantee_read_items(in, read_table, r, -1);
    return pvgi_guarantee_wrong("columns, then tables");
}

int32_t pvgi_guarantee_read_coordinates(pvg_guarantee *g, pvgi_json *in) {
    column_reader r = {.made = pvgi_guarantee_columns_begin()};
    if (!r.made) return PVG_E_NOMEM;
    const int32_t status = pvgi_guarantee_read_fields(in, coordinates_field, &r);
    if (status != PVG_OK) {
        pvgi_guarantee_columns_drop(r.made);
        return status;
    }
    return pvgi_guarantee_columns_close(g, r.made);
}
