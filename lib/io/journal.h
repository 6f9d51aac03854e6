/* io, inside: a file that only grows, for one process at a time. Knows no graph, so that
 * modules of the public lane may use it. */
#ifndef PVGI_IO_JOURNAL_H
#define PVGI_IO_JOURNAL_H

#include "base/base_internal.h"

/* Which file of the machine this is, whatever its name and content: a copy is another.
 * The number that the file system gave it, and when it made it, which nobody can set.
 * Zeros where the file system does not tell. */
typedef struct {
    uint64_t number, born;
} pvgi_io_place;

typedef struct pvgi_io_journal pvgi_io_journal;

/* What a journal asks of the disk, so that tests can be one. Results and errno as of the
 * system calls. */
typedef struct {
    int64_t (*read)(void *context, uint8_t *content, size_t count, uint64_t at);
    int64_t (*write)(void *context, const uint8_t *content, size_t count, uint64_t at);
    int (*sync)(void *context);
    int (*cut)(void *context, uint64_t bytes);
    int (*size)(void *context, uint64_t *bytes);
    /* 1 if the name still leads to this file */
    int (*named)(void *context);
    int (*place)(void *context, pvgi_io_place *place);
    /* a new, empty file beside this one; it takes this one's name, or is forgotten */
    int (*beside)(void *context, void **other);
    /* the one that is still there; ENOENT */
    int (*find_beside)(void *context, void **other);
    int (*take_name)(void *context, void *other);
    void (*forget)(void *context, void *other);
    /* names reach the disk */
    int (*sync_names)(void *context);
    /* a second file, elsewhere */
    int32_t (*elsewhere)(void *context, const char *path, pvgi_io_journal *out);
} pvgi_io_disk;

struct pvgi_io_journal {
    int file;                 /* -1: none */
    int folder;               /* where the name stands; -1: none */
    uint64_t bytes;           /* length of what is known to be on the disk */
    bool broken;              /* it is unknown what the file holds beyond `bytes` */
    bool readonly;            /* nothing is written; others may read too */
    char *path;               /* for messages */
    char *name;               /* in the folder: of the file itself, not of a link to it */
    const pvgi_io_disk *disk; /* NULL: the system's */
    void *context;            /* of disk */
};

/* Writes into the content of a new file which file it is. */
typedef void pvgi_io_stamp(uint8_t *content, const pvgi_io_place *place);

/* Makes a new file with this content, on the disk and locked; it appears whole or not at
 * all. stamp: NULL, or called before it is written. PVG_E_IO if there is one already. */
int32_t pvgi_io_journal_create(pvgi_io_journal *out, const char *path, uint8_t *content,
                               size_t count, pvgi_io_stamp *stamp);
/* Opens and locks a file and copies its content into a new block. A link is followed,
 * once and for all. PVG_E_IO if another process, or this one, has it open; readonly:
 * for writing. */
int32_t pvgi_io_journal_open(pvgi_io_journal *out, uint8_t **content, size_t *count,
                             const char *path, bool readonly);
/* Which file it is. */
int32_t pvgi_io_journal_place(pvgi_io_place *out, const pvgi_io_journal *journal);
/* PVG_E_IO if the file has more than one name: another would not lead to its
 * successor. */
int32_t pvgi_io_journal_one_name(const pvgi_io_journal *journal);
/* Bytes as they are in the file now. */
int32_t pvgi_io_journal_get(const pvgi_io_journal *journal, uint8_t *content,
                            size_t count, uint64_t at);
/* The name reaches the disk, and nothing is left of an exchange that a crash ended: to be
 * done before anything is built on a file that was opened. The process that gave it the
 * name may have died before it could wait, and a power failure would then bring back what
 * was there before, without what was written since. */
int32_t pvgi_io_journal_finish_exchange(pvgi_io_journal *journal);
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
/* The file that takes the place of another. */
typedef struct {
    uint8_t *content;
    size_t count;
    pvgi_io_stamp *stamp; /* NULL: none */
    /* what the old file says from then on, for whoever still reaches it: one byte */
    uint64_t mark_at;
    uint8_t mark;
} pvgi_io_successor;

/* Puts a new file in the place of the journal's, with its owner and rights, on the disk
 * and locked, and goes on with it: after a crash the name leads to the new one, or to the
 * old one, which is as it was or has its mark; then the new one stands beside it
 * (pvgi_io_journal_beside). PVG_E_IO if the file has more than one name: the others would
 * still lead to the old one. On failure the journal is as before, or broken is set. */
int32_t pvgi_io_journal_exchange(pvgi_io_journal *journal, const pvgi_io_successor *next);
/* What an exchange left beside a file that has its mark, locked, and its content in a new
 * block; other->file is -1 if there is none. Then pvgi_io_journal_succeed gives it the
 * name and the journal goes on with it; if status is not PVG_OK it is left there. */
int32_t pvgi_io_journal_beside(pvgi_io_journal *other, uint8_t **content, size_t *count,
                               const pvgi_io_journal *journal);
int32_t pvgi_io_journal_succeed(pvgi_io_journal *journal, const pvgi_io_journal *other,
                                int32_t status);
/* Closes the file. unlock: also release the lock, which forked copies of the descriptor
 * would keep; not in such a copy, which would release that of its parent. */
void pvgi_io_journal_close(pvgi_io_journal *journal, bool unlock);

#endif
