/* statistic: the frame and edge histograms. The joint change is checked on every graph
 * with up to five nodes, against a counter written here. */
#include "handles.h"
#include "support.h"

#include <math.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

enum { NODES_MAX = 5, KINDS = 3, CELLS_MAX = NODES_MAX * KINDS };

static const pvg_target one = {.size = sizeof one, .epsilon = 1.0};
static const pvg_target seeded = {
    .size = sizeof seeded, .epsilon = 1.0, .allow_seeded = 1};

static pvg_graph *graph_of(int64_t order, uint32_t mask) {
    int64_t from[10], to[10], count = 0, bit = 0;
    pvg_graph *graph;
    for (int64_t u = 0; u < order; u++)
        for (int64_t v = u + 1; v < order; v++, bit++)
            if (mask >> bit & 1) {
                from[count] = u;
                to[count++] = v;
            }
    PVGT_OK(pvg_graph_from_edges(&graph, order, from, to, count, PVG_EDGES_STRICT, NULL));
    return graph;
}

/* --- an oracle --------------------------------------------------------------------- */

typedef struct {
    pvg_histogram_config config;
    pvg_histogram_nodes nodes;
    double priorities[NODES_MAX], weights[CELLS_MAX];
    int32_t kinds[NODES_MAX], groups[NODES_MAX];
} setting;

static bool sends(const setting *s, int64_t u, int64_t v) {
    const double *p = s->nodes.priorities;
    if (p && p[u] != p[v]) return p[u] > p[v];
    return u < v;
}

static double cut(double w, double grid) {
    return trunc(w / grid) * grid;
}

static void deliver(double *out, const setting *s, int64_t u, int64_t v) {
    const int64_t row = s->nodes.groups ? s->nodes.groups[v] : v;
    if (row < 0) return;
    for (int64_t k = 0; k < s->config.kinds; k++)
        out[row * s->config.kinds + k] +=
            s->nodes.weights
                ? cut(s->nodes.weights[u * s->config.kinds + k], s->config.grid)
                : (s->nodes.kinds ? s->nodes.kinds[u] : 0) == k;
}

static void histogram(double *out, const setting *s, const pvg_graph *graph) {
    const int64_t order = s->config.order, kinds = s->config.kinds;
    memset(out, 0, CELLS_MAX * sizeof *out);
    for (int64_t u = 0; u < order; u++)
        for (int64_t v = u + 1; v < order; v++) {
            if (!pvg_graph_has_edge(graph, u, v)) continue;
            if (s->config.cells == PVG_HISTOGRAM_BETWEEN) {
                const int32_t a = s->nodes.kinds[u], b = s->nodes.kinds[v];
                if (a < 0 || b < 0) continue;
                out[a * kinds + b]++;
                if (a != b) out[b * kinds + a]++;
            } else if (s->config.cells == PVG_HISTOGRAM_BOTH_WAYS) {
                deliver(out, s, u, v);
                deliver(out, s, v, u);
            } else if (sends(s, u, v))
                deliver(out, s, u, v);
            else
                deliver(out, s, v, u);
        }
}

/* --- every small graph ----------------------------------------------------------- */

static setting random_setting(int64_t order, uint64_t *state) {
    setting s = {.config = {.size = sizeof s.config, .order = order, .kinds = KINDS},
                 .nodes = {.size = sizeof s.nodes}};
    s.config.cells = (int32_t)pvgt_below(state, 3);
    for (int64_t v = 0; v < order; v++) {
        s.priorities[v] = (double)pvgt_below(state, 3); /* with ties */
        s.kinds[v] = (int32_t)pvgt_below(state, KINDS + 1) - 1;
        s.groups[v] = (int32_t)pvgt_below(state, 3) - 1;
        for (int64_t k = 0; k < KINDS; k++)
            s.weights[v * KINDS + k] = (double)pvgt_below(state, 2001) / 1000.0 - 1.0;
    }
    return s;
}

