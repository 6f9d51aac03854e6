/* One random graph of each shape, order given. Every graph of the class with that many
 * vertices can come out; docs/guide/patterns.md has the arguments. O(order^2). */
#include "pattern_internal.h"

#include <string.h>

/* Uniform labelled tree on the first n vertices: a random word of n - 2 letters names the
 * tree one to one (Pruefer). */
static void join_tree(pvgi_small *out, int32_t n, pvgi_pattern_source *source) {
    int32_t word[PVGI_PATTERN_ORDER], degree[PVGI_PATTERN_ORDER];
    for (int32_t v = 0; v < n; v++) degree[v] = 1;
    for (int32_t i = 0; i < n - 2; i++)
        degree[word[i] = pvgi_pattern_choose(source, n)]++;
    uint32_t alive = pvgi_mask_first(n);
    for (int32_t i = 0; i < n - 2; i++) {
        int32_t leaf = 0;
        while (degree[leaf] != 1 || !(alive >> leaf & 1)) leaf++;
        pvgi_pattern_join(out, leaf, word[i]);
        alive &= ~pvgi_mask_of(leaf);
        degree[word[i]]--;
    }
    if (n < 2) return;
    const int32_t last = pvgi_mask_lowest(alive);
    pvgi_pattern_join(out, last, pvgi_mask_lowest(alive & (alive - 1)));
}

/* Joins v to all vertices of a set. */
static void join_all(pvgi_small *out, int32_t v, uint32_t set) {
    for (; set; set &= set - 1) pvgi_pattern_join(out, v, pvgi_mask_lowest(set));
}

static void thin(pvgi_small *graph, double keep, pvgi_pattern_source *source) {
    for (int32_t u = 0; u < graph->order; u++)
        for (int32_t v = 0; v < u; v++) {
            if (!(graph->adjacency[u] >> v & 1)) continue;
            if (pvgi_pattern_flip(source, keep)) continue;
            graph->adjacency[u] &= ~pvgi_mask_of(v);
            graph->adjacency[v] &= ~pvgi_mask_of(u);
        }
}

/* A k-tree: a clique on k + 1 vertices, then each vertex joins a k-clique chosen
 * uniformly among those present. */
static void join_ktree(pvgi_small *out, int32_t n, int32_t k,
                       pvgi_pattern_source *source) {
    uint32_t clique[PVGI_PATTERN_ORDER * (PVG_PATTERN_WIDTH_MAX + 1)];
    int32_t count = 0;
    for (int32_t v = 0; v <= k; v++) join_all(out, v, pvgi_mask_first(v));
    for (int32_t v = 0; v <= k; v++)
        clique[count++] = pvgi_mask_first(k + 1) & ~pvgi_mask_of(v);
    for (int32_t v = k + 1; v < n; v++) {
        const uint32_t base = clique[pvgi_pattern_choose(source, count)];
        join_all(out, v, base);
        for (uint32_t left = base; left; left &= left - 1)
            clique[count++] = (base | pvgi_mask_of(v)) & ~(left & (0u - left));
    }
}

/* The k-tree of the reference code: a uniform tree of bags, walked breadth first from bag
 * 0, the clique 0..k; a bag copies its parent's, drops one of the k oldest entries, adds
 * a new vertex. */
static void join_reference_ktree(pvgi_small *out, int32_t n, int32_t k,
                                 pvgi_pattern_source *source) {
    pvgi_small tree = {.order = n - k};
    int32_t bag[PVGI_PATTERN_ORDER][PVG_PATTERN_WIDTH_MAX + 1];
    int32_t queue[PVGI_PATTERN_ORDER] = {0}, queued = 1, fresh = k + 1;
    uint32_t seen = 1;
    join_tree(&tree, tree.order, source);
    for (int32_t v = 0; v <= k; v++) {
        join_all(out, v, pvgi_mask_first(v));
        bag[0][v] = v;
    }
    for (int32_t at = 0; at < queued; at++) {
        const int32_t *parent = bag[queue[at]];
        for (uint32_t left = tree.adjacency[queue[at]] & ~seen; left; left &= left - 1) {
            const int32_t node = pvgi_mask_lowest(left);
            const int32_t dropped = pvgi_pattern_choose(source, k);
            int32_t *child = bag[node], kept = 0;
            for (int32_t i = 0; i <= k; i++)
                if (i != dropped) child[kept++] = parent[i];
            for (int32_t i = 0; i < k; i++) pvgi_pattern_join(out, fresh, child[i]);
            child[k] = fresh++;
            seen |= pvgi_mask_of(node);
            queue[queued++] = node;
        }
    }
}

