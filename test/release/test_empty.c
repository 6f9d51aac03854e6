/* Graphs without nodes, without edges, with one edge far off: lists of length 0 have no
 * block, and no place in a block that is not there may be computed (clang's UBSan says
 * where; ./dev soak runs this with it). Counts are those of graphs without edges. */
#include "door_world.h"

static const char *const patterns_text =
    "vertex,edge,path3,path4,triangle,cycle4,cycle5,cycle6,cycle7,clique4,clique5,star4";
enum { PATTERNS_MOST = 16 };

/* Graph of `order` nodes with `edges` edges, 0 or 1, between the last two nodes. */
static pvg_graph *sparse_graph(int64_t order, int64_t edges) {
    const int64_t from = order - 2, to = order - 1;
    pvg_graph *graph = NULL;
    PVGT_OK(
        pvg_graph_from_edges(&graph, order, &from, &to, edges, PVG_EDGES_STRICT, NULL));
    return graph;
}

static const int64_t orders[] = {0, 1, 2, 3, ORDER, 300, 5000};
enum { ORDERS = sizeof orders / sizeof *orders };

static void counts_of_empty_graphs(void) {
    pvg_patterns *patterns = NULL;
    pvg_density *density = NULL;
    PVGT_OK(pvg_patterns_from_names(&patterns, patterns_text));
    PVGT_OK(pvg_density_new(&density, patterns, NULL));
    const int64_t count = pvg_density_pattern_count(density);
    TEST_ASSERT_TRUE(count <= PATTERNS_MOST);
    for (int i = 0; i < ORDERS; i++)
        for (uint32_t threads = 1; threads <= 3; threads += 2) {
            const pvg_run run = {.size = sizeof run, .threads = threads};
            uint64_t low[PATTERNS_MOST], high[PATTERNS_MOST];
            double values[PATTERNS_MOST];
            pvg_graph *graph = sparse_graph(orders[i], 0);
            PVGT_OK(pvg_density_count_graph_exact(low, high, density, graph, &run));
            for (int64_t k = 0; k < count; k++) {
                TEST_ASSERT_EQUAL_UINT64(k == 0 ? (uint64_t)orders[i] : 0, low[k]);
                TEST_ASSERT_EQUAL_UINT64(0, high[k]);
            }
            if (orders[i] > 0) /* without nodes there is no density */
                PVGT_OK(pvg_density_evaluate_graph_exact(values, density, graph, &run));
            pvg_graph_free(graph);
            if (orders[i] < 2) continue;
            graph = sparse_graph(orders[i], 1);
            PVGT_OK(pvg_density_count_graph_exact(low, high, density, graph, &run));
            TEST_ASSERT_EQUAL_UINT64(2, low[1]); /* both directions */
            TEST_ASSERT_EQUAL_UINT64(0, low[4]);
            pvg_graph_free(graph);
        }
    pvg_density_free(density);
    pvg_patterns_free(patterns);
}

/* Every kind of draw, of a graph of the right order and of one that is too small: drawn
 * or refused. */
static void draws_of_empty_graphs(void) {
    world w = make_world();
    int drawn = 0;
    for (int i = 0; i < ORDERS; i++)
        for (int64_t edges = 0; edges <= 1; edges++) {
            if (orders[i] < 2 && edges > 0) continue;
            pvg_graph_free(w.graph[0]);
            pvg_graphset_free(w.set[0]);
            w.graph[0] = sparse_graph(orders[i], edges);
            w.set[0] = set_of(w.graph[0]);
            for (int kind = 0; kind < KINDS; kind++) {
                if (orders[i] > ORDER && kind >= GRAPH_FIRST) continue; /* takes long */
                pvg_release *release = NULL;
                pvg_ledger *ledger = NULL;
                const pvg_ledger_config config = {.size = sizeof config,
                                                  .notion = notion_of(kind),
                                                  .epsilon = 100,
                                                  .delta = 1e-3};
                PVGT_OK(pvg_ledger_new(&ledger, &config));
                const int32_t status = draw(&release, &w, kind, 0, ledger, NULL);
                PVGT_CHECK(status != PVG_E_INTERNAL &&
                               (status == PVG_OK) == (release != NULL),
                           "kind %d, order %d: %d", kind, (int)orders[i], (int)status);
                drawn += status == PVG_OK;
                pvg_release_free(release);
                pvg_ledger_free(ledger);
            }
        }
    TEST_ASSERT_GREATER_THAN_INT(2 * KINDS - 1, drawn);
    free_world(&w);
}

void setUp(void) {}

void tearDown(void) {}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(counts_of_empty_graphs);
    RUN_TEST(draws_of_empty_graphs);
    return pvgt_end(UNITY_END());
}
