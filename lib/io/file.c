/* Reads and writes files; only this file and journal.c open any. Reading copies a
 * file into memory of our own instead of mapping it: a mapped file that another process
 * shortens kills the host with SIGBUS, and a private graph read this way is wiped when it
 * is freed. The copy is made by all threads. Writing goes to a temporary file beside the
 * target, is flushed to the disk and renamed, so that a reader sees the old file or the
 * complete new one. */
#include "io/io_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    READ_CHUNK = 1 << 22,
    STREAM_FIRST = 1 << 16,
    NAME_SHOWN = 200,
    NAMES_TRIED = 100
};

/* The system's reason in English, without the global buffer of strerror. */
int32_t pvgi_io_fail_errno(const char *path, const char *action, int error) {
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const size_t length = strlen(path);
    const bool cut = length > NAME_SHOWN;
    const int32_t status =
        pvgi_fail(error == ENOENT ? PVG_E_MISSING : PVG_E_IO, "%s%s: cannot %s: %s",
                  cut ? "..." : "", cut ? path + length - NAME_SHOWN : path, action,
                  plain ? strerror_l(error, plain) : "error without a name");
    if (plain) freelocale(plain);
    return status;
}

int pvgi_io_above_standard(int file) {
    if (file < 0 || file > STDERR_FILENO) return file;
    const int above = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    const int problem = errno;
    close(file);
    errno = problem;
    return above;
}

/* --- reading -------------------------------------------------------------------- */

typedef struct {
    int file;
    char *data;
    size_t bytes;
    uint64_t start; /* in the file */
    const char *path;
} read_job;

static int32_t read_chunk(void *context, int64_t chunk, uint32_t worker) {
    const read_job *job = context;
    size_t at = (size_t)chunk * READ_CHUNK;
    const size_t end = job->bytes - at < READ_CHUNK ? job->bytes : at + READ_CHUNK;
    (void)worker;
    while (at < end) {
        const ssize_t got =
            pread(job->file, job->data + at, end - at, (off_t)(job->start + at));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return pvgi_io_fail_errno(job->path, "read", errno);
        if (got == 0)
            return pvgi_fail(PVG_E_IO, "%.200s: became shorter while it was read",
                             job->path);
        at += (size_t)got;
    }
    return PVG_OK;
}

int32_t pvgi_io_file_get(int file, char *out, size_t bytes, uint64_t at, const char *path,
                         pvgi_run *run) {
    read_job job = {file, out, bytes, at, path};
    const int64_t chunks = (int64_t)(bytes / READ_CHUNK + (bytes % READ_CHUNK != 0));
    return pvgi_run_chunks(run, chunks, read_chunk, &job);
}

/* Always leaves room for one more byte. */
int32_t pvgi_io_file_drain(char **out, size_t *bytes, int file, const char *path,
                           const pvgi_run *run) {
    size_t used = 0, capacity = STREAM_FIRST;
    char *data = pvgi_alloc(capacity, 1);
    int32_t status = data ? PVG_OK : pvgi_fail_nomem();
    while (status == PVG_OK) {
        const ssize_t got = read(file, data + used, capacity - used - 1);
        if (got == 0) break;
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) {
            status = pvgi_io_fail_errno(path, "read", errno);
            break;
        }
        used += (size_t)got;
        if (used + 1 < capacity) continue;
        capacity = pvgi_size_mul(capacity, 2);
        status = pvgi_run_reserve(run, capacity);
        char *larger = status == PVG_OK ? pvgi_grow(data, capacity, 1) : NULL;
        if (larger)
            data = larger;
        else if (status == PVG_OK)
            status = pvgi_fail_nomem();
    }
    if (status != PVG_OK) {
        pvgi_free(data);
        return status;
    }
    *out = data;
    *bytes = used;
    return PVG_OK;
}

int32_t pvgi_io_file_open(int *out, uint64_t *size, bool *regular, const char *path,
                          bool *missing) {
    struct stat info;
    *out = -1;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        if (errno != ENOENT || !missing) return pvgi_io_fail_errno(path, "open", errno);
        *missing = true;
        return PVG_OK;
    }
    int32_t status = PVG_OK;
    if (fstat(file, &info) != 0)
        status = pvgi_io_fail_errno(path, "examine", errno);
    else if (S_ISDIR(info.st_mode))
        status = pvgi_io_fail_errno(path, "read", EISDIR);
    if (status != PVG_OK) {
        close(file);
        return status;
    }
    *regular = S_ISREG(info.st_mode) && info.st_size > 0; /* some tell no size */
    if (*regular) *size = (uint64_t)info.st_size;
    *out = file;
    return PVG_OK;
}

void pvgi_io_file_close(int file) {
    close(file);
}

