/* csr files by external sort are, byte for byte, those of the graph that is read into
 * memory, for every format, policy and amount of memory; what the reader refuses is
 * refused, with a line where that is so; and nothing is left of what failed. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "io/pack.h"
#include "io_text.h"

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64], source[128], packed[128], written[128];

void setUp(void) {}
void tearDown(void) {
    unlink(source);
    unlink(packed);
    unlink(written);
}

static int files_here(void) {
    int count = -2;
    DIR *dir = opendir(folder);
    while (readdir(dir)) count++;
    closedir(dir);
    return count;
}

static bool same_files(void) {
    FILE *a = fopen(packed, "rb"), *b = fopen(written, "rb");
    int x = 0, y = 0;
    while (x != EOF && x == y) {
        x = getc(a);
        y = getc(b);
    }
    fclose(a);
    fclose(b);
    return x == y;
}

/* A list of `count` pairs that may repeat, turn round and loop. */
typedef struct {
    int64_t order, count, (*pairs)[2];
} list;

static list random_list(uint64_t *seed, int64_t order, int64_t count, bool clean) {
    list l = {order, 0, malloc((size_t)count * sizeof *l.pairs)};
    char *seen = clean ? calloc((size_t)(order * order), 1) : NULL;
    while (l.count < count) {
        const int64_t u = pvgt_below(seed, order), v = pvgt_below(seed, order);
        if (clean && (u == v || seen[u * order + v] || seen[v * order + u])) continue;
        if (clean) seen[u * order + v] = 1;
        l.pairs[l.count][0] = u;
        l.pairs[l.count++][1] = v;
    }
    free(seen);
    return l;
}

static void put_list(const list *l, int kind, bool told) {
    FILE *file = fopen(source, "w");
    if (kind == 0 && told) fprintf(file, "# order %lld\n", (long long)l->order);
    if (kind > 0)
        fprintf(file, "%%%%MatrixMarket matrix coordinate pattern %s\n%lld %lld %lld\n",
                kind == 1 ? "symmetric" : "general", (long long)l->order,
                (long long)l->order, (long long)l->count * kind);
    for (int64_t i = 0; i < l->count * (kind == 2 ? 2 : 1); i++) {
        const int64_t *pair = l->pairs[i % l->count];
        const bool turn = i >= l->count;
        fprintf(file, "%lld %lld\n", (long long)pair[turn] + (kind > 0),
                (long long)pair[!turn] + (kind > 0));
    }
    fclose(file);
}

static int32_t pack(const pvg_io_options *options, int64_t memory, uint32_t threads) {
    const pvg_run run = {.size = sizeof run, .threads = threads};
    pvgi_io_call call;
    if (memory >= PVGI_PACK_LEAST)
        return pvg_graph_pack(packed, source, options, memory, &run);
    PVGT_OK(pvgi_io_begin(&call, options, &run, "test"));
    return pvgi_io_pack_file(&call, packed, source, memory);
}

static void same_as_in_memory(void) {
    uint64_t seed = 77;
    static const int64_t memories[] = {1 << 14, 1 << 16, 1 << 20, 0};
    for (int turn = 0; turn < pvgt_turns(60); turn++) {
        const int kind = turn % 3; /* edge list, Matrix Market symmetric, general */
        const bool clean = turn % 4 == 0, told = turn % 5 != 0;
        const int64_t order = 2 + pvgt_below(&seed, turn % 2 ? 30 : 900);
        const int64_t most = clean ? order * (order - 1) / 4 : 20000;
        const int64_t count = pvgt_below(&seed, most > 20000 ? 20000 : most);
        const list l = random_list(&seed, order, count, clean);
        const pvg_io_options options = {
            .size = sizeof options,
            .format = kind ? PVG_FORMAT_MATRIX_MARKET : PVG_FORMAT_EDGE_LIST,
            .policy = clean ? 0 : PVG_EDGES_MERGE | PVG_EDGES_DROP_LOOPS};
        pvg_graph *graph = NULL;
        put_list(&l, kind, told);
        PVGT_OK(pvg_graph_read(&graph, source, &options, NULL));
        PVGT_OK(pvg_graph_write(written, graph, NULL, NULL));
        const int64_t memory = memories[pvgt_below(&seed, 4)];
        PVGT_OK(pack(&options, memory, 1 + turn % 2));
        PVGT_CHECK(same_files(), "turn %d: kind %d, %lld nodes, %lld pairs, memory %lld",
                   turn, kind, (long long)order, (long long)count, (long long)memory);
        TEST_ASSERT_EQUAL_INT(3, files_here());
        pvg_graph_free(graph);
        free(l.pairs);
    }
}

