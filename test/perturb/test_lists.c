/* Neighbour lists: arguments, shapes, threads, guarantees. Laws are judged in
 * perturb/test_lists_statistical.c. */
#include "handles.h"
#include "perturb_help.h"

#include <math.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

static pvg_release *drawn(const pvg_perturber *p, const pvg_graph *graph, uint64_t seed,
                          uint32_t threads) {
    const pvg_run run = {.size = sizeof run, .threads = threads};
    pvg_release *release;
    pvg_rng *rng;
    PVGT_OK(pvg_rng_new_seeded(&rng, seed));
    PVGT_OK(pvgt_release_draw_graph(&release, p, graph, 0, rng, NULL, &run));
    pvg_rng_free(rng);
    return release;
}

/* --- DPRR ------------------------------------------------------------------------ */

static void dprr_arguments_are_checked(void) {
    pvg_perturber *p = (pvg_perturber *)1;
    pvg_dprr_config c = {.size = sizeof c};
    pvg_target t = one;
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL", pvgt_perturber_new_dprr(NULL, &c, &one));
    PVGT_FAILS(PVG_E_ARGUMENT, "target is NULL", pvgt_perturber_new_dprr(&p, &c, NULL));
    TEST_ASSERT_NULL(p);
    for (size_t i = 0; i < 4; i++) {
        t.epsilon = bad_epsilons[i];
        PVGT_FAILS(PVG_E_ARGUMENT, "epsilon", pvgt_perturber_new_dprr(&p, &c, &t));
    }
    c.reports = 3;
    PVGT_FAILS(PVG_E_ARGUMENT, "reports", pvgt_perturber_new_dprr(&p, &c, &one));
    c.reports = 0, c.split = 2;
    PVGT_FAILS(PVG_E_ARGUMENT, "split", pvgt_perturber_new_dprr(&p, &c, &one));
    c.split = 1, c.degree_share = 0.5;
    PVGT_FAILS(PVG_E_ARGUMENT, "balanced", pvgt_perturber_new_dprr(&p, &c, &one));
    static const double shares[] = {-0.1, 1.0, NAN};
    c.split = 0;
    for (size_t i = 0; i < 3; i++) {
        c.degree_share = shares[i];
        PVGT_FAILS(PVG_E_ARGUMENT, "degree", pvgt_perturber_new_dprr(&p, &c, &one));
    }
    c.degree_share = 0, c.edge_limit = -1;
    PVGT_FAILS(PVG_E_ARGUMENT, "edge_limit", pvgt_perturber_new_dprr(&p, &c, &one));
    c.edge_limit = 0, c.reserved = 1;
    PVGT_FAILS(PVG_E_ARGUMENT, "reserved", pvgt_perturber_new_dprr(&p, &c, &one));
}

