/* Two node numbers per line: edge lists, Matrix Market entries, TUDataset arcs.
 *
 * Of each window of text, chunks of lines are parsed in parallel straight into one array
 * of packed pairs. A chunk of L lines and B bytes holds at most min(L, (B+1)/4) pairs, so
 * every chunk has its place before it is parsed. What it found is then taken pair by pair
 * into blocks: 8 bytes for each pair that is kept, and a window. */
#include "io/io_internal.h"

#include "base/mix.h"
#include "io/pack.h"
#include "io/scan.h"

#include <string.h>

enum { LINE_BYTES_LEAST = 4 }; /* "0 1" and the newline */

typedef struct {
    const pvgi_io_source *source;
    const pvgi_io_pairs_rules *rules;
    bool drop_loops;
} parser;

typedef struct {
    int64_t count, entries, largest;
} histogram;

/* A number beyond the bound, or before the first node. */
static __attribute__((cold)) int32_t fail_range(const parser *parse, size_t offset,
                                                uint64_t number) {
    const pvgi_io_pairs_rules *rules = parse->rules;
    if (number < (uint64_t)rules->base)
        return pvgi_io_fail(parse->source, PVG_E_FORMAT, offset,
                            "node numbers start at %lld", (long long)rules->base);
    if (rules->bound_is_order)
        return pvgi_io_fail(parse->source, PVG_E_FORMAT, offset,
                            "a node number is beyond the last node");
    if (rules->bound == INT32_MAX || number > INT32_MAX)
        return pvgi_io_fail(
            parse->source, PVG_E_LIMIT, offset,
            "a node number is beyond 2^31 - 2, the last a graph can have");
    return pvgi_io_fail(parse->source, PVG_E_LIMIT, offset,
                        "a node number is beyond the limit of %lld nodes; set "
                        "options.order or options.order_limit if it is right",
                        (long long)rules->bound);
}

/* What follows the two numbers, up to the newline. NULL if it is refused. */
static __attribute__((noinline)) const char *
scan_extra(const parser *parse, const char *p, const char *end, size_t offset) {
    double value;
    switch (parse->rules->extra) {
    case PVGI_IO_EXTRA_IGNORED:
        return memchr(p, '\n', (size_t)(end - p));
    case PVGI_IO_EXTRA_VALUE: {
        const char *after = pvgi_number_scan(&value, p, end, true);
        if (!after || !(is_blank(*after) || *after == '\n')) {
            pvgi_io_fail_token(parse->source, offset, p, "a value");
            return NULL;
        }
        after = skip_blanks(after);
        if (*after == '\n') return after;
        pvgi_io_fail_token(parse->source, offset, after, "the end of the line");
        return NULL;
    }
    case PVGI_IO_EXTRA_REFUSED:
        break;
    }
    pvgi_io_fail_token(parse->source, offset, p,
                       "the end of the line after two node numbers");
    return NULL;
}

typedef enum { LINE_EMPTY, LINE_PAIR, LINE_DROPPED, LINE_BAD } line_kind;

/* Parses the line at *cursor and moves past it. The hot path, inlined by force: the
 * compiler thinks it too long. */
static inline __attribute__((always_inline)) line_kind
parse_line(const parser *parse, const pvgi_io_span *span, const char **cursor,
           uint64_t *u, uint64_t *v, int32_t *status) {
    const pvgi_io_pairs_rules *rules = parse->rules;
    const char *line = *cursor, *end = span->end;
    const size_t offset = span->offset + (size_t)(line - span->begin);
    const char *p = skip_blanks(line);
    if (*p == '\n') {
        *cursor = p + 1;
        return LINE_EMPTY;
    }
    if ((*p == '#' || *p == '%') && rules->comments) {
        *cursor = skip_line(p, end);
        return LINE_EMPTY;
    }
    const char *first = scan_number(u, p, end);
    const char *second = skip_separator(first);
    const char *after = scan_number(v, second, end);
    if (first == p || second == first || after == second) {
        if (first == p)
            *status = pvgi_io_fail_token(parse->source, offset, p, "a node number");
        else
            *status = pvgi_io_fail_token(parse->source, offset, second,
                                         second == first ? "a blank after the node number"
                                                         : "a second node number");
        return LINE_BAD;
    }
    const char *tail = skip_blanks(after);
    if (*tail != '\n' || rules->extra == PVGI_IO_EXTRA_VALUE) {
        if (rules->extra != PVGI_IO_EXTRA_REFUSED) {
            tail = skip_separator(after);
            if (tail == after && *tail != '\n') {
                *status = pvgi_io_fail_token(parse->source, offset, tail,
                                             "a blank after the node number");
                return LINE_BAD;
            }
        }
        tail = scan_extra(parse, tail, end, offset);
        if (!tail) {
            *status = PVG_E_FORMAT;
            return LINE_BAD;
        }
    }
    *cursor = tail + 1;
    const uint64_t base = (uint64_t)rules->base, bound = (uint64_t)rules->bound;
    if (*u - base >= bound || *v - base >= bound) {
        *status = fail_range(parse, offset, *u - base >= bound ? *u : *v);
        return LINE_BAD;
    }
    *u -= base;
    *v -= base;
    if (*u == *v) {
        if (parse->drop_loops) return LINE_DROPPED;
        *status = pvgi_io_fail(parse->source, PVG_E_FORMAT, offset,
                               "a self loop; PVG_EDGES_DROP_LOOPS ignores them");
        return LINE_BAD;
    }
    if (rules->graph_of && rules->graph_of[*u] != rules->graph_of[*v]) {
        *status = pvgi_io_fail(parse->source, PVG_E_FORMAT, offset,
                               "an edge between two graphs");
        return LINE_BAD;
    }
    return LINE_PAIR;
}

