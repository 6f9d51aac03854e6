/* What the entry file of learn asks of arguments: settings are copied, filled in and
 * checked, all before anything is paid. Messages tell public numbers only. */
#include "base/present.h"
#include "learn_internal.h"

#include <math.h>

/* --- arrays and sizes -------------------------------------------------------------- */

int32_t pvgi_learn_check_finite(const char *name, const char *what, const double *values,
                                int64_t count) {
    for (int64_t i = 0; i < count; i++)
        PVGI_REQUIRE(isfinite(values[i]), "%s: %s[%lld] is not finite", name, what,
                     (long long)i);
    return PVG_OK;
}

/* Labels in [-1, classes), not all -1. */
int32_t pvgi_learn_check_labels(const char *name, const char *what, const int32_t *labels,
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

/* Classes that choose: none of them is needed. */
int32_t pvgi_learn_check_checks(const char *name, const int32_t *checks, int64_t order,
                                int64_t classes) {
    for (int64_t v = 0; checks && v < order; v++)
        PVGI_REQUIRE(checks[v] >= -1 && checks[v] < classes,
                     "%s: config->checks[%lld] is not in [-1, %lld)", name, (long long)v,
                     (long long)classes);
    return PVG_OK;
}

/* Rows of numbers >= 0 with a positive sum: they need not add up to 1. */
int32_t pvgi_learn_check_prior(const char *name, const double *prior, int64_t order,
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

int32_t pvgi_learn_check_sizes(const char *name, int64_t order, int64_t classes) {
    PVGI_REQUIRE(order >= 1 && order <= INT32_MAX, "%s: order is not in [1, 2^31)", name);
    PVGI_REQUIRE(classes >= 2 && classes <= 4096, "%s: classes is not in [2, 4096]",
                 name);
    return PVG_OK;
}

int32_t pvgi_learn_check_rows(const char *name, const pvg_features *features,
                              int64_t order) {
    PVGI_REQUIRE(!features || features->rows == order,
                 "%s: features have %lld rows for %lld nodes", name,
                 (long long)(features ? features->rows : 0), (long long)order);
    return PVG_OK;
}

/* Parts of all nodes; *trains: of how many it is to train. */
int32_t pvgi_learn_check_parts(int64_t *trains, const char *name, const int32_t *parts,
                               int64_t order) {
    PVGI_REQUIRE(parts, "%s: config->parts is NULL", name);
    *trains = 0;
    for (int64_t v = 0; v < order; v++) {
        PVGI_REQUIRE(parts[v] >= PVG_PART_NONE && parts[v] <= PVG_PART_TEST,
                     "%s: config->parts[%lld] is no PVG_PART_*", name, (long long)v);
        *trains += parts[v] == PVG_PART_TRAIN;
    }
    return PVG_OK;
}

/* What must be public and was read off private data: a draw would refuse it, perhaps
 * after another one was paid. Each may be NULL. */
int32_t pvgi_learn_check_declared(const char *name, const pvg_graph *graph,
                                  const pvg_features *features) {
    if (graph && !pvg_graph_order_declared(graph))
        return pvgi_fail(PVG_E_UNDECLARED,
                         "%s: the number of nodes was read off the private edges", name);
    if (features && !pvg_features_columns_declared(features))
        return pvgi_fail(PVG_E_UNDECLARED,
                         "%s: the number of columns was read off the private features",
                         name);
    return PVG_OK;
}

/* The law of edge histograms of nodes, one column for each kind, and their values. */
int32_t pvgi_learn_check_histogram(const pvgi_joint **law, const char *name,
                                   const pvg_statistic *histogram, const double *values,
                                   int64_t classes) {
    *law = pvgi_statistic_histogram_law(histogram);
    PVGI_REQUIRE(*law && histogram->rows == histogram->order &&
                     histogram->columns == 2 * classes && (*law)->grid == 0,
                 "%s: edge histograms are not those of nodes by 2 x classes kinds", name);
    return pvgi_learn_check_finite(name, "values", values,
                                   histogram->rows * histogram->columns);
}

/* --- settings ---------------------------------------------------------------------- */

int32_t pvgi_learn_import_target(pvg_target *t, const char *name,
                                 const pvg_target *target) {
    PVGI_PRESENT(name, target);
    PVGI_TRY(pvgi_config_import(t, sizeof *t, target, "pvg_target"));
    t->size = sizeof *t;
    /* the rest is the mechanism's matter; this, before anything is trained */
    PVGI_REQUIRE(t->parameter > 0.0 || (t->epsilon > 0.0 && isfinite(t->epsilon)),
                 "%s: target->epsilon is not a positive finite number", name);
    return PVG_OK;
}

static const pvgi_rule logistic_rules[] = {
    PVGI_FIELD(pvg_logistic_config, classes, 2, 1 << 20, PVGI_CLOSED, "in [2, 2^20]"),
    PVGI_COUNT(pvg_logistic_config, rounds),
    PVGI_COUNT(pvg_logistic_config, penalty),
    PVGI_COUNT(pvg_logistic_config, tolerance),
};
static const pvgi_shape logistic_shape = PVGI_SHAPE(pvg_logistic_config, logistic_rules);

int32_t pvgi_learn_import_logistic(pvg_logistic_config *c, const char *name,
                                   const pvg_logistic_config *config) {
    PVGI_TRY(pvgi_config_read(c, &logistic_shape, config, name, "config"));
    if (c->rounds == 0) c->rounds = 500;
    if (c->penalty == 0.0) c->penalty = 1.0;
    if (c->tolerance == 0.0) c->tolerance = 1e-5;
    return PVG_OK;
}

static const pvgi_rule posterior_rules[] = {
    PVGI_FIELD(pvg_posterior_config, rounds, -1, 0x1p62, PVGI_CLOSED, "at least -1"),
    PVGI_FIELD(pvg_posterior_config, strength, 0, 1, PVGI_CLOSED, "in [0, 1]"),
};
static const pvgi_shape posterior_shape =
    PVGI_SHAPE(pvg_posterior_config, posterior_rules);

/* Own copy of the settings, everything checked. */
int32_t pvgi_learn_import_posterior(pvg_posterior_config *c, const char *name,
                                    const pvg_posterior_config *config,
                                    const double *prior, const int32_t *labels,
                                    int64_t order) {
    PVGI_PRESENT(name, config);
    PVGI_TRY(pvgi_config_read(c, &posterior_shape, config, name, "config"));
    PVGI_TRY(pvgi_learn_check_sizes(name, order, c->classes));
    PVGI_TRY(pvgi_learn_check_labels(name, "labels", labels, order, c->classes));
    PVGI_TRY(pvgi_learn_check_prior(name, prior, order, c->classes));
    PVGI_TRY(pvgi_learn_check_checks(name, c->checks, order, c->classes));
    for (int64_t i = 0; c->transition && i < c->classes * c->classes; i++)
        PVGI_REQUIRE(c->transition[i] >= 0.0 && c->transition[i] <= 1.0,
                     "%s: config->transition[%lld] is not in [0, 1]", name, (long long)i);
    return PVG_OK;
}

static const pvgi_rule recipe_rules[] = {
    PVGI_FIELD(pvg_recipe_config, classes, 2, PVG_NETWORK_CLASSES_MAX, PVGI_CLOSED,
               "in 2..1024"),
    PVGI_ENUM(pvg_recipe_config, recipe, PVG_RECIPE_FEATURES, "PVG_RECIPE"),
    PVGI_FIELD(pvg_recipe_config, hidden, 0, PVG_NETWORK_WIDTH_MAX, PVGI_CLOSED,
               "in 0..4096"),
    PVGI_FIELD(pvg_recipe_config, directions, -1, PVG_NETWORK_WIDTH_MAX, PVGI_CLOSED,
               "in -1..4096"),
    PVGI_FIELD(pvg_recipe_config, averages, 0, 1000, PVGI_CLOSED, "in 0..1000"),
    PVGI_FIELD(pvg_recipe_config, hops, 0, 16, PVGI_CLOSED, "in 0..16"),
    PVGI_COUNT(pvg_recipe_config, contraction),
    PVGI_FIELD(pvg_recipe_config, mean_weight, 0, 1, PVGI_CLOSED, "in 0..1"),
    PVGI_COUNT(pvg_recipe_config, residual),
};
static const pvgi_shape recipe_shape = PVGI_SHAPE(pvg_recipe_config, recipe_rules);

/* Own copy of the settings, defaults filled in. */
int32_t pvgi_learn_fill_recipe(pvg_recipe_config *c, const char *name,
                               const pvg_recipe_config *config, int64_t order,
                               int64_t averages) {
    PVGI_PRESENT(name, config);
    PVGI_TRY(pvgi_config_read(c, &recipe_shape, config, name, "config"));
    PVGI_TRY(pvgi_learn_check_sizes(name, order, c->classes));
    if (c->hidden == 0) c->hidden = 64;
    if (c->averages == 0) c->averages = averages;
    if (c->hops == 0) c->hops = 1;
    PVGI_REQUIRE(
        c->recipe == PVG_RECIPE_PCMP ||
            (c->contraction == 0.0 && c->mean_weight == 0.0 && c->residual == 0.0),
        "%s: config->contraction, mean_weight and residual are of PCMP", name);
    return PVG_OK;
}

/* The same, and everything is checked. */
int32_t pvgi_learn_import_recipe(pvg_recipe_config *c, const char *name,
                                 const pvg_recipe_config *config,
                                 const pvg_features *features, const int32_t *labels,
                                 int64_t order, int64_t averages) {
    PVGI_PRESENT(name, config, labels);
    PVGI_TRY(pvgi_learn_fill_recipe(c, name, config, order, averages));
    PVGI_TRY(pvgi_learn_check_rows(name, features, order));
    PVGI_TRY(pvgi_graph_features_sound(name, "features", features)); /* public */
    PVGI_TRY(pvgi_learn_check_labels(name, "labels", labels, order, c->classes));
    PVGI_TRY(pvgi_learn_check_checks(name, c->checks, order, c->classes));
    if (c->prior) PVGI_TRY(pvgi_learn_check_prior(name, c->prior, order, c->classes));
    return PVG_OK;
}

static const pvgi_rule users_rules[] = {
    PVGI_FIELD(pvg_users_config, classes, 2, PVG_NETWORK_CLASSES_MAX, PVGI_CLOSED,
               "in 2..1024"),
    PVGI_ZERO(pvg_users_config, reserved),
    PVGI_ZERO(pvg_users_config, reserved2),
    PVGI_FIELD(pvg_users_config, rounds, 0, 64, PVGI_CLOSED, "in 0..64"),
    PVGI_FIELD(pvg_users_config, target_rounds, 0, 64, PVGI_CLOSED, "in 0..64"),
    PVGI_FIELD(pvg_users_config, averages, 0, 1000, PVGI_CLOSED, "in 0..1000"),
    PVGI_COUNT(pvg_users_config, list_epsilon),
    PVGI_COUNT(pvg_users_config, feature_epsilon),
    PVGI_COUNT(pvg_users_config, label_epsilon),
};
static const pvgi_shape users_shape = PVGI_SHAPE(pvg_users_config, users_rules);

int32_t pvgi_learn_fill_users(pvg_users_config *c, const char *name,
                              const pvg_users_config *config, int64_t order) {
    PVGI_PRESENT(name, config);
    PVGI_TRY(pvgi_config_read(c, &users_shape, config, name, "config"));
    PVGI_TRY(pvgi_learn_check_sizes(name, order, c->classes));
    PVGI_REQUIRE(isfinite(c->low) && isfinite(c->high) &&
                     (c->low < c->high || (c->low == 0.0 && c->high == 0.0)),
                 "%s: config->low is not below config->high", name);
    if (c->rounds == 0) c->rounds = 16;
    return PVG_OK;
}

static int32_t import_users(pvg_users_config *c, const char *name,
                            const pvg_users_config *config, int64_t order,
                            const pvg_features *features, const pvg_labels *labels) {
    int64_t trains;
    PVGI_TRY(pvgi_learn_fill_users(c, name, config, order));
    PVGI_REQUIRE(labels->count == order, "%s: %lld labels for %lld nodes", name,
                 (long long)labels->count, (long long)order);
    PVGI_TRY(pvgi_learn_check_rows(name, features, order));
    PVGI_TRY(pvgi_learn_check_rows(name, c->public_features, order));
    if (c->public_features)
        PVGI_TRY(pvgi_graph_features_sound(name, "config->public_features",
                                           c->public_features));
    PVGI_REQUIRE(!features || !c->public_features,
                 "%s: features are given and config->public_features: users report them, "
                 "or everybody knows them",
                 name);
    if (c->label_epsilon == 0.0) /* public */
        PVGI_TRY(pvgi_graph_labels_sound(name, "labels", labels));
    return pvgi_learn_check_parts(&trains, name, c->parts, order);
}

int32_t pvgi_learn_import_users(pvg_users_config *c, const char *name,
                                const pvg_users_config *config, const pvg_graph *graph,
                                const pvg_features *features, const pvg_labels *labels) {
    PVGI_TRY(import_users(c, name, config, graph->order, features, labels));
    PVGI_REQUIRE(
        !features || c->feature_epsilon > 0.0,
        "%s: features are given, but config->feature_epsilon is 0: an epsilon to "
        "ask users for them, config->public_features if everybody knows them, or "
        "no features",
        name);
    return PVG_OK;
}

/* Only answers need their epsilon again: what they may stand for depends on it. */
int32_t pvgi_learn_import_reports(pvg_users_config *c, const char *name,
                                  const pvg_users_config *config, int64_t order,
                                  const pvg_features *features, const pvg_labels *labels,
                                  bool answers) {
    PVGI_TRY(import_users(c, name, config, order, features, labels));
    PVGI_REQUIRE((c->label_epsilon > 0.0) == answers,
                 "%s: config->label_epsilon is %g with %s", name, c->label_epsilon,
                 answers ? "answers: it must be that of their draw" : "public labels");
    for (int64_t v = 0; v < order; v++) /* released or public */
        PVGI_REQUIRE(labels->values[v] < c->classes,
                     "%s: the label of node %lld is %d, with %lld classes", name,
                     (long long)v, (int)labels->values[v], (long long)c->classes);
    c->list_epsilon = c->feature_epsilon = 0.0;
    return PVG_OK;
}

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
int32_t pvgi_learn_fill_nodes(pvg_nodes_config *c, int64_t *records, const char *name,
                              const pvg_nodes_config *config, int64_t order) {
    PVGI_PRESENT(name, config);
    PVGI_TRY(pvgi_config_read(c, &nodes_shape, config, name, "config"));
    PVGI_TRY(pvgi_learn_check_sizes(name, order, c->classes));
    PVGI_REQUIRE(c->recipe == PVG_RECIPE_GAP || c->recipe == PVG_RECIPE_FEATURES,
                 "%s: config->recipe is neither GAP nor FEATURES", name);
    PVGI_REQUIRE(c->recipe != PVG_RECIPE_GAP || c->degree_bound >= 1,
                 "%s: config->degree_bound is not told: sums over neighbours need a "
                 "promise",
                 name);
    PVGI_TRY(pvgi_learn_check_parts(records, name, c->parts, order));
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

int32_t pvgi_learn_import_nodes(pvg_nodes_config *c, int64_t *records, const char *name,
                                const pvg_nodes_config *config, const pvg_graph *graph,
                                const pvg_features *features, const pvg_labels *labels) {
    PVGI_PRESENT(name, graph, features, labels, config);
    PVGI_TRY(pvgi_learn_check_rows(name, features, graph->order));
    PVGI_REQUIRE(labels->count == graph->order, "%s: %lld labels for %lld nodes", name,
                 (long long)labels->count, (long long)graph->order);
    return pvgi_learn_fill_nodes(c, records, name, config, graph->order);
}
