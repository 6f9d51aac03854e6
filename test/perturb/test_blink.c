/* Blink against its definition, and GraphPrivatizer, which is refuted. */
#include "entries.h" /* from inside: handles here may never have left the library */
#include "handles.h"

#include "perturb_help.h"

#include <math.h>
#include <privgraph-learn.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

/* --- Blink ----------------------------------------------------------------------- */

static void the_prior_is_the_published_fixed_point(void) {
    enum { ORDER = 40 };
    int64_t degrees[ORDER];
    double b[ORDER], want[ORDER] = {0}, next[ORDER];
    uint64_t state = 8;
    pvgi_run run;
    PVGT_OK(pvgi_run_begin(&run, NULL));
    for (int trial = 0; trial < 6; trial++) {
        for (int i = 0; i < ORDER; i++)
            degrees[i] = 1 + pvgt_below(&state, trial < 3 ? 6 : ORDER - 2);
        memset(want, 0, sizeof want);
        for (int round = 0; round < 200; round++) {
            for (int i = 0; i < ORDER; i++) {
                double sum = 0;
                for (int j = 0; j < ORDER; j++)
                    if (j != i) sum += 1 / (exp(-want[j]) + exp(want[i]));
                next[i] = log((double)degrees[i]) - log(sum);
            }
            memcpy(want, next, sizeof next);
        }
        PVGT_OK(pvgi_perturb_blink_prior(b, degrees, ORDER, &run));
        for (int i = 0; i < ORDER; i++)
            PVGT_CHECK(fabs(b[i] - want[i]) < 1e-9, "trial %d node %d: %g %g", trial, i,
                       b[i], want[i]);
    }
}

/* Each pair passes as often as its reports make it likelier than not. */
static void pairs_pass_by_their_posterior(void) {
    enum { ORDER = 7 };
    const int samples = pvgt_turns(30000);
    const int64_t from[] = {0, 0, 1, 2, 3, 5}, to[] = {1, 2, 3, 3, 4, 6};
    const double b[ORDER] = {-3, 1.2, 0.13, -0.5, 2.5, -0.4, 0.45};
    pvg_graph *graph, *made;
    pvg_rng *rng;
    pvgi_run run;
    PVGT_OK(pvg_graph_from_edges(&graph, ORDER, from, to, 6, 0, NULL));
    PVGT_OK(pvg_rng_new_seeded(&rng, 12));
    PVGT_OK(pvgi_run_begin(&run, NULL));
    for (int32_t reports = 1; reports <= 2; reports++) {
        static const double epsilons[] = {0.3, 1.0, 2.0};
        for (int e = 0; e < 3; e++) {
            int seen[ORDER][ORDER] = {{0}};
            const uint64_t lie = pvgi_rng_flip_threshold(epsilons[e]);
            const double f = (double)lie * 0x1p-64;
            for (int s = 0; s < samples; s++) {
                pvgi_stream call;
                PVGT_OK(pvgi_rng_stream_open(&call, rng));
                PVGT_OK(pvgi_perturb_blink_pairs(&made, graph, b, lie, reports, 0, &call,
                                                 &run));
                pvgi_rng_stream_close(&call);
                for (int i = 0; i < ORDER; i++)
                    for (int64_t k = made->offsets[i]; k < made->offsets[i + 1]; k++)
                        seen[i][made->columns[k]]++;
                pvg_graph_free(made);
            }
            for (int i = 0; i < ORDER; i++)
                for (int j = i + 1; j < ORDER; j++) {
                    const bool edge =
                        pvgi_graph_row_find(graph->columns + graph->offsets[i],
                                            graph->offsets[i + 1] - graph->offsets[i],
                                            j) >= 0;
                    const double yes = edge ? 1 - f : f;
                    const double prior = 1 / (1 + exp(-b[i] - b[j]));
                    double pass = 0;
                    for (int x = 0; x <= reports; x++) {
                        const double ways = reports == 2 && x == 1 ? 2 : 1;
                        const double given = pow(1 - f, x) * pow(f, reports - x) * prior;
                        const double other =
                            pow(f, x) * pow(1 - f, reports - x) * (1 - prior);
                        if (given > other)
                            pass += ways * pow(yes, x) * pow(1 - yes, reports - x);
                    }
                    const double sd = sqrt(samples * pass * (1 - pass));
                    PVGT_CHECK(fabs(seen[i][j] - samples * pass) <= 6.5 * sd,
                               "reports %d eps %g pair %d %d: %d of %d, chance %g",
                               reports, epsilons[e], i, j, seen[i][j], samples, pass);
                    TEST_ASSERT_EQUAL_INT(seen[i][j], seen[j][i]);
                }
        }
    }
    pvg_rng_free(rng);
    pvg_graph_free(graph);
}

