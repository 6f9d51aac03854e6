/* csr files: mapped graphs are the graphs they were made of, whatever is wrong with a
 * file is told, and a file that changes is noticed. Calls go through the border, where
 * that happens. */
#include "io/csr.h"
#include "support.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char folder[64], path[128];

/* Who asks, if not the one who runs the test. */
static int64_t somebody = -1;
uid_t __real_geteuid(void);
uid_t __wrap_geteuid(void);
uid_t __wrap_geteuid(void) {
    return somebody < 0 ? __real_geteuid() : (uid_t)somebody;
}

void setUp(void) {}
void tearDown(void) {
    unlink(path);
}

/* --- graphs and files ------------------------------------------------------------ */

static pvg_graph *random_graph(int64_t order, int64_t edges, uint64_t seed,
                               uint32_t policy) {
    int64_t *ends = malloc((size_t)edges * 2 * sizeof *ends);
    pvg_graph *graph;
    for (int64_t i = 0; i < 2 * edges; i++) ends[i] = pvgt_below(&seed, order);
    PVGT_OK(pvg_graph_from_edges(&graph, order, ends, ends + edges, edges,
                                 PVG_EDGES_MERGE | PVG_EDGES_DROP_LOOPS | policy, NULL));
    free(ends);
    return graph;
}

static bool same_rows(const pvg_graph *a, const pvg_graph *b) {
    return a->order == b->order && a->size == b->size && a->declared == b->declared &&
           memcmp(a->offsets, b->offsets, ((size_t)a->order + 1) * 8) == 0 &&
           memcmp(a->columns, b->columns, (size_t)a->size * 8) == 0;
}

static int files_here(void) {
    int count = -2;
    DIR *dir = opendir(folder);
    while (readdir(dir)) count++;
    closedir(dir);
    return count;
}

static char *load(size_t *bytes) {
    FILE *file = fopen(path, "rb");
    fseek(file, 0, SEEK_END);
    *bytes = (size_t)ftell(file);
    rewind(file);
    char *data = malloc(*bytes);
    TEST_ASSERT_EQUAL_UINT64(*bytes, fread(data, 1, *bytes, file));
    fclose(file);
    return data;
}

static void store(const char *data, size_t bytes) {
    unlink(path);
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    TEST_ASSERT_EQUAL_INT64((int64_t)bytes, write(file, data, bytes));
    close(file);
}

/* A file refused by both readers, with the same words. */
static void refused(const char *data, size_t bytes, const char *part) {
    pvg_graph *graph = NULL;
    store(data, bytes);
    PVGT_FAILS(PVG_E_FORMAT, part, pvg_graph_map(&graph, path, NULL, NULL));
    TEST_ASSERT_NULL(graph);
    const pvg_io_options options = {.size = sizeof options,
                                    .format = PVG_FORMAT_CSR_FILE};
    PVGT_FAILS(PVG_E_FORMAT, part, pvg_graph_parse(&graph, data, bytes, &options, NULL));
    PVGT_FAILS(PVG_E_FORMAT, part, pvg_graph_read(&graph, path, &options, NULL));
    TEST_ASSERT_NULL(graph);
}

static void round_trips(void) {
    static const int64_t sizes[][2] = {
        {0, 0}, {1, 0}, {2, 1}, {511, 3}, {300, 9000}, {131072, 5}, {140000, 300000}};
    const pvg_run two = {.size = sizeof two, .threads = 2};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        int64_t edges = sizes[i][1];
        pvg_graph *graph = random_graph(sizes[i][0], edges, i + 1, 0), *mapped, *copy;
        PVGT_OK(pvg_graph_write(path, graph, NULL, &two));
        TEST_ASSERT_EQUAL_INT(1, files_here());
        PVGT_OK(pvg_graph_map(&mapped, path, NULL, &two));
        PVGT_OK(pvg_graph_read(&copy, path, NULL, &two));
        PVGT_CHECK(same_rows(graph, mapped) && same_rows(graph, copy), "size %zu", i);
        const size_t begin = pvgt_peak_begin();
        pvg_graph *again;
        PVGT_OK(pvg_graph_map(&again, path, NULL, &two));
        PVGT_CHECK(pvgt_peak_bytes(begin) < 16384, "%zu bytes for a map",
                   pvgt_peak_bytes(begin));
        pvg_graph_free(again);
        pvg_graph_free(mapped);
        pvg_graph_free(copy);
        pvg_graph_free(graph);
        unlink(path);
    }
}