/* One list with a repeat, or one edge that lacks its mirror: the line is named. */
static void bad_lines_are_named(void) {
    uint64_t seed = 5;
    char wanted[200];
    for (int turn = 0; turn < pvgt_turns(20); turn++) {
        list l = random_list(&seed, 700, 9000, true);
        const pvg_io_options plain = {.size = sizeof plain,
                                      .format = PVG_FORMAT_EDGE_LIST};
        const int64_t first = pvgt_below(&seed, 4000);
        const int64_t again = first + 4500; /* beyond what is remembered */
        l.pairs[again][0] = l.pairs[first][turn % 2];
        l.pairs[again][1] = l.pairs[first][1 - turn % 2];
        put_list(&l, 0, true);
        snprintf(wanted, sizeof wanted, "s.txt:%lld: a repeated edge",
                 (long long)again + 2);
        PVGT_FAILS(PVG_E_FORMAT, wanted, pack(&plain, 1 << (turn % 2 ? 16 : 20), 1));
        TEST_ASSERT_EQUAL_INT(1, files_here());
        /* METIS-like lists: the mirror of one arc is another arc */
        FILE *file = fopen(source, "w");
        fprintf(file,
                "%%%%MatrixMarket matrix coordinate pattern general\n9 9 %d\n1 2\n2 1\n"
                "3 4\n%s",
                turn % 2 ? 3 : 4, turn % 2 ? "" : "5 4\n");
        fclose(file);
        const pvg_io_options market = {.size = sizeof market,
                                       .format = PVG_FORMAT_MATRIX_MARKET};
        PVGT_FAILS(PVG_E_FORMAT, "s.txt:5: an edge that is not listed in the other",
                   pack(&market, 1 << 16, 1));
        free(l.pairs);
    }
    static const char twice[] = "%%MatrixMarket matrix coordinate pattern general\n"
                                "9 9 4\n1 2\n2 1\n1 2\n2 1\n";
    FILE *file = fopen(source, "w");
    fputs(twice, file);
    fclose(file);
    PVGT_FAILS(PVG_E_FORMAT, "s.txt:5: a repeated edge",
               pack(&(pvg_io_options){.size = sizeof(pvg_io_options),
                                      .format = PVG_FORMAT_MATRIX_MARKET},
                    1 << 16, 1));
    TEST_ASSERT_EQUAL_INT(1, files_here());
}

static void other_formats(void) {
    static const struct {
        const char *text;
        int32_t format;
    } cases[] = {{"3 2\n2\n1 3\n2\n", PVG_FORMAT_METIS},
                 {"DQc\n", PVG_FORMAT_GRAPH6},
                 {":Fa@x^\n", PVG_FORMAT_SPARSE6},
                 {"", PVG_FORMAT_EDGE_LIST},
                 {"# order 3\n", PVG_FORMAT_EDGE_LIST}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const pvg_io_options options = {.size = sizeof options,
                                        .format = cases[i].format};
        pvg_graph *graph;
        FILE *file = fopen(source, "w");
        fputs(cases[i].text, file);
        fclose(file);
        PVGT_OK(pvg_graph_read(&graph, source, &options, NULL));
        PVGT_OK(pvg_graph_write(written, graph, NULL, NULL));
        PVGT_OK(pack(&options, 0, 1));
        PVGT_CHECK(same_files(), "case %zu", i);
        pvg_graph_free(graph);
    }
    PVGT_FAILS(PVG_E_ARGUMENT, "memory is below",
               pvg_graph_pack(packed, source, NULL, 1000, NULL));
    unlink(source);
    unlink(packed);
    PVGT_FAILS(PVG_E_MISSING, "No such file",
               pvg_graph_pack(packed, source, NULL, 0, NULL));
    TEST_ASSERT_EQUAL_INT(1, files_here());
}

