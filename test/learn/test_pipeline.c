/* Pipelines: what they draw is what it always was, bit by bit; reading again spends
 * nothing; releases of other settings are refused; all is paid before the first draw. */
#include "learn/edges.h"
#include "support.h"

#include <math.h>
#include <privgraph-learn.h>
#include <stdio.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

enum { ORDER = 400, CLASSES = 2, COLUMNS = 6 };
static int32_t truth[ORDER], labels[ORDER], checks[ORDER], parts[ORDER];
static pvg_graph *graph;
static pvg_features *features;
static pvg_labels *all;
static double out[ORDER * CLASSES], again[ORDER * CLASSES], without[ORDER * CLASSES];

static void plant(void) {
    static int64_t from[ORDER * 4], to[ORDER * 4];
    static double x[ORDER * COLUMNS];
    uint64_t seed = 12;
    int64_t count = 0;
    for (int v = 0; v < ORDER; v++) {
        truth[v] = v % CLASSES;
        parts[v] = v / CLASSES % 4 < 2 ? 0 : v / CLASSES % 4 == 2 ? 1 : 2;
        labels[v] = parts[v] == 0 ? truth[v] : -1;
        checks[v] = parts[v] == 1 ? truth[v] : -1;
        for (int k = 0; k < COLUMNS; k++)
            x[v * COLUMNS + k] =
                pvgt_below(&seed, 100) < (k % CLASSES == truth[v] ? 50 : 35);
    }
    while (count < ORDER * 4) {
        const int64_t a = pvgt_below(&seed, ORDER), b = pvgt_below(&seed, ORDER);
        if (a == b || (truth[a] != truth[b] && pvgt_below(&seed, 10) < 9)) continue;
        from[count] = a;
        to[count++] = b;
    }
    PVGT_OK(pvg_graph_from_edges(&graph, ORDER, from, to, count, PVG_EDGES_MERGE, NULL));
    PVGT_OK(pvg_features_from_dense(&features, ORDER, COLUMNS, x));
    PVGT_OK(pvg_labels_from_array(&all, truth, ORDER));
}

static double hits(const double *p) {
    double right = 0, count = 0;
    for (int v = 0; v < ORDER; v++) {
        if (parts[v] != 2) continue;
        right += (p[v * CLASSES + 1] > p[v * CLASSES]) == truth[v];
        count++;
    }
    return right / count;
}

static pvg_pipeline *make(const char *text, const pvg_pipeline_arguments *arguments) {
    const pvg_target seeded = {.size = sizeof seeded, .allow_seeded = 1};
    pvg_pipeline *made = NULL;
    pvg_rng *rng;
    PVGT_OK(pvg_rng_new_seeded(&rng, 3));
    PVGT_OK(pvg_pipeline_new(&made, text, arguments, &seeded, rng, NULL));
    pvg_rng_free(rng);
    return made;
}

static pvg_pipeline_arguments of_edges(void) {
    return (pvg_pipeline_arguments){.size = sizeof(pvg_pipeline_arguments),
                                    .order = ORDER,
                                    .labels = labels,
                                    .checks = checks,
                                    .features = features};
}

static const uint64_t object = 7;
static pvg_input of_graph(void) {
    return (pvg_input){
        .size = sizeof(pvg_input), .graph = graph, .objects = &object, .object_count = 1};
}

