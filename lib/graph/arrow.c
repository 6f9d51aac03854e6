/* Edges from two columns of a table that another library holds (Arrow's C stream).
 *
 * Chunks are read one after the other, each released before the next is asked for; 8
 * bytes for each edge are kept. Nothing that a producer says of its arrays is taken on
 * trust but the sizes of its buffers, which the interface does not tell. */
#include "graph/arrow.h"

#include "base/mix.h"

#include <string.h>

enum { REPORT_EACH = 1 << 16 };

/* --- one column of a chunk -------------------------------------------------------- */

/* How numbers and names are stored, by the letter of the format. */
typedef enum { NONE, NUMBER, NAME } column_kind;

typedef struct {
    column_kind kind;
    bool wide_offsets;  /* of names */
    bool is_signed;     /* of numbers */
    int bytes;          /* of numbers */
    const char *column; /* its name, for messages */
    const uint8_t *valid;
    const char *data; /* numbers, or the bytes of names */
    const char *offsets;
    int64_t first, length; /* of the values in the buffers */
} column;

static column kind_of(const char *format) {
    static const struct {
        char letter;
        column what;
    } kinds[] = {
        {'c', {.kind = NUMBER, .bytes = 1, .is_signed = true}},
        {'C', {.kind = NUMBER, .bytes = 1}},
        {'s', {.kind = NUMBER, .bytes = 2, .is_signed = true}},
        {'S', {.kind = NUMBER, .bytes = 2}},
        {'i', {.kind = NUMBER, .bytes = 4, .is_signed = true}},
        {'I', {.kind = NUMBER, .bytes = 4}},
        {'l', {.kind = NUMBER, .bytes = 8, .is_signed = true}},
        {'L', {.kind = NUMBER, .bytes = 8}},
        {'u', {.kind = NAME}},
        {'U', {.kind = NAME, .wide_offsets = true}},
    };
    for (size_t i = 0; format && i < sizeof kinds / sizeof kinds[0]; i++)
        if (format[0] == kinds[i].letter && format[1] == '\0') return kinds[i].what;
    return (column){.kind = NONE};
}

static int32_t bad(const char *name, const char *what) {
    return pvgi_fail(PVG_E_ARGUMENT, "column %.60s: %s", name, what);
}

static int32_t bad_row(const char *name, int64_t row, const char *what) {
    return pvgi_fail(PVG_E_ARGUMENT, "column %.60s, row %lld: %s", name, (long long)row,
                     what);
}

/* first: rows of the table before those of the array; rows: how many are wanted. */
static int32_t open_array(column *out, const struct ArrowArray *array, int64_t first,
                          int64_t rows) {
    int64_t end;
    if (array->length < 0 || array->offset < 0 || first < 0 || rows < 0 ||
        first > array->length || rows > array->length - first ||
        __builtin_add_overflow(array->offset, array->length, &end))
        return bad(out->column, "its array has another length than it says");
    if (array->n_buffers != (out->kind == NAME ? 3 : 2) || !array->buffers)
        return bad(out->column, "its array has another number of buffers than its type");
    out->first = array->offset + first;
    out->length = rows;
    out->valid = array->null_count != 0 ? array->buffers[0] : NULL;
    if (array->null_count > 0 && !out->valid)
        return bad(out->column, "its array has nulls, and no buffer that says where");
    const void *numbers = array->buffers[1];
    if (rows > 0 && !numbers) return bad(out->column, "its array has no values");
    const uintptr_t size = (uintptr_t)(out->kind == NUMBER ? out->bytes
                                       : out->wide_offsets ? 8
                                                           : 4);
    if ((uintptr_t)numbers % size) return bad(out->column, "its values are not aligned");
    if (out->kind == NUMBER) {
        out->data = numbers;
    } else {
        out->offsets = numbers;
        out->data = array->buffers[2];
    }
    return PVG_OK;
}

static bool is_null(const column *c, int64_t i) {
    const int64_t at = c->first + i;
    return c->valid && !(c->valid[at / 8] >> (at % 8) & 1);
}

