/* A csr file by external sort. Both arcs of each edge are collected as words, sorted when
 * memory is full and spilled as a run to a file without a name beside the target; the
 * runs are then merged into rows. Offsets and columns are written as they come, each with
 * its own cursor; header and table last, and only then does the file get its name.
 *
 *   word = from << 32 | to << 1 | turned
 *
 * `turned` is set in lists that must name each edge in both directions: there an arc must
 * come once as it stands and once turned round. */
#include "io/pack.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    DIGIT = 11,
    DIGITS = 1 << DIGIT,
    CHUNK_MOST = 1 << 20, /* of text, as elsewhere */
    CHUNK_LEAST = 1 << 10,
    READ_LEAST = 4096, /* bytes of one run in memory */
    FIRST_ALLOCATED = 1 << 12,
    REPORT_EACH = 1 << 16,
    WORD = sizeof(uint64_t)
};

/* Where one section of the file has got to. */
typedef struct {
    char *block;
    size_t used;
    uint64_t at;
    uint8_t *table; /* digests */
    int64_t blocks, allocated;
} section;

typedef struct {
    uint64_t begin, end; /* words of the spill file */
} sorted_run;

struct pvgi_io_pack {
    pvgi_io_call *call;
    const char *path;
    pvgi_io_sink sink;
    size_t memory;
    bool merge, directed;
    uint8_t declared;
    bool written; /* rows are */
    /* sorting */
    uint64_t *words, *other;
    int64_t count, allocated, capacity; /* allocated grows as far as capacity */
    int spill;
    uint64_t spilled; /* words */
    sorted_run *runs;
    int64_t run_count, run_most;
    /* merging */
    uint64_t last;       /* word >> 1 of the arc that came last */
    uint64_t seen;       /* 1: as it stands, 2: turned round */
    int64_t order, arcs; /* so far */
    int64_t rows;        /* whose offset is written */
    section offsets, columns;
    int spilled_again; /* where runs are merged to, and how far that is */
    uint64_t again_at;
    uint64_t *again; /* READ_LEAST bytes of it */
    int64_t again_count;
    /* an edge that may not be, and where the list names it */
    uint64_t wanted;
    const char *reason;
    bool seeking;
    int64_t found, found_again;
};

/* --- files ----------------------------------------------------------------------- */

static int32_t put(const pvgi_io_pack *pack, int file, const void *data, size_t bytes,
                   uint64_t at) {
    const char *from = data;
    while (bytes > 0) {
        const ssize_t put = pwrite(file, from, bytes, (off_t)at);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0)
            return pvgi_io_fail_errno(
                pack->path, file == pack->sink.file ? "write" : "sort beside", errno);
        from += put;
        at += (uint64_t)put;
        bytes -= (size_t)put;
    }
    return PVG_OK;
}

static int32_t take(const pvgi_io_pack *pack, void *out, size_t bytes, uint64_t at) {
    char *to = out;
    while (bytes > 0) {
        const ssize_t got = pread(pack->spill, to, bytes, (off_t)at);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0)
            return pvgi_io_fail_errno(pack->path, "sort beside", got < 0 ? errno : EIO);
        to += got;
        at += (uint64_t)got;
        bytes -= (size_t)got;
    }
    return PVG_OK;
}

/* A file in the folder of the target that has no name, or none any more: nothing of it
 * is left when the process ends, however that happens. */
