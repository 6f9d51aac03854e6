/* A file that only grows, for one process at a time. The lock is flock's: it belongs to
 * the open file, so a second open fails even in the same process, and it ends with the
 * process, however that ends. An append is one write and one fdatasync. Creation writes a
 * nameless neighbour first and gives it the name at the end, which fails if the name is
 * taken, so that no crash leaves half a beginning. */
#include "io/journal.h"

#include "io/io_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAMES_TRIED = 100 };

static int32_t begin(pvgi_io_journal *out, const char *path) {
    *out = (pvgi_io_journal){.file = -1};
    const size_t bytes = strlen(path) + 1;
    out->path = pvgi_alloc(bytes, 1);
    if (!out->path) return pvgi_fail_nomem();
    memcpy(out->path, path, bytes);
    return PVG_OK;
}

void pvgi_io_journal_close(pvgi_io_journal *journal) {
    if (journal->file >= 0) close(journal->file);
    pvgi_free(journal->path);
    *journal = (pvgi_io_journal){.file = -1};
}

static int32_t lock(const pvgi_io_journal *journal) {
    while (flock(journal->file, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EINTR) continue;
        if (errno == EWOULDBLOCK)
            return pvgi_fail(PVG_E_IO, "%.200s: in use by another program or ledger",
                             journal->path);
        return pvgi_io_fail_errno(journal->path, "lock", errno);
    }
    return PVG_OK;
}

static int32_t put(const pvgi_io_journal *journal, const uint8_t *content, size_t count,
                   uint64_t at) {
    while (count > 0) {
        const ssize_t written = pwrite(journal->file, content, count, (off_t)at);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return pvgi_io_fail_errno(journal->path, "write", errno);
        content += written;
        count -= (size_t)written;
        at += (uint64_t)written;
    }
    return PVG_OK;
}

static int32_t flush(const pvgi_io_journal *journal) {
    if (fdatasync(journal->file) == 0) return PVG_OK;
    return pvgi_io_fail_errno(journal->path, "flush", errno);
}

/* --- creating ------------------------------------------------------------------- */

/* The new name itself must reach the disk: flush the folder. */
static int32_t flush_folder(const char *path) {
    const char *slash = strrchr(path, '/');
    const size_t length = slash ? (size_t)(slash - path) + 1 : 1;
    char *folder = pvgi_alloc(length + 1, 1);
    if (!folder) return pvgi_fail_nomem();
    memcpy(folder, slash ? path : ".", length);
    folder[length] = '\0';
    const int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    pvgi_free(folder);
    int32_t status = PVG_OK;
    /* some file systems cannot flush folders and say EINVAL */
    if (file < 0 || (fsync(file) != 0 && errno != EINVAL))
        status = pvgi_io_fail_errno(path, "flush the folder of", errno);
    if (file >= 0) close(file);
    return status;
}

static int open_new(char *name, size_t bytes, const char *path) {
    for (int attempt = 0; attempt < NAMES_TRIED; attempt++) {
        snprintf(name, bytes, "%s.%ld-%d.tmp", path, (long)getpid(), attempt);
        const int file = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (file >= 0 || errno != EEXIST) return file;
    }
    return -1;
}

static int32_t create(pvgi_io_journal *out, char *name, size_t name_bytes,
                      const char *path, const uint8_t *content, size_t count) {
    out->file = open_new(name, name_bytes, path);
    if (out->file < 0) return pvgi_io_fail_errno(path, "create", errno);
    int32_t status = lock(out);
    if (status == PVG_OK) status = put(out, content, count, 0);
    if (status == PVG_OK) status = flush(out);
    if (status == PVG_OK && link(name, path) != 0)
        status = pvgi_io_fail_errno(path, "create", errno);
    unlink(name);
    if (status == PVG_OK) status = flush_folder(path);
    out->bytes = count;
    return status;
}

