/* What the numbers of a release are, column by column: name, unit, law of the noise, and
 * for each order that occurs range, grid and scale; numbers that one neighbouring world
 * moves together, with the covariance of their noise where it is not independent.
 *
 * Columns that are alike and follow one another are described once. A description is
 * made from public values, then never changed, and shared by all records that carry it.
 * Everything in it lives in few blocks. O(kinds of columns) per table. */
#include "guarantee_internal.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 1 << 12 };

struct pvgi_block_list {
    struct pvgi_block_list *next;
    size_t used, size;
    double bytes[]; /* aligned for all that is kept */
};

pvgi_columns *pvgi_guarantee_columns_begin(void) {
    pvgi_columns *c = pvgi_alloc_zero(1, sizeof *c);
    if (!c) {
        pvgi_fail_nomem();
        return NULL;
    }
    atomic_init(&c->users, 1);
    return c;
}

pvgi_columns *pvgi_guarantee_columns_share(pvgi_columns *c) {
    if (c) atomic_fetch_add_explicit(&c->users, 1, memory_order_relaxed);
    return c;
}

void pvgi_guarantee_columns_drop(pvgi_columns *c) {
    if (!c || atomic_fetch_sub_explicit(&c->users, 1, memory_order_acq_rel) > 1) return;
    while (c->blocks) {
        struct pvgi_block_list *next = c->blocks->next;
        pvgi_free(c->blocks);
        c->blocks = next;
    }
    pvgi_free(c->kind);
    pvgi_free(c->table);
    pvgi_free(c);
}

int32_t pvgi_guarantee_columns_close(pvg_guarantee *guarantee, pvgi_columns *c) {
    const int32_t status = c ? c->status : pvgi_fail_nomem();
    if (status != PVG_OK) {
        pvgi_guarantee_columns_drop(c);
        return status;
    }
    pvgi_guarantee_columns_drop(guarantee->told);
    guarantee->told = c;
    return PVG_OK;
}

/* --- memory ----------------------------------------------------------------------- */

/* False once anything failed. */
static bool is_open(const pvgi_columns *c) {
    return c && c->status == PVG_OK;
}

static void *keep(pvgi_columns *c, const void *from, size_t bytes) {
    const size_t whole = pvgi_size_add(bytes, 7) / 8 * 8;
    struct pvgi_block_list *block = c->blocks;
    if (!block || block->size - block->used < whole) {
        const size_t size = whole > BLOCK ? whole : BLOCK;
        block = pvgi_alloc(pvgi_size_add(size, sizeof *block), 1);
        if (!block) {
            c->status = pvgi_fail_nomem();
            return NULL;
        }
        block->next = c->blocks;
        block->used = 0;
        block->size = size;
        c->blocks = block;
    }
    void *to = (char *)block->bytes + block->used;
    block->used += whole;
    if (from && bytes > 0) memcpy(to, from, bytes);
    return to;
}

static const char *keep_text(pvgi_columns *c, const char *text) {
    return text ? keep(c, text, strlen(text) + 1) : NULL;
}

/* Room for one more, doubling. */
static void *one_more(pvgi_columns *c, void *array, int64_t count, size_t bytes) {
    if (array && (count & (count - 1)) != 0) return array;
    void *larger = pvgi_grow(array, count > 0 ? 2 * (size_t)count : 1, bytes);
    if (!larger) c->status = pvgi_fail_nomem();
    return larger;
}

/* --- building --------------------------------------------------------------------- */

void pvgi_guarantee_columns_add(pvgi_columns *c, const pvgi_column *column) {
    if (!is_open(c)) return;
    pvgi_column *larger = one_more(c, c->kind, c->kinds, sizeof *c->kind);
    if (!larger) return;
    c->kind = larger;
    c->kind[c->kinds] = (pvgi_column){.count = column->count,
                                      .name = keep_text(c, column->name),
                                      .numbered = column->numbered,
                                      .first = column->first,
                                      .graph6 = keep_text(c, column->graph6),
                                      .unit = keep_text(c, column->unit),
                                      .noise = keep_text(c, column->noise)};
    if (c->status != PVG_OK) return;
    c->kinds++;
    c->columns += column->count;
}

void pvgi_guarantee_columns_table(pvgi_columns *c, int64_t order) {
    if (!is_open(c)) return;
    pvgi_column_table *larger = one_more(c, c->table, c->tables, sizeof *c->table);
    if (!larger) return;
    c->table = larger;
    c->table[c->tables++] = (pvgi_column_table){.order = order};
}

