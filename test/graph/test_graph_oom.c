/* Every allocating function of the module graph, with its 1st, 2nd, 3rd ... allocation
 * failing. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "graph/graph_internal.h"
#include "support.h"

#include <string.h>

void setUp(void) {}
void tearDown(void) {}

/* What the bodies work on, made before the walk. */
static pvg_graph *graph;
static pvg_graphset *set;
static pvg_rng *rng;

static const int64_t sources[] = {0, 1, 2, 3, 1}, targets[] = {1, 2, 0, 2, 0};
static const int64_t offsets[] = {0, 2, 4, 7, 8, 8};
static const int32_t columns[] = {1, 2, 0, 2, 0, 1, 3, 2};
static const int64_t names[] = {4, 0, 1, 3, 2};

/* On failure *out must be NULL, so that freeing it is right in any case. */
#define GRAPH_BODY(name, call)                                                           \
    static int32_t name(void *context) {                                                 \
        pvg_graph *out = (pvg_graph *)(uintptr_t)1;                                      \
        (void)context;                                                                   \
        const int32_t status = call;                                                     \
        if (status != PVG_OK) TEST_ASSERT_NULL(out);                                     \
        pvg_graph_free(out);                                                             \
        return status;                                                                   \
    }

static const pvg_run two = {.size = sizeof(pvg_run), .threads = 2};

GRAPH_BODY(from_edges, pvg_graph_from_edges(&out, 5, sources, targets, 4, 0, &two))
GRAPH_BODY(from_edges_merged,
           pvg_graph_from_edges(&out, 5, sources, targets, 5, PVG_EDGES_MERGE, &two))
GRAPH_BODY(from_csr, pvg_graph_from_csr(&out, 5, offsets, columns, 0, &two))
GRAPH_BODY(from_csr_merged,
           pvg_graph_from_csr(&out, 5, offsets, columns, PVG_EDGES_MERGE, &two))
GRAPH_BODY(induce, pvg_graph_induce(&out, graph, names, 3, &two))
GRAPH_BODY(relabel, pvg_graph_relabel(&out, graph, names, &two))
GRAPH_BODY(truncate_degree, pvg_graph_truncate_degree(&out, graph, 1, &two))
GRAPH_BODY(get, pvg_graphset_get(&out, set, 0))
GRAPH_BODY(path, pvg_graph_new_path(&out, 5))
GRAPH_BODY(erdos_renyi, pvg_graph_draw_erdos_renyi(&out, 50, 0.5, rng, &two))
GRAPH_BODY(blocks, pvg_graph_draw_blocks(&out, (int64_t[]){3, 4},
                                         (double[]){1.0, 0.5, 0.5, 0.0}, 2, rng, &two))
GRAPH_BODY(preferential, pvg_graph_draw_preferential(&out, 20, 2, rng, &two))
GRAPH_BODY(chung_lu,
           pvg_graph_draw_chung_lu(&out, (double[]){3, 2, 0, 1, 2}, 5, rng, &two))
GRAPH_BODY(tree, pvg_graph_draw_tree(&out, 9, rng))
GRAPH_BODY(ktree, pvg_graph_draw_ktree(&out, 9, 2, rng))

/* Enough edges for several blocks of a builder. */
enum { MANY = 400000 };
static int32_t many_sources[MANY], many_targets[MANY];

static uint32_t strict = PVG_EDGES_STRICT, merging = PVG_EDGES_MERGE;

static int32_t builder(void *context) {
    const uint32_t *policy = context;
    pvg_graph_builder *builder = NULL;
    pvg_graph *out = NULL;
    int32_t status = pvg_graph_builder_new(&builder, MANY, *policy);
    for (int piece = 0; piece < 3 && status == PVG_OK; piece++)
        status = pvg_graph_builder_add_int32(builder, many_sources + piece * (MANY / 4),
                                             many_targets + piece * (MANY / 4), MANY / 4);
    if (status == PVG_OK) status = pvg_graph_builder_finish(&out, builder, &two);
    if (status != PVG_OK) TEST_ASSERT_NULL(out);
    pvg_graph_free(out);
    pvg_graph_builder_free(builder);
    return status;
}

static int32_t features_float(void *context) {
    static const float values[] = {1, 0, 2, 0};
    pvg_features *dense = NULL, *sparse = NULL;
    (void)context;
    int32_t status = pvg_features_from_dense_float(&dense, 2, 2, values);
    if (status == PVG_OK)
        status = pvg_features_from_csr_float(&sparse, 1, 4, (int64_t[]){0, 2},
                                             (int32_t[]){1, 3}, values);
    pvg_features_free(dense);
    pvg_features_free(sparse);
    return status;
}

