/* Private embeddings of look-alike molecules with 50 trees: what a release costs beyond
 * the densities it is made of. Goal: 2 us per graph plus 60 ns per coordinate, one
 * thread. The densities alone are measured in the same run and taken off; all in
 * processor time, summed over threads. */
#include "bench.h"
#include "lookalike.h"

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
    const pvg_embedder *embedder;
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
    bench_ok(pvg_release_draw_embeddings(&release, j->embedder, j->set, NULL, j->rng,
                                         NULL, &j->run));
    pvg_release_free(release);
}

/* The seed is fixed: the first release of a bench has a checksum that can be compared. */
static uint64_t checksum(const pvg_embedder *embedder, const pvg_graphset *set) {
    pvg_release *release;
    const double *values;
    pvg_rng *rng;
    bench_ok(pvg_rng_new_seeded(&rng, 69));
    bench_ok(pvg_release_draw_embeddings(&release, embedder, set, NULL, rng, NULL, NULL));
    bench_ok(pvg_release_view(&values, release));
    const uint64_t sum = bench_checksum(
        values, (size_t)(pvg_release_rows(release) * pvg_release_columns(release)) *
                    sizeof *values);
    pvg_release_free(release);
    pvg_rng_free(rng);
    return sum;
}

static pvg_embedder *new_embedder(const pvg_patterns *patterns, int32_t allocation) {
    const pvg_embedder_config config = {.size = sizeof config,
                                        .degrees = PVG_DEGREES_PROMISED,
                                        .degree_bound = DEGREE_BOUND,
                                        .append_order = 1};
    const pvg_target target = {.size = sizeof target,
                               .noise = PVG_NOISE_GAUSSIAN,
                               .allocation = allocation,
                               .allow_seeded = 1,
                               .epsilon = 1.0,
                               .delta = 1e-6};
    pvg_embedder *embedder;
    bench_ok(pvg_embedder_new(&embedder, patterns, &config, &target, NULL));
    return embedder;
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
                               .checksum = checksum(j->embedder, j->set),
                               .note = note});
}

void bench_release(void) {
    pvg_graphset *set = lookalike_molecules(bench_quick() ? 4000 : 41127);
    pvg_patterns *patterns = lookalike_patterns("ref1", PATTERNS);
    pvg_embedder *embedder = new_embedder(patterns, PVG_ALLOCATION_OPTIMAL);
    pvg_density *density;
    job j = {.set = set, .embedder = embedder, .run = {.size = sizeof j.run}};
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
    pvg_embedder_free(embedder);
    pvg_patterns_free(patterns);
    pvg_graphset_free(set);
}
