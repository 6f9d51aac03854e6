/* Sparse times dense: the normalised operator of a graph times a dense matrix of 16, 64
 * and 256 columns, in 64 and 32 bits, with 1 and 2 threads. Each case stands next to
 *  - a roofline measured in the same run: reading the arcs of the graph and, for each,
 *    one whole row of the same row-major matrix, added to registers, and writing a result
 *    of zeros in one sweep, with the same number of threads and the best of several
 *    prefetch distances. No row ends and nothing is weighted: this is the memory traffic
 *    of a product that takes the matrix as it is. One that keeps slices of the matrix in
 *    a nearer cache can beat it;
 *  - a simple loop over rows, stored values and columns, which is also the check. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "base/base_internal.h"
#include "bench.h"
#include "lookalike.h"
#include "peers.h"
#include "spmm_case.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOF_CHUNKS = 64 };

typedef struct {
    pvg_graph *graph;
    const pvg_layers *layers;
    spmm_matrix matrix;
    const int64_t *offsets;
    const int32_t *columns;
    void *x, *out;
    int64_t d;
    bool single;
    uint32_t threads;
    int64_t ahead;
    double sums[ROOF_CHUNKS];
} job;

/* --- roofline ------------------------------------------------------------------- */

typedef double quad __attribute__((vector_size(32), aligned(4), may_alias));

/* Rows as bytes: floats are added in pairs as if they were doubles, which costs the same.
 * W: vectors at a time. */
#define READ_ROWS(W)                                                                     \
    quad sum[W];                                                                         \
    for (int w = 0; w < (W); w++) sum[w] = (quad){0};                                    \
    for (int64_t k = from; k < to; k++) {                                                \
        const char *row = table + (size_t)columns[k] * bytes;                            \
        if (ahead) {                                                                     \
            const char *next =                                                           \
                table + (size_t)columns[k + ahead < to ? k + ahead : k] * bytes;         \
            for (size_t b = 0; b < bytes; b += 64) __builtin_prefetch(next + b);         \
        }                                                                                \
        for (size_t b = 0; b < bytes; b += 32 * (W))                                     \
            for (int w = 0; w < (W); w++) sum[w] += *(const quad *)(row + b + 32 * w);   \
    }                                                                                    \
    for (int w = 1; w < (W); w++) sum[0] += sum[w];                                      \
    return sum[0][0] + sum[0][1] + sum[0][2] + sum[0][3];

typedef double (*read_fn)(const char *table, size_t bytes, const int32_t *columns,
                          int64_t from, int64_t to, int64_t ahead);
#define READERS(name, target)                                                            \
    target static double narrow_##name(const char *table, size_t bytes,                  \
                                       const int32_t *columns, int64_t from, int64_t to, \
                                       int64_t ahead){READ_ROWS(                         \
        2)} target static double middle_##name(const char *table, size_t bytes,          \
                                               const int32_t *columns, int64_t from,     \
                                               int64_t to, int64_t ahead){READ_ROWS(     \
        4)} target static double wide_##name(const char *table, size_t bytes,            \
                                             const int32_t *columns, int64_t from,       \
                                             int64_t to, int64_t ahead) {                \
        READ_ROWS(8)                                                                     \
    }
READERS(portable, )
#if defined(__x86_64__)
READERS(avx2, __attribute__((target("avx2"))))
#endif

static read_fn reader(size_t bytes) {
    const int kind = bytes >= 256 ? 2 : bytes >= 128 ? 1 : 0;
#if defined(__x86_64__)
    if (pvgi_cpu_level() >= PVGI_CPU_AVX2)
        return kind == 2 ? wide_avx2 : kind == 1 ? middle_avx2 : narrow_avx2;
#endif
    return kind == 2 ? wide_portable : kind == 1 ? middle_portable : narrow_portable;
}

static int32_t read_chunk(void *context, int64_t chunk, uint32_t worker) {
    job *j = context;
    const size_t bytes = (size_t)j->d * (j->single ? sizeof(float) : sizeof(double));
    const int64_t n = pvg_graph_order(j->graph), arcs = j->offsets[n];
    const int64_t first = chunk * n / ROOF_CHUNKS, last = (chunk + 1) * n / ROOF_CHUNKS;
    (void)worker;
    memset((char *)j->out + (size_t)first * bytes, 0, (size_t)(last - first) * bytes);
    j->sums[chunk] = reader(bytes)(j->x, bytes, j->columns, chunk * arcs / ROOF_CHUNKS,
                                   (chunk + 1) * arcs / ROOF_CHUNKS, j->ahead);
    return PVG_OK;
}