/* What was not declared stays so, in each of its two parts. */
static void declarations_stay(void) {
    for (int kind = 0; kind < 3; kind++) {
        pvg_graph *graph, *mapped;
        pvg_release *release = NULL;
        if (kind == 1)
            PVGT_OK(pvg_graph_parse(&graph, "0 1\n1 2\n", 8,
                                    &(pvg_io_options){.size = sizeof(pvg_io_options),
                                                      .format = PVG_FORMAT_EDGE_LIST},
                                    NULL));
        else
            graph = random_graph(30, 60, 5, kind == 2 ? PVG_EDGES_INFERRED : 0);
        PVGT_OK(pvg_graph_write(path, graph, NULL, NULL));
        PVGT_OK(pvg_graph_map(&mapped, path, NULL, NULL));
        TEST_ASSERT_EQUAL_INT(graph->declared, mapped->declared);
        TEST_ASSERT_EQUAL_INT(kind == 0, pvg_graph_order_declared(mapped));
        const pvg_input input = {.size = sizeof input, .graph = mapped};
        if (kind == 0) {
            PVGT_OK(
                pvg_release_draw_text(&release, "stars epsilon=1", &input, NULL, NULL));
            pvg_release_free(release);
        } else {
            PVGT_FAILS(
                PVG_E_UNDECLARED, "read off the private edges",
                pvg_release_draw_text(&release, "stars epsilon=1", &input, NULL, NULL));
            TEST_ASSERT_NULL(release);
        }
        pvg_graph_free(mapped);
        pvg_io_options told = {.size = sizeof told, .order = graph->order};
        if (kind == 0) {
            PVGT_OK(pvg_graph_map(&mapped, path, &told, NULL));
            pvg_graph_free(mapped);
            told.order++;
            PVGT_FAILS(PVG_E_FORMAT, "another number of nodes",
                       pvg_graph_map(&mapped, path, &told, NULL));
        } else {
            PVGT_FAILS(PVG_E_FORMAT, "were read off the edges",
                       pvg_graph_map(&mapped, path, &told, NULL));
        }
        pvg_graph_free(graph);
    }
}

/* Every function has the same bits. */
static void same_answers(void) {
    static const char *const asked[] = {
        "embed patterns=edge,path3,path4,star3,path5,star4,path6 epsilon=1 delta=1e-6",
        "degrees epsilon=1",
        "stars epsilon=1",
        "triangles epsilon=1",
    };
    pvg_graph *graph = random_graph(3000, 12000, 11, 0), *mapped;
    PVGT_OK(pvg_graph_write(path, graph, NULL, NULL));
    PVGT_OK(pvg_graph_map(&mapped, path, NULL, NULL));
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        pvg_query *query;
        int64_t rows, columns;
        double *values[2];
        if (pvg_query_new(&query, asked[i], NULL, NULL, NULL) != PVG_OK)
            TEST_FAIL_MESSAGE(pvg_error_message());
        for (int side = 0; side < 2; side++) {
            const pvg_input input = {.size = sizeof input,
                                     .graph = side ? mapped : graph};
            const pvg_run run = {.size = sizeof run, .threads = 1 + (uint32_t)side};
            PVGT_OK(pvg_query_shape(&rows, &columns, query, &input));
            values[side] = malloc((size_t)(rows * columns) * sizeof(double));
            PVGT_OK(pvg_query_values_exact(values[side], query, &input, &run));
        }
        PVGT_CHECK(
            memcmp(values[0], values[1], (size_t)(rows * columns) * sizeof(double)) == 0,
            "%s", asked[i]);
        free(values[0]);
        free(values[1]);
        pvg_query_free(query);
    }
    pvg_graph_free(mapped);
    pvg_graph_free(graph);
}

/* --- files that are not what they say -------------------------------------------- */

