/* density: patterns with cycles where threads share one graph. Arcs in cliques against a
 * search for each; counts beyond 2^53 by sparse slices and by cubes against big integers
 * (GMP); the same bits for any number of threads, in graphs small and large, merged and
 * as they are; cancelling, scratch limits and failing allocations on the same ways. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "density/elim/elim_internal.h"
#include "gmp_count.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void setUp(void) {}
void tearDown(void) {}

/* Edges as pairs of digits. */
static pvgi_small pattern_of(const char *edges) {
    pvgi_small out = {.order = 0};
    for (const char *at = edges; *at; at += at[2] ? 3 : 2) {
        const int32_t u = at[0] - '0', v = at[1] - '0', last = u > v ? u : v;
        if (last >= out.order) out.order = last + 1;
        pvgi_pattern_join(&out, u, v);
    }
    return out;
}

static const char *const clique_tail = "01 02 03 12 13 23 34";
static const char *const bull = "01 12 20 13 24";
static const char *const house = "01 12 23 34 40 14";
static const char *const bowtie = "01 12 20 23 34 42";
static const char *const prism = "01 12 20 34 45 53 03 14 25";
static const char *const biclique33 = "03 04 05 13 14 15 23 24 25";
static const char *const biclique34 = "03 04 05 06 13 14 15 16 23 24 25 26";
static const char *const grid33 = "01 12 34 45 67 78 03 36 14 47 25 58";
static const char *const cube = "01 23 45 67 02 13 46 57 04 15 26 37";
static const char *const octahedron = "02 03 04 05 12 13 14 15 24 25 34 35";

/* --- the engine from inside --- */

typedef struct {
    pvgi_elim_plan *plan;
    pvgi_elim_scratch *scratch;
    pvgi_run run;
    pvg_run given;
} engine;

/* threads 0: alone, without a crew. */
static void open_engine(engine *out, const pvgi_small *pattern, uint32_t threads) {
    const pvgi_elim_watch watch = {&out->run, NULL, 0.0, 1.0};
    out->given = (pvg_run){.size = sizeof out->given, .threads = threads ? threads : 1};
    PVGT_OK(pvgi_run_begin(&out->run, &out->given));
    PVGT_OK(pvgi_density_elim_compile(&out->plan, &pattern, 1));
    PVGT_OK(pvgi_density_elim_scratch_new(&out->scratch, out->plan, 0));
    pvgi_density_elim_set_watch(out->scratch, &watch);
    if (threads) pvgi_density_elim_set_crew(out->scratch, &out->run);
}

static void close_engine(engine *used) {
    pvgi_density_elim_scratch_free(used->scratch);
    pvgi_density_elim_free(used->plan);
}

static pvgi_host host_of(const pvg_graph *graph) {
    return (pvgi_host){graph->order, 0, graph->offsets, graph->columns};
}

/* --- arcs in cliques --- */

static bool has_arc(const pvgi_elim_reduced *host, int32_t u, int32_t v) {
    for (int32_t i = host->start[u]; i < host->start[u + 1]; i++)
        if (host->column[i] == v) return true;
    return false;
}

/* Whether arc u - v lies in a triangle, or in a clique of four. */
static bool in_clique(const pvgi_elim_reduced *host, int32_t u, int32_t v, bool four) {
    for (int32_t i = host->start[u]; i < host->start[u + 1]; i++) {
        const int32_t x = host->column[i];
        if (!has_arc(host, x, v)) continue;
        if (!four) return true;
        for (int32_t j = host->start[u]; j < i; j++)
            if (has_arc(host, host->column[j], v) && has_arc(host, host->column[j], x))
                return true;
    }
    return false;
}

