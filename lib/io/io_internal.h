/* io, inside. A call reads text, whole or by windows (feed.c over file.c), finds its
 * lines (scan.c), parses numbers straight into packed pairs (pairs.c) or columns
 * (column.c), and builds a graph (build.c). Each format is one file on top of these. */
#ifndef PVGI_IO_H
#define PVGI_IO_H

#include "base/base_internal.h"
#include "base/number.h"
#include "graph/graph_internal.h"
#include "privgraph/io.h"

/* Everything a call needs: checked options, run, and how many bytes one parallel chunk of
 * text has. Chunks are fixed by the file, so results do not depend on threads; tests set
 * a tiny size to force lines across every boundary. */
typedef struct pvgi_io_pack pvgi_io_pack;
typedef struct {
    pvg_io_options options;
    pvgi_run run;
    int64_t order; /* nodes of an edge list as far as the caller said; -1: not */
    size_t chunk_bytes;
    pvgi_io_pack *pack; /* NULL, or where pairs go instead of a graph (pack.c) */
} pvgi_io_call;

PVGI_SHARED int32_t pvgi_io_begin(pvgi_io_call *call, const pvg_io_options *options,
                                  const pvg_run *run, const char *function);

/* --- files (file.c) ------------------------------------------------------------- */

/* The bytes of one file or of caller memory. Parsers want every line to end in '\n', so
 * an unfinished last line that we may not write behind is kept again in `tail`. */
typedef struct {
    const char *name; /* for messages */
    const char *data;
    size_t bytes;
    int64_t lines_before; /* of the file, before data */
    char *tail;           /* last line with a '\n' added, or NULL */
    size_t tail_begin;    /* where it starts in data; bytes if there is none */
    char *owned;          /* block to free, or NULL */
    const char *lent;     /* what the load hook lent, or NULL */
    size_t lent_bytes;
} pvgi_io_source;

/* Loads a file through the options' hooks or the file system. missing may be NULL; if
 * not, a file that does not exist sets it and is no failure. */
PVGI_SHARED int32_t pvgi_io_load(pvgi_io_source *out, pvgi_io_call *call,
                                 const char *path, bool *missing);
/* A source over caller memory. */
int32_t pvgi_io_wrap(pvgi_io_source *out, const char *data, size_t bytes,
                     const char *name);
/* PVG_E_IO with "path: cannot action: reason of the system". */
int32_t pvgi_io_fail_errno(const char *path, const char *action, int error);

/* The same open file by a number above those of stdin, stdout and stderr. A host that has
 * closed these gets their numbers for the next files, and what anybody prints then goes
 * there. -1 stays -1; -1 and errno if there is no number left. */
int pvgi_io_above_standard(int file);
PVGI_SHARED void pvgi_io_unload(pvgi_io_source *source, const pvgi_io_call *call);

/* Open files, by which feed.c reads. A missing one leaves *file at -1; regular: it has a
 * size and can be read at any place. get takes just the bytes that are there; drain takes
 * all there are until the end. */
int32_t pvgi_io_file_open(int *file, uint64_t *size, bool *regular, const char *path,
                          bool *missing);
int32_t pvgi_io_file_get(int file, char *out, size_t bytes, uint64_t at, const char *path,
                         pvgi_run *run);
int32_t pvgi_io_file_drain(char **out, size_t *bytes, int file, const char *path,
                           const pvgi_run *run);
void pvgi_io_file_close(int file);

/* A file as windows of whole lines, of which one is in memory at a time. Text that is in
 * memory anyway is one window. */
typedef struct {
    pvgi_io_source text; /* the window; without bytes at the end */
    uint64_t before;     /* bytes before it */
    uint64_t total;      /* of the file; UINT64_MAX: its end has not been seen */
    double phase;        /* share of the run's progress that reading is */
    pvgi_io_call *call;
    pvgi_io_source all; /* of text that is one window */
    bool whole, begun, missing, ended;
    int file;
    uint64_t size, at;             /* of the file, UINT64_MAX: not known; read so far */
    char *block;                   /* what was read and is not done with */
    size_t capacity, filled, used; /* of it; used: the window */
} pvgi_io_feed;
/* Opens, and shows the first window. missing as above. */
int32_t pvgi_io_feed_open(pvgi_io_feed *feed, pvgi_io_call *call, const char *path,
                          bool *missing);
/* Text that stays the caller's. */
void pvgi_io_feed_wrap(pvgi_io_feed *feed, pvgi_io_call *call,
                       const pvgi_io_source *source);
