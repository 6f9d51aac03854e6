/* The handle of an attack: questions, scores, and reports made of them once.
 *
 * Intervals: a bootstrap over nodes. Every node of a question gets a Poisson(1) count, a
 * question the product of the counts of its nodes as weight (Owen 2007). To first order
 * the variance of the draws is 3 S + T, S the sum of squared influences of questions and
 * T that of products of two questions with a common node; the variance of the AUC is
 * S + T. S is DeLong's, so 2 S is taken off. What is left is noisy: it is not let below
 * S + T computed from influences (Aronow, Samii and Assenova 2015), nor below S / 2: T
 * may be negative, where a node is as often in positives as in negatives. Questions about
 * one node have weight c and no such excess. O(draws x questions x scores). */
#include "audit_internal.h"

#include <math.h>
#include <string.h>

void pvgi_audit_attack_free(pvg_attack *a) {
    if (!a) return;
    for (int32_t s = 0; s < PVGI_ATTACK_SCORES; s++) pvgi_free(a->scores[s]);
    pvgi_free(a->first);
    pvgi_free(a->second);
    pvgi_free(a->kinds);
    pvgi_free(a);
}

int32_t pvgi_audit_attack_new(pvg_attack **out, int64_t capacity, int64_t order) {
    pvg_attack *a = pvgi_alloc_zero(1, sizeof *a);
    if (!a) return pvgi_fail_nomem();
    a->order = order;
    a->first = pvgi_alloc((size_t)capacity, sizeof *a->first);
    a->second = pvgi_alloc((size_t)capacity, sizeof *a->second);
    a->kinds = pvgi_alloc((size_t)capacity, sizeof *a->kinds);
    if (!a->first || !a->second || !a->kinds) {
        pvgi_audit_attack_free(a);
        return pvgi_fail_nomem();
    }
    *out = a;
    return PVG_OK;
}

void pvgi_audit_ask(pvg_attack *a, int64_t first, int64_t second, int32_t kind) {
    a->first[a->count] = first;
    a->second[a->count] = second;
    a->kinds[a->count++] = kind;
    if (kind == PVG_NEGATIVES_NONE)
        a->positive_count++;
    else
        a->negative_count[kind]++;
}

int32_t pvgi_audit_add_score(double **out, pvg_attack *a, int32_t control) {
    double *scores = pvgi_alloc_zero((size_t)a->count, sizeof *scores);
    if (!scores) return pvgi_fail_nomem();
    a->scores[control + 1] = scores;
    *out = scores;
    return PVG_OK;
}

/* --- bootstrap --------------------------------------------------------------------- */

/* One kind of negatives with all scores. Questions are numbered within it: positives,
 * then these negatives. */
typedef struct {
    int64_t count;
    pvgi_ranking rankings[PVGI_ATTACK_SCORES];
    double *placements[PVGI_ATTACK_SCORES]; /* NULL: no such score */
    double area[PVGI_ATTACK_SCORES];
    double *draws[PVGI_ATTACK_SCORES]; /* areas of the draws */
    int64_t start;                     /* of the negatives among all questions */
} side;

typedef struct {
    const pvg_attack *attack;
    side sides[PVGI_NEGATIVE_KINDS];
    int32_t *ids[2]; /* of the nodes of each question, counted from 0; [1] -1: none */
    int64_t id_count;
    const pvgi_stream *call;
    int64_t draws;
    double *counts, *weights, *own; /* of each worker */
} bootstrap;

/* Poisson with mean 1. */
static double draw_count(pvgi_stream *stream) {
    const double u = pvgi_rng_draw_unit(stream);
    double term = 0.36787944117144232160, sum = term;
    int k = 0;
    while (u >= sum && k < 20) {
        term /= ++k;
        sum += term;
    }
    return k;
}

static int32_t run_draw(void *context, int64_t draw, uint32_t worker) {
    const bootstrap *b = context;
    const pvg_attack *a = b->attack;
    double *counts = b->counts + (int64_t)worker * b->id_count;
    double *weights = b->weights + (int64_t)worker * a->count;
    double *own = b->own + (int64_t)worker * a->count;
    pvgi_stream stream;
    pvgi_rng_stream_open_chunk(&stream, b->call, (uint64_t)(PVGI_ATTACK_DRAWS + draw));
    for (int64_t i = 0; i < b->id_count; i++) counts[i] = draw_count(&stream);
    pvgi_rng_stream_close(&stream);
    for (int64_t i = 0; i < a->count; i++) {
        weights[i] = counts[b->ids[0][i]];
        if (b->ids[1][i] >= 0) weights[i] *= counts[b->ids[1][i]];
    }
    for (int32_t k = 0; k < PVGI_NEGATIVE_KINDS; k++) {
        const side *s = &b->sides[k];
        if (s->count == 0) continue;
        memcpy(own, weights, (size_t)a->positive_count * sizeof *own);
        memcpy(own + a->positive_count, weights + s->start,
               (size_t)(s->count - a->positive_count) * sizeof *own);
        for (int32_t c = 0; c < PVGI_ATTACK_SCORES; c++)
            if (s->placements[c])
                s->draws[c][draw] = pvgi_audit_weighted_area(&s->rankings[c], own);
    }
    return PVG_OK;
}

