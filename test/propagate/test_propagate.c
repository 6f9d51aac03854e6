/* propagate: small cases by hand, empty ones, cancelling, scratch, arguments. */
#include "support.h"

#include <math.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

static pvg_layers *stack(pvg_layers_config c, const double *weights, int64_t dimension) {
    pvg_layers *layers = NULL;
    c.size = sizeof c;
    PVGT_OK(pvg_layers_new(&layers, &c, weights, dimension));
    return layers;
}

/* One edge and one node alone. */
static pvg_graph *edge_and_node(void) {
    const int64_t a = 0, b = 1;
    pvg_graph *graph = NULL;
    PVGT_OK(pvg_graph_from_edges(&graph, 3, &a, &b, 1, PVG_EDGES_STRICT, NULL));
    return graph;
}

static void operators_by_hand(void) {
    const struct {
        pvg_layers_config c;
        double expected[3];
    } cases[] = {
        /* x = (1, 3, 5); node 2 has no neighbour */
        {{.operation = PVG_OPERATOR_SYMMETRIC}, {2, 2, 5}},
        {{.operation = PVG_OPERATOR_SYMMETRIC, .tau = 3}, {1, 1, 5. / 3}},
        {{.operation = PVG_OPERATOR_SYMMETRIC, .tau = 3, .self_weight = 3},
         {1.5, 2.5, 5}},
        {{.operation = PVG_OPERATOR_FLOOR, .floor = 1}, {3, 1, 5}},
        {{.operation = PVG_OPERATOR_FLOOR, .floor = 4}, {1.5, 2.5, 5}},
        {{.operation = PVG_OPERATOR_LAPLACIAN, .floor = 2}, {2, 2, 5}},
        {{.operation = PVG_OPERATOR_LAPLACIAN, .floor = 4}, {1.5, 2.5, 5}},
        {{.operation = PVG_OPERATOR_ROW}, {2, 2, 5}},
        {{.operation = PVG_OPERATOR_ROW, .tau = 3}, {1, 1, 5. / 3}},
        {{.operation = PVG_OPERATOR_SUM}, {3, 1, 0}},
    };
    const double x[] = {1, 3, 5};
    const float xf[] = {1, 3, 5};
    pvg_graph *graph = edge_and_node();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pvg_layers *layers = stack(cases[i].c, NULL, 0);
        double out[3];
        float outf[3];
        PVGT_OK(pvg_propagate_apply_exact(out, layers, graph, x, 1, NULL));
        PVGT_OK(pvg_propagate_apply_float_exact(outf, layers, graph, xf, 1, NULL));
        for (int j = 0; j < 3; j++) {
            TEST_ASSERT_DOUBLE_WITHIN(1e-15 * 8, cases[i].expected[j], out[j]);
            TEST_ASSERT_FLOAT_WITHIN(1e-6f, (float)cases[i].expected[j], outf[j]);
        }
        pvg_layers_free(layers);
    }
    pvg_graph_free(graph);
}

