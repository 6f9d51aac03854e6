/* release: embeddings of sets and graphs, the record, refusals. Whether the noise has its
 * law and the guarantee survives an audit is tested in
 * test/query/test_embed_statistical.c.
 */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "handles.h"
#include "release/release_internal.h"
#include "support.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

static const pvg_target budget = {
    .size = sizeof budget, .allow_seeded = 1, .epsilon = 1.0, .delta = 1e-6};

static pvg_embedder *embedder_of(const char *names, pvg_embedder_config config,
                                 const pvg_target *target) {
    pvg_patterns *patterns;
    pvg_embedder *embedder;
    config.size = sizeof config;
    PVGT_OK(pvg_patterns_from_names(&patterns, names));
    PVGT_OK(pvgt_embedder_new(&embedder, patterns, &config, target, NULL, NULL));
    pvg_patterns_free(patterns); /* not needed afterwards */
    return embedder;
}

/* Random graphs of several orders, one of them without nodes. */
static pvg_graphset *random_set(uint64_t seed, int count) {
    pvg_graphset_builder *builder;
    pvg_graphset *set;
    pvg_rng *rng;
    PVGT_OK(pvg_rng_new_seeded(&rng, seed));
    PVGT_OK(pvg_graphset_builder_new(&builder, 0));
    for (int i = 0; i < count; i++) {
        pvg_graph *graph;
        PVGT_OK(pvg_graph_draw_erdos_renyi(&graph, i % 7 == 3 ? 0 : 5 + i % 11, 0.4, rng,
                                           NULL));
        PVGT_OK(pvg_graphset_builder_add(builder, graph, -1, NULL, NULL));
        pvg_graph_free(graph);
    }
    PVGT_OK(pvg_graphset_builder_finish(&set, builder));
    pvg_graphset_builder_free(builder);
    pvg_rng_free(rng);
    return set;
}

/* The noiseless values in the embedder's unit. */
static void exact_row(double *out, const pvg_embedder *embedder, const pvg_graph *graph) {
    pvgi_order_noise noise;
    PVGT_OK(pvg_density_evaluate_graph_exact(out, embedder->density, graph, NULL));
    PVGT_OK(pvgi_query_order_noise(&noise, NULL, NULL, embedder, graph->order));
    for (int64_t i = 0; i < embedder->plan.count; i++) out[i] *= noise.factor[i];
    pvgi_query_order_noise_free(&noise);
}

static void rows_are_values_plus_noise_of_the_stated_scale(void) {
    static const int32_t scalings[] = {PVG_SCALING_RANGE, PVG_SCALING_DENSITY,
                                       PVG_SCALING_PER_NODE};
    pvg_graphset *set = random_set(1, 60);
    for (int s = 0; s < 3; s++) {
        pvg_embedder *e = embedder_of(
            "path3,star3,cycle4,clique4,vertex",
            (pvg_embedder_config){.scaling = scalings[s], .append_order = 1}, &budget);
        pvg_release *release;
        pvg_rng *rng;
        const double *values;
        TEST_ASSERT_EQUAL_INT64(6, pvgt_embedder_columns(e));
        PVGT_OK(pvg_rng_new_seeded(&rng, 5));
        PVGT_OK(pvgt_release_draw_embeddings(&release, e, set, NULL, rng, NULL, NULL));
        TEST_ASSERT_EQUAL_INT64(60, pvg_release_rows(release));
        TEST_ASSERT_EQUAL_INT64(6, pvg_release_columns(release));
        PVGT_OK(pvg_release_view(&values, release));
        for (int64_t row = 0; row < 60; row++) {
            pvg_graph *graph;
            double exact[5], scales[5], ranges[5];
            const double *got = values + 6 * row;
            PVGT_OK(pvg_graphset_get(&graph, set, row));
            TEST_ASSERT_EQUAL_DOUBLE((double)pvg_graph_order(graph), got[5]);
            if (pvg_graph_order(graph) == 0) {
                for (int i = 0; i < 5; i++) TEST_ASSERT_EQUAL_DOUBLE(0.0, got[i]);
            } else {
                exact_row(exact, e, graph);
                PVGT_OK(pvgt_embedder_preview(NULL, ranges, scales, e, graph->order));
                for (int i = 0; i < 4; i++)
                    PVGT_CHECK(fabs(got[i] - exact[i]) < 7 * scales[i] && scales[i] > 0,
                               "row %d column %d", (int)row, i);
                TEST_ASSERT_EQUAL_DOUBLE(0.0, scales[4]); /* a lone vertex never moves */
                TEST_ASSERT_TRUE(fabs(got[4] - 1.0) < 1e-9);
                for (int i = 0; i < 5; i++) TEST_ASSERT_TRUE(exact[i] <= ranges[i]);
                if (s == 0) TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1.0, ranges[0]);
            }
            pvg_graph_free(graph);
        }
        pvg_release_free(release);
        pvg_rng_free(rng);
        pvgt_embedder_free(e);
    }
    pvg_graphset_free(set);
}

