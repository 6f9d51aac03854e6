/* Graphs in files: which format a name asks for, and writing in it. */
#include "tool.h"

#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static bool ends(const char *path, const char *suffix) {
    size_t length = strlen(path);
    const size_t count = strlen(suffix);
    if (length > 3 && strcasecmp(path + length - 3, ".gz") == 0) length -= 3;
    return length > count && strncasecmp(path + length - count, suffix, count) == 0;
}

int graph_format(const char *path, int wanted, bool is_set) {
    static const char *const suffixes[][5] = {
        [TO_EDGE_LIST] = {".txt", ".el", ".edges", ".csv", ".tsv"},
        [TO_MATRIX_MARKET] = {".mtx"},
        [TO_GRAPH6] = {".g6"},
        [TO_SPARSE6] = {".s6"}};
    struct stat info;
    if (wanted != TO_AUTO) return wanted;
    if (!path || strcmp(path, "-") == 0) return is_set ? TO_GRAPH6 : TO_EDGE_LIST;
    const size_t length = strlen(path);
    if ((length > 0 && path[length - 1] == '/') ||
        (stat(path, &info) == 0 && S_ISDIR(info.st_mode)))
        return TO_TUDATASET;
    for (int f = TO_EDGE_LIST; f <= TO_SPARSE6; f++)
        for (size_t i = 0; i < 5 && suffixes[f][i]; i++)
            if (ends(path, suffixes[f][i])) return f;
    usage_error("%s: the name does not tell a format; give --format", path);
}

void graph_put(output *out, const pvg_graph *graph, int format) {
    const pvg_io_options io = {.size = sizeof io, .format = format};
    size_t length = 0;
    must(pvg_graph_format(NULL, 0, &length, graph, &io));
    char *text = take(length + 1, 1);
    must(pvg_graph_format(text, length + 1, &length, graph, &io));
    output_bytes(out, text, length);
    bytes_free(text, length);
}

void json_pairs(json *j, int64_t count, const int64_t *offsets, const int32_t *targets,
                bool directed) {
    json_whole(j, "order", count);
    json_bool(j, "directed", directed);
    json_begin(j, "edges", '[');
    for (int64_t u = 0; u < count; u++)
        for (int64_t i = offsets[u]; i < offsets[u + 1]; i++) {
            if (!directed && targets[i] < u) continue;
            json_begin(j, NULL, '[');
            json_whole(j, NULL, u);
            json_whole(j, NULL, targets[i]);
            json_end(j, ']');
        }
    json_end(j, ']');
}

void json_graph(json *j, const pvg_graph *graph) {
    const int64_t *offsets = NULL;
    const int32_t *targets = NULL;
    must(pvg_graph_view_csr(&offsets, &targets, graph));
    json_pairs(j, pvg_graph_order(graph), offsets, targets, false);
}
