/* A model in one file, little-endian:
 *
 *   "pvgmodl3" flags:u32 loss:u32 precision:u32 folds:u32 members:u64 inputs:u64
 *   classes:u64 temperature:f64 text:bytes rows:u64 fold-of-each-row:i8...
 *   draws:u64 { record:bytes } weights:f64... check:32 newline
 *
 * with bytes = length:u64 and as many bytes; flag 1: it saw private parts. Records are
 * those of the draws behind it, with their ids, so that a draw is known again; check
 * is the BLAKE2b-256 of everything before it. The file appears complete or not at all;
 * memory when reading stays in proportion to it. Losses on the way are not kept. */
#include "io/io_internal.h"
#include "network_internal.h"

#include <math.h>
#include <string.h>

enum { MAGIC = 8, FLAG_PRIVATE = 1 };
static const char magic[MAGIC + 1] = "pvgmodl3";

/* --- writing ----------------------------------------------------------------------- */

/* With at == NULL only counted. */
typedef struct {
    uint8_t *at;
    size_t count;
} writer;

static void put_bytes(writer *w, const void *bytes, size_t count) {
    if (w->at && count) memcpy(w->at + w->count, bytes, count);
    w->count += count;
}

static void put(writer *w, uint64_t value, int bytes) {
    uint8_t out[8];
    for (int i = 0; i < bytes; i++) out[i] = (uint8_t)(value >> (8 * i));
    put_bytes(w, out, (size_t)bytes);
}

static void put_double(writer *w, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put(w, bits, 8);
}

static void put_text(writer *w, const char *text, size_t length) {
    put(w, length, 8);
    put_bytes(w, text, length);
}

static int32_t draws_of(const pvg_model *m) {
    return m->sources ? m->sources->count : 0;
}

static void write_model(writer *w, const pvg_model *m, const pvgi_text *records) {
    const pvg_network *n = m->network;
    put_bytes(w, magic, MAGIC);
    put(w, m->saw_private ? FLAG_PRIVATE : 0, 4);
    put(w, (uint64_t)m->config.loss, 4);
    put(w, (uint64_t)m->config.precision, 4);
    put(w, (uint64_t)m->config.folds, 4);
    put(w, (uint64_t)m->member_count, 8);
    put(w, (uint64_t)n->program.inputs, 8);
    put(w, (uint64_t)n->program.classes, 8);
    put_double(w, m->temperature);
    put_text(w, n->text, strlen(n->text));
    put(w, m->folds ? (uint64_t)m->order : 0, 8);
    if (m->folds) put_bytes(w, m->folds, (size_t)m->order);
    put(w, (uint64_t)draws_of(m), 8);
    for (int32_t i = 0; i < draws_of(m); i++)
        put_text(w, records[i].data, records[i].length);
    for (int64_t i = 0; i < m->member_count * n->parameters; i++)
        put_double(w, m->weights[i]);
}

static int32_t write_file(const char *path, const pvg_model *m,
                          const pvgi_text *records) {
    pvgi_io_sink file;
    pvgi_digest digest;
    writer w = {0};
    write_model(&w, m, records);
    const size_t count = w.count;
    w = (writer){.at = pvgi_alloc(count + PVGI_DIGEST_BYTES + 1, 1)};
    if (!w.at) return pvgi_fail_nomem();
    write_model(&w, m, records);
    pvgi_rng_digest_begin(&digest);
    pvgi_rng_digest_add(&digest, w.at, count);
    pvgi_rng_digest_end(w.at + count, &digest);
    w.at[count + PVGI_DIGEST_BYTES] = '\n';
    int32_t status = pvgi_io_sink_open(&file, path);
    if (status == PVG_OK) {
        status =
            pvgi_io_sink_put(&file, (const char *)w.at, count + PVGI_DIGEST_BYTES + 1);
        status = pvgi_io_sink_close(&file, status);
    }
    pvgi_free(w.at);
    return status;
}

int32_t pvgi_network_save(const char *path, const pvg_model *m) {
    int32_t status = PVG_OK;
    pvgi_text *records = pvgi_alloc_zero((size_t)draws_of(m) + 1, sizeof *records);
    if (!records) return pvgi_fail_nomem();
    for (int32_t i = 0; i < draws_of(m) && status == PVG_OK; i++) {
        pvgi_guarantee_json(&records[i], &m->sources->draw[i]);
        status = records[i].status;
    }
    if (status == PVG_OK) status = write_file(path, m, records);
    for (int32_t i = 0; i < draws_of(m); i++) pvgi_text_free(&records[i]);
    pvgi_free(records);
    return status;
}

