/* Front desk of learn: every exported function of privgraph/learn.h. */
#include "learn_internal.h"

#include <math.h>
#include <string.h>

static int32_t check_finite(const char *name, const char *what, const double *values,
                            int64_t count) {
    for (int64_t i = 0; i < count; i++)
        PVGI_REQUIRE(isfinite(values[i]), "%s: %s[%lld] is not finite", name, what,
                     (long long)i);
    return PVG_OK;
}

int32_t pvg_directions_project(double *out, const pvg_features *features, int64_t columns,
                               const pvg_run *run) {
    PVGI_BORDER;
    const char *name = "pvg_directions_project";
    pvgi_run running;
    if (!out) return pvgi_fail_null(name, "out");
    if (!features) return pvgi_fail_null(name, "features");
    PVGI_REQUIRE(columns >= 1 && columns <= features->columns &&
                     columns <= features->rows,
                 "%s: columns is not in [1, least of the size of the features]", name);
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_learn_directions(out, features, columns, &running);
}

/* --- logistic regression ----------------------------------------------------------- */

/* Labels in [-1, classes), not all -1. */
static int32_t check_labels(const char *name, const char *what, const int32_t *labels,
                            int64_t count, int64_t classes) {
    bool any = false;
    for (int64_t i = 0; i < count; i++) {
        PVGI_REQUIRE(labels[i] >= -1 && labels[i] < classes,
                     "%s: %s[%lld] is not in [-1, %lld)", name, what, (long long)i,
                     (long long)classes);
        any = any || labels[i] >= 0;
    }
    PVGI_REQUIRE(any, "%s: %s are all -1", name, what);
    return PVG_OK;
}

int32_t pvg_logistic_fit(pvg_logistic **out, const pvg_logistic_config *config,
                         const double *x, const int32_t *labels, int64_t rows,
                         int64_t columns, const pvg_run *run) {
    PVGI_BORDER;
    const char *name = "pvg_logistic_fit";
    pvg_logistic_config c;
    pvgi_run running;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!config) return pvgi_fail_null(name, "config");
    if (!x) return pvgi_fail_null(name, "x");
    if (!labels) return pvgi_fail_null(name, "labels");
    PVGI_TRY(pvgi_config_import(&c, sizeof c, config, "pvg_logistic_config"));
    PVGI_REQUIRE(c.classes >= 2 && c.classes <= 1 << 20,
                 "%s: config->classes is not in [2, 2^20]", name);
    PVGI_REQUIRE(c.rounds >= 0, "%s: config->rounds is negative", name);
    PVGI_REQUIRE(isfinite(c.penalty) && c.penalty >= 0.0 && isfinite(c.tolerance) &&
                     c.tolerance >= 0.0,
                 "%s: config->penalty or config->tolerance is not a number of at least 0",
                 name);
    PVGI_REQUIRE(columns >= 1 && columns <= 1 << 20, "%s: columns is not in [1, 2^20]",
                 name);
    PVGI_REQUIRE(rows >= 1 && rows <= INT64_MAX / 64 / (columns + 1),
                 "%s: rows is not in range", name);
    PVGI_TRY(check_labels(name, "labels", labels, rows, c.classes));
    PVGI_TRY(check_finite(name, "x", x, rows * columns));
    if (c.rounds == 0) c.rounds = 500;
    if (c.penalty == 0.0) c.penalty = 1.0;
    if (c.tolerance == 0.0) c.tolerance = 1e-5;
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_learn_logistic_fit(out, &c, x, labels, rows, columns, &running);
}

void pvg_logistic_free(pvg_logistic *logistic) {
    pvgi_learn_logistic_free(logistic);
}

int64_t pvg_logistic_columns(const pvg_logistic *logistic) {
    return logistic ? logistic->columns : 0;
}

int64_t pvg_logistic_classes(const pvg_logistic *logistic) {
    return logistic ? logistic->classes : 0;
}

int32_t pvg_logistic_copy_weights(double *out, const pvg_logistic *logistic) {
    PVGI_BORDER;
    const char *name = "pvg_logistic_copy_weights";
    if (!out) return pvgi_fail_null(name, "out");
    if (!logistic) return pvgi_fail_null(name, "logistic");
    memcpy(out, logistic->weights,
           (size_t)((logistic->columns + 1) * logistic->classes) * sizeof *out);
    return PVG_OK;
}

