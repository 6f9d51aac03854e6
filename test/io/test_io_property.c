/* io: random graphs and sets survive every format; results and messages do not depend on
 * threads or on where chunks of text begin. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "io/io_internal.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[64];

void setUp(void) {}
void tearDown(void) {}

/* --- random inputs -------------------------------------------------------------------
 */

static pvg_graph *random_graph(uint64_t *seed, int64_t most) {
    const int64_t order = pvgt_below(seed, most + 1);
    const int64_t count = order < 2 ? 0 : pvgt_below(seed, 3 * order);
    int64_t *ends = malloc((size_t)(2 * count + 1) * sizeof *ends);
    pvg_graph *graph;
    for (int64_t i = 0; i < 2 * count; i++) ends[i] = pvgt_below(seed, order);
    PVGT_OK(pvg_graph_from_edges(&graph, order, ends, ends + count, count,
                                 PVG_EDGES_MERGE | PVG_EDGES_DROP_LOOPS, NULL));
    free(ends);
    return graph;
}

static bool same_graph(const pvg_graph *a, const pvg_graph *b) {
    return a->order == b->order && a->size == b->size &&
           memcmp(a->offsets, b->offsets, ((size_t)a->order + 1) * sizeof *a->offsets) ==
               0 &&
           memcmp(a->columns, b->columns, 2 * (size_t)a->size * sizeof *a->columns) == 0;
}

static char *format(const pvg_graph *graph, const pvg_io_options *options,
                    size_t *length) {
    PVGT_OK(pvg_graph_format(NULL, 0, length, graph, options));
    char *text = malloc(*length + 1);
    PVGT_OK(pvg_graph_format(text, *length + 1, length, graph, options));
    return text;
}

/* --- one graph -------------------------------------------------------------------------
 */

static void graphs_survive_every_format(void) {
    for (uint64_t round = 0; round < 300; round++) {
        uint64_t seed = round;
        /* the steps of the order's length in graph6 are at 62/63 and 258047/258048 */
        pvg_graph *graph = random_graph(&seed, round % 3 == 0   ? 5
                                               : round % 3 == 1 ? 70
                                                                : 300);
        for (int32_t kind = PVG_FORMAT_EDGE_LIST; kind < PVG_FORMAT_METIS; kind++) {
            const pvg_io_options options = {.size = sizeof options,
                                            .format = kind,
                                            .index_base = (int32_t)(round % 2)};
            size_t length;
            char *text = format(graph, &options, &length);
            pvg_graph *back = NULL;
            PVGT_OK(pvg_graph_parse(&back, text, length, &options, NULL));
            PVGT_CHECK(same_graph(graph, back), "round %d format %d:\n%.300s", (int)round,
                       (int)kind, text);
            pvg_graph_free(back);
            free(text);
        }
        pvg_graph_free(graph);
    }
}

static void all_graphs_on_five_nodes_survive(void) {
    for (int order = 0; order <= 5; order++)
        for (int bits = 0; bits < 1 << (order * (order - 1) / 2); bits++) {
            int64_t sources[10], targets[10], count = 0;
            int pair = 0;
            for (int v = 1; v < order; v++)
                for (int u = 0; u < v; u++, pair++)
                    if (bits >> pair & 1) {
                        sources[count] = u;
                        targets[count++] = v;
                    }
            pvg_graph *graph, *back;
            PVGT_OK(
                pvg_graph_from_edges(&graph, order, sources, targets, count, 0, NULL));
            for (int32_t kind = PVG_FORMAT_GRAPH6; kind <= PVG_FORMAT_SPARSE6; kind++) {
                const pvg_io_options options = {.size = sizeof options, .format = kind};
                size_t length;
                char *text = format(graph, &options, &length);
                PVGT_OK(pvg_graph_parse(&back, text, length, &options, NULL));
                PVGT_CHECK(same_graph(graph, back), "order %d bits %d: %s", order, bits,
                           text);
                pvg_graph_free(back);
                free(text);
            }
            pvg_graph_free(graph);
        }
}

