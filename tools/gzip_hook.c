/* Unpacks with zlib, by pieces; what is not packed passes as it is. Blocks double, and
 * leave nothing of their bytes behind. */
#include "gzip_hook.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { PATH_BYTES = 4096 };

void gzip_free(char *bytes, size_t count) {
    if (bytes) explicit_bzero(bytes, count);
    free(bytes);
}

static char *grow(char *block, size_t used, size_t *capacity) {
    char *larger = *capacity <= SIZE_MAX / 2 ? malloc(2 * *capacity) : NULL;
    if (larger && block) memcpy(larger, block, used);
    gzip_free(block, used);
    *capacity *= 2;
    return larger;
}

/* A small file may unpack to a thousand times its size. What people pack is text, which
 * shrinks to a tenth or a twentieth. */
static bool within(uint64_t limit, uint64_t used, uint64_t packed) {
    if (limit) return used <= limit;
    return used <= UINT64_C(1) << GZIP_LIMIT_DEFAULT &&
           (used <= GZIP_FREE_BYTES ||
            (used - GZIP_FREE_BYTES) / GZIP_RATIO_MOST <= packed);
}

struct gzip_stream {
    int file;
    void (*tick)(void);
    uint64_t limit;
    uint64_t packed, given; /* bytes read and given so far */
    bool inflating, done, regular;
    z_stream z;
    size_t at, count; /* of in: what is still to be taken */
    unsigned char in[1 << 17];
};

/* More bytes; 0: none are left; -1: errno says why. */
static ssize_t refill(gzip_stream *s) {
    ssize_t got;
    if (s->at > 0) memmove(s->in, s->in + s->at, s->count);
    s->at = 0;
    do {
        got = read(s->file, s->in + s->count, sizeof s->in - s->count);
    } while (got < 0 && errno == EINTR);
    if (s->tick) s->tick();
    if (got > 0) {
        s->count += (size_t)got;
        s->packed += (uint64_t)got;
    }
    return got;
}

/* Two bytes that begin a packed part; false also where fewer are left. */
static bool is_packed(gzip_stream *s) {
    while (s->count < 2)
        if (refill(s) <= 0) return false;
    return s->in[s->at] == 0x1F && s->in[s->at + 1] == 0x8B;
}

gzip_stream *gzip_open(int file, uint64_t limit, void (*tick)(void)) {
    gzip_stream *s = calloc(1, sizeof *s);
    if (!s) {
        close(file);
        return NULL;
    }
    s->file = file;
    s->tick = tick;
    struct stat info;
    s->regular = fstat(file, &info) == 0 && S_ISREG(info.st_mode);
    s->limit = limit;
    s->inflating = is_packed(s);
    if (s->inflating && inflateInit2(&s->z, 15 + 16) != Z_OK) {
        s->inflating = false;
        gzip_close(s);
        return NULL;
    }
    return s;
}

void gzip_close(gzip_stream *s) {
    if (!s) return;
    if (s->inflating) inflateEnd(&s->z);
    close(s->file);
    explicit_bzero(s, sizeof *s);
    free(s);
}

static const char too_many[] = "it has more bytes, unpacked, than the limit allows";

static int64_t copy_plain(gzip_stream *s, char *out, size_t bytes, const char **reason) {
    if (s->count == 0 && refill(s) < 0) {
        *reason = strerror(errno);
        return -2;
    }
    const size_t taken = s->count < bytes ? s->count : bytes;
    memcpy(out, s->in + s->at, taken);
    s->at += taken;
    s->count -= taken;
    s->given += taken;
    /* a plain file is as large as it looks, unless it has no end */
    const uint64_t most = s->limit     ? s->limit
                          : s->regular ? UINT64_MAX
                                       : UINT64_C(1) << GZIP_LIMIT_DEFAULT;
    if (s->given > most) {
        *reason = too_many;
        return -2;
    }
    return (int64_t)taken;
}

/* One step; NULL while all is well. A packed file may have several parts; what follows
 * the last one and is none is passed over. */
static const char *inflate_some(gzip_stream *s) {
    if (s->count == 0) {
        const ssize_t got = refill(s);
        if (got < 0) return strerror(errno);
        if (got == 0) return "the compressed file is cut short";
    }
    const unsigned capacity = s->z.avail_out;
    s->z.next_in = s->in + s->at;
    s->z.avail_in = (unsigned)s->count;
    const int result = inflate(&s->z, Z_NO_FLUSH);
    s->at += s->count - s->z.avail_in;
    s->count = s->z.avail_in;
    s->given += capacity - s->z.avail_out;
    if (!within(s->limit, s->given, s->packed)) return too_many;
    if (result == Z_STREAM_END)
        s->done = !is_packed(s) || inflateReset(&s->z) != Z_OK;
    else if (result == Z_MEM_ERROR)
        return "out of memory";
    else if (result != Z_OK && result != Z_BUF_ERROR)
        return "the compressed file is damaged";
    if (s->tick) s->tick();
    return NULL;
}

int64_t gzip_pull(gzip_stream *s, char *out, size_t bytes, const char **reason) {
    const unsigned most = bytes < 1 << 20 ? (unsigned)bytes : 1 << 20;
    if (!s->inflating) return copy_plain(s, out, bytes, reason);
    s->z.next_out = (unsigned char *)out;
    s->z.avail_out = most;
    while (!s->done && s->z.avail_out == most) {
        *reason = inflate_some(s);
        if (*reason) return -2;
    }
    return most - s->z.avail_out;
}

char *gzip_read(int file, uint64_t limit, void (*tick)(void), size_t *count,
                const char **reason) {
    gzip_stream *s = gzip_open(file, limit, tick);
    size_t used = 0, capacity = 1 << 16;
    char *block = s ? malloc(capacity) : NULL;
    while (block) {
        if (capacity - used < 2) {
            block = grow(block, used, &capacity);
            continue;
        }
        const int64_t got = gzip_pull(s, block + used, capacity - used - 1, reason);
        if (got == 0) break;
        if (got < 0) {
            gzip_free(block, used);
            gzip_close(s);
            return NULL;
        }
        used += (size_t)got;
    }
    *count = used;
    if (!block) *reason = "out of memory";
    gzip_close(s);
    return block;
}

/* --- the hook --- */

/* The file that is being read; a library call reads one at a time. */
static _Thread_local gzip_stream *reading;

int gzip_open_file(const char *path) {
    char packed[PATH_BYTES];
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0 || errno != ENOENT) return file;
    if (snprintf(packed, sizeof packed, "%s.gz", path) >= (int)sizeof packed) return -1;
    return open(packed, O_RDONLY | O_CLOEXEC);
}

static int64_t read_packed(void *context, const char *path, int64_t offset, char *out,
                           size_t bytes) {
    const char *reason;
    if (offset == 0 || !out) {
        gzip_close(reading);
        reading = NULL;
    }
    if (!out) return 0;
    if (offset == 0) {
        const int file = gzip_open_file(path);
        if (file < 0) return errno == ENOENT ? -1 : -2;
        reading = gzip_open(file, context ? *(const uint64_t *)context : 0, NULL);
    }
    return reading ? gzip_pull(reading, out, bytes, &reason) : -2;
}

void gzip_hook(pvg_io_options *options, const uint64_t *limit) {
    options->read = read_packed;
    options->load_context = (void *)(uintptr_t)limit;
}