/* Pointers are set where the setting lives. */
static void connect_setting(setting *s, uint64_t *state) {
    const bool between = s->config.cells == PVG_HISTOGRAM_BETWEEN;
    if (s->config.cells == PVG_HISTOGRAM_RECEIVED && pvgt_below(state, 4))
        s->nodes.priorities = s->priorities;
    if (!between && pvgt_below(state, 3) == 0) {
        s->nodes.weights = s->weights;
        s->config.grid = 0x1p-6;
    } else
        s->nodes.kinds = s->kinds;
    if (!between && pvgt_below(state, 2)) {
        s->nodes.groups = s->groups;
        s->config.groups = 2;
    }
}

/* L1 change of what noise is added to: between kinds, each number once. */
static double change(const setting *s, const double *x, const double *y,
                     double *squares) {
    const int64_t kinds = s->config.kinds;
    double sum = 0.0;
    *squares = 0.0;
    for (int64_t i = 0; i < CELLS_MAX; i++) {
        if (s->config.cells == PVG_HISTOGRAM_BETWEEN && i / kinds > i % kinds) continue;
        sum += fabs(x[i] - y[i]);
        *squares += (x[i] - y[i]) * (x[i] - y[i]);
    }
    return sum;
}

static double json_number(const pvg_statistic *statistic, const char *field) {
    char json[4096];
    size_t length;
    PVGT_OK(pvg_guarantee_copy_json(json, sizeof json, &length,
                                    pvgt_statistic_guarantee(statistic)));
    const char *at = strstr(json, field);
    TEST_ASSERT_NOT_NULL(at);
    double value = 0.0;
    TEST_ASSERT_EQUAL(1, sscanf(at + strlen(field), "\": %lf", &value));
    return value;
}

/* All pairs of graphs on `order` nodes that differ in one edge; returns the largest L1
 * and L2 change. */
static void sweep(double *l1, double *l2, const setting *s, pvg_statistic *statistic) {
    const int64_t order = s->config.order, pairs = order * (order - 1) / 2;
    static double values[1 << 10][CELLS_MAX];
    *l1 = *l2 = 0.0;
    for (uint32_t mask = 0; mask < 1u << pairs; mask++) {
        double expected[CELLS_MAX];
        pvg_graph *graph = graph_of(order, mask);
        memset(values[mask], 0, sizeof values[mask]);
        PVGT_OK(pvgt_statistic_values_exact(values[mask], statistic, graph, NULL));
        histogram(expected, s, graph);
        for (int64_t i = 0; i < CELLS_MAX; i++)
            PVGT_CHECK(values[mask][i] == expected[i], "mask %u cell %d", mask, (int)i);
        pvg_graph_free(graph);
        for (int64_t bit = 0; bit < pairs; bit++)
            if (mask >> bit & 1) {
                double squares;
                const double sum =
                    change(s, values[mask], values[mask ^ 1u << bit], &squares);
                if (s->config.cells == PVG_HISTOGRAM_RECEIVED && !s->nodes.weights)
                    PVGT_CHECK(sum <= 1.0, "mask %u bit %d", mask, (int)bit);
                *l1 = fmax(*l1, sum);
                *l2 = fmax(*l2, sqrt(squares));
            }
    }
}

