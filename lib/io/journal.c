/* A file that only grows, for one process at a time. The lock is flock's: it belongs to
 * the open file, so a second open fails even in the same process, and it ends with the
 * process, however that ends. An append is one write and one fdatasync, and a look at
 * the name before and after: a file that was replaced or unlinked takes no more records.
 * Creation fills a file without a name and gives it the name at the end, which fails if
 * the name is taken, so that no crash leaves half a beginning. Its descriptor is never
 * that of stdin, stdout or stderr, wherever the host has closed these. */
#include "io/journal.h"

#include "io/io_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { NAMES_TRIED = 100, OPENED_MOST = 8 };

/* The folder by a descriptor: the process may go elsewhere, the folder be renamed. The
 * name is that of the file itself: what takes its place must not take that of a link. */
static int32_t begin(pvgi_io_journal *out, const char *path, bool exists) {
    char real[PATH_MAX + 1];
    const char *verb = exists ? "open" : "create";
    *out = (pvgi_io_journal){.file = -1, .folder = -1};
    const size_t bytes = strlen(path) + 1;
    out->path = pvgi_alloc(bytes, 1);
    if (!out->path) return pvgi_fail_nomem();
    memcpy(out->path, path, bytes);
    if (!exists && bytes > sizeof real)
        return pvgi_io_fail_errno(path, verb, ENAMETOOLONG);
    if (exists && !realpath(path, real)) return pvgi_io_fail_errno(path, verb, errno);
    if (!exists) memcpy(real, path, bytes);
    char *slash = strrchr(real, '/');
    const char *name = slash ? slash + 1 : real;
    out->name = pvgi_alloc(strlen(name) + 1, 1);
    if (!out->name) return pvgi_fail_nomem();
    memcpy(out->name, name, strlen(name) + 1);
    if (slash) slash[1] = '\0';
    out->folder = pvgi_io_above_standard(
        open(slash ? real : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return out->folder >= 0 ? PVG_OK : pvgi_io_fail_errno(path, verb, errno);
}

void pvgi_io_journal_close(pvgi_io_journal *journal, bool unlock) {
    if (journal->file >= 0 && !journal->disk) {
        if (unlock) flock(journal->file, LOCK_UN);
        close(journal->file);
    }
    if (journal->folder >= 0) close(journal->folder);
    pvgi_free(journal->path);
    pvgi_free(journal->name);
    *journal = (pvgi_io_journal){.file = -1, .folder = -1};
}

/* --- the disk ------------------------------------------------------------------- */

static int64_t disk_read(const pvgi_io_journal *journal, uint8_t *content, size_t count,
                         uint64_t at) {
    if (journal->disk) return journal->disk->read(journal->context, content, count, at);
    return pread(journal->file, content, count, (off_t)at);
}

static int64_t disk_write(const pvgi_io_journal *journal, const uint8_t *content,
                          size_t count, uint64_t at) {
    if (journal->disk) return journal->disk->write(journal->context, content, count, at);
    return pwrite(journal->file, content, count, (off_t)at);
}

static int disk_sync(const pvgi_io_journal *journal) {
    if (journal->disk) return journal->disk->sync(journal->context);
    return fdatasync(journal->file);
}

static int disk_cut(const pvgi_io_journal *journal, uint64_t bytes) {
    if (journal->disk) return journal->disk->cut(journal->context, bytes);
    return ftruncate(journal->file, (off_t)bytes);
}

static int disk_size(const pvgi_io_journal *journal, uint64_t *bytes) {
    struct stat info;
    if (journal->disk) return journal->disk->size(journal->context, bytes);
    if (fstat(journal->file, &info) != 0) return -1;
    *bytes = (uint64_t)info.st_size;
    return 0;
}

/* 1: the name leads to this file; 0: to another or to none; -1: unknown. */
static int disk_named(const pvgi_io_journal *journal) {
    struct stat own, named;
    if (journal->disk) return journal->disk->named(journal->context);
    if (fstat(journal->file, &own) != 0) return -1;
    if (own.st_nlink == 0) return 0;
    if (fstatat(journal->folder, journal->name, &named, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT || errno == ELOOP ? 0 : -1;
    return own.st_dev == named.st_dev && own.st_ino == named.st_ino;
}

static int disk_place(const pvgi_io_journal *journal, pvgi_io_place *place) {
    struct statx info;
    if (journal->disk) return journal->disk->place(journal->context, place);
    if (statx(journal->file, "", AT_EMPTY_PATH, STATX_INO | STATX_BTIME, &info) != 0)
        return -1;
    *place = (pvgi_io_place){0};
    /* without a time the number may be one of the moment, as on some network disks */
    if ((info.stx_mask & STATX_BTIME) == 0 || info.stx_btime.tv_sec == 0) return 0;
    place->number = info.stx_ino;
    place->born =
        (uint64_t)info.stx_btime.tv_sec * UINT64_C(1000000000) + info.stx_btime.tv_nsec;
    return 0;
}

int32_t pvgi_io_journal_place(pvgi_io_place *out, const pvgi_io_journal *journal) {
    if (disk_place(journal, out) == 0) return PVG_OK;
    return pvgi_io_fail_errno(journal->path, "examine", errno);
}

static int32_t lock(const pvgi_io_journal *journal) {
    const int kind = journal->readonly ? LOCK_SH : LOCK_EX;
    while (flock(journal->file, kind | LOCK_NB) != 0) {
        if (errno == EINTR) continue;
        if (errno == EWOULDBLOCK)
            return pvgi_fail(PVG_E_BUSY, "%.200s: in use by another program or ledger",
                             journal->path);
        return pvgi_io_fail_errno(journal->path, "lock", errno);
    }
    return PVG_OK;
}

/* Some disks, most of them on networks, take every lock and keep nobody out. Whoever
 * opens the file a second time must be kept out; else nothing is charged there. That
 * machines know of each other's locks cannot be seen from one of them. */
static int32_t check_lock(const pvgi_io_journal *journal) {
    if (journal->readonly || journal->disk) return PVG_OK;
    const int second = openat(journal->folder, journal->name,
                              O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (second < 0 && errno == ENOENT) return PVG_OK; /* a charge looks for the name */
    if (second < 0) return pvgi_io_fail_errno(journal->path, "examine", errno);
    struct stat own, other;
    const bool same = fstat(journal->file, &own) == 0 && fstat(second, &other) == 0 &&
                      own.st_dev == other.st_dev && own.st_ino == other.st_ino;
    const bool idle = same && flock(second, LOCK_SH | LOCK_NB) == 0;
    close(second);
    if (!idle) return PVG_OK;
    return pvgi_fail(PVG_E_IO,
                     "%.200s: the locks of its disk do nothing, so that two programs "
                     "could charge at once; keep the ledger on a local disk",
                     journal->path);
}

int32_t pvgi_io_journal_get(const pvgi_io_journal *journal, uint8_t *content,
                            size_t count, uint64_t at) {
    while (count > 0) {
        const int64_t got = disk_read(journal, content, count, at);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return pvgi_io_fail_errno(journal->path, "read", errno);
        if (got == 0)
            return pvgi_fail(PVG_E_IO, "%.200s: became shorter while it was read",
                             journal->path);
        content += got;
        count -= (size_t)got;
        at += (uint64_t)got;
    }
    return PVG_OK;
}

static int32_t put(const pvgi_io_journal *journal, const uint8_t *content, size_t count,
                   uint64_t at) {
    while (count > 0) {
        const int64_t written = disk_write(journal, content, count, at);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0)
            return pvgi_io_fail_errno(journal->path, "write",
                                      written == 0 ? ENOSPC : errno);
        content += written;
        count -= (size_t)written;
        at += (uint64_t)written;
    }
    return PVG_OK;
}

static int32_t flush(const pvgi_io_journal *journal) {
    if (disk_sync(journal) == 0) return PVG_OK;
    return pvgi_io_fail_errno(journal->path, "flush", errno);
}

/* --- creating ------------------------------------------------------------------- */

static int disk_sync_names(const pvgi_io_journal *journal) {
    if (journal->disk) return journal->disk->sync_names(journal->context);
    return fsync(journal->folder);
}

/* The new name itself must reach the disk. */
static int32_t flush_folder(const pvgi_io_journal *journal) {
    /* some file systems cannot flush folders and say EINVAL */
    if (disk_sync_names(journal) == 0 || errno == EINVAL) return PVG_OK;
    return pvgi_io_fail_errno(journal->path, "flush the folder of", errno);
}

static int open_named(const pvgi_io_journal *journal, char *name, size_t bytes) {
    for (int attempt = 0; attempt < NAMES_TRIED; attempt++) {
        snprintf(name, bytes, ".privgraph-%ld-%d.tmp", (long)getpid(), attempt);
        const int file =
            openat(journal->folder, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (file < 0 && errno == EEXIST) continue;
        const int above = pvgi_io_above_standard(file);
        if (file >= 0 && above < 0) unlinkat(journal->folder, name, 0);
        return above;
    }
    return -1;
}

/* A file without a name, which nothing is left of after a crash; where the file system
 * has none, one with a short name. */
static int open_new(const pvgi_io_journal *journal, char *name, size_t bytes) {
    *name = '\0';
#ifdef O_TMPFILE
    const int nameless =
        openat(journal->folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (nameless >= 0) return pvgi_io_above_standard(nameless);
    if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL && errno != ENOENT)
        return -1;
#endif
    return open_named(journal, name, bytes);
}

/* Gives the file its name, which must be free. */
static int name_it(const pvgi_io_journal *journal, const char *name) {
    char link_name[64];
    if (*name) return linkat(journal->folder, name, journal->folder, journal->name, 0);
    snprintf(link_name, sizeof link_name, "/proc/self/fd/%d", journal->file);
    return linkat(AT_FDCWD, link_name, journal->folder, journal->name, AT_SYMLINK_FOLLOW);
}

static int32_t fill(pvgi_io_journal *out, uint8_t *content, size_t count,
                    pvgi_io_stamp *stamp) {
    pvgi_io_place place;
    if (!out->disk) PVGI_TRY(lock(out));
    if (stamp) {
        PVGI_TRY(pvgi_io_journal_place(&place, out));
        stamp(content, &place);
    }
    PVGI_TRY(put(out, content, count, 0));
    return flush(out);
}

static int32_t create(pvgi_io_journal *out, uint8_t *content, size_t count,
                      pvgi_io_stamp *stamp) {
    char name[64], message[PVGI_MESSAGE_BYTES];
    out->file = open_new(out, name, sizeof name);
    if (out->file < 0) return pvgi_io_fail_errno(out->path, "create", errno);
    int32_t status = fill(out, content, count, stamp);
    const bool linked = status == PVG_OK && name_it(out, name) == 0;
    if (status == PVG_OK && !linked)
        status = pvgi_io_fail_errno(out->path, "create", errno);
    if (*name) unlinkat(out->folder, name, 0);
    if (status == PVG_OK) status = flush_folder(out);
    if (status == PVG_OK) status = check_lock(out);
    out->bytes = count;
    if (status != PVG_OK && linked && disk_named(out) == 1) {
        /* what is not safe on the disk must not stay there as if it were */
        pvgi_message_save(message);
        unlinkat(out->folder, out->name, 0);
        pvgi_message_restore(message);
    }
    return status;
}

int32_t pvgi_io_journal_create(pvgi_io_journal *out, const char *path, uint8_t *content,
                               size_t count, pvgi_io_stamp *stamp) {
    int32_t status = begin(out, path, false);
    if (status == PVG_OK) status = create(out, content, count, stamp);
    if (status != PVG_OK) pvgi_io_journal_close(out, true);
    return status;
}

/* --- opening -------------------------------------------------------------------- */

/* Locks a file and copies what it holds. */
static int32_t read_whole(pvgi_io_journal *out, uint8_t **content, size_t *count) {
    uint64_t bytes = 0;
    if (!out->disk) PVGI_TRY(lock(out));
    /* it may have grown while another process still held the lock */
    if (disk_size(out, &bytes) != 0)
        return pvgi_io_fail_errno(out->path, "examine", errno);
    *count = (size_t)bytes;
    out->bytes = bytes;
    *content = pvgi_alloc(*count, 1);
    if (!*content) return pvgi_fail_nomem();
    return pvgi_io_journal_get(out, *content, *count, 0);
}

static int32_t open_and_read(pvgi_io_journal *out, uint8_t **content, size_t *count) {
    struct stat info;
    const int access = out->readonly ? O_RDONLY : O_RDWR;
    /* a pipe must not wait for somebody who writes */
    out->file = pvgi_io_above_standard(openat(
        out->folder, out->name, access | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
    if (out->file < 0) return pvgi_io_fail_errno(out->path, "open", errno);
    if (fstat(out->file, &info) != 0)
        return pvgi_io_fail_errno(out->path, "examine", errno);
    if (!S_ISREG(info.st_mode)) return pvgi_io_fail_errno(out->path, "use", EINVAL);
    return read_whole(out, content, count);
}

/* Another process may have put a new file there while this one waited for its turn. A
 * file that stays without the name (a mount of one that was removed) is read, but nothing
 * will be written to it. */
static int32_t open_named_file(pvgi_io_journal *out, uint8_t **content, size_t *count) {
    for (int attempt = 0;; attempt++) {
        PVGI_TRY(open_and_read(out, content, count));
        if (attempt == OPENED_MOST || disk_named(out) != 0) return check_lock(out);
        pvgi_free(*content);
        *content = NULL;
        close(out->file);
        out->file = -1;
    }
}

int32_t pvgi_io_journal_open(pvgi_io_journal *out, uint8_t **content, size_t *count,
                             const char *path, bool readonly) {
    *content = NULL;
    int32_t status = begin(out, path, true);
    out->readonly = readonly;
    if (status == PVG_OK) status = open_named_file(out, content, count);
    if (status != PVG_OK) {
        pvgi_free(*content);
        *content = NULL;
        pvgi_io_journal_close(out, false);
    }
    return status;
}

/* --- changing ------------------------------------------------------------------- */

static int32_t shorten(const pvgi_io_journal *journal, uint64_t bytes) {
    int result;
    do {
        result = disk_cut(journal, bytes);
    } while (result != 0 && errno == EINTR);
    return result == 0 ? PVG_OK : pvgi_io_fail_errno(journal->path, "shorten", errno);
}

int32_t pvgi_io_journal_cut(pvgi_io_journal *journal, uint64_t bytes) {
    PVGI_TRY(shorten(journal, bytes));
    PVGI_TRY(flush(journal));
    journal->bytes = bytes;
    return PVG_OK;
}

/* The lock keeps honest programs out, not a copy of this process nor an editor. */
static int32_t check_unchanged(pvgi_io_journal *journal) {
    uint64_t bytes = 0;
    if (disk_size(journal, &bytes) != 0)
        return pvgi_io_fail_errno(journal->path, "examine", errno);
    if (bytes == journal->bytes) return PVG_OK;
    journal->broken = true;
    return pvgi_fail(PVG_E_IO,
                     "%.200s: changed by someone else since it was opened; nothing is "
                     "written to it any more",
                     journal->path);
}

static int32_t check_named(pvgi_io_journal *journal) {
    const int named = disk_named(journal);
    if (named == 1) return PVG_OK;
    journal->broken = true;
    if (named < 0) return pvgi_io_fail_errno(journal->path, "examine", errno);
    return pvgi_fail(PVG_E_IO,
                     "%.200s: replaced, renamed or removed since it was opened; what is "
                     "charged here would be lost, so nothing is charged",
                     journal->path);
}

static int32_t check_usable(pvgi_io_journal *journal) {
    if (journal->readonly)
        return pvgi_fail(PVG_E_ARGUMENT, "%.200s: opened for reading", journal->path);
    if (journal->broken)
        return pvgi_fail(PVG_E_IO, "%.200s: an earlier write failed; open the file again",
                         journal->path);
    PVGI_TRY(check_unchanged(journal));
    return check_named(journal);
}

int32_t pvgi_io_journal_append(pvgi_io_journal *journal, const uint8_t *content,
                               size_t count) {
    char message[PVGI_MESSAGE_BYTES];
    PVGI_TRY(check_usable(journal));
    int32_t status = put(journal, content, count, journal->bytes);
    const bool whole = status == PVG_OK;
    if (whole) status = flush(journal);
    if (status == PVG_OK) {
        journal->bytes += count;
        return check_named(journal);
    }
    /* After a failed flush nobody knows what the disk has; a partial write can be undone.
     */
    pvgi_message_save(message);
    if (whole || pvgi_io_journal_cut(journal, journal->bytes) != PVG_OK)
        journal->broken = true;
    pvgi_message_restore(message);
    return status;
}

int32_t pvgi_io_journal_replace(pvgi_io_journal *journal, const uint8_t *content,
                                size_t count, uint64_t at) {
    PVGI_TRY(check_usable(journal));
    int32_t status = put(journal, content, count, at);
    if (status == PVG_OK) status = flush(journal);
    if (status == PVG_OK) return check_named(journal);
    journal->broken = true;
    return status;
}

/* --- exchanging ----------------------------------------------------------------- */

enum { BESIDE_BYTES = 48 };

/* A name that belongs to the file whose place is taken: who holds that one's lock may
 * remove what an exchange left there that never ended. */
static int name_beside(const pvgi_io_journal *journal, char name[BESIDE_BYTES]) {
    struct stat info;
    if (fstat(journal->file, &info) != 0) return -1;
    snprintf(name, BESIDE_BYTES, ".privgraph-%llx.tmp", (unsigned long long)info.st_ino);
    return 0;
}

static void remove_beside(const pvgi_io_journal *journal) {
    char name[BESIDE_BYTES];
    if (name_beside(journal, name) == 0) unlinkat(journal->folder, name, 0);
}

/* The owner, the rights and who else has some, as of the old one: whoever could charge
 * can go on. */
static int same_access(int file, int old_file, const struct stat *old) {
    static const char acl[] = "system.posix_acl_access";
    uint8_t list[4096];
    struct stat own;
    if (fstat(file, &own) != 0) return -1;
    if ((own.st_uid != old->st_uid || own.st_gid != old->st_gid) &&
        fchown(file, old->st_uid, old->st_gid) != 0)
        return -1;
    if (fchmod(file, old->st_mode & 07777) != 0) return -1;
    const ssize_t bytes = fgetxattr(old_file, acl, list, sizeof list);
    if (bytes < 0) return errno == ENODATA || errno == ENOTSUP ? 0 : -1;
    return fsetxattr(file, acl, list, (size_t)bytes, 0);
}

/* A file with a name, because only a name can take the place of another in one step. */
static int disk_beside(const pvgi_io_journal *journal, pvgi_io_journal *other) {
    char name[BESIDE_BYTES];
    struct stat old;
    if (journal->disk) return journal->disk->beside(journal->context, &other->context);
    if (name_beside(journal, name) != 0 || fstat(journal->file, &old) != 0) return -1;
    unlinkat(journal->folder, name, 0);
    const int made =
        openat(journal->folder, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (made < 0) return -1;
    other->file = pvgi_io_above_standard(made);
    if (other->file >= 0 && same_access(other->file, journal->file, &old) == 0) return 0;
    const int problem = errno;
    unlinkat(journal->folder, name, 0);
    if (other->file >= 0) close(other->file);
    errno = problem;
    return -1;
}

static int disk_find_beside(const pvgi_io_journal *journal, pvgi_io_journal *other) {
    char name[BESIDE_BYTES];
    if (journal->disk)
        return journal->disk->find_beside(journal->context, &other->context);
    if (name_beside(journal, name) != 0) return -1;
    other->file = pvgi_io_above_standard(
        openat(journal->folder, name, O_RDWR | O_CLOEXEC | O_NOFOLLOW));
    return other->file >= 0 ? 0 : -1;
}

static int disk_take_name(const pvgi_io_journal *journal, const pvgi_io_journal *other) {
    char name[BESIDE_BYTES];
    if (journal->disk) return journal->disk->take_name(journal->context, other->context);
    if (name_beside(journal, name) != 0) return -1;
    return renameat(journal->folder, name, journal->folder, journal->name);
}

static void disk_forget(const pvgi_io_journal *journal, const pvgi_io_journal *other) {
    if (journal->disk) {
        journal->disk->forget(journal->context, other->context);
    } else {
        remove_beside(journal);
        close(other->file);
    }
}

int32_t pvgi_io_journal_finish_exchange(pvgi_io_journal *journal) {
    if (journal->disk)
        journal->disk->forget(journal->context, NULL);
    else
        remove_beside(journal);
    return flush_folder(journal);
}

/* Another name would go on leading to the old file. */
int32_t pvgi_io_journal_one_name(const pvgi_io_journal *journal) {
    struct stat info;
    if (journal->disk) return PVG_OK;
    if (fstat(journal->file, &info) != 0)
        return pvgi_io_fail_errno(journal->path, "examine", errno);
    if (info.st_nlink <= 1) return PVG_OK;
    return pvgi_fail(PVG_E_IO,
                     "%.200s: has %llu names (hard links), and only one of them would "
                     "lead to the new file; remove the others first",
                     journal->path, (unsigned long long)info.st_nlink);
}

/* One byte, which cannot be written in part. */
static int32_t put_mark(pvgi_io_journal *journal, uint64_t at, uint8_t mark) {
    const int32_t status = put(journal, &mark, 1, at);
    return status == PVG_OK ? flush(journal) : status;
}

static void go_on_with(pvgi_io_journal *journal, const pvgi_io_journal *other) {
    if (!journal->disk) {
        flock(journal->file, LOCK_UN);
        close(journal->file);
    }
    *journal = *other;
}

/* The old file has its mark, and the new one does not get the name: the mark goes again,
 * where that is known to be so. */
static int32_t take_back(pvgi_io_journal *journal, const pvgi_io_journal *other,
                         const pvgi_io_successor *next, uint8_t old, int problem) {
    journal->broken = true;
    if (disk_named(journal) == 1 && put_mark(journal, next->mark_at, old) == PVG_OK) {
        journal->broken = false;
        disk_forget(journal, other);
    } else if (!journal->disk) {
        close(other->file); /* stays: the next who opens the old one goes on with it */
    }
    return pvgi_io_fail_errno(journal->path, "replace", problem);
}

/* From the mark on whoever reaches the old file, by whatever name, charges nothing to it.
 * The new one has a name on the disk before, so that it can always be found. */
static int32_t hand_over(pvgi_io_journal *journal, const pvgi_io_journal *other,
                         const pvgi_io_successor *next) {
    uint8_t old = 0;
    int32_t status = pvgi_io_journal_get(journal, &old, 1, next->mark_at);
    if (status == PVG_OK) status = flush_folder(journal);
    if (status == PVG_OK) status = check_named(journal);
    if (status == PVG_OK) status = pvgi_io_journal_one_name(journal);
    if (status != PVG_OK) {
        char message[PVGI_MESSAGE_BYTES];
        pvgi_message_save(message);
        disk_forget(journal, other);
        pvgi_message_restore(message);
        return status;
    }
    status = put_mark(journal, next->mark_at, next->mark);
    if (status != PVG_OK) {
        journal->broken = true;
        if (!journal->disk) close(other->file);
        return status;
    }
    if (disk_take_name(journal, other) != 0)
        return take_back(journal, other, next, old, errno);
    go_on_with(journal, other);
    /* which of the two a crash leaves is open until then, and one might get charges */
    status = flush_folder(journal);
    if (status != PVG_OK) journal->broken = true;
    return status;
}

int32_t pvgi_io_journal_exchange(pvgi_io_journal *journal,
                                 const pvgi_io_successor *next) {
    char message[PVGI_MESSAGE_BYTES];
    PVGI_TRY(check_usable(journal));
    PVGI_TRY(pvgi_io_journal_one_name(journal));
    pvgi_io_journal other = *journal;
    other.bytes = next->count;
    if (disk_beside(journal, &other) != 0)
        return pvgi_io_fail_errno(journal->path, "replace", errno);
    const int32_t status = fill(&other, next->content, next->count, next->stamp);
    if (status == PVG_OK) return hand_over(journal, &other, next);
    pvgi_message_save(message);
    disk_forget(journal, &other);
    pvgi_message_restore(message);
    return status;
}

int32_t pvgi_io_journal_beside(pvgi_io_journal *other, uint8_t **content, size_t *count,
                               const pvgi_io_journal *journal) {
    *other = *journal;
    *content = NULL;
    if (disk_find_beside(journal, other) != 0) {
        other->file = -1;
        return errno == ENOENT ? PVG_OK
                               : pvgi_io_fail_errno(journal->path, "replace", errno);
    }
    const int32_t status = read_whole(other, content, count);
    if (status == PVG_OK) return PVG_OK;
    if (!other->disk) close(other->file);
    pvgi_free(*content);
    *content = NULL;
    return status;
}

int32_t pvgi_io_journal_succeed(pvgi_io_journal *journal, const pvgi_io_journal *other,
                                int32_t status) {
    if (status == PVG_OK) status = flush(other); /* whoever filled it may have died */
    if (status == PVG_OK && disk_take_name(journal, other) != 0)
        status = pvgi_io_fail_errno(journal->path, "replace", errno);
    if (status != PVG_OK) {
        if (!other->disk) close(other->file);
        return status;
    }
    go_on_with(journal, other);
    return flush_folder(journal);
}
