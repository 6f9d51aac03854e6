/* Edge lists: two node numbers per line, comments, and an optional first line "# order N"
 * which is how isolated nodes at the end survive writing and reading. Also Matrix Market
 * coordinate files, which are edge lists after a header. */
#include "io/pack.h"
#include "io/scan.h"

#include <stdio.h>
#include <strings.h>

/* --- edge list ------------------------------------------------------------------ */

/* The order that a first line "# order N" states; -1 if it states none. */
static int64_t stated_order(const pvgi_io_source *source) {
    static const char words[] = "# order ";
    pvgi_io_span spans[2];
    uint64_t order;
    if (pvgi_io_spans(spans, source, 0, source->bytes) == 0) return -1;
    const char *p = spans[0].begin, *end = spans[0].end;
    if ((size_t)(end - p) < sizeof words || memcmp(p, words, sizeof words - 1) != 0)
        return -1;
    p += sizeof words - 1;
    const char *after = scan_number(&order, p, end);
    if (after == p || *skip_blanks(after) != '\n') return -1;
    return order > INT64_MAX ? INT64_MAX : (int64_t)order;
}

int32_t pvgi_io_edge_list_parse(pvg_graph **out, pvgi_io_call *call, pvgi_io_feed *feed,
                                int32_t format) {
    (void)format;
    const pvg_io_options *options = &call->options;
    const pvgi_io_source first_line = {.name = feed->text.name, .data = ""};
    int64_t order = call->order;
    bool stated = false;
    if (order < 0) {
        order = stated_order(&feed->text);
        stated = order >= 0;
        if (stated)
            PVGI_TRY(
                pvgi_io_check_order(call, &first_line, 0, (uint64_t)order, feed->total));
    }
    const bool told = order >= 0;
    pvgi_io_pairs_rules rules = {
        .base = options->index_base,
        .bound = told ? order : pvgi_io_order_bound(call, feed->total),
        .bound_is_order = told,
        .comments = true,
        .extra = options->extra_columns ? PVGI_IO_EXTRA_IGNORED : PVGI_IO_EXTRA_REFUSED};
    pvgi_io_pairs pairs;
    const pvgi_io_blame blame = pvgi_io_blame_pairs(feed, &rules);
    PVGI_TRY(pvgi_io_pairs_parse(&pairs, feed, &rules, -1));
    int32_t status = PVG_OK;
    /* now that the length of the file is known */
    if (stated)
        status = pvgi_io_check_order(call, &first_line, 0, (uint64_t)order, feed->total);
    if (!told && pairs.largest >= pvgi_io_order_bound(call, feed->total)) {
        pvgi_io_pairs_free(&pairs);
        rules.bound = pvgi_io_order_bound(call, feed->total);
        PVGI_TRY(blame.parse(&pairs, feed, &rules, -1)); /* fails at the line */
    }
    pvgi_run_phase(&call->run, feed->phase, 1.0 - feed->phase);
    if (!told) order = pairs.largest + 1;
    if (status == PVG_OK) status = pvgi_io_build(out, call, &pairs, order, false, &blame);
    const uint8_t declared = told ? PVGI_DECLARED_NODES : PVGI_DECLARED_NUMBERS;
    if (call->pack)
        pvgi_io_pack_declare(call->pack, declared);
    else if (status == PVG_OK)
        (*out)->declared = declared;
    pvgi_io_pairs_free(&pairs);
    return status;
}

/* --- Matrix Market -------------------------------------------------------------- */

typedef struct {
    bool symmetric, values;
    uint64_t order, entries;
    uint64_t begin; /* of the entries */
    int64_t line;   /* that states the sizes, from 1 */
} market_header;

/* The word at *p is one of a NULL-terminated list: returns which, -1 if none. */
static int take_word(const char **p, const char *const *words) {
    *p = skip_blanks(*p);
    size_t length = 0;
    while ((*p)[length] != '\n' && !is_blank((*p)[length])) length++;
    for (int i = 0; words[i]; i++)
        if (strlen(words[i]) == length && strncasecmp(*p, words[i], length) == 0) {
            *p += length;
            return i;
        }
    return -1;
}

static int32_t parse_banner(market_header *header, const pvgi_io_source *source,
                            const char *line) {
    static const char
        *const banner[] = {"%%MatrixMarket", NULL},
               *const object[] = {"matrix", NULL}, *const layout[] = {"coordinate", NULL},
               *const field[] = {"pattern", "real", "integer", "double", NULL},
               *const symmetry[] = {"symmetric", "general", NULL};
    const struct {
        const char *const *words;
        const char *expected;
    } parts[] = {{banner, "%%MatrixMarket"},
                 {object, "matrix"},
                 {layout, "coordinate"},
                 {field, "pattern, real or integer"},
                 {symmetry, "symmetric or general"}};
    int found[5];
    const char *p = line;
    for (int i = 0; i < 5; i++) {
        found[i] = take_word(&p, parts[i].words);
        if (found[i] < 0) return pvgi_io_fail_token(source, 0, p, parts[i].expected);
    }
    if (*skip_blanks(p) != '\n')
        return pvgi_io_fail_token(source, 0, skip_blanks(p), "the end of the line");
    header->values = found[3] != 0;
    header->symmetric = found[4] == 0;
    return PVG_OK;
}

