/* io: every format good and bad in memory, options, written bytes, real numbers. */
#include "handles.h"
#include "io_text.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>

void setUp(void) {}
void tearDown(void) {}

enum {
    EL = PVG_FORMAT_EDGE_LIST,
    MM = PVG_FORMAT_MATRIX_MARKET,
    G6 = PVG_FORMAT_GRAPH6,
    S6 = PVG_FORMAT_SPARSE6,
    ME = PVG_FORMAT_METIS,
    AU = PVG_FORMAT_AUTO,
    MERGE = PVG_EDGES_MERGE,
    LOOPS = PVG_EDGES_DROP_LOOPS
};
#define PATTERN "%%MatrixMarket matrix coordinate pattern "
#define REAL    "%%MatrixMarket matrix coordinate real "

/* --- every format, good --------------------------------------------------------- */

typedef struct {
    int32_t format;
    uint32_t policy;
    const char *text, *graph;
} good_case;

static const good_case good_cases[] = {
    {EL, 0, "", "0:"},
    {EL, 0, "\n\n \t\r\n", "0:"},
    {EL, 0, "0 1", "2: 0-1"},
    {EL, 0, "0 1\n", "2: 0-1"},
    {EL, 0, "0 1\r\n2\t3\r\n", "4: 0-1 2-3"},
    {EL, 0,
     "\xEF\xBB\xBF"
     "0 1\n",
     "2: 0-1"},
    {EL, 0, "# a\n% b\n  # c\n0,1\n1 , 2\n 2;3 \n0000000000000000000003 04\n",
     "5: 0-1 1-2 2-3 3-4"},
    {EL, 0, "00000012 1\n1 0000000013\n", "14: 1-12 1-13"},
    {EL, MERGE, "0 1\n1 0\n0 1\n", "2: 0-1"},
    {EL, LOOPS, "0 1\n5 5\n", "6: 0-1"},
    {EL, MERGE | LOOPS, "1 1\n1 0\n0 1\n", "2: 0-1"},
    {EL, 0, "# order 4\n0 1\n", "4: 0-1"},
    {EL, 0, "# order 4", "4:"},
    {EL, 0, "# order 0\n", "0:"},
    {EL, 0, "# orders 4\n0 1\n", "2: 0-1"},
    {EL, 0, "# order x\n0 1\n", "2: 0-1"},
    {EL, 0, "0 1\n# order 4\n", "2: 0-1"},
    {EL, 0, "0 1\n# no newline at the end of this comment", "2: 0-1"},
    {AU, 0, "#\n0 1\n", "2: 0-1"},
    {MM, 0, PATTERN "symmetric\n3 3 2\n2 1\n3 2\n", "3: 0-1 1-2"},
    {AU, 0, PATTERN "symmetric\n3 3 2\n2 1\n3 2\n", "3: 0-1 1-2"},
    {MM, 0, "%%matrixmarket MATRIX Coordinate Pattern Symmetric\n3 3 0\n", "3:"},
    {MM, 0, PATTERN "symmetric\n% c\n\n%\n3 3 2\n\n2 1\n% inside\n3 2", "3: 0-1 1-2"},
    {MM, 0, PATTERN "symmetric\n0 0 0", "0:"},
    {MM, 0, PATTERN "general\n3 3 4\n2 1\n1 2\n2 3\n3 2\n", "3: 0-1 1-2"},
    {MM, MERGE, PATTERN "general\n3 3 3\n2 1\n2 3\n3 2\n", "3: 0-1 1-2"},
    {MM, LOOPS, PATTERN "general\n3 3 3\n2 1\n3 3\n1 2\n", "3: 0-1"},
    {MM, 0, REAL "symmetric\n3 3 2\n2 1 0.5\n3 2 -1e-3 \n", "3: 0-1 1-2"},
    {MM, 0, "%%MatrixMarket matrix coordinate integer symmetric\n2 2 1\n2 1 7\n",
     "2: 0-1"},
    {G6, 0, "DQc\n", "5: 0-2 0-4 1-3 3-4"},
    {G6, 0, "DQc", "5: 0-2 0-4 1-3 3-4"},
    {G6, 0, "\r\n>>", NULL},
    {AU, 0, ">>graph6<<DQc\r\n\n", "5: 0-2 0-4 1-3 3-4"},
    {G6, 0, ">>graph6<<\nDQc\n", "5: 0-2 0-4 1-3 3-4"},
    {G6, 0, "?", "0:"},
    {G6, 0, "@", "1:"},
    {G6, 0, "A_", "2: 0-1"},
    {G6, 0, "A?", "2:"},
    {G6, 0,
     "~??D"
     "Qc",
     "5: 0-2 0-4 1-3 3-4"},
    {G6, 0,
     "~~?????D"
     "Qc",
     "5: 0-2 0-4 1-3 3-4"},
    {G6, 0, "IheA@GUAo",
     "10: 0-1 0-4 0-5 1-2 1-6 2-3 2-7 3-4 3-8 4-9 5-7 5-8 6-8 6-9 7-9"},
    {S6, 0, ":Fa@x^\n", "7: 0-1 0-2 1-2 5-6"},
    {AU, 0, ":Fa@x^", "7: 0-1 0-2 1-2 5-6"},
    {S6, 0, ":O`ACN", "16: 0-1 0-2 0-3 0-4"}, /* padded by 1111 */
    {S6, 0, ":O`ACF", "16: 0-1 0-2 0-3 0-4"}, /* by 0111, as networkx does */
    {AU, 0, ">>sparse6<<:Fa@x^", "7: 0-1 0-2 1-2 5-6"},
    {S6, 0, ":?", "0:"},
    {S6, 0, ":@", "1:"},
    {S6, 0, ":~?CO", "272:"},
    {S6, LOOPS, ":@?", "1:"},
    {ME, 0, "3 2\n2\n1 3\n2\n", "3: 0-1 1-2"},
    {ME, 0, "% c\n3 2 0\n2\n% d\n1 3\n2", "3: 0-1 1-2"},
    {ME, 0, "3 1\n2\n1\n\n", "3: 0-1"},
    {ME, 0, "3 1\n2\n1\n\n\n  \n", "3: 0-1"},
    {ME, 0, "3 2 1\n2 9\n1 9 3 8\n2 8\n", "3: 0-1 1-2"},
    {ME, 0, "3 2 011 2\n7 7 2 9\n7 7 1 9 3 8\n7 7 2 8\n", "3: 0-1 1-2"},
    {ME, 0, "3 2 10\n7 2\n7 1 3\n7 2\n", "3: 0-1 1-2"},
    {ME, 0, "3 2 110 1\n5 7 2\n5 7 1 3\n5 7 2\n", "3: 0-1 1-2"},
    {ME, 0, "0 0\n", "0:"},
    {ME, MERGE, "3 2\n2\n3\n\n", "3: 0-1 1-2"},
    {ME, LOOPS, "2 2\n1 2\n1 2\n", "2: 0-1"},
};

