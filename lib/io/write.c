/* Text from pieces that are formatted in parallel, a few at a time, and put out in order.
 */
#include "io/io_internal.h"

#include "io/scan.h"

enum {
    PIECE_ENTRIES = 1 << 15, /* lines of a piece */
    LINE_MOST = 24,          /* two numbers of 10 digits, a separator, the newline */
    NUMBER_MOST = 12,        /* an int32_t and the newline */
    PIECES_PER_WORKER = 4
};

typedef struct {
    const pvgi_io_pieces *pieces;
    int64_t first;
    char *buffer;
    size_t *lengths;
} batch;

static int32_t fill_piece(void *context, int64_t index, uint32_t worker) {
    const batch *b = context;
    (void)worker;
    b->lengths[index] = b->pieces->fill(b->pieces->context, b->first + index,
                                        b->buffer + (size_t)index * b->pieces->most);
    return PVG_OK;
}

static int32_t put_batches(pvgi_io_sink *sink, pvgi_io_call *call, batch *b,
                           int64_t capacity) {
    const int64_t total = b->pieces->pieces;
    for (; b->first < total; b->first += capacity) {
        const int64_t count = total - b->first < capacity ? total - b->first : capacity;
        pvgi_run_phase(&call->run, (double)b->first / (double)total,
                       (double)count / (double)total);
        PVGI_TRY(pvgi_run_chunks(&call->run, count, fill_piece, b));
        for (int64_t i = 0; i < count; i++)
            PVGI_TRY(pvgi_io_sink_put(sink, b->buffer + (size_t)i * b->pieces->most,
                                      b->lengths[i]));
    }
    return PVG_OK;
}

static int32_t put_pieces(pvgi_io_sink *sink, pvgi_io_call *call,
                          const pvgi_io_pieces *pieces) {
    if (pieces->pieces == 0) return PVG_OK;
    const int64_t workers = pvgi_run_workers(&call->run, pieces->pieces);
    const int64_t most = workers * PIECES_PER_WORKER;
    const int64_t capacity = most < pieces->pieces ? most : pieces->pieces;
    const size_t bytes = pvgi_size_mul((size_t)capacity, pieces->most);
    PVGI_TRY(pvgi_run_reserve(&call->run, bytes));
    batch b = {.pieces = pieces};
    b.buffer = pvgi_alloc(bytes, 1);
    b.lengths = pvgi_alloc((size_t)capacity, sizeof *b.lengths);
    const int32_t status =
        b.buffer && b.lengths ? put_batches(sink, call, &b, capacity) : pvgi_fail_nomem();
    pvgi_free(b.buffer);
    pvgi_free(b.lengths);
    return status;
}

/* --- rows ----------------------------------------------------------------------- */

/* Last row that starts at or before entry; empty rows before it share its start. */
static int64_t row_of_entry(const pvgi_io_rows *rows, int64_t entry) {
    int64_t low = 0, high = rows->order;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (rows->offsets[middle] <= entry)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static size_t fill_rows(const void *context, int64_t piece, char *out) {
    const pvgi_io_rows *rows = context;
    const int64_t last = rows->offsets[rows->order];
    int64_t entry = piece * PIECE_ENTRIES;
    const int64_t end = last - entry < PIECE_ENTRIES ? last : entry + PIECE_ENTRIES;
    int64_t row = row_of_entry(rows, entry);
    char *p = out;
    for (; entry < end; entry++) {
        while (rows->offsets[row + 1] <= entry) row++;
        const int64_t column = rows->columns[entry];
        if (rows->triangle == PVGI_IO_UPPER && column <= row) continue;
        if (rows->triangle == PVGI_IO_LOWER && column >= row) continue;
        p = put_number(p, (uint32_t)(row + rows->base));
        for (const char *s = rows->separator; *s; s++) *p++ = *s;
        p = put_number(p, (uint32_t)(column + rows->base));
        *p++ = '\n';
    }
    return (size_t)(p - out);
}

int32_t pvgi_io_put_rows(pvgi_io_sink *sink, pvgi_io_call *call,
                         const pvgi_io_rows *rows) {
    const int64_t entries = rows->order > 0 ? rows->offsets[rows->order] : 0;
    const pvgi_io_pieces pieces = {(entries + PIECE_ENTRIES - 1) / PIECE_ENTRIES,
                                   (size_t)PIECE_ENTRIES * LINE_MOST, fill_rows, rows};
    return put_pieces(sink, call, &pieces);
}

/* --- columns -------------------------------------------------------------------- */

typedef struct {
    const int32_t *values;
    int64_t count;
} column_text;

static size_t fill_column(const void *context, int64_t piece, char *out) {
    const column_text *column = context;
    const int64_t begin = piece * PIECE_ENTRIES;
    const int64_t end =
        column->count - begin < PIECE_ENTRIES ? column->count : begin + PIECE_ENTRIES;
    char *p = out;
    for (int64_t i = begin; i < end; i++) {
        const int64_t value = column->values[i];
        if (value < 0) *p++ = '-';
        p = put_number(p, (uint32_t)(value < 0 ? -value : value));
        *p++ = '\n';
    }
    return (size_t)(p - out);
}

int32_t pvgi_io_put_column(pvgi_io_sink *sink, pvgi_io_call *call, const int32_t *values,
                           int64_t count) {
    const column_text column = {values, count};
    const pvgi_io_pieces pieces = {(count + PIECE_ENTRIES - 1) / PIECE_ENTRIES,
                                   (size_t)PIECE_ENTRIES * NUMBER_MOST, fill_column,
                                   &column};
    return put_pieces(sink, call, &pieces);
}
