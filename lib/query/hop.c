/* One hop of sums with Laplace noise.
 *
 * Row x_u of the features has |x_u|_1 <= 1, here a multiple of 2^-20 in every entry,
 * rounded towards zero so that it stays in the ball. Node v gets the sum of the rows of
 * its neighbours. Toggling {u, v} adds x_u to row v and x_v to row u: the L1 change of
 * all numbers together is at most 2, and discrete Laplace noise of rate epsilon / 2 per
 * unit is epsilon-DP (docs/privacy/proofs: joint change, private message passing). Sums
 * are integers, so that nothing is charged for rounding. O(arcs columns). */
#include "query_internal.h"

#include <math.h>

enum { HOP_GRID = -20 };

int32_t pvgi_query_hop_check(const char *function, const pvg_layers *layers,
                             const pvg_propagator_config *c,
                             const pvg_assumption *assumption) {
    const pvg_layers_config *l = &layers->config;
    PVGI_REQUIRE(l->operation == PVG_OPERATOR_SUM && l->depth == 1 && !layers->weights &&
                     l->activation == PVG_ACTIVATION_NONE &&
                     l->rows == PVG_ROWS_PROJECTED && l->contraction == 1.0 &&
                     l->mean_weight == 0.0 && l->residual == 0.0,
                 "%s: l1-rows is for one plain sum layer of projected rows", function);
    PVGI_REQUIRE(c->method == PVG_PROPAGATION_AUTO || c->method == PVG_PROPAGATION_HOPS,
                 "%s: l1-rows is for method auto or hops", function);
    PVGI_REQUIRE(c->scale == 0.0, "%s: l1-rows needs a budget, not a scale", function);
    if (c->hide != PVGI_HIDE_EDGE || assumption->degrees == PVG_DEGREES_TRUNCATED)
        return pvgi_fail(PVG_E_PRIVACY,
                         "%s: l1-rows is proven for single edges of graphs that "
                         "are not truncated",
                         function);
    return PVG_OK;
}

/* The law at the target's epsilon; *met: there is one. */
static int32_t find_law(pvgi_joint *law, bool *met, const pvg_propagator *p) {
    pvg_target pure = {
        .size = sizeof pure, .noise = PVG_NOISE_LAPLACE, .epsilon = p->target.epsilon};
    const pvg_joint_config joint = {
        .size = sizeof joint, .dimension = 1, .l1 = 2.0, .grid = ldexp(1.0, HOP_GRID)};
    if (p->target.noise == PVG_NOISE_LAPLACE) pure.parameter = p->target.parameter;
    *met = pure.epsilon > 0.0 || pure.parameter > 0.0;
    return *met ? pvgi_mechanism_joint(law, "message-passing", &joint, &pure) : PVG_OK;
}

int32_t pvgi_query_hop_choose(pvg_propagator *p, bool gaussian) {
    pvgi_joint law;
    bool met;
    if (p->target.noise == PVG_NOISE_GAUSSIAN) return PVG_OK;
    PVGI_TRY(find_law(&law, &met, p));
    if (!met) return PVG_OK;
    const double deviation = pvgi_mechanism_joint_deviation(&law);
    if (gaussian && p->output_noise <= deviation) {
        p->other_noise = deviation;
        return PVG_OK;
    }
    p->other_noise = gaussian ? p->output_noise : 0.0;
    p->laplace = true;
    p->law = law;
    p->method = PVG_PROPAGATION_HOPS;
    p->grid = law.grid;
    p->scale = law.scale;
    p->mu = 0.0;
    p->sensitivity = ldexp(law.steps, law.grid);
    p->output_noise = deviation;
    p->guarantee.spent = law.spent;
    p->guarantee.delta = 0.0;
    p->guarantee.noise = "discrete Laplace on one hop, for its L1 change";
    p->guarantee.sensitivity = p->sensitivity;
    p->guarantee.scale = p->scale;
    return PVG_OK;
}

void pvgi_query_hop_pull(double *rows, int64_t count, int64_t columns) {
    for (int64_t v = 0; v < count; v++, rows += columns) {
        double most = 0.0, sum = 0.0; /* by parts, so that huge numbers do not overflow */
        for (int64_t k = 0; k < columns; k++) most = fmax(most, fabs(rows[k]));
        if (most == 0.0) continue;
        for (int64_t k = 0; k < columns; k++) sum += fabs(rows[k]) / most;
        if (sum * fmin(most, 2.0) <= 1.0) continue;
        for (int64_t k = 0; k < columns; k++) rows[k] = rows[k] / most / sum;
    }
}

/* Rows in grid steps, towards zero. Rounding of the sum above may have left a row
 * outside by a step: its first entries pay. */
static void in_steps(int64_t *steps, const double *rows, int64_t count, int64_t columns) {
    const int64_t most = INT64_C(1) << -HOP_GRID;
    for (int64_t v = 0; v < count; v++, steps += columns, rows += columns) {
        int64_t sum = 0;
        for (int64_t k = 0; k < columns; k++) {
            steps[k] = (int64_t)ldexp(rows[k], -HOP_GRID);
            sum += steps[k] < 0 ? -steps[k] : steps[k];
        }
        for (int64_t k = 0; k < columns && sum > most; k++) {
            const int64_t size = steps[k] < 0 ? -steps[k] : steps[k];
            const int64_t less = size < sum - most ? size : sum - most;
            steps[k] += steps[k] < 0 ? less : -less;
            sum -= less;
        }
    }
}

int32_t pvgi_query_hop_draw(double *out, const double *rows, int64_t *steps,
                            const pvg_propagator *p, const pvg_graph *graph,
                            const pvg_parts *parts, pvgi_scratch *scratch,
                            const pvgi_stream *call, pvgi_run *run) {
    in_steps(steps, rows, graph->order, p->columns);
    return pvgi_statistic_hop(out, steps, p->columns, &p->law, graph, parts, scratch,
                              call, run);
}
