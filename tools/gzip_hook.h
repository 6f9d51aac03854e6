/* The one reader of gzip: bytes of a file, unpacked, up to a limit of the caller's (a
 * packed file may unpack to a thousand times its size), and the load hook of
 * pvg_io_options over it. Used by the program, the tests, the studies and the bench. */
#ifndef GZIP_HOOK_H
#define GZIP_HOOK_H

#include <privgraph.h>

/* Without a limit of the caller's: 2^32 bytes, and 64 MiB plus 100 times the packed ones,
 * so that a small file takes little. */
enum { GZIP_LIMIT_DEFAULT = 32, GZIP_FREE_BYTES = 1 << 26, GZIP_RATIO_MOST = 100 };

/* All bytes of an open file, which is closed; what is not packed passes as it is. limit:
 * 0: the default. The
 * block has a byte of room behind them. tick (may be NULL) is called now and then and
 * does not return to give up. NULL: *reason says why. */
char *gzip_read(int file, uint64_t limit, void (*tick)(void), size_t *count,
                const char **reason);
/* Wipes: the bytes may be private. */
void gzip_free(char *bytes, size_t count);

/* Sets load, unload and load_context: PATH if it exists, else PATH.gz. limit lives as
 * long as the options; NULL: the default. */
void gzip_hook(pvg_io_options *options, const uint64_t *limit);

#endif
