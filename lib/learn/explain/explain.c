/* Explanations: one table of ways to explain, and what they share. */
#include "explain.h"

int64_t pvgi_learn_explain_class(const double *z, int64_t classes) {
    if (classes == 1) return z[0] > 0;
    int64_t best = 0;
    for (int64_t j = 1; j < classes; j++)
        if (z[j] > z[best]) best = j;
    return best;
}

/* Ways to explain, by number. */
static const struct {
    int32_t explainer;
    bool single; /* needs the gradients of one model */
    bool loss;   /* of -ln p: needs probabilities */
    bool randomised;
    int32_t (*run)(const pvgi_explain *e, pvgi_run *run);
} ways[] = {
    {PVG_EXPLAINER_GRAD, true, false, false, pvgi_learn_explain_gradients},
    {PVG_EXPLAINER_GRAD_INPUT, true, false, false, pvgi_learn_explain_gradients},
    {PVG_EXPLAINER_GRAD_BALL, true, true, false, pvgi_learn_explain_gradients},
    {PVG_EXPLAINER_GRAD_INPUT_BALL, true, true, false, pvgi_learn_explain_gradients},
    {PVG_EXPLAINER_GRAPH_LIME, false, false, false, pvgi_learn_explain_lime},
    {PVG_EXPLAINER_GNN_EXPLAINER, true, true, true, pvgi_learn_explain_masks},
};

int32_t pvgi_learn_explain(const pvgi_explain *e, const char *function, pvgi_run *run) {
    const pvgi_program *p = &e->model->network->program;
    PVGI_REQUIRE(!p->pools && !p->windows && !p->pairs,
                 "%s: explains nodes of a graph, not graphs, windows or pairs", function);
    PVGI_REQUIRE(e->data->x_values && e->data->width == p->inputs,
                 "%s: the model takes %lld features, the dataset has %lld", function,
                 (long long)p->inputs,
                 (long long)(e->data->x_values ? e->data->width : 0));
    PVGI_REQUIRE(!p->needs_graph || e->data->offsets,
                 "%s: the network looks at neighbours, but the dataset has no graph",
                 function);
    PVGI_REQUIRE(!ways[e->explainer].single || e->model->member_count == 1,
                 "%s: this explainer takes a single model, not one of %lld", function,
                 (long long)e->model->member_count);
    PVGI_REQUIRE(!ways[e->explainer].loss || e->model->config.loss != PVG_LOSS_SQUARES,
                 "%s: this explainer needs probabilities, and the loss was SQUARES",
                 function);
    PVGI_REQUIRE(!ways[e->explainer].randomised || e->rng, "%s: rng is NULL", function);
    return e->count > 0 ? ways[e->explainer].run(e, run) : PVG_OK;
}
