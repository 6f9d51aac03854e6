/* Data and code on their way in and out: loading the library (in processes of their own),
 * compressed rows, sets of small graphs in bulk and one by one, a set from files, a slice
 * of a set, and what the program's CSV costs beside its NPY. Each next to what cannot be
 * avoided, measured in the same run. */
#include "bench.h"
#include "lookalike.h"

#ifndef PVGB_TOOL
#define PVGB_TOOL ""
#endif

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { SMALL = 10 }; /* nodes of a small graph */

static void *need(size_t count, size_t bytes) {
    void *block = malloc(count * bytes);
    if (!block) exit(1);
    return block;
}

/* Least processor time of a body, all threads: what a busy machine does not change. */
static double least_cpu;

static void note_cpu(clock_t begin) {
    least_cpu = fmin(least_cpu, (double)(clock() - begin) / CLOCKS_PER_SEC);
}

/* Median seconds of a body; the note says its processor time and the goal. */
static double timed(void (*body)(void *), void *context, char note[96],
                    const char *goal) {
    least_cpu = INFINITY;
    const double seconds = bench_time(body, context);
    snprintf(note, 96, "cpu %.4g s; %s", least_cpu, goal);
    return seconds;
}

/* What a block holds is read, as far as a compiler knows. */
static void used(const void *block) {
    __asm__ volatile("" : : "r"(block) : "memory");
}

/* --- the library ------------------------------------------------------------------ */

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median seconds of loading, and threads before and after the first call. */
static double load(const char *library, const char *function, int threads[2]) {
    enum { MOST = 41 };
    const int times = (int)bench_size(MOST, 11, 3);
    char command[8192];
    double seconds[MOST];
    snprintf(command, sizeof command, "'%s' '%s' %s", PVGB_PROBE, library, function);
    for (int i = 0; i < times; i++) {
        FILE *pipe = popen(command, "r");
        if (!pipe ||
            fscanf(pipe, "%d %lf %d", &threads[0], &seconds[i], &threads[1]) != 3 ||
            pclose(pipe) != 0) {
            fprintf(stderr, "bench: %s could not be loaded\n", library);
            exit(1);
        }
    }
    qsort(seconds, (size_t)times, sizeof *seconds, ascending);
    return seconds[times / 2];
}

static void load_library(void) {
    int threads[2], others[2];
    char note[96];
    if (!bench_wanted("load.library")) return;
    const double seconds = load(PVGB_LIBRARY, "pvg_version_string", threads);
    const double sodium = load("libsodium.so.23", "sodium_version_string", others);
    snprintf(note, sizeof note, "goal 2 ms; threads of the process: %d, then %d",
             threads[0], threads[1]);
    bench_report(&(bench_case){.name = "load.library",
                               .seconds = seconds,
                               .items = 1,
                               .item = "load",
                               .roofline_seconds = sodium,
                               .roofline = "loading libsodium, which it needs",
                               .note = note});
    if (threads[1] == threads[0]) return;
    fprintf(stderr, "bench: loading the library starts threads\n");
    exit(1);
}

/* --- compressed rows -------------------------------------------------------------- */

typedef struct {
    int64_t order, arcs;
    const int64_t *offsets;
    const int32_t *columns;
    int64_t *offsets_copy;
    int32_t *columns_copy;
    uint32_t threads;
} rows;

static void from_csr(void *context) {
    rows *r = context;
    const pvg_run run = {.size = sizeof run, .threads = r->threads};
    pvg_graph *graph;
    const clock_t begin = clock();
    bench_ok(pvg_graph_from_csr(&graph, r->order, r->offsets, r->columns,
                                PVG_EDGES_STRICT, &run));
    note_cpu(begin);
    pvg_graph_free(graph);
}

static void copy_rows(void *context) {
    rows *r = context;
    r->offsets_copy = need((size_t)r->order + 1, sizeof *r->offsets_copy);
    r->columns_copy = need((size_t)r->arcs + 1, sizeof *r->columns_copy);
    memcpy(r->offsets_copy, r->offsets, ((size_t)r->order + 1) * sizeof *r->offsets);
    memcpy(r->columns_copy, r->columns, (size_t)r->arcs * sizeof *r->columns);
    used(r->offsets_copy);
    used(r->columns_copy);
    free(r->offsets_copy);
    free(r->columns_copy);
}

