/* Equal pure terms, alone or beside Gaussian noise, composed exactly. Whatever is
 * epsilon-DP is made from randomised response of one bit, whose loss is +epsilon with
 * probability p = e^epsilon / (1 + e^epsilon) and -epsilon otherwise; n of them lose
 * (2k - n) epsilon, k binomial (Kairouz, Oh and Viswanath 2015), and what Gaussian noise
 * loses is independent of it:
 *   delta(x) = sum over k of Bin(n, p)(k) D(x - (2k - n) epsilon),
 * D the delta of the Gaussian noise, also at negative arguments, or (1 - e^x)+ without.
 * Weights are walked outward from the largest one by their ratios, so that nothing is
 * subtracted and nothing overflows. O(sqrt n) weights matter. */
#include "mechanism_internal.h"

#include <float.h>

/* Weights below this share of the largest one are counted at their full size. */
static const double negligible = 0x1p-220;
/* Terms that are equal but for rounding; what a sum of them may hide (n <= COUNT_MAX). */
static const double alike = 0x1p-40, hidden = 0x1p-35;
static const double count_max = 0x1p30;
/* Beyond, adding up is as good and e^epsilon overflows. */
static const double epsilon_max = 40.0;

int64_t pvgi_mechanism_pure_pieces(const pvg_curve_term *term) {
    return term->steps > 0 ? term->steps : term->rho > 0.0 ? 0 : 1;
}

int64_t pvgi_mechanism_pure_join(const pvg_curve_term *a, const pvg_curve_term *b) {
    const double n = (double)pvgi_mechanism_pure_pieces(a),
                 m = (double)pvgi_mechanism_pure_pieces(b);
    const double left = a->epsilon * m, right = b->epsilon * n;
    if (!(n > 0.0 && m > 0.0 && n + m <= count_max)) return 0;
    return fabs(left - right) <= alike * left ? (int64_t)(n + m) : 0;
}

double pvgi_mechanism_left_over(double mu, double x) {
    if (mu == 0.0) return x < 0.0 ? -expm1(x) * (1.0 + 0x1p-50) : 0.0;
    if (x >= 0.0) return pvgi_mechanism_gdp_delta(mu, x);
    /* whoever may be wrong by e^x < 1 the other way round */
    return (-expm1(x) + exp(x) * pvgi_mechanism_gdp_delta(mu, -x)) * (1.0 + 0x1p-49);
}

typedef struct {
    double each, mu, delta, log_delta;
    int64_t pieces;
} question;

/* Sums over weights k + direction, k + 2 direction, ...: those of all into *mass (down)
 * and those that count into the result (up). */
static double walk(double *mass, const question *q, double x, int64_t k, int direction) {
    const double n = (double)q->pieces, odds = exp(q->each);
    double weight = 1.0, sum = 0.0, grown = 1.0;
    for (int64_t i = k + direction; i >= 0 && i <= q->pieces; i += direction) {
        const double place = (double)i;
        weight *= direction > 0 ? (n - place + 1.0) / place * odds
                                : (place + 1.0) / ((n - place) * odds);
        if (!(weight > negligible)) { /* the others are smaller */
            sum += weight * n;
            break;
        }
        grown +=
            0x1p-49; /* relative error of one more ratio: exp, three roundings, sum */
        const double loss = (2.0 * place - n) * q->each;
        const double beaten = x - loss - 0x1p-51 * (x + fabs(loss));
        *mass += weight * (2.0 - grown);
        if (q->mu > 0.0 || beaten < 0.0)
            sum += weight * pvgi_mechanism_left_over(q->mu, beaten) * grown;
    }
    return sum;
}

static double delta_at(const question *q, double x) {
    const double n = (double)q->pieces, p = 1.0 / (1.0 + exp(-q->each));
    const int64_t mode = (int64_t)fmin(n, floor((n + 1.0) * p));
    const double loss = (2.0 * (double)mode - n) * q->each;
    const double beaten = x - loss - 0x1p-51 * (x + fabs(loss));
    double mass = 1.0;
    double sum = pvgi_mechanism_left_over(q->mu, beaten);
    sum += walk(&mass, q, x, mode, 1);
    sum += walk(&mass, q, x, mode, -1);
    /* one rounding for each term that was added */
    const double added = 0x1p-52 * (16.0 + 80.0 * sqrt(n));
    const double delta = sum / mass * (1.0 + added);
    return delta < DBL_MIN ? DBL_MIN : fmin(delta, 1.0);
}

static bool ask(question *q, const pvg_curve_term *pure, const pvg_curve_term *gdp) {
    const int64_t pieces = pvgi_mechanism_pure_pieces(pure);
    *q = (question){.pieces = pieces > 0 ? pieces : 1, .mu = gdp ? gdp->mu : 0.0};
    q->each = pure->epsilon / (double)q->pieces;
    if (q->pieces > 1) q->each *= 1.0 + hidden;
    return q->each <= epsilon_max && (double)q->pieces <= count_max &&
           (gdp || q->pieces > 1);
}

double pvgi_mechanism_equal_delta(const pvg_curve_term *pure, const pvg_curve_term *gdp,
                                  double epsilon) {
    question q;
    return ask(&q, pure, gdp) ? delta_at(&q, epsilon) : 1.0;
}

static double excess(const void *context, double x) {
    const question *q = context;
    const double delta = delta_at(q, x), gap = log(delta) - q->log_delta;
    return delta <= q->delta ? fmin(gap, 0.0) : fmax(gap, 0x1p-60);
}

double pvgi_mechanism_equal_epsilon(const pvg_curve_term *pure, const pvg_curve_term *gdp,
                                    double delta, double enough) {
    question q;
    if (!(delta > 0.0) || !isfinite(enough) || !ask(&q, pure, gdp)) return enough;
    q.delta = delta;
    q.log_delta = log(delta);
    if (excess(&q, 0.0) <= 0.0) return 0.0;
    if (excess(&q, enough) > 0.0) return enough; /* by what the roundings cost */
    return pvgi_mechanism_search(excess, &q, enough, 0.0);
}
