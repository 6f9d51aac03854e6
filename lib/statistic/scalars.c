/* A list of numbers about a graph under one budget.
 *
 * How far one edge moves each, S: edges 1; components 1 (two merge or not); cycle rank
 * edges - nodes + components 1 (it closes a cycle or joins two components); largest
 * degree 1; degeneracy 1 (a subgraph of least degree k keeps k - 1 without the edge);
 * isolated nodes and leaves 2 (each end enters or leaves); spectral radius 1 (Weyl: the
 * edge has norm 1), plus twice the tolerance of its bounds and a grid step for rounding.
 * Number i gets epsilon_i = w_i epsilon / sum of w, and discrete Laplace noise of rate
 * epsilon_i / S_i; the epsilons add. O(order + edges) but for the radius. */
#include "statistic_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { RADIUS_GRID = -10, RADIUS_ORDER_MAX = 1 << 24 };

typedef struct {
    int64_t count;
    int32_t scalars[PVG_SCALARS_MAX];
    pvgi_joint laws[PVG_SCALARS_MAX];
} state;

/* S in units, and the grid. */
static double change_of(int32_t scalar, double *grid) {
    *grid = 1.0;
    if (scalar == PVG_SCALAR_ISOLATED || scalar == PVG_SCALAR_LEAVES) return 2.0;
    if (scalar != PVG_SCALAR_RADIUS) return 1.0;
    *grid = ldexp(1.0, RADIUS_GRID);
    return 1.0 + 2.0 * PVGI_RADIUS_TOLERANCE + *grid;
}

/* One number after the other in the same scratch. */
static size_t bytes(const pvg_statistic *statistic, int64_t order, const pvgi_run *run) {
    const state *s = statistic->state;
    size_t most = 0;
    (void)run;
    for (int64_t i = 0; i < s->count; i++) {
        const size_t own = s->scalars[i] == PVG_SCALAR_RADIUS
                               ? pvgi_statistic_radius_bytes(order)
                               : pvgi_statistic_shape_bytes(s->scalars[i], order);
        if (own > most) most = own;
    }
    return most;
}

static int32_t draw(double *out, const pvg_statistic *statistic, const pvg_graph *graph,
                    pvgi_scratch *scratch, const pvgi_stream *call, pvgi_run *run) {
    const state *s = statistic->state;
    int64_t values[PVG_SCALARS_MAX] = {0};
    int32_t status = PVG_OK;
    for (int64_t i = 0; i < s->count && status == PVG_OK; i++) {
        double radius;
        pvgi_run_phase(run, (double)i / (double)s->count, 1.0 / (double)s->count);
        scratch->used = 0;
        if (s->scalars[i] != PVG_SCALAR_RADIUS)
            status = pvgi_statistic_shape(&values[i], s->scalars[i], graph, scratch, run);
        else {
            status = pvgi_statistic_radius(&radius, graph, scratch, run);
            if (status == PVG_OK)
                values[i] = (int64_t)nearbyint(ldexp(radius, -RADIUS_GRID));
        }
    }
    if (status == PVG_OK && call) {
        pvgi_stream stream;
        pvgi_rng_stream_open_chunk(&stream, call, 0);
        for (int64_t i = 0; i < s->count; i++) {
            int64_t noise;
            pvgi_mechanism_joint_noise(&noise, 1, &s->laws[i], &stream);
            values[i] += noise;
        }
        pvgi_rng_stream_close(&stream);
    }
    for (int64_t i = 0; i < s->count && status == PVG_OK; i++)
        out[i] = ldexp((double)values[i], s->laws[i].grid);
    pvgi_wipe(values, sizeof values);
    return status;
}

static void deviation(double *out, const pvg_statistic *statistic) {
    const state *s = statistic->state;
    for (int64_t i = 0; i < s->count; i++)
        out[i] = pvgi_mechanism_joint_deviation(&s->laws[i]);
}

/* Largest values in graphs of n nodes: as many leaves as nodes but for an odd one. */
static double range_of(int32_t scalar, double n) {
    switch ((enum pvg_scalar)scalar) {
    case PVG_SCALAR_EDGES:
        return n * (n - 1.0) / 2.0;
    case PVG_SCALAR_CYCLES:
        return (n - 1.0) * (n - 2.0) / 2.0;
    case PVG_SCALAR_COMPONENTS:
    case PVG_SCALAR_ISOLATED:
        return n;
    case PVG_SCALAR_LEAVES:
        return n < 2.0 ? 0.0 : 2.0 * floor(n / 2.0);
    case PVG_SCALAR_LARGEST_DEGREE: /* these three: of the complete graph */
    case PVG_SCALAR_DEGENERACY:
    case PVG_SCALAR_RADIUS:
        break;
    }
    return n - 1.0;
}

static void plan(pvgi_preview_point *out, const pvg_statistic *statistic, int64_t column,
                 int64_t order, const pvgi_guess *guess, double times) {
    const state *s = statistic->state;
    double grid;
    (void)guess;
    *out = (pvgi_preview_point){
        .range = range_of(s->scalars[column], (double)order),
        .change = change_of(s->scalars[column], &grid),
        .noise = pvgi_mechanism_joint_deviation_at(&s->laws[column], times)};
}

/* Their words, in lists and as names of columns; what they count. */
static const struct {
    const char *word, *unit;
} words[] = {[PVG_SCALAR_EDGES] = {"edges", "edges"},
             [PVG_SCALAR_COMPONENTS] = {"components", "components"},
             [PVG_SCALAR_CYCLES] = {"cycle-rank", "edges"},
             [PVG_SCALAR_LARGEST_DEGREE] = {"largest-degree", "edges"},
             [PVG_SCALAR_DEGENERACY] = {"degeneracy", "edges"},
             [PVG_SCALAR_RADIUS] = {"radius", NULL},
             [PVG_SCALAR_ISOLATED] = {"isolated", "nodes"},
             [PVG_SCALAR_LEAVES] = {"leaves", "nodes"}};

