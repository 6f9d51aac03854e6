/* Entry file of io: every exported function of privgraph/io.h. */
#include "io/pack.h"

#include <string.h>

static int32_t check_path(const char *function, const char *argument, const char *path) {
    if (!path) return pvgi_fail_null(function, argument);
    PVGI_REQUIRE(*path, "%s: %s is empty", function, argument);
    return PVG_OK;
}

/* Puts the function's name before a message that names an argument. */
static int32_t named(const char *function, int32_t status) {
    if (status == PVG_E_ARGUMENT) pvgi_message_prefix(function);
    return status;
}

/* --- formats -------------------------------------------------------------------- */

const char *pvg_format_name(int32_t format) {
    const pvgi_io_format *row = pvgi_io_format_row(format);
    return row ? row->word : NULL;
}

uint32_t pvg_format_can(int32_t format) {
    const pvgi_io_format *row = pvgi_io_format_row(format);
    return !row ? 0
                : (row->read ? PVG_CAN_READ : 0u) | (row->write ? PVG_CAN_WRITE : 0u) |
                      (row->sets ? PVG_CAN_SETS : 0u) | (row->binary ? PVG_CAN_MAP : 0u);
}

int32_t pvg_format_find(int32_t *out, const char *path, const char *data, size_t bytes) {
    static const char *const me = "pvg_format_find";
    if (!out) return pvgi_fail_null(me, "out");
    *out = PVG_FORMAT_AUTO;
    if (!data && bytes > 0) return pvgi_fail_null(me, "data");
    *out = pvgi_io_format_find(path, data, bytes);
    return PVG_OK;
}

/* --- one graph ------------------------------------------------------------------ */

int32_t pvg_graph_read(pvg_graph **out, const char *path, const pvg_io_options *options,
                       const pvg_run *run) {
    static const char *const me = "pvg_graph_read";
    pvgi_io_call call;
    pvgi_io_feed feed;
    if (!out) return pvgi_fail_null(me, "out");
    *out = NULL;
    PVGI_TRY(check_path(me, "path", path));
    PVGI_TRY(pvgi_io_begin(&call, options, run, me));
    PVGI_TRY(pvgi_io_feed_open(&feed, &call, path, NULL));
    const int32_t status = pvgi_io_parse_feed(out, &call, &feed);
    pvgi_io_feed_close(&feed);
    return status;
}

int32_t pvg_graph_parse(pvg_graph **out, const char *data, size_t bytes,
                        const pvg_io_options *options, const pvg_run *run) {
    static const char *const me = "pvg_graph_parse";
    pvgi_io_call call;
    pvgi_io_source source;
    if (!out) return pvgi_fail_null(me, "out");
    *out = NULL;
    if (!data && bytes > 0) return pvgi_fail_null(me, "data");
    PVGI_TRY(pvgi_io_begin(&call, options, run, me));
    PVGI_TRY(pvgi_io_wrap(&source, data, bytes, "<memory>"));
    const int32_t status = pvgi_io_parse(out, &call, &source);
    pvgi_io_unload(&source, &call);
    return status;
}

int32_t pvg_graph_write(const char *path, const pvg_graph *graph,
                        const pvg_io_options *options, const pvg_run *run) {
    static const char *const me = "pvg_graph_write";
    pvgi_io_call call;
    pvgi_io_sink sink;
    int32_t format;
    PVGI_TRY(check_path(me, "path", path));
    if (!graph) return pvgi_fail_null(me, "graph");
    PVGI_TRY(pvgi_io_begin(&call, options, run, me));
    PVGI_TRY(named(me, pvgi_io_choose_write(&format, &call, path)));
    PVGI_TRY(pvgi_io_check_declared(me, graph->declared, format));
    const pvgi_io_format *row = pvgi_io_format_row(format);
    PVGI_TRY(row->binary ? pvgi_io_sink_open_private(&sink, path)
                         : pvgi_io_sink_open(&sink, path));
    return pvgi_io_sink_close(&sink, row->write(&sink, &call, graph, format));
}

int32_t pvg_graph_map(pvg_graph **out, const char *path, const pvg_io_options *options,
                      const pvg_run *run) {
    static const char *const me = "pvg_graph_map";
    pvgi_io_call call;
    if (!out) return pvgi_fail_null(me, "out");
    *out = NULL;
    PVGI_TRY(check_path(me, "path", path));
    PVGI_TRY(pvgi_io_begin(&call, options, run, me));
    const int32_t format = call.options.format;
    PVGI_REQUIRE(format == PVG_FORMAT_AUTO || pvgi_io_format_row(format)->binary,
                 "%s: options->format: %s files cannot be mapped; pvg_graph_pack makes "
                 "one that can",
                 me, pvgi_io_format_row(format)->word);
    PVGI_REQUIRE(!call.options.load && !call.options.read,
                 "%s: options->load and read are for files that are not mapped", me);
    return pvgi_io_map(out, &call, path);
}