static void dprr_refuses_what_it_cannot_do(void) {
    pvg_perturber *p;
    pvg_graph *graph;
    pvg_release *release;
    pvg_rng *rng;
    PVGT_OK(pvg_rng_new_seeded(&rng, 1));
    PVGT_OK(pvgt_perturber_new_dprr(&p, NULL, &one));
    PVGT_OK(pvg_graph_new_path(&graph, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "fewer than 2 nodes",
               pvgt_release_draw_graph(&release, p, graph, 0, rng, NULL, NULL));
    pvg_graph_free(graph);
    pvgt_perturber_free(p);
    const pvg_target tiny = {.size = sizeof tiny, .epsilon = 1e-13, .allow_seeded = 1};
    PVGT_OK(pvg_graph_new_path(&graph, 5));
    PVGT_OK(pvgt_perturber_new_dprr(&p, NULL, &tiny));
    PVGT_FAILS(PVG_E_LIMIT, "2^-40",
               pvgt_release_draw_graph(&release, p, graph, 0, rng, NULL, NULL));
    pvgt_perturber_free(p);
    const pvg_dprr_config c = {.size = sizeof c, .reports = 2, .edge_limit = 1};
    const pvg_target wide = {.size = sizeof wide, .epsilon = 50, .allow_seeded = 1};
    PVGT_OK(pvgt_perturber_new_dprr(&p, &c, &wide));
    PVGT_FAILS(PVG_E_LIMIT, "edge-limit",
               pvgt_release_draw_graph(&release, p, graph, 0, rng, NULL, NULL));
    TEST_ASSERT_NULL(release);
    pvgt_perturber_free(p);
    pvg_graph_free(graph);
    pvg_rng_free(rng);
}

/* Noise makes lists longer, in a graph without edges as well: by how much is known from
 * public numbers, and too much is refused before a ledger pays. */
static void dprr_knows_what_noise_makes(void) {
    enum { N = 3000 };
    const pvg_ledger_config book = {
        .size = sizeof book, .notion = PVG_NOTION_EDGE, .epsilon = 100};
    pvg_graph *empty, *large;
    pvg_ledger *ledger;
    pvg_release *release;
    pvg_rng *rng;
    PVGT_OK(pvg_rng_new_secure(&rng));
    PVGT_OK(pvg_graph_from_edges(&empty, N, NULL, NULL, 0, 0, NULL));
    PVGT_OK(pvg_graph_from_edges(&large, 6000000, NULL, NULL, 0, 0, NULL));
    for (int32_t mode = 0; mode < 3; mode++)
        for (int e = 0; e < 3; e++) {
            static const double epsilons[] = {0.02, 0.5, 5};
            pvg_target t = {.size = sizeof t, .epsilon = epsilons[e]};
            pvg_dprr_config c = {.size = sizeof c, .reports = mode, .degree_share = 0.5};
            /* the mean of a degree from 0 to its number of candidates, term by term */
            const double eps1 = t.epsilon * (mode == 0   ? 0.5
                                             : mode == 1 ? 1 / 3.0
                                                         : 0.25);
            double expect = 0, mean = 0;
            for (int most = 0; most < N; most++) {
                if (most > 0) mean += exp(-eps1 * most) / (1 + exp(-eps1));
                if (mode == 0) expect += mean;
            }
            if (mode > 0) expect = N * mean * (mode == 1 ? 0.5 : 1);
            for (int side = 0; side < 2; side++) {
                pvg_perturber *p;
                c.edge_limit = (int64_t)(expect * (side ? 2 : 0.99));
                PVGT_OK(pvg_ledger_new(&ledger, &book));
                PVGT_OK(pvgt_perturber_new_dprr(&p, &c, &t));
                const int32_t status =
                    pvgt_release_draw_graph(&release, p, empty, 1, rng, ledger, NULL);
                PVGT_CHECK(status == (side ? PVG_OK : PVG_E_LIMIT) &&
                               pvg_ledger_charge_count(ledger) == side &&
                               (side || strstr(pvg_error_message(), "noise alone")),
                           "mode %d epsilon %g side %d: %s", mode, t.epsilon, side,
                           pvg_error_message());
                pvg_release_free(release);
                pvgt_perturber_free(p);
                pvg_ledger_free(ledger);
            }
            /* 0: 2^28, which 6 million nodes exceed below eps1 of about 1/90 */
            pvg_perturber *p;
            c.edge_limit = 0;
            PVGT_OK(pvg_ledger_new(&ledger, &book));
            PVGT_OK(pvgt_perturber_new_dprr(&p, &c, &t));
            if (e == 0 && mode != 1) {
                PVGT_FAILS(
                    PVG_E_LIMIT, "268435456",
                    pvgt_release_draw_graph(&release, p, large, 1, rng, ledger, NULL));
                TEST_ASSERT_EQUAL_INT64(0, pvg_ledger_charge_count(ledger));
            }
            pvgt_perturber_free(p);
            pvg_ledger_free(ledger);
        }
    pvg_graph_free(empty);
    pvg_graph_free(large);
    pvg_rng_free(rng);
}

static void dprr_states_what_each_mode_costs(void) {
    static const struct {
        int32_t notion;
        double user;
    } want[] = {{PVG_NOTION_EDGE, 1.0},
                {PVG_NOTION_RELATIONSHIP, 1.0},
                {PVG_NOTION_RELATIONSHIP, 0.5}};
    for (int32_t mode = 0; mode < 3; mode++) {
        const pvg_dprr_config c = {.size = sizeof c, .reports = mode};
        pvg_perturber *p;
        double epsilon;
        char json[2048], also[64];
        size_t length;
        PVGT_OK(pvgt_perturber_new_dprr(&p, &c, &one));
        TEST_ASSERT_EQUAL_INT32(PVG_PERTURBS_GRAPH, pvgt_perturber_input(p));
        TEST_ASSERT_EQUAL_INT32(want[mode].notion,
                                pvg_guarantee_notion(pvgt_perturber_guarantee(p)));
        PVGT_OK(pvg_guarantee_epsilon(&epsilon, pvgt_perturber_guarantee(p), 0.0));
        TEST_ASSERT_EQUAL_DOUBLE(1.0, epsilon);
        TEST_ASSERT_EQUAL_STRING("perturb.dprr",
                                 pvg_guarantee_claim(pvgt_perturber_guarantee(p)));
        PVGT_OK(pvg_guarantee_copy_json(json, sizeof json, &length,
                                        pvgt_perturber_guarantee(p)));
        snprintf(also, sizeof also, "\"epsilon\": %g}", want[mode].user);
        TEST_ASSERT_NOT_NULL(strstr(json, "edge-LDP"));
        PVGT_CHECK(strstr(json, also), "%s in %.400s", also, json);
        pvgt_perturber_free(p);
    }
}

/* Rows ascend without repeats or the node itself. */
static int64_t check_rows(const int64_t *offsets, const int32_t *targets, int64_t order) {
    for (int64_t v = 0; v < order; v++)
        for (int64_t i = offsets[v]; i < offsets[v + 1]; i++) {
            TEST_ASSERT_TRUE(targets[i] >= 0 && targets[i] < order && targets[i] != v);
            TEST_ASSERT_TRUE(i == offsets[v] || targets[i - 1] < targets[i]);
        }
    return offsets[order];
}

static void dprr_keeps_size_and_order(void) {
    enum { ORDER = 5000 };
    pvg_graph *graph = random_graph(ORDER, 12, 3);
    for (int32_t mode = 0; mode < 3; mode++)
        for (int32_t split = 0; split < 2; split++) {
            const pvg_dprr_config c = {.size = sizeof c, .reports = mode, .split = split};
            const pvg_target t = {.size = sizeof t, .epsilon = 20, .allow_seeded = 1};
            pvg_perturber *p;
            PVGT_OK(pvgt_perturber_new_dprr(&p, &c, &t));
            pvg_release *first = drawn(p, graph, 9, 1), *second = drawn(p, graph, 9, 3);
            const int64_t *offsets, *offsets2;
            const int32_t *targets, *targets2;
            int64_t count;
            if (mode == PVG_DPRR_REPORTS_PUBLISHED) {
                PVGT_OK(pvg_release_view_lists(&offsets, &targets, &count, first));
                PVGT_OK(pvg_release_view_lists(&offsets2, &targets2, &count, second));
                TEST_ASSERT_EQUAL_INT64(ORDER, count);
            } else {
                const pvg_graph *g;
                PVGT_OK(pvg_release_view_graph(&g, first));
                PVGT_OK(pvg_graph_view_csr(&offsets, &targets, g));
                PVGT_OK(pvg_release_view_graph(&g, second));
                PVGT_OK(pvg_graph_view_csr(&offsets2, &targets2, g));
            }
            const double entries = (double)check_rows(offsets, targets, ORDER);
            TEST_ASSERT_EQUAL_MEMORY(offsets, offsets2, (ORDER + 1) * sizeof *offsets);
            TEST_ASSERT_EQUAL_MEMORY(targets, targets2,
                                     (size_t)offsets[ORDER] * sizeof *targets);
            const double m = 2.0 * (double)pvg_graph_size(graph);
            /* the balanced share leaves noise of 35 on degrees of 12: a third is negative
             * and empties its row */
            PVGT_CHECK(fabs(entries - m) < (split ? 0.5 : 0.1) * m,
                       "mode %d split %d: %g of %g", mode, split, entries, m);
            pvg_release_free(first);
            pvg_release_free(second);
            pvgt_perturber_free(p);
        }
    pvg_graph_free(graph);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(dprr_arguments_are_checked);
    RUN_TEST(dprr_refuses_what_it_cannot_do);
    RUN_TEST(dprr_knows_what_noise_makes);
    RUN_TEST(dprr_states_what_each_mode_costs);
    RUN_TEST(dprr_keeps_size_and_order);
    return pvgt_end(UNITY_END());
}
