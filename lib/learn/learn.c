/* Entry file of learn: every exported function of privgraph/learn.h. */
#include "base/present.h"
#include "learn/explain/explain.h"
#include "learn/pipeline.h"

#include <math.h>
#include <string.h>

const char *pvg_learn_version_string(void) {
    return pvg_version_string(); /* the loader takes no other pair */
}

int32_t pvg_directions_project(double *out, const pvg_features *features, int64_t columns,
                               const pvg_run *run) {
    const char *name = "pvg_directions_project";
    pvgi_run running;
    PVGI_PRESENT(name, out, features);
    PVGI_REQUIRE(columns >= 1 && columns <= features->columns &&
                     columns <= features->rows,
                 "%s: columns is not in [1, least of the size of the features]", name);
    PVGI_TRY(pvgi_graph_features_sound(name, "features", features));
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_learn_directions(out, features, columns, &running);
}

/* --- logistic regression ----------------------------------------------------------- */

int32_t pvg_logistic_fit(pvg_logistic **out, const pvg_logistic_config *config,
                         const double *x, const int32_t *labels, int64_t rows,
                         int64_t columns, const pvg_run *run) {
    const char *name = "pvg_logistic_fit";
    pvg_logistic_config c;
    pvgi_run running;
    PVGI_PRESENT(name, out);
    *out = NULL;
    PVGI_PRESENT(name, config, x, labels);
    PVGI_TRY(pvgi_learn_import_logistic(&c, name, config));
    PVGI_REQUIRE(columns >= 1 && columns <= 1 << 20, "%s: columns is not in [1, 2^20]",
                 name);
    PVGI_REQUIRE(rows >= 1 && rows <= INT64_MAX / 64 / (columns + 1),
                 "%s: rows is not in range", name);
    PVGI_TRY(pvgi_learn_check_labels(name, "labels", labels, rows, c.classes));
    PVGI_TRY(pvgi_learn_check_finite(name, "x", x, rows * columns));
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
    const char *name = "pvg_logistic_copy_weights";
    PVGI_PRESENT(name, out, logistic);
    memcpy(out, logistic->weights,
           (size_t)((logistic->columns + 1) * logistic->classes) * sizeof *out);
    return PVG_OK;
}

int32_t pvg_logistic_predict(double *out, const pvg_logistic *logistic, const double *x,
                             int64_t rows, const pvg_run *run) {
    const char *name = "pvg_logistic_predict";
    pvgi_run running;
    PVGI_PRESENT(name, out, logistic, x);
    PVGI_REQUIRE(rows >= 0 &&
                     rows <= INT64_MAX / 64 / (logistic->columns + 1) / logistic->classes,
                 "%s: rows is not in range", name);
    PVGI_TRY(pvgi_learn_check_finite(name, "x", x, rows * logistic->columns));
    PVGI_TRY(pvgi_run_begin(&running, run));
    double *own = pvgi_alloc((size_t)rows, (size_t)logistic->classes * sizeof *own);
    if (!own) return pvgi_fail_nomem();
    const int32_t status = pvgi_learn_logistic_predict(own, logistic, x, rows, &running);
    if (status == PVG_OK)
        memcpy(out, own, (size_t)(rows * logistic->classes) * sizeof *out);
    pvgi_free(own);
    return status;
}

/* --- edge histograms -------------------------------------------------------------- */

int32_t pvg_histogram_cells(double *priorities, int32_t *kinds, const double *prior,
                            const int32_t *labels, int64_t order, int64_t classes) {
    const char *name = "pvg_histogram_cells";
    PVGI_PRESENT(name, priorities, kinds, prior, labels);
    PVGI_TRY(pvgi_learn_check_sizes(name, order, classes));
    PVGI_TRY(pvgi_learn_check_labels(name, "labels", labels, order, classes));
    PVGI_TRY(pvgi_learn_check_prior(name, prior, order, classes));
    pvgi_learn_cells(priorities, kinds, prior, labels, order, classes);
    return PVG_OK;
}

