/* The filter: how charges add up and when they are within the budget.
 *
 * Curves may be chosen in view of earlier releases, so a bound must add up step by step
 * for every such choice. These do:
 *   BASIC  sum of epsilons <= epsilon and sum of deltas <= delta;
 *   GDP    sum of mu^2 <= mu^2 of the budget;
 *   RENYI  sum of divergences of one order, plus the price of turning it into
 *          (epsilon, delta), <= epsilon;
 *   MIXED  several of these with shares of delta (mixed.c).
 * Accepting what any of several methods accepts is not sound with the same delta for
 * each, so an object has one. Two additions are free: a history that is PURE throughout
 * with sum of epsilons <= epsilon adds nothing to delta; and a first charge has no
 * history, so the best bound of its curve counts. docs/privacy/ledger.md has the proofs.
 * Cost: about a microsecond, some fifty for a first charge under RENYI. */
#include "ledger_internal.h"

#include <float.h>
#include <stdio.h>

#define BIT(kind) (1u << (kind))
static const unsigned only_pure = BIT(PVG_CURVE_PURE);

/* Kinds that a method adds up: by how compositions count them. */
static unsigned kinds_of(int32_t method) {
    static const unsigned counted[] = {
        [PVG_METHOD_DEFAULT] = 0, /* none yet */
        [PVG_METHOD_BASIC] = BIT(PVGI_COUNTED_PURE) | BIT(PVGI_COUNTED_APPROXIMATE),
        [PVG_METHOD_GDP] = BIT(PVGI_COUNTED_PURE) | BIT(PVGI_COUNTED_GDP),
        [PVG_METHOD_RENYI] =
            BIT(PVGI_COUNTED_PURE) | BIT(PVGI_COUNTED_GDP) | BIT(PVGI_COUNTED_RENYI),
        [PVG_METHOD_MIXED] =
            BIT(PVGI_COUNTED_PURE) | BIT(PVGI_COUNTED_GDP) | BIT(PVGI_COUNTED_RENYI)};
    unsigned kinds = 0;
    if (method < 0 || method >= (int32_t)(sizeof counted / sizeof *counted)) return 0;
    for (int32_t i = 1; pvgi_mechanism_curve(i); i++)
        if (counted[method] & BIT(pvgi_mechanism_curve(i)->counting)) kinds |= BIT(i);
    return kinds;
}

const char *pvgi_ledger_method_name(int32_t method) {
    static const char *const names[] = {"default", "basic", "gdp", "renyi", "mixed"};
    return names[method];
}

/* --- numbers, up ---------------------------------------------------------------- */

double pvgi_ledger_plus(double a, double b) {
    const double sum = a + b;
    const double part = sum - a; /* two-sum: the rounding error of the addition */
    const double error = (a - (sum - part)) + (b - part);
    return error > 0.0 ? nextafter(sum, INFINITY) : sum;
}

static double square(double x) {
    const double product = x * x;
    if (product < DBL_MIN) return product + DBL_MIN;
    return fma(x, x, -product) > 0.0 ? nextafter(product, INFINITY) : product;
}

/* Randomised response with epsilon is the least private epsilon-DP mechanism. Its
 * trade-off function has one corner, so it lies above that of mu-GDP if it does so
 * there, which says erf(mu / sqrt 8) >= tanh(epsilon / 2), or with what is left to 1:
 * erfc(mu / sqrt 8) <= 2 / (1 + e^epsilon). */
static bool implies(double epsilon, double mu) {
    const double x = mu * 0x1.6a09e667f3bcdp-2; /* 1 / sqrt 8 */
    const double margin = 1.0 + 0x1p-46;
    if (epsilon < 1.0) return erf(x) >= tanh(0.5 * epsilon) * margin;
    return erfc(x) * margin <= 2.0 / (1.0 + exp(epsilon));
}

double pvgi_ledger_pure_mu(double epsilon) {
    double bad = 0.0;
    double good = 1.26 * epsilon + DBL_TRUE_MIN; /* slope at 0: sqrt(pi / 2) = 1.2533 */
    if (epsilon < 1e-290) return good;           /* beyond erf's full accuracy */
    if (epsilon > 600.0 || !implies(epsilon, good)) return INFINITY;
    for (int i = 0; i < 2100 && good - bad > 0x1p-48 * good; i++) {
        const double middle = bad + 0.5 * (good - bad);
        if (implies(epsilon, middle))
            good = middle;
        else
            bad = middle;
    }
    return good;
}

