/* Output: stdout, or a file written under a temporary name beside its place, flushed to
 * the disk and renamed. A symbolic link is replaced by the file, as the library does it:
 * one that somebody else put there must not lead what is private elsewhere. Whoever ends
 * the program early removes the temporary ones.
 *
 * The guarantee record of FILE is FILE.guarantee.json. Whatever replaces FILE removes the
 * record of what stood there first: at every moment, also after a crash, a record beside
 * data is the one of these data. */
#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { OUTPUTS_MAX = 8, PATH_BYTES = 4096 };
#define RECORD_SUFFIX ".guarantee.json"

struct output {
    bool used, is_stdout, direct; /* direct: a device or pipe, no temporary file */
    char shown[PATH_BYTES];       /* the name in messages */
    char real[PATH_BYTES];        /* where the name leads now */
    char path[PATH_BYTES], temporary[PATH_BYTES + 8];
    volatile bool pending; /* the temporary file exists */
    int file;
    FILE *stream;
    gzFile packed; /* NULL: not compressed */
};

static output outputs[OUTPUTS_MAX]; /* never used twice: what was written stays known */

/* --- what must stay -------------------------------------------------------------- */

typedef struct {
    dev_t device;
    ino_t number;
} identity;

static bool exact_copy; /* outputs are as private as what was read */
static identity *kept;
static size_t kept_count;

static void keep(const struct stat *info) {
    if (!S_ISREG(info->st_mode)) return;
    identity *larger = take(kept_count + 1, sizeof *larger);
    if (kept) memcpy(larger, kept, kept_count * sizeof *larger);
    larger[kept_count++] = (identity){info->st_dev, info->st_ino};
    free(kept);
    kept = larger;
}

/* What others may not do with something that was read, and the group it belongs to. */
static mode_t withheld;
static gid_t group_of_input = (gid_t)-1;

static void withhold(const struct stat *info) {
    withheld |= ~info->st_mode & 0066;
    if (group_of_input != (gid_t)-1 && group_of_input != info->st_gid) withheld |= 0060;
    group_of_input = info->st_gid;
}

void output_keep_file(int file) {
    struct stat info;
    if (fstat(file, &info) != 0) return;
    keep(&info);
    if (S_ISREG(info.st_mode)) withhold(&info);
}

void output_read_folder(const struct stat *info) {
    withhold(info);
}

/* Those who may not read something may not look into a folder with it either. */
void output_keep_access(void) {
    mode_t mask = withheld;
    if (group_of_input != (gid_t)-1 && group_of_input != getegid()) mask |= 0060;
    if (mask & 0040) mask |= 0070;
    if (mask & 0004) mask |= 0007;
    umask(umask(0) | mask);
    exact_copy = true;
}

/* Permissions of a file with an exact copy of what was read. */
static mode_t limited(int file, mode_t mode) {
    struct stat own;
    if (!exact_copy) return mode;
    if (group_of_input != (gid_t)-1 &&
        (fstat(file, &own) != 0 || own.st_gid != group_of_input))
        mode &= ~(mode_t)0070;
    return mode & ~withheld;
}

void output_keep_path(const char *path) {
    struct stat info;
    if (stat(path, &info) == 0) keep(&info);
}

static void refuse_kept(const struct stat *info, const char *shown) {
    for (size_t i = 0; i < kept_count; i++)
        if (kept[i].device == info->st_dev && kept[i].number == info->st_ino)
            usage_error("%s: this command reads it (an input or the ledger) and must not "
                        "write it",
                        shown);
}

void output_refuse_kept(const char *path) {
    struct stat info;
    if (stat(path, &info) == 0) refuse_kept(&info, path);
}

/* --- records ---------------------------------------------------------------------- */

typedef char record_name[PATH_BYTES + sizeof RECORD_SUFFIX];

static void name_record(record_name out, const char *path) {
    snprintf(out, sizeof(record_name), "%s" RECORD_SUFFIX, path);
}

/* What would stop the record's removal is found before anything is paid. */
static void check_record(const char *path) {
    record_name name;
    struct stat info;
    name_record(name, path);
    output_refuse_kept(name);
    if (lstat(name, &info) == 0 && S_ISDIR(info.st_mode))
        fail(CODE_FAILED, "%s: is a folder", name);
}

static void sync_folder(const char *path) {
    record_name folder;
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash == folder)
        slash[1] = '\0';
    else if (slash)
        *slash = '\0';
    const int file = open(slash ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) return;
    fsync(file); /* not every file system can; the file itself is safe */
    close(file);
}

/* Gone from the disk, not only from memory, when it returns. */
static void remove_file(const char *path) {
    if (unlink(path) == 0)
        sync_folder(path);
    else if (errno != ENOENT && errno != ENOTDIR && errno != ENAMETOOLONG)
        fail(CODE_FAILED, "%s: cannot remove: %s", path, strerror(errno));
}