static void layers_by_hand(void) {
    pvg_graph *graph = edge_and_node();
    double out[6];
    {
        /* P(x): (3, 4) is pulled to (0.6, 0.8); the average of the first two rows; 0.9 */
        const double x[] = {3, 4, 0, 0, 0.5, 0};
        pvg_layers *layers = stack((pvg_layers_config){0}, NULL, 0);
        PVGT_OK(pvg_propagate_exact(out, layers, graph, x, 2, NULL));
        const double expected[] = {0.27, 0.36, 0.27, 0.36, 0.45, 0};
        for (int i = 0; i < 6; i++) TEST_ASSERT_DOUBLE_WITHIN(1e-15, expected[i], out[i]);
        pvg_layers_free(layers);
    }
    {
        /* mean alone, and the projected features on top */
        const double x[] = {3, 4, 0, 0, 0.5, 0};
        pvg_layers *layers =
            stack((pvg_layers_config){.contraction = 3, .mean_weight = 1, .residual = 10},
                  NULL, 0);
        PVGT_OK(pvg_propagate_exact(out, layers, graph, x, 2, NULL));
        const double expected[] = {1.1 + 6, 0.8 + 8, 1.1, 0.8, 1.1 + 5, 0.8};
        for (int i = 0; i < 6; i++) TEST_ASSERT_DOUBLE_WITHIN(4e-15, expected[i], out[i]);
        pvg_layers_free(layers);
    }
    {
        /* sums of unit rows; a zero row stays zero */
        const double x[] = {3, 4, 0, 0, 0.5, 0};
        pvg_layers *layers = stack((pvg_layers_config){.operation = PVG_OPERATOR_SUM,
                                                       .rows = PVG_ROWS_NORMALISED},
                                   NULL, 0);
        PVGT_OK(pvg_propagate_exact(out, layers, graph, x, 2, NULL));
        const double expected[] = {0, 0, 0.6, 0.8, 0, 0};
        for (int i = 0; i < 6; i++) TEST_ASSERT_DOUBLE_WITHIN(1e-15, expected[i], out[i]);
        pvg_layers_free(layers);
    }
    {
        /* row times W = (x0 w00 + x1 w10, x0 w01 + x1 w11), then ReLU */
        const double x[] = {1, 0, 1, 0, 0, 1}, w[] = {2, -3, 5, 7};
        pvg_layers *layers = stack(
            (pvg_layers_config){.contraction = 1, .activation = PVG_ACTIVATION_RELU}, w,
            2);
        PVGT_OK(pvg_propagate_exact(out, layers, graph, x, 2, NULL));
        const double expected[] = {2, 0, 2, 0, 5, 7};
        for (int i = 0; i < 6; i++) TEST_ASSERT_DOUBLE_WITHIN(1e-14, expected[i], out[i]);
        pvg_layers_free(layers);
    }
    {
        const double x[] = {-0.5, 0.25, -0.5, 0.25, 0, 0};
        for (int32_t activation = PVG_ACTIVATION_TANH; activation <= PVG_ACTIVATION_SELU;
             activation++) {
            pvg_layers *layers = stack(
                (pvg_layers_config){.contraction = 1, .activation = activation}, NULL, 0);
            PVGT_OK(pvg_propagate_exact(out, layers, graph, x, 2, NULL));
            const bool selu = activation == PVG_ACTIVATION_SELU;
            const double low = selu ? 1.7580993408473766 * expm1(-0.5) : tanh(-0.5);
            const double high = selu ? 1.0507009873554805 * 0.25 : tanh(0.25);
            const double expected[] = {low, high, low, high, 0, 0};
            for (int i = 0; i < 6; i++)
                TEST_ASSERT_DOUBLE_WITHIN(1e-15, expected[i], out[i]);
            pvg_layers_free(layers);
        }
    }
    pvg_graph_free(graph);
}

static void nothing_to_do(void) {
    pvg_graph *none = NULL, *graph = edge_and_node();
    pvg_features *features = NULL;
    pvg_layers *layers =
        stack((pvg_layers_config){.mean_weight = 0.5, .residual = 1}, NULL, 0);
    double x[1] = {1}, out[1] = {42}, bound = -1;
    PVGT_OK(pvg_graph_from_edges(&none, 0, NULL, NULL, 0, PVG_EDGES_STRICT, NULL));
    PVGT_OK(pvg_propagate_exact(out, layers, none, x, 1, NULL));
    PVGT_OK(pvg_propagate_apply_exact(out, layers, none, x, 1, NULL));
    PVGT_OK(pvg_propagate_exact(out, layers, graph, x, 0, NULL));
    PVGT_OK(pvg_features_from_dense(&features, 0, 4, x));
    PVGT_OK(pvg_propagate_features_exact(out, layers, none, features, NULL));
    TEST_ASSERT_TRUE(out[0] == 42);
    PVGT_OK(pvg_propagate_rounding(&bound, layers, 0, 0, 0, 0));
    TEST_ASSERT_TRUE(bound >= 0 && bound < 1e-100);
    pvg_features_free(features);
    pvg_layers_free(layers);
    pvg_graph_free(graph);
    pvg_graph_free(none);
}

