/* Canonical form. Components are put into canonical form one by one and sorted. A tree is
 * rooted at its centre and coded by nested brackets, children in code order (Aho,
 * Hopcroft, Ullman). Anything else: refine the vertices to cells of equal neighbour
 * counts, single out each vertex of a cell in turn, and keep the smallest labelled graph
 * found; automorphisms met on the way (equal leaves) prune the search (McKay). Linear-ish
 * for trees; for other patterns a handful of leaves, each O(order^2) word operations. */
#include "pattern_internal.h"

#include <string.h>

static int compare_small(const pvgi_small *a, const pvgi_small *b) {
    if (a->order != b->order) return a->order < b->order ? -1 : 1;
    for (int32_t v = 0; v < a->order; v++)
        if (a->adjacency[v] != b->adjacency[v])
            return a->adjacency[v] < b->adjacency[v] ? -1 : 1;
    return 0;
}

bool pvgi_pattern_equal(const pvgi_small *a, const pvgi_small *b) {
    return compare_small(a, b) == 0;
}

static uint64_t mix(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
    hash = (hash ^ (hash >> 32)) * 0xD6E8FEB86659FD93u;
    return hash ^ (hash >> 29);
}

uint64_t pvgi_pattern_hash(const pvgi_small *canonical) {
    uint64_t hash = mix(0x70617474, (uint64_t)canonical->order);
    for (int32_t v = 0; v < canonical->order; v++)
        hash = mix(hash, canonical->adjacency[v]);
    return hash ? hash : 1; /* 0 means "no such pattern" */
}

/* --- trees ---------------------------------------------------------------------- */

/* Brackets of a subtree as bits, 1 opening, first bracket highest: at most 64 of them. */
typedef struct {
    uint64_t bits;
    int32_t length;
} code;

static bool code_before(code a, code b) {
    return a.length != b.length ? a.length > b.length : a.bits > b.bits;
}

static code tree_code(const pvgi_small *tree, int32_t root, uint32_t parent) {
    code children[PVGI_PATTERN_ORDER];
    int32_t count = 0;
    for (uint32_t left = tree->adjacency[root] & ~parent; left; left &= left - 1) {
        const code child = tree_code(tree, pvgi_mask_lowest(left), pvgi_mask_of(root));
        int32_t at = count++;
        for (; at > 0 && code_before(child, children[at - 1]); at--)
            children[at] = children[at - 1];
        children[at] = child;
    }
    code all = {1, 1};
    for (int32_t i = 0; i < count; i++) {
        all.bits = all.bits << children[i].length | children[i].bits;
        all.length += children[i].length;
    }
    all.bits <<= 1;
    all.length++;
    return all;
}

/* The one or two vertices that remain when leaves are stripped again and again. */
static uint32_t tree_centre(const pvgi_small *tree) {
    uint32_t alive = pvgi_mask_first(tree->order);
    while (pvgi_mask_count(alive) > 2) {
        uint32_t leaves = 0;
        for (uint32_t left = alive; left; left &= left - 1) {
            const int32_t v = pvgi_mask_lowest(left);
            if (pvgi_mask_count(tree->adjacency[v] & alive) <= 1)
                leaves |= pvgi_mask_of(v);
        }
        alive &= ~leaves;
    }
    return alive;
}

static void canonical_tree(pvgi_small *out, const pvgi_small *tree) {
    code best = {0, 0};
    for (uint32_t left = tree_centre(tree); left; left &= left - 1) {
        const code now = tree_code(tree, pvgi_mask_lowest(left), 0);
        if (best.length == 0 || code_before(now, best)) best = now;
    }
    int32_t path[PVGI_PATTERN_ORDER + 1], depth = 0;
    memset(out, 0, sizeof *out);
    for (int32_t i = best.length - 1; i >= 0; i--) {
        if (best.bits >> i & 1) {
            if (depth > 0) pvgi_pattern_join(out, path[depth - 1], out->order);
            path[depth++] = out->order++;
        } else {
            depth--;
        }
    }
}

/* --- other connected graphs ----------------------------------------------------- */

/* An ordered partition of the vertices: cell[p] is the set of vertices that will get the
 * labels p, p+1, ..., empty where no cell starts. */
