/* Range against noise, before anything is paid: one line, and an end with code 3 where
 * noise is not below the public range of anything, at none of the orders there are.
 * Public numbers only, from the code that makes the release. */
#include "tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_MOST = 6 };

static bool anyway;

static const option visible[] = {
    {"anyway", 0, OPTION_FLAG, NULL, &anyway,
     "release although nothing can be seen in it: although noise is above the public "
     "range of every number. Without this nothing is then paid or written (exit code 3)"},
    {0},
};
const option_group visible_options = {"What can be seen", visible};

int64_t cost_limit;
bool cost_dry_run;

static const option costs[] = {
    {"time-limit", 0, OPTION_WHOLE, "SECONDS", &cost_limit,
     "refuse, before anything is paid, what counting may take longer for: by a bound "
     "from the numbers of nodes and --max-degree, which most graphs stay far below "
     "(default: no limit; above ten seconds it is said)"},
    {"dry-run", 0, OPTION_FLAG, NULL, &cost_dry_run,
     "say what can be seen and what counting may take, then end: nothing is counted, "
     "paid or written"},
    {0},
};
const option_group time_options = {"Time", costs};

enum { SAID_FROM = 10 /* seconds */ };

/* Kinds that count patterns only. */
static void say_cost(const pvg_query *query, const int64_t *orders, int64_t count) {
    double operations, seconds;
    const int32_t status = pvg_query_cost(&operations, &seconds, query, orders, count);
    if (status == PVG_E_ARGUMENT) return;
    must(status);
    if (cost_dry_run || seconds > SAID_FROM)
        note(
            "%scounting takes at most %.2g seconds on this machine, for the worst graphs "
            "of these sizes; --max-degree lowers that",
            seconds > SAID_FROM ? "warning: " : "", seconds);
}

/* The line with the largest (sign 1) or least (-1) ratio, no constant; -1: none. */
static int64_t extreme(const pvg_preview *preview, int sign) {
    int64_t found = -1;
    double most = 0.0;
    for (int64_t i = 0; i < pvg_preview_count(preview); i++) {
        const pvg_preview_line line = preview_line(preview, i);
        if (line.verdict == PVG_VERDICT_CONSTANT) continue;
        if (found < 0 || sign * line.ratio > most) {
            found = i;
            most = sign * line.ratio;
        }
    }
    return found;
}

static void say(const pvg_preview *preview, int64_t order) {
    const int64_t count = pvg_preview_count(preview);
    const int64_t picked[2] = {extreme(preview, 1), extreme(preview, -1)};
    char text[512] = "";
    size_t used = 0;
    if (picked[0] < 0) return;
    for (int64_t i = 0; i < (count <= SHOWN_MOST ? count : 2); i++) {
        const int64_t at = count <= SHOWN_MOST ? i : picked[i];
        char *name = preview_name(preview, at);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s%.40s %.3g",
                                 i ? ", " : "",
                                 count <= SHOWN_MOST ? ""
                                 : i                 ? "worst "
                                                     : "best ",
                                 name, preview_line(preview, at).ratio);
        free(name);
    }
    note("public range / noise for %lld nodes: %s; %lld of %lld can be seen",
         (long long)order, text, (long long)pvg_preview_informative(preview),
         (long long)count);
}

static _Noreturn void refuse(const pvg_preview *preview, int64_t order) {
    const int64_t best = extreme(preview, 1);
    const pvg_preview_line line = preview_line(preview, best);
    char *name = preview_name(preview, best);
    char epsilon[64] = "no epsilon shows it", nodes[64] = "";
    if (isfinite(line.epsilon_min))
        snprintf(epsilon, sizeof epsilon, "it needs --epsilon %.3g",
                 line.epsilon_min * 1.005);
    if (line.order_min > 0)
        snprintf(nodes, sizeof nodes, " or %lld nodes", (long long)line.order_min);
    fail(CODE_REFUSED,
         "nothing can be seen: noise is above the public range of everything. Best for "
         "%lld nodes: %.60s, range %.3g, noise %.3g; %s%s. Nothing was paid or written; "
         "--anyway releases it nevertheless",
         (long long)order, name, line.range, line.noise, epsilon, nodes);
}

