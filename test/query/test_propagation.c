/* Private message passing: noise against the account, choice of method, releases against
 * exact layers, refusals. Laws and audits: test/query/test_propagation_statistical.c. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "handles.h"
#include "release/release_internal.h"
#include "support.h"

#include <math.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

static const pvg_target budget = {
    .size = sizeof budget, .allow_seeded = 1, .epsilon = 1, .delta = 1e-5};
static const pvg_assumption any = {.size = sizeof any, .order = 60};

static pvg_layers *layers_of(pvg_layers_config c) {
    pvg_layers *layers = NULL;
    c.size = sizeof c;
    PVGT_OK(pvg_layers_new(&layers, &c, NULL, 0));
    return layers;
}

static int32_t make(pvg_propagator **out, pvg_layers_config layers,
                    const pvg_assumption *assumption, int64_t columns,
                    pvg_propagator_config config, const pvg_target *target) {
    pvg_layers *l = layers_of(layers);
    config.size = sizeof config;
    const int32_t status =
        pvgt_propagator_new(out, l, assumption, columns, &config, target);
    pvg_layers_free(l); /* not needed afterwards */
    if (status != PVG_OK) TEST_ASSERT_NULL(*out);
    return status;
}

static pvg_propagator *propagator_of(pvg_layers_config layers,
                                     const pvg_assumption *assumption, int64_t columns,
                                     pvg_propagator_config config,
                                     const pvg_target *target) {
    pvg_propagator *p = NULL;
    PVGT_OK(make(&p, layers, assumption, columns, config, target));
    return p;
}

static pvg_propagation_preview preview_of(const pvg_propagator *p) {
    pvg_propagation_preview v = {.size = sizeof v};
    PVGT_OK(pvgt_propagator_preview(&v, p));
    return v;
}

/* mu at epsilon 1, delta 1e-5, from the table of the theory. */
#define MU_TARGET 0.268051123211

static void check_close(double expected, double value, double relative,
                        const char *what) {
    PVGT_CHECK(fabs(value - expected) <= relative * expected, "%s: %.12g is not %.12g",
               what, value, expected);
}

static void noise_is_what_the_account_says(void) {
    for (int64_t depth = 1; depth <= 20; depth += depth < 4 ? 1 : 8)
        for (int operation = 0; operation < 2; operation++) {
            const pvg_layers_config c = {.operation = operation,
                                         .depth = depth,
                                         .contraction = 0.8,
                                         .mean_weight = 0.25,
                                         .floor = operation ? 5 : 0,
                                         .residual = 3};
            const double s = 0.8 * 0.75 * (operation ? sqrt(8) / 5 : sqrt(2));
            const double g = 0.8;
            double weights = 0, squares = 0;
            for (int64_t k = 0; k < depth; k++) {
                weights += pow(g, (double)k);
                squares += pow(g, 2 * (double)k);
            }
            pvg_propagator *p;
            pvg_propagation_preview v;
            p = propagator_of(c, &any, 7, (pvg_propagator_config){.method = 1}, &budget);
            v = preview_of(p);
            TEST_ASSERT_EQUAL_INT32(PVG_PROPAGATION_PERTURBED, v.method);
            TEST_ASSERT_EQUAL_INT64(7, v.columns);
            TEST_ASSERT_TRUE(v.epsilon <= 1 && v.epsilon > 0.999999);
            check_close(MU_TARGET, v.mu, 1e-6, "mu");
            check_close(s * weights / sqrt(squares) / MU_TARGET, v.scale, 1e-6,
                        "perturbed");
            /* the mean of all nodes averages some of the earlier noise away */
            TEST_ASSERT_TRUE(v.output_noise <= s * weights / MU_TARGET * (1 + 1e-6) &&
                             v.output_noise >= v.scale);
            check_close(s, v.sensitivity, 1e-6, "sensitivity");
            if (depth > 1) check_close(g, v.gamma, 1e-6, "gamma");
            pvgt_propagator_free(p);
            p = propagator_of(c, &any, 7, (pvg_propagator_config){.method = 2}, &budget);
            v = preview_of(p);
            check_close(s * weights / MU_TARGET, v.scale, 1e-6, "output");
            check_close(s * weights, v.sensitivity, 1e-6, "output sensitivity");
            TEST_ASSERT_TRUE(v.output_noise == v.scale && v.other_noise == 0);
            double scales[20], shifts[20], gammas[20];
            PVGT_OK(pvgt_propagator_copy_layers(gammas, shifts, scales, p));
            for (int64_t k = 0; k < depth; k++) {
                TEST_ASSERT_TRUE(scales[k] == (k + 1 == depth ? v.scale : 0));
                check_close(s, shifts[k], 1e-9, "shift");
                check_close(g, gammas[k], 1e-9, "gamma");
            }
            PVGT_OK(pvgt_propagator_copy_layers(NULL, NULL, NULL, p));
            pvgt_propagator_free(p);
            p = propagator_of(c, &any, 7, (pvg_propagator_config){.method = 3}, &budget);
            v = preview_of(p);
            check_close(s * sqrt((double)depth) / MU_TARGET, v.scale, 1e-6, "hops");
            TEST_ASSERT_EQUAL_INT64(7 * depth, v.columns);
            PVGT_OK(pvgt_propagator_copy_layers(NULL, NULL, scales, p));
            TEST_ASSERT_TRUE(scales[0] == v.scale);
            pvgt_propagator_free(p);
        }
}

