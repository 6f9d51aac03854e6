/* Estimates from graphs released by randomised response: equal to sums over all triples
 * and pairs of triples; unbiased, with an unbiased variance, by enumerating every output
 * for every private graph; and so over real releases. */
#include "handles.h"
#include "perturb/perturb_internal.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

enum { NODES_MAX = 40 };

typedef struct {
    double value[3], variance[3]; /* edges, degree of node 1, triangles */
} estimates;

static pvg_perturber *make(double epsilon, double keep) {
    const pvg_response_config config = {.size = sizeof config, .keep = keep};
    const pvg_target target = {
        .size = sizeof target, .epsilon = epsilon, .allow_seeded = 1};
    pvg_perturber *p;
    PVGT_OK(pvgt_perturber_new_response(&p, &config, &target));
    return p;
}

static estimates estimate(const pvg_perturber *p, const pvg_graph *graph) {
    estimates e;
    double degrees[NODES_MAX], variances[NODES_MAX];
    PVGT_OK(pvgt_perturber_estimate_edges(&e.value[0], &e.variance[0], p, graph));
    PVGT_OK(pvgt_perturber_estimate_degrees(degrees, variances, p, graph));
    PVGT_OK(
        pvgt_perturber_estimate_triangles(&e.value[2], &e.variance[2], p, graph, NULL));
    e.value[1] = degrees[1];
    e.variance[1] = variances[1];
    return e;
}

static double keep_of(const pvg_perturber *p) {
    return ldexp((double)pvgi_perturb_response_of(p)->keep, -64);
}
static double add_of(const pvg_perturber *p) {
    return ldexp((double)pvgi_perturb_response_of(p)->add, -64);
}

static void bits_to_matrix(bool m[NODES_MAX][NODES_MAX], int order, uint32_t bits) {
    memset(m, 0, NODES_MAX * sizeof m[0]);
    for (int i = 0; i < order; i++)
        for (int j = i + 1; j < order; j++, bits >>= 1) m[i][j] = m[j][i] = bits & 1;
}

static pvg_graph *matrix_to_graph(bool m[NODES_MAX][NODES_MAX], int order) {
    int64_t sources[NODES_MAX * NODES_MAX], targets[NODES_MAX * NODES_MAX], count = 0;
    pvg_graph *graph;
    for (int i = 0; i < order; i++)
        for (int j = i + 1; j < order; j++)
            if (m[i][j]) sources[count] = i, targets[count++] = j;
    PVGT_OK(pvg_graph_from_edges(&graph, order, sources, targets, count, 0, NULL));
    return graph;
}

static void truth(double out[3], bool m[NODES_MAX][NODES_MAX], int order) {
    out[0] = out[1] = out[2] = 0;
    for (int i = 0; i < order; i++)
        for (int j = i + 1; j < order; j++) {
            out[0] += m[i][j];
            out[1] += m[i][j] && (i == 1 || j == 1);
            for (int k = j + 1; k < order; k++) out[2] += m[i][j] && m[j][k] && m[i][k];
        }
}

/* --- every output of every private graph ------------------------------------------- */

static void check_enumerated(int order, double epsilon, double keep) {
    const int pairs = order * (order - 1) / 2;
    const uint32_t graphs = 1u << pairs;
    pvg_perturber *p = make(epsilon, keep);
    const double k = keep_of(p), a = add_of(p);
    estimates *of = malloc(graphs * sizeof *of);
    bool m[NODES_MAX][NODES_MAX];
    TEST_ASSERT_NOT_NULL(of);
    for (uint32_t out = 0; out < graphs; out++) {
        bits_to_matrix(m, order, out);
        pvg_graph *graph = matrix_to_graph(m, order);
        of[out] = estimate(p, graph);
        pvg_graph_free(graph);
    }
    /* all private graphs of 4 nodes, every 37th of 5 */
    for (uint32_t in = 0; in < graphs; in += order < 5 ? 1 : 37) {
        double exact[3], mean[3] = {0}, square[3] = {0}, claimed[3] = {0}, size[3] = {0};
        bits_to_matrix(m, order, in);
        truth(exact, m, order);
        for (uint32_t out = 0; out < graphs; out++) {
            double chance = 1;
            for (int c = 0; c < pairs; c++) {
                const double one = in >> c & 1 ? k : a;
                chance *= out >> c & 1 ? one : 1 - one;
            }
            for (int i = 0; i < 3; i++) {
                const double off = of[out].value[i] - exact[i];
                mean[i] += chance * off;
                square[i] += chance * off * off;
                claimed[i] += chance * of[out].variance[i];
                size[i] += chance * fabs(of[out].variance[i]);
            }
        }
        for (int i = 0; i < 3; i++) {
            PVGT_CHECK(fabs(mean[i]) < 1e-12 * (1 + sqrt(square[i])),
                       "order %d epsilon %g keep %g graph %u estimate %d: bias %g", order,
                       epsilon, keep, in, i, mean[i]);
            PVGT_CHECK(
                fabs(claimed[i] - square[i]) < 1e-11 * (1 + size[i]),
                "order %d epsilon %g keep %g graph %u estimate %d: variance %.15g, "
                "said %.15g",
                order, epsilon, keep, in, i, square[i], claimed[i]);
        }
    }
    free(of);
    pvgt_perturber_free(p);
}