pvgi_measure *pvgi_guarantee_columns_at(pvgi_columns *c, int64_t kind) {
    if (!is_open(c)) return NULL;
    pvgi_column_table *table = &c->table[c->tables - 1];
    if (table->measure) return &table->measure[kind];
    /* not before one is told: so memory follows the length of a record that is read */
    pvgi_measure *made =
        keep(c, NULL, pvgi_size_mul((size_t)c->kinds, sizeof(pvgi_measure)));
    if (!made) return NULL;
    for (int64_t k = 0; k < c->kinds; k++)
        made[k] = (pvgi_measure){(double)NAN, (double)NAN, (double)NAN, (double)NAN};
    table->measure = made;
    return &made[kind];
}

void pvgi_guarantee_columns_measure(pvgi_columns *c, int64_t kind, pvgi_measure measure) {
    pvgi_measure *at = pvgi_guarantee_columns_at(c, kind);
    if (at) *at = measure;
}

void pvgi_guarantee_columns_joint(pvgi_columns *c, const pvgi_joint_columns *joint) {
    if (!is_open(c)) return;
    pvgi_column_table *table = &c->table[c->tables - 1];
    const size_t count = (size_t)joint->count;
    pvgi_joint_columns own = *joint;
    if (own.covariance)
        own.covariance = keep(
            c, own.covariance,
            pvgi_size_mul(pvgi_size_mul(count, count + 1) / 2, sizeof *own.covariance));
    if (own.common)
        own.common = keep(c, own.common, pvgi_size_mul(count, sizeof *own.common));
    if (own.matrix)
        own.matrix = keep(c, own.matrix,
                          pvgi_size_mul(pvgi_size_mul(count, count), sizeof *own.matrix));
    /* doubling; old arrays stay behind in their blocks */
    const size_t now = (size_t)table->joints;
    pvgi_joint_columns *array = table->joint;
    if (now == 0 || (now & (now - 1)) == 0)
        array = keep(c, NULL, pvgi_size_mul(now > 0 ? 2 * now : 1, sizeof *array));
    if (c->status != PVG_OK) return;
    if (array != table->joint && now > 0)
        memcpy(array, table->joint, now * sizeof *array);
    array[table->joints++] = own;
    table->joint = array;
}

/* --- the usual ones --------------------------------------------------------------- */

void pvgi_guarantee_columns_law(pvgi_columns *c, const pvgi_joint *law, double low,
                                double high) {
    const pvgi_measure measure = {low, high, ldexp(1.0, law->grid), law->scale};
    pvgi_guarantee_columns_table(c, 0);
    for (int64_t k = 0; is_open(c) && k < c->kinds; k++)
        pvgi_guarantee_columns_measure(c, k, measure);
    if (!is_open(c)) return;
    pvgi_guarantee_columns_joint(
        c, &(pvgi_joint_columns){.count = c->columns,
                                 .norm = pvgi_mechanism_law(law->noise)->norm,
                                 .change = ldexp(law->steps, law->grid)});
}

/* --- names ------------------------------------------------------------------------ */

int64_t pvgi_guarantee_column_kind(const pvgi_columns *c, int64_t index) {
    int64_t kind = 0;
    while (kind + 1 < c->kinds && index >= c->kind[kind].count)
        index -= c->kind[kind++].count;
    return kind;
}

void pvgi_guarantee_column_name(pvgi_text *text, const pvgi_columns *c, int64_t index) {
    const int64_t kind = pvgi_guarantee_column_kind(c, index);
    const pvgi_column *own = &c->kind[kind];
    int64_t before = 0, same = 1;
    for (int64_t k = 0; k < kind; k++) before += c->kind[k].count;
    const int64_t number = own->first + index - before;
    for (int64_t k = 0; k < kind; k++) {
        const pvgi_column *other = &c->kind[k];
        const bool apart =
            own->numbered && other->numbered &&
            (number < other->first || number >= other->first + other->count);
        same += !apart && strcmp(other->name, own->name) == 0;
    }
    pvgi_text_format(text, "%s", own->name);
    if (own->numbered || own->count > 1)
        pvgi_text_format(text, "%lld", (long long)number);
    if (same > 1) pvgi_text_format(text, ".%lld", (long long)same);
}

/* --- as JSON ---------------------------------------------------------------------- */

static void put_text(pvgi_text *text, const char *name, const char *value) {
    if (!value) return;
    pvgi_text_format(text, ", \"%s\": ", name);
    pvgi_text_json_string(text, value);
}