static void good_text_is_read(void) {
    for (size_t i = 0; i < sizeof good_cases / sizeof good_cases[0]; i++) {
        const good_case *c = &good_cases[i];
        const pvg_io_options options = with(c->format, c->policy);
        pvg_graph *graph = NULL;
        const int32_t status = parse(&graph, c->text, strlen(c->text), &options);
        if (!c->graph) { /* documents what is not accepted between good ones */
            TEST_ASSERT_EQUAL_INT32(PVG_E_FORMAT, status);
            continue;
        }
        PVGT_CHECK(status == PVG_OK, "case %zu: %s", i, pvg_error_message());
        PVGT_CHECK(strcmp(describe(graph), c->graph) == 0, "case %zu: %s", i,
                   describe(graph));
        pvg_graph_free(graph);
    }
}

/* --- every format, bad ---------------------------------------------------------- */

typedef struct {
    int32_t format;
    uint32_t policy;
    const char *text;
    int32_t status;
    const char *part;
} bad_case;

#define F PVG_E_FORMAT
#define L PVG_E_LIMIT
static const bad_case bad_cases[] = {
    {EL, 0, "0 1\n2 x\n", F, "<memory>:2: expected a second node number, found 'x'"},
    {EL, 0, "0 1\nx", F, "<memory>:2: expected a node number, found 'x'"},
    {EL, 0, "\n\n-1 2\n", F, "<memory>:3: expected a node number, found '-1'"},
    {EL, 0, "0\n", F, ":1: expected a blank after the node number, found the end"},
    {EL, 0, "0 \n", F, ":1: expected a second node number, found the end of the line"},
    {EL, 0, "0 1 0.5\n", F, ":1: expected the end of the line after two node numbers"},
    {EL, 0, "0 1,\n", F, "found ','"},
    {EL, 0, "0 1x\n", F, "found 'x'"},
    {EL, 0, "0x 1\n", F, "expected a blank after the node number, found 'x'"},
    {EL, 0, "0 1.5\n", F, "found '.5'"},
    {EL, 0, "abcdefghijklmnopqrstuvwxyz 1\n", F, "found 'abcdefghijklmnopqrst...'"},
    {EL, 0, "\x01\x7F\xC3 1\n", F, "found '\?\?\?'"},
    {EL, 0, "0 1\n3 3\n", F, "<memory>:2: a self loop; PVG_EDGES_DROP_LOOPS"},
    {EL, 0, "0 1\n# x\n\n1 2\n1 0\n", F, "<memory>:5: a repeated edge; PVG_EDGES_MERGE"},
    {EL, LOOPS, "3 3\n0 1\n4 4\n1 0\n", F, "<memory>:4: a repeated edge"},
    {EL, 0, "0 1\n0 2000000000\n", L, "<memory>:2: a node number is beyond the limit"},
    {EL, 0, "0 4294967296\n", L, "<memory>:1: a node number is beyond 2^31 - 2"},
    {EL, 0, "99999999999999999999999999 1\n", L, "beyond 2^31 - 2"},
    {EL, 0, "18446744073709551616 1\n", L, "beyond 2^31 - 2"},
    {EL, 0, "# order 3\n0 3\n", F, "<memory>:2: a node number is beyond the last node"},
    {EL, 0, "# order 99999999999999999999\n", L, "<memory>:1: the graph would have more"},
    {EL, 0, "# order 2000000000\n", L, "far more nodes than so short a file"},
    {AU, 0, "\x1F\x8B\x08 whatever", F, "compressed with gzip"},
    {MM, 0, "", F, "<memory>:1: the file is empty"},
    {MM, 0, "3 3 1\n", F, "expected %%MatrixMarket, found '3'"},
    {MM, 0, "%%MatrixMarket\n", F, "expected matrix, found the end of the line"},
    {MM, 0, "%%MatrixMarket matrix array real general\n", F, "expected coordinate"},
    {MM, 0, "%%MatrixMarket matrix coordinate complex general\n", F, "found 'complex'"},
    {MM, 0, "%%MatrixMarket matrix coordinate real hermitian\n", F, "found 'hermitian'"},
    {MM, 0, PATTERN "general x\n", F, "expected the end of the line, found 'x'"},
    {MM, 0, PATTERN "general", F, "<memory>:1: the file ends before the line of sizes"},
    {MM, 0, PATTERN "general\n%\n", F, "<memory>:2: the file ends before the line of"},
    {MM, 0, PATTERN "general\n3 3\n", F, "expected rows, columns and entries"},
    {MM, 0, PATTERN "general\n3 3 1 1\n", F, "expected the end of the line"},
    {MM, 0, PATTERN "general\n3 4 1\n1 2\n", F, "<memory>:2: the matrix is not square"},
    {MM, 0, PATTERN "symmetric\n3 3 2\n2 1\n", F, "announces more entries"},
    {MM, 0, PATTERN "symmetric\n3 3 2\n% a long comment\n2 1\n", F,
     "<memory>:4: the file ends before all entries"},
    {MM, 0, PATTERN "symmetric\n3 3 1\n2 1\n3 1\n", F, "more entries than it announces"},
    {MM, 0, PATTERN "symmetric\n3 3 2\n2 1\n1 2\n", F, "<memory>:4: a repeated edge"},
    {MM, 0, PATTERN "general\n3 3 2\n2 1\n3 2\n", F,
     "<memory>:3: an edge that is not listed in the other direction"},
    {MM, 0, PATTERN "general\n3 3 4\n2 1\n1 2\n1 2\n2 1\n", F, "<memory>:5: a repeated"},
    {MM, 0, PATTERN "general\n4 4 4\n2 1\n1 2\n1 3\n4 1\n", F,
     "<memory>:5: an edge that"},
    {MM, 0, PATTERN "general\n4 4 4\n2 1\n2 1\n1 3\n1 3\n", F,
     "<memory>:3: an edge that"},
    {MM, 0, PATTERN "symmetric\n3 3 1\n0 1\n", F, "<memory>:3: node numbers start at 1"},
    {MM, 0, PATTERN "symmetric\n3 3 1\n4 1\n", F, "beyond the last node"},
    {MM, 0, PATTERN "symmetric\n3 3 1\n2 1 5\n", F, "expected the end of the line"},
    {MM, 0, REAL "symmetric\n3 3 1\n2 1\n", F, "expected a value, found the end"},
    {MM, 0, REAL "symmetric\n3 3 1\n2 1 x\n", F, "expected a value, found 'x'"},
    {MM, 0, REAL "symmetric\n3 3 1\n2 1 1 2\n", F, "expected the end of the line"},
    {MM, 0, PATTERN "general\n4611686018427387904 4611686018427387904 1\n2 1\n", L,
     "<memory>:2: the graph would have more than 2147483647 nodes"},
    {MM, 0, PATTERN "general\n2000000000 2000000000 1\n2 1\n", L, "far more nodes"},
    {MM, 0, PATTERN "general\n3 3 1152921504606846976\n2 1\n", F,
     "announces more entries"},
    {G6, 0, "", F, "the file has no graph"},
    {G6, 0, "\n\n", F, "the file has no graph"},
    {G6, 0, "DQc\nDQc\n", F, "<memory>:2: more than one graph"},
    {G6, 0, "DQ\n", F, "<memory>:1: the line does not have the length of its order"},
    {G6, 0, "DQcc\n", F, "does not have the length"},
    {G6, 0, "DQ d\n", F, "neither graph6 nor sparse6"},
    {G6, 0, "DQ\xFF\n", F, "neither graph6 nor sparse6"},
    {G6, 0, "DQd\n", F, "bits after the last pair are set"},
    {G6, 0, "~?\n", F, "the line ends inside the number of nodes"},
    {G6, 0, "~~???\n", F, "the line ends inside the number of nodes"},
    {G6, 0, "~~~~~~~~\n", L, "more than 2147483647 nodes"},
    {G6, 0, "~~?@????", L, "far more nodes"},
    {G6, 0, ":Fa@x^", F, "a sparse6 line where graph6 is expected"},
    {G6, 0, "&DQc", F, "digraph6 are not read"},
    {S6, 0, "DQc", F, "a graph6 line where sparse6 is expected"},
    {S6, 0, ";Fa@x^", F, "incremental sparse6"},
    {S6, 0, ":", F, "the line ends inside the number of nodes"},
    {S6, 0, ":~~~~~~~~", L, "more than 2147483647 nodes"},
    {S6, 0, ":~~?@????", L, "far more nodes"},
    {S6, 0, ":@?", F, "<memory>:1: a self loop"},
    {S6, 0, ":F~~~~~~~~~", F, "<memory>:1: neither edges nor padding"},
    {S6, 0, ":Fa~@x^@x^", F, "neither edges nor padding"},
    {S6, 0, ":Fa@x^zzzz", F, "neither edges nor padding"},
    {S6, 0, ":Fa@x^~", F, "neither edges nor padding"},
    {S6, 0, ":Fa@x[", F, "neither edges nor padding"}, /* the last 1111 is 1100 */
    {S6, 0, ":O`ACD", F, "neither edges nor padding"}, /* 0101 */
    {S6, 0, ":?~", F, "neither edges nor padding"},
    {S6, 0, ":@~", F, "neither edges nor padding"},
    {S6, 0, ":~?@O_", F, "neither edges nor padding"}, /* cut inside a pair */
    {S6, 0, ":A_?", F, "a repeated edge"},
    {ME, 0, "", F, "the file ends before the header line"},
    {ME, 0, "% c\n", F, "the file ends before the header line"},
    {ME, 0, "3\n", F, "expected nodes and edges"},
    {ME, 0, "\n", F, "expected nodes and edges"},
    {ME, 0, "3 x\n", F, "expected a number, found 'x'"},
    {ME, 0, "3 1 0 1 5\n", F, "expected the end of the line"},
    {ME, 0, "3 1 2\n2\n1\n\n", F, "fmt is not three digits of 0 and 1"},
    {ME, 0, "3 1 1111\n2\n1\n\n", F, "fmt is not three digits"},
    {ME, 0, "4611686018427387904 1\n2\n", F, "<memory>:1: announces more nodes or edges"},
    {ME, 0, "3 1152921504606846976\n2\n", F, "announces more nodes or edges"},
    {ME, 0, "3 1\n2\n1\n", F, "<memory>:3: the file ends before the lines of all nodes"},
    {ME, 0, "3 2\n2\n1 3\n2\n1\n", F, "<memory>:5: more lines than the header's nodes"},
    {ME, 0, "3 2\n2\n1 4\n2\n", F, "<memory>:3: a neighbour is not in 1 .. number"},
    {ME, 0, "3 2\n2\n1 0\n2\n", F, "a neighbour is not in 1 .. number of nodes"},
    {ME, 0, "3 1\n2\n1 3\n2\n", F, "<memory>:3: more neighbours than the header's edges"},
    {ME, 0, "3 2\n2\n1  \n   \n", F, "<memory>:4: fewer neighbours than the header's"},
    {ME, 0, "3 2\n2\n3 3\n2\n", F, "<memory>:2: an edge that is not listed"},
    {ME, 0, "2 2\n2 2\n1 1\n", F, "<memory>:2: a repeated edge"},
    {ME, 0, "2 2\n1 2\n1 2\n", F, "<memory>:2: a self loop"},
    {ME, 0, "2 1 1\n2 5\n1\n", F, "<memory>:3: expected an edge weight, found the end"},
    {ME, 0, "2 1 10\n7 2\n\n", F, "<memory>:3: a node's size or weights are missing"},
    {ME, 0, "2 1\n2\n1a\n", F, "<memory>:3: expected a neighbour, found '1a'"},
};

