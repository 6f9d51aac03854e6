/* density: counts and densities against brute force over all maps, closed forms,
 * identities, and the same bits on every path. Big integers: test_big_integers.c. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "density_help.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

/* --- graphs ---------------------------------------------------------------------- */

/* One of each isomorphism class of order least .. most, into list; returns how many. */
static int64_t all_graphs(pvgi_small *list, int32_t least, int32_t most) {
    int64_t count = 0;
    for (int32_t n = least; n <= most; n++) {
        const int64_t start = count;
        for (uint64_t code = 0; code < UINT64_C(1) << (n * (n - 1) / 2); code++) {
            const pvgi_small graph = pvgt_numbered(n, code);
            pvgi_small canonical;
            pvgi_pattern_canonical(&canonical, &graph);
            bool fresh = true;
            for (int64_t i = start; i < count && fresh; i++)
                fresh = !pvgi_pattern_equal(&list[i], &canonical);
            if (fresh) list[count++] = canonical;
        }
    }
    return count;
}

/* --- brute force: all maps ------------------------------------------------------ */

static uint64_t extend(const pvgi_small *pattern, const pvgi_small *host, int32_t *image,
                       int32_t vertex, int32_t root, int32_t fixed) {
    if (vertex == pattern->order) return 1;
    uint64_t sum = 0;
    for (int32_t v = 0; v < host->order; v++) {
        if (vertex == root && v != fixed) continue;
        bool fits = true;
        for (int32_t u = 0; u < vertex && fits; u++)
            if (pattern->adjacency[vertex] >> u & 1)
                fits = host->adjacency[v] >> image[u] & 1;
        if (!fits) continue;
        image[vertex] = v;
        sum += extend(pattern, host, image, vertex + 1, root, fixed);
    }
    return sum;
}

/* Maps that send vertex root to node fixed; root -1: all. */
static uint64_t brute(const pvgi_small *pattern, const pvgi_small *host, int32_t root,
                      int32_t fixed) {
    int32_t image[PVGI_PATTERN_ORDER];
    return extend(pattern, host, image, 0, root, fixed);
}

enum { PATTERNS = 52, HOSTS = 209 };
static pvgi_small patterns_5[PATTERNS], hosts_6[HOSTS];
static int64_t pattern_count, host_count;

/* Patterns with at most 5 vertices, hosts with at most 6 nodes, the empty one included.
 */
static void make_lists(void) {
    pattern_count = all_graphs(patterns_5, 1, 5);
    hosts_6[0] = (pvgi_small){.order = 0};
    host_count = 1 + all_graphs(hosts_6 + 1, 1, 6);

    TEST_ASSERT_EQUAL_INT64(PATTERNS, pattern_count);
    TEST_ASSERT_EQUAL_INT64(HOSTS, host_count);
}

static double power(double n, int32_t exponent) {
    double result = 1.0;
    while (exponent-- > 0) result *= n;
    return result;
}

static void test_brute_force(void) {
    static uint64_t low[HOSTS * PATTERNS], high[HOSTS * PATTERNS];
    static double density_of[HOSTS * PATTERNS], one[PATTERNS];
    pvg_graph *graphs[HOSTS];
    for (int64_t g = 0; g < host_count; g++) graphs[g] = pvgt_to_graph(&hosts_6[g]);
    pvg_graphset *set = pvgt_to_set(graphs, host_count);
    pvg_density *density = pvgt_to_density(patterns_5, pattern_count);
    PVGT_OK(pvg_density_count_exact(low, high, density, set, NULL));
    PVGT_OK(pvg_density_evaluate_exact(density_of, density, set, NULL));
    for (int64_t g = 0; g < host_count; g++) {
        PVGT_OK(pvg_density_evaluate_graph_exact(one, density, graphs[g], NULL));
        for (int64_t i = 0; i < pattern_count; i++) {
            const int64_t at = g * pattern_count + i;
            const uint64_t count = brute(&patterns_5[i], &hosts_6[g], -1, 0);
            PVGT_CHECK(low[at] == count && high[at] == 0, "pattern %s host %s: %llu %llu",
                       pvgt_graph6(&patterns_5[i]), pvgt_graph6(&hosts_6[g]),
                       (unsigned long long)low[at], (unsigned long long)count);
            const double n = hosts_6[g].order;
            const double expected =
                n > 0 ? (double)count / power(n, patterns_5[i].order) : 0.0;
            PVGT_CHECK(density_of[at] == expected && one[i] == expected,
                       "pattern %s host %s: %a %a %a", pvgt_graph6(&patterns_5[i]),
                       pvgt_graph6(&hosts_6[g]), density_of[at], one[i], expected);
        }
        pvg_graph_free(graphs[g]);
    }
    pvg_graphset_free(set);
    pvg_density_free(density);
}

