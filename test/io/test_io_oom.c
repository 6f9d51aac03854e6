/* io: every entry point with its 1st, 2nd, 3rd ... allocation failing. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "io/pack.h"
#include "support.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[64];

void setUp(void) {}
void tearDown(void) {}

typedef struct {
    int32_t format;
    uint32_t policy;
    const char *text;
    bool bad; /* malformed: the slow path that names the line allocates too */
} parse_case;

static const pvg_run two = {.size = sizeof two, .threads = 2};

static int32_t parse_body(void *context) {
    const parse_case *c = context;
    const pvg_io_options options = {
        .size = sizeof options, .format = c->format, .policy = c->policy};
    pvg_graph *graph = (pvg_graph *)(uintptr_t)c;
    int32_t status = pvg_graph_parse(&graph, c->text, strlen(c->text), &options, &two);
    if (status != PVG_OK)
        TEST_ASSERT_NULL(graph);
    else
        pvg_graph_free(graph);
    if (c->bad && status == PVG_E_FORMAT) status = PVG_OK;
    return status;
}

static void parsing(void) {
    static parse_case cases[] = {
        {PVG_FORMAT_EDGE_LIST, 0, "0 1\n1 2", false},
        {PVG_FORMAT_EDGE_LIST, PVG_EDGES_MERGE, "0 1\n1 0\n", false},
        {PVG_FORMAT_EDGE_LIST, 0, "0 1\n1 0\n", true},
        {PVG_FORMAT_MATRIX_MARKET, 0,
         "%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n2 1\n", false},
        {PVG_FORMAT_MATRIX_MARKET, 0,
         "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n3 2", true},
        {PVG_FORMAT_MATRIX_MARKET, 0,
         "%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 1 1e-300\n", false},
        {PVG_FORMAT_GRAPH6, 0, "DQc", false},
        {PVG_FORMAT_SPARSE6, 0, ":Fa@x^", false},
        {PVG_FORMAT_SPARSE6, 0, ":A_?", true},
        {PVG_FORMAT_METIS, 0, "3 2\n2\n1 3\n2\n", false},
        {PVG_FORMAT_METIS, 0, "3 2\n2\n3 3\n2\n", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        pvgt_oom_walk(cases[i].text, parse_body, &cases[i], 5);
}

static int32_t parse_set_body(void *context) {
    static const char text[] = "DQc\n:Fa@x^\nDQc\n";
    pvg_graphset *set = NULL;
    (void)context;
    const int32_t status = pvg_graphset_parse(&set, text, strlen(text), NULL, NULL);
    if (status != PVG_OK) TEST_ASSERT_NULL(set);
    pvg_graphset_free(set);
    return status;
}

static int files_in_folder(void) {
    int count = 0;
    DIR *dir = opendir(folder);
    while (readdir(dir)) count++;
    closedir(dir);
    return count - 2;
}

static const char *const suffixes[] = {".txt", ".mtx", ".g6", ".s6", ".csr"};

typedef struct {
    const pvg_graph *graph;
    const pvg_graphset *set;
    int kind;
} write_case;

static int32_t write_body(void *context) {
    const write_case *c = context;
    char path[128];
    snprintf(path, sizeof path, "%s/g%s", folder, suffixes[c->kind]);
    const int32_t status = pvg_graph_write(path, c->graph, NULL, &two);
    TEST_ASSERT_EQUAL_INT(status == PVG_OK, files_in_folder());
    unlink(path);
    return status;
}

static int32_t format_body(void *context) {
    const write_case *c = context;
    const pvg_io_options options = {.size = sizeof options, .format = 1 + c->kind};
    char text[300] = "untouched";
    size_t length = 77;
    const int32_t status =
        pvg_graph_format(text, sizeof text, &length, c->graph, &options);
    if (status != PVG_OK) TEST_ASSERT_TRUE(length == 77 && text[0] == 'u');
    return status;
}

static int32_t write_set_body(void *context) {
    const write_case *c = context;
    char path[128];
    snprintf(path, sizeof path, "%s/set%s", folder, suffixes[c->kind]);
    const int32_t status = pvg_graphset_write(path, c->set, NULL, NULL);
    TEST_ASSERT_EQUAL_INT(status == PVG_OK, files_in_folder());
    unlink(path);
    return status;
}

static void writing(void) {
    write_case c = {0};
    pvg_graph *graph;
    pvg_graphset *set;
    PVGT_OK(pvg_graph_parse(&graph, "# order 4\n0 1\n1 2\n2 3\n", 22, NULL, NULL));
    PVGT_OK(pvg_graphset_parse(&set, "DQc\n:Fa@x^\n", 11, NULL, NULL));
    c.graph = graph;
    c.set = set;
    for (c.kind = 0; c.kind < 5; c.kind++) {
        pvgt_oom_walk("pvg_graph_write", write_body, &c, 2);
        if (c.kind == 4) break; /* not text, and no set */
        pvgt_oom_walk("pvg_graph_format", format_body, &c, 1);
        if (c.kind >= 2) pvgt_oom_walk("pvg_graphset_write", write_set_body, &c, 2);
    }
    pvg_graph_free(graph);
    pvg_graphset_free(set);
}

static int32_t read_body(void *context) {
    pvg_graph *graph = NULL;
    const int32_t status = pvg_graph_read(&graph, context, NULL, &two);
    if (status != PVG_OK) TEST_ASSERT_NULL(graph);
    pvg_graph_free(graph);
    return status;
}

static int32_t map_body(void *context) {
    pvg_graph *graph = NULL;
    const int32_t status = pvg_graph_map(&graph, context, NULL, &two);
    if (status != PVG_OK) TEST_ASSERT_NULL(graph);
    pvg_graph_free(graph);
    return status;
}

/* The text is a repeat where it is bad: the way that looks for its line. */
static int32_t pack_body(void *context) {
    const bool bad = context != NULL;
    char source[128], path[128];
    pvgi_io_call call;
    snprintf(source, sizeof source, "%s/%s", folder, bad ? "twice.txt" : "long.txt");
    snprintf(path, sizeof path, "%s/packed.csr", folder);
    int32_t status = pvgi_io_begin(&call, NULL, &two, "test");
    if (status == PVG_OK)
        status = pvgi_io_pack_file(&call, path, source, 1 << 14); /* several runs */
    TEST_ASSERT_EQUAL_INT(2 + (status == PVG_OK), files_in_folder());
    unlink(path);
    return bad && status == PVG_E_FORMAT ? PVG_OK : status;
}

static int32_t read_set_body(void *context) {
    pvg_graphset *set = NULL;
    const int32_t status = pvg_graphset_read(&set, context, NULL, &two);
    if (status != PVG_OK) TEST_ASSERT_NULL(set);
    pvg_graphset_free(set);
    return status;
}

static void put_file(const char *name, const char *text) {
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
}

static void remove_files(const char *const *names, int count) {
    char path[200];
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        TEST_ASSERT_EQUAL_INT(0, unlink(path));
    }
}

static void packing(void) {
    static const char *const names[] = {"long.txt", "twice.txt", "g.csr"};
    char path[128];
    for (int bad = 0; bad < 2; bad++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[bad]);
        FILE *file = fopen(path, "w");
        fputs("# order 5000\n", file);
        for (int i = 0; i < 4999; i++) fprintf(file, "%d %d\n", i, i + 1);
        if (bad) fputs("0 1\n", file);
        fclose(file);
    }
    pvgt_oom_walk("pvg_graph_pack", pack_body, NULL, 10);
    pvgt_oom_walk("pvg_graph_pack, refused", pack_body, path, 10);
    pvg_graph *graph;
    PVGT_OK(pvg_graph_read(
        &graph, path,
        &(pvg_io_options){.size = sizeof(pvg_io_options), .policy = PVG_EDGES_MERGE},
        NULL));
    snprintf(path, sizeof path, "%s/%s", folder, names[2]);
    PVGT_OK(pvg_graph_write(path, graph, NULL, NULL));
    pvg_graph_free(graph);
    pvgt_oom_walk("pvg_graph_map", map_body, path, 5);
    pvgt_oom_walk("pvg_graph_read, csr", read_body, path, 5);
    remove_files(names, 3);
}

