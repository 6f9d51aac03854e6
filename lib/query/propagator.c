/* The public side of private message passing: sensitivities, rounding, noise.
 *
 * Values live on a grid h = 2^grid. Rounding a value to it moves it by at most h/2, and
 * r = sqrt(n d) such moves make r h/2 in Frobenius norm. With s_k the sensitivity and e_k
 * the float error of layer k, g_k its Lipschitz constant:
 *   HOPS       s_k + 2 e_k + r h for each layer, mu^2 adds
 *   PERTURBED  s_k + 2 e_k + r h + g_k (r h + 2 sqrt(n) 2^-51) in the account of noisy
 *              iterations (the state a layer gets was rounded as well), or as HOPS if
 *              that is less
 *   OUTPUT     sum_k (s_k + 2 e_k) g_(k+1) .. g_K + r h
 * Noise: integers, rounded Gaussian, `steps` grid steps. O(depth) beyond the bounds. */
#include "query_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STEPS_LEAST = 256 }; /* fewer grid steps would not be the scale that is stated */
enum { GRID_ROUNDS = 60 };

/* Noise of one method. */
typedef struct {
    int32_t method, grid;
    int64_t steps;
    double scale; /* steps in units of the values */
    double mu;    /* spent */
    double sensitivity, output_noise;
} plan;

/* Room for the account: per layer. */
typedef struct {
    double *charged, *ones;
    pvgi_block *block;
} scratch;

void pvgi_query_propagator_free(pvg_propagator *p) {
    if (!p) return;
    pvgi_layer_drop(p->layers);
    pvgi_guarantee_drop(&p->guarantee);
    pvgi_free(p->numbers);
    pvgi_free(p);
}

/* --- what a method needs ----------------------------------------------------------- */

static double root(const pvg_propagator *p) {
    return sqrt(p->checked.order * (double)p->columns) * (1.0 + 0x1p-50);
}

static void charge(const pvg_propagator *p, const double *shifts, double *charged,
                   double grid, bool iterated) {
    const double rounding = root(p) * grid;
    /* leaving integers for doubles: 2^-53 of a row, twice that after projection */
    const double state = rounding + 0x1p-50 * sqrt(p->checked.order);
    for (int64_t k = 0; k < p->depth; k++) {
        charged[k] = shifts[k] + 2.0 * p->errors[k] + rounding;
        if (iterated && k > 0) charged[k] += p->gammas[k] * state;
        charged[k] = pvgi_round_up(charged[k]);
    }
}

static double largest(const double *values, int64_t count) {
    double most = 0.0;
    for (int64_t k = 0; k < count; k++) most = fmax(most, values[k]);
    return most;
}

/* mu times the standard deviation of each draw. *sensitivity: for the record. */
static double needed(const pvg_propagator *p, int32_t method, const double *shifts,
                     double grid, const scratch *s, double *sensitivity) {
    pvgi_iteration iteration = {0.0, p->gammas, s->charged, s->ones, p->depth};
    if (method == PVG_PROPAGATION_OUTPUT) {
        charge(p, shifts, s->charged, 0.0, false);
        *sensitivity =
            pvgi_round_up(pvgi_mechanism_contractive_shift(&iteration) + root(p) * grid);
        return *sensitivity;
    }
    charge(p, shifts, s->charged, grid, false);
    const double full = pvgi_mechanism_layers_in_full(s->charged, s->ones, p->depth);
    *sensitivity = largest(s->charged, p->depth);
    if (method == PVG_PROPAGATION_HOPS) return full;
    charge(p, shifts, s->charged, grid, true);
    const double absorbed = pvgi_mechanism_contractive_mu(&iteration, s->block);
    /* an infinite constant makes an infinite charge: then only the sum holds */
    return absorbed < full ? absorbed : full;
}

/* How much the noise of all layers makes in a number of the last state, per unit. Where
 * no constant bounds a layer (rows that are normalised), the noise of those before it is
 * not told from the signal, and only what comes later counts. */
static double carried(const pvg_propagator *p, int32_t method) {
    if (method == PVG_PROPAGATION_OUTPUT) return 1.0;
    double sum = 1.0, factor = 1.0;
    for (int64_t k = p->depth - 1; k > 0 && isfinite(p->gammas[k]); k--) {
        const double spread = fmin(p->spreads[k], p->gammas[k]);
        sum += factor * spread * spread;
        factor *= p->gammas[k] * p->gammas[k];
    }
    return sqrt(sum);
}

/* --- from a budget to integers ----------------------------------------------------- */

static int32_t out_of_bits(void) {
    return pvgi_fail(PVG_E_LIMIT,
                     "message-passing: noise and range of the values are too far "
                     "apart for 62 bits");
}

