/* Building graphs, next to sorting the same packed array (LSD radix sort, eight bits at a
 * time, one thread: what a program would do by hand), and the speed of generators. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "bench.h"
#include "graph/graph_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int64_t order, count;
    int64_t *sources, *targets;
    uint32_t threads;
    uint64_t *packed, *spare; /* both directions of every edge */
    uint64_t checksum;
} work;

/* splitmix64 */
static uint64_t next_random(uint64_t *state) {
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static void *need(size_t bytes) {
    void *block = malloc(bytes);
    if (block) return block;
    fprintf(stderr, "bench: out of memory\n");
    exit(1);
}

static uint64_t graph_checksum(const pvg_graph *graph) {
    return bench_checksum(graph->columns, (size_t)graph->size * 2 * sizeof(int32_t));
}

/* What both sides start from. */
static void make_work(work *w) {
    uint64_t state = 1;
    const size_t bytes = (size_t)w->count * sizeof(int64_t);
    w->sources = need(bytes);
    w->targets = need(bytes);
    w->packed = need(2 * bytes);
    w->spare = need(2 * bytes);
    for (int64_t i = 0; i < w->count; i++) {
        w->sources[i] = (int64_t)(next_random(&state) % (uint64_t)w->order);
        w->targets[i] = (int64_t)(next_random(&state) % (uint64_t)w->order);
    }
}

static void free_work(work *w) {
    free(w->sources);
    free(w->targets);
    free(w->packed);
    free(w->spare);
}

/* Packs both directions and sorts them, no merging, no rows: less than a graph needs. */
static void sort_both_directions(void *context) {
    work *w = context;
    const int64_t count = 2 * w->count;
    uint64_t *from = w->packed, *to = w->spare;
    for (int64_t i = 0; i < w->count; i++) {
        from[2 * i] = pvgi_edge_pack((uint64_t)w->sources[i], (uint64_t)w->targets[i]);
        from[2 * i + 1] =
            pvgi_edge_pack((uint64_t)w->targets[i], (uint64_t)w->sources[i]);
    }
    for (int shift = 0; shift < 64; shift += 8) {
        int64_t places[257] = {0};
        if ((uint64_t)(w->order - 1) >> (shift % 32) == 0) continue; /* digit is zero */
        for (int64_t i = 0; i < count; i++) places[(from[i] >> shift & 255) + 1]++;
        for (int i = 0; i < 256; i++) places[i + 1] += places[i];
        for (int64_t i = 0; i < count; i++)
            to[places[from[i] >> shift & 255]++] = from[i];
        uint64_t *keep = from;
        from = to;
        to = keep;
    }
    w->checksum = from[count / 2];
}

static void build(void *context) {
    work *w = context;
    const pvg_run run = {.size = sizeof run, .threads = w->threads};
    pvg_graph *graph;
    bench_ok(pvg_graph_from_edges(&graph, w->order, w->sources, w->targets, w->count,
                                  PVG_EDGES_MERGE | PVG_EDGES_DROP_LOOPS, &run));
    pvg_graph_free(graph);
}

/* Peak memory of a build as a multiple of the result; also the checksum of the result. */
static double peak_share(const work *w, uint64_t *checksum) {
    const pvg_run run = {.size = sizeof run, .threads = 2};
    pvg_graph *graph;
    const size_t begin = bench_peak_begin();
    bench_ok(pvg_graph_from_edges(&graph, w->order, w->sources, w->targets, w->count,
                                  PVG_EDGES_MERGE | PVG_EDGES_DROP_LOOPS, &run));
    const double result = 8.0 * (double)(graph->order + 1) + 8.0 * (double)graph->size;
    *checksum = graph_checksum(graph);
    pvg_graph_free(graph);
    return (double)bench_peak_bytes(begin) / result;
}

static void bench_build(void) {
    static char note[80];
    work w = {.order = bench_quick() ? 100000 : 1000000,
              .count = bench_quick() ? 1000000 : 10000000};
    make_work(&w);
    uint64_t checksum = 0;
    const double share = peak_share(&w, &checksum);
    snprintf(note, sizeof note, "peak memory %.2f times the CSR", share);
    const double sorting = bench_time(sort_both_directions, &w);
    for (uint32_t threads = 1; threads <= 2; threads++) {
        w.threads = threads;
        bench_report(
            &(bench_case){.name = bench_quick() ? "graph.build_1m" : "graph.build_10m",
                          .seconds = bench_time(build, &w),
                          .threads = threads,
                          .items = (double)w.count,
                          .item = "edge",
                          .reference_seconds = sorting,
                          .reference = "radix sort of both directions, 1 thread",
                          .checksum = checksum,
                          .note = note});
    }
    free_work(&w);
}

/* --- generators ------------------------------------------------------------------ */

typedef struct {
    int kind;
    int64_t order;
    double *weights;
    int64_t size;
    uint64_t checksum;
} generator;

static void draw(void *context) {
    generator *g = context;
    pvg_rng *rng;
    pvg_graph *graph = NULL;
    bench_ok(pvg_rng_new_seeded(&rng, 1));
    switch (g->kind) {
    case 0:
        bench_ok(pvg_graph_draw_erdos_renyi(&graph, g->order, 20.0 / (double)g->order,
                                            rng, NULL));
        break;
    case 1:
        bench_ok(pvg_graph_draw_chung_lu(&graph, g->weights, g->order, rng, NULL));
        break;
    case 2:
        bench_ok(pvg_graph_draw_preferential(&graph, g->order, 10, rng, NULL));
        break;
    case 3:
        bench_ok(pvg_graph_draw_tree(&graph, g->order, rng));
        break;
    default:
        bench_ok(pvg_graph_draw_ktree(&graph, g->order, 5, rng));
    }
    g->size = pvg_graph_size(graph);
    g->checksum = graph_checksum(graph);
    pvg_graph_free(graph);
    pvg_rng_free(rng);
}

static void bench_generators(void) {
    static const char *const names[] = {"graph.draw_erdos_renyi", "graph.draw_chung_lu",
                                        "graph.draw_preferential", "graph.draw_tree",
                                        "graph.draw_ktree"};
    for (int kind = 0; kind < 5; kind++) {
        generator g = {.kind = kind, .order = bench_quick() ? 20000 : 200000};
        g.weights = need((size_t)g.order * sizeof *g.weights);
        for (int64_t i = 0; i < g.order; i++) g.weights[i] = 5.0 + (double)(i % 31);
        const double seconds = bench_time(draw, &g);
        bench_report(&(bench_case){.name = names[kind],
                                   .seconds = seconds,
                                   .items = (double)g.size,
                                   .item = "edge",
                                   .checksum = g.checksum,
                                   .note = "drawn, built, checksummed"});
        free(g.weights);
    }
}

void bench_graph(void) {
    bench_build();
    bench_generators();
}