static void values_do_not_depend_on_threads(void) {
    pvg_graphset *set = random_set(2, 150);
    pvg_embedder *e =
        embedder_of("path4,cycle3,star4", (pvg_embedder_config){0}, &budget);
    pvg_release *first = NULL;
    for (uint32_t threads = 1; threads <= 4; threads++) {
        const pvg_run run = {.size = sizeof run, .threads = threads};
        pvg_release *release;
        pvg_rng *rng;
        PVGT_OK(pvg_rng_new_seeded(&rng, 9));
        PVGT_OK(pvgt_release_draw_embeddings(&release, e, set, NULL, rng, NULL, &run));
        pvg_rng_free(rng);
        if (!first) {
            first = release;
            continue;
        }
        TEST_ASSERT_EQUAL_MEMORY(first->content.values, release->content.values,
                                 150 * 3 * sizeof(double));
        pvg_release_free(release);
    }
    pvg_release_free(first);
    pvgt_embedder_free(e);
    pvg_graphset_free(set);
}

/* Where no edge moves anything, no mechanism is made that would look at the target. */
static void targets_of_constants_are_checked(void) {
    static const struct {
        pvg_target target;
        const char *part;
    } bad[] = {
        {{.epsilon = NAN, .delta = 1e-6}, "epsilon"},
        {{.epsilon = -3, .delta = 1e-6}, "epsilon"},
        {{.epsilon = 1, .delta = 2}, "delta"},
        {{.epsilon = 1, .delta = 1e-6, .allocation = 1000}, "allocation"},
        {{.epsilon = 1, .delta = 1e-6, .noise = 1000}, "noise"},
        {{.epsilon = 1, .delta = 1e-6, .beta = 1}, "beta"},
        {{.epsilon = 1, .delta = 1e-6, .allow_seeded = 2}, "allow_seeded"},
    };
    pvg_patterns *patterns;
    pvg_embedder *e;
    PVGT_OK(pvg_patterns_from_names(&patterns, "vertex"));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        pvg_target target = bad[i].target;
        target.size = sizeof target;
        PVGT_FAILS(PVG_E_ARGUMENT, bad[i].part,
                   pvgt_embedder_new(&e, patterns, NULL, &target, NULL, NULL));
        TEST_ASSERT_NULL(e);
    }
    /* a constant is released as it is */
    pvg_graph *graph;
    pvg_rng *rng;
    pvg_release *release;
    const double *value;
    const pvg_target target = {.size = sizeof target, .epsilon = 1, .delta = 1e-6};
    PVGT_OK(pvgt_embedder_new(&e, patterns, NULL, &target, NULL, NULL));
    PVGT_OK(pvg_graph_new_cycle(&graph, 30));
    PVGT_OK(pvg_rng_new_secure(&rng));
    PVGT_OK(pvgt_release_draw_embedding(&release, e, graph, 1, rng, NULL, NULL));
    PVGT_OK(pvg_release_view(&value, release));
    TEST_ASSERT_TRUE(value[0] == 1.0);
    pvg_release_free(release);
    pvg_rng_free(rng);
    pvg_graph_free(graph);
    pvgt_embedder_free(e);
    pvg_patterns_free(patterns);
}