void output_remove_record(const char *path) {
    record_name name;
    name_record(name, path);
    remove_file(name);
}

/* --- opening ---------------------------------------------------------------------- */

void output_drop_all(void) {
    for (size_t i = 0; i < OUTPUTS_MAX; i++)
        if (outputs[i].pending) {
            outputs[i].pending = false;
            unlink(outputs[i].temporary);
        }
}

static _Noreturn void write_failed(const output *out) {
    const int error = errno;
    check_cancelled();
    if (out->is_stdout && error == EPIPE) { /* the reader has seen enough */
        output_drop_all();
        _exit(CODE_FAILED);
    }
    fail(CODE_FAILED, "%s: cannot write: %s", out->shown, strerror(error));
}

/* Group and permissions of the file that will be replaced. A group that we may not give
 * gets nothing, and all others no more than the old group had. */
static void inherit_access(int file, const struct stat *old) {
    struct stat own;
    mode_t mode = old->st_mode & 07777;
    if (fstat(file, &own) != 0 ||
        (own.st_gid != old->st_gid && fchown(file, (uid_t)-1, old->st_gid) != 0))
        mode = (mode & 0700) | (mode & mode >> 3 & 07);
    fchmod(file, limited(file, mode));
}

/* New temporary file beside the target, with the permissions the target has or would get;
 * until then it is ours alone. */
static void open_temporary(output *out, const struct stat *old) {
    const size_t length = strlen(out->path);
    memcpy(out->temporary, out->path, length);
    memcpy(out->temporary + length, ".XXXXXX", sizeof ".XXXXXX");
    out->file = mkostemp(out->temporary, O_CLOEXEC);
    if (out->file < 0)
        fail(code_of_file(), "%s: cannot create: %s", out->shown, strerror(errno));
    out->pending = true;
    if (old) {
        inherit_access(out->file, old);
        return;
    }
    const mode_t mask = umask(0);
    umask(mask);
    fchmod(out->file, limited(out->file, 0666 & ~mask));
}

/* The folder resolved, the name as it is. */
static void resolve(char out[PATH_BYTES], const char *path) {
    char folder[PATH_BYTES];
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(name - path) : 1,
             slash ? path : ".");
    char *real = realpath(folder, NULL);
    const int length =
        real ? snprintf(out, PATH_BYTES, "%s/%s", strcmp(real, "/") ? real : "", name)
             : snprintf(out, PATH_BYTES, "%s", path);
    free(real);
    if (length >= PATH_BYTES)
        fail(CODE_FAILED, "a file name of more than %d bytes", PATH_BYTES - 1);
}

static void follow(char out[PATH_BYTES], const char *path) {
    char *real = realpath(path, NULL);
    snprintf(out, PATH_BYTES, "%s", real ? real : path);
    free(real);
}

/* A device or pipe. Links to one are followed (/dev/stdout) if root or we made them. */
static bool is_direct(const output *out) {
    struct stat target, link;
    if (stat(out->path, &target) != 0 || S_ISREG(target.st_mode)) return false;
    if (S_ISDIR(target.st_mode)) fail(CODE_FAILED, "%s: is a folder", out->shown);
    if (lstat(out->path, &link) == 0 && S_ISLNK(link.st_mode) && link.st_uid != 0 &&
        link.st_uid != geteuid())
        fail(CODE_FAILED, "%s: a link that somebody else made", out->shown);
    return true;
}

static void open_file(output *out, const char *path) {
    struct stat info;
    resolve(out->path, path);
    follow(out->real, out->path);
    if (is_direct(out)) {
        out->direct = true;
        out->file = open(out->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
        if (out->file < 0)
            fail(code_of_file(), "%s: cannot open: %s", out->shown, strerror(errno));
    } else {
        if (stat(out->path, &info) == 0) refuse_kept(&info, out->shown);
        for (const output *o = outputs; o < out; o++)
            if (!o->is_stdout &&
                (strcmp(o->path, out->path) == 0 || strcmp(o->real, out->real) == 0))
                usage_error("%s: two things would be written there", out->shown);
        check_record(out->path);
        const bool there = lstat(out->path, &info) == 0 && S_ISREG(info.st_mode);
        open_temporary(out, there ? &info : NULL);
    }
    const size_t length = strlen(path);
    if (length > 3 && strcmp(path + length - 3, ".gz") == 0) {
        out->packed = gzdopen(dup(out->file), "wb");
        if (!out->packed) fail(CODE_FAILED, "out of memory");
    } else {
        out->stream = fdopen(dup(out->file), "wb");
        if (!out->stream) fail(CODE_FAILED, "out of memory");
    }
}

static bool stdout_closed;

/* A descriptor that is closed would become that of the next file, perhaps the ledger's,
 * and what is printed would be written there. */
void output_start(void) {
#if !defined(__SANITIZE_ADDRESS__) /* which looks at its own process */
    prctl(PR_SET_DUMPABLE, 0);     /* no core dump: it would hold the private graph */
#endif
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++) {
        if (fcntl(file, F_GETFD) >= 0) continue;
        if (file == STDOUT_FILENO) stdout_closed = true;
        if (open("/dev/null", O_RDWR) != file) _exit(CODE_FAILED);
    }
}