static void reading(void) {
    static const char *const names[] = {"a.txt", "empty.txt", "set.g6"};
    char path[128];
    put_file("a.txt", "0 1\n1 2");
    put_file("empty.txt", "");
    put_file("set.g6", "DQc\nDQc");
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        pvgt_oom_walk(names[i], i < 2 ? read_body : read_set_body, path, 4);
    }
    remove_files(names, 3);
}

static int32_t read_tudataset_body(void *context) {
    pvg_graphset *set = NULL;
    (void)context;
    const int32_t status = pvg_graphset_read_tudataset(&set, folder, "T", NULL, &two);
    if (status != PVG_OK) TEST_ASSERT_NULL(set);
    pvg_graphset_free(set);
    return status;
}

static int32_t write_tudataset_body(void *context) {
    return pvg_graphset_write_tudataset(folder, "T", context, &two);
}

static void tudataset(void) {
    static const char *const names[] = {"T_A.txt", "T_graph_indicator.txt",
                                        "T_graph_labels.txt", "T_graph_attributes.txt",
                                        "T_node_labels.txt"};
    pvg_graphset *set;
    put_file(names[0], "1, 2\n2, 1\n3, 4\n4, 3");
    put_file(names[1], "1\n1\n2\n2\n");
    put_file(names[2], "0\n1\n");
    put_file(names[3], "0.5, 1e-300\n1, 2\n");
    put_file(names[4], "1\n2\n3\n4\n");
    pvgt_oom_walk("pvg_graphset_read_tudataset", read_tudataset_body, NULL, 20);
    PVGT_OK(pvg_graphset_read_tudataset(&set, folder, "T", NULL, NULL));
    pvgt_oom_walk("pvg_graphset_write_tudataset", write_tudataset_body, set, 10);
    TEST_ASSERT_EQUAL_INT(5, files_in_folder());
    pvg_graphset_free(set);
    remove_files(names, 5);
}