int32_t pvgi_io_path(char **out, const char *folder, const char *name,
                     const char *suffix) {
    const size_t folder_length = strlen(folder);
    const char *slash = folder_length && folder[folder_length - 1] == '/' ? "" : "/";
    const size_t bytes = folder_length + strlen(name) + strlen(suffix) + 2;
    *out = pvgi_alloc(bytes, 1);
    if (!*out) return pvgi_fail_nomem();
    snprintf(*out, bytes, "%s%s%s%s", folder, slash, name, suffix);
    return PVG_OK;
}

/* --- writing -------------------------------------------------------------------- */

void pvgi_io_sink_memory(pvgi_io_sink *sink, char *memory, size_t capacity) {
    *sink = (pvgi_io_sink){.memory = memory, .capacity = capacity, .file = -1};
}

/* A new file beside path; O_EXCL settles races between writers of the same target. */
static int open_temporary(char *name, size_t bytes, const char *path, mode_t mode) {
    for (int attempt = 0; attempt < NAMES_TRIED; attempt++) {
        snprintf(name, bytes, "%s.%ld-%d.tmp", path, (long)getpid(), attempt);
        const int file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (file < 0 && errno == EEXIST) continue;
        const int above = pvgi_io_above_standard(file);
        if (file >= 0 && above < 0) unlink(name);
        return above;
    }
    return -1;
}

/* Group and permissions of the file that will be replaced. A group that we may not give
 * gets nothing: its bits were not meant for the group that the new file has, and those of
 * all others go as far only as the old group was allowed to. */
static int inherit_access(int file, const struct stat *old) {
    struct stat own;
    mode_t mode = old->st_mode & 07777;
    if (fstat(file, &own) != 0) return -1;
    if (own.st_gid != old->st_gid && fchown(file, (uid_t)-1, old->st_gid) != 0)
        mode = (mode & 0700) | (mode & mode >> 3 & 07);
    return fchmod(file, mode);
}

static int32_t open_sink(pvgi_io_sink *sink, const char *path, mode_t mode) {
    struct stat info;
    *sink = (pvgi_io_sink){.file = -1, .path = path};
    const bool exists = stat(path, &info) == 0;
    if (exists && !S_ISREG(info.st_mode)) {
        /* a rename would replace a device or pipe by a file */
        return pvgi_io_fail_errno(path, "write", S_ISDIR(info.st_mode) ? EISDIR : EINVAL);
    }
    const size_t bytes = strlen(path) + 48;
    sink->temporary = pvgi_alloc(bytes, 1);
    if (!sink->temporary) return pvgi_fail_nomem();
    /* until it has the group and permissions of what it replaces, it is ours alone */
    sink->file = open_temporary(sink->temporary, bytes, path, exists ? 0600 : mode);
    int32_t status = PVG_OK;
    if (sink->file < 0)
        status = pvgi_io_fail_errno(path, "create", errno);
    else if (exists && inherit_access(sink->file, &info) != 0)
        status = pvgi_io_fail_errno(path, "keep the permissions of", errno);
    return status == PVG_OK ? PVG_OK : pvgi_io_sink_close(sink, status);
}

int32_t pvgi_io_sink_open(pvgi_io_sink *sink, const char *path) {
    return open_sink(sink, path, 0666);
}

int32_t pvgi_io_sink_open_private(pvgi_io_sink *sink, const char *path) {
    return open_sink(sink, path, 0600);
}

int32_t pvgi_io_sink_put(pvgi_io_sink *sink, const char *bytes, size_t count) {
    if (sink->memory && sink->bytes + count <= sink->capacity)
        memcpy(sink->memory + sink->bytes, bytes, count);
    sink->bytes += count;
    while (sink->file >= 0 && count > 0) {
        const ssize_t written = write(sink->file, bytes, count);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return pvgi_io_fail_errno(sink->path, "write", errno);
        bytes += written;
        count -= (size_t)written;
    }
    return PVG_OK;
}

int32_t pvgi_io_sink_close(pvgi_io_sink *sink, int32_t status) {
    if (sink->file >= 0) {
        if (status == PVG_OK && fsync(sink->file) != 0)
            status = pvgi_io_fail_errno(sink->path, "flush", errno);
        if (close(sink->file) != 0 && status == PVG_OK)
            status = pvgi_io_fail_errno(sink->path, "close", errno);
        if (status == PVG_OK && rename(sink->temporary, sink->path) != 0)
            status = pvgi_io_fail_errno(sink->path, "replace", errno);
        if (status != PVG_OK) unlink(sink->temporary);
    }
    pvgi_free(sink->temporary);
    *sink = (pvgi_io_sink){.file = -1};
    return status;
}

int32_t pvgi_io_remove(const char *path) {
    if (unlink(path) == 0 || errno == ENOENT) return PVG_OK;
    return pvgi_io_fail_errno(path, "remove", errno);
}
