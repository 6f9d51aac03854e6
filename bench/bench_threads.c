/* Patterns with cycles in one graph, with one thread and with two: what takes a tenth of
 * a second with one is told, with how much faster two are. Least wall time of runs that
 * take turns, and the processor time of both; densities of both are compared bit by bit.
 * A case that is not done within a few seconds is given up and told so. */
#include "bench.h"
#include "lookalike.h"
#include "real.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define WORTH    0.1 /* seconds with one thread from which a case is told */
#define PATIENCE 3.0 /* seconds after which it is given up */

enum { TURNS = 3, EDGES = 64 };

/* Edges as pairs of digits, a for 10 and so on; NULL: the library knows the name. */
static const struct {
    const char *name, *edges;
} shapes[] = {
    {"biclique2x3", NULL},
    {"biclique3x3", NULL},
    {"biclique3x4", NULL},
    {"bull", "01 12 20 13 24"},
    {"house", "01 12 23 34 40 14"},
    {"diamond", "01 12 20 13 23"},
    {"tailed_triangle", "01 12 20 23 34 45"},
    {"clique4_tail", "01 02 03 12 13 23 34"},
    {"clique5_less", "01 02 03 04 12 13 14 23 24"},
    {"octahedron", "02 03 04 05 12 13 14 15 24 25 34 35"},
    {"wheel4", NULL},
    {"wheel5", NULL},
    {"wheel6", NULL},
    {"prism", "01 12 20 34 45 53 03 14 25"},
    {"petersen", "01 12 23 34 40 05 16 27 38 49 57 79 96 68 85"},
    {"cycle3", NULL},
    {"cycle4", NULL},
    {"cycle5", NULL},
    {"cycle6", NULL},
    {"cycle7", NULL},
    {"cycle8", NULL},
    {"cycle9", NULL},
    {"cycle10", NULL},
    {"clique4", NULL},
    {"clique5", NULL},
    {"clique6", NULL},
    {"clique7", NULL},
    {"ladder4", "01 12 23 45 56 67 04 15 26 37"},
    {"ladder5", "01 12 23 34 56 67 78 89 05 16 27 38 49"},
    {"bowtie", "01 12 20 23 34 42"},
    {"theta", "01 12 23 04 43 05 53"},
    {"chorded6", "01 12 23 34 45 50 03 14"},
};

typedef struct {
    const pvg_graph *graph;
    pvg_density *density;
    double *out[2], wall[2], cpu[2]; /* by threads - 1; least */
    bool late;
} work;

static double now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int32_t look(void *context, double fraction) {
    const double *begin = context;
    (void)fraction;
    return now(CLOCK_PROCESS_CPUTIME_ID) - *begin > PATIENCE;
}

/* false: given up. */
static bool run_once(work *w, uint32_t threads) {
    double begin = now(CLOCK_PROCESS_CPUTIME_ID);
    const pvg_run run = {.size = sizeof run,
                         .threads = threads,
                         .progress = look,
                         .progress_context = &begin};
    const double start = now(CLOCK_MONOTONIC);
    const int32_t status =
        pvg_density_evaluate_graph_exact(w->out[threads - 1], w->density, w->graph, &run);
    const double wall = now(CLOCK_MONOTONIC) - start;
    const double cpu = now(CLOCK_PROCESS_CPUTIME_ID) - begin;
    if (status == PVG_E_CANCELLED) return false;
    bench_ok(status);
    if (wall < w->wall[threads - 1]) w->wall[threads - 1] = wall;
    if (cpu < w->cpu[threads - 1]) w->cpu[threads - 1] = cpu;
    return true;
}

static void run_case(const char *name, const pvg_graph *graph,
                     const pvg_patterns *patterns) {
    const size_t cells = (size_t)pvg_patterns_count(patterns);
    work w = {.graph = graph,
              .out = {malloc(cells * sizeof(double)), malloc(cells * sizeof(double))},
              .wall = {INFINITY, INFINITY},
              .cpu = {INFINITY, INFINITY}};
    char note[80];
    if (!w.out[0] || !w.out[1]) exit(1);
    bench_ok(pvg_density_new(&w.density, patterns, NULL));
    bool done = run_once(&w, 1);
    if (!done) printf("%s: not done after %.0f s\n", name, PATIENCE);
    const bool told = done && (bench_quick() || w.wall[0] >= WORTH);
    for (int turn = 0; turn < TURNS && told && (turn == 0 || !bench_quick()); turn++)
        if (!run_once(&w, 1) || !run_once(&w, 2)) exit(1);
    if (told && (bench_quick() || w.wall[0] >= WORTH)) {
        if (memcmp(w.out[0], w.out[1], cells * sizeof(double)) != 0) {
            fprintf(stderr, "bench: %s: two threads give other bits\n", name);
            exit(1);
        }
        snprintf(note, sizeof note, "%.2f times; cpu %.4g and %.4g s",
                 w.wall[0] / w.wall[1], w.cpu[0], w.cpu[1]);
        for (uint32_t threads = 1; threads <= 2; threads++)
            bench_report(&(bench_case){
                .name = name,
                .seconds = w.wall[threads - 1],
                .threads = threads,
                .items = (double)cells,
                .item = "pattern",
                .checksum = bench_checksum(w.out[0], cells * sizeof(double)),
                .note = threads == 2 ? note : NULL});
    }
    free(w.out[0]);
    free(w.out[1]);
    pvg_density_free(w.density);
}

