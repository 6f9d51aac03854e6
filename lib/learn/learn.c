/* Front desk of learn: every exported function of privgraph/learn.h. */
#include "learn/explain/explain.h"

#include <math.h>
#include <stdio.h>
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

static const pvgi_rule logistic_rules[] = {
    PVGI_FIELD(pvg_logistic_config, classes, 2, 1 << 20, PVGI_CLOSED, "in [2, 2^20]"),
    PVGI_COUNT(pvg_logistic_config, rounds),
    PVGI_COUNT(pvg_logistic_config, penalty),
    PVGI_COUNT(pvg_logistic_config, tolerance),
};
static const pvgi_shape logistic_shape = PVGI_SHAPE(pvg_logistic_config, logistic_rules);
static const pvgi_rule posterior_rules[] = {
    PVGI_FIELD(pvg_posterior_config, rounds, -1, 0x1p62, PVGI_CLOSED, "at least -1"),
    PVGI_FIELD(pvg_posterior_config, strength, 0, 1, PVGI_CLOSED, "in [0, 1]"),
};
static const pvgi_shape posterior_shape =
    PVGI_SHAPE(pvg_posterior_config, posterior_rules);

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
    PVGI_TRY(pvgi_config_read(&c, &logistic_shape, config, name, "config"));
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
    PVGI_TRY(pvgi_config_read(c, &posterior_shape, config, name, "config"));
    PVGI_TRY(check_sizes(name, order, c->classes));
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
    return classify(out, first, second, graph, prior, labels, &c, first_share, &t, object,
                    rng, ledger, run);
}

int32_t pvg_tally_mix(double *out, const pvg_statistic *tallies, const double *values,
                      const double *prior, const int32_t *labels,
                      const pvg_posterior_config *config, int64_t averages, pvg_rng *rng,
                      const pvg_run *run) {
    PVGI_BORDER;
    const char *name = "pvg_tally_mix";
    pvg_posterior_config c;
    pvgi_run running;
    if (!out) return pvgi_fail_null(name, "out");
    if (!tallies) return pvgi_fail_null(name, "tallies");
    if (!values) return pvgi_fail_null(name, "values");
    if (!prior) return pvgi_fail_null(name, "prior");
    if (!labels) return pvgi_fail_null(name, "labels");
    PVGI_TRY(import_posterior(&c, name, config, prior, labels, tallies->order));
    if (!rng) return pvgi_fail_null(name, "rng");
    PVGI_REQUIRE(c.checks, "%s: config->checks is NULL", name);
    PVGI_REQUIRE(averages >= 0 && averages <= 1000, "%s: averages is not in [0, 1000]",
                 name);
    PVGI_REQUIRE(c.classes <= PVG_NETWORK_CLASSES_MAX, "%s: config->classes is above %d",
                 name, (int)PVG_NETWORK_CLASSES_MAX);
    const pvgi_joint *law = pvgi_statistic_tallies_law(tallies);
    PVGI_REQUIRE(law && tallies->rows == tallies->order &&
                     tallies->columns == 2 * c.classes && law->grid == 0,
                 "%s: tallies are not those of nodes by 2 x classes kinds", name);
    PVGI_TRY(check_finite(name, "values", values, tallies->rows * tallies->columns));
    for (int64_t i = 0; i < tallies->order * c.classes; i++)
        PVGI_REQUIRE(prior[i] > 0.0, "%s: prior[%lld] is 0", name, (long long)i);
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_learn_mix(out, law, values, prior, labels, tallies->order, &c,
                          averages == 0 ? 3 : averages, rng, &running);
}

/* --- recipes ----------------------------------------------------------------------- */

