/* Makes and frees the objects of zoo.h: a ring of six nodes and what goes with it. */
#include "zoo.h"

enum { NODES = 6, COLUMNS = 2 };

/* One process that speaks with nobody. */
static int32_t borrow_none(void *context, void *table, uint64_t row_bytes) {
    (void)context, (void)table, (void)row_bytes;
    return 0;
}

static int32_t combine_one(void *context, int64_t *values, int64_t count, int32_t how) {
    (void)context, (void)values, (void)count, (void)how;
    return 0;
}

static int32_t share_one(void *context, void *bytes, uint64_t length) {
    (void)context, (void)bytes, (void)length;
    return 0;
}

static int32_t make_parts(pvgt_zoo *z) {
    pvg_parts_config config = {.size = sizeof config,
                               .declared = 1,
                               .processes = 1,
                               .order = NODES,
                               .own = NODES,
                               .borrow = borrow_none,
                               .combine = combine_one,
                               .share = share_one};
    const int32_t status =
        pvg_graph_view_csr(&config.offsets, &config.neighbours, z->pvg_graph);
    return status ? status : pvg_parts_new(&z->pvg_parts, &config);
}

static int32_t make_data(pvgt_zoo *z) {
    static const double values[NODES * COLUMNS];
    static const int32_t classes[NODES] = {0, 1, 0, 1, 0, 1};
    pvg_graphset_builder *builder = NULL;
    int32_t status = pvg_rng_new_seeded(&z->pvg_rng, 1);
    if (!status) status = pvg_graph_new_cycle(&z->pvg_graph, NODES);
    if (!status)
        status = pvg_features_from_dense(&z->pvg_features, NODES, COLUMNS, values);
    if (!status) status = pvg_labels_from_array(&z->pvg_labels, classes, NODES);
    if (!status)
        status = pvg_lists_from_pairs(&z->pvg_lists, 1, 1, (const int64_t[]){0},
                                      (const int64_t[]){0}, 1, 0);
    if (!status) status = make_parts(z);
    if (!status) status = pvg_graphset_builder_new(&builder, 0);
    if (!status) status = pvg_graphset_builder_add(builder, z->pvg_graph, -1, NULL, NULL);
    if (!status) status = pvg_graphset_builder_finish(&z->pvg_graphset, builder);
    pvg_graphset_builder_free(builder);
    if (!status) status = pvg_graphset_builder_new(&z->pvg_graphset_builder, 0);
    if (!status)
        status = pvg_graph_builder_new(&z->pvg_graph_builder, NODES, PVG_EDGES_MERGE);
    return status;
}

static int32_t make_public(pvgt_zoo *z) {
    static const double one[] = {1};
    const pvg_target noise = {.size = sizeof noise,
                              .noise = PVG_NOISE_LAPLACE,
                              .epsilon = 1,
                              .allow_seeded = 1};
    const pvg_pld_part part = {
        .size = sizeof part, .kind = PVG_PLD_PURE, .epsilon = 1, .times = 2};
    const pvg_curve_term term = {
        .size = sizeof term, .kind = PVG_CURVE_PURE, .epsilon = 1};
    const pvg_ledger_config budget = {
        .size = sizeof budget, .notion = PVG_NOTION_EDGE, .epsilon = 1e6, .delta = 0.5};
    int32_t status = pvg_patterns_from_names(&z->pvg_patterns, "edge,triangle");
    if (!status) status = pvg_sampler_new(&z->pvg_sampler, NULL);
    if (!status) status = pvg_layers_new(&z->pvg_layers, NULL, NULL, 0);
    if (!status) status = pvg_density_new(&z->pvg_density, z->pvg_patterns, NULL);
    if (!status) status = pvg_curve_new(&z->pvg_curve, &term);
    if (!status) status = pvg_pld_new(&z->pvg_pld, &part);
    if (!status)
        status = pvg_mechanism_new(&z->pvg_mechanism, &noise, one, NULL, NULL, NULL, 1);
    if (!status)
        status =
            pvg_guarantee_state(&z->pvg_guarantee, PVG_NOTION_EDGE, z->pvg_curve, "told");
    if (!status) status = pvg_ledger_new(&z->pvg_ledger, &budget);
    return status;
}

