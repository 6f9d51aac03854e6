/* density: matrix products inside elimination and for cycles give the bits of the sparse
 * way, in doubles and in integers, wherever they are used, and leave off where doubles
 * would round; within the scratch limit; and a long count can be watched and stopped. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "density/elim/elim_internal.h"
#include "density_help.h"

#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

/* --- both ways ------------------------------------------------------------------- */

enum { COUNT = 8 };

typedef struct {
    double real[COUNT];
    pvgi_u128 exact[COUNT];
    int32_t status;
    int64_t which;
    int64_t products, rounded;
} outcome;

static outcome run_engine(const pvgi_elim_plan *plan, const pvg_graph *graph, bool blas) {
    const pvgi_host host = {graph->order, 0, graph->offsets, graph->columns};
    pvgi_elim_scratch *scratch;
    outcome out;
    memset(&out, 0, sizeof out); /* padding is compared too */
    PVGT_OK(pvgi_density_elim_scratch_new(&scratch, plan, 0));
    if (blas) pvgi_density_elim_allow_blas(scratch);
    PVGT_OK(pvgi_density_elim_count(out.real, NULL, plan, &host, scratch));
    out.status =
        pvgi_density_elim_count_exact(out.exact, &out.which, NULL, plan, &host, scratch);
    out.products = scratch->products;
    out.rounded = scratch->rounded;
    pvgi_density_elim_scratch_free(scratch);
    return out;
}

/* Compares, and adds up what was used. */
static void compare(const pvgi_small *patterns, const pvg_graph *graph, outcome *total,
                    const char *what) {
    const pvgi_small *list[COUNT];
    pvgi_elim_plan *plan;
    for (int32_t i = 0; i < COUNT; i++) list[i] = &patterns[i];
    PVGT_OK(pvgi_density_elim_compile(&plan, list, COUNT));
    const outcome sparse = run_engine(plan, graph, false);
    const outcome dense = run_engine(plan, graph, true);
    TEST_ASSERT_EQUAL_INT64(0, sparse.products);
    PVGT_CHECK(sparse.status == dense.status && sparse.which == dense.which, "%s", what);
    for (int32_t i = 0; i < COUNT; i++) {
        PVGT_CHECK(memcmp(&sparse.real[i], &dense.real[i], sizeof(double)) == 0,
                   "%s pattern %s: %a, not %a", what, pvgt_graph6(&patterns[i]),
                   dense.real[i], sparse.real[i]);
        if (sparse.status == PVG_OK)
            PVGT_CHECK(sparse.exact[i] == dense.exact[i], "%s pattern %s", what,
                       pvgt_graph6(&patterns[i]));
        /* doubles below 2^53 are the integers */
        if (sparse.status == PVG_OK)
            PVGT_CHECK((dense.real[i] < 0x1p53) ==
                               (dense.exact[i] < (pvgi_u128)1 << 53) &&
                           (dense.real[i] >= 0x1p53 ||
                            dense.exact[i] == (pvgi_u128)dense.real[i]),
                       "%s pattern %s", what, pvgt_graph6(&patterns[i]));
    }
    total->products += dense.products;
    total->rounded += dense.rounded;
    pvgi_density_elim_free(plan);
}

static void make_patterns(pvgi_small *out, int32_t order, int32_t width, bool cycles,
                          uint64_t *seed) {
    for (int32_t i = 0; i < COUNT; i++)
        out[i] = cycles && i % 2 ? pvgt_cycle(3 + i + (int32_t)pvgt_below(seed, 2))
                                 : pvgt_random_pattern(order - i % 3, width, 8 + i, seed);
}

/* Every node copied one to three times: the reduced host has weights. */
static pvg_graph *blown_up(const pvg_graph *graph, uint64_t *seed) {
    const int64_t n = graph->order;
    int64_t *first = calloc((size_t)n + 1, sizeof *first), edges = 0;
    for (int64_t v = 0; v < n; v++) first[v + 1] = first[v] + 1 + pvgt_below(seed, 3);
    const size_t room = (size_t)(16 * graph->size + 1);
    int64_t *from = calloc(room, sizeof *from), *to = calloc(room, sizeof *to);
    for (int64_t u = 0; u < n; u++)
        for (int64_t k = graph->offsets[u]; k < graph->offsets[u + 1]; k++) {
            const int64_t v = graph->columns[k];
            for (int64_t a = first[u]; a < first[u + 1] && v < u; a++)
                for (int64_t b = first[v]; b < first[v + 1]; b++)
                    from[edges] = a, to[edges++] = b;
        }
    pvg_graph *out;
    PVGT_OK(
        pvg_graph_from_edges(&out, first[n], from, to, edges, PVG_EDGES_STRICT, NULL));
    free(first);
    free(from);
    free(to);
    return out;
}

