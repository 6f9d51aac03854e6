/* Entry file of the module graph: checks arguments, calls inside. */
#include "arrow.h"
#include "checks.h"
#include "draw.h"
#include "graph_internal.h"

#include <math.h>

/* --- making graphs -------------------------------------------------------------- */

int32_t pvg_graph_from_edges(pvg_graph **out, int64_t order, const int64_t *sources,
                             const int64_t *targets, int64_t count, uint32_t policy,
                             const pvg_run *run) {
    return pvgi_graph_entry_edges("pvg_graph_from_edges", out, order, sources, targets,
                                  count, policy, run);
}

static int32_t from_arrow(pvg_graph **out, struct ArrowArrayStream *edges,
                          const char *source, const char *target,
                          struct ArrowArrayStream *nodes, int64_t order, uint32_t policy,
                          const pvg_run *run) {
    static const char *const me = "pvg_graph_from_arrow";
    pvgi_run running;
    BEGIN_OUT(me, out);
    REQUIRE_POINTER(me, source);
    REQUIRE_POINTER(me, target);
    REQUIRE_POINTER(me, edges);
    PVGI_TRY(pvgi_graph_check_order(me, "order", order));
    PVGI_TRY(pvgi_graph_check_policy(me, policy));
    PVGI_REQUIRE(!nodes || order == 0, "%s: order and nodes are both given", me);
    PVGI_TRY(pvgi_run_begin(&running, run));
    const int32_t status =
        pvgi_graph_from_arrow(out, edges, source, target, nodes, order,
                              policy & ~(uint32_t)PVG_EDGES_INFERRED, &running);
    if (status == PVG_E_ARGUMENT) pvgi_message_prefix(me);
    if (status == PVG_OK && !(policy & PVG_EDGES_INFERRED))
        (*out)->declared = PVGI_DECLARED_NODES;
    return status;
}

int32_t pvg_graph_from_arrow(pvg_graph **out, void *edges, const char *source,
                             const char *target, void *nodes, int64_t order,
                             uint32_t policy, const pvg_run *run) {
    const int32_t status =
        from_arrow(out, edges, source, target, nodes, order, policy, run);
    pvgi_graph_arrow_drop(edges);
    if (nodes != edges) pvgi_graph_arrow_drop(nodes);
    return status;
}

int32_t pvg_graph_from_csr(pvg_graph **out, int64_t order, const int64_t *offsets,
                           const int32_t *columns, uint32_t policy, const pvg_run *run) {
    return pvgi_graph_entry_csr("pvg_graph_from_csr", out, order, offsets, columns,
                                policy, run);
}

int32_t pvg_graph_induce(pvg_graph **out, const pvg_graph *graph, const int64_t *nodes,
                         int64_t count, const pvg_run *run) {
    static const char *const me = "pvg_graph_induce";
    pvgi_run running;
    BEGIN_OUT(me, out);
    REQUIRE_POINTER(me, graph);
    PVGI_TRY(pvgi_graph_check_count(me, "count", count));
    PVGI_REQUIRE(count <= graph->order, "%s: count is more than the order", me);
    if (count > 0) REQUIRE_POINTER(me, nodes);
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_graph_named(me, pvgi_graph_induce(out, graph, nodes, count, &running));
}

int32_t pvg_graph_relabel(pvg_graph **out, const pvg_graph *graph,
                          const int64_t *new_name, const pvg_run *run) {
    static const char *const me = "pvg_graph_relabel";
    pvgi_run running;
    BEGIN_OUT(me, out);
    REQUIRE_POINTER(me, graph);
    if (graph->order > 0) REQUIRE_POINTER(me, new_name);
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_graph_named(me, pvgi_graph_relabel(out, graph, new_name, &running));
}

int32_t pvg_graph_truncate_degree(pvg_graph **out, const pvg_graph *graph, int64_t bound,
                                  const pvg_run *run) {
    static const char *const me = "pvg_graph_truncate_degree";
    pvgi_run running;
    BEGIN_OUT(me, out);
    REQUIRE_POINTER(me, graph);
    PVGI_TRY(pvgi_graph_check_count(me, "bound", bound));
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_graph_named(me,
                            pvgi_graph_truncate(out, graph, NULL, 1, bound, &running));
}

void pvg_graph_free(pvg_graph *graph) {
    pvgi_graph_free(graph);
}