static void put_number(pvgi_text *text, double value) {
    if (isnan(value))
        pvgi_text_append(text, "null", 4);
    else
        pvgi_text_json_number(text, value);
}

/* One field of all measures: doubles that lie `offset` bytes into each. */
static void put_measures(pvgi_text *text, const char *name, size_t offset,
                         const pvgi_measure *measure, int64_t count) {
    bool told = false;
    for (int64_t k = 0; measure && k < count; k++) {
        double value;
        memcpy(&value, (const char *)&measure[k] + offset, sizeof value);
        told = told || !isnan(value);
    }
    if (!told) return;
    pvgi_text_format(text, ", \"%s\": [", name);
    for (int64_t k = 0; k < count; k++) {
        double value;
        memcpy(&value, (const char *)&measure[k] + offset, sizeof value);
        if (k > 0) pvgi_text_append(text, ", ", 2);
        put_number(text, value);
    }
    pvgi_text_append(text, "]", 1);
}

static void put_joint(pvgi_text *text, const pvgi_joint_columns *joint) {
    const int64_t n = joint->count;
    pvgi_text_format(text, "{\"first\": %lld, \"count\": %lld", (long long)joint->first,
                     (long long)n);
    if (joint->norm > 0) {
        pvgi_text_format(text, ", \"norm\": %d, \"change\": ", (int)joint->norm);
        pvgi_text_json_number(text, joint->change);
    }
    for (int64_t i = 0; joint->covariance && i < n * (n + 1) / 2; i++) {
        pvgi_text_format(text, i == 0 ? ", \"covariance\": [" : ", ");
        pvgi_text_json_number(text, joint->covariance[i]);
    }
    if (joint->covariance) pvgi_text_append(text, "]", 1);
    for (int64_t i = 0; joint->common && i < n; i++) {
        pvgi_text_format(text, i == 0 ? ", \"common\": [" : ", ");
        pvgi_text_json_number(text, joint->common[i]);
    }
    if (joint->common) pvgi_text_append(text, "]", 1);
    if (joint->matrix) {
        pvgi_text_format(text, ", \"step\": ");
        pvgi_text_json_number(text, joint->step);
        pvgi_text_format(text, ", \"scale\": ");
        pvgi_text_json_number(text, joint->scale);
        for (int64_t i = 0; i < n * n; i++)
            pvgi_text_format(text, "%s%lld", i == 0 ? ", \"matrix\": [" : ", ",
                             (long long)joint->matrix[i]);
        pvgi_text_append(text, "]", 1);
    }
    pvgi_text_append(text, "}", 1);
}

static void put_table(pvgi_text *text, const pvgi_column_table *table, int64_t kinds) {
    pvgi_text_format(text, "{\"order\": %lld", (long long)table->order);
    put_measures(text, "low", offsetof(pvgi_measure, low), table->measure, kinds);
    put_measures(text, "high", offsetof(pvgi_measure, high), table->measure, kinds);
    put_measures(text, "grid", offsetof(pvgi_measure, grid), table->measure, kinds);
    put_measures(text, "scale", offsetof(pvgi_measure, scale), table->measure, kinds);
    for (int64_t i = 0; i < table->joints; i++) {
        pvgi_text_format(text, i == 0 ? ", \"joint\": [" : ", ");
        put_joint(text, &table->joint[i]);
    }
    pvgi_text_format(text, table->joints > 0 ? "]}" : "}");
}

void pvgi_guarantee_columns_json(pvgi_text *text, const pvgi_columns *c) {
    pvgi_text_format(text, "{\"columns\": [");
    for (int64_t k = 0; k < c->kinds; k++) {
        const pvgi_column *column = &c->kind[k];
        pvgi_text_format(text, "%s{\"count\": %lld", k > 0 ? ", " : "",
                         (long long)column->count);
        put_text(text, "name", column->name);
        if (column->numbered)
            pvgi_text_format(text, ", \"first\": %lld", (long long)column->first);
        put_text(text, "graph6", column->graph6);
        put_text(text, "unit", column->unit);
        put_text(text, "noise", column->noise);
        pvgi_text_append(text, "}", 1);
    }
    pvgi_text_format(text, "], \"tables\": [");
    for (int64_t i = 0; i < c->tables; i++) {
        if (i > 0) pvgi_text_append(text, ", ", 2);
        put_table(text, &c->table[i], c->kinds);
    }
    pvgi_text_append(text, "]}", 2);
}