static void read_all(void *context) {
    job *j = context;
    const pvg_run config = {.size = sizeof config, .threads = j->threads};
    pvgi_run run;
    bench_ok(pvgi_run_begin(&run, &config));
    bench_ok(pvgi_run_chunks(&run, ROOF_CHUNKS, read_chunk, j));
}

/* --- the product, and the simple loop ------------------------------------------- */

static void product(void *context) {
    const job *j = context;
    const pvg_run run = {.size = sizeof run, .threads = j->threads};
    if (j->single)
        bench_ok(pvg_propagate_apply_float_exact(j->out, j->layers, j->graph, j->x, j->d,
                                                 &run));
    else
        bench_ok(
            pvg_propagate_apply_exact(j->out, j->layers, j->graph, j->x, j->d, &run));
}

/* noinline: otherwise compilers make one loop of both */
#define SIMPLE(type)                                                                     \
    __attribute__((noinline)) static void simple_##type(const job *j, type *out) {       \
        const spmm_matrix *m = &j->matrix;                                               \
        const type *x = j->x;                                                            \
        for (int64_t u = 0; u < m->order; u++) {                                         \
            type *to = out + u * j->d;                                                   \
            for (int64_t i = 0; i < j->d; i++) to[i] = 0;                                \
            for (int64_t k = m->offsets[u]; k < m->offsets[u + 1]; k++) {                \
                const type value = (type)m->values[k];                                   \
                const type *row = x + m->columns[k] * j->d;                              \
                for (int64_t i = 0; i < j->d; i++) to[i] += value * row[i];              \
            }                                                                            \
        }                                                                                \
    }
SIMPLE(double)
SIMPLE(float)

static void simple(void *context) {
    const job *j = context;
    if (j->single)
        simple_float(j, j->out);
    else
        simple_double(j, j->out);
}

static double entry(const job *j, int64_t i) {
    return j->single ? (double)((const float *)j->out)[i] : ((const double *)j->out)[i];
}

/* Largest difference of a sample of entries; both results use j->out. */
static void check(job *j) {
    enum { SAMPLE = 4096 };
    static double expected[SAMPLE];
    const int64_t count = pvg_graph_order(j->graph) * j->d;
    simple(j);
    for (int64_t i = 0; i < SAMPLE; i++) expected[i] = entry(j, i * 7919 % count);
    product(j);
    for (int64_t i = 0; i < SAMPLE; i++)
        if (!(fabs(expected[i] - entry(j, i * 7919 % count)) <=
              (j->single ? 1e-5 : 1e-13))) {
            fprintf(stderr, "bench: spmm disagrees with the simple loop\n");
            exit(1);
        }
}

/* --- other libraries -------------------------------------------------------------- */

static void write_all(FILE *file, const void *data, size_t bytes, size_t count) {
    if (fwrite(data, bytes, count, file) == count) return;
    fprintf(stderr, "bench: cannot write the matrix for other libraries\n");
    exit(1);
}

/* Writes the matrix for peers.py; the path is the caller's to remove. */
static void write_matrix(char *path, const spmm_matrix *m) {
    const int handle = mkstemp(path);
    FILE *file = handle >= 0 ? fdopen(handle, "wb") : NULL;
    if (!file) exit(1);
    write_all(file, &m->order, sizeof m->order, 1);
    write_all(file, &m->entries, sizeof m->entries, 1);
    write_all(file, m->offsets, sizeof *m->offsets, (size_t)m->order + 1);
    write_all(file, m->columns, sizeof *m->columns, (size_t)m->entries);
    write_all(file, m->values, sizeof *m->values, (size_t)m->entries);
    if (fclose(file) != 0) exit(1);
}

static void print_peer(const char *name, const char *peer, uint32_t threads, double ours,
                       double theirs, double sum, double expected) {
    if (isnan(theirs)) {
        printf("  %-38s %s: not there\n", name, peer);
        return;
    }
    printf("  %-38s %2u thr %10.4g s, %s %10.4g s: %.2f times as long%s\n", name,
           (unsigned)threads, ours, peer, theirs, theirs / ours,
           fabs(sum - expected) <= 1e-9 * expected ? "" : "  WRONG RESULT");
}

