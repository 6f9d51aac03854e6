/* Edges from columns by Arrow's C stream: a producer of our own, honest and hostile. */
#include "graph/arrow.h"
#include "support.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

/* --- a producer --------------------------------------------------------------- */

enum { CHUNKS_MOST = 4, COLUMNS_MOST = 3 };

/* One column: the same buffers for all chunks, each of which is a part of them. */
typedef struct {
    const char *name, *format, *of; /* of: format of a dictionary, or NULL */
    const void *values, *bytes;     /* numbers, or offsets and bytes */
    const uint8_t *valid;
    const void *entries, *entry_bytes; /* of the dictionary */
    int64_t entry_count;
} test_column;

typedef struct {
    int columns, chunks, at;
    test_column column[COLUMNS_MOST];
    int64_t lengths[CHUNKS_MOST];
    bool bare; /* one array, not a table */
    int fail_schema, fail_chunk;
    /* what a liar says: changes the array of column 0 in a chunk */
    void (*lie)(struct ArrowArray *table, struct ArrowArray *child);
    /* what is alive, and how often streams were released */
    int schemas, arrays, released;
} producer;

typedef struct {
    producer *from;
    struct ArrowSchema child[COLUMNS_MOST], dictionary[COLUMNS_MOST];
    struct ArrowSchema *children[COLUMNS_MOST];
} held_schema;

typedef struct {
    producer *from;
    struct ArrowArray child[COLUMNS_MOST], dictionary[COLUMNS_MOST];
    struct ArrowArray *children[COLUMNS_MOST];
    const void *buffers[COLUMNS_MOST][3], *of_buffers[COLUMNS_MOST][3], *none[1];
} held_array;

static void drop_schema(struct ArrowSchema *schema) {
    held_schema *held = schema->private_data;
    held->from->schemas--;
    free(held);
    schema->release = NULL;
}

static void drop_array(struct ArrowArray *array) {
    held_array *held = array->private_data;
    held->from->arrays--;
    free(held);
    array->release = NULL;
}

static int give_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
    producer *p = stream->private_data;
    if (p->fail_schema) return p->fail_schema;
    held_schema *held = calloc(1, sizeof *held);
    held->from = p;
    for (int i = 0; i < p->columns; i++) {
        held->children[i] = &held->child[i];
        held->child[i] = (struct ArrowSchema){.format = p->column[i].format,
                                              .name = p->column[i].name};
        if (!p->column[i].of) continue;
        held->dictionary[i].format = p->column[i].of;
        held->child[i].dictionary = &held->dictionary[i];
    }
    *out = p->bare ? held->child[0]
                   : (struct ArrowSchema){.format = "+s",
                                          .n_children = p->columns,
                                          .children = held->children};
    out->private_data = held;
    out->release = drop_schema;
    p->schemas++;
    return 0;
}

static int give_chunk(struct ArrowArrayStream *stream, struct ArrowArray *out) {
    producer *p = stream->private_data;
    if (p->fail_chunk && p->at + 1 == p->fail_chunk) return EIO;
    memset(out, 0, sizeof *out);
    if (p->at == p->chunks) return 0;
    held_array *held = calloc(1, sizeof *held);
    int64_t first = 0;
    held->from = p;
    for (int i = 0; i < p->at; i++) first += p->lengths[i];
    for (int i = 0; i < p->columns; i++) {
        const test_column *c = &p->column[i];
        const bool names = !c->of && (c->format[0] == 'u' || c->format[0] == 'U');
        held->children[i] = &held->child[i];
        held->buffers[i][0] = c->valid;
        held->buffers[i][1] = c->values;
        held->buffers[i][2] = c->bytes;
        held->child[i] = (struct ArrowArray){.length = p->lengths[p->at],
                                             .null_count = c->valid ? -1 : 0,
                                             .offset = first,
                                             .n_buffers = names ? 3 : 2,
                                             .buffers = held->buffers[i]};
        if (!c->of) continue;
        held->of_buffers[i][1] = c->entries;
        held->of_buffers[i][2] = c->entry_bytes;
        held->dictionary[i] = (struct ArrowArray){
            .length = c->entry_count, .n_buffers = 3, .buffers = held->of_buffers[i]};
        held->child[i].dictionary = &held->dictionary[i];
    }
    *out = p->bare ? held->child[0]
                   : (struct ArrowArray){.length = p->lengths[p->at],
                                         .n_buffers = 1,
                                         .buffers = held->none,
                                         .n_children = p->columns,
                                         .children = held->children};
    if (p->lie) p->lie(out, p->bare ? out : &held->child[0]);
    out->private_data = held;
    out->release = drop_array;
    p->arrays++;
    p->at++;
    return 0;
}

