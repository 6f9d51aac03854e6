/* Entry file of network: what network.h declares. */
#include "base/present.h"
#include "network/builder.h"

#include <math.h>
#include <string.h>

/* --- networks ---------------------------------------------------------------------- */

int32_t pvg_network_from_text(pvg_network **out, const char *text, int64_t inputs,
                              int64_t classes) {
    const char *name = "pvg_network_from_text";
    PVGI_PRESENT(name, out);
    *out = NULL;
    PVGI_PRESENT(name, text);
    PVGI_REQUIRE(inputs >= 1 && inputs <= INT32_MAX, "%s: inputs is %lld", name,
                 (long long)inputs);
    PVGI_REQUIRE(classes >= 1 && classes <= PVG_NETWORK_CLASSES_MAX,
                 "%s: classes is %lld, not in 1..%d", name, (long long)classes,
                 (int)PVG_NETWORK_CLASSES_MAX);
    PVGI_REQUIRE(strlen(text) < 1 << 16, "%s: text is longer than 65535 characters",
                 name);
    return pvgi_network_parse(out, text, inputs, classes);
}

void pvg_network_free(pvg_network *network) {
    pvgi_network_free(network);
}

int64_t pvg_network_inputs(const pvg_network *network) {
    return network ? network->program.inputs : 0;
}

int64_t pvg_network_classes(const pvg_network *network) {
    return network ? network->program.classes : 0;
}

int64_t pvg_network_parameters(const pvg_network *network) {
    return network ? network->parameters : 0;
}

int32_t pvg_network_copy_text(char *out, size_t capacity, size_t *length,
                              const pvg_network *network) {
    const char *name = "pvg_network_copy_text";
    PVGI_PRESENT(name, network);
    return pvgi_text_copy(out, capacity, length, network->text, strlen(network->text),
                          name);
}

/* --- datasets ---------------------------------------------------------------------- */

int32_t pvg_dataset_builder_new(pvg_dataset_builder **out, int64_t order) {
    const char *name = "pvg_dataset_builder_new";
    PVGI_PRESENT(name, out);
    *out = NULL;
    PVGI_REQUIRE(order >= 1 && order <= PVGI_GRAPH_ORDER_MAX, "%s: order is %lld", name,
                 (long long)order);
    return pvgi_network_builder_new(out, order);
}

void pvg_dataset_builder_free(pvg_dataset_builder *builder) {
    pvgi_network_builder_free(builder);
}

int32_t pvg_dataset_builder_add_public_graph(pvg_dataset_builder *builder,
                                             const pvg_graph *graph) {
    return pvgi_network_add_graph("pvg_dataset_builder_add_public_graph", builder, graph,
                                  PVGI_ORIGIN_PUBLIC);
}

int32_t pvg_dataset_builder_add_private_graph(pvg_dataset_builder *builder,
                                              const pvg_graph *graph) {
    return pvgi_network_add_graph("pvg_dataset_builder_add_private_graph", builder, graph,
                                  PVGI_ORIGIN_PRIVATE);
}

int32_t pvg_dataset_builder_add_public_graphset(pvg_dataset_builder *builder,
                                                const pvg_graphset *set) {
    const char *name = "pvg_dataset_builder_add_public_graphset";
    PVGI_TRY(pvgi_network_builder_open(name, builder, set, "set"));
    PVGI_REQUIRE(!builder->data.offsets, "%s: there is a graph already", name);
    PVGI_REQUIRE(!builder->data.labels && !builder->data.split &&
                     builder->data.window == 0,
                 "%s: add the set before labels and split, and without windows", name);
    PVGI_REQUIRE(set->order == builder->data.order,
                 "%s: the set has %lld nodes, the dataset %lld", name,
                 (long long)set->order, (long long)builder->data.order);
    PVGI_REQUIRE(set->count >= 1, "%s: the set is empty", name);
    return pvgi_network_builder_graphset(builder, set);
}