static void test_pairs(void) {
    outcome total = {.products = 0};
    pvgi_small patterns[COUNT];
    uint64_t seed = 51;
    for (int32_t round = 0; round < pvgt_turns(12); round++) {
        char what[80];
        const int64_t n = 48 + pvgt_below(&seed, round % 4 == 3 ? 130 : 20);
        const int64_t in_1000 = round % 3 == 0 ? 500 : round % 3 == 1 ? 250 : 900;
        pvg_graph *graph = pvgt_uniform_graph(n, in_1000, &seed);
        make_patterns(patterns, 5 + round % 5, 2, round % 2, &seed);
        snprintf(what, sizeof what, "round %d: n %d, 0.%03d", round, (int)n,
                 (int)in_1000);
        compare(patterns, graph, &total, what);
        pvg_graph *larger = blown_up(graph, &seed);
        compare(patterns, larger, &total, what);
        pvg_graph_free(graph);
        pvg_graph_free(larger);
    }
    PVGT_CHECK(total.products > 100, "%d products", (int)total.products);
}

static void test_slices(void) {
    outcome total = {.products = 0};
    pvgi_small patterns[COUNT];
    uint64_t seed = 52;
    for (int32_t round = 0; round < pvgt_turns(5); round++) {
        char what[80];
        const int64_t n = 48 + pvgt_below(&seed, 4);
        pvg_graph *graph = pvgt_uniform_graph(n, 350 + 100 * (round % 5), &seed);
        make_patterns(patterns, 6, 3, false, &seed);
        patterns[1] = (pvgi_small){.order = 6}; /* three and three: no masks */
        for (int32_t u = 0; u < 6; u++)
            for (int32_t v = 0; v < u; v++)
                if (u % 2 != v % 2) pvgi_pattern_join(&patterns[1], u, v);
        snprintf(what, sizeof what, "round %d: n %d", round, (int)n);
        compare(patterns, graph, &total, what);
        pvg_graph_free(graph);
    }
    PVGT_CHECK(total.products > 100, "%d products", (int)total.products);
}

/* Counts that pass 2^53 on the way: products are given up, results stay the same. */
static void test_beyond_doubles(void) {
    outcome total = {.products = 0};
    uint64_t seed = 53;
    for (int32_t round = 0; round < 8; round++) {
        char what[80];
        pvgi_small patterns[COUNT];
        pvg_graph *graph = pvgt_uniform_graph(60 + 10 * round, 700, &seed);
        make_patterns(patterns, 10 + round, 2, round % 2, &seed);
        if (round % 2) patterns[1] = pvgt_cycle(9), patterns[3] = pvgt_cycle(17);
        snprintf(what, sizeof what, "round %d", round);
        compare(patterns, graph, &total, what);
        pvg_graph_free(graph);
    }
    PVGT_CHECK(total.products > total.rounded && total.rounded > 3,
               "%d products, %d rounded", (int)total.products, (int)total.rounded);
}

/* Cycles alone, close to 2^53: hom(C_m, K_n) = (n-1)^m + (n-1) (-1)^m. */
static void test_cycles_of_cliques(void) {
    for (int32_t n = 50; n <= 110; n += 20) {
        pvg_graph *graph;
        pvg_density *density = pvgt_density_of_names(
            "cycle4,cycle5,cycle6,cycle7,cycle8,cycle9,cycle10,cycle11");
        uint64_t low[COUNT], high[COUNT];
        PVGT_OK(pvg_graph_new_clique(&graph, n));
        PVGT_OK(pvg_density_count_graph_exact(low, high, density, graph, NULL));
        for (int32_t m = 4; m < 4 + COUNT; m++) {
            pvgi_u128 expected = 1;
            for (int32_t i = 0; i < m; i++) expected *= (pvgi_u128)(n - 1);
            if (m % 2)
                expected -= (pvgi_u128)(n - 1);
            else
                expected += (pvgi_u128)(n - 1);
            PVGT_CHECK(low[m - 4] == (uint64_t)expected &&
                           high[m - 4] == (uint64_t)(expected >> 64),
                       "cycle%d in K_%d", m, n);
        }
        pvg_graph_free(graph);
        pvg_density_free(density);
    }
}

