/* statistic and learn: caps; lists of persons and things, streamed, of which top lists
 * have 10^8 entries in a full run; edge histograms of a power-law graph, ns per edge,
 * next to the one load per arc that they cannot do without; the read-out of edge
 * histograms, ns per node and cell. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "bench.h"
#include "learn/learn_internal.h"
#include "lookalike.h"

#include <math.h>
#include <privgraph-learn.h>
#include <stdio.h>
#include <stdlib.h>

enum { KINDS = 8, CLASSES = 4, READ_NODES = 22470 };

typedef struct {
    const pvg_graph *graph;
    pvg_query *query;
    const int64_t *keys;
    double *out;
    pvg_rng *rng;
    bool noisy;
    uint32_t threads;
    int64_t sum;
} work;

/* Without the copy that values_exact makes for its caller. */
static void run_histogram(void *context) {
    work *w = context;
    const pvg_run wanted = {.size = sizeof wanted, .threads = w->threads};
    const pvg_statistic *statistic = w->query->state;
    pvgi_run run;
    pvgi_stream stream;
    bench_ok(pvgi_run_begin(&run, &wanted));
    bench_ok(pvgi_rng_stream_open(&stream, w->rng));
    pvgi_scratch scratch;
    bench_ok(pvgi_statistic_scratch(&scratch, statistic, w->graph->order, &run));
    bench_ok(pvgi_statistic_draw(w->out, statistic, w->graph, &scratch,
                                 w->noisy ? &stream : NULL, &run));
    pvgi_statistic_scratch_free(&scratch);
    pvgi_rng_stream_close(&stream);
}

/* One word per arc, by its column, and one row of numbers written per node. */
static void run_arcs(void *context) {
    work *w = context;
    int64_t sum = 0;
    for (int64_t v = 0; v < w->graph->order; v++) {
        for (int64_t i = w->graph->offsets[v]; i < w->graph->offsets[v + 1]; i++)
            sum += w->keys[w->graph->columns[i]];
        for (int k = 0; k < KINDS; k++) w->out[v * KINDS + k] = (double)sum;
    }
    w->sum += sum;
}

static void time_histogram(const char *name, bool noisy, uint32_t threads,
                           const pvg_graph *graph) {
    const int64_t order = graph->order;
    const pvg_target target = {.size = sizeof target, .epsilon = 1.0, .allow_seeded = 1};
    double *priorities = malloc((size_t)order * sizeof *priorities), times[2];
    int32_t *kinds = malloc((size_t)order * sizeof *kinds);
    int64_t *keys = malloc((size_t)order * sizeof *keys);
    work w = {.graph = graph, .noisy = noisy, .keys = keys, .threads = threads};
    w.out = malloc((size_t)(order * KINDS) * sizeof *w.out);
    if (!priorities || !kinds || !keys || !w.out) exit(1);
    for (int64_t v = 0; v < order; v++) {
        priorities[v] = (double)((uint32_t)v * 2654435761u);
        kinds[v] = (int32_t)((uint32_t)v * 2246822519u >> 29);
        keys[v] = v;
    }
    const pvg_arguments nodes = {
        .size = sizeof nodes, .order = order, .priorities = priorities, .kinds = kinds};
    bench_ok(pvg_query_new(&w.query, "edge-histogram kinds=8", &nodes, &target, NULL));
    bench_ok(pvg_rng_new_seeded(&w.rng, 1));
    const bench_body bodies[2] = {{run_histogram, &w}, {run_arcs, &w}};
    bench_times(times, bodies, 2);
    run_histogram(&w);
    const bench_case result = {
        .name = name,
        .seconds = times[0],
        .threads = threads,
        .items = (double)graph->size,
        .item = "edge",
        .roofline_seconds = noisy ? 0.0 : times[1],
        .roofline = noisy ? NULL : "one load per arc, one number written per cell",
        .checksum =
            noisy ? 0 : bench_checksum(w.out, (size_t)(order * KINDS) * sizeof *w.out)};
    bench_report(&result);
    pvg_rng_free(w.rng);
    pvg_query_free(w.query);
    free(priorities);
    free(kinds);
    free(keys);
    free(w.out);
}

