/* How much work a call does between two looks at its host's wish to stop. Not by time:
 * the library's counting files are compiled so that each basic block counts as one
 * (-fsanitize-coverage), products of BLAS by their numbers, and the clock that
 * pvgi_run_report asks is that count. A machine does some 10^9 blocks a second without
 * the counting. */
#include "support.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* LIMIT: blocks without a look, far below .2 s. Some parts of a call are as long as a
 * graph has edges: PER_EDGE, .2 s in one with ten million. */
enum { LIMIT = 15000000, PER_EDGE = 20, PER_MS = 100000 };

static uint64_t work, begun, last, widest;

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void) {
    work++;
}

/* run.c asks once at its beginning and at every look. */
int __wrap_clock_gettime(clockid_t clock, struct timespec *out);
int __wrap_clock_gettime(clockid_t clock, struct timespec *out) {
    (void)clock;
    if (work - last > widest) widest = work - last;
    last = work;
    out->tv_sec = (time_t)(work / PER_MS / 1000);
    out->tv_nsec = (long)(work / PER_MS % 1000) * 1000000;
    return 0;
}

#define MULTIPLIED                                                                       \
    double *out, const double *a, bool a_flipped, const double *b, bool b_flipped,       \
        int64_t rows, int64_t inner, int64_t columns, bool add
void __real_pvgi_blas_multiply(MULTIPLIED);
void __wrap_pvgi_blas_multiply(MULTIPLIED);
void __wrap_pvgi_blas_multiply(MULTIPLIED) {
    work += (uint64_t)(rows * inner * columns) / 8;
    __real_pvgi_blas_multiply(out, a, a_flipped, b, b_flipped, rows, inner, columns, add);
}
void __real_pvgi_blas_own_multiply(MULTIPLIED);
void __wrap_pvgi_blas_own_multiply(MULTIPLIED);
void __wrap_pvgi_blas_own_multiply(MULTIPLIED) {
    work += (uint64_t)(rows * inner * columns) / 8;
    __real_pvgi_blas_own_multiply(out, a, a_flipped, b, b_flipped, rows, inner, columns,
                                  add);
}
void __real_pvgi_blas_square(double *out, const double *a, int64_t rows, int64_t inner);
void __wrap_pvgi_blas_square(double *out, const double *a, int64_t rows, int64_t inner);
void __wrap_pvgi_blas_square(double *out, const double *a, int64_t rows, int64_t inner) {
    work += (uint64_t)(rows * inner * rows) / 16;
    __real_pvgi_blas_square(out, a, rows, inner);
}

void setUp(void) {}
void tearDown(void) {}

/* The host: asked now and then; stops after so many calls, 0: never. */
static int calls, stop_at;
static double told;
static int32_t asked(void *context, double fraction) {
    (void)context;
    TEST_ASSERT(fraction >= told && fraction <= 1.0);
    told = fraction;
    return ++calls == stop_at;
}

static const pvg_run watched = {.size = sizeof watched, .progress = asked};

static void begin(int stop) {
    begun = last = work, widest = 0, calls = 0, told = 0.0, stop_at = stop;
}

/* What it did, after the last look too. */
static void judge(const char *name, const char *what, int64_t edges) {
    if (work - last > widest) widest = work - last;
    if (getenv("PVGT_POLLS"))
        printf("%-32s %-10s %9.3g blocks, %9.3g between looks, %d calls\n", name, what,
               (double)(work - begun), (double)widest, calls);
    const double limit = edges > 100000 ? (double)(PER_EDGE * edges) : (double)LIMIT;
    PVGT_CHECK((double)widest <= limit, "%s, %s: %.3g of %.3g blocks without a look",
               name, what, (double)widest, (double)(work - begun));
}

/* --- hosts ------------------------------------------------------------------------- */

static pvg_rng *rng;

static pvg_graph *random_graph(int64_t n, double p) {
    pvg_graph *graph;
    PVGT_OK(pvg_graph_draw_erdos_renyi(&graph, n, p, rng, NULL));
    return graph;
}

static pvg_graph *hubs(int64_t n, int64_t m) {
    pvg_graph *graph;
    PVGT_OK(pvg_graph_draw_preferential(&graph, n, m, rng, NULL));
    return graph;
}

/* --- densities and counts ---------------------------------------------------------- */

/* By names, or graph6 after a colon. */
static pvg_density *density_of(const char *patterns) {
    pvg_patterns *list;
    pvg_density *made;
    if (patterns[0] == ':')
        PVGT_OK(pvg_patterns_from_graph6(&list, patterns + 1, strlen(patterns + 1)));
    else
        PVGT_OK(pvg_patterns_from_names(&list, patterns));
    PVGT_OK(pvg_density_new(&made, list, NULL));
    pvg_patterns_free(list);
    return made;
}

