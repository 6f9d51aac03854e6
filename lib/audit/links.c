/* Link attacks: questions, the score of the attack, the scores of controls, the reports;
 * one order for all of them. Rows are compared by a metric, O(questions x columns). */
#include "audit_internal.h"

#include <math.h>
#include <string.h>

/* --- rows -------------------------------------------------------------------------- */

static double dot_of(const double *a, const double *b, int64_t n) {
    double sum = 0;
    for (int64_t j = 0; j < n; j++) sum += a[j] * b[j];
    return sum;
}

/* Cosine of a - centre and b - centre; 0 if one of them is 0. centre NULL: 0. */
static double cosine(const double *a, const double *b, const double *centre, int64_t n) {
    double ab = 0, aa = 0, bb = 0;
    for (int64_t j = 0; j < n; j++) {
        const double x = a[j] - (centre ? centre[j] : 0);
        const double y = b[j] - (centre ? centre[j] : 0);
        ab += x * y;
        aa += x * x;
        bb += y * y;
    }
    return aa > 0 && bb > 0 ? ab / sqrt(aa) / sqrt(bb) : 0;
}

static double correlation(const double *a, const double *b, int64_t n) {
    double ma = 0, mb = 0, ab = 0, aa = 0, bb = 0;
    for (int64_t j = 0; j < n; j++) {
        ma += a[j] / (double)n;
        mb += b[j] / (double)n;
    }
    for (int64_t j = 0; j < n; j++) {
        ab += (a[j] - ma) * (b[j] - mb);
        aa += (a[j] - ma) * (a[j] - ma);
        bb += (b[j] - mb) * (b[j] - mb);
    }
    return aa > 0 && bb > 0 ? ab / sqrt(aa) / sqrt(bb) : 0;
}

double pvgi_audit_compare(int32_t metric, const double *a, const double *b,
                          const double *centre, int64_t n) {
    double sum = 0, other = 0;
    if (metric == PVG_METRIC_COSINE) return cosine(a, b, NULL, n);
    if (metric == PVG_METRIC_CENTRED) return cosine(a, b, centre, n);
    if (metric == PVG_METRIC_CORRELATION) return correlation(a, b, n);
    if (metric == PVG_METRIC_DOT) return dot_of(a, b, n);
    for (int64_t j = 0; j < n; j++) {
        const double d = fabs(a[j] - b[j]);
        if (metric == PVG_METRIC_EUCLIDEAN) {
            sum += d * d;
        } else if (metric == PVG_METRIC_CHEBYSHEV) {
            if (d > sum) sum = d;
        } else if (metric == PVG_METRIC_CANBERRA) {
            sum += d > 0 ? d / (fabs(a[j]) + fabs(b[j])) : 0;
        } else { /* city block, Bray-Curtis */
            sum += d;
            other += fabs(a[j] + b[j]);
        }
    }
    if (metric == PVG_METRIC_EUCLIDEAN) sum = sqrt(sum);
    if (metric == PVG_METRIC_BRAY_CURTIS && sum > 0) sum /= other;
    return -sum;
}

/* Mean over the nodes that may be asked about. */
static void find_centre(double *out, const double *rows, int64_t columns,
                        const pvg_attack *a, const int32_t *asked) {
    double count = 0;
    memset(out, 0, (size_t)columns * sizeof *out);
    for (int64_t v = 0; v < a->order; v++) {
        if (asked && !asked[v]) continue;
        for (int64_t j = 0; j < columns; j++) out[j] += rows[v * columns + j];
        count++;
    }
    for (int64_t j = 0; j < columns; j++) out[j] /= count > 0 ? count : 1;
}

int32_t pvgi_audit_score_rows(double *scores, const pvg_attack *a, const double *rows,
                              int64_t columns, int32_t metric, const int32_t *asked) {
    double *centre = pvgi_alloc((size_t)columns, sizeof *centre);
    if (!centre) return pvgi_fail_nomem();
    find_centre(centre, rows, columns, a, asked);
    for (int64_t i = 0; i < a->count; i++)
        scores[i] = pvgi_audit_compare(metric, rows + a->first[i] * columns,
                                       rows + a->second[i] * columns, centre, columns);
    pvgi_free(centre);
    return PVG_OK;
}

bool pvgi_audit_alike(const double *rows, int64_t count, int64_t columns) {
    for (int64_t i = columns; i < count * columns; i++)
        if (rows[i] != rows[i % columns]) return false;
    return true;
}

typedef struct {
    const double *rows;
    int64_t columns;
    int32_t metric;
} rows_attack;

static int32_t score_rows(void *context, double *scores, pvg_attack *a,
                          const pvg_attack_config *config, pvgi_run *run) {
    const rows_attack *attack = context;
    (void)run;
    a->dead = pvgi_audit_alike(attack->rows, a->order, attack->columns);
    return pvgi_audit_score_rows(scores, a, attack->rows, attack->columns, attack->metric,
                                 config->asked);
}

int32_t pvgi_audit_links_rows(const pvgi_attack_call *call, const double *rows,
                              int64_t columns, int32_t metric) {
    pvg_attack_config own;
    pvgi_run running;
    PVGI_TRY(pvgi_audit_begin(&own, &running, call));
    if (!rows) return pvgi_fail_null(call->name, "rows");
    PVGI_REQUIRE(columns >= 1, "%s: columns is less than 1", call->name);
    PVGI_TRY(
        pvgi_audit_check_finite(call->name, "rows", rows, call->truth->order, columns));
    rows_attack attack = {rows, columns, own.metric ? own.metric : metric};
    return pvgi_audit_links(call, score_rows, &attack, &own, PVG_METRIC_COSINE, &running);
}