/* Rooted rows use products too; their sums are the counts. */
static void test_rooted(void) {
    enum { N = 60 };
    uint64_t seed = 54;
    pvg_density *density = pvgt_density_of_names("cycle5,wheel4,clique4,cycle6");
    pvg_graph *graph = pvgt_uniform_graph(N, 500, &seed);
    double rows[N * 4];
    uint64_t low[4];
    PVGT_OK(pvg_density_rooted_exact(rows, density, NULL, graph, NULL));
    PVGT_OK(pvg_density_count_graph_exact(low, NULL, density, graph, NULL));
    for (int32_t i = 0; i < 4; i++) {
        double sum = 0, power = 1;
        for (int32_t v = 0; v < N; v++) sum += rows[v * 4 + i];
        for (int32_t k = 1; k < (i == 2 ? 4 : i == 3 ? 6 : 5); k++) power *= N;
        const double error = sum * power / (double)low[i] - 1;
        PVGT_CHECK(error < 1e-13 && error > -1e-13, "pattern %d: %g", i, error);
    }
    pvg_graph_free(graph);
    pvg_density_free(density);
}

/* --- limits ---------------------------------------------------------------------- */

/* With every limit: refused, or the same bits, never with more memory than allowed. */
static void test_scratch_limit(void) {
    enum { PATTERNS = 5 };
    uint64_t seed = 55;
    pvg_density *density = pvgt_density_of_names("cycle5,wheel4,clique4,cycle8,wheel6");
    pvg_graph *graph = pvgt_uniform_graph(70, 500, &seed);
    double expected[PATTERNS], found[PATTERNS];
    int32_t refused = 0, passed = 0;
    PVGT_OK(pvg_density_evaluate_graph_exact(expected, density, graph, NULL));
    for (uint64_t limit = 1000; limit < 30000000;
         limit += limit / (pvgt_turns(4) < 4 ? 1 : 4)) {
        const pvg_run run = {.size = sizeof run, .scratch_limit = limit};
        const size_t begin = pvgt_peak_begin();
        const int32_t status =
            pvg_density_evaluate_graph_exact(found, density, graph, &run);
        PVGT_CHECK(status == PVG_OK || status == PVG_E_LIMIT, "limit %d", (int)limit);
        /* beside the scratch: a few small things of fixed size */
        PVGT_CHECK(pvgt_peak_bytes(begin) <= limit + 32768, "limit %d: %d bytes",
                   (int)limit, (int)pvgt_peak_bytes(begin));
        refused += status != PVG_OK;
        PVGT_CHECK(passed == 0 || status == PVG_OK, "limit %d: less was enough",
                   (int)limit);
        passed += status == PVG_OK;
        if (status == PVG_OK) TEST_ASSERT_EQUAL_MEMORY(expected, found, sizeof expected);
    }
    TEST_ASSERT_TRUE(refused > 3 && passed > 1);
    pvg_graph_free(graph);
    pvg_density_free(density);
}

/* Dense and sparse graphs in one set, one and three threads. */
static void test_sets(void) {
    enum { GRAPHS = 12, PATTERNS = 6 };
    pvg_density *density =
        pvgt_density_of_names("cycle5,wheel4,clique4,cycle8,path4,wheel5");
    pvg_graphset_builder *builder;
    pvg_graphset *set;
    double alone[GRAPHS][PATTERNS], one[GRAPHS][PATTERNS], three[GRAPHS][PATTERNS];
    const pvg_run run = {.size = sizeof run, .threads = 3};
    uint64_t seed = 56;
    PVGT_OK(pvg_graphset_builder_new(&builder, 0));
    for (int32_t g = 0; g < GRAPHS; g++) {
        pvg_graph *graph = pvgt_uniform_graph(g % 3 ? 50 + 3 * g : 20, 600, &seed);
        PVGT_OK(pvg_density_evaluate_graph_exact(alone[g], density, graph, NULL));
        PVGT_OK(pvg_graphset_builder_add(builder, graph, -1, NULL, NULL));
        pvg_graph_free(graph);
    }
    PVGT_OK(pvg_graphset_builder_finish(&set, builder));
    PVGT_OK(pvg_density_evaluate_exact(one[0], density, set, NULL));
    PVGT_OK(pvg_density_evaluate_exact(three[0], density, set, &run));
    TEST_ASSERT_EQUAL_MEMORY(alone, one, sizeof one);
    TEST_ASSERT_EQUAL_MEMORY(one, three, sizeof one);
    pvg_graphset_builder_free(builder);
    pvg_graphset_free(set);
    pvg_density_free(density);
}

