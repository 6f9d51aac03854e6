/* Unpacks with zlib; files without compression pass as they are. */
#include "gzip_hook.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { MISSING = 1, FAILED = -1 };

/* gzread passes files that are not compressed through as they are. */
static int32_t unpack(gzFile file, char **data, size_t *bytes) {
    size_t used = 0, capacity = 1 << 16;
    char *block = malloc(capacity);
    while (block) {
        const int got = gzread(file, block + used, (unsigned)(capacity - used));
        if (got < 0) break;
        used += (size_t)got;
        if (used < capacity) { /* the end; a file cut short is an error */
            int error = Z_OK;
            gzerror(file, &error);
            if (error != Z_OK && error != Z_STREAM_END) break;
            *data = block;
            *bytes = used;
            return 0;
        }
        if (capacity >= (size_t)1 << 30) break;
        capacity *= 2;
        char *larger = realloc(block, capacity);
        if (!larger) break;
        block = larger;
    }
    free(block);
    return FAILED;
}

static int32_t load(void *context, const char *path, const char **data, size_t *bytes) {
    char packed[4096];
    char *block = NULL;
    (void)context;
    if (snprintf(packed, sizeof packed, "%s.gz", path) >= (int)sizeof packed)
        return FAILED;
    errno = 0;
    gzFile file = gzopen(packed, "rb");
    if (!file && errno == ENOENT) file = gzopen(path, "rb");
    if (!file) return errno == ENOENT ? MISSING : FAILED;
    gzbuffer(file, 1 << 17);
    const int32_t result = unpack(file, &block, bytes);
    gzclose(file);
    if (result == 0) *data = block;
    return result;
}

static void unload(void *context, const char *data, size_t bytes) {
    (void)context;
    (void)bytes;
    free((char *)(uintptr_t)data);
}

void pvgt_gzip_hook(pvg_io_options *options) {
    options->load = load;
    options->unload = unload;
    options->load_context = NULL;
}