/* Where rounding decides, it must decide alike for pairs with and without an edge. */
static void near_ties_do_not_tell(void) {
    enum { SAMPLES = 60 };
    const uint64_t lie = pvgi_rng_flip_threshold(1.0);
    const double weight = log((double)(0 - lie)) - log((double)lie);
    const int64_t from[] = {0, 0}, to[] = {1, 2};
    uint64_t state = 2;
    pvg_graph *graphs[2], *made;
    pvg_rng *rng;
    pvgi_run run;
    PVGT_OK(pvg_graph_from_edges(&graphs[0], 3, from, to, 1, 0, NULL));
    PVGT_OK(pvg_graph_from_edges(&graphs[1], 3, from, to, 2, 0, NULL));
    PVGT_OK(pvg_rng_new_seeded(&rng, 13));
    PVGT_OK(pvgi_run_begin(&run, NULL));
    for (int trial = 0; trial < 150; trial++) {
        const int32_t reports = 1;
        double b[3] = {(double)pvgt_below(&state, INT64_C(1) << 52) * 0x1p-51, 0, 0};
        b[2] = (double)(reports - 2 * pvgt_below(&state, reports + 1)) * weight - b[0];
        for (int64_t steps = pvgt_below(&state, 3); steps > 0; steps--)
            b[2] = nextafter(b[2], trial % 4 < 2 ? INFINITY : -INFINITY);
        int seen[2] = {0};
        for (int edge = 0; edge < 2; edge++)
            for (int s = 0; s < SAMPLES; s++) {
                pvgi_stream call;
                PVGT_OK(pvgi_rng_stream_open(&call, rng));
                PVGT_OK(pvgi_perturb_blink_pairs(&made, graphs[edge], b, lie, reports, 0,
                                                 &call, &run));
                pvgi_rng_stream_close(&call);
                seen[edge] += pvgi_graph_row_find(made->columns + made->offsets[0],
                                                  made->offsets[1], 2) >= 0;
                pvg_graph_free(made);
            }
        PVGT_CHECK((seen[0] == 0) == (seen[1] == 0) &&
                       (seen[0] == SAMPLES) == (seen[1] == SAMPLES),
                   "trial %d: %d without an edge, %d with", trial, seen[0], seen[1]);
    }
    pvg_rng_free(rng);
    pvg_graph_free(graphs[0]);
    pvg_graph_free(graphs[1]);
}

