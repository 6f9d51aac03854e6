/* What a privacy curve lets an attacker have at most.
 *
 * (epsilon, delta)-DP at every epsilon bounds true positives at a rate f of false ones by
 * the least of delta + e^epsilon f and 1 - e^-epsilon (1 - delta - f). Any grid of
 * epsilons gives a bound from above; the result is concave in f, so the midpoint rule
 * gives its area from above, too. */
#include "audit_internal.h"

#include <math.h>

enum { EPSILONS = 240, EXTRA = 16, POINTS = 2000 };

typedef struct {
    double up, down, delta; /* e^epsilon, e^-epsilon */
} line;

static double most(const line *lines, int count, double f) {
    double best = 1.0;
    for (int i = 0; i < count; i++) {
        const double a = lines[i].delta + lines[i].up * f;
        const double b = 1.0 - lines[i].down * (1.0 - lines[i].delta - f);
        if (a < best) best = a;
        if (b < best) best = b;
    }
    return best;
}

int32_t pvgi_audit_curve_ceiling(double *auc, double *true_positive,
                                 const pvg_curve *curve, double false_positive) {
    line lines[EPSILONS + EXTRA];
    int count = 0;
    for (int i = 0; i < EPSILONS + EXTRA; i++) {
        /* 0 to 60, close together near 0; then where delta is a power of ten, or 0 */
        double epsilon = 60.0 * pow((double)i / (EPSILONS - 1), 3.0), delta = 0.0;
        if (i >= EPSILONS)
            PVGI_TRY(pvg_curve_epsilon(&epsilon, curve,
                                       i == EPSILONS ? 0.0 : pow(10.0, EPSILONS - i)));
        if (!isfinite(epsilon) || epsilon > 700.0) continue;
        PVGI_TRY(pvg_curve_delta(&delta, curve, epsilon));
        lines[count++] = (line){exp(epsilon), exp(-epsilon), delta};
    }
    double area = 0.0;
    for (int i = 0; i < POINTS; i++) area += most(lines, count, (i + .5) / POINTS);
    *auc = area / POINTS;
    *true_positive = most(lines, count, false_positive);
    return PVG_OK;
}