/* --- looking at a graph --------------------------------------------------------- */

static bool has_node(const pvg_graph *graph, int64_t node) {
    return graph && node >= 0 && node < graph->order;
}

int64_t pvg_graph_order(const pvg_graph *graph) {
    return graph ? graph->order : 0;
}

int64_t pvg_graph_size(const pvg_graph *graph) {
    return graph ? graph->size : 0;
}

int32_t pvg_graph_order_declared(const pvg_graph *graph) {
    return graph != NULL && graph->declared == PVGI_DECLARED_NODES;
}

int64_t pvg_graph_degree(const pvg_graph *graph, int64_t node) {
    return has_node(graph, node) ? graph->offsets[node + 1] - graph->offsets[node] : -1;
}

int64_t pvg_graph_max_degree_exact(const pvg_graph *graph) {
    int64_t largest = 0;
    for (int64_t node = 0; node < pvg_graph_order(graph); node++) {
        const int64_t degree = graph->offsets[node + 1] - graph->offsets[node];
        if (degree > largest) largest = degree;
    }
    return largest;
}

int32_t pvg_graph_has_edge(const pvg_graph *graph, int64_t u, int64_t v) {
    if (!has_node(graph, u) || !has_node(graph, v)) return 0;
    return pvgi_graph_row_find(graph->columns + graph->offsets[u],
                               graph->offsets[u + 1] - graph->offsets[u],
                               (int32_t)v) >= 0;
}

int32_t pvg_graph_view_csr(const int64_t **offsets, const int32_t **columns,
                           const pvg_graph *graph) {
    static const char *const me = "pvg_graph_view_csr";
    REQUIRE_POINTER(me, offsets);
    REQUIRE_POINTER(me, columns);
    REQUIRE_POINTER(me, graph);
    *offsets = graph->offsets;
    *columns = graph->columns;
    return PVG_OK;
}

int32_t pvg_graph_view_neighbours(const int32_t **neighbours, int64_t *count,
                                  const pvg_graph *graph, int64_t node) {
    static const char *const me = "pvg_graph_view_neighbours";
    REQUIRE_POINTER(me, neighbours);
    REQUIRE_POINTER(me, count);
    REQUIRE_POINTER(me, graph);
    PVGI_REQUIRE(has_node(graph, node), "%s: node is not in 0..order-1", me);
    *neighbours = graph->columns + graph->offsets[node];
    *count = graph->offsets[node + 1] - graph->offsets[node];
    return PVG_OK;
}

int32_t pvg_graph_copy_edges(int64_t *sources, int64_t *targets, const pvg_graph *graph) {
    static const char *const me = "pvg_graph_copy_edges";
    REQUIRE_POINTER(me, graph);
    if (graph->size > 0) {
        REQUIRE_POINTER(me, sources);
        REQUIRE_POINTER(me, targets);
    }
    pvgi_graph_copy_edges(sources, targets, graph);
    return PVG_OK;
}

/* --- edges in pieces ------------------------------------------------------------ */

int32_t pvg_graph_builder_new(pvg_graph_builder **out, int64_t order, uint32_t policy) {
    static const char *const me = "pvg_graph_builder_new";
    BEGIN_OUT(me, out);
    PVGI_TRY(pvgi_graph_check_order(me, "order", order));
    PVGI_TRY(pvgi_graph_check_policy(me, policy));
    return pvgi_graph_builder_new(out, order, policy);
}

static int32_t add(const char *me, pvg_graph_builder *builder, const void *sources,
                   const void *targets, int64_t count, bool narrow) {
    REQUIRE_POINTER(me, builder);
    PVGI_TRY(pvgi_graph_check_count(me, "count", count));
    if (count > 0) {
        REQUIRE_POINTER(me, sources);
        REQUIRE_POINTER(me, targets);
    }
    return pvgi_graph_named(
        me, pvgi_graph_builder_add(builder, sources, targets, count, narrow));
}

int32_t pvg_graph_builder_add(pvg_graph_builder *builder, const int64_t *sources,
                              const int64_t *targets, int64_t count) {
    return add("pvg_graph_builder_add", builder, sources, targets, count, false);
}

