/* io, inside: a file that only grows, for one process at a time. Knows no graph, so that
 * rooms of the public lane may use it. */
#ifndef PVGI_IO_JOURNAL_H
#define PVGI_IO_JOURNAL_H

#include "base/base_internal.h"

/* What a journal asks of the disk, so that tests can be one. Results and errno as of the
 * system calls. */
typedef struct {
    int64_t (*write)(void *context, const uint8_t *content, size_t count, uint64_t at);
    int (*sync)(void *context);
    int (*cut)(void *context, uint64_t bytes);
    int (*size)(void *context, uint64_t *bytes);
    /* 1 if the name still leads to this file */
    int (*named)(void *context);
    /* a new, empty file beside this one; it takes this one's name, or is forgotten */
    int (*beside)(void *context, void **other);
    int (*take_name)(void *context, void *other);
    void (*forget)(void *context, void *other);
    /* names reach the disk */
    int (*sync_names)(void *context);
} pvgi_io_disk;

typedef struct {
    int file;                 /* -1: none */
    int folder;               /* where the name stands; -1: none */
    uint64_t bytes;           /* length of what is known to be on the disk */
    bool broken;              /* it is unknown what the file holds beyond `bytes` */
    char *path;               /* for messages */
    const pvgi_io_disk *disk; /* NULL: the system's */
    void *context;            /* of disk */
} pvgi_io_journal;

/* Makes a new file with this content, on the disk and locked; it appears whole or not at
 * all. PVG_E_IO if there is one already. */
int32_t pvgi_io_journal_create(pvgi_io_journal *out, const char *path,
                               const uint8_t *content, size_t count);
/* Opens and locks a file and copies its content into a new block. PVG_E_IO if another
 * process, or this one, has it open. */
int32_t pvgi_io_journal_open(pvgi_io_journal *out, uint8_t **content, size_t *count,
                             const char *path);
/* The name reaches the disk, and nothing is left of an exchange that a crash ended: to be
 * done before anything is built on a file that was opened. The process that gave it the
 * name may have died before it could wait, and a power failure would then bring back what
 * was there before, without what was written since. */
int32_t pvgi_io_journal_settle(pvgi_io_journal *journal);
/* Shortens the file to `bytes`, on the disk. */
int32_t pvgi_io_journal_cut(pvgi_io_journal *journal, uint64_t bytes);
/* Appends and waits for the disk. On failure the file is as before, or broken is set.
 * PVG_E_IO and broken if the name leads to another file, before or afterwards: what is
 * written to a file without its name is lost with the process. */
int32_t pvgi_io_journal_append(pvgi_io_journal *journal, const uint8_t *content,
                               size_t count);
/* Writes over what is there, within its length, and waits for the disk. On failure broken
 * is set. */
int32_t pvgi_io_journal_replace(pvgi_io_journal *journal, const uint8_t *content,
                                size_t count, uint64_t at);
/* Puts a new file with this content in the place of the journal's, on the disk and
 * locked, and goes on with it: after a crash the name leads to the old one or to the new
 * one, each whole. On failure the journal is as before, or broken is set. */
int32_t pvgi_io_journal_exchange(pvgi_io_journal *journal, const uint8_t *content,
                                 size_t count);
/* Closes the file. unlock: also release the lock, which forked copies of the descriptor
 * would keep; not in such a copy, which would release that of its parent. */
void pvgi_io_journal_close(pvgi_io_journal *journal, bool unlock);

#endif
