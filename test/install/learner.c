/* A program that learns: both libraries, one allocator and one message. */
#include <privgraph-learn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long blocks;

static void *take(void *context, size_t bytes) {
    (void)context;
    blocks++;
    return malloc(bytes);
}

static void give(void *context, void *block) {
    (void)context;
    blocks--;
    free(block);
}

int main(void) {
    const double x[] = {0, 1};
    const int32_t labels[] = {0, 1};
    pvg_allocator own = {sizeof own, 0, NULL, take, give};
    pvg_logistic_config config = {0};
    pvg_logistic *fit = NULL;
    pvg_graph *graph = NULL;
    config.size = sizeof config;
    config.classes = 2;
    if (pvg_allocator_set(&own) != PVG_OK) return 1;
    if (strcmp(pvg_learn_version_string(), EXPECTED_VERSION) != 0) return 2;
    if (pvg_logistic_fit(&fit, &config, x, labels, 2, 1, NULL) != PVG_OK) return 3;
    if (pvg_graph_new_cycle(&graph, 5) != PVG_OK || blocks < 2) return 4;
    /* a handle of the other library is known by name, either way */
    if (pvg_directions_project(NULL, (const pvg_features *)graph, 1, NULL) !=
        PVG_E_ARGUMENT)
        return 5;
    if (!strstr(pvg_error_message(), "is not a pvg_features but a pvg_graph")) return 6;
    pvg_graph_free((pvg_graph *)fit);
    if (!strstr(pvg_error_message(), "is not a pvg_graph but a pvg_logistic")) return 7;
    pvg_logistic_free(fit);
    pvg_graph_free(graph);
    if (blocks != 0) return 8;
    puts("learner ok");
    return 0;
}
