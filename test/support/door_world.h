/* Every kind of draw of the rooms up to release, for tests that include this once. */
#ifndef PVGT_DOOR_WORLD_H
#define PVGT_DOOR_WORLD_H

#include "handles.h"
#include "release/release_internal.h"
#include "support.h"

enum { ORDER = 24, WIDE = 5, GRAPHS = 3, STATISTICS = 9 };

typedef struct {
    pvg_graph *graph[2]; /* of the same order; the second has many edges more */
    pvg_graphset *set[2];
    pvg_features *features;
    pvg_labels *labels;
    pvg_rng *rng;
    pvg_embedder *embedder, *truncated;
    pvg_propagator *propagator;
    pvg_perturber *structure[6], *users, *classes;
    pvg_statistic *statistic[STATISTICS];
} world;

enum {
    EMBEDDING,
    EMBEDDINGS,
    TRUNCATED,
    PROPAGATION,
    STATISTIC, /* and one more for each statistic; then their sets */
    SETS_OF_STATISTICS = STATISTIC + STATISTICS,
    STATISTICS_END = SETS_OF_STATISTICS + STATISTICS,
    FEATURES = STATISTICS_END,
    LABELS,
    GRAPHS_OF_SET,
    LISTS_OF_SET,
    GRAPH_FIRST, /* and one more for each perturber of graphs */
    KINDS = GRAPH_FIRST + 6
};

static const uint64_t objects[GRAPHS] = {1, 2, 3};
/* 1: targets allow seeded generators */
static int32_t seeds;

__attribute__((unused)) static int32_t draw(pvg_release **out, const world *w, int kind,
                                            int which, pvg_ledger *ledger,
                                            const pvg_run *run) {
    const pvg_graph *graph = w->graph[which];
    const pvg_graphset *set = w->set[which];
    if (kind >= SETS_OF_STATISTICS && kind < STATISTICS_END)
        return pvgt_release_draw_statistics(out, w->statistic[kind - SETS_OF_STATISTICS],
                                            set, objects, w->rng, ledger, run);
    if (kind >= STATISTIC && kind < SETS_OF_STATISTICS)
        return pvgt_release_draw_statistic(out, w->statistic[kind - STATISTIC], graph, 1,
                                           w->rng, ledger, run);
    switch (kind) {
    case EMBEDDING:
        return pvgt_release_draw_embedding(out, w->embedder, graph, 1, w->rng, ledger,
                                           run);
    case EMBEDDINGS:
        return pvgt_release_draw_embeddings(out, w->embedder, set, objects, w->rng,
                                            ledger, run);
    case TRUNCATED:
        return pvgt_release_draw_embedding(out, w->truncated, graph, 1, w->rng, ledger,
                                           run);
    case PROPAGATION:
        return pvgt_release_draw_propagation(out, w->propagator, graph, w->features, 1,
                                             w->rng, ledger, run);
    case FEATURES:
        return pvgt_release_draw_features(out, w->users, w->features, 1, w->rng, ledger,
                                          run);
    case LABELS:
        return pvgt_release_draw_labels(out, w->classes, w->labels, 1, w->rng, ledger,
                                        run);
    case GRAPHS_OF_SET:
        return pvgt_release_draw_graphs(out, w->structure[0], set, objects, w->rng,
                                        ledger, run);
    case LISTS_OF_SET:
        return pvgt_release_draw_graphs(out, w->structure[4], set, objects, w->rng,
                                        ledger, run);
    default:
        return pvgt_release_draw_graph(out, w->structure[kind - GRAPH_FIRST], graph, 1,
                                       w->rng, ledger, run);
    }
}

__attribute__((unused)) static int32_t notion_of(int kind) {
    if (kind == FEATURES) return PVG_NOTION_FEATURE_LDP;
    if (kind == LABELS) return PVG_NOTION_LABEL_LDP;
    if (kind == LISTS_OF_SET || kind == GRAPH_FIRST + 4 || kind == GRAPH_FIRST + 5)
        return PVG_NOTION_EDGE_SET_LDP;
    return PVG_NOTION_EDGE;
}

