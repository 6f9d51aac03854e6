/* KProp against a dense product, on graphs and on lists with repeated entries. */
#include "support.h"

#include <math.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

enum { N = 60, D = 7 };

/* rounds times R^-1/2 A C^-1/2 from the full matrix of multiplicities. */
static void oracle(double *h, const double *many, int n, int d, int rounds) {
    static double next[N * D];
    double length[N] = {0}, named[N] = {0};
    for (int u = 0; u < n; u++)
        for (int v = 0; v < n; v++) {
            length[u] += many[u * n + v];
            named[v] += many[u * n + v];
        }
    for (int round = 0; round < rounds; round++) {
        memset(next, 0, sizeof next);
        for (int u = 0; u < n; u++)
            for (int v = 0; v < n; v++)
                for (int j = 0; j < d && many[u * n + v] > 0; j++)
                    next[u * d + j] +=
                        many[u * n + v] * h[v * d + j] / sqrt(length[u] * named[v]);
        memcpy(h, next, sizeof(double) * (size_t)(n * d));
    }
}

static double norm(const double *h, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += h[i] * h[i];
    return sqrt(sum);
}

static void graphs_are_smoothed(void) {
    static double values[N * D], want[N * D], got[N * D], again[N * D], many[N * N];
    uint64_t state = 5;
    for (int trial = 0; trial < 20; trial++) {
        pvg_graph *graph;
        pvg_rng *rng;
        PVGT_OK(pvg_rng_new_seeded(&rng, (uint64_t)trial));
        PVGT_OK(pvg_graph_draw_erdos_renyi(&graph, N, trial * 0.01, rng, NULL));
        const int rounds = trial % 5;
        for (int i = 0; i < N * D; i++)
            values[i] = want[i] = (double)pvgt_below(&state, 2001) / 100 - 10;
        for (int u = 0; u < N; u++)
            for (int v = 0; v < N; v++) many[u * N + v] = pvg_graph_has_edge(graph, u, v);
        oracle(want, many, N, D, rounds);
        PVGT_OK(pvg_kprop_graph(got, graph, values, D, rounds, NULL));
        for (int i = 0; i < N * D; i++)
            PVGT_CHECK(fabs(got[i] - want[i]) <= 1e-12, "trial %d, cell %d: %g for %g",
                       trial, i, got[i], want[i]);
        TEST_ASSERT_TRUE(norm(got, N * D) <= norm(values, N * D) * (1 + 1e-12));
        if (rounds == 0) TEST_ASSERT_EQUAL_MEMORY(values, got, sizeof got);
        const pvg_run run = {.size = sizeof run, .threads = 3};
        PVGT_OK(pvg_kprop_graph(again, graph, values, D, rounds, &run));
        TEST_ASSERT_EQUAL_MEMORY(got, again, sizeof got);
        PVGT_OK(pvg_kprop_graph(values, graph, values, D, rounds, NULL)); /* in place */
        TEST_ASSERT_EQUAL_MEMORY(got, values, sizeof got);
        /* the lists of a graph are the graph */
        const int64_t *offsets;
        const int32_t *columns;
        PVGT_OK(pvg_graph_view_csr(&offsets, &columns, graph));
        PVGT_OK(pvg_kprop_lists(again, offsets, columns, N, got, D, 2, NULL));
        PVGT_OK(pvg_kprop_graph(got, graph, got, D, 2, NULL));
        TEST_ASSERT_EQUAL_MEMORY(got, again, sizeof got);
        pvg_graph_free(graph);
        pvg_rng_free(rng);
    }
}

static void lists_are_smoothed(void) {
    static double values[N * D], want[N * D], got[N * D], many[N * N];
    static int32_t targets[N * 6];
    uint64_t state = 9;
    for (int trial = 0; trial < 20; trial++) {
        int64_t offsets[N + 1] = {0};
        memset(many, 0, sizeof many);
        for (int u = 0; u < N; u++) {
            const int64_t length = pvgt_below(&state, 7);
            offsets[u + 1] = offsets[u] + length;
            for (int64_t i = offsets[u]; i < offsets[u + 1]; i++) {
                targets[i] = (int32_t)pvgt_below(&state, trial < 10 ? 12 : N);
                many[u * N + targets[i]]++;
            }
        }
        for (int i = 0; i < N * D; i++)
            values[i] = want[i] = (double)pvgt_below(&state, 101) - 50;
        oracle(want, many, N, D, 3);
        PVGT_OK(pvg_kprop_lists(got, offsets, targets, N, values, D, 3, NULL));
        for (int i = 0; i < N * D; i++)
            PVGT_CHECK(fabs(got[i] - want[i]) <= 1e-11, "trial %d, cell %d: %g for %g",
                       trial, i, got[i], want[i]);
        TEST_ASSERT_TRUE(norm(got, N * D) <= norm(values, N * D) * (1 + 1e-12));
    }
}