int32_t pvgi_io_feed_next(pvgi_io_feed *feed);
int32_t pvgi_io_feed_all(pvgi_io_feed *feed);   /* while the first window is shown */
int32_t pvgi_io_feed_again(pvgi_io_feed *feed); /* the first window once more */
void pvgi_io_feed_close(pvgi_io_feed *feed);

/* folder + "/" + name + suffix in a new block. */
int32_t pvgi_io_path(char **out, const char *folder, const char *name,
                     const char *suffix);

/* Where a writer's text goes: nowhere but counted, caller memory, or a temporary file
 * beside the target that is renamed at the end. */
typedef struct {
    char *memory;    /* NULL: none */
    size_t capacity; /* of memory */
    int file;        /* -1: none */
    char *temporary; /* its path */
    const char *path;
    uint64_t bytes; /* written so far */
} pvgi_io_sink;

void pvgi_io_sink_memory(pvgi_io_sink *sink, char *memory, size_t capacity);
PVGI_SHARED int32_t pvgi_io_sink_open(pvgi_io_sink *sink, const char *path);
/* The same for what nobody else may read: a new file is the owner's alone. */
int32_t pvgi_io_sink_open_private(pvgi_io_sink *sink, const char *path);
PVGI_SHARED int32_t pvgi_io_sink_put(pvgi_io_sink *sink, const char *bytes, size_t count);
/* Ends a file: status PVG_OK makes it appear, anything else leaves the old one. Returns
 * status, or the failure of ending. Nothing to do for memory. */
PVGI_SHARED int32_t pvgi_io_sink_close(pvgi_io_sink *sink, int32_t status);
/* Removes a file; a missing one is fine. */
int32_t pvgi_io_remove(const char *path);

/* --- lines and failures (scan.c; scan.h has the inline number scanner) ---------- */

/* Lines of a source, an unfinished last one too. */
int64_t pvgi_io_count_lines(const pvgi_io_source *source);
/* Records "name:line: reason" for the line that holds data[offset]. */
int32_t pvgi_io_fail(const pvgi_io_source *source, int32_t status, size_t offset,
                     const char *format, ...) PVGI_PRINTF(4, 5);
/* "name:line: expected WHAT, found 'token'"; at is the token, in memory that ends in
 * '\n'. */
int32_t pvgi_io_fail_token(const pvgi_io_source *source, size_t offset, const char *at,
                           const char *expected);

/* Text in memory that ends in '\n'; data[offset] of the source is *begin. */
typedef struct {
    const char *begin, *end;
    size_t offset;
} pvgi_io_span;
/* The part [begin, end) of a source as at most two spans; begin and end are line starts
 * or the end. Returns their number. */
int pvgi_io_spans(pvgi_io_span out[2], const pvgi_io_source *source, size_t begin,
                  size_t end);

/* The lines of a source from `begin` on, cut into chunks at line starts. */
typedef struct {
    int64_t chunks;
    size_t *starts; /* chunks + 1 offsets */
    int64_t *lines; /* chunks + 1: number of the first line of each chunk, from 0 */
} pvgi_io_lines;
int32_t pvgi_io_lines_find(pvgi_io_lines *out, pvgi_io_call *call,
                           const pvgi_io_source *source, size_t begin);
void pvgi_io_lines_free(pvgi_io_lines *lines);

/* PVG_E_LIMIT unless a graph whose order is only stated, not listed node by node, may
 * have `order` nodes: at most order_limit, or where that is not set, 2^20 plus four for
 * every byte of the file, so that memory stays in proportion to the file. */
int32_t pvgi_io_check_order(const pvgi_io_call *call, const pvgi_io_source *source,
                            size_t offset, uint64_t order, uint64_t bytes);
/* PVG_E_FORMAT if a graph of a file that lists or states its nodes has another number of
 * them than the caller told. */
int32_t pvgi_io_check_same_order(const pvgi_io_call *call, const pvgi_io_source *source,
                                 size_t offset, uint64_t order);
int64_t pvgi_io_order_bound(const pvgi_io_call *call, uint64_t bytes);

/* --- pairs of nodes (pairs.c) and graphs from them (build.c) -------------------- */

typedef enum {
    PVGI_IO_EXTRA_REFUSED,
    PVGI_IO_EXTRA_IGNORED,
    PVGI_IO_EXTRA_VALUE /* exactly one more number */
} pvgi_io_extra;