static void check_arcs(const pvg_graph *graph, const char *what) {
    const pvgi_small pattern = pattern_of(clique_tail);
    const pvgi_host host = host_of(graph);
    for (uint32_t threads = 0; threads <= 3; threads++) {
        engine used;
        open_engine(&used, &pattern, threads);
        PVGT_OK(pvgi_density_elim_reduce(used.scratch, used.plan, &host));
        const pvgi_elim_reduced *reduced = &used.scratch->reduced;
        bool any = reduced->start != NULL; /* else it was seen to have no triangle */
        for (int32_t level = 1; level <= 2 && any && !reduced->bipartite; level++) {
            const pvgi_elim_table *table = &used.scratch->table[level];
            int32_t at = 0;
            for (int32_t u = 0; u < reduced->order; u++) {
                PVGT_CHECK(table->start[u] == at, "%s: row %d", what, (int)u);
                for (int32_t i = reduced->start[u]; i < reduced->start[u + 1]; i++)
                    if (in_clique(reduced, u, reduced->column[i], level == 2))
                        PVGT_CHECK(table->column[1][at++] == reduced->column[i],
                                   "%s: level %d, %u threads, arc %d - %d", what,
                                   (int)level, (unsigned)threads, (int)u,
                                   (int)reduced->column[i]);
            }
            PVGT_CHECK(table->start[reduced->order] == at, "%s: level %d", what,
                       (int)level);
            any = at > 0;
        }
        close_engine(&used);
    }
}

static void test_arcs(void) {
    uint64_t seed = 3;
    for (int32_t i = 0; i < 40; i++) {
        char what[32];
        snprintf(what, sizeof what, "graph %d", (int)i);
        const int64_t n = 2 + pvgt_below(&seed, 40);
        pvg_graph *graph = i % 2 ? pvgt_random_graph(n, 3 * n, &seed)
                                 : pvgt_uniform_graph(n, 100 + 20 * i, &seed);
        check_arcs(graph, what);
        pvg_graph_free(graph);
    }
    pvg_graph *graph = pvgt_uniform_graph(280, 480, &seed); /* chunks enough for three */
    check_arcs(graph, "280 nodes");
    pvg_graph_free(graph);
}

/* --- big integers --- */

enum { CLASSES = 9 };

/* A graph whose classes of nodes with the same neighbours have up to `most` nodes. */
static pvg_graph *blow_up(pvgt_matrix *small, uint64_t *weight, int64_t most,
                          uint64_t *seed) {
    static int64_t from[200000], to[200000];
    int64_t first[CLASSES + 1] = {0}, edges = 0;
    pvg_graph *graph;
    small->order = CLASSES;
    small->weight = weight;
    small->joined = calloc(CLASSES * CLASSES, sizeof *small->joined);
    TEST_ASSERT_NOT_NULL(small->joined);
    for (int32_t u = 0; u < CLASSES; u++) {
        weight[u] = 1 + (uint64_t)pvgt_below(seed, most);
        first[u + 1] = first[u] + (int64_t)weight[u];
        for (int32_t v = 0; v < u; v++) {
            if (pvgt_below(seed, 10) >= 6) continue;
            small->joined[u * CLASSES + v] = small->joined[v * CLASSES + u] = true;
            for (int64_t a = first[u]; a < first[u + 1]; a++)
                for (int64_t b = first[v]; b < first[v + 1]; b++)
                    from[edges] = a, to[edges++] = b;
        }
    }
    PVGT_OK(pvg_graph_from_edges(&graph, first[CLASSES], from, to, edges, 0, NULL));
    return graph;
}

static void set_number(mpz_t out, pvgi_u128 number) {
    const uint64_t words[2] = {(uint64_t)number, (uint64_t)(number >> 64)};
    mpz_import(out, 2, -1, sizeof words[0], 0, 0, words);
}

/* |found - expected| <= bound * expected. */
static bool is_near(double found, mpz_srcptr expected, double bound) {
    mpf_t value, exact;
    mpf_init2(value, 512);
    mpf_init2(exact, 512);
    mpf_set_d(value, found);
    mpf_set_z(exact, expected);
    mpf_sub(value, value, exact);
    mpf_abs(value, value);
    const double error = mpf_get_d(value), whole = mpf_get_d(exact);
    mpf_clears(value, exact, NULL);
    return error <= bound * whole;
}

typedef struct {
    int64_t large, slices; /* counts of 2^53 and more; steps by slices */
} seen;

