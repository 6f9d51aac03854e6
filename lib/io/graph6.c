/* graph6 and sparse6, one graph per line, as described by B. McKay with nauty.
 *
 * Every character holds six bits, highest first, plus 63. graph6: the order, then the
 * upper triangle column by column. sparse6: ':', the order, then groups of 1 + k bits (b,
 * x) with k = bits of order - 1: b steps the current node v; x > v jumps to x, else x-v
 * is an edge. */
#include "io/io_internal.h"

#include "io/scan.h"

enum { BIAS = 63, SIX = 6, ORDER_SHORT = 62, ORDER_LONG = 258047 };

/* --- reading -------------------------------------------------------------------- */

typedef struct {
    const pvgi_io_source *source;
    const char *begin, *end; /* one line without its end */
    size_t offset;
} line_text;

static int32_t fail_line(const line_text *line, const char *reason) {
    return pvgi_io_fail(line->source, PVG_E_FORMAT, line->offset, "%s", reason);
}

static int32_t check_characters(const line_text *line) {
    for (const char *p = line->begin; p < line->end; p++)
        if (*p < BIAS || *p > BIAS + 63)
            return fail_line(line, "a character that is neither graph6 nor sparse6");
    return PVG_OK;
}

/* One character, '~' and three, or "~~" and six. */
static int32_t take_order(uint64_t *order, line_text *line) {
    int tildes = 0;
    while (tildes < 2 && line->begin < line->end && *line->begin == '~') {
        tildes++;
        line->begin++;
    }
    const int count = tildes == 0 ? 1 : 3 * tildes;
    if (line->end - line->begin < count)
        return fail_line(line, "the line ends inside the number of nodes");
    *order = 0;
    for (int i = 0; i < count; i++)
        *order = *order << SIX | (uint64_t)(*line->begin++ - BIAS);
    return PVG_OK;
}

typedef struct {
    uint64_t *data;
    int64_t count, entries;
} packed_edges;

static int32_t take_graph6(packed_edges *out, const line_text *line, uint64_t order) {
    const uint64_t bits = order < 2 ? 0 : order * (order - 1) / 2;
    const uint64_t bytes = (bits + SIX - 1) / SIX;
    if ((uint64_t)(line->end - line->begin) != bytes)
        return fail_line(line, "the line does not have the length of its order");
    const unsigned spare = (unsigned)(bytes * SIX - bits);
    if (bytes > 0 && ((line->end[-1] - BIAS) & ((1 << spare) - 1)))
        return fail_line(line, "bits after the last pair are set");
    int64_t count = 0;
    for (const char *p = line->begin; p < line->end; p++)
        count += __builtin_popcount((unsigned)(*p - BIAS));
    out->data = pvgi_alloc((size_t)count, sizeof *out->data);
    if (!out->data) return pvgi_fail_nomem();
    uint64_t u = 0, v = 1;
    for (const char *p = line->begin; p < line->end; p++) {
        const unsigned six = (unsigned)(*p - BIAS);
        for (int bit = SIX - 1; bit >= 0; bit--) {
            if (six >> bit & 1) out->data[out->count++] = pvgi_edge_pack(u, v);
            if (++u == v) {
                u = 0;
                v++;
            }
        }
    }
    return PVG_OK;
}

typedef struct {
    const char *begin;
    uint64_t at, bits;
} bit_reader;

static uint64_t take_bits(bit_reader *in, unsigned count) {
    uint64_t value = 0;
    for (; count > 0; count--, in->at++)
        value =
            value << 1 |
            ((unsigned)(in->begin[in->at / SIX] - BIAS) >> (SIX - 1 - in->at % SIX) & 1);
    return value;
}

static unsigned bits_of(uint64_t value) {
    return value == 0 ? 0 : 64 - (unsigned)__builtin_clzll(value);
}