int32_t pvg_logistic_predict(double *out, const pvg_logistic *logistic, const double *x,
                             int64_t rows, const pvg_run *run) {
    PVGI_BORDER;
    const char *name = "pvg_logistic_predict";
    pvgi_run running;
    if (!out) return pvgi_fail_null(name, "out");
    if (!logistic) return pvgi_fail_null(name, "logistic");
    if (!x) return pvgi_fail_null(name, "x");
    PVGI_REQUIRE(rows >= 0 &&
                     rows <= INT64_MAX / 64 / (logistic->columns + 1) / logistic->classes,
                 "%s: rows is not in range", name);
    PVGI_TRY(check_finite(name, "x", x, rows * logistic->columns));
    PVGI_TRY(pvgi_run_begin(&running, run));
    double *own = pvgi_alloc((size_t)rows, (size_t)logistic->classes * sizeof *own);
    if (!own) return pvgi_fail_nomem();
    const int32_t status = pvgi_learn_logistic_predict(own, logistic, x, rows, &running);
    if (status == PVG_OK)
        memcpy(out, own, (size_t)(rows * logistic->classes) * sizeof *out);
    pvgi_free(own);
    return status;
}

/* --- tallies ----------------------------------------------------------------------- */

/* Rows of numbers >= 0 with a positive sum: they need not add up to 1. */
static int32_t check_prior(const char *name, const double *prior, int64_t order,
                           int64_t classes) {
    for (int64_t v = 0; v < order; v++) {
        double sum = 0.0;
        for (int64_t c = 0; c < classes; c++) {
            const double p = prior[v * classes + c];
            PVGI_REQUIRE(p >= 0.0 && p <= 1.0, "%s: prior[%lld] is not in [0, 1]", name,
                         (long long)(v * classes + c));
            sum += p;
        }
        PVGI_REQUIRE(sum > 0.0, "%s: row %lld of prior is 0", name, (long long)v);
    }
    return PVG_OK;
}

static int32_t check_sizes(const char *name, int64_t order, int64_t classes) {
    PVGI_REQUIRE(order >= 1 && order <= INT32_MAX, "%s: order is not in [1, 2^31)", name);
    PVGI_REQUIRE(classes >= 2 && classes <= 4096, "%s: classes is not in [2, 4096]",
                 name);
    return PVG_OK;
}

int32_t pvg_tally_cells(double *priorities, int32_t *kinds, const double *prior,
                        const int32_t *labels, int64_t order, int64_t classes) {
    PVGI_BORDER;
    const char *name = "pvg_tally_cells";
    if (!priorities) return pvgi_fail_null(name, "priorities");
    if (!kinds) return pvgi_fail_null(name, "kinds");
    if (!prior) return pvgi_fail_null(name, "prior");
    if (!labels) return pvgi_fail_null(name, "labels");
    PVGI_TRY(check_sizes(name, order, classes));
    PVGI_TRY(check_labels(name, "labels", labels, order, classes));
    PVGI_TRY(check_prior(name, prior, order, classes));
    pvgi_learn_cells(priorities, kinds, prior, labels, order, classes);
    return PVG_OK;
}

/* Own copy of the settings, everything checked. */
static int32_t import_posterior(pvg_posterior_config *c, const char *name,
                                const pvg_posterior_config *config, const double *prior,
                                const int32_t *labels, int64_t order) {
    if (!config) return pvgi_fail_null(name, "config");
    PVGI_TRY(pvgi_config_import(c, sizeof *c, config, "pvg_posterior_config"));
    PVGI_TRY(check_sizes(name, order, c->classes));
    PVGI_REQUIRE(c->rounds >= -1, "%s: config->rounds is below -1", name);
    PVGI_REQUIRE(c->strength >= 0.0 && c->strength <= 1.0,
                 "%s: config->strength is not in [0, 1]", name);
    PVGI_TRY(check_labels(name, "labels", labels, order, c->classes));
    PVGI_TRY(check_prior(name, prior, order, c->classes));
    for (int64_t v = 0; c->checks && v < order; v++)
        PVGI_REQUIRE(c->checks[v] >= -1 && c->checks[v] < c->classes,
                     "%s: config->checks[%lld] is not in [-1, %lld)", name, (long long)v,
                     (long long)c->classes);
    for (int64_t i = 0; c->transition && i < c->classes * c->classes; i++)
        PVGI_REQUIRE(c->transition[i] >= 0.0 && c->transition[i] <= 1.0,
                     "%s: config->transition[%lld] is not in [0, 1]", name, (long long)i);
    return PVG_OK;
}

