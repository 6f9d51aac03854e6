/* propagate under allocation failure, and outputs that stay as they were. */
#include "support.h"

#include <string.h>

void setUp(void) {}
void tearDown(void) {}

enum { N = 30, D = 5 };

typedef struct {
    pvg_layers *layers;
    pvg_graph *graph;
    pvg_features *features;
    double x[N * D];
    float xf[N * D];
    int entry;
} setting;

static int32_t go_on(void *context, double fraction) {
    (void)context;
    (void)fraction;
    return 0;
}

static int32_t propagate(void *context) {
    const setting *s = context;
    /* with a callback results go to scratch first */
    const pvg_run run = {.size = sizeof run, .progress = go_on};
    double out[N * D];
    float outf[N * D];
    int32_t status = PVG_E_INTERNAL;
    for (int i = 0; i < N * D; i++) outf[i] = (float)(out[i] = 42);
    if (s->entry == 0)
        status = pvg_propagate_exact(out, s->layers, s->graph, s->x, D, &run);
    if (s->entry == 1)
        status =
            pvg_propagate_features_exact(out, s->layers, s->graph, s->features, NULL);
    if (s->entry == 2)
        status = pvg_propagate_apply_exact(out, s->layers, s->graph, s->x, D, &run);
    if (s->entry == 3)
        status =
            pvg_propagate_apply_float_exact(outf, s->layers, s->graph, s->xf, D, &run);
    for (int i = 0; status != PVG_OK && i < N * D; i++)
        TEST_ASSERT_TRUE(out[i] == 42 && outf[i] == 42);
    return status;
}

static void propagations_survive_no_memory(void) {
    double weights[2 * D * D];
    for (int i = 0; i < 2 * D * D; i++) weights[i] = i % 7 / 10.0;
    const pvg_layers_config config = {
        .size = sizeof config, .depth = 2, .mean_weight = 0.5, .residual = 1};
    setting s = {0};
    for (int i = 0; i < N * D; i++) s.xf[i] = (float)(s.x[i] = i % 11 - 5);
    PVGT_OK(pvg_layers_new(&s.layers, &config, weights, D));
    PVGT_OK(pvg_graph_new_cycle(&s.graph, N));
    PVGT_OK(pvg_features_from_dense(&s.features, N, D, s.x));
    pvgt_oom_walk("pvg_propagate_exact", propagate, &s, 7);
    s.entry = 1;
    pvgt_oom_walk("pvg_propagate_features_exact", propagate, &s, 6);
    s.entry = 2;
    pvgt_oom_walk("pvg_propagate_apply_exact", propagate, &s, 3);
    s.entry = 3;
    pvgt_oom_walk("pvg_propagate_apply_float_exact", propagate, &s, 3);
    pvg_layers_free(s.layers);
    pvg_graph_free(s.graph);
    pvg_features_free(s.features);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(propagations_survive_no_memory);
    return pvgt_end(UNITY_END());
}
