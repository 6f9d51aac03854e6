/* Trees, the plan: which rooted subtrees to evaluate, shared over all trees.
 *
 * With x_T(v) the number of homomorphisms of the rooted tree T that send its root to v,
 *     x_T = product over the children c of the root of A x_c   (node by node),
 *     hom(T) = sum over v of x_T(v),
 * so each distinct subtree below a root costs one sparse product A x_c, whichever tree it
 * is in; A x_leaf is the degree and free. The root of each tree is chosen to add fewest
 * subtrees to those of the others: greedily, then again until nothing improves. */
#include "density/density_internal.h"

#include <stdlib.h>
#include <string.h>

enum { PASSES = 4, UNKNOWN = 0 };

/* --- codes ---------------------------------------------------------------------- */

static int32_t code_length(pvgi_tree_code code) {
    return 64 - __builtin_clzll(code);
}

/* code[v][p]: code of the subtree of v when its parent is p (p = v: v is the root). */
typedef struct {
    const pvgi_small *tree;
    pvgi_tree_code code[PVGI_PATTERN_ORDER][PVGI_PATTERN_ORDER];
} coded;

static pvgi_tree_code find_code(coded *tree, int32_t v, int32_t parent) {
    if (tree->code[v][parent] != UNKNOWN) return tree->code[v][parent];
    pvgi_tree_code child[PVGI_PATTERN_ORDER];
    int32_t count = 0;
    const uint32_t above = v == parent ? 0 : pvgi_mask_of(parent);
    for (uint32_t left = tree->tree->adjacency[v] & ~above; left; left &= left - 1) {
        const pvgi_tree_code code = find_code(tree, pvgi_mask_lowest(left), v);
        int32_t at = count++;
        for (; at > 0 && code > child[at - 1]; at--) child[at] = child[at - 1];
        child[at] = code;
    }
    pvgi_tree_code all = 1;
    for (int32_t i = 0; i < count; i++) all = all << code_length(child[i]) | child[i];
    return tree->code[v][parent] = all << 1;
}

int32_t pvgi_density_tree_children(pvgi_tree_code children[PVGI_PATTERN_ORDER],
                                   pvgi_tree_code tree) {
    int32_t count = 0, depth = 0, start = 0;
    for (int32_t bit = code_length(tree) - 2; bit > 0; bit--) {
        if (tree >> bit & 1) {
            if (depth++ == 0) start = bit;
        } else if (--depth == 0) {
            const int32_t length = start - bit + 1; /* at most 62 */
            children[count++] = tree >> bit & ((UINT64_C(1) << length) - 1);
        }
    }
    return count;
}

/* The distinct subtrees below the root that are no leaves; returns how many. */
static int32_t list_subtrees(pvgi_tree_code list[PVGI_PATTERN_ORDER], coded *tree,
                             int32_t root) {
    int32_t parent[PVGI_PATTERN_ORDER] = {0}, open[PVGI_PATTERN_ORDER], count = 0;
    int32_t opened = 0;
    open[opened++] = root;
    parent[root] = root;
    for (int32_t i = 0; i < opened; i++) {
        const int32_t v = open[i];
        uint32_t below = tree->tree->adjacency[v];
        if (v != root) below &= ~pvgi_mask_of(parent[v]);
        for (; below; below &= below - 1) {
            const int32_t child = pvgi_mask_lowest(below);
            parent[child] = v;
            open[opened++] = child;
        }
        if (v == root) continue;
        const pvgi_tree_code code = find_code(tree, v, parent[v]);
        bool fresh = code != PVGI_TREE_LEAF;
        for (int32_t j = 0; j < count && fresh; j++) fresh = list[j] != code;
        if (fresh) list[count++] = code;
    }
    return count;
}

/* --- roots ---------------------------------------------------------------------- */

/* Adds `by` to the number of trees that use each subtree. */
static int32_t refer(pvgi_map *uses, const pvgi_tree_code *list, int32_t count,
                     int32_t by) {
    for (int32_t i = 0; i < count; i++) {
        const int32_t now = pvgi_density_map_get(uses, list[i]);
        PVGI_TRY(pvgi_density_map_put(uses, list[i], (now < 0 ? 0 : now) + by));
    }
    return PVG_OK;
}

static int32_t count_fresh(const pvgi_map *uses, const pvgi_tree_code *list,
                           int32_t count) {
    int32_t fresh = 0;
    for (int32_t i = 0; i < count; i++) fresh += pvgi_density_map_get(uses, list[i]) <= 0;
    return fresh;
}

/* Number of brackets of the largest subtree: a low tree has short chains of steps. */
static int32_t largest(const pvgi_tree_code *list, int32_t count) {
    int32_t length = 0;
    for (int32_t i = 0; i < count; i++)
        if (code_length(list[i]) > length) length = code_length(list[i]);
    return length;
}

