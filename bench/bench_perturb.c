/* perturb: ns per edge that comes out, next to drawing as many exact geometric skips, and
 * how it grows with the number of nodes at a fixed mean degree; bytes held at most, next
 * to those of the result. Add a line to the table for another method. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "bench.h"
#include "perturb/perturb_internal.h"

#include <stdio.h>

/* order and edges are divided by 5 with --quick. */
static const struct {
    const char *name, *kind;
    double epsilon;
    int64_t order, edges;
} table[] = {
    {"perturb.response.100k", "response", 8.0, 100000, 1000000},
    {"perturb.response.grow.25k", "response", 8.0, 25000, 250000},
    {"perturb.response.grow.50k", "response", 8.0, 50000, 500000},
    {"perturb.response.grow.200k", "response", 8.0, 200000, 2000000},
    {"perturb.dprr.grow.250k", "dprr", 2.0, 250000, 2500000},
    {"perturb.dprr.grow.500k", "dprr", 2.0, 500000, 5000000},
    {"perturb.dprr.1M", "dprr", 2.0, 1000000, 10000000},
    {"perturb.lapgraph.grow.25k", "lapgraph", 8.0, 25000, 250000},
    {"perturb.lapgraph.grow.50k", "lapgraph", 8.0, 50000, 500000},
    {"perturb.lapgraph.grow.100k", "lapgraph", 8.0, 100000, 1000000},
    {"perturb.lapgraph.grow.200k", "lapgraph", 8.0, 200000, 2000000},
    {"perturb.lapgraph.eps1.100k", "lapgraph", 1.0, 100000, 1000000},
};

typedef struct {
    const pvg_query *query;
    const pvg_graph *graph;
    pvg_run run;
    pvg_release *release;
    pvgi_skip skip;
    int64_t skips;
    uint64_t sum;
} work;

static void run_draw(void *context) {
    work *w = context;
    pvg_rng *rng;
    pvg_release_free(w->release);
    bench_ok(pvg_rng_new_seeded(&rng, 4));
    const pvg_input input = {.size = sizeof input, .graph = w->graph};
    bench_ok(pvg_release_draw(&w->release, w->query, &input, rng, NULL, &w->run));
    pvg_rng_free(rng);
}

/* The random part alone: as many skips as edges come out. */
static void run_skips(void *context) {
    work *w = context;
    pvg_rng *rng;
    pvgi_stream stream;
    bench_ok(pvg_rng_new_seeded(&rng, 5));
    bench_ok(pvgi_rng_stream_open(&stream, rng));
    for (int64_t i = 0; i < w->skips; i++)
        w->sum += pvgi_rng_draw_skip(&w->skip, &stream, UINT64_C(1) << 62);
    pvgi_rng_stream_close(&stream);
    pvg_rng_free(rng);
}

static void time_line(size_t line, uint32_t threads) {
    const int64_t shrink = bench_size(1, 5, 50);
    const int64_t order = table[line].order / shrink;
    const double pairs = (double)order * (double)(order - 1) / 2;
    const uint64_t flip = pvgi_rng_flip_threshold(table[line].epsilon);
    const pvg_target target = {
        .size = sizeof target, .epsilon = table[line].epsilon, .allow_seeded = 1};
    work w = {.run = {.size = sizeof w.run, .threads = threads},
              .skip = pvgi_rng_skip(flip, 0)};
    pvg_graph *graph;
    pvg_query *query;
    const pvg_graph *result;
    pvg_rng *rng;
    static char note[128]; /* outlives the report */
    bench_ok(pvg_rng_new_seeded(&rng, 3));
    bench_ok(pvg_graph_draw_erdos_renyi(
        &graph, order, (double)(table[line].edges / shrink) / pairs, rng, NULL));
    pvg_rng_free(rng);
    bench_ok(pvg_query_new(&query, table[line].kind, NULL, &target, NULL));
    w.graph = graph;
    w.query = query;
    const size_t begin = bench_peak_begin();
    run_draw(&w);
    const double peak = (double)bench_peak_bytes(begin);
    bench_ok(pvg_release_view_graph(&result, w.release));
    w.skips = pvg_graph_size(result);
    const double bytes = 8.0 * (double)w.skips + 8.0 * (double)order;
    snprintf(note, sizeof note, "%.1f MB held at most, %.2f times the result",
             1e-6 * peak, peak / bytes);
    bench_case c = {.name = table[line].name,
                    .threads = threads,
                    .items = (double)w.skips,
                    .item = "edge",
                    .roofline = "as many skips",
                    .note = note};
    c.seconds = bench_time(run_draw, &w);
    c.roofline_seconds = bench_time(run_skips, &w);
    bench_ok(pvg_release_view_graph(&result, w.release));
    c.checksum = bench_checksum(result->columns, (size_t)w.skips * 2 * sizeof(int32_t));
    bench_report(&c);
    pvg_release_free(w.release);
    pvg_query_free(query);
    pvg_graph_free(graph);
}

void bench_perturb(void) {
    for (size_t line = 0; line < sizeof table / sizeof table[0]; line++)
        time_line(line, 1);
    time_line(0, 2);
}