/* Own copy of the settings, defaults filled in, everything checked. */
static int32_t import_recipe(pvg_recipe_config *c, const char *name,
                             const pvg_recipe_config *config,
                             const pvg_features *features, const int32_t *labels,
                             int64_t order, int64_t averages) {
    if (!config) return pvgi_fail_null(name, "config");
    if (!labels) return pvgi_fail_null(name, "labels");
    PVGI_TRY(pvgi_config_import(c, sizeof *c, config, "pvg_recipe_config"));
    PVGI_TRY(check_sizes(name, order, c->classes));
    PVGI_REQUIRE(c->classes <= PVG_NETWORK_CLASSES_MAX, "%s: config->classes is above %d",
                 name, (int)PVG_NETWORK_CLASSES_MAX);
    PVGI_REQUIRE(c->recipe >= PVG_RECIPE_TALLIES && c->recipe <= PVG_RECIPE_FEATURES,
                 "%s: config->recipe is no PVG_RECIPE_*", name);
    PVGI_REQUIRE(c->hidden >= 0 && c->hidden <= PVG_NETWORK_WIDTH_MAX,
                 "%s: config->hidden is not in [0, %d]", name,
                 (int)PVG_NETWORK_WIDTH_MAX);
    PVGI_REQUIRE(c->directions >= -1 && c->directions <= PVG_NETWORK_WIDTH_MAX,
                 "%s: config->directions is not in [-1, %d]", name,
                 (int)PVG_NETWORK_WIDTH_MAX);
    PVGI_REQUIRE(c->averages >= 0 && c->averages <= 1000,
                 "%s: config->averages is not in [0, 1000]", name);
    PVGI_REQUIRE(c->hops >= 0 && c->hops <= 16, "%s: config->hops is not in [0, 16]",
                 name);
    PVGI_REQUIRE(!features || features->rows == order,
                 "%s: features have %lld rows for %lld nodes", name,
                 (long long)(features ? features->rows : 0), (long long)order);
    PVGI_TRY(check_labels(name, "labels", labels, order, c->classes));
    if (c->prior) PVGI_TRY(check_prior(name, c->prior, order, c->classes));
    for (int64_t v = 0; c->checks && v < order; v++)
        PVGI_REQUIRE(c->checks[v] >= -1 && c->checks[v] < c->classes,
                     "%s: config->checks[%lld] is not in [-1, %lld)", name, (long long)v,
                     (long long)c->classes);
    if (c->hidden == 0) c->hidden = 64;
    if (c->averages == 0) c->averages = averages;
    if (c->hops == 0) c->hops = 1;
    return PVG_OK;
}

int32_t pvg_recipe_encode(double *out, const pvg_features *features,
                          const int32_t *labels, int64_t order,
                          const pvg_recipe_config *config, pvg_rng *rng,
                          const pvg_run *run) {
    PVGI_BORDER;
    const char *name = "pvg_recipe_encode";
    pvg_recipe_config c;
    pvgi_run running;
    if (!out) return pvgi_fail_null(name, "out");
    PVGI_TRY(import_recipe(&c, name, config, features, labels, order, 3));
    if (!rng) return pvgi_fail_null(name, "rng");
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_learn_encode(out, features, labels, order, &c, rng, &running);
}

int32_t pvg_recipe_learn(double *out, double *prior, pvg_release **release,
                         const pvg_graph *graph, const pvg_features *features,
                         const int32_t *labels, const pvg_recipe_config *config,
                         const pvg_target *target, uint64_t object, pvg_rng *rng,
                         pvg_ledger *ledger, const pvg_run *run) {
    PVGI_BORDER;
    const char *name = "pvg_recipe_learn";
    pvg_recipe_config c;
    pvg_target t;
    pvgi_run running;
    if (!out) return pvgi_fail_null(name, "out");
    if (!release) return pvgi_fail_null(name, "release");
    *release = NULL;
    if (!graph) return pvgi_fail_null(name, "graph");
    if (!pvg_graph_order_told(graph))
        return pvgi_fail(PVG_E_PRIVACY,
                         "%s: the number of nodes was read off the private edges", name);
    PVGI_TRY(import_recipe(&c, name, config, features, labels, graph->order, 3));
    if (!target) return pvgi_fail_null(name, "target");
    if (!rng) return pvgi_fail_null(name, "rng");
    PVGI_TRY(pvgi_config_import(&t, sizeof t, target, "pvg_target"));
    t.size = sizeof t;
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_learn_recipe(out, prior, release, graph, features, labels, &c, &t, object,
                             rng, ledger, &running);
}