/* Variance of draws[c] - draws[less]; draws in which a side had no weight are left out.
 * */
static double draw_variance(const side *s, int32_t c, int32_t less, int64_t draws) {
    double mean = 0, sum = 0, count = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t i = 0; i < draws; i++) {
            const double x = s->draws[c][i] - (less >= 0 ? s->draws[less][i] : 0);
            if (isnan(x)) continue;
            if (pass == 0) {
                mean += x;
                count++;
            } else {
                sum += (x - mean) * (x - mean);
            }
        }
        if (pass == 0) mean /= count > 0 ? count : 1;
    }
    return count > 1 ? sum / (count - 1) : 0;
}

/* Sum of products of the influences of any two questions with a common node. */
static double shared_variance(bootstrap *b, const side *s, int32_t c, int32_t less) {
    const pvg_attack *a = b->attack;
    const int64_t np = a->positive_count;
    const double mean = s->area[c] - (less >= 0 ? s->area[less] : 0);
    double sum = 0, *at = b->counts;
    memset(at, 0, (size_t)b->id_count * sizeof *at);
    for (int64_t i = 0; i < s->count; i++) {
        const int64_t question = i < np ? i : s->start + i - np;
        const double x =
            (s->placements[c][i] - (less >= 0 ? s->placements[less][i] : 0) - mean) /
            (double)(i < np ? np : s->count - np);
        at[b->ids[0][question]] += x;
        if (b->ids[1][question] < 0) continue;
        at[b->ids[1][question]] += x;
        sum -= x * x;
    }
    for (int64_t v = 0; v < b->id_count; v++) sum += at[v] * at[v];
    return sum;
}

/* Of the AUC of a score, or of a difference. */
static double node_variance(bootstrap *b, const side *s, int32_t c, int32_t less) {
    double area;
    const double plain = pvgi_audit_variance(&area, s->placements[c],
                                             less >= 0 ? s->placements[less] : NULL,
                                             s->count, b->attack->positive_count);
    double most = draw_variance(s, c, less, b->draws);
    if (b->attack->about_pairs) most -= 2 * plain;
    const double linear = shared_variance(b, s, c, less);
    if (most < linear) most = linear;
    return most > .5 * plain ? most : .5 * plain;
}

/* --- reports ----------------------------------------------------------------------- */

static int32_t fill_side(side *s, const pvg_attack *a, int32_t kind, int64_t draws) {
    int64_t start = a->positive_count;
    for (int32_t k = 0; k < kind; k++) start += a->negative_count[k];
    const int64_t others = a->negative_count[kind], count = a->positive_count + others;
    if (others == 0) return PVG_OK;
    s->start = start;
    s->count = count;
    double *mine = pvgi_alloc((size_t)count, sizeof *mine);
    if (!mine) return pvgi_fail_nomem();
    int32_t status = PVG_OK;
    for (int32_t c = 0; c < PVGI_ATTACK_SCORES && status == PVG_OK; c++) {
        if (!a->scores[c]) continue;
        memcpy(mine, a->scores[c], (size_t)a->positive_count * sizeof *mine);
        memcpy(mine + a->positive_count, a->scores[c] + start,
               (size_t)others * sizeof *mine);
        pvgi_ranking *r = &s->rankings[c];
        r->count = count;
        r->positives = a->positive_count;
        r->order = pvgi_alloc((size_t)count, 2 * sizeof *r->order);
        s->placements[c] = pvgi_alloc((size_t)count, sizeof *mine);
        s->draws[c] = pvgi_alloc((size_t)draws, sizeof *mine);
        if (!r->order || !s->placements[c] || !s->draws[c]) {
            status = pvgi_fail_nomem();
            break;
        }
        r->groups = r->order + count;
        status = pvgi_audit_order(r->order, r->groups, &r->group_count, mine, count);
        if (status == PVG_OK) {
            pvgi_audit_placements(s->placements[c], r);
            (void)pvgi_audit_variance(&s->area[c], s->placements[c], NULL, count,
                                      a->positive_count);
        }
    }
    pvgi_free(mine);
    return status;
}

static void drop_side(side *s) {
    for (int32_t c = 0; c < PVGI_ATTACK_SCORES; c++) {
        pvgi_free(s->rankings[c].order);
        pvgi_free(s->placements[c]);
        pvgi_free(s->draws[c]);
    }
}

