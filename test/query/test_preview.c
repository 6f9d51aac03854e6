/* Range against noise of perturbers and propagators: what is planned is what is drawn,
 * least epsilons hold, and no graph exceeds the range that is told. */
#include "handles.h"
#include "support.h"

#include <math.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

enum { NODES = 24, USERS = 400, DRAWS = 400, KINDS = 10 };

static pvg_target at(double epsilon) {
    return (pvg_target){
        .size = sizeof(pvg_target), .epsilon = epsilon, .allow_seeded = 1};
}

static pvg_preview_line line_of(const pvg_preview *t, int64_t i) {
    pvg_preview_line line = {.size = sizeof line};
    PVGT_OK(pvg_preview_copy_line(&line, t, i));
    return line;
}

static pvg_preview_line plan_of(const pvg_perturber *p, int64_t order, int64_t i) {
    pvg_preview *t = NULL;
    PVGT_OK(pvgt_perturber_lines(&t, p, order));
    const pvg_preview_line line = line_of(t, i);
    pvg_preview_free(t);
    return line;
}

/* Every kind of perturber. */
static pvg_perturber *make(int which, double epsilon) {
    static const double low[] = {0.0, -2.0}, high[] = {1.0, 6.0};
    pvg_target t = at(epsilon);
    const pvg_response_config thin = {.size = sizeof thin, .keep = 0.3};
    const pvg_lists_config lists = {.size = sizeof lists};
    const pvg_slots_config slots = {.size = sizeof slots, .order = NODES};
    const pvg_labels_config labels = {.size = sizeof labels, .classes = 5};
    pvg_features_config features = {.size = sizeof features,
                                    .method = PVG_FEATURES_MULTIBIT,
                                    .columns = 2,
                                    .ranges = 2,
                                    .sampled = 2};
    pvg_perturber *p = NULL;
    if (which == 0) PVGT_OK(pvgt_perturber_new_response(&p, NULL, &t));
    if (which == 1) PVGT_OK(pvgt_perturber_new_response(&p, &thin, &t));
    if (which == 2) PVGT_OK(pvgt_perturber_new_lapgraph(&p, NULL, &t));
    if (which == 3) PVGT_OK(pvgt_perturber_new_dprr(&p, NULL, &t));
    if (which == 4) PVGT_OK(pvgt_perturber_new_blink(&p, NULL, &t));
    if (which == 5) PVGT_OK(pvgt_perturber_new_subset(&p, &lists, &t));
    if (which == 6) PVGT_OK(pvgt_perturber_new_slots(&p, &slots, &t, NULL, NULL));
    if (which == 7) PVGT_OK(pvgt_perturber_new_labels(&p, &labels, &t));
    if (which == 9) {
        features.method = PVG_FEATURES_NOISE;
        features.sampled = 0;
        t.noise = PVG_NOISE_LAPLACE;
    }
    if (which >= 8) PVGT_OK(pvgt_perturber_new_features(&p, &features, &t, low, high));
    return p;
}

/* At the least epsilon a line is informative, a little below it is not. */
static void least_epsilons_hold(void) {
    for (int which = 0; which < KINDS; which++) {
        pvg_perturber *p = make(which, 1.0);
        pvg_preview *t = NULL;
        PVGT_OK(pvgt_perturber_lines(&t, p, NODES));
        const int64_t count = pvg_preview_count(t);
        TEST_ASSERT_EQUAL_INT64(which >= 8 ? 4 : 2, count);
        for (int64_t i = 0; i < count; i++) {
            const pvg_preview_line line = line_of(t, i);
            TEST_ASSERT_TRUE(line.range > 0 && line.noise > 0 && line.sensitivity > 0);
            /* an edge kept with chance 0.3 is never told from one that is not there */
            if (which == 1 && i == 0) {
                TEST_ASSERT_TRUE(isinf(line.epsilon_min));
                continue;
            }
            TEST_ASSERT_TRUE(line.epsilon_min > 0 && isfinite(line.epsilon_min));
            pvg_perturber *above = make(which, line.epsilon_min * 1.0001);
            pvg_perturber *below = make(which, line.epsilon_min * 0.999);
            const int64_t seen = plan_of(above, NODES, i).verdict;
            const int64_t unseen = plan_of(below, NODES, i).verdict;
            PVGT_CHECK(seen == PVG_VERDICT_INFORMATIVE && unseen == PVG_VERDICT_HIDDEN,
                       "kind %d, line %d, epsilon %g", which, (int)i, line.epsilon_min);
            pvgt_perturber_free(above);
            pvgt_perturber_free(below);
        }
        pvg_preview_free(t);
        pvgt_perturber_free(p);
    }
}

