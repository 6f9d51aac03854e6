/* density: cycles and cliques of graphs so large that threads share the work and that the
 * engine leaves as they are, against counts that share nothing with it (common neighbours
 * of pairs of nodes), and against the same graph where the engine merges nodes. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

enum { PATTERNS = 4, ORDER = 36000 };
static const char *const names = "triangle,clique4,cycle4,cycle5";

typedef struct {
    pvg_graph *graph;
    const int64_t *offsets;
    const int32_t *columns;
    int64_t order;
} host;

typedef struct {
    int64_t *from, *to, count, room;
} edges;

static void add_edge(edges *list, int64_t u, int64_t v) {
    if (u == v) return;
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 1024;
        list->from = realloc(list->from, (size_t)list->room * sizeof *list->from);
        list->to = realloc(list->to, (size_t)list->room * sizeof *list->to);
        TEST_ASSERT_NOT_NULL(list->from);
        TEST_ASSERT_NOT_NULL(list->to);
    }
    list->from[list->count] = u;
    list->to[list->count++] = v;
}

static host finish(edges *list, int64_t order) {
    host out = {.order = order};
    PVGT_OK(pvg_graph_from_edges(&out.graph, order, list->from, list->to, list->count,
                                 PVG_EDGES_MERGE, NULL));
    PVGT_OK(pvg_graph_view_csr(&out.offsets, &out.columns, out.graph));
    free(list->from);
    free(list->to);
    return out;
}

/* Random edges, more of them between few nodes; a hub of `spokes`; `leaves` leaves on
 * one node, which have the same neighbours. */
static host make_host(int64_t order, int64_t spokes, int64_t leaves, uint64_t seed) {
    edges list = {0};
    for (int64_t i = 0; i < 2 * order; i++) {
        const int64_t u = pvgt_below(&seed, order - leaves);
        add_edge(&list, u, pvgt_below(&seed, 1 + (order - leaves) / (1 + i % 40)));
    }
    for (int64_t v = 1; v <= spokes; v++) add_edge(&list, 0, v);
    for (int64_t v = 10; v < 22; v++) /* two cliques of six */
        for (int64_t u = v < 16 ? 10 : 16; u < v; u++) add_edge(&list, u, v);
    for (int64_t v = order - leaves; v < order; v++) add_edge(&list, 5, v);
    return finish(&list, order);
}

static bool joined(const host *in, int64_t u, int64_t v) {
    int64_t low = in->offsets[u], high = in->offsets[u + 1];
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (in->columns[middle] < v)
            low = middle + 1;
        else
            high = middle;
    }
    return low < in->offsets[u + 1] && in->columns[low] == v;
}

/* Maps of the four patterns by common neighbours: with p[v] the paths u - y - v,
 * C4 = sum of p^2, C3 = sum over edges uv of p, C5 = sum over edges vx of p[v] p[x]. */
static void count_slowly(uint64_t *out, const host *in) {
    uint64_t *paths = calloc((size_t)in->order, sizeof *paths);
    TEST_ASSERT_NOT_NULL(paths);
    memset(out, 0, PATTERNS * sizeof *out);
    for (int64_t u = 0; u < in->order; u++) {
        const int64_t *o = in->offsets;
        const int32_t *c = in->columns;
        for (int64_t i = o[u]; i < o[u + 1]; i++)
            for (int64_t j = o[c[i]]; j < o[c[i] + 1]; j++) paths[c[j]]++;
        for (int64_t i = o[u]; i < o[u + 1]; i++) out[0] += paths[c[i]];
        for (int64_t i = o[u]; i < o[u + 1]; i++)
            for (int64_t j = o[u]; j < i; j++)
                for (int64_t k = o[u]; k < j && joined(in, c[i], c[j]); k++)
                    out[1] +=
                        6 * (uint64_t)(joined(in, c[i], c[k]) && joined(in, c[j], c[k]));
        for (int64_t v = 0; v < in->order; v++) {
            if (!paths[v]) continue;
            out[2] += paths[v] * paths[v];
            for (int64_t j = o[v]; j < o[v + 1]; j++) out[3] += paths[v] * paths[c[j]];
        }
        memset(paths, 0, (size_t)in->order * sizeof *paths);
    }
    free(paths);
}

static pvg_density *density_of(const char *list) {
    pvg_patterns *patterns;
    pvg_density *density;
    PVGT_OK(pvg_patterns_from_names(&patterns, list));
    PVGT_OK(pvg_density_new(&density, patterns, NULL));
    pvg_patterns_free(patterns);
    return density;
}