int32_t pvg_csr_file_shape(int64_t *order, int64_t *arcs, int32_t *declared,
                           uint64_t *digest, const char *path, const pvg_run *run) {
    static const char *const me = "pvg_csr_file_shape";
    if (!order) return pvgi_fail_null(me, "order");
    if (!arcs) return pvgi_fail_null(me, "arcs");
    if (!declared) return pvgi_fail_null(me, "declared");
    if (!digest) return pvgi_fail_null(me, "digest");
    PVGI_TRY(check_path(me, "path", path));
    return pvgi_io_csr_tell(order, arcs, declared, digest, path, run);
}

static int32_t read_range(const char *me, void *out, bool columns, const char *path,
                          int64_t first, int64_t count, const pvg_run *run) {
    PVGI_REQUIRE(first >= 0 && count >= 0 && first <= INT64_MAX - count,
                 "%s: first or count is negative", me);
    if (!out && count > 0) return pvgi_fail_null(me, "out");
    PVGI_TRY(check_path(me, "path", path));
    return pvgi_io_csr_range(out, columns, me, path, first, count, run);
}

int32_t pvg_csr_file_offsets(int64_t *out, const char *path, int64_t first, int64_t count,
                             const pvg_run *run) {
    return read_range("pvg_csr_file_offsets", out, false, path, first, count, run);
}

int32_t pvg_csr_file_columns(int32_t *out, const char *path, int64_t first, int64_t count,
                             const pvg_run *run) {
    return read_range("pvg_csr_file_columns", out, true, path, first, count, run);
}

int32_t pvg_graph_pack(const char *path, const char *source,
                       const pvg_io_options *options, int64_t memory,
                       const pvg_run *run) {
    static const char *const me = "pvg_graph_pack";
    pvgi_io_call call;
    PVGI_TRY(check_path(me, "path", path));
    PVGI_TRY(check_path(me, "source", source));
    PVGI_REQUIRE(memory == 0 || memory >= PVGI_PACK_LEAST,
                 "%s: memory is below 2^20 bytes", me);
    PVGI_TRY(pvgi_io_begin(&call, options, run, me));
    return pvgi_io_pack_file(&call, path, source, memory);
}

int32_t pvg_graph_format(char *out, size_t capacity, size_t *length,
                         const pvg_graph *graph, const pvg_io_options *options) {
    static const char *const me = "pvg_graph_format";
    pvgi_io_call call;
    pvgi_io_sink sink;
    int32_t format;
    if (!length) return pvgi_fail_null(me, "length");
    if (!graph) return pvgi_fail_null(me, "graph");
    PVGI_TRY(pvgi_io_begin(&call, options, NULL, me));
    PVGI_TRY(named(me, pvgi_io_choose_write(&format, &call, NULL)));
    PVGI_REQUIRE(!pvgi_io_format_row(format)->binary,
                 "%s: options->format: %s files are not text; pvg_graph_write writes one",
                 me, pvgi_io_format_row(format)->word);
    PVGI_TRY(pvgi_io_check_declared(me, graph->declared, format));
    pvgi_io_sink_memory(&sink, NULL, 0); /* first only the length */
    PVGI_TRY(pvgi_io_format_row(format)->write(&sink, &call, graph, format));
    const size_t needed = (size_t)sink.bytes;
    char *text = NULL; /* a failure must leave out as it was */
    int32_t status = PVG_OK;
    if (out && capacity > needed) {
        text = pvgi_alloc(needed, 1);
        pvgi_io_sink_memory(&sink, text, needed);
        status = text ? pvgi_io_format_row(format)->write(&sink, &call, graph, format)
                      : pvgi_fail_nomem();
    }
    if (status == PVG_OK) {
        *length = needed;
        if (text) {
            memcpy(out, text, needed);
            out[needed] = '\0';
        } else if (out) {
            status =
                pvgi_fail(PVG_E_LIMIT, "%s: capacity %zu is too small", me, capacity);
        }
    }
    pvgi_free(text);
    return status;
}

/* --- sets ----------------------------------------------------------------------- */

static int32_t check_set_format(const char *function, const pvgi_io_call *call) {
    const int32_t format = call->options.format;
    PVGI_REQUIRE(format == PVG_FORMAT_AUTO || pvgi_io_format_row(format)->sets,
                 "%s: options->format: %s files hold no sets; graph6 and sparse6 do",
                 function, pvgi_io_format_row(format)->word);
    return PVG_OK;
}

