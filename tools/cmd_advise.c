/* privgraph advise: which release for which task and budget, from what was measured.
 *
 * The table is studies/results/advice.csv, built in at compile time. Of a task, rows at
 * the largest measured epsilon that is not above the one asked for, of the sets most like
 * the data: least |ln nodes ratio| + |ln degree ratio|. Reads no data. */
#include "tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *task, *release, *command, *set, *measure;
    double nodes, degree, epsilon;
    double without; /* NAN: there is nothing to compare with */
    double value, interval, exact;
    int useful;
} advice_row;

#include "advice.h"

enum { SHOWN = 2 }; /* sets */

static const struct {
    const char *word, *says;
} tasks[] = {{"classes", "classes of nodes from features, labels and private edges"},
             {"degrees", "the degree distribution"},
             {"triangles", "the number of triangles"},
             {"graph", "a graph that has the numbers of the private one"},
             {"edges", "which edges there are"},
             {"graphs", "rows of numbers to classify whole graphs by"}};

static const char *task;
static int64_t order;
static double degree = 10.0;

static const option advice_list[] = {
    {"task", 0, OPTION_TEXT, "WORD", &task,
     "what the release is for: classes, degrees, triangles, graph, edges or graphs "
     "(default: all)"},
    {"order", 0, OPTION_WHOLE, "N", &order, "number of nodes (of one graph)"},
    {"degree", 0, OPTION_REAL, "D", &degree,
     "about how many neighbours a node has, a guess that need not come from the data "
     "(default 10)"},
    {0},
};
static const option_group advice_options = {"Data", advice_list};

/* --- choosing ---------------------------------------------------------------------- */

static double unlike(const advice_row *row) {
    return fabs(log(row->nodes / (double)order)) + fabs(log(row->degree / degree));
}

/* The largest epsilon that was measured for a task and is not above the one asked for,
 * or the smallest there is. */
static double epsilon_of(const char *word) {
    double best = 0.0, least = INFINITY;
    for (size_t i = 0; i < COUNT_OF(advice_rows); i++) {
        const advice_row *row = &advice_rows[i];
        if (strcmp(row->task, word) != 0) continue;
        if (row->epsilon <= budget_epsilon() * (1.0 + 1e-9) && row->epsilon > best)
            best = row->epsilon;
        if (row->epsilon < least) least = row->epsilon;
    }
    return best > 0.0 ? best : least;
}

/* The sets most like the data, of one task at one epsilon: first of all the nearest. */
static int nearest(const char *out[SHOWN], const char *word, double epsilon) {
    int count = 0;
    for (; count < SHOWN; count++) {
        const advice_row *best = NULL;
        for (size_t i = 0; i < COUNT_OF(advice_rows); i++) {
            const advice_row *row = &advice_rows[i];
            bool had = strcmp(row->task, word) != 0 || row->epsilon != epsilon;
            for (int k = 0; k < count; k++) had = had || !strcmp(out[k], row->set);
            if (!had && (!best || unlike(row) < unlike(best))) best = row;
        }
        if (!best) break;
        out[count] = best->set;
    }
    return count;
}

/* Whether a smaller value is the better one. */
static bool is_error(const advice_row *row) {
    return row->exact == 0.0;
}

/* The best release for a task on one set. */
static const advice_row *best_on(const char *word, const char *set, double epsilon) {
    const advice_row *best = NULL;
    for (size_t i = 0; i < COUNT_OF(advice_rows); i++) {
        const advice_row *row = &advice_rows[i];
        if (strcmp(row->task, word) != 0 || strcmp(row->set, set) != 0 ||
            row->epsilon != epsilon)
            continue;
        if (!best ||
            (is_error(row) ? row->value < best->value : row->value > best->value))
            best = row;
    }
    return best;
}

/* --- saying ------------------------------------------------------------------------ */

static void add(table *t, const advice_row *row, bool useful) {
    table_text(t, row->task);
    table_text(t, useful ? row->release : "nothing useful");
    table_text(t, useful ? row->command : NULL);
    table_text(t, row->set);
    table_real(t, row->epsilon);
    table_text(t, row->measure);
    if (isnan(row->without))
        table_text(t, NULL);
    else
        table_real(t, row->without);
    table_real(t, row->value);
    table_real(t, row->interval);
    table_real(t, row->exact);
}

/* Useful if it was on every set that is shown. */
static bool advise(table *t, const char *word) {
    const char *sets[SHOWN] = {NULL};
    const double epsilon = epsilon_of(word);
    const int count = nearest(sets, word, epsilon);
    bool useful = count > 0 && epsilon <= budget_epsilon() * (1.0 + 1e-9);
    for (int k = 0; k < count; k++)
        useful = useful && best_on(word, sets[k], epsilon)->useful;
    for (int k = 0; k < count; k++) add(t, best_on(word, sets[k], epsilon), useful);
    if (epsilon > budget_epsilon() * (1.0 + 1e-9))
        note("%s: nothing was measured below epsilon %g", word, epsilon);
    return useful;
}

static void run(int count, char **operands) {
    static const char *const keys[][2] = {
        {"task", "task"},          {"release", "release"}, {"command", "command"},
        {"set", "measured on"},    {"epsilon", "epsilon"}, {"measure", "measure"},
        {"without", "without"},    {"value", "value"},     {"interval", "+-"},
        {"exact", "without noise"}};
    table *t = table_new();
    int good = 0, asked = 0;
    (void)count;
    (void)operands;
    if (order < 1) usage_error("--order is missing: the number of nodes");
    if (!(degree > 0.0)) usage_error("--degree must be positive");
    for (size_t i = 0; i < COUNT_OF(keys); i++) table_column(t, keys[i][0], keys[i][1]);
    for (size_t i = 0; i < COUNT_OF(tasks); i++)
        if (!task || !strcmp(task, tasks[i].word)) {
            good += advise(t, tasks[i].word);
            asked++;
        }
    if (!asked) usage_error("--task: there is no task '%s'", task);
    output *out = output_open(common_output);
    if (common_json) {
        json j = {.out = out};
        json_begin(&j, NULL, '{');
        json_whole(&j, "order", order);
        json_real(&j, "degree", degree);
        json_real(&j, "epsilon", budget_epsilon());
        table_json(t, &j, "advice");
        json_end(&j, '}');
    } else {
        table_print(t, out);
    }
    output_commit_one(out);
    note("%d of %d tasks are worth a release of epsilon %g, going by the sets most like "
         "%lld nodes of degree %g; yours may differ",
         good, asked, budget_epsilon(), (long long)order, degree);
    table_free(t);
}

const command command_advise = {
    .name = "advise",
    .operands = "",
    .summary = "which release for which task and budget, from what was measured",
    .text = "Tells, for each task, which release did best on the measured sets that are "
            "most like the data, at the largest measured epsilon that is not above the "
            "one given: what it gave, what is had without private edges, what there is "
            "without noise. If it was not worth while there, the advice is to release "
            "nothing. The table is that of the page 'What should I publish?'; reads no "
            "data and spends nothing. 'privgraph preview' tells the noise itself.",
    .groups = {&epsilon_options, &advice_options, &common_options},
    .examples = {{"privgraph advise --order 20000 --degree 15 --epsilon 1", "all tasks"},
                 {"privgraph advise --task edges --order 3000 -e 1", "nothing useful"}},
    .run = run,
};