/* A repeated edge: the search for the first one allocates too. */
static int32_t refused_repeat(void *context) {
    pvg_graph *out;
    (void)context;
    const int32_t status = pvg_graph_from_edges(&out, 5, sources, targets, 5, 0, NULL);
    TEST_ASSERT_NULL(out);
    return status == PVG_E_ARGUMENT ? PVG_OK : status;
}

static int32_t packed(void *context) {
    pvg_graph *out = NULL;
    pvgi_run run;
    (void)context;
    PVGI_TRY(pvgi_run_begin(&run, NULL));
    uint64_t *edges = pvgi_alloc(1, sizeof *edges);
    if (!edges) return PVG_E_NOMEM;
    edges[0] = pvgi_edge_pack(1, 0);
    const int32_t status = pvgi_graph_from_packed(&out, NULL, 2, edges, 1, 0, &run);
    pvg_graph_free(out);
    return status;
}

static int32_t cut_set(void *context) {
    pvg_graph *whole;
    pvg_graphset *out = NULL;
    (void)context;
    PVGI_TRY(pvg_graph_new_path(&whole, 3));
    const int32_t status = pvgi_graph_set_from_graph(&out, whole, 1, (int64_t[]){0, 3},
                                                     NULL, NULL, 2, (int32_t[]){1, 2, 3});
    pvg_graphset_free(out);
    return status;
}

static int32_t set_at_once(void *context) {
    pvg_graphset *out = NULL;
    (void)context;
    const int32_t status = pvg_graphset_from_csr(
        &out, (int64_t[]){0, 2, 4}, 2, (int64_t[]){0, 1, 2, 3, 4},
        (int32_t[]){1, 0, 3, 2}, 0, (int32_t[]){1, 2}, (int32_t[]){1, 2, 3, 4}, NULL);
    TEST_ASSERT_TRUE((out != NULL) == (status == PVG_OK));
    pvg_graphset_free(out);
    return status;
}

/* Goes on after every failure: an addition that failed must leave the builder as it was.
 */
static int32_t build_set(void *context) {
    pvg_graphset_builder *builder;
    pvg_graphset *out = NULL;
    int32_t first_failure = PVG_OK;
    int64_t added = 0;
    (void)context;
    PVGI_TRY(pvg_graphset_builder_new(&builder, 1));
    const int32_t node_labels[] = {1, 2, 3, 4, 5};
    for (int i = 0; i < 40; i++) {
        const double target = (double)added;
        const int32_t status = pvg_graphset_builder_add(builder, graph, (int32_t)added,
                                                        &target, node_labels);
        if (status == PVG_OK)
            added++;
        else
            first_failure = status;
    }
    int32_t status = pvg_graphset_builder_finish(&out, builder);
    if (status != PVG_OK) {
        TEST_ASSERT_NULL(out);
        first_failure = status;
        status = pvg_graphset_builder_finish(&out, builder);
    }
    pvg_graphset_builder_free(builder);
    PVGT_OK(status);
    TEST_ASSERT_EQUAL_INT64(added, pvg_graphset_count(out));
    const int32_t *labels, *kept;
    const double *values;
    PVGT_OK(pvg_graphset_view_labels(&labels, &values, &kept, out));
    const int64_t *starts, *rows;
    const int32_t *entries;
    PVGT_OK(pvg_graphset_view_csr(&starts, &rows, &entries, out));
    for (int64_t i = 0; i < added; i++) {
        TEST_ASSERT_TRUE(labels[i] == i && values[i] == (double)i &&
                         kept[5 * i + 4] == 5);
        TEST_ASSERT_TRUE(starts[i + 1] == 5 * (i + 1) && rows[5 * i + 4] == 8 * (i + 1));
        for (int j = 0; j < 8; j++)
            TEST_ASSERT_TRUE(entries[8 * i + j] == 5 * i + columns[j]);
    }
    pvg_graphset_free(out);
    return first_failure;
}

/* A slice that begins with the second graph, and its rows. */
static int32_t slice(void *context) {
    const int64_t *starts, *rows;
    const int32_t *entries;
    pvg_graphset *two_graphs = NULL, *out = NULL;
    (void)context;
    PVGI_TRY(pvg_graphset_from_csr(&two_graphs, (int64_t[]){0, 2, 4}, 2,
                                   (int64_t[]){0, 1, 2, 3, 4}, (int32_t[]){1, 0, 3, 2}, 0,
                                   NULL, NULL, NULL));
    int32_t status = pvg_graphset_slice(&out, two_graphs, 1, 1);
    TEST_ASSERT_TRUE((out != NULL) == (status == PVG_OK));
    if (status == PVG_OK) status = pvg_graphset_view_csr(&starts, &rows, &entries, out);
    if (status == PVG_OK)
        TEST_ASSERT_TRUE(starts[1] == 2 && rows[2] == 2 && entries[0] == 1);
    pvg_graphset_free(two_graphs);
    pvg_graphset_free(out);
    return status;
}