static void large_orders_survive_sparse6(void) {
    static const int64_t orders[] = {62, 63, 64, 258047, 258048, 300000};
    const pvg_io_options options = {.size = sizeof options, .format = PVG_FORMAT_SPARSE6};
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        const int64_t sources[] = {0, 1, orders[i] - 3, orders[i] - 2};
        const int64_t targets[] = {1, orders[i] - 1, orders[i] - 2, 7};
        pvg_graph *graph, *back;
        size_t length;
        PVGT_OK(pvg_graph_from_edges(&graph, orders[i], sources, targets, 4, 0, NULL));
        char *text = format(graph, &options, &length);
        PVGT_OK(pvg_graph_parse(&back, text, length, &options, NULL));
        PVGT_CHECK(same_graph(graph, back), "order %lld", (long long)orders[i]);
        pvg_graph_free(graph);
        pvg_graph_free(back);
        free(text);
    }
}

/* METIS files are written here: there is no writer to test against itself. */
static void metis_matches_the_graph(void) {
    for (uint64_t round = 0; round < 100; round++) {
        uint64_t seed = 1000 + round;
        pvg_graph *graph = random_graph(&seed, 40), *back = NULL;
        const bool sizes = round & 1, node_weights = round & 2, edge_weights = round & 4;
        const int weights = node_weights ? 1 + (int)(round % 3) : 0;
        pvgi_text text = {0};
        pvgi_text_format(&text, "%% random\n%lld %lld %d%d%d", (long long)graph->order,
                         (long long)graph->size, sizes, node_weights, edge_weights);
        if (node_weights) pvgi_text_format(&text, " %d", weights);
        pvgi_text_format(&text, "\n");
        for (int64_t u = 0; u < graph->order; u++) {
            for (int i = 0; i < weights + sizes; i++) pvgi_text_format(&text, " %d", i);
            for (int64_t i = graph->offsets[u]; i < graph->offsets[u + 1]; i++) {
                pvgi_text_format(&text, " %d", (int)graph->columns[i] + 1);
                if (edge_weights) pvgi_text_format(&text, " 17");
            }
            pvgi_text_format(&text, u % 5 ? "\n" : "\n%% comment\n");
        }
        const pvg_io_options options = {.size = sizeof options,
                                        .format = PVG_FORMAT_METIS};
        PVGT_OK(pvg_graph_parse(&back, text.data, text.length, &options, NULL));
        PVGT_CHECK(same_graph(graph, back), "round %d:\n%.300s", (int)round, text.data);
        pvg_graph_free(graph);
        pvg_graph_free(back);
        pvgi_text_free(&text);
    }
}

/* A general Matrix Market file in random order against the same graph. */
static void mirrored_files_are_checked(void) {
    const pvg_io_options strict = {.size = sizeof strict},
                         merge = {.size = sizeof merge, .policy = PVG_EDGES_MERGE};
    for (uint64_t round = 0; round < 200; round++) {
        uint64_t seed = 2000 + round;
        pvg_graph *graph = random_graph(&seed, 30), *back = NULL;
        const int64_t arcs = 2 * graph->size;
        if (arcs == 0) {
            pvg_graph_free(graph);
            continue;
        }
        int64_t(*list)[2] = malloc((size_t)arcs * sizeof *list);
        int64_t used = 0;
        for (int64_t u = 0; u < graph->order; u++)
            for (int64_t i = graph->offsets[u]; i < graph->offsets[u + 1]; i++, used++) {
                const int64_t place = pvgt_below(&seed, used + 1); /* a random shuffle */
                memcpy(list[used], list[place], sizeof *list);
                list[place][0] = u;
                list[place][1] = graph->columns[i];
            }
        /* broken: one arc replaced by a copy of another */
        const int64_t lost = pvgt_below(&seed, arcs), copied = pvgt_below(&seed, arcs);
        for (int broken = 0; broken < 2; broken++) {
            if (broken && lost == copied) continue;
            if (broken) memcpy(list[lost], list[copied], sizeof *list);
            pvgi_text text = {0};
            pvgi_text_format(&text,
                             "%%%%MatrixMarket matrix coordinate pattern general\n");
            pvgi_text_format(&text, "%lld %lld %lld\n", (long long)graph->order,
                             (long long)graph->order, (long long)arcs);
            for (int64_t i = 0; i < arcs; i++)
                pvgi_text_format(&text, "%lld %lld\n", (long long)list[i][0] + 1,
                                 (long long)list[i][1] + 1);
            const int32_t status =
                pvg_graph_parse(&back, text.data, text.length, &strict, NULL);
            if (broken) {
                PVGT_CHECK(status == PVG_E_FORMAT, "round %d: %s", (int)round,
                           pvg_status_name(status));
                PVGT_OK(pvg_graph_parse(&back, text.data, text.length, &merge, NULL));
            } else {
                PVGT_CHECK(status == PVG_OK, "round %d: %s", (int)round,
                           pvg_error_message());
            }
            PVGT_CHECK(same_graph(graph, back), "round %d broken %d", (int)round, broken);
            pvg_graph_free(back);
            pvgi_text_free(&text);
        }
        free(list);
        pvg_graph_free(graph);
    }
}