static void blink_releases_graphs(void) {
    pvg_graph *graph = random_graph(20000, 10, 4);
    for (int32_t reports = 0; reports < 2; reports++) {
        const pvg_blink_config c = {.size = sizeof c, .reports = reports};
        const pvg_target t = {.size = sizeof t, .epsilon = 16, .allow_seeded = 1};
        pvg_perturber *p;
        pvg_release *release[2];
        const int64_t *offsets[2];
        const int32_t *columns[2];
        const pvg_graph *g;
        char json[2048];
        size_t length;
        PVGT_OK(pvgt_perturber_new_blink(&p, &c, &t));
        TEST_ASSERT_EQUAL_INT32(PVG_NOTION_RELATIONSHIP,
                                pvg_guarantee_notion(pvgt_perturber_guarantee(p)));
        TEST_ASSERT_EQUAL_STRING("perturb.blink",
                                 pvg_guarantee_claim(pvgt_perturber_guarantee(p)));
        PVGT_OK(pvg_guarantee_copy_json(json, sizeof json, &length,
                                        pvgt_perturber_guarantee(p)));
        TEST_ASSERT_NOT_NULL(
            strstr(json, reports ? "\"epsilon\": 8}" : "\"epsilon\": 16}"));
        for (uint32_t i = 0; i < 2; i++) {
            const pvg_run run = {.size = sizeof run, .threads = 1 + 2 * i};
            pvg_rng *rng;
            PVGT_OK(pvg_rng_new_seeded(&rng, 3));
            PVGT_OK(pvgt_release_draw_graph(&release[i], p, graph, 0, rng, NULL, &run));
            pvg_rng_free(rng);
            PVGT_OK(pvg_release_view_graph(&g, release[i]));
            PVGT_OK(pvg_graph_view_csr(&offsets[i], &columns[i], g));
        }
        TEST_ASSERT_EQUAL_MEMORY(offsets[0], offsets[1], 20001 * sizeof(int64_t));
        TEST_ASSERT_EQUAL_MEMORY(columns[0], columns[1],
                                 (size_t)offsets[0][20000] * sizeof(int32_t));
        int64_t kept = 0; /* at this epsilon most edges survive, few others appear */
        const int64_t m = pvg_graph_size(graph);
        for (int64_t v = 0; v < 20000; v++)
            for (int64_t k = offsets[0][v]; k < offsets[0][v + 1]; k++)
                kept += pvgi_graph_row_find(graph->columns + graph->offsets[v],
                                            graph->offsets[v + 1] - graph->offsets[v],
                                            columns[0][k]) >= 0;
        PVGT_CHECK((double)kept > 1.8 * (double)m &&
                       (double)offsets[0][20000] < 2.2 * (double)m,
                   "reports %d: %lld kept of %lld, %lld released", reports,
                   (long long)kept, (long long)(2 * m), (long long)offsets[0][20000]);
        pvg_release_free(release[0]);
        pvg_release_free(release[1]);
        pvgt_perturber_free(p);
    }
    pvg_graph_free(graph);
}

static void blink_arguments_are_checked(void) {
    pvg_perturber *p = (pvg_perturber *)1;
    pvg_blink_config c = {.size = sizeof c, .reports = 2};
    pvg_target t = one;
    pvg_graph *graph;
    pvg_rng *rng;
    pvg_release *release;
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL", pvgt_perturber_new_blink(NULL, &c, &one));
    PVGT_FAILS(PVG_E_ARGUMENT, "reports", pvgt_perturber_new_blink(&p, &c, &one));
    TEST_ASSERT_NULL(p);
    c.reports = 0, c.degree_share = 1;
    PVGT_FAILS(PVG_E_ARGUMENT, "degree", pvgt_perturber_new_blink(&p, &c, &one));
    c.degree_share = (double)NAN;
    PVGT_FAILS(PVG_E_ARGUMENT, "degree", pvgt_perturber_new_blink(&p, &c, &one));
    c.degree_share = 0, c.edge_limit = -1;
    PVGT_FAILS(PVG_E_ARGUMENT, "edge_limit", pvgt_perturber_new_blink(&p, &c, &one));
    PVGT_FAILS(PVG_E_ARGUMENT, "target is NULL",
               pvgt_perturber_new_blink(&p, NULL, NULL));
    for (size_t i = 0; i < 4; i++) {
        t.epsilon = bad_epsilons[i];
        PVGT_FAILS(PVG_E_ARGUMENT, "epsilon", pvgt_perturber_new_blink(&p, NULL, &t));
    }
    PVGT_OK(pvg_rng_new_seeded(&rng, 1));
    PVGT_OK(pvg_graph_new_path(&graph, 2));
    PVGT_OK(pvgt_perturber_new_blink(&p, NULL, &one));
    PVGT_FAILS(PVG_E_ARGUMENT, "fewer than 3 nodes",
               pvgt_release_draw_graph(&release, p, graph, 0, rng, NULL, NULL));
    pvgt_perturber_free(p);
    pvg_graph_free(graph);
    t.epsilon = 1e-13;
    PVGT_OK(pvg_graph_new_clique(&graph, 60));
    PVGT_OK(pvgt_perturber_new_blink(&p, NULL, &t));
    PVGT_FAILS(PVG_E_LIMIT, "2^-40",
               pvgt_release_draw_graph(&release, p, graph, 0, rng, NULL, NULL));
    pvgt_perturber_free(p);
    c.edge_limit = 1, t.epsilon = 3;
    PVGT_OK(pvgt_perturber_new_blink(&p, &c, &t));
    PVGT_FAILS(PVG_E_LIMIT, "edge-limit",
               pvgt_release_draw_graph(&release, p, graph, 0, rng, NULL, NULL));
    pvgt_perturber_free(p);
    pvg_graph_free(graph);
    pvg_rng_free(rng);
}

