/* Unpacks with zlib, which passes what is not packed through. Blocks double, and leave
 * nothing of their bytes behind. */
#include "gzip_hook.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { LOAD_OK = 0, LOAD_MISSING = 1, LOAD_FAILED = -1, PATH_BYTES = 4096 };

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

/* What is read, and where it goes. */
typedef struct {
    int file;
    void (*tick)(void);
    unsigned char in[1 << 17];
    size_t at, count; /* of in: what is still to be taken */
    uint64_t packed;  /* bytes read so far */
    char *block;
    size_t used, capacity;
} source;

/* More bytes; 0: none are left; -1: errno says why. */
static ssize_t refill(source *s) {
    ssize_t got;
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

static bool room(source *s) {
    if (s->capacity - s->used >= 2) return true;
    s->block = grow(s->block, s->used, &s->capacity);
    return s->block != NULL;
}

/* Two bytes that begin a packed part; false also where fewer are left. */
static bool is_packed(source *s) {
    while (s->count < 2) {
        if (s->at > 0) memmove(s->in, s->in + s->at, s->count);
        s->at = 0;
        if (refill(s) <= 0) return false;
    }
    return s->in[s->at] == 0x1F && s->in[s->at + 1] == 0x8B;
}

static const char too_many[] = "it has more bytes, unpacked, than the limit allows";

static const char *copy_plain(source *s, uint64_t limit) {
    for (;;) {
        for (; s->count > 0; s->count--) {
            if (!room(s)) return "out of memory";
            s->block[s->used++] = (char)s->in[s->at++];
        }
        s->at = 0;
        if (limit ? s->used > limit : s->used > UINT64_C(1) << GZIP_LIMIT_DEFAULT)
            return too_many;
        const ssize_t got = refill(s);
        if (got <= 0) return got < 0 ? strerror(errno) : NULL;
    }
}

/* One part of a packed file, which may have several. */
static const char *unpack_part(source *s, z_stream *z, uint64_t limit) {
    for (;;) {
        if (s->count == 0) {
            s->at = 0;
            const ssize_t got = refill(s);
            if (got < 0) return strerror(errno);
            if (got == 0) return "the compressed file is cut short";
        }
        if (!room(s)) return "out of memory";
        const size_t left = s->capacity - s->used - 1;
        const unsigned most = left < 1 << 20 ? (unsigned)left : 1 << 20;
        z->next_in = s->in + s->at;
        z->avail_in = (unsigned)s->count;
        z->next_out = (unsigned char *)s->block + s->used;
        z->avail_out = most;
        const int result = inflate(z, Z_NO_FLUSH);
        s->at += s->count - z->avail_in;
        s->count = z->avail_in;
        s->used += most - z->avail_out;
        if (!within(limit, s->used, s->packed)) return too_many;
        if (result == Z_STREAM_END) return NULL;
        if (result == Z_MEM_ERROR) return "out of memory";
        if (result != Z_OK && result != Z_BUF_ERROR)
            return "the compressed file is damaged";
        if (s->tick) s->tick();
    }
}

static const char *unpack_all(source *s, uint64_t limit) {
    z_stream z = {0};
    const char *reason = NULL;
    if (inflateInit2(&z, 15 + 16) != Z_OK) return "out of memory";
    do { /* what follows the last part and is none is passed over */
        reason = unpack_part(s, &z, limit);
    } while (!reason && is_packed(s) && inflateReset(&z) == Z_OK);
    inflateEnd(&z);
    return reason;
}

char *gzip_read(int descriptor, uint64_t limit, void (*tick)(void), size_t *count,
                const char **reason) {
    source *s = calloc(1, sizeof *s);
    char *block = NULL;
    *reason = "out of memory";
    if (s) {
        s->file = descriptor;
        s->tick = tick;
        s->capacity = 1 << 16;
        s->block = malloc(s->capacity);
        if (s->block)
            *reason = is_packed(s) ? unpack_all(s, limit) : copy_plain(s, limit);
        if (*reason)
            gzip_free(s->block, s->used);
        else
            block = s->block;
        *count = s->used;
        explicit_bzero(s, sizeof *s);
        free(s);
    }
    close(descriptor);
    return block;
}

static int32_t load(void *context, const char *path, const char **data, size_t *bytes) {
    char packed[PATH_BYTES];
    const char *reason;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 && errno == ENOENT) {
        if (snprintf(packed, sizeof packed, "%s.gz", path) >= (int)sizeof packed)
            return LOAD_FAILED;
        file = open(packed, O_RDONLY | O_CLOEXEC);
    }
    if (file < 0) return errno == ENOENT ? LOAD_MISSING : LOAD_FAILED;
    const uint64_t limit = context ? *(const uint64_t *)context : 0;
    *data = gzip_read(file, limit, NULL, bytes, &reason);
    return *data ? LOAD_OK : LOAD_FAILED;
}

static void unload(void *context, const char *data, size_t bytes) {
    (void)context;
    gzip_free((char *)(uintptr_t)data, bytes);
}

void gzip_hook(pvg_io_options *options, const uint64_t *limit) {
    options->load = load;
    options->unload = unload;
    options->load_context = (void *)(uintptr_t)limit;
}
