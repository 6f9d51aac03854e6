/* csr files: header, digests, checks, and a graph copied from one or written to one.
 *
 *   | header, 4096 | offsets ... 0 | columns ... 0 | table of digests | end, 64 |
 *
 * Digests find damage; they do not say who made the file. So rows are looked at as well:
 * kernels take columns as places in tables, and bounds of sensitivity take rows to be
 * symmetric. */
#include "io/csr.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static const char MAGIC[8] = {'P', 'V', 'G', 'C', 'S', 'R', '1', '\n'};
static const char END[8] = {'P', 'V', 'G', 'E', 'N', 'D', '1', '\n'};

enum { VERSION = 1, AT_VERSION = 8, AT_DECLARED = 12, AT_ORDER = 16, AT_ARCS = 24 };
enum { AT_BLOCK = 32, AT_BYTES = 40, AT_REST = 48, DIGEST = PVGI_DIGEST_BYTES };

/* --- shape and header ------------------------------------------------------------ */

static uint64_t to_page(uint64_t bytes) {
    return (bytes + PVGI_CSR_HEAD - 1) / PVGI_CSR_HEAD * PVGI_CSR_HEAD;
}

static int64_t blocks_of(uint64_t bytes) {
    return (int64_t)((bytes + PVGI_CSR_BLOCK - 1) / PVGI_CSR_BLOCK);
}

static uint64_t offset_bytes(const pvgi_io_csr_shape *shape) {
    return ((uint64_t)shape->order + 1) * sizeof(int64_t);
}

static uint64_t column_bytes(const pvgi_io_csr_shape *shape) {
    return (uint64_t)shape->arcs * sizeof(int32_t);
}

pvgi_io_csr_shape pvgi_io_csr_measure(int64_t order, int64_t arcs, uint8_t declared) {
    pvgi_io_csr_shape shape = {.order = order, .arcs = arcs, .declared = declared};
    shape.columns_at = PVGI_CSR_HEAD + to_page(offset_bytes(&shape));
    shape.table_at = shape.columns_at + to_page(column_bytes(&shape));
    shape.offset_blocks = blocks_of(offset_bytes(&shape));
    shape.column_blocks = blocks_of(column_bytes(&shape));
    shape.bytes = shape.table_at +
                  (uint64_t)(shape.offset_blocks + shape.column_blocks) * DIGEST +
                  PVGI_CSR_TAIL;
    return shape;
}

static void put_word(char *at, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++) at[i] = (char)(value >> 8 * i & 0xFF);
}

static uint64_t get_word(const char *at, int bytes) {
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++) value |= (uint64_t)(uint8_t)at[i] << 8 * i;
    return value;
}

void pvgi_io_csr_put_head(char head[PVGI_CSR_HEAD], const pvgi_io_csr_shape *shape) {
    memset(head, 0, PVGI_CSR_HEAD);
    memcpy(head, MAGIC, sizeof MAGIC);
    put_word(head + AT_VERSION, VERSION, 4);
    put_word(head + AT_DECLARED, shape->declared & PVGI_DECLARED_NODES, 4);
    put_word(head + AT_ORDER, (uint64_t)shape->order, 8);
    put_word(head + AT_ARCS, (uint64_t)shape->arcs, 8);
    put_word(head + AT_BLOCK, PVGI_CSR_BLOCK, 4);
    put_word(head + AT_BYTES, shape->bytes, 8);
}

void pvgi_io_csr_digest(uint8_t out[DIGEST], const void *block, size_t bytes) {
    pvgi_digest digest;
    pvgi_rng_digest_begin(&digest);
    pvgi_rng_digest_add(&digest, block, bytes);
    pvgi_rng_digest_end(out, &digest);
}