static void check_count(seen *all, const pvgi_small *pattern, const pvgt_matrix *small,
                        const pvg_graph *graph) {
    pvg_density *density = pvgt_to_density(pattern, 1);
    const pvgi_host host = host_of(graph);
    double bound, first = 0;
    mpz_t expected, found;
    mpz_inits(expected, found, NULL);
    pvgt_count_maps(expected, pattern, small);
    PVGT_OK(pvg_density_relative_error(&bound, density, 0, graph->order,
                                       pvg_graph_max_degree_exact(graph)));
    const bool exact = mpz_sizeinbase(expected, 2) <= 53;
    all->large += !exact;
    for (uint32_t threads = 0; threads <= 3; threads++) {
        engine used;
        double real;
        pvgi_u128 whole;
        int64_t which;
        open_engine(&used, pattern, threads);
        used.scratch->slices_least = 1;
        PVGT_OK(pvgi_density_elim_count(&real, NULL, used.plan, &host, used.scratch));
        PVGT_OK(pvgi_density_elim_count_exact(&whole, &which, NULL, used.plan, &host,
                                              used.scratch));
        set_number(found, whole);
        PVGT_CHECK(mpz_cmp(found, expected) == 0, "pattern %s, %u threads",
                   pvgt_graph6(pattern), (unsigned)threads);
        PVGT_CHECK(is_near(real, expected, exact ? 0 : bound), "pattern %s: %a, bound %a",
                   pvgt_graph6(pattern), real, bound);
        if (threads == 0) first = real;
        PVGT_CHECK(real == first, "pattern %s, %u threads: %a, not %a",
                   pvgt_graph6(pattern), (unsigned)threads, real, first);
        all->slices += used.scratch->slices;
        close_engine(&used);
    }
    mpz_clears(expected, found, NULL);
    pvg_density_free(density);
}

/* Nodes that stand for up to sixty take counts beyond 2^53, and beyond 2^64. */
static void test_big_integers(void) {
    const pvgi_small given[] = {pattern_of(cube),       pattern_of(biclique33),
                                pattern_of(biclique34), pattern_of(prism),
                                pattern_of(grid33),     pattern_of(octahedron)};
    uint64_t seed = 5, weight[CLASSES];
    seen all = {0};
    for (int32_t turn = 0; turn < pvgt_turns(6); turn++) {
        pvgt_matrix small;
        pvg_graph *graph = blow_up(&small, weight, turn % 2 ? 60 : 8, &seed);
        for (size_t i = 0; i < sizeof given / sizeof *given; i++)
            check_count(&all, &given[i], &small, graph);
        for (int32_t i = 0; i < 3; i++) {
            const pvgi_small drawn =
                pvgt_random_pattern(8 + (int32_t)pvgt_below(&seed, 4), 3, 13, &seed);
            check_count(&all, &drawn, &small, graph);
        }
        free(small.joined);
        pvg_graph_free(graph);
    }
    TEST_ASSERT_TRUE(all.large > 3 && all.slices > 10);
}

/* --- the same bits --- */

enum { PATTERNS = 8, FEW = 4 };

/* The first `count`. */
static pvg_density *some_patterns(int64_t count) {
    const pvgi_small list[PATTERNS] = {pattern_of(clique_tail), pattern_of(bull),
                                       pattern_of(house),       pattern_of(bowtie),
                                       pattern_of(prism),       pattern_of(biclique33),
                                       pattern_of(grid33),      pvgt_clique(5)};
    return pvgt_to_density(list, count);
}

/* Few arcs and long steps: threads share those too. */
static void test_small_hosts(void) {
    pvg_density *density = some_patterns(PATTERNS);
    uint64_t seed = 9;
    for (int32_t turn = 0; turn < 2; turn++) {
        const int64_t n = turn ? 30 : 44;
        double first[PATTERNS], out[PATTERNS];
        pvg_graph *graph = pvgt_uniform_graph(n, turn ? 900 : 500, &seed);
        pvgt_matrix matrix = pvgt_to_matrix(graph);
        mpz_t expected;
        mpz_init(expected);
        for (uint32_t threads = 1; threads <= 3; threads++) {
            const pvg_run run = {.size = sizeof run, .threads = threads};
            PVGT_OK(pvg_density_evaluate_graph_exact(out, density, graph, &run));
            if (threads == 1) memcpy(first, out, sizeof out);
            TEST_ASSERT_EQUAL_MEMORY(first, out, sizeof out);
        }
        const pvgi_small one = pattern_of(prism);
        pvgt_count_maps(expected, &one, &matrix);
        PVGT_CHECK(out[4] == mpz_get_d(expected) / pow((double)n, 6), "turn %d", turn);
        for (uint64_t limit = 2048; limit < (uint64_t)1 << 24; limit *= 16)
            for (uint32_t threads = 1; threads <= 2; threads++) {
                const pvg_run run = {
                    .size = sizeof run, .threads = threads, .scratch_limit = limit};
                const size_t begin = pvgt_peak_begin();
                const int32_t status =
                    pvg_density_evaluate_graph_exact(out, density, graph, &run);
                TEST_ASSERT_TRUE(status == PVG_OK || status == PVG_E_LIMIT);
                TEST_ASSERT_TRUE(pvgt_peak_bytes(begin) <= limit + (1 << 16));
                if (status == PVG_OK) TEST_ASSERT_EQUAL_MEMORY(first, out, sizeof out);
            }
        mpz_clear(expected);
        free(matrix.joined);
        pvg_graph_free(graph);
    }
    pvg_density_free(density);
}