/* What is left completes the last character: ones, the first of which may be a zero where
 * ones alone would be a loop at the last node (some writers put it more often). */
static bool is_padding(bit_reader *in) {
    const unsigned left = in->bits - in->at < SIX ? (unsigned)(in->bits - in->at) : SIX;
    if (left == SIX) return false;
    if (left == 0) return true;
    const uint64_t after_first = ((uint64_t)1 << (left - 1)) - 1;
    return (take_bits(in, left) & after_first) == after_first;
}

static int32_t take_sparse6(packed_edges *out, const line_text *line, uint64_t order,
                            bool drop_loops) {
    const unsigned width = bits_of(order > 0 ? order - 1 : 0);
    bit_reader in = {line->begin, 0, SIX * (uint64_t)(line->end - line->begin)};
    /* a graph of one node has loops only, which are never kept */
    const uint64_t most = order < 2 ? 0 : in.bits / (width + 1);
    out->data = pvgi_alloc((size_t)most, sizeof *out->data);
    if (!out->data) return pvgi_fail_nomem();
    uint64_t v = 0;
    while (in.bits - in.at > width) {
        const uint64_t start = in.at;
        v += take_bits(&in, 1);
        const uint64_t x = take_bits(&in, width);
        if (v >= order || x >= order) {
            in.at = start;
            break;
        }
        if (x > v)
            v = x;
        else if (x < v)
            out->data[out->count++] = pvgi_edge_pack(x, v);
        else if (!drop_loops)
            return fail_line(line, "a self loop; PVG_EDGES_DROP_LOOPS ignores them");
    }
    if (!is_padding(&in))
        return fail_line(line, "neither edges nor padding: the line is damaged");
    return PVG_OK;
}

/* stated: nodes of the lines up to here, for the limit on what a file may announce. */
static int32_t take_graph(pvg_graph **out, pvgi_io_call *call, line_text line,
                          int32_t format, uint64_t *stated) {
    const uint32_t policy = call->options.policy;
    const bool sparse = *line.begin == ':';
    uint64_t order = 0;
    packed_edges pairs = {0};
    if (*line.begin == ';' || *line.begin == '&')
        return fail_line(&line, "incremental sparse6 and digraph6 are not read");
    if (format != PVG_FORMAT_AUTO && sparse != (format == PVG_FORMAT_SPARSE6))
        return fail_line(&line, sparse ? "a sparse6 line where graph6 is expected"
                                       : "a graph6 line where sparse6 is expected");
    if (sparse) line.begin++;
    PVGI_TRY(check_characters(&line));
    PVGI_TRY(take_order(&order, &line));
    PVGI_TRY(pvgi_io_check_order(call, line.source, line.offset,
                                 order + (call->options.order_limit > 0 ? 0 : *stated),
                                 line.source->bytes));
    PVGI_TRY(pvgi_io_check_same_order(call, line.source, line.offset, order));
    *stated += order;
    int64_t bad = -1;
    int32_t status =
        sparse ? take_sparse6(&pairs, &line, order, (policy & PVG_EDGES_DROP_LOOPS) != 0)
               : take_graph6(&pairs, &line, order);
    if (status != PVG_OK) {
        pvgi_free(pairs.data);
        return status;
    }
    status = pvgi_graph_from_packed(out, &bad, (int64_t)order, pairs.data, pairs.count,
                                    policy & PVG_EDGES_MERGE, &call->run);
    if (status == PVG_E_ARGUMENT && bad >= 0)
        return fail_line(&line, "a repeated edge; PVG_EDGES_MERGE keeps one");
    return pvgi_graph_declare(out, status);
}