void pvgi_io_csr_put_tail(char tail[PVGI_CSR_TAIL], const char head[PVGI_CSR_HEAD],
                          const uint8_t *table, int64_t blocks) {
    pvgi_digest digest;
    memset(tail, 0, PVGI_CSR_TAIL);
    pvgi_rng_digest_begin(&digest);
    pvgi_rng_digest_add(&digest, head, PVGI_CSR_HEAD);
    pvgi_rng_digest_add(&digest, table, (size_t)blocks * DIGEST);
    pvgi_rng_digest_end((uint8_t *)tail, &digest);
    memcpy(tail + PVGI_CSR_TAIL - sizeof END, END, sizeof END);
}

static int32_t bad(const char *name, const char *what) {
    return pvgi_fail(PVG_E_FORMAT, "%.200s: %s", name, what);
}

static bool all_zero(const char *bytes, size_t count) {
    return count == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, count - 1) == 0);
}

/* Sizes are those of the file itself: nothing is taken on the word of a header alone. */
static int32_t read_head(pvgi_io_csr_shape *out, const char *head, const char *name,
                         uint64_t bytes) {
    if (memcmp(head, MAGIC, sizeof MAGIC) != 0)
        return bad(name, "is not a csr file: it does not begin with PVGCSR1");
    const uint64_t version = get_word(head + AT_VERSION, 4);
    if (version != VERSION)
        return pvgi_fail(PVG_E_FORMAT,
                         "%.200s: a csr file of version %llu; this library reads 1", name,
                         (unsigned long long)version);
    const uint64_t order = get_word(head + AT_ORDER, 8);
    const uint64_t arcs = get_word(head + AT_ARCS, 8);
    const uint64_t declared = get_word(head + AT_DECLARED, 4);
    if (get_word(head + AT_BLOCK, 4) != PVGI_CSR_BLOCK ||
        !all_zero(head + AT_BLOCK + 4, 4) ||
        !all_zero(head + AT_REST, PVGI_CSR_HEAD - AT_REST) ||
        (declared & ~(uint64_t)PVGI_DECLARED_NODES) != 0)
        return bad(name, "the header is damaged, or says what version 1 does not know");
    if (order > (uint64_t)PVGI_GRAPH_ORDER_MAX || arcs % 2 != 0 || arcs / 4 > bytes)
        return bad(name, "the header has sizes that no file can have");
    *out = pvgi_io_csr_measure((int64_t)order, (int64_t)arcs, (uint8_t)declared);
    if (get_word(head + AT_BYTES, 8) != out->bytes)
        return bad(name, "the header is damaged: its sizes do not agree");
    if (out->bytes != bytes)
        return bad(name, bytes < out->bytes ? "the file was cut off: it is shorter than "
                                              "its header says"
                                            : "something follows the end of the file");
    return PVG_OK;
}

/* --- bytes, from a file or from memory ------------------------------------------- */

static int32_t get(void *out, const pvgi_io_csr_file *file, uint64_t at, size_t bytes) {
    char *to = out;
    if (file->memory) {
        memcpy(to, file->memory + at, bytes);
        return PVG_OK;
    }
    while (bytes > 0) {
        const ssize_t got = pread(file->file, to, bytes, (off_t)at);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return pvgi_io_fail_errno(file->name, "read", errno);
        if (got == 0)
            return pvgi_fail(PVG_E_IO, "%.200s: became shorter while it was read",
                             file->name);
        to += got;
        at += (uint64_t)got;
        bytes -= (size_t)got;
    }
    return PVG_OK;
}

static int32_t check_padding(const pvgi_io_csr_file *file, uint64_t at, uint64_t end) {
    char rest[PVGI_CSR_HEAD];
    PVGI_TRY(get(rest, file, at, (size_t)(end - at)));
    return all_zero(rest, (size_t)(end - at))
               ? PVG_OK
               : bad(file->name, "damaged: the bytes between two sections is not zero");
}

void pvgi_io_csr_close(pvgi_io_csr_file *file) {
    if (file->own && file->file >= 0) pvgi_io_file_close(file->file);
    pvgi_free(file->table);
    *file = (pvgi_io_csr_file){.file = -1};
}