static void bad_input_is_named(void) {
    pvg_graph *path;
    double values[6] = {1, 2, 3, 4, 5, 6}, out[6];
    int64_t offsets[4] = {0, 1, 2, 2};
    int32_t targets[2] = {1, 0};
    PVGT_OK(pvg_graph_new_path(&path, 3));
    PVGT_FAILS(PVG_E_ARGUMENT, "graph", pvg_kprop_graph(out, NULL, values, 2, 1, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "out", pvg_kprop_graph(NULL, path, values, 2, 1, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "values", pvg_kprop_graph(out, path, NULL, 2, 1, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "columns",
               pvg_kprop_graph(out, path, values, -1, 1, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "rounds", pvg_kprop_graph(out, path, values, 2, -1, NULL));
    /* nothing to do, however often */
    PVGT_OK(pvg_kprop_graph(out, path, values, 0, INT64_C(1) << 62, NULL));
    values[3] = NAN;
    PVGT_FAILS(PVG_E_ARGUMENT, "values[3]",
               pvg_kprop_graph(out, path, values, 2, 1, NULL));
    values[3] = 4;
    PVGT_OK(pvg_kprop_graph(NULL, path, NULL, 0, 1, NULL));
    const pvg_run tight = {.size = sizeof tight, .scratch_limit = 10};
    PVGT_FAILS(PVG_E_LIMIT, "", pvg_kprop_graph(out, path, values, 2, 1, &tight));
    PVGT_FAILS(PVG_E_ARGUMENT, "offsets is NULL",
               pvg_kprop_lists(out, NULL, targets, 3, values, 2, 1, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "targets is NULL",
               pvg_kprop_lists(out, offsets, NULL, 3, values, 2, 1, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "count",
               pvg_kprop_lists(out, offsets, targets, -1, values, 2, 1, NULL));
    targets[1] = 3;
    PVGT_FAILS(PVG_E_ARGUMENT, "targets[1]",
               pvg_kprop_lists(out, offsets, targets, 3, values, 2, 1, NULL));
    targets[1] = -1;
    PVGT_FAILS(PVG_E_ARGUMENT, "targets[1]",
               pvg_kprop_lists(out, offsets, targets, 3, values, 2, 1, NULL));
    offsets[2] = 0;
    PVGT_FAILS(PVG_E_ARGUMENT, "offsets[2]",
               pvg_kprop_lists(out, offsets, targets, 3, values, 2, 1, NULL));
    pvg_graph_free(path);
}

static int32_t enough(void *context, double fraction) {
    (void)context;
    TEST_ASSERT_TRUE(fraction >= 0 && fraction <= 1);
    return 1;
}

/* Rounds beyond any lifetime end when the host says so, also where each is short; with
 * nothing to compute there is nothing to ask. */
static void endless_rounds_can_be_ended(void) {
    for (int64_t order = 0; order <= 3; order++)
        for (int64_t columns = 0; columns <= 2; columns++) {
            pvg_graph *path;
            const double values[6] = {1, 2, 3, 4, 5, 6};
            double out[6] = {-1, -1, -1, -1, -1, -1};
            const pvg_run run = {.size = sizeof run, .progress = enough};
            PVGT_OK(pvg_graph_new_path(&path, order));
            const int32_t status =
                pvg_kprop_graph(out, path, values, columns, INT64_C(1) << 62, &run);
            PVGT_CHECK(status == (order * columns > 0 ? PVG_E_CANCELLED : PVG_OK),
                       "order %d, columns %d: %s", (int)order, (int)columns,
                       pvg_status_name(status));
            TEST_ASSERT_EQUAL_DOUBLE(-1, out[0]);
            pvg_graph_free(path);
        }
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(graphs_are_smoothed);
    RUN_TEST(lists_are_smoothed);
    RUN_TEST(bad_input_is_named);
    RUN_TEST(endless_rounds_can_be_ended);
    return pvgt_end(UNITY_END());
}