/* Of unsigned ones that are too large for a node the result is negative. */
static int64_t number_at(const column *c, int64_t i) {
    const char *at = c->data + (c->first + i) * c->bytes;
    int64_t value = 0;
    memcpy(&value, at, (size_t)c->bytes); /* little-endian, as is all of Arrow here */
    const int unused = 64 - 8 * c->bytes;
    return c->is_signed ? (int64_t)((uint64_t)value << unused) >> unused : value;
}

static int64_t offset_at(const column *c, int64_t i) {
    int64_t wide;
    int32_t narrow;
    if (c->wide_offsets) {
        memcpy(&wide, c->offsets + (c->first + i) * 8, sizeof wide);
        return wide;
    }
    memcpy(&narrow, c->offsets + (c->first + i) * 4, sizeof narrow);
    return narrow;
}

/* False if offsets do not ascend. */
static bool name_at(const char **name, int64_t *bytes, const column *c, int64_t i) {
    const int64_t begin = offset_at(c, i), end = offset_at(c, i + 1);
    *name = c->data ? c->data + begin : "";
    *bytes = end - begin;
    return begin >= 0 && end >= begin && (c->data || end == begin);
}

/* --- names ------------------------------------------------------------------------- */

/* Numbers as names: eight bytes, and whether they are 2^63 or more. One below 0 has the
 * same eight bytes as one above. */
enum { NUMBER_BYTES = 9 };

static void number_name(char out[NUMBER_BYTES], const column *c, int64_t number) {
    memcpy(out, &number, sizeof number);
    out[8] = (char)(!c->is_signed && number < 0);
}

/* The public table: node i is called bytes[starts[i] .. starts[i + 1]). */
typedef struct {
    column_kind kind;
    int64_t count, capacity, byte_capacity;
    int64_t *starts;
    char *bytes;
    int32_t *table; /* places, -1: free */
    uint64_t mask;
} names;

static void free_names(names *n) {
    pvgi_free(n->starts);
    pvgi_free(n->bytes);
    pvgi_free(n->table);
    *n = (names){0};
}

static uint64_t hash(const char *bytes, int64_t count) {
    uint64_t state = pvgi_mix((uint64_t)count + 1);
    for (; count >= 8; count -= 8, bytes += 8) {
        uint64_t word;
        memcpy(&word, bytes, 8);
        state = pvgi_mix(state ^ word);
    }
    uint64_t rest = 0;
    if (count > 0) memcpy(&rest, bytes, (size_t)count);
    return pvgi_mix(state ^ rest);
}

/* The place of a name in the table: its number, or -1 where it would be. */
static int32_t *place_of(const names *n, const char *bytes, int64_t count) {
    uint64_t at = hash(bytes, count) & n->mask;
    for (;; at = (at + 1) & n->mask) {
        const int32_t node = n->table[at];
        if (node < 0) return &n->table[at];
        const int64_t begin = n->starts[node], length = n->starts[node + 1] - begin;
        if (length == count && memcmp(n->bytes + begin, bytes, (size_t)count) == 0)
            return &n->table[at];
    }
}

static int32_t keep_name(names *n, const char *bytes, int64_t count) {
    const int64_t used = n->count > 0 ? n->starts[n->count] : 0;
    if (n->count + 2 > n->capacity) {
        const int64_t capacity = 2 * n->capacity + 64;
        int64_t *starts = pvgi_grow(n->starts, (size_t)capacity, sizeof *starts);
        if (!starts) return pvgi_fail_nomem();
        n->starts = starts;
        n->capacity = capacity;
    }
    if (used + count > n->byte_capacity) {
        const int64_t capacity = 2 * (used + count) + 256;
        char *larger = pvgi_grow(n->bytes, (size_t)capacity, 1);
        if (!larger) return pvgi_fail_nomem();
        n->bytes = larger;
        n->byte_capacity = capacity;
    }
    if (count > 0) memcpy(n->bytes + used, bytes, (size_t)count);
    n->starts[n->count] = used;
    n->starts[++n->count] = used + count;
    return PVG_OK;
}

