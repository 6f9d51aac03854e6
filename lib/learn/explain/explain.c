/* Explanations: one table of ways to explain, and what they share. */
#include "explain.h"

#include <string.h>

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

/* A call that reports progress can be cancelled, and its outputs are untouched then. */
static int32_t explain_aside(const pvgi_explain *e, pvgi_run *run) {
    double *const to[3] = {e->out, e->arcs, e->agreement};
    const size_t rows = (size_t)e->count;
    const size_t columns[3] = {(size_t)e->model->network->program.inputs,
                               (size_t)pvg_dataset_arcs_exact(e->data), 1};
    double *own[3] = {NULL, NULL, NULL};
    pvgi_explain aside = *e;
    int32_t status = PVG_OK;
    for (int i = 0; i < 3 && status == PVG_OK; i++) {
        if (!to[i]) continue;
        const size_t bytes = pvgi_size_mul(columns[i], sizeof *own[i]);
        status = pvgi_run_reserve(run, pvgi_size_mul(rows, bytes));
        if (status == PVG_OK && !(own[i] = pvgi_alloc(rows, bytes)))
            status = pvgi_fail_nomem();
    }
    aside.out = own[0];
    aside.arcs = own[1];
    aside.agreement = own[2];
    if (status == PVG_OK) status = ways[e->explainer].run(&aside, run);
    for (int i = 0; i < 3; i++) {
        if (status == PVG_OK && own[i])
            memcpy(to[i], own[i], rows * columns[i] * sizeof *own[i]);
        pvgi_free(own[i]);
    }
    return status;
}

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
    if (e->count == 0) return PVG_OK;
    return run->config.progress ? explain_aside(e, run) : ways[e->explainer].run(e, run);
}