int32_t pvg_dataset_builder_add_public_features(pvg_dataset_builder *builder,
                                                const pvg_features *features) {
    return pvgi_network_add_features("pvg_dataset_builder_add_public_features", builder,
                                     features, PVGI_ORIGIN_PUBLIC);
}

int32_t pvg_dataset_builder_add_private_features(pvg_dataset_builder *builder,
                                                 const pvg_features *features) {
    return pvgi_network_add_features("pvg_dataset_builder_add_private_features", builder,
                                     features, PVGI_ORIGIN_PRIVATE);
}

int32_t pvg_dataset_builder_add_public_labels(pvg_dataset_builder *builder,
                                              const pvg_labels *labels) {
    return pvgi_network_add_labels("pvg_dataset_builder_add_public_labels", builder,
                                   labels, PVGI_ORIGIN_PUBLIC);
}

int32_t pvg_dataset_builder_add_private_labels(pvg_dataset_builder *builder,
                                               const pvg_labels *labels) {
    return pvgi_network_add_labels("pvg_dataset_builder_add_private_labels", builder,
                                   labels, PVGI_ORIGIN_PRIVATE);
}

int32_t pvg_dataset_builder_add_released(pvg_dataset_builder *builder,
                                         const pvg_release *release, int32_t role) {
    const char *name = "pvg_dataset_builder_add_released";
    PVGI_TRY(pvgi_network_builder_open(name, builder, release, "release"));
    PVGI_REQUIRE(role >= PVG_ROLE_GRAPH && role <= PVG_ROLE_STATES,
                 "%s: role is %d, not a PVG_ROLE_*", name, (int)role);
    /* noted first: a part without its guarantee must not exist. One that did not come in
     * after all stays noted: too much rather than too little */
    PVGI_TRY(pvgi_network_note(&builder->data, release));
    return pvgi_network_add_content(name, builder, &release->content, role);
}

int32_t pvg_dataset_builder_add_public_windows(pvg_dataset_builder *builder, int64_t size,
                                               int32_t pairs, const double *links,
                                               int64_t count) {
    return pvgi_network_add_windows("pvg_dataset_builder_add_public_windows", builder,
                                    size, pairs, links, count, PVGI_ORIGIN_PUBLIC);
}

int32_t pvg_dataset_builder_add_private_windows(pvg_dataset_builder *builder,
                                                int64_t size, int32_t pairs,
                                                const double *links, int64_t count) {
    return pvgi_network_add_windows("pvg_dataset_builder_add_private_windows", builder,
                                    size, pairs, links, count, PVGI_ORIGIN_PRIVATE);
}

int32_t pvg_dataset_builder_set_arc_weights(pvg_dataset_builder *builder,
                                            const double *weights, int64_t count,
                                            int32_t meaning) {
    const char *name = "pvg_dataset_builder_set_arc_weights";
    PVGI_TRY(pvgi_network_builder_open(name, builder, weights, "weights"));
    const pvg_dataset *data = &builder->data;
    PVGI_REQUIRE(data->offsets, "%s: there is no graph yet", name);
    PVGI_REQUIRE(!data->arc_weights, "%s: there are weights already", name);
    PVGI_REQUIRE(meaning == PVG_ARCS_WEIGHTS || meaning == PVG_ARCS_MASKS,
                 "%s: meaning is %d, not a PVG_ARCS_*", name, (int)meaning);
    /* of a private graph the number of arcs would be told */
    PVGI_REQUIRE(count == data->offsets[data->order] ||
                     data->graph_origin == PVGI_ORIGIN_PRIVATE,
                 "%s: %lld weights for %lld arcs", name, (long long)count,
                 (long long)data->offsets[data->order]);
    PVGI_REQUIRE(count == data->offsets[data->order], "%s: not one weight for each arc",
                 name);
    for (int64_t e = 0; e < count; e++)
        PVGI_REQUIRE(isfinite(weights[e]) && weights[e] >= 0.0,
                     "%s: weights[%lld] is not a number of at least 0", name,
                     (long long)e);
    return pvgi_network_builder_arc_weights(builder, weights, meaning == PVG_ARCS_MASKS);
}

