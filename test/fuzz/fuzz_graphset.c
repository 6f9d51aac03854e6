/* Sets of graph6 and sparse6 lines. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    pvgi_io_call call;
    pvgi_io_source source, written;
    pvgi_io_sink sink;
    pvg_graphset *set = NULL, *back = NULL;
    if (size == 0) return 0;
    pvgf_call(&call, data[0], PVG_FORMAT_AUTO);
    call.options.order_limit = 300; /* of every graph: many large ones are only slow */
    PVGF_CHECK(pvgi_io_wrap(&source, (const char *)data + 1, size - 1, "f") == PVG_OK);
    const int32_t status = pvgi_io_parse_set(&set, &call, &source);
    pvgi_io_unload(&source, &call);
    if (status != PVG_OK) {
        PVGF_CHECK(status == PVG_E_FORMAT || status == PVG_E_LIMIT);
        return 0;
    }
    call.options.order_limit = INT32_MAX;
    pvgi_io_sink_memory(&sink, NULL, 0);
    PVGF_CHECK(pvgi_io_put_graph6_set(&sink, &call, set, PVG_FORMAT_SPARSE6) == PVG_OK);
    const size_t length = (size_t)sink.bytes;
    char *text = malloc(length + 1);
    pvgi_io_sink_memory(&sink, text, length);
    PVGF_CHECK(pvgi_io_put_graph6_set(&sink, &call, set, PVG_FORMAT_SPARSE6) == PVG_OK);
    PVGF_CHECK(pvgi_io_wrap(&written, text, length, "w") == PVG_OK);
    PVGF_CHECK(pvgi_io_parse_set(&back, &call, &written) == PVG_OK);
    PVGF_CHECK(set->count == back->count && set->order == back->order);
    PVGF_CHECK(memcmp(set->starts, back->starts,
                      ((size_t)set->count + 1) * sizeof *set->starts) == 0);
    PVGF_CHECK(memcmp(set->offsets, back->offsets,
                      ((size_t)set->order + 1) * sizeof *set->offsets) == 0);
    PVGF_CHECK(memcmp(set->columns, back->columns,
                      (size_t)set->offsets[set->order] * sizeof *set->columns) == 0);
    pvgi_io_unload(&written, &call);
    free(text);
    pvg_graphset_free(set);
    pvg_graphset_free(back);
    return 0;
}