/* The kind of the first graph may change after a failure. */
static int32_t change_kind(void *context) {
    pvg_graphset_builder *builder;
    pvg_graphset *out = NULL;
    pvg_graph *large;
    static const int32_t many_labels[100];
    (void)context;
    PVGI_TRY(pvg_graph_new_path(&large, 100));
    int32_t status = pvg_graphset_builder_new(&builder, 0);
    if (status == PVG_OK) {
        int32_t first = pvg_graphset_builder_add(builder, graph, 0, NULL, many_labels);
        if (first != PVG_OK) {
            PVGT_OK(pvg_graphset_builder_add(builder, large, 0, NULL, NULL));
            PVGT_OK(pvg_graphset_builder_finish(&out, builder));
            const int32_t *node_labels;
            PVGT_OK(pvg_graphset_view_labels(NULL, NULL, &node_labels, out));
            TEST_ASSERT_NULL(node_labels);
            pvg_graphset_free(out);
            PVGT_OK(pvg_graphset_builder_add(builder, large, 0, NULL, many_labels));
        }
        pvg_graphset_builder_free(builder);
        status = first;
    }
    pvg_graph_free(large);
    return status;
}

static int32_t features_dense(void *context) {
    pvg_features *out;
    (void)context;
    const int32_t status =
        pvg_features_from_dense(&out, 2, 2, (double[]){1.0, 0.0, 2.0, 3.0});
    pvg_features_free(out);
    return status;
}

static int32_t features_csr(void *context) {
    pvg_features *out;
    const int32_t status = pvg_features_from_csr(&out, 2, 2, (int64_t[]){0, 1, 2},
                                                 (int32_t[]){0, 1}, context);
    pvg_features_free(out);
    return status;
}

static int32_t features_inferred(void *context) {
    pvg_features *out;
    const int32_t status = pvg_features_copy_inferred(&out, context);
    pvg_features_free(out);
    return status;
}

static int32_t labels(void *context) {
    pvg_labels *out;
    (void)context;
    const int32_t status = pvg_labels_from_array(&out, columns, 8);
    pvg_labels_free(out);
    return status;
}

static int32_t lists_pairs(void *context) {
    pvg_lists *out;
    (void)context;
    const int32_t status = pvg_lists_from_pairs(&out, 2, 3, (int64_t[]){0, 1, 1},
                                                (int64_t[]){2, 0, 0}, 3, 0);
    if (status != PVG_OK) TEST_ASSERT_NULL(out);
    pvg_lists_free(out);
    return status;
}

static int32_t lists_csr(void *context) {
    pvg_lists *out;
    (void)context;
    const int32_t status =
        pvg_lists_from_csr(&out, 2, 3, (int64_t[]){0, 1, 2}, (int32_t[]){2, 0}, 0);
    if (status != PVG_OK) TEST_ASSERT_NULL(out);
    pvg_lists_free(out);
    return status;
}

static int32_t lists_parse(void *context) {
    const pvg_lists_options options = {
        .size = sizeof options, .persons = 9, .catalogue = context};
    const char text[] = "ann,milk\nbob,\"bread\"\n";
    pvg_lists *out;
    const int32_t status = pvg_lists_parse(&out, text, sizeof text - 1, &options, NULL);
    if (status != PVG_OK) TEST_ASSERT_NULL(out);
    pvg_lists_free(out);
    return status;
}

/* Every kind that reads lists: made, and drawn. */
static int32_t lists_draw(void *context) {
    const pvg_target target = {.size = sizeof target, .allow_seeded = 1};
    pvg_lists *lists = NULL;
    pvg_labels *labels_of = NULL;
    pvg_query *query = NULL;
    pvg_release *release = NULL;
    int32_t status =
        pvg_lists_from_csr(&lists, 2, 3, (int64_t[]){0, 1, 3}, (int32_t[]){2, 0, 1}, 0);
    const bool grouped = strncmp(context, "list-groups", 11) == 0;
    if (status == PVG_OK && grouped)
        status = pvg_labels_from_array(&labels_of, (int32_t[]){0, 1}, 2);
    if (status == PVG_OK) status = pvg_query_new(&query, context, NULL, &target, NULL);
    const pvg_input in = {.size = sizeof in, .lists = lists, .labels = labels_of};
    if (status == PVG_OK)
        status = pvg_release_draw(&release, query, &in, rng, NULL, NULL);
    if (status != PVG_OK) TEST_ASSERT_NULL(release);
    pvg_release_free(release);
    pvg_query_free(query);
    pvg_labels_free(labels_of);
    pvg_lists_free(lists);
    return status;
}