static int32_t stop(void *context, double fraction) {
    (void)fraction;
    return ++*(int *)context > 0;
}

/* What does not end well leaves the old file, and nothing beside it. */
static void failures_leave_nothing(void) {
    uint64_t seed = 6;
    const list l = random_list(&seed, 60000, 400000, false);
    const pvg_io_options options = {.size = sizeof options,
                                    .format = PVG_FORMAT_EDGE_LIST,
                                    .policy = PVG_EDGES_MERGE | PVG_EDGES_DROP_LOOPS};
    put_list(&l, 0, true);
    FILE *file = fopen(packed, "w");
    fputs("old", file);
    fclose(file);
    int asked = 0;
    const pvg_run run = {
        .size = sizeof run, .progress = stop, .progress_context = &asked};
    pvgi_io_call call;
    PVGT_OK(pvgi_io_begin(&call, &options, &run, "test"));
    call.run.last_report_ms = 0; /* it is time to, however quick the machine */
    TEST_ASSERT_EQUAL_INT(PVG_E_CANCELLED,
                          pvgi_io_pack_file(&call, packed, source, 1 << 20));
    TEST_ASSERT_TRUE(asked > 0);
    TEST_ASSERT_EQUAL_INT(2, files_here());
    /* a full disk, while runs are spilled and while rows are written */
    static const rlim_t rooms[] = {1 << 19, 3 << 20, 13 << 19};
    struct rlimit was;
    getrlimit(RLIMIT_FSIZE, &was);
    signal(SIGXFSZ, SIG_IGN);
    for (int i = 0; i < 3; i++) {
        const struct rlimit little = {i == 2 ? 2500000 : rooms[i], was.rlim_max};
        setrlimit(RLIMIT_FSIZE, &little);
        const int32_t full =
            pvg_graph_pack(packed, source, &options, i == 2 ? 1 << 30 : 1 << 20, NULL);
        setrlimit(RLIMIT_FSIZE, &was);
        PVGT_FAILS(PVG_E_IO,
                   i == 2 ? "g.csr: cannot write: File too large"
                          : "g.csr: cannot sort beside: File too large",
                   full);
        TEST_ASSERT_EQUAL_INT(2, files_here());
        char text[8] = "";
        file = fopen(packed, "r");
        TEST_ASSERT_NOT_NULL(fgets(text, sizeof text, file));
        fclose(file);
        TEST_ASSERT_EQUAL_STRING("old", text);
    }
    signal(SIGXFSZ, SIG_DFL);
    /* and memory stays what it was said to be */
    const size_t begin = pvgt_peak_begin();
    PVGT_OK(pvg_graph_pack(packed, source, &options, 4 << 20, NULL));
    PVGT_CHECK(pvgt_peak_bytes(begin) <= (4 << 20) + (1 << 20), "%zu bytes",
               pvgt_peak_bytes(begin));
    PVGT_FAILS(PVG_E_MISSING, "cannot create",
               pvg_graph_pack("/nowhere/at/all.csr", source, &options, 0, NULL));
    free(l.pairs);
}

