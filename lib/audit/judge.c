/* From scores of two worlds to a lower bound on epsilon.
 *
 * If M is (eps, delta)-DP, P_1(E) <= e^eps P_0(E) + delta for every event E and both ways
 * round. With E fixed in advance, a lower bound p on P_1(E) and an upper bound q on
 * P_0(E), each missing with probability (1 - confidence)/2, eps >= ln((p - delta)/q)
 * holds with the confidence. E = {score > t} or {score <= t} is chosen on the first half
 * of the runs and judged on the second: no multiple-testing correction is needed. O(runs
 * log runs). */
#include "audit_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    double threshold;
    bool above;  /* the event is score > threshold, else score <= threshold */
    bool second; /* it speaks for the second world, else for the first */
} event;

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* How many of sorted[0..count) are above the threshold. */
static int64_t above(const double *sorted, int64_t count, double threshold) {
    int64_t low = 0, high = count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (sorted[middle] > threshold)
            high = middle;
        else
            low = middle + 1;
    }
    return count - low;
}

typedef struct {
    const double *sorted[2];
    int64_t count;
    double delta, miss;
} sample;

static double event_bound(const sample *s, const event *e, double *hit, double *alarm) {
    int64_t hits[2];
    for (int world = 0; world < 2; world++) {
        const int64_t over = above(s->sorted[world], s->count, e->threshold);
        hits[world] = e->above ? over : s->count - over;
    }
    const double n = (double)s->count;
    const double p = (double)hits[e->second], q = (double)hits[!e->second];
    if (hit) *hit = p / n;
    if (alarm) *alarm = q / n;
    const double low = pvgi_audit_lower(p, n, s->miss) - s->delta;
    const double high = pvgi_audit_upper(q, n, s->miss);
    return low > 0.0 ? log(low / high) : -INFINITY;
}

/* Tries thresholds at counts 0, 1, 2, ... growing by a tenth, from both ends of both
 * worlds. */
static event choose(const sample *s) {
    event best = {0.0, true, true};
    double best_bound = -INFINITY;
    for (int64_t rank = 0; rank < s->count; rank += 1 + rank / 10)
        for (int variant = 0; variant < 16; variant++) {
            const double *scores = s->sorted[variant & 1];
            const event e = {scores[variant & 2 ? rank : s->count - 1 - rank],
                             (variant & 4) != 0, (variant & 8) != 0};
            const double bound = event_bound(s, &e, NULL, NULL);
            if (bound > best_bound) {
                best_bound = bound;
                best = e;
            }
        }
    return best;
}

/* Mann-Whitney on sorted scores; ties count half. */
static double area(const sample *s) {
    double wins = 0.0;
    int64_t below = 0, upto = 0;
    for (int64_t i = 0; i < s->count; i++) {
        const double score = s->sorted[1][i];
        while (below < s->count && s->sorted[0][below] < score) below++;
        if (upto < below) upto = below;
        while (upto < s->count && s->sorted[0][upto] <= score) upto++;
        wins += 0.5 * (double)(below + upto);
    }
    return wins / (double)s->count / (double)s->count;
}

static double separation(const double *first, const double *second, int64_t runs) {
    double mean[2] = {0, 0}, square[2] = {0, 0};
    const double *scores[2] = {first, second};
    for (int world = 0; world < 2; world++) {
        for (int64_t i = 0; i < runs; i++) mean[world] += scores[world][i] / (double)runs;
        for (int64_t i = 0; i < runs; i++) {
            const double d = scores[world][i] - mean[world];
            square[world] += d * d / (double)runs;
        }
    }
    const double spread = sqrt(0.5 * (square[0] + square[1]));
    if (mean[0] == mean[1]) return 0.0;
    return (mean[1] - mean[0]) / spread; /* infinite if the worlds are constant */
}

int32_t pvgi_audit_judge(pvg_audit_verdict *out, const double *first,
                         const double *second, int64_t runs, double delta,
                         double confidence) {
    const int64_t half = runs / 2;
    const double *scores[2] = {first, second};
    double *sorted = pvgi_alloc((size_t)runs, 2 * sizeof *sorted);
    if (!sorted) return pvgi_fail_nomem();
    sample chosen = {.count = half, .delta = delta, .miss = 0.5 * (1.0 - confidence)};
    sample judged = chosen, all = chosen;
    judged.count = runs - half;
    all.count = runs;
    for (int world = 0; world < 2; world++) {
        double *part = sorted + world * runs;
        memcpy(part, scores[world], (size_t)runs * sizeof *part);
        qsort(part, (size_t)half, sizeof *part, compare);
        qsort(part + half, (size_t)(runs - half), sizeof *part, compare);
        chosen.sorted[world] = part;
        judged.sorted[world] = part + half;
    }
    const event e = choose(&chosen);
    out->epsilon_lower =
        event_bound(&judged, &e, &out->true_positive, &out->false_positive);
    if (!(out->epsilon_lower > 0.0)) out->epsilon_lower = 0.0;
    for (int world = 0; world < 2; world++) {
        double *part = sorted + world * runs;
        qsort(part, (size_t)runs, sizeof *part, compare);
        all.sorted[world] = part;
    }
    out->auc = area(&all);
    out->separation = separation(first, second, runs);
    out->confidence = confidence;
    out->delta = delta;
    out->runs = runs;
    pvgi_free(sorted);
    return PVG_OK;
}

int32_t pvgi_audit_check_scores(const char *function, const char *argument,
                                const double *scores, int64_t runs) {
    if (!scores) return pvgi_fail_null(function, argument);
    for (int64_t i = 0; i < runs; i++)
        PVGI_REQUIRE(!isnan(scores[i]), "%s: %s[%lld] is not a number", function,
                     argument, (long long)i);
    return PVG_OK;
}

int32_t pvgi_audit_play(pvg_audit_verdict *out, pvg_audit_play play, void *context,
                        int64_t runs, double delta, double confidence, pvgi_run *run) {
    const char *name = "pvg_audit_game";
    int32_t status = PVG_OK;
    PVGI_TRY(pvgi_run_reserve(run, pvgi_size_mul((size_t)runs, 4 * sizeof(double))));
    double *scores = pvgi_alloc((size_t)runs, 2 * sizeof *scores);
    if (!scores) return pvgi_fail_nomem();
    for (int64_t i = 0; i < runs; i++) {
        for (int32_t world = 0; world < 2; world++) {
            double *score = &scores[world * runs + i];
            *score = NAN;
            if (play(context, world, i, score) != 0) {
                status = pvgi_fail(PVG_E_CANCELLED, "%s: play gave up in run %lld", name,
                                   (long long)i);
                goto done;
            }
        }
        PVGI_TRY_DONE(pvgi_run_report(run, (double)(i + 1) / (double)runs));
    }
    PVGI_TRY_DONE(pvgi_audit_check_scores(name, "first", scores, runs));
    PVGI_TRY_DONE(pvgi_audit_check_scores(name, "second", scores + runs, runs));
    status = pvgi_audit_judge(out, scores, scores + runs, runs, delta, confidence);
done:
    pvgi_free(scores);
    return status;
}

double pvgi_audit_normal_log(double observed, const double *values, int64_t count) {
    double mean = 0.0, squares = 0.0;
    for (int64_t k = 0; k < count; k++) mean += values[k] / (double)count;
    for (int64_t k = 0; k < count; k++)
        squares += (values[k] - mean) * (values[k] - mean);
    /* models that never differ still leave room for one that does */
    const double variance = squares / (double)(count - 1) + 1e-12, d = observed - mean;
    return -.5 * (d * d / variance + log(variance));
}
