/* Edges from Arrow's streams, of a producer that says what it likes: formats, lengths,
 * offsets, counts of buffers and children, nulls, dictionaries, failures. Only the sizes
 * of its buffers are as they must be: the interface does not tell them, so they are taken
 * on trust (ROOM values of 8 bytes, offsets of names below that). */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "fuzz.h"
#include "graph/arrow.h"

enum { ROOM = 256, CHILDREN = 3, CHUNKS = 4 };

typedef struct {
    const uint8_t *data;
    size_t size, at;
} bytes;

static uint8_t next(bytes *b) {
    return b->at < b->size ? b->data[b->at++] : 0;
}

typedef struct {
    struct ArrowArray array, dictionary;
    const void *buffers[3], *of_buffers[3];
    char values[ROOM * 8], valid[ROOM], names[ROOM], entries[ROOM * 8];
} child;

typedef struct {
    struct ArrowArray *children[CHILDREN];
    child child[CHILDREN];
    const void *none[1];
} chunk;

typedef struct {
    bytes *from;
    int chunks, given, held, released;
    struct ArrowSchema schema[CHILDREN], of[CHILDREN], *children[CHILDREN];
    bool bare;
} producer;

static void drop_schema(struct ArrowSchema *schema) {
    ((producer *)schema->private_data)->held--;
    schema->release = NULL;
}

static void drop_array(struct ArrowArray *array) {
    chunk *c = array->private_data;
    array->release = NULL;
    free(c);
}

static const char *format_of(bytes *b) {
    static const char *const formats[] = {"i", "l",  "I",  "L", "u",  "U", "i",  "c",
                                          "S", NULL, "vu", "",  "+s", "g", "li", "u"};
    return formats[next(b) % 16];
}

/* A name that is there more often than another one. */
static const char *name_of(bytes *b) {
    static const char *const names[] = {"a", "b", "a", "b", "c", NULL, "", "ab"};
    return names[next(b) % 8];
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
    producer *p = stream->private_data;
    bytes *b = p->from;
    const uint8_t how = next(b);
    if (how == 255) return 5;
    for (int i = 0; i < CHILDREN; i++) {
        p->schema[i] = (struct ArrowSchema){.format = format_of(b), .name = name_of(b)};
        p->children[i] = how == 254 && i == 1 ? NULL : &p->schema[i];
        if (next(b) % 4) continue;
        p->of[i] = (struct ArrowSchema){.format = format_of(b)};
        p->schema[i].dictionary = &p->of[i];
    }
    p->bare = how % 16 == 1;
    *out = p->bare ? p->schema[0]
                   : (struct ArrowSchema){.format = how % 32 == 2 ? format_of(b) : "+s",
                                          .n_children = how % 32 == 3 ? -1 : how % 4,
                                          .children = how % 64 == 4 ? NULL : p->children};
    out->private_data = p;
    out->release = drop_schema;
    p->held++;
    return 0;
}

/* Numbers small and large; offsets of names below ROOM. */
static void fill(char values[ROOM * 8], bytes *b, bool offsets, bool wide) {
    for (int i = 0; i < 24; i++) {
        const uint8_t x = next(b);
        int64_t value = (int8_t)x;
        if (!offsets && x == 100) value = INT64_MIN + 5;
        if (wide)
            memcpy(values + 8 * i, &value, 8);
        else {
            const int32_t narrow = (int32_t)value;
            memcpy(values + 4 * i, &narrow, 4);
        }
    }
}

static int64_t length_of(bytes *b) {
    const uint8_t x = next(b);
    return x == 255 ? -1 : x == 254 ? -(INT64_C(1) << 62) : x % 9;
}