int32_t pvg_graphset_read(pvg_graphset **out, const char *path,
                          const pvg_io_options *options, const pvg_run *run) {
    static const char *const me = "pvg_graphset_read";
    pvgi_io_call call;
    pvgi_io_source source;
    if (!out) return pvgi_fail_null(me, "out");
    *out = NULL;
    PVGI_TRY(check_path(me, "path", path));
    PVGI_TRY(pvgi_io_begin(&call, options, run, me));
    PVGI_TRY(check_set_format(me, &call));
    PVGI_TRY(pvgi_io_load(&source, &call, path, NULL));
    const int32_t status = pvgi_io_parse_set(out, &call, &source);
    pvgi_io_unload(&source, &call);
    return status;
}

int32_t pvg_graphset_parse(pvg_graphset **out, const char *data, size_t bytes,
                           const pvg_io_options *options, const pvg_run *run) {
    static const char *const me = "pvg_graphset_parse";
    pvgi_io_call call;
    pvgi_io_source source;
    if (!out) return pvgi_fail_null(me, "out");
    *out = NULL;
    if (!data && bytes > 0) return pvgi_fail_null(me, "data");
    PVGI_TRY(pvgi_io_begin(&call, options, run, me));
    PVGI_TRY(check_set_format(me, &call));
    PVGI_TRY(pvgi_io_wrap(&source, data, bytes, "<memory>"));
    const int32_t status = pvgi_io_parse_set(out, &call, &source);
    pvgi_io_unload(&source, &call);
    return status;
}

int32_t pvg_graphset_write(const char *path, const pvg_graphset *set,
                           const pvg_io_options *options, const pvg_run *run) {
    static const char *const me = "pvg_graphset_write";
    pvgi_io_call call;
    pvgi_io_sink sink;
    int32_t format;
    PVGI_TRY(check_path(me, "path", path));
    if (!set) return pvgi_fail_null(me, "set");
    PVGI_TRY(pvgi_io_begin(&call, options, run, me));
    PVGI_TRY(named(me, pvgi_io_choose_write(&format, &call, path)));
    call.options.format = format;
    PVGI_TRY(check_set_format(me, &call));
    PVGI_TRY(pvgi_io_check_declared(me, set->declared, format));
    PVGI_TRY(pvgi_io_sink_open(&sink, path));
    return pvgi_io_sink_close(&sink, pvgi_io_put_graph6_set(&sink, &call, set, format));
}

/* --- folders -------------------------------------------------------------------- */

/* A name is one part of a path; NULL is the last part of the folder's. */
static int32_t folder_name(char **out, const char *function, const char *folder,
                           const char *name) {
    size_t end = strlen(folder);
    while (end > 0 && folder[end - 1] == '/') end--;
    size_t begin = end;
    while (begin > 0 && folder[begin - 1] != '/') begin--;
    const char *from = name ? name : folder + begin;
    const size_t length = name ? strlen(name) : end - begin;
    PVGI_REQUIRE(length > 0 && !memchr(from, '/', length),
                 "%s: name is empty or has a slash", function);
    PVGI_REQUIRE(
        name || !(from[0] == '.' && (length == 1 || (length == 2 && from[1] == '.'))),
        "%s: name is NULL, and the folder's path does not end in one", function);
    *out = pvgi_alloc(length + 1, 1);
    if (!*out) return pvgi_fail_nomem();
    memcpy(*out, from, length);
    (*out)[length] = '\0';
    return PVG_OK;
}

int32_t pvg_graphset_read_tudataset(pvg_graphset **out, const char *folder,
                                    const char *name, const pvg_io_options *options,
                                    const pvg_run *run) {
    static const char *const me = "pvg_graphset_read_tudataset";
    pvgi_io_call call;
    char *own_name = NULL;
    if (!out) return pvgi_fail_null(me, "out");
    *out = NULL;
    PVGI_TRY(check_path(me, "folder", folder));
    PVGI_TRY(pvgi_io_begin(&call, options, run, me));
    PVGI_TRY(folder_name(&own_name, me, folder, name));
    const int32_t status = pvgi_io_tudataset_read(out, &call, folder, own_name);
    pvgi_free(own_name);
    return status;
}

