/* Which format a file has, and one door for all of them. What the first bytes say for
 * certain comes first, then the name (a final .gz or .zst is the load hook's affair),
 * then the weaker signs; what nothing tells is an edge list. */
#include "io/io_internal.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { CHUNK_BYTES = 1 << 20 };

int32_t pvgi_io_begin(pvgi_io_call *call, const pvg_io_options *options,
                      const pvg_run *run, const char *function) {
    const uint32_t policies = PVG_EDGES_MERGE | PVG_EDGES_DROP_LOOPS;
    pvg_io_options *o = &call->options;
    call->chunk_bytes = CHUNK_BYTES;
    PVGI_TRY(pvgi_config_import(o, sizeof *o, options, "pvg_io_options"));
    PVGI_REQUIRE((o->policy & ~policies) == 0, "%s: options.policy %u is unknown",
                 function, (unsigned)o->policy);
    PVGI_REQUIRE(o->format >= PVG_FORMAT_AUTO && o->format <= PVG_FORMAT_METIS,
                 "%s: options.format %d is unknown", function, (int)o->format);
    PVGI_REQUIRE(o->index_base == 0 || o->index_base == 1,
                 "%s: options.index_base is %d, not 0 or 1", function,
                 (int)o->index_base);
    PVGI_REQUIRE(o->extra_columns == 0 || o->extra_columns == 1,
                 "%s: options.extra_columns is %d, not 0 or 1", function,
                 (int)o->extra_columns);
    PVGI_REQUIRE(o->reserved == 0, "%s: options.reserved is not zero", function);
    PVGI_REQUIRE(o->order >= 0 && o->order <= INT32_MAX,
                 "%s: options.order is not in 0 .. 2^31 - 1", function);
    PVGI_REQUIRE(o->order_limit >= 0 && o->order_limit <= INT32_MAX,
                 "%s: options.order_limit is not in 0 .. 2^31 - 1", function);
    PVGI_REQUIRE(o->order_limit == 0 || o->order <= o->order_limit,
                 "%s: options.order is more than options.order_limit", function);
    PVGI_REQUIRE(o->load || !o->unload, "%s: options.unload is set without load",
                 function);
    call->order = o->order > 0 ? o->order : -1;
    return pvgi_run_begin(&call->run, run);
}

static const struct {
    const char *suffix;
    int32_t format;
} names[] = {{".txt", PVG_FORMAT_EDGE_LIST},   {".el", PVG_FORMAT_EDGE_LIST},
             {".edges", PVG_FORMAT_EDGE_LIST}, {".csv", PVG_FORMAT_EDGE_LIST},
             {".tsv", PVG_FORMAT_EDGE_LIST},   {".mtx", PVG_FORMAT_MATRIX_MARKET},
             {".g6", PVG_FORMAT_GRAPH6},       {".s6", PVG_FORMAT_SPARSE6},
             {".graph", PVG_FORMAT_METIS},     {".metis", PVG_FORMAT_METIS}};

static bool ends_with(const char *name, size_t length, const char *suffix) {
    const size_t count = strlen(suffix);
    return length > count && strncasecmp(name + length - count, suffix, count) == 0;
}

static int32_t format_of_name(const char *name) {
    size_t length = strlen(name);
    if (ends_with(name, length, ".gz"))
        length -= 3;
    else if (ends_with(name, length, ".zst"))
        length -= 4;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (ends_with(name, length, names[i].suffix)) return names[i].format;
    return PVG_FORMAT_AUTO;
}

static bool starts_with(const pvgi_io_source *source, const char *text) {
    const size_t length = strlen(text);
    return source->bytes >= length && strncasecmp(source->data, text, length) == 0;
}

static int32_t format_of(const pvgi_io_call *call, const pvgi_io_source *source) {
    if (call->options.format != PVG_FORMAT_AUTO) return call->options.format;
    if (starts_with(source, "%%MatrixMarket")) return PVG_FORMAT_MATRIX_MARKET;
    if (starts_with(source, ">>graph6<<")) return PVG_FORMAT_GRAPH6;
    if (starts_with(source, ">>sparse6<<")) return PVG_FORMAT_SPARSE6;
    const int32_t named = format_of_name(source->name);
    if (named != PVG_FORMAT_AUTO) return named;
    return starts_with(source, ":") ? PVG_FORMAT_SPARSE6 : PVG_FORMAT_EDGE_LIST;
}