static const char *last_words(struct ArrowArrayStream *stream) {
    (void)stream;
    return "the disk is gone";
}

/* As a hostile one it stays as it is: whoever releases twice is counted. */
static void drop_stream(struct ArrowArrayStream *stream) {
    producer *p = stream->private_data;
    p->released++;
}

static struct ArrowArrayStream stream_of(producer *p) {
    p->at = p->released = 0;
    return (struct ArrowArrayStream){give_schema, give_chunk, last_words, drop_stream, p};
}

/* Everything was given back, once, whatever came of it. */
static int32_t graph_of(pvg_graph **out, producer *edges, producer *nodes, int64_t order,
                        uint32_t policy) {
    struct ArrowArrayStream from = stream_of(edges), of = {0};
    if (nodes) of = stream_of(nodes);
    *out = NULL;
    const int32_t status = pvg_graph_from_arrow(out, &from, "a", "b", nodes ? &of : NULL,
                                                order, policy, NULL);
    PVGT_CHECK(edges->released == 1 && edges->schemas == 0 && edges->arrays == 0,
               "released %d times; %d schemas, %d arrays left", edges->released,
               edges->schemas, edges->arrays);
    if (nodes)
        PVGT_CHECK(nodes->released == 1 && nodes->schemas == 0 && nodes->arrays == 0,
                   "nodes released %d times; %d schemas, %d arrays left", nodes->released,
                   nodes->schemas, nodes->arrays);
    TEST_ASSERT_EQUAL_INT(status == PVG_OK, *out != NULL);
    return status;
}

static const char *edges_of(const pvg_graph *graph) {
    static char text[300];
    int used = snprintf(text, sizeof text, "%lld:", (long long)graph->order);
    for (int64_t u = 0; u < graph->order; u++)
        for (int64_t i = graph->offsets[u]; i < graph->offsets[u + 1]; i++)
            if (graph->columns[i] > u)
                used += snprintf(text + used, sizeof text - (size_t)used, " %lld-%d",
                                 (long long)u, (int)graph->columns[i]);
    return text;
}

static const int32_t a32[] = {0, 1, 2, 3}, b32[] = {1, 2, 0, 4};
static const int64_t a64[] = {0, 1, 2, 3}, b64[] = {1, 2, 0, 4};

static producer numbers(const char *format, const void *a, const void *b) {
    return (producer){.columns = 3,
                      .chunks = 2,
                      .column = {{.name = "a", .format = format, .values = a},
                                 {.name = "weight", .format = "g"},
                                 {.name = "b", .format = format, .values = b}},
                      .lengths = {3, 1}};
}

static const char people[] = "AdaBobCyDanEve";
static const int32_t people_at[] = {0, 3, 6, 8, 11, 14};
static const int64_t people_at_wide[] = {0, 3, 6, 8, 11, 14};

static producer table_of_people(bool wide) {
    return (producer){.columns = 1,
                      .chunks = 2,
                      .column = {{.name = "name",
                                  .format = wide ? "U" : "u",
                                  .values = wide ? (const void *)people_at_wide
                                                 : (const void *)people_at,
                                  .bytes = people}},
                      .lengths = {2, 3}};
}

/* 0-1 1-2 2-0 3-4 by names */
static const char from_names[] = "AdaBobCyDan", to_names[] = "BobCyAdaEve";
static const int32_t from_at[] = {0, 3, 6, 8, 11}, to_at[] = {0, 3, 5, 8, 11};

static producer named_edges(void) {
    producer p = numbers("u", from_at, to_at);
    p.column[0].bytes = from_names;
    p.column[2].bytes = to_names;
    return p;
}

/* --- what is taken --------------------------------------------------------------- */