static void estimates_and_variances_are_unbiased(void) {
    check_enumerated(2, 1, 0);
    check_enumerated(3, 0.7, 0);
    check_enumerated(4, 1, 0);
    check_enumerated(4, 3, 0);
    check_enumerated(4, 1, 0.3);
    check_enumerated(4, 2, 0.8);
    check_enumerated(5, 1.5, 0);
    check_enumerated(5, 1.5, 0.5);
}

/* --- larger graphs: the sums themselves --------------------------------------------- */

static void brute(estimates *e, bool m[NODES_MAX][NODES_MAX], int n, double k, double a) {
    double h[NODES_MAX][NODES_MAX];
    *e = (estimates){0};
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) h[i][j] = (m[i][j] - a) / (k - a);
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            const double w = h[i][j] * h[i][j] - h[i][j];
            e->value[0] += h[i][j];
            e->variance[0] += w;
            if (i == 1 || j == 1) e->value[1] += h[i][j], e->variance[1] += w;
            for (int x = 0; x < n; x++) {
                if (x == i || x == j) continue;
                const double product = h[i][j] * h[j][x] * h[i][x];
                if (x > j) {
                    e->value[2] += product;
                    e->variance[2] += product * product - product;
                }
                for (int y = 0; y < n; y++)
                    if (y != i && y != j && y != x)
                        e->variance[2] += w * h[i][x] * h[j][x] * h[i][y] * h[j][y];
            }
        }
}

static void estimates_are_the_sums_they_stand_for(void) {
    uint64_t state = 4;
    for (int round = 0; round < 60; round++) {
        const int n = (int)pvgt_below(&state, 25);
        const int64_t dense = pvgt_below(&state, 101);
        bool m[NODES_MAX][NODES_MAX] = {{0}};
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++)
                m[i][j] = m[j][i] = pvgt_below(&state, 100) < dense;
        pvg_perturber *p = make(0.5 + 0.1 * round, round % 2 ? 0.2 : 0);
        pvg_graph *graph = matrix_to_graph(m, n);
        estimates want;
        brute(&want, m, n, keep_of(p), add_of(p));
        const estimates seen = estimate(p, graph);
        for (int i = 0; i < 3; i++) {
            if (n < 2 && i == 1) continue;
            const double scale = 1 + fabs(want.variance[i]) + fabs(want.value[i]);
            PVGT_CHECK(fabs(seen.value[i] - want.value[i]) < 1e-10 * scale &&
                           fabs(seen.variance[i] - want.variance[i]) < 1e-9 * scale,
                       "round %d order %d estimate %d: %.12g (%.12g), %.12g (%.12g)",
                       round, n, i, seen.value[i], seen.variance[i], want.value[i],
                       want.variance[i]);
        }
        pvg_graph_free(graph);
        pvgt_perturber_free(p);
    }
}

/* --- real releases ------------------------------------------------------------------ */

static void releases_are_estimated_well(void) {
    enum { ORDER = 30, DRAWS = 20000 };
    for (int kind = 0; kind < 2; kind++) {
        pvg_perturber *p = make(2, kind ? 0.5 : 0);
        bool m[NODES_MAX][NODES_MAX] = {{0}};
        double exact[3], mean[3] = {0}, square[3] = {0}, claimed[3] = {0}, raw[3] = {0};
        pvg_rng *rng;
        for (int i = 0; i < ORDER; i++)
            for (int j = i + 1; j < ORDER; j++)
                m[i][j] = m[j][i] = (i * 7 + j * j) % 5 < 2;
        truth(exact, m, ORDER);
        pvg_graph *graph = matrix_to_graph(m, ORDER);
        PVGT_OK(pvg_rng_new_seeded(&rng, 31));
        for (int d = 0; d < DRAWS; d++) {
            pvg_release *release;
            const pvg_graph *seen;
            PVGT_OK(pvgt_release_draw_graph(&release, p, graph, 0, rng, NULL, NULL));
            PVGT_OK(pvg_release_view_graph(&seen, release));
            const estimates e = estimate(p, seen);
            raw[0] += (double)seen->size / DRAWS;
            raw[1] += (double)(seen->offsets[2] - seen->offsets[1]) / DRAWS;
            /* (k - a)^3 times the estimate leaves out what noise adds: not even that */
            raw[2] += pow(keep_of(p) - add_of(p), 3) * e.value[2] / DRAWS;
            pvg_release_free(release);
            for (int i = 0; i < 3; i++) {
                const double off = e.value[i] - exact[i];
                mean[i] += off / DRAWS;
                square[i] += off * off / DRAWS;
                claimed[i] += e.variance[i] / DRAWS;
            }
        }
        for (int i = 0; i < 3; i++) {
            PVGT_CHECK(fabs(mean[i]) < 5 * sqrt(square[i] / DRAWS),
                       "kind %d estimate %d: off by %g", kind, i, mean[i]);
            PVGT_CHECK(fabs(claimed[i] / square[i] - 1) < 0.06,
                       "kind %d estimate %d: variance %g, said %g", kind, i, square[i],
                       claimed[i]);
            /* the counts of the release itself would not pass for the truth */
            TEST_ASSERT_TRUE(fabs(raw[i] - exact[i]) > 5 * sqrt(square[i] / DRAWS));
        }
        pvg_rng_free(rng);
        pvg_graph_free(graph);
        pvgt_perturber_free(p);
    }
}

