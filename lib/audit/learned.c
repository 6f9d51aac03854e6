/* Attacks that learn: a network judges pairs by what their rows have in common, trained
 * on pairs of other nodes.
 *
 * Attack-3 of He et al. 2021: average, product, |difference| and its square of the rows,
 * eight distances, the same four of their entropies; `dense 32 relu drop .5 | dense 32
 * relu drop .5`. Directions: cosine of rows and of features, |difference| and product in
 * 32 public random directions. Training questions are made as the questions asked are,
 * among the nodes the attacker knows, all kinds of negatives together; a fifth of them
 * stops the training. The control CHANCE is the same with random rows: what is left of an
 * attack when the rows tell nothing. */
#include "audit_internal.h"
#include "learn/learn_internal.h"

#include <math.h>
#include <string.h>

enum { DIRECTIONS = 32 };

static const int32_t distances[] = {PVG_METRIC_COSINE,      PVG_METRIC_EUCLIDEAN,
                                    PVG_METRIC_CORRELATION, PVG_METRIC_CHEBYSHEV,
                                    PVG_METRIC_BRAY_CURTIS, PVG_METRIC_CANBERRA,
                                    PVG_METRIC_CITY_BLOCK,  PVG_METRIC_EUCLIDEAN};
enum { DISTANCES = sizeof distances / sizeof distances[0] };

typedef struct {
    const double *rows;
    int64_t columns;
    int32_t kind; /* PVG_PAIRS_* */
    const int32_t *known;
    const pvg_graph *truth;
    pvg_rng *rng;
} learned_attack;

static double entropy(const double *row, int64_t n) {
    double sum = 0, total = 0;
    for (int64_t j = 0; j < n; j++) total += fabs(row[j]);
    for (int64_t j = 0; j < n && total > 0; j++) {
        const double p = fabs(row[j]) / total;
        if (p > 0) sum -= p * log(p);
    }
    return sum;
}

static double *four(double *out, double a, double b) {
    out[0] = .5 * (a + b);
    out[1] = a * b;
    out[2] = fabs(a - b);
    out[3] = (a - b) * (a - b);
    return out + 4;
}

static void describe_rows(double *out, const double *a, const double *b, int64_t n) {
    for (int64_t j = 0; j < n; j++) out = four(out, a[j], b[j]);
    for (int d = 0; d < DISTANCES; d++) {
        *out = pvgi_audit_compare(distances[d], a, b, NULL, n);
        if (d == DISTANCES - 1) *out *= *out; /* squared */
        /* of non-negative rows at most 1; of opposite ones infinite */
        if (distances[d] == PVG_METRIC_BRAY_CURTIS) *out = fmax(*out, -10);
        out++;
    }
    (void)four(out, entropy(a, n), entropy(b, n));
}

static double features_cosine(const pvg_features *x, int64_t u, int64_t v) {
    return x ? pvgi_audit_features_cosine(x, u, v) : 0;
}

/* rows in public directions, length 1 */
static int32_t project(double **out, const learned_attack *s, int64_t order,
                       pvgi_stream *stream) {
    const int64_t n = s->columns;
    double *map = pvgi_alloc((size_t)n, DIRECTIONS * sizeof *map);
    double *to = pvgi_alloc((size_t)order, DIRECTIONS * sizeof *to);
    if (!map || !to) {
        pvgi_free(map);
        pvgi_free(to);
        return pvgi_fail_nomem();
    }
    for (int64_t i = 0; i < n * DIRECTIONS; i++)
        map[i] = pvgi_rng_stream_word(stream) & 1 ? 1 : -1;
    memset(to, 0, (size_t)order * DIRECTIONS * sizeof *to);
    for (int64_t v = 0; v < order; v++) {
        double *row = to + v * DIRECTIONS, squares = 0;
        for (int64_t j = 0; j < n; j++) {
            const double x = s->rows[v * n + j];
            if (x == 0) continue;
            for (int d = 0; d < DIRECTIONS; d++) row[d] += x * map[j * DIRECTIONS + d];
        }
        for (int d = 0; d < DIRECTIONS; d++) squares += row[d] * row[d];
        for (int d = 0; d < DIRECTIONS && squares > 0; d++) row[d] /= sqrt(squares);
    }
    pvgi_free(map);
    *out = to;
    return PVG_OK;
}

static void describe(double *out, const learned_attack *s, const double *projected,
                     const pvg_features *features, int64_t u, int64_t v) {
    const int64_t n = s->columns;
    const double *a = s->rows + u * n, *b = s->rows + v * n;
    if (s->kind == PVG_PAIRS_DISTANCES) {
        describe_rows(out, a, b, n);
        return;
    }
    *out++ = pvgi_audit_compare(PVG_METRIC_COSINE, a, b, NULL, n);
    *out++ = features_cosine(features, u, v);
    for (int d = 0; d < DIRECTIONS; d++) {
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): made for this kind */
        const double x = projected[u * DIRECTIONS + d], y = projected[v * DIRECTIONS + d];
        *out++ = fabs(x - y);
        *out++ = x * y;
    }
}