static void open_stdout(output *out) {
    struct stat info;
    out->is_stdout = true;
    snprintf(out->shown, PATH_BYTES, "stdout");
    out->stream = stdout;
    for (const output *o = outputs; o < out; o++)
        if (o->is_stdout) usage_error("two things would be written to stdout");
    /* known before anything is paid */
    struct pollfd reader = {.fd = STDOUT_FILENO};
    if (stdout_closed) fail(CODE_FAILED, "stdout: is closed");
    if (poll(&reader, 1, 0) > 0 && reader.revents & (POLLERR | POLLNVAL))
        fail(CODE_FAILED, "stdout: nobody reads it any more");
    if (fstat(STDOUT_FILENO, &info) != 0) return;
    refuse_kept(&info, out->shown);
    keep(&info); /* another output must not replace the file that stdout leads to */
}

output *output_open(const char *path) {
    size_t i = 0;
    while (i < OUTPUTS_MAX && outputs[i].used) i++;
    if (i == OUTPUTS_MAX) fail(CODE_FAILED, "too many output files");
    output *out = &outputs[i];
    out->used = true;
    if (!path || strcmp(path, "-") == 0) {
        open_stdout(out);
        return out;
    }
    if (strlen(path) >= PATH_BYTES)
        fail(CODE_FAILED, "a file name of more than %d bytes", PATH_BYTES - 1);
    snprintf(out->shown, PATH_BYTES, "%s", path);
    open_file(out, path);
    return out;
}

output *output_open_record(const output *data) {
    record_name name;
    if (data->is_stdout || data->direct) return NULL;
    name_record(name, data->shown);
    return output_open(name);
}

bool output_is_terminal(const output *out) {
    return out->is_stdout && isatty(STDOUT_FILENO);
}

const char *output_place(const output *out) {
    if (out->is_stdout || out->direct || out->packed)
        usage_error("%s: a release in one file is for a plain file, not compressed",
                    out->shown);
    return out->temporary;
}

void output_bytes(output *out, const void *bytes, size_t count) {
    const char *from = bytes;
    while (out->packed && count > 0) {
        const unsigned piece = count < 1 << 20 ? (unsigned)count : 1 << 20;
        if (gzwrite(out->packed, from, piece) != (int)piece) write_failed(out);
        from += piece;
        count -= piece;
    }
    if (out->packed) return;
    if (output_is_terminal(out))
        visible_bytes(out->stream, from, count);
    else if (fwrite(from, 1, count, out->stream) != count)
        write_failed(out);
}

void output_text(output *out, const char *format, ...) {
    char *text = NULL;
    va_list list;
    va_start(list, format);
    const int length = vasprintf(&text, format, list);
    va_end(list);
    if (length < 0) fail(CODE_FAILED, "out of memory");
    output_bytes(out, text, (size_t)length);
    free(text);
}

/* Everything on the disk, the name not yet given. */
static void complete(output *out) {
    if (out->packed && gzclose(out->packed) != Z_OK) write_failed(out);
    if (!out->packed && fflush(out->stream) != 0) write_failed(out);
    if (out->is_stdout) return;
    if (out->stream && fclose(out->stream) != 0) write_failed(out);
    if (!out->direct && fsync(out->file) != 0) write_failed(out);
    if (close(out->file) != 0) write_failed(out);
}

static void give_name(output *out, const output *data) {
    if (rename(out->temporary, out->path) != 0)
        fail(CODE_FAILED, "%s: cannot rename into place: %s%s%s", out->shown,
             strerror(errno), out == data ? "" : "; without a guarantee record: ",
             out == data ? "" : data->shown);
    out->pending = false;
    sync_folder(out->path);
}

void output_commit(output *data, output *record) {
    output *const both[] = {data, record};
    check_cancelled();
    for (size_t i = 0; i < COUNT_OF(both); i++)
        if (both[i]) complete(both[i]);
    check_cancelled();
    for (size_t i = 0; i < COUNT_OF(both); i++) {
        if (!both[i] || !both[i]->pending) continue;
        output_remove_record(both[i]->path);
        if (both[i] == record) remove_file(record->path);
    }
    for (size_t i = 0; i < COUNT_OF(both); i++)
        if (both[i] && both[i]->pending) give_name(both[i], data);
}

void output_commit_one(output *out) {
    output_commit(out, NULL);
}