int32_t pvg_tally_posterior(double *out, const pvg_statistic *tallies,
                            const double *values, const double *prior,
                            const int32_t *labels, const pvg_posterior_config *config,
                            const pvg_run *run) {
    PVGI_BORDER;
    const char *name = "pvg_tally_posterior";
    pvg_posterior_config c;
    pvgi_run running;
    if (!out) return pvgi_fail_null(name, "out");
    if (!tallies) return pvgi_fail_null(name, "tallies");
    if (!values) return pvgi_fail_null(name, "values");
    if (!prior) return pvgi_fail_null(name, "prior");
    if (!labels) return pvgi_fail_null(name, "labels");
    PVGI_TRY(import_posterior(&c, name, config, prior, labels, tallies->order));
    const pvgi_joint *law = pvgi_statistic_tallies_law(tallies);
    PVGI_REQUIRE(law && tallies->rows == tallies->order &&
                     tallies->columns == 2 * c.classes && law->grid == 0,
                 "%s: tallies are not those of nodes by 2 x classes kinds", name);
    PVGI_TRY(check_finite(name, "values", values, tallies->rows * tallies->columns));
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_learn_posterior(out, law, values, prior, labels, tallies->order, &c,
                                &running);
}

/* One round: cells, release, posterior. room: order priorities, then order kinds. */
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

static int32_t classify(double *out, pvg_release **first, pvg_release **second,
                        const pvg_graph *graph, const double *prior,
                        const int32_t *labels, const pvg_posterior_config *c,
                        double share, const pvg_target *target, uint64_t object,
                        pvg_rng *rng, pvg_ledger *ledger, const pvg_run *run) {
    pvg_target now = *target;
    double *between;
    if (share == 0.0)
        return classify_once(out, first, graph, prior, labels, c, target, object, rng,
                             ledger, run);
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

int32_t pvg_classify_nodes(double *out, pvg_release **first, pvg_release **second,
                           const pvg_graph *graph, const double *prior,
                           const int32_t *labels, const pvg_posterior_config *config,
                           double first_share, const pvg_target *target, uint64_t object,
                           pvg_rng *rng, pvg_ledger *ledger, const pvg_run *run) {
    PVGI_BORDER;
    const char *name = "pvg_classify_nodes";
    pvg_posterior_config c;
    pvg_target t;
    if (!out) return pvgi_fail_null(name, "out");
    if (!first) return pvgi_fail_null(name, "first");
    *first = NULL;
    if (second) *second = NULL;
    if (!graph) return pvgi_fail_null(name, "graph");
    if (!prior) return pvgi_fail_null(name, "prior");
    if (!labels) return pvgi_fail_null(name, "labels");
    if (!pvg_graph_order_told(graph))
        return pvgi_fail(PVG_E_PRIVACY,
                         "%s: the number of nodes was read off the private edges", name);
    PVGI_TRY(import_posterior(&c, name, config, prior, labels, graph->order));
    if (!target) return pvgi_fail_null(name, "target");
    PVGI_TRY(pvgi_config_import(&t, sizeof t, target, "pvg_target"));
    t.size = sizeof t;
    PVGI_REQUIRE(first_share >= 0.0 && first_share < 1.0,
                 "%s: first_share is not in [0, 1)", name);
    PVGI_REQUIRE(first_share == 0.0 || (second && t.epsilon > 0.0 && t.delta == 0.0),
                 "%s: two rounds need a second release, and a target of epsilon alone",
                 name);
    const int32_t status = classify(out, first, second, graph, prior, labels, &c,
                                    first_share, &t, object, rng, ledger, run);
    if (status != PVG_OK) {
        pvg_release_free(*first);
        *first = NULL;
        if (second) {
            pvg_release_free(*second);
            *second = NULL;
        }
    }
    return status;
}