/* The same seed, the same numbers as in every version before. */
static void draws_keep_their_bits(void) {
    static const struct {
        const char *text, *digest[3];
    } cases[] = {
        {"edges method=histogram averages=1 epsilon=4",
         {"bf096287039e35d004e3c44e911bba2bb59b2af4851c2f4d4dd0d765b7c562c9"}},
        {"edges method=sums averages=1 epsilon=4 delta=1e-6",
         {"c3b3072b4305c044f844f9e8a994b294e959a035d481ba3e0e87c9fc6da06e5c"}},
        {"edges method=gap hops=2 averages=1 epsilon=4 delta=1e-6",
         {"d8a8df88b34098f2c8ef7bed40cfaccd4a5a43a9e427e7b97d4b46e618bef97a"}},
        {"edges method=pcmp averages=1 epsilon=4 delta=1e-6",
         {"08cfbecd9fe602970c4d2ef08373298d135af22088969d7ee17da37bfdd6a7cc"}},
        {"edges method=response averages=1 epsilon=4",
         {"d99585d3e4dbcb8ccfc3f4aedc43476eff9828609d202fd2daca43a4a244366e"}},
        {"edges first-share=.4 averages=1 epsilon=4",
         {"b6cb9cf3db0339698e4b56305a39d7f0f6e899bff884e6bacb9e45a41056e9c9",
          "48e942cc4f7e4efb42d78b6d4085e825db8f03bbe19e70d23857c01fb59f9cb4"}},
        {"users list-epsilon=9 feature-epsilon=3 label-epsilon=3 classes=2 columns=6 "
         "rounds=2",
         {"88d00c6ec4f822992b54723814d10442f1df7c4c647a0f8e2da747c41591fe13",
          "c9d2ed364e9c33eebc248f3561d9d8af25e8f4a3aca0b810976342da3ef205a2",
          "4ceaeedb5acdffb7cae8789ef8f52c76327724e04d392214d45f1821ebe7e1a0"}},
        {"nodes method=gap classes=2 columns=6 hops=1 max-degree=30 steps=20 epsilon=4 "
         "delta=1e-6",
         {"16752de9f221027636daaf789d110be9549515cd9b7d19484dc44ae134cd3c77",
          "aa5f14cfd2b600a2705eae13b2c0b9b9afb67705494daae473eae37f7ea68b78",
          "c17bbdd6008c8e7e2515d5707bac5874f2e07c65448b678570edf88c3d9a3395"}},
        {"nodes method=gap classes=2 columns=6 hops=2 max-degree=30 steps=20 epsilon=4 "
         "delta=1e-6",
         {"16752de9f221027636daaf789d110be9549515cd9b7d19484dc44ae134cd3c77",
          "0b6fa6fcc9ea7987adf8ece7b5b6f636f570e724bf3621abfb21023968bf3b37",
          "2b42114dcaa8f87dc02ae9aa3458347ce5bdfb60359c1e77a41105c0b13bda52"}},
        {"nodes classes=2 columns=6 steps=20 epsilon=4 delta=1e-6",
         {"19699a377d1e4527ba8d50909a1bc9abe2572fc052163f0d1d364eeac90084d7"}},
    };
    const pvg_target seeded = {.size = sizeof seeded, .allow_seeded = 1};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const bool edges = strncmp(cases[i].text, "edges", 5) == 0;
        const bool sums = strstr(cases[i].text, "nodes classes") == NULL;
        const pvg_pipeline_arguments parted = {
            .size = sizeof parted, .order = ORDER, .parts = parts};
        const pvg_pipeline_arguments a = edges ? of_edges() : parted;
        const pvg_input input = {.size = sizeof input,
                                 .graph = sums ? graph : NULL,
                                 .features = edges ? NULL : features,
                                 .labels = edges ? NULL : all,
                                 .objects = &object,
                                 .object_count = 1};
        for (uint32_t threads = 1; threads <= 3; threads += 2) {
            const pvg_run run = {.size = sizeof run, .threads = threads};
            pvg_release *drawn[3];
            pvg_pipeline *p = NULL;
            pvg_rng *rng;
            PVGT_OK(pvg_rng_new_seeded(&rng, 3));
            PVGT_OK(pvg_pipeline_new(&p, cases[i].text, &a, &seeded, rng, &run));
            PVGT_OK(pvg_pipeline_draw(&drawn[0], &drawn[1], &drawn[2], p, &input, rng,
                                      NULL, NULL, NULL, &run));
            for (int k = 0; k < 3; k++) {
                char hex[2 * PVGI_DIGEST_BYTES + 1] = "";
                TEST_ASSERT_EQUAL(cases[i].digest[k] != NULL, drawn[k] != NULL);
                if (!drawn[k]) continue;
                for (int b = 0; b < PVGI_DIGEST_BYTES; b++)
                    snprintf(hex + 2 * b, 3, "%02x", drawn[k]->guarantee.digest[b]);
                PVGT_CHECK(strcmp(hex, cases[i].digest[k]) == 0, "%s: draw %d is %s",
                           cases[i].text, k, hex);
                pvg_release_free(drawn[k]);
            }
            pvg_rng_free(rng);
            pvg_pipeline_free(p);
        }
    }
}