static void test_rooted_brute_force(void) {
    pvg_density *density = pvgt_to_density(patterns_5, pattern_count);
    static double rows[5 * PATTERNS];
    int32_t roots[PATTERNS];
    uint64_t state = 7;
    for (int64_t g = 0; g < host_count && hosts_6[g].order <= 5; g++) {
        pvg_graph *graph = pvgt_to_graph(&hosts_6[g]);
        const int32_t n = hosts_6[g].order;
        for (int32_t round = 0; round < 5; round++) {
            for (int64_t i = 0; i < pattern_count; i++)
                roots[i] = round < patterns_5[i].order
                               ? round
                               : (int32_t)pvgt_below(&state, patterns_5[i].order);
            PVGT_OK(pvg_density_rooted_exact(rows, density, round ? roots : NULL, graph,
                                             NULL));
            for (int32_t v = 0; v < n; v++)
                for (int64_t i = 0; i < pattern_count; i++) {
                    const uint64_t count =
                        brute(&patterns_5[i], &hosts_6[g], roots[i], v);
                    const double expected =
                        (double)count / power(n, patterns_5[i].order - 1);
                    PVGT_CHECK(rows[v * pattern_count + i] == expected,
                               "pattern %s root %d host %s node %d",
                               pvgt_graph6(&patterns_5[i]), roots[i],
                               pvgt_graph6(&hosts_6[g]), v);
                }
        }
        pvg_graph_free(graph);
    }
    pvg_density_free(density);
}

static void test_edges_brute_force(void) {
    pvg_density *density = pvgt_to_density(patterns_5, pattern_count);
    static uint64_t low[15 * PATTERNS], high[15 * PATTERNS];
    uint64_t state = 3;
    for (int64_t g = 0; g < host_count; g++) {
        const int32_t n = hosts_6[g].order;
        if (n == 6 && pvgt_below(&state, 4) != 0) continue;
        int64_t from[15], to[15], pairs = 0;
        for (int32_t v = 0; v < n; v++)
            for (int32_t u = 0; u < v; u++) {
                from[pairs] = (u + v) % 2 ? u : v;
                to[pairs++] = (u + v) % 2 ? v : u;
            }
        pvg_graph *graph = pvgt_to_graph(&hosts_6[g]);
        PVGT_OK(pvg_density_edge_exact(low, high, density, graph, from, to, pairs, NULL));
        for (int64_t p = 0; p < pairs; p++) {
            pvgi_small with = hosts_6[g], without = hosts_6[g];
            pvgi_pattern_join(&with, (int32_t)from[p], (int32_t)to[p]);
            without.adjacency[from[p]] &= ~pvgi_mask_of((int32_t)to[p]);
            without.adjacency[to[p]] &= ~pvgi_mask_of((int32_t)from[p]);
            for (int64_t i = 0; i < pattern_count; i++)
                PVGT_CHECK(low[p * pattern_count + i] ==
                                   brute(&patterns_5[i], &with, -1, 0) -
                                       brute(&patterns_5[i], &without, -1, 0) &&
                               high[p * pattern_count + i] == 0,
                           "pattern %s host %s pair %d %d", pvgt_graph6(&patterns_5[i]),
                           pvgt_graph6(&hosts_6[g]), (int)from[p], (int)to[p]);
        }
        pvg_graph_free(graph);
    }
    pvg_density_free(density);
}

/* --- closed forms --------------------------------------------------------------- */

