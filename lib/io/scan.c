/* Lines: where chunks of text begin, which line a byte is on, what a failure says.
 *
 * Chunk k owns the lines that start in its C bytes, so a chunk is known from the bytes
 * C k - 1 .. C (k+1) - 2 alone and a file without newlines costs one pass, not one per
 * chunk. Line numbers are counted only when something fails. */
#include "io/io_internal.h"

#include "io/scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { NAME_SHOWN = 200, TOKEN_SHOWN = 20 };

/* --- failures ------------------------------------------------------------------- */

static int64_t count_newlines(const char *data, size_t bytes) {
    int64_t count = 0;
    for (size_t i = 0; i < bytes; i++) count += data[i] == '\n';
    return count;
}

int64_t pvgi_io_count_lines(const pvgi_io_source *source) {
    return count_newlines(source->data, source->bytes) + (source->tail != NULL);
}

int32_t pvgi_io_fail(const pvgi_io_source *source, int32_t status, size_t offset,
                     const char *format, ...) {
    char reason[240];
    va_list arguments;
    va_start(arguments, format);
    if (vsnprintf(reason, sizeof reason, format, arguments) < 0) reason[0] = '\0';
    va_end(arguments);
    if (offset > source->bytes) offset = source->bytes;
    /* the end of the file is on its last line, not on one after it */
    if (offset == source->bytes && offset > 0 && source->data[offset - 1] == '\n')
        offset--;
    int64_t line = source->lines_before + 1 + count_newlines(source->data, offset);
    if (source->bytes == 0 && source->lines_before > 0) line--;
    const size_t length = strlen(source->name);
    const bool cut = length > NAME_SHOWN;
    return pvgi_fail(status, "%s%s:%lld: %s", cut ? "..." : "",
                     cut ? source->name + length - NAME_SHOWN : source->name,
                     (long long)line, reason);
}

int32_t pvgi_io_fail_token(const pvgi_io_source *source, size_t offset, const char *at,
                           const char *expected) {
    char token[TOKEN_SHOWN + 4];
    size_t length = 0;
    while (length < TOKEN_SHOWN && at[length] != '\n' && !is_blank(at[length])) {
        const unsigned char c = (unsigned char)at[length];
        token[length++] = c >= 0x20 && c < 0x7F ? (char)c : '?';
    }
    if (length == 0) {
        return pvgi_io_fail(source, PVG_E_FORMAT, offset,
                            "expected %s, found the end of the line", expected);
    }
    if (length == TOKEN_SHOWN)
        memcpy(token + length, "...", 4);
    else
        token[length] = '\0';
    return pvgi_io_fail(source, PVG_E_FORMAT, offset, "expected %s, found '%s'", expected,
                        token);
}

/* --- chunks --------------------------------------------------------------------- */

int pvgi_io_spans(pvgi_io_span out[2], const pvgi_io_source *source, size_t begin,
                  size_t end) {
    int count = 0;
    if (begin >= end) return 0; /* not even the newline that tail adds */
    const size_t whole = end < source->tail_begin ? end : source->tail_begin;
    if (begin < whole)
        out[count++] = (pvgi_io_span){source->data + begin, source->data + whole, begin};
    if (source->tail && end > source->tail_begin) {
        const size_t length = source->bytes - source->tail_begin + 1;
        const size_t skip = begin > source->tail_begin ? begin - source->tail_begin : 0;
        if (skip < length)
            out[count++] = (pvgi_io_span){source->tail + skip, source->tail + length,
                                          source->tail_begin + skip};
    }
    return count;
}

typedef struct {
    const pvgi_io_source *source;
    size_t begin, chunk_bytes;
    pvgi_io_lines *out;
} find_job;

