/* Membership in the classes of patterns, exact. Blocks (maximal pieces without a cut
 * vertex) by splitting at cut vertices; forests after removal by branching on the
 * vertices of a shortest cycle. Microseconds for patterns of ordinary size. */
#include "pattern_internal.h"

typedef struct {
    uint32_t block[PVGI_PATTERN_ORDER];
    int32_t count;
} blocks;

/* Splits the connected set `piece` at its first cut vertex, or notes it as a block. */
static void find_blocks(blocks *out, const pvgi_small *graph, uint32_t piece) {
    for (uint32_t left = piece; left; left &= left - 1) {
        const uint32_t v = left & (0u - left);
        uint32_t rest = piece & ~v;
        uint32_t part = pvgi_pattern_reach(graph, rest & (0u - rest), rest);
        if (part == rest) continue;
        for (; rest; rest &= ~part) {
            part = pvgi_pattern_reach(graph, rest & (0u - rest), rest);
            find_blocks(out, graph, part | v);
        }
        return;
    }
    out->block[out->count++] = piece;
}

/* --- fan-cactus graphs ---------------------------------------------------------- */

/* The block without vertex c is a path whose ends are joined to c. */
static bool is_fan(const pvgi_small *graph, uint32_t block, int32_t c) {
    const uint32_t path = block & ~pvgi_mask_of(c);
    int32_t ends = 0;
    for (uint32_t left = path; left; left &= left - 1) {
        const int32_t v = pvgi_mask_lowest(left);
        const int32_t degree = pvgi_mask_count(graph->adjacency[v] & path);
        if (degree == 2) continue;
        if (degree != 1 || !(graph->adjacency[v] & pvgi_mask_of(c))) return false;
        ends++;
    }
    return ends == 2 && pvgi_pattern_reach(graph, path & (0u - path), path) == path;
}

/* The vertex of the block that every way from the root meets first. */
static int32_t entry(const pvgi_small *graph, uint32_t block, int32_t root) {
    if (block >> root & 1) return root;
    const uint32_t all = pvgi_mask_first(graph->order);
    uint32_t outside = pvgi_pattern_reach(graph, pvgi_mask_of(root), all & ~block);
    uint32_t border = 0;
    for (; outside; outside &= outside - 1)
        border |= graph->adjacency[pvgi_mask_lowest(outside)];
    return pvgi_mask_lowest(border & block);
}

static bool fan_cactus_from(const pvgi_small *graph, const blocks *b, int32_t root,
                            int32_t largest) {
    for (int32_t i = 0; i < b->count; i++) {
        const int32_t order = pvgi_mask_count(b->block[i]);
        if (order <= 2) continue;
        if (largest > 0 && order > largest) return false;
        if (!is_fan(graph, b->block[i], entry(graph, b->block[i], root))) return false;
    }
    return true;
}

static bool is_fan_cactus(const pvgi_small *graph, uint32_t piece, int32_t largest) {
    blocks b = {.count = 0};
    find_blocks(&b, graph, piece);
    for (uint32_t left = piece; left; left &= left - 1)
        if (fan_cactus_from(graph, &b, pvgi_mask_lowest(left), largest)) return true;
    return false;
}

/* --- parallel trees ------------------------------------------------------------- */

/* Every block is an edge, a cycle with at most two cut vertices, or paths between two
 * vertices of which no other is a cut vertex. */
static bool is_parallel_tree(const pvgi_small *graph, uint32_t piece) {
    blocks b = {.count = 0};
    uint32_t seen = 0, cuts = 0;
    find_blocks(&b, graph, piece);
    for (int32_t i = 0; i < b.count; i++) {
        cuts |= seen & b.block[i];
        seen |= b.block[i];
    }
    for (int32_t i = 0; i < b.count; i++) {
        if (pvgi_mask_count(b.block[i]) <= 2) continue;
        uint32_t poles = 0; /* vertices with three or more neighbours in the block */
        for (uint32_t left = b.block[i]; left; left &= left - 1) {
            const int32_t v = pvgi_mask_lowest(left);
            if (pvgi_mask_count(graph->adjacency[v] & b.block[i]) > 2)
                poles |= pvgi_mask_of(v);
        }
        const uint32_t ends = cuts & b.block[i];
        if (poles ? pvgi_mask_count(poles) != 2 || (ends & ~poles) != 0
                  : pvgi_mask_count(ends) > 2)
            return false;
    }
    return true;
}

/* --- forests after removal ------------------------------------------------------ */

/* Strips vertices that lie on no cycle: those with at most one neighbour, again and
 * again. */
