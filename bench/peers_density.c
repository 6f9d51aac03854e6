/* Triangles, cliques and closed walks next to igraph and GraphBLAS, on the same graphs in
 * the same run. Every count is compared, and a wrong one ends the bench. The times of
 * making the peers' objects are said apart: the library counts in the graph as it is. */
#include "bench.h"
#include "lookalike.h"
#include "peers.h"
#include "peers_count.h"
#include "real.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATTERNS_MOST = PEER_LONGEST + 1 };
#define LONG 5.0 /* seconds of a peer's run */

enum { PATIENCE = 60 }; /* processor seconds of a peer where it may take hours */

/* One host, and what is asked of it. */
typedef struct {
    const char *name;
    const pvg_graph *graph;
    /* largest of the cliques from 4, or 0: igraph makes a table of all pairs of nodes */
    int cliques;
    int walks;    /* longest of the closed walks from 3, or 0 */
    bool patient; /* both are given so many seconds and no more */
} host;

typedef struct {
    const pvg_graph *graph;
    pvg_density *density;
    uint32_t threads;
    double out[PATTERNS_MOST];
    peer_igraph *igraph;
    peer_blas *blas;
    int least, most;
    double counts[PATTERNS_MOST]; /* the peer's, by size */
    void (*peer)(void *context);
    double cpu[2]; /* least processor time, ours and the peer's */
} job;

/* Least processor time of a run, all threads: what a busy machine does not change. */
static void note_cpu(double *least, clock_t begin) {
    *least = fmin(*least, (double)(clock() - begin) / CLOCKS_PER_SEC);
}

static void ours(void *context) {
    job *j = context;
    const pvg_run run = {.size = sizeof run, .threads = j->threads};
    const clock_t begin = clock();
    bench_ok(pvg_density_evaluate_graph_exact(j->out, j->density, j->graph, &run));
    note_cpu(&j->cpu[0], begin);
}

static void theirs(void *context) {
    job *j = context;
    const clock_t begin = clock();
    j->peer(j);
    note_cpu(&j->cpu[1], begin);
}

static void igraph_triangles(void *context) {
    job *j = context;
    peer_igraph_triangles(&j->counts[3], j->igraph);
}

static void igraph_cliques(void *context) {
    job *j = context;
    peer_igraph_cliques(j->counts, j->igraph, j->least, j->most);
}

static void blas_dot(void *context) {
    job *j = context;
    peer_blas_triangles_dot(&j->counts[3], j->blas);
}

static void blas_saxpy(void *context) {
    job *j = context;
    peer_blas_triangles_saxpy(&j->counts[3], j->blas);
}

static void blas_walks(void *context) {
    job *j = context;
    peer_blas_walks(j->counts, j->blas, j->most);
}

/* Homomorphisms of a clique: its copies times the orders of its vertices. */
static double automorphisms(int size, bool cliques) {
    double factor = 1;
    for (int i = 2; cliques && i <= size; i++) factor *= i;
    return factor;
}

static void compare(const job *j, const char *name, const char *peer, bool cliques) {
    for (int size = j->least; size <= j->most; size++) {
        const double count = j->counts[size] * automorphisms(size, cliques);
        const double expected = count / pow((double)pvg_graph_order(j->graph), size);
        if (fabs(j->out[size - j->least] - expected) <= 1e-10 * expected) continue;
        fprintf(stderr, "bench: %s: %s counts %.17g, we %.17g\n", name, peer, expected,
                j->out[size - j->least]);
        exit(1);
    }
}

/* One peer beside the library, each with that many threads. */
typedef struct {
    const char *peer, *how;
    void (*run)(void *context);
    bool cliques; /* counts subgraphs, not maps */
    uint32_t threads;
    double build;
    bool patient;
} rival;

