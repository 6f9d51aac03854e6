/* METIS graph files: header "n m [fmt [ncon]]", then for every node a line with its size
 * and weights (skipped) and its neighbours from 1, each with a weight (skipped). Blank
 * lines are nodes without neighbours, so lines are taken in order by one thread.
 * O(bytes). */
#include "io/io_internal.h"

#include "io/scan.h"

typedef struct {
    uint64_t order, arcs;
    bool sizes, edge_weights;
    uint64_t node_weights; /* numbers per node */
    uint64_t begin;        /* of the nodes' lines */
    int64_t line;          /* of the header, from 1 */
} metis_header;

/* One walk over the nodes' lines: keeps the arcs, or fails at one. */
typedef struct {
    const pvgi_io_source *source; /* the window */
    const metis_header *header;
    bool drop_loops;
    pvgi_io_pairs *out; /* NULL: only look */
    int64_t count, entries;
    int64_t wanted; /* fail at this arc; -1: at none */
    const char *reason;
    uint64_t node;
} walk;

/* Takes a number that ends in a blank or the end of the line. */
static const char *take_number(uint64_t *value, const char *p, const char *end) {
    const char *after = scan_number(value, p, end);
    if (after == p || !(is_blank(*after) || *after == '\n')) return NULL;
    return skip_blanks(after);
}

/* "011": vertex sizes, vertex weights, edge weights. */
static bool take_flags(metis_header *header, uint64_t fmt) {
    if (fmt % 10 > 1 || fmt / 10 % 10 > 1 || fmt / 100 > 1) return false;
    header->edge_weights = fmt % 10 == 1;
    header->node_weights = fmt / 10 % 10;
    header->sizes = fmt / 100 == 1;
    return true;
}

static int32_t parse_header_line(metis_header *header, const pvgi_io_feed *feed,
                                 const pvgi_io_span *span, const char *line) {
    const pvgi_io_source *source = &feed->text;
    const size_t offset = span->offset + (size_t)(line - span->begin);
    uint64_t numbers[4] = {0, 0, 0, 1};
    int count = 0;
    const char *p = skip_blanks(line);
    for (; count < 4 && *p != '\n'; count++) {
        const char *after = take_number(&numbers[count], p, span->end);
        if (!after) return pvgi_io_fail_token(source, offset, p, "a number");
        p = after;
    }
    if (*p != '\n') return pvgi_io_fail_token(source, offset, p, "the end of the line");
    if (count < 2) return pvgi_io_fail_token(source, offset, p, "nodes and edges");
    if (!take_flags(header, numbers[2]))
        return pvgi_io_fail(source, PVG_E_FORMAT, offset,
                            "fmt is not three digits of 0 and 1");
    if (count == 4 && header->node_weights) header->node_weights = numbers[3];
    header->order = numbers[0];
    header->begin = feed->before + offset + (size_t)(p + 1 - line);
    header->line = source->lines_before + 1;
    for (size_t i = 0; i < offset; i++) header->line += source->data[i] == '\n';
    const uint64_t rest =
        feed->total == UINT64_MAX ? UINT64_MAX : feed->total + 1 - header->begin;
    if (header->order > rest || numbers[1] > rest / 2)
        return pvgi_io_fail(source, PVG_E_FORMAT, offset,
                            "announces more nodes or edges than the file has room for");
    header->arcs = 2 * numbers[1];
    return PVG_OK;
}

static int32_t parse_header(metis_header *header, pvgi_io_feed *feed) {
    pvgi_io_span spans[2];
    *header = (metis_header){0};
    while (feed->text.bytes > 0) {
        const int count = pvgi_io_spans(spans, &feed->text, 0, feed->text.bytes);
        for (int i = 0; i < count; i++)
            for (const char *p = spans[i].begin; p < spans[i].end;
                 p = skip_line(p, spans[i].end))
                if (*skip_blanks(p) != '%')
                    return parse_header_line(header, feed, &spans[i], p);
        PVGI_TRY(pvgi_io_feed_next(feed));
    }
    return pvgi_io_fail(&feed->text, PVG_E_FORMAT, 0,
                        "the file ends before the header line");
}

/* Skips the size and weights of a node. */
static const char *skip_weights(const walk *w, const char *p, const char *end) {
    const uint64_t count = w->header->node_weights + (w->header->sizes ? 1 : 0);
    uint64_t ignored;
    for (uint64_t i = 0; i < count && p; i++) p = take_number(&ignored, p, end);
    return p;
}

static int32_t take_arc(walk *w, size_t offset, uint64_t neighbour) {
    if (neighbour < 1 || neighbour > w->header->order)
        return pvgi_io_fail(w->source, PVG_E_FORMAT, offset,
                            "a neighbour is not in 1 .. number of nodes");
    if ((uint64_t)w->entries == w->header->arcs)
        return pvgi_io_fail(w->source, PVG_E_FORMAT, offset,
                            "more neighbours than the header's edges");
    w->entries++;
    if (neighbour - 1 == w->node) {
        if (w->drop_loops) return PVG_OK;
        return pvgi_io_fail(w->source, PVG_E_FORMAT, offset,
                            "a self loop; PVG_EDGES_DROP_LOOPS ignores them");
    }
    if (w->count++ == w->wanted)
        return pvgi_io_fail(w->source, PVG_E_FORMAT, offset, "%s", w->reason);
    return w->out ? pvgi_io_pairs_take(w->out, pvgi_edge_pack(w->node, neighbour - 1))
                  : PVG_OK;
}