/* --- GraphPrivatizer ------------------------------------------------------------- */

/* v = 0 knows a = 1 or b = 2; a - c = 3, b - e = 4. a is like c, b like e, nobody like v.
 */
enum { V, A, B, C, E, FIVE };

static pvg_graph *world_graph(int32_t world) {
    const int64_t from[] = {V, A, B}, to[] = {world ? B : A, C, E};
    pvg_graph *graph;
    PVGT_OK(pvg_graph_from_edges(&graph, FIVE, from, to, 3, 0, NULL));
    return graph;
}

static pvg_features *five_features(void) {
    static const double values[FIVE * 3] = {0, 0, 1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0};
    pvg_features *features;
    PVGT_OK(pvg_features_from_dense(&features, FIVE, 3, values));
    return features;
}

typedef struct {
    pvg_perturber *p;
    pvg_graph *graphs[2];
    pvg_rng *rng;
    int seen[2][FIVE];
} game;

/* Score: does v's list name b or e? */
static int32_t play(void *context, int32_t world, int64_t run, double *score) {
    game *g = context;
    pvg_release *release;
    const int64_t *offsets;
    const int32_t *targets;
    int64_t count;
    (void)run;
    PVGT_OK(
        pvgt_release_draw_graph(&release, g->p, g->graphs[world], 0, g->rng, NULL, NULL));
    PVGT_OK(pvg_release_view_lists(&offsets, &targets, &count, release));
    *score = 0;
    for (int64_t i = offsets[V]; i < offsets[V + 1]; i++) {
        g->seen[world][targets[i]]++;
        if (targets[i] == B || targets[i] == E) *score = 1;
    }
    pvg_release_free(release);
    return 0;
}

static void graphprivatizer_is_broken(void) {
    enum { RUNS = 2000 };
    pvg_features *features = five_features();
    for (int32_t strategy = 0; strategy < 2; strategy++)
        for (int32_t measure = 0; measure < 2; measure++) {
            const pvg_graphprivatizer_config c = {.size = sizeof c,
                                                  .strategy = strategy,
                                                  .similarity = measure,
                                                  .threshold = 0.9};
            game g = {.graphs = {world_graph(0), world_graph(1)}};
            pvg_audit_verdict verdict = {.size = sizeof verdict};
            double epsilon;
            char json[2048];
            size_t length;
            PVGT_OK(pvgt_perturber_new_graphprivatizer(&g.p, &c, &one, features));
            PVGT_OK(pvg_rng_new_seeded(&g.rng, 31));
            TEST_ASSERT_EQUAL_INT32(PVG_NOTION_EDGE_SET_LDP,
                                    pvg_guarantee_notion(pvgt_perturber_guarantee(g.p)));
            PVGT_OK(pvg_guarantee_epsilon(&epsilon, pvgt_perturber_guarantee(g.p), 1e-6));
            TEST_ASSERT_TRUE(isinf(epsilon));
            PVGT_OK(pvg_guarantee_copy_json(json, sizeof json, &length,
                                            pvgt_perturber_guarantee(g.p)));
            TEST_ASSERT_NOT_NULL(strstr(json, "\"private\": false"));
            TEST_ASSERT_NOT_NULL(strstr(json, "why_not"));
            PVGT_OK(pvg_audit_game(&verdict, play, &g, RUNS, 0.0, 1 - 1e-9, NULL));
            /* disjoint supports: a or c in one world, b or e in the other; the audit
             * refutes the published epsilon of 1 */
            TEST_ASSERT_EQUAL_INT(0, g.seen[0][B] + g.seen[0][E] + g.seen[0][V]);
            TEST_ASSERT_EQUAL_INT(0, g.seen[1][A] + g.seen[1][C] + g.seen[1][V]);
            PVGT_CHECK(verdict.epsilon_lower > 3 && verdict.auc == 1.0,
                       "strategy %d: epsilon %g auc %g", strategy, verdict.epsilon_lower,
                       verdict.auc);
            /* the response itself is as published */
            const double keep = exp(1) / (exp(1) + 1);
            PVGT_CHECK(fabs(g.seen[0][A] - RUNS * keep) < 6 * sqrt(RUNS * 0.2) &&
                           g.seen[0][A] + g.seen[0][C] == RUNS,
                       "%d %d", g.seen[0][A], g.seen[0][C]);
            pvg_rng_free(g.rng);
            pvgt_perturber_free(g.p);
            pvg_graph_free(g.graphs[0]);
            pvg_graph_free(g.graphs[1]);
        }
    pvg_features_free(features);
}

