/* Nobody is trusted: what reports tell, read once and again, and paid all or not at all.
 */
#include "learn/learn_internal.h"
#include "planted.h"

void setUp(void) {}
void tearDown(void) {}

static const char *const texts = "users rounds=2 classes=3 columns=12 label-epsilon=3 "
                                 "feature-epsilon=3 list-epsilon=12";

static pvg_pipeline_arguments arguments(void) {
    return (pvg_pipeline_arguments){
        .size = sizeof(pvg_pipeline_arguments), .order = ORDER, .parts = parts};
}

static const uint64_t object = 7;
static pvg_input input(bool lists, bool reports, bool answers) {
    return (pvg_input){.size = sizeof(pvg_input),
                       .graph = lists ? graph : NULL,
                       .features = reports ? features : NULL,
                       .labels = answers ? all : NULL,
                       .objects = &object,
                       .object_count = 1};
}

static void users_report(void) {
    static double out[ORDER * CLASSES], without[ORDER * CLASSES];
    pvg_pipeline_arguments a = arguments();
    pvg_input in = input(true, true, true);
    pvg_release *drawn[3];
    PVGT_OK(draw_and_read(out, without, drawn, texts, &a, &in, NULL, NULL, NULL));
    TEST_ASSERT_TRUE(drawn[0] && drawn[1] && drawn[2]);
    rows_are_probabilities(out);
    rows_are_probabilities(without);
    PVGT_CHECK(hits(without) > 0.6, "labels alone: %.3f", hits(without));
    const int32_t *told;
    int64_t count;
    PVGT_OK(pvg_release_view_labels(&told, &count, drawn[2]));
    for (int v = 0; v < ORDER; v++) /* test users are not asked */
        TEST_ASSERT_TRUE((told[v] >= 0) == (parts[v] != 2));
    free_drawn(drawn);
#define LEARN(text) draw_and_read(out, without, drawn, text, &a, &in, NULL, NULL, NULL)
    /* the graph is public, labels are not */
    a.graph = graph;
    in = input(false, true, true);
    PVGT_FAILS(PVG_E_ARGUMENT, "features is given",
               LEARN("users classes=3 label-epsilon=3"));
    in = input(false, false, true);
    PVGT_OK(LEARN("users classes=3 label-epsilon=3"));
    TEST_ASSERT_TRUE(!drawn[0] && !drawn[1] && drawn[2]);
    TEST_ASSERT_EQUAL_MEMORY(without, out, sizeof out);
    free_drawn(drawn);
    PVGT_FAILS(PVG_E_ARGUMENT, "low", LEARN("users classes=3 label-epsilon=3 low=1"));
    pvg_features *inferred;
    PVGT_OK(pvg_features_copy_inferred(&inferred, features));
    in.features = inferred;
    PVGT_FAILS(PVG_E_UNDECLARED, "columns",
               LEARN("users classes=3 label-epsilon=3 feature-epsilon=1 columns=12"));
    pvg_features_free(inferred);
    a.parts = NULL;
    PVGT_FAILS(PVG_E_ARGUMENT, "parts", LEARN("users classes=3 label-epsilon=3"));
#undef LEARN
}

/* Lists are private, features are not: they are read as they are, once and again. */
static void users_with_public_features(void) {
    static double out[ORDER * CLASSES], without[ORDER * CLASSES];
    pvg_pipeline_arguments a = arguments();
    const pvg_input in = input(true, false, false);
    pvg_pipeline *p;
    pvg_release *drawn[3];
    pvg_model *model = NULL;
    a.features = features;
    a.labels = truth;
    PVGT_OK(pipeline_of(&p, "users list-epsilon=.5", &a, NULL, NULL));
    PVGT_OK(pvg_pipeline_draw(&drawn[0], &drawn[1], &drawn[2], p, &in, NULL, NULL, NULL,
                              NULL, NULL));
    TEST_ASSERT_TRUE(drawn[0] && !drawn[1] && !drawn[2]);
    for (int turn = 0; turn < 2; turn++) {
        PVGT_OK(
            pvg_pipeline_read(out, without, &model, p, drawn[0], NULL, NULL, NULL, NULL));
        rows_are_probabilities(out);
        PVGT_CHECK(hits(out) > hits(without) + .1,
                   "public features beside noisy lists: %.3f, without %.3f", hits(out),
                   hits(without));
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, .5, promised(model, PVG_NOTION_EDGE_SET_LDP, 0));
        pvg_model_free(model);
    }
    free_drawn(drawn);
    pvg_pipeline_free(p);
}

