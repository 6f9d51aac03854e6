/* Diagrams, ladder, scalars, spectra, joined statistics and derive under allocation
 * failure. */
#include "derive/derive_internal.h"
#include "handles.h"
#include "support.h"

void setUp(void) {}
void tearDown(void) {}

enum { ORDER = 9 };
static const pvg_target target = {.size = sizeof target, .epsilon = 1.0};
static const int32_t blocks[ORDER] = {0, 0, 0, 1, 1, 1, 1, 0, 0};
static const int32_t scalars[3] = {PVG_SCALAR_COMPONENTS, PVG_SCALAR_DEGENERACY,
                                   PVG_SCALAR_RADIUS};

static int32_t make(pvg_statistic **out, int kind) {
    const pvg_degrees_config degrees = {
        .size = sizeof degrees, .order = ORDER, .levels = 2, .ranks = -1, .groups = 2};
    const pvg_scalars_config list = {.size = sizeof list, .order = ORDER, .count = 3};
    const pvg_synthesis_config synthesis = {
        .size = sizeof synthesis, .order = ORDER, .blocks = 2};
    switch (kind) {
    case 0:
        return pvgt_statistic_new_degrees(out, &degrees, &target, blocks);
    case 1:
        return pvgt_statistic_new_triangles(out, NULL, &target);
    case 2:
        return pvgt_statistic_new_scalars(out, &list, &target, scalars, NULL);
    case 3:
        return pvgt_statistic_new_spectrum(out, ORDER, &target);
    case 5:
        return pvgt_statistic_new_stars(out, NULL, &target);
    default:
        return pvgt_statistic_new_synthesis(out, &synthesis, &target, blocks);
    }
}

static int32_t follow(const pvg_statistic *statistic, const pvg_release *release,
                      int kind, pvg_rng *rng) {
    const double *values;
    double numbers[8];
    int64_t sequence[ORDER];
    pvg_graph *graph = (void *)release;
    pvg_patterns *patterns;
    int32_t status = pvg_release_view(&values, release);
    if (status != PVG_OK) return status;
    if (kind == 0) {
        status = pvgt_degrees_sequence(sequence, statistic, values, 0);
        if (status == PVG_OK)
            status = pvgt_degrees_moments(numbers, 4, statistic, values, 0);
        if (status != PVG_OK) return status;
        status = pvg_patterns_from_names(&patterns, "edge,path4");
        if (status != PVG_OK) return status;
        status = pvgt_degrees_densities(numbers, patterns, statistic, values, 0);
        pvg_patterns_free(patterns);
    }
    if (kind == 4) {
        status = pvgt_synthesis_draw(&graph, statistic, values, NULL, rng, NULL);
        if (status != PVG_OK) TEST_ASSERT_NULL(graph);
        pvg_graph_free(graph);
    }
    return status;
}

static int32_t body(void *context) {
    const int kind = *(const int *)context;
    pvg_statistic *statistic = context;
    pvg_graph *graph;
    pvg_rng *rng;
    pvg_release *release = context;
    int32_t status = pvg_graph_new_clique(&graph, ORDER);
    if (status != PVG_OK) return status;
    status = make(&statistic, kind);
    if (status != PVG_OK) TEST_ASSERT_NULL(statistic);
    if (status == PVG_OK) status = pvg_rng_new_secure(&rng);
    if (status == PVG_OK) {
        status =
            pvgt_release_draw_statistic(&release, statistic, graph, 0, rng, NULL, NULL);
        if (status != PVG_OK) TEST_ASSERT_NULL(release);
        if (status == PVG_OK) status = follow(statistic, release, kind, rng);
        pvg_release_free(release);
        pvg_rng_free(rng);
    }
    pvgt_statistic_free(statistic);
    pvg_graph_free(graph);
    return status;
}

static void all_kinds_survive(void) {
    for (int kind = 0; kind < 6; kind++) pvgt_oom_walk("statistic", body, &kind, 6);
}

static int32_t join(void *context) {
    int32_t status;
    pvg_statistic *parts[2] = {NULL, NULL}, *joined = context;
    status = make(&parts[0], 0);
    if (status == PVG_OK) status = make(&parts[1], 3);
    if (status == PVG_OK) {
        status = pvgt_statistic_new_joined(&joined, parts, 2);
        if (status != PVG_OK) TEST_ASSERT_NULL(joined);
        pvgt_statistic_free(joined);
    }
    pvgt_statistic_free(parts[0]);
    pvgt_statistic_free(parts[1]);
    return status;
}

static void joining_survives(void) {
    int nothing = 0;
    pvgt_oom_walk("joined", join, &nothing, 6);
}

static int32_t counts_read_again(void *context) {
    const double values[] = {0, 5, 1, 7};
    double out[2];
    (void)context;
    return pvgi_derive_list_counts(out, values, 2, 1.0, 9.0);
}

static void counts_survive(void) {
    pvgt_oom_walk("pvg_estimate_list_counts", counts_read_again, NULL, 2);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(all_kinds_survive);
    RUN_TEST(joining_survives);
    RUN_TEST(counts_survive);
    return pvgt_end(UNITY_END());
}
