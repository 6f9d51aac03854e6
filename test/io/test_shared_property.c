/* The real sets of ../shared/data, through the gzip hook, against their meta.json. */
#include "gzip_hook.h"
#include "support.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *root;

void setUp(void) {}
void tearDown(void) {}

static bool exists(const char *path) {
    struct stat info;
    return stat(path, &info) == 0;
}

/* The number behind "key" in a JSON text; -1 if there is none. */
static int64_t meta_number(const char *text, const char *key) {
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *at = strstr(text, quoted);
    return at ? strtoll(at + strlen(quoted), NULL, 10) : -1;
}

static char *read_meta(const char *folder) {
    char path[4096];
    snprintf(path, sizeof path, "%s/meta.json", folder);
    FILE *file = fopen(path, "r");
    if (!file) return NULL;
    char *text = calloc(1, 1 << 16);
    if (fread(text, 1, (1 << 16) - 1, file) == 0) text[0] = '\0';
    fclose(file);
    return text;
}

static void check_graphset(const char *folder, const char *meta) {
    pvg_io_options options = {.size = sizeof options};
    const pvg_run run = {.size = sizeof run, .threads = 2};
    pvg_graphset *set = NULL;
    const int64_t *starts, *offsets;
    const int32_t *columns, *labels;
    gzip_hook(&options, NULL);
    PVGT_OK(pvg_graphset_read_tudataset(&set, folder, NULL, &options, &run));
    PVGT_OK(pvg_graphset_view_csr(&starts, &offsets, &columns, set));
    PVGT_OK(pvg_graphset_view_labels(&labels, NULL, NULL, set));
    int64_t largest = 0, most = 0, classes = 0;
    const int64_t count = pvg_graphset_count(set), order = pvg_graphset_order(set);
    for (int64_t u = 0; u < order; u++)
        if (offsets[u + 1] - offsets[u] > largest) largest = offsets[u + 1] - offsets[u];
    for (int64_t i = 0; i < count; i++) {
        if (starts[i + 1] - starts[i] > most) most = starts[i + 1] - starts[i];
        if (labels[i] >= classes) classes = labels[i] + 1;
    }
    PVGT_CHECK(count == meta_number(meta, "num_graphs"), "%.300s", folder);
    PVGT_CHECK(order == meta_number(meta, "num_nodes"), "%.300s", folder);
    PVGT_CHECK(offsets[order] == 2 * meta_number(meta, "num_edges"), "%.300s", folder);
    PVGT_CHECK(largest == meta_number(meta, "max_degree"), "%.300s", folder);
    PVGT_CHECK(most == meta_number(meta, "max_nodes"), "%.300s", folder);
    PVGT_CHECK(classes == meta_number(meta, "num_classes"), "%.300s", folder);
    pvg_graphset_free(set);
}

static void check_features(const char *folder, const char *meta,
                           const pvg_features *features) {
    const int64_t *offsets;
    const int32_t *indices;
    const double *values;
    PVGT_OK(pvg_features_view_csr(&offsets, &indices, &values, features));
    PVGT_CHECK(pvg_features_rows(features) == meta_number(meta, "num_nodes"), "%.300s",
               folder);
    PVGT_CHECK(offsets[pvg_features_rows(features)] ==
                   meta_number(meta, "num_feature_nonzeros"),
               "%.300s", folder);
}

static void check_graph(const char *folder, const char *meta) {
    pvg_io_options options = {.size = sizeof options};
    const pvg_run run = {.size = sizeof run, .threads = 2};
    pvg_graph *graph = NULL;
    pvg_features *features = NULL;
    pvg_labels *labels = NULL;
    char path[4096];
    snprintf(path, sizeof path, "%s/features.txt.gz", folder);
    const bool complete = exists(path);
    gzip_hook(&options, NULL);
    PVGT_OK(pvg_graph_read_folder(&graph, complete ? &features : NULL, &labels, folder,
                                  complete ? meta_number(meta, "num_features") : 0,
                                  &options, &run));
    PVGT_CHECK(pvg_graph_order(graph) == meta_number(meta, "num_nodes"), "%.300s",
               folder);
    PVGT_CHECK(pvg_graph_size(graph) == meta_number(meta, "num_edges"), "%.300s", folder);
    PVGT_CHECK(pvg_graph_max_degree_exact(graph) == meta_number(meta, "max_degree"),
               "%.300s", folder);
    PVGT_CHECK(pvg_labels_classes(labels) == meta_number(meta, "num_classes"), "%.300s",
               folder);
    if (complete) check_features(folder, meta, features);
    pvg_graph_free(graph);
    pvg_features_free(features);
    pvg_labels_free(labels);
}

static void every_set_has_the_counts_of_its_meta(void) {
    int graph_level = 0, node_level = 0;
    DIR *dir = opendir(root);
    TEST_ASSERT_NOT_NULL(dir);
    for (const struct dirent *entry; (entry = readdir(dir));) {
        char folder[2048];
        if (entry->d_name[0] == '.') continue;
        snprintf(folder, sizeof folder, "%s/%s", root, entry->d_name);
        char *meta = read_meta(folder);
        if (!meta) continue;
        if (strstr(meta, "\"graph-level\"")) {
            check_graphset(folder, meta);
            graph_level++;
        } else if (strstr(meta, "\"node-level\"")) {
            check_graph(folder, meta);
            node_level++;
        }
        free(meta);
    }
    closedir(dir);
    printf("%d graph-level and %d node-level sets\n", graph_level, node_level);
    TEST_ASSERT_GREATER_THAN(0, graph_level + node_level);
}

int main(void) {
    root = pvgt_shared_data();
    if (!root) return 77; /* Meson's skip */
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(every_set_has_the_counts_of_its_meta);
    return pvgt_end(UNITY_END());
}