static void make_array(struct ArrowArray *out, const void **buffers, child *c,
                       const char *format, char *values, bytes *b, int64_t rows) {
    const bool names = format && (format[0] == 'u' || format[0] == 'U');
    const bool wide =
        format && (format[0] == 'l' || format[0] == 'L' || format[0] == 'U');
    const uint8_t how = next(b);
    fill(values, b, names, wide);
    buffers[0] = how & 1 ? c->valid : NULL;
    buffers[1] = how % 32 == 31 ? NULL : values;
    buffers[2] = how % 32 == 30 ? NULL : c->names;
    *out = (struct ArrowArray){.length = how & 2 ? length_of(b) : rows,
                               .null_count = (int8_t)next(b) % 3,
                               .offset = how & 4 ? length_of(b) : 0,
                               .n_buffers = how % 64 == 29 ? next(b) % 5
                                            : names        ? 3
                                                           : 2,
                               .buffers = how % 64 == 28 ? NULL : buffers};
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out) {
    producer *p = stream->private_data;
    bytes *b = p->from;
    memset(out, 0, sizeof *out);
    if (p->given++ >= p->chunks) return 0;
    if (next(b) == 255) return 9;
    chunk *c = calloc(1, sizeof *c);
    const int64_t rows = length_of(b);
    for (int i = 0; i < CHILDREN; i++) {
        child *one = &c->child[i];
        c->children[i] = &one->array;
        for (int k = 0; k < ROOM; k++) one->names[k] = (char)('a' + k % 3);
        memset(one->valid, 0xF7, sizeof one->valid);
        make_array(&one->array, one->buffers, one, p->schema[i].format, one->values, b,
                   rows);
        if (!p->schema[i].dictionary || next(b) % 16 == 7) continue;
        make_array(&one->dictionary, one->of_buffers, one, p->of[i].format, one->entries,
                   b, 5);
        one->array.dictionary = &one->dictionary;
    }
    const uint8_t how = next(b);
    *out = p->bare ? c->child[0].array
                   : (struct ArrowArray){.length = rows,
                                         .null_count = how % 32 == 9,
                                         .offset = how % 32 == 8 ? length_of(b) : 0,
                                         .n_buffers = 1,
                                         .buffers = c->none,
                                         .n_children = how % 32 == 7 ? 1 : CHILDREN,
                                         .children = how % 32 == 6 ? NULL : c->children};
    out->private_data = c;
    out->release = drop_array;
    return 0;
}

static void drop_stream(struct ArrowArrayStream *stream) {
    ((producer *)stream->private_data)->released++;
    stream->release = NULL;
}

static struct ArrowArrayStream stream_of(producer *p) {
    return (struct ArrowArrayStream){.get_schema = get_schema,
                                     .get_next = get_next,
                                     .release = drop_stream,
                                     .private_data = p};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    bytes all = {data, size, 0};
    const uint8_t how = next(&all);
    producer edges = {.from = &all, .chunks = how % CHUNKS};
    producer nodes = {.from = &all, .chunks = how / 4 % CHUNKS};
    struct ArrowArrayStream from = stream_of(&edges), of = stream_of(&nodes);
    const bool named = how & 128;
    pvg_graph *graph = NULL;
    const int32_t status = pvg_graph_from_arrow(
        &graph, &from, "a", "b", named ? &of : NULL, named ? 0 : how % 16,
        how & 64 ? PVG_EDGES_MERGE | PVG_EDGES_DROP_LOOPS : 0, NULL);
    PVGF_CHECK(edges.released == 1 && edges.held == 0);
    PVGF_CHECK(!named || (nodes.released == 1 && nodes.held == 0));
    PVGF_CHECK((status == PVG_OK) == (graph != NULL));
    PVGF_CHECK(status == PVG_OK || status == PVG_E_ARGUMENT || status == PVG_E_IO);
    for (int64_t u = 0; graph && u < graph->order; u++)
        for (int64_t i = graph->offsets[u]; i < graph->offsets[u + 1]; i++) {
            PVGF_CHECK(graph->columns[i] >= 0 && graph->columns[i] < graph->order);
            PVGF_CHECK(i == graph->offsets[u] ||
                       graph->columns[i - 1] < graph->columns[i]);
        }
    pvg_graph_free(graph);
    return 0;
}
