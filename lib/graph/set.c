/* Sets of graphs in one block-diagonal CSR, and their builder: arrays that grow by
 * doubling, handed over to the set when it is finished. Adding a graph costs O(its size).
 */
#include "graph_internal.h"

#include <math.h>
#include <string.h>

struct pvg_graphset_builder {
    PVGI_HANDLE;
    pvg_graphset set; /* what has been added so far */
    int64_t graph_capacity, node_capacity,
        capacity;  /* capacities: graphs, nodes, columns */
    bool labelled; /* graphs of this set have node labels */
};

void pvgi_graph_set_free_arrays(pvg_graphset *set) {
    pvgi_free(set->starts);
    pvgi_free(set->offsets);
    pvgi_free(set->columns);
    pvgi_free(set->labels);
    pvgi_free(set->targets);
    pvgi_free(set->node_labels);
}

void pvgi_graph_set_free(pvg_graphset *set) {
    if (!set) return;
    if (set->store)
        pvgi_graph_store_drop(set);
    else
        pvgi_graph_set_free_arrays(set);
    pvgi_free(set);
}

/* --- builder -------------------------------------------------------------------- */

int32_t pvgi_graph_set_builder_new(pvg_graphset_builder **out, int64_t targets) {
    pvg_graphset_builder *builder = pvgi_alloc_zero(1, sizeof *builder);
    if (!builder) return pvgi_fail_nomem();
    builder->set.target_count = targets;
    builder->set.declared = PVGI_DECLARED_NODES; /* until a graph takes it away */
    *out = builder;
    return PVG_OK;
}

void pvgi_graph_set_builder_free(pvg_graphset_builder *builder) {
    if (!builder) return;
    pvgi_graph_set_free_arrays(&builder->set);
    pvgi_free(builder);
}

/* Grows *block to count entries. */
static int32_t grow(void *block, int64_t count, size_t bytes) {
    void *old;
    memcpy(&old, block, sizeof old); /* block is the address of a pointer of any type */
    void *larger = pvgi_grow(old, (size_t)count, bytes);
    if (!larger) return pvgi_fail_nomem();
    memcpy(block, &larger, sizeof larger);
    return PVG_OK;
}

static int64_t doubled(int64_t capacity, int64_t needed) {
    const int64_t next = 2 * capacity > 16 ? 2 * capacity : 16;
    return next > needed ? next : needed;
}

/* Room for that many more; counts are untouched, so a failure leaves the builder as it
 * was: an array may have grown, a capacity is raised only when all its arrays have. */
static int32_t make_room(pvg_graphset_builder *builder, int64_t graphs, int64_t nodes,
                         int64_t entries) {
    pvg_graphset *set = &builder->set;
    const int64_t used = set->offsets ? set->offsets[set->order] : 0;
    if (!set->starts || set->count + graphs > builder->graph_capacity) {
        const int64_t capacity = doubled(builder->graph_capacity, set->count + graphs);
        const size_t width = pvgi_size_mul((size_t)set->target_count, sizeof(double));
        PVGI_TRY(grow(&set->starts, capacity + 1, sizeof *set->starts));
        PVGI_TRY(grow(&set->labels, capacity, sizeof *set->labels));
        if (width > 0) PVGI_TRY(grow(&set->targets, capacity, width));
        set->starts[set->count] = set->order;
        builder->graph_capacity = capacity;
    }
    const bool missing = builder->labelled && !set->node_labels;
    if (!set->offsets || missing || set->order + nodes > builder->node_capacity) {
        const int64_t capacity = doubled(builder->node_capacity, set->order + nodes);
        PVGI_TRY(grow(&set->offsets, capacity + 1, sizeof *set->offsets));
        set->offsets[set->order] = used;
        if (builder->labelled)
            PVGI_TRY(grow(&set->node_labels, capacity, sizeof(int32_t)));
        builder->node_capacity = capacity;
    }
    if (!set->columns || used + entries > builder->capacity) {
        const int64_t capacity = doubled(builder->capacity, used + entries);
        PVGI_TRY(grow(&set->columns, capacity, sizeof *set->columns));
        builder->capacity = capacity;
    }
    return PVG_OK;
}

/* Memory made for a first graph that then could not be added. */
static void drop_node_labels(pvg_graphset *set) {
    pvgi_free(set->node_labels);
    set->node_labels = NULL;
}