static const char *const degrees = "degrees levels=10 ranks=100",
                         *const ladder = "triangles",
                         *const radius = "scalars list=radius",
                         *const capped = "capped-edges";

/* Diagrams and the radius without noise, triangles by the ladder and caps with. */
static double time_structure(const char *name, const char *query, uint32_t threads,
                             const pvg_graph *graph) {
    const bool noisy = query == ladder || query == capped;
    const pvg_target target = {.size = sizeof target, .epsilon = 1.0, .allow_seeded = 1};
    const pvg_arguments of = {.size = sizeof of, .order = graph->order};
    double out[111];
    work w = {.graph = graph, .noisy = noisy, .threads = threads, .out = out};
    bench_ok(pvg_query_new(&w.query, query, noisy ? NULL : &of, &target, NULL));
    bench_ok(pvg_rng_new_seeded(&w.rng, 1));
    const bench_case result = {
        .name = name,
        .seconds = bench_time(run_histogram, &w),
        .threads = threads,
        .items = (double)graph->size,
        .item = "edge",
        .checksum = query == degrees ? bench_checksum(out, sizeof out) : 0};
    bench_report(&result);
    pvg_rng_free(w.rng);
    pvg_query_free(w.query);
    return result.seconds;
}

/* How one grows on power laws with 1, 2, 5 and 10 million edges: the exponent of a line
 * through logarithms, beside that of the sum of squared degrees, the ladder's bound. */
static void growth(const char *const names[4], const char *query) {
    static const int64_t nodes[] = {100000, 200000, 500000, 1000000};
    double x[4], time[4], squares[4], mean[3] = {0}, slope[2] = {0}, spread = 0.0;
    for (int i = 0; i < 4; i++) {
        pvg_graph *graph = lookalike_powerlaw(nodes[i] / bench_size(1, 10, 50));
        double sum = 0.0;
        for (int64_t v = 0; v < graph->order; v++) {
            const double d = (double)(graph->offsets[v + 1] - graph->offsets[v]);
            sum += d * d;
        }
        x[i] = log((double)graph->size);
        squares[i] = log(sum);
        time[i] = log(time_structure(names[i], query, 1, graph));
        pvg_graph_free(graph);
        mean[0] += x[i] / 4, mean[1] += time[i] / 4, mean[2] += squares[i] / 4;
    }
    for (int i = 0; i < 4; i++) {
        spread += (x[i] - mean[0]) * (x[i] - mean[0]);
        slope[0] += (x[i] - mean[0]) * (time[i] - mean[1]);
        slope[1] += (x[i] - mean[0]) * (squares[i] - mean[2]);
    }
    printf("%s grows as edges to the power %.2f (squared degrees: %.2f)\n", query,
           slope[0] / spread, slope[1] / spread);
}

/* --- lists ------------------------------------------------------------------------- */

typedef struct {
    int64_t things, length;
} stock;

/* A person's things, from her number: lists that are in no memory. Many have the first
 * ones. */
static int64_t read_stock(void *context, int64_t person, int32_t *out, int64_t capacity) {
    const stock *s = context;
    uint64_t state = (uint64_t)person * UINT64_C(0x9e3779b97f4a7c15) + 1;
    int64_t count = 0;
    for (; count < s->length && count < capacity; count++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const double u = (double)(state >> 11) * 0x1p-53;
        out[count] = (int32_t)((double)s->things * u * u);
    }
    return count;
}

typedef struct {
    pvg_query *query;
    pvg_lists *lists;
    pvg_rng *rng;
} drawing;

static void run_lists(void *context) {
    drawing *d = context;
    const pvg_input in = {.size = sizeof in, .lists = d->lists};
    pvg_release *release = NULL;
    bench_ok(pvg_release_draw(&release, d->query, &in, d->rng, NULL, NULL));
    pvg_release_free(release);
}

