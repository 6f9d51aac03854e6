/* Nodes classified by tallies in one round or two; the classes of the first make the
 * cells of the second. Edges are read by the draws alone. */
#include "learn_internal.h"

#include <math.h>

/* One round: cells, release, posterior. */
static int32_t classify_once(double *out, pvg_release **release, const pvg_graph *graph,
                             const double *prior, const int32_t *labels,
                             const pvg_posterior_config *config, const pvg_target *target,
                             uint64_t object, pvg_rng *rng, pvg_ledger *ledger,
                             const pvg_run *run) {
    const int64_t order = graph->order;
    const pvg_tallies_config cells = {
        .size = sizeof cells, .order = order, .kinds = 2 * config->classes};
    double *priorities = pvgi_alloc((size_t)order, sizeof *priorities);
    int32_t *kinds = pvgi_alloc((size_t)order, sizeof *kinds);
    pvg_statistic *statistic = NULL;
    const double *values;
    int32_t status = priorities && kinds ? PVG_OK : pvgi_fail_nomem();
    if (status == PVG_OK) {
        const pvg_tallies_nodes nodes = {
            .size = sizeof nodes, .priorities = priorities, .kinds = kinds};
        pvgi_learn_cells(priorities, kinds, prior, labels, order, config->classes);
        status = pvg_statistic_new_tallies(&statistic, &cells, target, &nodes);
    }
    if (status == PVG_OK)
        status = pvg_release_draw_statistic(release, statistic, graph, object, rng,
                                            ledger, run);
    if (status == PVG_OK) status = pvg_release_view(&values, *release);
    if (status == PVG_OK)
        status = pvg_tally_posterior(out, statistic, values, prior, labels, config, run);
    pvg_statistic_free(statistic);
    pvgi_free(priorities);
    pvgi_free(kinds);
    return status;
}

/* Before the first of two rounds is paid: is there enough for both? Their epsilons add up
 * to that of the target. Who charges meanwhile may still be in time. */
static int32_t afford(const pvg_target *target, uint64_t object, pvg_ledger *ledger,
                      const char *function) {
    const pvg_guarantee both = {.notion = PVG_NOTION_EDGE,
                                .spent = {.size = sizeof both.spent,
                                          .kind = PVG_CURVE_PURE,
                                          .epsilon = target->epsilon}};
    return ledger ? pvgi_ledger_pay(NULL, function, ledger, &object, 1, &both, true)
                  : PVG_OK;
}

int32_t pvgi_learn_classify(double *out, pvg_release **first, pvg_release **second,
                            const pvg_graph *graph, const double *prior,
                            const int32_t *labels, const pvg_posterior_config *c,
                            double share, const pvg_target *target, uint64_t object,
                            pvg_rng *rng, pvg_ledger *ledger, const pvg_run *run) {
    pvg_target now = *target;
    double *between;
    if (share == 0.0)
        return classify_once(out, first, graph, prior, labels, c, target, object, rng,
                             ledger, run);
    PVGI_TRY(afford(target, object, ledger, "pvg_classify_nodes"));
    between = pvgi_alloc((size_t)graph->order, (size_t)c->classes * sizeof *between);
    if (!between) return pvgi_fail_nomem();
    now.epsilon = share * target->epsilon;
    int32_t status = classify_once(between, first, graph, prior, labels, c, &now, object,
                                   rng, ledger, run);
    now.epsilon = nextafter(target->epsilon - now.epsilon, 0.0);
    if (status == PVG_OK)
        status = classify_once(out, second, graph, between, labels, c, &now, object, rng,
                               ledger, run);
    pvgi_free(between);
    return status;
}
