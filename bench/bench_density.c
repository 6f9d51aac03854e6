/* Homomorphism densities: look-alike sets and, where present, the real ones, with 1 and 2
 * threads. Each case stands next to
 *  - a roofline measured in the same run: adding rows of 64 bytes by index, 8 columns at
 * a time, from a table of the size the case works in (a block that fits in the first
 *    cache, or all nodes of a large graph in its own arc order); in dense graphs the
 *    matrix products of its steps; for other cases with cycles there is none;
 *  - the reference of reference.h on as many graphs as a few seconds allow, which is also
 *    the check of every density it computes. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "bench.h"
#include "density/elim/elim_internal.h"
#include "lookalike.h"
#include "peers.h"
#include "real.h"
#include "reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PATTERNS = 50, BLOCK_ROWS = 256 };

static double clock_now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double now(void) {
    return clock_now(CLOCK_MONOTONIC);
}

static void *need(size_t count, size_t bytes) {
    void *block = aligned_alloc(64, (count * bytes + 64) & ~(size_t)63);
    if (block) return block;
    fprintf(stderr, "bench: out of memory\n");
    exit(1);
}

/* --- rooflines ------------------------------------------------------------------ */

typedef double quad __attribute__((vector_size(32), aligned(32)));

/* Adds up rows of 8 doubles in the order of index: what a sparse product must at least
 * read and add. */
#define ADD_ROWS                                                                         \
    quad a = {0}, b = {0}, c = {0}, d = {0};                                             \
    for (int64_t i = 0; i + 1 < count; i += 2) {                                         \
        const quad *x = (const quad *)(table + 8 * (size_t)index[i]);                    \
        const quad *y = (const quad *)(table + 8 * (size_t)index[i + 1]);                \
        __builtin_prefetch(table + 8 * (size_t)index[i + ahead]);                        \
        __builtin_prefetch(table + 8 * (size_t)index[i + 1 + ahead]);                    \
        a += x[0];                                                                       \
        b += x[1];                                                                       \
        c += y[0];                                                                       \
        d += y[1];                                                                       \
    }                                                                                    \
    a += b + c + d;                                                                      \
    return a[0] + a[1] + a[2] + a[3];

static double add_rows_portable(const double *table, const int32_t *index, int64_t count,
                                int64_t ahead) {
    ADD_ROWS
}
#if defined(__x86_64__)
__attribute__((target("avx2"))) static double
add_rows_avx2(const double *table, const int32_t *index, int64_t count, int64_t ahead) {
    ADD_ROWS
}
#endif

enum { AHEAD = 24, GATHER_CHUNKS = 16 };

typedef struct {
    double *table;
    int32_t *index; /* count + AHEAD + 1 entries */
    int64_t count;
    uint32_t threads;
    double sums[GATHER_CHUNKS];
} gathers;

static int32_t gather_chunk(void *context, int64_t chunk, uint32_t worker) {
    gathers *g = context;
    const int64_t from = chunk * g->count / GATHER_CHUNKS;
    const int64_t count = (chunk + 1) * g->count / GATHER_CHUNKS - from;
    (void)worker;
#if defined(__x86_64__)
    if (pvgi_cpu_level() >= PVGI_CPU_AVX2) {
        g->sums[chunk] = add_rows_avx2(g->table, g->index + from, count, AHEAD);
        return PVG_OK;
    }
#endif
    g->sums[chunk] = add_rows_portable(g->table, g->index + from, count, AHEAD);
    return PVG_OK;
}

static void gather_all(void *context) {
    gathers *g = context;
    const pvg_run config = {.size = sizeof config, .threads = g->threads};
    pvgi_run run;
    bench_ok(pvgi_run_begin(&run, &config));
    bench_ok(pvgi_run_chunks(&run, GATHER_CHUNKS, gather_chunk, g));
}

/* Seconds per row added, from a table of `rows` rows in the order of columns (NULL:
 * pseudo-random). out[t - 1] is for t threads. */