static void damage_is_told(void) {
    pvg_graph *graph = random_graph(140000, 300000, 3, 0);
    size_t bytes;
    uint64_t state = 9;
    PVGT_OK(pvg_graph_write(path, graph, NULL, NULL));
    char *data = load(&bytes);
    const pvgi_io_csr_shape shape = pvgi_io_csr_measure(graph->order, 2 * graph->size, 3);
    TEST_ASSERT_EQUAL_UINT64(shape.bytes, bytes);
    const struct {
        uint64_t at;
        const char *part;
    } places[] = {
        {0, "is not a csr file"},
        {8, "version"},
        {12, "header or the table"},
        {16, "header or the table"},
        {18, "damaged: its sizes do not agree"},
        {33, "header is damaged"},
        {40, "its sizes do not agree"},
        {100, "header is damaged"},
        {4096, "block 0 of the offsets is damaged"},
        {4096 + 1048576 + 8, "block 1 of the offsets is damaged"},
        {shape.columns_at - 1, "bytes between two sections"},
        {shape.columns_at, "block 0 of the columns is damaged"},
        {shape.columns_at + 2 * 1048576, "block 2 of the columns is damaged"},
        {shape.table_at - 1, "bytes between two sections"},
        {shape.table_at, "header or the table of digests is damaged"},
        {bytes - 64, "header or the table of digests is damaged"},
        {bytes - 20, "header or the table of digests is damaged"},
        {bytes - 1, "header or the table of digests is damaged"},
    };
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        data[places[i].at] ^= 1;
        refused(data, bytes, places[i].part);
        data[places[i].at] ^= 1;
    }
    static const int64_t cuts[] = {1, 20, 64, 4096, 2000000};
    for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; i++)
        refused(data, bytes - (size_t)cuts[i], "cut off");
    refused(data, 4095, "cut off");
    refused(data, 7, "is not a csr file");
    /* anywhere at all */
    for (int turn = 0; turn < pvgt_turns(12); turn++) {
        const size_t at = (size_t)pvgt_below(&state, (int64_t)bytes);
        pvg_graph *none = NULL;
        data[at] ^= (char)(1 + pvgt_below(&state, 255));
        store(data, bytes);
        PVGT_CHECK(pvg_graph_map(&none, path, NULL, NULL) == PVG_E_FORMAT, "byte %zu",
                   at);
        free(data);
        PVGT_OK(pvg_graph_write(path, graph, NULL, NULL));
        data = load(&bytes);
    }
    char *longer = malloc(bytes + 8);
    memcpy(longer, data, bytes);
    memset(longer + bytes, '\n', 8);
    refused(longer, bytes + 8, "something follows the end");
    free(longer);
    free(data);
    pvg_graph_free(graph);
}

/* Rows that are no graph, with digests that are right: who made the file knew the format.
 */