/* Moves to the next line with content; false at the end. */
static bool next_line(line_text *line, size_t *at) {
    const char *data = line->source->data;
    const size_t bytes = line->source->bytes;
    while (*at < bytes) {
        const size_t begin = *at;
        const char *newline = memchr(data + begin, '\n', bytes - begin);
        size_t end = newline ? (size_t)(newline - data) : bytes;
        *at = newline ? end + 1 : bytes;
        while (end > begin && is_blank(data[end - 1])) end--;
        if (end == begin) continue;
        line->begin = data + begin;
        line->end = data + end;
        line->offset = begin;
        return true;
    }
    return false;
}

static size_t skip_header(const pvgi_io_source *source) {
    static const char *const headers[] = {">>graph6<<", ">>sparse6<<"};
    for (int i = 0; i < 2; i++) {
        const size_t length = strlen(headers[i]);
        if (source->bytes >= length && memcmp(source->data, headers[i], length) == 0)
            return length;
    }
    return 0;
}

/* A line is a graph, and has no more bytes than the graph: read whole. */
int32_t pvgi_io_graph6_parse(pvg_graph **out, pvgi_io_call *call, pvgi_io_feed *feed,
                             int32_t format) {
    PVGI_TRY(pvgi_io_feed_all(feed));
    const pvgi_io_source *source = &feed->text;
    line_text line = {.source = source}, more = {.source = source};
    uint64_t stated = 0;
    size_t at = skip_header(source);
    if (!next_line(&line, &at))
        return pvgi_io_fail(source, PVG_E_FORMAT, source->bytes, "the file has no graph");
    if (next_line(&more, &at))
        return fail_line(&more, "more than one graph; read it as a set");
    return take_graph(out, call, line, format, &stated);
}

int32_t pvgi_io_graph6_parse_set(pvg_graphset **out, pvgi_io_call *call,
                                 const pvgi_io_source *source, int32_t format) {
    pvg_graphset_builder *builder = NULL;
    line_text line = {.source = source};
    size_t at = skip_header(source);
    uint64_t stated = 0;
    int32_t status;
    PVGI_TRY(pvgi_graph_set_builder_new(&builder, 0));
    while (next_line(&line, &at)) {
        pvg_graph *graph = NULL;
        PVGI_TRY_DONE(take_graph(&graph, call, line, format, &stated));
        status = pvgi_graph_set_builder_add(builder, graph, -1, NULL, NULL);
        pvgi_graph_free(graph);
        if (status != PVG_OK) goto done;
        PVGI_TRY_DONE(
            pvgi_run_report(&call->run, (double)at / (double)(source->bytes + 1)));
    }
    status = pvgi_graph_set_builder_finish(out, builder);
done:
    pvgi_graph_set_builder_free(builder);
    return status;
}

/* --- writing -------------------------------------------------------------------- */

typedef struct {
    char *text;
    uint64_t at; /* in bits */
} bit_writer;

static void put_bits(bit_writer *out, uint64_t value, unsigned count) {
    while (count-- > 0) {
        char *c = &out->text[out->at / SIX];
        if (out->at % SIX == 0) *c = 0;
        *c = (char)(*c | (value >> count & 1) << (SIX - 1 - out->at % SIX));
        out->at++;
    }
}

static size_t put_order(char *text, int64_t order) {
    int tildes = order <= ORDER_SHORT ? 0 : order <= ORDER_LONG ? 1 : 2;
    const int count = tildes == 0 ? 1 : 3 * tildes;
    char *p = text;
    while (tildes-- > 0) *p++ = '~';
    for (int i = count - 1; i >= 0; i--) *p++ = (char)((order >> (SIX * i) & 63) + BIAS);
    return (size_t)(p - text);
}

/* Rows first .. first + order - 1; their columns are shifted by first. */
typedef struct {
    int64_t order, first;
    const int64_t *offsets;
    const int32_t *columns;
} row_block;

