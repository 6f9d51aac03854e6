/* Graphs from edges in pieces: the same graph as from one list, refusals by piece and
 * edge, memory; features from floats. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

static void same(const pvg_graph *a, const pvg_graph *b) {
    const int64_t *offsets[2];
    const int32_t *columns[2];
    TEST_ASSERT_EQUAL_INT64(pvg_graph_order(a), pvg_graph_order(b));
    TEST_ASSERT_EQUAL_INT64(pvg_graph_size(a), pvg_graph_size(b));
    TEST_ASSERT_EQUAL_INT32(pvg_graph_order_declared(a), pvg_graph_order_declared(b));
    PVGT_OK(pvg_graph_view_csr(&offsets[0], &columns[0], a));
    PVGT_OK(pvg_graph_view_csr(&offsets[1], &columns[1], b));
    TEST_ASSERT_EQUAL_MEMORY(offsets[0], offsets[1],
                             (size_t)(pvg_graph_order(a) + 1) * sizeof(int64_t));
    if (pvg_graph_size(a) > 0)
        TEST_ASSERT_EQUAL_MEMORY(columns[0], columns[1],
                                 2 * (size_t)pvg_graph_size(a) * sizeof(int32_t));
}

/* Adds [at, at + count) in either width. */
static int32_t add(pvg_graph_builder *builder, const int64_t *sources,
                   const int64_t *targets, int64_t count, bool narrow) {
    if (!narrow) return pvg_graph_builder_add(builder, sources, targets, count);
    int32_t *ends = malloc(2 * (size_t)(count + 1) * sizeof *ends);
    for (int64_t i = 0; i < count; i++) {
        ends[i] = (int32_t)sources[i];
        ends[count + i] = (int32_t)targets[i];
    }
    const int32_t status =
        pvg_graph_builder_add_int32(builder, ends, ends + count, count);
    free(ends);
    return status;
}

/* Pieces of random lengths, 0 included, up to `most`. */
static pvg_graph *in_pieces(int64_t order, const int64_t *sources, const int64_t *targets,
                            int64_t count, uint32_t policy, int64_t most, uint64_t seed) {
    const pvg_run run = {.size = sizeof run, .threads = 1 + (uint32_t)(seed % 3)};
    pvg_graph_builder *builder = NULL;
    pvg_graph *graph = NULL;
    PVGT_OK(pvg_graph_builder_new(&builder, order, policy));
    for (int64_t at = 0; at < count;) {
        int64_t piece = pvgt_below(&seed, most + 1);
        if (piece > count - at) piece = count - at;
        PVGT_OK(add(builder, sources + at, targets + at, piece, pvgt_below(&seed, 2)));
        at += piece;
    }
    PVGT_OK(pvg_graph_builder_finish(&graph, builder, &run));
    pvg_graph_builder_free(builder);
    return graph;
}

/* order: few nodes make many repeats, many make nearly none. */
static void check_random(int64_t order, int64_t count, uint32_t policy, int64_t most) {
    int64_t *ends = malloc(2 * (size_t)count * sizeof *ends);
    uint64_t state = (uint64_t)(order + count) * 7 + policy;
    pvg_graph *whole = NULL;
    for (int64_t i = 0; i < 2 * count; i++) ends[i] = pvgt_below(&state, order);
    PVGT_OK(pvg_graph_from_edges(&whole, order, ends, ends + count, count, policy, NULL));
    pvg_graph *pieces = in_pieces(order, ends, ends + count, count, policy, most, state);
    same(whole, pieces);
    pvg_graph_free(pieces);
    pvg_graph_free(whole);
    free(ends);
}

static void pieces_make_the_same_graph(void) {
    const uint32_t merge = PVG_EDGES_MERGE | PVG_EDGES_DROP_LOOPS;
    for (int64_t order = 1; order <= 9; order++) check_random(order, 5 * order, merge, 4);
    check_random(50, 3000, merge | PVG_EDGES_INFERRED, 100);
    check_random(700, 600000, merge, 50000);    /* five blocks, nearly all repeats */
    check_random(200000, 700000, merge, 90000); /* five blocks, some repeats */
}

/* A ring has no repeats: several blocks, nothing merged. */
static void strict_pieces_make_the_same_graph(void) {
    enum { ORDER = 300000 };
    int64_t *ends = malloc((ORDER + 1) * sizeof *ends);
    pvg_graph *ring = NULL;
    for (int64_t i = 0; i <= ORDER; i++) ends[i] = i % ORDER;
    PVGT_OK(pvg_graph_new_cycle(&ring, ORDER));
    pvg_graph *pieces = in_pieces(ORDER, ends, ends + 1, ORDER, 0, 70000, 5);
    same(ring, pieces);
    pvg_graph_free(pieces);
    pvg_graph_free(ring);
    free(ends);
}