/* --- chunks and threads
 * ------------------------------------------------------------------ */

/* Lines of an edge list with everything that makes lines differ; sometimes a bad one. */
static void random_list(pvgi_text *text, uint64_t *seed) {
    const int64_t lines = pvgt_below(seed, 60);
    for (int64_t i = 0; i < lines; i++) {
        const int kind = (int)pvgt_below(seed, 12);
        const char *end = kind == 1 ? "\r\n" : "\n";
        if (kind == 2)
            pvgi_text_format(text, "# comment %lld%s", (long long)i, end);
        else if (kind == 3)
            pvgi_text_format(text, "%s", end);
        else if (kind == 4 && pvgt_below(seed, 20) == 0)
            pvgi_text_format(text, "x%s", end);
        else
            pvgi_text_format(text, "%s%lld%s%lld%s", kind == 5 ? "   " : "",
                             (long long)pvgt_below(seed, 1000), kind == 6 ? " , " : "\t",
                             (long long)pvgt_below(seed, 1000), end);
    }
    pvgi_text_append(text, "", 0);                           /* never NULL */
    if (text->length && pvgt_below(seed, 2)) text->length--; /* no newline at the end */
}

static void chunks_and_threads_do_not_matter(void) {
    static const size_t sizes[] = {1, 2, 3, 7, 64, 1000, 1 << 20};
    for (uint64_t round = 0; round < 300; round++) {
        uint64_t seed = 3000 + round;
        const pvg_io_options options = {
            .size = sizeof options,
            .policy = round % 2 ? PVG_EDGES_MERGE | PVG_EDGES_DROP_LOOPS : 0};
        pvgi_text text = {0};
        pvg_graph *first = NULL;
        int32_t first_status = PVG_OK;
        char message[PVGI_MESSAGE_BYTES] = "";
        random_list(&text, &seed);
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
            for (uint32_t threads = 1; threads <= 3; threads += 2) {
                const pvg_run run = {.size = sizeof run, .threads = threads};
                pvgi_io_call call;
                pvgi_io_source source;
                pvg_graph *graph = NULL;
                PVGT_OK(pvgi_io_begin(&call, &options, &run, "test"));
                call.chunk_bytes = sizes[i];
                char *copy = malloc(text.length + 1); /* exact length for ASan */
                memcpy(copy, text.data, text.length);
                PVGT_OK(pvgi_io_wrap(&source, copy, text.length, "f"));
                const int32_t status = pvgi_io_parse(&graph, &call, &source);
                if (i == 0 && threads == 1) {
                    first = graph;
                    first_status = status;
                    pvgi_message_save(message);
                } else {
                    PVGT_CHECK(status == first_status, "round %d chunk %zu: %s",
                               (int)round, sizes[i], pvg_error_message());
                    if (status == PVG_OK) {
                        PVGT_CHECK(same_graph(first, graph), "round %d chunk %zu",
                                   (int)round, sizes[i]);
                    } else {
                        PVGT_CHECK(strcmp(message, pvg_error_message()) == 0,
                                   "round %d chunk %zu: %s, %s", (int)round, sizes[i],
                                   message, pvg_error_message());
                    }
                    pvg_graph_free(graph);
                }
                pvgi_io_unload(&source, &call);
                free(copy);
            }
        pvg_graph_free(first);
        pvgi_text_free(&text);
    }
}