/* The strict mechanisms pass the game that breaks the published one. */
static void strict_lists_pass_the_same_game(void) {
    for (int which = 0; which < 2; which++) {
        const pvg_slots_config c = {
            .size = sizeof c, .lists = PVG_LISTS_OWNED, .order = FIVE};
        game g = {.graphs = {world_graph(0), world_graph(1)}};
        pvg_audit_verdict verdict = {.size = sizeof verdict};
        if (which)
            PVGT_OK(pvgt_perturber_new_slots(&g.p, &c, &one, NULL, NULL));
        else
            PVGT_OK(pvgt_perturber_new_subset(&g.p, NULL, &one));
        PVGT_OK(pvg_rng_new_seeded(&g.rng, 32));
        PVGT_OK(
            pvg_audit_game(&verdict, play, &g, pvgt_turns(20000), 0.0, 1 - 1e-9, NULL));
        PVGT_CHECK(verdict.epsilon_lower <= 1.0 && verdict.auc < 0.7311,
                   "%d: epsilon %g auc %g", which, verdict.epsilon_lower, verdict.auc);
        pvg_rng_free(g.rng);
        pvgt_perturber_free(g.p);
        pvg_graph_free(g.graphs[0]);
        pvg_graph_free(g.graphs[1]);
    }
}

static void graphprivatizer_is_the_same_for_all_threads(void) {
    enum { ORDER = 700, COLUMNS = 9 };
    static double values[ORDER * COLUMNS];
    uint64_t state = 6;
    pvg_graph *graph = random_graph(ORDER, 8, 6);
    pvg_features *features;
    for (int i = 0; i < ORDER * COLUMNS; i++)
        values[i] = (double)pvgt_below(&state, 3) - 1;
    PVGT_OK(pvg_features_from_dense(&features, ORDER, COLUMNS, values));
    for (int32_t strategy = 0; strategy < 2; strategy++) {
        const pvg_graphprivatizer_config c = {
            .size = sizeof c, .strategy = strategy, .alpha = 0.5, .threshold = 0.1};
        pvg_perturber *p;
        pvg_release *release[2];
        const int64_t *offsets[2];
        const int32_t *targets[2];
        int64_t count;
        PVGT_OK(pvgt_perturber_new_graphprivatizer(&p, &c, &one, features));
        for (uint32_t i = 0; i < 2; i++) {
            const pvg_run run = {.size = sizeof run, .threads = 1 + 2 * i};
            pvg_rng *rng;
            PVGT_OK(pvg_rng_new_seeded(&rng, 3));
            PVGT_OK(pvgt_release_draw_graph(&release[i], p, graph, 0, rng, NULL, &run));
            pvg_rng_free(rng);
            PVGT_OK(pvg_release_view_lists(&offsets[i], &targets[i], &count, release[i]));
        }
        TEST_ASSERT_EQUAL_MEMORY(offsets[0], offsets[1], (ORDER + 1) * sizeof(int64_t));
        TEST_ASSERT_EQUAL_MEMORY(targets[0], targets[1],
                                 (size_t)offsets[0][ORDER] * sizeof(int32_t));
        /* every entry is a neighbour or a neighbour's neighbour */
        for (int64_t v = 0; v < ORDER; v++)
            for (int64_t i = offsets[0][v]; i < offsets[0][v + 1]; i++) {
                bool near = false;
                for (int64_t k = graph->offsets[v]; k < graph->offsets[v + 1]; k++) {
                    const int32_t u = graph->columns[k];
                    near |= u == targets[0][i] ||
                            pvgi_graph_row_find(graph->columns + graph->offsets[u],
                                                graph->offsets[u + 1] - graph->offsets[u],
                                                targets[0][i]) >= 0;
                }
                TEST_ASSERT_TRUE(near);
            }
        pvg_release_free(release[0]);
        pvg_release_free(release[1]);
        pvgt_perturber_free(p);
    }
    pvg_features_free(features);
    pvg_graph_free(graph);
}