/* Labels, checks and prior that a pipeline lends make one that asks the same. */
static void reads_elsewhere(void) {
    pvg_pipeline_arguments a = of_edges();
    const pvg_input input = of_graph();
    const double *prior, *same;
    const int32_t *sent, *chosen;
    pvg_release *drawn[3];
    a.checks = NULL;
    pvg_pipeline *first = make("edges averages=2 epsilon=2", &a);
    PVGT_OK(pvg_pipeline_draw(&drawn[0], &drawn[1], &drawn[2], first, &input, NULL, NULL,
                              NULL, NULL, NULL));
    PVGT_OK(pvg_pipeline_view_prior(&prior, first));
    PVGT_OK(pvg_pipeline_view_labels(&sent, &chosen, first));
    TEST_ASSERT_NOT_NULL(chosen);
    const pvg_pipeline_arguments given = {.size = sizeof given,
                                          .order = ORDER,
                                          .labels = sent,
                                          .checks = chosen,
                                          .prior = prior};
    pvg_pipeline *second = make("edges averages=2 epsilon=2", &given);
    PVGT_OK(pvg_pipeline_view_prior(&same, second));
    TEST_ASSERT_EQUAL_MEMORY(prior, same, sizeof out);
    for (int i = 0; i < 2; i++) {
        pvg_rng *rng;
        PVGT_OK(pvg_rng_new_seeded(&rng, 5));
        PVGT_OK(pvg_pipeline_read(i ? again : out, NULL, NULL, i ? second : first,
                                  drawn[0], NULL, NULL, rng, NULL));
        pvg_rng_free(rng);
    }
    TEST_ASSERT_EQUAL_MEMORY(out, again, sizeof out);
    pvg_pipeline_free(first);
    pvg_pipeline_free(second);
    pvg_release_free(drawn[0]);
}

/* Two rounds: one charge, and the second has the first in its record. */
static void rounds_are_paid_together(void) {
    const pvg_ledger_config book = {
        .size = sizeof book, .notion = PVG_NOTION_EDGE, .epsilon = 4};
    const pvg_pipeline_arguments arguments = of_edges();
    const pvg_input input = of_graph();
    pvg_pipeline *pipeline =
        make("edges first-share=.4 averages=1 epsilon=4", &arguments);
    pvg_pipeline *other = make("edges first-share=.4 averages=1 epsilon=3", &arguments);
    pvg_release *drawn[3];
    pvg_ledger *ledger;
    pvg_preview *preview;
    double epsilon;
    PVGT_OK(pvg_ledger_new(&ledger, &book));
    PVGT_FAILS(PVG_E_ARGUMENT, "first ledger pays for all",
               pvg_pipeline_draw(&drawn[0], &drawn[1], &drawn[2], pipeline, &input, NULL,
                                 NULL, ledger, NULL, NULL));
    PVGT_OK(pvg_pipeline_draw(&drawn[0], &drawn[1], &drawn[2], pipeline, &input, NULL,
                              ledger, NULL, NULL, NULL));
    TEST_ASSERT_TRUE(drawn[0] && drawn[1] && !drawn[2]);
    TEST_ASSERT_EQUAL_INT64(1, pvg_ledger_charge_count(ledger));
    PVGT_OK(pvg_guarantee_epsilon(&epsilon, pvg_release_guarantee(drawn[1]), 0));
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 4, epsilon);
    PVGT_OK(pvg_pipeline_read(out, without, NULL, pipeline, drawn[0], drawn[1], NULL,
                              NULL, NULL));
    PVGT_CHECK(hits(out) > hits(without), "%g, features %g", hits(out), hits(without));
    PVGT_FAILS(
        PVG_E_ARGUMENT, "second is NULL",
        pvg_pipeline_read(out, NULL, NULL, pipeline, drawn[0], NULL, NULL, NULL, NULL));
    PVGT_FAILS(
        PVG_E_ARGUMENT, "this pipeline asks",
        pvg_pipeline_read(out, NULL, NULL, other, drawn[0], drawn[1], NULL, NULL, NULL));
    for (int i = 0; i < 3; i++) {
        PVGT_OK(pvg_pipeline_preview(&preview, pipeline, i, NULL));
        TEST_ASSERT_TRUE((preview != NULL) == (i < 2));
        pvg_preview_free(preview);
    }
    pvg_release_free(drawn[0]);
    pvg_release_free(drawn[1]);
    PVGT_FAILS(PVG_E_BUDGET, "",
               pvg_pipeline_draw(&drawn[0], &drawn[1], &drawn[2], pipeline, &input, NULL,
                                 ledger, NULL, NULL, NULL));
    TEST_ASSERT_TRUE(!drawn[0] && !drawn[1]);
    PVGT_OK(pvg_pipeline_exact(out, without, pipeline, &input, NULL, NULL));
    PVGT_CHECK(hits(out) > .8, "no noise: %g", hits(out));
    pvg_ledger_free(ledger);
    pvg_pipeline_free(pipeline);
    pvg_pipeline_free(other);
}