static int32_t stop(void *context, double fraction) {
    *(double *)context = fraction;
    return 1;
}

/* A stack so deep that the callback is asked. */
static void cancelling_leaves_the_output(void) {
    enum { N = 3000, D = 8 };
    static double x[N * D], out[N * D];
    pvg_graph *graph = NULL;
    double seen = -1;
    const pvg_run run = {.size = sizeof run, .progress = stop, .progress_context = &seen};
    pvg_layers *layers = stack((pvg_layers_config){.depth = 60000}, NULL, 0);
    PVGT_OK(pvg_graph_new_cycle(&graph, N));
    for (int i = 0; i < N * D; i++) x[i] = 1, out[i] = 42;
    PVGT_FAILS(PVG_E_CANCELLED, "cancelled",
               pvg_propagate_exact(out, layers, graph, x, D, &run));
    TEST_ASSERT_TRUE(seen >= 0 && seen <= 1);
    for (int i = 0; i < N * D; i++) TEST_ASSERT_TRUE(out[i] == 42);
    pvg_layers_free(layers);
    pvg_graph_free(graph);
}

/* The scratch limit is obeyed to the byte that is really used, more or less. */
static void scratch_is_told_before(void) {
    enum { N = 2000, D = 20 };
    static double x[N * D], out[N * D];
    pvg_graph *graph = NULL;
    pvg_layers *layers =
        stack((pvg_layers_config){.mean_weight = 0.5, .residual = 1}, NULL, 0);
    PVGT_OK(pvg_graph_new_cycle(&graph, N));
    pvg_run run = {.size = sizeof run};
    uint64_t low = 1, high = 1 << 30;
    for (int i = 0; i < N * D; i++) out[i] = 42;
    while (low < high) {
        run.scratch_limit = (low + high) / 2;
        if (pvg_propagate_exact(out, layers, graph, x, D, &run) == PVG_OK)
            high = run.scratch_limit;
        else
            low = run.scratch_limit + 1;
    }
    run.scratch_limit = low - 1;
    PVGT_FAILS(PVG_E_LIMIT, "scratch_limit",
               pvg_propagate_exact(out, layers, graph, x, D, &run));
    run.scratch_limit = 1;
    PVGT_FAILS(PVG_E_LIMIT, "scratch_limit",
               pvg_propagate_apply_exact(out, layers, graph, x, D, &run));
    run.scratch_limit = low;
    const size_t begin = pvgt_peak_begin();
    PVGT_OK(pvg_propagate_exact(out, layers, graph, x, D, &run));
    const size_t used = pvgt_peak_bytes(begin);
    PVGT_CHECK(used <= low + 4096 && used * 10 >= low * 9, "%zu of %llu", used,
               (unsigned long long)low);
    pvg_layers_free(layers);
    pvg_graph_free(graph);
}

