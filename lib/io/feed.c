/* Text by windows of whole lines. What was parsed need not stay in memory, so that a call
 * takes what it keeps of a file and not what the file has: a packed file of two megabytes
 * may unpack to two gigabytes of comments.
 *
 * Text that is in memory already (the caller's, a load hook's, a pipe's) is one window.
 * Everything else can be read again from its beginning, which is how a failure that shows
 * only at the end names its line. */
#include "io/io_internal.h"

#include <errno.h>
#include <string.h>

enum {
    WINDOW_CHUNKS = 16,
    FIRST_BYTES = 1 << 16,
    LINE_MOST = 1 << 28,
    PHASE_BYTES = 1 << 26
};

/* --- whole texts ------------------------------------------------------------------ */

/* Skips a byte order mark; completes the last line. A block of our own has room for one
 * more byte, other memory is not ours to write. */
static int32_t finish_source(pvgi_io_source *source) {
    if (source->bytes >= 3 && memcmp(source->data, "\xEF\xBB\xBF", 3) == 0) {
        source->data += 3;
        source->bytes -= 3;
    }
    source->tail_begin = source->bytes;
    if (source->bytes == 0 || source->data[source->bytes - 1] == '\n') return PVG_OK;
    if (source->owned) {
        ((char *)(uintptr_t)source->data)[source->bytes++] = '\n';
        source->tail_begin = source->bytes;
        return PVG_OK;
    }
    const char *newline = memrchr(source->data, '\n', source->bytes);
    source->tail_begin = newline ? (size_t)(newline + 1 - source->data) : 0;
    const size_t length = source->bytes - source->tail_begin;
    source->tail = pvgi_alloc(length + 1, 1);
    if (!source->tail) return pvgi_fail_nomem();
    memcpy(source->tail, source->data + source->tail_begin, length);
    source->tail[length] = '\n';
    return PVG_OK;
}

static int32_t fail_hook(const char *path, const char *hook, int64_t result) {
    return pvgi_fail(PVG_E_IO, "%.200s: the %s hook failed (%lld)", path, hook,
                     (long long)result);
}

static int32_t is_missing(const char *path, bool *missing) {
    if (!missing) return pvgi_io_fail_errno(path, "load", ENOENT);
    *missing = true;
    return PVG_OK;
}

static int32_t borrow(pvgi_io_source *out, const pvgi_io_call *call, const char *path,
                      bool *missing) {
    const pvg_io_options *options = &call->options;
    const char *data = NULL;
    size_t bytes = 0;
    const int32_t result = options->load(options->load_context, path, &data, &bytes);
    if (result == 1) return is_missing(path, missing);
    if (result != 0 || (!data && bytes)) return fail_hook(path, "load", result);
    out->lent = data;
    out->lent_bytes = bytes;
    out->data = data ? data : "";
    out->bytes = bytes;
    const int32_t status = finish_source(out);
    if (status != PVG_OK) pvgi_io_unload(out, call);
    return status;
}

int32_t pvgi_io_wrap(pvgi_io_source *out, const char *data, size_t bytes,
                     const char *name) {
    *out = (pvgi_io_source){.name = name, .data = data ? data : "", .bytes = bytes};
    return finish_source(out);
}

void pvgi_io_unload(pvgi_io_source *source, const pvgi_io_call *call) {
    const pvg_io_options *options = &call->options;
    pvgi_free(source->tail);
    pvgi_free(source->owned);
    if (source->lent && options->unload)
        options->unload(options->load_context, source->lent, source->lent_bytes);
    *source = (pvgi_io_source){0};
}

/* --- windows ---------------------------------------------------------------------- */

/* Bytes that follow those read so far, at most `capacity`; 0 at the end. */
static int32_t pull(pvgi_io_feed *feed, char *out, size_t capacity, size_t *got) {
    const pvg_io_options *options = &feed->call->options;
    *got = 0;
    if (options->read) {
        const int64_t count = options->read(options->load_context, feed->text.name,
                                            (int64_t)feed->at, out, capacity);
        if (count == -1 && feed->at == 0) {
            feed->missing = true;
            return PVG_OK;
        }
        if (count < 0 || (uint64_t)count > capacity)
            return fail_hook(feed->text.name, "read", count);
        feed->begun = true;
        *got = (size_t)count;
        return PVG_OK;
    }
    const uint64_t left = feed->size - feed->at;
    const size_t bytes = left < capacity ? (size_t)left : capacity;
    PVGI_TRY(pvgi_io_file_get(feed->file, out, bytes, feed->at, feed->text.name,
                              &feed->call->run));
    *got = bytes;
    return PVG_OK;
}

