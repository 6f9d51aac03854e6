/* perturb, structure: chances to the last bit, arguments, limits before payment, threads,
 * memory. Laws are judged in perturb/test_response_statistical.c. */
#include "handles.h"
#include "perturb/perturb_internal.h"
#include "support.h"

#include <math.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

static const pvg_target one = {.size = sizeof one, .epsilon = 1.0, .allow_seeded = 1};

/* ceil(threshold e^-epsilon), computed elsewhere with 120 digits. */
static void thresholds_are_scaled_up(void) {
    static const struct {
        uint64_t threshold;
        double epsilon;
        uint64_t want;
    } cases[] = {
        {UINT64_C(9223372036854775808), 1.0, UINT64_C(3393088950634442638)},
        {UINT64_C(18446744073709551615), 8.0, UINT64_C(6188193243211693)},
        {UINT64_C(12345678901234567890), 0.1, UINT64_C(11170832220894108704)},
        {UINT64_C(1), 3.0, UINT64_C(1)},
        {UINT64_C(1099511627783), 2.5, UINT64_C(90253410454)},
        {UINT64_C(18446744073708503040), 44.5, UINT64_C(1)},
        {UINT64_C(18446744073709551615), 45.0, UINT64_C(1)},
        {UINT64_C(18446744073709551615), 1e6, UINT64_C(1)},
        {UINT64_C(18446744073709551615), 44.36141955583649, UINT64_C(2)},
        {UINT64_C(987654321987654321), 1e-09, UINT64_C(987654321000000000)},
        {UINT64_C(9223372036854788153), 1e-18, UINT64_C(9223372036854788144)},
        {UINT64_C(4611686018427387904), 0.6931471805599453,
         UINT64_C(2305843009213694006)},
        {UINT64_C(4611686018427387904), 0.6931471805599454,
         UINT64_C(2305843009213693750)},
        {UINT64_C(77), 1e-300, UINT64_C(77)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        PVGT_CHECK(pvgi_rng_scale_threshold(cases[i].threshold, cases[i].epsilon) ==
                       cases[i].want,
                   "case %zu: %llu", i,
                   (unsigned long long)pvgi_rng_scale_threshold(cases[i].threshold,
                                                                cases[i].epsilon));
}

/* All four ratios of the two rows of chances, as built. Chances are integers over 2^64,
 * so numerators are exact in a long double and the ratio is off by 2^-63 at most. */
static void no_answer_tells_more_than_epsilon(void) {
    static const double epsilons[] = {1e-300, 1e-12, 1e-4, 0.1, 1, 2.5, 8, 30, 44.9, 60};
    static const double shares[] = {0, 1e-18, 1e-9, 0.01, 0.5, 0.999999, 1};
    for (size_t e = 0; e < sizeof epsilons / sizeof epsilons[0]; e++)
        for (size_t s = 0; s < sizeof shares / sizeof shares[0]; s++) {
            const double epsilon = epsilons[e];
            /* the largest that may be asked for, from below */
            const uint64_t most = 0 - pvgi_rng_flip_threshold(epsilon);
            const pvg_response_config config = {.size = sizeof config,
                                                .keep = shares[s] * (double)(most >> 11) *
                                                        0x1p-53};
            const pvg_target target = {.size = sizeof target, .epsilon = epsilon};
            pvg_perturber *p;
            PVGT_OK(pvgt_perturber_new_response(&p, &config, &target));
            const pvgi_response *r = pvgi_perturb_response_of(p);
            const long double k = (long double)r->keep, a = (long double)r->add;
            const long double not_k = (long double)(0 - r->keep);
            const long double not_a = (long double)(0 - r->add);
            const long double limit = expl((long double)epsilon) * (1 + 0x1p-60L);
            PVGT_CHECK(r->add >= 1 && r->add <= r->keep && k <= a * limit &&
                           not_a <= not_k * limit,
                       "epsilon %g keep %g: %Lg %Lg", epsilon, config.keep, k, a);
            /* and not much less is told than may be: a is the least integer */
            if (shares[s] != 0)
                PVGT_CHECK((a - 1) * expl((long double)epsilon) <= k * (1 + 0x1p-60L),
                           "epsilon %g keep %g: add %Lg", epsilon, config.keep, a);
            if (shares[s] == 0)
                PVGT_CHECK(r->keep == most && r->add == 0 - most, "epsilon %g", epsilon);
            pvgt_perturber_free(p);
        }
}

static void settings_are_checked(void) {
    pvg_perturber *p = (pvg_perturber *)1;
    pvg_response_config c = {.size = sizeof c};
    pvg_target t = one;
    double number;
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL",
               pvgt_perturber_new_response(NULL, &c, &one));
    PVGT_FAILS(PVG_E_ARGUMENT, "target is NULL",
               pvgt_perturber_new_response(&p, &c, NULL));
    TEST_ASSERT_NULL(p);
    static const double bad[] = {-0.1, 1.0, 2.0, NAN, INFINITY};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        c.keep = bad[i];
        PVGT_FAILS(PVG_E_ARGUMENT, "keep", pvgt_perturber_new_response(&p, &c, &one));
    }
    c.keep = 1e-20;
    PVGT_FAILS(PVG_E_ARGUMENT, "below 2^-64", pvgt_perturber_new_response(&p, &c, &one));
    c.keep = 0.7311; /* e / (1 + e) = 0.73105857... */
    PVGT_FAILS(PVG_E_PRIVACY, "keep", pvgt_perturber_new_response(&p, &c, &one));
    c.keep = 0.7310;
    PVGT_OK(pvgt_perturber_new_response(&p, &c, &one));
    pvgt_perturber_free(p);
    c = (pvg_response_config){.size = sizeof c, .edge_limit = -1};
    PVGT_FAILS(PVG_E_ARGUMENT, "edge_limit", pvgt_perturber_new_response(&p, &c, &one));
    c = (pvg_response_config){.size = sizeof c, .reserved = 1};
    PVGT_FAILS(PVG_E_ARGUMENT, "reserved", pvgt_perturber_new_response(&p, &c, &one));
    static const double budgets[] = {0.0, -1.0, NAN, INFINITY};
    for (size_t i = 0; i < 4; i++) {
        t.epsilon = budgets[i];
        PVGT_FAILS(PVG_E_ARGUMENT, "epsilon", pvgt_perturber_new_response(&p, NULL, &t));
    }
    PVGT_OK(pvgt_perturber_new_labels(&p, PVGT_LABELS(3), &one));
    PVGT_FAILS(PVG_E_ARGUMENT, "not randomised response",
               pvgt_perturber_preview_edges(&number, NULL, p, 5));
    pvgt_perturber_free(p);
    PVGT_FAILS(PVG_E_ARGUMENT, "perturber is NULL",
               pvgt_perturber_preview_edges(&number, NULL, NULL, 5));
    PVGT_OK(pvgt_perturber_new_response(&p, NULL, &one));
    PVGT_FAILS(PVG_E_ARGUMENT, "order", pvgt_perturber_preview_edges(NULL, NULL, p, -1));
    PVGT_FAILS(PVG_E_ARGUMENT, "order",
               pvgt_perturber_preview_edges(NULL, NULL, p, INT64_C(1) << 31));
    PVGT_OK(pvgt_perturber_preview_edges(NULL, NULL, p, 5));
    pvgt_perturber_free(p);
}

