/* Densities of cycles, cliques, wheels, cubes and grids where they cost most: networks
 * with hubs, dense graphs, one hub of a hundred thousand, many threads. Each next to
 * what an afternoon's program needs, which also checks every count, or to the matrix
 * products that a wheel cannot do without; with the most memory held. Patterns of width
 * 2 and 3 that no other case has seen are drawn from three seeds. */
#include "base/blas.h"
#include "bench.h"
#include "lookalike.h"
#include "real.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 64 };

typedef struct {
    const pvg_graphset *set; /* or */
    const pvg_graph *graph;
    pvg_density *density;
    double *out;
    uint32_t threads;
    double cpu; /* least processor time of a run, all threads */
} work;

static void evaluate(void *context) {
    work *w = context;
    const pvg_run run = {.size = sizeof run, .threads = w->threads};
    const clock_t start = clock();
    bench_ok(w->set
                 ? pvg_density_evaluate_exact(w->out, w->density, w->set, &run)
                 : pvg_density_evaluate_graph_exact(w->out, w->density, w->graph, &run));
    const double cpu = (double)(clock() - start) / CLOCKS_PER_SEC;
    if (cpu < w->cpu) w->cpu = cpu;
}

/* What a case is compared with: seconds of the reference and of the limit, or 0. */
typedef struct {
    double reference, roofline;
    const char *reference_name, *roofline_name;
} beside;

static void run_shape(const char *name, const pvg_graphset *set, const pvg_graph *graph,
                      const pvg_patterns *patterns, beside next_to) {
    static char notes[96][80];
    static int note_count;
    const int64_t count = pvg_patterns_count(patterns);
    const int64_t graphs = set ? pvg_graphset_count(set) : 1;
    const size_t cells = (size_t)(count * graphs);
    work w = {.set = set, .graph = graph, .out = malloc(cells * sizeof *w.out)};
    if (!w.out) exit(1);
    bench_ok(pvg_density_new(&w.density, patterns, NULL));
    for (w.threads = 1; w.threads <= 2; w.threads++) {
        char *note = notes[note_count++ % 96];
        const size_t begin = bench_peak_begin();
        w.cpu = INFINITY;
        const double seconds = bench_time(evaluate, &w);
        snprintf(note, sizeof notes[0], "cpu %.4g s; at most %.1f MB held", w.cpu,
                 1e-6 * (double)bench_peak_bytes(begin));
        bench_report(
            &(bench_case){.name = name,
                          .seconds = seconds,
                          .threads = w.threads,
                          .items = (double)cells,
                          .item = "pair",
                          .roofline_seconds = next_to.roofline,
                          .roofline = next_to.roofline_name,
                          .reference_seconds = next_to.reference,
                          .reference = next_to.reference_name,
                          .checksum = bench_checksum(w.out, cells * sizeof *w.out),
                          .note = note});
    }
    free(w.out);
    pvg_density_free(w.density);
}

static void run_names(const char *name, const pvg_graphset *set, const pvg_graph *graph,
                      const char *names, beside next_to) {
    pvg_patterns *patterns;
    if (!bench_wanted(name)) return;
    bench_ok(pvg_patterns_from_names(&patterns, names));
    run_shape(name, set, graph, patterns, next_to);
    pvg_patterns_free(patterns);
}

/* A cube and grids in a network; the last, of 4 x 4, is seconds long. */
static void run_grids(const char *host, const pvg_graph *graph, bool last) {
    static const char *const cases[] = {"cube3", "grid3x3", "grid3x4", "grid4x4"};
    static char names[8][48];
    static int next;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0] - !last; i++) {
        char *name = names[next++ % 8];
        snprintf(name, sizeof names[0], "density.%s.%s", host, cases[i]);
        run_names(name, NULL, graph, cases[i], (beside){0});
    }
}

/* --- references ------------------------------------------------------------------- */

typedef struct {
    const pvg_graph *graph;
    double count[11]; /* closed walks by length, 3 .. longest */
    int longest;
} walks;