static int descending(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x < y) - (x > y);
}

/* Says it; the preview at the largest order, NULL if there is none or it is private, and
 * whether anything can be seen at any order. */
static pvg_preview *look(bool *seen, visible_ask ask, const void *context,
                         const int64_t *orders, int64_t count) {
    int64_t *sorted = take((size_t)count, sizeof *sorted);
    pvg_preview *first = NULL;
    *seen = false;
    memcpy(sorted, orders, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, descending);
    for (int64_t i = 0; i < count && !*seen; i++) {
        pvg_preview *preview = NULL;
        if (sorted[i] == 0 || (i > 0 && sorted[i] == sorted[i - 1])) continue;
        check_cancelled();
        const int32_t status = ask(&preview, context, sorted[i]);
        if (status == PVG_E_PRIVACY) {
            note("the noise follows the private graph: how it compares with the range is "
                 "private");
            break;
        }
        must(status);
        *seen = pvg_preview_informative(preview) > 0 || extreme(preview, 1) < 0;
        if (!first) {
            first = preview;
            say(first, sorted[i]);
        } else {
            pvg_preview_free(preview);
        }
    }
    free(sorted);
    return first;
}

static int64_t largest(const int64_t *orders, int64_t count) {
    int64_t most = 0;
    for (int64_t i = 0; i < count; i++)
        if (orders[i] > most) most = orders[i];
    return most;
}

void visible_check(visible_ask ask, const void *context, const int64_t *orders,
                   int64_t count) {
    bool seen;
    pvg_preview *first = look(&seen, ask, context, orders, count);
    if (first && !seen && !anyway) refuse(first, largest(orders, count));
    pvg_preview_free(first);
}

void visible_check_some(const visible_part *parts, int count, int64_t order) {
    pvg_preview *first = NULL;
    bool any = false;
    for (int i = 0; i < count; i++) {
        bool seen;
        pvg_preview *one = look(&seen, parts[i].ask, parts[i].context, &order, 1);
        any |= seen;
        if (first) pvg_preview_free(one);
        if (!first) first = one;
    }
    if (first && !any && !anyway) refuse(first, order);
    pvg_preview_free(first);
}

static int32_t ask_query(pvg_preview **out, const void *query, int64_t order) {
    const pvg_preview_config config = {.size = sizeof config, .order = order};
    return pvg_query_preview(out, query, &config, run_begin("weighing", 1.0, "orders"));
}

/* Nodes of the graph, or of each graph of a set; else users. */
void visible_query(const pvg_query *query, const input *in) {
    const uint32_t reads = pvg_query_reads(query);
    const int64_t *starts = NULL, *offsets = NULL;
    const int32_t *neighbours = NULL;
    const bool set = reads & PVG_DATA_GRAPH && in->set;
    const int64_t count = set ? pvg_graphset_count(in->set) : 1;
    int64_t *orders = take((size_t)count, sizeof *orders);
    if (set) must(pvg_graphset_view_csr(&starts, &offsets, &neighbours, in->set));
    for (int64_t i = 0; i < count; i++)
        orders[i] = set                         ? starts[i + 1] - starts[i]
                    : reads & PVG_DATA_GRAPH    ? pvg_graph_order(in->graph)
                    : reads & PVG_DATA_LISTS    ? pvg_lists_persons(in->lists)
                    : reads & PVG_DATA_FEATURES ? pvg_features_rows(in->features)
                                                : pvg_labels_count(in->labels);
    visible_check(ask_query, query, orders, count);
    run_done();
    say_cost(query, orders, count);
    free(orders);
}