typedef struct {
    pvg_attack_score score;
    void *context;
} custom_attack;

static int32_t score_custom(void *context, double *scores, pvg_attack *a,
                            const pvg_attack_config *config, pvgi_run *run) {
    const custom_attack *attack = context;
    (void)config;
    (void)run;
    for (int64_t i = 0; i < a->count; i++) scores[i] = NAN;
    if (attack->score(attack->context, scores, a->first, a->second, a->count) != 0)
        return pvgi_fail(PVG_E_CANCELLED, "pvg_attack_links_custom: score gave up");
    return PVG_OK;
}

int32_t pvgi_audit_links_custom(const pvgi_attack_call *call, pvg_attack_score score,
                                void *context) {
    pvg_attack_config own;
    pvgi_run running;
    if (!score) return pvgi_fail_null(call->name, "score");
    PVGI_TRY(pvgi_audit_begin(&own, &running, call));
    custom_attack attack = {score, context};
    return pvgi_audit_links(call, score_custom, &attack, &own, PVG_METRIC_COSINE,
                            &running);
}

/* --- controls ---------------------------------------------------------------------- */

/* Cosine of two sparse rows. */
double pvgi_audit_features_cosine(const pvg_features *x, int64_t u, int64_t v) {
    double ab = 0, aa = 0, bb = 0;
    int64_t i = x->offsets[u], j = x->offsets[v];
    for (int64_t k = i; k < x->offsets[u + 1]; k++) aa += x->values[k] * x->values[k];
    for (int64_t k = j; k < x->offsets[v + 1]; k++) bb += x->values[k] * x->values[k];
    while (i < x->offsets[u + 1] && j < x->offsets[v + 1]) {
        if (x->indices[i] == x->indices[j])
            ab += x->values[i++] * x->values[j++];
        else if (x->indices[i] < x->indices[j])
            i++;
        else
            j++;
    }
    return aa > 0 && bb > 0 ? ab / sqrt(aa) / sqrt(bb) : 0;
}

static int32_t add_controls(pvg_attack *a, const pvg_graph *g, const pvg_attack_config *c,
                            int32_t row_metric) {
    double *s;
    if (c->features) {
        PVGI_TRY(pvgi_audit_add_score(&s, a, PVG_CONTROL_FEATURES));
        for (int64_t i = 0; i < a->count; i++)
            s[i] = pvgi_audit_features_cosine(c->features, a->first[i], a->second[i]);
    }
    if (c->posteriors) {
        PVGI_TRY(pvgi_audit_add_score(&s, a, PVG_CONTROL_POSTERIORS));
        PVGI_TRY(pvgi_audit_score_rows(s, a, c->posteriors, c->posterior_columns,
                                       PVG_METRIC_CENTRED, c->asked));
    }
    PVGI_TRY(pvgi_audit_add_score(&s, a, PVG_CONTROL_DEGREES));
    for (int64_t i = 0; i < a->count; i++)
        s[i] = (double)(g->offsets[a->first[i] + 1] - g->offsets[a->first[i]]) *
               (double)(g->offsets[a->second[i] + 1] - g->offsets[a->second[i]]);
    if (c->positions) {
        PVGI_TRY(pvgi_audit_add_score(&s, a, PVG_CONTROL_POSITION));
        for (int64_t i = 0; i < a->count; i++)
            s[i] = -fabs(c->positions[a->first[i]] - c->positions[a->second[i]]);
    }
    if (c->known) {
        PVGI_TRY(pvgi_audit_add_score(&s, a, PVG_CONTROL_MEMORISER));
        for (int64_t i = 0; i < a->count; i++) {
            const int64_t u = a->first[i], from = c->known->offsets[u];
            s[i] = pvgi_graph_row_find(c->known->columns + from,
                                       c->known->offsets[u + 1] - from,
                                       (int32_t)a->second[i]) >= 0;
        }
    }
    if (c->rows) {
        PVGI_TRY(pvgi_audit_add_score(&s, a, PVG_CONTROL_ROWS));
        PVGI_TRY(
            pvgi_audit_score_rows(s, a, c->rows, c->row_columns, row_metric, c->asked));
    }
    return PVG_OK;
}

int32_t pvgi_audit_links(const pvgi_attack_call *asked, pvgi_score_fn score,
                         void *context, const pvg_attack_config *config,
                         int32_t row_metric, pvgi_run *run) {
    int32_t status = PVG_OK;
    pvg_attack *a = NULL;
    double *scores;
    /* on the heap: a score may be a training, which needs the stack */
    pvgi_stream *call = pvgi_alloc(1, sizeof *call);
    if (!call) return pvgi_fail_nomem();
    PVGI_TRY_DONE(pvgi_rng_stream_open(call, asked->rng));
    PVGI_TRY_DONE(pvgi_audit_questions(&a, asked->truth, config, call));
    a->about_pairs = true;
    PVGI_TRY_DONE(pvgi_audit_add_score(&scores, a, PVG_CONTROL_NONE));
    pvgi_run_phase(run, 0, .8);
    PVGI_TRY_DONE(score(context, scores, a, config, run));
    for (int64_t i = 0; i < a->count; i++)
        if (isnan(scores[i])) {
            status = pvgi_fail(PVG_E_NUMERIC,
                               "%s: the score of question %lld is not a "
                               "number",
                               asked->name, (long long)i);
            goto done;
        }
    PVGI_TRY_DONE(add_controls(a, asked->truth, config, row_metric));
    pvgi_run_phase(run, .8, .2);
    PVGI_TRY_DONE(pvgi_audit_attack_judge(a, config, call, run));
    *asked->out = a;
    a = NULL;
done:
    pvgi_free(call); /* wiped */
    pvgi_audit_attack_free(a);
    return status;
}
