/* Two judges of edge histograms, their log posteriors averaged: the Bayes read-out
 * (histogram_posterior.c) at the temperature that checked nodes like best, and a network
 * that the checked nodes train in folds. The first is right where its model is, the
 * second learns what the model misses; errors of the two are nearly independent.
 * Post-processing. */
#include "learn_internal.h"

#include "base/present.h"

#include <math.h>
#include <string.h>

enum { FOLDS = 4, EPOCHS = 60, TEMPERATURES = 31 };

/* Nearly a normal number of variance 1 plus the square root of a count. */
static double stable(double z, double variance) {
    const double root = 2.0 * (sqrt(fabs(z) + variance + 0.4) - sqrt(variance + 0.4));
    return z < 0.0 ? -root : root;
}

/* ln of softmax(ln p / T) at class `wanted`. */
static double log_chance(const double *p, int64_t classes, double inverse,
                         int64_t wanted) {
    double most = -INFINITY, sum = 0.0;
    for (int64_t c = 0; c < classes; c++) most = fmax(most, inverse * log(p[c]));
    for (int64_t c = 0; c < classes; c++) sum += exp(inverse * log(p[c]) - most);
    return inverse * log(p[wanted]) - most - log(sum);
}

/* 1 / T from .2 to 5, the one with the largest chance of the checked classes. */
static double fit_inverse(const double *bayes, const int32_t *labels,
                          const int32_t *checks, int64_t order, int64_t classes) {
    double best = 1.0, score = -INFINITY;
    for (int i = 0; i < TEMPERATURES; i++) {
        const double inverse = 0.2 * pow(25.0, (double)i / (TEMPERATURES - 1));
        double sum = 0.0;
        for (int64_t v = 0; v < order; v++)
            if (checks[v] >= 0 && labels[v] < 0)
                sum += log_chance(bayes + v * classes, classes, inverse, checks[v]);
        if (sum > score) {
            score = sum;
            best = inverse;
        }
    }
    return best;
}

/* What the network sees of unlabelled nodes, and their classes where checked. */
static int64_t gather(double *x, int32_t *targets, const double *values,
                      const double *prior, const int32_t *labels, const int32_t *checks,
                      int64_t order, int64_t classes, double variance) {
    const int64_t kinds = 2 * classes, width = classes + kinds + 1;
    int64_t rows = 0;
    for (int64_t v = 0; v < order; v++) {
        double *row = x + rows * width, total = 0.0;
        if (labels[v] >= 0) continue;
        for (int64_t c = 0; c < classes; c++) row[c] = log(prior[v * classes + c]);
        for (int64_t k = 0; k < kinds; k++) {
            row[classes + k] = stable(values[v * kinds + k], variance);
            total += values[v * kinds + k];
        }
        row[classes + kinds] = stable(total, variance);
        targets[rows++] = checks[v];
    }
    pvgi_learn_standardise(x, rows, width);
    return rows;
}

/* Forward correction by the identity: what training asks for if a class may be missing.
 * */
static void identity(double *out, int64_t classes) {
    for (int64_t i = 0; i < classes; i++)
        for (int64_t j = 0; j < classes; j++) out[i * classes + j] = i == j;
}

/* Trains on the checked rows alone, which are all that have a class, and judges every
 * row: a checked one by the members that did not see it. */
static int32_t second_judge(double *out, const double *x, const int32_t *targets,
                            int64_t rows, int64_t classes, int64_t averages, pvg_rng *rng,
                            pvgi_run *run) {
    const int64_t width = 3 * classes + 1;
    pvgi_kept kept = {0};
    pvg_features *all = NULL, *some = NULL;
    double *same = pvgi_alloc((size_t)classes, (size_t)classes * sizeof *same);
    double *checked = pvgi_alloc((size_t)rows, (size_t)width * sizeof *checked);
    int32_t *known = pvgi_alloc((size_t)rows, sizeof *known);
    int64_t count = 0;
    int32_t status;
    if (!same || !checked || !known) {
        status = pvgi_fail_nomem();
        goto done;
    }
    identity(same, classes);
    for (int64_t i = 0; i < rows; i++) {
        if (targets[i] < 0) continue;
        memcpy(checked + count * width, x + i * width, (size_t)width * sizeof *x);
        known[count++] = targets[i];
    }
    const pvg_training_config training = {.folds = FOLDS,
                                          .averages = averages,
                                          .epochs = EPOCHS,
                                          .patience = -1,
                                          .check = 30,
                                          .select = PVG_SELECT_LAST,
                                          .decay = 3e-3,
                                          .transition = same};
    PVGI_TRY_DONE(pvg_features_from_dense(&some, count, width, checked));
    PVGI_TRY_DONE(pvg_features_from_dense(&all, rows, width, x));
    PVGI_TRY_DONE(pvgi_learn_network(checked, &kept,
                                     "dense 48 selu drop .4 | dense classes", some, known,
                                     NULL, classes, &training, rng, run));
    PVGI_TRY_DONE(pvgi_learn_predict(out, kept.model, all, run));
    for (int64_t i = 0, at = 0; i < rows;
         i++) /* checked lends its memory to the answers */
        if (targets[i] >= 0)
            memcpy(out + i * classes, checked + at++ * classes,
                   (size_t)classes * sizeof *out);
done:
    pvg_model_free(kept.model);
    pvg_features_free(all);
    pvg_features_free(some);
    pvgi_free(known);
    pvgi_free(checked);
    pvgi_free(same);
    return status;
}