/* Aggregation perturbation: sqrt 2 for an edge, 1 for one direction of it. */
static void gap_is_the_sum_with_all_hops(void) {
    const pvg_layers_config gap = {
        .operation = PVG_OPERATOR_SUM, .rows = PVG_ROWS_NORMALISED, .depth = 3};
    for (int directed = 0; directed < 2; directed++) {
        pvg_propagator *p = propagator_of(
            gap, &any, 16, (pvg_propagator_config){.hide = directed}, &budget);
        const pvg_propagation_preview v = preview_of(p);
        TEST_ASSERT_EQUAL_INT32(PVG_PROPAGATION_HOPS, v.method);
        check_close((directed ? 1 : sqrt(2)) * sqrt(3) / MU_TARGET, v.scale, 1e-6, "gap");
        TEST_ASSERT_TRUE(isinf(v.gamma));
        TEST_ASSERT_EQUAL_INT32(directed ? PVG_NOTION_EDGE_DIRECTED : PVG_NOTION_EDGE,
                                p->guarantee.notion);
        /* graphs store both directions: what hides one is worth half for an edge */
        TEST_ASSERT_EQUAL_INT32(directed ? PVG_NOTION_EDGE : 0, p->guarantee.also_notion);
        TEST_ASSERT_TRUE(!directed || p->guarantee.also.mu == 2 * p->mu);
        pvgt_propagator_free(p);
    }
    /* without a Lipschitz constant: hidden states cost as much as open ones, and one draw
     * at the end has no bound */
    pvg_propagator *p =
        propagator_of(gap, &any, 16, (pvg_propagator_config){.method = 1}, &budget);
    check_close(sqrt(6) / MU_TARGET, preview_of(p).scale, 1e-6, "hidden");
    check_close(sqrt(6) / MU_TARGET, preview_of(p).output_noise, 1e-6, "hidden, output");
    pvgt_propagator_free(p);
    PVGT_FAILS(PVG_E_PRIVACY, "no finite Lipschitz",
               make(&p, gap, &any, 16, (pvg_propagator_config){.method = 2}, &budget));
    const pvg_target open = {.size = sizeof open, .delta = 1e-5};
    PVGT_FAILS(
        PVG_E_PRIVACY, "no finite Lipschitz",
        make(&p, gap, &any, 16, (pvg_propagator_config){.method = 2, .scale = 1}, &open));
}

static void expanding_layers_are_composed(void) {
    const pvg_layers_config c = {
        .operation = PVG_OPERATOR_SUM, .depth = 4, .contraction = 1};
    const pvg_assumption three = {.size = sizeof three,
                                  .degrees = PVG_DEGREES_PROMISED,
                                  .order = 60,
                                  .degree_bound = 3};
    pvg_propagator *p =
        propagator_of(c, &three, 4, (pvg_propagator_config){.method = 1}, &budget);
    pvg_propagation_preview v = preview_of(p);
    check_close(sqrt(2) * 2 / MU_TARGET, v.scale, 1e-6, "expanding");
    check_close(3, v.gamma, 1e-9, "gamma");
    pvgt_propagator_free(p);
    /* one draw: 1 + 3 + 9 + 27 */
    p = propagator_of(c, &three, 4, (pvg_propagator_config){.method = 2}, &budget);
    check_close(sqrt(2) * 40 / MU_TARGET, preview_of(p).scale, 1e-6, "one draw");
    pvgt_propagator_free(p);
    /* against sums of up to 3 independent draws, of which 9, 81 remain */
    p = propagator_of(c, &three, 4, (pvg_propagator_config){.method = 0}, &budget);
    v = preview_of(p);
    TEST_ASSERT_EQUAL_INT32(PVG_PROPAGATION_PERTURBED, v.method);
    check_close(sqrt(8) * sqrt(1 + 3 + 27 + 243) / MU_TARGET, v.output_noise, 1e-6,
                "carried");
    check_close(sqrt(2) * 40 / MU_TARGET, v.other_noise, 1e-6, "other");
    pvgt_propagator_free(p);
}

/* 59^300 is no number: then only noise in every layer is left. */
static void beyond_all_bits(void) {
    const pvg_layers_config c = {.operation = PVG_OPERATOR_SUM, .depth = 300};
    pvg_propagator *p = propagator_of(c, &any, 4, (pvg_propagator_config){0}, &budget);
    TEST_ASSERT_EQUAL_INT32(PVG_PROPAGATION_PERTURBED, preview_of(p).method);
    pvgt_propagator_free(p);
}

/* AUTO: alike without a promise, where OUTPUT is taken; a promised least degree averages
 * the noise of earlier layers away. */
static void the_quieter_method_is_chosen(void) {
    const pvg_layers_config c = {.depth = 5, .contraction = 0.9};
    pvg_propagator *p = propagator_of(c, &any, 8, (pvg_propagator_config){0}, &budget);
    pvg_propagation_preview v = preview_of(p);
    TEST_ASSERT_EQUAL_INT32(PVG_PROPAGATION_OUTPUT, v.method);
    check_close(v.output_noise, v.other_noise, 1e-6, "alike");
    pvgt_propagator_free(p);
    const pvg_assumption dense = {.size = sizeof dense,
                                  .degrees = PVG_DEGREES_PROMISED,
                                  .order = 60,
                                  .degree_bound = 50,
                                  .least_degree = 20};
    p = propagator_of(c, &dense, 8, (pvg_propagator_config){0}, &budget);
    v = preview_of(p);
    TEST_ASSERT_EQUAL_INT32(PVG_PROPAGATION_PERTURBED, v.method);
    TEST_ASSERT_TRUE(v.output_noise < 0.6 * v.other_noise);
    pvgt_propagator_free(p);
    /* one layer: nothing to choose */
    p = propagator_of((pvg_layers_config){.depth = 1}, &dense, 8,
                      (pvg_propagator_config){0}, &budget);
    TEST_ASSERT_EQUAL_INT32(PVG_PROPAGATION_OUTPUT, preview_of(p).method);
    pvgt_propagator_free(p);
}