static void bad_text_is_refused(void) {
    for (size_t i = 0; i < sizeof bad_cases / sizeof bad_cases[0]; i++) {
        const bad_case *c = &bad_cases[i];
        const pvg_io_options options = with(c->format, c->policy);
        pvg_graph *graph = (pvg_graph *)(uintptr_t)&options;
        const int32_t status = parse(&graph, c->text, strlen(c->text), &options);
        PVGT_CHECK(status == c->status && strstr(pvg_error_message(), c->part),
                   "case %zu \"%.40s\": %s \"%s\", expected \"%s\"", i, c->text,
                   pvg_status_name(status), pvg_error_message(), c->part);
        TEST_ASSERT_NULL(graph);
    }
}

static void nul_bytes_are_characters(void) {
    static const char text[] = "#\n2\0003\n";
    pvg_graph *graph;
    PVGT_FAILS(PVG_E_FORMAT,
               "<memory>:2: expected a blank after the node number, found '?",
               parse(&graph, text, sizeof text - 1, NULL));
    static const char comment[] = "#\0 0 1\n0 1\n";
    PVGT_OK(parse(&graph, comment, sizeof comment - 1, NULL));
    TEST_ASSERT_EQUAL_STRING("2: 0-1", describe(graph));
    pvg_graph_free(graph);
}

