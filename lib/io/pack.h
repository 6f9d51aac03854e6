/* A csr file from edges that need not fit into memory (pack.c). */
#ifndef PVGI_PACK_H
#define PVGI_PACK_H

#include "io/csr.h"

/* Least memory to sort in, and what 0 stands for. */
enum { PVGI_PACK_LEAST = 1 << 20, PVGI_PACK_DEFAULT = 1 << 30 };

/* Reads the edges of `source` and makes the file. */
int32_t pvgi_io_pack_file(pvgi_io_call *call, const char *path, const char *source,
                          int64_t memory);

/* For parsers whose call has a pack instead of a graph to make. Pair number index of the
 * list; directed: the list has to name each edge in both directions. */
int32_t pvgi_io_pack_take(pvgi_io_pack *pack, uint64_t pair, int64_t index,
                          bool directed);
/* All pairs were taken: sorts and writes rows. repeat: a pair that was seen to repeat
 * one, or -1. */
int32_t pvgi_io_pack_rows(pvgi_io_pack *pack, int64_t order, int64_t repeat,
                          const pvgi_io_blame *blame);
void pvgi_io_pack_declare(pvgi_io_pack *pack, uint8_t declared);

#endif
