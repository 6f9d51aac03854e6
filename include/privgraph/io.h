/* io: reading and writing graphs. Include <privgraph.h>.
 *
 * The only room that touches files. A malformed file gives PVG_E_FORMAT with file, line
 * and reason; nothing is allocated on the word of a header alone. Writers write a
 * temporary file beside the target and rename it, so a file is complete or not there.
 * docs/formats.md describes every format. */
#ifndef PRIVGRAPH_IO_H
#define PRIVGRAPH_IO_H

#include "graph.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    PVG_FORMAT_AUTO = 0,          /* by file name and first bytes */
    PVG_FORMAT_EDGE_LIST = 1,     /* "u v" per line, # and % comments (SNAP) */
    PVG_FORMAT_MATRIX_MARKET = 2, /* coordinate, symmetric or general */
    PVG_FORMAT_GRAPH6 = 3,        /* one graph per line */
    PVG_FORMAT_SPARSE6 = 4,       /* one graph per line */
    PVG_FORMAT_METIS = 5          /* read only */
};

/* How files are opened. The default reads the file system. A host that keeps its data
 * compressed or elsewhere passes its own pair: load makes the bytes of `path` available
 * and returns 0, 1 if there is no such file, anything else on failure; unload gives them
 * back. (The library does not link a decompressor; the privgraph tool's gzip support is
 * this hook over zlib.) */
typedef struct pvg_io_options {
    uint32_t size;       /* sizeof(pvg_io_options) */
    uint32_t policy;     /* PVG_EDGES_*; for edge lists, Matrix Market and TUDataset */
    int32_t format;      /* PVG_FORMAT_* */
    int32_t index_base;  /* edge lists: number of the first node, 0 or 1 */
    int64_t order;       /* edge lists: nodes; 0: largest number + 1 */
    int64_t order_limit; /* refuse larger graphs; 0: 2^31 - 1 */
    int32_t (*load)(void *context, const char *path, const char **data, size_t *bytes);
    void (*unload)(void *context, const char *data, size_t bytes);
    void *load_context;
} pvg_io_options;

/* Reads one graph. Since 0.1. */
PRIVGRAPH_API int32_t pvg_graph_read(pvg_graph **out, const char *path,
                                     const pvg_io_options *options, const pvg_run *run);

/* The same from memory; messages call it "<memory>". Since 0.1. */
PRIVGRAPH_API int32_t pvg_graph_parse(pvg_graph **out, const char *data, size_t bytes,
                                      const pvg_io_options *options, const pvg_run *run);

/* Writes one graph; AUTO chooses by the file name (.txt .el .edges, .mtx, .g6, .s6).
 * Since 0.1. */
PRIVGRAPH_API int32_t pvg_graph_write(const char *path, const pvg_graph *graph,
                                      const pvg_io_options *options, const pvg_run *run);

/* The same into memory; (out, capacity, length) as pvg_build_info_copy. Since 0.1. */
PRIVGRAPH_API int32_t pvg_graph_format(char *out, size_t capacity, size_t *length,
                                       const pvg_graph *graph,
                                       const pvg_io_options *options);

/* Reads / writes a set of graphs, one graph6 or sparse6 line each. Since 0.1. */
PRIVGRAPH_API int32_t pvg_graphset_read(pvg_graphset **out, const char *path,
                                        const pvg_io_options *options,
                                        const pvg_run *run);
PRIVGRAPH_API int32_t pvg_graphset_parse(pvg_graphset **out, const char *data,
                                         size_t bytes, const pvg_io_options *options,
                                         const pvg_run *run);
PRIVGRAPH_API int32_t pvg_graphset_write(const char *path, const pvg_graphset *set,
                                         const pvg_io_options *options,
                                         const pvg_run *run);

/* Reads a TUDataset folder: FOLDER/NAME_A.txt, NAME_graph_indicator.txt and, where
 * present, NAME_graph_labels.txt, NAME_graph_attributes.txt (targets),
 * NAME_node_labels.txt. name NULL: the last part of the folder's path. Since 0.1. */
PRIVGRAPH_API int32_t pvg_graphset_read_tudataset(pvg_graphset **out, const char *folder,
                                                  const char *name,
                                                  const pvg_io_options *options,
                                                  const pvg_run *run);

/* Writes those files into an existing folder. Since 0.1. */
PRIVGRAPH_API int32_t pvg_graphset_write_tudataset(const char *folder, const char *name,
                                                   const pvg_graphset *set,
                                                   const pvg_run *run);

/* Reads a node-level folder: edges.txt, and where the output pointer is not NULL,
 * features.txt ("i j k" or "i:x j:y" per node) and labels.txt (one class per line).
 * feature_columns: width of the feature matrix, 0: largest index + 1. Since 0.1. */
PRIVGRAPH_API int32_t pvg_graph_read_folder(pvg_graph **graph, pvg_features **features,
                                            pvg_labels **labels, const char *folder,
                                            int64_t feature_columns,
                                            const pvg_io_options *options,
                                            const pvg_run *run);

#ifdef __cplusplus
}
#endif

#endif