/* That every arc has its mirror, as one would write it: a search in the other row. */
static void search_mirrors(void *context) {
    rows *r = context;
    int64_t missing = 0;
    copy_rows(r);
    for (int64_t u = 0; u < r->order; u++)
        for (int64_t k = r->offsets[u]; k < r->offsets[u + 1]; k++) {
            int64_t low = r->offsets[r->columns[k]], high = r->offsets[r->columns[k] + 1];
            while (low < high) {
                const int64_t middle = low + (high - low) / 2;
                if (r->columns[middle] < u)
                    low = middle + 1;
                else
                    high = middle;
            }
            missing += r->columns[low] != u;
        }
    if (missing) exit(1);
}

static void load_csr(void) {
    const int64_t order = bench_size(1000000, 100000, 5000);
    const char *name = "load.csr";
    char note[96];
    if (!bench_wanted(name)) return;
    pvg_graph *graph = lookalike_powerlaw(order);
    rows r = {.order = order, .arcs = 2 * pvg_graph_size(graph)};
    bench_ok(pvg_graph_view_csr(&r.offsets, &r.columns, graph));
    const double copy = bench_time(copy_rows, &r);
    const double simple = bench_time(search_mirrors, &r);
    for (r.threads = 1; r.threads <= 2; r.threads++) {
        const char *goal =
            r.threads == 1 ? "goal .6 s for 10M edges" : "goal .35 s for 10M edges";
        const double seconds = timed(from_csr, &r, note, goal);
        bench_report(&(bench_case){.name = name,
                                   .seconds = seconds,
                                   .threads = r.threads,
                                   .items = 0.5 * (double)r.arcs,
                                   .item = "edge",
                                   .roofline_seconds = copy,
                                   .roofline = "copying the rows",
                                   .reference_seconds = simple,
                                   .reference = "a search for every mirror, 1 thread",
                                   .note = note});
    }
    pvg_graph_free(graph);
}

/* --- small graphs ----------------------------------------------------------------- */

typedef struct {
    int64_t count, *starts, *from, *to;
    pvg_graphset *set;
    pvg_graph *one;
} small;

static void in_bulk(void *context) {
    small *s = context;
    pvg_graphset *set;
    const clock_t begin = clock();
    bench_ok(pvg_graphset_from_edges(&set, s->starts, s->count, s->from, s->to,
                                     s->count * SMALL, PVG_EDGES_STRICT, NULL, NULL,
                                     NULL));
    note_cpu(begin);
    pvg_graphset_free(set);
}

static void one_by_one(void *context) {
    small *s = context;
    pvg_graphset_builder *builder;
    pvg_graphset *set;
    const clock_t begin = clock();
    bench_ok(pvg_graphset_builder_new(&builder, 0));
    for (int64_t i = 0; i < s->count; i++)
        bench_ok(pvg_graphset_builder_add(builder, s->one, -1, NULL, NULL));
    bench_ok(pvg_graphset_builder_finish(&set, builder));
    note_cpu(begin);
    pvg_graphset_builder_free(builder);
    pvg_graphset_free(set);
}

/* The bytes of the set, written once. */
static void write_bytes(void *context) {
    const small *s = context;
    const size_t nodes = (size_t)s->count * SMALL;
    const size_t bytes = (size_t)s->count * 12 + nodes * 8 + 2 * nodes * 4;
    char *block = need(bytes, 1);
    memset(block, 1, bytes);
    used(block);
    free(block);
}

static void load_small(void) {
    static const struct {
        const char *name, *note;
        void (*run)(void *context);
    } cases[] = {{"load.set_bulk", "goal 300 ns", in_bulk},
                 {"load.set_builder", "goal 300 ns; from graphs that exist", one_by_one}};
    small s = {.count = bench_size(100000, 20000, 1000)};
    if (!bench_wanted(cases[0].name) && !bench_wanted(cases[1].name)) return;
    s.starts = need((size_t)s.count + 1, sizeof *s.starts);
    s.from = need((size_t)s.count * SMALL, sizeof *s.from);
    s.to = need((size_t)s.count * SMALL, sizeof *s.to);
    for (int64_t i = 0; i <= s.count; i++) s.starts[i] = i * SMALL;
    for (int64_t v = 0; v < s.count * SMALL; v++) {
        s.from[v] = v;
        s.to[v] = v / SMALL * SMALL + (v + 1) % SMALL;
    }
    bench_ok(
        pvg_graph_from_edges(&s.one, SMALL, s.from, s.to, SMALL, PVG_EDGES_STRICT, NULL));
    const double limit = bench_time(write_bytes, &s);
    for (int i = 0; i < 2; i++) {
        char note[96];
        if (!bench_wanted(cases[i].name)) continue;
        const double seconds = timed(cases[i].run, &s, note, cases[i].note);
        bench_report(&(bench_case){.name = cases[i].name,
                                   .seconds = seconds,
                                   .items = (double)s.count,
                                   .item = "graph",
                                   .roofline_seconds = limit,
                                   .roofline = "writing its bytes",
                                   .note = note});
    }
    pvg_graph_free(s.one);
    free(s.starts);
    free(s.from);
    free(s.to);
}