/* --- reading ----------------------------------------------------------------------- */

typedef struct {
    const uint8_t *at, *end;
} reader;

static int32_t damaged(const char *what) {
    return pvgi_fail(PVG_E_FORMAT, "not a whole model: %s", what);
}

static bool get(uint64_t *out, reader *in, int bytes) {
    *out = 0;
    if (in->end - in->at < bytes) return false;
    for (int i = 0; i < bytes; i++) *out |= (uint64_t)*in->at++ << (8 * i);
    return true;
}

static bool get_within(int64_t *out, reader *in, int bytes, uint64_t least,
                       uint64_t most) {
    uint64_t value;
    if (!get(&value, in, bytes) || value < least || value > most) return false;
    *out = (int64_t)value;
    return true;
}

static bool get_double(double *out, reader *in) {
    uint64_t bits;
    if (!get(&bits, in, 8)) return false;
    memcpy(out, &bits, sizeof *out);
    return true;
}

static bool get_bytes(const uint8_t **out, size_t *length, reader *in) {
    uint64_t count;
    if (!get(&count, in, 8) || count > (uint64_t)(in->end - in->at)) return false;
    *out = in->at;
    *length = (size_t)count;
    in->at += count;
    return true;
}

/* What says how the weights are to be read. */
static int32_t read_head(pvg_model *m, reader *in) {
    int64_t flags, loss, precision, folds, inputs, classes;
    const uint8_t *text;
    size_t length;
    if (!get_within(&flags, in, 4, 0, FLAG_PRIVATE) ||
        !get_within(&loss, in, 4, 0, PVG_LOSS_SQUARES) ||
        !get_within(&precision, in, 4, 0, PVG_PRECISION_DOUBLE) ||
        !get_within(&folds, in, 4, 1, 64) ||
        !get_within(&m->member_count, in, 8, 1, 64 * 1024) ||
        m->member_count % folds != 0 || m->member_count / folds > 1024 ||
        !get_within(&inputs, in, 8, 1, INT32_MAX) ||
        !get_within(&classes, in, 8, 1, PVG_NETWORK_CLASSES_MAX) ||
        !get_double(&m->temperature, in) ||
        !(m->temperature > 0 && isfinite(m->temperature)))
        return damaged("its head has numbers that none has");
    if (!get_bytes(&text, &length, in) || length >= 1 << 16 || memchr(text, 0, length))
        return damaged("the text of its network is missing");
    m->saw_private = flags & FLAG_PRIVATE;
    m->config = (pvg_training_config){.size = sizeof m->config,
                                      .loss = (int32_t)loss,
                                      .precision = (int32_t)precision,
                                      .folds = folds,
                                      .averages = m->member_count / folds};
    PVGI_TRY(pvgi_network_check_config(&m->config));
    char *own = pvgi_alloc_zero(length + 1, 1);
    if (!own) return pvgi_fail_nomem();
    memcpy(own, text, length);
    const int32_t status = pvgi_network_parse(&m->network, own, inputs, classes);
    pvgi_free(own);
    return status == PVG_OK || status == PVG_E_NOMEM
               ? status
               : damaged("the text of its network is none");
}

static int32_t read_folds(pvg_model *m, reader *in) {
    const uint8_t *folds;
    size_t rows;
    if (!get_bytes(&folds, &rows, in)) return damaged("its folds are missing");
    m->order = (int64_t)rows;
    if (rows == 0) return PVG_OK;
    m->folds = pvgi_alloc(rows, 1);
    if (!m->folds) return pvgi_fail_nomem();
    memcpy(m->folds, folds, rows);
    for (size_t v = 0; v < rows; v++)
        if (m->folds[v] < -1 || m->folds[v] >= m->config.folds)
            return damaged("a row is of no fold");
    return PVG_OK;
}

