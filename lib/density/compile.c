/* Compiling a list of patterns: splits each into components, drops isolated vertices,
 * keeps one of every set of isomorphic components, and hands trees and the rest to their
 * engines. hom(F, G) is then the product of the counts of its components. */
#include "density_internal.h"

#include <string.h>

/* --- components ----------------------------------------------------------------- */

typedef struct {
    pvg_density *density;
    pvgi_map found; /* hash of canonical form -> component; collisions go to hash + 1 */
    int64_t component_capacity, parts, part_capacity;
} compiler;

static bool is_tree(const pvgi_component *component) {
    return component->size == component->graph.order - 1;
}

/* Number of a component, which is added if it is new. */
static int32_t find_component(int32_t *out, compiler *c, const pvgi_small *graph) {
    pvg_density *density = c->density;
    pvgi_component component = {.size = pvgi_pattern_size(graph)};
    pvgi_pattern_canonical(&component.graph, graph);
    uint64_t key = pvgi_pattern_hash(&component.graph);
    for (;; key++) {
        *out = key == 0 ? -1 : pvgi_density_map_get(&c->found, key);
        if (key != 0 && *out < 0) break;
        if (*out >= 0 &&
            pvgi_pattern_equal(&density->component[*out].graph, &component.graph))
            return PVG_OK;
    }
    if (density->components == c->component_capacity) {
        const int64_t capacity = c->component_capacity ? 2 * c->component_capacity : 16;
        pvgi_component *grown =
            pvgi_grow(density->component, (size_t)capacity, sizeof *grown);
        if (!grown) return pvgi_fail_nomem();
        density->component = grown;
        c->component_capacity = capacity;
    }
    *out = (int32_t)density->components;
    density->component[density->components++] = component;
    return pvgi_density_map_put(&c->found, key, *out);
}

static int32_t add_part(compiler *c, int32_t component) {
    if (c->parts == c->part_capacity) {
        const int64_t capacity = c->part_capacity ? 2 * c->part_capacity : 64;
        int32_t *grown = pvgi_grow(c->density->part, (size_t)capacity, sizeof *grown);
        if (!grown) return pvgi_fail_nomem();
        c->density->part = grown;
        c->part_capacity = capacity;
    }
    c->density->part[c->parts++] = component;
    return PVG_OK;
}

static int32_t split(compiler *c, int64_t index, const pvgi_pattern *pattern) {
    pvg_density *density = c->density;
    const pvgi_small *graph = &pattern->canonical;
    pvgi_term *term = &density->term[index];
    uint32_t left = pvgi_mask_first(graph->order);
    *term = (pvgi_term){.first = c->parts, .isolated = pattern->isolated};
    term->order = graph->order - pattern->isolated;
    density->graph[index] = pattern->graph;
    if (term->order > density->highest) density->highest = term->order;
    if (pattern->kinds & PVG_KIND_FOREST) density->products_unshared += pattern->size;
    while (left) {
        const uint32_t piece = pvgi_pattern_reach(graph, left & (0u - left), left);
        left &= ~piece;
        if (pvgi_mask_count(piece) == 1) continue;
        pvgi_small component;
        int32_t number;
        pvgi_pattern_induce(&component, NULL, graph, piece);
        PVGI_TRY(find_component(&number, c, &component));
        PVGI_TRY(add_part(c, number));
        term->parts++;
        if (component.order > density->largest) density->largest = component.order;
    }
    return PVG_OK;
}

/* --- trees first ---------------------------------------------------------------- */

/* Renumbers the components so that trees come first, in the order they were found. */
static int32_t sort_components(compiler *c) {
    pvg_density *density = c->density;
    const size_t count = (size_t)density->components;
    pvgi_component *sorted = pvgi_alloc(count, sizeof *sorted);
    int32_t *place = pvgi_alloc(count, sizeof *place);
    if (!sorted || !place) {
        pvgi_free(sorted);
        pvgi_free(place);
        return pvgi_fail_nomem();
    }
    int32_t next = 0;
    for (int32_t trees = 1; trees >= 0; trees--) {
        for (size_t i = 0; i < count; i++) {
            if (is_tree(&density->component[i]) != (trees == 1)) continue;
            sorted[next] = density->component[i];
            place[i] = next++;
        }
        if (trees) density->trees = next;
    }
    for (int64_t i = 0; i < c->parts; i++) density->part[i] = place[density->part[i]];
    pvgi_free(density->component);
    pvgi_free(place);
    density->component = sorted;
    return PVG_OK;
}

/* --- all ------------------------------------------------------------------------- */

static int32_t compile_engines(pvg_density *density) {
    int32_t status = PVG_OK;
    const pvgi_small **graphs = pvgi_alloc((size_t)density->components, sizeof(void *));
    if (!graphs) return pvgi_fail_nomem();
    for (int64_t i = 0; i < density->components; i++)
        graphs[i] = &density->component[i].graph;
    PVGI_TRY_DONE(
        pvgi_density_tree_compile(&density->tree_plan, graphs, NULL, density->trees));
    PVGI_TRY_DONE(pvgi_density_elim_compile(&density->elim_plan, graphs + density->trees,
                                            density->components - density->trees));
done:
    pvgi_free(graphs);
    return status;
}

static int32_t fill(compiler *c, const pvg_patterns *patterns) {
    pvg_density *density = c->density;
    density->count = patterns->count;
    density->term = pvgi_alloc((size_t)patterns->count, sizeof *density->term);
    density->graph = pvgi_alloc((size_t)patterns->count, sizeof *density->graph);
    if (!density->term || !density->graph) return pvgi_fail_nomem();
    for (int64_t i = 0; i < patterns->count; i++)
        PVGI_TRY(split(c, i, &patterns->pattern[i]));
    PVGI_TRY(sort_components(c));
    PVGI_TRY(pvgi_density_combine_compile(density));
    return compile_engines(density);
}

int32_t pvgi_density_compile(pvg_density **out, const pvg_patterns *patterns,
                             const pvg_density_config *config) {
    pvg_density *density = pvgi_alloc_zero(1, sizeof *density);
    if (!density) return pvgi_fail_nomem();
    density->config = *config;
    compiler c = {.density = density};
    const int32_t status = fill(&c, patterns);
    pvgi_density_map_free(&c.found);
    if (status != PVG_OK) {
        pvgi_density_free(density);
        return status;
    }
    *out = density;
    return PVG_OK;
}

void pvgi_density_free(pvg_density *density) {
    if (!density) return;
    pvgi_density_tree_free(density->tree_plan);
    pvgi_density_elim_free(density->elim_plan);
    pvgi_free(density->term);
    pvgi_free(density->quotient);
    pvgi_free(density->divided);
    pvgi_free(density->one_part);
    pvgi_free(density->one_order);
    pvgi_free(density->graph);
    pvgi_free(density->part);
    pvgi_free(density->component);
    pvgi_free(density);
}

const char *pvgi_density_engine_of(const pvg_density *density, int64_t index) {
    const pvgi_term *term = &density->term[index];
    const char *engine = "constant";
    for (int32_t i = 0; i < term->parts; i++) {
        const int64_t component = density->part[term->first + i];
        const char *one = component < density->trees
                              ? "trees"
                              : pvgi_density_elim_engine(density->elim_plan,
                                                         component - density->trees);
        if (i > 0 && strcmp(one, engine) != 0) return "mixed";
        engine = one;
    }
    return engine;
}
