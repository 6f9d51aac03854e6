/* Who told the number of nodes: readers that were not told mark the graph, whatever is
 * made from it keeps the mark, no release and no format that states the order takes it.
 * The same for the number of columns of features, which releases that hide them refuse.
 */
#include "entries.h" /* from inside: handles here may never have left the library */
#include "handles.h"
#include "io_text.h"

#include "privgraph/ledger.h"
#include "privgraph/propagate.h"
#include "privgraph/release.h"

#include <dirent.h>
#include <unistd.h>

static bool only_order; /* what inferred() leaves out */

void setUp(void) {
    only_order = false;
}
void tearDown(void) {}

/* By turns a file that tells no order, and a caller who says so. */
static pvg_graph *inferred(void) {
    static const int64_t from[] = {0, 1, 2}, to[] = {1, 2, 3};
    static int turn;
    pvg_graph *graph;
    if (only_order || turn++ % 2 == 0)
        PVGT_OK(pvg_graph_parse(&graph, "# a path\n0 1\n1 2\n2 3\n", 21, NULL, NULL));
    else
        PVGT_OK(pvg_graph_from_edges(&graph, 4, from, to, 3, PVG_EDGES_INFERRED, NULL));
    TEST_ASSERT_EQUAL_INT32(0, pvg_graph_order_declared(graph));
    return graph;
}

static pvg_graphset *set_of(const pvg_graph *first, const pvg_graph *second) {
    pvg_graphset_builder *builder;
    pvg_graphset *set, *empty;
    PVGT_OK(pvg_graphset_builder_new(&builder, 0));
    PVGT_OK(pvg_graphset_builder_add(builder, first, -1, NULL, NULL));
    PVGT_OK(pvg_graphset_builder_add(builder, second, -1, NULL, NULL));
    PVGT_OK(pvg_graphset_builder_finish(&set, builder));
    /* the builder forgets with the graphs */
    PVGT_OK(pvg_graphset_builder_finish(&empty, builder));
    TEST_ASSERT_EQUAL_UINT(PVGI_DECLARED_NODES, empty->declared);
    pvg_graphset_free(empty);
    pvg_graphset_builder_free(builder);
    return set;
}

/* --- readers -------------------------------------------------------------------- */

