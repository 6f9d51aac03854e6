/* io: load hooks, sets, TUDataset and node-level folders, real files. */
#include "io_text.h"

#include <dirent.h>
#include <grp.h>
#include <math.h>
#include <privgraph-learn.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[64]; /* temporary, for the tests that need real files */

void setUp(void) {}
void tearDown(void) {}

/* --- files that are only in memory ---------------------------------------------- */

typedef struct {
    const char *path, *text;
} memory_file;

typedef struct {
    const memory_file *files; /* ends with a NULL path */
    int loads, unloads;
    int32_t fail_with;
} memory_folder;

static int32_t load_memory(void *context, const char *path, const char **data,
                           size_t *bytes) {
    memory_folder *in = context;
    if (in->fail_with) return in->fail_with;
    for (const memory_file *f = in->files; f->path; f++)
        if (strcmp(f->path, path) == 0) {
            *bytes = strlen(f->text);
            *data = exact_copy(f->text, *bytes);
            in->loads++;
            return 0;
        }
    return 1;
}

static void unload_memory(void *context, const char *data, size_t bytes) {
    memory_folder *in = context;
    (void)bytes;
    free((char *)(uintptr_t)data);
    in->unloads++;
}

static pvg_io_options from_memory(memory_folder *in, const memory_file *files) {
    *in = (memory_folder){.files = files};
    return (pvg_io_options){.size = sizeof(pvg_io_options),
                            .load = load_memory,
                            .unload = unload_memory,
                            .load_context = in};
}

static void hook_loads_files(void) {
    static const memory_file files[] = {
        {"a.txt", "0 1"}, {"b.mtx.gz", "1 1 0\n"}, {"empty.el", ""}, {NULL, NULL}};
    memory_folder in;
    pvg_graph *graph;
    pvg_io_options options = from_memory(&in, files);
    PVGT_OK(pvg_graph_read(&graph, "a.txt", &options, NULL));
    TEST_ASSERT_EQUAL_STRING("2: 0-1", describe(graph));
    pvg_graph_free(graph);
    PVGT_OK(pvg_graph_read(&graph, "empty.el", &options, NULL));
    pvg_graph_free(graph);
    /* the name under .gz tells the format */
    PVGT_FAILS(PVG_E_FORMAT, "b.mtx.gz:1: expected %%MatrixMarket",
               pvg_graph_read(&graph, "b.mtx.gz", &options, NULL));
    PVGT_FAILS(PVG_E_MISSING, "c.txt: cannot load: No such file",
               pvg_graph_read(&graph, "c.txt", &options, NULL));
    TEST_ASSERT_EQUAL_INT(3, in.loads);
    TEST_ASSERT_EQUAL_INT(3, in.unloads);
    in.fail_with = -7;
    PVGT_FAILS(PVG_E_IO, "a.txt: the load hook failed (-7)",
               pvg_graph_read(&graph, "a.txt", &options, NULL));
    TEST_ASSERT_NULL(graph);
}

/* --- sets ----------------------------------------------------------------------- */

static void sets_of_lines(void) {
    static const char text[] = ">>graph6<<DQc\n:Fa@x^\n\n?\n";
    pvg_graphset *set;
    pvg_graph *graph;
    pvg_io_options options = with(PVG_FORMAT_AUTO, 0);
    PVGT_OK(pvg_graphset_parse(&set, text, strlen(text), NULL, NULL));
    TEST_ASSERT_EQUAL_INT64(3, pvg_graphset_count(set));
    PVGT_OK(pvg_graphset_get(&graph, set, 1));
    TEST_ASSERT_EQUAL_STRING("7: 0-1 0-2 1-2 5-6", describe(graph));
    pvg_graph_free(graph);
    for (int sparse = 0; sparse < 2; sparse++) {
        char path[128];
        pvg_graphset *back;
        snprintf(path, sizeof path, "%s/set.%s", folder, sparse ? "s6" : "g6");
        PVGT_OK(pvg_graphset_write(path, set, NULL, NULL));
        PVGT_OK(pvg_graphset_read(&back, path, NULL, NULL));
        TEST_ASSERT_EQUAL_INT64(3, pvg_graphset_count(back));
        PVGT_OK(pvg_graphset_get(&graph, back, 0));
        TEST_ASSERT_EQUAL_STRING("5: 0-2 0-4 1-3 3-4", describe(graph));
        pvg_graph_free(graph);
        pvg_graphset_free(back);
        PVGT_FAILS(PVG_E_FORMAT, ":2: more than one graph",
                   pvg_graph_read(&graph, path, NULL, NULL));
        unlink(path);
    }
    pvg_graphset_free(set);
    options.format = PVG_FORMAT_GRAPH6;
    PVGT_FAILS(PVG_E_FORMAT, "<memory>:2: a sparse6 line",
               pvg_graphset_parse(&set, text, strlen(text), &options, NULL));
    TEST_ASSERT_NULL(set);
    PVGT_FAILS(PVG_E_FORMAT, "gzip", pvg_graphset_parse(&set, "\x1F\x8B", 2, NULL, NULL));
    /* graphs that only state their order share one allowance */
    char many[40 * 6 + 1] = "";
    for (int i = 0; i < 40; i++) strcat(many, ":~}}}\n"); /* 257982 nodes each */
    PVGT_FAILS(PVG_E_LIMIT, "<memory>:5: the graph would have far more nodes",
               pvg_graphset_parse(&set, many, strlen(many), NULL, NULL));
    PVGT_OK(pvg_graphset_parse(&set, many, 4 * 6, NULL, NULL));
    pvg_graphset_free(set);
}

