/* Nodes classified by edge histograms in one round or two; the classes of the first make
 * the cells of the second. Edges are read by the draws alone. */
#include "learn_internal.h"

#include <math.h>

/* Edge histograms in the cells that a prior makes. */
static int32_t make_histogram(pvg_statistic **out, int64_t order, const double *prior,
                              const int32_t *labels, const pvg_posterior_config *config,
                              const pvg_target *target) {
    const pvg_histogram_config cells = {
        .size = sizeof cells, .order = order, .kinds = 2 * config->classes};
    double *priorities = pvgi_alloc((size_t)order, sizeof *priorities);
    int32_t *kinds = pvgi_alloc((size_t)order, sizeof *kinds);
    int32_t status = priorities && kinds ? PVG_OK : pvgi_fail_nomem();
    if (status == PVG_OK) {
        const pvg_histogram_nodes nodes = {
            .size = sizeof nodes, .priorities = priorities, .kinds = kinds};
        pvgi_learn_cells(priorities, kinds, prior, labels, order, config->classes);
        status = pvg_statistic_new_histogram(out, &cells, target, &nodes);
    }
    pvgi_free(priorities);
    pvgi_free(kinds);
    return status;
}

/* One round: cells, release, posterior. */
static int32_t classify_once(double *out, pvg_release **release, const pvg_graph *graph,
                             const double *prior, const int32_t *labels,
                             const pvg_posterior_config *config, const pvg_target *target,
                             uint64_t object, pvg_rng *rng, pvg_ledger *ledger,
                             const pvg_run *run) {
    pvg_statistic *statistic = NULL;
    const double *values;
    int32_t status =
        make_histogram(&statistic, graph->order, prior, labels, config, target);
    if (status == PVG_OK)
        status = pvg_release_draw_statistic(release, statistic, graph, object, rng,
                                            ledger, run);
    if (status == PVG_OK) status = pvg_release_view(&values, *release);
    if (status == PVG_OK)
        status = pvgi_learn_read_classes(out, "pvg_classify_nodes", statistic, values,
                                         prior, labels, config, run);
    pvg_statistic_free(statistic);
    return status;
}

/* Before the first of two rounds is drawn: can the second be? Its law follows from the
 * order, the classes and the target, whatever its cells will be. */
static int32_t try_second(int64_t order, const double *prior, const int32_t *labels,
                          const pvg_posterior_config *config, const pvg_target *target) {
    pvg_statistic *trial = NULL;
    const int32_t status = make_histogram(&trial, order, prior, labels, config, target);
    pvg_statistic_free(trial);
    if (status != PVG_OK) pvgi_message_prefix("pvg_classify_nodes: second round");
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
    pvg_target later = *target;
    now.epsilon = share * target->epsilon;
    later.epsilon = nextafter(target->epsilon - now.epsilon, 0.0);
    PVGI_TRY(try_second(graph->order, prior, labels, c, &later));
    PVGI_TRY(afford(target, object, ledger, "pvg_classify_nodes"));
    between = pvgi_alloc((size_t)graph->order, (size_t)c->classes * sizeof *between);
    if (!between) return pvgi_fail_nomem();
    int32_t status = classify_once(between, first, graph, prior, labels, c, &now, object,
                                   rng, ledger, run);
    if (status == PVG_OK)
        status = classify_once(out, second, graph, between, labels, c, &later, object,
                               rng, ledger, run);
    pvgi_free(between);
    return status;
}