static int32_t train(double *scores, const pvg_attack *a, const pvg_attack *known,
                     const learned_attack *s, const double *projected,
                     const pvg_attack_config *config, pvgi_run *run) {
    const int64_t rows = known->count + a->count;
    const int64_t columns = s->kind == PVG_PAIRS_DISTANCES
                                ? 4 * s->columns + DISTANCES + 4
                                : 2 + 2 * DIRECTIONS;
    const pvg_training_config training = {
        .epochs = 150, .rate = .01, .decay = 1e-4, .balance = 1, .patience = 30};
    const size_t capacity = pvgi_size_mul((size_t)rows, (size_t)(columns + 4));
    int32_t status = PVG_OK, *labels = NULL;
    double *x = NULL, *out = NULL;
    PVGI_TRY(pvgi_run_reserve(run, pvgi_size_mul(capacity, 2 * sizeof(double))));
    x = pvgi_alloc((size_t)rows, (size_t)columns * sizeof *x);
    out = pvgi_alloc((size_t)rows, 2 * sizeof *out);
    labels = pvgi_alloc((size_t)rows, 2 * sizeof *labels);
    if (!x || !out || !labels) {
        status = pvgi_fail_nomem();
        goto done;
    }
    for (int64_t i = 0; i < rows; i++) {
        const pvg_attack *from = i < known->count ? known : a;
        const int64_t at = i < known->count ? i : i - known->count;
        describe(x + i * columns, s, projected, config->features, from->first[at],
                 from->second[at]);
        const int32_t answer = from == known ? from->kinds[at] == PVG_NEGATIVES_NONE : -1;
        labels[i] = at % 5 == 4 ? -1 : answer;
        labels[rows + i] = at % 5 == 4 ? answer : -1;
    }
    pvgi_learn_standardise(x, rows, columns);
    PVGI_TRY_DONE(pvgi_learn_network_rows(
        out, "dense 32 relu drop .5 | dense 32 relu drop .5 | dense classes", x, rows,
        columns, labels, labels + rows, 2, &training, s->rng, run));
    for (int64_t i = 0; i < a->count; i++) scores[i] = out[2 * (known->count + i) + 1];
done:
    pvgi_free(x);
    pvgi_free(out);
    pvgi_free(labels);
    return status;
}

/* The same network on rows of random numbers. */
static int32_t add_chance(pvg_attack *a, const pvg_attack *known,
                          const learned_attack *attack, const pvg_attack_config *config,
                          pvgi_stream *stream, pvgi_run *run) {
    learned_attack s = *attack;
    int32_t status = PVG_OK;
    double *scores, *projected = NULL;
    if (s.kind == PVG_PAIRS_DIRECTIONS) s.columns = DIRECTIONS;
    double *rows = pvgi_alloc((size_t)a->order, (size_t)s.columns * sizeof *rows);
    if (!rows) return pvgi_fail_nomem();
    for (int64_t i = 0; i < a->order * s.columns; i++)
        rows[i] = pvgi_rng_draw_unit(stream) - .5;
    s.rows = rows;
    if (s.kind == PVG_PAIRS_DIRECTIONS)
        PVGI_TRY_DONE(project(&projected, &s, a->order, stream));
    PVGI_TRY_DONE(pvgi_audit_add_score(&scores, a, PVG_CONTROL_CHANCE));
    PVGI_TRY_DONE(train(scores, a, known, &s, projected, config, run));
done:
    pvgi_free(projected);
    pvgi_free(rows);
    return status;
}

static int32_t score_learned(void *context, double *scores, pvg_attack *a,
                             const pvg_attack_config *config, pvgi_run *run) {
    const learned_attack *s = context;
    pvg_attack_config mine = *config;
    int32_t status = PVG_OK;
    pvg_attack *known = NULL;
    double *projected = NULL;
    pvgi_stream *stream = pvgi_alloc(1, sizeof *stream);
    if (!stream) return pvgi_fail_nomem();
    mine.asked = s->known;
    mine.positives = 4 * config->positives;
    mine.negatives = 0;
    PVGI_TRY_DONE(pvgi_rng_stream_open(stream, s->rng));
    PVGI_TRY_DONE(pvgi_audit_questions(&known, s->truth, &mine, stream));
    if (s->kind == PVG_PAIRS_DIRECTIONS)
        PVGI_TRY_DONE(project(&projected, s, a->order, stream));
    PVGI_TRY_DONE(train(scores, a, known, s, projected, config, run));
    PVGI_TRY_DONE(add_chance(a, known, s, config, stream, run));
done:
    pvgi_free(stream); /* wiped */
    pvgi_audit_attack_free(known);
    pvgi_free(projected);
    return status;
}

int32_t pvgi_audit_links_learned(const pvgi_attack_call *call, const double *rows,
                                 int64_t columns, const int32_t *known) {
    const char *name = call->name;
    const pvg_graph *truth = call->truth;
    pvg_attack_config own;
    pvgi_run running;
    if (!rows) return pvgi_fail_null(name, "rows");
    if (!known) return pvgi_fail_null(name, "known");
    PVGI_TRY(pvgi_audit_begin(&own, &running, call));
    PVGI_REQUIRE(columns >= 1 && columns <= PVG_NETWORK_WIDTH_MAX,
                 "%s: columns is not in [1, %d]", name, PVG_NETWORK_WIDTH_MAX);
    PVGI_TRY(pvgi_audit_check_finite(name, "rows", rows, truth->order, columns));
    int32_t *asked = pvgi_alloc((size_t)truth->order, sizeof *asked);
    pvg_graph *none = NULL;
    int32_t status = PVG_OK;
    if (!asked) return pvgi_fail_nomem();
    for (int64_t v = 0; v < truth->order; v++)
        asked[v] = !known[v] && (!own.asked || own.asked[v]);
    own.asked = asked;
    if (!own.rows) {
        own.rows = rows;
        own.row_columns = columns;
    }
    if (!own.known) {
        PVGI_TRY_DONE(pvg_graph_from_edges(&none, truth->order, NULL, NULL, 0,
                                           PVG_EDGES_STRICT, NULL));
        own.known = none;
    }
    learned_attack attack = {rows, columns, own.pairs, known, truth, call->rng};
    status =
        pvgi_audit_links(call, score_learned, &attack, &own, PVG_METRIC_COSINE, &running);
done:
    pvgi_free(asked);
    pvg_graph_free(none);
    return status;
}