static void nodes_cost_more(void) {
    const pvg_layers_config c = {
        .depth = 3, .contraction = 0.9, .mean_weight = 0.05, .residual = 0.9};
    const pvg_assumption five = {.size = sizeof five,
                                 .degrees = PVG_DEGREES_PROMISED,
                                 .order = 1000,
                                 .degree_bound = 5};
    const double first[] = {3.2212686472, 5.4641145579},
                 later[] = {3.2212686472, 5.4612685080};
    for (int replaced = 0; replaced < 2; replaced++) {
        const int32_t hide = replaced ? PVGI_HIDE_NODE : PVGI_HIDE_NODE_REMOVED;
        pvg_propagator *p = propagator_of(
            c, &five, 4,
            (pvg_propagator_config){.method = PVG_PROPAGATION_OUTPUT, .hide = hide},
            &budget);
        const double s = first[replaced] * 0.81 + later[replaced] * 0.9 + later[replaced];
        check_close(s / MU_TARGET, preview_of(p).scale, 1e-6, "node");
        TEST_ASSERT_EQUAL_INT32(replaced ? PVG_NOTION_NODE : PVG_NOTION_NODE_REMOVED,
                                p->guarantee.notion);
        /* taken out and put in again: other edges cost two removals */
        TEST_ASSERT_EQUAL_INT32(replaced ? 0 : PVG_NOTION_NODE, p->guarantee.also_notion);
        TEST_ASSERT_TRUE(replaced || p->guarantee.also.mu == 2 * p->mu);
        pvgt_propagator_free(p);
    }
    pvg_propagator *p;
    const pvg_propagator_config removed = {.hide = PVGI_HIDE_NODE_REMOVED};
    PVGT_FAILS(PVG_E_PRIVACY, "a node has a proven bound",
               make(&p, (pvg_layers_config){.operation = PVG_OPERATOR_FLOOR, .floor = 3},
                    &five, 4, removed, &budget));
    PVGT_FAILS(PVG_E_PRIVACY, "one direction",
               make(&p, c, &five, 4, (pvg_propagator_config){.hide = 1}, &budget));
}

/* Worlds that differ in which edges node 0 has are two removals apart, and an edge is two
 * directed ones: what the record says first is less than what such a pair shows, what it
 * says besides is enough. */
static void what_takes_two_steps_costs_more(void) {
    enum { N = 21, D = 10 };
    const pvg_layers_config sum = {.operation = PVG_OPERATOR_SUM, .depth = 1};
    const pvg_assumption ten = {.size = sizeof ten,
                                .degrees = PVG_DEGREES_PROMISED,
                                .order = N,
                                .degree_bound = D};
    for (int node = 0; node < 2; node++) {
        double x[N], out[2][N], squares = 0;
        for (int i = 0; i < N; i++) x[i] = i > D ? -1 : 1;
        pvg_propagator *p =
            propagator_of(sum, &ten, 1,
                          (pvg_propagator_config){.method = PVG_PROPAGATION_HOPS,
                                                  .hide = node ? PVGI_HIDE_NODE_REMOVED
                                                               : PVGI_HIDE_EDGE_DIRECTED},
                          &budget);
        for (int world = 0; world < 2; world++) {
            int64_t from[D] = {0}, to[D];
            pvg_graph *graph;
            for (int i = 0; i < D; i++) to[i] = i + 1 + (node && world ? D : 0);
            PVGT_OK(pvg_graph_from_edges(&graph, N, from, to, D - (!node && world),
                                         PVG_EDGES_STRICT, NULL));
            PVGT_OK(pvg_propagate_exact(out[world], p->layers, graph, x, 1, NULL));
            pvg_graph_free(graph);
        }
        for (int i = 0; i < N; i++)
            squares += (out[0][i] - out[1][i]) * (out[0][i] - out[1][i]);
        const double shown = sqrt(squares) / p->scale;
        PVGT_CHECK(shown > p->mu && shown <= p->guarantee.also.mu,
                   "node %d: %g, said %g and %g", node, shown, p->mu,
                   p->guarantee.also.mu);
        pvgt_propagator_free(p);
    }
}

/* From a scale to what it spends, and back. */
static void scales_can_be_given(void) {
    for (int32_t method = 1; method <= 3; method++) {
        const pvg_layers_config c = {.depth = 4};
        pvg_propagator *p =
            propagator_of(c, &any, 5, (pvg_propagator_config){.method = method}, &budget);
        const pvg_propagation_preview v = preview_of(p);
        const pvg_target open = {
            .size = sizeof open, .allow_seeded = 1, .delta = budget.delta};
        pvg_propagator *q = propagator_of(
            c, &any, 5, (pvg_propagator_config){.method = method, .scale = v.scale},
            &open);
        const pvg_propagation_preview w = preview_of(q);
        TEST_ASSERT_TRUE(w.scale == v.scale);
        check_close(v.mu, w.mu, 1e-12, "mu");
        check_close(v.epsilon, w.epsilon, 1e-9, "epsilon");
        pvgt_propagator_free(q);
        q = propagator_of(c, &any, 5,
                          (pvg_propagator_config){.method = method, .scale = v.scale / 2},
                          &open);
        check_close(2 * v.mu, preview_of(q).mu, 1e-6, "half the noise");
        pvgt_propagator_free(q);
        pvgt_propagator_free(p);
    }
}

/* A published number is honoured only where it is at least the proven one. */
static void published_noise_says_so(void) {
    const pvg_layers_config c = {
        .depth = 2, .contraction = 0.9, .mean_weight = 0.05, .residual = 0.9};
    const pvg_assumption five = {.size = sizeof five,
                                 .degrees = PVG_DEGREES_PROMISED,
                                 .order = 1000,
                                 .degree_bound = 5,
                                 .least_degree = 1};
    for (int32_t hide = 0; hide <= PVGI_HIDE_NODE_REMOVED; hide += 2) {
        pvg_propagator *p = propagator_of(
            c, &five, 4, (pvg_propagator_config){.hide = hide, .published = 1}, &budget);
        const pvg_propagation_preview v = preview_of(p);
        TEST_ASSERT_EQUAL_INT32(PVG_PROPAGATION_PERTURBED, v.method);
        TEST_ASSERT_TRUE(hide == 0 ? v.epsilon <= 1 : isinf(v.epsilon));
        pvgt_propagator_free(p);
    }
    pvg_propagator *p;
    PVGT_FAILS(PVG_E_ARGUMENT, "the published method",
               make(&p, c, &five, 4, (pvg_propagator_config){.method = 2, .published = 1},
                    &budget));
    PVGT_FAILS(PVG_E_ARGUMENT, "tau 1",
               make(&p, (pvg_layers_config){.tau = 2}, &five, 4,
                    (pvg_propagator_config){.published = 1}, &budget));
}

