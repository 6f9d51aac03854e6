/* Folders of one graph: edges.txt, and line i about node i in features.txt and
 * labels.txt. edges.txt does not list isolated nodes, so the number of nodes is the
 * number of lines of labels.txt, else of features.txt, whether or not the caller wants
 * their content. */
#include "io/io_internal.h"

typedef struct {
    pvgi_io_source source;
    char *path;
    bool missing;
} folder_file;

static int32_t open_file(folder_file *file, pvgi_io_call *call, const char *folder,
                         const char *name, bool required) {
    PVGI_TRY(pvgi_io_path(&file->path, folder, name, ""));
    return pvgi_io_load(&file->source, call, file->path,
                        required ? NULL : &file->missing);
}

static void close_file(folder_file *file, const pvgi_io_call *call) {
    pvgi_io_unload(&file->source, call);
    pvgi_free(file->path);
}

static int32_t read_labels(pvg_labels **out, int64_t *rows, pvgi_io_call *call,
                           const char *folder, bool required) {
    folder_file file = {0};
    int32_t *values = NULL;
    int32_t status;
    *rows = -1;
    PVGI_TRY_DONE(open_file(&file, call, folder, "labels.txt", required));
    if (file.missing) goto done;
    PVGI_TRY_DONE(pvgi_io_column_parse(&values, rows, call, &file.source, -1,
                                       INT32_MAX - 1, "a class (or -1)"));
    status = pvgi_graph_labels_from_array(out, values, *rows);
done:
    pvgi_free(values);
    close_file(&file, call);
    return status;
}

static int32_t read_features(pvg_features **out, int64_t rows, pvgi_io_call *call,
                             const char *folder, int64_t columns, bool required) {
    folder_file file = {0};
    int32_t status;
    PVGI_TRY_DONE(open_file(&file, call, folder, "features.txt", required));
    if (file.missing) goto done;
    PVGI_TRY_DONE(pvgi_io_features_parse(out, call, &file.source, columns));
    if (rows >= 0 && (*out)->rows != rows) {
        pvgi_graph_features_free(*out);
        *out = NULL;
        status = pvgi_io_fail(&file.source, PVG_E_FORMAT, file.source.bytes,
                              "the number of lines is not the number of nodes");
    }
done:
    close_file(&file, call);
    return status;
}

static int32_t read_edges(pvg_graph **out, int64_t order, pvgi_io_call *call,
                          const char *folder) {
    char *path = NULL;
    pvgi_io_feed feed;
    PVGI_TRY(pvgi_io_path(&path, folder, "edges.txt", ""));
    int32_t status = pvgi_io_feed_open(&feed, call, path, NULL);
    if (status == PVG_OK) {
        call->order = order;
        status = pvgi_io_edge_list_parse(out, call, &feed, PVG_FORMAT_EDGE_LIST);
        pvgi_io_feed_close(&feed);
    }
    pvgi_free(path);
    return status;
}

int32_t pvgi_io_folder_read(pvg_graph **graph, pvg_features **features,
                            pvg_labels **labels, pvgi_io_call *call, const char *folder,
                            int64_t feature_columns) {
    pvg_graph *own_graph = NULL;
    pvg_features *own_features = NULL;
    pvg_labels *own_labels = NULL;
    const int64_t limit = call->options.order_limit;
    int64_t order = call->order, rows = -1;
    int32_t status;
    PVGI_TRY_DONE(read_labels(&own_labels, &rows, call, folder, labels != NULL));
    if (order >= 0 && rows >= 0 && rows != order) {
        status = pvgi_fail(PVG_E_FORMAT,
                           "%.200s/labels.txt: the number of lines is not options.order",
                           folder);
        goto done;
    }
    if (order < 0) order = rows;
    if (features || order < 0)
        PVGI_TRY_DONE(read_features(&own_features, order, call, folder, feature_columns,
                                    features != NULL));
    if (order < 0 && own_features) order = own_features->rows;
    if (order > (limit > 0 ? limit : INT32_MAX)) {
        status = pvgi_fail(PVG_E_LIMIT, "%.200s: more than %lld nodes", folder,
                           (long long)(limit > 0 ? limit : INT32_MAX));
        goto done;
    }
    PVGI_TRY_DONE(read_edges(&own_graph, order, call, folder));
done:
    if (status == PVG_OK) {
        *graph = own_graph;
        own_graph = NULL;
        if (features) {
            *features = own_features;
            own_features = NULL;
        }
        if (labels) {
            *labels = own_labels;
            own_labels = NULL;
        }
    }
    pvgi_graph_free(own_graph);
    pvgi_graph_features_free(own_features);
    pvgi_graph_labels_free(own_labels);
    return status;
}
