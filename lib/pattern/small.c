/* Graphs on at most 32 vertices as one 32-bit mask per vertex: the few questions every
 * file of this module asks. All O(order) word operations or O(order) per component. */
#include "pattern_internal.h"

#include <string.h>

int32_t pvgi_pattern_size(const pvgi_small *graph) {
    int32_t ends = 0;
    for (int32_t v = 0; v < graph->order; v++)
        ends += pvgi_mask_count(graph->adjacency[v]);
    return ends / 2;
}

uint32_t pvgi_pattern_reach(const pvgi_small *graph, uint32_t start, uint32_t within) {
    uint32_t reached = start & within, open = reached;
    while (open) {
        const int32_t v = pvgi_mask_lowest(open);
        open &= open - 1;
        const uint32_t fresh = graph->adjacency[v] & within & ~reached;
        reached |= fresh;
        open |= fresh;
    }
    return reached;
}

int32_t pvgi_pattern_components(int32_t component[PVGI_PATTERN_ORDER],
                                const pvgi_small *graph) {
    uint32_t left = pvgi_mask_first(graph->order);
    int32_t count = 0;
    while (left) {
        uint32_t piece = pvgi_pattern_reach(graph, left & (0u - left), left);
        left &= ~piece;
        for (; piece; piece &= piece - 1) component[pvgi_mask_lowest(piece)] = count;
        count++;
    }
    return count;
}

void pvgi_pattern_induce(pvgi_small *out, int32_t vertex[PVGI_PATTERN_ORDER],
                         const pvgi_small *graph, uint32_t vertices) {
    int32_t old_name[PVGI_PATTERN_ORDER] = {0};
    memset(out, 0, sizeof *out);
    for (uint32_t left = vertices; left; left &= left - 1)
        old_name[out->order++] = pvgi_mask_lowest(left);
    for (int32_t i = 0; i < out->order; i++)
        for (int32_t j = 0; j < i; j++)
            if (graph->adjacency[old_name[i]] >> old_name[j] & 1)
                pvgi_pattern_join(out, i, j);
    if (vertex) memcpy(vertex, old_name, sizeof old_name);
}

bool pvgi_pattern_is_connected(const pvgi_small *graph) {
    const uint32_t all = pvgi_mask_first(graph->order);
    return pvgi_pattern_reach(graph, 1, all) == all;
}

bool pvgi_pattern_is_forest(const pvgi_small *graph) {
    int32_t component[PVGI_PATTERN_ORDER];
    return pvgi_pattern_size(graph) ==
           graph->order - pvgi_pattern_components(component, graph);
}