static int32_t begin(pvgi_io_csr_file *file, uint64_t bytes, const pvgi_run *run) {
    char tail[PVGI_CSR_TAIL], wanted[PVGI_CSR_TAIL];
    pvgi_io_csr_shape *shape = &file->shape;
    const uint16_t one = 1;
    if (*(const uint8_t *)&one != 1)
        return pvgi_fail(PVG_E_FORMAT,
                         "%.200s: csr files hold little-endian numbers, which this "
                         "machine does not have",
                         file->name);
    if (bytes < PVGI_CSR_HEAD + PVGI_CSR_TAIL) {
        PVGI_TRY(get(file->head, file, 0, bytes < sizeof MAGIC ? (size_t)bytes : 8));
        return bad(file->name, memcmp(file->head, MAGIC, sizeof MAGIC) == 0
                                   ? "the file was cut off: it is shorter than a header"
                                   : "is not a csr file: it does not begin with PVGCSR1");
    }
    PVGI_TRY(get(file->head, file, 0, PVGI_CSR_HEAD));
    PVGI_TRY(read_head(shape, file->head, file->name, bytes));
    const int64_t blocks = shape->offset_blocks + shape->column_blocks;
    PVGI_TRY(pvgi_run_reserve(run, (size_t)blocks * DIGEST));
    file->table = pvgi_alloc((size_t)blocks, DIGEST);
    if (!file->table) return pvgi_fail_nomem();
    PVGI_TRY(get(file->table, file, shape->table_at, (size_t)blocks * DIGEST));
    PVGI_TRY(get(tail, file, bytes - PVGI_CSR_TAIL, PVGI_CSR_TAIL));
    pvgi_io_csr_put_tail(wanted, file->head, file->table, blocks);
    if (memcmp(tail, wanted, sizeof tail) != 0)
        return bad(file->name, "the header or the table of digests is damaged");
    PVGI_TRY(check_padding(file, PVGI_CSR_HEAD + offset_bytes(shape), shape->columns_at));
    return check_padding(file, shape->columns_at + column_bytes(shape), shape->table_at);
}

int32_t pvgi_io_csr_wrap(pvgi_io_csr_file *out, const char *name, const char *memory,
                         int file, uint64_t bytes, pvgi_run *run) {
    *out = (pvgi_io_csr_file){.name = name, .memory = memory, .file = file};
    const int32_t status = begin(out, bytes, run);
    if (status != PVG_OK) pvgi_io_csr_close(out);
    return status;
}

int32_t pvgi_io_csr_open(pvgi_io_csr_file *out, const char *path, pvgi_run *run) {
    bool regular = false;
    uint64_t bytes = 0;
    int file;
    *out = (pvgi_io_csr_file){.file = -1};
    PVGI_TRY(pvgi_io_file_open(&file, &bytes, &regular, path, NULL));
    int32_t status = regular ? pvgi_io_csr_wrap(out, path, NULL, file, bytes, run)
                             : bad(path, "is not a csr file: it has no size");
    if (status != PVG_OK)
        pvgi_io_file_close(file);
    else
        out->own = true;
    return status;
}

/* --- ranges ---------------------------------------------------------------------- */

static int32_t check_block(const pvgi_io_csr_file *file, bool columns, int64_t block,
                           const void *data, size_t bytes) {
    uint8_t found[DIGEST];
    const int64_t place = block + (columns ? file->shape.offset_blocks : 0);
    pvgi_io_csr_digest(found, data, bytes);
    if (memcmp(found, file->table + place * DIGEST, DIGEST) == 0) return PVG_OK;
    return pvgi_fail(PVG_E_FORMAT, "%.200s: block %lld of the %s is damaged", file->name,
                     (long long)block, columns ? "columns" : "offsets");
}

typedef struct {
    const pvgi_io_csr_file *file;
    bool columns;
    uint64_t at, all;     /* of the section: place and bytes */
    uint64_t first, last; /* bytes of it that are wanted */
    char *out;
    char *ends; /* two blocks: what is wanted of the first and last one may be a part */
} range;