static void test_stars_and_walks(void) {
    enum { MOST = 6 };
    pvg_density *stars = pvgt_density_of_names("star1,star2,star3,star4,star5,star6");
    pvg_density *paths = pvgt_density_of_names("path1,path2,path3,path4,path5,path6");
    uint64_t state = 5, low[MOST];
    for (int32_t round = 0; round < 50; round++) {
        const int64_t n = 1 + pvgt_below(&state, 300);
        pvg_graph *graph = pvgt_random_graph(n, pvgt_below(&state, 3 * n + 1), &state);
        PVGT_OK(pvg_density_count_graph_exact(low, NULL, stars, graph, NULL));
        for (int32_t k = 0; k < MOST; k++) {
            uint64_t sum = 0;
            for (int64_t v = 0; v < n; v++) {
                uint64_t product = 1;
                for (int32_t i = 0; i <= k; i++)
                    product *= (uint64_t)pvg_graph_degree(graph, v);
                sum += product;
            }
            PVGT_CHECK(low[k] == sum, "star%d round %d", k + 1, round);
        }
        PVGT_OK(pvg_density_count_graph_exact(low, NULL, paths, graph, NULL));
        uint64_t *walk = calloc((size_t)n, sizeof *walk);
        uint64_t *next = calloc((size_t)n, sizeof *next);
        for (int64_t v = 0; v < n; v++) walk[v] = 1;
        for (int32_t k = 0; k < MOST; k++) {
            uint64_t sum = 0;
            for (int64_t v = 0; v < n; v++) sum += walk[v];
            PVGT_CHECK(low[k] == sum, "path%d round %d", k + 1, round);
            for (int64_t v = 0; v < n; v++) {
                const int32_t *neighbours;
                int64_t count;
                PVGT_OK(pvg_graph_view_neighbours(&neighbours, &count, graph, v));
                next[v] = 0;
                for (int64_t i = 0; i < count; i++) next[v] += walk[neighbours[i]];
            }
            memcpy(walk, next, (size_t)n * sizeof *walk);
        }
        free(walk);
        free(next);
        pvg_graph_free(graph);
    }
    pvg_density_free(stars);
    pvg_density_free(paths);
}

/* --- identities ----------------------------------------------------------------- */

/* Nodes (u, v) of the product are u * |h| + v. tensor: joined if joined in both; else the
 * graph with every node replaced by |h| copies that are joined as the nodes were. */
static pvgi_small product(const pvgi_small *g, const pvgi_small *h, bool tensor) {
    pvgi_small out = {.order = g->order * h->order};
    for (int32_t a = 0; a < out.order; a++)
        for (int32_t b = 0; b < a; b++)
            if ((g->adjacency[a / h->order] >> (b / h->order) & 1) &&
                (!tensor || (h->adjacency[a % h->order] >> (b % h->order) & 1)))
                pvgi_pattern_join(&out, a, b);
    return out;
}

static pvgi_small random_small(int32_t order, int64_t sixteenths, uint64_t *state) {
    pvgi_small out = {.order = order};
    for (int32_t v = 0; v < order; v++)
        for (int32_t u = 0; u < v; u++)
            if (pvgt_below(state, 16) < sixteenths) pvgi_pattern_join(&out, u, v);
    return out;
}

static void count_small(uint64_t *low, const pvg_density *density,
                        const pvgi_small *host) {
    pvg_graph *graph = pvgt_to_graph(host);
    PVGT_OK(pvg_density_count_graph_exact(low, NULL, density, graph, NULL));
    pvg_graph_free(graph);
}

/* The first `count` small patterns and some random ones, all of width at most 3. */
enum { MIXED = PATTERNS + 24 };
static int64_t mixed_patterns(pvgi_small *list, uint64_t *state) {
    memcpy(list, patterns_5, sizeof patterns_5);
    for (int64_t i = PATTERNS; i < MIXED;) {
        pvgi_pattern examined;
        list[i] = random_small(6 + (int32_t)pvgt_below(state, 3), 5, state);
        if (pvgi_pattern_examine(&examined, &list[i], "test") == PVG_OK &&
            examined.width <= 3)
            i++;
    }
    return MIXED;
}