static void write_report(pvg_attack *a, bootstrap *b, int32_t kind, double confidence) {
    pvg_attack_report *r = &a->reports[kind];
    const side *s = &b->sides[kind];
    const int64_t np = a->positive_count, count = s->count;
    *r = (pvg_attack_report){.negatives = kind,
                             .positive_count = np,
                             .negative_count = a->negative_count[kind],
                             .prevalence = a->prevalence,
                             .control = PVG_CONTROL_NONE};
    for (int32_t c = 0; c < PVGI_ATTACK_SCORES; c++)
        for (int i = 0; i < 3; i++) a->areas[kind][c][i] = NAN;
    if (count == 0) {
        double *const none[] = {&r->auc,
                                &r->auc_low,
                                &r->auc_high,
                                &r->pairs_low,
                                &r->pairs_high,
                                &r->precision_mean,
                                &r->true_positive,
                                &r->true_positive_low,
                                &r->true_positive_high,
                                &r->control_auc,
                                &r->excess,
                                &r->excess_low,
                                &r->excess_high};
        for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) *none[i] = NAN;
        return;
    }
    int32_t best = -1;
    for (int32_t c = 0; c < PVGI_ATTACK_SCORES; c++) {
        if (!s->placements[c]) continue;
        double *to = a->areas[kind][c];
        to[0] = s->area[c];
        pvgi_audit_bounds(&to[1], &to[2], s->area[c], node_variance(b, s, c, -1), count,
                          np, confidence);
        if (c > 0 && (best < 0 || s->area[c] > s->area[best])) best = c;
    }
    r->auc = a->areas[kind][0][0];
    r->auc_low = a->areas[kind][0][1];
    r->auc_high = a->areas[kind][0][2];
    r->silent = s->rankings[0].group_count == 1;
    r->dead = a->dead;
    double area;
    const double plain = pvgi_audit_variance(&area, s->placements[0], NULL, count, np);
    pvgi_audit_bounds(&r->pairs_low, &r->pairs_high, area, plain, count, np, confidence);
    r->precision_mean = pvgi_audit_precision(&s->rankings[0], a->prevalence);
    const double hits = (double)pvgi_audit_hits(&s->rankings[0], .01);
    const double miss = .5 * (1 - confidence);
    r->true_positive = hits / (double)np;
    r->true_positive_low = pvgi_audit_lower(hits, (double)np, miss);
    r->true_positive_high = pvgi_audit_upper(hits, (double)np, miss);
    r->control_auc = r->excess = r->excess_low = r->excess_high = NAN;
    if (best < 0) return;
    const double half =
        -pvgi_audit_normal_quantile(miss) * sqrt(node_variance(b, s, 0, best));
    r->control = best - 1;
    r->control_auc = s->area[best];
    r->excess = r->auc - r->control_auc;
    r->excess_low = r->excess - half;
    r->excess_high = r->excess + half;
}

/* Numbers the nodes of questions from 0. */
static int32_t number_nodes(bootstrap *b) {
    const pvg_attack *a = b->attack;
    int32_t *names = pvgi_alloc((size_t)a->order, sizeof *names);
    if (!names) return pvgi_fail_nomem();
    for (int64_t v = 0; v < a->order; v++) names[v] = -1;
    for (int64_t i = 0; i < a->count; i++)
        for (int end = 0; end < 2; end++) {
            const int64_t v = end ? a->second[i] : a->first[i];
            b->ids[end][i] = -1;
            if (end && !a->about_pairs) continue;
            if (names[v] < 0) names[v] = (int32_t)b->id_count++;
            b->ids[end][i] = names[v];
        }
    pvgi_free(names);
    return PVG_OK;
}

int32_t pvgi_audit_attack_judge(pvg_attack *a, const pvg_attack_config *config,
                                const pvgi_stream *call, pvgi_run *run) {
    bootstrap b = {.attack = a, .call = call, .draws = config->draws};
    const uint32_t workers = pvgi_run_workers(run, config->draws);
    const size_t count = (size_t)a->count;
    int32_t status = PVG_OK;
    PVGI_TRY(pvgi_run_reserve(
        run, pvgi_size_mul(count + 1, (size_t)(3 * PVGI_ATTACK_SCORES + 4 * workers + 4) *
                                          sizeof(double))));
    b.ids[0] = pvgi_alloc(count, sizeof(int32_t));
    b.ids[1] = pvgi_alloc(count, sizeof(int32_t));
    if (!b.ids[0] || !b.ids[1]) {
        status = pvgi_fail_nomem();
        goto done;
    }
    PVGI_TRY_DONE(number_nodes(&b));
    b.counts = pvgi_alloc(pvgi_size_mul(workers, (size_t)b.id_count), sizeof(double));
    b.weights = pvgi_alloc(pvgi_size_mul(workers, count), 2 * sizeof(double));
    if (!b.counts || !b.weights) {
        status = pvgi_fail_nomem();
        goto done;
    }
    b.own = b.weights + (size_t)workers * count;
    for (int32_t k = 0; k < PVGI_NEGATIVE_KINDS; k++)
        PVGI_TRY_DONE(fill_side(&b.sides[k], a, k, config->draws));
    PVGI_TRY_DONE(pvgi_run_chunks(run, config->draws, run_draw, &b));
    for (int32_t k = 0; k < PVGI_NEGATIVE_KINDS; k++)
        write_report(a, &b, k, config->confidence);
done:
    for (int32_t k = 0; k < PVGI_NEGATIVE_KINDS; k++) drop_side(&b.sides[k]);
    pvgi_free(b.ids[0]);
    pvgi_free(b.ids[1]);
    pvgi_free(b.counts);
    pvgi_free(b.weights);
    return status;
}