/* --- options -------------------------------------------------------------------- */

static void options_are_checked(void) {
    pvg_graph *graph;
    pvg_io_options options;
#define REFUSED(field, value, part)                                                      \
    do {                                                                                 \
        options = with(EL, 0);                                                           \
        options.field = value;                                                           \
        PVGT_FAILS(PVG_E_ARGUMENT, part,                                                 \
                   pvg_graph_parse(&graph, "", 0, &options, NULL));                      \
        TEST_ASSERT_NULL(graph);                                                         \
    } while (0)
    REFUSED(policy, 4, "pvg_graph_parse: options->policy is 4, not");
    REFUSED(format, 7, "options->format is 7, not one of PVG_FORMAT_*");
    REFUSED(format, -1, "options->format is -1");
    REFUSED(index_base, 2, "options->index_base is 2, not 0 or 1");
    REFUSED(extra_columns, 2, "options->extra_columns is 2");
    REFUSED(reserved, 1, "options->reserved is 1, not 0");
    REFUSED(order, -1, "options->order is -1, not in");
    REFUSED(order, (int64_t)INT32_MAX + 1, "options->order is 2147483648, not in");
    REFUSED(order_limit, -1, "options->order_limit is -1, not in");
    REFUSED(order_limit, (int64_t)1 << 40, "options->order_limit is");
    REFUSED(size, 3, "pvg_io_options: size is 3");
    REFUSED(unload,
            (void (*)(void *, const char *, size_t))(uintptr_t)options_are_checked,
            "options->unload is set without load");
    options = with(EL, 0);
    options.order = 5;
    options.order_limit = 4;
    PVGT_FAILS(PVG_E_ARGUMENT, "options->order is more than options->order_limit",
               pvg_graph_parse(&graph, "", 0, &options, NULL));
    const pvg_run run = {.size = sizeof run, .threads = 100000};
    PVGT_FAILS(PVG_E_ARGUMENT, "threads", pvg_graph_parse(&graph, "", 0, NULL, &run));
}

