/* perturb, structure, under allocation failure. */
#include "support.h"

void setUp(void) {}
void tearDown(void) {}

static const pvg_target target = {.size = sizeof target, .epsilon = 1.0};

typedef int32_t (*make_fn)(pvg_perturber **out);

static int32_t make_response(pvg_perturber **out) {
    return pvg_perturber_new_response(out, NULL, &target);
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
    status = pvg_release_draw_graph(&release, perturber, c->graph, 0, c->rng, NULL, NULL);
    if (status != PVG_OK) TEST_ASSERT_NULL(release);
    pvg_release_free(release);
    pvg_perturber_free(perturber);
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
    pvg_rng_free(c.rng);
    pvg_graph_free(graph);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(draws_survive);
    return pvgt_end(UNITY_END());
}
