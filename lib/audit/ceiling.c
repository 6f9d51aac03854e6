/* What a privacy curve lets an attacker have at most.
 *
 * (epsilon, delta)-DP at every epsilon bounds true positives at a rate f of false ones by
 * the least of delta + e^epsilon f and 1 - e^-epsilon (1 - delta - f). Any grid of
 * epsilons gives a bound from above; the result is concave in f, so the midpoint rule
 * gives its area from above, too. */
#include "audit_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

void pvgi_audit_pure_ceiling(double *auc, double *true_positive, double epsilon,
                             double delta, double false_positive) {
    *auc = 1.0 - (1.0 - delta) * (1.0 - delta) / (1.0 + exp(epsilon));
    const double up =
        (false_positive > 0.0 ? exp(epsilon) * false_positive : 0.0) + delta;
    const double down = 1.0 - exp(-epsilon) * (1.0 - delta - false_positive);
    const double best = up < down ? up : down;
    *true_positive = best < 1.0 ? best : 1.0;
}

void pvgi_audit_gdp_ceiling(double *auc, double *true_positive, double mu,
                            double false_positive) {
    *auc = 0.5 * erfc(-0.5 * mu); /* Phi(mu / sqrt 2) */
    *true_positive =
        false_positive <= 0.0 || false_positive >= 1.0
            ? false_positive
            : 0.5 * erfc(-(mu + pvgi_audit_normal_quantile(false_positive)) / sqrt(2.0));
}

/* --- predictions of a class --------------------------------------------------------- */

/* Let q_cj be the chance to predict j where the class is c, a_j = q_jj, S their sum.
 * From q_cj >= e^-epsilon a_j and sum over j of q_cj = 1: a_c (1 - e^-epsilon) +
 * e^-epsilon S <= 1 for all c. With S given each a_c has the same upper bound u, and
 * the largest sum of P_c a_c fills the likeliest classes up to it; over S that is
 * linear between the points S = k u, u = e^epsilon / (e^epsilon + k - 1). So one of
 * these is best. Answering among the k likeliest classes by randomised response
 * attains it. */
static int falling(const void *a, const void *b) {
    const double *x = a, *y = b;
    return (*x < *y) - (*x > *y);
}

int32_t pvgi_audit_prediction_ceiling(double *out, const double *posterior, int64_t rows,
                                      int64_t classes, double epsilon) {
    double *sorted = pvgi_alloc((size_t)classes, sizeof *sorted), sum = 0.0;
    const double rest = exp(-epsilon) * (1.0 - 0x1p-50); /* down */
    if (!sorted) return pvgi_fail_nomem();
    int32_t status = PVG_OK;
    for (int64_t r = 0; r < rows && status == PVG_OK; r++) {
        double whole = 0.0, part = 0.0, best = 0.0;
        memcpy(sorted, posterior + r * classes, (size_t)classes * sizeof *sorted);
        for (int64_t c = 0; c < classes; c++) {
            whole += sorted[c];
            if (!(sorted[c] >= 0.0)) whole = (double)NAN;
        }
        if (!(fabs(whole - 1.0) <= 1e-6)) {
            status =
                pvgi_fail(PVG_E_ARGUMENT,
                          "pvg_audit_prediction_ceiling: row %lld of posterior is no "
                          "distribution",
                          (long long)r);
            break;
        }
        qsort(sorted, (size_t)classes, sizeof *sorted, falling);
        for (int64_t k = 0; k < classes; k++) {
            part += sorted[k];
            best = fmax(best, part / (1.0 + (double)k * rest));
        }
        sum += best;
    }
    pvgi_free(sorted);
    if (status == PVG_OK) *out = fmin(1.0, sum / (double)rows * (1.0 + 0x1p-40));
    return status;
}