static int32_t sbm(void *context) {
    pvg_graphset *out = NULL;
    (void)context;
    const int32_t status =
        pvg_graphset_draw_sbm(&out, 10, (double[]){0.1, 0.2}, 2, 2, 0.4, rng, &two);
    if (status != PVG_OK) TEST_ASSERT_NULL(out);
    pvg_graphset_free(out);
    return status;
}

static int32_t chains(void *context) {
    pvg_graph *chain_graph;
    pvg_features *chain_features;
    pvg_labels *chain_labels;
    (void)context;
    const int32_t status = pvg_graph_draw_chains(&chain_graph, &chain_features,
                                                 &chain_labels, PVG_CHAINS_S, rng);
    if (status != PVG_OK)
        TEST_ASSERT_TRUE(!chain_graph && !chain_features && !chain_labels);
    pvg_graph_free(chain_graph);
    pvg_features_free(chain_features);
    pvg_labels_free(chain_labels);
    return status;
}

static void every_allocation_may_fail(void) {
    double values[] = {1.0, 2.0};
    pvg_features *features;
    PVGT_OK(pvg_features_from_dense(&features, 1, 2, values));
    const struct {
        const char *name;
        pvgt_oom_body body;
        void *context;
        long at_least;
    } walks[] = {
        {"pvg_graph_builder", builder, &strict, 20},
        {"pvg_graph_builder, merging", builder, &merging, 25},
        {"pvg_features_from_float", features_float, NULL, 6},
        {"from_edges", from_edges, NULL, 10},
        {"from_edges_merged", from_edges_merged, NULL, 10},
        {"refused_repeat", refused_repeat, NULL, 10},
        {"from_csr", from_csr, NULL, 3},
        {"from_csr_merged", from_csr_merged, NULL, 10},
        {"packed", packed, NULL, 11},
        {"induce", induce, NULL, 5},
        {"relabel", relabel, NULL, 5},
        {"truncate_degree", truncate_degree, NULL, 3},
        {"get", get, NULL, 3},
        {"cut_set", cut_set, NULL, 6},
        {"build_set", build_set, NULL, 8},
        {"set_at_once", set_at_once, NULL, 6},
        {"slice", slice, NULL, 11},
        {"change_kind", change_kind, NULL, 8},
        {"features_dense", features_dense, NULL, 4},
        {"features_csr", features_csr, values, 4},
        {"features_csr of ones", features_csr, NULL, 4},
        {"features_inferred", features_inferred, features, 4},
        {"labels", labels, NULL, 2},
        {"lists_pairs", lists_pairs, NULL, 3},
        {"lists_csr", lists_csr, NULL, 3},
        {"lists_parse", lists_parse, (char[]){"milk\nbread\n"}, 10},
        {"list-lengths", lists_draw, (char[]){"list-lengths things=3 epsilon=1"}, 10},
        {"list-top", lists_draw, (char[]){"list-top things=3 top=2 epsilon=1"}, 10},
        {"list-rows", lists_draw, (char[]){"list-rows things=3 epsilon=1"}, 10},
        {"list-groups", lists_draw, (char[]){"list-groups things=3 groups=2 epsilon=1"},
         10},
        {"list-pairs", lists_draw, (char[]){"list-pairs things=3 epsilon=1"}, 10},
        {"path", path, NULL, 3},
        {"erdos_renyi", erdos_renyi, NULL, 11},
        {"blocks", blocks, NULL, 11},
        {"preferential", preferential, NULL, 12},
        {"chung_lu", chung_lu, NULL, 13},
        {"tree", tree, NULL, 13},
        {"ktree", ktree, NULL, 11},
        {"sbm", sbm, NULL, 20},
        {"chains", chains, NULL, 15},
    };
    for (size_t i = 0; i < sizeof walks / sizeof walks[0]; i++)
        pvgt_oom_walk(walks[i].name, walks[i].body, walks[i].context, walks[i].at_least);
    pvg_features_free(features);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    pvg_graphset_builder *builder;
    for (int i = 0; i < MANY; i++) { /* a ring, in an order that is not sorted */
        many_sources[i] = (int32_t)((int64_t)i * 7919 % MANY);
        many_targets[i] = (many_sources[i] + 1) % MANY;
    }
    PVGT_OK(pvg_graph_from_csr(&graph, 5, offsets, columns, 0, NULL));
    PVGT_OK(pvg_graphset_builder_new(&builder, 0));
    PVGT_OK(pvg_graphset_builder_add(builder, graph, 0, NULL, NULL));
    PVGT_OK(pvg_graphset_builder_finish(&set, builder));
    pvg_graphset_builder_free(builder);
    PVGT_OK(pvg_rng_new_seeded(&rng, 1));
    RUN_TEST(every_allocation_may_fail);
    pvg_rng_free(rng);
    pvg_graphset_free(set);
    pvg_graph_free(graph);
    return pvgt_end(UNITY_END());
}