int32_t pvg_recipe_learn_exact(double *out, const pvg_graph *graph,
                               const pvg_features *features, const int32_t *labels,
                               const pvg_recipe_config *config, pvg_rng *rng,
                               const pvg_run *run) {
    PVGI_BORDER;
    const char *name = "pvg_recipe_learn_exact";
    pvg_recipe_config c;
    pvgi_run running;
    if (!out) return pvgi_fail_null(name, "out");
    if (!graph) return pvgi_fail_null(name, "graph");
    PVGI_TRY(import_recipe(&c, name, config, features, labels, graph->order, 3));
    if (!rng) return pvgi_fail_null(name, "rng");
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_learn_recipe(out, NULL, NULL, graph, features, labels, &c, NULL, 0, rng,
                             NULL, &running);
}

/* Columns whose noise is larger than their public range, for graphs of every order that
 * the record tells: they become 0. */
static void silence(double *x, int64_t rows, int64_t columns, const pvgi_columns *told) {
    if (!told || told->tables == 0 || told->columns != columns) return;
    for (int64_t k = 0, at = 0; k < told->kinds; at += told->kind[k++].count) {
        bool loud = true;
        for (int64_t i = 0; i < told->tables && loud; i++) {
            const pvgi_measure *m =
                told->table[i].measure ? &told->table[i].measure[k] : NULL;
            loud = m && m->scale > m->high - m->low; /* not if any is not told */
        }
        for (int64_t v = 0; loud && v < rows; v++)
            for (int64_t j = at; j < at + told->kind[k].count; j++)
                x[v * columns + j] = 0.0;
    }
}

int32_t pvg_recipe_rows(double *out, const pvg_release *release, const int32_t *labels,
                        const pvg_recipe_config *config, pvg_rng *rng,
                        const pvg_run *run) {
    PVGI_BORDER;
    const char *name = "pvg_recipe_rows";
    pvg_recipe_config c;
    pvg_training_config training = {0};
    pvgi_run running;
    const double *values;
    char text[80];
    if (!out) return pvgi_fail_null(name, "out");
    if (!release) return pvgi_fail_null(name, "release");
    PVGI_TRY(pvg_release_view(&values, release));
    const int64_t rows = pvg_release_rows(release),
                  columns = pvg_release_columns(release);
    PVGI_TRY(import_recipe(&c, name, config, NULL, labels, rows, 10));
    if (!rng) return pvgi_fail_null(name, "rng");
    PVGI_REQUIRE(columns >= 1, "%s: the release has no columns", name);
    PVGI_TRY(pvgi_run_begin(&running, run));
    double *x = pvgi_alloc((size_t)rows, (size_t)columns * sizeof *x);
    if (!x) return pvgi_fail_nomem();
    memcpy(x, values, (size_t)(rows * columns) * sizeof *x);
    silence(x, rows, columns, release->guarantee.told);
    pvgi_learn_standardise(x, rows, columns);
    snprintf(text, sizeof text, "dense %lld relu drop .3 | dense classes",
             (long long)c.hidden);
    training.averages = c.averages;
    const int32_t status =
        pvgi_learn_network_rows(out, text, x, rows, columns, labels, c.checks, c.classes,
                                &training, rng, &running);
    pvgi_free(x);
    return status;
}