/* --- all chunks ----------------------------------------------------------------- */

typedef struct {
    parser parse;
    const pvgi_io_lines *lines;
    uint64_t *data;
    int64_t *places; /* chunks + 1: where each chunk writes */
    histogram *histogram;
} parse_job;

static int64_t pairs_at_most(const pvgi_io_lines *lines, int64_t chunk) {
    const int64_t count = lines->lines[chunk + 1] - lines->lines[chunk];
    const size_t bytes = lines->starts[chunk + 1] - lines->starts[chunk];
    const int64_t fit = (int64_t)((bytes + 1) / LINE_BYTES_LEAST);
    return count < fit ? count : fit;
}

static int32_t parse_chunk(void *context, int64_t chunk, uint32_t worker) {
    const parse_job *job = context;
    const parser parse = job->parse;
    uint64_t *out = job->data + job->places[chunk];
    histogram found = {0, 0, -1};
    uint64_t largest = 0, u = 0, v = 0;
    pvgi_io_span spans[2];
    (void)worker;
    const int count = pvgi_io_spans(spans, parse.source, job->lines->starts[chunk],
                                    job->lines->starts[chunk + 1]);
    for (int i = 0; i < count; i++) {
        const char *p = spans[i].begin;
        while (p < spans[i].end) {
            int32_t status = PVG_OK;
            const line_kind kind = parse_line(&parse, &spans[i], &p, &u, &v, &status);
            if (kind == LINE_EMPTY) continue;
            if (kind == LINE_BAD) return status;
            found.entries++;
            const uint64_t larger = u > v ? u : v;
            if (larger > largest) largest = larger;
            if (kind == LINE_PAIR) out[found.count++] = pvgi_edge_pack(u, v);
        }
    }
    if (found.entries > 0) found.largest = (int64_t)largest;
    job->histogram[chunk] = found;
    return PVG_OK;
}

static parser make_parser(const pvgi_io_call *call, const pvgi_io_source *source,
                          const pvgi_io_pairs_rules *rules) {
    return (parser){source, rules, (call->options.policy & PVG_EDGES_DROP_LOOPS) != 0};
}

/* --- what is kept --------------------------------------------------------------- */

int32_t pvgi_io_pairs_begin(pvgi_io_pairs *out, const pvgi_io_call *call, bool mirrored,
                            int64_t again) {
    const bool strict = !(call->options.policy & PVG_EDGES_MERGE);
    *out = (pvgi_io_pairs){.largest = -1,
                           .repeat = -1,
                           .directed = mirrored && strict,
                           .apart = mirrored && strict && again < 0,
                           .most = again < 0 ? INT64_MAX : again,
                           .pack = call->pack};
    if (again >= 0) return PVG_OK;
    out->recent = pvgi_alloc_zero(PVGI_IO_RECENT, sizeof *out->recent);
    return out->recent ? PVG_OK : pvgi_fail_nomem();
}

void pvgi_io_pairs_free(pvgi_io_pairs *pairs) {
    pvgi_graph_edges_free(&pairs->kept);
    pvgi_graph_edges_free(&pairs->back);
    pvgi_free(pairs->recent);
    *pairs = (pvgi_io_pairs){.largest = -1, .repeat = -1};
}

int32_t pvgi_io_pairs_take(pvgi_io_pairs *out, uint64_t pair) {
    const uint64_t turned = pair << 32 | pair >> 32;
    const bool down = pair > turned;
    const int64_t index = out->pairs++;
    if (index >= out->most) return PVG_OK;
    if (out->recent) { /* no pair is 0, which is a loop */
        const uint64_t key = down && !out->directed ? turned : pair;
        uint64_t *place = &out->recent[pvgi_mix(key) % PVGI_IO_RECENT];
        if (*place == key) {
            if (out->repeat < 0) out->repeat = index;
            return PVG_OK;
        }
        *place = key;
    }
    if (out->pack) return pvgi_io_pack_take(out->pack, pair, index, out->directed);
    return out->apart && down ? pvgi_graph_edges_push(&out->back, turned)
                              : pvgi_graph_edges_push(&out->kept, pair);
}

static int32_t take_found(pvgi_io_pairs *out, const parse_job *job) {
    for (int64_t k = 0; k < job->lines->chunks; k++) {
        const histogram *t = &job->histogram[k];
        const uint64_t *data = job->data + job->places[k];
        for (int64_t i = 0; i < t->count; i++) PVGI_TRY(pvgi_io_pairs_take(out, data[i]));
        out->entries += t->entries;
        if (t->largest > out->largest) out->largest = t->largest;
    }
    return PVG_OK;
}

