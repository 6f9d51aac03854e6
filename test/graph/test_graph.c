/* The module graph by example: every function, every refusal. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "graph/graph_internal.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

static const double nan_value = NAN;

/* The triangle 0-1-2 with a tail 2-3, node 4 alone. */
static pvg_graph *paw(void) {
    static const int64_t sources[] = {2, 0, 1, 3}, targets[] = {1, 1 + 1, 0, 2};
    pvg_graph *graph;
    PVGT_OK(pvg_graph_from_edges(&graph, 5, sources, targets, 4, PVG_EDGES_STRICT, NULL));
    return graph;
}

static void check_rows(const pvg_graph *graph, int64_t order, const int64_t *offsets,
                       const int32_t *columns) {
    const int64_t *o;
    const int32_t *c;
    TEST_ASSERT_EQUAL_INT64(order, pvg_graph_order(graph));
    TEST_ASSERT_EQUAL_INT64(offsets[order], 2 * pvg_graph_size(graph));
    PVGT_OK(pvg_graph_view_csr(&o, &c, graph));
    for (int64_t i = 0; i <= order; i++) TEST_ASSERT_EQUAL_INT64(offsets[i], o[i]);
    for (int64_t i = 0; i < offsets[order]; i++)
        TEST_ASSERT_EQUAL_INT32(columns[i], c[i]);
}