static void options_of_edge_lists(void) {
    pvg_graph *graph;
    pvg_io_options options = with(EL, 0);
    options.index_base = 1;
    PVGT_OK(parse(&graph, "1 2\n", 4, &options));
    TEST_ASSERT_EQUAL_STRING("2: 0-1", describe(graph));
    pvg_graph_free(graph);
    PVGT_FAILS(PVG_E_FORMAT, "node numbers start at 1",
               parse(&graph, "0 2\n", 4, &options));
    options = with(EL, 0);
    options.extra_columns = 1;
    PVGT_OK(parse(&graph, "0 1 0.5 x\n1,2,7\n", 16, &options));
    TEST_ASSERT_EQUAL_STRING("3: 0-1 1-2", describe(graph));
    pvg_graph_free(graph);
    PVGT_FAILS(PVG_E_FORMAT, "found 'x'", parse(&graph, "0 1x\n", 5, &options));
    options = with(EL, 0);
    options.order = 7;
    PVGT_OK(parse(&graph, "# order 3\n0 5\n", 14, &options));
    TEST_ASSERT_EQUAL_STRING("7: 0-5", describe(graph));
    pvg_graph_free(graph);
    PVGT_FAILS(PVG_E_FORMAT, "beyond the last node", parse(&graph, "0 7\n", 4, &options));
    options = with(EL, 0);
    options.order_limit = 5;
    PVGT_FAILS(PVG_E_LIMIT, "beyond the limit of 5 nodes",
               parse(&graph, "0 5\n", 4, &options));
    PVGT_FAILS(PVG_E_LIMIT, "more than 5 nodes",
               parse(&graph, "# order 6\n", 10, &options));
    PVGT_OK(parse(&graph, "0 4\n", 4, &options));
    pvg_graph_free(graph);
    /* a limit of the caller replaces the one from the file's length */
    options.order_limit = 1 << 22;
    PVGT_OK(parse(&graph, "0 4000000\n", 10, &options));
    TEST_ASSERT_EQUAL_INT64(4000001, pvg_graph_order(graph));
    pvg_graph_free(graph);
    options = with(S6, 0);
    options.order_limit = 6;
    PVGT_FAILS(PVG_E_LIMIT, "more than 6 nodes", parse(&graph, ":Fa@x^", 6, &options));
}

/* The words of the tables are the names of the constants. */
static void check_word(const char *family, const char *word, int64_t number) {
    char name[64];
    int64_t value = -1;
    snprintf(name, sizeof name, "PVG_%s_%s", family, word);
    for (char *c = name; *c; c++) *c = *c == '-' ? '_' : (char)toupper((unsigned char)*c);
    PVGT_OK(pvg_constant_value(&value, name));
    TEST_ASSERT_EQUAL_INT64(number, value);
}