static int32_t read_folder_body(void *context) {
    pvg_graph *graph = NULL;
    pvg_features *features = NULL;
    pvg_labels *labels = NULL;
    (void)context;
    const int32_t status =
        pvg_graph_read_folder(&graph, &features, &labels, folder, 0, NULL, &two);
    if (status != PVG_OK) TEST_ASSERT_TRUE(!graph && !features && !labels);
    pvg_graph_free(graph);
    pvg_features_free(features);
    pvg_labels_free(labels);
    return status;
}

static void folders(void) {
    static const char *const names[] = {"edges.txt", "features.txt", "labels.txt"};
    put_file("edges.txt", "0 1\n");
    put_file("labels.txt", "0\n1\n");
    for (int valued = 0; valued < 2; valued++) {
        put_file("features.txt", valued ? "1:0.5\n\n" : "1 2\n3\n");
        pvgt_oom_walk("pvg_graph_read_folder", read_folder_body, NULL, 15);
    }
    remove_files(names, 3);
}

static void sets(void) {
    pvgt_oom_walk("pvg_graphset_parse", parse_set_body, NULL, 10);
}

int main(void) {
    pvgt_begin();
    snprintf(folder, sizeof folder, "/tmp/pvgt-io-XXXXXX");
    if (!mkdtemp(folder)) return 1;
    UNITY_BEGIN();
    RUN_TEST(parsing);
    RUN_TEST(sets);
    RUN_TEST(writing);
    RUN_TEST(reading);
    RUN_TEST(packing);
    RUN_TEST(tudataset);
    RUN_TEST(folders);
    const int result = UNITY_END();
    rmdir(folder);
    return pvgt_end(result);
}