/* The root that needs fewest subtrees nobody else uses; ties go to the flattest tree. */
static int32_t best_root(coded *tree, const pvgi_map *uses) {
    int32_t best = 0, best_cost = INT32_MAX;
    for (int32_t root = 0; root < tree->tree->order; root++) {
        pvgi_tree_code list[PVGI_PATTERN_ORDER];
        const int32_t count = list_subtrees(list, tree, root);
        const int32_t cost = count_fresh(uses, list, count) * 128 + largest(list, count);
        if (cost < best_cost) {
            best_cost = cost;
            best = root;
        }
    }
    return best;
}

/* One pass over all trees; *changed tells whether a root moved. root[i] = -1: none yet.
 */
static int32_t choose_roots(int32_t *root, bool *changed, pvgi_map *uses,
                            const pvgi_small *const *trees, int64_t count) {
    *changed = false;
    for (int64_t i = 0; i < count; i++) {
        coded tree = {.tree = trees[i]};
        pvgi_tree_code list[PVGI_PATTERN_ORDER];
        if (root[i] >= 0)
            PVGI_TRY(refer(uses, list, list_subtrees(list, &tree, root[i]), -1));
        const int32_t best = best_root(&tree, uses);
        PVGI_TRY(refer(uses, list, list_subtrees(list, &tree, best), 1));
        *changed = *changed || best != root[i];
        root[i] = best;
    }
    return PVG_OK;
}

/* --- the plan ------------------------------------------------------------------- */

static int by_size(const void *a, const void *b) {
    const pvgi_tree_code x = *(const pvgi_tree_code *)a, y = *(const pvgi_tree_code *)b;
    return x < y ? -1 : x > y; /* longer codes are larger numbers */
}

/* The subtrees in use, small ones first: children before parents. */
static int32_t list_types(pvgi_tree_code **out, int64_t *count, const pvgi_map *uses) {
    pvgi_tree_code *types = pvgi_alloc(uses->used, sizeof *types);
    if (!types) return pvgi_fail_nomem();
    *count = 0;
    for (size_t i = 0; i < uses->capacity; i++)
        if (uses->keys[i] != 0 && uses->values[i] > 0) types[(*count)++] = uses->keys[i];
    qsort(types, (size_t)*count, sizeof *types, by_size);
    *out = types;
    return PVG_OK;
}

static int32_t find_roots(int32_t *root, pvgi_map *uses, const pvgi_small *const *trees,
                          const int32_t *given, int64_t count) {
    for (int64_t i = 0; i < count; i++) root[i] = given ? given[i] : -1;
    bool changed = !given;
    for (int32_t pass = 0; pass < PASSES && changed; pass++)
        PVGI_TRY(choose_roots(root, &changed, uses, trees, count));
    for (int64_t i = 0; i < count && given; i++) {
        coded tree = {.tree = trees[i]};
        pvgi_tree_code list[PVGI_PATTERN_ORDER];
        PVGI_TRY(refer(uses, list, list_subtrees(list, &tree, root[i]), 1));
    }
    return PVG_OK;
}

static int32_t fill_plan(pvgi_tree_plan *plan, const pvgi_small *const *trees,
                         const int32_t *roots, int64_t count) {
    int32_t status = PVG_OK;
    pvgi_map uses = {0};
    pvgi_tree_code *types = NULL;
    int32_t *root = pvgi_alloc((size_t)count, sizeof *root);
    pvgi_tree_code *whole = pvgi_alloc((size_t)count, sizeof *whole);
    if (!root || !whole) {
        status = pvgi_fail_nomem();
        goto done;
    }
    PVGI_TRY_DONE(find_roots(root, &uses, trees, roots, count));
    for (int64_t i = 0; i < count; i++) {
        coded tree = {.tree = trees[i]};
        whole[i] = find_code(&tree, root[i], root[i]);
    }
    plan->trees = count;
    PVGI_TRY_DONE(list_types(&types, &plan->products, &uses));
    PVGI_TRY_DONE(pvgi_density_tree_schedule(&plan->narrow, types, plan->products, whole,
                                             count, false));
    PVGI_TRY_DONE(pvgi_density_tree_schedule(&plan->wide, types, plan->products, whole,
                                             count, true));
done:
    pvgi_density_map_free(&uses);
    pvgi_free(types);
    pvgi_free(root);
    pvgi_free(whole);
    return status;
}

int32_t pvgi_density_tree_compile(pvgi_tree_plan **out, const pvgi_small *const *trees,
                                  const int32_t *roots, int64_t count) {
    *out = NULL;
    pvgi_tree_plan *plan = pvgi_alloc_zero(1, sizeof *plan);
    if (!plan) return pvgi_fail_nomem();
    const int32_t status = fill_plan(plan, trees, roots, count);
    if (status != PVG_OK) {
        pvgi_density_tree_free(plan);
        return status;
    }
    *out = plan;
    return PVG_OK;
}

void pvgi_density_tree_free(pvgi_tree_plan *plan) {
    if (!plan) return;
    pvgi_free(plan->narrow.step);
    pvgi_free(plan->wide.step);
    pvgi_free(plan);
}