/* --- files ------------------------------------------------------------------------ */

typedef struct {
    char folder[64];
    const char *format;
    double bytes; /* read */
    double cpu;   /* least processor time of the program */
    uint32_t threads;
} files;

static const char *const parts[] = {"_A.txt", "_graph_indicator.txt",
                                    "_graph_labels.txt"};
enum { PARTS = sizeof parts / sizeof parts[0] };

static void read_set(void *context) {
    files *f = context;
    const pvg_run run = {.size = sizeof run, .threads = f->threads};
    pvg_graphset *set;
    const clock_t begin = clock();
    bench_ok(pvg_graphset_read_tudataset(&set, f->folder, "M", NULL, &run));
    note_cpu(begin);
    pvg_graphset_free(set);
}

/* All bytes of the files, looked at once. */
static void count_lines(void *context) {
    files *f = context;
    static char block[1 << 16];
    int64_t lines = 0;
    f->bytes = 0;
    for (int i = 0; i < PARTS; i++) {
        char path[160];
        snprintf(path, sizeof path, "%s/M%s", f->folder, parts[i]);
        FILE *file = fopen(path, "rb");
        size_t count;
        if (!file) exit(1);
        while ((count = fread(block, 1, sizeof block, file)) > 0) {
            f->bytes += (double)count;
            for (const char *at = block;
                 (at = memchr(at, '\n', (size_t)(block + count - at))); at++)
                lines++;
        }
        fclose(file);
    }
    if (lines == 0) exit(1);
}

static double child_seconds(void) {
    struct rusage use;
    getrusage(RUSAGE_CHILDREN, &use);
    return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
           1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

/* The program, from files to a file of 50 columns; processor time. */
static void embed(void *context) {
    files *f = context;
    char command[8192];
    snprintf(command, sizeof command,
             "'%s' embed '%s' --name M -p trees:50 -e 1 --anyway --quiet -f %s -o "
             "'%s/out' >/dev/null 2>&1",
             PVGB_TOOL, f->folder, f->format, f->folder);
    const double begin = child_seconds();
    const int status = system(command);
    const double seconds = child_seconds() - begin;
    if (status != 0) {
        fprintf(stderr, "bench: the program ended with %d: %s\n", status, command);
        exit(1);
    }
    if (seconds < f->cpu) f->cpu = seconds;
}

static double embed_seconds(files *f, const char *format) {
    f->format = format;
    f->cpu = INFINITY;
    (void)bench_time(embed, f);
    return f->cpu;
}

static void load_files(void) {
    files f = {.folder = "/tmp/pvg-load-XXXXXX"};
    if (!bench_wanted("load.set_files") && !bench_wanted("load.program_csv")) return;
    pvg_graphset *set = lookalike_molecules(bench_size(41127, 4000, 200));
    char path[160];
    if (!mkdtemp(f.folder)) exit(1);
    bench_ok(pvg_graphset_write_tudataset(f.folder, "M", set, NULL));
    const double limit = bench_time(count_lines, &f);
    for (f.threads = 1; f.threads <= 2 && bench_wanted("load.set_files"); f.threads++) {
        char note[96];
        const double seconds = timed(read_set, &f, note, "molecules, TUDataset");
        bench_report(&(bench_case){.name = "load.set_files",
                                   .seconds = seconds,
                                   .threads = f.threads,
                                   .items = f.bytes,
                                   .item = "byte",
                                   .roofline_seconds = limit,
                                   .roofline = "counting newlines",
                                   .note = note});
    }
    if (PVGB_TOOL[0] && bench_wanted("load.program_csv")) {
        const double npy = embed_seconds(&f, "npy"), csv = embed_seconds(&f, "csv");
        bench_report(&(bench_case){.name = "load.program_csv",
                                   .seconds = csv,
                                   .items = 50.0 * (double)pvg_graphset_count(set),
                                   .item = "value",
                                   .roofline_seconds = npy,
                                   .roofline = "the same as NPY",
                                   .note = "processor time of the program, files to "
                                           "file; goal 2 times"});
    }
    pvg_graphset_free(set);
    for (int i = 0; i < PARTS; i++) {
        snprintf(path, sizeof path, "%s/M%s", f.folder, parts[i]);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/out", f.folder);
    unlink(path);
    snprintf(path, sizeof path, "%s/out.guarantee.json", f.folder);
    unlink(path);
    rmdir(f.folder);
}

void bench_load(void) {
    load_library();
    load_csr();
    load_small();
    load_files();
}