static int32_t index_names(names *n) {
    uint64_t size = 16;
    while (size < 2 * (uint64_t)n->count) size *= 2;
    n->mask = size - 1;
    n->table = pvgi_alloc((size_t)size, sizeof *n->table);
    if (!n->table) return pvgi_fail_nomem();
    memset(n->table, 0xFF, (size_t)size * sizeof *n->table);
    for (int64_t i = 0; i < n->count; i++) {
        const int64_t begin = n->starts[i];
        int32_t *place = place_of(n, n->bytes + begin, n->starts[i + 1] - begin);
        if (*place >= 0)
            return pvgi_fail(PVG_E_ARGUMENT, "nodes: row %lld repeats a name",
                             (long long)i);
        *place = (int32_t)i;
    }
    return PVG_OK;
}

/* --- streams ------------------------------------------------------------------------ */

void pvgi_graph_arrow_drop(struct ArrowArrayStream *stream) {
    if (stream && stream->release) stream->release(stream);
}

static int32_t fail_stream(struct ArrowArrayStream *stream, const char *argument,
                           int code) {
    const char *said = stream->get_last_error ? stream->get_last_error(stream) : NULL;
    return pvgi_fail(PVG_E_IO, "%s: its stream failed (%d)%s%.200s", argument, code,
                     said ? ": " : "", said ? said : "");
}

static int32_t check_stream(const struct ArrowArrayStream *stream, const char *argument) {
    if (stream->release && stream->get_schema && stream->get_next) return PVG_OK;
    return pvgi_fail(PVG_E_ARGUMENT, "%s is a stream that was released, or is none",
                     argument);
}

/* One of the two columns, or the one of nodes: where it is, and what. */
typedef struct {
    int64_t child; /* -1: the array itself */
    column what;   /* of values, or of indices */
    column of;     /* of the dictionary; NONE without */
} place;

static int32_t choose(place *out, const struct ArrowSchema *schema, const char *name) {
    out->what = kind_of(schema->format);
    if (schema->dictionary) {
        out->of = kind_of(schema->dictionary->format);
        if (out->what.kind != NUMBER) out->what.kind = NONE;
        if (out->of.kind != NAME) out->what.kind = NONE;
    }
    out->what.column = out->of.column = name;
    if (out->what.kind == NONE ||
        (!schema->dictionary && out->what.kind == NUMBER && out->what.bytes < 4))
        return pvgi_fail(PVG_E_ARGUMENT,
                         "column %.60s has the Arrow type '%.20s'; taken are int32, "
                         "int64, uint32, uint64, string, large_string and dictionaries "
                         "of strings",
                         name, schema->format ? schema->format : "");
    return PVG_OK;
}

static int32_t find_column(place *out, const struct ArrowSchema *schema,
                           const char *name) {
    out->child = -1;
    if (!schema->format || strcmp(schema->format, "+s") != 0 || schema->n_children < 0 ||
        (schema->n_children > 0 && !schema->children))
        return pvgi_fail(PVG_E_ARGUMENT, "edges is no table of columns");
    for (int64_t i = 0; i < schema->n_children; i++) {
        const struct ArrowSchema *child = schema->children[i];
        if (!child || !child->name || strcmp(child->name, name) != 0) continue;
        if (out->child >= 0)
            return pvgi_fail(PVG_E_ARGUMENT, "edges has several columns %.60s", name);
        out->child = i;
    }
    if (out->child < 0)
        return pvgi_fail(PVG_E_ARGUMENT, "edges has no column %.60s", name);
    return choose(out, schema->children[out->child], name);
}

/* The values of a column in a chunk. */
static int32_t open_column(column *values, column *of, const place *p,
                           const struct ArrowArray *chunk) {
    const struct ArrowArray *array = chunk;
    *values = p->what;
    *of = p->of;
    if (p->child >= 0) {
        if (p->child >= chunk->n_children || !chunk->children ||
            !chunk->children[p->child] || chunk->offset < 0 || chunk->length < 0)
            return bad(values->column, "a chunk does not have it");
        if (chunk->null_count != 0 && chunk->n_buffers > 0 && chunk->buffers &&
            chunk->buffers[0])
            return bad(values->column, "rows of the table are null as a whole");
        array = chunk->children[p->child];
        PVGI_TRY(open_array(values, array, chunk->offset, chunk->length));
    } else {
        PVGI_TRY(open_array(values, array, 0, array->length));
    }
    if (of->kind == NONE) return PVG_OK;
    if (!array->dictionary) return bad(values->column, "its dictionary is missing");
    return open_array(of, array->dictionary, 0, array->dictionary->length);
}