static int32_t check_packed(const pvgi_io_source *source) {
    if (!starts_with(source, "\x1F\x8B")) return PVG_OK;
    return pvgi_io_fail(
        source, PVG_E_FORMAT, 0,
        "the file is compressed with gzip; unpack it or give a load hook");
}

int32_t pvgi_io_parse(pvg_graph **out, pvgi_io_call *call, const pvgi_io_source *source) {
    PVGI_TRY(check_packed(source));
    const int32_t format = format_of(call, source);
    switch (format) {
    case PVG_FORMAT_MATRIX_MARKET:
        return pvgi_io_matrix_market_parse(out, call, source);
    case PVG_FORMAT_GRAPH6:
    case PVG_FORMAT_SPARSE6:
        return pvgi_io_graph6_parse(out, call, source, format);
    case PVG_FORMAT_METIS:
        return pvgi_io_metis_parse(out, call, source);
    default:
        return pvgi_io_edge_list_parse(out, call, source);
    }
}

int32_t pvgi_io_parse_set(pvg_graphset **out, pvgi_io_call *call,
                          const pvgi_io_source *source) {
    PVGI_TRY(check_packed(source));
    return pvgi_io_graph6_parse_set(out, call, source, call->options.format);
}

int32_t pvgi_io_choose_write(int32_t *format, const pvgi_io_call *call,
                             const char *path) {
    *format = call->options.format;
    if (*format == PVG_FORMAT_AUTO)
        *format = path ? format_of_name(path) : PVG_FORMAT_EDGE_LIST;
    PVGI_REQUIRE(*format != PVG_FORMAT_METIS,
                 "options.format: METIS files are only read");
    PVGI_REQUIRE(*format != PVG_FORMAT_AUTO,
                 "path: the name does not tell a format; set options.format");
    return PVG_OK;
}

int32_t pvgi_io_check_told(const char *function, unsigned untold, int32_t format) {
    if (untold & PVGI_UNTOLD_NUMBERS)
        return pvgi_fail(PVG_E_PRIVACY,
                         "%s: the numbers of the nodes were made from the private edges, "
                         "and no format says so; make the graph with a public list of "
                         "nodes",
                         function);
    if (!untold || format == PVG_FORMAT_EDGE_LIST) return PVG_OK;
    return pvgi_fail(PVG_E_PRIVACY,
                     "%s: the number of nodes was read off the private edges, and this "
                     "format tells it; give the order when reading (options.order)",
                     function);
}

int32_t pvgi_io_write(pvgi_io_sink *sink, pvgi_io_call *call, const pvg_graph *graph,
                      int32_t format) {
    char head[160];
    pvgi_io_rows rows = {.order = graph->order,
                         .offsets = graph->offsets,
                         .columns = graph->columns,
                         .separator = " "};
    if (format == PVG_FORMAT_GRAPH6 || format == PVG_FORMAT_SPARSE6)
        return pvgi_io_put_graph6(sink, call, graph, format);
    if (format == PVG_FORMAT_MATRIX_MARKET) {
        snprintf(head, sizeof head,
                 "%%%%MatrixMarket matrix coordinate pattern symmetric\n%lld %lld %lld\n",
                 (long long)graph->order, (long long)graph->order,
                 (long long)graph->size);
        rows.base = 1;
        rows.triangle = PVGI_IO_LOWER;
    } else {
        head[0] = '\0';
        if (!graph->untold)
            snprintf(head, sizeof head, "# order %lld\n", (long long)graph->order);
        rows.base = call->options.index_base;
        rows.triangle = PVGI_IO_UPPER;
    }
    PVGI_TRY(pvgi_io_sink_put(sink, head, strlen(head)));
    return pvgi_io_put_rows(sink, call, &rows);
}