typedef struct {
    uint64_t begin;      /* first byte of the pairs in the file */
    int64_t base;        /* number of the first node */
    int64_t bound;       /* nodes are 0 .. bound - 1 */
    bool bound_is_order; /* a node beyond is a malformed file, not a limit */
    bool comments;       /* lines that start with # or % are skipped */
    pvgi_io_extra extra;
    const int32_t *graph_of; /* NULL, or both ends must have the same entry */
    bool mirrored;           /* every edge is listed in each direction */
} pvgi_io_pairs_rules;

/* Pairs in the order of the file, first node in the high half. Loops that the policy
 * drops are not kept, but counted in entries. Pairs that repeat one shortly before are
 * not kept either: a file may be nothing but repeats. Where both directions must be
 * listed, those that lead down are turned round and kept apart. */
enum { PVGI_IO_RECENT = 1 << 12 };
typedef struct {
    pvgi_edges kept, back;
    int64_t entries;
    int64_t largest; /* -1 without pairs */
    int64_t pairs;   /* of the file, repeats too */
    int64_t repeat;  /* first of them that was seen to repeat one; -1: none was */
    bool directed, apart;
    int64_t most;       /* stop after that many pairs */
    uint64_t *recent;   /* PVGI_IO_RECENT words; NULL: every pair is kept */
    pvgi_io_pack *pack; /* takes them instead */
} pvgi_io_pairs;

/* again: -1; or to look for a failure, the number of pairs to keep, in their order and
 * with all repeats. Begin ends with pairs_free, also on failure. */
int32_t pvgi_io_pairs_begin(pvgi_io_pairs *out, const pvgi_io_call *call, bool mirrored,
                            int64_t again);
int32_t pvgi_io_pairs_take(pvgi_io_pairs *out, uint64_t pair);
void pvgi_io_pairs_free(pvgi_io_pairs *pairs);

/* From the window that the feed shows on. Frees what it has on failure. */
int32_t pvgi_io_pairs_parse(pvgi_io_pairs *out, pvgi_io_feed *feed,
                            const pvgi_io_pairs_rules *rules, int64_t again);

/* How to tell the line of a bad pair: parse again, and fail at pair number index. */
typedef struct {
    pvgi_io_feed *feed;
    const void *rules;
    int32_t (*parse)(pvgi_io_pairs *out, pvgi_io_feed *feed, const void *rules,
                     int64_t again);
    int32_t (*fail)(pvgi_io_feed *feed, const void *rules, int64_t index,
                    const char *reason);
} pvgi_io_blame;
pvgi_io_blame pvgi_io_blame_pairs(pvgi_io_feed *feed, const pvgi_io_pairs_rules *rules);

/* Graph from pairs, which are used up; none if the call packs them. mirrored: a
 * well-formed list has every edge once in each direction; else once. PVG_EDGES_MERGE
 * accepts any. */
int32_t pvgi_io_build(pvg_graph **out, pvgi_io_call *call, pvgi_io_pairs *pairs,
                      int64_t order, bool mirrored, const pvgi_io_blame *blame);

/* --- one value per line (column.c) ---------------------------------------------- */

/* One integer in [least, most] per line; what: "a class". Blank lines at the end are
 * ignored. */
int32_t pvgi_io_column_parse(int32_t **out, int64_t *count, pvgi_io_call *call,
                             const pvgi_io_source *source, int64_t least, int64_t most,
                             const char *what);
/* The same number of reals on every line, separated by blanks or commas. */
int32_t pvgi_io_table_parse(double **out, int64_t *rows, int64_t *columns,
                            pvgi_io_call *call, const pvgi_io_source *source);
/* Offset of line number `line` (from 0). */
size_t pvgi_io_line_offset(const pvgi_io_source *source, int64_t line);

/* --- formats -------------------------------------------------------------------- */

/* One row of the table in format.c. */
enum { PVGI_IO_SIGNS = 5 };
typedef struct {
    const char *word;                    /* in options and bindings */
    const char *suffixes[PVGI_IO_SIGNS]; /* of file names */
    const char *begins[PVGI_IO_SIGNS];   /* how such files begin */
    int32_t (*read)(pvg_graph **out, pvgi_io_call *call, pvgi_io_feed *feed,
                    int32_t format);
    int32_t (*write)(pvgi_io_sink *sink, pvgi_io_call *call, const pvg_graph *graph,
                     int32_t format); /* NULL: only read */
    bool sets;                        /* one graph per line, so that it holds sets */
    bool may_hide_order; /* a graph whose order nobody declared can be written */
    bool says_declared;  /* ... and one whose numbers nobody declared: the file says so */
    bool binary;         /* not text; can be mapped */
} pvgi_io_format;
const pvgi_io_format *pvgi_io_format_row(int32_t format); /* NULL: there is none */
/* PVG_FORMAT_AUTO where nothing tells. */
int32_t pvgi_io_format_of_name(const char *name);
int32_t pvgi_io_format_find(const char *name, const char *data, size_t bytes);

