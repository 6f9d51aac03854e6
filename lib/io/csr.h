/* csr files: the rows of a graph as they stand in memory, with a digest of each block
 * (docs/guide/formats.md). What the reader, the writers, the map and programs that read
 * ranges of rows share. */
#ifndef PVGI_CSR_H
#define PVGI_CSR_H

#include "io/io_internal.h"
#include "rng/rng_internal.h"

enum {
    PVGI_CSR_HEAD = 4096,     /* bytes; sections begin at multiples of it */
    PVGI_CSR_BLOCK = 1 << 20, /* bytes of a section that one digest covers */
    PVGI_CSR_TAIL = 64
};

/* What a header says, and where things are because of it. The offsets begin behind the
 * header; the table has a digest for each block of offsets, then for each of columns. */
typedef struct {
    int64_t order, arcs;
    uint8_t declared; /* PVGI_DECLARED_* */
    uint64_t columns_at, table_at, bytes;
    int64_t offset_blocks, column_blocks;
} pvgi_io_csr_shape;

/* From order and arcs, which are in range. */
pvgi_io_csr_shape pvgi_io_csr_measure(int64_t order, int64_t arcs, uint8_t declared);
void pvgi_io_csr_put_head(char head[PVGI_CSR_HEAD], const pvgi_io_csr_shape *shape);
/* The end of a file: digest of header and table. */
void pvgi_io_csr_put_tail(char tail[PVGI_CSR_TAIL], const char head[PVGI_CSR_HEAD],
                          const uint8_t *table, int64_t blocks);
void pvgi_io_csr_digest(uint8_t out[PVGI_DIGEST_BYTES], const void *block, size_t bytes);

/* --- reading --------------------------------------------------------------------- */

/* An open file, or bytes in memory, whose header, table and end are sound. */
typedef struct {
    pvgi_io_csr_shape shape;
    const char *name;   /* for messages */
    const char *memory; /* NULL: file */
    int file;
    bool own; /* file is closed with it */
    uint8_t *table;
    char head[PVGI_CSR_HEAD];
} pvgi_io_csr_file;

/* path must live as long as the file. Ends with close, also on failure. */
int32_t pvgi_io_csr_open(pvgi_io_csr_file *out, const char *path, pvgi_run *run);
int32_t pvgi_io_csr_wrap(pvgi_io_csr_file *out, const char *name, const char *memory,
                         int file, uint64_t bytes, pvgi_run *run);
void pvgi_io_csr_close(pvgi_io_csr_file *file);
/* `count` entries from `first` on, which must be there: their blocks are compared with
 * the digests. What the numbers say is not looked at. */
int32_t pvgi_io_csr_get_offsets(int64_t *out, const pvgi_io_csr_file *file, int64_t first,
                                int64_t count, pvgi_run *run);
int32_t pvgi_io_csr_get_columns(int32_t *out, const pvgi_io_csr_file *file, int64_t first,
                                int64_t count, pvgi_run *run);

/* All of it: digests, and that these are the rows of a simple undirected graph. Rows that
 * are not symmetric pass with a probability below arcs / 2^60, whoever made them. */
int32_t pvgi_io_csr_check(const pvgi_io_csr_file *file, const int64_t *offsets,
                          const int32_t *columns, pvgi_run *run);
/* What the caller told against what the file says. */
int32_t pvgi_io_csr_check_order(const pvgi_io_csr_file *file, const pvgi_io_call *call);

/* --- the reader and writer of the format's row (csr.c) --------------------------- */

int32_t pvgi_io_csr_parse(pvg_graph **out, pvgi_io_call *call, pvgi_io_feed *feed,
                          int32_t format);
int32_t pvgi_io_put_csr(pvgi_io_sink *sink, pvgi_io_call *call, const pvg_graph *graph,
                        int32_t format);
/* One opening for one question, for processes that read a share of the rows each. */
int32_t pvgi_io_csr_tell(int64_t *order, int64_t *arcs, int32_t *declared,
                         uint64_t digest[2], const char *path, const pvg_run *run);
int32_t pvgi_io_csr_range(void *out, bool columns, const char *name, const char *path,
                          int64_t first, int64_t count, const pvg_run *run);
/* mapped.c */
int32_t pvgi_io_map(pvg_graph **out, pvgi_io_call *call, const char *path);

#endif
