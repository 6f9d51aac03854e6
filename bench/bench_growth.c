/* How cost grows: processor seconds and memory of exact densities, one thread, as one
 * thing grows and all else stays; with the exponent from each size to the next, in which
 * one sees where a cache is left. Least of three runs. */
#include "bench.h"
#include "lookalike.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TRIES = 3, PATTERNS = 50, SIZES = 5 };

typedef struct {
    double size, seconds, bytes;
} point;

static double processor_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double exponent(double a, double b, double size_a, double size_b) {
    return log(b / a) / log(size_b / size_a);
}

/* Counts and tells. before: the smaller size, or NULL; a graph, or a set. */
static point measure(const char *what, double size, const point *before,
                     const pvg_patterns *patterns, const pvg_graph *graph,
                     const pvg_graphset *set) {
    char name[80], note[160];
    pvg_density *density;
    point now = {.size = size, .seconds = INFINITY};
    bench_ok(pvg_density_new(&density, patterns, NULL));
    const int64_t count = pvg_patterns_count(patterns);
    const int64_t graphs = graph ? 1 : pvg_graphset_count(set);
    double *out = calloc((size_t)(count * graphs) + 1, sizeof *out);
    if (!out) exit(1);
    for (int i = 0; i < (bench_quick() ? 1 : TRIES); i++) {
        const size_t held = bench_peak_begin();
        const double begin = processor_now();
        bench_ok(graph ? pvg_density_evaluate_graph_exact(out, density, graph, NULL)
                       : pvg_density_evaluate_exact(out, density, set, NULL));
        const double seconds = processor_now() - begin;
        if (seconds < now.seconds) now.seconds = seconds;
        now.bytes = (double)bench_peak_bytes(held);
    }
    int length = snprintf(note, sizeof note, "%.2g MB", now.bytes / 1e6);
    if (graph)
        length += snprintf(note + length, sizeof note - (size_t)length, ", %.0f a node",
                           now.bytes / (double)pvg_graph_order(graph));
    if (before)
        snprintf(note + length, sizeof note - (size_t)length,
                 "; exponent %.2f in time, %.2f in memory",
                 exponent(before->seconds, now.seconds, before->size, size),
                 exponent(before->bytes, now.bytes, before->size, size));
    snprintf(name, sizeof name, "growth.%s.%.0f", what, size);
    bench_report(&(bench_case){
        .name = name,
        .seconds = now.seconds,
        .items = graph ? (double)pvg_graph_size(graph) : (double)graphs,
        .item = graph ? "edge" : "graph",
        .checksum = bench_checksum(out, (size_t)(count * graphs) * sizeof *out),
        .note = note});
    free(out);
    pvg_density_free(density);
    return now;
}

static pvg_patterns *named(const char *names) {
    pvg_patterns *patterns;
    bench_ok(pvg_patterns_from_names(&patterns, names));
    return patterns;
}

/* Trees in which every vertex joins a vertex before it by chance. */
static pvg_patterns *trees_of(int64_t order, int64_t count) {
    int64_t *orders = calloc((size_t)(2 * count), sizeof *orders);
    int64_t *ends = calloc((size_t)(2 * count * order), sizeof *ends);
    uint64_t state = 7;
    pvg_patterns *patterns;
    if (!orders || !ends) exit(1);
    int64_t *const sizes = orders + count, *const targets = ends + count * order;
    int64_t edges = 0;
    for (int64_t i = 0; i < count; i++) {
        orders[i] = order;
        sizes[i] = order - 1;
        for (int64_t v = 1; v < order; v++, edges++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            ends[edges] = v;
            targets[edges] = (int64_t)((state >> 33) % (uint64_t)v);
        }
    }
    bench_ok(pvg_patterns_from_edges(&patterns, orders, sizes, count, ends, targets));
    free(orders);
    free(ends);
    return patterns;
}

/* A power law: nodes of mean degree 20, or the mean degree of as many nodes. */
static void grow_graph(bool by_nodes) {
    static const double nodes[] = {1e4, 3e4, 1e5, 3e5, 1e6},
                        degrees[] = {5, 10, 20, 40, 80};
    static const struct {
        const char *what, *list;
    } questions[] = {{"trees", NULL}, {"triangle", "triangle"}, {"cycle4", "cycle4"}};
    enum { QUESTIONS = sizeof questions / sizeof questions[0] };
    const char *group = by_nodes ? "nodes" : "degree";
    char what[80];
    snprintf(what, sizeof what, "growth.%s", group);
    if (!bench_asks_within(what) && !bench_wanted(what)) return;
    point last[QUESTIONS];
    for (int i = 0; i < (int)bench_size(SIZES, 3, 2); i++) {
        const int64_t order =
            by_nodes ? (int64_t)nodes[i] : bench_size(100000, 30000, 3000);
        pvg_graph *graph = lookalike_network(order, by_nodes ? 20 : degrees[i]);
        for (int q = 0; q < QUESTIONS; q++) {
            pvg_patterns *patterns = questions[q].list
                                         ? named(questions[q].list)
                                         : lookalike_patterns("ref1", PATTERNS);
            snprintf(what, sizeof what, "%s.%s", group, questions[q].what);
            last[q] = measure(what, by_nodes ? (double)order : degrees[i],
                              i ? &last[q] : NULL, patterns, graph, NULL);
            pvg_patterns_free(patterns);
        }
        pvg_graph_free(graph);
    }
}

/* The number of patterns, and their size, in many small graphs. */
static void grow_patterns(void) {
    static const int64_t counts[] = {10, 50, 200, 800, 3200},
                         orders[] = {4, 8, 16, 24, 32};
    if (!bench_asks_within("growth.p") && !bench_wanted("growth.p")) return;
    pvg_graphset *set = lookalike_molecules(bench_size(41127, 4000, 400));
    point last = {0};
    for (int i = 0; i < (int)bench_size(SIZES, 3, 2); i++) {
        pvg_patterns *patterns = lookalike_patterns("stress1", counts[i]);
        last =
            measure("patterns", (double)counts[i], i ? &last : NULL, patterns, NULL, set);
        pvg_patterns_free(patterns);
    }
    for (int i = 0; i < (int)bench_size(SIZES, 3, 2); i++) {
        pvg_patterns *patterns = trees_of(orders[i], PATTERNS);
        last = measure("pattern_size", (double)orders[i], i ? &last : NULL, patterns,
                       NULL, set);
        pvg_patterns_free(patterns);
    }
    pvg_graphset_free(set);
}

void bench_growth(void) {
    grow_graph(true);
    grow_graph(false);
    grow_patterns();
}
