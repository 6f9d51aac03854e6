/* Nodes are hidden: one charge for all draws, records that compose, what is read is for a
 * node alone, refusals before anything is paid. */
#include "learn/pipeline.h"
#include "planted.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

void setUp(void) {}
void tearDown(void) {}

#define GAP "nodes method=gap classes=3 columns=12 steps=60 rate=.05 max-degree=40 "

static pvg_pipeline_arguments arguments(void) {
    return (pvg_pipeline_arguments){
        .size = sizeof(pvg_pipeline_arguments), .order = ORDER, .parts = parts};
}

static const uint64_t object = 7;
static pvg_input input(bool sums) {
    return (pvg_input){.size = sizeof(pvg_input),
                       .graph = sums ? graph : NULL,
                       .features = features,
                       .labels = all,
                       .objects = &object,
                       .object_count = 1};
}

static const pvg_model *model_of(const pvg_release *release) {
    const pvg_model *model;
    PVGT_OK(pvg_release_view_model(&model, release));
    return model;
}

/* What a node is told by what was drawn. */
static int32_t read_exact(double *out, double *without, const pvg_pipeline *p,
                          pvg_release *const drawn[3]) {
    const pvg_input in = {.size = sizeof in, .features = features};
    return pvg_pipeline_read_exact(out, without, p, model_of(drawn[0]), drawn[1],
                                   drawn[2] ? model_of(drawn[2]) : NULL, &in, NULL);
}