/* Closed walks from every node: vectors of half the length, times each other. */
static void walk_all(void *context) {
    walks *job = context;
    const int64_t n = pvg_graph_order(job->graph), *offsets;
    const int32_t *columns;
    bench_ok(pvg_graph_view_csr(&offsets, &columns, job->graph));
    double *now = malloc((size_t)n * sizeof *now),
           *next = malloc((size_t)n * sizeof *now);
    if (!now || !next) exit(1);
    memset(job->count, 0, sizeof job->count);
    for (int64_t u = 0; u < n; u++) {
        memset(now, 0, (size_t)n * sizeof *now);
        now[u] = 1;
        for (int length = 0; length <= job->longest; length += 2) {
            double even = 0, odd = 0;
            for (int64_t v = 0; v < n; v++) {
                double sum = 0;
                for (int64_t i = offsets[v]; i < offsets[v + 1]; i++)
                    sum += now[columns[i]];
                next[v] = sum;
                even += now[v] * now[v];
                odd += now[v] * sum;
            }
            job->count[length] += even;
            if (length < job->longest) job->count[length + 1] += odd;
            double *kept = now;
            now = next;
            next = kept;
        }
    }
    free(now);
    free(next);
}

/* Cycles of 3 to `longest` vertices, with the reference where it is not too slow. */
static void run_cycles(const char *name, const pvg_graph *graph, int longest,
                       bool compare) {
    char names[128] = "";
    double found[11];
    walks job = {.graph = graph, .longest = longest};
    beside next_to = {.reference_name = "closed walks from every node, 1 thread"};
    if (!bench_wanted(name)) return;
    for (int m = 3; m <= longest; m++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%scycle%d",
                 m > 3 ? "," : "", m);
    if (compare) {
        pvg_patterns *patterns;
        pvg_density *density;
        next_to.reference = bench_time(walk_all, &job);
        bench_ok(pvg_patterns_from_names(&patterns, names));
        bench_ok(pvg_density_new(&density, patterns, NULL));
        bench_ok(pvg_density_evaluate_graph_exact(found, density, graph, NULL));
        for (int m = 3; m <= longest; m++) {
            const double expected = job.count[m] / pow((double)pvg_graph_order(graph), m);
            if (fabs(found[m - 3] - expected) <= 1e-9 * expected) continue;
            fprintf(stderr, "bench: %s: wrong density of cycle%d\n", name, m);
            exit(1);
        }
        pvg_density_free(density);
        pvg_patterns_free(patterns);
    }
    run_names(name, NULL, graph, names, next_to);
}

typedef struct {
    double *a, *out;
    int64_t order;
} product;

static void multiply(void *context) {
    product *m = context;
    pvgi_blas_multiply(m->out, m->a, false, m->a, true, m->order, m->order, m->order,
                       false);
}

/* Seconds of two products of the neighbours of each node: a wheel of five. */
static double wheel_products(int64_t order) {
    product m = {.order = order / 2};
    const size_t entries = (size_t)(m.order * m.order);
    m.a = calloc(entries, sizeof *m.a);
    m.out = calloc(entries, sizeof *m.out);
    if (!m.a || !m.out) exit(1);
    const double seconds = 2.0 * (double)order * bench_time(multiply, &m);
    free(m.a);
    free(m.out);
    return seconds;
}

/* --- hosts ------------------------------------------------------------------------- */

/* One hub joined to all others, which form a path. */
static pvg_graph *make_hub(int64_t degree) {
    int64_t *from = malloc(2 * (size_t)degree * sizeof *from), count = 0;
    int64_t *to = malloc(2 * (size_t)degree * sizeof *to);
    pvg_graph *graph;
    if (!from || !to) exit(1);
    for (int64_t v = 1; v <= degree; v++) {
        from[count] = 0, to[count++] = v;
        if (v > 1) from[count] = v - 1, to[count++] = v;
    }
    bench_ok(pvg_graph_from_edges(&graph, degree + 1, from, to, count, PVG_EDGES_STRICT,
                                  NULL));
    free(from);
    free(to);
    return graph;
}