/* Nothing private in the values: what is left to hide is rounding. */
static void edge_cases(void) {
    const pvg_assumption alone = {.size = sizeof alone, .order = 1};
    pvg_propagator *p = propagator_of((pvg_layers_config){.depth = 2, .mean_weight = 1},
                                      &any, 4, (pvg_propagator_config){0}, &budget);
    pvg_propagation_preview v = preview_of(p);
    TEST_ASSERT_TRUE(v.scale > 0 && v.scale < 1e-9);
    pvgt_propagator_free(p);
    p = propagator_of((pvg_layers_config){.depth = 2}, &alone, 1,
                      (pvg_propagator_config){0}, &budget);
    TEST_ASSERT_TRUE(preview_of(p).scale > 0);
    pvgt_propagator_free(p);
    /* a million layers of noise would not fit, 65536 do, and they have converged */
    p = propagator_of((pvg_layers_config){.depth = 65536, .contraction = 0.5}, &any, 2,
                      (pvg_propagator_config){.method = 1}, &budget);
    check_close(0.5 * sqrt(2) * sqrt(3) / MU_TARGET, preview_of(p).scale, 1e-6, "deep");
    pvgt_propagator_free(p);
}

/* --- releases --------------------------------------------------------------------- */

typedef struct {
    pvg_graph *graph;
    pvg_features *features;
    pvg_rng *rng;
} input;

static input input_of(int64_t order, int64_t columns, uint64_t seed) {
    static double x[4096];
    input in;
    uint64_t state = seed;
    TEST_ASSERT_TRUE(order * columns <= 4096);
    for (int64_t i = 0; i < order * columns; i++)
        x[i] = (double)pvgt_below(&state, 200) / 100.0 - 1.0;
    PVGT_OK(pvg_rng_new_seeded(&in.rng, seed));
    PVGT_OK(pvg_graph_draw_erdos_renyi(&in.graph, order, 0.1, in.rng, NULL));
    PVGT_OK(pvg_features_from_dense(&in.features, order, columns, x));
    return in;
}

static void input_free(input *in) {
    pvg_graph_free(in->graph);
    pvg_features_free(in->features);
    pvg_rng_free(in->rng);
}

/* Next to no noise: what comes out is what exact layers give. */
static void releases_are_layers_plus_noise(void) {
    const pvg_target open = {.size = sizeof open, .allow_seeded = 1, .delta = 1e-5};
    const pvg_layers_config stacks[] = {
        {.depth = 3, .residual = 0.5, .mean_weight = 0.2},
        {.operation = PVG_OPERATOR_FLOOR, .floor = 4, .depth = 2},
        {.operation = PVG_OPERATOR_SUM, .depth = 2, .rows = PVG_ROWS_NORMALISED},
        {.depth = 2, .activation = PVG_ACTIVATION_TANH}};
    input in = input_of(60, 7, 3);
    for (int s = 0; s < 4; s++)
        for (int32_t method = 1; method <= 3; method++) {
            if (s == 2 && method == 2) continue;
            pvg_propagator *p = propagator_of(
                stacks[s], &any, 7,
                (pvg_propagator_config){.method = method, .scale = 1e-7}, &open);
            const int64_t depth = stacks[s].depth;
            pvg_release *release;
            const double *values;
            PVGT_OK(pvgt_release_draw_propagation(&release, p, in.graph, in.features, 1,
                                                  in.rng, NULL, NULL));
            PVGT_OK(pvg_release_view(&values, release));
            TEST_ASSERT_EQUAL_INT64(60, pvg_release_rows(release));
            TEST_ASSERT_EQUAL_INT64(method == 3 ? 7 * depth : 7,
                                    pvg_release_columns(release));
            for (int64_t k = 1; k <= depth; k++) {
                static double exact[420];
                pvg_layers_config shorter = stacks[s];
                shorter.depth = k;
                pvg_layers *l = layers_of(shorter);
                PVGT_OK(
                    pvg_propagate_features_exact(exact, l, in.graph, in.features, NULL));
                pvg_layers_free(l);
                if (method != 3 && k < depth) continue;
                double worst = 0, least = INFINITY;
                for (int64_t i = 0; i < 420; i++) {
                    const int64_t at =
                        method == 3 ? i / 7 * 7 * depth + (k - 1) * 7 + i % 7 : i;
                    worst = fmax(worst, fabs(values[at] - exact[i]));
                    least = fmin(least, fabs(values[at] - exact[i]));
                }
                PVGT_CHECK(worst < 3e-6 && worst > 1e-7 && least > 0,
                           "stack %d, method %d, layer %d: off by %g", s, (int)method,
                           (int)k, worst);
            }
            pvg_release_free(release);
            pvgt_propagator_free(p);
        }
    input_free(&in);
}

static void threads_do_not_matter(void) {
    for (int32_t method = 1; method <= 3; method++) {
        double *first = NULL;
        const size_t bytes = sizeof(double) * 2000 * 8 * (method == 3 ? 3 : 1);
        for (uint32_t threads = 1; threads <= 5; threads += 2) {
            pvg_run run = {.size = sizeof run, .threads = threads};
            const pvg_assumption wide = {.size = sizeof wide, .order = 2000};
            pvg_propagator *p =
                propagator_of((pvg_layers_config){.depth = 3, .residual = 1}, &wide, 8,
                              (pvg_propagator_config){.method = method}, &budget);
            pvg_rng *rng;
            pvg_graph *graph;
            pvg_features *features;
            pvg_release *release;
            const double *values;
            double *x = pvgi_alloc(16000, sizeof *x);
            for (int i = 0; i < 16000; i++) x[i] = sin(i);
            PVGT_OK(pvg_rng_new_seeded(&rng, 9));
            PVGT_OK(pvg_graph_draw_erdos_renyi(&graph, 2000, 0.003, rng, NULL));
            PVGT_OK(pvg_features_from_dense(&features, 2000, 8, x));
            PVGT_OK(pvgt_release_draw_propagation(&release, p, graph, features, 1, rng,
                                                  NULL, &run));
            PVGT_OK(pvg_release_view(&values, release));
            if (!first) {
                first = pvgi_alloc(bytes, 1);
                memcpy(first, values, bytes);
            } else
                TEST_ASSERT_EQUAL_MEMORY(first, values, bytes);
            /* draws differ from layer to layer and from chunk to chunk */
            if (method == 3) TEST_ASSERT_TRUE(values[0] != values[8]);
            TEST_ASSERT_TRUE(values[0] != values[4096]);
            pvgi_free(x);
            pvg_release_free(release);
            pvg_features_free(features);
            pvg_graph_free(graph);
            pvg_rng_free(rng);
            pvgt_propagator_free(p);
        }
        pvgi_free(first);
    }
}