/* The first round gets a share of epsilon and the second the rest: never more together,
 * not by a rounding either, and nearly all of it; a ledger of exactly epsilon pays. */
static void two_rounds_fit_exactly(void) {
    pvg_pipeline_arguments arguments = of_edges();
    const pvg_input input = of_graph();
    static double prior[ORDER * CLASSES];
    for (int i = 0; i < ORDER * CLASSES; i++) prior[i] = 1.0 / CLASSES;
    arguments.features = NULL;
    arguments.prior = prior;
    for (int i = 1; i < 64; i++) {
        const double wanted = 1.0 / 3.0 + 0.7 * i, share = i / 64.0 + 1e-3 / 7.0;
        const pvg_ledger_config book = {
            .size = sizeof book, .notion = PVG_NOTION_EDGE, .epsilon = wanted};
        pvg_release *drawn[3];
        pvg_ledger *ledger;
        char text[128];
        long double sum = 0;
        snprintf(text, sizeof text, "edges first-share=%.17g averages=1 epsilon=%.17g",
                 share, wanted);
        pvg_pipeline *pipeline = make(text, &arguments);
        for (int round = 0; round < 2; round++) {
            pvg_query *query;
            PVGT_OK(pvgi_learn_edges_ask(&query, pipeline, round, prior, NULL));
            sum += query->budget.target.epsilon;
            pvgi_query_drop(query); /* it never crossed the border */
        }
        PVGT_CHECK(sum <= wanted && sum > wanted * (1 - 1e-15), "%s: %.20Lg", text, sum);
        PVGT_OK(pvg_ledger_new(&ledger, &book));
        if (i % 8 == 0) {
            PVGT_OK(pvg_pipeline_draw(&drawn[0], &drawn[1], &drawn[2], pipeline, &input,
                                      NULL, ledger, NULL, NULL, NULL));
            pvg_release_free(drawn[0]);
            pvg_release_free(drawn[1]);
        }
        pvg_ledger_free(ledger);
        pvg_pipeline_free(pipeline);
    }
}

