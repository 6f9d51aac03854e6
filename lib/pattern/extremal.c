/* The table of classes: networks, largest numbers of edges, patterns that have them.
 *   trees           m - 1
 *   fan-cactus      2(m - 1) - number of blocks, which is least with blocks as large as
 *                   allowed: ceil((m - 1) / (largest block - 1))
 *   parallel trees  2m - 3: an edge and m - 2 paths of length two beside it
 *   apex forests    k vertices joined to everything, a tree on the others
 *   treewidth       k-trees
 * Below k + 1 vertices the last two are all graphs. */
#include "pattern_internal.h"

#include <string.h>

const pvgi_class_row *pvgi_pattern_class_row(int32_t pattern_class) {
    static const pvgi_class_row rows[] = {
        [PVG_CLASS_TREES] = {"message passing (1-WL)", "m - 1"},
        [PVG_CLASS_FAN_CACTUS] = {"loopy message passing (r-loopy WL)", "2 m - 3"},
        [PVG_CLASS_PARALLEL_TREES] = {"spectral invariant networks", "2 m - 3"},
        [PVG_CLASS_APEX_FORESTS] = {"subgraph k-GNNs", "m (k + 1) - 1 - (k^2 + 3 k) / 2"},
        [PVG_CLASS_TREEWIDTH] = {"folklore k-GNNs (k-WL)", "k m - k (k + 1) / 2"},
        [PVG_CLASS_CYCLES] = {"the spectrum", "m"},
        [PVG_CLASS_ALL] = {"all graphs apart", "m (m - 1) / 2"},
    };
    return pattern_class >= PVG_CLASS_TREES && pattern_class <= PVG_CLASS_ALL
               ? &rows[pattern_class]
               : NULL;
}

/* Blocks that m vertices need at least. */
static int64_t blocks_needed(int32_t largest, int64_t order) {
    const int64_t inner = largest == 0 ? order - 1 : largest < 2 ? 1 : largest - 1;
    return order < 2 ? 0 : (order - 1 + inner - 1) / inner;
}

int64_t pvgi_pattern_class_edges(int32_t pattern_class, int32_t parameter,
                                 int64_t order) {
    const int64_t m = order, all = m * (m - 1) / 2, k = parameter;
    switch ((enum pvg_pattern_class)pattern_class) {
    case PVG_CLASS_TREES:
        return m - 1;
    case PVG_CLASS_FAN_CACTUS:
        return 2 * (m - 1) - blocks_needed(parameter, m);
    case PVG_CLASS_PARALLEL_TREES:
        return m < 2 ? 0 : 2 * m - 3;
    case PVG_CLASS_APEX_FORESTS:
        return k >= m ? all : m * (k + 1) - 1 - (k * k + 3 * k) / 2;
    case PVG_CLASS_TREEWIDTH:
        return k >= m ? all : k * m - k * (k + 1) / 2;
    case PVG_CLASS_CYCLES:
        return m;
    case PVG_CLASS_ALL:
        break;
    }
    return all;
}

/* Joins vertex v to the path of earlier vertices from..v-1 by its last `last` of them. */
static void power_of_path(pvgi_small *graph, int32_t from, int32_t last) {
    for (int32_t v = from + 1; v < graph->order; v++)
        for (int32_t u = v - last > from ? v - last : from; u < v; u++)
            pvgi_pattern_join(graph, u, v);
}

/* Vertex v joined to all later ones. */
static void join_to_all(pvgi_small *graph, int32_t v) {
    for (int32_t u = v + 1; u < graph->order; u++) pvgi_pattern_join(graph, v, u);
}

/* Fans that share vertex 0, of at most `largest` vertices each. */
static void fans(pvgi_small *graph, int32_t largest) {
    const int32_t inner = largest == 0 ? graph->order : largest < 2 ? 1 : largest - 1;
    join_to_all(graph, 0);
    for (int32_t v = 2; v < graph->order; v++)
        if ((v - 1) % inner != 0) pvgi_pattern_join(graph, v - 1, v);
}

static void draw(pvgi_small *graph, int32_t pattern_class, int32_t parameter) {
    const int32_t m = graph->order, k = parameter < m ? parameter : m;
    switch ((enum pvg_pattern_class)pattern_class) {
    case PVG_CLASS_TREES:
        power_of_path(graph, 0, 1);
        break;
    case PVG_CLASS_FAN_CACTUS:
        fans(graph, parameter);
        break;
    case PVG_CLASS_PARALLEL_TREES:
        join_to_all(graph, 0);
        for (int32_t v = 2; v < m; v++) pvgi_pattern_join(graph, 1, v);
        break;
    case PVG_CLASS_APEX_FORESTS:
        for (int32_t v = 0; v < k; v++) join_to_all(graph, v);
        power_of_path(graph, k, 1);
        break;
    case PVG_CLASS_TREEWIDTH:
        power_of_path(graph, 0, k);
        break;
    case PVG_CLASS_CYCLES:
        power_of_path(graph, 0, 1);
        pvgi_pattern_join(graph, 0, m - 1);
        break;
    case PVG_CLASS_ALL:
        power_of_path(graph, 0, m);
        break;
    }
}

static int32_t add(pvgi_pattern_builder *builder, const pvgi_small *graph) {
    pvgi_pattern pattern;
    PVGI_TRY(pvgi_pattern_examine(&pattern, graph, "pvg_class_patterns"));
    return pvgi_pattern_list_add(builder, &pattern);
}

int32_t pvgi_pattern_class_densest(pvg_patterns **out, int32_t pattern_class,
                                   int32_t parameter, int64_t order) {
    pvgi_pattern_builder builder = {0};
    pvgi_small graph = {.order = (int32_t)order};
    draw(&graph, pattern_class, parameter);
    int32_t status = add(&builder, &graph);
    if (status == PVG_OK && pattern_class == PVG_CLASS_TREES && order >= 4) {
        pvgi_small star = {.order = (int32_t)order};
        join_to_all(&star, 0);
        status = add(&builder, &star);
    }
    return pvgi_pattern_list_close(out, &builder, status);
}