static void the_guarantee_names_what_is_hidden(void) {
    pvg_perturber *p;
    double epsilon;
    char json[2048];
    size_t length;
    PVGT_OK(pvgt_perturber_new_response(&p, NULL, &one));
    TEST_ASSERT_EQUAL_INT32(PVG_PERTURBS_GRAPH, pvgt_perturber_input(p));
    TEST_ASSERT_EQUAL_INT32(PVG_NOTION_EDGE,
                            pvg_guarantee_notion(pvgt_perturber_guarantee(p)));
    TEST_ASSERT_EQUAL_STRING("perturb.response",
                             pvg_guarantee_claim(pvgt_perturber_guarantee(p)));
    PVGT_OK(pvg_guarantee_epsilon(&epsilon, pvgt_perturber_guarantee(p), 0.0));
    TEST_ASSERT_EQUAL_DOUBLE(1.0, epsilon);
    PVGT_OK(
        pvg_guarantee_copy_json(json, sizeof json, &length, pvgt_perturber_guarantee(p)));
    TEST_ASSERT_NOT_NULL(strstr(json, "numbers are public"));
    TEST_ASSERT_NOT_NULL(strstr(json, "twice the epsilon"));
    TEST_ASSERT_NOT_NULL(strstr(json, "\"also\""));
    pvgt_perturber_free(p);
}