static char *json_of(const pvg_release *release) {
    static char text[4096];
    size_t length;
    PVGT_OK(pvg_guarantee_copy_json(text, sizeof text, &length,
                                    pvg_release_guarantee(release)));
    TEST_ASSERT_EQUAL_size_t(strlen(text), length);
    return text;
}

static void the_record_tells_the_truth(void) {
    pvg_graph *graph;
    pvg_release *release;
    pvg_rng *secure, *seeded;
    double epsilon;
    char words[2048];
    size_t length;
    PVGT_OK(pvg_graph_new_cycle(&graph, 30));
    PVGT_OK(pvg_rng_new_secure(&secure));
    PVGT_OK(pvg_rng_new_seeded(&seeded, 1));
    pvg_embedder *e = embedder_of(
        "path3,cycle5",
        (pvg_embedder_config){.degrees = PVG_DEGREES_PROMISED, .degree_bound = 4},
        &budget);
    PVGT_OK(pvgt_release_draw_embedding(&release, e, graph, 1, secure, NULL, NULL));
    TEST_ASSERT_EQUAL_INT32(1, pvg_guarantee_holds(pvg_release_guarantee(release)));
    PVGT_OK(pvg_guarantee_epsilon(&epsilon, pvg_release_guarantee(release), 1e-6));
    PVGT_CHECK(epsilon <= 1.0 && epsilon > 0.99, "%g", epsilon);
    PVGT_OK(pvg_guarantee_epsilon(&epsilon, pvg_release_guarantee(release), 0.0));
    TEST_ASSERT_TRUE(isinf(epsilon));
    TEST_ASSERT_EQUAL_STRING("release.embedding",
                             pvg_guarantee_claim(pvg_release_guarantee(release)));
    const char *json = json_of(release);
    static const char *const parts[] = {"\"private\": true",
                                        "\"delta\": 1e-06",
                                        "\"kind\": \"gdp\"",
                                        "\"mu\": 0.23",
                                        "degrees at most 4",
                                        "\"seeded\": false",
                                        "\"noise\": \"rounded Gaussian\"",
                                        "\"order\": 30",
                                        "not made from edges"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        PVGT_CHECK(strstr(json, parts[i]), "%s in %s", parts[i], json);
    /* numbers do not follow the host's locale */
    if (setlocale(LC_NUMERIC, "de_DE.UTF-8")) {
        TEST_ASSERT_NULL(strstr(json_of(release), "0,"));
        setlocale(LC_NUMERIC, "C");
    }
    PVGT_OK(pvg_guarantee_copy_text(words, sizeof words, &length,
                                    pvg_release_guarantee(release)));
    TEST_ASSERT_NOT_NULL(strstr(words, "any single edge"));
    pvg_curve *curve;
    PVGT_OK(pvg_guarantee_curve(&curve, pvg_release_guarantee(release)));
    double again;
    PVGT_OK(pvg_curve_epsilon(&again, curve, 1e-6));
    PVGT_OK(pvg_guarantee_epsilon(&epsilon, pvg_release_guarantee(release), 1e-6));
    TEST_ASSERT_EQUAL_DOUBLE(epsilon, again);
    pvg_curve_free(curve);
    pvg_release_free(release);

    PVGT_OK(pvgt_release_draw_embedding(&release, e, graph, 1, seeded, NULL, NULL));
    TEST_ASSERT_EQUAL_INT32(0, pvg_guarantee_holds(pvg_release_guarantee(release)));
    PVGT_OK(pvg_guarantee_epsilon(&epsilon, pvg_release_guarantee(release), 1e-6));
    TEST_ASSERT_TRUE(isinf(epsilon));
    TEST_ASSERT_NOT_NULL(strstr(json_of(release), "\"epsilon\": \"infinity\""));
    /* nothing that could be added up with other releases */
    TEST_ASSERT_NOT_NULL(strstr(json_of(release), "\"curve\": {\"kind\": \"infinite\"}"));
    PVGT_OK(pvg_guarantee_copy_text(words, sizeof words, &length,
                                    pvg_release_guarantee(release)));
    TEST_ASSERT_NOT_NULL(strstr(words, "Not private"));
    PVGT_OK(pvg_guarantee_curve(&curve, pvg_release_guarantee(release)));
    PVGT_OK(pvg_curve_epsilon(&again, curve, 0.5));
    TEST_ASSERT_TRUE(isinf(again));
    pvg_curve_free(curve);
    pvg_release_free(release);
    pvgt_embedder_free(e);
    pvg_graph_free(graph);
    pvg_rng_free(secure), pvg_rng_free(seeded);
}

static void seeded_generators_are_refused_by_default(void) {
    pvg_target strict = budget;
    pvg_graph *graph;
    pvg_rng *rng;
    pvg_release *release = (pvg_release *)&strict;
    strict.allow_seeded = 0;
    PVGT_OK(pvg_graph_new_path(&graph, 10));
    PVGT_OK(pvg_rng_new_seeded(&rng, 1));
    pvg_embedder *e = embedder_of("path3", (pvg_embedder_config){0}, &strict);
    PVGT_FAILS(PVG_E_SEEDED, "seeded",
               pvgt_release_draw_embedding(&release, e, graph, 1, rng, NULL, NULL));
    TEST_ASSERT_NULL(release);
    pvgt_embedder_free(e);
    pvg_graph_free(graph);
    pvg_rng_free(rng);
}

/* A star whose hub exceeds the bound: what is released is the truncated star. */
static void truncation_is_enforced(void) {
    pvg_graph *star, *cut;
    pvg_rng *rng;
    double exact[1], scales[1];
    pvg_target loose = {.size = sizeof loose, .allow_seeded = 1, .parameter = 1e6};
    pvg_embedder *e = embedder_of(
        "path3",
        (pvg_embedder_config){.degrees = PVG_DEGREES_TRUNCATED, .degree_bound = 3},
        &loose);
    PVGT_OK(pvg_graph_new_star(&star, 40));
    PVGT_OK(pvg_graph_truncate_degree(&cut, star, 3, NULL));
    PVGT_OK(pvg_rng_new_seeded(&rng, 3));
    exact_row(exact, e, cut);
    PVGT_OK(pvgt_embedder_preview(NULL, NULL, scales, e, 40));
    pvg_release *release;
    PVGT_OK(pvgt_release_draw_embedding(&release, e, star, 1, rng, NULL, NULL));
    PVGT_CHECK(fabs(release->content.values[0] - exact[0]) < 7 * scales[0], "%g %g %g",
               release->content.values[0], exact[0], scales[0]);
    TEST_ASSERT_TRUE(scales[0] < exact[0] / 100); /* so that the star itself would fail */
    TEST_ASSERT_NOT_NULL(strstr(json_of(release), "truncated to degree 3"));
    pvg_release_free(release);
    pvg_graph_free(star), pvg_graph_free(cut);
    pvg_rng_free(rng);
    pvgt_embedder_free(e);
}

static void smooth_noise_hides_its_scale(void) {
    const pvg_target smooth = {.size = sizeof smooth,
                               .noise = PVG_NOISE_SMOOTH,
                               .allow_seeded = 1,
                               .epsilon = 1,
                               .delta = 1e-6,
                               .beta = 0.005};
    pvg_embedder *e = embedder_of("path3,path4", (pvg_embedder_config){0}, &smooth);
    double scales[2] = {1, 2}, s[2];
    PVGT_FAILS(PVG_E_PRIVACY, "private",
               pvgt_embedder_preview(NULL, NULL, scales, e, 50));
    PVGT_OK(pvgt_embedder_preview(s, NULL, NULL, e, 50));
    pvg_graph *graph;
    pvg_rng *rng;
    pvg_release *release;
    PVGT_OK(pvg_graph_new_cycle(&graph, 500));
    PVGT_OK(pvg_rng_new_secure(&rng));
    PVGT_OK(pvgt_release_draw_embedding(&release, e, graph, 1, rng, NULL, NULL));
    const char *json = json_of(release);
    TEST_ASSERT_NOT_NULL(strstr(json, "\"kind\": \"smooth\""));
    TEST_ASSERT_NULL(strstr(json, "scale"));
    double epsilon;
    PVGT_OK(pvg_guarantee_epsilon(&epsilon, pvg_release_guarantee(release), 1e-6));
    PVGT_CHECK(epsilon <= 1.0 && epsilon > 0.9, "%g", epsilon);
    pvg_release_free(release);
    pvgt_embedder_free(e);

    pvg_target published = smooth;
    published.noise = PVG_NOISE_SMOOTH_PUBLISHED;
    e = embedder_of("path3,path4", (pvg_embedder_config){0}, &published);
    PVGT_OK(pvgt_release_draw_embedding(&release, e, graph, 1, rng, NULL, NULL));
    PVGT_OK(pvg_guarantee_epsilon(&epsilon, pvg_release_guarantee(release), 1e-6));
    pvg_release_free(release);
    pvgt_embedder_free(e);
    pvg_graph_free(graph);
    pvg_rng_free(rng);
}

/* A budget of epsilon 1.6 holds two releases at epsilon 1 (mu adds in squares), not
 * three; graphs pay apart. */
static void the_ledger_is_asked_first(void) {
    const pvg_ledger_config config = {
        .size = sizeof config, .notion = PVG_NOTION_EDGE, .epsilon = 1.6, .delta = 1e-6};
    pvg_ledger *ledger;
    pvg_graphset *set = random_set(4, 3);
    pvg_rng *secure, *seeded;
    const uint64_t objects[3] = {10, 11, 12};
    pvg_embedder *e = embedder_of("path3,star3", (pvg_embedder_config){0}, &budget);
    pvg_release *release = NULL;
    double spent;
    PVGT_OK(pvg_ledger_new(&ledger, &config));
    PVGT_OK(pvg_rng_new_secure(&secure));
    PVGT_OK(pvg_rng_new_seeded(&seeded, 1));
    for (int i = 0; i < 2; i++) {
        PVGT_OK(pvgt_release_draw_embeddings(&release, e, set, objects, secure, ledger,
                                             NULL));
        pvg_release_free(release);
    }
    PVGT_OK(pvg_ledger_spent(&spent, ledger, 11, 1e-6));
    PVGT_CHECK(spent > 1.3 && spent < 1.6, "%g", spent); /* mu grows by sqrt 2 */
    PVGT_FAILS(
        PVG_E_BUDGET, "",
        pvgt_release_draw_embeddings(&release, e, set, objects, secure, ledger, NULL));
    TEST_ASSERT_NULL(release);
    pvg_graph *graph;
    PVGT_OK(pvg_graph_new_cycle(&graph, 20));
    PVGT_OK(pvgt_release_draw_embedding(&release, e, graph, 99, secure, ledger, NULL));
    pvg_release_free(release);
    PVGT_FAILS(
        PVG_E_SEEDED, "seeded",
        pvgt_release_draw_embedding(&release, e, graph, 100, seeded, ledger, NULL));
    PVGT_FAILS(
        PVG_E_ARGUMENT, "objects is NULL",
        pvgt_release_draw_embeddings(&release, e, set, NULL, secure, ledger, NULL));
    TEST_ASSERT_EQUAL_INT64(3, pvg_ledger_charge_count(ledger));
    pvg_graph_free(graph);
    pvg_graphset_free(set);
    pvgt_embedder_free(e);
    pvg_rng_free(secure), pvg_rng_free(seeded);
    pvg_ledger_free(ledger);
}

/* On 3 nodes a clique4 cannot move: one noisy coordinate less, hence a larger rho. The
 * record must cover both rows. */
static void the_record_covers_rows_of_all_orders(void) {
    const pvg_target smooth = {.size = sizeof smooth,
                               .noise = PVG_NOISE_SMOOTH,
                               .allow_seeded = 1,
                               .epsilon = 1,
                               .delta = 1e-6,
                               .beta = 0.005};
    pvg_embedder *e = embedder_of("path3,clique4", (pvg_embedder_config){0}, &smooth);
    pvg_rng *rng;
    double alone[2], both, delta = 1e-9;
    pvg_graphset_builder *builder;
    pvg_graphset *set;
    PVGT_OK(pvg_rng_new_secure(&rng));
    PVGT_OK(pvg_graphset_builder_new(&builder, 0));
    for (int i = 0; i < 2; i++) {
        pvg_graph *graph;
        pvg_release *release;
        PVGT_OK(pvg_graph_new_path(&graph, i ? 300 : 3));
        PVGT_OK(pvgt_release_draw_embedding(&release, e, graph, 1, rng, NULL, NULL));
        PVGT_OK(pvg_guarantee_epsilon(&alone[i], pvg_release_guarantee(release), delta));
        TEST_ASSERT_EQUAL_INT64(i + 1, release->guarantee.spent.dimension);
        PVGT_OK(pvg_graphset_builder_add(builder, graph, -1, NULL, NULL));
        pvg_release_free(release);
        pvg_graph_free(graph);
    }
    PVGT_OK(pvg_graphset_builder_finish(&set, builder));
    pvg_release *release;
    PVGT_OK(pvgt_release_draw_embeddings(&release, e, set, NULL, rng, NULL, NULL));
    PVGT_OK(pvg_guarantee_epsilon(&both, pvg_release_guarantee(release), delta));
    TEST_ASSERT_EQUAL_INT64(2, release->guarantee.spent.dimension);
    PVGT_CHECK(both >= alone[0] && both >= alone[1], "%g %g %g", both, alone[0],
               alone[1]);
    pvg_release_free(release);
    pvg_graphset_free(set);
    pvg_graphset_builder_free(builder);
    pvg_rng_free(rng);
    pvgt_embedder_free(e);
}

static void empty_things(void) {
    pvg_graphset_builder *builder;
    pvg_graphset *set;
    pvg_rng *rng;
    pvg_release *release;
    double epsilon;
    PVGT_OK(pvg_graphset_builder_new(&builder, 0));
    PVGT_OK(pvg_graphset_builder_finish(&set, builder));
    PVGT_OK(pvg_rng_new_seeded(&rng, 1));
    pvg_embedder *e = embedder_of("path3", (pvg_embedder_config){0}, &budget);
    PVGT_OK(pvgt_release_draw_embeddings(&release, e, set, NULL, rng, NULL, NULL));
    TEST_ASSERT_EQUAL_INT64(0, pvg_release_rows(release));
    json_of(release);
    PVGT_OK(pvg_guarantee_epsilon(&epsilon, pvg_release_guarantee(release), 0));
    pvg_release_free(release);
    pvgt_embedder_free(e);
    /* the single node: all edges are impossible, everything is constant */
    pvg_graph *node;
    PVGT_OK(pvg_graph_new_path(&node, 1));
    e = embedder_of("path3,edge", (pvg_embedder_config){0}, &budget);
    PVGT_OK(pvgt_release_draw_embedding(&release, e, node, 1, rng, NULL, NULL));
    TEST_ASSERT_EQUAL_DOUBLE(0.0, release->content.values[0]);
    pvg_release_free(release);
    pvgt_embedder_free(e);
    pvg_graph_free(node);
    pvg_graphset_free(set);
    pvg_graphset_builder_free(builder);
    pvg_rng_free(rng);
    pvg_release_free(NULL);
    pvgt_embedder_free(NULL);
}

static void bad_arguments(void) {
    pvg_patterns *p;
    pvg_embedder *e = NULL;
    pvg_embedder_config c = {.size = sizeof c};
    pvg_target t = budget;
    PVGT_OK(pvg_patterns_from_names(&p, "path3"));
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL",
               pvgt_embedder_new(NULL, p, &c, &t, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "patterns is NULL",
               pvgt_embedder_new(&e, NULL, &c, &t, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "target is NULL",
               pvgt_embedder_new(&e, p, &c, NULL, NULL, NULL));
    c.scaling = 5;
    PVGT_FAILS(PVG_E_ARGUMENT, "scaling is 5",
               pvgt_embedder_new(&e, p, &c, &t, NULL, NULL));
    c = (pvg_embedder_config){.size = sizeof c, .append_order = 2};
    PVGT_FAILS(PVG_E_ARGUMENT, "append_order",
               pvgt_embedder_new(&e, p, &c, &t, NULL, NULL));
    c = (pvg_embedder_config){.size = sizeof c, .degrees = PVG_DEGREES_PROMISED};
    PVGT_FAILS(PVG_E_ARGUMENT, "degree_bound",
               pvgt_embedder_new(&e, p, &c, &t, NULL, NULL));
    c = (pvg_embedder_config){.size = sizeof c};
    const double bad[] = {0, -1, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        t = budget;
        t.epsilon = bad[i];
        PVGT_FAILS(PVG_E_ARGUMENT, "epsilon",
                   pvgt_embedder_new(&e, p, &c, &t, NULL, NULL));
        t = budget;
        t.delta = i == 0 ? 1.0 : bad[i];
        PVGT_FAILS(PVG_E_ARGUMENT, "delta", pvgt_embedder_new(&e, p, &c, &t, NULL, NULL));
        t = budget;
        PVGT_FAILS(PVG_E_ARGUMENT, "weights",
                   pvgt_embedder_new(&e, p, &c, &t, &bad[i], NULL));
    }
    t = budget;
    t.noise = PVG_NOISE_SMOOTH, t.beta = 0.01;
    c = (pvg_embedder_config){
        .size = sizeof c, .degrees = PVG_DEGREES_TRUNCATED, .degree_bound = 3};
    PVGT_FAILS(PVG_E_PRIVACY, "smooth", pvgt_embedder_new(&e, p, &c, &t, NULL, NULL));
    TEST_ASSERT_NULL(e);
    pvg_patterns_free(p);

    e = embedder_of("path3", (pvg_embedder_config){0}, &budget);
    pvg_release *r;
    pvg_graph *g;
    PVGT_OK(pvg_graph_new_path(&g, 4));
    PVGT_FAILS(PVG_E_ARGUMENT, "rng is NULL",
               pvgt_release_draw_embedding(&r, e, g, 1, NULL, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "graph is NULL",
               pvgt_release_draw_embedding(&r, e, NULL, 1, NULL, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "set is NULL",
               pvgt_release_draw_embeddings(&r, e, NULL, NULL, NULL, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "embedder is NULL",
               pvgt_release_draw_embedding(&r, NULL, g, 1, NULL, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "order", pvgt_embedder_preview(NULL, NULL, NULL, e, 0));
    pvg_graph_free(g);
    pvgt_embedder_free(e);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(rows_are_values_plus_noise_of_the_stated_scale);
    RUN_TEST(values_do_not_depend_on_threads);
    RUN_TEST(targets_of_constants_are_checked);
    RUN_TEST(the_record_tells_the_truth);
    RUN_TEST(seeded_generators_are_refused_by_default);
    RUN_TEST(truncation_is_enforced);
    RUN_TEST(smooth_noise_hides_its_scale);
    RUN_TEST(the_ledger_is_asked_first);
    RUN_TEST(the_record_covers_rows_of_all_orders);
    RUN_TEST(empty_things);
    RUN_TEST(bad_arguments);
    return pvgt_end(UNITY_END());
}