static void run_held(const pvg_graphset *set) {
    static const struct {
        const char *name, *what;
        uint64_t seed;
    } cases[] = {{"density.reddit_like.tw2_held.1", "ref2", 1001},
                 {"density.reddit_like.tw2_held.2", "ref2", 1002},
                 {"density.reddit_like.tw2_held.3", "ref2", 1003},
                 {"density.reddit_like.tw3_held.1", "ref3", 1001},
                 {"density.reddit_like.tw3_held.2", "ref3", 1002},
                 {"density.reddit_like.tw3_held.3", "ref3", 1003}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (!bench_wanted(cases[i].name)) continue;
        pvg_patterns *patterns = lookalike_patterns_of(cases[i].what, 50, cases[i].seed);
        run_shape(cases[i].name, set, NULL, patterns, (beside){0});
        pvg_patterns_free(patterns);
    }
}

typedef struct {
    const pvg_density *density;
    const pvg_graphset *set;
    uint64_t *low, *high;
} count_work;

static void count_all(void *context) {
    count_work *w = context;
    bench_ok(pvg_density_count_exact(w->low, w->high, w->density, w->set, NULL));
}

static void evaluate_all(void *context) {
    count_work *w = context;
    bench_ok(pvg_density_evaluate_exact((double *)w->low, w->density, w->set, NULL));
}

/* Exact counts, next to densities of the same patterns. Nothing passes 2^53 in molecules,
 * nearly every large tree does in threads. */