static int32_t take_node(walk *w, const pvgi_io_span *span, const char *line) {
    const size_t offset = span->offset + (size_t)(line - span->begin);
    uint64_t number;
    const char *p = skip_weights(w, skip_blanks(line), span->end);
    if (!p)
        return pvgi_io_fail(w->source, PVG_E_FORMAT, offset,
                            "a node's size or weights are missing or malformed");
    while (*p != '\n') {
        const char *after = take_number(&number, p, span->end);
        if (!after) return pvgi_io_fail_token(w->source, offset, p, "a neighbour");
        PVGI_TRY(take_arc(w, offset, number));
        p = after;
        if (!w->header->edge_weights) continue;
        p = take_number(&number, after, span->end);
        if (!p) return pvgi_io_fail_token(w->source, offset, after, "an edge weight");
    }
    w->node++;
    return PVG_OK;
}

static int32_t walk_window(walk *w, const pvgi_io_feed *feed) {
    pvgi_io_span spans[2];
    const uint64_t begin = w->header->begin;
    const size_t from = begin > feed->before ? (size_t)(begin - feed->before) : 0;
    const int count = pvgi_io_spans(spans, w->source, from, w->source->bytes);
    for (int i = 0; i < count; i++)
        for (const char *p = spans[i].begin; p < spans[i].end;
             p = skip_line(p, spans[i].end)) {
            const char *word = skip_blanks(p);
            if (*word == '%') continue;
            if (w->node < w->header->order)
                PVGI_TRY(take_node(w, &spans[i], p));
            else if (*word != '\n')
                return pvgi_io_fail(w->source, PVG_E_FORMAT,
                                    spans[i].offset + (size_t)(p - spans[i].begin),
                                    "more lines than the header's nodes");
        }
    return PVG_OK;
}

/* From the window that is shown on. */
static int32_t walk_nodes(walk *w, pvgi_io_feed *feed) {
    w->source = &feed->text;
    w->drop_loops = (feed->call->options.policy & PVG_EDGES_DROP_LOOPS) != 0;
    while (feed->text.bytes > 0) {
        PVGI_TRY(walk_window(w, feed));
        PVGI_TRY(pvgi_run_report(&feed->call->run, 1.0));
        PVGI_TRY(pvgi_io_feed_next(feed));
    }
    if (w->node < w->header->order)
        return pvgi_io_fail(&feed->text, PVG_E_FORMAT, 0,
                            "the file ends before the lines of all nodes");
    return PVG_OK;
}

static int32_t parse_arcs(pvgi_io_pairs *out, pvgi_io_feed *feed, const void *rules,
                          int64_t again) {
    walk w = {.header = rules, .out = out, .wanted = -1};
    int32_t status = pvgi_io_pairs_begin(out, feed->call, true, again);
    if (status == PVG_OK && again >= 0) status = pvgi_io_feed_again(feed);
    if (status == PVG_OK) status = walk_nodes(&w, feed);
    if (status == PVG_OK)
        out->entries = w.entries;
    else
        pvgi_io_pairs_free(out);
    return status;
}

static int32_t fail_arc(pvgi_io_feed *feed, const void *rules, int64_t index,
                        const char *reason) {
    walk w = {.header = rules, .wanted = index, .reason = reason};
    PVGI_TRY(pvgi_io_feed_again(feed));
    PVGI_TRY(walk_nodes(&w, feed));
    return pvgi_fail(PVG_E_IO, "%.200s: changed while it was read", feed->text.name);
}

int32_t pvgi_io_metis_parse(pvg_graph **out, pvgi_io_call *call, pvgi_io_feed *feed,
                            int32_t format) {
    (void)format;
    metis_header header;
    pvgi_io_pairs arcs;
    PVGI_TRY(parse_header(&header, feed));
    const pvgi_io_source line = {
        .name = feed->text.name, .data = "", .lines_before = header.line};
    PVGI_TRY(pvgi_io_check_order(call, &line, 0, header.order, feed->total));
    PVGI_TRY(pvgi_io_check_same_order(call, &line, 0, header.order));
    const pvgi_io_blame blame = {feed, &header, parse_arcs, fail_arc};
    PVGI_TRY(parse_arcs(&arcs, feed, &header, -1));
    pvgi_run_phase(&call->run, feed->phase, 1.0 - feed->phase);
    int32_t status = PVG_OK;
    if ((uint64_t)arcs.entries != header.arcs &&
        !(call->options.policy & PVG_EDGES_MERGE))
        status = pvgi_io_fail(&feed->text, PVG_E_FORMAT, 0,
                              "fewer neighbours than the header's edges");
    if (status == PVG_OK)
        status = pvgi_io_build(out, call, &arcs, (int64_t)header.order, true, &blame);
    pvgi_io_pairs_free(&arcs);
    return status;
}
