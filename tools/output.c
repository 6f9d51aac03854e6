/* Output: stdout, or a file written under a temporary name beside its place, flushed to
 * the disk and renamed. Whoever ends the program early removes the temporary ones. */
#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { OUTPUTS_MAX = 8, PATH_BYTES = 4096 };

struct output {
    bool used, is_stdout, direct; /* direct: a device or pipe, no temporary file */
    char shown[PATH_BYTES];       /* the name in messages */
    char path[PATH_BYTES], temporary[PATH_BYTES + 8];
    volatile bool pending; /* the temporary file exists */
    int file;
    FILE *stream;
    gzFile packed; /* NULL: not compressed */
};

static output outputs[OUTPUTS_MAX];

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

/* New temporary file beside the target, with the permissions the target has or would get.
 */
static void open_temporary(output *out, const struct stat *old) {
    const size_t length = strlen(out->path);
    memcpy(out->temporary, out->path, length);
    memcpy(out->temporary + length, ".XXXXXX", sizeof ".XXXXXX");
    out->file = mkostemp(out->temporary, O_CLOEXEC);
    if (out->file < 0)
        fail(CODE_FAILED, "%s: cannot create: %s", out->shown, strerror(errno));
    out->pending = true;
    const mode_t mask = umask(0);
    umask(mask);
    fchmod(out->file, old ? old->st_mode & 07777 : 0666 & ~mask);
}

static void open_file(output *out, const char *path) {
    struct stat info;
    char *real = realpath(path, NULL); /* a link is followed, not replaced */
    snprintf(out->path, PATH_BYTES, "%s", real ? real : path);
    free(real);
    const bool there = stat(out->path, &info) == 0;
    if (there && S_ISDIR(info.st_mode)) fail(CODE_FAILED, "%s: is a folder", out->shown);
    if (there && !S_ISREG(info.st_mode)) {
        out->direct = true;
        out->file = open(out->path, O_WRONLY | O_CLOEXEC);
        if (out->file < 0)
            fail(CODE_FAILED, "%s: cannot open: %s", out->shown, strerror(errno));
    } else {
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

output *output_open(const char *path) {
    size_t i = 0;
    while (i < OUTPUTS_MAX && outputs[i].used) i++;
    if (i == OUTPUTS_MAX) fail(CODE_FAILED, "too many output files");
    output *out = &outputs[i];
    memset(out, 0, sizeof *out);
    out->used = true;
    if (!path || strcmp(path, "-") == 0) {
        out->is_stdout = true;
        snprintf(out->shown, PATH_BYTES, "stdout");
        out->stream = stdout;
        return out;
    }
    if (strlen(path) >= PATH_BYTES)
        fail(CODE_FAILED, "a file name of more than %d bytes", PATH_BYTES - 1);
    snprintf(out->shown, PATH_BYTES, "%s", path);
    open_file(out, path);
    return out;
}

bool output_is_stdout(const output *out) {
    return out->is_stdout;
}

bool output_is_terminal(const output *out) {
    return out->is_stdout && isatty(STDOUT_FILENO);
}

void output_bytes(output *out, const void *bytes, size_t count) {
    const char *from = bytes;
    while (out->packed && count > 0) {
        const unsigned piece = count < 1 << 20 ? (unsigned)count : 1 << 20;
        if (gzwrite(out->packed, from, piece) != (int)piece) write_failed(out);
        from += piece;
        count -= piece;
    }
    if (!out->packed && fwrite(from, 1, count, out->stream) != count) write_failed(out);
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

static void sync_folder(const char *path) {
    char folder[PATH_BYTES];
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

void output_commit(output **outs, size_t count) {
    check_cancelled();
    for (size_t i = 0; i < count; i++)
        if (outs[i]) complete(outs[i]);
    check_cancelled();
    for (size_t i = 0; i < count; i++) {
        output *out = outs[i];
        if (!out) continue;
        if (out->pending) {
            if (rename(out->temporary, out->path) != 0)
                fail(CODE_FAILED, "%s: cannot rename into place: %s", out->shown,
                     strerror(errno));
            out->pending = false;
            sync_folder(out->path);
        }
        out->used = false;
    }
}

void output_commit_one(output *out) {
    output_commit(&out, 1);
}