static void the_ledger_is_asked_first(void) {
    input in = input_of(60, 4, 5);
    pvg_rng *secure;
    const pvg_ledger_config config = {.size = sizeof config,
                                      .notion = PVG_NOTION_EDGE,
                                      .epsilon = 1.5,
                                      .delta = 1e-5,
                                      .method = PVG_METHOD_GDP};
    pvg_ledger *ledger;
    pvg_propagator *p = propagator_of((pvg_layers_config){.depth = 2}, &any, 4,
                                      (pvg_propagator_config){0}, &budget);
    pvg_release *release = NULL;
    double spent;
    PVGT_OK(pvg_rng_new_secure(&secure));
    PVGT_OK(pvg_ledger_new(&ledger, &config));
    PVGT_OK(pvgt_release_draw_propagation(&release, p, in.graph, in.features, 77, secure,
                                          ledger, NULL));
    TEST_ASSERT_EQUAL_INT32(1, pvg_guarantee_holds(pvg_release_guarantee(release)));
    TEST_ASSERT_EQUAL_STRING("release.propagation",
                             pvg_guarantee_claim(pvg_release_guarantee(release)));
    TEST_ASSERT_EQUAL_INT32(PVG_NOTION_EDGE,
                            pvg_guarantee_notion(pvg_release_guarantee(release)));
    PVGT_OK(pvg_ledger_spent(&spent, ledger, 77, 1e-5));
    TEST_ASSERT_TRUE(spent > 0.999 && spent <= 1);
    pvg_release_free(release);
    /* two releases at epsilon 1 make sqrt 2 of mu: 1.45 */
    PVGT_OK(pvgt_release_draw_propagation(&release, p, in.graph, in.features, 77, secure,
                                          ledger, NULL));
    pvg_release_free(release);
    PVGT_FAILS(PVG_E_BUDGET, "budget",
               pvgt_release_draw_propagation(&release, p, in.graph, in.features, 77,
                                             secure, ledger, NULL));
    TEST_ASSERT_NULL(release);
    /* a ledger of another notion, a seeded generator */
    PVGT_FAILS(PVG_E_SEEDED, "seeded",
               pvgt_release_draw_propagation(&release, p, in.graph, in.features, 78,
                                             in.rng, ledger, NULL));
    pvgt_propagator_free(p);
    p = propagator_of((pvg_layers_config){.depth = 2}, &any, 4,
                      (pvg_propagator_config){.hide = PVGI_HIDE_NODE_REMOVED}, &budget);
    /* a ledger of edges pays for two of its steps at once, and has not enough */
    PVGT_FAILS(PVG_E_BUDGET, "exceeds the budget",
               pvgt_release_draw_propagation(&release, p, in.graph, in.features, 79,
                                             secure, ledger, NULL));
    TEST_ASSERT_EQUAL_INT64(1, pvg_ledger_object_count(ledger));
    pvgt_propagator_free(p);
    pvg_ledger_free(ledger);
    pvg_rng_free(secure);
    input_free(&in);
}

static void records_name_what_they_rest_on(void) {
    const pvg_assumption promise = {.size = sizeof promise,
                                    .degrees = PVG_DEGREES_PROMISED,
                                    .order = 60,
                                    .degree_bound = 40,
                                    .least_degree = 2};
    const pvg_assumption cut = {.size = sizeof cut,
                                .degrees = PVG_DEGREES_TRUNCATED,
                                .order = 60,
                                .degree_bound = 3};
    const struct {
        const pvg_assumption *assumption;
        pvg_propagator_config config;
        const char *parts[4];
    } cases[] = {
        {&any,
         {.method = 2},
         {"edge-DP undirected", "features are public", "none on", "on the last state"}},
        {&promise,
         {.method = 1},
         {"at most 40", "at least 2", "never seen", "after every layer"}},
        {&promise,
         {.method = 1, .hide = 2},
         {"node", "setting its features to zero", "at most 40", "\"scale\""}},
        {&promise,
         {.method = 3, .hide = 3},
         {"any other edges", "all states", "node", "release.propagation"}},
        {&cut, {.method = 2}, {"truncated to degree 3", "edge-DP", "gdp", "mu"}},
        {&promise,
         {.hide = 2, .published = 1},
         {"infinity", "published sensitivity is below", "why_not", "false"}},
    };
    input in = input_of(60, 4, 6);
    pvg_rng *secure;
    PVGT_OK(pvg_rng_new_secure(&secure));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pvg_propagator *p =
            propagator_of((pvg_layers_config){.depth = 3}, cases[i].assumption, 4,
                          cases[i].config, &budget);
        pvg_release *release;
        char json[4096], words[4096];
        size_t length;
        PVGT_OK(pvgt_release_draw_propagation(&release, p, in.graph, in.features, 1,
                                              secure, NULL, NULL));
        PVGT_OK(pvg_guarantee_copy_json(json, sizeof json, &length,
                                        pvg_release_guarantee(release)));
        PVGT_OK(pvg_guarantee_copy_text(words, sizeof words, &length,
                                        pvg_release_guarantee(release)));
        for (int k = 0; k < 4; k++) {
            const char *part = cases[i].parts[k];
            PVGT_CHECK(strstr(json, part) != NULL, "case %d: no \"%s\" in %.400s", (int)i,
                       part, json);
        }
        TEST_ASSERT_EQUAL_INT32(!cases[i].config.published,
                                pvg_guarantee_holds(pvg_release_guarantee(release)));
        pvg_release_free(release);
        pvgt_propagator_free(p);
    }
    pvg_rng_free(secure);
    input_free(&in);
}

static int32_t give_up(void *context, double fraction) {
    int *calls = context;
    (void)fraction;
    return ++*calls > 0;
}

