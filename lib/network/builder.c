/* Parts that come into a dataset: do they fit what is there already? Everything is
 * checked before anything is copied; what is wrong in a private part is not told. */
#include "network/builder.h"

#include "base/present.h"

#include <math.h>

int32_t pvgi_network_builder_open(const char *name, const pvg_dataset_builder *builder,
                                  const void *part, const char *part_name) {
    PVGI_PRESENT(name, builder);
    if (!part) return pvgi_fail_null(name, part_name);
    PVGI_REQUIRE(!builder->finished, "%s: builder is finished", name);
    return PVG_OK;
}

/* Its place is free, and it has a row for each that is wanted. what: "is a graph". */
static int32_t fits(const char *name, const char *what, bool taken, int64_t rows,
                    int64_t wanted) {
    PVGI_REQUIRE(!taken, "%s: there %s already", name, what);
    PVGI_REQUIRE(rows == wanted, "%s: %lld rows for the %lld of the dataset", name,
                 (long long)rows, (long long)wanted);
    return PVG_OK;
}

int32_t pvgi_network_add_graph(const char *name, pvg_dataset_builder *builder,
                               const pvg_graph *graph, pvgi_origin origin) {
    PVGI_TRY(pvgi_network_builder_open(name, builder, graph, "graph"));
    const pvg_dataset *data = &builder->data;
    PVGI_TRY(fits(name, "is a graph", data->offsets, graph->order, data->order));
    return pvgi_network_builder_arcs(builder, graph->offsets, graph->columns, true,
                                     origin);
}

int32_t pvgi_network_add_features(const char *name, pvg_dataset_builder *builder,
                                  const pvg_features *features, pvgi_origin origin) {
    PVGI_TRY(pvgi_network_builder_open(name, builder, features, "features"));
    const pvg_dataset *data = &builder->data;
    PVGI_TRY(fits(name, "are features", false, features->rows, data->order));
    PVGI_REQUIRE(features->columns <= INT32_MAX - data->width,
                 "%s: %lld columns beside the %lld that are there are too many", name,
                 (long long)features->columns, (long long)data->width);
    if (origin != PVGI_ORIGIN_PRIVATE)
        PVGI_TRY(pvgi_graph_features_sound(name, "features", features));
    return pvgi_network_builder_features(builder, features, origin);
}

int32_t pvgi_network_add_labels(const char *name, pvg_dataset_builder *builder,
                                const pvg_labels *labels, pvgi_origin origin) {
    PVGI_TRY(pvgi_network_builder_open(name, builder, labels, "labels"));
    const pvg_dataset *data = &builder->data;
    PVGI_TRY(fits(name, "are labels", data->labels, labels->count, data->outputs));
    if (origin != PVGI_ORIGIN_PRIVATE)
        PVGI_TRY(pvgi_graph_labels_sound(name, "labels", labels));
    builder->data.declared |= labels->declared;
    return pvgi_network_builder_labels(builder, labels->values, origin);
}

/* Which content a role needs. */
int32_t pvgi_network_add_content(const char *name, pvg_dataset_builder *builder,
                                 const pvgi_content *content, int32_t role) {
    const pvgi_origin origin = PVGI_ORIGIN_RELEASED;
    pvg_dataset *data = &builder->data;
    if (role == PVG_ROLE_GRAPH) {
        PVGI_REQUIRE(content->graph, "%s: the release has no graph", name);
        return pvgi_network_add_graph(name, builder, content->graph, origin);
    }
    if (role == PVG_ROLE_LISTS) {
        PVGI_REQUIRE(content->lists, "%s: the release has no lists", name);
        PVGI_TRY(
            fits(name, "is a graph", data->offsets, content->lists->order, data->order));
        return pvgi_network_builder_arcs(builder, content->lists->offsets,
                                         content->lists->targets, false, origin);
    }
    if (role == PVG_ROLE_LABELS) {
        PVGI_REQUIRE(content->labels, "%s: the release has no labels", name);
        return pvgi_network_add_labels(name, builder, content->labels, origin);
    }
    if (role == PVG_ROLE_FEATURES && content->features)
        return pvgi_network_add_features(name, builder, content->features, origin);
    PVGI_REQUIRE(content->values, "%s: the release has no numbers", name);
    PVGI_REQUIRE(content->rows == data->order && content->columns >= 1,
                 "%s: the release has %lld rows, the dataset %lld nodes", name,
                 (long long)content->rows, (long long)data->order);
    pvg_features *features = NULL;
    PVGI_TRY(pvg_features_from_dense(&features, content->rows, content->columns,
                                     content->values));
    const int32_t status = pvgi_network_add_features(name, builder, features, origin);
    pvg_features_free(features);
    return status;
}

int32_t pvgi_network_add_windows(const char *name, pvg_dataset_builder *builder,
                                 int64_t size, int32_t pairs, const double *links,
                                 int64_t count, pvgi_origin origin) {
    PVGI_TRY(pvgi_network_builder_open(name, builder, builder, "builder"));
    const pvg_dataset *data = &builder->data;
    PVGI_REQUIRE(data->window == 0, "%s: there are windows already", name);
    PVGI_REQUIRE(data->graphs == 0, "%s: the dataset is one of graphs", name);
    PVGI_REQUIRE(pairs == 0 || pairs == 1, "%s: pairs is %d, not 0 or 1", name,
                 (int)pairs);
    PVGI_REQUIRE(size >= 2 && size <= PVG_NETWORK_WINDOW_MAX,
                 "%s: size is %lld, not in "
                 "2..%d",
                 name, (long long)size, (int)PVG_NETWORK_WINDOW_MAX);
    PVGI_REQUIRE(data->order % size == 0, "%s: %lld nodes are not whole windows of %lld",
                 name, (long long)data->order, (long long)size);
    PVGI_REQUIRE(!pairs || (!data->labels && !data->split),
                 "%s: add the windows before labels and split", name);
    PVGI_REQUIRE(!links || count == data->order * size,
                 "%s: %lld links for %lld nodes in windows of %lld", name,
                 (long long)count, (long long)data->order, (long long)size);
    for (int64_t i = 0; links && i < data->order * size; i++)
        PVGI_REQUIRE(isfinite(links[i]) || origin == PVGI_ORIGIN_PRIVATE,
                     "%s: links[%lld] is not finite", name, (long long)i);
    return pvgi_network_builder_windows(builder, size, pairs == 1, links, origin);
}
