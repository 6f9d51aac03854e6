/* Graphs in files: which format a name asks for, and writing in it. */
#include "tool.h"

#include <string.h>
#include <sys/stat.h>

int graph_format(const char *path, int wanted, bool is_set) {
    struct stat info;
    int32_t found = PVG_FORMAT_AUTO;
    if (wanted != PVG_FORMAT_AUTO) return wanted;
    if (!path || strcmp(path, "-") == 0)
        return is_set ? PVG_FORMAT_GRAPH6 : PVG_FORMAT_EDGE_LIST;
    const size_t length = strlen(path);
    if ((length > 0 && path[length - 1] == '/') ||
        (stat(path, &info) == 0 && S_ISDIR(info.st_mode)))
        return TO_TUDATASET;
    must(pvg_format_find(&found, path, NULL, 0));
    if (!(pvg_format_can(found) & PVG_CAN_WRITE))
        usage_error("%s: the name does not tell a format to write; give --format", path);
    return found;
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