static void users_report(void) {
    static const int32_t notions[3] = {PVG_NOTION_EDGE_SET_LDP, PVG_NOTION_FEATURE_LDP,
                                       PVG_NOTION_LABEL_LDP};
    const pvg_pipeline_arguments arguments = {
        .size = sizeof arguments, .order = ORDER, .parts = parts};
    const pvg_input input = {.size = sizeof input,
                             .graph = graph,
                             .features = features,
                             .labels = all,
                             .objects = &object,
                             .object_count = 1};
    const char *text = "users list-epsilon=9 feature-epsilon=3 label-epsilon=3 classes=2 "
                       "columns=6 rounds=2";
    pvg_pipeline *pipeline = make(text, &arguments);
    pvg_ledger *ledgers[3];
    pvg_release *drawn[3];
    pvg_model *model;
    pvg_guarantee *promise;
    for (int poor = 0; poor < 4; poor++) {
        for (int i = 0; i < 3; i++) {
            const pvg_ledger_config book = {
                .size = sizeof book, .notion = notions[i], .epsilon = i == poor ? 2 : 9};
            PVGT_OK(pvg_ledger_new(&ledgers[i], &book));
        }
        const int32_t status =
            pvg_pipeline_draw(&drawn[0], &drawn[1], &drawn[2], pipeline, &input, NULL,
                              ledgers[0], ledgers[1], ledgers[2], NULL);
        TEST_ASSERT_EQUAL_INT32(poor < 3 ? PVG_E_BUDGET : PVG_OK, status);
        for (int i = 0; i < 3; i++) {
            TEST_ASSERT_EQUAL_INT64(poor == 3, pvg_ledger_charge_count(ledgers[i]));
            TEST_ASSERT_TRUE((drawn[i] != NULL) == (poor == 3));
            pvg_ledger_free(ledgers[i]);
        }
    }
    const int32_t *told;
    int64_t count;
    PVGT_OK(pvg_release_view_labels(&told, &count, drawn[2]));
    for (int v = 0; v < ORDER; v++) /* test users are not asked */
        TEST_ASSERT_TRUE((told[v] >= 0) == (parts[v] != 2));
    for (int turn = 0; turn < 2; turn++) {
        pvg_rng *rng;
        PVGT_OK(pvg_rng_new_seeded(&rng, 5));
        PVGT_OK(pvg_pipeline_read(turn ? again : out, without, turn ? &model : NULL,
                                  pipeline, drawn[0], drawn[1], drawn[2], rng, NULL));
        pvg_rng_free(rng);
    }
    TEST_ASSERT_EQUAL_MEMORY(out, again, sizeof out);
    PVGT_OK(pvg_model_promise(&promise, model, PVG_NOTION_LABEL_LDP, NULL));
    double epsilon;
    PVGT_OK(pvg_guarantee_epsilon(&epsilon, promise, 0));
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 3, epsilon);
    pvg_guarantee_free(promise);
    pvg_model_free(model);
    PVGT_CHECK(hits(without) > .7, "labels alone: %g", hits(without));
    PVGT_FAILS(PVG_E_ARGUMENT, "first answers",
               pvg_pipeline_read(out, NULL, NULL, pipeline, drawn[1], drawn[1], drawn[2],
                                 NULL, NULL));
    /* features need not be read: lists and answers are those of the same questions */
    pvg_pipeline *fewer =
        make("users list-epsilon=9 label-epsilon=3 classes=2", &arguments);
    PVGT_OK(pvg_pipeline_read(out, without, NULL, fewer, drawn[0], NULL, drawn[2], NULL,
                              NULL));
    TEST_ASSERT_EQUAL_MEMORY(without, out, sizeof out);
    pvg_pipeline_free(fewer);
    PVGT_OK(pvg_pipeline_exact(out, without, pipeline, &input, NULL, NULL));
    PVGT_CHECK(hits(out) > .8, "no noise: %g", hits(out));
    for (int i = 0; i < 3; i++) pvg_release_free(drawn[i]);
    pvg_pipeline_free(pipeline);
}

/* Reads what was drawn by a network of the caller; seed 5. */
static void read_by(double *rows, const char *network, const char *text,
                    pvg_pipeline_arguments a, pvg_release *const drawn[3],
                    pvg_model **model) {
    pvg_pipeline *pipeline;
    pvg_rng *rng;
    char given[96] = ""; /* copied: it need not outlive the call */
    if (network) snprintf(given, sizeof given, "%s", network);
    a.network = network ? given : NULL;
    pipeline = make(text, &a);
    memset(given, '?', sizeof given - 1);
    PVGT_OK(pvg_rng_new_seeded(&rng, 5));
    PVGT_OK(pvg_pipeline_read(rows, NULL, model, pipeline, drawn[0], drawn[1], drawn[2],
                              rng, NULL));
    pvg_rng_free(rng);
    pvg_pipeline_free(pipeline);
}