typedef struct {
    uint32_t cell[PVGI_PATTERN_ORDER];
    uint64_t trace; /* of the refinement, the same for isomorphic situations */
} partition;

enum { GENERATORS = 64 };

typedef struct {
    const pvgi_small *graph;
    pvgi_small best;
    bool have_best;
    int32_t best_depth;
    uint64_t best_trace[PVGI_PATTERN_ORDER + 1];
    int32_t best_path[PVGI_PATTERN_ORDER];   /* vertices singled out */
    int32_t best_vertex[PVGI_PATTERN_ORDER]; /* vertex that got each label */
    int32_t path[PVGI_PATTERN_ORDER];
    int32_t generators;
    uint8_t generator[GENERATORS][PVGI_PATTERN_ORDER];
} labelling;

/* Splits the cell at p by the number of neighbours in `by`; returns the starts of the
 * pieces if there are several. */
static uint32_t split(partition *now, const pvgi_small *graph, int32_t p, uint32_t by) {
    uint32_t group[PVGI_PATTERN_ORDER] = {0}, counts = 0, starts = 0;
    for (uint32_t left = now->cell[p]; left; left &= left - 1) {
        const int32_t v = pvgi_mask_lowest(left);
        const int32_t count = pvgi_mask_count(graph->adjacency[v] & by);
        group[count] |= pvgi_mask_of(v);
        counts |= pvgi_mask_of(count); /* at most 31 */
    }
    const bool several = (counts & (counts - 1)) != 0;
    int32_t at = p;
    for (uint32_t left = counts; left; left &= left - 1) {
        const int32_t count = pvgi_mask_lowest(left);
        now->trace = mix(now->trace, (uint64_t)at << 8 | (uint64_t)count);
        now->cell[at] = group[count];
        starts |= pvgi_mask_of(at);
        at += pvgi_mask_count(group[count]);
    }
    return several ? starts : 0;
}

/* Refines until all vertices of a cell have equally many neighbours in each cell. active:
 * the starts of cells not yet used to split others. */
static void refine(partition *now, const pvgi_small *graph, uint32_t active) {
    while (active) {
        const int32_t w = pvgi_mask_lowest(active);
        const uint32_t by = now->cell[w];
        active &= active - 1;
        now->trace = mix(now->trace, (uint64_t)w);
        for (int32_t p = 0; p < graph->order;) {
            const int32_t width = pvgi_mask_count(now->cell[p]);
            active |= split(now, graph, p, by);
            p += width;
        }
    }
}

/* Start of the first smallest cell with several vertices; -1 if there is none. */
static int32_t target_cell(const partition *now, int32_t order) {
    int32_t best = -1, best_width = PVGI_PATTERN_ORDER + 1;
    for (int32_t p = 0; p < order; p++) {
        const int32_t width = pvgi_mask_count(now->cell[p]);
        if (width > 1 && width < best_width) {
            best = p;
            best_width = width;
        }
    }
    return best;
}

/* The leaf equals the best one: label by label, their vertices give an automorphism. */
static void add_generator(labelling *s, const int32_t *vertex) {
    if (s->generators == GENERATORS) return; /* less pruning, the same result */
    uint8_t *image = s->generator[s->generators++];
    for (int32_t i = 0; i < s->graph->order; i++)
        image[s->best_vertex[i]] = (uint8_t)vertex[i];
}

/* A complete labelling. Returns the depth to go back to. */
static int32_t leaf(labelling *s, const partition *now, int32_t depth, bool better) {
    const int32_t n = s->graph->order;
    int32_t vertex[PVGI_PATTERN_ORDER] = {0}, label[PVGI_PATTERN_ORDER];
    pvgi_small found = {.order = n};
    for (int32_t p = 0; p < n; p++) {
        vertex[p] = pvgi_mask_lowest(now->cell[p]);
        label[vertex[p]] = p;
    }
    for (int32_t v = 0; v < n; v++)
        for (uint32_t left = s->graph->adjacency[v]; left; left &= left - 1)
            found.adjacency[label[v]] |= pvgi_mask_of(label[pvgi_mask_lowest(left)]);
    const int order = better ? -1 : compare_small(&found, &s->best);
    if (order == 0) {
        add_generator(s, vertex);
        int32_t common = 0;
        while (s->path[common] == s->best_path[common]) common++;
        return common; /* the rest of this branch mirrors the best one's */
    }
    if (order < 0) {
        s->best = found;
        s->have_best = true;
        s->best_depth = depth;
        memcpy(s->best_path, s->path, sizeof s->path);
        memcpy(s->best_vertex, vertex, sizeof vertex);
    }
    return depth;
}