int32_t pvg_dataset_builder_add_seen(pvg_dataset_builder *builder,
                                     const pvg_model *model) {
    const char *name = "pvg_dataset_builder_add_seen";
    PVGI_TRY(pvgi_network_builder_open(name, builder, model, "model"));
    PVGI_TRY(pvgi_network_check_private(name, model, NULL));
    return pvgi_network_note_model(&builder->data, model);
}

int32_t pvg_dataset_builder_set_split(pvg_dataset_builder *builder, const int32_t *parts,
                                      int64_t count) {
    const char *name = "pvg_dataset_builder_set_split";
    PVGI_TRY(pvgi_network_builder_open(name, builder, parts, "parts"));
    PVGI_REQUIRE(count == builder->data.outputs, "%s: %lld parts for %lld rows", name,
                 (long long)count, (long long)builder->data.outputs);
    for (int64_t i = 0; i < count; i++)
        PVGI_REQUIRE(parts[i] >= PVG_PART_NONE && parts[i] <= PVG_PART_TEST,
                     "%s: parts[%lld] is %d, not in -1..2", name, (long long)i,
                     (int)parts[i]);
    return pvgi_network_builder_split(builder, parts);
}

int32_t pvg_dataset_builder_finish(pvg_dataset **out, pvg_dataset_builder *builder) {
    const char *name = "pvg_dataset_builder_finish";
    PVGI_PRESENT(name, out);
    *out = NULL;
    PVGI_TRY(pvgi_network_builder_open(name, builder, builder, "builder"));
    return pvgi_network_builder_finish(out, builder);
}

void pvg_dataset_free(pvg_dataset *dataset) {
    pvgi_network_dataset_free(dataset);
}

int64_t pvg_dataset_rows(const pvg_dataset *dataset) {
    return dataset ? dataset->outputs : 0;
}

int64_t pvg_dataset_order(const pvg_dataset *dataset) {
    return dataset ? dataset->order : 0;
}

int64_t pvg_dataset_arcs_exact(const pvg_dataset *dataset) {
    return dataset && dataset->offsets ? dataset->offsets[dataset->order] : 0;
}

int32_t pvg_dataset_holds_secrets(const pvg_dataset *dataset) {
    return dataset && (dataset->graph_origin == PVGI_ORIGIN_PRIVATE ||
                       dataset->features_origin == PVGI_ORIGIN_PRIVATE ||
                       dataset->labels_origin == PVGI_ORIGIN_PRIVATE ||
                       dataset->windows_origin == PVGI_ORIGIN_PRIVATE);
}

/* --- training ---------------------------------------------------------------------- */

int32_t pvg_network_memory_exact(uint64_t *out, const pvg_network *network,
                                 const pvg_dataset *dataset,
                                 const pvg_training_config *config) {
    const char *name = "pvg_network_memory_exact";
    pvg_training_config own;
    size_t bytes = 0;
    const pvgi_tape_wish wish = {.learn = true};
    PVGI_PRESENT(name, out, network, dataset);
    PVGI_TRY(pvgi_network_read_config(&own, name, config));
    PVGI_TRY(pvgi_network_tape_bytes(&bytes, network, dataset, &own, &wish));
    if (own.batch > 0) PVGI_TRY(pvgi_network_batch_bytes(&bytes, network, dataset, &own));
    *out = bytes;
    return PVG_OK;
}