static int32_t make_releases(pvgt_zoo *z) {
    const pvg_target target = {
        .size = sizeof target, .epsilon = 1, .delta = 1e-6, .allow_seeded = 1};
    const pvg_preview_config nodes = {.size = sizeof nodes, .order = NODES};
    const pvg_input input = {.size = sizeof input, .graph = z->pvg_graph};
    int32_t status =
        pvg_query_new(&z->pvg_query, "embed patterns=edge,triangle", NULL, &target, NULL);
    if (!status) status = pvg_composition_new(&z->pvg_composition);
    if (!status) status = pvg_query_preview(&z->pvg_preview, z->pvg_query, &nodes, NULL);
    if (!status)
        status = pvg_release_draw(&z->pvg_release, z->pvg_query, &input, z->pvg_rng, NULL,
                                  NULL);
    return status;
}

#ifdef PVGT_LEARN
static int32_t make_logistic(pvgt_zoo *z) {
    static const double x[] = {0, 1};
    static const int32_t labels[] = {0, 1};
    const pvg_logistic_config config = {.size = sizeof config, .classes = 2};
    return pvg_logistic_fit(&z->pvg_logistic, &config, x, labels, 2, 1, NULL);
}

static int32_t make_pipeline(pvgt_zoo *z) {
    static const int32_t labels[] = {0, 1, -1};
    const pvg_pipeline_arguments arguments = {
        .size = sizeof arguments, .order = 3, .labels = labels};
    return pvg_pipeline_new(&z->pvg_pipeline, "edges epsilon=1", &arguments, NULL, NULL,
                            NULL);
}

static int32_t make_model(pvgt_zoo *z) {
    const pvg_training_config once = {.size = sizeof once, .epochs = 1};
    pvg_dataset_builder *builder = NULL;
    int32_t status =
        pvg_network_from_text(&z->pvg_network, "gcn classes", COLUMNS, COLUMNS);
    if (!status) status = pvg_dataset_builder_new(&builder, NODES);
    if (!status) status = pvg_dataset_builder_add_public_graph(builder, z->pvg_graph);
    if (!status)
        status = pvg_dataset_builder_add_public_features(builder, z->pvg_features);
    if (!status) status = pvg_dataset_builder_add_public_labels(builder, z->pvg_labels);
    if (!status) status = pvg_dataset_builder_finish(&z->pvg_dataset, builder);
    pvg_dataset_builder_free(builder);
    if (!status) status = pvg_dataset_builder_new(&z->pvg_dataset_builder, NODES);
    if (!status)
        status = pvg_model_train(&z->pvg_model, z->pvg_network, z->pvg_dataset, &once,
                                 NULL, z->pvg_rng, NULL);
    return status;
}

static int32_t make_attack(pvgt_zoo *z) {
    static const double rows[NODES] = {0};
    const pvg_attack_config few = {.size = sizeof few, .draws = 2};
    return pvg_attack_links_rows(&z->pvg_attack, rows, 1, z->pvg_graph, &few, z->pvg_rng,
                                 NULL);
}

static int32_t make_reconstruction(pvgt_zoo *z) {
    enum { ORDER = 60 };
    static const double rows[ORDER] = {0};
    const pvg_reconstruct_config few = {.size = sizeof few,
                                        .window = 3,
                                        .windows = 2,
                                        .tests = 2,
                                        .cuts = 1,
                                        .hidden = 2,
                                        .steps = 1,
                                        .batch = 1};
    pvg_graph *path = NULL;
    int32_t status = pvg_graph_new_path(&path, ORDER);
    if (status == PVG_OK)
        status = pvg_attack_reconstruct(&z->pvg_reconstruction, rows, 1, NULL, 0, path,
                                        &few, z->pvg_rng, NULL);
    pvg_graph_free(path);
    return status;
}

static int32_t make_learnt(pvgt_zoo *zoo) {
    int32_t status = make_logistic(zoo);
    if (!status) status = make_pipeline(zoo);
    if (!status) status = make_model(zoo);
    if (!status) status = make_attack(zoo);
    return status ? status : make_reconstruction(zoo);
}
#else
static int32_t make_learnt(pvgt_zoo *zoo) {
    (void)zoo;
    return PVG_OK;
}
#endif

int32_t pvgt_zoo_open(pvgt_zoo *zoo) {
    *zoo = (pvgt_zoo){0};
    int32_t status = make_data(zoo);
    if (!status) status = make_public(zoo);
    if (!status) status = make_releases(zoo);
    return status ? status : make_learnt(zoo);
}

void pvgt_zoo_close(pvgt_zoo *zoo) {
#define PVGT_FREE(T) T##_free(zoo->T);
    PVGT_ANIMALS(PVGT_FREE)
#undef PVGT_FREE
}