int32_t pvg_graph_builder_add_int32(pvg_graph_builder *builder, const int32_t *sources,
                                    const int32_t *targets, int64_t count) {
    return add("pvg_graph_builder_add_int32", builder, sources, targets, count, true);
}

int32_t pvg_graph_builder_finish(pvg_graph **out, pvg_graph_builder *builder,
                                 const pvg_run *run) {
    static const char *const me = "pvg_graph_builder_finish";
    pvgi_run running;
    BEGIN_OUT(me, out);
    REQUIRE_POINTER(me, builder);
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_graph_named(me, pvgi_graph_builder_finish(out, builder, &running));
}

void pvg_graph_builder_free(pvg_graph_builder *builder) {
    pvgi_graph_builder_free(builder);
}

/* --- graph sets ----------------------------------------------------------------- */

int32_t pvg_graphset_builder_new(pvg_graphset_builder **out, int64_t targets) {
    static const char *const me = "pvg_graphset_builder_new";
    BEGIN_OUT(me, out);
    PVGI_TRY(pvgi_graph_check_count(me, "targets", targets));
    return pvgi_graph_set_builder_new(out, targets);
}

int32_t pvg_graphset_builder_add(pvg_graphset_builder *builder, const pvg_graph *graph,
                                 int32_t label, const double *targets,
                                 const int32_t *node_labels) {
    static const char *const me = "pvg_graphset_builder_add";
    REQUIRE_POINTER(me, builder);
    REQUIRE_POINTER(me, graph);
    PVGI_REQUIRE(label >= -1, "%s: label is less than -1", me);
    return pvgi_graph_named(
        me, pvgi_graph_set_builder_add(builder, graph, label, targets, node_labels));
}

int32_t pvg_graphset_builder_finish(pvg_graphset **out, pvg_graphset_builder *builder) {
    static const char *const me = "pvg_graphset_builder_finish";
    BEGIN_OUT(me, out);
    REQUIRE_POINTER(me, builder);
    return pvgi_graph_set_builder_finish(out, builder);
}

void pvg_graphset_builder_free(pvg_graphset_builder *builder) {
    pvgi_graph_set_builder_free(builder);
}

int32_t pvg_graphset_from_edges(pvg_graphset **out, const int64_t *starts, int64_t count,
                                const int64_t *sources, const int64_t *targets,
                                int64_t edges, uint32_t policy, const int32_t *labels,
                                const int32_t *node_labels, const pvg_run *run) {
    static const char *const me = "pvg_graphset_from_edges";
    pvg_graph *graph;
    BEGIN_OUT(me, out);
    PVGI_TRY(pvgi_graph_check_cut(me, starts, count, labels));
    PVGI_TRY(pvgi_graph_entry_edges(me, &graph, starts[count], sources, targets, edges,
                                    policy, run));
    return pvgi_graph_named(me, pvgi_graph_set_from_graph(out, graph, count, starts,
                                                          labels, NULL, 0, node_labels));
}

int32_t pvg_graphset_from_csr(pvg_graphset **out, const int64_t *starts, int64_t count,
                              const int64_t *offsets, const int32_t *columns,
                              uint32_t policy, const int32_t *labels,
                              const int32_t *node_labels, const pvg_run *run) {
    static const char *const me = "pvg_graphset_from_csr";
    pvg_graph *graph;
    BEGIN_OUT(me, out);
    PVGI_TRY(pvgi_graph_check_cut(me, starts, count, labels));
    PVGI_TRY(
        pvgi_graph_entry_csr(me, &graph, starts[count], offsets, columns, policy, run));
    return pvgi_graph_named(me, pvgi_graph_set_from_graph(out, graph, count, starts,
                                                          labels, NULL, 0, node_labels));
}

void pvg_graphset_free(pvg_graphset *set) {
    pvgi_graph_set_free(set);
}

int64_t pvg_graphset_count(const pvg_graphset *set) {
    return set ? set->count : 0;
}

int64_t pvg_graphset_order(const pvg_graphset *set) {
    return set ? set->order : 0;
}

int64_t pvg_graphset_target_count(const pvg_graphset *set) {
    return set ? set->target_count : 0;
}

