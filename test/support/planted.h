/* A planted graph whose classes friends mostly share, features that hint at them, and
 * pipelines on it in one call. */
#ifndef PVGT_PLANTED_H
#define PVGT_PLANTED_H

#include "support.h"

#include <math.h>
#include <privgraph-learn.h>
#include <string.h>

enum { ORDER = 600, CLASSES = 3, COLUMNS = 12 };
static int32_t truth[ORDER], labels[ORDER], checks[ORDER], parts[ORDER];
static pvg_graph *graph;
static pvg_features *features;
static pvg_labels *all;

static double unit(uint64_t *state) {
    return (double)(pvgt_random(state) >> 11) * 0x1p-53;
}

static void plant(void) {
    static int64_t from[ORDER * 8], to[ORDER * 8];
    static double x[ORDER * COLUMNS];
    uint64_t seed = 11;
    int64_t count = 0;
    for (int v = 0; v < ORDER; v++) {
        truth[v] = v % CLASSES;
        parts[v] = v / CLASSES % 4 < 2 ? 0 : v / CLASSES % 4 == 2 ? 1 : 2;
        labels[v] = parts[v] == 0 ? truth[v] : -1;
        checks[v] = parts[v] == 1 ? truth[v] : -1;
        for (int k = 0; k < COLUMNS; k++)
            x[v * COLUMNS + k] = unit(&seed) < (k % CLASSES == truth[v] ? 0.55 : 0.3);
    }
    while (count < ORDER * 4) {
        const int64_t a = pvgt_below(&seed, ORDER);
        const int64_t b = pvgt_below(&seed, ORDER);
        if (a == b || (truth[a] != truth[b] && unit(&seed) < 0.9)) continue;
        from[count] = a;
        to[count++] = b;
    }
    PVGT_OK(pvg_graph_from_edges(&graph, ORDER, from, to, count, PVG_EDGES_MERGE, NULL));
    PVGT_OK(pvg_features_from_dense(&features, ORDER, COLUMNS, x));
    PVGT_OK(pvg_labels_from_array(&all, truth, ORDER));
}

static void uproot(void) {
    pvg_graph_free(graph);
    pvg_features_free(features);
    pvg_labels_free(all);
}

/* Share of the nodes of no other part whose likeliest class is right. */
static double hits(const double *p) {
    double right = 0, count = 0;
    for (int v = 0; v < ORDER; v++) {
        int best = 0;
        if (parts[v] != 2) continue;
        for (int c = 1; c < CLASSES; c++)
            if (p[v * CLASSES + c] > p[v * CLASSES + best]) best = c;
        right += best == truth[v];
        count++;
    }
    return right / count;
}

static void rows_are_probabilities(const double *p) {
    for (int v = 0; v < ORDER; v++) {
        double sum = 0;
        for (int c = 0; c < CLASSES; c++) {
            TEST_ASSERT_TRUE(p[v * CLASSES + c] >= 0.0);
            sum += p[v * CLASSES + c];
        }
        PVGT_CHECK(fabs(sum - 1.0) < 1e-6, "row %d sums to %g", v, sum);
    }
}

/* A pipeline; seeded generators are fine. */
static int32_t pipeline_of(pvg_pipeline **out, const char *text,
                           const pvg_pipeline_arguments *a, pvg_rng *rng,
                           const pvg_run *run) {
    const pvg_target seeded = {.size = sizeof seeded, .allow_seeded = 1};
    return pvg_pipeline_new(out, text, a, &seeded, rng, run);
}

/* Makes it and draws; out is NULL, or receives what is read. */
static inline int32_t draw_and_read(double *out, double *without, pvg_release *drawn[3],
                                    const char *text, const pvg_pipeline_arguments *a,
                                    const pvg_input *input, pvg_rng *rng,
                                    pvg_ledger *const ledgers[3], const pvg_run *run) {
    pvg_pipeline *p = NULL;
    drawn[0] = drawn[1] = drawn[2] = NULL;
    int32_t status = pipeline_of(&p, text, a, rng, run);
    if (status == PVG_OK)
        status = pvg_pipeline_draw(
            &drawn[0], &drawn[1], &drawn[2], p, input, rng, ledgers ? ledgers[0] : NULL,
            ledgers ? ledgers[1] : NULL, ledgers ? ledgers[2] : NULL, run);
    if (status == PVG_OK && out)
        status = pvg_pipeline_read(out, without, NULL, p, drawn[0], drawn[1], drawn[2],
                                   rng, run);
    pvg_pipeline_free(p);
    return status;
}

static inline void free_drawn(pvg_release *drawn[3]) {
    for (int i = 0; i < 3; i++) pvg_release_free(drawn[i]);
}

static inline double epsilon_of(const pvg_guarantee *guarantee, double delta) {
    double epsilon;
    PVGT_OK(pvg_guarantee_epsilon(&epsilon, guarantee, delta));
    return epsilon;
}

/* Of a model, about a notion. */
static inline double promised(const pvg_model *model, int32_t notion, double delta) {
    pvg_guarantee *promise;
    PVGT_OK(pvg_model_promise(&promise, model, notion, NULL));
    const double epsilon = epsilon_of(promise, delta);
    pvg_guarantee_free(promise);
    return epsilon;
}

static inline pvg_preview_line line_of(const pvg_preview *t, int64_t i) {
    pvg_preview_line line = {.size = sizeof line};
    PVGT_OK(pvg_preview_copy_line(&line, t, i));
    return line;
}

#endif