/* Vertices that automorphisms fixing the first `depth` singled-out vertices map tried
 * ones to. */
static uint32_t orbit(const labelling *s, uint32_t tried, int32_t depth) {
    for (bool again = true; again;) {
        again = false;
        for (int32_t g = 0; g < s->generators; g++) {
            bool fixes = true;
            for (int32_t i = 0; i < depth; i++)
                fixes = fixes && s->generator[g][s->path[i]] == s->path[i];
            if (!fixes) continue;
            /* an orbit is closed under images and, the group being finite, that suffices
             * for closure under inverses too */
            for (uint32_t left = tried; left; left &= left - 1) {
                const uint32_t image =
                    pvgi_mask_of(s->generator[g][pvgi_mask_lowest(left)]);
                if (tried & image) continue;
                tried |= image;
                again = true;
            }
        }
    }
    return tried;
}

/* Searches below a refined partition. better: the trace so far already beats the best
 * leaf's. Returns the depth to go back to. */
static int32_t explore(labelling *s, const partition *now, int32_t depth, bool better) {
    if (!s->have_best) better = true;
    if (!better && s->have_best) {
        const uint64_t best = depth <= s->best_depth ? s->best_trace[depth] : UINT64_MAX;
        if (now->trace > best) return depth;
        better = now->trace < best;
    }
    const int32_t p = target_cell(now, s->graph->order);
    if (better) s->best_trace[depth] = now->trace;
    if (p < 0) {
        if (!better && depth != s->best_depth) return depth;
        return leaf(s, now, depth, better);
    }
    uint32_t tried = 0;
    while (true) {
        const uint32_t open = now->cell[p] & ~orbit(s, tried, depth);
        if (!open) return depth;
        const uint32_t chosen = open & (0u - open);
        partition next = *now;
        next.cell[p] = chosen;
        next.cell[p + 1] = now->cell[p] & ~chosen;
        s->path[depth] = pvgi_mask_lowest(chosen);
        refine(&next, s->graph, pvgi_mask_of(p) | pvgi_mask_of(p + 1));
        const int32_t back = explore(s, &next, depth + 1, better && tried == 0);
        if (back < depth) return back;
        tried |= chosen;
        better = false; /* from now on there is a best leaf with this prefix */
    }
}

static void canonical_connected(pvgi_small *out, const pvgi_small *graph) {
    labelling s = {.graph = graph};
    partition start = {.cell = {pvgi_mask_first(graph->order)}};
    refine(&start, graph, 1);
    explore(&s, &start, 0, true);
    *out = s.best;
}

/* --- all graphs ----------------------------------------------------------------- */

void pvgi_pattern_canonical(pvgi_small *out, const pvgi_small *graph) {
    pvgi_small pieces[PVGI_PATTERN_ORDER];
    int32_t count = 0;
    uint32_t left = pvgi_mask_first(graph->order);
    while (left) {
        const uint32_t vertices = pvgi_pattern_reach(graph, left & (0u - left), left);
        pvgi_small piece, form;
        left &= ~vertices;
        pvgi_pattern_induce(&piece, NULL, graph, vertices);
        if (pvgi_pattern_is_forest(&piece))
            canonical_tree(&form, &piece);
        else
            canonical_connected(&form, &piece);
        int32_t at = count++;
        for (; at > 0 && compare_small(&form, &pieces[at - 1]) < 0; at--)
            pieces[at] = pieces[at - 1];
        pieces[at] = form;
    }
    memset(out, 0, sizeof *out);
    for (int32_t i = 0; i < count; i++) {
        for (int32_t v = 0; v < pieces[i].order; v++)
            out->adjacency[out->order + v] = pieces[i].adjacency[v] << out->order;
        out->order += pieces[i].order;
    }
}
