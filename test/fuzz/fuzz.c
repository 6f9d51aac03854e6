/* Options from a byte, and the target that all single-graph formats share. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "fuzz.h"

void pvgf_plain_call(pvgi_io_call *call, uint8_t byte, int32_t format) {
    const uint8_t bits = (uint8_t)(byte - '0');
    pvg_io_options options = {.size = sizeof options,
                              .policy = bits & 3,
                              .format = format,
                              .index_base = bits >> 2 & 1,
                              .extra_columns = bits >> 2 & 1,
                              .order_limit = bits == 0x80 ? 0 : 5000};
    PVGF_CHECK(pvgi_io_begin(call, &options, NULL, "fuzz") == PVG_OK);
}

void pvgf_call(pvgi_io_call *call, uint8_t byte, int32_t format) {
    static const size_t chunks[] = {1 << 20, 1, 2, 3, 5, 16, 64, 1000};
    const uint8_t bits = (uint8_t)(byte - '0');
    pvgf_plain_call(call, byte, format);
    call->chunk_bytes = chunks[bits >> 4 & 7];
    call->run.config.threads = bits >> 3 & 1 ? 2 : 1;
}

bool pvgf_same_graph(const pvg_graph *a, const pvg_graph *b) {
    return a->order == b->order && a->size == b->size &&
           memcmp(a->offsets, b->offsets, ((size_t)a->order + 1) * sizeof *a->offsets) ==
               0 &&
           memcmp(a->columns, b->columns, 2 * (size_t)a->size * sizeof *a->columns) == 0;
}

static void check_round_trips(const pvg_graph *graph) {
    for (int32_t format = PVG_FORMAT_EDGE_LIST; format < PVG_FORMAT_METIS; format++) {
        const pvg_io_options options = {
            .size = sizeof options, .format = format, .order_limit = INT32_MAX};
        pvg_graph *back = NULL;
        size_t length;
        if (format == PVG_FORMAT_GRAPH6 && graph->order > 300) continue; /* quadratic */
        if (graph->order > 100000) continue;
        PVGF_CHECK(pvg_graph_format(NULL, 0, &length, graph, &options) == PVG_OK);
        char *text = malloc(length + 1);
        PVGF_CHECK(pvg_graph_format(text, length + 1, &length, graph, &options) ==
                   PVG_OK);
        PVGF_CHECK(pvg_graph_parse(&back, text, length, &options, NULL) == PVG_OK);
        PVGF_CHECK(pvgf_same_graph(graph, back));
        pvg_graph_free(back);
        free(text);
    }
}

/* A graph whose order nobody declared is an edge list or nothing; stating it makes it
 * told.
 */
void pvgf_check_round_trips(const pvg_graph *graph) {
    const pvg_io_options options = {.size = sizeof options, .format = PVG_FORMAT_SPARSE6};
    pvg_graph *told = NULL;
    size_t length;
    if (pvg_graph_order_declared(graph)) {
        check_round_trips(graph);
        return;
    }
    PVGF_CHECK(pvg_graph_format(NULL, 0, &length, graph, &options) == PVG_E_UNDECLARED);
    PVGF_CHECK(pvg_graph_format(NULL, 0, &length, graph, NULL) == PVG_OK);
    PVGF_CHECK(pvg_graph_from_csr(&told, graph->order, graph->offsets, graph->columns, 0,
                                  NULL) == PVG_OK);
    check_round_trips(told);
    pvg_graph_free(told);
}

int pvgf_run_format(int32_t format, const uint8_t *data, size_t size) {
    pvgi_io_call call, plain;
    pvgi_io_source source;
    pvg_graph *graph = NULL, *same = NULL;
    char message[PVGI_MESSAGE_BYTES];
    if (size == 0) return 0;
    pvgf_call(&call, data[0], format);
    pvgf_plain_call(&plain, data[0], format);
    PVGF_CHECK(pvgi_io_wrap(&source, (const char *)data + 1, size - 1, "f") == PVG_OK);
    const int32_t status = pvgi_io_parse(&graph, &call, &source);
    pvgi_message_save(message);
    const int32_t again = pvgi_io_parse(&same, &plain, &source);
    PVGF_CHECK(status == again);
    PVGF_CHECK(status == PVG_OK || status == PVG_E_FORMAT || status == PVG_E_LIMIT);
    if (status == PVG_OK) {
        PVGF_CHECK(pvgf_same_graph(graph, same));
        pvgf_check_round_trips(graph);
    } else {
        PVGF_CHECK(strcmp(message, pvg_error_message()) == 0);
        PVGF_CHECK(strncmp(message, "f:", 2) == 0);
    }
    pvg_graph_free(graph);
    pvg_graph_free(same);
    pvgi_io_unload(&source, &call);
    return 0;
}