static int32_t get_block(void *context, int64_t chunk, uint32_t worker) {
    const range *r = context;
    const int64_t block = (int64_t)(r->first / PVGI_CSR_BLOCK) + chunk;
    const uint64_t begin = (uint64_t)block * PVGI_CSR_BLOCK;
    const uint64_t end =
        r->all - begin < PVGI_CSR_BLOCK ? r->all : begin + PVGI_CSR_BLOCK;
    const bool whole = begin >= r->first && end <= r->last;
    char *to = whole ? r->out + (begin - r->first)
                     : r->ends + (begin < r->first ? 0 : PVGI_CSR_BLOCK);
    (void)worker;
    PVGI_TRY(get(to, r->file, r->at + begin, (size_t)(end - begin)));
    PVGI_TRY(check_block(r->file, r->columns, block, to, (size_t)(end - begin)));
    if (whole) return PVG_OK;
    const uint64_t from = begin > r->first ? begin : r->first;
    const uint64_t to_end = end < r->last ? end : r->last;
    memcpy(r->out + (from - r->first), to + (from - begin), (size_t)(to_end - from));
    return PVG_OK;
}

static int32_t get_range(range *r, pvgi_run *run) {
    if (r->first == r->last) return PVG_OK;
    r->ends = pvgi_alloc(2, PVGI_CSR_BLOCK);
    if (!r->ends) return pvgi_fail_nomem();
    const int64_t blocks =
        (int64_t)((r->last - 1) / PVGI_CSR_BLOCK - r->first / PVGI_CSR_BLOCK) + 1;
    const int32_t status = pvgi_run_chunks(run, blocks, get_block, r);
    pvgi_free(r->ends);
    return status;
}

int32_t pvgi_io_csr_get_offsets(int64_t *out, const pvgi_io_csr_file *file, int64_t first,
                                int64_t count, pvgi_run *run) {
    range r = {.file = file,
               .at = PVGI_CSR_HEAD,
               .all = offset_bytes(&file->shape),
               .first = (uint64_t)first * sizeof *out,
               .last = (uint64_t)(first + count) * sizeof *out,
               .out = (char *)out};
    return get_range(&r, run);
}

int32_t pvgi_io_csr_get_columns(int32_t *out, const pvgi_io_csr_file *file, int64_t first,
                                int64_t count, pvgi_run *run) {
    range r = {.file = file,
               .columns = true,
               .at = file->shape.columns_at,
               .all = column_bytes(&file->shape),
               .first = (uint64_t)first * sizeof *out,
               .last = (uint64_t)(first + count) * sizeof *out,
               .out = (char *)out};
    return get_range(&r, run);
}

/* --- all of it ------------------------------------------------------------------- */

/* Symmetry in one pass: arcs that lead up and arcs that lead down, turned round, are the
 * same set exactly if the products of (r + s u + v) over them are the same polynomials in
 * r and s. Those are compared at a random point modulo the prime 2^61 - 1, which nobody
 * who made the file knew: unequal ones agree there with probability below arcs / 2^60. */
#define PRIME ((UINT64_C(1) << 61) - 1)

static inline uint64_t times(uint64_t a, uint64_t b) {
    const unsigned __int128 product = (unsigned __int128)a * b;
    const uint64_t sum = (uint64_t)(product & PRIME) + (uint64_t)(product >> 61);
    return sum >= PRIME ? sum - PRIME : sum;
}

static inline uint64_t plus(uint64_t a, uint64_t b) {
    const uint64_t sum = a + b;
    return sum >= PRIME ? sum - PRIME : sum;
}

typedef struct {
    uint64_t up, down;
} product;

typedef struct {
    const pvgi_io_csr_file *file;
    const int64_t *offsets;
    const int32_t *columns;
    uint64_t r, s;
    product *products; /* of each block of columns */
} check;

static int32_t bad_block(const check *c, bool columns, int64_t block, const char *what) {
    return pvgi_fail(PVG_E_FORMAT, "%.200s: block %lld of the %s %s", c->file->name,
                     (long long)block, columns ? "columns" : "offsets", what);
}

