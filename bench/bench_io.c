/* Reading and writing against the speed of looking at the file once: counting the
 * newlines of the mapped file with memchr. The simple reference is fscanf, on a part of
 * the file and scaled. Files are in a temporary folder and are in the page cache. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "bench.h"

#include "io/io_internal.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FSCANF_PART = 20 };

typedef struct {
    char folder[64], path[128];
    const char *data; /* the file, mapped */
    size_t bytes;
    uint64_t lines;
    pvg_run run;
    pvg_graph *graph; /* what is written */
    pvg_graphset *set;
    uint64_t result;
} io_bench;

static void map_file(io_bench *b, const char *name) {
    struct stat info;
    snprintf(b->path, sizeof b->path, "%s/%s", b->folder, name);
    const int file = open(b->path, O_RDONLY);
    if (file < 0 || fstat(file, &info) != 0) abort();
    b->bytes = (size_t)info.st_size;
    b->data = mmap(NULL, b->bytes, PROT_READ, MAP_PRIVATE, file, 0);
    if (b->data == MAP_FAILED) abort();
    close(file);
}

static void unmap_file(io_bench *b) {
    munmap((void *)(uintptr_t)b->data, b->bytes);
}

/* --- bodies --------------------------------------------------------------------------
 */

static void count_newlines(void *context) {
    io_bench *b = context;
    const char *p = b->data, *end = b->data + b->bytes;
    uint64_t count = 0;
    while (p < end && (p = memchr(p, '\n', (size_t)(end - p)))) {
        p++;
        count++;
    }
    b->result = count;
}

static void use_fscanf(void *context) {
    io_bench *b = context;
    FILE *file = fopen(b->path, "r");
    long long u, v;
    uint64_t sum = 0;
    if (!file || fscanf(file, "%*[^\n]") < 0) abort();
    for (uint64_t i = 0; i < b->lines / FSCANF_PART; i++)
        if (fscanf(file, "%lld%*[ ,]%lld", &u, &v) == 2) sum += (uint64_t)(u ^ v);
    b->result = sum;
    fclose(file);
}

static void parse_pairs(void *context) {
    io_bench *b = context;
    const pvgi_io_pairs_rules rules = {.bound = INT32_MAX, .comments = true};
    pvgi_io_call call;
    pvgi_io_source source;
    pvgi_io_feed feed;
    pvgi_io_pairs pairs;
    bench_ok(pvgi_io_begin(&call, NULL, &b->run, "bench"));
    bench_ok(pvgi_io_wrap(&source, b->data, b->bytes, "bench"));
    pvgi_io_feed_wrap(&feed, &call, &source);
    bench_ok(pvgi_io_pairs_parse(&pairs, &feed, &rules, -1));
    b->result = (uint64_t)pairs.kept.count;
    pvgi_io_pairs_free(&pairs);
    pvgi_io_unload(&source, &call);
}

static void read_graph(void *context) {
    io_bench *b = context;
    pvg_graph *graph;
    bench_ok(pvg_graph_read(&graph, b->path, NULL, &b->run));
    b->result = (uint64_t)pvg_graph_size(graph);
    pvg_graph_free(graph);
}

static void read_set(void *context) {
    io_bench *b = context;
    pvg_graphset *set;
    bench_ok(pvg_graphset_read_tudataset(&set, b->folder, "B", NULL, &b->run));
    b->result = (uint64_t)pvg_graphset_order(set);
    pvg_graphset_free(set);
}

static void write_graph(void *context) {
    io_bench *b = context;
    bench_ok(pvg_graph_write(b->path, b->graph, NULL, &b->run));
    b->result = (uint64_t)b->bytes;
}

/* --- cases ---------------------------------------------------------------------------
 */

typedef struct {
    const char *name;
    void (*body)(void *);
    uint32_t threads;
} io_case;