static pvg_graph *graph_of(int dense) {
    int64_t from[ORDER * ORDER], to[ORDER * ORDER], count = 0;
    pvg_graph *graph = NULL;
    for (int64_t u = 0; u < ORDER; u++)
        for (int64_t v = u + 1; v < ORDER; v++)
            if (v == u + 1 || (dense && (u + v) % 2)) from[count] = u, to[count++] = v;
    PVGT_OK(pvg_graph_from_edges(&graph, ORDER, from, to, count, PVG_EDGES_STRICT, NULL));
    return graph;
}

static pvg_graphset *set_of(const pvg_graph *graph) {
    pvg_graphset_builder *builder = NULL;
    pvg_graphset *set = NULL;
    PVGT_OK(pvg_graphset_builder_new(&builder, 0));
    for (int i = 0; i < GRAPHS; i++)
        PVGT_OK(pvg_graphset_builder_add(builder, graph, -1, NULL, NULL));
    PVGT_OK(pvg_graphset_builder_finish(&set, builder));
    pvg_graphset_builder_free(builder);
    return set;
}

static void make_embedders(world *w) {
    const pvg_target gauss = {
        .size = sizeof gauss, .epsilon = 1, .delta = 1e-6, .allow_seeded = seeds};
    const pvg_embedder_config any = {.size = sizeof any};
    const pvg_embedder_config cut = {
        .size = sizeof cut, .degrees = PVG_DEGREES_TRUNCATED, .degree_bound = 4};
    const pvg_layers_config stack = {.size = sizeof stack, .depth = 2};
    const pvg_assumption assumption = {.size = sizeof assumption,
                                       .degrees = PVG_DEGREES_TRUNCATED,
                                       .order = ORDER,
                                       .degree_bound = 4};
    pvg_patterns *patterns = NULL;
    pvg_layers *layers = NULL;
    PVGT_OK(pvg_patterns_from_names(&patterns, "edge,path3,triangle,cycle4"));
    PVGT_OK(pvgt_embedder_new(&w->embedder, patterns, &any, &gauss, NULL, NULL));
    PVGT_OK(pvgt_embedder_new(&w->truncated, patterns, &cut, &gauss, NULL, NULL));
    PVGT_OK(pvg_layers_new(&layers, &stack, NULL, 0));
    PVGT_OK(pvgt_propagator_new(&w->propagator, layers, &assumption, WIDE, NULL, &gauss));
    pvg_layers_free(layers);
    pvg_patterns_free(patterns);
}

static void make_perturbers(world *w) {
    const pvg_target pure = {.size = sizeof pure, .epsilon = 2, .allow_seeded = seeds};
    const pvg_features_config features = {
        .size = sizeof features, .columns = WIDE, .ranges = 1};
    const pvg_labels_config labels = {.size = sizeof labels, .classes = 4};
    const pvg_slots_config slots = {.size = sizeof slots, .order = ORDER};
    const double low = 0.0, high = 1.0;
    PVGT_OK(pvgt_perturber_new_response(&w->structure[0], NULL, &pure));
    PVGT_OK(pvgt_perturber_new_lapgraph(&w->structure[1], NULL, &pure));
    PVGT_OK(pvgt_perturber_new_dprr(&w->structure[2], NULL, &pure));
    PVGT_OK(pvgt_perturber_new_blink(&w->structure[3], NULL, &pure));
    PVGT_OK(pvgt_perturber_new_subset(&w->structure[4], NULL, &pure));
    PVGT_OK(pvgt_perturber_new_slots(&w->structure[5], &slots, &pure, NULL, NULL));
    PVGT_OK(pvgt_perturber_new_features(&w->users, &features, &pure, &low, &high));
    PVGT_OK(pvgt_perturber_new_labels(&w->classes, &labels, &pure));
}

