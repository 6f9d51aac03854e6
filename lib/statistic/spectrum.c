/* The whole sorted adjacency spectrum, with a joint L1 change of 2 (Lidskii: the sorted
 * eigenvalues of A + E move by at most the sum of |eigenvalues| of E, which for an edge
 * are 1 and -1).
 *
 * Eigenvalues come from LAPACK with a proven bound on the root of the sum of their
 * squared errors (density/eigen.c), e. L1 of the errors is at most sqrt(n) e in either
 * world: 2 SOLVER_ERROR are charged, and a graph whose bound is above is not released.
 * Values are rounded to a grid: n steps are charged. O(order^3). */
#include "density/density_internal.h"
#include "statistic_internal.h"

#include <math.h>
#include <stdio.h>

enum { GRID = -20, NOISE_PER_CHUNK = 512 };
#define SOLVER_ERROR 0x1p-10

static int32_t add_noise(double *out, const double *values, int64_t n,
                         const pvgi_joint *law, const pvgi_stream *call) {
    int64_t noise[NOISE_PER_CHUNK];
    for (int64_t first = 0; first < n; first += NOISE_PER_CHUNK) {
        const int64_t many = n - first < NOISE_PER_CHUNK ? n - first : NOISE_PER_CHUNK;
        pvgi_stream stream;
        for (int64_t i = 0; i < many; i++) noise[i] = 0;
        if (call) {
            pvgi_rng_stream_open_chunk(&stream, call,
                                       (uint64_t)(first / NOISE_PER_CHUNK));
            pvgi_mechanism_joint_noise(noise, many, law, &stream);
            pvgi_rng_stream_close(&stream);
        }
        for (int64_t i = 0; i < many; i++) { /* the largest first */
            const int64_t steps =
                (int64_t)nearbyint(ldexp(values[n - 1 - first - i], -GRID));
            out[first + i] = ldexp((double)(steps + noise[i]), GRID);
        }
    }
    pvgi_wipe(noise, sizeof noise);
    return PVG_OK;
}

static size_t bytes(const pvg_statistic *statistic, int64_t order, const pvgi_run *run) {
    (void)statistic;
    (void)run;
    return pvgi_scratch_bytes(1, pvgi_density_eigen_bytes(order));
}

static int32_t draw(double *out, const pvg_statistic *statistic, const pvg_graph *graph,
                    pvgi_scratch *scratch, const pvgi_stream *call, pvgi_run *run) {
    const pvgi_joint *law = statistic->state;
    const pvgi_host host = {graph->order, 0, graph->offsets, graph->columns};
    double moved;
    double *matrix =
        pvgi_statistic_take(scratch, 1, pvgi_density_eigen_bytes(graph->order));
    if (!matrix) return PVG_E_INTERNAL;
    const double *values = pvgi_density_eigen_values(&moved, &host, matrix);
    int32_t status = PVG_OK;
    if (sqrt((double)graph->order) * moved <= SOLVER_ERROR * 0.99)
        status = add_noise(out, values, graph->order, law, call);
    else
        status = pvgi_fail(PVG_E_NUMERIC, "pvg_statistic: the solver did not find the "
                                          "eigenvalues to the precision charged for");
    return status == PVG_OK ? pvgi_run_report(run, 1.0) : status;
}

static void deviation(double *out, const pvg_statistic *statistic) {
    const double each = pvgi_mechanism_joint_deviation(statistic->state);
    for (int64_t k = 0; k < statistic->columns; k++) out[k] = each;
}

/* The squares of all eigenvalues add up to twice the edges, and k of them are at least as
 * far from 0 as the k-th from either end. */
static void plan(pvgi_preview_point *out, const pvg_statistic *statistic, int64_t column,
                 int64_t order, const pvgi_guess *guess, double times) {
    const double n = (double)order, from = (double)(column + 1),
                 to = (double)(order - column);
    (void)guess;
    *out = (pvgi_preview_point){
        .range = sqrt(n * (n - 1.0) / fmin(from, to)),
        .change = 1.0 + 2.0 * SOLVER_ERROR + ldexp(1.0, GRID), /* Weyl */
        .noise = pvgi_mechanism_joint_deviation_at(statistic->state, times)};
}

static void label(char out[PVGI_PREVIEW_LABEL], const pvg_statistic *statistic,
                  int64_t column) {
    (void)statistic;
    snprintf(out, PVGI_PREVIEW_LABEL, "eigenvalue%lld", (long long)column + 1);
}

static const pvgi_statistic_kind kind = {.word = "spectrum",
                                         .bytes = bytes,
                                         .draw = draw,
                                         .deviation = deviation,
                                         .plan = plan,
                                         .label = label};

static int32_t describe(pvg_statistic *statistic) {
    const pvgi_joint *law = statistic->state;
    const double n = (double)statistic->order;
    pvgi_columns *c = pvgi_guarantee_columns_begin();
    pvgi_guarantee_columns_add(
        c, &(pvgi_column){.count = statistic->order,
                          .name = "eigenvalue",
                          .numbered = true,
                          .first = 1,
                          .unit = "of the adjacency matrix, the largest first",
                          .noise = pvgi_statistic_noise_word(law->noise)});
    pvgi_guarantee_columns_law(c, law, -n, n);
    return pvgi_guarantee_columns_close(&statistic->guarantee, c);
}

int32_t pvgi_statistic_spectrum_new(pvg_statistic **out, int64_t order,
                                    const pvg_target *target, const char *function) {
    const pvg_guarantee empty = {0};
    const double steps = ldexp((double)order, GRID);
    const pvg_joint_config joint = {.size = sizeof joint,
                                    .dimension = order,
                                    .l1 = 2.0 + 2.0 * SOLVER_ERROR + steps,
                                    .grid = ldexp(1.0, GRID)};
    pvg_statistic *statistic;
    if (!pvgi_density_eigen_fits(order))
        return pvgi_fail(PVG_E_LIMIT,
                         "%s: the order %lld is above what is solved densely", function,
                         (long long)order);
    PVGI_TRY(pvgi_statistic_make(&statistic, &kind, target, &empty, sizeof(pvgi_joint)));
    pvgi_joint *law = statistic->state;
    statistic->order = order;
    int32_t status = pvgi_mechanism_joint(law, function, &joint, target);
    if (status == PVG_OK) status = describe(statistic);
    PVGI_TRY(pvgi_statistic_kept(statistic, status));
    statistic->fixed = true;
    statistic->rows = 1;
    statistic->columns = order;
    pvg_guarantee *g = &statistic->guarantee;
    g->notion = PVG_NOTION_EDGE;
    g->spent = law->spent;
    g->noise = pvgi_statistic_noise_word(PVG_NOISE_LAPLACE);
    g->sensitivity = joint.l1;
    g->scale = law->scale;
    g->order = order;
    g->claim = "release.spectrum";
    pvgi_guarantee_assumption(g, PVGI_ASSUMPTION_NODES);
    pvgi_guarantee_assumption(g,
                              "LAPACK solves the graph to the precision charged for; a "
                              "release that fails because it does not tells that it did");
    *out = statistic;
    return PVG_OK;
}