static void measure_gathers(double out[2], int64_t rows, const int32_t *columns,
                            int64_t count) {
    gathers g = {.count = count};
    g.table = pvgi_alloc((size_t)rows * 8, sizeof *g.table); /* as the library has it */
    g.index = need((size_t)count + AHEAD + 1, sizeof *g.index);
    if (!g.table) exit(1);
    for (int64_t i = 0; i < rows * 8; i++) g.table[i] = 1.0;
    uint64_t state = 1;
    for (int64_t i = 0; i <= count + AHEAD; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        g.index[i] =
            columns ? columns[i % count] : (int32_t)((state >> 33) % (uint64_t)rows);
    }
    for (uint32_t threads = 1; threads <= 2; threads++) {
        g.threads = threads;
        out[threads - 1] = bench_time(gather_all, &g) / (double)count;
    }
    pvgi_free(g.table);
    free(g.index);
}

typedef struct {
    double *a, *b, *c;
    int64_t count;
} triads;

static void triad(void *context) {
    triads *t = context;
    for (int64_t i = 0; i < t->count; i++) t->a[i] = t->b[i] + 3.0 * t->c[i];
}

static double measure_triad(void) {
    triads t = {.count = bench_quick() ? 1 << 20 : 8 << 20};
    t.a = need((size_t)t.count, sizeof *t.a);
    t.b = need((size_t)t.count, sizeof *t.b);
    t.c = need((size_t)t.count, sizeof *t.c);
    for (int64_t i = 0; i < t.count; i++) t.a[i] = t.b[i] = t.c[i] = 1.0;
    const double seconds = bench_time(triad, &t);
    free(t.a);
    free(t.b);
    free(t.c);
    return 24.0 * (double)t.count / seconds;
}

/* --- one case ------------------------------------------------------------------- */

/* What patterns are counted in. */
typedef struct {
    const pvg_graphset *set; /* or */
    const pvg_graph *graph;
    double per_row[2]; /* roofline: seconds per row added, */
    double per_byte;   /* and per byte streamed */
    double per_matrix; /* seconds per product of matrices of the graphs' order, or 0 */
} data;

typedef struct {
    const data *data;
    pvg_density *density;
    double *out;
    uint32_t threads;
    double
        cpu; /* least processor time of a run, all threads: what a busy machine hides */
} work;

static int64_t graph_count(const data *d) {
    return d->set ? pvg_graphset_count(d->set) : 1;
}

static void evaluate(void *context) {
    work *w = context;
    const double start = clock_now(CLOCK_PROCESS_CPUTIME_ID);
    const pvg_run run = {.size = sizeof run, .threads = w->threads};
    bench_ok(
        w->data->set
            ? pvg_density_evaluate_exact(w->out, w->density, w->data->set, &run)
            : pvg_density_evaluate_graph_exact(w->out, w->density, w->data->graph, &run));
    const double cpu = clock_now(CLOCK_PROCESS_CPUTIME_ID) - start;
    if (cpu < w->cpu) w->cpu = cpu;
}

static double arcs(const data *d) {
    if (d->graph) return 2.0 * (double)pvg_graph_size(d->graph);
    const int64_t *starts, *offsets;
    const int32_t *columns;
    bench_ok(pvg_graphset_view_csr(&starts, &offsets, &columns, d->set));
    return (double)offsets[pvg_graphset_order(d->set)];
}

/* Every arc adds one row per eight products; the graphs are read and the densities
 * written once. */
static double roofline(const data *d, int64_t products, uint32_t threads) {
    const double rows = arcs(d) * (double)products / 8;
    const double nodes =
        (double)(d->set ? pvg_graphset_order(d->set) : pvg_graph_order(d->graph));
    const double bytes = 4 * arcs(d) + 8 * nodes + 8 * (double)graph_count(d) * PATTERNS;
    return rows * d->per_row[threads - 1] + bytes * d->per_byte / threads;
}

/* Every step that can be a matrix product is one, and nothing else costs. */
static double dense_roofline(const data *d, const pvgi_elim_plan *plan) {
    double products = 0;
    for (int32_t i = 0; i < plan->steps; i++)
        products += plan->step[i].dense && plan->step[i].arity == 2;
    return products * (double)graph_count(d) * d->per_matrix;
}

/* A density of the library may differ from the reference by rounding only. */
static void check(const char *name, const double *found, const double *expected,
                  int64_t count) {
    for (int64_t i = 0; i < count; i++) {
        if (fabs(found[i] - expected[i]) <= 1e-9 * expected[i]) continue;
        fprintf(stderr, "bench: %s: wrong density %lld: %.17g, should be %.17g\n", name,
                (long long)i, found[i], expected[i]);
        exit(1);
    }
}

/* Runs the reference on graphs until `budget` seconds are over; returns its time for all
 * graphs, measured or, from a part, estimated. */
