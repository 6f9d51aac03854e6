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

/* Why gzread gave no more bytes; NULL: the file ends. */
static const char *ending(gzFile file, int got) {
    int error = Z_OK;
    gzerror(file, &error);
    if (got == 0 && (error == Z_OK || error == Z_STREAM_END)) return NULL;
    return error == Z_ERRNO       ? strerror(errno)
           : error == Z_BUF_ERROR ? "the compressed file is cut short"
           : error == Z_MEM_ERROR ? "out of memory"
                                  : "the compressed file is damaged";
}

/* A file that holds next to nothing may unpack to a thousand times its size. What people
 * pack is text, which shrinks to a tenth or a twentieth. */
static bool is_bomb(gzFile file, size_t used) {
    const z_off_t packed = gzdirect(file) ? -1 : gzoffset(file);
    return packed >= 0 && used > GZIP_FREE_BYTES &&
           (used - GZIP_FREE_BYTES) / GZIP_RATIO_MOST > (uint64_t)packed;
}

char *gzip_read(int descriptor, uint64_t limit, void (*tick)(void), size_t *count,
                const char **reason) {
    size_t used = 0, capacity = 1 << 16;
    *reason = "out of memory";
    gzFile file = gzdopen(descriptor, "rb");
    if (!file) {
        close(descriptor);
        return NULL;
    }
    gzbuffer(file, 1 << 17);
    char *block = malloc(capacity);
    while (block) {
        if (capacity - used < 2) block = grow(block, used, &capacity);
        if (!block) break;
        const size_t room = capacity - used - 1;
        const int got =
            gzread(file, block + used, room < 1 << 20 ? (unsigned)room : 1 << 20);
        if (tick) tick();
        const uint64_t most = limit ? limit : UINT64_C(1) << GZIP_LIMIT_DEFAULT;
        if (got > 0 && (uint64_t)(used + (size_t)got) <= most &&
            (limit || !is_bomb(file, used + (size_t)got))) {
            used += (size_t)got;
            continue;
        }
        *reason = got > 0 ? "it has more bytes, unpacked, than the limit allows"
                          : ending(file, got);
        if (*reason) {
            gzip_free(block, used);
            block = NULL;
        }
        break;
    }
    gzclose(file);
    *count = used;
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