/* One of each kind; the first two edge histogram in rows and in sums. */
static void make_statistics(world *w) {
    const pvg_target pure = {.size = sizeof pure, .epsilon = 2, .allow_seeded = seeds};
    const pvg_histogram_config rows = {.size = sizeof rows, .order = ORDER, .kinds = 1};
    const pvg_histogram_config sums = {
        .size = sizeof sums, .cells = PVG_HISTOGRAM_BETWEEN, .order = ORDER, .kinds = 3};
    const pvg_degrees_config degrees = {
        .size = sizeof degrees, .order = ORDER, .levels = 4, .ranks = 3, .groups = 2};
    const pvg_scalars_config scalars = {.size = sizeof scalars, .count = 8};
    /* shares are told: bits that are kept are those of shares, not of a default */
    const pvg_synthesis_config synthesis = {.size = sizeof synthesis,
                                            .order = ORDER,
                                            .degrees_share = 0.45,
                                            .between_share = 0.15,
                                            .triangles_share = 0.3,
                                            .assortativity_share = 0.1};
    const int32_t all[] = {1, 2, 3, 4, 5, 6, 7, 8};
    int32_t groups[ORDER], kinds[ORDER];
    for (int i = 0; i < ORDER; i++) groups[i] = i % 2, kinds[i] = i % 3;
    const pvg_histogram_nodes nodes = {.size = sizeof nodes, .kinds = kinds};
    PVGT_OK(pvgt_statistic_new_histogram(&w->statistic[0], &rows, &pure, NULL));
    PVGT_OK(pvgt_statistic_new_histogram(&w->statistic[1], &sums, &pure, &nodes));
    PVGT_OK(pvgt_statistic_new_degrees(&w->statistic[2], &degrees, &pure, groups));
    PVGT_OK(pvgt_statistic_new_triangles(&w->statistic[3], NULL, &pure));
    PVGT_OK(pvgt_statistic_new_scalars(&w->statistic[4], &scalars, &pure, all, NULL));
    PVGT_OK(pvgt_statistic_new_spectrum(&w->statistic[5], ORDER, &pure));
    PVGT_OK(pvgt_statistic_new_synthesis(&w->statistic[6], &synthesis, &pure, NULL));
    PVGT_OK(pvgt_statistic_new_stars(&w->statistic[7], NULL, &pure));
    pvg_statistic *parts[] = {w->statistic[4], w->statistic[7]};
    PVGT_OK(pvgt_statistic_new_joined(&w->statistic[8], parts, 2));
}

static world make_world(void) {
    world w = {0};
    double values[ORDER * WIDE];
    int32_t classes[ORDER];
    for (int i = 0; i < ORDER * WIDE; i++) values[i] = (double)(i % 7) / 8.0;
    for (int i = 0; i < ORDER; i++) classes[i] = i % 4;
    for (int i = 0; i < 2; i++) {
        w.graph[i] = graph_of(i);
        w.set[i] = set_of(w.graph[i]);
    }
    PVGT_OK(pvg_features_from_dense(&w.features, ORDER, WIDE, values));
    PVGT_OK(pvg_labels_from_array(&w.labels, classes, ORDER));
    PVGT_OK(pvg_rng_new_secure(&w.rng));
    make_embedders(&w);
    make_perturbers(&w);
    make_statistics(&w);
    return w;
}

static void free_world(world *w) {
    for (int i = 0; i < 2; i++) {
        pvg_graph_free(w->graph[i]);
        pvg_graphset_free(w->set[i]);
    }
    pvg_features_free(w->features);
    pvg_labels_free(w->labels);
    pvg_rng_free(w->rng);
    pvgt_embedder_free(w->embedder);
    pvgt_embedder_free(w->truncated);
    pvgt_propagator_free(w->propagator);
    for (int i = 0; i < 6; i++) pvgt_perturber_free(w->structure[i]);
    pvgt_perturber_free(w->users);
    pvgt_perturber_free(w->classes);
    for (int i = 0; i < STATISTICS; i++) pvgt_statistic_free(w->statistic[i]);
}

#endif