static void joint_change_of_all_small_graphs(void) {
    uint64_t state = 20;
    const pvg_target gaussian = {.size = sizeof gaussian,
                                 .noise = PVG_NOISE_GAUSSIAN,
                                 .epsilon = 1.0,
                                 .delta = 1e-6};
    for (int round = 0; round < 60; round++) {
        const int64_t order = round % 10 == 0 ? 5 : 2 + pvgt_below(&state, 3);
        setting s = random_setting(order, &state);
        connect_setting(&s, &state);
        pvg_statistic *pure, *smooth;
        double l1, l2;
        PVGT_OK(pvgt_statistic_new_histogram(&pure, &s.config, &one, &s.nodes));
        PVGT_OK(pvgt_statistic_new_histogram(&smooth, &s.config, &gaussian, &s.nodes));
        sweep(&l1, &l2, &s, pure);
        PVGT_CHECK(l1 <= json_number(pure, "sensitivity"), "round %d: %g", round, l1);
        PVGT_CHECK(l2 <= json_number(smooth, "sensitivity") * (1.0 + 1e-12),
                   "round %d: %g", round, l2);
        pvgt_statistic_free(pure);
        pvgt_statistic_free(smooth);
    }
}

/* With every kind and group counting somewhere the change is exactly 1, ties or not. */
static void oriented_histogram_change_by_exactly_one(void) {
    uint64_t state = 5;
    for (int round = 0; round < 30; round++) {
        setting s = random_setting(round == 0 ? 5 : 4, &state);
        s.config.cells = PVG_HISTOGRAM_RECEIVED;
        for (int v = 0; v < NODES_MAX; v++)
            s.kinds[v] = (int32_t)pvgt_below(&state, KINDS);
        s.nodes.priorities = s.priorities;
        s.nodes.kinds = s.kinds;
        pvg_statistic *statistic;
        double l1, l2;
        PVGT_OK(pvgt_statistic_new_histogram(&statistic, &s.config, &one, &s.nodes));
        sweep(&l1, &l2, &s, statistic);
        TEST_ASSERT_EQUAL_DOUBLE(1.0, l1);
        TEST_ASSERT_EQUAL_DOUBLE(1.0, json_number(statistic, "sensitivity"));
        pvgt_statistic_free(statistic);
    }
}

/* --- releases -------------------------------------------------------------------- */

static pvg_graph *random_graph(int64_t order) {
    pvg_rng *rng;
    pvg_graph *graph;
    PVGT_OK(pvg_rng_new_seeded(&rng, 3));
    PVGT_OK(pvg_graph_draw_preferential(&graph, order, 5, rng, NULL));
    pvg_rng_free(rng);
    return graph;
}

enum { ORDER = 5000 };
static int32_t kinds[ORDER], groups[ORDER];
static double priorities[ORDER];

static void fill_nodes(void) {
    uint64_t state = 9;
    for (int v = 0; v < ORDER; v++) {
        kinds[v] = (int32_t)pvgt_below(&state, 4);
        groups[v] = (int32_t)pvgt_below(&state, 7);
        priorities[v] = (double)pvgt_below(&state, 100);
    }
}

static pvg_release *draw(const pvg_statistic *statistic, const pvg_graph *graph,
                         uint32_t threads, uint64_t seed) {
    const pvg_run run = {.size = sizeof run, .threads = threads};
    pvg_release *release;
    pvg_rng *rng;
    PVGT_OK(pvg_rng_new_seeded(&rng, seed));
    PVGT_OK(pvgt_release_draw_statistic(&release, statistic, graph, 0, rng, NULL, &run));
    pvg_rng_free(rng);
    return release;
}