static void liars_are_told(void) {
    enum { ORDER = 6, ARCS = 8 };
    static const struct {
        int64_t offsets[ORDER + 1];
        int32_t columns[ARCS];
        const char *part;
    } liars[] = {
        /* a square with a chord would be fine: 0-1 0-2 1-2 2-3 */
        {{0, 2, 4, 7, 8, 8, 8}, {1, 2, 0, 2, 0, 1, 3, 4}, "not symmetric"},
        {{0, 2, 4, 7, 8, 8, 8}, {2, 1, 0, 2, 0, 1, 3, 2}, "ascending neighbours"},
        {{0, 2, 4, 7, 8, 8, 8}, {1, 1, 0, 2, 0, 1, 3, 2}, "ascending neighbours"},
        {{0, 2, 4, 7, 8, 8, 8}, {0, 2, 0, 2, 0, 1, 3, 2}, "ascending neighbours"},
        {{0, 2, 4, 7, 8, 8, 8}, {1, 2, 0, 2, 0, 1, 6, 2}, "ascending neighbours"},
        {{0, 2, 4, 7, 8, 8, 8}, {-1, 2, 0, 2, 0, 1, 3, 2}, "ascending neighbours"},
        {{0, 2, 4, 7, 8, 8, 8}, {1, INT32_MAX, 0, 2, 0, 1, 3, 2}, "ascending neighbours"},
        {{1, 2, 4, 7, 8, 8, 8}, {1, 2, 0, 2, 0, 1, 3, 2}, "does not ascend"},
        {{0, 4, 2, 7, 8, 8, 8}, {1, 2, 0, 2, 0, 1, 3, 2}, "does not ascend"},
        {{0, 2, 4, 7, 8, 8, 7}, {1, 2, 0, 2, 0, 1, 3, 2}, "does not ascend"},
        {{0, 2, 4, 7, 9, 8, 8}, {1, 2, 0, 2, 0, 1, 3, 2}, "does not ascend"},
        {{0, 2, 4, 7, 7, 7, 7}, {1, 2, 0, 2, 0, 1, 3, 2}, "does not ascend"},
        {{0, INT64_MIN, 4, 7, 8, 8, 8}, {1, 2, 0, 2, 0, 1, 3, 2}, "does not ascend"},
        {{0, 2, 4, 7, 8, 8, 8}, {1, 2, 0, 2, 0, 1, 3, 2}, NULL},
        {{0, 2, 4, 7, 8, 8, 8}, {1, 3, 0, 2, 0, 1, 3, 2}, "not symmetric"},
    };
    for (size_t i = 0; i < sizeof liars / sizeof liars[0]; i++) {
        pvg_graph graph = {.order = ORDER, .size = ARCS / 2, .declared = 3};
        graph.offsets = (int64_t *)(uintptr_t)liars[i].offsets;
        graph.columns = (int32_t *)(uintptr_t)liars[i].columns;
        pvgi_io_call call;
        pvgi_io_sink sink;
        PVGT_OK(pvgi_io_begin(&call, NULL, NULL, "test"));
        PVGT_OK(pvgi_io_sink_open_private(&sink, path));
        PVGT_OK(pvgi_io_sink_close(&sink, pvgi_io_put_csr(&sink, &call, &graph, 0)));
        size_t bytes;
        char *data = load(&bytes);
        pvg_graph *good;
        if (liars[i].part) {
            refused(data, bytes, liars[i].part);
        } else {
            PVGT_OK(pvg_graph_map(&good, path, NULL, NULL));
            TEST_ASSERT_TRUE(pvg_graph_has_edge(good, 2, 3));
            pvg_graph_free(good);
        }
        free(data);
    }
    /* sizes that only the header has */
    size_t bytes;
    pvg_graph *graph = random_graph(5, 5, 1, 0);
    PVGT_OK(pvg_graph_write(path, graph, NULL, NULL));
    pvg_graph_free(graph);
    char *data = load(&bytes);
    memset(data + 16, 0xFF, 8);
    refused(data, bytes, "sizes that no file can have");
    memset(data + 16, 0, 8);
    memset(data + 24, 0xFE, 8);
    refused(data, bytes, "sizes that no file can have");
    free(data);
}