/* "rows columns entries" */
static int32_t parse_sizes(market_header *header, const pvgi_io_feed *feed,
                           const pvgi_io_span *span, const char *line) {
    const pvgi_io_source *source = &feed->text;
    const size_t offset = span->offset + (size_t)(line - span->begin);
    uint64_t numbers[3];
    const char *p = skip_blanks(line);
    for (int i = 0; i < 3; i++) {
        const char *after = scan_number(&numbers[i], p, span->end);
        if (after == p || !(is_blank(*after) || *after == '\n'))
            return pvgi_io_fail_token(source, offset, p, "rows, columns and entries");
        p = skip_blanks(after);
    }
    if (*p != '\n') return pvgi_io_fail_token(source, offset, p, "the end of the line");
    if (numbers[0] != numbers[1])
        return pvgi_io_fail(source, PVG_E_FORMAT, offset, "the matrix is not square");
    header->order = numbers[0];
    header->entries = numbers[2];
    header->begin = feed->before + offset + (size_t)(skip_line(p, span->end) - line);
    header->line = source->lines_before + 1;
    for (size_t i = 0; i < offset; i++) header->line += source->data[i] == '\n';
    if (feed->total != UINT64_MAX &&
        header->entries > (feed->total + 1 - header->begin) / 4)
        return pvgi_io_fail(source, PVG_E_FORMAT, offset,
                            "announces more entries than the file has room for");
    return PVG_OK;
}

static int32_t parse_market_header(market_header *header, pvgi_io_feed *feed) {
    pvgi_io_span spans[2];
    const pvgi_io_source *source = &feed->text;
    int count = pvgi_io_spans(spans, source, 0, source->bytes);
    if (count == 0) return pvgi_io_fail(source, PVG_E_FORMAT, 0, "the file is empty");
    PVGI_TRY(parse_banner(header, source, spans[0].begin));
    while (count > 0) {
        for (int i = 0; i < count; i++)
            for (const char *p = spans[i].begin; p < spans[i].end;
                 p = skip_line(p, spans[i].end)) {
                const char *word = skip_blanks(p);
                if (*word == '%' || *word == '\n') continue; /* the banner too */
                return parse_sizes(header, feed, &spans[i], p);
            }
        PVGI_TRY(pvgi_io_feed_next(feed));
        count = pvgi_io_spans(spans, source, 0, source->bytes);
    }
    return pvgi_io_fail(source, PVG_E_FORMAT, source->bytes,
                        "the file ends before the line of sizes");
}

int32_t pvgi_io_matrix_market_parse(pvg_graph **out, pvgi_io_call *call,
                                    pvgi_io_feed *feed, int32_t format) {
    (void)format;
    market_header header = {0};
    PVGI_TRY(parse_market_header(&header, feed));
    const pvgi_io_source sizes = {
        .name = feed->text.name, .data = "", .lines_before = header.line};
    /* the header may be some tool's largest number; the caller may know of more nodes */
    const int64_t told = call->order;
    if (told < 0)
        PVGI_TRY(pvgi_io_check_order(call, &sizes, 0, header.order, feed->total));
    if (told >= 0 && header.order > (uint64_t)told)
        return pvgi_io_fail(&sizes, PVG_E_FORMAT, 0, "more nodes than options.order");
    const pvgi_io_pairs_rules rules = {.begin = header.begin,
                                       .base = 1,
                                       .bound = (int64_t)header.order,
                                       .bound_is_order = true,
                                       .comments = true,
                                       .extra = header.values ? PVGI_IO_EXTRA_VALUE
                                                              : PVGI_IO_EXTRA_REFUSED,
                                       .mirrored = !header.symmetric};
    pvgi_io_pairs pairs;
    const pvgi_io_blame blame = pvgi_io_blame_pairs(feed, &rules);
    PVGI_TRY(pvgi_io_pairs_parse(&pairs, feed, &rules, -1));
    pvgi_run_phase(&call->run, feed->phase, 1.0 - feed->phase);
    int32_t status;
    if ((uint64_t)pairs.entries != header.entries)
        status = pvgi_io_fail(&feed->text, PVG_E_FORMAT, 0,
                              (uint64_t)pairs.entries < header.entries
                                  ? "the file ends before all entries it announces"
                                  : "the file has more entries than it announces");
    else /* now that the length of the file is known */
        status = told < 0
                     ? pvgi_io_check_order(call, &sizes, 0, header.order, feed->total)
                     : PVG_OK;
    if (status == PVG_OK)
        status = pvgi_io_build(out, call, &pairs, told < 0 ? (int64_t)header.order : told,
                               !header.symmetric, &blame);
    pvgi_io_pairs_free(&pairs);
    return status;
}