int32_t pvg_model_train(pvg_model **out, const pvg_network *network,
                        const pvg_dataset *dataset, const pvg_training_config *config,
                        const pvg_model *start, pvg_rng *rng, const pvg_run *run) {
    const char *name = "pvg_model_train";
    pvg_training_config own;
    pvgi_run state;
    PVGI_PRESENT(name, out);
    *out = NULL;
    PVGI_PRESENT(name, network, dataset, rng);
    PVGI_TRY(pvgi_network_read_config(&own, name, config));
    PVGI_REQUIRE(!start || (strcmp(start->network->text, network->text) == 0 &&
                            start->network->program.inputs == network->program.inputs &&
                            start->network->program.classes == network->program.classes),
                 "%s: start has another network", name);
    PVGI_REQUIRE(!start || start->member_count == own.averages * own.folds,
                 "%s: start has %lld models, not %lld", name,
                 (long long)(start ? start->member_count : 0),
                 (long long)(own.averages * own.folds));
    PVGI_TRY(pvgi_run_begin(&state, run));
    return pvgi_network_train(out, network, dataset, &own, start, rng, &state);
}

/* --- models ------------------------------------------------------------------------ */

static int32_t check_kind(const char *name, const pvg_model *model, int32_t kind) {
    PVGI_REQUIRE(pvgi_network_predict_columns(model, kind) > 0,
                 "%s: kind is %d, which this model has not", name, (int)kind);
    return PVG_OK;
}

static int32_t check_notion(const char *name, int32_t notion) {
    PVGI_REQUIRE(pvgi_guarantee_notion(notion), "%s: notion is %d, not a PVG_NOTION_*",
                 name, (int)notion);
    return PVG_OK;
}

static int32_t check_single(const char *name, const pvg_model *model) {
    PVGI_REQUIRE(model->member_count == 1, "%s: model is the mean of %lld", name,
                 (long long)model->member_count);
    return PVG_OK;
}

void pvg_model_free(pvg_model *model) {
    pvgi_network_model_free(model);
}

int64_t pvg_model_columns(const pvg_model *model, int32_t kind) {
    return model ? pvgi_network_predict_columns(model, kind) : 0;
}

int32_t pvg_model_predict(pvg_release **out, const pvg_model *model,
                          const pvg_dataset *dataset, int32_t kind, int32_t notion,
                          const uint64_t *object, const pvg_run *run) {
    const char *name = "pvg_model_predict";
    PVGI_PRESENT(name, out);
    *out = NULL;
    PVGI_PRESENT(name, model, dataset);
    PVGI_TRY(check_kind(name, model, kind));
    PVGI_TRY(check_notion(name, notion));
    return pvgi_network_release(out, name, model, dataset, kind, notion, object, run);
}

int32_t pvg_model_score(double *accuracy, double *loss, const pvg_model *model,
                        const pvg_dataset *dataset, int32_t part, const pvg_run *run) {
    const char *name = "pvg_model_score";
    PVGI_PRESENT(name, model, dataset);
    PVGI_TRY(pvgi_network_check_private(name, model, dataset));
    return pvg_model_score_exact(accuracy, loss, model, dataset, part, run);
}

int32_t pvg_model_promise(pvg_guarantee **out, const pvg_model *model, int32_t notion,
                          const uint64_t *object) {
    const char *name = "pvg_model_promise";
    PVGI_PRESENT(name, out);
    *out = NULL;
    PVGI_PRESENT(name, model);
    PVGI_TRY(check_notion(name, notion));
    PVGI_TRY(pvgi_network_check_private(name, model, NULL));
    pvg_guarantee *guarantee = pvgi_alloc_zero(1, sizeof *guarantee);
    if (!guarantee) return pvgi_fail_nomem();
    const pvg_guarantee *own = pvgi_network_training_alone(model, notion, object);
    const int32_t status =
        own ? pvgi_network_training_promise(guarantee, own)
            : pvgi_network_promise(guarantee, name, model->sources, notion, object);
    if (status == PVG_OK)
        *out = guarantee;
    else
        pvgi_free(guarantee);
    return status;
}

