/* A release in one file, little-endian:
 *
 *   "pvgrels1" length:u64 record:JSON values:canonical-bytes check:32 newline
 *
 * The values are those of canon.c, the record is that of the guarantee, whose digest they
 * must have; check is the BLAKE2b-256 of everything before it. The file appears complete
 * or not at all. Memory when reading stays in proportion to the file. */
#include "io/io_internal.h"
#include "release_internal.h"

#include <string.h>

enum { MAGIC = 8, HEAD = MAGIC + 8, HELD = 1 << 14 };
static const char magic[MAGIC + 1] = "pvgrels1";

/* --- writing ----------------------------------------------------------------------- */

typedef struct {
    pvgi_sink sink;
    pvgi_io_sink *file;
    pvgi_digest digest;
    int32_t status;
    size_t held;
    char bytes[HELD];
} writer;

static void flush(writer *w) {
    pvgi_rng_digest_add(&w->digest, w->bytes, w->held);
    if (w->status == PVG_OK) w->status = pvgi_io_sink_put(w->file, w->bytes, w->held);
    w->held = 0;
}

static void put(pvgi_sink *sink, const void *bytes, size_t count) {
    writer *w = (writer *)sink;
    const char *from = bytes;
    while (count > 0) {
        const size_t part = count < HELD - w->held ? count : HELD - w->held;
        memcpy(w->bytes + w->held, from, part);
        w->held += part;
        from += part;
        count -= part;
        if (w->held == HELD) flush(w);
    }
}

static void write_all(writer *w, const pvg_release *release, const pvgi_text *record) {
    uint8_t length[8], check[PVGI_DIGEST_BYTES];
    for (int i = 0; i < 8; i++)
        length[i] = (uint8_t)((uint64_t)record->length >> (8 * i));
    pvgi_rng_digest_begin(&w->digest);
    put(&w->sink, magic, MAGIC);
    put(&w->sink, length, sizeof length);
    put(&w->sink, record->data, record->length);
    pvgi_release_canon(&w->sink, &release->content);
    flush(w);
    pvgi_rng_digest_end(check, &w->digest);
    if (w->status == PVG_OK)
        w->status = pvgi_io_sink_put(w->file, (const char *)check, sizeof check);
    if (w->status == PVG_OK) w->status = pvgi_io_sink_put(w->file, "\n", 1);
}

int32_t pvgi_release_save(const char *path, const pvg_release *release) {
    pvgi_text record = {0};
    pvgi_io_sink file;
    pvgi_guarantee_json(&record, &release->guarantee);
    int32_t status = record.status;
    writer *w = pvgi_alloc_zero(1, sizeof *w);
    if (status == PVG_OK && !w) status = pvgi_fail_nomem();
    if (status == PVG_OK) status = pvgi_io_sink_open(&file, path);
    if (status == PVG_OK) {
        w->sink.put = put;
        w->file = &file;
        write_all(w, release, &record);
        status = pvgi_io_sink_close(&file, w->status);
    }
    pvgi_free(w);
    pvgi_text_free(&record);
    return status;
}

/* --- reading ----------------------------------------------------------------------- */

typedef struct {
    const uint8_t *at, *end;
} reader;

static int32_t damaged(const char *what) {
    return pvgi_fail(PVG_E_FORMAT, "not a whole release: %s", what);
}

static bool get(uint64_t *out, reader *in, int bytes) {
    *out = 0;
    if (in->end - in->at < bytes) return false;
    for (int i = 0; i < bytes; i++) *out |= (uint64_t)*in->at++ << (8 * i);
    return true;
}

