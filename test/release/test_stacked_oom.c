/* Rows that were drawn elsewhere, as one release: what is refused, and with each of its
 * allocations failing nothing is charged that was not, or what was paid for is there. */
#include "support.h"

#include <string.h>

void setUp(void) {}
void tearDown(void) {}

enum { COUNT = 4 };

static pvg_graphset *set, *halves[2];
static pvg_query *query;
static pvg_release *rows[2];
static uint64_t objects[COUNT];
static int64_t orders[COUNT];

static int32_t draw(pvg_release **out, int half, const uint64_t *names,
                    const char *text) {
    pvg_query *own = NULL;
    const pvg_input input = {.size = sizeof input,
                             .set = halves[half],
                             .objects = names,
                             .object_count = names ? 2 : 0};
    int32_t status = pvg_query_new(&own, text, NULL, NULL, NULL);
    if (status == PVG_OK) status = pvg_release_draw(out, own, &input, NULL, NULL, NULL);
    pvg_query_free(own);
    return status;
}

#define QUESTION "embed patterns=edge,path3 max-degree=3 noise=laplace epsilon=1"

static void make(void) {
    pvg_graphset_builder *builder;
    PVGT_OK(pvg_query_new(&query, QUESTION, NULL, NULL, NULL));
    for (int half = 0; half < 3; half++) {
        PVGT_OK(pvg_graphset_builder_new(&builder, 0));
        for (int i = 0; i < COUNT; i++) {
            pvg_graph *graph;
            if (half < 2 && i / 2 != half) continue;
            PVGT_OK(pvg_graph_new_path(&graph, 5 + i));
            PVGT_OK(pvg_graphset_builder_add(builder, graph, -1, NULL, NULL));
            pvg_graph_free(graph);
            orders[i] = 5 + i;
            objects[i] = (uint64_t)(70 + i);
        }
        PVGT_OK(pvg_graphset_builder_finish(half < 2 ? &halves[half] : &set, builder));
        pvg_graphset_builder_free(builder);
    }
    for (int half = 0; half < 2; half++)
        PVGT_OK(draw(&rows[half], half, objects + 2 * half, QUESTION));
}

static int32_t body(void *context) {
    pvg_guarantee *paid = (pvg_guarantee *)context;
    pvg_release *made = (pvg_release *)context;
    const pvg_release *both[] = {rows[0], rows[1]};
    int32_t status = pvg_release_pay(&paid, query, orders, objects, COUNT, NULL);
    if (status != PVG_OK) {
        TEST_ASSERT_NULL(paid);
        return status;
    }
    status = pvg_release_stack(&made, paid, both, 2);
    TEST_ASSERT_TRUE((status == PVG_OK) == (made != NULL));
    pvg_release_free(made);
    pvg_guarantee_free(paid);
    return status;
}

static void memory_may_fail(void) {
    int context = 0;
    pvgt_oom_walk("pay and stack", body, &context, 6);
}

static void rows_follow_one_another(void) {
    const pvg_release *both[] = {rows[0], rows[1]};
    const double *values, *first, *second;
    pvg_guarantee *paid;
    pvg_release *made;
    double epsilon;
    PVGT_OK(pvg_release_pay(&paid, query, orders, objects, COUNT, NULL));
    PVGT_OK(pvg_release_stack(&made, paid, both, 2));
    pvg_release *again = NULL; /* one payment, one release */
    PVGT_FAILS(PVG_E_ARGUMENT, "paid is not what",
               pvg_release_stack(&again, paid, both, 2));
    PVGT_OK(pvg_release_view(&values, made));
    PVGT_OK(pvg_release_view(&first, rows[0]));
    PVGT_OK(pvg_release_view(&second, rows[1]));
    TEST_ASSERT_EQUAL_INT64(COUNT, pvg_release_rows(made));
    TEST_ASSERT_EQUAL_MEMORY(first, values, 4 * sizeof *values);
    TEST_ASSERT_EQUAL_MEMORY(second, values + 4, 4 * sizeof *values);
    PVGT_OK(pvg_guarantee_epsilon(&epsilon, pvg_release_guarantee(made), 0.0));
    TEST_ASSERT_TRUE(epsilon <= 1.0 && epsilon > 0.999);
    pvg_release_free(made);
    pvg_guarantee_free(paid);
}

static void refused(int32_t status, const char *words, const pvg_guarantee *paid,
                    const pvg_release *a, const pvg_release *b, int64_t count) {
    const pvg_release *both[] = {a, b};
    pvg_release *made = NULL;
    PVGT_FAILS(status, words, pvg_release_stack(&made, paid, both, count));
    TEST_ASSERT_NULL(made);
}

static void what_is_refused(void) {
    const uint64_t twice[] = {70, 70, 72, 73};
    const int64_t negative[] = {5, -1, 7, 8}, ones[] = {1, 1, 1, 1};
    pvg_guarantee *paid = NULL;
    pvg_release *other = NULL;
    PVGT_FAILS(PVG_E_ARGUMENT, "the same one",
               pvg_release_pay(&paid, query, orders, twice, COUNT, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "orders[1]",
               pvg_release_pay(&paid, query, negative, objects, COUNT, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "count",
               pvg_release_pay(&paid, query, orders, objects, 0, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "objects is NULL",
               pvg_release_pay(&paid, query, orders, NULL, COUNT, NULL));
    PVGT_OK(pvg_release_pay(&paid, query, orders, objects, COUNT, NULL));
    refused(PVG_E_PRIVACY, "not about the objects", paid, rows[1], rows[0], 2);
    refused(PVG_E_PRIVACY, "not about the objects", paid, rows[0], rows[0], 2);
    refused(PVG_E_ARGUMENT, "2 objects, 4 were paid for", paid, rows[0], NULL, 1);
    refused(PVG_E_ARGUMENT, "parts[1] is NULL", paid, rows[0], NULL, 2);
    refused(PVG_E_ARGUMENT, "not what pvg_release_pay made",
            pvg_release_guarantee(rows[0]), rows[0], rows[1], 2);
    PVGT_OK(draw(&other, 1, objects + 2,
                 "embed patterns=edge,path3 max-degree=3 noise=laplace epsilon=2"));
    refused(PVG_E_ARGUMENT, "another query", paid, rows[0], other, 2);
    pvg_release_free(other);
    PVGT_OK(draw(&other, 1, NULL, QUESTION));
    refused(PVG_E_PRIVACY, "not about the objects", paid, rows[0], other, 2);
    pvg_release_free(other);
    pvg_guarantee_free(paid);
    /* orders that are not those of the graphs: with one node nothing is spent */
    PVGT_OK(pvg_release_pay(&paid, query, ones, objects, COUNT, NULL));
    refused(PVG_E_PRIVACY, "promises less than was paid for", paid, rows[0], rows[1], 2);
    pvg_guarantee_free(paid);
}

int main(void) {
    pvgt_begin();
    make();
    UNITY_BEGIN();
    RUN_TEST(rows_follow_one_another);
    RUN_TEST(what_is_refused);
    RUN_TEST(memory_may_fail);
    for (int half = 0; half < 2; half++) {
        pvg_release_free(rows[half]);
        pvg_graphset_free(halves[half]);
    }
    pvg_graphset_free(set);
    pvg_query_free(query);
    return pvgt_end(UNITY_END());
}