/* --- nodes -------------------------------------------------------------------------- */

static int32_t take_nodes(names *n, const place *p, const struct ArrowArray *chunk) {
    column values, of;
    PVGI_TRY(open_column(&values, &of, p, chunk));
    n->kind = values.kind;
    for (int64_t i = 0; i < values.length; i++) {
        const char *name;
        int64_t bytes;
        if (is_null(&values, i)) return bad_row("nodes", n->count, "is null");
        if (n->count >= PVGI_GRAPH_ORDER_MAX)
            return pvgi_fail(PVG_E_LIMIT, "nodes has more than 2^31 - 1 rows");
        if (values.kind == NUMBER) {
            char number[NUMBER_BYTES];
            number_name(number, &values, number_at(&values, i));
            PVGI_TRY(keep_name(n, number, sizeof number));
            continue;
        }
        if (!name_at(&name, &bytes, &values, i))
            return bad_row("nodes", n->count, "offsets of names do not ascend");
        PVGI_TRY(keep_name(n, name, bytes));
    }
    return PVG_OK;
}

static int32_t read_nodes(names *n, struct ArrowArrayStream *stream) {
    struct ArrowSchema schema = {0};
    place p = {.child = -1};
    PVGI_TRY(check_stream(stream, "nodes"));
    int code = stream->get_schema(stream, &schema);
    if (code != 0) return fail_stream(stream, "nodes", code);
    const struct ArrowSchema *one = &schema;
    int32_t status = PVG_OK;
    if (schema.format && strcmp(schema.format, "+s") == 0) {
        if (schema.n_children == 1 && schema.children && schema.children[0]) {
            one = schema.children[0];
            p.child = 0;
        } else {
            status = pvgi_fail(PVG_E_ARGUMENT, "nodes has not exactly one column");
        }
    }
    if (status == PVG_OK) status = choose(&p, one, "nodes");
    if (status == PVG_OK && p.of.kind != NONE)
        status = pvgi_fail(PVG_E_ARGUMENT, "nodes is a dictionary; give its values");
    n->kind = p.what.kind;
    while (status == PVG_OK) {
        struct ArrowArray chunk = {0};
        code = stream->get_next(stream, &chunk);
        if (code != 0) {
            status = fail_stream(stream, "nodes", code);
            break;
        }
        if (!chunk.release) break;
        status = take_nodes(n, &p, &chunk);
        chunk.release(&chunk);
    }
    if (schema.release) schema.release(&schema);
    return status == PVG_OK ? index_names(n) : status;
}

/* --- edges -------------------------------------------------------------------------- */

typedef struct {
    const names *nodes; /* NULL: ends are numbers */
    int64_t order, rows;
    pvgi_edges kept;
    uint32_t policy;
    pvgi_run *run;
} reading;

static int64_t node_of_name(const reading *r, const column *c, int64_t i, bool *broken) {
    const char *name;
    int64_t bytes;
    *broken = !name_at(&name, &bytes, c, i);
    return *broken ? -1 : *place_of(r->nodes, name, bytes);
}

/* Nodes of the entries of a dictionary, -1 where there is none. */
static int32_t read_dictionary(int32_t **out, const reading *r, const column *of) {
    *out = NULL;
    if (of->kind == NONE) return PVG_OK;
    *out = pvgi_alloc((size_t)of->length, sizeof **out);
    if (!*out) return pvgi_fail_nomem();
    for (int64_t i = 0; i < of->length; i++) {
        bool broken = false;
        (*out)[i] = is_null(of, i) ? -1 : (int32_t)node_of_name(r, of, i, &broken);
        if (broken) return bad(of->column, "offsets of its dictionary do not ascend");
    }
    return PVG_OK;
}