static void graphprivatizer_arguments_are_checked(void) {
    pvg_perturber *p = (pvg_perturber *)1;
    pvg_graphprivatizer_config c = {.size = sizeof c};
    pvg_features *features = five_features();
    pvg_graph *graph;
    pvg_rng *rng;
    pvg_release *release;
    pvg_ledger *ledger;
    pvg_target t = one;
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL",
               pvgt_perturber_new_graphprivatizer(NULL, &c, &one, features));
    PVGT_FAILS(PVG_E_ARGUMENT, "features is NULL",
               pvgt_perturber_new_graphprivatizer(&p, &c, &one, NULL));
    TEST_ASSERT_NULL(p);
    PVGT_FAILS(PVG_E_ARGUMENT, "target is NULL",
               pvgt_perturber_new_graphprivatizer(&p, &c, NULL, features));
    for (size_t i = 0; i < 4; i++) {
        t.epsilon = bad_epsilons[i];
        PVGT_FAILS(PVG_E_ARGUMENT, "epsilon",
                   pvgt_perturber_new_graphprivatizer(&p, &c, &t, features));
    }
#define REFUSED(part, field, value)                                                      \
    do {                                                                                 \
        pvg_graphprivatizer_config bad = {.size = sizeof bad};                           \
        bad.field = value;                                                               \
        PVGT_FAILS(PVG_E_ARGUMENT, part,                                                 \
                   pvgt_perturber_new_graphprivatizer(&p, &bad, &one, features));        \
    } while (0)
    REFUSED("strategy", strategy, 2);
    REFUSED("similarity", similarity, -1);
    REFUSED("alpha", alpha, 1.5);
    REFUSED("alpha", alpha, (double)NAN);
    REFUSED("threshold", threshold, 2.0);
    REFUSED("reserved", reserved, 1);
    t = one, t.allow_seeded = 0;
    PVGT_OK(pvgt_perturber_new_graphprivatizer(&p, NULL, &t, features));
    PVGT_OK(pvg_rng_new_secure(&rng));
    PVGT_OK(pvg_graph_new_path(&graph, 4));
    PVGT_FAILS(PVG_E_ARGUMENT, "those of 5 nodes",
               pvgt_release_draw_graph(&release, p, graph, 0, rng, NULL, NULL));
    pvg_graph_free(graph);
    /* no budget pays for it */
    const pvg_ledger_config book = {
        .size = sizeof book, .notion = PVG_NOTION_EDGE_SET_LDP, .epsilon = 100};
    PVGT_OK(pvg_ledger_new(&ledger, &book));
    PVGT_OK(pvg_graph_new_path(&graph, 5));
    PVGT_FAILS(PVG_E_PRIVACY, "",
               pvgt_release_draw_graph(&release, p, graph, 1, rng, ledger, NULL));
    PVGT_OK(pvgt_release_draw_graph(&release, p, graph, 1, rng, NULL, NULL));
    TEST_ASSERT_EQUAL_INT32(0, pvg_guarantee_holds(pvg_release_guarantee(release)));
    pvg_release_free(release);
    pvg_graph_free(graph);
    pvg_ledger_free(ledger);
    pvg_rng_free(rng);
    pvgt_perturber_free(p);
    pvg_features_free(features);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(the_prior_is_the_published_fixed_point);
    RUN_TEST(pairs_pass_by_their_posterior);
    RUN_TEST(near_ties_do_not_tell);
    RUN_TEST(blink_releases_graphs);
    RUN_TEST(blink_arguments_are_checked);
    RUN_TEST(graphprivatizer_is_broken);
    RUN_TEST(strict_lists_pass_the_same_game);
    RUN_TEST(graphprivatizer_is_the_same_for_all_threads);
    RUN_TEST(graphprivatizer_arguments_are_checked);
    return pvgt_end(UNITY_END());
}