/* Deviation of DRAWS estimates against the plan. With that many draws it is within 6
 * deviations of itself, 6 / sqrt(2 DRAWS) = 0.21, if the noise is the planned one. */
static void deviation_is(const double *values, double planned) {
    double mean = 0, square = 0;
    for (int i = 0; i < DRAWS; i++) mean += values[i] / DRAWS;
    for (int i = 0; i < DRAWS; i++) square += (values[i] - mean) * (values[i] - mean);
    TEST_ASSERT_DOUBLE_WITHIN(0.22, 1.0, sqrt(square / (DRAWS - 1)) / planned);
}

static void edges_have_the_planned_noise(void) {
    pvg_perturber *p = make(0, 1.0);
    pvg_graph *graph;
    pvg_rng *rng;
    double values[DRAWS];
    const int64_t from[] = {0, 1, 2}, to[] = {1, 2, 3};
    PVGT_OK(pvg_graph_from_edges(&graph, NODES, from, to, 3, PVG_EDGES_STRICT, NULL));
    PVGT_OK(pvg_rng_new_seeded(&rng, 7));
    for (int i = 0; i < DRAWS; i++) {
        pvg_release *release;
        const pvg_graph *drawn;
        PVGT_OK(pvgt_release_draw_graph(&release, p, graph, 0, rng, NULL, NULL));
        PVGT_OK(pvg_release_view_graph(&drawn, release));
        PVGT_OK(pvgt_perturber_estimate_edges(&values[i], NULL, p, drawn));
        pvg_release_free(release);
    }
    deviation_is(values, plan_of(p, NODES, 1).noise);
    pvg_rng_free(rng);
    pvg_graph_free(graph);
    pvgt_perturber_free(p);
}

static void classes_have_the_planned_noise(void) {
    pvg_perturber *p = make(7, 0.5);
    pvg_labels *labels;
    pvg_rng *rng;
    int32_t classes[USERS] = {0};
    double values[DRAWS], all[5];
    PVGT_OK(pvg_labels_from_array(&labels, classes, USERS));
    PVGT_OK(pvg_rng_new_seeded(&rng, 8));
    for (int i = 0; i < DRAWS; i++) {
        pvg_release *release;
        const int32_t *drawn;
        int64_t count;
        PVGT_OK(pvgt_release_draw_labels(&release, p, labels, 0, rng, NULL, NULL));
        PVGT_OK(pvg_release_view_labels(&drawn, &count, release));
        PVGT_OK(pvgt_perturber_label_histogram(all, NULL, p, drawn, count));
        values[i] = all[0]; /* everybody's class: the larger of both variances */
        pvg_release_free(release);
    }
    deviation_is(values, plan_of(p, USERS, 1).noise);
    pvg_rng_free(rng);
    pvg_labels_free(labels);
    pvgt_perturber_free(p);
}