static pvg_graphset *set_of(const pvg_graph *first, const pvg_graph *second) {
    pvg_graphset_builder *builder;
    pvg_graphset *set;
    PVGT_OK(pvg_graphset_builder_new(&builder, 0));
    PVGT_OK(pvg_graphset_builder_add(builder, first, -1, NULL, NULL));
    if (second) PVGT_OK(pvg_graphset_builder_add(builder, second, -1, NULL, NULL));
    PVGT_OK(pvg_graphset_builder_finish(&set, builder));
    pvg_graphset_builder_free(builder);
    return set;
}

/* All patterns at once and one by one, one and two threads; as the second graph of a
 * set nodes are merged. */
static void compare(const host *in, const uint64_t *expected) {
    pvg_graph *small;
    PVGT_OK(pvg_graph_new_cycle(&small, 5));
    pvg_graphset *alone = set_of(in->graph, NULL), *behind = set_of(small, in->graph);
    char copy[64], *rest = copy;
    snprintf(copy, sizeof copy, "%s", names);
    for (int32_t i = -1; i < PATTERNS; i++) {
        pvg_density *density = density_of(i < 0 ? names : strtok_r(rest, ",", &rest));
        const int32_t count = i < 0 ? PATTERNS : 1;
        double first[PATTERNS] = {0}, again[PATTERNS];
        for (uint32_t threads = 1; threads <= 2; threads++) {
            const pvg_run run = {.size = sizeof run, .threads = threads};
            uint64_t low[2 * PATTERNS], high[2 * PATTERNS];
            PVGT_OK(pvg_density_count_exact(low, high, density, alone, &run));
            for (int32_t k = 0; k < count; k++)
                PVGT_CHECK(high[k] == 0 && low[k] == expected[i < 0 ? k : i],
                           "pattern %d, %u threads: %llu", i < 0 ? k : i, threads,
                           (unsigned long long)low[k]);
            if (threads == 1)
                PVGT_OK(pvg_density_count_exact(low, high, density, behind, &run));
            for (int32_t k = 0; k < count && threads == 1; k++)
                TEST_ASSERT_EQUAL_UINT64(expected[i < 0 ? k : i], low[count + k]);
            PVGT_OK(pvg_density_evaluate_graph_exact(again, density, in->graph, &run));
            if (threads == 1) memcpy(first, again, sizeof first);
            TEST_ASSERT_EQUAL_MEMORY(first, again, (size_t)count * sizeof *again);
        }
        pvg_density_free(density);
    }
    pvg_graphset_free(alone);
    pvg_graphset_free(behind);
    pvg_graph_free(small);
}

static void test_against_common_neighbours(void) {
    static const struct {
        int64_t spokes, leaves;
    } cases[] = {{0, 0}, {3000, 100}, {300, 9000}}; /* the last has too many to be left */
    for (size_t i = pvgt_turns(3) < 3; i < sizeof cases / sizeof *cases; i++) {
        uint64_t expected[PATTERNS];
        host in = make_host(ORDER, cases[i].spokes, cases[i].leaves, 7 + i);
        count_slowly(expected, &in);
        for (int32_t k = 0; k < PATTERNS; k++) TEST_ASSERT_TRUE(expected[k] > 0);
        compare(&in, expected);
        pvg_graph_free(in.graph);
    }
}

/* Hubs with a few neighbours less and more than 2^16: a rim joined to one hub, and every
 * other node of it to a second one. Far from where the rim closes, nodes of one kind have
 * as many paths. */
static void test_wide_counters(void) {
    for (int64_t rim = 65533; rim <= 65541; rim += 4) {
        edges list = {0};
        for (int64_t v = 0; v < rim; v++) {
            add_edge(&list, v, (v + 1) % rim);
            add_edge(&list, v, rim);
            if (v % 2) add_edge(&list, v, rim + 1);
        }
        host in = finish(&list, rim + 2);
        pvg_density *density = density_of("cycle4");
        pvg_graphset *alone = set_of(in.graph, NULL);
        uint64_t low, high, expected = 0;
        uint64_t *paths = calloc((size_t)in.order, sizeof *paths);
        TEST_ASSERT_NOT_NULL(paths);
        for (int64_t u = 0; u < in.order; u++) {
            if (u >= 4 && u + 8 < rim) continue; /* like nodes 2 and 3, by turns */
            for (int64_t i = in.offsets[u]; i < in.offsets[u + 1]; i++)
                for (int64_t j = in.offsets[in.columns[i]];
                     j < in.offsets[in.columns[i] + 1]; j++)
                    paths[in.columns[j]]++;
            uint64_t sum = 0;
            for (int64_t v = 0; v < in.order; v++) sum += paths[v] * paths[v];
            expected += sum;
            if (u == 2) expected += sum * ((uint64_t)(rim - 12 + 1) / 2);
            if (u == 3) expected += sum * ((uint64_t)(rim - 12) / 2);
            memset(paths, 0, (size_t)in.order * sizeof *paths);
        }
        PVGT_OK(pvg_density_count_exact(&low, &high, density, alone, NULL));
        PVGT_CHECK(high == 0 && low == expected, "rim %lld: %llu, not %llu",
                   (long long)rim, (unsigned long long)low, (unsigned long long)expected);
        free(paths);
        pvg_graphset_free(alone);
        pvg_density_free(density);
        pvg_graph_free(in.graph);
    }
}