static int32_t read_draw(pvg_model *m, reader *in) {
    const uint8_t *record;
    size_t length;
    pvg_guarantee draw;
    if (!get_bytes(&record, &length, in)) return damaged("a draw behind it is missing");
    int32_t status = pvgi_guarantee_parse(&draw, (const char *)record, length);
    if (status == PVG_OK && !draw.drawn) status = damaged("a record is of nothing drawn");
    draw.loaded = true;
    if (status == PVG_OK) status = pvgi_guarantee_sources_add(&m->sources, &draw);
    pvgi_guarantee_drop(&draw);
    return status;
}

static int32_t read_draws(pvg_model *m, reader *in) {
    int64_t count;
    if (!get_within(&count, in, 8, 0, PVGI_SOURCES_MAX))
        return damaged("the draws behind it are missing");
    for (int64_t i = 0; i < count; i++) PVGI_TRY(read_draw(m, in));
    return PVG_OK;
}

static int32_t read_weights(pvg_model *m, reader *in) {
    const uint64_t capacity = (uint64_t)(in->end - in->at) / 8;
    const uint64_t own = (uint64_t)m->network->parameters;
    if ((in->end - in->at) % 8 != 0 || own > capacity ||
        own * (uint64_t)m->member_count != capacity)
        return damaged("its weights are not those of its network");
    m->weights = pvgi_alloc((size_t)capacity, sizeof *m->weights);
    if (!m->weights) return pvgi_fail_nomem();
    for (uint64_t i = 0; i < capacity; i++) get_double(&m->weights[i], in);
    return PVG_OK;
}

static int32_t read_model(pvg_model *m, const uint8_t *bytes, size_t count) {
    uint8_t check[PVGI_DIGEST_BYTES];
    pvgi_digest digest;
    if (count < MAGIC + PVGI_DIGEST_BYTES + 1 || memcmp(bytes, magic, MAGIC - 1) != 0 ||
        bytes[count - 1] != '\n')
        return damaged("it does not begin or end as one");
    if (bytes[MAGIC - 1] != (uint8_t)magic[MAGIC - 1])
        return pvgi_fail(PVG_E_VERSION, "a model of another version of the format");
    count -= PVGI_DIGEST_BYTES + 1;
    reader in = {bytes + MAGIC, bytes + count};
    pvgi_rng_digest_begin(&digest);
    pvgi_rng_digest_add(&digest, bytes, count);
    pvgi_rng_digest_end(check, &digest);
    if (memcmp(check, in.end, PVGI_DIGEST_BYTES) != 0)
        return damaged("its checksum is another");
    PVGI_TRY(read_head(m, &in));
    PVGI_TRY(read_folds(m, &in));
    PVGI_TRY(read_draws(m, &in));
    PVGI_TRY(read_weights(m, &in));
    m->loaded = true;
    return PVG_OK;
}

int32_t pvgi_network_read(pvg_model **out, const uint8_t *bytes, size_t count) {
    pvg_model *model = pvgi_alloc_zero(1, sizeof *model);
    if (!model) return pvgi_fail_nomem();
    const int32_t status = read_model(model, bytes, count);
    if (status == PVG_OK)
        *out = model;
    else
        pvgi_network_model_free(model);
    return status;
}

int32_t pvgi_network_load(pvg_model **out, const char *path) {
    pvgi_io_call call;
    pvgi_io_source source;
    PVGI_TRY(pvgi_io_begin(&call, NULL, NULL, "pvg_model_load"));
    PVGI_TRY(pvgi_io_load(&source, &call, path, NULL));
    const int32_t status =
        pvgi_network_read(out, (const uint8_t *)source.data, source.bytes);
    if (status == PVG_E_FORMAT || status == PVG_E_VERSION) pvgi_message_prefix(path);
    pvgi_io_unload(&source, &call);
    return status;
}

/* --- what was seen, as JSON ------------------------------------------------------- */

void pvgi_network_seen_json(pvgi_text *text, const pvg_model *m) {
    pvgi_text_format(text, "{\"private\": %s, \"loaded\": %s, \"network\": ",
                     m->saw_private ? "true" : "false", m->loaded ? "true" : "false");
    pvgi_text_json_string(text, m->network->text);
    pvgi_text_format(text, ", \"draws\": [");
    for (int32_t i = 0; i < draws_of(m); i++) {
        if (i > 0) pvgi_text_append(text, ", ", 2);
        pvgi_guarantee_json(text, &m->sources->draw[i]);
    }
    pvgi_text_format(text, "]}\n");
}