/* Too much noise for the limit is refused before the ledger is charged, and what decides
 * is public: graphs with and without edges get the same answer. */
static void limits_are_public_and_come_first(void) {
    const int64_t order = 3000;
    pvg_response_config c = {.size = sizeof c};
    const pvg_target strict = {.size = sizeof strict, .epsilon = 3.0};
    const pvg_ledger_config budget = {
        .size = sizeof budget, .notion = PVG_NOTION_EDGE, .epsilon = 3.0};
    pvg_graph *graphs[2];
    pvg_perturber *p;
    pvg_release *release;
    pvg_ledger *ledger;
    pvg_rng *rng;
    double expected, most;
    PVGT_OK(pvg_graph_new_star(&graphs[0], order));
    PVGT_OK(pvg_graph_from_edges(&graphs[1], order, NULL, NULL, 0, 0, NULL));
    PVGT_OK(pvg_rng_new_secure(&rng));
    PVGT_OK(pvgt_perturber_new_response(&p, NULL, &strict));
    PVGT_OK(pvgt_perturber_preview_edges(&expected, &most, p, order));
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 2999.0 * 1500.0 / (1 + exp(3.0)), expected);
    TEST_ASSERT_TRUE(most > expected + 8 * sqrt(expected) &&
                     most < expected + 12 * sqrt(expected) + 100);
    pvgt_perturber_free(p);
    for (int i = 0; i < 2; i++) {
        PVGT_OK(pvg_ledger_new(&ledger, &budget));
        c.edge_limit = (int64_t)most - 1;
        PVGT_OK(pvgt_perturber_new_response(&p, &c, &strict));
        PVGT_FAILS(PVG_E_LIMIT, "edge-limit",
                   pvgt_release_draw_graph(&release, p, graphs[i], 1, rng, ledger, NULL));
        TEST_ASSERT_NULL(release);
        pvgt_perturber_free(p);
        c.edge_limit = (int64_t)most;
        PVGT_OK(pvgt_perturber_new_response(&p, &c, &strict));
        pvg_run run = {.size = sizeof run, .scratch_limit = 4 * (uint64_t)most};
        PVGT_FAILS(PVG_E_LIMIT, "scratch_limit",
                   pvgt_release_draw_graph(&release, p, graphs[i], 1, rng, ledger, &run));
        run.scratch_limit = 5 * (uint64_t)most + 1000000;
        /* the budget is still whole: it is enough for this one and no other */
        PVGT_OK(pvgt_release_draw_graph(&release, p, graphs[i], 1, rng, ledger, &run));
        TEST_ASSERT_EQUAL_INT32(1, pvg_guarantee_holds(pvg_release_guarantee(release)));
        pvg_release_free(release);
        PVGT_FAILS(PVG_E_BUDGET, "",
                   pvgt_release_draw_graph(&release, p, graphs[i], 1, rng, ledger, &run));
        pvgt_perturber_free(p);
        pvg_ledger_free(ledger);
    }
    pvg_rng_free(rng);
    pvg_graph_free(graphs[0]);
    pvg_graph_free(graphs[1]);
}

/* Rows ascending, without loops, every entry with its mirror. */
static void check_graph(const pvg_graph *graph) {
    for (int64_t v = 0; v < graph->order; v++)
        for (int64_t i = graph->offsets[v]; i < graph->offsets[v + 1]; i++) {
            const int32_t u = graph->columns[i];
            PVGT_CHECK(u >= 0 && u < graph->order && u != v &&
                           (i == graph->offsets[v] || graph->columns[i - 1] < u),
                       "row %lld entry %d", (long long)v, (int)u);
            PVGT_CHECK(pvgi_graph_row_find(graph->columns + graph->offsets[u],
                                           graph->offsets[u + 1] - graph->offsets[u],
                                           (int32_t)v) >= 0,
                       "%lld-%d has no mirror", (long long)v, (int)u);
        }
    TEST_ASSERT_EQUAL_INT64(2 * graph->size, graph->offsets[graph->order]);
}