static void threads_and_limits(void) {
    pvg_perturber *p = make(4, 0.6);
    pvg_rng *rng;
    pvg_graph *graph;
    double first[2], again[2];
    PVGT_OK(pvg_rng_new_seeded(&rng, 31));
    PVGT_OK(pvg_graph_draw_erdos_renyi(&graph, 3000, 0.01, rng, NULL));
    PVGT_OK(pvgt_perturber_estimate_triangles(&first[0], &first[1], p, graph, NULL));
    for (uint32_t threads = 2; threads <= 3; threads++) {
        const pvg_run run = {.size = sizeof run, .threads = threads};
        PVGT_OK(pvgt_perturber_estimate_triangles(&again[0], &again[1], p, graph, &run));
        TEST_ASSERT_EQUAL_MEMORY(first, again, sizeof first);
    }
    PVGT_OK(pvgt_perturber_estimate_triangles(&again[0], NULL, p, graph, NULL));
    TEST_ASSERT_EQUAL_MEMORY(first, again, sizeof first[0]);
    const pvg_run tight = {.size = sizeof tight, .scratch_limit = 1000};
    PVGT_FAILS(PVG_E_LIMIT, "scratch_limit",
               pvgt_perturber_estimate_triangles(first, NULL, p, graph, &tight));
    pvg_rng_free(rng);
    pvg_graph_free(graph);
    pvgt_perturber_free(p);
}

static void arguments_are_checked(void) {
    const pvg_target one = {.size = sizeof one, .epsilon = 1};
    pvg_perturber *p = make(1, 0), *tiny = make(1e-300, 0), *labels;
    pvg_graph *graph;
    double x, y[3];
    PVGT_OK(pvgt_perturber_new_labels(&labels, PVGT_LABELS(3), &one));
    PVGT_OK(pvg_graph_new_path(&graph, 3));
    PVGT_FAILS(PVG_E_ARGUMENT, "perturber is NULL",
               pvgt_perturber_estimate_edges(&x, &x, NULL, graph));
    PVGT_FAILS(PVG_E_ARGUMENT, "released is NULL",
               pvgt_perturber_estimate_edges(&x, &x, p, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "not one of randomised response",
               pvgt_perturber_estimate_edges(&x, &x, labels, graph));
    PVGT_FAILS(PVG_E_NUMERIC, "tells nothing",
               pvgt_perturber_estimate_edges(&x, &x, tiny, graph));
    PVGT_FAILS(PVG_E_ARGUMENT, "perturber is NULL",
               pvgt_perturber_estimate_degrees(y, y, NULL, graph));
    PVGT_FAILS(PVG_E_ARGUMENT, "released is NULL",
               pvgt_perturber_estimate_degrees(y, y, p, NULL));
    PVGT_FAILS(PVG_E_NUMERIC, "tells nothing",
               pvgt_perturber_estimate_degrees(y, y, tiny, graph));
    PVGT_FAILS(PVG_E_ARGUMENT, "perturber is NULL",
               pvgt_perturber_estimate_triangles(&x, &x, NULL, graph, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "released is NULL",
               pvgt_perturber_estimate_triangles(&x, &x, p, NULL, NULL));
    PVGT_FAILS(PVG_E_NUMERIC, "tells nothing",
               pvgt_perturber_estimate_triangles(&x, &x, tiny, graph, NULL));
    PVGT_OK(pvgt_perturber_estimate_edges(NULL, NULL, p, graph));
    PVGT_OK(pvgt_perturber_estimate_degrees(NULL, NULL, p, graph));
    PVGT_OK(pvgt_perturber_estimate_triangles(NULL, NULL, p, graph, NULL));
    pvg_graph_free(graph);
    pvgt_perturber_free(labels);
    pvgt_perturber_free(tiny);
    pvgt_perturber_free(p);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(estimates_and_variances_are_unbiased);
    RUN_TEST(estimates_are_the_sums_they_stand_for);
    RUN_TEST(releases_are_estimated_well);
    RUN_TEST(threads_and_limits);
    RUN_TEST(arguments_are_checked);
    return pvgt_end(UNITY_END());
}