static void test_identities(void) {
    pvgi_small list[MIXED], doubled[MIXED];
    uint64_t state = 17, g[MIXED], h[MIXED], both[MIXED];
    double t[MIXED], blown[MIXED];
    const int64_t count = mixed_patterns(list, &state);
    pvg_density *density = pvgt_to_density(list, count);
    for (int32_t round = 0; round < 40; round++) {
        const pvgi_small a = random_small(1 + (int32_t)pvgt_below(&state, 5), 8, &state);
        const pvgi_small b = random_small(1 + (int32_t)pvgt_below(&state, 5), 8, &state);
        const pvgi_small tensor = product(&a, &b, true);
        count_small(g, density, &a);
        count_small(h, density, &b);
        count_small(both, density, &tensor);
        for (int64_t i = 0; i < count; i++)
            PVGT_CHECK(both[i] == g[i] * h[i], "tensor: pattern %s in %s and %s",
                       pvgt_graph6(&list[i]), pvgt_graph6(&a), pvgt_graph6(&b));
        /* connected patterns add over a disjoint union of hosts */
        const pvgi_small apart = pvgt_beside(&a, &b);
        count_small(both, density, &apart);
        for (int64_t i = 0; i < count; i++)
            if (pvgi_pattern_is_connected(&list[i]))
                PVGT_CHECK(both[i] == g[i] + h[i], "union: pattern %s in %s and %s",
                           pvgt_graph6(&list[i]), pvgt_graph6(&a), pvgt_graph6(&b));
        /* a blow-up has the same densities; exact for these sizes but for the division */
        pvgi_small twins = {.order = 3};
        const pvgi_small larger = product(&a, &twins, false);
        pvg_graph *small_graph = pvgt_to_graph(&a), *large_graph = pvgt_to_graph(&larger);
        PVGT_OK(pvg_density_evaluate_graph_exact(t, density, small_graph, NULL));
        PVGT_OK(pvg_density_evaluate_graph_exact(blown, density, large_graph, NULL));
        for (int64_t i = 0; i < count; i++)
            PVGT_CHECK(fabs(t[i] - blown[i]) <= 4e-16 * t[i],
                       "blow-up: pattern %s in %s: %a %a", pvgt_graph6(&list[i]),
                       pvgt_graph6(&a), t[i], blown[i]);
        pvg_graph_free(small_graph);
        pvg_graph_free(large_graph);
        /* one more edge never lowers a count */
        pvgi_small more = a;
        if (a.order > 1) {
            const int32_t u = (int32_t)pvgt_below(&state, a.order);
            pvgi_pattern_join(&more, u, (u + 1) % a.order);
        }
        count_small(both, density, &more);
        for (int64_t i = 0; i < count; i++)
            PVGT_CHECK(both[i] >= g[i], "monotone: pattern %s in %s",
                       pvgt_graph6(&list[i]), pvgt_graph6(&a));
    }
    pvg_density_free(density);
    /* patterns side by side multiply */
    for (int64_t i = 0; i < count; i++)
        doubled[i] = pvgt_beside(&list[i], &list[(i * 7 + 3) % count]);
    pvg_density *pairs = pvgt_to_density(doubled, count);
    density = pvgt_to_density(list, count);
    for (int32_t round = 0; round < 20; round++) {
        const pvgi_small a = random_small(1 + (int32_t)pvgt_below(&state, 6), 8, &state);
        count_small(g, density, &a);
        count_small(both, pairs, &a);
        for (int64_t i = 0; i < count; i++)
            PVGT_CHECK(both[i] == g[i] * g[(i * 7 + 3) % count],
                       "product: pattern %s in %s", pvgt_graph6(&doubled[i]),
                       pvgt_graph6(&a));
    }
    pvg_density_free(pairs);
    pvg_density_free(density);
}

static void test_renaming(void) {
    pvgi_small list[MIXED];
    uint64_t state = 23;
    const int64_t count = mixed_patterns(list, &state);
    pvg_density *density = pvgt_to_density(list, count);
    for (int32_t round = 0; round < 10; round++) {
        const int64_t n = 10 + pvgt_below(&state, 60);
        uint64_t before[MIXED], after[MIXED];
        pvg_graph *graph = pvgt_random_graph(n, 2 * n, &state), *renamed;
        int64_t *name = calloc((size_t)n, sizeof *name);
        for (int64_t v = 0; v < n; v++) {
            const int64_t at = pvgt_below(&state, v + 1);
            name[v] = name[at];
            name[at] = v;
        }
        PVGT_OK(pvg_graph_relabel(&renamed, graph, name, NULL));
        PVGT_OK(pvg_density_count_graph_exact(before, NULL, density, graph, NULL));
        PVGT_OK(pvg_density_count_graph_exact(after, NULL, density, renamed, NULL));
        for (int64_t i = 0; i < count; i++)
            PVGT_CHECK(before[i] == after[i], "round %d pattern %s", round,
                       pvgt_graph6(&list[i]));
        free(name);
        pvg_graph_free(graph);
        pvg_graph_free(renamed);
    }
    pvg_density_free(density);
}