int32_t pvg_recipe_users(double *out, double *without, pvg_release **lists,
                         pvg_release **reports, pvg_release **answers,
                         const pvg_graph *graph, const pvg_features *features,
                         const pvg_labels *labels, const pvg_users_config *config,
                         uint64_t object, pvg_rng *rng, pvg_ledger *list_ledger,
                         pvg_ledger *feature_ledger, pvg_ledger *label_ledger,
                         const pvg_run *run) {
    PVGI_BORDER;
    const char *name = "pvg_recipe_users";
    pvg_ledger *const ledgers[3] = {list_ledger, feature_ledger, label_ledger};
    pvg_users_config c;
    pvgi_run running;
    pvg_release *drawn[3] = {NULL, NULL, NULL};
    if (!out) return pvgi_fail_null(name, "out");
    if (!lists) return pvgi_fail_null(name, "lists");
    *lists = NULL;
    if (!reports) return pvgi_fail_null(name, "reports");
    *reports = NULL;
    if (!answers) return pvgi_fail_null(name, "answers");
    *answers = NULL;
    if (!graph) return pvgi_fail_null(name, "graph");
    if (!labels) return pvgi_fail_null(name, "labels");
    if (!config) return pvgi_fail_null(name, "config");
    if (!rng) return pvgi_fail_null(name, "rng");
    PVGI_TRY(pvgi_config_import(&c, sizeof c, config, "pvg_users_config"));
    PVGI_TRY(check_sizes(name, graph->order, c.classes));
    PVGI_REQUIRE(c.classes <= PVG_NETWORK_CLASSES_MAX, "%s: config->classes is above %d",
                 name, (int)PVG_NETWORK_CLASSES_MAX);
    PVGI_REQUIRE(c.reserved == 0 && c.reserved2 == 0, "%s: config->reserved is not 0",
                 name);
    PVGI_REQUIRE(labels->count == graph->order, "%s: %lld labels for %lld nodes", name,
                 (long long)labels->count, (long long)graph->order);
    PVGI_REQUIRE(!features || features->rows == graph->order,
                 "%s: features have %lld rows for %lld nodes", name,
                 (long long)(features ? features->rows : 0), (long long)graph->order);
    PVGI_REQUIRE(c.rounds >= 0 && c.rounds <= 64, "%s: config->rounds is not in [0, 64]",
                 name);
    PVGI_REQUIRE(c.target_rounds >= 0 && c.target_rounds <= 64,
                 "%s: config->target_rounds is not in [0, 64]", name);
    PVGI_REQUIRE(c.averages >= 0 && c.averages <= 1000,
                 "%s: config->averages is not in [0, 1000]", name);
    PVGI_REQUIRE(c.list_epsilon >= 0.0 && c.feature_epsilon >= 0.0 &&
                     c.label_epsilon >= 0.0 && isfinite(c.list_epsilon) &&
                     isfinite(c.feature_epsilon) && isfinite(c.label_epsilon),
                 "%s: an epsilon of config is not a number of at least 0", name);
    PVGI_REQUIRE(isfinite(c.low) && isfinite(c.high) &&
                     (c.low < c.high || (c.low == 0.0 && c.high == 0.0)),
                 "%s: config->low is not below config->high", name);
    PVGI_REQUIRE(c.parts, "%s: config->parts is NULL", name);
    for (int64_t v = 0; v < graph->order; v++)
        PVGI_REQUIRE(c.parts[v] >= PVG_PART_NONE && c.parts[v] <= PVG_PART_TEST,
                     "%s: config->parts[%lld] is no PVG_PART_*", name, (long long)v);
    /* what a draw would refuse after another one was paid */
    if (!pvg_graph_order_told(graph))
        return pvgi_fail(PVG_E_PRIVACY,
                         "%s: the number of nodes was read off the private edges", name);
    if (features && c.feature_epsilon > 0.0 && features->columns_from_data)
        return pvgi_fail(PVG_E_PRIVACY,
                         "%s: the number of columns was read off the private features",
                         name);
    if (c.rounds == 0) c.rounds = 16;
    PVGI_TRY(pvgi_run_begin(&running, run));
    const int32_t status = pvgi_learn_users(out, without, drawn, graph, features, labels,
                                            &c, object, rng, ledgers, &running);
    *lists = drawn[0]; /* paid for, whatever failed afterwards */
    *reports = drawn[1];
    *answers = drawn[2];
    return status;
}

/* --- explanations ------------------------------------------------------------------ */

static const pvgi_rule explain_rules[] = {
    PVGI_BOOL(pvg_explain_config, published),
    PVGI_FIELD(pvg_explain_config, hops, 0, 1 << 20, PVGI_CLOSED, "in [0, 2^20]"),
    PVGI_FIELD(pvg_explain_config, largest, 0, 1 << 14, PVGI_CLOSED, "in [0, 2^14]"),
    PVGI_FIELD(pvg_explain_config, steps, 0, 1 << 20, PVGI_CLOSED, "in [0, 2^20]"),
    PVGI_COUNT(pvg_explain_config, rate),
    PVGI_COUNT(pvg_explain_config, penalty),
};
static const pvgi_shape explain_shape = PVGI_SHAPE(pvg_explain_config, explain_rules);