int32_t pvg_graphset_write_tudataset(const char *folder, const char *name,
                                     const pvg_graphset *set, const pvg_run *run) {
    static const char *const me = "pvg_graphset_write_tudataset";
    pvgi_io_call call;
    char *own_name = NULL;
    PVGI_TRY(check_path(me, "folder", folder));
    if (!set) return pvgi_fail_null(me, "set");
    PVGI_TRY(pvgi_io_begin(&call, NULL, run, me));
    PVGI_TRY(pvgi_io_check_declared(me, set->declared, PVG_FORMAT_AUTO));
    PVGI_TRY(folder_name(&own_name, me, folder, name));
    const int32_t status = pvgi_io_tudataset_write(folder, own_name, set, &call);
    pvgi_free(own_name);
    return status;
}

int32_t pvg_graph_read_folder(pvg_graph **graph, pvg_features **features,
                              pvg_labels **labels, const char *folder,
                              int64_t feature_columns, const pvg_io_options *options,
                              const pvg_run *run) {
    static const char *const me = "pvg_graph_read_folder";
    pvgi_io_call call;
    if (graph) *graph = NULL;
    if (features) *features = NULL;
    if (labels) *labels = NULL;
    if (!graph) return pvgi_fail_null(me, "graph");
    PVGI_TRY(check_path(me, "folder", folder));
    PVGI_REQUIRE(feature_columns >= 0 && feature_columns <= INT32_MAX,
                 "%s: feature_columns is not in 0 .. 2^31 - 1", me);
    PVGI_TRY(pvgi_io_begin(&call, options, run, me));
    return pvgi_io_folder_read(graph, features, labels, &call, folder, feature_columns);
}

/* --- lists ------------------------------------------------------------------------ */

static const pvgi_rule lists_rules[] = {
    PVGI_FIELD(pvg_lists_options, header, 0, 1, PVGI_CLOSED, "0 or 1"),
    PVGI_FIELD(pvg_lists_options, person_column, 0, 1000, PVGI_CLOSED, "in [0, 1000]"),
    PVGI_FIELD(pvg_lists_options, thing_column, 0, 1000, PVGI_CLOSED, "in [0, 1000]"),
    PVGI_FIELD(pvg_lists_options, drop_unknown, 0, 1, PVGI_CLOSED, "0 or 1"),
    PVGI_ZERO(pvg_lists_options, reserved),
    PVGI_FIELD(pvg_lists_options, persons, 0, INT32_MAX, PVGI_CLOSED, "in [0, 2^31)"),
    PVGI_FIELD(pvg_lists_options, things, 0, INT32_MAX, PVGI_CLOSED, "in [0, 2^31)"),
};
static const pvgi_shape lists_shape = PVGI_SHAPE(pvg_lists_options, lists_rules);

static int32_t read_lists_options(pvg_lists_options *own, const char *me,
                                  const pvg_lists_options *options) {
    PVGI_TRY(pvgi_config_read(own, &lists_shape, options, me, "options"));
    PVGI_REQUIRE(!own->catalogue || own->things == 0,
                 "%s: options->things and options->catalogue are both given", me);
    PVGI_REQUIRE(own->catalogue || !own->drop_unknown,
                 "%s: options->drop_unknown is for a catalogue", me);
    return PVG_OK;
}

int32_t pvg_lists_read(pvg_lists **out, const char *path,
                       const pvg_lists_options *options, const pvg_io_options *files,
                       const pvg_run *run) {
    static const char *const me = "pvg_lists_read";
    pvg_lists_options own;
    pvgi_io_call call;
    pvgi_io_feed feed;
    if (!out) return pvgi_fail_null(me, "out");
    *out = NULL;
    PVGI_TRY(check_path(me, "path", path));
    PVGI_TRY(read_lists_options(&own, me, options));
    PVGI_TRY(pvgi_io_begin(&call, files, run, me));
    PVGI_TRY(pvgi_io_feed_open(&feed, &call, path, NULL));
    const int32_t status = pvgi_io_lists(out, &feed, &own);
    pvgi_io_feed_close(&feed);
    return named(me, status);
}

int32_t pvg_lists_parse(pvg_lists **out, const char *data, size_t bytes,
                        const pvg_lists_options *options, const pvg_run *run) {
    static const char *const me = "pvg_lists_parse";
    pvg_lists_options own;
    pvgi_io_call call;
    pvgi_io_source source;
    pvgi_io_feed feed;
    if (!out) return pvgi_fail_null(me, "out");
    *out = NULL;
    if (!data && bytes > 0) return pvgi_fail_null(me, "data");
    PVGI_TRY(read_lists_options(&own, me, options));
    PVGI_TRY(pvgi_io_begin(&call, NULL, run, me));
    PVGI_TRY(pvgi_io_wrap(&source, data, bytes, "<memory>"));
    pvgi_io_feed_wrap(&feed, &call, &source);
    const int32_t status = pvgi_io_lists(out, &feed, &own);
    pvgi_io_unload(&source, &call);
    return named(me, status);
}
