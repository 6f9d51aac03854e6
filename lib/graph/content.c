/* What draws make, and lists among it. */
#include "graph_internal.h"

pvgi_lists *pvgi_graph_lists_new(int64_t order, const int64_t *lengths) {
    pvgi_lists *lists = pvgi_alloc_zero(1, sizeof *lists);
    if (!lists) return NULL;
    lists->order = order;
    lists->offsets = pvgi_alloc((size_t)order + 1, sizeof *lists->offsets);
    if (lists->offsets) {
        lists->offsets[0] = 0;
        for (int64_t i = 0; i < order; i++)
            lists->offsets[i + 1] = lists->offsets[i] + lengths[i];
        lists->targets =
            pvgi_alloc((size_t)lists->offsets[order], sizeof *lists->targets);
    }
    if (!lists->targets) {
        pvgi_graph_lists_free(lists);
        return NULL;
    }
    return lists;
}

void pvgi_graph_lists_free(pvgi_lists *lists) {
    if (!lists) return;
    pvgi_free(lists->offsets);
    pvgi_free(lists->targets);
    pvgi_free(lists);
}

void pvgi_graph_content_declare(pvgi_content *content) {
    if (content->graph) content->graph->declared = PVGI_DECLARED_NODES;
    if (content->set) content->set->declared = PVGI_DECLARED_NODES;
    if (content->features) content->features->declared = PVGI_DECLARED_COLUMNS;
    if (content->labels) content->labels->declared = PVGI_DECLARED_LABELS;
}

void pvgi_graph_content_drop(pvgi_content *content) {
    pvgi_free(content->values);
    pvgi_graph_free(content->graph);
    pvgi_graph_set_free(content->set);
    pvgi_graph_lists_free(content->lists);
    pvgi_graph_features_free(content->features);
    pvgi_graph_labels_free(content->labels);
    if (content->model) content->model_kind->drop(content->model);
    *content = (pvgi_content){0};
}
