/* Feature rows; what is read, written again and read is the same. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "fuzz.h"

static int32_t parse(pvg_features **out, pvgi_io_call *call, const char *text,
                     size_t bytes, int64_t columns) {
    pvgi_io_source source;
    PVGF_CHECK(pvgi_io_wrap(&source, text, bytes, "f") == PVG_OK);
    const int32_t status = pvgi_io_features_parse(out, call, &source, columns);
    pvgi_io_unload(&source, call);
    return status;
}

static void check_same(const pvg_features *a, const pvg_features *b) {
    const size_t entries = (size_t)a->offsets[a->rows];
    PVGF_CHECK(a->rows == b->rows && a->columns == b->columns);
    PVGF_CHECK(memcmp(a->offsets, b->offsets, ((size_t)a->rows + 1) * 8) == 0);
    PVGF_CHECK(memcmp(a->indices, b->indices, entries * 4) == 0);
    PVGF_CHECK(memcmp(a->values, b->values, entries * 8) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    pvgi_io_call call, plain;
    pvg_features *features = NULL, *other = NULL;
    char message[PVGI_MESSAGE_BYTES], number[PVGI_NUMBER_BYTES];
    if (size == 0) return 0;
    pvgf_call(&call, data[0], PVG_FORMAT_AUTO);
    pvgf_plain_call(&plain, data[0], PVG_FORMAT_AUTO);
    const char *text = (const char *)data + 1;
    const int32_t status = parse(&features, &call, text, size - 1, 0);
    pvgi_message_save(message);
    PVGF_CHECK(parse(&other, &plain, text, size - 1, 0) == status);
    if (status != PVG_OK) {
        PVGF_CHECK(strcmp(message, pvg_error_message()) == 0 && status == PVG_E_FORMAT);
        return 0;
    }
    check_same(features, other);
    pvg_features_free(other);
    pvgi_text again = {0};
    pvgi_text_append(&again, "", 0);
    for (int64_t row = 0; row < features->rows; row++) {
        for (int64_t i = features->offsets[row]; i < features->offsets[row + 1]; i++) {
            pvgi_number_put(number, features->values[i]);
            pvgi_text_format(&again, "%d:%s ", (int)features->indices[i], number);
        }
        pvgi_text_append(&again, "\n", 1);
    }
    PVGF_CHECK(again.status == PVG_OK);
    PVGF_CHECK(parse(&other, &plain, again.data, again.length, features->columns) ==
               PVG_OK);
    check_same(features, other);
    pvgi_text_free(&again);
    pvg_features_free(features);
    pvg_features_free(other);
    return 0;
}