static int64_t vertex_of(char digit) {
    return digit >= 'a' ? digit - 'a' + 10 : digit - '0';
}

static pvg_patterns *make_shape(const char *name, const char *edges) {
    int64_t from[EDGES], to[EDGES], count = 0, order = 0;
    pvg_patterns *patterns;
    if (!edges) {
        bench_ok(pvg_patterns_from_names(&patterns, name));
        return patterns;
    }
    for (const char *at = edges; *at; at += at[2] ? 3 : 2) {
        from[count] = vertex_of(at[0]);
        to[count] = vertex_of(at[1]);
        if (from[count] >= order) order = from[count] + 1;
        if (to[count] >= order) order = to[count] + 1;
        count++;
    }
    bench_ok(pvg_patterns_from_edges(&patterns, &order, &count, 1, from, to));
    return patterns;
}

static void run_host(const char *host, const pvg_graph *graph) {
    static const char *const drawn[] = {"stress2", "stress3", "ref2", "ref3"};
    char name[96];
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        snprintf(name, sizeof name, "density.threads.%s.%s", host, shapes[i].name);
        if (!bench_wanted(name)) continue;
        pvg_patterns *patterns = make_shape(shapes[i].name, shapes[i].edges);
        run_case(name, graph, patterns);
        pvg_patterns_free(patterns);
    }
    /* drawn ones, one by one, and many at once */
    for (size_t i = 0; i < sizeof drawn / sizeof drawn[0]; i++) {
        pvg_patterns *all = lookalike_patterns_of(drawn[i], i < 2 ? 5 : 50, 1004);
        snprintf(name, sizeof name, "density.threads.%s.%s", host, drawn[i]);
        if (i >= 2 && bench_wanted(name)) run_case(name, graph, all);
        for (int64_t k = 0; k < 5 && i < 2; k++) {
            pvg_patterns *one;
            snprintf(name, sizeof name, "density.threads.%s.%s_%d", host, drawn[i],
                     (int)k);
            if (!bench_wanted(name)) continue;
            bench_ok(pvg_patterns_select(&one, all, &k, 1));
            run_case(name, graph, one);
            pvg_patterns_free(one);
        }
        pvg_patterns_free(all);
    }
}

static void run_drawn(const char *host, int64_t order, double chance) {
    char name[64];
    pvg_rng *rng;
    pvg_graph *graph;
    snprintf(name, sizeof name, "density.threads.%s.", host);
    if (!bench_wanted(name) && !bench_asks_within(name)) return;
    bench_ok(pvg_rng_new_seeded(&rng, 9));
    bench_ok(pvg_graph_draw_erdos_renyi(&graph, order, chance, rng, NULL));
    run_host(host, graph);
    pvg_graph_free(graph);
    pvg_rng_free(rng);
}

static void run_given(const char *host, pvg_graph *graph) {
    if (graph) run_host(host, graph);
    pvg_graph_free(graph);
}

static bool wants_host(const char *host) {
    char name[64];
    snprintf(name, sizeof name, "density.threads.%s.", host);
    return bench_wanted(name) || bench_asks_within(name);
}

void bench_threads(void) {
    run_drawn("dense", bench_size(500, 60, 24), 0.5);
    if (bench_quick()) return;
    run_drawn("middle", 200, 0.1);
    run_drawn("small", 80, 0.5);
    if (wants_host("lastfm")) run_given("lastfm", real_graph("lastfm_asia"));
    if (wants_host("facebook")) run_given("facebook", real_graph("facebook_pages"));
    if (wants_host("law100k")) run_given("law100k", lookalike_network(100000, 20.0));
    if (wants_host("law1m")) run_given("law1m", lookalike_powerlaw(1000000));
}