static void long_calls_can_be_stopped(void) {
    const pvg_assumption wide = {.size = sizeof wide, .order = 2000};
    pvg_propagator *p = propagator_of((pvg_layers_config){.depth = 300}, &wide, 32,
                                      (pvg_propagator_config){.method = 1}, &budget);
    static const double zeros[64000];
    pvg_graph *path;
    pvg_features *features;
    pvg_rng *rng;
    pvg_release *release;
    int calls = 0;
    pvg_run run = {.size = sizeof run, .progress = give_up, .progress_context = &calls};
    PVGT_OK(pvg_rng_new_seeded(&rng, 1));
    PVGT_OK(pvg_graph_new_path(&path, 2000));
    PVGT_OK(pvg_features_from_dense(&features, 2000, 32, zeros));
    PVGT_FAILS(
        PVG_E_CANCELLED, "cancelled",
        pvgt_release_draw_propagation(&release, p, path, features, 1, rng, NULL, &run));
    TEST_ASSERT_NULL(release);
    run = (pvg_run){.size = sizeof run, .scratch_limit = 100000};
    PVGT_FAILS(
        PVG_E_LIMIT, "scratch",
        pvgt_release_draw_propagation(&release, p, path, features, 1, rng, NULL, &run));
    TEST_ASSERT_NULL(release);
    pvgt_propagator_free(p);
    pvg_features_free(features);
    pvg_graph_free(path);
    pvg_rng_free(rng);
}