static void formats_are_rows(void) {
    static const struct {
        const char *name, *bytes;
        int32_t format;
    } found[] = {{"a.txt", "", EL},      {"a.TSV.gz", "", EL},
                 {"a.mtx", "", MM},      {"a.txt", "%%MatrixMarket x", MM},
                 {"a.g6", ":An", G6},    {"a.s6.zst", "", S6},
                 {"a.graph", "# x", ME}, {NULL, "# order 3\n", EL},
                 {NULL, ":An", S6},      {NULL, ">>graph6<<A_", G6},
                 {NULL, "0 1\n", AU},    {"a.dat", "0 1\n", AU},
                 {"txt", "", AU},        {"a.txt.bz2", "", AU}};
    int32_t format;
    for (size_t i = 0; i < sizeof found / sizeof found[0]; i++) {
        PVGT_OK(pvg_format_find(&format, found[i].name, found[i].bytes,
                                strlen(found[i].bytes)));
        TEST_ASSERT_EQUAL_INT32(found[i].format, format);
    }
    PVGT_FAILS(PVG_E_ARGUMENT, "pvg_format_find: out is NULL",
               pvg_format_find(NULL, "a.txt", NULL, 0));
    PVGT_FAILS(PVG_E_ARGUMENT, "data is NULL", pvg_format_find(&format, NULL, NULL, 1));
    int32_t count = 0;
    for (; pvg_format_name(count); count++)
        check_word("FORMAT", pvg_format_name(count), count);
    TEST_ASSERT_EQUAL_INT32(PVG_FORMAT_CSR_FILE + 1, count);
    TEST_ASSERT_NULL(pvg_format_name(-1));
    TEST_ASSERT_EQUAL_UINT32(0, pvg_format_can(PVG_FORMAT_AUTO));
    TEST_ASSERT_EQUAL_UINT32(0, pvg_format_can(-1));
    TEST_ASSERT_EQUAL_UINT32(PVG_CAN_READ, pvg_format_can(ME));
    TEST_ASSERT_EQUAL_UINT32(PVG_CAN_READ | PVG_CAN_WRITE | PVG_CAN_MAP,
                             pvg_format_can(PVG_FORMAT_CSR_FILE));
    TEST_ASSERT_EQUAL_UINT32(PVG_CAN_READ | PVG_CAN_WRITE, pvg_format_can(EL));
    TEST_ASSERT_EQUAL_UINT32(PVG_CAN_READ | PVG_CAN_WRITE | PVG_CAN_SETS,
                             pvg_format_can(G6));
    for (count = 0; pvg_allocation_name(count); count++)
        check_word("ALLOCATION", pvg_allocation_name(count), count);
    TEST_ASSERT_EQUAL_INT32(PVG_ALLOCATION_PROPORTIONAL + 1, count);
}