const char *pvgi_statistic_scalar_name(int32_t scalar) {
    const int32_t count = (int32_t)(sizeof words / sizeof words[0]);
    return scalar > 0 && scalar < count ? words[scalar].word : NULL;
}

static void label(char out[PVGI_PREVIEW_LABEL], const pvg_statistic *statistic,
                  int64_t column) {
    const state *s = statistic->state;
    snprintf(out, PVGI_PREVIEW_LABEL, "%s", words[s->scalars[column]].word);
}

/* Beyond this order the rounding of the bounds on the radius is not covered. */
static int32_t check(const pvg_statistic *statistic, int64_t order,
                     const char *function) {
    const state *s = statistic->state;
    for (int64_t i = 0; i < s->count; i++)
        if (s->scalars[i] == PVG_SCALAR_RADIUS && order > RADIUS_ORDER_MAX)
            return pvgi_fail(PVG_E_LIMIT, "%s: the radius is for at most 2^24 nodes",
                             function);
    return PVG_OK;
}

static const pvgi_statistic_kind kind = {.word = "scalars",
                                         .check = check,
                                         .bytes = bytes,
                                         .draw = draw,
                                         .deviation = deviation,
                                         .plan = plan,
                                         .label = label};

/* Shares rounded down so that their sum, and what is spent, never exceeds epsilon. */
static int32_t calibrate(state *s, double *spent, const pvg_target *target,
                         const double *weights, const char *function) {
    double total = 0.0;
    for (int64_t i = 0; i < s->count; i++) total += weights ? weights[i] : 1.0;
    *spent = 0.0;
    for (int64_t i = 0; i < s->count; i++) {
        pvg_target own = *target;
        pvg_joint_config joint = {.size = sizeof joint, .dimension = 1};
        own.epsilon =
            target->epsilon * ((weights ? weights[i] : 1.0) / total) * (1.0 - 0x1p-46);
        joint.l1 = joint.l2 = change_of(s->scalars[i], &joint.grid);
        PVGI_TRY(pvgi_mechanism_joint(&s->laws[i], function, &joint, &own));
        *spent += s->laws[i].spent.epsilon;
    }
    *spent = pvgi_mechanism_up(*spent, 4 * PVG_SCALARS_MAX);
    if (*spent > target->epsilon)
        return pvgi_fail(PVG_E_NUMERIC, "%s: the shares are beyond double precision",
                         function);
    return PVG_OK;
}

static int32_t describe(pvg_statistic *statistic) {
    const state *s = statistic->state;
    const double n = statistic->order > 0 ? (double)statistic->order : (double)INFINITY;
    pvgi_columns *c = pvgi_guarantee_columns_begin();
    for (int64_t i = 0; i < s->count; i++)
        pvgi_guarantee_columns_add(
            c, &(pvgi_column){.count = 1,
                              .name = words[s->scalars[i]].word,
                              .unit = words[s->scalars[i]].unit,
                              .noise = pvgi_statistic_noise_word(s->laws[i].noise)});
    pvgi_guarantee_columns_table(c, 0);
    for (int64_t i = 0; i < s->count; i++) {
        const bool pairs =
            s->scalars[i] == PVG_SCALAR_EDGES || s->scalars[i] == PVG_SCALAR_CYCLES;
        const pvgi_joint *law = &s->laws[i];
        pvgi_guarantee_columns_measure(c, i,
                                       (pvgi_measure){0.0, pairs ? 0.5 * n * n : n,
                                                      ldexp(1.0, law->grid), law->scale});
        pvgi_guarantee_columns_joint(
            c, &(pvgi_joint_columns){.first = i,
                                     .count = 1,
                                     .norm = 1,
                                     .change = ldexp(law->steps, law->grid)});
    }
    return pvgi_guarantee_columns_close(&statistic->guarantee, c);
}

int32_t pvgi_statistic_scalars_new(pvg_statistic **out, const pvg_scalars_config *config,
                                   const pvg_target *target, const int32_t *scalars,
                                   const double *weights, const char *function) {
    const pvg_guarantee empty = {0};
    pvg_statistic *statistic;
    double spent;
    PVGI_TRY(pvgi_statistic_make(&statistic, &kind, target, &empty, sizeof(state)));
    state *s = statistic->state;
    s->count = config->count;
    memcpy(s->scalars, scalars, (size_t)s->count * sizeof *scalars);
    int32_t status = calibrate(s, &spent, target, weights, function);
    PVGI_TRY(pvgi_statistic_kept(statistic, status));
    statistic->order = config->order;
    statistic->rows = 1;
    statistic->columns = s->count;
    pvg_guarantee *g = &statistic->guarantee;
    g->notion = PVG_NOTION_EDGE;
    g->spent = (pvg_curve_term){
        .size = sizeof g->spent, .kind = PVG_CURVE_PURE, .epsilon = spent};
    g->noise = pvgi_statistic_noise_word(PVG_NOISE_LAPLACE);
    g->order = config->order;
    g->claim = "release.scalars";
    pvgi_guarantee_assumption(g, PVGI_ASSUMPTION_NODES);
    for (int64_t i = 0; i < s->count; i++)
        if (s->scalars[i] == PVG_SCALAR_RADIUS) {
            pvgi_guarantee_assumption(
                g, "the bounds on the radius meet; a release that "
                   "fails because they do not tells that they did not");
            break;
        }
    status = describe(statistic);
    if (status == PVG_OK)
        *out = statistic;
    else
        pvgi_statistic_free(statistic);
    return status;
}