static int32_t no_bound(void) {
    return pvgi_fail(PVG_E_PRIVACY,
                     "message-passing: the layers have no finite Lipschitz constant, "
                     "so one noise draw at the end has no bound");
}

/* Noise for a parameter mu (scale = 0), or of a given scale. */
static int32_t fit(plan *out, const pvg_propagator *p, const double *shifts, double mu,
                   double scale, const scratch *s) {
    const bool given = scale > 0.0;
    if (!given) scale = needed(p, out->method, shifts, 0.0, s, &out->sensitivity) / mu;
    if (!isfinite(scale)) return no_bound();
    if (!(scale > 0x1p-900 && scale < 0x1p900)) return out_of_bits();
    for (int round = 0; round < GRID_ROUNDS; round++) {
        out->grid = pvgi_mechanism_grid(scale, p->range, PVGI_SCALE_BITS);
        const double grid = ldexp(1.0, out->grid);
        const double need = needed(p, out->method, shifts, grid, s, &out->sensitivity);
        if (!isfinite(need)) return no_bound();
        const double wanted = given ? scale : need / mu * (1.0 + 0x1p-40);
        const double steps = ceil(wanted / grid);
        if (!(steps >= STEPS_LEAST && steps < ldexp(1.0, PVG_RNG_SCALE_BITS)))
            return out_of_bits();
        /* coarser where the charge for rounding outgrew the grid */
        scale = fmax(scale, wanted);
        if (pvgi_mechanism_grid(scale, p->range, PVGI_SCALE_BITS) != out->grid) continue;
        out->steps = (int64_t)steps;
        out->scale = ldexp((double)out->steps, out->grid);
        out->mu = pvgi_mechanism_up(need / out->scale, 8);
        out->output_noise = out->scale * carried(p, out->method);
        return PVG_OK;
    }
    return out_of_bits();
}

static pvg_curve_term term_of(double mu) {
    return (pvg_curve_term){
        .size = sizeof(pvg_curve_term), .kind = PVG_CURVE_GDP, .mu = mu};
}

/* The same, and the accountant agrees. */
static int32_t calibrate(plan *out, const pvg_propagator *p, const double *shifts,
                         const scratch *s) {
    const pvg_target *t = &p->target;
    if (p->config.scale > 0.0) return fit(out, p, shifts, 0.0, p->config.scale, s);
    const pvg_curve_term term = pvgi_mechanism_target_term(t, 1);
    double mu = pvgi_mechanism_target_parameter(t, &term);
    for (int bits = 40; bits > 4 && mu > 0.0; bits -= 2) {
        PVGI_TRY(fit(out, p, shifts, mu, 0.0, s));
        const pvg_curve_term spent = term_of(out->mu);
        if (t->epsilon == 0.0 ||
            pvgi_mechanism_terms_epsilon(&spent, 1, t->delta) <= t->epsilon)
            return PVG_OK;
        mu *= 1.0 - ldexp(1.0, -bits);
    }
    return pvgi_fail(PVG_E_PRIVACY,
                     "message-passing: no amount of this noise meets epsilon and delta");
}

/* --- methods ----------------------------------------------------------------------- */

static bool finite_constants(const pvg_propagator *p) {
    for (int64_t k = 1; k < p->depth; k++)
        if (!isfinite(p->gammas[k])) return false;
    return true;
}

/* PERTURBED or OUTPUT, whichever has less noise at the output; OUTPUT if alike. */
static int32_t choose(plan *out, pvg_propagator *p, const double *shifts,
                      const scratch *s) {
    plan other = {.method = PVG_PROPAGATION_PERTURBED};
    *out = (plan){.method = PVG_PROPAGATION_OUTPUT};
    const int32_t status = calibrate(out, p, shifts, s);
    PVGI_TRY(calibrate(&other, p, shifts, s));
    if (status != PVG_OK) { /* many layers that expand: beyond all bits */
        *out = other;
        return PVG_OK;
    }
    /* with a given scale the one that spends less; the noise is the caller's */
    const bool given = p->config.scale > 0.0;
    const double first = given ? out->mu : out->output_noise;
    const double second = given ? other.mu : other.output_noise;
    if (second < first * (1.0 - 0x1p-20)) {
        const plan keep = *out;
        *out = other;
        other = keep;
    }
    p->other_noise = other.output_noise;
    return PVG_OK;
}