static void null_arguments_are_refused(void) {
    pvg_graph *graph = NULL;
    pvg_graphset *set = NULL;
    size_t length;
    pvg_io_options options = with(G6, 0);
    PVGT_FAILS(PVG_E_ARGUMENT, "pvg_graph_read: out is NULL",
               pvg_graph_read(NULL, "x", NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "path is NULL", pvg_graph_read(&graph, NULL, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "path is empty", pvg_graph_read(&graph, "", NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL", pvg_graph_parse(NULL, "", 0, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "data is NULL",
               pvg_graph_parse(&graph, NULL, 1, NULL, NULL));
    PVGT_FAILS(PVG_E_FORMAT, "<memory>:1: neither the name nor the first bytes tell",
               pvg_graph_parse(&graph, NULL, 0, NULL, NULL));
    TEST_ASSERT_NULL(graph);
    pvg_io_options list = with(EL, 0);
    PVGT_OK(pvg_graph_parse(&graph, NULL, 0, &list, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "path is NULL", pvg_graph_write(NULL, graph, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "graph is NULL", pvg_graph_write("x", NULL, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "pvg_graph_write: path: the name does not tell a format",
               pvg_graph_write("x", graph, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "metis files are only read",
               pvg_graph_write("x.metis", graph, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "length is NULL",
               pvg_graph_format(NULL, 0, NULL, graph, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "graph is NULL",
               pvg_graph_format(NULL, 0, &length, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL", pvg_graphset_read(NULL, "x", NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "path is NULL", pvg_graphset_read(&set, NULL, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL",
               pvg_graphset_parse(NULL, "", 0, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "data is NULL",
               pvg_graphset_parse(&set, NULL, 1, NULL, NULL));
    options.format = MM;
    PVGT_FAILS(PVG_E_ARGUMENT, "hold no sets; graph6 and sparse6 do",
               pvg_graphset_parse(&set, "", 0, &options, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "hold no sets; graph6 and sparse6 do",
               pvg_graphset_read(&set, "x", &options, NULL));
    PVGT_OK(pvg_graphset_parse(&set, "", 0, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "path is NULL", pvg_graphset_write(NULL, set, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "set is NULL",
               pvg_graphset_write("x.g6", NULL, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "hold no sets; graph6 and sparse6 do",
               pvg_graphset_write("x.mtx", set, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL",
               pvg_graphset_read_tudataset(NULL, "x", NULL, NULL, NULL));
    pvg_graphset *none = set;
    PVGT_FAILS(PVG_E_ARGUMENT, "folder is NULL",
               pvg_graphset_read_tudataset(&none, NULL, NULL, NULL, NULL));
    TEST_ASSERT_NULL(none);
    PVGT_FAILS(PVG_E_ARGUMENT, "name is empty or has a slash",
               pvg_graphset_read_tudataset(&none, "x", "", NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "name is empty or has a slash",
               pvg_graphset_write_tudataset("x", "a/b", set, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "does not end in one",
               pvg_graphset_write_tudataset("../..", NULL, set, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "set is NULL",
               pvg_graphset_write_tudataset("x", NULL, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "graph is NULL",
               pvg_graph_read_folder(NULL, NULL, NULL, "x", 0, NULL, NULL));
    pvg_graph *no_graph = graph;
    PVGT_FAILS(PVG_E_ARGUMENT, "feature_columns",
               pvg_graph_read_folder(&no_graph, NULL, NULL, "x", -1, NULL, NULL));
    TEST_ASSERT_NULL(no_graph);
    PVGT_FAILS(PVG_E_ARGUMENT, "folder is empty",
               pvg_graph_read_folder(&no_graph, NULL, NULL, "", 0, NULL, NULL));
    pvg_graph_free(graph);
    pvg_graphset_free(set);
}

/* --- writing -------------------------------------------------------------------- */

static void format_writes_these_bytes(void) {
    static const struct {
        int32_t format, base;
        const char *graph, *text;
    } cases[] = {
        {EL, 0, "# order 5\n0 2\n0 4\n1 3\n3 4\n", "# order 5\n0 2\n0 4\n1 3\n3 4\n"},
        {AU, 1, "# order 5\n0 2\n0 4\n1 3\n3 4\n", "# order 5\n1 3\n1 5\n2 4\n4 5\n"},
        {MM, 1, "# order 3\n0 1\n1 2\n", PATTERN "symmetric\n3 3 2\n2 1\n3 2\n"},
        {G6, 0, "# order 5\n0 2\n0 4\n1 3\n3 4\n", "DQc\n"},
        {S6, 0, "# order 7\n0 1\n0 2\n1 2\n5 6\n", ":Fa@x^\n"},
        {G6, 0, "# order 0\n", "?\n"},
        {S6, 0, "# order 0\n", ":?\n"},
        {EL, 0, "# order 0\n", "# order 0\n"},
        /* an order that nobody declared is not stated */
        {EL, 1, "0 1\n1 2\n", "1 2\n2 3\n"},
        {EL, 0, "", ""},
        {MM, 0, "# order 2\n", PATTERN "symmetric\n2 2 0\n"},
        /* the orders where padding needs a zero: 2, 4, 8, 16 with an edge at order - 2 */
        {S6, 0, "# order 2\n", ":A\n"},
        {S6, 0, "# order 4\n0 1\n0 2\n1 2\n", ":CcJ\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pvg_graph *graph = NULL, *back = NULL;
        char text[200];
        size_t length = 0;
        pvg_io_options options = with(cases[i].format, 0);
        options.index_base = cases[i].base;
        pvg_io_options list = with(EL, 0);
        PVGT_OK(
            pvg_graph_parse(&graph, cases[i].graph, strlen(cases[i].graph), &list, NULL));
        PVGT_OK(pvg_graph_format(NULL, 0, &length, graph, &options));
        TEST_ASSERT_EQUAL_size_t(strlen(cases[i].text), length);
        strcpy(text, "untouched");
        length = 0;
        PVGT_FAILS(
            PVG_E_LIMIT, "capacity",
            pvg_graph_format(text, strlen(cases[i].text), &length, graph, &options));
        TEST_ASSERT_EQUAL_size_t(strlen(cases[i].text), length);
        TEST_ASSERT_EQUAL_STRING("untouched", text);
        PVGT_OK(pvg_graph_format(text, length + 1, &length, graph, &options));
        TEST_ASSERT_EQUAL_STRING(cases[i].text, text);
        PVGT_OK(pvg_graph_parse(&back, text, length, &options, NULL));
        TEST_ASSERT_EQUAL_INT64(pvg_graph_order(graph), pvg_graph_order(back));
        pvg_graph_free(graph);
        pvg_graph_free(back);
    }
    pvg_graph *graph = NULL;
    size_t length = 77;
    pvg_io_options options = with(ME, 0);
    PVGT_OK(pvg_graph_parse(&graph, "#\n0 1", 5, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT,
               "pvg_graph_format: options->format: metis files are only read",
               pvg_graph_format(NULL, 0, &length, graph, &options));
    TEST_ASSERT_EQUAL_size_t(77, length);
    pvg_graph_free(graph);
}

/* --- real numbers --------------------------------------------------------------- */

static void doubles_are_exact(void) {
    static const char *const texts[] = {"0",
                                        "-0",
                                        "1",
                                        "0.1",
                                        "+.5",
                                        "5.",
                                        "1e22",
                                        "1e23",
                                        "9007199254740993",
                                        "123456789012345678901234567890",
                                        "2.2250738585072011e-308",
                                        "4.9e-324",
                                        "1e-400",
                                        "0e999",
                                        "1.7976931348623157e308",
                                        "0.000000000000000000000000000001",
                                        "179769313486231570000000000000000000000e270",
                                        "3.14159265358979323846264338327950288"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        double value = 99, expected = strtod(texts[i], NULL);
        const char *end = texts[i] + strlen(texts[i]);
        PVGT_CHECK(pvgi_number_scan(&value, texts[i], end, false) == end, "%s", texts[i]);
        PVGT_CHECK(memcmp(&value, &expected, sizeof value) == 0, "%s", texts[i]);
    }
    static const char *const bad[] = {"",  "-",     ".",   "e5",  "1e",  "1e+",
                                      "x", "1e400", "nan", "inf", "- 1", "0x10"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        double value;
        const char *end = bad[i] + strlen(bad[i]);
        PVGT_CHECK(pvgi_number_scan(&value, bad[i], end, false) != end || !*bad[i], "%s",
                   bad[i]);
    }
    char longest[600];
    double value;
    memset(longest, '1', sizeof longest);
    longest[1] = '.';
    TEST_ASSERT_NULL(pvgi_number_scan(&value, longest, longest + 402, false));
    TEST_ASSERT_TRUE(pvgi_number_scan(&value, longest, longest + 400, false));
    TEST_ASSERT_TRUE(pvgi_number_scan(&value, "NaN", "NaN" + 3, true) && isnan(value));
    TEST_ASSERT_TRUE(pvgi_number_scan(&value, "-Inf", "-Inf" + 4, true) &&
                     value == -(double)INFINITY);
}

static void doubles_round_trip(void) {
    uint64_t seed = 11;
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = pvgt_random(&seed);
        double value, back = 0;
        memcpy(&value, &bits, sizeof value);
        if (i % 2) value = (double)(int64_t)(bits >> 40) / 1000.0;
        char text[PVGI_NUMBER_BYTES];
        const size_t length = pvgi_number_put(text, value);
        TEST_ASSERT_LESS_THAN(PVGI_NUMBER_BYTES, length);
        PVGT_CHECK(pvgi_number_scan(&back, text, text + length, true) == text + length,
                   "%s", text);
        PVGT_CHECK(memcmp(&back, &value, sizeof back) == 0 || isnan(value), "%s", text);
        if (isfinite(value)) PVGT_CHECK(strtod(text, NULL) == value, "%s", text);
        if (i % 2) TEST_ASSERT_LESS_THAN(16, length);
    }
}

/* Quick ways against those of the C library, text by text and bit by bit. */
static void doubles_are_the_shortest(void) {
    uint64_t seed = 12;
    for (int i = 0; i < 60000; i++) {
        const uint64_t bits = pvgt_random(&seed);
        const int power = (int)(pvgt_random(&seed) % 26) - 8;
        double value = (double)(bits >> 11) * 0x1p-53 * pow(10, power), back;
        if (i % 4 == 1) value = (double)(bits >> 44) / 1000 * pow(10, power / 2);
        if (i % 4 == 2) value = ldexp(1.0, (int)(bits % 80) - 20); /* powers of two */
        if (i % 4 == 3) value = nextafter(ldexp(1.0, power), bits & 1 ? 0.0 : 1e30);
        if (bits & 2) value = -value;
        char text[PVGI_NUMBER_BYTES], slow[PVGI_NUMBER_BYTES];
        for (int digits = 15; digits <= 17; digits++) {
            snprintf(slow, sizeof slow, "%.*g", digits, value);
            if (strtod(slow, NULL) == value) break;
        }
        pvgi_number_put(text, value);
        TEST_ASSERT_EQUAL_STRING(slow, text);
        const uint64_t significand = bits >> (i % 64);
        const int exponent = (int)(pvgt_random(&seed) % 60) - 30;
        snprintf(slow, sizeof slow, "%llue%d", (unsigned long long)significand, exponent);
        if (pvgi_number_from_decimal(&back, significand, exponent))
            PVGT_CHECK(back == strtod(slow, NULL), "%s", slow);
        else
            PVGT_CHECK(exponent < -27 || exponent > 27, "%s", slow);
    }
}

/* The host's locale must not matter. */
static void doubles_in_another_locale(void) {
    static const char *const written[][2] = {{"0,25", "0.25"},
                                             {"-1\xD9\xAB"
                                              "5e+30",
                                              "-1.5e+30"},
                                             {"7", "7"},
                                             {"1.5", "1.5"}};
    for (size_t i = 0; i < sizeof written / sizeof written[0]; i++) {
        char text[64];
        strcpy(text, written[i][0]);
        TEST_ASSERT_EQUAL_size_t(strlen(written[i][1]), pvgi_number_plain_point(text));
        TEST_ASSERT_EQUAL_STRING(written[i][1], text);
    }
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE",
                                        "ps_AF.UTF-8"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (!setlocale(LC_ALL, names[i])) continue;
        char text[PVGI_NUMBER_BYTES];
        double value;
        pvgi_number_put(text, 0.25);
        TEST_ASSERT_EQUAL_STRING("0.25", text);
        TEST_ASSERT_TRUE(pvgi_number_scan(&value, "1.5e-30", "1.5e-30" + 7, false));
        TEST_ASSERT_TRUE(value == 1.5e-30);
        setlocale(LC_ALL, "C");
        return;
    }
    printf(
        "no locale with a decimal comma on this machine; only the rewriting is tested\n");
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(good_text_is_read);
    RUN_TEST(bad_text_is_refused);
    RUN_TEST(nul_bytes_are_characters);
    RUN_TEST(options_are_checked);
    RUN_TEST(options_of_edge_lists);
    RUN_TEST(formats_are_rows);
    RUN_TEST(null_arguments_are_refused);
    RUN_TEST(format_writes_these_bytes);
    RUN_TEST(doubles_are_exact);
    RUN_TEST(doubles_round_trip);
    RUN_TEST(doubles_are_the_shortest);
    RUN_TEST(doubles_in_another_locale);
    return pvgt_end(UNITY_END());
}