/* What order 1 + t costs beyond the divergence, up: -ln(delta) / t - ln(1 + t) / t +
 * ln(t / (1 + t)). */
double pvgi_ledger_order_price(double t, double delta) {
    if (!(delta > 0.0)) return INFINITY;
    const double loss = -log(delta) / t, gain = log1p(t) / t, other = log1p(1.0 / t);
    return loss - gain - other + 0x1p-48 * (loss + gain + other);
}

static double renyi_epsilon(double renyi, double order, double delta) {
    const double epsilon =
        pvgi_ledger_plus(renyi, pvgi_ledger_order_price(order - 1.0, delta));
    return epsilon > 0.0 ? epsilon : 0.0; /* NaN never: the price is not -infinity */
}

static double renyi_of(const pvg_curve *curve, double order) {
    return pvgi_mechanism_terms_renyi(curve->terms, curve->count, order);
}

/* --- prices --------------------------------------------------------------------- */

int32_t pvgi_ledger_price_curve(pvgi_ledger_price *out, const pvg_curve *curve) {
    *out = (pvgi_ledger_price){0};
    for (int64_t i = 0; i < curve->count; i++) {
        const pvg_curve_term *term = &curve->terms[i];
        if (term->kind == PVG_CURVE_INFINITE)
            return pvgi_fail(PVG_E_PRIVACY, "ledger: the curve guarantees nothing");
        out->kinds |= BIT(term->kind);
        out->epsilon = pvgi_ledger_plus(out->epsilon, term->epsilon);
        out->delta = pvgi_ledger_plus(out->delta, term->delta);
    }
    return PVG_OK;
}

/* mu^2 of GDP terms. */
static double gaussian_of(const pvg_curve *curve) {
    double sum = 0.0;
    for (int64_t i = 0; i < curve->count; i++)
        if (curve->terms[i].kind == PVG_CURVE_GDP)
            sum = pvgi_ledger_plus(sum, square(curve->terms[i].mu));
    return sum;
}

/* mu^2 of GDP terms, and of the GDP that PURE terms imply. */
static double mu2_of(const pvg_curve *curve) {
    double sum = 0.0;
    for (int64_t i = 0; i < curve->count; i++) {
        const pvg_curve_term *term = &curve->terms[i];
        const double mu = term->kind == PVG_CURVE_PURE
                              ? pvgi_ledger_pure_mu(term->epsilon)
                          : term->kind == PVG_CURVE_GDP ? term->mu
                                                        : 0.0;
        sum = pvgi_ledger_plus(sum, square(mu));
    }
    return sum;
}

/* Share of the Renyi budget of order 1 + e^s that a curve takes; infinite where there is
 * no budget. */
typedef struct {
    const pvg_curve_term *terms;
    int64_t count;
    double epsilon, delta;
} share_of;

static double share(const void *context, double t) {
    const share_of *c = context;
    const double budget = c->epsilon - pvgi_ledger_order_price(t, c->delta);
    return budget > 0.0 ? pvgi_mechanism_terms_renyi(c->terms, c->count, 1.0 + t) / budget
                        : INFINITY;
}

/* A coarse scan, because the share is infinite on both sides, then the valley. Any order
 * is sound. */
static double best_order(const pvg_ledger_config *config, const pvg_curve_term *terms,
                         int64_t count) {
    const share_of context = {terms, count, config->epsilon, config->delta};
    const double step = 0.5;
    double best = 0.0, least = INFINITY;
    for (double s = -20.0; s <= 40.0; s += step) {
        const double value = share(&context, exp(s));
        if (value < least) {
            least = value;
            best = s;
        }
    }
    if (!isfinite(least)) return 2.0;
    const double t = pvgi_mechanism_minimise(share, &context, best - step, best + step);
    return 1.0 + (share(&context, t) <= least ? t : exp(best));
}

/* Gaussian noise, zCDP and small pure charges all have the same best order; it depends
 * on the budget alone. Kinds that know only some orders choose for themselves. */
