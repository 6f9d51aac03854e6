/* Columns of integers: labels, graph numbers. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "fuzz.h"

static int32_t parse(int32_t **out, int64_t *count, pvgi_io_call *call, const char *text,
                     size_t bytes) {
    pvgi_io_source source;
    PVGF_CHECK(pvgi_io_wrap(&source, text, bytes, "f") == PVG_OK);
    const int32_t status =
        pvgi_io_column_parse(out, count, call, &source, INT32_MIN, INT32_MAX, "a label");
    pvgi_io_unload(&source, call);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    pvgi_io_call call, plain;
    pvgi_io_sink sink;
    int32_t *labels = NULL, *other = NULL;
    int64_t count = 0, other_count = 0;
    char message[PVGI_MESSAGE_BYTES];
    if (size == 0) return 0;
    pvgf_call(&call, data[0], PVG_FORMAT_AUTO);
    pvgf_plain_call(&plain, data[0], PVG_FORMAT_AUTO);
    const char *text = (const char *)data + 1;
    const int32_t status = parse(&labels, &count, &call, text, size - 1);
    pvgi_message_save(message);
    PVGF_CHECK(parse(&other, &other_count, &plain, text, size - 1) == status);
    if (status != PVG_OK) {
        PVGF_CHECK(strcmp(message, pvg_error_message()) == 0 && status == PVG_E_FORMAT);
        return 0;
    }
    PVGF_CHECK(count == other_count && memcmp(labels, other, (size_t)count * 4) == 0);
    pvgi_free(other);
    char *again = malloc((size_t)count * 12 + 1);
    pvgi_io_sink_memory(&sink, again, (size_t)count * 12);
    PVGF_CHECK(pvgi_io_put_column(&sink, &plain, labels, count) == PVG_OK);
    PVGF_CHECK(parse(&other, &other_count, &plain, again, (size_t)sink.bytes) == PVG_OK);
    PVGF_CHECK(count == other_count && memcmp(labels, other, (size_t)count * 4) == 0);
    free(again);
    pvgi_free(labels);
    pvgi_free(other);
    return 0;
}