static void density(const char *name, const char *patterns, pvg_graph *graph) {
    pvg_density *made = density_of(patterns);
    const int64_t edges = pvg_graph_size(graph);
    double values[8];
    uint64_t low[8], high[8];
    begin(0);
    PVGT_OK(pvg_density_evaluate_graph_exact(values, made, graph, &watched));
    judge(name, "densities", edges);
    const int seen = calls;
    begin(0);
    PVGT_OK(pvg_density_count_graph_exact(low, high, made, graph, &watched));
    judge(name, "counts", edges);
    if (seen >= 2) { /* a wish to stop is heard */
        begin(2);
        TEST_ASSERT_EQUAL_INT(PVG_E_CANCELLED, pvg_density_evaluate_graph_exact(
                                                   values, made, graph, &watched));
        TEST_ASSERT_EQUAL_INT(2, calls);
        judge(name, "cancelled", edges);
    }
    pvg_density_free(made);
    pvg_graph_free(graph);
}

static void every_engine_looks(void) {
    density("trees", "path3,star3,path6,star5,path10", hubs(60000, 8));
    density("Petersen, hubs", ":IheA@GUAo", hubs(40, 3));
    density("cycles, sparse", "cycle3,cycle5,cycle8", hubs(3000, 6));
    density("cycles, dense", "cycle8", random_graph(200, 0.5));
    density("cliques, sparse", "clique5", hubs(20000, 8));
    density("cliques, dense", "clique6", random_graph(120, 0.6));
    density("wheel, sparse", "wheel5", hubs(1200, 5));
    density("wheel, dense", "wheel5", random_graph(120, 0.5));
    density("octahedron", ":E}lw", random_graph(80, 0.4));
    density("K_4,4", "biclique4x4", random_graph(60, 0.5));
    density("K_3,3, sparse", "biclique3x3", hubs(300, 4));
    density("Petersen, dense", ":IheA@GUAo", random_graph(40, 0.5));
    density("Petersen, sparse", ":IheA@GUAo", random_graph(220, 0.02));
    density("cube", ":Gr`HOk", hubs(900, 4));
    density("grid 3x4", ":Kh`HGcG@GC_H", hubs(900, 4));
}

/* --- numbers ----------------------------------------------------------------------- */

static void numbers(const char *text, pvg_graph *graph) {
    const pvg_target target = {.size = sizeof target, .epsilon = 1.0, .allow_seeded = 1};
    const pvg_arguments of = {.size = sizeof of, .order = pvg_graph_order(graph)};
    const pvg_input input = {.size = sizeof input, .graph = graph};
    const int64_t edges = pvg_graph_size(graph);
    pvg_query *query;
    pvg_release *release = NULL;
    PVGT_OK(pvg_query_new(&query, text, &of, &target, NULL));
    begin(0);
    PVGT_OK(pvg_release_draw(&release, query, &input, rng, NULL, &watched));
    judge(text, "draw", edges);
    pvg_release_free(release);
    if (strcmp(text, "synthesis") == 0) {
        pvg_graph *wired;
        PVGT_OK(pvg_release_draw(&release, query, &input, rng, NULL, NULL));
        begin(0);
        PVGT_OK(pvg_synthesis_graph(&wired, query, release, NULL, rng, &watched));
        /* degrees are fitted by loops of one addition: many short blocks */
        judge(text, "wiring", 2 * edges);
        pvg_graph_free(wired);
        pvg_release_free(release);
    }
    pvg_query_free(query);
    pvg_graph_free(graph);
}

static void every_number_looks(void) {
    numbers("scalars list=radius", hubs(60000, 8));
    numbers("scalars list=components,degeneracy,leaves", hubs(60000, 8));
    numbers("triangles", hubs(60000, 8));
    numbers("stars leaves=3", hubs(60000, 8));
    numbers("degrees levels=10 ranks=100", hubs(60000, 8));
    numbers("capped-edges cap=8 key=1", hubs(60000, 8));
    numbers("capped-edges", hubs(60000, 8));
    numbers("capped-degrees", hubs(60000, 8));
    numbers("capped-triangles", hubs(3000, 8));
    numbers("node-scalars list=matching,h-index,degeneracy,fractional-matching",
            hubs(60000, 8));
    numbers("edge-histogram", hubs(60000, 8));
    numbers("group-ratio ratio=transitivity parts=2", hubs(60000, 8));
    numbers("group-ratio ratio=density:triangle parts=2", hubs(60000, 8));
    numbers("group-ratio ratio=density:clique6 parts=2 fallback=0",
            random_graph(240, 0.6));
    numbers("synthesis", hubs(60000, 8));
}

int main(void) {
    pvgt_begin();
    PVGT_OK(pvg_rng_new_seeded(&rng, 1));
    UNITY_BEGIN();
    RUN_TEST(every_engine_looks);
    RUN_TEST(every_number_looks);
    pvg_rng_free(rng);
    return pvgt_end(UNITY_END());
}