/* Grows from vertex 0: pick a vertex present, hang a pendant edge or a fan of any size on
 * it. */
static void join_fan_cactus(pvgi_small *out, int32_t n, const pvg_sampler_config *config,
                            pvgi_pattern_source *source) {
    for (int32_t used = 1; used < n;) {
        const int32_t centre = pvgi_pattern_choose(source, used);
        int32_t scratch = n - used, path = 1;
        if (config->parameter > 0 && scratch > config->parameter - 1)
            scratch = config->parameter - 1;
        if (scratch > 1 && pvgi_pattern_flip(source, 0.5))
            path = 2 + pvgi_pattern_choose(source, scratch - 1);
        for (int32_t i = 0; i < path; i++) {
            if (i > 0) pvgi_pattern_join(out, used + i - 1, used + i);
            if (i == 0 || i == path - 1 || pvgi_pattern_flip(source, config->extra))
                pvgi_pattern_join(out, centre, used + i);
        }
        used += path;
    }
}

/* Grows a skeleton from vertex 0: pick a skeleton vertex u, add a new one v, and paths
 * between them over new inner vertices, perhaps also the edge uv. */
static void join_parallel_tree(pvgi_small *out, int32_t n,
                               const pvg_sampler_config *config,
                               pvgi_pattern_source *source) {
    int32_t skeleton[PVGI_PATTERN_ORDER] = {0}, nodes = 1;
    for (int32_t used = 1; used < n;) {
        const int32_t u = skeleton[pvgi_pattern_choose(source, nodes)], v = used++;
        int32_t inner = 0;
        if (used < n && pvgi_pattern_flip(source, 0.5))
            inner = 1 + pvgi_pattern_choose(source, n - used);
        if (inner == 0 || pvgi_pattern_flip(source, config->extra))
            pvgi_pattern_join(out, u, v);
        for (int32_t i = 0; i < inner; i++, used++) {
            const bool fresh = i == 0 || pvgi_pattern_flip(source, 0.5);
            if (fresh && i > 0) pvgi_pattern_join(out, used - 1, v); /* ends a path */
            pvgi_pattern_join(out, fresh ? u : used - 1, used);
        }
        if (inner > 0) pvgi_pattern_join(out, used - 1, v);
        skeleton[nodes++] = v;
    }
}

/* A forest on the first vertices, then vertices joined at will. */
static void join_apex_forest(pvgi_small *out, int32_t n, const pvg_sampler_config *config,
                             pvgi_pattern_source *source) {
    const int32_t most = config->parameter < n ? config->parameter : n - 1;
    const int32_t forest = n - pvgi_pattern_choose(source, most + 1);
    join_tree(out, forest, source);
    thin(out, config->keep, source);
    for (int32_t v = forest; v < n; v++)
        for (int32_t u = 0; u < v; u++)
            if (pvgi_pattern_flip(source, config->extra)) pvgi_pattern_join(out, u, v);
}

void pvgi_pattern_draw_shape(pvgi_small *out, int32_t order, int32_t width,
                             const pvg_sampler_config *config,
                             pvgi_pattern_source *source) {
    memset(out, 0, sizeof *out);
    out->order = order;
    switch ((enum pvg_pattern_class)config->pattern_class) {
    case PVG_CLASS_TREES:
        join_tree(out, order, source);
        break;
    case PVG_CLASS_FAN_CACTUS:
        join_fan_cactus(out, order, config, source);
        break;
    case PVG_CLASS_PARALLEL_TREES:
        join_parallel_tree(out, order, config, source);
        break;
    case PVG_CLASS_APEX_FORESTS:
        join_apex_forest(out, order, config, source);
        return;
    case PVG_CLASS_CYCLES:
        for (int32_t v = 0; v < order; v++) pvgi_pattern_join(out, v, (v + 1) % order);
        return;
    case PVG_CLASS_TREEWIDTH:
    case PVG_CLASS_ALL:
        if (config->reference_law)
            join_reference_ktree(out, order, width, source);
        else
            join_ktree(out, order, width, source);
        thin(out, config->keep, source);
        return;
    }
    /* these classes contain all subgraphs of their members */
    if (config->allow_disconnected) thin(out, config->keep, source);
}
