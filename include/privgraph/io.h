/* io: reading and writing graphs. Include <privgraph.h>.
 *
 * The only module that touches files. A malformed file gives PVG_E_FORMAT with file, line
 * and reason; nothing is allocated on the word of a header alone. Writers write a
 * temporary file beside the target and rename it, so a file is complete or not there.
 * docs/guide/formats.md describes every format. */
#ifndef PRIVGRAPH_IO_H
#define PRIVGRAPH_IO_H

#include "graph.h"

#ifdef __cplusplus
extern "C" {
#endif

enum pvg_format {
    PVG_FORMAT_AUTO = 0,          /* by first bytes and file name */
    PVG_FORMAT_EDGE_LIST = 1,     /* "u v" per line, # and % comments (SNAP) */
    PVG_FORMAT_MATRIX_MARKET = 2, /* coordinate, symmetric or general */
    PVG_FORMAT_GRAPH6 = 3,        /* one graph per line */
    PVG_FORMAT_SPARSE6 = 4,       /* one graph per line */
    PVG_FORMAT_METIS = 5,         /* read only */
    PVG_FORMAT_CSR_FILE = 6       /* binary, for pvg_graph_map */
};

/* What can be done with files of a format. */
enum { PVG_CAN_READ = 1, PVG_CAN_WRITE = 2, PVG_CAN_SETS = 4, PVG_CAN_MAP = 8 };

/* The word for a format in options and bindings ("edge-list"); NULL if there is none, so
 * that a program can list them. Since 0.1. */
PRIVGRAPH_API const char *pvg_format_name(PVG_ENUM(FORMAT) int32_t format);

/* PVG_CAN_*: files of the format are read, are written, hold sets of graphs, can be
 * mapped. 0 for AUTO and for what is no format. Since 0.1. */
PRIVGRAPH_API PVG_FLAGS(CAN) uint32_t pvg_format_can(PVG_ENUM(FORMAT) int32_t format);

/* *out = what PVG_FORMAT_AUTO finds for a file by its first bytes (data, `bytes` of them)
 * and its name; PVG_FORMAT_AUTO if neither tells. Since 0.1. */
PRIVGRAPH_API int32_t pvg_format_find(int32_t *out, PVG_OPT const char *path,
                                      PVG_LEN(bytes) const char *data, size_t bytes);

/* How text becomes a graph and how files are opened. NULL or all zero: no repeated edges,
 * no self loops, files from the file system.
 *
 * policy: an edge list and a symmetric Matrix Market file list every edge once; a general
 * Matrix Market file, a METIS file and a TUDataset folder list every edge once in each
 * direction. Anything else is PVG_E_FORMAT naming the line; PVG_EDGES_MERGE accepts edges
 * repeated or listed in one direction only, PVG_EDGES_DROP_LOOPS ignores self loops.
 *
 * order: the number of nodes is public in every guarantee, so it must be declared: here,
 * or by the file. An edge list that begins with "# order N", Matrix Market, graph6,
 * sparse6, METIS, the indicator of a TUDataset, the lines of labels.txt or features.txt
 * tell it. Where nobody does, an edge list is read with its largest number + 1; that
 * depends on the edges, and no release takes such a graph (pvg_graph_order_declared).
 * Told here, it holds: the header of Matrix Market, which may be the largest number that
 * some program saw, may state fewer nodes but not more; any graph of the other formats
 * must have as many, each graph of a set too. What disagrees is PVG_E_FORMAT. The numbers
 * that a file gives its nodes are kept, and are public as well (graph.h): a file numbered
 * in the order in which edges name the nodes, by degree or in a canonical form is not for
 * releases, and the library cannot see it.
 *
 * order_limit: where a file only states its order (the largest number of an edge list,
 * the header of Matrix Market or sparse6) a few bytes could ask for gigabytes. Without a
 * limit of the caller such a graph may have 2^20 nodes plus four per byte of the file;
 * more is PVG_E_LIMIT.
 *
 * A host that keeps its data compressed or elsewhere passes its own pair of functions:
 * load makes the bytes of `path` available and returns 0, 1 if there is no such file,
 * anything else on failure; unload (may be NULL) gives them back. Or, instead of both,
 * read, which copies up to `bytes` bytes of `path` from `offset` on to `out` and returns
 * how many: 0 at the end, -1 if there is no such file, any other negative number on
 * failure. Offsets follow each other; one of 0 begins the file anew (a failure is told
 * with its line), and a call with `out` NULL says that no more is wanted. What is read
 * this way, and what the library reads itself, is in memory by windows of 16 MiB, not as
 * a whole: a graph takes what it keeps of its file. All are called from the calling
 * thread. (The library does not link a decompressor; the privgraph tool's gzip support is
 * this hook over zlib.) */
typedef struct pvg_io_options {
    uint32_t size;                    /* sizeof(pvg_io_options) */
    PVG_FLAGS(EDGES) uint32_t policy; /* PVG_EDGES_* */
    PVG_ENUM(FORMAT) int32_t format;  /* PVG_FORMAT_* */
    int32_t index_base;               /* edge lists: number of the first node, 0 or 1 */
    /* edge lists: 1 ignores what follows the two numbers of a line (weights, times), 0
     * refuses it */
    PVG_BOOL int32_t extra_columns;
    int32_t reserved;    /* zero */
    int64_t order;       /* nodes; 0: what the file says (an edge list: in a first line
                            * "# order N"), else the largest number + 1 */
    int64_t order_limit; /* refuse larger graphs; 0: 2^31 - 1, and see above */
    int32_t (*load)(void *context, const char *path, const char **data, size_t *bytes);
    void (*unload)(void *context, const char *data, size_t bytes);
    void *load_context;
    int64_t (*read)(void *context, const char *path, int64_t offset, char *out,
                    size_t bytes);
} pvg_io_options;

/* Reads one graph; a graph6 or sparse6 file must hold exactly one. AUTO knows the names
 * *.txt *.el *.edges *.csv *.tsv, *.mtx, *.g6, *.s6, *.graph *.metis, *.csr, each also
 * with .gz or .zst behind it for hosts whose hook unpacks, and the first bytes of Matrix
 * Market, of csr files, of edge lists that begin with a comment (#), of sparse6 and of
 * graph6 with a header. A file that neither tells is PVG_E_FORMAT: it is not guessed. A
 * csr file is copied into memory; pvg_graph_map leaves it where it is. Since 0.1. */
PRIVGRAPH_API int32_t pvg_graph_read(pvg_graph **out, const char *path,
                                     PVG_OPT const pvg_io_options *options,
                                     const pvg_run *run);

/* The same from memory; messages call it "<memory>". Since 0.1. */
PRIVGRAPH_API int32_t pvg_graph_parse(pvg_graph **out, PVG_LEN(bytes) const char *data,
                                      size_t bytes, PVG_OPT const pvg_io_options *options,
                                      const pvg_run *run);

/* Writes one graph; AUTO chooses by the file name as above, and a name that does not tell
 * is PVG_E_ARGUMENT. An edge list starts with "# order N", so isolated nodes survive;
 * Matrix Market is written as pattern symmetric. An existing file keeps its group and
 * permissions (those of a group that we may not give are dropped); a target that is no
 * regular file is refused with PVG_E_IO.
 *
 * A graph whose order was not declared is written as an edge list without that line; the
 * other formats would tell it, and are PVG_E_UNDECLARED; a csr file says that it was
 * not declared. A new csr file has the mode 0600. Since 0.1. */
PRIVGRAPH_API int32_t pvg_graph_write(const char *path, const pvg_graph *graph,
                                      PVG_OPT const pvg_io_options *options,
                                      const pvg_run *run);

/* The same as text in memory, where AUTO is an edge list; (out, capacity, length) as
 * pvg_build_info_copy. Since 0.1. */
PRIVGRAPH_API int32_t pvg_graph_format(char *out, size_t capacity, size_t *length,
                                       const pvg_graph *graph,
                                       PVG_OPT const pvg_io_options *options);

/* A graph whose rows stay in a csr file, which is mapped: memory is taken for what is
 * computed, not for edges. Every function takes it, with the same bits as for a graph in
 * memory. The file is read once, all of it: a damaged, foreign or truncated one is
 * PVG_E_FORMAT and names the block; one that others may write, or that belongs neither
 * to the effective user nor to root, is PVG_E_IO. Of options, order and order_limit
 * count. The nodes are declared if they were when the file was made.
 *
 * The file must not change while the graph lives. Whether it did (its size, its times,
 * its header) is asked before and after each call that takes the graph: PVG_E_IO, what
 * the call made is dropped, and what was charged stays charged. A file that is cut off
 * while it is read ends the process with SIGBUS. Freeing the graph wipes nothing: what
 * is private is in the file. Since 0.1. */
PRIVGRAPH_API int32_t pvg_graph_map(pvg_graph **out, const char *path,
                                    PVG_OPT const pvg_io_options *options,
                                    const pvg_run *run);

/* Of a csr file, for processes that read a share of its rows each: how many nodes and
 * arcs it has, whether its nodes are declared, and two words that differ where two files
 * do; then `count` offsets, of order + 1, or columns, of arcs, from `first` on. What is
 * read is compared with the digests of its blocks, header and table of digests with their
 * own; that the rows are those of a graph is not looked at (pvg_parts_new does). Since
 * 0.1. */
PRIVGRAPH_API int32_t pvg_csr_file_shape(int64_t *order, int64_t *arcs, int32_t *declared,
                                         PVG_LEN(2) uint64_t *digest, const char *path,
                                         const pvg_run *run);
PRIVGRAPH_API int32_t pvg_csr_file_offsets(PVG_LEN(count) int64_t *out, const char *path,
                                           int64_t first, int64_t count,
                                           const pvg_run *run);
PRIVGRAPH_API int32_t pvg_csr_file_columns(PVG_LEN(count) int32_t *out, const char *path,
                                           int64_t first, int64_t count,
                                           const pvg_run *run);

/* Makes a csr file from a file of any format that is read, whose edges need not fit into
 * memory: they are sorted with about `memory` bytes (0: 1 GiB; at least 1 MiB), and with
 * 16 bytes of disk for each edge, in the folder of `path`, beside the file itself. (A
 * graph6, sparse6 or csr file is read as a whole.) options are those of `source`. The
 * file has the mode 0600 unless it was there before; it is complete or not there. Since
 * 0.1. */
PRIVGRAPH_API int32_t pvg_graph_pack(const char *path, const char *source,
                                     PVG_OPT const pvg_io_options *options,
                                     int64_t memory, const pvg_run *run);

/* Reads / writes a set of graphs, one graph6 or sparse6 line each; AUTO reads any mixture
 * and writes by the file name. Labels and targets are not part of these formats. A set
 * with a graph whose order was not declared is PVG_E_UNDECLARED to write. Since 0.1. */
PRIVGRAPH_API int32_t pvg_graphset_read(pvg_graphset **out, const char *path,
                                        PVG_OPT const pvg_io_options *options,
                                        const pvg_run *run);
PRIVGRAPH_API int32_t pvg_graphset_parse(pvg_graphset **out,
                                         PVG_LEN(bytes) const char *data, size_t bytes,
                                         PVG_OPT const pvg_io_options *options,
                                         const pvg_run *run);
PRIVGRAPH_API int32_t pvg_graphset_write(const char *path, const pvg_graphset *set,
                                         PVG_OPT const pvg_io_options *options,
                                         const pvg_run *run);

/* Reads a TUDataset folder: FOLDER/NAME_A.txt, NAME_graph_indicator.txt and, where
 * present, NAME_graph_labels.txt (-1: no class), NAME_graph_attributes.txt (targets),
 * NAME_node_labels.txt. name NULL: the last part of the folder's path. A set whose
 * classes are -1 and 1 is refused: number them 0 and 1. Since 0.1. */
PRIVGRAPH_API int32_t pvg_graphset_read_tudataset(pvg_graphset **out, const char *folder,
                                                  PVG_OPT const char *name,
                                                  PVG_OPT const pvg_io_options *options,
                                                  const pvg_run *run);

/* Writes those files into an existing folder, and removes those of the five that this set
 * does not need. Each file is complete or not there; the five together need not be. A set
 * with a graph whose order was not declared is PVG_E_UNDECLARED. Since 0.1. */
PRIVGRAPH_API int32_t pvg_graphset_write_tudataset(const char *folder,
                                                   PVG_OPT const char *name,
                                                   const pvg_graphset *set,
                                                   const pvg_run *run);

/* Reads a node-level folder: edges.txt, and where the output pointer is not NULL,
 * features.txt ("i j k" or "i:x j:y" per node, indices from 0 ascending) and labels.txt
 * (one class per line, -1: none). The graph's order is options->order, else the lines of
 * labels.txt, else those of features.txt, whichever of them exist, else as for edge
 * lists. feature_columns: width of the feature matrix; 0: largest index + 1, which
 * depends on the features, so that no release that hides features takes them
 * (PVG_E_UNDECLARED: their perturbation, message passing at node level). Since 0.1. */
PRIVGRAPH_API int32_t pvg_graph_read_folder(pvg_graph **graph,
                                            PVG_OPT pvg_features **features,
                                            PVG_OPT pvg_labels **labels,
                                            const char *folder, int64_t feature_columns,
                                            PVG_OPT const pvg_io_options *options,
                                            const pvg_run *run);

/* --- lists ------------------------------------------------------------------------ */

/* How lists stand in a file. */
typedef struct pvg_lists_options {
    uint32_t size;                 /* sizeof(pvg_lists_options) */
    PVG_BOOL int32_t header;       /* 1: the first line names columns */
    int32_t person_column;         /* from 0 */
    int32_t thing_column;          /* from 0; equal to person_column: the next one */
    PVG_BOOL int32_t drop_unknown; /* 1: what is not in the catalogue is left out */
    int32_t reserved;
    int64_t persons; /* how many there are, a public number; 0: as many as are named */
    int64_t things;  /* they have numbers below it; 0: they have names */
    /* Public: names of all things, one in a line. NULL: see things; without either they
     * are those that are named. */
    const char *catalogue;
} pvg_lists_options;

/* Reads lists: a line for each entry, with a person and a thing among its columns, which
 * stand between commas, semicolons or tabs; in double quotes they may hold these. A
 * person is named by any text, and gets a number when she is first named; things of a
 * catalogue have the number of their line, from 0. What options do not declare is
 * inferred, and no release takes such lists. PVG_E_FORMAT names file and line. files: how
 * files are opened, may be NULL. Since 0.1. */
PRIVGRAPH_API int32_t pvg_lists_read(pvg_lists **out, const char *path,
                                     PVG_OPT const pvg_lists_options *options,
                                     PVG_OPT const pvg_io_options *files,
                                     const pvg_run *run);
/* The same from text in memory. Since 0.1. */
PRIVGRAPH_API int32_t pvg_lists_parse(pvg_lists **out, PVG_LEN(bytes) const char *data,
                                      size_t bytes,
                                      PVG_OPT const pvg_lists_options *options,
                                      const pvg_run *run);

#ifdef __cplusplus
}
#endif

#endif