/* What was reported is learnt from as often as one likes, by the same judges; nobody's
 * answer is read who does not train. */
static void reports_are_read_again(void) {
    static double out[2][ORDER * CLASSES], without[2][ORDER * CLASSES];
    static const int32_t notions[3] = {PVG_NOTION_EDGE_SET_LDP, PVG_NOTION_FEATURE_LDP,
                                       PVG_NOTION_LABEL_LDP};
    static const double expected[3] = {12.0, 3.0, 3.0};
    static int32_t other[ORDER];
    pvg_pipeline_arguments a = arguments();
    const pvg_input in = input(true, true, true);
    pvg_pipeline *p;
    pvg_release *drawn[3];
    pvg_model *model = NULL;
    PVGT_OK(draw_and_read(NULL, NULL, drawn, texts, &a, &in, NULL, NULL, NULL));
    for (int turn = 0; turn < 2; turn++) {
        pvg_rng *rng;
        PVGT_OK(pvg_rng_new_seeded(&rng, 5));
        PVGT_OK(pipeline_of(&p, texts, &a, NULL, NULL));
        PVGT_OK(pvg_pipeline_read(out[turn], without[turn], turn ? &model : NULL, p,
                                  drawn[0], drawn[1], drawn[2], rng, NULL));
        pvg_pipeline_free(p);
        pvg_rng_free(rng);
    }
    TEST_ASSERT_EQUAL_MEMORY(out[0], out[1], sizeof out[0]);
    TEST_ASSERT_EQUAL_MEMORY(without[0], without[1], sizeof without[0]);
    for (int i = 0; i < 3; i++) /* the record has the three draws */
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, expected[i], promised(model, notions[i], 0.0));
    pvg_model_free(model);
    for (int v = 0; v < ORDER; v++) other[v] = PVG_PART_TEST;
    a.parts = other;
    PVGT_OK(pipeline_of(&p, "users classes=3 label-epsilon=3 list-epsilon=12", &a, NULL,
                        NULL));
    PVGT_OK(
        pvg_pipeline_read(out[0], NULL, NULL, p, drawn[0], NULL, drawn[2], NULL, NULL));
    for (int i = 0; i < ORDER * CLASSES; i++)
        TEST_ASSERT_EQUAL_DOUBLE(1.0 / CLASSES, out[0][i]);
    PVGT_FAILS(
        PVG_E_ARGUMENT, "third is NULL",
        pvg_pipeline_read(out[0], NULL, NULL, p, drawn[0], NULL, NULL, NULL, NULL));
    PVGT_FAILS(
        PVG_E_ARGUMENT, "first answers",
        pvg_pipeline_read(out[0], NULL, NULL, p, drawn[1], NULL, drawn[2], NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "asks for none",
               pvg_pipeline_read(out[0], NULL, NULL, p, drawn[0], drawn[1], drawn[2],
                                 NULL, NULL));
    pvg_pipeline_free(p);
    free_drawn(drawn);
}

/* Where nobody validates a fifth of who trains does, and their answers choose: without
 * that labels alone, which are far better here, would not be found. */