/* Config, nodes and run of an explanation whose other parts are set. */
static int32_t explain(pvgi_explain *e, const char *name,
                       const pvg_explain_config *config, const pvg_run *run) {
    pvgi_run running;
    if (!e->model) return pvgi_fail_null(name, "model");
    if (!e->data) return pvgi_fail_null(name, "dataset");
    PVGI_TRY(pvgi_config_read(&e->config, &explain_shape, config, name, "config"));
    PVGI_REQUIRE(e->count >= 0 && e->count <= INT32_MAX, "%s: count is %lld", name,
                 (long long)e->count);
    PVGI_REQUIRE(e->nodes || e->count == e->data->order,
                 "%s: count is %lld, not the number of nodes, and nodes is NULL", name,
                 (long long)e->count);
    for (int64_t i = 0; e->nodes && i < e->count; i++)
        PVGI_REQUIRE(e->nodes[i] >= 0 && e->nodes[i] < e->data->order,
                     "%s: nodes[%lld] is %lld, not a node", name, (long long)i,
                     (long long)e->nodes[i]);
    pvg_explain_config *c = &e->config;
    if (c->hops == 0) c->hops = 2;
    if (c->largest == 0) c->largest = 200;
    if (c->largest > e->data->order) c->largest = e->data->order;
    if (c->steps == 0) c->steps = 100;
    if (c->rate == 0.0) c->rate = .01;
    if (c->penalty == 0.0) c->penalty = .1;
    PVGI_TRY(pvgi_run_begin(&running, run));
    if (!running.config.progress) return pvgi_learn_explain(e, name, &running);
    /* it can be cancelled, and outputs are untouched then */
    double *const to[3] = {e->out, e->arcs, e->agreement};
    const size_t rows = (size_t)e->count;
    const size_t columns[3] = {(size_t)e->model->network->program.inputs,
                               (size_t)pvg_dataset_arcs(e->data), 1};
    double *own[3] = {NULL, NULL, NULL};
    int32_t status = PVG_OK;
    for (int i = 0; i < 3 && status == PVG_OK; i++) {
        if (!to[i]) continue;
        const size_t bytes = pvgi_size_mul(columns[i], sizeof *own[i]);
        status = pvgi_run_reserve(&running, pvgi_size_mul(rows, bytes));
        if (status == PVG_OK && !(own[i] = pvgi_alloc(rows, bytes)))
            status = pvgi_fail_nomem();
    }
    e->out = own[0];
    e->arcs = own[1];
    e->agreement = own[2];
    if (status == PVG_OK) status = pvgi_learn_explain(e, name, &running);
    for (int i = 0; i < 3; i++) {
        if (status == PVG_OK && own[i])
            memcpy(to[i], own[i], rows * columns[i] * sizeof *own[i]);
        pvgi_free(own[i]);
    }
    return status;
}

int32_t pvg_explain_exact(double *out, int32_t explainer, const pvg_model *model,
                          const pvg_dataset *dataset, const int64_t *nodes, int64_t count,
                          const pvg_explain_config *config, pvg_rng *rng,
                          const pvg_run *run) {
    PVGI_BORDER;
    const char *name = "pvg_explain_exact";
    if (!out) return pvgi_fail_null(name, "out");
    PVGI_REQUIRE(explainer >= PVG_EXPLAINER_GRAD &&
                     explainer <= PVG_EXPLAINER_GNN_EXPLAINER,
                 "%s: explainer is %d, not a PVG_EXPLAINER_*", name, (int)explainer);
    pvgi_explain e = {.out = out,
                      .explainer = explainer,
                      .model = model,
                      .data = dataset,
                      .nodes = nodes,
                      .count = count,
                      .rng = rng};
    return explain(&e, name, config, run);
}