static void odd_files_are_told(void) {
    pvg_graph *graph = random_graph(50, 100, 2, 0), *mapped = NULL;
    char other[140];
    PVGT_OK(pvg_graph_write(path, graph, NULL, NULL));
    TEST_ASSERT_EQUAL_INT(0, chmod(path, 0620));
    PVGT_FAILS(PVG_E_IO, "others may write it", pvg_graph_map(&mapped, path, NULL, NULL));
    TEST_ASSERT_EQUAL_INT(0, chmod(path, 0602));
    PVGT_FAILS(PVG_E_IO, "others may write it", pvg_graph_map(&mapped, path, NULL, NULL));
    /* whoever owns a file may write it: we, or root, or nobody whom we know */
    struct stat info;
    pvg_graph *owned;
    TEST_ASSERT_EQUAL_INT(0, chmod(path, 0400));
    TEST_ASSERT_EQUAL_INT(0, stat(path, &info));
    PVGT_OK(pvg_graph_map(&owned, path, NULL, NULL));
    if (info.st_uid == 0) {
        somebody = 12345; /* of root's files everybody reads */
        pvg_graph_free(owned);
        PVGT_OK(pvg_graph_map(&owned, path, NULL, NULL));
        TEST_ASSERT_EQUAL_INT(0, chown(path, 4321, (gid_t)-1));
    }
    pvg_graph_free(owned);
    for (int i = 0; i < 2; i++) {
        somebody = i == 0 ? 12345 : 0; /* root is no exception */
        PVGT_FAILS(PVG_E_IO, "belongs to another user (",
                   pvg_graph_map(&mapped, path, NULL, NULL));
    }
    somebody = info.st_uid == 0 ? 4321 : info.st_uid;
    PVGT_OK(pvg_graph_map(&owned, path, NULL, NULL));
    pvg_graph_free(owned);
    somebody = -1;
    if (info.st_uid == 0) TEST_ASSERT_EQUAL_INT(0, chown(path, 0, (gid_t)-1));
    PVGT_FAILS(PVG_E_IO, "Is a directory", pvg_graph_map(&mapped, folder, NULL, NULL));
    snprintf(other, sizeof other, "%s/pipe", folder);
    TEST_ASSERT_EQUAL_INT(0, mkfifo(other, 0600));
    PVGT_FAILS(PVG_E_FORMAT, "it has no size", pvg_graph_map(&mapped, other, NULL, NULL));
    unlink(other);
    PVGT_FAILS(PVG_E_MISSING, "No such file", pvg_graph_map(&mapped, other, NULL, NULL));
    const pvg_io_options text = {.size = sizeof text, .format = PVG_FORMAT_EDGE_LIST};
    PVGT_FAILS(PVG_E_ARGUMENT, "cannot be mapped",
               pvg_graph_map(&mapped, path, &text, NULL));
    const pvg_io_options few = {.size = sizeof few, .order_limit = 49};
    TEST_ASSERT_EQUAL_INT(0, chmod(path, 0600));
    PVGT_FAILS(PVG_E_LIMIT, "order_limit", pvg_graph_map(&mapped, path, &few, NULL));
    /* a file of another kind */
    store("# order 5\n0 1\n", 14);
    PVGT_FAILS(PVG_E_FORMAT, "is not a csr file",
               pvg_graph_map(&mapped, path, NULL, NULL));
    size_t length;
    const pvg_io_options csr = {.size = sizeof csr, .format = PVG_FORMAT_CSR_FILE};
    PVGT_FAILS(PVG_E_ARGUMENT, "are not text",
               pvg_graph_format(NULL, 0, &length, graph, &csr));
    pvg_graph_free(graph);
}

/* A new file is its owner's alone, whatever the mask; one that was there keeps its mode.
 */
static void modes(void) {
    pvg_graph *graph = random_graph(50, 100, 2, 0);
    struct stat info;
    const mode_t mask = umask(0);
    for (int packed = 0; packed < 2; packed++) {
        char source[140];
        snprintf(source, sizeof source, "%s/s.txt", folder);
        PVGT_OK(pvg_graph_write(source, graph, NULL, NULL));
        for (int there = 0; there < 2; there++) {
            if (packed)
                PVGT_OK(pvg_graph_pack(path, source, NULL, 0, NULL));
            else
                PVGT_OK(pvg_graph_write(path, graph, NULL, NULL));
            TEST_ASSERT_EQUAL_INT(0, stat(path, &info));
            TEST_ASSERT_EQUAL_INT(there ? 0640 : 0600, info.st_mode & 0777);
            chmod(path, 0640);
        }
        unlink(path);
        unlink(source);
    }
    umask(mask);
    pvg_graph_free(graph);
}

/* --- files that change ----------------------------------------------------------- */

static void rewrite_byte(int64_t at) {
    char byte;
    const int file = open(path, O_RDWR);
    TEST_ASSERT_EQUAL_INT(1, pread(file, &byte, 1, at));
    TEST_ASSERT_EQUAL_INT(1, pwrite(file, &byte, 1, at));
    close(file);
}

static void change(int how) {
    struct stat was;
    char other[140];
    stat(path, &was);
    snprintf(other, sizeof other, "%s.new", path);
    const struct timespec times[2] = {was.st_atim, was.st_mtim};
    switch (how) {
    case 0: /* written in place */
        rewrite_byte(5000);
        break;
    case 1: /* and the time set back */
        rewrite_byte(5000);
        utimensat(AT_FDCWD, path, times, 0);
        break;
    case 2: /* grown */
        truncate(path, was.st_size + 1);
        break;
    case 3: /* replaced */
        close(open(other, O_CREAT | O_WRONLY, 0600));
        rename(other, path);
        break;
    default: /* gone */
        unlink(path);
    }
}