static void time_lists(const char *name, const char *kind, int64_t persons, stock s) {
    const pvg_target target = {
        .size = sizeof target, .epsilon = 1.0, .delta = 1e-6, .allow_seeded = 1};
    const pvg_lists_source source = {
        .size = sizeof source, .read = read_stock, .context = &s};
    drawing d = {0};
    char text[96];
    snprintf(text, sizeof text, "%s things=%lld", kind, (long long)s.things);
    bench_ok(pvg_query_new(&d.query, text, NULL, &target, NULL));
    bench_ok(pvg_rng_new_seeded(&d.rng, 1));
    bench_ok(pvg_lists_from_source(&d.lists, persons, s.things, &source, 0));
    const bench_case result = {.name = name,
                               .seconds = bench_time(run_lists, &d),
                               .threads = 1,
                               .items = (double)persons * (double)s.length,
                               .item = "entry"};
    bench_report(&result);
    pvg_lists_free(d.lists);
    pvg_query_free(d.query);
    pvg_rng_free(d.rng);
}

/* --- wiring ------------------------------------------------------------------------ */

typedef struct {
    pvg_query *query;
    pvg_release *release;
    pvg_rng *rng;
    int64_t edges;
    uint32_t threads;
} wiring;

static void run_wiring(void *context) {
    wiring *w = context;
    const pvg_run run = {.size = sizeof run, .threads = w->threads};
    pvg_graph *made;
    bench_ok(pvg_synthesis_graph(&made, w->query, w->release, NULL, w->rng, &run));
    w->edges = pvg_graph_size(made);
    pvg_graph_free(made);
}

/* One block, steered, from a release with hardly any noise. Without triangles: one
 * wiring; with those of the graph: until they match. */
static void time_wiring(const char *name, bool triangles, const pvg_graph *graph) {
    const pvg_target target = {
        .size = sizeof target, .epsilon = 1000.0, .allow_seeded = 1};
    const pvg_arguments of = {.size = sizeof of, .order = graph->order};
    const pvg_input input = {.size = sizeof input, .graph = graph};
    wiring w = {.threads = 1};
    bench_ok(pvg_query_new(&w.query, "synthesis", &of, &target, NULL));
    bench_ok(pvg_rng_new_seeded(&w.rng, 1));
    bench_ok(pvg_release_draw(&w.release, w.query, &input, w.rng, NULL, NULL));
    if (!triangles) {
        int64_t at = 0;
        pvgi_statistic_joined_part(w.query->state, 2, &at);
        w.release->content.values[at] = 0.0;
    }
    const bench_case result = {.name = name,
                               .seconds = bench_time(run_wiring, &w),
                               .threads = w.threads,
                               .items = (double)graph->size,
                               .item = "edge"};
    bench_report(&result);
    pvg_rng_free(w.rng);
    pvg_release_free(w.release);
    pvg_query_free(w.query);
}

/* --- the read-out ------------------------------------------------------------------ */

typedef struct {
    pvg_query *query;
    pvg_release *release;
    double *prior, *out;
    int32_t *labels, *checks;
    uint32_t threads;
} reading;

static void run_posterior(void *context) {
    reading *r = context;
    const pvg_run run = {.size = sizeof run, .threads = r->threads};
    const pvg_posterior_config config = {
        .size = sizeof config, .classes = CLASSES, .checks = r->checks};
    bench_ok(pvg_estimate_classes(r->out, r->query, r->release, r->prior, r->labels,
                                  &config, &run));
}