int32_t pvgi_learn_mix(double *out, const pvgi_joint *noise, const double *values,
                       const double *prior, const int32_t *labels, int64_t order,
                       const pvg_posterior_config *config, int64_t averages, pvg_rng *rng,
                       pvgi_run *run) {
    const int64_t C = config->classes, width = 3 * C + 1;
    const double deviation = pvgi_mechanism_joint_deviation(noise);
    double *bayes = pvgi_alloc((size_t)order, (size_t)(2 * C) * sizeof *bayes);
    double *x = pvgi_alloc((size_t)order, (size_t)width * sizeof *x);
    int32_t *targets = pvgi_alloc((size_t)order, sizeof *targets);
    double *network = bayes ? bayes + order * C : NULL;
    int64_t rows, checked = 0;
    int32_t status;
    if (!bayes || !x || !targets) {
        status = pvgi_fail_nomem();
        goto done;
    }
    PVGI_TRY_DONE(
        pvgi_learn_posterior(bayes, noise, values, prior, labels, order, config, run));
    for (int64_t v = 0; v < order; v++)
        checked += labels[v] < 0 && config->checks[v] >= 0;
    if (checked < 2 * FOLDS) { /* nobody to learn from */
        memcpy(out, bayes, (size_t)(order * C) * sizeof *out);
        goto done;
    }
    pvgi_learn_normalise(bayes, order, C, 1e-12);
    rows = gather(x, targets, values, prior, labels, config->checks, order, C,
                  deviation * deviation);
    PVGI_TRY_DONE(second_judge(network, x, targets, rows, C, averages, rng, run));
    pvgi_learn_normalise(network, rows, C, 1e-12);
    const double inverse = fit_inverse(bayes, labels, config->checks, order, C);
    for (int64_t v = 0, row = 0; v < order; v++) {
        double *to = out + v * C, most = -INFINITY;
        const double *first = bayes + v * C, *second = network + row * C;
        if (labels[v] >= 0) {
            memcpy(to, first, (size_t)C * sizeof *to);
            continue;
        }
        for (int64_t c = 0; c < C; c++) {
            to[c] = 0.5 * (inverse * log(first[c]) + log(second[c]));
            most = fmax(most, to[c]);
        }
        for (int64_t c = 0; c < C; c++) to[c] = exp(to[c] - most);
        row++;
    }
    pvgi_learn_normalise(out, order, C, 0.0);
done:
    pvgi_free(bayes);
    pvgi_free(x);
    pvgi_free(targets);
    return status;
}

int32_t pvgi_learn_read_mixed(double *out, const char *name,
                              const pvg_statistic *histogram, const double *values,
                              const double *prior, const int32_t *labels,
                              const pvg_posterior_config *config, int64_t averages,
                              pvg_rng *rng, const pvg_run *run) {
    pvg_posterior_config c;
    const pvgi_joint *law;
    pvgi_run running;
    PVGI_PRESENT(name, out, histogram, values, prior, labels);
    PVGI_TRY(
        pvgi_learn_import_posterior(&c, name, config, prior, labels, histogram->rows));
    PVGI_PRESENT(name, rng);
    PVGI_REQUIRE(c.checks, "%s: config->checks is NULL", name);
    PVGI_REQUIRE(averages >= 0 && averages <= 1000, "%s: averages is not in [0, 1000]",
                 name);
    PVGI_REQUIRE(c.classes <= PVG_NETWORK_CLASSES_MAX, "%s: config->classes is above %d",
                 name, (int)PVG_NETWORK_CLASSES_MAX);
    PVGI_TRY(pvgi_learn_check_histogram(&law, name, histogram, values, c.classes));
    for (int64_t i = 0; i < histogram->order * c.classes; i++)
        PVGI_REQUIRE(prior[i] > 0.0, "%s: prior[%lld] is 0", name, (long long)i);
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_learn_mix(out, law, values, prior, labels, histogram->order, &c,
                          averages == 0 ? 3 : averages, rng, &running);
}