static void bad_arguments(void) {
    pvg_graph *graph = edge_and_node();
    const double w[] = {1, 0, 0, 1};
    pvg_layers *layers = stack((pvg_layers_config){0}, NULL, 0);
    pvg_layers *square = stack((pvg_layers_config){0}, w, 2);
    double x[6] = {0}, out[6], bound = 42;
    float xf[6] = {0}, outf[6];
    pvg_features *features = NULL, *wide = NULL, *huge = NULL;
    for (int i = 0; i < 6; i++) outf[i] = (float)(out[i] = 42);
    PVGT_OK(pvg_features_from_dense(&features, 2, 3, x));
    PVGT_OK(pvg_features_from_dense(&wide, 3, 1, x));
    x[4] = 0x1p501;
    PVGT_OK(pvg_features_from_dense(&huge, 3, 2, x));
    const int32_t bad = PVG_E_ARGUMENT;
    PVGT_FAILS(bad, "out", pvg_propagate_exact(NULL, layers, graph, x, 2, NULL));
    PVGT_FAILS(bad, "layers", pvg_propagate_exact(out, NULL, graph, x, 2, NULL));
    PVGT_FAILS(bad, "graph", pvg_propagate_exact(out, layers, NULL, x, 2, NULL));
    PVGT_FAILS(bad, "x is NULL", pvg_propagate_exact(out, layers, graph, NULL, 2, NULL));
    PVGT_FAILS(bad, "columns", pvg_propagate_exact(out, layers, graph, x, -1, NULL));
    PVGT_FAILS(bad, "dimension 2", pvg_propagate_exact(out, square, graph, x, 1, NULL));
    PVGT_FAILS(bad, "row 2, column 0",
               pvg_propagate_exact(out, layers, graph, x, 2, NULL));
    x[4] = NAN;
    PVGT_FAILS(bad, "row 1, column 1",
               pvg_propagate_exact(out, layers, graph, x, 3, NULL));
    x[4] = 0;
    const pvg_run run = {.size = sizeof run, .threads = PVG_THREADS_MAX + 1};
    PVGT_FAILS(bad, "threads", pvg_propagate_exact(out, layers, graph, x, 2, &run));
    PVGT_FAILS(bad, "out", pvg_propagate_features_exact(NULL, layers, graph, wide, NULL));
    PVGT_FAILS(bad, "features",
               pvg_propagate_features_exact(out, layers, graph, NULL, NULL));
    PVGT_FAILS(bad, "2 rows",
               pvg_propagate_features_exact(out, layers, graph, features, NULL));
    PVGT_FAILS(bad, "dimension 2",
               pvg_propagate_features_exact(out, square, graph, wide, NULL));
    PVGT_FAILS(bad, "2^500",
               pvg_propagate_features_exact(out, layers, graph, huge, NULL));
    PVGT_FAILS(bad, "out", pvg_propagate_apply_exact(NULL, layers, graph, x, 2, NULL));
    PVGT_FAILS(bad, "x is", pvg_propagate_apply_exact(out, layers, graph, NULL, 2, NULL));
    PVGT_FAILS(bad, "graph",
               pvg_propagate_apply_float_exact(outf, layers, NULL, xf, 2, NULL));
    PVGT_FAILS(bad, "columns",
               pvg_propagate_apply_float_exact(outf, layers, graph, xf, -2, NULL));
    PVGT_FAILS(bad, "out", pvg_propagate_rounding(NULL, layers, 0, 3, 0, 2));
    PVGT_FAILS(bad, "layers", pvg_propagate_rounding(&bound, NULL, 0, 3, 0, 2));
    PVGT_FAILS(bad, "layer is 1", pvg_propagate_rounding(&bound, layers, 1, 3, 0, 2));
    PVGT_FAILS(bad, "order", pvg_propagate_rounding(&bound, layers, 0, -1, 0, 2));
    PVGT_FAILS(bad, "degree", pvg_propagate_rounding(&bound, layers, 0, 3, -1, 2));
    PVGT_FAILS(bad, "columns", pvg_propagate_rounding(&bound, layers, 0, 3, 0, -1));
    PVGT_FAILS(bad, "dimension", pvg_propagate_rounding(&bound, square, 0, 3, 0, 3));
    TEST_ASSERT_TRUE(bound == 42);
    for (int i = 0; i < 6; i++) TEST_ASSERT_TRUE(out[i] == 42 && outf[i] == 42);
    pvg_features_free(features);
    pvg_features_free(wide);
    pvg_features_free(huge);
    pvg_layers_free(layers);
    pvg_layers_free(square);
    pvg_graph_free(graph);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(operators_by_hand);
    RUN_TEST(layers_by_hand);
    RUN_TEST(nothing_to_do);
    RUN_TEST(cancelling_leaves_the_output);
    RUN_TEST(scratch_is_told_before);
    RUN_TEST(bad_arguments);
    return pvgt_end(UNITY_END());
}