/* Always leaves room for one more byte: the newline that the last line may lack. */
static int32_t fill(pvgi_io_feed *feed) {
    while (!feed->ended && feed->filled + 1 < feed->capacity) {
        size_t got;
        PVGI_TRY(pull(feed, feed->block + feed->filled, feed->capacity - 1 - feed->filled,
                      &got));
        feed->filled += got;
        feed->at += got;
        feed->ended = got == 0 || feed->at == feed->size;
    }
    return PVG_OK;
}

static int32_t grow(pvgi_io_feed *feed, size_t capacity) {
    PVGI_TRY(pvgi_run_reserve(&feed->call->run, capacity));
    char *larger = pvgi_grow(feed->block, capacity, 1);
    if (!larger) return pvgi_fail_nomem();
    feed->block = larger;
    feed->capacity = capacity;
    return PVG_OK;
}

/* As far as progress goes, a file whose length nobody knows ends later and later. */
static double share_at(const pvgi_io_feed *feed, uint64_t bytes) {
    if (feed->total == 0) return 1.0;
    return feed->total != UINT64_MAX ? (double)bytes / (double)feed->total
                                     : (double)bytes / ((double)bytes + PHASE_BYTES);
}

/* Reads on until there is a window, or the whole file. */
static int32_t gather(pvgi_io_feed *feed, bool everything) {
    const size_t window = pvgi_size_mul(feed->call->chunk_bytes, WINDOW_CHUNKS);
    for (;;) {
        PVGI_TRY(fill(feed));
        if (feed->ended) break;
        if (!everything && feed->capacity > window) {
            if (memrchr(feed->block, '\n', feed->filled)) break;
            if (feed->capacity > LINE_MOST)
                return pvgi_io_fail(&feed->text, PVG_E_LIMIT, 0,
                                    "a line of more than 2^28 bytes");
        }
        PVGI_TRY(grow(feed, everything && feed->size != UINT64_MAX
                                ? pvgi_size_add((size_t)feed->size, 2)
                                : pvgi_size_mul(feed->capacity, 2)));
    }
    return PVG_OK;
}

static int32_t show(pvgi_io_feed *feed, bool everything) {
    pvgi_io_source *text = &feed->text;
    memmove(feed->block, feed->block + feed->used, feed->filled - feed->used);
    feed->filled -= feed->used;
    feed->used = 0;
    PVGI_TRY(gather(feed, everything));
    if (feed->ended && feed->filled > 0 && feed->block[feed->filled - 1] != '\n')
        feed->block[feed->filled++] = '\n';
    const char *newline = memrchr(feed->block, '\n', feed->filled);
    feed->used = newline ? (size_t)(newline + 1 - feed->block) : 0;
    text->data = feed->block;
    text->bytes = feed->used;
    if (feed->before == 0 && text->bytes >= 3 &&
        memcmp(text->data, "\xEF\xBB\xBF", 3) == 0) {
        text->data += 3;
        text->bytes -= 3;
    }
    text->tail_begin = text->bytes;
    if (feed->ended && feed->total == UINT64_MAX)
        feed->total = feed->before + text->bytes;
    const double start = share_at(feed, feed->before);
    pvgi_run_phase(&feed->call->run, feed->phase * start,
                   feed->phase * (share_at(feed, feed->before + text->bytes) - start));
    return PVG_OK;
}

int32_t pvgi_io_feed_next(pvgi_io_feed *feed) {
    pvgi_io_source *text = &feed->text;
    text->lines_before += pvgi_io_count_lines(text);
    feed->before += text->bytes;
    if (!feed->whole) return show(feed, false);
    text->tail = NULL;
    text->bytes = text->tail_begin = 0;
    return PVG_OK;
}

