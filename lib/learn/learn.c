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

int32_t pvg_classify_nodes(double *out, pvg_release **first, pvg_release **second,
                           const pvg_graph *graph, const double *prior,
                           const int32_t *labels, const pvg_posterior_config *config,
                           double first_share, const pvg_target *target, uint64_t object,
                           pvg_rng *rng, pvg_ledger *ledger, const pvg_run *run) {
    const char *name = "pvg_classify_nodes";
    pvg_posterior_config c;
    pvg_target t;
    PVGI_PRESENT(name, out, first);
    *first = NULL;
    if (second) *second = NULL;
    PVGI_PRESENT(name, graph, prior, labels);
    PVGI_TRY(pvgi_learn_check_declared(name, graph, NULL));
    PVGI_TRY(pvgi_learn_import_posterior(&c, name, config, prior, labels, graph->order));
    PVGI_TRY(pvgi_learn_import_target(&t, name, target));
    PVGI_REQUIRE(first_share >= 0.0 && first_share < 1.0,
                 "%s: first_share is not in [0, 1)", name);
    PVGI_REQUIRE(first_share == 0.0 || (second && t.epsilon > 0.0 && t.delta == 0.0),
                 "%s: two rounds need a second release, and a target of epsilon alone",
                 name);
    return pvgi_learn_classify(out, first, second, graph, prior, labels, &c, first_share,
                               &t, object, rng, ledger, run);
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

/* --- recipes ----------------------------------------------------------------------- */

int32_t pvg_recipe_encode(double *out, const pvg_features *features,
                          const int32_t *labels, int64_t order,
                          const pvg_recipe_config *config, pvg_rng *rng,
                          const pvg_run *run) {
    const char *name = "pvg_recipe_encode";
    pvg_recipe_config c;
    pvgi_run running;
    PVGI_PRESENT(name, out);
    PVGI_TRY(pvgi_learn_import_recipe(&c, name, config, features, labels, order, 3));
    PVGI_PRESENT(name, rng);
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_learn_encode(out, features, labels, order,
                             &(pvgi_encoding){c.classes, c.hidden, c.directions,
                                              c.averages, c.checks, c.prior,
                                              c.recipe != PVG_RECIPE_HISTOGRAM},
                             rng, &running);
}

int32_t pvg_recipe_learn(double *out, double *prior, pvg_release **release,
                         const pvg_graph *graph, const pvg_features *features,
                         const int32_t *labels, const pvg_recipe_config *config,
                         const pvg_target *target, uint64_t object, pvg_rng *rng,
                         pvg_ledger *ledger, const pvg_run *run) {
    const char *name = "pvg_recipe_learn";
    pvg_recipe_config c;
    pvg_target t;
    pvgi_run running;
    PVGI_PRESENT(name, out, release);
    *release = NULL;
    PVGI_PRESENT(name, graph);
    PVGI_TRY(pvgi_learn_check_declared(name, graph, NULL));
    PVGI_TRY(
        pvgi_learn_import_recipe(&c, name, config, features, labels, graph->order, 3));
    PVGI_TRY(pvgi_learn_import_target(&t, name, target));
    PVGI_PRESENT(name, rng);
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_learn_recipe(out, prior, release, graph, features, labels, &c, &t, object,
                             rng, ledger, &running);
}

int32_t pvg_recipe_learn_exact(double *out, const pvg_graph *graph,
                               const pvg_features *features, const int32_t *labels,
                               const pvg_recipe_config *config, pvg_rng *rng,
                               const pvg_run *run) {
    const char *name = "pvg_recipe_learn_exact";
    pvg_recipe_config c;
    pvgi_run running;
    PVGI_PRESENT(name, out, graph);
    PVGI_TRY(
        pvgi_learn_import_recipe(&c, name, config, features, labels, graph->order, 3));
    PVGI_PRESENT(name, rng);
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_learn_recipe(out, NULL, NULL, graph, features, labels, &c, NULL, 0, rng,
                             NULL, &running);
}

int32_t pvg_recipe_preview(pvg_preview **out, const pvg_recipe_config *config,
                           const pvg_target *target, int64_t order) {
    const char *name = "pvg_recipe_preview";
    pvg_recipe_config c;
    pvg_target t;
    PVGI_PRESENT(name, out);
    *out = NULL;
    PVGI_TRY(pvgi_learn_fill_recipe(&c, name, config, order, 3));
    PVGI_TRY(pvgi_learn_import_target(&t, name, target));
    return pvgi_learn_recipe_preview(out, &c, &t, order);
}

/* On a copy of the values. release NULL: they are exact, and no model is kept. */
static int32_t learn_rows(double *out, pvg_model **model, const char *name,
                          const pvg_release *release, const double *values, int64_t rows,
                          int64_t columns, const int32_t *labels,
                          const pvg_recipe_config *config, pvg_rng *rng,
                          const pvg_run *run) {
    pvgi_kept kept = {.release = release};
    pvg_recipe_config c;
    pvgi_run running;
    PVGI_TRY(pvgi_learn_import_recipe(&c, name, config, NULL, labels, rows, 10));
    PVGI_PRESENT(name, rng);
    PVGI_TRY(pvgi_run_begin(&running, run));
    double *x = pvgi_alloc((size_t)rows, (size_t)columns * sizeof *x);
    if (!x) return pvgi_fail_nomem();
    memcpy(x, values, (size_t)(rows * columns) * sizeof *x);
    const int32_t status = pvgi_learn_rows(out, model ? &kept : NULL, x, rows, columns,
                                           release ? release->guarantee.told : NULL,
                                           labels, &c, rng, &running);
    if (model) *model = kept.model;
    pvgi_free(x);
    return status;
}

int32_t pvg_recipe_rows(double *out, pvg_model **model, const pvg_release *release,
                        const int32_t *labels, const pvg_recipe_config *config,
                        pvg_rng *rng, const pvg_run *run) {
    const char *name = "pvg_recipe_rows";
    const double *values;
    if (model) *model = NULL;
    PVGI_PRESENT(name, out, release);
    PVGI_TRY(pvg_release_view(&values, release));
    PVGI_REQUIRE(pvg_release_columns(release) >= 1, "%s: the release has no columns",
                 name);
    return learn_rows(out, model, name, release, values, pvg_release_rows(release),
                      pvg_release_columns(release), labels, config, rng, run);
}

int32_t pvg_recipe_rows_exact(double *out, const double *values, int64_t rows,
                              int64_t columns, const int32_t *labels,
                              const pvg_recipe_config *config, pvg_rng *rng,
                              const pvg_run *run) {
    const char *name = "pvg_recipe_rows_exact";
    PVGI_PRESENT(name, out, values);
    PVGI_REQUIRE(columns >= 1 && columns <= INT32_MAX, "%s: columns is %lld", name,
                 (long long)columns);
    PVGI_REQUIRE(rows >= 1 && rows <= INT32_MAX, "%s: rows is %lld", name,
                 (long long)rows);
    PVGI_TRY(pvgi_learn_check_finite(name, "values", values, rows * columns));
    return learn_rows(out, NULL, name, NULL, values, rows, columns, labels, config, rng,
                      run);
}

int32_t pvg_recipe_users(double *out, double *without, pvg_model **model,
                         pvg_release **lists, pvg_release **reports,
                         pvg_release **answers, const pvg_graph *graph,
                         const pvg_features *features, const pvg_labels *labels,
                         const pvg_users_config *config, uint64_t object, pvg_rng *rng,
                         pvg_ledger *list_ledger, pvg_ledger *feature_ledger,
                         pvg_ledger *label_ledger, const pvg_run *run) {
    const char *name = "pvg_recipe_users";
    pvg_ledger *const ledgers[3] = {list_ledger, feature_ledger, label_ledger};
    pvg_users_config c;
    pvgi_run running;
    pvg_release *drawn[3] = {NULL, NULL, NULL};
    if (model) *model = NULL;
    PVGI_PRESENT(name, out, lists, reports, answers);
    *lists = *reports = *answers = NULL;
    PVGI_PRESENT(name, graph, labels, config, rng);
    PVGI_TRY(pvgi_learn_import_users(&c, name, config, graph, features, labels));
    PVGI_TRY(pvgi_learn_check_declared(name, graph,
                                       c.feature_epsilon > 0.0 ? features : NULL));
    PVGI_TRY(pvgi_run_begin(&running, run));
    const int32_t status = pvgi_learn_users(out, without, model, drawn, graph, features,
                                            labels, &c, object, rng, ledgers, &running);
    *lists = drawn[0]; /* paid for, whatever failed afterwards */
    *reports = drawn[1];
    *answers = drawn[2];
    return status;
}

int32_t pvg_recipe_users_exact(double *out, double *without, const pvg_graph *graph,
                               const pvg_features *features, const pvg_labels *labels,
                               const pvg_users_config *config, pvg_rng *rng,
                               const pvg_run *run) {
    const char *name = "pvg_recipe_users_exact";
    pvg_users_config c;
    pvgi_run running;
    pvg_release *drawn[3] = {NULL, NULL, NULL};
    PVGI_PRESENT(name, out);
    PVGI_PRESENT(name, graph, labels, config, rng);
    PVGI_TRY(pvgi_learn_import_users(&c, name, config, graph, features, labels));
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_learn_users(out, without, NULL, drawn, graph, features, labels, &c, 0,
                            rng, NULL, &running);
}

int32_t pvg_recipe_users_learn(double *out, double *without, pvg_model **model,
                               const pvg_release *lists, const pvg_release *reports,
                               const pvg_release *answers, const pvg_graph *graph,
                               const pvg_labels *labels, const pvg_users_config *config,
                               pvg_rng *rng, const pvg_run *run) {
    const char *name = "pvg_recipe_users_learn";
    const pvg_release *const seen[3] = {lists, reports, answers};
    pvg_users_config c;
    pvgi_run running;
    if (model) *model = NULL;
    PVGI_PRESENT(name, out, config, rng);
    PVGI_REQUIRE(!lists != !graph, "%s: needs either lists or a public graph", name);
    PVGI_REQUIRE(!answers != !labels, "%s: needs either answers or public labels", name);
    PVGI_REQUIRE(!lists || lists->content.lists, "%s: lists is a release of another kind",
                 name);
    PVGI_REQUIRE(!reports || reports->content.features,
                 "%s: reports is a release of another kind", name);
    PVGI_REQUIRE(!answers || answers->content.labels,
                 "%s: answers is a release of another kind", name);
    const pvg_labels *told = answers ? answers->content.labels : labels;
    PVGI_TRY(pvgi_learn_import_reports(
        &c, name, config, lists ? lists->content.lists->order : graph->order,
        reports ? reports->content.features : NULL, told, answers != NULL));
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_learn_reports(out, without, model, seen, graph, told->values, &c,
                              told->count, rng, &running);
}

int32_t pvg_recipe_users_preview(pvg_preview **lists, pvg_preview **reports,
                                 pvg_preview **answers, const pvg_users_config *config,
                                 int64_t order, int64_t columns) {
    const char *name = "pvg_recipe_users_preview";
    pvg_users_config c;
    pvg_preview *made[3] = {NULL, NULL, NULL};
    PVGI_PRESENT(name, lists, reports, answers);
    *lists = *reports = *answers = NULL;
    PVGI_REQUIRE(columns >= 0 && columns <= INT32_MAX, "%s: columns is %lld", name,
                 (long long)columns);
    PVGI_TRY(pvgi_learn_fill_users(&c, name, config, order));
    PVGI_TRY(pvgi_learn_users_preview(made, &c, order, columns));
    *lists = made[0];
    *reports = made[1];
    *answers = made[2];
    return PVG_OK;
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
    const pvg_release *const seen[PVGI_DRAWS] = {first, second, third};
    pvgi_run running;
    if (model) *model = NULL;
    PVGI_PRESENT(name, out, pipeline);
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_learn_pipeline_read(out, without, model, pipeline, name, seen, NULL, rng,
                                    &running);
}

int32_t pvg_pipeline_exact(double *out, double *without, const pvg_pipeline *pipeline,
                           const pvg_input *input, pvg_rng *rng, const pvg_run *run) {
    const char *name = "pvg_pipeline_exact";
    pvgi_run running;
    PVGI_PRESENT(name, out, pipeline, input);
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_learn_pipeline_read(out, without, NULL, pipeline, name, NULL, input, rng,
                                    &running);
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

/* --- nodes hidden ------------------------------------------------------------------ */

/* An epsilon and a delta, to be shared out. */
static int32_t import_both(pvg_target *t, const char *name, const pvg_target *target) {
    PVGI_TRY(pvgi_learn_import_target(t, name, target));
    PVGI_REQUIRE(t->epsilon > 0 && t->delta > 0 && t->delta < 1 && isfinite(t->epsilon) &&
                     t->parameter == 0,
                 "%s: target is not an epsilon and a delta", name);
    return PVG_OK;
}

int32_t pvg_recipe_nodes_preview(pvg_preview **out, const pvg_nodes_config *config,
                                 const pvg_target *target, int64_t order,
                                 int64_t columns) {
    const char *name = "pvg_recipe_nodes_preview";
    pvg_nodes_config c;
    pvg_target t;
    int64_t records = 0;
    PVGI_PRESENT(name, out);
    *out = NULL;
    PVGI_TRY(pvgi_learn_fill_nodes(&c, &records, name, config, order));
    PVGI_REQUIRE(c.recipe == PVG_RECIPE_GAP,
                 "%s: config->recipe is not GAP: there are no sums", name);
    PVGI_REQUIRE(columns >= 1 && columns <= INT32_MAX, "%s: columns is %lld", name,
                 (long long)columns);
    PVGI_TRY(import_both(&t, name, target));
    return pvgi_learn_nodes_preview(out, &c, records, &t, order, columns);
}

int32_t pvg_recipe_nodes(pvg_model **encoder, pvg_model **head, pvg_release **states,
                         const pvg_graph *graph, const pvg_features *features,
                         const pvg_labels *labels, const pvg_nodes_config *config,
                         const pvg_target *target, uint64_t object, pvg_rng *rng,
                         pvg_ledger *ledger, const pvg_run *run) {
    const char *name = "pvg_recipe_nodes";
    pvg_nodes_config c;
    pvg_target t;
    pvgi_run running;
    int64_t records = 0;
    PVGI_PRESENT(name, encoder);
    *encoder = NULL;
    PVGI_PRESENT(name, head);
    *head = NULL;
    PVGI_PRESENT(name, states);
    *states = NULL;
    PVGI_TRY(
        pvgi_learn_import_nodes(&c, &records, name, config, graph, features, labels));
    PVGI_TRY(import_both(&t, name, target));
    PVGI_PRESENT(name, rng);
    PVGI_TRY(pvgi_learn_check_declared(name, graph, features));
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_learn_nodes(encoder, head, states, graph, features, labels, &c, records,
                            &t, object, rng, ledger, &running);
}

int32_t pvg_recipe_nodes_predict_exact(double *out, const pvg_model *encoder,
                                       const pvg_model *head, const pvg_release *states,
                                       const pvg_features *features, int64_t directions,
                                       const pvg_run *run) {
    const char *name = "pvg_recipe_nodes_predict_exact";
    pvgi_run running;
    PVGI_PRESENT(name, out, encoder, features);
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
    const char *name = "pvg_recipe_nodes_exact";
    pvg_nodes_config c;
    pvgi_run running;
    int64_t records = 0;
    PVGI_PRESENT(name, out);
    PVGI_TRY(
        pvgi_learn_import_nodes(&c, &records, name, config, graph, features, labels));
    PVGI_PRESENT(name, rng);
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_learn_nodes_exact(out, graph, features, labels, &c, rng, &running);
}
