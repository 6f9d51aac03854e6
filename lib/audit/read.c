/* Reading what was released: a graph, lists, states of nodes, single values.
 *
 * States S = A x + noise with public messages x: <S_u, x_v> + <S_v, x_u>, the sufficient
 * statistic of the game about one edge if noise is Gaussian and the same everywhere. A
 * graph or lists: how often the pair stands in them, which orders pairs by their
 * posterior where all pairs answer with the same chances. In DPRR (perturb/dprr.c) they
 * do not: with the query known, the logarithm of the posterior odds. */
#include "audit_internal.h"
#include "perturb/perturb_internal.h"

#include <math.h>
#include <string.h>

static double product(const double *a, const double *b, int64_t n) {
    double sum = 0;
    for (int64_t j = 0; j < n; j++) sum += a[j] * b[j];
    return sum;
}

typedef struct {
    const double *states, *messages;
    int64_t stride, columns;
} states_attack;

static int32_t score_states(void *context, double *scores, pvg_attack *a,
                            const pvg_attack_config *config, pvgi_run *run) {
    const states_attack *s = context;
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

int32_t pvgi_audit_links_states(const pvgi_attack_call *call, const pvg_release *release,
                                const double *messages, int64_t columns) {
    const char *name = call->name;
    pvg_attack_config own;
    pvgi_run running;
    if (!release) return pvgi_fail_null(name, "release");
    if (!messages) return pvgi_fail_null(name, "messages");
    PVGI_TRY(pvgi_audit_begin(&own, &running, call));
    const pvgi_content *content = &release->content;
    const int64_t order = call->truth->order;
    PVGI_REQUIRE(content->values && content->rows == order,
                 "%s: the release does not have a row for each of %lld nodes", name,
                 (long long)order);
    PVGI_REQUIRE(columns >= 1 && columns <= content->columns,
                 "%s: columns is not in [1, columns of the release]", name);
    PVGI_TRY(pvgi_audit_check_finite(name, "messages", messages, order, columns));
    int32_t metric = PVG_METRIC_COSINE;
    if (!own.rows) {
        own.rows = messages;
        own.row_columns = columns;
        metric = PVG_METRIC_DOT;
    }
    states_attack attack = {content->values, messages, content->columns, columns};
    return pvgi_audit_links(call, score_states, &attack, &own, metric, &running);
}

/* --- a graph or lists -------------------------------------------------------------- */

typedef struct {
    const int64_t *offsets;
    const int32_t *columns;
    int64_t order;
    /* DPRR; lie 0: the same chances for all pairs. rate: edges for each candidate */
    pvgi_dprr_law law;
    double rate;
} read_attack;

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

/* The list of u itself: in a graph of owned lists, entries with higher numbers. */
static int64_t own_list(const int32_t **row, const read_attack *r, int64_t u,
                        double *candidates) {
    int64_t length = r->offsets[u + 1] - r->offsets[u];
    *row = r->columns + r->offsets[u];
    *candidates = (double)(r->law.owned ? r->order - 1 - u : r->order - 1);
    while (r->law.owned && length > 0 && (*row)[0] < u) {
        ++*row;
        length--;
    }
    return length;
}

/* Edges for each candidate: E[length] = d. */
static double mean_rate(const read_attack *r) {
    const int32_t *row;
    double candidates, lengths = 1, all = 2; /* never 0 nor 1 */
    for (int64_t u = 0; u < r->order; u++) {
        lengths += (double)own_list(&row, r, u, &candidates);
        all += candidates;
    }
    return lengths / all;
}

/* Log of prior odds, and of how much likelier the answer of u about v is for an edge. The
 * prior is the best linear guess of the degree from the length of the list, if degrees
 * are geometric, of variance m + m^2, and lengths differ from them by the noise and as
 * many independent entries do. The rate at which answers were kept follows from the noisy
 * degree, which the length tells best. */
static double log_odds(const read_attack *r, int64_t u, int64_t v) {
    const int32_t *row;
    double candidates;
    const double length = (double)own_list(&row, r, u, &candidates);
    const bool there = times(row, (int64_t)length, v) > 0;
    const double mean = r->rate * candidates;
    const double variance = mean + mean * mean;
    const double weight = variance / (variance + r->law.degree_variance + mean);
    const double guess = fmax(mean + weight * (length - mean), .5 * mean);
    const double d = fmin(guess, .75 * candidates);
    const double lie = r->law.lie;
    const double most = r->law.whole ? (double)(r->order - 1) : candidates;
    const double counted =
        r->law.whole ? (double)(r->offsets[u + 1] - r->offsets[u]) : length;
    const double base = counted * (1 - 2 * lie) + most * lie;
    const double q = fmin(1, counted / base);
    const double yes = (1 - lie) * q, no = lie * q;
    /* both ends tell of the same prior: half of each */
    return (r->law.owned ? 1 : .5) * log(d / (candidates - d)) +
           (there ? log((1 - lie) / lie) : log((1 - yes) / (1 - no)));
}

static int32_t score_released(void *context, double *scores, pvg_attack *a,
                              const pvg_attack_config *config, pvgi_run *run) {
    const read_attack *r = context;
    (void)config;
    (void)run;
    for (int64_t i = 0; i < a->count; i++)
        for (int end = 0; end < 2; end++) {
            const int64_t u = end ? a->second[i] : a->first[i];
            const int64_t v = end ? a->first[i] : a->second[i];
            if (r->law.lie == 0)
                scores[i] += times(r->columns + r->offsets[u],
                                   r->offsets[u + 1] - r->offsets[u], v);
            else if (!r->law.owned || u < v)
                scores[i] += log_odds(r, u, v);
        }
    return PVG_OK;
}

int32_t pvgi_audit_links_release(const pvgi_attack_call *call,
                                 const pvg_release *release) {
    const char *name = call->name;
    pvg_attack_config own;
    pvgi_run running;
    if (!release) return pvgi_fail_null(name, "release");
    PVGI_TRY(pvgi_audit_begin(&own, &running, call));
    const pvgi_content *content = &release->content;
    PVGI_REQUIRE(content->graph || content->lists,
                 "%s: the release holds neither a graph nor lists", name);
    const int64_t order = content->graph ? content->graph->order : content->lists->order;
    PVGI_REQUIRE(order == call->truth->order,
                 "%s: the release has %lld nodes, truth %lld", name, (long long)order,
                 (long long)call->truth->order);
    read_attack attack = {
        content->graph ? content->graph->offsets : content->lists->offsets,
        content->graph ? content->graph->columns : content->lists->targets,
        order,
        {.lie = 0},
        0};
    const pvg_perturber *made_by = NULL;
    if (own.query) {
        PVGI_TRY(pvgi_query_answers(name, own.query, release));
        made_by =
            own.query->kind->frame == PVGI_FRAME_PERTURBED ? own.query->state : NULL;
    }
    if (made_by && pvgi_perturb_dprr_law(&attack.law, made_by, order)) {
        PVGI_REQUIRE(attack.law.owned == (content->graph != NULL),
                     "%s: config->query does not make such a release", name);
        attack.rate = mean_rate(&attack);
    }
    return pvgi_audit_links(call, score_released, &attack, &own, PVG_METRIC_COSINE,
                            &running);
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
        pvgi_rng_stream_open_chunk(&stream, &call, (uint64_t)kind + 1);
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