static void features_have_the_planned_noise(void) {
    for (int which = 8; which < KINDS; which++) {
        pvg_perturber *p = make(which, 1.0);
        pvg_features *features;
        pvg_rng *rng;
        double middle[2 * USERS], values[DRAWS], ones[DRAWS];
        for (int i = 0; i < USERS; i++) middle[2 * i] = 0.5, middle[2 * i + 1] = 2.0;
        PVGT_OK(pvg_features_from_dense(&features, USERS, 2, middle));
        PVGT_OK(pvg_rng_new_seeded(&rng, 9));
        for (int i = 0; i < DRAWS; i++) {
            pvg_release *release;
            const double *drawn;
            PVGT_OK(
                pvgt_release_draw_features(&release, p, features, 0, rng, NULL, NULL));
            PVGT_OK(pvg_release_view(&drawn, release));
            values[i] = 0;
            for (int u = 0; u < USERS; u++) values[i] += drawn[2 * u + 1] / USERS;
            ones[i] = drawn[0];
            pvg_release_free(release);
        }
        deviation_is(values, plan_of(p, USERS, 3).noise);
        /* Laplace has heavier tails: room for a kurtosis of 6 */
        if (which == 8) deviation_is(ones, plan_of(p, USERS, 0).noise);
        pvg_rng_free(rng);
        pvg_features_free(features);
        pvgt_perturber_free(p);
    }
}

/* --- propagators ------------------------------------------------------------------ */

enum { COLUMNS = 3 };

static pvg_propagator *propagator(const pvg_layers *layers, int64_t order, double epsilon,
                                  int32_t method) {
    pvg_target t = at(epsilon);
    const pvg_assumption assumption = {.size = sizeof assumption, .order = order};
    const pvg_propagator_config config = {.size = sizeof config, .method = method};
    pvg_propagator *p = NULL;
    t.delta = 1e-6;
    PVGT_OK(pvgt_propagator_new(&p, layers, &assumption, COLUMNS, &config, &t));
    return p;
}

static pvg_layers *stack(int32_t operation, int64_t depth, double residual, double mean) {
    pvg_layers *layers;
    const pvg_layers_config config = {.size = sizeof config,
                                      .operation = operation,
                                      .depth = depth,
                                      .contraction =
                                          operation == PVG_OPERATOR_SUM ? 0.0 : 0.7,
                                      .mean_weight = mean,
                                      .residual = residual};
    PVGT_OK(pvg_layers_new(&layers, &config, NULL, 0));
    return layers;
}

/* Root mean square norm of the rows after exact layers. */
static double mean_norm(const pvg_layers *layers, const pvg_graph *graph,
                        const pvg_features *features) {
    double out[NODES * COLUMNS], sum = 0;
    PVGT_OK(pvg_propagate_features_exact(out, layers, graph, features, NULL));
    for (int i = 0; i < NODES * COLUMNS; i++) sum += out[i] * out[i];
    return sqrt(sum / NODES);
}

static void ranges_of_states_hold(void) {
    static const int32_t operations[] = {PVG_OPERATOR_SYMMETRIC, PVG_OPERATOR_ROW,
                                         PVG_OPERATOR_SUM};
    double rows[NODES * COLUMNS] = {0}, tight = 0;
    pvg_features *features;
    int64_t star_from[NODES], star_to[NODES], all_from[NODES * NODES],
        all_to[NODES * NODES], all = 0;
    for (int i = 0; i < NODES; i++) rows[i * COLUMNS] = 1.0;
    for (int i = 1; i < NODES; i++) star_from[i - 1] = 0, star_to[i - 1] = i;
    for (int i = 0; i < NODES; i++)
        for (int j = i + 1; j < NODES; j++) all_from[all] = i, all_to[all++] = j;
    PVGT_OK(pvg_features_from_dense(&features, NODES, COLUMNS, rows));
    pvg_graph *graphs[3];
    PVGT_OK(
        pvg_graph_from_edges(&graphs[0], NODES, NULL, NULL, 0, PVG_EDGES_STRICT, NULL));
    PVGT_OK(pvg_graph_from_edges(&graphs[1], NODES, star_from, star_to, NODES - 1,
                                 PVG_EDGES_STRICT, NULL));
    PVGT_OK(pvg_graph_from_edges(&graphs[2], NODES, all_from, all_to, all,
                                 PVG_EDGES_STRICT, NULL));
    for (size_t o = 0; o < 3; o++)
        for (int more = 0; more < 2; more++) {
            pvg_layers *layers = stack(operations[o], 2, 0.3 * more, 0.2 * more);
            pvg_propagator *p = propagator(layers, NODES, 4.0, PVG_PROPAGATION_OUTPUT);
            pvg_preview *t = NULL;
            PVGT_OK(pvgt_propagator_lines(&t, p));
            const double range = line_of(t, 0).range;
            for (int g = 0; g < 3; g++) {
                const double seen = mean_norm(layers, graphs[g], features);
                TEST_ASSERT_TRUE(seen <= range * (1 + 1e-12));
                tight = fmax(tight, seen / range);
            }
            pvg_preview_free(t);
            pvgt_propagator_free(p);
            pvg_layers_free(layers);
        }
    TEST_ASSERT_TRUE(tight > 0.999); /* reached by the complete graph */
    for (int g = 0; g < 3; g++) pvg_graph_free(graphs[g]);
    pvg_features_free(features);
}