int32_t pvg_graphset_get(pvg_graph **out, const pvg_graphset *set, int64_t index) {
    static const char *const me = "pvg_graphset_get";
    BEGIN_OUT(me, out);
    REQUIRE_POINTER(me, set);
    PVGI_REQUIRE(index >= 0 && index < set->count, "%s: index is not in 0..count-1", me);
    const int64_t start = set->starts[index];
    PVGI_TRY(pvgi_graph_copy(out, set->starts[index + 1] - start, set->offsets + start,
                             set->columns, start));
    (*out)->declared = set->declared;
    return PVG_OK;
}

int32_t pvg_graphset_slice(pvg_graphset **out, const pvg_graphset *set, int64_t first,
                           int64_t count) {
    static const char *const me = "pvg_graphset_slice";
    BEGIN_OUT(me, out);
    REQUIRE_POINTER(me, set);
    PVGI_REQUIRE(first >= 0 && first <= set->count, "%s: first is not in 0..count", me);
    PVGI_REQUIRE(count >= 0 && count <= set->count - first,
                 "%s: count: the set has %lld graphs from there on", me,
                 (long long)(set->count - first));
    return pvgi_graph_set_slice(out, set, first, count);
}

int32_t pvg_graphset_view_csr(const int64_t **starts, const int64_t **offsets,
                              const int32_t **columns, const pvg_graphset *set) {
    static const char *const me = "pvg_graphset_view_csr";
    REQUIRE_POINTER(me, starts);
    REQUIRE_POINTER(me, offsets);
    REQUIRE_POINTER(me, columns);
    REQUIRE_POINTER(me, set);
    return pvgi_graph_set_rows(starts, offsets, columns, set);
}

int32_t pvg_graphset_view_labels(const int32_t **labels, const double **targets,
                                 const int32_t **node_labels, const pvg_graphset *set) {
    REQUIRE_POINTER("pvg_graphset_view_labels", set);
    if (labels) *labels = set->labels;
    if (targets) *targets = set->targets;
    if (node_labels) *node_labels = set->node_labels;
    return PVG_OK;
}

/* --- public test data ------------------------------------------------------------ */

static int32_t new_fixed(const char *me, pvg_graph **out, int64_t order,
                         pvgi_graph_shape shape) {
    BEGIN_OUT(me, out);
    PVGI_TRY(pvgi_graph_check_order(me, "order", order));
    PVGI_REQUIRE(shape != PVGI_CYCLE || order >= 3, "%s: order is less than 3", me);
    return pvgi_graph_new_fixed(out, order, shape);
}

int32_t pvg_graph_new_path(pvg_graph **out, int64_t order) {
    return new_fixed("pvg_graph_new_path", out, order, PVGI_PATH);
}

int32_t pvg_graph_new_cycle(pvg_graph **out, int64_t order) {
    return new_fixed("pvg_graph_new_cycle", out, order, PVGI_CYCLE);
}

int32_t pvg_graph_new_clique(pvg_graph **out, int64_t order) {
    return new_fixed("pvg_graph_new_clique", out, order, PVGI_CLIQUE);
}

int32_t pvg_graph_new_star(pvg_graph **out, int64_t order) {
    return new_fixed("pvg_graph_new_star", out, order, PVGI_STAR);
}

int32_t pvg_graph_draw_erdos_renyi(pvg_graph **out, int64_t order, double probability,
                                   pvg_rng *rng, const pvg_run *run) {
    static const char *const me = "pvg_graph_draw_erdos_renyi";
    pvgi_run running;
    BEGIN_OUT(me, out);
    PVGI_TRY(pvgi_graph_check_order(me, "order", order));
    PVGI_REQUIRE(probability >= 0.0 && probability <= 1.0,
                 "%s: probability is not in [0, 1]", me);
    REQUIRE_POINTER(me, rng);
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_graph_named(
        me, pvgi_graph_draw_blocks(out, &order, &probability, 1, rng, &running));
}

int32_t pvg_graph_draw_blocks(pvg_graph **out, const int64_t *block_orders,
                              const double *probabilities, int64_t blocks, pvg_rng *rng,
                              const pvg_run *run) {
    static const char *const me = "pvg_graph_draw_blocks";
    pvgi_run running;
    BEGIN_OUT(me, out);
    PVGI_TRY(pvgi_graph_check_order(me, "blocks", blocks));
    if (blocks > 0) {
        REQUIRE_POINTER(me, block_orders);
        REQUIRE_POINTER(me, probabilities);
    }
    PVGI_TRY(pvgi_graph_check_blocks(me, block_orders, probabilities, blocks));
    REQUIRE_POINTER(me, rng);
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_graph_named(me, pvgi_graph_draw_blocks(out, block_orders, probabilities,
                                                       blocks, rng, &running));
}