int32_t pvgi_io_journal_create(pvgi_io_journal *out, const char *path,
                               const uint8_t *content, size_t count) {
    PVGI_TRY(begin(out, path));
    const size_t bytes = strlen(path) + 48;
    char *name = pvgi_alloc(bytes, 1);
    const int32_t status =
        name ? create(out, name, bytes, path, content, count) : pvgi_fail_nomem();
    pvgi_free(name);
    if (status != PVG_OK) pvgi_io_journal_close(out);
    return status;
}

/* --- opening -------------------------------------------------------------------- */

static int32_t get(const pvgi_io_journal *journal, uint8_t *content, size_t count) {
    size_t at = 0;
    while (at < count) {
        const ssize_t got = pread(journal->file, content + at, count - at, (off_t)at);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return pvgi_io_fail_errno(journal->path, "read", errno);
        if (got == 0)
            return pvgi_fail(PVG_E_IO, "%.200s: became shorter while it was read",
                             journal->path);
        at += (size_t)got;
    }
    return PVG_OK;
}

static int32_t open_and_read(pvgi_io_journal *out, uint8_t **content, size_t *count) {
    struct stat info;
    out->file = open(out->path, O_RDWR | O_CLOEXEC);
    if (out->file < 0) return pvgi_io_fail_errno(out->path, "open", errno);
    if (fstat(out->file, &info) != 0)
        return pvgi_io_fail_errno(out->path, "examine", errno);
    if (!S_ISREG(info.st_mode)) return pvgi_io_fail_errno(out->path, "use", EINVAL);
    PVGI_TRY(lock(out));
    /* it may have grown while another process still held the lock */
    if (fstat(out->file, &info) != 0)
        return pvgi_io_fail_errno(out->path, "examine", errno);
    *count = (size_t)info.st_size;
    out->bytes = (uint64_t)info.st_size;
    *content = pvgi_alloc(*count, 1);
    if (!*content) return pvgi_fail_nomem();
    return get(out, *content, *count);
}

int32_t pvgi_io_journal_open(pvgi_io_journal *out, uint8_t **content, size_t *count,
                             const char *path) {
    *content = NULL;
    PVGI_TRY(begin(out, path));
    const int32_t status = open_and_read(out, content, count);
    if (status != PVG_OK) {
        pvgi_free(*content);
        *content = NULL;
        pvgi_io_journal_close(out);
    }
    return status;
}

/* --- changing ------------------------------------------------------------------- */

static int32_t shorten(const pvgi_io_journal *journal, uint64_t bytes) {
    int result;
    do {
        result = ftruncate(journal->file, (off_t)bytes);
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
    struct stat info;
    if (fstat(journal->file, &info) != 0)
        return pvgi_io_fail_errno(journal->path, "examine", errno);
    if ((uint64_t)info.st_size == journal->bytes) return PVG_OK;
    journal->broken = true;
    return pvgi_fail(PVG_E_IO,
                     "%.200s: changed by someone else since it was opened; nothing is "
                     "written to it any more",
                     journal->path);
}

int32_t pvgi_io_journal_append(pvgi_io_journal *journal, const uint8_t *content,
                               size_t count) {
    char message[PVGI_MESSAGE_BYTES];
    if (journal->broken)
        return pvgi_fail(PVG_E_IO, "%.200s: an earlier write failed; open the file again",
                         journal->path);
    PVGI_TRY(check_unchanged(journal));
    int32_t status = put(journal, content, count, journal->bytes);
    const bool whole = status == PVG_OK;
    if (whole) status = flush(journal);
    if (status == PVG_OK) {
        journal->bytes += count;
        return PVG_OK;
    }
    /* After a failed flush nobody knows what the disk has; a partial write can be undone.
     */
    pvgi_message_save(message);
    if (whole || pvgi_io_journal_cut(journal, journal->bytes) != PVG_OK)
        journal->broken = true;
    pvgi_message_restore(message);
    return status;
}