static void measure(io_bench *b, const io_case *c, double roofline,
                    double fscanf_seconds) {
    char note[64];
    b->run.threads = c->threads;
    bench_case result = {.name = c->name,
                         .threads = c->threads,
                         .seconds = bench_time(c->body, b),
                         .items = (double)b->bytes,
                         .item = "byte",
                         .roofline_seconds = roofline,
                         .roofline = "counting newlines",
                         .reference_seconds = fscanf_seconds,
                         .reference = "fscanf",
                         .note = note};
    snprintf(note, sizeof note, "%.0f MB/s", 1e-6 * result.items / result.seconds);
    result.checksum = bench_checksum(&b->result, sizeof b->result);
    bench_report(&result);
}

static void measure_file(io_bench *b, const char *name, const io_case *cases, int count) {
    map_file(b, name);
    const double roofline = bench_time(count_newlines, b);
    b->lines = b->result;
    const double simple = FSCANF_PART * bench_time(use_fscanf, b);
    for (int i = 0; i < count; i++) measure(b, &cases[i], roofline, simple);
    unmap_file(b);
}

static void remove_file(io_bench *b, const char *name) {
    snprintf(b->path, sizeof b->path, "%s/%s", b->folder, name);
    unlink(b->path);
}

static void make_files(io_bench *b) {
    const double edges = (double)bench_size(10000000, 1000000, 100000);
    const int64_t order = bench_size(1000000, 100000, 10000);
    const double pairs = 0.5 * (double)order * (double)(order - 1);
    pvg_graphset_builder *builder;
    pvg_rng *rng;
    b->run = (pvg_run){.size = sizeof b->run, .threads = 2};
    bench_ok(pvg_rng_new_seeded(&rng, 1));
    bench_ok(pvg_graph_draw_erdos_renyi(&b->graph, order, edges / pairs, rng, NULL));
    pvg_rng_free(rng);
    bench_ok(pvg_graphset_builder_new(&builder, 0));
    bench_ok(pvg_graphset_builder_add(builder, b->graph, 0, NULL, NULL));
    bench_ok(pvg_graphset_builder_finish(&b->set, builder));
    pvg_graphset_builder_free(builder);
    snprintf(b->path, sizeof b->path, "%s/B.txt", b->folder);
    bench_ok(pvg_graph_write(b->path, b->graph, NULL, &b->run));
    snprintf(b->path, sizeof b->path, "%s/B.mtx", b->folder);
    bench_ok(pvg_graph_write(b->path, b->graph, NULL, &b->run));
    bench_ok(pvg_graphset_write_tudataset(b->folder, "B", b->set, &b->run));
}

void bench_io(void) {
    static const char *const files[] = {"B.txt", "B.mtx", "B_A.txt",
                                        "B_graph_indicator.txt", "B_graph_labels.txt"};
    static const io_case edge_list[] = {
        {"io.parse_edge_list", parse_pairs, 1}, {"io.parse_edge_list", parse_pairs, 2},
        {"io.read_edge_list", read_graph, 1},   {"io.read_edge_list", read_graph, 2},
        {"io.write_edge_list", write_graph, 1}, {"io.write_edge_list", write_graph, 2}};
    static const io_case market[] = {{"io.read_matrix_market", read_graph, 1},
                                     {"io.read_matrix_market", read_graph, 2}};
    static const io_case tudataset[] = {{"io.read_tudataset", read_set, 1},
                                        {"io.read_tudataset", read_set, 2}};
    io_bench b = {.folder = "/tmp/pvg-bench-XXXXXX"};
    if (!mkdtemp(b.folder)) abort();
    make_files(&b);
    measure_file(&b, files[0], edge_list, 6);
    measure_file(&b, files[1], market, 2);
    measure_file(&b, files[2], tudataset, 2);
    pvg_graph_free(b.graph);
    pvg_graphset_free(b.set);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) remove_file(&b, files[i]);
    rmdir(b.folder);
}