/* starts[k]: first line start in chunk k or SIZE_MAX; lines[k]: line starts in it. */
static int32_t find_chunk(void *context, int64_t chunk, uint32_t worker) {
    const find_job *job = context;
    const pvgi_io_source *source = job->source;
    const size_t last = source->bytes - 1; /* a newline here starts no line */
    const size_t from = job->begin + (size_t)chunk * job->chunk_bytes;
    const size_t to = last - from < job->chunk_bytes ? last : from + job->chunk_bytes - 1;
    int64_t count = 0;
    size_t first = SIZE_MAX;
    (void)worker;
    if (chunk == 0) {
        first = from;
        count = 1;
    } else if (from - 1 < to) {
        const char *newline = memchr(source->data + from - 1, '\n', to - from + 1);
        if (newline) first = (size_t)(newline + 1 - source->data);
    }
    const size_t scan = chunk == 0 ? from : from - 1;
    if (scan < to) count += count_newlines(source->data + scan, to - scan);
    job->out->starts[chunk] = first;
    job->out->lines[chunk] = count;
    return PVG_OK;
}

int32_t pvgi_io_lines_find(pvgi_io_lines *out, pvgi_io_call *call,
                           const pvgi_io_source *source, size_t begin) {
    *out = (pvgi_io_lines){0};
    const size_t bytes = source->bytes - begin;
    const int64_t chunks =
        (int64_t)(bytes / call->chunk_bytes + (bytes % call->chunk_bytes != 0));
    out->starts = pvgi_alloc((size_t)chunks + 1, sizeof out->starts[0]);
    out->lines = pvgi_alloc((size_t)chunks + 1, sizeof out->lines[0]);
    find_job job = {source, begin, call->chunk_bytes, out};
    int32_t status = out->starts && out->lines ? PVG_OK : pvgi_fail_nomem();
    if (status == PVG_OK) status = pvgi_run_chunks(&call->run, chunks, find_chunk, &job);
    if (status != PVG_OK) {
        pvgi_io_lines_free(out);
        return status;
    }
    out->chunks = chunks;
    out->starts[chunks] = source->bytes;
    for (int64_t k = chunks; k-- > 0;)
        if (out->starts[k] == SIZE_MAX) out->starts[k] = out->starts[k + 1];
    int64_t before = 0;
    for (int64_t k = 0; k < chunks; k++) {
        const int64_t count = out->lines[k];
        out->lines[k] = before;
        before += count;
    }
    out->lines[chunks] = before;
    return PVG_OK;
}

void pvgi_io_lines_free(pvgi_io_lines *lines) {
    pvgi_free(lines->starts);
    pvgi_free(lines->lines);
    *lines = (pvgi_io_lines){0};
}

/* --- how large a graph a file may announce -------------------------------------- */

enum { ORDER_FREE = 1 << 20, ORDER_PER_BYTE = 4 };

int64_t pvgi_io_order_bound(const pvgi_io_call *call, uint64_t bytes) {
    if (call->options.order_limit > 0) return call->options.order_limit;
    const size_t allowed =
        pvgi_size_add(ORDER_FREE, pvgi_size_mul((size_t)bytes, ORDER_PER_BYTE));
    return allowed < INT32_MAX ? (int64_t)allowed : INT32_MAX;
}

int32_t pvgi_io_check_order(const pvgi_io_call *call, const pvgi_io_source *source,
                            size_t offset, uint64_t order, uint64_t bytes) {
    const int64_t bound = pvgi_io_order_bound(call, bytes);
    if (order <= (uint64_t)bound) return PVG_OK;
    if (order > INT32_MAX || call->options.order_limit > 0)
        return pvgi_io_fail(
            source, PVG_E_LIMIT, offset, "the graph would have more than %lld nodes",
            (long long)(call->options.order_limit > 0 ? bound : INT32_MAX));
    return pvgi_io_fail(source, PVG_E_LIMIT, offset,
                        "the graph would have far more nodes than so short a file "
                        "describes; set options.order_limit if it is right");
}

int32_t pvgi_io_check_same_order(const pvgi_io_call *call, const pvgi_io_source *source,
                                 size_t offset, uint64_t order) {
    if (call->order < 0 || (uint64_t)call->order == order) return PVG_OK;
    return pvgi_io_fail(source, PVG_E_FORMAT, offset,
                        "a graph that does not have options.order nodes");
}
