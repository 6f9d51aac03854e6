/* What the tests of io share: graphs as short text, options, exact copies. */
#ifndef PVGT_IO_TEXT_H
#define PVGT_IO_TEXT_H

#include "io/io_internal.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

/* "4: 0-1 2-3" */
static inline const char *describe(const pvg_graph *graph) {
    static char text[500];
    int used = snprintf(text, sizeof text, "%lld:", (long long)graph->order);
    for (int64_t u = 0; u < graph->order; u++)
        for (int64_t i = graph->offsets[u]; i < graph->offsets[u + 1]; i++)
            if (graph->columns[i] > u)
                used += snprintf(text + used, sizeof text - (size_t)used, " %lld-%d",
                                 (long long)u, (int)graph->columns[i]);
    return text;
}

/* A block of exactly the text's size, so that ASan sees a read beyond it. */
static inline char *exact_copy(const char *text, size_t bytes) {
    char *copy = malloc(bytes ? bytes : 1);
    if (bytes) memcpy(copy, text, bytes);
    return copy;
}

static inline int32_t parse(pvg_graph **out, const char *text, size_t bytes,
                            const pvg_io_options *options) {
    char *copy = exact_copy(text, bytes);
    const int32_t status = pvg_graph_parse(out, copy, bytes, options, NULL);
    free(copy);
    return status;
}

static inline pvg_graph *path_graph(int64_t order) {
    int64_t *ends = malloc((size_t)order * sizeof *ends);
    pvg_graph *graph;
    for (int64_t i = 0; i < order; i++) ends[i] = i;
    PVGT_OK(pvg_graph_from_edges(&graph, order, ends, ends + 1, order - 1, 0, NULL));
    free(ends);
    return graph;
}

static inline pvg_io_options with(int32_t format, uint32_t policy) {
    return (pvg_io_options){
        .size = sizeof(pvg_io_options), .format = format, .policy = policy};
}

#endif