static int32_t settle(plan *out, pvg_propagator *p, const double *shifts,
                      const scratch *s) {
    *out = (plan){.method = p->config.method};
    if (out->method == PVG_PROPAGATION_AUTO) {
        if (p->config.published)
            out->method = PVG_PROPAGATION_PERTURBED;
        else if (finite_constants(p))
            return choose(out, p, shifts, s);
        else
            out->method = PVG_PROPAGATION_HOPS;
    }
    return calibrate(out, p, shifts, s);
}

/* --- the guarantee ----------------------------------------------------------------- */

static bool hides_nodes(const pvg_propagator *p) {
    return p->config.hide == PVGI_HIDE_NODE_REMOVED || p->config.hide == PVGI_HIDE_NODE;
}

static void assume(pvg_propagator *p) {
    pvg_guarantee *g = &p->guarantee;
    const pvg_assumption *assumption = &p->assumption;
    const bool node = hides_nodes(p);
    if (p->config.hide == PVGI_HIDE_NODE_REMOVED)
        pvgi_guarantee_assumption(g, PVGI_ASSUMPTION_NODES
                                  "; a node is removed by taking "
                                  "its edges and setting its features to zero");
    else if (p->config.hide == PVGI_HIDE_NODE)
        pvgi_guarantee_assumption(g, PVGI_ASSUMPTION_NODES
                                  "; a node is replaced by one "
                                  "with any other edges and features");
    else
        pvgi_guarantee_assumption(g, PVGI_ASSUMPTION_NODES
                                  "; features are public or "
                                  "protected by other means, and the same for both");
    if (assumption->degrees == PVG_DEGREES_PROMISED)
        pvgi_guarantee_assumption(
            g,
            "every possible input and its neighbours have degrees at "
            "most %lld (promised, not checked)",
            (long long)assumption->degree_bound);
    else if (assumption->degrees == PVG_DEGREES_TRUNCATED)
        pvgi_guarantee_assumption(
            g, "none on degrees: values are those of the graph truncated to degree %lld",
            (long long)assumption->degree_bound);
    else
        pvgi_guarantee_assumption(g, "none on degrees");
    if (assumption->least_degree > 0)
        pvgi_guarantee_assumption(
            g,
            node ? "without the private node every other node still has "
                   "at least %lld neighbours (promised, not checked)"
                 : "without the private edge every node still has at "
                   "least %lld neighbours (promised, not checked)",
            (long long)assumption->least_degree);
    if (p->layers->weights)
        pvgi_guarantee_assumption(g, p->layers->origin
                                         ? "the weights of the layers were learnt from "
                                           "releases, whose curves are in this one"
                                         : "the weights of the layers are public");
    if (p->method == PVG_PROPAGATION_PERTURBED && p->depth > 1)
        pvgi_guarantee_assumption(g, "states before the last are never seen");
}

int32_t pvgi_query_hides(int32_t hide) {
    static const int32_t notions[] = {[PVGI_HIDE_EDGE] = PVG_NOTION_EDGE,
                                      [PVGI_HIDE_EDGE_DIRECTED] =
                                          PVG_NOTION_EDGE_DIRECTED,
                                      [PVGI_HIDE_NODE_REMOVED] = PVG_NOTION_NODE_REMOVED,
                                      [PVGI_HIDE_NODE] = PVG_NOTION_NODE};
    return notions[hide];
}

static void guarantee(pvg_propagator *p, bool holds) {
    static const char *const noise[] = {
        [PVG_PROPAGATION_PERTURBED] = "rounded Gaussian after every layer, last state "
                                      "released",
        [PVG_PROPAGATION_OUTPUT] = "rounded Gaussian on the last state",
        [PVG_PROPAGATION_HOPS] = "rounded Gaussian after every layer, all states "
                                 "released"};
    p->guarantee = (pvg_guarantee){.notion = pvgi_query_hides(p->config.hide),
                                   .spent = term_of(p->mu),
                                   .delta = p->target.delta,
                                   .noise = noise[p->method],
                                   .sensitivity = p->sensitivity,
                                   .scale = p->scale,
                                   .order = p->assumption.order,
                                   .claim = "release.propagation"};
    /* Two steps: graphs store both directions; a node is taken out and put in again. */
    static const int32_t twice[] = {[PVGI_HIDE_EDGE_DIRECTED] = PVG_NOTION_EDGE,
                                    [PVGI_HIDE_NODE_REMOVED] = PVG_NOTION_NODE,
                                    [PVGI_HIDE_NODE] = 0};
    p->guarantee.also_notion = twice[p->config.hide];
    if (p->guarantee.also_notion) p->guarantee.also = term_of(2.0 * p->mu);
    if (!holds) p->guarantee.broken = "the published sensitivity is below the proven one";
    assume(p);
}

