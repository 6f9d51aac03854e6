/* Classes of rows of released numbers, as private embeddings of graphs, read by networks
 * that are averaged. Columns that their noise drowns are dropped, the others
 * standardised. Post-processing. A model that is kept has both inside its first weights,
 * so that it takes rows as they are released:
 *   ((x - mean) scale) W + b = x (scale W) + (b - (mean scale) W). */
#include "pipeline.h"

#include <stdio.h>
#include <string.h>

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

/* x: order x columns, a copy that is used up. told: of the release, or NULL. */
static int32_t learn_rows(double *out, pvgi_kept *kept, double *x, int64_t columns,
                          const pvgi_columns *told, const pvg_pipeline *p, pvg_rng *rng,
                          pvgi_run *run) {
    /* doubles: rows as they are released may be far from 0 */
    const pvg_training_config training = {.averages = p->settings.rows.averages,
                                          .precision = PVG_PRECISION_DOUBLE};
    double *mean = pvgi_alloc((size_t)columns, 2 * sizeof *mean);
    double *scale = mean ? mean + columns : NULL;
    pvg_features *features = NULL;
    char text[80];
    int32_t status;
    if (!mean) return pvgi_fail_nomem();
    silence(x, p->order, columns, told);
    for (int64_t j = 0; j < columns; j++)
        pvgi_learn_standardise_column(&mean[j], &scale[j], x, p->order, columns, j);
    snprintf(text, sizeof text, "dense %lld relu drop .3 | dense classes",
             (long long)p->settings.rows.hidden);
    PVGI_TRY_DONE(pvg_features_from_dense(&features, p->order, columns, x));
    PVGI_TRY_DONE(pvgi_learn_network(out, kept, text, features, p->labels, p->checks,
                                     p->classes, &training, rng, run));
    if (kept) unstandardise(kept->model, mean, scale);
done:
    pvg_features_free(features);
    pvgi_free(mean);
    return status;
}

/* --- the kind ----------------------------------------------------------------------- */

static int32_t make_rows(pvg_pipeline *p, const char *name,
                         const pvg_pipeline_arguments *a, pvg_rng *rng, pvgi_run *run) {
    (void)rng, (void)run;
    PVGI_REQUIRE(p->target.epsilon == 0.0 && p->target.delta == 0.0 &&
                     p->target.parameter == 0.0,
                 "%s: rows has no budget: it reads a release", name);
    PVGI_TRY(pvgi_learn_pipeline_copy_labels(p, name, a));
    return pvgi_learn_pipeline_hold_out(p, p->settings.rows.held_out);
}

static int32_t preview_rows(pvg_preview **out, const pvg_pipeline *p, int place,
                            const pvg_run *run) {
    (void)out, (void)p, (void)place, (void)run;
    return PVG_OK;
}

static int32_t draw_rows(pvg_release *out[PVGI_DRAWS], const pvg_pipeline *p,
                         const char *name, const pvg_input *input, pvg_rng *rng,
                         pvg_ledger *const ledgers[PVGI_DRAWS], pvgi_run *run) {
    (void)out, (void)p, (void)input, (void)rng, (void)ledgers, (void)run;
    return pvgi_fail(PVG_E_ARGUMENT,
                     "%s: rows draws nothing: it reads a release that is given to "
                     "pvg_pipeline_read",
                     name);
}

static int32_t read_rows(pvgi_reading *out, const pvg_pipeline *p, const char *name,
                         const pvg_release *const seen[PVGI_DRAWS], pvg_rng *rng,
                         pvgi_run *run) {
    pvgi_kept kept = {.release = seen[0]};
    const double *values;
    PVGI_REQUIRE(seen[0] && !seen[1] && !seen[2],
                 "%s: rows reads one release: first, and no other", name);
    PVGI_TRY(pvg_release_view(&values, seen[0]));
    const int64_t columns = pvg_release_columns(seen[0]);
    PVGI_REQUIRE(columns >= 1 && pvg_release_rows(seen[0]) == p->order,
                 "%s: first has %lld rows of %lld numbers, the pipeline %lld rows", name,
                 (long long)pvg_release_rows(seen[0]), (long long)columns,
                 (long long)p->order);
    double *x = pvgi_alloc((size_t)p->order, (size_t)columns * sizeof *x);
    if (!x) return pvgi_fail_nomem();
    memcpy(x, values, (size_t)(p->order * columns) * sizeof *x);
    int32_t status = pvgi_learn_check_finite(name, "first", x, p->order * columns);
    if (status == PVG_OK)
        status = learn_rows(out->rows, out->keep_model ? &kept : NULL, x, columns,
                            seen[0]->guarantee.told, p, rng, run);
    out->model = kept.model;
    pvgi_free(x);
    return status;
}

/* Numbers without noise, as features: none of their columns is dropped. */
static int32_t exact_rows(pvgi_reading *out, const pvg_pipeline *p, const char *name,
                          const pvg_input *input, pvg_rng *rng, pvgi_run *run) {
    const pvg_features *given = input->features;
    PVGI_REQUIRE(given && !input->graph && !input->set && !input->labels &&
                     !input->lists && !input->dataset && given->rows == p->order,
                 "%s: rows reads exactly input->features, of %lld rows", name,
                 (long long)p->order);
    PVGI_TRY(pvgi_graph_features_sound(name, "input->features", given));
    const int64_t columns = given->columns;
    double *x = pvgi_alloc_zero((size_t)p->order, (size_t)columns * sizeof *x);
    if (!x) return pvgi_fail_nomem();
    for (int64_t v = 0; v < p->order; v++)
        for (int64_t k = given->offsets[v]; k < given->offsets[v + 1]; k++)
            x[v * columns + given->indices[k]] = given->values[k];
    const int32_t status = learn_rows(out->rows, NULL, x, columns, NULL, p, rng, run);
    pvgi_free(x);
    return status;
}

static const pvgi_option options[] = {
    PVGI_OPTION_WORD(pvgi_rows_settings, classes, 0, PVG_NETWORK_CLASSES_MAX, PVGI_CLOSED,
                     "in [2, 1024]", "classes", "auto", 0,
                     "number of classes; auto: those of labels and checks"),
    PVGI_OPTION(pvgi_rows_settings, hidden, 1, PVG_NETWORK_WIDTH_MAX, PVGI_CLOSED,
                "in [1, 4096]", "hidden", 64, "columns inside the networks"),
    PVGI_OPTION(pvgi_rows_settings, averages, 1, 1000, PVGI_CLOSED, "in [1, 1000]",
                "averages", 10, "networks whose probabilities are averaged"),
    PVGI_OPTION_HELD_OUT(pvgi_rows_settings, "rows that stop the training"),
    PVGI_OPTION_END};

const pvgi_pipeline_kind pvgi_learn_kind_rows = {
    .row = {.kind = "rows",
            .says = "Classes of graphs, or of anything with a row of released numbers; "
                    "labels are public",
            .claim = "learn.rows",
            .reads = 0,
            .options = options,
            .bytes = sizeof(pvgi_rows_settings)},
    .takes = PVGI_GIVEN_LABELS | PVGI_GIVEN_CHECKS,
    .make = make_rows,
    .preview = preview_rows,
    .draw = draw_rows,
    .read = read_rows,
    .exact = exact_rows};
