/* TUDataset folders. The text after the options byte is cut at '|' into A,
 * graph_indicator, graph_labels, graph_attributes, node_labels; "!" or nothing is a file
 * that is not there. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "fuzz.h"

#include <unistd.h>

enum { PARTS = 5 };
static const char *const suffixes[PARTS] = {"_A.txt", "_graph_indicator.txt",
                                            "_graph_labels.txt", "_graph_attributes.txt",
                                            "_node_labels.txt"};

typedef struct {
    const char *begin[PARTS];
    size_t bytes[PARTS];
} parts;

static int32_t load(void *context, const char *path, const char **data, size_t *bytes) {
    const parts *in = context;
    for (int i = 0; i < PARTS; i++) {
        if (!strstr(path, suffixes[i])) continue;
        if (!in->begin[i] || (in->bytes[i] == 1 && in->begin[i][0] == '!')) return 1;
        char *copy = malloc(in->bytes[i] ? in->bytes[i] : 1); /* for ASan */
        memcpy(copy, in->begin[i], in->bytes[i]);
        *data = copy;
        *bytes = in->bytes[i];
        return 0;
    }
    return -1;
}

static void unload(void *context, const char *data, size_t bytes) {
    (void)context;
    (void)bytes;
    free((char *)(uintptr_t)data);
}

static void cut(parts *out, const char *text, size_t bytes) {
    const char *end = text + bytes;
    memset(out, 0, sizeof *out);
    for (int i = 0; i < PARTS; i++) {
        const char *bar = memchr(text, '|', (size_t)(end - text));
        out->begin[i] = text;
        out->bytes[i] = (size_t)((bar ? bar : end) - text);
        if (!bar) return;
        text = bar + 1;
    }
}

static const char *folder(void) {
    static char path[64];
    if (!path[0]) {
        snprintf(path, sizeof path, "%s/pvg-fuzz-XXXXXX",
                 access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
        PVGF_CHECK(mkdtemp(path) != NULL);
    }
    return path;
}

static void clean(void) {
    char path[128];
    for (int i = 0; i < PARTS; i++) {
        snprintf(path, sizeof path, "%s/F%s", folder(), suffixes[i]);
        unlink(path);
    }
    rmdir(folder());
}

static bool same_block(const void *a, const void *b, size_t bytes) {
    return (!a && !b) || (a && b && memcmp(a, b, bytes) == 0);
}

static bool same_targets(const pvg_graphset *a, const pvg_graphset *b) {
    for (int64_t i = 0; i < a->count * a->target_count; i++) {
        const double x = a->targets[i], y = b->targets[i];
        if (x != x ? y == y : memcmp(&x, &y, sizeof x) != 0) return false;
    }
    return true;
}

static void check_same(const pvg_graphset *a, const pvg_graphset *b) {
    PVGF_CHECK(a->count == b->count && a->order == b->order);
    PVGF_CHECK(a->target_count == b->target_count);
    PVGF_CHECK(same_block(a->starts, b->starts, ((size_t)a->count + 1) * 8));
    PVGF_CHECK(same_block(a->offsets, b->offsets, ((size_t)a->order + 1) * 8));
    PVGF_CHECK(same_block(a->columns, b->columns, (size_t)a->offsets[a->order] * 4));
    PVGF_CHECK(same_block(a->labels, b->labels, (size_t)a->count * 4));
    PVGF_CHECK(same_block(a->node_labels, b->node_labels, (size_t)a->order * 4));
    PVGF_CHECK(same_targets(a, b));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static bool registered;
    pvgi_io_call call, plain;
    parts in;
    pvg_graphset *set = NULL, *other = NULL;
    char message[PVGI_MESSAGE_BYTES];
    if (size == 0) return 0;
    if (!registered) registered = atexit(clean) == 0;
    cut(&in, (const char *)data + 1, size - 1);
    pvgf_call(&call, data[0], PVG_FORMAT_AUTO);
    pvgf_plain_call(&plain, data[0], PVG_FORMAT_AUTO);
    plain.options.load = call.options.load = load;
    plain.options.unload = call.options.unload = unload;
    plain.options.load_context = call.options.load_context = &in;
    const int32_t status = pvgi_io_tudataset_read(&set, &call, "f", "F");
    pvgi_message_save(message);
    PVGF_CHECK(pvgi_io_tudataset_read(&other, &plain, "f", "F") == status);
    if (status == PVG_OK) {
        check_same(set, other);
        pvg_graphset_free(other);
        PVGF_CHECK(pvg_graphset_write_tudataset(folder(), "F", set, NULL) == PVG_OK);
        PVGF_CHECK(pvg_graphset_read_tudataset(&other, folder(), "F", NULL, NULL) ==
                   PVG_OK);
        check_same(set, other);
    } else {
        PVGF_CHECK(strcmp(message, pvg_error_message()) == 0);
        PVGF_CHECK(status == PVG_E_FORMAT || status == PVG_E_LIMIT ||
                   status == PVG_E_IO || status == PVG_E_MISSING);
    }
    pvg_graphset_free(set);
    pvg_graphset_free(other);
    return 0;
}