int32_t pvgi_graph_set_builder_add(pvg_graphset_builder *builder, const pvg_graph *graph,
                                   int32_t label, const double *targets,
                                   const int32_t *node_labels) {
    pvg_graphset *set = &builder->set;
    if (graph->order > PVGI_GRAPH_ORDER_MAX - set->order)
        return pvgi_fail(PVG_E_LIMIT, "a set has at most 2^31 - 1 nodes");
    PVGI_REQUIRE(set->count == 0 || builder->labelled == (node_labels != NULL),
                 "node_labels: either every graph of a set has them or none");
    builder->labelled = node_labels != NULL;
    if (!node_labels) drop_node_labels(set);
    const int64_t entries = 2 * graph->size;
    PVGI_TRY(make_room(builder, 1, graph->order, entries));

    const int64_t first = set->order, used = set->offsets[first];
    for (int64_t i = 0; i <= graph->order; i++)
        set->offsets[first + i] = used + graph->offsets[i];
    for (int64_t i = 0; i < entries; i++)
        set->columns[used + i] = (int32_t)(first + graph->columns[i]);
    if (node_labels && graph->order > 0)
        memcpy(set->node_labels + first, node_labels,
               (size_t)graph->order * sizeof *node_labels);
    for (int64_t i = 0; i < set->target_count; i++)
        set->targets[set->count * set->target_count + i] =
            targets ? targets[i] : (double)NAN;
    set->labels[set->count++] = label;
    set->order += graph->order;
    set->declared &= graph->declared;
    set->starts[set->count] = set->order;
    return PVG_OK;
}

int32_t pvgi_graph_set_builder_finish(pvg_graphset **out, pvg_graphset_builder *builder) {
    if (builder->set.count == 0) {
        builder->labelled = false;
        drop_node_labels(&builder->set);
    }
    PVGI_TRY(make_room(builder, 0, 0, 0));
    pvg_graphset *set = pvgi_alloc(1, sizeof *set);
    if (!set) return pvgi_fail_nomem();
    *set = builder->set;
    const int32_t status = pvgi_graph_store_new(set);
    if (status != PVG_OK) { /* the builder keeps its arrays */
        pvgi_free(set);
        return status;
    }
    *builder = (pvg_graphset_builder){
        .handle = builder->handle,
        .set = {.target_count = set->target_count, .declared = PVGI_DECLARED_NODES}};
    *out = set;
    return PVG_OK;
}

/* --- one graph cut into a set --------------------------------------------------- */

static int32_t check_cut(const pvg_graph *graph, int64_t count, const int64_t *starts) {
    PVGI_TRY(pvgi_graph_offsets_check("starts", starts, count));
    PVGI_REQUIRE(starts[count] == graph->order, "starts[%lld] is not the order",
                 (long long)count);
    for (int64_t i = 0; i < count; i++)
        for (int64_t at = graph->offsets[starts[i]]; at < graph->offsets[starts[i + 1]];
             at++)
            PVGI_REQUIRE(graph->columns[at] >= starts[i] &&
                             graph->columns[at] < starts[i + 1],
                         "an edge joins graph %lld and another", (long long)i);
    return PVG_OK;
}

/* Sets *out, a pointer of any type, to a copy. */
static int32_t duplicate(void *out, const void *from, size_t count, size_t bytes) {
    void *copy = pvgi_alloc(count, bytes);
    if (!copy) return pvgi_fail_nomem();
    if (count > 0) memcpy(copy, from, count * bytes);
    memcpy(out, &copy, sizeof copy);
    return PVG_OK;
}

static int32_t fill_set(pvg_graphset *set, const int64_t *starts, const int32_t *labels,
                        const double *targets, const int32_t *node_labels) {
    const size_t count = (size_t)set->count;
    const size_t cells = pvgi_size_mul(count, (size_t)set->target_count);
    PVGI_TRY(duplicate(&set->starts, starts, count + 1, sizeof *starts));
    set->labels = pvgi_alloc(count, sizeof *labels);
    if (!set->labels) return pvgi_fail_nomem();
    for (size_t i = 0; i < count; i++) set->labels[i] = labels ? labels[i] : -1;
    if (set->target_count > 0) {
        set->targets = pvgi_alloc(cells, sizeof *targets);
        if (!set->targets) return pvgi_fail_nomem();
        for (size_t i = 0; i < cells; i++)
            set->targets[i] = targets ? targets[i] : (double)NAN;
    }
    if (node_labels)
        PVGI_TRY(duplicate(&set->node_labels, node_labels, (size_t)set->order,
                           sizeof *node_labels));
    return PVG_OK;
}

int32_t pvgi_graph_set_from_graph(pvg_graphset **out, pvg_graph *graph, int64_t count,
                                  const int64_t *starts, const int32_t *labels,
                                  const double *targets, int64_t target_count,
                                  const int32_t *node_labels) {
    pvg_graphset *set = NULL;
    int32_t status;
    PVGI_TRY_DONE(check_cut(graph, count, starts));
    set = pvgi_alloc_zero(1, sizeof *set);
    if (!set) {
        status = pvgi_fail_nomem();
        goto done;
    }
    set->count = count;
    set->order = graph->order;
    set->declared = graph->declared;
    set->target_count = target_count;
    PVGI_TRY_DONE(fill_set(set, starts, labels, targets, node_labels));
    set->offsets = graph->offsets;
    set->columns = graph->columns;
    graph->offsets = NULL;
    graph->columns = NULL;
    PVGI_TRY_DONE(pvgi_graph_store_new(set));
    *out = set;
    set = NULL;
done:
    pvgi_graph_free(graph);
    pvgi_graph_set_free(set);
    return status;
}