static double wall(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The peer in a process of its own, which ends when its time is over. False: it did not
 * finish, nor tell what it counted. */
static bool finishes(job *j, double *seconds) {
    struct {
        double counts[PATTERNS_MOST], seconds, cpu;
    } told;
    int ends[2];
    if (pipe(ends) != 0) exit(1);
    fflush(NULL);
    const pid_t child = fork();
    if (child < 0) exit(1);
    if (child == 0) {
        const struct rlimit most = {PATIENCE, PATIENCE};
        if (setrlimit(RLIMIT_CPU, &most) != 0) _exit(1);
        const double begin = wall();
        theirs(j);
        told.seconds = wall() - begin;
        told.cpu = j->cpu[1];
        memcpy(told.counts, j->counts, sizeof told.counts);
        _exit(write(ends[1], &told, sizeof told) != sizeof told);
    }
    close(ends[1]);
    const bool done = read(ends[0], &told, sizeof told) == sizeof told;
    close(ends[0]);
    waitpid(child, NULL, 0);
    if (!done) return false;
    *seconds = told.seconds;
    j->cpu[1] = told.cpu;
    memcpy(j->counts, told.counts, sizeof told.counts);
    return true;
}

/* Ours alone, and that the peer was not done. */
static void tell_unfinished(job *j, const char *name, const rival *r) {
    char note[200];
    const double seconds = bench_time(ours, j);
    snprintf(note, sizeof note,
             "%s, %s: not done after %d s of processor time; ours cpu %.4g s", r->peer,
             r->how, PATIENCE, j->cpu[0]);
    bench_report(&(bench_case){.name = name,
                               .seconds = seconds,
                               .threads = r->threads,
                               .items = (double)(j->most - j->least + 1),
                               .item = "count",
                               .checksum = bench_checksum(j->out, sizeof j->out),
                               .note = note});
}

static void race(job *j, const char *name, const rival *r) {
    char note[200];
    double seconds[2] = {0, 0};
    j->threads = r->threads;
    j->peer = r->run;
    j->cpu[0] = j->cpu[1] = INFINITY;
    memset(j->counts, 0, sizeof j->counts);
    const double begin = wall();
    if (r->patient && !finishes(j, &seconds[1])) {
        tell_unfinished(j, name, r);
        return;
    }
    if (!r->patient) theirs(j);
    if (!r->patient) seconds[1] = wall() - begin;
    if (r->patient || seconds[1] > LONG) /* once is enough */
        seconds[0] = bench_time(ours, j);
    else
        bench_times(seconds, (bench_body[]){{ours, j}, {theirs, j}}, 2);
    compare(j, name, r->peer, r->cliques);
    snprintf(
        note, sizeof note,
        "%s: %.4g s, %s; cpu %.4g s, theirs %.4g s; making its object %.4g s; counts "
        "agree",
        r->peer, seconds[1], r->how, j->cpu[0], j->cpu[1], r->build);
    bench_report(&(bench_case){.name = name,
                               .seconds = seconds[0],
                               .threads = r->threads,
                               .items = (double)(j->most - j->least + 1),
                               .item = "count",
                               .reference_seconds = seconds[1],
                               .reference = r->peer,
                               .checksum = bench_checksum(j->out, sizeof j->out),
                               .note = note});
}

/* Patterns called kind3, kind4, ... */
static void ask(job *j, const char *kind, int least, int most) {
    char names[128] = "";
    pvg_patterns *patterns;
    for (int m = least; m <= most; m++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s%d",
                 m > least ? "," : "", kind, m);
    bench_ok(pvg_patterns_from_names(&patterns, names));
    bench_ok(pvg_density_new(&j->density, patterns, NULL));
    pvg_patterns_free(patterns);
    j->least = least;
    j->most = most;
    memset(j->out, 0, sizeof j->out);
}

static void run_igraph(const host *h, job *j) {
    char name[96];
    rival r = {.peer = "igraph", .threads = 1, .cliques = true};
    j->igraph = peer_igraph_new(&r.build, h->graph);
    if (!j->igraph) {
        printf("density.peers.%s: no igraph in this build, skipped\n", h->name);
        return;
    }
    snprintf(name, sizeof name, "density.peers.%s.triangles", h->name);
    if (bench_wanted(name)) {
        ask(j, "clique", 3, 3);
        r.run = igraph_triangles;
        r.how = "adjacent_triangles";
        race(j, name, &r);
        pvg_density_free(j->density);
    }
    snprintf(name, sizeof name, "density.peers.%s.cliques%d", h->name, h->cliques);
    if (h->cliques && bench_wanted(name)) {
        ask(j, "clique", 4, h->cliques);
        r.run = igraph_cliques;
        r.how = "clique_size_hist";
        r.patient = h->patient;
        race(j, name, &r);
        pvg_density_free(j->density);
    }
    peer_igraph_free(j->igraph);
}

static void run_blas(const host *h, job *j, uint32_t threads) {
    char name[96];
    rival r = {.peer = "GraphBLAS", .threads = threads};
    double made[2] = {0, 0};
    j->blas = peer_blas_new(made, h->graph, threads);
    if (!j->blas) {
        printf("density.peers.%s: no GraphBLAS in this build, skipped\n", h->name);
        return;
    }
    snprintf(name, sizeof name, "density.peers.%s.triangles", h->name);
    if (bench_wanted(name)) {
        ask(j, "clique", 3, 3);
        r.cliques = true;
        r.build = made[1];
        r.run = blas_dot;
        r.how = "L U' masked by L";
        race(j, name, &r);
        r.run = blas_saxpy;
        r.how = "L L masked by L";
        race(j, name, &r);
        pvg_density_free(j->density);
    }
    snprintf(name, sizeof name, "density.peers.%s.walks%d", h->name, h->walks);
    /* threads of OpenMP do not outlive a fork, so two of them are not asked patiently */
    if (h->walks && bench_wanted(name) && (!h->patient || threads == 1)) {
        ask(j, "cycle", 3, h->walks);
        r.cliques = false;
        r.patient = h->patient;
        r.build = made[0];
        r.run = blas_walks;
        r.how = "closed walks by blocks of columns";
        race(j, name, &r);
        pvg_density_free(j->density);
    }
    peer_blas_free(j->blas);
}

static void run_host(host h) {
    if (!h.graph) return;
    job j = {.graph = h.graph};
    printf("density.peers.%s: %lld nodes, %lld edges\n", h.name,
           (long long)pvg_graph_order(h.graph), (long long)pvg_graph_size(h.graph));
    run_igraph(&h, &j);
    for (uint32_t threads = 1; threads <= 2; threads++) run_blas(&h, &j, threads);
    pvg_graph_free((pvg_graph *)(uintptr_t)h.graph);
}

static bool any_wanted(const char *host_name) {
    char name[96];
    snprintf(name, sizeof name, "density.peers.%s.", host_name);
    return bench_wanted(name) || bench_asks_within(name);
}

void peers_density(void) {
    pvg_graph *graph;
    pvg_rng *rng;
    if (any_wanted("network"))
        run_host((host){"network", lookalike_network(bench_size(7624, 1000, 300), 7.3), 7,
                        10, false});
    if (any_wanted("dense")) {
        bench_ok(pvg_rng_new_seeded(&rng, 7));
        bench_ok(
            pvg_graph_draw_erdos_renyi(&graph, bench_size(500, 120, 40), 0.5, rng, NULL));
        pvg_rng_free(rng);
        run_host((host){"dense", graph, 5, 10, false});
    }
    if (any_wanted("powerlaw_100k"))
        run_host((host){"powerlaw_100k",
                        lookalike_network(bench_size(100000, 5000, 500), 20.0), 5, 4,
                        true});
    if (any_wanted("powerlaw"))
        run_host((host){"powerlaw", lookalike_powerlaw(bench_size(1000000, 20000, 1000)),
                        0, 0, false});
    if (bench_quick()) return;
    if (any_wanted("lastfm_asia"))
        run_host((host){"lastfm_asia", real_graph("lastfm_asia"), 7, 10, false});
    if (any_wanted("facebook_pages"))
        run_host((host){"facebook_pages", real_graph("facebook_pages"), 7, 8, true});
}