/* The line's bits into text, which has room for them; returns the characters. */
static size_t fill_graph6(char *text, const row_block *rows) {
    const uint64_t order = (uint64_t)rows->order;
    const size_t bytes = (size_t)((order < 2 ? 0 : order * (order - 1) / 2) + 5) / SIX;
    memset(text, 0, bytes);
    for (int64_t v = 0; v < rows->order; v++)
        for (int64_t i = rows->offsets[v]; i < rows->offsets[v + 1]; i++) {
            const int64_t u = rows->columns[i] - rows->first;
            if (u >= v) break;
            const uint64_t at = (uint64_t)(v * (v - 1) / 2 + u);
            text[at / SIX] = (char)(text[at / SIX] | 1 << (SIX - 1 - at % SIX));
        }
    return bytes;
}

static size_t fill_sparse6(char *text, const row_block *rows) {
    const int64_t order = rows->order;
    const unsigned width = bits_of(order > 0 ? (uint64_t)order - 1 : 0);
    bit_writer out = {text, 0};
    int64_t current = 0;
    for (int64_t v = 0; v < order; v++)
        for (int64_t i = rows->offsets[v]; i < rows->offsets[v + 1]; i++) {
            const int64_t u = rows->columns[i] - rows->first;
            if (u >= v) break;
            if (v > current + 1) {
                put_bits(&out, 1, 1);
                put_bits(&out, (uint64_t)v, width);
                current = v;
            }
            put_bits(&out, v > current, 1);
            put_bits(&out, (uint64_t)u, width);
            current = v;
        }
    /* Padding is ones, unless they would read as a loop at the last node. */
    const unsigned spare = (unsigned)((SIX - out.at % SIX) % SIX);
    if (spare > width && current == order - 2 && order == (int64_t)1 << width)
        put_bits(&out, 0, 1);
    while (out.at % SIX != 0) put_bits(&out, 1, 1);
    return (size_t)(out.at / SIX);
}

static int32_t put_line(pvgi_io_sink *sink, pvgi_io_call *call, row_block rows,
                        bool sparse) {
    const int64_t order = rows.order;
    const uint64_t size = (uint64_t)(rows.offsets[order] - rows.offsets[0]) / 2;
    const uint64_t width = bits_of(order > 0 ? (uint64_t)order - 1 : 0);
    const uint64_t bits =
        sparse ? 2 * size * (width + 1)
               : (uint64_t)order * (uint64_t)(order > 0 ? order - 1 : 0) / 2;
    const size_t capacity = (size_t)(bits / SIX) + 16;
    PVGI_TRY(pvgi_run_reserve(&call->run, capacity));
    char *text = pvgi_alloc(capacity, 1);
    if (!text) return pvgi_fail_nomem();
    size_t length = 0;
    if (sparse) text[length++] = ':';
    length += put_order(text + length, order);
    const size_t count =
        sparse ? fill_sparse6(text + length, &rows) : fill_graph6(text + length, &rows);
    for (size_t i = 0; i < count; i++) text[length + i] = (char)(text[length + i] + BIAS);
    length += count;
    text[length++] = '\n';
    const int32_t status = pvgi_io_sink_put(sink, text, length);
    pvgi_free(text);
    return status;
}

int32_t pvgi_io_put_graph6(pvgi_io_sink *sink, pvgi_io_call *call, const pvg_graph *graph,
                           int32_t format) {
    const row_block rows = {graph->order, 0, graph->offsets, graph->columns};
    return put_line(sink, call, rows, format == PVG_FORMAT_SPARSE6);
}

int32_t pvgi_io_put_graph6_set(pvgi_io_sink *sink, pvgi_io_call *call,
                               const pvg_graphset *set, int32_t format) {
    for (int64_t i = 0; i < set->count; i++) {
        const int64_t first = set->starts[i];
        const row_block rows = {set->starts[i + 1] - first, first, set->offsets + first,
                                set->columns};
        PVGI_TRY(put_line(sink, call, rows, format == PVG_FORMAT_SPARSE6));
        PVGI_TRY(pvgi_run_report(&call->run, (double)i / (double)set->count));
    }
    return PVG_OK;
}