static void changes_are_noticed(void) {
    for (int how = 0; how < 5; how++) {
        pvg_graph *graph = random_graph(2000, 9000, 4, 0), *mapped, *part = NULL;
        pvg_release *release = NULL;
        const int64_t *offsets;
        const int32_t *columns;
        const int64_t nodes[] = {1, 2, 3};
        static int64_t sources[9000], targets[9000];
        PVGT_OK(pvg_graph_write(path, graph, NULL, NULL));
        PVGT_OK(pvg_graph_map(&mapped, path, NULL, NULL));
        PVGT_OK(pvg_graph_view_csr(&offsets, &columns, mapped));
        PVGT_OK(pvg_graph_copy_edges(sources, targets, mapped));
        change(how);
        const pvg_input input = {.size = sizeof input, .graph = mapped};
        PVGT_FAILS(PVG_E_IO, "changed since it was mapped",
                   pvg_graph_view_csr(&offsets, &columns, mapped));
        PVGT_FAILS(PVG_E_IO, "changed since it was mapped",
                   pvg_graph_induce(&part, mapped, nodes, 3, NULL));
        PVGT_FAILS(PVG_E_IO, "changed since it was mapped",
                   pvg_graph_copy_edges(sources, targets, mapped));
        PVGT_FAILS(
            PVG_E_IO, "changed since it was mapped",
            pvg_release_draw_text(&release, "stars epsilon=1", &input, NULL, NULL));
        /* a change before the call costs nothing */
        pvg_ledger *ledger;
        double spent = -1.0;
        const pvg_ledger_config budget = {
            .size = sizeof budget, .notion = PVG_NOTION_EDGE, .epsilon = 10.0};
        PVGT_OK(pvg_ledger_new(&ledger, &budget));
        const pvg_input paid = {.size = sizeof paid, .graph = mapped, .object = "graph"};
        PVGT_FAILS(
            PVG_E_IO, "changed since it was mapped",
            pvg_release_draw_text(&release, "stars epsilon=1", &paid, ledger, NULL));
        PVGT_OK(pvg_ledger_spent(&spent, ledger, pvg_ledger_object("graph"), 0.0));
        PVGT_CHECK(spent == 0.0, "change %d: spent %g", how, spent);
        pvg_ledger_free(ledger);
        TEST_ASSERT_TRUE(!part && !release);
        TEST_ASSERT_EQUAL_INT64(2000, pvg_graph_order(mapped));
        pvg_graph_free(mapped);
        pvg_graph_free(graph);
        unlink(path);
    }
}

/* A pool that has no hands, and is asked for them when the work begins. */
static int32_t change_once(void *context, void (*job)(void *argument), void *argument) {
    int *left = context;
    (void)job;
    (void)argument;
    if ((*left)-- == 1) change(0);
    return 1;
}

/* A change while the call runs: it was paid for, and nothing comes out. */
static void changes_meanwhile(void) {
    pvg_graph *graph = random_graph(60000, 600000, 4, 0), *mapped;
    pvg_ledger *ledger;
    pvg_release *release = NULL;
    double spent;
    int left = 1;
    const pvg_run run = {
        .size = sizeof run, .threads = 2, .start = change_once, .start_context = &left};
    PVGT_OK(pvg_graph_write(path, graph, NULL, NULL));
    PVGT_OK(pvg_graph_map(&mapped, path, NULL, NULL));
    const pvg_ledger_config budget = {
        .size = sizeof budget, .notion = PVG_NOTION_EDGE, .epsilon = 10.0, .delta = 1e-5};
    PVGT_OK(pvg_ledger_new(&ledger, &budget));
    const pvg_input input = {.size = sizeof input, .graph = mapped, .object = "graph"};
    const int32_t status = pvg_release_draw_text(
        &release,
        "embed patterns=edge,path3,path4,star3,path5,star4,path6 epsilon=1 delta=1e-6",
        &input, ledger, &run);
    PVGT_CHECK(left <= 0, "the call asked for no hands: %d", left);
    PVGT_CHECK(status == PVG_E_IO && !release, "%s", pvg_error_message());
    TEST_ASSERT_TRUE(strstr(pvg_error_message(), "changed since it was mapped"));
    PVGT_OK(pvg_ledger_spent(&spent, ledger, pvg_ledger_object("graph"), 1e-6));
    PVGT_CHECK(spent > 0.9, "spent %g", spent);
    pvg_ledger_free(ledger);
    pvg_graph_free(mapped);
    pvg_graph_free(graph);
}

