/* Private embeddings of look-alike molecules with 50 trees: what a release costs beyond
 * the densities it is made of. Goal: 2 us per graph plus 60 ns per coordinate, one
 * thread. The densities alone are measured in the same run and taken off; all in
 * processor time, summed over threads. And noise in the shape of joint changes: making
 * the ellipsoid of all trees of diameter 4 or less with up to 9 edges (quick: 7), degrees
 * up to 4, goal 5 s; drawing rows with it, goal m^2 multiplications and 2 m noises at
 * 60 ns. */
#include "bench.h"
#include "lookalike.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { PATTERNS = 50, DEGREE_BOUND = 10, REPEATS = 7 };

/* Seconds of processor time: the difference of two measurements must not contain what
 * other programs did meanwhile. */
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare_doubles(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double processor_time(void (*body)(void *context), void *context) {
    double seconds[REPEATS];
    body(context);
    for (int i = 0; i < REPEATS; i++) {
        const double begin = now();
        body(context);
        seconds[i] = now() - begin;
    }
    qsort(seconds, REPEATS, sizeof seconds[0], compare_doubles);
    return seconds[REPEATS / 2];
}

typedef struct {
    const pvg_graphset *set;
    const pvg_density *density;
    const pvg_query *query;
    pvg_rng *rng;
    double *values;
    pvg_run run;
} job;

static void run_densities(void *context) {
    job *j = context;
    bench_ok(pvg_density_evaluate_exact(j->values, j->density, j->set, &j->run));
}

static void run_release(void *context) {
    job *j = context;
    pvg_release *release;
    const pvg_input input = {.size = sizeof input, .set = j->set};
    bench_ok(pvg_release_draw(&release, j->query, &input, j->rng, NULL, &j->run));
    pvg_release_free(release);
}

/* The seed is fixed: the first release of a bench has a checksum that can be compared. */
static uint64_t checksum(const pvg_query *query, const pvg_graphset *set) {
    const pvg_input input = {.size = sizeof input, .set = set};
    pvg_release *release;
    const double *values;
    pvg_rng *rng;
    bench_ok(pvg_rng_new_seeded(&rng, 69));
    bench_ok(pvg_release_draw(&release, query, &input, rng, NULL, NULL));
    bench_ok(pvg_release_view(&values, release));
    const uint64_t sum = bench_checksum(
        values, (size_t)(pvg_release_rows(release) * pvg_release_columns(release)) *
                    sizeof *values);
    pvg_release_free(release);
    pvg_rng_free(rng);
    return sum;
}

static pvg_query *new_query(const pvg_patterns *patterns, int32_t allocation) {
    const pvg_arguments arguments = {.size = sizeof arguments, .patterns = patterns};
    char text[64];
    const pvg_target target = {.size = sizeof target,
                               .noise = PVG_NOISE_GAUSSIAN,
                               .allocation = allocation,
                               .allow_seeded = 1,
                               .epsilon = 1.0,
                               .delta = 1e-6};
    pvg_query *query;
    snprintf(text, sizeof text, "embed max-degree=%d degrees=promised append-order=yes",
             DEGREE_BOUND);
    bench_ok(pvg_query_new(&query, text, &arguments, &target, NULL));
    return query;
}

static void report(const char *name, job *j, uint32_t threads) {
    const double graphs = (double)pvg_graphset_count(j->set);
    const double coordinates = graphs * PATTERNS;
    static char note[128]; /* printed at once */
    j->run.threads = threads;
    const double densities = processor_time(run_densities, j);
    const double whole = processor_time(run_release, j);
    const double goal = 2e-6 * graphs + 60e-9 * coordinates;
    const double rest = whole > densities ? whole - densities : 1e-9;
    snprintf(note, sizeof note, "densities %.4g s; overhead %.3g us/graph, goal %.3g",
             densities, 1e6 * rest / graphs, 1e6 * goal / graphs);
    bench_report(&(bench_case){.name = name,
                               .seconds = rest,
                               .threads = threads,
                               .items = coordinates,
                               .item = "value",
                               .roofline_seconds = goal,
                               .roofline = "the goal",
                               .checksum = checksum(j->query, j->set),
                               .note = note});
}

/* --- ellipsoids ------------------------------------------------------------------- */

static char trees[1 << 14];
static size_t trees_length;

/* A centre with branches of so many leaves, as graph6. */
static void add_tree(const int *leaves, int branches) {
    bool joined[32][32] = {{false}};
    int n = 1, bits = 0, used = 0;
    for (int i = 0; i < branches; i++) {
        const int child = n++;
        joined[0][child] = joined[child][0] = true;
        for (int k = 0; k < leaves[i]; k++, n++)
            joined[child][n] = joined[n][child] = true;
    }
    trees[trees_length++] = (char)(63 + n);
    for (int v = 1; v < n; v++)
        for (int u = 0; u < v; u++) {
            bits = bits << 1 | joined[u][v];
            if (++used == 6) trees[trees_length++] = (char)(63 + bits), bits = used = 0;
        }
    if (used) trees[trees_length++] = (char)(63 + (bits << (6 - used)));
    trees[trees_length++] = '\n';
}

/* Each tree once: stars; double stars from the end with more leaves; others. */
static void grow(int *leaves, int branches, int most, int edges) {
    int wide = 0;
    for (int i = 0; i < branches; i++) wide += leaves[i] > 0;
    if (branches > 0 && (wide != 1 || (branches > 1 && branches - 1 >= leaves[0])))
        add_tree(leaves, branches);
    for (int k = most; k >= 0; k--) {
        if (edges < k + 1) continue;
        leaves[branches] = k;
        grow(leaves, branches + 1, k, edges - k - 1);
    }
}

typedef struct {
    const pvg_patterns *patterns;
    pvg_query *query;
} making;

static void make_ellipsoid(void *context) {
    making *m = context;
    const pvg_arguments arguments = {.size = sizeof arguments, .patterns = m->patterns};
    const pvg_target target = {
        .size = sizeof target, .allow_seeded = 1, .epsilon = 1.0, .delta = 1e-6};
    pvg_query_free(m->query);
    bench_ok(pvg_query_new(&m->query,
                           "embed max-degree=4 degrees=promised joint=ellipsoid",
                           &arguments, &target, NULL));
}

static void bench_ellipsoid(const pvg_graphset *set) {
    int leaves[32];
    pvg_patterns *patterns = NULL;
    making m = {0};
    static char note[96];
    trees_length = 0;
    grow(leaves, 0, 9, bench_quick() ? 7 : 9);
    bench_ok(pvg_patterns_from_graph6(&patterns, trees, (int64_t)trees_length));
    m.patterns = patterns;
    const double count = (double)pvg_patterns_count(patterns);
    const double begin = now();
    make_ellipsoid(&m);
    const double seconds = now() - begin;
    snprintf(note, sizeof note, "%g trees, degrees up to 4", count);
    bench_report(&(bench_case){.name = "release.ellipsoid.make",
                               .seconds = seconds,
                               .threads = 1,
                               .items = count,
                               .item = "tree",
                               .roofline_seconds = 5.0,
                               .roofline = "the goal",
                               .checksum = checksum(m.query, set),
                               .note = note});
    const double graphs = (double)pvg_graphset_count(set);
    pvg_density *density;
    job j = {.set = set, .query = m.query, .run = {.size = sizeof j.run}};
    bench_ok(pvg_density_new(&density, patterns, NULL));
    bench_ok(pvg_rng_new_secure(&j.rng));
    j.density = density;
    j.run.threads = 1;
    j.values = malloc((size_t)(graphs * count) * sizeof *j.values);
    if (!j.values) exit(1);
    const double densities = processor_time(run_densities, &j);
    const double whole = processor_time(run_release, &j);
    const double rest = whole > densities ? whole - densities : 1e-9;
    bench_report(&(bench_case){
        .name = "release.ellipsoid.draw",
        .seconds = rest,
        .threads = 1,
        .items = graphs * count,
        .item = "value",
        .roofline_seconds = graphs * (2e-6 + 120e-9 * count + 0.5e-9 * count * count),
        .roofline = "the goal",
        .checksum = checksum(m.query, set),
        .note = note});
    free(j.values);
    pvg_rng_free(j.rng);
    pvg_density_free(density);
    pvg_query_free(m.query);
    pvg_patterns_free(patterns);
}

void bench_release(void) {
    pvg_graphset *set = lookalike_molecules(bench_quick() ? 4000 : 41127);
    pvg_patterns *patterns = lookalike_patterns("ref1", PATTERNS);
    pvg_query *query = new_query(patterns, PVG_ALLOCATION_OPTIMAL);
    pvg_density *density;
    job j = {.set = set, .query = query, .run = {.size = sizeof j.run}};
    j.values = malloc((size_t)pvg_graphset_count(set) * PATTERNS * sizeof *j.values);
    bench_ok(pvg_density_new(&density, patterns, NULL));
    bench_ok(pvg_rng_new_secure(&j.rng));
    if (!j.values) {
        fprintf(stderr, "bench: out of memory\n");
        exit(1);
    }
    j.density = density;
    report("release.molhiv_like.overhead", &j, 1);
    report("release.molhiv_like.overhead_2_threads", &j, 2);
    free(j.values);
    pvg_rng_free(j.rng);
    pvg_density_free(density);
    pvg_query_free(query);
    pvg_patterns_free(patterns);
    pvg_graphset_free(set);
    set = lookalike_molecules(2000);
    bench_ellipsoid(set);
    pvg_graphset_free(set);
}
