/* Parts of a dataset, checked and copied (builder.c); name: of the function to blame. */
#ifndef PVGI_NETWORK_BUILDER_H
#define PVGI_NETWORK_BUILDER_H

#include "network_internal.h"

/* Both are there, and the builder is not finished. */
int32_t pvgi_network_builder_open(const char *name, const pvg_dataset_builder *builder,
                                  const void *part, const char *part_name);
int32_t pvgi_network_add_graph(const char *name, pvg_dataset_builder *builder,
                               const pvg_graph *graph, pvgi_origin origin);
int32_t pvgi_network_add_features(const char *name, pvg_dataset_builder *builder,
                                  const pvg_features *features, pvgi_origin origin);
int32_t pvgi_network_add_labels(const char *name, pvg_dataset_builder *builder,
                                const pvg_labels *labels, pvgi_origin origin);
int32_t pvgi_network_add_content(const char *name, pvg_dataset_builder *builder,
                                 const pvgi_content *content, int32_t role);
int32_t pvgi_network_add_windows(const char *name, pvg_dataset_builder *builder,
                                 int64_t size, int32_t pairs, const double *links,
                                 int64_t count, pvgi_origin origin);

#endif