static double central_order(const pvg_ledger_config *config,
                            const pvgi_ledger_price *price, const pvg_curve *curve) {
    const unsigned straight =
        BIT(PVG_CURVE_PURE) | BIT(PVG_CURVE_ZCDP) | BIT(PVG_CURVE_GDP);
    const pvg_curve_term term = {
        .size = sizeof term, .kind = PVG_CURVE_ZCDP, .rho = 0x1p-10};
    if (price->kinds & ~straight) return best_order(config, curve->terms, curve->count);
    return best_order(config, &term, 1);
}

int32_t pvgi_ledger_choose_rule(pvgi_ledger_rule *out, const pvg_ledger_config *config,
                                const pvgi_ledger_price *price, const pvg_curve *curve) {
    const unsigned straight = only_pure | BIT(PVG_CURVE_GDP);
    int32_t method = config->method;
    if (method == PVG_METHOD_DEFAULT)
        method = price->kinds & BIT(PVG_CURVE_APPROXIMATE) || config->delta == 0.0
                     ? PVG_METHOD_BASIC
                     : PVG_METHOD_MIXED;
    *out = (pvgi_ledger_rule){.method = method, .order = config->order};
    if (method == PVG_METHOD_RENYI && config->order == 0.0)
        out->order = best_order(config, curve->terms, curve->count);
    if (method == PVG_METHOD_MIXED) {
        out->order = central_order(config, price, curve);
        if (price->kinds & ~straight)
            out->tilt = pvgi_ledger_mixed_tilt(out->order, config->delta, curve);
    }
    return PVG_OK;
}

/* --- states --------------------------------------------------------------------- */

/* What could have held the charge instead. */
static int32_t cannot_hold(const pvgi_ledger_rule *rule, unsigned kinds) {
    return pvgi_fail(
        PVG_E_PRIVACY,
        "ledger: method %s, fixed by the first charge or the configuration, cannot hold "
        "a charge %s",
        pvgi_ledger_method_name(rule->method),
        kinds & BIT(PVG_CURVE_APPROXIMATE)
            ? "stated as (epsilon, delta): only method basic can"
        : rule->method == PVG_METHOD_BASIC
            ? "of Gaussian noise or Renyi divergences: a ledger of the default method "
              "can, unless the object's first charge is stated as (epsilon, delta)"
            : "of Renyi divergences: methods renyi and mixed can");
}

int32_t pvgi_ledger_add(pvgi_ledger_state *next, const pvgi_ledger_state *now,
                        const pvgi_ledger_price *price, const pvg_curve *curve,
                        const pvgi_ledger_rule *first) {
    *next = *now;
    next->curve = NULL;
    if (now->charges == 0) {
        next->rule = *first;
        next->first = (pvgi_ledger_first){.kinds = price->kinds,
                                          .epsilon = price->epsilon,
                                          .gaussian = gaussian_of(curve)};
    }
    if (price->kinds & ~kinds_of(next->rule.method))
        return cannot_hold(&next->rule, price->kinds);
    next->charges++;
    next->kinds |= price->kinds;
    next->epsilon = pvgi_ledger_plus(now->epsilon, price->epsilon);
    next->delta = pvgi_ledger_plus(now->delta, price->delta);
    if (next->rule.method == PVG_METHOD_GDP || next->rule.method == PVG_METHOD_MIXED)
        next->mu2 = pvgi_ledger_plus(now->mu2, mu2_of(curve));
    if (next->rule.method == PVG_METHOD_RENYI)
        next->renyi = pvgi_ledger_plus(now->renyi, renyi_of(curve, next->rule.order));
    if (next->rule.method == PVG_METHOD_MIXED) {
        next->gaussian = pvgi_ledger_plus(now->gaussian, gaussian_of(curve));
        pvgi_ledger_mixed_add(next, now, curve);
    }
    return PVG_OK;
}

double pvgi_ledger_mu2_budget(const pvg_ledger_config *config) {
    const pvg_curve_term gdp = {.size = sizeof gdp, .kind = PVG_CURVE_GDP};
    const double mu = pvgi_mechanism_solve(&gdp, config->epsilon, config->delta);
    return mu > 0.0 && isfinite(mu) ? nextafter(mu * mu, 0.0) : 0.0;
}

