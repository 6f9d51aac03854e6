/* Formats: one row each, and nowhere else a list of them. A new format is a row here, a
 * file that reads or writes it, its page in docs/guide/formats.md and its tests. */
#include "io/csr.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* --- rows of "u v" that two formats write ----------------------------------------- */

static int32_t put_edge_list(pvgi_io_sink *sink, pvgi_io_call *call,
                             const pvg_graph *graph, int32_t format) {
    char head[64];
    const pvgi_io_rows rows = {.order = graph->order,
                               .offsets = graph->offsets,
                               .columns = graph->columns,
                               .base = call->options.index_base,
                               .separator = " ",
                               .triangle = PVGI_IO_UPPER};
    (void)format;
    if (graph->declared == PVGI_DECLARED_NODES) {
        snprintf(head, sizeof head, "# order %lld\n", (long long)graph->order);
        PVGI_TRY(pvgi_io_sink_put(sink, head, strlen(head)));
    }
    return pvgi_io_put_rows(sink, call, &rows);
}

static int32_t put_matrix_market(pvgi_io_sink *sink, pvgi_io_call *call,
                                 const pvg_graph *graph, int32_t format) {
    char head[160];
    const pvgi_io_rows rows = {.order = graph->order,
                               .offsets = graph->offsets,
                               .columns = graph->columns,
                               .base = 1,
                               .separator = " ",
                               .triangle = PVGI_IO_LOWER};
    (void)format;
    snprintf(head, sizeof head,
             "%%%%MatrixMarket matrix coordinate pattern symmetric\n%lld %lld %lld\n",
             (long long)graph->order, (long long)graph->order, (long long)graph->size);
    PVGI_TRY(pvgi_io_sink_put(sink, head, strlen(head)));
    return pvgi_io_put_rows(sink, call, &rows);
}

/* --- the table -------------------------------------------------------------------- */

static const pvgi_io_format formats[] = {
    [PVG_FORMAT_AUTO] = {.word = "auto"},
    [PVG_FORMAT_EDGE_LIST] = {.word = "edge-list",
                              .suffixes = {".txt", ".el", ".edges", ".csv", ".tsv"},
                              .begins = {"#"}, /* a comment of no other format */
                              .read = pvgi_io_edge_list_parse,
                              .write = put_edge_list,
                              .may_hide_order = true},
    [PVG_FORMAT_MATRIX_MARKET] = {.word = "matrix-market",
                                  .suffixes = {".mtx"},
                                  .begins = {"%%MatrixMarket"},
                                  .read = pvgi_io_matrix_market_parse,
                                  .write = put_matrix_market},
    [PVG_FORMAT_GRAPH6] = {.word = "graph6",
                           .suffixes = {".g6"},
                           .begins = {">>graph6<<"},
                           .read = pvgi_io_graph6_parse,
                           .write = pvgi_io_put_graph6,
                           .sets = true},
    [PVG_FORMAT_SPARSE6] = {.word = "sparse6",
                            .suffixes = {".s6"},
                            .begins = {">>sparse6<<", ":"},
                            .read = pvgi_io_graph6_parse,
                            .write = pvgi_io_put_graph6,
                            .sets = true},
    [PVG_FORMAT_METIS] = {.word = "metis",
                          .suffixes = {".graph", ".metis"},
                          .read = pvgi_io_metis_parse},
    [PVG_FORMAT_CSR_FILE] = {.word = "csr-file",
                             .suffixes = {".csr"},
                             .begins = {"PVGCSR"},
                             .read = pvgi_io_csr_parse,
                             .write = pvgi_io_put_csr,
                             .says_declared = true,
                             .binary = true},
};
enum { FORMATS = sizeof formats / sizeof formats[0] };

const pvgi_io_format *pvgi_io_format_row(int32_t format) {
    return format >= 0 && format < FORMATS ? &formats[format] : NULL;
}

/* --- what a file is --------------------------------------------------------------- */

static bool ends_with(const char *name, size_t length, const char *suffix) {
    const size_t count = strlen(suffix);
    return length > count && strncasecmp(name + length - count, suffix, count) == 0;
}

int32_t pvgi_io_format_of_name(const char *name) {
    size_t length = strlen(name);
    if (ends_with(name, length, ".gz"))
        length -= 3;
    else if (ends_with(name, length, ".zst"))
        length -= 4;
    for (int32_t f = 0; f < FORMATS; f++)
        for (int i = 0; i < PVGI_IO_SIGNS && formats[f].suffixes[i]; i++)
            if (ends_with(name, length, formats[f].suffixes[i])) return f;
    return PVG_FORMAT_AUTO;
}

/* What files of the format begin with; signs of one letter are not enough to doubt a
 * name. */
static int32_t format_of_bytes(const char *data, size_t bytes, bool short_ones) {
    for (int32_t f = 0; f < FORMATS; f++)
        for (int i = 0; i < PVGI_IO_SIGNS && formats[f].begins[i]; i++) {
            const size_t length = strlen(formats[f].begins[i]);
            if ((length == 1) == short_ones && bytes >= length &&
                strncasecmp(data, formats[f].begins[i], length) == 0)
                return f;
        }
    return PVG_FORMAT_AUTO;
}

int32_t pvgi_io_format_find(const char *name, const char *data, size_t bytes) {
    int32_t format = format_of_bytes(data, bytes, false);
    if (format == PVG_FORMAT_AUTO && name) format = pvgi_io_format_of_name(name);
    return format != PVG_FORMAT_AUTO ? format : format_of_bytes(data, bytes, true);
}