static void same_bits_for_any_threads(void) {
    pvg_graph *graph = random_graph(ORDER);
    const pvg_histogram_nodes own = {
        .size = sizeof own, .priorities = priorities, .kinds = kinds};
    const pvg_histogram_nodes grouped = {
        .size = sizeof grouped, .kinds = kinds, .groups = groups};
    const pvg_histogram_nodes between = {.size = sizeof between, .kinds = kinds};
    fill_nodes();
    for (int form = 0; form < 4; form++) {
        const pvg_histogram_config config = {.size = sizeof config,
                                             .cells = form == 2 ? PVG_HISTOGRAM_BETWEEN
                                                      : form == 3
                                                          ? PVG_HISTOGRAM_BOTH_WAYS
                                                          : PVG_HISTOGRAM_RECEIVED,
                                             .order = ORDER,
                                             .kinds = 4,
                                             .groups = form == 1 || form == 3 ? 7 : 0};
        const pvg_histogram_nodes *nodes = form == 0                ? &own
                                           : form == 1 || form == 3 ? &grouped
                                                                    : &between;
        pvg_statistic *statistic;
        const double *x, *y;
        PVGT_OK(pvgt_statistic_new_histogram(&statistic, &config, &seeded, nodes));
        pvg_release *a = draw(statistic, graph, 1, 1), *b = draw(statistic, graph, 3, 1);
        PVGT_OK(pvg_release_view(&x, a));
        PVGT_OK(pvg_release_view(&y, b));
        const int64_t cells = pvg_release_rows(a) * pvg_release_columns(a);
        TEST_ASSERT_EQUAL_INT64(cells, pvgt_statistic_rows(statistic) *
                                           pvgt_statistic_columns(statistic));
        TEST_ASSERT_EQUAL_MEMORY(x, y, (size_t)cells * sizeof *x);
        if (form == 2)
            for (int i = 0; i < 4; i++)
                for (int k = 0; k < 4; k++)
                    TEST_ASSERT_EQUAL_DOUBLE(x[i * 4 + k], x[k * 4 + i]);
        pvg_release_free(a);
        pvg_release_free(b);
        pvgt_statistic_free(statistic);
    }
    pvg_graph_free(graph);
}

/* Noise as promised: whole numbers, its deviation, what is spent. */
static void noise_is_what_the_record_says(void) {
    static const int32_t laws[] = {PVG_NOISE_LAPLACE, PVG_NOISE_GAUSSIAN,
                                   PVG_NOISE_DISCRETE_GAUSSIAN};
    pvg_graph *graph = random_graph(ORDER);
    fill_nodes();
    for (int i = 0; i < 3; i++)
        for (int e = 0; e < 3; e++) {
            const double epsilon = e == 0 ? 0.25 : e == 1 ? 1.0 : 4.0;
            const pvg_target target = {.size = sizeof target,
                                       .noise = laws[i],
                                       .epsilon = epsilon,
                                       .delta = laws[i] == PVG_NOISE_LAPLACE ? 0.0 : 1e-6,
                                       .allow_seeded = 1};
            const pvg_histogram_config config = {
                .size = sizeof config, .order = ORDER, .kinds = 4};
            const pvg_histogram_nodes nodes = {.size = sizeof nodes, .kinds = kinds};
            static double exact[ORDER * 4];
            double deviations[4], spent, squares = 0.0;
            const double *values;
            pvg_statistic *statistic;
            PVGT_OK(pvgt_statistic_new_histogram(&statistic, &config, &target, &nodes));
            PVGT_OK(pvg_guarantee_epsilon(&spent, pvgt_statistic_guarantee(statistic),
                                          target.delta));
            TEST_ASSERT_TRUE(spent <= epsilon && spent > epsilon * (1.0 - 1e-6));
            PVGT_OK(pvgt_statistic_copy_deviation(deviations, statistic));
            PVGT_OK(pvgt_statistic_values_exact(exact, statistic, graph, NULL));
            pvg_release *release = draw(statistic, graph, 1, 7);
            PVGT_OK(pvg_release_view(&values, release));
            for (int c = 0; c < ORDER * 4; c++) {
                TEST_ASSERT_EQUAL_DOUBLE(floor(values[c]), values[c]);
                squares += (values[c] - exact[c]) * (values[c] - exact[c]);
            }
            const double measured = sqrt(squares / (ORDER * 4));
            /* Gaussian noise rounded to whole numbers has 1/12 more variance at most */
            const double low = deviations[0] * 0.95,
                         high = sqrt(deviations[0] * deviations[0] + 1.0 / 12) * 1.05;
            PVGT_CHECK(measured >
                               low * (laws[i] != PVG_NOISE_LAPLACE && e == 2 ? 0.9 : 1) &&
                           measured < high,
                       "law %d epsilon %g: %g for %g", laws[i], epsilon, measured,
                       deviations[0]);
            if (laws[i] == PVG_NOISE_LAPLACE && e == 1)
                TEST_ASSERT_DOUBLE_WITHIN(1e-9, sqrt(2 / M_E) / (1 - 1 / M_E),
                                          deviations[0]);
            TEST_ASSERT_EQUAL_STRING("release.histogram",
                                     pvg_guarantee_claim(pvg_release_guarantee(release)));
            TEST_ASSERT_EQUAL(PVG_NOTION_EDGE,
                              pvg_guarantee_notion(pvg_release_guarantee(release)));
            pvg_release_free(release);
            pvgt_statistic_free(statistic);
        }
    pvg_graph_free(graph);
}

