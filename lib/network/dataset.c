/* Datasets: copies of graph, features, labels and split, and where each came from. */
#include "network_internal.h"

#include <string.h>

int32_t pvgi_network_builder_new(pvg_dataset_builder **out, int64_t order) {
    pvg_dataset_builder *builder = pvgi_alloc_zero(1, sizeof *builder);
    if (!builder) return pvgi_fail_nomem();
    builder->data.order = builder->data.outputs = order;
    *out = builder;
    return PVG_OK;
}

static void drop_parts(pvg_dataset *data) {
    for (int32_t i = 0; i < data->seen_count; i++)
        pvgi_guarantee_drop(&data->seen[i].guarantee);
    pvgi_free(data->starts);
    pvgi_free(data->offsets);
    pvgi_free(data->columns);
    pvgi_free(data->x_offsets);
    pvgi_free(data->x_indices);
    pvgi_free(data->x_values);
    pvgi_free(data->labels);
    pvgi_free(data->split);
    memset(data, 0, sizeof *data);
}

void pvgi_network_builder_free(pvg_dataset_builder *builder) {
    if (!builder) return;
    drop_parts(&builder->data);
    pvgi_free(builder);
}

void pvgi_network_dataset_free(pvg_dataset *data) {
    if (!data) return;
    drop_parts(data);
    pvgi_free(data);
}

static void *copy_array(const void *from, int64_t count, size_t bytes) {
    void *to = pvgi_alloc((size_t)count, bytes);
    if (to && count) memcpy(to, from, (size_t)count * bytes);
    return to;
}

int32_t pvgi_network_builder_arcs(pvg_dataset_builder *builder, const int64_t *offsets,
                                  const int32_t *columns, bool symmetric,
                                  pvgi_origin origin, uint64_t object) {
    pvg_dataset *data = &builder->data;
    int64_t *own = copy_array(offsets, data->order + 1, sizeof *own);
    int32_t *targets = copy_array(columns, offsets[data->order], sizeof *targets);
    if (!own || !targets) {
        pvgi_free(own);
        pvgi_free(targets);
        return pvgi_fail_nomem();
    }
    data->offsets = own;
    data->columns = targets;
    data->symmetric = symmetric;
    data->graph_origin = origin;
    data->graph_object = object;
    return PVG_OK;
}

int32_t pvgi_network_builder_graphset(pvg_dataset_builder *builder,
                                      const pvg_graphset *set) {
    pvg_dataset *data = &builder->data;
    int64_t *starts = copy_array(set->starts, set->count + 1, sizeof *starts);
    int32_t *labels = copy_array(set->labels, set->count, sizeof *labels);
    const int32_t status =
        starts && labels ? pvgi_network_builder_arcs(builder, set->offsets, set->columns,
                                                     true, PVGI_ORIGIN_PUBLIC, 0)
                         : pvgi_fail_nomem();
    if (status != PVG_OK) {
        pvgi_free(starts);
        pvgi_free(labels);
        return status;
    }
    data->starts = starts;
    data->labels = labels;
    data->labels_origin = PVGI_ORIGIN_PUBLIC;
    data->graphs = data->outputs = set->count;
    for (int64_t i = 0; i < set->count; i++)
        if (labels[i] >= data->classes) data->classes = labels[i] + 1;
    return PVG_OK;
}

int32_t pvgi_network_builder_features(pvg_dataset_builder *builder,
                                      const pvg_features *features, pvgi_origin origin,
                                      uint64_t object) {
    pvg_dataset *data = &builder->data;
    const int64_t entries = features->offsets[features->rows];
    data->x_offsets =
        copy_array(features->offsets, features->rows + 1, sizeof *data->x_offsets);
    data->x_indices = copy_array(features->indices, entries, sizeof *data->x_indices);
    data->x_values = copy_array(features->values, entries, sizeof *data->x_values);
    if (!data->x_offsets || !data->x_indices || !data->x_values) {
        pvgi_free(data->x_offsets);
        pvgi_free(data->x_indices);
        pvgi_free(data->x_values);
        data->x_offsets = NULL;
        data->x_indices = NULL;
        data->x_values = NULL;
        return pvgi_fail_nomem();
    }
    data->width = features->columns;
    data->features_origin = origin;
    data->features_object = object;
    data->width_untold = features->columns_from_data;
    return PVG_OK;
}

int32_t pvgi_network_builder_labels(pvg_dataset_builder *builder, const int32_t *labels,
                                    pvgi_origin origin, uint64_t object) {
    pvg_dataset *data = &builder->data;
    data->labels = copy_array(labels, data->outputs, sizeof *labels);
    if (!data->labels) return pvgi_fail_nomem();
    for (int64_t i = 0; i < data->outputs; i++)
        if (labels[i] >= data->classes) data->classes = (int64_t)labels[i] + 1;
    data->labels_origin = origin;
    data->labels_object = object;
    return PVG_OK;
}

int32_t pvgi_network_builder_split(pvg_dataset_builder *builder, const int32_t *parts) {
    int32_t *own = copy_array(parts, builder->data.outputs, sizeof *own);
    if (!own) return pvgi_fail_nomem();
    pvgi_free(builder->data.split);
    builder->data.split = own;
    return PVG_OK;
}

int32_t pvgi_network_builder_finish(pvg_dataset **out, pvg_dataset_builder *builder) {
    pvg_dataset *data = pvgi_alloc(1, sizeof *data);
    if (!data) return pvgi_fail_nomem();
    *data = builder->data;
    memset(&builder->data, 0, sizeof builder->data);
    builder->finished = true;
    *out = data;
    return PVG_OK;
}
