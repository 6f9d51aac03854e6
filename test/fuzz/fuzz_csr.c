/* Reader of csr files. Digests keep a fuzzer out, so those of what it made are put right
 * first, every other time: what is then a graph must survive every writer. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "fuzz.h"
#include "io/csr.h"

/* A file of the numbers that follow: order, arcs, declared, then offsets and columns. */
static char *made_file(size_t *bytes, const uint8_t *data, size_t size) {
    const int64_t order = size > 0 ? data[0] % 9 : 0, arcs = size > 1 ? data[1] % 25 : 0;
    const pvgi_io_csr_shape shape =
        pvgi_io_csr_measure(order, arcs / 2 * 2, size > 2 ? data[2] & 3 : 0);
    char *file = calloc(1, (size_t)shape.bytes);
    size_t at = 3;
    int64_t *offsets = (int64_t *)(void *)(file + PVGI_CSR_HEAD);
    int32_t *columns = (int32_t *)(void *)(file + shape.columns_at);
    for (int64_t i = 0; i <= order; i++)
        offsets[i] = at < size ? (int8_t)data[at++] : shape.arcs;
    for (int64_t i = 0; i < shape.arcs; i++)
        columns[i] = at < size ? (int8_t)data[at++] : 0;
    uint8_t *table = (uint8_t *)file + shape.table_at;
    pvgi_io_csr_put_head(file, &shape);
    pvgi_io_csr_digest(table, offsets, ((size_t)order + 1) * sizeof *offsets);
    if (shape.arcs > 0)
        pvgi_io_csr_digest(table + PVGI_DIGEST_BYTES, columns,
                           (size_t)shape.arcs * sizeof *columns);
    pvgi_io_csr_put_tail(file + shape.bytes - PVGI_CSR_TAIL, file, table,
                         shape.offset_blocks + shape.column_blocks);
    if (at < size) file[data[at] * 16] ^= (char)(at + 1 < size ? data[at + 1] : 0);
    *bytes = (size_t)shape.bytes;
    return file;
}

static void check_graph(const pvg_graph *graph) {
    for (int64_t u = 0; u < graph->order; u++)
        for (int64_t i = graph->offsets[u]; i < graph->offsets[u + 1]; i++) {
            const int32_t v = graph->columns[i];
            PVGF_CHECK(v >= 0 && v < graph->order && v != u);
            PVGF_CHECK(i == graph->offsets[u] || graph->columns[i - 1] < v);
            PVGF_CHECK(pvg_graph_has_edge(graph, v, u));
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    pvgi_io_call call;
    pvgi_io_source source;
    pvg_graph *graph = NULL;
    if (size == 0) return 0;
    pvgf_plain_call(&call, (uint8_t)('0' + (data[0] & 0x70)), PVG_FORMAT_CSR_FILE);
    call.run.config.threads = data[0] >> 1 & 1 ? 2 : 1;
    size_t bytes = size - 1;
    char *file = data[0] & 1 ? made_file(&bytes, data + 1, size - 1) : malloc(size);
    if (!(data[0] & 1)) memcpy(file, data + 1, size - 1);
    PVGF_CHECK(pvgi_io_wrap(&source, file, bytes, "f") == PVG_OK);
    const int32_t status = pvgi_io_parse(&graph, &call, &source);
    PVGF_CHECK(status == PVG_OK || status == PVG_E_FORMAT || status == PVG_E_LIMIT);
    if (status == PVG_OK) {
        check_graph(graph);
        graph->declared = PVGI_DECLARED_NODES;
        pvgf_check_round_trips(graph);
    } else {
        PVGF_CHECK(strncmp(pvg_error_message(), "f:", 2) == 0);
    }
    pvg_graph_free(graph);
    pvgi_io_unload(&source, &call);
    free(file);
    return 0;
}
