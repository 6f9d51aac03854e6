/* io, inside: a file that only grows, for one process at a time. Knows no graph, so that
 * rooms of the public lane may use it. */
#ifndef PVGI_IO_JOURNAL_H
#define PVGI_IO_JOURNAL_H

#include "base/base_internal.h"

typedef struct {
    int file;       /* -1: none */
    uint64_t bytes; /* length of what is known to be on the disk */
    bool broken;    /* it is unknown what the file holds beyond `bytes` */
    char *path;     /* for messages */
} pvgi_io_journal;

/* Makes a new file with this content, on the disk and locked; it appears whole or not at
 * all. PVG_E_IO if there is one already. */
int32_t pvgi_io_journal_create(pvgi_io_journal *out, const char *path,
                               const uint8_t *content, size_t count);
/* Opens and locks a file and copies its content into a new block. PVG_E_IO if another
 * process, or this one, has it open. */
int32_t pvgi_io_journal_open(pvgi_io_journal *out, uint8_t **content, size_t *count,
                             const char *path);
/* Shortens the file to `bytes`, on the disk. */
int32_t pvgi_io_journal_cut(pvgi_io_journal *journal, uint64_t bytes);
/* Appends and waits for the disk. On failure the file is as before, or broken is set. */
int32_t pvgi_io_journal_append(pvgi_io_journal *journal, const uint8_t *content,
                               size_t count);
/* Releases the lock with the last copy of the file descriptor. */
void pvgi_io_journal_close(pvgi_io_journal *journal);

#endif