static void run_counts(const pvg_graphset *set, bool molecules) {
    static const struct {
        const char *name, *what;
        bool molecules;
    } cases[] = {{"density.reddit_like.trees_counts", "stress1", false},
                 {"density.reddit_like.trees_ref_counts", "ref1", false},
                 {"density.reddit_like.tw2_counts", "stress2", false},
                 {"density.molhiv_like.trees_counts", "stress1", true},
                 {"density.molhiv_like.trees_ref_counts", "ref1", true},
                 {"density.molhiv_like.tw2_ref_counts", "ref2", true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (cases[i].molecules != molecules || !bench_wanted(cases[i].name)) continue;
        pvg_patterns *patterns = lookalike_patterns_of(cases[i].what, 50, 1001);
        pvg_density *density;
        bench_ok(pvg_density_new(&density, patterns, NULL));
        const size_t cells =
            (size_t)(pvg_patterns_count(patterns) * pvg_graphset_count(set));
        count_work w = {density, set, malloc(cells * sizeof *w.low),
                        malloc(cells * sizeof *w.high)};
        if (!w.low || !w.high) exit(1);
        const double reference = bench_time(evaluate_all, &w);
        const double seconds = bench_time(count_all, &w);
        bench_report(&(bench_case){.name = cases[i].name,
                                   .seconds = seconds,
                                   .threads = 1,
                                   .items = (double)cells,
                                   .item = "pair",
                                   .reference_seconds = reference,
                                   .reference = "densities",
                                   .checksum = bench_checksum(w.low, cells * 8)});
        free(w.low);
        free(w.high);
        pvg_density_free(density);
        pvg_patterns_free(patterns);
    }
}

/* One pattern of a growth table; names of cases live as long as the bench. */
static void run_one(const char *host, int64_t size, const pvg_graph *graph,
                    const char *pattern) {
    static char names[32][48];
    static int next;
    char *name = names[next++ % 32];
    snprintf(name, sizeof names[0], "density.%s_%d.%s", host, (int)size, pattern);
    run_names(name, NULL, graph, pattern, (beside){0});
}

/* How cost grows: with hub degree, cycle length, density in percent, clique size. */
static void run_growth(void) {
    static const char *const lengths[] = {"cycle4", "cycle6", "cycle8", "cycle10"};
    static const char *const sizes[] = {"clique4", "clique5", "clique6", "clique7"};
    const int64_t most = bench_quick() ? 10000 : 100000;
    const int64_t nodes = bench_quick() ? 1000 : 7624, dense = bench_quick() ? 100 : 300;
    pvg_rng *rng;
    pvg_graph *graph;
    bench_ok(pvg_rng_new_seeded(&rng, 8));
    for (int64_t degree = 1000; degree <= most; degree *= 10) {
        graph = make_hub(degree);
        run_one("hub", degree, graph, "cycle4");
        run_one("hub", degree, graph, "cycle6");
        pvg_graph_free(graph);
    }
    graph = lookalike_network(nodes, 7.3);
    for (int i = 0; i < 4; i++) run_one("network", nodes, graph, lengths[i]);
    pvg_graph_free(graph);
    for (int percent = 10; percent <= 50; percent += 20) {
        bench_ok(pvg_graph_draw_erdos_renyi(&graph, dense, 0.01 * percent, rng, NULL));
        for (int i = 0; i < 4; i++)
            if (percent == 50 || i == 1) run_one("dense", percent, graph, sizes[i]);
        pvg_graph_free(graph);
    }
    pvg_rng_free(rng);
}

/* Where they are there: what others measured. */
static void run_real(void) {
    pvg_graph *network = real_graph("lastfm_asia");
    if (network) run_cycles("density.lastfm_asia.cycles", network, 10, true);
    if (network) run_grids("lastfm_asia", network, true);
    pvg_graph_free(network);
    if (bench_wanted("density.facebook_pages.cycle8") ||
        bench_wanted("density.facebook_pages.clique7")) {
        pvg_graph *graph = real_graph("facebook_pages");
        if (!graph) return;
        run_names("density.facebook_pages.cycle8", NULL, graph, "cycle8", (beside){0});
        run_names("density.facebook_pages.clique7", NULL, graph, "clique7", (beside){0});
        pvg_graph_free(graph);
    }
}

void bench_shapes(void) {
    const int64_t dense_order = bench_quick() ? 120 : 500;
    pvg_rng *rng;
    pvg_graph *graph;
    bench_ok(pvg_rng_new_seeded(&rng, 7));
    graph = lookalike_network(bench_quick() ? 1000 : 7624, 7.3);
    run_cycles("density.network.cycles", graph, 10, true);
    run_names("density.network.cliques", NULL, graph,
              "clique3,clique4,clique5,clique6,"
              "clique7",
              (beside){0});
    run_grids("network", graph, bench_quick());
    pvg_graph_free(graph);
    bench_ok(pvg_graph_draw_erdos_renyi(&graph, dense_order, 0.5, rng, NULL));
    run_names("density.dense.cliques", NULL, graph, "clique5", (beside){0});
    if (bench_wanted("density.dense.wheel"))
        run_names("density.dense.wheel", NULL, graph, "wheel5",
                  (beside){.roofline = wheel_products(dense_order),
                           .roofline_name = "two matrix products per hub"});
    pvg_graph_free(graph);
    pvg_rng_free(rng);
    pvg_graphset *set = lookalike_threads(bench_quick() ? 100 : 2000);
    run_names("density.reddit_like.cycles", set, NULL,
              "cycle3,cycle4,cycle5,cycle6,cycle7,cycle8,cycle9,cycle10", (beside){0});
    run_held(set);
    run_counts(set, false);
    pvg_graphset_free(set);
    set = lookalike_molecules(bench_quick() ? 1000 : 41127);
    run_counts(set, true);
    pvg_graphset_free(set);
    run_growth();
    graph = lookalike_network(bench_quick() ? 10000 : 100000, 20.0);
    run_names("density.powerlaw_100k.cycle5", NULL, graph, "cycle5", (beside){0});
    pvg_graph_free(graph);
    if (bench_quick()) return;
    run_real();
    if (!bench_wanted("density.powerlaw.triangle") &&
        !bench_wanted("density.powerlaw.cycle4"))
        return;
    graph = lookalike_powerlaw(1000000);
    run_names("density.powerlaw.triangle", NULL, graph, "triangle", (beside){0});
    run_names("density.powerlaw.cycle4", NULL, graph, "cycle4", (beside){0});
    pvg_graph_free(graph);
}