static void columns_become_graphs(void) {
    static const char wanted[] = "5: 0-1 0-2 1-2 3-4";
    pvg_graph *graph;
    static const char *const formats[] = {"i", "I", "l", "L"};
    for (int i = 0; i < 4; i++) {
        producer p = numbers(formats[i], i < 2 ? (const void *)a32 : a64,
                             i < 2 ? (const void *)b32 : b64);
        PVGT_OK(graph_of(&graph, &p, NULL, 5, 0));
        TEST_ASSERT_EQUAL_STRING(wanted, edges_of(graph));
        TEST_ASSERT_TRUE(pvg_graph_order_declared(graph));
        pvg_graph_free(graph);
        PVGT_OK(graph_of(&graph, &p, NULL, 5, PVG_EDGES_INFERRED));
        TEST_ASSERT_FALSE(pvg_graph_order_declared(graph));
        pvg_graph_free(graph);
    }
    for (int wide = 0; wide < 2; wide++)
        for (int bare = 0; bare < 2; bare++) {
            producer p = named_edges(), table = table_of_people(wide);
            table.bare = bare;
            PVGT_OK(graph_of(&graph, &p, &table, 0, 0));
            TEST_ASSERT_EQUAL_STRING(wanted, edges_of(graph));
            pvg_graph_free(graph);
        }
    /* a dictionary in another order than the table */
    static const char entries[] = "EveDanCyBobAda";
    static const int32_t entries_at[] = {0, 3, 6, 8, 11, 14};
    static const int8_t from[] = {4, 3, 2, 1}, to[] = {3, 2, 4, 0};
    producer coded = numbers("c", from, to), table = table_of_people(false);
    for (int i = 0; i < 3; i += 2) {
        coded.column[i].of = "u";
        coded.column[i].entries = entries_at;
        coded.column[i].entry_bytes = entries;
        coded.column[i].entry_count = 5;
    }
    PVGT_OK(graph_of(&graph, &coded, &table, 0, 0));
    TEST_ASSERT_EQUAL_STRING(wanted, edges_of(graph));
    pvg_graph_free(graph);
    coded.column[0].entry_count = 4;
    PVGT_FAILS(PVG_E_ARGUMENT, "column a, row 0: is outside its dictionary",
               graph_of(&graph, &coded, &table, 0, 0));
    /* names that are numbers */
    static const int64_t ids[] = {100, -7, INT64_MAX}, x[] = {100, -7},
                         y[] = {-7, INT64_MAX};
    producer few = numbers("l", x, y);
    few.lengths[0] = few.lengths[1] = 1;
    producer known = {.columns = 1,
                      .chunks = 1,
                      .column = {{.name = "id", .format = "l", .values = ids}},
                      .lengths = {3}};
    PVGT_OK(graph_of(&graph, &few, &known, 0, 0));
    TEST_ASSERT_EQUAL_STRING("3: 0-1 1-2", edges_of(graph));
    pvg_graph_free(graph);
    producer none = numbers("i", NULL, NULL);
    none.lengths[0] = none.lengths[1] = 0;
    PVGT_OK(graph_of(&graph, &none, NULL, 3, 0));
    TEST_ASSERT_EQUAL_STRING("3:", edges_of(graph));
    pvg_graph_free(graph);
    none.chunks = 0;
    PVGT_OK(graph_of(&graph, &none, NULL, 0, 0));
    pvg_graph_free(graph);
}

/* --- what is refused --------------------------------------------------------------- */

/* 2^64 - 5 and -5 have the same bytes, and are two names. */
static void large_numbers_are_not_small_ones(void) {
    static const uint64_t large[] = {UINT64_MAX - 4, 7, 8, 9};
    static const int64_t small[] = {-5, 7, 8, 9}, to[] = {7, 8, 9, 7};
    pvg_graph *graph;
    for (int i = 0; i < 4; i++) {
        producer table = {.columns = 1, .chunks = 1, .lengths = {4}};
        table.column[0].name = "name";
        table.column[0].format = i & 1 ? "L" : "l";
        table.column[0].values = i & 1 ? (const void *)large : small;
        producer p = numbers("l", small, to);
        p.column[0].format = i & 2 ? "L" : "l";
        p.column[0].values = i & 2 ? (const void *)large : small;
        if ((i & 1) == (i & 2) / 2) {
            PVGT_OK(graph_of(&graph, &p, &table, 0, PVG_EDGES_MERGE));
            TEST_ASSERT_EQUAL_STRING("4: 0-1 1-2 1-3 2-3", edges_of(graph));
            pvg_graph_free(graph);
        } else {
            PVGT_FAILS(PVG_E_ARGUMENT, "column a, row 0: is not among the nodes",
                       graph_of(&graph, &p, &table, 0, 0));
        }
    }
}