static int32_t check_offsets(void *context, int64_t block, uint32_t worker) {
    const check *c = context;
    const int64_t order = c->file->shape.order;
    const int64_t each = PVGI_CSR_BLOCK / (int64_t)sizeof *c->offsets;
    const int64_t begin = block * each;
    const int64_t end = order + 1 - begin < each ? order + 1 : begin + each;
    (void)worker;
    PVGI_TRY(check_block(c->file, false, block, c->offsets + begin,
                         (size_t)(end - begin) * sizeof *c->offsets));
    bool good = begin > 0 || c->offsets[0] == 0;
    for (int64_t i = begin > 0 ? begin : 1; i < end; i++)
        good &= c->offsets[i - 1] <= c->offsets[i];
    if (end == order + 1) good &= c->offsets[order] == c->file->shape.arcs;
    return good ? PVG_OK : bad_block(c, false, block, "does not ascend to the last arc");
}

/* Last row that starts at or before an entry. */
static int64_t row_of(const check *c, int64_t entry) {
    int64_t low = 0, high = c->file->shape.order;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (c->offsets[middle] <= entry)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static int32_t check_columns(void *context, int64_t block, uint32_t worker) {
    const check *c = context;
    const pvgi_io_csr_shape *shape = &c->file->shape;
    const int64_t each = PVGI_CSR_BLOCK / (int64_t)sizeof *c->columns;
    int64_t at = block * each;
    const int64_t end = shape->arcs - at < each ? shape->arcs : at + each;
    product found = {1, 1};
    (void)worker;
    PVGI_TRY(check_block(c->file, true, block, c->columns + at,
                         (size_t)(end - at) * sizeof *c->columns));
    for (int64_t row = row_of(c, at); at < end; row++) {
        const int64_t row_end = c->offsets[row + 1] < end ? c->offsets[row + 1] : end;
        const uint64_t base = plus(c->r, times(c->s, (uint64_t)row));
        int64_t before = at > c->offsets[row] ? c->columns[at - 1] : -1;
        for (; at < row_end; at++) {
            const int64_t column = c->columns[at];
            if (column <= before || column == row || column >= shape->order)
                return bad_block(c, true, block, "does not hold ascending neighbours");
            before = column;
            if (column > row)
                found.up = times(found.up, plus(base, (uint64_t)column));
            else
                found.down = times(found.down, plus(plus(c->r, (uint64_t)row),
                                                    times(c->s, (uint64_t)column)));
        }
    }
    c->products[block] = found;
    return PVG_OK;
}

static int32_t draw_point(check *c) {
    uint64_t words[PVGI_KEY_BYTES / 8];
    uint8_t key[PVGI_KEY_BYTES];
    PVGI_TRY(pvgi_rng_entropy_key(key));
    memcpy(words, key, sizeof words);
    c->r = words[0] % PRIME;
    c->s = words[1] % PRIME;
    return PVG_OK;
}

int32_t pvgi_io_csr_check(const pvgi_io_csr_file *file, const int64_t *offsets,
                          const int32_t *columns, pvgi_run *run) {
    const pvgi_io_csr_shape *shape = &file->shape;
    check c = {.file = file, .offsets = offsets, .columns = columns};
    product all = {1, 1};
    PVGI_TRY(draw_point(&c));
    c.products = pvgi_alloc((size_t)shape->column_blocks, sizeof *c.products);
    if (!c.products) return pvgi_fail_nomem();
    const pvgi_stage stages[] = {
        {check_offsets, shape->offset_blocks, 0.1, NULL},
        {check_columns, shape->column_blocks, 0.9, NULL},
    };
    int32_t status = pvgi_run_stages(run, stages, 2, 1, &c);
    for (int64_t i = 0; status == PVG_OK && i < shape->column_blocks; i++)
        all = (product){times(all.up, c.products[i].up),
                        times(all.down, c.products[i].down)};
    if (status == PVG_OK && all.up != all.down)
        status = bad(file->name, "the columns are not symmetric: some edge stands in the "
                                 "row of one end only");
    pvgi_free(c.products);
    return status;
}

int32_t pvgi_io_csr_check_order(const pvgi_io_csr_file *file, const pvgi_io_call *call) {
    const pvgi_io_csr_shape *shape = &file->shape;
    const int64_t limit = call->options.order_limit;
    if (limit > 0 && shape->order > limit)
        return pvgi_fail(PVG_E_LIMIT, "%.200s: more nodes than options.order_limit",
                         file->name);
    if (call->order < 0) return PVG_OK;
    if (shape->declared != PVGI_DECLARED_NODES)
        return bad(file->name, "its nodes were read off the edges, and the file says so; "
                               "options.order must be given when it is made");
    return shape->order == call->order
               ? PVG_OK
               : bad(file->name, "has another number of nodes than options.order");
}

/* --- a copy in memory ------------------------------------------------------------ */

static int32_t copy_graph(pvg_graph **out, const pvgi_io_csr_file *file, pvgi_run *run) {
    const pvgi_io_csr_shape *shape = &file->shape;
    pvg_graph *graph = pvgi_graph_alloc(shape->order, shape->arcs / 2);
    if (!graph) return pvgi_fail_nomem();
    graph->declared = shape->declared;
    int32_t status;
    /* digests are compared with the rest, once */
    PVGI_TRY_DONE(get(graph->offsets, file, PVGI_CSR_HEAD, (size_t)offset_bytes(shape)));
    PVGI_TRY_DONE(
        get(graph->columns, file, shape->columns_at, (size_t)column_bytes(shape)));
    PVGI_TRY_DONE(pvgi_io_csr_check(file, graph->offsets, graph->columns, run));
    *out = graph;
    return PVG_OK;
done:
    pvgi_graph_free(graph);
    return status;
}

int32_t pvgi_io_csr_parse(pvg_graph **out, pvgi_io_call *call, pvgi_io_feed *feed,
                          int32_t format) {
    pvgi_io_csr_file file;
    (void)format;
    const bool in_memory = feed->whole || feed->file < 0;
    if (in_memory) PVGI_TRY(pvgi_io_feed_all(feed));
    PVGI_TRY(pvgi_io_csr_wrap(&file, feed->text.name, in_memory ? feed->text.data : NULL,
                              feed->file, in_memory ? feed->text.bytes : feed->size,
                              &call->run));
    int32_t status = pvgi_io_csr_check_order(&file, call);
    if (status == PVG_OK) status = copy_graph(out, &file, &call->run);
    pvgi_io_csr_close(&file);
    return status;
}

/* --- writing --------------------------------------------------------------------- */

typedef struct {
    const pvgi_io_csr_shape *shape;
    const pvg_graph *graph;
    uint8_t *table;
} digests;

static int32_t digest_chunk(void *context, int64_t chunk, uint32_t worker) {
    const digests *d = context;
    const bool columns = chunk >= d->shape->offset_blocks;
    const uint64_t all = columns ? column_bytes(d->shape) : offset_bytes(d->shape);
    const char *data =
        columns ? (const char *)d->graph->columns : (const char *)d->graph->offsets;
    const uint64_t at =
        (uint64_t)(chunk - (columns ? d->shape->offset_blocks : 0)) * PVGI_CSR_BLOCK;
    (void)worker;
    pvgi_io_csr_digest(d->table + chunk * DIGEST, data + at,
                       all - at < PVGI_CSR_BLOCK ? (size_t)(all - at) : PVGI_CSR_BLOCK);
    return PVG_OK;
}

static int32_t put_section(pvgi_io_sink *sink, pvgi_io_call *call, const void *data,
                           uint64_t bytes) {
    static const char zeros[PVGI_CSR_HEAD];
    for (uint64_t at = 0; at < bytes; at += PVGI_CSR_BLOCK) {
        const uint64_t left = bytes - at;
        PVGI_TRY(pvgi_io_sink_put(sink, (const char *)data + at,
                                  left < PVGI_CSR_BLOCK ? (size_t)left : PVGI_CSR_BLOCK));
        PVGI_TRY(pvgi_run_report(&call->run, (double)at / (double)bytes));
    }
    return pvgi_io_sink_put(sink, zeros, (size_t)(to_page(bytes) - bytes));
}

int32_t pvgi_io_put_csr(pvgi_io_sink *sink, pvgi_io_call *call, const pvg_graph *graph,
                        int32_t format) {
    char head[PVGI_CSR_HEAD], tail[PVGI_CSR_TAIL];
    const pvgi_io_csr_shape shape =
        pvgi_io_csr_measure(graph->order, 2 * graph->size, graph->declared);
    const int64_t blocks = shape.offset_blocks + shape.column_blocks;
    digests job = {.shape = &shape, .graph = graph};
    int32_t status;
    (void)format;
    job.table = pvgi_alloc((size_t)blocks, DIGEST);
    if (!job.table) return pvgi_fail_nomem();
    pvgi_run_phase(&call->run, 0.0, 0.5);
    PVGI_TRY_DONE(pvgi_run_chunks(&call->run, blocks, digest_chunk, &job));
    pvgi_io_csr_put_head(head, &shape);
    pvgi_io_csr_put_tail(tail, head, job.table, blocks);
    PVGI_TRY_DONE(pvgi_io_sink_put(sink, head, sizeof head));
    pvgi_run_phase(&call->run, 0.5, 0.1);
    PVGI_TRY_DONE(put_section(sink, call, graph->offsets, offset_bytes(&shape)));
    pvgi_run_phase(&call->run, 0.6, 0.4);
    PVGI_TRY_DONE(put_section(sink, call, graph->columns, column_bytes(&shape)));
    PVGI_TRY_DONE(
        pvgi_io_sink_put(sink, (const char *)job.table, (size_t)blocks * DIGEST));
    status = pvgi_io_sink_put(sink, tail, sizeof tail);
done:
    pvgi_free(job.table);
    return status;
}

/* --- shares of a file ------------------------------------------------------------- */

int32_t pvgi_io_csr_tell(int64_t *order, int64_t *arcs, int32_t *declared,
                         uint64_t digest[2], const char *path, const pvg_run *run) {
    pvgi_io_csr_file file;
    pvgi_run running;
    char tail[PVGI_CSR_TAIL];
    PVGI_TRY(pvgi_run_begin(&running, run));
    int32_t status = pvgi_io_csr_open(&file, path, &running);
    if (status == PVG_OK) {
        *order = file.shape.order;
        *arcs = file.shape.arcs;
        *declared = file.shape.declared == PVGI_DECLARED_NODES;
        pvgi_io_csr_put_tail(tail, file.head, file.table,
                             file.shape.offset_blocks + file.shape.column_blocks);
        for (int i = 0; i < 2; i++) digest[i] = get_word(tail + 8 * i, 8);
    }
    pvgi_io_csr_close(&file);
    return status;
}

int32_t pvgi_io_csr_range(void *out, bool columns, const char *name, const char *path,
                          int64_t first, int64_t count, const pvg_run *run) {
    pvgi_io_csr_file file;
    pvgi_run running;
    PVGI_TRY(pvgi_run_begin(&running, run));
    int32_t status = pvgi_io_csr_open(&file, path, &running);
    if (status == PVG_OK) {
        const int64_t most = columns ? file.shape.arcs : file.shape.order + 1;
        if (first + count > most)
            status = pvgi_fail(PVG_E_ARGUMENT, "%s: %.200s has %lld %s, not %lld", name,
                               path, (long long)most, columns ? "columns" : "offsets",
                               (long long)(first + count));
    }
    if (status == PVG_OK && count > 0)
        status = columns ? pvgi_io_csr_get_columns(out, &file, first, count, &running)
                         : pvgi_io_csr_get_offsets(out, &file, first, count, &running);
    pvgi_io_csr_close(&file);
    return status;
}