int32_t pvg_graph_draw_preferential(pvg_graph **out, int64_t order, int64_t attach,
                                    pvg_rng *rng, const pvg_run *run) {
    static const char *const me = "pvg_graph_draw_preferential";
    pvgi_run running;
    BEGIN_OUT(me, out);
    PVGI_TRY(pvgi_graph_check_order(me, "order", order));
    PVGI_REQUIRE(attach >= 1, "%s: attach is less than 1", me);
    PVGI_REQUIRE(order > attach, "%s: order is less than attach + 1", me);
    REQUIRE_POINTER(me, rng);
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_graph_named(
        me, pvgi_graph_draw_preferential(out, order, attach, rng, &running));
}

int32_t pvg_graph_draw_chung_lu(pvg_graph **out, const double *weights, int64_t order,
                                pvg_rng *rng, const pvg_run *run) {
    static const char *const me = "pvg_graph_draw_chung_lu";
    pvgi_run running;
    BEGIN_OUT(me, out);
    PVGI_TRY(pvgi_graph_check_order(me, "order", order));
    if (order > 0) REQUIRE_POINTER(me, weights);
    for (int64_t i = 0; i < order; i++)
        PVGI_REQUIRE(weights[i] >= 0.0 && isfinite(weights[i]),
                     "%s: weights[%lld] is negative or not finite", me, (long long)i);
    REQUIRE_POINTER(me, rng);
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_graph_named(me,
                            pvgi_graph_draw_chung_lu(out, weights, order, rng, &running));
}

int32_t pvg_graph_draw_tree(pvg_graph **out, int64_t order, pvg_rng *rng) {
    static const char *const me = "pvg_graph_draw_tree";
    pvgi_run running;
    BEGIN_OUT(me, out);
    PVGI_TRY(pvgi_graph_check_order(me, "order", order));
    PVGI_REQUIRE(order >= 1, "%s: order is less than 1", me);
    REQUIRE_POINTER(me, rng);
    PVGI_TRY(pvgi_run_begin(&running, NULL));
    return pvgi_graph_draw_tree(out, order, rng, &running);
}

int32_t pvg_graph_draw_ktree(pvg_graph **out, int64_t order, int64_t width,
                             pvg_rng *rng) {
    static const char *const me = "pvg_graph_draw_ktree";
    pvgi_run running;
    BEGIN_OUT(me, out);
    PVGI_TRY(pvgi_graph_check_order(me, "order", order));
    PVGI_TRY(pvgi_graph_check_count(me, "width", width));
    PVGI_REQUIRE(order > width, "%s: order is less than width + 1", me);
    REQUIRE_POINTER(me, rng);
    PVGI_TRY(pvgi_run_begin(&running, NULL));
    return pvgi_graph_draw_ktree(out, order, width, rng, &running);
}

int32_t pvg_graphset_draw_sbm(pvg_graphset **out, int64_t order, const double *zeta,
                              int64_t classes, int64_t per_class, double q, pvg_rng *rng,
                              const pvg_run *run) {
    static const char *const me = "pvg_graphset_draw_sbm";
    pvgi_run running;
    BEGIN_OUT(me, out);
    PVGI_TRY(pvgi_graph_check_sbm(me, order, zeta, classes, per_class, q));
    REQUIRE_POINTER(me, rng);
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_graph_named(
        me, pvgi_graph_draw_sbm(out, order, zeta, classes, per_class, q, rng, &running));
}

int32_t pvg_graph_draw_chains(pvg_graph **graph, pvg_features **features,
                              pvg_labels **labels, int32_t dataset, pvg_rng *rng) {
    static const char *const me = "pvg_graph_draw_chains";
    BEGIN_OUT(me, graph);
    BEGIN_OUT(me, features);
    BEGIN_OUT(me, labels);
    PVGI_REQUIRE(dataset >= PVG_CHAINS_S && dataset <= PVG_CHAINS_X,
                 "%s: dataset is not a PVG_CHAINS_ constant", me);
    return pvgi_graph_draw_chains(graph, features, labels, dataset, rng);
}