static void bad_columns_are_named(void) {
    pvg_graph *graph;
    static const uint8_t third_is_null[] = {0xFB};
    producer p = numbers("i", a32, b32);
    p.column[2].valid = third_is_null;
    PVGT_FAILS(PVG_E_ARGUMENT, "pvg_graph_from_arrow: column b, row 2: is null",
               graph_of(&graph, &p, NULL, 5, 0));
    p.column[2].valid = NULL;
    PVGT_FAILS(PVG_E_ARGUMENT, "column b, row 3: is not in 0 .. order - 1",
               graph_of(&graph, &p, NULL, 4, 0));
    static const uint64_t huge[] = {0, 1, UINT64_MAX, 3};
    p = numbers("L", huge, b64);
    PVGT_FAILS(PVG_E_ARGUMENT, "column a, row 2: is not in",
               graph_of(&graph, &p, NULL, 5, 0));
    static const int32_t negative[] = {0, -1, 2, 3};
    p = numbers("i", negative, b32);
    PVGT_FAILS(PVG_E_ARGUMENT, "column a, row 1: is not in",
               graph_of(&graph, &p, NULL, 5, 0));
    p = numbers("i", a32, a32);
    PVGT_FAILS(PVG_E_ARGUMENT, "edge 0", graph_of(&graph, &p, NULL, 5, 0));
    PVGT_OK(graph_of(&graph, &p, NULL, 5, PVG_EDGES_DROP_LOOPS));
    pvg_graph_free(graph);
    static const int32_t again[] = {1, 2, 0, 0};
    p = numbers("i", (const int32_t[]){0, 1, 2, 1}, again);
    PVGT_FAILS(PVG_E_ARGUMENT, "edge 3", graph_of(&graph, &p, NULL, 5, 0));
    PVGT_OK(graph_of(&graph, &p, NULL, 5, PVG_EDGES_MERGE));
    pvg_graph_free(graph);
    p = numbers("g", a64, b64);
    PVGT_FAILS(PVG_E_ARGUMENT, "column a has the Arrow type 'g'",
               graph_of(&graph, &p, NULL, 5, 0));
    p = numbers("c", a32, b32);
    PVGT_FAILS(PVG_E_ARGUMENT, "has the Arrow type 'c'",
               graph_of(&graph, &p, NULL, 5, 0));
    p = numbers("i", a32, b32);
    p.column[0].name = "c";
    PVGT_FAILS(PVG_E_ARGUMENT, "edges has no column a", graph_of(&graph, &p, NULL, 5, 0));
    p.column[0].name = p.column[2].name = "a";
    PVGT_FAILS(PVG_E_ARGUMENT, "several columns a", graph_of(&graph, &p, NULL, 5, 0));
    p = numbers("i", a32, b32);
    p.bare = true;
    PVGT_FAILS(PVG_E_ARGUMENT, "is no table", graph_of(&graph, &p, NULL, 5, 0));
    p = named_edges();
    PVGT_FAILS(PVG_E_ARGUMENT, "column a: has names, and nodes",
               graph_of(&graph, &p, NULL, 5, 0));
    producer table = table_of_people(false);
    table.lengths[1] = 2; /* without Eve */
    PVGT_FAILS(PVG_E_ARGUMENT, "column b, row 3: is not among the nodes",
               graph_of(&graph, &p, &table, 0, 0));
    table = table_of_people(false);
    table.column[0].values = (const int32_t[]){0, 3, 6, 8, 11, 11};
    table.column[0].bytes = "AdaAdaCyDan";
    PVGT_FAILS(PVG_E_ARGUMENT, "nodes: row 1 repeats a name",
               graph_of(&graph, &p, &table, 0, 0));
    table = table_of_people(false);
    table.columns = 2;
    table.column[1] = table.column[0];
    PVGT_FAILS(PVG_E_ARGUMENT, "exactly one column", graph_of(&graph, &p, &table, 0, 0));
    table = table_of_people(false);
    producer whole = numbers("i", a32, b32);
    PVGT_FAILS(PVG_E_ARGUMENT, "another type than nodes",
               graph_of(&graph, &whole, &table, 0, 0));
    PVGT_FAILS(PVG_E_ARGUMENT, "order and nodes", graph_of(&graph, &p, &table, 5, 0));
    PVGT_FAILS(PVG_E_ARGUMENT, "policy", graph_of(&graph, &p, &table, 0, 99));
    PVGT_FAILS(PVG_E_ARGUMENT, "edges is NULL",
               pvg_graph_from_arrow(&graph, NULL, "a", "b", NULL, 5, 0, NULL));
}

