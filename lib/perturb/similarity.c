/* The similarity kernel: Q(s | u) ~ exp(eta S(u, s)), S public in [0, 1].
 *
 * eta is the largest, by bisection, whose certificate max_s ln(max_u Q / min_u Q) stays
 * within epsilon (eta = epsilon / 2 always does in exact arithmetic). Rows are then
 * rounded to multiples of 2^-64, at least one each, with what is left over given to the
 * likeliest node, and the certificate is computed again from these integers: what is
 * drawn is what is certified. O(order^2) memory, 45 order^2 exponentials once, O(log
 * order) a draw. */
#include "slots.h"

#include <math.h>

#define ETA_MAX 20.0 /* then no cell is below 2^-64 */

/* ln(max/min) of the columns of Q for eta; row sums and extremes are scratch of order. */
static double certificate_of(const double *similarities, int64_t order, double eta,
                             double *most, double *least) {
    double worst = 0.0;
    for (int64_t s = 0; s < order; s++) most[s] = -INFINITY, least[s] = INFINITY;
    for (int64_t u = 0; u < order; u++) {
        const double *row = similarities + u * order;
        double sum = exp(eta * row[0]);
        for (int64_t s = 1; s < order; s++) sum += exp(eta * row[s]);
        const double shift = log(sum);
        for (int64_t s = 0; s < order; s++) {
            const double value = eta * row[s] - shift;
            most[s] = value > most[s] ? value : most[s];
            least[s] = value < least[s] ? value : least[s];
        }
    }
    for (int64_t s = 0; s < order; s++) worst = fmax(worst, most[s] - least[s]);
    return worst;
}

/* The certificate of a table, up. */
static double epsilon_of(const uint64_t *table, int64_t order) {
    double worst = 1.0;
    for (int64_t s = 0; s < order; s++) {
        uint64_t most = 0, least = UINT64_MAX;
        for (int64_t u = 0; u < order; u++) {
            const uint64_t *row = table + u * order;
            const uint64_t cell = row[s] - (s > 0 ? row[s - 1] : 0);
            most = cell > most ? cell : most;
            least = cell < least ? cell : least;
        }
        worst = fmax(worst, (double)most / (double)least);
    }
    return log(worst) * (1.0 + 0x1p-49) + 0x1p-50;
}

/* Rows as ends of cells; the sum of a row is 2^64 by what the likeliest node gets. 4096
 * summands are wrong by less than 2^-40, so 1 - 2^-39 of 2^64 leaves something for it. */
static void fill(uint64_t *table, const double *similarities, int64_t order, double eta) {
    for (int64_t u = 0; u < order; u++) {
        const double *values = similarities + u * order;
        uint64_t *row = table + u * order, used = 0;
        double sum = 0.0;
        int64_t likeliest = 0;
        for (int64_t s = 0; s < order; s++) {
            sum += exp(eta * values[s]);
            if (values[s] > values[likeliest]) likeliest = s;
        }
        for (int64_t s = 0; s < order; s++) {
            row[s] = (uint64_t)(exp(eta * values[s]) / sum * 0x1.fffffffffcp63);
            if (row[s] == 0) row[s] = 1;
            used += row[s];
        }
        row[likeliest] += 0 - used; /* 2^64 - used > 0 */
        for (int64_t s = 1; s < order; s++) row[s] += row[s - 1];
    }
}

int32_t pvgi_perturb_similar_make(pvgi_slots *s, double *certificate,
                                  const double *similarities, double epsilon) {
    const int64_t order = s->order;
    double *scratch = pvgi_alloc((size_t)order, 2 * sizeof *scratch);
    s->table = pvgi_alloc((size_t)(order * order), sizeof *s->table);
    if (!scratch || !s->table) {
        pvgi_free(scratch);
        return pvgi_fail_nomem();
    }
    double low = 0.0, high = ETA_MAX;
    if (certificate_of(similarities, order, high, scratch, scratch + order) <= epsilon)
        low = high;
    for (int step = 0; step < 44 && low < high; step++) {
        const double middle = 0.5 * (low + high);
        if (certificate_of(similarities, order, middle, scratch, scratch + order) <=
            epsilon)
            low = middle;
        else
            high = middle;
    }
    pvgi_free(scratch);
    /* rounding may have moved the certificate past epsilon: a little less, until not */
    for (double less = 0x1p-40; less < 1.0; less *= 4.0) {
        s->eta = low * (1.0 - less);
        fill(s->table, similarities, order, s->eta);
        *certificate = epsilon_of(s->table, order);
        if (*certificate <= epsilon) return PVG_OK;
    }
    return pvgi_fail(PVG_E_PRIVACY, "similarity kernel: epsilon is too small to be met");
}

int32_t pvgi_perturb_similar_draw(const pvgi_slots *s, int32_t node,
                                  pvgi_stream *stream) {
    return (int32_t)pvgi_rng_draw_index(stream, s->table + node * s->order, s->order);
}