static void nodes_are_hidden(void) {
    static double out[ORDER * CLASSES], without[ORDER * CLASSES], again[ORDER * CLASSES];
    const pvg_ledger_config book = {.size = sizeof book,
                                    .notion = PVG_NOTION_NODE_REMOVED,
                                    .epsilon = 8.0,
                                    .delta = 1e-5};
    const pvg_pipeline_arguments a = arguments();
    const pvg_input in = input(true);
    pvg_pipeline *p, *alone, *other;
    pvg_release *drawn[3], *none[3];
    pvg_ledger *ledger;
    double epsilon;
    PVGT_OK(pvg_ledger_new(&ledger, &book));
    PVGT_OK(pipeline_of(&p, GAP "epsilon=8 delta=1e-5", &a, NULL, NULL));
#define DRAW(to, pipeline, in)                                                           \
    pvg_pipeline_draw(&to[0], &to[1], &to[2], pipeline, in, NULL, ledger, NULL, NULL,    \
                      NULL)
    PVGT_OK(DRAW(drawn, p, &in));
    TEST_ASSERT_EQUAL_INT64(1, pvg_ledger_charge_count(ledger)); /* one for all three */
    PVGT_OK(pvg_ledger_spent(&epsilon, ledger, 7, 1e-5));
    PVGT_CHECK(epsilon <= 8.0 && epsilon > 7.5, "ledger: %g", epsilon);
    /* the head's record composes encoder, states and its own draw, each once; that of the
     * states has the encoder behind it, which judged what was sent */
    const double own = promised(model_of(drawn[0]), PVG_NOTION_NODE_REMOVED, 1e-5);
    const double two = epsilon_of(pvg_release_guarantee(drawn[1]), 1e-5);
    const double three = promised(model_of(drawn[2]), PVG_NOTION_NODE_REMOVED, 1e-5);
    PVGT_CHECK(three <= 8.0 && three > 7.9, "head: %g", three);
    PVGT_CHECK(own < two && two < three, "encoder %g, states %g, head %g", own, two,
               three);
    TEST_ASSERT_EQUAL_INT32(PVG_NOTION_NODE_REMOVED,
                            pvg_guarantee_notion(pvg_release_guarantee(drawn[1])));
    PVGT_OK(read_exact(out, without, p, drawn));
    rows_are_probabilities(out);
    rows_are_probabilities(without);
    TEST_ASSERT_TRUE(memcmp(out, without, sizeof out) != 0);
    /* it is nobody else's: no reading without the features */
    PVGT_FAILS(
        PVG_E_PRIVACY, "for that node alone",
        pvg_pipeline_read(out, NULL, NULL, p, drawn[0], drawn[1], drawn[2], NULL, NULL));
    /* another process has the models as files, and the same says the same */
    char folder[] = "/tmp/pvgt-nodes-XXXXXX", path[2][64];
    TEST_ASSERT_NOT_NULL(mkdtemp(folder));
    pvg_model *loaded[2];
    for (int i = 0; i < 2; i++) {
        snprintf(path[i], sizeof path[i], "%s/model%d", folder, i);
        PVGT_OK(pvg_model_save(path[i], model_of(drawn[2 * i])));
        PVGT_OK(pvg_model_load(&loaded[i], path[i]));
        remove(path[i]);
    }
    rmdir(folder);
    const pvg_input own_features = {.size = sizeof own_features, .features = features};
    PVGT_OK(pvg_pipeline_read_exact(again, NULL, p, loaded[0], drawn[1], loaded[1],
                                    &own_features, NULL));
    TEST_ASSERT_EQUAL_MEMORY(out, again, sizeof out);
#define READ(pipeline, encoder, states, head, in)                                        \
    pvg_pipeline_read_exact(again, NULL, pipeline, encoder, states, head, in, NULL)
    PVGT_FAILS(PVG_E_ARGUMENT, "needed by method=gap",
               READ(p, loaded[0], NULL, loaded[1], &own_features));
    PVGT_FAILS(PVG_E_ARGUMENT, "another pipeline",
               READ(p, loaded[1], drawn[1], loaded[0], &own_features));
    PVGT_FAILS(PVG_E_ARGUMENT, "input->features alone",
               READ(p, loaded[0], drawn[1], loaded[1], &in));
    PVGT_OK(pipeline_of(&other, GAP "epsilon=7 delta=1e-5", &a, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "this pipeline asks",
               READ(other, loaded[0], drawn[1], loaded[1], &own_features));
    pvg_pipeline_free(other);
    PVGT_OK(pipeline_of(&alone, "nodes classes=3 columns=12 epsilon=8 delta=1e-5", &a,
                        NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "only method=gap",
               READ(alone, loaded[0], drawn[1], loaded[1], &own_features));
    PVGT_OK(READ(alone, loaded[0], NULL, NULL, &own_features));
    TEST_ASSERT_EQUAL_MEMORY(without, again, sizeof again);
    pvg_model_free(loaded[0]);
    pvg_model_free(loaded[1]);
    free_drawn(drawn);
    /* nothing is left: refused before anything is drawn */
    PVGT_FAILS(PVG_E_BUDGET, "", DRAW(none, p, &in));
    TEST_ASSERT_TRUE(!none[0] && !none[1] && !none[2]);
    /* without noise, and the encoder alone */
    PVGT_OK(pvg_pipeline_exact(out, without, p, &in, NULL, NULL));
    PVGT_CHECK(hits(out) > .6, "no noise: %g", hits(out));
    const pvg_input rows = input(false);
    PVGT_FAILS(PVG_E_ARGUMENT, "only method=gap", DRAW(none, alone, &in));
    PVGT_FAILS(PVG_E_ARGUMENT, "sums over neighbours read it", DRAW(none, p, &rows));
    PVGT_OK(pvg_pipeline_draw(&drawn[0], &drawn[1], &drawn[2], alone, &rows, NULL, NULL,
                              NULL, NULL, NULL));
    TEST_ASSERT_TRUE(drawn[0] && !drawn[1] && !drawn[2]);
    epsilon = promised(model_of(drawn[0]), PVG_NOTION_NODE_REMOVED, 1e-5);
    PVGT_CHECK(epsilon <= 8.0 && epsilon > 7.9, "alone: %g", epsilon);
    free_drawn(drawn);
    PVGT_OK(pvg_pipeline_exact(out, NULL, alone, &rows, NULL, NULL));
    rows_are_probabilities(out);
    pvg_features *inferred;
    PVGT_OK(pvg_features_copy_inferred(&inferred, features));
    pvg_input odd = rows;
    odd.features = inferred;
    PVGT_FAILS(PVG_E_UNDECLARED, "columns", DRAW(none, alone, &odd));
    odd.features = features;
    odd.open = PVG_DATA_FEATURES;
    PVGT_FAILS(PVG_E_ARGUMENT, "which are private", DRAW(none, alone, &odd));
    pvg_features_free(inferred);
    pvg_pipeline_free(p);
    pvg_pipeline_free(alone);
    pvg_ledger_free(ledger);
}

/* Shares are parts of their sum, however small or large. */
static void shares_are_parts(void) {
    static const char *const shares[] = {
        "encoder-share=.5 states-share=.2 head-share=.3",
        "encoder-share=5e-5 states-share=2e-5 head-share=3e-5",
        "encoder-share=5e5 states-share=2e5 head-share=3e5"};
    const pvg_pipeline_arguments a = arguments();
    double first[3] = {0};
    for (int i = 0; i < 3; i++) {
        char text[256];
        pvg_pipeline *p;
        snprintf(text, sizeof text, GAP "epsilon=2 delta=1e-5 %s", shares[i]);
        PVGT_OK(pipeline_of(&p, text, &a, NULL, NULL));
        for (int k = 0; k < 3; k++) {
            const double mu = p->asks[k]->budget.target.parameter;
            if (i == 0) first[k] = mu;
            PVGT_CHECK(fabs(mu / first[k] - 1) < 1e-6, "%s: %d: %.17g", text, k, mu);
        }
        pvg_pipeline_free(p);
    }
}

/* Each of these is refused from public numbers. */
static void refusals(void) {
    pvg_pipeline_arguments a = arguments();
    pvg_pipeline *p = NULL;
#define NEW(text) pvg_pipeline_new(&p, text, &a, NULL, NULL, NULL)
    PVGT_FAILS(PVG_E_ARGUMENT, "method", NEW("nodes method=sums classes=3 columns=12"));
    PVGT_FAILS(PVG_E_ARGUMENT, "classes", NEW("nodes columns=12 epsilon=1"));
    PVGT_FAILS(PVG_E_ARGUMENT, "columns", NEW("nodes classes=3 epsilon=1"));
    PVGT_FAILS(PVG_E_ARGUMENT, "max-degree",
               NEW("nodes method=gap classes=3 columns=12 epsilon=1"));
    PVGT_FAILS(PVG_E_ARGUMENT, "max-degree",
               NEW("nodes classes=3 columns=12 epsilon=1 max-degree=3"));
    PVGT_FAILS(PVG_E_ARGUMENT, "share", NEW(GAP "epsilon=1 head-share=0"));
    PVGT_FAILS(PVG_E_ARGUMENT, "epsilon", NEW("nodes classes=3 columns=12"));
    PVGT_FAILS(PVG_E_ARGUMENT, "an epsilon and a delta",
               NEW("nodes classes=3 columns=12 parameter=1"));
    PVGT_FAILS(PVG_E_ARGUMENT, "pvg_pipeline_new: nodes: batch is 1e+06, but there are",
               NEW("nodes classes=3 columns=12 epsilon=1 batch=1e6"));
    a.labels = labels;
    PVGT_FAILS(PVG_E_ARGUMENT, "takes no labels", NEW("nodes classes=3 columns=12"));
    a.labels = NULL;
    a.network = "dense 4 bn | dense classes"; /* mixes records */
    PVGT_FAILS(PVG_E_PRIVACY, "", NEW("nodes classes=3 columns=12 epsilon=1"));
    a.network = "gcn classes";
    PVGT_FAILS(PVG_E_ARGUMENT, "no graph for it",
               NEW("nodes classes=3 columns=12 epsilon=1"));
    a.network = NULL;
    a.parts = NULL;
    PVGT_FAILS(PVG_E_ARGUMENT, "parts", NEW("nodes classes=3 columns=12 epsilon=1"));
    static int32_t nobody[ORDER];
    for (int v = 0; v < ORDER; v++) nobody[v] = PVG_PART_TEST;
    a.parts = nobody;
    PVGT_FAILS(PVG_E_ARGUMENT, "nobody trains",
               NEW("nodes classes=3 columns=12 epsilon=1"));
    TEST_ASSERT_NULL(p);
#undef NEW
}

/* The encoder is the caller's choice. */
static void any_encoder(void) {
    pvg_pipeline_arguments a = arguments();
    const pvg_input in = input(false);
    pvg_release *drawn[3];
    a.network = "dense classes";
    PVGT_OK(draw_and_read(NULL, NULL, drawn,
                          "nodes classes=3 columns=12 steps=3 epsilon=1", &a, &in, NULL,
                          NULL, NULL));
    TEST_ASSERT_EQUAL_INT64((COLUMNS + 1) * CLASSES,
                            pvg_model_parameters(model_of(drawn[0])));
    free_drawn(drawn);
}

static void sums_are_weighed(void) {
    const pvg_pipeline_arguments a = arguments();
    pvg_preview *t;
    double noise[2];
    for (int i = 0; i < 2; i++) {
        pvg_pipeline *p;
        PVGT_OK(pipeline_of(&p,
                            i ? GAP "epsilon=.05 delta=1e-5" : GAP "epsilon=4 delta=1e-5",
                            &a, NULL, NULL));
        PVGT_OK(pvg_pipeline_preview(&t, p, 0, NULL));
        TEST_ASSERT_NULL(t); /* weights have no range */
        PVGT_OK(pvg_pipeline_preview(&t, p, 1, NULL));
        TEST_ASSERT_EQUAL_INT64(1, pvg_preview_count(t));
        noise[i] = line_of(t, 0).noise;
        if (i == 1) TEST_ASSERT_EQUAL_INT64(0, pvg_preview_informative(t));
        pvg_preview_free(t);
        pvg_pipeline_free(p);
    }
    TEST_ASSERT_TRUE(noise[1] > noise[0]);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    plant();
    RUN_TEST(sums_are_weighed);
    RUN_TEST(nodes_are_hidden);
    RUN_TEST(shares_are_parts);
    RUN_TEST(refusals);
    RUN_TEST(any_encoder);
    uproot();
    return pvgt_end(UNITY_END());
}