/* One dense graph, its products shared by threads: the bits of one thread, with and
 * without copies of nodes, above 2^53 too, and with every limit, or refused. */
static void test_shared(void) {
    uint64_t seed = 60;
    for (int32_t round = 0; round < 4; round++) {
        pvgi_small patterns[COUNT];
        double first[COUNT], out[COUNT];
        pvg_graph *graph = pvgt_uniform_graph(130, 600, &seed);
        if (round % 2) {
            pvg_graph *larger = blown_up(graph, &seed);
            pvg_graph_free(graph);
            graph = larger;
        }
        make_patterns(patterns, round < 2 ? 6 : 12, 2, true, &seed);
        if (round < 2)
            for (int32_t i = 0; i < 2; i++)
                patterns[2 * i] = pvgt_random_pattern(6, 3, 9, &seed);
        pvg_density *density = pvgt_to_density(patterns, COUNT);
        PVGT_OK(pvg_density_evaluate_graph_exact(first, density, graph, NULL));
        for (uint64_t limit = 0; limit < 64u << 20; limit = limit ? 4 * limit : 1u << 20)
            for (uint32_t threads = 2; threads <= 3; threads++) {
                const pvg_run run = {
                    .size = sizeof run, .threads = threads, .scratch_limit = limit};
                const int32_t status =
                    pvg_density_evaluate_graph_exact(out, density, graph, &run);
                PVGT_CHECK(status == PVG_OK || (limit && status == PVG_E_LIMIT),
                           "round %d, limit %d", round, (int)limit);
                PVGT_CHECK(status != PVG_OK || memcmp(first, out, sizeof out) == 0,
                           "round %d, %u threads, limit %d", round, threads, (int)limit);
            }
        pvg_graph_free(graph);
        pvg_density_free(density);
    }
}

/* --- progress and stopping ------------------------------------------------------- */

typedef struct {
    int calls, stop_after;
    double last;
    bool fell;
} listener;

static int32_t listen(void *context, double fraction) {
    listener *l = context;
    l->fell = l->fell || fraction < l->last || fraction > 1.0;
    l->last = fraction;
    return ++l->calls == l->stop_after;
}

/* Counts that take far longer than a test may: they stop when told to, and say before how
 * far they are. */
static void test_stopping(void) {
    uint64_t seed = 57;
    pvg_graph *large = pvgt_random_graph(40000, 400000, &seed);
    pvg_graph *sparse = pvgt_random_graph(6000, 60000, &seed);
    pvg_graph *dense = pvgt_uniform_graph(900, 500, &seed);
    static const char *const names[] = {"path4,cycle12,cycle20", "wheel5,wheel6",
                                        "clique4,clique5,clique6"};
    for (int32_t i = 0; i < 3; i++) {
        pvg_density *density = pvgt_density_of_names(names[i]);
        for (int32_t kind = 0; kind < 4; kind++) {
            const pvg_graph *graph = i == 1 ? dense : kind == 1 ? sparse : large;
            listener l = {.stop_after = 2};
            pvg_run run = {.size = sizeof run,
                           .threads = kind == 3 ? 2 : 1,
                           .progress = listen,
                           .progress_context = &l};
            double out[3] = {5, 5, 5};
            uint64_t low[3] = {5, 5, 5};
            if (i == 2) graph = dense;
            const int32_t status =
                kind == 0 || kind == 3
                    ? pvg_density_evaluate_graph_exact(out, density, graph, &run)
                    : pvg_density_count_graph_exact(low, low, density, graph, &run);
            PVGT_CHECK(status == PVG_E_CANCELLED && l.calls == 2 && !l.fell,
                       "patterns %s kind %d: %s, %d calls", names[i], kind,
                       pvg_status_name(status), l.calls);
            for (int32_t k = 0; k < 3; k++) TEST_ASSERT_TRUE(out[k] == 5 && low[k] == 5);
        }
        pvg_density_free(density);
    }
    pvg_graph_free(large);
    pvg_graph_free(sparse);
    pvg_graph_free(dense);
}