/* tr A^k. */
static void test_closed_walks(void) {
    enum { MOST = 9 };
    pvg_density *cycles =
        pvgt_density_of_names("cycle3,cycle4,cycle5,cycle6,cycle7,cycle8,cycle9");
    uint64_t state = 29, found[MOST - 2];
    for (int32_t round = 0; round < 20; round++) {
        const int64_t n = 1 + pvgt_below(&state, 40);
        pvg_graph *graph = pvgt_random_graph(n, pvgt_below(&state, 3 * n + 1), &state);
        uint64_t *power_of = calloc((size_t)(n * n), sizeof *power_of);
        uint64_t *next = calloc((size_t)(n * n), sizeof *next);
        PVGT_OK(pvg_density_count_graph_exact(found, NULL, cycles, graph, NULL));
        for (int64_t v = 0; v < n; v++) power_of[v * n + v] = 1;
        for (int32_t k = 1; k <= MOST; k++) {
            uint64_t trace = 0;
            memset(next, 0, (size_t)(n * n) * sizeof *next);
            for (int64_t u = 0; u < n; u++)
                for (int64_t v = 0; v < n; v++)
                    if (pvg_graph_has_edge(graph, u, v))
                        for (int64_t w = 0; w < n; w++)
                            next[u * n + w] += power_of[v * n + w];
            memcpy(power_of, next, (size_t)(n * n) * sizeof *next);
            for (int64_t v = 0; v < n; v++) trace += power_of[v * n + v];
            if (k >= 3)
                PVGT_CHECK(found[k - 3] == trace, "round %d cycle%d: %llu %llu", round, k,
                           (unsigned long long)found[k - 3], (unsigned long long)trace);
        }
        free(power_of);
        free(next);
        pvg_graph_free(graph);
    }
    pvg_density_free(cycles);
}

/* --- the same bits -------------------------------------------------------------- */

/* Counts, roots and edges with several threads. */
static void test_same_on_threads(void) {
    pvgi_small list[MIXED];
    uint64_t state = 37;
    const int64_t count = mixed_patterns(list, &state);
    enum { N = 120, PAIRS = 40 };
    static uint64_t low[3][PAIRS * MIXED], high[3][PAIRS * MIXED];
    static double rows[3][N * MIXED];
    pvg_density *density = pvgt_to_density(list, count);
    pvg_graph *graph = pvgt_random_graph(N, 2 * N, &state);
    int64_t from[PAIRS], to[PAIRS];
    for (int32_t p = 0; p < PAIRS; p++) {
        from[p] = pvgt_below(&state, N);
        to[p] = (from[p] + 1 + pvgt_below(&state, N - 1)) % N;
    }
    for (int32_t i = 0; i < 3; i++) {
        const pvg_run run = {.size = sizeof run, .threads = (uint32_t)(1 + 2 * i)};
        PVGT_OK(pvg_density_edge_exact(low[i], high[i], density, graph, from, to, PAIRS,
                                       &run));
        PVGT_OK(pvg_density_rooted_exact(rows[i], density, NULL, graph, &run));
        TEST_ASSERT_EQUAL_MEMORY(low[0], low[i], sizeof low[0]);
        TEST_ASSERT_EQUAL_MEMORY(high[0], high[i], sizeof high[0]);
        TEST_ASSERT_EQUAL_MEMORY(rows[0], rows[i], sizeof rows[0]);
    }
    /* the mean of a rooted column is the density */
    double whole[MIXED];
    PVGT_OK(pvg_density_evaluate_graph_exact(whole, density, graph, NULL));
    for (int64_t i = 0; i < count; i++) {
        double sum = 0;
        for (int64_t v = 0; v < N; v++) sum += rows[0][v * count + i];
        PVGT_CHECK(fabs(sum / N - whole[i]) <= 1e-12 * whole[i], "pattern %s",
                   pvgt_graph6(&list[i]));
    }
    /* an edge contributes what toggling it changes */
    for (int32_t p = 0; p < PAIRS; p++) {
        uint64_t with[MIXED], without[MIXED];
        int64_t sources[4 * N], targets[4 * N], edges = pvg_graph_size(graph), kept = 0;
        pvg_graph *changed;
        PVGT_OK(pvg_graph_copy_edges(sources, targets, graph));
        for (int64_t e = 0; e < edges; e++) {
            if ((sources[e] == from[p] && targets[e] == to[p]) ||
                (sources[e] == to[p] && targets[e] == from[p]))
                continue;
            sources[kept] = sources[e];
            targets[kept++] = targets[e];
        }
        sources[kept] = from[p];
        targets[kept] = to[p];
        for (int64_t extra = 0; extra < 2; extra++) {
            PVGT_OK(pvg_graph_from_edges(&changed, N, sources, targets, kept + extra,
                                         PVG_EDGES_STRICT, NULL));
            PVGT_OK(pvg_density_count_graph_exact(extra ? with : without, NULL, density,
                                                  changed, NULL));
            pvg_graph_free(changed);
        }
        for (int64_t i = 0; i < count; i++)
            PVGT_CHECK(low[0][p * count + i] == with[i] - without[i],
                       "pattern %s pair %d %d", pvgt_graph6(&list[i]), (int)from[p],
                       (int)to[p]);
    }
    pvg_graph_free(graph);
    pvg_density_free(density);
}