int32_t pvg_estimate_classes(double *out, const pvg_query *query,
                             const pvg_release *release, const double *prior,
                             const int32_t *labels, const pvg_posterior_config *config,
                             const pvg_run *run) {
    const char *name = "pvg_estimate_classes";
    const pvg_statistic *histogram = NULL;
    const double *values = NULL;
    PVGI_TRY(pvgi_query_read_numbers(&histogram, &values, name, query, release));
    return pvgi_learn_read_classes(out, name, histogram, values, prior, labels, config,
                                   run);
}

int32_t pvg_estimate_classes_mixed(double *out, const pvg_query *query,
                                   const pvg_release *release, const double *prior,
                                   const int32_t *labels,
                                   const pvg_posterior_config *config, int64_t averages,
                                   pvg_rng *rng, const pvg_run *run) {
    const char *name = "pvg_estimate_classes_mixed";
    const pvg_statistic *histogram = NULL;
    const double *values = NULL;
    PVGI_TRY(pvgi_query_read_numbers(&histogram, &values, name, query, release));
    return pvgi_learn_read_mixed(out, name, histogram, values, prior, labels, config,
                                 averages, rng, run);
}

/* --- pipelines ---------------------------------------------------------------------- */

int32_t pvg_pipeline_new(pvg_pipeline **out, const char *text,
                         const pvg_pipeline_arguments *arguments,
                         const pvg_target *target, pvg_rng *rng, const pvg_run *run) {
    const char *name = "pvg_pipeline_new";
    pvgi_run running;
    PVGI_PRESENT(name, out);
    *out = NULL;
    PVGI_PRESENT(name, text);
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_learn_pipeline_new(out, name, text, arguments, target, rng, &running);
}

void pvg_pipeline_free(pvg_pipeline *pipeline) {
    pvgi_learn_pipeline_free(pipeline);
}

int32_t pvg_pipeline_copy_kinds(char *out, size_t capacity, size_t *length) {
    pvgi_text text = {0};
    pvgi_learn_pipeline_describe(&text);
    const int32_t status = text.status == PVG_OK
                               ? pvgi_text_copy(out, capacity, length, text.data,
                                                text.length, "pvg_pipeline_copy_kinds")
                               : pvgi_fail_nomem();
    pvgi_text_free(&text);
    return status;
}

int32_t pvg_pipeline_copy_text(char *out, size_t capacity, size_t *length,
                               const pvg_pipeline *pipeline) {
    const char *name = "pvg_pipeline_copy_text";
    PVGI_PRESENT(name, pipeline);
    return pvgi_text_copy(out, capacity, length, pipeline->text, strlen(pipeline->text),
                          name);
}

int64_t pvg_pipeline_order(const pvg_pipeline *pipeline) {
    return pipeline ? pipeline->order : 0;
}

int64_t pvg_pipeline_classes(const pvg_pipeline *pipeline) {
    return pipeline ? pipeline->classes : 0;
}

int32_t pvg_pipeline_view_labels(const int32_t **labels, const int32_t **checks,
                                 const pvg_pipeline *pipeline) {
    const char *name = "pvg_pipeline_view_labels";
    PVGI_PRESENT(name, labels, checks, pipeline);
    PVGI_REQUIRE(pipeline->labels, "%s: labels of %s are private", name,
                 pipeline->kind->row.kind);
    *labels = pipeline->labels;
    *checks = pipeline->checks;
    return PVG_OK;
}

int32_t pvg_pipeline_view_prior(const double **prior, const pvg_pipeline *pipeline) {
    const char *name = "pvg_pipeline_view_prior";
    PVGI_PRESENT(name, prior, pipeline);
    PVGI_REQUIRE(pipeline->prior, "%s: %s has no encoder of public features", name,
                 pipeline->kind->row.kind);
    *prior = pipeline->prior;
    return PVG_OK;
}

