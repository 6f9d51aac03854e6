/* Graphs beyond memory: a mapped csr file against the same graph in memory, in the page
 * cache and after the kernel was asked to forget it, and what the disk gives a program
 * that reads. The bits must be the same. */
#include "bench.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { VALUES = 64, READ_BYTES = 1 << 20, THREADS = 2 };

typedef struct {
    char folder[64], path[128], text[128];
    int64_t order, edges;
    const pvg_graph *graph;
    pvg_query *query;
    double values[VALUES];
    int64_t count;
} scale_bench;

static const pvg_run two = {.size = sizeof two, .threads = THREADS};

/* Ends near 0 are likelier: degrees of a power law. */
static int64_t draw_end(uint64_t *state, int64_t order) {
    *state += 0x9E3779B97F4A7C15u;
    uint64_t z = *state;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    const double unit = (double)((z ^ z >> 31) >> 11) * 0x1p-53;
    return (int64_t)((double)order * unit * unit);
}

static pvg_graph *make_graph(const scale_bench *b) {
    int64_t *ends = malloc((size_t)b->edges * 2 * sizeof *ends);
    uint64_t state = 1;
    pvg_graph *graph;
    for (int64_t i = 0; i < 2 * b->edges; i++) ends[i] = draw_end(&state, b->order);
    bench_ok(pvg_graph_from_edges(&graph, b->order, ends, ends + b->edges, b->edges,
                                  PVG_EDGES_MERGE | PVG_EDGES_DROP_LOOPS, &two));
    free(ends);
    return graph;
}

static void count(void *context) {
    scale_bench *b = context;
    const pvg_input input = {.size = sizeof input, .graph = b->graph};
    bench_ok(pvg_query_values_exact(b->values, b->query, &input, &two));
}

/* Pages that a map holds stay: the graph is mapped anew. */
static void forget(const scale_bench *b) {
    const int file = open(b->path, O_RDONLY);
    fsync(file);
    posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
    close(file);
}

static void read_file(void *context) {
    const scale_bench *b = context;
    char *block = malloc(READ_BYTES);
    const int file = open(b->path, O_RDONLY);
    while (read(file, block, READ_BYTES) > 0) continue;
    close(file);
    free(block);
}

static void read_cold(void *context) {
    forget(context);
    read_file(context);
}

static void map_only(void *context) {
    const scale_bench *b = context;
    pvg_graph *mapped;
    bench_ok(pvg_graph_map(&mapped, b->path, NULL, &two));
    pvg_graph_free(mapped);
}

/* Mapping looks at all of the file: that is when a cold one is read. */
static void map_and_count(void *context) {
    scale_bench *b = context;
    pvg_graph *mapped;
    forget(b);
    bench_ok(pvg_graph_map(&mapped, b->path, NULL, &two));
    b->graph = mapped;
    count(b);
    pvg_graph_free(mapped);
}

static void pack(void *context) {
    const scale_bench *b = context;
    bench_ok(pvg_graph_pack(b->path, b->text, NULL, 256 << 20, &two));
}

static uint64_t sum_of(const scale_bench *b) {
    return bench_checksum(b->values, (size_t)b->count * sizeof *b->values);
}

static void compare(scale_bench *b, const pvg_graph *graph) {
    pvg_graph *mapped;
    const double arcs = 2.0 * (double)pvg_graph_size(graph);
    double seconds[2], cold[3];
    char note[200];
    bench_ok(pvg_graph_map(&mapped, b->path, NULL, &two));
    scale_bench in_file = *b;
    in_file.graph = mapped;
    b->graph = graph;
    const bench_body bodies[] = {{count, b}, {count, &in_file}};
    bench_times(seconds, bodies, 2);
    const size_t begin = bench_peak_begin();
    count(&in_file);
    snprintf(note, sizeof note, "%.2f of memory speed; %.0f bytes of memory per node",
             seconds[0] / seconds[1], (double)bench_peak_bytes(begin) / (double)b->order);
    if (sum_of(b) != sum_of(&in_file)) abort();
    bench_report(&(bench_case){.name = "scale.mapped",
                               .seconds = seconds[1],
                               .threads = THREADS,
                               .items = arcs,
                               .item = "arc",
                               .reference_seconds = seconds[0],
                               .reference = "the same in memory",
                               .checksum = sum_of(&in_file),
                               .note = note});
    pvg_graph_free(mapped);
    scale_bench anew = *b;
    const bench_body colds[] = {{map_and_count, &anew}, {read_cold, b}, {map_only, b}};
    bench_times(cold, colds, 3);
    if (sum_of(b) != sum_of(&anew)) abort();
    /* one after the other: the file is read and looked at, then counted */
    const double limit = cold[1] + seconds[0];
    snprintf(note, sizeof note,
             "read %.3f s, looked at %.3f s in the cache, counted %.3f s in memory",
             cold[1], cold[2], seconds[0]);
    bench_report(&(bench_case){.name = "scale.cold",
                               .seconds = cold[0],
                               .threads = THREADS,
                               .items = arcs,
                               .item = "arc",
                               .roofline_seconds = limit,
                               .roofline = "buffered read, then memory speed",
                               .checksum = sum_of(&anew),
                               .note = note});
}

void bench_scale(void) {
    scale_bench b = {.order = bench_size(1000000, 100000, 2000),
                     .edges = bench_size(10000000, 1000000, 8000)};
    int64_t rows, columns;
    snprintf(b.folder, sizeof b.folder, "/var/tmp/pvgb-scale-XXXXXX");
    if (!mkdtemp(b.folder)) abort();
    snprintf(b.path, sizeof b.path, "%s/g.csr", b.folder);
    snprintf(b.text, sizeof b.text, "%s/g.txt", b.folder);
    bench_ok(pvg_query_new(&b.query,
                           "embed patterns=edge,path3,path4,star3,path5,star4,path6 "
                           "epsilon=1 delta=1e-6",
                           NULL, NULL, NULL));
    pvg_graph *graph = make_graph(&b);
    const pvg_input input = {.size = sizeof input, .graph = graph};
    bench_ok(pvg_query_shape(&rows, &columns, b.query, &input));
    b.count = rows * columns;
    if (b.count > VALUES) abort();
    bench_ok(pvg_graph_write(b.text, graph, NULL, &two));
    const size_t begin = bench_peak_begin();
    const double packing = bench_time(pack, &b);
    char note[100];
    snprintf(note, sizeof note, "%.0f MB of memory, of 256 MiB allowed",
             (double)bench_peak_bytes(begin) / 1e6);
    bench_report(&(bench_case){.name = "scale.pack",
                               .seconds = packing,
                               .threads = THREADS,
                               .items = (double)pvg_graph_size(graph),
                               .item = "edge",
                               .note = note});
    compare(&b, graph);
    pvg_graph_free(graph);
    pvg_query_free(b.query);
    unlink(b.path);
    unlink(b.text);
    rmdir(b.folder);
}