/* Cycles and cliques of one graph that threads share, beyond 2^53 as well; with hubs,
 * with merged nodes (leaves of stars). Densities agree with the counts of exact
 * integers. */
static void test_shared_graph(void) {
    enum { N = 1500, SHARED = 8 };
    pvg_density *density = NULL;
    pvg_patterns *patterns = NULL;
    pvg_graph *graph = NULL;
    pvg_rng *rng = NULL;
    double values[3][SHARED], error;
    uint64_t low[2][SHARED], high[2][SHARED];
    PVGT_OK(pvg_patterns_from_names(&patterns,
                                    "cycle4,cycle7,cycle12,clique3,clique4,clique5,"
                                    "wheel4,biclique2x3"));
    PVGT_OK(pvg_density_new(&density, patterns, NULL));
    PVGT_OK(pvg_rng_new_seeded(&rng, 77));
    PVGT_OK(pvg_graph_draw_preferential(&graph, N, 6, rng, NULL));
    for (uint32_t threads = 1; threads <= 3; threads++) {
        const pvg_run run = {.size = sizeof run, .threads = threads};
        PVGT_OK(
            pvg_density_evaluate_graph_exact(values[threads - 1], density, graph, &run));
        PVGT_CHECK(memcmp(values[0], values[threads - 1], sizeof values[0]) == 0,
                   "%u threads", (unsigned)threads);
        if (threads == 3) continue;
        PVGT_OK(pvg_density_count_graph_exact(low[threads - 1], high[threads - 1],
                                              density, graph, &run));
    }
    int32_t fits = 0; /* under a limit the step is shared or not, with the same result */
    for (uint64_t limit = 1 << 18; limit <= 1 << 28; limit *= 2) {
        const pvg_run run = {.size = sizeof run, .threads = 2, .scratch_limit = limit};
        const int32_t status =
            pvg_density_evaluate_graph_exact(values[1], density, graph, &run);
        TEST_ASSERT_TRUE(status == PVG_OK || status == PVG_E_LIMIT);
        if (status == PVG_OK && fits++ < 3)
            PVGT_CHECK(memcmp(values[0], values[1], sizeof values[0]) == 0, "limit %llu",
                       (unsigned long long)limit);
        if (fits == 3) break;
    }
    TEST_ASSERT_TRUE(fits > 0);
    PVGT_CHECK(memcmp(low[0], low[1], sizeof low[0]) == 0 &&
                   memcmp(high[0], high[1], sizeof high[0]) == 0,
               "counts");
    PVGT_CHECK(high[0][2] > 0 || low[0][2] >> 53 != 0, "cycle12 is not beyond 2^53");
    for (int64_t i = 0; i < SHARED; i++) {
        static const int32_t order[SHARED] = {4, 7, 12, 3, 4, 5, 5, 5};
        const double count = ldexp((double)high[0][i], 64) + (double)low[0][i];
        const double density_of = count / pow(N, order[i]);
        PVGT_OK(pvg_density_relative_error(&error, density, i, N, N));
        PVGT_CHECK(fabs(values[0][i] - density_of) <= (error + 0x1p-48) * density_of,
                   "pattern %d: %a, %a", (int)i, values[0][i], density_of);
    }
    pvg_rng_free(rng);
    pvg_graph_free(graph);
    pvg_density_free(density);
    pvg_patterns_free(patterns);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    make_lists();
    RUN_TEST(test_brute_force);
    RUN_TEST(test_rooted_brute_force);
    RUN_TEST(test_edges_brute_force);
    RUN_TEST(test_stars_and_walks);
    RUN_TEST(test_closed_walks);
    RUN_TEST(test_identities);
    RUN_TEST(test_renaming);
    RUN_TEST(test_same_on_threads);
    RUN_TEST(test_shared_graph);
    return pvgt_end(UNITY_END());
}