/* Columns: the last state, or every state for itself. */
static int32_t describe(pvg_propagator *p) {
    const bool all = p->method == PVG_PROPAGATION_HOPS;
    const char *law = p->laplace ? pvgi_mechanism_law(PVG_NOISE_LAPLACE)->name
                      : p->method == PVG_PROPAGATION_PERTURBED
                          ? "rounded Gaussian after this and every earlier layer"
                          : pvgi_mechanism_law(PVG_NOISE_GAUSSIAN)->name;
    const pvgi_measure measure = {-p->range, p->range, ldexp(1.0, p->grid), p->scale};
    pvgi_columns *c = pvgi_guarantee_columns_begin();
    for (int64_t k = all ? 0 : p->depth - 1; k < p->depth; k++) {
        char name[48];
        snprintf(name, sizeof name, "layer%lld.", (long long)k + 1);
        pvgi_guarantee_columns_add(c,
                                   &(pvgi_column){.count = p->columns,
                                                  .name = name,
                                                  .numbered = true,
                                                  .unit = "features passed along edges",
                                                  .noise = law});
    }
    pvgi_guarantee_columns_table(c, p->assumption.order);
    for (int64_t k = 0; c && k < c->kinds; k++)
        pvgi_guarantee_columns_measure(c, k, measure);
    /* of a state; what earlier noise absorbs is in the curve only */
    if (p->depth == 1 || p->method == PVG_PROPAGATION_OUTPUT)
        pvgi_guarantee_columns_joint(c, &(pvgi_joint_columns){.count = p->columns,
                                                              .norm = p->laplace ? 1 : 2,
                                                              .change = p->sensitivity});
    return pvgi_guarantee_columns_close(&p->guarantee, c);
}

/* --- noise against range ----------------------------------------------------------- */

/* A row in any direction: at most its norm, on average (root mean square) at most
 * means[k], and the noise is the same in every direction. */
static void state_at(pvgi_preview_point *out, const void *context, int64_t column,
                     int64_t order, double times) {
    const pvg_propagator *p = context;
    const bool last = p->method != PVG_PROPAGATION_HOPS || column + 1 == p->depth;
    const int64_t k = p->method == PVG_PROPAGATION_HOPS ? column : p->depth - 1;
    (void)order;
    *out = (pvgi_preview_point){.range = p->means[k],
                                .change = p->sensitivity,
                                .noise = (last ? p->output_noise : p->scale) / times};
}

int32_t pvgi_query_propagator_lines(pvg_preview **out, const pvg_propagator *p,
                                    const char *function, bool brief) {
    const int64_t states = p->method == PVG_PROPAGATION_HOPS ? p->depth : 1;
    pvgi_preview_probe probe = {.at = state_at,
                                .context = p,
                                .order = p->assumption.order,
                                .fixed = true,
                                .brief = brief,
                                .spent = p->guarantee.spent,
                                .delta = p->target.delta};
    PVGI_TRY(pvgi_preview_begin(out, &probe, states, function));
    for (int64_t k = 0; k < states; k++) {
        probe.column = k;
        pvgi_preview_fill(&(*out)->line[k], &probe);
        snprintf((*out)->label[k], PVGI_PREVIEW_LABEL, "layer%lld",
                 (long long)(p->depth - states + k + 1));
    }
    return PVG_OK;
}

static pvgi_provenance *sources_of(const pvg_propagator *p) {
    const pvgi_learnt_weights *learnt = (const pvgi_learnt_weights *)p->layers->origin;
    return learnt ? learnt->sources : NULL;
}

/* Weights that were learnt from releases are in the outcome: all curves compose, whatever
 * object the draws behind them were about. */
static int32_t join_weights(pvg_propagator *p) {
    return pvgi_query_join_sources(&p->guarantee, "message-passing", sources_of(p));
}

int32_t pvgi_query_propagator_price(pvg_guarantee *out, const pvg_propagator *p,
                                    const pvg_ledger *ledger, uint64_t object) {
    PVGI_TRY(pvgi_guarantee_copy(out, &p->guarantee));
    if (!ledger) return PVG_OK;
    const int32_t status =
        pvgi_guarantee_sources_unpaid(out, sources_of(p), ledger->key, object);
    if (status != PVG_OK) pvgi_guarantee_drop(out);
    return status;
}

/* --- making it --------------------------------------------------------------------- */