/* The same product by other libraries; scipy has one thread. */
static void run_peers(job *j, const char *name) {
    const char *folder = getenv("TMPDIR");
    const int64_t count = pvg_graph_order(j->graph) * j->d;
    char path[4096];
    double expected = 0, sum = 0;
    product(j);
    for (int64_t i = 0; i < count; i++) expected += fabs(entry(j, i));
    for (j->threads = 1; j->threads <= 2; j->threads++) {
        const double ours = bench_time(product, j);
        const double theirs = peer_graphblas(&sum, &j->matrix, j->x, j->d, j->threads);
        print_peer(name, "GraphBLAS", j->threads, ours, theirs, sum, expected);
    }
    j->threads = 1;
    snprintf(path, sizeof path, "%s/privgraph-bench-XXXXXX", folder ? folder : "/tmp");
    write_matrix(path, &j->matrix);
    const double theirs = peer_scipy(&sum, path, j->d), ours = bench_time(product, j);
    print_peer(name, "scipy.sparse", 1, ours, theirs, sum, expected);
    remove(path);
}

/* Seconds of the product, and of its roofline with the best prefetch distance. */
static void time_both(double *ours, double *roofline, job *j) {
    const int64_t distances[] = {0, 2, 8, 24};
    enum { ROOFS = sizeof distances / sizeof distances[0] };
    job roofs[ROOFS];
    bench_body bodies[ROOFS + 1] = {{product, j}};
    double seconds[ROOFS + 1];
    for (int i = 0; i < ROOFS; i++) {
        roofs[i] = *j;
        roofs[i].ahead = distances[i];
        bodies[i + 1] = (bench_body){read_all, &roofs[i]};
    }
    bench_times(seconds, bodies, ROOFS + 1);
    *ours = seconds[0];
    *roofline = INFINITY;
    for (int i = 1; i <= ROOFS; i++) *roofline = fmin(*roofline, seconds[i]);
}

static void run_case(job *j, const char *full) {
    const size_t count = (size_t)pvg_graph_order(j->graph) * (size_t)j->d;
    check(j);
    const uint64_t sum =
        bench_checksum(j->out, (count < 100000 ? count : 100000) * sizeof(float));
    const double reference = bench_time(simple, j);
    for (j->threads = 1; j->threads <= 2; j->threads++) {
        double ours, roofline;
        time_both(&ours, &roofline, j);
        bench_report(&(bench_case){
            .name = full,
            .seconds = ours,
            .threads = j->threads,
            .items = (double)(j->matrix.entries * j->d),
            .item = "number",
            .roofline_seconds = roofline,
            .roofline = "reading rows, writing the result",
            .reference_seconds = reference,
            .reference = "a simple loop",
            .checksum = sum,
        });
    }
    j->threads = 1;
    if (bench_peers() && !j->single) run_peers(j, full);
}

/* The name is kept for --json. */
static char *case_name(const char *graph, int64_t d, bool single) {
    char *name = malloc(100);
    if (!name) exit(1);
    snprintf(name, 100, "spmm.%s.d%d%s", graph, (int)d, single ? "_float" : "");
    return name;
}

static void run_graph(const spmm_graph *s, const pvg_layers *layers) {
    job j = {.layers = layers};
    for (int w = 0; w < SPMM_WIDTHS; w++)
        for (int single = 0; single < 2; single++) {
            char *name = case_name(s->name, spmm_widths[w], single);
            if (!bench_wanted(name) || (bench_quick() && single && w != 1)) {
                free(name);
                continue;
            }
            if (!j.graph) {
                j.graph = lookalike_network(
                    bench_size(s->order, s->quick_order, s->quick_order / 4),
                    s->mean_degree);
                j.matrix = spmm_matrix_of(j.graph);
                bench_ok(pvg_graph_view_csr(&j.offsets, &j.columns, j.graph));
                printf("spmm: %s: %lld nodes, %lld arcs\n", s->name,
                       (long long)j.matrix.order, (long long)j.offsets[j.matrix.order]);
            }
            j.d = spmm_widths[w];
            j.single = single;
            j.threads = 1;
            j.x = spmm_dense(j.matrix.order * j.d, j.single);
            j.out = spmm_scratch((size_t)(j.matrix.order * j.d) * sizeof(double));
            run_case(&j, name);
            free(j.x);
            free(j.out);
        }
    spmm_matrix_free(&j.matrix);
    pvg_graph_free(j.graph);
}

void bench_spmm(void) {
    pvg_layers *layers;
    bench_ok(pvg_layers_new(&layers, NULL, NULL, 0));
    for (int g = 0; g < SPMM_GRAPHS; g++) run_graph(&spmm_graphs[g], layers);
    pvg_layers_free(layers);
}