int32_t pvg_pipeline_preview(pvg_preview **out, const pvg_pipeline *pipeline,
                             int64_t place, const pvg_run *run) {
    const char *name = "pvg_pipeline_preview";
    PVGI_PRESENT(name, out);
    *out = NULL;
    PVGI_PRESENT(name, pipeline);
    PVGI_REQUIRE(place >= 0 && place < PVGI_DRAWS, "%s: place is not in [0, 2]", name);
    return pipeline->kind->preview(out, pipeline, (int)place, run);
}

int32_t pvg_pipeline_draw(pvg_release **first, pvg_release **second, pvg_release **third,
                          const pvg_pipeline *pipeline, const pvg_input *input,
                          pvg_rng *rng, pvg_ledger *first_ledger,
                          pvg_ledger *second_ledger, pvg_ledger *third_ledger,
                          const pvg_run *run) {
    const char *name = "pvg_pipeline_draw";
    pvg_ledger *const ledgers[PVGI_DRAWS] = {first_ledger, second_ledger, third_ledger};
    pvg_release *drawn[PVGI_DRAWS] = {NULL, NULL, NULL};
    pvgi_run running;
    PVGI_PRESENT(name, first, second, third);
    *first = *second = *third = NULL;
    PVGI_PRESENT(name, pipeline, input);
    PVGI_TRY(pvgi_run_begin(&running, run));
    const int32_t status =
        pvgi_learn_pipeline_draw(drawn, pipeline, name, input, rng, ledgers, &running);
    *first = drawn[0]; /* paid for, whatever failed afterwards */
    *second = drawn[1];
    *third = drawn[2];
    return status;
}

int32_t pvg_pipeline_read(double *out, double *without, pvg_model **model,
                          const pvg_pipeline *pipeline, const pvg_release *first,
                          const pvg_release *second, const pvg_release *third,
                          pvg_rng *rng, const pvg_run *run) {
    const char *name = "pvg_pipeline_read";
    const pvgi_seen seen = {.seen = {first, second, third}};
    pvgi_run running;
    if (model) *model = NULL;
    PVGI_PRESENT(name, out, pipeline);
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_learn_pipeline_read(out, without, model, pipeline, name, &seen, rng,
                                    &running);
}

int32_t pvg_pipeline_read_exact(double *out, double *without,
                                const pvg_pipeline *pipeline, const pvg_model *encoder,
                                const pvg_release *states, const pvg_model *head,
                                const pvg_input *input, const pvg_run *run) {
    const char *name = "pvg_pipeline_read_exact";
    const pvgi_seen seen = {
        .seen = {NULL, states, NULL}, .encoder = encoder, .head = head, .input = input};
    pvgi_run running;
    PVGI_PRESENT(name, out, pipeline, encoder, input);
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_learn_pipeline_read(out, without, NULL, pipeline, name, &seen, NULL,
                                    &running);
}

int32_t pvg_pipeline_exact(double *out, double *without, const pvg_pipeline *pipeline,
                           const pvg_input *input, pvg_rng *rng, const pvg_run *run) {
    const char *name = "pvg_pipeline_exact";
    pvgi_run running;
    PVGI_PRESENT(name, out, pipeline, input);
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_learn_pipeline_read(out, without, NULL, pipeline, name,
                                    &(pvgi_seen){.input = input}, rng, &running);
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
    return pvgi_learn_explain(e, name, &running);
}

int32_t pvg_explain_exact(double *out, int32_t explainer, const pvg_model *model,
                          const pvg_dataset *dataset, const int64_t *nodes, int64_t count,
                          const pvg_explain_config *config, pvg_rng *rng,
                          const pvg_run *run) {
    const char *name = "pvg_explain_exact";
    PVGI_PRESENT(name, out);
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
    const char *name = "pvg_explain_masks_exact";
    PVGI_PRESENT(name, rng);
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
