/* The options of a call, and one door for all formats. What the first bytes say for
 * certain comes first, then the name (a final .gz or .zst is the load hook's affair),
 * then the weaker signs; a format that nothing tells is not guessed. */
#include "io/io_internal.h"

#include <string.h>

enum { CHUNK_BYTES = 1 << 20, POLICIES = PVG_EDGES_MERGE | PVG_EDGES_DROP_LOOPS };

static const pvgi_rule options_rules[] = {
    PVGI_FIELD(pvg_io_options, policy, 0, POLICIES, PVGI_CLOSED, "made of PVG_EDGES_*"),
    PVGI_ENUM(pvg_io_options, format, PVG_FORMAT_CSR_FILE, "PVG_FORMAT"),
    PVGI_BOOL(pvg_io_options, index_base),
    PVGI_BOOL(pvg_io_options, extra_columns),
    PVGI_ZERO(pvg_io_options, reserved),
    PVGI_FIELD(pvg_io_options, order, 0, INT32_MAX, PVGI_CLOSED, "in 0 .. 2^31 - 1"),
    PVGI_FIELD(pvg_io_options, order_limit, 0, INT32_MAX, PVGI_CLOSED,
               "in 0 .. 2^31 - 1"),
};
static const pvgi_shape options_shape = PVGI_SHAPE(pvg_io_options, options_rules);

int32_t pvgi_io_begin(pvgi_io_call *call, const pvg_io_options *options,
                      const pvg_run *run, const char *function) {
    pvg_io_options *o = &call->options;
    call->chunk_bytes = CHUNK_BYTES;
    call->pack = NULL;
    PVGI_TRY(pvgi_config_read(o, &options_shape, options, function, "options"));
    PVGI_REQUIRE(o->order_limit == 0 || o->order <= o->order_limit,
                 "%s: options->order is more than options->order_limit", function);
    PVGI_REQUIRE(o->load || !o->unload, "%s: options->unload is set without load",
                 function);
    PVGI_REQUIRE(!o->load || !o->read, "%s: options->load and read are both set",
                 function);
    call->order = o->order > 0 ? o->order : -1;
    return pvgi_run_begin(&call->run, run);
}

static int32_t check_packed(const pvgi_io_source *source) {
    if (source->bytes < 2 || memcmp(source->data, "\x1F\x8B", 2) != 0) return PVG_OK;
    return pvgi_io_fail(
        source, PVG_E_FORMAT, 0,
        "the file is compressed with gzip; unpack it or give a load hook");
}

int32_t pvgi_io_parse_feed(pvg_graph **out, pvgi_io_call *call, pvgi_io_feed *feed) {
    const pvgi_io_source *text = &feed->text;
    PVGI_TRY(check_packed(text));
    int32_t format = call->options.format;
    if (format == PVG_FORMAT_AUTO)
        format = pvgi_io_format_find(text->name, text->data, text->bytes);
    if (format == PVG_FORMAT_AUTO)
        return pvgi_io_fail(text, PVG_E_FORMAT, 0,
                            "neither the name nor the first bytes tell the format; set "
                            "options.format");
    return pvgi_io_format_row(format)->read(out, call, feed, format);
}

int32_t pvgi_io_parse(pvg_graph **out, pvgi_io_call *call, const pvgi_io_source *source) {
    pvgi_io_feed feed;
    pvgi_io_feed_wrap(&feed, call, source);
    return pvgi_io_parse_feed(out, call, &feed);
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
        *format = path ? pvgi_io_format_of_name(path) : PVG_FORMAT_EDGE_LIST;
    PVGI_REQUIRE(*format != PVG_FORMAT_AUTO,
                 "path: the name does not tell a format; set options.format");
    const pvgi_io_format *row = pvgi_io_format_row(*format);
    PVGI_REQUIRE(row->write, "options->format: %s files are only read", row->word);
    return PVG_OK;
}

int32_t pvgi_io_check_declared(const char *function, unsigned declared, int32_t format) {
    if (pvgi_io_format_row(format)->says_declared) return PVG_OK;
    if (!(declared & PVGI_DECLARED_NUMBERS))
        return pvgi_fail(PVG_E_UNDECLARED,
                         "%s: the numbers of the nodes were made from the private edges, "
                         "and no format says so; make the graph with a public list of "
                         "nodes",
                         function);
    if (declared == PVGI_DECLARED_NODES || pvgi_io_format_row(format)->may_hide_order)
        return PVG_OK;
    return pvgi_fail(PVG_E_UNDECLARED,
                     "%s: the number of nodes was read off the private edges, and this "
                     "format tells it; give the order when reading (options.order)",
                     function);
}