static void readers_know_whether_they_were_told(void) {
    static const struct {
        int32_t format;
        int64_t order; /* options.order */
        const char *text;
        int32_t told;
    } cases[] = {
        {PVG_FORMAT_EDGE_LIST, 0, "0 1\n1 2\n", 0},
        {PVG_FORMAT_EDGE_LIST, 0, "", 0},
        {PVG_FORMAT_EDGE_LIST, 0, "# orders 4\n0 1\n", 0},
        {PVG_FORMAT_EDGE_LIST, 0, "0 1\n# order 4\n", 0},
        {PVG_FORMAT_EDGE_LIST, 0, "# Nodes: 2\n0 1\n", 0},
        {PVG_FORMAT_EDGE_LIST, 0, "# order 4\n0 1\n", 1},
        {PVG_FORMAT_EDGE_LIST, 0, "# order 2\n0 1\n", 1},
        {PVG_FORMAT_EDGE_LIST, 0, "# order 0\n", 1},
        {PVG_FORMAT_EDGE_LIST, 2, "0 1\n", 1},
        {PVG_FORMAT_EDGE_LIST, 9, "", 1},
        {PVG_FORMAT_AUTO, 0,
         "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 0\n", 1},
        {PVG_FORMAT_MATRIX_MARKET, 0,
         "%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n2 1\n", 1},
        {PVG_FORMAT_GRAPH6, 0, "DQc\n", 1},
        {PVG_FORMAT_SPARSE6, 0, ":Fa@x^\n", 1},
        {PVG_FORMAT_METIS, 0, "3 2\n2\n1 3\n2\n", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pvg_graph *graph;
        const pvg_io_options options = {
            .size = sizeof options, .format = cases[i].format, .order = cases[i].order};
        PVGT_OK(parse(&graph, cases[i].text, strlen(cases[i].text), &options));
        PVGT_CHECK(pvg_graph_order_declared(graph) == cases[i].told, "case %d: '%s'",
                   (int)i, cases[i].text);
        pvg_graph_free(graph);
    }
    TEST_ASSERT_EQUAL_INT32(0, pvg_graph_order_declared(NULL));
}

/* An order that the caller tells holds, whatever the format. */
static void a_told_order_holds(void) {
    static const char market[] = "%%MatrixMarket matrix coordinate pattern symmetric\n"
                                 "3 3 2\n2 1\n3 2\n",
                      general[] = "%%MatrixMarket matrix coordinate pattern general\n"
                                  "2 2 2\n2 1\n1 2\n",
                      beyond[] = "%%MatrixMarket matrix coordinate pattern symmetric\n"
                                 "3 3 1\n4 1\n";
    static const struct {
        int32_t format;
        int64_t order;
        const char *text, *want; /* a graph, or what is wrong */
    } cases[] = {
        {PVG_FORMAT_MATRIX_MARKET, 9, market, "9: 0-1 1-2"},
        {PVG_FORMAT_MATRIX_MARKET, 3, market, "3: 0-1 1-2"},
        {PVG_FORMAT_MATRIX_MARKET, 2, market, ":2: more nodes than options.order"},
        {PVG_FORMAT_MATRIX_MARKET, 4, general, "4: 0-1"},
        {PVG_FORMAT_MATRIX_MARKET, 1, general, ":2: more nodes than options.order"},
        /* the file must still agree with its own header */
        {PVG_FORMAT_MATRIX_MARKET, 9, beyond,
         ":3: a node number is beyond the last node"},
        {PVG_FORMAT_METIS, 3, "3 2\n2\n1 3\n2\n", "3: 0-1 1-2"},
        {PVG_FORMAT_METIS, 4, "3 2\n2\n1 3\n2\n", ":1: a graph that does not have"},
        {PVG_FORMAT_METIS, 2, "3 2\n2\n1 3\n2\n", ":1: a graph that does not have"},
        {PVG_FORMAT_GRAPH6, 2, "A_\n", "2: 0-1"},
        {PVG_FORMAT_GRAPH6, 3, "A_\n", ":1: a graph that does not have options.order"},
        {PVG_FORMAT_SPARSE6, 7, ":Fa@x^\n", "7: 0-1 0-2 1-2 5-6"},
        {PVG_FORMAT_SPARSE6, 6, ":Fa@x^\n", ":1: a graph that does not have"},
        {PVG_FORMAT_SPARSE6, 8, ":Fa@x^\n", ":1: a graph that does not have"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pvg_graph *graph;
        const pvg_io_options options = {
            .size = sizeof options, .format = cases[i].format, .order = cases[i].order};
        const bool good = cases[i].want[0] != ':';
        const int32_t status =
            parse(&graph, cases[i].text, strlen(cases[i].text), &options);
        PVGT_CHECK(status == (good ? PVG_OK : PVG_E_FORMAT), "case %d: %s", (int)i,
                   pvg_error_message());
        PVGT_CHECK(good ? strcmp(describe(graph), cases[i].want) == 0
                        : strstr(pvg_error_message(), cases[i].want) != NULL,
                   "case %d: %s", (int)i, good ? describe(graph) : pvg_error_message());
        PVGT_CHECK(pvg_graph_order_declared(graph) == good, "case %d", (int)i);
        pvg_graph_free(graph);
    }
}

typedef struct {
    const char *path, *text;
} memory_file;

static int32_t load(void *context, const char *path, const char **data, size_t *bytes) {
    for (const memory_file *file = context; file->path; file++)
        if (strcmp(path, file->path) == 0) {
            *data = file->text;
            *bytes = strlen(file->text);
            return 0;
        }
    return 1;
}

/* A line per node, of whatever, lists the nodes. */
static void folders_tell_by_the_lines_of_their_files(void) {
    static const struct {
        memory_file files[4];
        int64_t order;
        int32_t told;
    } cases[] = {
        {{{"f/edges.txt", "0 1\n"}}, 0, 0},
        {{{"f/edges.txt", "0 1\n"}}, 2, 1},
        {{{"f/edges.txt", "# order 2\n0 1\n"}}, 0, 1},
        {{{"f/edges.txt", "0 1\n"}, {"f/labels.txt", "0\n1\n0\n"}}, 0, 1},
        {{{"f/edges.txt", "0 1\n"}, {"f/features.txt", "0\n1\n0\n"}}, 0, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pvg_graph *graph;
        pvg_io_options options = {
            .size = sizeof options, .order = cases[i].order, .load = load};
        options.load_context = (void *)(uintptr_t)cases[i].files;
        PVGT_OK(pvg_graph_read_folder(&graph, NULL, NULL, "f", 0, &options, NULL));
        PVGT_CHECK(pvg_graph_order_declared(graph) == cases[i].told, "folder %d", (int)i);
        pvg_graph_free(graph);
        options.order = 0;
        PVGT_OK(pvg_graph_read(&graph, "f/edges.txt", &options, NULL));
        PVGT_CHECK(pvg_graph_order_declared(graph) == (i == 2), "file %d", (int)i);
        pvg_graph_free(graph);
    }
    static const memory_file tu[] = {{"T/T_A.txt", "1, 2\n2, 1\n"},
                                     {"T/T_graph_indicator.txt", "1\n1\n2\n"},
                                     {NULL, NULL}};
    pvg_graphset *set;
    pvg_io_options options = {.size = sizeof options, .load = load};
    options.load_context = (void *)(uintptr_t)tu;
    PVGT_OK(pvg_graphset_read_tudataset(&set, "T", NULL, &options, NULL));
    TEST_ASSERT_EQUAL_UINT(PVGI_DECLARED_NODES, set->declared);
    pvg_graphset_free(set);
    /* an order is that of each graph */
    options.order = 3;
    PVGT_FAILS(PVG_E_FORMAT, "a graph that does not have options.order nodes",
               pvg_graphset_read_tudataset(&set, "T", NULL, &options, NULL));
    TEST_ASSERT_NULL(set);
    static const memory_file even[] = {{"T/T_A.txt", "1, 2\n2, 1\n"},
                                       {"T/T_graph_indicator.txt", "1\n1\n2\n2\n"},
                                       {NULL, NULL}};
    options.load_context = (void *)(uintptr_t)even;
    options.order = 2;
    PVGT_OK(pvg_graphset_read_tudataset(&set, "T", NULL, &options, NULL));
    pvg_graphset_free(set);
    PVGT_OK(pvg_graphset_parse(&set, "DQc\n:Fa@x^\n", 11, NULL, NULL));
    TEST_ASSERT_EQUAL_UINT(PVGI_DECLARED_NODES, set->declared);
    pvg_graphset_free(set);
    options.order = 5;
    PVGT_FAILS(PVG_E_FORMAT, "<memory>:2: a graph that does not have options.order nodes",
               pvg_graphset_parse(&set, "DQc\n:Fa@x^\n", 11, &options, NULL));
    PVGT_OK(pvg_graphset_parse(&set, "DQc\nDQc\n", 8, &options, NULL));
    pvg_graphset_free(set);
}

/* --- what is made from a graph -------------------------------------------------- */

static void expect(const char *how, pvg_graph *made, int32_t told) {
    PVGT_CHECK(pvg_graph_order_declared(made) == told, "%s: %d", how, (int)told);
    pvg_graph_free(made);
}

static void derived_graphs_inherit(void) {
    static const int64_t names[] = {3, 1, 0, 2}, ends[] = {0, 1};
    for (int32_t told = 0; told < 2; told++) {
        pvg_graph *graph, *made, *path;
        const int64_t *offsets;
        const int32_t *columns;
        if (told)
            PVGT_OK(pvg_graph_new_path(&graph, 4));
        else
            graph = inferred();
        PVGT_OK(pvg_graph_induce(&made, graph, names, 2, NULL));
        expect("induced", made, told);
        PVGT_OK(pvg_graph_relabel(&made, graph, names, NULL));
        expect("renamed", made, told);
        PVGT_OK(pvg_graph_truncate_degree(&made, graph, 1, NULL));
        expect("truncated", made, told);
        /* one inferred graph is enough, wherever it stands, and it marks them all */
        PVGT_OK(pvg_graph_new_path(&path, 3));
        for (int order = 0; order < 2; order++) {
            pvg_graphset *set = order ? set_of(path, graph) : set_of(graph, path);
            TEST_ASSERT_EQUAL_INT(told, set->declared == PVGI_DECLARED_NODES);
            for (int64_t i = 0; i < 2; i++) {
                PVGT_OK(pvg_graphset_get(&made, set, i));
                expect("of a set", made, told);
            }
            pvg_graphset_free(set);
        }
        pvg_graph_free(path);
        /* whoever states the order tells it */
        PVGT_OK(pvg_graph_view_csr(&offsets, &columns, graph));
        PVGT_OK(pvg_graph_from_csr(&made, 4, offsets, columns, 0, NULL));
        expect("from rows", made, 1);
        PVGT_OK(pvg_graph_from_edges(&made, 4, ends, ends + 1, 1, 0, NULL));
        expect("from edges", made, 1);
        pvg_graph_free(graph);
    }
}

/* A set cut from one graph (TUDataset folders are read so). */
static void a_cut_set_inherits(void) {
    const int64_t starts[] = {0, 4};
    pvg_graphset *set;
    PVGT_OK(pvgi_graph_set_from_graph(&set, inferred(), 1, starts, NULL, NULL, 0, NULL));
    TEST_ASSERT_NOT_EQUAL(PVGI_DECLARED_NODES, set->declared);
    pvg_graphset_free(set);
}

static int entries_of(const char *folder) {
    int count = 0;
    DIR *listing = opendir(folder);
    while (readdir(listing)) count++;
    closedir(listing);
    return count - 2; /* . and .. */
}

/* A caller who numbered the nodes by their edges says so, and it stays: not even an edge
 * list, read again with an order, may carry such numbers to a release. */
static void callers_can_say_that_nodes_were_not_told(void) {
    static const int64_t from[] = {0, 1, 2, 2}, to[] = {1, 2, 3, 3},
                         names[] = {3, 1, 0, 2};
    static const int64_t rows[] = {0, 1, 2, 2};
    static const int32_t columns[] = {1, 0, 1};
    char folder[] = "/tmp/pvg-order-XXXXXX", path[64], text[64];
    size_t length;
    pvg_graph *graph, *made;
    for (uint32_t more = 0; more < 4; more++) { /* whatever else is asked for */
        PVGT_OK(
            pvg_graph_from_edges(&made, 4, from, to, 3, PVG_EDGES_INFERRED | more, NULL));
        expect("from edges", made, 0);
        PVGT_OK(
            pvg_graph_from_csr(&made, 3, rows, columns, PVG_EDGES_INFERRED | more, NULL));
        expect("from rows", made, 0);
    }
    PVGT_FAILS(PVG_E_ARGUMENT, "repeats",
               pvg_graph_from_edges(&made, 4, from, to, 4, PVG_EDGES_INFERRED, NULL));
    TEST_ASSERT_NULL(made);
    PVGT_OK(pvg_graph_from_edges(&graph, 4, from, to, 3, PVG_EDGES_INFERRED, NULL));
    PVGT_OK(pvg_graph_induce(&made, graph, names, 2, NULL));
    expect("induced", made, 0);
    PVGT_OK(pvg_graph_relabel(&made, graph, names, NULL));
    expect("renamed", made, 0);
    PVGT_OK(pvg_graph_truncate_degree(&made, graph, 1, NULL));
    expect("truncated", made, 0);
    pvg_graphset *set = set_of(graph, graph);
    PVGT_OK(pvg_graphset_get(&made, set, 1));
    TEST_ASSERT_NOT_NULL(mkdtemp(folder));
    const pvg_graph *both[] = {graph, made};
    for (int i = 0; i < 2; i++)
        for (int32_t format = PVG_FORMAT_EDGE_LIST; format <= PVG_FORMAT_SPARSE6;
             format++) {
            const pvg_io_options options = with(format, 0);
            snprintf(path, sizeof path, "%s/a", folder);
            PVGT_FAILS(PVG_E_UNDECLARED, "pvg_graph_write: the numbers of the nodes",
                       pvg_graph_write(path, both[i], &options, NULL));
            PVGT_FAILS(PVG_E_UNDECLARED, "pvg_graph_format: the numbers of the nodes",
                       pvg_graph_format(text, sizeof text, &length, both[i], &options));
        }
    snprintf(path, sizeof path, "%s/a.g6", folder);
    PVGT_FAILS(PVG_E_UNDECLARED, "pvg_graphset_write: the numbers of the nodes",
               pvg_graphset_write(path, set, NULL, NULL));
    PVGT_FAILS(PVG_E_UNDECLARED, "pvg_graphset_write_tudataset: the numbers of the nodes",
               pvg_graphset_write_tudataset(folder, "T", set, NULL));
    TEST_ASSERT_EQUAL_INT(0, entries_of(folder));
    rmdir(folder);
    /* readers know by themselves: the bit is not theirs */
    const pvg_io_options options = {.size = sizeof options, .policy = PVG_EDGES_INFERRED};
    pvg_graph *none;
    PVGT_FAILS(PVG_E_ARGUMENT, "options->policy",
               pvg_graph_parse(&none, "0 1\n", 4, &options, NULL));
    pvg_graph_free(made);
    pvg_graph_free(graph);
    pvg_graphset_free(set);
}

static void features_say_whether_their_width_was_told(void) {
    const double values[] = {1.0, 0.0, 0.0, 2.0};
    double copy[4];
    pvg_features *told, *marked, *again;
    PVGT_OK(pvg_features_from_dense(&told, 2, 2, values));
    TEST_ASSERT_EQUAL_INT32(1, pvg_features_columns_declared(told));
    TEST_ASSERT_EQUAL_INT32(0, pvg_features_columns_declared(NULL));
    PVGT_OK(pvg_features_copy_inferred(&marked, told));
    TEST_ASSERT_EQUAL_INT32(0, pvg_features_columns_declared(marked));
    TEST_ASSERT_EQUAL_INT32(1, pvg_features_columns_declared(told));
    PVGT_OK(pvg_features_copy_inferred(&again, marked));
    TEST_ASSERT_EQUAL_INT32(0, pvg_features_columns_declared(again));
    PVGT_OK(pvg_features_copy_dense(copy, again, 0, 2));
    TEST_ASSERT_EQUAL_MEMORY(values, copy, sizeof copy);
    pvg_features_free(again);
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL", pvg_features_copy_inferred(NULL, told));
    PVGT_FAILS(PVG_E_ARGUMENT, "features is NULL",
               pvg_features_copy_inferred(&again, NULL));
    TEST_ASSERT_NULL(again);
    pvg_features_free(told);
    pvg_features_free(marked);
}

/* --- writers -------------------------------------------------------------------- */

static void formats_that_state_the_order_are_refused(void) {
    static const char *const suffixes[] = {"mtx", "g6", "s6"};
    char folder[] = "/tmp/pvg-order-XXXXXX", path[64], text[64];
    size_t length = 77;
    only_order = true;
    pvg_graph *graph = inferred(), *again;
    pvg_graphset *set = set_of(graph, graph);
    TEST_ASSERT_NOT_NULL(mkdtemp(folder));
    for (int i = 0; i < 3; i++) {
        const pvg_io_options options = with(PVG_FORMAT_MATRIX_MARKET + i, 0);
        strcpy(text, "untouched");
        PVGT_FAILS(PVG_E_UNDECLARED, "pvg_graph_format: the number of nodes was read off",
                   pvg_graph_format(text, sizeof text, &length, graph, &options));
        TEST_ASSERT_EQUAL_STRING("untouched", text);
        TEST_ASSERT_EQUAL_size_t(77, length);
        snprintf(path, sizeof path, "%s/a.%s", folder, suffixes[i]);
        PVGT_FAILS(PVG_E_UNDECLARED, "pvg_graph_write: the number of nodes was read off",
                   pvg_graph_write(path, graph, NULL, NULL));
        if (i > 0)
            PVGT_FAILS(PVG_E_UNDECLARED, "pvg_graphset_write: the number of nodes",
                       pvg_graphset_write(path, set, NULL, NULL));
    }
    PVGT_FAILS(PVG_E_UNDECLARED, "pvg_graphset_write_tudataset: the number of nodes",
               pvg_graphset_write_tudataset(folder, "T", set, NULL));
    TEST_ASSERT_EQUAL_INT(0, entries_of(folder));
    /* an edge list keeps silent, and so does whoever reads it */
    PVGT_OK(pvg_graph_format(text, sizeof text, &length, graph, NULL));
    TEST_ASSERT_EQUAL_STRING("0 1\n1 2\n2 3\n", text);
    snprintf(path, sizeof path, "%s/a.txt", folder);
    PVGT_OK(pvg_graph_write(path, graph, NULL, NULL));
    PVGT_OK(pvg_graph_read(&again, path, NULL, NULL));
    TEST_ASSERT_EQUAL_STRING("4: 0-1 1-2 2-3", describe(again));
    TEST_ASSERT_EQUAL_INT32(0, pvg_graph_order_declared(again));
    unlink(path);
    rmdir(folder);
    pvg_graph_free(again);
    pvg_graph_free(graph);
    pvg_graphset_free(set);
}

/* --- releases ------------------------------------------------------------------- */

static const pvg_target budget = {.size = sizeof budget, .epsilon = 1.0, .delta = 1e-6};

typedef struct {
    pvg_rng *rng;
    pvg_ledger *ledger;
    pvg_graph *graph; /* the release is tried on it */
    pvg_graphset *set;
} door;

static door open_door(bool told) {
    const pvg_ledger_config config = {
        .size = sizeof config, .notion = PVG_NOTION_EDGE, .epsilon = 10.0, .delta = 1e-6};
    door d;
    PVGT_OK(pvg_rng_new_secure(&d.rng));
    PVGT_OK(pvg_ledger_new(&d.ledger, &config));
    if (told)
        PVGT_OK(pvg_graph_new_path(&d.graph, 4));
    else
        d.graph = inferred();
    d.set = set_of(d.graph, d.graph);
    return d;
}

/* What must be true of a try: nothing released and nothing paid, or both. */
static void close_door(door *d, const char *function, int32_t status, bool told,
                       pvg_release *release) {
    char message[200];
    snprintf(message, sizeof message, "%s: the nodes, or their number, were read off",
             function);
    PVGT_CHECK(status == (told ? PVG_OK : PVG_E_UNDECLARED), "%s: %s", function,
               pvg_error_message());
    PVGT_CHECK((release != NULL) == told, "%s", function);
    PVGT_CHECK(told || strncmp(pvg_error_message(), message, strlen(message)) == 0,
               "%s: %s", function, pvg_error_message());
    PVGT_CHECK(pvg_ledger_charge_count(d->ledger) == told, "%s: charges", function);
    pvg_release_free(release);
    pvg_graph_free(d->graph);
    pvg_graphset_free(d->set);
    pvg_ledger_free(d->ledger);
    pvg_rng_free(d->rng);
}

static void embeddings_want_to_be_told(void) {
    static const uint64_t objects[] = {1, 2};
    const pvg_embedder_config config = {.size = sizeof config, .append_order = 1};
    pvg_patterns *patterns;
    pvg_embedder *embedder;
    PVGT_OK(pvg_patterns_from_names(&patterns, "edge,triangle"));
    PVGT_OK(pvgt_embedder_new(&embedder, patterns, &config, &budget, NULL, NULL));
    for (int told = 0; told < 2; told++) {
        pvg_release *release = NULL;
        door d = open_door(told);
        int32_t status = pvgt_release_draw_embedding(&release, embedder, d.graph, 1,
                                                     d.rng, d.ledger, NULL);
        close_door(&d, "pvgt_release_draw_embedding", status, told, release);
        release = NULL;
        d = open_door(told);
        status = pvgt_release_draw_embeddings(&release, embedder, d.set, objects, d.rng,
                                              d.ledger, NULL);
        close_door(&d, "pvgt_release_draw_embeddings", status, told, release);
    }
    pvgt_embedder_free(embedder);
    pvg_patterns_free(patterns);
}

static void perturbed_graphs_want_to_be_told(void) {
    pvg_perturber *perturbers[3];
    const pvg_target pure = {.size = sizeof pure, .epsilon = 1.0};
    PVGT_OK(pvgt_perturber_new_response(&perturbers[0], NULL, &pure));
    PVGT_OK(pvgt_perturber_new_dprr(&perturbers[1], NULL, &pure));
    PVGT_OK(pvgt_perturber_new_lapgraph(&perturbers[2], NULL, &pure));
    for (int i = 0; i < 3; i++) {
        for (int told = 0; told < 2; told++) {
            pvg_release *release = NULL;
            const pvg_graph *made;
            door d = open_door(told);
            const int32_t status = pvgt_release_draw_graph(
                &release, perturbers[i], d.graph, 1, d.rng, d.ledger, NULL);
            /* what was released may be used as any graph */
            if (release && pvg_release_view_graph(&made, release) == PVG_OK)
                TEST_ASSERT_EQUAL_INT32(1, pvg_graph_order_declared(made));
            close_door(&d, "pvgt_release_draw_graph", status, told, release);
        }
        pvgt_perturber_free(perturbers[i]);
    }
}

/* The propagator's own order is public, but whether the graph has as many nodes is not:
 * the message must be the same for any. */
static void propagation_wants_to_be_told(void) {
    static const double x[5] = {0.5, 0.5, 0.5, 0.5, 0.5};
    for (int64_t order = 4; order <= 5; order++) {
        const pvg_assumption assumption = {.size = sizeof assumption, .order = order};
        pvg_layers *layers;
        pvg_propagator *propagator;
        pvg_features *features;
        PVGT_OK(pvg_layers_new(&layers, NULL, NULL, 0));
        PVGT_OK(pvgt_propagator_new(&propagator, layers, &assumption, 1, NULL, &budget));
        PVGT_OK(pvg_features_from_dense(&features, order, 1, x));
        for (int told = 0; told < (order == 4 ? 2 : 1); told++) {
            pvg_release *release = NULL;
            door d = open_door(told);
            const int32_t status = pvgt_release_draw_propagation(
                &release, propagator, d.graph, features, 1, d.rng, d.ledger, NULL);
            close_door(&d, "pvgt_release_draw_propagation", status, told, release);
        }
        pvg_features_free(features);
        pvgt_propagator_free(propagator);
        pvg_layers_free(layers);
    }
}

/* --- the number of columns --------------------------------------------------------- */

/* Two files that differ in one entry of one user; width 0: as the data are. */
static pvg_features *three_rows(const char *text, int64_t width) {
    const memory_file files[] = {
        {"f/edges.txt", "0 1\n1 2\n"}, {"f/features.txt", text}, {NULL, NULL}};
    pvg_io_options options = {.size = sizeof options, .load = load};
    pvg_graph *graph;
    pvg_features *features;
    options.load_context = (void *)(uintptr_t)files;
    PVGT_OK(pvg_graph_read_folder(&graph, &features, NULL, "f", width, &options, NULL));
    PVGT_CHECK((features->declared == 0) == (width == 0), "%s", text);
    pvg_graph_free(graph);
    return features;
}

static const char *const neighbours[] = {"3 17\n2\n5\n", "3 18\n2\n5\n", "\n\n\n"};

/* The message for every width, and for a perturber of that width or of another. */
static void close_hidden(const char *function, int32_t status, bool told,
                         pvg_release *release, pvg_ledger *ledger) {
    char message[200];
    snprintf(message, sizeof message,
             "%s: the number of columns was read off the private features; give it when "
             "reading (feature_columns)",
             function);
    PVGT_CHECK(status == (told ? PVG_OK : PVG_E_UNDECLARED), "%s", pvg_error_message());
    PVGT_CHECK((release != NULL) == told, "%s", function);
    if (!told) TEST_ASSERT_EQUAL_STRING(message, pvg_error_message());
    PVGT_CHECK(pvg_ledger_charge_count(ledger) == told, "%s: charges", function);
    pvg_release_free(release);
    pvg_ledger_free(ledger);
}

static pvg_ledger *ledger_of(int32_t notion) {
    const pvg_ledger_config config = {
        .size = sizeof config, .notion = notion, .epsilon = 10.0, .delta = 1e-6};
    pvg_ledger *ledger;
    PVGT_OK(pvg_ledger_new(&ledger, &config));
    return ledger;
}

static void hidden_features_want_a_told_width(void) {
    static const int64_t widths[] = {18, 19, 30};
    const pvg_target pure = {.size = sizeof pure, .epsilon = 1.0};
    const double low = 0.0, high = 1.0;
    pvg_rng *rng;
    PVGT_OK(pvg_rng_new_secure(&rng));
    for (int file = 0; file < 3; file++)
        for (int w = 0; w < 3; w++)
            for (int told = 0; told < 2; told++) {
                if (told && file == 1 && w == 0) continue; /* does not fit */
                pvg_features_config c = {.size = sizeof c,
                                         .columns = widths[w],
                                         .ranges = 1,
                                         .method = PVG_FEATURES_MULTIBIT};
                pvg_perturber *perturber;
                pvg_release *release = NULL;
                pvg_features *x = three_rows(neighbours[file], told ? widths[w] : 0);
                pvg_ledger *ledger = ledger_of(PVG_NOTION_FEATURE_LDP);
                PVGT_OK(pvgt_perturber_new_features(&perturber, &c, &pure, &low, &high));
                const int32_t status = pvgt_release_draw_features(&release, perturber, x,
                                                                  1, rng, ledger, NULL);
                close_hidden("pvgt_release_draw_features", status, told, release, ledger);
                pvgt_perturber_free(perturber);
                pvg_features_free(x);
            }
    pvg_rng_free(rng);
}

/* Edge level has features as public, and takes them as they are. */
static void propagation_of_nodes_wants_a_told_width(void) {
    static const struct {
        int32_t hide, notion;
    } levels[] = {{PVGI_HIDE_EDGE, PVG_NOTION_EDGE},
                  {PVGI_HIDE_NODE_REMOVED, PVG_NOTION_NODE_REMOVED},
                  {PVGI_HIDE_NODE, PVG_NOTION_NODE}};
    const pvg_layers_config stack = {.size = sizeof stack,
                                     .depth = 2,
                                     .contraction = 0.5,
                                     .mean_weight = 0.05,
                                     .residual = 0.9};
    const pvg_assumption assumption = {.size = sizeof assumption,
                                       .degrees = PVG_DEGREES_PROMISED,
                                       .order = 3,
                                       .degree_bound = 2};
    pvg_layers *layers;
    pvg_graph *path;
    pvg_rng *rng;
    PVGT_OK(pvg_layers_new(&layers, &stack, NULL, 0));
    PVGT_OK(pvg_graph_new_path(&path, 3));
    PVGT_OK(pvg_rng_new_secure(&rng));
    for (int i = 0; i < 3; i++)
        for (int64_t width = 18; width <= 19; width++)
            for (int told = i == 0 && width == 19; told < 2; told++) {
                const pvg_propagator_config config = {.size = sizeof config,
                                                      .hide = levels[i].hide};
                pvg_propagator *propagator;
                pvg_release *release = NULL;
                pvg_features *x = three_rows(neighbours[0], told ? width : 0);
                pvg_ledger *ledger = ledger_of(levels[i].notion);
                PVGT_OK(pvgt_propagator_new(&propagator, layers, &assumption, width,
                                            &config, &budget));
                const int32_t status = pvgt_release_draw_propagation(
                    &release, propagator, path, x, 1, rng, ledger, NULL);
                close_hidden("pvgt_release_draw_propagation", status, told || i == 0,
                             release, ledger);
                pvgt_propagator_free(propagator);
                pvg_features_free(x);
            }
    pvg_rng_free(rng);
    pvg_graph_free(path);
    pvg_layers_free(layers);
}

/* Not even in passing: what is computed exactly says that it does not fit, not how. */
static void no_message_states_the_width(void) {
    const double eye[4] = {0.5, 0.0, 0.0, 0.5};
    const pvg_layers_config stack = {.size = sizeof stack, .depth = 1};
    double out[64];
    pvg_layers *layers;
    pvg_graph *path;
    pvg_features *x = three_rows(neighbours[0], 0);
    PVGT_OK(pvg_layers_new(&layers, &stack, eye, 2));
    PVGT_OK(pvg_graph_new_path(&path, 3));
    PVGT_FAILS(PVG_E_ARGUMENT, "the weights have dimension 2",
               pvg_propagate_features_exact(out, layers, path, x, NULL));
    TEST_ASSERT_NULL(strstr(pvg_error_message(), "18"));
    pvg_features_free(x);
    pvg_graph_free(path);
    pvg_layers_free(layers);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(readers_know_whether_they_were_told);
    RUN_TEST(a_told_order_holds);
    RUN_TEST(folders_tell_by_the_lines_of_their_files);
    RUN_TEST(derived_graphs_inherit);
    RUN_TEST(a_cut_set_inherits);
    RUN_TEST(callers_can_say_that_nodes_were_not_told);
    RUN_TEST(features_say_whether_their_width_was_told);
    RUN_TEST(formats_that_state_the_order_are_refused);
    RUN_TEST(embeddings_want_to_be_told);
    RUN_TEST(perturbed_graphs_want_to_be_told);
    RUN_TEST(propagation_wants_to_be_told);
    RUN_TEST(hidden_features_want_a_told_width);
    RUN_TEST(propagation_of_nodes_wants_a_told_width);
    RUN_TEST(no_message_states_the_width);
    return UNITY_END();
}