static void results_are_graphs_and_do_not_depend_on_threads(void) {
    static const struct {
        int64_t order;
        double epsilon, keep;
    } cases[] = {{0, 1, 0},     {1, 1, 0},     {2, 1, 0},      {3, 0.01, 0.4},
                 {40, 1, 0.1},  {40, 50, 0},   {9000, 6, 0.5}, {9000, 40, 0},
                 {700, 0.3, 0}, {300, 2, 0.3}, {20000, 7.5, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const pvg_response_config config = {.size = sizeof config, .keep = cases[i].keep};
        const pvg_target target = {
            .size = sizeof target, .epsilon = cases[i].epsilon, .allow_seeded = 1};
        pvg_rng *rng;
        pvg_graph *graph;
        pvg_perturber *p;
        pvg_release *first = NULL, *release;
        const pvg_graph *a, *b;
        PVGT_OK(pvg_rng_new_seeded(&rng, 7 + i));
        const double density = cases[i].order > 1 ? 8.0 / (double)cases[i].order : 0;
        PVGT_OK(pvg_graph_draw_erdos_renyi(&graph, cases[i].order,
                                           density < 0.5 ? density : 0.5, rng, NULL));
        pvg_rng_free(rng);
        PVGT_OK(pvgt_perturber_new_response(&p, &config, &target));
        for (uint32_t threads = 1; threads <= 3; threads++) {
            const pvg_run run = {.size = sizeof run, .threads = threads};
            PVGT_OK(pvg_rng_new_seeded(&rng, 11));
            PVGT_OK(pvgt_release_draw_graph(&release, p, graph, 0, rng, NULL, &run));
            pvg_rng_free(rng);
            PVGT_OK(pvg_release_view_graph(&b, release));
            if (threads == 1) {
                first = release;
                a = b;
                check_graph(a);
                TEST_ASSERT_EQUAL_INT64(cases[i].order, a->order);
                continue;
            }
            PVGT_CHECK(a->size == b->size, "case %zu", i);
            TEST_ASSERT_EQUAL_INT(0, memcmp(a->offsets, b->offsets,
                                            (size_t)(a->order + 1) * sizeof(int64_t)));
            TEST_ASSERT_EQUAL_INT(
                0, memcmp(a->columns, b->columns, (size_t)a->size * 2 * sizeof(int32_t)));
            pvg_release_free(release);
        }
        pvg_release_free(first);
        pvgt_perturber_free(p);
        pvg_graph_free(graph);
    }
}

/* 2 n^2 pairs would be 6.4 GB as bits; what is used is the result and half again. */
static void memory_follows_the_result(void) {
    const int64_t order = 200000;
    const pvg_target target = {.size = sizeof target, .epsilon = 11, .allow_seeded = 1};
    pvg_rng *rng;
    pvg_graph *graph;
    pvg_perturber *p;
    pvg_release *release;
    const pvg_graph *result;
    PVGT_OK(pvg_rng_new_seeded(&rng, 3));
    PVGT_OK(pvg_graph_draw_erdos_renyi(&graph, order, 4.0 / (double)order, rng, NULL));
    PVGT_OK(pvgt_perturber_new_response(&p, NULL, &target));
    const size_t begin = pvgt_peak_begin();
    PVGT_OK(pvgt_release_draw_graph(&release, p, graph, 0, rng, NULL, NULL));
    const size_t peak = pvgt_peak_bytes(begin);
    PVGT_OK(pvg_release_view_graph(&result, release));
    const size_t bytes = (size_t)result->size * 8 + (size_t)order * 8;
    PVGT_CHECK(peak >= bytes && peak <= bytes + bytes * 6 / 10 + 1000000,
               "%zu bytes for a result of %zu", peak, bytes);
    pvg_release_free(release);
    pvgt_perturber_free(p);
    pvg_graph_free(graph);
    pvg_rng_free(rng);
}

static int32_t stop(void *context, double fraction) {
    (void)context;
    (void)fraction;
    return 1;
}

static void a_draw_can_be_cancelled(void) {
    const pvg_run run = {.size = sizeof run, .progress = stop};
    pvg_rng *rng;
    pvg_graph *graph;
    pvg_perturber *p;
    pvg_release *release;
    const pvg_target target = {.size = sizeof target, .epsilon = 1, .allow_seeded = 1};
    PVGT_OK(pvg_rng_new_seeded(&rng, 3));
    PVGT_OK(pvg_graph_from_edges(&graph, 12000, NULL, NULL, 0, 0, NULL));
    PVGT_OK(pvgt_perturber_new_response(&p, NULL, &target));
    PVGT_FAILS(PVG_E_CANCELLED, "",
               pvgt_release_draw_graph(&release, p, graph, 0, rng, NULL, &run));
    TEST_ASSERT_NULL(release);
    pvgt_perturber_free(p);
    pvg_graph_free(graph);
    pvg_rng_free(rng);
}

static void lapgraph_settings_are_checked(void) {
    pvg_perturber *p = (pvg_perturber *)1;
    pvg_lapgraph_config c = {.size = sizeof c};
    pvg_target t = one;
    double expected, most;
    char json[2048];
    size_t length;
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL",
               pvgt_perturber_new_lapgraph(NULL, &c, &one));
    PVGT_FAILS(PVG_E_ARGUMENT, "target is NULL",
               pvgt_perturber_new_lapgraph(&p, &c, NULL));
    TEST_ASSERT_NULL(p);
    static const double bad[] = {-0.1, 1.0, NAN, INFINITY};
    for (size_t i = 0; i < 4; i++) {
        c.count_share = bad[i];
        PVGT_FAILS(PVG_E_ARGUMENT, "count_share",
                   pvgt_perturber_new_lapgraph(&p, &c, &one));
    }
    c = (pvg_lapgraph_config){.size = sizeof c, .edge_limit = -1};
    PVGT_FAILS(PVG_E_ARGUMENT, "edge_limit", pvgt_perturber_new_lapgraph(&p, &c, &one));
    c = (pvg_lapgraph_config){.size = sizeof c, .reserved = 1};
    PVGT_FAILS(PVG_E_ARGUMENT, "reserved", pvgt_perturber_new_lapgraph(&p, &c, &one));
    t.epsilon = 1e-12;
    PVGT_FAILS(PVG_E_ARGUMENT, "2^-40", pvgt_perturber_new_lapgraph(&p, NULL, &t));
    t.epsilon = NAN;
    PVGT_FAILS(PVG_E_ARGUMENT, "epsilon", pvgt_perturber_new_lapgraph(&p, NULL, &t));
    PVGT_OK(pvgt_perturber_new_lapgraph(&p, NULL, &one));
    TEST_ASSERT_EQUAL_INT32(PVG_NOTION_EDGE,
                            pvg_guarantee_notion(pvgt_perturber_guarantee(p)));
    TEST_ASSERT_EQUAL_STRING("perturb.lapgraph",
                             pvg_guarantee_claim(pvgt_perturber_guarantee(p)));
    PVGT_OK(
        pvg_guarantee_copy_json(json, sizeof json, &length, pvgt_perturber_guarantee(p)));
    TEST_ASSERT_NULL(strstr(json, "\"also\"")); /* nothing local */
    PVGT_OK(pvgt_perturber_preview_edges(&expected, &most, p, 100000));
    TEST_ASSERT_DOUBLE_WITHIN(0.01, 50.0, expected); /* about 1 / (2 eps1) */
    TEST_ASSERT_DOUBLE_WITHIN(1.0, 4440.0, most);
    PVGT_OK(pvgt_perturber_preview_edges(&expected, &most, p, 5));
    TEST_ASSERT_EQUAL_DOUBLE(10.0, most);
    pvgt_perturber_free(p);
}