/* Everything that does not depend on noise. */
static int32_t measure(pvg_propagator *p, double *published) {
    const char *name = "message-passing";
    const int64_t depth = p->depth;
    PVGI_TRY(pvgi_sensitivity_shifts(p->shifts, p->layers, &p->checked,
                                     pvgi_query_hides(p->config.hide), name));
    if (p->config.published)
        PVGI_TRY(pvg_sensitivity_layers_published(published, p->layers, &p->assumption,
                                                  pvgi_query_hides(p->config.hide)));
    pvgi_sensitivity_gammas(p->gammas, p->layers, &p->checked);
    double *norms = p->errors;
    pvgi_sensitivity_rows(norms, p->spreads, p->layers, &p->checked);
    p->range = fmax(largest(norms, depth), 0x1p-100) * (1.0 + 0x1p-20);
    /* a layer gets rows in the unit ball, |x|_F <= sqrt(n), and maps 0 to 0 */
    for (int64_t k = 0; k < depth; k++)
        p->means[k] = fmin(p->gammas[k] + p->layers->config.residual, norms[k]);
    for (int64_t k = 0; k < depth; k++) {
        p->errors[k] = pvgi_propagate_error(p->layers, k, p->assumption.order,
                                            (int64_t)p->checked.degree, p->columns);
        /* constants are for symmetric matrices; one direction of an edge makes another */
        if (p->config.hide == PVGI_HIDE_EDGE_DIRECTED) p->gammas[k] = INFINITY;
        /* computed features may leave the unit ball by a few roundings */
        if (hides_nodes(p)) p->shifts[k] *= 1.0 + 0x1p-30;
    }
    return PVG_OK;
}

/* Only Laplace noise can meet the target. */
static bool is_pure(const pvg_propagator *p) {
    return p->config.l1_rows && p->target.noise == PVG_NOISE_LAPLACE;
}

static int32_t prepare(pvg_propagator *p, const scratch *s, double *published) {
    PVGI_TRY(measure(p, published));
    plan chosen = {.method = PVG_PROPAGATION_HOPS};
    if (!is_pure(p))
        PVGI_TRY(settle(&chosen, p, p->config.published ? published : p->shifts, s));
    bool holds = true;
    for (int64_t k = 0; k < p->depth && p->config.published; k++)
        holds = holds && published[k] >= p->shifts[k];
    p->method = chosen.method;
    p->grid = chosen.grid;
    p->steps = chosen.steps;
    p->scale = chosen.scale;
    p->mu = chosen.mu;
    p->sensitivity = chosen.sensitivity;
    p->output_noise = chosen.output_noise;
    guarantee(p, holds);
    if (!p->config.l1_rows) return join_weights(p);
    pvgi_guarantee_assumption(&p->guarantee,
                              "rows of the features are pulled into the L1 unit ball");
    return pvgi_query_hop_choose(p, !is_pure(p));
}

/* Six arrays in the handle, and the scratch of the account. */
static int32_t make_arrays(pvg_propagator *p, scratch *s, double **all) {
    const size_t depth = (size_t)p->depth;
    p->numbers = pvgi_alloc_zero(depth, 5 * sizeof *p->numbers);
    *all = pvgi_alloc_zero(depth, 3 * sizeof **all + sizeof *s->block);
    if (!p->numbers || !*all) return pvgi_fail_nomem();
    p->gammas = p->numbers;
    p->shifts = p->numbers + depth;
    p->errors = p->numbers + 2 * depth;
    p->spreads = p->numbers + 3 * depth;
    p->means = p->numbers + 4 * depth;
    s->charged = *all;
    s->ones = *all + depth;
    s->block = (pvgi_block *)(*all + 3 * depth);
    for (size_t k = 0; k < depth; k++) s->ones[k] = 1.0;
    return PVG_OK;
}

int32_t pvgi_query_propagator_new(pvg_propagator **out, const pvg_layers *layers,
                                  const pvg_assumption *assumption,
                                  const pvgi_assumption *checked, int64_t columns,
                                  const pvg_propagator_config *config,
                                  const pvg_target *target) {
    pvg_propagator *p = pvgi_alloc_zero(1, sizeof *p);
    if (!p) return pvgi_fail_nomem();
    scratch s = {0};
    double *all = NULL;
    int32_t status = PVG_OK;
    p->assumption = *assumption;
    p->checked = *checked;
    p->columns = columns;
    p->config = *config;
    p->target = *target;
    p->depth = layers->config.depth;
    PVGI_TRY_DONE(pvgi_layer_copy(&p->layers, layers));
    PVGI_TRY_DONE(make_arrays(p, &s, &all));
    PVGI_TRY_DONE(prepare(p, &s, all + 2 * p->depth));
    status = describe(p);
done:
    pvgi_free(all);
    if (status != PVG_OK) {
        pvgi_query_propagator_free(p);
        return status;
    }
    *out = p;
    return PVG_OK;
}
