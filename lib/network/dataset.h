/* Datasets: parts, where each comes from, and what released ones rest on (dataset.c,
 * builder.c). */
#ifndef PVGI_NETWORK_DATASET_H
#define PVGI_NETWORK_DATASET_H

#include "base/base_internal.h"
#include "graph/graph_internal.h"
#include "guarantee/guarantee_internal.h"
#include "privgraph/network.h"

typedef enum {
    PVGI_ORIGIN_NONE,
    PVGI_ORIGIN_PUBLIC,
    PVGI_ORIGIN_RELEASED,
    PVGI_ORIGIN_PRIVATE
} pvgi_origin;

struct pvg_dataset {
    PVGI_HANDLE;
    pvgi_provenance *sources; /* draws behind its released parts; NULL: none */
    int64_t order;            /* nodes */
    int64_t graphs;           /* graph tasks: number of graphs; else 0 */
    int64_t outputs;          /* rows of a prediction: nodes, graphs or pairs */
    int64_t *starts;          /* graphs + 1 */
    int64_t *offsets;
    int32_t *columns; /* of arcs; NULL without a graph */
    double *degrees;  /* of nodes cut out of a larger graph; NULL: those of the rows */
    bool symmetric;
    double *arc_weights; /* of each arc, or NULL: all 1 */
    bool arc_masks;      /* they are factors of messages and leave degrees alone */
    int64_t window;      /* nodes of a window; 0: there are none */
    int64_t pairs;       /* rows are the pairs of all windows; else 0 */
    double *links;       /* order x window, or NULL */
    int64_t width;       /* columns of the features */
    int64_t *x_offsets;
    int32_t *x_indices;
    double *x_values; /* NULL without features */
    int32_t *labels;  /* outputs; NULL without */
    int32_t *split;   /* outputs; NULL: everything with a label trains */
    int64_t classes;  /* largest label + 1 */
    pvgi_origin graph_origin, features_origin, labels_origin, windows_origin;
    uint32_t declared; /* PVGI_DECLARED_* of features and labels */
};
struct pvg_dataset_builder {
    PVGI_HANDLE;
    pvg_dataset data;
    bool finished;
};

int32_t pvgi_network_builder_new(pvg_dataset_builder **out, int64_t order);
void pvgi_network_builder_free(pvg_dataset_builder *builder);
void pvgi_network_dataset_free(pvg_dataset *data);
int32_t pvgi_network_builder_arcs(pvg_dataset_builder *builder, const int64_t *offsets,
                                  const int32_t *columns, bool symmetric,
                                  pvgi_origin origin);
int32_t pvgi_network_builder_graphset(pvg_dataset_builder *builder,
                                      const pvg_graphset *set);
int32_t pvgi_network_builder_features(pvg_dataset_builder *builder,
                                      const pvg_features *features, pvgi_origin origin);
int32_t pvgi_network_builder_labels(pvg_dataset_builder *builder, const int32_t *labels,
                                    pvgi_origin origin);
int32_t pvgi_network_builder_split(pvg_dataset_builder *builder, const int32_t *parts);
int32_t pvgi_network_builder_windows(pvg_dataset_builder *builder, int64_t size,
                                     bool pairs, const double *links, pvgi_origin origin);
int32_t pvgi_network_builder_arc_weights(pvg_dataset_builder *builder,
                                         const double *weights, bool masks);
/* Neighbours of a node, or the sum of the weights of its arcs. */
static inline double pvgi_network_degree(const pvg_dataset *data, int64_t v) {
    const int64_t from = data->offsets[v], to = data->offsets[v + 1];
    if (data->degrees) return data->degrees[v];
    if (!data->arc_weights || data->arc_masks) return (double)(to - from);
    double sum = 0;
    for (int64_t e = from; e < to; e++) sum += data->arc_weights[e];
    return sum;
}
/* Graphs, windows or nodes: what a step of training may leave out. */
int64_t pvgi_network_items(const pvg_dataset *data);
/* The items as a dataset of their own; *rows receives the numbers of its outputs, owned
 * by the caller. Neither split nor what was seen goes along. */
int32_t pvgi_network_dataset_part(pvg_dataset **out, int64_t **rows,
                                  const pvg_dataset *data, const int64_t *items,
                                  int64_t count);
/* Number of pair i < j of a window with w nodes among its pairs. */
static inline int64_t pvgi_network_pair(int64_t i, int64_t j, int64_t w) {
    return i * (2 * w - i - 1) / 2 + j - i - 1;
}
int32_t pvgi_network_builder_finish(pvg_dataset **out, pvg_dataset_builder *builder);

#endif