/* Any order and epsilon: a graph, the same for all threads, of about the same size. */
static void lapgraph_results_are_graphs(void) {
    static const struct {
        int64_t order;
        double epsilon;
    } cases[] = {{0, 1},     {1, 1},      {2, 1e-6}, {3, 100},   {60, 1e-9}, {60, 5},
                 {500, 0.1}, {5000, 0.1}, {5000, 4}, {5000, 30}, {90000, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const pvg_target target = {
            .size = sizeof target, .epsilon = cases[i].epsilon, .allow_seeded = 1};
        pvg_rng *rng;
        pvg_graph *graph;
        pvg_perturber *p;
        pvg_release *first = NULL, *release;
        const pvg_graph *a = NULL, *b;
        PVGT_OK(pvg_rng_new_seeded(&rng, 7 + i));
        const double density = cases[i].order > 1 ? 8.0 / (double)cases[i].order : 0;
        PVGT_OK(pvg_graph_draw_erdos_renyi(&graph, cases[i].order,
                                           density < 0.5 ? density : 0.5, rng, NULL));
        pvg_rng_free(rng);
        PVGT_OK(pvgt_perturber_new_lapgraph(&p, NULL, &target));
        for (uint32_t threads = 1; threads <= 3; threads += 2) {
            const pvg_run run = {.size = sizeof run, .threads = threads};
            const size_t begin = pvgt_peak_begin();
            PVGT_OK(pvg_rng_new_seeded(&rng, 11));
            PVGT_OK(pvgt_release_draw_graph(&release, p, graph, 0, rng, NULL, &run));
            pvg_rng_free(rng);
            PVGT_OK(pvg_release_view_graph(&b, release));
            if (threads == 1) {
                const size_t bytes = (size_t)b->size * 8 + (size_t)b->order * 8;
                PVGT_CHECK(pvgt_peak_bytes(begin) < 6 * bytes + 200000, "case %zu: %zu",
                           i, pvgt_peak_bytes(begin));
                first = release;
                a = b;
                check_graph(a);
                continue;
            }
            PVGT_CHECK(a->size == b->size, "case %zu", i);
            TEST_ASSERT_EQUAL_INT(
                0, memcmp(a->columns, b->columns, (size_t)a->size * 2 * sizeof(int32_t)));
            pvg_release_free(release);
        }
        if (cases[i].epsilon >= 0.1)
            PVGT_CHECK(fabs((double)(a->size - graph->size)) <
                           50 / cases[i].epsilon / 0.01,
                       "case %zu: %lld edges", i, (long long)a->size);
        pvg_release_free(first);
        pvgt_perturber_free(p);
        pvg_graph_free(graph);
    }
}

static void lapgraph_limits_come_first(void) {
    pvg_lapgraph_config c = {.size = sizeof c, .edge_limit = 4400};
    const pvg_target strict = {.size = sizeof strict, .epsilon = 1.0};
    const pvg_ledger_config budget = {
        .size = sizeof budget, .notion = PVG_NOTION_EDGE, .epsilon = 1.0};
    pvg_graph *graph;
    pvg_perturber *p;
    pvg_release *release;
    pvg_ledger *ledger;
    pvg_rng *rng;
    PVGT_OK(pvg_graph_new_path(&graph, 1000));
    PVGT_OK(pvg_rng_new_secure(&rng));
    PVGT_OK(pvg_ledger_new(&ledger, &budget));
    PVGT_OK(pvgt_perturber_new_lapgraph(&p, &c, &strict));
    PVGT_FAILS(PVG_E_LIMIT, "edge-limit",
               pvgt_release_draw_graph(&release, p, graph, 1, rng, ledger, NULL));
    pvgt_perturber_free(p);
    c.edge_limit = 4441;
    PVGT_OK(pvgt_perturber_new_lapgraph(&p, &c, &strict));
    PVGT_OK(pvgt_release_draw_graph(&release, p, graph, 1, rng, ledger, NULL));
    TEST_ASSERT_EQUAL_INT32(1, pvg_guarantee_holds(pvg_release_guarantee(release)));
    pvg_release_free(release);
    PVGT_FAILS(PVG_E_BUDGET, "",
               pvgt_release_draw_graph(&release, p, graph, 1, rng, ledger, NULL));
    pvgt_perturber_free(p);
    pvg_ledger_free(ledger);
    pvg_rng_free(rng);
    pvg_graph_free(graph);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(thresholds_are_scaled_up);
    RUN_TEST(no_answer_tells_more_than_epsilon);
    RUN_TEST(settings_are_checked);
    RUN_TEST(the_guarantee_names_what_is_hidden);
    RUN_TEST(limits_are_public_and_come_first);
    RUN_TEST(results_are_graphs_and_do_not_depend_on_threads);
    RUN_TEST(memory_follows_the_result);
    RUN_TEST(a_draw_can_be_cancelled);
    RUN_TEST(lapgraph_settings_are_checked);
    RUN_TEST(lapgraph_results_are_graphs);
    RUN_TEST(lapgraph_limits_come_first);
    return pvgt_end(UNITY_END());
}
