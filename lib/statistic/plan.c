/* What a statistic can tell, before anything is drawn: noise against range.
 *
 * Each kind tells range, change and noise of a column from the laws it draws with, for
 * any order and for scales divided by a factor. From these: the verdict; the least
 * epsilon, all else equal, at which noise is below the range (the factor is doubled or
 * halved until it crosses and bisected; the curve term of the guarantee turns it into
 * epsilon); and the least order, where the statistic is not made for one. Ranges grow
 * with the order faster than the noise does, so that is bisected too. Some 100
 * evaluations per number. */
#include "statistic_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const int64_t lines_most = INT64_C(1) << 20, order_most = INT64_C(0x7FFFFFFF);

typedef struct {
    const pvg_statistic *part; /* not joined */
    int64_t column, order, common;
    pvg_curve_term spent; /* by all of the release */
    double delta;
} question;

static pvgi_statistic_line ask(const question *q, int64_t order, double times) {
    pvgi_statistic_line line;
    q->part->kind->plan(&line, q->part, q->column, order, q->common, times);
    return line;
}

static bool tells(const question *q, int64_t order, double times) {
    const pvgi_statistic_line line = ask(q, order, times);
    return line.noise * (1.0 + 0x1p-30) < line.range;
}

static double least_epsilon(const question *q) {
    double low = 1.0, high = 1.0;
    while (high < 0x1p60 && !tells(q, q->order, high)) low = high, high *= 2.0;
    while (low > 0x1p-60 && tells(q, q->order, low)) high = low, low *= 0.5;
    while (high > low * (1.0 + 0x1p-40)) {
        const double middle = 0.5 * (low + high);
        *(tells(q, q->order, middle) ? &high : &low) = middle;
    }
    pvg_curve_term term = q->spent;
    double *parameter = pvgi_mechanism_term_parameter(&term);
    *parameter *= term.kind == PVG_CURVE_ZCDP ? high * high : high;
    if (!isfinite(*parameter)) return INFINITY;
    return pvgi_mechanism_terms_epsilon(&term, 1, q->delta) * (1.0 + 0x1p-38);
}

/* 0: made for one order, or nothing up to 2^31 - 1. */
static int64_t least_order(const question *q) {
    int64_t low = 0, high = 1;
    if (q->part->fixed) return 0;
    while (high < order_most && !tells(q, high, 1.0)) {
        low = high;
        high = high < order_most / 2 ? 2 * high : order_most;
    }
    if (!tells(q, high, 1.0)) return 0;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        *(tells(q, middle, 1.0) ? &high : &low) = middle;
    }
    return high;
}

static void fill(pvg_tradeoff_line *out, const question *q) {
    const pvgi_statistic_line line = ask(q, q->order, 1.0);
    *out = (pvg_tradeoff_line){.size = sizeof *out,
                               .range = line.range,
                               .sensitivity = line.change,
                               .noise = line.noise};
    pvgi_tradeoff_judge(out);
    const bool constant = out->verdict == PVG_VERDICT_CONSTANT;
    out->epsilon_min = constant ? INFINITY : least_epsilon(q);
    out->order_min = least_order(q);
}

/* Lines of one part: its columns, in each of `rows` rows. */
static void fill_part(pvg_tradeoff *out, int64_t first, question *q, int64_t rows) {
    const int64_t columns = q->part->columns;
    for (int64_t k = 0; k < columns; k++) {
        pvg_tradeoff_line *line = &out->line[first + k];
        char word[PVGI_TRADEOFF_LABEL];
        q->column = k;
        /* one law, and no other order to ask about: ranks are not all worked out */
        const pvgi_statistic_line now = ask(q, q->order, 1.0);
        const bool same = q->part->fixed && k > 0 && line[-1].range == now.range &&
                          line[-1].noise == now.noise &&
                          line[-1].sensitivity == now.change;
        if (same)
            *line = line[-1];
        else
            fill(line, q);
        q->part->kind->label(word, q->part, k);
        for (int64_t r = 0; r < rows; r++) {
            char *label = out->label[first + r * columns + k];
            out->line[first + r * columns + k] = *line;
            if (rows == 1)
                memcpy(label, word, sizeof word);
            else
                snprintf(label, PVGI_TRADEOFF_LABEL, "%.20s, row %lld", word,
                         (long long)r);
        }
    }
}

int32_t pvgi_statistic_tradeoff(pvg_tradeoff **out, const pvg_statistic *statistic,
                                int64_t order, int64_t common) {
    const char *function = "pvg_statistic_tradeoff";
    const int64_t parts = pvgi_statistic_joined_parts(statistic);
    question q = {.order = order,
                  .common = common,
                  .spent = statistic->guarantee.spent,
                  .delta = statistic->guarantee.delta};
    if (statistic->columns > lines_most)
        return pvgi_fail(PVG_E_LIMIT, "%s: more than 2^20 numbers", function);
    PVGI_TRY(pvgi_tradeoff_new(out, statistic->columns));
    (*out)->order = order;
    (*out)->target = (pvg_target){.size = sizeof(pvg_target), .delta = q.delta};
    (*out)->target.epsilon = pvgi_mechanism_terms_epsilon(&q.spent, 1, q.delta);
    if (parts == 0) {
        q.part = statistic;
        fill_part(*out, 0, &q, 1);
    }
    for (int64_t i = 0, first = 0; i < parts; i++) {
        int64_t at;
        q.part = pvgi_statistic_joined_part(statistic, i, &at);
        fill_part(*out, first, &q, q.part->rows);
        first += q.part->rows * q.part->columns;
    }
    return PVG_OK;
}
