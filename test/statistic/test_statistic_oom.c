/* statistic under allocation failure. */
#include "handles.h"
#include "support.h"

#include <stdio.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

static const pvg_target target = {.size = sizeof target, .epsilon = 1.0};

static int32_t use(pvg_statistic *statistic, const pvg_graph *graph) {
    pvg_curve *curve = (void *)statistic;
    pvg_release *release = (void *)statistic;
    pvg_preview *plan = (void *)statistic;
    pvg_rng *rng;
    double values[64];
    char json[4096];
    size_t length;
    int32_t status = pvg_guarantee_copy_json(json, sizeof json, &length,
                                             pvgt_statistic_guarantee(statistic));
    if (status != PVG_OK) return status;
    status = pvgt_statistic_values_exact(values, statistic, graph, NULL);
    if (status != PVG_OK) return status;
    status = pvgt_statistic_lines(&plan, statistic, pvg_graph_order(graph), 0);
    if (status != PVG_OK) {
        TEST_ASSERT_NULL(plan);
        return status;
    }
    pvg_preview_free(plan);
    status = pvg_guarantee_curve(&curve, pvgt_statistic_guarantee(statistic));
    if (status != PVG_OK) {
        TEST_ASSERT_NULL(curve);
        return status;
    }
    pvg_curve_free(curve);
    status = pvg_rng_new_secure(&rng);
    if (status != PVG_OK) return status;
    status = pvgt_release_draw_statistic(&release, statistic, graph, 0, rng, NULL, NULL);
    if (status != PVG_OK) TEST_ASSERT_NULL(release);
    pvg_release_free(release);
    pvg_rng_free(rng);
    return status;
}

static int32_t histogram_body(void *context) {
    const int form = *(const int *)context;
    const double priorities[4] = {1, 2, 3, 3}, weights[8] = {1, 0, 0, 1, 1, 1, 0.5, 0.5};
    const int32_t kinds[4] = {0, 1, 1, -1}, groups[4] = {0, 1, 1, -1};
    const pvg_histogram_config config = {.size = sizeof config,
                                         .cells = form == 1 ? PVG_HISTOGRAM_BETWEEN
                                                            : PVG_HISTOGRAM_RECEIVED,
                                         .order = 4,
                                         .kinds = 2,
                                         .groups = form == 2 ? 2 : 0};
    const pvg_histogram_nodes nodes = {.size = sizeof nodes,
                                       .priorities = form == 1 ? NULL : priorities,
                                       .kinds = form == 2 ? NULL : kinds,
                                       .groups = form == 2 ? groups : NULL,
                                       .weights = form == 2 ? weights : NULL};
    pvg_graph *graph;
    pvg_statistic *statistic = context;
    int32_t status = pvg_graph_new_clique(&graph, 4);
    if (status != PVG_OK) return status;
    status = pvgt_statistic_new_histogram(&statistic, &config, &target, &nodes);
    if (status != PVG_OK) TEST_ASSERT_NULL(statistic);
    if (status == PVG_OK) status = use(statistic, graph);
    pvgt_statistic_free(statistic);
    pvg_graph_free(graph);
    return status;
}

static void histogram_survive(void) {
    for (int form = 0; form < 3; form++)
        pvgt_oom_walk("histogram", histogram_body, &form, 10);
}

/* Kinds that hide a whole node, from their text to the numbers. */
static int32_t node_body(void *context) {
    const char *text = context;
    const int32_t groups[7] = {0, 1, 0, 1, 0, 1, 1};
    const bool grouped = strstr(text, "within") || strstr(text, "homophily");
    const pvg_arguments a = {
        .size = sizeof a, .order = 7, .groups = grouped ? groups : NULL};
    pvg_graph *graph;
    pvg_query *query = context;
    pvg_release *release = context;
    pvg_preview *plan = context;
    int32_t status = pvg_graph_new_clique(&graph, 7);
    if (status != PVG_OK) return status;
    const pvg_input in = {.size = sizeof in, .graph = graph};
    const pvg_preview_config config = {.size = sizeof config, .order = 7};
    status = pvg_query_new(&query, text, &a, NULL, NULL);
    if (status != PVG_OK) TEST_ASSERT_NULL(query);
    if (status == PVG_OK) {
        status = pvg_query_preview(&plan, query, &config, NULL);
        if (status == PVG_OK) pvg_preview_free(plan);
        if (status == PVG_OK) {
            status = pvg_release_draw(&release, query, &in, NULL, NULL, NULL);
            if (status != PVG_OK) TEST_ASSERT_NULL(release);
            if (status == PVG_OK) pvg_release_free(release);
        }
        pvg_query_free(query);
    }
    pvg_graph_free(graph);
    return status;
}

static void node_kinds_survive(void) {
    static const char *const texts[] = {
        "capped-edges epsilon=1",
        "capped-edges cap=2 epsilon=1",
        "capped-edges cells=within epsilon=1",
        "capped-degrees epsilon=1",
        "capped-triangles epsilon=1",
        "node-scalars list=matching,fractional-matching,degeneracy,rank1 epsilon=1",
        "group-ratio ratio=homophily parts=2 epsilon=1",
        "group-ratio ratio=density:triangle parts=2 epsilon=1"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char text[128];
        snprintf(text, sizeof text, "%s", texts[i]);
        pvgt_oom_walk(text, node_body, text, 6);
    }
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(histogram_survive);
    RUN_TEST(node_kinds_survive);
    return pvgt_end(UNITY_END());
}
