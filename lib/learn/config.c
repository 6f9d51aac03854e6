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
int32_t pvgi_learn_check_checks(const char *name, const char *what, const int32_t *checks,
                                int64_t order, int64_t classes) {
    for (int64_t v = 0; checks && v < order; v++)
        PVGI_REQUIRE(checks[v] >= -1 && checks[v] < classes,
                     "%s: %s[%lld] is not in [-1, %lld)", name, what, (long long)v,
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
    PVGI_REQUIRE(parts, "%s: arguments->parts is NULL", name);
    *trains = 0;
    for (int64_t v = 0; v < order; v++) {
        PVGI_REQUIRE(parts[v] >= PVG_PART_NONE && parts[v] <= PVG_PART_TEST,
                     "%s: arguments->parts[%lld] is no PVG_PART_*", name, (long long)v);
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
    PVGI_TRY(
        pvgi_learn_check_checks(name, "config->checks", c->checks, order, c->classes));
    for (int64_t i = 0; c->transition && i < c->classes * c->classes; i++)
        PVGI_REQUIRE(c->transition[i] >= 0.0 && c->transition[i] <= 1.0,
                     "%s: config->transition[%lld] is not in [0, 1]", name, (long long)i);
    return PVG_OK;
}