/* Cliques are counted among the arcs that other patterns had listed: as without them. */
static void test_cliques_beside(void) {
    enum { COUNT = 5 };
    const pvgi_small all[COUNT] = {pvgt_clique(5), pvgt_clique(3), pattern_of(bull),
                                   pvgt_clique(4), pattern_of(clique_tail)};
    uint64_t seed = 12;
    int64_t with = 0;
    for (int32_t turn = 0; turn < 40; turn++) {
        const int64_t n = 3 + pvgt_below(&seed, 70), first = turn % 4;
        pvg_graph *graph = turn % 2 ? pvgt_random_graph(n, 4 * n, &seed)
                                    : pvgt_uniform_graph(n, 100 + 12 * turn, &seed);
        pvg_density *together = pvgt_to_density(all + first, COUNT - first);
        double found[COUNT], one;
        PVGT_OK(pvg_density_evaluate_graph_exact(found, together, graph, NULL));
        for (int32_t i = 0; i < COUNT - first; i++) {
            pvg_density *alone = pvgt_to_density(&all[first + i], 1);
            PVGT_OK(pvg_density_evaluate_graph_exact(&one, alone, graph, NULL));
            PVGT_CHECK(found[i] == one, "turn %d, pattern %d: %.17g, not %.17g",
                       (int)turn, (int)(first + i), found[i], one);
            with += one > 0;
            pvg_density_free(alone);
        }
        pvg_density_free(together);
        pvg_graph_free(graph);
    }
    TEST_ASSERT_TRUE(with > 40);
}

/* Random edges and some cliques: hardly any two nodes have the same neighbours. */
static pvg_graph *large_graph(int64_t order, uint64_t seed) {
    const int64_t drawn = 2 * order + order / 2;
    int64_t *from = malloc((size_t)(drawn + order) * sizeof *from), count = 0;
    int64_t *to = malloc((size_t)(drawn + order) * sizeof *to);
    pvg_graph *graph;
    TEST_ASSERT_TRUE(from && to);
    for (int64_t i = 0; i < drawn; i++) {
        from[count] = pvgt_below(&seed, order);
        to[count++] = pvgt_below(&seed, 1 + order / (1 + i % 30));
    }
    for (int64_t c = 0; c + 5 < order && count + 10 < drawn + order; c += order / 900)
        for (int64_t u = c; u < c + 5; u++)
            for (int64_t v = c; v < u; v++) from[count] = u, to[count++] = v;
    PVGT_OK(pvg_graph_from_edges(&graph, order, from, to, count,
                                 PVG_EDGES_MERGE | PVG_EDGES_DROP_LOOPS, NULL));
    free(from);
    free(to);
    return graph;
}

/* A graph of 34 000 nodes is left as it is; behind another one in a set its nodes are
 * merged. Rooted densities add up to densities. */