/* The read hook, by pieces of at most `piece` bytes. */
typedef struct {
    const char *text;
    size_t length, piece;
    int64_t next; /* offset that must come, unless it is 0 */
    int ends;
} pieces;

static int64_t read_pieces(void *context, const char *path, int64_t offset, char *out,
                           size_t bytes) {
    pieces *in = context;
    (void)path;
    if (!out) {
        in->ends++;
        return 0;
    }
    PVGT_CHECK(offset == 0 || offset == in->next, "offset %lld", (long long)offset);
    size_t count = in->length - (size_t)offset;
    if (count > bytes) count = bytes;
    if (count > in->piece) count = in->piece;
    memcpy(out, in->text + offset, count);
    in->next = offset + (int64_t)count;
    return (int64_t)count;
}

/* What a text is, whole or by windows of any size: the same graph, the same message. */
static void check_windows(const char *text, size_t length, int32_t format,
                          uint32_t policy) {
    static const size_t sizes[] = {1, 2, 5, 40, 1 << 20};
    pvg_io_options options = {.size = sizeof options, .format = format, .policy = policy};
    pvg_graph *whole = NULL;
    char message[PVGI_MESSAGE_BYTES] = "";
    pvgi_io_call call;
    pvgi_io_source source;
    char *copy = malloc(length + 1);
    memcpy(copy, text, length);
    PVGT_OK(pvgi_io_begin(&call, &options, NULL, "test"));
    PVGT_OK(pvgi_io_wrap(&source, copy, length, "f"));
    const int32_t status = pvgi_io_parse(&whole, &call, &source);
    pvgi_io_unload(&source, &call);
    if (status != PVG_OK) pvgi_message_save(message);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        pieces in = {copy, length, i % 2 ? SIZE_MAX : 1 + i * 7, 0, 0};
        pvgi_io_feed feed;
        pvg_graph *graph = NULL;
        options.read = read_pieces;
        options.load_context = &in;
        PVGT_OK(pvgi_io_begin(&call, &options, NULL, "test"));
        call.chunk_bytes = sizes[i];
        PVGT_OK(pvgi_io_feed_open(&feed, &call, "f", NULL));
        const int32_t again = pvgi_io_parse_feed(&graph, &call, &feed);
        pvgi_io_feed_close(&feed);
        TEST_ASSERT_EQUAL_INT(1, in.ends);
        PVGT_CHECK(again == status, "windows of %zu chunks: %s, %s:\n%.60s", sizes[i],
                   message, pvg_error_message(), text);
        if (status == PVG_OK) {
            PVGT_CHECK(same_graph(whole, graph), "windows of %zu:\n%.60s", sizes[i],
                       text);
        } else {
            PVGT_CHECK(strcmp(message, pvg_error_message()) == 0 ||
                           strstr(message, "announces more"),
                       "windows of %zu: %s, %s\n%.60s", sizes[i], message,
                       pvg_error_message(), text);
        }
        pvg_graph_free(graph);
    }
    pvg_graph_free(whole);
    free(copy);
}

static void windows_do_not_matter(void) {
    for (uint64_t round = 0; round < 400; round++) {
        uint64_t seed = 9000 + round;
        pvgi_text text = {0};
        random_list(&text, &seed);
        check_windows(text.data, text.length, PVG_FORMAT_EDGE_LIST, (uint32_t)round % 4);
        pvgi_text_free(&text);
        pvg_graph *graph = random_graph(&seed, 60);
        for (int32_t kind = PVG_FORMAT_EDGE_LIST; kind <= PVG_FORMAT_SPARSE6; kind++) {
            const pvg_io_options options = {.size = sizeof options, .format = kind};
            size_t length;
            char *good = format(graph, &options, &length);
            check_windows(good, length, kind, 0);
            if (length > 0)
                good[pvgt_below(&seed, (int64_t)length)] = "0 1\n%x"[round % 6];
            check_windows(good, length, kind, (uint32_t)round % 4);
            free(good);
        }
        pvg_graph_free(graph);
    }
}