static double double_of(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* A count of things of `bytes` each that all stand in what is left. */
static bool get_count(int64_t *out, reader *in, int64_t bytes) {
    uint64_t count;
    if (!get(&count, in, 8) || count > (uint64_t)((in->end - in->at) / bytes))
        return false;
    *out = (int64_t)count;
    return true;
}

static int32_t read_values(pvgi_content *out, reader *in) {
    uint64_t rows, columns, bits;
    if (!get(&rows, in, 8) || !get(&columns, in, 8) || rows > INT64_MAX ||
        columns > INT64_MAX ||
        (columns > 0 && rows > (uint64_t)(in->end - in->at) / 8 / columns))
        return damaged("numbers are missing");
    out->rows = (int64_t)rows;
    out->columns = (int64_t)columns;
    out->values = pvgi_alloc((size_t)(rows * columns), sizeof *out->values);
    if (!out->values) return pvgi_fail_nomem();
    for (uint64_t i = 0; i < rows * columns; i++) {
        if (!get(&bits, in, 8)) return damaged("numbers are missing");
        out->values[i] = double_of(bits);
    }
    return PVG_OK;
}

/* Nodes cost no bytes in the file: as for other formats, at most 2^20 and four for every
 * byte. */
static int32_t read_graph(pvg_graph **out, reader *in) {
    uint64_t order, u, v;
    int64_t count, *ends;
    const uint64_t most = (UINT64_C(1) << 20) + 4 * (uint64_t)(in->end - in->at);
    if (!get(&order, in, 8) || !get_count(&count, in, 8))
        return damaged("edges are missing");
    if (order > most || order > PVGI_GRAPH_ORDER_MAX)
        return damaged("too many nodes for so few bytes");
    ends = pvgi_alloc((size_t)count, 2 * sizeof *ends);
    if (!ends) return pvgi_fail_nomem();
    for (int64_t i = 0; i < count; i++) {
        get(&u, in, 4);
        get(&v, in, 4);
        ends[i] = (int64_t)u;
        ends[count + i] = (int64_t)v;
    }
    pvgi_run run;
    int32_t status = pvgi_run_begin(&run, NULL);
    if (status == PVG_OK)
        status = pvgi_graph_from_pairs(out, NULL, (int64_t)order, ends, ends + count,
                                       count, PVG_EDGES_STRICT, &run);
    pvgi_free(ends);
    return status == PVG_OK || status == PVG_E_NOMEM
               ? status
               : damaged("edges are not those of a graph");
}

static int32_t read_set(pvg_graphset **out, reader *in) {
    pvg_graphset_builder *builder = NULL;
    int64_t count;
    if (!get_count(&count, in, 16)) return damaged("graphs are missing");
    int32_t status = pvgi_graph_set_builder_new(&builder, 0);
    for (int64_t i = 0; i < count && status == PVG_OK; i++) {
        pvg_graph *graph = NULL;
        status = read_graph(&graph, in);
        if (status == PVG_OK)
            status = pvgi_graph_set_builder_add(builder, graph, -1, NULL, NULL);
        pvgi_graph_free(graph);
    }
    if (status == PVG_OK) status = pvgi_graph_set_builder_finish(out, builder);
    pvgi_graph_set_builder_free(builder);
    return status;
}

/* Lengths of `rows` rows as offsets in a new block; entries of `bytes` each follow. */
static int32_t read_offsets(int64_t **out, reader *in, int64_t rows, int64_t bytes) {
    int64_t *offsets = pvgi_alloc((size_t)rows + 1, sizeof *offsets);
    if (!offsets) return pvgi_fail_nomem();
    *out = offsets;
    offsets[0] = 0;
    for (int64_t i = 0; i < rows; i++) {
        uint64_t length;
        if (!get(&length, in, 8) || length > (uint64_t)(in->end - in->at))
            return damaged("entries are missing");
        offsets[i + 1] = offsets[i] + (int64_t)length;
        if (offsets[i + 1] > in->end - in->at) return damaged("entries are missing");
    }
    return offsets[rows] <= (in->end - in->at) / bytes ? PVG_OK
                                                       : damaged("entries are missing");
}

static int32_t read_lists(pvgi_lists **out, reader *in) {
    int64_t users;
    uint64_t entry;
    if (!get_count(&users, in, 8)) return damaged("lists are missing");
    pvgi_lists *lists = pvgi_alloc_zero(1, sizeof *lists);
    if (!lists) return pvgi_fail_nomem();
    *out = lists;
    PVGI_TRY(read_offsets(&lists->offsets, in, users, 4));
    lists->order = users;
    const int64_t entries = lists->offsets[users];
    lists->targets = pvgi_alloc((size_t)entries, sizeof *lists->targets);
    if (!lists->targets) return pvgi_fail_nomem();
    for (int64_t i = 0; i < entries; i++) {
        get(&entry, in, 4);
        if (entry > INT32_MAX) return damaged("an entry of a list is no node");
        lists->targets[i] = (int32_t)entry;
    }
    return PVG_OK;
}

static int32_t read_features(pvg_features **out, reader *in) {
    int64_t rows, *offsets = NULL;
    uint64_t columns, bits;
    if (in->end - in->at < 16) return damaged("features are missing");
    reader ahead = {in->at, in->end - 8}; /* columns stand between */
    if (!get_count(&rows, &ahead, 8)) return damaged("features are missing");
    in->at = ahead.at;
    if (!get(&columns, in, 8) || columns > INT32_MAX)
        return damaged("features are missing");
    int32_t status = read_offsets(&offsets, in, rows, 12);
    const int64_t entries = status == PVG_OK ? offsets[rows] : 0;
    int32_t *indices = pvgi_alloc((size_t)entries, sizeof *indices);
    double *values = pvgi_alloc((size_t)entries, sizeof *values);
    if (status == PVG_OK && (!indices || !values)) status = pvgi_fail_nomem();
    for (int64_t i = 0; i < entries && status == PVG_OK; i++) {
        get(&bits, in, 4);
        indices[i] = (int32_t)bits;
        get(&bits, in, 8);
        values[i] = double_of(bits);
        if (indices[i] < 0) status = damaged("a column is none");
    }
    if (status != PVG_OK) {
        pvgi_free(offsets);
        pvgi_free(indices);
        pvgi_free(values);
        return status;
    }
    status =
        pvgi_graph_features_adopt(out, rows, (int64_t)columns, offsets, indices, values);
    if (status == PVG_OK && (*out)->odd) {
        pvgi_graph_features_free(*out);
        *out = NULL;
        status = PVG_E_FORMAT;
    }
    return status == PVG_OK || status == PVG_E_NOMEM
               ? status
               : damaged("features are not in order");
}

static int32_t read_labels(pvg_labels **out, reader *in) {
    int64_t users;
    uint64_t bits;
    if (!get_count(&users, in, 4)) return damaged("labels are missing");
    int32_t *labels = pvgi_alloc((size_t)users, sizeof *labels);
    if (!labels) return pvgi_fail_nomem();
    for (int64_t i = 0; i < users; i++) {
        get(&bits, in, 4);
        labels[i] = (int32_t)(uint32_t)bits;
    }
    int32_t status = pvgi_graph_labels_from_array(out, labels, users);
    pvgi_free(labels);
    if (status == PVG_OK && (*out)->odd) {
        pvgi_graph_labels_free(*out);
        *out = NULL;
        status = PVG_E_FORMAT;
    }
    return status == PVG_OK || status == PVG_E_NOMEM ? status
                                                     : damaged("a label is none");
}

/* Parts in their order, each once. */
static int32_t read_content(pvgi_content *out, reader *in) {
    static const char order[] = "VGSLFA";
    const char *last = order;
    while (in->at < in->end) {
        const char letter = (char)*in->at++;
        const char *part = letter ? strchr(last, letter) : NULL;
        if (!part) return damaged("an unknown part");
        last = part + 1;
        PVGI_TRY(letter == 'V'   ? read_values(out, in)
                 : letter == 'G' ? read_graph(&out->graph, in)
                 : letter == 'S' ? read_set(&out->set, in)
                 : letter == 'L' ? read_lists(&out->lists, in)
                 : letter == 'F' ? read_features(&out->features, in)
                                 : read_labels(&out->labels, in));
    }
    return PVG_OK;
}

static int32_t read_all(pvg_release *release, const uint8_t *bytes, size_t count) {
    uint8_t check[PVGI_DIGEST_BYTES];
    pvgi_digest digest;
    uint64_t length;
    if (count < HEAD + PVGI_DIGEST_BYTES + 1 || memcmp(bytes, magic, MAGIC) != 0 ||
        bytes[--count] != '\n')
        return damaged("it does not begin or end as one");
    reader in = {bytes + MAGIC, bytes + count - PVGI_DIGEST_BYTES};
    pvgi_rng_digest_begin(&digest);
    pvgi_rng_digest_add(&digest, bytes, count - PVGI_DIGEST_BYTES);
    pvgi_rng_digest_end(check, &digest);
    if (memcmp(check, in.end, PVGI_DIGEST_BYTES) != 0)
        return damaged("its checksum is another");
    if (!get(&length, &in, 8) || length > (uint64_t)(in.end - in.at))
        return damaged("its record is missing");
    PVGI_TRY(
        pvgi_guarantee_parse(&release->guarantee, (const char *)in.at, (size_t)length));
    in.at += length;
    PVGI_TRY(read_content(&release->content, &in));
    pvgi_release_digest(check, &release->content);
    if (!release->guarantee.drawn ||
        memcmp(check, release->guarantee.digest, sizeof check) != 0)
        return damaged("the values are not those of the record");
    release->guarantee.loaded = true;
    pvgi_graph_content_declare(&release->content);
    return PVG_OK;
}

int32_t pvgi_release_read(pvg_release **out, const uint8_t *bytes, size_t count) {
    pvg_release *release = pvgi_alloc_zero(1, sizeof *release);
    if (!release) return pvgi_fail_nomem();
    const int32_t status = read_all(release, bytes, count);
    if (status == PVG_OK)
        *out = release;
    else
        pvg_release_free(release);
    return status;
}

int32_t pvgi_release_load(pvg_release **out, const char *path) {
    pvgi_io_call call;
    pvgi_io_source source;
    PVGI_TRY(pvgi_io_begin(&call, NULL, NULL, "pvg_release_load"));
    PVGI_TRY(pvgi_io_load(&source, &call, path, NULL));
    const int32_t status =
        pvgi_release_read(out, (const uint8_t *)source.data, source.bytes);
    if (status == PVG_E_FORMAT || status == PVG_E_VERSION) pvgi_message_prefix(path);
    pvgi_io_unload(&source, &call);
    return status;
}