static void some_users_are_held_out(void) {
    static double out[ORDER * CLASSES], without[ORDER * CLASSES];
    static int32_t trains[ORDER];
    pvg_pipeline_arguments a = arguments();
    const pvg_input in = input(true, true, true);
    for (int v = 0; v < ORDER; v++) trains[v] = parts[v] == 2 ? 2 : 0;
    a.parts = trains;
    for (int held = 0; held < 2; held++) {
        pvg_pipeline *p;
        pvg_release *drawn[3];
        char text[200];
        snprintf(text, sizeof text,
                 "users rounds=1 classes=3 columns=12 label-epsilon=8 "
                 "feature-epsilon=.001 list-epsilon=20%s",
                 held ? "" : " held-out=0");
        PVGT_OK(pipeline_of(&p, text, &a, NULL, NULL));
        PVGT_OK(pvg_pipeline_draw(&drawn[0], &drawn[1], &drawn[2], p, &in, NULL, NULL,
                                  NULL, NULL, NULL));
        PVGT_OK(pvg_pipeline_read(out, without, NULL, p, drawn[0], drawn[1], drawn[2],
                                  NULL, NULL));
        TEST_ASSERT_EQUAL(held, memcmp(out, without, sizeof out) == 0);
        free_drawn(drawn);
        pvg_pipeline_free(p);
    }
}

/* A part that is refused leaves no other one paid, and what is paid is handed back. */
static void users_pay_all_or_nothing(void) {
    static const int32_t notions[3] = {PVG_NOTION_EDGE_SET_LDP, PVG_NOTION_FEATURE_LDP,
                                       PVG_NOTION_LABEL_LDP};
    const pvg_pipeline_arguments a = arguments();
    const pvg_input in = input(true, true, true);
    for (int poor = -1; poor < 3; poor++) {
        pvg_release *drawn[3];
        pvg_ledger *ledgers[3];
        for (int i = 0; i < 3; i++) {
            const pvg_ledger_config book = {.size = sizeof book,
                                            .notion = notions[i],
                                            .epsilon = i == poor ? 2.0 : 12.0};
            PVGT_OK(pvg_ledger_new(&ledgers[i], &book));
        }
        const int32_t status =
            draw_and_read(NULL, NULL, drawn, texts, &a, &in, NULL, ledgers, NULL);
        TEST_ASSERT_EQUAL_INT32(poor < 0 ? PVG_OK : PVG_E_BUDGET, status);
        for (int i = 0; i < 3; i++) {
            TEST_ASSERT_EQUAL_INT64(poor < 0, pvg_ledger_charge_count(ledgers[i]));
            TEST_ASSERT_TRUE((drawn[i] != NULL) == (poor < 0));
            pvg_ledger_free(ledgers[i]);
        }
        free_drawn(drawn);
    }
}

/* Without noise edges tell nearly all, and features beside labels do no harm. */
static void without_noise(void) {
    static double exact[ORDER * CLASSES], alone[ORDER * CLASSES];
    const pvg_pipeline_arguments a = arguments();
    const pvg_input in = input(true, true, true);
    pvg_pipeline *p;
    PVGT_OK(pipeline_of(&p, texts, &a, NULL, NULL));
    PVGT_OK(pvg_pipeline_exact(exact, alone, p, &in, NULL, NULL));
    rows_are_probabilities(exact);
    PVGT_CHECK(hits(alone) > 0.8, "labels alone: %.3f", hits(alone));
    PVGT_CHECK(hits(exact) > 0.8, "no noise: %.3f", hits(exact));
    pvg_pipeline_free(p);
}

static void reports_are_weighed(void) {
    const pvg_pipeline_arguments a = arguments();
    pvg_pipeline *p;
    pvg_preview *t[3];
    PVGT_OK(pipeline_of(&p, "users classes=3 label-epsilon=3 list-epsilon=.001", &a, NULL,
                        NULL));
    for (int i = 0; i < 3; i++) PVGT_OK(pvg_pipeline_preview(&t[i], p, i, NULL));
    TEST_ASSERT_NULL(t[1]);
    TEST_ASSERT_EQUAL_INT64(0, pvg_preview_informative(t[0]));
    TEST_ASSERT_GREATER_THAN_INT64(0, pvg_preview_informative(t[2]));
    pvg_preview_free(t[0]);
    pvg_preview_free(t[2]);
    pvg_pipeline_free(p);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    plant();
    RUN_TEST(reports_are_weighed);
    RUN_TEST(users_report);
    RUN_TEST(users_with_public_features);
    RUN_TEST(reports_are_read_again);
    RUN_TEST(some_users_are_held_out);
    RUN_TEST(users_pay_all_or_nothing);
    RUN_TEST(without_noise);
    uproot();
    return pvgt_end(UNITY_END());
}