static uint32_t strip(const pvgi_small *graph, uint32_t alive) {
    for (uint32_t before = 0; before != alive;) {
        before = alive;
        for (uint32_t left = alive; left; left &= left - 1) {
            const int32_t v = pvgi_mask_lowest(left);
            if (pvgi_mask_count(graph->adjacency[v] & alive) <= 1)
                alive &= ~pvgi_mask_of(v);
        }
    }
    return alive;
}

/* Vertices of a shortest way from u to v that does not use the edge uv; 0 if none. */
static uint32_t detour(const pvgi_small *graph, uint32_t alive, int32_t u, int32_t v) {
    uint32_t layer[PVGI_PATTERN_ORDER] = {pvgi_mask_of(u)}, seen = pvgi_mask_of(u);
    int32_t depth = 0;
    while (!(seen >> v & 1)) {
        uint32_t next = 0;
        for (uint32_t left = layer[depth]; left; left &= left - 1) {
            const int32_t x = pvgi_mask_lowest(left);
            next |= graph->adjacency[x] & (x == u ? ~pvgi_mask_of(v) : UINT32_MAX);
        }
        next &= alive & ~seen;
        if (!next) return 0;
        seen |= next;
        layer[++depth] = next;
    }
    /* v is at depth 2 or more, so walking back never meets the edge uv */
    uint32_t way = pvgi_mask_of(v);
    for (int32_t at = v; depth > 0; depth--) {
        at = pvgi_mask_lowest(graph->adjacency[at] & layer[depth - 1]);
        way |= pvgi_mask_of(at);
    }
    return way;
}

static uint32_t shortest_cycle(const pvgi_small *graph, uint32_t alive) {
    uint32_t best = 0;
    for (uint32_t left = alive; left; left &= left - 1) {
        const int32_t u = pvgi_mask_lowest(left);
        for (uint32_t up = graph->adjacency[u] & left & ~pvgi_mask_of(u); up;
             up &= up - 1) {
            const uint32_t cycle = detour(graph, alive, u, pvgi_mask_lowest(up));
            if (cycle && (!best || pvgi_mask_count(cycle) < pvgi_mask_count(best)))
                best = cycle;
        }
    }
    return best;
}

/* Some vertex of each cycle must go. One with two neighbours need not be tried if the
 * cycle has a vertex with more: every cycle through the former passes the latter. */
static bool leaves_forest(const pvgi_small *graph, uint32_t alive, int32_t removals) {
    alive = strip(graph, alive);
    if (!alive) return true;
    if (removals == 0) return false;
    const uint32_t cycle = shortest_cycle(graph, alive);
    uint32_t choices = 0;
    for (uint32_t left = cycle; left; left &= left - 1) {
        const int32_t v = pvgi_mask_lowest(left);
        if (pvgi_mask_count(graph->adjacency[v] & alive) > 2) choices |= pvgi_mask_of(v);
    }
    if (!choices) choices = cycle & (0u - cycle); /* a cycle by itself */
    for (; choices; choices &= choices - 1)
        if (leaves_forest(graph, alive & ~(choices & (0u - choices)), removals - 1))
            return true;
    return false;
}

/* --- all ------------------------------------------------------------------------ */

bool pvgi_pattern_in_class(const pvgi_pattern *pattern, int32_t pattern_class,
                           int32_t parameter) {
    const pvgi_small *graph = &pattern->graph;
    const uint32_t all = pvgi_mask_first(graph->order);
    switch ((enum pvg_pattern_class)pattern_class) {
    case PVG_CLASS_TREES:
        return (pattern->kinds & PVG_KIND_FOREST) != 0;
    case PVG_CLASS_APEX_FORESTS:
        return leaves_forest(graph, all, parameter);
    case PVG_CLASS_TREEWIDTH:
        return pattern->width <= parameter;
    case PVG_CLASS_CYCLES:
        return (pattern->kinds & PVG_KIND_CYCLE) != 0;
    case PVG_CLASS_ALL:
        return true;
    case PVG_CLASS_FAN_CACTUS:
    case PVG_CLASS_PARALLEL_TREES: /* piece by piece */
        break;
    }
    for (uint32_t left = all; left;) {
        const uint32_t piece = pvgi_pattern_reach(graph, left & (0u - left), left);
        left &= ~piece;
        if (pattern_class == PVG_CLASS_FAN_CACTUS
                ? !is_fan_cactus(graph, piece, parameter)
                : !is_parallel_tree(graph, piece))
            return false;
    }
    return true;
}
