/* privgraph advise: which release for which task and budget, from what was measured. The
 * table and the choice are the library's. Reads no data. */
#include "tool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static void add_text(table *t, const jsont *tree, const jsont *row, const char *key) {
    table_text(t, json_get(tree, row, key)->text);
}

static void add_number(table *t, const jsont *tree, const jsont *row, const char *key) {
    const double value = json_number(json_get(tree, row, key), NAN);
    if (isnan(value))
        table_text(t, NULL);
    else
        table_real(t, value);
}

/* Whether it is useful. */
static bool add_task(table *t, const jsont *tree, const jsont *advice) {
    const bool useful = !strcmp(json_get(tree, advice, "useful")->text, "true");
    const jsont *rows = json_get(tree, advice, "evidence");
    const double least = json_number(json_get(tree, advice, "least_epsilon"), 0.0);
    const jsont *row;
    for (int64_t i = 0; (row = json_at(tree, rows, i)); i++) {
        static const char *const numbers[] = {"without", "empty", "value", "interval",
                                              "exact"};
        add_text(t, tree, row, "task");
        if (useful) {
            add_text(t, tree, row, "release");
            add_text(t, tree, row, "command");
        } else {
            table_text(t, "nothing useful");
            table_text(t, NULL);
        }
        add_text(t, tree, row, "set");
        add_number(t, tree, row, "epsilon");
        add_text(t, tree, row, "measure");
        for (size_t k = 0; k < COUNT_OF(numbers); k++)
            add_number(t, tree, row, numbers[k]);
    }
    if (least > budget_epsilon() * (1.0 + 1e-9))
        note("%s: nothing was measured below epsilon %g",
             json_get(tree, advice, "task")->text, least);
    return useful;
}

static int32_t copy_advice(char *out, size_t capacity, size_t *length,
                           const void *config) {
    return pvg_advice_copy_json(out, capacity, length, config);
}

static void run(int count, char **operands) {
    static const char *const keys[][2] = {
        {"task", "task"},       {"release", "release"},    {"command", "command"},
        {"set", "measured on"}, {"epsilon", "epsilon"},    {"measure", "measure"},
        {"without", "without"}, {"empty", "empty graph"},  {"value", "value"},
        {"interval", "+-"},     {"exact", "without noise"}};
    table *t = table_new();
    int good = 0;
    (void)count;
    (void)operands;
    if (order < 1 || order > INT32_MAX)
        usage_error(order ? "--order must be in [1, 2^31)"
                          : "--order is missing: the number of nodes");
    if (!(degree > 0.0)) usage_error("--degree must be positive");
    if (homophily < 0.0 || homophily > 1.0) usage_error("--homophily must be in [0, 1]");
    note("one link or a person? Everything here hides one link; for a whole person see "
         "'privgraph release capped-edges', 'capped-degrees', 'group-ratio' and lists");
    for (size_t i = 0; i < COUNT_OF(keys); i++) table_column(t, keys[i][0], keys[i][1]);
    const pvg_advice_config config = {.size = sizeof config,
                                      .task = task,
                                      .epsilon = budget_epsilon(),
                                      .order = order,
                                      .degree = degree,
                                      .homophily = isnan(homophily) ? 0.0 : homophily,
                                      .homophily_told = !isnan(homophily)};
    char *text = copied(copy_advice, &config);
    jsont *tree = json_read(text);
    const jsont *advice = json_get(tree, tree, "advice");
    const jsont *one;
    int asked = 0;
    for (; (one = json_at(tree, advice, asked)); asked++) good += add_task(t, tree, one);
    free(text);
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
    json_drop(tree);
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