int32_t pvg_model_predict_exact(double *out, const pvg_model *model,
                                const pvg_dataset *dataset, int32_t kind,
                                const pvg_run *run) {
    const char *name = "pvg_model_predict_exact";
    pvgi_run state;
    PVGI_PRESENT(name, out, model, dataset);
    PVGI_TRY(check_kind(name, model, kind));
    PVGI_TRY(pvgi_run_begin(&state, run));
    return pvgi_network_predict(out, model, dataset, kind, &state);
}

int32_t pvg_model_score_exact(double *accuracy, double *loss, const pvg_model *model,
                              const pvg_dataset *dataset, int32_t part,
                              const pvg_run *run) {
    const char *name = "pvg_model_score_exact";
    pvgi_run state;
    PVGI_PRESENT(name, model, dataset);
    PVGI_REQUIRE(part >= PVG_PART_TRAIN && part <= PVG_PART_TEST,
                 "%s: part is %d, not in 0..2", name, (int)part);
    PVGI_REQUIRE(dataset->labels, "%s: the dataset has no labels", name);
    PVGI_TRY(pvgi_run_begin(&state, run));
    return pvgi_network_score(accuracy, loss, model, dataset, part, &state);
}

int32_t pvg_model_gradient_exact(double *features, double *arcs, const pvg_model *model,
                                 const pvg_dataset *dataset, int64_t row, int64_t column,
                                 const pvg_run *run) {
    const char *name = "pvg_model_gradient_exact";
    pvgi_run state;
    PVGI_PRESENT(name, model, dataset);
    PVGI_REQUIRE(features || arcs, "%s: features and arcs are NULL", name);
    PVGI_REQUIRE(!arcs || dataset->offsets, "%s: the dataset has no graph", name);
    PVGI_TRY(check_single(name, model));
    PVGI_REQUIRE(row >= 0 && row < dataset->outputs, "%s: row is %lld, not in 0..%lld",
                 name, (long long)row, (long long)(dataset->outputs - 1));
    PVGI_REQUIRE(column >= 0 && column < model->network->program.classes,
                 "%s: column is %lld, not in 0..%lld", name, (long long)column,
                 (long long)(model->network->program.classes - 1));
    PVGI_TRY(pvgi_run_begin(&state, run));
    return pvgi_network_gradient(features, arcs, model, dataset, row, column, &state);
}

int64_t pvg_model_inputs(const pvg_model *model) {
    return model ? model->network->program.inputs : 0;
}

int64_t pvg_model_parameters(const pvg_model *model) {
    return model ? model->network->parameters : 0;
}

int64_t pvg_model_members(const pvg_model *model) {
    return model ? model->member_count : 0;
}

double pvg_model_temperature_exact(const pvg_model *model) {
    return model ? model->temperature : 0;
}

int32_t pvg_model_copy_weights_exact(double *out, const pvg_model *model,
                                     int64_t member) {
    const char *name = "pvg_model_copy_weights_exact";
    PVGI_PRESENT(name, out, model);
    PVGI_REQUIRE(member >= 0 && member < model->member_count,
                 "%s: member is %lld, not in 0..%lld", name, (long long)member,
                 (long long)(model->member_count - 1));
    memcpy(out, model->weights + member * model->network->parameters,
           (size_t)model->network->parameters * sizeof *out);
    return PVG_OK;
}

int32_t pvg_model_copy_history_exact(double *out, int64_t *count,
                                     const pvg_model *model) {
    const char *name = "pvg_model_copy_history_exact";
    PVGI_PRESENT(name, count, model);
    *count = model->history_count;
    for (int64_t i = 0; out && i < model->history_count; i++) {
        const pvgi_history *h = &model->history[i];
        out[4 * i] = (double)h->epoch;
        out[4 * i + 1] = h->train_loss;
        out[4 * i + 2] = h->loss;
        out[4 * i + 3] = h->accuracy;
    }
    return PVG_OK;
}

