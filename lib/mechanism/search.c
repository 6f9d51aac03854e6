/* One-dimensional searches.
 * search: ITP (Oliveira and Takahashi 2020), a bracket that shrinks as fast as the secant
 * method's and never slower than bisection's; about 10 evaluations of a smooth function.
 * minimise: golden section; 0.618 per evaluation. */
#include "mechanism_internal.h"

static double half_way(double a, double b) {
    return a + 0.5 * (b - a);
}

double pvgi_mechanism_search(pvgi_function f, const void *context, double good,
                             double bad) {
    double value_good = f(context, good), value_bad = f(context, bad);
    const double floor_width = 0x1p-60 * fmax(fabs(good), fabs(bad));
    const double start = fabs(bad - good);
    for (int i = 0; i < 200; i++) {
        const double width = fabs(bad - good);
        if (width <= fmax(0x1p-51 * fmax(fabs(good), fabs(bad)), floor_width)) break;
        const double middle = half_way(good, bad);
        if (middle == good || middle == bad) break;
        double guess = middle;
        if (isfinite(value_good) && isfinite(value_bad)) {
            const double secant =
                good + (bad - good) * (value_good / (value_good - value_bad));
            /* toward the middle by a little, so that both ends move */
            const double least = fmax(0.2 * width * (width / start), 0.25 * floor_width);
            const double reach = fabs(middle - secant);
            guess = reach <= least ? middle : secant + copysign(least, middle - secant);
            /* never slower than bisection, a few steps behind it */
            const double radius = ldexp(start, 3 - i) - 0.5 * width;
            if (fabs(guess - middle) > radius)
                guess = radius > 0.0 ? middle + copysign(radius, guess - middle) : middle;
            if (!(fmin(good, bad) < guess && guess < fmax(good, bad))) guess = middle;
        }
        const double value = f(context, guess);
        if (value <= 0.0) {
            good = guess;
            value_good = value;
        } else { /* NaN counts as bad */
            bad = guess;
            value_bad = value;
        }
    }
    return good;
}

double pvgi_mechanism_minimise(pvgi_function f, const void *context, double low,
                               double high) {
    const double golden = 0x1.3c6ef372fe95p-1; /* (sqrt(5) - 1) / 2 */
    double a = low, b = high;
    double left = b - golden * (b - a), right = a + golden * (b - a);
    double at_left = f(context, exp(left)), at_right = f(context, exp(right));
    double best = at_left < at_right ? left : right;
    double least = fmin(at_left, at_right);
    for (int i = 0; i < 200 && b - a > 0x1p-25; i++) {
        if (at_left < at_right || (at_left == at_right && at_left == INFINITY)) {
            b = right;
            right = left;
            at_right = at_left;
            left = b - golden * (b - a);
            at_left = f(context, exp(left));
            if (at_left < least) least = at_left, best = left;
        } else {
            a = left;
            left = right;
            at_left = at_right;
            right = a + golden * (b - a);
            at_right = f(context, exp(right));
            if (at_right < least) least = at_right, best = right;
        }
    }
    /* the minimum may lie on the border, where a limit of the orders is */
    const double ends[2] = {low, high};
    for (int i = 0; i < 2; i++) {
        const double at_end = f(context, exp(ends[i]));
        if (at_end < least) least = at_end, best = ends[i];
    }
    return exp(best);
}