/* --- TUDataset ------------------------------------------------------------------ */

#define T(suffix) "d/T/T_" suffix ".txt"
enum { TU_MOST = 8 };

static void tudataset_reads(void) {
    static const memory_file files[] = {
        {T("A"), "1, 2\n2, 1\n2, 3\n3, 2\n5, 4\n4, 5"},
        {T("graph_indicator"), "1\n1\n1\n3\n3\n\n"},
        {T("graph_labels"), "0\n-1\r\n2\n"},
        {T("graph_attributes"), "0.5, 1e3\nnan,-2\n 3 4 \n"},
        {T("node_labels"), "7\n-2147483648\n9\n0\n2147483647\n"},
        {NULL, NULL}};
    memory_folder in;
    pvg_graphset *set;
    pvg_graph *graph;
    const int32_t *labels, *node_labels;
    const double *targets;
    pvg_io_options options = from_memory(&in, files);
    PVGT_OK(pvg_graphset_read_tudataset(&set, "d/T/", NULL, &options, NULL));
    TEST_ASSERT_EQUAL_INT(in.loads, in.unloads);
    TEST_ASSERT_EQUAL_INT64(3, pvg_graphset_count(set));
    TEST_ASSERT_EQUAL_INT64(5, pvg_graphset_order(set));
    TEST_ASSERT_EQUAL_INT64(2, pvg_graphset_target_count(set));
    PVGT_OK(pvg_graphset_view_labels(&labels, &targets, &node_labels, set));
    TEST_ASSERT_TRUE(labels[0] == 0 && labels[1] == -1 && labels[2] == 2);
    TEST_ASSERT_TRUE(targets[0] == 0.5 && targets[1] == 1e3 && isnan(targets[2]));
    TEST_ASSERT_TRUE(targets[3] == -2 && targets[4] == 3 && targets[5] == 4);
    TEST_ASSERT_TRUE(node_labels[1] == INT32_MIN && node_labels[4] == INT32_MAX);
    static const char *const graphs[] = {"3: 0-1 1-2", "0:", "2: 0-1"};
    for (int i = 0; i < 3; i++) {
        PVGT_OK(pvg_graphset_get(&graph, set, i));
        TEST_ASSERT_EQUAL_STRING(graphs[i], describe(graph));
        pvg_graph_free(graph);
    }
    pvg_graphset_free(set);
}