static double run_reference(const char *name, const work *w, const pvg_patterns *patterns,
                            double budget, int64_t *checked) {
    const int64_t graphs = graph_count(w->data);
    double *row = need(PATTERNS, sizeof *row);
    double done = 0, all = 0;
    const double start = now();
    if (w->data->graph) { /* as many patterns as time allows; cost goes by edges */
        int64_t i = 0;
        for (; i < PATTERNS && (now() - start < budget || i == 0); i++) {
            pvg_patterns *one;
            bench_ok(pvg_patterns_select(&one, patterns, &i, 1));
            reference_forests(row, one, w->data->graph);
            check(name, w->out + i, row, 1);
            done += 1.0 + (double)pvg_patterns_size(patterns, i);
            pvg_patterns_free(one);
        }
        for (int64_t k = 0; k < PATTERNS; k++)
            all += 1.0 + (double)pvg_patterns_size(patterns, k);
        *checked = i;
        free(row);
        return (now() - start) * all / done;
    }
    const int64_t *starts, *offsets;
    const int32_t *columns;
    bench_ok(pvg_graphset_view_csr(&starts, &offsets, &columns, w->data->set));
    all = (double)starts[graphs];
    int64_t i = 0;
    for (; i < graphs && (now() - start < budget || i == 0); i++) {
        reference_densities(row, patterns, w->data->set, i, i + 1);
        check(name, w->out + i * PATTERNS, row, PATTERNS);
        done += (double)(starts[i + 1] - starts[i]);
    }
    *checked = i;
    free(row);
    return (now() - start) * all / done;
}

static void run_case(const char *name, const data *d, const char *what) {
    if (!bench_wanted(name)) return;
    pvg_patterns *patterns = lookalike_patterns(what, PATTERNS);
    work w = {.data = d, .cpu = INFINITY};
    const int64_t graphs = graph_count(d);
    static char notes[64][160];
    static int note_count;
    char *note = notes[note_count++ % 64];
    bench_ok(pvg_density_new(&w.density, patterns, NULL));
    w.out = need((size_t)graphs * PATTERNS, sizeof *w.out);
    const int64_t products = pvg_density_products(w.density);
    const bool trees = w.density->components == w.density->trees;
    double seconds[2], reference = 0;
    int64_t checked = 0;
    for (uint32_t threads = 1; threads <= 2; threads++) {
        w.threads = threads;
        seconds[threads - 1] = bench_time(evaluate, &w);
    }
    reference = run_reference(name, &w, patterns, bench_budget(2.0), &checked);
    snprintf(note, sizeof notes[0],
             "cpu %.4g s; %lld products of %lld; %lld of %lld %s checked", w.cpu,
             (long long)products, (long long)pvg_density_products_unshared(w.density),
             (long long)checked, (long long)(d->set ? graphs : PATTERNS),
             d->set ? "graphs" : "patterns");
    for (uint32_t threads = 1; threads <= 2; threads++)
        bench_report(&(bench_case){
            .name = name,
            .seconds = seconds[threads - 1],
            .threads = threads,
            .items = (double)graphs * PATTERNS,
            .item = "pair",
            .roofline_seconds = trees ? roofline(d, products, threads)
                                      : dense_roofline(d, w.density->elim_plan),
            .roofline = trees ? "its reads and writes" : "its matrix products",
            .reference_seconds = reference,
            .reference =
                trees ? "one product per edge, 1 thread" : "dense tables, 1 thread",
            .checksum = bench_checksum(w.out, (size_t)graphs * PATTERNS * sizeof *w.out),
            .note = note});
    free(w.out);
    pvg_density_free(w.density);
    pvg_patterns_free(patterns);
}

/* --- the sets ------------------------------------------------------------------- */

typedef struct {
    const char *name, *patterns;
    bool slow; /* left out with --quick */
} named_case;

static void run_set(const pvg_graphset *set, const named_case *cases, int count,
                    double per_byte) {
    data d = {.set = set, .per_byte = per_byte};
    measure_gathers(d.per_row, BLOCK_ROWS, NULL, 1 << 20);
    for (int i = 0; i < count; i++)
        if (!cases[i].slow || !bench_quick())
            run_case(cases[i].name, &d, cases[i].patterns);
}

