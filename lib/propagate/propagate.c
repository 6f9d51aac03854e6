/* Entry file of propagate: what propagate.h declares. */
#include "propagate_internal.h"

#include <math.h>

/* Larger numbers would leave the range of doubles when they are squared and added. */
#define SIZE_MAX_NUMBER 0x1p500

static int32_t check_common(const char *name, const void *out, const pvg_layers *layers,
                            const pvg_graph *graph, int64_t columns) {
    if (!out) return pvgi_fail_null(name, "out");
    if (!layers) return pvgi_fail_null(name, "layers");
    if (!graph) return pvgi_fail_null(name, "graph");
    PVGI_REQUIRE(columns >= 0 && columns <= INT32_MAX, "%s: columns is %lld", name,
                 (long long)columns);
    return PVG_OK;
}

static int32_t check_dimension(const char *name, const pvg_layers *layers,
                               int64_t columns) {
    PVGI_REQUIRE(layers->dimension == 0 || layers->dimension == columns,
                 "%s: the weights have dimension %lld, not that number of columns", name,
                 (long long)layers->dimension);
    return PVG_OK;
}

int32_t pvg_propagate_exact(double *out, const pvg_layers *layers, const pvg_graph *graph,
                            const double *x, int64_t columns, const pvg_run *run) {
    const char *name = "pvg_propagate_exact";
    pvgi_run running;
    PVGI_TRY(check_common(name, out, layers, graph, columns));
    if (!x) return pvgi_fail_null(name, "x");
    PVGI_TRY(check_dimension(name, layers, columns));
    for (int64_t i = 0; i < graph->order * columns; i++)
        PVGI_REQUIRE(fabs(x[i]) <= SIZE_MAX_NUMBER,
                     "%s: x, row %lld, column %lld: not a number of size at most 2^500",
                     name, (long long)(i / columns), (long long)(i % columns));
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_propagate_forward(out, layers, graph, x, NULL, columns, &running);
}

int32_t pvg_propagate_features_exact(double *out, const pvg_layers *layers,
                                     const pvg_graph *graph, const pvg_features *features,
                                     const pvg_run *run) {
    const char *name = "pvg_propagate_features_exact";
    pvgi_run running;
    const int64_t columns = features ? features->columns : 0;
    PVGI_TRY(check_common(name, out, layers, graph, columns));
    if (!features) return pvgi_fail_null(name, "features");
    PVGI_REQUIRE(features->rows == graph->order,
                 "%s: features have %lld rows, the graph has %lld nodes", name,
                 (long long)features->rows, (long long)graph->order);
    PVGI_TRY(pvgi_graph_features_sound(name, "features", features));
    PVGI_TRY(check_dimension(name, layers, columns));
    for (int64_t i = 0; i < features->offsets[features->rows]; i++)
        PVGI_REQUIRE(fabs(features->values[i]) <= SIZE_MAX_NUMBER,
                     "%s: features, entry %lld: size above 2^500", name, (long long)i);
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_propagate_forward(out, layers, graph, NULL, features, columns, &running);
}

static int32_t apply(const char *name, void *out, const pvg_layers *layers,
                     const pvg_graph *graph, const void *x, int64_t columns,
                     size_t element, const pvg_run *run) {
    pvgi_run running;
    PVGI_TRY(check_common(name, out, layers, graph, columns));
    if (!x) return pvgi_fail_null(name, "x");
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_propagate_apply(out, layers, graph, x, columns, element, &running);
}

int32_t pvg_propagate_apply_exact(double *out, const pvg_layers *layers,
                                  const pvg_graph *graph, const double *x,
                                  int64_t columns, const pvg_run *run) {
    return apply("pvg_propagate_apply_exact", out, layers, graph, x, columns, sizeof *x,
                 run);
}

int32_t pvg_propagate_apply_float_exact(float *out, const pvg_layers *layers,
                                        const pvg_graph *graph, const float *x,
                                        int64_t columns, const pvg_run *run) {
    return apply("pvg_propagate_apply_float_exact", out, layers, graph, x, columns,
                 sizeof *x, run);
}

int32_t pvg_propagate_rounding(double *out, const pvg_layers *layers, int64_t layer,
                               int64_t order, int64_t degree_bound, int64_t columns) {
    const char *name = "pvg_propagate_rounding";
    if (!out) return pvgi_fail_null(name, "out");
    if (!layers) return pvgi_fail_null(name, "layers");
    PVGI_REQUIRE(layer >= 0 && layer < layers->config.depth,
                 "%s: layer is %lld, not in 0..%lld", name, (long long)layer,
                 (long long)(layers->config.depth - 1));
    PVGI_REQUIRE(order >= 0 && order <= PVGI_GRAPH_ORDER_MAX, "%s: order is %lld", name,
                 (long long)order);
    PVGI_REQUIRE(degree_bound >= 0, "%s: degree_bound is %lld", name,
                 (long long)degree_bound);
    PVGI_REQUIRE(columns >= 0 && columns <= INT32_MAX, "%s: columns is %lld", name,
                 (long long)columns);
    PVGI_TRY(check_dimension(name, layers, columns));
    *out = pvgi_propagate_error(layers, layer, order,
                                degree_bound > 0 ? degree_bound : order, columns);
    return PVG_OK;
}