static void tudataset_refuses(void) {
    static const char *const names[] = {T("A"), T("graph_indicator"), T("graph_labels"),
                                        T("graph_attributes"), T("node_labels")};
    static const struct {
        const char *texts[5];
        uint32_t policy;
        int32_t status;
        const char *part;
    } cases[] = {
        {{NULL, "1\n"}, 0, PVG_E_MISSING, "T_A.txt: cannot load"},
        {{"", NULL}, 0, PVG_E_MISSING, "T_graph_indicator.txt: cannot load"},
        {{"", "1\n2\n1\n"},
         0,
         PVG_E_FORMAT,
         "T_graph_indicator.txt:3: graph numbers do not ascend"},
        {{"", "1\n3\n"},
         0,
         PVG_E_FORMAT,
         "T_graph_indicator.txt:2: a graph number is left out"},
        {{"", "2\n"},
         0,
         PVG_E_FORMAT,
         "T_graph_indicator.txt:1: a graph number is left out"},
        {{"", "1\n2000000000\n", "0\n"},
         0,
         PVG_E_FORMAT,
         ":2: a graph number beyond the lines"},
        {{"", "0\n"},
         0,
         PVG_E_FORMAT,
         "T_graph_indicator.txt:1: expected a graph number in 1 .."},
        {{"", "1\n\n1\n"},
         0,
         PVG_E_FORMAT,
         ":2: expected a graph number, found the end of the line"},
        {{"", "1 1\n"},
         0,
         PVG_E_FORMAT,
         "T_graph_indicator.txt:1: expected a graph number, found '1'"},
        {{"1, 2\n2, 1\n", "1\n2\n"},
         0,
         PVG_E_FORMAT,
         "T_A.txt:1: an edge between two graphs"},
        {{"1, 2\n2, 1\n2, 3\n", "1\n1\n"},
         0,
         PVG_E_FORMAT,
         "T_A.txt:3: a node number is beyond"},
        {{"0, 1\n", "1\n1\n"}, 0, PVG_E_FORMAT, "T_A.txt:1: node numbers start at 1"},
        {{"1, 2\n", "1\n1\n"},
         0,
         PVG_E_FORMAT,
         "T_A.txt:1: an edge that is not listed in the other"},
        {{"1, 2\n2, 1\n1, 2\n2, 1", "1\n1\n"},
         0,
         PVG_E_FORMAT,
         "T_A.txt:3: a repeated edge"},
        {{"1, 1\n", "1\n1\n"}, 0, PVG_E_FORMAT, "T_A.txt:1: a self loop"},
        {{"1, 2, 3\n", "1\n1\n"},
         0,
         PVG_E_FORMAT,
         "T_A.txt:1: expected the end of the line"},
        {{"# 1\n", "1\n1\n"},
         0,
         PVG_E_FORMAT,
         "T_A.txt:1: expected a node number, found '#'"},
        {{"", "1\n2\n", "0\n"},
         0,
         PVG_E_FORMAT,
         "T_graph_indicator.txt:2: a graph number beyond"},
        {{"", "1\n", "0\n-2\n"},
         0,
         PVG_E_FORMAT,
         "T_graph_labels.txt:2: expected a class (or -1) in"},
        {{"", "1\n", "x\n"}, 0, PVG_E_FORMAT, "T_graph_labels.txt:1: expected a class"},
        {{"", "1\n", "99999999999999999999\n"},
         0,
         PVG_E_FORMAT,
         "T_graph_labels.txt:1: expected a"},
        {{"", "1\n2\n", "1\n-1\n"},
         0,
         PVG_E_FORMAT,
         "T_graph_labels.txt:1: the classes are -1 and 1"},
        {{"", "1\n", "0\n", "1\n2\n"},
         0,
         PVG_E_FORMAT,
         "T_graph_attributes.txt:2: not as many lines"},
        {{"", "1\n2\n", NULL, "1, 2\n1\n"},
         0,
         PVG_E_FORMAT,
         "T_graph_attributes.txt:2: expected a num"},
        {{"", "1\n2\n", NULL, "1\n1, 2\n"},
         0,
         PVG_E_FORMAT,
         "T_graph_attributes.txt:2: expected as m"},
        {{"", "1\n2\n", NULL, "1\nx\n"},
         0,
         PVG_E_FORMAT,
         "T_graph_attributes.txt:2: expected a number"},
        {{"", "1\n2\n", NULL, "1 2x\n1 2\n"},
         0,
         PVG_E_FORMAT,
         "T_graph_attributes.txt:1: expected a"},
        {{"", "1\n", NULL, "\n1\n"},
         0,
         PVG_E_FORMAT,
         "T_graph_attributes.txt:1: expected a number"},
        {{"", "1\n", NULL, "1 1 1 1 1 1 1 1 1 1 1 1\n1\n1\n1\n1\n1\n1\n1\n1\n"},
         0,
         PVG_E_FORMAT,
         "T_graph_attributes.txt:2: expected a number, found the end of the line"},
        {{"", "1\n", NULL, NULL, "1\n2\n"},
         0,
         PVG_E_FORMAT,
         "T_node_labels.txt:2: not as many lines"},
        {{"", "1\n", NULL, NULL, "3000000000\n"},
         0,
         PVG_E_FORMAT,
         "T_node_labels.txt:1: expected a n"},
        {{"", "1\n", NULL, NULL, "2147483648\n"},
         0,
         PVG_E_FORMAT,
         "T_node_labels.txt:1: expected a n"},
        {{"", "1\n1\n", NULL, NULL, "0\n-2147483649\n"},
         0,
         PVG_E_FORMAT,
         "T_node_labels.txt:2: expected a n"},
        {{"", "1\n", NULL, NULL, "-99999999999999999999\n"},
         0,
         PVG_E_FORMAT,
         "T_node_labels.txt:1: expected a n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        memory_file files[TU_MOST] = {{NULL, NULL}};
        int used = 0;
        for (int part = 0; part < 5; part++)
            if (cases[i].texts[part])
                files[used++] = (memory_file){names[part], cases[i].texts[part]};
        memory_folder in;
        pvg_graphset *set;
        pvg_io_options options = from_memory(&in, files);
        options.policy = cases[i].policy;
        const int32_t status =
            pvg_graphset_read_tudataset(&set, "d/T", "T", &options, NULL);
        PVGT_CHECK(status == cases[i].status &&
                       strstr(pvg_error_message(), cases[i].part),
                   "case %zu: %s \"%s\", expected \"%s\"", i, pvg_status_name(status),
                   pvg_error_message(), cases[i].part);
        TEST_ASSERT_NULL(set);
        TEST_ASSERT_EQUAL_INT(in.loads, in.unloads);
    }
    /* policies, limit, and a set without graphs */
    memory_folder in;
    pvg_graphset *set;
    const memory_file loose[] = {
        {T("A"), "1, 2\n3 3\n"}, {T("graph_indicator"), "1\n1\n1"}, {NULL, NULL}};
    pvg_io_options options = from_memory(&in, loose);
    options.policy = PVG_EDGES_MERGE | PVG_EDGES_DROP_LOOPS;
    PVGT_OK(pvg_graphset_read_tudataset(&set, "d/T", NULL, &options, NULL));
    TEST_ASSERT_EQUAL_INT64(3, pvg_graphset_order(set));
    pvg_graphset_free(set);
    options.order_limit = 2;
    PVGT_FAILS(PVG_E_LIMIT, "more than 2 nodes",
               pvg_graphset_read_tudataset(&set, "d/T", NULL, &options, NULL));
    const memory_file nothing[] = {
        {T("A"), ""}, {T("graph_indicator"), ""}, {NULL, NULL}};
    options = from_memory(&in, nothing);
    PVGT_OK(pvg_graphset_read_tudataset(&set, "d/T", NULL, &options, NULL));
    TEST_ASSERT_EQUAL_INT64(0, pvg_graphset_count(set));
    pvg_graphset_free(set);
}

static bool exists(const char *name) {
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

static void remove_file(const char *name) {
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    TEST_ASSERT_EQUAL_INT(0, unlink(path));
}

static pvg_graphset *make_set(int32_t first, int32_t second, bool with_labels) {
    static const int32_t node_labels[] = {4, -5, 6};
    const double targets[] = {0.1, (double)NAN};
    pvg_graphset_builder *builder;
    pvg_graphset *set;
    pvg_graph *path, *nothing;
    PVGT_OK(pvg_graph_parse(&path, "# order 3\n0 1\n1 2\n", 18, NULL, NULL));
    PVGT_OK(pvg_graph_parse(&nothing, "# order 0\n", 10, NULL, NULL));
    PVGT_OK(pvg_graphset_builder_new(&builder, with_labels ? 2 : 0));
    PVGT_OK(pvg_graphset_builder_add(builder, path, first, with_labels ? targets : NULL,
                                     with_labels ? node_labels : NULL));
    PVGT_OK(pvg_graphset_builder_add(builder, nothing, second, NULL,
                                     with_labels ? node_labels : NULL));
    PVGT_OK(pvg_graphset_builder_finish(&set, builder));
    pvg_graphset_builder_free(builder);
    pvg_graph_free(path);
    pvg_graph_free(nothing);
    return set;
}

static void tudataset_writes(void) {
    pvg_graphset *set = make_set(3, -1, true), *back;
    const int32_t *labels, *node_labels;
    const double *targets;
    PVGT_OK(pvg_graphset_write_tudataset(folder, "W", set, NULL));
    pvg_graphset_free(set);
    PVGT_OK(pvg_graphset_read_tudataset(&back, folder, "W", NULL, NULL));
    TEST_ASSERT_EQUAL_INT64(2, pvg_graphset_count(back));
    PVGT_OK(pvg_graphset_view_labels(&labels, &targets, &node_labels, back));
    TEST_ASSERT_TRUE(labels[0] == 3 && labels[1] == -1 && targets[0] == 0.1 &&
                     isnan(targets[1]) && isnan(targets[3]) && node_labels[1] == -5);
    pvg_graphset_free(back);
    /* the files that the next set does not need go away; labels stay: graph 2 is empty */
    set = make_set(-1, -1, false);
    PVGT_OK(pvg_graphset_write_tudataset(folder, "W", set, NULL));
    pvg_graphset_free(set);
    TEST_ASSERT_TRUE(exists("W_graph_labels.txt"));
    TEST_ASSERT_FALSE(exists("W_graph_attributes.txt"));
    TEST_ASSERT_FALSE(exists("W_node_labels.txt"));
    PVGT_OK(pvg_graphset_read_tudataset(&back, folder, "W", NULL, NULL));
    TEST_ASSERT_EQUAL_INT64(2, pvg_graphset_count(back));
    pvg_graphset_free(back);
    set = make_set(1, -1, false);
    PVGT_FAILS(PVG_E_ARGUMENT, "labels are -1 and 1 only",
               pvg_graphset_write_tudataset(folder, "W", set, NULL));
    pvg_graphset_free(set);
    set = make_set(2, -1, false);
    PVGT_FAILS(PVG_E_MISSING, "privgraph/W_A.txt: cannot create: No such file",
               pvg_graphset_write_tudataset("/nonexistent/privgraph", "W", set, NULL));
    pvg_graphset_free(set);
    remove_file("W_A.txt");
    remove_file("W_graph_indicator.txt");
    remove_file("W_graph_labels.txt");
}

/* --- node-level folders --------------------------------------------------------- */

static void folder_is_read(void) {
    static const memory_file files[] = {{"n/edges.txt", "0 1\n1 2\n"},
                                        {"n/features.txt", "0 3\n\n 2\n1 2 3"},
                                        {"n/labels.txt", "0\n1\n-1\n1\n"},
                                        {"v/edges.txt", "0 1\n"},
                                        {"v/features.txt", "\n5:0.25 7:-1e3\n9:0\n"},
                                        {"e/edges.txt", "0 1\n"},
                                        {NULL, NULL}};
    memory_folder in;
    pvg_graph *graph;
    pvg_features *features;
    pvg_labels *labels;
    pvg_io_options options = from_memory(&in, files);
    PVGT_OK(pvg_graph_read_folder(&graph, &features, &labels, "n", 0, &options, NULL));
    TEST_ASSERT_EQUAL_STRING("4: 0-1 1-2", describe(graph));
    TEST_ASSERT_EQUAL_INT64(4, pvg_features_rows(features));
    TEST_ASSERT_EQUAL_INT64(4, pvg_features_columns(features));
    TEST_ASSERT_EQUAL_INT64(2, pvg_labels_classes(labels));
    double row[4];
    PVGT_OK(pvg_features_copy_dense(row, features, 3, 1));
    TEST_ASSERT_TRUE(row[0] == 0 && row[1] == 1 && row[2] == 1 && row[3] == 1);
    pvg_graph_free(graph);
    pvg_features_free(features);
    pvg_labels_free(labels);
    /* labels.txt gives the order also to a caller who wants the graph only */
    PVGT_OK(pvg_graph_read_folder(&graph, NULL, NULL, "n", 0, &options, NULL));
    TEST_ASSERT_EQUAL_INT64(4, pvg_graph_order(graph));
    pvg_graph_free(graph);
    PVGT_OK(pvg_graph_read_folder(&graph, &features, NULL, "v/", 20, &options, NULL));
    TEST_ASSERT_EQUAL_STRING("3: 0-1", describe(graph));
    TEST_ASSERT_EQUAL_INT64(20, pvg_features_columns(features));
    const int64_t *offsets;
    const int32_t *indices;
    const double *values;
    PVGT_OK(pvg_features_view_csr(&offsets, &indices, &values, features));
    TEST_ASSERT_TRUE(offsets[1] == 0 && offsets[2] == 2 && offsets[3] == 2);
    TEST_ASSERT_TRUE(indices[1] == 7 && values[0] == 0.25 && values[1] == -1e3);
    pvg_graph_free(graph);
    pvg_features_free(features);
    PVGT_OK(pvg_graph_read_folder(&graph, NULL, NULL, "e", 0, &options, NULL));
    TEST_ASSERT_EQUAL_INT64(2, pvg_graph_order(graph));
    pvg_graph_free(graph);
    TEST_ASSERT_EQUAL_INT(in.loads, in.unloads);
    PVGT_FAILS(PVG_E_MISSING, "v/labels.txt: cannot load",
               pvg_graph_read_folder(&graph, NULL, &labels, "v", 0, &options, NULL));
    PVGT_FAILS(PVG_E_MISSING, "e/features.txt: cannot load",
               pvg_graph_read_folder(&graph, &features, NULL, "e", 0, &options, NULL));
    options.order = 5;
    PVGT_FAILS(PVG_E_FORMAT, "n/labels.txt: the number of lines is not options.order",
               pvg_graph_read_folder(&graph, NULL, NULL, "n", 0, &options, NULL));
    PVGT_FAILS(PVG_E_FORMAT, "v/features.txt:3: the number of lines is not the number of",
               pvg_graph_read_folder(&graph, &features, NULL, "v", 0, &options, NULL));
    TEST_ASSERT_TRUE(!graph && !features);
    options.order = 0;
    options.order_limit = 3;
    PVGT_FAILS(PVG_E_LIMIT, "n: more than 3 nodes",
               pvg_graph_read_folder(&graph, NULL, NULL, "n", 0, &options, NULL));
}

/* Whoever takes them as public refuses them; for a private file an error would tell. */
static void odd_features_are_read_as_zeros(void) {
    const memory_file files[] = {{"f/edges.txt", "0 1\n"},
                                 {"f/features.txt", "0:1 1:nan\n0:-inf 1:2\n"},
                                 {"f/labels.txt", "0\n1\n"},
                                 {NULL, NULL}};
    memory_folder in;
    pvg_graph *graph;
    pvg_features *features;
    pvg_labels *labels;
    pvg_dataset_builder *builder;
    double dense[4];
    pvg_io_options options = from_memory(&in, files);
    PVGT_OK(pvg_graph_read_folder(&graph, &features, &labels, "f", 2, &options, NULL));
    PVGT_OK(pvg_features_copy_dense(dense, features, 0, 2));
    TEST_ASSERT_TRUE(dense[0] == 1 && dense[1] == 0 && dense[2] == 0 && dense[3] == 2);
    PVGT_OK(pvg_dataset_builder_new(&builder, 2));
    PVGT_FAILS(PVG_E_ARGUMENT, "features: row 0, column 1 is not a finite number",
               pvg_dataset_builder_add_public_features(builder, features));
    pvg_dataset_builder_free(builder);
    pvg_graph_free(graph);
    pvg_features_free(features);
    pvg_labels_free(labels);
}

static void folder_is_refused(void) {
    static const struct {
        const char *edges, *features, *labels;
        int64_t columns;
        const char *part;
    } cases[] = {
        {"0 1\n", "0\n", "0\n1\n", 0, "f/features.txt:1: the number of lines is not"},
        {"0 2\n", "0\n1\n", "0\n1\n", 0,
         "f/edges.txt:1: a node number is beyond the last"},
        {"0 1\n", "", "", 0, "f/edges.txt:1: a node number is beyond the last node"},
        {"0 1\n", "1 1\n\n", "0\n1\n", 0,
         "f/features.txt:1: feature indices do not ascend"},
        {"0 1\n", "\n2 1\n", "0\n1\n", 0,
         "f/features.txt:2: feature indices do not ascend"},
        {"0 1\n", "5\n1\n", "0\n1\n", 5,
         "f/features.txt:1: a feature index is not below 5"},
        {"0 1\n", "2147483647\n1\n", "0\n1\n", 0, ":1: a feature index is not below"},
        {"0 1\n", "99999999999999999999\n\n", "0\n1\n", 0,
         ":1: a feature index is not bel"},
        {"0 1\n", "x\n1\n", "0\n1\n", 0, ":1: expected a feature index, found 'x'"},
        {"0 1\n", "1\n1:2\n", "0\n1\n", 0, ":2: expected a feature index, found '1:2'"},
        {"0 1\n", "1:2\n1\n", "0\n1\n", 0,
         ":2: expected an entry index:value, found '1'"},
        {"0 1\n", "1:x\n\n", "0\n1\n", 0,
         ":1: expected an entry index:value, found '1:x'"},
        {"0 1\n", "1:1e999\n\n", "0\n1\n", 0, ":1: expected an entry index:value"},
        {"0 1\n", "1:2;\n\n", "0\n1\n", 0, ":1: expected an entry index:value"},
        {"0 1\n", "1:2", "0\n-2\n", 0,
         "f/labels.txt:2: expected a class (or -1) in -1 .."},
        {"0 1\n", "1:2", "0\n1.5\n", 0, "f/labels.txt:2: expected a class"},
        {"0 x\n", "\n\n", "0\n1\n", 0, "f/edges.txt:1: expected a second node number"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const memory_file files[] = {{"f/edges.txt", cases[i].edges},
                                     {"f/features.txt", cases[i].features},
                                     {"f/labels.txt", cases[i].labels},
                                     {NULL, NULL}};
        memory_folder in;
        pvg_graph *graph;
        pvg_features *features;
        pvg_labels *labels;
        pvg_io_options options = from_memory(&in, files);
        const int32_t status = pvg_graph_read_folder(&graph, &features, &labels, "f",
                                                     cases[i].columns, &options, NULL);
        PVGT_CHECK(status == PVG_E_FORMAT && strstr(pvg_error_message(), cases[i].part),
                   "case %zu: %s \"%s\", expected \"%s\"", i, pvg_status_name(status),
                   pvg_error_message(), cases[i].part);
        TEST_ASSERT_TRUE(!graph && !features && !labels);
        TEST_ASSERT_EQUAL_INT(in.loads, in.unloads);
    }
}

/* --- real files ----------------------------------------------------------------- */

static int files_in_folder(void) {
    int count = 0;
    DIR *dir = opendir(folder);
    while (readdir(dir)) count++;
    closedir(dir);
    return count - 2;
}

static void file_errors_are_told(void) {
    pvg_graph *graph;
    char path[300], text[100];
    PVGT_FAILS(PVG_E_MISSING,
               "/nonexistent/g.txt: cannot open: No such file or directory",
               pvg_graph_read(&graph, "/nonexistent/g.txt", NULL, NULL));
    PVGT_FAILS(PVG_E_IO, "cannot read: Is a directory",
               pvg_graph_read(&graph, folder, NULL, NULL));
    memset(path, 'p', 290);
    strcpy(path + 280, "/g.txt");
    PVGT_FAILS(PVG_E_IO, "ppp/g.txt: cannot open",
               pvg_graph_read(&graph, path, NULL, NULL));
    TEST_ASSERT_EQUAL_INT(0, strncmp(pvg_error_message(), "...ppp", 6));
    PVGT_OK(pvg_graph_parse(&graph, "#\n0 1\n", 6, NULL, NULL));
    PVGT_FAILS(PVG_E_MISSING, "cannot create: No such file or directory",
               pvg_graph_write("/nonexistent/g.txt", graph, NULL, NULL));
    pvg_io_options options = with(PVG_FORMAT_EDGE_LIST, 0);
    PVGT_FAILS(PVG_E_IO, "/dev/null: cannot write: Invalid argument",
               pvg_graph_write("/dev/null", graph, &options, NULL));
    PVGT_FAILS(PVG_E_IO, "cannot write: Is a directory",
               pvg_graph_write(folder, graph, &options, NULL));
    snprintf(path, sizeof path, "%s/bad.txt", folder);
    snprintf(text, sizeof text, "0 1\n0 1\n");
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
    pvg_graph_free(graph);
    PVGT_FAILS(PVG_E_FORMAT, "/bad.txt:2: a repeated edge",
               pvg_graph_read(&graph, path, NULL, NULL));
    unlink(path);
}

/* A write that fails half way leaves the old file and no temporary. */
static void failing_write_keeps_the_old_file(void) {
    pvg_graph *small, *large;
    char path[128];
    snprintf(path, sizeof path, "%s/kept.txt", folder);
    PVGT_OK(pvg_graph_parse(&small, "#\n0 1\n", 6, NULL, NULL));
    large = path_graph(20000);
    PVGT_OK(pvg_graph_write(path, small, NULL, NULL));
    TEST_ASSERT_EQUAL_INT(0, chmod(path, 0640));
    struct rlimit old, limit;
    getrlimit(RLIMIT_FSIZE, &old);
    limit = old;
    limit.rlim_cur = 5000;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    const int32_t status = pvg_graph_write(path, large, NULL, NULL);
    setrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, SIG_DFL);
    TEST_ASSERT_EQUAL_INT32(PVG_E_IO, status);
    TEST_ASSERT_NOT_NULL(
        strstr(pvg_error_message(), "kept.txt: cannot write: File too large"));
    TEST_ASSERT_EQUAL_INT(1, files_in_folder());
    pvg_graph *back;
    PVGT_OK(pvg_graph_read(&back, path, NULL, NULL));
    TEST_ASSERT_EQUAL_STRING("2: 0-1", describe(back));
    pvg_graph_free(back);
    /* and one that succeeds replaces it and keeps its permissions */
    PVGT_OK(pvg_graph_write(path, large, NULL, NULL));
    struct stat info;
    stat(path, &info);
    TEST_ASSERT_EQUAL_INT(0640, info.st_mode & 0777);
    TEST_ASSERT_EQUAL_INT(1, files_in_folder());
    PVGT_OK(pvg_graph_read(&back, path, NULL, NULL));
    TEST_ASSERT_EQUAL_INT64(19999, pvg_graph_size(back));
    pvg_graph_free(back);
    pvg_graph_free(small);
    pvg_graph_free(large);
    unlink(path);
}

/* Rewrites a file of group `group` as a user who may not give that group, in a process of
 * its own; the mode it has then, -1 if the writing failed. */
static int mode_without_the_group(const char *path, gid_t group, mode_t mode,
                                  const pvg_graph *graph) {
    enum { NOBODY = 65534 };
    struct stat info;
    int status = -1;
    TEST_ASSERT_EQUAL_INT(0, chown(folder, NOBODY, NOBODY));
    TEST_ASSERT_EQUAL_INT(0, chown(path, NOBODY, group));
    TEST_ASSERT_EQUAL_INT(0, chmod(path, mode));
    const pid_t child = fork();
    if (child == 0) {
        const bool left =
            setgroups(0, NULL) == 0 && setgid(NOBODY) == 0 && setuid(NOBODY) == 0;
        _exit(left && pvg_graph_write(path, graph, NULL, NULL) == PVG_OK ? 0 : 1);
    }
    TEST_ASSERT_EQUAL_INT(child, waitpid(child, &status, 0));
    TEST_ASSERT_EQUAL_INT(0, chown(folder, 0, 0));
    stat(path, &info);
    return status == 0 && info.st_gid == NOBODY ? (int)(info.st_mode & 07777) : -1;
}

static void rewriting_keeps_the_group(void) {
    char path[128];
    gid_t groups[256];
    struct stat info;
    pvg_graph *graph = path_graph(5);
    snprintf(path, sizeof path, "%s/group.txt", folder);
    PVGT_OK(pvg_graph_write(path, graph, NULL, NULL));
    stat(path, &info);
    /* root may give any group, others one of their own */
    gid_t other = info.st_gid;
    if (geteuid() == 0) other = info.st_gid + 4;
    const int count = getgroups(256, groups);
    for (int i = 0; i < count && other == info.st_gid; i++) other = groups[i];
    if (other == info.st_gid) printf("no second group: only one is tested\n");
    TEST_ASSERT_EQUAL_INT(0, chown(path, (uid_t)-1, other));
    TEST_ASSERT_EQUAL_INT(0, chmod(path, 0640));
    PVGT_OK(pvg_graph_write(path, graph, NULL, NULL));
    stat(path, &info);
    TEST_ASSERT_EQUAL_INT(0640, info.st_mode & 07777);
    TEST_ASSERT_TRUE(info.st_gid == other);
    if (geteuid() == 0) {
        TEST_ASSERT_EQUAL_INT(0600, mode_without_the_group(path, other, 0640, graph));
        TEST_ASSERT_EQUAL_INT(0604, mode_without_the_group(path, other, 0664, graph));
        TEST_ASSERT_EQUAL_INT(0600, mode_without_the_group(path, other, 0604, graph));
    } else {
        printf("not root: a group that may not be given is not tested\n");
    }
    unlink(path);
    pvg_graph_free(graph);
}

static void pipes_are_read(void) {
    char path[128];
    snprintf(path, sizeof path, "%s/pipe", folder);
    TEST_ASSERT_EQUAL_INT(0, mkfifo(path, 0600));
    const pid_t child = fork();
    if (child == 0) {
        FILE *file = fopen(path, "w");
        fputs("# a path\n", file);
        for (int i = 0; i < 40000; i++) fprintf(file, "%d %d\n", i, i + 1);
        fclose(file);
        _exit(0);
    }
    pvg_graph *graph;
    PVGT_OK(pvg_graph_read(&graph, path, NULL, NULL));
    TEST_ASSERT_EQUAL_INT64(40000, pvg_graph_size(graph));
    pvg_graph_free(graph);
    unlink(path);
}

static int32_t cancel(void *context, double fraction) {
    (void)fraction;
    ++*(int *)context;
    return 1;
}

static void runs_are_limited_and_cancelled(void) {
    pvg_graph *path, *graph;
    char name[128];
    int calls = 0;
    snprintf(name, sizeof name, "%s/big.txt", folder);
    path = path_graph(3000000);
    PVGT_OK(pvg_graph_write(name, path, NULL, NULL));
    pvg_graph_free(path);
    const pvg_run small = {.size = sizeof small, .scratch_limit = 1000};
    PVGT_FAILS(PVG_E_LIMIT, "scratch_limit", pvg_graph_read(&graph, name, NULL, &small));
    TEST_ASSERT_NULL(graph);
    const pvg_run stop = {
        .size = sizeof stop, .progress = cancel, .progress_context = &calls};
    PVGT_FAILS(PVG_E_CANCELLED, "cancelled", pvg_graph_read(&graph, name, NULL, &stop));
    TEST_ASSERT_NULL(graph);
    TEST_ASSERT_EQUAL_INT(1, calls);
    unlink(name);
}

int main(void) {
    pvgt_begin();
    snprintf(folder, sizeof folder, "/tmp/pvgt-io-XXXXXX");
    if (!mkdtemp(folder)) return 1;
    UNITY_BEGIN();
    RUN_TEST(hook_loads_files);
    RUN_TEST(sets_of_lines);
    RUN_TEST(tudataset_reads);
    RUN_TEST(tudataset_refuses);
    RUN_TEST(tudataset_writes);
    RUN_TEST(folder_is_read);
    RUN_TEST(odd_features_are_read_as_zeros);
    RUN_TEST(folder_is_refused);
    RUN_TEST(file_errors_are_told);
    RUN_TEST(failing_write_keeps_the_old_file);
    RUN_TEST(rewriting_keeps_the_group);
    RUN_TEST(pipes_are_read);
    RUN_TEST(runs_are_limited_and_cancelled);
    const int result = UNITY_END();
    rmdir(folder);
    return pvgt_end(result);
}