static void run_powerlaw(double per_byte) {
    data d = {.graph = lookalike_powerlaw(bench_quick() ? 100000 : 1000000),
              .per_byte = per_byte};
    const int64_t *offsets;
    const int32_t *columns;
    bench_ok(pvg_graph_view_csr(&offsets, &columns, d.graph));
    measure_gathers(d.per_row, pvg_graph_order(d.graph), columns,
                    2 * pvg_graph_size(d.graph));
    run_case("density.powerlaw.trees_ref", &d, "ref1");
    run_case("density.powerlaw.trees_stress", &d, "stress1");
    pvg_graph_free((pvg_graph *)d.graph);
}

typedef struct {
    double *a, *b, *out;
    int64_t order;
} matrices;

static void multiply(void *context) {
    matrices *m = context;
    pvgi_density_dense_multiply(m->out, m->a, m->b, m->order, m->order, m->order);
}

/* Graphs in which every second pair is joined. */
static void run_dense(void) {
    enum { ORDER = 150, GRAPHS = 4 };
    matrices m = {.order = ORDER};
    pvg_graphset_builder *builder;
    pvg_graphset *set;
    pvg_rng *rng;
    bench_ok(pvg_rng_new_seeded(&rng, 7));
    bench_ok(pvg_graphset_builder_new(&builder, 0));
    for (int i = 0; i < GRAPHS; i++) {
        pvg_graph *graph;
        bench_ok(pvg_graph_draw_erdos_renyi(&graph, ORDER, 0.5, rng, NULL));
        bench_ok(pvg_graphset_builder_add(builder, graph, -1, NULL, NULL));
        pvg_graph_free(graph);
    }
    bench_ok(pvg_graphset_builder_finish(&set, builder));
    m.a = need(ORDER * ORDER, sizeof *m.a);
    m.b = need(ORDER * ORDER, sizeof *m.b);
    m.out = need(ORDER * ORDER, sizeof *m.out);
    for (int i = 0; i < ORDER * ORDER; i++) m.a[i] = m.b[i] = i % 2;
    data d = {.set = set, .per_matrix = bench_time(multiply, &m)};
    run_case("density.dense.tw2_ref", &d, "ref2");
    free(m.a);
    free(m.b);
    free(m.out);
    pvg_graphset_builder_free(builder);
    pvg_graphset_free(set);
    pvg_rng_free(rng);
}

void bench_density(void) {
    static const named_case molecules[] = {
        {"density.molhiv_like.trees_ref", "ref1", false},
        {"density.molhiv_like.trees_stress", "stress1", false},
        {"density.molhiv_like.tw2_ref", "ref2", false},
        {"density.molhiv_like.tw3_ref", "ref3", false},
        {"density.molhiv_like.tw2_stress", "stress2", false},
        {"density.molhiv_like.tw3_stress", "stress3", false}};
    static const named_case threads[] = {{"density.reddit_like.trees_ref", "ref1", false},
                                         {"density.reddit_like.tw2_ref", "ref2", false}};
    static const named_case real_molecules[] = {
        {"density.molhiv.trees_ref", "ref1", false},
        {"density.molhiv.trees_stress", "stress1", false},
        {"density.molhiv.tw2_ref", "ref2", true},
        {"density.molhiv.tw3_ref", "ref3", true}};
    static const named_case real_threads[] = {{"density.reddit.trees_ref", "ref1", false},
                                              {"density.reddit.tw2_ref", "ref2", true}};
    if (bench_peers() && bench_asks_within("density.peers")) {
        peers_density();
        return;
    }
    const double triad_speed = measure_triad(), per_byte = 1.0 / triad_speed;
    printf("density: triad %.1f GB/s, 1 thread\n", 1e-9 * triad_speed);
    pvg_graphset *set = lookalike_molecules(bench_quick() ? 4000 : 41127);
    run_set(set, molecules, 6, per_byte);
    pvg_graphset_free(set);
    set = lookalike_threads(bench_quick() ? 100 : 2000);
    run_set(set, threads, 2, per_byte);
    pvg_graphset_free(set);
    run_dense();
    run_powerlaw(per_byte);
    if (bench_peers()) peers_density();
    if (bench_quick()) return;
    set = real_set("molhiv");
    if (set) run_set(set, real_molecules, 4, per_byte);
    pvg_graphset_free(set);
    set = real_set("REDDIT-BINARY");
    if (set) run_set(set, real_threads, 2, per_byte);
    pvg_graphset_free(set);
}