/* The release that made this preview: two layers on a citation graph at epsilon 8. */
static void drowned_states_are_hidden(void) {
    pvg_layers *layers = stack(PVG_OPERATOR_SYMMETRIC, 2, 0, 0);
    for (int method = PVG_PROPAGATION_PERTURBED; method <= PVG_PROPAGATION_HOPS;
         method++) {
        pvg_propagator *p = propagator(layers, 2708, 2.0, method);
        pvg_propagation_preview preview = {.size = sizeof preview};
        pvg_preview *t = NULL;
        PVGT_OK(pvgt_propagator_preview(&preview, p));
        PVGT_OK(pvgt_propagator_lines(&t, p));
        const int64_t states = method == PVG_PROPAGATION_HOPS ? 2 : 1;
        TEST_ASSERT_EQUAL_INT64(states, pvg_preview_count(t));
        TEST_ASSERT_EQUAL_INT64(0, pvg_preview_informative(t));
        const pvg_preview_line last = line_of(t, states - 1);
        TEST_ASSERT_EQUAL_DOUBLE(preview.output_noise, last.noise);
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0.7, last.range);
        pvg_propagator *more = propagator(layers, 2708, last.epsilon_min * 1.001, method);
        pvg_preview *seen = NULL;
        PVGT_OK(pvgt_propagator_lines(&seen, more));
        TEST_ASSERT_EQUAL_INT(PVG_VERDICT_INFORMATIVE, line_of(seen, states - 1).verdict);
        pvg_preview_free(seen);
        pvgt_propagator_free(more);
        pvg_preview_free(t);
        pvgt_propagator_free(p);
    }
    pvg_layers_free(layers);
}

static void lines_have_names(void) {
    static const char *const words[] = {"a user's feature 0", "mean of feature 0",
                                        "a user's feature 1", "mean of feature 1"};
    pvg_perturber *p = make(9, 1.0);
    pvg_preview *t = NULL;
    char name[64];
    size_t length;
    PVGT_OK(pvgt_perturber_lines(&t, p, USERS));
    for (int64_t i = 0; i < 4; i++) {
        PVGT_OK(pvg_preview_copy_name(name, sizeof name, &length, t, i));
        TEST_ASSERT_EQUAL_STRING(words[i], name);
    }
    PVGT_FAILS(PVG_E_ARGUMENT, "index 4",
               pvg_preview_copy_name(name, sizeof name, &length, t, 4));
    pvg_preview_free(t);
    pvgt_perturber_free(p);
    p = make(6, 1.0);
    PVGT_FAILS(PVG_E_ARGUMENT, "for 24 nodes", pvgt_perturber_lines(&t, p, NODES + 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "order", pvgt_perturber_lines(&t, p, 0));
    pvgt_perturber_free(p);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(least_epsilons_hold);
    RUN_TEST(edges_have_the_planned_noise);
    RUN_TEST(classes_have_the_planned_noise);
    RUN_TEST(features_have_the_planned_noise);
    RUN_TEST(ranges_of_states_hold);
    RUN_TEST(drowned_states_are_hidden);
    RUN_TEST(lines_have_names);
    return pvgt_end(UNITY_END());
}
