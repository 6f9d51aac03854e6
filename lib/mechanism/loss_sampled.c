/* Losses of one sampled Gaussian step on a lattice.
 *
 * P = (1 - q) N(0,1) + q N(mu,1) with the record, Q = N(0,1) without it; ln dP/dQ at x is
 *   L(x) = ln(1 - q + q e^(mu x - mu^2/2)),
 * which grows with x and is convex. Outcomes between X(t) and X(t + h), L(X(t)) = t, have
 * masses m0 under N(0,1) and m1 under N(mu,1), and with c(t) = e^t - 1 + q their split to
 * both ends (loss.c) is
 *   t + h: (q m1 - c(t) m0) / (1 - e^-h),   t: (c(t + h) m0 - q m1) / (e^h - 1).
 * (Q, P), the record added, has losses -L and e^-t times these masses. Borders X(t) are
 * moved outward, so that losses only rise; what lies on the wrong side of t by that is
 * counted, and so is every rounding of the differences.
 * docs/privacy/proofs/mechanism.md, sampled steps on the lattice. Cost: O(1) per lattice
 * point. */
#include "mechanism_internal.h"

/* Standard deviations beyond which there is less than 2^-112. */
static const double reach = 13.0;

/* A border between cells of outcomes: L is t there, up to `off`. */
typedef struct {
    double t, x;
    double c, c_error; /* c(t) */
    double grown;      /* e^t, up */
    double off;
    double above0, above1; /* mass beyond x, or before it if that is less, */
    bool left0, left1;     /* which is told here: under N(0,1) and N(mu,1) */
} border;

/* P(z > x) of the normal law at x = a + b >= 0, |b| tiny; relative error below
 * mass_error. The square is taken in two parts, or its rounding would count x^2 times. */
static const double mass_error = 0x1p-47;
static double beyond(double a, double b) {
    if (a > 37.5) return 0.0; /* below 2^-1000, as loss.c counts */
    const double square = a * a, rest = fma(a, a, -square) + 2.0 * a * b;
    return 0.5 * exp(-0.5 * square) * (1.0 - 0.5 * rest) *
           pvgi_mechanism_erfcx(a * 0x1.6a09e667f3bcdp-1);
}

/* What is beyond a + b on the side away from 0. */
static double smaller_side(double a, double b, bool *left) {
    *left = a < 0.0;
    return isfinite(a) ? beyond(fabs(a), *left ? -b : b) : 0.0;
}

/* The border of t; upward: not below the true one, else not above it. */
static border border_at(const pvg_pld_part *part, double t, bool upward) {
    const double q = part->rate, mu = part->mu, side = upward ? 1.0 : -1.0;
    const double grown = exp(t), rise = expm1(t);
    /* t stands for a multiple of the step, and rise for e^t - 1 */
    const double wrong = 0x1p-49 * (fabs(rise) + fabs(t) * grown);
    const double y = (rise + side * wrong) / q;
    border b = {.t = t,
                .x = -INFINITY,
                .c = rise + q,
                .c_error = wrong + 0x1p-52 * q,
                .grown = grown * (1.0 + 0x1p-49),
                .off = 0x1p-47 * (fabs(rise) / grown + fabs(t))};
    if (y > -1.0) {
        const double z = log1p(y), share = q * (1.0 + y) / (1.0 + q * y);
        b.x = 0.5 * mu + z / mu + side * 0x1p-49 * (fabs(z) / mu + mu);
        b.off += 0x1p-46 * (fabs(z) + mu * mu) * fmin(1.0, 2.0 * share);
    }
    /* b.x - mu is moved + lost, exactly */
    const double moved = b.x - mu, taken = moved - b.x;
    const double lost = isfinite(b.x) ? (b.x - (moved - taken)) + (-mu - taken) : 0.0;
    b.above0 = smaller_side(b.x, 0.0, &b.left0);
    b.above1 = smaller_side(moved, lost, &b.left1);
    return b;
}

/* Mass between two borders from what lies beside them, and its error. */
typedef struct {
    double mass, error;
} cell;

static cell between(double low, bool low_left, double high, bool high_left) {
    const double sum = low + high;
    if (low_left && !high_left)
        return (cell){1.0 - low - high, mass_error * sum + 0x1p-51};
    return (cell){fmax(0.0, low_left ? high - low : low - high), mass_error * sum};
}

double pvgi_mechanism_sampled_loss(const pvg_pld_part *part, double x) {
    return log1p(part->rate * expm1(part->mu * x - 0.5 * part->mu * part->mu));
}

void pvgi_mechanism_sampled_range(const pvg_pld_part *part, double step, int64_t *low,
                                  int64_t *high) {
    *low = (int64_t)floor(log1p(-part->rate) * (1.0 + 0x1p-48) / step);
    *high = (int64_t)ceil(pvgi_mechanism_sampled_loss(part, part->mu + reach) / step) + 1;
}

double pvgi_mechanism_sampled_lay(double *mass, const pvg_pld_part *part, double step,
                                  bool added) {
    const double q = part->rate;
    const double per_upper = 1.0 / -expm1(-step), per_lower = 1.0 / expm1(step);
    int64_t low, high;
    pvgi_mechanism_sampled_range(part, step, &low, &high);
    border a = border_at(part, (double)low * step, added);
    a.x = -INFINITY;
    a.above0 = a.above1 = 0.0;
    a.left0 = a.left1 = true;
    for (int64_t i = low; i < high; i++) {
        const border b = border_at(part, (double)(i + 1) * step, added);
        const cell m0 = between(a.above0, a.left0, b.above0, b.left0);
        const cell m1 = between(a.above1, a.left1, b.above1, b.left1);
        const double small = q * m1.error + 0x1p-50 * q * m1.mass;
        double upper = q * m1.mass - a.c * m0.mass, lower = b.c * m0.mass - q * m1.mass;
        double upper_error = small + fabs(a.c) * (m0.error + 0x1p-50 * m0.mass) +
                             a.c_error * (m0.mass + m0.error);
        double lower_error = small + fabs(b.c) * (m0.error + 0x1p-50 * m0.mass) +
                             b.c_error * (m0.mass + m0.error);
        /* losses that are below the cell by `off` rise into it */
        if (added)
            lower_error += (m0.mass + m0.error) * b.off * b.grown;
        else
            upper_error +=
                ((1.0 - q) * (m0.mass + m0.error) + q * (m1.mass + m1.error)) * a.off;
        upper = (fmax(0.0, upper) + upper_error) * per_upper;
        lower = (fmax(0.0, lower) + lower_error) * per_lower;
        mass[added ? high - i : i - low] += added ? lower * exp(-a.t) : lower;
        mass[added ? high - i - 1 : i + 1 - low] += added ? upper * exp(-b.t) : upper;
        a = b;
    }
    /* x is above mu + reach there, so both are to the right */
    const double rest0 = a.above0 * (1.0 + 0x1p-40), rest1 = a.above1 * (1.0 + 0x1p-40);
    if (added) mass[0] += rest0; /* to the lowest loss that is kept */
    return added ? 0.0 : (1.0 - q) * rest0 + q * rest1;
}