static void ledger_pays_first(void) {
    const pvg_histogram_config config = {.size = sizeof config, .order = 3, .kinds = 1};
    const pvg_ledger_config budget = {
        .size = sizeof budget, .notion = PVG_NOTION_EDGE, .epsilon = 1.5, .delta = 1e-9};
    pvg_statistic *statistic;
    pvg_ledger *ledger;
    pvg_release *release;
    pvg_rng *rng;
    pvg_graph *graph = graph_of(3, 5);
    PVGT_OK(pvgt_statistic_new_histogram(&statistic, &config, &one, NULL));
    PVGT_OK(pvg_ledger_new(&ledger, &budget));
    PVGT_OK(pvg_rng_new_secure(&rng));
    PVGT_OK(
        pvgt_release_draw_statistic(&release, statistic, graph, 4, rng, ledger, NULL));
    TEST_ASSERT_TRUE(pvg_guarantee_holds(pvg_release_guarantee(release)));
    pvg_release_free(release);
    PVGT_FAILS(
        PVG_E_BUDGET, "",
        pvgt_release_draw_statistic(&release, statistic, graph, 4, rng, ledger, NULL));
    TEST_ASSERT_NULL(release);
    pvg_rng_free(rng);
    pvg_ledger_free(ledger);
    pvg_graph_free(graph);
    pvgt_statistic_free(statistic);
}

/* A hub with more neighbours than a byte counts, for few kinds and many. */
static void counts_beyond_a_byte(void) {
    pvg_graph *graph;
    PVGT_OK(pvg_graph_new_star(&graph, ORDER));
    for (int64_t many = 1; many <= 20; many += many < 8 ? 7 : 4) {
        const pvg_histogram_config config = {.size = sizeof config,
                                             .cells = PVG_HISTOGRAM_BOTH_WAYS,
                                             .order = ORDER,
                                             .kinds = many};
        static double out[ORDER * 20];
        double expected[20] = {0};
        for (int v = 0; v < ORDER; v++) {
            kinds[v] = (int32_t)(v * v % many);
            if (v > 0) expected[kinds[v]]++;
        }
        const pvg_histogram_nodes nodes = {.size = sizeof nodes, .kinds = kinds};
        pvg_statistic *statistic;
        PVGT_OK(pvgt_statistic_new_histogram(&statistic, &config, &one, &nodes));
        PVGT_OK(pvgt_statistic_values_exact(out, statistic, graph, NULL));
        for (int64_t k = 0; k < many; k++) {
            TEST_ASSERT_EQUAL_DOUBLE(expected[k], out[k]);
            TEST_ASSERT_EQUAL_DOUBLE(k == kinds[0], out[many * 7 + k]);
        }
        pvgt_statistic_free(statistic);
    }
    pvg_graph_free(graph);
}

/* --- what is refused ------------------------------------------------------------- */