/* The network that reads is the caller's choice; naming the usual one changes no bit. */
static void any_network_reads(void) {
    static const char *const users = "users list-epsilon=9 feature-epsilon=6 "
                                     "label-epsilon=6 classes=2 columns=6 rounds=2";
    static const char *const others[] = {"graphconv 8 relu | graphconv classes",
                                         "gatv2 8 heads=2 elu | gatv2 classes heads=1",
                                         "transformer 8 heads=2 relu | dense classes",
                                         "kprop 2 | gin 8 bn relu | sage classes"};
    const pvg_pipeline_arguments reports = {
        .size = sizeof reports, .order = ORDER, .parts = parts};
    const pvg_input held = {.size = sizeof held,
                            .graph = graph,
                            .features = features,
                            .labels = all,
                            .objects = &object,
                            .object_count = 1};
    pvg_pipeline *pipeline = make(users, &reports);
    pvg_release *drawn[3];
    pvg_model *usual, *named;
    PVGT_OK(pvg_pipeline_draw(&drawn[0], &drawn[1], &drawn[2], pipeline, &held, NULL,
                              NULL, NULL, NULL, NULL));
    pvg_pipeline_free(pipeline);
    read_by(out, NULL, users, reports, drawn, &usual);
    read_by(again, "kprop 2 | gcn 32 selu drop .5 | gcn classes", users, reports, drawn,
            &named);
    TEST_ASSERT_EQUAL_MEMORY(out, again, sizeof out);
    TEST_ASSERT_EQUAL_INT64(pvg_model_parameters(usual), pvg_model_parameters(named));
    pvg_model_free(named);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        read_by(again, others[i], users, reports, drawn, &named);
        PVGT_CHECK(pvg_model_parameters(usual) != pvg_model_parameters(named),
                   "%s: not the network that was asked for", others[i]);
        PVGT_CHECK(hits(again) > .6, "%s: %g", others[i], hits(again));
        pvg_model_free(named);
    }
    pvg_model_free(usual);
    for (int i = 0; i < 3; i++) pvg_release_free(drawn[i]);

    static const char *const sums = "edges method=sums averages=1 epsilon=4 delta=1e-6";
    const pvg_pipeline_arguments edges = of_edges();
    const pvg_input input = of_graph();
    pipeline = make(sums, &edges);
    PVGT_OK(pvg_pipeline_draw(&drawn[0], &drawn[1], &drawn[2], pipeline, &input, NULL,
                              NULL, NULL, NULL, NULL));
    pvg_pipeline_free(pipeline);
    read_by(out, NULL, sums, edges, drawn, NULL);
    read_by(again, "dense 32 selu drop .3 | dense classes", sums, edges, drawn, NULL);
    TEST_ASSERT_EQUAL_MEMORY(out, again, sizeof out);
    read_by(again, "dense 4 tanh | dense classes", sums, edges, drawn, NULL);
    TEST_ASSERT_TRUE(memcmp(out, again, sizeof out) != 0);
    PVGT_CHECK(hits(again) > .7, "%g", hits(again));
    pvg_release_free(drawn[0]);
}

/* A network that cannot read what will be drawn is refused before anything is paid. */
static void networks_that_do_not_fit(void) {
    pvg_pipeline_arguments a = of_edges();
    pvg_pipeline *made = NULL;
#define NEW(text) pvg_pipeline_new(&made, text, &a, NULL, NULL, NULL)
    a.network = "dense classes";
    PVGT_FAILS(PVG_E_ARGUMENT, "receive sums", NEW("edges epsilon=1"));
    PVGT_FAILS(PVG_E_ARGUMENT, "receive sums", NEW("edges method=features"));
    a.network = "gcn classes";
    PVGT_FAILS(PVG_E_ARGUMENT, "no graph for it",
               NEW("edges method=sums epsilon=1 delta=1e-6"));
    a.network = "nonsense 3";
    PVGT_FAILS(PVG_E_ARGUMENT, "nonsense", NEW("edges method=response epsilon=1"));
    a = (pvg_pipeline_arguments){
        .size = sizeof a, .order = ORDER, .parts = parts, .network = "gcn classes"};
    PVGT_FAILS(PVG_E_ARGUMENT, "no features to read",
               NEW("users list-epsilon=1 label-epsilon=1 classes=2"));
    a.network = "gcn 4 relu | pool mean | dense classes";
    PVGT_FAILS(PVG_E_ARGUMENT, "cannot pool",
               NEW("users list-epsilon=1 label-epsilon=1 feature-epsilon=1 columns=6 "
                   "classes=2"));
    TEST_ASSERT_NULL(made);
#undef NEW
}

