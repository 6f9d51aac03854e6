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
    size_t begin;          /* of the nodes' lines */
} metis_header;

/* One walk over the nodes' lines: keeps the arcs, or looks for one. */
typedef struct {
    const pvgi_io_source *source;
    const metis_header *header;
    bool drop_loops;
    uint64_t *data; /* NULL: only count */
    int64_t count, entries;
    int64_t wanted; /* stop at this arc; -1: none */
    size_t found;   /* offset of its line */
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

static int32_t parse_header_line(metis_header *header, const pvgi_io_source *source,
                                 const pvgi_io_span *span, const char *line) {
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
    header->begin = offset + (size_t)(p + 1 - line);
    if (header->begin > source->bytes) header->begin = source->bytes; /* added newline */
    const size_t rest = source->bytes - header->begin + 1;
    if (header->order > rest || numbers[1] > rest / 2)
        return pvgi_io_fail(source, PVG_E_FORMAT, offset,
                            "announces more nodes or edges than the file has room for");
    header->arcs = 2 * numbers[1];
    return PVG_OK;
}

static int32_t parse_header(metis_header *header, const pvgi_io_source *source) {
    pvgi_io_span spans[2];
    const int count = pvgi_io_spans(spans, source, 0, source->bytes);
    *header = (metis_header){0};
    for (int i = 0; i < count; i++)
        for (const char *p = spans[i].begin; p < spans[i].end;
             p = skip_line(p, spans[i].end))
            if (*skip_blanks(p) != '%')
                return parse_header_line(header, source, &spans[i], p);
    return pvgi_io_fail(source, PVG_E_FORMAT, source->bytes,
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
    if (w->count == w->wanted) w->found = offset;
    if (w->data) w->data[w->count] = pvgi_edge_pack(w->node, neighbour - 1);
    w->count++;
    return PVG_OK;
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

static int32_t walk_nodes(walk *w) {
    pvgi_io_span spans[2];
    const pvgi_io_source *source = w->source;
    const int count = pvgi_io_spans(spans, source, w->header->begin, source->bytes);
    for (int i = 0; i < count; i++)
        for (const char *p = spans[i].begin; p < spans[i].end;
             p = skip_line(p, spans[i].end)) {
            const char *word = skip_blanks(p);
            if (*word == '%') continue;
            if (w->node < w->header->order)
                PVGI_TRY(take_node(w, &spans[i], p));
            else if (*word != '\n')
                return pvgi_io_fail(source, PVG_E_FORMAT,
                                    spans[i].offset + (size_t)(p - spans[i].begin),
                                    "more lines than the header's nodes");
        }
    if (w->node < w->header->order)
        return pvgi_io_fail(source, PVG_E_FORMAT, source->bytes,
                            "the file ends before the lines of all nodes");
    return PVG_OK;
}

static walk start_walk(const pvgi_io_call *call, const pvgi_io_source *source,
                       const metis_header *header) {
    return (walk){.source = source,
                  .header = header,
                  .drop_loops = (call->options.policy & PVG_EDGES_DROP_LOOPS) != 0,
                  .wanted = -1,
                  .found = source->bytes};
}

static int32_t parse_arcs(pvgi_io_pairs *out, pvgi_io_call *call,
                          const pvgi_io_source *source, const void *rules) {
    const metis_header *header = rules;
    walk w = start_walk(call, source, header);
    *out = (pvgi_io_pairs){.largest = -1};
    PVGI_TRY(pvgi_run_reserve(&call->run, pvgi_size_mul((size_t)header->arcs, 8)));
    w.data = pvgi_alloc((size_t)header->arcs, sizeof *w.data);
    if (!w.data) return pvgi_fail_nomem();
    const int32_t status = walk_nodes(&w);
    if (status != PVG_OK) {
        pvgi_free(w.data);
        return status;
    }
    *out = (pvgi_io_pairs){w.data, w.count, w.entries, (int64_t)header->order - 1};
    return PVG_OK;
}

static size_t locate_arc(const pvgi_io_call *call, const pvgi_io_source *source,
                         const void *rules, int64_t index) {
    walk w = start_walk(call, source, rules);
    w.wanted = index;
    walk_nodes(&w);
    return w.found;
}

int32_t pvgi_io_metis_parse(pvg_graph **out, pvgi_io_call *call,
                            const pvgi_io_source *source, int32_t format) {
    (void)format;
    metis_header header;
    pvgi_io_pairs arcs;
    PVGI_TRY(parse_header(&header, source));
    const size_t header_line = header.begin > 0 ? header.begin - 1 : 0;
    PVGI_TRY(pvgi_io_check_order(call, source, header_line, header.order));
    PVGI_TRY(pvgi_io_check_same_order(call, source, header_line, header.order));
    const pvgi_io_blame blame = {source, &header, parse_arcs, locate_arc};
    PVGI_TRY(parse_arcs(&arcs, call, source, &header));
    pvgi_run_phase(&call->run, 0.6, 0.4);
    int32_t status = PVG_OK;
    if ((uint64_t)arcs.entries != header.arcs &&
        !(call->options.policy & PVG_EDGES_MERGE))
        status = pvgi_io_fail(source, PVG_E_FORMAT, source->bytes,
                              "fewer neighbours than the header's edges");
    if (status == PVG_OK)
        status = pvgi_io_build(out, call, &arcs, (int64_t)header.order, true, &blame);
    pvgi_io_pairs_free(&arcs);
    return status;
}