static int32_t stop_at_once(void *context, double fraction) {
    (void)context;
    (void)fraction;
    return 1;
}

static void test_cancel(void) {
    pvg_graph *graph;
    pvg_density *density = density_of("triangle,cycle4");
    double out[2] = {0, 0};
    edges list = {0};
    uint64_t seed = 3;
    for (int64_t i = 0; i < 6000000; i++)
        add_edge(&list, pvgt_below(&seed, 400000), pvgt_below(&seed, 400000));
    graph = finish(&list, 400000).graph;
    for (uint32_t threads = 1; threads <= 2; threads++) {
        const pvg_run run = {
            .size = sizeof run, .threads = threads, .progress = stop_at_once};
        PVGT_FAILS(PVG_E_CANCELLED, "cancelled",
                   pvg_density_evaluate_graph_exact(out, density, graph, &run));
        TEST_ASSERT_TRUE(out[0] == 0 && out[1] == 0);
    }
    pvg_density_free(density);
    pvg_graph_free(graph);
}

typedef struct {
    const pvg_density *density;
    const pvg_graph *graph;
    pvg_run run;
} call;

static int32_t evaluate(void *context) {
    const call *in = context;
    double out[PATTERNS];
    return pvg_density_evaluate_graph_exact(out, in->density, in->graph, &in->run);
}

static void test_memory(void) {
    host in = make_host(ORDER, 100, 10, 11);
    pvg_density *density = density_of(names);
    bool failed = false;
    for (uint32_t threads = 1; threads <= 2; threads++) {
        call made = {density, in.graph, {.size = sizeof made.run, .threads = threads}};
        pvgt_oom_walk("large host", evaluate, &made, 8);
        uint64_t limit = 4096;
        int32_t status;
        for (;; limit *= 2) {
            made.run.scratch_limit = limit;
            status = evaluate(&made);
            if (status != PVG_E_LIMIT) break;
            failed = true;
        }
        TEST_ASSERT_EQUAL_INT32(PVG_OK, status);
        const size_t begin = pvgt_peak_begin();
        PVGT_OK(evaluate(&made));
        TEST_ASSERT_TRUE(pvgt_peak_bytes(begin) <= limit + 4096);
    }
    TEST_ASSERT_TRUE(failed);
    pvg_density_free(density);
    pvg_graph_free(in.graph);
}

/* Patterns that come again get the density of the first of their kind. */
static void test_alike(void) {
    static const char *const each[] = {"cycle4", "path3",  "triangle", "path3", "cycle4",
                                       "edge",   "vertex", "triangle", "vertex"};
    enum { COUNT = sizeof each / sizeof *each };
    pvg_density *all =
        density_of("cycle4,path3,triangle,path3,cycle4,edge,vertex,triangle,vertex");
    for (int64_t order = 5; order < 9; order++) {
        double found[COUNT], one;
        edges list = {0};
        for (int64_t v = 1; v < order; v++)
            for (int64_t u = 0; u < v; u++) add_edge(&list, u, v);
        pvg_graph *graph = finish(&list, order).graph;
        PVGT_OK(pvg_density_evaluate_graph_exact(found, all, graph, NULL));
        for (int32_t i = 0; i < COUNT; i++) {
            pvg_density *alone = density_of(each[i]);
            PVGT_OK(pvg_density_evaluate_graph_exact(&one, alone, graph, NULL));
            PVGT_CHECK(one == found[i] && one > 0, "%s: %g, not %g", each[i], found[i],
                       one);
            pvg_density_free(alone);
        }
        pvg_graph_free(graph);
    }
    pvg_density_free(all);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(test_against_common_neighbours);
    RUN_TEST(test_wide_counters);
    RUN_TEST(test_cancel);
    RUN_TEST(test_memory);
    RUN_TEST(test_alike);
    return pvgt_end(UNITY_END());
}
