/* The mixed filter: several potentials side by side, which share delta in advance.
 *
 * A potential is a function of what was charged and of the privacy loss l so far that no
 * step can raise on average. If potentials start at shares that sum to delta, and their
 * sum is at least (1 - e^(epsilon - l))+ at every l after every accepted charge, then all
 * that is released is (epsilon, delta)-DP, however charges were chosen
 * (docs/privacy/ledger.md).
 *   orders    w delta exp(t (l - S)), S the sum of divergences of order 1 + t;
 *   Gaussian  what N(0,1) against N(m,1) leaves after PURE and GDP charges, as mu^2;
 *   box       the same for GDP charges, with all PURE ones at their full epsilon.
 * The orders together allow epsilon = sup over l of l + ln(1 - sum of w delta exp(...)),
 * concave in l. Orders, shares and box are fixed with the first charge; numbers here may
 * only be changed under a new method. Cost: two microseconds per charge. */
#include "ledger_internal.h"

#include <float.h>

#define BIT(kind) (1u << (kind))
static const unsigned gaussian_kinds = BIT(PVG_CURVE_PURE) | BIT(PVG_CURVE_GDP);

enum { ORDERS = PVGI_LEDGER_MIXED_ORDERS - 1 }; /* the last one is that of the box */

/* t in units of the central one; exact products of doubles, the same everywhere. */
static const double ratio[ORDERS] = {0.5, 1.0, 1.4375, 2.125, 3.0, 4.25, 6.0, 10.0};
/* 2^(1/4), ...: the order of the box is finer. */
static const double quarter[4] = {1.0, 0x1.306fe0a31b715p0, 0x1.6a09e667f3bcdp0,
                                  0x1.ae89f995ad3adp0};

/* Shares of delta, in 64ths, by what came first. */
enum { PURE_FIRST, GAUSSIAN_FIRST, OTHER_FIRST };
static const struct {
    double gaussian, box, order[ORDERS];
} shares[] = {
    [PURE_FIRST] = {7, 7.5, {1, 31, 4.5, 4, 2.75, 3.75, 1.5, 1}},
    [GAUSSIAN_FIRST] = {24, 7.5, {1, 11, 11, 2, 2, 3, 1.75, 0.75}},
    [OTHER_FIRST] = {2, 5, {1, 50, 1.5, 1.5, 1, 1, 0.5, 0.5}},
};

static int came_first(unsigned kinds) {
    return kinds & ~gaussian_kinds      ? OTHER_FIRST
           : kinds & BIT(PVG_CURVE_GDP) ? GAUSSIAN_FIRST
                                        : PURE_FIRST;
}

/* A share of delta, down. */
static double part(double share, double delta) {
    return pvgi_mechanism_down(share * (1.0 / 64.0) * delta, 2);
}

/* t of order number i; 0: there is none. */
static double order_of(const pvgi_ledger_state *state, int i) {
    const double centre = state->rule.order - 1.0;
    if (i < ORDERS) return centre * ratio[i];
    if (came_first(state->first.kinds) != OTHER_FIRST) return 0.0;
    return ldexp(centre * quarter[state->rule.tilt % 4], state->rule.tilt / 4);
}

static double share_of(const pvgi_ledger_state *state, int i) {
    const int first = came_first(state->first.kinds);
    return i < ORDERS ? shares[first].order[i] : shares[first].box;
}

/* --- choosing, and adding up ---------------------------------------------------- */

int32_t pvgi_ledger_mixed_tilt(double order, double delta, const pvg_curve *curve) {
    double least = INFINITY;
    int32_t best = 0;
    for (int32_t tilt = 0; tilt <= PVGI_LEDGER_TILT_MAX; tilt++) {
        const double t = ldexp((order - 1.0) * quarter[tilt % 4], tilt / 4);
        const double epsilon =
            pvgi_mechanism_terms_renyi(curve->terms, curve->count, 1.0 + t) +
            pvgi_ledger_order_price(t, part(shares[OTHER_FIRST].box, delta));
        if (epsilon < least) {
            least = epsilon;
            best = tilt;
        }
    }
    return best;
}

void pvgi_ledger_mixed_add(pvgi_ledger_state *next, const pvgi_ledger_state *now,
                           const pvg_curve *curve) {
    for (int i = 0; i < PVGI_LEDGER_MIXED_ORDERS; i++) {
        const double t = order_of(next, i);
        if (t > 0.0)
            next->clock[i] = pvgi_ledger_plus(
                now->clock[i],
                pvgi_mechanism_terms_renyi(curve->terms, curve->count, 1.0 + t));
    }
}

/* --- what it allows ------------------------------------------------------------- */

typedef struct {
    double value, value_error; /* A = sum of w delta exp(t (l - S)) */
    double slope,
        slope_error; /* sum of (1 + t) times the same: 1 where the loss is worst */
    double change;   /* of the slope with l */
} sums;

static sums sums_at(const pvgi_ledger_state *state, double delta, double l) {
    sums s = {0};
    for (int i = 0; i < PVGI_LEDGER_MIXED_ORDERS; i++) {
        const double t = order_of(state, i);
        if (!(t > 0.0) || !isfinite(state->clock[i])) continue;
        const double logarithm = log(part(share_of(state, i), delta));
        const double exponent = logarithm + t * (l - state->clock[i]);
        const double error =
            0x1p-50 * (1.0 + fabs(logarithm) + t * (fabs(l) + state->clock[i]));
        const double term = exp(fmin(exponent, 700.0));
        s.value += term;
        s.value_error += term * error;
        s.slope += (1.0 + t) * term;
        s.slope_error += (1.0 + t) * term * error;
        s.change += t * (1.0 + t) * term;
    }
    return s;
}