static int32_t open_spill(int *out, const pvgi_io_pack *pack) {
    const size_t bytes = strlen(pack->path) + 48;
    char *name = pvgi_alloc(bytes, 1);
    if (!name) return pvgi_fail_nomem();
    snprintf(name, bytes, "%s", pack->path);
    char *slash = strrchr(name, '/');
    if (slash)
        slash[1] = '\0';
    else
        snprintf(name, bytes, "./");
    *out = -1;
#ifdef O_TMPFILE
    *out = open(name, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
#endif
    for (int i = 0; *out < 0 && i < 100; i++) {
        snprintf(name, bytes, "%s.%ld-%d.sort", pack->path, (long)getpid(), i);
        *out = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (*out >= 0 && unlink(name) != 0) {
            close(*out);
            *out = -1;
            break;
        }
        if (*out < 0 && errno != EEXIST) break;
    }
    const int error = errno;
    pvgi_free(name);
    return *out >= 0 ? PVG_OK : pvgi_io_fail_errno(pack->path, "sort beside", error);
}

/* --- runs ------------------------------------------------------------------------ */

/* Most lists are short: memory is taken as it is needed. */
static int32_t make_room(pvgi_io_pack *pack) {
    int64_t allocated = pack->allocated > 0 ? 2 * pack->allocated : FIRST_ALLOCATED;
    if (allocated > pack->capacity) allocated = pack->capacity;
    pvgi_free(pack->other);
    pack->other = NULL;
    uint64_t *larger = pvgi_grow(pack->words, (size_t)allocated, WORD);
    if (!larger) return pvgi_fail_nomem();
    pack->words = larger;
    pack->allocated = allocated;
    return PVG_OK;
}

/* Digit by digit, from the last; the result is in words. */
static int32_t sort_words(pvgi_io_pack *pack) {
    int64_t places[DIGITS];
    uint64_t differ = 0;
    const int64_t count = pack->count;
    if (!pack->other) pack->other = pvgi_alloc((size_t)pack->allocated, WORD);
    if (!pack->other) return pvgi_fail_nomem();
    for (int64_t i = 1; i < count; i++) differ |= pack->words[i] ^ pack->words[0];
    for (int shift = 0; shift < 64; shift += DIGIT) {
        if (!(differ >> shift & (DIGITS - 1))) continue;
        const uint64_t *from = pack->words;
        uint64_t *to = pack->other;
        memset(places, 0, sizeof places);
        for (int64_t i = 0; i < count; i++) places[from[i] >> shift & (DIGITS - 1)]++;
        int64_t place = 0;
        for (int d = 0; d < DIGITS; d++) {
            const int64_t here = places[d];
            places[d] = place;
            place += here;
        }
        for (int64_t i = 0; i < count; i++)
            to[places[from[i] >> shift & (DIGITS - 1)]++] = from[i];
        pack->other = pack->words;
        pack->words = to;
    }
    if (!pack->merge) return PVG_OK; /* repeats must be seen */
    int64_t kept = 0;
    for (int64_t i = 0; i < count; i++)
        if (i == 0 || pack->words[i] != pack->words[i - 1])
            pack->words[kept++] = pack->words[i];
    pack->count = kept;
    return PVG_OK;
}

static int32_t merge_runs(pvgi_io_pack *pack,
                          int32_t (*use)(pvgi_io_pack *pack, uint64_t word));

static int32_t flush_again(pvgi_io_pack *pack) {
    const size_t bytes = (size_t)pack->again_count * WORD;
    PVGI_TRY(put(pack, pack->spilled_again, pack->again, bytes, pack->again_at * WORD));
    pack->again_at += (uint64_t)pack->again_count;
    pack->again_count = 0;
    return PVG_OK;
}

static int32_t spill_again(pvgi_io_pack *pack, uint64_t word) {
    if (pack->merge && word == pack->last) return PVG_OK;
    pack->last = word;
    pack->again[pack->again_count++] = word;
    return pack->again_count == READ_LEAST / WORD ? flush_again(pack) : PVG_OK;
}

/* More runs than can be read at once become one. */
static int32_t join_runs(pvgi_io_pack *pack) {
    pack->spilled_again = -1;
    pack->again_at = 0;
    pack->again_count = 0;
    pack->last = UINT64_MAX;
    PVGI_TRY(open_spill(&pack->spilled_again, pack));
    pack->again = pvgi_alloc(READ_LEAST, 1);
    int32_t status = pack->again ? merge_runs(pack, spill_again) : pvgi_fail_nomem();
    if (status == PVG_OK) status = flush_again(pack);
    pvgi_free(pack->again);
    pack->again = NULL;
    if (status != PVG_OK) {
        close(pack->spilled_again);
        return status;
    }
    close(pack->spill);
    pack->spill = pack->spilled_again;
    pack->spilled = pack->again_at;
    pack->runs[0] = (sorted_run){0, pack->spilled};
    pack->run_count = 1;
    return PVG_OK;
}

static int32_t spill_words(pvgi_io_pack *pack) {
    if (pack->count == 0) return PVG_OK;
    PVGI_TRY(sort_words(pack));
    if (pack->spill < 0) PVGI_TRY(open_spill(&pack->spill, pack));
    if (pack->run_count == pack->run_most) PVGI_TRY(join_runs(pack));
    PVGI_TRY(put(pack, pack->spill, pack->words, (size_t)pack->count * WORD,
                 pack->spilled * WORD));
    const uint64_t end = pack->spilled + (uint64_t)pack->count;
    pack->runs[pack->run_count++] = (sorted_run){pack->spilled, end};
    pack->spilled = end;
    pack->count = 0;
    return PVG_OK;
}

int32_t pvgi_io_pack_take(pvgi_io_pack *pack, uint64_t pair, int64_t index,
                          bool directed) {
    const uint64_t u = pair >> 32, v = pair & UINT32_MAX;
    const uint64_t word = u << 32 | v << 1, turned = v << 32 | u << 1;
    if (pack->seeking) {
        if (word != pack->wanted && turned != pack->wanted) return PVG_OK;
        if (pack->found < 0)
            pack->found = index;
        else if (pack->found_again < 0)
            pack->found_again = index;
        return PVG_OK;
    }
    pack->directed = directed;
    if (pack->count + 2 > pack->allocated)
        PVGI_TRY(pack->allocated < pack->capacity ? make_room(pack) : spill_words(pack));
    pack->words[pack->count++] = word;
    pack->words[pack->count++] = turned | (directed ? 1 : 0);
    return PVG_OK;
}

/* --- merging --------------------------------------------------------------------- */

typedef struct {
    uint64_t word; /* that comes next */
    uint64_t *words;
    int64_t at, filled;
    uint64_t next, end; /* words of the spill file */
} reader;

/* False at the end of the run. */
static int32_t advance(const pvgi_io_pack *pack, reader *r, int64_t each, bool *more) {
    if (r->at == r->filled) {
        const uint64_t left = r->end - r->next;
        r->filled = left < (uint64_t)each ? (int64_t)left : each;
        r->at = 0;
        *more = r->filled > 0;
        if (!*more) return PVG_OK;
        PVGI_TRY(take(pack, r->words, (size_t)r->filled * WORD, r->next * WORD));
        r->next += (uint64_t)r->filled;
    }
    *more = true;
    r->word = r->words[r->at++];
    return PVG_OK;
}

/* Puts the reader at place i of a heap where it belongs. */
static void sift(reader *heap, int64_t count, int64_t i) {
    const reader moved = heap[i];
    for (;;) {
        int64_t child = 2 * i + 1;
        if (child >= count) break;
        if (child + 1 < count && heap[child + 1].word < heap[child].word) child++;
        if (moved.word <= heap[child].word) break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = moved;
}

static int32_t merge_heap(pvgi_io_pack *pack, reader *heap, uint64_t *words, int64_t each,
                          int32_t (*use)(pvgi_io_pack *pack, uint64_t word)) {
    int64_t count = 0;
    uint64_t used = 0;
    bool more;
    for (int64_t i = 0; i < pack->run_count; i++) {
        reader *r = &heap[count];
        *r = (reader){.words = words + i * each,
                      .next = pack->runs[i].begin,
                      .end = pack->runs[i].end};
        PVGI_TRY(advance(pack, r, each, &more));
        if (more) count++;
    }
    for (int64_t i = count / 2 - 1; i >= 0; i--) sift(heap, count, i);
    while (count > 0) {
        PVGI_TRY(use(pack, heap[0].word));
        PVGI_TRY(advance(pack, &heap[0], each, &more));
        if (!more) heap[0] = heap[--count];
        if (count > 0) sift(heap, count, 0);
        if (++used % REPORT_EACH == 0)
            PVGI_TRY(pvgi_run_report(&pack->call->run,
                                     (double)used / (double)(pack->spilled + 1)));
    }
    return PVG_OK;
}

static int32_t merge_runs(pvgi_io_pack *pack,
                          int32_t (*use)(pvgi_io_pack *pack, uint64_t word)) {
    const int64_t each = (int64_t)(pack->memory / 4 / (size_t)pack->run_count / WORD);
    reader *heap = pvgi_alloc((size_t)pack->run_count, sizeof *heap);
    uint64_t *words = pvgi_alloc((size_t)(each * pack->run_count), WORD);
    const int32_t status =
        heap && words ? merge_heap(pack, heap, words, each, use) : pvgi_fail_nomem();
    pvgi_free(heap);
    pvgi_free(words);
    return status;
}

/* --- rows ------------------------------------------------------------------------ */

static int32_t flush_section(const pvgi_io_pack *pack, section *s) {
    if (s->used == 0) return PVG_OK;
    if (s->blocks == s->allocated) {
        const int64_t allocated = s->allocated * 2 + 64;
        uint8_t *larger = pvgi_grow(s->table, (size_t)allocated, PVGI_DIGEST_BYTES);
        if (!larger) return pvgi_fail_nomem();
        s->table = larger;
        s->allocated = allocated;
    }
    pvgi_io_csr_digest(s->table + s->blocks++ * PVGI_DIGEST_BYTES, s->block, s->used);
    PVGI_TRY(put(pack, pack->sink.file, s->block, s->used, s->at));
    s->at += s->used;
    s->used = 0;
    return PVG_OK;
}

static int32_t put_number(const pvgi_io_pack *pack, section *s, const void *number,
                          size_t bytes) {
    memcpy(s->block + s->used, number, bytes);
    s->used += bytes;
    return s->used == PVGI_CSR_BLOCK ? flush_section(pack, s) : PVG_OK;
}

/* Offsets of all rows up to and with `row`. */
static int32_t begin_row(pvgi_io_pack *pack, int64_t row) {
    for (; pack->rows <= row; pack->rows++)
        PVGI_TRY(put_number(pack, &pack->offsets, &pack->arcs, sizeof pack->arcs));
    return PVG_OK;
}

static int32_t refuse(pvgi_io_pack *pack, uint64_t arc, const char *reason) {
    pack->wanted = arc << 1;
    pack->reason = reason;
    return PVG_E_FORMAT; /* its line is looked for */
}

static int32_t end_arc(pvgi_io_pack *pack) {
    if (!pack->directed || pack->last == UINT64_MAX || pack->seen == 3) return PVG_OK;
    return refuse(pack, pack->last,
                  "an edge that is not listed in the other direction; PVG_EDGES_MERGE "
                  "adds it");
}

static int32_t put_arc(pvgi_io_pack *pack, uint64_t word) {
    const uint64_t arc = word >> 1, side = UINT64_C(1) << (word & 1);
    if (arc == pack->last) {
        if (pack->merge) return PVG_OK;
        if (pack->seen & side || !pack->directed)
            return refuse(pack, arc, "a repeated edge; PVG_EDGES_MERGE keeps one");
        pack->seen |= side;
        return PVG_OK;
    }
    PVGI_TRY(end_arc(pack));
    const int32_t column = (int32_t)(arc & INT32_MAX);
    pack->last = arc;
    pack->seen = side;
    PVGI_TRY(begin_row(pack, (int64_t)(arc >> 31)));
    pack->arcs++;
    return put_number(pack, &pack->columns, &column, sizeof column);
}

static int32_t put_words(pvgi_io_pack *pack) {
    PVGI_TRY(sort_words(pack));
    for (int64_t i = 0; i < pack->count; i++) {
        PVGI_TRY(put_arc(pack, pack->words[i]));
        if (i % REPORT_EACH == 0)
            PVGI_TRY(pvgi_run_report(&pack->call->run, (double)i / (double)pack->count));
    }
    return PVG_OK;
}

static int32_t put_rows(pvgi_io_pack *pack) {
    pack->last = UINT64_MAX;
    if (pack->run_count == 0) {
        PVGI_TRY(put_words(pack));
    } else {
        PVGI_TRY(spill_words(pack));
        pvgi_free(pack->words);
        pvgi_free(pack->other);
        pack->words = pack->other = NULL;
        pack->last = UINT64_MAX; /* joined runs moved it */
        PVGI_TRY(merge_runs(pack, put_arc));
    }
    PVGI_TRY(end_arc(pack));
    PVGI_TRY(begin_row(pack, pack->order));
    PVGI_TRY(flush_section(pack, &pack->offsets));
    PVGI_TRY(flush_section(pack, &pack->columns));
    pack->written = true;
    return PVG_OK;
}

/* The line of an edge that may not be: of its second place, or of its only one. */
static int32_t blame_edge(pvgi_io_pack *pack, const pvgi_io_blame *blame) {
    pvgi_io_pairs none;
    pack->seeking = true;
    pack->found = pack->found_again = -1;
    PVGI_TRY(blame->parse(&none, blame->feed, blame->rules, INT64_MAX));
    pvgi_io_pairs_free(&none);
    const int64_t index = pack->found_again >= 0 ? pack->found_again : pack->found;
    if (index < 0)
        return pvgi_fail(PVG_E_IO, "%.200s: changed while it was read",
                         blame->feed->text.name);
    return blame->fail(blame->feed, blame->rules, index, pack->reason);
}

int32_t pvgi_io_pack_rows(pvgi_io_pack *pack, int64_t order, int64_t repeat,
                          const pvgi_io_blame *blame) {
    if (!pack->merge && repeat >= 0)
        return blame->fail(blame->feed, blame->rules, repeat,
                           "a repeated edge; PVG_EDGES_MERGE keeps one");
    pack->order = order;
    pack->offsets.at = PVGI_CSR_HEAD;
    pack->columns.at = pvgi_io_csr_measure(order, 0, 0).columns_at;
    pack->offsets.block = pvgi_alloc(PVGI_CSR_BLOCK, 1);
    pack->columns.block = pvgi_alloc(PVGI_CSR_BLOCK, 1);
    if (!pack->offsets.block || !pack->columns.block) return pvgi_fail_nomem();
    const int32_t status = put_rows(pack);
    return status == PVG_E_FORMAT && pack->reason ? blame_edge(pack, blame) : status;
}

void pvgi_io_pack_declare(pvgi_io_pack *pack, uint8_t declared) {
    pack->declared = declared;
}

/* --- the file -------------------------------------------------------------------- */

/* Table, end and header: whatever is before them is there. */
static int32_t put_frame(pvgi_io_pack *pack) {
    char head[PVGI_CSR_HEAD], tail[PVGI_CSR_TAIL];
    const pvgi_io_csr_shape shape =
        pvgi_io_csr_measure(pack->order, pack->arcs, pack->declared);
    const size_t first = (size_t)shape.offset_blocks * PVGI_DIGEST_BYTES;
    const size_t second = (size_t)shape.column_blocks * PVGI_DIGEST_BYTES;
    uint8_t *table = pvgi_alloc(first + second, 1);
    if (!table) return pvgi_fail_nomem();
    memcpy(table, pack->offsets.table, first);
    if (second > 0) memcpy(table + first, pack->columns.table, second);
    pvgi_io_csr_put_head(head, &shape);
    pvgi_io_csr_put_tail(tail, head, table, shape.offset_blocks + shape.column_blocks);
    int32_t status = put(pack, pack->sink.file, table, first + second, shape.table_at);
    pvgi_free(table);
    PVGI_TRY(status);
    PVGI_TRY(put(pack, pack->sink.file, tail, sizeof tail, shape.bytes - sizeof tail));
    return put(pack, pack->sink.file, head, sizeof head, 0);
}

static void free_pack(pvgi_io_pack *pack) {
    if (pack->spill >= 0) close(pack->spill);
    pvgi_free(pack->words);
    pvgi_free(pack->other);
    pvgi_free(pack->runs);
    pvgi_free(pack->offsets.block);
    pvgi_free(pack->offsets.table);
    pvgi_free(pack->columns.block);
    pvgi_free(pack->columns.table);
}

/* Half of the memory for sorting, the rest for text and what is parsed of it. */
static int32_t begin(pvgi_io_pack *pack, pvgi_io_call *call, const char *path,
                     int64_t memory) {
    const size_t bytes = (size_t)(memory > 0 ? memory : PVGI_PACK_DEFAULT);
    *pack = (pvgi_io_pack){.call = call,
                           .path = path,
                           .memory = bytes,
                           .merge = (call->options.policy & PVG_EDGES_MERGE) != 0,
                           .declared = PVGI_DECLARED_NODES,
                           .spill = -1,
                           .capacity = (int64_t)(bytes / 2 / (2 * WORD)),
                           .run_most = 2 + (int64_t)(bytes / 4 / READ_LEAST)};
    pack->sink.file = -1;
    const size_t chunk = bytes / 256;
    call->chunk_bytes = chunk > CHUNK_MOST    ? CHUNK_MOST
                        : chunk < CHUNK_LEAST ? CHUNK_LEAST
                                              : chunk;
    pack->runs = pvgi_alloc((size_t)pack->run_most, sizeof *pack->runs);
    return pack->runs ? PVG_OK : pvgi_fail_nomem();
}

static int32_t fill(pvgi_io_pack *pack, const char *source) {
    pvgi_io_call *call = pack->call;
    pvgi_io_feed feed;
    pvg_graph *graph = NULL;
    PVGI_TRY(pvgi_io_feed_open(&feed, call, source, NULL));
    call->pack = pack;
    int32_t status = pvgi_io_parse_feed(&graph, call, &feed);
    call->pack = NULL;
    pvgi_io_feed_close(&feed);
    if (status == PVG_OK)
        /* a graph of a format that does not list pairs was read as a whole */
        status = pack->written ? put_frame(pack)
                               : pvgi_io_put_csr(&pack->sink, call, graph, 0);
    pvgi_graph_free(graph);
    return status;
}

int32_t pvgi_io_pack_file(pvgi_io_call *call, const char *path, const char *source,
                          int64_t memory) {
    pvgi_io_pack pack;
    int32_t status = begin(&pack, call, path, memory);
    if (status == PVG_OK) status = pvgi_io_sink_open_private(&pack.sink, path);
    if (status == PVG_OK) status = fill(&pack, source);
    status = pvgi_io_sink_close(&pack.sink, status);
    free_pack(&pack);
    return status;
}