/* Ranges of a file are those of its arrays, and damage is told by those that meet it. */
static void shares(void) {
    enum { ORDER = 200000, EDGES = 700000 };
    uint64_t state = 12, digest[2], again[2];
    int64_t *ends = malloc(2 * EDGES * sizeof *ends), order, arcs;
    int32_t declared;
    pvg_graph *graph;
    for (int64_t i = 0; i < 2 * EDGES; i++) ends[i] = pvgt_below(&state, ORDER);
    PVGT_OK(pvg_graph_from_edges(&graph, ORDER, ends, ends + EDGES, EDGES,
                                 PVG_EDGES_MERGE | PVG_EDGES_DROP_LOOPS, NULL));
    free(ends);
    PVGT_OK(pvg_graph_write(written, graph, NULL, NULL));
    PVGT_OK(pvg_csr_file_shape(&order, &arcs, &declared, digest, written, NULL));
    TEST_ASSERT_EQUAL_INT64(ORDER, order);
    TEST_ASSERT_EQUAL_INT64(2 * graph->size, arcs);
    TEST_ASSERT_EQUAL(1, declared);
    int64_t *offsets = malloc((ORDER + 1) * sizeof *offsets);
    int32_t *columns = malloc((size_t)arcs * sizeof *columns);
    for (int i = 0; i < 60; i++) {
        const int64_t a = pvgt_below(&state, ORDER + 2), b = pvgt_below(&state, arcs + 1);
        const int64_t m = pvgt_below(&state, ORDER + 2 - a),
                      n = pvgt_below(&state, arcs + 1 - b);
        PVGT_OK(pvg_csr_file_offsets(offsets, written, a, m, NULL));
        PVGT_OK(pvg_csr_file_columns(columns, written, b, n, NULL));
        PVGT_CHECK(memcmp(offsets, graph->offsets + a, (size_t)m * 8) == 0 &&
                       memcmp(columns, graph->columns + b, (size_t)n * 4) == 0,
                   "offsets %lld + %lld, columns %lld + %lld", (long long)a, (long long)m,
                   (long long)b, (long long)n);
    }
    PVGT_FAILS(PVG_E_ARGUMENT, "offsets, not",
               pvg_csr_file_offsets(offsets, written, 1, ORDER + 1, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "columns, not",
               pvg_csr_file_columns(columns, written, arcs, 1, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "negative",
               pvg_csr_file_columns(columns, written, -1, 1, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "negative",
               pvg_csr_file_columns(columns, written, INT64_MAX, 1, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL",
               pvg_csr_file_offsets(NULL, written, 0, 1, NULL));
    PVGT_OK(pvg_csr_file_offsets(NULL, written, 5, 0, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "digest is NULL",
               pvg_csr_file_shape(&order, &arcs, &declared, NULL, written, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "path is NULL",
               pvg_csr_file_shape(&order, &arcs, &declared, digest, NULL, NULL));
    /* one bit of the second block of columns */
    const pvgi_io_csr_shape shape = pvgi_io_csr_measure(ORDER, arcs, graph->declared);
    FILE *file = fopen(written, "r+b");
    fseek(file, (long)shape.columns_at + PVGI_CSR_BLOCK + 77, SEEK_SET);
    const int byte = getc(file);
    fseek(file, -1, SEEK_CUR);
    putc(byte ^ 4, file);
    fclose(file);
    PVGT_OK(pvg_csr_file_shape(&order, &arcs, &declared, again, written, NULL));
    TEST_ASSERT_EQUAL_MEMORY(digest, again, sizeof digest);
    PVGT_OK(pvg_csr_file_columns(columns, written, 0, PVGI_CSR_BLOCK / 4, NULL));
    PVGT_OK(pvg_csr_file_columns(columns, written, PVGI_CSR_BLOCK / 2, 99, NULL));
    PVGT_FAILS(PVG_E_FORMAT, "block 1 of the columns",
               pvg_csr_file_columns(columns, written, PVGI_CSR_BLOCK / 4, 1, NULL));
    PVGT_FAILS(PVG_E_FORMAT, "block 1 of the columns",
               pvg_csr_file_columns(columns, written, 9, PVGI_CSR_BLOCK / 2, NULL));
    unlink(written);
    PVGT_FAILS(PVG_E_MISSING, "cannot open",
               pvg_csr_file_offsets(offsets, written, 0, 1, NULL));
    free(offsets);
    free(columns);
    pvg_graph_free(graph);
}

int main(void) {
    pvgt_begin();
    snprintf(folder, sizeof folder, "/tmp/pvgt-pack-XXXXXX");
    if (!mkdtemp(folder)) return 1;
    snprintf(source, sizeof source, "%s/s.txt", folder);
    snprintf(packed, sizeof packed, "%s/g.csr", folder);
    snprintf(written, sizeof written, "%s/w.csr", folder);
    UNITY_BEGIN();
    RUN_TEST(same_as_in_memory);
    RUN_TEST(bad_lines_are_named);
    RUN_TEST(other_formats);
    RUN_TEST(failures_leave_nothing);
    RUN_TEST(shares);
    rmdir(folder);
    return pvgt_end(UNITY_END());
}