static bool within_method(const pvg_ledger_config *config, double mu2_budget,
                          const pvgi_ledger_state *state) {
    switch ((enum pvg_method)state->rule.method) {
    case PVG_METHOD_BASIC:
        return state->epsilon <= config->epsilon && state->delta <= config->delta;
    case PVG_METHOD_GDP:
        return state->mu2 <= mu2_budget;
    case PVG_METHOD_MIXED:
        return pvgi_ledger_mixed_within(config, state);
    case PVG_METHOD_RENYI:
        return renyi_epsilon(state->renyi, state->rule.order, config->delta) <=
               config->epsilon;
    case PVG_METHOD_DEFAULT:
        break;
    }
    return false;
}

/* The conversion of a first charge comes last: it is the only dear one. */
bool pvgi_ledger_within(const pvg_ledger_config *config, double mu2_budget,
                        const pvgi_ledger_state *state, const pvg_curve *curve) {
    if (state->kinds == only_pure && state->epsilon <= config->epsilon) return true;
    if (within_method(config, mu2_budget, state)) return true;
    return state->charges == 1 &&
           pvgi_mechanism_terms_epsilon(curve->terms, curve->count, config->delta) <=
               config->epsilon;
}

/* By the sums of the rule. */
static double rule_epsilon(const pvgi_ledger_state *state, double delta) {
    const double pure = state->kinds == only_pure ? state->epsilon : INFINITY;
    switch ((enum pvg_method)state->rule.method) {
    case PVG_METHOD_BASIC:
        return state->delta <= delta ? state->epsilon : INFINITY;
    case PVG_METHOD_RENYI:
        return fmin(pure, renyi_epsilon(state->renyi, state->rule.order, delta));
    case PVG_METHOD_MIXED:
        return fmin(pure, pvgi_ledger_mixed_spent(state, delta));
    case PVG_METHOD_GDP: {
        const double mu = nextafter(sqrt(state->mu2), INFINITY);
        return isfinite(mu) ? fmin(pure, pvgi_mechanism_gdp_epsilon(mu, delta)) : pure;
    }
    case PVG_METHOD_DEFAULT:
        break;
    }
    return INFINITY;
}

double pvgi_ledger_epsilon(const pvg_ledger_config *config,
                           const pvgi_ledger_state *state, double delta) {
    if (state->charges == 0) return 0.0;
    const pvg_curve *curve = state->curve;
    const double found =
        fmin(pvgi_mechanism_terms_epsilon(curve->terms, curve->count, delta),
             rule_epsilon(state, delta));
    /* what was accepted is within the budget, whatever the last digits say; more than
     * digits is told as it is: a file may hold charges that another version accepted */
    const bool digits = found <= config->epsilon * (1.0 + 0x1p-30);
    return delta >= config->delta && digits ? fmin(found, config->epsilon) : found;
}

int32_t pvgi_ledger_refuse(const pvg_ledger_config *config, const char *who,
                           const pvgi_ledger_state *now, const pvgi_ledger_state *next) {
    char left[160];
    const double delta = config->delta;
    if (next->rule.method == PVG_METHOD_BASIC && next->delta > delta)
        return pvgi_fail(PVG_E_BUDGET,
                         "ledger: the charge exceeds the budget of %s: delta is short, "
                         "%.6g with this charge, %.6g allowed (method basic)",
                         who, next->delta, delta);
    const double needed = rule_epsilon(next, delta);
    const double spent = pvgi_ledger_epsilon(config, now, delta);
    const double after = now->charges == 0 ? config->epsilon : config->epsilon - spent;
    snprintf(left, sizeof left, "%.6g spent by %lld charges, %.6g left",
             now->charges == 0 ? 0.0 : spent, (long long)now->charges, after);
    if (!isfinite(needed))
        return pvgi_fail(
            PVG_E_BUDGET,
            "ledger: the charge exceeds the budget of %s: no epsilon holds at "
            "delta %.6g with this charge (method %s; budget %.6g, %s)",
            who, delta, pvgi_ledger_method_name(next->rule.method), config->epsilon,
            left);
    return pvgi_fail(
        PVG_E_BUDGET,
        "ledger: the charge exceeds the budget of %s: epsilon is short, %.6g "
        "at delta %.6g with this charge, %.6g allowed (method %s; %s)",
        who, needed, delta, config->epsilon, pvgi_ledger_method_name(next->rule.method),
        left);
}