static int32_t end_at(int64_t *out, const reading *r, const column *values,
                      const column *of, const int32_t *entries, int64_t i) {
    bool broken = false;
    if (is_null(values, i)) return bad_row(values->column, r->rows, "is null");
    int64_t node = values->kind == NUMBER ? number_at(values, i) : -1;
    if (of->kind != NONE) {
        if (node < 0 || node >= of->length)
            return bad_row(values->column, r->rows, "is outside its dictionary");
        node = entries[node];
    } else if (r->nodes) {
        char number[NUMBER_BYTES];
        number_name(number, values, node);
        node = values->kind == NUMBER ? *place_of(r->nodes, number, sizeof number)
                                      : node_of_name(r, values, i, &broken);
    }
    if (broken) return bad_row(values->column, r->rows, "offsets of names do not ascend");
    if (node < 0 || node >= r->order)
        return bad_row(values->column, r->rows,
                       r->nodes ? "is not among the nodes" : "is not in 0 .. order - 1");
    *out = node;
    return PVG_OK;
}

static int32_t take_edges(reading *r, const place places[2],
                          const struct ArrowArray *chunk) {
    column values[2], of[2];
    int32_t *entries[2] = {NULL, NULL};
    int64_t ends[2];
    int32_t status;
    for (int side = 0; side < 2; side++) {
        PVGI_TRY_DONE(open_column(&values[side], &of[side], &places[side], chunk));
        PVGI_TRY_DONE(read_dictionary(&entries[side], r, &of[side]));
    }
    for (int64_t i = 0; i < chunk->length; i++, r->rows++) {
        for (int side = 0; side < 2; side++)
            PVGI_TRY_DONE(
                end_at(&ends[side], r, &values[side], &of[side], entries[side], i));
        PVGI_TRY_DONE(pvgi_graph_edges_push(
            &r->kept, pvgi_edge_pack((uint64_t)ends[0], (uint64_t)ends[1])));
        if (r->rows % REPORT_EACH == 0) PVGI_TRY_DONE(pvgi_run_report(r->run, 0.0));
    }
    status = PVG_OK;
done:
    pvgi_free(entries[0]);
    pvgi_free(entries[1]);
    return status;
}

static int32_t check_kinds(const reading *r, const place *p) {
    const column_kind kind = p->of.kind != NONE ? p->of.kind : p->what.kind;
    if (kind == NAME && !r->nodes)
        return bad(p->what.column,
                   "has names, and nodes, the public table of all names, is NULL");
    if (r->nodes && r->nodes->kind != kind && r->nodes->count > 0)
        return bad(p->what.column, "has another type than nodes");
    return PVG_OK;
}

static int32_t read_edges(reading *r, struct ArrowArrayStream *stream,
                          const char *const columns[2]) {
    struct ArrowSchema schema = {0};
    place places[2] = {0};
    PVGI_TRY(check_stream(stream, "edges"));
    int code = stream->get_schema(stream, &schema);
    if (code != 0) return fail_stream(stream, "edges", code);
    int32_t status = PVG_OK;
    for (int side = 0; status == PVG_OK && side < 2; side++) {
        status = find_column(&places[side], &schema, columns[side]);
        if (status == PVG_OK) status = check_kinds(r, &places[side]);
    }
    while (status == PVG_OK) {
        struct ArrowArray chunk = {0};
        code = stream->get_next(stream, &chunk);
        if (code != 0) {
            status = fail_stream(stream, "edges", code);
            break;
        }
        if (!chunk.release) break;
        status = take_edges(r, places, &chunk);
        chunk.release(&chunk);
    }
    if (schema.release) schema.release(&schema);
    return status;
}

int32_t pvgi_graph_from_arrow(pvg_graph **out, struct ArrowArrayStream *edges,
                              const char *source, const char *target,
                              struct ArrowArrayStream *nodes, int64_t order,
                              uint32_t policy, pvgi_run *run) {
    const char *const columns[2] = {source, target};
    names table = {0};
    reading r = {.order = order, .policy = policy, .run = run};
    int32_t status = PVG_OK;
    if (nodes) {
        status = read_nodes(&table, nodes);
        r.nodes = &table;
        r.order = table.count;
    }
    if (status == PVG_OK) status = read_edges(&r, edges, columns);
    free_names(&table);
    if (status == PVG_OK) {
        int64_t bad_edge; /* asked for, so that the message names it */
        status = pvgi_graph_from_blocks(out, &bad_edge, r.order, r.kept.blocks,
                                        r.kept.count, policy, run);
        if (r.kept.count > 0) r.kept.block_count = 0; /* the engine has freed them */
    }
    pvgi_graph_edges_free(&r.kept);
    return status;
}
