/* What a statistic can tell, before anything is drawn: noise against range. Each kind
 * tells both of a column from the laws it draws with; preview/probe.c does the rest. */
#include "statistic_internal.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    const pvg_statistic *part; /* not joined */
    const pvgi_guess *guess;
} asked;

static void plan_at(pvgi_preview_point *out, const void *context, int64_t column,
                    int64_t order, double times) {
    const asked *a = context;
    a->part->kind->plan(out, a->part, column, order, a->guess, times);
}

/* Lines of one part: its columns, in each of `rows` rows. */
static void fill_part(pvg_preview *out, int64_t first, pvgi_preview_probe *probe,
                      int64_t rows) {
    const pvg_statistic *part = ((const asked *)probe->context)->part;
    const int64_t columns = part->columns;
    probe->fixed = part->fixed;
    for (int64_t k = 0; k < columns; k++) {
        pvg_preview_line *line = &out->line[first + k];
        char word[PVGI_PREVIEW_LABEL];
        probe->column = k;
        /* one law, and no other order to ask about: ranks are not all worked out */
        const pvgi_preview_point now = pvgi_preview_ask(probe, probe->order, 1.0);
        const bool same = part->fixed && k > 0 && line[-1].range == now.range &&
                          line[-1].noise == now.noise &&
                          line[-1].sensitivity == now.change;
        if (same)
            *line = line[-1];
        else
            pvgi_preview_fill(line, probe);
        part->kind->label(word, part, k);
        for (int64_t r = 0; r < rows; r++) {
            char *label = out->label[first + r * columns + k];
            out->line[first + r * columns + k] = *line;
            if (rows == 1)
                memcpy(label, word, sizeof word);
            else
                snprintf(label, PVGI_PREVIEW_LABEL, "%.20s, row %lld", word,
                         (long long)r);
        }
    }
}

int32_t pvgi_statistic_lines(pvg_preview **out, const pvg_statistic *statistic,
                             int64_t order, const pvgi_guess *guess, bool brief) {
    const int64_t parts = pvgi_statistic_joined_parts(statistic);
    asked a = {statistic, guess};
    pvgi_preview_probe probe = {.at = plan_at,
                                .context = &a,
                                .order = order,
                                .brief = brief,
                                .spent = statistic->guarantee.spent,
                                .delta = statistic->guarantee.delta};
    PVGI_TRY(pvgi_preview_begin(out, &probe, statistic->columns, "pvg_query_preview"));
    if (parts == 0) fill_part(*out, 0, &probe, 1);
    for (int64_t i = 0, first = 0; i < parts; i++) {
        int64_t at;
        a.part = pvgi_statistic_joined_part(statistic, i, &at);
        fill_part(*out, first, &probe, a.part->rows);
        first += a.part->rows * a.part->columns;
    }
    return PVG_OK;
}
