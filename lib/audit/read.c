/* Reading what was released: a graph, lists, states of nodes, single values.
 *
 * States S = A x + noise with public messages x: <S_u, x_v> + <S_v, x_u>, the sufficient
 * statistic of the game about one edge if noise is Gaussian and the same everywhere. A
 * graph or lists: how often the pair stands in them, which orders pairs by their
 * posterior where all pairs answer with the same chances. */
#include "audit_internal.h"

#include <string.h>

static double product(const double *a, const double *b, int64_t n) {
    double sum = 0;
    for (int64_t j = 0; j < n; j++) sum += a[j] * b[j];
    return sum;
}

int32_t pvgi_audit_states(void *context, double *scores, const pvg_attack *a,
                          const pvg_attack_config *config, pvgi_run *run) {
    const pvgi_states_attack *s = context;
    (void)config;
    (void)run;
    for (int64_t i = 0; i < a->count; i++) {
        const int64_t u = a->first[i], v = a->second[i];
        scores[i] =
            product(s->states + u * s->stride, s->messages + v * s->columns, s->columns) +
            product(s->states + v * s->stride, s->messages + u * s->columns, s->columns);
    }
    return PVG_OK;
}

/* How often v is in the ascending row. */
static double times(const int32_t *row, int64_t count, int64_t v) {
    int64_t low = 0, high = count, found = 0;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (row[middle] < v)
            low = middle + 1;
        else
            high = middle;
    }
    while (low + found < count && row[low + found] == v) found++;
    return (double)found;
}

int32_t pvgi_audit_released(void *context, double *scores, const pvg_attack *a,
                            const pvg_attack_config *config, pvgi_run *run) {
    const pvgi_content *content = context;
    const int64_t *offsets =
        content->graph ? content->graph->offsets : content->lists->offsets;
    const int32_t *columns =
        content->graph ? content->graph->columns : content->lists->targets;
    (void)config;
    (void)run;
    for (int64_t i = 0; i < a->count; i++)
        for (int end = 0; end < 2; end++) {
            const int64_t u = end ? a->second[i] : a->first[i];
            const int64_t v = end ? a->first[i] : a->second[i];
            scores[i] += times(columns + offsets[u], offsets[u + 1] - offsets[u], v);
        }
    return PVG_OK;
}

/* --- single values ------------------------------------------------------------------ */

static bool holds(const pvg_features *x, int64_t row, int64_t column) {
    return pvgi_graph_row_find(x->indices + x->offsets[row],
                               x->offsets[row + 1] - x->offsets[row],
                               (int32_t)column) >= 0;
}

static bool is_asked(const int32_t *asked, int64_t row) {
    return !asked || asked[row];
}

/* Entries that are there, each with the same chance. */
static void ask_entries(pvg_attack *a, const pvg_features *x, const int32_t *asked,
                        int64_t all, int64_t wanted, pvgi_stream *stream) {
    int64_t left = all;
    for (int64_t v = 0; v < x->rows && wanted > 0; v++) {
        if (!is_asked(asked, v)) continue;
        for (int64_t e = x->offsets[v]; e < x->offsets[v + 1] && wanted > 0; e++) {
            if (pvgi_rng_draw_below(stream, (uint64_t)left) < (uint64_t)wanted) {
                pvgi_audit_ask(a, v, x->indices[e], PVG_NEGATIVES_NONE);
                wanted--;
            }
            left--;
        }
    }
}

/* Entries that are not: anywhere, or in the column of an entry that is. */
static void ask_others(pvg_attack *a, const pvg_features *x, const int32_t *asked,
                       int32_t kind, int64_t wanted, pvgi_stream *stream) {
    enum { TRIES = 1000 };
    for (int64_t i = 0; i < wanted; i++) {
        int64_t row = 0, column = 0, t = 0;
        for (; t < TRIES; t++) {
            row = (int64_t)pvgi_rng_draw_below(stream, (uint64_t)x->rows);
            column =
                kind == PVG_NEGATIVES_UNIFORM
                    ? (int64_t)pvgi_rng_draw_below(stream, (uint64_t)x->columns)
                    : a->second[pvgi_rng_draw_below(stream, (uint64_t)a->positive_count)];
            if (is_asked(asked, row) && !holds(x, row, column)) break;
        }
        if (t == TRIES) return;
        pvgi_audit_ask(a, row, column, kind);
    }
}

static int32_t score_values(pvg_attack *a, const double *values, const pvg_features *x) {
    double *scores, *shares;
    PVGI_TRY(pvgi_audit_add_score(&scores, a, PVG_CONTROL_NONE));
    for (int64_t i = 0; i < a->count; i++)
        scores[i] = values[a->first[i] * x->columns + a->second[i]];
    PVGI_TRY(pvgi_audit_add_score(&shares, a, PVG_CONTROL_SHARES));
    double *counts = pvgi_alloc_zero((size_t)x->columns, sizeof *counts);
    if (!counts) return pvgi_fail_nomem();
    for (int64_t e = 0; e < x->offsets[x->rows]; e++) counts[x->indices[e]]++;
    for (int64_t i = 0; i < a->count; i++) shares[i] = counts[a->second[i]];
    pvgi_free(counts);
    return PVG_OK;
}

int32_t pvgi_audit_values(pvg_attack **out, const double *values, const pvg_features *x,
                          const pvg_attack_config *config, pvg_rng *rng, pvgi_run *run) {
    int64_t all = 0, rows = 0;
    int32_t status = PVG_OK;
    pvg_attack *a = NULL;
    pvgi_stream call, stream;
    for (int64_t v = 0; v < x->rows; v++)
        if (is_asked(config->asked, v)) {
            all += x->offsets[v + 1] - x->offsets[v];
            rows++;
        }
    if (all == 0)
        return pvgi_fail(PVG_E_ARGUMENT, "pvg_attack_values: truth has no entry that may "
                                         "be asked about");
    const int64_t positives = config->positives < all ? config->positives : all;
    const int64_t negatives = config->negatives ? config->negatives : positives;
    PVGI_TRY(pvgi_rng_stream_open(&call, rng));
    PVGI_TRY_DONE(pvgi_audit_attack_new(&a, positives + 2 * negatives, x->rows));
    a->prevalence = (double)all / (double)rows / (double)x->columns;
    for (int32_t kind = PVG_NEGATIVES_NONE; kind < PVGI_NEGATIVE_KINDS; kind++) {
        if (kind == PVG_NEGATIVES_TWO_HOP) continue;
        pvgi_rng_stream_open_chunk(&stream, &call, (uint64_t)(kind + 1));
        if (kind == PVG_NEGATIVES_NONE)
            ask_entries(a, x, config->asked, all, positives, &stream);
        else
            ask_others(a, x, config->asked, kind, negatives, &stream);
        pvgi_rng_stream_close(&stream);
    }
    PVGI_TRY_DONE(score_values(a, values, x));
    PVGI_TRY_DONE(pvgi_audit_attack_judge(a, config, &call, run));
    *out = a;
    a = NULL;
done:
    pvgi_rng_stream_close(&call);
    pvgi_audit_attack_free(a);
    return status;
}
