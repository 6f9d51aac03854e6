/* What releases were worth on measured sets, and which of these sets are most like some
 * data. The table is studies/results/advice.csv, built in at compile time.
 *
 * Of each set the best release at its largest measured epsilon that is not above the one
 * asked for; of these the sets most like the data: least |ln nodes ratio| + |ln degree
 * ratio| + 4 |difference of homophily|, where that is told, and the next one unless it is
 * much farther. */
#include "preview_internal.h"

#include <math.h>
#include <string.h>

typedef struct {
    const char *task, *release, *command, *set, *measure;
    double nodes, degree;
    double homophily; /* NAN: not of this task */
    double epsilon;
    double without; /* NAN: there is nothing to compare with */
    double empty;   /* the same on a graph without edges; NAN: not measured */
    double value, interval;
    double exact; /* NAN: not measured */
    int useful;
} advice_row;

#include "advice_table.h"

enum { SHOWN = 2, ROWS = (int)(sizeof advice_rows / sizeof *advice_rows) };
static const double SLACK = 1.5; /* by which a set may be less like than the nearest */
static const double ROUNDED = 1.0 + 1e-9;
static const char *const tasks[] = {"classes", "degrees", "triangles",
                                    "graph",   "edges",   "graphs"};

static double unlike(const advice_row *row, const pvg_advice_config *c) {
    const double mixed = !c->homophily_told || isnan(row->homophily)
                             ? 0.0
                             : fabs(row->homophily - c->homophily);
    return fabs(log(row->nodes / (double)c->order)) + fabs(log(row->degree / c->degree)) +
           4.0 * mixed;
}

static double least_epsilon(const char *task) {
    double least = INFINITY;
    for (int i = 0; i < ROWS; i++)
        if (!strcmp(advice_rows[i].task, task))
            least = fmin(least, advice_rows[i].epsilon);
    return least;
}

/* By epsilon first; of errors the smaller is the better one. */
static bool is_better(const advice_row *a, const advice_row *b) {
    if (a->epsilon != b->epsilon) return a->epsilon > b->epsilon;
    return a->exact == 0.0 ? a->value < b->value : a->value > b->value;
}

/* The best release for a task on one set that a budget allows. */
static const advice_row *best_on(const char *task, const char *set, double budget) {
    const advice_row *best = NULL;
    for (int i = 0; i < ROWS; i++) {
        const advice_row *row = &advice_rows[i];
        if (!strcmp(row->task, task) && !strcmp(row->set, set) &&
            row->epsilon <= budget && (!best || is_better(row, best)))
            best = row;
    }
    return best;
}

/* The sets most like the data, of one task: first of all the nearest. */
static int nearest(const advice_row *out[SHOWN], const char *task,
                   const pvg_advice_config *c, double budget) {
    int count = 0;
    for (; count < SHOWN; count++) {
        const advice_row *best = NULL;
        for (int i = 0; i < ROWS; i++) {
            const advice_row *row = &advice_rows[i];
            bool had = strcmp(row->task, task) != 0 || row->epsilon > budget;
            for (int k = 0; k < count; k++) had = had || !strcmp(out[k]->set, row->set);
            if (!had && (!best || unlike(row, c) < unlike(best, c))) best = row;
        }
        if (!best || (count && unlike(best, c) > unlike(out[0], c) + SLACK)) break;
        out[count] = best_on(task, best->set, budget);
    }
    return count;
}

static void put_text(pvgi_text *text, const char *key, const char *value) {
    pvgi_text_format(text, ",\"%s\":", key);
    if (value)
        pvgi_text_json_string(text, value);
    else
        pvgi_text_format(text, "null");
}

static void put_number(pvgi_text *text, const char *key, double value) {
    pvgi_text_format(text, ",\"%s\":", key);
    if (isnan(value))
        pvgi_text_format(text, "null");
    else
        pvgi_text_json_number(text, value);
}

static void put_row(pvgi_text *text, const advice_row *row, bool first) {
    pvgi_text_format(text, "%s{\"task\":\"%s\"", first ? "" : ",", row->task);
    put_text(text, "release", row->release);
    put_text(text, "command", row->command);
    put_text(text, "set", row->set);
    put_number(text, "nodes", row->nodes);
    put_number(text, "degree", row->degree);
    put_number(text, "homophily", row->homophily);
    put_number(text, "epsilon", row->epsilon);
    put_text(text, "measure", row->measure);
    put_number(text, "without", row->without);
    put_number(text, "empty", row->empty);
    put_number(text, "value", row->value);
    put_number(text, "interval", row->interval);
    put_number(text, "exact", row->exact);
    pvgi_text_format(text, ",\"useful\":%s}", row->useful ? "true" : "false");
}

/* Useful if it was on every set that is shown. */
static void put_task(pvgi_text *text, const char *task, const pvg_advice_config *c) {
    const advice_row *near[SHOWN] = {NULL};
    const double least = least_epsilon(task), budget = c->epsilon * ROUNDED;
    const int count = c->all ? 0 : nearest(near, task, c, fmax(budget, least));
    bool useful = count > 0 && least <= budget, first = true;
    for (int k = 0; k < count; k++) useful = useful && near[k]->useful;
    pvgi_text_format(text, "{\"task\":\"%s\",\"hides\":\"one link\",\"useful\":%s", task,
                     useful ? "true" : "false");
    put_text(text, "release", useful ? near[0]->release : NULL);
    put_text(text, "command", useful ? near[0]->command : NULL);
    put_number(text, "least_epsilon", least);
    pvgi_text_format(text, ",\"evidence\":[");
    for (int k = 0; k < count; k++) put_row(text, near[k], k == 0);
    for (int i = 0; c->all && i < ROWS; i++)
        if (!strcmp(advice_rows[i].task, task)) {
            put_row(text, &advice_rows[i], first);
            first = false;
        }
    pvgi_text_format(text, "]}");
}

bool pvgi_preview_advice_known(const char *task) {
    for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++)
        if (!strcmp(task, tasks[i])) return true;
    return false;
}

void pvgi_preview_advice_describe(pvgi_text *text, const pvg_advice_config *c) {
    bool first = true;
    pvgi_text_format(text, "{\"advice\":[");
    for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++) {
        if (c->task && strcmp(c->task, tasks[i])) continue;
        if (!first) pvgi_text_format(text, ",");
        first = false;
        put_task(text, tasks[i], c);
    }
    pvgi_text_format(text, "]}");
}
