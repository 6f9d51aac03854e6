/* Real data for the benches; see real.h. */
#include "real.h"

#include "bench.h"

#include <stdio.h>

#ifdef PVGB_GZIP
#include "gzip_hook.h"

#include <stdlib.h>
#include <sys/stat.h>

/* The path of a folder, if it is there. */
static const char *find(char *path, size_t capacity, const char *folder) {
    const char *root = getenv("PVG_SHARED_DATA");
    struct stat info;
    snprintf(path, capacity, "%s/%s", root ? root : "", folder);
    if (root && stat(path, &info) == 0) return path;
    printf("no %s in $PVG_SHARED_DATA, skipped\n", folder);
    return NULL;
}

pvg_graphset *real_set(const char *folder) {
    char path[4096];
    pvg_io_options options = {.size = sizeof options};
    pvg_graphset *set;
    if (!find(path, sizeof path, folder)) return NULL;
    gzip_hook(&options, NULL);
    bench_ok(pvg_graphset_read_tudataset(&set, path, NULL, &options, NULL));
    return set;
}

pvg_graph *real_graph(const char *folder) {
    char path[4096], file[4200];
    pvg_io_options options = {.size = sizeof options,
                              .policy = PVG_EDGES_MERGE | PVG_EDGES_DROP_LOOPS};
    pvg_graph *graph;
    if (!find(path, sizeof path, folder)) return NULL;
    gzip_hook(&options, NULL);
    snprintf(file, sizeof file, "%s/edges.txt", path);
    bench_ok(pvg_graph_read(&graph, file, &options, NULL));
    return graph;
}
#else
pvg_graphset *real_set(const char *folder) {
    printf("no zlib to read %s with, skipped\n", folder);
    return NULL;
}

pvg_graph *real_graph(const char *folder) {
    printf("no zlib to read %s with, skipped\n", folder);
    return NULL;
}
#endif