static void getters_tell_the_graph(void) {
    pvg_graph *graph = paw();
    check_rows(graph, 5, (int64_t[]){0, 2, 4, 7, 8, 8},
               (int32_t[]){1, 2, 0, 2, 0, 1, 3, 2});
    TEST_ASSERT_EQUAL_INT64(3, pvg_graph_degree(graph, 2));
    TEST_ASSERT_EQUAL_INT64(0, pvg_graph_degree(graph, 4));
    TEST_ASSERT_EQUAL_INT64(-1, pvg_graph_degree(graph, 5));
    TEST_ASSERT_EQUAL_INT64(-1, pvg_graph_degree(graph, -1));
    TEST_ASSERT_EQUAL_INT64(-1, pvg_graph_degree(NULL, 0));
    TEST_ASSERT_EQUAL_INT64(3, pvg_graph_max_degree_exact(graph));
    TEST_ASSERT_EQUAL_INT64(0, pvg_graph_max_degree_exact(NULL));
    TEST_ASSERT_EQUAL_INT64(0, pvg_graph_order(NULL));
    TEST_ASSERT_EQUAL_INT64(0, pvg_graph_size(NULL));
    TEST_ASSERT_EQUAL_INT32(1, pvg_graph_has_edge(graph, 3, 2));
    TEST_ASSERT_EQUAL_INT32(0, pvg_graph_has_edge(graph, 3, 0));
    TEST_ASSERT_EQUAL_INT32(0, pvg_graph_has_edge(graph, 3, 5));
    TEST_ASSERT_EQUAL_INT32(0, pvg_graph_has_edge(graph, -1, 0));
    TEST_ASSERT_EQUAL_INT32(0, pvg_graph_has_edge(NULL, 0, 1));
    /* a column number that would wrap to a neighbour */
    TEST_ASSERT_EQUAL_INT32(0, pvg_graph_has_edge(graph, 3, 2 + (INT64_C(1) << 32)));

    const int32_t *row = NULL;
    int64_t count = -7;
    PVGT_OK(pvg_graph_view_neighbours(&row, &count, graph, 1));
    TEST_ASSERT_TRUE(count == 2 && row[0] == 0 && row[1] == 2);
    PVGT_FAILS(PVG_E_ARGUMENT, "node is not in",
               pvg_graph_view_neighbours(&row, &count, graph, 5));
    PVGT_FAILS(PVG_E_ARGUMENT, "node is not in",
               pvg_graph_view_neighbours(&row, &count, graph, -1));
    PVGT_FAILS(PVG_E_ARGUMENT, "neighbours is NULL",
               pvg_graph_view_neighbours(NULL, &count, graph, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "count is NULL",
               pvg_graph_view_neighbours(&row, NULL, graph, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "graph is NULL",
               pvg_graph_view_neighbours(&row, &count, NULL, 1));
    TEST_ASSERT_EQUAL_INT64(2, count);

    const int64_t *offsets;
    PVGT_FAILS(PVG_E_ARGUMENT, "offsets is NULL", pvg_graph_view_csr(NULL, &row, graph));
    PVGT_FAILS(PVG_E_ARGUMENT, "columns is NULL",
               pvg_graph_view_csr(&offsets, NULL, graph));
    PVGT_FAILS(PVG_E_ARGUMENT, "graph is NULL", pvg_graph_view_csr(&offsets, &row, NULL));

    int64_t sources[4], targets[4];
    PVGT_OK(pvg_graph_copy_edges(sources, targets, graph));
    TEST_ASSERT_EQUAL_INT64_ARRAY(((int64_t[]){0, 0, 1, 2}), sources, 4);
    TEST_ASSERT_EQUAL_INT64_ARRAY(((int64_t[]){1, 2, 2, 3}), targets, 4);
    PVGT_FAILS(PVG_E_ARGUMENT, "sources is NULL",
               pvg_graph_copy_edges(NULL, targets, graph));
    PVGT_FAILS(PVG_E_ARGUMENT, "targets is NULL",
               pvg_graph_copy_edges(sources, NULL, graph));
    PVGT_FAILS(PVG_E_ARGUMENT, "graph is NULL",
               pvg_graph_copy_edges(sources, targets, NULL));
    pvg_graph_free(graph);
    pvg_graph_free(NULL);
}

static void edges_are_checked(void) {
    const int64_t s[] = {0, 1, 2, 1}, t[] = {1, 2, 2, 0};
    pvg_graph *graph;
    PVGT_FAILS(PVG_E_ARGUMENT, "pvg_graph_from_edges: out is NULL",
               pvg_graph_from_edges(NULL, 3, s, t, 2, 0, NULL));
#define REFUSED(status, part, ...)                                                       \
    do {                                                                                 \
        graph = (pvg_graph *)(uintptr_t)1;                                               \
        PVGT_FAILS(status, part, pvg_graph_from_edges(&graph, __VA_ARGS__));             \
        TEST_ASSERT_NULL(graph);                                                         \
    } while (0)
    REFUSED(PVG_E_ARGUMENT, "order is negative", -1, s, t, 2, 0, NULL);
    REFUSED(PVG_E_LIMIT, "order is more than", INT64_C(1) << 31, s, t, 2, 0, NULL);
    REFUSED(PVG_E_LIMIT, "order is more than", INT64_MAX, s, t, 2, 0, NULL);
    REFUSED(PVG_E_ARGUMENT, "count is negative", 3, s, t, -2, 0, NULL);
    REFUSED(PVG_E_ARGUMENT, "sources is NULL", 3, NULL, t, 2, 0, NULL);
    REFUSED(PVG_E_ARGUMENT, "targets is NULL", 3, s, NULL, 2, 0, NULL);
    REFUSED(PVG_E_ARGUMENT, "policy", 3, s, t, 2, 8, NULL);
    REFUSED(PVG_E_NOMEM, "memory", 3, s, t, INT64_MAX, 0, NULL);
    REFUSED(PVG_E_ARGUMENT, "edge 1: an end", 2, s, t, 4, 0, NULL);
    REFUSED(PVG_E_ARGUMENT, "pvg_graph_from_edges: edge 2 is a self loop", 3, s, t, 4, 0,
            NULL);
    REFUSED(PVG_E_ARGUMENT, "edge 2 is a self loop", 3, s, t, 4, PVG_EDGES_MERGE, NULL);
    REFUSED(PVG_E_ARGUMENT, "edge 3 repeats", 3, s, t, 4, PVG_EDGES_DROP_LOOPS, NULL);
    const int64_t wide[] = {INT64_C(1) << 32, -1, INT64_MIN, INT64_MAX};
    for (int i = 0; i < 4; i++) {
        REFUSED(PVG_E_ARGUMENT, "edge 0: an end", 3, wide + i, t, 1, 3, NULL);
        REFUSED(PVG_E_ARGUMENT, "edge 0: an end", 3, s, wide + i, 1, 3, NULL);
    }
    REFUSED(PVG_E_ARGUMENT, "edge 0: an end", 0, s, t, 1, 0, NULL);
    const pvg_run many = {.size = sizeof many, .threads = PVG_THREADS_MAX + 1};
    REFUSED(PVG_E_ARGUMENT, "threads", 3, s, t, 2, 0, &many);
    const pvg_run tight = {.size = sizeof tight, .scratch_limit = 10};
    REFUSED(PVG_E_LIMIT, "scratch_limit", 3, s, t, 2, 0, &tight);
#undef REFUSED
    PVGT_OK(pvg_graph_from_edges(&graph, 3, s, t, 4, 3, NULL));
    TEST_ASSERT_EQUAL_INT64(2, pvg_graph_size(graph));
    pvg_graph_free(graph);
    for (int64_t order = 0; order < 3; order++) {
        PVGT_OK(pvg_graph_from_edges(&graph, order, NULL, NULL, 0, 0, NULL));
        check_rows(graph, order, (int64_t[]){0, 0, 0}, NULL);
        PVGT_OK(pvg_graph_copy_edges(NULL, NULL, graph));
        pvg_graph_free(graph);
    }
}

static void rows_are_checked(void) {
    pvg_graph *graph;
    const int64_t offsets[] = {0, 2, 3, 4};
    const int32_t columns[] = {2, 1, 0, 0};
    PVGT_OK(pvg_graph_from_csr(&graph, 3, offsets, columns, 0, NULL));
    check_rows(graph, 3, offsets, (int32_t[]){1, 2, 0, 0});
    pvg_graph_free(graph);
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL",
               pvg_graph_from_csr(NULL, 3, offsets, columns, 0, NULL));
#define REFUSED(status, part, ...)                                                       \
    do {                                                                                 \
        graph = (pvg_graph *)(uintptr_t)1;                                               \
        PVGT_FAILS(status, part, pvg_graph_from_csr(&graph, __VA_ARGS__));               \
        TEST_ASSERT_NULL(graph);                                                         \
    } while (0)
    REFUSED(PVG_E_ARGUMENT, "order is negative", -1, offsets, columns, 0, NULL);
    REFUSED(PVG_E_LIMIT, "order is more", INT64_MAX, offsets, columns, 0, NULL);
    REFUSED(PVG_E_ARGUMENT, "policy", 3, offsets, columns, 8, NULL);
    REFUSED(PVG_E_ARGUMENT, "offsets is NULL", 3, NULL, columns, 0, NULL);
    REFUSED(PVG_E_ARGUMENT, "columns is NULL", 3, offsets, NULL, 0, NULL);
    REFUSED(PVG_E_ARGUMENT, "offsets[0]", 3, offsets + 1, columns, 0, NULL);
    REFUSED(PVG_E_ARGUMENT, "offsets[2] is less than offsets[1]", 3,
            ((int64_t[]){0, 2, 1, 4}), columns, 0, NULL);
    for (uint32_t merge = 0; merge <= PVG_EDGES_MERGE; merge++) {
        const int32_t high[] = {2, 3, 0, 0}, low[] = {2, -1, 0, 0}, loop[] = {2, 1, 1, 0};
        REFUSED(PVG_E_ARGUMENT, merge ? "edge 1: an end" : "columns[1] is not in", 3,
                offsets, high, merge, NULL);
        REFUSED(PVG_E_ARGUMENT, merge ? "edge 1: an end" : "columns[1] is not in", 3,
                offsets, low, merge, NULL);
        REFUSED(PVG_E_ARGUMENT,
                merge ? "edge 2 is a self loop" : "columns[2] is a self loop", 3, offsets,
                loop, merge, NULL);
    }
    const int32_t alone[] = {2, 1, 2, 0}, half[] = {1, 0, 2, 0}, twice[] = {1, 1, 0, 0};
    REFUSED(PVG_E_ARGUMENT, "row 1 has an entry without its mirror", 3,
            ((int64_t[]){0, 1, 3, 4}), half, PVG_EDGES_DROP_LOOPS, NULL);
    REFUSED(PVG_E_ARGUMENT, "row 0 has a repeated entry", 3, offsets, twice, 0, NULL);
#undef REFUSED
    PVGT_OK(pvg_graph_from_csr(&graph, 3, offsets, alone, PVG_EDGES_MERGE, NULL));
    TEST_ASSERT_EQUAL_INT64(3, pvg_graph_size(graph));
    pvg_graph_free(graph);
    PVGT_OK(pvg_graph_from_csr(&graph, 0, offsets, NULL, 0, NULL));
    TEST_ASSERT_EQUAL_INT64(0, pvg_graph_order(graph));
    pvg_graph_free(graph);
}

static void operations_are_checked(void) {
    pvg_graph *graph = paw(), *other;
    const int64_t nodes[] = {3, 2, 0, 2, 5, -1}, names[] = {4, 3, 2, 1, 0};
    PVGT_OK(pvg_graph_induce(&other, graph, nodes, 3, NULL)); /* the path 3-2-0 */
    check_rows(other, 3, (int64_t[]){0, 1, 3, 4}, (int32_t[]){1, 0, 2, 1});
    pvg_graph_free(other);
    PVGT_OK(pvg_graph_induce(&other, graph, NULL, 0, NULL));
    TEST_ASSERT_EQUAL_INT64(0, pvg_graph_order(other));
    pvg_graph_free(other);
    PVGT_FAILS(PVG_E_ARGUMENT, "nodes[3] repeats nodes[1]",
               pvg_graph_induce(&other, graph, nodes, 4, NULL));
    TEST_ASSERT_NULL(other);
    PVGT_FAILS(PVG_E_ARGUMENT, "nodes[0] is not in",
               pvg_graph_induce(&other, graph, nodes + 4, 1, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "nodes[0] is not in",
               pvg_graph_induce(&other, graph, nodes + 5, 1, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "count is negative",
               pvg_graph_induce(&other, graph, nodes, -1, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "count is more",
               pvg_graph_induce(&other, graph, nodes, 6, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "nodes is NULL",
               pvg_graph_induce(&other, graph, NULL, 1, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "graph is NULL",
               pvg_graph_induce(&other, NULL, nodes, 1, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL",
               pvg_graph_induce(NULL, graph, nodes, 1, NULL));
    const pvg_run tight = {.size = sizeof tight, .scratch_limit = 10};
    PVGT_FAILS(PVG_E_LIMIT, "scratch_limit",
               pvg_graph_induce(&other, graph, nodes, 1, &tight));

    PVGT_OK(pvg_graph_relabel(&other, graph, names, NULL));
    check_rows(other, 5, (int64_t[]){0, 0, 1, 4, 6, 8},
               (int32_t[]){2, 1, 3, 4, 2, 4, 2, 3});
    pvg_graph_free(other);
    PVGT_FAILS(PVG_E_ARGUMENT, "new_name[3] repeats new_name[1]",
               pvg_graph_relabel(&other, graph, nodes, NULL));
    TEST_ASSERT_NULL(other);
    PVGT_FAILS(PVG_E_ARGUMENT, "new_name is NULL",
               pvg_graph_relabel(&other, graph, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "graph is NULL",
               pvg_graph_relabel(&other, NULL, names, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL",
               pvg_graph_relabel(NULL, graph, names, NULL));

    PVGT_OK(
        pvg_graph_truncate_degree(&other, graph, 2, NULL)); /* 3 is not among 2's first */
    check_rows(other, 5, (int64_t[]){0, 2, 4, 6, 6, 6}, (int32_t[]){1, 2, 0, 2, 0, 1});
    pvg_graph_free(other);
    PVGT_OK(pvg_graph_truncate_degree(&other, graph, 0, NULL));
    TEST_ASSERT_EQUAL_INT64(0, pvg_graph_size(other));
    pvg_graph_free(other);
    PVGT_OK(pvg_graph_truncate_degree(&other, graph, INT64_MAX, NULL));
    TEST_ASSERT_EQUAL_INT64(4, pvg_graph_size(other));
    pvg_graph_free(other);
    PVGT_FAILS(PVG_E_ARGUMENT, "bound is negative",
               pvg_graph_truncate_degree(&other, graph, -1, NULL));
    TEST_ASSERT_NULL(other);
    PVGT_FAILS(PVG_E_ARGUMENT, "graph is NULL",
               pvg_graph_truncate_degree(&other, NULL, 1, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL",
               pvg_graph_truncate_degree(NULL, graph, 1, NULL));
    pvg_graph_free(graph);
}

static void sets_are_checked(void) {
    pvg_graph *graph = paw(), *other;
    pvg_graphset_builder *builder;
    pvg_graphset *set;
    const int32_t node_labels[] = {5, 6, 7, 8, 9};
    const double targets[] = {0.5, -1.0};
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL", pvg_graphset_builder_new(NULL, 0));
    PVGT_FAILS(PVG_E_ARGUMENT, "targets is negative",
               pvg_graphset_builder_new(&builder, -1));
    TEST_ASSERT_NULL(builder);
    PVGT_OK(pvg_graphset_builder_new(&builder, 2));
    PVGT_FAILS(PVG_E_ARGUMENT, "builder is NULL",
               pvg_graphset_builder_add(NULL, graph, 0, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "graph is NULL",
               pvg_graphset_builder_add(builder, NULL, 0, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "label is less than -1",
               pvg_graphset_builder_add(builder, graph, -2, NULL, NULL));
    PVGT_OK(pvg_graphset_builder_add(builder, graph, 3, targets, node_labels));
    PVGT_FAILS(PVG_E_ARGUMENT, "node_labels: either",
               pvg_graphset_builder_add(builder, graph, 3, NULL, NULL));
    PVGT_OK(pvg_graphset_builder_add(builder, graph, -1, NULL, node_labels));
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL", pvg_graphset_builder_finish(NULL, builder));
    PVGT_FAILS(PVG_E_ARGUMENT, "builder is NULL",
               pvg_graphset_builder_finish(&set, NULL));
    TEST_ASSERT_NULL(set);
    PVGT_OK(pvg_graphset_builder_finish(&set, builder));
    TEST_ASSERT_EQUAL_INT64(2, pvg_graphset_count(set));
    TEST_ASSERT_EQUAL_INT64(10, pvg_graphset_order(set));
    TEST_ASSERT_EQUAL_INT64(2, pvg_graphset_target_count(set));
    const int64_t *starts, *offsets;
    const int32_t *columns, *labels, *names;
    const double *values;
    PVGT_OK(pvg_graphset_view_csr(&starts, &offsets, &columns, set));
    TEST_ASSERT_EQUAL_INT64_ARRAY(((int64_t[]){0, 5, 10}), starts, 3);
    TEST_ASSERT_EQUAL_INT64_ARRAY(((int64_t[]){0, 2, 4, 7, 8, 8, 10, 12, 15, 16, 16}),
                                  offsets, 11);
    TEST_ASSERT_EQUAL_INT32_ARRAY(
        ((int32_t[]){1, 2, 0, 2, 0, 1, 3, 2, 6, 7, 5, 7, 5, 6, 8, 7}), columns, 16);
    PVGT_OK(pvg_graphset_view_labels(&labels, &values, &names, set));
    TEST_ASSERT_TRUE(labels[0] == 3 && labels[1] == -1);
    TEST_ASSERT_TRUE(values[0] == 0.5 && values[1] == -1.0 && isnan(values[2]) &&
                     isnan(values[3]));
    TEST_ASSERT_TRUE(names[0] == 5 && names[9] == 9);
    PVGT_OK(pvg_graphset_view_labels(NULL, NULL, NULL, set));
    PVGT_FAILS(PVG_E_ARGUMENT, "set is NULL",
               pvg_graphset_view_labels(&labels, &values, &names, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "starts is NULL",
               pvg_graphset_view_csr(NULL, &offsets, &columns, set));
    PVGT_FAILS(PVG_E_ARGUMENT, "offsets is NULL",
               pvg_graphset_view_csr(&starts, NULL, &columns, set));
    PVGT_FAILS(PVG_E_ARGUMENT, "columns is NULL",
               pvg_graphset_view_csr(&starts, &offsets, NULL, set));
    PVGT_FAILS(PVG_E_ARGUMENT, "set is NULL",
               pvg_graphset_view_csr(&starts, &offsets, &columns, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "index", pvg_graphset_get(&other, set, 2));
    PVGT_FAILS(PVG_E_ARGUMENT, "index", pvg_graphset_get(&other, set, -1));
    TEST_ASSERT_NULL(other);
    PVGT_FAILS(PVG_E_ARGUMENT, "set is NULL", pvg_graphset_get(&other, NULL, 0));
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL", pvg_graphset_get(NULL, set, 0));
    pvg_graphset_free(set);

    /* the builder is empty and may go on, now without node labels */
    PVGT_OK(pvg_graphset_builder_finish(&set, builder));
    TEST_ASSERT_EQUAL_INT64(0, pvg_graphset_count(set));
    PVGT_OK(pvg_graphset_view_csr(&starts, &offsets, &columns, set));
    TEST_ASSERT_TRUE(starts[0] == 0 && offsets[0] == 0);
    pvg_graphset_free(set);
    PVGT_OK(pvg_graphset_builder_add(builder, graph, 0, targets, NULL));
    PVGT_OK(pvg_graphset_builder_finish(&set, builder));
    PVGT_OK(pvg_graphset_view_labels(&labels, NULL, &names, set));
    TEST_ASSERT_NULL(names);
    pvg_graphset_free(set);
    pvg_graphset_builder_free(builder);
    pvg_graphset_builder_free(NULL);
    pvg_graphset_free(NULL);
    TEST_ASSERT_EQUAL_INT64(0, pvg_graphset_count(NULL) + pvg_graphset_order(NULL) +
                                   pvg_graphset_target_count(NULL));

    set = NULL;
    PVGT_FAILS(PVG_E_ARGUMENT, "an edge joins graph 0",
               pvgi_graph_set_from_graph(&set, graph, 2, (int64_t[]){0, 2, 5}, NULL, NULL,
                                         0, NULL));
    TEST_ASSERT_NULL(set);
    graph = paw();
    PVGT_FAILS(PVG_E_ARGUMENT, "starts[2] is not the order",
               pvgi_graph_set_from_graph(&set, graph, 2, (int64_t[]){0, 2, 4}, NULL, NULL,
                                         0, NULL));
    PVGT_OK(pvgi_graph_set_from_graph(&set, paw(), 2, (int64_t[]){0, 4, 5}, NULL, NULL, 1,
                                      NULL));
    PVGT_OK(pvg_graphset_view_labels(&labels, &values, NULL, set));
    TEST_ASSERT_TRUE(labels[1] == -1 && isnan(values[1]));
    pvg_graphset_free(set);
}

static void features_are_checked(void) {
    const double dense[] = {0.0, 2.5, 0.0, -1.0, 0.0, 0.0};
    pvg_features *features;
    PVGT_OK(pvg_features_from_dense(&features, 2, 3, dense));
    TEST_ASSERT_EQUAL_INT64(2, pvg_features_rows(features));
    TEST_ASSERT_EQUAL_INT64(3, pvg_features_columns(features));
    const int64_t *offsets;
    const int32_t *indices;
    const double *values;
    PVGT_OK(pvg_features_view_csr(&offsets, &indices, &values, features));
    TEST_ASSERT_EQUAL_INT64_ARRAY(((int64_t[]){0, 1, 2}), offsets, 3);
    TEST_ASSERT_TRUE(indices[0] == 1 && values[0] == 2.5 && indices[1] == 0 &&
                     values[1] == -1.0);
    double copy[6] = {9, 9, 9, 9, 9, 9};
    PVGT_OK(pvg_features_copy_dense(copy, features, 0, 2));
    TEST_ASSERT_EQUAL_MEMORY(dense, copy, sizeof dense);
    copy[3] = 9;
    PVGT_OK(pvg_features_copy_dense(copy, features, 1, 1));
    TEST_ASSERT_TRUE(copy[0] == -1.0 && copy[2] == 0.0 && copy[3] == 9.0);
    PVGT_OK(pvg_features_copy_dense(NULL, features, 2, 0));
    PVGT_FAILS(PVG_E_ARGUMENT, "leave the rows",
               pvg_features_copy_dense(copy, features, 1, 2));
    PVGT_FAILS(PVG_E_ARGUMENT, "leave the rows",
               pvg_features_copy_dense(copy, features, -1, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "leave the rows",
               pvg_features_copy_dense(copy, features, INT64_MAX, INT64_MAX));
    PVGT_FAILS(PVG_E_ARGUMENT, "count is negative",
               pvg_features_copy_dense(copy, features, 0, -1));
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL",
               pvg_features_copy_dense(NULL, features, 0, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "features is NULL",
               pvg_features_copy_dense(copy, NULL, 0, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "offsets is NULL",
               pvg_features_view_csr(NULL, &indices, &values, features));
    PVGT_FAILS(PVG_E_ARGUMENT, "indices is NULL",
               pvg_features_view_csr(&offsets, NULL, &values, features));
    PVGT_FAILS(PVG_E_ARGUMENT, "values is NULL",
               pvg_features_view_csr(&offsets, &indices, NULL, features));
    PVGT_FAILS(PVG_E_ARGUMENT, "features is NULL",
               pvg_features_view_csr(&offsets, &indices, &values, NULL));
    pvg_features_free(features);
    pvg_features_free(NULL);
    TEST_ASSERT_EQUAL_INT64(0, pvg_features_rows(NULL) + pvg_features_columns(NULL));

    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL", pvg_features_from_dense(NULL, 2, 3, dense));
    PVGT_FAILS(PVG_E_ARGUMENT, "rows is negative",
               pvg_features_from_dense(&features, -2, 3, dense));
    PVGT_FAILS(PVG_E_ARGUMENT, "columns is negative",
               pvg_features_from_dense(&features, 2, -3, dense));
    PVGT_FAILS(PVG_E_LIMIT, "columns is more",
               pvg_features_from_dense(&features, 2, INT64_MAX, dense));
    PVGT_FAILS(PVG_E_ARGUMENT, "values is NULL",
               pvg_features_from_dense(&features, 2, 3, NULL));
    TEST_ASSERT_NULL(features);
    /* what is not finite is kept as 0; who takes it as public refuses it (lanes) */
    PVGT_OK(pvg_features_from_dense(&features, 1, 2, (double[]){1.0, nan_value}));
    PVGT_OK(pvg_features_view_csr(&offsets, &indices, &values, features));
    TEST_ASSERT_TRUE(offsets[1] == 1 && values[0] == 1.0);
    pvg_features_free(features);

    const int64_t rows[] = {0, 2, 2, 3};
    const int32_t places[] = {0, 4, 2};
    PVGT_OK(pvg_features_from_csr(&features, 3, 5, rows, places, NULL));
    PVGT_OK(pvg_features_view_csr(&offsets, &indices, &values, features));
    TEST_ASSERT_TRUE(values[0] == 1.0 && values[2] == 1.0 && indices[2] == 2);
    pvg_features_free(features);
    PVGT_OK(
        pvg_features_from_csr(&features, 3, 5, rows, places, (double[]){0.0, 3.0, -0.0}));
    PVGT_OK(pvg_features_view_csr(&offsets, &indices, &values, features));
    TEST_ASSERT_EQUAL_INT64_ARRAY(((int64_t[]){0, 1, 1, 1}), offsets, 4); /* zeros go */
    TEST_ASSERT_TRUE(values[0] == 3.0 && indices[0] == 4);
    pvg_features_free(features);
    PVGT_OK(pvg_features_from_csr(&features, 0, 5, rows, NULL, NULL));
    pvg_features_free(features);
#define REFUSED(status, part, ...)                                                       \
    do {                                                                                 \
        PVGT_FAILS(status, part, pvg_features_from_csr(&features, __VA_ARGS__));         \
        TEST_ASSERT_NULL(features);                                                      \
    } while (0)
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL",
               pvg_features_from_csr(NULL, 3, 5, rows, places, NULL));
    REFUSED(PVG_E_ARGUMENT, "rows is negative", -3, 5, rows, places, NULL);
    REFUSED(PVG_E_ARGUMENT, "columns is negative", 3, -5, rows, places, NULL);
    REFUSED(PVG_E_LIMIT, "rows is more", INT64_MAX, 5, rows, places, NULL);
    REFUSED(PVG_E_ARGUMENT, "offsets is NULL", 3, 5, NULL, places, NULL);
    REFUSED(PVG_E_ARGUMENT, "indices is NULL", 3, 5, rows, NULL, NULL);
    REFUSED(PVG_E_ARGUMENT, "offsets[0]", 2, 5, rows + 1, places, NULL);
    REFUSED(PVG_E_ARGUMENT, "offsets[2]", 3, 5, ((int64_t[]){0, 2, 1, 3}), places, NULL);
    REFUSED(PVG_E_ARGUMENT, "indices[1] is not in", 3, 4, rows, places, NULL);
    REFUSED(PVG_E_ARGUMENT, "indices[0] is not in", 3, 5, rows, ((int32_t[]){-1, 4, 2}),
            NULL);
    REFUSED(PVG_E_ARGUMENT, "indices[1]: row 0", 3, 5, rows, ((int32_t[]){4, 4, 2}),
            NULL);
#undef REFUSED
    PVGT_OK(pvg_features_from_csr(&features, 3, 5, rows, places,
                                  (double[]){1.0, -INFINITY, nan_value}));
    PVGT_OK(pvg_features_view_csr(&offsets, &indices, &values, features));
    TEST_ASSERT_EQUAL_INT64_ARRAY(((int64_t[]){0, 1, 1, 1}), offsets, 4);
    pvg_features_free(features);
}

static void labels_are_checked(void) {
    pvg_labels *labels;
    const int32_t values[] = {2, -1, 0, -2};
    const int32_t *view;
    PVGT_OK(pvg_labels_from_array(&labels, values, 3));
    TEST_ASSERT_EQUAL_INT64(3, pvg_labels_count(labels));
    TEST_ASSERT_EQUAL_INT64(3, pvg_labels_classes(labels));
    PVGT_OK(pvg_labels_view(&view, labels));
    TEST_ASSERT_EQUAL_INT32_ARRAY(values, view, 3);
    PVGT_FAILS(PVG_E_ARGUMENT, "values is NULL", pvg_labels_view(NULL, labels));
    PVGT_FAILS(PVG_E_ARGUMENT, "labels is NULL", pvg_labels_view(&view, NULL));
    pvg_labels_free(labels);
    pvg_labels_free(NULL);
    PVGT_OK(pvg_labels_from_array(&labels, (int32_t[]){-1, INT32_MAX}, 2));
    TEST_ASSERT_EQUAL_INT64(INT64_C(1) << 31, pvg_labels_classes(labels));
    pvg_labels_free(labels);
    PVGT_OK(pvg_labels_from_array(&labels, NULL, 0));
    TEST_ASSERT_EQUAL_INT64(0, pvg_labels_classes(labels));
    pvg_labels_free(labels);
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL", pvg_labels_from_array(NULL, values, 3));
    PVGT_FAILS(PVG_E_ARGUMENT, "count is negative",
               pvg_labels_from_array(&labels, values, -1));
    PVGT_FAILS(PVG_E_ARGUMENT, "values is NULL", pvg_labels_from_array(&labels, NULL, 1));
    TEST_ASSERT_NULL(labels);
    PVGT_OK(pvg_labels_from_array(&labels, values, 4)); /* below -1: kept as 0 */
    PVGT_OK(pvg_labels_view(&view, labels));
    TEST_ASSERT_EQUAL_INT32(0, view[3]);
    pvg_labels_free(labels);
    TEST_ASSERT_EQUAL_INT64(0, pvg_labels_count(NULL) + pvg_labels_classes(NULL));
}

static void fixed_graphs_are_what_they_say(void) {
    pvg_graph *graph;
    PVGT_OK(pvg_graph_new_path(&graph, 4));
    check_rows(graph, 4, (int64_t[]){0, 1, 3, 5, 6}, (int32_t[]){1, 0, 2, 1, 3, 2});
    pvg_graph_free(graph);
    PVGT_OK(pvg_graph_new_cycle(&graph, 4));
    check_rows(graph, 4, (int64_t[]){0, 2, 4, 6, 8}, (int32_t[]){1, 3, 0, 2, 1, 3, 0, 2});
    pvg_graph_free(graph);
    PVGT_OK(pvg_graph_new_cycle(&graph, 3));
    check_rows(graph, 3, (int64_t[]){0, 2, 4, 6}, (int32_t[]){1, 2, 0, 2, 0, 1});
    pvg_graph_free(graph);
    PVGT_OK(pvg_graph_new_clique(&graph, 4));
    check_rows(graph, 4, (int64_t[]){0, 3, 6, 9, 12},
               (int32_t[]){1, 2, 3, 0, 2, 3, 0, 1, 3, 0, 1, 2});
    pvg_graph_free(graph);
    PVGT_OK(pvg_graph_new_star(&graph, 4));
    check_rows(graph, 4, (int64_t[]){0, 3, 4, 5, 6}, (int32_t[]){1, 2, 3, 0, 0, 0});
    pvg_graph_free(graph);
    static int32_t (*const makers[])(pvg_graph **,
                                     int64_t) = {pvg_graph_new_path, pvg_graph_new_clique,
                                                 pvg_graph_new_star, pvg_graph_new_cycle};
    for (int i = 0; i < 4; i++) {
        PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL", makers[i](NULL, 4));
        PVGT_FAILS(PVG_E_ARGUMENT, "order is negative", makers[i](&graph, -1));
        PVGT_FAILS(PVG_E_LIMIT, "order is more", makers[i](&graph, INT64_MAX));
        TEST_ASSERT_NULL(graph);
        for (int64_t order = 0; i < 3 && order < 3; order++) {
            PVGT_OK(makers[i](&graph, order));
            TEST_ASSERT_EQUAL_INT64(order, pvg_graph_order(graph));
            TEST_ASSERT_EQUAL_INT64(order == 2, pvg_graph_size(graph));
            pvg_graph_free(graph);
        }
    }
    PVGT_FAILS(PVG_E_ARGUMENT, "order is less than 3", pvg_graph_new_cycle(&graph, 2));
    PVGT_FAILS(PVG_E_NOMEM, "memory", pvg_graph_new_clique(&graph, INT32_MAX));
    TEST_ASSERT_NULL(graph);
}

/* --- memory and progress --------------------------------------------------------- */

static void memory_stays_below_three_times_the_result(void) {
    enum { ORDER = 50000, COUNT = 500000 };
    int64_t *sources = malloc(2 * COUNT * sizeof *sources);
    int64_t *targets = malloc(2 * COUNT * sizeof *targets);
    uint64_t state = 5;
    for (int64_t i = 0; i < COUNT; i++) {
        /* distinct edges: every difference from 1 to 10, in random order of nodes */
        sources[i] = i % ORDER;
        targets[i] = (i % ORDER + 1 + i / ORDER) % ORDER;
    }
    for (int64_t i = COUNT; i-- > 1;) {
        const int64_t j = pvgt_below(&state, i + 1), s = sources[i], t = targets[i];
        sources[i] = sources[j];
        targets[i] = targets[j];
        sources[j] = s;
        targets[j] = t;
    }
    for (int64_t i = 0; i < COUNT; i++) { /* both directions, as PyG has them */
        sources[COUNT + i] = targets[i];
        targets[COUNT + i] = sources[i];
    }
    const size_t result = 8 * (ORDER + 1) + 8 * (size_t)COUNT;
    for (int listed = 1; listed <= 2; listed++)
        for (uint32_t threads = 1; threads <= 2; threads++) {
            pvg_run run = {.size = sizeof run, .threads = threads};
            pvg_graph *graph;
            size_t begin = pvgt_peak_begin();
            PVGT_OK(pvg_graph_from_edges(&graph, ORDER, sources, targets, listed * COUNT,
                                         PVG_EDGES_MERGE, &run));
            TEST_ASSERT_EQUAL_INT64(COUNT, pvg_graph_size(graph));
            const size_t peak = pvgt_peak_bytes(begin);
            PVGT_CHECK(peak <= 3 * result && peak > result,
                       "listed %d: peak %zu, result %zu", listed, peak, result);
            pvg_graph_free(graph);
            /* the scratch limit is the same accounting */
            run.scratch_limit = 2 * result;
            PVGT_OK(
                pvg_graph_from_edges(&graph, ORDER, sources, targets, COUNT, 0, &run));
            pvg_graph_free(graph);
            run.scratch_limit = result / 2;
            begin = pvgt_peak_begin();
            PVGT_FAILS(
                PVG_E_LIMIT, "scratch_limit",
                pvg_graph_from_edges(&graph, ORDER, sources, targets, COUNT, 0, &run));
            TEST_ASSERT_TRUE(pvgt_peak_bytes(begin) < 4096);
        }
    pvgi_run run;
    PVGT_OK(pvgi_run_begin(&run, NULL));
    const size_t begin = pvgt_peak_begin();
    uint64_t *packed = pvgi_alloc(COUNT, sizeof *packed);
    for (int64_t i = 0; i < COUNT; i++)
        packed[i] = pvgi_edge_pack((uint64_t)sources[i], (uint64_t)targets[i]);
    pvg_graph *graph = NULL;
    PVGT_OK(pvgi_graph_from_packed(&graph, NULL, ORDER, packed, COUNT, 0, &run));
    PVGT_CHECK(pvgt_peak_bytes(begin) <= 3 * result, "packed: peak %zu, result %zu",
               pvgt_peak_bytes(begin), result);
    pvg_graph_free(graph);
    free(sources);
    free(targets);
}

/* Above 2^21 edges rows are written by quarters: node u is joined to the REACH nodes on
 * either side of it, edges in a scattered order. */
static void many_edges_are_written_by_quarters(void) {
    enum { ORDER = 100003, REACH = 21, COUNT = ORDER * REACH, STEP = 1299709 };
    int64_t *ends = malloc(2 * (size_t)COUNT * sizeof *ends);
    for (int64_t i = 0, at = 0; i < COUNT; i++, at = (at + STEP) % COUNT) {
        ends[i] = at / REACH;
        ends[COUNT + i] = (at / REACH + 1 + at % REACH) % ORDER;
    }
    for (uint32_t threads = 1; threads <= 2; threads++) {
        const pvg_run run = {.size = sizeof run, .threads = threads};
        pvg_graph *graph;
        const int64_t *offsets;
        const int32_t *columns;
        PVGT_OK(pvg_graph_from_edges(&graph, ORDER, ends, ends + COUNT, COUNT,
                                     threads == 1 ? 0 : PVG_EDGES_MERGE, &run));
        TEST_ASSERT_EQUAL_INT64(COUNT, pvg_graph_size(graph));
        PVGT_OK(pvg_graph_view_csr(&offsets, &columns, graph));
        for (int64_t u = 0, wrong = 0; u < ORDER; u++) {
            wrong += offsets[u + 1] - offsets[u] != 2 * REACH;
            for (int64_t i = offsets[u]; i < offsets[u + 1]; i++) {
                const int64_t apart = (columns[i] - u + ORDER) % ORDER;
                wrong += i > offsets[u] && columns[i] <= columns[i - 1];
                wrong += apart == 0 || (apart > REACH && apart < ORDER - REACH);
            }
            PVGT_CHECK(wrong == 0, "threads %u, row %lld", threads, (long long)u);
        }
        pvg_graph_free(graph);
    }
    free(ends);
}

static int32_t stop_at_once(void *context, double fraction) {
    ++*(int *)context;
    return fraction >= 0.0;
}

static void building_can_be_cancelled(void) {
    enum { COUNT = 20000000 };
    int64_t *ends = malloc(2 * (size_t)COUNT * sizeof *ends);
    uint64_t state = 3;
    int calls = 0;
    for (int64_t i = 0; i < 2 * COUNT; i++) ends[i] = pvgt_below(&state, COUNT);
    const pvg_run run = {.size = sizeof run,
                         .threads = 2,
                         .progress = stop_at_once,
                         .progress_context = &calls};
    pvg_graph *graph;
    PVGT_FAILS(PVG_E_CANCELLED, "cancelled",
               pvg_graph_from_edges(&graph, COUNT, ends, ends + COUNT, COUNT, 3, &run));
    TEST_ASSERT_NULL(graph);
    TEST_ASSERT_EQUAL_INT(1, calls);
    free(ends);
}

/* Both ways of making a set at once, and what they refuse. */
static void test_sets_at_once(void) {
    const int64_t starts[] = {0, 3, 3, 7};
    const int64_t from[] = {5, 0, 1, 3, 1}, to[] = {6, 1, 2, 4, 0};
    const int32_t labels[] = {1, -1, 4}, nodes[] = {0, 1, 2, 3, 4, 5, 6};
    const int64_t rows[] = {0, 1, 3, 4, 5, 6, 7, 8};
    const int32_t entries[] = {1, 0, 2, 1, 4, 3, 6, 5};
    pvg_graphset *set[2] = {NULL, NULL};
    PVGT_FAILS(PVG_E_ARGUMENT, "pvg_graphset_from_edges: ",
               pvg_graphset_from_edges(&set[0], starts, 3, from, to, 5, PVG_EDGES_STRICT,
                                       NULL, NULL, NULL));
    PVGT_OK(pvg_graphset_from_edges(&set[0], starts, 3, from, to, 5, PVG_EDGES_MERGE,
                                    labels, nodes, NULL));
    PVGT_OK(pvg_graphset_from_csr(&set[1], starts, 3, rows, entries, PVG_EDGES_STRICT,
                                  NULL, NULL, NULL));
    for (int i = 0; i < 2; i++) {
        const int64_t *own_starts, *own_rows;
        const int32_t *own_entries, *own_labels, *own_nodes;
        PVGT_OK(pvg_graphset_view_csr(&own_starts, &own_rows, &own_entries, set[i]));
        PVGT_OK(pvg_graphset_view_labels(&own_labels, NULL, &own_nodes, set[i]));
        TEST_ASSERT_EQUAL_INT64_ARRAY(starts, own_starts, 4);
        TEST_ASSERT_EQUAL_INT64_ARRAY(rows, own_rows, 8);
        TEST_ASSERT_EQUAL_INT32_ARRAY(entries, own_entries, 8);
        for (int j = 0; j < 3; j++)
            TEST_ASSERT_EQUAL_INT32(i ? -1 : labels[j], own_labels[j]);
        TEST_ASSERT_TRUE((own_nodes != NULL) == (i == 0));
        pvg_graphset_free(set[i]);
        set[i] = NULL;
    }
    const int64_t across[] = {2}, there[] = {3}, back[] = {0, 3, 2, 7};
    PVGT_FAILS(PVG_E_ARGUMENT,
               "pvg_graphset_from_edges: an edge joins graph 0 and another",
               pvg_graphset_from_edges(&set[0], starts, 3, across, there, 1, 0, NULL,
                                       NULL, NULL));
    PVGT_FAILS(
        PVG_E_ARGUMENT, "starts",
        pvg_graphset_from_edges(&set[0], back, 3, from, to, 4, 0, NULL, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "labels[1] is less than -1",
               pvg_graphset_from_edges(&set[0], starts, 3, from, to, 4, 0,
                                       (int32_t[]){0, -2, 0}, NULL, NULL));
    PVGT_FAILS(
        PVG_E_ARGUMENT, "starts is NULL",
        pvg_graphset_from_csr(&set[0], NULL, 3, rows, entries, 0, NULL, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "row 0 has an entry without its mirror",
               pvg_graphset_from_csr(&set[0], (int64_t[]){0, 2}, 1, (int64_t[]){0, 1, 1},
                                     (int32_t[]){1}, 0, NULL, NULL, NULL));
    TEST_ASSERT_NULL(set[0]);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(test_sets_at_once);
    RUN_TEST(getters_tell_the_graph);
    RUN_TEST(edges_are_checked);
    RUN_TEST(rows_are_checked);
    RUN_TEST(operations_are_checked);
    RUN_TEST(sets_are_checked);
    RUN_TEST(features_are_checked);
    RUN_TEST(labels_are_checked);
    RUN_TEST(fixed_graphs_are_what_they_say);
    RUN_TEST(memory_stays_below_three_times_the_result);
    RUN_TEST(many_edges_are_written_by_quarters);
    RUN_TEST(building_can_be_cancelled);
    return pvgt_end(UNITY_END());
}