static void refusals(void) {
    pvg_pipeline_arguments a = of_edges();
    pvg_pipeline *made = NULL;
#define NEW(text) pvg_pipeline_new(&made, text, &a, NULL, NULL, NULL)
    PVGT_FAILS(PVG_E_ARGUMENT, "there are edges, users, nodes, rows", NEW("stars"));
    PVGT_FAILS(PVG_E_ARGUMENT, "has no option", NEW("edges leaves=3"));
    PVGT_FAILS(PVG_E_ARGUMENT, "epsilon", NEW("edges averages=1"));
    PVGT_FAILS(PVG_E_ARGUMENT, "of method=pcmp", NEW("edges residual=.2 epsilon=1"));
    PVGT_FAILS(PVG_E_ARGUMENT, "of queries", NEW("edges epsilon=1 noise=laplace"));
    PVGT_FAILS(PVG_E_ARGUMENT, "hops", NEW("edges method=gap hops=17 epsilon=1"));
    PVGT_FAILS(PVG_E_ARGUMENT, "not joined", NEW("edges epsilon=1 + edges"));
    a.parts = parts;
    PVGT_FAILS(PVG_E_ARGUMENT, "takes no parts", NEW("edges epsilon=1"));
    PVGT_FAILS(PVG_E_ARGUMENT, "takes no checks", NEW("users list-epsilon=1"));
    a.checks = NULL;
    PVGT_FAILS(PVG_E_ARGUMENT, "three budgets", NEW("users list-epsilon=1 epsilon=2"));
    PVGT_FAILS(PVG_E_ARGUMENT, "public arguments->graph", NEW("users"));
    PVGT_FAILS(PVG_E_ARGUMENT, "public arguments->labels",
               NEW("users list-epsilon=1 label-epsilon=1 classes=2"));
    a.order = 0;
    PVGT_FAILS(PVG_E_ARGUMENT, "order", NEW("users list-epsilon=1"));
    TEST_ASSERT_NULL(made);
#undef NEW
    const pvg_pipeline_arguments edges = of_edges();
    pvg_pipeline *pipeline = make("edges method=features averages=1", &edges);
    pvg_input input = of_graph();
    pvg_release *drawn[3];
    char text[512];
    size_t length;
    PVGT_OK(pvg_pipeline_copy_text(text, sizeof text, &length, pipeline));
    TEST_ASSERT_NOT_NULL(strstr(text, "edges method=features classes=2"));
    PVGT_OK(pvg_pipeline_draw(&drawn[0], &drawn[1], &drawn[2], pipeline, &input, NULL,
                              NULL, NULL, NULL, NULL));
    TEST_ASSERT_TRUE(!drawn[0] && !drawn[1] && !drawn[2]);
    input.features = features;
    PVGT_FAILS(PVG_E_ARGUMENT, "exactly input->graph",
               pvg_pipeline_draw(&drawn[0], &drawn[1], &drawn[2], pipeline, &input, NULL,
                                 NULL, NULL, NULL, NULL));
    pvg_pipeline_free(pipeline);
    PVGT_OK(pvg_pipeline_copy_kinds(NULL, 0, &length));
    TEST_ASSERT_TRUE(length > 1000);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    plant();
    RUN_TEST(draws_keep_their_bits);
    RUN_TEST(reads_elsewhere);
    RUN_TEST(rounds_are_paid_together);
    RUN_TEST(two_rounds_fit_exactly);
    RUN_TEST(users_report);
    RUN_TEST(any_network_reads);
    RUN_TEST(networks_that_do_not_fit);
    RUN_TEST(refusals);
    pvg_graph_free(graph);
    pvg_features_free(features);
    pvg_labels_free(all);
    return pvgt_end(UNITY_END());
}
