/* perturb, structure, under allocation failure. */
#include "handles.h"
#include "support.h"

void setUp(void) {}
void tearDown(void) {}

static const pvg_target target = {.size = sizeof target, .epsilon = 1.0};

typedef int32_t (*make_fn)(pvg_perturber **out);

static int32_t make_response(pvg_perturber **out) {
    return pvgt_perturber_new_response(out, NULL, &target);
}

static int32_t make_lapgraph(pvg_perturber **out) {
    return pvgt_perturber_new_lapgraph(out, NULL, &target);
}

/* Makes the perturber and draws once; the graph is made before. */
typedef struct {
    make_fn make;
    const pvg_graph *graph;
    pvg_rng *rng;
} draw_context;

static int32_t draw_body(void *context) {
    const draw_context *c = context;
    pvg_perturber *perturber = context;
    pvg_release *release = context;
    int32_t status = c->make(&perturber);
    if (status != PVG_OK) {
        TEST_ASSERT_NULL(perturber);
        return status;
    }
    status =
        pvgt_release_draw_graph(&release, perturber, c->graph, 0, c->rng, NULL, NULL);
    if (status != PVG_OK) TEST_ASSERT_NULL(release);
    pvg_release_free(release);
    pvgt_perturber_free(perturber);
    return status;
}

static void draws_survive(void) {
    draw_context c = {.make = make_response};
    pvg_graph *graph;
    /* two chunks */
    PVGT_OK(pvg_graph_new_path(&graph, 150));
    c.graph = graph;
    PVGT_OK(pvg_rng_new_secure(&c.rng));
    pvgt_oom_walk("response", draw_body, &c, 8);
    c.make = make_lapgraph;
    pvgt_oom_walk("lapgraph", draw_body, &c, 8);
    pvg_rng_free(c.rng);
    pvg_graph_free(graph);
}

static int32_t estimate_body(void *context) {
    const draw_context *c = context;
    double value, variance;
    pvg_perturber *perturber;
    int32_t status = make_response(&perturber);
    if (status != PVG_OK) return status;
    status =
        pvgt_perturber_estimate_triangles(&value, &variance, perturber, c->graph, NULL);
    pvgt_perturber_free(perturber);
    return status;
}

static void estimates_survive(void) {
    draw_context c = {.make = make_response};
    pvg_graph *graph;
    PVGT_OK(pvg_graph_new_clique(&graph, 5));
    c.graph = graph;
    pvgt_oom_walk("estimate", estimate_body, &c, 6);
    pvg_graph_free(graph);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(draws_survive);
    RUN_TEST(estimates_survive);
    return pvgt_end(UNITY_END());
}
