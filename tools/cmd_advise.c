/* privgraph advise: which release for which task and budget, from what was measured.
 *
 * The table is studies/results/advice.csv, built in at compile time. Of each set the best
 * release at its largest measured epsilon that is not above the one asked for; of these
 * the sets most like the data: least |ln nodes ratio| + |ln degree ratio| + 4 |difference
 * of homophily|, where that is told, and the next one unless it is much farther. Reads no
 * data. */
#include "tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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

#include "advice.h"

enum { SHOWN = 2 };              /* sets */
static const double SLACK = 1.5; /* by which they may be less like than the nearest */

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
static double degree = 10.0, homophily = NAN;

static const option advice_list[] = {
    {"task", 0, OPTION_TEXT, "WORD", &task,
     "what the release is for: classes, degrees, triangles, graph, edges or graphs "
     "(default: all)"},
    {"order", 0, OPTION_WHOLE, "N", &order, "number of nodes (of one graph)"},
    {"degree", 0, OPTION_REAL, "D", &degree,
     "about how many neighbours a node has, a guess that need not come from the data "
     "(default 10)"},
    {"homophily", 0, OPTION_REAL, "H", &homophily,
     "for classes: the share of edges inside a class, if it is public or was released"},
    {0},
};
static const option_group advice_options = {"Data", advice_list};

/* --- choosing ---------------------------------------------------------------------- */

static double unlike(const advice_row *row) {
    const double mixed = isnan(homophily) || isnan(row->homophily)
                             ? 0.0
                             : fabs(row->homophily - homophily);
    return fabs(log(row->nodes / (double)order)) + fabs(log(row->degree / degree)) +
           4.0 * mixed;
}

/* The smallest epsilon that was measured for a task. */
static double least_epsilon(const char *word) {
    double least = INFINITY;
    for (size_t i = 0; i < COUNT_OF(advice_rows); i++)
        if (!strcmp(advice_rows[i].task, word))
            least = fmin(least, advice_rows[i].epsilon);
    return least;
}

/* By epsilon first; of errors the smaller is the better one. */
static bool is_better(const advice_row *a, const advice_row *b) {
    if (a->epsilon != b->epsilon) return a->epsilon > b->epsilon;
    return a->exact == 0.0 ? a->value < b->value : a->value > b->value;
}

/* The best release for a task on one set that a budget allows, or NULL. */
static const advice_row *best_on(const char *word, const char *set, double budget) {
    const advice_row *best = NULL;
    for (size_t i = 0; i < COUNT_OF(advice_rows); i++) {
        const advice_row *row = &advice_rows[i];
        if (!strcmp(row->task, word) && !strcmp(row->set, set) &&
            row->epsilon <= budget && (!best || is_better(row, best)))
            best = row;
    }
    return best;
}

/* The sets most like the data, of one task: first of all the nearest. */
static int nearest(const advice_row *out[SHOWN], const char *word, double budget) {
    int count = 0;
    for (; count < SHOWN; count++) {
        const advice_row *best = NULL;
        for (size_t i = 0; i < COUNT_OF(advice_rows); i++) {
            const advice_row *row = &advice_rows[i];
            bool had = strcmp(row->task, word) != 0 || row->epsilon > budget;
            for (int k = 0; k < count; k++) had = had || !strcmp(out[k]->set, row->set);
            if (!had && (!best || unlike(row) < unlike(best))) best = row;
        }
        if (!best || (count && unlike(best) > unlike(out[0]) + SLACK)) break;
        out[count] = best_on(word, best->set, budget);
    }
    return count;
}

/* --- saying ------------------------------------------------------------------------ */

static void add_told(table *t, double value) {
    if (isnan(value))
        table_text(t, NULL);
    else
        table_real(t, value);
}

static void add(table *t, const advice_row *row, bool useful) {
    table_text(t, row->task);
    table_text(t, useful ? row->release : "nothing useful");
    table_text(t, useful ? row->command : NULL);
    table_text(t, row->set);
    table_real(t, row->epsilon);
    table_text(t, row->measure);
    add_told(t, row->without);
    add_told(t, row->empty);
    table_real(t, row->value);
    table_real(t, row->interval);
    add_told(t, row->exact);
}

/* Useful if it was on every set that is shown. */
static bool advise(table *t, const char *word) {
    const advice_row *near[SHOWN] = {NULL};
    const double budget = budget_epsilon() * (1.0 + 1e-9), least = least_epsilon(word);
    const int count = nearest(near, word, fmax(budget, least));
    bool useful = least <= budget;
    for (int k = 0; k < count; k++) useful = useful && near[k]->useful;
    for (int k = 0; k < count; k++) add(t, near[k], useful);
    if (least > budget) note("%s: nothing was measured below epsilon %g", word, least);
    return useful;
}

static void run(int count, char **operands) {
    static const char *const keys[][2] = {
        {"task", "task"},       {"release", "release"},    {"command", "command"},
        {"set", "measured on"}, {"epsilon", "epsilon"},    {"measure", "measure"},
        {"without", "without"}, {"empty", "empty graph"},  {"value", "value"},
        {"interval", "+-"},     {"exact", "without noise"}};
    table *t = table_new();
    int good = 0, asked = 0;
    (void)count;
    (void)operands;
    if (order < 1) usage_error("--order is missing: the number of nodes");
    if (!(degree > 0.0)) usage_error("--degree must be positive");
    if (homophily < 0.0 || homophily > 1.0) usage_error("--homophily must be in [0, 1]");
    note("one link or a person? Everything here hides one link; for a whole person see "
         "'privgraph release capped-edges', 'capped-degrees', 'group-ratio' and lists");
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
    .text =
        "Tells, for each task, which release did best on the measured sets that are "
        "most like the data, at the largest measured epsilon that is not above the "
        "one given: what it gave, what is had without private edges, what the same "
        "gave on a graph without edges, what there is without noise. If it gained no "
        "more than chance there, the advice is to release nothing. One link is "
        "hidden, not a person. The table is that of the page 'What should I publish?'; "
        "reads no data and spends nothing. 'privgraph preview' tells the noise itself.",
    .groups = {&epsilon_options, &advice_options, &common_options},
    .examples = {{"privgraph advise --order 20000 --degree 15 --epsilon 1", "all tasks"},
                 {"privgraph advise --task edges --order 3000 -e 1", "nothing useful"}},
    .run = run,
};