static void refusals(void) {
    const double nan_priority[2] = {0.0, NAN}, zeros[2] = {1e-9, 0.0}, huge[2] = {1e9, 0};
    const int32_t bad[2] = {0, 3};
    pvg_histogram_config c = {.size = sizeof c, .order = 2, .kinds = 2};
    pvg_histogram_nodes n = {.size = sizeof n};
    pvg_target smooth = {
        .size = sizeof smooth, .noise = PVG_NOISE_SMOOTH, .epsilon = 1.0};
    pvg_statistic *s;
    PVGT_FAILS(PVG_E_ARGUMENT, "config",
               pvgt_statistic_new_histogram(&s, NULL, &one, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "target",
               pvgt_statistic_new_histogram(&s, &c, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "noise",
               pvgt_statistic_new_histogram(&s, &c, &smooth, NULL));
    n.priorities = nan_priority;
    PVGT_FAILS(PVG_E_ARGUMENT, "NaN", pvgt_statistic_new_histogram(&s, &c, &one, &n));
    n.priorities = NULL;
    n.kinds = bad;
    PVGT_FAILS(PVG_E_ARGUMENT, "kinds[1]",
               pvgt_statistic_new_histogram(&s, &c, &one, &n));
    n.kinds = NULL;
    c.kinds = 1;
    n.weights = zeros;
    PVGT_FAILS(PVG_E_ARGUMENT, "all weights",
               pvgt_statistic_new_histogram(&s, &c, &one, &n));
    n.weights = huge;
    PVGT_FAILS(PVG_E_LIMIT, "2^30", pvgt_statistic_new_histogram(&s, &c, &one, &n));
    n.weights = NULL;
    c.grid = 0.5;
    PVGT_FAILS(PVG_E_ARGUMENT, "grid", pvgt_statistic_new_histogram(&s, &c, &one, &n));
    c.grid = 0.0;
    c.groups = 1;
    PVGT_FAILS(PVG_E_ARGUMENT, "groups", pvgt_statistic_new_histogram(&s, &c, &one, &n));
    c.groups = 0;
    c.cells = 3;
    PVGT_FAILS(PVG_E_ARGUMENT, "cells", pvgt_statistic_new_histogram(&s, &c, &one, &n));
    c.cells = PVG_HISTOGRAM_RECEIVED;
    c.order = INT32_MAX;
    c.kinds = 2;
    PVGT_FAILS(PVG_E_LIMIT, "cells", pvgt_statistic_new_histogram(&s, &c, &one, NULL));
    c.order = 2;
    PVGT_OK(pvgt_statistic_new_histogram(&s, &c, &one, NULL));
    pvg_graph *graph = graph_of(3, 1);
    pvg_rng *rng;
    pvg_release *release;
    double out[4];
    PVGT_OK(pvg_rng_new_seeded(&rng, 1));
    PVGT_FAILS(PVG_E_SEEDED, "seeded",
               pvgt_release_draw_statistic(&release, s, graph, 0, rng, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "3 nodes",
               pvgt_statistic_values_exact(out, s, graph, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "graph",
               pvgt_release_draw_statistic(&release, s, NULL, 0, rng, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "statistic",
               pvgt_release_draw_statistic(&release, NULL, graph, 0, rng, NULL, NULL));
    pvg_rng_free(rng);
    pvg_graph_free(graph);
    pvgt_statistic_free(s);
    TEST_ASSERT_EQUAL_INT64(0, pvgt_statistic_rows(NULL));
    TEST_ASSERT_NULL(pvg_guarantee_claim(pvgt_statistic_guarantee(NULL)));
    pvgt_statistic_free(NULL);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(joint_change_of_all_small_graphs);
    RUN_TEST(oriented_histogram_change_by_exactly_one);
    RUN_TEST(same_bits_for_any_threads);
    RUN_TEST(noise_is_what_the_record_says);
    RUN_TEST(ledger_pays_first);
    RUN_TEST(counts_beyond_a_byte);
    RUN_TEST(refusals);
    return pvgt_end(UNITY_END());
}
