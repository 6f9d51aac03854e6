/* Areas under ROC curves and what goes with them.
 *
 * AUC = mean over pairs of [positive > negative] + [equal] / 2. Its placements, v(i) =
 * share of the other side that i beats, give the variance var(v+)/n+ + var(v-)/n-
 * (DeLong, DeLong and Clarke-Pearson 1988), and differences of placements that of a
 * difference of two AUCs on the same questions. One sort, then linear. */
#include "audit_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double pvgi_audit_normal_quantile(double p) {
    double low = -40, high = 40;
    for (int i = 0; i < 200 && high - low > 1e-14; i++) {
        const double middle = .5 * (low + high);
        if (.5 * erfc(-middle * 0.70710678118654752440) < p)
            low = middle;
        else
            high = middle;
    }
    return .5 * (low + high);
}

typedef struct {
    double score;
    int64_t at;
} entry;

static int compare(const void *a, const void *b) {
    const entry *x = a, *y = b;
    if (x->score != y->score) return x->score > y->score ? 1 : -1;
    return (x->at > y->at) - (x->at < y->at);
}

int32_t pvgi_audit_order(int64_t *order, int64_t *groups, int64_t *group_count,
                         const double *scores, int64_t count) {
    entry *entries = pvgi_alloc((size_t)count, sizeof *entries);
    if (!entries) return pvgi_fail_nomem();
    for (int64_t i = 0; i < count; i++) entries[i] = (entry){scores[i], i};
    qsort(entries, (size_t)count, sizeof *entries, compare);
    int64_t found = 0;
    for (int64_t i = 0; i < count; i++) {
        order[i] = entries[i].at;
        if (i + 1 == count || entries[i + 1].score > entries[i].score)
            groups[found++] = i + 1;
    }
    *group_count = found;
    pvgi_free(entries);
    return PVG_OK;
}

double pvgi_audit_weighted_area(const pvgi_ranking *r, const double *weights) {
    double below = 0, wins = 0, positive = 0;
    int64_t i = 0;
    for (int64_t g = 0; g < r->group_count; g++) {
        double up = 0, down = 0;
        for (; i < r->groups[g]; i++) {
            const int64_t at = r->order[i];
            if (at < r->positives)
                up += weights[at];
            else
                down += weights[at];
        }
        wins += up * (below + .5 * down);
        below += down;
        positive += up;
    }
    return positive > 0 && below > 0 ? wins / positive / below : NAN;
}

void pvgi_audit_placements(double *out, const pvgi_ranking *r) {
    const double np = (double)r->positives, nn = (double)(r->count - r->positives);
    double above = np, below = 0;
    int64_t start = 0;
    for (int64_t g = 0; g < r->group_count; start = r->groups[g], g++) {
        double up = 0, down = 0;
        for (int64_t i = start; i < r->groups[g]; i++) {
            if (r->order[i] < r->positives)
                up++;
            else
                down++;
        }
        above -= up;
        for (int64_t i = start; i < r->groups[g]; i++) {
            const int64_t at = r->order[i];
            out[at] =
                at < r->positives ? (below + .5 * down) / nn : (above + .5 * up) / np;
        }
        below += down;
    }
}

static double spread(const double *values, const double *less, int64_t count) {
    double mean = 0, sum = 0;
    if (count < 2) return 0;
    for (int64_t i = 0; i < count; i++) mean += values[i] - (less ? less[i] : 0);
    mean /= (double)count;
    for (int64_t i = 0; i < count; i++) {
        const double d = values[i] - (less ? less[i] : 0) - mean;
        sum += d * d;
    }
    return sum / (double)(count - 1) / (double)count;
}

double pvgi_audit_variance(double *area, const double *placements, const double *less,
                           int64_t count, int64_t positives) {
    double sum = 0;
    for (int64_t i = 0; i < positives; i++) sum += placements[i] - (less ? less[i] : 0);
    *area = sum / (double)positives;
    return spread(placements, less, positives) + spread(placements + positives,
                                                        less ? less + positives : NULL,
                                                        count - positives);
}

void pvgi_audit_bounds(double *low, double *high, double area, double variance,
                       int64_t count, int64_t positives, double confidence) {
    const double miss = .5 * (1 - confidence);
    const double half = -pvgi_audit_normal_quantile(miss) * sqrt(variance);
    const int64_t others = count - positives,
                  least = others < positives ? others : positives;
    *low = area - half;
    *high = area + half;
    /* All positives above all negatives, or below: of `least` disjoint pairs of questions
     * each was right by itself. */
    if (variance <= 0 && area >= 1) *low = pow(miss, 1 / (double)least);
    if (variance <= 0 && area <= 0) *high = 1 - pow(miss, 1 / (double)least);
    if (*low < 0) *low = 0;
    if (*high > 1) *high = 1;
}

double pvgi_audit_precision(const pvgi_ranking *r, double prevalence) {
    const double np = (double)r->positives, nn = (double)(r->count - r->positives);
    double found = 0, wrong = 0, sum = 0;
    for (int64_t g = r->group_count; g-- > 0;) {
        const int64_t start = g > 0 ? r->groups[g - 1] : 0;
        double up = 0;
        for (int64_t i = start; i < r->groups[g]; i++) up += r->order[i] < r->positives;
        found += up * prevalence / np;
        wrong += ((double)(r->groups[g] - start) - up) * (1 - prevalence) / nn;
        if (up > 0) sum += up / np * found / (found + wrong);
    }
    return sum;
}

int64_t pvgi_audit_hits(const pvgi_ranking *r, double rate) {
    const int64_t allowed = (int64_t)floor(rate * (double)(r->count - r->positives));
    int64_t hits = 0, alarms = 0;
    for (int64_t g = r->group_count; g-- > 0;) {
        int64_t up = 0, size = r->groups[g] - (g > 0 ? r->groups[g - 1] : 0);
        for (int64_t i = r->groups[g] - size; i < r->groups[g]; i++)
            up += r->order[i] < r->positives;
        if (alarms + size - up > allowed) break;
        alarms += size - up;
        hits += up;
    }
    return hits;
}

int32_t pvgi_audit_area(double *area, double *low, double *high, const double *positives,
                        int64_t np, const double *negatives, int64_t nn,
                        double confidence) {
    const int64_t count = np + nn;
    double *scores = pvgi_alloc((size_t)count, 2 * sizeof *scores);
    int64_t *order = pvgi_alloc((size_t)count, 2 * sizeof *order);
    int32_t status = PVG_OK;
    if (!scores || !order) {
        status = pvgi_fail_nomem();
        goto done;
    }
    memcpy(scores, positives, (size_t)np * sizeof *scores);
    memcpy(scores + np, negatives, (size_t)nn * sizeof *scores);
    pvgi_ranking r = {
        .count = count, .positives = np, .order = order, .groups = order + count};
    PVGI_TRY_DONE(pvgi_audit_order(order, order + count, &r.group_count, scores, count));
    double *placements = scores + count, found;
    pvgi_audit_placements(placements, &r);
    const double variance = pvgi_audit_variance(&found, placements, NULL, count, np);
    pvgi_audit_bounds(low, high, found, variance, count, np, confidence);
    *area = found;
done:
    pvgi_free(scores);
    pvgi_free(order);
    return status;
}