static void a_builder_is_used_again(void) {
    const int64_t u[] = {0, 1}, v[] = {1, 2};
    pvg_graph_builder *builder = NULL;
    pvg_graph *graph = NULL;
    PVGT_OK(pvg_graph_builder_new(&builder, 3, 0));
    PVGT_OK(pvg_graph_builder_finish(&graph, builder, NULL));
    TEST_ASSERT_EQUAL_INT64(3, pvg_graph_order(graph));
    TEST_ASSERT_EQUAL_INT64(0, pvg_graph_size(graph));
    pvg_graph_free(graph);
    for (int round = 0; round < 2; round++) {
        PVGT_OK(pvg_graph_builder_add(builder, u, v, 2));
        PVGT_OK(pvg_graph_builder_finish(&graph, builder, NULL));
        TEST_ASSERT_EQUAL_INT64(2, pvg_graph_size(graph));
        pvg_graph_free(graph);
    }
    pvg_graph_builder_free(builder);
    pvg_graph_builder_free(NULL);
}

static void refusals_name_piece_and_edge(void) {
    const int64_t u[] = {0, 1, 3, 2}, v[] = {1, 2, 3, 7};
    const int32_t a[] = {2, -1}, b[] = {1, 0};
    pvg_graph_builder *builder = NULL;
    pvg_graph *graph = NULL;
    PVGT_OK(pvg_graph_builder_new(&builder, 5, 0));
    PVGT_OK(pvg_graph_builder_add(builder, u, v, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "pvg_graph_builder_add: piece 1, edge 2 is a self loop",
               pvg_graph_builder_add(builder, u, v, 3));
    PVGT_FAILS(PVG_E_ARGUMENT, "piece 1, edge 0: an end is not in 0..order-1",
               pvg_graph_builder_add(builder, u + 3, v + 3, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "piece 1, edge 1: an end is not in 0..order-1",
               pvg_graph_builder_add_int32(builder, a, b, 2));
    PVGT_OK(pvg_graph_builder_add(builder, NULL, NULL, 0)); /* piece 1: empty */
    PVGT_OK(pvg_graph_builder_add(builder, u + 1, v + 1, 1));
    PVGT_OK(pvg_graph_builder_add(builder, v, u, 2)); /* piece 3 repeats 0-1 */
    PVGT_FAILS(PVG_E_ARGUMENT, "pvg_graph_builder_finish: piece 3, edge 0 repeats",
               pvg_graph_builder_finish(&graph, builder, NULL));
    TEST_ASSERT_NULL(graph);
    PVGT_OK(pvg_graph_builder_add(builder, u, v, 2)); /* empty again: no repeat */
    PVGT_OK(pvg_graph_builder_finish(&graph, builder, NULL));
    TEST_ASSERT_EQUAL_INT64(2, pvg_graph_size(graph));
    pvg_graph_free(graph);
    pvg_graph_builder_free(builder);

    /* dropped loops count as edges of their piece */
    PVGT_OK(pvg_graph_builder_new(&builder, 5, PVG_EDGES_DROP_LOOPS));
    PVGT_OK(pvg_graph_builder_add(builder, u, v, 3));
    PVGT_OK(pvg_graph_builder_add(builder, u + 2, v + 2, 1));
    PVGT_OK(
        pvg_graph_builder_add(builder, (int64_t[]){4, 4, 1}, (int64_t[]){4, 0, 0}, 3));
    PVGT_FAILS(PVG_E_ARGUMENT, "piece 2, edge 2 repeats",
               pvg_graph_builder_finish(&graph, builder, NULL));
    pvg_graph_builder_free(builder);

    PVGT_FAILS(PVG_E_ARGUMENT, "policy", pvg_graph_builder_new(&builder, 5, 64));
    PVGT_FAILS(PVG_E_ARGUMENT, "order is negative",
               pvg_graph_builder_new(&builder, -1, 0));
    PVGT_FAILS(PVG_E_LIMIT, "2^31 - 1",
               pvg_graph_builder_new(&builder, INT64_C(1) << 31, 0));
}

/* What graph.h promises, of repeats without end as of none. */
static void memory_is_bounded(void) {
    enum { ORDER = 3000, PIECE = 20000, PIECES = 200 };
    const uint32_t merge = PVG_EDGES_MERGE | PVG_EDGES_DROP_LOOPS;
    int32_t *ends = malloc(2 * PIECE * sizeof *ends);
    uint64_t state = 3;
    pvg_graph_builder *builder = NULL;
    pvg_graph *graph = NULL;
    const size_t begin = pvgt_peak_begin();
    PVGT_OK(pvg_graph_builder_new(&builder, ORDER, merge));
    for (int piece = 0; piece < PIECES; piece++) {
        for (int i = 0; i < 2 * PIECE; i++) ends[i] = (int32_t)pvgt_below(&state, 300);
        PVGT_OK(pvg_graph_builder_add_int32(builder, ends, ends + PIECE, PIECE));
    }
    PVGT_OK(pvg_graph_builder_finish(&graph, builder, NULL));
    size_t result = 8 * (ORDER + 1) + 8 * (size_t)pvg_graph_size(graph);
    PVGT_CHECK(pvgt_peak_bytes(begin) < 3 * result + (16 << 20), "%zu of %zu",
               pvgt_peak_bytes(begin), result);
    /* a list of all of them would have taken 32 MB */
    PVGT_CHECK(pvgt_peak_bytes(begin) < (size_t)PIECE * PIECES * 4, "%zu",
               pvgt_peak_bytes(begin));
    pvg_graph_free(graph);
    pvg_graph_builder_free(builder);
    free(ends);

    enum { RING = 1 << 20 };
    int64_t *ring = malloc((RING + 1) * sizeof *ring);
    for (int64_t i = 0; i <= RING; i++) ring[i] = i % RING;
    const size_t before = pvgt_peak_begin();
    PVGT_OK(pvg_graph_builder_new(&builder, RING, 0));
    for (int64_t at = 0; at < RING; at += RING / 64)
        PVGT_OK(pvg_graph_builder_add(builder, ring + at, ring + at + 1, RING / 64));
    PVGT_OK(pvg_graph_builder_finish(&graph, builder, NULL));
    result = 16 * (size_t)RING;
    PVGT_CHECK(pvgt_peak_bytes(before) < 3 * result, "%zu of %zu",
               pvgt_peak_bytes(before), result);
    pvg_graph_free(graph);
    pvg_graph_builder_free(builder);
    free(ring);
}

static void floats_are_doubles(void) {
    const float values[] = {0.1f, 0.0f, -3.5f, 1e-45f, 3.4e38f, 0.0f};
    const int64_t offsets[] = {0, 1, 3};
    const int32_t indices[] = {2, 0, 1};
    double dense[6], wide[6];
    pvg_features *features = NULL;
    PVGT_OK(pvg_features_from_dense_float(&features, 2, 3, values));
    PVGT_OK(pvg_features_copy_dense(dense, features, 0, 2));
    for (int i = 0; i < 6; i++) wide[i] = (double)values[i];
    TEST_ASSERT_EQUAL_MEMORY(wide, dense, sizeof wide);
    pvg_features_free(features);

    PVGT_OK(pvg_features_from_csr_float(&features, 2, 3, offsets, indices, values));
    PVGT_OK(pvg_features_copy_dense(dense, features, 0, 2));
    const double sparse[] = {0, 0, wide[0], 0, wide[2], 0};
    TEST_ASSERT_EQUAL_MEMORY(sparse, dense, sizeof sparse);
    pvg_features_free(features);
    PVGT_OK(pvg_features_from_csr_float(&features, 2, 3, offsets, indices, NULL));
    PVGT_OK(pvg_features_copy_dense(dense, features, 0, 1));
    TEST_ASSERT_EQUAL_DOUBLE(1.0, dense[2]);
    pvg_features_free(features);

    PVGT_OK(pvg_features_from_dense_float(&features, 1, 2, (float[]){1, INFINITY}));
    PVGT_OK(pvg_features_copy_dense(dense, features, 0, 1));
    TEST_ASSERT_TRUE(dense[0] == 1.0 && dense[1] == 0.0);
    pvg_features_free(features);
    PVGT_FAILS(PVG_E_ARGUMENT, "pvg_features_from_dense_float: values is NULL",
               pvg_features_from_dense_float(&features, 1, 2, NULL));
    TEST_ASSERT_NULL(features);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(pieces_make_the_same_graph);
    RUN_TEST(strict_pieces_make_the_same_graph);
    RUN_TEST(a_builder_is_used_again);
    RUN_TEST(refusals_name_piece_and_edge);
    RUN_TEST(memory_is_bounded);
    RUN_TEST(floats_are_doubles);
    return pvgt_end(UNITY_END());
}