/* A wheel is a hub and a cycle among its neighbours, so its count is that of cycles in
 * the graphs around all nodes; hub by hub, within little memory, for any threads. */
static void test_wheels(void) {
    enum { ORDER = 130 };
    uint64_t seed = 59;
    pvg_graph *graph = pvgt_uniform_graph(ORDER, 500, &seed);
    pvg_density *wheels = pvgt_density_of_names("wheel4,wheel5,wheel6");
    pvg_density *cycles = pvgt_density_of_names("cycle4,cycle5,cycle6");
    uint64_t expected[3] = {0}, found[3], high[3];
    for (int64_t u = 0; u < ORDER; u++) {
        const int32_t *around = graph->columns + graph->offsets[u];
        const int64_t count = graph->offsets[u + 1] - graph->offsets[u];
        int64_t place[ORDER], from[ORDER * ORDER / 2], to[ORDER * ORDER / 2], edges = 0;
        for (int64_t v = 0; v < ORDER; v++) place[v] = -1;
        for (int64_t i = 0; i < count; i++) place[around[i]] = i;
        for (int64_t i = 0; i < count; i++)
            for (int64_t k = graph->offsets[around[i]]; k < graph->offsets[around[i] + 1];
                 k++)
                if (place[graph->columns[k]] > i)
                    from[edges] = i, to[edges++] = place[graph->columns[k]];
        pvg_graph *inner;
        PVGT_OK(
            pvg_graph_from_edges(&inner, count, from, to, edges, PVG_EDGES_STRICT, NULL));
        PVGT_OK(pvg_density_count_graph_exact(found, high, cycles, inner, NULL));
        for (int32_t i = 0; i < 3; i++) expected[i] += found[i];
        pvg_graph_free(inner);
    }
    double first[3], out[3];
    for (uint32_t threads = 1; threads <= 2; threads++) {
        const pvg_run run = {
            .size = sizeof run, .threads = threads, .scratch_limit = 8u << 20};
        PVGT_OK(pvg_density_evaluate_graph_exact(threads == 1 ? first : out, wheels,
                                                 graph, &run));
        TEST_ASSERT_TRUE(threads == 1 || memcmp(first, out, sizeof out) == 0);
        PVGT_OK(pvg_density_count_graph_exact(found, high, wheels, graph, &run));
        for (int32_t i = 0; i < 3; i++)
            PVGT_CHECK(found[i] == expected[i] && high[i] == 0, "wheel%d, %u threads",
                       i + 4, threads);
    }
    pvg_graph_free(graph);
    pvg_density_free(wheels);
    pvg_density_free(cycles);
}

/* Reports of a count that ends never go back. */
static void test_progress(void) {
    uint64_t seed = 58;
    pvg_graph *graph = pvgt_uniform_graph(260, 500, &seed);
    pvg_density *density = pvgt_density_of_names("path3,wheel5,cycle9,clique4,wheel4");
    listener l = {.stop_after = -1};
    pvg_run run = {.size = sizeof run, .progress = listen, .progress_context = &l};
    uint64_t low[5], high[5];
    PVGT_OK(pvg_density_count_graph_exact(low, high, density, graph, &run));
    PVGT_CHECK(!l.fell, "%d calls", l.calls);
    pvg_graph_free(graph);
    pvg_density_free(density);
}

int main(void) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(test_pairs);
    RUN_TEST(test_slices);
    RUN_TEST(test_beyond_doubles);
    RUN_TEST(test_cycles_of_cliques);
    RUN_TEST(test_rooted);
    RUN_TEST(test_scratch_limit);
    RUN_TEST(test_sets);
    RUN_TEST(test_shared);
    RUN_TEST(test_stopping);
    RUN_TEST(test_wheels);
    RUN_TEST(test_progress);
    return pvgt_end(UNITY_END());
}