int32_t pvg_layers_from_model(pvg_layers **out, const pvg_layers_config *config,
                              const pvg_model *model) {
    const char *name = "pvg_layers_from_model";
    PVGI_PRESENT(name, out);
    *out = NULL;
    PVGI_PRESENT(name, model);
    PVGI_TRY(check_single(name, model));
    PVGI_TRY(pvgi_network_check_private(name, model, NULL));
    return pvgi_network_layers(out, name, config, model);
}

/* --- model files -------------------------------------------------------------------- */

int32_t pvg_model_save(const char *path, const pvg_model *model) {
    const char *name = "pvg_model_save";
    PVGI_PRESENT(name, path, model);
    PVGI_TRY(pvgi_network_check_private(name, model, NULL));
    return pvgi_network_save(path, model);
}

int32_t pvg_model_save_exact(const char *path, const pvg_model *model) {
    PVGI_PRESENT("pvg_model_save_exact", path, model);
    return pvgi_network_save(path, model);
}

int32_t pvg_model_load(pvg_model **out, const char *path) {
    PVGI_PRESENT("pvg_model_load", out);
    *out = NULL;
    PVGI_PRESENT("pvg_model_load", path);
    return pvgi_network_load(out, path);
}

int32_t pvg_model_loaded(const pvg_model *model) {
    return model && model->loaded;
}

int32_t pvg_model_holds_secrets(const pvg_model *model) {
    return model && model->saw_private;
}

int32_t pvg_model_copy_seen_json(char *out, size_t capacity, size_t *length,
                                 const pvg_model *model) {
    const char *name = "pvg_model_copy_seen_json";
    pvgi_text text = {0};
    PVGI_PRESENT(name, model);
    pvgi_network_seen_json(&text, model);
    const int32_t status =
        text.status == PVG_OK
            ? pvgi_text_copy(out, capacity, length, text.data, text.length, name)
            : text.status;
    pvgi_text_free(&text);
    return status;
}

/* --- private training --------------------------------------------------------------- */

int32_t pvg_query_new_training(pvg_query **out, const pvg_network *network,
                               int64_t records, const pvg_dpsgd_config *config,
                               const pvg_model *start, const pvg_target *target) {
    const char *name = "pvg_query_new_training";
    PVGI_PRESENT(name, out);
    *out = NULL;
    PVGI_PRESENT(name, network, target);
    PVGI_REQUIRE(records >= 1 && records <= PVGI_GRAPH_ORDER_MAX,
                 "%s: records is %lld, not in 1..%lld", name, (long long)records,
                 (long long)PVGI_GRAPH_ORDER_MAX);
    return pvgi_network_query(out, name, network, records, config, start, target);
}

int32_t pvg_release_view_model(const pvg_model **model, const pvg_release *release) {
    const char *name = "pvg_release_view_model";
    PVGI_PRESENT(name, model, release);
    PVGI_REQUIRE(release->content.model &&
                     release->content.model_kind == &pvgi_network_models,
                 "%s: the release holds no model", name);
    *model = release->content.model;
    return PVG_OK;
}

int32_t pvg_model_training(pvg_guarantee **out, const pvg_model *model) {
    const char *name = "pvg_model_training";
    PVGI_PRESENT(name, out);
    *out = NULL;
    PVGI_PRESENT(name, model);
    const pvg_guarantee *own = pvgi_network_training(model);
    PVGI_REQUIRE(own, "%s: the weights are not those of a private training", name);
    pvg_guarantee *guarantee = pvgi_alloc_zero(1, sizeof *guarantee);
    if (!guarantee) return pvgi_fail_nomem();
    const int32_t status = pvgi_guarantee_copy(guarantee, own);
    if (status == PVG_OK)
        *out = guarantee;
    else
        pvgi_free(guarantee);
    return status;
}
