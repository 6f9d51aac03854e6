/* The one reader of gzip: bytes of a file, unpacked, up to a limit of the caller's (a
 * packed file may unpack to a thousand times its size), and the read hook of
 * pvg_io_options over it. Used by the program, the tests, the studies and the bench. */
#ifndef GZIP_HOOK_H
#define GZIP_HOOK_H

#include <privgraph.h>

/* Without a limit of the caller's: 2^32 bytes, and 64 MiB plus 100 times the packed ones,
 * so that a small file takes little. */
enum { GZIP_LIMIT_DEFAULT = 32, GZIP_FREE_BYTES = 1 << 26, GZIP_RATIO_MOST = 100 };

/* An open file by pieces; it is closed at the end, or at once where memory fails (NULL).
 * What is not packed passes as it is. limit: 0: the default. tick (may be NULL) is called
 * now and then and does not return to give up. A pull gives the number of bytes, 0 at the
 * end, or below 0 and *reason. */
typedef struct gzip_stream gzip_stream;
gzip_stream *gzip_open(int file, uint64_t limit, void (*tick)(void));
int64_t gzip_pull(gzip_stream *stream, char *out, size_t bytes, const char **reason);
void gzip_close(gzip_stream *stream);

/* PATH if it exists, else PATH.gz; below 0: errno says why. */
int gzip_open_file(const char *path);

/* All bytes of an open file in a block that has a byte of room behind them. NULL: *reason
 * says why. */
char *gzip_read(int file, uint64_t limit, void (*tick)(void), size_t *count,
                const char **reason);
/* Wipes: the bytes may be private. */
void gzip_free(char *bytes, size_t count);

/* Sets read and load_context: PATH if it exists, else PATH.gz. limit lives as
 * long as the options; NULL: the default. */
void gzip_hook(pvg_io_options *options, const uint64_t *limit);

#endif
