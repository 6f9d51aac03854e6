/* Released values as bytes, always the same for the same values: what the digest of a
 * record is made of, and what the file of a release holds. Little-endian, in this order,
 * each part only if it is there:
 *
 *   'V' rows:u64 columns:u64 values:f64...               numbers, row by row; of a model
 *                                                        all its weights, one row
 *   'G' order:u64 edges:u64 (u:u32 v:u32)...             a graph: u < v, ascending
 *   'S' graphs:u64, then each as in 'G' without the letter
 *   'L' users:u64 lengths:u64... entries:u32...          lists
 *   'F' rows:u64 columns:u64 lengths:u64... (column:u32 value:f64)...   sparse features
 *   'A' users:u64 labels:i32...                          labels
 *
 * docs/guide/formats.md. O(values). */
#include "release_internal.h"

#include <string.h>

static void put(pvgi_sink *sink, uint64_t value, int bytes) {
    uint8_t out[8];
    for (int i = 0; i < bytes; i++) out[i] = (uint8_t)(value >> (8 * i));
    sink->put(sink, out, (size_t)bytes);
}

static void put_double(pvgi_sink *sink, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put(sink, bits, 8);
}

/* Row by row; a model is its numbers. */
static void put_numbers(pvgi_sink *sink, const pvgi_content *content,
                        const double *values) {
    sink->put(sink, "V", 1);
    put(sink, (uint64_t)content->rows, 8);
    put(sink, (uint64_t)content->columns, 8);
    for (int64_t i = 0; i < content->rows * content->columns; i++)
        put_double(sink, values[i]);
}

/* Rows first .. first + order - 1 of a block-diagonal matrix. */
static void put_graph(pvgi_sink *sink, int64_t first, int64_t order,
                      const int64_t *offsets, const int32_t *columns) {
    put(sink, (uint64_t)order, 8);
    put(sink, (uint64_t)(offsets[first + order] - offsets[first]) / 2, 8);
    for (int64_t u = first; u < first + order; u++)
        for (int64_t i = offsets[u]; i < offsets[u + 1]; i++) {
            if (columns[i] <= u) continue;
            put(sink, (uint64_t)(u - first), 4);
            put(sink, (uint64_t)(columns[i] - first), 4);
        }
}

static void put_lists(pvgi_sink *sink, const pvgi_lists *lists) {
    put(sink, (uint64_t)lists->order, 8);
    for (int64_t i = 0; i < lists->order; i++)
        put(sink, (uint64_t)(lists->offsets[i + 1] - lists->offsets[i]), 8);
    for (int64_t i = 0; i < lists->offsets[lists->order]; i++)
        put(sink, (uint32_t)lists->targets[i], 4);
}

static void put_features(pvgi_sink *sink, const pvg_features *features) {
    put(sink, (uint64_t)features->rows, 8);
    put(sink, (uint64_t)features->columns, 8);
    for (int64_t i = 0; i < features->rows; i++)
        put(sink, (uint64_t)(features->offsets[i + 1] - features->offsets[i]), 8);
    for (int64_t i = 0; i < features->offsets[features->rows]; i++) {
        put(sink, (uint32_t)features->indices[i], 4);
        put_double(sink, features->values[i]);
    }
}

void pvgi_release_canon(pvgi_sink *sink, const pvgi_content *content) {
    if (content->values) put_numbers(sink, content, content->values);
    if (content->model)
        put_numbers(sink, content, content->model_kind->numbers(content->model));
    if (content->graph) {
        sink->put(sink, "G", 1);
        put_graph(sink, 0, content->graph->order, content->graph->offsets,
                  content->graph->columns);
    }
    if (content->set) {
        const pvg_graphset *set = content->set;
        sink->put(sink, "S", 1);
        put(sink, (uint64_t)set->count, 8);
        for (int64_t i = 0; i < set->count; i++)
            put_graph(sink, set->starts[i], set->starts[i + 1] - set->starts[i],
                      set->offsets, set->columns);
    }
    if (content->lists) {
        sink->put(sink, "L", 1);
        put_lists(sink, content->lists);
    }
    if (content->features) {
        sink->put(sink, "F", 1);
        put_features(sink, content->features);
    }
    if (content->labels) {
        sink->put(sink, "A", 1);
        put(sink, (uint64_t)content->labels->count, 8);
        for (int64_t i = 0; i < content->labels->count; i++)
            put(sink, (uint32_t)content->labels->values[i], 4);
    }
}

/* --- digest ------------------------------------------------------------------------ */

enum { HELD = 4096 };

/* Bytes are gathered: BLAKE2b takes few large parts faster than many small ones. */
typedef struct {
    pvgi_sink sink;
    pvgi_digest digest;
    size_t held;
    uint8_t bytes[HELD];
} hashing;

static void hash(pvgi_sink *sink, const void *bytes, size_t count) {
    hashing *h = (hashing *)sink;
    if (h->held + count > HELD) {
        pvgi_rng_digest_add(&h->digest, h->bytes, h->held);
        h->held = 0;
    }
    memcpy(h->bytes + h->held, bytes, count); /* count is at most 8 */
    h->held += count;
}

void pvgi_release_digest(uint8_t out[PVGI_DIGEST_BYTES], const pvgi_content *content) {
    hashing h = {.sink = {hash}};
    pvgi_rng_digest_begin(&h.digest);
    pvgi_release_canon(&h.sink, content);
    pvgi_rng_digest_add(&h.digest, h.bytes, h.held);
    pvgi_rng_digest_end(out, &h.digest);
}

int32_t pvgi_release_verify(int32_t *out, const char *name,
                            const pvg_guarantee *guarantee, const pvg_released *v) {
    uint8_t digest[PVGI_DIGEST_BYTES];
    PVGI_REQUIRE(guarantee->drawn, "%s: nothing was drawn under this guarantee", name);
    PVGI_REQUIRE(v->reserved == 0, "%s: values->reserved is not 0", name);
    PVGI_REQUIRE(v->rows >= 0 && v->columns >= 0 &&
                     (v->columns == 0 || v->rows <= INT64_MAX / 8 / v->columns),
                 "%s: values->rows or values->columns is negative or too large", name);
    PVGI_REQUIRE(v->users >= 0 && (!v->offsets == !v->targets),
                 "%s: values->users is negative, or offsets or targets is missing", name);
    if (v->offsets)
        PVGI_TRY(pvgi_graph_offsets_check("values->offsets", v->offsets, v->users));
    pvgi_lists lists = {v->users, (int64_t *)v->offsets, (int32_t *)v->targets};
    const pvgi_content content = {.rows = v->rows,
                                  .columns = v->columns,
                                  .values = (double *)v->values,
                                  .graph = (pvg_graph *)v->graph,
                                  .set = (pvg_graphset *)v->set,
                                  .lists = v->offsets ? &lists : NULL,
                                  .features = (pvg_features *)v->features,
                                  .labels = (pvg_labels *)v->labels};
    pvgi_release_digest(digest, &content);
    *out = memcmp(digest, guarantee->digest, sizeof digest) == 0;
    return PVG_OK;
}
