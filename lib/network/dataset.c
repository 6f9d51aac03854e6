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
    pvgi_guarantee_sources_drop(data->sources);
    pvgi_free(data->starts);
    pvgi_free(data->offsets);
    pvgi_free(data->columns);
    pvgi_free(data->arc_weights);
    pvgi_free(data->links);
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
                                  pvgi_origin origin) {
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
    return PVG_OK;
}

int32_t pvgi_network_builder_graphset(pvg_dataset_builder *builder,
                                      const pvg_graphset *set) {
    pvg_dataset *data = &builder->data;
    const int64_t *first, *offsets;
    const int32_t *columns;
    PVGI_TRY(pvgi_graph_set_rows(&first, &offsets, &columns, set));
    int64_t *starts = copy_array(first, set->count + 1, sizeof *starts);
    int32_t *labels = copy_array(set->labels, set->count, sizeof *labels);
    const int32_t status = starts && labels
                               ? pvgi_network_builder_arcs(builder, offsets, columns,
                                                           true, PVGI_ORIGIN_PUBLIC)
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

/* Columns behind those that are there. Of several parts the most private one gives the
 * lane, and the number of columns is public only if that of each part is. */
int32_t pvgi_network_builder_features(pvg_dataset_builder *builder,
                                      const pvg_features *features, pvgi_origin origin) {
    pvg_dataset *data = &builder->data;
    const int64_t n = data->order, width = data->width;
    const int64_t before = data->x_values ? data->x_offsets[n] : 0;
    const size_t entries = (size_t)(before + features->offsets[n]);
    int64_t *offsets = pvgi_alloc((size_t)n + 1, sizeof *offsets), at = 0;
    int32_t *indices = pvgi_alloc(entries, sizeof *indices);
    double *values = pvgi_alloc(entries, sizeof *values);
    if (!offsets || !indices || !values) {
        pvgi_free(offsets);
        pvgi_free(indices);
        pvgi_free(values);
        return pvgi_fail_nomem();
    }
    for (int64_t v = 0; v < n; v++) {
        offsets[v] = at;
        for (int64_t k = width ? data->x_offsets[v] : 0;
             width && k < data->x_offsets[v + 1]; k++) {
            indices[at] = data->x_indices[k];
            values[at++] = data->x_values[k];
        }
        for (int64_t k = features->offsets[v]; k < features->offsets[v + 1]; k++) {
            indices[at] = (int32_t)(width + features->indices[k]);
            values[at++] = features->values[k];
        }
    }
    offsets[n] = at;
    const bool first = data->features_origin == PVGI_ORIGIN_NONE;
    pvgi_free(data->x_offsets);
    pvgi_free(data->x_indices);
    pvgi_free(data->x_values);
    data->x_offsets = offsets;
    data->x_indices = indices;
    data->x_values = values;
    data->width += features->columns;
    if (origin > data->features_origin) data->features_origin = origin;
    if (first)
        data->declared |= features->declared;
    else if (!(features->declared & PVGI_DECLARED_COLUMNS))
        data->declared &= ~(uint32_t)PVGI_DECLARED_COLUMNS;
    return PVG_OK;
}

int32_t pvgi_network_builder_labels(pvg_dataset_builder *builder, const int32_t *labels,
                                    pvgi_origin origin) {
    pvg_dataset *data = &builder->data;
    data->labels = copy_array(labels, data->outputs, sizeof *labels);
    if (!data->labels) return pvgi_fail_nomem();
    for (int64_t i = 0; i < data->outputs; i++)
        if (labels[i] >= data->classes) data->classes = (int64_t)labels[i] + 1;
    data->labels_origin = origin;
    return PVG_OK;
}

int32_t pvgi_network_builder_split(pvg_dataset_builder *builder, const int32_t *parts) {
    int32_t *own = copy_array(parts, builder->data.outputs, sizeof *own);
    if (!own) return pvgi_fail_nomem();
    pvgi_free(builder->data.split);
    builder->data.split = own;
    return PVG_OK;
}

int32_t pvgi_network_builder_windows(pvg_dataset_builder *builder, int64_t size,
                                     bool pairs, const double *links,
                                     pvgi_origin origin) {
    pvg_dataset *data = &builder->data;
    if (links) {
        data->links = copy_array(links, data->order * size, sizeof *links);
        if (!data->links) return pvgi_fail_nomem();
        for (int64_t i = 0; i < data->order * size; i++) /* an error would tell */
            if (!(data->links[i] > -1e300 && data->links[i] < 1e300)) data->links[i] = 0;
    }
    data->window = size;
    if (pairs) data->pairs = data->outputs = data->order / size * (size * (size - 1) / 2);
    data->windows_origin = origin;
    return PVG_OK;
}

int32_t pvgi_network_builder_arc_weights(pvg_dataset_builder *builder,
                                         const double *weights, bool masks) {
    pvg_dataset *data = &builder->data;
    data->arc_weights = copy_array(weights, data->offsets[data->order], sizeof *weights);
    if (!data->arc_weights) return pvgi_fail_nomem();
    data->arc_masks = masks;
    return PVG_OK;
}

/* --- parts -------------------------------------------------------------------------- */

int64_t pvgi_network_items(const pvg_dataset *data) {
    return data->graphs   ? data->graphs
           : data->window ? data->order / data->window
                          : data->order;
}

/* Nodes of an item, and its rows. */
typedef struct {
    int64_t from, to, row_from, row_to;
} extent;

static extent extent_of(const pvg_dataset *data, int64_t item) {
    extent e = {item, item + 1, item, item + 1};
    if (data->graphs) {
        e.from = data->starts[item];
        e.to = data->starts[item + 1];
    } else if (data->window) {
        const int64_t each =
            data->pairs ? data->window * (data->window - 1) / 2 : data->window;
        e.from = item * data->window;
        e.to = e.from + data->window;
        e.row_from = item * each;
        e.row_to = e.row_from + each;
    }
    return e;
}

/* Room for everything of the part. */
static int32_t open_part(pvg_dataset *part, const pvg_dataset *data, const int64_t *items,
                         int64_t count) {
    int64_t arcs = 0, entries = 0;
    for (int64_t i = 0; i < count; i++) {
        const extent e = extent_of(data, items[i]);
        part->order += e.to - e.from;
        part->outputs += e.row_to - e.row_from;
        if (data->offsets) arcs += data->offsets[e.to] - data->offsets[e.from];
        entries += data->x_offsets[e.to] - data->x_offsets[e.from];
    }
    const size_t n = (size_t)part->order;
    part->x_offsets = pvgi_alloc_zero(n + 1, sizeof *part->x_offsets);
    part->x_indices = pvgi_alloc((size_t)entries, sizeof *part->x_indices);
    part->x_values = pvgi_alloc((size_t)entries, sizeof *part->x_values);
    bool there = part->x_offsets && part->x_indices && part->x_values;
    if (data->graphs) {
        part->starts = pvgi_alloc_zero((size_t)count + 1, sizeof *part->starts);
        there = there && part->starts;
    }
    if (data->graphs && data->offsets) {
        part->offsets = pvgi_alloc_zero(n + 1, sizeof *part->offsets);
        part->columns = pvgi_alloc((size_t)arcs, sizeof *part->columns);
        if (data->arc_weights)
            part->arc_weights = pvgi_alloc((size_t)arcs, sizeof *part->arc_weights);
        there = there && part->offsets && part->columns &&
                (part->arc_weights || !data->arc_weights);
    }
    if (data->links) {
        part->links = pvgi_alloc(n, (size_t)data->window * sizeof *part->links);
        there = there && part->links;
    }
    return there ? PVG_OK : pvgi_fail_nomem();
}

static void copy_item(pvg_dataset *part, const pvg_dataset *data, extent e, int64_t at) {
    const int64_t nodes = e.to - e.from, *x = data->x_offsets;
    const int64_t to = part->x_offsets[at], entries = x[e.to] - x[e.from];
    for (int64_t v = 0; v < nodes; v++)
        part->x_offsets[at + v + 1] = to + x[e.from + v + 1] - x[e.from];
    if (entries > 0) {
        memcpy(part->x_indices + to, data->x_indices + x[e.from],
               (size_t)entries * sizeof *part->x_indices);
        memcpy(part->x_values + to, data->x_values + x[e.from],
               (size_t)entries * sizeof *part->x_values);
    }
    if (part->links)
        memcpy(part->links + at * data->window, data->links + e.from * data->window,
               (size_t)(nodes * data->window) * sizeof *part->links);
    if (!part->offsets) return;
    for (int64_t v = 0; v < nodes; v++) {
        const int64_t first = data->offsets[e.from + v], start = part->offsets[at + v];
        const int64_t degree = data->offsets[e.from + v + 1] - first;
        part->offsets[at + v + 1] = start + degree;
        for (int64_t k = 0; k < degree; k++) {
            part->columns[start + k] = (int32_t)(data->columns[first + k] - e.from + at);
            if (part->arc_weights)
                part->arc_weights[start + k] = data->arc_weights[first + k];
        }
    }
}

int32_t pvgi_network_dataset_part(pvg_dataset **out, int64_t **rows,
                                  const pvg_dataset *data, const int64_t *items,
                                  int64_t count) {
    pvg_dataset *part = pvgi_alloc_zero(1, sizeof *part);
    if (!part) return pvgi_fail_nomem();
    part->width = data->width;
    part->symmetric = data->symmetric;
    part->arc_masks = data->arc_masks;
    part->window = data->window;
    part->classes = data->classes;
    part->graphs = data->graphs ? count : 0;
    if (open_part(part, data, items, count) != PVG_OK) {
        pvgi_network_dataset_free(part);
        return pvgi_fail_nomem();
    }
    int64_t *numbers = pvgi_alloc((size_t)part->outputs, sizeof *numbers);
    if (!numbers) {
        pvgi_network_dataset_free(part);
        return pvgi_fail_nomem();
    }
    int64_t at = 0, row = 0;
    for (int64_t i = 0; i < count; i++) {
        const extent e = extent_of(data, items[i]);
        copy_item(part, data, e, at);
        at += e.to - e.from;
        if (part->starts) part->starts[i + 1] = at;
        for (int64_t k = e.row_from; k < e.row_to; k++) numbers[row++] = k;
    }
    if (data->pairs) part->pairs = part->outputs;
    *out = part;
    *rows = numbers;
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
