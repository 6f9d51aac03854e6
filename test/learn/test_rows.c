/* Classes of rows of a release: what networks read, the model they leave, refusals. */
#include "learn/learn_internal.h"
#include "planted.h"

void setUp(void) {}
void tearDown(void) {}

static pvg_pipeline_arguments arguments(void) {
    return (pvg_pipeline_arguments){.size = sizeof(pvg_pipeline_arguments),
                                    .order = ORDER,
                                    .labels = labels,
                                    .checks = checks};
}

static void rows_of_a_release(void) {
    static double out[ORDER * CLASSES], exact[ORDER * CLASSES];
    const pvg_arguments nodes = {.size = sizeof nodes, .order = ORDER, .kinds = truth};
    const pvg_input input = {.size = sizeof input, .graph = graph};
    const pvg_pipeline_arguments a = arguments();
    pvg_pipeline *p;
    pvg_query *query;
    pvg_release *release, *drawn[3];
    pvg_rng *rng;
    PVGT_OK(pvg_rng_new_secure(&rng));
    PVGT_OK(pvg_query_new(&query, "edge-histogram cells=both-ways epsilon=8", &nodes,
                          NULL, NULL));
    PVGT_OK(pvg_release_draw(&release, query, &input, rng, NULL, NULL));
    PVGT_OK(pipeline_of(&p, "rows averages=2", &a, rng, NULL));
    PVGT_OK(pvg_pipeline_read(out, NULL, NULL, p, release, NULL, NULL, rng, NULL));
    rows_are_probabilities(out);
    PVGT_CHECK(hits(out) > 0.75, "rows: %.3f", hits(out));
    PVGT_FAILS(PVG_E_ARGUMENT, "draws nothing",
               pvg_pipeline_draw(&drawn[0], &drawn[1], &drawn[2], p, &input, rng, NULL,
                                 NULL, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "one release",
               pvg_pipeline_read(out, NULL, NULL, p, NULL, NULL, NULL, rng, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "one release",
               pvg_pipeline_read(out, NULL, NULL, p, release, release, NULL, rng, NULL));
    /* the same numbers without noise are features */
    static double x[ORDER * CLASSES];
    const double *values;
    pvg_features *given;
    PVGT_OK(pvg_release_view(&values, release));
    memcpy(x, values, sizeof x);
    PVGT_OK(pvg_features_from_dense(&given, ORDER, CLASSES, x));
    const pvg_input numbers = {.size = sizeof numbers, .features = given};
    PVGT_OK(pvg_pipeline_exact(exact, NULL, p, &numbers, rng, NULL));
    rows_are_probabilities(exact);
    PVGT_CHECK(hits(exact) > 0.75, "exact: %.3f", hits(exact));
    PVGT_FAILS(PVG_E_ARGUMENT, "exactly input->features",
               pvg_pipeline_exact(exact, NULL, p, &input, rng, NULL));
    pvg_pipeline_free(p);
    pvg_pipeline_arguments fewer = a;
    fewer.order = ORDER - 1;
    PVGT_OK(pipeline_of(&p, "rows", &fewer, rng, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "the pipeline 599 rows",
               pvg_pipeline_read(out, NULL, NULL, p, release, NULL, NULL, rng, NULL));
    pvg_pipeline_free(p);
    PVGT_FAILS(PVG_E_ARGUMENT, "no budget",
               pvg_pipeline_new(&p, "rows epsilon=1", &a, NULL, NULL, NULL));
    pvg_features_free(given);
    pvg_release_free(release);
    pvg_query_free(query);
    pvg_rng_free(rng);
}

/* The kept model takes rows as they are released, and says what it has seen; rows that
 * are objects of their own are about all of them. */
static void rows_leave_a_model(void) {
    enum { GRAPHS = 40, WIDE = 3 };
    static double out[GRAPHS * 2], again[GRAPHS * 2];
    pvg_graphset_builder *many;
    pvg_graph *made[2];
    int32_t known[GRAPHS];
    uint64_t objects[GRAPHS];
    pvg_query *query;
    pvg_graphset *set;
    pvg_release *release;
    pvg_model *model;
    pvg_rng *rng;
    PVGT_OK(pvg_graph_new_cycle(&made[0], 12));
    PVGT_OK(pvg_graph_new_path(&made[1], 12));
    PVGT_OK(pvg_graphset_builder_new(&many, 0));
    for (int i = 0; i < GRAPHS; i++) {
        PVGT_OK(pvg_graphset_builder_add(many, made[i % 2], -1, NULL, NULL));
        known[i] = i < 30 ? i % 2 : -1;
        objects[i] = 100 + (uint64_t)i;
    }
    PVGT_OK(pvg_rng_new_secure(&rng));
    PVGT_OK(pvg_graphset_builder_finish(&set, many));
    pvg_graphset_builder_free(many);
    /* densities of cycle9: noise above all they can be; those of edge are far below */
    PVGT_OK(pvg_query_new(&query,
                          "embed patterns=edge,cycle9,path3 max-degree=4 "
                          "degrees=promised epsilon=1 delta=1e-6",
                          NULL, NULL, NULL));
    const pvg_input input = {
        .size = sizeof input, .set = set, .objects = objects, .object_count = GRAPHS};
    PVGT_OK(pvg_release_draw(&release, query, &input, rng, NULL, NULL));
    const pvg_pipeline_arguments a = {.size = sizeof a, .order = GRAPHS, .labels = known};
    pvg_pipeline *p;
    PVGT_OK(pipeline_of(&p, "rows hidden=8 averages=2", &a, rng, NULL));
    PVGT_OK(pvg_pipeline_read(out, NULL, &model, p, release, NULL, NULL, rng, NULL));
    pvg_pipeline_free(p);
    /* the first weights of each member: WIDE rows of `hidden` */
    static double weights[4096];
    TEST_ASSERT_TRUE(pvg_model_parameters(model) <= 4096);
    const pvgi_columns *told = release->guarantee.told;
    int drowned = 0;
    for (int64_t m = 0; m < 2; m++) {
        PVGT_OK(pvg_model_copy_weights_exact(weights, model, m));
        for (int j = 0; j < WIDE; j++) {
            const pvgi_measure *measure = &told->table[0].measure[j];
            const bool loud = measure->scale > measure->high - measure->low;
            double most = 0;
            for (int i = 0; i < 8; i++) most = fmax(most, fabs(weights[j * 8 + i]));
            PVGT_CHECK((most == 0.0) == loud, "column %d: noise %g, range %g, weight %g",
                       j, measure->scale, measure->high - measure->low, most);
            drowned += loud;
        }
    }
    TEST_ASSERT_EQUAL_INT(2, drowned); /* one of three columns, in both members */
    pvg_dataset_builder *builder;
    pvg_dataset *data;
    PVGT_OK(pvg_dataset_builder_new(&builder, GRAPHS));
    PVGT_OK(pvg_dataset_builder_add_released(builder, release, PVG_ROLE_STATES));
    PVGT_OK(pvg_dataset_builder_finish(&data, builder));
    PVGT_OK(pvg_model_predict_exact(again, model, data, PVG_PREDICT_PROBABILITIES, NULL));
    for (int i = 0; i < 2 * GRAPHS; i++)
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, out[i], again[i]);
    const double epsilon = promised(model, PVG_NOTION_EDGE, 1e-6);
    PVGT_CHECK(epsilon > .99 && epsilon < 1.001, "epsilon %g", epsilon);
    pvg_dataset_free(data);
    pvg_dataset_builder_free(builder);
    pvg_model_free(model);
    pvg_release_free(release);
    pvg_query_free(query);
    pvg_graphset_free(set);
    pvg_graph_free(made[0]);
    pvg_graph_free(made[1]);
    pvg_rng_free(rng);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    plant();
    RUN_TEST(rows_of_a_release);
    RUN_TEST(rows_leave_a_model);
    uproot();
    return pvgt_end(UNITY_END());
}