int32_t pvg_explain_masks_exact(double *features, double *arcs, double *agreement,
                                const pvg_model *model, const pvg_dataset *dataset,
                                const int64_t *nodes, int64_t count,
                                const pvg_explain_config *config, pvg_rng *rng,
                                const pvg_run *run) {
    PVGI_BORDER;
    const char *name = "pvg_explain_masks_exact";
    if (!rng) return pvgi_fail_null(name, "rng");
    pvgi_explain e = {.out = features,
                      .explainer = PVG_EXPLAINER_GNN_EXPLAINER,
                      .model = model,
                      .data = dataset,
                      .nodes = nodes,
                      .count = count,
                      .rng = rng,
                      .arcs = arcs,
                      .agreement = agreement};
    return explain(&e, name, config, run);
}

/* --- nodes hidden ------------------------------------------------------------------ */

static const pvgi_rule node_rules[] = {
    PVGI_FIELD(pvg_nodes_config, classes, 2, PVG_NETWORK_CLASSES_MAX, PVGI_CLOSED,
               "in 2..1024"),
    PVGI_FIELD(pvg_nodes_config, hidden, 0, PVG_NETWORK_WIDTH_MAX, PVGI_CLOSED,
               "in 0..4096"),
    PVGI_FIELD(pvg_nodes_config, directions, -1, PVG_NETWORK_WIDTH_MAX, PVGI_CLOSED,
               "in -1..4096"),
    PVGI_FIELD(pvg_nodes_config, hops, 0, 16, PVGI_CLOSED, "in 0..16"),
    PVGI_FIELD(pvg_nodes_config, degree_bound, 0, 2147483647.0, PVGI_CLOSED,
               "a number of neighbours"),
    PVGI_FIELD(pvg_nodes_config, encoder_share, 0, 1e6, PVGI_CLOSED, "in [0, 1e6]"),
    PVGI_FIELD(pvg_nodes_config, states_share, 0, 1e6, PVGI_CLOSED, "in [0, 1e6]"),
    PVGI_FIELD(pvg_nodes_config, head_share, 0, 1e6, PVGI_CLOSED, "in [0, 1e6]"),
};
static const pvgi_shape nodes_shape = PVGI_SHAPE(pvg_nodes_config, node_rules);

/* Checked and filled in, from public values only; *records: who trains. */
static int32_t import_nodes(pvg_nodes_config *c, int64_t *records, const char *name,
                            const pvg_nodes_config *config, const pvg_graph *graph,
                            const pvg_features *features, const pvg_labels *labels) {
    if (!graph) return pvgi_fail_null(name, "graph");
    if (!features) return pvgi_fail_null(name, "features");
    if (!labels) return pvgi_fail_null(name, "labels");
    if (!config) return pvgi_fail_null(name, "config");
    PVGI_TRY(pvgi_config_read(c, &nodes_shape, config, name, "config"));
    PVGI_TRY(check_sizes(name, graph->order, c->classes));
    PVGI_REQUIRE(c->recipe == PVG_RECIPE_GAP || c->recipe == PVG_RECIPE_FEATURES,
                 "%s: config->recipe is neither GAP nor FEATURES", name);
    PVGI_REQUIRE(features->rows == graph->order,
                 "%s: features have %lld rows for %lld nodes", name,
                 (long long)features->rows, (long long)graph->order);
    PVGI_REQUIRE(labels->count == graph->order, "%s: %lld labels for %lld nodes", name,
                 (long long)labels->count, (long long)graph->order);
    PVGI_REQUIRE(c->parts, "%s: config->parts is NULL", name);
    PVGI_REQUIRE(c->recipe != PVG_RECIPE_GAP || c->degree_bound >= 1,
                 "%s: config->degree_bound is not told: sums over neighbours need a "
                 "promise",
                 name);
    *records = 0;
    for (int64_t v = 0; v < graph->order; v++) {
        PVGI_REQUIRE(c->parts[v] >= PVG_PART_NONE && c->parts[v] <= PVG_PART_TEST,
                     "%s: config->parts[%lld] is no PVG_PART_*", name, (long long)v);
        *records += c->parts[v] == PVG_PART_TRAIN;
    }
    PVGI_REQUIRE(*records > 0, "%s: nobody trains", name);
    if (c->hidden == 0) c->hidden = 32;
    if (c->hops == 0) c->hops = 1;
    if (c->encoder_share == 0 && c->states_share == 0 && c->head_share == 0) {
        c->encoder_share = .5;
        c->states_share = .2;
        c->head_share = .3;
    }
    PVGI_REQUIRE(c->recipe != PVG_RECIPE_GAP ||
                     (c->encoder_share > 0 && c->states_share > 0 && c->head_share > 0),
                 "%s: a share of config is 0: nothing can be drawn with it", name);
    return PVG_OK;
}