/* Both directions, an arc now and then left out, repeated or turned round. */
static void append_arcs(pvgi_text *text, uint64_t *seed, const pvg_graph *graph,
                        bool metis) {
    const int64_t fault =
        pvgt_below(seed, 3) ? pvgt_below(seed, 2 * graph->size + 1) : -1;
    for (int64_t u = 0; u < graph->order; u++) {
        for (int64_t i = graph->offsets[u]; i < graph->offsets[u + 1]; i++) {
            const long long v = graph->columns[i] + 1;
            const int times = i != fault ? 1 : 2 * (int)pvgt_below(seed, 2);
            for (int t = 0; t < times; t++)
                if (metis)
                    pvgi_text_format(text, "%lld ", v);
                else
                    pvgi_text_format(text, "%lld %lld\n", (long long)u + 1, v);
        }
        if (metis) pvgi_text_format(text, "\n");
    }
}

static void windows_do_not_matter_for_mirrored_lists(void) {
    for (uint64_t round = 0; round < 300; round++) {
        uint64_t seed = 12000 + round;
        pvg_graph *graph = random_graph(&seed, 30);
        const long long n = graph->order, m = graph->size;
        pvgi_text market = {0}, metis = {0};
        pvgi_text_format(&market,
                         "%%%%MatrixMarket matrix coordinate pattern general\n"
                         "%% a comment that is longer than a window\n%lld %lld %lld\n",
                         n, n, 2 * m);
        append_arcs(&market, &seed, graph, false);
        pvgi_text_format(&metis, "%% c\n%lld %lld\n", n, m);
        append_arcs(&metis, &seed, graph, true);
        check_windows(market.data, market.length, PVG_FORMAT_MATRIX_MARKET,
                      (uint32_t)round % 4);
        check_windows(metis.data, metis.length, PVG_FORMAT_METIS, (uint32_t)round % 4);
        pvgi_text_free(&market);
        pvgi_text_free(&metis);
        pvg_graph_free(graph);
    }
}

/* The first line that repeats an edge is named, whether the repeat is near or far. */
static void the_first_repeat_is_named(void) {
    enum { NODES = 400, MOST = 3000 };
    static bool seen[NODES][NODES];
    for (uint64_t round = 0; round < 60; round++) {
        uint64_t seed = 15000 + round;
        const int64_t nodes = 2 + pvgt_below(&seed, NODES - 2);
        pvgi_text text = {0};
        int64_t first = -1;
        char expected[64];
        memset(seen, 0, sizeof seen);
        for (int64_t line = 1; line <= MOST; line++) {
            const int64_t u = pvgt_below(&seed, nodes);
            const int64_t v = (u + 1 + pvgt_below(&seed, nodes - 1)) % nodes;
            if (seen[u][v] && first < 0) first = line;
            seen[u][v] = seen[v][u] = true;
            pvgi_text_format(&text, "%lld %lld\n", (long long)u, (long long)v);
        }
        const pvg_io_options options = {.size = sizeof options,
                                        .format = PVG_FORMAT_EDGE_LIST};
        pvg_graph *graph = NULL;
        const int32_t status =
            pvg_graph_parse(&graph, text.data, text.length, &options, NULL);
        snprintf(expected, sizeof expected, ":%lld: a repeated edge", (long long)first);
        PVGT_CHECK(
            first < 0 ? status == PVG_OK
                      : status == PVG_E_FORMAT && strstr(pvg_error_message(), expected),
            "round %d: %s, expected %s", (int)round, pvg_error_message(), expected);
        pvg_graph_free(graph);
        check_windows(text.data, text.length, PVG_FORMAT_EDGE_LIST, 0);
        pvgi_text_free(&text);
    }
}

/* A text without end: memory is bounded by what is kept, not by what is read. */
static int64_t read_endless(void *context, const char *path, int64_t offset, char *out,
                            size_t bytes) {
    const char *line = context;
    const int64_t end = (int64_t)1 << 27;
    (void)path;
    if (!out) return 0;
    if ((int64_t)bytes > end - offset) bytes = (size_t)(end - offset);
    for (size_t i = 0; i < bytes; i++) out[i] = line[(offset + (int64_t)i) % 4];
    return (int64_t)bytes;
}