static void bad_arguments(void) {
    const pvg_layers_config plain = {.depth = 2};
    pvg_layers *l = layers_of(plain);
    pvg_propagator *p = (pvg_propagator *)&l;
    pvg_propagator_config c = {.size = sizeof c};
    pvg_target t = budget;
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL",
               pvgt_propagator_new(NULL, l, &any, 4, NULL, &t));
    PVGT_FAILS(PVG_E_ARGUMENT, "layers is NULL",
               pvgt_propagator_new(&p, NULL, &any, 4, NULL, &t));
    TEST_ASSERT_NULL(p);
    PVGT_FAILS(PVG_E_ARGUMENT, "assumption is NULL",
               pvgt_propagator_new(&p, l, NULL, 4, NULL, &t));
    PVGT_FAILS(PVG_E_ARGUMENT, "target is NULL",
               pvgt_propagator_new(&p, l, &any, 4, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "columns is less",
               pvgt_propagator_new(&p, l, &any, 0, NULL, &t));
    PVGT_FAILS(PVG_E_ARGUMENT, "columns is too large",
               pvgt_propagator_new(&p, l, &any, INT64_MAX / 100, NULL, &t));
    c.method = 4;
    PVGT_FAILS(PVG_E_ARGUMENT, "method is 4",
               pvgt_propagator_new(&p, l, &any, 4, &c, &t));
    c.method = 0, c.hide = -1;
    PVGT_FAILS(PVG_E_ARGUMENT, "hide is -1", pvgt_propagator_new(&p, l, &any, 4, &c, &t));
    c.hide = 0, c.published = 2;
    PVGT_FAILS(PVG_E_ARGUMENT, "published", pvgt_propagator_new(&p, l, &any, 4, &c, &t));
    c.published = 0, c.scale = NAN;
    PVGT_FAILS(PVG_E_ARGUMENT, "scale", pvgt_propagator_new(&p, l, &any, 4, &c, &t));
    c.scale = 1;
    PVGT_FAILS(PVG_E_ARGUMENT, "as well", pvgt_propagator_new(&p, l, &any, 4, &c, &t));
    t.epsilon = 0, t.delta = 1;
    PVGT_FAILS(PVG_E_ARGUMENT, "delta", pvgt_propagator_new(&p, l, &any, 4, &c, &t));
    t.delta = 0, t.allow_seeded = 5;
    PVGT_FAILS(PVG_E_ARGUMENT, "allow_seeded",
               pvgt_propagator_new(&p, l, &any, 4, &c, &t));
    t = budget, c.scale = 0, t.noise = PVG_NOISE_LAPLACE;
    PVGT_FAILS(PVG_E_ARGUMENT, "neither default",
               pvgt_propagator_new(&p, l, &any, 4, &c, &t));
    t = budget, t.delta = 0;
    PVGT_FAILS(PVG_E_ARGUMENT, "delta", pvgt_propagator_new(&p, l, &any, 4, &c, &t));
    t = budget, t.epsilon = -1;
    PVGT_FAILS(PVG_E_ARGUMENT, "epsilon", pvgt_propagator_new(&p, l, &any, 4, &c, &t));
    t = budget, c.scale = 1e-30, t.epsilon = 0;
    PVGT_FAILS(PVG_E_LIMIT, "62 bits", pvgt_propagator_new(&p, l, &any, 4, &c, &t));
    TEST_ASSERT_NULL(p);
    pvg_layers_free(l);
    const double weights[8] = {1, 0, 0, 1, 1, 0, 0, 1};
    const pvg_layers_config two = {.size = sizeof two, .depth = 2};
    PVGT_OK(pvg_layers_new(&l, &two, weights, 2));
    PVGT_FAILS(PVG_E_ARGUMENT, "weights of the layers",
               pvgt_propagator_new(&p, l, &any, 4, NULL, &budget));
    PVGT_OK(pvgt_propagator_new(&p, l, &any, 2, NULL, &budget));
    pvg_layers_free(l);
    /* drawing */
    input in = input_of(60, 2, 8), other = input_of(59, 2, 8), wide = input_of(60, 3, 8);
    pvg_release *r;
    pvg_propagation_preview v = {.size = sizeof v};
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL", pvgt_propagator_preview(NULL, p));
    PVGT_FAILS(PVG_E_ARGUMENT, "propagator is NULL", pvgt_propagator_preview(&v, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "propagator is NULL",
               pvgt_propagator_copy_layers(NULL, NULL, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL",
               pvgt_release_draw_propagation(NULL, p, in.graph, in.features, 1, in.rng,
                                             NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "propagator is NULL",
               pvgt_release_draw_propagation(&r, NULL, in.graph, in.features, 1, in.rng,
                                             NULL, NULL));
    PVGT_FAILS(
        PVG_E_ARGUMENT, "graph is NULL",
        pvgt_release_draw_propagation(&r, p, NULL, in.features, 1, in.rng, NULL, NULL));
    PVGT_FAILS(
        PVG_E_ARGUMENT, "features is NULL",
        pvgt_release_draw_propagation(&r, p, in.graph, NULL, 1, in.rng, NULL, NULL));
    PVGT_FAILS(
        PVG_E_ARGUMENT, "rng is NULL",
        pvgt_release_draw_propagation(&r, p, in.graph, in.features, 1, NULL, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "59 nodes",
               pvgt_release_draw_propagation(&r, p, other.graph, in.features, 1, in.rng,
                                             NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "60 x 3",
               pvgt_release_draw_propagation(&r, p, in.graph, wide.features, 1, in.rng,
                                             NULL, NULL));
    pvgt_propagator_free(p);
    t = budget, t.allow_seeded = 0;
    p = propagator_of(plain, &any, 2, (pvg_propagator_config){0}, &t);
    PVGT_FAILS(PVG_E_SEEDED, "seeded",
               pvgt_release_draw_propagation(&r, p, in.graph, in.features, 1, in.rng,
                                             NULL, NULL));
    TEST_ASSERT_NULL(r);
    pvgt_propagator_free(p);
    pvgt_propagator_free(NULL);
    input_free(&in), input_free(&other), input_free(&wide);
}

/* --- one hop with L1 noise --------------------------------------------------------- */

static const pvg_target pure = {.size = sizeof pure, .allow_seeded = 1, .epsilon = 1};
static const pvg_layers_config one_sum = {.operation = PVG_OPERATOR_SUM, .depth = 1};

/* Deviation 2.80 at epsilon 1 where Gaussian noise has 4.9 (delta 1e-5): AUTO chooses. */
static void laplace_is_quieter(void) {
    const pvg_propagator_config plain = {0}, l1 = {.l1_rows = 1};
    for (int e = 0; e < 4; e++) {
        const double epsilon = e == 0 ? 0.1 : e == 1 ? 1.0 : e == 2 ? 4.0 : 40.0;
        pvg_target both = budget, gaussian = budget, alone = pure;
        both.epsilon = gaussian.epsilon = alone.epsilon = epsilon;
        gaussian.noise = PVG_NOISE_GAUSSIAN;
        pvg_propagator *g = propagator_of(one_sum, &any, 3, plain, &both);
        pvg_propagator *h = propagator_of(one_sum, &any, 3, l1, &gaussian);
        pvg_propagator *p = propagator_of(one_sum, &any, 3, l1, &alone);
        pvg_propagator *a = propagator_of(one_sum, &any, 3, l1, &both);
        const double sigma = preview_of(g).output_noise;
        const double laplace = preview_of(p).output_noise;
        const double rate = epsilon / 2;
        check_close(sqrt(2.0) / rate, laplace, 1e-3, "Laplace");
        TEST_ASSERT_EQUAL_DOUBLE(sigma, preview_of(h).output_noise);
        TEST_ASSERT_EQUAL_DOUBLE(fmin(sigma, laplace), preview_of(a).output_noise);
        TEST_ASSERT_EQUAL_DOUBLE(fmax(sigma, laplace), preview_of(a).other_noise);
        TEST_ASSERT_EQUAL_DOUBLE(2.0, preview_of(p).sensitivity);
        TEST_ASSERT_EQUAL_INT32(PVG_PROPAGATION_HOPS, preview_of(p).method);
        TEST_ASSERT_TRUE(preview_of(p).epsilon <= epsilon &&
                         preview_of(p).epsilon > 0.999999 * epsilon);
        TEST_ASSERT_TRUE(preview_of(a).epsilon <= epsilon);
        pvgt_propagator_free(g);
        pvgt_propagator_free(h);
        pvgt_propagator_free(p);
        pvgt_propagator_free(a);
    }
}

/* Everything an edge moves, in L1, for all pairs of graphs on four nodes: at most 2, and
 * 2 where both ends have rows of length 1. Rows are far outside the ball, or inside. */
static void one_edge_moves_one_hop_by_two(void) {
    enum { N = 4, D = 3, PAIRS = 6 };
    uint64_t seed = 6;
    for (int round = 0; round < 20; round++) {
        double rows[N * D], values[1 << PAIRS][N * D], most = 0.0;
        int64_t steps[N * D];
        const double size = pow(10.0, (double)pvgt_below(&seed, 5) - 2);
        for (int i = 0; i < N * D; i++)
            rows[i] = size * ((double)pvgt_below(&seed, 2001) / 1000 - 1);
        const pvg_assumption four = {.size = sizeof four, .order = N};
        pvg_propagator *p = propagator_of(one_sum, &four, D,
                                          (pvg_propagator_config){.l1_rows = 1}, &pure);
        pvgi_query_hop_pull(rows, N, D);
        for (int v = 0; v < N; v++) {
            double sum = 0.0;
            for (int k = 0; k < D; k++) sum += fabs(rows[v * D + k]);
            TEST_ASSERT_TRUE(sum <= 1.0 + 1e-12);
            if (size >= 10.0) check_close(1.0, sum, 1e-9, "row");
        }
        for (uint32_t mask = 0; mask < 1u << PAIRS; mask++) {
            int64_t from[PAIRS], to[PAIRS], count = 0, bit = 0;
            pvg_graph *graph;
            pvgi_run run;
            for (int64_t u = 0; u < N; u++)
                for (int64_t v = u + 1; v < N; v++, bit++)
                    if (mask >> bit & 1) {
                        from[count] = u;
                        to[count++] = v;
                    }
            PVGT_OK(
                pvg_graph_from_edges(&graph, N, from, to, count, PVG_EDGES_STRICT, NULL));
            PVGT_OK(pvgi_run_begin(&run, NULL));
            pvgi_scratch scratch;
            PVGT_OK(pvgi_statistic_scratch_new(
                &scratch, pvgi_statistic_hop_bytes(p->assumption.order, p->columns, &run),
                &run));
            PVGT_OK(pvgi_query_hop_draw(values[mask], rows, steps, p, graph, NULL,
                                        &scratch, NULL, &run));
            pvgi_statistic_scratch_free(&scratch);
            for (int64_t v = 0; v < N; v++)
                for (int k = 0; k < D; k++) {
                    double sum = 0.0;
                    for (int64_t u = 0; u < N; u++)
                        if (pvg_graph_has_edge(graph, u, v)) sum += rows[u * D + k];
                    PVGT_CHECK(fabs(sum - values[mask][v * D + k]) < 4e-6, "round %d",
                               round);
                }
            pvg_graph_free(graph);
            for (bit = 0; bit < PAIRS; bit++) {
                double change = 0.0;
                if (!(mask >> bit & 1)) continue;
                for (int i = 0; i < N * D; i++)
                    change += fabs(values[mask][i] - values[mask ^ 1u << bit][i]);
                most = fmax(most, change);
            }
        }
        PVGT_CHECK(most <= 2.0, "round %d: %.17g", round, most);
        if (size >= 10.0) TEST_ASSERT_TRUE(most > 1.99999);
        pvgt_propagator_free(p);
    }
}

static void hops_with_laplace_noise_are_released(void) {
    enum { N = 2000 };
    static double dense[N * 2];
    const pvg_assumption assumption = {.size = sizeof assumption, .order = N};
    pvg_propagator *p = propagator_of(one_sum, &assumption, 2,
                                      (pvg_propagator_config){.l1_rows = 1}, &pure);
    pvg_features *features;
    pvg_graph *graph;
    const double *values[2];
    pvg_release *release[2];
    double squares = 0.0;
    for (int i = 0; i < N; i++) dense[2 * i + i % 2] = 1.0;
    PVGT_OK(pvg_features_from_dense(&features, N, 2, dense));
    PVGT_OK(pvg_graph_new_cycle(&graph, N));
    for (uint32_t i = 0; i < 2; i++) {
        const pvg_run run = {.size = sizeof run, .threads = 1 + 2 * i};
        pvg_rng *rng;
        PVGT_OK(pvg_rng_new_seeded(&rng, 3));
        PVGT_OK(pvgt_release_draw_propagation(&release[i], p, graph, features, 0, rng,
                                              NULL, &run));
        PVGT_OK(pvg_release_view(&values[i], release[i]));
        pvg_rng_free(rng);
    }
    TEST_ASSERT_EQUAL_INT64(2, pvg_release_columns(release[0]));
    TEST_ASSERT_EQUAL_MEMORY(values[0], values[1], N * 2 * sizeof(double));
    for (int i = 0; i < N * 2; i++) { /* two neighbours of the other kind */
        const double exact = i % 2 == i / 2 % 2 ? 0.0 : 2.0;
        TEST_ASSERT_EQUAL_DOUBLE(rint(ldexp(values[0][i], 20)), ldexp(values[0][i], 20));
        squares += (values[0][i] - exact) * (values[0][i] - exact);
    }
    check_close(sqrt(8.0), sqrt(squares / (2 * N)), 0.06, "deviation");
    TEST_ASSERT_EQUAL_INT32(PVG_NOTION_EDGE,
                            pvg_guarantee_notion(pvg_release_guarantee(release[0])));
    pvg_release_free(release[0]);
    pvg_release_free(release[1]);
    pvg_features_free(features);
    pvg_graph_free(graph);
    pvgt_propagator_free(p);
}

static void where_l1_rows_are_refused(void) {
    const pvg_assumption cut = {.size = sizeof cut,
                                .order = 60,
                                .degrees = PVG_DEGREES_TRUNCATED,
                                .degree_bound = 5};
    const pvg_target laplace = {
        .size = sizeof laplace, .noise = PVG_NOISE_LAPLACE, .epsilon = 1};
    pvg_layers_config two = one_sum, other = {.depth = 1};
    pvg_propagator *p;
    two.depth = 2;
    PVGT_FAILS(PVG_E_ARGUMENT, "plain sum",
               make(&p, two, &any, 2, (pvg_propagator_config){.l1_rows = 1}, &pure));
    PVGT_FAILS(PVG_E_ARGUMENT, "plain sum",
               make(&p, other, &any, 2, (pvg_propagator_config){.l1_rows = 1}, &pure));
    PVGT_FAILS(PVG_E_ARGUMENT, "auto or hops",
               make(&p, one_sum, &any, 2,
                    (pvg_propagator_config){.method = 1, .l1_rows = 1}, &pure));
    PVGT_FAILS(PVG_E_PRIVACY, "truncated",
               make(&p, one_sum, &cut, 2, (pvg_propagator_config){.l1_rows = 1}, &pure));
    PVGT_FAILS(
        PVG_E_PRIVACY, "single edges",
        make(&p, one_sum, &any, 2,
             (pvg_propagator_config){.hide = PVGI_HIDE_EDGE_DIRECTED, .l1_rows = 1},
             &pure));
    PVGT_FAILS(PVG_E_ARGUMENT, "l1_rows",
               make(&p, one_sum, &any, 2, (pvg_propagator_config){.l1_rows = 2}, &pure));
    PVGT_FAILS(PVG_E_ARGUMENT, "noise",
               make(&p, one_sum, &any, 2, (pvg_propagator_config){0}, &laplace));
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(noise_is_what_the_account_says);
    RUN_TEST(gap_is_the_sum_with_all_hops);
    RUN_TEST(expanding_layers_are_composed);
    RUN_TEST(beyond_all_bits);
    RUN_TEST(the_quieter_method_is_chosen);
    RUN_TEST(nodes_cost_more);
    RUN_TEST(what_takes_two_steps_costs_more);
    RUN_TEST(scales_can_be_given);
    RUN_TEST(published_noise_says_so);
    RUN_TEST(edge_cases);
    RUN_TEST(releases_are_layers_plus_noise);
    RUN_TEST(threads_do_not_matter);
    RUN_TEST(the_ledger_is_asked_first);
    RUN_TEST(records_name_what_they_rest_on);
    RUN_TEST(long_calls_can_be_stopped);
    RUN_TEST(laplace_is_quieter);
    RUN_TEST(one_edge_moves_one_hop_by_two);
    RUN_TEST(hops_with_laplace_noise_are_released);
    RUN_TEST(where_l1_rows_are_refused);
    RUN_TEST(bad_arguments);
    return pvgt_end(UNITY_END());
}
