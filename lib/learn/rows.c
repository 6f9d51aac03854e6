/* Rows of released numbers, as private embeddings of graphs, read by networks that are
 * averaged. Columns that their noise drowns are dropped, the others standardised.
 * Post-processing. A model that is kept has both inside its first weights, so that it
 * takes rows as they are released:
 *   ((x - mean) scale) W + b = x (scale W) + (b - (mean scale) W). */
#include "learn_internal.h"

#include <stdio.h>

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

/* The first map of each member, for rows before they were standardised. */
static void unstandardise(pvg_model *model, const double *mean, const double *scale) {
    const pvgi_param *map = model->network->program.params; /* weights, then bias */
    const int64_t inputs = map[0].rows, width = map[0].columns;
    for (int64_t m = 0; m < model->member_count; m++) {
        double *w = model->weights + m * model->network->parameters;
        double *bias = w + inputs * width;
        for (int64_t j = 0; j < inputs; j++)
            for (int64_t i = 0; i < width; i++) {
                w[j * width + i] *= scale[j];
                bias[i] -= mean[j] * w[j * width + i];
            }
    }
}

int32_t pvgi_learn_rows(double *out, pvgi_kept *kept, double *x, int64_t rows,
                        int64_t columns, const pvgi_columns *told, const int32_t *labels,
                        const pvg_recipe_config *config, pvg_rng *rng, pvgi_run *run) {
    /* doubles: rows as they are released may be far from 0 */
    const pvg_training_config training = {.averages = config->averages,
                                          .precision = PVG_PRECISION_DOUBLE};
    double *mean = pvgi_alloc((size_t)columns, 2 * sizeof *mean);
    double *scale = mean ? mean + columns : NULL;
    pvg_features *features = NULL;
    char text[80];
    int32_t status;
    if (!mean) return pvgi_fail_nomem();
    silence(x, rows, columns, told);
    for (int64_t j = 0; j < columns; j++)
        pvgi_learn_standardise_column(&mean[j], &scale[j], x, rows, columns, j);
    snprintf(text, sizeof text, "dense %lld relu drop .3 | dense classes",
             (long long)config->hidden);
    PVGI_TRY_DONE(pvg_features_from_dense(&features, rows, columns, x));
    PVGI_TRY_DONE(pvgi_learn_network(out, kept, text, features, labels, config->checks,
                                     config->classes, &training, rng, run));
    if (kept) unstandardise(kept->model, mean, scale);
done:
    pvg_features_free(features);
    pvgi_free(mean);
    return status;
}