static void long_files_take_what_they_keep(void) {
    static const char *const lines[] = {"0 1\n", "#aa\n", "\n\n\n\n"};
    const pvg_run run = {.size = sizeof run, .scratch_limit = 80 << 20};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        for (uint32_t merge = 0; merge <= PVG_EDGES_MERGE; merge += PVG_EDGES_MERGE) {
            const pvg_io_options options = {.size = sizeof options,
                                            .format = PVG_FORMAT_EDGE_LIST,
                                            .policy = merge,
                                            .order = 2,
                                            .read = read_endless,
                                            .load_context = (void *)(uintptr_t)lines[i]};
            pvg_graph *graph = NULL;
            const int32_t status = pvg_graph_read(&graph, "f", &options, &run);
            if (i == 0 && !merge)
                PVGT_CHECK(status == PVG_E_FORMAT &&
                               strstr(pvg_error_message(), "f:2: a repeated edge"),
                           "%s", pvg_error_message());
            else
                PVGT_CHECK(status == PVG_OK, "%s", pvg_error_message());
            pvg_graph_free(graph);
        }
    /* one line that does not end */
    const pvg_io_options options = {.size = sizeof options,
                                    .format = PVG_FORMAT_EDGE_LIST,
                                    .order = 2,
                                    .read = read_endless,
                                    .load_context = (void *)(uintptr_t) "0000"};
    pvg_graph *graph = NULL;
    PVGT_FAILS(PVG_E_LIMIT, "scratch_limit", pvg_graph_read(&graph, "f", &options, &run));
}

static void large_files_with_threads(void) {
    static const char *const names[] = {"g.txt", "g.mtx"};
    uint64_t seed = 5;
    pvg_graph *graph = random_graph(&seed, 200000);
    for (int i = 0; i < 2; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        for (uint32_t threads = 1; threads <= 4; threads += 3) {
            const pvg_run run = {.size = sizeof run, .threads = threads};
            pvg_graph *back = NULL;
            PVGT_OK(pvg_graph_write(path, graph, NULL, &run));
            PVGT_OK(pvg_graph_read(&back, path, NULL, &run));
            PVGT_CHECK(same_graph(graph, back), "%s, %u threads", names[i],
                       (unsigned)threads);
            pvg_graph_free(back);
        }
        unlink(path);
    }
    pvg_graph_free(graph);
}

/* --- sets
 * ---------------------------------------------------------------------------------- */

static pvg_graphset *random_set(uint64_t *seed) {
    const int64_t count = pvgt_below(seed, 12), targets = pvgt_below(seed, 3);
    const bool node_labels = pvgt_below(seed, 2);
    pvg_graphset_builder *builder;
    pvg_graphset *set;
    PVGT_OK(pvg_graphset_builder_new(&builder, targets));
    for (int64_t i = 0; i < count; i++) {
        pvg_graph *graph = random_graph(seed, 12);
        int32_t labels[12];
        double values[3];
        for (int k = 0; k < 12; k++) labels[k] = (int32_t)pvgt_random(seed);
        for (int k = 0; k < 3; k++) {
            const uint64_t bits = pvgt_random(seed);
            memcpy(&values[k], &bits, sizeof bits);
        }
        PVGT_OK(pvg_graphset_builder_add(builder, graph,
                                         (int32_t)pvgt_below(seed, 4) * 2 - (i % 3 == 0),
                                         values, node_labels ? labels : NULL));
        pvg_graph_free(graph);
    }
    PVGT_OK(pvg_graphset_builder_finish(&set, builder));
    pvg_graphset_builder_free(builder);
    return set;
}

static bool same_targets(const pvg_graphset *a, const pvg_graphset *b) {
    if (a->count == 0) return true;
    if (a->target_count != b->target_count) return false;
    for (int64_t i = 0; i < a->count * a->target_count; i++)
        if (isnan(a->targets[i]) ? !isnan(b->targets[i]) : a->targets[i] != b->targets[i])
            return false;
    return true;
}

