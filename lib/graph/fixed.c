/* Paths, cycles, cliques, stars, and the chains of the CARIBOU paper. O(edges). */
#include "draw.h"

/* Rows of fixed graphs; context is the order. */
static int32_t path_row(int64_t *degree, int32_t *row, const void *context,
                        int64_t node) {
    const int64_t order = *(const int64_t *)context;
    int64_t used = 0;
    if (node > 0) row[used++] = (int32_t)(node - 1);
    if (node + 1 < order) row[used++] = (int32_t)(node + 1);
    *degree = used;
    return PVG_OK;
}

static int32_t cycle_row(int64_t *degree, int32_t *row, const void *context,
                         int64_t node) {
    const int64_t order = *(const int64_t *)context;
    row[0] = (int32_t)(node == 0 ? 1 : node == order - 1 ? 0 : node - 1);
    row[1] =
        (int32_t)(node == 0 || node == order - 1 ? order - 1 - (node != 0) : node + 1);
    *degree = 2;
    return PVG_OK;
}

static int32_t clique_row(int64_t *degree, int32_t *row, const void *context,
                          int64_t node) {
    const int64_t order = *(const int64_t *)context;
    for (int64_t i = 0; i < order - 1; i++) row[i] = (int32_t)(i + (i >= node));
    *degree = order - 1;
    return PVG_OK;
}

static int32_t star_row(int64_t *degree, int32_t *row, const void *context,
                        int64_t node) {
    const int64_t order = *(const int64_t *)context;
    *degree = node == 0 ? order - 1 : 1;
    for (int64_t i = 0; i < *degree; i++) row[i] = (int32_t)(node == 0 ? i + 1 : 0);
    return PVG_OK;
}

int32_t pvgi_graph_new_fixed(pvg_graph **out, int64_t order, pvgi_graph_shape shape) {
    static const pvgi_row_fn rows[] = {path_row, cycle_row, clique_row, star_row};
    const int64_t tree_size = order > 0 ? order - 1 : 0;
    const int64_t sizes[] = {tree_size, order, tree_size * order / 2, tree_size};
    pvg_graph *graph = pvgi_graph_alloc(order, sizes[shape]);
    if (!graph) return pvgi_fail_nomem();
    int64_t used = 0;
    for (int64_t node = 0; node < order; node++) {
        int64_t degree = 0;
        graph->offsets[node] = used;
        (void)rows[shape](&degree, graph->columns + used, &order, node);
        used += degree;
    }
    graph->offsets[order] = used;
    *out = graph;
    return pvgi_graph_declare(out, PVG_OK);
}

/* --- chains ---------------------------------------------------------------------- */

enum { CHAIN_CLASSES = 2, CHAIN_FEATURES = 5, CHAIN_ORDER_MAX = 150 };

static const struct {
    int length, per_class;
} chain_sets[] = {{8, 3}, {10, 3}, {15, 3}, {15, 5}};

/* A uniform permutation of 0..order-1, the identity without rng. */
static int32_t draw_names(int64_t *names, int64_t order, pvg_rng *rng) {
    pvgi_stream stream;
    for (int64_t i = 0; i < order; i++) names[i] = i;
    if (!rng) return PVG_OK;
    PVGI_TRY(pvgi_rng_stream_open(&stream, rng));
    for (int64_t i = order; i-- > 1;) {
        const int64_t j = pvgi_graph_draw_below(&stream, i + 1);
        const int64_t keep = names[i];
        names[i] = names[j];
        names[j] = keep;
    }
    pvgi_rng_stream_close(&stream);
    return PVG_OK;
}

int32_t pvgi_graph_draw_chains(pvg_graph **graph, pvg_features **features,
                               pvg_labels **labels, int32_t dataset, pvg_rng *rng) {
    const int64_t length = chain_sets[dataset].length;
    const int64_t class_order = length * chain_sets[dataset].per_class;
    const int64_t order = CHAIN_CLASSES * class_order;
    int64_t names[CHAIN_ORDER_MAX];
    int32_t classes[CHAIN_ORDER_MAX];
    double values[CHAIN_ORDER_MAX * CHAIN_FEATURES] = {0};
    pvgi_edge_list list = {0};
    pvgi_run run;
    PVGI_TRY(pvgi_run_begin(&run, NULL));
    PVGI_TRY(draw_names(names, order, rng));
    int32_t status = pvgi_graph_edges_reserve(&list, order, &run);
    for (int64_t i = 0; i < order; i++) {
        const bool first = i % length == 0;
        classes[names[i]] = (int32_t)(i / class_order);
        if (first) values[names[i] * CHAIN_FEATURES + i / class_order] = 1.0;
        if (!first && status == PVG_OK)
            status = pvgi_graph_edges_add(&list, names[i - 1], names[i], &run);
    }
    status = pvgi_graph_edges_finish(graph, &list, order, status, &run);
    if (status == PVG_OK)
        status = pvgi_graph_features_from_dense(features, order, CHAIN_FEATURES, values,
                                                false);
    if (status == PVG_OK) status = pvgi_graph_labels_from_array(labels, classes, order);
    if (status != PVG_OK) {
        pvgi_graph_free(*graph);
        pvgi_graph_features_free(*features);
        *graph = NULL;
        *features = NULL;
    }
    return status;
}