/* --- windows -------------------------------------------------------------------- */

/* Where the pairs begin in the window that is shown. */
static size_t begin_in(const pvgi_io_feed *feed, const pvgi_io_pairs_rules *rules) {
    const uint64_t behind = rules->begin > feed->before ? rules->begin - feed->before : 0;
    return behind < feed->text.bytes ? (size_t)behind : feed->text.bytes;
}

static int32_t parse_window(pvgi_io_pairs *out, pvgi_io_feed *feed,
                            const pvgi_io_pairs_rules *rules) {
    pvgi_io_call *call = feed->call;
    pvgi_io_lines lines;
    int32_t status;
    PVGI_TRY(pvgi_io_lines_find(&lines, call, &feed->text, begin_in(feed, rules)));
    parse_job job = {.parse = make_parser(call, &feed->text, rules), .lines = &lines};
    const size_t chunks = (size_t)lines.chunks;
    job.places = pvgi_alloc(chunks + 1, sizeof *job.places);
    job.histogram = pvgi_alloc_zero(chunks, sizeof *job.histogram);
    if (!job.places || !job.histogram) {
        status = pvgi_fail_nomem();
        goto done;
    }
    int64_t capacity = 0;
    for (int64_t k = 0; k < lines.chunks; k++) {
        job.places[k] = capacity;
        capacity += pairs_at_most(&lines, k);
    }
    job.places[chunks] = capacity;
    const int64_t all = out->kept.count + out->back.count + capacity;
    PVGI_TRY_DONE(pvgi_run_reserve(&call->run, pvgi_size_mul((size_t)all, 8)));
    job.data = pvgi_alloc((size_t)capacity, sizeof *job.data);
    if (!job.data) {
        status = pvgi_fail_nomem();
        goto done;
    }
    PVGI_TRY_DONE(pvgi_run_chunks(&call->run, lines.chunks, parse_chunk, &job));
    status = take_found(out, &job);
done:
    pvgi_free(job.data);
    pvgi_free(job.places);
    pvgi_free(job.histogram);
    pvgi_io_lines_free(&lines);
    return status;
}

int32_t pvgi_io_pairs_parse(pvgi_io_pairs *out, pvgi_io_feed *feed,
                            const pvgi_io_pairs_rules *rules, int64_t again) {
    int32_t status = pvgi_io_pairs_begin(out, feed->call, rules->mirrored, again);
    while (status == PVG_OK && feed->text.bytes > 0 && out->pairs < out->most) {
        status = parse_window(out, feed, rules);
        if (status == PVG_OK) status = pvgi_io_feed_next(feed);
    }
    if (status != PVG_OK) pvgi_io_pairs_free(out);
    return status;
}

/* --- failures that show at the end ---------------------------------------------- */

static int32_t parse_again(pvgi_io_pairs *out, pvgi_io_feed *feed, const void *rules,
                           int64_t again) {
    PVGI_TRY(pvgi_io_feed_again(feed));
    return pvgi_io_pairs_parse(out, feed, rules, again);
}

/* Fails at kept pair number index of the window, or moves *index on. */
static int32_t fail_in_window(pvgi_io_feed *feed, const pvgi_io_pairs_rules *rules,
                              int64_t *index, const char *reason) {
    const pvgi_io_source *text = &feed->text;
    const parser parse = make_parser(feed->call, text, rules);
    pvgi_io_span spans[2];
    uint64_t u, v;
    const int count = pvgi_io_spans(spans, text, begin_in(feed, rules), text->bytes);
    for (int i = 0; i < count; i++)
        for (const char *p = spans[i].begin; p < spans[i].end;) {
            const size_t offset = spans[i].offset + (size_t)(p - spans[i].begin);
            int32_t status;
            const line_kind kind = parse_line(&parse, &spans[i], &p, &u, &v, &status);
            if (kind == LINE_BAD) return status; /* somebody changed the file */
            if (kind == LINE_PAIR && (*index)-- == 0)
                return pvgi_io_fail(text, PVG_E_FORMAT, offset, "%s", reason);
        }
    return PVG_OK;
}

static int32_t fail_pair(pvgi_io_feed *feed, const void *rules, int64_t index,
                         const char *reason) {
    int32_t status = pvgi_io_feed_again(feed);
    while (status == PVG_OK && feed->text.bytes > 0) {
        status = fail_in_window(feed, rules, &index, reason);
        if (status == PVG_OK) status = pvgi_io_feed_next(feed);
    }
    return status != PVG_OK ? status
                            : pvgi_fail(PVG_E_IO, "%.200s: changed while it was read",
                                        feed->text.name);
}

pvgi_io_blame pvgi_io_blame_pairs(pvgi_io_feed *feed, const pvgi_io_pairs_rules *rules) {
    return (pvgi_io_blame){feed, rules, parse_again, fail_pair};
}