int32_t pvgi_io_feed_all(pvgi_io_feed *feed) {
    if (feed->whole) return PVG_OK;
    feed->used = 0;
    return show(feed, true);
}

int32_t pvgi_io_feed_again(pvgi_io_feed *feed) {
    feed->before = 0;
    feed->text.lines_before = 0;
    if (feed->whole) {
        feed->text = feed->all;
        return PVG_OK;
    }
    feed->at = feed->used = feed->filled = 0;
    feed->ended = false;
    return show(feed, false);
}

void pvgi_io_feed_wrap(pvgi_io_feed *feed, pvgi_io_call *call,
                       const pvgi_io_source *source) {
    *feed = (pvgi_io_feed){.text = *source,
                           .all = *source,
                           .call = call,
                           .phase = 0.6,
                           .total = source->bytes,
                           .whole = true,
                           .file = -1};
}

/* Opens by the hook or the file system; nothing is read yet but what cannot be read
 * twice. */
static int32_t begin(pvgi_io_feed *feed, bool *missing) {
    const pvg_io_options *options = &feed->call->options;
    const char *path = feed->text.name;
    size_t first = FIRST_BYTES;
    feed->size = feed->total = UINT64_MAX;
    if (options->load) {
        feed->whole = true;
        PVGI_TRY(borrow(&feed->all, feed->call, path, missing));
    } else if (!options->read) {
        bool regular = false;
        PVGI_TRY(pvgi_io_file_open(&feed->file, &feed->size, &regular, path, missing));
        if (feed->file < 0) return PVG_OK;
        if (!regular) {
            feed->whole = true;
            PVGI_TRY(pvgi_io_file_drain(&feed->all.owned, &feed->all.bytes, feed->file,
                                        path, &feed->call->run));
            feed->all.data = feed->all.owned;
            PVGI_TRY(finish_source(&feed->all));
        }
    }
    if (feed->whole) {
        feed->text = feed->all;
        feed->total = feed->all.bytes;
        return PVG_OK;
    }
    const size_t window = pvgi_size_mul(feed->call->chunk_bytes, WINDOW_CHUNKS);
    if (feed->size != UINT64_MAX) {
        feed->total = feed->size;
        first = feed->size < window ? (size_t)feed->size : window;
    }
    return grow(feed, pvgi_size_add(first < window ? first : window, 2));
}

int32_t pvgi_io_feed_open(pvgi_io_feed *feed, pvgi_io_call *call, const char *path,
                          bool *missing) {
    *feed = (pvgi_io_feed){.text = {.name = path, .data = ""},
                           .all = {.name = path, .data = ""},
                           .call = call,
                           .phase = 0.6,
                           .file = -1};
    if (missing) *missing = false;
    int32_t status = begin(feed, missing);
    if (status == PVG_OK && !feed->whole && feed->block) {
        status = show(feed, false);
        if (status == PVG_OK && feed->missing) status = is_missing(path, missing);
    }
    if (status != PVG_OK) pvgi_io_feed_close(feed);
    return status;
}

void pvgi_io_feed_close(pvgi_io_feed *feed) {
    const pvg_io_options *options = &feed->call->options;
    if (feed->begun)
        (void)options->read(options->load_context, feed->all.name, (int64_t)feed->at,
                            NULL, 0);
    if (feed->file >= 0) pvgi_io_file_close(feed->file);
    pvgi_free(feed->block);
    pvgi_io_unload(&feed->all, feed->call);
    feed->file = -1;
    feed->block = NULL;
    feed->text = feed->all;
}

int32_t pvgi_io_load(pvgi_io_source *out, pvgi_io_call *call, const char *path,
                     bool *missing) {
    pvgi_io_feed feed;
    *out = (pvgi_io_source){.name = path, .data = ""};
    PVGI_TRY(pvgi_io_feed_open(&feed, call, path, missing));
    const bool there = !missing || !*missing;
    const int32_t status = there ? pvgi_io_feed_all(&feed) : PVG_OK;
    if (there && status == PVG_OK) { /* it is the caller's now */
        *out = feed.text;
        if (!feed.whole) out->owned = feed.block;
        feed.all = (pvgi_io_source){.name = path};
        feed.block = NULL;
    }
    pvgi_io_feed_close(&feed);
    return status;
}