/* The one way that cannot be caught. */
static void cut_off_files_end_in_a_signal(void) {
    pvg_graph *graph = random_graph(100000, 400000, 4, 0);
    PVGT_OK(pvg_graph_write(path, graph, NULL, NULL));
    const pid_t child = fork();
    if (child == 0) {
        pvg_graph *mapped;
        const struct rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
        signal(SIGBUS, SIG_DFL);
        if (pvg_graph_map(&mapped, path, NULL, NULL) != PVG_OK) _exit(1);
        truncate(path, 8192);
        _exit(pvg_graph_degree(mapped, 90000) > 0 ? 2 : 3); /* has no status */
    }
    int status;
    TEST_ASSERT_EQUAL_INT(child, waitpid(child, &status, 0));
    TEST_ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS);
    pvg_graph_free(graph);
}

/* --- memory ---------------------------------------------------------------------- */

/* Edges take no memory: 8 (16 + columns that live at a time) bytes for each node, as
 * docs/scale.md has it, are fewer than the edges have. */
static void memory_goes_by_nodes(void) {
    enum { ORDER = 20000, EDGES = 1500000 };
    pvg_graph *graph = random_graph(ORDER, EDGES, 6, 0), *mapped;
    PVGT_OK(pvg_graph_write(path, graph, NULL, NULL));
    const int64_t edge_bytes = 8 * pvg_graph_size(graph);
    pvg_graph_free(graph);
    pvg_query *query;
    double values[64];
    int64_t rows, columns;
    PVGT_OK(pvg_query_new(
        &query,
        "embed patterns=edge,path3,path4,star3,path5,star4,path6 epsilon=1 delta=1e-6",
        NULL, NULL, NULL));
    const size_t begin = pvgt_peak_begin();
    PVGT_OK(pvg_graph_map(&mapped, path, NULL, NULL));
    const pvg_input input = {.size = sizeof input, .graph = mapped};
    PVGT_OK(pvg_query_shape(&rows, &columns, query, &input));
    TEST_ASSERT_TRUE(rows * columns <= 64);
    PVGT_OK(pvg_query_values_exact(values, query, &input, NULL));
    const size_t peak = pvgt_peak_bytes(begin);
    PVGT_CHECK(peak <= (size_t)ORDER * 8 * (16 + 34) + (1 << 20) &&
                   (int64_t)peak < edge_bytes,
               "%zu bytes, edges have %lld", peak, (long long)edge_bytes);
    pvg_query_free(query);
    pvg_graph_free(mapped);
}

int main(void) {
    pvgt_begin();
    snprintf(folder, sizeof folder, "/tmp/pvgt-mapped-XXXXXX");
    if (!mkdtemp(folder)) return 1;
    snprintf(path, sizeof path, "%s/g.csr", folder);
    UNITY_BEGIN();
    RUN_TEST(round_trips);
    RUN_TEST(declarations_stay);
    RUN_TEST(same_answers);
    RUN_TEST(damage_is_told);
    RUN_TEST(liars_are_told);
    RUN_TEST(odd_files_are_told);
    RUN_TEST(modes);
    RUN_TEST(changes_are_noticed);
    RUN_TEST(changes_meanwhile);
    RUN_TEST(cut_off_files_end_in_a_signal);
    RUN_TEST(memory_goes_by_nodes);
    TEST_ASSERT_EQUAL_INT(0, files_here());
    rmdir(folder);
    return pvgt_end(UNITY_END());
}