static void time_posterior(const char *name, bool choose, uint32_t threads) {
    const pvg_target target = {.size = sizeof target, .epsilon = 1.0};
    const pvg_arguments of = {.size = sizeof of, .order = READ_NODES};
    reading r = {.threads = threads};
    pvg_graph *ring;
    bench_ok(pvg_graph_new_cycle(&ring, READ_NODES));
    const pvg_input input = {.size = sizeof input, .graph = ring};
    bench_ok(pvg_query_new(&r.query, "edge-histogram kinds=8", &of, &target, NULL));
    bench_ok(pvg_release_draw(&r.release, r.query, &input, NULL, NULL, NULL));
    double *values = r.release->content.values; /* made up below: the same in every run */
    r.prior = malloc(sizeof(double) * READ_NODES * CLASSES);
    r.out = malloc(sizeof(double) * READ_NODES * CLASSES);
    r.labels = malloc(sizeof(int32_t) * READ_NODES);
    r.checks = choose ? malloc(sizeof(int32_t) * READ_NODES) : NULL;
    if (!r.prior || !r.out || !r.labels) exit(1);
    uint64_t seed = 1;
    for (int64_t v = 0; v < READ_NODES; v++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        const int32_t class = (int32_t)(seed >> 40 & 3);
        r.labels[v] = seed >> 50 & 1 ? class : -1;
        if (choose) r.checks[v] = r.labels[v] < 0 && seed >> 51 & 1 ? class : -1;
        for (int k = 0; k < 2 * CLASSES; k++)
            values[v * 2 * CLASSES + k] =
                (double)(seed >> (5 * k) & 7) - 3.0 + (k % CLASSES == class ? 4.0 : 0.0);
        for (int c = 0; c < CLASSES; c++)
            r.prior[v * CLASSES + c] = c == (int32_t)(seed >> 33 & 3) ? 0.4 : 0.2;
    }
    const bench_case result = {
        .name = name,
        .seconds = bench_time(run_posterior, &r),
        .threads = threads,
        .items = (double)READ_NODES * 2 * CLASSES,
        .item = "cell",
        .checksum = bench_checksum(r.out, sizeof(double) * READ_NODES * CLASSES)};
    bench_report(&result);
    pvg_release_free(r.release);
    pvg_query_free(r.query);
    pvg_graph_free(ring);
    free(r.prior);
    free(r.out);
    free(r.labels);
    free(r.checks);
}

void bench_statistic(void) {
    if (bench_wanted("statistic.histogram")) {
        pvg_graph *graph = lookalike_powerlaw(bench_size(1000000, 100000, 20000));
        time_histogram("statistic.histogram", false, 1, graph);
        time_histogram("statistic.histogram.2t", false, 2, graph);
        time_histogram("statistic.histogram.noise", true, 1, graph);
        pvg_graph_free(graph);
    }
    if (bench_wanted("statistic.degrees") || bench_wanted("statistic.ladder")) {
        pvg_graph *graph = lookalike_powerlaw(bench_size(1000000, 100000, 20000));
        time_structure("statistic.degrees", degrees, 1, graph);
        time_structure("statistic.ladder", ladder, 1, graph);
        time_structure("statistic.ladder.2t", ladder, 2, graph);
        pvg_graph_free(graph);
    }
    if (bench_wanted("statistic.ladder"))
        growth((const char *[]){"statistic.ladder.1M", "statistic.ladder.2M",
                                "statistic.ladder.5M", "statistic.ladder.10M"},
               ladder);
    if (bench_wanted("statistic.radius"))
        growth((const char *[]){"statistic.radius.1M", "statistic.radius.2M",
                                "statistic.radius.5M", "statistic.radius.10M"},
               radius);
    if (bench_wanted("statistic.capped")) {
        pvg_graph *graph = lookalike_powerlaw(bench_size(1000000, 100000, 20000));
        time_structure("statistic.capped", capped, 1, graph);
        pvg_graph_free(graph);
    }
    if (bench_wanted("statistic.lists")) {
        time_lists("statistic.lists.top", "list-top top=50",
                   bench_size(1000000, 20000, 1000), (stock){100000, 100});
        time_lists("statistic.lists.pairs", "list-pairs", bench_size(20000, 2000, 500),
                   (stock){2000, 50});
    }
    if (bench_wanted("derive.wiring")) {
        pvg_graph *graph = lookalike_powerlaw(bench_size(1000000, 100000, 20000));
        time_wiring("derive.wiring", false, graph);
        pvg_graph_free(graph);
        graph = lookalike_powerlaw(bench_size(100000, 25000, 5000));
        time_wiring("derive.wiring.triangles", true, graph);
        pvg_graph_free(graph);
    }
    time_posterior("learn.posterior", false, 1);
    time_posterior("learn.posterior.2t", false, 2);
    time_posterior("learn.posterior.chosen", true, 1);
}