/* Readers; of several formats, the last argument says which. */
int32_t pvgi_io_edge_list_parse(pvg_graph **out, pvgi_io_call *call, pvgi_io_feed *feed,
                                int32_t format);
int32_t pvgi_io_matrix_market_parse(pvg_graph **out, pvgi_io_call *call,
                                    pvgi_io_feed *feed, int32_t format);
int32_t pvgi_io_metis_parse(pvg_graph **out, pvgi_io_call *call, pvgi_io_feed *feed,
                            int32_t format);

/* graph6.c: format is GRAPH6, SPARSE6, or AUTO (each line says). */
int32_t pvgi_io_graph6_parse(pvg_graph **out, pvgi_io_call *call, pvgi_io_feed *feed,
                             int32_t format);
int32_t pvgi_io_graph6_parse_set(pvg_graphset **out, pvgi_io_call *call,
                                 const pvgi_io_source *source, int32_t format);

/* features.c */
int32_t pvgi_io_features_parse(pvg_features **out, pvgi_io_call *call,
                               const pvgi_io_source *source, int64_t columns);
/* folder.c */
int32_t pvgi_io_folder_read(pvg_graph **graph, pvg_features **features,
                            pvg_labels **labels, pvgi_io_call *call, const char *folder,
                            int64_t feature_columns);

/* tudataset.c */
int32_t pvgi_io_tudataset_read(pvg_graphset **out, pvgi_io_call *call, const char *folder,
                               const char *name);
int32_t pvgi_io_tudataset_write(const char *folder, const char *name,
                                const pvg_graphset *set, pvgi_io_call *call);

/* choose.c: the calls that work for all formats. */
int32_t pvgi_io_parse_feed(pvg_graph **out, pvgi_io_call *call, pvgi_io_feed *feed);
int32_t pvgi_io_parse(pvg_graph **out, pvgi_io_call *call, const pvgi_io_source *source);
int32_t pvgi_io_parse_set(pvg_graphset **out, pvgi_io_call *call,
                          const pvgi_io_source *source);
/* Format to write for a path (NULL: memory); PVG_E_ARGUMENT where the name does not say.
 */
int32_t pvgi_io_choose_write(int32_t *format, const pvgi_io_call *call, const char *path);
/* PVG_E_UNDECLARED if the format would tell an order that was read off the edges. */
int32_t pvgi_io_check_declared(const char *function, unsigned declared, int32_t format);

/* --- writing text fast (write.c) ------------------------------------------------ */

/* Text made of pieces that can be formatted independently: piece i needs at most `most`
 * bytes; fill writes it and returns its length. */
typedef struct {
    int64_t pieces;
    size_t most;
    size_t (*fill)(const void *context, int64_t piece, char *out);
    const void *context;
} pvgi_io_pieces;

/* The entries of compressed rows, one "row SEPARATOR column" line each. */
typedef struct {
    int64_t order;
    const int64_t *offsets;
    const int32_t *columns;
    int64_t base;          /* added to both numbers */
    const char *separator; /* at most 2 characters */
    enum { PVGI_IO_UPPER, PVGI_IO_LOWER, PVGI_IO_BOTH } triangle;
} pvgi_io_rows;
int32_t pvgi_io_put_rows(pvgi_io_sink *sink, pvgi_io_call *call,
                         const pvgi_io_rows *rows);
/* One integer per line. */
int32_t pvgi_io_put_column(pvgi_io_sink *sink, pvgi_io_call *call, const int32_t *values,
                           int64_t count);
/* graph6.c: one line per graph. */
int32_t pvgi_io_put_graph6(pvgi_io_sink *sink, pvgi_io_call *call, const pvg_graph *graph,
                           int32_t format);
int32_t pvgi_io_put_graph6_set(pvgi_io_sink *sink, pvgi_io_call *call,
                               const pvg_graphset *set, int32_t format);

/* --- lists (lists.c) ------------------------------------------------------------- */

/* From the first window on; options are checked. */
int32_t pvgi_io_lists(pvg_lists **out, pvgi_io_feed *feed,
                      const pvg_lists_options *options);

#endif