static void test_large_hosts(void) {
    enum { ORDER = 34000 };
    pvg_graph *graph = large_graph(ORDER, 7), *before;
    pvg_graphset_builder *builder;
    pvg_graphset *set;
    pvg_density *density = some_patterns(FEW);
    double first[FEW], out[2 * FEW];
    double *rows[2] = {malloc(ORDER * FEW * sizeof(double)),
                       malloc(ORDER * FEW * sizeof(double))};
    uint64_t seed = 2;
    TEST_ASSERT_TRUE(rows[0] && rows[1]);
    before = pvgt_random_graph(9, 12, &seed);
    PVGT_OK(pvg_graphset_builder_new(&builder, 0));
    PVGT_OK(pvg_graphset_builder_add(builder, before, 0, NULL, NULL));
    PVGT_OK(pvg_graphset_builder_add(builder, graph, 0, NULL, NULL));
    PVGT_OK(pvg_graphset_builder_finish(&set, builder));
    for (uint32_t threads = 1; threads <= 3; threads++) {
        const pvg_run run = {.size = sizeof run, .threads = threads};
        PVGT_OK(pvg_density_evaluate_graph_exact(out, density, graph, &run));
        if (threads == 1) memcpy(first, out, sizeof first);
        TEST_ASSERT_EQUAL_MEMORY(first, out, sizeof first);
        double *here = rows[threads > 1];
        PVGT_OK(pvg_density_rooted_exact(here, density, NULL, graph, &run));
        TEST_ASSERT_EQUAL_MEMORY(rows[0], here, ORDER * FEW * sizeof(double));
        for (int32_t i = 0; i < FEW; i++) {
            double sum = 0;
            for (int64_t v = 0; v < ORDER; v++) sum += here[v * FEW + i];
            PVGT_CHECK(first[i] > 0 && fabs(sum / ORDER - first[i]) <= 1e-9 * first[i],
                       "pattern %d", (int)i);
        }
    }
    const pvg_run run = {.size = sizeof run, .threads = 2};
    PVGT_OK(pvg_density_evaluate_exact(out, density, set, &run));
    TEST_ASSERT_EQUAL_MEMORY(first, out + FEW, sizeof first);
    free(rows[0]);
    free(rows[1]);
    pvg_density_free(density);
    pvg_graphset_builder_free(builder);
    pvg_graphset_free(set);
    pvg_graph_free(graph);
    pvg_graph_free(before);
}

/* --- stopping, failing --- */

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define AT_ONCE 3.0 /* seconds */
#else
#define AT_ONCE 0.1
#endif

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); /* others may use the machine */
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct {
    int32_t calls, stop_at;
    double stopped;
} listener;

static int32_t listen(void *context, double fraction) {
    listener *l = context;
    (void)fraction;
    if (++l->calls < l->stop_at) return 0;
    l->stopped = seconds();
    return 1;
}

/* At the first look, and later on, in steps by slices, cubes and arcs in cliques. */
static void test_cancel(void) {
    static const char *const edges[] = {biclique33, cube, clique_tail, octahedron};
    pvg_graph *graph = large_graph(9000, 4);
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        const pvgi_small pattern = pattern_of(edges[i]);
        pvg_density *density = pvgt_to_density(&pattern, 1);
        for (int32_t stop_at = 1; stop_at <= 3; stop_at += 2)
            for (uint32_t threads = 1; threads <= 2; threads++) {
                listener l = {.stop_at = stop_at};
                const pvg_run run = {.size = sizeof run,
                                     .threads = threads,
                                     .progress = listen,
                                     .progress_context = &l};
                double out = 7;
                const int32_t status =
                    pvg_density_evaluate_graph_exact(&out, density, graph, &run);
                if (status == PVG_OK) { /* done before it was asked so often */
                    TEST_ASSERT_TRUE(l.calls < stop_at);
                    continue;
                }
                TEST_ASSERT_EQUAL_INT32(PVG_E_CANCELLED, status);
                PVGT_CHECK(seconds() - l.stopped < AT_ONCE && out == 7, "pattern %d",
                           (int)i);
            }
        pvg_density_free(density);
    }
    pvg_graph_free(graph);
}

typedef struct {
    const pvg_density *density;
    const pvg_graph *graph;
    pvg_run run;
} call;

static int32_t evaluate(void *context) {
    const call *in = context;
    double out[1];
    return pvg_density_evaluate_graph_exact(out, in->density, in->graph, &in->run);
}

static void test_oom(void) {
    uint64_t seed = 6;
    pvg_graph *graph = pvgt_uniform_graph(36, 600, &seed);
    const pvgi_small pattern = pattern_of(biclique33);
    pvg_density *density = pvgt_to_density(&pattern, 1);
    for (uint32_t threads = 1; threads <= 2; threads++) {
        call made = {density, graph, {.size = sizeof made.run, .threads = threads}};
        pvgt_oom_walk("shared steps", evaluate, &made, 20);
    }
    pvg_density_free(density);
    pvg_graph_free(graph);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(test_arcs);
    RUN_TEST(test_big_integers);
    RUN_TEST(test_small_hosts);
    RUN_TEST(test_cliques_beside);
    RUN_TEST(test_large_hosts);
    RUN_TEST(test_cancel);
    RUN_TEST(test_oom);
    return pvgt_end(UNITY_END());
}