static void failing_streams_are_told(void) {
    pvg_graph *graph;
    producer p = numbers("i", a32, b32), table = table_of_people(false);
    p.fail_schema = EINVAL;
    PVGT_FAILS(PVG_E_IO, "edges: its stream failed (22): the disk is gone",
               graph_of(&graph, &p, NULL, 5, 0));
    for (p.fail_schema = 0, p.fail_chunk = 1; p.fail_chunk < 4; p.fail_chunk++)
        PVGT_FAILS(PVG_E_IO, "edges: its stream failed (5)",
                   graph_of(&graph, &p, NULL, 5, 0));
    p = named_edges();
    table.fail_chunk = 2;
    PVGT_FAILS(PVG_E_IO, "nodes: its stream failed (5)",
               graph_of(&graph, &p, &table, 0, 0));
    struct ArrowArrayStream gone = {give_schema, give_chunk, last_words, NULL, &p};
    PVGT_FAILS(PVG_E_ARGUMENT, "edges is a stream that was released",
               pvg_graph_from_arrow(&graph, &gone, "a", "b", NULL, 5, 0, NULL));
}

#define LIE(name, statement)                                                             \
    static void name(struct ArrowArray *table, struct ArrowArray *child) {               \
        (void)table;                                                                     \
        (void)child;                                                                     \
        statement;                                                                       \
    }
LIE(short_child, child->length--)
LIE(negative_length, child->length = -1)
LIE(negative_offset, child->offset = -1)
LIE(huge_length, (child->length = INT64_MAX, child->offset = 5))
LIE(negative_rows, table->length = -1)
LIE(huge_rows, table->length = INT64_MAX)
LIE(shifted, table->offset = INT64_MAX)
LIE(few_buffers, child->n_buffers = 1)
LIE(no_buffers, child->buffers = NULL)
LIE(null_values, child->buffers[1] = NULL)
LIE(hidden_nulls, child->null_count = 7)
LIE(crooked, child->buffers[1] = (const char *)child->buffers[1] + 1)
LIE(fewer_children, table->n_children = 0)
LIE(no_children, table->children = NULL)
LIE(null_child, table->children[0] = NULL)

static void liars_are_told(void) {
    static void (*const lies[])(struct ArrowArray *, struct ArrowArray *) = {
        short_child,  negative_length, negative_offset, huge_length, negative_rows,
        huge_rows,    shifted,         few_buffers,     no_buffers,  null_values,
        hidden_nulls, crooked,         fewer_children,  no_children, null_child};
    pvg_graph *graph;
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++)
        for (int named = 0; named < 2; named++) {
            producer p = named ? named_edges() : numbers("i", a32, b32);
            producer table = table_of_people(true);
            p.lie = lies[i];
            const int32_t status =
                graph_of(&graph, &p, named ? &table : NULL, named ? 0 : 5, 0);
            PVGT_CHECK(status == PVG_E_ARGUMENT, "lie %zu, %d: %s", i, named,
                       pvg_error_message());
            TEST_ASSERT_NOT_NULL(strstr(pvg_error_message(), "column a"));
        }
    /* offsets that go back, below zero, or lead to bytes that are not there */
    static const int32_t back[] = {0, 3, 2, 8, 11}, below[] = {-4, 3, 6, 8, 11};
    producer p = named_edges(), table = table_of_people(false);
    p.column[0].values = back;
    PVGT_FAILS(PVG_E_ARGUMENT, "column a, row 1: offsets of names do not ascend",
               graph_of(&graph, &p, &table, 0, 0));
    p.column[0].values = below;
    PVGT_FAILS(PVG_E_ARGUMENT, "column a, row 0: offsets",
               graph_of(&graph, &p, &table, 0, 0));
    p.column[0].values = from_at;
    p.column[0].bytes = NULL;
    PVGT_FAILS(PVG_E_ARGUMENT, "column a, row 0: offsets",
               graph_of(&graph, &p, &table, 0, 0));
    p = named_edges();
    table.column[0].values = back;
    PVGT_FAILS(PVG_E_ARGUMENT, "column nodes, row 1: offsets",
               graph_of(&graph, &p, &table, 0, 0));
}

static int32_t oom_body(void *context) {
    pvg_graph *graph;
    producer p = named_edges(), table = table_of_people(false);
    (void)context;
    const int32_t status = graph_of(&graph, &p, &table, 0, PVG_EDGES_MERGE);
    pvg_graph_free(graph);
    return status;
}

static void memory_may_fail(void) {
    pvgt_oom_walk("pvg_graph_from_arrow", oom_body, NULL, 5);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(columns_become_graphs);
    RUN_TEST(large_numbers_are_not_small_ones);
    RUN_TEST(bad_columns_are_named);
    RUN_TEST(failing_streams_are_told);
    RUN_TEST(liars_are_told);
    RUN_TEST(memory_may_fail);
    return pvgt_end(UNITY_END());
}