static bool same_set(const pvg_graphset *a, const pvg_graphset *b, bool with_labels) {
    if (a->count != b->count || a->order != b->order) return false;
    if (memcmp(a->starts, b->starts, ((size_t)a->count + 1) * sizeof *a->starts))
        return false;
    if (memcmp(a->offsets, b->offsets, ((size_t)a->order + 1) * sizeof *a->offsets))
        return false;
    if (memcmp(a->columns, b->columns, (size_t)a->offsets[a->order] * sizeof *a->columns))
        return false;
    if (!with_labels) return true;
    if (memcmp(a->labels, b->labels, (size_t)a->count * sizeof *a->labels)) return false;
    if (a->node_labels &&
        memcmp(a->node_labels, b->node_labels, (size_t)a->order * sizeof *a->node_labels))
        return false;
    return same_targets(a, b);
}

/* Labels -1 and 1 only: the one kind of set this layout cannot hold. */
static bool is_ambiguous(const pvg_graphset *set) {
    bool none = false, one = false;
    for (int64_t i = 0; i < set->count; i++) {
        none = none || set->labels[i] == -1;
        one = one || set->labels[i] == 1;
        if (set->labels[i] != -1 && set->labels[i] != 1) return false;
    }
    return none && one;
}

static void sets_survive(void) {
    static const char *const suffixes[] = {"A", "graph_indicator", "graph_labels",
                                           "graph_attributes", "node_labels"};
    char path[128];
    int written = 0;
    for (uint64_t round = 0; round < 60; round++) {
        uint64_t seed = 7000 + round;
        pvg_graphset *set = random_set(&seed), *back = NULL;
        const int32_t status = pvg_graphset_write_tudataset(folder, "R", set, NULL);
        if (is_ambiguous(set)) {
            TEST_ASSERT_EQUAL_INT32(PVG_E_ARGUMENT, status);
        } else {
            PVGT_CHECK(status == PVG_OK, "round %d: %s", (int)round, pvg_error_message());
            PVGT_OK(pvg_graphset_read_tudataset(&back, folder, "R", NULL, NULL));
            PVGT_CHECK(same_set(set, back, true), "round %d: TUDataset", (int)round);
            pvg_graphset_free(back);
            written++;
        }
        for (int sparse = 0; sparse < 2; sparse++) {
            snprintf(path, sizeof path, "%s/set.%s", folder, sparse ? "s6" : "g6");
            PVGT_OK(pvg_graphset_write(path, set, NULL, NULL));
            PVGT_OK(pvg_graphset_read(&back, path, NULL, NULL));
            PVGT_CHECK(same_set(set, back, false), "round %d: %s", (int)round, path);
            pvg_graphset_free(back);
            unlink(path);
        }
        pvg_graphset_free(set);
    }
    TEST_ASSERT_GREATER_THAN(30, written);
    for (int i = 0; i < 5; i++) {
        snprintf(path, sizeof path, "%s/R_%s.txt", folder, suffixes[i]);
        unlink(path);
    }
}

int main(void) {
    pvgt_begin();
    snprintf(folder, sizeof folder, "/tmp/pvgt-io-XXXXXX");
    if (!mkdtemp(folder)) return 1;
    UNITY_BEGIN();
    RUN_TEST(graphs_survive_every_format);
    RUN_TEST(all_graphs_on_five_nodes_survive);
    RUN_TEST(large_orders_survive_sparse6);
    RUN_TEST(metis_matches_the_graph);
    RUN_TEST(mirrored_files_are_checked);
    RUN_TEST(chunks_and_threads_do_not_matter);
    RUN_TEST(windows_do_not_matter);
    RUN_TEST(windows_do_not_matter_for_mirrored_lists);
    RUN_TEST(the_first_repeat_is_named);
    RUN_TEST(long_files_take_what_they_keep);
    RUN_TEST(large_files_with_threads);
    RUN_TEST(sets_survive);
    const int result = UNITY_END();
    rmdir(folder);
    return pvgt_end(result);
}