/* sup of g(l) = l + ln(1 - A(l)), up. g is concave and its slope is (1 - s.slope) / (1 -
 * A), so Newton's method finds the top; what it may have missed is bounded by the slope
 * there and the width of an interval that holds the top. */
double pvgi_ledger_mixed_epsilon(const pvgi_ledger_state *state, double delta) {
    double low = INFINITY, high = INFINITY;
    if (!(part(1.0, delta) > DBL_MIN)) return INFINITY;
    for (int i = 0; i < PVGI_LEDGER_MIXED_ORDERS; i++) {
        const double t = order_of(state, i);
        if (!(t > 0.0) || !isfinite(state->clock[i])) continue;
        /* where this term alone has slope 1, and where it has a share of it */
        const double logarithm = log(part(share_of(state, i), delta)) + log1p(t);
        high = fmin(high, state->clock[i] - logarithm / t);
        low =
            fmin(low, state->clock[i] - (logarithm + log(PVGI_LEDGER_MIXED_ORDERS)) / t);
    }
    if (!isfinite(high) || !isfinite(low)) return INFINITY;
    high += 0x1p-40 * (1.0 + fabs(high));
    low -= 0x1p-40 * (1.0 + fabs(low));
    double l = high;
    sums s = sums_at(state, delta, l);
    for (int i = 0; i < 60 && fabs(s.slope - 1.0) > s.slope_error; i++) {
        /* on the logarithm of the slope, which is convex and nearly straight */
        const double next = l - log(s.slope) * s.slope / s.change;
        if (!(next >= low && next <= high) || next == l) break;
        l = next;
        s = sums_at(state, delta, l);
    }
    const double rest = 1.0 - s.value - s.value_error;
    if (!(rest > 0.0)) return INFINITY; /* never: the slope is above the value */
    const double missed = (fabs(1.0 - s.slope) + s.slope_error) / rest * (high - low);
    const double epsilon = l + log1p(-(s.value - s.value_error)) + missed;
    return fmax(0.0, epsilon + 0x1p-50 * (fabs(l) + fabs(epsilon) + 1.0));
}

/* --- Gaussian potentials -------------------------------------------------------- */

static double root_up(double x) {
    return x > 0.0 ? nextafter(sqrt(x), INFINITY) : 0.0;
}

/* delta of a Gaussian account that ends within epsilon, up. */
static double gaussian_delta(double mu2, double epsilon) {
    if (!(epsilon >= 0.0)) return 1.0;
    if (mu2 == 0.0) return 0.0;
    return isfinite(mu2) ? pvgi_mechanism_gdp_delta(root_up(mu2), epsilon) : 1.0;
}

/* What a box leaves to Gaussian charges when pure ones take theirs, down; negative, which
 * no account fits, where they take more than there is. */
static double left_of(double epsilon, double pure) {
    return epsilon >= pure ? pvgi_mechanism_down(epsilon - pure, 2) : -1.0;
}

static bool within_box(const pvgi_ledger_state *state, double epsilon, double allowed) {
    const pvgi_ledger_first *first = &state->first;
    if (came_first(first->kinds) == GAUSSIAN_FIRST) /* as much Gaussian, the rest pure */
        return state->gaussian <= first->gaussian &&
               gaussian_delta(first->gaussian, left_of(epsilon, state->epsilon)) <=
                   allowed;
    /* as many pure charges as leave room for one of their size */
    const double copies = fmax(floor(epsilon / first->epsilon) - 1.0, 1.0);
    /* sums are rounded up, a product is not */
    const double pure = first->epsilon * copies * (1.0 + 0x1p-48);
    return state->epsilon <= pure &&
           gaussian_delta(state->gaussian, left_of(epsilon, pure)) <= allowed;
}

bool pvgi_ledger_mixed_within(const pvg_ledger_config *config,
                              const pvgi_ledger_state *state) {
    const int first = came_first(state->first.kinds);
    const double epsilon = config->epsilon, delta = config->delta;
    if (!(delta > 0.0)) return false;
    if (!(state->kinds & ~gaussian_kinds)) {
        if (gaussian_delta(state->mu2, epsilon) <= part(shares[first].gaussian, delta))
            return true;
        if (first != OTHER_FIRST &&
            within_box(state, epsilon, part(shares[first].box, delta)))
            return true;
    }
    return pvgi_ledger_mixed_epsilon(state, delta) <= epsilon;
}

/* For charges fixed beforehand: the best of what the potentials say. */
double pvgi_ledger_mixed_spent(const pvgi_ledger_state *state, double delta) {
    double least = pvgi_ledger_mixed_epsilon(state, delta);
    if (!(state->kinds & ~gaussian_kinds) && isfinite(state->mu2) && state->mu2 > 0.0) {
        const double allowed =
            part(shares[came_first(state->first.kinds)].gaussian, delta);
        least = fmin(least, pvgi_mechanism_gdp_epsilon(root_up(state->mu2), allowed));
    }
    return least;
}