int32_t pvg_recipe_nodes(pvg_model **encoder, pvg_model **head, pvg_release **states,
                         const pvg_graph *graph, const pvg_features *features,
                         const pvg_labels *labels, const pvg_nodes_config *config,
                         const pvg_target *target, uint64_t object, pvg_rng *rng,
                         pvg_ledger *ledger, const pvg_run *run) {
    PVGI_BORDER;
    const char *name = "pvg_recipe_nodes";
    pvg_nodes_config c;
    pvg_target t;
    pvgi_run running;
    int64_t records = 0;
    if (!encoder) return pvgi_fail_null(name, "encoder");
    *encoder = NULL;
    if (!head) return pvgi_fail_null(name, "head");
    *head = NULL;
    if (!states) return pvgi_fail_null(name, "states");
    *states = NULL;
    PVGI_TRY(import_nodes(&c, &records, name, config, graph, features, labels));
    if (!target) return pvgi_fail_null(name, "target");
    if (!rng) return pvgi_fail_null(name, "rng");
    PVGI_TRY(pvgi_config_import(&t, sizeof t, target, "pvg_target"));
    t.size = sizeof t;
    PVGI_REQUIRE(t.epsilon > 0 && t.delta > 0 && t.delta < 1 && isfinite(t.epsilon) &&
                     t.parameter == 0,
                 "%s: target is not an epsilon and a delta", name);
    if (!pvg_graph_order_told(graph))
        return pvgi_fail(PVG_E_PRIVACY,
                         "%s: the number of nodes was read off the private edges", name);
    if (features->columns_from_data)
        return pvgi_fail(PVG_E_PRIVACY,
                         "%s: the number of columns was read off the private features",
                         name);
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_learn_nodes(encoder, head, states, graph, features, labels, &c, records,
                            &t, object, rng, ledger, &running);
}

int32_t pvg_recipe_nodes_predict_exact(double *out, const pvg_model *encoder,
                                       const pvg_model *head, const pvg_release *states,
                                       const pvg_features *features, int64_t directions,
                                       const pvg_run *run) {
    PVGI_BORDER;
    const char *name = "pvg_recipe_nodes_predict_exact";
    pvgi_run running;
    if (!out) return pvgi_fail_null(name, "out");
    if (!encoder) return pvgi_fail_null(name, "encoder");
    if (!features) return pvgi_fail_null(name, "features");
    PVGI_REQUIRE(!head == !states, "%s: head without states, or states without a head",
                 name);
    PVGI_REQUIRE(directions >= -1 && directions <= PVG_NETWORK_WIDTH_MAX,
                 "%s: directions is not in [-1, %d]", name, (int)PVG_NETWORK_WIDTH_MAX);
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_learn_nodes_predict(out, encoder, head, states, features, directions,
                                    &running);
}

int32_t pvg_recipe_nodes_exact(double *out, const pvg_graph *graph,
                               const pvg_features *features, const pvg_labels *labels,
                               const pvg_nodes_config *config, pvg_rng *rng,
                               const pvg_run *run) {
    PVGI_BORDER;
    const char *name = "pvg_recipe_nodes_exact";
    pvg_nodes_config c;
    pvgi_run running;
    int64_t records = 0;
    if (!out) return pvgi_fail_null(name, "out");
    PVGI_TRY(import_nodes(&c, &records, name, config, graph, features, labels));
    if (!rng) return pvgi_fail_null(name, "rng");
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_learn_nodes_exact(out, graph, features, labels, &c, rng, &running);
}
